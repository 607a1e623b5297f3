"""The command `beewalk`: parse, call, print, exit."""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from traceback import format_exception

import click

from beewalk.cli.explore import explore
from beewalk.cli.finding import finding
from beewalk.cli.output import say
from beewalk.cli.run import run
from beewalk.cli.schema import schema
from beewalk.errors import BeewalkError, PolicyError

WRONG, INTERRUPTED = 2, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("beewalk"), "--version", message="beewalk %(version)s")
@click.option("--traceback", is_flag=True, help="Show where in the code an error comes from.")
def beewalk(traceback: bool) -> None:
    """What can a requirement policy let an agent do, and where does it get stuck?

    Exit code: 0 clean; 1 an error was found or a scenario failed; 2 wrong use or an invalid file; 3 nothing wrong was
    found, but the search was cut short; 130 Ctrl-C, with what is known printed.
    """


beewalk.add_command(explore)
beewalk.add_command(finding)
beewalk.add_command(run)
beewalk.add_command(schema)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` are the process's own unless given."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = beewalk.main(args=list(arguments), prog_name="beewalk", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return WRONG
    except BaseException as error:  # noqa: BLE001 - a user gets no traceback unless they ask for one
        if "--traceback" in arguments:
            click.echo("".join(format_exception(error)), err=True, nl=False)
        return _failed(error)
    return code if isinstance(code, int) else 0


def _failed(error: BaseException) -> int:
    """Say why a command failed, in a line, or a line a problem; returns the exit code."""
    if isinstance(error, click.exceptions.Abort | KeyboardInterrupt):
        say("interrupted")
        return INTERRUPTED
    if isinstance(error, SystemExit):  # click's, where the reader of a help page has gone
        return 0
    if isinstance(error, PolicyError):
        for problem in error.problems:
            say(f"error: {problem}")
    elif isinstance(error, BeewalkError | OSError):
        say(f"error: {error}")
    else:
        what = f"{type(error).__name__}: {error}"
        say(f"error: internal error: {what}: please report it, with what `beewalk --traceback ...` shows")
    return WRONG
