from beewalk import AskPermissionRequirement, FixedRules, Rule
from beewalk.policy.machine import fold
from beewalk.policy.state import Run
from beewalk.policy.step import Step, Turn
from beewalk.reasoner.request import Request
from tests.support.builders import a_policy, request_after, turns_of


def test_no_include_means_every_tool_but_the_answer() -> None:
    policy = a_policy("a b", AskPermissionRequirement())
    made = policy.requirements[0]
    assert isinstance(made, AskPermissionRequirement)
    assert [tool.name for tool in policy.tools if made.manages(tool)] == ["a", "b"]
    assert [tool.name for tool in policy.tools if AskPermissionRequirement([], exclude="a").manages(tool)] == ["b"]


def test_choices_are_remembered_only_where_asked_to() -> None:
    policy = a_policy("a b", AskPermissionRequirement("a", remember_choices=True))
    for history, allowed in (("a:denied", False), ("a", True), ("a:error a:denied", True), ("b:denied", True)):
        said = request_after(policy, history)
        assert isinstance(said, Request)
        assert ("a" in said.allowed) is allowed
    forgetful = request_after(a_policy("a b", AskPermissionRequirement("a")), "a:denied")
    assert isinstance(forgetful, Request)
    assert "a" in forgetful.allowed


def test_a_remembered_refusal_hides_where_it_should() -> None:
    hiding = a_policy("a b", AskPermissionRequirement("a", remember_choices=True, hide_disallowed=True))
    said = request_after(hiding, "a:denied")
    assert isinstance(said, Request)
    assert said.hidden == {"a"}


def test_choices_of_earlier_runs_stand_from_the_start() -> None:
    policy = a_policy("a b", AskPermissionRequirement("a"))
    said = request_after(policy, run=Run(choices={"a": False, "b": False}))
    assert isinstance(said, Request)
    assert said.allowed == {"b", "final_answer"}


def test_of_two_answers_in_one_turn_the_last_stands() -> None:
    policy = a_policy("a b", AskPermissionRequirement("a", remember_choices=True))
    made = policy.requirements[0]
    assert isinstance(made, AskPermissionRequirement)
    machine = made.machine(policy.tools)
    both = Turn(1, (Step.of(policy.tools[0], "ok"), Step.of(policy.tools[0], "denied")))
    assert fold(machine, Run(), [both]) == (("a", False),)


def test_what_happens_when_a_tool_is_called() -> None:
    policy = a_policy("a b", AskPermissionRequirement("a", remember_choices=True))
    made = policy.requirements[0]
    assert isinstance(made, AskPermissionRequirement)
    machine = made.machine(policy.tools)
    start, refused = machine.start(Run()), fold(machine, Run(), turns_of(policy, "a:denied"))
    assert [machine.permission(memory, "a") for memory in (start, refused)] == [None, False]
    assert machine.permission(start, "b") is True
    always = AskPermissionRequirement("a", always_allow=True).machine(policy.tools)
    assert always.permission((), "a") is True
    assert always.after((), turns_of(policy, "a")[0]) == ()


def test_fixed_rules_name_the_flag_that_does_it() -> None:
    fixed = FixedRules([Rule(target="a"), Rule(target="b", allowed=False, hidden=True)], name="mine", priority=7)
    assert (fixed.name, fixed.priority) == ("mine", 7)
    assert fixed.rules[1].grounds == (("forbids", "rules[1].allowed"), ("hides", "rules[1].hidden"))
