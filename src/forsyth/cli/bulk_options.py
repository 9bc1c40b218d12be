"""The options of the commands for files of positions, and the `BulkJob` that they are collected in.

These commands read whole files of rows, apply one verb of `forsyth.bulk` to each row, and write the rows to
another file. The packages that `forsyth.bulk` needs are imported when such a command runs, so that the other
commands work without them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from forsyth.cli.bulk_progress import progress_bar
from forsyth.cli.options import Decorator, add_options
from forsyth.cli.output import Failure, discard_broken_stdout, echo, write_json
from forsyth.diagnostics import MODES

if TYPE_CHECKING:
    from forsyth.bulk.jobs.report import Report

STANDARD_OUTPUT: Final = "-"
"""The target that stands for standard output."""

INPUT_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.argument("files", nargs=-1, metavar="[FILE]..."),
    click.option(
        "--output",
        "-o",
        "target",
        metavar="TARGET",
        help="Write the rows to a file, a directory of parts (DIR/), a URL, or standard output (-).",
    ),
)

_GAME_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option("--game", metavar="NAME", help="Game of the texts.  [default: detected]"),
    click.option("--variant", metavar="NAME", help="Variant of the game."),
    click.option(
        "--column",
        metavar="NAME",
        help="Column of the texts, such as pos.fen.  [default: fen, text, position, epd or line, in any case "
        "and also inside another column; or the only column of text]",
    ),
)

_READING_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--mode",
        type=click.Choice(MODES),
        default="default",
        show_default=True,
        help="Reading mode. strict: canonical texts only; default: all valid texts; lenient: repair errors.",
    ),
    click.option(
        "--legality/--no-legality",
        default=None,
        help="Treat illegal positions as errors.  [default: only in scan]",
    ),
)

RESUME_OPTION: Final[Decorator] = click.option(
    "--resume",
    is_flag=True,
    help="Resume the same command after it was stopped. A run stopped with Ctrl-C or SIGTERM can only be "
    "resumed if it was started with --resume.",
)


def make_run_options(input_formats: str, output_formats: str) -> tuple[Decorator, ...]:
    """Return the options that control how files are processed, such as ``--engine`` and ``--threads``.

    Args:
        input_formats: The formats that the command reads, as the help lists them.
        output_formats: The formats that the command writes, as the help lists them.
    """
    return (
        click.option(
            "--in",
            "format_in",
            metavar="FORMAT",
            help=f"Format of the files if their names do not show it: {input_formats}; each also with .gz, "
            ".zst or .bz2.",
        ),
        click.option(
            "--to",
            "format_out",
            metavar="FORMAT",
            help=f"Format of TARGET if its name does not show it: {output_formats}.",
        ),
        click.option(
            "--engine",
            type=click.Choice(["local", "ray", "spark"]),
            default="local",
            show_default=True,
            help="Run in this process (local), or on a Ray or Spark cluster.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(min=1),
            metavar="N",
            help="Process N batches at the same time.  [default: one per core]",
        ),
        RESUME_OPTION,
        click.option("--json", "as_json", is_flag=True, help="Write one JSON object with the row counts."),
        click.option("--quiet", is_flag=True, help="Show no progress bar and no summary."),
    )


_RUN_OPTIONS: Final = make_run_options(
    "parquet, arrow, csv, tsv, jsonl, text, epd or pgn",
    "parquet, arrow, arrows, csv, tsv, jsonl, text or npy",
)
_NAMES_OF_TAB: Final = ("tab", "\\t")
"""Values of ``--delimiter`` that stand for a tab character."""

CSV_OPTIONS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        callback=lambda _, __, value: "\t" if value in _NAMES_OF_TAB else value,
        help="Separator of CSV columns, such as ; or tab.  [default: a comma; in TSV a tab]",
    ),
    click.option(
        "--header/--no-header",
        default=True,
        help="Read column names from the first line of CSV, or name the columns column_1, column_2, …  "
        "[default: --header]",
    ),
    click.option(
        "--typed/--untyped",
        default=True,
        help="Read CSV columns of numbers as numbers, or all columns as text.  [default: --typed]",
    ),
)
SELECT_OPTION: Final[Decorator] = click.option(
    "--select",
    metavar="COLUMN,...",
    default="",
    help="Write only these columns, in this order.  [default: all columns]",
)


prefix_option: Final = click.option(
    "--prefix",
    default="",
    metavar="TEXT",
    help="Prefix of the added columns; needed if the input already has a column of that name.",
)
"""The option ``--prefix`` of the commands that add columns."""


@dataclass(frozen=True, slots=True)
class BulkJob:
    """One run of a command for files of positions."""

    input_arguments: dict[str, Any]
    """Arguments for `forsyth.bulk.jobs.run_files.JobSpec`."""
    run_arguments: dict[str, Any]
    """Arguments for `forsyth.bulk.jobs.run_files.RunOptions`."""
    as_json: bool
    quiet: bool

    @property
    def target(self) -> str | None:
        """The file, directory or URL to which the rows are written, or None to write no rows."""
        target: str | None = self.input_arguments["target"]
        return target

    def run_verb(self, name: str, prefix: str = "", **options: Any) -> Report:
        """Apply a verb of `forsyth.bulk` to every row of the input files.

        Write the rows to the target, and return the report with the row counts.

        Args:
            name: The name of the verb, such as ``key`` or ``scan``.
            prefix: The prefix of the names of the columns that the verb adds.
            **options: The options of the verb. None leaves an option at its default.
        """
        given_options = {option: value for option, value in options.items() if value is not None}
        with self._open_context(name) as start_progress:
            from forsyth.bulk.jobs.run_files import JobSpec, RunOptions, run_job

            job_spec = JobSpec(name, **self.input_arguments, options=given_options, prefix=prefix)
            run_options = RunOptions(**self.run_arguments, start_progress=start_progress)
            return run_job(job_spec, run_options)

    def with_target(self, target: str) -> BulkJob:
        """Return a copy of this job that writes to another target."""
        return self.with_arguments(target=target)

    def with_arguments(self, **input_arguments: Any) -> BulkJob:
        """Return a copy of this job with some of its `input_arguments` replaced."""
        return replace(self, input_arguments={**self.input_arguments, **input_arguments})

    def run_and_report(self, name: str, **options: Any) -> int:
        """Apply the verb `name`, such as ``planes``, to every row, and print the row counts.

        Return the exit status: 1 if rows could not be read, else 0. `options` are those of `run_verb`.
        """
        return self.print_report(self.run_verb(name, **options))

    def run_dedupe(self, **rule: Any) -> Report:
        """Write each position of the input files once, and return the report with the row counts.

        The keyword arguments `rule` select which of the rows with the same position is written, such as
        ``keep="first"``. They are the fields of `forsyth.bulk.jobs.dedupe.Rule`.
        """
        with self._open_context("dedupe") as start_progress:
            from forsyth.bulk.jobs import dedupe
            from forsyth.bulk.jobs.run_files import JobSpec, RunOptions

            job_spec = JobSpec("dedupe", **self.input_arguments)
            run_options = RunOptions(**self.run_arguments, start_progress=start_progress)
            return dedupe.run_job(job_spec, dedupe.Rule(**rule), run_options)

    def _open_context(self, label: str) -> AbstractContextManager[Any]:
        """Return the context manager that shows the progress of this job and translates its errors.

        `label` is the text before the progress bar.
        """
        return job_context(label, resume=self.run_arguments["resume"], quiet=self.quiet)

    def print_report(self, report: Report) -> int:
        """Print the row counts of a report, and return the exit status.

        The exit status is 1 if rows could not be processed, else 0.
        """
        if self.as_json:
            # Without a target file, standard output is reserved for the rows.
            reserves_stdout = self.target in (None, STANDARD_OUTPUT)
            write_json(report.to_dict(), err=reserves_stdout)
        elif not self.quiet:
            echo(format_summary(report), err=True)
        return get_exit_status(report)


def bulk_command(command: Callable[..., int]) -> Callable[..., None]:
    """Add the options that all commands for files of positions share (a decorator).

    The values of the shared options are collected in a `BulkJob`. `command` is called with this job and its
    own options. It returns the exit status, with which the program then ends.
    """

    @functools.wraps(command)
    def run_with_job(**arguments: Any) -> None:
        """Call the command with a `BulkJob` and its own options, and exit with the status it returns."""
        job = _extract_job(arguments)
        click.get_current_context().exit(command(job, **arguments))

    shared_options = (
        *INPUT_OPTIONS,
        *_GAME_OPTIONS,
        *_READING_OPTIONS,
        SELECT_OPTION,
        *CSV_OPTIONS,
        *_RUN_OPTIONS,
    )
    return add_options(run_with_job, shared_options)


def _extract_job(arguments: dict[str, Any]) -> BulkJob:
    """Remove the shared options from `arguments`, in place, and return a `BulkJob` with their values.

    `arguments` has the values of all arguments and options of a command, by name. Those of the command itself
    remain.
    """
    input_arguments = {
        "sources": arguments.pop("files"),
        "target": arguments.pop("target"),
        **{name: arguments.pop(name) for name in _JOB_SPEC_OPTIONS},
        "select": _split_names(arguments.pop("select")),
    }
    return BulkJob(
        input_arguments=input_arguments,
        run_arguments={name: arguments.pop(name) for name in RUN_OPTION_NAMES},
        as_json=arguments.pop("as_json"),
        quiet=arguments.pop("quiet"),
    )


RUN_OPTION_NAMES: Final = ("engine", "threads", "resume")
"""Names of the options that are passed to `RunOptions` unchanged."""

_JOB_SPEC_OPTIONS: Final = (
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
"""Names of the options that are passed to `JobSpec` unchanged."""


def _split_names(text: str) -> tuple[str, ...]:
    """Split a text such as ``fen, result`` at its commas into names without blanks around them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def rows_command(command: Callable[..., int]) -> Callable[..., None]:
    """Add the options that all commands for files of positions share (a decorator).

    This is `bulk_command` for commands that always write rows. Without ``--output``, the rows go to standard
    output. `command` is called with a `BulkJob` and its own options, and returns the exit status.
    """

    @functools.wraps(command)
    def run_with_target(job: BulkJob, **arguments: Any) -> int:
        """Call the command with a job that writes to standard output if it has no target."""
        target = STANDARD_OUTPUT if job.target is None else job.target
        return command(job.with_target(target), **arguments)

    return bulk_command(run_with_target)


@contextmanager
def job_context(label: str, *, resume: bool, quiet: bool, unit: str = "rows") -> Iterator[Any]:
    """Show a progress bar and turn errors into `Failure` while the ``with`` block runs.

    Yield the function that starts the progress bar, or None if no bar is shown.

    Args:
        label: The text before the progress bar.
        resume: Whether a stopped run can be resumed. If so, a message at the stop explains how.
        quiet: Whether to show no progress bar.
        unit: The plural name of the things that the progress bar counts.
    """
    with (
        translate_bulk_errors(),
        _explain_resuming(resume=resume),
        progress_bar(label, quiet, unit) as start_progress,
    ):
        yield start_progress


@contextmanager
def translate_bulk_errors() -> Iterator[None]:
    """Raise `Failure` if the ``with`` block raises `BulkError`, or a package that it needs is not installed.

    A `Failure` ends the program with an error message and status 2, without a traceback.
    """
    try:
        from forsyth.bulk.errors import BulkError
    except ImportError as error:
        raise Failure(_format_missing_package(error)) from error
    try:
        yield
    except ImportError as error:
        raise Failure(_format_missing_package(error)) from error
    except BulkError as error:
        discard_broken_stdout()
        raise Failure(str(error)) from error


def _format_missing_package(error: ImportError) -> str:
    """Return the error message for a missing package of the extra `bulk`, with the command to install it."""
    package = error.name or "pyarrow"
    return f"this command needs {package}; install it with: pip install 'forsyth[bulk]'"


@contextmanager
def _explain_resuming(*, resume: bool) -> Iterator[None]:
    """Print how to resume the run if SIGTERM or Ctrl-C stops the ``with`` block.

    Print nothing if `resume` is false, because only a run with the option ``--resume`` can be resumed.
    """
    try:
        yield
    except KeyboardInterrupt:
        if resume:
            echo("stopped; the finished parts are kept: run the same command again to resume", err=True)
        raise


def get_exit_status(report: Report) -> int:
    """Return the exit status of a run over files: 1 if rows could not be processed, else 0.

    A row could not be processed if its text could not be read, or if it has no value in the column of
    ``split --by``, so that it is in no set.
    """
    splits_by_column = report.heading.by is not None
    rows_in_no_set = report.missing if splits_by_column else 0
    return 1 if report.unreadable or rows_in_no_set else 0


def format_summary(report: Report) -> str:
    """Format the game of a run over files and its row counts as one line.

    For example: ``GAME (VARIANT), detected: 1,000 rows read, 998 written, 2 could not be read``.
    """
    heading = report.heading
    problem = "with an error" if heading.verb == "scan" else "could not be read"
    missing_value = "a text" if heading.by is None else f"a value of {heading.by}, in no set"
    # A filter accepts unreadable texts, and a split by a column does not read the texts.
    requires_readable_texts = heading.verb != "filter" and heading.by is None
    parts = [
        f"{_format_game(report)}: {report.rows:,} rows read",
        f"{report.written:,} written" if heading.target is not None else "",
        f"{report.duplicates:,} repeated a position" if report.duplicates is not None else "",
        f"{report.unreadable:,} {problem}" if requires_readable_texts else "",
        f"{report.missing:,} without {missing_value}" if report.missing else "",
    ]
    return ", ".join(part for part in parts if part)


def _format_game(report: Report) -> str:
    """Format the game and variant of a report, such as ``GAME (VARIANT), detected``."""
    heading = report.heading
    name = heading.game if heading.variant is None else f"{heading.game} ({heading.variant})"
    return f"{name}, detected" if heading.detected else name
