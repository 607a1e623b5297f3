"""A scenario file that plays the witness of an error: the script, what tools and the user answer, and how runs end."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from beewalk.explorer.endings import endless
from beewalk.explorer.finding import Finding
from beewalk.explorer.graph import StateGraph
from beewalk.explorer.moves import Move
from beewalk.explorer.second_run import second_runs
from beewalk.policy.tool import Tool
from beewalk.properties.exploration import Exploration

ERRORS = ("dead-end", "requirement-error", "cannot-stop", "remembered-choice-blocks")
_ENDS = {"dead-end": "dead_end", "requirement-error": "requirement_error", "cannot-stop": "iteration_limit"}


def scenario_of(file: Path, found: Exploration, finding: Finding) -> dict[str, Any]:
    """The scenario in which the runs of a finding's witness end as the finding says."""
    runs = [list(run) for run in finding.runs] or [list(finding.witness)]
    ends = _ENDS.get(finding.code) or ("dead_end" if "dead end" in finding.message else "iteration_limit")
    if ends == "iteration_limit":
        runs[-1] += _going_on(found, finding)
    expected: list[dict[str, Any]] = [{"ends": _ends_of(run, found)} for run in runs[:-1]]
    expected.append({"ends": ends, "trajectory": " ".join(_step(move) for move in runs[-1] if not move.repeated)})
    made = [move for run in runs for move in run if not move.repeated]
    broken = [index for index, run in enumerate(runs[:-1]) if _ends_of(run, found) == "chat_model_error"]
    script = [entry for index, run in enumerate(runs) for entry in _script(found, run, silent=index in broken)]
    return {
        "scenario": f"{found.policy.name}: {finding.code}",
        "policy": str(file),
        "chat_model": {"script": script, **({"conduct": ["silent"]} if broken else {})},
        "tools": dict(_outcomes(made, found)),
        "permissions": dict(_permissions(made, found)),
        "runs": len(runs),
        "expect": expected,
    }


def from_the_witness_on(finding: Finding) -> int:
    """The turn of the witness's last state."""
    return sum(not move.repeated for move in finding.last_run) + 1


def _ends_of(run: Sequence[Move], found: Exploration) -> str:
    return "final_answer" if run and run[-1].tool == found.policy.final_answer.name else "chat_model_error"


def _going_on(found: Exploration, finding: Finding) -> list[Move]:
    """Allowed calls from the witness's last state on, up to the limit of a run."""
    second = second_runs(found.search) if finding.runs else None
    search = found.search if second is None else second.search
    graph, stuck = search.graph, set(endless(search.graph))
    state = _after(graph, finding.start, finding.last_run)
    moves: list[Move] = []
    while len(moves) < (found.policy.limits.max_iterations or 0) - len(finding.last_run):
        move, state = next(
            (move, target)
            for move, target in graph.arcs[state]
            if target in stuck and graph.alphabet.moves[move].outcome != "error"
        )
        moves.append(graph.alphabet.moves[move])
    return moves


def _after(graph: StateGraph, state: int, moves: Sequence[Move]) -> int:
    for made in moves:
        state = next(target for move, target in graph.arcs[state] if graph.alphabet.moves[move] == made)
    return state


def _step(move: Move) -> str:
    return f"{move.tool}:{move.outcome}"


def _script(found: Exploration, run: Sequence[Move], *, silent: bool) -> Iterator[Any]:
    tools = {tool.name: tool for tool in found.policy.tools}
    for number, move in enumerate(run):
        yield {move.tool: _arguments(tools[move.tool], number)}
    if silent:
        yield None


def _arguments(tool: Tool, number: int) -> dict[str, Any]:
    """Arguments that differ at each call, unless the tool takes none."""
    if tool.name == "final_answer":
        return {"response": "done"}
    if tool.arguments == "none":
        return {}
    assert tool.arguments == "any" or tool.arguments is None or tool.name == "think", tool.arguments
    return {"thought": f"number {number}"} if tool.name == "think" else {"number": number}


def _outcomes(made: Sequence[Move], found: Exploration) -> Iterator[tuple[str, list[str]]]:
    """What each tool's executed calls yield, in order."""
    for tool in found.policy.tools[:-1]:
        words = [move.outcome for move in made if move.tool == tool.name and move.outcome != "denied"]
        if any(word != "ok" for word in words):
            yield tool.name, words


def _permissions(made: Sequence[Move], found: Exploration) -> Iterator[tuple[str, list[str]]]:
    """The user's answers, in order; those that are remembered are not asked for again."""
    managed = {move.tool for move in found.search.alphabet.moves if move.outcome == "denied"}
    for tool in managed:
        answers = ["deny" if move.outcome == "denied" else "allow" for move in made if move.tool == tool]
        yield tool, answers or ["allow"]
