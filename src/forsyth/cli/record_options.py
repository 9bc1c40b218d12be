"""The options of the commands for game records, and the `RecordJob` that they are collected in.

These commands read files of records (PGN) and write a table of their games or positions. The packages that
`forsyth.bulk` needs are imported when such a command runs, so that the other commands work without them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_options import (
    INPUT_OPTIONS,
    RUN_OPTION_NAMES,
    STANDARD_OUTPUT,
    job_context,
    make_run_options,
)
from forsyth.cli.options import Decorator, add_options
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.jobs.run_records import RecordReport


def encoding_option() -> Decorator:
    """Return the option ``--encoding`` of the commands that read game records."""
    return click.option(
        "--encoding",
        type=click.Choice(["utf-8", "latin-1", "auto"]),
        help="Encoding of the records. With auto, each line that is not UTF-8 is read as Latin-1.  "
        "[default: utf-8]",
    )


_RECORD_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="Game of the records.  [default: detected]"),
    click.option("--variant", metavar="NAME", help="Variant of the records that do not name one."),
    click.option(
        "--moves",
        type=click.Choice(["packed", "uci", "san"]),
        help="Format of the moves: 16-bit numbers (packed), UCI, or the notation of the game (san).  "
        "[default: packed, if the game has packed moves]",
    ),
    encoding_option(),
    click.option(
        "--where",
        metavar="CONDITION",
        help='Read only games that meet a condition on their tags, such as "WhiteElo>=2000 and '
        "Result='1-0'\"; variant, result and plies can be tested too.",
    ),
)
_RUN_OPTIONS: Final = make_run_options(
    "pgn", "parquet, arrow, arrows, csv, tsv, jsonl, text or npy; games also pgn, positions also epd"
)


@dataclass(frozen=True, slots=True)
class RecordJob:
    """One run of a command for game records."""

    input_arguments: dict[str, Any]
    """Arguments for `forsyth.bulk.run_records`."""
    run_arguments: dict[str, Any]
    """Arguments for `forsyth.bulk.RunOptions`."""
    as_json: bool
    quiet: bool

    def run(self, table: str, **table_options: Any) -> int:
        """Read all records, write a table of them, and print the number of games and rows.

        Return the exit status: 1 if a game has an error, else 0.

        Args:
            table: The table to write: ``games`` (a row per game) or ``positions`` (a row per position).
            **table_options: The options of the table. None leaves an option at its default.
        """
        given_options = {name: value for name, value in table_options.items() if value is not None}
        resume = self.run_arguments["resume"]
        with job_context(table, resume=resume, quiet=self.quiet, unit="games") as start_progress:
            from forsyth.bulk import RunOptions, run_records

            run_options = RunOptions(**self.run_arguments, start_progress=start_progress)
            report = run_records(
                table,  # type: ignore[arg-type]
                **self.input_arguments,
                run_options=run_options,
                **given_options,
            )
        if self.as_json:
            # If the rows go to standard output, the counts must not be mixed with them.
            writes_rows_to_stdout = self.input_arguments["target"] == STANDARD_OUTPUT
            write_json(report.to_dict(), err=writes_rows_to_stdout)
        elif not self.quiet:
            echo(format_summary(report), err=True)
        return 1 if report.errors else 0


def record_command(command: Callable[..., int]) -> Callable[..., None]:
    """Add the options that all commands for game records share (a decorator).

    The values of the shared options are collected in a `RecordJob`. `command` is called with this job and its
    own options. It returns the exit status, with which the program then ends.
    """

    @functools.wraps(command)
    def run_with_job(**arguments: Any) -> None:
        """Call the command with a `RecordJob` and its own options, and exit with the status it returns."""
        job = _extract_job(arguments)
        click.get_current_context().exit(command(job, **arguments))

    return add_options(run_with_job, (*INPUT_OPTIONS, *_RECORD_OPTIONS, *_RUN_OPTIONS))


def _extract_job(arguments: dict[str, Any]) -> RecordJob:
    """Remove the shared options from `arguments`, in place, and return a `RecordJob` with their values.

    `arguments` has the values of all arguments and options of a command, by name. Those of the command itself
    remain.
    """
    input_arguments = {
        "sources": arguments.pop("files"),
        "target": arguments.pop("target") or STANDARD_OUTPUT,
        **{name: arguments.pop(name) for name in ("game", "variant", "format_in", "format_out")},
    }
    # An option that was not given is left out, so that `run_records` uses its own default.
    for name in ("moves", "where", "encoding"):
        value = arguments.pop(name)
        if value is not None:
            input_arguments[name] = value

    return RecordJob(
        input_arguments=input_arguments,
        run_arguments={name: arguments.pop(name) for name in RUN_OPTION_NAMES},
        as_json=arguments.pop("as_json"),
        quiet=arguments.pop("quiet"),
    )


def split_names(text: str | None) -> tuple[str, ...] | None:
    """Split a text such as ``White,Black`` at its commas into names. Return None if the text is None."""
    if text is None:
        return None
    return tuple(name.strip() for name in text.split(",") if name.strip())


def format_summary(report: RecordReport) -> str:
    """Format the game of a run over records and its counts as one line.

    For example: ``GAME (VARIANT), detected: 9 games read, 9 rows written, 0 with an error``.
    """
    table = report.table
    game_name = table.game if table.variant is None else f"{table.game} ({table.variant})"
    origin = ", detected" if report.detected else ""
    fallback_games = _count_fallback_games(report)
    parts = [
        f"{game_name}{origin}: {report.games:,} games read",
        f"{report.written:,} rows written",
        f"{report.duplicates:,} repeated a position" if report.duplicates is not None else "",
        f"{fallback_games:,} read by the slower record reader" if fallback_games > 0 else "",
        f"{report.errors:,} with an error",
    ]
    return ", ".join(part for part in parts if part)


def _count_fallback_games(report: RecordReport) -> int:
    """Return the number of games that the slower record reader had to read.

    Return 0 if it read all games. The game then has no fast reader, which is not worth reporting.
    """
    has_fast_reader = report.read_by_fallback < report.games
    return report.read_by_fallback if has_fast_reader else 0
