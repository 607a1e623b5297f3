"""Checking scenarios: what is wrong with the meaning of one whose keys and types are right."""

import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import BaseModel

from beewalk.errors import Path, Problem, possible
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.policy import Policy
from beewalk.policy.tool import DENIED, ERROR, OK, Tool
from beewalk.scenarios.checking import Shape, shown
from beewalk.scenarios.reading import Document
from beewalk.scenarios.scenario import Moves
from beewalk.scenarios.scenario_schema import (
    AnswerPart,
    CallsPart,
    ChatModelPart,
    ExpectPart,
    OutcomePart,
    RandomPart,
    RequestPart,
    ScenarioPart,
)

REAL, CRASH, UNOFFERED = "real", "crash", "unoffered"
_PATTERN = re.compile(r"[|()?*+{}.!~]")
_CHAT_MODELS = ("script", "random", "python", "cassette")


def _part_at(path: Path, data: Any) -> type[BaseModel]:  # noqa: ARG001 - the signature of a Shape
    """The part of the schema that describes the mapping at `path`."""
    if not path:
        return ScenarioPart
    if path[0] == "chat_model":
        return RandomPart if "random" in path else ChatModelPart
    if path[0] == "tools":
        return OutcomePart
    inside = [part for part in path if not isinstance(part, int)]
    parts: dict[str, type[BaseModel]] = {"answer": AnswerPart, "calls": CallsPart, "requests": RequestPart}
    return ExpectPart if len(inside) == 1 else parts[str(inside[1])]


SCENARIO = Shape(
    ScenarioPart, _part_at, "a scenario is a mapping with the keys scenario, policy, chat_model and, mostly, expect"
)


@dataclass(frozen=True)
class Checker:
    """Finds what is wrong with a scenario.

    Attributes:
        part: the scenario, as far as its shape is right.
        policy: None where it cannot be opened, and is then not looked at.
        document: where the scenario is described.
        thinned: the mappings from which a key was left out; how many keys they have says nothing.
    """

    part: ScenarioPart
    policy: Policy | None
    document: Document
    thinned: Collection[Path] = ()

    def problems(self) -> Iterator[Problem]:
        """Every problem, in no order."""
        yield from self._chat_model()
        yield from self._engine()
        yield from self._outcomes()
        yield from self._permissions()
        expectations = self.part.expect
        if isinstance(expectations, list):
            if len(expectations) > self.part.runs:
                what = f"expect is about {len(expectations)} runs, and runs is {self.part.runs}"
                yield Problem(("expect", self.part.runs), what, "raise runs, or take out what is too much")
            for index, one in enumerate(expectations):
                yield from self._expectation(one, ("expect", index))
        elif expectations is not None:
            yield from self._expectation(expectations, ("expect",))

    def _chat_model(self) -> Iterator[Problem]:
        part = self.part.chat_model
        given = [kind for kind in _CHAT_MODELS if getattr(part, kind) is not None]
        if len(given) != 1 and ("chat_model",) not in self.thinned:
            what = f"chat_model has {' and '.join(given)}" if given else "chat_model says nobody"
            yield Problem(("chat_model",), what, f"write exactly one of {', '.join(_CHAT_MODELS)}")
        if part.cassette is not None:
            what = "playing a cassette is not in this version"
            yield Problem(("chat_model", "cassette"), what, "write a script")
        if part.conduct and part.script is None:
            fix = "write it under random" if part.random is not None else "take it out"
            yield Problem(("chat_model", "conduct"), "conduct belongs to a script", fix)
        for index, entry in enumerate(part.script or []):
            path: Path = ("chat_model", "script", index)
            if entry == []:
                yield Problem(path, "a reply of no calls", "write null for nothing at all")
            for place, calls in enumerate(entry) if isinstance(entry, list) else [(None, entry)]:
                yield from self._call(calls, path if place is None else (*path, place))

    def _call(self, calls: Any, path: Path) -> Iterator[Problem]:
        if not isinstance(calls, dict):
            return  # a text, or nothing
        if len(calls) != 1:
            yield Problem(path, f"a call of {len(calls)} tools", "write one tool; several calls are a list")
        for tool, arguments in calls.items():
            yield from self._json(arguments, (*path, tool))

    def _engine(self) -> Iterator[Problem]:
        if self.part.engine != "beewalk":
            yield Problem(("engine",), f"engine {self.part.engine} is not in this version", "write beewalk")

    def _outcomes(self) -> Iterator[Problem]:
        for name, listed in self.part.tools.items():
            tool = self._tool(name)
            if self.policy is not None and tool is None:
                yield self._unknown(("tools", name), name, key=True)
            for index, one in enumerate(listed if isinstance(listed, list) else [listed]):
                path: Path = ("tools", name, index) if isinstance(listed, list) else ("tools", name)
                if isinstance(one, OutcomePart):
                    yield from self._outcome(one, path)
                elif tool is not None and one not in outcomes_of(tool, scripted=True):
                    fix = f"{possible(one, outcomes_of(tool, scripted=True))}, or {{returns: ...}}, {{raises: ...}}"
                    yield Problem(path, f"{name!r} has no outcome {one!r}", fix)

    def _outcome(self, part: OutcomePart, path: Path) -> Iterator[Problem]:
        if len(part.model_fields_set) != 1 and path not in self.thinned:
            yield Problem(path, "what the call comes to", "write exactly one of returns, raises")

    def _permissions(self) -> Iterator[Problem]:
        if self.policy is None:
            return
        asking = [one for one in self.policy.requirements if isinstance(one, AskPermissionRequirement)]
        managed = [tool.name for tool in self.policy.tools if any(one.manages(tool) for one in asking)]
        for name in self.part.permissions:
            if name not in managed:
                path: Path = ("permissions", name)
                fix = possible(name, managed) if managed else "take it out, or add ask_permission to the policy"
                yield Problem(path, f"no permission is asked for {name!r}", fix, self.document.at(path, key=True))

    def _expectation(self, part: ExpectPart, path: Path) -> Iterator[Problem]:
        if part.trajectory is not None:
            yield from self._trajectory(part.trajectory, (*path, "trajectory"))
        if part.answer is not None:
            yield from self._answer(part.answer, (*path, "answer"))
        for name, calls in part.calls.items():
            yield from self._known(name, (*path, "calls", name), key=True)
            for index, arguments in enumerate(calls.arguments):
                yield from self._json(arguments, (*path, "calls", name, "arguments", index))
            low, high = calls.at_least, calls.at_most
            if low is not None and high is not None and high < low:
                what = f"at_most is {high}, less than at_least, which is {low}"
                yield Problem((*path, "calls", name, "at_most"), what, "raise it")
        for index, request in enumerate(part.requests):
            yield from self._request(request, (*path, "requests", index))

    def _answer(self, part: AnswerPart, path: Path) -> Iterator[Problem]:
        yield from self._json(part.equals, (*path, "equals"))
        if part.matches is None:
            return
        try:
            with warnings.catch_warnings(action="ignore"):  # of what later versions of Python may read otherwise
                re.compile(part.matches)
        except (re.error, OverflowError, RecursionError) as error:
            what = f"{part.matches!r} is no regular expression: {error}"
            yield Problem((*path, "matches"), what, "write one, or use contains")

    def _json(self, value: Any, path: Path) -> Iterator[Problem]:
        """What plain YAML can say and JSON cannot: dates, and keys that are no texts."""
        if isinstance(value, date):
            yield Problem(path, f"{value} is a date, which JSON does not have", "put it in quotes")
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._json(item, (*path, index))
        elif isinstance(value, dict):
            for key, item in value.items():
                if not isinstance(key, str):
                    what = f"a key that is no text: {shown(key, self.document.written((*path, key), key=True))}"
                    at = self.document.at((*path, key), key=True)
                    yield Problem((*path, key), what, "write a text in quotes", at)
                yield from self._json(item, (*path, key))

    def _request(self, part: RequestPart, path: Path) -> Iterator[Problem]:
        if (part.turn is None) == (part.request is None) and path not in self.thinned:
            yield Problem(path, "which request is meant", "write exactly one of turn, request")
        if part.tool_choice is not None and part.tool_choice not in {"auto", "required"}:
            yield from self._known(part.tool_choice, (*path, "tool_choice"), ["auto", "required"])
        for key, names in (("allowed", part.allowed), ("hidden", part.hidden)):
            for index, name in enumerate(names or []):
                yield from self._known(name, (*path, key, index))
        for name in part.reason:
            yield from self._known(name, (*path, "reason", name), key=True)

    def _trajectory(self, text: str, path: Path) -> Iterator[Problem]:
        moves = moves_of(text)
        if moves is None:
            yield Problem(path, f"{text!r}: `&` stands between two calls of one turn", "write a & b")
        for move in (move for group in moves or () for move in group):
            yield from self._move(move, path)

    def _move(self, move: str, path: Path) -> Iterator[Problem]:
        name, _, outcome = move.rpartition(":") if ":" in move else (move, "", "")
        tool = self._tool(name)
        if ":" in move and self._tool(move) is not None:
            yield Problem(
                path, f"{move!r} has a colon in its name, so its outcome must stand here", f"write {move}:{OK}"
            )
        elif self.policy is not None and tool is None and _PATTERN.search(move):
            yield Problem(path, f"{move!r}: patterns are not in this version", "write the calls one by one, in order")
        elif self.policy is not None and tool is None and outcome != UNOFFERED:
            yield self._unknown(path, name)
        elif tool is not None and ":" in move and outcome not in outcomes_of(tool, scripted=False):
            known = outcomes_of(tool, scripted=False)
            yield Problem(path, f"{name!r} has no outcome {outcome!r}", possible(outcome, known))

    def _known(self, name: str, path: Path, besides: Sequence[str] = (), *, key: bool = False) -> Iterator[Problem]:
        if self.policy is not None and self._tool(name) is None:
            yield self._unknown(path, name, besides, key=key)

    def _tool(self, name: str) -> Tool | None:
        tools = () if self.policy is None else self.policy.tools
        return next((tool for tool in tools if tool.name == name), None)

    def _unknown(self, path: Path, name: str, besides: Sequence[str] = (), *, key: bool = False) -> Problem:
        """`name` is no tool; with `key` it stands in the file as the key of what `path` leads to."""
        known = [*besides, *(tool.name for tool in (() if self.policy is None else self.policy.tools))]
        what = f"{name!r} is no tool of this policy"
        return Problem(path, what, possible(name, known), self.document.at(path, key=key))


def outcomes_of(tool: Tool, *, scripted: bool) -> Collection[str]:
    """The outcomes that a call of `tool` can have, or that a scenario can give it."""
    more = (REAL, CRASH) if scripted else (DENIED, UNOFFERED)
    return [OK, *tool.named_outcomes, ERROR, *more]


def moves_of(text: str) -> Moves | None:
    """The moves of a trajectory as `Expectation` has them; None where an `&` joins nothing."""
    groups: list[list[str]] = []
    joined = False
    for word in text.split():
        if word == "&":
            if joined or not groups:
                return None
            joined = True
        elif joined:
            groups[-1].append(word)
            joined = False
        else:
            groups.append([word])
    return None if joined else tuple(map(tuple, groups))
