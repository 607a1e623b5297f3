"""A sheet to draw on: places in points from the upper left, y downwards; it grows, so nothing is cut."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from beewalk.reports.lettering import HEAD, LEADING, PLAIN, SMALL, shown, width_of, wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, told apart by all common kinds of colour blindness.
VERMILLION: Final = "#D55E00"
ORANGE: Final = "#E69F00"
GREEN: Final = "#009E73"
BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
PURPLE: Final = "#CC79A7"

FINAL_ANSWER: Final = "final_answer"  # the tool whose call ends a run

DARK_RED: Final = "#A34700"  # of words: as vermillion and green, but dark enough to read
DARK_GREEN: Final = "#00614A"

INK: Final = "#1A1A1A"
GREY: Final = "#5A5A5A"
PALE: Final = "#C9CCD1"
PAPER: Final = "#FFFFFF"

Point = tuple[float, float]
Stroke = tuple[Point, ...]  # a start, then three points for each cubic curve
Shape = Literal["round", "cut", "pointed", "plain"]
Sample = Callable[["Sheet", float, float], None]  # draws a legend's sample around (x of its left, y of its middle)

SAMPLE_WIDTH: Final = 26.0
_MARGIN = 16.0
_DEPTH = {"halo": 1, "line": 2, "mark": 3, "box": 4, "ink": 5, "words": 6}


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: its upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.height

    @property
    def middle(self) -> Point:
        """Its centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> list[Point]:
        """Its four corners, all around."""
        return [(self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom)]

    def grown(self, by: float) -> "Rect":
        """The rectangle `by` points larger on each side."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)


class Sheet:
    """One picture while it is drawn; what users wrote is escaped here, so no caller can forget it."""

    def __init__(self) -> None:
        from matplotlib.figure import Figure  # noqa: PLC0415 - takes a second, and only drawing needs it

        self._figure = Figure()
        self._axes = self._figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self.right = self.bottom = 0.0
        self._left = self._top = 0.0

    def words(
        self,
        place: Point,
        line: str,
        *,
        size: float = PLAIN,
        bold: bool = False,
        colour: str = INK,
        align: Literal["left", "center", "right"] = "left",
        upright: bool = False,
    ) -> float:
        """Write one line whose middle is at the height of `place`; its width. `upright`: upwards from `place`."""
        text = shown(line)
        wide = width_of(text, size, bold)
        weight = "bold" if bold else "normal"
        style: dict[str, Any] = {"fontsize": size, "fontweight": weight, "color": colour, "zorder": _DEPTH["words"]}
        if upright:
            self._axes.text(*place, text, ha="center", va="bottom", rotation=90, **style)
            self._reach(Rect(place[0] - size, place[1] - wide, 2 * size, wide))
            return wide
        self._axes.text(*place, text, ha=align, va="center", **style)
        left = place[0] - {"left": 0.0, "center": wide / 2, "right": wide}[align]
        self._reach(Rect(left, place[1] - size * LEADING / 2, wide, size * LEADING))
        return wide

    def lines(
        self, place: Point, lines: Iterable[str], *, size: float = PLAIN, bold: bool = False, colour: str = INK
    ) -> float:
        """Write lines below each other, the first one's top at `place`; the y of the last one's bottom."""
        y = place[1]
        for line in lines:
            self.words((place[0], y + size * LEADING / 2), line, size=size, bold=bold, colour=colour)
            y += size * LEADING
        return y

    def box(
        self,
        rect: Rect,
        *,
        shape: Shape = "round",
        fill: str = PAPER,
        edge: str = INK,
        width: float = 1.0,
        dashed: bool = False,
    ) -> None:
        """A filled outline: rounded, with cut corners, with pointed sides, or plain."""
        from matplotlib.patches import FancyBboxPatch, Patch, Polygon  # noqa: PLC0415

        look: dict[str, Any] = {"facecolor": fill, "edgecolor": edge, "linewidth": width, "zorder": _DEPTH["box"]}
        look["linestyle"] = (0, (3.5, 2.0)) if dashed else "-"
        patch: Patch
        if shape == "round":
            style = f"round,pad=0,rounding_size={min(6.0, rect.height / 2)}"
            patch = FancyBboxPatch((rect.x, rect.y), rect.width, rect.height, boxstyle=style, **look)
        else:
            patch = Polygon(_outline(rect, shape), closed=True, joinstyle="miter", **look)
        self._axes.add_patch(patch)
        self._reach(rect.grown(width / 2))

    def stroke(
        self, stroke: Stroke, *, colour: str = GREY, width: float = 1.0, dashed: bool = False, halo: bool = False
    ) -> None:
        """A line of cubic curves; `halo` leaves paper around it, so that crossings read as such."""
        from matplotlib.patches import PathPatch  # noqa: PLC0415
        from matplotlib.path import Path  # noqa: PLC0415

        path = Path(list(stroke), [Path.MOVETO, *[Path.CURVE4] * (len(stroke) - 1)])
        style = (0, (4.0, 2.0)) if dashed else "-"
        if halo:
            self._axes.add_patch(
                PathPatch(path, fill=False, edgecolor=PAPER, linewidth=width + 3, zorder=_DEPTH["halo"])
            )
        ink = PathPatch(path, fill=False, edgecolor=colour, linewidth=width, linestyle=style, zorder=_DEPTH["line"])
        self._axes.add_patch(ink)
        for x, y in stroke:
            self._reach(Rect(x, y, 0, 0))

    def polygons(
        self,
        outlines: Sequence[Sequence[Point]],
        *,
        colour: str,
        filled: bool = True,
        width: float = 1.2,
        over: bool = False,
    ) -> None:
        """Many shapes of one look as one path: areas where `filled`, else open lines; `over` boxes or under them."""
        from matplotlib.patches import PathPatch  # noqa: PLC0415
        from matplotlib.path import Path  # noqa: PLC0415

        if not outlines:
            return
        points: list[Point] = []
        codes: list[Any] = []
        for outline in outlines:
            points += outline
            codes += [Path.MOVETO, *[Path.LINETO] * (len(outline) - 1)]
            if filled:
                points.append(outline[0])
                codes.append(Path.CLOSEPOLY)
        look: dict[str, Any] = {"edgecolor": "none" if filled else colour, "linewidth": 0 if filled else width}
        look |= {"fill": filled, "facecolor": colour, "zorder": _DEPTH["ink" if over else "mark"]}
        self._axes.add_patch(PathPatch(Path(points, codes), capstyle="round", joinstyle="round", **look))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self._reach(Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))

    def head(self, tip: Point, *, leftwards: bool = False, colour: str = GREY, size: float = 6.5) -> None:
        """An arrow's head."""
        back = tip[0] + (size if leftwards else -size)
        outline = [tip, (back, tip[1] - size * 0.45), (back, tip[1] + size * 0.45)]
        self.polygons([outline], colour=colour, over=True)

    def title(self, name: str, line: str) -> float:
        """The head of a picture: a name, and what is counted or meant below it; the y where it ends."""
        room = max(460.0, self.right)
        size = min(max(HEAD, room / 60), 2 * HEAD)  # a large picture is mostly seen from afar
        y = self.lines((0, 0), wrapped(name, size, room, most=2, bold=True), size=size, bold=True)
        return self.lines((0, y + 1), wrapped(line, size * 0.7, room, most=4), size=size * 0.7, colour=GREY) + 14

    def legend(self, y: float, entries: Sequence[tuple[Sample, str]]) -> float:
        """Samples with their words, in as many rows as the picture's width asks for; the y where it ends."""
        room = max(460.0, self.right)
        x, high = 0.0, 17.0
        for sample, text in entries:
            wide = SAMPLE_WIDTH + 6 + width_of(text, SMALL) + 20
            if x and x + wide - 20 > room:
                x, y = 0.0, y + high
            sample(self, x, y + high / 2)
            self.words((x + SAMPLE_WIDTH + 6, y + high / 2), text, size=SMALL, colour=GREY)
            x += wide
        return y + high

    def finished(self) -> "Figure":
        """The picture, as large as what was drawn on it and a margin."""
        left, right = self._left - _MARGIN, self.right + _MARGIN
        top, bottom = self._top - _MARGIN, self.bottom + _MARGIN
        self._figure.set_size_inches((right - left) / 72, (bottom - top) / 72)
        self._axes.set_xlim(left, right)
        self._axes.set_ylim(bottom, top)
        return self._figure

    def _reach(self, rect: Rect) -> None:
        self._left, self._top = min(self._left, rect.x), min(self._top, rect.y)
        self.right, self.bottom = max(self.right, rect.right), max(self.bottom, rect.bottom)


def _outline(rect: Rect, shape: Shape) -> list[Point]:
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    if shape == "cut":
        cut = min(7.0, rect.height / 3)
        return [
            (x + cut, y), (right - cut, y), (right, y + cut), (right, bottom - cut),
            (right - cut, bottom), (x + cut, bottom), (x, bottom - cut), (x, y + cut),
        ]  # fmt: skip
    if shape == "pointed":
        point, middle = 8.0, (y + bottom) / 2
        return [
            (x + point, y),
            (right - point, y),
            (right, middle),
            (right - point, bottom),
            (x + point, bottom),
            (x, middle),
        ]
    return rect.corners
