"""`beewalk schema`."""

from pathlib import Path

import click

from beewalk.cli.output import as_json, write
from beewalk.scenarios.json_schema import policy_schema


@click.command(short_help="Print the JSON schema of a file, for editors.")
@click.argument("kind", type=click.Choice(["policy"]))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead.")
def schema(kind: str, output: Path | None) -> None:  # noqa: ARG001 - one kind so far, checked by click
    """Print the JSON schema (draft-07) of a policy file.

    An editor that knows YAML schemas completes and checks with it: save it beside your policies and start them with
    `# yaml-language-server: $schema=policy.schema.json`.
    """
    write(as_json(policy_schema()), file=output)
