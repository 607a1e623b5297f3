"""RequirementAgent: memory, limits, answers, listeners, and what a run raises."""

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel

from beewalk import (
    AgentError,
    AskPermissionRequirement,
    AssistantMessage,
    BeewalkError,
    ConditionalRequirement,
    FunctionChatModel,
    Limits,
    Memory,
    NotInThisVersion,
    PolicyError,
    RepeatedCalls,
    Requirement,
    RequirementAgent,
    RequirementError,
    Rule,
    ScriptedChatModel,
    ScriptError,
    Tool,
    UserMessage,
    call,
    explore,
    final_answer,
    requirement,
)
from beewalk.agent.runner import ListenerError
from beewalk.policy.messages import ToolMessage

TOOLS = [Tool("a"), Tool("b")]


def agent(*script: Any, **options: Any) -> RequirementAgent:
    """An agent with the tools a and b whose chat model follows a script."""
    conduct = options.pop("conduct", ())
    return RequirementAgent(llm=ScriptedChatModel(script, conduct=conduct), **{"tools": TOOLS, **options})


def prompts_of(made: RequirementAgent) -> list[list[str]]:
    """The texts of the messages of each prompt, without the system message."""
    assert isinstance(made.chat_model, ScriptedChatModel)
    return [[message.text for message in prompt.messages[1:]] for prompt in made.chat_model.prompts]


def test_the_answer_comes_back_with_state_and_trajectory() -> None:
    response = agent(call.a(n=1), final_answer("42")).run_sync("What is it?")
    assert (response.last_message.text, response.output, response.output_structured) == (
        "42",
        [response.last_message],
        {"response": "42"},
    )
    assert response.trajectory == ["a", "final_answer"]
    assert [step.name for step in response.state.steps] == ["a", "final_answer"]
    assert response.state.answer is not None
    assert response.state.answer.text == "42"


def test_it_runs_where_an_event_loop_is_running_already() -> None:
    async def within() -> str:
        return agent(final_answer("42")).run_sync("Go.").last_message.text

    assert asyncio.run(within()) == "42"


def test_what_it_raises_there_comes_out_too() -> None:
    async def within() -> None:
        agent(None, conduct=["silent"]).run_sync("Go.")

    with pytest.raises(AgentError, match="chat_model_error: the chat model replied nothing at all"):
        asyncio.run(within())


def test_the_prompt_has_role_instructions_notes_and_what_is_known() -> None:
    made = agent(final_answer("x"), role="a cook", instructions=["Be kind.", "Be quick."], notes="No nuts.")
    made.run_sync("Cook.", backstory="It is late.", expected_output="one word")
    assert isinstance(made.chat_model, ScriptedChatModel)
    system, task = made.chat_model.prompts[0].messages
    for text in ("You are a cook.", "Be kind.\nBe quick.", "- No nuts.", "The answer should be: one word"):
        assert text in system.text
    assert task.text == "What is known beforehand: It is late.\n\nYour task: Cook."


def test_the_conversation_has_calls_and_what_they_came_to() -> None:
    made = agent(call.a(n=1), final_answer("x"))
    made.run_sync("Go.")
    last = [type(message).__name__ for message in made.memory.messages]
    assert last == ["UserMessage", "AssistantMessage", "ToolMessage", "AssistantMessage", "ToolMessage"]
    _, asked, came = made.memory.messages[:3]
    assert isinstance(asked, AssistantMessage)
    assert isinstance(came, ToolMessage)
    assert [(name, one.tool) for name, one in asked.calls] == [("call_1_0", "a")]
    assert (came.tool, came.call_id, came.text) == ("a", "call_1_0", "a")


def test_memory_outlasts_a_run_and_steps_do_not() -> None:
    made = agent(call.a(n=1), final_answer("x"), final_answer("y"))
    made.run_sync("First.")
    response = made.run_sync("Second.")
    assert response.trajectory == ["final_answer"]
    assert prompts_of(made)[2][0] == "Your task: First."
    assert prompts_of(made)[2][-1] == "Your task: Second."


def test_without_intermediate_steps_only_the_last_pair_stays() -> None:
    made = agent(call.a(n=1), final_answer("x"), save_intermediate_steps=False)
    made.run_sync("First.")
    user, asked, came = made.memory.messages
    assert isinstance(user, UserMessage)
    assert isinstance(asked, AssistantMessage)
    assert [one.tool for _, one in asked.calls] == ["final_answer"]
    assert isinstance(came, ToolMessage)


def test_without_intermediate_steps_each_run_adds_its_task_and_its_last_pair() -> None:
    first = final_answer("x")
    made = agent(first, call.a(n=1), final_answer("y"), save_intermediate_steps=False)
    made.run_sync("First.")
    made.run_sync("Second.")
    said = [
        [one.arguments["response"] for _, one in message.calls]
        if isinstance(message, AssistantMessage)
        else message.text
        for message in made.memory.messages
    ]
    told = "The answer was given."
    assert said == ["Your task: First.", ["x"], told, "Your task: Second.", ["y"], told]
    # what went before the second run's first ask is what stayed of the first
    assert prompts_of(made)[1] == ["Your task: First.", "", told, "Your task: Second."]


def test_the_last_pair_is_the_last_call_of_its_own_run() -> None:
    # ids start anew with each run: both runs have a call_1_1
    replies = [[final_answer("x"), call.a(n=1)], [final_answer("y"), call.a(n=2)]]
    tools = [Tool("a", function=lambda n: f"result {n}")]
    made = agent(*replies, tools=tools, parallel_tool_calls=True, save_intermediate_steps=False)
    made.run_sync("First.")
    made.run_sync("Second.")
    texts = [message.text for message in made.memory.messages if isinstance(message, ToolMessage)]
    assert texts == ["result 1", "result 2"]


def test_an_answer_in_text_is_kept_as_the_call_it_stands_for() -> None:
    made = agent("It is mild.", final_answer_as_tool=False, save_intermediate_steps=False)
    made.run_sync("How is it?")
    _, asked, _ = made.memory.messages
    assert isinstance(asked, AssistantMessage)
    assert [(one.tool, one.arguments) for _, one in asked.calls] == [("final_answer", {"response": "It is mild."})]


def test_a_run_that_fails_leaves_nothing_in_the_memory() -> None:
    made = agent(call.a(n=1), None, final_answer("x"), memory=Memory([UserMessage("before")]), conduct=["silent"])
    with pytest.raises(AgentError):
        made.run_sync("First.")
    assert [message.text for message in made.memory.messages] == ["before"]


def test_temporary_messages_are_gone_after_their_turn() -> None:
    class Nudge(Requirement[Any]):
        name = "nudge"

        async def run(self, state: Any) -> list[Rule]:
            if not state.steps:
                await state.memory.add(AssistantMessage("think of it", {"tempMessage": True}))
            return []

    made = agent(call.a(n=1), final_answer("x"), requirements=[Nudge()])
    made.run_sync("Go.")
    first, second = prompts_of(made)
    assert "think of it" in first
    assert "think of it" not in second


def test_a_rejected_reply_is_shown_to_the_next_ask_only() -> None:
    made = agent("Nice.", call.a(n=1), final_answer("x"), conduct=["text"])
    made.run_sync("Go.")
    first, again, later = prompts_of(made)
    assert again[len(first) :] == [
        "Nice.",
        "a call of a tool was required, and no tool was called. Tools that are offered: a, b, final_answer",
    ]
    assert "Nice." not in later


def test_a_failure_and_an_empty_result_are_told_in_words() -> None:
    def broken() -> str:
        raise ValueError("no network")

    made = RequirementAgent(
        llm=ScriptedChatModel([call.broken(), call.empty(), final_answer("x")]),
        tools=[Tool("broken", function=broken), Tool("empty", function=lambda: "")],
    )
    made.run_sync("Go.")
    texts = [message.text for message in made.memory.messages if isinstance(message, ToolMessage)]
    assert texts[0].endswith("no network")
    assert texts[1] == "The tool found nothing. Ask it in another way, or use another tool."


class City(BaseModel):
    city: str
    country: str = "US"


@pytest.mark.parametrize(
    ("wanted", "answer", "value"),
    [
        (City, '{"city":"Boston","country":"US"}', City(city="Boston")),
        (
            {"type": "object", "properties": {"city": {"type": "string"}, "n": {"default": 1}}, "required": ["city"]},
            '{"city":"Boston","n":1}',
            {"city": "Boston", "n": 1},
        ),
    ],
)
def test_a_structured_answer_is_checked_and_filled_in(wanted: Any, answer: str, value: Any) -> None:
    made = agent(final_answer(town="Boston"), final_answer(city="Boston", other=1))
    response = made.run_sync("Where?", expected_output=wanted)
    assert response.trajectory == ["final_answer:error", "final_answer"]
    assert (response.last_message.text, response.output_structured) == (answer, value)


@pytest.mark.xfail(reason="a type that is no pydantic model is an AttributeError", strict=True)
@pytest.mark.parametrize("wanted", [int, dict])
def test_another_type_of_answer_is_refused_in_words(wanted: Any) -> None:
    with pytest.raises((BeewalkError, TypeError), match="pydantic model"):
        agent().run_sync("Go.", expected_output=wanted)


def test_an_answer_without_a_response_is_a_failed_call() -> None:
    response = agent(final_answer(respond="x"), final_answer("x")).run_sync("Go.")
    assert response.trajectory == ["final_answer:error", "final_answer"]
    assert "`response` must be a text" in str(response.trajectory.steps[0].error)


def test_limits_are_those_of_the_call() -> None:
    with pytest.raises(AgentError, match="iteration_limit: there was no final answer within 1 turn") as caught:
        agent(call.a(n=1)).run_sync("Go.", max_iterations=1)
    assert caught.value.trajectory == ["a"]


def test_a_requirement_that_raises_comes_out_as_itself() -> None:
    with pytest.raises(RequirementError, match="'a' must be called at step 1"):
        agent(
            requirements=[ConditionalRequirement("a", force_at_step=1, only_after="b")],
        ).run_sync("Go.")


def test_what_a_requirement_raises_comes_out_as_a_requirement_error() -> None:
    @requirement(name="odd")
    def odd(state: Any) -> list[Rule]:
        raise LookupError("no such city")

    with pytest.raises(RequirementError, match="'odd' raised LookupError: no such city") as caught:
        agent(requirements=[odd]).run_sync("Go.")
    assert caught.value.requirement == "odd"


@pytest.mark.xfail(reason="a rule that is found wrong in the fold is no Raised event: AgentError", strict=True)
def test_a_rule_on_what_is_no_tool_comes_out_as_a_requirement_error() -> None:
    @requirement(name="odd")
    def odd(state: Any) -> list[Rule]:
        return [Rule(target="ghost")]

    with pytest.raises(RequirementError, match="'odd' made a rule for 'ghost', which is no tool"):
        agent(requirements=[odd]).run_sync("Go.")


def test_tools_and_requirements_that_do_not_fit_are_refused() -> None:
    with pytest.raises(PolicyError, match="no tool of this policy"):
        agent(requirements=[ConditionalRequirement("c")])


def test_a_live_chat_model_by_name_is_not_in_this_version() -> None:
    with pytest.raises(NotInThisVersion, match="'ollama:granite' names a live chat model"):
        RequirementAgent(llm="ollama:granite", tools=TOOLS)
    with pytest.raises(TypeError, match=r"the chat model is None: pass llm="):
        RequirementAgent(tools=TOOLS)


def test_chat_model_is_another_word_for_llm() -> None:
    made = RequirementAgent(chat_model=ScriptedChatModel([final_answer("x")]), tools=TOOLS)
    assert made.run_sync("Go.").last_message.text == "x"


def test_listeners_get_effects_and_events_in_order() -> None:
    happened: list[str] = []
    made = agent(final_answer("x"), listeners=[lambda one: happened.append(type(one).__name__)])
    made.run_sync("Go.")
    assert happened == ["MakeRules", "Ruled", "Ask", "Replied", "RunCalls", "Ran", "Finish", "Kept", "End"]


def test_a_listener_that_raises_is_told_apart() -> None:
    def listener(happening: object) -> None:
        raise KeyError("oops")

    with pytest.raises(ListenerError, match="a listener raised KeyError on MakeRules: 'oops'") as caught:
        agent(final_answer("x"), listeners=[listener]).run_sync("Go.")
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_chat_model_that_gives_something_odd_ends_the_run() -> None:
    class Odd:
        def reply(self, prompt: object) -> Any:
            return "hello"

    with pytest.raises(AgentError, match="the chat model gave 'hello' where a Reply is due"):
        RequirementAgent(llm=Odd(), tools=TOOLS).run_sync("Go.")


def test_a_script_that_does_not_fit_is_no_failure_of_the_agent() -> None:
    with pytest.raises(ScriptError, match="the script has ended after 1 entry"):
        agent(call.a(n=1)).run_sync("Go.")


def test_an_agent_is_a_policy_to_explore() -> None:
    made = agent(requirements=[ConditionalRequirement("a", max_invocations=1)], tool_call_checker=False)
    assert made.policy.loop.repeated_calls is None
    assert explore(made).states == 2
    checked = agent(tool_call_checker=RepeatedCalls(max_strike_length=2), parallel_tool_calls=True)
    assert checked.policy.loop.repeated_calls == RepeatedCalls(max_strike_length=2)


def test_requirements_may_wait_in_a_run() -> None:
    @requirement(targets="b")
    async def patient(state: Any) -> list[Rule]:
        await asyncio.sleep(0)
        return [Rule(target="b", allowed=False)]

    response = agent(final_answer("x"), requirements=[patient]).run_sync("Go.")
    assert response.trajectory.request(1).allowed == {"a", "final_answer"}


def test_permission_is_remembered_by_the_requirement_that_asked() -> None:
    asked: list[str] = []

    def handler(tool: Tool, given: dict[str, Any]) -> bool:
        asked.append(f"{tool.name} {given}")
        return False

    asking = AskPermissionRequirement("a", remember_choices=True, hide_disallowed=True, handler=handler)
    made = agent(call.a(n=1), final_answer("x"), final_answer("y"), requirements=[asking])
    assert made.run_sync("Go.").trajectory == ["a:denied", "final_answer"]
    second = made.run_sync("Again.").trajectory
    assert second.request(1).hidden == {"a"}
    assert asked == ["a {'input': {'n': 1}, 'options': None}"]


@pytest.mark.parametrize(("typed", "outcome"), [("yes", "ok"), (" Y ", "ok"), ("no", "denied"), ("", "denied")])
def test_permission_is_asked_at_the_terminal(typed: str, outcome: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda question: typed)
    made = agent(call.a(n=1), final_answer("x"), requirements=[AskPermissionRequirement("a")])
    assert made.run_sync("Go.").trajectory.steps[0].outcome == outcome


def test_without_a_terminal_nothing_is_permitted(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    made = agent(call.a(n=1), final_answer("x"), requirements=[AskPermissionRequirement("a")])
    assert made.run_sync("Go.").trajectory.steps[0].outcome == "denied"


def test_a_handler_may_be_async() -> None:
    async def yes(tool: Tool, given: dict[str, Any]) -> bool:
        return True

    made = agent(call.a(n=1), final_answer("x"), requirements=[AskPermissionRequirement("a", handler=yes)])
    assert made.run_sync("Go.").trajectory == ["a:ok", "final_answer"]


def test_a_handler_that_raises_ends_the_run() -> None:
    def broken(tool: Tool, given: dict[str, Any]) -> bool:
        raise OSError("no line")

    made = agent(call.a(n=1), requirements=[AskPermissionRequirement("a", handler=broken)])
    with pytest.raises(AgentError, match="tool_crash: the permission handler raised OSError: no line"):
        made.run_sync("Go.")


def test_limits_of_0_are_no_bound() -> None:
    calls = [call.a(n=number) for number in range(25)]
    response = agent(*calls, final_answer("x")).run_sync("Go.", max_iterations=0)
    assert len(response.trajectory.steps) == 26
    assert Limits(max_iterations=None).max_iterations is None


def test_a_function_plays_the_chat_model() -> None:
    made = RequirementAgent(llm=FunctionChatModel(lambda prompt: final_answer(prompt.offer)), tools=TOOLS)
    assert made.run_sync("Go.").last_message.text == "a, b, final_answer (tool_choice required)"
    assert issubclass(ListenerError, BeewalkError)
