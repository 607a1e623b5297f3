"""Stages: a witness step by step, with what was offered at each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from beewalk.explorer.finding import Finding
from beewalk.explorer.moves import Move
from beewalk.explorer.search import Search
from beewalk.explorer.second_run import kept_choices
from beewalk.reasoner.request import DeadEnd, Request


@dataclass(frozen=True, slots=True)
class WitnessStage:
    """What came at one place of a witness, and the move that was made next; None at the end.

    `request` is None where a requirement raises. `run` counts runs from 1.
    """

    run: int
    request: Request | DeadEnd | None
    move: Move | None


def stages(wide: Search, finding: Finding) -> Iterator[WitnessStage]:
    """Every stage of a finding's witness, over all its runs; none where it has no witness.

    Args:
        wide: a search of the same policy whose calls may fail and be refused.
        finding: what to show.
    """
    runs = finding.runs or (finding.witness,)
    origin = wide.origins[0]
    for number, made in enumerate(runs, start=1):
        here = replace(wide, origins=(origin,))
        moves = [wide.alphabet.moves.index(move) for move in made]
        for length, move in enumerate(made):
            yield WitnessStage(number, _request(here, moves[:length]), move)
        ended = bool(moves) and moves[-1] == wide.alphabet.end
        if number == len(runs) and not ended:
            yield WitnessStage(number, _request(here, moves), None)
        origin = kept_choices(wide, here.raw_rows([move for move in moves if move != wide.alphabet.end]))


def _request(search: Search, moves: Sequence[int]) -> Request | DeadEnd | None:
    said = search.request_after(moves)
    return said if isinstance(said, Request | DeadEnd) else None
