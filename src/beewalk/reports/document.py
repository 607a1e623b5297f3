"""ReportDocument: what any report of an exploration shows, plain, sorted and counted."""

from dataclasses import dataclass
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
class FindingEntry:
    """One finding."""

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
    tools: tuple[str, ...]


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
    """A state in a picture; `kind` is "start", "state", "dead_end" or "requirement_error".

    `loops` are the moves that lead back to it, `can_answer` whether the final answer can be given there.
    """

    number: int
    depth: int
    kind: str
    can_answer: bool
    loops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """All moves from one state to another; `on_witness` where the first finding's witness takes one of them."""

    source: int
    target: int
    moves: tuple[str, ...]
    on_witness: bool


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """An exploration, ready to be shown. Renderers read it and decide nothing."""

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
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def errors(self) -> tuple[FindingEntry, ...]:
        """The findings of severity error."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


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
        "accepted": False,
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
    return {**data, "tools": list(finding.tools)} if finding.tools else data
