"""The fold, point by point of semantics.md."""

from typing import Any

import pytest

from beewalk import RequirementError, Rule
from beewalk.reasoner.request import DeadEnd, Request, make_request, without
from beewalk.reasoner.ruling import Vote
from beewalk.reasoner.stance import members
from tests.support.builders import a_policy, request_after, when

TOOLS = ("a", "b", "c", "final_answer")


def votes(*rules: Rule | tuple[int, Rule]) -> list[Vote]:
    """One requirement a rule; a number before it is its priority."""
    made = []
    for index, rule in enumerate(rules):
        priority, said = rule if isinstance(rule, tuple) else (10, rule)
        made.append(Vote(index, f"r{index}", priority, (said,)))
    return made


def request(*rules: Rule | tuple[int, Rule], **options: Any) -> Request:
    said = make_request(TOOLS, votes(*rules), **options)
    assert isinstance(said, Request)
    return said


def test_without_rules_everything_is_offered() -> None:
    said = request()
    assert said.offered == TOOLS
    assert (said.tool_choice, said.can_stop, said.hidden) == ("required", True, frozenset())


def test_one_prohibition_outweighs_every_permission() -> None:
    said = request((1, Rule(target="a", allowed=False)), (99, Rule(target="a", allowed=True)))
    assert "a" not in said.allowed


def test_hidden_forbids_but_forbidden_does_not_hide() -> None:
    said = request(Rule(target="a", hidden=True), Rule(target="b", allowed=False))
    assert (said.hidden, said.allowed) == ({"a"}, {"c", "final_answer"})


def test_the_highest_level_of_two_forces_wins_then_the_tool_registered_first() -> None:
    assert request((10, Rule(target="a", forced=True)), (20, Rule(target="b", forced=True))).forced == "b"
    assert request((10, Rule(target="b", forced=True)), (10, Rule(target="a", forced=True))).forced == "a"


def test_a_level_is_borrowed_from_any_rule_on_the_tool() -> None:
    said = request((10, Rule(target="a", forced=True)), (15, Rule(target="b", forced=True)), (20, Rule(target="a")))
    assert said.forced == "a"


def test_a_force_leaves_only_the_tool_and_the_answer_even_if_that_is_forbidden() -> None:
    said = request(Rule(target="a", forced=True), Rule(target="final_answer", allowed=False, hidden=True))
    assert (said.allowed, said.tool_choice, said.hidden) == ({"a", "final_answer"}, "a", {"final_answer"})


def test_forbidding_the_forced_tool_widens_the_offer() -> None:
    assert request(Rule(target="a", forced=True), Rule(target="a", allowed=False)).allowed == {"b", "c", "final_answer"}


def test_whoever_prevents_stopping_takes_the_answer_away_even_by_a_forbidden_tool() -> None:
    said = request(Rule(target="a", allowed=False, prevent_stop=True))
    assert (said.allowed, said.can_stop) == ({"b", "c"}, False)


def test_a_forced_answer_stays_although_stopping_is_prevented() -> None:
    said = request(Rule(target="final_answer", forced=True), Rule(target="a", prevent_stop=True))
    assert (said.allowed, said.tool_choice, said.can_stop) == ({"final_answer"}, "final_answer", False)


def test_one_tool_left_is_named() -> None:
    said = request(*(Rule(target=name, allowed=False) for name in ("a", "b", "final_answer")))
    assert said.tool_choice == "c"


def test_auto_only_where_the_answer_need_not_be_a_call_and_stopping_is_free() -> None:
    assert request(answer_is_call=False).tool_choice == "auto"
    assert request(Rule(target="a", prevent_stop=True), answer_is_call=False).tool_choice == "required"
    assert request(Rule(target="a", forced=True), answer_is_call=False).tool_choice == "a"


def test_stopping_is_free_although_the_answer_is_forbidden() -> None:
    said = request(Rule(target="final_answer", allowed=False))
    assert (said.can_stop, "final_answer" in said.allowed) == (True, False)


def test_the_reason_read_last_is_kept() -> None:
    high, low = Rule(target="a", reason="high"), Rule(target="a", reason="low")
    assert request((20, high), (5, low)).reason("a") == "low"
    assert request((5, low), (20, high)).reason("a") == "low"
    assert request((10, high), (10, low)).reason("a") == "low"
    assert request((20, high), (5, Rule(target="a", reason=""))).reason("a") == "high"


def test_an_extra_rule_outranks_every_rule_on_its_tool() -> None:
    forced = (50, Rule(target="a", forced=True)), (50, Rule(target="b", forced=True))
    assert request(*forced, extra=[Rule(target="b", forced=True)]).forced == "b"
    lifted = request(*forced, extra=[Rule(target="a", allowed=False, forced=True)])
    assert lifted.forced == "b"
    assert request(extra=[Rule(target="c", forced=True)]).votes[-1].priority == 1


def test_a_rule_for_what_is_no_tool_is_an_error() -> None:
    with pytest.raises(RequirementError, match="'r0' made a rule for 'd', which is no tool"):
        make_request(TOOLS, votes(Rule(target="d")))


def test_a_dead_end_says_of_each_tool_who_forbids_it() -> None:
    policy = a_policy("d", when("d", min_invocations=2, consecutive_allowed=False, reason="not twice"))
    said = request_after(policy, "d")
    assert isinstance(said, DeadEnd)
    assert str(said).splitlines() == [
        "nothing is allowed:",
        "  d: forbidden by consecutive_allowed of 'conditional d' (not twice)",
        "  final_answer: kept back by min_invocations of 'conditional d' on 'd' (not twice)",
    ]


def test_rulings_name_requirement_parameter_and_reason() -> None:
    policy = a_policy(
        "a b c",
        when("a", force_at_step=1, priority=20),
        when("b", only_after="a", max_invocations=0, reason="later"),
    )
    said = request_after(policy)
    assert isinstance(said, Request)
    rulings = said.rulings
    assert rulings["a"].forced
    assert rulings["a"].level == 20
    assert rulings["a"].sentence() == "a: forced by force_at_step of 'conditional a'"
    assert [(one.effect, one.parameter) for one in rulings["b"].because] == [
        ("forbids", "max_invocations"),
        ("forbids", "only_after"),
    ]
    assert rulings["b"].because[0].reason == "later"
    assert rulings["c"].sentence() == "c: not offered while 'a' is forced by force_at_step of 'conditional a'"
    assert "kept back by force_prevent_stop" in rulings["final_answer"].sentence()


def test_rulings_of_what_nobody_speaks_about() -> None:
    rulings = request(Rule(target="a", hidden=True)).rulings
    assert rulings["a"].sentence() == "a: hidden by 'r0'"
    assert rulings["b"].sentence() == "b: offered"
    assert rulings["a"].because[0].sentence("a") == "hidden by 'r0'"
    kept_back = request(Rule(target="a", prevent_stop=True)).rulings["a"].because[0]
    assert kept_back.sentence("a") == "keeps the final answer back by 'r0'"


def test_muted_grounds_lose_their_effects_and_only_those() -> None:
    rule = Rule(
        target="a",
        allowed=False,
        prevent_stop=True,
        grounds=(("forbids", "only_after"), ("forbids", "max_invocations"), ("prevents_stop", "min_invocations")),
    )
    said = votes(rule)
    one = without(said, frozenset({(0, "only_after")}))[0].rules[0]
    both = without(said, frozenset({(0, "only_after"), (0, "max_invocations")}))[0].rules[0]
    assert (one.allowed, both.allowed, both.prevent_stop) == (False, True, True)
    assert without(votes(Rule(target="a", hidden=True, forced=True)), frozenset({(0, None)}))[0].rules[0] == Rule(
        target="a"
    )


def test_members_of_a_bit_set() -> None:
    assert (members(0), members(0b10110)) == ([], [1, 2, 4])
