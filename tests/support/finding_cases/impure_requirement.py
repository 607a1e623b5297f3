"""Requirements whose rules change without a change of history; the code of them stands in impure_code.py.

What is impure is explored without merging anything, so short runs keep it fast.
"""

from tests.support.finding_cases import Case


def swapped(name: str, impure: str, pure: str, why: str) -> Case:
    """Own code that is impure, and its twin that is not."""
    policy = f"""
        tools: [a, b, c]
        requirements: [{{python: "impure_code:{impure}"}}]
        limits: {{max_iterations: 4}}
        """
    return Case(name, policy, (f":{impure}", f":{pure}"), why=why)


CASES = (
    swapped("a counter outside", "alternates", "alternates_with_the_steps", "each time it is asked it says the other"),
    swapped("a cycle of words", "hides_by_colour", "hides_after_b", "red and green in turns, whatever was called"),
    swapped("dice", "throws_dice", "throws_the_same_dice", "dice made anew from one seed always say the same"),
    swapped("a clock", "reads_the_clock", "reads_a_stopped_clock", "three bits of the nanoseconds"),
    swapped("the date of now", "reads_the_date", "reads_a_date", "three bits of the microseconds"),
    swapped("a new id", "makes_an_id", "makes_an_id_of_a_name", "uuid4 is chance, uuid5 is a function"),
    swapped("chance of the system", "asks_the_system", "counts_the_last_tool", "one byte of os.urandom"),
    swapped("secrets", "draws_secrets", "throws_the_same_dice", "three bits of chance"),
    swapped("a list that grows", "grows_a_list", "makes_a_list", "forced every other time it is asked"),
    swapped("a belt that turns", "turns_the_belt", "turns_a_copy_of_the_belt", "prevents stopping every other time"),
    swapped("a memory of what it saw", "knows_what_it_saw", "knows_what_was_called", "the second look is another"),
    swapped("a default that is kept", "with_a_default", "without_a_default", "the list lives as long as the function"),
    swapped("a closure that counts", "in_a_closure", "in_a_closure_that_only_reads", "nonlocal outlasts a call"),
    swapped("a generator", "next_of_a_generator", "first_of_a_generator", "one rule or none, in turns"),
    swapped("a class that counts", "Tally", "Level", "a counter of the class is not part of the history"),
    swapped("an error now and then", "raises_every_other_time", "raises_after_three", "raising is an answer too"),
    swapped("only after a", "wavers_after_a", "decides_after_a", "it takes a call of a to be seen"),
    swapped("a file", "writes_a_file", "reads_a_file", "what it wrote last time decides"),
    swapped("a coroutine", "afar_and_wavering", "afar_and_firm", "a coroutine may count as well"),
    Case(
        "a custom check that is a coin",
        """
        tools: [a, b]
        requirements: [{conditional: a, custom_checks: ["impure_code:check_of_a_coin"]}]
        limits: {max_iterations: 4}
        """,
        ("of_a_coin", "of_the_steps"),
        why="the check of the steps alternates with the history",
    ),
    Case(
        "a custom check behind others",
        """
        tools: [a, b, c]
        requirements:
          - {conditional: b, only_after: a}
          - {conditional: c, max_invocations: 2, custom_checks: ["user_code:always", "impure_code:check_of_a_stack"]}
        limits: {max_iterations: 4}
        """,
        ("of_a_stack", "of_a_limit"),
        why="every third time it is asked it says no",
    ),
    Case(
        "only after a failure",
        """
        tools: [a, b]
        requirements: [{python: "impure_code:wavers_after_a_failure"}]
        limits: {max_iterations: 4}
        """,
        ("wavers_after", "decides_after"),
        outcomes=("ok", "error"),
        why="it takes a failing call to be seen",
    ),
    Case(
        "only after a refusal",
        """
        tools: [pay, shop]
        requirements:
          - {ask_permission: pay}
          - python: "impure_code:wavers_after_a_refusal"
        limits: {max_iterations: 4}
        """,
        ("{ask_permission: pay}", "{ask_permission: pay, always_allow: true}"),
        why="where nothing is refused the counter is never looked at",
    ),
)
