"""Arguments as language models write them, beside the framework's own mending; the cells are in tests/agreement."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beewalk import Call, Loop, Reply
from beewalk.reasoner.request import Request
from beewalk.turn.boundary import Accepted, Rejected, boundary
from tests.support.builders import a_policy, request_after

# What a language model may write instead of JSON, piece by piece.
PIECES = (
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "'",
    "a",
    "n: ",
    '"n"',
    '"a": ',
    "1",
    "null",
    "true",
    "NaN",
    "\n",
    "```",
    "é",
    " ",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


def request(*, auto: bool = False) -> Request:
    made = request_after(a_policy("a", loop=Loop(final_answer_as_tool=not auto)))
    assert isinstance(made, Request)
    return made


def taken(text: str, *, auto: bool = False) -> Accepted | Rejected:
    """What becomes of a call of `a` with these arguments."""
    found = boundary(Reply((Call("a", text),)), request(auto=auto), parallel=False, ask=1)
    assert isinstance(found, Accepted | Rejected)
    return found


def upstream(text: str) -> str | None:
    """The arguments as the framework mends them, as text; None where it does not."""
    backend = pytest.importorskip("beeai_framework.backend", reason="beeai-framework is missing")
    chat = pytest.importorskip("beeai_framework.adapters.openai", reason="beeai-framework is missing")
    content = backend.MessageToolCallContent(id="1", tool_name="a", args=text)
    output = backend.ChatModelOutput(output=[backend.AssistantMessage(content)])
    model = chat.OpenAIChatModel("none", api_key="none")
    try:
        model._fix_tool_calls(output)
    except backend.ChatModelError:
        return None
    mended: str = output.get_tool_calls()[0].args
    return mended


@given(text=TEXTS.filter(lambda text: not _is_text(text)))
def test_arguments_are_mended_as_the_framework_mends_them(text: str) -> None:
    wanted = upstream(text)
    found = taken(text)
    if wanted is None:
        assert isinstance(found, Rejected)
        assert found.why.startswith("the arguments of 'a' are no JSON")
    else:
        assert isinstance(found, Accepted)
        assert repr(found.reply.calls[0].arguments) == repr(json.loads(wanted))


def _is_text(text: str) -> bool:
    """Whether this is JSON of a text; see the test below."""
    try:
        return isinstance(json.loads(text), str)
    except ValueError:
        return False


@pytest.mark.parametrize("auto", [False, True])
def test_arguments_that_are_fine_stay_the_same_text(auto: bool) -> None:
    for text in ('{"n":1}', '{ "n" : 1 }', "[1]", '{"é": "\\u00e9"}'):
        found = taken(text, auto=auto)
        assert isinstance(found, Accepted)
        assert found.reply.calls[0].text == text


def test_what_is_said_besides_and_other_calls_stay() -> None:
    reply = Reply((Call("a", "{n: 1}"), Call("a", '{"n": 2}')), "By the way.")
    found = boundary(reply, request(), parallel=True, ask=1)
    assert found == Accepted(Reply((Call("a", '{"n": 1}'), Call("a", '{"n": 2}')), "By the way."))


@pytest.mark.parametrize("inner", ['{"n": 1}', "{n: 1"])
def test_arguments_encoded_twice_are_read_twice(inner: str) -> None:
    text = json.dumps(inner)
    assert upstream(text) is not None
    assert isinstance(taken(text), Accepted)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"n":' * 100_000 + "1" + "}" * 100_000], ids=["open", "closed"])
def test_arguments_too_deep_to_be_read_are_rejected(text: str) -> None:
    assert isinstance(taken(text), Rejected)


def test_a_call_without_a_name_is_rejected() -> None:
    found: Any = boundary(Reply((Call("", "{}"),)), request(auto=True), parallel=False, ask=1)
    assert isinstance(found, Rejected)
