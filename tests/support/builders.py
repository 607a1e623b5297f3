"""Small policies and histories, with defaults for what a test does not care about."""

from collections.abc import Sequence
from typing import Any

from beewalk import ConditionalRequirement, Policy, Requirement, Rule, ThinkTool, Tool
from beewalk.policy.requirement import rules_from
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Step, Turn
from beewalk.reasoner.request import DeadEnd, Request, make_request
from beewalk.reasoner.ruling import Vote


def a_policy(tools: str, *requirements: Requirement[Any], **options: Any) -> Policy:
    """A policy of the tools named in one text; `think` becomes a ThinkTool."""
    made = [ThinkTool() if name == "think" else Tool(name) for name in tools.split()]
    return Policy(made, requirements, **options)


def when(target: str, **parameters: Any) -> ConditionalRequirement:
    """A ConditionalRequirement, read as a sentence: `when("search", only_after="weather")`."""
    return ConditionalRequirement(target, **parameters)


def turns_of(policy: Policy, history: str) -> tuple[Turn, ...]:
    """A history written as moves, one turn each: "think search:error ghost:unoffered"."""
    tools = {tool.name: tool for tool in policy.tools}
    turns = []
    for number, move in enumerate(history.split(), start=1):
        name, _, outcome = move.partition(":")
        if outcome == "unoffered":
            step = Step.unoffered(name, iteration=number)
        else:
            step = Step.of(tools[name], outcome or "ok", iteration=number)
        turns.append(Turn(number, (step,)))
    return tuple(turns)


def request_after(
    policy: Policy, history: str = "", run: Run | None = None, *, extra: Sequence[Rule] = ()
) -> Request | DeadEnd:
    """What comes after `history`, by running every enabled requirement on the state itself; `extra` as make_request."""
    state = RequirementAgentRunState(run or Run(policy.input), policy.tools, turns_of(policy, history))
    votes = [
        Vote(index, one.name, one.priority, rules_from(one, state))
        for index, one in enumerate(policy.requirements)
        if one.enabled
    ]
    names = [tool.name for tool in policy.tools]
    return make_request(names, votes, answer_is_call=policy.loop.final_answer_as_tool, extra=extra)


def names(moves: Sequence[object]) -> list[str]:
    """Moves as text."""
    return [str(move) for move in moves]
