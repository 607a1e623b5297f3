"""dot and GraphML: the whole graph, readable by other programs."""

import re
from io import BytesIO

import networkx as nx
import pytest

from beewalk import Policy, Tool
from beewalk.opening.drawing import whole_drawing
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.reports.document import Drawing
from beewalk.reports.graph_files import as_dot, as_graphml
from beewalk.reports.terminal import printable
from tests.cli.test_hostile_names import HOSTILE
from tests.support.builders import a_policy, when
from tests.support.documents import HOSTILE as TEXTS
from tests.support.documents import a_drawing
from tests.support.pictures import a_node

STATEMENT = re.compile(
    r'  (?:\w+(?: -> \w+)?(?: \[(?:\w+=(?:"(?:[^"\\\n]|\\.)*"|[\w.#]+)(?:, )?)+\])?|rankdir=LR);', flags=re.ASCII
)


def explored(name: str = "a") -> Exploration:
    tools = [Tool(name), Tool("other")]
    rules = [when(name, max_invocations=2, min_invocations=1), when("other", max_invocations=1, only_after=name)]
    return explore_policy(Policy(tools, rules, name=name))


def test_graphml_has_every_state_and_pair_of_states() -> None:
    found = explored()
    graph = nx.read_graphml(BytesIO(as_graphml("n", whole_drawing(found)).encode()))
    assert graph.number_of_nodes() == found.states
    pairs = {(state, target) for state, arcs in enumerate(found.graph.arcs) for _, target in arcs if target >= 0}
    assert {(int(one[1:]), int(other[1:])) for one, other in graph.edges} == pairs
    assert graph.nodes["s0"]["offered"] == "a"
    assert graph.nodes["s0"]["can_stop"] is False
    assert graph.nodes["s1"]["label"] == "after a · a 1/2"
    assert graph.edges["s0", "s1"]["moves"] == "a"


def test_moves_that_stay_are_loops() -> None:
    found = explore_policy(a_policy("a b", when("b", max_invocations=1)))
    graph = nx.read_graphml(BytesIO(as_graphml("n", whole_drawing(found)).encode()))
    assert graph.edges["s0", "s0"]["moves"] == "a"
    assert 's0 -> s0 [label="a"];' in as_dot("n", whole_drawing(found))


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_names_are_text_in_both(name: str) -> None:
    drawing = whole_drawing(explored(name))
    first, *statements, last, _ = as_dot(name, drawing).split("\n")
    assert re.fullmatch(r'digraph "(?:[^"\\]|\\.)*" \{', first)
    assert last == "}"
    assert all(STATEMENT.fullmatch(statement) for statement in statements), statements
    graph = nx.read_graphml(BytesIO(as_graphml(name, drawing).encode()))
    assert graph.number_of_nodes() == len(drawing.nodes)


def test_dead_ends_and_lost_states_stand_out_in_dot() -> None:
    policy = a_policy(
        "a b", when("final_answer", only_after="b"), when("a", max_invocations=2), when("b", max_invocations=0)
    )
    text = as_dot("n", whole_drawing(explore_policy(policy)))
    assert re.search(r's2 \[label="dead end.*shape=octagon', text)
    assert re.search(r's1 \[label="no answer from here.*dashed', text)
    assert re.search(r"s0 -> s1 .*penwidth", text)


texts = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())


@texts
def test_graphml_gives_hostile_texts_back(text: str) -> None:
    made = as_graphml(text, a_drawing(text))
    graph = nx.read_graphml(BytesIO(made.encode()))
    shown = printable(text)
    assert graph.graph["name"] == shown
    assert graph.nodes["s0"] == {
        "depth": 0, "kind": "state", "label": f"{shown} · s 0", "offered": shown, "can_answer": True,
        "can_stop": False, "lost": False, "states": 1,
    }  # fmt: skip
    assert [(one, other, data["moves"], data["on_witness"]) for one, other, data in graph.edges(data=True)] == [
        ("s0", "s0", shown, False),
        ("s0", "s1", f"{shown}, b", True),
        ("s1", "s2", shown, False),
    ]
    assert made == as_graphml(text, a_drawing(text))


@texts
def test_dot_gives_hostile_texts_back(text: str) -> None:
    statements = as_dot(text, a_drawing(text)).split("\n")[1:-2]
    assert all(STATEMENT.fullmatch(statement) for statement in statements), statements
    (label,) = (re.search(r'\[label="((?:[^"\\]|\\.)*)"', line) for line in statements if line.startswith("  s1 ["))
    assert label
    parts = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], label[1]).split("\n")
    assert [part.replace("&amp;", "&") for part in parts if part] == [
        part for part in ("dead end", printable(text), "s 1") if part
    ]
    assert not re.search(r"&(?!amp;)", label[1])


def test_a_graph_of_one_state_is_a_graph() -> None:
    drawing = Drawing((a_node(0, label=(), kind="dead_end", lost=True),), ())
    graph = nx.read_graphml(BytesIO(as_graphml("", drawing).encode()))
    assert (graph.nodes["s0"]["label"], graph.nodes["s0"]["offered"], len(graph.edges)) == ("", "", 0)
    assert 's0 [label="dead end", shape=octagon' in as_dot("", drawing)
