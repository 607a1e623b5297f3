import pytest

from beewalk import FinalAnswerTool, Rule


def test_a_rule_allows_unless_it_says_otherwise() -> None:
    rule = Rule(target="search")
    assert (rule.allowed, rule.forced, rule.hidden, rule.prevent_stop, rule.reason) == (True, False, False, False, None)
    assert rule.effects() == ()


def test_a_rule_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Rule(target="search").allowed = False  # type: ignore[misc]


def test_effects_come_most_telling_first() -> None:
    rule = Rule(target="search", allowed=False, hidden=True, forced=True, prevent_stop=True)
    assert rule.effects() == ("forbids", "hides", "forces", "prevents_stop")


def test_grounds_take_no_part_in_comparisons() -> None:
    assert Rule(target="a", grounds=(("forbids", "only_after"),)) == Rule(target="a")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"target": FinalAnswerTool}, "write the name of a tool"),
        ({"target": "a", "allowed": None}, "write True or False"),
        ({"target": "a", "forced": "yes"}, "write True or False"),
        ({"target": "a", "reason": 3}, "write a text"),
    ],
)
def test_a_field_of_the_wrong_type_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Rule(**fields)  # type: ignore[arg-type]
