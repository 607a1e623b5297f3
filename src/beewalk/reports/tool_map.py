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
    PALE,
    PAPER,
    SAMPLE_WIDTH,
    Point,
    Rect,
    Sample,
    Sheet,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BOXES: Final = 16

_START = "start"
_MOST_WIDE = 170.0
_CELL = 18.0
_ONLY = BLUE
_CAN = "#8DBBDD"


def tool_map(document: ReportDocument) -> "Figure":
    """The map of `document` in the form that fits its size, with a legend, and what it leaves out."""
    shown = document.tool_map
    sheet = Sheet()
    if _is_matrix(shown):
        sheet.right = _matrix_width(shown)
        _draw_matrix(sheet, shown, _title(sheet, document, "Each row: what can be called directly after that tool"))
        entries = list(_matrix_legend(shown))
    else:
        _draw_boxes(sheet, shown, _title(sheet, document, "Which tool can be called directly after which"))
        entries = list(_box_legend(shown))
    bottom = sheet.legend(sheet.bottom + 14, entries)
    if shown.hidden:
        words = f"not shown: {listed(shown.hidden, 12)}"
        sheet.lines((0, bottom + 4), wrapped(words, SMALL, max(460.0, sheet.right), most=4), size=SMALL, colour=GREY)
    return sheet.finished()


def _title(sheet: Sheet, document: ReportDocument, line: str) -> float:
    return sheet.title(document.policy, line if document.complete else f"{line}, as far as the search came")


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


# Boxes and arrows


def _draw_boxes(sheet: Sheet, shown: ToolMap, top: float) -> None:
    columns = _columns(shown)
    names = [_START, *shown.tools]
    captions = [_caption(shown, name) for name in names]
    boxes = [Box(columns[name], *_box_size(lines)) for name, lines in zip(names, captions, strict=True)]
    place = {name: position for position, name in enumerate(names)}
    pairs = [(_START, tool, False) for tool in shown.first if tool in place]
    pairs += [arrow for arrow in _arrows(shown) if arrow[0] in place and arrow[1] in place]
    always = set(shown.always)
    thick = [(one, other) in always for one, other, _ in pairs]
    lines = [
        Line(place[one], place[other], both=both, straight=only)
        for (one, other, both), only in zip(pairs, thick, strict=True)
    ]
    layout = layered(boxes, lines).moved((0, top))
    for route, only in sorted(zip(layout.routes, thick, strict=True), key=lambda pair: pair[1]):
        colour, width = (_ONLY, 2.4) if only else (GREY, 1.0)
        for stroke in route.strokes:
            sheet.stroke(stroke, colour=colour, width=width, halo=True)
        for tip, leftwards in route.heads:
            sheet.head(tip, leftwards=leftwards, colour=colour, size=8.0 if only else 6.5)
    for name, caption, rect in zip(names, captions, layout.boxes, strict=True):
        _draw_box(sheet, name, caption, rect)


def _columns(shown: ToolMap) -> dict[str, int]:
    """Tool -> its column: how many calls after the start it can come first; the final answer stands last."""
    column = {_START: 0, **dict.fromkeys(shown.first, 1)}
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
    if name == _START:
        return [_START]
    repeats = ["↻ can repeat"] if (name, name) in shown.follows else []
    return [fitted(name, PLAIN, _MOST_WIDE, bold=True), *repeats]


def _box_size(lines: Sequence[str]) -> Point:
    return widest(lines, PLAIN, bold=True) + 22, PLAIN * LEADING * len(lines) + 16


def _draw_box(sheet: Sheet, name: str, caption: Sequence[str], rect: Rect) -> None:
    if name == _START:
        sheet.box(Rect(rect.x, rect.y, rect.width, rect.height), fill=INK)
    elif name == FINAL_ANSWER:
        sheet.box(rect, edge=GREEN, width=2.0)
        sheet.box(rect.grown(-3), edge=GREEN, width=1.0)
    else:
        sheet.box(rect)
    y = rect.middle[1] - PLAIN * LEADING * (len(caption) - 1) / 2
    for index, line in enumerate(caption):
        colour = PAPER if name == _START else INK if index == 0 else GREY
        size = PLAIN if index == 0 else SMALL
        sheet.words((rect.middle[0], y), line, size=size, bold=index == 0, colour=colour, align="center")
        y += PLAIN * LEADING


def _box_legend(shown: ToolMap) -> Iterator[tuple[Sample, str]]:
    yield _arrow_sample(GREY, 1.0), "can come next"
    if any(both for _, _, both in _arrows(shown)):
        yield _arrow_sample(GREY, 1.0, both=True), "each can follow the other"
    if shown.always:
        yield _arrow_sample(_ONLY, 2.4), "thick: nothing else can come next"
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


# Matrix


def _rows(shown: ToolMap) -> list[str]:
    return [_START, *(tool for tool in shown.tools if tool != FINAL_ANSWER)]


def _row_room(shown: ToolMap) -> float:
    names = [fitted(name, PLAIN, _MOST_WIDE) for name in _rows(shown)]
    return max(widest(names, PLAIN, bold=True), 76.0) + 8


def _matrix_width(shown: ToolMap) -> float:
    return _row_room(shown) + _CELL * len(shown.tools)


def _draw_matrix(sheet: Sheet, shown: ToolMap, top: float) -> None:
    rows, columns = _rows(shown), shown.tools
    heads = [fitted(name, PLAIN, _MOST_WIDE, bold=True) for name in columns]
    left, y = _row_room(shown), top + widest(heads, PLAIN, bold=True) + 6
    right, bottom = left + _CELL * len(columns), y + _CELL * len(rows)
    for index, (name, head) in enumerate(zip(columns, heads, strict=True)):
        x = left + _CELL * (index + 0.5)
        sheet.words((x, y - 4), head, bold=name == FINAL_ANSWER, colour=_name_colour(name), upright=True)
    sheet.words((left - 6, y - 8), "after ↓   next →", size=SMALL, colour=GREY, align="right")
    for index, name in enumerate(rows):
        bold = name == _START and index == 0
        line = name if bold else fitted(name, PLAIN, _MOST_WIDE)
        sheet.words((left - 6, y + _CELL * (index + 0.5)), line, bold=bold, align="right")
    can, only = _cells(shown)
    if FINAL_ANSWER in columns:
        x = left + _CELL * columns.index(FINAL_ANSWER)
        sheet.polygons([_square(Rect(x, y, _CELL, bottom - y))], colour="#DDF1EA")
    sheet.polygons([_square(rect) for rect in _runs(can, left, y)], colour=_CAN)
    _draw_grid(sheet, Rect(left, y, right - left, bottom - y))
    sheet.polygons([_square(_cell(one, left, y).grown(-2.5)) for one in only], colour=_ONLY, over=True)
    own = [cell for cell in can if cell[0] > 0 and rows[cell[0]] == columns[cell[1]]]
    sheet.polygons([_ring(_cell(one, left, y)) for one in own], colour=INK, filled=False, width=1.1, over=True)


_DARK_GREEN = "#00614A"


def _name_colour(name: str) -> str:
    return _DARK_GREEN if name == FINAL_ANSWER else INK


Cell = tuple[int, int]  # row, column


def _cells(shown: ToolMap) -> tuple[list[Cell], list[Cell]]:
    """All filled cells in order, and those of them that are the only one of their row."""
    row_of = {name: index for index, name in enumerate(_rows(shown)) if index}
    column_of = {name: index for index, name in enumerate(shown.tools)}
    start = [(0, column_of[tool]) for tool in shown.first if tool in column_of]
    pairs = [(one, other) for one, other in shown.follows if one in row_of and other in column_of]
    can = sorted({*start, *((row_of[one], column_of[other]) for one, other in pairs)})
    always = [(row_of[one], column_of[other]) for one, other in shown.always if one in row_of and other in column_of]
    return can, sorted({*always, *(start if len(shown.first) == 1 else [])})


def _runs(cells: Sequence[Cell], left: float, top: float) -> Iterator[Rect]:
    """Rectangles that cover `cells`, one for each unbroken stretch of a row."""
    start = 0
    for index in range(1, len(cells) + 1):
        if index < len(cells) and cells[index] == (cells[index - 1][0], cells[index - 1][1] + 1):
            continue
        row, column = cells[start]
        yield Rect(left + _CELL * column, top + _CELL * row, _CELL * (index - start), _CELL)
        start = index


def _cell(cell: Cell, left: float, top: float) -> Rect:
    return Rect(left + _CELL * cell[1], top + _CELL * cell[0], _CELL, _CELL)


def _square(rect: Rect) -> list[Point]:
    return [(rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)]


def _ring(rect: Rect) -> list[Point]:
    """The sign for a repeat: a small diamond."""
    (x, y), by = rect.middle, 3.2
    return [(x - by, y), (x, y - by), (x + by, y), (x, y + by), (x - by, y)]


def _draw_grid(sheet: Sheet, rect: Rect) -> None:
    xs = [rect.x + _CELL * index for index in range(round(rect.width / _CELL) + 1)]
    ys = [rect.y + _CELL * index for index in range(round(rect.height / _CELL) + 1)]
    grid = [[(x, rect.y), (x, rect.bottom)] for x in xs] + [[(rect.x, y), (rect.right, y)] for y in ys]
    sheet.polygons(grid, colour=PAPER, filled=False, width=2.4)
    sheet.polygons(grid, colour=PALE, filled=False, width=0.5)


def _matrix_legend(shown: ToolMap) -> Iterator[tuple[Sample, str]]:
    def square(colour: str, inner: str = "", *, repeat: bool = False) -> Sample:
        def draw(sheet: Sheet, x: float, y: float) -> None:
            rect = Rect(x + SAMPLE_WIDTH / 2 - 6, y - 6, 12, 12)
            sheet.polygons([_square(rect)], colour=colour, over=True)
            if inner:
                sheet.polygons([_square(rect.grown(-1.5))], colour=inner, over=True)
            if repeat:
                sheet.polygons([_ring(rect)], colour=INK, filled=False, width=1.1, over=True)

        return draw

    yield square(_CAN), "can come next"
    yield square("#F0F0F0"), "empty: never comes next"
    if _cells(shown)[1]:
        yield square(_CAN, _ONLY), "dark: nothing else can come next"
    if any(one == other for one, other in shown.follows):
        yield square(_CAN, repeat=True), "diamond: can be called twice in a row"
    if FINAL_ANSWER in shown.tools:
        yield square("#DDF1EA"), "green column: the final answer, which ends the run"
