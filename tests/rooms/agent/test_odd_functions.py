"""Functions as tools that are written in unusual ways."""

from typing import Any

from beewalk import Policy, Tool, call, final_answer, run
from beewalk.turn.trajectory import Trajectory


def really(function: Any, **arguments: Any) -> Trajectory:
    """A run in which the tool `t` runs the function."""
    policy = Policy([Tool("t", function=function)])
    return run(policy, [call("t", **arguments), final_answer("done")], outcomes={"t": "real"})


def test_a_tool_that_raises_stop_iteration_is_a_failed_call() -> None:
    def empty(n: int) -> str:
        found: str = next(iter([]))
        return found

    assert really(empty, n=1) == ["t:error", "final_answer"]


def test_arguments_that_a_function_does_not_take_are_left_out() -> None:
    def takes_n(n: int) -> str:
        return f"n={n}"

    def takes_all(**given: int) -> str:
        return f"{given}"

    assert really(takes_n, n=1, other=2).steps[0].output.result == "n=1"
    assert really(takes_all, n=1, other=2).steps[0].output.result == "{'n': 1, 'other': 2}"


def test_a_function_that_gives_a_coroutine_is_awaited() -> None:
    async def late(n: int) -> str:
        return f"late {n}"

    def gives(n: int) -> Any:
        return late(n)

    assert really(gives, n=0).steps[0].output.result == "late 0"


def test_arguments_are_converted_as_annotated() -> None:
    def twice(n: int) -> int:
        return 2 * n

    assert really(twice, n="21").steps[0].output.result == 42
