"""The parts of SARIF 2.1.0 that beewalk writes, as a JSON schema of our own; and what GitHub asks for besides.

Source: OASIS, Static Analysis Results Interchange Format 2.1.0. Objects are closed here, so that nothing else is
written unnoticed.
"""

from typing import Any


def _closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "minLength": 1}
_MESSAGE = _closed("text", text=_TEXT)
_NUMBER = {"type": "integer", "minimum": 1}
_PHYSICAL = _closed(
    "artifactLocation region",
    artifactLocation=_closed("uri", uri={"type": "string", "pattern": r"^[A-Za-z0-9/._~%-]+$"}),
    region=_closed("startLine startColumn", startLine=_NUMBER, startColumn=_NUMBER),
)
_LOCATION = _closed("physicalLocation", physicalLocation=_PHYSICAL, message=_MESSAGE)
_LEVEL = {"enum": ["error", "warning", "note"]}
_FLOW = _closed(
    "locations", locations={"type": "array", "minItems": 1, "items": _closed("location", location=_LOCATION)}
)
_RESULT = _closed(
    "ruleId ruleIndex level message locations partialFingerprints",
    ruleId=_TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=_LEVEL,
    message=_MESSAGE,
    locations={"type": "array", "minItems": 1, "maxItems": 1, "items": _LOCATION},
    relatedLocations={"type": "array", "items": _LOCATION, "uniqueItems": True},
    codeFlows={"type": "array", "items": _closed("threadFlows", threadFlows={"type": "array", "items": _FLOW})},
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
    suppressions={"type": "array", "items": _closed("kind", kind={"enum": ["inSource"]}, justification=_TEXT)},
    baselineState={"enum": ["unchanged"]},
)
_RULE = _closed(
    "id shortDescription help defaultConfiguration",
    id=_TEXT,
    shortDescription=_MESSAGE,
    help=_MESSAGE,
    defaultConfiguration=_closed("level", level=_LEVEL),
)
_DRIVER = _closed("name version rules", name=_TEXT, version=_TEXT, rules={"type": "array", "items": _RULE})
_RUN = _closed(
    "tool columnKind results",
    tool=_closed("driver", driver=_DRIVER),
    columnKind={"enum": ["unicodeCodePoints"]},
    results={"type": "array", "items": _RESULT},
)
SCHEMA = _closed(
    "version runs $schema",
    **{"$schema": _TEXT},
    version={"const": "2.1.0"},
    runs={"type": "array", "minItems": 1, "maxItems": 1, "items": _RUN},
)
