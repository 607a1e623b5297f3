"""`beewalk schema`."""

from pathlib import Path

import click

from beewalk.cli.output import as_json, write
from beewalk.reports.report_schema import report_schema
from beewalk.scenarios.json_schema import policy_schema, scenario_schema

_SCHEMAS = {"policy": policy_schema, "scenario": scenario_schema, "report": report_schema}


@click.command(short_help="Print the JSON schema of a file, for editors.")
@click.argument("kind", type=click.Choice(list(_SCHEMAS)))
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file instead.")
def schema(kind: str, output: Path | None) -> None:
    """Print the JSON schema (draft-07) of a policy file, a scenario file, or the JSON report of `beewalk explore`.

    An editor that knows YAML schemas completes and checks with it: save it beside your files and start them with
    `# yaml-language-server: $schema=policy.schema.json`.
    """
    write(as_json(_SCHEMAS[kind]()), file=output)
