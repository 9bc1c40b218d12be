"""`forsyth key`: the key of every row's position.

Writes the rows with a column ``key`` of 16 bytes (32 hexadecimal digits in formats of text); null where the
text cannot be read."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth key positions.csv -o keys.parquet",
    )
)
@prefix_option
@rows_command
def key(job: BulkJob, prefix: str) -> int:
    """Add the key of each position: the same 16 bytes for all its texts.

    The digits are those of forsyth check --json.
    """
    return job.tell(job.verb("key", prefix))
