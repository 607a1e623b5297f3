"""The graph as a picture, SVG and PNG, drawn with matplotlib."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final
from warnings import catch_warnings, filterwarnings

from beewalk.reports.document import Edge, Node, ReportDocument
from beewalk.reports.placement import Places, placed
from beewalk.reports.terminal import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_STATES: Final = 60

# Okabe and Ito's palette, told apart by all common kinds of colour blindness.
_FILL: Mapping[str, str] = {
    "start": "#FFFFFF",
    "state": "#FFFFFF",
    "dead_end": "#D55E00",
    "requirement_error": "#CC79A7",
}
_SETTINGS: Any = {
    "svg.hashsalt": "beewalk",
    "svg.fonttype": "none",
    "font.family": "DejaVu Sans",
    "text.parse_math": False,  # a name with dollars is no formula
}
_ANSWER = "#009E73"
_WITNESS = "#D55E00"
_LINE = "#555555"
_WIDE, _HIGH = 2.3, 1.25  # inches a unit of placement, where labels are short
_LETTER, _LINE_HEIGHT = 0.062, 0.13  # inches, at the size of labels
_MARGIN = 0.015
_MOST_LINES = 2
_LONGEST = 28  # characters of a label before it is cut
_LONGEST_TITLE = 40


def graph_picture(document: ReportDocument) -> dict[str, bytes]:
    """Format -> file content, for "svg" and "png"; the same document gives the same bytes of SVG.

    Args:
        document: with at most MOST_STATES states.
    """
    import matplotlib as mpl  # noqa: PLC0415 - takes a second, and only drawing needs it
    from matplotlib.figure import Figure  # noqa: PLC0415

    places = placed(document.nodes, document.edges)
    scale = _scale(document)
    width = (max(x for x, _ in places.values()) + 1) * scale[0]
    height = (max(y for _, y in places.values()) - min(y for _, y in places.values()) + 1) * scale[1] + 1.1
    with mpl.rc_context(), catch_warnings():
        mpl.rcdefaults()  # the user's own settings would make other bytes
        mpl.rcParams.update(_SETTINGS)
        filterwarnings("ignore", message="Glyph .* missing from font")  # a box is drawn instead
        figure = Figure(figsize=(max(width, 5.5), max(height, 2.6)))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        _set_view(axes, places, scale, figure.get_size_inches())
        for edge in document.edges:
            _draw_edge(axes, edge, document.nodes, places, scale)
        for node in document.nodes:
            _draw_node(axes, node, places)
        _draw_words(figure, document)
        return {kind: _saved(figure, kind) for kind in ("svg", "png")}


def _scale(document: ReportDocument) -> tuple[float, float]:
    """Inches a unit of placement, across and down: room for two of the longest labels beside each other."""
    labels = [_short(edge.moves) for edge in document.edges] + [_short(node.loops) for node in document.nodes]
    lines = [label.split("\n") for label in labels]
    longest = max((len(line) for label in lines for line in label), default=0)
    return max(_WIDE, 0.7 + 2 * _LETTER * longest), _HIGH + _LINE_HEIGHT * (max(map(len, lines), default=1) - 1)


def _set_view(axes: "Axes", places: Places, scale: tuple[float, float], size: Any) -> None:
    """Show all places at a fixed scale, with the room for title and legend above and below."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    half_x, half_y = size[0] / scale[0] / 2, size[1] / scale[1] / 2
    axes.set_xlim(middle_x - half_x, middle_x + half_x)
    axes.set_ylim(middle_y - half_y, middle_y + half_y)


def _draw_node(axes: "Axes", node: Node, places: Places) -> None:
    x, y = places[node.number]
    bad = node.kind in {"dead_end", "requirement_error"}
    edge_colour = _ANSWER if node.can_answer else "#222222"
    box = {
        "boxstyle": "round,pad=0.45",
        "facecolor": _FILL[node.kind],
        "edgecolor": edge_colour,
        "linewidth": 2.6 if node.can_answer else 1.2,
    }
    axes.text(
        x,
        y,
        _caption(node),
        ha="center",
        va="center",
        fontsize=10,
        color="white" if bad else "black",
        bbox=box,
        zorder=3,
    )
    if node.loops:
        label = "↻ " + _short(node.loops)
        axes.text(x + 0.06, y - 0.27, label, ha="right", va="top", fontsize=8, color=_LINE, zorder=4)


def _caption(node: Node) -> str:
    return {"start": "start", "dead_end": "dead end", "requirement_error": "raises"}.get(node.kind, str(node.number))


def _draw_edge(axes: "Axes", edge: Edge, nodes: Sequence[Node], places: Places, scale: tuple[float, float]) -> None:
    from matplotlib.patches import FancyArrowPatch  # noqa: PLC0415

    (x0, y0), (x1, y1) = places[edge.source], places[edge.target]
    bend = _bend(x0, y0, x1, y1)
    colour = _WITNESS if edge.on_witness else _LINE
    arrow = FancyArrowPatch(
        (x0, y0),
        (x1, y1),
        connectionstyle=f"arc3,rad={bend}",
        arrowstyle="-|>",
        mutation_scale=11,
        linewidth=2.4 if edge.on_witness else 1.0,
        color=colour,
        shrinkA=_half_width(nodes[edge.source]),
        shrinkB=_half_width(nodes[edge.target]) + 2,
        zorder=1,
    )
    axes.add_patch(arrow)
    x, y = _on_curve((x0, y0), (x1, y1), bend, scale)
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
    axes.text(x, y, _short(edge.moves), ha="center", va="center", fontsize=8, color=colour, bbox=box, zorder=2)


def _half_width(node: Node) -> float:
    """Points from the middle of a node's box to where its arrows end."""
    return 13 + 2.9 * (len(_caption(node)) - 1)


def _on_curve(
    start: tuple[float, float], end: tuple[float, float], bend: float, scale: tuple[float, float]
) -> tuple[float, float]:
    """A point on the arc from `start` to `end`, off its middle, where edges of neighbouring layers cross."""
    at = 0.42 if end[0] != start[0] else 0.5
    wide, high = scale
    x0, y0, x1, y1 = start[0] * wide, start[1] * high, end[0] * wide, end[1] * high
    corner_x, corner_y = (x0 + x1) / 2 + bend * (y1 - y0), (y0 + y1) / 2 - bend * (x1 - x0)
    x = (1 - at) ** 2 * x0 + 2 * at * (1 - at) * corner_x + at**2 * x1
    y = (1 - at) ** 2 * y0 + 2 * at * (1 - at) * corner_y + at**2 * y1
    return x / wide, y / high


def _bend(x0: float, y0: float, x1: float, y1: float) -> float:
    """How much an edge bows: straight to the next layer, round what lies between otherwise."""
    if x1 - x0 == 1:
        return 0.0
    if x1 > x0:
        return 0.22 if y0 <= y1 else -0.22
    if x1 == x0:
        return 0.75 if y1 > y0 else -0.75
    return 0.3


def _short(moves: tuple[str, ...]) -> str:
    """The moves of an edge, a line a tool with its outcomes, as many as there is room for."""
    outcomes: dict[str, list[str]] = {}
    for move in moves:
        tool, _, outcome = move.partition(":")
        outcomes.setdefault(tool, []).append(outcome or "ok")
    lines = [tool if found == ["ok"] else f"{tool}: {', '.join(found)}" for tool, found in outcomes.items()]
    shown = [_cut(printable(line), _LONGEST) for line in lines[:_MOST_LINES]]
    return "\n".join([*shown, f"+{len(lines) - _MOST_LINES} tools"] if len(lines) > _MOST_LINES else shown)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _draw_words(figure: Any, document: ReportDocument) -> None:
    name = _cut(printable(document.policy), _LONGEST_TITLE)
    title = f"{name}   states: {document.states}, moves: {document.moves}"
    figure.text(_MARGIN, 0.985, title, ha="left", va="top", fontsize=11, weight="bold")
    lines = [
        "left to right: calls from the start; ↻ a call that stays here",
        "green border: the final answer can be given here",
    ]
    if document.errors:
        lines.append("orange: a shortest way into the first error")
    figure.text(_MARGIN, 0.015, "\n".join(lines), ha="left", va="bottom", fontsize=8, color=_LINE)


def _saved(figure: Any, kind: str) -> bytes:
    file = BytesIO()
    metadata = {"Date": None} if kind == "svg" else {"Software": "beewalk"}
    figure.savefig(file, format=kind, dpi=150, metadata=metadata)
    return file.getvalue()
