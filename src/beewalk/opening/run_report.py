"""The report document of played scenarios."""

from collections.abc import Sequence

from beewalk.errors import path_text
from beewalk.reports.run_document import FailureEntry, RequestLine, RunDocument, RunEntry, ScenarioEntry
from beewalk.scenarios.expectations import Failure
from beewalk.scenarios.reading import Document
from beewalk.scenarios.running import ScenarioResult
from beewalk.turn.trajectory import Trajectory


def run_report(results: Sequence[ScenarioResult], *, engine: str = "beewalk", left: int | None = None) -> RunDocument:
    """Everything that any report of `results` shows; `left` is how many were not played where Ctrl-C came."""
    reason = "finished" if left is None else "interrupted"
    return RunDocument(engine, tuple(map(_scenario, results)), reason, left or 0)


def _scenario(result: ScenarioResult) -> ScenarioEntry:
    file, line, _ = result.scenario.place.rsplit(":", 2)
    document = result.scenario.document
    return ScenarioEntry(
        name=result.scenario.name,
        file=file,
        line=int(line),
        passed=result.passed,
        trouble=result.played.trouble,
        failures=tuple(_failure(one, document) for one in result.failures),
        runs=tuple(map(_run, result.played.trajectories)),
    )


def _failure(failure: Failure, document: Document) -> FailureEntry:
    at = document.at(failure.path)
    return FailureEntry(path_text(failure.path), at, failure.expected, failure.got, failure.turn, failure.notes)


def _run(run: Trajectory) -> RunEntry:
    requests = tuple(
        RequestLine(
            turn=one.turn,
            allowed=one.request.offered,
            hidden=tuple(tool for tool in one.request.tools if tool in one.request.hidden),
            tool_choice=one.request.tool_choice,
            can_stop=one.request.can_stop,
        )
        for one in run.offers
    )
    return RunEntry(tuple(run.moves), str(run), str(run.ends), run.message, run.answer, requests)
