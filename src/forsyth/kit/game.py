"""A whole game made of a sheet of data and a few rules.

`GridGame(sheet, rules)` is a `forsyth.Game` that is also editable, columnar and historical. The sheet says
what the game is made of; `Rules` holds the few functions that no sheet can say. Each of them may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from forsyth import hindrances
from forsyth.arguments import no_choice, quoted, require_choice, require_kind, require_text, whole_number
from forsyth.column import Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, MoveError, Reading
from forsyth.findings import CodeBook
from forsyth.game import (
    Change,
    Difference,
    Field,
    Game,
    MoveFacts,
    Outcome,
    Past,
    not_a_move,
    not_a_move_text,
    not_a_position,
    not_legal,
)
from forsyth.hindrances import Hindrance
from forsyth.kit import data, edit, explain
from forsyth.kit import scene as pictures
from forsyth.kit.board import Board
from forsyth.kit.legality import check as check_position
from forsyth.kit.moves import Coordinates, GridMove
from forsyth.kit.notation import fen
from forsyth.kit.notation.canonical import Notation
from forsyth.kit.notation.likelihood import likelihood
from forsyth.kit.notation.scanner import is_scannable
from forsyth.kit.numbers import features_planes as numbers
from forsyth.kit.numbers.column import GridColumn
from forsyth.kit.numbers.packing import packed_width, unpack
from forsyth.kit.play import played
from forsyth.kit.position import GridPosition
from forsyth.kit.repetition import repeated
from forsyth.kit.rules import Rules
from forsyth.kit.search import legal_moves, perft
from forsyth.kit.sheet import Sheet
from forsyth.kit.sheet_texts import require_texts
from forsyth.limits import BREATH, MAX_COUNTED_DEPTH, MAX_MOVE_TEXT
from forsyth.registry import game as find_game
from forsyth.scene import Colour, Mark, Scene


class GridGame(Game[GridPosition, GridMove]):
    """A game on a grid. `look` is one of `looks`: how its men are drawn."""

    def __init__(self, sheet: Sheet, rules: Rules | None = None, look: str = "") -> None:
        self.sheet = sheet
        self.rules = Rules() if rules is None else rules
        if sheet.styles and self.rules.write is None:
            raise ValueError(f"{sheet.name} has styles, but its rules have no function that writes them")
        self.look = look or next(iter(sheet.look.glyphs))
        self.notation = Notation(self)
        self.coordinates = Coordinates(sheet)
        self.book = CodeBook(sheet.codes)
        # Whoever writes or plays one move of a position asks for all of them: the last list is kept.
        self._listed: tuple[GridPosition | None, tuple[GridMove, ...]] = (None, ())
        require_texts(self)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {self.variant}>"

    def __eq__(self, other: object) -> bool:
        """Whether it is the same game, however its men look."""
        return isinstance(other, GridGame) and other.sheet is self.sheet

    def __hash__(self) -> int:
        return hash(self.sheet)

    def __copy__(self) -> GridGame:
        return self

    def __deepcopy__(self, _: object) -> GridGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # As its positions do, it travels by its name: what is compiled from its sheet stays here.
        return _installed, (self.name, self.look)

    # --- facts --------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name it is asked for by."""
        return self.sheet.name

    @property
    def title(self) -> str:
        """The name a person reads."""
        return self.sheet.title

    @property
    def start(self) -> str:
        """The canonical text of the start position."""
        return self.sheet.start

    @cached_property
    def max_text(self) -> int:
        """The most characters that it reads: room for every canonical text."""
        return max(fen.MAX_LENGTH, self.notation.longest)

    @property
    def codes(self) -> tuple[CodeInfo, ...]:
        """Every code of its findings beside the shared ones."""
        return self.sheet.codes

    @property
    def players(self) -> tuple[str, ...]:
        """The tags of the players, the first side's first."""
        return tuple(side.player or side.name for side in self.sheet.sides)

    @property
    def names(self) -> Mapping[str, str]:
        """Named positions."""
        return {"start": self.start, "initial": self.start, **self.sheet.names}

    @property
    def styles(self) -> Mapping[str, str]:
        """Ways of writing beside the canonical one."""
        return self.sheet.styles

    @property
    def examples(self) -> Mapping[str, str]:
        """Texts worth showing."""
        return {"The start position": self.start, **self.sheet.examples}

    @property
    def not_judged(self) -> tuple[str, ...]:
        """Rules that are left to the players."""
        return self.sheet.not_judged

    @cached_property
    def _own_moves(self) -> re.Pattern[str]:
        return re.compile(self.rules.move_pattern)

    @property
    def move_pattern(self) -> str:
        """A move of its notation, or squares."""
        own = self.rules.move_pattern
        return f"{own}|{self.coordinates.pattern}" if own else self.coordinates.pattern

    @property
    def looks(self) -> tuple[str, ...]:
        """The sets of drawings of its men."""
        return tuple(self.sheet.look.glyphs)

    def with_variant(self, variant: str) -> GridGame:
        """The game itself, of which a sheet is one variant; `ValueError` for another."""
        super().with_variant(variant)
        return self

    def with_look(self, look: str) -> GridGame:
        """The same game with its men drawn otherwise; `ValueError` for a look it does not have."""
        require_choice(f"{self.name} look", look, self.looks)
        return GridGame(self.sheet, self.rules, look)

    @property
    def boards(self) -> Mapping[str, Mapping[str, Colour]]:
        """The colours of its boards."""
        return self.sheet.look.boards

    def likelihood(self, text: str) -> float:
        """How much a text looks like one of this game."""
        require_text("the text", text)
        return likelihood(self.sheet, text[: self.max_text])

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default") -> Reading[GridPosition]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""
        return fen.read(self, text, mode)

    def check(
        self, position: GridPosition, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, placed in `text`; the same in every mode."""
        self._require_own(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text)

    def write(self, position: GridPosition, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`."""
        self._require_own(position)
        if style == "canonical":
            return str(position)
        if self.rules.write is None or not isinstance(style, str) or style not in self.styles:
            raise no_choice(f"{self.name} style", style, ("canonical", *self.styles))
        return self.rules.write(position, style)

    def key(self, position: GridPosition) -> str:
        """32 hexadecimal digits, the same for all texts of one position."""
        return self._require_own(position).key

    def pack(self, position: GridPosition) -> bytes:
        """The binary form of a position."""
        return self._require_own(position).packed

    def unpack(self, data: bytes) -> GridPosition:
        """The position of a binary form; raises `ValueError` when it is none."""
        return unpack(self, data)

    def position(self, board: bytes, hands: bytes, turn: int, half: int, full: int) -> GridPosition:
        """The position of its parts (see `GridPosition`)."""
        return GridPosition(self, board, hands, turn, half, full)

    def square(self, name: str) -> int:
        """The number of a square; raises `ValueError`."""
        number = self.sheet.square_number.get(name) if isinstance(name, str) else None
        if number is None:
            expected = f"expected one such as {self.sheet.squares[0]}"
            raise ValueError(f"{quoted(name)} is not a square of {self.name}, {expected}")
        return number

    # --- rules --------------------------------------------------------------------------------------

    def _board(self, position: GridPosition) -> Board:
        self._require_own(position)
        return Board(self.sheet.tables, position.board, position.hands, position.turn)

    def moves(self, position: GridPosition) -> list[GridMove]:
        """The legal moves."""
        return list(self._legal(position))

    def _legal(self, position: GridPosition) -> tuple[GridMove, ...]:
        listed, found = self._listed
        if listed is position:
            return found
        found = tuple(map(self.coordinates.move, legal_moves(self._board(position))))
        self._listed = (position, found)
        return found

    def checkers(self, position: GridPosition, side: int) -> list[int]:
        """The squares of the men that attack the king of a side (0 or 1)."""
        return self._board(position).checkers(side)

    def is_check(self, position: GridPosition) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers(position, self._require_own(position).turn))

    def perft(self, position: GridPosition, depth: int) -> int:
        """How many lines of `depth` legal moves there are."""
        depth = whole_number("the depth", depth, 0, MAX_COUNTED_DEPTH)
        if depth <= BREATH:
            return perft(self._board(position), depth)
        # A count of this depth holds the GIL: between them other threads get their turn.
        return sum(self.perft(self.play(position, move), depth - 1) for move in self.moves(position))

    def read_move(self, position: GridPosition, text: str) -> GridMove:
        """The legal move a text names, in its notation or as squares; raises `MoveError`."""
        self._require_own(position)
        if not isinstance(text, str):
            raise not_a_move_text(text)
        squares = self.coordinates.read(text[:MAX_MOVE_TEXT])
        read = self.rules.read_move
        if len(text) <= MAX_MOVE_TEXT and squares is not None:
            legal = self._legal(position)
            if squares in legal:
                return squares
            alike = [move for move in legal if move.target == squares.target]
        elif len(text) <= MAX_MOVE_TEXT and read is not None and self._own_moves.fullmatch(text):
            alike = list(read(position, text))
            if len(alike) == 1:
                return alike[0]
            if alike:
                message = f"{quoted(text)} fits more than one legal move"
                raise self._refused("ambiguous", position, text, message, alike)
        else:
            raise MoveError("invalid", text[:MAX_MOVE_TEXT], self._not_a_move(position, text))
        raise self._refused("illegal", position, text, f"{quoted(text)} is not a legal move here", alike)

    def _refused(
        self,
        kind: Literal["illegal", "ambiguous"],
        position: GridPosition,
        text: str,
        message: str,
        alike: list[GridMove],
    ) -> MoveError:
        """The error of a text of a move, with the legal moves that it may have meant."""
        texts = [self._write_move(position, move) for move in alike]
        named = f"; candidates are {', '.join(texts)}" if texts else ""
        return MoveError(kind, text, f"{message}{named}", texts)

    def _not_a_move(self, position: GridPosition, text: str) -> str:
        """The sentence about a text that is no move, with a legal one as an example."""
        legal = self._legal(position)
        expected = f", expected one such as {self._write_move(position, legal[0])}" if legal else ""
        return f"{quoted(text)} is not a move of {self.name}{expected}"

    def explain(self, position: GridPosition, text: str) -> Hindrance | None:
        """Why a text names no legal move; None where it names one."""
        try:
            self.read_move(position, text)
        except MoveError as error:
            found = self._why_illegal(position, text) if error.kind == "illegal" else None
            return found or hindrances.of_error(error)
        return None

    def _why_illegal(self, position: GridPosition, text: str) -> Hindrance | None:
        squares = self.coordinates.read(text)
        return explain.explain_text(position, text) if squares is None else explain.explain(position, squares)

    def why_not(self, position: GridPosition, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Why nothing goes from a square or a hand to a square; None where something does."""
        hindrances.require_places(origin, target, piece)
        return explain.why_not(self._require_own(position), origin, target)

    def write_move(self, position: GridPosition, move: GridMove) -> str:
        """A legal move in canonical notation."""
        self._require_legal(position, move)
        return self._write_move(position, move)

    def _write_move(self, position: GridPosition, move: GridMove) -> str:
        write = self.rules.write_move
        return self.coordinates.write(move) if write is None else write(position, move)

    def describe_move(self, position: GridPosition, move: GridMove) -> MoveFacts:
        """A legal move with its flags: n quiet, c capture, p promotion, d drop."""
        self._require_legal(position, move)
        sheet = self.sheet
        taken = position.board[move.target]
        flags = "d" if move.drops else ("c" if taken else "n") + "p" * move.promotes
        dropped = move.drops.lower() if position.turn else move.drops
        return MoveFacts(
            self._write_move(position, move),
            self.coordinates.write(move),
            edit.hand_place(dropped) if move.drops else sheet.squares[move.origin],
            sheet.squares[move.target],
            flags,
            sheet.letters[taken].lower() or None,
            str(played(position, move)),
            dropped or sheet.letters[position.board[move.origin]],
        )

    def play(self, position: GridPosition, move: GridMove) -> GridPosition:
        """The position after a legal move; raises `MoveError` for a move of another position."""
        self._require_legal(position, move)
        return played(position, move)

    def actions(self, position: GridPosition) -> tuple[str, ...]:
        """Nothing is done but moves."""
        self._require_own(position)
        return ()

    def outcome(self, position: GridPosition, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None; who has no legal move has lost."""
        times = whole_number("the number of repetitions", repetitions, 1)
        if not legal_moves(self._board(position)):
            reason = "checkmate" if self.is_check(position) else "stalemate"
            return Outcome("1-0" if position.turn else "0-1", reason)
        ended = None if self.rules.ended is None else self.rules.ended(position)
        return ended or repeated(self, Past((position,), (), times))

    def claims(self, position: GridPosition, repetitions: int = 1) -> tuple[str, ...]:
        """Nothing has to be claimed: what ends a game ends it by itself."""
        self._require_own(position)
        whole_number("the number of repetitions", repetitions, 1)
        return ()

    def outcome_of(self, past: Past[GridPosition, GridMove]) -> Outcome | None:
        """How a match ended, or None; a perpetual check loses."""
        require_kind("the past", past, Past, "a Past")
        return self.outcome(past.position) or repeated(self, past)

    def claims_of(self, past: Past[GridPosition, GridMove]) -> tuple[str, ...]:
        """Nothing has to be claimed: what ends a game ends it by itself."""
        require_kind("the past", past, Past, "a Past")
        return ()

    def side_to_move(self, position: GridPosition) -> str:
        """The name of the side that moves."""
        return self.sheet.sides[self._require_own(position).turn].name

    def move_number(self, position: GridPosition) -> tuple[int, int]:
        """The number a record gives the next move, and whose it is."""
        self._require_own(position)
        full, turn = position.full, position.turn
        # In records the number goes up before each move of the first side, whoever began.
        return (full + turn) // 2 + 1 - turn if self.sheet.counts_plies else full, turn

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: GridPosition, b: GridPosition) -> Difference:
        """What differs between two positions, field by field and square by square."""
        letters = self.sheet.letters
        fields = zip(self.fields(a), self.fields(b), strict=True)
        squares = zip(self.sheet.squares, a.board, b.board, strict=True)
        return Difference(
            tuple(Change(x.name, x.value, y.value) for x, y in fields if x.value != y.value),
            tuple(Change(name, letters[x], letters[y]) for name, x, y in squares if x != y),
            (a, b),
        )

    def scene(
        self,
        position: GridPosition,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """What to draw; `marks` says which squares to mark and why, `notes` what to say about them."""
        self._require_own(position)
        return pictures.scene(self, position, marks=marks, flip=flip, notes=notes)

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of `as_data`."""
        return data.schema(self.sheet)

    def as_data(self, position: GridPosition, text: str) -> dict[str, Any]:
        """A position as JSON-ready data."""
        return data.as_data(self._require_own(position))

    def component_of(self, finding: Diagnostic) -> str:
        """The name of the field that a finding is about, ``fen`` for the text as a whole."""
        require_kind("the finding", finding, Diagnostic, "a Diagnostic")
        number = finding.field
        return self.sheet.fields[number - 1] if isinstance(number, int) and number else "fen"

    # --- editing ------------------------------------------------------------------------------------

    def palette(self, position: GridPosition) -> Scene:
        """The men of both sides."""
        self._require_own(position)
        return pictures.palette(self)

    def put(self, position: GridPosition, square: str, symbol: str | None) -> GridPosition:
        """The position with a man on a square or one more in hand; for None with one less."""
        return edit.put(self._require_own(position), square, symbol)

    def lift(self, position: GridPosition, source: str, target: str) -> GridPosition:
        """The position with the man of one place on another."""
        return edit.lift(self._require_own(position), source, target)

    def fields(self, position: GridPosition) -> tuple[Field, ...]:
        """Who moves, the men in hand and the clocks."""
        return edit.fields(self._require_own(position))

    def with_field(self, position: GridPosition, name: str, value: str) -> GridPosition:
        """The position with another value in one of its fields, read as a text would be."""
        return edit.with_field(self._require_own(position), name, value)

    # --- columns ------------------------------------------------------------------------------------

    @cached_property
    def column(self) -> GridColumn | None:
        """Its kernels for whole columns; None where its texts are too long for them."""
        return GridColumn(self.sheet, self.max_text) if is_scannable(self.sheet) else None

    @property
    def packed_width(self) -> int:
        """The bytes of the longest packed form of a legal position."""
        return packed_width(self.sheet)

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """What `features` tells, in order."""
        return numbers.feature_list(self.sheet)

    def features(self, position: GridPosition) -> tuple[int, ...]:
        """The numbers of a position."""
        return numbers.features(self._require_own(position))

    @property
    def plane_shape(self) -> Planes:
        """The shape of what `planes` gives."""
        return numbers.plane_shape(self.sheet)

    def planes(self, position: GridPosition) -> bytes:
        """The position as a tensor of bytes."""
        return numbers.planes(self._require_own(position))

    # --- what was given -----------------------------------------------------------------------------

    def _require_own(self, position: GridPosition) -> GridPosition:
        if not isinstance(position, GridPosition):
            raise not_a_position(self.name, position)
        if position.game.sheet is not self.sheet:
            raise TypeError(f"a position of {self.name} is expected, not one of {position.game.name}")
        return position

    def _require_legal(self, position: GridPosition, move: GridMove) -> None:
        self._require_own(position)
        if not isinstance(move, GridMove):
            raise not_a_move(self.name, move)
        if move not in self._legal(position):
            raise not_legal(move)


def _installed(name: str, look: str) -> Any:
    """A game that another process named."""
    game: Any = find_game(name)
    return game if game.look == look else game.with_look(look)


__all__ = ["GridGame", "GridMove", "GridPosition", "Rules"]
