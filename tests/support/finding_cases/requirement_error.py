"""Requirement errors: a requirement raises in a reachable state."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "the step comes without what the tool waits for",
        """
        tools: [plan, chat, book]
        requirements:
          - {conditional: book, force_at_step: 2, only_after: plan}
        """,
        ("only_after: plan", 'only_after: "*"'),
        why="after chat the second call must be book, which waits for plan",
    ),
    Case(
        "used up before its step",
        """
        tools: [sign, stamp]
        requirements:
          - {conditional: sign, force_at_step: 3, max_invocations: 2}
        """,
        ("max_invocations: 2", "max_invocations: 3"),
        why="sign, sign, and the third call must be sign",
    ),
    Case(
        "its step comes right after itself",
        """
        tools: [ping, rest]
        requirements:
          - {conditional: ping, force_at_step: 4, consecutive_allowed: false}
        """,
        ("force_at_step: 4", "force_at_step: 1"),
        why="rest, rest, ping: the fourth call must be ping and may not follow ping",
    ),
    Case(
        "barred before its step",
        """
        tools: [draft, publish]
        requirements:
          - {conditional: draft, force_at_step: 2, only_before: publish}
          - {conditional: publish, max_invocations: 1}
        """,
        ("publish, max_invocations: 1", "publish, only_after: draft"),
        why="publish first bars draft, which must be the second call",
    ),
    Case(
        "a check that an empty result makes false",
        """
        tools:
          look: {outcomes: {ok: a key, empty: ""}}
          use:
        requirements:
          - {conditional: use, force_at_step: 2, custom_checks: ["user_code:last_told_something"]}
        """,
        ('empty: ""', "empty: nothing"),
        why="after look:empty the check forbids use, which must be the second call",
    ),
    Case(
        "own code reads a step that is not there",
        """
        tools: [search, think]
        requirements:
          - python: "user_code:reads_the_last_step"
        """,
        ("reads_the_last_step", "reads_the_last_step_if_there_is_one"),
        why="at the start there are no steps",
    ),
    Case(
        "own code returns nothing after a search",
        """
        tools: [think, search]
        requirements:
          - {conditional: search, only_after: think}
          - python: "user_code:forgets_to_return"
        """,
        ("forgets_to_return", "remembers_to_return"),
        why="None is not a list of rules",
    ),
    Case(
        "own code makes a rule for what is no tool, after two calls",
        """
        tools: [knock, haunt, wait]
        requirements:
          - python: "user_code:rule_for_a_ghost"
        """,
        ("rule_for_a_ghost", "rule_for_no_ghost"),
        why="there is no tool ghost",
    ),
    Case(
        "own code raises after a refusal",
        """
        tools: [wipe, look]
        requirements:
          - {ask_permission: wipe, always_allow: false}
          - python: "user_code:raises_after_a_refusal"
        """,
        ("always_allow: false", "always_allow: true"),
        why="wipe:denied is a move unless nothing is asked",
    ),
    Case(
        "own code raises after a failure that the run survives",
        """
        tools: [fetch, parse]
        requirements:
          - python: "user_code:raises_after_a_failure"
        limits: {max_retries_per_step: 3}
        """,
        ("max_retries_per_step: 3", "max_retries_per_step: 0"),
        outcomes=("ok", "error"),
        why="without retries a failing call ends the run before the next request",
    ),
    Case(
        "the step is the last that fits",
        """
        tools: [chat, collect, report]
        requirements:
          - {conditional: report, force_at_step: 5, only_after: collect}
        limits: {max_iterations: 5}
        """,
        ("max_iterations: 5", "max_iterations: 4"),
        why="chat four times, and the fifth request is made only where max_iterations is 5",
    ),
    Case(
        "must be first and may never be called",
        """
        tools: [pay, thank]
        requirements:
          - {conditional: pay, force_at_step: 1, max_invocations: 0}
        """,
        ("max_invocations: 0", "max_invocations: 1"),
        why="the very first request cannot be made",
    ),
    Case(
        "the answer must be second and waits",
        """
        tools: [verify, search]
        requirements:
          - {conditional: verify, force_at_step: 3}
          - {conditional: final_answer, force_at_step: 2, only_after: verify}
        """,
        ("force_at_step: 3", "force_at_step: 1"),
        why="after search the second call must be the answer, which waits for verify",
    ),
    Case(
        "of two that are forced first, the one that is not waited for wins",
        """
        tools: [intro, pitch, close]
        requirements:
          - {conditional: intro, force_at_step: 1}
          - {conditional: pitch, force_at_step: 1, priority: 20}
          - {conditional: close, force_at_step: 2, only_after: intro}
        """,
        ("priority: 20", "priority: 5"),
        why="pitch comes first, then close must and cannot",
    ),
    Case(
        "a refused call is a step, and the check looks at it",
        """
        tools: [check, act]
        requirements:
          - {ask_permission: [], exclude: act}
          - {conditional: act, force_at_step: 2, custom_checks: ["user_code:last_not_denied"]}
        """,
        ("exclude: act", "exclude: [act, check]"),
        why="check:denied counts as the first step and makes the check false",
    ),
    Case(
        "a failed call is a step where failures are seen",
        """
        tools: [build, deploy]
        requirements:
          - conditional: deploy
            force_at_step: 2
            only_success_invocations: false
            custom_checks: ["user_code:build_did_not_just_fail"]
        """,
        ("only_success_invocations: false", "only_success_invocations: true"),
        outcomes=("ok", "error"),
        why="after build:error it is step 2 and the check is false; not seen, it is still step 1",
    ),
    Case(
        "force and condition in one requirement",
        """
        tools: [browse, cart, pay]
        requirements:
          - {conditional: pay, force_at_step: 2, only_after: cart}
          - {conditional: cart, max_invocations: 1}
        """,
        ("2, only_after: cart}", "2}\n          - {conditional: pay, only_after: cart}"),
        why="in two requirements the second just forbids what the first forces, and none raises",
    ),
    Case(
        "a disabled requirement raises nothing",
        """
        tools: [audit, work]
        requirements:
          - {conditional: audit, force_at_step: 3, max_invocations: 1, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        why="audit, work, and the third call must be audit, which is used up",
    ),
    Case(
        "forces lead to the step on the wrong way",
        """
        tools: [ask, judge, jury]
        requirements:
          - {conditional: ask, force_at_step: 1}
          - {conditional: judge, only_after: ask, force_after: ask}
          - {conditional: jury, force_at_step: 3, only_before: judge}
        """,
        ("only_after: ask, force_after: ask", "only_after: jury"),
        why="ask, judge are forced, and judge bars jury before its step",
    ),
    Case(
        "own code ends the run on purpose",
        """
        tools: [search, note]
        requirements:
          - {conditional: search, max_invocations: 3}
          - python: "user_code:ends_the_run_at_three_searches"
        """,
        ("max_invocations: 3", "max_invocations: 2"),
        why="the third search is possible, and the RequirementError after it",
    ),
    Case(
        "own code raises after a named outcome",
        """
        tools: {fetch: {outcomes: {ok: a page, timeout: gone}}, note: }
        requirements:
          - python: "user_code:raises_after_a_timeout"
        """,
        ("timeout: gone", "slow: gone"),
        why="named outcomes are always explored",
    ),
    Case(
        "first of all, but after any call",
        """
        tools: [think, act]
        requirements:
          - {conditional: think, force_at_step: 1, only_after: "*"}
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        why="at step 1 nothing was called yet",
    ),
)
