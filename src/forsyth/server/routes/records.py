"""Routes that read, list and write game records, with comments, glyphs and variations.

A text has at most `MAX_RECORD` characters. A list ends after `MAX_RECORDS` records, and its field `more` is
then true. The variations of a record to be written may be nested as deeply as in a record that is read.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, Final

from starlette.responses import Response

from forsyth.diagnostics import MoveError
from forsyth.game import Game, read_record_move
from forsyth.limits import MAX_RECORD, MAX_VARIATION_DEPTH
from forsyth.record import Line, Node, Record, RecordReading, read_record, read_records, write_record
from forsyth.record.numbering import MovePlace, locate_move
from forsyth.record.source_text import SourceText
from forsyth.record.write import WIDTH
from forsyth.resolver import GameChoice, resolve_game, with_usual_variant
from forsyth.server.answer_models import RecordAnswer, RecordListAnswer, RecordWritten
from forsyth.server.bounds.compute_slots import stop_if_abandoned
from forsyth.server.json_responses import make_json_response
from forsyth.server.problems import Problem, make_move_problem
from forsyth.server.request_models import NodeData, RecordRequest, RecordWriteRequest
from forsyth.server.routes.matches import replay_match
from forsyth.server.routing import BASE, ReadableStore, make_computing_router
from forsyth.server.views import build_move_place_view

routes = make_computing_router("matches and records")

PATHS: Final = tuple(f"{BASE}/record/{name}" for name in ("read", "list", "write"))
RECORD_BYTES: Final = 4 * MAX_RECORD
"""Extra bytes of a body for a move tree and the longest record that it was read from."""

MAX_RECORDS: Final = 1000
"""Maximum number of records in one list, because a page shows them all."""


@routes.post("/record/read", response_model=RecordAnswer)
def read_one_record(body: RecordRequest) -> Response:
    """Read the record of one game, and return its moves and all diagnostics.

    A record with an illegal move is returned up to that move.
    """
    reading = read_record(body.record, _resolve_record_game(body))
    return make_json_response(
        {
            "ok": reading.ok,
            "game": reading.game,
            **_build_record_fields(reading.record),
            "diagnostics": [diagnostic.to_dict() for diagnostic in reading.diagnostics],
        }
    )


def _build_record_fields(record: Record[Any, Any] | None) -> dict[str, Any]:
    """Return the tags, moves, comments and result of a record as JSON-ready data.

    All fields are empty or None if `record` is None, because the text could not be read.
    """
    if record is None:
        return {
            "variant": None,
            "tags": {},
            "start": None,
            "moves": [],
            "line": [],
            "comments": [],
            "result": None,
        }
    return {
        "variant": record.game.variant,
        "tags": dict(record.tags),
        "start": str(record.start),
        "moves": record.moves,
        "line": build_line_view(record.game, record.line, record.start),
        "comments": list(record.comments),
        "result": record.result,
    }


@routes.post("/record/list", response_model=RecordListAnswer)
def list_records(body: RecordRequest) -> Response:
    """List the records in a text, each with its own text, tags, result and number of moves."""
    readings = read_records(body.record, _resolve_record_game(body))
    entries = [_build_entry(reading) for reading in islice(readings, MAX_RECORDS)]
    return make_json_response({"records": entries, "more": next(readings, None) is not None})


def _resolve_record_game(body: RecordRequest) -> Game | None:
    """Return the game that a request names, or the game of the profile that it names.

    A profile is the name of another parser, which reads one game. Return None if the request names neither.
    The record must then name its game itself, in a tag.
    """
    game = resolve_game(GameChoice(body.game, profile=body.profile))
    return None if game is None else with_usual_variant(game)


def _build_entry(reading: RecordReading) -> dict[str, Any]:
    """Return a record that was read as JSON-ready data, without its moves.

    The fields are its text, game, tags, result and number of moves.
    """
    stop_if_abandoned()
    record = reading.record
    return {
        "text": reading.text,
        "game": reading.game,
        "ok": reading.ok,
        "tags": {} if record is None else dict(record.tags),
        "result": None if record is None else record.result,
        "plies": 0 if record is None else len(record.line),
    }


def build_line_view(
    game: Game, line: Line, start: Any, preceding: MovePlace | None = None
) -> list[dict[str, Any]]:
    """Return the moves of a line as JSON-ready data, each with its comments and variations.

    The fields are those of `NodeData`. Fields that most moves do not have are left out if empty.

    Args:
        game: The game.
        line: The moves.
        start: Position before the first move.
        preceding: Number and player of the move before the line, or None if the line begins the game.

    Returns:
        One dictionary for each move.
    """
    node_views = []
    position = start
    previous_place = preceding
    for node in line:
        stop_if_abandoned()
        move_place = locate_move(game, position, node.text, previous=previous_place)
        view: dict[str, Any] = {"move": node.text, **build_move_place_view(move_place)}
        if node.nags:
            # Numeric annotation glyphs, such as 1 for "!".
            view["nags"] = list(node.nags)
        if node.before:
            view["before"] = list(node.before)
        if node.after:
            view["after"] = list(node.after)
        if node.variations:
            # A variation replaces the move, so it begins in the same position.
            view["variations"] = [
                build_line_view(game, variation, position, previous_place) for variation in node.variations
            ]
        node_views.append(view)
        move = read_record_move(game, position, node.text)
        position = game.play(position, move)
        previous_place = move_place
    return node_views


@routes.post("/record/write", response_model=RecordWritten)
def write_one_record(body: RecordWriteRequest, store: ReadableStore) -> Response:
    """Write a match as a record.

    With `line`, its comments, glyphs and variations are written too. With `source`, the text that the record
    was read from, unchanged parts are copied from it.
    """
    moves = body.moves if body.line is None else [node.move for node in body.line]
    match = replay_match(body.choice, body.start, moves, store)
    try:
        record = Record.of(match, body.tags, result=body.result)
        if body.line is not None:
            record = replace(record, line=_make_line(body.line), comments=tuple(body.comments))
        return make_json_response({"record": _write_record_text(record, body)})
    except MoveError as error:
        raise make_move_problem(error) from None
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None


def _write_record_text(record: Record[Any, Any], body: RecordWriteRequest) -> str:
    """Return a record as text, in the notation of the request.

    If the request contains the text that the record was read from (`body.source`), unchanged parts are copied
    from it, so that their layout stays the same. This is done for the canonical notation only.
    """
    if body.source is not None and body.notation == "canonical":
        source_reading = read_record(body.source, record.game)
        if source_reading.ok and source_reading.record is not None:
            return SourceText(body.source, source_reading.record).write_edited(record, WIDTH)
    return write_record(record, notation=body.notation)


def _make_line(nodes: list[NodeData], depth: int = 0) -> Line:
    """Convert the moves of a request, with their comments and variations, to a line of a record.

    Raise `ValueError` if variations are nested more than `MAX_VARIATION_DEPTH` levels deep. `depth` is the
    number of levels around these moves: 0 for the main line.
    """
    stop_if_abandoned()
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(
            f"the variations are nested {depth} levels deep, expected at most {MAX_VARIATION_DEPTH}"
        )
    line = []
    for node in nodes:
        non_empty_variations = [variation for variation in node.variations if variation]
        line.append(
            Node(
                node.move,
                nags=tuple(node.nags),
                before=tuple(node.before),
                after=tuple(node.after),
                variations=tuple(_make_line(variation, depth + 1) for variation in non_empty_variations),
            )
        )
    return tuple(line)
