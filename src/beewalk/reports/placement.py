"""Placement: in which order the things of a layered picture stand below each other, and how far apart."""

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SWEEPS: Final = 16
_SETTLINGS: Final = 60


@dataclass(frozen=True, slots=True)
class Slot:
    """What takes room in a layer: a box, a label, or a line that passes.

    `height` is its own, in points; `apart` the least distance to what stands above or below it.
    """

    layer: int
    height: float
    apart: float


@dataclass(frozen=True, slots=True)
class Link:
    """A piece of a line between slots of neighbouring layers, by number; the heavier, the straighter it wants to be."""

    left: int
    right: int
    weight: float = 1.0


Layers = list[list[int]]
Near = Mapping[int, Sequence[tuple[int, float]]]


def arranged(slots: Sequence[Slot], links: Sequence[Link]) -> list[float]:
    """The y of each slot's middle, downwards from 0; no two slots of a layer come nearer than both want.

    The order within a layer follows the average place of the neighbours, forwards and backwards in turn, and the
    order with the fewest crossings is kept. Places then settle where links are as straight as the order lets them be.

    Cost: O(SWEEPS * (links + slots) * log slots).
    Source: the barycentre method of Sugiyama, Tagawa and Toda (1981); pooling of adjacent violators for the places.
    """
    layers = ordered(slots, links)
    return _settled(slots, layers, _near(slots, links, forwards=True), _near(slots, links, forwards=False))


def ordered(slots: Sequence[Slot], links: Sequence[Link]) -> Layers:
    """The slots of each layer from top to bottom, with few crossings."""
    before, after = _near(slots, links, forwards=True), _near(slots, links, forwards=False)
    layers = _walked(slots, before, after)
    best, fewest = [list(layer) for layer in layers], crossings(layers, after)
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        for index in range(len(layers)) if forwards else reversed(range(len(layers))):
            beside = index - 1 if forwards else index + 1
            if 0 <= beside < len(layers):
                _sort(layers[index], layers[beside], before if forwards else after)
        count = crossings(layers, after)
        if count < fewest:
            best, fewest = [list(layer) for layer in layers], count
    return best


def crossings(layers: Layers, after: Near) -> int:
    """How many pairs of links cross."""
    count = 0
    for left, right in pairwise(layers):
        place = {number: position for position, number in enumerate(right)}
        seen: list[int] = []
        for number in left:
            ends = sorted(place[other] for other, _ in after[number])
            count += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return count


def _near(slots: Sequence[Slot], links: Sequence[Link], *, forwards: bool) -> Near:
    """Slot -> its neighbours in the layer before it (`forwards`) or after it, with the links' weights."""
    near: dict[int, list[tuple[int, float]]] = {number: [] for number in range(len(slots))}
    for link in links:
        here, there = (link.right, link.left) if forwards else (link.left, link.right)
        near[here].append((there, link.weight))
    return near


def _walked(slots: Sequence[Slot], before: Near, after: Near) -> Layers:
    """The layers in the order in which a walk meets their slots, depth first: what belongs together starts together."""
    layers: Layers = [[] for _ in range(max((slot.layer for slot in slots), default=-1) + 1)]
    met: set[int] = set()
    for first in range(len(slots)):
        stack = [first]
        while stack:
            number = stack.pop()
            if number in met:
                continue
            met.add(number)
            layers[slots[number].layer].append(number)
            stack += [other for other, _ in reversed([*after[number], *before[number]]) if other not in met]
    return layers


def _sort(layer: list[int], beside: Sequence[int], near: Near) -> None:
    """Sort by the mean place of the neighbours; what has none keeps its share of the height."""
    place = {number: position for position, number in enumerate(beside)}
    share = len(beside) / max(len(layer), 1)
    centre: dict[int, float] = {}
    for position, number in enumerate(layer):
        places = [place[other] for other, _ in near[number]]
        centre[number] = sum(places) / len(places) if places else position * share
    layer.sort(key=centre.__getitem__)


def _settled(slots: Sequence[Slot], layers: Layers, before: Near, after: Near) -> list[float]:
    ys = [0.0] * len(slots)
    for layer in layers:
        _spread(layer, slots, ys, dict.fromkeys(layer, (0.0, 1.0)))
    for turn in range(_SETTLINGS):
        forwards = turn % 2 == 0
        both = turn >= _SETTLINGS - 36
        for layer in layers if forwards else reversed(layers):
            wishes = {}
            for number in layer:
                near = [*before[number], *after[number]] if both else (before if forwards else after)[number]
                wishes[number] = _wish(near, ys, ys[number])
            _spread(layer, slots, ys, wishes)
    return ys


def _wish(near: Sequence[tuple[int, float]], ys: Sequence[float], own: float) -> tuple[float, float]:
    """Where a slot would like to be, and how much."""
    total = sum(weight for _, weight in near)
    if not total:
        return own, 0.05
    return sum(ys[other] * weight for other, weight in near) / total, total


def _spread(
    layer: Sequence[int], slots: Sequence[Slot], ys: list[float], wishes: Mapping[int, tuple[float, float]]
) -> None:
    """Put a layer's slots where they wish, as near as their order and distances allow: least squares, exactly."""
    offset, offsets = 0.0, []
    for position, number in enumerate(layer):
        if position:
            offset += distance(slots[layer[position - 1]], slots[number])
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []  # mean, weight, slots
    for number, shift in zip(layer, offsets, strict=True):
        mean, weight, count = wishes[number][0] - shift, wishes[number][1], 1
        while pools and pools[-1][0] >= mean:
            other, heavy, more = pools.pop()
            mean = (mean * weight + other * heavy) / (weight + heavy)
            weight, count = weight + heavy, count + more
        pools.append((mean, weight, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    for number, mean, shift in zip(layer, means, offsets, strict=True):
        ys[number] = mean + shift


def distance(upper: Slot, lower: Slot) -> float:
    """The least distance between the middles of two slots, one below the other."""
    return (upper.height + lower.height) / 2 + max(upper.apart, lower.apart)
