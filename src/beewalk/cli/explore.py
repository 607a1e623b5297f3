"""`beewalk explore`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from beewalk.cli.lookout import Lookout
from beewalk.cli.output import Color, as_json, rendered, replace_file, say, write
from beewalk.cli.user_code import user_code
from beewalk.explorer.graph import StopReason
from beewalk.explorer.search import DEFAULT_MAX_STATES
from beewalk.opening.baseline import known_findings
from beewalk.opening.drawing import whole_drawing
from beewalk.opening.opening import EVALUATE, explorable
from beewalk.opening.report import report_of
from beewalk.policy.policy import Limits
from beewalk.properties.exploration import OUTCOMES, Exploration, explore_policy
from beewalk.reports.document import ReportDocument, as_data
from beewalk.reports.graph_files import as_dot, as_graphml
from beewalk.reports.markdown import as_markdown
from beewalk.reports.sarif import as_sarif
from beewalk.reports.terminal import as_text
from beewalk.scenarios.schema import MOST_ITERATIONS

FOUND, CUT_SHORT, INTERRUPTED = 1, 3, 130
FORMATS = ("text", "json", "markdown", "sarif", "dot", "graphml")


def _outcomes(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:  # noqa: ARG001
    names = tuple(name.strip() for name in value.split(","))
    if names == ("all",):
        return OUTCOMES
    unknown = [name for name in names if name not in OUTCOMES]
    if unknown or "ok" not in names:
        raise click.BadParameter(
            f"{value!r}: write ok, or ok,error (= all); outcomes that tools name are always explored"
        )
    return names


_COUNT = click.IntRange(min=0)


@click.command(short_help="Every tool sequence a policy lets happen, and where it gets stuck.")
@click.argument("policy")
@click.option("--outcomes", default="ok", callback=_outcomes, help="ok (default), or ok,error (= all): calls may fail.")
@click.option("--no-denied", is_flag=True, help="The user never refuses a permission.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="text (default), json, markdown, sarif, dot, graphml.",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Draw pictures into this folder.")
@click.option(
    "--max-length", type=click.IntRange(1, MOST_ITERATIONS), metavar="N", help="Count runs of at most this many calls."
)
@click.option(
    "--max-iterations",
    type=click.IntRange(0, MOST_ITERATIONS),
    metavar="N",
    help="Turns a run may have; 0 for no bound. The policy's, or 20.",
)
@click.option("--max-retries-per-step", type=_COUNT, metavar="N", help="Failures a turn may have. The policy's, or 3.")
@click.option("--total-max-retries", type=_COUNT, metavar="N", help="Failures a run may have. The policy's, or 20.")
@click.option(
    "--max-states",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Stop the search at this many states ({DEFAULT_MAX_STATES:,}).",
)
@click.option("--max-depth", type=_COUNT, metavar="N", help="Follow no more than this many moves.")
@click.option("--max-seconds", type=click.FloatRange(min=0), metavar="N", help="Stop the search after this time.")
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An earlier JSON report: what it has is no news.",
)
@click.option("--accept-bounded", is_flag=True, help="A search that was cut short is no reason for exit code 3.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="auto (default).")
@click.option("-v", "--verbose", is_flag=True, help="Tell what was decided on each tool for every finding.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but the report.")
def explore(  # noqa: PLR0913, PLR0917 - one parameter an option, passed by name
    policy: str,
    outcomes: tuple[str, ...],
    no_denied: bool,
    form: str,
    output: Path | None,
    out: Path | None,
    max_seconds: float | None,
    baseline: Path | None,
    accept_bounded: bool,
    exit_zero: bool,
    color: Color,
    verbose: bool,
    quiet: bool,
    **options: int | None,
) -> int:
    """Enumerate every tool sequence that POLICY lets an agent make; find dead ends and other defects.

    POLICY is a policy file, or module:attribute, or path/file.py:attribute of Python code.
    """
    bounds: Any = {key: options[key] for key in ("max_length", "max_states", "max_depth") if options[key] is not None}
    known = [] if baseline is None else known_findings(baseline)
    lookout = Lookout(max_seconds, quiet=quiet)
    with user_code():
        opened = explorable(policy)
    with user_code(), lookout.listening():
        limits = _limits(opened.policy.limits, options)
        found = explore_policy(
            opened.policy,
            outcomes=outcomes,
            denied=not no_denied,
            limits=limits,
            watch=lookout,
            evaluate=EVALUATE,
            **bounds,
        )
        drawn = out is not None or form == "markdown"
        document = report_of(found, place_of=opened.place_of, known=known, drawn=drawn)
    if lookout.interrupted:
        document = replace(document, complete=False, stop_reason=StopReason.INTERRUPTED.value)
    write(_as(form, document, found, color, verbose=verbose, to_file=output is not None), file=output)
    if not quiet and found.complete:
        _tell_unused(found)
    if out is not None:
        _draw(document, out, quiet=quiet)
    if lookout.interrupted:
        return INTERRUPTED
    return 0 if exit_zero else _exit_code(document, accept_bounded=accept_bounded)


def _as(form: str, document: ReportDocument, found: Exploration, color: Color, *, verbose: bool, to_file: bool) -> str:
    """The report in a format."""
    if form == "text":
        return rendered(as_text(document, verbose=verbose), color=color, to_file=to_file)
    if form == "json":
        return as_json(as_data(document))
    if form == "sarif":
        return as_json(as_sarif(document))
    if form == "markdown":
        return as_markdown(document)
    if form == "dot":
        return as_dot(document.policy, whole_drawing(found))
    return as_graphml(document.policy, whole_drawing(found))


def _tell_unused(found: Exploration) -> None:
    """Entries of the policy's `accept` that no finding falls under."""
    used = {found.accepted(finding) for finding in found.findings}
    for index, one in enumerate(found.policy.accept):
        if one not in used:
            about = f" about {one.tool!r}" if one.tool else ""
            say(f"note: accept[{index}] has nothing to accept: there is no {one.code}{about}")


def _limits(limits: Limits, options: dict[str, int | None]) -> Limits | None:
    given: dict[str, Any] = {
        key: options[key]
        for key in ("max_iterations", "max_retries_per_step", "total_max_retries")
        if options[key] is not None
    }
    return replace(limits, **given) if given else None


def _exit_code(document: ReportDocument, *, accept_bounded: bool) -> int:
    if document.errors:
        return FOUND
    return 0 if document.complete or accept_bounded else CUT_SHORT


def _draw(document: ReportDocument, folder: Path, *, quiet: bool) -> None:
    from beewalk.reports.figures import pictures  # noqa: PLC0415 - matplotlib takes a second

    if document.drawing is None and not quiet:
        say(f"no graph of {document.states:,} states: too many to read; the map of tools shows what can follow what")
    for suffix, content in pictures(document).items():
        file = folder / f"{_file_name(document.policy)}.{suffix}"
        replace_file(file, content)
        if not quiet:
            say(f"wrote {file}")


def _file_name(policy: str) -> str:
    """The policy's name as far as it can be part of a file's name; file systems take at most 255 bytes."""
    name = "".join(one if one.isalnum() or one in "-_." else "-" for one in policy)
    return name.encode()[:120].decode(errors="ignore").strip(".") or "policy"
