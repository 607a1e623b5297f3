"""The merged walk lets the same sequences happen, with the same offers, as a walk that merges nothing."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from beewalk import Policy
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.properties.exploration import explore_policy
from beewalk.reasoner.stance import Decision
from tests.support.brute_force import Sequence, calls_in, sequences
from tests.support.strategies import policies

LENGTH = 6
MOST = 1_500  # sequences; more would make the test slow and show no more


def paths(graph: StateGraph, length: int) -> Iterator[Sequence]:
    """All paths of the graph of at most `length` calls."""
    waiting: list[tuple[int, tuple[str, ...], tuple[Decision | None, ...]]] = [(0, (), ())]
    while waiting:
        state, moves, before = waiting.pop()
        offers = (*before, graph.decisions[state])
        if graph.raises(state):
            yield Sequence(moves, "requirement_error", offers)
        elif graph.is_dead_end(state):
            yield Sequence(moves, "dead_end", offers)
        elif calls_in(moves) == length:
            yield Sequence(moves, "goes on", offers)
        else:
            for move, target in graph.arcs[state]:
                after = (*moves, str(graph.alphabet.moves[move]))
                if target == ANSWERED:
                    yield Sequence(after, "answered", offers)
                else:
                    waiting.append((target, after, offers))


def check_all_sequences(policy: Policy, *, errors: bool, denied: bool) -> list[Sequence]:
    """Compare the sequences, as many calls long as can be listed, with those of a walk that merges nothing."""
    outcomes = ["ok", "error"] if errors else ["ok"]
    found = explore_policy(policy, outcomes=outcomes, denied=denied)
    length = LENGTH
    while length > 3 and sum(1 for _ in _at_most(paths(found.graph, length))) > MOST:
        length -= 1
    merged = list(paths(found.graph, length))
    unmerged = list(sequences(policy, errors=errors, denied=denied, length=length))
    assert Counter(merged) == Counter(unmerged)
    answered = [one for one in unmerged if one.ending == "answered"]
    counted = explore_policy(policy, outcomes=outcomes, denied=denied, max_length=length)
    assert counted.complete_runs == len(answered)
    return unmerged


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(policy=policies(checks=True, most=3), errors=st.booleans(), denied=st.booleans())
def test_the_same_sequences_with_the_same_endings(policy: Policy | None, errors: bool, denied: bool) -> None:
    assume(policy is not None)
    assert policy is not None
    check_all_sequences(policy, errors=errors, denied=denied)


def _at_most(found: Iterator[Sequence]) -> Iterator[Sequence]:
    for number, one in enumerate(found):
        if number > MOST:
            return
        yield one


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(policy=policies(checks=True, most=3))
def test_equal_states_make_equal_requests(policy: Policy | None) -> None:
    """Whatever the way into a state, the request there offers the same."""
    assume(policy is not None)
    assert policy is not None
    found = explore_policy(policy, outcomes=["ok", "error"])
    known: dict[int, object] = {}
    for moves, state in _ways(found.graph, 400):
        said = found.search.request_after(moves)
        shown = getattr(said, "decision", "raises")
        assert known.setdefault(state, shown) == shown


def _ways(graph: StateGraph, most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The first `most` ways through the graph, shortest first, with the state each leads to."""
    ring: list[tuple[tuple[int, ...], int]] = [((), 0)]
    for number, (moves, state) in enumerate(ring):
        yield moves, state
        if number == most:
            return
        ring += [((*moves, move), target) for move, target in graph.arcs[state] if target >= 0]
