"""ReportDocument: what any report of an exploration shows, plain, sorted and counted."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class BecauseLine:
    """One reason for a ruling; `sentence` is the same in words."""

    effect: str
    requirement: str
    parameter: str | None
    reason: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class RulingLine:
    """What was decided on a tool at the end of a witness."""

    tool: str
    allowed: bool
    because: tuple[BecauseLine, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Stage:
    """One stop on the way of a witness: what was offered there, and the move that was made next.

    `run` counts runs from 1. `offered` has the allowed tools; `kept_out` the others, each with the shortest reason why
    not. `move` is None at the last stage, where `ends` says what is wrong there.
    """

    run: int
    offered: tuple[str, ...]
    forced: str | None
    can_stop: bool
    kept_out: tuple[tuple[str, str], ...]
    move: str | None
    ends: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file as its user wrote it, line and column from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """One finding.

    `meaning` says what the code stands for. `runs` has the moves of each run where the witness needs more than one,
    else it is empty and `witness` has them. `tools` are the tools that it is about, for some codes. `places` is
    parallel to `blame`. `accepted` is the reason for which the policy accepts it, None where it does not; `known`
    whether a baseline has it. `stages` is the witness step by step.
    """

    code: str
    severity: str
    message: str
    count: int
    point_of_no_return: int
    witness: tuple[str, ...]
    needs: tuple[str, ...]
    rulings: tuple[RulingLine, ...]
    blame: tuple[str, ...]
    mends: tuple[str, ...]
    tools: tuple[str, ...] = ()
    meaning: str = ""
    runs: tuple[tuple[str, ...], ...] = ()
    places: tuple[Place, ...] = ()
    accepted: str | None = None
    known: bool = False
    stages: tuple[Stage, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it decides the exit code, were it an error: it is neither accepted nor known."""
        return self.accepted is None and not self.known

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it the same finding in another report of the policy: not where its requirements stand."""
        return key_of(self.code, self.blame, self.tools)

    def as_known(self) -> "FindingEntry":
        """The same finding, which a baseline has."""
        return replace(self, known=True)


def key_of(code: str, blame: Iterable[str], tools: Iterable[str]) -> tuple[str, ...]:
    """A finding's key from its parts; `requirements[3]` may have become `requirements[4]`."""
    return (code, *sorted(re.sub(r"^requirements\[\d+\]", "", place) for place in blame), *tools)


@dataclass(frozen=True, slots=True)
class ToolLine:
    """What a tool may do; `max_calls` None: only the run's limits bound it; `first_step` None: never called."""

    tool: str
    allowed: bool
    forced: bool
    first_step: int | None
    max_calls: int | None


@dataclass(frozen=True, slots=True)
class Node:
    """A state in a graph; node 0 is the start.

    `kind` is "state", "dead_end" or "requirement_error". `label` has human words, one part each ("after weather",
    "search 1/2", "cannot stop"). `can_answer`: the final answer can be given there; `lost`: it can never be given from
    there on. `offered` are the allowed tools. `loops` are the moves that lead back to the state itself. `states` is
    how many states the node stands for.
    """

    number: int
    depth: int
    kind: str
    label: tuple[str, ...]
    can_answer: bool
    can_stop: bool
    lost: bool
    offered: tuple[str, ...]
    loops: tuple[str, ...]
    states: int = 1


@dataclass(frozen=True, slots=True)
class Edge:
    """All moves from one node to another; `on_witness` where the first finding's witness takes one of them."""

    source: int
    target: int
    moves: tuple[str, ...]
    on_witness: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A graph of states to be drawn or exported; what ends a run well is no node (see `Node.can_answer`)."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class ToolMap:
    """Which tool can directly follow which.

    `tools` has those shown, in registration order, the final answer last; `hidden` those left out, because no run
    calls them or there are too many. `follows` are pairs (tool, tool that can come next); `first` the tools that can
    be a run's first call. `always` are the pairs whose second tool is the only one that can follow the first.
    """

    tools: tuple[str, ...]
    hidden: tuple[str, ...]
    first: tuple[str, ...]
    follows: tuple[tuple[str, str], ...]
    always: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """A tool's cells, one a step: how it stands before that call, over all states a run can then be in.

    Each cell is a subset of "allowed", "forced", "forbidden", "hidden", in this order; empty where no run gets so far.
    """

    tool: str
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Calendar:
    """Tools x steps. `cut` says why there are no more steps, empty where nothing new would be seen."""

    rows: tuple[CalendarRow, ...]
    cut: str = ""


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """An exploration, ready to be shown. Renderers read it and decide nothing.

    `drawing` has states with the same future merged; None where even so there are more than pictures can show.
    """

    policy: str
    engine: str
    outcomes: tuple[str, ...]
    conduct: tuple[str, ...]
    assumed: tuple[str, ...]
    states: int
    moves: int
    complete: bool
    stop_reason: str
    depth: int
    beyond_limit: int
    max_length: int
    complete_runs: int
    tools: tuple[ToolLine, ...]
    findings: tuple[FindingEntry, ...]
    place: Place
    drawing: Drawing | None
    tool_map: ToolMap
    calendar: Calendar

    @property
    def errors(self) -> tuple[FindingEntry, ...]:
        """The findings of severity error that are neither accepted nor known."""
        return tuple(finding for finding in self.findings if finding.severity == "error" and finding.counts)


def as_data(document: ReportDocument) -> dict[str, Any]:
    """The document as JSON's plain data, keys in a fixed order; the graph is left out."""
    return {
        "format_version": FORMAT_VERSION,
        "policy": document.policy,
        "engine": document.engine,
        "outcomes": list(document.outcomes),
        "conduct": list(document.conduct),
        "assumed": list(document.assumed),
        "states": document.states,
        "moves": document.moves,
        "complete": document.complete,
        "stop_reason": document.stop_reason,
        "depth": document.depth,
        "beyond_limit": document.beyond_limit,
        "sequences": {
            "max_length": document.max_length,
            "complete_runs": document.complete_runs,
            "exact": document.complete,
        },
        "tools": {
            line.tool: {
                "allowed": line.allowed,
                "forced": line.forced,
                "first_step": line.first_step,
                "max_calls": line.max_calls,
            }
            for line in document.tools
        },
        "findings": [_finding(finding) for finding in document.findings],
    }


def _finding(finding: FindingEntry) -> dict[str, Any]:
    data: dict[str, Any] = {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "count": finding.count,
        "point_of_no_return": finding.point_of_no_return,
        "witness": list(finding.witness),
        "needs": list(finding.needs),
        "accepted": finding.accepted is not None,
        "mend": "; or ".join(finding.mends),
        "rulings": {
            ruling.tool: {
                "allowed": ruling.allowed,
                "because": [
                    {
                        "effect": one.effect,
                        "requirement": one.requirement,
                        "parameter": one.parameter,
                        "reason": one.reason,
                    }
                    for one in ruling.because
                ],
            }
            for ruling in finding.rulings
        },
        "blame": list(finding.blame),
    }
    if finding.tools:
        data["tools"] = list(finding.tools)
    if finding.runs:
        data["runs"] = [list(run) for run in finding.runs]
    if finding.accepted is not None:
        data["accepted_because"] = finding.accepted
    return {**data, "known": True} if finding.known else data
