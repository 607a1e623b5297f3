"""Every run of the loop is a path of the explored graph, and every path of the graph can be run."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from beewalk import AskPermissionRequirement, Call, Limits, Policy, RandomChatModel, ScriptedChatModel, Tool
from beewalk.agent.play import Stage, play
from beewalk.agent.tools import Scripted
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.explorer.moves import Move
from beewalk.policy.tool import DENIED, ERROR, FINAL_ANSWER
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Ending, Offered, Trajectory
from tests.support.strategies import policies

MOST_STATES = 200
LONGEST = 6
MOST_PATHS = 150
UNBOUNDED = Limits(max_iterations=12, max_retries_per_step=3, total_max_retries=100)


def with_silent_tools(policy: Policy, bits: int) -> Policy:
    """The same policy, some of its tools taking no arguments."""
    tools = [
        Tool(tool.name, arguments="none") if bits >> number & 1 and tool.name != "think" else tool
        for number, tool in enumerate(policy.tools[:-1])
    ]
    return Policy(tools, policy.requirements, limits=UNBOUNDED, loop=policy.loop, input="go")


def explored(base: Policy | None, bits: int) -> Exploration | None:
    """The exploration of a drawn policy; None where there is none, or it is large."""
    if base is None:
        return None
    found = explore_policy(with_silent_tools(base, bits), outcomes=["ok", "error"], max_states=MOST_STATES)
    return found if found.complete else None


def made_moves(policy: Policy, run: Trajectory) -> Iterator[tuple[Offered, Move]]:
    """The moves that a run made, repeated calls included, each with what was offered."""
    steps = iter(run.steps)
    for offered in run.offers:
        reply = offered.asks[-1].reply
        assert reply is not None
        (call,) = reply.calls
        following = run.offers[run.offers.index(offered) + 1 :][:1]
        loop_rules = [vote for one in following for vote in one.request.votes if vote.index < 0]
        dead = [] if run.dead_end is None or following else [vote for vote in run.dead_end.votes if vote.index < 0]
        if loop_rules or dead:
            yield offered, Move(call.tool, repeated=True)
            continue
        step = next(steps, None)
        if step is not None:
            yield offered, Move(step.name, step.outcome)


def follow(graph: StateGraph, state: int, move: Move) -> int:
    number = graph.alphabet.moves.index(move)
    return dict(graph.arcs[state])[number]


@given(base=policies(), bits=st.integers(0, 15), seed=st.integers(0, 2**16))
def test_every_run_is_a_path(base: Policy | None, bits: int, seed: int) -> None:
    found = explored(base, bits)
    if found is None:
        return
    dice = Random(seed)
    tools = [tool.name for tool in found.policy.tools[:-1]]
    stage = Stage(
        outcomes={name: [Scripted(dice.choice(["ok", "ok", "error"])) for _ in range(15)] for name in tools},
        permissions={name: [dice.random() < 0.5 for _ in range(15)] for name in tools},
    )
    (run,) = asyncio.run(play(found.policy, RandomChatModel(seed=seed), "go", stage)).trajectories
    state = 0
    for offered, move in made_moves(found.policy, run):
        assert set(found.graph.allowed(state)) == offered.request.allowed
        state = follow(found.graph, state, move)
    if state == ANSWERED:
        assert run.ends is Ending.FINAL_ANSWER
    elif found.graph.is_dead_end(state):
        assert run.ends is Ending.DEAD_END
    elif found.graph.raises(state):
        assert run.ends is Ending.REQUIREMENT_ERROR
    else:
        assert run.ends in {Ending.ITERATION_LIMIT, Ending.RETRY_LIMIT}


def paths(graph: StateGraph, dice: Random) -> list[tuple[tuple[int, ...], int]]:
    """All ways of at most LONGEST moves, where there are few, else some by chance; each with where it leads.

    A way ends where the run does, or is as long as that.
    """
    found: list[tuple[tuple[int, ...], int]] = []
    waiting: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while waiting and len(found) + len(waiting) < MOST_PATHS:
        before, state = waiting.pop()
        arcs = graph.arcs[state] if state >= 0 and len(before) < LONGEST else []
        waiting += [((*before, move), target) for move, target in arcs]
        found += [] if arcs else [(before, state)]
    return found if not waiting else [_walked(graph, dice) for _ in range(MOST_PATHS // 10)]


def _walked(graph: StateGraph, dice: Random) -> tuple[tuple[int, ...], int]:
    moves: tuple[int, ...] = ()
    state = 0
    while state >= 0 and graph.arcs[state] and len(moves) < LONGEST:
        move, state = dice.choice(graph.arcs[state])
        moves += (move,)
    return moves, state


def script_of(policy: Policy, moves: Sequence[Move]) -> tuple[list[Reply], Stage]:
    """What a chat model, the tools and the user have to do to make `moves`."""
    asking = any(isinstance(one, AskPermissionRequirement) for one in policy.requirements)
    silent = {tool.name for tool in policy.tools if tool.arguments == "none"}
    script, outcomes, permissions = [], dict[str, list[Scripted]](), dict[str, list[bool]]()
    for number, move in enumerate(moves):
        arguments: Mapping[str, object] = {"response": "done"} if move.tool == FINAL_ANSWER else {"n": number}
        script.append(Reply((Call(move.tool) if move.tool in silent else Call.of(move.tool, arguments),)))
        if not move.repeated and move.outcome != DENIED:
            outcomes.setdefault(move.tool, []).append(Scripted(move.outcome))
        if not move.repeated and asking:
            permissions.setdefault(move.tool, []).append(move.outcome != DENIED)
    return script, Stage(outcomes, permissions)


@given(base=policies(most=3), bits=st.integers(0, 15), seed=st.integers(0, 2**16))
def test_every_path_can_be_run(base: Policy | None, bits: int, seed: int) -> None:
    found = explored(base, bits)
    if found is None or sum(bool(vars(one).get("remember_choices")) for one in found.policy.requirements) > 1:
        return  # two that remember choices are a known limit
    for numbers, end in paths(found.graph, Random(seed)):
        moves = [found.graph.alphabet.moves[number] for number in numbers]
        script, stage = script_of(found.policy, moves)
        chat_model = ScriptedChatModel(script)
        played = asyncio.run(play(found.policy, chat_model, "go", stage))
        made = _made(played.trajectories, chat_model)
        assert len(made) == len(moves), played.trouble
        failures = sum(move.outcome == ERROR for move in moves)
        if end >= 0 and (found.graph.is_dead_end(end) or found.graph.raises(end)):
            (run,) = played.trajectories
            assert run.ends in {Ending.DEAD_END, Ending.REQUIREMENT_ERROR}
        elif end == ANSWERED:
            (run,) = played.trajectories
            assert run.ends is Ending.FINAL_ANSWER
            assert [step.name for step in run.steps] == [move.tool for move in moves if not move.repeated]
        else:  # cut off at LONGEST: the script ends before the run
            assert "the script has ended" in (played.trouble or "")
        assert failures <= UNBOUNDED.total_max_retries  # type: ignore[operator]  # it is given


def _made(runs: Sequence[Trajectory], chat_model: ScriptedChatModel) -> Sequence[object]:
    """The asks that were answered."""
    return chat_model.prompts[: len(chat_model.script)]
