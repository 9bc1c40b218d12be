"""`forsyth moves`: the legal moves of a position.

Writes, per text: the moves in canonical notation, in columns. With ``--json`` the fields ``line text game ok
moves``, a move being ``{move, lan, from, to, flags, captured, after}``. A position that is not ok has none.
With ``--why MOVE`` it says instead why that move is not legal; the fields are ``line text game ok move legal
why``, `why` being ``{code, message, squares}`` or null.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.abilities import Explaining
from forsyth.cli.arguments import example
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import columns, echo, explain, write_json
from forsyth.diagnostics import MoveError, printable
from forsyth.game import Game
from forsyth.hindrances import Hindrance, of_error


@click.command(
    epilog=example(
        "forsyth moves 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
        "forsyth moves --json --file positions.txt",
        "forsyth moves --why e2e5 start",
    )
)
@click.option("--why", metavar="MOVE", help="Say why this move is not legal, in place of the list.")
@text_command(plays=True)
def moves(job: Job, why: str | None) -> int:
    """List the legal moves of a position."""
    return job.each(lambda item: _answer(job, item) if why is None else _explain(job, item, why))


def _explain(job: Job, item: Item, move: str) -> bool:
    """Say why a move is not legal; an answer is ok where it is."""
    reading, game = job.reader.check(item.text)
    playable = game is not None and reading.position is not None and reading.ok
    found = _why(game, reading.position, move) if game is not None and playable else None
    legal = bool(playable and found is None)
    # The fields of the JSON do not say why a text cannot be played.
    if not playable or not job.as_json:
        explain(reading, job.heading(item))
    if job.as_json:
        told = None if found is None else found.to_dict()
        fields = {"line": item.line, "text": item.text, "game": reading.game, "ok": reading.ok}
        write_json({**fields, "move": move, "legal": legal, "why": told})
        return legal
    if playable:
        said = "is legal" if found is None else f"is not legal: {printable(found.message)}"
        echo(f"{job.heading(item)}{printable(move)} {said}")
    return legal


def _why(game: Game, position: Any, move: str) -> Hindrance | None:
    """Why a move is not legal; None where it is."""
    if isinstance(game, Explaining):
        return game.explain(position, move)
    try:
        game.read_move(position, move)
    except MoveError as error:
        return of_error(error)
    return None


def _answer(job: Job, item: Item) -> bool:
    reading, game = job.reader.check(item.text)
    playable = game is not None and reading.position is not None and reading.ok
    if not playable or not job.as_json:
        explain(reading, job.heading(item))
    if job.as_json:
        facts = _facts(game, reading.position) if game is not None and playable else []
        write_json(
            {"line": item.line, "text": item.text, "game": reading.game, "ok": reading.ok, "moves": facts}
        )
        return reading.ok
    if game is not None and playable:
        echo(job.heading(item) + _words(game, reading.position))
    return reading.ok


def _facts(game: Game, position: Any) -> list[dict[str, Any]]:
    return [game.describe_move(position, move).to_dict() for move in game.moves(position)]


def _words(game: Game, position: Any) -> str:
    legal = game.moves(position)
    if legal:
        return columns(game.write_move(position, move) for move in legal)
    outcome = game.outcome(position)
    if outcome is None:
        actions = ", ".join(game.actions(position))
        return f"no legal moves; next may be: {actions}" if actions else "no legal moves"
    return f"no legal moves: {outcome.result} ({outcome.reason})"
