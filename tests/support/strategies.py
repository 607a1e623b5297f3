"""Hypothesis strategies: policies, histories and remembered choices."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from beewalk import (
    AskPermissionRequirement,
    ConditionalRequirement,
    FinalAnswerTool,
    FixedRules,
    Limits,
    Loop,
    Policy,
    PolicyError,
    Requirement,
    Rule,
    ThinkTool,
    Tool,
)
from beewalk.policy.target import Target, matches

NAMES = ("think", "a", "b", "c")


def tools_of(count: int) -> list[Tool]:
    """The first tools of NAMES."""
    return [ThinkTool() if name == "think" else Tool(name) for name in NAMES[:count]]


def _sometimes(draw: st.DrawFn, values: st.SearchStrategy[Any], share: int = 3) -> Any:
    """None, or one time in `share` a value."""
    return draw(values) if draw(st.integers(1, share)) == 1 else None


def _targets(draw: st.DrawFn, names: Sequence[str]) -> list[Target] | None:
    """None, one or two names, "*", or a class."""
    kind = draw(st.integers(0, 9))
    if kind < 6:
        return None
    if kind == 9:
        return [draw(st.sampled_from([Tool, FinalAnswerTool, *([ThinkTool] if "think" in names else [])]))]
    return list(draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True)))


@st.composite
def conditionals(draw: st.DrawFn, names: Sequence[str], *, checks: bool = False) -> ConditionalRequirement:
    """A ConditionalRequirement that can be made; it may still be refused when it is bound."""
    flags = draw(st.integers(0, 63))
    only_after = _targets(draw, names)
    low = _sometimes(draw, st.integers(0, 2))
    parameters: dict[str, Any] = {
        "only_after": only_after,
        "only_before": _targets(draw, names) if only_after else None,  # alone it does nothing upstream: pinned
        "force_after": _targets(draw, names),
        "force_at_step": _sometimes(draw, st.integers(1, 3)),
        "min_invocations": low,
        "max_invocations": _sometimes(draw, st.integers(low or 0, 3)),
        "consecutive_allowed": bool(flags & 1),
        "force_prevent_stop": not flags & 2 or not flags & 4,
        "only_success_invocations": bool(flags & 8),
        "priority": draw(st.sampled_from([None, None, 5, 10, 11, 20])),
        "reason": "because" if flags & 16 and flags & 32 else None,
        "enabled": flags != 7,
    }
    if checks and draw(st.integers(0, 5)) == 0:
        parameters["custom_checks"] = [draw(st.sampled_from(CHECKS))]
    try:
        return ConditionalRequirement(draw(st.sampled_from([*names, "final_answer"])), **parameters)
    except PolicyError:
        for clash in ("only_before", "force_after"):
            parameters[clash] = None
        target = draw(st.sampled_from(names))
        return ConditionalRequirement(target, **parameters)


def _few_steps(state: Any) -> bool:
    return len(state.steps) < 3


def _last_was_not_a(state: Any) -> bool:
    return not (state.steps and state.steps[-1].tool is not None and state.steps[-1].tool.name == "a")


CHECKS = (_few_steps, _last_was_not_a)


@st.composite
def fixed_rules(draw: st.DrawFn, names: Sequence[str]) -> FixedRules:
    """One or two rules that hold every turn."""
    rules = []
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.integers(0, 9))
        rules.append(
            Rule(
                target=draw(st.sampled_from([*names, "final_answer"])),
                allowed=kind != 0,
                hidden=kind == 1,
                forced=kind in {2, 3, 4},
                prevent_stop=kind in {4, 5, 6},
                reason="fixed" if kind in {0, 7} else None,
            )
        )
    return FixedRules(rules, priority=draw(st.sampled_from([None, 10, 12, 20])))


@st.composite
def permissions(draw: st.DrawFn, names: Sequence[str]) -> AskPermissionRequirement:
    """Permission for some tools or all."""
    include = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    remember, hide, always = draw(st.booleans()), draw(st.booleans()), draw(st.integers(0, 5)) == 0
    return AskPermissionRequirement(include, remember_choices=remember, hide_disallowed=hide, always_allow=always)


@st.composite
def policies(draw: st.DrawFn, *, checks: bool = False, most: int = 4) -> Policy | None:
    """A policy, or None where what was drawn is refused when it is bound."""
    tools = tools_of(draw(st.integers(2, len(NAMES))))
    names = [tool.name for tool in tools]
    requirements: list[Requirement[Any]] = []
    for _ in range(draw(st.integers(1, most))):
        kind = draw(st.integers(0, 9))
        made = (
            permissions(names) if kind == 0 else fixed_rules(names) if kind < 3 else conditionals(names, checks=checks)
        )
        requirements.append(draw(made))
    requirements += draw(_pressing(names))
    if any(_two_at_once(one, tools) for one in requirements):
        return None
    loop = Loop(final_answer_as_tool=draw(st.integers(0, 3)) > 0)
    try:
        return Policy(tools, requirements, loop=loop, limits=Limits())
    except PolicyError:
        return None


def with_silent_tools(policy: Policy, bits: int, **options: Any) -> Policy:
    """The same policy, some of its tools taking no arguments: tool number n (think never) where bit n is set."""
    tools = [
        Tool(tool.name, arguments="none") if bits >> number & 1 and tool.name != "think" else tool
        for number, tool in enumerate(policy.tools[:-1])
    ]
    kept = {"loop": policy.loop, "limits": policy.limits, "input": policy.input}
    return Policy(tools, policy.requirements, **{**kept, **options})


@st.composite
def _pressing(draw: st.DrawFn, names: Sequence[str]) -> list[Requirement[Any]]:
    """Requirements that make rare things frequent: nothing allowed, or several tools forced at once."""
    kind = draw(st.integers(0, 9))
    if kind < 2:
        kept = draw(st.sampled_from([None, None, *names]))
        rules = [Rule(target=name, allowed=name == kept, reason="pressed") for name in names]
        return [FixedRules([*rules, Rule(target="final_answer", prevent_stop=True)])]
    if kind < 4:
        forced = draw(st.lists(st.sampled_from([*names, "final_answer"]), min_size=2, max_size=3, unique=True))
        priorities = st.sampled_from([10, 10, 20])
        return [FixedRules([Rule(target=name, forced=True)], priority=draw(priorities)) for name in forced]
    return []


def _two_at_once(one: Requirement[Any], tools: Sequence[Tool]) -> bool:
    """Whether one call matches two targets of only_after: upstream strikes out one of them, in hash order (pinned)."""
    if not isinstance(one, ConditionalRequirement):
        return False
    return any(sum(matches(target, tool) for target in one.only_after) > 1 for tool in tools)


def histories(names: Sequence[str], *, most: int = 5) -> st.SearchStrategy[str]:
    """Up to `most` moves as text, "a b:error ghost:unoffered"."""
    moves = [f"{name}{outcome}" for name in names for outcome in ("", "", ":error", ":denied")]
    return st.lists(st.sampled_from([*moves, "ghost:unoffered"]), max_size=most).map(" ".join)


def choices(names: Sequence[str]) -> st.SearchStrategy[dict[str, bool]]:
    """Remembered permissions."""
    return st.dictionaries(st.sampled_from(names), st.booleans(), max_size=2)
