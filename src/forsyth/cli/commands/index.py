"""`forsyth index`: what was played in every position of many records.

Writes a directory: sorted Parquet files that look-ups (`forsyth explore`, `forsyth find`, `forsyth serve
--index`), DuckDB, Polars and Spark read. With ``--json`` the fields ``target game variant games plies
positions rows left_out with_an_error``. Exit status 1 when records have an error; what stands before it
counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import RESUME_OPTION, running
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.index.build import Built


@click.command(
    epilog=example(
        "forsyth index games.pgn.zst -o book/",
        "forsyth index 'months/*.pgn.zst' -o book/ --engine ray --resume",
        "forsyth index --merge january/ february/ -o both/",
    )
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--output", "-o", "target", metavar="DIR", required=True, help="The new directory of the index."
)
@click.option("--merge", is_flag=True, help="The FILEs are indexes of one game: add them up in a new one.")
@click.option("--material", is_flag=True, help="Games can then be found by men: forsyth find --material.")
@click.option("--game", metavar="NAME", help="The game; that of the first record by default.")
@click.option("--variant", metavar="NAME", help="The variant; the usual one by default.")
@click.option(
    "--in",
    "format_in",
    metavar="FORMAT",
    help="The format of the files, where their names do not give it: pgn, also with .gz, .zst or .bz2.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray", "spark"]),
    default="local",
    show_default=True,
    help="What does the work: this process, or the workers of a Ray or Spark cluster.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many tasks at the same time; one per core.",
)
@RESUME_OPTION
@click.option("--json", "as_json", is_flag=True, help="One JSON object with the counts.")
@click.option("--quiet", is_flag=True, help="No progress bar and no summary.")
def index(target: str, as_json: bool, quiet: bool, **given: Any) -> None:
    """Index records: from every position to the moves played there, and how they ended."""
    files, merge = given.pop("files"), given.pop("merge")
    way = {name: given.pop(name) for name in ("engine", "threads", "resume")}
    if merge and any(given.values()):
        raise click.UsageError("--merge takes indexes, which say their game themselves, and no other option")
    with running("index", resume=way["resume"], quiet=quiet, unit="games") as begin:
        from forsyth.bulk.index.build import build_index, merge_indexes
        from forsyth.bulk.jobs.run_files import Way

        asked = Way(**way, begin=begin, begin_counting=None if begin is None else begin.counting)
        if merge:
            built = merge_indexes(files, target, way=asked)
        else:
            built = build_index(files, target, way=asked, **given)
    if as_json:
        write_json(built.to_dict())
    elif not quiet:
        echo(_summary(built), err=True)
    click.get_current_context().exit(1 if built.faulty else 0)


def _summary(built: Built) -> str:
    made = built.manifest
    others, faulty = built.others, built.faulty
    records = "record has an error, before which it counts"
    if faulty > 1:
        records = "records have an error, before which they count"
    parts = [
        f"{made.game} ({made.variant}): {made.games:,} games with {made.plies:,} positions",
        f"{made.positions:,} of them different, {made.rows:,} with a move",
        f"{others:,} record{'' if others == 1 else 's'} of another game or variant left out"
        if others
        else "",
        f"{faulty:,} {records}" if faulty else "",
    ]
    return "; ".join(filter(None, parts))
