"""Boxes in columns and the lines between them, so routed that no line runs through a box or a label.

Every second column is for labels alone: a line between two boxes is led through its label, and past every column that
it skips it gets a place of its own. What skips columns towards the same box shares its way there.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from beewalk.reports.placement import Link, Slot, arranged
from beewalk.reports.sheet import Point, Rect, Stroke

_BOX_APART: Final = 16.0
_LABEL_APART: Final = 4.0
_LINE_APART: Final = 7.0
_PORT_APART: Final = 9.0
_LEAST_PORT_APART: Final = 6.5
_LABEL_PAD: Final = 3.0
_WITNESS_WEIGHT: Final = 12.0
_PASSING_WEIGHT: Final = 8.0


@dataclass(frozen=True, slots=True)
class Box:
    """A box to be placed: its column from 0, and its least size in points."""

    column: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line between two boxes, by number.

    `width` and `height` are its label's, 0 where it has none. `both`: it has a head at each end. `straight`: it matters
    most, so it is to run as straight as can be.
    """

    source: int
    target: int
    width: float = 0.0
    height: float = 0.0
    both: bool = False
    straight: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """Where a line runs: its strokes, its label's place, and its heads as (tip, whether it points to the left)."""

    strokes: tuple[Stroke, ...]
    label: Rect | None
    heads: tuple[tuple[Point, bool], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes and routes in the order in which they were asked for, from (0, 0) on."""

    boxes: tuple[Rect, ...]
    routes: tuple[Route, ...]

    def moved(self, by: Point) -> "Layout":
        """All of it, so much further right and down."""
        dx, dy = by

        def at(rect: Rect) -> Rect:
            return Rect(rect.x + dx, rect.y + dy, rect.width, rect.height)

        routes = [
            Route(
                tuple(tuple((x + dx, y + dy) for x, y in stroke) for stroke in route.strokes),
                route.label and at(route.label),
                tuple(((x + dx, y + dy), leftwards) for (x, y), leftwards in route.heads),
            )
            for route in self.routes
        ]
        return Layout(tuple(map(at, self.boxes)), tuple(routes))


@dataclass
class _Plan:
    """Slots and links while they are collected; a way is the slots of a line from the left to the right."""

    slots: list[Slot] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    links: dict[tuple[int, int], float] = field(default_factory=dict)
    shared: dict[tuple[int, int, bool], int] = field(default_factory=dict)

    def slot(self, slot: Slot, width: float) -> int:
        self.slots.append(slot)
        self.widths.append(width)
        return len(self.slots) - 1

    def passing(self, layer: int, target: int, *, leftwards: bool) -> int:
        """The place in `layer` of all that goes past it to `target`."""
        key = (layer, target, leftwards)
        if key not in self.shared:
            self.shared[key] = self.slot(Slot(layer, 0.0, _LINE_APART), 0.0)
        return self.shared[key]

    def make_room(self, boxes: int) -> None:
        """Let the boxes, which are the first slots, be as high as the lines at their sides need."""
        sides = Counter((number, side) for link in self.links for side, number in enumerate(link))
        for number in range(boxes):
            slot = self.slots[number]
            busiest = max(sides[number, 0], sides[number, 1])
            self.slots[number] = replace(slot, height=max(slot.height, _LEAST_PORT_APART * (busiest - 1) + 10))

    def link(self, left: int, right: int, weight: float) -> None:
        self.links[left, right] = max(weight, self.links.get((left, right), 0.0))


def layered(boxes: Sequence[Box], lines: Sequence[Line]) -> Layout:
    """Place boxes and route lines.

    Cost: O(columns skipped in total) slots, see `placement.arranged`.
    Limits: lines from a box to itself are not drawn; write them into the box.
    """
    plan = _Plan()
    for box in boxes:
        plan.slot(Slot(2 * box.column, box.height, _BOX_APART), box.width)
    ways = [_way(plan, boxes, line) for line in lines]
    for line, way in zip(lines, ways, strict=True):
        _link(plan, way, line, turns=boxes[line.source].column == boxes[line.target].column)
    plan.make_room(len(boxes))
    links = [Link(left, right, weight) for (left, right), weight in plan.links.items()]
    ys = arranged(plan.slots, links)
    top = min((y - slot.height / 2 for y, slot in zip(ys, plan.slots, strict=True)), default=0.0)
    return _Drawn(plan, [y - top for y in ys]).layout(boxes, lines, ways)


def _way(plan: _Plan, boxes: Sequence[Box], line: Line) -> list[int]:
    """The slots that a line runs through, from its source to its target."""
    start, end = boxes[line.source].column, boxes[line.target].column
    label = Slot(0, line.height, _LABEL_APART if line.height else _LINE_APART)
    if start == end:
        own = plan.slot(Slot(2 * start + 1, label.height, label.apart), line.width)
        return [line.source, own, line.target]
    step = 1 if end > start else -1
    passed = range(2 * start + step, 2 * end, step)
    way = [line.source]
    for layer in passed:
        if layer == passed[0] and (line.height or line.both or len(passed) == 1):
            way.append(plan.slot(Slot(layer, label.height, label.apart), line.width))
        else:
            way.append(plan.passing(layer, line.target, leftwards=step < 0))
    return [*way, line.target]


def _link(plan: _Plan, way: Sequence[int], line: Line, *, turns: bool) -> None:
    weight = _WITNESS_WEIGHT if line.straight else 1.0
    if turns:
        plan.link(way[0], way[1], weight)
        plan.link(way[2], way[1], weight)
        return
    for one, other in pairwise(way):
        left, right = (one, other) if plan.slots[one].layer < plan.slots[other].layer else (other, one)
        inner = _PASSING_WEIGHT if way[0] != one and way[-1] != other else 1.0
        plan.link(left, right, weight * inner)


class _Drawn:
    """Slots that have their places, and what follows from them."""

    def __init__(self, plan: _Plan, ys: Sequence[float]) -> None:
        self.slots, self.ys, self.widths = plan.slots, ys, plan.widths
        self.links = list(plan.links)
        self.columns = self._columns()
        self.ports = self._ports()

    def layout(self, boxes: Sequence[Box], lines: Sequence[Line], ways: Sequence[Sequence[int]]) -> Layout:
        places = []
        for number, box in enumerate(boxes):
            left, right = self.columns[2 * box.column]
            height = self.slots[number].height
            places.append(Rect(left, self.ys[number] - height / 2, right - left, height))
        return Layout(tuple(places), tuple(map(self._route, lines, ways)))

    def _columns(self) -> list[tuple[float, float]]:
        """Left and right side of each layer; gaps widen where lines climb far, so that they don't get too steep."""
        count = max((slot.layer for slot in self.slots), default=-1) + 1
        widths, gaps = [0.0] * count, [0.0] * count
        for slot, width in zip(self.slots, self.widths, strict=True):
            widths[slot.layer] = max(widths[slot.layer], width)
        for left, right in self.links:
            climb = abs(self.ys[left] - self.ys[right])
            layer = min(self.slots[left].layer, self.slots[right].layer)
            gaps[layer] = max(gaps[layer], min(14 + climb * 0.14, 64))
        sides, x = [], 0.0
        for width, gap in zip(widths, gaps, strict=True):
            sides.append((x, x + width))
            x += width + gap
        return sides

    def _ports(self) -> dict[tuple[int, int], float]:
        """(slot, other slot) -> the y at which the link between them leaves the first: spread along a box's side."""
        sides: dict[tuple[int, bool], list[int]] = {}
        for left, right in self.links:
            rightwards = self.slots[left].layer < self.slots[right].layer
            sides.setdefault((left, rightwards), []).append(right)
            sides.setdefault((right, not rightwards), []).append(left)
        ports: dict[tuple[int, int], float] = {}
        for (slot, _), others in sides.items():
            others.sort(key=lambda other: (self.ys[other], other))
            room = max(self.slots[slot].height - 10, 0.0)
            apart = min(_PORT_APART, room / max(len(others) - 1, 1)) if self._is_box(slot) else 0.0
            for position, other in enumerate(others):
                ports[slot, other] = self.ys[slot] + (position - (len(others) - 1) / 2) * apart
        return ports

    def _is_box(self, slot: int) -> bool:
        return self.slots[slot].layer % 2 == 0 and self.slots[slot].height > 0

    def _route(self, line: Line, way: Sequence[int]) -> Route:
        label = self._label(way, line) if line.height else None
        if self.slots[way[0]].layer == self.slots[way[-1]].layer:
            return self._turned(way, label, both=line.both)
        strokes = []
        leftwards = self.slots[way[0]].layer > self.slots[way[-1]].layer
        stroke: list[Point] = [self._end(way[0], way[1], leftwards=leftwards)]
        for slot in filter(self._has_width, way[1:-1]):
            near, far = self._middle(slot, leftwards=not leftwards), self._middle(slot, leftwards=leftwards)
            stroke += _eased(stroke[-1], near)
            if label is not None and slot == way[1]:
                strokes.append((*stroke, *_eased(near, (label.right if leftwards else label.x, near[1]))))
                stroke = [(label.x if leftwards else label.right, far[1])]
            stroke += _eased(stroke[-1], far)
        stroke += _eased(stroke[-1], self._end(way[-1], way[-2], leftwards=not leftwards))
        strokes.append(tuple(stroke))
        heads = [(stroke[-1], leftwards)]
        if line.both:
            heads.append((strokes[0][0], not leftwards))
        return Route(tuple(strokes), label, tuple(heads))

    def _turned(self, way: Sequence[int], label: Rect | None, *, both: bool) -> Route:
        """From a box to one above or below it: out to the right, to the label's side, and back."""
        source, middle, target = way
        start, end = self._end(source, middle, leftwards=False), self._end(target, middle, leftwards=False)
        heads = ((end, True), *([(start, True)] if both else []))
        if label is None:
            x = self.columns[self.slots[middle].layer][0] + 10
            return Route(((start, (x, start[1]), (x, end[1]), end),), None, heads)
        x, y = label.x, label.middle[1]
        by = 2.5 if start[1] > end[1] else -2.5
        out = (start, *_eased(start, (x, y + by)))
        back = ((x, y - by), *_eased((x, y - by), end))
        return Route((out, back), label, heads)

    def _has_width(self, slot: int) -> bool:
        """Whether a line must be led through here: not where a column of labels has none."""
        left, right = self.columns[self.slots[slot].layer]
        return right > left

    def _label(self, way: Sequence[int], line: Line) -> Rect:
        slot = way[1]
        left, right = self.columns[self.slots[slot].layer]
        turned = self.slots[way[0]].layer == self.slots[way[-1]].layer
        x = left if turned else (left + right - line.width) / 2
        return Rect(x, self.ys[slot] - line.height / 2, line.width, line.height)

    def _end(self, slot: int, other: int, *, leftwards: bool) -> Point:
        """Where the link to `other` touches `slot`, on its left side where that is meant."""
        left, right = self.columns[self.slots[slot].layer]
        return (left if leftwards else right), self.ports[slot, other]

    def _middle(self, slot: int, *, leftwards: bool) -> Point:
        """The middle of a slot's side."""
        left, right = self.columns[self.slots[slot].layer]
        return (left if leftwards else right), self.ys[slot]


def _eased(start: Point, end: Point) -> Stroke:
    """The three further points of a curve that leaves and arrives level."""
    middle = (start[0] + end[0]) / 2
    return (middle, start[1]), (middle, end[1]), end
