"""The further calls of spec/azul 10.4, in its words, for every game; the game that is meant is Azul.

`standard` and `extended` texts are those of a game that has such styles; of another both are canonical text
and null. What only some games have, such as placements and scores, is empty for the others.
"""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from forsyth.diagnostics import MoveError
from forsyth.game import Game, Rounds, RoundScore
from forsyth.server.answer_models import Created, Executed, FenConvertAnswer, LegalMovesAnswer
from forsyth.server.answers import answer
from forsyth.server.calls.game_state import keep_position, state_data
from forsyth.server.calls.games import for_players, new_position
from forsyth.server.calls.positions import written_as
from forsyth.server.problems import bad_move
from forsyth.server.request_models import (
    CreateRequest,
    ExecuteRequest,
    FenConvertRequest,
    FenRequest,
    MoveParts,
)
from forsyth.server.routing import Kept, Stored, computing_router
from forsyth.server.texts import legal_position_of, named
from forsyth.server.views import found, written_moves

routes = computing_router("the further calls of the specification")

MOST_STEPS: Final = 8
"""Most that happens automatically after a move: the end of a round, the next deal, the end of the game."""

_FORMS: Final = {"hash": "state", "compressed": "fenz"}
_PLACES: Final = {"center": "c", "centre": "c", "floor": "f"}


@routes.post("/fen/convert", response_model=FenConvertAnswer)
def convert_fen(given: FenConvertRequest, store: Stored, keep: Kept) -> Response:
    """Write a text in another form; refused where it is not valid or cannot be written so."""
    one = legal_position_of(given.fen_string, given.choice, store, plays=False)
    to = _FORMS.get(given.to, given.to)
    return answer({"success": True, "result": written_as(one.game, one.position, to, keep)})


@routes.post("/legal_moves", response_model=LegalMovesAnswer)
def list_legal_moves(given: FenRequest, store: Stored) -> Response:
    """The legal moves of a position as texts."""
    game, position, _ = legal_position_of(given.fen_string, given.choice, store)
    moves = written_moves(game, position)
    player = game.move_number(position)[1]
    return answer({"success": True, "current_player": player, "count": len(moves), "moves": moves})


@routes.post("/create_game", response_model=Created)
def create_game(given: CreateRequest, keep: Kept) -> Response:
    """A new game; a seed gives the same one again. The position is kept."""
    game = for_players(named(given.game), given.player_count)
    one = found(game, new_position(game, given.seed, given.start))
    return answer(
        {
            "success": True,
            "game": game.name,
            "fen_string": _standard(game, one.position),
            "fen_v2": _in_style(game, one.position, "extended"),
            "state_id": keep_position(one, keep),
            "game_state": state_data(one),
        }
    )


@routes.post("/execute_move", response_model=Executed)
def execute_move(given: ExecuteRequest, store: Stored, keep: Kept) -> Response:
    """Play a move; with `auto` also what follows automatically, a deal as `draw` says or by chance."""
    game, position, _ = legal_position_of(given.fen_string, given.choice, store)
    try:
        move = game.read_move(position, _move_text(given.move))
        after = game.play(position, move)
        over = not game.moves(after)
        scores = _round_end(game, after)
        if given.auto:
            after = _go_on(game, after, given.draw)
    except MoveError as error:
        raise bad_move(error) from None
    one = found(game, after)
    keep_position(one, keep)
    data = state_data(one)
    outcome = game.outcome(after)
    return answer(
        {
            "success": True,
            "new_fen": _standard(game, after),
            "new_fen_v2": _in_style(game, after, "extended"),
            "new_game_state": data,
            "move_executed": game.write_move(position, move),
            "placements": [
                {"player": player, **placement}
                for player, score in enumerate(scores)
                for placement in score.placements
            ],
            "penalties": [score.penalty for score in scores],
            "scores": [player["score"] for player in data.get("players", [])],
            "round_over": over,
            "game_over": outcome is not None,
            "winners": [] if outcome is None else _winners(outcome.result),
        }
    )


def _move_text(move: str | MoveParts) -> str:
    if isinstance(move, str):
        return move.strip()
    source, line = (_PLACES.get(str(part), str(part)) for part in (move.source, move.line))
    return f"{source}{move.color}{line}"


def _round_end(game: Game, position: Any) -> tuple[RoundScore, ...]:
    """What the end of the round brings each player, where a round ends here and the game can say."""
    return game.end_round(position) if isinstance(game, Rounds) and not game.moves(position) else ()


def _go_on(game: Game, position: Any, draw: list[str] | None) -> Any:
    """The position after everything that happens automatically."""
    for _ in range(MOST_STEPS):
        actions = game.actions(position)
        # To take everything back is for a player to decide.
        if game.moves(position) or not actions or actions[0] == "cancel":
            break
        action = actions[0]
        if action == "deal" and draw is not None:
            action = "deal:" + "|".join(draw)
        position = game.play(position, game.read_move(position, action))
    return position


def _winners(result: str) -> list[int]:
    """Who has part in the victory, from one number for each player."""
    return [player for player, share in enumerate(result.split("-")) if share != "0"]


def _standard(game: Game, position: Any) -> str:
    return _in_style(game, position, "standard") or game.write(position)


def _in_style(game: Game, position: Any, style: str) -> str | None:
    if style not in game.styles:
        return None
    try:
        return game.write(position, style)
    except ValueError:
        return None
