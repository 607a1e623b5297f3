"""Exploration: what users get of an explored policy."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from beewalk.errors import BeewalkError
from beewalk.explorer.counting import ToolFacts, complete_runs, longest_run, tool_facts
from beewalk.explorer.findings import Finding, Findings, findings_of
from beewalk.explorer.graph import StateGraph
from beewalk.explorer.mending import ground_text
from beewalk.explorer.search import DEFAULT_MAX_STATES, Search, Settings, search
from beewalk.policy.policy import Limits, Policy
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
        """Whether the search saw everything."""
        return self.graph.complete

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
        """The findings of severity error."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

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
        return tuple(notes)

    def blamed(self, finding: Finding) -> tuple[str, ...]:
        """What is to blame for `finding`, as places in the policy."""
        return tuple(ground_text(self.search, ground) for ground in finding.blame)

    def to_networkx(self) -> "networkx.MultiDiGraph[Any]":
        """The graph for networkx; see `StateGraph.to_networkx` for its attributes."""
        return self.graph.to_networkx()


def explore_policy(
    policy: Policy,
    *,
    outcomes: Collection[str] = (OK,),
    denied: bool = True,
    limits: Limits | None = None,
    max_length: int | None = None,
    max_states: int | None = DEFAULT_MAX_STATES,
    max_depth: int | None = None,
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

    Raises:
        NotInThisVersion: the policy has something that this version cannot explore.
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
    settings = Settings(ERROR in outcomes, denied, max_states, max_depth)
    return Exploration(search(policy, settings), longest_run(policy.limits, max_length))
