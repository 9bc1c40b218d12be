"""`forsyth detect`: which game a text belongs to, and in which form it is.

Writes, per text: game, form, and the confidence from 0 to 1. With ``--json`` the fields ``line text game form
confidence``; ``game`` is null when it is not known, and the exit status is then 1.
"""

from __future__ import annotations

from collections.abc import Mapping

import click

from forsyth import forms, registry
from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, write_json


@click.command(
    epilog=example(
        "forsyth detect 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth detect --json --file mixed.txt",
    )
)
@text_command(game=False, mode=False)
def detect(job: Job) -> int:
    """Detect the game and the form of a text from its structure."""
    names = {name: text for game in registry.games() for name, text in registry.game(game).names.items()}
    return job.each(lambda item: _answer(job, item, names))


def _answer(job: Job, item: Item, names: Mapping[str, str]) -> bool:
    form = job.reader.form or forms.form_of(item.text, names)
    found = _game_of(forms.unwrap(item.text, form=form, names=names, store=job.reader.store))
    if job.as_json:
        write_json(
            {
                "line": item.line,
                "text": item.text,
                "game": found.game,
                "form": form,
                "confidence": found.confidence,
            }
        )
    else:
        echo(f"{job.label(item)}{found.game or 'unknown'}  {form}  {found.confidence:.2f}")
    return found.game is not None


def _game_of(unwrapped: forms.Unwrapped) -> registry.Detection:
    # Several games may give a position the same name, so a name alone does not identify the game.
    if unwrapped.plain is None or unwrapped.form == "name":
        return registry.Detection(None, 0.0)
    if unwrapped.game is not None:
        return registry.Detection(unwrapped.game, 1.0)
    return registry.detect(unwrapped.plain)
