"""`forsyth key`: add a column with the key of the position of each row.

The column ``key`` has 16 bytes, in text formats 32 hexadecimal digits. It is null if the text cannot be
read.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth key positions.csv -o keys.parquet",
    )
)
@prefix_option
@rows_command
def key(job: BulkJob, prefix: str) -> int:
    """Add a column with the 16-byte key of each position.

    All texts of a position have the same key. It is the key in the output of forsyth check --json.
    """
    return job.print_report(job.run_verb("key", prefix))
