"""Exploring tools without arguments loses and adds nothing, whatever the checker for repeated calls is set to."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from beewalk import Loop, Policy, RepeatedCalls
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.properties.exploration import explore_policy
from tests.laws.test_runs_are_paths import with_silent_tools
from tests.support.brute_repeats import ways
from tests.support.strategies import policies

LENGTH = 5
CHECKERS = st.builds(RepeatedCalls, st.integers(1, 3), st.integers(1, 4), st.integers(1, 6)) | st.just(RepeatedCalls())


def paths(graph: StateGraph) -> Iterator[tuple[tuple[str, ...], str]]:
    waiting: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    while waiting:
        state, moves = waiting.pop()
        if graph.is_dead_end(state):
            yield moves, "dead_end"
        elif len(moves) == LENGTH:
            yield moves, "goes on"
        else:
            for move, target in graph.arcs[state]:
                after = (*moves, str(graph.alphabet.moves[move]))
                if target == ANSWERED:
                    yield after, "answered"
                else:
                    waiting.append((target, after))


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(base=policies(most=3), bits=st.integers(1, 15), checker=CHECKERS)
def test_the_same_sequences_and_counts(base: Policy | None, bits: int, checker: RepeatedCalls) -> None:
    assume(base is not None)
    assert base is not None
    made = with_silent_tools(base, bits)
    policy = Policy(made.tools[:-1], made.requirements, loop=Loop(made.loop.final_answer_as_tool, False, checker))
    found = explore_policy(policy, denied=False)
    assume(not any(map(found.graph.raises, range(found.states))))
    naive = list(ways(policy, LENGTH))
    assert Counter(paths(found.graph)) == Counter(naive)
    answered = Counter(map(_calls, (moves for moves, ending in naive if ending == "answered")))
    # Shorter runs than any that goes on are all among the ways.
    length = max(1, min((_calls(moves) for moves, ending in naive if ending == "goes on"), default=LENGTH))
    counted = explore_policy(policy, denied=False, max_length=length).complete_runs
    assert counted == sum(number for calls, number in answered.items() if calls <= length)


def _calls(moves: tuple[str, ...]) -> int:
    """How many calls ran."""
    return sum(not move.startswith("repeat ") for move in moves)
