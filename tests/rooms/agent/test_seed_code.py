"""The examples of the seed documents run on beewalk's agent, with imports changed and a scripted chat model."""

import asyncio
import re
from typing import Any

import pytest

import beewalk
from beewalk import Call, PolicyError, RequirementAgent, ScriptedChatModel, Tool, call, final_answer, tool
from tests.support.shared import SHARED

DOCS = SHARED / "seeds" / "requirement-agent-docs.txt"

pytestmark = pytest.mark.skipif(not DOCS.exists(), reason="../shared/seeds is not there")

NAMES = (
    "AskPermissionRequirement",
    "AssistantMessage",
    "ConditionalRequirement",
    "Requirement",
    "RequirementAgent",
    "RequirementAgentRunState",
    "Rule",
    "RunContext",
    "ThinkTool",
    "Tool",
    "UserMessage",
    "run_with_context",
)


class OpenMeteoTool(Tool):
    name = "OpenMeteoTool"


class DuckDuckGoSearchTool(Tool):
    name = "DuckDuckGo"


class WikipediaTool(Tool):
    name = "Wikipedia"


class Played:
    """Stands for the class ChatModel of the documents: `from_name` gives a scripted one."""

    script: tuple[Call, ...] = ()

    @classmethod
    def from_name(cls, name: str) -> ScriptedChatModel:
        return ScriptedChatModel(cls.script)


def code_after(heading: str, start: str, end: str) -> str:
    """The code below a heading, from the line that starts with `start` up to the one that starts with `end`."""
    text = DOCS.read_text(encoding="utf-8").partition(f"\n{heading}\n\nSection")[2]
    found = re.search(rf"^{re.escape(start)}.*?(?=^{re.escape(end)})", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.sub(r"\.middleware\(.*?\)\)", "", found.group()).rstrip()


def space(script: tuple[Call, ...] = (), **more: Any) -> dict[str, Any]:
    class Model(Played):
        pass

    Model.script = script
    stubs = {one.__name__: one for one in (OpenMeteoTool, DuckDuckGoSearchTool, WikipediaTool)}
    names = {name: getattr(beewalk, name) for name in NAMES}
    return {**names, **stubs, "ChatModel": Model, "asyncio": asyncio, "Any": Any, **more}


def agent_of(heading: str, script: tuple[Call, ...], **more: Any) -> RequirementAgent:
    """The agent that the example below a heading makes."""
    code = code_after(heading, "RequirementAgent(", ")\n") + "\n)"
    agent: RequirementAgent = eval(compile(code, str(DOCS), "eval"), space(script, **more))  # noqa: S307 - the document is the point of the test
    return agent


def order_tools() -> dict[str, type[Tool]]:
    """Classes of tools, which are what the example both calls and names as targets."""
    return {name: type(name, (Tool,), {"name": name}) for name in ("retrieve_basket", "create_order", "send_email")}


def test_the_quickstart_thinks_looks_at_the_weather_and_searches(capsys: pytest.CaptureFixture[str]) -> None:
    script = (
        call.think(thought="look at the weather first"),
        call.OpenMeteoTool(location="Boston"),
        call.DuckDuckGo(query="events in Boston"),
        final_answer("Take an umbrella."),
    )
    names = space(script)
    code = code_after("Quickstart", "async def main", "if __name__")
    exec(compile(code, str(DOCS), "exec"), names)  # noqa: S102 - the document is the point of the test
    asyncio.run(names["main"]())
    assert capsys.readouterr().out == "Final Answer: Take an umbrella.\n"


def test_the_quickstart_offers_what_the_text_promises() -> None:
    listed = code_after("Quickstart", "            ConditionalRequirement(ThinkTool", "        ],")
    agent = RequirementAgent(
        llm=ScriptedChatModel([call.think(), call.OpenMeteoTool(), call.DuckDuckGo(), final_answer("x")]),
        tools=[beewalk.ThinkTool(), OpenMeteoTool(), DuckDuckGoSearchTool()],
        requirements=eval(f"[{listed}]", space()),  # noqa: S307 - as above
    )
    trajectory = agent.run_sync("What to do in Boston?").trajectory
    offered = [(one.request.allowed, one.request.can_stop) for one in trajectory.offers]
    assert offered == [
        ({"think"}, False),
        ({"think", "OpenMeteoTool"}, False),
        ({"think", "DuckDuckGo"}, False),
        ({"think", "DuckDuckGo", "OpenMeteoTool", "final_answer"}, True),
    ]


def test_forced_execution_order() -> None:
    agent = agent_of("Forced Execution Order", (call.think(), call.DuckDuckGo(query="x"), final_answer("done")))
    trajectory = agent.run_sync("Go.").trajectory
    assert trajectory == ["think", "DuckDuckGo", "final_answer"]
    assert [one.request.tool_choice for one in trajectory.offers[:2]] == ["think", "DuckDuckGo"]


def test_the_simple_react_form_is_refused_as_the_framework_does() -> None:
    with pytest.raises(PolicyError, match=r"force_after matches 'think' itself.*add consecutive_allowed: false"):
        agent_of("Creating a ReAct Agent", ())


def test_an_order_is_followed_by_an_email() -> None:
    script = (
        call.think(thought="see the basket"),
        call.retrieve_basket(),
        call.think(thought="order it"),
        call.create_order(),
        call.send_email(),
        final_answer("ordered"),
    )
    trajectory = agent_of("ReAct Agent with Custom Conditions", script, **order_tools()).run_sync("Order.").trajectory
    assert trajectory == ["think", "retrieve_basket", "think", "create_order", "send_email", "final_answer"]
    choices = [one.request.tool_choice for one in trajectory.offers]
    assert choices == ["think", "required", "think", "required", "send_email", "required"]


@tool
def get_data(key: str = "") -> str:
    """Get data."""
    return f"data of {key}"


@tool
def remove_data(key: str = "") -> str:
    """Remove data."""
    raise AssertionError("it must not run")


@tool
def update_data(key: str = "") -> str:
    """Update data."""
    return "updated"


def test_permission_is_asked_before_data_is_removed_or_got(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"remove_data": "no", "get_data": "yes"}
    asked: list[str] = []

    def typed(question: str) -> str:
        asked.append(question)
        return next(answer for name, answer in answers.items() if repr(name) in question)

    monkeypatch.setattr("builtins.input", typed)
    script = (call.update_data(key="a"), call.get_data(key="a"), call.remove_data(key="a"), final_answer("done"))
    tools = {"get_data": get_data, "remove_data": remove_data, "update_data": update_data}
    trajectory = agent_of("Ask Permission Requirement", script, **tools).run_sync("Tidy up.").trajectory
    assert trajectory == ["update_data", "get_data:ok", "remove_data:denied", "final_answer"]
    assert [question.split("'")[1] for question in asked] == ["get_data", "remove_data"]


def test_a_custom_handler_is_asked_instead() -> None:
    text = DOCS.read_text(encoding="utf-8")
    found = re.search(r"^async def handler.*?return True\n", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    names = space()
    exec(compile(found.group(), str(DOCS), "exec"), names)  # noqa: S102 - as above
    asking = beewalk.AskPermissionRequirement([get_data], handler=names["handler"])
    llm = ScriptedChatModel([call.get_data(key="a"), final_answer("done")])
    agent = RequirementAgent(llm=llm, tools=[get_data], requirements=[asking])
    assert agent.run_sync("Go.").trajectory.steps[0].output.get_text_content() == "data of a"


def test_the_premature_stop_answers_why_it_stops(capsys: pytest.CaptureFixture[str]) -> None:
    names = space((final_answer("I can't: it is not allowed."),))
    code = code_after("Custom Premature Stop Requirement", "class PrematureStopRequirement", "if __name__")
    exec(compile(code, str(DOCS), "exec"), names)  # noqa: S102 - as above

    class Twice(Played):
        script = (final_answer("I can't: algebra."), final_answer("I can't: no such topic."))

    names["ChatModel"] = Twice
    asyncio.run(names["main"]())
    said = [line for line in capsys.readouterr().out.splitlines() if "Agent" in line]
    assert [line.partition("I can't: ")[2] for line in said] == ["algebra.", "no such topic."]


def test_every_documented_parameter_is_taken() -> None:
    code = code_after("Complete Parameter Reference", "ConditionalRequirement(", ")\n") + "\n)"
    code = code.replace("target_tool, #", '"think", #').replace("[...]", '["other"]')
    code = code.replace('only_before=["other"]', 'only_before=["another"]')
    made = eval(compile(code, str(DOCS), "eval"), space())  # noqa: S307 - as above
    assert (made.max_invocations, made.force_at_step, made.force_prevent_stop) == (10, 1, False)
    assert len(made.custom_checks) == 2
