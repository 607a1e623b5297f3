"""RunDocument: what any report of played scenarios shows, plain and in the order they were played."""

from dataclasses import dataclass
from typing import Any

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class FailureEntry:
    """Something that is not as a scenario says; `at` is where it says it, `path` the same as keys."""

    path: str
    at: str
    expected: str
    got: str
    turn: int | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RequestLine:
    """What one request offered."""

    turn: int
    allowed: tuple[str, ...]
    hidden: tuple[str, ...]
    tool_choice: str
    can_stop: bool


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run: its moves, by turn in `text`, and how it ended."""

    moves: tuple[str, ...]
    text: str
    ends: str
    message: str
    answer: str | None
    requests: tuple[RequestLine, ...]


@dataclass(frozen=True, slots=True)
class ScenarioEntry:
    """One scenario. `trouble` is what fails it whatever it expects."""

    name: str
    file: str
    line: int
    passed: bool
    trouble: str | None
    failures: tuple[FailureEntry, ...]
    runs: tuple[RunEntry, ...]


@dataclass(frozen=True, slots=True)
class RunDocument:
    """All scenarios that were played; `stop_reason` is finished or interrupted, `left` those not played then."""

    engine: str
    scenarios: tuple[ScenarioEntry, ...]
    stop_reason: str = "finished"
    left: int = 0

    @property
    def failed(self) -> tuple[ScenarioEntry, ...]:
        """The scenarios that failed."""
        return tuple(one for one in self.scenarios if not one.passed)


def run_data(document: RunDocument) -> dict[str, Any]:
    """The document as JSON's plain data, keys in a fixed order."""
    return {
        "format_version": FORMAT_VERSION,
        "engine": document.engine,
        "passed": len(document.scenarios) - len(document.failed),
        "failed": len(document.failed),
        "stop_reason": document.stop_reason,
        "not_played": document.left,
        "scenarios": [_scenario(one) for one in document.scenarios],
    }


def _scenario(entry: ScenarioEntry) -> dict[str, Any]:
    return {
        "scenario": entry.name,
        "file": entry.file,
        "line": entry.line,
        "passed": entry.passed,
        "trouble": entry.trouble,
        "failures": [
            {
                "path": one.path,
                "expected": one.expected,
                "got": one.got,
                "turn": one.turn,
                "at": one.at,
                "notes": list(one.notes),
            }
            for one in entry.failures
        ],
        "runs": [_run(run) for run in entry.runs],
    }


def _run(run: RunEntry) -> dict[str, Any]:
    return {
        "trajectory": list(run.moves),
        "ends": run.ends,
        "message": run.message,
        "answer": run.answer,
        "requests": [
            {
                "turn": one.turn,
                "allowed": list(one.allowed),
                "hidden": list(one.hidden),
                "tool_choice": one.tool_choice,
                "can_stop": one.can_stop,
            }
            for one in run.requests
        ],
    }
