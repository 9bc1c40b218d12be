"""A chess position: an immutable, hashable value that may be illegal (`check` says so).

It holds what the six fields of a FEN say and nothing that follows from them, plus the extensions of
spec/chess 10 (promoted marks, pockets, remaining checks). Sets of squares are integers (see `board`).

Writing: `str()` is the canonical text. Stability: canonical text, `key` and `packed` are promised for ever.
Limits: clocks 0…9999, at most 64 men in the pockets.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted, whole_number
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.variants import VARIANTS
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.chess.game import Chess
    from forsyth.games.chess.rules.moves import Move
    from forsyth.games.chess.squares import Square

Name = str
"""What squares and sides are given as. Cython does not know the name, so that it takes a `Square` as well."""

LETTERS: Final = "PNBRQKpnbrqk"
STANDARD_RIGHTS: Final = (("K", 1 << 7), ("Q", 1 << 0), ("k", 1 << 63), ("q", 1 << 56))
"""Which rook each letter of a standard castling field means, in the order they are written."""
MAX_POCKET: Final = 64
"""Most men in the pockets together (spec/chess 10); a real game has at most 30."""
POCKET_ORDER: Final = "QRBNP"
"""Most valuable first, as pockets are written (spec/chess 10)."""

if not cython.compiled:
    from forsyth.games.chess.board import ALL, i32, lsb, msb, u64

    STANDARD: Final = 0
    CHESS960: Final = 1
    CRAZYHOUSE: Final = 2
    THREE_CHECK: Final = 3
    ATOMIC: Final = 4
    ANTICHESS: Final = 5
    HORDE: Final = 6
    KING_OF_THE_HILL: Final = 7
    RACING_KINGS: Final = 8


class Position:
    """One moment of one game of chess. Build it with `game("chess").parse`."""

    if not cython.compiled:
        __slots__ = (
            "bishops",
            "black",
            "black_pocket",
            "black_to_move",
            "ep_square",
            "full",
            "half",
            "kings",
            "knights",
            "pawns",
            "promoted",
            "queens",
            "ranks",
            "remaining",
            "rights",
            "rooks",
            "rules",
            "white",
            "white_pocket",
        )
        ranks: list[int]
        """The men rank by rank, until they are asked for; see `from_ranks`."""
        pawns: int
        knights: int
        bishops: int
        rooks: int
        queens: int
        kings: int
        white: int
        black: int
        rights: int
        """Squares of the rooks that may still castle."""
        promoted: int
        """Squares of promoted pieces, marked only in Crazyhouse."""
        white_pocket: int
        """Pieces in hand, one byte for each kind, pawns lowest."""
        black_pocket: int
        black_to_move: int
        ep_square: int
        """The square a pawn has just jumped over, or −1."""
        half: int
        full: int
        rules: int
        """Index into VARIANTS."""
        remaining: int
        """Checks still to give in Three-check: White's plus sixteen times Black's."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be set")

        if not TYPE_CHECKING:  # To a type checker this would be a position with every attribute.

            def __getattr__(self, name: str) -> int:
                # Reached only for a number that `from_ranks` has not set.
                if name in _ZERO:
                    return 0
                if name not in _LAZY:
                    raise AttributeError(f"a position has no {name}")
                planes = 0
                for rank in self.ranks:
                    planes = planes << 8 | rank
                men: dict[str, int] = dict(
                    zip(_LAZY, _PLANES.unpack(planes.to_bytes(64, "little")), strict=True)
                )
                for field, squares in men.items():
                    object.__setattr__(self, field, squares)
                return men[name]

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        raise TypeError("positions come from reading a text or from playing a move")

    @property
    def board(self) -> str:
        """64 characters a8…h8, a7…h1; ``.`` is an empty square."""
        cells = ["."] * 64
        for letter, squares in self.pieces():
            for square in bits(squares):
                cells[square ^ 56] = letter
        return "".join(cells)

    @property
    def side(self) -> str:
        """``w`` or ``b``."""
        return "b" if self.black_to_move else "w"

    @property
    def ep(self) -> str:
        """The square a pawn has just jumped over, or ``-``."""
        return "-" if self.ep_square < 0 else SQUARES[self.ep_square]

    @property
    def castling(self) -> str:
        """The castling rights as X-FEN writes them."""
        return castling_text(self, False)

    @property
    def variant(self) -> str:
        """The name of its rules, such as ``standard`` or ``atomic``."""
        return VARIANTS[self.rules]

    @property
    def pockets(self) -> str:
        """Pieces in hand, White's then Black's, most valuable first."""
        return _pocket_text(self.white_pocket, POCKET_ORDER) + _pocket_text(
            self.black_pocket, POCKET_ORDER.lower()
        )

    @property
    def checks(self) -> tuple[int, int]:
        """Checks White and Black still have to give (Three-check)."""
        return self.remaining & 15, self.remaining >> 4

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for all texts of one position, stable for ever."""
        from forsyth.games.chess.numbers.key import position_key

        return position_key(self)

    @property
    def kept_text(self) -> str:
        """The text that stands for it in stores, wrapped forms and links (see `marks`).

        >>> import forsyth
        >>> forsyth.game("chess", "atomic").parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").kept_text
        'atomic:4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
        """
        return f"{self.variant}:{self}" if self.rules > THREE_CHECK else str(self)

    @property
    def packed(self) -> bytes:
        """The binary form, stable for ever; see `packed`."""
        from forsyth.games.chess.numbers.packed import pack

        return pack(self)

    def pieces(self) -> tuple[tuple[str, int], ...]:
        """For each of ``PNBRQKpnbrqk`` the squares it stands on."""
        kinds = (self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings)
        return tuple(
            (letter, kinds[number % 6] & (self.black if number > 5 else self.white))
            for number, letter in enumerate(LETTERS)
        )

    def piece_at(self, square: Name) -> str | None:
        """The letter of the piece on a square such as ``e4``, or None; `ValueError` for no square."""
        if not isinstance(square, str) or square not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(square)} is not a square, expected a1 to h8")
        letter = self.board[SQUARE_NUMBER[square] ^ 56]
        return None if letter == "." else letter

    def fields(self) -> tuple[int, ...]:
        """Everything the position holds, as numbers."""
        return (
            self.pawns,
            self.knights,
            self.bishops,
            self.rooks,
            self.queens,
            self.kings,
            self.white,
            self.black,
            self.rights,
            self.promoted,
            self.white_pocket,
            self.black_pocket,
            self.black_to_move,
            self.ep_square,
            self.half,
            self.full,
            self.rules,
            self.remaining,
        )

    def replace(self, **changes: Any) -> Position:
        """The same position with some of its numbers changed."""
        values = dict(zip(FIELD_NAMES, self.fields(), strict=True))
        unknown = set(changes) - set(values)
        if unknown:
            raise TypeError(f"a position has no field {', '.join(sorted(unknown))}")
        values.update(changes)
        return from_fields(tuple(values.values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(self.fields())

    def __reduce__(self) -> tuple[Any, ...]:
        return from_fields, (self.fields(),)

    def __str__(self) -> str:
        from forsyth.games.chess.notation.kernel import encode

        return encode(self)

    def __repr__(self) -> str:
        extra = "" if self.rules == STANDARD else f", variant={self.variant!r}"
        return f"<Position {str(self)!r}{extra}>"

    @property
    def game(self) -> Chess:
        """The game it belongs to, in its variant."""
        from forsyth.games.chess.game import game_by

        return game_by(self.rules)

    def moves(self) -> list[Move]:
        """The legal moves."""
        return self.game.moves(self)

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given as the game gives it or as text; raises `MoveError`."""
        game = self.game
        return game.play(self, game.read_move(self, move) if isinstance(move, str) else move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, or None; what a position alone can tell."""
        return self.game.outcome(self)

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.game.is_check(self)

    def attackers(self, square: Name, side: Name | None = None) -> tuple[Square, ...]:
        """The squares of the men that attack a square: those of one side, ``w`` or ``b``, or of both.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/5n2/4P3/R3K3 w Q - 0 1").attackers("e1")
        ('a1', 'f3')
        """
        from forsyth.games.chess import asking

        return asking.attackers(self, square, side)

    @property
    def checkers(self) -> tuple[Square, ...]:
        """The squares of the men that give check to the side to move.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/5n2/4P3/R3K3 w Q - 0 1").checkers
        ('f3',)
        """
        from forsyth.games.chess import asking

        return asking.checkers(self)

    def pins(self, side: Name | None = None) -> dict[Square, Square]:
        """The pinned men of a side, by default the one to move, each with the man that pins it.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1").pins()
        {'e2': 'e7'}
        """
        from forsyth.games.chess import asking

        return asking.pins(self, side)

    def piece_map(self) -> dict[Square, str]:
        """The letters of the men by their squares, a1 first.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").piece_map()
        {'a1': 'R', 'e1': 'K', 'e8': 'k'}
        """
        from forsyth.games.chess import asking

        return asking.piece_map(self)

    def material(self) -> dict[str, int]:
        """How many men of each letter there are, on the board and in hand.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").material()
        {'R': 2, 'K': 1, 'k': 1}
        """
        from forsyth.games.chess import asking

        return asking.material(self)

    def targets(self, square: Name) -> tuple[Square, ...]:
        """Where the man on a square, or in Crazyhouse one in hand (``N@``), may go, a1 first.

        >>> import forsyth
        >>> forsyth.game("chess").new_game().targets("g1")
        ('f3', 'h3')
        """
        from forsyth.games.chess import asking

        return asking.targets(self, square)

    def lacks_material(self, side: Name) -> bool:
        """Whether a side, ``w`` or ``b``, can never win, however the other one helps.

        >>> import forsyth
        >>> position = forsyth.game("chess").parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
        >>> position.lacks_material("w"), position.lacks_material("b")
        (False, True)
        """
        from forsyth.games.chess import asking

        return asking.lacks_material(self, side)

    def mirror(self) -> Position:
        """The position with the sides exchanged and the board upside down: the same for the other side.

        Raises `ValueError` where the rules differ by side (Horde, Racing Kings).

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").mirror())
        'r3k3/8/8/8/8/8/8/4K3 b q - 0 1'
        """
        from forsyth.games.chess import asking

        return asking.mirror(self)

    def rotate(self) -> Position:
        """The position with its men turned right round, as a board copied from the other side needs; castling
        rights and an en-passant square that no longer fit are dropped.

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").rotate())
        '3K3R/8/8/8/8/8/8/3k4 w - - 0 1'
        """
        from forsyth.games.chess import asking

        return asking.rotate(self)

    def is_irreversible(self, move: Move | str) -> bool:
        """Whether no position from before a legal move can come again after it.

        >>> import forsyth
        >>> position = forsyth.game("chess").new_game()
        >>> position.is_irreversible("e4"), position.is_irreversible("Nf3")
        (True, False)
        """
        from forsyth.games.chess import asking

        return asking.is_irreversible(self, self._move(move))

    def pass_turn(self) -> Position:
        """The position after a null move; raises `MoveError` in check and after the end.

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").pass_turn())
        '4k3/8/8/8/8/8/8/4K3 b - - 1 1'
        """
        from forsyth.games.chess.rules.null_move import passed

        return passed(self)

    def claims_by_move(self) -> dict[Move, tuple[str, ...]]:
        """The moves with which a draw may be claimed, each with the reasons.

        A position alone knows no repetitions; `Match.claims_by_move` does.

        >>> import forsyth
        >>> forsyth.game("chess").parse("k7/8/8/8/8/8/P7/K7 w - - 99 80").claims_by_move()
        {<Move a1b1>: ('fifty moves',), <Move a1b2>: ('fifty moves',)}
        """
        from forsyth.games.chess import asking

        return asking.claims_by_move(self)

    @property
    def chess960_number(self) -> int | None:
        """The number of the Chess960 start that the men stand in, 0 to 959, or None.

        >>> import forsyth
        >>> forsyth.game("chess").new_game().chess960_number
        518
        """
        from forsyth.games.chess import asking

        return asking.chess960_number(self)

    def _move(self, move: Move | str) -> Move:
        """A legal move, given as the game gives it or as text; raises `MoveError`."""
        if isinstance(move, str):
            return self.game.read_move(self, move)
        # Writing a move asks whether it is legal here.
        self.game.write_move(self, move)
        return move

    def scene(self) -> Scene:
        """What to draw of it."""
        from forsyth.games.chess.drawing.scene import scene

        return scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()


FIELD_NAMES: Final = (
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "kings",
    "white",
    "black",
    "rights",
    "promoted",
    "white_pocket",
    "black_pocket",
    "black_to_move",
    "ep_square",
    "half",
    "full",
    "rules",
    "remaining",
)

if not cython.compiled:

    class _Draft(Position):
        """A position being built: it may still change, until `seal` makes a Position of it."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def blank() -> Position:
        """A new position whose numbers may be set until it is sealed."""
        return object.__new__(_Draft)

    def seal(position: Position) -> Position:
        """End the building of a position."""
        position.__class__ = Position
        return position

    def assign(to: Position, source: Position) -> None:
        """Give a position that is being built the numbers of another."""
        for name in FIELD_NAMES:
            setattr(to, name, getattr(source, name))

    def copy_of(position: Position) -> Position:
        """A position with the same numbers, which may be changed until it is sealed."""
        copy = blank()
        copy.pawns, copy.knights, copy.bishops = position.pawns, position.knights, position.bishops
        copy.rooks, copy.queens, copy.kings = position.rooks, position.queens, position.kings
        copy.white, copy.black = position.white, position.black
        copy.rights, copy.promoted = position.rights, position.promoted
        copy.white_pocket, copy.black_pocket = position.white_pocket, position.black_pocket
        copy.black_to_move, copy.ep_square = position.black_to_move, position.ep_square
        copy.half, copy.full = position.half, position.full
        copy.rules, copy.remaining = position.rules, position.remaining
        return copy

    Numbers = Position
    """The numbers of a position by themselves, kept without the GIL where this is compiled."""
    numbers_of = copy_of
    set_numbers = assign

    _PLANES: Final = Struct("<8Q")
    _LAZY: Final = FIELD_NAMES[:8]
    _ZERO: Final = frozenset(("promoted", "white_pocket", "black_pocket", "rules", "remaining"))

    def from_ranks(
        ranks: list[int], rights: int, black_to_move: int, ep_square: int, half: int, full: int
    ) -> Position:
        """A standard position whose men are given rank by rank, rank 8 first.

        Each rank holds the first eight numbers of the position, 64 bits each, as if it were rank 1. Reading
        a text must be fast without a compiler too: they are put together when first asked for.
        """
        position: Position = object.__new__(_Draft)
        position.ranks = ranks
        position.rights = rights
        position.black_to_move = black_to_move
        position.ep_square = ep_square
        position.half = half
        position.full = full
        position.__class__ = Position
        return position


def from_fields(values: tuple[Any, ...]) -> Position:
    """The position with these numbers, in the order of FIELD_NAMES; `ValueError` if no text can say them."""
    # Numbers of another class may compare as they like: what is checked must be what is kept.
    values = tuple([int(whole_number("a field of a position", value)) for value in values])
    _require_sound(values)
    position = blank()
    (
        position.pawns,
        position.knights,
        position.bishops,
        position.rooks,
        position.queens,
        position.kings,
        position.white,
        position.black,
        position.rights,
        position.promoted,
        position.white_pocket,
        position.black_pocket,
        position.black_to_move,
        position.ep_square,
        position.half,
        position.full,
        position.rules,
        position.remaining,
    ) = values
    return seal(position)


def _require_sound(values: tuple[int, ...]) -> None:
    """Refuse what no text can say; the compiled rules rely on it."""
    if len(values) != len(FIELD_NAMES):
        raise ValueError(f"a position has {len(FIELD_NAMES)} numbers, not {len(values)}")
    white, black, rights, promoted, white_pocket, black_pocket, side, ep_square, half, full = values[6:16]
    rules, remaining = values[16:]
    taken = 0
    for squares in values[:6]:
        if taken & squares:
            raise ValueError("two men stand on one square")
        taken |= squares
    if not 0 <= taken < 1 << 64 or white & black or white | black != taken:
        raise ValueError("each man must be either white or black and on the board")
    corners = sum(right for _, right in STANDARD_RIGHTS)
    if rights & ~(255 | 255 << 56 if rules == CHESS960 else corners):
        raise ValueError("a castling right is not that of a rook at home")
    if promoted & ~(taken ^ values[0] ^ values[5]) or white_pocket >> 40 or black_pocket >> 40:
        raise ValueError("a promoted mark is on no promoted piece, or a pocket holds an unknown man")
    if _men_in(white_pocket) + _men_in(black_pocket) > MAX_POCKET:
        raise ValueError(f"the pockets hold more than {MAX_POCKET} men")
    if rules != CRAZYHOUSE and (promoted or white_pocket or black_pocket):
        raise ValueError("promoted marks and pockets belong to Crazyhouse")
    if rules != THREE_CHECK and remaining:
        raise ValueError("counts of checks belong to Three-check")
    if (
        side not in (0, 1)
        or not 0 <= rules < len(VARIANTS)
        or (ep_square != -1 and ep_square >> 3 not in (2, 5))
    ):
        raise ValueError("the side to move, the en-passant square or the variant is out of range")
    if not 0 <= half <= 9999 or not 1 <= full <= 9999 or remaining & 15 > 3 or not 0 <= remaining >> 4 <= 3:
        raise ValueError("a clock or a count of checks is out of range")


def _men_in(pocket: int) -> int:
    return sum(pocket >> shift & 255 for shift in range(0, 40, 8))


def bits(squares: u64) -> list[int]:
    """The numbers of the squares of a set, lowest first."""
    if not cython.compiled and not 0 <= squares <= ALL:
        raise OverflowError(f"{quoted(str(squares))} is not a set of squares, expected 64 bits")
    found = []
    while squares:
        found.append(lsb(squares))
        squares &= squares - 1
    return found


def castling_text(position: Position, shredder: bool) -> str:
    """The castling rights in X-FEN (K Q k q where those say it, else file letters) or Shredder-FEN letters.

    Order: White's king side, White's queen side, Black's king side, Black's queen side (spec/chess 8).
    """
    if position.rules != CHESS960 and not shredder:
        return "".join(letter for letter, right in STANDARD_RIGHTS if position.rights & right) or "-"
    found = []
    for corner, own in ((0, position.white), (56, position.black)):
        back_rank = position.rights >> corner & 255
        if not back_rank:
            continue
        kings = position.kings & own & 255 << corner
        king = kings.bit_length() - 1 - corner if kings else 4
        rooks = (position.rooks & own) >> corner & 255
        letters = [
            chr(65 + file if shredder else xfen_letter(file, king, rooks))
            for file in sorted(bits(back_rank), reverse=True)
        ]
        found += letters if corner == 0 else [letter.lower() for letter in letters]
    return "".join(found) or "-"


def xfen_letter(file: i32, king: i32, rooks: i32) -> i32:
    """The capital letter of one right, as a character: K or Q if its rook is the outermost on its side of
    the king, or if that side has no rook and the right names the corner; else the file."""
    on_wing: i32
    if file > king:
        on_wing = rooks >> (king + 1) << (king + 1)
        return 75 if file == (msb(on_wing) if on_wing else 7) else 65 + file
    on_wing = rooks & ((1 << king) - 1)
    return 81 if file == (lsb(on_wing) if on_wing else 0) else 65 + file


def _pocket_text(pocket: int, letters: str) -> str:
    return "".join(letter * (pocket >> 8 * (4 - number) & 255) for number, letter in enumerate(letters))
