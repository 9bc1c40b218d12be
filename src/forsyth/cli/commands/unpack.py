"""`forsyth unpack`: the canonical text of every packed form.

Reads the column ``packed``, writes the rows with a column ``fen``; null where the bytes are not a packed
form. The game must be named: packed forms do not say it."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth unpack packed.parquet --game chess --prefix un -o positions.parquet",
    )
)
@prefix_option
@rows_command
def unpack(job: BulkJob, prefix: str) -> int:
    """Write the text of each packed form.

    The forms are in the column packed unless --column names another; --game has to be given.
    """
    return job.tell(job.verb("unpack", prefix))
