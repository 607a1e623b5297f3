"""The explorer finds exactly the states, moves, endings and runs that were worked out on paper."""

from collections.abc import Mapping

import pytest

from beewalk.explorer.graph import ANSWERED, OUT_OF_RETRIES, StateGraph
from beewalk.properties.exploration import Exploration, explore_policy
from tests.support import reference_endings, reference_policies
from tests.support.builders import request_after
from tests.support.reference_policies import Reference, Table

REFERENCES: Mapping[str, Reference] = {
    **reference_policies.ORDER,
    **reference_policies.COUNTS,
    **reference_policies.PERMISSION,
    **reference_endings.FAILURES,
    **reference_endings.DEAD_ENDS,
}
ENDINGS = {reference_policies.ANSWERED: ANSWERED, reference_policies.OUT_OF_RETRIES: OUT_OF_RETRIES}

every_reference = pytest.mark.parametrize("reference", REFERENCES.values(), ids=REFERENCES.keys())


def explored(reference: Reference, max_length: int | None = None) -> Exploration:
    return explore_policy(reference.make(), outcomes=reference.outcomes, denied=reference.denied, max_length=max_length)


def moves_of(graph: StateGraph, state: int) -> dict[str, int]:
    """Move -> target, in the graph's order."""
    return {str(graph.alphabet.moves[move]): target for move, target in graph.arcs[state]}


def matched(graph: StateGraph, table: Table) -> dict[str, int]:
    """The number of each written state, found by walking graph and table side by side along the same moves."""
    numbers = {next(iter(table)): 0}
    waiting = list(numbers)
    for name in waiting:
        moves = moves_of(graph, numbers[name])
        assert list(moves) == list(table[name]), f"moves in {name!r}"
        for move, written in table[name].items():
            if written not in numbers and written not in ENDINGS:
                waiting.append(written)
            reached = ENDINGS[written] if written in ENDINGS else numbers.setdefault(written, moves[move])
            assert moves[move] == reached, f"{move} in {name!r} should lead to {written!r}"
    return numbers


def paths(table: Table) -> dict[str, tuple[str, ...]]:
    """A shortest way to each written state, nearest states first."""
    found: dict[str, tuple[str, ...]] = {next(iter(table)): ()}
    waiting = list(found)
    for name in waiting:
        for move, after in table[name].items():
            if after not in ENDINGS and after not in found:
                found[after] = (*found[name], move)
                waiting.append(after)
    return found


@every_reference
def test_graph_and_table_are_the_same_state_by_state(reference: Reference) -> None:
    graph = explored(reference).graph
    numbers = matched(graph, reference.table)
    assert set(numbers) == set(reference.table), "every written state is reached"
    assert sorted(numbers.values()) == list(range(len(graph.rows))), "one number a written state, and no state more"


@every_reference
def test_states_moves_and_depth_are_those_on_paper(reference: Reference) -> None:
    found = explored(reference)
    assert found.complete
    assert (found.states, found.moves, found.depth) == reference.figures


@every_reference
def test_states_are_numbered_ring_by_ring_in_the_order_of_moves(reference: Reference) -> None:
    graph = explored(reference).graph
    expected = paths(reference.table)
    assert list(expected) == sorted(expected, key=lambda name: len(expected[name]))
    numbers = matched(graph, reference.table)
    assert [numbers[name] for name in expected] == list(range(len(graph.rows)))
    assert list(graph.depths) == [len(path) for path in expected.values()]
    assert [tuple(map(str, graph.witness(numbers[name]))) for name in expected] == list(expected.values())


@every_reference
def test_dead_ends_and_raising_states_are_the_marked_ones(reference: Reference) -> None:
    graph = explored(reference).graph
    numbers = matched(graph, reference.table)
    assert {name for name in numbers if graph.is_dead_end(numbers[name])} == reference.dead
    assert {name for name in numbers if graph.raises(numbers[name])} == reference.raising


@every_reference
def test_findings_count_the_marked_states_and_nothing_else_is_an_error(reference: Reference) -> None:
    errors = explored(reference).errors
    dead = [one for one in errors if one.code == "dead-end"]
    raising = [one for one in errors if one.code == "requirement-error"]
    assert len(dead) + len(raising) == len(errors)
    assert sum(one.count for one in dead) == len(reference.dead)
    assert sum(one.point_of_no_return for one in dead) == len(reference.lost)
    assert sum(one.count for one in raising) == len(reference.raising)


@every_reference
def test_complete_runs_are_those_counted_on_paper(reference: Reference) -> None:
    counted = {length: explored(reference, max_length=length).complete_runs for length in reference.runs}
    assert counted == reference.runs


@every_reference
def test_what_is_offered_is_what_is_written(reference: Reference) -> None:
    policy = reference.make()
    graph = explored(reference).graph
    numbers = matched(graph, reference.table)
    ways = paths(reference.table)
    for name, tools in reference.allowed.items():
        assert graph.allowed(numbers[name]) == tools.split()
    for name, tools in reference.hidden.items():
        assert graph.to_networkx().nodes[numbers[name]]["hidden"] == tools.split()
    for name, choice in reference.tool_choice.items():
        assert getattr(request_after(policy, " ".join(ways[name])), "tool_choice", None) == choice
