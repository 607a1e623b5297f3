"""Requirement code that waits is explored, in an event loop of its own."""

import asyncio
import threading
import time
from concurrent.futures import CancelledError
from typing import Any

import pytest

from beewalk import BeewalkError, NotInThisVersion, Policy, Rule, Tool, explore, requirement
from beewalk.opening.evaluator import Evaluator
from beewalk.properties.exploration import explore_policy


@requirement(name="patient", targets=["b"])
async def patient(state: Any) -> list[Rule]:
    await asyncio.sleep(0)
    return [Rule(target="b", allowed=any(step.tool and step.tool.name == "a" for step in state.steps))]


def test_code_that_waits_is_explored() -> None:
    found = explore(Policy([Tool("a"), Tool("b")], [patient]))
    assert (found.states, found.complete, found.tools["b"].first_step) == (2, True, 2)


def test_without_an_event_loop_it_is_refused() -> None:
    with pytest.raises(NotInThisVersion, match="waits for a timer or the network"):
        explore_policy(Policy([Tool("a"), Tool("b")], [patient]))


def test_code_that_never_answers_is_named() -> None:
    @requirement(name="endless")
    async def endless(state: Any) -> list[Rule]:
        await asyncio.sleep(100)
        return []

    evaluate = Evaluator(seconds=0.05)
    with pytest.raises(BeewalkError, match=r"'endless' had not answered after 0\.05 seconds"):
        explore_policy(Policy([Tool("a")], [endless]), evaluate=evaluate)


def test_what_the_code_raises_comes_out() -> None:
    async def failing() -> None:
        await asyncio.sleep(0)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Evaluator()(failing)


def test_the_loop_is_in_another_thread_and_stays() -> None:
    async def where() -> int:
        return threading.get_ident()

    evaluate = Evaluator()
    assert evaluate(where) == evaluate(where) != threading.get_ident()


def test_code_that_exits_or_cancels_itself_does_not_end_the_loop() -> None:
    evaluate = Evaluator()

    async def leaves(error: BaseException) -> None:
        await asyncio.sleep(0)
        raise error

    async def answers() -> str:
        return "still here"

    with pytest.raises(SystemExit):
        evaluate(lambda: leaves(SystemExit(1)))
    with pytest.raises(CancelledError):
        evaluate(lambda: leaves(asyncio.CancelledError()))
    assert evaluate(answers) == "still here"


def test_code_that_blocks_the_loop_is_given_up() -> None:
    evaluate = Evaluator(seconds=0.2)

    async def blocks() -> None:
        await asyncio.sleep(0)
        time.sleep(1)  # noqa: ASYNC251 - that is the point

    async def answers() -> str:
        return "another loop"

    with pytest.raises(TimeoutError, match=r"0\.2 seconds"):
        evaluate(blocks)
    assert evaluate(answers) == "another loop"


def test_a_requirement_that_is_cancelled_has_raised() -> None:
    @requirement(name="cancelled")
    async def cancelled(state: Any) -> list[Rule]:
        await asyncio.sleep(0)
        raise asyncio.CancelledError

    (error,) = explore(Policy([Tool("a")], [cancelled])).errors
    assert error.code == "requirement-error"
    assert "'cancelled' was cancelled while it waited" in error.message
