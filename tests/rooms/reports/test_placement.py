"""Placement: layers from left to right, one place for each state."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from beewalk.reports.document import Edge, Node
from beewalk.reports.placement import placed


def nodes_of(depths: Sequence[int]) -> list[Node]:
    return [Node(number, depth, "state", can_answer=False, loops=()) for number, depth in enumerate(depths)]


def edge(source: int, target: int) -> Edge:
    return Edge(source, target, ("a",), on_witness=False)


GRAPHS = st.lists(st.integers(0, 4), max_size=12).flatmap(
    lambda depths: st.tuples(
        st.just([0, *depths]),
        st.lists(st.tuples(st.integers(0, len(depths)), st.integers(0, len(depths))), max_size=30),
    )
)


@given(GRAPHS)
def test_every_state_has_a_place_of_its_own_in_its_layer(graph: tuple[list[int], list[tuple[int, int]]]) -> None:
    depths, pairs = graph
    nodes, edges = nodes_of(depths), [edge(*pair) for pair in pairs]
    places = placed(nodes, edges)
    assert places == placed(nodes, edges)
    assert [places[number][0] for number in range(len(depths))] == depths
    assert len(set(places.values())) == len(depths)
    for depth in set(depths):
        ys = sorted(places[number][1] for number, other in enumerate(depths) if other == depth)
        assert ys == [position - (len(ys) - 1) / 2 for position in range(len(ys))], "one apart, around the middle"


def test_one_state_stands_in_the_middle() -> None:
    assert placed(nodes_of([0]), []) == {0: (0.0, 0.0)}


def test_edges_that_would_cross_are_uncrossed() -> None:
    places = placed(nodes_of([0, 1, 1, 2, 2]), [edge(0, 1), edge(0, 2), edge(1, 4), edge(2, 3)])
    assert (places[1][1] - places[2][1]) * (places[4][1] - places[3][1]) > 0
