"""Blame: the smallest set of rules from which a defect follows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from beewalk.errors import RequirementError
from beewalk.explorer.tables import GrowingTable
from beewalk.policy.rule import Rule
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.reasoner.ruling import THE_LOOP, Ruling

# A parameter of a requirement by its place in the policy; None where the requirement does not name its parameters.
Ground = tuple[int, str | None]
Blame = tuple[Ground, ...]

# The loop's own rule against a repeated call.
REPEATED_CALLS: Ground = (THE_LOOP, "repeated_calls")
# The limit on the turns of a run.
MAX_ITERATIONS: Ground = (THE_LOOP, "max_iterations")

# Among sets of one size the one is taken whose grounds last longest: what forbids now and always tells more than what
# forbids until the next call, and explains more dead ends at once.
_PASSING = ("custom_checks", "consecutive_allowed")
_MOST_TRIES = 200


def causes_of_nothing_allowed(rulings: Mapping[int, Mapping[str, Ruling]]) -> dict[int, Blame]:
    """For each dead end a set of grounds that by itself leaves nothing allowed there; few sets, smallest for some.

    Args:
        rulings: of each dead end: every tool has at least one ground that keeps it out.

    Cost: exponential in the size of a set, which is at most the number of tools.
    """
    options = {state: [_keeping_out(ruling) for ruling in found.values()] for state, found in rulings.items()}
    smallest = dict.fromkeys(_smallest(one) for one in options.values())
    hit = {blame: [state for state in options if _hits(blame, options[state])] for blame in smallest}
    causes: dict[int, Blame] = {}
    while len(causes) < len(options):
        best = max(hit, key=lambda blame: len([state for state in hit[blame] if state not in causes]))
        causes.update((state, best) for state in hit.pop(best) if state not in causes)
    return causes


def _smallest(options: Sequence[Sequence[Ground]]) -> Blame:
    for size in range(1, len(options) + 1):
        found = _hitting(options, frozenset(), size)
        if found is not None:
            return in_order(found)
    return ()


def _hits(blame: Blame, options: Sequence[Sequence[Ground]]) -> bool:
    return all(not set(option).isdisjoint(blame) for option in options)


def _keeping_out(ruling: Ruling) -> list[Ground]:
    effects = {"forbids", "hides"} | ({"prevents_stop"} if ruling.tool == FINAL_ANSWER else set())
    found = dict.fromkeys((one.index, one.parameter) for one in ruling.because if one.effect in effects)
    return sorted(found, key=lambda ground: ground[1] in _PASSING)


def _hitting(options: Sequence[Sequence[Ground]], chosen: frozenset[Ground], size: int) -> frozenset[Ground] | None:
    """A set of at most `size` grounds that holds `chosen` and one of each of `options`."""
    open_options = [option for option in options if not chosen.intersection(option)]
    if not open_options:
        return chosen
    if len(chosen) + _apart(open_options) > size:
        return None
    for ground in min(open_options, key=len):
        found = _hitting(open_options, chosen | {ground}, size)
        if found is not None:
            return found
    return None


def _apart(options: Sequence[Sequence[Ground]]) -> int:
    """How many of `options` have no ground in common, taken one after the other: each needs a ground of its own."""
    taken: set[Ground] = set()
    count = 0
    for option in sorted(options, key=len):
        if taken.isdisjoint(option):
            taken.update(option)
            count += 1
    return count


def smallest_cause(
    grounds: Sequence[Ground], holds: Callable[[frozenset[Ground]], bool | None], *, tries: int = _MOST_TRIES
) -> Blame:
    """A smallest set of grounds that by themselves cause a defect.

    Args:
        grounds: all that could matter, those to keep rather than others last.
        holds: whether the defect stands when these grounds are muted; None where that is not known.
        tries: how many smaller sets are tried at most.

    Limits: where there are too many sets to try, a set of which no part is enough, perhaps not the smallest.
    Source: grounds are muted by halves as in QuickXplain (Junker 2004), because most do not matter.
    """
    muted = _mute(grounds, frozenset(), holds)
    kept = [ground for ground in grounds if ground not in muted]
    every = frozenset(grounds)
    sets = (set_ for size in range(len(kept)) for set_ in combinations(reversed(grounds), size))
    for _, smaller in zip(range(tries), sets, strict=False):
        if holds(every - frozenset(smaller)):
            return in_order(smaller)
    return in_order(kept)


def _mute(
    group: Sequence[Ground], muted: frozenset[Ground], holds: Callable[[frozenset[Ground]], bool | None]
) -> frozenset[Ground]:
    """`muted` and as much of `group` as can be muted besides, the first rather than the last."""
    if not group or holds(muted.union(group)):
        return muted.union(group)
    if len(group) == 1:
        return muted
    middle = len(group) // 2
    return _mute(group[middle:], _mute(group[:middle], muted, holds), holds)


def in_order(grounds: Iterable[Ground]) -> Blame:
    """The grounds by their place in the policy."""
    return tuple(sorted(grounds, key=lambda ground: (ground[0], ground[1] or "")))


def all_grounds(tables: Sequence[GrowingTable]) -> list[Ground]:
    """Every ground that any row met so far names, in the policy's order."""
    found: dict[Ground, None] = {}
    for table in tables:
        for row in range(len(table.rows)):
            said = table.said(row)
            index = table.bound.index
            if isinstance(said, RequirementError):
                found.update(dict.fromkeys((index, parameter) for parameter in said.parameters or (None,)))
            for rule in said.otherwise if isinstance(said, RequirementError) else said:
                found.update(dict.fromkeys(_grounds_of(index, rule)))
    return list(found)


def _grounds_of(index: int, rule: Rule) -> list[Ground]:
    return [(index, parameter) for effect in rule.effects() for parameter in rule.parameters(effect) or (None,)]
