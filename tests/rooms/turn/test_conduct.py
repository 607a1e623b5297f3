"""Which words of conduct a reply is, whatever it was offered."""

import pytest

from beewalk import Call, Loop, Policy, RepeatedCalls, Reply, Tool
from beewalk.reasoner.request import Request
from beewalk.turn.conduct import CONDUCTS, conduct_of, repeated
from beewalk.turn.cycles import Checker, Window
from tests.support.builders import a_policy, request_after, when

NOBODY = frozenset[str]()


def request(tool_choice: str) -> Request:
    """A request with this tool_choice; a and the final answer are offered, b never is."""
    rules = [when("b", max_invocations=0), *([when("a", force_at_step=1)] if tool_choice == "a" else [])]
    made = request_after(a_policy("a b", *rules, loop=Loop(final_answer_as_tool=tool_choice != "auto")))
    assert isinstance(made, Request)
    assert made.tool_choice == tool_choice
    return made


def says(*tools: str, text: str | None = None) -> Reply:
    return Reply(tuple(map(Call, tools)), text)


@pytest.mark.parametrize(
    ("reply", "auto", "required", "named"),
    [
        (says("a"), "", "", ""),
        (says("a", text="By the way."), "", "", ""),
        (says("final_answer"), "", "", "unoffered"),
        (says("b"), "unoffered", "unoffered", "unoffered"),
        (says("ghost"), "unoffered", "unoffered", "unoffered"),
        (says(text="hm"), "", "text", "text"),
        (says(text=""), "silent", "silent", "silent"),
        (says(), "silent", "silent", "silent"),
        (says("a", "a"), "parallel", "parallel", "parallel"),
        (says("a", "b"), "unoffered parallel", "unoffered parallel", "unoffered parallel"),
    ],
    ids=str,
)
def test_conduct_by_tool_choice(reply: Reply, auto: str, required: str, named: str) -> None:
    for choice, words in (("auto", auto), ("required", required), ("a", named)):
        found = conduct_of(reply, request(choice), parallel=False, repeats=NOBODY)
        assert found == tuple(words.split()), choice


def test_several_calls_are_none_where_they_are_allowed() -> None:
    assert conduct_of(says("a", "a"), request("required"), parallel=True, repeats=NOBODY) == ()


def test_words_come_in_one_order() -> None:
    found = conduct_of(says("b", "a"), request("required"), parallel=False, repeats=frozenset("a"))
    assert found == ("repeat", "unoffered", "parallel")
    assert [word for word in CONDUCTS if word in found] == list(found)


TOOLS = Policy([Tool("a"), Tool("silent", arguments="none")]).tools


@pytest.mark.parametrize(
    ("before", "reply", "names"),
    [
        ("", "a", ""),
        ("a", "a", "a"),
        ("", "a a", "a"),
        ("a", "final_answer", ""),
        ("silent", "silent", ""),  # it can make no other call
        ("ghost", "ghost", ""),  # what is no tool is unoffered, and nothing else
        ("silent a", "silent a", "a"),
    ],
)
def test_calls_that_were_made_before_are_repeated(before: str, reply: str, names: str) -> None:
    checker, window = Checker(RepeatedCalls()), Window()
    for name in before.split():
        window, _ = checker.register(window, Call(name))
    assert repeated(says(*reply.split()), TOOLS, checker, window) == frozenset(names.split())


def test_nothing_is_repeated_where_nobody_looks() -> None:
    assert repeated(says("a", "a"), TOOLS, Checker(None), Window()) == NOBODY
