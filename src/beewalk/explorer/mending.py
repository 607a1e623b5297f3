"""Mending: what to change in a policy, in words, from what is to blame."""

from collections.abc import Sequence

from beewalk.explorer.blame import REPEATED_CALLS, Ground
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


def ground_text(search: Search, ground: Ground) -> str:
    """A ground as users find it: its place in the policy and the requirement's name."""
    index, parameter = ground
    if ground == REPEATED_CALLS:
        return "loop.repeated_calls"
    place = f"requirements[{index}]" + (f".{parameter}" if parameter else "")
    return f"{place} ({_bound(search, index).name})"


def changes(search: Search, grounds: Sequence[Ground]) -> tuple[str, ...]:
    """What to change for each of `grounds`, in words."""
    return tuple(dict.fromkeys(_change(search, ground) for ground in grounds))


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


def _bound(search: Search, index: int) -> Bound:
    return next(bound for bound in search.bound if bound.index == index)
