"""Playing: a policy, whatever a user calls it, on beewalk's loop with a script."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from beewalk.agent.agent import RequirementAgent
from beewalk.agent.play import Stage, play
from beewalk.agent.session import run_now
from beewalk.agent.tools import Scripted
from beewalk.chat_models.chat_model import ChatModel
from beewalk.chat_models.entries import Entry, ScriptError
from beewalk.chat_models.scripted import ScriptedChatModel
from beewalk.opening.opening import load_policy
from beewalk.policy.policy import Limits, Policy
from beewalk.turn.trajectory import Trajectory


def run(  # noqa: PLR0913 - what a scenario file can say
    policy: str | Path | Policy | RequirementAgent,
    script: Sequence[Entry] | ChatModel,
    *,
    conduct: Collection[str] = (),
    input: str | None = None,  # noqa: A002 - the scenario file's word
    outcomes: Mapping[str, str | Scripted | Sequence[str | Scripted]] | None = None,
    permissions: Mapping[str, bool | Sequence[bool]] | None = None,
    limits: Limits | None = None,
    runs: int = 1,
    timeout: float | None = None,
) -> Trajectory:
    """Run a policy with a scripted chat model; no tool runs its own code, and no user is asked.

    Args:
        policy: a Policy, a RequirementAgent, or whatever `load_policy` takes.
        script: what the chat model says, an entry an ask; or a chat model.
        conduct: what the script means to do against its requests.
        input: the task; the policy's own unless given.
        outcomes: tool -> the outcomes of its calls in order, the last repeats; ok unless given. "real" runs its code.
        permissions: tool -> the user's answers in order, the last repeats.
        limits: what bounds the run, instead of the policy's own limits.
        runs: how many runs, one after the other; the last one's trajectory is returned.
        timeout: seconds that a tool may take.

    Returns:
        The trajectory, however the run ended.

    Raises:
        ScriptError: the script ended early, was not used up, or went against a request without saying so; or a
            permission was asked that is not scripted, or a tool took too long.

    Example:
        >>> from beewalk import ConditionalRequirement, Policy, Tool, call, final_answer, run
        >>> policy = Policy([Tool("a"), Tool("b")], [ConditionalRequirement("b", only_after="a")])
        >>> run(policy, [call.a(), call.b(), final_answer("done")]) == ["a", "b", "final_answer"]
        True
    """
    opened = load_policy(policy)
    if limits is not None:
        opened = opened.limited(limits)
    chat_model = ScriptedChatModel(script, conduct=conduct) if isinstance(script, Sequence) else script
    stage = Stage(
        outcomes={tool: [_scripted(one) for one in _listed(said)] for tool, said in (outcomes or {}).items()},
        permissions={tool: [said] if isinstance(said, bool) else said for tool, said in (permissions or {}).items()},
        runs=runs,
        timeout=timeout,
    )
    played = run_now(lambda: play(opened, chat_model, opened.input if input is None else input, stage))
    if played.trouble is not None:
        raise ScriptError(played.trouble)
    return played.trajectories[-1]


def _listed(said: str | Scripted | Sequence[str | Scripted]) -> Sequence[str | Scripted]:
    return [said] if isinstance(said, str | Scripted) else said


def _scripted(said: str | Scripted) -> Scripted:
    return Scripted(said) if isinstance(said, str) else said
