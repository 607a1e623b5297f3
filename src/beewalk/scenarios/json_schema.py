"""The schemas of policy and scenario files as JSON schema, draft-07, which editors read."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from beewalk.scenarios.scenario_schema import ScenarioPart
from beewalk.scenarios.schema import PolicyPart

DRAFT = "http://json-schema.org/draft-07/schema#"


def policy_schema() -> dict[str, Any]:
    """JSON schema of a policy file."""
    return _schema(PolicyPart, "beewalk policy")


def scenario_schema() -> dict[str, Any]:
    """JSON schema of one document of a scenario file; a policy written out in it is described too."""
    schema = _schema(ScenarioPart, "beewalk scenario")
    policy = policy_schema()
    schema["definitions"] |= policy.pop("definitions")
    schema["definitions"]["Policy"] = {key: value for key, value in policy.items() if key != "$schema"}
    written_out = {"$ref": "#/definitions/Policy"}
    schema["properties"]["policy"]["anyOf"] = [
        written_out if one.get("type") == "object" else one for one in schema["properties"]["policy"]["anyOf"]
    ]
    return schema


def _schema(part: type[BaseModel], title: str) -> dict[str, Any]:
    schema = part.model_json_schema(
        by_alias=True, ref_template="#/definitions/{model}", schema_generator=GenerateJsonSchema
    )
    definitions = schema.pop("$defs")
    return {"$schema": DRAFT, "title": title, **_draft_07(schema), "definitions": _draft_07(definitions)}


def _draft_07(value: Any) -> Any:
    """The same without the titles that pydantic makes of field names, which say nothing."""
    if isinstance(value, dict):
        return {key: _draft_07(item) for key, item in value.items() if not (key == "title" and isinstance(item, str))}
    return [_draft_07(item) for item in value] if isinstance(value, list) else value
