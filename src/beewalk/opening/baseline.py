"""The baseline: an earlier JSON report, whose findings are no news."""

import json
from pathlib import Path

from beewalk.errors import BeewalkError
from beewalk.reports.document import key_of


def known_findings(file: Path) -> list[tuple[str, ...]]:
    """The keys of the findings in an earlier report of `beewalk explore --format json`, each as often as it stands.

    Raises:
        BeewalkError: the file cannot be read, or is no such report.
    """
    write_one = "write one with `beewalk explore POLICY --format json --output FILE`"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BeewalkError(f"{file}: the baseline cannot be read: {(error.strerror or str(error)).lower()}") from error
    except json.JSONDecodeError as error:
        raise BeewalkError(
            f"{file}:{error.lineno}:{error.colno}: {error.msg}, so this is no report: {write_one}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise BeewalkError(f"{file}:1:1: this is no JSON text, so no report: {write_one}") from error
    try:
        return [
            key_of(
                str(one["code"]), [str(place) for place in one["blame"]], [str(tool) for tool in one.get("tools", ())]
            )
            for one in data["findings"]
        ]
    except (KeyError, TypeError, AttributeError) as error:
        raise BeewalkError(f"{file}:1:1: this is no report of an exploration: {write_one}") from error
