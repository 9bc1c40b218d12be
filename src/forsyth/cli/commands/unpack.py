"""`forsyth unpack`: write the canonical text of each packed form.

Reads the column ``packed`` and adds a column ``fen``, which is null if the bytes are not a packed form. The
game must be named with ``--game``, because it cannot be detected from packed forms.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth unpack packed.parquet --game chess --prefix un -o positions.parquet",
    )
)
@prefix_option
@rows_command
def unpack(job: BulkJob, prefix: str) -> int:
    """Add a column with the text of each packed position.

    The packed forms are in the column packed; --column names another column. The option --game is
    required.
    """
    return job.print_report(job.run_verb("unpack", prefix))
