"""Exploration: what users get of an explored policy."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from beewalk.errors import BeewalkError
from beewalk.explorer.counting import ToolFacts, complete_runs, longest_run, tool_facts
from beewalk.explorer.finding import Finding
from beewalk.explorer.findings import Findings, about_tools, findings_of
from beewalk.explorer.graph import StateGraph, StopReason
from beewalk.explorer.mending import ground_text
from beewalk.explorer.minimal import MinimalGraph, Words, minimal_graph
from beewalk.explorer.moves import Move
from beewalk.explorer.search import DEFAULT_MAX_STATES, Search, Settings, search
from beewalk.explorer.sequences import sequences
from beewalk.explorer.stages import WitnessStage, stages
from beewalk.explorer.views import Following, following
from beewalk.explorer.walk import Watch
from beewalk.policy.accepted import Accepted
from beewalk.policy.policy import Limits, Policy
from beewalk.policy.requirement import Evaluate
from beewalk.policy.tool import ERROR, OK

if TYPE_CHECKING:
    import networkx

OUTCOMES = (OK, ERROR)


@dataclass(frozen=True)
class Exploration:
    """The graph of a policy, with counts and findings.

    `search` is what was found; `max_length` how many calls a counted run may have.
    """

    search: Search
    max_length: int

    @property
    def policy(self) -> Policy:
        """The policy that was explored."""
        return self.search.policy

    @property
    def graph(self) -> StateGraph:
        """Every reachable state and move."""
        return self.search.graph

    @property
    def states(self) -> int:
        """How many states can be reached; the ended run is not one."""
        return len(self.graph.rows)

    @property
    def moves(self) -> int:
        """How many (state, move) pairs there are, the final answer's included."""
        return self.graph.moves

    @property
    def depth(self) -> int:
        """The greatest shortest distance of a state from the start."""
        return self.graph.depth

    @property
    def complete(self) -> bool:
        """Whether the search saw everything, and everything that it saw was judged."""
        return self.stop_reason is StopReason.EXHAUSTED

    @property
    def stop_reason(self) -> StopReason:
        """Why the search ended, or why what it saw was not judged to the end."""
        return self._found.stopped if self.graph.complete else self.graph.stop_reason

    @cached_property
    def complete_runs(self) -> int:
        """How many sequences of at most `max_length` calls end in a final answer; a lower bound if not complete."""
        return complete_runs(self.graph, self.policy.limits, self.max_length)

    @cached_property
    def tools(self) -> dict[str, ToolFacts]:
        """What each tool may do, in registration order."""
        return tool_facts(self.graph)

    @cached_property
    def _found(self) -> Findings:
        return findings_of(self.search)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything found, errors first."""
        return self._found.found

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of severity error that the policy does not accept."""
        return tuple(one for one in self.findings if one.severity == "error" and self.accepted(one) is None)

    def accepted(self, finding: Finding) -> Accepted | None:
        """The entry of the policy's `accept` that the finding falls under, if any."""
        about = about_tools(self.search, finding)
        for one in self.policy.accept:
            if one.code == finding.code and (one.tool is None or one.tool in about):
                return one
        return None

    @property
    def beyond_limit(self) -> int:
        """How many errors no run within the policy's limits can show."""
        return self._found.beyond_limit

    @property
    def assumed(self) -> tuple[str, ...]:
        """What the answer rests on besides the policy, a sentence each."""
        notes = [f"{bound.name}: {bound.inferred.note}" for bound in self.search.bound if bound.inferred is not None]
        reads = {read for bound in self.search.bound if bound.inferred is not None for read in bound.inferred.reads}
        if reads & {"input", "memory"} and not self.policy.input:
            notes.append("input: empty, because the policy gives none")
        if not self.policy.limits_given:
            notes.append("limits: the framework's defaults")
        if "step.input" in reads:
            notes.append("arguments: empty in every call, because exploring makes none up")
        return (*notes, *self._found.unjudged)

    def stages(self, finding: Finding) -> tuple[WitnessStage, ...]:
        """The finding's witness step by step, with what was offered at each step."""
        return tuple(stages(self._found.wide, finding))

    def blamed(self, finding: Finding) -> tuple[str, ...]:
        """What is to blame for `finding`, as places in the policy."""
        return tuple(ground_text(self.search, ground) for ground in finding.blame)

    def sequences(self, max_length: int | None = None) -> Iterator[tuple[Move, ...]]:
        """Every complete run of at most `max_length` calls, shortest first, made one by one as they are asked for.

        There are as many as `complete_runs` counts, if `max_length` is not given.

        Example:
            >>> from beewalk import ConditionalRequirement, Policy, Tool, explore
            >>> found = explore(Policy([Tool("a")], [ConditionalRequirement("a", max_invocations=2)]))
            >>> [" ".join(map(str, moves)) for moves in found.sequences()]
            ['final_answer', 'a final_answer', 'a a final_answer']
        """
        length = self.max_length if max_length is None else min(longest_run(self.policy.limits, max_length), max_length)
        return sequences(self.graph, self.policy.limits, length)

    def witness(self, state: int) -> tuple[Move, ...]:
        """The moves of a shortest way from the start to a state, by its number."""
        return tuple(self.graph.witness(state))

    @cached_property
    def minimal_graph(self) -> MinimalGraph:
        """The groups of states with the same future, as pictures show them."""
        return minimal_graph(self.graph)

    @cached_property
    def tool_map(self) -> Following:
        """Which tool can come first, and which can directly follow which."""
        return following(self.graph)

    def to_networkx(self) -> "networkx.MultiDiGraph[Any]":
        """The graph for networkx; see `StateGraph.to_networkx` for its attributes.

        Each state has a `label` besides, as in pictures: "after weather · search 1/2 · cannot stop".
        """
        graph, words = self.graph.to_networkx(), Words(self.search)
        for state in range(self.states):
            graph.nodes[state]["label"] = " · ".join(words.of([state])) or ("start" if state == 0 else str(state))
        return graph


def explore_policy(  # noqa: PLR0913 - options, by keyword
    policy: Policy,
    *,
    outcomes: Collection[str] = (OK,),
    denied: bool = True,
    limits: Limits | None = None,
    max_length: int | None = None,
    max_states: int | None = DEFAULT_MAX_STATES,
    max_depth: int | None = None,
    watch: Watch | None = None,
    evaluate: Evaluate | None = None,
) -> Exploration:
    """Enumerate every tool sequence that `policy` lets an obedient chat model make.

    Args:
        policy: what to explore.
        outcomes: `["ok"]`, or `["ok", "error"]` to let calls fail too. Outcomes that a tool names are always explored.
        denied: whether the user may refuse a call that needs permission.
        limits: what bounds a run, instead of the policy's own limits.
        max_length: how many calls a counted run may have; the policy's max_iterations unless smaller.
        max_states: the search stops before it knows more states than this; None for no bound.
        max_depth: the search follows no more than this many moves; None for no bound.
        watch: told now and then how many states are known; returns why to stop the search, or None to go on.
        evaluate: runs requirement code that waits for a timer or the network, in an event loop.

    Raises:
        NotInThisVersion: a requirement's code waits, and there is no `evaluate`.
        BeewalkError: an outcome that is neither ok nor error, or a requirement that claims too little memory.

    Example:
        >>> from beewalk import ConditionalRequirement, Policy, Tool, explore
        >>> found = explore(Policy([Tool("a")], [ConditionalRequirement("a", max_invocations=2)]))
        >>> found.states, found.moves, found.complete_runs
        (3, 5, 3)
    """
    unknown = [outcome for outcome in outcomes if outcome not in OUTCOMES]
    if unknown:
        raise BeewalkError(
            f"outcomes has {unknown[0]!r}: possible are ok and error; named outcomes are always explored"
        )
    policy = policy if limits is None else policy.limited(limits)
    settings = Settings(ERROR in outcomes, denied, max_states, max_depth, watch, evaluate)
    return Exploration(search(policy, settings), longest_run(policy.limits, max_length))
