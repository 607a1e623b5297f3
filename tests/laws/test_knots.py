"""Knots are networkx's strongly connected components, numbered so that what a knot leads to comes before it."""

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from beewalk.explorer.knots import knots_of


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 12))
    return [draw(st.lists(st.integers(0, count - 1), max_size=4)) for _ in range(count)]


@given(graphs())
def test_knots_are_components_in_order(onward: list[list[int]]) -> None:
    knots = knots_of(len(onward), onward.__getitem__)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(onward)))
    graph.add_edges_from((node, target) for node, targets in enumerate(onward) for target in targets)
    groups = {frozenset(node for node in range(len(onward)) if knots[node] == number) for number in set(knots)}
    assert groups == set(map(frozenset, nx.strongly_connected_components(graph)))
    assert all(knots[target] <= knots[node] for node, targets in enumerate(onward) for target in targets)


def test_long_chains_need_no_recursion() -> None:
    count = 50_000
    knots = knots_of(count, lambda node: [node + 1] if node + 1 < count else [])
    assert knots == list(range(count - 1, -1, -1))
