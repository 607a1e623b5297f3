"""Dead ends: a reachable request in which nothing is allowed."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "one requirement caps what another demands more often",
        """
        tools: [draft, send]
        requirements:
          - {conditional: draft, max_invocations: 1}
          - {conditional: send, only_after: draft, max_invocations: 1}
          - {conditional: draft, min_invocations: 2}
        """,
        ("min_invocations: 2", "min_invocations: 1"),
        why="after draft and send both are used up, and the second draft is missing",
    ),
    Case(
        "a fixed rule forbids what is demanded",
        """
        tools: [scan, fix]
        requirements:
          - rules: [{target: fix, allowed: false}]
          - {conditional: fix, min_invocations: 1}
          - {conditional: scan, max_invocations: 3}
        """,
        ("min_invocations: 1", "min_invocations: 0"),
        why="after three scans nothing is left, and fix was never called",
    ),
    Case(
        "everything waits for any call, the answer too",
        """
        tools: [read, write, list]
        requirements:
          - {conditional: read, only_after: "*"}
          - {conditional: write, only_after: "*"}
          - {conditional: list, only_after: "*"}
          - {conditional: final_answer, only_after: "*"}
        """,
        ('list, only_after: "*"', "list, max_invocations: 2"),
        why="nobody can make the first call; stopping is not even prevented",
    ),
    Case(
        "a tool without arguments is demanded twice, and equal calls are refused",
        """
        tools: {whoami: {arguments: none}}
        requirements:
          - {conditional: whoami, min_invocations: 2}
        """,
        ("arguments: none", "arguments: any"),
        why="the loop forbids the equal second call, and nothing else is there",
    ),
    Case(
        "the only search came back empty",
        """
        tools:
          search: {outcomes: {ok: 3 hits, empty: ""}}
          report:
        requirements:
          - {conditional: search, max_invocations: 1}
          - conditional: report
            only_after: search
            custom_checks: ["user_code:last_told_something"]
            min_invocations: 1
        """,
        ('empty: ""', "empty: no hits"),
        why="after search:empty the report is forbidden by its check, and demanded",
    ),
    Case(
        "a failed payment counts against the cap",
        """
        tools: [pay, receipt]
        requirements:
          - {conditional: pay, max_invocations: 1, only_success_invocations: false}
          - {conditional: receipt, only_after: pay, max_invocations: 1}
          - {conditional: final_answer, only_after: receipt}
        """,
        ("only_success_invocations: false", "only_success_invocations: true"),
        outcomes=("ok", "error"),
        why="after pay:error it is used up, and the receipt waits for one that worked",
    ),
    Case(
        "a refusal is remembered, and two calls are demanded",
        """
        tools: [look, delete]
        requirements:
          - {ask_permission: delete, remember_choices: true, hide_disallowed: true}
          - {conditional: delete, min_invocations: 2}
          - {conditional: look, max_invocations: 2}
        """,
        ("remember_choices: true", "remember_choices: false"),
        why="one refused call counts, the second is forbidden",
    ),
    Case(
        "after close it is too late for everything",
        """
        tools: [ask, close]
        requirements:
          - {conditional: ask, only_before: close}
          - {conditional: close, max_invocations: 1}
          - {conditional: final_answer, only_before: close}
        """,
        ("final_answer, only_before", "final_answer, only_after"),
        why="close bars ask and the answer, and is used up itself; nothing prevents stopping",
    ),
    Case(
        "two that alternate, one of them too rare",
        """
        tools: [ping, pong]
        requirements:
          - {conditional: ping, consecutive_allowed: false, min_invocations: 2}
          - {conditional: pong, consecutive_allowed: false, max_invocations: 1}
        """,
        ("consecutive_allowed: false, max_invocations: 1", "consecutive_allowed: false"),
        why="pong, ping: the second ping may not follow, and pong is used up",
    ),
    Case(
        "three wait in a circle and one of them is demanded",
        """
        tools: [design, build, test]
        requirements:
          - {conditional: design, only_after: test}
          - {conditional: build, only_after: design, min_invocations: 1}
          - {conditional: test, only_after: build}
        """,
        ("test, only_after: build", "test, max_invocations: 5"),
        why="at the start all three are forbidden, and build keeps the answer back",
    ),
    Case(
        "the answer must have been given before it can be given",
        """
        tools: [search]
        requirements:
          - {conditional: search, max_invocations: 2}
          - {conditional: final_answer, min_invocations: 1}
        """,
        ("min_invocations: 1", "max_invocations: 1"),
        why="min_invocations of the answer itself prevents stopping for ever",
    ),
    Case(
        "a forbidden tool still prevents stopping",
        """
        tools: [menu, order]
        requirements:
          - rules: [{target: order, allowed: false, prevent_stop: true}]
          - {conditional: menu, max_invocations: 1}
        """,
        ("prevent_stop: true", "prevent_stop: false"),
        why="prevent_stop counts although its tool is forbidden",
    ),
    Case(
        "the last request that fits is the dead one",
        """
        tools: [step]
        requirements:
          - {conditional: step, max_invocations: 3}
          - {conditional: step, min_invocations: 4}
        limits: {max_iterations: 4}
        """,
        ("max_iterations: 4", "max_iterations: 3"),
        why="three calls, and the fourth request is made only where max_iterations is 4",
    ),
    Case(
        "it takes two failures, and a run survives two",
        """
        tools: [upload]
        requirements:
          - {conditional: upload, max_invocations: 2, only_success_invocations: false}
          - {conditional: upload, min_invocations: 1}
        limits: {max_retries_per_step: 1, total_max_retries: 2}
        """,
        ("total_max_retries: 2", "total_max_retries: 1"),
        outcomes=("ok", "error"),
        why="upload:error twice uses up the cap without one that worked",
    ),
    Case(
        "of two that are forced first, the wrong one wins",
        """
        tools: [lock, open]
        requirements:
          - {conditional: lock, force_at_step: 1, max_invocations: 1, priority: 20}
          - {conditional: open, force_at_step: 1, only_before: lock, min_invocations: 1, max_invocations: 1}
        """,
        ("priority: 20", "priority: 5"),
        why="lock is called first, which bars open, which is demanded",
    ),
    Case(
        "own code forbids everything after a refusal",
        """
        tools: [read, write]
        requirements:
          - {ask_permission: write}
          - python: "user_code:nothing_after_a_refusal"
        """,
        ("{ask_permission: write}", "{ask_permission: write, always_allow: true}"),
        why="write:denied, then every tool and the answer are forbidden",
    ),
    Case(
        "the first of a chain may never be called",
        """
        tools: [approve, publish]
        requirements:
          - {conditional: approve, max_invocations: 0}
          - {conditional: publish, only_after: approve}
          - {conditional: final_answer, only_after: publish}
        """,
        ("max_invocations: 0", "max_invocations: 0, enabled: false"),
        why="approve, publish and the answer are all forbidden at the start",
    ),
    Case(
        "the answer's check can be overshot",
        """
        tools: [note, skim]
        requirements:
          - {conditional: note, max_invocations: 3}
          - {conditional: skim, max_invocations: 1}
          - {conditional: final_answer, custom_checks: ["user_code:exactly_two_notes"]}
        """,
        ("max_invocations: 3", "max_invocations: 2"),
        why="after three notes and a skim nothing is left, and the answer wants exactly two",
    ),
    Case(
        "the first call bars what the answer waits for",
        """
        tools: [greet, verify]
        requirements:
          - {conditional: greet, force_at_step: 1, max_invocations: 1}
          - {conditional: verify, only_before: greet}
          - {conditional: final_answer, only_after: [greet, verify]}
        """,
        ("only_before: greet", "only_after: greet"),
        why="greet is forced first and used up; verify comes too late for ever",
    ),
    Case(
        "the user refuses everything that the answer needs",
        """
        tools: [search, send, log]
        requirements:
          - {ask_permission: "*", exclude: log, remember_choices: true}
          - {conditional: log, max_invocations: 1}
          - {conditional: final_answer, custom_checks: ["user_code:search_or_send_was_granted"]}
        """,
        ("exclude: log", "exclude: [log, search]"),
        why="search:denied, send:denied, log: nothing is left and the check is false",
    ),
    Case(
        "the answer is hidden and the tools are counted",
        """
        tools: [left, right, middle]
        requirements:
          - {conditional: left, max_invocations: 1}
          - {conditional: right, max_invocations: 1}
          - {conditional: middle, only_before: right, max_invocations: 2}
          - rules: [{target: final_answer, hidden: true}]
        """,
        ("hidden: true", "hidden: false"),
        why="hidden is forbidden; once left and right are called middle is barred too",
    ),
    Case(
        "the equal call comes back after one other call",
        """
        tools:
          left: {arguments: none}
          right: {arguments: none}
        requirements:
          - {conditional: left, min_invocations: 2}
          - {conditional: right, max_invocations: 1}
        loop: {repeated_calls: {max_strike_length: 1}}
        """,
        ("{max_strike_length: 1}", "false"),
        why="left, right, left counts as a cycle: left is forbidden, right used up, stopping prevented",
    ),
    Case(
        "two failures lead there faster, but a run survives only one",
        """
        tools: [work]
        requirements:
          - {conditional: work, custom_checks: ["user_code:fewer_than_two_failures_and_three_that_worked"]}
          - {conditional: final_answer, max_invocations: 0}
        limits: {max_iterations: 4, max_retries_per_step: 1, total_max_retries: 1}
        """,
        ("max_iterations: 4", "max_iterations: 3"),
        outcomes=("ok", "error"),
        why="work:error work:error does not fit, work work work does",
    ),
)
