"""Python code that files and commands refer to: `module:attribute` and `path/file.py:attribute`."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from beewalk.errors import BeewalkError, possible


class CodeError(BeewalkError):
    """Python code that cannot be had: no such module or attribute, or it raises while it is imported."""

    slug = "code-error"


def load_object(reference: str, folders: Sequence[Path]) -> Any:
    """What `module:attribute` or `path/file.py:attribute` names.

    Args:
        reference: the attribute may have dots.
        folders: where modules are looked for first, in this order; then wherever Python finds them.

    Raises:
        CodeError: it cannot be had; the message says why and what to do.
    """
    place, colon, attribute = reference.rpartition(":")
    if not colon or not place or not attribute:
        raise CodeError(
            f"{reference!r} is no reference to Python code: write module:attribute or path/file.py:attribute"
        )
    found: Any = _module(place, folders)
    for name in attribute.split("."):
        if not hasattr(found, name):
            public = [one for one in vars(found) if not one.startswith("_")] if hasattr(found, "__dict__") else []
            raise CodeError(f"{place!r} has no {name!r}: {possible(name, public)}")
        found = getattr(found, name)
    return found


def _module(place: str, folders: Sequence[Path]) -> ModuleType:
    file = _file(place, folders)
    try:
        with _importable(folders if file is None else [file.parent, *folders]):
            return import_module(place) if file is None else _module_of(file)
    except ModuleNotFoundError as error:
        looked = ", ".join(str(folder) for folder in folders)
        raise CodeError(f"cannot import {place!r}: {error} (looked in {looked} and where Python looks)") from error
    except Exception as error:
        raise CodeError(f"cannot import {place!r}: it raised {type(error).__name__}: {error}") from error
    except SystemExit as error:
        raise CodeError(
            f"cannot import {place!r}: it ends the program; keep that under `if __name__ == '__main__'`"
        ) from error


def _file(place: str, folders: Sequence[Path]) -> Path | None:
    """The file that `place` names, or None where Python has to find the module itself."""
    if place.endswith(".py"):
        file = next((folder / place for folder in folders if (folder / place).is_file()), None)
        if file is None:
            raise CodeError(f"there is no file {place!r}: looked in {', '.join(str(folder) for folder in folders)}")
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
    added = [str(folder.resolve()) for folder in folders]
    sys.path[:0] = added
    try:
        yield
    finally:
        for folder in added:
            sys.path.remove(folder)
