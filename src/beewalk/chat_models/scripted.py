"""ScriptedChatModel: says what a script says, and complains where that goes against the request."""

from collections.abc import Awaitable, Callable, Collection, Iterable

from beewalk.chat_models.chat_model import Prompt
from beewalk.chat_models.entries import Entry, ScriptError, reply_of
from beewalk.errors import counted, possible
from beewalk.turn.conduct import conducts
from beewalk.turn.reply import Reply


class ScriptedChatModel:
    """Plays a script, one entry an ask.

    Args:
        script: the entries: a call, a list of calls, a text, "" for silence, None for no content at all, an exception
            to raise, or a function of the prompt that gives one of these.
        conduct: what the script means to do against its requests: some of repeat, text, silent, unoffered, parallel.

    Attributes:
        prompts: every prompt it got, for assertions.
    """

    def __init__(self, script: Iterable[Entry], *, conduct: Collection[str] = ()) -> None:
        self.script = tuple(script)
        self.conduct = conducts(conduct)
        self.prompts: list[Prompt] = []

    def reply(self, prompt: Prompt) -> Reply:
        """The next entry.

        Raises:
            ScriptError: the script has ended, or its entry goes against the request without saying so.
        """
        self.prompts.append(prompt)
        number = len(self.prompts)
        where = {"turn": prompt.ask.turn, "ask": prompt.ask.ask}
        if number > len(self.script):
            entries = counted(len(self.script), "entry")
            raise ScriptError(f"{prompt.place}: the script has ended after {entries}; offered: {prompt.offer}", **where)
        reply = reply_of(self.script[number - 1], prompt)
        undeclared = [word for word in prompt.conduct(reply) if word not in self.conduct]
        if undeclared:
            what = f"{prompt.place}: entry {number} of the script, {reply}, {_against(undeclared[0], reply, prompt)}"
            raise ScriptError(f"{what}; if it is meant, declare conduct: [{', '.join(undeclared)}]", **where)
        return reply

    def check_used_up(self) -> None:
        """Complain of entries that were not played.

        Raises:
            ScriptError: there are some.
        """
        left = len(self.script) - len(self.prompts)
        if left > 0:
            entry, number = self.script[len(self.prompts)], len(self.prompts) + 1
            not_played = f"{counted(left, 'entry')} of its script {'was' if left == 1 else 'were'} not played"
            raise ScriptError(f"the run is over, and {not_played}, from entry {number} on: {entry or repr(entry)}")


def _against(word: str, reply: Reply, prompt: Prompt) -> str:
    """What `reply` does against its request, in words."""
    if word == "unoffered":
        choice = prompt.request.tool_choice
        tools = [one.tool for one in reply.calls]
        tool = next(
            one for one in tools if one not in prompt.request.allowed or choice not in {"auto", "required", one}
        )
        known = [one.name for one in prompt.all_tools]
        if tool not in known:
            return f"calls {tool!r}, which is no tool of the policy: {possible(tool, known)}"
        return (
            f"calls {tool!r}, which is not offered; offered: {prompt.offer}; {prompt.request.rulings[tool].sentence()}"
        )
    return {
        "repeat": "repeats a call, which the loop does not run: give it other arguments",
        "text": f"is text where a call is required; offered: {prompt.offer}",
        "silent": f"says nothing; offered: {prompt.offer}",
        "parallel": f"makes {len(reply.calls)} calls at once, which the policy's loop does not allow",
    }[word]


class FunctionChatModel:
    """Replies with what a function of the prompt gives: an entry as in a script, or an awaitable of one.

    Attributes:
        prompts: every prompt it got, for assertions.
    """

    def __init__(self, function: Callable[[Prompt], Entry | Awaitable[Entry]]) -> None:
        self.function = function
        self.prompts: list[Prompt] = []

    async def reply(self, prompt: Prompt) -> Reply:
        """What the function gives for `prompt`."""
        self.prompts.append(prompt)
        entry = self.function(prompt)
        return reply_of(await entry if isinstance(entry, Awaitable) else entry, prompt)
