"""Effects: requirements and parameters without which every request would be the same."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from beewalk.errors import RequirementError, counted
from beewalk.explorer.blame import Ground
from beewalk.explorer.compare import TooMany, first_difference
from beewalk.explorer.finding import Finding, Unjudged
from beewalk.explorer.mending import name_of
from beewalk.explorer.search import Search
from beewalk.explorer.second_run import remembering
from beewalk.explorer.tables import FullTable, GrowingTable, minimise, tabulate
from beewalk.explorer.walk import Walk
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.binding import Bound, bind
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.requirement import Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.state import Run
from beewalk.policy.target import matches

MOST_PAIRS = 10_000  # of states, for one change
_MOST_TOGETHER = 60_000
_FEW_TOOLS = 6  # with no more a change is looked for everywhere at once

# Texts are not among them, nor what names the tools that a requirement is about (target, include).
_PARAMETERS: Mapping[type, Sequence[str]] = {
    ConditionalRequirement: (
        "force_at_step",
        "only_before",
        "only_after",
        "force_after",
        "force_prevent_stop",
        "min_invocations",
        "max_invocations",
        "only_success_invocations",
        "consecutive_allowed",
        "priority",
        "custom_checks",
    ),
    AskPermissionRequirement: ("exclude", "remember_choices", "hide_disallowed", "always_allow"),
}

# What is changed of a policy: (requirement, parameter) set to its default, or (requirement, None) left out.
_Change = frozenset[Ground]
# The table of a requirement, its priority, and whether a next run remembers what the user chose.
_Changed = tuple[FullTable, int, bool]


def without_effect(wide: Search) -> Iterator[Finding | Unjudged]:
    """Requirements, and parameters of others, without which every request would be the same.

    Of those that make each other superfluous only the last is told.

    Args:
        wide: a search whose calls may fail and be refused; its graph is not looked at.
    """
    if None in wide.full:
        yield Unjudged("without effect: not known, because the memory of some requirement is too large")
        return
    judge = Judge(wide)
    asking = (AskPermissionRequirement,)
    bounds = [bound for bound in wide.bound if bound.requirement.enabled or isinstance(bound.requirement, asking)]
    silent = [bound for bound in bounds if bound.inferred is None or not bound.inferred.writes]
    useless = judge.superfluous([(bound.index, None) for bound in silent])
    for ground in useless:
        yield _useless_requirement(wide, ground)
    left = [bound for bound in bounds if (bound.index, None) not in useless]
    given = [(bound.index, one) for bound in left for one in given_parameters(bound)]
    for ground in judge.superfluous(given, gone=frozenset(useless)):
        yield _useless_parameter(wide, ground)
    if judge.unknown:
        yield Unjudged(
            f"without effect: {counted(judge.unknown, 'change')} not judged, because there are too many states"
        )


def given_parameters(bound: Bound) -> list[str]:
    """The parameters of a built-in requirement that are not as by default; texts are none of them."""
    requirement = bound.requirement
    names = _PARAMETERS.get(type(requirement), ())
    if not names:
        return []
    plain = _plain(requirement)
    return [name for name in names if getattr(requirement, name) != getattr(plain, name)]


def _plain(requirement: Requirement[Any]) -> Requirement[Any]:
    if isinstance(requirement, ConditionalRequirement):
        return ConditionalRequirement(requirement.target)
    return AskPermissionRequirement()


class Judge:
    """Compares the policy with changed ones, as long as it does not take too long."""

    def __init__(self, wide: Search) -> None:
        self._wide = wide
        self.unknown = 0
        self._left = _MOST_TOGETHER
        self._known: dict[tuple[int, frozenset[str | None]], _Changed | None] = {}
        self._whole = self.walk(frozenset())

    def superfluous(self, grounds: Sequence[Ground], gone: _Change = frozenset()) -> list[Ground]:
        """The grounds without which nothing changes, each alone and all together, the last ones first choice.

        What is `gone` already stays so in the second comparison.
        """
        alone = [ground for ground in grounds if self._same(frozenset([ground]))]
        found = gone
        for ground in reversed(alone):
            if not found or self._same(found | {ground}):
                found |= {ground}
        return [ground for ground in alone if ground in found]

    def _same(self, change: _Change) -> bool:
        """Whether nothing changes; looked for first where only the tools that the change is about are called."""
        walk = self.walk(change)
        if walk is None or self._whole is None:
            return False
        if self._left <= 0:
            self.unknown += 1
            return False
        many = len(self._wide.graph.tools) > _FEW_TOOLS
        near = [_moves_about(self._wide, {index for index, _ in change})] if many else []
        for usable in (*near, None):
            whole, other = replace(self._whole, usable=usable), replace(walk, usable=usable)
            try:
                difference, looked = first_difference(whole, other, most=min(MOST_PAIRS, self._left))
            except TooMany:
                self._left -= MOST_PAIRS
                continue
            self._left -= looked
            if difference is not None:
                return False
            if usable is None:
                return True
        self.unknown += 1
        return False

    def walk(self, change: _Change) -> Walk | None:
        """The walk of the changed policy; None where the change cannot be made."""
        kept = []
        for bound in self._wide.bound:
            parameters = frozenset(parameter for index, parameter in change if index == bound.index)
            if None not in parameters:
                kept.append(self._changed(bound, parameters))
        if None in kept:
            return None
        tables, priorities, keeps = (
            zip(*(one for one in kept if one is not None), strict=True) if kept else ((), (), ())
        )
        return replace(self._wide.walk, tables=tables, priorities=priorities, keeps=keeps, max_states=None, watch=None)

    def _changed(self, bound: Bound, parameters: frozenset[str | None]) -> _Changed | None:
        """A requirement with some parameters as by default; None where there is no such one."""
        key = bound.index, parameters
        if key not in self._known:
            self._known[key] = self._tabulated(bound, parameters)
        return self._known[key]

    def _tabulated(self, bound: Bound, parameters: frozenset[str | None]) -> _Changed | None:
        wide = self._wide
        if not parameters:
            small = wide.small[wide.bound.index(bound)]
            return None if small is None else (small[0], bound.priority, remembering([bound])[0])
        changed, plain = copy(bound.requirement), _plain(bound.requirement)
        for parameter in parameters - {None}:
            setattr(changed, str(parameter), getattr(plain, str(parameter)))
        if any(changed.problems(wide.policy.tools)):  # type: ignore[attr-defined]  # built-in ones have it
            return None
        run = Run(wide.policy.input)
        again = bind(changed, bound.index, wide.policy.tools, run, wide.alphabet.letters)
        full = tabulate(GrowingTable(again, wide.alphabet, wide.graph.tools, run))
        return None if full is None else (minimise(full)[0], changed.priority, remembering([again])[0])


def _moves_about(wide: Search, indexes: set[int]) -> frozenset[int]:
    """The moves of the tools that some requirements are about, of those that these wait for, and so on."""
    about: set[str] = set()
    bounds = {bound.index: bound.requirement for bound in wide.bound}
    todo = [bounds[index] for index in indexes]
    while todo:
        one = todo.pop()
        if isinstance(one, ConditionalRequirement):
            named = (one.target, *one.only_before, *one.only_after, *one.force_after)
            tools = {tool.name for tool in wide.policy.tools for target in named if matches(target, tool)}
            new = tools - about if len(tools) < len(wide.policy.tools) else set()
            about |= new
            todo += [other for other in bounds.values() if _target_of(other, wide) in new]
    return frozenset(number for number, move in enumerate(wide.alphabet.moves) if move.tool in about)


def _target_of(requirement: Requirement[Any], wide: Search) -> str | None:
    if not isinstance(requirement, ConditionalRequirement):
        return None
    return next(tool.name for tool in wide.policy.tools if matches(requirement.target, tool))


def _useless_requirement(wide: Search, ground: Ground) -> Finding:
    name = name_of(wide, ground[0])
    told = any(rule.reason for row in _said(wide, ground[0]) for rule in row)
    what = "changes nothing but the reason that the chat model is told" if told else "changes no request"
    return Finding(
        code="requirement-without-effect",
        message=f"{name!r} {what}: without it the same is offered in every state",
        blame=(ground,),
        mends=(f"leave {name!r} out",),
        tools=_targets(wide, ground[0]),
    )


def _useless_parameter(wide: Search, ground: Ground) -> Finding:
    index, parameter = ground
    return Finding(
        code="parameter-without-effect",
        message=f"{parameter} of {name_of(wide, index)!r} changes no request: the same is offered without it",
        blame=(ground,),
        mends=(f"leave {parameter} out of {name_of(wide, index)!r}",),
        tools=_targets(wide, index),
    )


def _table(wide: Search, index: int) -> GrowingTable:
    return next(table for table in wide.raw if table.bound.index == index)


def _said(wide: Search, index: int) -> Iterator[Sequence[Rule]]:
    table = _table(wide, index)
    for row in range(len(table.rows)):
        said = table.said(row)
        yield said.otherwise if isinstance(said, RequirementError) else said


def _targets(wide: Search, index: int) -> tuple[str, ...]:
    """The tools that a requirement makes rules about, or asks about."""
    requirement = _table(wide, index).bound.requirement
    if isinstance(requirement, AskPermissionRequirement):
        return tuple(tool.name for tool in wide.policy.tools if requirement.manages(tool))
    about = {rule.target for rules in _said(wide, index) for rule in rules}
    return tuple(tool for tool in wide.graph.tools if tool in about)
