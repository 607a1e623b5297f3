"""Reading: a YAML file as plain data, with the position of every value."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from beewalk.errors import Path as ValuePath
from beewalk.errors import PolicyError, Problem

MAX_BYTES = 1_000_000
MAX_NESTING = 50

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Document:
    """A YAML document: `data` is plain data, `name` the file as the user wrote it."""

    name: str
    data: Any
    root: yaml.Node

    def at(self, path: ValuePath, *, key: bool = False) -> str:
        """`file:line:column` of the value that `path` leads to, or of the nearest one above that is in the file.

        With `key` the position of the last part of the path itself, where that is the key of a mapping.
        """
        node, mark = self.root, self.root.start_mark
        for part in path:
            found = _child(node, part)
            if found is None:
                break
            key_mark, node = found
            mark = key_mark if key else node.start_mark
        return _place(self.name, mark)


def _child(node: yaml.Node, part: str | int) -> tuple[yaml.Mark, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == part:
                return key.start_mark, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part].start_mark, node.value[part]
    return None


def read_document(path: Path, name: str) -> Document:
    """The one YAML document in the file at `path`, called `name` in messages.

    Raises:
        PolicyError: the file cannot be read, is too large, is no UTF-8 text, no YAML, or not plain data.
    """
    text = _text(path, name)
    try:
        _check_nesting(text, name)
        loader = _Loader(text)
        try:
            root = loader.get_single_node()
            if root is None:
                raise PolicyError(
                    [Problem((), "the file is empty", "write a policy, or see `beewalk schema policy`", f"{name}:1:1")]
                )
            problems = list(_repeated_keys(root, name))
            data = loader.construct_document(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise PolicyError([_yaml_problem(error, name)]) from error
    except yaml.YAMLError as error:
        raise PolicyError([Problem((), f"this is no YAML: {_one_line(str(error))}", "", f"{name}:1:1")]) from error
    except (ValueError, OverflowError) as error:  # a date such as 2026-99-99
        raise PolicyError(
            [Problem((), f"a value cannot be read: {error}", "put it in quotes", f"{name}:1:1")]
        ) from error
    if problems:
        raise PolicyError(problems)
    return Document(name, data, root)


def _text(path: Path, name: str) -> str:
    place = f"{name}:1:1"
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        what = error.strerror.lower() if error.strerror else str(error)
        raise PolicyError([Problem((), f"the file cannot be read: {what}", "check the path", place)]) from error
    if len(raw) > MAX_BYTES:
        raise PolicyError([Problem((), f"the file is larger than {MAX_BYTES:,} bytes", "make it smaller", place)])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        what = f"byte {raw[error.start]:#04x} is not UTF-8 text"
        raise PolicyError([Problem((), what, "a policy is a YAML text file", f"{name}:{line}:{column}")]) from error
    return text.removeprefix("\ufeff")


def _check_nesting(text: str, name: str) -> None:
    """Refuse what is nested so deeply that building it would exhaust the stack; scanning is safe."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_NESTING:
                what = f"nested more than {MAX_NESTING} deep"
                raise PolicyError([Problem((), what, "flatten it", _place(name, event.start_mark))])
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _place(name: str, mark: Any) -> str:
    """`file:line:column` of a mark, of the file's start where there is none."""
    return f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else f"{name}:1:1"


def _repeated_keys(root: yaml.Node, name: str) -> Iterator[Problem]:
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield from _repeated_in(node, name)
            waiting += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


def _repeated_in(node: yaml.MappingNode, name: str) -> Iterator[Problem]:
    known: set[Hashable] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value != "<<":
            if key.value in known:
                what = f"the key {key.value!r} stands twice in one mapping"
                yield Problem((), what, "keep one of them", _place(name, key.start_mark))
            known.add(key.value)


def _yaml_problem(error: yaml.MarkedYAMLError, name: str) -> Problem:
    place = _place(name, error.problem_mark or error.context_mark)
    problem = _one_line(error.problem or "unreadable")
    if "could not determine a constructor for the tag" in problem:
        tag = problem.split("'")[1] if "'" in problem else "?"
        return Problem(
            (), f"the tag {tag!r} is not allowed here", "use plain YAML: texts, numbers, lists, mappings", place
        )
    if isinstance(error, yaml.composer.ComposerError) and "single document" in (error.context or ""):
        return Problem((), "a second document starts here", "a policy file holds one", place)
    context = f" ({_one_line(error.context)})" if error.context else ""
    return Problem((), f"this is no YAML: {problem}{context}", "", place)


def _one_line(text: str) -> str:
    return " ".join(text.split())
