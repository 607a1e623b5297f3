"""Lost tools: never allowed, or blocking the end when they fail; and failures and refusals that count oddly."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from beewalk.explorer.blame import Blame, Ground, smallest_cause
from beewalk.explorer.finding import Finding, Unjudged, after_text, listed, rulings_at
from beewalk.explorer.knots import knots_of
from beewalk.explorer.mending import grounds_by_say, helping
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search
from beewalk.explorer.stuck import cannot_end_well
from beewalk.explorer.tables import GrowingTable
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.target import matches
from beewalk.policy.tool import DENIED, ERROR, OK
from beewalk.reasoner.request import DeadEnd, Request

_STATES_LOOKED_AT = 2_000


def never_allowed(search: Search) -> Iterator[Finding]:
    """Tools that are allowed in no request that can be reached."""
    graph = search.graph
    decided = [decision for decision in graph.decisions.values if decision is not None and decision.allowed]
    if not graph.complete or not decided:
        return
    causes: dict[Blame, list[str]] = {}
    for number, tool in enumerate(graph.tools[:-1]):
        if not any(decision.allowed >> number & 1 for decision in decided):
            blame = smallest_cause(grounds_by_say(search, 0), partial(_stays_forbidden, search, number))
            causes.setdefault(blame, []).append(tool)
    for blame, tools in causes.items():
        opens = partial(_opens, search, graph.tools.index(tools[0]))
        yield Finding(
            code="tool-never-allowed",
            message=f"{listed(tools)} {'is' if len(tools) == 1 else 'are'} allowed in no request that can be reached",
            count=len(tools),
            rulings=rulings_at(search, 0),
            blame=blame,
            mends=helping(search, blame, 0, opens),
            tools=tuple(tools),
        )


def _stays_forbidden(search: Search, tool: int, muted: frozenset[Ground]) -> bool | None:
    """Whether a tool is allowed in no request although some grounds are muted; None if unknown."""
    return search.never(lambda decision: bool(decision.allowed >> tool & 1), muted)


def _opens(search: Search, tool: int, muted: frozenset[Ground]) -> bool:
    """Whether a tool is allowed in some request when some grounds are muted."""
    return _stays_forbidden(search, tool, muted) is False


def blocks_stop(wide: Search) -> Iterator[Finding | Unjudged]:
    """Tools without which no final answer can be reached: when every call of one fails, and all others work.

    Args:
        wide: a search whose calls may fail.
    """
    working = {number for number, move in enumerate(wide.alphabet.moves) if move.outcome == OK}
    if cannot_end_well(_limited_to(wide, working), 0, frozenset()):
        yield _hopeless(wide)
        return
    unknown = []
    for tool, moves in zip(wide.graph.tools[:-1], wide.alphabet.of_tool, strict=False):
        failing = wide.alphabet.moves.index(Move(tool, ERROR))
        broken = _limited_to(wide, working.difference(moves) | {failing})
        blocks = cannot_end_well(broken, 0, frozenset())
        if blocks:
            yield _blocking(broken, tool, failing)
        elif blocks is None:
            unknown.append(tool)
    if unknown:
        yield Unjudged(f"tool-blocks-stop: not known of {listed(unknown)}, because there are too many states")


def _hopeless(wide: Search) -> Finding:
    """One finding for all tools, where no run reaches its final answer even when all of them work."""
    tools = wide.graph.tools[:-1]
    return Finding(
        code="tool-blocks-stop",
        message="no run can reach its final answer, even when every call works: so none can when one tool fails",
        count=len(tools),
        needs=tuple(f"{tool}:{ERROR}" for tool in tools),
        tools=tools,
    )


def _limited_to(wide: Search, usable: set[int]) -> Search:
    return replace(wide, walk=replace(wide.walk, usable=frozenset(usable), max_states=_STATES_LOOKED_AT, watch=None))


def _blocking(broken: Search, tool: str, failing: int) -> Finding:
    graph = broken.walk.graph()
    calling = (state for state in range(len(graph)) if any(move == failing for move, _ in graph.arcs[state]))
    state = next(calling, 0)
    moves = [*graph.path(state), failing]
    said = broken.request_after(moves)
    holds = partial(cannot_end_well, broken, 0)
    blame = smallest_cause(grounds_by_say(broken, 0), holds, tries=0)
    return Finding(
        code="tool-blocks-stop",
        message=f"when every call of {tool!r} fails, no run can reach its final answer",
        witness=tuple(graph.alphabet.moves[move] for move in moves),
        needs=(f"{tool}:{ERROR}",),
        rulings=said.rulings if isinstance(said, Request | DeadEnd) else {},
        blame=blame,
        mends=helping(broken, blame, 0, lambda muted: holds(muted) is False),
        tools=(tool,),
    )


def failures_uncapped(search: Search) -> Iterator[Finding]:
    """Tools with max_invocations whose failing calls nothing bounds, because failed calls are not counted."""
    capped = [
        (table.bound.index, tool)
        for table in search.raw
        if isinstance(one := table.bound.requirement, ConditionalRequirement)
        and one.max_invocations
        and one.only_success_invocations
        for tool in search.graph.tools
        if matches(one.target, next(each for each in search.policy.tools if each.name == tool))
    ]
    endless = _failing_for_ever(search) if capped and search.settings.errors else set()
    found = [(index, tool) for index, tool in capped if tool in endless]
    if found:
        tools = tuple(dict.fromkeys(tool for _, tool in found))
        yield Finding(
            code="failures-uncapped",
            message=f"max_invocations does not count failing calls: {listed(tools)} can be called again and again",
            count=len(tools),
            needs=tuple(f"{tool}:{ERROR}" for tool in tools),
            blame=tuple((index, "max_invocations") for index, _ in found),
            mends=("set only_success_invocations: false where failing calls are to count too",),
            tools=tools,
        )


def _failing_for_ever(search: Search) -> set[str]:
    """The tools of which a failing call lies on a cycle."""
    graph = search.graph
    knots = knots_of(len(graph), graph.successors)
    failing = {number: move.tool for number, move in enumerate(graph.alphabet.moves) if move.outcome == ERROR}
    return {
        failing[move]
        for state, arcs in enumerate(graph.arcs)
        for move, target in arcs
        if move in failing and target >= 0 and knots[target] == knots[state]
    }


def denial_counts(search: Search) -> Iterator[Finding | Unjudged]:
    """Tools whose refused call satisfies min_invocations or opens an only_after."""
    for number, move in enumerate(search.alphabet.moves):
        if move.outcome == DENIED:
            yield from _lifting(search, number)


def _lifting(search: Search, move: int) -> Iterator[Finding | Unjudged]:
    graph, tool = search.graph, search.alphabet.moves[move].tool
    tables = [table for table in search.raw if any(_met(table, row, move) for row in range(len(table.rows)))]
    calling = [state for state, arcs in enumerate(graph.arcs) if any(one == move for one, _ in arcs)] if tables else []
    for state in calling[:_STATES_LOOKED_AT]:
        rows = dict(zip(search.raw, search.raw_rows_at(state), strict=True))
        blame = [(table.bound.index, one) for table in tables for one in _met(table, rows[table], move)]
        if blame:
            moves = [*graph.path(state), move]
            said = search.request_after(moves, graph.way(state)[0])
            made = tuple(search.alphabet.moves[one] for one in moves)
            yield Finding(
                code="denial-counts-as-success",
                message=f"{after_text(made)} the refused call of {tool!r} counts as a call that was made",
                witness=made,
                needs=(str(made[-1]),),
                rulings=said.rulings if isinstance(said, Request | DeadEnd) else {},
                blame=tuple(blame),
                mends=(f"wait for what {tool} yields, not for its call: with a custom check of its output",),
                tools=(tool,),
            )
            return
    if len(calling) > _STATES_LOOKED_AT:
        yield Unjudged(f"denial-counts-as-success: not known of {tool!r}, because there are too many states")


def _met(table: GrowingTable, row: int, move: int) -> tuple[str, ...]:
    """The parameters of the table's requirement that count the refused call."""
    return table.machine.met(table.rows[row], table.rows[table.step(row, move)])
