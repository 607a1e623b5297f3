"""Forces that win only by the priority of another rule on their tool."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "a fixed rule lends thirty",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1}
          - {conditional: beta, force_at_step: 1, priority: 20}
          - {rules: [{target: alpha}], priority: 30}
        """,
        ("priority: 30", "priority: 15"),
        why="by their own priorities beta wins, 20 over 10",
    ),
    Case(
        "a demand lends one more than equal",
        """
        tools: [x, alpha, beta]
        requirements:
          - {conditional: alpha, force_after: x}
          - {conditional: beta, force_after: x}
          - {conditional: beta, min_invocations: 1, priority: 11}
        """,
        ("priority: 11", "priority: 10"),
        why="on equal levels alpha wins, which is registered first",
    ),
    Case(
        "a granted choice lends eleven",
        """
        tools: [alpha, beta, x]
        requirements:
          - {conditional: alpha, force_after: x}
          - {conditional: beta, force_after: x}
          - {ask_permission: beta, remember_choices: true}
        """,
        (", remember_choices: true", ""),
        why="once granted there is an allowing rule of priority 11 on beta",
    ),
    Case(
        "the answer wins by what is lent",
        """
        tools: [work, check]
        requirements:
          - {conditional: final_answer, force_after: work}
          - {conditional: check, force_after: work, priority: 15}
          - {conditional: final_answer, max_invocations: 1, priority: 20}
        """,
        ("priority: 20", "priority: 12"),
        why="check has 15, the answer's own force 10",
    ),
    Case(
        "lent to one of the two or to neither",
        """
        tools: [alpha, beta, gamma]
        requirements:
          - {conditional: alpha, force_at_step: 2, priority: 3}
          - {conditional: beta, force_at_step: 2, priority: 4}
          - {rules: [{target: alpha, reason: first}], priority: 5}
        """,
        ("target: alpha", "target: gamma"),
        why="what is lent to gamma helps nobody",
    ),
    Case(
        "who is strong enough alone needs no loan",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 7}
          - {conditional: beta, force_at_step: 1, priority: 20}
          - {conditional: alpha, max_invocations: 2, priority: 40}
        """,
        ("priority: 7", "priority: 25"),
        why="25 beats 20 without the other rule",
    ),
    Case(
        "they must be forced at once",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1}
          - {conditional: beta, force_at_step: 1, priority: 12}
          - {conditional: alpha, min_invocations: 2, priority: 13}
        """,
        ("force_at_step: 1, priority: 12", "force_at_step: 2, priority: 12"),
        why="in different steps neither has a rival",
    ),
    Case(
        "the stronger rule forces too, or not",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1}
          - {conditional: beta, force_at_step: 1, priority: 20}
          - {conditional: alpha, max_invocations: 3, priority: 30}
        """,
        ("max_invocations: 3", "force_at_step: 1"),
        why="a forcing rule of 30 is its own level",
    ),
    Case(
        "a rival that is forbidden is none",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1}
          - {conditional: beta, force_at_step: 1, priority: 20}
          - {rules: [{target: alpha, reason: go}], priority: 30}
          - {rules: [{target: beta, allowed: true}], priority: 1}
        """,
        ("allowed: true", "allowed: false"),
        why="only an allowed tool can be forced",
    ),
    Case(
        "own code lends forty",
        """
        tools: [alpha, beta, gamma]
        requirements:
          - {conditional: beta, force_at_step: 1, priority: 39}
          - {conditional: alpha, force_at_step: 1, priority: 38}
          - python: "user_code:lends_to_alpha"
        """,
        ("lends_to_alpha", "lends_to_gamma"),
        why="its rule only allows, and counts for the level",
    ),
    Case(
        "only in a later state are both forced",
        """
        tools: [x, y, alpha, beta]
        requirements:
          - {conditional: alpha, force_after: x}
          - {conditional: beta, force_after: [x, y], priority: 15}
          - {conditional: alpha, max_invocations: 2, priority: 20}
        """,
        ("force_after: [x, y]", "force_after: y"),
        why="after x alpha wins by 20; after y beta is alone",
    ),
    Case(
        "a loan that is switched off",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 1}
          - {conditional: beta, force_at_step: 1, priority: 2}
          - {conditional: alpha, only_before: beta, priority: 50, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        why="a disabled requirement makes no rule",
    ),
    Case(
        "two get a loan and the greater one beats a stronger rival",
        """
        tools: [alpha, beta, gamma]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 5}
          - {conditional: beta, force_at_step: 1, priority: 6}
          - {conditional: gamma, force_at_step: 1, priority: 20}
          - {rules: [{target: alpha}], priority: 25}
          - {rules: [{target: beta}], priority: 30}
        """,
        ("force_at_step: 1, priority: 20", "force_at_step: 1, priority: 35"),
        why="beta wins by 30; with 35 of its own gamma wins",
    ),
    Case(
        "both get a loan and the weaker one a greater",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 20}
          - {conditional: beta, force_at_step: 1}
          - {rules: [{target: alpha}], priority: 30}
          - {rules: [{target: beta}], priority: 40}
        """,
        ("priority: 40", "priority: 25"),
        why="with 30 and 25 alpha wins as it would by its own 20",
    ),
    Case(
        "a loan up to a tie, and the order of the tools decides",
        """
        tools: [alpha, beta]
        requirements:
          - {conditional: alpha, force_at_step: 1, priority: 5}
          - {conditional: beta, force_at_step: 1}
          - {conditional: alpha, max_invocations: 4}
        """,
        ("[alpha, beta]", "[beta, alpha]"),
        why="10 and 10: the first registered wins, by its own 5 it would not",
    ),
    Case(
        "the user is asked for one of the two",
        """
        tools: [alpha, beta, x]
        requirements:
          - {conditional: alpha, force_after: x}
          - {conditional: beta, force_after: x}
          - {ask_permission: "*", exclude: [alpha, x], remember_choices: true}
        """,
        ("exclude: [alpha, x]", "exclude: [alpha, beta]"),
        why="beta granted has 11; x granted helps neither",
    ),
    Case(
        "the moment must be reachable",
        """
        tools: [z, alpha, beta]
        requirements:
          - {conditional: alpha, force_after: z}
          - {conditional: beta, force_after: z, priority: 14}
          - {conditional: z, max_invocations: 1}
          - {rules: [{target: alpha}], priority: 16}
        """,
        ("max_invocations: 1", "max_invocations: 0"),
        why="where z is never called nothing is forced",
    ),
    Case(
        "two forced every turn",
        """
        tools: [tick, tock]
        requirements:
          - {rules: [{target: tick, forced: true}], priority: 5}
          - {rules: [{target: tock, forced: true}], priority: 8}
          - {conditional: tick, consecutive_allowed: false, priority: 9}
          - {conditional: final_answer, force_at_step: 4, priority: 50}
        """,
        ("priority: 9", "priority: 7"),
        why="tick has 9 where it is allowed, though only 5 forces it",
    ),
    Case(
        "forced only where something came back",
        """
        tools: {s: {outcomes: {ok: hits}}, alpha: , beta: }
        requirements:
          - {conditional: alpha, force_after: s, custom_checks: ["user_code:last_told_something"]}
          - {conditional: beta, force_after: s, priority: 15}
          - {conditional: alpha, max_invocations: 3, priority: 17}
        """,
        ("ok: hits", 'ok: ""'),
        why="after an empty result the check forbids alpha, and beta has no rival",
    ),
    Case(
        "the answer loses to a loan",
        """
        tools: [fix, test]
        requirements:
          - {conditional: fix, force_after: test, max_invocations: 3}
          - {conditional: final_answer, force_after: test, priority: 15}
          - {rules: [{target: fix}], priority: 20}
        loop: {final_answer_as_tool: false}
        """,
        ("priority: 15", "priority: 25"),
        why="fix has 20 by the fixed rule; by its own 10 the answer would win",
    ),
    Case(
        "a check keeps the stronger rival out until something failed",
        """
        tools: [load, alpha, beta]
        requirements:
          - {conditional: alpha, force_after: load}
          - {conditional: beta, force_after: load, custom_checks: ["user_code:something_failed"], priority: 12}
          - {conditional: alpha, min_invocations: 2, priority: 13}
        limits: {max_retries_per_step: 2}
        """,
        ("max_retries_per_step: 2", "max_retries_per_step: 0"),
        outcomes=("ok", "error"),
        why="load:error load, and then both are candidates; without retries a failing call ends the run",
    ),
)
