"""The state of a run, as requirement code sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from beewalk.policy.messages import AssistantMessage, Memory, Message, ToolMessage, UserMessage
from beewalk.policy.step import Step, Turn
from beewalk.policy.tool import Tool


@dataclass(frozen=True, slots=True)
class Run:
    """What a run starts from.

    `input` is the user's text, `number` counts the runs of one agent from 1, `choices` are the permissions that the
    user was asked for in earlier runs and that are remembered: tool name -> granted.
    """

    input: str = ""
    number: int = 1
    choices: Mapping[str, bool] = field(default_factory=dict)


def task_message(text: str, backstory: str | None = None) -> UserMessage:
    """The user's text as the language model reads it, after what is to be known besides."""
    known = f"What is known beforehand: {backstory}\n\n" if backstory else ""
    return UserMessage(f"{known}Your task: {text}")


class RequirementAgentRunState:
    """What a requirement may look at while it makes the rules of the next request.

    The attributes are those that requirement code for beeai-framework reads: `steps` (finished calls, oldest first),
    `iteration` (number of the turn that is about to be asked, from 1), `input` (the last user message), `memory`,
    `answer`, `result`. `run`, `tools` (the final answer last) and `turns` are beewalk's own.

    Args:
        run: what the run started from.
        tools: all tools of the policy, the final answer last.
        turns: finished turns, oldest first.
        memory: the conversation; made from the turns where it is not given.
    """

    def __init__(
        self, run: Run, tools: Sequence[Tool], turns: Sequence[Turn] = (), memory: Memory | None = None
    ) -> None:
        self.run = run
        self.tools = tuple(tools)
        self.turns = tuple(turns)
        self.steps: list[Step] = [step for turn in self.turns for step in turn.steps]
        self.iteration: int = self.turns[-1].number + 1 if self.turns else 1
        self._memory = memory
        self.answer: AssistantMessage | None = None
        self.result: Any = None

    @property
    def memory(self) -> Memory:
        """The conversation."""
        if self._memory is None:
            self._memory = Memory(self._conversation())
        return self._memory

    def record(self, turn: Turn) -> None:
        """Take in a finished turn; `iteration` is then the number of the next one."""
        self.turns += (turn,)
        self.steps += turn.steps
        self.iteration = turn.number + 1

    @property
    def input(self) -> UserMessage:
        """The last user message: the task, rendered."""
        return next(message for message in reversed(self.memory.messages) if isinstance(message, UserMessage))

    def _conversation(self) -> list[Message]:
        messages: list[Message] = [task_message(self.run.input)]
        for step in self.steps:
            said = step.output.get_text_content() if step.error is None else str(step.error)
            messages += [AssistantMessage(""), ToolMessage(said)]
        return messages
