"""`forsyth check`: say everything that is wrong with a text, and where.

Writes, per text: its canonical text when it is ok, and every finding with its place. With ``--json`` the
fields ``line text game form ok canonical state_id key diagnostics``.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, findings, write_json
from forsyth.diagnostics import Reading


@click.command(
    epilog=example(
        "forsyth check 'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth check --json --file positions.txt > findings.jsonl",
    )
)
@text_command()
def check(job: Job) -> int:
    """Say what is wrong with a text, and where: all of it at once.

    Syntax and legality are both checked. Put -- before a TEXT that begins with one or two dashes.
    """
    return job.each(lambda item: _answer(job, item))


def _answer(job: Job, item: Item) -> bool:
    reading = job.reader.check(item.text).reading
    if job.as_json:
        write_json({"line": item.line, **reading.to_dict()})
    else:
        echo(_words(job, item, reading))
    return reading.ok


def _words(job: Job, item: Item, reading: Reading[Any]) -> str:
    if not reading.ok:
        return job.heading(item) + findings(reading)
    verdict = f"{job.label(item)}ok  {reading.position}"
    return "\n".join(filter(None, (verdict, findings(reading))))
