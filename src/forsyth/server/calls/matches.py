"""Matches and records. The service keeps no match: the client holds its moves and sends them all.

Undo is one move fewer; a step back is `at`. So any process can answer, and nothing is lost when one ends.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from forsyth.diagnostics import MoveError
from forsyth.match import Match, Ply
from forsyth.record import Record, read_record, write_record
from forsyth.resolver import Choice, chosen_game
from forsyth.server.answers import answer
from forsyth.server.bounds.work import require_wanted
from forsyth.server.models import (
    MatchRequest,
    MatchView,
    RecordAnswer,
    RecordRequest,
    RecordWriteRequest,
    RecordWritten,
)
from forsyth.server.problems import Problem, bad_move
from forsyth.server.routing import Stored, computing_router
from forsyth.server.texts import legal_position_of, require_game
from forsyth.server.views import Look, match_view
from forsyth.store import Store

routes = computing_router("matches and records")


@routes.post("/match", response_model=MatchView)
def show_match(given: MatchRequest, store: Stored) -> Response:
    """The match that these moves are: its position, its past, its result, its record."""
    match = _played(given.choice, given.start, given.moves, store)
    if given.move is not None:
        _play(match.play, given.move, len(given.moves))
    return answer(match_view(match, Look(given.theme, given.flip), given.at))


def _played(choice: Choice, start: str | None, moves: list[str], store: Store) -> Match:
    """A match after these moves; refused at the first that is not legal, with its number.

    They may come from a record, which may hold null moves; the next move may be none.
    """
    if start is None:
        # "auto" has no start: a match from the start is one of the usual variant.
        match = Match(require_game(choice, plays=False))
    else:
        one = legal_position_of(start, choice, store)
        match = Match(one.game, one.position)
    for index, move in enumerate(moves):
        require_wanted()
        _play(match.play_recorded, move, index)
    return match


def _play(play: Callable[[str], Ply], move: str, index: int) -> None:
    try:
        play(move.strip())
    except MoveError as error:
        raise bad_move(error, index=index) from None


@routes.post("/record/read", response_model=RecordAnswer)
def read_one_record(given: RecordRequest) -> Response:
    """Read the record of one game, with every finding; after a bad move, the record up to it."""
    game = chosen_game(Choice(given.game, profile=given.profile), plays=False)
    read = read_record(given.record, game)
    record = read.record
    return answer(
        {
            "ok": read.ok,
            "game": read.game,
            "variant": None if record is None else record.game.variant,
            "tags": {} if record is None else dict(record.tags),
            "start": None if record is None else str(record.start),
            "moves": [] if record is None else record.moves,
            "result": None if record is None else record.result,
            "diagnostics": [d.to_dict() for d in read.diagnostics],
        }
    )


@routes.post("/record/write", response_model=RecordWritten)
def write_one_record(given: RecordWriteRequest, store: Stored) -> Response:
    """Write a match as a record."""
    match = _played(given.choice, given.start, given.moves, store)
    try:
        record = Record.of(match, given.tags, result=given.result)
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None
    return answer({"record": write_record(record)})
