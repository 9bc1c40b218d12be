"""`forsyth convert`: write a text in another form or style.

Accepts as ``--to``: ``canonical``, a form (plain, state, base64, fenz, url), or a style of the game.
Writes, per text: the result on standard output, findings on standard error. With ``--json`` the fields
``line text game ok result diagnostics``; ``result`` is null when the text could not be read or written so.
A conversion to ``state`` puts the canonical text into the store, or the identifier would lead nowhere.
"""

from __future__ import annotations

import click

from forsyth import registry
from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, explain, write_json
from forsyth.conversion import CANONICAL, WRITABLE_FORMS, converted, targets
from forsyth.game import Game
from forsyth.resolver import Read


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
    help=f"{CANONICAL}, {', '.join(WRITABLE_FORMS)}, or a style of the game.",
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
        return converted(read.game, position, target, job.reader.store), ""
    except ValueError as error:
        return None, str(error)


def _require_somewhere(game: Game | None, target: str) -> None:
    """Refuse at once a form that no game in question can write."""
    games = [registry.game(name) for name in registry.games()] if game is None else [game]
    known = targets(games)
    if target not in known:
        raise click.UsageError(f"--to: there is no form {target!r}; choose one of {', '.join(known)}")
