"""`forsyth pack`: add a column with the packed form of the position of each row.

The column ``packed`` has a fixed width. It is null if the text cannot be read or its packed form is longer.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth pack positions.parquet -o packed.parquet",
    )
)
@click.option(
    "--width",
    type=click.IntRange(min=1),
    metavar="BYTES",
    help="Size of each packed form.  [default: enough for every legal position of the game]",
)
@prefix_option
@rows_command
def pack(job: BulkJob, width: int | None, prefix: str) -> int:
    """Add a column with the packed form of each position.

    The packed form is binary and has a fixed width. forsyth unpack restores the texts.
    """
    return job.print_report(job.run_verb("pack", prefix, width=width))
