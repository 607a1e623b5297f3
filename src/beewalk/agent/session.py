"""Session: what outlasts a run, and runs one after the other."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from beewalk.agent.runner import Listener, Runner, Setup
from beewalk.policy.messages import AssistantMessage, Memory, Message, ToolMessage
from beewalk.policy.state import Run, task_message
from beewalk.turn.trajectory import Ending

R = TypeVar("R")


class Session:
    """The runs of one agent.

    Args:
        memory: the conversation so far.
        save_intermediate_steps: whether the tool calls of a run stay in it, or only the last one.

    Source: beeai-framework 0.1.85, RequirementAgent.run: a run that fails leaves nothing in the memory.
    """

    def __init__(self, memory: Memory | None = None, *, save_intermediate_steps: bool = True) -> None:
        self.memory = Memory() if memory is None else memory
        self.save_intermediate_steps = save_intermediate_steps
        self.choices: dict[int, dict[str, bool]] = {}
        self.runs = 0

    async def run(
        self, setup: Setup, prompt: str, *, backstory: str | None = None, listeners: Sequence[Listener] = ()
    ) -> Runner:
        """Work on `prompt`; the runner then has the trajectory."""
        self.runs += 1
        task = task_message(prompt, backstory)
        memory = Memory([*self.memory.messages, task])
        told = {tool: granted for choices in self.choices.values() for tool, granted in choices.items()}
        run = Run(prompt, self.runs, told)
        runner = Runner(setup, run, memory, choices=self.choices, listeners=listeners)
        try:
            trajectory = await runner.run()
        finally:
            self.choices = runner.choices
        if trajectory.ends is Ending.FINAL_ANSWER:
            self._keep(task, memory.messages)
        return runner

    def _keep(self, task: Message, messages: Sequence[Message]) -> None:
        if self.save_intermediate_steps:
            self.memory.messages[:] = messages
        else:
            self.memory.messages += [task, *_last_pair(messages)]


def _last_pair(messages: Sequence[Message]) -> list[Message]:
    """The last message with a call, and what that call came to."""
    called = [one for one in messages if isinstance(one, AssistantMessage) and one.calls]
    if not called:
        return []
    last_id = called[-1].calls[-1][0]
    results = [one for one in messages if isinstance(one, ToolMessage) and one.call_id == last_id]
    return [called[-1], *results[-1:]]


def run_now(make: Callable[[], Coroutine[Any, Any, R]]) -> R:
    """Run a coroutine to its end, in a thread of its own where this one has an event loop running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    found: list[R] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            found.append(asyncio.run(make()))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return found[0]
