"""The order in which Python happens to keep sets and mappings changes no byte of a report."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.shared import POLICIES

SCENARIOS = Path(__file__).parents[2] / "scenarios"

CODE = """
import json, sys
from beewalk.opening.opening import explore
from beewalk.opening.report import report_of
from beewalk.reports.document import as_data
for path in sys.argv[1:]:
    found = explore(path, outcomes=["ok", "error"])
    print(json.dumps(as_data(report_of(found))), list(found.graph.rows), list(found.graph.arcs))
"""


def printed(paths: list[str], seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", CODE, *paths], capture_output=True, text=True, check=True, env=environment
    )
    return done.stdout


@pytest.mark.parametrize("which", ["shipped", "shared"])
def test_two_hash_seeds_print_the_same(which: str) -> None:
    paths = sorted(SCENARIOS.glob("*.policy.yaml")) if which == "shipped" else POLICIES
    explored = [str(path) for path in paths if not path.name.startswith("09")]
    if not explored:
        pytest.skip("../shared/policies is not there")
    first = printed(explored, "1")
    assert first.count("\n") == len(explored)
    assert first == printed(explored, "2")
