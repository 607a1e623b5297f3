"""Fails where a room's coverage of lines and branches is below its floor; run by `make check` after the tests."""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PURE = ("policy", "reasoner", "turn", "explorer", "properties", "errors")
FLOORS = {True: 97.0, False: 88.0}


def measured() -> dict[str, list[int]]:
    """Room -> [covered, all] lines and branches, from the data of the last run."""
    command = [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, file in json.loads(done.stdout)["files"].items():
        parts = Path(name).parts
        room = parts[parts.index("beewalk") + 1].removesuffix(".py")
        summary = file["summary"]
        rooms[room][0] += summary["covered_lines"] + summary["covered_branches"]
        rooms[room][1] += summary["num_statements"] + summary["num_branches"]
    return rooms


def main() -> int:
    """Print a line a room; 1 where one is below its floor."""
    low = False
    for room, (covered, every) in sorted(measured().items()):
        floor = FLOORS[room in PURE]
        percent = 100 * covered / every if every else 100.0
        low = low or percent < floor
        sys.stdout.write(
            f"{room:12} {percent:6.2f} % of {every:5}, floor {floor:.0f} %{'' if percent >= floor else '  BELOW'}\n"
        )
    return int(low)


if __name__ == "__main__":
    sys.exit(main())
