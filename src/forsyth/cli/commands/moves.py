"""`forsyth moves`: list the legal moves of a position, or explain why a move is not legal.

Writes for each text the moves in canonical notation, in columns. With ``--json`` the fields are ``line text
game ok moves``; each move is ``{move, lan, from, to, flags, captured, after}``. A position that is not ok has
no moves. With ``--why MOVE`` the command writes the reason why the move is not legal. The JSON fields are
then ``line text game ok move legal why``, and `why` is ``{code, message, squares}`` or null.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.abilities import Explaining
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import Item
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, format_columns, print_findings, write_json
from forsyth.diagnostics import MoveError, printable
from forsyth.game import Game
from forsyth.move_errors import Hindrance, hindrance_of_error


@click.command(
    epilog=format_examples(
        "forsyth moves 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
        "forsyth moves --json --file positions.txt",
        "forsyth moves --why e2e5 start",
    )
)
@click.option("--why", metavar="MOVE", help="Explain why MOVE is not legal, and list no moves.")
@text_command(uses_rules=True)
def moves(job: Job, why: str | None) -> int:
    """List the legal moves of a position."""
    if why is None:
        return job.answer_texts(lambda item: _list_moves(job, item))
    return job.answer_texts(lambda item: _explain_move(job, item, why))


def _explain_move(job: Job, item: Item, move: str) -> bool:
    """Print whether a move is legal in the position of a text, or why not, and return whether it is legal.

    If the text is not a legal position, its errors are printed, and no move counts as legal.
    """
    reading, game = job.reader.check(item.text)
    is_playable = game is not None and reading.position is not None and reading.ok
    hindrance = _find_hindrance(game, reading.position, move) if game is not None and is_playable else None
    is_legal = bool(is_playable and hindrance is None)
    # The JSON has no field for the findings that make a text unplayable.
    if not is_playable or not job.as_json:
        print_findings(reading, job.line_heading(item))
    if job.as_json:
        reason = None if hindrance is None else hindrance.to_dict()
        fields = {"line": item.line, "text": item.text, "game": reading.game, "ok": reading.ok}
        write_json({**fields, "move": move, "legal": is_legal, "why": reason})
        return is_legal
    if is_playable:
        statement = "is legal" if hindrance is None else f"is not legal: {printable(hindrance.message)}"
        echo(f"{job.line_heading(item)}{printable(move)} {statement}")
    return is_legal


def _find_hindrance(game: Game, position: Any, move: str) -> Hindrance | None:
    """Return the reason why a move, such as ``e2e5``, is not legal in a position, or None if it is legal."""
    if isinstance(game, Explaining):
        return game.explain(position, move)
    try:
        game.read_move(position, move)
    except MoveError as error:
        return hindrance_of_error(error)
    return None


def _list_moves(job: Job, item: Item) -> bool:
    """Print the legal moves of the position of a text, and return whether it is a legal position."""
    reading, game = job.reader.check(item.text)
    is_playable = game is not None and reading.position is not None and reading.ok
    if not is_playable or not job.as_json:
        print_findings(reading, job.line_heading(item))
    if job.as_json:
        legal_moves = _describe_moves(game, reading.position) if game is not None and is_playable else []
        fields = {"line": item.line, "text": item.text, "game": reading.game, "ok": reading.ok}
        write_json({**fields, "moves": legal_moves})
        return reading.ok
    if game is not None and is_playable:
        echo(job.line_heading(item) + _format_moves(game, reading.position))
    return reading.ok


def _describe_moves(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return the description of each legal move as JSON-ready data."""
    return [game.describe_move(position, move).to_dict() for move in game.moves(position)]


def _format_moves(game: Game, position: Any) -> str:
    """Return the legal moves in columns, or a sentence that explains why there are none."""
    legal_moves = game.moves(position)
    if legal_moves:
        return format_columns(game.write_move(position, move) for move in legal_moves)
    outcome = game.outcome(position)
    if outcome is None:
        actions = ", ".join(game.actions(position))
        return f"no legal moves; possible actions: {actions}" if actions else "no legal moves"
    return f"no legal moves: {outcome.result} ({outcome.reason})"
