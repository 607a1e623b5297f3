import pytest

from beewalk import FinalAnswerTool, PolicyError, ThinkTool, Tool, tool
from beewalk.policy.step import Step, ToolOutput


def test_a_function_becomes_a_tool_with_its_name_docstring_and_schema() -> None:
    @tool
    def weather(location: str, days: int = 3) -> str:
        """Weather at a place."""
        return f"{location}: {days} days of sun"

    assert (weather.name, weather.description, weather.arguments) == ("weather", "Weather at a place.", "any")
    assert weather.input_schema["required"] == ["location"]
    assert set(weather.input_schema["properties"]) == {"location", "days"}


def test_a_function_without_parameters_takes_no_arguments() -> None:
    @tool(name="whoami", description="Who I am.", outcomes={"ok": "me"})
    def look() -> str:
        return "me"

    assert (look.name, look.arguments, look.returns("ok")) == ("whoami", "none", "me")
    assert look.input_schema["properties"] == {}


def test_a_subclass_brings_its_name() -> None:
    assert (ThinkTool().name, FinalAnswerTool().name, str(ThinkTool())) == ("think", "final_answer", "think")
    assert ThinkTool(description="Think hard.").description == "Think hard."
    assert repr(Tool("a")) == "Tool('a')"


def test_a_schema_is_kept_and_a_bare_tool_has_an_open_one() -> None:
    assert Tool("a", arguments={"type": "object", "required": ["x"]}).input_schema["required"] == ["x"]
    assert Tool("a").input_schema["additionalProperties"] is True
    assert Tool("a", arguments="none").input_schema["additionalProperties"] is False


@pytest.mark.parametrize("name", ["", "auto", "required", "none"])
def test_a_name_that_could_not_be_told_apart_is_refused(name: str) -> None:
    with pytest.raises(PolicyError):
        Tool(name)


@pytest.mark.parametrize("outcome", ["denied", "unoffered", "crash"])
def test_outcomes_that_beewalk_makes_itself_cannot_be_named(outcome: str) -> None:
    with pytest.raises(PolicyError, match="name it otherwise"):
        Tool("a", outcomes={outcome: "x"})


def test_what_a_call_returns_depends_on_its_outcome() -> None:
    search = Tool("search", outcomes={"empty": "", "rows": [1, 2], "error": "quota"})
    assert search.named_outcomes == ("empty", "rows")
    ok, empty, rows = (Step.of(search, outcome) for outcome in ("ok", "empty", "rows"))
    assert [step.output.get_text_content() for step in (ok, empty, rows)] == ["search", "", "[1, 2]"]
    assert [step.output.is_empty() for step in (ok, empty, rows)] == [False, True, False]
    error, denied = Step.of(search, "error"), Step.of(search, "denied")
    assert (str(error.error), error.output.is_empty()) == ("quota", True)
    assert denied.error is None
    assert "refused" in str(denied.output)


def test_a_call_of_nothing_offered_leaves_a_failed_step_without_tool() -> None:
    step = Step.unoffered("ghost", iteration=3)
    assert (step.tool, step.outcome, step.iteration, str(step.error)) == (
        None,
        "unoffered",
        3,
        "there is no tool 'ghost'",
    )


def test_a_value_is_told_as_json() -> None:
    assert ToolOutput({"a": "é"}).get_text_content() == '{"a": "é"}'
    assert ToolOutput(None).is_empty()
