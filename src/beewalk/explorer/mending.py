"""Mending: what to change in a policy, in words, from what is to blame."""

from collections.abc import Callable, Sequence

from beewalk.explorer.blame import MAX_ITERATIONS, REPEATED_CALLS, Blame, Ground, all_grounds, in_order
from beewalk.explorer.finding import rulings_at
from beewalk.explorer.search import Search
from beewalk.policy.binding import Bound
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.fixed import FixedRules
from beewalk.policy.target import target_text

# What to do about one parameter of a requirement on the tool {tool}.
_CHANGES = {
    "consecutive_allowed": "let {tool} follow itself (consecutive_allowed: true), or allow another tool in between",
    "max_invocations": "drop max_invocations of {tool}",
    "min_invocations": "drop min_invocations of {tool}, or lower it",
    "only_after": "drop only_after of {tool}, or make possible what it waits for",
    "only_before": "drop only_before of {tool}, or see to it that {tool} is called in time",
    "custom_checks": "let the custom checks of {tool} pass",
    "force_at_step": "move or drop force_at_step of {tool}",
    "force_after": "drop force_after of {tool}",
    "force_prevent_stop": "set force_prevent_stop: false on {tool}, or do not force it then",
    "remember_choices": "do not remember refusals (remember_choices: false)",
    "hide_disallowed": "do not hide what was refused (hide_disallowed: false)",
}


_NOT_REQUIREMENTS = {REPEATED_CALLS: "loop.repeated_calls", MAX_ITERATIONS: "limits.max_iterations"}


def ground_text(search: Search, ground: Ground) -> str:
    """A ground as users find it: its place in the policy and the requirement's name."""
    index, parameter = ground
    if ground in _NOT_REQUIREMENTS:
        return _NOT_REQUIREMENTS[ground]
    place = f"requirements[{index}]" + (f".{parameter}" if parameter else "")
    return f"{place} ({_bound(search, index).name})"


def changes(search: Search, grounds: Sequence[Ground]) -> tuple[str, ...]:
    """What to change for each of `grounds`, in words."""
    return tuple(dict.fromkeys(_change(search, ground) for ground in grounds))


def helping(search: Search, blame: Blame, state: int, helps: Callable[[frozenset[Ground]], bool]) -> tuple[str, ...]:
    """Changes of which any one helps; where none does alone, some that help together; nothing where none are found.

    Those to blame are told rather than others that have a say in `state`.

    Args:
        search: what was explored.
        blame: what is to blame.
        state: where it shows.
        helps: whether muting some grounds mends it.
    """
    rulings = rulings_at(search, state)
    here = [(one.index, one.parameter) for ruling in rulings.values() for one in ruling.because]
    tried = tuple(dict.fromkeys([*blame, *here]))
    enough = [ground for ground in tried if helps(frozenset([ground]))]
    if enough:
        return changes(search, [ground for ground in blame if ground in enough] or enough)
    needed = frozenset(tried)
    if not helps(needed):
        return ()
    for ground in reversed(tried):
        if helps(needed - {ground}):
            needed -= {ground}
    *first, last = changes(search, in_order(needed))
    return (f"{'; '.join(first)}; and {last}" if first else last,)


def grounds_by_say(search: Search, state: int) -> list[Ground]:
    """All grounds of the policy, those that have a say in `state` last."""
    rulings = rulings_at(search, state)
    here = {(one.index, one.parameter) for ruling in rulings.values() for one in ruling.because}
    loop = [REPEATED_CALLS] if search.alphabet.repeats else []
    return sorted([*all_grounds(search.raw), *loop], key=lambda ground: ground in here)


def _change(search: Search, ground: Ground) -> str:
    index, parameter = ground
    if ground == REPEATED_CALLS:
        tools = [search.policy.tools[number].name for number in search.alphabet.repeats]
        return f"let {' and '.join(tools)} take arguments, or do not look for repeated calls (repeated_calls: false)"
    requirement = _bound(search, index).requirement
    if isinstance(requirement, FixedRules) and parameter is not None:
        rule, _, flag = parameter.partition(".")
        return f"drop {flag}: {'false' if flag == 'allowed' else 'true'} from {rule} of {requirement.name!r}"
    if isinstance(requirement, ConditionalRequirement) and parameter in _CHANGES:
        tool = target_text(requirement.target)
        return _CHANGES[parameter].format(tool=tool)
    if parameter in _CHANGES:
        return _CHANGES[parameter]
    return f"change what {ground_text(search, ground)} says"


def name_of(search: Search, index: int) -> str:
    """The name of a requirement by its place in the policy."""
    return _bound(search, index).name


def _bound(search: Search, index: int) -> Bound:
    return next(bound for bound in search.bound if bound.index == index)
