"""What a scenario expects, judged on runs; what fails explains itself."""

from typing import Any

import pytest

from beewalk import AskPermissionRequirement, Loop, Policy, Requirement, RequirementError, Tool, call, final_answer, run
from beewalk.errors import path_text
from beewalk.scenarios.expectations import Failure, judge
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, Moves, RequestWanted
from beewalk.turn.trajectory import Trajectory
from tests.support.builders import a_policy, when

TWO = Loop(parallel_tool_calls=True)
PLAN = a_policy(
    "think weather search", when("think", force_at_step=1), when("search", only_after="weather", reason="weather first")
)


def plan() -> Trajectory:
    return run(
        PLAN, [call.think(), call.weather(city="Boston", n=1), call.search(q=True), final_answer("An umbrella.")]
    )


def dead_end() -> Trajectory:
    policy = a_policy("a", when("a", max_invocations=1), when("final_answer", only_before="a"))
    return run(policy, [call.a()])


def said(made: Trajectory, **wanted: Any) -> list[Failure]:
    return judge(Expectation(("expect",), **wanted), made)


def one(made: Trajectory, **wanted: Any) -> Failure:
    (failure,) = said(made, **wanted)
    return failure


def moves(text: str) -> Moves:
    return tuple((move,) for move in text.split())


def test_what_is_as_expected_says_nothing() -> None:
    wanted: dict[str, Any] = {
        "trajectory": moves("think weather:ok search final_answer"),
        "ends": "final_answer",
        "answer": {"equals": "An umbrella.", "contains": "umb", "matches": "^An"},
        "calls": {"weather": CallsWanted(1, 1, (ArgumentsWanted({"city": "Boston"}, subset=True),))},
        "requests": (
            RequestWanted(
                turn=1, allowed=frozenset({"think"}), hidden=frozenset(), tool_choice="think", can_stop=False
            ),
            RequestWanted(request=2, reason={"search": "weather first"}),
        ),
    }
    assert said(plan(), **wanted) == []
    assert said(plan()) == []


def test_a_trajectory_parts_at_a_call_and_says_what_was_offered_and_why_not() -> None:
    failure = one(plan(), trajectory=moves("think search final_answer"))
    assert path_text(failure.path) == "expect.trajectory"
    assert (failure.expected, failure.got, failure.turn) == (
        "think search final_answer",
        "think weather search final_answer",
        2,
    )
    assert failure.notes == (
        "they part at call 2: expected search, got weather",
        "offered in turn 2: think, weather, final_answer (tool_choice required, can stop)",
        "search: forbidden by only_after of 'conditional search' (weather first)",
    )


@pytest.mark.parametrize(
    ("wanted", "note"),
    [
        ("think weather search final_answer think", "they part at call 5: expected think, got nothing more"),
        ("think weather search", "they part at call 4: expected nothing more, got final_answer"),
        ("think weather:error search final_answer", "they part at call 2: expected weather:error, got weather"),
        ("", "they part at call 1: expected nothing more, got think"),
    ],
)
def test_a_trajectory_may_be_too_short_too_long_or_of_another_outcome(wanted: str, note: str) -> None:
    assert one(plan(), trajectory=moves(wanted)).notes[0] == note


def test_a_run_that_ended_before_says_how() -> None:
    failure = one(dead_end(), trajectory=moves("a final_answer"))
    assert failure.turn == 2
    assert failure.notes == (
        "they part at call 2: expected final_answer, got nothing more",
        "the run ended: dead_end: nothing is allowed",
        "final_answer: forbidden by only_before of 'conditional final_answer'",
    )


def test_a_run_that_went_on_to_its_end_says_what_was_offered_last() -> None:
    made = run(a_policy("a b", when("b", only_after="a")), [final_answer("x")])
    assert one(made, trajectory=moves("final_answer b")).notes == (
        "they part at call 2: expected b, got nothing more",
        "the run ended: final_answer: the final answer was given",
        "offered in turn 1: a, final_answer (tool_choice required, can stop)",
        "b: forbidden by only_after of 'conditional b'",
    )


class Raises(Requirement[Any]):
    name = "raises"

    def __init__(self, message: str) -> None:
        super().__init__()
        self.message = message

    def run(self, state: Any) -> list[Any]:
        raise RequirementError(self.message)


@pytest.mark.parametrize(
    ("message", "told"), [("", "no reason was given"), ("\n \n", "no reason was given"), ("\nno:\nway", "no")]
)
def test_a_run_that_ends_without_a_word_is_explained_too(message: str, told: str) -> None:
    made = run(Policy([Tool("a")], [Raises(message)]), [])
    wanted: dict[str, Any] = {
        "trajectory": moves("a"),
        "ends": "final_answer",
        "answer": {"contains": "x"},
        "calls": {"a": CallsWanted(at_least=1, arguments=(ArgumentsWanted({}),))},
        "requests": (RequestWanted(turn=1),),
    }
    failures = said(made, **wanted)
    assert len(failures) == 6
    assert [failure.turn for failure in failures] == [1, 1, None, None, None, None]
    for failure in failures:
        assert {f"the run ended: requirement_error: {told}", f"it ended: {told}"} & set(failure.notes)


def test_calls_of_one_turn_are_told_from_calls_of_two() -> None:
    together = run(a_policy("a b", loop=TWO), [[call.a(), call.b()], final_answer("x")])
    apart = run(a_policy("a b"), [call.a(), call.b(), final_answer("x")])
    wanted: Moves = (("a", "b"), ("final_answer",))
    assert said(together, trajectory=wanted) == []
    assert said(together, trajectory=moves("a b final_answer")) == []
    failure = one(apart, trajectory=wanted)
    assert (failure.expected, failure.turn, failure.notes) == (
        "a & b final_answer",
        1,
        (
            "a & b were called in the turns 1, 2",
            "offered in turn 1: a, b, final_answer (tool_choice required, can stop)",
        ),
    )


def test_a_call_that_was_not_offered_is_written_out() -> None:
    policy = a_policy("a", when("a", max_invocations=0), loop=Loop(final_answer_as_tool=False))
    made = run(policy, [final_answer("x")])
    assert said(made, trajectory=moves("final_answer")) == []
    ghost = run(
        a_policy("a", loop=Loop(final_answer_as_tool=False)), [call.ghost(), final_answer("x")], conduct="unoffered"
    )
    assert said(ghost, trajectory=moves("ghost:unoffered final_answer")) == []
    assert one(ghost, trajectory=moves("ghost final_answer")).turn == 1


def test_another_ending_says_why_it_ended() -> None:
    failure = one(dead_end(), ends="final_answer")
    assert (failure.expected, failure.got) == ("final_answer", "dead_end")
    assert (failure.turn, failure.notes) == (
        2,
        (
            "it ended: nothing is allowed",
            "a: forbidden by max_invocations of 'conditional a'",
            "final_answer: forbidden by only_before of 'conditional final_answer'",
        ),
    )
    assert one(plan(), ends="dead_end").notes[0] == "it ended: the final answer was given"


def test_answers_are_compared_one_key_at_a_time() -> None:
    failures = said(plan(), answer={"equals": "No.", "contains": "no", "matches": "^no"})
    assert [path_text(failure.path) for failure in failures] == [
        "expect.answer.equals",
        "expect.answer.contains",
        "expect.answer.matches",
    ]
    assert {failure.got for failure in failures} == {"An umbrella."}
    missing = one(dead_end(), answer={"contains": "x"})
    assert (missing.got, missing.notes) == (
        "no answer",
        (
            "the run ended: dead_end: nothing is allowed",
            "final_answer: forbidden by only_before of 'conditional final_answer'",
        ),
    )


def test_a_structured_answer_is_compared_as_a_value() -> None:
    made = run(Policy([Tool("a")], answer="structured"), [final_answer(city="x", n=1, list=[1, {"a": True}])])
    good = {"city": "x", "n": 1, "list": [1, {"a": True}]}
    assert said(made, answer={"equals": good}) == []
    for bad in ({**good, "n": True}, {**good, "list": [1]}, {**good, "list": [1, {"a": 1}]}, {"city": "x"}):
        assert one(made, answer={"equals": bad}).path[-1] == "equals"


@pytest.mark.parametrize(
    ("answer", "wanted", "got"),
    [
        ('{"city": "x", "n": [1]}', {"city": "x", "n": [1]}, '{"city": "x", "n": [2]}'),
        ("12", 12, "13"),
        ("true", True, "1"),
        ("null", None, "none at all"),
        ("[]", [], "[" * 100_000),
    ],
)
def test_a_text_that_reads_as_json_is_compared_as_what_it_reads_as(answer: str, wanted: Any, got: str) -> None:
    assert said(run(a_policy("a"), [final_answer(answer)]), answer={"equals": wanted}) == []
    failure = one(run(a_policy("a"), [final_answer(got)]), answer={"equals": wanted})
    assert (failure.expected, failure.got) == (answer, got)


def test_calls_are_counted() -> None:
    few = one(plan(), calls={"weather": CallsWanted(at_least=2)})
    assert (path_text(few.path), few.expected, few.got, few.turn) == (
        "expect.calls.weather.at_least",
        "at least 2",
        "1 call",
        None,
    )
    many = one(plan(), calls={"weather": CallsWanted(at_most=0)})
    assert (path_text(many.path), many.got, many.turn) == ("expect.calls.weather.at_most", "1 call", 2)
    assert many.notes == (
        "the calls: think weather search final_answer",
        "offered in turn 2: think, weather, final_answer (tool_choice required, can stop)",
    )


def test_a_tool_that_was_called_too_rarely_says_what_kept_it_back() -> None:
    failure = one(dead_end(), calls={"a": CallsWanted(at_least=2)})
    assert failure.notes == (
        "the calls: a",
        "the run ended: dead_end: nothing is allowed",
        "a: forbidden by max_invocations of 'conditional a'",
    )


@pytest.mark.parametrize(
    ("wanted", "expected", "got"),
    [
        (ArgumentsWanted({"q": 1}), '{"q": 1}', '{"q": true}'),
        (ArgumentsWanted({}), "{}", '{"q": true}'),
        (ArgumentsWanted({"z": 1}, subset=True), 'at least {"z": 1}', '{"q": true}'),
    ],
)
def test_arguments_are_compared(wanted: ArgumentsWanted, expected: str, got: str) -> None:
    failure = one(plan(), calls={"search": CallsWanted(arguments=(wanted,))})
    assert path_text(failure.path) == "expect.calls.search.arguments[0]"
    assert (failure.expected, failure.got, failure.turn) == (expected, got, 3)


def test_arguments_of_a_call_that_was_not_made() -> None:
    right = ArgumentsWanted({"q": True})
    failure = one(plan(), calls={"search": CallsWanted(arguments=(right, right))})
    assert (path_text(failure.path), failure.got) == ("expect.calls.search.arguments[1]", "there is no call 2")


def test_each_part_of_a_request_is_judged_by_itself() -> None:
    wanted = RequestWanted(
        turn=2,
        allowed=frozenset({"search", "think"}),
        hidden=frozenset({"weather"}),
        tool_choice="search",
        can_stop=False,
        reason={"search": "later", "think": "why not"},
    )
    failures = said(plan(), requests=(wanted,))
    assert [path_text(failure.path) for failure in failures] == [
        "expect.requests[0].allowed",
        "expect.requests[0].hidden",
        "expect.requests[0].tool_choice",
        "expect.requests[0].can_stop",
        "expect.requests[0].reason.search",
        "expect.requests[0].reason.think",
    ]
    assert (failures[0].expected, failures[0].got) == ("think, search", "think, weather, final_answer")
    assert "search: forbidden by only_after of 'conditional search' (weather first)" in failures[0].notes
    assert (failures[1].expected, failures[1].got) == ("weather", "none")
    assert (failures[3].expected, failures[3].got) == ("false", "true")
    assert (failures[4].got, failures[5].got) == ("weather first", "no reason")
    assert {failure.turn for failure in failures} == {2}


def test_what_keeps_the_answer_back_is_told() -> None:
    failure = one(plan(), requests=(RequestWanted(turn=1, can_stop=True),))
    assert failure.notes[-1] == "keeps the final answer back by force_prevent_stop of 'conditional think'"


@pytest.mark.parametrize(
    ("wanted", "expected", "got"),
    [
        (RequestWanted(turn=9), "turn 9", "the last request was in turn 4 (4 requests)"),
        (RequestWanted(request=9), "request 9", "4 requests"),
    ],
)
def test_a_request_that_was_not_made(wanted: RequestWanted, expected: str, got: str) -> None:
    failure = one(plan(), requests=(wanted,))
    assert (failure.expected, failure.got) == (expected, got)
    assert failure.notes == ("the run ended: final_answer: the final answer was given",)


def test_a_request_that_no_tool_was_left_for_is_explained() -> None:
    failure = one(dead_end(), requests=(RequestWanted(turn=2, allowed=frozenset({"a"})),))
    assert failure.got == "the last request was in turn 1 (1 request)"
    assert failure.notes[1:] == (
        "a: forbidden by max_invocations of 'conditional a'",
        "final_answer: forbidden by only_before of 'conditional final_answer'",
    )


def test_a_forced_tool_is_told_with_who_forces_it() -> None:
    failure = one(plan(), requests=(RequestWanted(turn=1, tool_choice="required"),))
    assert failure.notes[-1] == "think: forced by force_at_step of 'conditional think'"


def test_a_run_without_a_request_says_so_too() -> None:
    made = run(a_policy("a b", when("a", force_at_step=1, only_after="b")), [])
    assert one(made, requests=(RequestWanted(turn=1),)).got == "no request"
    assert one(made, ends="final_answer").turn == 1


def test_a_list_is_equal_where_each_of_its_parts_is() -> None:
    made = run(a_policy("a"), [call.a(list=[1, {"b": True}], none=None, half=0.5), final_answer("x")])
    good: dict[str, Any] = {"list": [1, {"b": True}], "none": None, "half": 0.5}
    assert said(made, calls={"a": CallsWanted(arguments=(ArgumentsWanted(good),))}) == []
    for key, bad in (("list", [True, {"b": True}]), ("list", [1]), ("none", False), ("none", 0), ("half", "0.5")):
        for subset, value in ((False, {**good, key: bad}), (True, {key: bad})):
            wanted = CallsWanted(arguments=(ArgumentsWanted(value, subset=subset),))
            assert one(made, calls={"a": wanted}).got == '{"list": [1, {"b": true}], "none": null, "half": 0.5}'


def test_failures_come_in_the_order_of_the_keys() -> None:
    failures = said(
        plan(),
        requests=(RequestWanted(request=9), RequestWanted(turn=1, can_stop=True)),
        calls={"search": CallsWanted(at_least=2, at_most=0), "ghost": CallsWanted(at_least=1)},
        answer={"matches": "no"},
        ends="dead_end",
        trajectory=moves("think"),
    )
    assert [path_text(failure.path)[7:] for failure in failures] == [
        "trajectory",
        "ends",
        "answer.matches",
        "calls.search.at_least",
        "calls.search.at_most",
        "calls.ghost.at_least",
        "requests[0].request",
        "requests[1].can_stop",
    ]


def test_a_refused_call_is_any_outcome_too() -> None:
    policy = a_policy("a", AskPermissionRequirement("a"))
    made = run(policy, [call.a(), final_answer("x")], permissions={"a": False})
    assert said(made, trajectory=moves("a final_answer")) == said(made, trajectory=moves("a:denied final_answer")) == []
    assert one(made, trajectory=moves("a:ok final_answer")).notes[0] == (
        "they part at call 1: expected a:ok, got a:denied"
    )
    assert said(made, calls={"a": CallsWanted(at_least=1, at_most=1)}) == []
