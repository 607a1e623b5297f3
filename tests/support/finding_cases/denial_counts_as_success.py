"""Refused calls that lift a min_invocations of their tool or open an only_after."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "a demanded call is refused",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: [pay]}
          - {conditional: pay, min_invocations: 1}
        """,
        ("[pay]", "[shop]"),
        why="pay:denied is a call of pay",
    ),
    Case(
        "another tool waits for the refused one",
        """
        tools: [pay, ship]
        requirements:
          - {ask_permission: pay, always_allow: false}
          - {conditional: ship, only_after: pay, max_invocations: 1}
        """,
        ("always_allow: false", "always_allow: true"),
        why="pay:denied opens ship",
    ),
    Case(
        "the answer waits for the refused one",
        """
        tools: [approve, note]
        requirements:
          - {ask_permission: "*", exclude: note}
          - {conditional: final_answer, only_after: approve}
        """,
        ("exclude: note", "exclude: approve"),
        why="approve:denied opens the answer; nobody waits for note",
    ),
    Case(
        "after any call, a refused one too",
        """
        tools: [a, b, c]
        requirements:
          - {ask_permission: a}
          - {conditional: c, only_after: "*"}
        """,
        ('only_after: "*"', "only_after: b"),
        why="'*' is met by a:denied",
    ),
    Case(
        "refused twice and done",
        """
        tools: [call, wait]
        requirements:
          - {ask_permission: call}
          - {conditional: call, min_invocations: 2, consecutive_allowed: false}
        """,
        ("min_invocations: 2", "max_invocations: 2"),
        why="each refused call counts; against a cap they count as well, but that is not this finding",
    ),
    Case(
        "a remembered refusal is the only one, and one is enough",
        """
        tools: [call, wait]
        requirements:
          - {ask_permission: call, remember_choices: true}
          - {conditional: call, min_invocations: 1}
        """,
        ("min_invocations: 1", "min_invocations: 2"),
        why="with 2 a refused call never lifts it: it is the first, and no second is allowed",
    ),
    Case(
        "one of two that are waited for",
        """
        tools: [quote, check, buy, browse]
        requirements:
          - {ask_permission: check}
          - {conditional: buy, only_after: [quote, check]}
        """,
        ("[quote, check]", "[quote, browse]"),
        why="check:denied is one half of what buy waits for",
    ),
    Case(
        "opened and not barred",
        """
        tools: [sign, edit]
        requirements:
          - {ask_permission: sign, remember_choices: true, hide_disallowed: true}
          - {conditional: edit, only_after: sign}
        """,
        ("only_after: sign", "only_before: sign"),
        why="a refused call also bars, but that is not this finding",
    ),
    Case(
        "it must be possible to call it",
        """
        tools: [pay, ship]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, max_invocations: 1}
          - {conditional: ship, only_after: pay}
        """,
        ("max_invocations: 1", "max_invocations: 0"),
        why="what is never called is never refused",
    ),
    Case(
        "waited for, not forced after",
        """
        tools: [pay, ship]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, force_at_step: 1}
          - {conditional: ship, only_after: pay}
        """,
        ("only_after: pay", "force_after: pay"),
        why="a force after a refused call opens nothing and lifts no demand",
    ),
    Case(
        "a demand in own code that looks at the outcome",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, min_invocations: 1}
        """,
        ("{conditional: pay, min_invocations: 1}", 'python: "user_code:pay_must_be_granted"'),
        why="there a refused call does not count",
    ),
    Case(
        "a demand that is switched off",
        """
        tools: [pay, shop, leave]
        requirements:
          - {ask_permission: [pay, leave]}
          - {conditional: pay, min_invocations: 1, only_after: shop, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        why="a disabled requirement demands nothing",
    ),
    Case(
        "where failures are seen and explored",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, min_invocations: 1, only_success_invocations: false}
        """,
        ("{ask_permission: pay}", "{ask_permission: shop}"),
        outcomes=("ok", "error"),
        why="refused is neither failed nor overlooked",
    ),
    Case(
        "two askers, one of which never asks",
        """
        tools: [pay, send]
        requirements:
          - {ask_permission: pay}
          - {ask_permission: send, always_allow: true}
          - {conditional: pay, min_invocations: 1}
        """,
        ("conditional: pay", "conditional: send"),
        why="send is always granted",
    ),
    Case(
        "every tool is asked for",
        """
        tools: [a, b, c]
        requirements:
          - {ask_permission: "*"}
          - {conditional: b, only_after: a}
        """,
        ('"*"}', '"*", exclude: a}'),
        why="a:denied opens b",
    ),
    Case(
        "waited for by a check instead",
        """
        tools: {test: {outcomes: {ok: green, flaky: yellow}}, deploy: }
        requirements:
          - {ask_permission: test}
          - {conditional: deploy, only_after: test}
        """,
        ("only_after: test", 'custom_checks: ["user_code:a_test_ran"]'),
        why="a check is own code, neither min_invocations nor only_after",
    ),
    Case(
        "in the middle of a chain",
        """
        tools: [a, b, c]
        requirements:
          - {ask_permission: b}
          - {conditional: b, only_after: a}
          - {conditional: c, only_after: b}
        """,
        ("{ask_permission: b}", "{ask_permission: c}"),
        why="nobody waits for c",
    ),
    Case(
        "the run is over before it can be called",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, min_invocations: 1}
          - {conditional: final_answer, force_at_step: 2}
        """,
        ("force_at_step: 2", "force_at_step: 1"),
        why="forced at once, the answer is the only call",
    ),
    Case(
        "a tool without arguments",
        """
        tools: {sudo: {arguments: none}, work: }
        requirements:
          - {ask_permission: sudo}
          - {conditional: sudo, min_invocations: 1}
          - {conditional: work, max_invocations: 2}
        """,
        ("sudo, min_invocations: 1", "sudo, consecutive_allowed: false"),
        why="one refused call is enough, no second is needed",
    ),
    Case(
        "forced first and refused",
        """
        tools: [log_in, read, write]
        requirements:
          - {ask_permission: log_in}
          - {conditional: log_in, force_at_step: 1, priority: 30}
          - {conditional: read, only_after: log_in}
          - {conditional: write, only_after: [log_in, read]}
        loop: {final_answer_as_tool: false}
        """,
        ("{ask_permission: log_in}", "{ask_permission: write}"),
        why="log_in:denied opens what needs a log-in",
    ),
    Case(
        "a demand on another tool",
        """
        tools: [pay, report]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: pay, min_invocations: 1, consecutive_allowed: false}
          - {conditional: report, max_invocations: 3}
        """,
        ("pay, min_invocations: 1, consecutive_allowed: false", "report, min_invocations: 1"),
        why="report is not asked for",
    ),
    Case(
        "refused as the first of two that are waited for",
        """
        tools: [check, measure, buy]
        requirements:
          - {ask_permission: check}
          - {conditional: check, force_at_step: 1}
          - {conditional: buy, only_after: [check, measure]}
        """,
        ("{ask_permission: check}", "{ask_permission: measure, always_allow: true}"),
        tools=("check",),
        why="check:denied measure opens buy, though the last call that it waited for was not the refused one",
    ),
    Case(
        "a demand that an error cuts short is not met",
        """
        tools: [pay]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, min_invocations: 2, force_at_step: 2, consecutive_allowed: true}
        """,
        ("consecutive_allowed: true", "consecutive_allowed: false"),
        tools=("pay",),
        why="after pay:denied the second call must be pay and may not follow itself: one of two was made",
    ),
)
