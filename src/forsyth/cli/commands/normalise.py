"""`forsyth normalise`: the canonical text of every row.

Writes the rows with the canonical text in place of the one that was there; null where it cannot be read.
With ``--prefix`` the text is unchanged, and the canonical one is in a new column.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth normalise positions.txt -o canonical.txt",
        "forsyth normalise games.parquet --column fen -o canonical.parquet",
    )
)
@prefix_option
@rows_command
def normalise(job: BulkJob, prefix: str) -> int:
    """Write each text of files in its canonical form.

    Texts that cannot be read become null (an empty line of text) and are counted.
    """
    return job.tell(job.verb("normalise", prefix))
