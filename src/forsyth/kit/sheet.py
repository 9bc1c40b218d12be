"""The sheet of a grid game: its board, kinds of pieces, sides, text fields and look, as data.

`GridGame` derives everything else from the sheet. The first side's pieces are capitals; a promoted piece has
``+`` before its letter. Inside the kit a piece is a number: 0 is an empty square, then come the kinds of the
first side, then those of the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

from forsyth.diagnostics import CodeInfo, Severity
from forsyth.kit.codes import CODES
from forsyth.kit.movement import (
    FACE,
    SIDES,
    Grid,
    KindMoves,
    Line,
    Movement,
    Zone,
    compile_tables,
    find_targets,
)
from forsyth.kit.soundness import require_valid_sheet
from forsyth.kit.tables import Tables
from forsyth.scene import Cell, Colour, Stroke

MAX_CLOCK: Final = 9999
"""Upper bound on the half-move clock and the move number."""
MAX_IN_HAND: Final = 31
"""Upper bound on the pieces of one kind in one hand: what five bits of the packed form hold."""

FieldKind = Literal["board", "side", "hands", "unused", "half", "full"]
"""The name of a field of a text."""
_BOARD_PART: Final = re.compile(r"[0-9]+|\+?[A-Za-z]")
"""One part of a board: a number of empty squares, or a piece."""
_DEFAULT_VALUES: Final = {"hands": "-", "unused": "-", "half": "0", "full": "1"}


class Side(NamedTuple):
    """One of the two sides."""

    letter: str
    """The letter in a text when this side is to move."""
    name: str
    """The name that people read, such as ``Red``."""
    player: str = ""
    """The record tag that names the player of this side (default: the side's name)."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of piece: its letter, name, movement, value and limits."""

    letter: str
    """The capital letter of the notation, with ``+`` before it for a promoted kind."""
    name: str
    moves: tuple[Movement, ...]
    value: int = 0
    max_count: int = 99
    """Maximum number of pieces of this kind.

    The limit is per side, or for both sides together if captured pieces change sides.
    """
    characters: tuple[str, str] = ("", "")
    """The character that a terminal shows for each side (default: the letter)."""
    promotes: str = ""
    """The letter of the kind it promotes to; empty if it does not promote."""
    royal: bool = False
    one_per_file: bool = False
    """Whether a side may have at most one of them on a file."""
    drop_mates: bool = True
    """Whether dropping one may give mate."""

    @property
    def plural(self) -> str:
        """The name of several pieces of this kind."""
        return f"{self.name}s"


class Group(NamedTuple):
    """Pieces that share one upper bound: a kind with its promoted kind, of one side or of both."""

    kind: Kind
    pieces: tuple[int, ...]
    hand_slots: tuple[int, ...]
    """Indices of their counts in `GridPosition.hands`."""


@dataclass(frozen=True)
class Look:
    """The drawing of a game: colours, drawings of the pieces and drawing of the board."""

    palette: Mapping[str, Colour]
    glyphs: Mapping[str, Mapping[str, tuple[Stroke, ...]]]
    """Sets of piece drawings by name, the default set first.

    Each set maps a piece's letters to its strokes.
    """
    map: tuple[Stroke, ...] = ()
    """The drawing of the board, 100 units per square. Its paths contain absolute pairs of numbers only."""
    rotates_pieces: bool = False
    """Whether the far side's pieces are drawn upside down; if so, their paths contain absolute pairs only."""
    between: tuple[Cell, ...] = ()
    """Cells that a terminal shows between two ranks, such as a river."""
    grounds: tuple[str, str] = ("board", "board")
    """Palette roles of light and dark squares."""
    boards: Mapping[str, Mapping[str, Colour]] = field(default_factory=dict)
    """Board colours by name, the default first. Each maps palette roles to replacement colours."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A grid game of two sides, as data. Raise `ValueError` if its parts contradict each other."""

    name: str
    title: str
    start: str
    files: str
    ranks: tuple[str, ...]
    """Names of the ranks, the top one first."""
    kinds: tuple[Kind, ...]
    sides: tuple[Side, Side]
    look: Look
    fields: tuple[FieldKind, ...] = ("board", "side", "unused", "unused", "half", "full")
    """The fields of a text, in order."""
    short_counts: tuple[int, ...] = ()
    """Accepted numbers of leading fields in a short text; default values replace the missing fields."""
    counts_plies: bool = False
    """Whether the move number grows after every ply, and not only after the second side's moves."""
    zones: Mapping[str, Zone] = field(default_factory=dict)
    promotion: str = ""
    """The name of the zone in which pieces promote; empty if none promote."""
    king_optional: bool = False
    """Whether a side without a king gets a warning, and not an error."""
    repetitions: int = 3
    """The occurrence of a position that ends a match: 3 for the third."""
    not_judged: tuple[str, ...] = ()
    """Rules that Forsyth leaves to the players, each in a few words."""
    names: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, str] = field(default_factory=dict)
    letter_aliases: Mapping[str, str] = field(default_factory=dict)
    """Letters that lenient reading replaces with a piece's letters."""
    side_aliases: Mapping[str, str] = field(default_factory=dict)
    """Lower-case words that lenient reading replaces with a side's letter."""

    def __post_init__(self) -> None:
        require_valid_sheet(self)

    @cached_property
    def grid(self) -> Grid:
        """The squares of the board."""
        return Grid(self.files, self.ranks)

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares in the order of a text: left to right, the top rank first."""
        return self.grid.square_names()

    @cached_property
    def square_number(self) -> Mapping[str, int]:
        """The numbers of the squares by name, from 0 on in the order of a text."""
        return {name: number for number, name in enumerate(self.squares)}

    @property
    def has_hands(self) -> bool:
        """Whether captured pieces change sides and can be dropped."""
        return "hands" in self.fields

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters of all pieces by piece number, such as ``K``, ``+P`` or ``k``.

        The first side's pieces are capitals. Index 0, the empty square, has an empty string.
        """
        capitals = [kind.letter for kind in self.kinds]
        return ("", *capitals, *(letter.lower() for letter in capitals))

    @cached_property
    def piece_number(self) -> Mapping[str, int]:
        """The piece numbers by letter, such as ``K``, ``+P`` or ``k``."""
        return {letter: number for number, letter in enumerate(self.letters) if letter}

    @cached_property
    def kind_number(self) -> Mapping[str, int]:
        """The numbers of the kinds by letter, from 0 on in the order of `kinds`, such as 0 for ``K``."""
        return {kind.letter: number for number, kind in enumerate(self.kinds)}

    @cached_property
    def unpromoted_letters(self) -> str:
        """The letters of all unpromoted pieces in one string, as messages list them."""
        return "".join(letter for letter in self.letters if len(letter) == 1)

    @cached_property
    def hand_kinds(self) -> tuple[int, ...]:
        """The numbers of the kinds that can be in hand, in the order of a text: no kings, none promoted."""
        if not self.has_hands:
            return ()
        promoted_letters = {kind.promotes for kind in self.kinds}
        return tuple(
            kind_index
            for kind_index, kind in enumerate(self.kinds)
            if not kind.royal and kind.letter not in promoted_letters
        )

    @cached_property
    def default_fields(self) -> tuple[str, ...]:
        """The default value of each field of a text, which replaces it in a text without that field."""
        defaults = {"board": "", "side": self.sides[0].letter, **_DEFAULT_VALUES}
        return tuple(defaults[name] for name in self.fields)

    def kind_of(self, piece: int) -> Kind:
        """Return the kind of a piece. Piece numbers begin at 1, with the first side's kinds."""
        return self.kinds[(piece - 1) % len(self.kinds)]

    def side_of(self, piece: int) -> int:
        """Return the owner of a piece, 0 or 1. Piece numbers begin at 1, with the first side's kinds."""
        return (piece - 1) // len(self.kinds)

    @cached_property
    def base_kinds(self) -> tuple[int, ...]:
        """For each kind, the number of its unpromoted kind. An unpromoted kind has its own number."""
        base_by_letter = {
            kind.promotes: kind_index for kind_index, kind in enumerate(self.kinds) if kind.promotes
        }
        return tuple(
            base_by_letter.get(kind.letter, kind_index) for kind_index, kind in enumerate(self.kinds)
        )

    def unpromote(self, piece: int) -> int:
        """Return the number of the piece before its promotion, such as that of ``P`` for that of ``+P``.

        The side stays the same. An unpromoted piece is returned as it is.
        """
        side, kind = divmod(piece - 1, len(self.kinds))
        return 1 + side * len(self.kinds) + self.base_kinds[kind]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups of pieces that `Kind.max_count` limits together: a kind with its promoted kind.

        A group has the pieces of one side, or of both sides if captured pieces change sides. Royal kinds have
        no group.
        """
        groups_of_sides: tuple[tuple[int, ...], ...] = (SIDES,) if self.has_hands else ((0,), (1,))
        groups = []
        for sides in groups_of_sides:
            for number, kind in enumerate(self.kinds):
                is_unpromoted = self.base_kinds[number] == number
                if is_unpromoted and not kind.royal:
                    groups.append(self._make_group(number, sides))
        return tuple(groups)

    def _make_group(self, base_kind: int, sides: tuple[int, ...]) -> Group:
        """Return the group of an unpromoted kind and its promoted kind, for one or both sides.

        `base_kind` is the number of the unpromoted kind, and `sides` has 0, 1 or both.
        """
        kind_count = len(self.kinds)
        kinds = [kind_index for kind_index, base in enumerate(self.base_kinds) if base == base_kind]
        pieces = tuple(1 + side * kind_count + kind_index for side in sides for kind_index in kinds)
        hand_slots = tuple(side * kind_count + base_kind for side in sides) if self.has_hands else ()
        return Group(self.kinds[base_kind], pieces, hand_slots)

    @cached_property
    def group_table(self) -> bytes:
        """Table for `bytes.translate` that replaces each piece of a board with the number of its group.

        The number is 1 + the index in `groups`, or 0 for a piece without a group.
        """
        table = bytearray(256)
        for number, group in enumerate(self.groups, start=1):
            for piece in group.pieces:
                table[piece] = number
        return bytes(table)

    @cached_property
    def one_per_file_pieces(self) -> tuple[int, ...]:
        """The pieces of which a side may have at most one on a file."""
        return tuple(piece for piece in range(1, len(self.letters)) if self.kind_of(piece).one_per_file)

    @cached_property
    def one_per_file_tables(self) -> tuple[tuple[int, bytes], ...]:
        """Each of `one_per_file_pieces` with a table for `bytes.translate`.

        The table turns a board into text: ``1`` for each square with the piece, ``0`` for each other square.
        """
        tables = []
        for piece in self.one_per_file_pieces:
            table = bytearray(b"0" * 256)
            table[piece] = ord("1")
            tables.append((piece, bytes(table)))
        return tuple(tables)

    @cached_property
    def royal_kind(self) -> Kind | None:
        """The kind of the king; None if the game has no king."""
        return next((kind for kind in self.kinds if kind.royal), None)

    @cached_property
    def kings(self) -> tuple[int, ...]:
        """The piece numbers of both sides' kings; empty if the game has no king."""
        return tuple(piece for piece in range(1, len(self.letters)) if self.kind_of(piece).royal)

    @cached_property
    def tables(self) -> Tables:
        """The movement of all kinds, as number tables for the search."""
        kind_moves = [
            KindMoves(
                moves=kind.moves,
                royal=kind.royal,
                promotes=self.kind_number.get(kind.promotes, -1),
                hand_kind=self.base_kinds[number] if self.has_hands and not kind.royal else -1,
                one_per_file=kind.one_per_file,
                drop_mates=kind.drop_mates,
            )
            for number, kind in enumerate(self.kinds)
        ]
        return compile_tables(self.grid, kind_moves, self.zones, self.promotion)

    @cached_property
    def allowed_pieces(self) -> tuple[int, ...]:
        """For each square, the pieces that can stand there in a game, as a bit set.

        Bit p stands for piece number p. Bit 0, the empty square, is always set.
        """
        masks = [1] * self.grid.size
        for piece in range(1, len(self.letters)):
            for square in self._find_reachable_squares(piece):
                masks[square] |= 1 << piece
        return tuple(masks)

    @cached_property
    def placement_pattern(self) -> re.Pattern[bytes]:
        """A pattern that matches the boards on which every piece stands where it can be.

        A board is a piece number for each square, as bytes. Each square has its own character class.
        """
        character_classes = []
        for allowed_mask in self.allowed_pieces:
            pieces = bytes(piece for piece in range(len(self.letters)) if (allowed_mask >> piece) & 1)
            character_classes.append(b"[" + re.escape(pieces) + b"]")
        return re.compile(b"".join(character_classes))

    def _find_reachable_squares(self, piece: int) -> set[int]:
        """Return the numbers of the squares on which a piece can be.

        In a game with drops, these are all squares from which it could move on. In other games, these are the
        squares that it reaches from the start position by any number of moves on an empty board.
        """
        if self.has_hands:
            return {square for square in range(self.grid.size) if not self.tables.is_stuck(piece, square)}
        reached: set[int] = set()
        # The squares that the last step has reached: at first those of the start and of promotions.
        frontier = self._find_start_squares(piece) | self._find_promotion_squares(piece)
        while frontier:
            reached |= frontier
            # A piece that could never move again has to promote, so it is not there unpromoted.
            targets = {
                target
                for target, can_promote in self._find_targets(piece, frontier)
                if not (can_promote and self.tables.is_stuck(piece, target))
            }
            frontier = targets - reached
        return reached

    def _find_start_squares(self, piece: int) -> set[int]:
        """Return the numbers of the squares on which a piece stands in the start position."""
        return {square for square, letters in enumerate(self._start_board) if letters == self.letters[piece]}

    def _find_promotion_squares(self, piece: int) -> set[int]:
        """Return the numbers of the squares on which a promotion can create a piece.

        The set is empty for an unpromoted piece.
        """
        base = self.unpromote(piece)
        if base == piece:
            return set()
        origins = self._find_reachable_squares(base)
        return {target for target, can_promote in self._find_targets(base, origins) if can_promote}

    def _find_targets(self, piece: int, origins: set[int]) -> Iterator[tuple[int, bool]]:
        """Yield each square that a piece reaches from `origins` in one move, and whether it may promote.

        Other pieces on the board are not taken into account. A square can occur several times.
        """
        kind, side = self.kind_of(piece), self.side_of(piece)
        promotion_squares: frozenset[int] = frozenset()
        if kind.promotes and self.promotion:
            promotion_squares = self.grid.zone_squares(self.zones[self.promotion], side)
        for origin in origins:
            for target in find_targets(self.grid, kind.moves, self.zones, origin, side):
                can_promote = origin in promotion_squares or target in promotion_squares
                yield target, can_promote

    @cached_property
    def _start_board(self) -> tuple[str, ...]:
        """The letter of the piece on each square of the start position; empty for an empty square."""
        board_field = self.start.split(" ")[0]
        letters: list[str] = []
        for part in _BOARD_PART.findall(board_field):
            # A number stands for so many empty squares.
            letters += [""] * int(part) if part.isdigit() else [part]
        return tuple(letters)

    @cached_property
    def codes(self) -> tuple[CodeInfo, ...]:
        """The codes of this game's findings, without the codes that all games share.

        A code is left out if the game lacks the property that it is about, such as hands or promotion.
        """
        has_property = {
            "": True,
            "short": bool(self.short_counts),
            "unused": "unused" in self.fields,
            "hands": self.has_hands,
            "half": "half" in self.fields,
            "promotion": bool(self.promotion),
            "king": self.royal_kind is not None,
            "files": bool(self.one_per_file_pieces),
            "facing": self.forbids_facing_kings,
        }
        infos = []
        for property_name, info in CODES:
            if not has_property[property_name]:
                continue
            if info.code == "king.missing" and self.king_optional:
                infos.append(info._replace(severity=Severity.WARNING))
            else:
                infos.append(info)
        return tuple(infos)

    @cached_property
    def forbids_facing_kings(self) -> bool:
        """Whether the kings must not face each other on an open line, as the generals of xiangqi."""
        king_moves = () if self.royal_kind is None else self.royal_kind.moves
        return any(isinstance(move, Line) and move.flags & FACE for move in king_moves)


__all__ = ["MAX_CLOCK", "MAX_IN_HAND", "SIDES", "FieldKind", "Group", "Kind", "Look", "Sheet", "Side"]
