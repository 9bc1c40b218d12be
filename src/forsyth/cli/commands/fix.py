"""`forsyth fix`: repair a text, and say what was repaired.

Writes, per text: the canonical text of the repaired position on standard output, so that it can be piped,
and each repair, or the reason of a refusal, on standard error. With ``--json`` the fields ``line text game
ok fixed diagnostics``; ``fixed`` is null when no position could be made out.
"""

from __future__ import annotations

import click

from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, explain, write_json
from forsyth.diagnostics import Confidence


@click.command(
    epilog=example(
        "forsyth fix 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –'",
        "forsyth fix --try likely '\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"'",
        "forsyth fix --file scraped.txt > clean.txt",
    )
)
@click.option(
    "--try",
    "least",
    type=click.Choice([level.value for level in Confidence]),
    help="Where that is not enough, also try the proposed fixes that are at least this sure.",
)
@text_command(mode=False)
def fix(job: Job, least: str | None) -> int:
    """Repair a text; nothing is repaired in silence.

    The repaired text goes to standard output, the repairs to standard error. A text that cannot be repaired
    for sure is refused, with the reason.
    """
    sure = None if least is None else Confidence(least)
    return job.each(lambda item: _answer(job, sure, item))


def _answer(job: Job, least: Confidence | None, item: Item) -> bool:
    reading = job.reader.repair(item.text, least).reading
    fixed = None if reading.position is None else str(reading.position)
    if job.as_json:
        write_json(
            {
                "line": item.line,
                "text": item.text,
                "game": reading.game,
                "ok": reading.ok,
                "fixed": fixed,
                "diagnostics": [d.to_dict() for d in reading.diagnostics],
            }
        )
        return reading.ok
    explain(reading, job.heading(item))
    if fixed is not None:
        echo(fixed)
    return reading.ok
