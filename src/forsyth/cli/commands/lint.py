"""`forsyth lint`: check the position texts in files of any kind, where they stand.

Writes, per finding: ``file:line:col: code: message``, or what ``--format`` names. What was skipped and a
summary go to standard error. Exit status: 0 nothing found, 1 something found and not fixed, 2 usage, input or
output went wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from forsyth.cli.arguments import example
from forsyth.cli.output import Failure, echo, progress
from forsyth.diagnostics import MODES, Severity
from forsyth.lint import FileReport, Finding, Settings, SettingsError, find_files, lint_file, read_settings
from forsyth.lint.formats import LINE_FORMATS, sarif
from forsyth.lint.settings import settings_of

_SARIF: Final = "sarif"


@click.command(
    epilog=example(
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
    help="How findings are written; json: one object per line.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", is_flag=True, help="Apply the fixes that are certain, in place.")
@click.option(
    "--select", multiple=True, metavar="CODES", help="Report only these codes; castling means castling.*."
)
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these codes.")
@click.option("--include", multiple=True, metavar="GLOB", help="Files of directories that are looked at.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Files and folders that are left out.")
@click.option(
    "--severity",
    type=click.Choice([level.value for level in Severity]),
    help="The least severity that is reported.",
)
@click.option("--game", metavar="NAME", help="The game; detected from each text by default.")
@click.option("--variant", metavar="NAME", help="The variant; detected from each text by default.")
@click.option("--mode", type=click.Choice(MODES), help="How texts are read; default by default.")
@click.option("--config", metavar="FILE", help="The pyproject.toml to use; the nearest by default.")
def lint(
    files: tuple[str, ...], style: str, as_json: bool, fix: bool, config: str | None, **given: Any
) -> None:
    """Check the position texts in files: FEN, EPD, PGN, Markdown, JSON, YAML and source code.

    Directories are searched; without a FILE it is the current one. In source code and documents a text counts
    as a position only where it clearly is one.
    """
    try:
        settings = _with_options(
            read_settings(Path()) if config is None else settings_of(Path(config)), given
        )
    except SettingsError as error:
        raise click.UsageError(str(error)) from error
    run = _Run("json" if as_json else style)
    listed = list(find_files(files or (".",), settings, run.fail))
    with progress("linting", len(listed), unit="files") as advance:
        for file in listed:
            run.lint(file, settings, fix)
            advance(1)
    run.finish(len(listed))
    click.get_current_context().exit(run.status)


class _Run:
    """Writes reports as they come, and counts."""

    def __init__(self, style: str) -> None:
        self._style = style
        self._write = LINE_FORMATS.get(style)
        self._kept: list[Finding] = []
        self._found = 0
        self._fixed = 0
        self._files = 0
        self._failed = False

    @property
    def status(self) -> int:
        """The exit status."""
        return Failure.exit_code if self._failed else int(bool(self._found))

    def lint(self, file: str, settings: Settings, fix: bool) -> None:
        """Lint a file; one that cannot be read or written is named, and the others are still looked at."""
        try:
            report = lint_file(file, settings, fix=fix)
        except OSError as error:
            self.fail(error, file)
            return
        self._take(report)

    def fail(self, error: OSError, file: str | None = None) -> None:
        """Name a file or folder that cannot be read or written."""
        self._failed = True
        name = click.format_filename(file or error.filename)
        echo(f"{name}: {error.strerror or error}", err=True)

    def _take(self, report: FileReport) -> None:
        if report.skipped is not None:
            echo(f"{click.format_filename(report.file)}: skipped, {report.skipped}", err=True)
        self._found += len(report.findings)
        self._files += bool(report.findings)
        self._fixed += report.fixed
        if self._write is None:
            self._kept += report.findings
            return
        for finding in report.findings:
            echo(self._write(finding))

    def finish(self, files: int) -> None:
        """Write what was kept, and for people the summary."""
        if self._write is None:
            echo(json.dumps(sarif(self._kept), indent=2))
        if self._style != "text":
            return
        fixed = f", {_counted(self._fixed, 'finding')} fixed" if self._fixed else ""
        where = f"{self._files} of " if self._found else ""
        echo(f"{_counted(self._found, 'finding')} in {where}{_counted(files, 'file')}{fixed}", err=True)


def _with_options(settings: Settings, given: dict[str, Any]) -> Settings:
    """Settings with what was given on the command line in the place of what the file says."""
    changed = {name: value for name, value in given.items() if value not in (None, ())}
    for name in ("select", "ignore"):
        if name in changed:
            changed[name] = tuple(_split(changed[name]))
    if "exclude" in changed:
        changed["exclude"] = (*settings.exclude, *changed["exclude"])
    if "severity" in changed:
        changed["severity"] = Severity(changed["severity"])
    return replace(settings, **changed).checked()


def _split(values: Iterable[str]) -> list[str]:
    return [code for value in values for code in value.replace(",", " ").split()]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
