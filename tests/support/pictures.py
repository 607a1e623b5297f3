"""Documents made by hand for pictures, and a ruler for what is drawn."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.text import Text
from matplotlib.transforms import Bbox, BboxBase

from beewalk.reports.document import (
    Calendar,
    CalendarRow,
    Drawing,
    Edge,
    FindingEntry,
    Node,
    Place,
    ReportDocument,
    Stage,
    ToolMap,
)

NO_TOOLS = ToolMap((), (), (), (), ())


def a_document(**changes: Any) -> ReportDocument:
    drawing: Drawing | None = changes.get("drawing")
    defaults: dict[str, Any] = {
        "policy": "publish-with-care", "engine": "beewalk", "outcomes": ("ok",), "conduct": (), "assumed": (),
        "states": len(drawing.nodes) if drawing else 1, "moves": 16, "complete": True, "stop_reason": "done",
        "depth": 3, "beyond_limit": 0, "max_length": 20, "complete_runs": 2, "tools": (), "findings": (),
        "place": Place("x.policy.yaml", 1, 1), "drawing": None, "tool_map": NO_TOOLS, "calendar": Calendar(()),
    }  # fmt: skip
    return ReportDocument(**{**defaults, **changes})


def a_finding(code: str = "dead-end", **changes: Any) -> FindingEntry:
    defaults: dict[str, Any] = {
        "code": code, "severity": "error", "message": "after draft, review: nothing is allowed",
        "count": 1, "point_of_no_return": 0, "witness": ("draft", "review"), "needs": (), "rulings": (), "blame": (),
        "mends": (),
    }  # fmt: skip
    return FindingEntry(**{**defaults, **changes})


def a_node(number: int, depth: int = 0, **changes: Any) -> Node:
    defaults: dict[str, Any] = {
        "kind": "state", "label": (f"after tool {number}",), "can_answer": False, "can_stop": False, "lost": False,
        "offered": (), "loops": (),
    }  # fmt: skip
    return Node(number, depth, **{**defaults, **changes})


def a_graph(count: int, *, seed: int = 0, names: Sequence[str] = ("weather", "search", "think")) -> Drawing:
    """A graph drawn by lot, all reached from node 0, with loops, ways back and every kind of node."""
    dice = random.Random(seed)
    depths = [0]
    edges: dict[tuple[int, int], tuple[str, ...]] = {}
    for number in range(1, count):
        parent = dice.randrange(max(0, number - 6), number)
        depths.append(depths[parent] + 1)
        edges[parent, number] = (dice.choice(names),)
    for _ in range(count):
        one, other = dice.randrange(count), dice.randrange(count)
        if one != other and depths[other] <= depths[one] + 1:
            edges[one, other] = tuple(dice.sample(list(names), min(len(names), dice.choice([1, 1, 2, 6]))))
    leaves = set(range(count)) - {source for source, _ in edges}
    nodes = []
    for number, depth in enumerate(depths):
        kind = "dead_end" if number in leaves and dice.random() < 0.7 else "state"
        kind = "requirement_error" if kind == "dead_end" and dice.random() < 0.3 else kind
        label = (f"after {dice.choice(names)}", f"{names[0]} {number % 3}/2", "cannot stop")[: dice.choice([1, 2, 3])]
        answers = kind == "state" and dice.random() < 0.4
        loops = tuple(dice.sample(list(names), min(2, len(names)))) if dice.random() < 0.3 and kind == "state" else ()
        lost = kind != "state" or (not answers and dice.random() < 0.3)
        nodes.append(
            a_node(number, depth, kind=kind, label=label, can_answer=answers, can_stop=answers, lost=lost, loops=loops)
        )
    way, at = set(), count - 1
    while at:
        at, last = next(source for source, target in edges if target == at and depths[source] < depths[at]), at
        way.add((at, last))
    return Drawing(
        tuple(nodes), tuple(Edge(*pair, moves, on_witness=pair in way) for pair, moves in sorted(edges.items()))
    )


def a_tool_map(tools: Sequence[str], *, density: float, seed: int = 0, hidden: Sequence[str] = ()) -> ToolMap:
    """A map drawn by lot: a chain, and more pairs the greater `density` is (1: every pair)."""
    dice = random.Random(seed)
    names = [*tools, "final_answer"]
    chain = {(one, other) for one, other in pairwise(names)}
    pairs = [(one, other) for one in tools for other in names if (one, other) in chain or dice.random() < density]
    counts = {one: [pair for pair in pairs if pair[0] == one] for one in tools}
    always = tuple(found[0] for found in counts.values() if len(found) == 1)
    return ToolMap(tuple(names), tuple(hidden), tuple(tools[:2]), tuple(pairs), always)


CELLS = [
    ("allowed",), ("forced",), ("forbidden",), ("hidden",), ("allowed", "forbidden"), ("allowed", "forced"),
    ("forbidden", "hidden"), ("allowed", "forced", "forbidden", "hidden"), (),
]  # fmt: skip


def a_calendar(tools: Sequence[str], steps: int, *, seed: int = 0, cut: str = "") -> Calendar:
    dice = random.Random(seed)
    rows = [CalendarRow(tool, tuple(dice.choice(CELLS) for _ in range(steps))) for tool in [*tools, "final_answer"]]
    return Calendar(tuple(rows), cut)


def some_stages(
    tools: Sequence[str], count: int, *, seed: int = 0, runs: int = 1, reason: str = ""
) -> tuple[Stage, ...]:
    """A witness of `count` requests drawn by lot, whose last offers nothing."""
    dice = random.Random(seed)
    reasons = [reason] if reason else [
        "max_invocations of 'conditional draft': 2 of 2 calls were made", "only after review", "not twice in a row",
    ]  # fmt: skip
    stages = []
    for index in range(count):
        last = index == count - 1
        offered = () if last else tuple(tool for tool in tools if dice.random() < 0.6) or tuple(tools[:1])
        kept_out = tuple((tool, dice.choice(reasons)) for tool in tools if tool not in offered)
        forced = offered[0] if len(offered) == 1 else None
        ends = "nothing is allowed, not even the final answer: the run fails" if last else ""
        run = 1 + index * runs // count
        move = None if last else dice.choice(offered)
        stages.append(Stage(run, offered, forced, bool(dice.random() < 0.5), kept_out, move, ends))
    return tuple(stages)


LEAST_SIZE = 7.0


def faults_of(figure: Figure) -> list[str]:
    """What is wrong with how a figure's texts, boxes and lines lie, measured as Agg draws them; [] for nothing.

    No text is small, cut off, over another text or over the border of a box; no line runs through a text or a box.
    """
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]
    renderer = canvas.get_renderer()  # type: ignore[no-untyped-call]
    places = [text.get_window_extent(renderer) for text in texts]
    names = [text.get_text()[:40] for text in texts]
    faults = [
        f"small: {name}" for name, text in zip(names, texts, strict=True) if float(text.get_fontsize()) < LEAST_SIZE
    ]
    faults += [f"cut off: {name}" for name, place in zip(names, places, strict=True) if not _in(place, figure.bbox)]
    faults += [f"over each other: {names[one]} and {names[other]}" for one, other in _meetings(places)]
    boxes = [box.get_window_extent() for box in figure.findobj(_is_box)]
    faults += [f"over a border: {name}" for name, place in zip(names, places, strict=True) if _crosses(place, boxes)]
    return faults + list(_run_over(figure, names, places, boxes))


def _in(place: Bbox, around: BboxBase) -> bool:
    return bool(around.x0 <= place.x0 and place.x1 <= around.x1 and around.y0 <= place.y0 and place.y1 <= around.y1)


def _meetings(places: Sequence[Bbox]) -> Iterator[tuple[int, int]]:
    sides = np.array([(place.x0 + 0.5, place.y0 + 0.5, place.x1 - 0.5, place.y1 - 0.5) for place in places])
    for one in range(len(places)):
        left, low, right, high = sides[one]
        rest = sides[one + 1 :]
        met = (rest[:, 0] < right) & (rest[:, 2] > left) & (rest[:, 1] < high) & (rest[:, 3] > low)
        yield from ((one, one + 1 + int(other)) for other in np.flatnonzero(met))


def _is_box(artist: Artist) -> bool:
    return isinstance(artist, FancyBboxPatch | Polygon)


def _crosses(place: Bbox, boxes: Sequence[Bbox]) -> bool:
    """Whether a text is partly in a box and partly out of it."""
    shrunk = place.padded(-0.5)
    return any(box.overlaps(shrunk) and not _in(shrunk, box) for box in boxes)


def _run_over(figure: Figure, names: Sequence[str], places: Sequence[Bbox], boxes: Sequence[Bbox]) -> Iterator[str]:
    obstacles = [*names, *["a box"] * len(boxes)]
    inner = [place.padded(-2) for place in [*places, *boxes]]
    low, high = np.array([place.p0 for place in inner]), np.array([place.p1 for place in inner])
    for line in figure.findobj(PathPatch):
        if not isinstance(line, PathPatch) or line.get_zorder() != 2:  # what sheet.stroke draws
            continue
        path = line.get_transform().transform_path(line.get_path())
        points = np.concatenate([np.asarray(polygon) for polygon in path.to_polygons(closed_only=False)])
        steps = np.linspace(points[:-1], points[1:], 8).reshape(-1, 1, 2)
        inside = ((steps > low) & (steps < high)).all(axis=2).any(axis=0)
        yield from (f"a line runs through {obstacles[index]}" for index in np.flatnonzero(inside))
