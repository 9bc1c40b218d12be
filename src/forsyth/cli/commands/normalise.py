"""`forsyth normalise`: write the text of each row in its canonical form.

Replaces each text by its canonical text, or by null if it cannot be read. With ``--prefix`` the text stays
unchanged and the canonical text goes to a new column.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth normalise positions.txt -o canonical.txt",
        "forsyth normalise games.parquet --column fen -o canonical.parquet",
    )
)
@prefix_option
@rows_command
def normalise(job: BulkJob, prefix: str) -> int:
    """Write each text of the files in its canonical form.

    Texts that cannot be read become null (in files of lines, an empty line) and are counted.
    """
    return job.print_report(job.run_verb("normalise", prefix))
