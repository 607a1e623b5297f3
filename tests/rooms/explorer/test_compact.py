"""Compact sequences behave like lists."""

import pytest

from beewalk.explorer.compact import Arcs, Interned, PackedRows, Packing, Parents


def test_interned_values_are_kept_once() -> None:
    found: Interned[str] = Interned()
    for key, value in ((1, "one"), (2, "two"), (1, "one")):
        found.append(key, value)
    assert (list(found), found[2], found[-1], found[:2], len(found)) == (
        ["one", "two", "one"],
        "one",
        "one",
        ["one", "two"],
        3,
    )
    assert (found.values, found.firsts) == (["one", "two"], [0, 1])
    found.cut(1)
    assert (list(found), found.values) == (["one"], ["one"])


def test_arcs_of_states_that_are_gone_lead_to_nowhere() -> None:
    arcs = Arcs()
    arcs.append([(0, 1), (1, 2)])
    arcs.append([(0, -1)])
    arcs.append([])
    assert (arcs[0], arcs[-1], arcs[:2], len(arcs)) == ([(0, 1), (1, 2)], [], [[(0, 1), (1, 2)], [(0, -1)]], 3)
    arcs.cut(2, lost=-3)
    assert list(arcs) == [[(0, 1), (1, -3)], [(0, -1)]]


def test_parents_are_pairs() -> None:
    parents = Parents()
    parents.append((-1, -1))
    parents.append((0, 7))
    assert (parents[1], parents[:], len(parents)) == ((0, 7), [(-1, -1), (0, 7)], 2)
    parents.cut(1)
    assert list(parents) == [(-1, -1)]


@pytest.mark.parametrize("widths", [(0, 3, 8), (32, 32, 1), (40, 40)])
def test_packed_rows_are_the_rows(widths: tuple[int, ...]) -> None:
    packing = Packing(widths)
    rows = tuple((1 << width) - 1 for width in widths)
    packed = PackedRows(packing)
    for one in (rows, (0,) * len(widths)):
        packed.codes.append(packing.packed(one))
    assert (packed[0], packed[-1], packed[:1], len(packed)) == (rows, (0,) * len(widths), [rows], 2)
    packed.cut(1)
    assert list(packed) == [rows]
