"""Tools at work: their own code, or outcomes from a script."""

import asyncio
import contextvars
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
            scripted = Scripted(REAL) if self.script is None else None
            if scripted is None or tool.function is None:
                check_arguments(tool.name, tool.input_schema, arguments)
            return await self._come_to(tool, scripted or self._next(tool), arguments)
        except ToolError as error:
            return Result(ERROR, error=error)

    def _next(self, tool: Tool) -> Scripted:
        script = (self.script or {}).get(tool.name) or (Scripted(),)
        made = self._made[tool.name] = self._made.get(tool.name, 0) + 1
        return script[min(made, len(script)) - 1]

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

    checked: Callable[..., Any] = validate_call(function)
    try:
        if inspect.iscoroutinefunction(function):
            said = await checked(**arguments)
        else:
            said = await in_thread(lambda: checked(**arguments))
    except BeewalkError:  # a ToolError is a failed call, everything else of ours ends the run
        raise
    except Exception as error:
        raise ToolError(str(error) or type(error).__name__) from error
    return Result(OK, said if isinstance(said, ToolOutput) else ToolOutput(said))


async def in_thread(work: Callable[[], Any]) -> Any:
    """What `work` returns, run in a thread that does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def tell(set_it: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            set_it(value)

    def run() -> None:
        try:
            outcome = (done.set_result, context.run(work))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            outcome = (done.set_exception, error)
        with suppress(RuntimeError):  # the loop is gone: nobody waits
            loop.call_soon_threadsafe(tell, *outcome)

    threading.Thread(target=run, daemon=True).start()
    return await done
