"""`forsyth sample`: some of the rows, the same ones in every run.

Writes the rows whose position falls into the sample. That is decided by its key and the seed: all texts of
one position are in or out together, whatever else is in the files. Rows that cannot be read are out.
A sample of a sample needs another seed, or it keeps all it is given; `split` divides a sample like any other
data."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    epilog=example(
        "forsyth sample --fraction 0.01 positions.parquet -o some.parquet",
    )
)
@click.option(
    "--fraction",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="How much of the positions to keep.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed keeps others.")
@rows_command
def sample(job: BulkJob, fraction: float, seed: int) -> int:
    """Keep a fraction of the positions, the same ones in every run."""
    return job.tell(job.verb("sample", fraction=fraction, seed=seed))
