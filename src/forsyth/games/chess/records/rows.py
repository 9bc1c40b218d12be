# cython: boundscheck=False, wraparound=False
"""Columns of fixed size in memory, which a kernel fills with chess records without the GIL.

The rows of a game are added one by one. All of them are dropped again if the game turns out to be one for the
record reader. Nothing is written beyond the size of a column: a row that does not fit is refused, and its
game is dropped.

The module runs as it is and compiles with Cython (`rows.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.numbers.planes import make_plane_shape
from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, lsb, u64
    from forsyth.games.chess.notation.kernel import put_text
    from forsyth.games.chess.numbers.column import put_key, write_padded_form
    from forsyth.games.chess.numbers.planes import put_planes
    from forsyth.games.chess.position import CRAZYHOUSE, STANDARD, THREE_CHECK
    from forsyth.kit.numbers.column_verbs import fill

    Out = bytearray
    Size = int
    WANT_CLOCKS: Final = 1
    WANT_EMTS: Final = 2
    WANT_EVALS: Final = 4
    WANT_SHAPES: Final = 8
    WANT_KEYS: Final = 16
    WANT_PACKED: Final = 32
    WANT_BOARDS: Final = 64
    WANT_PLANES: Final = 128
    WANT_FENS: Final = 256
    """Bits of `Rows.requested_columns`, which select the optional columns."""
    WANT_COMMANDS: Final = 15
    WANT_POSITIONS: Final = 496
    """Groups of these bits: the columns of comment commands, and those of positions."""
    MAX_FEN_BYTES: Final = 320
    """The length of the longest text that `put_text` writes, in bytes."""
    KEY_BYTES: Final = 16
    SQUARES: Final = 64
    PIECE_KINDS: Final = 6
    WAITING: Final = 2
    """Value of `comment_after` for a comment whose move is not known yet. The level of its line is added."""
    NO_CLOCK: Final = -1
    NO_EVAL: Final = -(2**31)
    """Values of clocks and evaluations that are missing."""
    MAX_SAN_BYTES: Final = 8
    """The length of the longest move in SAN, in bytes."""
    MAX_ERRORS: Final = 32
    """The largest number of errors in a game that is read here. The record reader stops at twice as many."""
    MOVE_REJECTED: Final = 0
    RESULT_MISSING: Final = 1
    RESULT_CONTRADICTED: Final = 2
    TAG_REPEATED: Final = 3
    MOVE_RESPELLED: Final = 4
    TURN_PASSED: Final = 5
    GLYPH_AS_SYMBOL: Final = 6
    NUMBER_WRONG: Final = 7
    """Kinds of notes: indexes of `columns.NOTE_CODES`."""
    LEFT_TO_READER: Final = 0
    ACCEPTED: Final = 1
    ACCEPTED_WITH_NOTES: Final = 2
    ACCEPTED_WITH_ERROR: Final = 3
    """Verdicts on a game: `columns.ASK`, `TAKEN`, `NOTED` and `FAULTY`."""

    def get_offsets(view: memoryview) -> memoryview:
        """Return `view` unchanged. The compiled version returns a C pointer to the numbers in the view."""
        return view

    get_numbers = get_shorts = get_bytes = get_offsets

    def copy_within(out: memoryview, target: int, source: int, size: int) -> None:
        """Copy `size` bytes of a column from the offset `source` to the offset `target`."""
        out[target : target + size] = bytes(out[source : source + size])


WANT_BITS: Final = {
    "clocks": WANT_CLOCKS,
    "emts": WANT_EMTS,
    "evals": WANT_EVALS,
    "shapes": WANT_SHAPES,
    "keys": WANT_KEYS,
    "packed": WANT_PACKED,
    "boards": WANT_BOARDS,
    "planes": WANT_PLANES,
    "fens": WANT_FENS,
}
"""The bits of `Rows.requested_columns` by the names of the optional columns."""
TAGS_PER_GAME: Final = 32
"""Room for tags, as an average per game. Servers write about twenty tags per game."""
FEN_BYTES_PER_POSITION: Final = 96
"""Room for FEN texts, as an average per position."""

COLUMNS: Final = (
    *((name, "q", "games", 1, 0) for name in ("start", "end")),
    *((name, "B", "games", 1, 0) for name in ("verdict", "result", "variant", "setup")),
    ("end_key", "B", "games", 16, 0),
    *((f"first_{name}", "i", "offsets", 1, 0) for name in ("tag", "ply", "position", "comment", "nag")),
    *((f"first_{name}", "i", "offsets", 1, 0) for name in ("line", "side", "note")),
    *((name, "i", "tags", 1, 0) for name in ("tag_name", "tag_name_length")),
    *((name, "i", "tags", 1, 0) for name in ("tag_value", "tag_value_length")),
    ("tag_escaped", "B", "tags", 1, 0),
    ("move", "H", "plies", 1, 0),
    ("san", "i", "plies", 1, 0),
    ("san_length", "B", "plies", 1, 0),
    ("clock", "i", "plies", 1, WANT_CLOCKS),
    ("emt", "i", "plies", 1, WANT_EMTS),
    ("eval", "i", "plies", 1, WANT_EVALS),
    *((name, "i", "plies", 1, WANT_SHAPES) for name in ("arrows", "arrows_length")),
    *((name, "i", "plies", 1, WANT_SHAPES) for name in ("circles", "circles_length")),
    *((name, "i", "comments", 1, 0) for name in ("comment", "comment_length", "comment_node")),
    *((name, "B", "comments", 1, 0) for name in ("comment_folded", "comment_after")),
    ("nag", "B", "nags", 1, 0),
    ("nag_node", "i", "nags", 1, 0),
    ("line_node", "i", "lines", 1, 0),
    ("side_move", "H", "sides", 1, 0),
    *((name, "i", "sides", 1, 0) for name in ("side_line", "side_san")),
    ("side_san_length", "B", "sides", 1, 0),
    ("note_kind", "B", "notes", 1, 0),
    *((name, "i", "notes", 1, 0) for name in ("note", "note_length")),
    ("respelled", "B", "respelled", 1, 0),
    ("error_fen", "B", "errors", 320, 0),
    *((name, "i", "errors", 1, 0) for name in ("error_fen_length", "error_note")),
    ("key", "B", "positions", 16, WANT_KEYS),
    ("packed", "B", "positions", 0, WANT_PACKED),
    ("board", "B", "positions", 64, WANT_BOARDS),
    ("planes", "B", "positions", 0, WANT_PLANES),
    ("fen_chars", "B", "characters", 1, WANT_FENS),
    ("fen_offsets", "i", "texts", 1, WANT_FENS),
)
"""The columns: name, format, table, numbers per row, and the bit of `Rows.requested_columns` that it needs.

0 numbers per row means that the width is given when the rows are created. Bit 0 means that the column is
always filled.

The offset of a move in ``san`` or ``side_san`` that was not written in SAN is −1 − the offset of its SAN in
``respelled``. The table of errors has a row for the first rejected move of each game that has one: its note,
and the FEN of the position in which it was to be played.
"""

COLUMN_FORMATS: Final = {name: (format_code, width) for name, format_code, _, width, _ in COLUMNS}
"""The format and the numbers per row of each column."""
COLUMN_TABLES: Final = {name: (table, column_bit) for name, _, table, _, column_bit in COLUMNS}
"""The table of each column, and the bit of `Rows.requested_columns` that it needs."""
_SIZES: Final = {"B": 1, "H": 2, "i": 4, "q": 8}
"""Bytes of a number by its format."""


def _find_rules(plane_size: int) -> int:
    """Return the index in VARIANTS of a variant whose planes take `plane_size` bytes.

    Planes are a position as a tensor for training. Variants with tensors of the same size have the same
    planes, so any of them will do. Raise `ValueError` if no variant has this size.
    """
    rules_by_size = {make_plane_shape(rules).size: rules for rules in (STANDARD, CRAZYHOUSE, THREE_CHECK)}
    if plane_size not in rules_by_size:
        sizes = ", ".join(map(str, rules_by_size))
        raise ValueError(f"planes of {plane_size} bytes do not exist in chess, expected one of: {sizes}")
    return rules_by_size[plane_size]


class Rows:
    """Columns of fixed size for the games, tags, moves, comments and positions of chess records.

    The attributes `games`, `tags`, `plies` and so on are the numbers of rows in each table.

    Args:
        requested_columns: The optional columns to fill, as a sum of WANT_CLOCKS, WANT_EVALS and so on.
        games: The largest number of games.
        plies: The largest number of moves, and of rows in most other tables.
        packed_width: Bytes per row in the column of packed positions.
        plane_size: Bytes per row in the column of planes.
    """

    def __init__(
        self, requested_columns: int, games: int, plies: int, packed_width: int, plane_size: int
    ) -> None:
        self.requested_columns = requested_columns
        self.max_games, self.max_plies = games, plies
        self.max_tags = TAGS_PER_GAME * games
        self.max_fen_bytes = FEN_BYTES_PER_POSITION * (plies + games) + MAX_FEN_BYTES
        self.max_respelled_bytes = MAX_SAN_BYTES * plies
        self.packed_width, self.plane_size = packed_width, plane_size
        self.plane_rules = _find_rules(plane_size)
        self.widths = {"packed": packed_width, "planes": plane_size}
        self.buffers: dict[str, bytearray] = {}
        self.has_views = False
        """Whether a caller may still hold a view of a column."""
        self.reset()

    def reset(self) -> None:
        """Remove all rows, so that the columns can be filled again.

        If a caller still holds a view of a column, the column gets a new buffer, and the view keeps its
        content.
        """
        if self.buffers and not self.has_views:
            self.clear()
            return
        self.has_views = False
        row_limits = {
            "games": self.max_games,
            "offsets": self.max_games + 1,
            "tags": self.max_tags,
            "positions": self.max_plies + self.max_games,
            "texts": self.max_plies + self.max_games + 1,
            "characters": self.max_fen_bytes,
            "respelled": self.max_respelled_bytes,
            "errors": self.max_games,
        }
        buffers = self.buffers
        for name, format_code, table, width, column_bit in COLUMNS:
            if _is_free(buffers.get(name)):
                continue
            number_count = row_limits.get(table, self.max_plies) * (width or self.widths[name])
            is_left_out = column_bit and not (self.requested_columns & column_bit)
            # One byte more, so that no buffer is empty and each has an address.
            buffers[name] = bytearray(1 if is_left_out else number_count * _SIZES[format_code] + 1)
        self.set_columns()
        self.clear()

    def view(self, name: str, rows: int | None = None) -> memoryview:
        """Return a view of the memory of a column, such as ``move``.

        The view has the first `rows` rows. If `rows` is None, it has all rows, also those not filled yet.
        """
        format_code, width = COLUMN_FORMATS[name]
        buffer = self.buffers[name]
        width = width or self.widths[name]
        # The buffer may be longer than a whole number of entries.
        number_size = _SIZES[format_code]
        usable_bytes = (len(buffer) // number_size) * number_size
        view: memoryview = memoryview(buffer)[:usable_bytes].cast(format_code)  # type: ignore[call-overload]
        return view if rows is None else view[: rows * width]

    def column(self, name: str) -> memoryview:
        """Return the filled rows of a column, such as ``move``, as a view without copying.

        Raise `KeyError` if there is no such column, or if it is optional and was not requested.
        """
        table, column_bit = COLUMN_TABLES[name]
        if column_bit and not (self.requested_columns & column_bit):
            raise KeyError(f"the column {name!r} was not requested; name it when the kernel is created")
        row_counts = {
            "games": self.games,
            "offsets": self.games + 1,
            "tags": self.tags,
            "plies": self.plies,
            "positions": self.positions,
            "texts": self.positions + 1,
            "characters": self.fen_size,
            "comments": self.comments,
            "nags": self.nags,
            "lines": self.lines,
            "sides": self.sides,
            "notes": self.notes,
            "respelled": self.respelled_size,
            "errors": self.errors,
        }
        self.has_views = True
        return self.view(name, row_counts[table])

    def set_columns(self) -> None:
        """Set one attribute per column, such as `self.move`, to the memory of its current buffer.

        This must be called after buffers were replaced.
        """
        views = {name: self.view(name) for name in COLUMN_FORMATS}
        self.start, self.end = get_offsets(views["start"]), get_offsets(views["end"])
        self.verdict, self.result = get_bytes(views["verdict"]), get_bytes(views["result"])
        self.variant, self.setup = get_bytes(views["variant"]), get_bytes(views["setup"])
        self.end_key = get_bytes(views["end_key"])
        self.tags_from, self.plies_from = get_numbers(views["first_tag"]), get_numbers(views["first_ply"])
        self.positions_from = get_numbers(views["first_position"])
        self.comments_from, self.nags_from = (
            get_numbers(views["first_comment"]),
            get_numbers(views["first_nag"]),
        )
        self.lines_from, self.sides_from = get_numbers(views["first_line"]), get_numbers(views["first_side"])
        self.notes_from, self.note_kind = get_numbers(views["first_note"]), get_bytes(views["note_kind"])
        self.note, self.note_length = get_numbers(views["note"]), get_numbers(views["note_length"])
        self.respelled, self.error_fen = get_bytes(views["respelled"]), get_bytes(views["error_fen"])
        self.error_fen_length = get_numbers(views["error_fen_length"])
        self.error_note = get_numbers(views["error_note"])
        self.tag_name = get_numbers(views["tag_name"])
        self.tag_name_length = get_numbers(views["tag_name_length"])
        self.tag_value = get_numbers(views["tag_value"])
        self.tag_value_length = get_numbers(views["tag_value_length"])
        self.tag_escaped = get_bytes(views["tag_escaped"])
        self.move, self.side_move = get_shorts(views["move"]), get_shorts(views["side_move"])
        self.san, self.side_san = get_numbers(views["san"]), get_numbers(views["side_san"])
        self.side_line, self.line_node = get_numbers(views["side_line"]), get_numbers(views["line_node"])
        self.san_length = get_bytes(views["san_length"])
        self.side_san_length = get_bytes(views["side_san_length"])
        self.clock, self.emt = get_numbers(views["clock"]), get_numbers(views["emt"])
        self.eval = get_numbers(views["eval"])
        self.arrows, self.arrows_length = get_numbers(views["arrows"]), get_numbers(views["arrows_length"])
        self.circles, self.circles_length = (
            get_numbers(views["circles"]),
            get_numbers(views["circles_length"]),
        )
        self.comment, self.comment_length = (
            get_numbers(views["comment"]),
            get_numbers(views["comment_length"]),
        )
        self.comment_node, self.nag_node = get_numbers(views["comment_node"]), get_numbers(views["nag_node"])
        self.comment_folded = get_bytes(views["comment_folded"])
        self.comment_after, self.nag = get_bytes(views["comment_after"]), get_bytes(views["nag"])
        self.key, self.packed = get_bytes(views["key"]), get_bytes(views["packed"])
        self.board, self.planes = get_bytes(views["board"]), get_bytes(views["planes"])
        self.fen_chars, self.fen_offsets = get_bytes(views["fen_chars"]), get_numbers(views["fen_offsets"])

    def clear(self) -> None:
        """Set the number of rows of all tables to 0, and keep the buffers for the next rows."""
        self.games = self.fallback_count = self.tags = self.plies = self.positions = 0
        self.comments = self.nags = self.lines = self.sides = self.fen_size = 0
        self.notes = self.errors = self.respelled_size = 0
        self.begin_game()
        self.close_row(0)

    # --- one game -----------------------------------------------------------------------------------

    def begin_game(self) -> None:
        """Begin a new game, whose rows begin at the current end of each table."""
        self.first_tag, self.first_ply, self.first_position = self.tags, self.plies, self.positions
        self.first_comment, self.first_nag = self.comments, self.nags
        self.first_line, self.first_side, self.first_fen = self.lines, self.sides, self.fen_size
        self.first_note, self.first_error, self.game_errors = self.notes, self.errors, 0
        self.first_respelled = self.respelled_size

    def drop_game(self) -> None:
        """Remove all rows that were added since `begin_game`, which are those of the current game."""
        self.tags, self.plies, self.positions = self.first_tag, self.first_ply, self.first_position
        self.comments, self.nags = self.first_comment, self.first_nag
        self.lines, self.sides, self.fen_size = self.first_line, self.first_side, self.first_fen
        self.notes, self.errors, self.game_errors = self.first_note, self.first_error, 0
        self.respelled_size = self.first_respelled

    def set_ending(self, position: Position, result: i32, setup: i32) -> None:
        """Store the result of the current game, and the variant and the key of its final position.

        `result` is an index of `columns.RESULTS`. `setup` is 1 if a FEN tag gave the start position, else 0.
        """
        row: Size = self.games
        self.result[row] = result
        self.variant[row] = position.rules
        self.setup[row] = setup
        put_key(position, self.end_key, KEY_BYTES * row)

    def end_game(self, start: Size, end: Size, verdict: i32) -> None:
        """Finish the current game by adding its row to the table of games.

        Args:
            start: The offset of the first byte of the game.
            end: The offset behind the game.
            verdict: ACCEPTED if the game was read. LEFT_TO_READER if these bytes are left to the slower
                record reader. In that case its result, variant and key are set to 0.
        """
        row: Size = self.games
        if verdict == ACCEPTED and self.notes > self.first_note:
            verdict = ACCEPTED_WITH_ERROR if self.game_errors else ACCEPTED_WITH_NOTES
        self.verdict[row] = verdict
        self.start[row], self.end[row] = start, end
        if verdict == LEFT_TO_READER:
            self.fallback_count += 1
            self.result[row] = self.variant[row] = self.setup[row] = 0
            fill(self.end_key, KEY_BYTES * row, KEY_BYTES, 0)
        self.games = row + 1
        self.begin_game()
        self.close_row(row + 1)

    def close_row(self, row: Size) -> None:
        """Store the row of each table at which the rows of game number `row` begin.

        The rows of the game before it end there.
        """
        self.tags_from[row], self.plies_from[row] = self.tags, self.plies
        self.positions_from[row], self.comments_from[row] = self.positions, self.comments
        self.nags_from[row], self.lines_from[row] = self.nags, self.lines
        self.sides_from[row], self.notes_from[row] = self.sides, self.notes
        if self.requested_columns & WANT_FENS:
            self.fen_offsets[self.positions] = self.fen_size

    # --- the rows of a game ---------------------------------------------------------------------------

    def add_tag(
        self, name_start: Size, name_length: Size, value_start: Size, value_length: Size, escaped: i32
    ) -> bool:
        """Add a tag, such as ``[White "Carlsen"]``, by the offsets of its name and its value.

        `escaped` is 1 if the value contains a backslash. Return False if there is no room.
        """
        row: Size = self.tags
        if row == self.max_tags:
            return False
        self.tag_name[row], self.tag_name_length[row] = name_start, name_length
        self.tag_value[row], self.tag_value_length[row] = value_start, value_length
        self.tag_escaped[row] = escaped
        self.tags = row + 1
        return True

    def add_ply(self, move: i32, start: Size, length: Size) -> bool:
        """Add a move of the main line: its 16-bit number, and the offset and length of its text.

        Its clocks, evaluation and drawings are set to missing. Return False if there is no room.
        """
        row: Size = self.plies
        if row == self.max_plies:
            return False
        self.move[row] = move
        self.san[row] = start
        self.san_length[row] = length
        if self.requested_columns & WANT_CLOCKS:
            self.clock[row] = NO_CLOCK
        if self.requested_columns & WANT_EMTS:
            self.emt[row] = NO_CLOCK
        if self.requested_columns & WANT_EVALS:
            self.eval[row] = NO_EVAL
        if self.requested_columns & WANT_SHAPES:
            self.arrows[row] = self.arrows_length[row] = 0
            self.circles[row] = self.circles_length[row] = 0
        self.plies = row + 1
        return True

    def add_variation_move(self, move: i32, line: i32, start: Size, length: Size) -> bool:
        """Add a move of a variation: its 16-bit number, and the offset and length of its text.

        `line` is the index of the variation in the game. Return False if there is no room.
        """
        row: Size = self.sides
        if row == self.max_plies:
            return False
        self.side_move[row] = move
        self.side_line[row] = line
        self.side_san[row] = start
        self.side_san_length[row] = length
        self.sides = row + 1
        return True

    def add_variation(self, node: i32) -> bool:
        """Add a variation that replaces the move `node`.

        `node` is the index of a move of the main line, or −1 − the index of a move of the variations. Return
        False if there is no room.
        """
        row: Size = self.lines
        if row == self.max_plies:
            return False
        self.line_node[row] = node
        self.lines = row + 1
        return True

    def add_nag(self, nag: i32, node: i32) -> bool:
        """Add an annotation glyph (NAG), such as 1 for ``!``, to the move `node`.

        `node` is the index of a move of the main line, or −1 − the index of a move of the variations. Return
        False if there is no room.
        """
        row: Size = self.nags
        if row == self.max_plies:
            return False
        self.nag[row] = nag
        self.nag_node[row] = node
        self.nags = row + 1
        return True

    def add_comment(self, start: Size, length: Size, folded: i32, node: i32, after: i32) -> bool:
        """Add a comment by the offset and length of its text. Return False if there is no room.

        Args:
            start: The offset of the text.
            length: The number of bytes of the text.
            folded: 1 if the comment has line breaks, else 0.
            node: The move that the comment belongs to: its index in the main line, or −1 − its index among
                the moves of the variations.
            after: 1 if the comment follows the move, 0 if it precedes it, or WAITING plus the nesting depth
                while the move is not known yet.
        """
        row: Size = self.comments
        if row == self.max_plies:
            return False
        self.comment[row], self.comment_length[row] = start, length
        self.comment_folded[row] = folded
        self.comment_node[row] = node
        self.comment_after[row] = after
        self.comments = row + 1
        return True

    # --- notes --------------------------------------------------------------------------------------

    def add_respelled(self, text: Out, length: i32) -> Size:
        """Add the SAN of a move that was written in another way.

        Return what stands for its offset in the columns ``san`` and ``side_san``, or 0 if there is no room.
        """
        offset: Size = self.respelled_size
        i: i32
        if offset + length > self.max_respelled_bytes:
            return 0
        for i in range(length):
            self.respelled[offset + i] = text[i]
        self.respelled_size = offset + length
        return -1 - offset

    def add_note(self, kind: i32, start: Size, length: Size) -> bool:
        """Add a note about the `length` bytes at `start`. Return False if there is no room.

        `kind` is an index of `columns.NOTE_CODES`, such as RESULT_MISSING.
        """
        row: Size = self.notes
        if row == self.max_plies:
            return False
        self.note_kind[row] = kind
        self.note[row], self.note_length[row] = start, length
        self.notes = row + 1
        return True

    def add_error(self, position: Position, start: Size, length: Size) -> bool:
        """Add a note about a word that is not a legal move in `position`. Return False if there is no room.

        The word has `length` bytes from the offset `start`. The first such word of a game also gets a row in
        the table of errors, which has as much room as the table of games.
        """
        row: Size = self.errors
        if not self.add_note(MOVE_REJECTED, start, length):
            return False
        if not self.game_errors:
            self.error_note[row] = self.notes - 1
            self.error_fen_length[row] = (
                put_text(position, self.error_fen, MAX_FEN_BYTES * row) - MAX_FEN_BYTES * row
            )
            self.errors = row + 1
        self.game_errors += 1
        return True

    # --- positions ----------------------------------------------------------------------------------

    def add_position(self, position: Position, changed: u64) -> bool:
        """Add a position of the main line to the requested columns: key, packed form, board, planes and FEN.

        `changed` is the set of squares whose pieces differ from the position before. Return False if there is
        no room.
        """
        row: Size = self.positions
        if self.requested_columns & WANT_KEYS:
            put_key(position, self.key, KEY_BYTES * row)
        if (self.requested_columns & WANT_PACKED) and not write_padded_form(
            position, self.packed, self.packed_width * row, self.packed_width
        ):
            return False
        if self.requested_columns & WANT_BOARDS:
            self.add_board(position, changed)
        if self.requested_columns & WANT_PLANES:
            put_planes(position, self.plane_rules, self.planes, self.plane_size * row)
        if (self.requested_columns & WANT_FENS) and not self.add_fen(position):
            return False
        self.positions = row + 1
        return True

    def add_fen(self, position: Position) -> bool:
        """Add the FEN of a position, in canonical form, to the column of texts.

        Return False if there is no room.
        """
        row: Size = self.positions
        if self.fen_size + MAX_FEN_BYTES > self.max_fen_bytes:
            return False
        self.fen_offsets[row] = self.fen_size
        self.fen_size = put_text(position, self.fen_chars, self.fen_size)
        self.fen_offsets[row + 1] = self.fen_size
        return True

    def add_board(self, position: Position, changed: u64) -> None:
        """Add the board of a position, one byte per square: 0 for none, 1 to 12 for a piece, a1 first.

        To save time, the board of the position before is copied, and only the squares in `changed` are
        written. For the first position of a game, `changed` must contain all squares.
        """
        start: Size = SQUARES * self.positions
        square: i32
        if self.positions > self.first_position:
            copy_within(self.board, start, start - SQUARES, SQUARES)
        while changed:
            square = lsb(changed)
            changed &= changed - 1  # Remove the lowest square.
            self.board[start + square] = board_cell(position, square)


def _is_free(buffer: bytearray | None) -> bool:
    """Return whether `buffer` exists and no caller holds a `memoryview` of it.

    Python refuses to resize a buffer that has a view, so appending a byte is the test. The byte is removed
    again.
    """
    if buffer is None:
        return False
    try:
        buffer.append(0)
    except BufferError:
        return False
    buffer.pop()
    return True


def board_cell(position: Position, square: i32) -> i32:
    """Return the number of the piece on a square: 0 for none, 1 to 6 for White's and 7 to 12 for Black's.

    The order of the kinds is pawn, knight, bishop, rook, queen, king.
    """
    bit: u64 = ONE << square
    kind: i32
    if not ((position.white | position.black) & bit):
        return 0
    if position.pawns & bit:
        kind = 1
    elif position.knights & bit:
        kind = 2
    elif position.bishops & bit:
        kind = 3
    elif position.rooks & bit:
        kind = 4
    elif position.queens & bit:
        kind = 5
    else:
        kind = 6
    return kind if position.white & bit else kind + PIECE_KINDS
