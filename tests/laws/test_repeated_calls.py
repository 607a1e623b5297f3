"""Exploring tools without arguments loses and adds nothing, whatever the checker for repeated calls is set to."""

from collections import Counter

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from beewalk import Loop, Policy, RepeatedCalls
from tests.laws.test_merging_loses_nothing import check_all_sequences
from tests.support.brute_repeats import REPEAT
from tests.support.strategies import policies, with_silent_tools

CHECKERS = (
    st.builds(RepeatedCalls, st.integers(1, 3), st.integers(1, 4), st.integers(1, 6))
    | st.just(RepeatedCalls())
    | st.none()
)


def test_the_same_sequences_offers_and_counts() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=100, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        base=policies(checks=True, most=3),
        bits=st.integers(1, 15),
        checker=CHECKERS,
        errors=st.booleans(),
        denied=st.booleans(),
    )
    def holds(base: Policy | None, bits: int, checker: RepeatedCalls | None, errors: bool, denied: bool) -> None:
        assume(base is not None)
        assert base is not None
        policy = with_silent_tools(base, bits, loop=Loop(base.loop.final_answer_as_tool, False, checker))
        for one in check_all_sequences(policy, errors=errors, denied=denied):
            repeats = any(move.startswith(REPEAT) for move in one.moves)
            seen[f"{one.ending} after a repeated call" if repeats else one.ending] += 1

    holds()
    # Dead ends and errors after a repeated call are drawn too, but rarely; test_repeats.py has them by hand.
    assert min(seen["answered after a repeated call"], seen["goes on after a repeated call"]) > 10, seen
