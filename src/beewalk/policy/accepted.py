"""Accepted: a finding that the author of a policy knows of and wants to keep."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accepted:
    """Findings with this `code` are no news, only those about `tool` where one is named; `reason` says why."""

    code: str
    reason: str
    tool: str | None = None
