"""Building: a policy from a file that was read, with every problem of the file reported together."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from beewalk.errors import Path as ValuePath
from beewalk.errors import PolicyError, Problem
from beewalk.policy.accepted import Accepted
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.fixed import FixedRules
from beewalk.policy.policy import Limits, Loop, Policy, RepeatedCalls, problems_of
from beewalk.policy.requirement import Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.tool import FINAL_ANSWER, ThinkTool, Tool
from beewalk.scenarios.checking import shape_problems
from beewalk.scenarios.python_code import CodeError, load_function, load_or_call, wrong_kind
from beewalk.scenarios.reading import Document, read_document
from beewalk.scenarios.schema import (
    ConditionalPart,
    LoopPart,
    PermissionPart,
    PolicyPart,
    PythonPart,
    RequirementPart,
    RulesPart,
    ToolPart,
)

_REQUIREMENT: TypeAdapter[Any] = TypeAdapter(RequirementPart)

# Where the file's key has another name than the requirement's parameter.
_KEYS = {("conditional", "target"): "conditional", ("ask_permission", "include"): "ask_permission"}

MoreProblems = Callable[[Document], Iterable[Problem]]


@dataclass(frozen=True)
class PolicyFile:
    """A policy and the document that describes it."""

    policy: Policy
    document: Document


def read_policy(path: Path, name: str | None = None, *, more: MoreProblems | None = None) -> PolicyFile:
    """The policy in the file at `path`, called `name` in messages.

    Args:
        path: the file.
        name: the file as the user wrote it; `path` unless given.
        more: finds what the reader of the policy cannot act on, in a document whose shape may be wrong.

    Raises:
        PolicyError: every problem of the file, each with file, line and column.
    """
    document = read_document(path, name or str(path))
    return build_policy(document, list(dict.fromkeys([path.absolute().parent, Path.cwd()])), more=more)


def build_policy(document: Document, folders: Sequence[Path], *, more: MoreProblems | None = None) -> PolicyFile:
    """The policy that `document` describes; Python code is looked for in `folders`.

    Raises:
        PolicyError: every problem of the document, in its order.
    """
    unreadable = {problem.at for problem in document.plain.problems}
    shape = shape_problems(document)
    problems = [*document.plain.problems, *(problem for problem in shape if problem.at not in unreadable)]
    if isinstance(document.data, dict):
        parts = _Parts(document, folders, [problem.path for problem in shape])
        problems += [*parts.problems, *(more(document) if more else ())]
        if not problems:
            return PolicyFile(_policy(document, parts), document)
    raise PolicyError(placed(document, problems))


def _policy(document: Document, parts: "_Parts") -> Policy:
    part = PolicyPart.model_validate(document.data)
    try:
        return Policy(
            list(parts.tools.values()),
            [one for one in parts.requirements if one is not None],
            name=part.policy,
            limits=None if part.limits is None else Limits(**part.limits.model_dump()),
            loop=_loop(part.loop),
            answer=part.answer,
            input=part.input,
            accept=[Accepted(one.code, one.reason, one.tool) for one in part.accept],
        )
    except PolicyError as error:  # what the requirements' own code refuses
        raise PolicyError(placed(document, error.problems)) from error


class _Parts:
    """The tools and requirements of a document, as far as they can be made, and what is wrong with their meaning.

    `wrong` has the paths of what has the wrong shape: it is left out, so that the rest can be looked at. `tools` is
    by place in the file, and has every tool whose name is known; `requirements` has None where one cannot be made.
    """

    def __init__(self, document: Document, folders: Sequence[Path], wrong: Collection[ValuePath]) -> None:
        self.problems: list[Problem] = []
        self._document = document
        self._folders = folders
        self._wrong_values = set(wrong)
        self._wrong = {path[:length] for path in wrong for length in (2, 3)}
        self.tools = self._tools(document.data.get("tools"))
        self.requirements = self._requirements(document.data.get("requirements"))
        self._check_together()

    def _check_together(self) -> None:
        places = list(self.tools)
        for problem in problems_of(list(self.tools.values()), ()):
            path = ("tools", places[int(problem.path[1])])
            if path not in self._wrong_values:
                self.problems.append(replace(problem, path=path))
        if not isinstance(self._document.data.get("tools"), list | dict):
            return  # every target would be unknown
        known = {tool.name: tool for tool in self.tools.values() if tool.name != FINAL_ANSWER}
        self.problems += problems_of(list(known.values()), self.requirements)

    def _tools(self, data: Any) -> dict[str | int, Tool]:
        tools: dict[str | int, Tool] = {}
        listed = isinstance(data, list)
        for place in range(len(data)) if listed else data if isinstance(data, dict) else ():
            name = self._document.written(("tools", place), key=not listed)
            if listed and isinstance(data[place], dict):
                name = next(map(str, data[place]), None)  # `- weather: {...}`, whose shape is wrong: its name is known
            if name:
                part = {} if listed else self._right(data[place], "tools", place)
                made = self._attempt(partial(_tool, name, part), "tools", place)
                tools[place] = _named(name) if made is None else made
        return tools

    def _requirements(self, data: Any) -> list[Requirement[Any] | None]:
        return [self._requirement(value, index) for index, value in enumerate(data if isinstance(data, list) else ())]

    def _requirement(self, value: Any, index: int) -> Requirement[Any] | None:
        try:
            part = _REQUIREMENT.validate_python(self._right(value, "requirements", index))
        except ValidationError:
            return None  # it has no kind, or lacks what it needs: the schema has said so
        make: Callable[[], Requirement[Any]]
        path: ValuePath = ("requirements", index)
        if isinstance(part, ConditionalPart):
            make = partial(_conditional, part, self._checks(part, path))
        elif isinstance(part, PythonPart):
            make, path = partial(_from_python, part, self._folders), (*path, "python")
        else:
            make = partial(_permission if isinstance(part, PermissionPart) else _rules, part)
        made: Requirement[Any] | None = self._attempt(make, *path)
        return made

    def _checks(self, part: ConditionalPart, path: ValuePath) -> list[Callable[..., Any]]:
        """The custom checks; one that cannot be had is replaced, so that the others keep their places."""
        checks = []
        for number, reference in enumerate(part.custom_checks or []):
            found = self._attempt(partial(load_function, reference, self._folders), *path, "custom_checks", number)
            checks.append(bool if found is None else found)
        return checks

    def _right(self, value: Any, *path: str | int) -> Any:
        """A mapping without the keys under which something has the wrong shape; anything else as it is."""
        if not isinstance(value, dict):
            return value
        return {key: one for key, one in value.items() if (*path, key) not in self._wrong}

    def _attempt(self, make: Callable[[], Any], *path: str | int) -> Any:
        try:
            return make()
        except PolicyError as error:
            self.problems += [problem.under(*path) for problem in error.problems]
        except CodeError as error:
            self.problems.append(Problem(path, str(error), ""))
        return None


def _tool(name: str, data: Any) -> Tool:
    part = ToolPart.model_validate(data if isinstance(data, dict) else {})
    if name == ThinkTool.name:
        return ThinkTool(description=part.description or None, arguments=part.arguments, outcomes=part.outcomes)
    return Tool(name, description=part.description, arguments=part.arguments, outcomes=part.outcomes)


def _named(name: str) -> Tool:
    """A tool that only has a name, in place of one that cannot be made."""
    tool = Tool("?")
    tool.name = name
    return tool


def _conditional(part: ConditionalPart, checks: Sequence[Callable[..., Any]]) -> ConditionalRequirement:
    given = part.model_dump(exclude={"conditional", "custom_checks"})
    return ConditionalRequirement(part.conditional, custom_checks=checks, **given)


def _permission(part: PermissionPart) -> AskPermissionRequirement:
    return AskPermissionRequirement(part.ask_permission, **part.model_dump(exclude={"ask_permission"}))


def _rules(part: RulesPart) -> FixedRules:
    return FixedRules([Rule(**rule.model_dump()) for rule in part.rules], name=part.name, priority=part.priority)


def _from_python(part: PythonPart, folders: Sequence[Path]) -> Requirement[Any]:
    found = load_or_call(part.python, folders, Requirement)
    if not isinstance(found, Requirement):
        raise wrong_kind(part.python, found, Requirement)
    return found


def _loop(part: LoopPart) -> Loop:
    repeated = RepeatedCalls(**part.repeated_calls.model_dump()) if part.repeated_calls else None
    return Loop(part.final_answer_as_tool, part.parallel_tool_calls, repeated)


def placed(document: Document, problems: Iterable[Problem]) -> list[Problem]:
    """The problems with their positions, each once, in the order of the file."""
    return ordered(_in_file(problem, document) for problem in problems)


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Problems of one file that have positions, each once, in the order of the file."""
    once = {(problem.at, problem.what): problem for problem in reversed(list(problems))}
    return sorted(once.values(), key=lambda problem: (*map(int, problem.at.rsplit(":", 2)[1:]), problem.what))


def _in_file(problem: Problem, document: Document) -> Problem:
    """The problem with its position, and in the file's words where those of the requirement are others."""
    if problem.at:
        return problem
    path, what = problem.path, problem.what
    if path[:1] == ("tools",):  # what is wrong with a tool is its name, or the name of an outcome
        path = path[:2] if path[2:] == ("name",) else path
        return Problem(path, what, problem.fix, document.at(path, key=True))
    if path[:1] == ("requirements",) and len(path) > 2:
        written = document.data["requirements"][path[1]]
        for (kind, parameter), key in _KEYS.items():
            if kind in written and path[2] == parameter:
                path, what = (*path[:2], key, *path[3:]), what.replace(f"{parameter} names", f"{key} names", 1)
    return Problem(path, what, problem.fix, document.at(path))
