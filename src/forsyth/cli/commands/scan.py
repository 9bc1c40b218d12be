"""`forsyth scan`: check the texts of whole files and count the findings.

Writes a report: the number of rows that are ok, the number of rows by the code of their first finding, and an
example of each code. ``--report`` also writes the report to a file, as a page with charts or as JSON.
``--output`` writes the rows with the columns ok, code, severity, start, end, square and findings.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.bulk_options import (
    STANDARD_OUTPUT,
    BulkJob,
    bulk_command,
    get_exit_status,
    prefix_option,
    translate_bulk_errors,
)
from forsyth.cli.output import echo, write_json


@click.command(
    epilog=format_examples(
        "forsyth scan positions.txt",
        "forsyth scan --report findings.html 'data/*.parquet' -o scanned.parquet",
    )
)
@click.option(
    "--report",
    "page",
    metavar="FILE",
    help="Also write the report to FILE: a page with charts (.html) or JSON (.json).",
)
@prefix_option
@bulk_command
def scan(job: BulkJob, page: str | None, prefix: str) -> int:
    """Check the texts of files and count the findings by code.

    The report has an example of each code. A row counts under its first error, or under its first warning if
    it has no error.
    """
    report_path = page
    with translate_bulk_errors():
        from forsyth.bulk.jobs.report import check_report_path, write_report

        # A wrong file name is reported before the files are read.
        if report_path is not None:
            check_report_path(report_path)
        report = job.run_verb("scan", prefix)
        if report_path is not None:
            write_report(report, report_path)

    # If the rows go to standard output, the report goes to standard error.
    to_stderr = job.target == STANDARD_OUTPUT
    if job.as_json:
        write_json(report.to_dict(), err=to_stderr)
    elif not job.quiet:
        from forsyth.cli.scan_report import format_report

        echo(format_report(report, err=to_stderr), err=to_stderr, styled=True)
    return get_exit_status(report)
