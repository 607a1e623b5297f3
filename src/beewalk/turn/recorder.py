"""Recorder: a listener that makes a trajectory of the effects and events of a run."""

from dataclasses import replace

from beewalk.policy.step import Turn
from beewalk.turn.events import Ask, Effect, End, Event, Failed, Finish, Replied
from beewalk.turn.trajectory import Asked, Offered, Trajectory


class Recorder:
    """Listens to one run; `trajectory` is there once it has ended, `turns` and `offers` as far as it has come."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.offers: list[Offered] = []
        self.trajectory: Trajectory | None = None

    def __call__(self, happening: Effect | Event) -> None:
        """Take in what happened."""
        match happening:
            case Ask():
                self._ask(happening)
            case Replied():
                self._asked(Asked(happening.reply))
            case Failed():
                self._asked(Asked(None, happening.why))
            case Finish():
                self.turns.append(happening.turn)
            case End():
                self.trajectory = Trajectory(
                    tuple(self.turns),
                    tuple(self.offers),
                    happening.ends,
                    happening.message,
                    happening.answer,
                    happening.value,
                    happening.dead_end,
                )

    def _ask(self, ask: Ask) -> None:
        if ask.number > len(self.offers):
            self.offers.append(Offered(ask.turn, ask.request))
        elif ask.rejected and self.offers[-1].asks[-1].rejected is None:
            *others, last = self.offers[-1].asks
            asks = (*others, replace(last, rejected=ask.rejected[-1].why))
            self.offers[-1] = replace(self.offers[-1], asks=asks)

    def _asked(self, asked: Asked) -> None:
        self.offers[-1] = replace(self.offers[-1], asks=(*self.offers[-1].asks, asked))
