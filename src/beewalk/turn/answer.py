"""The answer: how a text reply becomes a call of the final answer."""

import json
from typing import Any

from beewalk.policy.call import Call
from beewalk.policy.tool import FINAL_ANSWER
from beewalk.turn.broken_json import read_json


def answer_call(text: str, *, structured: bool) -> Call | None:
    """The call of the final answer that `text` stands for; None where it stands for none.

    The first `{...}` in the text is taken as the arguments, repaired where it is broken. Without one, or with an empty
    one, the whole text is the response; a structured answer has none then.

    Source: beeai-framework 0.1.85, RequirementAgentRunner._create_final_answer_tool_call.
    """
    found = _first_braces(text)
    arguments: Any = read_json(found) if found else None
    if not arguments:
        if structured:
            return None
        arguments = {"response": text}
    return Call(FINAL_ANSWER, json.dumps(arguments, ensure_ascii=False))


def _first_braces(text: str) -> str | None:
    """From the first opening brace to the closing one that balances it, whatever stands in quotes."""
    depth, start = 0, 0
    for index, character in enumerate(text):
        if character == "{":
            if depth == 0:
                start = index
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if depth == 0:
                return text[start : index + 1]
    return None
