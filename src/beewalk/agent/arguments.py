"""Arguments: do they fit a tool's schema, and what answer do those of a final answer give?"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from beewalk.errors import BeewalkError
from beewalk.policy.policy import Answer
from beewalk.policy.step import ToolError
from beewalk.policy.tool import FINAL_ANSWER

# Arguments of the final answer -> the answer as text, and as a value. Raises a ToolError where they do not fit.
AnswerReader = Callable[[Mapping[str, Any]], tuple[str, Any]]


def check_arguments(tool: str, schema: Mapping[str, Any], arguments: Any) -> None:
    """Check `arguments` against a JSON schema.

    Raises:
        ToolError: they do not fit.
        BeewalkError: the schema itself is none.
    """
    if not schema.get("properties") and schema.get("additionalProperties") is True:
        return
    error = _first_error(tool, json.dumps(schema), arguments)
    if error is not None:
        where = ".".join(map(str, error.absolute_path))
        raise ToolError(f"the arguments are not valid: {f'{where}: ' if where else ''}{error.message}")


def _first_error(tool: str, schema: str, arguments: Any) -> Any:
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - as below

    try:
        return next(_validator(tool, schema).iter_errors(arguments), None)
    except (Unresolvable, RecursionError) as error:
        what = "a $ref in it leads to itself" if isinstance(error, RecursionError) else f"it cannot be read: {error}"
        raise BeewalkError(f"the arguments of {tool!r} are described by no JSON schema: {what}") from error


@lru_cache(maxsize=1_000)
def _validator(tool: str, schema: str) -> Any:
    import jsonschema  # noqa: PLC0415 - takes 0.1 s, and only tools with a schema need it
    import referencing  # noqa: PLC0415 - as above

    try:
        jsonschema.Draft202012Validator.check_schema(json.loads(schema))
    except jsonschema.SchemaError as error:
        raise BeewalkError(f"the arguments of {tool!r} are described by no JSON schema: {error.message}") from error
    # A registry of its own: without one, references are fetched from files and from the network.
    return jsonschema.Draft202012Validator(json.loads(schema), registry=referencing.Registry())


def _text(arguments: Mapping[str, Any]) -> tuple[str, Any]:
    response = arguments.get("response")
    if not isinstance(response, str):
        raise ToolError("the arguments are not valid: `response` must be a text")
    return response, dict(arguments)


def reader_of(answer: Answer) -> AnswerReader:
    """How the final answer of a policy is checked and read.

    Of a structured answer the declared properties are kept, and defaults filled in, as the framework's models do.
    """
    if answer == "text":
        return _text
    schema = answer if isinstance(answer, Mapping) else {}
    properties: Mapping[str, Any] = schema.get("properties", {})

    def read(arguments: Mapping[str, Any]) -> tuple[str, Any]:
        check_arguments(FINAL_ANSWER, schema or {"additionalProperties": True}, arguments)
        value = dict(arguments)
        if properties and not schema.get("additionalProperties"):
            defaults = {name: part["default"] for name, part in properties.items() if "default" in part}
            value = {name: {**defaults, **arguments}[name] for name in properties if name in {**defaults, **arguments}}
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")), value

    return read


def model_reader(model: Any) -> AnswerReader:
    """How a final answer described by a pydantic model is read."""

    def read(arguments: Mapping[str, Any]) -> tuple[str, Any]:
        try:
            value = model.model_validate(arguments)
        except ValueError as error:
            raise ToolError(f"the answer is not valid: {error}") from error
        return value.model_dump_json(), value

    return read
