"""Whole runs on beewalk's agent and on the real one, policies and replies being drawn.

`make agreement` runs 10,000 of them: BEEWALK_RUNS says how many.
"""

import asyncio
import os
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, assume, given, seed, settings

from beewalk import Policy
from tests.support.drawn_runs import KINDS, Drawn, comparable, drawn_run, kinds_of, play
from tests.support.strategies import policies
from tests.support.upstream_agent import UpstreamAgent

RUNS = int(os.environ.get("BEEWALK_RUNS", "600"))
SHARDS = max(1, RUNS // 1_000)
CASES = RUNS // SHARDS
LEAST = 20  # of each kind, in each shard


@pytest.mark.parametrize("shard", range(SHARDS))
def test_whole_runs_are_the_same(shard: int, loop: asyncio.AbstractEventLoop) -> None:
    seen: Counter[str] = Counter()

    start = shard if os.environ.get("CI") else int.from_bytes(os.urandom(4))
    dice = Random(start)

    @seed(start)
    @settings(max_examples=CASES, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(base=policies(checks=True))
    def agree(base: Policy | None) -> None:
        drawn = None if base is None else drawn_run(base, dice)
        assume(drawn is not None)
        assert drawn is not None
        seen.update(compared(drawn, loop))
        seen["cases"] += 1

    agree()
    assert seen["cases"] >= CASES
    assert {kind: seen[kind] for kind in KINDS if seen[kind] < LEAST} == {}


def compared(drawn: Drawn, loop: asyncio.AbstractEventLoop) -> Counter[str]:
    records, trajectories, chat_model = play(drawn)
    real = UpstreamAgent(
        drawn.policy, loop, script=chat_model.script, outcomes=drawn.outcomes, permissions=drawn.permissions
    )
    for record in records:
        assert comparable(record) == comparable(real.run())
    return kinds_of(drawn, trajectories)
