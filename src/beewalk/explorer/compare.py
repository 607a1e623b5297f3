"""Compare: two policies over the same moves, step by step."""

from collections import deque
from collections.abc import Hashable, Iterator
from typing import Final, NamedTuple

from beewalk.explorer.walk import Offer, Walk

_START: Final = -1
AGAIN: Final = -2  # among moves: a next run begins


class Difference(NamedTuple):
    """The moves after which two policies offer something else, the shortest such way; AGAIN begins a next run."""

    moves: tuple[int, ...]
    one: Offer
    other: Offer


class TooMany(Exception):
    """More pairs of states than may be looked at: whether the policies differ is not known."""


def first_difference(one: Walk, other: Walk, *, most: int) -> tuple[Difference | None, int]:
    """The shortest way to a request that differs, and how many pairs of states were looked at.

    Args:
        one: a policy's walk, from its first state.
        other: the other policy's, over the same alphabet.
        most: how many pairs of states may be looked at.

    Returns:
        No difference where every request that both can reach, in a first run or a later one, is the same: both then
        let the same happen.

    Raises:
        TooMany: there are more pairs.

    Cost: O(pairs * moves * requirements).
    """
    ways: dict[tuple[int, int], tuple[tuple[int, int], int]] = {(0, 0): ((0, 0), _START)}
    waiting = deque(ways)
    while waiting:
        pair = waiting.popleft()
        offers = one.offer_at(pair[0]), other.offer_at(pair[1])
        if _shown(offers[0]) != _shown(offers[1]):
            return Difference(tuple(_way(ways, pair)), *offers), len(ways)
        moves = [move for move in offers[0].moves if move not in one.endings]
        afters = zip(one.afters(pair[0], moves), other.afters(pair[1], moves), strict=True)
        again = (one.again(pair[0]), other.again(pair[1])) if any(one.keeps) else (0, 0)
        for move, after in [*zip(moves, afters, strict=True), (AGAIN, again)]:
            if after not in ways:
                ways[after] = pair, move
                waiting.append(after)
        if len(ways) > most:
            raise TooMany
    return None, len(ways)


def _shown(offer: Offer) -> Hashable:
    """What of an offer counts: what the chat model may do, and whether the user is asked; not who forced what."""
    decision = offer.decision
    if decision is None:
        return None
    return decision.allowed, decision.hidden, decision.choice, decision.prevents_stop, offer.moves, offer.asked


def _way(ways: dict[tuple[int, int], tuple[tuple[int, int], int]], pair: tuple[int, int]) -> list[int]:
    return list(_backwards(ways, pair))[::-1]


def _backwards(ways: dict[tuple[int, int], tuple[tuple[int, int], int]], pair: tuple[int, int]) -> Iterator[int]:
    pair, move = ways[pair]
    while move != _START:
        yield move
        pair, move = ways[pair]
