"""Broken JSON, as language models write it, read as what was meant."""

import json
from typing import Any


def read_json(text: str) -> Any:
    """The value of `text`, mended where it is no JSON."""
    try:
        return json.loads(text)
    except ValueError:
        import json_repair  # noqa: PLC0415 - only broken JSON needs it

        return json_repair.loads(text)


def mended_json(text: str) -> str:
    """`text` as JSON, also where it is JSON in a JSON text; as it is where it is nested too deeply to be read.

    Example:
        >>> mended_json("{x: 1}")
        '{"x": 1}'
    """
    try:
        value = read_json(text)
        return json.dumps(read_json(value) if isinstance(value, str) else value, ensure_ascii=False)
    except RecursionError:
        return text


def is_container(text: str) -> bool:
    """Whether `text` is the JSON of a mapping or a list that can be read."""
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False
