"""What a game on a grid says about itself: a sheet of data. Everything else of the kit follows from it.

The first side's men are capitals, a promoted man has ``+`` before its letter. A man is a number: 0 is an
empty square, then come the kinds of the first side, then those of the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

from forsyth.diagnostics import CodeInfo, Severity
from forsyth.kit.movement import FACE, SIDES, Grid, KindMoves, Line, Movement, Zone, compile_tables, targets
from forsyth.kit.search import Tables
from forsyth.scene import Cell, Colour, Stroke

MAX_CLOCK: Final = 9999
MAX_HELD: Final = 31
"""Most men of a kind in one hand: what five bits of the packed form hold."""

FieldKind = Literal["board", "side", "hands", "unused", "half", "full"]
_DEFAULTS: Final = {"hands": "-", "unused": "-", "half": "0", "full": "1"}


class Side(NamedTuple):
    """One of the two sides."""

    letter: str
    """As a text says who moves."""
    name: str
    """As a person reads it, such as ``Red``."""
    player: str = ""
    """The tag of a record under which the player is named; the name by default."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of men."""

    letter: str
    """The capital of the notation, with ``+`` before it for a promoted kind."""
    name: str
    moves: tuple[Movement, ...]
    value: int = 0
    most: int = 99
    """How many there can be: of each side, or of both where captured men change sides."""
    characters: tuple[str, str] = ("", "")
    """How a terminal shows it, of either side; the letter by default."""
    promotes: str = ""
    """The letter of the kind it becomes."""
    royal: bool = False
    one_per_file: bool = False
    """Whether a side may have no more than one of it on a file."""
    drop_mates: bool = True
    """Whether it may be dropped to give mate."""

    @property
    def plural(self) -> str:
        """The name of several."""
        return f"{self.name}s"


@dataclass(frozen=True)
class Look:
    """How the board and the men look."""

    palette: Mapping[str, Colour]
    glyphs: Mapping[str, Mapping[str, tuple[Stroke, ...]]]
    """Sets of drawings by name, the usual one first; in each the drawing of each man, by its letters."""
    map: tuple[Stroke, ...] = ()
    """The board as one map in a box of 100 units per square; its paths have absolute pairs only."""
    pointed: bool = False
    """Whether men show by where they point whose they are; their paths have absolute pairs only."""
    between: tuple[Cell, ...] = ()
    """What a terminal shows between two ranks, such as a river."""
    grounds: tuple[str, str] = ("board", "board")
    """The roles of light and dark squares."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A game on a grid with two sides, as data."""

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
    """The fields of a text in their order."""
    short: tuple[int, ...] = ()
    """How many fields may stand alone, the others being as usual."""
    counts_plies: bool = False
    """Whether the number of the move goes up with every ply, not with every move of the second side."""
    zones: Mapping[str, Zone] = field(default_factory=dict)
    promotion: str = ""
    """The zone in which men promote."""
    kingless: bool = False
    """Whether a side without a king is unusual, not illegal."""
    repetitions: int = 3
    """How often a position may occur in a match: the last time it ends the game."""
    names: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, str] = field(default_factory=dict)
    letters_meant: Mapping[str, str] = field(default_factory=dict)
    """What lenient reading takes for a man, and which man it means."""
    sides_meant: Mapping[str, str] = field(default_factory=dict)
    """What lenient reading takes for a side, in small letters, and the letter it means."""

    @cached_property
    def grid(self) -> Grid:
        """The squares of the board."""
        return Grid(self.files, self.ranks)

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares in the order of a text."""
        return self.grid.squares()

    @cached_property
    def square_number(self) -> Mapping[str, int]:
        """The numbers of the squares by their names."""
        return {name: number for number, name in enumerate(self.squares)}

    @property
    def has_hands(self) -> bool:
        """Whether captured men change sides and are dropped."""
        return "hands" in self.fields

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters of all men by their numbers; of an empty square none."""
        capitals = [kind.letter for kind in self.kinds]
        return ("", *capitals, *(letter.lower() for letter in capitals))

    @cached_property
    def man_number(self) -> Mapping[str, int]:
        """The numbers of the men by their letters."""
        return {letter: number for number, letter in enumerate(self.letters) if letter}

    @cached_property
    def plain_letters(self) -> str:
        """The letters of all men that are not promoted, as messages list them."""
        return "".join(letter for letter in self.letters if len(letter) == 1)

    @cached_property
    def held(self) -> tuple[int, ...]:
        """The numbers of the kinds that can be in hand, in the order of a text."""
        promoted = {kind.promotes for kind in self.kinds}
        kinds = enumerate(self.kinds) if self.has_hands else ()
        return tuple(at for at, kind in kinds if not kind.royal and kind.letter not in promoted)

    @cached_property
    def defaults(self) -> tuple[str, ...]:
        """What each field is taken for where it is missing."""
        first = {"board": "", "side": self.sides[0].letter}
        return tuple((first | _DEFAULTS)[name] for name in self.fields)

    def kind_of(self, man: int) -> Kind:
        """The kind of a man."""
        return self.kinds[(man - 1) % len(self.kinds)]

    def side_of(self, man: int) -> int:
        """Whose a man is: 0 or 1."""
        return (man - 1) // len(self.kinds)

    @cached_property
    def base_kinds(self) -> tuple[int, ...]:
        """Of each kind the number of the kind that it is when it is not promoted."""
        base = {kind.promotes: number for number, kind in enumerate(self.kinds) if kind.promotes}
        return tuple(base.get(kind.letter, number) for number, kind in enumerate(self.kinds))

    @cached_property
    def royal(self) -> Kind | None:
        """The kind of the king."""
        return next((kind for kind in self.kinds if kind.royal), None)

    @cached_property
    def tables(self) -> Tables:
        """The movement of all kinds, for the search."""
        numbers = {kind.letter: number for number, kind in enumerate(self.kinds)}
        moves = [
            KindMoves(
                kind.moves,
                kind.royal,
                numbers.get(kind.promotes, -1),
                self.base_kinds[number] if self.has_hands and not kind.royal else -1,
                kind.one_per_file,
                kind.drop_mates,
            )
            for number, kind in enumerate(self.kinds)
        ]
        return compile_tables(self.grid, moves, self.zones, self.promotion)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Of each square the men that can be there, as bits by their numbers; an empty square is bit 0."""
        found = [1] * self.grid.size
        for man in range(1, len(self.letters)):
            for square in self._reached(man):
                found[square] |= 1 << man
        return tuple(found)

    def _reached(self, man: int) -> set[int]:
        """Where a man can be: where it can still move if men are dropped, else where it gets from the start."""
        if self.has_hands:
            return {square for square in range(self.grid.size) if not self.tables.is_stuck(man, square)}
        found: set[int] = set()
        new = {square for square, there in enumerate(self._start_board) if there == self.letters[man]}
        while new:
            found |= new
            moves = self.kind_of(man).moves
            reached = (targets(self.grid, moves, self.zones, at, self.side_of(man)) for at in new)
            new = {square for squares in reached for square in squares} - found
        return found

    @cached_property
    def _start_board(self) -> tuple[str, ...]:
        board = self.start.split(" ", 1)[0].replace("/", "")
        return tuple(man for ch in board for man in (("",) * int(ch) if ch.isdigit() else (ch,)))

    @cached_property
    def codes(self) -> tuple[CodeInfo, ...]:
        """Every code of its findings beside the shared ones."""
        return tuple(info for needed, info in _codes(self) if needed)

    @cached_property
    def faces(self) -> bool:
        """Whether kings must not face each other."""
        royal = self.royal
        lines = () if royal is None else royal.moves
        return any(isinstance(move, Line) and move.how & FACE for move in lines)


def _codes(sheet: Sheet) -> tuple[tuple[bool, CodeInfo], ...]:
    """All codes of the kit, each with whether the game can report it."""
    error, warning = Severity.ERROR, Severity.WARNING
    hands, half = sheet.has_hands, "half" in sheet.fields
    promotes = any(kind.promotes for kind in sheet.kinds)
    files = any(kind.one_per_file for kind in sheet.kinds)
    king = sheet.royal is not None
    missing = warning if sheet.kingless else error
    return (
        (True, CodeInfo("fen.dash", warning, "text", "a character that only looks like `-`")),
        (True, CodeInfo("fen.whitespace", warning, "text", "fields not separated by exactly one space")),
        (
            bool(sheet.short),
            CodeInfo("fen.short", warning, "text", "only the first fields; the others are as usual"),
        ),
        (True, CodeInfo("board.char", error, "fields", "not a man, an empty count or a slash")),
        (
            promotes,
            CodeInfo("board.promotion", error, "fields", "a `+` that is not before a man that promotes"),
        ),
        (True, CodeInfo("board.digit", error, "fields", "an empty count of 0 or with a 0 in it")),
        (True, CodeInfo("board.adjacent_digits", error, "fields", "empty counts in a row")),
        (True, CodeInfo("board.rank_short", error, "fields", "a rank of too few squares")),
        (True, CodeInfo("board.rank_long", error, "fields", "a rank of too many squares")),
        (True, CodeInfo("board.rank_count", error, "fields", "too few or too many ranks")),
        (True, CodeInfo("side.value", error, "fields", "the side to move is none of the two")),
        (
            "unused" in sheet.fields,
            CodeInfo("unused.value", error, "fields", "a field that is not used is not `-`"),
        ),
        (hands, CodeInfo("hand.char", error, "fields", "not a man that can be in hand, nor a count")),
        (hands, CodeInfo("hand.count", error, "fields", "a count of 0, too large or without a man")),
        (hands, CodeInfo("hand.format", warning, "fields", "men in hand in another order or another form")),
        (half, CodeInfo("half.value", error, "fields", "the clock is not a number of at most four digits")),
        (half, CodeInfo("half.format", warning, "fields", "a clock with leading zeros")),
        (True, CodeInfo("full.value", error, "fields", "the move number is not one of at most four digits")),
        (True, CodeInfo("full.format", warning, "fields", "a move number with leading zeros")),
        (True, CodeInfo("full.zero", warning, "fields", "a move number of 0; it is taken as 1")),
        (king, CodeInfo("king.missing", missing, "position", "a side has no king")),
        (king, CodeInfo("king.many", error, "position", "a side has more than one king")),
        (True, CodeInfo("men.many", error, "position", "more men of a kind than the game has")),
        (True, CodeInfo("man.place", error, "position", "a man where none of its kind can be")),
        (files, CodeInfo("man.file", error, "position", "more men of a kind on a file than may be there")),
        (
            sheet.faces,
            CodeInfo("kings.facing", error, "position", "the kings face each other on an open file"),
        ),
        (king, CodeInfo("check.opposite", error, "position", "the side that is not to move is in check")),
    )


__all__ = ["MAX_CLOCK", "MAX_HELD", "SIDES", "FieldKind", "Kind", "Look", "Sheet", "Side"]
