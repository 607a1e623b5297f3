"""Final answers that are forced while a rule prevents stopping."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "the step comes before the demand is met",
        """
        tools: [work]
        requirements:
          - {conditional: work, min_invocations: 3}
          - {conditional: final_answer, force_at_step: 3}
        """,
        ("min_invocations: 3", "min_invocations: 2"),
        why="two calls before the third step, and three are demanded",
    ),
    Case(
        "a fixed rule prevents stopping every turn",
        """
        tools: [a, b]
        requirements:
          - rules: [{target: b, prevent_stop: true}]
          - {conditional: final_answer, force_after: a}
        """,
        ("prevent_stop: true", "prevent_stop: false"),
        why="after a the answer is forced although the rule stands",
    ),
    Case(
        "a losing force prevents stopping too",
        """
        tools: [x, b]
        requirements:
          - {conditional: final_answer, force_after: x, priority: 20}
          - {conditional: b, force_after: x, force_prevent_stop: true}
        """,
        ("force_prevent_stop: true", "force_prevent_stop: false"),
        why="b's force loses, its prevent_stop counts all the same",
    ),
    Case(
        "forced at once, with something demanded",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_at_step: 1}
          - {conditional: a, min_invocations: 1}
        """,
        ("min_invocations: 1", "max_invocations: 1"),
        why="the answer's own force prevents stopping, which does not count; the demand does",
    ),
    Case(
        "the answer must win",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: final_answer, force_after: a, priority: 15}
          - {conditional: b, force_after: a}
          - {conditional: c, min_invocations: 1}
        """,
        ("priority: 15", "priority: 5"),
        why="with 5 b is forced and the answer never",
    ),
    Case(
        "more is demanded than the order brings",
        """
        tools: [collect, report]
        requirements:
          - {conditional: report, only_after: collect}
          - {conditional: collect, min_invocations: 2}
          - {conditional: final_answer, force_after: report}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="collect report, and the second collect is missing; one has always happened",
    ),
    Case(
        "own code wants a source, the force any call",
        """
        tools: [source, guess]
        requirements:
          - python: "user_code:no_answer_without_source"
          - {conditional: final_answer, force_after: [source, guess]}
        """,
        ("[source, guess]}", "[source]}"),
        why="after guess the answer is forced without a source",
    ),
    Case(
        "two calls that may be refused, and forced after one",
        """
        tools: [pay, look]
        requirements:
          - {ask_permission: pay}
          - {conditional: pay, min_invocations: 2}
          - {conditional: final_answer, force_after: pay, priority: 3}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="a refused call counts for both, and one is too few",
    ),
    Case(
        "the force sees failing calls and the demand does not",
        """
        tools: [fetch]
        requirements:
          - {conditional: fetch, min_invocations: 1}
          - {conditional: final_answer, force_at_step: 3, only_success_invocations: false}
        """,
        ("only_success_invocations: false", "only_success_invocations: true"),
        outcomes=("ok", "error"),
        why="fetch:error fetch:error is the way to step 3 without one that worked",
    ),
    Case(
        "own code wants something told",
        """
        tools: {search: {outcomes: {ok: hits, empty: ""}}, think: }
        requirements:
          - python: "user_code:no_answer_after_nothing"
          - {conditional: final_answer, force_after: search}
        """,
        ('empty: ""', "empty: no hits"),
        why="after search:empty the answer is forced although nothing was told",
    ),
    Case(
        "the answer is forced every turn",
        """
        tools: [a, b]
        requirements:
          - rules: [{target: final_answer, forced: true}]
          - {conditional: b, only_after: a, min_invocations: 1}
        """,
        ("forced: true", "forced: false"),
        why="at the very start b is demanded and the answer forced",
    ),
    Case(
        "force and prevention in one requirement",
        """
        tools: [a, b]
        requirements:
          - rules: [{target: final_answer, forced: true}, {target: a, prevent_stop: true}]
        """,
        ("prevent_stop: true", "hidden: true"),
        why="the second rule is another than the forcing one",
    ),
    Case(
        "demanded or waited for",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_after: a}
          - {conditional: b, min_invocations: 1}
        """,
        ("{conditional: b, min_invocations: 1}", "{conditional: final_answer, only_after: b}"),
        why="an answer that another requirement forbids is not forced, and nothing prevents stopping",
    ),
    Case(
        "a demand that is switched off",
        """
        tools: [plan, act, check]
        requirements:
          - {conditional: check, min_invocations: 1, enabled: true}
          - {conditional: final_answer, force_after: act}
          - {conditional: act, only_after: plan}
        """,
        ("enabled: true", "enabled: false"),
        why="plan act, and check is missing",
    ),
    Case(
        "the answer wins by a loan over a force that prevents stopping",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_after: a}
          - {conditional: b, force_after: a, priority: 20}
          - {rules: [{target: final_answer}], priority: 30}
        """,
        ("priority: 30", "priority: 15"),
        why="with 15 b wins, and the answer is not forced",
    ),
    Case(
        "what is forced first is demanded twice",
        """
        tools: [log_in, work]
        requirements:
          - {conditional: log_in, force_at_step: 1, min_invocations: 2}
          - {conditional: final_answer, force_at_step: 2}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="one log_in at step 2, where the answer is forced",
    ),
    Case(
        "forced after the one and after the other",
        """
        tools: [x, y, z]
        requirements:
          - {conditional: x, min_invocations: 1}
          - {conditional: z, only_before: x}
          - {conditional: final_answer, force_after: [x, y]}
        """,
        ("[x, y]}", "x}"),
        why="after y alone x is missing",
    ),
    Case(
        "the moment must be reachable",
        """
        tools: [a, z]
        requirements:
          - {conditional: a, min_invocations: 1}
          - {conditional: z, max_invocations: 1}
          - {conditional: final_answer, force_after: z}
        """,
        ("max_invocations: 1", "max_invocations: 0"),
        why="where z is never called the answer is never forced",
    ),
    Case(
        "a demand on the answer itself by another requirement",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_after: a}
          - {conditional: final_answer, min_invocations: 1, priority: 2}
        """,
        ("min_invocations: 1", "consecutive_allowed: false"),
        why="that requirement prevents stopping for ever, the force ends the run",
    ),
    Case(
        "a thought is forced after everything, the answer after a report",
        """
        tools: [think, search, report]
        requirements:
          - {conditional: think, force_after: "*", consecutive_allowed: false}
          - {conditional: final_answer, force_after: report, priority: 20}
        """,
        ('force_after: "*"', "force_after: search"),
        why="after report think's force prevents stopping, and loses",
    ),
    Case(
        "in turns, and a step too early",
        """
        tools: [left, right]
        requirements:
          - {conditional: left, min_invocations: 2, consecutive_allowed: false}
          - {conditional: right, min_invocations: 2, consecutive_allowed: false}
          - {conditional: final_answer, force_at_step: 4}
        """,
        ("force_at_step: 4", "force_at_step: 5"),
        why="three calls are two of one and one of the other; four are two of each",
    ),
)
