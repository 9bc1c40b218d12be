"""`forsyth index`: build an index of the moves and results at every position of many records.

Writes a directory of sorted Parquet files, which `forsyth explore`, `forsyth find`, `forsyth serve --index`,
DuckDB, Polars and Spark can read. With ``--json`` the fields are ``target game variant games plies positions
rows left_out with_an_error``. The exit status is 1 if records have errors; their moves before the error are
indexed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import RESUME_OPTION, RUN_OPTION_NAMES, job_context
from forsyth.cli.output import echo, write_json
from forsyth.cli.record_options import encoding_option

if TYPE_CHECKING:
    from forsyth.bulk.index.build import IndexReport


@click.command(
    epilog=format_examples(
        "forsyth index games.pgn.zst -o book/",
        "forsyth index 'months/*.pgn.zst' -o book/ --engine ray --resume",
        "forsyth index --merge january/ february/ -o both/",
    )
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--output", "-o", "target", metavar="DIR", required=True, help="Write the index to DIR, a new directory."
)
@click.option("--merge", is_flag=True, help="Merge indexes of one game (the FILEs) into a new index.")
@click.option("--material", is_flag=True, help="Also index games by material, for forsyth find --material.")
@click.option("--game", metavar="NAME", help="Game of the records.  [default: detected]")
@click.option("--variant", metavar="NAME", help="Variant of the game.  [default: the usual variant]")
@click.option(
    "--in",
    "format_in",
    metavar="FORMAT",
    help="Format of the files if their names do not show it: pgn, also with .gz, .zst or .bz2.",
)
@encoding_option()
@click.option(
    "--engine",
    type=click.Choice(["local", "ray", "spark"]),
    default="local",
    show_default=True,
    help="Run in this process (local), or on a Ray or Spark cluster.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run N tasks at the same time.  [default: one per core]",
)
@RESUME_OPTION
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object with the counts.")
@click.option("--quiet", is_flag=True, help="Show no progress bar and no summary.")
def index(target: str, as_json: bool, quiet: bool, **arguments: Any) -> None:
    """Build an index of the moves and results at every position.

    The FILEs are game records (PGN). Search the index with forsyth explore and forsyth find.
    """
    files = arguments.pop("files")
    merge = arguments.pop("merge")
    run_arguments = {name: arguments.pop(name) for name in RUN_OPTION_NAMES}
    # The remaining options are those about the records.
    record_options = {name: value for name, value in arguments.items() if value is not None}
    if merge and any(record_options.values()):
        raise click.UsageError(
            "--merge excludes --game, --variant, --in, --encoding and --material; leave them out, because "
            "the indexes determine them"
        )
    with job_context("index", resume=run_arguments["resume"], quiet=quiet, unit="games") as start_progress:
        from forsyth.bulk.index.build import build_index, merge_indexes
        from forsyth.bulk.jobs.run_files import RunOptions

        start_count_progress = None if start_progress is None else start_progress.start_counting
        run_options = RunOptions(
            **run_arguments,
            start_progress=start_progress,
            start_count_progress=start_count_progress,
        )
        if merge:
            report = merge_indexes(files, target, run_options=run_options)
        else:
            report = build_index(files, target, run_options=run_options, **record_options)
    if as_json:
        write_json(report.to_dict())
    elif not quiet:
        echo(_format_summary(report), err=True)
    click.get_current_context().exit(1 if report.faulty else 0)


def _format_summary(report: IndexReport) -> str:
    """Format the game of a new index and its numbers of games, positions and errors as one line.

    For example: ``GAME (VARIANT): 2 games with 150 positions; 140 different positions, 148 rows of moves``.
    """
    manifest = report.manifest
    parts = [
        f"{manifest.game} ({manifest.variant}): {manifest.games:,} games with {manifest.plies:,} positions",
        f"{manifest.positions:,} different positions, {manifest.rows:,} rows of moves",
        f"{_format_record_count(report.others)} of another game or variant left out" if report.others else "",
        f"{_format_record_count(report.faulty)} with an error, indexed up to the error"
        if report.faulty
        else "",
    ]
    if report.was_finished:
        parts.append(f"{report.target} was finished already, so there is nothing to resume")
    return "; ".join(part for part in parts if part)


def _format_record_count(count: int) -> str:
    """Format a number of records, such as ``1 record`` or ``2,500 records``."""
    return "1 record" if count == 1 else f"{count:,} records"
