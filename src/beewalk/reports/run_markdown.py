"""Played scenarios as Markdown, for a comment on a pull request."""

import re

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
        told = details(entry)
        fence = _fence(told)
        lines += ["", f"### {_cell(entry.name)}", "", f"{fence}text", *told, fence]
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


def _fence(lines: list[str]) -> str:
    """Backticks that fence `lines` off: more of them than stand together in any line."""
    return "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))


def _cell(text: str) -> str:
    """The text, with nothing in it taken for markup."""
    return re.sub(r"([\\`*_~\[\]|#])", r"\\\1", printable(text).replace("&", "&amp;").replace("<", "&lt;"))
