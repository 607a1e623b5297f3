"""Scenario files: read, checked, and built, with every problem of a file reported together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from beewalk.agent.tools import Scripted
from beewalk.errors import BeewalkError, PolicyError, Problem, path_text
from beewalk.policy.policy import Policy
from beewalk.policy.tool import ERROR, OK
from beewalk.scenarios.building import build_policy, ordered
from beewalk.scenarios.chat_model_maker import Maker, maker_of
from beewalk.scenarios.checking import shape_problems
from beewalk.scenarios.pruning import Pruned, pruned
from beewalk.scenarios.reading import Document, read_documents
from beewalk.scenarios.scenario import ArgumentsWanted, CallsWanted, Expectation, RequestWanted, Scenario
from beewalk.scenarios.scenario_checking import SCENARIO, Checker, moves_of
from beewalk.scenarios.scenario_schema import CallsPart, ExpectPart, OutcomePart, RequestPart, ScenarioPart

# Opens what a scenario names as its policy; Python code is looked for in the folders, files in the first of them.
PolicySource = Callable[[str, Sequence[Path]], Policy]


def read_scenarios(path: Path, name: str, open_policy: PolicySource) -> list[Scenario]:
    """The scenarios in the file at `path`, called `name` in messages.

    Raises:
        PolicyError: every problem of the file, each with file, line and column; then those of the policy files that it
            names, each once.
    """
    folders = list(dict.fromkeys([path.absolute().parent, Path.cwd()]))
    readers = [_Reader(document, folders, open_policy) for document in read_documents(path, name)]
    scenarios = [reader.scenario() for reader in readers]
    here = [problem for reader in readers for problem in reader.problems]
    here += _same_names([reader.document for reader in readers])
    there = dict.fromkeys(problem for reader in readers for problem in reader.elsewhere)
    if here:
        raise PolicyError([*ordered(here), *there])
    return [scenario for scenario in scenarios if scenario is not None]


def _same_names(documents: Sequence[Document]) -> Iterator[Problem]:
    names: set[str] = set()
    for document in documents:
        name = document.data.get("scenario") if isinstance(document.data, dict) else None
        if isinstance(name, str) and name in names:
            what = f"two scenarios of this file are named {name!r}"
            yield Problem(("scenario",), what, "rename one of them", document.at(("scenario",)))
        names.update([name] if isinstance(name, str) else [])


class _Reader:
    """A document on its way to a scenario.

    Attributes:
        document: where the scenario is described.
        problems: what is wrong in the document, each with its position; known when `scenario` was called.
        elsewhere: what is wrong in the policy file that it names; `problems` then says that there is something.
    """

    def __init__(self, document: Document, folders: Sequence[Path], open_policy: PolicySource) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.elsewhere: list[Problem] = []
        self._folders = folders
        self._open_policy = open_policy
        self._is_mapping = isinstance(document.data, dict)

    def scenario(self) -> Scenario | None:
        """The scenario; None where there are problems."""
        shape = shape_problems(self.document, SCENARIO)
        policy = self._policy()
        self._tell(shape)
        unreadable = {problem.at for problem in self.document.plain.problems}
        self.problems = [problem for problem in self.problems if problem.at not in unreadable]
        self.problems += self.document.plain.problems
        right = pruned(self.document.data, [problem.path for problem in shape]) if self._is_mapping else Pruned(None)
        if right.part is None:
            return None
        meaning = Checker(right.part, policy, self.document, right.thinned).problems()
        maker, trouble = self._maker(right.part)
        self._tell(problem for problem in (*meaning, *trouble) if not right.comes_of_it(problem))
        if self.problems or policy is None or maker is None:
            return None
        return _built(self.document, right.part, policy, maker)

    def _policy(self) -> Policy | None:
        written = self.document.data.get("policy") if self._is_mapping else None
        try:
            if isinstance(written, dict):
                return build_policy(self.document.under("policy"), self._folders).policy
            return self._open_policy(written, self._folders) if isinstance(written, str) and written else None
        except PolicyError as error:
            inside = (problem.under("policy") for problem in error.problems)
            self._tell(inside if isinstance(written, dict) else self._seen_from_here(written, error.problems))
        except (BeewalkError, OSError) as error:
            self._tell([Problem(("policy",), str(error), "")])
        return None

    def _seen_from_here(self, reference: Any, problems: Sequence[Problem]) -> Iterator[Problem]:
        """The problems of a policy that is not written out; those that stand in a file are told after all others."""
        self.elsewhere = [problem for problem in problems if problem.at]
        if self.elsewhere:
            yield Problem(("policy",), f"{reference!r} cannot be used", "mend what is told of it below")
        for problem in problems:
            if not problem.at:  # Python code made the policy
                where = f"{path_text(problem.path)}: " if problem.path else ""
                yield Problem(("policy",), f"{reference!r}: {where}{problem.what}", problem.fix)

    def _maker(self, part: ScenarioPart) -> tuple[Maker | None, list[Problem]]:
        try:
            return maker_of(part.chat_model, self._folders), []
        except BeewalkError as error:
            return None, [Problem(("chat_model", "python"), str(error), "")]

    def _tell(self, problems: Iterable[Problem]) -> None:
        self.problems += [replace(one, at=one.at or self.document.at(one.path)) for one in problems]


def _built(document: Document, part: ScenarioPart, policy: Policy, chat_model: Maker) -> Scenario:
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
