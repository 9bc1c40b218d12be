"""`forsyth moves`: list the legal moves of a position, or explain why a move is not legal.

Writes for each text the moves in canonical notation, in columns. With ``--json`` the fields are ``line text
game variant ok moves``; each move is ``{move, lan, from, to, flags, captured, after}``. A position that is
not ok has no moves. With ``--why MOVE`` the command writes the reason why the move is not legal. The JSON
fields are then ``line text game variant ok move legal why``, and `why` is ``{code, message, squares}`` or
null.
"""

from __future__ import annotations

from typing import Any

import click

from forsyth.abilities import Explaining
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import InputText
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, format_columns, make_text_fields, print_findings, write_json
from forsyth.cli.reader import get_playable_position
from forsyth.diagnostics import MoveError, make_printable
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
@text_command()
def moves(job: TextJob, why: str | None) -> int:
    """List the legal moves of a position."""
    if why is None:
        return job.answer_texts(lambda input_text: _print_legal_moves(job, input_text))
    return job.answer_texts(lambda input_text: _print_move_legality(job, input_text, why))


def _print_move_legality(job: TextJob, input_text: InputText, move: str) -> bool:
    """Print that a move, such as ``e2e5``, is legal, or the reason why it is not. Return True if it is legal.

    The move is checked in the position of `input_text`. If the text is not a legal position, its errors are
    printed, and no move counts as legal. `job` has the options of the run.
    """
    resolved = job.reader.check(input_text.text)
    reading = resolved.reading
    playable = get_playable_position(resolved)
    hindrance = None if playable is None else _find_hindrance(playable.game, playable.position, move)
    is_legal = playable is not None and hindrance is None

    # The JSON has no field for the findings about a text that is not legal.
    if playable is None or not job.as_json:
        print_findings(reading, job.format_line_heading(input_text))
    if job.as_json:
        reason = None if hindrance is None else hindrance.to_dict()
        fields = {**make_text_fields(input_text, reading), "ok": reading.ok}
        write_json({**fields, "move": move, "legal": is_legal, "why": reason})
    elif playable is not None:
        statement = "is legal" if hindrance is None else f"is not legal: {make_printable(hindrance.message)}"
        echo(f"{job.format_line_heading(input_text)}{make_printable(move)} {statement}")
    return is_legal


def _find_hindrance(game: Game, position: Any, move: str) -> Hindrance | None:
    """Return the reason why a move is not legal in a position, or None if it is legal.

    `move` is the text of the move, such as ``e2e5``.
    """
    if isinstance(game, Explaining):
        return game.explain(position, move)
    try:
        game.read_move(position, move)
    except MoveError as error:
        return hindrance_of_error(error)
    return None


def _print_legal_moves(job: TextJob, input_text: InputText) -> bool:
    """Print the legal moves in the position of a text. Return True if the text is a legal position.

    If it is not, its errors are printed. `job` has the options of the run.
    """
    resolved = job.reader.check(input_text.text)
    reading = resolved.reading
    playable = get_playable_position(resolved)

    # The JSON has no field for the findings about a text that is not legal.
    if playable is None or not job.as_json:
        print_findings(reading, job.format_line_heading(input_text))
    if job.as_json:
        legal_moves = [] if playable is None else _describe_moves(playable.game, playable.position)
        fields = {**make_text_fields(input_text, reading), "ok": reading.ok}
        write_json({**fields, "moves": legal_moves})
    elif playable is not None:
        echo(job.format_line_heading(input_text) + _format_moves(playable.game, playable.position))
    return reading.ok


def _describe_moves(game: Game, position: Any) -> list[dict[str, Any]]:
    """Return each legal move as a dictionary for JSON: its text, squares, flags and the position after it."""
    return [game.describe_move(position, move).to_dict() for move in game.moves(position)]


def _format_moves(game: Game, position: Any) -> str:
    """Format the legal moves in columns.

    If there is no legal move, return a line with the result of the game, or with the possible actions, such
    as a deal.
    """
    legal_moves = game.moves(position)
    if legal_moves:
        return format_columns(game.write_move(position, move) for move in legal_moves)
    outcome = game.outcome(position)
    if outcome is not None:
        return f"no legal moves: {outcome.result} ({outcome.reason})"
    actions = ", ".join(game.actions(position))
    return f"no legal moves; possible actions: {actions}" if actions else "no legal moves"
