"""Everything beewalk raises on purpose, and the problems that one check can report together."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

PathPart = str | int
Path = tuple[PathPart, ...]


class BeewalkError(Exception):
    """Root of everything this package raises on purpose."""

    slug = "beewalk"  # page name under docs/errors/


class AgentError(BeewalkError):
    """The agent cannot go on: nothing is allowed, a limit was reached, or a chat model or tool failed it.

    `trajectory` is what the run did until then, where one was made.
    """

    slug = "agent-error"

    def __init__(self, message: str, *, trajectory: Any = None) -> None:
        super().__init__(message)
        self.trajectory = trajectory


class RequirementError(BeewalkError):
    """A requirement raised while it made its rules; the run ends with it.

    Args:
        message: what is wrong, in a sentence.
        requirement: name of the requirement, where it is known.
        parameters: the parameters of the requirement that clash, for blame; empty where none is known.
        otherwise: the rules that would stand if one of the parameters were not there.
    """

    slug = "requirement-error"

    def __init__(
        self,
        message: str,
        *,
        requirement: str | None = None,
        parameters: Sequence[str] = (),
        otherwise: Sequence[Any] = (),
    ) -> None:
        super().__init__(message)
        self.requirement = requirement
        self.parameters = tuple(parameters)
        self.otherwise = tuple(otherwise)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), str(self), self.requirement, self.parameters, self.otherwise)


def _rebuild(
    kind: type[RequirementError],
    message: str,
    requirement: str | None,
    parameters: Sequence[str],
    otherwise: Sequence[Any],
) -> RequirementError:
    return kind(message, requirement=requirement, parameters=parameters, otherwise=otherwise)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in what a user wrote, and what to write instead.

    `path` leads to the value, for example `("requirements", 1, "only_after", 0)`; `at` is filled in by whoever knows
    the file (`"plan.policy.yaml:5:17"`).
    """

    path: Path
    what: str
    fix: str
    at: str = ""

    def under(self, *prefix: PathPart) -> "Problem":
        """The same problem, seen from further up."""
        return replace(self, path=(*prefix, *self.path))

    def __str__(self) -> str:
        where = self.at or path_text(self.path)
        sentence = f"{self.what}: {self.fix}" if self.fix else self.what
        return f"{where}: {sentence}" if where else sentence


class PolicyError(BeewalkError, ValueError):
    """A policy that cannot be used; `problems` has everything that is wrong with it, not only the first thing."""

    slug = "invalid-policy"

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type["PolicyError"], tuple[tuple[Problem, ...]]]:
        # pytest-xdist sends errors between processes; the default would rebuild from the message alone.
        return type(self), (self.problems,)


class NotInThisVersion(BeewalkError):
    """Asked for something that is written down, but that this version cannot do yet."""

    slug = "not-in-this-version"


def path_text(path: Path) -> str:
    """The path as users write it.

    Example:
        >>> path_text(("requirements", 1, "only_after", 0))
        'requirements[1].only_after[0]'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def possible(found: str, known: Collection[str]) -> str:
    """What may stand in place of `found`: the nearest known name first, then all of them.

    Example:
        >>> possible("wether", ["think", "weather"])
        "did you mean 'weather'? Possible: think, weather"
    """
    near = get_close_matches(found, list(known), n=1)
    names = ", ".join(known) if known else "nothing"
    return f"did you mean {near[0]!r}? Possible: {names}" if near else f"possible: {names}"


def counted(number: int, what: str) -> str:
    """A number of things.

    Example:
        >>> counted(1, "retry"), counted(3, "retry"), counted(2, "call")
        ('1 retry', '3 retries', '2 calls')
    """
    plural = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {what if number == 1 else plural}"
