"""An Azul position: an immutable, hashable value, one moment of a game of two to four players.

A position holds what a text can say, in the order in which it says it, and so may be one that cannot arise;
`check` says so. Tiles are strings of letters: a factory or the centre that is empty is the empty string. A
standard text (v1) shows the visible part only; what it does not show is assumed (`complete` is false): the
marker lies in the centre, whoever moves has begun the round, the bag holds all tiles not seen. Such a
position goes on being written as a standard text.

Equality and key do not mind the order of tiles on factories and in the centre, nor how pattern lines are
spelled. Writing: `str()` is the canonical text. Stability: canonical text, `key` and `packed` are promised
for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth import asking
from forsyth.games.azul.tiles import COLOURS, FEWEST_PLAYERS, MARKER, MOST_PLAYERS, factory_count, in_order
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.azul.game import AzulGame

    # A move is its text. Not said as `str`, which the compiled method would check with another error.
    Move = str

if not cython.compiled:
    from forsyth.games.azul.tiles import SIZE

    UNKNOWN: Final = -1

Name = str
"""What a place is given as. Cython does not know the name, so that the sentence of a wrong type is ours."""

_CELLS: Final = f"-{COLOURS}"
_ON_FLOOR: Final = COLOURS + MARKER
OFFER: Final = "o"
TILING: Final = "t"
DONE: Final = "d"
ENDED: Final = "e"
PHASES: Final = {OFFER: "offer", TILING: "tiling due", DONE: "tiling done", ENDED: "ended"}
"""What happens next: a move, the tiling, a deal or the bonuses, nothing (spec/azul 2)."""


class Board:
    """One player's board."""

    if not cython.compiled:
        __slots__ = ("floor", "held", "lines", "open", "score", "wall", "wide")
        wall: tuple[str, ...]
        """Five rows of five cells: a letter, or ``-`` for an empty cell."""
        lines: tuple[str, ...]
        """The tiles of the five pattern lines."""
        floor: str
        """The floor line in order of arrival, with the marker where it lies there."""
        held: bool
        """Whether the marker is held beside a full floor line (spec/azul 1.5, E1)."""
        score: int
        wide: bool
        """Whether the text spelled each pattern line with five characters."""
        open: int
        """What `moves.open_lines` has found out about the board, or UNKNOWN."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a board does not change: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a board does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        raise TypeError("boards come from reading a text or from playing a move")

    @property
    def floor_tiles(self) -> str:
        """The tiles of the floor line, without the marker."""
        return self.floor.replace(MARKER, "")

    def values(self) -> tuple[Any, ...]:
        """All that counts: how the lines were spelled does not."""
        return self.wall, self.lines, self.floor, self.held, self.score

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.values())

    def __reduce__(self) -> tuple[Any, ...]:
        return board_of, (*self.values(), self.wide)

    def __repr__(self) -> str:
        wall, lines = "|".join(self.wall), "|".join(self.lines)
        return f"<Board {wall} {lines} {self.floor or '-'} {self.score}>"


class Position:
    """One moment of one game of Azul. Build it with `game("azul").parse`."""

    if not cython.compiled:
        __slots__ = (
            "bag",
            "boards",
            "center",
            "complete",
            "current",
            "discard",
            "factories",
            "marker_in_center",
            "phase",
            "round",
            "sound",
            "start",
        )
        factories: tuple[str, ...]
        center: str
        marker_in_center: bool
        boards: tuple[Board, ...]
        phase: str
        round: int
        current: int
        """Whose turn it is; while a round is over, see spec/azul 2."""
        start: int
        """Who began the round; behind the tiling, who begins the next one."""
        bag: tuple[int, ...]
        discard: tuple[int, ...]
        complete: bool
        """Whether all of this was said, not assumed."""
        sound: bool
        """Whether the content is known to be without fault, so that nobody need look again."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        raise TypeError("positions come from reading a text or from playing a move")

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.boards)

    @property
    def on_display(self) -> str:
        """All tiles on factories and in the centre."""
        return "".join(self.factories) + self.center

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for all texts of one position, stable for ever."""
        from forsyth.games.azul.numbers.packed import position_key

        return position_key(self)

    @property
    def packed(self) -> bytes:
        """The binary form, stable for ever; see `packed`."""
        from forsyth.games.azul.numbers.packed import pack

        return pack(self)

    def values(self) -> tuple[Any, ...]:
        """All that counts: neither spelling nor the order of tiles on display does."""
        return (
            tuple([in_order(factory) for factory in self.factories]),
            in_order(self.center),
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
        return build, tuple([getattr(self, name) for name in FIELDS])

    def __str__(self) -> str:
        from forsyth.games.azul.notation.write import write_canonical

        return write_canonical(self)

    def __repr__(self) -> str:
        return f"<Position {str(self)!r}>"

    @property
    def game(self) -> AzulGame:
        """The game it belongs to, with as many players."""
        from forsyth.games.azul.game import game_for

        return game_for(self.players)

    def moves(self) -> list[Move]:
        """The legal moves."""
        return self.game.moves(self)

    def play(self, move: Move) -> Position:
        """The position after a legal move or action; raises `MoveError`."""
        return self.game.play(self, move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, or None; what a position alone can tell."""
        return self.game.outcome(self)

    def piece_map(self) -> dict[str, str]:
        """The tiles by the places of the scene.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).piece_map()["f0"]
        'B'
        """
        return asking.piece_map(self.scene())

    def material(self) -> dict[str, int]:
        """How many tiles of each letter the scene shows, the marker of the first player among them.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).material()
        {'B': 5, 'Y': 2, 'K': 5, 'W': 4, 'R': 4, 'F': 1}
        """
        return asking.material(self.scene())

    def targets(self, square: Name) -> tuple[str, ...]:
        """The places to which tiles of a place may go; raises `ValueError` for no such place.

        >>> import forsyth
        >>> forsyth.game("azul").new_game(1).targets("f0")
        ('p0l0', 'p0l1', 'p0l2', 'p0l3', 'p0l4', 'p0f')
        """
        return asking.targets(self.game, self, square)

    def scene(self) -> Scene:
        """What to draw of it."""
        from forsyth.games.azul.drawing.scene import scene

        return scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()


if not cython.compiled:

    class _DraftBoard(Board):
        """A board being built: it may still change, until `seal_board` makes a Board of it."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    class _Draft(Position):
        """A position being built: it may still change, until `seal` makes a Position of it."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def blank_board() -> Board:
        """A new board whose values may be set until it is sealed."""
        board: Board = object.__new__(_DraftBoard)
        board.open = UNKNOWN
        return board

    def seal_board(board: Board) -> Board:
        """End the building of a board."""
        board.__class__ = Board
        return board

    def blank() -> Position:
        """A new position whose values may be set until it is sealed."""
        position: Position = object.__new__(_Draft)
        position.sound = False
        return position

    def seal(position: Position) -> Position:
        """End the building of a position."""
        position.__class__ = Position
        return position

    def remember_open(board: Board, lines: int) -> None:
        """Keep what was found out about a board; this changes nothing that anybody can see."""
        object.__setattr__(board, "open", lines)


def copy_of(position: Position) -> Position:
    """A position with the same values that may still change, until it is sealed."""
    copy = blank()
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
    copy.sound = position.sound
    return copy


def copy_of_board(board: Board) -> Board:
    """A board with the same values that may still change, until it is sealed."""
    copy = blank_board()
    copy.wall = board.wall
    copy.lines = board.lines
    copy.floor = board.floor
    copy.held = board.held
    copy.score = board.score
    copy.wide = board.wide
    copy.open = board.open
    return copy


def board_of(
    wall: tuple[str, ...], lines: tuple[str, ...], floor: str, held: bool, score: int, wide: bool = True
) -> Board:
    """The board with these values; `ValueError` if they have not the shape of a board."""
    board = blank_board()
    board.wall = wall
    board.lines = lines
    board.floor = floor
    board.held = held
    board.score = score
    board.wide = wide
    _require_shape(board)
    return seal_board(board)


def _require_shape(board: Board) -> None:
    """Refuse what the compiled rules could not look at, not what is against the rules."""
    if len(board.wall) != SIZE or any(not _holds(row, _CELLS) or len(row) != SIZE for row in board.wall):
        raise ValueError(f"a wall has {SIZE} rows of {SIZE} cells, each a colour or a dash")
    if len(board.lines) != SIZE or any(not _holds(line, COLOURS) for line in board.lines):
        raise ValueError(f"a board has {SIZE} pattern lines of tiles")
    if not _holds(board.floor, _ON_FLOOR):
        raise ValueError("a floor line holds tiles and the marker")


def _holds(tiles: object, letters: str) -> bool:
    """Whether something is a text, and only of some letters."""
    return type(tiles) is str and not tiles.strip(letters)


def build(
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
    """The position with these values; `ValueError` if they have not the shape of a position."""
    position = blank()
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
    _require_table(position)
    return seal(position)


def _require_table(position: Position) -> None:
    """Refuse what the compiled rules could not look at, not what is against the rules."""
    players = len(position.boards)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS or any(
        type(one) is not Board for one in position.boards
    ):
        raise ValueError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} players have a board each")
    if len(position.factories) != factory_count(players) or any(
        not _holds(tiles, COLOURS) for tiles in position.factories
    ):
        raise ValueError(f"{players} players have {factory_count(players)} factories of tiles")
    if not _holds(position.center, COLOURS):
        raise ValueError("the centre holds tiles")
    if position.phase not in PHASES:
        raise ValueError(f"a phase is one of {', '.join(PHASES)}")
    if not 0 <= position.current < players or not 0 <= position.start < players:
        raise ValueError(f"the player to move and the one who begins are 0 to {players - 1}")
    for counts in (position.bag, position.discard):
        if len(counts) != SIZE or any(type(count) is not int for count in counts):
            raise ValueError(f"bag and discard are {SIZE} counts, one for each colour")


FIELDS: Final = (
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
"""The values of a position, in the order of `build`."""


def changed(position: Position, **values: Any) -> Position:
    """The same position with some other values."""
    return build(**{name: values.get(name, getattr(position, name)) for name in FIELDS})
