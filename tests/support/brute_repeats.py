"""Every sequence of moves of policies with tools that take no arguments, without tables, merging, or the loop's code.

What the checker for repeated calls remembers is kept as semantics.md tells it: for each of its two rules, when a call
was first registered and how often since.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from beewalk import Policy, Rule
from beewalk.policy.policy import RepeatedCalls
from beewalk.policy.requirement import rules_from
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.reasoner.request import DeadEnd, Request, make_request
from beewalk.reasoner.ruling import Vote
from tests.support.builders import turns_of


@dataclass(frozen=True)
class Way:
    """The moves so far, and what the checker knows since it was last reset; `forbidden` holds for the next request."""

    moves: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    forbidden: str | None = None

    @property
    def history(self) -> str:
        return " ".join(move for move in self.moves if not move.startswith("repeat "))


def ways(policy: Policy, length: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """All sequences of at most `length` moves, and how each ends."""
    waiting = [Way()]
    while waiting:
        way = waiting.pop()
        said = _offer(policy, way)
        if isinstance(said, DeadEnd):
            yield way.moves, "dead_end"
            continue
        if len(way.moves) == length:
            yield way.moves, "goes on"
            continue
        for tool in [said.tool_choice] if said.tool_choice in said.tools else said.offered:
            if tool == "final_answer":
                yield (*way.moves, tool), "answered"
            else:
                waiting.append(_after(policy, way, tool))


def _offer(policy: Policy, way: Way) -> Request | DeadEnd:
    state = RequirementAgentRunState(Run(policy.input), policy.tools, turns_of(policy, way.history))
    votes = [
        Vote(index, one.name, one.priority, rules_from(one, state))
        for index, one in enumerate(policy.requirements)
        if one.enabled
    ]
    extra = [] if way.forbidden is None else [Rule(target=way.forbidden, allowed=False)]
    names = [tool.name for tool in policy.tools]
    return make_request(names, votes, answer_is_call=policy.loop.final_answer_as_tool, extra=extra)


def _after(policy: Policy, way: Way, tool: str) -> Way:
    silent = next(one for one in policy.tools if one.name == tool).arguments == "none"
    call = tool if silent else f"{tool} {len(way.moves)}"
    calls = (*way.calls, call)
    if policy.loop.repeated_calls is not None and _is_cycle(calls, policy.loop.repeated_calls):
        return Way((*way.moves, f"repeat {tool}"), (), tool)
    return replace(way, moves=(*way.moves, tool), calls=calls, forbidden=None)


def _is_cycle(calls: tuple[str, ...], config: RepeatedCalls) -> bool:
    strikes = _count(calls, config.max_strike_length + 1)
    totals = _count(calls, max(config.max_total_occurrences + 1, config.window_size))
    last = calls[-1]
    return strikes[last] > config.max_strike_length or totals[last] > config.max_total_occurrences


def _count(calls: tuple[str, ...], memory: int) -> Mapping[str, int]:
    """How often each call was seen since it was first registered, an entry being forgotten `memory` calls later."""
    first: dict[str, int] = {}
    seen: dict[str, int] = {}
    for now, call in enumerate(calls):
        if call in first and now - first[call] <= memory:
            seen[call] += 1
        else:
            first[call], seen[call] = now, 1
    return seen
