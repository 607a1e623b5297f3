from beewalk import FixedRules, Rule
from beewalk.policy.messages import AssistantMessage, Message, SystemMessage, ToolMessage, UserMessage
from beewalk.policy.policy import Policy
from beewalk.reasoner.prompt import Briefing, call_options, system_prompt
from beewalk.reasoner.request import Request
from tests.support.builders import a_policy, request_after, when


def a_request() -> tuple[Policy, Request]:
    policy = a_policy("think weather search", when("search", only_after="weather", reason="look at the weather first"))
    said = request_after(policy)
    assert isinstance(said, Request)
    return policy, said


def test_the_prompt_has_a_block_for_each_tool_with_what_is_allowed_and_why_not() -> None:
    policy, said = a_request()
    prompt = system_prompt(said, policy.tools, Briefing())
    assert "Name: weather\nDescription: \nAllowed: True\n" in prompt
    assert "Name: search\nDescription: \nAllowed: False\nReason: look at the weather first" in prompt
    assert prompt.count("Name: ") == 4
    assert "call 'final_answer'" in prompt


def test_the_prompt_says_who_the_agent_is_and_what_the_answer_must_be() -> None:
    policy, said = a_request()
    briefing = Briefing(
        role="a travel agent",
        instructions="Plan days.",
        notes=("be brief",),
        answer_schema={"type": "object", "required": ["plan"]},
        expected="a list",
    )
    prompt = system_prompt(said, policy.tools, briefing)
    for part in (
        "You are a travel agent.",
        "Plan days.",
        "- be brief",
        '"required": [',
        "The answer should be: a list",
    ):
        assert part in prompt


def test_a_hidden_tool_is_not_in_the_prompt() -> None:
    policy = a_policy("a b", FixedRules([Rule(target="b", hidden=True)]))
    said = request_after(policy)
    assert isinstance(said, Request)
    prompt = system_prompt(said, policy.tools, Briefing())
    assert "Name: a\n" in prompt
    assert "Name: b\n" not in prompt


def test_the_call_offers_the_allowed_tools_in_order() -> None:
    _, said = a_request()
    options = call_options(said, [SystemMessage("s"), UserMessage("u")], has_requirements=True)
    assert options.tools == ("think", "weather", "final_answer")
    assert (options.tool_choice, options.fallback_tool) == ("required", "final_answer")


def test_nothing_stands_in_for_a_text_where_stopping_is_prevented() -> None:
    said = request_after(a_policy("a", when("a", min_invocations=1)))
    assert isinstance(said, Request)
    assert call_options(said, [], has_requirements=True).fallback_tool is None


def test_cache_breakpoints_lie_behind_what_does_not_change() -> None:
    _, said = a_request()
    temp = AssistantMessage("note", {"tempMessage": True})
    system, user, tool = SystemMessage("s"), UserMessage("u"), ToolMessage("t")

    def breakpoints(messages: list[Message], has_requirements: bool) -> tuple[int, ...]:
        return call_options(said, messages, has_requirements=has_requirements).cache_breakpoints

    assert breakpoints([system, user, tool, temp], True) == (1, 2)
    assert breakpoints([system, user, tool], False) == (0, 2)
    assert breakpoints([system, user], True) == (1,)
    assert breakpoints([system], False) == (0,)
