"""`forsyth apply`: add the columns of several verbs in one pass over the files.

The verbs are scan, key, pack, features, planes, material and split.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, prefix_option, rows_command


@click.command(
    epilog=format_examples(
        "forsyth apply --verbs key,features,pack positions.parquet -o all.parquet",
        "forsyth apply --verbs key,split --select key,split positions.parquet -o sets.parquet",
    )
)
@click.option(
    "--verbs", required=True, metavar="VERB,...", help="Commands to apply, such as key,features,pack."
)
@prefix_option
@rows_command
def apply(job: BulkJob, verbs: str, prefix: str) -> int:
    """Add the columns of several commands in one pass.

    The commands can be scan, key, pack, features, planes, material and split.
    """
    return job.print_report(job.run_verb("apply", prefix, verbs=verbs))
