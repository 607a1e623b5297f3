"""The command `beewalk`: parse, call, print, exit."""

import sys
from collections.abc import Sequence
from importlib.metadata import version
from traceback import print_exc

import click

from beewalk.cli.explore import explore
from beewalk.cli.schema import schema
from beewalk.errors import BeewalkError, PolicyError

INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("beewalk"), "--version", message="beewalk %(version)s")
@click.option("--traceback", is_flag=True, help="Show where in the code an error comes from.")
def beewalk(traceback: bool) -> None:
    """What can a requirement policy let an agent do, and where does it get stuck?

    Exit code: 0 clean; 1 an error was found; 2 wrong use or an invalid file; 3 nothing wrong was found, but the search
    was cut short.
    """


beewalk.add_command(explore)
beewalk.add_command(schema)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; `arguments` are the process's own unless given."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = beewalk.main(args=list(arguments), prog_name="beewalk", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return 2
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; there is nobody to tell
        return 2
    except (BeewalkError, OSError) as error:
        _show_where("--traceback" in arguments)
        for line in error.problems if isinstance(error, PolicyError) else [error]:
            click.echo(f"error: {line}", err=True)
        return 2
    except Exception as error:  # noqa: BLE001 - a user gets no traceback unless they ask for one
        _show_where("--traceback" in arguments)
        click.echo(f"internal error: {type(error).__name__}: {error} (`beewalk --traceback ...` shows where)", err=True)
        return 2
    return code if isinstance(code, int) else 0


def _show_where(wanted: bool) -> None:
    if wanted:
        print_exc()
