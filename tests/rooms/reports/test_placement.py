"""Placement: nothing too near, few crossings, straight lines; and routes around what is in the way."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beewalk.reports.layered import Box, Line, layered
from beewalk.reports.placement import Link, Slot, arranged, distance, ordered


def slots_of(layers: Sequence[int]) -> list[Slot]:
    return [Slot(layer, 10.0 + 5 * (number % 3), 4.0) for number, layer in enumerate(layers)]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[Slot], list[Link]]:
    slots = slots_of(draw(st.lists(st.integers(0, 4), min_size=1, max_size=14)))
    pairs = [
        (one, other)
        for one in range(len(slots))
        for other in range(len(slots))
        if slots[one].layer + 1 == slots[other].layer
    ]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return slots, [Link(*pair, draw(st.sampled_from([1.0, 8.0]))) for pair in chosen]


@given(graphs())
def test_nothing_stands_too_near(graph: tuple[list[Slot], list[Link]]) -> None:
    slots, links = graph
    ys = arranged(slots, links)
    assert ys == arranged(slots, links)
    for layer in {slot.layer for slot in slots}:
        column = sorted((number for number, slot in enumerate(slots) if slot.layer == layer), key=ys.__getitem__)
        for upper, lower in pairwise(column):
            assert ys[lower] - ys[upper] >= distance(slots[upper], slots[lower]) - 1e-6


def test_lines_that_would_cross_are_uncrossed() -> None:
    ys = arranged(slots_of([0, 1, 1, 2, 2]), [Link(0, 1), Link(0, 2), Link(1, 4), Link(2, 3)])
    assert (ys[1] - ys[2]) * (ys[4] - ys[3]) > 0


def test_order_has_each_slot_once() -> None:
    assert sorted(map(sorted, ordered(slots_of([0, 1, 1, 0]), []))) == [[0, 3], [1, 2]]


def test_chain_is_straight() -> None:
    ys = arranged(slots_of([0, 1, 2, 3]), [Link(0, 1), Link(1, 2), Link(2, 3)])
    assert ys == pytest.approx([ys[0]] * 4)


def test_heavy_link_is_straighter_than_a_light_one() -> None:
    ys = arranged(slots_of([0, 1, 1]), [Link(0, 1, 9.0), Link(0, 2, 1.0)])
    assert abs(ys[0] - ys[1]) < abs(ys[0] - ys[2])


def test_no_slots_have_no_places() -> None:
    assert arranged([], []) == []
    assert layered([], []).boxes == ()


def test_boxes_of_a_column_are_equally_wide_and_stand_below_each_other() -> None:
    first, *others = layered([Box(0, 30, 20), Box(1, 50, 20), Box(1, 80, 40)], [Line(0, 1), Line(0, 2)]).boxes
    assert {box.width for box in others} == {80}
    assert {box.x for box in others} == {others[0].x}
    assert others[0].x > first.right


def test_line_goes_from_side_to_side_through_its_label() -> None:
    layout = layered([Box(0, 30, 20), Box(1, 30, 20)], [Line(0, 1, 40, 10)])
    (route,) = layout.routes
    into, out = route.strokes
    assert route.label is not None
    assert into[0][0] == layout.boxes[0].right
    assert into[-1][0] == route.label.x
    assert out[0][0] == route.label.right
    assert route.heads == ((out[-1], False),)
    assert out[-1][0] == layout.boxes[1].x


def test_line_that_goes_back_arrives_from_the_right() -> None:
    layout = layered([Box(0, 30, 20), Box(1, 30, 20), Box(2, 30, 20)], [Line(0, 1), Line(1, 2), Line(2, 0, 20, 8)])
    ((tip, leftwards),) = layout.routes[2].heads
    assert leftwards
    assert tip[0] == layout.boxes[0].right


def test_line_to_a_box_below_turns_at_the_right() -> None:
    layout = layered([Box(0, 30, 20), Box(0, 30, 20)], [Line(0, 1, both=True)])
    (stroke,) = layout.routes[0].strokes
    assert {stroke[0][0], stroke[-1][0]} == {30}
    assert [leftwards for _, leftwards in layout.routes[0].heads] == [True, True]


def test_moved_layout_is_the_same_elsewhere() -> None:
    layout = layered([Box(0, 30, 20), Box(1, 30, 20)], [Line(0, 1, 40, 10)])
    moved = layout.moved((5, 7))
    assert moved.boxes[0].x == layout.boxes[0].x + 5
    assert moved.routes[0].heads[0][0] == tuple(
        there + by for there, by in zip(layout.routes[0].heads[0][0], (5, 7), strict=True)
    )
