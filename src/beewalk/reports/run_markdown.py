"""Played scenarios as Markdown, for a comment on a pull request."""

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
        lines.append(f"| {_cell(entry.name)} | {word} | {_cell(f'{entry.file}:{entry.line}')} |")
    for entry in document.failed:
        lines += ["", f"### {_cell(entry.name)}", "", "```text", *details(entry), "```"]
    return "\n".join(lines) + "\n"


def details(entry: ScenarioEntry) -> list[str]:
    """Why a scenario failed, a line each."""
    lines = [] if entry.trouble is None else [f"trouble: {entry.trouble}"]
    for one in entry.failures:
        turn = "" if one.turn is None else f" (turn {one.turn})"
        lines += [f"{one.path}{turn}", f"  expected: {one.expected}", f"  got:      {one.got}"]
        lines += [f"  because:  {note}" for note in one.notes]
    lines += [f"run: {run.text or 'no call'} - {run.ends}" for run in entry.runs]
    return [printable(line).replace("```", "'''") for line in lines]


def _cell(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace("|", "\\|").replace("`", "\\`").replace("<", "&lt;")
