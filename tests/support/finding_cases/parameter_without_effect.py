"""Parameters of useful requirements that could have their default: every request would be the same."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "not twice in a row what may be called once",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 1, consecutive_allowed: false}]
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="after the one call a is forbidden anyway",
    ),
    Case(
        "demanded once what is forced first",
        """
        tools: [a, b]
        requirements: [{conditional: a, force_at_step: 1, min_invocations: 1}]
        """,
        ("min_invocations: 1", "min_invocations: 2"),
        why="until a worked it is forced, which prevents stopping too",
    ),
    Case(
        "which failures are seen does not matter to a check",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, custom_checks: ["user_code:nothing_failed"], only_success_invocations: false}
        """,
        ('custom_checks: ["user_code:nothing_failed"]', "max_invocations: 2"),
        why="a check sees the whole state whatever the requirement counts",
    ),
    Case(
        "a priority where nothing is forced",
        """
        tools: [beta, alpha, x, y]
        requirements:
          - {conditional: beta, force_after: [x, y]}
          - {conditional: alpha, only_after: x, priority: 20}
        """,
        ("only_after: x", "force_after: x"),
        why="a priority decides between forced tools only; forced after x too, alpha wins by it",
    ),
    Case(
        "a force that lets stop where another demand does not",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1, force_prevent_stop: false}
          - {conditional: b, min_invocations: 1}
        """,
        ("min_invocations: 1", "max_invocations: 1"),
        why="while a is forced nothing was called, so b is missing too",
    ),
    Case(
        "hiding what is refused, where refusals are not remembered",
        """
        tools: [a, b]
        requirements: [{ask_permission: a, hide_disallowed: true}]
        """,
        ("hide_disallowed: true", "hide_disallowed: true, remember_choices: true"),
        why="only a remembered refusal makes a rule",
    ),
    Case(
        "excluded what is not included",
        """
        tools: [a, b, c]
        requirements: [{ask_permission: [a, c], exclude: b}]
        """,
        ("[a, c]", "[]"),
        why="b would not be asked for anyway; of every tool it is taken out",
    ),
    Case(
        "barred where it is used up",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, max_invocations: 1, only_before: b}
          - {conditional: b, only_after: a}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="b comes after the one call of a",
    ),
    Case(
        "waits for what is forced first",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: b, only_after: a, max_invocations: 3}
        """,
        ("force_at_step: 1", "max_invocations: 2"),
        why="nothing but a can be called first",
    ),
    Case(
        "a cap that cannot be reached",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, consecutive_allowed: false, max_invocations: 5}
          - {conditional: b, max_invocations: 1}
        """,
        ("b, max_invocations: 1", "b, min_invocations: 1"),
        why="a b a, and then neither may follow",
    ),
    Case(
        "a demand within another demand",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, min_invocations: 1, max_invocations: 2}
          - {conditional: b, only_after: a, min_invocations: 1}
        """,
        ("only_after: a, min_invocations: 1", "only_after: a"),
        why="b is demanded and waits for a",
    ),
    Case(
        "forced after what is never called",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, max_invocations: 0}
          - {conditional: a, max_invocations: 2, force_after: b}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        why="b is never the last call",
    ),
    Case(
        "a check that is always true beside a cap",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 2, custom_checks: ["user_code:always"]}]
        """,
        (":always", ":something_was_called"),
        why="it never forbids",
    ),
    Case(
        "a step after the last one",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_at_step: 3}
          - {conditional: a, only_after: b, force_at_step: 4}
        """,
        ("force_at_step: 3", "force_at_step: 5"),
        why="the third call is the answer",
    ),
    Case(
        "failures are seen where a failure ends the run",
        """
        tools: [a, b]
        requirements: [{conditional: a, max_invocations: 2, only_success_invocations: false}]
        limits: {max_retries_per_step: 0}
        """,
        ("max_retries_per_step: 0", "max_retries_per_step: 1"),
        why="no request follows a failing call",
    ),
    Case(
        "a priority that only decides what the order decides already",
        """
        tools: [alpha, beta, x, y]
        requirements:
          - {conditional: alpha, force_after: x, priority: 20}
          - {conditional: beta, force_after: [x, y]}
        """,
        ("[alpha, beta, x, y]", "[beta, alpha, x, y]"),
        why="on equal level the tool registered first wins, which is alpha",
    ),
    Case(
        "a cap on the answer",
        """
        tools: {a: {outcomes: {ok: fine, empty: ""}}, b: }
        requirements:
          - {conditional: final_answer, only_after: a, max_invocations: 1}
        """,
        ("max_invocations: 1", 'custom_checks: ["user_code:last_told_something"]'),
        why="the answer ends the run; a check after a:empty does not pass",
    ),
    Case(
        "never in a row, because something is forced between",
        """
        tools: [a, think]
        requirements:
          - {conditional: a, consecutive_allowed: false, max_invocations: 3}
          - {conditional: think, force_after: a}
        """,
        ("force_after: a", "only_after: a"),
        why="after an a that worked think is forced until it works",
    ),
    Case(
        "a check for refusals beside an order, where nothing is asked",
        """
        tools: [pay, ship, look]
        requirements:
          - {ask_permission: pay, always_allow: true}
          - {conditional: ship, only_after: pay, custom_checks: ["user_code:nothing_was_refused"]}
        """,
        ("always_allow: true", "always_allow: false"),
        why="the check is always true",
    ),
    Case(
        "the smaller of two demands",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: a, min_invocations: 1, max_invocations: 3}
          - {conditional: a, min_invocations: 2, only_after: c}
        """,
        ("a, min_invocations: 2", "b, min_invocations: 2"),
        why="two calls are demanded by the other",
    ),
    Case(
        "the greater of two caps",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: a, max_invocations: 3, only_before: b}
          - {conditional: a, max_invocations: 2}
        """,
        ("a, max_invocations: 2", "c, max_invocations: 2"),
        why="the third call is forbidden by the other",
    ),
    Case(
        "a force without choice that lets stop",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, force_after: b, force_prevent_stop: false, max_invocations: 2}
          - {conditional: b, max_invocations: 0}
        """,
        ("b, max_invocations: 0", "b, max_invocations: 1"),
        why="a is never forced",
    ),
    Case(
        "what is told of one requirement is not told of the other's parameter too",
        """
        tools: [a, b]
        requirements:
          - {conditional: a, consecutive_allowed: false, max_invocations: 1}
          - {conditional: a, consecutive_allowed: false}
        """,
        ("max_invocations: 1", "max_invocations: 2"),
        why="the second requirement is without effect beside the first; without it the first's parameter has one",
    ),
)
