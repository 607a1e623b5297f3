"""What is said to have no effect has none, and what has one is not said to: beside brute force to depth 7."""

from collections.abc import Sequence
from random import Random

import pytest

from beewalk import Policy, PolicyError, RequirementError
from beewalk.explorer.compare import AGAIN, first_difference
from beewalk.explorer.effects import Judge, without_effect
from beewalk.explorer.finding import Finding
from beewalk.explorer.search import Search, Settings, search
from beewalk.reasoner.request import Request
from tests.support.builders import request_after
from tests.support.superfluous import Ground, Spec, difference, drawn_specs, judged, policy_of, superfluous

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
        said: dict[str, list[Ground]] = {code: [] for code in found}
        for finding in without_effect(wide):
            assert isinstance(finding, Finding), "all of these are small enough"
            found[finding.code] += 1
            said[finding.code] += finding.blame
        useless = said["requirement-without-effect"]
        agree(specs, wide, useless, [(index, None) for index in range(len(specs))])
        agree(specs, wide, said["parameter-without-effect"], judged(specs, useless), useless)
    assert all(found.values()), "the draw is no draw of useless parts"


def agree(
    specs: Sequence[Spec], wide: Search, said: Sequence[Ground], grounds: Sequence[Ground], gone: Sequence[Ground] = ()
) -> None:
    """What is said is superfluous, alone and together; what else seems so shows a difference later."""
    assert set(said) <= set(grounds)
    assert all(difference(specs, frozenset([ground]), DEPTH) is None for ground in said), (said, specs)
    assert difference(specs, frozenset([*said, *gone]), DEPTH) is None, (said, specs)
    for ground in superfluous(specs, grounds, DEPTH, gone):
        if ground not in said:
            replay_longer(specs, wide, ground, [*said, *gone])


def replay_longer(specs: Sequence[Spec], wide: Search, ground: Ground, said: Sequence[Ground]) -> None:
    """The difference that brute force cannot see, made by both policies from the whole history."""
    judge = Judge(wide)
    for change in (frozenset([ground]), frozenset([ground, *said])):
        whole, other = judge.walk(frozenset()), judge.walk(change)
        assert whole is not None
        assert other is not None
        found, _ = first_difference(whole, other, most=10_000)
        if found is not None and AGAIN in found.moves:
            return  # it shows in a next run only, which a history of one run cannot replay
        if found is not None:
            moves = " ".join(str(wide.alphabet.moves[move]) for move in found.moves)
            assert len(found.moves) > DEPTH or change != {ground}, (specs, ground, moves)
            assert replayed(policy_of(specs), moves) != replayed(policy_of(specs, change), moves)
            return
    raise AssertionError(f"no difference is found, but it is not told: {ground} of {specs}")


def replayed(policy: Policy, moves: str) -> object:
    """What a chat model and a user would notice after `moves`."""
    try:
        made = request_after(policy, moves)
    except RequirementError:
        return "raises"
    return made if isinstance(made, Request) else ("dead end", made.decision)
