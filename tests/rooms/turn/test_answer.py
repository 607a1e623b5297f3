"""How a text becomes a call of the final answer, and how broken JSON is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beewalk.turn.answer import answer_call
from beewalk.turn.broken_json import mended_json, read_json


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("Sounds nice.", {"response": "Sounds nice."}),
        ('It is {"city": "x"}.', {"city": "x"}),
        ('{"a": {"b": 1}} and {"c": 2}', {"a": {"b": 1}}),
        ("{city: 'x'", {"response": "{city: 'x'"}),
        ("{city: 'x'}", {"city": "x"}),
        ("see {} ok", {"response": "see {} ok"}),
        ("} {", {"response": "} {"}),
        ("{,}", {"response": "{,}"}),
    ],
)
def test_the_first_braces_are_the_arguments_else_the_text_is_the_response(text: str, arguments: object) -> None:
    call = answer_call(text, structured=False)
    assert call is not None
    assert (call.tool, call.arguments) == ("final_answer", arguments)


@pytest.mark.parametrize("text", ["Sounds nice.", "see {} ok", "{,}"])
def test_a_structured_answer_needs_arguments(text: str) -> None:
    assert answer_call(text, structured=True) is None


@given(text=st.text(alphabet='{}ab":,1 ', max_size=20))
def test_braces_are_found_where_the_framework_finds_them(text: str) -> None:
    strings = pytest.importorskip("beeai_framework.utils.strings", reason="beeai-framework is missing")
    utils = pytest.importorskip("beeai_framework.backend.utils", reason="beeai-framework is missing")
    pair = strings.find_first_pair(text, ("{", "}"))
    wanted = (utils.parse_broken_json(pair.outer) if pair else None) or {"response": text}
    call = answer_call(text, structured=False)
    assert call is not None
    assert call.arguments == wanted


def test_broken_json_is_read_as_what_was_meant() -> None:
    assert read_json('{"a": 1}') == {"a": 1}
    assert read_json("{a: 1,}") == {"a": 1}
    assert mended_json("five") == '""'
