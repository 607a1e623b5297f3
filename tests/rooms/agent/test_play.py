"""Playing a policy: permissions from a script, several runs, what is left as it was, and who is to blame."""

import asyncio
from typing import Any

import pytest

from beewalk import (
    AskPermissionRequirement,
    Ending,
    Policy,
    Requirement,
    Rule,
    ScriptedChatModel,
    Tool,
    call,
    final_answer,
)
from beewalk.agent.play import Played, Stage, play
from tests.support.builders import a_policy

DONE = final_answer("x")


def plays(policy: Policy, *script: Any, permissions: dict[str, list[bool]] | None = None, runs: int = 1) -> Played:
    return asyncio.run(play(policy, ScriptedChatModel(script), "go", Stage({}, permissions or {}, runs)))


def asking(*tools: str, **options: Any) -> Policy:
    return a_policy("a b", AskPermissionRequirement(tools, **options))


def test_permissions_are_answered_in_order_and_the_last_repeats() -> None:
    script = [*(call.a(n=number) for number in range(4)), DONE]
    (run,) = plays(asking("a"), *script, permissions={"a": [True, False]}).trajectories
    assert run == ["a:ok", "a:denied", "a:denied", "a:denied", "final_answer"]


def test_each_tool_has_answers_of_its_own() -> None:
    script = [call.a(n=1), call.b(n=1), call.a(n=2), DONE]
    (run,) = plays(asking("a", "b"), *script, permissions={"a": [True, False], "b": [False]}).trajectories
    assert run == ["a:ok", "b:denied", "a:denied", "final_answer"]


def test_a_permission_that_is_not_scripted_is_trouble() -> None:
    found = plays(asking("a", "b"), call.b(n=1), call.a(n=1), DONE, permissions={"b": [True]})
    assert found.trajectories == ()
    assert found.trouble == (
        "permission for a {\"n\": 1} was asked by 'ask_permission', and no answer is scripted: "
        "add permissions: {a: [allow]}, or deny; called so far: b"
    )


def test_remembered_permissions_go_from_run_to_run_and_not_from_play_to_play() -> None:
    policy = asking("a", remember_choices=True)
    for _ in range(2):
        script = [call.a(n=1), DONE, DONE]
        found = plays(policy, *script, permissions={"a": [False]}, runs=2)
        first, second = found.trajectories
        assert first == ["a:denied", "final_answer"]
        assert second.request(1).allowed == {"b", "final_answer"}


def test_what_is_not_played_is_told_with_how_the_run_ended() -> None:
    found = plays(a_policy("a"), DONE, call.a(n=1))
    assert [run.ends for run in found.trajectories] == [Ending.FINAL_ANSWER]
    assert found.trouble is not None
    assert found.trouble.endswith('from entry 2 on: a {"n": 1}; it ended with final_answer')


def test_a_chat_model_that_keeps_no_account_is_not_asked_for_one() -> None:
    class Answers:
        def reply(self, prompt: Any) -> Any:
            return prompt.ask and ScriptedChatModel([DONE]).reply(prompt)

    found = asyncio.run(play(a_policy("a"), Answers(), "go", Stage()))
    assert found.trouble is None


class Counts(Requirement[Any]):
    """Forbids b from its third request on, whatever run that is in: what it keeps outlasts a run."""

    name = "counts"

    def __init__(self) -> None:
        super().__init__()
        self.seen = [0]

    async def run(self, state: Any) -> list[Rule]:
        self.seen[0] += 1
        return [Rule(target="b", allowed=self.seen[0] < 3)]


@pytest.mark.parametrize("script", [[call.a(n=1), DONE, DONE], [call.a(n=1), DONE, None]], ids=["ends", "fails"])
def test_what_a_requirement_keeps_is_afterwards_as_it_was(script: list[Any]) -> None:
    counts = Counts()
    policy = Policy([Tool("a"), Tool("b")], [counts])
    for _ in range(2):
        found = plays(policy, *script, runs=2)
        offered = [len(one.request.allowed) for run in found.trajectories for one in run.offers]
        assert offered == ([3, 3, 2] if script[-1] is not None else [3, 3])
        assert counts.seen == [0]
