"""What a policy file may say: its keys and their types."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

# Counting runs takes a step a turn; what is longer than this is as good as unbounded.
MOST_ITERATIONS = 100_000

NonNegative = Annotated[int, Field(ge=0)]
Iterations = Annotated[int, Field(ge=0, le=MOST_ITERATIONS)]
FromOne = Annotated[int, Field(ge=1)]
Name = Annotated[str, Field(min_length=1)]
Names = Name | list[Name]

KINDS = ("conditional", "ask_permission", "rules", "python")


class Part(BaseModel):
    """A mapping of the file: unknown keys are errors, and nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ToolPart(Part):
    """A tool; every key may be left out."""

    description: str = Field("", description="Told to the language model.")
    outcomes: dict[Name, Any] = Field(
        {}, description="Outcome -> what the call returns. `error` raises with its text; every tool can also yield ok."
    )
    arguments: Literal["any", "none"] | dict[str, Any] = Field(
        "any", description="any, none (the tool takes no arguments), or a JSON schema."
    )


class ConditionalPart(Part):
    """Rules for one tool, from what was called before."""

    conditional: Name = Field(description="The tool it is about.")
    name: Name | None = None
    force_at_step: FromOne | None = Field(None, description="The tool must be the call with this number.")
    only_before: Names | None = Field(None, description="Forbidden once one of these was called.")
    only_after: Names | None = Field(None, description='Forbidden until all of these were called; "*" is any call.')
    force_after: Names | None = Field(None, description="Forced when the last call was one of these.")
    force_prevent_stop: bool = Field(True, description="While it is forced, the agent cannot stop.")
    min_invocations: NonNegative | None = Field(None, description="The agent cannot stop before this many calls.")
    max_invocations: NonNegative | None = Field(None, description="Forbidden from this many calls on.")
    only_success_invocations: bool = Field(True, description="Whether failed calls are left out of all counts.")
    consecutive_allowed: bool = Field(True, description="Whether the tool may follow itself.")
    priority: FromOne | None = Field(None, description="Decides between forced tools; 10 unless given.")
    custom_checks: list[Name] | None = Field(None, description="module:function of the state; false forbids.")
    enabled: bool = True
    reason: str | None = Field(None, description="Told to the language model while the tool is forbidden.")


class PermissionPart(Part):
    """The user is asked before one of these tools runs."""

    ask_permission: Names | list[Name] = Field(description='The tools to ask for; [] or "*" is every tool.')
    exclude: Names | None = Field(None, description="Tools not to ask for.")
    remember_choices: bool = False
    hide_disallowed: bool = False
    always_allow: bool = False


class RulePart(Part):
    """What is said of one tool, the same every turn."""

    target: Name
    allowed: bool = True
    hidden: bool = False
    forced: bool = False
    prevent_stop: bool = False
    reason: str | None = None


class RulesPart(Part):
    """Rules that hold in every turn."""

    rules: list[RulePart]
    name: Name | None = None
    priority: FromOne | None = None


class PythonPart(Part):
    """A requirement from Python code."""

    python: Name = Field(description="module:attribute, a Requirement or a callable that returns one.")


def kind_of(value: Any) -> str | None:
    """Which kind of requirement a mapping is: the first of KINDS that it has as a key."""
    if isinstance(value, dict):
        return next((kind for kind in KINDS if kind in value), None)
    return None


RequirementPart = Annotated[
    Annotated[ConditionalPart, Tag("conditional")]
    | Annotated[PermissionPart, Tag("ask_permission")]
    | Annotated[RulesPart, Tag("rules")]
    | Annotated[PythonPart, Tag("python")],
    Discriminator(kind_of),
]


class LimitsPart(Part):
    """What bounds a run: turns (0 or null: no bound), failures that one turn and the run survive."""

    max_iterations: Iterations | None = 20
    max_retries_per_step: NonNegative | None = 3
    total_max_retries: NonNegative | None = 20


class RepeatedPart(Part):
    """When equal calls count as a cycle."""

    max_strike_length: FromOne = 1
    max_total_occurrences: FromOne = 5
    window_size: FromOne = 10


class LoopPart(Part):
    """How the loop around the policy is set."""

    final_answer_as_tool: bool = True
    parallel_tool_calls: bool = False
    repeated_calls: Literal[False] | RepeatedPart = Field(default_factory=RepeatedPart)


class AcceptPart(Part):
    """A finding that is known and accepted."""

    code: Name
    reason: Name
    tool: Name | None = None


class PropertyPart(Part):
    """A property in the long form."""

    always: str | None = None
    never: str | None = None


class PolicyPart(Part):
    """A policy file."""

    policy: Name = Field(description="Its name.")
    version: Literal[1] = 1
    schema_: str | None = Field(None, alias="$schema")
    about: Any = Field(None, description="Free; not interpreted.")
    tools: list[Name] | dict[Name, ToolPart | None] = Field(description="Names, or name -> what is known of the tool.")
    requirements: list[RequirementPart] = []
    limits: LimitsPart | None = Field(None, description="What bounds a run; the framework's defaults unless given.")
    loop: LoopPart = Field(default_factory=LoopPart)
    answer: Literal["text", "structured"] | dict[str, Any] = "text"
    input: str = Field("", description="What the user asks.")
    properties: list[str | PropertyPart] = Field([], description="Checked on every sequence.")
    accept: list[AcceptPart] = Field([], description="Findings that are no news.")
