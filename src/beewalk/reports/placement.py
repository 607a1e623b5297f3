"""Placement: where the states of a graph stand in a picture, layered left to right by distance."""

from collections.abc import Sequence

from beewalk.reports.document import Edge, Node

SWEEPS = 8

Places = dict[int, tuple[float, float]]


def placed(nodes: Sequence[Node], edges: Sequence[Edge]) -> Places:
    """Node number -> (x, y): x is the distance from the start, y spreads a layer around 0, one unit apart.

    The order within a layer follows the average place of the neighbours, forwards and backwards in turn.

    Cost: O(SWEEPS * (edges + nodes * log nodes)).
    Source: the barycentre method of Sugiyama, Tagawa and Toda (1981).
    """
    layers: dict[int, list[int]] = {}
    for node in nodes:
        layers.setdefault(node.depth, []).append(node.number)
    neighbours: dict[int, list[int]] = {node.number: [] for node in nodes}
    for edge in edges:
        neighbours[edge.source].append(edge.target)
        neighbours[edge.target].append(edge.source)
    depth_of = {node.number: node.depth for node in nodes}
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        for depth in sorted(layers, reverse=not forwards):
            _sort_layer(layers, depth, -1 if forwards else 1, neighbours, depth_of)
    return {
        number: (float(depth), (len(layer) - 1) / 2 - position)
        for depth, layer in layers.items()
        for position, number in enumerate(layer)
    }


def _sort_layer(
    layers: dict[int, list[int]], depth: int, side: int, neighbours: dict[int, list[int]], depth_of: dict[int, int]
) -> None:
    beside = layers.get(depth + side, [])
    place = {number: position - (len(beside) - 1) / 2 for position, number in enumerate(beside)}
    own = {number: position - (len(layers[depth]) - 1) / 2 for position, number in enumerate(layers[depth])}

    def centre(number: int) -> float:
        near = [place[other] for other in neighbours[number] if depth_of[other] == depth + side]
        return sum(near) / len(near) if near else own[number]

    layers[depth].sort(key=centre)
