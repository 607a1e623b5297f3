"""Every sequence of moves, without tables and without merging: each request is made from the whole history anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from beewalk import AskPermissionRequirement, Policy, RequirementError, Rule
from beewalk.reasoner.request import DeadEnd, Request
from beewalk.reasoner.stance import Decision
from tests.support.brute_repeats import REPEAT, forbidden_now, is_repeated
from tests.support.builders import request_after


@dataclass(frozen=True)
class Sequence:
    """A sequence of moves and how it ends: "answered", "dead_end", "requirement_error", or "goes on" at the length.

    `offers` has what was decided before each move, and at the end where that is no final answer; None where a
    requirement raises.
    """

    moves: tuple[str, ...]
    ending: str
    offers: tuple[Decision | None, ...] = ()


def calls_in(moves: tuple[str, ...]) -> int:
    """How many calls ran: a repeated one does not."""
    return sum(not move.startswith(REPEAT) for move in moves)


def sequences(policy: Policy, *, errors: bool, denied: bool, length: int) -> Iterator[Sequence]:
    """All sequences of at most `length` calls, the final answer's call included, for an obedient chat model."""
    waiting: list[Sequence] = [Sequence((), "goes on")]
    while waiting:
        before = waiting.pop()
        try:
            said = _offer(policy, before.moves)
        except RequirementError:
            yield Sequence(before.moves, "requirement_error", (*before.offers, None))
            continue
        offers = (*before.offers, said.decision)
        if isinstance(said, DeadEnd):
            yield Sequence(before.moves, "dead_end", offers)
        elif calls_in(before.moves) == length:
            yield Sequence(before.moves, "goes on", offers)
        else:
            for move in moves_of(policy, before.moves, said, errors, denied):
                after = Sequence((*before.moves, move), "answered" if move == "final_answer" else "goes on", offers)
                if after.ending == "answered":
                    yield after
                else:
                    waiting.append(after)


def _offer(policy: Policy, moves: tuple[str, ...]) -> Request | DeadEnd:
    forbidden = forbidden_now(moves)
    ran = [move for move in moves if not move.startswith(REPEAT)]
    extra = [] if forbidden is None else [Rule(target=forbidden, allowed=False)]
    return request_after(policy, " ".join(ran), extra=extra)


def moves_of(policy: Policy, moves: tuple[str, ...], said: Request, errors: bool, denied: bool) -> list[str]:
    """What can happen next, in words of design.md."""
    tools = [said.tool_choice] if said.tool_choice in said.tools else list(said.offered)
    found = []
    for tool in tools:
        if tool == "final_answer":
            found.append(tool)
            continue
        if is_repeated(policy, moves, tool):
            found.append(f"{REPEAT}{tool}")
            continue
        asked = [_answer(one, tool, moves) for one in _asking(policy, tool)]
        outcomes = [":denied"] if "refused" in asked else ["", *([":error"] if errors else [])]
        if "asks" in asked and "refused" not in asked and denied:
            outcomes.append(":denied")
        found += [f"{tool}{outcome}" for outcome in outcomes]
    return found


def _asking(policy: Policy, tool: str) -> list[AskPermissionRequirement]:
    found = next(one for one in policy.tools if one.name == tool)
    return [one for one in policy.requirements if isinstance(one, AskPermissionRequirement) and one.manages(found)]


def _answer(one: AskPermissionRequirement, tool: str, moves: tuple[str, ...]) -> str:
    if one.always_allow:
        return "granted"
    calls = [move for move in moves if move.split(":")[0] == tool]
    if not one.remember_choices or not calls:
        return "asks"
    return "refused" if calls[0].endswith(":denied") else "granted"
