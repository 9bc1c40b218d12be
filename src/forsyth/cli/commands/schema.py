"""`forsyth schema`: the JSON Schema of what a command writes.

Writes: the schema of the name that is given, as JSON; without a name all names, one per line.
"""

from __future__ import annotations

import json

import click

from forsyth.arguments import quoted
from forsyth.cli.arguments import example
from forsyth.cli.output import echo
from forsyth.schemas import schema as schema_of
from forsyth.schemas import schema_names


@click.command(epilog=example("forsyth schema", "forsyth schema reading > reading.schema.json"))
@click.argument("name", required=False, metavar="[NAME]")
def schema(name: str | None) -> None:
    """Print the JSON Schema of what a command writes with --json, or list the schemas there are."""
    if name is None:
        echo("\n".join(schema_names()))
        return
    if name not in schema_names():
        raise click.UsageError(f"there is no schema {quoted(name)}; there are {', '.join(schema_names())}")
    echo(json.dumps(schema_of(name), indent=2))
