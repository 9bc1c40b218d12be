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
from forsyth.cli.options import Decorator
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.jobs.run_records import RecordReport

_RECORD_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="Game of the records.  [default: detected]"),
    click.option("--variant", metavar="NAME", help="Variant of the records that do not name one."),
    click.option(
        "--moves",
        type=click.Choice(["packed", "uci", "san"]),
        help="Format of the moves: 16-bit numbers (packed), UCI, or the notation of the game (san).  "
        "[default: packed, if the game has packed moves]",
    ),
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

    def run(self, kind: str, **table_options: Any) -> int:
        """Read all records, write a table of them, print the counts, and return the exit status.

        The status is 1 if a game has an error, else 0.

        Args:
            kind: The table to write: ``games`` (a row per game) or ``positions`` (a row per position).
            **table_options: The options of the table; None leaves an option at its default.
        """
        chosen_options = {name: value for name, value in table_options.items() if value is not None}
        resume = self.run_arguments["resume"]
        with job_context(kind, resume=resume, quiet=self.quiet, unit="games") as start_progress:
            from forsyth.bulk import RunOptions, run_records

            run_options = RunOptions(**self.run_arguments, start_progress=start_progress)
            report = run_records(
                kind,  # type: ignore[arg-type]
                **self.input_arguments,
                run_options=run_options,
                **chosen_options,
            )
        # Without a target file, standard output is reserved for the rows.
        to_stderr = self.input_arguments["target"] == STANDARD_OUTPUT
        if self.as_json:
            write_json(report.to_dict(), err=to_stderr)
        elif not self.quiet:
            echo(format_summary(report), err=True)
        return 1 if report.errors else 0


def record_command(command: Callable[..., int]) -> Callable[..., None]:
    """Add the options that all commands for game records share (a decorator).

    The shared options are collected in a `RecordJob`. `command` is called with this job and the options of
    its own. It returns the exit status, with which the program then ends.
    """

    @functools.wraps(command)
    def run(**arguments: Any) -> None:
        input_arguments = {
            "sources": arguments.pop("files"),
            "target": arguments.pop("target") or STANDARD_OUTPUT,
            **{name: arguments.pop(name) for name in ("game", "variant", "format_in", "format_out")},
        }
        for name in ("moves", "where"):
            value = arguments.pop(name)
            if value is not None:
                input_arguments[name] = value
        run_arguments = {name: arguments.pop(name) for name in RUN_OPTION_NAMES}
        job = RecordJob(input_arguments, run_arguments, arguments.pop("as_json"), arguments.pop("quiet"))
        click.get_current_context().exit(command(job, **arguments))

    wrapped: Callable[..., None] = run
    # Click lists options in the reverse order in which they are added.
    for option in reversed((*INPUT_OPTIONS, *_RECORD_OPTIONS, *_RUN_OPTIONS)):
        wrapped = option(wrapped)
    return wrapped


def split_names(text: str | None) -> tuple[str, ...] | None:
    """Return the names in a text such as ``White,Black``, or None if the text is None."""
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def format_summary(report: RecordReport) -> str:
    """Return the game and the counts of a report as one line.

    For example: ``GAME (VARIANT), detected: 9 games read, 9 rows written, 0 with an error``.
    """
    table = report.table
    # If the game has no fast reader, the slower one reads all its records, which is not worth reporting.
    has_fast_reader = report.read_by_fallback < report.games
    fallback_games = report.read_by_fallback - report.errors if has_fast_reader else 0
    name = table.game if table.variant is None else f"{table.game} ({table.variant})"
    parts = [
        f"{name}{', detected' if report.detected else ''}: {report.games:,} games read",
        f"{report.written:,} rows written",
        f"{report.duplicates:,} repeated a position" if report.duplicates is not None else "",
        f"{fallback_games:,} read by the slower record reader" if fallback_games > 0 else "",
        f"{report.errors:,} with an error",
    ]
    return ", ".join(filter(None, parts))
