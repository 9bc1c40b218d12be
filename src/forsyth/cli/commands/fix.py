"""`forsyth fix`: repair texts and report every repair.

Writes for each text the canonical text of the repaired position to standard output, so that it can be piped.
Each repair, or the reason why a text is not repaired, goes to standard error. With ``--json`` the fields are
``line text game variant ok fixed diagnostics``; ``fixed`` is null if the text could not be repaired.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, make_text_fields, print_findings, write_json
from forsyth.diagnostics import Confidence


@click.command(
    epilog=format_examples(
        "forsyth fix 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –'",
        "forsyth fix --try likely '\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"'",
        "forsyth fix --file scraped.txt > clean.txt",
    )
)
@click.option(
    "--try",
    "least",
    type=click.Choice([level.value for level in Confidence]),
    help="Also try proposed fixes of at least this confidence if errors remain.",
)
@text_command(takes_mode=False)
def fix(job: TextJob, least: str | None) -> int:
    """Repair texts and report every repair.

    The repaired text goes to standard output, the repairs go to standard error. A text is not repaired if the
    right repair is uncertain; the reason is printed.
    """
    min_confidence = None if least is None else Confidence(least)
    return job.answer_texts(lambda input_text: _print_repair(job, input_text, min_confidence))


def _print_repair(job: TextJob, input_text: InputText, min_confidence: Confidence | None) -> bool:
    """Repair a text, and print it and its repairs. Return True if it is a legal position now.

    If errors remain, fixes that are proposed with at least the confidence `min_confidence` are tried. None
    tries no proposed fix.
    """
    reading = job.reader.repair(input_text.text, min_confidence).reading
    fixed = None if reading.position is None else str(reading.position)
    if job.as_json:
        write_json(
            {
                **make_text_fields(input_text, reading),
                "ok": reading.ok,
                "fixed": fixed,
                "diagnostics": [diagnostic.to_dict() for diagnostic in reading.diagnostics],
            }
        )
        return reading.ok
    print_findings(reading, job.format_line_heading(input_text))
    if fixed is not None:
        echo(fixed)
    return reading.ok
