"""Route that shows a match. The service stores no matches: a client sends all moves with each request.

To undo a move, the client sends one move fewer; to step back, it sends `at`. Therefore any process can
answer, and nothing is lost when a process ends.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from forsyth.abilities import find_hindrance
from forsyth.diagnostics import MoveError
from forsyth.match import Match, Ply
from forsyth.resolver import GameChoice, with_usual_variant
from forsyth.server.bounds.compute_slots import stop_if_abandoned
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import make_move_problem
from forsyth.server.request_models import MatchRequest
from forsyth.server.routing import ReadableStore, make_computing_router
from forsyth.server.texts import require_legal_position, resolve_named_game
from forsyth.server.view_models import MatchView
from forsyth.server.views import build_match_view, make_draw_options
from forsyth.store import Store

routes = make_computing_router("matches and records")


@routes.post("/match", response_model=MatchView)
def show_match(body: MatchRequest, store: ReadableStore) -> Response:
    """Play the moves of a match, and return its position, history, result and record."""
    match = replay_match(body.choice, body.start, body.moves, store)
    if body.move is not None:
        _play_move(match, _read_and_play, body.move, len(body.moves))
    return make_json_response(build_match_view(match, make_draw_options(body), body.at))


def replay_match(choice: GameChoice, start: str | None, moves: list[str], store: Store) -> Match:
    """Return a match in which all `moves` of a request have been played.

    The service stores no matches between requests.

    Args:
        choice: Names of the game, variant and profile.
        start: Text of the position before the first move, or None for the start position of the game.
        moves: The moves. They may come from a record, so null moves, which only pass the turn, are allowed.
        store: Store for looking up `start` if it is an identifier (``state_...``).

    Returns:
        The match.

    Raises:
        Problem: If `start` is not a legal position, or a move is illegal. It contains the index of the move.
    """
    if start is None:
        # The variant `auto` has no start position, so a match without a start text uses the usual variant.
        match = Match(with_usual_variant(resolve_named_game(choice)))
    else:
        parsed = require_legal_position(start, choice, store)
        match = Match(parsed.game, parsed.position)
    play_all(match, moves)
    return match


def play_all(match: Match, moves: list[str]) -> None:
    """Play the moves of a record in `match`, which is changed in place.

    Null moves, which only pass the turn, are allowed. Raise a `Problem` with the index of the first illegal
    move.
    """
    for index, move in enumerate(moves):
        stop_if_abandoned()
        _play_move(match, Match.play_recorded, move, index)


def _read_and_play(match: Match, move_text: str) -> Ply:
    """Play a move like `Match.play`, but leave the reason out of the message of a `MoveError`.

    The response contains the reason in a field of its own.
    """
    return match.play(match.game.read_move(match.position, move_text))


def _play_move(match: Match, play: Callable[[Match, str], Ply], move: str, index: int) -> None:
    """Play one move in a match. Raise a `Problem` if the move is illegal.

    The `Problem` contains the index of the move and the reason.

    Args:
        match: The match.
        play: The function that plays the move: `_read_and_play`, or `Match.play_recorded`, which allows null
            moves.
        move: The text of the move. White space around it is ignored.
        index: The index of the move in the request, for the error response.
    """
    move_text = move.strip()
    try:
        play(match, move_text)
    except MoveError as error:
        reason = find_hindrance(match.game, match.position, move_text)
        raise make_move_problem(error, reason, index=index) from None
