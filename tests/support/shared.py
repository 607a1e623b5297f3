"""The 50 real policies that lie beside the project, where they do."""

from pathlib import Path
from typing import Any

import pytest
import yaml

SHARED = Path(__file__).parents[3] / "shared"
POLICIES = sorted((SHARED / "policies").glob("*.policy.yaml"))

needs_shared = pytest.mark.skipif(not POLICIES, reason="../shared/policies is not there")


def shared_policy(number: str) -> Path:
    """The policy file whose name starts with `number`."""
    return next(path for path in POLICIES if path.name.startswith(number))


def measured(path: Path) -> dict[str, Any]:
    """What was measured on the real reasoner, from the file's own notes."""
    figures: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))["about"][
        "measured_with_the_real_reasoner"
    ]
    return figures
