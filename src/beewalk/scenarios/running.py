"""Running scenarios: on an engine, one after the other, each judged."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from beewalk.agent.play import Played, Stage, play
from beewalk.agent.session import run_now
from beewalk.errors import BeewalkError
from beewalk.scenarios.expectations import Failure, judge
from beewalk.scenarios.scenario import Scenario


class Engine(Protocol):
    """Whatever can play a scenario."""

    def play(self, scenario: Scenario, *, timeout: float | None) -> Played:
        """The trajectories of its runs; `timeout` is how many seconds a tool may take."""
        ...


class OwnEngine:
    """beewalk's own loop."""

    def play(self, scenario: Scenario, *, timeout: float | None) -> Played:
        """The trajectories of its runs."""
        stage = Stage(scenario.tools, scenario.permissions, scenario.runs, timeout)
        try:
            chat_model = scenario.chat_model()
        except Exception as error:  # noqa: BLE001 - a chat model may come from the user's code
            what = str(error) if isinstance(error, BeewalkError) else f"{type(error).__name__}: {error}"
            return Played((), f"the chat model cannot be made: {what}")
        return run_now(lambda: play(scenario.policy, chat_model, scenario.input, stage))


@dataclass(frozen=True)
class ScenarioResult:
    """A scenario that was played: `failures` are by what it expects, and `played.trouble` fails it whatever that is."""

    scenario: Scenario
    played: Played
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """Whether everything was as the scenario says."""
        return self.played.trouble is None and not self.failures


def run_scenario(scenario: Scenario, engine: Engine, *, timeout: float | None = None) -> ScenarioResult:
    """Play one scenario and judge it; runs that trouble kept from happening are not judged."""
    try:
        played = engine.play(scenario, timeout=timeout)
    except Exception as error:  # noqa: BLE001 - one scenario must not take the results of all others with it
        played = Played((), f"{type(error).__name__} was raised while it was played: {error}")
    failures = [
        failure
        for wanted, run in zip(scenario.expect, played.trajectories, strict=False)
        if wanted is not None
        for failure in judge(wanted, run)
    ]
    return ScenarioResult(scenario, played, tuple(failures))


def run_all(scenarios: Iterable[Scenario], engine: Engine, *, timeout: float | None = None) -> Iterator[ScenarioResult]:
    """Play scenarios one after the other."""
    for scenario in scenarios:
        yield run_scenario(scenario, engine, timeout=timeout)
