"""The tool map as a picture: which tool can directly follow which.

A map of few lines is drawn as boxes and arrows, from left to right by how soon a tool can be called: that shows the
flow of a run at one look. But a tool that nothing restricts follows every other, and two dozen such lines are a knot
however they are arranged; then the same pairs are a matrix, a row for what was just called and a column for what can
come next, in which a restriction is a gap that is seen at once. So it is the number of lines that decides, and beyond
MOST_BOXES tools it is always the matrix.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from beewalk.reports.document import ReportDocument, ToolMap
from beewalk.reports.layered import Box, Line, layered
from beewalk.reports.lettering import LEADING, PLAIN, SMALL, fitted, listed, widest, wrapped
from beewalk.reports.sheet import (
    BLUE,
    FINAL_ANSWER,
    GREEN,
    GREY,
    INK,
    PAPER,
    SAMPLE_WIDTH,
    Point,
    Rect,
    Sample,
    Sheet,
)
from beewalk.reports.tool_matrix import MOST_WIDE, START, draw_matrix, matrix_legend, matrix_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BOXES: Final = 16


def tool_map(document: ReportDocument) -> "Figure":
    """The map of `document` in the form that fits its size, with a legend, and what it leaves out."""
    shown = document.tool_map
    sheet = Sheet()
    if _is_matrix(shown):
        sheet.right = matrix_width(shown)
        draw_matrix(sheet, shown, _title(sheet, document, "Each row: what can be called directly after that tool"))
        entries = list(matrix_legend(shown))
    else:
        _draw_boxes(sheet, shown, _title(sheet, document, "Which tool can be called directly after which"))
        entries = list(_box_legend(shown))
    bottom = sheet.legend(sheet.bottom + 14, entries)
    if shown.hidden:
        words = f"not shown: {listed(shown.hidden, 12)}"
        sheet.lines((0, bottom + 4), wrapped(words, SMALL, max(460.0, sheet.right), most=4), size=SMALL, colour=GREY)
    return sheet.finished()


def _title(sheet: Sheet, document: ReportDocument, line: str) -> float:
    if not document.complete:
        line = f"{line}, as far as the search came"
    if document.drawing is None:
        line = f"{line}; {document.states:,} states are too many to draw them one by one"
    return sheet.title(document.policy, line)


def _arrows(shown: ToolMap) -> list[tuple[str, str, bool]]:
    """(tool, next tool, whether also the other way round), without repeats.

    Two ways are one arrow unless just one of them is the only way there is.
    """
    pairs, always = set(shown.follows), set(shown.always)
    arrows = []
    for one, other in shown.follows:
        both = (other, one) in pairs and ((one, other) in always) == ((other, one) in always)
        if one != other and not (both and _index(shown, one) > _index(shown, other)):
            arrows.append((one, other, both))
    return arrows


def _index(shown: ToolMap, tool: str) -> int:
    return shown.tools.index(tool) if tool in shown.tools else len(shown.tools)


def _is_matrix(shown: ToolMap) -> bool:
    tools = len(shown.tools)
    if tools > MOST_BOXES:
        return True
    inner = [arrow for arrow in _arrows(shown) if arrow[1] != FINAL_ANSWER]
    return len(inner) + len(shown.first) > 1.5 * tools


def _draw_boxes(sheet: Sheet, shown: ToolMap, top: float) -> None:
    columns = _columns(shown)
    names = [START, *shown.tools]
    captions = [_caption(shown, name) for name in names]
    boxes = [Box(columns[name], *_box_size(lines)) for name, lines in zip(names, captions, strict=True)]
    place = {name: position for position, name in enumerate(names)}
    pairs = [(START, tool, False) for tool in shown.first if tool in place]
    pairs += [arrow for arrow in _arrows(shown) if arrow[0] in place and arrow[1] in place]
    always = set(shown.always)
    thick = [(one, other) in always for one, other, _ in pairs]
    lines = [
        Line(place[one], place[other], both=both, straight=only)
        for (one, other, both), only in zip(pairs, thick, strict=True)
    ]
    layout = layered(boxes, lines).moved((0, top))
    for route, only in sorted(zip(layout.routes, thick, strict=True), key=lambda pair: pair[1]):
        colour, width = (BLUE, 2.4) if only else (GREY, 1.0)
        for stroke in route.strokes:
            sheet.stroke(stroke, colour=colour, width=width, halo=True)
        for tip, leftwards in route.heads:
            sheet.head(tip, leftwards=leftwards, colour=colour, size=8.0 if only else 6.5)
    for name, caption, rect in zip(names, captions, layout.boxes, strict=True):
        _draw_box(sheet, name, caption, rect)


def _columns(shown: ToolMap) -> dict[str, int]:
    """Tool -> its column: how many calls after the start it can come first; the final answer stands last."""
    column = {START: 0, **dict.fromkeys(shown.first, 1)}
    ring = list(shown.first)
    while ring:
        outer = [other for one, other in shown.follows if one in ring and other not in column]
        column |= dict.fromkeys(outer, column[ring[0]] + 1)
        ring = list(dict.fromkeys(outer))
    last = max((column[tool] for tool in column if tool != FINAL_ANSWER), default=0)
    column |= {tool: max(last, 1) for tool in shown.tools if tool not in column}
    return {**column, FINAL_ANSWER: max(last, 1) + 1}


def _caption(shown: ToolMap, name: str) -> list[str]:
    """A box's lines: its tool, and whether it can follow itself."""
    if name == START:
        return [START]
    repeats = ["↻ can repeat"] if (name, name) in shown.follows else []
    return [fitted(name, PLAIN, MOST_WIDE, bold=True), *repeats]


def _box_size(lines: Sequence[str]) -> Point:
    return widest(lines, PLAIN, bold=True) + 22, PLAIN * LEADING * len(lines) + 16


def _draw_box(sheet: Sheet, name: str, caption: Sequence[str], rect: Rect) -> None:
    if name == START:
        sheet.box(Rect(rect.x, rect.y, rect.width, rect.height), fill=INK)
    elif name == FINAL_ANSWER:
        sheet.box(rect, edge=GREEN, width=2.0)
        sheet.box(rect.grown(-3), edge=GREEN, width=1.0)
    else:
        sheet.box(rect)
    y = rect.middle[1] - PLAIN * LEADING * (len(caption) - 1) / 2
    for index, line in enumerate(caption):
        colour = PAPER if name == START else INK if index == 0 else GREY
        size = PLAIN if index == 0 else SMALL
        sheet.words((rect.middle[0], y), line, size=size, bold=index == 0, colour=colour, align="center")
        y += PLAIN * LEADING


def _box_legend(shown: ToolMap) -> Iterator[tuple[Sample, str]]:
    yield _arrow_sample(GREY, 1.0), "can come next"
    if any(both for _, _, both in _arrows(shown)):
        yield _arrow_sample(GREY, 1.0, both=True), "each can follow the other"
    if shown.always:
        yield _arrow_sample(BLUE, 2.4), "thick: nothing else can come next"
    if any(one == other for one, other in shown.follows):
        yield _sign("↻"), "can be called twice in a row"
    if FINAL_ANSWER in shown.tools:
        yield _final_sample, "double border: ends the run"


def _arrow_sample(colour: str, width: float, *, both: bool = False) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        end = (x + SAMPLE_WIDTH, y)
        sheet.stroke(((x, y), (x, y), end, end), colour=colour, width=width)
        sheet.head(end, colour=colour, size=6.5 + width - 1)
        if both:
            sheet.head((x, y), leftwards=True, colour=colour)

    return draw


def _sign(word: str) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        sheet.words((x + SAMPLE_WIDTH / 2, y), word, align="center")

    return draw


def _final_sample(sheet: Sheet, x: float, y: float) -> None:
    rect = Rect(x + 2, y - 6, SAMPLE_WIDTH - 4, 12)
    sheet.box(rect, edge=GREEN, width=2.0)
    sheet.box(rect.grown(-3), edge=GREEN, width=1.0)
