"""The JSON report of an exploration as JSON schema, draft-07."""

from typing import Any

from beewalk.reports.document import FORMAT_VERSION

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_FLAG = {"type": "boolean"}
_COUNT = {"type": "integer", "minimum": 0}


def report_schema() -> dict[str, Any]:
    """JSON schema of what `beewalk explore --format json` prints; later versions may add keys."""
    properties = {
        "format_version": {"const": FORMAT_VERSION},
        "policy": _TEXT,
        "engine": _TEXT,
        "outcomes": _TEXTS | {"description": "Every outcome that was explored."},
        "conduct": _TEXTS,
        "assumed": _TEXTS | {"description": "What the answer rests on besides the policy; what was not judged."},
        "states": _COUNT,
        "moves": _COUNT,
        "complete": _FLAG | {"description": "Whether everything was seen and judged."},
        "stop_reason": {"enum": ["exhausted", "max_states", "max_depth", "max_seconds", "interrupted"]},
        "depth": _COUNT,
        "beyond_limit": _COUNT | {"description": "Errors that no run within the limits can show."},
        "sequences": _object(max_length=_COUNT, complete_runs=_COUNT, exact=_FLAG),
        "tools": {"type": "object", "additionalProperties": _tool()},
        "findings": {"type": "array", "items": _finding()},
    }
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "beewalk report", **_object(**properties)}


def _tool() -> dict[str, Any]:
    bound = {"type": ["integer", "null"], "minimum": 0}
    return _object(
        allowed=_FLAG,
        forced=_FLAG,
        first_step=bound | {"description": "The number of the earliest call; null: never called."},
        max_calls=bound | {"description": "The most calls in one run; null: only the limits bound them."},
    )


def _finding() -> dict[str, Any]:
    because = _object(
        effect={"enum": ["forbids", "hides", "forces", "prevents_stop"]},
        requirement=_TEXT,
        parameter={"type": ["string", "null"]},
        reason={"type": ["string", "null"]},
    )
    ruling = _object(allowed=_FLAG, because={"type": "array", "items": because})
    schema = _object(
        code=_TEXT,
        severity={"enum": ["error", "warning", "note"]},
        message=_TEXT,
        count=_COUNT,
        point_of_no_return=_COUNT,
        witness=_TEXTS | {"description": "A shortest way to it: TOOL, TOOL:OUTCOME or repeat TOOL."},
        needs=_TEXTS | {"description": "The outcomes without which it cannot happen."},
        accepted=_FLAG,
        mend=_TEXT,
        rulings={"type": "object", "additionalProperties": ruling},
        blame=_TEXTS,
    )
    schema["properties"] |= {
        "tools": _TEXTS,
        "runs": {"type": "array", "items": _TEXTS, "description": "The moves of each run, where it takes several."},
        "accepted_because": _TEXT,
        "known": _FLAG | {"description": "Whether the baseline has it."},
    }
    return schema


def _object(**properties: Any) -> dict[str, Any]:
    """An object that has all these keys."""
    return {"type": "object", "properties": properties, "required": list(properties)}
