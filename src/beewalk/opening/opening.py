"""Opening: from whatever a user calls a policy to the policy, and from there to its exploration."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from beewalk.agent.agent import RequirementAgent
from beewalk.errors import NotInThisVersion, PolicyError, Problem, possible
from beewalk.errors import Path as ValuePath
from beewalk.explorer.finding import CODES
from beewalk.opening.evaluator import Evaluator
from beewalk.policy.policy import Policy
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.scenarios.building import MoreProblems, PolicyFile, read_policy
from beewalk.scenarios.python_code import load_or_call, place_of_code, wrong_kind
from beewalk.scenarios.reading import Document

_LATER = "not in this version"

EVALUATE = Evaluator()  # its thread starts only where some requirement waits

# From a path in the policy, such as ("requirements", 0, "only_after"), to `file:line:column`.
PlaceOf = Callable[[ValuePath], str]


@dataclass(frozen=True)
class Opened:
    """A policy to explore, and where its parts stand."""

    policy: Policy
    place_of: PlaceOf


class LaterParts(PolicyError, NotInThisVersion):
    """A valid policy file says what this version cannot explore; `problems` has each place."""

    slug = "not-in-this-version"


def load_policy(source: str | Path | Policy | RequirementAgent, *, folders: Sequence[Path] = ()) -> Policy:
    """The policy that `source` names.

    Args:
        source: a policy file, `module:attribute` or `path/file.py:attribute` of Python code (a Policy, a
            RequirementAgent, or a callable that returns one), or a Policy or RequirementAgent itself.
        folders: where files (in the first) and Python code (in all) are looked for; the current folder unless given.

    Raises:
        PolicyError: the file or the policy in it has problems; all of them.
        CodeError: the Python code cannot be had.
        NotInThisVersion: the source is of a kind that this version cannot open.
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, RequirementAgent):
        return source.policy
    if _is_code(str(source)):
        return _policy_from_code(str(source), folders or [Path.cwd()])
    return _policy_from_file(source, folder=next(iter(folders), None)).policy


def explore(source: str | Path | Policy | RequirementAgent, **options: Any) -> Exploration:
    """Enumerate every tool sequence that a policy lets an agent make; see `explore_policy` for the options.

    Raises:
        NotInThisVersion: the policy file has properties, which exploring would have to heed.
        PolicyError: the policy has problems; all of them.
    """
    return explore_policy(explorable(source).policy, evaluate=EVALUATE, **options)


def explorable(source: str | Path | Policy | RequirementAgent) -> Opened:
    """The policy that `source` names, if exploring it can heed all that its file says.

    Raises:
        LaterParts: a NotInThisVersion: the policy file has properties.
        PolicyError: the policy has problems; all of them, what is not in this version among them.
    """
    if isinstance(source, Policy | RequirementAgent):
        return Opened(load_policy(source), lambda _: "policy:1:1")
    if _is_code(str(source)):
        place = place_of_code(str(source), [Path.cwd()])
        return Opened(load_policy(source), lambda _: place)
    try:
        file = _policy_from_file(source, more=_only_for_exploring)
    except PolicyError as error:
        if all(_LATER in problem.what for problem in error.problems):
            raise LaterParts(error.problems) from error
        raise
    return Opened(file.policy, partial(file.document.at, key=True))


def _only_for_exploring(document: Document) -> Iterator[Problem]:
    """What a policy file may say, but exploring cannot heed: because it is wrong, or not yet."""
    if document.data.get("properties"):
        what = f"exploring a policy with `properties` is {_LATER}"
        yield Problem(("properties",), what, "take it out for now", document.at(("properties",), key=True))
    accept = document.data.get("accept")
    for index, one in enumerate(accept if isinstance(accept, list) else ()):
        code = one.get("code") if isinstance(one, dict) else None
        if isinstance(code, str) and code not in CODES:
            path = ("accept", index, "code")
            yield Problem(path, f"there is no finding {code!r}", possible(code, list(CODES)), document.at(path))


def _is_code(source: str) -> bool:
    if ":" not in source or source.endswith((".yaml", ".yml")):
        return False
    try:
        return not Path(source).exists()
    except (OSError, ValueError):  # too long for a path, or with a NUL in it
        return False


def _policy_from_file(
    source: str | Path, *, folder: Path | None = None, more: MoreProblems | None = None
) -> PolicyFile:
    path = Path(source) if folder is None else folder / source
    if path.suffix == ".py":
        problem = Problem((), "this is Python code", f"name the policy in it: {source}:ATTRIBUTE", f"{source}:1:1")
        raise PolicyError([problem])
    return read_policy(path, str(source) if folder is None else _seen_from_here(path), more=more)


def _seen_from_here(path: Path) -> str:
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _policy_from_code(source: str, folders: Sequence[Path]) -> Policy:
    found = load_or_call(source, folders, Policy)
    if isinstance(found, Policy | RequirementAgent):
        return load_policy(found)
    if type(found).__module__.split(".")[0] == "beeai_framework":
        raise NotInThisVersion(
            f"{source!r} is a {type(found).__name__} of beeai-framework, which is {_LATER}: write its policy file"
        )
    raise wrong_kind(source, found, Policy)
