"""Records of games as text: read whole, with comments, glyphs and variations, listed, and written again.

Accepted: texts of MAX_RECORD characters. A list ends after `MOST_RECORDS` records and says so. A tree that is
to be written is as deep as one that is read.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, Final

from starlette.responses import Response

from forsyth.diagnostics import MoveError
from forsyth.game import Game, read_recorded
from forsyth.limits import MAX_RECORD, MAX_VARIATION_DEPTH
from forsyth.record import Line, Node, Record, RecordReading, read_record, read_records, write_record
from forsyth.record.numbering import MovePlace, place_of
from forsyth.record.source_text import SourceText
from forsyth.record.write import WIDTH
from forsyth.resolver import Choice, chosen_game
from forsyth.server.answer_models import RecordAnswer, RecordListAnswer, RecordWritten
from forsyth.server.answers import answer
from forsyth.server.bounds.work import require_wanted
from forsyth.server.calls.matches import played
from forsyth.server.problems import Problem, bad_move
from forsyth.server.request_models import NodeData, RecordRequest, RecordWriteRequest
from forsyth.server.routing import BASE, Stored, computing_router
from forsyth.server.views import place_view

routes = computing_router("matches and records")

PATHS: Final = tuple(f"{BASE}/record/{call}" for call in ("read", "list", "write"))
RECORD_BYTES: Final = 4 * MAX_RECORD
"""Bytes of a tree and of the longest record it was read from, beside those of other bodies."""

MOST_RECORDS: Final = 1000
"""Most records of one list: a page shows them all."""


@routes.post("/record/read", response_model=RecordAnswer)
def read_one_record(given: RecordRequest) -> Response:
    """Read the record of one game, with every finding; after a bad move, the record up to it."""
    read = read_record(given.record, _game(given))
    record = read.record
    return answer(
        {
            "ok": read.ok,
            "game": read.game,
            "variant": None if record is None else record.game.variant,
            "tags": {} if record is None else dict(record.tags),
            "start": None if record is None else str(record.start),
            "moves": [] if record is None else record.moves,
            "line": [] if record is None else line_view(record.game, record.line, record.start),
            "comments": [] if record is None else list(record.comments),
            "result": None if record is None else record.result,
            "diagnostics": [d.to_dict() for d in read.diagnostics],
        }
    )


@routes.post("/record/list", response_model=RecordListAnswer)
def list_records(given: RecordRequest) -> Response:
    """The records of a text of many, each with its own text and what a list shows of it."""
    source = read_records(given.record, _game(given))
    found = [_entry(read) for read in islice(source, MOST_RECORDS)]
    return answer({"records": found, "more": next(source, None) is not None})


def _game(given: RecordRequest) -> Game | None:
    return chosen_game(Choice(given.game, profile=given.profile), plays=False)


def _entry(read: RecordReading) -> dict[str, Any]:
    require_wanted()
    record = read.record
    return {
        "text": read.text,
        "game": read.game,
        "ok": read.ok,
        "tags": {} if record is None else dict(record.tags),
        "result": None if record is None else record.result,
        "plies": 0 if record is None else len(record.line),
    }


def line_view(game: Game, line: Line, position: Any, before: MovePlace | None = None) -> list[dict[str, Any]]:
    """The moves of a line as data, each with its place; what most moves do not have is left out."""
    found = []
    for node in line:
        require_wanted()
        place = place_of(game, position, node.text, before)
        view: dict[str, Any] = {"move": node.text, **place_view(place)}
        if node.nags:
            view["nags"] = list(node.nags)
        if node.before:
            view["before"] = list(node.before)
        if node.after:
            view["after"] = list(node.after)
        if node.variations:
            view["variations"] = [line_view(game, inner, position, before) for inner in node.variations]
        found.append(view)
        position = game.play(position, read_recorded(game, position, node.text))
        before = place
    return found


@routes.post("/record/write", response_model=RecordWritten)
def write_one_record(given: RecordWriteRequest, store: Stored) -> Response:
    """Write a match as a record; with a `line` its comments, glyphs and variations too.

    With the `source` that it was read from, what an edit left as it was is written as it stands there.
    """
    moves = given.moves if given.line is None else [node.move for node in given.line]
    match = played(given.choice, given.start, moves, store)
    try:
        record = Record.of(match, given.tags, result=given.result)
        if given.line is not None:
            record = replace(record, line=_line(given.line), comments=tuple(given.comments))
        return answer({"record": _text(record, given)})
    except MoveError as error:
        raise bad_move(error) from None
    except ValueError as error:
        raise Problem(400, "NOT_EXPRESSIBLE", str(error)) from None


def _text(record: Record[Any, Any], given: RecordWriteRequest) -> str:
    """A record as text; one that was edited keeps what stays of its source."""
    if given.source is not None and given.notation == "canonical":
        read = read_record(given.source, record.game)
        if read.ok and read.record is not None:
            return SourceText(given.source, read.record).after(record, WIDTH)
    return write_record(record, notation=given.notation)


def _line(nodes: list[NodeData], depth: int = 0) -> Line:
    require_wanted()
    if depth > MAX_VARIATION_DEPTH:
        raise ValueError(f"variations are more than {MAX_VARIATION_DEPTH} deep")
    return tuple(
        Node(
            node.move,
            tuple(node.nags),
            tuple(node.before),
            tuple(node.after),
            tuple(_line(inner, depth + 1) for inner in node.variations if inner),
        )
        for node in nodes
    )
