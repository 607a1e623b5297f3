"""The matrix of a tool map: a row for what was just called, a column for what can come next."""

from collections.abc import Iterator, Sequence
from typing import Final

from beewalk.reports.document import ToolMap
from beewalk.reports.lettering import PLAIN, SMALL, fitted, widest
from beewalk.reports.sheet import (
    BLUE,
    DARK_GREEN,
    FINAL_ANSWER,
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

START: Final = "start"
MOST_WIDE: Final = 170.0  # points of a tool's name before it is cut

_CELL = 18.0
_CAN = "#8DBBDD"
_ANSWER_COLUMN = "#DDF1EA"


def _rows(shown: ToolMap) -> list[str]:
    return [START, *(tool for tool in shown.tools if tool != FINAL_ANSWER)]


def _row_room(shown: ToolMap) -> float:
    names = [fitted(name, PLAIN, MOST_WIDE) for name in _rows(shown)]
    return max(widest(names, PLAIN, bold=True), 76.0) + 8


def matrix_width(shown: ToolMap) -> float:
    """How wide the matrix is, its rows' names included."""
    return _row_room(shown) + _CELL * len(shown.tools)


def draw_matrix(sheet: Sheet, shown: ToolMap, top: float) -> None:
    """Draw the matrix from `top` on: the tools' names above and beside it, a filled cell for each pair."""
    rows, columns = _rows(shown), shown.tools
    heads = [fitted(name, PLAIN, MOST_WIDE, bold=True) for name in columns]
    left, y = _row_room(shown), top + widest(heads, PLAIN, bold=True) + 6
    right, bottom = left + _CELL * len(columns), y + _CELL * len(rows)
    for index, (name, head) in enumerate(zip(columns, heads, strict=True)):
        x = left + _CELL * (index + 0.5)
        sheet.words((x, y - 4), head, bold=name == FINAL_ANSWER, colour=_name_colour(name), upright=True)
    sheet.words((left - 6, y - 8), "after ↓   next →", size=SMALL, colour=GREY, align="right")
    for index, name in enumerate(rows):
        bold = name == START and index == 0
        line = name if bold else fitted(name, PLAIN, MOST_WIDE)
        sheet.words((left - 6, y + _CELL * (index + 0.5)), line, bold=bold, align="right")
    can, only = _cells(shown)
    if FINAL_ANSWER in columns:
        x = left + _CELL * columns.index(FINAL_ANSWER)
        sheet.polygons([Rect(x, y, _CELL, bottom - y).corners], colour=_ANSWER_COLUMN)
    sheet.polygons([rect.corners for rect in _runs(can, left, y)], colour=_CAN)
    _draw_grid(sheet, Rect(left, y, right - left, bottom - y))
    sheet.polygons([_cell(one, left, y).grown(-2.5).corners for one in only], colour=BLUE, over=True)
    own = [cell for cell in can if cell[0] > 0 and rows[cell[0]] == columns[cell[1]]]
    sheet.polygons([_ring(_cell(one, left, y)) for one in own], colour=INK, filled=False, width=1.1, over=True)


def _name_colour(name: str) -> str:
    return DARK_GREEN if name == FINAL_ANSWER else INK


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


def matrix_legend(shown: ToolMap) -> Iterator[tuple[Sample, str]]:
    """A sample for each kind of cell that occurs."""

    def square(colour: str, inner: str = "", *, repeat: bool = False) -> Sample:
        def draw(sheet: Sheet, x: float, y: float) -> None:
            rect = Rect(x + SAMPLE_WIDTH / 2 - 6, y - 6, 12, 12)
            sheet.polygons([rect.corners], colour=colour, over=True)
            if inner:
                sheet.polygons([rect.grown(-1.5).corners], colour=inner, over=True)
            if repeat:
                sheet.polygons([_ring(rect)], colour=INK, filled=False, width=1.1, over=True)

        return draw

    yield square(_CAN), "can come next"
    yield square(PALE, PAPER), "empty: never comes next"
    if _cells(shown)[1]:
        yield square(_CAN, BLUE), "dark: nothing else can come next"
    if any(one == other for one, other in shown.follows):
        yield square(_CAN, repeat=True), "diamond: can be called twice in a row"
    if FINAL_ANSWER in shown.tools:
        yield square(_ANSWER_COLUMN), "green column: the final answer, which ends the run"
