"""RequirementAgent: tools, requirements and a chat model, ready to run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from beewalk.agent.arguments import AnswerReader, model_reader, reader_of
from beewalk.agent.permission import ask_user
from beewalk.agent.runner import Listener, Setup
from beewalk.agent.session import Session, run_now
from beewalk.agent.tools import Toolbox
from beewalk.chat_models.chat_model import ChatModel
from beewalk.errors import AgentError, NotInThisVersion
from beewalk.policy.messages import AssistantMessage, Memory
from beewalk.policy.policy import Answer, Limits, Loop, Policy, RepeatedCalls
from beewalk.policy.requirement import Requirement
from beewalk.policy.state import RequirementAgentRunState
from beewalk.policy.tool import Tool
from beewalk.reasoner.prompt import DEFAULT_ROLE, Briefing
from beewalk.turn.events import Raised
from beewalk.turn.trajectory import Ending, Trajectory


@dataclass(frozen=True)
class RequirementAgentOutput:
    """What a run gave: the answer as a message, the value of a structured answer, the state, the trajectory."""

    last_message: AssistantMessage
    output_structured: Any
    state: RequirementAgentRunState
    trajectory: Trajectory

    @property
    def output(self) -> list[AssistantMessage]:
        """The answer, in a list."""
        return [self.last_message]


class RequirementAgent:
    """An agent that keeps to requirements, with the arguments of beeai-framework's class of this name.

    Memory and remembered permissions outlast a run; steps do not.

    Args:
        llm: who is asked; `chat_model` is the same.
        tools: what it can call; the final answer is added.
        requirements: what it keeps to.
        name: of the agent.
        description: of the agent, for whoever reads it.
        role: who the chat model is told to be.
        instructions: what it is told to do; a list is one a line.
        notes: what it is told besides.
        final_answer_as_tool: whether the answer must be a call even where text would do.
        tool_call_checker: when equal calls count as repeated; False for never.
        parallel_tool_calls: whether one reply may hold several calls.
        save_intermediate_steps: whether tool calls stay in the memory after a run, or only the last pair.
        memory: the conversation so far.
        listeners: get every effect and event of every run, in order.

    Raises:
        PolicyError: tools and requirements do not fit; everything that is wrong.

    Example:
        >>> from beewalk import ScriptedChatModel, ThinkTool, call, final_answer
        >>> script = [call.think(thought="easy"), final_answer("42")]
        >>> agent = RequirementAgent(llm=ScriptedChatModel(script), tools=[ThinkTool()])
        >>> agent.run_sync("What is six times seven?").last_message.text
        '42'
    """

    def __init__(  # noqa: PLR0913 - the framework's own arguments
        self,
        *,
        llm: ChatModel | str | None = None,
        chat_model: ChatModel | None = None,
        tools: Sequence[Tool] = (),
        requirements: Sequence[Requirement[Any]] = (),
        name: str = "agent",
        description: str = "",
        role: str | None = None,
        instructions: str | Sequence[str] = (),
        notes: str | Sequence[str] = (),
        final_answer_as_tool: bool = True,
        tool_call_checker: RepeatedCalls | bool = True,
        parallel_tool_calls: bool = False,
        save_intermediate_steps: bool = True,
        memory: Memory | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        checker = tool_call_checker if isinstance(tool_call_checker, RepeatedCalls) else RepeatedCalls()
        loop = Loop(final_answer_as_tool, parallel_tool_calls, checker if tool_call_checker else None)
        self.policy = Policy(tools, requirements, name=name, loop=loop)
        self.chat_model = _chat_model(llm, chat_model)
        self.name = name
        self.description = description
        self.briefing = Briefing(
            role or DEFAULT_ROLE, instructions="\n".join(_lines(instructions)), notes=tuple(_lines(notes))
        )
        self.session = Session(memory, save_intermediate_steps=save_intermediate_steps)
        self.listeners = tuple(listeners)

    @property
    def memory(self) -> Memory:
        """The conversation so far."""
        return self.session.memory

    async def run(
        self,
        prompt: str,
        *,
        expected_output: Any = None,
        backstory: str | None = None,
        max_iterations: int | None = 20,
        max_retries_per_step: int | None = 3,
        total_max_retries: int | None = 20,
    ) -> RequirementAgentOutput:
        """Work on `prompt` until there is a final answer.

        Args:
            prompt: the task.
            expected_output: what the answer should be like in words, or a pydantic model or JSON schema it must fit.
            backstory: what is to be known besides the task.
            max_iterations: turns that the run may have; 0 or None for no bound.
            max_retries_per_step: failures that one turn survives; 0 or None for none.
            total_max_retries: failures that the run survives.

        Raises:
            AgentError: there is no final answer: a dead end, a limit, a failure of the chat model or of a tool.
            RequirementError: a requirement raised.
        """
        answer, reader, words = _wanted(expected_output)
        limits = Limits(max_iterations, max_retries_per_step, total_max_retries)
        policy = self.policy.limited(limits).answering(answer)
        briefing = replace(self.briefing, answer_schema=answer if isinstance(answer, Mapping) else None, expected=words)
        setup = Setup(policy, self.chat_model, Toolbox(reader), ask_user, briefing)
        raised: list[Raised] = []

        def note(happening: object) -> None:
            if isinstance(happening, Raised):
                raised.append(happening)

        listeners = (note, *self.listeners)
        runner = await self.session.run(setup, prompt, backstory=backstory, listeners=listeners)
        trajectory = runner.trajectory
        if raised:
            raise raised[0].error
        if trajectory.ends is not Ending.FINAL_ANSWER:
            raise AgentError(f"{trajectory.ends}: {trajectory.message}", trajectory=trajectory)
        message = AssistantMessage(trajectory.answer or "")
        return RequirementAgentOutput(message, runner.state.result, runner.state, trajectory)

    def run_sync(self, prompt: str, **options: Any) -> RequirementAgentOutput:
        """The same as `run` where nothing is awaited; with an event loop running already it uses a thread."""
        return run_now(lambda: self.run(prompt, **options))


def _lines(text: str | Sequence[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def _chat_model(llm: ChatModel | str | None, chat_model: ChatModel | None) -> ChatModel:
    found = chat_model if llm is None else llm
    if isinstance(found, str):
        raise NotInThisVersion(
            f"{found!r} names a live chat model, and there is none in this version: pass a ScriptedChatModel, or any "
            "object with a method reply(prompt)"
        )
    if found is None or not callable(getattr(found, "reply", None)):
        raise TypeError(f"the chat model is {found!r}: pass llm=, an object with a method reply(prompt)")
    return found


def _wanted(expected: Any) -> tuple[Answer, AnswerReader, str]:
    """The kind of answer, how it is read, and what it should be like in words."""
    if isinstance(expected, type):
        schema: Answer = expected.model_json_schema()  # type: ignore[attr-defined]  # a pydantic model
        return schema, model_reader(expected), ""
    if isinstance(expected, Mapping):
        return expected, reader_of(expected), ""
    return "text", reader_of("text"), expected or ""
