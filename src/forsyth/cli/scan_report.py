"""The report of a scan as a terminal shows it: a table of codes, then one example of each.

Texts of files are hostile until they are read: what is shown of them holds no control characters.
"""

from __future__ import annotations

import io
from shutil import get_terminal_size

from forsyth.bulk.jobs.report import CodeRows, Report, per_cent
from forsyth.cli.bulk_options import summary
from forsyth.cli.output import colourful
from forsyth.diagnostics import Diagnostic, Severity, Span, render


def words(report: Report, *, err: bool = False) -> str:
    """The report as text."""
    colour = colourful(err=err)
    examples = [_example(code, colour) for code in report.codes if code.examples]
    return "\n\n".join(filter(None, (summary(report), _table(report, colour), *examples)))


def _table(report: Report, colour: bool) -> str:
    if not report.codes:
        return ""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("code", no_wrap=True)
    table.add_column("severity", no_wrap=True)
    table.add_column("rows", justify="right", no_wrap=True)
    table.add_column("share", justify="right", no_wrap=True)
    table.add_column("meaning")
    for code in report.codes:
        style = "red" if code.severity == Severity.ERROR else "yellow"
        table.add_row(
            Text(code.code, style=style),
            code.severity,
            f"{code.rows:,}",
            per_cent(code.rows, report.rows),
            Text(code.meaning),
        )
    held = io.StringIO()
    console = Console(
        file=held, width=get_terminal_size().columns, force_terminal=colour, no_color=not colour
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in held.getvalue().rstrip("\n").split("\n"))


def _example(code: CodeRows, colour: bool) -> str:
    first = code.examples[0]
    finding = Diagnostic(
        code.code, first.message, Severity(code.severity), code.stage, Span(first.start, first.end)
    )
    return f"{first.file}, row {first.row:,}\n{render(first.text, (finding,), colour=colour)}"
