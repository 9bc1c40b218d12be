"""`forsyth moves`: the legal moves of a position.

Writes, per text: the moves in canonical notation, in columns. With ``--json`` the fields ``line text game ok
moves``, a move being ``{move, lan, from, to, flags, captured, after}``. A position that is not ok has none.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, example, text_command
from forsyth.cli.output import columns, echo, explain, write_json
from forsyth.game import Game


@click.command(
    epilog=example(
        "forsyth moves 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
        "forsyth moves --json --file positions.txt",
    )
)
@text_command(plays=True)
def moves(job: Job) -> int:
    """List the legal moves of a position."""
    return job.each(lambda item: _answer(job, item))


def _answer(job: Job, item: Item) -> bool:
    reading, game = job.reader.check(item.text)
    playable = game is not None and reading.position is not None and reading.ok
    if job.as_json:
        facts = _facts(game, reading.position) if game is not None and playable else []
        write_json(
            {"line": item.line, "text": item.text, "game": reading.game, "ok": reading.ok, "moves": facts}
        )
        return reading.ok
    explain(reading, job.heading(item))
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
