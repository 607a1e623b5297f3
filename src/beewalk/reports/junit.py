"""Played scenarios as JUnit XML, which CI systems read."""

from itertools import groupby
from xml.etree import ElementTree as ET

from beewalk.reports.run_document import RunDocument, ScenarioEntry
from beewalk.reports.run_markdown import details
from beewalk.reports.terminal import printable


def run_junit(document: RunDocument) -> str:
    """A suite a file, a case a scenario; what failed is a failure, what was not played a property."""
    root = ET.Element("testsuites", _counts(document.scenarios))
    for file, entries in groupby(document.scenarios, key=lambda entry: entry.file):
        listed = tuple(entries)
        suite = ET.SubElement(root, "testsuite", {"name": printable(file), **_counts(listed)})
        if document.stop_reason != "finished":
            properties = ET.SubElement(suite, "properties")
            ET.SubElement(properties, "property", {"name": "stop_reason", "value": document.stop_reason})
        for entry in listed:
            _case(suite, entry)
    ET.indent(root)
    # Plain ASCII with references for the rest: right whatever encoding it is printed in.
    written: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return written.decode("ascii") + "\n"


def _case(suite: ET.Element, entry: ScenarioEntry) -> None:
    where = {"classname": printable(entry.file), "name": printable(entry.name), "line": str(entry.line)}
    case = ET.SubElement(suite, "testcase", {**where, "file": printable(entry.file)})
    if not entry.passed:
        failure = ET.SubElement(case, "failure", {"message": printable(_message(entry))})
        failure.text = "\n".join(details(entry))


def _message(entry: ScenarioEntry) -> str:
    """The first thing that failed, in a line; the text of the failure has them all."""
    if entry.trouble is not None:
        return entry.trouble
    first, more = entry.failures[0], len(entry.failures) - 1
    others = f" (and {more} more)" if more else ""
    return f"{first.path}: expected {first.expected}, got {first.got}{others}"


def _counts(entries: tuple[ScenarioEntry, ...]) -> dict[str, str]:
    failed = sum(not entry.passed for entry in entries)
    return {"tests": str(len(entries)), "failures": str(failed), "errors": "0", "skipped": "0"}
