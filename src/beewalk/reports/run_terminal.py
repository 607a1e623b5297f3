"""Played scenarios as text for people: a line a scenario, and why those failed that did."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from beewalk.reports.run_document import FailureEntry, RunDocument, ScenarioEntry
from beewalk.reports.terminal import printable

_PASSED, _FAILED = "bold green", "bold red"


def run_text(document: RunDocument, *, details: int = 0) -> RenderableType:
    """The whole report, for a rich console.

    Args:
        document: what was played.
        details: below 0 only what failed is told, above 0 also what passed runs did.
    """
    parts: list[RenderableType] = []
    for entry in document.scenarios:
        if not entry.passed or details >= 0:
            parts += _scenario(entry, details=details)
    return Group(*parts, *([Text()] if parts else []), _summary(document))


def _scenario(entry: ScenarioEntry, *, details: int) -> Iterator[RenderableType]:
    word = ("passed", _PASSED) if entry.passed else ("FAILED", _FAILED)
    where = (f"  {printable(entry.file)}:{entry.line}", "dim")
    yield Text.assemble(word, "  ", printable(entry.name), where)
    lines = _grid()
    if entry.trouble is not None:
        lines.add_row("  trouble", Text(printable(entry.trouble)))
    for failure in entry.failures:
        _add_failure(lines, failure)
    if details > 0 or not entry.passed:
        for number, run in enumerate(entry.runs, start=1):
            label = f"  run {number}" if len(entry.runs) > 1 else "  run"
            lines.add_row(label, Text(printable(f"{run.text or 'no call'} - {run.ends}")))
    if lines.row_count:
        yield lines


def _add_failure(lines: Table, failure: FailureEntry) -> None:
    turn = "" if failure.turn is None else f"  (turn {failure.turn})"
    lines.add_row(
        "  not so", Text.assemble((printable(failure.path), "bold"), turn, (f"  {printable(failure.at)}", "dim"))
    )
    lines.add_row("  expected", Text(printable(failure.expected)))
    lines.add_row("  got", Text(printable(failure.got)))
    for position, note in enumerate(failure.notes):
        lines.add_row("  because" if position == 0 else "", Text(printable(note)))


def _grid() -> Table:
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column(overflow="fold")
    return lines


def _summary(document: RunDocument) -> Text:
    failed = len(document.failed)
    passed = len(document.scenarios) - failed
    text = Text()
    if failed:
        text += Text.assemble((f"{failed} failed", _FAILED), ", ")
    text += Text(f"{passed} passed", style=_PASSED if passed and not failed else "")
    if document.stop_reason != "finished":
        text += Text(f"; {document.stop_reason}, {document.left} not played", style="bold yellow")
    return text
