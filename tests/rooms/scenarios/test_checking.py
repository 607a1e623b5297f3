"""Checking: values in the words of YAML, as a stranger would read them."""

from datetime import date
from typing import Any

import pytest

from beewalk.scenarios.checking import shown


@pytest.mark.parametrize(
    ("value", "written", "expected"),
    [
        # collections
        ({}, None, "an empty mapping"),
        ({"a": 1, 2: 3}, None, "a mapping with a, 2"),
        ({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, None, "a mapping with a, b, c, d"),
        ([], None, "an empty list"),
        ([1, 2], None, "a list of 2"),
        # texts, cut where they are long
        ("two", "two", "'two'"),
        ("a\n\x1b", '"a\\n\\e"', r"'a\n\x1b'"),
        ("x" * 100, "x" * 100, f"'{'x' * 56}..."),
        # what YAML reads as something that was not written
        (True, "yes", "yes (which YAML reads as true)"),
        (False, "off", "off (which YAML reads as false)"),
        (None, "~", "~ (which YAML reads as nothing)"),
        (90, "1:30", "1:30 (which YAML reads as 90)"),
        # what says itself
        (True, "true", "true"),
        (True, None, "true"),
        (None, "", "nothing"),
        (None, "null", "nothing"),
        (3, "3", "3"),
        (date(2026, 1, 31), "2026-01-31", "2026-01-31"),
    ],
)
def test_value_is_shown_as_it_was_written(value: Any, written: str | None, expected: str) -> None:
    assert shown(value, written) == expected
