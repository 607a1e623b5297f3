"""The second run: what happens after choices that an earlier run left behind."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from beewalk.explorer.blame import in_order
from beewalk.explorer.compact import Rows
from beewalk.explorer.counting import failures_allowed
from beewalk.explorer.finding import Finding
from beewalk.explorer.graph import can_answer
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search
from beewalk.explorer.stuck import explained, stuck_runs
from beewalk.explorer.ways import Ways
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.binding import Bound
from beewalk.policy.tool import OK

_CODES = ("dead-end", "cannot-stop")


@dataclass(frozen=True)
class SecondRun:
    """Runs that begin with what was chosen in a first one.

    `firsts[s]` has the moves of a first run, within the limits, after which a second begins in the graph's start `s`.
    """

    search: Search
    firsts: tuple[tuple[Move, ...], ...]


def second_runs(search: Search) -> SecondRun | None:
    """All second runs; None where no first run leaves a choice behind."""
    firsts = _first_runs(search)
    if not firsts:
        return None
    origins = tuple(kept_choices(search, search.raw_rows_at(state)) for state, _ in firsts.values())
    second = replace(search, graph=search.walk.graph(list(firsts)), origins=origins)
    return SecondRun(second, tuple(moves for _, moves in firsts.values()))


def blocked_by_choices(search: Search, second: SecondRun, shown: Sequence[Finding]) -> list[Finding]:
    """Dead ends and runs that cannot stop in a second run, for a reason that is not among `shown`, the first run's."""
    found = [one for one in stuck_runs(second.search) if one.code in _CODES and not explained(one, shown)]
    return [_told(search, one, second.firsts[one.start]) for one in found]


def kept_choices(search: Search, rows: Rows) -> Rows:
    """The rows that a run after `rows` begins with: only what the user chose is remembered."""
    return tuple([row if one else 0 for row, one in zip(rows, remembering(search.bound), strict=True)])


def remembering(bounds: Iterable[Bound]) -> list[bool]:
    """Which requirements remember what the user chose."""
    return [isinstance(one := bound.requirement, AskPermissionRequirement) and one.remember_choices for bound in bounds]


def _first_runs(search: Search) -> dict[Rows, tuple[int, tuple[Move, ...]]]:
    """Where a second run starts -> the state in which a first run ends, and its moves.

    First runs are within the limits, and end by their final answer where one with these choices can.
    """
    found: dict[Rows, tuple[int, tuple[Move, ...]]] = {}
    keeps = remembering(search.bound)
    if not any(keeps):
        return found
    graph, limits = search.graph, search.policy.limits
    answer = graph.alphabet.moves[graph.alphabet.end]
    ways = Ways(graph, [0], failures_allowed(limits))
    by_answer = set[Rows]()
    for place, calls in ways.visits():
        answers = can_answer(graph, place[0])
        if limits.max_iterations and calls + answers > limits.max_iterations:
            continue
        rows = graph.rows[place[0]]
        start = tuple([row if one else 0 for row, one in zip(rows, [*keeps, False], strict=True)])
        if start not in found or (answers and start not in by_answer):
            moves = ways.to(place)[1]
            found[start] = place[0], (*moves, answer) if answers else moves
        if answers:
            by_answer.add(start)
    found.pop((0,) * len(graph.rows[0]), None)
    return found


def _told(search: Search, finding: Finding, first: tuple[Move, ...]) -> Finding:
    needs = dict.fromkeys(str(move) for move in first if move.outcome != OK)
    needs.update(dict.fromkeys(finding.needs))
    gets = "has a dead end" if finding.code == "dead-end" else "cannot stop"
    way = f"after {', '.join(map(str, finding.witness))}" if finding.witness else "from its start on"
    asking = {bound.index for bound, keeps in zip(search.bound, remembering(search.bound), strict=True) if keeps}
    blame = set(finding.blame)
    if asking.isdisjoint(index for index, _ in blame):
        blame |= {(index, "remember_choices") for index in asking}
    return replace(
        finding,
        code="remembered-choice-blocks",
        message=f"after a run of {', '.join(map(str, first))} the next run {gets} {way}",
        witness=(),
        runs=(first, finding.witness),
        needs=tuple(needs),
        blame=in_order(blame),
    )
