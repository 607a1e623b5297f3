"""Scenario: what a scenario file says, checked and built, ready to be run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from beewalk.agent.tools import Scripted
from beewalk.chat_models.chat_model import ChatModel
from beewalk.errors import Path
from beewalk.policy.policy import Policy
from beewalk.scenarios.reading import Document

# The moves of a trajectory in order; those of one inner tuple are made in one turn.
Moves = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ArgumentsWanted:
    """What the arguments of one call must be: equal to `value`, or with `subset` at least the keys of it."""

    value: Any
    subset: bool = False


@dataclass(frozen=True, slots=True)
class CallsWanted:
    """How often a tool must be called; `arguments[k]` is about call k (from 0), further calls are free."""

    at_least: int | None = None
    at_most: int | None = None
    arguments: tuple[ArgumentsWanted, ...] = ()


@dataclass(frozen=True, slots=True)
class RequestWanted:
    """What one request must offer: the first of turn `turn`, or number `request` of the run. None is not looked at."""

    turn: int | None = None
    request: int | None = None
    allowed: frozenset[str] | None = None
    hidden: frozenset[str] | None = None
    tool_choice: str | None = None
    can_stop: bool | None = None
    reason: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Expectation:
    """What must be true of one run. None, or an empty collection, is not looked at.

    `trajectory` holds the moves in order; those that `&` joins are in one inner tuple and must be made in one turn:
    "a b & c" is (("a",), ("b", "c")). A move is `tool`, any outcome, or `tool:outcome`. `path` leads to the
    expectation in the document: ("expect",) or ("expect", 1).
    """

    path: Path
    trajectory: Moves | None = None
    ends: str | None = None
    answer: Mapping[Literal["equals", "contains", "matches"], Any] = field(default_factory=dict)
    calls: Mapping[str, CallsWanted] = field(default_factory=dict)
    requests: tuple[RequestWanted, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """One document of a scenario file.

    `expect` has an expectation a run, None where a run has none. `chat_model` is made anew for each time the scenario
    is run. `tools` and `permissions` are answers in order, of which the last repeats.
    """

    name: str
    policy: Policy
    chat_model: Callable[[], ChatModel]
    input: str
    tools: Mapping[str, tuple[Scripted, ...]]
    permissions: Mapping[str, tuple[bool, ...]]
    runs: int
    engine: str
    expect: tuple[Expectation | None, ...]
    document: Document

    @property
    def place(self) -> str:
        """`file:line:column` of the scenario."""
        return self.document.at(("scenario",))
