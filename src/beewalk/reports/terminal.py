"""The document as text for people, read top down: verdict, findings, tools, counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import log10

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from beewalk.reports.document import FindingEntry, ReportDocument, ToolLine, ToolMap

_UNREADABLE = 10**30  # from here on a count is told by its size

_NONE = "no errors"
_MOST_BEFORE = 4  # tools that are listed before they are counted

_COLOURS = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def as_text(document: ReportDocument, *, verbose: bool = False) -> RenderableType:
    """The whole report, for a rich console; `verbose` tells more of each finding, and those that are no news."""
    parts: list[RenderableType] = [_verdict(document)]
    news = [finding for finding in document.findings if finding.counts]
    for code, same in groupby(news, key=lambda finding: finding.code):
        alike = list(same)
        if len(alike) > 1 and alike[0].severity != "error" and not verbose:
            parts += [Text(), *_several(code, alike)]
        else:
            for finding in alike:
                parts += [Text(), *_finding(finding, rulings=verbose or finding.severity == "error")]
    old = [finding for finding in document.findings if not finding.counts]
    if old:
        parts += [Text(), *(_no_news(finding) for finding in old)]
    parts += [Text(), _tools(document), Text()]
    for line in counts_of(document):
        parts.append(Text(printable(line), style="dim" if line.startswith("assumed") else ""))
    return Group(*parts)


def _verdict(document: ReportDocument) -> Text:
    said, others = verdict_of(document)
    style = (
        _COLOURS["error"]
        if document.errors
        else "green"
        if said.startswith((f": {_NONE};", f": {_NONE} within"))
        else "yellow"
    )
    return Text.assemble((printable(document.policy), "bold"), (said, style), others)


def verdict_of(document: ReportDocument) -> tuple[str, str]:
    """What was found, after the policy's name, and how much else; it never flatters."""
    others = _others(document)
    errors = len(document.errors)
    none = "no new errors" if any(finding.severity == "error" for finding in document.findings) else _NONE
    if errors:
        return f": {_many(errors, 'error')}", others
    if not document.complete:
        return ": nothing wrong found, but not everything was seen", others
    if document.complete_runs == 0:
        most = _many(document.max_length, "call")
        return f": {none}, but no run of at most {most} ends in a final answer", others
    if document.beyond_limit:
        return f": {none} within the limits of a run", others
    if none != _NONE:
        return f": {none}", others
    return f": {none}; from every state a final answer can be reached", others


def _others(document: ReportDocument) -> str:
    """How many findings there are besides errors."""
    counts = Counter(finding.severity for finding in document.findings if finding.counts)
    told = [_many(counts[severity], severity) for severity in ("warning", "note") if counts[severity]]
    return f"; {', '.join(told)}" if told else ""


def _many(count: int, word: str) -> str:
    if count >= _UNREADABLE:
        return f"about 10^{log10(count):.0f} {word}s"
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _finding(finding: FindingEntry, *, rulings: bool) -> Iterator[RenderableType]:
    head = Text.assemble((f"{finding.severity} {finding.code}", _COLOURS[finding.severity]), "  ")
    yield head + Text(printable(finding.message))
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    for label, texts in details_of(finding, rulings=rulings):
        for position, text in enumerate(texts):
            lines.add_row(f"  {label}" if position == 0 else "", Text(printable(text)))
    yield lines


def _several(code: str, findings: Sequence[FindingEntry]) -> Iterator[RenderableType]:
    """Warnings or notes of one code, each with what is to blame for it."""
    severity = findings[0].severity
    more = f"  {len(findings)} times; --verbose tells witness and mend of each"
    yield Text.assemble((f"{severity} {code}", _COLOURS[severity]), more)
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    for finding in findings:
        lines.add_row("  -", Text(printable(finding.message)))
        if finding.blame:
            lines.add_row("", Text(printable(f"blame: {', '.join(finding.blame)}"), style="dim"))
    yield lines


def details_of(finding: FindingEntry, *, rulings: bool) -> Iterator[tuple[str, Sequence[str]]]:
    """What is told of a finding below its message: a label, and the lines beside it."""
    if finding.witness:
        yield "witness", [" ".join(finding.witness)]
    for number, run in enumerate(finding.runs, start=1):
        yield f"run {number}", [" ".join(run) or "(no call yet)"]
    if not set(finding.needs) <= set(finding.witness) or (finding.needs and finding.severity == "error"):
        yield "needs", [", ".join(finding.needs)]
    if not finding.tools and (finding.count > 1 or finding.point_of_no_return):
        states = "in " + _many(finding.count, "state")
        lost = _many(finding.point_of_no_return, "more state")
        yield "where", [f"{states}; from {lost} every run ends there" if finding.point_of_no_return else states]
    if finding.rulings and rulings:
        yield "there" if finding.witness or finding.runs else "at start", [one.sentence for one in finding.rulings]
    if finding.blame:
        yield "blame", finding.blame
    if finding.mends:
        first, *others = finding.mends
        yield "mend", [first, *(f"or {other}" for other in others)]


def _no_news(finding: FindingEntry) -> Text:
    """One line for a finding that is accepted, or known from a baseline."""
    why = "known from the baseline" if finding.accepted is None else f"accepted: {printable(finding.accepted)}"
    return Text.assemble((f"{finding.severity} {finding.code}", "dim"), f"  {printable(finding.message)} ({why})")


def _tools(document: ReportDocument) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("tool", overflow="fold")
    for heading in ("first call", "most calls"):
        table.add_column(heading, justify="right")
    table.add_column("can follow", overflow="fold")
    table.add_column("")
    for row in tool_rows(document):
        table.add_row(*(Text(cell) for cell in row))
    return table


def tool_rows(document: ReportDocument) -> Iterator[tuple[str, ...]]:
    """For each tool: its name, its first call, the most calls, what it can follow, and notes."""
    never, boundless = ("never", "no bound") if document.complete else ("not seen", "unknown")
    for line in document.tools:
        first = never if line.first_step is None else str(line.first_step)
        most = boundless if line.max_calls is None else str(line.max_calls)
        notes = ", ".join(_notes(line, complete=document.complete))
        yield printable(line.tool), first, most, _before(document.tool_map, line.tool), notes


def _before(tools: ToolMap, tool: str) -> str:
    """What a call of `tool` can come directly after, in a few words."""
    before = ["the start"] if tool in tools.first else []
    before += [one for one, after in tools.follows if after == tool]
    if len(before) > _MOST_BEFORE:
        others = [one for one in tools.tools[:-1] if one not in before]
        if not others and tool in tools.first:
            return "anything"
        if len(others) <= _MOST_BEFORE - 1 and tool in tools.first:
            return f"anything but {' and '.join(map(printable, others))}"
        return f"{', '.join(map(printable, before[: _MOST_BEFORE - 1]))} and {len(before) - _MOST_BEFORE + 1} more"
    return ", ".join(map(printable, before))


def _notes(line: ToolLine, *, complete: bool) -> Iterator[str]:
    if line.forced:
        yield "forced at times"
    if not line.allowed and complete:
        yield "never allowed"


def counts_of(document: ReportDocument) -> Iterator[str]:
    """How much was seen, and what the answer rests on, a sentence each."""
    seen = "every reachable state was seen" if document.complete else f"the search stopped at {document.stop_reason}"
    yield f"{_many(document.states, 'state')}, {_many(document.moves, 'move')}, depth {document.depth}: {seen}"
    least = "" if document.complete else "at least "
    yield f"{least}{_many(document.complete_runs, 'complete run')} of at most {_many(document.max_length, 'call')}"
    yield f"outcomes explored: {', '.join(document.outcomes)}; the chat model is obedient"
    if document.beyond_limit:
        yield f"{_many(document.beyond_limit, 'error')} left out: no run within the limits is long enough to show it"
    for note in document.assumed:
        yield f"assumed: {note}"


def printable(text: str) -> str:
    r"""The text with control characters shown rather than obeyed.

    Example:
        >>> printable("a\x1b[31m\nb")
        'a\\x1b[31m\\nb'
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
