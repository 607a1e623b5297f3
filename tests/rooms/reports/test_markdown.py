"""Markdown: a comment that tells what was found, pings nobody and breaks no table."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from beewalk import Policy
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import Drawing, Edge, ReportDocument
from beewalk.reports.markdown import MOST_CHARACTERS, as_markdown
from beewalk.reports.markup import fenced, plain
from beewalk.reports.mermaid import MOST_NODES, as_mermaid
from beewalk.reports.terminal import printable
from tests.support.builders import a_policy, when
from tests.support.documents import HOSTILE, a_drawing, a_report, an_error
from tests.support.pictures import a_finding, a_node


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
    assert plain("a|b *c* _d_ `e` [f](g) <h> &i; #7 @team ~k~ \\l $x$ https://y www.z") == (
        r"a\|b \*c\* \_d\_ \`e\` \[f\](g) &lt;h> &amp;i; #<!-- -->7 @<!-- -->team \~k\~ \\l &#36;x&#36; "
        "https://<!-- -->y www.<!-- -->z"
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


hostile = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())


def shape(text: str) -> list[str]:
    """What a reader of Markdown sees in the report, apart from the words."""
    return list(_kinds(MarkdownIt("commonmark").enable("table").parse(as_markdown(a_report(text)))))


def _kinds(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"html_block", "html_inline"} and token.content != "<!-- -->":
            yield token.content
        elif token.type not in {"text", "html_inline"}:
            yield token.type
        yield from _kinds(token.children or ())


@hostile
def test_hostile_texts_change_no_markup(text: str) -> None:
    assert shape(text) == shape("word")
    made = as_markdown(a_report(text))
    assert all(line.isprintable() for line in made.split("\n"))
    assert not re.search(r"@\w", re.sub(r"^(`{3,})\w.*?^\1$", "", made, flags=re.DOTALL | re.MULTILINE))


@hostile
def test_labels_of_a_diagram_show_hostile_texts(text: str) -> None:
    lines = as_mermaid(a_drawing(text))
    assert [line for line in lines if re.search(r"direction\s+(TB|BT|RL|LR)", line, re.IGNORECASE)] == lines[1:2]
    labels = [re.sub(r"#(\d+);", lambda found: chr(int(found[1])), line) for line in lines[2:5]]
    assert all(printable(text[:100]) in label for label in labels)
    assert len(lines) == len(as_mermaid(a_drawing("word")))


def test_a_report_is_no_longer_than_a_comment_and_says_what_it_left_out() -> None:
    long = "y" * 3_000
    made = as_markdown(a_report(long, findings=(an_error(long),) * 40))
    assert len(made) <= MOST_CHARACTERS
    assert made.startswith("**yyy")
    assert re.search(r"Left out: \d+ of 45 parts of this report; a comment holds no more\.\n$", made)
    assert "Left out" not in as_markdown(a_report("word"))


def test_diagrams_that_nobody_can_read_or_mermaid_refuses_are_left_out() -> None:
    nodes = tuple(a_node(number, can_answer=True) for number in range(MOST_NODES + 1))
    assert "stateDiagram" not in as_markdown(a_report("x", drawing=Drawing(nodes, ())))
    assert "Diagram of 60 states" in as_markdown(a_report("x", drawing=Drawing(nodes[:MOST_NODES], ())))
    moves = ("\0" * 200,)
    edges = tuple(Edge(0, target, moves, on_witness=False) for target in range(1, MOST_NODES))
    made = as_markdown(a_report("x", drawing=Drawing(nodes[:MOST_NODES], edges)))
    assert "No diagram: its labels are longer than Mermaid takes." in made


def test_the_star_of_the_witness_is_explained() -> None:
    drawing = a_drawing("x")
    assert "★ marks the witness" in as_markdown(a_report("x", drawing=drawing))
    unmarked = Drawing(drawing.nodes, tuple(replace(edge, on_witness=False) for edge in drawing.edges))
    assert "★" not in as_markdown(a_report("x", drawing=unmarked))


def test_accepted_and_known_findings_are_folded_with_the_reason() -> None:
    findings = (a_finding(accepted="we know"), a_finding(accepted=""), a_finding(known=True))
    text = as_markdown(a_report("x", findings=findings))
    ends = [line.rpartition("(")[2] for line in text.splitlines() if line.startswith("error dead-end")]
    assert ends == ["accepted: we know)", "accepted: )", "known from the baseline)"]
    assert "3 accepted or known" in text


@pytest.mark.parametrize(("name", "shown"), [("", "(no name)"), ("  ", "(no name)"), (" a ", "a")])
def test_a_name_that_cannot_be_emphasised_is_still_the_first_word(name: str, shown: str) -> None:
    assert as_markdown(a_report(name)).startswith(f"**{shown}**: ")


@pytest.mark.parametrize(
    ("move", "label"),
    [
        ("1. item", "1#46; item"),
        ("- item", "#45; item"),
        ("__init__", "#95;_init_#95;"),
        ("a.b-c_d/e", "a.b-c_d/e"),
        ("go Direction  lr", "go Direction#32; lr"),
    ],
)
def test_labels_begin_neither_lists_nor_emphasis_nor_statements(move: str, label: str) -> None:
    drawing = Drawing((a_node(0), a_node(1)), (Edge(0, 1, (move,), on_witness=False),))
    assert f"  s0 --> s1 : {label}" in as_mermaid(drawing)
