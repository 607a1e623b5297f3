"""Answers that can be reached, but only after more calls than max_iterations."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "five calls and the answer are six",
        """
        tools: [a]
        requirements: [{conditional: a, min_invocations: 5}]
        limits: {max_iterations: 5}
        """,
        ("max_iterations: 5", "max_iterations: 6"),
        why="the answer's own call counts",
    ),
    Case(
        "a chain of three before the answer",
        """
        tools: [outline, draft, review]
        requirements:
          - {conditional: draft, only_after: outline}
          - {conditional: review, only_after: draft}
          - {conditional: final_answer, only_after: [outline, draft, review]}
        limits: {max_iterations: 3}
        """,
        ("only_after: [outline, draft, review]", "only_after: [outline, draft]"),
        why="outline, draft, review, final_answer are four",
    ),
    Case(
        "calls that may not follow each other need others between",
        """
        tools: [ping, rest]
        requirements:
          - {conditional: ping, min_invocations: 3, consecutive_allowed: false}
        limits: {max_iterations: 5}
        """,
        ("consecutive_allowed: false", "consecutive_allowed: true"),
        why="ping rest ping rest ping final_answer are six, in a row four",
    ),
    Case(
        "a thought after each search",
        """
        tools: [think, search]
        requirements:
          - {conditional: think, force_at_step: 1, force_after: "*", consecutive_allowed: false}
          - {conditional: search, min_invocations: 2}
        limits: {max_iterations: 5}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="think search think search think final_answer",
    ),
    Case(
        "three demands add up",
        """
        tools: [read, write, check]
        requirements:
          - {conditional: read, min_invocations: 2}
          - {conditional: write, min_invocations: 2}
          - {conditional: check, min_invocations: 1, only_after: write}
        limits: {max_iterations: 5}
        """,
        ("write, min_invocations: 2", "write, min_invocations: 1"),
        why="two, two and one, and the answer, are six",
    ),
    Case(
        "the framework's own limit",
        """
        tools: [page, look]
        requirements: [{conditional: page, min_invocations: 20}]
        """,
        ("min_invocations: 20", "min_invocations: 19"),
        why="max_iterations is 20 where nothing is said",
    ),
    Case(
        "no bound at all is never too low",
        """
        tools: [a, b]
        requirements: [{conditional: b, only_after: a, min_invocations: 2}]
        limits: {max_iterations: 2}
        """,
        ("max_iterations: 2", "max_iterations: 0"),
        why="a b b final_answer are four; 0 is no bound",
    ),
    Case(
        "one turn only, and the answer waits for any call",
        """
        tools: [a, b]
        requirements: [{conditional: final_answer, only_after: "*"}]
        limits: {max_iterations: 1}
        """,
        ('only_after: "*"', "max_invocations: 1"),
        why="the first turn cannot be the answer",
    ),
    Case(
        "forced steps fill the run",
        """
        tools: [extract, load, report]
        requirements:
          - {conditional: extract, force_at_step: 1}
          - {conditional: load, force_at_step: 2}
          - {conditional: report, force_at_step: 3}
        limits: {max_iterations: 3}
        """,
        ("force_at_step: 3", "only_after: load"),
        why="three forced calls, each preventing the answer",
    ),
    Case(
        "a check of the answer that counts calls",
        """
        tools: [a, b]
        requirements:
          - {conditional: final_answer, force_at_step: 4, custom_checks: ["user_code:three_calls_were_made"]}
        limits: {max_iterations: 3}
        """,
        ("three_calls", "two_calls"),
        why="the check is false before the fourth call",
    ),
    Case(
        "a tool without arguments needs other calls between two",
        """
        tools: {beep: {arguments: none}, hum: }
        requirements:
          - {conditional: beep, min_invocations: 2}
        limits: {max_iterations: 3}
        """,
        ("arguments: none", "arguments: any"),
        why="beep beep is refused as a cycle, so something must come between",
    ),
    Case(
        "asked for each time",
        """
        tools: [sign, read, file]
        requirements:
          - {ask_permission: [sign, file]}
          - {conditional: sign, min_invocations: 2}
          - {conditional: file, only_after: sign, min_invocations: 1}
        limits: {max_iterations: 3}
        """,
        ("sign, min_invocations: 2", "sign, min_invocations: 1"),
        why="a refused call is a call like any other: two and one, and the answer",
    ),
    Case(
        "much to collect before the report",
        """
        tools: [collect, report]
        requirements:
          - {conditional: report, only_after: collect, min_invocations: 1}
          - {conditional: collect, only_before: report, min_invocations: 3}
        limits: {max_iterations: 4}
        """,
        ("min_invocations: 3", "min_invocations: 2"),
        why="collect three times, report, final_answer",
    ),
    Case(
        "own code wants four steps before the answer",
        """
        tools: [a, b, c]
        requirements: [{python: "user_code:no_answer_before_step_five"}]
        limits: {max_iterations: 4}
        """,
        ("step_five", "step_four"),
        why="the fifth call is the first that can be the answer",
    ),
    Case(
        "a detour wins by priority",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: b, force_after: a, priority: 20}
          - {conditional: c, force_after: b}
          - {conditional: final_answer, force_after: a}
        limits: {max_iterations: 3}
        """,
        ("priority: 20", "priority: 5"),
        why="a b c final_answer instead of a final_answer",
    ),
    Case(
        "two demands, one of them can be switched off",
        """
        tools: [x, y]
        requirements:
          - {conditional: x, min_invocations: 2}
          - {conditional: y, min_invocations: 2, enabled: true}
        limits: {max_iterations: 4}
        """,
        ("enabled: true", "enabled: false"),
        why="two and two and the answer are five",
    ),
    Case(
        "results that are not empty are counted",
        """
        tools: {query: {outcomes: {ok: a row, empty: ""}}}
        requirements:
          - {conditional: final_answer, custom_checks: ["user_code:two_results"]}
        limits: {max_iterations: 2}
        """,
        ("two_results", "one_result"),
        why="two results and the answer are three calls",
    ),
    Case(
        "only a forced answer ends it",
        """
        tools: [tick]
        requirements:
          - rules: [{target: tick, prevent_stop: true}]
          - {conditional: final_answer, force_at_step: 4}
        limits: {max_iterations: 3}
        """,
        ("force_at_step: 4", "force_at_step: 3"),
        why="stopping is prevented every turn, and the forced answer comes as the fourth call",
    ),
    Case(
        "a relay of four",
        """
        tools: [a, b, c, d]
        requirements:
          - {conditional: a, force_at_step: 1}
          - {conditional: b, force_after: a}
          - {conditional: c, force_after: b}
          - {conditional: d, force_after: c}
        limits: {max_iterations: 4}
        """,
        ("d, force_after: c", "d, only_after: c"),
        why="each hands over to the next, and the answer is the fifth call",
    ),
    Case(
        "left and right in turns",
        """
        tools: [left, right]
        requirements:
          - {conditional: left, min_invocations: 2, consecutive_allowed: false}
          - {conditional: right, min_invocations: 2, consecutive_allowed: false}
        limits: {max_iterations: 4}
        """,
        ("right, min_invocations: 2", "right, min_invocations: 1"),
        why="left right left right final_answer",
    ),
    Case(
        "an answer that need not be a call still takes a turn",
        """
        tools: [a]
        requirements: [{conditional: a, min_invocations: 2}]
        limits: {max_iterations: 2}
        loop: {final_answer_as_tool: false}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="a a final_answer are three",
    ),
)
