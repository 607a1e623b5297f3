"""What a reader finds in each picture."""

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text

from beewalk.reports.calendar import calendar
from beewalk.reports.document import Calendar, CalendarRow, Drawing, Edge, Node, Stage, ToolMap
from beewalk.reports.figures import drawing_style
from beewalk.reports.sheet import Rect, Sheet
from beewalk.reports.state_graph import state_graph
from beewalk.reports.strip import MOST_STAGES, strip
from beewalk.reports.tool_map import tool_map
from tests.support.pictures import a_document, a_finding, a_node, a_tool_map, faults_of, some_stages

NAMES = ["draft", "review", "publish"]


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text) and text.get_text()]


def graph_words(nodes: Sequence[Node], *edges: Edge, **changes: Any) -> list[str]:
    drawing = Drawing(tuple(nodes), edges)
    with drawing_style():
        return words(state_graph(a_document(drawing=drawing, **changes), drawing))


def edge(source: int, target: int, *moves: str, on_witness: bool = False) -> Edge:
    return Edge(source, target, moves or ("go",), on_witness)


def test_ruler_sees_what_is_wrong() -> None:
    with drawing_style():
        sheet = Sheet()
        sheet.words((0, 0), "one text")
        sheet.words((4, 3), "over another")
        sheet.words((0, 50), "tiny", size=4)
        sheet.box(Rect(20, 90, 50, 20))
        sheet.words((60, 100), "out of its box")
        sheet.stroke(((-20, 50), (-20, 50), (40, 50), (40, 50)))
        figure = sheet.finished()
        figure.text(-0.01, 0.2, "cut")
        assert faults_of(figure) == [
            "small: tiny",
            "cut off: cut",
            "over each other: one text and over another",
            "over a border: out of its box",
            "a line runs through tiny",
        ]


def test_states_are_told_apart_by_words() -> None:
    nodes = [
        a_node(0, 0, label=("after nothing", "cannot stop")),
        a_node(1, 1, kind="dead_end"),
        a_node(2, 1, kind="requirement_error"),
        a_node(3, 1, lost=True),
        a_node(4, 1, can_answer=True, loops=("a", "b", "c", "d"), states=3),
    ]
    drawn = graph_words(nodes, *(edge(0, number) for number in range(1, 5)))
    assert {
        "start",
        "after nothing",
        "cannot stop",
        "✖ dead end",
        "⚠ requirement raises",
        "no answer from here",
    } <= set(drawn)
    assert {"✓ final answer possible", "(3 states)", "↻ a, b, +2 more"} <= set(drawn)
    assert (
        len([text for text in drawn if text.startswith(("dead end:", "dashed:", "double green", "a requirement"))]) == 4
    )


def test_legend_has_what_occurs_only() -> None:
    drawn = graph_words([a_node(0)])
    assert drawn[-1] == "start; calls go from left to right"
    assert not [text for text in drawn if "dead end" in text or "green" in text or "thick" in text]


def test_moves_are_written_shortly() -> None:
    drawn = graph_words([a_node(0), a_node(1, 1)], edge(0, 1, "a", "b:ok", "b:error", "c", "d"))
    assert {"a", "b: ok, error", "+2 more"} <= set(drawn)


def test_way_back_is_marked() -> None:
    drawn = graph_words([a_node(0), a_node(1, 1), a_node(2, 2)], edge(0, 1), edge(1, 2), edge(2, 0, "retry"))
    assert "← retry" in drawn
    assert "a call that leads back to an earlier state" in drawn


def test_title_says_what_is_drawn_and_what_was_not_seen() -> None:
    assert "1 state, 16 moves" in graph_words([a_node(0)])
    merged = graph_words([a_node(0, states=1_000)], states=1_000)
    assert "1,000 states, those with the same future drawn as one (1 drawn); 16 moves" in merged
    cut = graph_words([a_node(0)], complete=False, stop_reason="limit")
    assert "1 state; 16 moves; not everything was seen: limit" in cut


def map_words(shown: ToolMap) -> list[str]:
    with drawing_style():
        return words(tool_map(a_document(tool_map=shown)))


def test_map_of_few_lines_is_boxes() -> None:
    drawn = map_words(ToolMap(("a", "b", "final_answer"), (), ("a",), (("a", "a"), ("a", "b")), (("a", "b"),)))
    assert drawn.count("a") == 1
    assert {"start", "↻ can repeat", "thick: nothing else can come next", "double border: ends the run"} <= set(drawn)


def test_map_of_many_lines_or_tools_is_a_matrix() -> None:
    for count, density in ((5, 1.0), (17, 0.0)):
        drawn = map_words(a_tool_map([f"t{number}" for number in range(count)], density=density))
        assert drawn.count("t0") == 2, "a row and a column"
        assert "after ↓   next →" in drawn


def test_hidden_tools_are_named_or_counted() -> None:
    assert "not shown: old, older" in map_words(ToolMap(("a",), ("old", "older"), ("a",), (), ()))
    many = map_words(ToolMap(("a",), tuple(f"t{number}" for number in range(20)), ("a",), (), ()))
    assert any("t11 and 8 more" in text for text in many)


def test_tools_that_the_map_leaves_out_are_not_needed() -> None:
    shown = ToolMap(("a",), ("gone",), ("a", "gone"), (("a", "gone"), ("gone", "a")), (("gone", "a"),))
    assert "gone" not in map_words(shown)


def calendar_words(*cells: tuple[str, ...], cut: str = "") -> list[str]:
    with drawing_style():
        return words(calendar(a_document(calendar=Calendar((CalendarRow("search", cells),), cut))))


def test_calendar_explains_what_occurs() -> None:
    drawn = calendar_words(("forced",), ("allowed", "forbidden"), (), cut="a run has at most 3 calls")
    assert {"search", "1", "2", "3", "allowed", "must be called", "forbidden", "blank: no run gets so far"} <= set(
        drawn
    )
    assert "split: allowed in some states, forbidden in others" in drawn
    assert "hidden from the chat model" not in drawn
    assert "No more steps are shown: a run has at most 3 calls" in drawn


def strip_words(stages: Sequence[Stage]) -> list[str]:
    with drawing_style():
        return words(strip(a_document(), a_finding(stages=tuple(stages))))


def test_strip_tells_what_was_offered_called_and_kept_out() -> None:
    first = Stage(1, ("draft",), "draft", False, (("review", "only after draft"),), "draft")
    last = Stage(1, (), None, False, (("draft", "2 of 2 calls made"),), None, "nothing is allowed")
    drawn = strip_words([first, last])
    assert {"before call 1", "must: draft", "draft", "✕ review", "only after draft"} <= set(drawn)
    assert {"before call 2", "nothing at all", "✖ nothing is allowed"} <= set(drawn)
    assert "run 1" not in drawn


def test_long_strip_says_how_many_calls_are_left_out() -> None:
    drawn = strip_words(some_stages(NAMES, 40))
    assert "… 29 more calls …" in drawn
    cards = [text for text in drawn if text.startswith("before call")]
    assert cards == [f"before call {number}" for number in (1, 2, 3, 4, *range(34, 41))]
    assert len(cards) == MOST_STAGES - 1


def test_several_runs_are_parted() -> None:
    drawn = strip_words(some_stages(NAMES, 6, runs=2))
    assert [text for text in drawn if text in {"run 1", "run 2", "run 3"}] == ["run 1", "run 2"]
    assert drawn.count("before call 1") == 2


def test_witness_is_numbered_call_by_call() -> None:
    nodes = [a_node(0), a_node(1, 1, loops=("wait",)), a_node(2, 2, kind="dead_end")]
    edges = [edge(0, 1, "b", "a", on_witness=True), edge(1, 2, "c", on_witness=True)]
    drawn = graph_words(nodes, *edges, findings=(a_finding(witness=("a", "wait", "c")),))
    assert {"1. a", "b", "3. c"} <= set(drawn)


def test_witness_that_the_graph_does_not_have_is_not_numbered() -> None:
    drawn = graph_words([a_node(0), a_node(1, 1)], edge(0, 1, "a"), findings=(a_finding(witness=("x", "a")),))
    assert "a" in drawn


def test_map_says_why_there_is_no_graph() -> None:
    with drawing_style():
        drawn = words(tool_map(a_document(states=250, complete=False)))
    line = "Which tool can be called directly after which, as far as the search came; 250 states are too many"
    assert line in " ".join(drawn)
