"""Every picture is legible: its texts, boxes and lines are measured as they are drawn."""

from collections.abc import Sequence
from typing import Any

import pytest

from beewalk.reports.document import Drawing, Edge, ReportDocument, ToolMap
from beewalk.reports.figures import drawing_style, figures_of
from tests.support.pictures import (
    a_calendar,
    a_document,
    a_finding,
    a_graph,
    a_node,
    a_tool_map,
    faults_of,
    some_stages,
)

TOOLS = ["think", "weather", "search", "fetch_page", "send_email", "publish", "draft", "review"]
LONG = [f"a_tool_with_a_name_that_goes_on_{'and_on_' * 20}{number}" for number in range(5)]
HOSTILE = [
    "x" * 10_000, "a\nb\0c", "$x$ \\frac{1}{", "<svg onload='x'>&amp;", "😀😀 日本語", "שלום עולם \u202e", "\ud800",
    " ", "_^%{}~", "\u0301" * 50, "\u2066" * 30, "",
]  # fmt: skip


def all_faults(document: ReportDocument) -> dict[str, list[str]]:
    with drawing_style():
        return {name: faults_of(figure) for name, figure in figures_of(document)}


def assert_legible(document: ReportDocument, *, pictures: int) -> None:
    found = all_faults(document)
    assert found == {name: [] for name in found}
    assert len(found) == pictures


@pytest.mark.parametrize("states", [1, 3, 10, 30, 60])
@pytest.mark.parametrize("seed", range(3))
def test_state_graphs_of_all_sizes(states: int, seed: int) -> None:
    graph = a_graph(states, seed=states + seed, names=TOOLS[: 2 + seed * 3])
    assert_legible(a_document(drawing=graph, findings=(a_finding(),)), pictures=3)


@pytest.mark.parametrize("names", [LONG, HOSTILE], ids=["long", "hostile"])
def test_names_of_any_kind(names: Sequence[str]) -> None:
    finding = a_finding(message=names[0], stages=some_stages(names, 5, reason=names[-2] + names[0]))
    document = a_document(
        policy=names[0],
        drawing=a_graph(12, names=names),
        tool_map=a_tool_map(names, density=0.1, hidden=names),
        calendar=a_calendar(names, 4, cut=names[0]),
        findings=(finding, *(a_finding(one, message=one) for one in names)),
    )
    assert_legible(document, pictures=4)


def test_a_state_that_says_a_lot() -> None:
    nodes = tuple(
        a_node(number, number, label=[f"{tool} {'and so on ' * number}" for tool in TOOLS], loops=TOOLS, states=12)
        for number in range(4)
    )
    edges = tuple(Edge(number, number + 1, tuple(TOOLS), on_witness=True) for number in range(3))
    assert_legible(a_document(drawing=Drawing(nodes, edges)), pictures=3)


def test_everything_leads_everywhere() -> None:
    nodes = tuple(a_node(number, (number + 2) // 3) for number in range(12))
    edges = tuple(
        Edge(one.number, other.number, ("a", "b"), on_witness=False)
        for one in nodes
        for other in nodes
        if one != other and other.depth <= one.depth + 1
    )
    assert_legible(a_document(drawing=Drawing(nodes, edges)), pictures=3)


@pytest.mark.parametrize("count", [0, 1, 3, 8, 16, 30, 60])
@pytest.mark.parametrize("density", [0.0, 0.1, 0.5, 1.0])
def test_tool_maps_of_all_sizes(count: int, density: float) -> None:
    tools = [f"{TOOLS[number % 8]}_{number}" for number in range(count)]
    document = a_document(tool_map=a_tool_map(tools, density=density, seed=count, hidden=["old", "older"]))
    assert_legible(document, pictures=2)


@pytest.mark.parametrize(("count", "steps"), [(0, 0), (1, 1), (3, 0), (8, 20), (40, 7), (200, 30)])
def test_calendars_of_all_sizes(count: int, steps: int) -> None:
    calendar = a_calendar([f"tool_{number}" for number in range(count)], steps, cut="a run has at most 20 calls")
    assert_legible(a_document(calendar=calendar), pictures=2)


@pytest.mark.parametrize(
    ("stages", "runs"), [(1, 1), (2, 1), (4, 1), (5, 1), (12, 1), (13, 1), (40, 1), (7, 2), (40, 2)]
)
def test_strips_of_all_lengths(stages: int, runs: int) -> None:
    findings: list[Any] = [
        a_finding(stages=some_stages(TOOLS, stages, runs=runs, seed=stages)),
        a_finding(stages=some_stages([f"tool_{number}" for number in range(60)], stages, runs=runs)),
    ]
    assert_legible(a_document(findings=tuple(findings)), pictures=4)


def test_an_empty_document_has_pictures_too() -> None:
    assert_legible(a_document(tool_map=ToolMap((), (), (), (), ()), policy=""), pictures=2)
