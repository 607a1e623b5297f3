"""The schema of policy files as JSON schema, draft-07, which editors read."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from beewalk.scenarios.schema import PolicyPart

DRAFT = "http://json-schema.org/draft-07/schema#"


def policy_schema() -> dict[str, Any]:
    """JSON schema of a policy file."""
    schema = PolicyPart.model_json_schema(
        by_alias=True, ref_template="#/definitions/{model}", schema_generator=GenerateJsonSchema
    )
    definitions = schema.pop("$defs")
    return {"$schema": DRAFT, "title": "beewalk policy", **_draft_07(schema), "definitions": _draft_07(definitions)}


def _draft_07(value: Any) -> Any:
    """The same without the titles that pydantic makes of field names, which say nothing."""
    if isinstance(value, dict):
        return {key: _draft_07(item) for key, item in value.items() if not (key == "title" and isinstance(item, str))}
    return [_draft_07(item) for item in value] if isinstance(value, list) else value
