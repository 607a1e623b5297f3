"""Blame: the smallest set of rules from which a defect follows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from beewalk.errors import RequirementError
from beewalk.explorer.tables import GrowingTable
from beewalk.policy.rule import Rule
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.reasoner.request import without
from beewalk.reasoner.ruling import Ruling, Vote
from beewalk.reasoner.stance import Stance, stance_of

# A parameter of a requirement by its place in the policy; None where the requirement does not name its parameters.
Ground = tuple[int, str | None]
Blame = tuple[Ground, ...]


def blame_for_nothing_allowed(rulings: Mapping[str, Ruling]) -> Blame:
    """The smallest set of grounds that by themselves leave nothing allowed, smallest by size, then by place.

    Args:
        rulings: of a dead end: each tool has at least one ground that keeps it out.

    Cost: exponential in the size of the answer, which is at most the number of tools.
    """
    options = [_keeping_out(ruling) for ruling in rulings.values()]
    for size in range(1, len(options) + 1):
        found = _hitting(options, frozenset(), size)
        if found is not None:
            return tuple(sorted(found, key=_order))
    return ()


def _keeping_out(ruling: Ruling) -> list[Ground]:
    effects = {"forbids", "hides"} | ({"prevents_stop"} if ruling.tool == FINAL_ANSWER else set())
    return list(dict.fromkeys((one.index, one.parameter) for one in ruling.because if one.effect in effects))


def _hitting(options: Sequence[Sequence[Ground]], chosen: frozenset[Ground], size: int) -> frozenset[Ground] | None:
    """A set of at most `size` grounds that holds `chosen` and one of each of `options`."""
    open_options = [option for option in options if not chosen.intersection(option)]
    if not open_options:
        return chosen
    if len(chosen) == size:
        return None
    for ground in min(open_options, key=len):
        found = _hitting(open_options, chosen | {ground}, size)
        if found is not None:
            return found
    return None


def smallest_cause(grounds: Iterable[Ground], holds: Callable[[frozenset[Ground]], bool]) -> Blame:
    """A set of grounds that no part of does the same, found by leaving out one after the other.

    Args:
        grounds: all that could matter, those to keep longest last.
        holds: whether the defect stands when these grounds are muted.
    """
    muted: frozenset[Ground] = frozenset()
    kept: list[Ground] = []
    for ground in grounds:
        if holds(muted | {ground}):
            muted |= {ground}
        else:
            kept.append(ground)
    return tuple(sorted(kept, key=_order))


def _order(ground: Ground) -> tuple[int, str]:
    return ground[0], ground[1] or ""


def all_grounds(tables: Sequence[GrowingTable]) -> list[Ground]:
    """Every ground that any row met so far names, in the policy's order."""
    found: dict[Ground, None] = {}
    for table in tables:
        for row in range(len(table.rows)):
            said = table.said(row)
            for rule in () if isinstance(said, RequirementError) else said:
                found.update(dict.fromkeys(_grounds_of(table.bound.index, rule)))
    return list(found)


def _grounds_of(index: int, rule: Rule) -> list[Ground]:
    return [(index, parameter) for effect in rule.effects() for parameter in rule.parameters(effect) or (None,)]


@dataclass(frozen=True)
class MutedTable:
    """A table whose rules have lost the effects of some grounds."""

    table: GrowingTable
    muted: frozenset[Ground]

    def step(self, row: int, move: int) -> int:
        """As without muting."""
        return self.table.step(row, move)

    def permission(self, row: int, tool: int) -> bool | None:
        """As without muting."""
        return self.table.permission(row, tool)

    def stance(self, row: int) -> Stance | None:
        """What is left of what the machine says in `row`; None where it raises."""
        said = self.table.said(row)
        if isinstance(said, RequirementError):
            return None
        numbers = {tool: number for number, tool in enumerate(self.table.tools)}
        vote = vote_of(self.table, said)
        return stance_of(without([vote], self.muted)[0].rules, numbers)


def vote_of(table: GrowingTable, rules: tuple[Rule, ...]) -> Vote:
    """The rules of a table's row as the vote of its requirement."""
    return Vote(table.bound.index, table.bound.name, table.bound.priority, rules)
