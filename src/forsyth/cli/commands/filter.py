"""`forsyth filter`: keep the rows that meet conditions on their text, material or columns.

Writes the rows that meet all conditions, unchanged. The condition of ``--where`` can use columns of the data,
features of the game, the columns of `forsyth scan`, and ``material``.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import BulkJob, rows_command


@click.command(
    "filter",
    epilog=format_examples(
        "forsyth filter --ok positions.parquet -o good.parquet",
        "forsyth filter --bad --code board.digit positions.csv -o broken.csv",
        "forsyth filter --material KRPvKR --where 'elo >= 2000' positions.parquet -o endings.parquet",
    ),
)
@click.option("--ok", is_flag=True, help="Keep rows without an error.")
@click.option("--bad", is_flag=True, help="Keep rows with an error.")
@click.option("--code", metavar="CODE", help="Keep rows whose first finding has this code.")
@click.option(
    "--material",
    metavar="PIECES",
    help="Keep rows with this material, such as KRPvKR (or KRvKRP).",
)
@click.option(
    "--where",
    metavar="CONDITION",
    help="Keep rows that meet a condition, such as \"phase<=10 and side_to_move='White'\".",
)
@rows_command
def filter_rows(
    job: BulkJob, ok: bool, bad: bool, code: str | None, material: str | None, where: str | None
) -> int:
    """Keep the rows that meet all given conditions."""
    if ok and bad:
        raise click.UsageError("--ok and --bad exclude each other; choose one")
    kept_rows = None
    if ok:
        kept_rows = "ok"
    elif bad:
        kept_rows = "bad"
    report = job.run_verb("filter", keep=kept_rows, code=code, material=material, where=where)
    return job.print_report(report)
