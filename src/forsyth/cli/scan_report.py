"""The report of a scan for a terminal: a table of codes, then one example of each.

The texts of the files are not trusted: `forsyth.diagnostics.render` removes their control characters.
"""

from __future__ import annotations

import io
from shutil import get_terminal_size

from forsyth.bulk.jobs.report import CodeSummary, Report, format_percentage
from forsyth.cli.bulk_options import format_summary
from forsyth.cli.output import uses_colour
from forsyth.diagnostics import Diagnostic, Severity, Span, render


def format_report(report: Report, *, err: bool = False) -> str:
    """Return the report as text: the summary, the table of codes, and one example of each code.

    `err` says that the text is written to standard error. It is coloured if that stream shows colours.
    """
    colour = uses_colour(err=err)
    examples = [_format_example(code, colour) for code in report.codes if code.examples]
    return "\n\n".join(filter(None, (format_summary(report), _format_table(report, colour), *examples)))


def _format_table(report: Report, colour: bool) -> str:
    """Return a table of the diagnostic codes with their numbers of rows, as wide as the terminal.

    Return an empty text if no row has a finding.
    """
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
            format_percentage(code.rows, report.rows),
            Text(code.meaning),
        )
    output = io.StringIO()
    console = Console(
        file=output, width=get_terminal_size().columns, force_terminal=colour, no_color=not colour
    )
    console.print(table)
    return "\n".join(line.rstrip() for line in output.getvalue().rstrip("\n").split("\n"))


def _format_example(code: CodeSummary, colour: bool) -> str:
    """Return the first row with a diagnostic code: file, row number, and the text with the error marked."""
    first = code.examples[0]
    finding = Diagnostic(
        code.code, first.message, Severity(code.severity), code.stage, Span(first.start, first.end)
    )
    return f"{first.file}, row {first.row:,}\n{render(first.text, (finding,), colour=colour)}"
