"""`forsyth sample`: keep a fraction of the positions, the same ones in every run.

Whether a position is kept depends only on its key and the seed. All rows of a position are kept or dropped
together, whatever else is in the files. Rows that cannot be read are dropped. To sample a sample, use a
different ``--seed``; with the same seed all its rows are kept. `split` can divide a sample with any seed.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    epilog=format_examples(
        "forsyth sample --fraction 0.01 positions.parquet -o some.parquet",
    )
)
@click.option(
    "--fraction",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="Fraction of the positions to keep.",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Random seed; the same seed keeps the same positions.",
)
@rows_command
def sample(job: BulkJob, fraction: float, seed: int) -> int:
    """Keep a random fraction of the positions.

    Every run with the same seed keeps the same positions.
    """
    return job.print_report(job.run_verb("sample", fraction=fraction, seed=seed))
