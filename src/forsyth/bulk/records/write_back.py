"""Tables of games and positions as text again: PGN and EPD, byte for byte what the record writer would write.

PGN: a record for each row of a table of games, with a blank line after it. Its tags are the columns that are
tags, in their order, and then those of ``tags``; clocks and evaluations stand behind the moves as
``[%eval …]`` and ``[%clk …]``. Of a game with an error its moves up to there are written. A row without
moves, which holds no game, is left out.

EPD: a line for each row of a table of positions: the four fields and the clocks, then ``sm``, the move that
was played, and ``ce``, the evaluation in centipawns from the side to move; mates are left out. The game must
have the style ``epd``.

Which game it is stands in the metadata of the table, which Parquet and Arrow files keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.errors import BulkError
from forsyth.bulk.records.table import DERIVED, REST, game_of_schema
from forsyth.bulk.verbs.text_arrays import unpack_row
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Game, PackedMoves, VariantNames, read_recorded
from forsyth.record import Node, Record, write_record

_GAME_COLUMNS: Final = frozenset(
    (
        *(
            "game",
            "tags",
            "variant",
            "result",
            "plies",
            "moves",
            "clocks",
            "evals",
            "start",
            "end_key",
            "error",
        ),
        *DERIVED,
        REST,
    )
)
"""Columns of a table of games that are no tags."""
_EPD: Final = "epd"
_ANY: Final = "auto"
"""The variant that lets each text choose its rules."""
_MATE: Final = 1_000_000
"""Mate in n moves is so much less n."""


def pgn_of(batch: pa.RecordBatch, game: Game | str | None = None) -> str:
    """The records of some rows of a table of games; raises `BulkError` where a row is no legal game."""
    rules = _the_game(batch.schema, game)
    _must_have(batch.schema, ("moves", "result"), "games")
    return "".join(f"{_written(record)}\n" for record in records_of(batch, rules))


def records_of(batch: pa.RecordBatch, game: Game) -> Iterator[Record]:
    """The record of each row that holds one."""
    tags = [name for name in batch.schema.names if name not in _GAME_COLUMNS]
    for row in batch.to_pylist():
        if row["moves"] is not None:
            yield _record(row, tags, game)


def epd_of(batch: pa.RecordBatch, game: Game | str | None = None) -> str:
    """The lines of some rows of a table of positions; raises `BulkError` where a row holds no position."""
    rules = _the_game(batch.schema, game)
    if _EPD not in rules.styles:
        raise BulkError(f"{rules.name} has no EPD; write its positions as text or parquet")
    rules = rules.with_variant(_ANY) if isinstance(rules, VariantNames) else rules
    forms = [name for name in ("fen", "packed") if name in batch.schema.names]
    if not forms:
        raise BulkError("EPD is written from positions as fen or packed; ask for one of them")
    return "".join(f"{_line(row, forms[0], rules)}\n" for row in batch.to_pylist())


def _the_game(schema: pa.Schema, game: Game | str | None) -> Game:
    if game is not None:
        return registry.game(game)
    found = game_of_schema(schema)
    if found is None:
        raise BulkError("the table does not say which game it is of; name the game")
    return found


def _must_have(schema: pa.Schema, names: tuple[str, ...], kind: str) -> None:
    for name in names:
        if name not in schema.names:
            raise BulkError(f"the rows are no {kind}: they have no column {name!r}")


# --- records ----------------------------------------------------------------------------------------


def _record(row: Mapping[str, Any], tags: list[str], game: Game) -> Record:
    variant = row.get("variant")
    rules = game if variant in (None, game.variant) else game.with_variant(str(variant))
    start = row.get("start")
    given = [(name, str(row[name])) for name in tags if row[name] is not None]
    try:
        return Record(
            rules,
            (*given, *(row.get("tags") or ())),
            rules.parse(rules.start if start is None else start, legality=False),
            tuple(_nodes(row, game)),
            row["result"],
        )
    except (ValueError, FenError) as error:
        raise BulkError(f"{_place(row)} cannot be written: {error}") from error


def _nodes(row: Mapping[str, Any], game: Game) -> Iterator[Node]:
    nothing = [None] * len(row["moves"])
    clocks, evals = row.get("clocks") or nothing, row.get("evals") or nothing
    for move, clock, value in zip(row["moves"], clocks, evals, strict=True):
        said = " ".join(filter(None, (_eval(value), _clock(clock))))
        yield Node(_move_text(move, game), after=(said,) if said else ())


def _move_text(move: str | int, game: Game) -> str:
    """A text that the game reads as the move."""
    if isinstance(move, str):
        return move
    if not isinstance(game, PackedMoves):
        raise ValueError(f"{game.name} has no moves as numbers")
    return game.uci_move(game.unpack_move(move))


def _written(record: Record) -> str:
    try:
        return write_record(record)
    except MoveError as error:
        raise BulkError(f"a game cannot be written: {error}; read it again from its record") from error


def _clock(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    seconds, rest = divmod(milliseconds, 1000)
    fraction = f".{rest:03}".rstrip("0") if rest else ""
    return f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}{fraction}]"


def _eval(value: int | None) -> str:
    if value is None:
        return ""
    if _is_mate(value):
        moves = _MATE - abs(value)
        return f"[%eval #{'-' if value < 0 else ''}{moves}]"
    sign, cents = "-" if value < 0 else "", abs(value)
    digits = f"{cents % 100:02}".removesuffix("0") or "0"
    return f"[%eval {sign}{cents // 100}.{digits}]"


def _is_mate(value: int) -> bool:
    return abs(value) > _MATE // 2


# --- positions --------------------------------------------------------------------------------------


def _line(row: Mapping[str, Any], form: str, game: Game) -> str:
    try:
        data = row[form]
        position = game.parse(data, legality=False) if form == "fen" else unpack_row(game, data)
        written = [game.write(position, _EPD)]
        if row.get("move") is not None:
            move = read_recorded(game, position, _move_text(row["move"], game))
            written.append(f"sm {game.write_move(position, move)};")
    except (AttributeError, TypeError, ValueError, FenError, MoveError) as error:
        raise BulkError(f"{_place(row)} holds no position that can be written: {error}") from error
    value = row.get("eval")
    if value is not None and not _is_mate(value):
        _, player = game.move_number(position)
        written.append(f"ce {-value if player else value};")
    return " ".join(written)


def _place(row: Mapping[str, Any]) -> str:
    ply = f", ply {row['ply']}" if "ply" in row else ""
    return f"game {row.get('game')}{ply}"
