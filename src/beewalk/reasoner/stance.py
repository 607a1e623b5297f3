"""Stance: what one requirement says now, as bit sets; and the one decision over all of them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from beewalk.errors import RequirementError, possible
from beewalk.policy.rule import Rule

AUTO: Final = -1
REQUIRED: Final = -2
NOTHING: Final = -1


class Stance(NamedTuple):
    """One requirement's rules on all tools: bit `i` of a set is the tool registered as number `i`.

    `speaks` has the tools on which there is a rule at all, because any rule lends its priority to its tool.
    """

    forbids: int = 0
    hides: int = 0
    forces: int = 0
    speaks: int = 0
    prevents_stop: bool = False


class Decision(NamedTuple):
    """What all stances together make of the next request.

    `choice` is the number of the tool that must be called, AUTO or REQUIRED; `forced` the number of the tool that a
    rule forced, or NOTHING. With no bit set in `allowed` the agent cannot go on.
    """

    allowed: int
    hidden: int
    forced: int
    choice: int
    prevents_stop: bool


def stance_of(rules: Sequence[Rule], numbers: Mapping[str, int], *, requirement: str = "") -> Stance:
    """The stance that `rules` add up to; `numbers` has the number of each tool.

    Raises:
        RequirementError: a rule is about something that is no tool.
    """
    forbids = hides = forces = speaks = 0
    prevents_stop = False
    for rule in rules:
        number = numbers.get(rule.target)
        if number is None:
            fix = possible(rule.target, list(numbers))
            what = f"{requirement!r} made a rule for {rule.target!r}, which is no tool: {fix}"
            raise RequirementError(what, requirement=requirement)
        bit = 1 << number
        speaks |= bit
        if not rule.allowed:
            forbids |= bit
        if rule.hidden:
            hides |= bit
        if rule.forced:
            forces |= bit
        prevents_stop = prevents_stop or rule.prevent_stop
    return Stance(forbids, hides, forces, speaks, prevents_stop)


def decide(tools: int, stances: Sequence[tuple[int, Stance]], *, answer_is_call: bool) -> Decision:
    """Fold the stances, each with its requirement's priority, into what is offered.

    Args:
        tools: how many there are, the final answer being the last.
        stances: (priority, stance) of each enabled requirement, in any order.
        answer_is_call: whether the final answer must be a tool call even where stopping is free.

    Source: rules 4 to 9 of the fold in beeai-framework 0.1.85, RequirementsReasoner.create_request.
    """
    forbids = hides = forces = 0
    prevents_stop = False
    for _, stance in stances:
        forbids |= stance.forbids
        hides |= stance.hides
        forces |= stance.forces
        prevents_stop = prevents_stop or stance.prevents_stop
    every = (1 << tools) - 1
    answer = 1 << (tools - 1)
    allowed = every & ~forbids & ~hides
    forced = _forced(allowed & forces, stances)
    if forced != NOTHING:
        allowed = 1 << forced | answer
    if prevents_stop and forced != tools - 1:
        allowed &= ~answer
    choice = forced if forced != NOTHING else REQUIRED
    if allowed and allowed & (allowed - 1) == 0:
        choice = allowed.bit_length() - 1
    elif choice == REQUIRED and not answer_is_call and not prevents_stop:
        choice = AUTO
    return Decision(allowed, hides, forced, choice, prevents_stop)


def _forced(candidates: int, stances: Sequence[tuple[int, Stance]]) -> int:
    """The candidate with the highest level, on equal level the one registered first; NOTHING without candidates."""
    best, best_level = NOTHING, 0
    while candidates:
        bit = candidates & -candidates
        candidates &= candidates - 1
        level = max(priority for priority, stance in stances if stance.speaks & bit)
        if level > best_level:
            best, best_level = bit.bit_length() - 1, level
    return best


def members(bits: int) -> list[int]:
    """The numbers in a bit set, ascending.

    Example:
        >>> members(0b1011)
        [0, 1, 3]
    """
    found = []
    while bits:
        bit = bits & -bits
        found.append(bit.bit_length() - 1)
        bits ^= bit
    return found
