"""A whole run of the real RequirementAgent of the installed beeai-framework, from a beewalk Policy and a script."""

import asyncio
import json
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import pytest

from beewalk import Policy
from beewalk.policy.policy import Answer
from beewalk.policy.tool import OK
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending
from tests.support.upstream import Translation
from tests.support.upstream_tools import Anything, Crash, model_of, outcome_of, playing

pytest.importorskip("beeai_framework", reason="beeai-framework is not installed")

from beeai_framework.agents.errors import AgentError
from beeai_framework.agents.requirement import RequirementAgent
from beeai_framework.agents.requirement._runner import RequirementAgentRunner
from beeai_framework.agents.requirement.utils._llm import RequirementsReasoner
from beeai_framework.agents.tool_calling.utils import ToolCallCheckerConfig
from beeai_framework.backend import (
    AssistantMessage,
    ChatModel,
    ChatModelError,
    ChatModelOutput,
    MessageTextContent,
    MessageToolCallContent,
)
from beeai_framework.backend import chat as chat_module
from beeai_framework.emitter.errors import EmitterError
from beeai_framework.errors import FrameworkError
from pydantic import BaseModel

SCRIPT_RAN_OUT = "script_ran_out"

T = TypeVar("T")


class ScriptRanOut(BaseException):
    """The chat model was asked once more than the script has entries; no Exception, or it would be asked again."""


@dataclass(frozen=True)
class Record:
    """One run, in a form that both sides can be brought to.

    `requests`: of every request that was built, in order: iteration, allowed, hidden, tool_choice, can_stop.
    `asks`: of every call of the chat model: the tools' names in order, tool_choice, the number of messages.
    `steps`: of every finished call: tool (or what was called), outcome, iteration.
    `permissions`: of every question to the user: tool, and what the handler was given, as JSON.
    """

    requests: tuple[tuple[int, frozenset[str], frozenset[str], str, bool], ...]
    asks: tuple[tuple[tuple[str, ...], str, int], ...]
    steps: tuple[tuple[str, str, int], ...]
    answer: str | None
    ends: str
    permissions: tuple[tuple[str, str], ...]


class UpstreamAgent:
    """A policy on the real agent. A second run goes on where the first one left script, outcomes and permissions.

    `outcomes` and `permissions` are by tool, a call each; the last one repeats.

    Raises:
        ValueError: the framework refuses a requirement at construction.
    """

    def __init__(
        self,
        policy: Policy,
        loop: asyncio.AbstractEventLoop,
        *,
        script: Sequence[Reply | Exception],
        outcomes: Mapping[str, Sequence[str]],
        permissions: Mapping[str, Sequence[bool]],
    ) -> None:
        self.policy = policy
        self.loop = loop
        self.chat_model = _ChatModel(script, parallel=policy.loop.parallel_tool_calls)
        self.outcomes = _Tapes(outcomes, OK)
        self.granted = _Tapes(permissions, True)
        self.asked: list[tuple[str, str]] = []
        self.runner: _Runner | None = None
        tools = {tool.name: playing(tool, partial(self.outcomes.next, tool.name)) for tool in policy.tools[:-1]}
        translation = Translation(tools, self._permit)
        checker = policy.loop.repeated_calls
        self.agent = RequirementAgent(
            llm=self.chat_model,
            tools=list(tools.values()),
            requirements=[translation.requirement(one) for one in policy.requirements],
            tool_call_checker=False if checker is None else _checker(checker),
            final_answer_as_tool=policy.loop.final_answer_as_tool,
        )
        self.agent.runner_cls = self._new_runner

    def run(self) -> Record:
        """Run the agent on the policy's input, to whatever end."""
        self.chat_model.asks.clear()
        self.asked.clear()
        with _quiet():
            self.loop.run_until_complete(self._run())
        assert self.runner is not None, "an agent makes a runner first"
        return Record(
            requests=tuple(self.runner.requests),
            asks=tuple(self.chat_model.asks),
            steps=tuple(self.runner.finished),
            answer=self.runner.answer,
            ends=self.runner.ends,
            permissions=tuple(self.asked),
        )

    async def _run(self) -> None:
        limits = self.policy.limits
        self.runner = None
        try:
            await self.agent.run(
                self.policy.input,
                expected_output=_expected(self.policy.answer),
                max_iterations=limits.max_iterations,
                max_retries_per_step=limits.max_retries_per_step,
                total_max_retries=limits.total_max_retries,
            )
        except (FrameworkError, ScriptRanOut):
            if self.runner is None or self.runner.ends in {"", Ending.FINAL_ANSWER}:
                raise  # not out of the loop, so no ending of a run

    def _new_runner(self, **options: Any) -> "_Runner":
        self.runner = _Runner(**options)
        return self.runner

    async def _permit(self, tool: Any, asked: Any) -> bool:
        self.asked.append((tool.name, json.dumps(asked, ensure_ascii=False)))
        return self.granted.next(tool.name)


class _Tapes(Generic[T]):
    """For each name its entries in order, the last one again and again."""

    def __init__(self, entries: Mapping[str, Sequence[T]], default: T) -> None:
        self.entries = entries
        self.default = default
        self.places: Counter[str] = Counter()

    def next(self, name: str) -> T:
        entries = self.entries.get(name) or (self.default,)
        place = min(self.places[name], len(entries) - 1)
        self.places[name] += 1
        return entries[place]


class _Runner(RequirementAgentRunner):  # type: ignore[misc]  # the framework's types are not looked at
    """The framework's loop, which also says what it does; `means` is what it means for the run to break off now."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.requests: list[tuple[int, frozenset[str], frozenset[str], str, bool]] = []
        self.finished: list[tuple[str, str, int]] = []
        self.answer: str | None = None
        self.means = Ending.BINDING_ERROR
        self.ends = ""

    async def run(self) -> Any:
        try:
            state = await super().run()
        except ScriptRanOut:
            self.ends = SCRIPT_RAN_OUT
            raise
        except Exception as error:
            budgets = (self._iteration_error_counter, self._global_error_counter)
            spent = any(error is budget._finalError for budget in budgets)
            self.ends = Ending.RETRY_LIMIT if spent else self.means
            raise
        self.ends, self.answer = Ending.FINAL_ANSWER, state.answer.text
        return state

    def _increment_iteration(self) -> None:
        self.means = Ending.ITERATION_LIMIT
        super()._increment_iteration()

    async def _create_request(self, *, extra_rules: Any = None) -> Any:
        try:
            request = await super()._create_request(extra_rules=extra_rules)
        except Exception as error:
            self.means = _no_request(error)
            raise
        allowed, hidden = (
            frozenset(tool.name for tool in tools) for tools in (request.allowed_tools, request.hidden_tools)
        )
        choice = _choice_text(request.tool_choice)
        self.requests.append((self._state.iteration, allowed, hidden, choice, request.can_stop))
        return request

    async def _run_llm(self, request: Any) -> Any:
        self.means = Ending.CHAT_MODEL_ERROR
        try:
            response = await super()._run_llm(request)
        except EmitterError:
            self.means = Ending.FRAMEWORK_ERROR  # a listener of the framework's own
            raise
        self.means = Ending.FRAMEWORK_ERROR
        return response

    async def _invoke_tool_calls(self, tools: Any, tool_calls: Any) -> Any:
        before, others = len(self._state.steps), asyncio.all_tasks()
        try:
            return await super()._invoke_tool_calls(tools, tool_calls)
        except Exception as error:
            # A crash ends the run while other calls of the reply still run; by itself it is luck how far they get.
            await asyncio.gather(*asyncio.all_tasks() - others, return_exceptions=True)
            if isinstance(error, Crash | ChatModelError):
                self.means = Ending.TOOL_CRASH if isinstance(error, Crash) else Ending.CHAT_MODEL_ERROR
            raise
        finally:
            for call, step in zip(tool_calls, self._state.steps[before:], strict=False):
                name = call.tool_name if step.tool is None else step.tool.name
                self.finished.append((name, outcome_of(step), step.iteration))


class _ChatModel(ChatModel):  # type: ignore[misc]  # as above
    model_id = "scripted"
    provider_id = "openai"

    def __init__(self, script: Sequence[Reply | Exception], *, parallel: bool) -> None:
        super().__init__(allow_parallel_tool_calls=parallel, tool_choice_support={"required", "none", "single", "auto"})
        self.script = deque(script)
        self.asks: list[tuple[tuple[str, ...], str, int]] = []

    async def _create(self, input: Any, run: Any) -> Any:  # noqa: A002 - the base's signature
        offered = tuple(tool.name for tool in input.tools or ())
        self.asks.append((offered, _choice_text(input.tool_choice), len(input.messages)))
        if not self.script:
            raise ScriptRanOut
        entry = self.script.popleft()
        if isinstance(entry, Exception):
            raise entry
        return ChatModelOutput(output=_messages(entry, len(self.asks)))

    def _create_stream(self, input: Any, run: Any) -> Any:  # noqa: A002 - the base's signature
        raise NotImplementedError("no run streams")


def _no_request(error: BaseException) -> Ending:
    """What it means that a request was not built: told by whether the reasoner itself raised, or a requirement."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None or place.tb_frame.f_code is not RequirementsReasoner.create_request.__code__:
        return Ending.REQUIREMENT_ERROR
    return Ending.DEAD_END if isinstance(error, AgentError) else Ending.FRAMEWORK_ERROR


def _messages(reply: Reply, ask: int) -> list[Any]:
    calls = [
        MessageToolCallContent(id=f"call_{ask}_{index}", tool_name=call.tool, args=call.text)
        for index, call in enumerate(reply.calls)
    ]
    if reply.text is None:
        return [AssistantMessage(calls)] if calls else []
    return [AssistantMessage([*calls, MessageTextContent(text=reply.text)])]


def _choice_text(choice: Any) -> str:
    return choice if isinstance(choice, str) else str(choice.name)


def _checker(repeated: Any) -> Any:
    return ToolCallCheckerConfig(
        max_strike_length=repeated.max_strike_length,
        max_total_occurrences=repeated.max_total_occurrences,
        window_size=repeated.window_size,
    )


def _expected(answer: Answer) -> type[BaseModel] | None:
    if answer == "text":
        return None
    return model_of("answer", answer) if isinstance(answer, Mapping) else Anything


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the framework from printing how a provider's tool_choice may be mended."""
    before = chat_module.logger.disabled
    chat_module.logger.disabled = True
    try:
        yield
    finally:
        chat_module.logger.disabled = before
