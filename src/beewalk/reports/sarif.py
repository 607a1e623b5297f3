"""The report as SARIF 2.1.0, for code hosts that show findings beside the lines to blame."""

from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from typing import Any
from urllib.parse import quote

from beewalk.reports.document import FindingEntry, Place, ReportDocument, Stage
from beewalk.reports.markup import shortened
from beewalk.reports.terminal import printable

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def as_sarif(document: ReportDocument) -> dict[str, Any]:
    """One run with a result a finding; the witness is its code flow.

    Accepted findings are suppressed, those of a baseline unchanged. Source: OASIS, SARIF 2.1.0.
    """
    codes = {finding.code: finding for finding in document.findings}
    rules = list(codes)
    driver = {
        "name": "beewalk",
        "version": version("beewalk"),
        "rules": [_rule(finding) for finding in codes.values()],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(document, finding, rules.index(finding.code)) for finding in document.findings],
            }
        ],
    }


def _rule(finding: FindingEntry) -> dict[str, Any]:
    return {
        "id": finding.code,
        "shortDescription": {"text": _message(finding.meaning or finding.code)},
        "help": {"text": f"`beewalk finding {finding.code}` tells what it means and how to mend it."},
        "defaultConfiguration": {"level": finding.severity},
    }


def _result(document: ReportDocument, finding: FindingEntry, rule: int) -> dict[str, Any]:
    place = finding.places[0] if finding.places else document.place
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": _message(_told(finding))},
        "locations": [_location(place)],
        "partialFingerprints": {"beewalk/v1": _fingerprint(document, finding)},
    }
    related = list(_related(finding, place))
    if related:
        result["relatedLocations"] = related
    if finding.stages:
        flow = [{"location": step} for step in _steps(finding.stages, place)]
        result["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if finding.accepted is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": printable(shortened(finding.accepted))}]
    return result | {"baselineState": "unchanged"} if finding.known else result


def _told(finding: FindingEntry) -> str:
    parts = [finding.message]
    if finding.blame:
        parts.append(f"To blame: {', '.join(finding.blame)}")
    if finding.mends:
        parts.append(f"Mend: {'; or '.join(finding.mends)}")
    return ". ".join(parts) + "."


def _related(finding: FindingEntry, first: Place) -> Iterator[dict[str, Any]]:
    """The other places, each with what is to blame there."""
    blame: dict[Place, list[str]] = {}
    for place, part in zip(finding.places, finding.blame, strict=True):
        blame.setdefault(place, []).append(part)
    for place, parts in blame.items():
        if place != first:
            yield _location(place) | {"message": {"text": _message(f"to blame as well: {', '.join(parts)}")}}


def _steps(stages: tuple[Stage, ...], place: Place) -> Iterator[dict[str, Any]]:
    """Each stage of the witness, at the place to blame: the calls themselves stand in no file."""
    for stage in stages:
        offered = f"offered: {', '.join(stage.offered) or 'nothing'}"
        out = "; ".join(f"{tool} is not: {why}" for tool, why in stage.kept_out)
        then = f"then {stage.move} is called" if stage.move else stage.ends
        said = ". ".join(part for part in (offered, out, then) if part)
        run = f"run {stage.run}, " if stages[-1].run > 1 else ""
        yield _location(place) | {"message": {"text": _message(run + said)}}


def _location(place: Place) -> dict[str, Any]:
    uri = quote(place.file.replace("\\", "/").removeprefix("./"), safe="/-._~", errors="replace")
    region = {"startLine": place.line, "startColumn": place.column}
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _fingerprint(document: ReportDocument, finding: FindingEntry) -> str:
    parts = [document.policy, *finding.key, *finding.needs]
    return sha256("\0".join(parts).encode(errors="backslashreplace")).hexdigest()[:32]


def _message(text: str) -> str:
    """The text as it stands in a message: braces are doubled, and nothing in it is a link.

    Source: OASIS, SARIF 2.1.0, messages with placeholders and messages with embedded links.
    """
    return printable(shortened(text)).replace("{", "{{").replace("}", "}}").replace("](", "] (")
