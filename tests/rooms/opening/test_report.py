"""The report document: the exploration as plain data, nodes and edges included."""

from beewalk import Policy
from beewalk.opening.report import report_of
from beewalk.properties.exploration import explore_policy
from beewalk.reports.document import Drawing, Edge, ReportDocument
from tests.support.builders import a_policy, when


def report(policy: Policy, **options: object) -> ReportDocument:
    return report_of(explore_policy(policy, **options))  # type: ignore[arg-type]  # whatever a test wants


def drawing(policy: Policy) -> Drawing:
    found = report(policy).drawing
    assert found is not None
    return found


def stuck() -> Policy:
    return a_policy(
        "a b", when("final_answer", only_after="b"), when("a", max_invocations=2), when("b", max_invocations=0)
    )


def test_numbers_are_those_of_the_exploration() -> None:
    policy = a_policy("a b", when("b", only_after="a", max_invocations=2), name="n")
    found, document = explore_policy(policy), report(policy)
    assert (document.policy, document.engine, document.outcomes, document.conduct) == ("n", "beewalk", ("ok",), ())
    assert (document.states, document.moves, document.depth) == (found.states, found.moves, found.depth)
    assert (document.complete, document.stop_reason, document.max_length) == (True, "exhausted", 20)
    assert document.complete_runs == found.complete_runs
    assert [line.tool for line in document.tools] == ["a", "b", "final_answer"]


def test_search_that_was_cut_short_says_why() -> None:
    policy = a_policy("a", when("a", max_invocations=9))
    assert report(policy, max_states=3).stop_reason == "max_states"
    assert report(policy, max_depth=3).stop_reason == "max_depth"
    assert not report(policy, max_depth=3).complete


def test_nodes_say_what_can_be_done_there() -> None:
    nodes = drawing(a_policy("a b", when("b", min_invocations=1, max_invocations=1))).nodes
    assert [(node.number, node.depth, node.can_answer, node.loops, node.label) for node in nodes] == [
        (0, 0, False, ("a",), ("cannot stop",)),
        (1, 1, True, ("a",), ("after b", "b 1/1")),
    ]


def test_start_that_is_a_dead_end_is_drawn_as_one() -> None:
    nodes = drawing(a_policy("a", when("final_answer", only_after="a"), when("a", max_invocations=0))).nodes
    assert [(node.number, node.kind) for node in nodes] == [(0, "dead_end")]


def test_state_where_a_requirement_raises_is_drawn_as_one() -> None:
    policy = a_policy("a b", when("a", force_at_step=2, max_invocations=0), when("b", min_invocations=1))
    assert [node.kind for node in drawing(policy).nodes] == ["state", "requirement_error"]


def test_moves_between_the_same_states_are_one_edge() -> None:
    policy = a_policy("a b", when("final_answer", only_after="*"))
    assert drawing(policy).edges == (Edge(0, 1, ("a", "b"), on_witness=False),)


def test_edges_of_the_first_witness_are_marked() -> None:
    document = report(stuck())
    assert [finding.code for finding in document.errors] == ["dead-end"]
    assert document.findings[0].witness == ("a", "a")
    assert document.drawing is not None
    assert [(edge.source, edge.target) for edge in document.drawing.edges if edge.on_witness] == [(0, 1), (1, 2)]


def test_findings_have_their_rulings_in_words() -> None:
    finding = report(stuck()).findings[0]
    assert [(ruling.tool, ruling.allowed) for ruling in finding.rulings] == [
        ("a", False),
        ("b", False),
        ("final_answer", False),
    ]
    because = finding.rulings[0].because[0]
    assert (because.effect, because.requirement, because.parameter) == ("forbids", "conditional a", "max_invocations")
    assert because.sentence in finding.rulings[0].sentence
