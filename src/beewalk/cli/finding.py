"""`beewalk finding`."""

from pathlib import Path

import click

from beewalk.cli.output import write
from beewalk.errors import BeewalkError, possible
from beewalk.explorer.finding import CODES


@click.command(short_help="What a finding means, and how to mend it.")
@click.argument("code", required=False)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead.")
def finding(code: str | None, output: Path | None) -> None:
    """Print what the finding CODE means and how to mend it; without CODE list all of them."""
    if code is None:
        width = max(map(len, CODES))
        lines = [f"{name:<{width}}  {severity:<7}  {meaning}" for name, (severity, meaning) in CODES.items()]
        write("\n".join([*lines, "", "`beewalk finding CODE` tells more."]) + "\n", file=output)
        return
    if code not in CODES:
        raise BeewalkError(f"there is no finding {code!r}: {possible(code, list(CODES))}")
    write(page_of(code), file=output)


def page_of(code: str) -> str:
    """The page on a finding: it is installed with beewalk, and stands under docs/ where that runs from its sources."""
    package = Path(__file__).parents[1]
    folder = package / "pages" if (package / "pages").is_dir() else package.parents[1] / "docs" / "findings"
    return (folder / f"{code}.md").read_text(encoding="utf-8")
