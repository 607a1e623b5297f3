"""Any text and any data, mostly near what a file may say."""

import re
from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from beewalk.errors import Problem

WORDS = [
    "policy", "tools", "requirements", "limits", "loop", "about", "answer", "input", "properties", "accept",
    "conditional", "ask_permission", "rules", "python", "target", "only_after", "force_after", "min_invocations",
    "max_invocations", "custom_checks", "outcomes", "arguments", "repeated_calls", "max_iterations", "code", "reason",
    "scenario", "chat_model", "script", "conduct", "random", "seed", "permissions", "runs", "engine", "expect",
    "trajectory", "ends", "calls", "requests", "turn", "allowed", "returns", "raises",
    "a", "b", "think", "final_answer", "none", "*", "ok",
]  # fmt: skip
NAMES = st.sampled_from(["a", "b", "think", "final_answer", "auto", "*", ""])
ODD = st.none() | st.booleans() | st.integers(-2, 5) | st.floats(0.5, 1.5) | st.sampled_from(WORDS) | st.dates()
ANYTHING = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | ODD, inner, max_size=4),
    max_leaves=12,
)
SIGNS = [
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "  ",
    "&x ",
    "*x",
    "<<: ",
    "!!int ",
    "'",
    '"',
    "#",
    "|\n",
    "? ",
    "\n---\n",
]
TEXTS = st.text(max_size=60) | st.lists(st.sampled_from([*WORDS, *SIGNS])).map("".join)

files = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


def mostly(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Five times out of six what belongs there."""
    return st.integers(0, 5).flatmap(lambda number: usual if number else ANYTHING)


def mapping(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with some of these keys."""
    return st.fixed_dictionaries({}, optional={key: mostly(value) for key, value in optional.items()})


def assert_placed(problems: Sequence[Problem], text: str, name: str) -> None:
    """Every problem has a place within the text, and they are in the order of the file."""
    places = []
    for problem in problems:
        found = re.fullmatch(rf"{re.escape(name)}:(\d+):(\d+)", problem.at)
        assert found, problem
        places.append((int(found[1]), int(found[2])))
    lines = re.split(r"\r\n|[\n\r\x85\u2028\u2029]", text)
    assert all(1 <= line <= len(lines) + 1 and column >= 1 for line, column in places)
    assert places == sorted(places)
