"""The document as text for people, read top down: verdict, findings, tools, counts."""

from collections.abc import Iterator, Sequence
from math import log10

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from beewalk.reports.document import FindingEntry, ReportDocument, ToolLine

_UNREADABLE = 10**30  # from here on a count is told by its size

_COLOURS = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def as_text(document: ReportDocument) -> RenderableType:
    """The whole report, for a rich console."""
    parts: list[RenderableType] = [_verdict(document)]
    for finding in document.findings:
        parts += [Text(), *_finding(finding)]
    parts += [Text(), _tools(document), Text(), *_counts(document)]
    return Group(*parts)


def _verdict(document: ReportDocument) -> Text:
    name = Text(printable(document.policy), style="bold")
    errors = len(document.errors)
    others = len(document.findings) - errors
    if errors:
        return name + Text(": ") + Text(_many(errors, "error"), style=_COLOURS["error"]) + Text(_and(others))
    if not document.complete:
        return name + Text(": nothing wrong found, but not everything was seen", style="yellow") + Text(_and(others))
    if document.complete_runs == 0:
        bad = f": no errors, but no run of at most {_many(document.max_length, 'call')} ends in a final answer"
        return name + Text(bad, style="yellow") + Text(_and(others))
    good = ": no errors; from every state a final answer can be reached"
    if document.beyond_limit:
        good = ": no errors within the limits of a run"
    return name + Text(good, style="green") + Text(_and(others))


def _and(others: int) -> str:
    return f"; {_many(others, 'warning')}" if others else ""


def _many(count: int, word: str) -> str:
    if count >= _UNREADABLE:
        return f"about 10^{log10(count):.0f} {word}s"
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _finding(finding: FindingEntry) -> Iterator[RenderableType]:
    head = Text.assemble((f"{finding.severity} {finding.code}", _COLOURS[finding.severity]), "  ")
    yield head + Text(printable(finding.message))
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    for label, texts in _details(finding):
        for position, text in enumerate(texts):
            lines.add_row(f"  {label}" if position == 0 else "", Text(printable(text)))
    yield lines


def _details(finding: FindingEntry) -> Iterator[tuple[str, Sequence[str]]]:
    if finding.witness:
        yield "witness", [" ".join(finding.witness)]
    if finding.needs:
        yield "needs", [", ".join(finding.needs)]
    if not finding.tools and (finding.count > 1 or finding.point_of_no_return):
        states = "in " + _many(finding.count, "state")
        lost = _many(finding.point_of_no_return, "more state")
        yield "where", [f"{states}; from {lost} every run ends there" if finding.point_of_no_return else states]
    if finding.rulings:
        yield "there" if finding.witness else "at start", [ruling.sentence for ruling in finding.rulings]
    if finding.blame:
        yield "blame", finding.blame
    if finding.mends:
        first, *others = finding.mends
        yield "mend", [first, *(f"or {other}" for other in others)]


def _tools(document: ReportDocument) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("tool", overflow="fold")
    for heading in ("first call", "most calls"):
        table.add_column(heading, justify="right")
    table.add_column("")
    never, boundless = ("never", "no bound") if document.complete else ("not seen", "unknown")
    for line in document.tools:
        first = never if line.first_step is None else str(line.first_step)
        most = boundless if line.max_calls is None else str(line.max_calls)
        table.add_row(Text(printable(line.tool)), first, most, ", ".join(_notes(line, complete=document.complete)))
    return table


def _notes(line: ToolLine, *, complete: bool) -> Iterator[str]:
    if line.forced:
        yield "forced at times"
    if not line.allowed and complete:
        yield "never allowed"


def _counts(document: ReportDocument) -> Iterator[Text]:
    seen = "every reachable state was seen" if document.complete else f"the search stopped at {document.stop_reason}"
    yield Text(f"{_many(document.states, 'state')}, {_many(document.moves, 'move')}, depth {document.depth}: {seen}")
    least = "" if document.complete else "at least "
    yield Text(
        f"{least}{_many(document.complete_runs, 'complete run')} of at most {_many(document.max_length, 'call')}"
    )
    outcomes = printable(", ".join(document.outcomes))
    yield Text(f"outcomes explored: {outcomes}; the chat model is obedient")
    if document.beyond_limit:
        yield Text(
            f"{_many(document.beyond_limit, 'error')} left out: no run within the limits is long enough to show it"
        )
    for note in document.assumed:
        yield Text(f"assumed: {printable(note)}", style="dim")


def printable(text: str) -> str:
    r"""The text with control characters shown rather than obeyed.

    Example:
        >>> printable("a\x1b[31m\nb")
        'a\\x1b[31m\\nb'
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
