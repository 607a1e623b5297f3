"""Play: a policy on the real loop, with tools and permissions from a script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from beewalk.agent.arguments import reader_of
from beewalk.agent.runner import Setup
from beewalk.agent.session import Session
from beewalk.agent.tools import Scripted, Toolbox, ToolTimeoutError
from beewalk.chat_models.chat_model import ChatModel, LiveChatModelError, refuse_live
from beewalk.chat_models.entries import ScriptError
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.policy import Policy
from beewalk.policy.snapshot import restore, snapshot
from beewalk.policy.tool import Tool
from beewalk.reasoner.prompt import Briefing
from beewalk.turn.events import Question
from beewalk.turn.recorder import Recorder
from beewalk.turn.trajectory import Trajectory, turns_text


@dataclass(frozen=True)
class Stage:
    """What is played with.

    Attributes:
        outcomes: tool -> what its calls that run come to, in order; the last repeats, and ok stands where none is.
        permissions: tool -> the user's answers, in order; the last repeats. Where none is, asking is trouble.
        runs: how many runs, one after the other, with one memory.
        timeout: seconds that a tool may take.
    """

    outcomes: Mapping[str, Sequence[Scripted]] = field(default_factory=dict)
    permissions: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    runs: int = 1
    timeout: float | None = None


@dataclass(frozen=True)
class Played:
    """The trajectories of the runs that ended; `trouble` says why what was played with, not the policy, is at fault."""

    trajectories: tuple[Trajectory, ...]
    trouble: str | None = None


async def play(policy: Policy, chat_model: ChatModel, text: str, stage: Stage) -> Played:
    """Run `policy` on the task `text`; no tool runs its own code unless its outcome is "real", and no user is asked.

    What requirements of the user's own keep between turns and runs is afterwards as it was, so that the next play of
    the same policy starts where this one did.
    """
    taken = [(one, snapshot(one)) for one in policy.requirements if not type(one).__module__.startswith("beewalk.")]
    try:
        return await _play(policy, chat_model, text, stage)
    finally:
        for one, attributes in taken:
            restore(one, attributes)


async def _play(policy: Policy, chat_model: ChatModel, text: str, stage: Stage) -> Played:
    toolbox = Toolbox(reader_of(policy.answer), stage.outcomes, stage.timeout)
    schema = policy.answer if isinstance(policy.answer, Mapping) else None
    setup = Setup(policy, chat_model, toolbox, _Answers(stage.permissions), Briefing(answer_schema=schema))
    session = Session()
    trajectories: list[Trajectory] = []
    recorder = Recorder()
    try:
        refuse_live(chat_model, testing=True)
        for _ in range(stage.runs):
            recorder = Recorder()
            runner = await session.run(setup, text, listeners=[recorder])
            trajectories.append(runner.trajectory)
    except (ScriptError, ToolTimeoutError, LiveChatModelError) as error:
        made = turns_text(recorder.turns)
        return Played(tuple(trajectories), f"{error}; called so far: {made}" if made else str(error))
    return Played(tuple(trajectories), _left_over(chat_model, trajectories[-1]))


def _left_over(chat_model: ChatModel, run: Trajectory) -> str | None:
    """What a script has that was not played, and how the run ended instead."""
    check_used_up: Callable[[], None] | None = getattr(chat_model, "check_used_up", None)
    try:
        if check_used_up is not None:
            check_used_up()
    except ScriptError as error:
        return f"{error}; it ended with {run.ends}"
    return None


class _Answers:
    """Answers permissions from a script."""

    def __init__(self, permissions: Mapping[str, Sequence[bool]]) -> None:
        self._permissions = permissions
        self._asked: dict[str, int] = {}

    async def __call__(self, requirement: AskPermissionRequirement, tool: Tool, question: Question) -> bool:
        answers = self._permissions.get(tool.name)
        if not answers:
            what = f"permission for {question.call} was asked by {requirement.name!r}, and no answer is scripted"
            raise ScriptError(f"{what}: add permissions: {{{tool.name}: [allow]}}, or deny")
        asked = self._asked[tool.name] = self._asked.get(tool.name, 0) + 1
        return answers[min(asked, len(answers)) - 1]
