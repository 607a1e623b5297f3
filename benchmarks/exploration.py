"""How fast states are explored, how much room one takes, and how long the real reasoner needs for the same states.

`make benchmark` prints the ratio; 1/100 of the framework's time a state is claimed. The policy: eight tools, three
calls of each, none twice in a row, every third only after the one before.
"""

import asyncio
import tracemalloc
from random import Random
from time import perf_counter

from tests.support.upstream import Upstream

from beewalk import ConditionalRequirement, Policy, Tool
from beewalk.explorer.graph import StateGraph
from beewalk.explorer.search import Search, Settings, search
from beewalk.properties.exploration import explore_policy

STATES = 198_638
SAMPLE = 400


def eight_tools() -> Policy:
    """The policy of 198,638 states."""
    names = [f"tool{number}" for number in range(1, 9)]
    requirements = [
        ConditionalRequirement(
            name,
            max_invocations=3,
            consecutive_allowed=False,
            only_after=names[number - 1] if number % 3 == 2 else None,
        )
        for number, name in enumerate(names)
    ]
    return Policy([Tool(name) for name in names], requirements, name="eight tools")


def bytes_of(graph: StateGraph) -> int:
    """What the arrays of a graph take."""
    arrays = [
        graph.rows.codes,
        graph.decisions.numbers,
        graph.arcs.ends,
        graph.arcs.moves,
        graph.arcs.targets,
        graph.depths,
        graph.parents.states,
        graph.parents.moves,
    ]
    return sum(len(one) * getattr(one, "itemsize", 8) for one in arrays)


def seconds_upstream(found: Search, states: list[int]) -> float:
    """How long the real reasoner takes for one of `states`, each after a shortest history."""
    with asyncio.Runner() as runner:
        upstream = Upstream(found.policy, runner.get_loop())
        turns = [[found.alphabet.turns[move] for move in found.graph.path(state)] for state in states]
        upstream.answer(turns[0])
        spent = 0.0
        for one in turns:
            upstream.answer(one)
            began = perf_counter()
            upstream.answer_again()
            spent += perf_counter() - began
        return spent / len(states)


def main() -> None:
    """Print how many states a second, how many bytes a state, and the ratio."""
    policy = eight_tools()
    began = perf_counter()
    found = search(policy, Settings(max_states=None))
    mine = (perf_counter() - began) / len(found.graph)
    assert len(found.graph) == STATES
    states = Random(1).sample(range(STATES), SAMPLE)
    theirs = seconds_upstream(found, states)
    print(f"{STATES:,} states, {found.graph.moves:,} moves: {1 / mine:,.0f} states a second")
    print(f"{bytes_of(found.graph) / STATES:.0f} bytes a state in the graph")
    tracemalloc.start()
    search(policy, Settings(max_states=20_000))
    print(f"{tracemalloc.get_traced_memory()[1] / 20_000:.0f} bytes a state at most while searching")
    tracemalloc.stop()
    print(f"the real reasoner: {1 / theirs:,.0f} states a second; {theirs / mine:.0f} times as long (claimed: 100)")
    began = perf_counter()
    explored = explore_policy(policy, max_states=None)
    runs, findings = explored.complete_runs, len(explored.findings)
    spent = perf_counter() - began
    print(f"all of it, {runs:,} runs counted, {findings} findings judged: {spent:.1f} s")


if __name__ == "__main__":
    main()
