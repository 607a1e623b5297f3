"""Scenarios played on an engine and judged."""

from dataclasses import replace
from typing import Any

import pytest

from beewalk import ScriptedChatModel, call, final_answer, run
from beewalk.agent.play import Played
from beewalk.chat_models.chat_model import ChatModel
from beewalk.chat_models.entries import Entry
from beewalk.errors import BeewalkError, path_text
from beewalk.scenarios.plain_data import PlainData
from beewalk.scenarios.reading import Document
from beewalk.scenarios.running import OwnEngine, run_all, run_scenario
from beewalk.scenarios.scenario import Expectation, Scenario
from tests.support.builders import a_policy

DONE = run(a_policy("a"), [call.a(), final_answer("x")])
ENDS_WELL = Expectation(("expect",), ends="final_answer")
ENDS_BADLY = Expectation(("expect", 1), ends="dead_end")


def scenario(script: list[Entry], **changes: Any) -> Scenario:
    made = Scenario(
        name="s",
        policy=a_policy("a"),
        chat_model=lambda: ScriptedChatModel(script),
        input="Go.",
        tools={},
        permissions={},
        runs=1,
        engine="beewalk",
        expect=(None,),
        document=Document("s.scenario.yaml", PlainData({}, {}, {}, ())),
    )
    return replace(made, **changes)


FINE: list[Entry] = [call.a(), final_answer("x")]


class Fake:
    """Plays nothing: it gives what it was made with, and notes what it was asked."""

    def __init__(self, *played: Played) -> None:
        self.played = list(played)
        self.asked: list[tuple[str, float | None]] = []

    def play(self, scenario: Scenario, *, timeout: float | None) -> Played:
        self.asked.append((scenario.name, timeout))
        return self.played.pop(0)


def test_each_run_is_judged_by_its_own_expectation() -> None:
    result = run_scenario(scenario(FINE, runs=2, expect=(ENDS_WELL, ENDS_BADLY)), Fake(Played((DONE, DONE))))
    assert [path_text(failure.path) for failure in result.failures] == ["expect[1].ends"]
    assert not result.passed


def test_a_run_that_nothing_is_expected_of_passes() -> None:
    assert run_scenario(scenario(FINE, runs=2, expect=(None, ENDS_WELL)), Fake(Played((DONE, DONE)))).passed


def test_trouble_fails_a_scenario_that_expects_nothing() -> None:
    result = run_scenario(scenario(FINE), Fake(Played((DONE,), "the script ended early")))
    assert (result.failures, result.passed) == ((), False)


def test_runs_that_trouble_kept_from_happening_are_not_judged() -> None:
    played = Played((DONE,), "the script ended early")
    result = run_scenario(scenario(FINE, runs=2, expect=(ENDS_WELL, ENDS_BADLY)), Fake(played))
    assert (result.failures, result.passed) == ((), False)


def test_scenarios_are_played_one_after_the_other_as_they_are_asked_for() -> None:
    engine = Fake(Played((DONE,)), Played((DONE,)))
    results = run_all([scenario(FINE, name="one"), scenario(FINE, name="two")], engine, timeout=2.0)
    assert engine.asked == []
    assert next(results).scenario.name == "one"
    assert engine.asked == [("one", 2.0)]
    assert [result.passed for result in results] == [True]


def test_the_own_engine_plays_a_scenario_as_often_as_it_is_asked_to() -> None:
    made = scenario(FINE, expect=(Expectation(("expect",), trajectory=(("a",), ("final_answer",))),))
    assert [result.passed for result in run_all([made, made], OwnEngine())] == [True, True]


@pytest.mark.parametrize(
    ("error", "said"), [(BeewalkError("it is an int"), "it is an int"), (ValueError("no"), "ValueError: no")]
)
def test_a_chat_model_that_cannot_be_made_is_trouble(error: Exception, said: str) -> None:
    def broken() -> ChatModel:
        raise error

    result = run_scenario(scenario(FINE, chat_model=broken, expect=(ENDS_WELL,)), OwnEngine())
    assert (result.played, result.failures) == (Played((), f"the chat model cannot be made: {said}"), ())
