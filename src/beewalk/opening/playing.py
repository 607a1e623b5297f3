"""Playing: a policy, whatever a user calls it, on beewalk's loop with a script."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from beewalk.agent.agent import RequirementAgent
from beewalk.agent.play import Stage, play
from beewalk.agent.session import run_now
from beewalk.agent.tools import Scripted
from beewalk.chat_models.chat_model import ChatModel
from beewalk.chat_models.entries import Entry, ScriptError
from beewalk.chat_models.scripted import ScriptedChatModel
from beewalk.errors import BeewalkError, possible
from beewalk.opening.opening import load_policy
from beewalk.policy.policy import Limits, Policy
from beewalk.policy.tool import Tool
from beewalk.scenarios.scenario_checking import outcomes_of
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
        BeewalkError: an argument is nothing that can be played.

    Example:
        >>> from beewalk import ConditionalRequirement, Policy, Tool, call, final_answer, run
        >>> policy = Policy([Tool("a"), Tool("b")], [ConditionalRequirement("b", only_after="a")])
        >>> run(policy, [call.a(), call.b(), final_answer("done")]) == ["a", "b", "final_answer"]
        True
    """
    opened = load_policy(policy)
    if limits is not None:
        opened = opened.limited(limits)
    if runs < 1:
        raise BeewalkError(f"runs is {runs}: it must be at least 1")
    chat_model = _chat_model(script, conduct)
    stage = Stage(_outcomes(opened, outcomes or {}), _permissions(opened, permissions or {}), runs, timeout)
    played = run_now(lambda: play(opened, chat_model, opened.input if input is None else input, stage))
    if played.trouble is not None:
        raise ScriptError(played.trouble)
    return played.trajectories[-1]


def _chat_model(script: Sequence[Entry] | ChatModel, conduct: Collection[str]) -> ChatModel:
    if callable(getattr(script, "reply", None)):
        if conduct:
            raise BeewalkError(f"conduct is {conduct!r}, and there is no script: give it to the chat model instead")
        return cast("ChatModel", script)
    if isinstance(script, Sequence) and not isinstance(script, str):
        return ScriptedChatModel(script, conduct=conduct)
    raise BeewalkError(f"the script is {script!r}: pass a list, an entry an ask, or an object with a method reply")


def _outcomes(
    policy: Policy, outcomes: Mapping[str, str | Scripted | Sequence[str | Scripted]]
) -> dict[str, list[Scripted]]:
    tools = _known(policy, "outcomes", outcomes)
    found = {}
    for name, said in outcomes.items():
        entries = [said] if isinstance(said, str | Scripted) else said
        found[name] = [Scripted(one) if isinstance(one, str) else one for one in entries]
        known = outcomes_of(tools[name], scripted=True)
        for one in found[name]:
            if one.said is None and one.outcome not in known:
                raise BeewalkError(f"{name!r} has no outcome {one.outcome!r}: {possible(one.outcome, known)}")
    return found


def _permissions(policy: Policy, permissions: Mapping[str, bool | Sequence[bool]]) -> dict[str, list[bool]]:
    _known(policy, "permissions", permissions)
    found = {tool: [said] if isinstance(said, bool) else list(said) for tool, said in permissions.items()}
    for tool, answers in found.items():
        if not all(isinstance(one, bool) for one in answers):
            raise BeewalkError(f"the permissions of {tool!r} are {permissions[tool]!r}: write True or False")
    return found


def _known(policy: Policy, what: str, names: Iterable[str]) -> dict[str, Tool]:
    """The tools of the policy, of which `names` must be."""
    tools = {tool.name: tool for tool in policy.tools}
    for name in names:
        if name not in tools:
            raise BeewalkError(f"{what} has {name!r}, which is no tool of the policy: {possible(name, tools)}")
    return tools
