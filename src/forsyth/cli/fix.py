"""`forsyth fix`: repair a text, and say what was repaired.

Writes, per text: the canonical text of the repaired position on standard output, so that it can be piped,
and each repair, or the reason of a refusal, on standard error. With ``--json`` the fields ``line text game
ok fixed diagnostics``; ``fixed`` is null when no position could be made out.
"""

from __future__ import annotations

import click

from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, example, text_command
from forsyth.cli.output import echo, explain, write_json
from forsyth.cli.reader import Reader


@click.command(
    epilog=example(
        "forsyth fix 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –'",
        "forsyth fix --file scraped.txt > clean.txt",
    )
)
@text_command(mode=False)
def fix(job: Job) -> int:
    """Repair a text; nothing is repaired in silence.

    The repaired text goes to standard output, the repairs to standard error. A text that cannot be repaired
    for sure is refused, with the reason.
    """
    reader = job.reader.with_mode("lenient")
    return job.each(lambda item: _answer(job, reader, item))


def _answer(job: Job, reader: Reader, item: Item) -> bool:
    reading = reader.check(item.text).reading
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
