"""kill -9 at any moment of writing reports leaves the old files or the new ones, whole."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Beewalk

WRITING = """
import sys
from pathlib import Path
from beewalk.cli.output import replace_file
contents = [letter * 3_000_000 for letter in (b"a", b"b")]
print("ready", flush=True)
while True:
    for content in contents:
        for name in ("one.svg", "two.json"):
            replace_file(Path(name), content)
"""
MAIN = "import sys; from beewalk.cli.main import main; sys.exit(main())"
POLICY = "policy: p\ntools: [a, b]\nrequirements:\n  - {conditional: b, only_after: a, min_invocations: 1}\n"


@pytest.mark.parametrize("seed", range(8))
def test_a_file_is_the_old_one_or_the_new_one(seed: int, folder: Path) -> None:
    for name in ("one.svg", "two.json"):
        (folder / name).write_bytes(b"old")
    process = subprocess.Popen([sys.executable, "-c", WRITING], cwd=folder, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(Random(seed).uniform(0, 0.08))
    process.kill()
    process.wait()
    process.stdout.close()
    for name in ("one.svg", "two.json"):
        found = (folder / name).read_bytes()
        assert found in (b"old", b"a" * 3_000_000, b"b" * 3_000_000), (name, len(found))


def test_reports_and_pictures_are_old_or_new(beewalk: Beewalk, folder: Path) -> None:
    (folder / "p.policy.yaml").write_text(POLICY, encoding="utf-8")
    arguments = ["explore", "p.policy.yaml", "--format", "json", "--output", "report.json", "--out", "pictures"]
    assert beewalk(*arguments).code == 0
    files = [folder / "report.json", *sorted((folder / "pictures").iterdir())]
    whole = {file: file.read_bytes() for file in files}
    assert len(files) > 6
    dice = Random(7)
    for _ in range(4):
        for file in files:
            file.write_bytes(b"old")
        process = subprocess.Popen([sys.executable, "-c", MAIN, *arguments], cwd=folder, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0.5, 3.5))
        process.kill()
        process.wait()
        assert all(file.read_bytes() in (b"old", whole[file]) for file in files)
    subprocess.run([sys.executable, "-c", MAIN, *arguments], cwd=folder, stderr=subprocess.DEVNULL, check=True)
    assert all(file.read_bytes() == whole[file] for file in files), "the same input gives the same bytes"
