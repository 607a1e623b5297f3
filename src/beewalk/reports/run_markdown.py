"""Played scenarios as Markdown, for a comment on a pull request."""

from beewalk.reports.markup import fenced, plain
from beewalk.reports.run_document import RunDocument, ScenarioEntry
from beewalk.reports.terminal import printable


def run_markdown(document: RunDocument) -> str:
    """A table of all scenarios, and below it why those failed that did."""
    failed = len(document.failed)
    lines = [f"**{failed} failed, {len(document.scenarios) - failed} passed**", ""]
    if document.stop_reason != "finished":
        lines += [f"{document.stop_reason}: {document.left} not played", ""]
    lines += ["| scenario | | where |", "|---|---|---|"]
    for entry in document.scenarios:
        word = "passed" if entry.passed else "**failed**"
        lines.append(f"| {plain(entry.name)} | {word} | {plain(f'{entry.file}:{entry.line}')} |")
    for entry in document.failed:
        lines += ["", f"### {plain(entry.name)}", "", *fenced(details(entry))]
    return "\n".join(lines) + "\n"


def details(entry: ScenarioEntry) -> list[str]:
    """Why a scenario failed, a line each."""
    lines = [] if entry.trouble is None else [f"trouble: {entry.trouble}"]
    for one in entry.failures:
        turn = "" if one.turn is None else f"  (turn {one.turn})"
        lines += [f"{one.path}{turn}  {one.at}", f"  expected: {one.expected}", f"  got:      {one.got}"]
        lines += [f"  {'because:' if at == 0 else '':<9} {note}" for at, note in enumerate(one.notes)]
    for number, run in enumerate(entry.runs, start=1):
        label = f"run {number}" if len(entry.runs) > 1 else "run"
        lines.append(f"{label}: {run.text or 'no call'} - {run.ends}")
    return [printable(line) for line in lines]
