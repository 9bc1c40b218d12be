"""`forsyth convert`: write a text in another form or style.

Accepts as ``--to``: ``canonical``, a form (plain, state, base64, fenz, url), or a style of the game.
Writes, per text: the result on standard output, findings on standard error. With ``--json`` the fields
``line text game ok result diagnostics``; ``result`` is null when the text could not be read or written so.
A conversion to ``state`` puts the canonical text into the store, or the identifier would lead nowhere.
"""

from __future__ import annotations

from typing import Any, Final

import click

from forsyth import forms, registry
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, example, text_command
from forsyth.cli.output import echo, explain, write_json
from forsyth.cli.reader import Read
from forsyth.game import Game

CANONICAL: Final = "canonical"

FORMS: Final = tuple(form for form in forms.FORMS if form != "name")
"""A name is given to a position, not written from it."""


@click.command(
    epilog=example(
        "forsyth convert --to url 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'",
        "forsyth convert --to fenz --file positions.txt",
    )
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="FORM",
    help=f"{CANONICAL}, {', '.join(FORMS)}, or a style of the game.",
)
@text_command()
def convert(job: Job, target: str) -> int:
    """Write a text in another form or style."""
    _require_somewhere(job.reader.game, target)
    return job.each(lambda item: _answer(job, item, target))


def _answer(job: Job, item: Item, target: str) -> bool:
    read = job.reader.check(item.text)
    result, problem = _written(job, read, target)
    ok = read.reading.ok and result is not None
    if job.as_json:
        write_json(
            {
                "line": item.line,
                "text": item.text,
                "game": read.reading.game,
                "ok": ok,
                "result": result,
                "diagnostics": [d.to_dict() for d in read.reading.diagnostics],
            }
        )
    else:
        explain(read.reading, job.heading(item))
        if result is not None:
            echo(result)
    if problem:
        echo(f"{job.label(item)}{problem}", err=True)
    return ok


def _written(job: Job, read: Read, target: str) -> tuple[str | None, str]:
    """The result, or none and the sentence that says why; a text that was not read needs no sentence."""
    position = read.reading.position
    if read.game is None or position is None:
        return None, ""
    try:
        return _write(job, read.game, position, target), ""
    except ValueError as error:
        return None, str(error)


def _write(job: Job, game: Game, position: Any, target: str) -> str:
    if target in FORMS:
        return forms.wrap(str(position), target, store=job.reader.store, game=game.name)
    if target != CANONICAL and target not in game.styles:
        raise ValueError(f"{game.name} has no style {target!r}; choose one of {_listed([game])}")
    return game.write(position, target)


def _require_somewhere(game: Game | None, target: str) -> None:
    """Refuse at once a form that no game in question can write."""
    games = [registry.game(name) for name in registry.games()] if game is None else [game]
    if target in (CANONICAL, *FORMS) or any(target in one.styles for one in games):
        return
    raise click.UsageError(f"--to: there is no form {target!r}; choose one of {_listed(games)}")


def _listed(games: list[Game]) -> str:
    styles = dict.fromkeys(style for game in games for style in game.styles)
    return ", ".join(dict.fromkeys((CANONICAL, *FORMS, *styles)))
