"""The options of the commands for whole records, and the `RecordJob` they add up to.

These commands read files of records (PGN) and write a table of their games or positions. What they need is
imported when one of them runs: the others work without it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_options import INPUT_OPTIONS, STANDARD, running, way_options
from forsyth.cli.options import Decorator
from forsyth.cli.output import echo, write_json

if TYPE_CHECKING:
    from forsyth.bulk.jobs.run_records import RecordReport

_RECORDS: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="The game; detected from the first records by default."),
    click.option("--variant", metavar="NAME", help="The variant of records that name none."),
    click.option(
        "--moves",
        type=click.Choice(["packed", "uci", "san"]),
        help="Moves as numbers of 16 bits, in UCI or in the game's notation; by default numbers, where the "
        "game has them.",
    ),
    click.option(
        "--where",
        metavar="CONDITION",
        help="Only games whose tags meet it, as in \"WhiteElo>=2000 and Result='1-0'\"; variant, result and "
        "plies may be asked for too.",
    ),
)
_WAY: Final = way_options(
    "pgn", "parquet, arrow, arrows, csv, tsv, jsonl, text or npy, of games also pgn, of positions also epd"
)


@dataclass(frozen=True, slots=True)
class RecordJob:
    """What one run was asked to do."""

    asked: dict[str, Any]
    """The arguments of `forsyth.bulk.run_records`."""
    way: dict[str, Any]
    """The fields of `forsyth.bulk.Way`."""
    as_json: bool
    quiet: bool

    def run(self, kind: str, **table: Any) -> int:
        """Write the table and print the counts; the exit status. Options that are None are left out."""
        given = {name: value for name, value in table.items() if value is not None}
        with running(kind, resume=self.way["resume"], quiet=self.quiet, unit="games") as begin:
            from forsyth.bulk import Way, run_records

            report = run_records(kind, **self.asked, way=Way(**self.way, begin=begin), **given)  # type: ignore[arg-type]
        # Standard output carries the rows where no file was named.
        err = self.asked["target"] == STANDARD
        if self.as_json:
            write_json(report.to_dict(), err=err)
        elif not self.quiet:
            echo(summary(report), err=True)
        return 1 if report.errors else 0


def record_command(command: Callable[..., int]) -> Callable[..., None]:
    """Give a command the shared options; it is called with a `RecordJob` and returns the exit status."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        asked = {name: given.pop(name) for name in ("game", "variant", "format_in", "format_out")}
        asked |= {"sources": given.pop("files"), "target": given.pop("target") or STANDARD}
        asked |= {name: value for name in ("moves", "where") if (value := given.pop(name)) is not None}
        way = {name: given.pop(name) for name in ("engine", "threads", "resume")}
        job = RecordJob(asked, way, given.pop("as_json"), given.pop("quiet"))
        click.get_current_context().exit(command(job, **given))

    wrapped: Callable[..., None] = run
    for option in reversed((*INPUT_OPTIONS, *_RECORDS, *_WAY)):
        wrapped = option(wrapped)
    return wrapped


def names(text: str | None) -> tuple[str, ...] | None:
    """Names with commas between them."""
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def summary(report: RecordReport) -> str:
    """One line for a person."""
    table = report.table
    # Where there is no kernel the reader is asked for all of them, which says nothing.
    left = report.asked - report.errors if report.asked < report.games else 0
    name = table.game if table.variant is None else f"{table.game} ({table.variant})"
    parts = [
        f"{name}{', detected' if report.detected else ''}: {report.games:,} games read",
        f"{report.written:,} rows written",
        f"{report.duplicates:,} repeated a position" if report.duplicates is not None else "",
        f"{left:,} that only the record reader takes" if left > 0 else "",
        f"{report.errors:,} with an error",
    ]
    return ", ".join(filter(None, parts))
