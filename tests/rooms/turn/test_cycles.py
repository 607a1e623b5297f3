"""The checker for repeated calls, beside the framework's."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beewalk import Call, RepeatedCalls
from beewalk.turn.cycles import Checker, Window

CALLS = [Call("a"), Call("b"), Call("a", '{"x": 1}')]


def found_in(checker: Checker, calls: list[Call]) -> list[bool]:
    """Whether each call is a repeated one, nothing being reset."""
    window, answers = Window(), []
    for call in calls:
        window, found = checker.register(window, call)
        answers.append(found)
    return answers


@pytest.mark.parametrize(
    ("calls", "repeated"),
    [("a a", True), ("a b a", True), ("a b b", True), ("a b c a", False), ("a b c", False)],
)
def test_equal_calls_near_to_each_other_are_a_cycle(calls: str, repeated: bool) -> None:
    assert found_in(Checker(RepeatedCalls()), [Call(name) for name in calls.split()])[-1] is repeated


@pytest.mark.parametrize(
    ("config", "calls"),
    [(RepeatedCalls(2, 4, 6), "AxxxAxxAAxxAAA"), (RepeatedCalls(3, 4, 1), "xAxxxxAxxAAAAA")],
    ids=["more in all than in a row", "more in a longer window"],
)
def test_too_many_calls_in_all_that_are_never_too_many_in_a_row(config: RepeatedCalls, calls: str) -> None:
    # found by trying all sequences of 14 calls, of which those called x are all different
    made = [Call("A") if name == "A" else Call("x", f'{{"n": {number}}}') for number, name in enumerate(calls)]
    assert found_in(Checker(config), made) == [*[False] * 13, True]


def test_other_arguments_or_another_text_make_another_call() -> None:
    calls = [Call("a", '{"x": 1}'), Call("a", '{"x":1}'), Call("a", '{"x": 2}')]
    assert not any(found_in(Checker(RepeatedCalls()), calls))


def test_a_checker_that_is_off_finds_nothing_and_remembers_nothing() -> None:
    checker = Checker(None)
    assert not any(found_in(checker, [Call("a")] * 9))
    assert checker.register(Window(), Call("a"))[0] == Window()


@given(
    calls=st.lists(st.sampled_from(CALLS), max_size=25),
    config=st.builds(RepeatedCalls, st.integers(1, 4), st.integers(1, 6), st.integers(1, 12)),
)
def test_the_first_cycle_is_found_where_the_framework_finds_it(calls: list[Call], config: RepeatedCalls) -> None:
    upstream = pytest.importorskip("beeai_framework.agents.tool_calling.utils", reason="beeai-framework is missing")
    real = upstream.ToolCallChecker(
        upstream.ToolCallCheckerConfig(
            max_strike_length=config.max_strike_length,
            max_total_occurrences=config.max_total_occurrences,
            window_size=config.window_size,
        )
    )
    window = Window()
    for call in calls:
        real.register(SimpleNamespace(tool_name=call.tool, args=call.text, type="tool-call"))
        window, found = Checker(config).register(window, call)
        assert found == real.cycle_found
        if found:
            real.reset()
            window = Window()


def test_too_many_in_all_are_found_where_several_in_a_row_are_let_through() -> None:
    text = "a a y2 y3 x4 x5 a x7 a y9 a x11 a x13 a a"
    found = found_in(Checker(RepeatedCalls(2, 4, 7)), [Call(name) for name in text.split()])
    assert found.index(True) == len(found) - 1
