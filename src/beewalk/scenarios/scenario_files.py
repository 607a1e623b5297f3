"""Scenario files: read, checked, and built, with every problem of a file reported together."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from beewalk.agent.tools import Scripted
from beewalk.chat_models.chat_model import ChatModel
from beewalk.chat_models.entries import Entry
from beewalk.chat_models.random_calls import RandomChatModel
from beewalk.chat_models.scripted import ScriptedChatModel
from beewalk.errors import BeewalkError, PolicyError, Problem
from beewalk.policy.call import Call
from beewalk.policy.policy import Policy
from beewalk.policy.tool import ERROR, OK
from beewalk.scenarios.building import build_policy, placed
from beewalk.scenarios.checking import shape_problems
from beewalk.scenarios.python_code import load_object
from beewalk.scenarios.reading import Document, read_documents
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, RequestWanted, Scenario
from beewalk.scenarios.scenario_checking import SCENARIO, Checker, moves_of
from beewalk.scenarios.scenario_schema import (
    CallsPart,
    ChatModelPart,
    ExpectPart,
    OutcomePart,
    RequestPart,
    ScenarioPart,
)

# Opens what a scenario names as its policy; Python code is looked for in the folders, files in the first of them.
PolicySource = Callable[[str, Sequence[Path]], Policy]


def read_scenarios(path: Path, name: str, open_policy: PolicySource) -> list[Scenario]:
    """The scenarios in the file at `path`, called `name` in messages.

    Raises:
        PolicyError: every problem of the file, each with file, line and column.
    """
    documents = read_documents(path, name)
    folders = list(dict.fromkeys([path.absolute().parent, Path.cwd()]))
    problems: list[Problem] = []
    scenarios: list[Scenario] = []
    names: set[str] = set()
    for document in documents:
        try:
            scenarios.append(_scenario(document, folders, open_policy))
        except PolicyError as error:
            problems += error.problems
        written = document.data.get("scenario") if isinstance(document.data, dict) else None
        if isinstance(written, str) and written in names:
            what = f"two scenarios of this file are named {written!r}"
            problems.append(Problem(("scenario",), what, "rename one of them", document.at(("scenario",))))
        names.add(str(written))
    if problems:
        raise PolicyError(problems)
    return scenarios


def _scenario(document: Document, folders: Sequence[Path], open_policy: PolicySource) -> Scenario:
    unreadable = {problem.at for problem in document.plain.problems}
    shape = [problem for problem in shape_problems(document, SCENARIO) if problem.at not in unreadable]
    problems = [*document.plain.problems, *shape]
    data = document.data if isinstance(document.data, dict) else {}
    policy = None
    try:
        policy = _policy(data.get("policy"), document, folders, open_policy)
    except PolicyError as error:
        problems += error.problems
    wrong = {problem.path[:1] for problem in shape}
    part = _readable(data, wrong)
    chat_model: Callable[[], ChatModel] | None = None
    if part is not None:
        problems += [one for one in Checker(part, policy).problems() if one.path[:1] not in wrong]
        chat_model, trouble = _chat_model(part.chat_model, folders)
        problems += trouble
    if problems or part is None or policy is None or chat_model is None:
        raise PolicyError(placed(document, problems))
    return _built(document, part, policy, chat_model)


def _readable(data: dict[str, Any], wrong: set[tuple[str | int, ...]]) -> ScenarioPart | None:
    """What is right of a scenario; the keys under which something has the wrong shape are left out."""
    right = {key: value for key, value in data.items() if (key,) not in wrong}
    rest = {"scenario": "?", "policy": "?", "chat_model": {"script": []}}
    try:
        return ScenarioPart.model_validate({**rest, **right})
    except ValidationError:
        return None


def _policy(written: Any, document: Document, folders: Sequence[Path], open_policy: PolicySource) -> Policy | None:
    if isinstance(written, dict):
        return build_policy(document.under("policy"), folders).policy
    if not isinstance(written, str) or not written:
        return None
    try:
        return open_policy(written, folders)
    except PolicyError as error:
        at = document.at(("policy",))
        here = Problem(("policy",), f"{written!r} cannot be used, see what follows", "mend it", at)
        raise PolicyError([here, *error.problems]) from error
    except (BeewalkError, OSError) as error:
        raise PolicyError([Problem(("policy",), str(error), "", document.at(("policy",)))]) from error


def _chat_model(part: ChatModelPart, folders: Sequence[Path]) -> tuple[Callable[[], ChatModel] | None, list[Problem]]:
    """What makes the chat model anew for each play, and what is wrong with it."""
    if part.python is not None:
        try:
            found = load_object(part.python, folders)
        except BeewalkError as error:
            return None, [Problem(("chat_model", "python"), str(error), "")]
        if not callable(getattr(found, "reply", None)) and not callable(found):
            what = f"{part.python!r} is of the type {type(found).__name__}"
            fix = "name a chat model (an object with a method reply) or a callable that returns one"
            return None, [Problem(("chat_model", "python"), what, fix)]
        return lambda: _from_python(part.python or "", found), []
    if part.random is not None:
        dice = part.random
        return lambda: RandomChatModel(seed=dice.seed, conduct=dice.conduct), []
    script = part.script or []
    return lambda: ScriptedChatModel([_entry(entry) for entry in script], conduct=part.conduct), []


def _from_python(reference: str, found: Any) -> ChatModel:
    if isinstance(found, type) or not callable(getattr(found, "reply", None)):
        found = found()
    if not callable(getattr(found, "reply", None)):
        raise BeewalkError(f"{reference!r} gave a {type(found).__name__}: it must be an object with a method reply")
    made: ChatModel = found
    return made


def _entry(written: Any) -> Entry:
    if isinstance(written, dict):
        return next(Call.of(tool, arguments) for tool, arguments in written.items())
    if isinstance(written, list):
        return [next(Call.of(tool, arguments) for tool, arguments in one.items()) for one in written]
    text: str | None = written
    return text


def _built(document: Document, part: ScenarioPart, policy: Policy, chat_model: Callable[[], ChatModel]) -> Scenario:
    return Scenario(
        name=part.scenario,
        policy=policy,
        chat_model=chat_model,
        input=policy.input if part.input is None else part.input,
        tools={tool: tuple(map(_scripted, _listed(said))) for tool, said in part.tools.items()},
        permissions={tool: tuple(one == "allow" for one in _listed(said)) for tool, said in part.permissions.items()},
        runs=part.runs,
        engine=part.engine,
        expect=tuple(_expectations(part)),
        document=document,
    )


def _listed(said: Any) -> list[Any]:
    return said if isinstance(said, list) else [said]


def _scripted(said: str | OutcomePart) -> Scripted:
    if isinstance(said, str):
        return Scripted(said)
    return Scripted(OK, said.returns) if "returns" in said.model_fields_set else Scripted(ERROR, said.raises)


def _expectations(part: ScenarioPart) -> Iterator[Expectation | None]:
    """One a run; None where nothing is expected of it."""
    listed = part.expect if isinstance(part.expect, list) else []
    for run in range(part.runs):
        if run < len(listed):
            yield _expectation(listed[run], ("expect", run))
        elif run == part.runs - 1 and isinstance(part.expect, ExpectPart):
            yield _expectation(part.expect, ("expect",))
        else:
            yield None


def _expectation(part: ExpectPart, path: tuple[str | int, ...]) -> Expectation:
    given = set() if part.answer is None else part.answer.model_fields_set
    answer = {key: getattr(part.answer, key) for key in ("equals", "contains", "matches") if key in given}
    return Expectation(
        path=path,
        trajectory=None if part.trajectory is None else moves_of(part.trajectory),
        ends=part.ends,
        answer=answer,
        calls={tool: _calls(calls) for tool, calls in part.calls.items()},
        requests=tuple(map(_request, part.requests)),
    )


def _calls(part: CallsPart) -> CallsWanted:
    wanted = tuple(
        ArgumentsWanted(one["subset"], subset=True)
        if set(one) == {"subset"} and isinstance(one["subset"], dict)
        else ArgumentsWanted(one)
        for one in part.arguments
    )
    return CallsWanted(part.at_least, part.at_most, wanted)


def _request(part: RequestPart) -> RequestWanted:
    return RequestWanted(
        turn=part.turn,
        request=part.request,
        allowed=None if part.allowed is None else frozenset(part.allowed),
        hidden=None if part.hidden is None else frozenset(part.hidden),
        tool_choice=part.tool_choice,
        can_stop=part.can_stop,
        reason=part.reason,
    )
