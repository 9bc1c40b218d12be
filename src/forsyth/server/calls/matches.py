"""Matches. The service keeps none: the client holds its moves and sends them all.

Undo is one move fewer; a step back is `at`. So any process can answer, and nothing is lost when one ends.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from forsyth.abilities import explain
from forsyth.diagnostics import MoveError
from forsyth.match import Match, Ply
from forsyth.resolver import Choice
from forsyth.server.answers import answer
from forsyth.server.bounds.work import require_wanted
from forsyth.server.problems import bad_move
from forsyth.server.request_models import MatchRequest
from forsyth.server.routing import Stored, computing_router
from forsyth.server.texts import legal_position_of, require_game
from forsyth.server.view_models import MatchView
from forsyth.server.views import look_of, match_view
from forsyth.store import Store

routes = computing_router("matches and records")


@routes.post("/match", response_model=MatchView)
def show_match(given: MatchRequest, store: Stored) -> Response:
    """The match that these moves are: its position, its past, its result, its record."""
    match = played(given.choice, given.start, given.moves, store)
    if given.move is not None:
        _play(match, match.play, given.move, len(given.moves))
    return answer(match_view(match, look_of(given), given.at))


def played(choice: Choice, start: str | None, moves: list[str], store: Store) -> Match:
    """A match after these moves; refused at the first that is not legal, with its number.

    They may come from a record, which may hold null moves; the next move may be none.
    """
    if start is None:
        # "auto" has no start: a match from the start is one of the usual variant.
        match = Match(require_game(choice, plays=False))
    else:
        one = legal_position_of(start, choice, store)
        match = Match(one.game, one.position)
    play_all(match, moves)
    return match


def play_all(match: Match, moves: list[str]) -> None:
    """Play moves of a record; refused at the first that is not legal, with its number."""
    for index, move in enumerate(moves):
        require_wanted()
        _play(match, match.play_recorded, move, index)


def _play(match: Match, play: Callable[[str], Ply], move: str, index: int) -> None:
    try:
        play(move.strip())
    except MoveError as error:
        why = explain(match.game, match.position, move.strip())
        raise bad_move(error, why, index=index) from None
