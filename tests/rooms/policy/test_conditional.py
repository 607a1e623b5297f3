from typing import Any

import pytest

from beewalk import ConditionalRequirement, PolicyError, RequirementError, ThinkTool, Tool
from beewalk.policy.target import matches, target_text, targets_of
from beewalk.reasoner.request import DeadEnd, Request
from tests.support.builders import a_policy, request_after, when


def offer(policy_tools: str, requirement: ConditionalRequirement, history: str = "") -> Request:
    said = request_after(a_policy(policy_tools, requirement), history)
    assert isinstance(said, Request)
    return said


@pytest.mark.parametrize(
    ("parameters", "history", "allowed"),
    [
        # consecutive_allowed
        ({"consecutive_allowed": False}, "a", False),
        ({"consecutive_allowed": False}, "a b", True),
        ({"consecutive_allowed": False}, "a b:error", False),  # a failed call is not seen
        ({"consecutive_allowed": False, "only_success_invocations": False}, "a b:error", True),
        # max_invocations
        ({"max_invocations": 2}, "a b", True),
        ({"max_invocations": 2}, "a b a", False),
        ({"max_invocations": 1}, "a:error a:error", True),
        ({"max_invocations": 1, "only_success_invocations": False}, "a:error", False),
        ({"max_invocations": 1}, "a:denied", False),  # a refused call counts
        ({"max_invocations": 0}, "", False),
        # only_after, only_before
        ({"only_after": "b"}, "", False),
        ({"only_after": "b"}, "b:error", False),
        ({"only_after": "b"}, "b:denied", True),
        ({"only_after": ["b", "think"]}, "b", False),
        ({"only_after": ["b", "think"]}, "b think", True),
        ({"only_after": "*"}, "think", True),
        ({"only_after": Tool}, "", False),
        ({"only_after": ThinkTool}, "think", True),
        ({"only_after": "*", "only_success_invocations": False}, "ghost:unoffered", False),
        ({"only_before": "b"}, "", True),
        ({"only_before": "b"}, "b a", False),
        # custom_checks
        ({"custom_checks": [lambda state: state.iteration > 1]}, "", False),
        ({"custom_checks": [lambda state: state.iteration > 1]}, "b", True),
        ({"custom_checks": [lambda state: True, lambda state: False]}, "", False),
    ],
)
def test_when_the_target_is_allowed(parameters: dict[str, Any], history: str, allowed: bool) -> None:
    assert ("a" in offer("think a b", when("a", **parameters), history).allowed) is allowed


@pytest.mark.parametrize(
    ("parameters", "history", "forced"),
    [
        ({"force_at_step": 1}, "", True),
        ({"force_at_step": 1}, "b:error", True),  # the failed call is not a step
        ({"force_at_step": 2}, "b", True),
        ({"force_at_step": 2, "only_success_invocations": False}, "b:error", True),
        ({"force_at_step": 2}, "b b", False),
        ({"force_after": "b"}, "b", True),
        ({"force_after": "b"}, "b think", False),
        ({"force_after": ["b", "think"]}, "think", True),
        ({"force_after": "b", "max_invocations": 0}, "b", False),  # forbidden, so not forced
    ],
)
def test_when_the_target_is_forced(parameters: dict[str, Any], history: str, forced: bool) -> None:
    assert (offer("think a b", when("a", **parameters), history).forced == "a") is forced


@pytest.mark.parametrize(
    ("parameters", "history", "can_stop"),
    [
        ({"min_invocations": 1}, "", False),
        ({"min_invocations": 1}, "a", True),
        ({"min_invocations": 1}, "a:error", False),
        ({"min_invocations": 2}, "a", False),
        ({"force_at_step": 1}, "", False),
        ({"force_at_step": 1, "force_prevent_stop": False}, "", True),
    ],
)
def test_when_the_agent_can_stop(parameters: dict[str, Any], history: str, can_stop: bool) -> None:
    assert offer("think a b", when("a", **parameters), history).can_stop is can_stop


def test_a_step_that_cannot_be_met_raises() -> None:
    policy = a_policy("a b", when("a", force_at_step=2, only_after="b"))
    with pytest.raises(
        RequirementError, match="'a' must be called at step 2, but only_after forbids it then"
    ) as caught:
        request_after(policy, "a:error a")
    assert caught.value.parameters == ("force_at_step", "only_after")


def test_the_reason_is_told_only_while_forbidden() -> None:
    requirement = when("a", only_after="b", reason="b first")
    assert offer("a b", requirement).reason("a") == "b first"
    assert offer("a b", requirement, "b").reason("a") is None


def test_custom_checks_are_asked_last_and_only_until_one_is_false() -> None:
    asked: list[bool] = []

    def check(answer: bool) -> Any:
        def noting(state: Any) -> bool:
            asked.append(answer)
            return answer

        return noting

    requirement = when("a", only_after="b", custom_checks=[check(True), check(False), check(True)])
    offer("a b", requirement)
    assert asked == []
    offer("a b", requirement, "b")
    assert asked == [True, False]


def test_all_contradictions_come_at_once() -> None:
    with pytest.raises(PolicyError) as caught:
        ConditionalRequirement("a", min_invocations=3, max_invocations=1, force_at_step=0, priority=0, only_before="a")
    assert [problem.path for problem in caught.value.problems] == [
        ("min_invocations",),
        ("force_at_step",),
        ("priority",),
        ("only_before",),
    ]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"target": "ghost"}, "did you mean|possible: think, a, b, final_answer"),
        ({"target": Tool}, r"matches 4 tools: think, a, b, final_answer"),
        ({"target": "a", "only_after": ["b", "bb"]}, r"requirements\[0\].only_after\[1\]: .*did you mean 'b'"),
        ({"target": "think", "only_before": ThinkTool}, "max_invocations: 1"),
        ({"target": "think", "force_after": "*"}, "consecutive_allowed: false"),
    ],
)
def test_what_cannot_be_bound_says_how_to_mend_it(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        a_policy("think a b", ConditionalRequirement(**parameters))


def test_a_disabled_requirement_makes_no_rules() -> None:
    assert "a" in offer("a b", when("a", max_invocations=0, enabled=False)).allowed
    assert isinstance(
        request_after(a_policy("a", when("a", max_invocations=0), when("final_answer", max_invocations=0))), DeadEnd
    )


def test_targets_are_written_in_many_ways_and_read_once() -> None:
    think = ThinkTool()
    assert targets_of(["*", Tool, "a", "a", think]) == (Tool, "a", think)
    assert [target_text(target) for target in (Tool, ThinkTool, "a", think)] == ["*", "ThinkTool", "a", "think"]
    assert matches(think, think)
    assert not matches(ThinkTool(), think)
    assert not matches("a", None)
