"""What a game on a grid says about itself: a sheet of data. Everything else of the kit follows from it.

The first side's men are capitals, a promoted man has ``+`` before its letter. A man is a number: 0 is an
empty square, then come the kinds of the first side, then those of the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, NamedTuple

from forsyth.diagnostics import CodeInfo, Severity
from forsyth.kit.codes import CODES
from forsyth.kit.movement import FACE, SIDES, Grid, KindMoves, Line, Movement, Zone, compile_tables, targets
from forsyth.kit.soundness import require_sound
from forsyth.kit.tables import Tables
from forsyth.scene import Cell, Colour, Stroke

MAX_CLOCK: Final = 9999
MAX_HELD: Final = 31
"""Most men of a kind in one hand: what five bits of the packed form hold."""

FieldKind = Literal["board", "side", "hands", "unused", "half", "full"]
_BOARD_PART: Final = re.compile(r"[0-9]+|\+?[A-Za-z]")
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


class Group(NamedTuple):
    """Men that are counted together: a kind with what it promotes to, of one side or of both."""

    kind: Kind
    men: tuple[int, ...]
    hands: tuple[int, ...]
    """Where their numbers stand among the men in hand."""


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
    boards: Mapping[str, Mapping[str, Colour]] = field(default_factory=dict)
    """The colours of the board by the name of each, the usual one first: what it changes in the palette."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A game on a grid with two sides, as data; raises `ValueError` where it contradicts itself."""

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
    not_judged: tuple[str, ...] = ()
    """Rules that are left to the players, each in a few words."""
    names: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, str] = field(default_factory=dict)
    letters_meant: Mapping[str, str] = field(default_factory=dict)
    """What lenient reading takes for a man, and which man it means."""
    sides_meant: Mapping[str, str] = field(default_factory=dict)
    """What lenient reading takes for a side, in small letters, and the letter it means."""

    def __post_init__(self) -> None:
        require_sound(self)

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

    def unpromoted(self, man: int) -> int:
        """The man that a man is when it is not promoted."""
        return 1 + self.side_of(man) * len(self.kinds) + self.base_kinds[(man - 1) % len(self.kinds)]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The men that there may be no more of than the game has, kings aside."""
        kinds = len(self.kinds)
        found = []
        for sides in (SIDES,) if self.has_hands else ((0,), (1,)):
            for number, kind in enumerate(self.kinds):
                if kind.royal or self.base_kinds[number] != number:
                    continue
                alike = [at for at, base in enumerate(self.base_kinds) if base == number]
                men = tuple(1 + side * kinds + at for side in sides for at in alike)
                hands = tuple(side * kinds + number for side in sides if self.has_hands)
                found.append(Group(kind, men, hands))
        return tuple(found)

    @cached_property
    def group_numbers(self) -> bytes:
        """Of each man which of the `groups` it belongs to, as a table to translate boards by: 0 for none."""
        found = bytearray(256)
        for number, group in enumerate(self.groups, 1):
            for man in group.men:
                found[man] = number
        return bytes(found)

    @cached_property
    def one_per_file(self) -> tuple[int, ...]:
        """The men of which a side may have no more than one on a file."""
        return tuple(man for man in range(1, len(self.letters)) if self.kind_of(man).one_per_file)

    @cached_property
    def one_per_file_bits(self) -> tuple[tuple[int, bytes], ...]:
        """Each of the men `one_per_file`, with a table that makes ``1`` of it and ``0`` of all others."""
        return tuple((man, bytes(48 + (man == other) for other in range(256))) for man in self.one_per_file)

    @cached_property
    def royal(self) -> Kind | None:
        """The kind of the king."""
        return next((kind for kind in self.kinds if kind.royal), None)

    @cached_property
    def kings(self) -> tuple[int, ...]:
        """The kings of both sides."""
        return tuple(man for man in range(1, len(self.letters)) if self.kind_of(man).royal)

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

    @cached_property
    def well_placed(self) -> re.Pattern[bytes]:
        """Matches the boards on which every man is where it can be."""
        classes = [bytes(man for man in range(len(self.letters)) if men >> man & 1) for men in self.places]
        return re.compile(b"".join(b"[" + re.escape(men) + b"]" for men in classes))

    def _reached(self, man: int) -> set[int]:
        """Where a man can be: where it can move on if men are dropped, else where it gets from the start."""
        if self.has_hands:
            return {square for square in range(self.grid.size) if not self.tables.is_stuck(man, square)}
        found: set[int] = set()
        new = {square for square, there in enumerate(self._start_board) if there == self.letters[man]}
        base = self.unpromoted(man)
        if base != man:
            new |= {target for target, promotes in self._targets(base, self._reached(base)) if promotes}
        while new:
            found |= new
            # Who could never move again has to promote.
            reached = self._targets(man, new)
            new = {at for at, promotes in reached if not (promotes and self.tables.is_stuck(man, at))} - found
        return found

    def _targets(self, man: int, origins: set[int]) -> Iterator[tuple[int, bool]]:
        """Where a man gets from some squares in one move, and whether it may promote by it."""
        kind, side = self.kind_of(man), self.side_of(man)
        promotes = bool(kind.promotes and self.promotion)
        zone = self.grid.zone(self.zones[self.promotion], side) if promotes else frozenset()
        for origin in origins:
            for target in targets(self.grid, kind.moves, self.zones, origin, side):
                yield target, origin in zone or target in zone

    @cached_property
    def _start_board(self) -> tuple[str, ...]:
        parts = _BOARD_PART.findall(self.start.split(" ", 1)[0])
        return tuple(man for part in parts for man in (("",) * int(part) if part.isdigit() else (part,)))

    @cached_property
    def codes(self) -> tuple[CodeInfo, ...]:
        """Every code of its findings beside the shared ones."""
        royal = self.royal
        traits = {
            "": True,
            "short": bool(self.short),
            "unused": "unused" in self.fields,
            "hands": self.has_hands,
            "half": "half" in self.fields,
            "promotion": bool(self.promotion),
            "king": royal is not None,
            "files": bool(self.one_per_file),
            "facing": self.faces,
        }
        found = (info for trait, info in CODES if traits[trait])
        lighter = ("king.missing",) if self.kingless else ()
        return tuple(
            info._replace(severity=Severity.WARNING) if info.code in lighter else info for info in found
        )

    @cached_property
    def faces(self) -> bool:
        """Whether kings must not face each other."""
        royal = self.royal
        lines = () if royal is None else royal.moves
        return any(isinstance(move, Line) and move.how & FACE for move in lines)


__all__ = ["MAX_CLOCK", "MAX_HELD", "SIDES", "FieldKind", "Group", "Kind", "Look", "Sheet", "Side"]
