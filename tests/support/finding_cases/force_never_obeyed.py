"""Forces that never win: in no reachable state where a requirement forces a tool is it the forced one."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "outranked at the one step it is about",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: b, force_at_step: 1, priority: 5}
        """,
        ("force_at_step: 1, priority: 5", "force_at_step: 2, priority: 5"),
        why="a wins the first step by its priority",
    ),
    Case(
        "registered later on equal level",
        """
        tools: [a, b, x, y]
        requirements:
          - {conditional: b, force_after: x}
          - {conditional: a, force_after: x}
        """,
        ("b, force_after: x", "b, force_after: y"),
        why="the order of the requirements does not matter, that of the tools does",
    ),
    Case(
        "forbidden by a fixed rule",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 2}
          - rules: [{target: a, allowed: false}]
        """,
        ("allowed: false", "allowed: true"),
        why="only an allowed tool can be forced",
    ),
    Case(
        "the forced answer is outranked",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: final_answer, force_after: a, priority: 5}
          - {conditional: b, force_after: a}
        """,
        ("b, force_after: a", "b, force_after: c"),
        why="after a both are forced and b wins",
    ),
    Case(
        "hidden and forced by the same rule",
        """
        tools: [a, b]
        requirements:
          - rules: [{target: a, forced: true, hidden: true}]
          - {conditional: final_answer, force_at_step: 3, priority: 20}
        """,
        ("hidden: true", "hidden: false"),
        why="hidden implies forbidden",
    ),
    Case(
        "two forced by one requirement",
        """
        tools: [a, b]
        requirements:
          - rules: [{target: a, forced: true}, {target: b, forced: true}]
          - {conditional: final_answer, force_at_step: 3, priority: 20}
        """,
        ("target: b, forced: true", "target: b, forced: false"),
        why="b's rule never wins over a's of the same priority",
    ),
    Case(
        "against one that is forced every turn",
        """
        tools: [tick, tock]
        requirements:
          - {rules: [{target: tick, forced: true}], priority: 30}
          - {conditional: tock, force_after: tick}
          - {conditional: final_answer, force_at_step: 4, priority: 40}
        """,
        ("priority: 30", "priority: 5"),
        why="tick wins after tick too",
    ),
    Case(
        "barred by what it is forced after",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_after: b}
          - {conditional: a, only_before: b}
        """,
        ("only_before: b", "only_after: b"),
        why="where the last call was b, b was called",
    ),
    Case(
        "own code forces what may not be called",
        """
        tools: [edit, review]
        requirements:
          - python: "user_code:forces_review_after_edit"
          - {conditional: review, max_invocations: 0}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        why="the cap forbids it",
    ),
    Case(
        "a check forbids it at the one moment",
        """
        tools: [ping, pong, wait]
        requirements:
          - {conditional: pong, force_after: ping}
          - {conditional: pong, custom_checks: ["user_code:last_was_not_ping"]}
        """,
        ("force_after: ping", "force_after: wait"),
        why="right after ping the check is false",
    ),
    Case(
        "the winner borrows its level",
        """
        tools: [alpha, beta, x, y]
        requirements:
          - {conditional: alpha, force_after: x, priority: 20}
          - {conditional: beta, force_after: [x, y], priority: 15}
          - {conditional: beta, min_invocations: 1, priority: 30}
        """,
        ("priority: 30", "priority: 18"),
        why="after x the level of beta is 30; with 18 alpha wins there, and beta after y",
    ),
    Case(
        "only a granted choice could lift it",
        """
        tools: [alpha, beta, x]
        requirements:
          - {conditional: alpha, force_after: x}
          - {conditional: beta, force_after: x}
          - {ask_permission: beta}
        """,
        ("{ask_permission: beta}", "{ask_permission: beta, remember_choices: true}"),
        why="equal levels: alpha; beta granted and remembered has 11",
    ),
    Case(
        "forced where something came back, forbidden unless nothing did",
        """
        tools: {search: {outcomes: {ok: hits, empty: ""}}, report: }
        requirements:
          - {conditional: report, force_after: search, custom_checks: ["user_code:last_told_something"]}
          - {conditional: report, custom_checks: ["user_code:last_told_nothing"]}
        """,
        ("last_told_nothing", "something_was_called"),
        why="the two checks are never true together after a call",
    ),
    Case(
        "forced after a failure, but waiting for a success that leaves none to fail",
        """
        tools: [main, fallback]
        requirements:
          - python: "user_code:forces_fallback_after_a_failed_main"
          - {conditional: fallback, only_after: main}
          - {conditional: main, max_invocations: 1}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        outcomes=("ok", "error"),
        why="main fails only before it worked",
    ),
    Case(
        "the answer ties with what is forced every turn",
        """
        tools: [spin, rest]
        requirements:
          - {conditional: final_answer, force_at_step: 3, priority: 10}
          - rules: [{target: spin, forced: true}]
        """,
        ("priority: 10", "priority: 20"),
        why="the answer is registered last",
    ),
    Case(
        "a thought comes first after everything",
        """
        tools: [think, search, log]
        requirements:
          - {conditional: think, force_after: "*", consecutive_allowed: false, priority: 20}
          - {conditional: log, force_after: search}
        """,
        ('force_after: "*"', "force_after: log"),
        why="after search think wins, and after think the last call is think",
    ),
    Case(
        "its rival can be switched off",
        """
        tools: [a, b, x]
        requirements:
          - {conditional: a, force_after: x, priority: 20, enabled: true}
          - {conditional: b, force_after: x}
        """,
        ("enabled: true", "enabled: false"),
        why="a disabled requirement makes no rules",
    ),
    Case(
        "at the first step it still has to wait",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: a, only_after: b}
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        why="the other requirement forbids it there; none raises",
    ),
    Case(
        "used up by the time it is forced again",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: a, force_after: b}
          - {conditional: a, max_invocations: 1}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="the first step was its one call; the second force never wins",
    ),
    Case(
        "a force that is never made is another matter",
        """
        tools: [a, b, z]
        requirements:
          - {conditional: a, force_after: z}
          - {conditional: b, force_after: z}
          - {conditional: z, max_invocations: 1}
        """,
        ("max_invocations: 1", "max_invocations: 0"),
        why="b loses to a after z; where z is never called nothing is forced at all",
    ),
    Case(
        "three in a row of rank",
        """
        tools: [low, middle, high, x, y, z]
        requirements:
          - {conditional: low, force_after: [x, z], priority: 1}
          - {conditional: middle, force_after: [x, y], priority: 2}
          - {conditional: high, force_after: [x, y], priority: 3}
        """,
        ("high, force_after: [x, y]", "high, force_after: [x]"),
        why="middle loses after x and after y; low wins after z",
    ),
)
