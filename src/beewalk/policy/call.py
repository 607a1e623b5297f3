"""Call: a tool call as a chat model makes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """A call of `tool`; `text` holds the arguments, as the JSON text that the chat model wrote.

    Two calls are the same to the loop when both are equal, so that other spaces or another order make another call.
    """

    tool: str
    text: str = "{}"

    @classmethod
    def of(cls, tool: str, arguments: Mapping[str, Any] | None = None) -> "Call":
        """The call with these arguments.

        Raises:
            TypeError: the arguments cannot be written as JSON.
        """
        return cls(tool, json.dumps(dict(arguments or {}), ensure_ascii=False))

    @property
    def arguments(self) -> Any:
        """The arguments as a value: a mapping, unless the chat model wrote something odd."""
        return json.loads(self.text)

    def __str__(self) -> str:
        return f"{self.tool} {self.text}"
