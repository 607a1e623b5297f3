"""Scenario files, with the policies that they name opened."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from beewalk.errors import BeewalkError
from beewalk.opening.opening import load_policy
from beewalk.policy.policy import Policy
from beewalk.scenarios.scenario import Scenario
from beewalk.scenarios.scenario_files import read_scenarios

SUFFIX = ".scenario.yaml"


def load_scenarios(path: str | Path) -> list[Scenario]:
    """The scenarios in a file.

    Raises:
        PolicyError: the file has problems; all of them, those of its policies included.
    """
    return read_scenarios(Path(path), str(path), _open)


def scenario_files(places: Sequence[str | Path]) -> Iterator[Path]:
    """The files that `places` name: scenario files themselves, and those anywhere in folders, sorted.

    Raises:
        BeewalkError: a place is not there, or is a folder without scenario files.
    """
    for place in map(Path, places):
        if not place.is_dir():
            if not place.exists():
                raise BeewalkError(f"{place}: there is no such file or folder: check the path")
            yield place
            continue
        found = sorted(file for file in place.rglob(f"*{SUFFIX}") if not file.is_dir())
        if not found:
            raise BeewalkError(f"{place}: there is no scenario file in this folder: they are named NAME{SUFFIX}")
        yield from found


def _open(reference: str, folders: Sequence[Path]) -> Policy:
    """The policy that a scenario names; files are beside the scenario."""
    return load_policy(reference, folders=folders)
