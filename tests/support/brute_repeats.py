"""Repeated calls as semantics.md tells them, from the list of all calls: no window that slides, and no code of turn/.

Of each of the checker's two rules is kept when a call was first registered and how often since.
"""

from collections.abc import Mapping, Sequence

from beewalk import Loop, Policy
from beewalk.policy.policy import RepeatedCalls

REPEAT = "repeat "


def forbidden_now(moves: Sequence[str]) -> str | None:
    """The tool that the loop forbids for the next request, because its call was just repeated."""
    return moves[-1].removeprefix(REPEAT) if moves and moves[-1].startswith(REPEAT) else None


def is_repeated(policy: Policy, moves: Sequence[str], tool: str) -> bool:
    """Whether a call of `tool` after `moves` counts as repeated, so that it does not run."""
    if policy.loop.repeated_calls is None:
        return False
    since = max((number for number, move in enumerate(moves, start=1) if move.startswith(REPEAT)), default=0)
    calls = [move.partition(":")[0] for move in moves[since:]]
    return _is_cycle([_call(policy, name, number) for number, name in enumerate([*calls, tool])], policy.loop)


def _call(policy: Policy, tool: str, number: int) -> str:
    """A call's name with its arguments, which always differ where there are any."""
    silent = any(one.name == tool and one.arguments == "none" for one in policy.tools)
    return tool if silent else f"{tool} {number}"


def _is_cycle(calls: Sequence[str], loop: Loop) -> bool:
    config = loop.repeated_calls or RepeatedCalls()
    strikes = _count(calls, config.max_strike_length + 1)
    totals = _count(calls, max(config.max_total_occurrences + 1, config.window_size))
    last = calls[-1]
    return strikes[last] > config.max_strike_length or totals[last] > config.max_total_occurrences


def _count(calls: Sequence[str], memory: int) -> Mapping[str, int]:
    """How often each call was seen since it was first registered, an entry being forgotten `memory` calls later."""
    first: dict[str, int] = {}
    seen: dict[str, int] = {}
    for now, call in enumerate(calls):
        if call in first and now - first[call] <= memory:
            seen[call] += 1
        else:
            first[call], seen[call] = now, 1
    return seen
