"""Requirements without which every request would be the same."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "it says nothing but a reason",
        """
        tools: [a, b]
        requirements: [{conditional: a, reason: be careful}]
        """,
        ("reason: be careful", "reason: be careful, max_invocations: 2"),
        why="a text that is told only where the tool is forbidden",
    ),
    Case(
        "a cap above another cap",
        """
        tools: [search, read]
        requirements:
          - {conditional: search, max_invocations: 2}
          - {conditional: search, max_invocations: 3}
        """,
        ("search, max_invocations: 3", "read, max_invocations: 3"),
        why="the third call is forbidden anyway",
    ),
    Case(
        "an order that follows from two others",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, only_after: a}
          - {conditional: c, only_after: b}
          - {conditional: c, only_after: a}
        """,
        ("c, only_after: b", "c, only_before: b"),
        why="where b was called a was too",
    ),
    Case(
        "the answer waits for what is demanded anyway",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, min_invocations: 1}
          - {conditional: final_answer, only_after: a}
        """,
        ("final_answer, only_after: a", "final_answer, only_after: b"),
        why="as long as a is missing stopping is prevented, which takes the answer out too",
    ),
    Case(
        "not twice in a row what may be called once",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 1}
          - {conditional: a, consecutive_allowed: false}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="after one call it is forbidden anyway",
    ),
    Case(
        "permission that is always given",
        """
        tools: [read, delete]
        requirements: [{ask_permission: delete, always_allow: true}]
        """,
        ("always_allow: true", "always_allow: false"),
        why="nothing is asked and nothing forbidden; otherwise the user is asked",
    ),
    Case(
        "permission for what is excluded",
        """
        tools: [read, delete]
        requirements: [{ask_permission: delete, exclude: delete}]
        """,
        ("exclude: delete", "exclude: read"),
        why="no tool is left to ask for",
    ),
    Case(
        "a fixed rule that allows",
        """
        tools: [a, b]
        requirements:
          - {conditional: b, only_after: a}
          - rules: [{target: a, allowed: true}]
        """,
        ("allowed: true", "hidden: true"),
        why="allowed is what a tool is without a rule",
    ),
    Case(
        "what has to come first comes first anyway",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: a, min_invocations: 1}
          - {conditional: b, only_after: a}
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        why="the force alone makes the other two superfluous; as second call each does something",
    ),
    Case(
        "a check that is always true",
        """
        tools: [a, b]
        requirements: [{conditional: a, custom_checks: ["user_code:always"]}]
        """,
        (":always", ":nothing_was_called"),
        why="it never forbids",
    ),
    Case(
        "own code that makes no rules",
        """
        tools: [a, b]
        requirements: [{python: "user_code:says_nothing"}]
        """,
        ("says_nothing", "a_only_once"),
        why="an empty list says nothing",
    ),
    Case(
        "the user is asked for by two",
        """
        tools: [pay, ship, look]
        requirements:
          - {ask_permission: pay}
          - {ask_permission: [pay]}
        """,
        ("[pay]", "[ship]"),
        why="without one of them the other still asks",
    ),
    Case(
        "too late where it is used up",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 1}
          - {conditional: b, only_after: a}
          - {conditional: a, only_before: b}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="b comes after the one call of a",
    ),
    Case(
        "a smaller demand beside a greater one",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, min_invocations: 1}
          - {conditional: a, min_invocations: 3}
        """,
        ("a, min_invocations: 1", "b, min_invocations: 1"),
        why="three calls are demanded anyway",
    ),
    Case(
        "a force within another force",
        """
        tools: [a, b, c, d]
        requirements:
          - {conditional: a, force_after: b}
          - {conditional: a, force_after: [b, c]}
        """,
        ("force_after: b}", "force_after: d}"),
        why="the second forces a after b too, with the same priority",
    ),
    Case(
        "a priority that it lends and that is not enough",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, max_invocations: 2}
          - {conditional: beta, force_at_step: 1, max_invocations: 2, priority: 20}
          - {rules: [{target: alpha}], priority: 15}
        """,
        ("priority: 15", "priority: 30"),
        why="beta wins with or without it; lent 30, alpha wins",
    ),
    Case(
        "a cap on the answer, which ends the run",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, max_invocations: 1}
        """,
        ("max_invocations: 1", "only_after: a"),
        why="the answer is called once at most",
    ),
    Case(
        "a check for an outcome that no tool has",
        """
        tools: {search: {outcomes: {ok: hits, empty: ""}}, report: }
        requirements: [{conditional: report, custom_checks: ["user_code:nothing_timed_out"]}]
        """,
        ('empty: ""', 'timeout: ""'),
        why="the check is true after every history",
    ),
    Case(
        "failing calls alone can make the difference",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 1}
          - {conditional: a, consecutive_allowed: false, only_success_invocations: true}
        """,
        ("only_success_invocations: true", "only_success_invocations: false"),
        why="seen, a failing call may not be followed by a; judged with error whatever is explored",
    ),
    Case(
        "a check for refusals that cannot be",
        """
        tools: [pay, ship]
        requirements:
          - {ask_permission: pay, always_allow: true}
          - {conditional: ship, custom_checks: ["user_code:nothing_was_refused"]}
        """,
        ("always_allow: true", "always_allow: false"),
        why="nothing is asked, so neither of the two does anything",
    ),
    Case(
        "two rules that both prevent stopping",
        """
        tools: [log, work]
        requirements:
          - rules: [{target: log, prevent_stop: true}]
          - {conditional: final_answer, force_at_step: 3}
          - rules: [{target: work, prevent_stop: true, reason: not done}]
        """,
        ("work, prevent_stop: true", "work, hidden: true"),
        why="stopping is prevented every turn by the first alone",
    ),
    Case(
        "forced after what is never called",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, max_invocations: 0}
          - {conditional: a, force_after: b}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        why="b is never the last call",
    ),
    Case(
        "a step after the last",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_at_step: 3}
          - {conditional: a, force_at_step: 4}
        """,
        ("force_at_step: 4", "force_at_step: 2"),
        why="the third step is the answer",
    ),
)
