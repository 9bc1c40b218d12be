"""`forsyth check`: find all errors in texts, with their places.

Writes for each text: its canonical text if it is ok, and every finding with its place. With ``--json`` the
fields are ``line text game form ok canonical state_id key diagnostics``.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, format_findings, write_json
from forsyth.diagnostics import Reading


@click.command(
    epilog=format_examples(
        "forsyth check 'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth check --json --file positions.txt > findings.jsonl",
    )
)
@text_command()
def check(job: Job) -> int:
    """Check the syntax and the legality of texts.

    Every error and warning is printed with its place in the text. Put -- before a TEXT that begins with one
    or two dashes.
    """
    return job.answer_texts(lambda item: _check_text(job, item))


def _check_text(job: Job, item: Item) -> bool:
    """Print the result of checking a text, and return whether it is a legal position.

    `job` has the options of the run, and `item` the text with its line number.
    """
    reading = job.reader.check(item.text).reading
    if job.as_json:
        write_json({"line": item.line, **reading.to_dict()})
    else:
        echo(_format_reading(job, item, reading))
    return reading.ok


def _format_reading(job: Job, item: Item, reading: Reading[Any]) -> str:
    """Return the result of checking a text: ``ok`` and its canonical text, then its errors and warnings.

    The first line is left out if the text has an error.
    """
    if not reading.ok:
        return job.line_heading(item) + format_findings(reading)
    ok_line = f"{job.line_label(item)}ok  {reading.position}"
    return "\n".join(filter(None, (ok_line, format_findings(reading))))
