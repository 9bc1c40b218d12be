"""`forsyth check`: find all errors in texts, with their places.

Writes for each text: its canonical text if it is ok, and every finding with its place. With ``--json`` the
fields are ``line text game variant form ok canonical state_id key diagnostics``.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, format_findings, write_json
from forsyth.diagnostics import Reading


@click.command(
    epilog=format_examples(
        "forsyth check 'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth check --json --file positions.txt > findings.jsonl",
    )
)
@text_command()
def check(job: TextJob) -> int:
    """Check the syntax and the legality of texts.

    Every error and warning is printed with its place in the text. Put -- before a TEXT that begins with one
    or two dashes.
    """
    return job.answer_texts(lambda input_text: _print_check_result(job, input_text))


def _print_check_result(job: TextJob, input_text: InputText) -> bool:
    """Check a text and print the result. Return True if the text is a legal position.

    `job` has the options of the run. `input_text` is the text with its line number.
    """
    reading = job.reader.check(input_text.text).reading
    if job.as_json:
        write_json({"line": input_text.line, **reading.to_dict()})
    else:
        echo(_format_reading(job, input_text, reading))
    return reading.ok


def _format_reading(job: TextJob, input_text: InputText, reading: Reading[Any]) -> str:
    """Format the result of checking a text.

    For a legal position, the first line is ``ok`` and its canonical text, and warnings follow. For any other
    text, the lines are its errors and warnings.
    """
    errors_and_warnings = format_findings(reading)
    if not reading.ok:
        return job.format_line_heading(input_text) + errors_and_warnings
    ok_line = f"{job.format_line_label(input_text)}ok  {reading.position}"
    return f"{ok_line}\n{errors_and_warnings}" if errors_and_warnings else ok_line
