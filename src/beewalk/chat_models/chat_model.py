"""ChatModel: who is asked for the next reply, and what it is given."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from beewalk.errors import BeewalkError
from beewalk.policy.messages import Message
from beewalk.policy.tool import Tool
from beewalk.reasoner.prompt import CallOptions
from beewalk.reasoner.request import Request
from beewalk.turn.events import Ask
from beewalk.turn.reply import Reply

LIVE_SWITCH = "BEEWALK_LIVE"


@dataclass(frozen=True)
class Prompt:
    """Everything a chat model gets.

    `messages` starts with the system message; `tools` are those that are offered; `all_tools` has every tool of the
    policy. `conduct` says which words of conduct a reply would be, `()` for an obedient one.
    """

    ask: Ask
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    all_tools: tuple[Tool, ...]
    options: CallOptions
    parallel: bool = False
    conduct: Callable[[Reply], tuple[str, ...]] = field(default=lambda _: (), repr=False)

    @property
    def request(self) -> Request:
        """What is offered."""
        return self.ask.request

    @property
    def place(self) -> str:
        """Where in the run this is, in words."""
        return f"turn {self.ask.turn}, ask {self.ask.ask}"

    @property
    def offer(self) -> str:
        """What is offered, in words."""
        choice = self.request.tool_choice
        must = f"{choice!r} must be called" if choice not in {"auto", "required"} else f"tool_choice {choice}"
        return f"{', '.join(self.request.offered)} ({must})"


class ChatModel(Protocol):
    """Replies to prompts. One that reaches a real service has an attribute `live` that is true.

    Raising a ChatModelError ends the run; any other exception is a failed ask, and the loop asks again.
    """

    def reply(self, prompt: Prompt) -> Reply | Awaitable[Reply]:
        """The reply to `prompt`."""
        ...


class ChatModelError(BeewalkError):
    """A chat model cannot reply, and asking again would not help."""

    slug = "chat-model-error"


class LiveChatModelError(BeewalkError):
    """A test was about to reach a live chat model."""

    slug = "live-chat-model"


def refuse_live(chat_model: object, *, testing: bool = False) -> None:
    """Refuse a live chat model where something is tested, unless the environment asks for it.

    Args:
        chat_model: whoever is about to be asked.
        testing: whether this is a test; while pytest runs one it is in any case.

    Raises:
        LiveChatModelError: `chat_model` is live, this is a test, and BEEWALK_LIVE is not 1.
    """
    in_a_test = testing or "PYTEST_CURRENT_TEST" in os.environ
    if getattr(chat_model, "live", False) and in_a_test and os.environ.get(LIVE_SWITCH) != "1":
        raise LiveChatModelError(
            f"{type(chat_model).__name__} is a live chat model, and this is a test: use a ScriptedChatModel, or set "
            f"{LIVE_SWITCH}=1 to let tests reach it"
        )
