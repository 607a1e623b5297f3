"""A whole run of beewalk's own agent, as the same record that tests/support/upstream_agent.py makes of the real one."""

import asyncio
import json
from collections.abc import Mapping, Sequence

from beewalk import AskPermissionRequirement, Policy, Tool
from beewalk.agent.arguments import reader_of
from beewalk.agent.runner import Setup
from beewalk.agent.session import Session
from beewalk.agent.tools import Scripted, Toolbox
from beewalk.chat_models.chat_model import ChatModel, Prompt
from beewalk.reasoner.prompt import Briefing
from beewalk.turn.events import Question
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Trajectory
from tests.support.upstream_agent import Record


class Playing:
    """A chat model that plays entries as they are, and notes what it was asked with."""

    def __init__(self, script: Sequence[Reply | Exception]) -> None:
        self.script = list(script)
        self.asks: list[tuple[tuple[str, ...], str, int]] = []

    def reply(self, prompt: Prompt) -> Reply:
        note_ask(self.asks, prompt)
        entry = self.script.pop(0)
        if isinstance(entry, Exception):
            raise entry
        return entry


def note_ask(asks: list[tuple[tuple[str, ...], str, int]], prompt: Prompt) -> None:
    names = tuple(tool.name for tool in prompt.tools)
    asks.append((names, prompt.request.tool_choice, len(prompt.messages)))


class OwnAgent:
    """A policy on beewalk's agent; a second run goes on where the first left outcomes, permissions and memory.

    `asks` is where `chat_model` notes its asks.
    """

    def __init__(
        self,
        policy: Policy,
        chat_model: ChatModel,
        asks: list[tuple[tuple[str, ...], str, int]],
        *,
        outcomes: Mapping[str, Sequence[str]],
        permissions: Mapping[str, Sequence[bool]],
    ) -> None:
        script = {tool: [Scripted(outcome) for outcome in listed] for tool, listed in outcomes.items()}
        self.asks = asks
        self.permissions = permissions
        self.asked: list[tuple[str, str]] = []
        self.counts: dict[str, int] = {}
        self.session = Session()
        self.setup = Setup(policy, chat_model, Toolbox(reader_of(policy.answer), script), self._permit, Briefing())

    def run(self) -> tuple[Record, Trajectory]:
        self.asks.clear()
        self.asked.clear()
        runner = asyncio.run(self.session.run(self.setup, self.setup.policy.input))
        return self._record(runner.trajectory), runner.trajectory

    def _record(self, trajectory: Trajectory) -> Record:
        requests = tuple(
            (one.turn, one.request.allowed, one.request.hidden, one.request.tool_choice, one.request.can_stop)
            for one in trajectory.offers
        )
        return Record(
            requests=requests,
            asks=tuple(self.asks),
            steps=tuple((step.name, step.outcome, step.iteration) for step in trajectory.steps),
            answer=trajectory.answer,
            ends=trajectory.ends,
            permissions=tuple(self.asked),
        )

    async def _permit(self, requirement: AskPermissionRequirement, tool: Tool, question: Question) -> bool:
        asked = {"input": question.call.arguments, "options": None}
        self.asked.append((tool.name, json.dumps(asked, ensure_ascii=False)))
        answers = self.permissions.get(tool.name) or (True,)
        count = self.counts[tool.name] = self.counts.get(tool.name, 0) + 1
        return answers[min(count, len(answers)) - 1]


def without_nulls(answer: str | None) -> object:
    """An answer to compare: a pydantic model writes null for what a JSON schema leaves out."""
    try:
        value = json.loads(answer or "null")
    except ValueError:
        return answer
    return {key: one for key, one in value.items() if one is not None} if isinstance(value, dict) else answer
