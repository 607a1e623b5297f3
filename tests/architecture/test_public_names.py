"""What users import: listed in one place, sorted, and typed."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import beewalk

ROOT = Path(__file__).parents[2]


def test_public_names_are_sorted_and_listed_once() -> None:
    assert list(beewalk.__all__) == sorted(set(beewalk.__all__))


@pytest.mark.parametrize("name", beewalk.__all__)
def test_public_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    assert getattr(beewalk, name).__doc__


def test_an_unknown_name_is_refused_as_python_does() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = beewalk.nothing


def test_the_types_are_shipped() -> None:
    assert files(beewalk).joinpath("py.typed").is_file()
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert built["wheel"]["packages"] == ["src/beewalk"]
