"""The report as Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from beewalk.reports.document import FindingEntry, ReportDocument
from beewalk.reports.markup import fenced, plain
from beewalk.reports.mermaid import as_mermaid
from beewalk.reports.terminal import counts_of, details_of, tool_rows, verdict_of

_FOLDED_FROM = 12  # nodes of a diagram; a smaller one is shown at once


def as_markdown(document: ReportDocument) -> str:
    """Verdict, findings, tools, counts and, where it is small enough, the graph."""
    news = [finding for finding in document.findings if finding.counts]
    old = [finding for finding in document.findings if not finding.counts]
    lines = [f"**{plain(document.policy)}**{plain(verdict_of(document)[0] + verdict_of(document)[1])}", ""]
    for finding in news:
        lines += _finding(finding)
    if old:
        told = [
            f"{one.severity} {one.code}: {one.message} ({one.accepted or 'known from the baseline'})" for one in old
        ]
        lines += _folded(f"{len(old)} accepted or known", fenced(told))
    lines += [*_tools(document), ""]
    lines += [f"- {plain(line)}" for line in counts_of(document)]
    lines += ["", *_diagram(document)]
    return "\n".join(lines).rstrip() + "\n"


def _finding(finding: FindingEntry) -> list[str]:
    told = [
        f"{label if position == 0 else '':<8} {text}"
        for label, texts in details_of(finding, rulings=finding.severity == "error")
        for position, text in enumerate(texts)
    ]
    head = f"**{finding.severity}** `{finding.code}` {plain(finding.message)}"
    if finding.severity == "error":
        return [head, "", *fenced(told), ""]
    return _folded(head, fenced(told))


def _folded(summary: str, lines: list[str]) -> list[str]:
    return ["<details><summary>", "", summary, "", "</summary>", "", *lines, "", "</details>", ""]


def _tools(document: ReportDocument) -> Iterator[str]:
    yield "| tool | first call | most calls | can follow | |"
    yield "|---|--:|--:|---|---|"
    for row in tool_rows(document):
        yield f"| {' | '.join(map(plain, row))} |"


def _diagram(document: ReportDocument) -> list[str]:
    if document.drawing is None:
        return [f"No diagram: {document.states:,} states are too many to read."]
    lines = ["```mermaid", *as_mermaid(document.drawing), "```"]
    nodes = len(document.drawing.nodes)
    return lines if nodes < _FOLDED_FROM else _folded(f"Diagram of {nodes} states", lines)
