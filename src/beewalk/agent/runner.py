"""Runner: carries out what the loop asks for, one effect after the other, until the run ends."""

import asyncio
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from beewalk.agent.permission import Asker
from beewalk.agent.tools import Toolbox, ToolTimeoutError
from beewalk.chat_models.chat_model import ChatModel, ChatModelError, LiveChatModelError, Prompt, refuse_live
from beewalk.chat_models.entries import ScriptError
from beewalk.errors import BeewalkError, RequirementError
from beewalk.policy.ask_permission import AskPermissionRequirement, Choices, PermissionMachine
from beewalk.policy.messages import (
    TEMP_MESSAGE,
    AssistantMessage,
    Memory,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from beewalk.policy.policy import Policy
from beewalk.policy.requirement import MachineRequirement, Requirement, rules_awaited
from beewalk.policy.rule import Rule
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.step import Step
from beewalk.reasoner.prompt import EMPTY_RESULT, Briefing, call_options, failure_text, system_prompt
from beewalk.reasoner.ruling import Vote
from beewalk.turn.advance import advance, begin
from beewalk.turn.boundary import call_id
from beewalk.turn.conduct import conduct_of, repeated
from beewalk.turn.events import (
    Ask,
    AskPermission,
    Crashed,
    Effect,
    End,
    Event,
    Failed,
    Finish,
    Kept,
    MakeRules,
    Permission,
    Permitted,
    Raised,
    Ran,
    Replied,
    Ruled,
    Rules,
    RunCalls,
)
from beewalk.turn.recorder import Recorder
from beewalk.turn.reply import Reply
from beewalk.turn.state import LoopState, terms_of
from beewalk.turn.trajectory import Trajectory

Listener = Callable[[Effect | Event], None]


class ListenerError(BeewalkError):
    """A listener raised; the run it listened to is not to blame."""

    slug = "listener-error"


@dataclass(frozen=True)
class Setup:
    """Who and what takes part in a run. `chat_model` is asked, `tools` run calls, `ask` asks the user."""

    policy: Policy
    chat_model: ChatModel
    tools: Toolbox
    ask: Asker
    briefing: Briefing


class Runner:
    """One run.

    Args:
        setup: who takes part.
        run: what the run starts from.
        memory: the conversation, the user's message being the last; the run adds to it.
        choices: the permissions that earlier runs were told and that are remembered, by the requirement's place.
        listeners: get every effect and event, in order.

    Attributes:
        state: what requirements see.
    """

    def __init__(
        self,
        setup: Setup,
        run: Run,
        memory: Memory,
        *,
        choices: Mapping[int, Mapping[str, bool]],
        listeners: Iterable[Listener] = (),
    ) -> None:
        policy = setup.policy
        self.setup = setup
        self.memory = memory
        self.state = RequirementAgentRunState(run, policy.tools, (), memory)
        self._recorder = Recorder()
        self._listeners = tuple(listeners)
        self._tools = {tool.name: tool for tool in policy.tools}
        self._asking = [
            _Asking(index, one.machine(policy.tools), dict(choices.get(index, {})))
            for index, one in enumerate(policy.requirements)
            if isinstance(one, AskPermissionRequirement)
        ]
        self._loop: LoopState
        self._handlers: dict[type, Callable[[Any], Any]] = {
            MakeRules: self._make_rules,
            Ask: self._ask,
            AskPermission: self._ask_permission,
            RunCalls: self._run_calls,
            Finish: self._finish,
        }

    async def run(self) -> Trajectory:
        """Run to the end, however that comes.

        Raises:
            ScriptError: a scripted chat model and the run do not fit.
            ListenerError: a listener raised.
            BeewalkError: a live chat model in a test, or a tool that took too long.
        """
        refuse_live(self.setup.chat_model)
        self._loop, effect = begin(terms_of(self.setup.policy))
        while not isinstance(effect, End):
            self._tell(effect)
            event: Event = await self._handlers[type(effect)](effect)
            self._tell(event)
            self._loop, effect = advance(self._loop, event)
        self._tell(effect)
        self.state.answer = None if effect.answer is None else AssistantMessage(effect.answer)
        self.state.result = effect.value
        return self.trajectory

    @property
    def trajectory(self) -> Trajectory:
        """What the run did; only once it has ended."""
        assert self._recorder.trajectory is not None
        return self._recorder.trajectory

    @property
    def choices(self) -> dict[int, dict[str, bool]]:
        """The permissions that are remembered, by the place of the requirement that asked."""
        return {asking.index: asking.choices for asking in self._asking}

    def _tell(self, happening: Effect | Event) -> None:
        self._recorder(happening)
        for listener in self._listeners:
            try:
                listener(happening)
            except Exception as error:
                what = f"a listener raised {type(error).__name__} on {type(happening).__name__}: {error}"
                raise ListenerError(what) from error

    async def _make_rules(self, effect: MakeRules) -> Ruled | Raised:
        self.state.iteration = effect.turn
        votes = []
        try:
            for index, one in enumerate(() if effect.dropped else self.setup.policy.requirements):
                if one.enabled:
                    votes.append(Vote(index, one.name, one.priority, await self._rules_of(index, one)))
        except RequirementError as error:
            return Raised(error)
        return Ruled(Rules(tuple(votes), self._permissions()))

    async def _rules_of(self, index: int, one: Requirement[Any]) -> tuple[Rule, ...]:
        """The rules of a requirement; permissions are known better here than from the steps of the state."""
        for asking in self._asking:
            if asking.index == index and type(one).run is MachineRequirement.run:
                return asking.machine.rules(asking.memory)
        return await rules_awaited(one, self.state)

    def _permissions(self) -> dict[str, Permission]:
        found: dict[str, Permission] = {}
        for asking in self._asking:
            for tool in asking.machine.managed:
                granted = asking.machine.permission(asking.memory, tool)
                before = found.get(tool, Permission())
                asks = (asking.index,) if granted is None else ()
                found[tool] = Permission(before.refused or granted is False, before.ask + asks)
        return found

    async def _ask(self, effect: Ask) -> Replied | Failed:
        try:
            reply: Any = self.setup.chat_model.reply(self._prompt(effect))
            if inspect.isawaitable(reply):
                reply = await reply
        except (ScriptError, LiveChatModelError):
            raise
        except Exception as error:  # noqa: BLE001 - whoever plays the chat model may raise anything
            return Failed(f"the chat model raised {type(error).__name__}: {error}", isinstance(error, ChatModelError))
        if not isinstance(reply, Reply):
            return Failed(f"the chat model gave {reply!r} where a Reply is due", fatal=True)
        return Replied(reply)

    def _prompt(self, effect: Ask) -> Prompt:
        policy, request = self.setup.policy, effect.request
        system = SystemMessage(system_prompt(request, policy.tools, self.setup.briefing))
        lasting = [system, *self.memory.messages]
        terms, window = self._loop.terms, self._loop.loop.window

        def conduct(reply: Reply) -> tuple[str, ...]:
            repeats = repeated(reply, terms.tools, terms.checker, window)
            return conduct_of(reply, request, parallel=terms.parallel, repeats=repeats)

        return Prompt(
            ask=effect,
            messages=(*lasting, *_complaints(effect)),
            tools=tuple(tool for tool in policy.tools if tool.name in request.allowed),
            all_tools=policy.tools,
            options=call_options(request, lasting, has_requirements=bool(policy.requirements)),
            parallel=terms.parallel,
            conduct=conduct,
        )

    async def _ask_permission(self, effect: AskPermission) -> Permitted | Crashed:
        granted = []
        for question in effect.questions:
            requirement = self.setup.policy.requirements[question.requirement]
            assert isinstance(requirement, AskPermissionRequirement)
            try:
                answer = await self.setup.ask(requirement, self._tools[question.call.tool], question)
            except ScriptError:
                raise
            except Exception as error:  # noqa: BLE001 - a handler is the user's code
                return Crashed(f"the permission handler raised {type(error).__name__}: {error}")
            granted.append(answer)
            if requirement.remember_choices:
                choices = next(one.choices for one in self._asking if one.index == question.requirement)
                choices[question.call.tool] = answer
        return Permitted(tuple(granted))

    async def _run_calls(self, effect: RunCalls) -> Ran | Crashed:
        runs = [self.setup.tools.run(self._tools[call.tool], call) for call in effect.calls]
        results = []
        for call, result in zip(effect.calls, await asyncio.gather(*runs, return_exceptions=True), strict=True):
            if isinstance(result, BeewalkError) and not isinstance(result, ToolTimeoutError):
                return Crashed(f"the tool {call.tool!r} raised {type(result).__name__}: {result}")
            if isinstance(result, BaseException):
                raise result
            results.append(result)
        return Ran(tuple(results))

    async def _finish(self, effect: Finish) -> Kept:
        self.state.record(effect.turn)
        ids = [call_id(effect.asked, index) for index in range(len(effect.reply.calls))]
        calls = zip(ids, effect.reply.calls, strict=True)
        await self.memory.add(AssistantMessage(effect.reply.text or "", calls=calls))
        for one, step in zip(ids, effect.turn.steps, strict=False):
            await self.memory.add(ToolMessage(_result_text(step), tool=step.name, call_id=one))
        self.memory.drop_temporary()
        return Kept()


@dataclass(frozen=True)
class _Asking:
    """An AskPermissionRequirement in a run: its place in the policy, its machine and what it was told."""

    index: int
    machine: PermissionMachine
    choices: dict[str, bool]

    @property
    def memory(self) -> Choices:
        """The memory of the machine."""
        return tuple(sorted(self.choices.items()))


def _complaints(effect: Ask) -> list[Message]:
    """What is added for this request only: each rejected reply, and what is wrong with it."""
    offered = ", ".join(effect.request.offered)
    messages: list[Message] = []
    for rejected in effect.rejected:
        if rejected.said:
            messages.append(AssistantMessage(rejected.said, {TEMP_MESSAGE: True}))
        messages.append(UserMessage(f"{rejected.why}. Tools that are offered: {offered}", {TEMP_MESSAGE: True}))
    return messages


def _result_text(step: Step) -> str:
    if step.error is not None:
        return failure_text(step.error)
    return EMPTY_RESULT if step.output.is_empty() else step.output.get_text_content()
