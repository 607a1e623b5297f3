"""Plain data: what YAML's own constructor makes of a document, and never more of it than can be looked at."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from beewalk.errors import PolicyError
from beewalk.scenarios.plain_data import MAX_NESTING, MAX_VALUES, PlainData, plain_data

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.dates(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4) | st.integers(2), inner, max_size=4)
    ),
    max_leaves=20,
)


def read(text: str) -> PlainData:
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    assert root is not None
    return plain_data(root, "f")


def problems(text: str) -> list[str]:
    return [str(problem) for problem in read(text).problems]


@given(VALUES)
def test_what_yaml_writes_is_read_back(value: Any) -> None:
    found = read(yaml.safe_dump(value))
    assert (found.data, found.problems) == (value, ())


@given(VALUES)
def test_every_value_has_a_place(value: Any) -> None:
    places = read(yaml.safe_dump(value)).places

    def paths(inner: Any, path: tuple[Any, ...] = ()) -> set[tuple[Any, ...]]:
        items = enumerate(inner) if isinstance(inner, list) else inner.items() if isinstance(inner, dict) else ()
        return {path}.union(*(paths(item, (*path, key)) for key, item in items))

    assert set(places) == paths(value)


@pytest.mark.parametrize(
    "text",
    [
        "{<<: {a: 1, b: 2}, a: 3}",
        "{a: 3, <<: {a: 1, b: 2}}",
        "{<<: [{a: 1}, {a: 2, b: 2}]}",
        "{x: &x {<<: &y {a: 1}, b: 2}, <<: [*x, *y]}",
        "[!!str 3, !!int '3', !!float '3', !!null '', 0x10, 0o7, 1_000, 1:30, .inf, 1e3, 12e03]",
        "{=: =, yes: no, ~: null, 2020-01-01: 2020-01-01 10:00:00}",
        "[&a {b: [1, 2]}, *a, *a]",
    ],
)
def test_merges_tags_and_aliases_mean_what_they_mean_in_yaml(text: str) -> None:
    expected = yaml.safe_load(text.replace("=: =", '"=": "="'))
    assert read(text).data == expected
    assert problems(text) == []


def test_order_of_keys_is_that_of_the_file_with_merged_ones_first() -> None:
    assert list(read("{b: 1, <<: {d: 1, b: 2}, a: 1}").data) == ["d", "b", "a"]


def test_as_many_values_as_are_allowed_are_read() -> None:
    text = f"[{', '.join(['1'] * (MAX_VALUES - 1))}]"
    assert len(read(text).data) == MAX_VALUES - 1
    with pytest.raises(PolicyError, match="the file has more than 50,000 values"):
        read(text.replace("1]", "1, 1]"))


def test_nesting_is_allowed_up_to_its_limit() -> None:
    assert problems("[" * MAX_NESTING + "]" * MAX_NESTING) == []
    assert problems("[" * 51 + "]" * 51) == ["f:1:51: nested more than 50 deep: flatten it"]


def test_recursion_is_told_where_it_starts() -> None:
    assert problems("a: &a [1, {b: *a}]") == [
        "f:1:4: by an alias this is a part of itself: write it out instead of using the alias"
    ]


def test_keys_that_only_python_takes_for_one_are_two() -> None:
    assert problems("{1: a, true: b, 1.0: c}") == []
    assert problems("{1: a, 0b1: b}") == ["f:1:8: the key '0b1' stands twice in one mapping: keep one of them"]
