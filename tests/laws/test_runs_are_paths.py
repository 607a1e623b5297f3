"""Every run of the loop is a path of the explored graph, and every path of the graph can be run."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from random import Random

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from beewalk import AskPermissionRequirement, Call, Ending, Limits, Policy, RandomChatModel, ScriptedChatModel, Tool
from beewalk.agent.arguments import reader_of
from beewalk.agent.runner import Setup
from beewalk.agent.session import Session
from beewalk.agent.tools import Scripted, Toolbox
from beewalk.chat_models.chat_model import ChatModel
from beewalk.explorer.graph import ANSWERED, OUT_OF_RETRIES, StateGraph
from beewalk.explorer.moves import Move
from beewalk.policy.tool import DENIED, FINAL_ANSWER
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.reasoner.prompt import Briefing
from beewalk.turn.events import AskPermission, Question
from beewalk.turn.reply import Reply
from beewalk.turn.trajectory import Trajectory
from tests.support.strategies import policies, with_silent_tools

MOST_STATES = 200
LONGEST = 6
MOST_PATHS = 150
LIMITS = (Limits(12, 3, 100), Limits(12, 3, 100), Limits(12, 0, 0))


class User:
    """Asked for permission by several requirements about one call, the user tells all of them the same.

    That they may be told different things is a known limit.
    """

    def __init__(self, says: Callable[[], bool]) -> None:
        self.says = says
        self.said = True

    def listen(self, happening: object) -> None:
        if isinstance(happening, AskPermission):
            self.said = self.says()

    async def __call__(self, requirement: AskPermissionRequirement, tool: Tool, question: Question) -> bool:
        return self.said


def played(policy: Policy, chat_model: ChatModel, outcomes: Mapping[str, Sequence[Scripted]], user: User) -> Trajectory:
    setup = Setup(policy, chat_model, Toolbox(reader_of("text"), outcomes), user, Briefing())
    return asyncio.run(Session().run(setup, "go", listeners=[user.listen])).trajectory


def explored(base: Policy | None, bits: int, limits: Limits) -> Exploration:
    """The exploration of a drawn policy that is not too large."""
    assume(base is not None)
    assert base is not None
    policy = with_silent_tools(base, bits, limits=limits, input="go")
    if bits >> 4 & 1:  # a drawn policy seldom asks permission
        asking = AskPermissionRequirement([], remember_choices=bool(bits & 1))
        policy = Policy(policy.tools[:-1], [*policy.requirements, asking], limits=limits, loop=policy.loop, input="go")
    found = explore_policy(policy, outcomes=["ok", "error"], max_states=MOST_STATES)
    assume(found.complete)
    return found


def made_moves(run: Trajectory) -> Iterator[Move]:
    """The moves of a run of an obedient chat model: one an offer, repeated where its turn did not end with it."""
    finished = {turn.number: turn for turn in run.turns}
    for offered, following in zip_longest(run.offers, run.offers[1:]):
        reply = offered.asks[-1].reply
        assert reply is not None
        (call,) = reply.calls
        goes_on = following is not None and following.turn == offered.turn
        if goes_on or offered.turn not in finished:
            yield Move(call.tool, repeated=True)
        else:
            (step,) = finished[offered.turn].steps
            yield Move(step.name, step.outcome)


def follow(graph: StateGraph, run: Trajectory) -> tuple[list[Move], int]:
    """The moves of a run and where they lead; on the way each offer must be the one of the graph."""
    state, moves = 0, list(made_moves(run))
    assert len(moves) == len(run.offers)
    for offered, move in zip(run.offers, moves, strict=True):
        assert offered.request.decision == graph.decisions[state]
        state = dict(graph.arcs[state])[graph.alphabet.moves.index(move)]
    return moves, state


def check_ending(graph: StateGraph, run: Trajectory, end: int) -> Ending:
    """How a run ends that has led to `end`, which the limits may cut short."""
    if end in {ANSWERED, OUT_OF_RETRIES}:
        assert run.ends is (Ending.FINAL_ANSWER if end == ANSWERED else Ending.RETRY_LIMIT)
    elif graph.raises(end):
        assert run.ends is Ending.REQUIREMENT_ERROR
    elif graph.is_dead_end(end):
        assert run.ends is Ending.DEAD_END
        assert run.dead_end is not None
        assert run.dead_end.decision == graph.decisions[end]
    else:
        assert run.ends is Ending.ITERATION_LIMIT
    return run.ends


def count(seen: Counter[str], moves: Sequence[Move], ends: Ending) -> None:
    seen[ends] += 1
    seen["repeated"] += any(move.repeated for move in moves)
    seen["denied"] += any(move.outcome == DENIED for move in moves)


def enough(seen: Counter[str]) -> bool:
    """Whether what was drawn shows what it is to show; dead ends and errors are too seldom to be sure of."""
    return all(seen[kind] > 0 for kind in (Ending.FINAL_ANSWER, Ending.ITERATION_LIMIT, "repeated", "denied"))


def drawn_until_enough(holds: Callable[[], None], seen: Counter[str]) -> None:
    """Draw again where what was drawn shows too little, which happens by chance; five times in vain is none."""
    for _ in range(5):
        holds()
        if enough(seen):
            return
    raise AssertionError(f"too little was drawn: {seen}")


def test_every_run_is_a_path() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=150, database=None, suppress_health_check=list(HealthCheck))
    @given(
        base=policies(checks=True),
        bits=st.integers(0, 31),
        limits=st.sampled_from(LIMITS),
        seed=st.integers(0, 2**16),
    )
    def holds(base: Policy | None, bits: int, limits: Limits, seed: int) -> None:
        found = explored(base, bits, limits)
        dice = Random(seed)
        outcomes = {
            tool.name: [Scripted(dice.choice(["ok", "ok", "error"])) for _ in range(15)]
            for tool in found.policy.tools[:-1]
        }
        run = played(found.policy, RandomChatModel(seed=seed), outcomes, User(lambda: dice.random() < 0.5))
        moves, end = follow(found.graph, run)
        check_ending(found.graph, run, end)
        count(seen, moves, run.ends)

    drawn_until_enough(holds, seen)


def paths(graph: StateGraph, dice: Random) -> list[tuple[tuple[Move, ...], int]]:
    """All ways of at most LONGEST moves, where there are few, else some by chance; each with where it leads.

    A way ends where the run does, or is as long as that; it does not end with a repeated call, which ends no turn.
    """
    found: list[tuple[tuple[Move, ...], int]] = []
    waiting: list[tuple[tuple[Move, ...], int]] = [((), 0)]
    while waiting and len(found) + len(waiting) < MOST_PATHS:
        before, state = waiting.pop()
        after = _onward(graph, before, state)
        waiting += after
        found += [] if after else [(before, state)]
    return found if not waiting else [_walked(graph, dice) for _ in range(MOST_PATHS // 10)]


def _walked(graph: StateGraph, dice: Random) -> tuple[tuple[Move, ...], int]:
    moves: tuple[Move, ...] = ()
    state = 0
    while onward := _onward(graph, moves, state):
        moves, state = dice.choice(onward)
    return moves, state


def _onward(graph: StateGraph, moves: tuple[Move, ...], state: int) -> list[tuple[tuple[Move, ...], int]]:
    if state < 0 or (len(moves) >= LONGEST and not moves[-1].repeated):
        return []
    return [((*moves, graph.alphabet.moves[move]), target) for move, target in graph.arcs[state]]


def run_along(policy: Policy, moves: Sequence[Move], *, cut_off: bool) -> Trajectory:
    """The run in which the chat model, the tools and the user do what makes `moves`; limits end it where cut off."""
    calls = [move for move in moves if not move.repeated]
    limits = Limits(len(calls) if cut_off else 0, policy.limits.max_retries_per_step, policy.limits.total_max_retries)
    silent = {tool.name for tool in policy.tools if tool.arguments == "none"}
    script, outcomes = [], dict[str, list[Scripted]]()
    for number, move in enumerate(moves):
        arguments: Mapping[str, object] = {"response": "done"} if move.tool == FINAL_ANSWER else {"n": number}
        script.append(Reply((Call(move.tool) if move.tool in silent else Call.of(move.tool, arguments),)))
        if not move.repeated and move.outcome != DENIED:
            outcomes.setdefault(move.tool, []).append(Scripted(move.outcome))
    chat_model = ScriptedChatModel(script)  # complains of what is no obedient reply, and of too short a script
    user = User(lambda: moves[len(chat_model.prompts) - 1].outcome != DENIED)
    run = played(policy.limited(limits), chat_model, outcomes, user)
    chat_model.check_used_up()
    return run


def test_every_path_can_be_run() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=40, database=None, suppress_health_check=list(HealthCheck))
    @given(
        base=policies(checks=True, most=3),
        bits=st.integers(0, 31),
        limits=st.sampled_from(LIMITS),
        seed=st.integers(0, 2**16),
    )
    def holds(base: Policy | None, bits: int, limits: Limits, seed: int) -> None:
        found = explored(base, bits, limits)
        graph = found.graph
        for moves, end in paths(graph, Random(seed)):
            run = run_along(found.policy, moves, cut_off=end >= 0 and bool(graph.arcs[end]))
            made, led_to = follow(graph, run)
            assert (tuple(made), led_to) == (moves, end)
            check_ending(graph, run, end)
            count(seen, moves, run.ends)

    drawn_until_enough(holds, seen)
