"""`forsyth schema`: print the JSON Schema of the output of a command.

Writes the schema with the given name as JSON, or without a name the names of all schemas, one per line.
"""

from __future__ import annotations

import json

import click

from forsyth.arguments import quoted
from forsyth.cli.arguments import format_examples
from forsyth.cli.output import echo
from forsyth.schemas import schema as schema_of
from forsyth.schemas import schema_names


@click.command(epilog=format_examples("forsyth schema", "forsyth schema reading > reading.schema.json"))
@click.argument("name", required=False, metavar="[NAME]")
def schema(name: str | None) -> None:
    """Print the JSON Schema of the output of a command.

    The schemas describe what commands write with --json. Without NAME, the names of all schemas are listed.
    """
    if name is None:
        echo("\n".join(schema_names()))
        return
    if name not in schema_names():
        choices = ", ".join(schema_names())
        raise click.UsageError(f"unknown schema {quoted(name)}; choose one of {choices}")
    echo(json.dumps(schema_of(name), indent=2))
