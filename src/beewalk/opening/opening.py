"""Opening: from whatever a user calls a policy to the policy, and from there to its exploration."""

from pathlib import Path
from typing import Any

from beewalk.errors import NotInThisVersion, PolicyError, Problem
from beewalk.policy.policy import Policy
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.scenarios.building import PolicyFile, read_policy
from beewalk.scenarios.python_code import CodeError, load_object


def load_policy(source: str | Path | Policy) -> Policy:
    """The policy that `source` names.

    Args:
        source: a policy file, `module:attribute` or `path/file.py:attribute` of Python code (a Policy, or a callable
            that returns one), or a Policy, which is returned as it is.

    Raises:
        PolicyError: the file or the policy in it has problems; all of them.
        CodeError: the Python code cannot be had.
        NotInThisVersion: the source is of a kind that this version cannot open.
    """
    if isinstance(source, Policy):
        return source
    if _is_code(str(source)):
        return _policy_from_code(str(source))
    return _policy_from_file(Path(source)).policy


def explore(source: str | Path | Policy, **options: Any) -> Exploration:
    """Enumerate every tool sequence that a policy lets an agent make; see `explore_policy` for the options.

    Raises:
        NotInThisVersion: the policy file has properties or accepted findings, which exploring would have to heed.
        PolicyError: the policy has problems; all of them.
    """
    return explore_policy(explorable(source), **options)


def explorable(source: str | Path | Policy) -> Policy:
    """The policy that `source` names, if exploring it can heed all that its file says.

    Raises:
        NotInThisVersion: the policy file has properties or accepted findings.
    """
    if isinstance(source, Policy) or _is_code(str(source)):
        return load_policy(source)
    opened = _policy_from_file(Path(source))
    if opened.later:
        keys = " and ".join(f"`{key}`" for key in opened.later)
        raise NotInThisVersion(
            f"{source}: exploring a policy with {keys} is not in this version: take them out for now"
        )
    return opened.policy


def _is_code(source: str) -> bool:
    return ":" in source and not Path(source).exists() and not source.endswith((".yaml", ".yml"))


def _policy_from_file(path: Path) -> PolicyFile:
    if path.suffix == ".py":
        problem = Problem((), "this is Python code", f"name the policy in it: {path}:ATTRIBUTE", f"{path}:1:1")
        raise PolicyError([problem])
    return read_policy(path, str(path))


def _policy_from_code(source: str) -> Policy:
    found = load_object(source, [Path.cwd()])
    if callable(found) and not isinstance(found, Policy):
        try:
            found = found()
        except PolicyError:
            raise
        except Exception as error:
            raise CodeError(f"{source!r} raised {type(error).__name__}: {error}") from error
    if isinstance(found, Policy):
        return found
    if type(found).__module__.split(".")[0] == "beeai_framework":
        raise NotInThisVersion(
            f"{source!r} is a {type(found).__name__} of beeai-framework, which is not in this version"
        )
    raise CodeError(f"{source!r} is a {type(found).__name__}: it must be a Policy or a callable that returns one")
