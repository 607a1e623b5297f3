"""dot and GraphML: the whole graph, readable by other programs."""

import re
from io import BytesIO

import networkx as nx
import pytest

from beewalk import Policy, Tool
from beewalk.opening.drawing import whole_drawing
from beewalk.properties.exploration import Exploration, explore_policy
from beewalk.reports.graph_files import as_dot, as_graphml
from tests.cli.test_hostile_names import HOSTILE
from tests.support.builders import a_policy, when

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
