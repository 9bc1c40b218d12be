"""`forsyth pack`: the packed form of every row's position.

Writes the rows with a column ``packed`` of fixed width; null where the text cannot be read or its form has no
fit."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth pack positions.parquet -o packed.parquet",
    )
)
@click.option(
    "--width",
    type=click.IntRange(min=1),
    metavar="BYTES",
    help="Bytes of each form; by default enough for every legal position of the game.",
)
@prefix_option
@rows_command
def pack(job: BulkJob, width: int | None, prefix: str) -> int:
    """Add the packed form of each position: bytes of a fixed width."""
    return job.tell(job.verb("pack", prefix, width=width))
