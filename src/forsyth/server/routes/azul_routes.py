"""Further routes of spec/azul 10.4, with its field names, for every game. The default game is Azul.

`fen_string` is in the style `standard` and `fen_v2` in the style `extended` if the game has these styles.
Otherwise they are the canonical text and null. Fields that only some games have, such as placements and
scores, are empty for the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from starlette.responses import Response

from forsyth.diagnostics import MoveError
from forsyth.game import Game, Rounds, RoundScore
from forsyth.server.answer_models import Created, Executed, FenConvertAnswer, LegalMovesAnswer
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import make_move_problem
from forsyth.server.request_models import (
    CreateRequest,
    ExecuteRequest,
    FenConvertRequest,
    FenRequest,
    MoveParts,
)
from forsyth.server.routes.game_state import build_state_data, store_position
from forsyth.server.routes.games import make_first_position, select_player_count
from forsyth.server.routes.positions import convert_or_refuse
from forsyth.server.routing import OptionalStore, ReadableStore, make_computing_router
from forsyth.server.texts import find_game, require_legal_position
from forsyth.server.views import as_parsed_text, write_legal_moves

routes = make_computing_router("the further calls of the specification")

STANDARD_STYLE: Final = "standard"
EXTENDED_STYLE: Final = "extended"
"""Styles of the texts in the fields `fen_string` and `fen_v2`."""

MAX_AUTOMATIC_STEPS: Final = 8
"""Maximum number of automatic steps after a move: end of the round, next deal, end of the game."""

_FORM_NAMES: Final = {"hash": "state", "compressed": "fenz"}
"""Names of forms in this library, by their names in the specification."""

_PLACE_LETTERS: Final = {"center": "c", "centre": "c", "floor": "f"}
"""Letters of places in a move text, by the names that `MoveParts` accepts."""


@routes.post("/fen/convert", response_model=FenConvertAnswer)
def convert_fen(body: FenConvertRequest, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Write a valid text in another form. A text that is invalid or has no such form is an error."""
    parsed = require_legal_position(body.fen_string, body.choice, store)
    target_form = _FORM_NAMES.get(body.to, body.to)
    result = convert_or_refuse(parsed.game, parsed.position, target_form, saving_store)
    return make_json_response({"success": True, "result": result})


@routes.post("/legal_moves", response_model=LegalMovesAnswer)
def list_legal_moves(body: FenRequest, store: ReadableStore) -> Response:
    """List the legal moves of a position as texts."""
    game, position, _ = require_legal_position(body.fen_string, body.choice, store)
    move_texts = write_legal_moves(game, position)
    _, player = game.move_number(position)
    return make_json_response(
        {"success": True, "current_player": player, "count": len(move_texts), "moves": move_texts}
    )


@routes.post("/create_game", response_model=Created)
def create_game(body: CreateRequest, saving_store: OptionalStore) -> Response:
    """Start a new game, and store its position. The same `seed` gives the same position."""
    game = select_player_count(find_game(body.game), body.player_count)
    parsed = as_parsed_text(game, make_first_position(game, body.seed, body.start))
    return make_json_response(
        {
            "success": True,
            "game": game.name,
            "fen_string": _write_standard(game, parsed.position),
            "fen_v2": _write_in_style(game, parsed.position, EXTENDED_STYLE),
            "state_id": store_position(parsed, saving_store),
            "game_state": build_state_data(parsed),
        }
    )


@routes.post("/execute_move", response_model=Executed)
def execute_move(body: ExecuteRequest, store: ReadableStore, saving_store: OptionalStore) -> Response:
    """Play a move.

    With `auto`, the automatic steps that follow are played too, such as the next deal. The deal is taken from
    `draw`, or is random without it.
    """
    game, position, _ = require_legal_position(body.fen_string, body.choice, store)
    try:
        move = game.read_move(position, _format_move(body.move))
        after_move = game.play(position, move)
        is_round_over = not game.moves(after_move)
        round_scores = _score_round(game, after_move)
        new_position = _play_automatic_steps(game, after_move, body.draw) if body.auto else after_move
    except MoveError as error:
        raise make_move_problem(error) from None
    parsed = as_parsed_text(game, new_position)
    store_position(parsed, saving_store)
    state_data = build_state_data(parsed)
    outcome = game.outcome(new_position)
    return make_json_response(
        {
            "success": True,
            "new_fen": _write_standard(game, new_position),
            "new_fen_v2": _write_in_style(game, new_position, EXTENDED_STYLE),
            "new_game_state": state_data,
            "move_executed": game.write_move(position, move),
            "placements": _list_placements(round_scores),
            "penalties": [score.penalty for score in round_scores],
            "scores": [player["score"] for player in state_data.get("players", [])],
            "round_over": is_round_over,
            "game_over": outcome is not None,
            "winners": [] if outcome is None else _list_winners(outcome.result),
        }
    )


def _list_placements(scores: Sequence[RoundScore]) -> list[dict[str, Any]]:
    """Return the tiles that were placed at the end of a round, each with the index of its player.

    `scores` are the scores of the players, in their order.
    """
    return [
        {"player": player, **placement}
        for player, score in enumerate(scores)
        for placement in score.placements
    ]


def _format_move(move: str | MoveParts) -> str:
    """Return the move of a request as text, such as ``0B2``: blue tiles from factory 0 to line 2.

    `move` is the text itself, or the parts of the move: the source, the colour and the line.
    """
    if isinstance(move, str):
        return move.strip()
    source = _format_place(move.source)
    line = _format_place(move.line)
    return f"{source}{move.color}{line}"


def _format_place(place: int | str) -> str:
    """Return the source or the target of the tiles as it is written in a move.

    It is a number, such as ``2``, or a letter: ``c`` for ``center`` and ``f`` for ``floor``.
    """
    place_text = str(place)
    return _PLACE_LETTERS.get(place_text, place_text)


def _score_round(game: Game, position: Any) -> tuple[RoundScore, ...]:
    """Return the points that each player gets at the end of a round, in the order of the players.

    Return an empty tuple if the game has no rounds, or the round goes on because there are legal moves.
    """
    if not isinstance(game, Rounds) or game.moves(position):
        return ()
    return game.end_round(position)


def _play_automatic_steps(game: Game, position: Any, draw: list[str] | None) -> Any:
    """Return the position after all steps that need no decision, such as a deal.

    Args:
        game: The game.
        position: The position after a move.
        draw: Tiles of the next deal, one text for each factory. None deals at random.
    """
    for _ in range(MAX_AUTOMATIC_STEPS):
        actions = game.actions(position)
        if game.moves(position) or not actions:
            break
        action = actions[0]
        # The action `cancel` takes moves back, so only a player may choose it.
        if action == "cancel":
            break
        move_text = action
        if action == "deal" and draw is not None:
            move_text = "deal:" + "|".join(draw)
        position = game.play(position, game.read_move(position, move_text))
    return position


def _list_winners(result: str) -> list[int]:
    """Return the indices of the players who have won or drawn: ``[0]`` for the result ``1-0``.

    A result such as ``1/2-1/2`` contains the share of each player in the win. A player with a share of ``0``
    has lost.
    """
    shares = result.split("-")
    return [player for player, share in enumerate(shares) if share != "0"]


def _write_standard(game: Game, position: Any) -> str:
    """Return a position as text in the style ``standard``.

    If that is not possible, return its canonical text.
    """
    return _write_in_style(game, position, STANDARD_STYLE) or game.write(position)


def _write_in_style(game: Game, position: Any, style: str) -> str | None:
    """Return a position as text in a style of the game, such as ``extended``.

    Return None if the game does not have the style, or the style cannot express the position.
    """
    if style not in game.styles:
        return None
    try:
        return game.write(position, style)
    except ValueError:
        return None
