"""Python code that files refer to: found where it should be, imported once, and nothing is left behind."""

import sys
from pathlib import Path

import pytest

from beewalk import NotInThisVersion, PolicyError
from beewalk.scenarios.python_code import CodeError, load_function, load_object, load_or_call


def module(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_two_files_of_one_name_are_two_modules(tmp_path: Path) -> None:
    one = module(tmp_path / "one", "rules", "value = 1\n")
    two = module(tmp_path / "two", "rules", "value = 2\n")
    assert [load_object("rules:value", [folder]) for folder in (one, two, one)] == [1, 2, 1]
    assert load_object("rules:value", [two, one]) == 2


def test_module_is_imported_once(tmp_path: Path) -> None:
    folder = module(tmp_path, "rules", "value = object()\n")
    first = load_object("rules:value", [folder])
    assert load_object("rules.py:value", [folder]) is first
    assert load_object(f"{folder / 'rules.py'}:value", [tmp_path / "elsewhere"]) is first


def test_module_that_failed_is_tried_again(tmp_path: Path) -> None:
    folder = module(tmp_path, "rules", "raise ValueError\n")
    with pytest.raises(CodeError, match="it raised ValueError"):
        load_object("rules:value", [folder])
    module(tmp_path, "rules", "value = 1\n")
    assert load_object("rules:value", [folder]) == 1


def test_modules_of_the_same_folder_can_import_each_other(tmp_path: Path) -> None:
    module(tmp_path, "shared_by_rules", "value = 1\n")
    folder = module(tmp_path, "rules", "from shared_by_rules import value\n")
    assert load_object("rules:value", [folder]) == 1


def test_path_and_bytecode_are_as_before(tmp_path: Path) -> None:
    before = list(sys.path), sys.dont_write_bytecode
    folder = module(tmp_path, "rules", "import sys\nsys.path.clear()\n")
    load_object("rules:sys", [folder])
    assert list(sys.path) == []
    sys.path[:] = before[0]
    assert sys.dont_write_bytecode == before[1]
    assert [path.name for path in folder.iterdir()] == ["rules.py"]


def test_installed_module_is_found_where_python_looks(tmp_path: Path) -> None:
    assert load_object("os.path:join", [tmp_path]) is load_object("os:path.join", [tmp_path])


def test_what_is_called_is_called_only_where_it_is_not_wanted_itself(tmp_path: Path) -> None:
    assert load_or_call("builtins:dict", [tmp_path], type) is dict
    assert load_or_call("builtins:dict", [tmp_path], list) == {}


@pytest.mark.parametrize("error", ["PolicyError([])", "NotInThisVersion('later')"])
def test_errors_of_beewalk_itself_are_passed_on(error: str, tmp_path: Path) -> None:
    text = f"from beewalk import NotInThisVersion, PolicyError\n\ndef make():\n    raise {error}\n"
    with pytest.raises((PolicyError, NotInThisVersion)):
        load_or_call("rules:make", [module(tmp_path, "rules", text)], dict)


def test_function_that_cannot_be_called_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CodeError, match="'os:name' is of the type str: it must be a function of the state"):
        load_function("os:name", [tmp_path])
