"""Documents made by hand for pictures, and a ruler for what is drawn."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

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
