"""The findings of the 50 real policies: kept in a golden file, and confirmed by walks of the real reasoner."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from beewalk import Policy, explore
from beewalk.explorer.counting import ToolFacts
from beewalk.policy.step import Step, Turn
from tests.agreement.test_shared_policies import EXPLORED, named
from tests.support import golden
from tests.support.shared import measured, needs_shared
from tests.support.upstream import Answer, Upstream

pytestmark = needs_shared

DEPTH = 6
MOST_HISTORIES = 600


def test_they_are_those_of_the_golden_file() -> None:
    fix = "read the difference, then run python -m tests.support.golden"
    assert "\n".join(golden.lines()) + "\n" == golden.FILE.read_text(encoding="utf-8"), fix


@pytest.mark.parametrize("path", EXPLORED, ids=named)
def test_tools_that_block_the_stop_are_those_that_were_measured(path: Path) -> None:
    found = explore(path)
    blocking = {tool for one in found.findings if one.code == "tool-blocks-stop" for tool in one.tools}
    figures = measured(path)
    unknown = {tool for name, tools in figures.items() if name.startswith("unknown") for tool in tools}
    assert blocking - unknown == set(figures["final_answer_unreachable_if_this_tool_always_fails"]) - unknown
    assert bool(unknown) == path.name.startswith(("46", "71"))


@pytest.mark.parametrize("path", EXPLORED, ids=named)
def test_a_walk_of_the_real_reasoner_confirms_and_contradicts_nothing(
    path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    found = explore(path, outcomes=["ok", "error"])
    upstream = Upstream(found.policy, loop)
    dead, seen = [], set[str]()
    for turns, answer in walked(found.policy, upstream):
        seen |= set(answer.allowed)
        if answer.kind == "dead_end":
            dead.append(" ".join(step.name for turn in turns for step in turn.steps))
    never = {tool for one in found.findings if one.code == "tool-never-allowed" for tool in one.tools}
    ends = [one for one in found.findings if one.code == "dead-end"]
    assert never.isdisjoint(seen)
    assert {tool.name for tool in found.policy.tools[:-1]} - seen <= never | deep_tools(found.tools)
    assert bool(dead) == bool(ends)
    assert all(" ".join(move.tool for move in one.witness) in dead for one in ends if len(one.witness) <= DEPTH)


def deep_tools(tools: Mapping[str, ToolFacts]) -> set[str]:
    """Tools whose first call comes after the walk's end."""
    return {tool for tool, facts in tools.items() if (facts.first_step or 0) > DEPTH + 1}


def walked(policy: Policy, upstream: Upstream) -> Iterator[tuple[list[Turn], Answer]]:
    """What the real reasoner makes of every history of up to DEPTH calls; alike ones are walked once.

    Alike are histories with the same calls as often and the same last step and last working step: no requirement of
    these policies looks at more. Where there are too many, the rest is left out.
    """
    tools = {tool.name: tool for tool in policy.tools}
    ring: list[list[Turn]] = [[]]
    known: set[Hashable] = {likeness([])}
    told = 0
    while ring:
        after = []
        for turns in ring:
            answer = upstream.answer(turns)
            yield turns, answer
            told += 1
            if told == MOST_HISTORIES:
                return
            names = [answer.tool_choice] if answer.tool_choice in tools else answer.allowed
            for name in names if len(turns) < DEPTH else ():
                for outcome in ("ok", "error") if name != "final_answer" else ():
                    step = Step.of(tools[name], outcome, iteration=len(turns) + 1)
                    longer = [*turns, Turn(len(turns) + 1, (step,))]
                    if likeness(longer) not in known:
                        known.add(likeness(longer))
                        after.append(longer)
        ring = after


def likeness(turns: Sequence[Turn]) -> Hashable:
    calls = [(step.name, step.outcome) for turn in turns for step in turn.steps]
    worked = [name for name, outcome in calls if outcome == "ok"]
    return frozenset(Counter(calls).items()), tuple(calls[-1:]), tuple(worked[-1:])
