"""`forsyth apply`: several verbs in one pass over the files.

Writes the rows with the columns of all verbs that are named: scan, key, pack, features, planes, material,
split."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=example(
        "forsyth apply --verbs key,features,pack positions.parquet -o all.parquet",
        "forsyth apply --verbs key,split --select key,split positions.parquet -o sets.parquet",
    )
)
@click.option("--verbs", required=True, metavar="VERB,...", help="What to do, such as key,features,pack.")
@prefix_option
@rows_command
def apply(job: BulkJob, verbs: str, prefix: str) -> int:
    """Add the columns of several verbs in one pass."""
    return job.tell(job.verb("apply", prefix, verbs=verbs))
