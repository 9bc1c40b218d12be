"""`forsyth lint`: check the position texts in files of any kind.

Writes each finding as ``file:line:col: code: message``, or in the format of ``--format``. The skipped files
and a summary go to standard error. Exit status: 0 if nothing was found or all of it was fixed, 1 if findings
are left, 2 if the usage, the input or the output is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.output import Failure, echo, format_path, show_progress
from forsyth.diagnostics import MODES, Severity
from forsyth.lint import FileReport, Finding, Settings, SettingsError, find_files, lint_file, read_settings
from forsyth.lint.formats import LINE_FORMATS, make_sarif_log
from forsyth.lint.settings import read_settings_file

_SARIF: Final = "sarif"
_SUMMARISED_STYLES: Final = ("text", "github")
"""The formats that people read, in a terminal or in the log of a workflow."""
_CURRENT_DIRECTORY: Final = "."


@click.command(
    epilog=format_examples(
        "forsyth lint",
        "forsyth lint --fix src tests README.md",
        "forsyth lint --format sarif . > positions.sarif",
    )
)
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path())
@click.option(
    "--format",
    "style",
    type=click.Choice([*LINE_FORMATS, _SARIF]),
    default="text",
    show_default=True,
    help="Format of the findings; json: one object per line.",
)
@click.option("--json", "as_json", is_flag=True, help="Same as --format json.")
@click.option("--fix", is_flag=True, help="Apply the certain fixes to the files.")
@click.option(
    "--select",
    multiple=True,
    metavar="CODES",
    help="Report only these codes; castling: all of castling.*.",
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these codes.")
@click.option("--include", multiple=True, metavar="GLOB", help="Check only these files of directories.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Skip these files and folders.")
@click.option(
    "--severity",
    type=click.Choice([level.value for level in Severity]),
    help="Report only findings of at least this severity.",
)
@click.option("--game", metavar="NAME", help="Game of the texts.  [default: detected]")
@click.option("--variant", metavar="NAME", help="Variant of the game.  [default: detected]")
@click.option("--mode", type=click.Choice(MODES), help="Reading mode.  [default: default]")
@click.option("--config", metavar="FILE", help="Settings file.  [default: the nearest pyproject.toml]")
def lint(
    files: tuple[str, ...], style: str, as_json: bool, fix: bool, config: str | None, **setting_options: Any
) -> None:
    """Check the position texts in files of any kind.

    Supports FEN, EPD, PGN, Markdown, CSV, JSON, YAML, plain text and source code. Directories are searched;
    the default is the current directory. In source code and documents, only texts that are clearly positions
    are checked.
    """
    try:
        file_settings = read_settings(Path()) if config is None else read_settings_file(Path(config))
        settings = _merge_settings(file_settings, setting_options)
    except SettingsError as error:
        raise click.UsageError(str(error)) from error
    run = _LintRun("json" if as_json else style)
    searched_paths = files or (_CURRENT_DIRECTORY,)
    found_files = list(find_files(searched_paths, settings, run.report_failure))
    with show_progress("linting", len(found_files), unit="files") as advance:
        for file in found_files:
            run.lint(file, settings, fix)
            advance(1)
    run.print_end_of_run(len(found_files))
    click.get_current_context().exit(run.exit_status)


class _LintRun:
    """One run of the linter over several files. It prints the findings and counts them."""

    def __init__(self, style: str) -> None:
        """Prepare a run that prints findings in a style: a value of ``--format``, such as ``github``."""
        self._style = style
        # None for SARIF, which is one document and can only be written at the end.
        self._format_finding = LINE_FORMATS.get(style)
        self._sarif_findings: list[Finding] = []
        self._text_count = 0
        self._finding_count = 0
        self._fixed_count = 0
        self._faulty_file_count = 0
        self._has_failed = False

    @property
    def exit_status(self) -> int:
        """The exit status: 2 if a file could not be read or written, 1 if there are findings, else 0."""
        if self._has_failed:
            return Failure.exit_code
        return 1 if self._finding_count else 0

    def lint(self, file: str, settings: Settings, fix: bool) -> None:
        """Lint a file and print its findings. If the file cannot be read or written, print the error.

        If `fix` is true, also apply the certain fixes to the file.
        """
        try:
            report = lint_file(file, settings, fix=fix)
        except OSError as error:
            self.report_failure(error, file)
            return
        self._print_report(report)

    def report_failure(self, error: OSError, file: str | None = None) -> None:
        """Print that a file or folder cannot be read or written. The exit status of the run is then 2.

        `file` is the name of the file or folder. None takes the name from the error.
        """
        self._has_failed = True
        name = format_path(file or error.filename)
        echo(f"{name}: {error.strerror or error}", err=True)

    def _print_report(self, report: FileReport) -> None:
        """Print the findings of a file, or the reason why it was skipped, and add them to the counts.

        Findings in SARIF, which is one document for all files, are kept until the end of the run.
        """
        if report.skip_reason is not None:
            echo(f"{format_path(report.file)}: skipped, {report.skip_reason}", err=True)
        self._text_count += report.text_count
        self._finding_count += len(report.findings)
        self._faulty_file_count += 1 if report.findings else 0
        self._fixed_count += report.fixed_count
        if self._format_finding is None:
            self._sarif_findings += report.findings
            return
        for finding in report.findings:
            echo(self._format_finding(finding))

    def print_end_of_run(self, file_count: int) -> None:
        """Print the SARIF document or the summary, which can only be written after the last file.

        `file_count` is the number of files that were linted.
        """
        if self._style == _SARIF:
            echo(json.dumps(make_sarif_log(self._sarif_findings), indent=2))
        if self._style in _SUMMARISED_STYLES:
            echo(self._format_summary(file_count), err=True)

    def _format_summary(self, file_count: int) -> str:
        """Format the counts of the run: ``3 findings in 2 of 40 files, 117 texts checked, 1 finding fixed``.

        The number of texts shows whether the linter found the positions in the files. `file_count` is the
        number of files that were linted.
        """
        findings = _format_count(self._finding_count, "finding")
        files = _format_count(file_count, "file")
        if self._faulty_file_count:
            files = f"{self._faulty_file_count} of {files}"
        fixed = f", {_format_count(self._fixed_count, 'finding')} fixed" if self._fixed_count else ""
        texts = _format_count(self._text_count, "text")
        return f"{findings} in {files}, {texts} checked{fixed}"


def _merge_settings(settings: Settings, options: dict[str, Any]) -> Settings:
    """Return the settings of a settings file, with those replaced that the command line names.

    The globs of ``--exclude`` are added to those of the file. Raise `SettingsError` if a value is not valid.

    Args:
        settings: The settings of the file, or the default settings.
        options: The values of options such as ``select``, by name. An option that was not given is None or an
            empty tuple.
    """
    changes = {name: value for name, value in options.items() if value not in (None, ())}
    for name in ("select", "ignore"):
        if name in changes:
            changes[name] = tuple(_split_codes(changes[name]))
    if "exclude" in changes:
        changes["exclude"] = (*settings.exclude, *changes["exclude"])
    if "severity" in changes:
        changes["severity"] = Severity(changes["severity"])
    return replace(settings, **changes).validate()


def _split_codes(values: Iterable[str]) -> list[str]:
    """Split texts such as ``castling.order,ep`` at commas and blanks, and return all codes in them."""
    joined_values = " ".join(values)
    return joined_values.replace(",", " ").split()


def _format_count(number: int, noun: str) -> str:
    """Format a number with a noun that gets an ``s`` if needed: ``1 finding``, ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
