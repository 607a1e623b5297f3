"""Markdown: a comment that tells what was found, pings nobody and breaks no table."""

import re

from beewalk import Policy
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import ReportDocument
from beewalk.reports.markdown import as_markdown
from beewalk.reports.markup import fenced, plain
from tests.support.builders import a_policy, when


def report(policy: Policy) -> ReportDocument:
    return report_of(explore_policy(policy))


def stuck(**options: str) -> Policy:
    return a_policy(
        "a b",
        when("final_answer", only_after="b"),
        when("a", max_invocations=2),
        when("b", max_invocations=0),
        **options,
    )


def test_verdict_findings_tools_and_counts_follow_each_other() -> None:
    text = as_markdown(report(stuck(name="n")))
    assert text.startswith("**n**: 1 error; ")
    parts = ["**error** `dead-end` after a, a:", "witness  a a\n", "| a | 1 | 2 |", "- 3 states, 2 moves", "```mermaid"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_warnings_and_notes_are_folded() -> None:
    text = as_markdown(report(a_policy("a", when("a", min_invocations=1))))
    assert "<details><summary>\n\n**warning** `tool-blocks-stop`" in text
    assert text.count("<details>") == text.count("</details>") == 1


def test_the_diagram_marks_what_stands_out() -> None:
    text = as_markdown(report(stuck()))
    lines = text.partition("```mermaid\n")[2].partition("```")[0].splitlines()
    assert lines[:2] == ["stateDiagram-v2", "  direction LR"]
    assert '  state "DEAD END · after a · a 2/2" as s2' in lines
    assert "  s1 --> s2 : ★ a" in lines
    assert "  class s2 dead" in lines


def test_a_graph_that_is_too_large_is_not_drawn_and_that_is_said() -> None:
    text = as_markdown(report(a_policy("a b c", *(when(name, max_invocations=4) for name in "abc"))))
    assert "No diagram: 125 states are too many to read." in text
    assert "mermaid" not in text


def test_users_texts_are_no_markup_and_notify_nobody() -> None:
    assert plain("a|b *c* _d_ `e` [f](g) <h> &i; #j @team ~k~ \\l") == (
        r"a\|b \*c\* \_d\_ \`e\` \[f\](g) &lt;h> &amp;i; \#j @<!-- -->team \~k\~ \\l"
    )
    assert plain("a\nb\0") == r"a\\nb\\x00"  # Markdown shows one backslash each


def test_a_fence_is_longer_than_any_within() -> None:
    assert fenced(["a ````` b", "c"]) == ["``````text", "a ````` b", "c", "``````"]


def test_labels_of_a_diagram_hold_nothing_that_means_something_to_it() -> None:
    policy = a_policy("a", when("a", max_invocations=1))
    hostile = 'x"; <b> --> {y} [z]: %% #quot'
    policy.tools[0].name = hostile
    text = as_markdown(report(Policy([policy.tools[0]], [when(hostile, max_invocations=1, min_invocations=1)])))
    diagram = text.partition("```mermaid\n")[2].partition("```")[0]
    labels = re.findall(r' : (.*)$|state "(.*)" as', diagram, flags=re.MULTILINE)
    assert labels
    assert all(re.fullmatch(r"(?:[\w ./·,…()★-]|#\d+;)*", one or other) for one, other in labels)
