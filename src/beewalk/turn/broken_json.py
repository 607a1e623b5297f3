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
    """`text` as JSON.

    Example:
        >>> mended_json("{x: 1}")
        '{"x": 1}'
    """
    return json.dumps(read_json(text), ensure_ascii=False)
