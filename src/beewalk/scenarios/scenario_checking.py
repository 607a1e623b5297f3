"""Checking scenarios: what is wrong with the meaning of one whose keys and types are right."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from beewalk.errors import Path, Problem, possible
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.policy import Policy
from beewalk.policy.tool import DENIED, ERROR, OK, Tool
from beewalk.scenarios.checking import Shape
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
    """Finds what is wrong with a scenario; `policy` is None where it cannot be opened, and is then not looked at."""

    part: ScenarioPart
    policy: Policy | None

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
                yield Problem(("expect",), what, "raise runs, or take out what is too much")
            for index, one in enumerate(expectations):
                yield from self._expectation(one, ("expect", index))
        elif expectations is not None:
            yield from self._expectation(expectations, ("expect",))

    def _chat_model(self) -> Iterator[Problem]:
        part = self.part.chat_model
        given = [kind for kind in _CHAT_MODELS if getattr(part, kind) is not None]
        if len(given) != 1:
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
                yield from _call_problems(calls, path if place is None else (*path, place))

    def _engine(self) -> Iterator[Problem]:
        if self.part.engine != "beewalk":
            yield Problem(("engine",), f"engine {self.part.engine} is not in this version", "write beewalk")

    def _outcomes(self) -> Iterator[Problem]:
        for name, listed in self.part.tools.items():
            tool = self._tool(name)
            if self.policy is not None and tool is None:
                yield self._unknown(("tools", name), name)
            for index, one in enumerate(listed if isinstance(listed, list) else [listed]):
                path: Path = ("tools", name, index) if isinstance(listed, list) else ("tools", name)
                if isinstance(one, OutcomePart):
                    yield from _outcome_problems(one, path)
                elif tool is not None and one not in outcomes_of(tool, scripted=True):
                    fix = f"{possible(one, outcomes_of(tool, scripted=True))}, or {{returns: ...}}, {{raises: ...}}"
                    yield Problem(path, f"{name!r} has no outcome {one!r}", fix)

    def _permissions(self) -> Iterator[Problem]:
        if self.policy is None:
            return
        asking = [one for one in self.policy.requirements if isinstance(one, AskPermissionRequirement)]
        managed = [tool.name for tool in self.policy.tools if any(one.manages(tool) for one in asking)]
        for name in self.part.permissions:
            if name not in managed:
                yield Problem(("permissions", name), f"no permission is asked for {name!r}", possible(name, managed))

    def _expectation(self, part: ExpectPart, path: Path) -> Iterator[Problem]:
        if part.trajectory is not None:
            yield from self._trajectory(part.trajectory, (*path, "trajectory"))
        if part.answer is not None:
            yield from _answer_problems(part.answer, (*path, "answer"))
        for name, calls in part.calls.items():
            yield from self._known([name], (*path, "calls", name))
            low, high = calls.at_least, calls.at_most
            if low is not None and high is not None and high < low:
                what = f"at_most is {high}, less than at_least, which is {low}"
                yield Problem((*path, "calls", name, "at_most"), what, "raise it")
        for index, request in enumerate(part.requests):
            yield from self._request(request, (*path, "requests", index))

    def _request(self, part: RequestPart, path: Path) -> Iterator[Problem]:
        if (part.turn is None) == (part.request is None):
            yield Problem(path, "which request is meant", "write exactly one of turn, request")
        if part.tool_choice is not None and part.tool_choice not in {"auto", "required"}:
            yield from self._known([part.tool_choice], (*path, "tool_choice"), ["auto", "required"])
        for key, names in (("allowed", part.allowed), ("hidden", part.hidden)):
            for index, name in enumerate(names or []):
                yield from self._known([name], (*path, key, index))
        for name in part.reason:
            yield from self._known([name], (*path, "reason", name))

    def _trajectory(self, text: str, path: Path) -> Iterator[Problem]:
        names = [] if self.policy is None else [tool.name for tool in self.policy.tools]
        for move in (move for group in moves_of(text) or () for move in group):
            name, _, outcome = move.partition(":")
            tool = self._tool(name)
            if name not in names and _PATTERN.search(move):
                what = f"{move!r}: patterns are not in this version"
                yield Problem(path, what, "write the calls one by one, in order")
            elif self.policy is not None and tool is None and outcome != UNOFFERED:
                yield self._unknown(path, name)
            elif tool is not None and outcome and outcome not in outcomes_of(tool, scripted=False):
                known = outcomes_of(tool, scripted=False)
                yield Problem(path, f"{name!r} has no outcome {outcome!r}", possible(outcome, known))
        if moves_of(text) is None:
            yield Problem(path, f"{text!r}: `&` stands between two calls of one turn", "write a & b")

    def _known(self, names: Sequence[str], path: Path, besides: Sequence[str] = ()) -> Iterator[Problem]:
        for name in names:
            if self.policy is not None and self._tool(name) is None:
                yield self._unknown(path, name, besides)

    def _tool(self, name: str) -> Tool | None:
        tools = () if self.policy is None else self.policy.tools
        return next((tool for tool in tools if tool.name == name), None)

    def _unknown(self, path: Path, name: str, besides: Sequence[str] = ()) -> Problem:
        known = [*besides, *(tool.name for tool in (() if self.policy is None else self.policy.tools))]
        return Problem(path, f"{name!r} is no tool of this policy", possible(name, known))


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


def _call_problems(calls: Any, path: Path) -> Iterator[Problem]:
    """What is wrong with a call of a script; a text is none."""
    if not isinstance(calls, dict):
        return
    if len(calls) != 1:
        yield Problem(path, f"a call of {len(calls)} tools", "write one tool; several calls are a list")
    for tool, arguments in calls.items():
        try:
            json.dumps(arguments)
        except TypeError:
            what = f"the arguments of {tool!r} hold a date, which is no JSON"
            yield Problem((*path, tool), what, "put it in quotes")


def _outcome_problems(part: OutcomePart, path: Path) -> Iterator[Problem]:
    if len(part.model_fields_set) != 1:
        yield Problem(path, "what the call comes to", "write exactly one of returns, raises")


def _answer_problems(part: AnswerPart, path: Path) -> Iterator[Problem]:
    if part.matches is not None:
        try:
            re.compile(part.matches)
        except re.error as error:
            what = f"{part.matches!r} is no regular expression: {error}"
            yield Problem((*path, "matches"), what, "write one, or use contains")
