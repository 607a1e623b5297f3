"""`beewalk run`."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from time import monotonic

import click

from beewalk.cli.output import Color, as_json, rendered, say, write
from beewalk.cli.user_code import stops_at_once, user_code
from beewalk.errors import PolicyError, Problem
from beewalk.opening.run_report import run_report
from beewalk.opening.scenarios import load_scenarios, scenario_files
from beewalk.reports.junit import run_junit
from beewalk.reports.run_document import RunDocument, run_data
from beewalk.reports.run_markdown import run_markdown
from beewalk.reports.run_terminal import run_text
from beewalk.scenarios.running import OwnEngine, ScenarioResult, run_all
from beewalk.scenarios.scenario import Scenario

FAILED, INTERRUPTED = 1, 130
SECONDS_BETWEEN = 5.0


def _seconds(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:  # noqa: ARG001
    if value is not None and not isfinite(value):
        raise click.BadParameter(f"{value} is no number of seconds: leave the option out for no bound")
    return value


@click.command(short_help="Play scenario files and check what they expect.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit", "markdown"]),
    default="text",
    help="text (default), json, junit or markdown.",
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    callback=_seconds,
    help="How long a call of a tool may take; no bound unless given.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever fails.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="auto (default).")
@click.option("-q", "--quiet", is_flag=True, help="Tell only what failed; no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Tell also what passed runs did.")
def run(  # noqa: PLR0917 - one parameter an option, passed by name
    paths: tuple[Path, ...],
    form: str,
    output: Path | None,
    timeout: float | None,
    exit_zero: bool,
    color: Color,
    quiet: bool,
    verbose: bool,
) -> int:
    """Play the scenario files PATH..., and those in folders, with their scripted chat models.

    Exit code: 0 all passed; 1 one failed; 2 wrong use or an invalid file, and nothing was played.
    """
    with user_code():
        scenarios = _loaded(paths)
        results, interrupted = _played(scenarios, timeout, quiet=quiet)
    document = run_report(results, left=len(scenarios) - len(results) if interrupted else None)
    details = verbose - quiet
    write(_as(form, document, color, details, to_file=output is not None), file=output)
    if interrupted:
        return INTERRUPTED
    return FAILED if document.failed and not exit_zero else 0


def _loaded(paths: Sequence[Path]) -> list[Scenario]:
    """The scenarios of all files, each file once, however often and by whatever path it is named.

    Raises:
        PolicyError: the problems of all files; those of a policy that several name, once.
    """
    scenarios: list[Scenario] = []
    problems: list[Problem] = []
    files: dict[Path, Path] = {}
    for file in scenario_files(paths):
        files.setdefault(file.resolve(), file)
    for file in files.values():
        try:
            scenarios += load_scenarios(file)
        except PolicyError as error:
            problems += error.problems
    if problems:
        raise PolicyError(list(dict.fromkeys(problems)))
    return scenarios


def _played(scenarios: Sequence[Scenario], timeout: float | None, *, quiet: bool) -> tuple[list[ScenarioResult], bool]:
    """The results as far as they came, and whether Ctrl-C cut them short."""
    results: list[ScenarioResult] = []
    try:
        with stops_at_once(), _progress(len(scenarios), quiet=quiet) as tell:
            for result in run_all(scenarios, OwnEngine(), timeout=timeout):
                results.append(result)
                tell(len(results))
    except KeyboardInterrupt:
        return results, True
    return results, False


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Tells on stderr how many scenarios are played: a bar at a terminal, else a line every few seconds."""
    if quiet:
        yield lambda _: None
    elif sys.stderr is not None and sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.progress import Progress  # noqa: PLC0415 - as above

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("scenarios", total=total)
            yield lambda done: bar.update(task, completed=done)
    else:
        told = monotonic()

        def tell(done: int) -> None:
            nonlocal told
            if monotonic() - told >= SECONDS_BETWEEN and done < total:
                told = monotonic()
                say(f"{done} of {total} scenarios")

        yield tell


def _as(form: str, document: RunDocument, color: Color, details: int, *, to_file: bool) -> str:
    if form == "json":
        return as_json(run_data(document))
    if form == "junit":
        return run_junit(document)
    if form == "markdown":
        return run_markdown(document)
    return rendered(run_text(document, details=details), color=color, to_file=to_file)
