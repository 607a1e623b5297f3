"""The real requirements, tools and reasoner of the installed beeai-framework, built from a beewalk Policy."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from beewalk import (
    AskPermissionRequirement,
    ConditionalRequirement,
    FinalAnswerTool,
    FixedRules,
    Policy,
    Requirement,
    Rule,
    ThinkTool,
    Tool,
)
from beewalk.policy.state import Run
from beewalk.policy.step import Step, Turn
from beewalk.policy.target import Target
from beewalk.policy.tool import DENIED
from beewalk.reasoner.request import DeadEnd, Request

pytest.importorskip("beeai_framework", reason="beeai-framework is not installed")

import beeai_framework.tools as upstream_tools
from beeai_framework.agents.errors import AgentError
from beeai_framework.agents.requirement.requirements._utils import _target_seen_in
from beeai_framework.agents.requirement.requirements.ask_permission import (
    AskPermissionRequirement as UpstreamAsk,
)
from beeai_framework.agents.requirement.requirements.conditional import (
    ConditionalRequirement as UpstreamConditional,
)
from beeai_framework.agents.requirement.requirements.requirement import Requirement as UpstreamRequirement
from beeai_framework.agents.requirement.requirements.requirement import RequirementError as UpstreamRequirementError
from beeai_framework.agents.requirement.requirements.requirement import Rule as UpstreamRule
from beeai_framework.agents.requirement.requirements.requirement import run_with_context
from beeai_framework.agents.requirement.types import (
    RequirementAgentRunState,
    RequirementAgentRunStateStep,
)
from beeai_framework.agents.requirement.utils._llm import RequirementsReasoner
from beeai_framework.agents.requirement.utils._tool import FinalAnswerTool as UpstreamFinalAnswer
from beeai_framework.backend import UserMessage
from beeai_framework.context import RunContext
from beeai_framework.emitter import Emitter
from beeai_framework.memory import UnconstrainedMemory
from beeai_framework.tools import StringToolOutput, ToolError
from beeai_framework.tools.think import ThinkTool as UpstreamThink


@dataclass(frozen=True)
class Answer:
    """What a reasoner makes of a policy and a history, in a form that both can be brought to."""

    kind: str
    allowed: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    tool_choice: str = ""
    can_stop: bool = False
    reasons: tuple[tuple[str, str], ...] = ()


def answer_of(said: Request | DeadEnd) -> Answer:
    """beewalk's answer."""
    if isinstance(said, DeadEnd):
        return Answer("dead_end")
    return Answer("request", said.allowed, said.hidden, said.tool_choice, said.can_stop, said.reasons)


@dataclass(frozen=True)
class Translation:
    """Says in the framework's requirements, on `tools` of the framework by name, what a policy's requirements say."""

    tools: Mapping[str, Any]
    handler: Any = None

    def requirement(self, one: Requirement[Any]) -> Any:
        """The framework's requirement for `one`."""
        if isinstance(one, ConditionalRequirement):
            return self._conditional(one)
        if isinstance(one, AskPermissionRequirement):
            made = UpstreamAsk(
                self._targets(one.include),
                handler=self.handler,
                exclude=self._targets(one.exclude),
                remember_choices=one.remember_choices,
                hide_disallowed=one.hide_disallowed,
                always_allow=one.always_allow,
            )
            made.enabled = one.enabled
            return made
        assert isinstance(one, FixedRules), one
        return _Fixed(one)

    def _conditional(self, one: ConditionalRequirement) -> Any:
        return UpstreamConditional(
            self._target(one.target),
            name=one.name,
            force_at_step=one.force_at_step,
            only_before=self._targets(one.only_before),
            only_after=self._targets(one.only_after),
            force_after=self._targets(one.force_after),
            force_prevent_stop=one.force_prevent_stop,
            min_invocations=one.min_invocations,
            max_invocations=one.max_invocations,
            only_success_invocations=one.only_success_invocations,
            consecutive_allowed=one.consecutive_allowed,
            priority=one.priority,
            custom_checks=list(one.custom_checks),
            enabled=one.enabled,
            reason=one.reason,
        )

    def _target(self, target: Target) -> Any:
        classes = {Tool: upstream_tools.Tool, ThinkTool: UpstreamThink, FinalAnswerTool: UpstreamFinalAnswer}
        if isinstance(target, str):
            return target
        return classes[target] if isinstance(target, type) else self.tools[target.name]

    def _targets(self, targets: Sequence[Target]) -> list[Any] | None:
        return [self._target(target) for target in targets] or None


class Upstream:
    """A policy on the real reasoner.

    Raises:
        ValueError: the framework refuses it, at construction or when it binds.
    """

    def __init__(self, policy: Policy, loop: asyncio.AbstractEventLoop) -> None:
        self.policy = policy
        self.loop = loop
        self.tools = {tool.name: _tool(tool) for tool in policy.tools[:-1]}
        self.requirements = [Translation(self.tools).requirement(one) for one in policy.requirements]
        self.state = RequirementAgentRunState(
            answer=None, result=None, memory=UnconstrainedMemory(), steps=[], iteration=1
        )
        self.final_answer = UpstreamFinalAnswer(None, state=self.state)
        self.by_name = {**self.tools, "final_answer": self.final_answer}
        context = RunContext(SimpleNamespace(emitter=Emitter(namespace=["test"])), signal=None)
        self.reasoner = RequirementsReasoner(
            tools=list(self.tools.values()), final_answer=self.final_answer, context=context
        )
        loop.run_until_complete(self._bind())

    async def _bind(self) -> None:
        await self.state.memory.add(UserMessage(f"Your task: {self.policy.input}"))
        await self.reasoner.update(self.requirements)

    def answer(self, turns: Sequence[Turn], run: Run | None = None) -> Answer:
        """What the real reasoner offers after `turns`, choices of `run` being remembered."""
        self.state.steps = [self._step(step) for turn in turns for step in turn.steps]
        self.state.iteration = turns[-1].number + 1 if turns else 1
        return self.loop.run_until_complete(self._answer_after(turns, run or Run()))

    def answer_again(self) -> Answer:
        """The same question as the last one, nothing being set up for it."""
        return self.loop.run_until_complete(self._answer())

    async def _answer_after(self, turns: Sequence[Turn], run: Run) -> Answer:
        for one in self.requirements:
            if isinstance(one, UpstreamAsk):
                await self._ask_about(one, turns, run)
        return await self._answer()

    async def _ask_about(self, one: Any, turns: Sequence[Turn], run: Run) -> None:
        """Let the real requirement ask what it would have asked during `turns`, and remember what it would have."""
        managed = [
            name
            for name, tool in self.by_name.items()
            if not _target_seen_in(tool, one._exclude) and (not one._include or _target_seen_in(tool, one._include))
        ]
        one._state = {name: granted for name, granted in run.choices.items() if name in managed}
        for step in (step for turn in turns for step in turn.steps):
            if step.tool is not None and step.tool.name in managed:
                one._handler = _answering(step.outcome != DENIED)
                await one._ask(self.by_name[step.tool.name], SimpleNamespace(input={}, output=None))

    async def _answer(self) -> Answer:
        try:
            request = await self.reasoner.create_request(
                self.state, force_tool_call=self.policy.loop.final_answer_as_tool
            )
        except AgentError:
            return Answer("dead_end")
        except UpstreamRequirementError:
            return Answer("requirement_error")
        choice = request.tool_choice if isinstance(request.tool_choice, str) else request.tool_choice.name
        return Answer(
            "request",
            frozenset(tool.name for tool in request.allowed_tools),
            frozenset(tool.name for tool in request.hidden_tools),
            choice,
            request.can_stop,
            tuple(sorted((tool.name, reason) for tool, reason in request.reason_by_tool.items() if reason)),
        )

    def _step(self, step: Step) -> Any:
        return RequirementAgentRunStateStep(
            id="step",
            iteration=step.iteration,
            tool=None if step.tool is None else self.by_name[step.tool.name],
            input=step.input,
            output=StringToolOutput(step.output.get_text_content()),
            error=None if step.error is None else ToolError(str(step.error)),
        )


def upstream_conditional(target: str, **parameters: Any) -> Any:
    """A ConditionalRequirement of the framework."""
    return UpstreamConditional(target, **parameters)


class _Fixed(UpstreamRequirement):  # type: ignore[misc]  # the framework's types are not looked at
    def __init__(self, fixed: FixedRules) -> None:
        super().__init__()
        self.name = fixed.name
        self.priority = fixed.priority
        self.enabled = fixed.enabled
        self.fixed = [_rule(rule) for rule in fixed.rules]

    @run_with_context  # type: ignore[untyped-decorator]  # as above
    async def run(self, state: Any, context: Any) -> list[Any]:
        return list(self.fixed)


def _answering(granted: bool) -> Any:
    async def handler(tool: Any, asked: Any) -> bool:
        return granted

    return handler


def _rule(rule: Rule) -> Any:
    return UpstreamRule(
        target=rule.target,
        allowed=rule.allowed,
        reason=rule.reason,
        prevent_stop=rule.prevent_stop,
        forced=rule.forced,
        hidden=rule.hidden,
    )


def _tool(tool: Tool) -> Any:
    if isinstance(tool, ThinkTool):
        return UpstreamThink()

    def run(text: str = "") -> str:
        return tool.name

    return upstream_tools.tool(run, name=tool.name, description=tool.description or "a tool")
