"""`forsyth scan`: what is wrong with the texts of whole files.

Writes a report: how many rows are ok, how many have which finding first, and an example of each. ``--report``
writes it to a file as well, as a page with charts or as JSON. With ``--output`` the rows go there, with the
columns ok, code, severity, start, end, square and findings."""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.bulk_options import STANDARD, BulkJob, bulk_command, explaining_errors, prefix_option, status
from forsyth.cli.output import echo, write_json


@click.command(
    epilog=example(
        "forsyth scan positions.txt",
        "forsyth scan --report findings.html 'data/*.parquet' -o scanned.parquet",
    )
)
@click.option(
    "--report",
    "page",
    metavar="FILE",
    help="Write the report to FILE too: a page with charts (.html) or JSON (.json).",
)
@prefix_option
@bulk_command
def scan(job: BulkJob, page: str | None, prefix: str) -> int:
    """Say what is wrong with the texts of files: counts by code, with examples.

    A row counts under its first error, or its first warning when it has none.
    """
    with explaining_errors():
        from forsyth.bulk.jobs.report import must_be_report, write_report

        if page is not None:
            must_be_report(page)
        report = job.verb("scan", prefix)
        if page is not None:
            write_report(report, page)
    err = job.target == STANDARD
    if job.as_json:
        write_json(report.to_dict(), err=err)
    elif not job.quiet:
        from forsyth.cli.scan_report import words

        echo(words(report, err=err), err=err)
    return status(report)
