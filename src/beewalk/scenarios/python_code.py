"""Python code that files and commands refer to: `module:attribute` and `path/file.py:attribute`."""

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import iscoroutine
from pathlib import Path
from types import ModuleType
from typing import Any

from beewalk.errors import BeewalkError

_MOST_NAMES = 12


class CodeError(BeewalkError):
    """Python code that cannot be had: no such module or attribute, or it raises while it is imported."""

    slug = "code-error"


def load_or_call(reference: str, folders: Sequence[Path], kind: type) -> object:
    """What a reference names; where that is no `kind` but can be called, what it returns.

    Raises:
        CodeError: it cannot be had.
        BeewalkError: the callable raised one.
    """
    found: object = load_object(reference, folders)
    if not isinstance(found, kind) and callable(found):
        with _user_code(f"{reference!r}"):
            found = found()
    if iscoroutine(found):
        found.close()
    return found


def wrong_kind(reference: str, found: object, kind: type) -> CodeError:
    """What to raise where a reference gives something that is no `kind`."""
    what = f"{reference!r} is of the type {type(found).__name__}"
    return CodeError(f"{what}: it must be a {kind.__name__} or a callable that returns one")


def load_function(reference: str, folders: Sequence[Path]) -> Callable[..., Any]:
    """The function that a reference names.

    Raises:
        CodeError: it cannot be had, or cannot be called.
    """
    found = load_object(reference, folders)
    if not callable(found):
        raise CodeError(f"{reference!r} is of the type {type(found).__name__}: it must be a function of the state")
    function: Callable[..., Any] = found
    return function


def place_of_code(reference: str, folders: Sequence[Path]) -> str:
    """`file:line:column` where the attribute is defined, or of the file's beginning where that is not seen."""
    place, _, attribute = reference.rpartition(":")
    file = _file(place, folders)
    if file is None:
        return f"{place.replace('.', '/')}.py:1:1"
    name = attribute.partition(".")[0]
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return f"{file}:1:1"
    line = next((node.lineno for node in tree.body if name in _defined_by(node)), 1)
    seen = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    return f"{seen}:{line}:1"


def _defined_by(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def load_object(reference: str, folders: Sequence[Path]) -> Any:
    """What `module:attribute` or `path/file.py:attribute` names.

    Args:
        reference: the attribute may have dots.
        folders: where modules are looked for first, in this order; then wherever Python finds them.

    Raises:
        CodeError: it cannot be had; the message says why and what to do.
    """
    place, _, attribute = reference.rpartition(":")
    if not attribute or not (place.endswith(".py") or all(part.isidentifier() for part in place.split("."))):
        raise CodeError(
            f"{reference!r} is no reference to Python code: write module:attribute or path/file.py:attribute"
        )
    found: Any = _module(place, folders)
    for name in attribute.split("."):
        with _user_code(f"{reference!r}"):
            if not hasattr(found, name):
                raise CodeError(f"{place!r} has no {name!r}: {_names_like(name, found)}")
            found = getattr(found, name)
        place = f"{place}.{name}"
    return found


def _names_like(name: str, owner: Any) -> str:
    public = sorted(one for one in getattr(owner, "__dict__", ()) if not one.startswith("_"))
    near = get_close_matches(name, public, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    more = ", ..." if len(public) > _MOST_NAMES else ""
    return f"possible: {', '.join(public[:_MOST_NAMES]) or 'nothing'}{more}"


def _module(place: str, folders: Sequence[Path]) -> ModuleType:
    with _user_code(f"cannot import {place!r}: it"):
        file = _file(place, folders)
        try:
            with _importable(folders if file is None else [file.parent, *folders]):
                return import_module(place) if file is None else _module_of(file)
        except ModuleNotFoundError as error:
            looked = ", ".join(str(folder) for folder in dict.fromkeys(folders))
            raise CodeError(
                f"cannot import {place!r}: {error}: looked in {looked} and where Python looks; check the spelling, or "
                "install what is missing"
            ) from error


@contextmanager
def _user_code(subject: str) -> Iterator[None]:
    """Turns whatever the user's code raises into a CodeError, but for what beewalk itself raised and Ctrl-C."""
    try:
        yield
    except (BeewalkError, KeyboardInterrupt):
        raise
    except SystemExit as error:
        raise CodeError(
            f"{subject} ends the program: keep that under `if __name__ == '__main__'`, or out of there"
        ) from error
    except BaseException as error:
        raise CodeError(f"{subject} raised {type(error).__name__}: {error}") from error


def _file(place: str, folders: Sequence[Path]) -> Path | None:
    """The file that `place` names, or None where Python has to find the module itself."""
    if place.endswith(".py"):
        file = next((folder / place for folder in folders if (folder / place).is_file()), None)
        if file is None:
            raise CodeError(
                f"there is no file {place!r}: looked in {', '.join(str(folder) for folder in folders)}; check the path"
            )
        return file
    relative = Path(*place.split("."))
    files = (folder / relative.with_suffix(".py") for folder in folders)
    return next((file for file in files if file.is_file()), None)


def _module_of(file: Path) -> ModuleType:
    """The module in `file`, imported once; two files of one name in different folders are two modules."""
    path = file.resolve()
    name = f"beewalk_loaded_{path.stem}_{sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CodeError(f"{path} is no Python file")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _importable(folders: Sequence[Path]) -> Iterator[None]:
    """Lets modules be imported from `folders`, and keeps Python from writing __pycache__ beside them."""
    added = [str(folder.resolve()) for folder in folders]
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path[:0] = added
    try:
        yield
    finally:
        sys.dont_write_bytecode = written
        for folder in added:
            if folder in sys.path:
                sys.path.remove(folder)
