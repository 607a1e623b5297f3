"""The state graph as a picture: from left to right by distance, what matters told apart by colour, shape and word."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from beewalk.reports.document import Drawing, Edge, Node, ReportDocument
from beewalk.reports.layered import Box, Line, Route, layered
from beewalk.reports.lettering import LEADING, PLAIN, SMALL, fitted, widest, wrapped
from beewalk.reports.sheet import (
    DARK_GREEN,
    DARK_RED,
    GREEN,
    GREY,
    INK,
    PAPER,
    PURPLE,
    SAMPLE_WIDTH,
    VERMILLION,
    Point,
    Rect,
    Sample,
    Shape,
    Sheet,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAD_X, _PAD_Y = 11.0, 7.0
_MOST_WIDE = 130.0  # points of a line in a box, or of a label, before it is cut
_MOST_LINES = 6
_MOST_MOVES = 3
_START_ROOM = 34.0


@dataclass(frozen=True, slots=True)
class _Look:
    """How a box looks; `word` is said in it."""

    word: str = ""
    shape: Shape = "round"
    fill: str = PAPER
    edge: str = GREY
    width: float = 1.0
    dashed: bool = False


_LOOKS: Final[Mapping[str, _Look]] = {
    "state": _Look(),
    "dead_end": _Look("✖ dead end", "cut", VERMILLION, INK, 1.8),
    "requirement_error": _Look("⚠ requirement raises", "pointed", PURPLE, INK, 1.8),
    "lost": _Look("no answer from here", fill="#FBE6D8", edge=VERMILLION, width=1.6, dashed=True),
}


def state_graph(document: ReportDocument, drawing: Drawing) -> "Figure":
    """The picture of `drawing`, with a title of `document`, a legend of what occurs, and no limit to its size."""
    nodes = drawing.nodes
    position = {node.number: index for index, node in enumerate(nodes)}
    captions = [_caption(node) for node in nodes]
    steps = _steps(document, drawing)
    labels = [_label(edge, steps.get((edge.source, edge.target)), nodes, position) for edge in drawing.edges]
    column = {depth: index for index, depth in enumerate(sorted({node.depth for node in nodes}))}
    boxes = [Box(column[node.depth], *_size(node, caption)) for node, caption in zip(nodes, captions, strict=True)]
    lines = [_line(edge, label, position) for edge, label in zip(drawing.edges, labels, strict=True)]
    layout = layered(boxes, lines)

    sheet = Sheet()
    sheet.right = max((rect.right for rect in layout.boxes), default=0) + _START_ROOM
    layout = layout.moved((_START_ROOM, sheet.title(document.policy, counted(document, len(nodes)))))
    order = sorted(range(len(drawing.edges)), key=lambda index: drawing.edges[index].on_witness)
    for index in order:
        _draw_edge(sheet, drawing.edges[index], labels[index], layout.routes[index])
    for node, caption, rect in zip(nodes, captions, layout.boxes, strict=True):
        _draw_node(sheet, node, caption, rect)
    sheet.legend(sheet.bottom + 16, list(_legend(document, drawing)))
    return sheet.finished()


def counted(document: ReportDocument, drawn: int) -> str:
    """States and moves in words, and what a reader must know about how many of them are drawn."""
    states = f"{document.states:,} state" + ("" if document.states == 1 else "s")
    moves = f"{document.moves:,} move" + ("" if document.moves == 1 else "s")
    if drawn < document.states:
        states = f"{states}, those with the same future drawn as one ({drawn:,} drawn)"
    if not document.complete:
        return f"{states}; {moves}; not everything was seen: {document.stop_reason}"
    return f"{states}; {moves}" if "," in states else f"{states}, {moves}"


def _steps(document: ReportDocument, drawing: Drawing) -> dict[tuple[int, int], tuple[int, str]]:
    """(source, target) -> the number of the call of the first finding's witness that leads there, and the call."""
    loops = {node.number: set(node.loops) for node in drawing.nodes}
    ways = {(edge.source, move): edge.target for edge in drawing.edges if edge.on_witness for move in edge.moves}
    steps: dict[tuple[int, int], tuple[int, str]] = {}
    at = 0
    for number, move in enumerate(document.findings[0].witness if document.findings else (), 1):
        if move in loops.get(at, ()):
            continue
        if (at, move) not in ways:
            break
        target = ways[at, move]
        steps.setdefault((at, target), (number, move))
        at = target
    return steps


def _line(edge: Edge, label: Sequence[str], position: Mapping[int, int]) -> Line:
    wide = widest(label, SMALL, bold=edge.on_witness) + 6
    high = SMALL * LEADING * len(label) + 2
    return Line(position[edge.source], position[edge.target], wide, high, straight=edge.on_witness)


def _label(edge: Edge, step: tuple[int, str] | None, nodes: Sequence[Node], position: Mapping[int, int]) -> list[str]:
    moves = edge.moves
    if step is not None:
        moves = (step[1], *(move for move in moves if move != step[1]))
    lines = short(moves)
    number = "" if step is None else f"{step[0]}. "
    back = nodes[position[edge.target]].depth < nodes[position[edge.source]].depth
    return [f"{'← ' if back else ''}{number}{lines[0]}", *lines[1:]]


def short(moves: Sequence[str]) -> list[str]:
    """The moves of an edge, a line a tool with its outcomes, as many as there is room for.

    Example:
        >>> short(["a", "b:ok", "b:error", "c", "d", "e"])
        ['a', 'b: ok, error', '+3 more']
    """
    outcomes: dict[str, list[str]] = {}
    for move in moves:
        tool, _, outcome = move.partition(":")
        outcomes.setdefault(tool, []).append(outcome or "ok")
    lines = [tool if found == ["ok"] else f"{tool}: {', '.join(found)}" for tool, found in outcomes.items()]
    shown = lines if len(lines) <= _MOST_MOVES else lines[: _MOST_MOVES - 1]
    cut = [fitted(line, SMALL, _MOST_WIDE, bold=True) for line in shown]
    return cut if len(lines) <= _MOST_MOVES else [*cut, f"+{len(lines) - len(shown)} more"]


@dataclass(frozen=True, slots=True)
class _Caption:
    """What stands in a box: bold heads, plain lines, and its loops."""

    heads: tuple[str, ...]
    lines: tuple[str, ...]
    loops: tuple[str, ...]

    @property
    def width(self) -> float:
        plain = widest(self.lines, PLAIN)
        return max(widest(self.heads, PLAIN, bold=True), plain, widest(self.loops, SMALL))

    @property
    def height(self) -> float:
        return LEADING * (PLAIN * (len(self.heads) + len(self.lines)) + SMALL * len(self.loops))


def _caption(node: Node) -> _Caption:
    heads = ["start"] if node.number == 0 else []
    look = _look(node)
    if look.word:
        heads.append(look.word)
    said = {head.casefold() for head in heads} | {"dead end"}
    parts = [part for part in node.label if part.casefold() not in said]
    if len(parts) > _MOST_LINES:
        parts = [*parts[: _MOST_LINES - 1], f"+{len(parts) - _MOST_LINES + 1} more"]
    if node.can_answer:
        parts.append("✓ final answer possible")
    if node.states > 1:
        parts.append(f"({node.states:,} states)")
    loops = wrapped(f"↻ {', '.join(short(node.loops))}", SMALL, _MOST_WIDE, most=2) if node.loops else []
    if not (heads or parts or loops):
        parts = [f"state {node.number}"]
    lines = [line for part in parts for line in wrapped(part, PLAIN, _MOST_WIDE, most=2)]
    return _Caption(tuple(heads), tuple(lines), tuple(loops))


def _look(node: Node) -> _Look:
    if node.kind == "state" and node.lost:
        return _LOOKS["lost"]
    return _LOOKS.get(node.kind, _LOOKS["state"])


def _size(node: Node, caption: _Caption) -> tuple[float, float]:
    return caption.width + 2 * _PAD_X + (8 if node.kind == "requirement_error" else 0), caption.height + 2 * _PAD_Y


def _draw_node(sheet: Sheet, node: Node, caption: _Caption, rect: Rect) -> None:
    look = _look(node)
    draw_box(sheet, rect, look, answers=node.can_answer)
    if node.number == 0:
        x, y = rect.x, rect.middle[1]
        draw_start(sheet, (x, y))
    x = rect.middle[0]
    y = rect.middle[1] - caption.height / 2
    for lines, size, bold, colour in (
        (caption.heads, PLAIN, True, INK),
        (caption.lines, PLAIN, False, INK),
        (caption.loops, SMALL, False, GREY if look.fill == PAPER else INK),
    ):
        for line in lines:
            y += size * LEADING / 2
            green = line.startswith("✓") and not look.word
            sheet.words((x, y), line, size=size, bold=bold, colour=DARK_GREEN if green else colour, align="center")
            y += size * LEADING / 2


def draw_box(sheet: Sheet, rect: Rect, look: _Look, *, answers: bool) -> None:
    """A state's outline; a second, green one around it where the final answer can be given."""
    if answers:
        sheet.box(rect, edge=GREEN, width=2.0)
        rect = rect.grown(-3)
    edge = GREEN if answers and look.edge == GREY else look.edge
    sheet.box(rect, shape=look.shape, fill=look.fill, edge=edge, width=look.width, dashed=look.dashed)


def draw_start(sheet: Sheet, place: Point, *, length: float = 28.0) -> None:
    """The dot and arrow that say where a run begins, ending at `place`."""
    x, y = place[0] - length + 4.5, place[1]
    outline = [(x + 4.5 * dx, y + 4.5 * dy) for dx, dy in _CIRCLE]
    sheet.polygons([outline], colour=INK)
    sheet.stroke(((x, y), (x, y), place, place), colour=INK, width=1.6)
    sheet.head(place, colour=INK)


_CIRCLE = [(cos(pi * turn / 12), sin(pi * turn / 12)) for turn in range(24)]


def _draw_edge(sheet: Sheet, edge: Edge, label: Sequence[str], route: Route) -> None:
    colour, width = (VERMILLION, 2.6) if edge.on_witness else (GREY, 0.9)
    for stroke in route.strokes:
        sheet.stroke(stroke, colour=colour, width=width, halo=True)
    for tip, leftwards in route.heads:
        sheet.head(tip, leftwards=leftwards, colour=colour, size=8.5 if edge.on_witness else 6.5)
    if route.label is not None:
        x, y = route.label.middle[0], route.label.y + 1
        for line in label:
            y += SMALL * LEADING / 2
            ink = DARK_RED if edge.on_witness else INK
            sheet.words((x, y), line, size=SMALL, bold=edge.on_witness, colour=ink, align="center")
            y += SMALL * LEADING / 2


def _legend(document: ReportDocument, drawing: Drawing) -> Iterator[tuple[Sample, str]]:
    """A sample for each thing that occurs."""
    yield _start_sample, "start; calls go from left to right"
    if any(node.can_answer for node in drawing.nodes):
        yield _box_sample(_LOOKS["state"], answers=True), "double green border: the final answer can be given here"
    for kind, words in (
        ("dead_end", "dead end: nothing is allowed, the run fails"),
        ("requirement_error", "a requirement raises an error, the run fails"),
    ):
        if any(node.kind == kind for node in drawing.nodes):
            yield _box_sample(_LOOKS[kind]), words
    if any(_look(node) is _LOOKS["lost"] for node in drawing.nodes):
        yield _box_sample(_LOOKS["lost"]), "dashed: from here on no final answer can be reached"
    if any(edge.on_witness for edge in drawing.edges):
        code = document.findings[0].code if document.findings else "finding"
        yield _witness_sample, f"thick: a shortest way into the first finding ({code}), call by call"
    if any(node.loops for node in drawing.nodes):
        yield _word_sample("↻"), "a call that leads back to the same state"
    numbered = {node.number: node.depth for node in drawing.nodes}
    if any(numbered[edge.target] < numbered[edge.source] for edge in drawing.edges):
        yield _word_sample("←"), "a call that leads back to an earlier state"


def _start_sample(sheet: Sheet, x: float, y: float) -> None:
    draw_start(sheet, (x + SAMPLE_WIDTH, y), length=SAMPLE_WIDTH)


def _witness_sample(sheet: Sheet, x: float, y: float) -> None:
    end = (x + SAMPLE_WIDTH, y)
    sheet.stroke(((x, y), (x, y), end, end), colour=VERMILLION, width=2.6)
    sheet.head(end, colour=VERMILLION, size=8.5)


def _box_sample(look: _Look, *, answers: bool = False) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        draw_box(sheet, Rect(x + 3, y - 5, SAMPLE_WIDTH - 6, 10), look, answers=answers)

    return draw


def _word_sample(word: str) -> Sample:
    def draw(sheet: Sheet, x: float, y: float) -> None:
        sheet.words((x + SAMPLE_WIDTH / 2, y), word, size=PLAIN, align="center")

    return draw
