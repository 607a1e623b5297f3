"""The second run: what happens after choices that an earlier run left behind."""

from collections.abc import Sequence
from dataclasses import replace

from beewalk.explorer.compact import Rows
from beewalk.explorer.finding import Finding
from beewalk.explorer.graph import ANSWERED
from beewalk.explorer.search import Search
from beewalk.explorer.stuck import explained, stuck_runs
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.tool import OK

_CODES = ("dead-end", "cannot-stop")


def blocked_by_choices(search: Search, shown: list[Finding]) -> list[Finding]:
    """Dead ends and runs that cannot stop in a second run, for a reason that is not among `shown`, the first run's."""
    firsts = _first_runs(search)
    if not firsts:
        return []
    second = _second(search, firsts)
    found = [one for one in stuck_runs(second) if one.code in _CODES and not explained(one, shown)]
    return [_told(search, one, list(firsts.values())[one.start]) for one in found]


def second_runs(search: Search) -> Search | None:
    """The same search, with the graph of runs that begin with what was chosen in a first one; None without choices."""
    firsts = _first_runs(search)
    return _second(search, firsts) if firsts else None


def _second(search: Search, firsts: dict[Rows, int]) -> Search:
    origins = tuple(kept_choices(search, search.raw_rows_at(state)) for state in firsts.values())
    return replace(search, graph=search.walk.graph(list(firsts)), origins=origins)


def kept_choices(search: Search, rows: Rows) -> Rows:
    """The rows that a run after `rows` begins with: only what the user chose is remembered."""
    return _kept(rows, _remembering(search))


def _kept(rows: Rows, remembering: Sequence[bool]) -> Rows:
    return tuple([row if one else 0 for row, one in zip(rows, remembering, strict=True)])


def _remembering(search: Search) -> list[bool]:
    """Which requirements remember what the user chose."""
    return [
        isinstance(one := table.bound.requirement, AskPermissionRequirement) and one.remember_choices
        for table in search.raw
    ]


def _first_runs(search: Search) -> dict[Rows, int]:
    """Where a second run starts -> a state in which a first run can end with these choices, by its answer if it can."""
    graph, found = search.graph, dict[Rows, int]()
    remembering = _remembering(search)
    if not any(remembering):
        return found
    for answers in (True, False):
        for state, rows in enumerate(graph.rows):
            if not answers or any(target == ANSWERED for _, target in graph.arcs[state]):
                found.setdefault((*_kept(rows[:-1], remembering), 0), state)
    found.pop((0,) * len(graph.rows[0]), None)
    return found


def _told(search: Search, finding: Finding, state: int) -> Finding:
    graph = search.graph
    first = tuple(graph.witness(state))
    if any(target == ANSWERED for _, target in graph.arcs[state]):
        first = (*first, graph.alphabet.moves[graph.alphabet.end])
    needs = dict.fromkeys(str(move) for move in first if move.outcome != OK)
    needs.update(dict.fromkeys(finding.needs))
    gets = "has a dead end" if finding.code == "dead-end" else "cannot stop"
    way = f"after {', '.join(map(str, finding.witness))}" if finding.witness else "from its start on"
    return replace(
        finding,
        code="remembered-choice-blocks",
        message=f"after a run of {', '.join(map(str, first))} the next run {gets} {way}",
        witness=(),
        runs=(first, finding.witness),
        needs=tuple(needs),
    )
