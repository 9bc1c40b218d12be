"""A chess position: an immutable, hashable value, which may be illegal (use `check` to test it).

A position contains the values of the six fields of a FEN and the extensions of spec/chess 10 (promoted marks,
pockets, remaining checks), and nothing that can be computed from them. Sets of squares are integers (see
`board`).

`str()` returns the canonical text. Canonical texts, `key` and `packed` stay the same in all later versions.
Limits: clocks from 0 to 9999, at most 64 pieces in the pockets.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING, Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted, require_integer
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.variants import VARIANTS
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.chess.game import Chess
    from forsyth.games.chess.rules.moves import Move
    from forsyth.games.chess.squares import Square

Name = str
"""Type of a parameter that takes the name of a square or a side.

Cython would accept only instances of `str` itself for a parameter annotated with ``str``. It does not check
this alias, so a `Square`, which is a subclass, is accepted as well.
"""

LETTERS: Final = "PNBRQKpnbrqk"
"""The piece letters: White's in capitals, then Black's, in the order of the fields of a position."""
STANDARD_RIGHTS: Final = (("K", 1 << 7), ("Q", 1 << 0), ("k", 1 << 63), ("q", 1 << 56))
"""The square of the rook, as a set, for each letter of a standard castling field, in canonical order."""
MAX_POCKET: Final = 64
"""Maximum number of pieces in both pockets together (spec/chess 10). A real game has at most 30."""
MAX_CLOCK: Final = 9999
"""Maximum of the half-move clock and of the move number (spec/chess 5)."""
MAX_CHECKS: Final = 3
"""Number of checks that win in Three-check."""
_NO_EP_SQUARE: Final = -1
_EP_RANK_INDEXES: Final = (2, 5)
"""Ranks 3 and 6, counted from 0, on which an en-passant square can be."""
_STANDARD_KING_FILE: Final = 4
"""The e-file, counted from 0. It is assumed for a side without a king on its back rank."""
POCKET_ORDER: Final = "QRBNP"
"""The letters of the pieces in a pocket, most valuable first, as pockets are written (spec/chess 10)."""

if not cython.compiled:
    from forsyth.games.chess.board import ALL, END_RANKS, FLIP_RANK, H_FILE, i32, lsb, msb, u64

    STANDARD: Final = 0
    CHESS960: Final = 1
    CRAZYHOUSE: Final = 2
    THREE_CHECK: Final = 3
    ATOMIC: Final = 4
    ANTICHESS: Final = 5
    HORDE: Final = 6
    KING_OF_THE_HILL: Final = 7
    RACING_KINGS: Final = 8

    CHECKS_MASK: Final = 15
    CHECKS_SHIFT: Final = 4
    """Layout of `Position.remaining`: White's checks in the low four bits, Black's above them."""
    POCKET_COUNT_MASK: Final = 255
    POCKET_COUNT_BITS: Final = 8
    POCKET_BITS: Final = 40
    POCKET_KINDS: Final = 5
    """Layout of a pocket: one byte for the number of pieces of each of five kinds, pawns lowest."""
    RANK_MASK: Final = 255
    RANK_8_SHIFT: Final = 56
    """The squares of rank 1 in a set of squares, and the number of bits from rank 1 to rank 8."""
    CHAR_A: Final = 65
    CHAR_K: Final = 75
    CHAR_Q: Final = 81
    """Code points of the capital letters of castling fields."""


class Position:
    """A chess position: board, side to move, castling rights, en-passant square, clocks and variant.

    A position is immutable and hashable, and may be illegal. `forsyth.game("chess").parse` creates one.
    """

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
        """The pieces rank by rank, from which the sets of squares are computed on first use.

        `make_position_from_ranks` describes the numbers.
        """
        pawns: int
        knights: int
        bishops: int
        rooks: int
        queens: int
        kings: int
        white: int
        black: int
        rights: int
        """Squares of the rooks with which castling is still allowed."""
        promoted: int
        """Squares of promoted pieces; marked in Crazyhouse only."""
        white_pocket: int
        """White's pieces in hand: one byte with the count of each kind, pawns lowest."""
        black_pocket: int
        black_to_move: int
        """1 if Black is to move, else 0."""
        ep_square: int
        """The square that a pawn has just skipped with a double step, or -1."""
        half: int
        """Half-moves since the last capture or pawn move."""
        full: int
        """The number of the next move, starting with 1."""
        rules: int
        """Index of the variant in VARIANTS."""
        remaining: int
        """Checks that each side still has to give in Three-check: White's plus 16 times Black's."""

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be set")

        if not TYPE_CHECKING:  # With `__getattr__`, a type checker would accept every attribute name.

            def __getattr__(self, name: str) -> int:
                # Python calls this method only for attributes that are not set, of which
                # `make_position_from_ranks` leaves out some.
                if name in _ZERO_FIELDS:
                    return 0
                if name not in _LAZY_FIELDS:
                    raise AttributeError(f"a chess position has no attribute {name}")
                # Each entry of `ranks` has one byte for one rank in each of eight sets, 64 bits apart.
                joined_ranks = 0
                for rank in self.ranks:
                    joined_ranks = (joined_ranks << 8) | rank
                square_sets = _EIGHT_SETS.unpack(joined_ranks.to_bytes(64, "little"))
                piece_sets: dict[str, int] = dict(zip(_LAZY_FIELDS, square_sets, strict=True))
                for field, squares in piece_sets.items():
                    object.__setattr__(self, field, squares)
                return piece_sets[name]

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        raise TypeError("a Position cannot be created directly; use game.parse(text) or play a move")

    @property
    def board(self) -> str:
        """The board as 64 characters: a8 to h8, a7 to h7, and so on. ``.`` is an empty square."""
        square: i32
        letters = ["."] * 64
        for letter, squares in self.pieces():
            for square in list_squares(squares):
                # The text begins with rank 8, but the number of the square a1 is 0.
                letters[square ^ FLIP_RANK] = letter
        return "".join(letters)

    @property
    def side(self) -> str:
        """The side to move, ``w`` or ``b``."""
        return "b" if self.black_to_move else "w"

    @property
    def ep(self) -> str:
        """The square that a pawn has just skipped with a double step, or ``-``."""
        return "-" if self.ep_square < 0 else SQUARES[self.ep_square]

    @property
    def castling(self) -> str:
        """The castling rights in X-FEN notation, such as ``KQkq``, or ``-`` if there are none."""
        return format_castling_rights(self, is_shredder=False)

    @property
    def variant(self) -> str:
        """The name of the variant, such as ``standard`` or ``atomic``."""
        return VARIANTS[self.rules]

    @property
    def pockets(self) -> str:
        """The letters of the pieces in hand in Crazyhouse, such as ``QPn``: White's first, in capitals."""
        white_letters = _format_pocket(self.white_pocket, POCKET_ORDER)
        black_letters = _format_pocket(self.black_pocket, POCKET_ORDER.lower())
        return white_letters + black_letters

    @property
    def checks(self) -> tuple[int, int]:
        """The number of checks that White and Black still have to give (Three-check)."""
        return self.remaining & CHECKS_MASK, self.remaining >> CHECKS_SHIFT

    @property
    def key(self) -> str:
        """The key of the position: 32 hexadecimal digits, the same for all its texts and in all versions."""
        from forsyth.games.chess.numbers.key import compute_key

        return compute_key(self)

    @property
    def stored_text(self) -> str:
        """The text of the position in stores, wrapped forms and links, which may begin with the variant.

        >>> import forsyth
        >>> forsyth.game("chess", "atomic").parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").stored_text
        'atomic:4k3/8/8/8/8/8/4P3/4K3 w - - 0 1'
        """
        return f"{self.variant}:{self}" if self.rules > THREE_CHECK else str(self)

    @property
    def packed(self) -> bytes:
        """The packed form of the position, as bytes, the same in all versions. See `numbers.packed`."""
        from forsyth.games.chess.numbers.packed import pack

        return pack(self)

    def pieces(self) -> tuple[tuple[str, int], ...]:
        """Return each of the letters ``PNBRQKpnbrqk`` with the set of squares of its pieces.

        A set of squares is a number with one bit for each square: bit 0 for a1, bit 63 for h8.
        """
        kinds = (self.pawns, self.knights, self.bishops, self.rooks, self.queens, self.kings)
        white_sets = [squares & self.white for squares in kinds]
        black_sets = [squares & self.black for squares in kinds]
        return tuple(zip(LETTERS, white_sets + black_sets, strict=True))

    def piece_at(self, square: Name) -> str | None:
        """Return the letter of the piece on a square such as ``e4``, or None if the square is empty.

        Raise `ValueError` if there is no such square.
        """
        if not isinstance(square, str) or square not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(square)} is not a square, expected a1 to h8")
        letter = self.board[SQUARE_NUMBER[square] ^ FLIP_RANK]
        return None if letter == "." else letter

    def fields(self) -> tuple[int, ...]:
        """Return all fields of the position as numbers, in the order of FIELD_NAMES.

        The first is the set of squares of the pawns, with one bit for each square. The last is the number of
        remaining checks in Three-check.
        """
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
        """Return a copy of the position with other values in some fields, such as ``replace(half=0)``.

        FIELD_NAMES has the names of the fields. Raise `TypeError` if there is no such field, and `ValueError`
        if no FEN can express the new position.
        """
        values = dict(zip(FIELD_NAMES, self.fields(), strict=True))
        unknown_names = set(changes) - set(values)
        if unknown_names:
            raise TypeError(
                f"a position has no field {', '.join(sorted(unknown_names))};"
                f" its fields are {', '.join(FIELD_NAMES)}"
            )
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
        variant = "" if self.rules == STANDARD else f", variant={self.variant!r}"
        return f"<Position {str(self)!r}{variant}>"

    @property
    def fen(self) -> str:
        """The canonical text of the position, the same as ``str(position)``."""
        return str(self)

    @property
    def game(self) -> Chess:
        """The game of chess, in the variant of the position."""
        from forsyth.games.chess.game import game_for_rules

        return game_for_rules(self.rules)

    def moves(self) -> list[Move]:
        """Return the legal moves of the side to move."""
        return self.game.moves(self)

    def play(self, move: Move | str) -> Position:
        """Return the position after a legal move, which is a `Move` or its text, such as ``Nf3`` or ``g1f3``.

        Raise `MoveError` if the move is not legal here.
        """
        game = self.game
        if isinstance(move, str):
            move = game.read_move(self, move)
        return game.play(self, move)

    def san(self, move: Move | str) -> str:
        """Return a legal move in canonical notation, such as ``Nf3``. `move` may be a text in any notation.

        Raise `MoveError` if the text does not name a legal move.
        """
        game = self.game
        return game.write_move(self, game.read_move(self, move) if isinstance(move, str) else move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended in this position, or None if it goes on. Repetitions are not considered."""
        return self.game.outcome(self)

    @property
    def is_check(self) -> bool:
        """True if the side to move is in check."""
        return self.game.is_check(self)

    def attackers(self, square: Name, side: Name | None = None) -> tuple[Square, ...]:
        """Return the squares of the pieces of one side, ``w`` or ``b``, or of both that attack a square.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/5n2/4P3/R3K3 w Q - 0 1").attackers("e1")
        ('a1', 'f3')
        """
        from forsyth.games.chess import queries

        return queries.list_attackers(self, square, side)

    @property
    def checkers(self) -> tuple[Square, ...]:
        """The squares of the pieces that give check to the side to move.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/5n2/4P3/R3K3 w Q - 0 1").checkers
        ('f3',)
        """
        from forsyth.games.chess import queries

        return queries.list_checkers(self)

    def pins(self, side: Name | None = None) -> dict[Square, Square]:
        """Return the squares of the pinned pieces of a side, each with the square of the piece that pins it.

        The default of `side` is the side to move.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1").pins()
        {'e2': 'e7'}
        """
        from forsyth.games.chess import queries

        return queries.find_pins(self, side)

    def piece_map(self) -> dict[Square, str]:
        """Return the letters of the pieces on the board by their squares, a1 first.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").piece_map()
        {'a1': 'R', 'e1': 'K', 'e8': 'k'}
        """
        from forsyth.games.chess import queries

        return queries.map_pieces(self)

    def material(self) -> dict[str, int]:
        """Return the number of pieces for each letter, on the board and in hand.

        >>> import forsyth
        >>> forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").material()
        {'R': 2, 'K': 1, 'k': 1}
        """
        from forsyth.games.chess import queries

        return queries.count_material(self)

    def targets(self, square: Name) -> tuple[Square, ...]:
        """Return the squares that the piece on a square may move to, a1 first.

        In Crazyhouse `square` may also be a piece in hand, such as ``N@``.

        >>> import forsyth
        >>> forsyth.game("chess").new_game().targets("g1")
        ('f3', 'h3')
        """
        from forsyth.games.chess import queries

        return queries.list_targets(self, square)

    def lacks_material(self, side: Name) -> bool:
        """Return True if a side, ``w`` or ``b``, lacks the material to win, whatever both sides play.

        >>> import forsyth
        >>> position = forsyth.game("chess").parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
        >>> position.lacks_material("w"), position.lacks_material("b")
        (False, True)
        """
        from forsyth.games.chess import queries

        return queries.lacks_material(self, side)

    def mirror(self) -> Position:
        """Return the position with the colours exchanged and the board flipped, rank 1 to rank 8.

        Raise `ValueError` if the variant has different rules for the two sides (Horde, Racing Kings).

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").mirror())
        'r3k3/8/8/8/8/8/8/4K3 b q - 0 1'
        """
        from forsyth.games.chess import queries

        return queries.mirror_position(self)

    def rotate(self) -> Position:
        """Return the position with the board rotated by 180 degrees, to correct a board copied upside down.

        Castling rights and an en-passant square that do not fit the rotated board are removed.

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").rotate())
        '3K3R/8/8/8/8/8/8/3k4 w - - 0 1'
        """
        from forsyth.games.chess import queries

        return queries.rotate_position(self)

    def is_irreversible(self, move: Move | str) -> bool:
        """Return True if no earlier position can occur again after a legal move.

        The move is a `Move` or its text. Raise `MoveError` if it is not legal here.

        >>> import forsyth
        >>> position = forsyth.game("chess").new_game()
        >>> position.is_irreversible("e4"), position.is_irreversible("Nf3")
        (True, False)
        """
        from forsyth.games.chess import queries

        return queries.is_irreversible(self, self._require_move(move))

    def pass_turn(self) -> Position:
        """Return the position after a null move. Raise `MoveError` in check or if the game has ended.

        >>> import forsyth
        >>> str(forsyth.game("chess").parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").pass_turn())
        '4k3/8/8/8/8/8/8/4K3 b - - 1 1'
        """
        from forsyth.games.chess.rules.null_move import play_null_move

        return play_null_move(self)

    def claims_by_move(self) -> dict[Move, tuple[str, ...]]:
        """Return the moves that allow the player to claim a draw, each with the reasons.

        Repetitions are not considered; `Match.claims_by_move` considers them.

        >>> import forsyth
        >>> forsyth.game("chess").parse("k7/8/8/8/8/8/P7/K7 w - - 99 80").claims_by_move()
        {<Move a1b1>: ('fifty moves',), <Move a1b2>: ('fifty moves',)}
        """
        from forsyth.games.chess import queries

        return queries.list_claims_by_move(self)

    @property
    def chess960_number(self) -> int | None:
        """The number of the Chess960 start position with these pieces, 0 to 959, or None if there is none.

        >>> import forsyth
        >>> forsyth.game("chess").new_game().chess960_number
        518
        """
        from forsyth.games.chess import queries

        return queries.find_chess960_number(self)

    def _require_move(self, move: Move | str) -> Move:
        """Return a legal move, given as a `Move` or as a text such as ``Nf3``.

        Raise `MoveError` if it is not legal.
        """
        if isinstance(move, str):
            return self.game.read_move(self, move)
        # `write_move` raises `MoveError` if the move is not legal here.
        self.game.write_move(self, move)
        return move

    def scene(self) -> Scene:
        """Return the description of a drawing of the position."""
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
        """A position whose fields can still be set, until `seal_position` makes it a `Position`."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def new_draft() -> Position:
        """Return a new position without any field. Its fields can be set until it is sealed."""
        return object.__new__(_Draft)

    def seal_position(position: Position) -> Position:
        """Make a position from `new_draft` or `copy_as_draft` immutable, and return the same object."""
        position.__class__ = Position
        return position

    def copy_fields(target: Position, source: Position) -> None:
        """Set all fields of `target`, in place, to those of `source`. `target` must not be sealed yet."""
        for name in FIELD_NAMES:
            setattr(target, name, getattr(source, name))

    def copy_as_draft(position: Position) -> Position:
        """Return a copy of a position whose fields can be set until `seal_position` makes it immutable."""
        copy = new_draft()
        copy.pawns, copy.knights, copy.bishops = position.pawns, position.knights, position.bishops
        copy.rooks, copy.queens, copy.kings = position.rooks, position.queens, position.kings
        copy.white, copy.black = position.white, position.black
        copy.rights, copy.promoted = position.rights, position.promoted
        copy.white_pocket, copy.black_pocket = position.white_pocket, position.black_pocket
        copy.black_to_move, copy.ep_square = position.black_to_move, position.ep_square
        copy.half, copy.full = position.half, position.full
        copy.rules, copy.remaining = position.rules, position.remaining
        return copy

    def count_in_pocket(pocket: int, kind: int) -> int:
        """Return the number of pieces of one kind in a pocket, which has one byte for each kind.

        `kind` is 0 for pawns to 4 for queens.
        """
        return (pocket >> (POCKET_COUNT_BITS * kind)) & POCKET_COUNT_MASK

    def count_pocket(pocket: int) -> int:
        """Return the number of pieces in a pocket, which has one byte with the count of each kind."""
        piece_count = 0
        while pocket:
            piece_count += pocket & POCKET_COUNT_MASK
            pocket >>= POCKET_COUNT_BITS
        return piece_count

    # A square number has its rank in the bits from 3 on. `^ 8` exchanges ranks 3 and 4, and ranks 5 and 6.
    # `^ 24` exchanges ranks 2 and 3, and ranks 6 and 7.

    def find_double_step_target(ep_square: int) -> int:
        """Return the square of the pawn that has just skipped `ep_square`: e4 for e3, e5 for e6."""
        return ep_square ^ 8

    def find_double_step_origin(ep_square: int) -> int:
        """Return the square from which a pawn has skipped `ep_square`: e2 for e3, e7 for e6."""
        return ep_square ^ 24

    def find_skipped_square(pawn_square: int) -> int:
        """Return the square that a pawn has skipped with its double step to `pawn_square`: e3 for e4."""
        return pawn_square ^ 8

    SavedFields = Position
    """The fields of a position. In the compiled module a C struct, which needs no GIL."""
    save_fields = copy_as_draft
    restore_fields = copy_fields

    _EIGHT_SETS: Final = Struct("<8Q")
    _LAZY_FIELDS: Final = FIELD_NAMES[:8]
    """The sets of squares that are computed from `Position.ranks` on first use."""
    _ZERO_FIELDS: Final = frozenset(("promoted", "white_pocket", "black_pocket", "rules", "remaining"))
    """The fields that are 0 if they are not set."""

    def make_position_from_ranks(
        ranks: list[int], rights: int, black_to_move: int, ep_square: int, half: int, full: int
    ) -> Position:
        """Return a position of standard chess from its pieces rank by rank, rank 8 first.

        The sets of squares are only computed from `ranks` on first use, so that reading a text is fast even
        if this module is not compiled. The other parameters are fields of `Position`.

        Args:
            ranks: A number for each rank, with one byte for each of the first eight fields of FIELD_NAMES, 64
                bits apart. The byte has the bits of the squares of this rank, the a-file lowest.
            rights: The squares of the rooks with a castling right.
            black_to_move: 1 if Black is to move, else 0.
            ep_square: The en-passant square, or -1.
            half: The half-move clock.
            full: The move number.
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
    """Return the position whose fields have these values, in the order of FIELD_NAMES.

    Raise `ValueError` if no FEN can express the position, such as one with two pieces on one square.
    """
    # Subclasses of int may override comparison, so the values are converted before they are checked.
    values = tuple([int(require_integer("a field of a position", value)) for value in values])
    _require_valid_fields(values)
    position = new_draft()
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
    return seal_position(position)


def _require_valid_fields(values: tuple[int, ...]) -> None:
    """Raise `ValueError` if no FEN can express these values, which are in the order of FIELD_NAMES.

    The compiled rules rely on this check, because they do not check the fields again.
    """
    if len(values) != len(FIELD_NAMES):
        raise ValueError(f"a position has {len(FIELD_NAMES)} fields, but {len(values)} values were given")
    # The order of the values is that of FIELD_NAMES.
    kinds = values[:6]
    white, black, rights, promoted = values[6:10]
    white_pocket, black_pocket = values[10:12]
    side, ep_square, half, full, rules, remaining = values[12:]

    _require_valid_board(kinds, white, black, promoted)
    _require_valid_rights(rights, rules)
    _require_valid_pockets(white_pocket, black_pocket)
    has_crazyhouse_values = bool(promoted or white_pocket or black_pocket)
    if has_crazyhouse_values and rules != CRAZYHOUSE:
        raise ValueError(
            "only Crazyhouse has promoted marks and pockets;"
            " set promoted, white_pocket and black_pocket to 0 in other variants"
        )
    if remaining and rules != THREE_CHECK:
        raise ValueError(
            "only Three-check has a number of remaining checks; set remaining to 0 in other variants"
        )
    _require_valid_numbers(side, ep_square, half, full, rules, remaining)


def _require_valid_board(kinds: tuple[int, ...], white: int, black: int, promoted: int) -> None:
    """Raise `ValueError` if a square has two pieces, or a piece has not exactly one colour.

    All parameters are sets of squares, with one bit for each square.

    Args:
        kinds: The pawns, knights, bishops, rooks, queens and kings of both sides.
        white: White's pieces.
        black: Black's pieces.
        promoted: The promoted pieces, which must not be pawns or kings.
    """
    occupied = 0
    for squares in kinds:
        if occupied & squares:
            raise ValueError("two pieces stand on the same square, expected at most one")
        occupied |= squares

    is_on_board = 0 <= occupied < 1 << 64
    has_one_colour_each = not white & black and (white | black) == occupied
    if not is_on_board or not has_one_colour_each:
        raise ValueError("each piece must be either white or black, and on one of the 64 squares")

    pawns, kings = kinds[0], kinds[5]
    promotable = occupied & ~(pawns | kings)
    if promoted & ~promotable:
        raise ValueError("a promoted mark must be on a knight, bishop, rook or queen")


def _require_valid_rights(rights: int, rules: int) -> None:
    """Raise `ValueError` if a castling right is for a rook on a square from which no rook can castle.

    The squares are the corners or, in Chess960, those of ranks 1 and 8. `rights` is the set of the rooks'
    squares, and `rules` the index of the variant in VARIANTS.
    """
    if rules == CHESS960:
        if rights | END_RANKS != END_RANKS:
            raise ValueError("a castling right must be for a rook on rank 1 or 8")
        return
    corners = sum(rook_square for _, rook_square in STANDARD_RIGHTS)
    if rights & ~corners:
        raise ValueError("a castling right must be for a rook on a corner square: a1, h1, a8 or h8")


def _require_valid_pockets(white_pocket: int, black_pocket: int) -> None:
    """Raise `ValueError` if the pockets have a piece of an unknown kind, or too many pieces.

    A pocket is a number with one byte for the count of each kind of piece, pawns lowest.
    """
    if white_pocket >> POCKET_BITS or black_pocket >> POCKET_BITS:
        raise ValueError("a pocket may contain only pawns, knights, bishops, rooks and queens")
    piece_count = count_pocket(white_pocket) + count_pocket(black_pocket)
    if piece_count > MAX_POCKET:
        raise ValueError(f"the pockets contain {piece_count} pieces, expected at most {MAX_POCKET}")


def _require_valid_numbers(
    side: int, ep_square: int, half: int, full: int, rules: int, remaining: int
) -> None:
    """Raise `ValueError` if a field of a position that is a number is out of range.

    Args:
        side: 1 if Black is to move, else 0.
        ep_square: The number of the en-passant square, or -1.
        half: The half-move clock.
        full: The move number.
        rules: The index of the variant in VARIANTS.
        remaining: White's remaining checks in the low four bits and Black's above them.
    """
    if side not in (0, 1):
        raise ValueError(f"black_to_move is {quoted(side)}, expected 0 or 1")
    if not 0 <= rules < len(VARIANTS):
        raise ValueError(f"rules is {quoted(rules)}, expected 0 to {len(VARIANTS) - 1}")
    if ep_square != _NO_EP_SQUARE and ep_square // 8 not in _EP_RANK_INDEXES:
        raise ValueError(f"ep_square is {quoted(ep_square)}, expected -1 or a square of rank 3 or 6")
    if not 0 <= half <= MAX_CLOCK:
        raise ValueError(f"the half-move clock is {quoted(half)}, expected 0 to {MAX_CLOCK}")
    if not 1 <= full <= MAX_CLOCK:
        raise ValueError(f"the move number is {quoted(full)}, expected 1 to {MAX_CLOCK}")
    white_checks, black_checks = remaining & CHECKS_MASK, remaining >> CHECKS_SHIFT
    if white_checks > MAX_CHECKS or not 0 <= black_checks <= MAX_CHECKS:
        raise ValueError(
            f"the number of remaining checks of a side must be 0 to {MAX_CHECKS},"
            f" but White has {quoted(white_checks)} and Black {quoted(black_checks)}"
        )


def list_squares(squares: u64) -> list[int]:
    """Return the numbers of the squares in a set, lowest first: ``[0, 2]``, a1 and c1, for the set 5.

    A set has one bit for each square. Raise `OverflowError` if it has more than 64 bits or is negative.
    """
    if not cython.compiled and not 0 <= squares <= ALL:
        raise OverflowError(f"{quoted(str(squares))} is not a set of squares, expected 0 to 2**64 - 1")
    numbers = []
    while squares:
        numbers.append(lsb(squares))
        squares &= squares - 1  # Remove the lowest square.
    return numbers


def format_castling_rights(position: Position, is_shredder: bool) -> str:
    """Return the castling rights as text, such as ``KQkq``, or ``-`` if there are none.

    The order is White's king side, White's queen side, Black's king side, Black's queen side. If
    `is_shredder` is True, write Shredder-FEN, which has the letters of the rooks' files. Otherwise write
    X-FEN, which has K, Q, k and q, and letters of files only where these would be ambiguous.
    """
    if position.rules != CHESS960 and not is_shredder:
        letters = [letter for letter, rook_square in STANDARD_RIGHTS if position.rights & rook_square]
        return "".join(letters) or "-"
    white_letters = _list_castling_letters(position, position.white, 0, is_shredder)
    black_letters = _list_castling_letters(position, position.black, RANK_8_SHIFT, is_shredder).lower()
    return white_letters + black_letters or "-"


def _list_castling_letters(
    position: Position, own_pieces: int, back_rank_shift: int, is_shredder: bool
) -> str:
    """Return the castling rights of one side as capital letters, king side first: ``KQ``, or ``HA``.

    Args:
        position: The position.
        own_pieces: The set of squares of the side's pieces.
        back_rank_shift: The number of the first square of the side's back rank: 0 for a1, 56 for a8.
        is_shredder: Whether to write the letters of the rooks' files only, instead of X-FEN.
    """
    # Each set has one bit for each square of the back rank, the a-file lowest.
    right_files = (position.rights >> back_rank_shift) & RANK_MASK
    king_files = ((position.kings & own_pieces) >> back_rank_shift) & RANK_MASK
    rook_files = ((position.rooks & own_pieces) >> back_rank_shift) & RANK_MASK

    king_file = king_files.bit_length() - 1 if king_files else _STANDARD_KING_FILE
    codes = [
        CHAR_A + file if is_shredder else choose_xfen_letter(file, king_file, rook_files)
        for file in reversed(list_squares(right_files))
    ]
    return "".join(map(chr, codes))


def choose_xfen_letter(file: i32, king_file: i32, rook_files: i32) -> i32:
    """Return the X-FEN letter of one castling right, as the code point of a capital letter.

    The letter is K or Q if the rook is the outermost one on its side of the king, or if that side has no rook
    and the right is for the corner. Otherwise it is the letter of the rook's file, such as G.

    Args:
        file: The file of the rook, 0 for the a-file to 7.
        king_file: The file of the king.
        rook_files: The files of all own rooks on the back rank, one bit for each file.
    """
    wing_rooks: i32
    outermost_file: i32
    files_left_of_king: i32 = (1 << king_file) - 1
    if file > king_file:
        # The lowest `king + 1` bits are the files up to the king's.
        wing_rooks = (rook_files >> (king_file + 1)) << (king_file + 1)
        outermost_file = msb(wing_rooks) if wing_rooks else H_FILE
        return CHAR_K if file == outermost_file else CHAR_A + file
    wing_rooks = rook_files & files_left_of_king
    outermost_file = lsb(wing_rooks) if wing_rooks else 0
    return CHAR_Q if file == outermost_file else CHAR_A + file


def _format_pocket(pocket: int, letters: str) -> str:
    """Return the letters of the pieces in a pocket, most valuable first, such as ``QNPP``.

    `pocket` has one byte with the count of each kind, pawns lowest. `letters` are ``QRBNP`` or ``qrbnp``.
    """
    text = ""
    # Kind 4 is the queens, the first letter, and kind 0 the pawns, the last one.
    for kind, letter in zip(range(POCKET_KINDS - 1, -1, -1), letters, strict=True):
        text += letter * count_in_pocket(pocket, kind)
    return text
