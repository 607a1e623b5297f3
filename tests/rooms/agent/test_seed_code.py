"""The examples of the seed documents run on beewalk's agent, with imports changed and a scripted chat model."""

import asyncio
import re
from typing import Any

import pytest

import beewalk
from beewalk import (
    Call,
    PolicyError,
    RequirementAgent,
    RequirementError,
    ScriptedChatModel,
    Tool,
    call,
    final_answer,
    tool,
)
from tests.support.shared import SHARED

DOCS = SHARED / "seeds" / "requirement-agent-docs.txt"
CHAPTER = SHARED / "seeds" / "requirements-and-rules.zh.txt"

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


class Stub(Tool):
    """Stands for a tool that reaches the network: whatever it is asked, it says who was asked for what."""

    def __init__(self) -> None:
        super().__init__(function=self._run)

    def _run(self, location: str = "", query: str = "") -> str:
        return f"{self.name} on {location or query}"


class OpenMeteoTool(Stub):
    name = "OpenMeteoTool"


class DuckDuckGoSearchTool(Stub):
    name = "DuckDuckGo"


class WikipediaTool(Stub):
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
    assert trajectory.steps[1].output.get_text_content() == "DuckDuckGo on x"


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
    names = space()
    code = code_after("Custom Premature Stop Requirement", "class PrematureStopRequirement", "if __name__")
    exec(compile(code, str(DOCS), "exec"), names)  # noqa: S102 - as above
    asked = ScriptedChatModel([final_answer("I can't: algebra."), final_answer("I can't: no such topic.")])
    names["ChatModel"] = type("Twice", (), {"from_name": staticmethod(lambda name: asked)})
    asyncio.run(names["main"]())
    said = [line for line in capsys.readouterr().out.splitlines() if "Agent" in line]
    assert [line.partition("I can't: ")[2] for line in said] == ["algebra.", "no such topic."]
    # "The rule ensures that the agent will use the 'final_answer' tool immediately."
    assert [prompt.request.tool_choice for prompt in asked.prompts] == ["final_answer", "final_answer"]
    # "the message gets removed in the next iteration": each nudge is in the prompt of its own run only
    nudges = [[one.text for one in prompt.messages if "can't finish" in one.text] for prompt in asked.prompts]
    because = "The final answer is that I can't finish the task because"
    assert nudges == [
        [f"{because} algebraic expressions are not allowed"],
        [f"{because} such topic is not allowed"],
    ]


def test_the_premature_stop_looks_at_what_a_tool_said_too() -> None:
    names = space()
    code = code_after("Custom Premature Stop Requirement", "class PrematureStopRequirement", "async def main")
    exec(compile(code, str(DOCS), "exec"), names)  # noqa: S102 - as above
    asked = ScriptedChatModel([call.DuckDuckGo(query="a bomb"), final_answer("I can't.")])
    stop = names["PrematureStopRequirement"](phrase="bomb", reason="such topic is not allowed")
    agent = RequirementAgent(llm=asked, tools=[DuckDuckGoSearchTool()], requirements=[stop])
    assert agent.run_sync("What is new?").trajectory == ["DuckDuckGo", "final_answer"]
    assert [prompt.request.tool_choice for prompt in asked.prompts] == ["required", "final_answer"]


REFERENCE = [  # what is written `...` in the reference, and a misprint: messages are in state.memory.messages
    ("target_tool, #", '"think", #'),
    ("only_before=[...]", 'only_before=["late"]'),
    ("[...]", '["early"]'),
]


def reference(*more: tuple[str, str]) -> beewalk.ConditionalRequirement:
    """The requirement of the complete parameter reference, some words replaced."""
    code = code_after("Complete Parameter Reference", "ConditionalRequirement(", ")\n") + "\n)"
    for written, meant in [*REFERENCE, *more]:
        assert written in code
        code = code.replace(written, meant)
    made: beewalk.ConditionalRequirement = eval(compile(code, str(DOCS), "eval"), space())  # noqa: S307 - as above
    return made


def reference_agent(requirement: beewalk.ConditionalRequirement, *script: Call) -> RequirementAgent:
    tools = [beewalk.ThinkTool(), Tool("early"), Tool("late")]
    return RequirementAgent(llm=ScriptedChatModel(script), tools=tools, requirements=[requirement])


def test_every_documented_parameter_is_taken() -> None:
    made = reference()
    assert (made.max_invocations, made.force_at_step, made.force_prevent_stop) == (10, 1, False)
    assert len(made.custom_checks) == 2


def test_all_documented_parameters_together_can_run() -> None:
    made = reference(("force_at_step=1", "force_at_step=2"), ("state.memory.message ", "state.memory.messages "))
    script = (call.early(), call.think(thought="mild"), call.late(), final_answer("done"))
    trajectory = reference_agent(made, *script).run_sync("How is the weather?").trajectory
    assert trajectory == ["early", "think", "late", "final_answer"]
    assert [one.request.tool_choice for one in trajectory.offers] == ["required", "think", "required", "required"]
    assert ["think" in one.request.allowed for one in trajectory.offers] == [False, True, True, False]
    assert all(one.request.can_stop for one in trajectory.offers)  # force_prevent_stop=False


def test_a_documented_check_that_is_false_forbids_the_tool() -> None:
    fixed = ("state.memory.message ", "state.memory.messages ")
    made = reference(("force_at_step=1", "force_at_step=None"), fixed)
    trajectory = reference_agent(made, call.early(), final_answer("x")).run_sync("How are you?").trajectory
    assert trajectory.request(2).allowed == {"early", "late", "final_answer"}


def test_the_reference_as_it_stands_cannot_run() -> None:
    # Step 1 comes before any tool of only_after; and without that, the check has a misprint.
    with pytest.raises(RequirementError, match="'think' must be called at step 1"):
        reference_agent(reference()).run_sync("How is the weather?")
    with pytest.raises(RequirementError, match="'Memory' object has no attribute 'message'"):
        reference_agent(reference(("force_at_step=1", "force_at_step=2")), call.early()).run_sync("How is the weather?")


def basic_rules() -> list[str]:
    """The three lines of "Basic Rule Definition"."""
    text = DOCS.read_text(encoding="utf-8").partition("\nBasic Rule Definition\n")[2]
    return re.findall(r"^ConditionalRequirement\(.*\)$", text.partition("Complete Parameter")[0], re.MULTILINE)


def test_the_basic_rules_do_what_their_comments_say() -> None:
    think, search, weather = basic_rules()
    tools = [beewalk.ThinkTool(), OpenMeteoTool(), DuckDuckGoSearchTool()]
    script = [call.think(), call.OpenMeteoTool(location="x"), call.DuckDuckGo(query="x"), final_answer("done")]
    same = {**space(), "OpenMeteoTool": lambda: tools[1]}  # the third names the object itself
    rules = [eval(think, space()), eval(search, space()), eval(weather, same)]  # noqa: S307 - as above
    agent = RequirementAgent(llm=ScriptedChatModel(script), tools=tools, requirements=rules)
    trajectory = agent.run_sync("Go.").trajectory
    assert [sorted(one.request.allowed) for one in trajectory.offers] == [
        ["think"],
        ["OpenMeteoTool", "final_answer", "think"],
        ["DuckDuckGo", "final_answer", "think"],
        ["DuckDuckGo", "OpenMeteoTool", "final_answer", "think"],
    ]


def test_a_rule_on_another_object_than_the_tool_is_refused() -> None:
    rule = eval(basic_rules()[2], space())  # noqa: S307 - as above
    with pytest.raises(PolicyError, match="no tool of this policy"):
        RequirementAgent(llm=ScriptedChatModel([]), tools=[OpenMeteoTool()], requirements=[rule])


def test_permission_takes_every_documented_parameter() -> None:
    code = code_after("Complete AskPermissionRequirement Parameter Reference", "AskPermissionRequirement(", ")\n")
    code = re.sub(r"handler=input.*", "handler=handler,\n)", code.replace("[...]", '["get_data"]', 1))
    code = code.replace("[...]", '["update_data"]')
    asked: list[str] = []

    def handler(tool: Tool, given: dict[str, Any]) -> bool:
        asked.append(tool.name)
        return False

    made = eval(compile(code, str(DOCS), "eval"), space(handler=handler))  # noqa: S307 - as above
    script = [call.get_data(key="a"), call.get_data(key="b"), call.update_data(key="a"), final_answer("x")]
    agent = RequirementAgent(llm=ScriptedChatModel(script), tools=[get_data, update_data], requirements=[made])
    assert agent.run_sync("Go.").trajectory == ["get_data:denied", "get_data:denied", "update_data:ok", "final_answer"]
    assert asked == ["get_data", "get_data"]


def test_the_gate_by_decorator_lets_nobody_search_before_thinking() -> None:
    text = CHAPTER.read_text(encoding="utf-8")
    found = re.search(r'^@requirement\(name="no-search.*?(?=^targets)', text, re.DOTALL | re.MULTILINE)
    assert found is not None
    names = space(requirement=beewalk.requirement)
    exec(compile(found.group(), str(CHAPTER), "exec"), names)  # noqa: S102 - as above
    asked = ScriptedChatModel([call.think(), call.duckduckgo(query="x"), final_answer("done")])
    agent = RequirementAgent(
        llm=asked, tools=[beewalk.ThinkTool(), Tool("duckduckgo")], requirements=[names["gate_search"]]
    )
    trajectory = agent.run_sync("Go.").trajectory
    assert trajectory == ["think", "duckduckgo", "final_answer"]
    assert ["duckduckgo" in one.request.allowed for one in trajectory.offers] == [False, True, True]
    assert "先用 think 梳理再搜" in asked.prompts[0].messages[0].text
