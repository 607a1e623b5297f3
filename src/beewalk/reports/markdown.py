"""The report as Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from beewalk.reports.document import FindingEntry, ReportDocument
from beewalk.reports.markup import fenced, plain
from beewalk.reports.mermaid import MOST_NODES, MOST_TEXT, as_mermaid
from beewalk.reports.terminal import counts_of, details_of, tool_rows, verdict_of

MOST_CHARACTERS = 65_536  # of a comment; GitHub refuses a longer one
_ROOM_TO_SAY_SO = 200
_FOLDED_FROM = 12  # nodes of a diagram; a smaller one is shown at once


def as_markdown(document: ReportDocument) -> str:
    """Verdict, findings, tools, counts and, where it is small enough, the graph; no longer than a comment can be."""
    parts = [_verdict(document)]
    parts += [_finding(finding) for finding in document.findings if finding.counts]
    parts += [_no_news(document), [*_tools(document), ""], _counts(document), _diagram(document)]
    lines: list[str] = []
    room, left_out = MOST_CHARACTERS - _ROOM_TO_SAY_SO, 0
    for part in parts:
        size = sum(len(line) + 1 for line in part)
        if size > room:
            left_out += 1
            continue
        lines += part
        room -= size
    if left_out:
        lines.append(f"Left out: {left_out} of {len(parts)} parts of this report; a comment holds no more.")
    return "\n".join(lines).rstrip() + "\n"


def _verdict(document: ReportDocument) -> list[str]:
    name = document.policy.strip() or "(no name)"  # emphasis cannot begin or end with a space
    return [f"**{plain(name)}**{plain(''.join(verdict_of(document)))}", ""]


def _no_news(document: ReportDocument) -> list[str]:
    """What is accepted or known, a line each, folded."""
    old = [finding for finding in document.findings if not finding.counts]
    told = [
        f"{one.severity} {one.code}: {one.message} "
        f"({'known from the baseline' if one.accepted is None else f'accepted: {one.accepted}'})"
        for one in old
    ]
    return _folded(f"{len(old)} accepted or known", fenced(told)) if old else []


def _counts(document: ReportDocument) -> list[str]:
    return [*(f"- {plain(line)}" for line in counts_of(document)), ""]


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
    drawing = document.drawing
    if drawing is None or len(drawing.nodes) > MOST_NODES:
        return [f"No diagram: {document.states:,} states are too many to read."]
    inner = as_mermaid(drawing)
    if sum(len(line) + 1 for line in inner) > MOST_TEXT:
        return ["No diagram: its labels are longer than Mermaid takes."]
    lines = ["```mermaid", *inner, "```"]
    if any(edge.on_witness for edge in drawing.edges):
        lines += ["", "★ marks the witness of the first finding."]
    nodes = len(drawing.nodes)
    return lines if nodes < _FOLDED_FROM else _folded(f"Diagram of {nodes} states", lines)
