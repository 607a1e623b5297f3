"""Plain data: the nodes of a YAML document as texts, numbers, lists and mappings, with the place of every value."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from beewalk.errors import Path as ValuePath
from beewalk.errors import PolicyError, Problem

MAX_VALUES = 50_000
MAX_NESTING = 50
MAX_DIGITS = 1_000

_TAG = "tag:yaml.org,2002:"
_MERGE = f"{_TAG}merge"
_COLLECTIONS = {f"{_TAG}map": yaml.MappingNode, f"{_TAG}seq": yaml.SequenceNode}
_KINDS = {
    f"{_TAG}int": "a number",
    f"{_TAG}float": "a number",
    f"{_TAG}timestamp": "a date",
    f"{_TAG}bool": "true or false",
    f"{_TAG}null": "nothing",
}
_TEXTS = {f"{_TAG}str", f"{_TAG}value"}  # "value" is a lone `=`
# What yaml's constructor raises for a scalar that is not what its tag or its looks promise.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, ValueError, yaml.YAMLError)


# (type of the key, key) -> its node, and its value's: 1 and true are two keys in YAML, and one in Python.
Pairs = dict[tuple[type, Any], tuple[yaml.Node, yaml.Node]]


class Place(NamedTuple):
    """Where a value stands: its node, and the node of its key where it is in a mapping."""

    node: yaml.Node
    key: yaml.Node | None


@dataclass(frozen=True)
class PlainData:
    """`data` with the places of its values by path; `problems` says what could not be read, None stands there.

    `other_keys` has the keys that are no texts: (path of the mapping, the key's repr) -> the key.
    """

    data: Any
    places: Mapping[ValuePath, Place]
    other_keys: Mapping[tuple[ValuePath, str | int], Any]
    problems: tuple[Problem, ...]


def plain_data(root: yaml.Node, name: str, *, most: int = MAX_VALUES) -> PlainData:
    """The plain data that `root` and the nodes under it describe; `name` is the file in messages.

    `most` is how many values it may have: what the documents before it in the file have left of MAX_VALUES.

    Raises:
        PolicyError: aliases make too much of it.

    Cost: O(values), an alias counted as often as it is used; at most `most`.
    """
    reader = _Reader(name, most)
    data = reader.value(root, ())
    return PlainData(data, reader.places, reader.other_keys, tuple(reader.problems))


def place_text(name: str, mark: Any) -> str:
    """`file:line:column` of a mark, of the file's start where there is none."""
    return f"{name}:{mark.line + 1}:{mark.column + 1}" if mark else f"{name}:1:1"


class _Reader:
    """Walks the nodes once; collects places and problems."""

    def __init__(self, name: str, most: int) -> None:
        self.places: dict[ValuePath, Place] = {}
        self.other_keys: dict[tuple[ValuePath, str | int], Any] = {}
        self.problems: list[Problem] = []
        self._name = name
        self._scalars = yaml.constructor.SafeConstructor()
        self._left = most
        self._open: set[int] = set()

    def value(self, node: yaml.Node, path: ValuePath, key: yaml.Node | None = None) -> Any:
        """The value of `node`, and everything under it; None where it cannot be read."""
        self._spend(1, node)
        self.places[path] = Place(node, key)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if not isinstance(node, _COLLECTIONS.get(node.tag, ())):
            return self._refuse_tag(node)
        with self._inside(node) as fits:
            if not fits:
                return None
            if isinstance(node, yaml.SequenceNode):
                return [self.value(item, (*path, index)) for index, item in enumerate(node.value)]
            assert isinstance(node, yaml.MappingNode), "no other kind of node is left"
            pairs = self._pairs(node)
            self.other_keys |= {(path, repr(one)): one for kind, one in pairs if kind is not str}
            return {one: self.value(item, (*path, one), key_node) for (_, one), (key_node, item) in pairs.items()}

    def _scalar(self, node: yaml.ScalarNode) -> Any:
        if node.tag in _TEXTS:
            return node.value
        kind = _KINDS.get(node.tag)
        if kind is None:
            return self._refuse_tag(node)
        if len(node.value) > MAX_DIGITS:
            return self._refuse(node, f"{kind} of {len(node.value):,} characters", "write it shorter, or in quotes")
        try:
            return self._scalars.construct_object(node)
        except _UNREADABLE:
            return self._refuse(node, f"{node.value[:60]!r} cannot be read as {kind}", "put it in quotes")

    def _pairs(self, node: yaml.MappingNode) -> Pairs:
        """What `<<` merges in first; own keys win over merged ones."""
        self._spend(len(node.value), node)
        own: Pairs = {}
        merged: Pairs = {}
        for key, value in node.value:
            if key.tag == _MERGE:
                for pairs in self._merged(value):
                    merged = pairs | merged
                continue
            refused = len(self.problems)
            read = self._key(key)
            if len(self.problems) == refused and (type(read), read) in own:
                self._refuse(key, f"the key {key.value!r} stands twice in one mapping", "keep one of them")
            elif len(self.problems) == refused:
                own[type(read), read] = key, value
        return merged | own

    def _key(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        return self._refuse(node, "a key that is a list or a mapping", "write a text")

    def _merged(self, value: yaml.Node) -> Iterator[Pairs]:
        for source in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if not isinstance(source, yaml.MappingNode):
                self._refuse(source, "`<<` merges something that is no mapping", "name a mapping by its alias")
                continue
            with self._inside(source) as fits:
                if fits:
                    yield self._pairs(source)

    @contextmanager
    def _inside(self, node: yaml.Node) -> Iterator[bool]:
        """Whether `node` can be entered: it is not part of itself, and not nested too deeply."""
        if id(node) in self._open:
            self._refuse(node, "by an alias this is a part of itself", "write it out instead of using the alias")
            yield False
        elif len(self._open) == MAX_NESTING:
            self._refuse(node, f"nested more than {MAX_NESTING} deep", "flatten it")
            yield False
        else:
            self._open.add(id(node))
            yield True
            self._open.discard(id(node))

    def _spend(self, values: int, node: yaml.Node) -> None:
        self._left -= values
        if self._left < 0:
            what = f"with what its aliases repeat, the file has more than {MAX_VALUES:,} values"
            at = place_text(self._name, node.start_mark)
            raise PolicyError([Problem((), what, "use fewer aliases, or split the file", at)])

    def _refuse_tag(self, node: yaml.Node) -> None:
        tag = node.tag.replace(_TAG, "!!")
        self._refuse(node, f"the tag {tag!r} is not allowed", "use plain YAML: texts, numbers, lists and mappings")

    def _refuse(self, node: yaml.Node, what: str, fix: str) -> None:
        self.problems.append(Problem((), what, fix, place_text(self._name, node.start_mark)))
