"""How many scenario runs a second: beewalk's loop and the real agent, both with a scripted chat model, in one run.

`make benchmark` prints the ratio; the claim is that beewalk plays at least 20 times as many.
"""

import asyncio
from time import perf_counter

from tests.support.upstream_agent import UpstreamAgent

from beewalk import ConditionalRequirement, Policy, ThinkTool, Tool
from beewalk.agent.play import Stage, play
from beewalk.chat_models.scripted import ScriptedChatModel
from beewalk.policy.call import Call
from beewalk.turn.reply import Reply

CALLS = (
    Call("think", '{"thought": "look at the weather"}'),
    Call("weather", '{"location": "Boston"}'),
    Call("search", '{"query": "events"}'),
    Call("final_answer", '{"response": "Take an umbrella."}'),
)
ROUNDS, OURS, THEIRS = 5, 300, 15


def quickstart() -> Policy:
    """The policy of the framework's quickstart, with a task."""
    return Policy(
        [ThinkTool(), Tool("weather"), Tool("search")],
        [
            ConditionalRequirement("think", force_at_step=1),
            ConditionalRequirement("search", only_after="weather", min_invocations=1, max_invocations=2),
            ConditionalRequirement("weather", consecutive_allowed=False, min_invocations=1, max_invocations=2),
        ],
        input="What to do in Boston?",
    )


def ours(policy: Policy, runs: int) -> float:
    """Runs a second of beewalk's loop."""

    async def play_all() -> None:
        for _ in range(runs):
            played = await play(policy, ScriptedChatModel(CALLS), policy.input, Stage())
            assert played.trajectories[0] == [call.tool for call in CALLS]

    began = perf_counter()
    asyncio.run(play_all())
    return runs / (perf_counter() - began)


def theirs(policy: Policy, loop: asyncio.AbstractEventLoop, runs: int) -> float:
    """Runs a second of the real agent."""
    script = [Reply((call,)) for call in CALLS]
    agents = [UpstreamAgent(policy, loop, script=script, outcomes={}, permissions={}) for _ in range(runs)]
    began = perf_counter()
    for agent in agents:
        assert [step[0] for step in agent.run().steps] == [call.tool for call in CALLS]
    return runs / (perf_counter() - began)


def main() -> None:
    """Print a line a round, and the least ratio."""
    policy = quickstart()
    ratios = []
    with asyncio.Runner() as runner:
        for _ in range(ROUNDS):
            mine, real = ours(policy, OURS), theirs(policy, runner.get_loop(), THEIRS)
            ratios.append(mine / real)
            print(f"beewalk {mine:6.0f} runs/s, beeai-framework {real:5.1f} runs/s: {ratios[-1]:.0f} times as many")
    print(f"beewalk plays at least {min(ratios):.0f} times as many runs of 4 calls (claimed: 20)")


if __name__ == "__main__":
    main()
