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
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ET.Element, entry: ScenarioEntry) -> None:
    where = {"classname": printable(entry.file), "name": printable(entry.name), "line": str(entry.line)}
    case = ET.SubElement(suite, "testcase", {**where, "file": printable(entry.file)})
    if not entry.passed:
        lines = details(entry)
        failure = ET.SubElement(case, "failure", {"message": lines[0]})
        failure.text = "\n".join(lines)


def _counts(entries: tuple[ScenarioEntry, ...]) -> dict[str, str]:
    failed = sum(not entry.passed for entry in entries)
    return {"tests": str(len(entries)), "failures": str(failed), "errors": "0", "skipped": "0"}
