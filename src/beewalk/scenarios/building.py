"""Building: a policy from a file that was read, with every problem of the file reported together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from beewalk.errors import PolicyError, Problem
from beewalk.policy.ask_permission import AskPermissionRequirement
from beewalk.policy.conditional import ConditionalRequirement
from beewalk.policy.fixed import FixedRules
from beewalk.policy.policy import Limits, Loop, Policy, RepeatedCalls, problems_of
from beewalk.policy.requirement import Requirement
from beewalk.policy.rule import Rule
from beewalk.policy.tool import ThinkTool, Tool
from beewalk.scenarios.checking import shape_problems
from beewalk.scenarios.python_code import CodeError, load_object
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


@dataclass(frozen=True)
class PolicyFile:
    """A policy and what else its file says; `later` names keys that this version reads but cannot act on."""

    policy: Policy
    document: Document
    later: tuple[str, ...]


def read_policy(path: Path, name: str | None = None) -> PolicyFile:
    """The policy in the file at `path`, called `name` in messages.

    Raises:
        PolicyError: every problem of the file, each with file, line and column.
    """
    document = read_document(path, name or str(path))
    folders = list(dict.fromkeys([path.parent, Path.cwd()]))
    return build_policy(document, folders)


def build_policy(document: Document, folders: Sequence[Path]) -> PolicyFile:
    """The policy that `document` describes; Python code is looked for in `folders`.

    Raises:
        PolicyError: every problem of the document, in its order.
    """
    data = document.data
    problems = shape_problems(data)
    tools, requirements = _parts(data, problems, folders)
    if tools is not None:
        problems += problems_of(tools, requirements)
    if problems:
        raise PolicyError(_placed(document, problems))
    part = PolicyPart.model_validate(data)
    try:
        policy = Policy(
            tools or [],
            [one for one in requirements if one is not None],
            name=part.policy,
            limits=None if part.limits is None else Limits(**part.limits.model_dump()),
            loop=_loop(part.loop),
            answer=part.answer,
            input=part.input,
        )
    except PolicyError as error:  # what the requirements' own code refuses
        raise PolicyError(_placed(document, error.problems)) from error
    later = tuple(key for key, value in (("properties", part.properties), ("accept", part.accept)) if value)
    return PolicyFile(policy, document, later)


def _parts(
    data: Any, problems: list[Problem], folders: Sequence[Path]
) -> tuple[list[Tool] | None, list[Requirement[Any] | None]]:
    """Tools and requirements as far as they have the right shape; what building them refuses joins `problems`.

    The tools are None where they are not known, since every target would then be unknown too.
    """
    wrong = {problem.path[:2] for problem in problems}
    if any(path[:1] == ("tools",) for path in wrong) or () in wrong:
        return None, []
    tools = _tools(data["tools"], problems)
    requirements: list[Requirement[Any] | None] = []
    listed = data.get("requirements", [])
    for index, value in enumerate(listed if isinstance(listed, list) else []):
        made = None
        if ("requirements", index) not in wrong:
            made = _attempt(partial(_requirement, value, folders), ("requirements", index), problems)
        requirements.append(made)
    return tools, requirements


def _attempt(make: Callable[[], Any], path: tuple[str | int, ...], problems: list[Problem]) -> Any:
    try:
        return make()
    except PolicyError as error:
        problems += [problem.under(*path) for problem in error.problems]
    except CodeError as error:
        problems.append(Problem(path, str(error), ""))
    return None


def _tools(data: Any, problems: list[Problem]) -> list[Tool] | None:
    parts = dict.fromkeys(data) if isinstance(data, list) else data
    names = data if isinstance(data, list) else list(data)
    tools = []
    for index, name in enumerate(names):
        part = ToolPart.model_validate(parts[name] or {})
        tools.append(_attempt(partial(_tool, name, part), ("tools", index), problems))
    return None if None in tools else tools


def _tool(name: str, part: ToolPart) -> Tool:
    if name == ThinkTool.name:
        return ThinkTool(description=part.description or None, arguments=part.arguments, outcomes=part.outcomes)
    return Tool(name, description=part.description, arguments=part.arguments, outcomes=part.outcomes)


def _requirement(value: Any, folders: Sequence[Path]) -> Requirement[Any]:
    part = _REQUIREMENT.validate_python(value)
    if isinstance(part, ConditionalPart):
        given = part.model_dump(exclude={"conditional", "custom_checks"})
        checks = [_function(reference, folders) for reference in part.custom_checks or []]
        return ConditionalRequirement(part.conditional, custom_checks=checks, **given)
    if isinstance(part, PermissionPart):
        return AskPermissionRequirement(part.ask_permission, **part.model_dump(exclude={"ask_permission"}))
    if isinstance(part, RulesPart):
        rules = [Rule(**rule.model_dump()) for rule in part.rules]
        return FixedRules(rules, name=part.name, priority=part.priority)
    return _from_python(part, folders)


def _from_python(part: PythonPart, folders: Sequence[Path]) -> Requirement[Any]:
    found = load_object(part.python, folders)
    if not isinstance(found, Requirement) and callable(found):
        try:
            found = found()
        except Exception as error:
            raise CodeError(f"{part.python!r} raised {type(error).__name__}: {error}") from error
    if not isinstance(found, Requirement):
        raise CodeError(f"{part.python!r} is {found!r}: it must be a Requirement or a callable that returns one")
    return found


def _function(reference: str, folders: Sequence[Path]) -> Callable[..., Any]:
    found = load_object(reference, folders)
    if not callable(found):
        raise CodeError(f"{reference!r} is {found!r}: a custom check is a function of the state")
    checked: Callable[..., Any] = found
    return checked


def _loop(part: LoopPart) -> Loop:
    repeated = RepeatedCalls(**part.repeated_calls.model_dump()) if part.repeated_calls else None
    return Loop(part.final_answer_as_tool, part.parallel_tool_calls, repeated)


def _placed(document: Document, problems: Sequence[Problem]) -> list[Problem]:
    """The problems with their positions, in the order of the file."""
    placed = []
    for problem in problems:
        path = _file_path(problem, document.data)
        at_key = problem.what.startswith("unknown key")
        placed.append(Problem(path, problem.what, problem.fix, document.at(path, key=at_key)))
    return sorted(placed, key=lambda problem: [int(part) for part in problem.at.rsplit(":", 2)[1:]])


def _file_path(problem: Problem, data: Any) -> tuple[str | int, ...]:
    """The path of a problem through the file, where the file has other names than the policy."""
    path = problem.path
    if path[:1] == ("tools",) and len(path) > 1 and isinstance(data["tools"], dict) and isinstance(path[1], int):
        return ("tools", list(data["tools"])[path[1]], *path[2:])
    if path[:1] == ("requirements",) and len(path) > 2:
        kind = next((kind for kind in ("conditional", "ask_permission") if kind in data["requirements"][path[1]]), "")
        key = _KEYS.get((kind, str(path[2])))
        if key is not None:
            return (*path[:2], key, *path[3:])
    return path
