"""The report document of an exploration."""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property

from beewalk.explorer.blame import Ground
from beewalk.explorer.finding import CODES, Finding
from beewalk.explorer.stages import WitnessStage
from beewalk.explorer.views import steps_of
from beewalk.opening.drawing import drawing_of
from beewalk.opening.opening import PlaceOf
from beewalk.properties.exploration import Exploration
from beewalk.reasoner.request import Request
from beewalk.reasoner.ruling import Ruling
from beewalk.reports.document import (
    BecauseLine,
    Calendar,
    CalendarRow,
    FindingEntry,
    Place,
    ReportDocument,
    RulingLine,
    Stage,
    ToolLine,
    ToolMap,
)

MOST_MAPPED = 200  # tools on a map

# What is wrong at the end of a witness, in a few words.
_ENDS = {
    "dead-end": "nothing is allowed",
    "requirement-error": "a requirement raises",
    "cannot-stop": "no final answer from here on",
    "remembered-choice-blocks": "the run is stuck",
    "stops-too-late": "the run is over before",
    "tool-blocks-stop": "no final answer while this tool fails",
    "force-never-obeyed": "the force does not win",
    "forced-answer-overrides": "the answer is forced all the same",
    "level-borrowed": "forced by a borrowed priority",
    "denial-counts-as-success": "the refusal counted",
    "impure-requirement": "asked again, it says something else",
}


def nowhere(path: tuple[str | int, ...]) -> str:  # noqa: ARG001 - a PlaceOf
    """The place of everything in a policy that stands in no file."""
    return "policy:1:1"


def report_of(
    exploration: Exploration,
    *,
    place_of: PlaceOf = nowhere,
    known: Collection[tuple[str, ...]] = (),
    drawn: bool = True,
) -> ReportDocument:
    """Everything that any report of `exploration` shows.

    Args:
        exploration: what was explored.
        place_of: where the parts of the policy stand.
        known: the keys of findings that are no news (`FindingEntry.key`).
        drawn: whether the graph is to be drawn; text, JSON and SARIF do without.
    """
    return _Assembly(exploration, place_of, known).document(drawn=drawn)


class _Assembly:
    def __init__(self, exploration: Exploration, place_of: PlaceOf, known: Collection[tuple[str, ...]]) -> None:
        self._exploration = exploration
        self._graph = exploration.graph
        self._place_of = place_of
        self._known = known

    def document(self, *, drawn: bool) -> ReportDocument:
        found, graph = self._exploration, self._graph
        return ReportDocument(
            policy=found.policy.name,
            engine="beewalk",
            outcomes=tuple(graph.alphabet.outcomes),
            conduct=(),
            assumed=found.assumed,
            states=found.states,
            moves=found.moves,
            complete=found.complete,
            stop_reason=found.stop_reason.value,
            depth=found.depth,
            beyond_limit=found.beyond_limit,
            max_length=found.max_length,
            complete_runs=found.complete_runs,
            tools=tuple(
                ToolLine(tool, facts.allowed, facts.forced, facts.first_step, facts.max_calls)
                for tool, facts in found.tools.items()
            ),
            findings=tuple(self._findings),
            place=self._place(()),
            drawing=drawing_of(found) if drawn else None,
            tool_map=self._tool_map(),
            calendar=self._calendar(),
        )

    @cached_property
    def _findings(self) -> list[FindingEntry]:
        left = Counter(self._known)
        entries = []
        for finding in self._exploration.findings:
            entry = self._finding(finding)
            if left[entry.key]:
                left[entry.key] -= 1
                entry = entry.as_known()
            entries.append(entry)
        return entries

    def _finding(self, finding: Finding) -> FindingEntry:
        accepted = self._exploration.accepted(finding)
        return FindingEntry(
            code=finding.code,
            severity=finding.severity,
            message=finding.message,
            count=finding.count,
            point_of_no_return=finding.point_of_no_return,
            witness=tuple(map(str, finding.witness)),
            needs=finding.needs,
            rulings=tuple(_ruling(ruling) for ruling in finding.rulings.values()),
            blame=self._exploration.blamed(finding),
            mends=finding.mends,
            tools=finding.tools,
            meaning=CODES[finding.code][1],
            runs=tuple(tuple(map(str, run)) for run in finding.runs),
            places=tuple(self._place(_path_of(ground)) for ground in finding.blame),
            accepted=None if accepted is None else accepted.reason,
            stages=tuple(self._stages(finding)),
        )

    def _stages(self, finding: Finding) -> Iterator[Stage]:
        if not finding.witness and not finding.runs and finding.code not in _ENDS:
            return
        stages = self._exploration.stages(finding)
        for stage in stages:
            yield _stage(stage, _ENDS.get(finding.code, "") if stage is stages[-1] else "")

    def _place(self, path: tuple[str | int, ...]) -> Place:
        file, line, column = self._place_of(path).rsplit(":", 2)
        return Place(file, int(line), int(column))

    def _tool_map(self) -> ToolMap:
        found = self._exploration.tool_map
        called = [tool for tool in self._graph.tools if tool in found.after]
        shown = called if len(called) <= MOST_MAPPED else [*called[: MOST_MAPPED - 1], self._graph.tools[-1]]
        pairs = [(tool, after) for tool in shown for after in found.after[tool] if after in shown]
        always = [(tool, after) for tool, after in pairs if len(found.after[tool]) == 1]
        return ToolMap(
            tools=tuple(shown),
            hidden=tuple(tool for tool in self._graph.tools if tool not in shown),
            first=tuple(tool for tool in found.first if tool in shown),
            follows=tuple(pairs),
            always=tuple(always),
        )

    def _calendar(self) -> Calendar:
        steps = steps_of(self._graph, self._exploration.max_length)
        rows = zip(self._graph.tools, zip(*steps.cells, strict=True), strict=True)
        return Calendar(tuple(CalendarRow(tool, cells) for tool, cells in rows), steps.cut)


def _path_of(ground: Ground) -> tuple[str | int, ...]:
    """Where in a policy file a ground stands, as near as its place is known."""
    index, parameter = ground
    if index < 0:
        return ("limits", str(parameter)) if parameter == "max_iterations" else ("loop", str(parameter))
    return ("requirements", index) if parameter is None else ("requirements", index, parameter.partition("[")[0])


def _ruling(ruling: Ruling) -> RulingLine:
    because = tuple(
        BecauseLine(one.effect, one.requirement, one.parameter, one.reason, one.sentence(ruling.tool))
        for one in ruling.because
    )
    return RulingLine(ruling.tool, ruling.allowed, because, ruling.sentence())


def _stage(stage: WitnessStage, ends: str) -> Stage:
    request = stage.request
    move = None if stage.move is None else str(stage.move)
    if request is None:
        return Stage(stage.run, (), None, can_stop=False, kept_out=(), move=move, ends=ends)
    kept_out = tuple((tool, _shortest(ruling)) for tool, ruling in request.rulings.items() if not ruling.allowed)
    if not isinstance(request, Request):
        return Stage(stage.run, (), None, can_stop=False, kept_out=kept_out, move=move, ends=ends)
    return Stage(stage.run, request.offered, request.forced, request.can_stop, kept_out, move, ends)


def _shortest(ruling: Ruling) -> str:
    because = [one for one in ruling.because if one.effect != "prevents_stop" or one.tool != ruling.tool]
    return min((one.sentence(ruling.tool) for one in because or ruling.because), key=len, default="not offered")
