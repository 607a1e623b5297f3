"""Every sequence of moves, without tables and without merging: each request is made from the whole history anew."""

from collections.abc import Iterator
from dataclasses import dataclass

from beewalk import AskPermissionRequirement, Policy, RequirementError
from beewalk.reasoner.request import DeadEnd, Request
from tests.support.builders import request_after


@dataclass(frozen=True)
class Sequence:
    """A sequence of moves and how it ends: "answered", "dead_end", "requirement_error", or "goes on" at the length."""

    moves: tuple[str, ...]
    ending: str


def sequences(policy: Policy, *, errors: bool, denied: bool, length: int) -> Iterator[Sequence]:
    """All sequences of at most `length` calls, the final answer's call included, for an obedient chat model."""
    yield from _from(policy, (), errors, denied, length)


def _from(policy: Policy, moves: tuple[str, ...], errors: bool, denied: bool, length: int) -> Iterator[Sequence]:
    try:
        said = request_after(policy, " ".join(moves))
    except RequirementError:
        yield Sequence(moves, "requirement_error")
        return
    if isinstance(said, DeadEnd):
        yield Sequence(moves, "dead_end")
    elif len(moves) == length:
        yield Sequence(moves, "goes on")
    else:
        for move in moves_of(policy, moves, said, errors, denied):
            if move == "final_answer":
                yield Sequence((*moves, move), "answered")
            else:
                yield from _from(policy, (*moves, move), errors, denied, length)


def moves_of(policy: Policy, moves: tuple[str, ...], said: Request, errors: bool, denied: bool) -> list[str]:
    """What can happen next, in words of design.md."""
    tools = [said.tool_choice] if said.tool_choice in said.tools else list(said.offered)
    found = []
    for tool in tools:
        if tool == "final_answer":
            found.append(tool)
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
