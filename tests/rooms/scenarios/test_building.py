"""Building: what stands in a policy file is what stands in the policy."""

from pathlib import Path

import pytest

from beewalk import (
    AskPermissionRequirement,
    ConditionalRequirement,
    FixedRules,
    Limits,
    Loop,
    Policy,
    PolicyError,
    RepeatedCalls,
    ThinkTool,
    Tool,
)
from beewalk.errors import Problem
from beewalk.scenarios.building import read_policy


def policy_of(text: str, tmp_path: Path) -> Policy:
    path = tmp_path / "p.policy.yaml"
    path.write_text(text, encoding="utf-8")
    return read_policy(path).policy


def test_smallest_file_has_the_defaults(tmp_path: Path) -> None:
    policy = policy_of("policy: p\ntools: [think, a]\n", tmp_path)
    assert (policy.name, policy.answer, policy.input, policy.requirements) == ("p", "text", "", ())
    assert (policy.limits, policy.limits_given, policy.loop) == (Limits(20, 3, 20), False, Loop())
    assert [tool.name for tool in policy.tools] == ["think", "a", "final_answer"]
    assert isinstance(policy.tools[0], ThinkTool)
    assert policy.tools[0].description == ThinkTool.description


def test_tools_have_what_the_file_says_of_them(tmp_path: Path) -> None:
    text = """\
policy: p
tools:
  think: {description: my own}
  a: {description: d, outcomes: {ok: 1, error: e, empty: ""}, arguments: {type: object}}
  b: {arguments: none}
  c:
"""
    think, a, b, c, _ = policy_of(text, tmp_path).tools
    assert (think.description, type(think)) == ("my own", ThinkTool)
    assert (a.description, a.arguments, a.named_outcomes) == ("d", {"type": "object"}, ("empty",))
    assert [a.returns(outcome) for outcome in ("ok", "error", "empty")] == [1, "e", ""]
    assert (b.arguments, c.arguments, c.returns("ok"), type(c)) == ("none", "any", "c", Tool)


def test_limits_and_loop_are_taken(tmp_path: Path) -> None:
    text = """\
policy: p
tools: [a]
limits: {max_iterations: 0, max_retries_per_step: null}
loop: {final_answer_as_tool: false, parallel_tool_calls: true, repeated_calls: {window_size: 4}}
answer: {type: object}
input: hello
"""
    policy = policy_of(text, tmp_path)
    assert (policy.limits, policy.limits_given) == (Limits(0, None, 20), True)
    assert policy.loop == Loop(
        final_answer_as_tool=False, parallel_tool_calls=True, repeated_calls=RepeatedCalls(1, 5, 4)
    )
    assert (policy.answer, policy.input) == ({"type": "object"}, "hello")


def test_repeated_calls_can_be_switched_off(tmp_path: Path) -> None:
    assert policy_of("policy: p\ntools: [a]\nloop: {repeated_calls: false}\n", tmp_path).loop.repeated_calls is None


def test_every_parameter_of_conditional_is_taken(tmp_path: Path) -> None:
    text = """\
policy: p
tools: [a, b, c]
requirements:
  - conditional: a
    name: n
    force_at_step: 3
    only_before: b
    only_after: [c]
    force_after: "*"
    force_prevent_stop: false
    min_invocations: 1
    max_invocations: 2
    only_success_invocations: false
    consecutive_allowed: false
    priority: 7
    enabled: false
    reason: r
  - conditional: b
"""
    text = text.replace("    only_before: b\n", "").replace('"*"', "[b, c]")
    one, other = policy_of(text, tmp_path).requirements
    assert isinstance(one, ConditionalRequirement)
    assert isinstance(other, ConditionalRequirement)
    names = [
        "target", "name", "force_at_step", "only_before", "only_after", "force_after", "force_prevent_stop",
        "min_invocations", "max_invocations", "only_success_invocations", "consecutive_allowed", "priority", "enabled",
        "reason",
    ]  # fmt: skip
    assert [getattr(one, name) for name in names] == [
        "a", "n", 3, (), ("c",), ("b", "c"), False, 1, 2, False, False, 7, False, "r",
    ]  # fmt: skip
    assert [getattr(other, name) for name in names] == [
        "b", "conditional b", None, (), (), (), True, 0, None, True, True, 10, True, None,
    ]  # fmt: skip


@pytest.mark.parametrize(("written", "managed"), [("[]", "ab"), ('"*"', "ab"), ("a", "a"), ("[a, b], exclude: b", "a")])
def test_tools_to_ask_for_are_taken(written: str, managed: str, tmp_path: Path) -> None:
    policy = policy_of(f"policy: p\ntools: [a, b]\nrequirements: [{{ask_permission: {written}}}]\n", tmp_path)
    asking = policy.requirements[0]
    assert isinstance(asking, AskPermissionRequirement)
    assert "".join(tool.name for tool in policy.tools if asking.manages(tool)) == managed


def test_switches_of_ask_permission_are_taken(tmp_path: Path) -> None:
    switches = "remember_choices: true, hide_disallowed: true, always_allow: true"
    policy = policy_of(f"policy: p\ntools: [a]\nrequirements: [{{ask_permission: a, {switches}}}]\n", tmp_path)
    asking = policy.requirements[0]
    assert isinstance(asking, AskPermissionRequirement)
    assert (asking.remember_choices, asking.hide_disallowed, asking.always_allow) == (True, True, True)


def test_fixed_rules_are_taken(tmp_path: Path) -> None:
    text = """\
policy: p
tools: [a]
requirements:
  - rules:
      - {target: a, allowed: false, hidden: true, reason: r}
      - {target: final_answer, forced: true, prevent_stop: true}
    name: n
    priority: 3
"""
    fixed = policy_of(text, tmp_path).requirements[0]
    assert isinstance(fixed, FixedRules)
    first, second = fixed.rules
    assert (fixed.name, fixed.priority) == ("n", 3)
    assert (first.target, first.allowed, first.hidden, first.forced, first.reason) == ("a", False, True, False, "r")
    assert (second.target, second.allowed, second.forced, second.prevent_stop) == ("final_answer", True, True, True)


def test_custom_checks_are_taken_in_order(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(
        "def one(state): return True\n\ndef two(state): return True\n", encoding="utf-8"
    )
    text = "policy: p\ntools: [a]\nrequirements: [{conditional: a, custom_checks: ['checks:two', 'checks:one']}]\n"
    requirement = policy_of(text, tmp_path).requirements[0]
    assert isinstance(requirement, ConditionalRequirement)
    assert [check.__name__ for check in requirement.custom_checks] == ["two", "one"]


def test_what_a_requirement_refuses_when_it_is_bound_has_its_place(tmp_path: Path) -> None:
    code = """\
from beewalk import Requirement


class Picky(Requirement):
    name = "picky"

    async def init(self, *, tools, ctx):
        raise LookupError("needs more tools")

    def run(self, state):
        return []
"""
    (tmp_path / "picky.py").write_text(code, encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        policy_of("policy: p\ntools: [a]\nrequirements:\n  - python: 'picky:Picky'\n", tmp_path)
    assert [problem.at.rpartition("policy.yaml:")[2] for problem in caught.value.problems] == ["4:5"]
    assert "init() of 'picky' raised LookupError: needs more tools" in str(caught.value)


def test_problems_keep_their_paths_and_come_once(tmp_path: Path) -> None:
    with pytest.raises(PolicyError) as caught:
        policy_of("policy: p\ntools: [&x 3, *x]\nlimits: {max_iterations: many}\n", tmp_path)
    assert [problem.path for problem in caught.value.problems] == [("tools", 0), ("limits", "max_iterations")]


def test_more_problems_join_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "p.policy.yaml"
    path.write_text("policy: p\nabout: x\ntools: 3\n", encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        read_policy(path, "p", more=lambda document: [Problem((), "no about", "", document.at(("about",), key=True))])
    assert list(map(str, caught.value.problems)) == [
        "p:2:1: no about",
        "p:3:8: tools: found 3: write a list or a mapping",
    ]
