"""What is said to have no effect has none, and what has one is not said to: beside brute force to depth 7."""

from collections.abc import Sequence
from random import Random

import pytest

from beewalk import PolicyError
from beewalk.explorer.compare import first_difference
from beewalk.explorer.effects import Judge, without_effect
from beewalk.explorer.search import Search, Settings, search
from beewalk.reasoner.request import Request
from tests.support.builders import request_after
from tests.support.superfluous import Ground, Spec, drawn_specs, judged, policy_of, superfluous

DEPTH = 7
POLICIES = 300
CHUNK = 30


def drawn(seed: int) -> list[Spec]:
    """Requirements that make a policy."""
    dice = Random(seed)
    while True:
        specs = drawn_specs(dice)
        try:
            policy_of(specs)
        except PolicyError:
            continue
        return specs


def wide_search(specs: Sequence[Spec]) -> Search:
    return search(policy_of(specs), Settings(errors=True, max_states=1))


@pytest.mark.parametrize("chunk", range(POLICIES // CHUNK))
def test_findings_are_those_of_brute_force(chunk: int) -> None:
    found = dict.fromkeys(("requirement-without-effect", "parameter-without-effect"), 0)
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        specs = drawn(seed)
        wide = wide_search(specs)
        said: list[Ground] = []
        for finding in without_effect(wide):
            found[finding.code] += 1
            said += finding.blame
        useless = superfluous(specs, [(index, None) for index in range(len(specs))], DEPTH)
        brute = [*useless, *superfluous(specs, judged(specs, useless), DEPTH)]
        assert set(said) <= set(brute), (seed, specs)
        for ground in set(brute) - set(said):
            replay_longer(specs, wide, ground, said)
    assert all(found.values()), "the draw is no draw of useless parts"


def replay_longer(specs: Sequence[Spec], wide: Search, ground: Ground, said: Sequence[Ground]) -> None:
    """The difference that brute force cannot see, made by both policies from the whole history."""
    judge = Judge(wide)
    for change in (frozenset([ground]), frozenset([ground, *said])):
        difference, _ = first_difference(judge.walk(frozenset()), judge.walk(change), most=10_000)  # type: ignore[arg-type]
        if difference is not None:
            moves = " ".join(str(wide.alphabet.moves[move]) for move in difference.moves)
            assert len(difference.moves) > DEPTH, (specs, ground, moves)
            offers = [request_after(policy_of(specs, without), moves) for without in (frozenset(), change)]
            mine, theirs = [(type(one), one.allowed if isinstance(one, Request) else None) for one in offers]
            assert mine != theirs or offers[0] != offers[1]
            return
    raise AssertionError(f"no difference is found, but it is not told: {ground} of {specs}")
