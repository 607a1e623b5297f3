"""The report document of an exploration."""

from collections.abc import Iterable

from beewalk.explorer.findings import Finding
from beewalk.explorer.graph import ANSWERED, StateGraph
from beewalk.properties.exploration import Exploration
from beewalk.reasoner.ruling import Ruling
from beewalk.reports.document import BecauseLine, Edge, FindingEntry, Node, ReportDocument, RulingLine, ToolLine


def report_of(exploration: Exploration) -> ReportDocument:
    """Everything that any report of `exploration` shows."""
    graph = exploration.graph
    findings = exploration.findings
    return ReportDocument(
        policy=exploration.policy.name,
        engine="beewalk",
        outcomes=tuple(graph.alphabet.outcomes),
        conduct=(),
        assumed=exploration.assumed,
        states=exploration.states,
        moves=exploration.moves,
        complete=exploration.complete,
        stop_reason=graph.stop_reason.value,
        depth=exploration.depth,
        beyond_limit=exploration.beyond_limit,
        max_length=exploration.max_length,
        complete_runs=exploration.complete_runs,
        tools=tuple(
            ToolLine(tool, facts.allowed, facts.forced, facts.first_step, facts.max_calls)
            for tool, facts in exploration.tools.items()
        ),
        findings=tuple(_finding(exploration, finding) for finding in findings),
        nodes=tuple(_node(graph, state) for state in range(len(graph.rows))),
        edges=tuple(_edges(graph, findings[0] if findings else None)),
    )


def _finding(exploration: Exploration, finding: Finding) -> FindingEntry:
    return FindingEntry(
        code=finding.code,
        severity=finding.severity,
        message=finding.message,
        count=finding.count,
        point_of_no_return=finding.point_of_no_return,
        witness=tuple(map(str, finding.witness)),
        needs=finding.needs,
        rulings=tuple(_ruling(ruling) for ruling in finding.rulings.values()),
        blame=exploration.blamed(finding),
        mends=finding.mends,
        tools=finding.tools,
    )


def _ruling(ruling: Ruling) -> RulingLine:
    because = tuple(
        BecauseLine(one.effect, one.requirement, one.parameter, one.reason, one.sentence(ruling.tool))
        for one in ruling.because
    )
    return RulingLine(ruling.tool, ruling.allowed, because, ruling.sentence())


def _node(graph: StateGraph, state: int) -> Node:
    kind = "start" if state == 0 else "state"
    kind = "dead_end" if graph.is_dead_end(state) else "requirement_error" if graph.raises(state) else kind
    loops = [str(graph.alphabet.moves[move]) for move, target in graph.arcs[state] if target == state]
    can_answer = any(target == ANSWERED for _, target in graph.arcs[state])
    return Node(state, graph.depths[state], kind, can_answer, tuple(loops))


def _edges(graph: StateGraph, finding: Finding | None) -> Iterable[Edge]:
    witness = _pairs_of(graph, finding) if finding is not None else set()
    for state, arcs in enumerate(graph.arcs):
        moves: dict[int, list[str]] = {}
        for move, target in arcs:
            if target >= 0 and target != state:
                moves.setdefault(target, []).append(str(graph.alphabet.moves[move]))
        for target, texts in sorted(moves.items()):
            yield Edge(state, target, tuple(texts), (state, target) in witness)


def _pairs_of(graph: StateGraph, finding: Finding) -> set[tuple[int, int]]:
    pairs, state = set(), 0
    for made in finding.witness:
        target = next(target for move, target in graph.arcs[state] if graph.alphabet.moves[move] == made)
        pairs.add((state, target))
        state = target
    return pairs
