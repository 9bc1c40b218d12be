"""An Azul position: an immutable, hashable value for one moment of a game with two to four players.

A position holds the content of a text, with its order of tiles, so it can be one that no game reaches (see
`check`). Tiles are strings of letters, and an empty factory or centre is the empty string. A standard text
(v1) contains only the visible part. The rest is assumed, and `complete` is False: the marker is in the
centre, the current player has begun the round, and the bag holds all tiles that are not visible. Such a
position is still written as a standard text.

Equality and key ignore the order of tiles on factories and in the centre, and the spelling of pattern lines.
`str()` returns the canonical text. The canonical text, `key` and `packed` never change between versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth import queries
from forsyth.arguments import quoted
from forsyth.games.azul.tiles import COLOURS, MARKER, MAX_PLAYERS, MIN_PLAYERS, factory_count, sort_tiles
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.azul.game import AzulGame

    # A move is its text. With the annotation `str` the compiled method would raise a different error.
    Move = str

if not cython.compiled:
    from forsyth.games.azul.tiles import SIZE

    UNKNOWN: Final = -1

Name = str
"""Name of a place. Cython does not know this alias, so a wrong type raises the error of this package."""

_CELLS: Final = f"-{COLOURS}"
_FLOOR_LETTERS: Final = COLOURS + MARKER
OFFER: Final = "o"
TILING: Final = "t"
DONE: Final = "d"
ENDED: Final = "e"
PHASES: Final = {OFFER: "offer", TILING: "tiling due", DONE: "tiling done", ENDED: "ended"}
"""Words for the phases (spec/azul 2).

The next step is a move in `OFFER`, the tiling in `TILING`, a deal or the bonuses in `DONE`, and nothing in
`ENDED`.
"""


class Board:
    """The board of one player."""

    if not cython.compiled:
        __slots__ = ("floor", "held", "lines", "open_line_bits", "score", "wall", "wide")
        wall: tuple[str, ...]
        """Five rows of five cells: a letter, or ``-`` for an empty cell."""
        lines: tuple[str, ...]
        """The tiles of the five pattern lines, an empty string for an empty line."""
        floor: str
        """The tiles of the floor line in order of arrival, and the marker if it occupies a space."""
        held: bool
        """True if the player holds the marker beside a full floor line (spec/azul 1.5, E1)."""
        score: int
        wide: bool
        """True if the text wrote each pattern line with five characters."""
        open_line_bits: int
        """Cached result of `moves.find_open_lines`, or UNKNOWN."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a board does not change: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a board does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        """Raise `TypeError`, because a board comes from a text, a move or `build_board`."""
        raise TypeError("a Board cannot be created directly; parse a text or play a move")

    @property
    def floor_tiles(self) -> str:
        """The tiles of the floor line without the marker."""
        return self.floor.replace(MARKER, "")

    def values(self) -> tuple[Any, ...]:
        """Return the values that equality and hash compare: wall, lines, floor, marker and score.

        `wide`, the spelling of the pattern lines in the text, is left out, because it does not change the
        game.
        """
        return self.wall, self.lines, self.floor, self.held, self.score

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and the arguments with which a copy is made when the board is unpickled."""
        return build_board, (*self.values(), self.wide)

    def __repr__(self) -> str:
        wall, lines = "|".join(self.wall), "|".join(self.lines)
        return f"<Board {wall} {lines} {self.floor or '-'} {self.score}>"


class Position:
    """One moment of a game of Azul. Use `game("azul").parse` to create one."""

    if not cython.compiled:
        __slots__ = (
            "bag",
            "boards",
            "center",
            "complete",
            "current",
            "discard",
            "factories",
            "is_sound",
            "marker_in_center",
            "phase",
            "round",
            "start",
        )
        factories: tuple[str, ...]
        center: str
        marker_in_center: bool
        boards: tuple[Board, ...]
        phase: str
        round: int
        current: int
        """Number of the player to move. After a round see spec/azul 2."""
        start: int
        """Number of the player who began the round. After the tiling: who begins the next round."""
        bag: tuple[int, ...]
        discard: tuple[int, ...]
        complete: bool
        """True if the text contained all of these values, False if some are assumed."""
        is_sound: bool
        """True if the content is known to have no error, so that the check can be skipped."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        """Raise `TypeError`, because a position comes from a text, a move or `build_position`."""
        raise TypeError("a Position cannot be created directly; parse a text or play a move")

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.boards)

    @property
    def on_display(self) -> str:
        """All tiles on the factories and in the centre, as a string of letters such as ``BBYRW``."""
        return "".join(self.factories) + self.center

    @property
    def key(self) -> str:
        """A key of 32 hexadecimal digits, the same for all texts of one position.

        The key of a position is the same in all versions of Forsyth.
        """
        from forsyth.games.azul.numbers.packed import position_key

        return position_key(self)

    @property
    def packed(self) -> bytes:
        """The position as bytes, from which `AzulGame.unpack` restores it.

        The bytes of a position are the same in all versions of Forsyth.
        """
        from forsyth.games.azul.numbers.packed import pack

        return pack(self)

    def values(self) -> tuple[Any, ...]:
        """Return the values that equality and hash compare, such as the boards and the round.

        The tiles of each factory and of the centre are sorted, because their order does not matter.
        """
        return (
            tuple([sort_tiles(factory) for factory in self.factories]),
            sort_tiles(self.center),
            self.marker_in_center,
            self.boards,
            self.phase,
            self.round,
            self.current,
            self.start,
            self.bag,
            self.discard,
            self.complete,
        )

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the function and the arguments with which a copy is made when the position is unpickled."""
        return build_position, tuple([getattr(self, name) for name in POSITION_FIELDS])

    def __str__(self) -> str:
        from forsyth.games.azul.notation.write import write_canonical

        return write_canonical(self)

    def __repr__(self) -> str:
        return f"<Position {str(self)!r}>"

    @property
    def fen(self) -> str:
        """The canonical text of the position, the same as ``str(position)``."""
        return str(self)

    @property
    def game(self) -> AzulGame:
        """The game with as many players as this position."""
        from forsyth.games.azul.game import get_game

        return get_game(self.players)

    def moves(self) -> list[Move]:
        """Return the legal moves, such as ``0B2``; the list is empty between the rounds."""
        return self.game.moves(self)

    def play(self, move: Move) -> Position:
        """Return the position after a legal move such as ``0B2``, or an action such as ``tile``.

        Raise `MoveError` if `move` is neither.
        """
        return self.game.play(self, move)

    def san(self, move: Move) -> str:
        """Return a legal move in canonical notation, such as ``0B2``. `move` may be a text in any notation.

        Raise `MoveError` if the text does not name a legal move.
        """
        game = self.game
        return game.write_move(self, game.read_move(self, move))

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game, or None if it has not ended."""
        return self.game.outcome(self)

    def piece_map(self) -> dict[str, str]:
        """Return the letters of the tiles by the places where they lie, such as ``f0`` for factory 0.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).piece_map()["f0"]
        'B'
        """
        return queries.map_pieces(self.scene())

    def material(self) -> dict[str, int]:
        """Return the number of tiles of each letter in the scene, the first-player marker included.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).material()
        {'B': 5, 'Y': 2, 'K': 5, 'W': 4, 'R': 4, 'F': 1}
        """
        return queries.count_pieces(self.scene())

    def targets(self, square: Name) -> tuple[str, ...]:
        """Return the places to which tiles of the place `square`, such as ``f0``, may be moved.

        Raise `ValueError` if the scene has no place with this name.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).targets("f0")
        ('p0l0', 'p0l1', 'p0l2', 'p0l3', 'p0l4', 'p0f')
        """
        return queries.list_targets(self.game, self, square)

    def scene(self) -> Scene:
        """Return the drawing of the position, which can be saved as SVG or shown in a terminal."""
        from forsyth.games.azul.drawing.scene import scene

        return scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()


if not cython.compiled:

    class _DraftBoard(Board):
        """A board under construction: its values can be set until `seal_board` turns it into a `Board`."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    class _DraftPosition(Position):
        """A position under construction.

        Its values can be set until `seal_position` turns it into a `Position`.
        """

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def draft_board() -> Board:
        """Return a new board without values. They can be set until `seal_board` makes it immutable."""
        board: Board = object.__new__(_DraftBoard)
        board.open_line_bits = UNKNOWN
        return board

    def seal_board(board: Board) -> Board:
        """Make a draft board immutable, in place, and return it."""
        board.__class__ = Board
        return board

    def draft_position() -> Position:
        """Return a new position without values. They can be set until `seal_position` makes it immutable."""
        position: Position = object.__new__(_DraftPosition)
        position.is_sound = False
        return position

    def seal_position(position: Position) -> Position:
        """Make a draft position immutable, in place, and return it."""
        position.__class__ = Position
        return position

    def cache_open_lines(board: Board, line_bits: int) -> None:
        """Store `line_bits`, the result of `moves.find_open_lines` for the board, in the board itself.

        Equality and hash ignore the stored number.
        """
        object.__setattr__(board, "open_line_bits", line_bits)


def copy_position(position: Position) -> Position:
    """Return a copy of a position whose values can be set until `seal_position` makes it immutable."""
    copy = draft_position()
    copy.factories = position.factories
    copy.center = position.center
    copy.marker_in_center = position.marker_in_center
    copy.boards = position.boards
    copy.phase = position.phase
    copy.round = position.round
    copy.current = position.current
    copy.start = position.start
    copy.bag = position.bag
    copy.discard = position.discard
    copy.complete = position.complete
    copy.is_sound = position.is_sound
    return copy


def copy_board(board: Board) -> Board:
    """Return a copy of a board whose values can be set until `seal_board` makes it immutable."""
    copy = draft_board()
    copy.wall = board.wall
    copy.lines = board.lines
    copy.floor = board.floor
    copy.held = board.held
    copy.score = board.score
    copy.wide = board.wide
    copy.open_line_bits = board.open_line_bits
    return copy


def build_board(
    wall: tuple[str, ...], lines: tuple[str, ...], floor: str, held: bool, score: int, wide: bool = True
) -> Board:
    """Return the board with these values.

    Args:
        wall: Five rows of five cells, each a colour or ``-``.
        lines: The tiles of the five pattern lines.
        floor: The tiles of the floor line, and the marker if it occupies a space.
        held: Whether the player holds the marker beside a full floor line.
        score: The points of the player.
        wide: Whether texts write each pattern line with five characters.

    Raises:
        ValueError: If the wall, the lines or the floor have a wrong length or unknown letters.
    """
    board = draft_board()
    board.wall = wall
    board.lines = lines
    board.floor = floor
    board.held = held
    board.score = score
    board.wide = wide
    _require_board_shape(board)
    return seal_board(board)


def _require_board_shape(board: Board) -> None:
    """Raise `ValueError` if the wall, the lines or the floor have a wrong length or unknown letters.

    The compiled rules cannot read such boards. Boards that break the rules of the game are allowed.
    """
    has_valid_rows = all(_consists_of(row, _CELLS) and len(row) == SIZE for row in board.wall)
    if len(board.wall) != SIZE or not has_valid_rows:
        raise ValueError(
            f"invalid wall {quoted(board.wall)},"
            f" expected {SIZE} rows of {SIZE} cells, each a colour or a dash"
        )
    has_valid_lines = all(_consists_of(line, COLOURS) for line in board.lines)
    if len(board.lines) != SIZE or not has_valid_lines:
        raise ValueError(
            f"invalid pattern lines {quoted(board.lines)}, expected {SIZE} strings of the letters {COLOURS}"
        )
    if not _consists_of(board.floor, _FLOOR_LETTERS):
        raise ValueError(
            f"invalid floor line {quoted(board.floor)}, expected a string of the letters {_FLOOR_LETTERS}"
        )


def _consists_of(tiles: object, letters: str) -> bool:
    """Return True if `tiles` is a string that has no character besides those in `letters`."""
    # Stripping stops at the first other character. Only a string without one becomes empty.
    return type(tiles) is str and not tiles.strip(letters)


def build_position(
    factories: tuple[str, ...],
    center: str,
    marker_in_center: bool,
    boards: tuple[Board, ...],
    phase: str,
    round: int,
    current: int,
    start: int,
    bag: tuple[int, ...],
    discard: tuple[int, ...],
    complete: bool,
) -> Position:
    """Return the position with these values, which have the meaning of the attributes of `Position`.

    Raise `ValueError` if a value has a wrong length, an unknown letter or a number out of range. Positions
    that break the rules of the game are allowed.
    """
    position = draft_position()
    position.factories = factories
    position.center = center
    position.marker_in_center = marker_in_center
    position.boards = boards
    position.phase = phase
    position.round = round
    position.current = current
    position.start = start
    position.bag = bag
    position.discard = discard
    position.complete = complete
    _require_position_shape(position)
    return seal_position(position)


def _require_position_shape(position: Position) -> None:
    """Raise `ValueError` if a value has a wrong length, an unknown letter or a number out of range.

    The compiled rules cannot read such positions. Positions that break the rules of the game are allowed.
    """
    players = len(position.boards)
    has_only_boards = all(type(board) is Board for board in position.boards)
    if not MIN_PLAYERS <= players <= MAX_PLAYERS or not has_only_boards:
        raise ValueError(
            f"invalid boards {quoted(position.boards)},"
            f" expected {MIN_PLAYERS} to {MAX_PLAYERS} values of type Board"
        )
    has_valid_factories = all(_consists_of(tiles, COLOURS) for tiles in position.factories)
    if len(position.factories) != factory_count(players) or not has_valid_factories:
        raise ValueError(
            f"invalid factories {quoted(position.factories)}, expected {factory_count(players)} strings"
            f" of the letters {COLOURS} for {players} players"
        )
    if not _consists_of(position.center, COLOURS):
        raise ValueError(
            f"invalid centre {quoted(position.center)}, expected a string of the letters {COLOURS}"
        )
    if position.phase not in PHASES:
        raise ValueError(f"invalid phase {quoted(position.phase)}, expected one of {', '.join(PHASES)}")
    has_valid_players = 0 <= position.current < players and 0 <= position.start < players
    if not has_valid_players:
        raise ValueError(
            f"the current player is {quoted(position.current)} and the starting player"
            f" {quoted(position.start)}, expected numbers from 0 to {players - 1}"
        )
    for counts in (position.bag, position.discard):
        has_only_integers = all(type(count) is int for count in counts)
        if len(counts) != SIZE or not has_only_integers:
            raise ValueError(
                f"invalid bag or discard {quoted(counts)}, expected {SIZE} counts, one for each colour"
            )


POSITION_FIELDS: Final = (
    "factories",
    "center",
    "marker_in_center",
    "boards",
    "phase",
    "round",
    "current",
    "start",
    "bag",
    "discard",
    "complete",
)
"""Names of the values of a position, in the order of the parameters of `build_position`."""


def replace_fields(position: Position, **values: Any) -> Position:
    """Return a copy of a position with other values in some fields, such as ``round=2``.

    The names of fields are those in `POSITION_FIELDS`. Other names are ignored. Raise `ValueError` if a value
    has a wrong length, an unknown letter or a number out of range.
    """
    old_values = {name: getattr(position, name) for name in POSITION_FIELDS}
    new_values = {name: values.get(name, old_value) for name, old_value in old_values.items()}
    return build_position(**new_values)
