"""`forsyth filter`: the rows that are good or bad, of a code, a material, or a condition.

Writes the rows for which all that is asked for holds, unchanged. A condition may ask about columns of the
data, features of the game, the columns of `forsyth scan`, and ``material``."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    "filter",
    epilog=example(
        "forsyth filter --ok positions.parquet -o good.parquet",
        "forsyth filter --bad --code board.digit positions.csv -o broken.csv",
        "forsyth filter --material KRPvKR --where 'elo >= 2000' positions.parquet -o endings.parquet",
    ),
)
@click.option("--ok", is_flag=True, help="Keep rows without an error.")
@click.option("--bad", is_flag=True, help="Keep rows with an error.")
@click.option("--code", metavar="CODE", help="Keep rows whose first finding has this code.")
@click.option(
    "--material", metavar="MEN", help="Keep rows with this material, such as KRPvKR, of either side."
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="Keep rows for which this holds, such as \"phase<=10 and side_to_move='White'\".",
)
@rows_command
def filter_rows(
    job: BulkJob, ok: bool, bad: bool, code: str | None, material: str | None, where: str | None
) -> int:
    """Keep the rows that are good or bad, or of a code, a material or a condition."""
    if ok and bad:
        raise click.UsageError("--ok and --bad keep no row together; choose one")
    keep = "ok" if ok else "bad" if bad else None
    return job.tell(job.verb("filter", keep=keep, code=code, material=material, where=where))
