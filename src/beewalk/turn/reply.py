"""Reply: what a chat model answers when it is asked."""

from dataclasses import dataclass
from typing import Literal

from beewalk.policy.call import Call

Kind = Literal["calls", "text", "silence", "nothing"]


@dataclass(frozen=True, slots=True)
class Reply:
    """Calls, text, or both. Without calls, an empty text is silence, and no text (None) is nothing at all."""

    calls: tuple[Call, ...] = ()
    text: str | None = None

    @property
    def kind(self) -> Kind:
        """What the loop takes it for; text beside calls does not count."""
        if self.calls:
            return "calls"
        return "nothing" if self.text is None else "text" if self.text else "silence"

    def __str__(self) -> str:
        if self.calls:
            return " & ".join(map(str, self.calls))
        return repr(self.text) if self.text else {"silence": "silence", "nothing": "nothing"}[self.kind]
