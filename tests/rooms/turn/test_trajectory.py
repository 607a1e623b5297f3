"""Trajectories, what they equal, and the recorder that makes them."""

import pytest

from beewalk import Call, Ending, Limits, Loop, Policy, Reply, ScriptedChatModel, call, final_answer, run
from beewalk.errors import BeewalkError
from beewalk.turn.conduct import conducts
from beewalk.turn.events import Replied
from beewalk.turn.trajectory import Trajectory
from tests.support.builders import a_policy

TWO = Loop(parallel_tool_calls=True)


def a_run() -> Trajectory:
    return run(
        a_policy("a b", loop=TWO), [[call.a(), call.b()], call.a(n=1), final_answer("x")], outcomes={"b": "error"}
    )


def test_a_trajectory_equals_its_moves_in_which_a_bare_name_is_any_outcome() -> None:
    made = a_run()
    assert made == ["a", "b", "a", "final_answer"]
    assert made == ("a:ok", "b:error", "a", "final_answer")
    assert made != ["a", "b:ok", "a", "final_answer"]
    assert made != ["a", "b", "a"]
    assert made != "a b a final_answer"


def test_trajectories_of_the_same_runs_are_equal_and_one_in_a_set() -> None:
    assert a_run() == a_run()
    assert hash(a_run()) == hash(a_run())
    assert a_run() != run(a_policy("a"), [final_answer("x")])


def test_a_trajectory_reads_by_turn() -> None:
    assert str(a_run()) == "a & b:error a final_answer"
    assert list(a_run()) == ["a", "b:error", "a", "final_answer"]


def test_requests_are_counted_from_1() -> None:
    assert a_run().request(1).allowed == {"a", "b", "final_answer"}
    with pytest.raises(IndexError, match="there is no request 4: the run made 3"):
        a_run().request(4)
    with pytest.raises(IndexError):
        a_run().request(0)


def test_a_call_that_was_not_offered_is_only_itself() -> None:
    policy = a_policy("a", loop=Loop(final_answer_as_tool=False))
    made = run(policy, [call.ghost(), final_answer("x")], conduct=["unoffered"])
    assert made == ["ghost:unoffered", "final_answer"]
    assert made != ["ghost", "final_answer"]


def test_asks_are_kept_with_why_they_were_rejected() -> None:
    made = run(a_policy("a"), ["no", RuntimeError("busy"), call.a(), final_answer("x")], conduct="text")
    asks = made.offers[0].asks
    assert [(str(one.reply), one.rejected) for one in asks] == [
        ("'no'", "a call of a tool was required, and no tool was called"),
        ("None", "the chat model raised RuntimeError: busy"),
        ("a {}", None),
    ]


def test_the_same_request_asked_anew_is_one_request() -> None:
    policy = Policy(
        a_policy("a").tools[:-1], [], limits=Limits(max_retries_per_step=0), loop=Loop(final_answer_as_tool=False)
    )
    made = run(
        policy,
        [
            "",
        ],
        conduct="silent",
    )
    assert made.ends is Ending.RETRY_LIMIT
    assert len(made.offers) == 1


def test_replies_read_well() -> None:
    assert str(Reply((Call("a"), Call("b", '{"x": 1}')))) == 'a {} & b {"x": 1}'
    assert [str(Reply(text=text)) for text in ("hi", "", None)] == ["'hi'", "silence", "nothing"]
    assert Replied(Reply()).reply.kind == "nothing"


def test_conduct_is_one_word_or_several() -> None:
    assert conducts("text") == {"text"}
    assert conducts(["text", "silent"]) == {"text", "silent"}
    with pytest.raises(BeewalkError, match="conduct has 'texts': did you mean 'text'"):
        ScriptedChatModel([], conduct=["texts"])
