"""What a scenario file may say: its keys and their types."""

from typing import Annotated, Any, Literal

from pydantic import Field

from beewalk.scenarios.schema import FromOne, Name, NonNegative, Part

# All runs of a scenario are kept until they are judged.
MOST_RUNS = 1_000

Conduct = Literal["repeat", "text", "silent", "unoffered", "parallel"]
Ends = Literal[
    "final_answer",
    "dead_end",
    "requirement_error",
    "iteration_limit",
    "retry_limit",
    "chat_model_error",
    "tool_crash",
    "binding_error",
    "framework_error",
]
Calls = dict[Name, dict[str, Any] | None]
Entry = str | None | Calls | list[Calls]
Permission = Literal["allow", "deny"]


class RandomPart(Part):
    """A chat model that picks among what is offered."""

    seed: int = Field(description="The same seed and offers give the same calls.")
    conduct: Conduct | list[Conduct] = Field([], description="What it may do besides, one time in four.")


class ChatModelPart(Part):
    """Who plays the chat model: exactly one of script, random, python, cassette."""

    script: list[Entry] | None = Field(
        None,
        description='One entry an ask: {TOOL: {arguments}}, a list of these for several calls, a text, "" for silence, '
        "null for no content at all.",
    )
    conduct: Conduct | list[Conduct] = Field([], description="What the script means to do against its requests.")
    random: RandomPart | None = None
    python: Name | None = Field(None, description="module:attribute, a chat model or a callable that returns one.")
    cassette: Name | None = Field(None, description="Recorded exchanges; not in this version.")


class OutcomePart(Part):
    """What a call comes to, where that is no outcome by name: exactly one of returns, raises."""

    returns: Any = Field(None, description="What the call returns; its outcome is ok.")
    raises: str | None = Field(None, description="The text that the call fails with.")


class AnswerPart(Part):
    """What the final answer must be."""

    equals: Any = Field(None, description="The text, or the value of a structured answer.")
    contains: str | None = None
    matches: str | None = Field(None, description="A regular expression that is found in the text.")


class CallsPart(Part):
    """How often a tool must be called, failed and refused calls included."""

    at_least: NonNegative | None = None
    at_most: NonNegative | None = None
    arguments: list[dict[str, Any]] = Field(
        [], description="Of the first calls, in order: equal to this, or {subset: {...}}."
    )


class RequestPart(Part):
    """What one request must offer; exactly one of turn, request says which."""

    turn: FromOne | None = Field(None, description="The first request of this turn.")
    request: FromOne | None = Field(None, description="The request with this number in the run.")
    allowed: list[Name] | None = Field(None, description="Exactly these tools are allowed.")
    hidden: list[Name] | None = Field(None, description="Exactly these tools are hidden.")
    tool_choice: Name | None = Field(None, description="auto, required, or the tool that must be called.")
    can_stop: bool | None = None
    reason: dict[Name, str] = Field({}, description="Tool -> what the chat model is told about it.")


class ExpectPart(Part):
    """What must be true of a run."""

    trajectory: str | None = Field(None, description="The calls in order, as in `think weather & search:error`.")
    ends: Ends | None = Field(None, description="How the run ends.")
    answer: AnswerPart | None = None
    calls: dict[Name, CallsPart] = Field({}, description="Tool -> how it must be called.")
    requests: list[RequestPart] = Field([], description="What was offered.")


class ScenarioPart(Part):
    """One document of a scenario file."""

    scenario: Name = Field(description="Its name.")
    version: Literal[1] = 1
    schema_: str | None = Field(None, alias="$schema")
    about: Any = Field(None, description="Free; not interpreted.")
    policy: Name | dict[str, Any] = Field(
        description="A policy file beside this one, module:attribute, or a policy written out."
    )
    input: str | None = Field(None, description="What the user asks; the policy's input unless given.")
    chat_model: ChatModelPart
    tools: dict[Name, Name | OutcomePart | list[Name | OutcomePart]] = Field(
        {}, description="Tool -> outcomes of the calls that run, in order; the last repeats. ok unless given."
    )
    permissions: dict[Name, Permission | list[Permission]] = Field(
        {}, description="Tool -> the user's answers in order; the last repeats."
    )
    runs: Annotated[int, Field(ge=1, le=MOST_RUNS)] = Field(
        1, description="How many runs, one after the other, with one memory."
    )
    engine: Literal["beewalk", "beeai", "both"] = "beewalk"
    expect: ExpectPart | list[ExpectPart] | None = Field(None, description="Of the last run, or a list with one a run.")
