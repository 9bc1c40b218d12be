"""Tables of games or positions: what is made of records, as a value that can travel, and the rows as text
again.

Games: ``game``, its number among all records that are read, from 1; a column for each tag asked for;
``tags``, the other tags in their order; ``variant``; ``result``; ``plies``; ``moves``; ``clocks`` and
``evals``, null where the record has none; ``start``, null where it is the usual one; ``end_key``; ``error``,
mostly null. Positions: ``game``, ``ply``, one column for each form asked for, ``move``, ``clock``, ``eval``,
``result``, and the tags asked for.

Tags are texts. Those that end with ``Elo`` are numbers; a value that is none is null there and stays in
``tags``. Moves are numbers of 16 bits, UCI or the canonical notation (``san``). A clock is in milliseconds,
what was left after the move of its row. An ``eval`` is in centipawns from the first player's side, mate in n
as 1,000,000 - n or its negative; in a row of positions it is that of the position, in a row of games each
stands with the move that led there.

Conditions (`where`) are about tags, and about ``variant``, ``result`` and ``plies``.

Written back, PGN has a record for each row of a table of games, with a blank line after it, byte for byte
what the record writer would write. Its tags are the columns that are tags, in their order, and then those of
``tags``; clocks and evaluations stand behind the moves as ``[%eval …]`` and ``[%clk …]``. Of a game with an
error its moves up to there are written. A row without moves, which holds no game, is left out. EPD has a line
for each row of a table of positions: the four fields and the clocks, then ``sm``, the move that was played,
and ``ce``, the evaluation in centipawns from the side to move; mates are left out. The game must have the
style ``epd``. Which game it is stands in the metadata of the table, which Parquet and Arrow files keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import BulkError, must_be_count, must_be_one_of
from forsyth.bulk.sources.pgn import SMALL_BLOCK
from forsyth.bulk.verbs.text_arrays import unpack_row
from forsyth.bulk.verbs.verb import planes_field
from forsyth.bulk.where import Condition, read_where
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Columnar, Game, PackedMoves, VariantNames, read_recorded, require_columnar
from forsyth.record import Node, Record, write_record

TableKind = Literal["games", "positions"]
Moves = Literal["packed", "uci", "san"]
Form = Literal["fen", "key", "packed", "planes"]

GAME: Final = "game"
REST: Final = "*"
"""Among the tags asked for: all others, in the column ``tags``."""
DERIVED: Final = ("SetUp", "FEN", "Result")
"""Tags that say what the columns ``start`` and ``result`` say."""
FACTS: Final = ("variant", "result", "plies")
"""What a condition may ask for besides tags."""

LABEL: Final = pa.dictionary(pa.int8(), pa.string())
RATING: Final = "Elo"
ERROR: Final = pa.struct(
    [
        ("code", pa.string()),
        ("message", pa.string()),
        ("file", pa.string()),
        ("line", pa.int64()),
        ("column", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
    ]
)
"""The first error of a record: its place in the file, and in the text of the record."""
_NAME: Final = "forsyth.game"
_VARIANT: Final = "forsyth.variant"
"""The metadata of a table that say which game it is of."""
_MOVE_TYPES: Final[dict[str, pa.DataType]] = {
    "packed": pa.uint16(),
    "uci": pa.string(),
    "san": pa.string(),
}


def usual_tags(game: Game) -> tuple[str, ...]:
    """The tags that have columns where none are asked for, in the order in which servers write them."""
    players = game.players
    return (
        *("Event", "Site", "Date", "Round"),
        *players,
        *("UTCDate", "UTCTime"),
        *(f"{player}{RATING}" for player in players),
        *(f"{player}RatingDiff" for player in players),
        *(f"{player}Title" for player in players),
        *("Variant", "ECO", "Opening", "TimeControl", "Termination", "Annotator"),
    )


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table of games or positions; raises `BulkError` for what the game does not have."""

    kind: TableKind
    game: str
    variant: str | None = None
    moves: Moves | None = None
    """None for numbers where the game has them, else its canonical notation."""
    tags: tuple[str, ...] | None = None
    """The tags that have columns; None for the usual ones and the rest in games, for none in positions."""
    forms: tuple[Form, ...] = ("fen",)
    every: int = 1
    """Positions: only every so many plies, counted from `from_ply`."""
    from_ply: int = 0
    where: str | None = None
    """Only records that meet this condition."""

    def __post_init__(self) -> None:
        must_be_one_of("kind of table", self.kind, get_args(TableKind))
        must_be_count("every", self.every)
        must_be_count("from_ply + 1", self.from_ply + 1)
        for form in self.forms:
            must_be_one_of("form of positions", form, get_args(Form))
        game = self.the_game()
        if self.moves is not None:
            must_be_one_of("form of moves", self.moves, get_args(Moves))
            if self.moves != "san" and not isinstance(game, PackedMoves):
                raise BulkError(f"{game.name} has no {self.moves} moves; choose san")
        if "planes" in self.forms and not (isinstance(game, Columnar) and game.plane_shape.size):
            raise BulkError(f"{game.name} has no planes; choose another form")
        names = self.schema().names
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise BulkError(f"there would be two columns {twice!r}; ask for each once")
        self.condition()

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON-ready data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RecordTable:
        """The table that `to_dict` wrote."""
        tags = data["tags"]
        return cls(
            **{**data, "tags": None if tags is None else tuple(tags), "forms": tuple(data["forms"])},
        )

    def the_game(self) -> Game:
        """The game in its variant."""
        return registry.game(self.game, self.variant)

    @property
    def move_form(self) -> Moves:
        """How moves are written."""
        return self.moves or ("packed" if _packs_moves(self.game, self.variant) else "san")

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The tags that have columns."""
        if self.tags is not None:
            return tuple(name for name in self.tags if name != REST)
        return usual_tags(self.the_game()) if self.kind == "games" else ()

    @property
    def has_rest(self) -> bool:
        """Whether the other tags are kept."""
        return self.kind == "games" and (self.tags is None or REST in self.tags)

    def condition(self) -> Condition | None:
        """The condition that records must meet."""
        return None if self.where is None else read_where(self.where)

    def schema(self) -> pa.Schema:
        """The columns that come out."""
        return _schema_of(self)

    def game_schema(self) -> pa.Schema:
        """The columns of a table of games."""
        moves = _MOVE_TYPES[self.move_form]
        rest = [("tags", pa.map_(pa.string(), pa.string()))] if self.has_rest else []
        return pa.schema(
            [
                (GAME, pa.int64()),
                *((name, tag_type(name)) for name in self.tag_columns),
                *rest,
                ("variant", LABEL),
                ("result", LABEL),
                ("plies", pa.int32()),
                ("moves", pa.list_(moves)),
                ("clocks", pa.list_(pa.int32())),
                ("evals", pa.list_(pa.int32())),
                ("start", pa.string()),
                ("end_key", pa.binary(KEY_BYTES)),
                ("error", ERROR),
            ]
        )

    def position_schema(self) -> pa.Schema:
        """The columns of a table of positions."""
        return pa.schema(
            [
                pa.field(GAME, pa.int64()),
                pa.field("ply", pa.int32()),
                *(form_field(form, self.the_game()) for form in self.forms),
                pa.field("move", _MOVE_TYPES[self.move_form]),
                pa.field("clock", pa.int32()),
                pa.field("eval", pa.int32()),
                pa.field("result", LABEL),
                *(pa.field(name, tag_type(name)) for name in self.tag_columns),
            ]
        )


@lru_cache(maxsize=16)
def _schema_of(table: RecordTable) -> pa.Schema:
    """Asked for several times for every block, and always the same."""
    found = table.game_schema() if table.kind == "games" else table.position_schema()
    return named_schema(found, table.game, table.variant)


@lru_cache(maxsize=64)
def _packs_moves(game: str, variant: str | None) -> bool:
    return isinstance(registry.game(game, variant), PackedMoves)


def named_schema(schema: pa.Schema, game: str, variant: str | None) -> pa.Schema:
    """The columns of a table of a game, which its metadata name."""
    return schema.with_metadata({_NAME: game, **({} if variant is None else {_VARIANT: variant})})


def game_of_schema(schema: pa.Schema) -> Game | None:
    """The game of a table, which its metadata names."""
    said = schema.metadata or {}
    name, variant = said.get(_NAME.encode()), said.get(_VARIANT.encode())
    if name is None:
        return None
    found: Game = registry.game(name.decode(), None if variant is None else variant.decode())
    return found


def block_bytes(forms: Sequence[str] | None) -> int | None:
    """How much text is read at once for positions in these forms: planes take a thousand bytes each."""
    return SMALL_BLOCK if forms is not None and "planes" in forms else None


def tag_type(name: str) -> pa.DataType:
    """The type of the column of a tag."""
    return pa.int32() if name.endswith(RATING) else pa.string()


def form_field(form: Form, game: Game) -> pa.Field:
    """The column of a form of positions."""
    if form == "fen":
        return pa.field("fen", pa.string())
    if form == "key":
        return pa.field("key", pa.binary(KEY_BYTES))
    if form == "packed":
        return pa.field("packed", pa.binary(require_columnar(game, "packed columns").packed_width))
    return planes_field(game)


# --- as text again ----------------------------------------------------------------------------------


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
