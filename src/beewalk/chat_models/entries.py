"""Entries: what a script may say for one ask, and the short words for calls."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from beewalk.chat_models.chat_model import Prompt
from beewalk.errors import BeewalkError
from beewalk.policy.call import Call
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.turn.reply import Reply

# A call, several, a text ("" is silence), None for no content at all, an exception to raise, or a function of the
# prompt that gives one of these.
Entry = Call | Sequence[Call] | str | None | Reply | BaseException | Callable[[Prompt], Any]


class ScriptError(BeewalkError):
    """A script and the run it plays in do not fit; whatever the run does, the script is wrong.

    Args:
        message: what does not fit, in a sentence.
        turn: the turn, 0 where the run is over.
        ask: the ask within its request, 0 where the run is over.
    """

    slug = "script-error"

    def __init__(self, message: str, *, turn: int = 0, ask: int = 0) -> None:
        super().__init__(message)
        self.turn = turn
        self.ask = ask

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (str(self), self.turn, self.ask)


def _rebuild(message: str, turn: int, ask: int) -> ScriptError:
    return ScriptError(message, turn=turn, ask=ask)


class Calls:
    """`call.weather(location="Boston")`, or `call("get weather", location="Boston")` for names that are no words.

    Example:
        >>> Calls().weather(location="Boston")
        Call(tool='weather', text='{"location": "Boston"}')
    """

    def __call__(self, tool: str, /, **arguments: Any) -> Call:
        """The call of `tool`."""
        return Call.of(tool, arguments)

    def __getattr__(self, tool: str) -> Callable[..., Call]:
        if tool.startswith("__"):
            raise AttributeError(tool)

        def make(**arguments: Any) -> Call:
            return Call.of(tool, arguments)

        return make


call = Calls()


def final_answer(response: str | None = None, /, **arguments: Any) -> Call:
    """The call that ends a run: `final_answer("Take an umbrella.")`, or the fields of a structured answer.

    Example:
        >>> final_answer("Take an umbrella.").arguments
        {'response': 'Take an umbrella.'}
    """
    given: Mapping[str, Any] = arguments if response is None else {"response": response, **arguments}
    return Call.of(FINAL_ANSWER, given)


def reply_of(entry: Entry, prompt: Prompt) -> Reply:
    """The reply that `entry` stands for.

    Raises:
        BaseException: the entry is one.
        ScriptError: it is nothing that a script may say.
    """
    if isinstance(entry, BaseException):
        raise entry
    if isinstance(entry, Reply):
        return entry
    if isinstance(entry, Call):
        return Reply((entry,))
    if entry is None or isinstance(entry, str):
        return Reply((), entry)
    if callable(entry):
        return reply_of(entry(prompt), prompt)
    if isinstance(entry, Sequence):
        calls = tuple(one for one in entry if isinstance(one, Call))
        if calls and len(calls) == len(entry):
            return Reply(calls)
    what = f"{prompt.place}: the script says {entry!r}"
    fix = "write call.TOOL(...), a list of calls, a text, None, an exception, or a function"
    raise ScriptError(f"{what}: {fix}", turn=prompt.ask.turn, ask=prompt.ask.ask)
