"""The options of the commands for files of positions, and the `BulkJob` they add up to.

These commands read whole files of rows, do one verb of `forsyth.bulk` to each row, and write the rows to
another file. What they need is imported when one of them runs: the others work without it."""

from __future__ import annotations

import functools
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_progress import progress_bar
from forsyth.cli.options import Decorator
from forsyth.cli.output import Failure, echo, mute_if_full, write_json
from forsyth.diagnostics import MODES

if TYPE_CHECKING:
    from forsyth.bulk.jobs.report import Report

STANDARD: Final = "-"

INPUT_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.argument("files", nargs=-1, metavar="[FILE]..."),
    click.option(
        "--output",
        "-o",
        "target",
        metavar="TARGET",
        help="Where the rows go: a file, a directory of parts (DIR/), a URL, or - for standard output.",
    ),
)

_GAME: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="The game; detected from the first texts by default."),
    click.option("--variant", metavar="NAME", help="The variant of the game."),
    click.option(
        "--column",
        metavar="NAME",
        help="The column with the texts, such as pos.fen; by default fen, text, position, epd or line, in "
        "any case and also inside another column, or the only one of texts.",
    ),
)

_READING: Final[tuple[Decorator, ...]] = (
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default="default",
        show_default=True,
        help="strict: canonical text only; default: what the specification accepts; lenient: with repairs.",
    ),
    click.option(
        "--legality/--no-legality",
        default=None,
        help="Whether a text must also be legal to count as read; scan asks for it by default.",
    ),
)

RESUME_OPTION: Final[Decorator] = click.option(
    "--resume",
    is_flag=True,
    help="Resume where the same command was stopped. A run that was not started with --resume keeps nothing "
    "when Ctrl-C or SIGTERM stops it.",
)


def way_options(read: str, written: str) -> tuple[Decorator, ...]:
    """The options of how a job is done, with the formats that its command reads and writes."""
    return (
        click.option(
            "--in",
            "format_in",
            metavar="FORMAT",
            help=f"The format of the files, where their names do not give it: {read}, also with .gz, .zst or "
            ".bz2.",
        ),
        click.option(
            "--to",
            "format_out",
            metavar="FORMAT",
            help=f"The format of TARGET, where its name does not give it: {written}.",
        ),
        click.option(
            "--engine",
            type=click.Choice(["local", "ray", "spark"]),
            default="local",
            show_default=True,
            help="What does the work: this process, or the workers of a Ray or Spark cluster.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            metavar="N",
            help="How many batches are worked on at the same time; by default one per core.",
        ),
        RESUME_OPTION,
        click.option("--json", "as_json", is_flag=True, help="One JSON object with the counts of rows."),
        click.option("--quiet", is_flag=True, help="No progress bar and no summary."),
    )


_WAY: Final = way_options(
    "parquet, arrow, csv, tsv, jsonl, text, epd or pgn",
    "parquet, arrow, arrows, csv, tsv, jsonl, text or npy",
)
CELL_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        callback=lambda _, __, given: "\t" if given in ("tab", "\\t") else given,
        help="What stands between the cells of CSV, such as ; or tab.  [default: a comma, in TSV a tab]",
    ),
    click.option(
        "--header/--no-header",
        default=True,
        help="Whether the first line of CSV names the columns; otherwise they are column_1, column_2, …",
    ),
    click.option(
        "--typed/--untyped",
        default=True,
        help="Whether columns of numbers in CSV are numbers; otherwise every column is text.",
    ),
)
SELECT_OPTION: Final[Decorator] = click.option(
    "--select",
    metavar="COLUMN,...",
    default="",
    help="The columns to write, in this order; only what is needed is read.  [default: all]",
)


prefix_option: Final = click.option(
    "--prefix",
    default="",
    metavar="TEXT",
    help="What the names of the added columns begin with; needed where the data has one of them.",
)
"""For the commands that add columns."""


@dataclass(frozen=True, slots=True)
class BulkJob:
    """What one run was asked to do."""

    asked: dict[str, Any]
    """The fields of `forsyth.bulk.jobs.run_files.Request`."""
    way: dict[str, Any]
    """The fields of `forsyth.bulk.jobs.run_files.Way`."""
    as_json: bool
    quiet: bool

    @property
    def target(self) -> str | None:
        """Where the rows go."""
        target: str | None = self.asked["target"]
        return target

    def verb(self, name: str, prefix: str = "", **options: Any) -> Report:
        """Do a verb to every row; options that were not given are left to the verb."""
        given = {option: value for option, value in options.items() if value is not None}
        with self._running(name) as begin:
            from forsyth.bulk.jobs.run_files import Request, Way, conduct

            return conduct(
                Request(name, **self.asked, options=given, prefix=prefix), Way(**self.way, begin=begin)
            )

    def to(self, target: str) -> BulkJob:
        """The same job with another target."""
        return self.asking(target=target)

    def asking(self, **more: Any) -> BulkJob:
        """The same job with other fields of the request."""
        return replace(self, asked={**self.asked, **more})

    def tell_of(self, name: str, **options: Any) -> int:
        """Do a verb to every row and print the counts; the exit status."""
        return self.tell(self.verb(name, **options))

    def dedupe(self, **rule: Any) -> Report:
        """Write each position once."""
        with self._running("dedupe") as begin:
            from forsyth.bulk.jobs import dedupe
            from forsyth.bulk.jobs.run_files import Request, Way

            request = Request("dedupe", **self.asked)
            return dedupe.conduct(request, dedupe.Rule(**rule), Way(**self.way, begin=begin))

    def _running(self, what: str) -> AbstractContextManager[Any]:
        return running(what, resume=self.way["resume"], quiet=self.quiet)

    def tell(self, report: Report) -> int:
        """Print the counts of rows; the exit status."""
        # Standard output carries the rows where no file was named.
        err = self.target in (None, STANDARD)
        if self.as_json:
            write_json(report.to_dict(), err=err)
        elif not self.quiet:
            echo(summary(report), err=True)
        return status(report)


def bulk_command(command: Callable[..., int]) -> Callable[..., None]:
    """Give a command the shared options; it is called with a `BulkJob` and returns the exit status."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        asked = {
            "sources": given.pop("files"),
            "target": given.pop("target"),
            **{name: given.pop(name) for name in _ASKED},
            "select": _names(given.pop("select")),
        }
        way = {name: given.pop(name) for name in ("engine", "threads", "resume")}
        job = BulkJob(asked, way, given.pop("as_json"), given.pop("quiet"))
        click.get_current_context().exit(command(job, **given))

    wrapped: Callable[..., None] = run
    for option in reversed((*INPUT_OPTIONS, *_GAME, *_READING, SELECT_OPTION, *CELL_OPTIONS, *_WAY)):
        wrapped = option(wrapped)
    return wrapped


_ASKED: Final = (
    "game",
    "variant",
    "column",
    "mode",
    "legality",
    "delimiter",
    "header",
    "typed",
    "format_in",
    "format_out",
)


def _names(given: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in given.split(",") if name.strip())


def rows_command(command: Callable[..., int]) -> Callable[..., None]:
    """The same for a command that always writes rows: to standard output where no file is named."""

    @functools.wraps(command)
    def run(job: BulkJob, **given: Any) -> int:
        target = STANDARD if job.target is None else job.target
        return command(BulkJob({**job.asked, "target": target}, job.way, job.as_json, job.quiet), **given)

    return bulk_command(run)


@contextmanager
def running(what: str, *, resume: bool, quiet: bool, unit: str = "rows") -> Iterator[Any]:
    """A progress bar, and every way of failing as one sentence."""
    with explaining_errors(), _stoppable(resume=resume), progress_bar(what, quiet, unit) as begin:
        yield begin


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Raises `Failure` for what `forsyth.bulk` says in one sentence, or when its extra is missing."""
    try:
        from forsyth.bulk.errors import BulkError
    except ImportError as error:
        raise Failure(_missing(error)) from error
    try:
        yield
    except ImportError as error:
        raise Failure(_missing(error)) from error
    except BulkError as error:
        mute_if_full()
        raise Failure(str(error)) from error


def _missing(error: ImportError) -> str:
    return f"this needs {error.name or 'pyarrow'}: pip install 'forsyth[bulk]'"


@contextmanager
def _stoppable(*, resume: bool) -> Iterator[None]:
    """SIGTERM stops a job as Ctrl-C does; with `resume` a sentence says how to go on."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        if resume:
            echo("stopped; what is done is kept: run the same command again to resume", err=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def status(report: Report) -> int:
    """The exit status: 1 when there are rows that could not be read, or that lack the value that decides."""
    undecided = report.missing if report.heading.by is not None else 0
    return 1 if report.unreadable or undecided else 0


def summary(report: Report) -> str:
    """One line for a person."""
    asked = report.heading
    bad = "with an error" if asked.verb == "scan" else "could not be read"
    lacks = "a text" if asked.by is None else f"a value of {asked.by}, in no set"
    # A filter asks of each text what was asked for, not whether it can be read; a column needs no text.
    reads = asked.verb != "filter" and asked.by is None
    parts = [
        f"{_game(report)}: {report.rows:,} rows read",
        f"{report.written:,} written" if asked.target is not None else "",
        f"{report.duplicates:,} repeated a position" if report.duplicates is not None else "",
        f"{report.unreadable:,} {bad}" if reads else "",
        f"{report.missing:,} without {lacks}" if report.missing else "",
    ]
    return ", ".join(filter(None, parts))


def _game(report: Report) -> str:
    asked = report.heading
    name = asked.game if asked.variant is None else f"{asked.game} ({asked.variant})"
    return f"{name}, detected" if asked.detected else name
