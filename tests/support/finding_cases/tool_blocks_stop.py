"""Tools without which no final answer can be reached: where one always fails and all others always work."""

from tests.support.finding_cases import Case

CASES = (
    Case(
        "it must have worked once",
        """
        tools: [fetch, chat]
        requirements: [{conditional: fetch, min_invocations: 1}]
        """,
        ("min_invocations: 1", "min_invocations: 0"),
        tools=("fetch",),
        why="failing calls do not count",
    ),
    Case(
        "the answer waits for two",
        """
        tools: [quote, check]
        requirements: [{conditional: final_answer, only_after: [quote, check]}]
        """,
        ("[quote, check]}", '"*"}'),
        tools=("check", "quote"),
        why="each of them is needed; of any call the other one is enough",
    ),
    Case(
        "forced first, and again after each failure",
        """
        tools: [load, work]
        requirements: [{conditional: load, force_at_step: 1}]
        """,
        ("force_at_step: 1", "force_at_step: 1, only_success_invocations: false"),
        tools=("load",),
        why="a failing call is not a step, so it stays the first step",
    ),
    Case(
        "forced after another one for ever",
        """
        tools: [edit, check]
        requirements:
          - {conditional: edit, min_invocations: 1, only_success_invocations: false}
          - {conditional: check, force_after: edit}
        """,
        ("force_after: edit", "force_after: edit, only_success_invocations: false"),
        tools=("check",),
        why="the last call that worked is still edit; a failing edit itself counts",
    ),
    Case(
        "a chain of demands",
        """
        tools: [collect, report]
        requirements: [{conditional: report, only_after: collect, min_invocations: 1}]
        """,
        (", min_invocations: 1", ""),
        tools=("collect", "report"),
        why="report is demanded, and waits for collect",
    ),
    Case(
        "the answer's check wants a search that worked",
        """
        tools: [search, think]
        requirements: [{conditional: final_answer, custom_checks: ["user_code:search_worked"]}]
        """,
        ("search_worked", "search_was_tried"),
        tools=("search",),
        why="a search that fails never makes the check true",
    ),
    Case(
        "both ways have to work",
        """
        tools: [mail, sms, wait]
        requirements: [{conditional: final_answer, custom_checks: ["user_code:mail_and_sms_worked"]}]
        """,
        ("mail_and_sms", "mail_or_sms"),
        tools=("mail", "sms"),
        why="of two ways either one is enough",
    ),
    Case(
        "own code wants an approval",
        """
        tools: [approve, idle]
        requirements: [{python: "user_code:no_answer_before_approval"}]
        """,
        ("no_answer_before_approval", "no_answer_before_a_try_at_approval"),
        tools=("approve",),
        why="only an approve that worked lets stop",
    ),
    Case(
        "the forced answer comes only after steps that worked",
        """
        tools: [pay]
        requirements:
          - {conditional: pay, min_invocations: 1}
          - {conditional: final_answer, force_at_step: 3}
        """,
        ("force_at_step: 3", "force_at_step: 3, only_success_invocations: false"),
        tools=("pay",),
        why="with pay failing there is never a third step, unless failing calls are seen",
    ),
    Case(
        "under permission, but the user is not what fails",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay, remember_choices: true}
          - {conditional: pay, min_invocations: 1}
        """,
        ("min_invocations: 1", "min_invocations: 1, only_success_invocations: false"),
        tools=("pay",),
        why="a refused call would count, but pay's only outcome is error",
    ),
    Case(
        "forced every turn until the third step",
        """
        tools: [warm_up, run]
        requirements:
          - rules: [{target: warm_up, forced: true}]
          - {conditional: final_answer, force_at_step: 3, priority: 20}
        """,
        ("forced: true", "forced: false"),
        tools=("warm_up",),
        why="warm_up is all that is offered, and never a step",
    ),
    Case(
        "forced at once before the answer",
        """
        tools: [load, run]
        requirements:
          - {conditional: load, force_at_step: 1}
          - {conditional: final_answer, force_at_step: 1, priority: 5}
        """,
        ("priority: 5", "priority: 20"),
        tools=("load",),
        why="load wins the first step for ever; where the answer wins, the run ends at once",
    ),
    Case(
        "something must be found",
        """
        tools: {lookup: {outcomes: {ok: Ann, empty: ""}}}
        requirements: [{conditional: final_answer, custom_checks: ["user_code:found_something"]}]
        """,
        ("found_something", "found_something_or_gave_up"),
        tools=("lookup",),
        why="only a lookup that works can find something",
    ),
    Case(
        "the answer may be given once",
        """
        tools: [pay, list]
        requirements:
          - {conditional: pay, min_invocations: 1}
          - {conditional: final_answer, max_invocations: 1}
        """,
        ("pay, min_invocations: 1", "pay, min_invocations: 0"),
        tools=("pay",),
        why="one answer is all that a run needs; pay is what it waits for",
    ),
    Case(
        "no retries: the forced first call ends the run",
        """
        tools: [load, work]
        requirements: [{conditional: load, force_at_step: 1, only_success_invocations: false}]
        limits: {max_retries_per_step: 0}
        """,
        ("max_retries_per_step: 0", "max_retries_per_step: 1"),
        tools=("load",),
        why="with one retry the failing call counts as the first step and the run goes on",
    ),
    Case(
        "calls that need another one between",
        """
        tools: [ping, rest]
        requirements: [{conditional: ping, consecutive_allowed: false, min_invocations: 2}]
        """,
        ("min_invocations: 2", "min_invocations: 2, only_success_invocations: false"),
        tools=("ping", "rest"),
        why="a rest that fails does not come between, unless failing calls are seen",
    ),
    Case(
        "after any call, and there is only one tool",
        """
        tools: [poll]
        requirements: [{conditional: final_answer, only_after: "*"}]
        """,
        ("[poll]", "[poll, wait]"),
        tools=("poll",),
        why="with a second tool that one is called",
    ),
    Case(
        "the loop itself frees a tool without arguments",
        """
        tools: {ping: {arguments: any}, talk: }
        requirements: [{conditional: ping, force_at_step: 1}]
        """,
        ("arguments: any", "arguments: none"),
        tools=("ping",),
        why="an equal second call is refused, which lifts the force; talk is then the first step",
    ),
    Case(
        "what was opened must be closed",
        """
        tools: [open, close]
        requirements:
          - {conditional: open, force_at_step: 1}
          - {conditional: final_answer, custom_checks: ["user_code:door_is_closed"]}
        """,
        ("force_at_step: 1", "max_invocations: 1"),
        tools=("close", "open"),
        why="forced open must work and be closed; who need not open can answer at once",
    ),
    Case(
        "a demand that is switched off",
        """
        tools: [sign, print]
        requirements:
          - {conditional: sign, only_after: print}
          - {conditional: sign, min_invocations: 1, enabled: true}
        """,
        ("enabled: true", "enabled: false"),
        tools=("print", "sign"),
        why="sign is demanded, and waits for print",
    ),
    Case(
        "a force that lets stop still names its tool",
        """
        tools: [load, work]
        requirements: [{conditional: load, force_at_step: 1, force_prevent_stop: false}]
        """,
        ("force_at_step: 1", "force_at_step: 2"),
        tools=("load",),
        why="tool_choice is load in every request; later than the first step the answer can come before",
    ),
    Case(
        "the answer is kept back until a step that the tool keeps from coming",
        """
        tools: [row]
        requirements:
          - rules: [{target: row, prevent_stop: true}]
          - {conditional: final_answer, force_after: row}
        """,
        ("[{target: row, prevent_stop: true}]", "[{target: row, reason: slowly}]"),
        tools=("row",),
        why="only a row that worked forces the answer past what prevents stopping",
    ),
)
