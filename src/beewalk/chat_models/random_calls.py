"""RandomChatModel: picks among what is offered, with a seed."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from beewalk.chat_models.chat_model import Prompt
from beewalk.policy.call import Call
from beewalk.policy.tool import Tool
from beewalk.turn.conduct import CONDUCTS, conducts
from beewalk.turn.reply import Reply


class RandomChatModel:
    """Calls one of the offered tools at random; the same seed and offers give the same calls.

    Args:
        seed: of the dice.
        conduct: what it may do besides, one time in four: some of repeat, text, silent, unoffered, parallel.
    """

    def __init__(self, *, seed: int, conduct: Collection[str] = ()) -> None:
        self.seed = seed
        self.conduct = tuple(word for word in CONDUCTS if word in conducts(conduct))
        self._dice = Random(seed)
        self._made: list[Call] = []
        self._count = 0

    def reply(self, prompt: Prompt) -> Reply:
        """A reply to `prompt`; it is obedient unless conduct was asked for."""
        word = self._dice.choice(self.conduct) if self.conduct and self._dice.random() < 1 / 4 else ""
        reply = self._misbehaved(word, prompt) or Reply((self._call(self._pick(_callable(prompt))),))
        self._made += reply.calls
        return reply

    def _misbehaved(self, word: str, prompt: Prompt) -> Reply | None:
        """A reply of conduct `word`; None where there is nothing to be done that way."""
        if word in {"text", "silent"}:
            return Reply((), f"text {self._next()}" if word == "text" else "")
        others = [tool for tool in prompt.all_tools if tool not in _callable(prompt)]
        if word == "unoffered" and others:
            return Reply((self._call(self._pick(others)),))
        again = [call for call in self._made if any(call.tool == tool.name for tool in _callable(prompt))]
        if word == "repeat" and again:
            return Reply((self._dice.choice(again),))
        if word == "parallel":
            return Reply(tuple(self._call(self._pick(_callable(prompt))) for _ in range(2)))
        return None

    def _pick(self, tools: Sequence[Tool]) -> Tool:
        return self._dice.choice(tools)

    def _call(self, tool: Tool) -> Call:
        return Call.of(tool.name, sample(tool.input_schema, self._next()))

    def _next(self) -> int:
        self._count += 1
        return self._count


def _callable(prompt: Prompt) -> list[Tool]:
    """What an obedient chat model may call."""
    choice = prompt.request.tool_choice
    return [tool for tool in prompt.tools if choice in {"auto", "required", tool.name}]


def sample(schema: Mapping[str, Any], number: int) -> Any:
    """A value of the JSON schema that has `number` in it wherever that fits, so that no two are equal.

    Limits: patterns, formats, lengths and bounds are not looked at.
    """
    if "const" in schema:
        return schema["const"]
    for choice in ("enum", "anyOf", "oneOf"):
        if schema.get(choice):
            options = schema[choice]
            return options[number % len(options)] if choice == "enum" else sample(options[0], number)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if kind == "object":
        return _mapping(schema, number)
    samples: Mapping[str, Any] = {
        "string": f"text {number}",
        "integer": number,
        "number": number,
        "boolean": bool(number % 2),
        "array": [sample(schema["items"], number)] if isinstance(schema.get("items"), Mapping) else [],
    }
    return samples.get(kind if isinstance(kind, str) else kind[0])


def _mapping(schema: Mapping[str, Any], number: int) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema.get("properties", {})
    made = {name: sample(part, number) for name, part in properties.items()}
    if not properties and schema.get("additionalProperties", True):
        made["n"] = number
    return made
