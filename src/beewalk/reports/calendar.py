"""The calendar as a picture: a row for each tool, a column for each step, and how the tool stands there.

What is drawn is over all states that a run can be in before that call. Where they differ, a cell is split into as many
parts as it has statuses, each with its colour and its sign, so that "sometimes" is seen as such.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from beewalk.reports.document import Calendar, ReportDocument
from beewalk.reports.lettering import PLAIN, SMALL, fitted, widest, wrapped
from beewalk.reports.sheet import BLUE, GREY, PALE, PAPER, SAMPLE_WIDTH, Point, Rect, Sample, Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STATUSES: Final = ("allowed", "forced", "forbidden", "hidden")

_FILL: Final = {"allowed": "#BFE5D8", "forced": BLUE, "forbidden": "#F5C9A8", "hidden": "#DADCE0"}
_SIGN_INK: Final = {"allowed": "#00614A", "forced": PAPER, "forbidden": "#8F3E00", "hidden": "#4A4A4A"}
_WORDS: Final = {
    "allowed": "allowed",
    "forced": "must be called",
    "forbidden": "forbidden",
    "hidden": "hidden from the chat model",
}
_SUBTITLE: Final = "How each tool stands before each call of a run, over all ways to get there"
_PART, _HIGH = 12.0, 20.0  # the least width of a status in a cell, and the height of a row
_WIDE = 3 * _PART
_MOST_WIDE = 190.0
_SIGN = 3.4  # half of a sign's size


def calendar(document: ReportDocument) -> "Figure":
    """The calendar of `document`, with a legend of what occurs, and why it ends where it does."""
    shown = document.calendar
    sheet = Sheet()
    names = [fitted(row.tool, PLAIN, _MOST_WIDE) for row in shown.rows]
    left = max(widest(names, PLAIN), widest(["before call"], SMALL)) + 10
    steps = max((len(row.cells) for row in shown.rows), default=0)
    wide = _cell_width(shown)
    sheet.right = left + wide * steps
    top = sheet.title(document.policy, _SUBTITLE) + 16
    sheet.words((left - 8, top - 8), "before call", size=SMALL, colour=GREY, align="right")
    for step in range(steps):
        place = left + wide * (step + 0.5), top - 8
        sheet.words(place, str(step + 1), bold=True, align="center")
    for index, name in enumerate(names):
        sheet.words((left - 8, top + _HIGH * (index + 0.5)), name, align="right")
    _draw_cells(sheet, shown, Rect(left, top, wide * steps, _HIGH * len(names)))
    if not steps:
        sheet.words((0, top), "no run gets to a first call", colour=GREY)
    bottom = sheet.legend(sheet.bottom + 14, list(_legend(shown)))
    if shown.cut:
        lines = wrapped(f"No more steps are shown: {shown.cut}", SMALL, max(460.0, sheet.right), most=4)
        sheet.lines((0, bottom + 4), lines, size=SMALL, colour=GREY)
    return sheet.finished()


def _cell_width(shown: Calendar) -> float:
    """Wide enough for all statuses of the most mixed cell."""
    return max(_WIDE, _PART * max((len(cell) for row in shown.rows for cell in row.cells), default=0))


def _parts(shown: Calendar, rect: Rect) -> Iterator[tuple[str, Rect]]:
    """Each status of each cell, and the part of the cell that is its own."""
    across = _cell_width(shown)
    for index, row in enumerate(shown.rows):
        for step, cell in enumerate(row.cells):
            known = [status for status in STATUSES if status in cell]
            for part, status in enumerate(known):
                wide = across / len(known)
                yield status, Rect(rect.x + across * step + wide * part, rect.y + _HIGH * index, wide, _HIGH)


def _draw_cells(sheet: Sheet, shown: Calendar, rect: Rect) -> None:
    parts = list(_parts(shown, rect))
    for status in STATUSES:
        own = [part for name, part in parts if name == status]
        sheet.polygons([part.corners for part in own], colour=_FILL[status])
        _draw_signs(sheet, status, [part.middle for part in own])
    across = _cell_width(shown)
    xs = [rect.x + across * index for index in range(round(rect.width / across) + 1)]
    ys = [rect.y + _HIGH * index for index in range(len(shown.rows) + 1)]
    grid = [[(x, rect.y), (x, rect.bottom)] for x in xs] + [[(rect.x, y), (rect.right, y)] for y in ys]
    sheet.polygons(grid, colour=PAPER, filled=False, width=3.0, over=True)
    sheet.polygons(grid, colour=PALE, filled=False, width=0.5, over=True)


def _draw_signs(sheet: Sheet, status: str, places: Sequence[Point]) -> None:
    """A tick, an arrow's head, a cross or a dash at each of `places`."""
    by = _SIGN
    pieces: dict[str, list[list[Point]]] = {
        "allowed": [[(-by, 0.2), (-by * 0.25, by * 0.8), (by, -by * 0.8)]],
        "forced": [[(-by * 0.8, -by), (by, 0), (-by * 0.8, by)]],
        "forbidden": [[(-by * 0.8, -by * 0.8), (by * 0.8, by * 0.8)], [(-by * 0.8, by * 0.8), (by * 0.8, -by * 0.8)]],
        "hidden": [[(-by, 0), (by, 0)]],
    }
    outlines = [[(x + dx, y + dy) for dx, dy in piece] for x, y in places for piece in pieces[status]]
    filled = status == "forced"
    sheet.polygons(outlines, colour=_SIGN_INK[status], filled=filled, width=1.5, over=True)


def _legend(shown: Calendar) -> Iterator[tuple[Sample, str]]:
    cells = [cell for row in shown.rows for cell in row.cells]
    for status in STATUSES:
        if any(status in cell for cell in cells):
            yield _sample(status), _WORDS[status]
    mixed = next((cell for cell in cells if len(cell) > 1), None)
    if mixed is not None:
        yield _sample(*mixed[:2]), f"split: {_WORDS[mixed[0]]} in some states, {_WORDS[mixed[1]]} in others"
    if any(not cell for cell in cells):
        yield _sample(), "blank: no run gets so far"


def _sample(*statuses: str) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        rect = Rect(x, y - 6, SAMPLE_WIDTH, 12)
        sheet.polygons([[*rect.corners, (rect.x, rect.y)]], colour=PALE, filled=False, width=0.8)
        for part, status in enumerate(statuses):
            wide = rect.width / len(statuses)
            own = Rect(rect.x + wide * part, rect.y, wide, rect.height)
            sheet.polygons([own.corners], colour=_FILL[status])
            _draw_signs(sheet, status, [own.middle])

    return draw
