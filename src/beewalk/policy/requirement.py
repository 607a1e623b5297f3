"""Requirement: the base of all requirements, and the two decorators that make one of plain functions."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Concatenate, Generic

from typing_extensions import TypeVar

from beewalk.errors import NotInThisVersion, Problem, RequirementError, possible
from beewalk.policy.machine import Machine, fold
from beewalk.policy.rule import Rule
from beewalk.policy.state import RequirementAgentRunState, Run
from beewalk.policy.target import Target, Targets, matches, target_text, targets_of
from beewalk.policy.tool import Tool

S = TypeVar("S", default=RequirementAgentRunState)
T = TypeVar("T")
R = TypeVar("R", bound="Requirement[Any]")

DEFAULT_PRIORITY = 10

_WAITS = "a requirement waits for a timer or the network, for which it needs an event loop: beewalk.explore has one"

# Runs to its end, in an event loop somewhere, the coroutine that a function makes.
Evaluate = Callable[[Callable[[], Awaitable[Any]]], Any]


@dataclass(frozen=True, slots=True)
class RunContext:
    """What requirement code that takes a second argument gets: the requirement itself and the run it works for."""

    instance: "Requirement[Any]"
    run: Run

    @property
    def run_id(self) -> str:
        """A text that is the same for all turns of one run."""
        return f"run-{self.run.number}"


class Requirement(Generic[S]):
    """Makes rules for each request. Subclass it and write `run`.

    `name` is needed; `priority` (default 10) decides between forced tools and between reasons; a requirement with
    `enabled` false makes no rules. A subclass may say with `remembers(state)` what of the history its rules depend
    on: a hashable value; where it does not, beewalk finds out (docs/ideas/memory.md).
    """

    name: str = ""
    enabled: bool = True
    _priority: int = DEFAULT_PRIORITY

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    @property
    def priority(self) -> int:
        """A whole number from 1; greater wins."""
        return self._priority

    @priority.setter
    def priority(self, value: int) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError(f"priority is {value!r}: use a whole number from 1")
        self._priority = value

    async def init(self, *, tools: list[Tool], ctx: RunContext) -> None:
        """Called once when a policy binds the requirement; raise here if something it needs is missing."""

    def run(self, state: S) -> Any:
        """Rules for the next request, as a list; may be a coroutine."""
        raise NotImplementedError(f"{type(self).__name__} has no run(state)")


def rules_from(requirement: Requirement[Any], state: RequirementAgentRunState) -> tuple[Rule, ...]:
    """Run the requirement's own code once, here and now, and check what it returns.

    Raises:
        RequirementError: the code raised, or returned something other than rules.
        NotInThisVersion: the code waits for something outside (a timer, the network).
    """
    with _wrapped(requirement):
        said = finished(_called(requirement, state))
    return _checked(requirement, said)


async def rules_awaited(requirement: Requirement[Any], state: RequirementAgentRunState) -> tuple[Rule, ...]:
    """The same inside an event loop, where the code may wait.

    Raises:
        RequirementError: the code raised, or returned something other than rules.
    """
    with _wrapped(requirement):
        said = _called(requirement, state)
        if inspect.isawaitable(said):
            said = await said
    return _checked(requirement, said)


def _called(requirement: Requirement[Any], state: RequirementAgentRunState) -> Any:
    run = requirement.run
    arguments = (state, RunContext(requirement, state.run)) if _takes_context(run) else (state,)
    return run(*arguments)


@contextmanager
def _wrapped(requirement: Requirement[Any]) -> Iterator[None]:
    """Around a requirement's own code: whatever it raises becomes a RequirementError."""
    try:
        yield
    except (RequirementError, NotInThisVersion):
        raise
    except Exception as error:
        if isinstance(error, RuntimeError) and "no running event loop" in str(error):
            raise NotInThisVersion(_WAITS) from error
        what = f"{requirement.name or type(requirement).__name__!r} raised {type(error).__name__}: {error}"
        raise RequirementError(what, requirement=requirement.name) from error


def _checked(requirement: Requirement[Any], said: Any) -> tuple[Rule, ...]:
    if not isinstance(said, Sequence) or not all(isinstance(rule, Rule) for rule in said):
        what = f"{requirement.name!r} returned {said!r}: return a list of Rule (an empty one says nothing)"
        raise RequirementError(what, requirement=requirement.name)
    return tuple(said)


def finished(result: Any) -> Any:
    """The value of a result that may be a coroutine, run to its end here and now.

    Raises:
        NotInThisVersion: the coroutine waits for something that only an event loop brings.
    """
    if not inspect.isawaitable(result):
        return result
    waiting: Iterator[Any] = result.__await__()
    try:
        next(waiting)
    except StopIteration as end:
        return end.value
    if isinstance(result, Coroutine):
        result.close()
    raise NotInThisVersion(_WAITS)


def _takes_context(run: Callable[..., Any]) -> bool:
    function = getattr(run, "__func__", run)
    return _positional(function) - (function is not run) > 1


@functools.lru_cache(maxsize=1_000)
def _positional(function: Callable[..., Any]) -> int:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(parameter.kind in positional for parameter in inspect.signature(function).parameters.values())


def run_with_context(method: Callable[Concatenate[R, S, RunContext, ...], T]) -> Callable[[R, S], T]:
    """Let a `run(self, state, context)` be called as `run(state)`."""

    @functools.wraps(method)
    def run(self: R, state: S) -> T:
        started = state.run if isinstance(state, RequirementAgentRunState) else Run()
        return method(self, state, RunContext(self, started))

    del run.__wrapped__  # its signature would promise the third argument
    run.__dict__["code_of"] = method
    return run


class FunctionRequirement(Requirement[Any]):
    """A requirement made of a function by `@requirement`."""

    def __init__(self, function: Callable[..., Any], name: str, targets: tuple[Target, ...]) -> None:
        super().__init__()
        self.name = name
        self.function = function
        self.targets = targets

    def run(self, state: RequirementAgentRunState) -> Any:
        """Whatever the function returns for `state`."""
        if _takes_context(self.function):
            return self.function(state, RunContext(self, state.run))
        return self.function(state)


def requirement(
    *, name: str | None = None, targets: Targets | None = None
) -> Callable[[Callable[..., Any]], FunctionRequirement]:
    """Make a requirement of a function of `(state)` or `(state, context)` that returns a list of rules.

    `targets` are the tools it is about; each must exist when a policy binds it.
    """

    def make(function: Callable[..., Any]) -> FunctionRequirement:
        return FunctionRequirement(function, name or function.__name__, targets_of(targets))

    return make


class MachineRequirement(Requirement[RequirementAgentRunState]):
    """Base of the built-in requirements: their rules come from a machine, and `run` folds it over the history."""

    def machine(self, tools: Sequence[Tool]) -> Machine[Any]:
        """The machine for a policy of these tools, the final answer last; `problems` must be empty for them."""
        raise NotImplementedError

    def problems(self, tools: Sequence[Tool]) -> Iterator[Problem]:
        """What keeps this requirement from being bound to `tools`."""
        raise NotImplementedError

    def run(self, state: RequirementAgentRunState) -> list[Rule]:
        """Rules for the next request of the run that `state` describes."""
        machine = self.machine(state.tools)
        return list(machine.rules(fold(machine, state.run, state.turns)))


def missing_targets(parameter: str, targets: Sequence[Target], tools: Sequence[Tool]) -> Iterator[Problem]:
    """A problem for each of `targets` that no tool matches."""
    names = [tool.name for tool in tools]
    for index, target in enumerate(targets):
        if not any(matches(target, tool) for tool in tools):
            text = target_text(target)
            path = (parameter,) if len(targets) == 1 else (parameter, index)
            yield Problem(path, f"{parameter} names {text!r}, which is no tool of this policy", possible(text, names))
