"""Tables of games or positions of records: their schema as plain data, and conversion of their rows to text.

Columns of games: ``game``, the number of the record among all records, from 1; one column per requested tag;
``tags``, the other tags in their order; ``variant``; ``result``; ``plies``; ``moves``; ``clocks`` and
``evals``, null if the record has none; ``start``, null if it is the usual one; ``end_key``; ``error``, mostly
null. Columns of positions: ``game``, ``ply``, one column per requested form, ``move``, ``clock``, ``eval``,
``result``, and the requested tags.

Tags are texts. Tags whose names end with ``Elo`` are numbers; a value that is not a number is null there, and
stays in ``tags``. Moves are 16-bit numbers, UCI, or canonical notation (``san``). A clock is the time left
after the move of its row, in milliseconds. An ``eval`` is in centipawns from the first player's view; mate in
n is 1,000,000 - n, or its negative. In a row of positions it belongs to the position. In a row of games each
evaluation belongs to the move that led to it.

Conditions (`where`) refer to tags, and to ``variant``, ``result`` and ``plies``.

PGN: each row of a table of games becomes a record with a blank line behind it, exactly as the record writer
writes it. Its tags are the tag columns in their order, followed by ``tags``. Clocks and evaluations are
written behind the moves as ``[%clk …]`` and ``[%eval …]``. A game with an error has the moves
before the error. A row without moves does not contain a game, and is skipped.

EPD: each row of a table of positions becomes a line. It has the four fields and the clocks, then ``sm``, the
move that was played, and ``ce``, the evaluation in centipawns from the view of the side to move; mates are
omitted. The game must have the style ``epd``. The metadata of the table, which Parquet and Arrow files keep,
name the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypedDict, get_args

import pyarrow as pa

from forsyth import registry
from forsyth.bulk.arrow import KEY_BYTES
from forsyth.bulk.errors import BulkError, require_columns, require_count, require_one_of
from forsyth.bulk.sources.pgn import SMALL_BLOCK_BYTES
from forsyth.bulk.verbs.text_arrays import unpack_row
from forsyth.bulk.verbs.verb import make_planes_field
from forsyth.bulk.where import Condition, parse_where
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Game, PackedMoves, VariantNames, read_record_move
from forsyth.record import Node, Record, write_record

TableKind = Literal["games", "positions"]
Moves = Literal["packed", "uci", "san"]
Form = Literal["fen", "key", "packed", "planes"]

GAME: Final = "game"
OTHER_FORM: Final = "choose another form of positions"
"""The remedy if a game has no columns of the requested form."""
REST: Final = "*"
"""Requests all other tags, in the column ``tags``."""
DERIVED: Final = ("SetUp", "FEN", "Result")
"""Tags that repeat the columns ``start`` and ``result``."""
FACTS: Final = ("variant", "result", "plies")
"""Names that a condition can use besides tags."""

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
"""The first error of a record, with its place in the file and in the text of the record."""
_GAME_METADATA: Final = "forsyth.game"
_VARIANT_METADATA: Final = "forsyth.variant"
"""Keys of the metadata of a table that name its game."""
_MOVE_TYPES: Final[dict[str, pa.DataType]] = {
    "packed": pa.uint16(),
    "uci": pa.string(),
    "san": pa.string(),
}


def list_default_tags(game: Game) -> tuple[str, ...]:
    """Return the tags that have columns by default, such as ``Event`` and ``White``.

    They are in the order in which servers write them.
    """
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


class TableOptions(TypedDict, total=False):
    """The keyword arguments that select what a table contains, for editors and type checkers.

    They are fields of `RecordTable`.
    """

    moves: Moves | None
    tags: tuple[str, ...] | None
    forms: tuple[Form, ...]
    every: int
    from_ply: int
    where: str | None


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A description of a table of games or positions: its columns, and which records it contains.

    The constructor raises `BulkError` if the game does not support such a table.
    """

    kind: TableKind
    game: str
    variant: str | None = None
    moves: Moves | None = None
    """The form of moves. None means packed numbers if the game has them, else canonical notation."""
    tags: tuple[str, ...] | None = None
    """The tags that have columns.

    None means the usual ones and a column with all others in a table of games, and none in one of positions.
    """
    forms: tuple[Form, ...] = ("fen",)
    """For positions: the forms in which each position is written, such as text and key."""
    every: int = 1
    """For positions: the step in plies from one row to the next, counted from `from_ply`."""
    from_ply: int = 0
    where: str | None = None
    """A condition on records, or None for all records."""

    def __post_init__(self) -> None:
        """Raise `BulkError` if a value is not valid, or two columns have the same name."""
        require_one_of("kind of table", self.kind, get_args(TableKind))
        require_count("every", self.every)
        require_count("from_ply + 1", self.from_ply + 1)
        for form in self.forms:
            require_one_of("form of positions", form, get_args(Form))
        game = self.load_game()
        if self.moves is not None:
            require_one_of("form of moves", self.moves, get_args(Moves))
            if self.moves != "san" and not isinstance(game, PackedMoves):
                raise BulkError(f"{game.name} has no moves as {self.moves}; choose san")
        names = self.schema().names
        duplicates = [name for name in names if names.count(name) > 1]
        if duplicates:
            raise BulkError(f"the table would have two columns {duplicates[0]!r}; request each column once")
        # This raises an error if the condition is not valid.
        self.parse_condition()

    def to_dict(self) -> dict[str, Any]:
        """Return the description as a dictionary that can be written as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RecordTable:
        """Return the description that `to_dict` has converted to `data`.

        In `data`, tuples may have become lists, as in JSON.
        """
        tags = None if data["tags"] is None else tuple(data["tags"])
        return cls(**{**data, "tags": tags, "forms": tuple(data["forms"])})

    def load_game(self) -> Game:
        """Return the game in its variant."""
        return registry.game(self.game, self.variant)

    @property
    def move_form(self) -> Moves:
        """The form in which moves are written: `moves`, or the default of the game if it is None."""
        if self.moves is not None:
            return self.moves
        return "packed" if _has_packed_moves(self.game, self.variant) else "san"

    @property
    def tag_columns(self) -> tuple[str, ...]:
        """The names of the tags that have columns of their own, in order."""
        if self.tags is not None:
            return tuple(name for name in self.tags if name != REST)
        return list_default_tags(self.load_game()) if self.kind == "games" else ()

    @property
    def has_rest(self) -> bool:
        """Whether the table has the column ``tags`` with the tags that have no column of their own."""
        return self.kind == "games" and (self.tags is None or REST in self.tags)

    def parse_condition(self) -> Condition | None:
        """Return the parsed condition that records must meet, or None for all records."""
        return None if self.where is None else parse_where(self.where)

    def schema(self) -> pa.Schema:
        """Return the Arrow schema of the table. Its metadata name the game and the variant."""
        return _make_schema(self)

    def make_game_schema(self) -> pa.Schema:
        """Return the schema of a table of games, without metadata."""
        move_type = _MOVE_TYPES[self.move_form]
        other_tags = [("tags", pa.map_(pa.string(), pa.string()))] if self.has_rest else []
        return pa.schema(
            [
                (GAME, pa.int64()),
                *((name, choose_tag_type(name)) for name in self.tag_columns),
                *other_tags,
                ("variant", LABEL),
                ("result", LABEL),
                ("plies", pa.int32()),
                ("moves", pa.list_(move_type)),
                ("clocks", pa.list_(pa.int32())),
                ("evals", pa.list_(pa.int32())),
                ("start", pa.string()),
                ("end_key", pa.binary(KEY_BYTES)),
                ("error", ERROR),
            ]
        )

    def make_position_schema(self) -> pa.Schema:
        """Return the schema of a table of positions, without metadata."""
        game = self.load_game()
        return pa.schema(
            [
                pa.field(GAME, pa.int64()),
                pa.field("ply", pa.int32()),
                *(make_form_field(form, game) for form in self.forms),
                pa.field("move", _MOVE_TYPES[self.move_form]),
                pa.field("clock", pa.int32()),
                pa.field("eval", pa.int32()),
                pa.field("result", LABEL),
                *(pa.field(name, choose_tag_type(name)) for name in self.tag_columns),
            ]
        )


@lru_cache(maxsize=16)
def _make_schema(table: RecordTable) -> pa.Schema:
    """Return the schema of a table, with its game and variant in the metadata.

    The schema is cached, because it is needed several times for each block of records.
    """
    schema = table.make_game_schema() if table.kind == "games" else table.make_position_schema()
    return with_game_metadata(schema, table.game, table.variant)


@lru_cache(maxsize=64)
def _has_packed_moves(game: str, variant: str | None) -> bool:
    """Return whether the game can write moves as 16-bit numbers."""
    return isinstance(registry.game(game, variant), PackedMoves)


def with_game_metadata(schema: pa.Schema, game: str, variant: str | None) -> pa.Schema:
    """Return the schema with the names of the game and of the variant in its metadata.

    A `variant` of None is left out. `game_from_schema` returns the game that these names stand for.
    """
    metadata = {_GAME_METADATA: game}
    if variant is not None:
        metadata[_VARIANT_METADATA] = variant
    return schema.with_metadata(metadata)


def game_from_schema(schema: pa.Schema) -> Game | None:
    """Load the game that is named in the metadata of a schema, or return None without a name."""
    metadata = schema.metadata or {}
    name = metadata.get(_GAME_METADATA.encode())
    variant = metadata.get(_VARIANT_METADATA.encode())
    if name is None:
        return None
    game: Game = registry.game(name.decode(), None if variant is None else variant.decode())
    return game


def choose_block_size(forms: Sequence[str] | None) -> int | None:
    """Return how many bytes of text to read at once, or None for the default.

    Less text than usual is read at once for planes (tensors), which need much memory. `forms` are the forms
    of positions in the table, such as ``fen`` or ``planes``, or None.
    """
    has_planes = forms is not None and "planes" in forms
    return SMALL_BLOCK_BYTES if has_planes else None


def choose_tag_type(name: str) -> pa.DataType:
    """Return the type of the column of a tag: integers for ``WhiteElo``, strings for ``Event``."""
    return pa.int32() if name.endswith(RATING) else pa.string()


def make_form_field(form: Form, game: Game) -> pa.Field:
    """Return the name and type of the column with the positions in one form.

    The form is ``fen`` (texts), ``key``, ``packed`` (packed bytes) or ``planes`` (tensors). Raise `BulkError`
    if the game does not have it.
    """
    if form == "fen":
        return pa.field("fen", pa.string())
    if form == "key":
        return pa.field("key", pa.binary(KEY_BYTES))
    if form == "packed":
        width = require_columns(game, "packed columns", OTHER_FORM).packed_width
        return pa.field("packed", pa.binary(width))
    require_columns(game, "planes", OTHER_FORM)
    return make_planes_field(game)


# --- writing text ---------------------------------------------------------------------------------


_FIXED_COLUMNS: Final = (
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
)
_GAME_COLUMNS: Final = frozenset((*_FIXED_COLUMNS, *DERIVED, REST))
"""Columns of a table of games that are not tags."""
_EPD: Final = "epd"
_AUTO: Final = "auto"
"""The variant that is detected from each text."""
_MATE: Final = 1_000_000
"""Evaluation of mate in 0 moves; mate in n moves is less by n."""
_CENTIPAWNS: Final = 100
"""Number of centipawns in a pawn."""


def write_pgn(batch: pa.RecordBatch, game: Game | str | None = None) -> str:
    """Write the rows of a table of games as PGN, and return the text.

    If `game` is None, the game is the one that is named in the metadata of the table. Raise `BulkError` if a
    row is not a legal game.
    """
    table_game = _choose_game(batch.schema, game)
    _require_columns(batch.schema, ("moves", "result"), "games")
    return "".join(f"{_write_record(record)}\n" for record in make_records(batch, table_game))


def make_records(batch: pa.RecordBatch, game: Game) -> Iterator[Record]:
    """Yield the record in each row of a table of games.

    A row without moves contains no game and is skipped. Raise `BulkError` if a row has no valid record.
    """
    tag_names = [name for name in batch.schema.names if name not in _GAME_COLUMNS]
    for row in batch.to_pylist():
        if row["moves"] is not None:
            yield _make_record(row, tag_names, game)


def write_epd(batch: pa.RecordBatch, game: Game | str | None = None) -> str:
    """Write the rows of a table of positions as lines of EPD, and return the text.

    If `game` is None, the game is the one that is named in the metadata of the table. Raise `BulkError` if a
    row has no position, or the game has no EPD.
    """
    table_game = _choose_game(batch.schema, game)
    if _EPD not in table_game.styles:
        raise BulkError(f"{table_game.name} has no EPD; write its positions as text or Parquet")
    # The positions of one table may be of different variants.
    line_game = table_game.with_variant(_AUTO) if isinstance(table_game, VariantNames) else table_game
    forms = [name for name in ("fen", "packed") if name in batch.schema.names]
    if not forms:
        raise BulkError("EPD needs a column of positions as fen or packed; request one of them")
    return "".join(f"{_write_epd_line(row, forms[0], line_game)}\n" for row in batch.to_pylist())


def _choose_game(schema: pa.Schema, game: Game | str | None) -> Game:
    """Return `game`, or if it is None, the game that is named in the metadata of a table.

    Raise `BulkError` if no game is named there.
    """
    if game is not None:
        return registry.game(game)
    table_game = game_from_schema(schema)
    if table_game is None:
        raise BulkError("the table has no metadata that name its game; name the game")
    return table_game


def _require_columns(schema: pa.Schema, names: tuple[str, ...], kind: str) -> None:
    """Raise `BulkError` if one of the columns `names` is missing in a schema.

    `kind` is the word for the rows in the message, such as ``games``.
    """
    for name in names:
        if name not in schema.names:
            raise BulkError(f"the rows are not {kind}, because they have no column {name!r}")


# --- records --------------------------------------------------------------------------------------


def _make_record(row: Mapping[str, Any], tag_names: Sequence[str], game: Game) -> Record:
    """Return the record in a row of a table of games.

    Args:
        row: The row, as a dictionary by column.
        tag_names: The names of the columns that are PGN tags.
        game: The game. The column ``variant`` of the row may name another variant of it.

    Raises:
        BulkError: If the row has no valid record.
    """
    variant = row.get("variant")
    record_game = game if variant in (None, game.variant) else game.with_variant(str(variant))
    start = row.get("start")
    start_text = record_game.start if start is None else start
    column_tags = [(name, str(row[name])) for name in tag_names if row[name] is not None]
    other_tags = row.get("tags") or ()
    try:
        return Record(
            record_game,
            (*column_tags, *other_tags),
            record_game.parse(start_text, legality=False),
            tuple(_make_nodes(row, game)),
            row["result"],
        )
    except (ValueError, FenError) as error:
        raise BulkError(f"{_describe_row(row)} cannot be written: {error}") from error


def _make_nodes(row: Mapping[str, Any], game: Game) -> Iterator[Node]:
    """Yield the moves in a row of a table of games, with comments such as ``[%clk 0:05:00]``.

    `row` is a dictionary by column.
    """
    no_values = [None] * len(row["moves"])
    clocks = row.get("clocks") or no_values
    evals = row.get("evals") or no_values
    for move, clock, evaluation in zip(row["moves"], clocks, evals, strict=True):
        commands = (_format_eval(evaluation), _format_clock(clock))
        comment = " ".join(command for command in commands if command)
        yield Node(_convert_move(move, game), after=(comment,) if comment else ())


def _convert_move(move: str | int, game: Game) -> str:
    """Return a move of a table as text: a packed number becomes a text such as ``g1f3``.

    A text is returned unchanged. Raise `ValueError` for a number if the game has no packed moves.
    """
    if isinstance(move, str):
        return move
    if not isinstance(game, PackedMoves):
        raise ValueError(
            f"the move {move} is a number, but {game.name} has no moves as numbers; expected a text"
        )
    return game.uci_move(game.unpack_move(move))


def _write_record(record: Record) -> str:
    """Return a record as PGN. Raise `BulkError` if one of its moves is not legal."""
    try:
        return write_record(record)
    except MoveError as error:
        raise BulkError(f"a game cannot be written: {error}; convert its record again") from error


def _format_clock(milliseconds: int | None) -> str:
    """Return a clock as a PGN command, such as ``[%clk 0:02:58.5]``, or an empty text for None."""
    if milliseconds is None:
        return ""
    total_seconds, fraction_ms = divmod(milliseconds, 1000)
    total_minutes, seconds = divmod(total_seconds, 60)
    hours, minutes = divmod(total_minutes, 60)
    fraction = f".{fraction_ms:03}".rstrip("0") if fraction_ms else ""
    return f"[%clk {hours}:{minutes:02}:{seconds:02}{fraction}]"


def _format_eval(value: int | None) -> str:
    """Return an evaluation as a PGN command, such as ``[%eval -0.31]``, or an empty text for None.

    `value` is in centipawns. A mate in 3 moves is the value 999,997 or its negative, and gives
    ``[%eval #3]`` or ``[%eval #-3]``.
    """
    if value is None:
        return ""
    sign = "-" if value < 0 else ""
    if _is_mate(value):
        moves_to_mate = _MATE - abs(value)
        return f"[%eval #{sign}{moves_to_mate}]"
    pawns, centipawns = divmod(abs(value), _CENTIPAWNS)
    decimals = f"{centipawns:02}".removesuffix("0")
    return f"[%eval {sign}{pawns}.{decimals}]"


def _is_mate(value: int) -> bool:
    """Return whether an evaluation stands for a mate, such as 999,997 for a mate in 3 moves."""
    return abs(value) > _MATE // 2


# --- positions ------------------------------------------------------------------------------------


def _write_epd_line(row: Mapping[str, Any], form: str, game: Game) -> str:
    """Return a row of a table of positions as a line of EPD, such as ``8/8/… w - - sm e4; ce 31;``.

    Args:
        row: The row, as a dictionary by column.
        form: The name of the column with the position: ``fen`` or ``packed``.
        game: The game of the position.

    Raises:
        BulkError: If the row has no valid position, or its move is not legal.
    """
    try:
        value = row[form]
        position = game.parse(value, legality=False) if form == "fen" else unpack_row(game, value)
        fields = [game.write(position, _EPD)]
        if row.get("move") is not None:
            move = read_record_move(game, position, _convert_move(row["move"], game))
            fields.append(f"sm {game.write_move(position, move)};")
    except (AttributeError, TypeError, ValueError, FenError, MoveError) as error:
        raise BulkError(f"{_describe_row(row)} has no position that can be written: {error}") from error
    evaluation = row.get("eval")
    if evaluation is not None and not _is_mate(evaluation):
        _, player = game.move_number(position)
        is_second_player = player != 0
        # The operation ``ce`` is from the view of the side to move, and the column from the first player's.
        own_evaluation = -evaluation if is_second_player else evaluation
        fields.append(f"ce {own_evaluation};")
    return " ".join(fields)


def _describe_row(row: Mapping[str, Any]) -> str:
    """Return the game and ply of a row for error messages, such as ``game 12, ply 3``."""
    ply = f", ply {row['ply']}" if "ply" in row else ""
    return f"game {row.get('game')}{ply}"
