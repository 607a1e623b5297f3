"""Tools at work: their own code, or outcomes from a script."""

import asyncio
import contextvars
import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from beewalk.agent.arguments import AnswerReader, check_arguments
from beewalk.errors import AgentError, BeewalkError
from beewalk.policy.call import Call
from beewalk.policy.step import ToolError, ToolOutput
from beewalk.policy.tool import ERROR, OK, FinalAnswerTool, Tool
from beewalk.turn.events import Result

REAL, CRASH = "real", "crash"


class ToolTimeoutError(BeewalkError):
    """A tool took longer than it may."""

    slug = "tool-timeout"


@dataclass(frozen=True, slots=True)
class Scripted:
    """What a call that runs comes to: `outcome`, with `said` where that is not the tool's own text for it.

    "real" runs the tool's own code; "crash" ends the run, as an agent inside a tool may.
    """

    outcome: str = OK
    said: Any = None


@dataclass
class Toolbox:
    """Runs calls.

    Attributes:
        read_answer: makes the answer of the final answer's arguments.
        script: tool -> what its calls come to, in order; the last repeats. None runs the tools' own code.
        timeout: seconds that a call may take; None for no bound.
    """

    read_answer: AnswerReader
    script: Mapping[str, Sequence[Scripted]] | None = None
    timeout: float | None = None
    _made: dict[str, int] = field(default_factory=dict)

    async def run(self, tool: Tool, call: Call) -> Result:
        """What `call` comes to.

        Raises:
            AgentError: the tool crashed, which ends the run.
            ToolTimeoutError: it took too long.
        """
        if self.timeout is None:
            return await self._run(tool, call.arguments)
        try:
            return await asyncio.wait_for(self._run(tool, call.arguments), self.timeout)
        except TimeoutError as error:
            what = f"the tool {tool.name!r} took more than {self.timeout:g} s for {call}"
            raise ToolTimeoutError(f"{what}: make it quicker, or give it more with --timeout") from error

    async def _run(self, tool: Tool, arguments: Mapping[str, Any]) -> Result:
        try:
            if isinstance(tool, FinalAnswerTool):
                text, value = self.read_answer(arguments)
                return Result(OK, ToolOutput("The answer was given."), answer=text, value=value)
            scripted = self._next(tool)
            if scripted.outcome != REAL or tool.function is None:
                check_arguments(tool.name, tool.input_schema, arguments)
            self._made[tool.name] = self._made.get(tool.name, 0) + 1
            return await self._come_to(tool, scripted, arguments)
        except ToolError as error:
            return Result(ERROR, error=error)

    def _next(self, tool: Tool) -> Scripted:
        """What the next call of `tool` comes to, if its arguments fit."""
        if self.script is None:
            return Scripted(REAL)
        script = self.script.get(tool.name) or (Scripted(),)
        return script[min(self._made.get(tool.name, 0), len(script) - 1)]

    async def _come_to(self, tool: Tool, scripted: Scripted, arguments: Mapping[str, Any]) -> Result:
        if scripted.outcome == CRASH:
            raise AgentError(str(scripted.said or f"{tool.name} crashed"))
        if scripted.outcome == REAL and tool.function is not None:
            return await _really(tool.function, arguments)
        outcome = OK if scripted.outcome == REAL else scripted.outcome
        said = tool.returns(outcome) if scripted.said is None else scripted.said
        if outcome == ERROR:
            raise ToolError(str(said))
        return Result(outcome, ToolOutput(said))


async def _really(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Result:
    """Run a tool's own code; what it raises is a failed call, unless it is an agent's error."""
    from pydantic import validate_call  # noqa: PLC0415 - takes 0.1 s, and scripts do without

    @functools.wraps(function)
    def given(*args: Any, **keywords: Any) -> tuple[Any, Any]:
        return args, keywords

    # Only the arguments go through pydantic: a thread that is killed within its frames would abort the program.
    bind: Callable[..., Any] = validate_call(given)
    try:
        args, keywords = bind(**_taken(function, arguments))
        if inspect.iscoroutinefunction(function):
            said = await function(*args, **keywords)
        else:
            said = await in_thread(lambda: function(*args, **keywords))
        if inspect.isawaitable(said):
            said = await said
    except BeewalkError:  # a ToolError is a failed call, everything else of ours ends the run
        raise
    except Exception as error:
        raise ToolError(str(error) or type(error).__name__) from error
    return Result(OK, said if isinstance(said, ToolOutput) else ToolOutput(said))


def _taken(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a function takes; others are left out, as the framework does."""
    parameters = inspect.signature(function).parameters
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return dict(arguments)
    return {name: value for name, value in arguments.items() if name in parameters}


async def in_thread(work: Callable[[], Any]) -> Any:
    """What `work` returns, run in a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()

    def tell(value: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((value, error))

    def run() -> None:
        value: Any = None
        raised: BaseException | None = None
        try:
            value = context.run(work)
        except StopIteration as error:  # it must not leave a coroutine
            raised = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            raised = error
        with suppress(RuntimeError):  # the loop is gone: nobody waits
            loop.call_soon_threadsafe(tell, value, raised)

    threading.Thread(target=run, daemon=True).start()
    value, error = await done
    if error is not None:
        raise error
    return value
