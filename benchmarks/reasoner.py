"""How long one request takes: beewalk from given memories, beeai-framework from the state, in one run.

`make benchmark` prints the ratio; issue and README claim that beewalk needs less than 1/20 of the framework's time.
"""

import asyncio
from collections.abc import Callable
from statistics import median
from time import perf_counter

from tests.support.upstream import Upstream

from beewalk import ConditionalRequirement, Policy, ThinkTool, Tool
from beewalk.policy.machine import fold
from beewalk.policy.state import Run
from beewalk.policy.step import Step, Turn
from beewalk.reasoner.request import make_request
from beewalk.reasoner.ruling import Vote

HISTORY = ("think", "weather", "think", "search", "think", "weather", "think", "search", "think", "think")
LENGTHS = (0, 1, 5, 10)
ROUNDS = 15


def quickstart() -> Policy:
    """The policy of the framework's quickstart."""
    return Policy(
        [ThinkTool(), Tool("weather"), Tool("search")],
        [
            ConditionalRequirement("think", force_at_step=1),
            ConditionalRequirement("search", only_after="weather", min_invocations=1, max_invocations=2),
            ConditionalRequirement("weather", consecutive_allowed=False, min_invocations=1, max_invocations=2),
        ],
    )


def seconds(work: Callable[[], object], times: int) -> float:
    """The median over ROUNDS of how long one `work` takes, `times` being done a round."""
    rounds = []
    for _ in range(ROUNDS):
        began = perf_counter()
        for _ in range(times):
            work()
        rounds.append((perf_counter() - began) / times)
    return median(rounds)


def ours(policy: Policy, turns: list[Turn]) -> Callable[[], object]:
    """One request of beewalk's reasoner, from the memories after `turns`."""
    names = [tool.name for tool in policy.tools]
    machines = [one.machine(policy.tools) for one in policy.requirements]  # type: ignore[attr-defined]  # built-in ones
    memories = [fold(machine, Run(), turns) for machine in machines]
    parts = list(zip(policy.requirements, machines, memories, strict=True))

    def request() -> object:
        votes = [
            Vote(index, one.name, one.priority, machine.rules(memory))
            for index, (one, machine, memory) in enumerate(parts)
        ]
        return make_request(names, votes)

    return request


def main() -> None:
    """Print one line for each length of the history, and the least ratio."""
    policy = quickstart()
    tools = {tool.name: tool for tool in policy.tools}
    ratios = []
    with asyncio.Runner() as runner:
        upstream = Upstream(policy, runner.get_loop())
        for length in LENGTHS:
            steps = [Step.of(tools[name], "ok", iteration=at) for at, name in enumerate(HISTORY[:length], 1)]
            turns = [Turn(step.iteration, (step,)) for step in steps]
            upstream.answer(turns)
            mine, theirs = seconds(ours(policy, turns), 1_000), seconds(upstream.answer_again, 20)
            ratios.append(theirs / mine)
            times = f"beewalk {mine * 1e6:5.1f} us, beeai-framework {theirs * 1e6:5.0f} us"
            print(f"{length:2} steps: {times}, {ratios[-1]:.0f} times as long")
    print(f"a request takes 1/{min(ratios):.0f} of the framework's time or less (claimed: less than 1/20)")


if __name__ == "__main__":
    main()
