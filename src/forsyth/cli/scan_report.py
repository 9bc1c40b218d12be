"""The report of a scan for a terminal: a table of codes, then one example of each.

The texts of the files are not trusted: `forsyth.diagnostics.render` removes their control characters.
"""

from __future__ import annotations

import io
from shutil import get_terminal_size

from forsyth.bulk.jobs.report import CodeSummary, Report, format_percentage
from forsyth.cli.bulk_options import format_summary
from forsyth.cli.output import format_path, uses_colour
from forsyth.diagnostics import Diagnostic, Severity, Span, render_findings


def format_report(report: Report, *, err: bool = False) -> str:
    """Format the report of a scan: a summary, a table of diagnostic codes, and an example of each code.

    The report has colours if standard output, or standard error if `err` is true, shows colours.
    """
    use_colour = uses_colour(err=err)
    table = _format_table(report, use_colour)
    examples = [_format_example(summary, use_colour) for summary in report.codes if summary.examples]
    paragraphs = (format_summary(report), table, *examples)
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _format_table(report: Report, use_colour: bool) -> str:
    """Format a table of the diagnostic codes in a report, as wide as the terminal.

    Each row has a code such as ``board.digit``, its severity, its number of rows, their share of all rows,
    and its meaning. Return an empty text if the report has no code.
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
    for summary in report.codes:
        style = "red" if summary.severity == Severity.ERROR else "yellow"
        table.add_row(
            Text(summary.code, style=style),
            summary.severity,
            f"{summary.rows:,}",
            format_percentage(summary.rows, report.rows),
            Text(summary.meaning),
        )

    output = io.StringIO()
    console = Console(
        file=output, width=get_terminal_size().columns, force_terminal=use_colour, no_color=not use_colour
    )
    console.print(table)
    lines = output.getvalue().rstrip("\n").split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _format_example(summary: CodeSummary, use_colour: bool) -> str:
    """Format the first row with a diagnostic code: file, row number, and the text with the error marked.

    `summary` has the diagnostic code and some of the rows in which it was found.
    """
    example = summary.examples[0]
    finding = Diagnostic(
        code=summary.code,
        message=example.message,
        severity=Severity(summary.severity),
        stage=summary.stage,
        span=Span(example.start, example.end),
    )
    place = f"{format_path(example.file)}, row {example.row:,}"
    return f"{place}\n{render_findings(example.text, (finding,), colour=use_colour)}"
