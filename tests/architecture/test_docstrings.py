"""Examples in docstrings are true."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import beewalk

MODULES = ["beewalk", *(module.name for module in walk_packages(beewalk.__path__, "beewalk."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    failed, _ = doctest.testmod(import_module(name))
    assert failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is_for(name: str) -> None:
    assert (import_module(name).__doc__ or "").strip()
