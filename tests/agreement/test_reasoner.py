"""beewalk's reasoner beside the real one, on policies and histories that hypothesis draws."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, assume, given, seed, settings
from hypothesis import strategies as st

from beewalk import AskPermissionRequirement, Policy, RequirementError
from beewalk.policy.state import Run
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.reasoner.stance import members, stance_of
from tests.support.builders import request_after, turns_of
from tests.support.strategies import choices, histories, policies
from tests.support.upstream import Answer, Upstream, answer_of

SHARDS = 5
CASES = 5_000 // SHARDS

RARE = ("dead_end", "requirement_error", "two_forces", "tie", "hidden", "forced_answer")


def ours(policy: Policy, history: str, run: Run) -> Request | DeadEnd | RequirementError:
    try:
        return request_after(policy, history, run)
    except RequirementError as error:
        return error


def kinds_of(policy: Policy, said: Request | DeadEnd | RequirementError) -> Iterator[str]:
    """What is rare and must have been met often enough."""
    if isinstance(said, RequirementError):
        yield "requirement_error"
        return
    if isinstance(said, DeadEnd):
        yield "dead_end"
    numbers = {tool.name: number for number, tool in enumerate(policy.tools)}
    stances = [(vote.priority, stance_of(vote.rules, numbers)) for vote in said.votes]
    forces = hides = forbids = 0
    for _, stance in stances:
        forces, hides, forbids = forces | stance.forces, hides | stance.hides, forbids | stance.forbids
    candidates = members(forces & ~hides & ~forbids)
    levels = [max(level for level, stance in stances if stance.speaks >> tool & 1) for tool in candidates]
    if len(candidates) > 1:
        yield "two_forces"
        if levels.count(max(levels)) > 1:
            yield "tie"
    if hides:
        yield "hidden"
    if said.decision.forced == len(numbers) - 1:
        yield "forced_answer"


@pytest.mark.parametrize("shard", range(SHARDS))
def test_beewalk_and_the_framework_make_the_same_request(shard: int, loop: asyncio.AbstractEventLoop) -> None:
    seen: Counter[str] = Counter()

    @seed(shard if os.environ.get("CI") else int.from_bytes(os.urandom(4)))
    @settings(
        max_examples=CASES,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def agree(data: st.DataObject) -> None:
        policy = data.draw(policies(checks=True))
        assume(policy is not None)
        assert policy is not None
        names = [tool.name for tool in policy.tools[:-1]]
        history = data.draw(histories(names))
        asks = any(isinstance(one, AskPermissionRequirement) for one in policy.requirements)
        run = Run(policy.input, choices=data.draw(choices(names)) if asks else {})
        real = Upstream(policy, loop).answer(turns_of(policy, history), run)
        said = ours(policy, history, run)
        assert (Answer("requirement_error") if isinstance(said, RequirementError) else answer_of(said)) == real
        seen["cases"] += 1
        seen.update(set(kinds_of(policy, said)))

    agree()
    assert seen["cases"] >= CASES
    shares = {kind: seen[kind] / seen["cases"] for kind in RARE}
    assert min(shares.values()) >= 0.03, shares
