"""Mending: what to change in a policy, in words, from what is to blame."""

from beewalk.explorer.blame import Blame
from beewalk.explorer.search import Search
from beewalk.policy.binding import Bound
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.target import target_text

# What to do about one parameter of a requirement on the tool {tool}.
_CHANGES = {
    "consecutive_allowed": "let {tool} follow itself (consecutive_allowed: true), or allow another tool in between",
    "max_invocations": "raise max_invocations of {tool}",
    "min_invocations": "lower min_invocations of {tool}",
    "only_after": "allow {tool} without the calls that it waits for (only_after), or make those possible first",
    "only_before": "allow {tool} also later (only_before), or keep the tool that bars it from being called first",
    "custom_checks": "let the custom check of {tool} pass",
    "force_at_step": "move force_at_step of {tool} to a step at which it is allowed",
    "force_after": "drop force_after of {tool}",
    "force_prevent_stop": "set force_prevent_stop: false on {tool}",
    "remember_choices": "do not remember refusals (remember_choices: false)",
    "hide_disallowed": "do not hide what was refused (hide_disallowed: false)",
}


def ground_text(search: Search, ground: tuple[int, str | None]) -> str:
    """A ground as users find it: its place in the policy and the requirement's name."""
    index, parameter = ground
    place = f"requirements[{index}]" + (f".{parameter}" if parameter else "")
    return f"{place} ({_bound(search, index).name})"


def mends(search: Search, blame: Blame) -> tuple[str, ...]:
    """What to change; any one of these is enough."""
    return tuple(dict.fromkeys(_change(search, index, parameter) for index, parameter in blame))


def _change(search: Search, index: int, parameter: str | None) -> str:
    requirement = _bound(search, index).requirement
    if isinstance(requirement, ConditionalRequirement) and parameter in _CHANGES:
        return _CHANGES[parameter].format(tool=target_text(requirement.target))
    if parameter in _CHANGES:
        return _CHANGES[parameter]
    return f"change {ground_text(search, (index, parameter))}"


def _bound(search: Search, index: int) -> Bound:
    return next(bound for bound in search.bound if bound.index == index)
