"""Messages and the memory that holds them, as far as requirement code reads and writes them."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from beewalk.policy.call import Call

TEMP_MESSAGE: Final = "tempMessage"  # meta key of messages that are removed after the turn


class Message:
    """A message of the conversation; `meta` may carry `{"tempMessage": True}`: removed after the turn."""

    role: ClassVar[str] = ""

    def __init__(self, content: str, meta: Mapping[str, Any] | None = None) -> None:
        self.content = content
        self.meta = dict(meta or {})

    @property
    def text(self) -> str:
        """The text of the message."""
        return self.content

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.content!r})"


class SystemMessage(Message):
    """What the agent is told about its role, its tools and what is allowed now."""

    role = "system"


class UserMessage(Message):
    """What the user said."""

    role = "user"


class AssistantMessage(Message):
    """What the language model said, or what a requirement puts into its mouth.

    `calls` are the tool calls in it, each with its id.
    """

    role = "assistant"

    def __init__(
        self, content: str, meta: Mapping[str, Any] | None = None, *, calls: Iterable[tuple[str, Call]] = ()
    ) -> None:
        super().__init__(content, meta)
        self.calls = tuple(calls)


class ToolMessage(Message):
    """What the call with the id `call_id` of the tool named `tool` came to."""

    role = "tool"

    def __init__(
        self, content: str, meta: Mapping[str, Any] | None = None, *, tool: str = "", call_id: str = ""
    ) -> None:
        super().__init__(content, meta)
        self.tool = tool
        self.call_id = call_id


class Memory:
    """The messages of a conversation, oldest first."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self.messages: list[Message] = list(messages)

    def drop_temporary(self) -> None:
        """Remove what was only meant for the turn that is over."""
        self.messages[:] = [one for one in self.messages if not one.meta.get(TEMP_MESSAGE)]

    async def add(self, message: Message, index: int | None = None) -> None:
        """Append `message`, or insert it at `index`."""
        self.messages.insert(len(self.messages) if index is None else index, message)

    async def add_many(self, messages: Iterable[Message]) -> None:
        """Append all `messages`, in order."""
        self.messages.extend(messages)

    async def delete(self, message: Message) -> bool:
        """Remove `message` itself, not an equal one; whether it was there."""
        kept = [one for one in self.messages if one is not message]
        found = len(kept) < len(self.messages)
        self.messages[:] = kept
        return found
