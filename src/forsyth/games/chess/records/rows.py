# cython: boundscheck=False, wraparound=False
"""The rows of chess records in memory: columns of fixed room that a kernel fills without the GIL.

A game's rows are put one after the other, and dropped together where the game turns out to be one for the
record reader. Nothing is written behind the room: what does not fit is refused, and the game with it.

The module runs as it is and compiles with Cython (`record_rows.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.numbers.planes import plane_shape
from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, lsb, u64
    from forsyth.games.chess.notation.kernel import put_text
    from forsyth.games.chess.numbers.column import put_form, put_key
    from forsyth.games.chess.numbers.planes import put_planes
    from forsyth.games.chess.position import CRAZYHOUSE, STANDARD, THREE_CHECK
    from forsyth.kit.numbers.column_verbs import fill

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
    WANT_COMMANDS: Final = 15
    WANT_POSITIONS: Final = 496
    FEN_ROOM: Final = 320
    """The longest text that `put_text` writes."""
    WAITING: Final = 2
    NO_CLOCK: Final = -1
    NO_EVAL: Final = -(2**31)

    def places_of(view: memoryview) -> memoryview:
        """Where the numbers of a view are."""
        return view

    numbers_of = shorts_of = writable = places_of

    def copy_row(out: memoryview, to: int, at: int, size: int) -> None:
        """Copy some bytes inside a column."""
        out[to : to + size] = bytes(out[at : at + size])


WANTS: Final = {
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
TAGS_PER_GAME: Final = 32
"""How many tags there is room for, on average: servers write about twenty."""

COLUMNS: Final = (
    *((name, "q", "games", 1, 0) for name in ("start", "end")),
    *((name, "B", "games", 1, 0) for name in ("verdict", "result", "variant", "setup")),
    ("end_key", "B", "games", 16, 0),
    *((f"first_{name}", "i", "offsets", 1, 0) for name in ("tag", "ply", "position", "comment", "nag")),
    *((f"first_{name}", "i", "offsets", 1, 0) for name in ("line", "side")),
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
    ("key", "B", "positions", 16, WANT_KEYS),
    ("packed", "B", "positions", 0, WANT_PACKED),
    ("board", "B", "positions", 64, WANT_BOARDS),
    ("planes", "B", "positions", 0, WANT_PLANES),
    ("fen_chars", "B", "characters", 1, WANT_FENS),
    ("fen_offsets", "i", "texts", 1, WANT_FENS),
)
"""Name, format, what it has rows for, the numbers of a row (0: as the game says), what must be wanted."""

FORMS: Final = {name: (form, width) for name, form, _, width, _ in COLUMNS}
TABLES: Final = {name: (rows, wanted) for name, _, rows, _, wanted in COLUMNS}
_SIZES: Final = {"B": 1, "H": 2, "i": 4, "q": 8}


def _rules_with(plane_size: int) -> int:
    """A variant whose planes have so many bytes; two with as many have the same planes."""
    for rules in (STANDARD, CRAZYHOUSE, THREE_CHECK):
        if plane_shape(rules).size == plane_size:
            return rules
    raise ValueError(f"no variant of chess has planes of {plane_size} bytes")


class Rows:
    """The columns, and how many rows of each kind there are."""

    def __init__(self, wants: int, games: int, plies: int, packed_width: int, plane_size: int) -> None:
        self.wants = wants
        self.game_room, self.ply_room = games, plies
        self.tag_room = TAGS_PER_GAME * games
        self.fen_room = 96 * (plies + games) + FEN_ROOM
        self.packed_width, self.plane_size = packed_width, plane_size
        self.plane_rules = _rules_with(plane_size)
        self.widths = {"packed": packed_width, "planes": plane_size}
        self.buffers: dict[str, bytearray] = {}
        self.looked_at = False
        """Whether somebody may hold a column."""
        self.renew()

    def renew(self) -> None:
        """No rows; columns that somebody looks at stay as they are, and what comes next has others."""
        if self.buffers and not self.looked_at:
            self.clear()
            return
        self.looked_at = False
        rooms = {
            "games": self.game_room,
            "offsets": self.game_room + 1,
            "tags": self.tag_room,
            "positions": self.ply_room + self.game_room,
            "texts": self.ply_room + self.game_room + 1,
            "characters": self.fen_room,
        }
        buffers = self.buffers
        for name, form, rows, width, wanted in COLUMNS:
            if _is_free(buffers.get(name)):
                continue
            size = rooms.get(rows, self.ply_room) * (width or self.widths[name])
            buffers[name] = bytearray(1 if wanted and not self.wants & wanted else size * _SIZES[form] + 1)
        self.set_columns()
        self.clear()

    def view(self, name: str, rows: int | None = None) -> memoryview:
        """A column, or its first rows."""
        form, width = FORMS[name]
        buffer = self.buffers[name]
        width = width or self.widths[name]
        room = len(buffer) // _SIZES[form] * _SIZES[form]
        view: memoryview = memoryview(buffer)[:room].cast(form)  # type: ignore[call-overload]
        return view if rows is None else view[: rows * width]

    def column(self, name: str) -> memoryview:
        """The rows of a column; `KeyError` where there is none of that name, or it was not asked for."""
        rows, wanted = TABLES[name]
        if wanted and not self.wants & wanted:
            raise KeyError(f"the column {name} was not asked for")
        counts = {
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
        }
        self.looked_at = True
        return self.view(name, counts[rows])

    def set_columns(self) -> None:
        """Where the columns lie."""
        views = {name: self.view(name) for name in FORMS}
        self.start, self.end = places_of(views["start"]), places_of(views["end"])
        self.verdict, self.result = writable(views["verdict"]), writable(views["result"])
        self.variant, self.setup = writable(views["variant"]), writable(views["setup"])
        self.end_key = writable(views["end_key"])
        self.tags_from, self.plies_from = numbers_of(views["first_tag"]), numbers_of(views["first_ply"])
        self.positions_from = numbers_of(views["first_position"])
        self.comments_from, self.nags_from = (
            numbers_of(views["first_comment"]),
            numbers_of(views["first_nag"]),
        )
        self.lines_from, self.sides_from = numbers_of(views["first_line"]), numbers_of(views["first_side"])
        self.tag_name = numbers_of(views["tag_name"])
        self.tag_name_length = numbers_of(views["tag_name_length"])
        self.tag_value = numbers_of(views["tag_value"])
        self.tag_value_length = numbers_of(views["tag_value_length"])
        self.tag_escaped = writable(views["tag_escaped"])
        self.move, self.side_move = shorts_of(views["move"]), shorts_of(views["side_move"])
        self.san, self.side_san = numbers_of(views["san"]), numbers_of(views["side_san"])
        self.side_line, self.line_node = numbers_of(views["side_line"]), numbers_of(views["line_node"])
        self.san_length = writable(views["san_length"])
        self.side_san_length = writable(views["side_san_length"])
        self.clock, self.emt = numbers_of(views["clock"]), numbers_of(views["emt"])
        self.eval = numbers_of(views["eval"])
        self.arrows, self.arrows_length = numbers_of(views["arrows"]), numbers_of(views["arrows_length"])
        self.circles, self.circles_length = numbers_of(views["circles"]), numbers_of(views["circles_length"])
        self.comment, self.comment_length = numbers_of(views["comment"]), numbers_of(views["comment_length"])
        self.comment_node, self.nag_node = numbers_of(views["comment_node"]), numbers_of(views["nag_node"])
        self.comment_folded = writable(views["comment_folded"])
        self.comment_after, self.nag = writable(views["comment_after"]), writable(views["nag"])
        self.key, self.packed = writable(views["key"]), writable(views["packed"])
        self.board, self.planes = writable(views["board"]), writable(views["planes"])
        self.fen_chars, self.fen_offsets = writable(views["fen_chars"]), numbers_of(views["fen_offsets"])

    def clear(self) -> None:
        """No rows."""
        self.games = self.asked = self.tags = self.plies = self.positions = 0
        self.comments = self.nags = self.lines = self.sides = self.fen_size = 0
        self.begin_game()
        self.close_row(0)

    # --- one game -----------------------------------------------------------------------------------

    def begin_game(self) -> None:
        """From here on rows are those of the next game."""
        self.first_tag, self.first_ply, self.first_position = self.tags, self.plies, self.positions
        self.first_comment, self.first_nag = self.comments, self.nags
        self.first_line, self.first_side, self.first_fen = self.lines, self.sides, self.fen_size

    def drop_game(self) -> None:
        """Take the rows of the game back."""
        self.tags, self.plies, self.positions = self.first_tag, self.first_ply, self.first_position
        self.comments, self.nags = self.first_comment, self.first_nag
        self.lines, self.sides, self.fen_size = self.first_line, self.first_side, self.first_fen

    def put_ending(self, position: Position, result: i32, setup: i32) -> None:
        """Say how the game ended."""
        row: Size = self.games
        self.result[row] = result
        self.variant[row] = position.rules
        self.setup[row] = setup
        put_key(position, self.end_key, 16 * row)

    def end_game(self, at: Size, end: Size, verdict: i32) -> None:
        """Close the row of the game, or of the stretch that is left to the record reader."""
        row: Size = self.games
        self.verdict[row] = verdict
        self.start[row], self.end[row] = at, end
        if verdict == 0:
            self.result[row] = self.variant[row] = self.setup[row] = 0
            fill(self.end_key, 16 * row, 16, 0)
        self.games = row + 1
        self.asked += 1 - verdict
        self.begin_game()
        self.close_row(row + 1)

    def close_row(self, row: Size) -> None:
        """Where the rows of one game end those of the next begin."""
        self.tags_from[row], self.plies_from[row] = self.tags, self.plies
        self.positions_from[row], self.comments_from[row] = self.positions, self.comments
        self.nags_from[row], self.lines_from[row] = self.nags, self.lines
        self.sides_from[row] = self.sides
        if self.wants & WANT_FENS:
            self.fen_offsets[self.positions] = self.fen_size

    # --- its rows -----------------------------------------------------------------------------------

    def put_tag(self, name: Size, name_length: Size, value: Size, length: Size, escaped: i32) -> bool:
        """A tag; whether there is room."""
        row: Size = self.tags
        if row == self.tag_room:
            return False
        self.tag_name[row], self.tag_name_length[row] = name, name_length
        self.tag_value[row], self.tag_value_length[row] = value, length
        self.tag_escaped[row] = escaped
        self.tags = row + 1
        return True

    def put_ply(self, move: i32, at: Size, length: Size) -> bool:
        """A move of the main line; whether there is room."""
        row: Size = self.plies
        if row == self.ply_room:
            return False
        self.move[row] = move
        self.san[row] = at
        self.san_length[row] = length
        if self.wants & WANT_CLOCKS:
            self.clock[row] = NO_CLOCK
        if self.wants & WANT_EMTS:
            self.emt[row] = NO_CLOCK
        if self.wants & WANT_EVALS:
            self.eval[row] = NO_EVAL
        if self.wants & WANT_SHAPES:
            self.arrows[row] = self.arrows_length[row] = 0
            self.circles[row] = self.circles_length[row] = 0
        self.plies = row + 1
        return True

    def put_side(self, move: i32, line: i32, at: Size, length: Size) -> bool:
        """A move of a variation; whether there is room."""
        row: Size = self.sides
        if row == self.ply_room:
            return False
        self.side_move[row] = move
        self.side_line[row] = line
        self.side_san[row] = at
        self.side_san_length[row] = length
        self.sides = row + 1
        return True

    def put_line(self, node: i32) -> bool:
        """A variation, by the move that it could replace; whether there is room."""
        row: Size = self.lines
        if row == self.ply_room:
            return False
        self.line_node[row] = node
        self.lines = row + 1
        return True

    def put_nag(self, nag: i32, node: i32) -> bool:
        """A glyph; whether there is room."""
        row: Size = self.nags
        if row == self.ply_room:
            return False
        self.nag[row] = nag
        self.nag_node[row] = node
        self.nags = row + 1
        return True

    def put_comment(self, at: Size, length: Size, folded: i32, node: i32, after: i32) -> bool:
        """A comment; whether there is room."""
        row: Size = self.comments
        if row == self.ply_room:
            return False
        self.comment[row], self.comment_length[row] = at, length
        self.comment_folded[row] = folded
        self.comment_node[row] = node
        self.comment_after[row] = after
        self.comments = row + 1
        return True

    # --- positions ----------------------------------------------------------------------------------

    def put_position(self, position: Position, changed: u64) -> bool:
        """A position of the main line, and where it differs from the one before; whether there is room."""
        row: Size = self.positions
        if self.wants & WANT_KEYS:
            put_key(position, self.key, 16 * row)
        if self.wants & WANT_PACKED and not put_form(
            position, self.packed, self.packed_width * row, self.packed_width
        ):
            return False
        if self.wants & WANT_BOARDS:
            self.put_cells(position, changed)
        if self.wants & WANT_PLANES:
            put_planes(position, self.plane_rules, self.planes, self.plane_size * row)
        if self.wants & WANT_FENS and not self.put_fen(position):
            return False
        self.positions = row + 1
        return True

    def put_fen(self, position: Position) -> bool:
        """The canonical text of a position; whether there is room."""
        row: Size = self.positions
        if self.fen_size + FEN_ROOM > self.fen_room:
            return False
        self.fen_offsets[row] = self.fen_size
        self.fen_size = put_text(position, self.fen_chars, self.fen_size)
        self.fen_offsets[row + 1] = self.fen_size
        return True

    def put_cells(self, position: Position, changed: u64) -> None:
        """The men square by square: as before but for some squares, which are all squares of a first one."""
        at: Size = 64 * self.positions
        square: i32
        if self.positions > self.first_position:
            copy_row(self.board, at, at - 64, 64)
        while changed:
            square = lsb(changed)
            changed &= changed - 1
            self.board[at + square] = cell_of(position, square)


def _is_free(buffer: bytearray | None) -> bool:
    """Whether there is a buffer and nobody looks at it: one that somebody looks at cannot change its size."""
    if buffer is None:
        return False
    try:
        buffer.append(0)
    except BufferError:
        return False
    buffer.pop()
    return True


def cell_of(position: Position, square: i32) -> i32:
    """What stands on a square: 0 nothing, 1 to 6 White's pawn to king, 7 to 12 Black's."""
    bit: u64 = ONE << square
    kind: i32
    if not (position.white | position.black) & bit:
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
    return kind if position.white & bit else kind + 6
