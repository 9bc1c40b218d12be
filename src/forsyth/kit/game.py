"""A complete game that is built from a sheet of data and a few rules.

`GridGame(sheet, rules)` is a `forsyth.Game` that also has editing, columns and outcomes by history. The sheet
is the data of the game. `Rules` contains optional functions for what data cannot express.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, Self

from forsyth import move_errors
from forsyth.arguments import (
    quoted,
    require_choice,
    require_integer,
    require_text,
    require_type,
    unknown_choice_error,
)
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
    illegal_move_error,
    wrong_move_error,
    wrong_move_text_error,
    wrong_position_error,
)
from forsyth.kit import data, edit, explain
from forsyth.kit import scene as scenes
from forsyth.kit.board import Board
from forsyth.kit.legality import check_position
from forsyth.kit.moves import Coordinates, GridMove
from forsyth.kit.notation import fen
from forsyth.kit.notation.canonical import Notation
from forsyth.kit.notation.likelihood import likelihood
from forsyth.kit.notation.scanner import is_scannable
from forsyth.kit.numbers import features_planes as numbers
from forsyth.kit.numbers.column import GridColumn
from forsyth.kit.numbers.packing import compute_packed_width, unpack
from forsyth.kit.play import play_legal_move
from forsyth.kit.position import GridPosition
from forsyth.kit.repetition import find_repetition_outcome
from forsyth.kit.rules import Rules
from forsyth.kit.search import legal_moves, perft
from forsyth.kit.sheet import Sheet
from forsyth.kit.sheet_texts import require_readable_texts
from forsyth.limits import GIL_RELEASE_DEPTH, MAX_COUNTED_DEPTH, MAX_MOVE_TEXT
from forsyth.move_errors import Hindrance
from forsyth.registry import game as find_game
from forsyth.scene import Colour, Mark, Scene


class GridGame(Game[GridPosition, GridMove]):
    """A game on a grid, built from a sheet of data and a few rules."""

    def __init__(self, sheet: Sheet, rules: Rules | None = None, look: str = "") -> None:
        """Create a game.

        Args:
            sheet: The data of the game.
            rules: The functions of the game; None if it needs none.
            look: The set of piece drawings, one of `looks`; empty for the first.

        Raises:
            ValueError: If the sheet has styles without `Rules.write_style`, or if its start or a named
                position is not a position of the game.
        """
        self.sheet = sheet
        self.rules = Rules() if rules is None else rules
        if sheet.styles and self.rules.write_style is None:
            raise ValueError(
                f"the sheet of {sheet.name} has styles, but its rules lack write_style, which writes them"
            )
        self.look = look or next(iter(sheet.look.glyphs))
        self.notation = Notation(self)
        self.coordinates = Coordinates(sheet)
        self.book = CodeBook(sheet.codes)
        # Writing or playing a move needs all legal moves of its position, so the last list is cached.
        self._cached_moves: tuple[GridPosition | None, tuple[GridMove, ...]] = (None, ())
        require_readable_texts(self)

    def __repr__(self) -> str:
        return f"<Game {self.name}, {self.variant}>"

    def __eq__(self, other: object) -> bool:
        """Return whether the other game has the same sheet. The look does not matter."""
        return isinstance(other, GridGame) and other.sheet is self.sheet

    def __hash__(self) -> int:
        return hash(self.sheet)

    def __copy__(self) -> GridGame:
        return self

    def __deepcopy__(self, _: object) -> GridGame:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled by name, like positions, because the other process builds the tables of the sheet itself.
        return _restore_game, (self.name, self.look)

    # --- facts --------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name that selects the game, such as ``xiangqi``."""
        return self.sheet.name

    @property
    def title(self) -> str:
        """The name that people read, such as ``Xiangqi``."""
        return self.sheet.title

    @property
    def start(self) -> str:
        """The canonical text of the start position."""
        return self.sheet.start

    @cached_property
    def max_text(self) -> int:
        """Maximum length of a text that the game reads, in characters. Every canonical text fits."""
        return max(fen.MAX_LENGTH, self.notation.longest)

    @property
    def codes(self) -> tuple[CodeInfo, ...]:
        """The codes of the game's findings, without those that all games share."""
        return self.sheet.codes

    @property
    def players(self) -> tuple[str, ...]:
        """The record tags of the players, the first side's first."""
        return tuple(side.player or side.name for side in self.sheet.sides)

    @property
    def names(self) -> Mapping[str, str]:
        """The texts of the named positions by name, such as ``start``."""
        return {"start": self.start, "initial": self.start, **self.sheet.names}

    @property
    def styles(self) -> Mapping[str, str]:
        """The descriptions of the styles of `write` other than ``canonical``, by name."""
        return self.sheet.styles

    @property
    def examples(self) -> Mapping[str, str]:
        """Example texts by title."""
        return {"The start position": self.start, **self.sheet.examples}

    @property
    def not_judged(self) -> tuple[str, ...]:
        """The rules that Forsyth does not apply, each in a few words, such as ``perpetual chasing``."""
        return self.sheet.not_judged

    @cached_property
    def _own_move_pattern(self) -> re.Pattern[str]:
        """The compiled pattern of a move in the game's own notation, such as ``C2=5`` in xiangqi."""
        return re.compile(self.rules.move_pattern)

    @property
    def move_pattern(self) -> str:
        """Regular expression for a move in the game's own notation (``C2=5``) or by squares (``h3e3``)."""
        own_pattern, square_pattern = self.rules.move_pattern, self.coordinates.pattern
        return f"{own_pattern}|{square_pattern}" if own_pattern else square_pattern

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the sets of piece drawings, the default first."""
        return tuple(self.sheet.look.glyphs)

    def with_variant(self, variant: str) -> Self:
        """Return the game itself, which has only one variant. Raise `ValueError` for any other variant."""
        super().with_variant(variant)
        return self

    def with_look(self, look: str) -> Self:
        """Return the game with another set of piece drawings. Raise `ValueError` if there is no such set."""
        require_choice(f"{self.name} look", look, self.looks)
        # A subclass may have another constructor, so the attributes are copied.
        game = object.__new__(type(self))
        vars(game).update(vars(self))
        game.look = look
        game.notation = Notation(game)
        game._cached_moves = (None, ())
        return game

    @property
    def boards(self) -> Mapping[str, Mapping[str, Colour]]:
        """The colours of each board: the name of the board, then the palette role such as ``grid``."""
        return self.sheet.look.boards

    def likelihood(self, text: str) -> float:
        """Return a score that grows with how much a text looks like a position of this game.

        Only the first `max_text` characters count.
        """
        require_text("the text", text)
        return likelihood(self.sheet, text[: self.max_text])

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default") -> Reading[GridPosition]:
        """Read a text. Return its position, or None if the text has an error, with all findings about it.

        Args:
            text: The text of a position, such as the `start` of the game.
            mode: ``default``, ``strict`` (warnings are errors) or ``lenient`` (repair what is possible).
        """
        return fen.read(self, text, mode)

    def check(
        self, position: GridPosition, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return all findings about the legality of a position, with their places in `text`.

        Args:
            position: The position.
            text: The text of the position. None is its canonical text.
            mode: The reading mode. It does not change the findings.
        """
        self._require_own_position(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text)

    def write(self, position: GridPosition, style: str = "canonical") -> str:
        """Write a position as text. Raise `ValueError` if `style` is not ``canonical`` or in `styles`."""
        self._require_own_position(position)
        if style == "canonical":
            return str(position)
        if self.rules.write_style is None or not isinstance(style, str) or style not in self.styles:
            raise unknown_choice_error(f"{self.name} style", style, ("canonical", *self.styles))
        return self.rules.write_style(position, style)

    def key(self, position: GridPosition) -> str:
        """Return the hash of a position without its clocks as 32 hexadecimal digits.

        Two positions that differ only in their clocks have the same key.
        """
        return self._require_own_position(position).key

    def pack(self, position: GridPosition) -> bytes:
        """Return a position as bytes, at most `packed_width` of them if it is legal. `unpack` reads them."""
        return self._require_own_position(position).packed

    def unpack(self, data: bytes) -> GridPosition:
        """Return the position that `pack` wrote. Raise `ValueError` if `data` is not a packed position."""
        return unpack(self, data)

    def position(self, board: bytes, hands: bytes, turn: int, half: int, full: int) -> GridPosition:
        """Return the position with these fields. They are not checked.

        Args:
            board: The piece number on each square, in the order of a text. 0 is an empty square.
            hands: The number of pieces of each kind in hand, the first side's first; empty without hands.
            turn: The side to move: 0 or 1.
            half: Plies since the last capture.
            full: The number of the move about to be played.
        """
        return GridPosition(self, board, hands, turn, half, full)

    def square(self, name: str) -> int:
        """Return the number of a square such as ``e4``. Raise `ValueError` if there is no such square.

        Squares are numbered from 0 in the order of a text: left to right, the top rank first.
        """
        number = self.sheet.square_number.get(name) if isinstance(name, str) else None
        if number is None:
            expected = f"expected one such as {self.sheet.squares[0]}"
            raise ValueError(f"{quoted(name)} is not a square of {self.name}, {expected}")
        return number

    # --- rules --------------------------------------------------------------------------------------

    def _make_board(self, position: GridPosition) -> Board:
        """Return a copy of a position on which the search can make moves and take them back.

        Raise `TypeError` if it is not a position of this game.
        """
        self._require_own_position(position)
        return Board(self.sheet.tables, position.board, position.hands, position.turn)

    def moves(self, position: GridPosition) -> list[GridMove]:
        """Return the legal moves of the side to move, as a new list."""
        return list(self._list_legal_moves(position))

    def _list_legal_moves(self, position: GridPosition) -> tuple[GridMove, ...]:
        """Return the legal moves of a position. The moves of the last position are cached."""
        cached_position, cached_moves = self._cached_moves
        if cached_position is position:
            return cached_moves
        move_numbers = legal_moves(self._make_board(position))
        moves = tuple(map(self.coordinates.decode_move, move_numbers))
        self._cached_moves = (position, moves)
        return moves

    def checkers(self, position: GridPosition, side: int) -> list[int]:
        """Return the numbers of the squares of the pieces that attack the king of a side (0 or 1)."""
        return self._make_board(position).list_checkers(side)

    def is_check(self, position: GridPosition) -> bool:
        """Return whether the side to move is in check."""
        self._require_own_position(position)
        checkers = self.checkers(position, position.turn)
        return bool(checkers)

    def perft(self, position: GridPosition, depth: int) -> int:
        """Return the number of different sequences of `depth` legal moves from a position.

        Raise `ValueError` if `depth` is negative or greater than `MAX_COUNTED_DEPTH`.
        """
        depth = require_integer("the depth", depth, 0, MAX_COUNTED_DEPTH)
        if depth <= GIL_RELEASE_DEPTH:
            return perft(self._make_board(position), depth)
        # The compiled count holds the GIL. Splitting a deep count lets other threads run in between.
        return sum(self.perft(self.play(position, move), depth - 1) for move in self.moves(position))

    def read_move(self, position: GridPosition, text: str) -> GridMove:
        """Return the legal move that a text names, in the game's own notation or by squares (``h3e3``).

        Raise `MoveError` if the text is not a move, or does not match exactly one legal move. The error lists
        the legal moves that may have been meant.
        """
        self._require_own_position(position)
        if not isinstance(text, str):
            raise wrong_move_text_error(text)
        if len(text) > MAX_MOVE_TEXT:
            raise MoveError("invalid", text[:MAX_MOVE_TEXT], self._describe_invalid_move(position, text))
        move_by_squares = self.coordinates.read_move(text)
        if move_by_squares is not None:
            return self._require_legal_squares(position, text, move_by_squares)
        if self.rules.read_move is None or not self._own_move_pattern.fullmatch(text):
            raise MoveError("invalid", text, self._describe_invalid_move(position, text))
        matches = list(self.rules.read_move(position, text))
        if len(matches) == 1:
            return matches[0]
        if matches:
            message = f"{quoted(text)} fits more than one legal move"
            raise self._make_move_error("ambiguous", position, text, message, matches)
        message = f"{quoted(text)} is not a legal move here"
        raise self._make_move_error("illegal", position, text, message, matches)

    def _require_legal_squares(self, position: GridPosition, text: str, move: GridMove) -> GridMove:
        """Return `move`, which was read from `text` such as ``h3e3``. Raise `MoveError` if it is not legal.

        The error lists the legal moves to the same square, because one of them may have been meant.
        """
        legal = self._list_legal_moves(position)
        if move in legal:
            return move
        candidates = [legal_move for legal_move in legal if legal_move.target == move.target]
        message = f"{quoted(text)} is not a legal move here"
        raise self._make_move_error("illegal", position, text, message, candidates)

    def _make_move_error(
        self,
        kind: Literal["illegal", "ambiguous"],
        position: GridPosition,
        text: str,
        message: str,
        candidates: list[GridMove],
    ) -> MoveError:
        """Return the error for a move text, with the candidates added to its message.

        Args:
            kind: The kind of the error.
            position: The position before the move.
            text: The move text.
            message: The message without the candidates.
            candidates: The legal moves that may have been meant. The list can be empty.
        """
        candidate_texts = [self._write_legal_move(position, move) for move in candidates]
        if candidate_texts:
            message = f"{message}; candidates are {', '.join(candidate_texts)}"
        return MoveError(kind, text, message, candidate_texts)

    def _describe_invalid_move(self, position: GridPosition, text: str) -> str:
        """Return the message for a text that cannot be parsed as a move, with a legal move as an example."""
        legal = self._list_legal_moves(position)
        expected = f", expected one such as {self._write_legal_move(position, legal[0])}" if legal else ""
        return f"{quoted(text)} is not a move of {self.name}{expected}"

    def explain(self, position: GridPosition, text: str) -> Hindrance | None:
        """Return the reason why a text is not a legal move, or None if it is one."""
        try:
            self.read_move(position, text)
        except MoveError as error:
            hindrance = self._explain_illegal_move(position, text) if error.kind == "illegal" else None
            return hindrance or move_errors.hindrance_of_error(error)
        return None

    def _explain_illegal_move(self, position: GridPosition, text: str) -> Hindrance | None:
        """Return the reason why `text`, which has the form of a move, is not a legal move.

        Return None if no reason is known.
        """
        move = self.coordinates.read_move(text)
        if move is None:
            return explain.explain_text(position, text)
        return explain.explain_move(position, move)

    def why_not(self, position: GridPosition, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Return the reason why no legal move leads from `origin` to `target`, or None if one does.

        Args:
            position: The position before the move.
            origin: The name of a square, or of a place in a hand such as ``P*``.
            target: The name of a square.
            piece: Ignored, because a square holds only one piece.
        """
        move_errors.require_places(origin, target, piece)
        return explain.explain_places(self._require_own_position(position), origin, target)

    def write_move(self, position: GridPosition, move: GridMove) -> str:
        """Write a move in canonical notation. Raise `MoveError` if it is not legal."""
        self._require_legal(position, move)
        return self._write_legal_move(position, move)

    def _write_legal_move(self, position: GridPosition, move: GridMove) -> str:
        """Write a move, which must be legal, in canonical notation."""
        write = self.rules.write_move
        return self.coordinates.write_move(move) if write is None else write(position, move)

    def describe_move(self, position: GridPosition, move: GridMove) -> MoveFacts:
        """Return the facts about a move, such as its notation and the text of the position after it.

        The flags are ``n`` for a quiet move, ``c`` for a capture, ``p`` for a promotion and ``d`` for a drop.
        Raise `MoveError` if the move is not legal.
        """
        self._require_legal(position, move)
        sheet = self.sheet
        captured = position.board[move.target]
        if move.drops:
            piece_letter = move.drops.lower() if position.turn else move.drops
            origin, flags = edit.name_hand_place(piece_letter), "d"
        else:
            piece_letter = sheet.letters[position.board[move.origin]]
            origin, flags = sheet.squares[move.origin], "c" if captured else "n"
            if move.promotes:
                flags += "p"
        return MoveFacts(
            move=self._write_legal_move(position, move),
            lan=self.coordinates.write_move(move),
            origin=origin,
            target=sheet.squares[move.target],
            flags=flags,
            captured=sheet.letters[captured].lower() or None,
            after=str(play_legal_move(position, move)),
            piece=piece_letter,
        )

    def play(self, position: GridPosition, move: GridMove) -> GridPosition:
        """Return the position after a move. Raise `MoveError` if the move is not legal."""
        self._require_legal(position, move)
        return play_legal_move(position, move)

    def actions(self, position: GridPosition) -> tuple[str, ...]:
        """Return an empty tuple, because games of the kit have no actions beside moves."""
        self._require_own_position(position)
        return ()

    def outcome(self, position: GridPosition, repetitions: int = 1) -> Outcome | None:
        """Return the outcome if the game has ended, else None. A side without a legal move loses.

        Args:
            position: The last position of the game.
            repetitions: The number of times that the position has occurred.
        """
        occurrences = require_integer("the number of repetitions", repetitions, 1)
        has_legal_move = bool(legal_moves(self._make_board(position)))
        if not has_legal_move:
            reason = "checkmate" if self.is_check(position) else "stalemate"
            result = "1-0" if position.turn == 1 else "0-1"
            return Outcome(result, reason)
        if self.rules.find_outcome is not None:
            outcome = self.rules.find_outcome(position)
            if outcome is not None:
                return outcome
        past = Past((position,), (), occurrences)
        return find_repetition_outcome(self, past)

    def claims(self, position: GridPosition, repetitions: int = 1) -> tuple[str, ...]:
        """Return an empty tuple, because no player has to claim the end of a game."""
        self._require_own_position(position)
        require_integer("the number of repetitions", repetitions, 1)
        return ()

    def outcome_of(self, past: Past[GridPosition, GridMove]) -> Outcome | None:
        """Return the outcome of a match from all of its positions, or None if it has not ended.

        A side that repeats a position by giving check with each of its moves loses. `past` has the positions
        of the match.
        """
        require_type("the past", past, Past, "a Past")
        return self.outcome(past.position) or find_repetition_outcome(self, past)

    def claims_of(self, past: Past[GridPosition, GridMove]) -> tuple[str, ...]:
        """Return an empty tuple, because no player has to claim the end of a match."""
        require_type("the past", past, Past, "a Past")
        return ()

    def side_to_move(self, position: GridPosition) -> str:
        """Return the name of the side to move."""
        return self.sheet.sides[self._require_own_position(position).turn].name

    def move_number(self, position: GridPosition) -> tuple[int, int]:
        """Return the number of the next move in a record, and the side to move (0 or 1)."""
        self._require_own_position(position)
        turn = position.turn
        if not self.sheet.counts_plies:
            return position.full, turn
        # In records the number grows before each move of the first side, whichever side began.
        record_number = (position.full + turn) // 2 + 1 - turn
        return record_number, turn

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: GridPosition, b: GridPosition) -> Difference:
        """Return the fields and squares that differ between two positions, with the values in both."""
        field_pairs = zip(self.fields(a), self.fields(b), strict=True)
        field_changes = tuple(
            Change(old.name, old.value, new.value) for old, new in field_pairs if old.value != new.value
        )
        letters = self.sheet.letters
        square_triples = zip(self.sheet.squares, a.board, b.board, strict=True)
        square_changes = tuple(
            Change(name, letters[old], letters[new]) for name, old, new in square_triples if old != new
        )
        return Difference(field_changes, square_changes, (a, b))

    def scene(
        self,
        position: GridPosition,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """Return the scene of a position.

        Args:
            position: The position.
            marks: Marks by square, or by place in a hand.
            flip: Whether to draw the board from the second side's view.
            notes: Notes by square, or by place in a hand.
        """
        self._require_own_position(position)
        return scenes.make_scene(self, position, marks=marks, flip=flip, notes=notes)

    @property
    def data_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the data that `as_data` returns."""
        return data.make_schema(self.sheet)

    def as_data(self, position: GridPosition, text: str) -> dict[str, Any]:
        """Return a position as data for JSON that fits `data_schema`.

        `text` is ignored, because this game does not store the original text.
        """
        return data.position_to_data(self._require_own_position(position))

    def component_of(self, finding: Diagnostic) -> str:
        """Return the name of the field that a finding is about, such as ``board`` or ``side``.

        Return ``fen`` if the finding is about the whole text.
        """
        require_type("the finding", finding, Diagnostic, "a Diagnostic")
        # Fields are numbered from 1 on.
        field_number = finding.field
        if isinstance(field_number, int) and field_number:
            return self.sheet.fields[field_number - 1]
        return "fen"

    # --- editing ------------------------------------------------------------------------------------

    def palette(self, position: GridPosition) -> Scene:
        """Return a scene with one piece of each kind, to choose from when editing."""
        self._require_own_position(position)
        return scenes.make_palette(self)

    def put(self, position: GridPosition, square: str, symbol: str | None) -> GridPosition:
        """Return the position with a piece placed on a square, or added to a hand.

        Args:
            position: The position to edit.
            square: The square, or a place in a hand such as ``P*``.
            symbol: The letter of the piece. None empties the square, or removes one piece from the hand.

        Raises:
            ValueError: If there is no such place or piece, or if the piece does not fit into the hand.
        """
        return edit.place_piece(self._require_own_position(position), square, symbol)

    def lift(self, position: GridPosition, source: str, target: str) -> GridPosition:
        """Return the position with the piece of the place `source` moved to the place `target`.

        The rules of movement are not applied. Raise `ValueError` if `source` is empty or a place does not
        exist.
        """
        return edit.move_piece(self._require_own_position(position), source, target)

    def fields(self, position: GridPosition) -> tuple[Field, ...]:
        """Return the side to move, the pieces in hand and the clocks, as fields that can be edited."""
        return edit.list_fields(self._require_own_position(position))

    def with_field(self, position: GridPosition, name: str, value: str) -> GridPosition:
        """Return the position with another value in the field `name`, read like the field of a text.

        Raise `ValueError` if there is no such field or the value cannot be read.
        """
        return edit.replace_field(self._require_own_position(position), name, value)

    # --- columns ------------------------------------------------------------------------------------

    @cached_property
    def column(self) -> GridColumn | None:
        """The functions for whole columns of texts; None if the game's texts are too long for them."""
        return GridColumn(self.sheet, self.max_text) if is_scannable(self.sheet) else None

    @property
    def packed_width(self) -> int:
        """Maximum length of a packed legal position, in bytes."""
        return compute_packed_width(self.sheet)

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """The names and descriptions of the features, in order."""
        return numbers.list_features(self.sheet)

    def features(self, position: GridPosition) -> tuple[int, ...]:
        """Return the features of a position as numbers (see `feature_list`)."""
        return numbers.compute_features(self._require_own_position(position))

    @property
    def plane_shape(self) -> Planes:
        """The names and the size of the planes that `planes` returns."""
        return numbers.make_plane_shape(self.sheet)

    def planes(self, position: GridPosition) -> bytes:
        """Return a position as planes for training: one byte per square and plane (see `plane_shape`)."""
        return numbers.compute_planes(self._require_own_position(position))

    # --- checks of arguments ------------------------------------------------------------------------

    def _require_own_position(self, position: GridPosition) -> GridPosition:
        """Return `position` itself. Raise `TypeError` if it is not a position of this game."""
        if not isinstance(position, GridPosition):
            raise wrong_position_error(self.name, position)
        if position.game.sheet is not self.sheet:
            raise TypeError(
                f"the position is one of {position.game.name}, expected a position of {self.name}"
            )
        return position

    def _require_legal(self, position: GridPosition, move: GridMove) -> None:
        """Raise `MoveError` if `move` is not a legal move of the position."""
        self._require_own_position(position)
        if not isinstance(move, GridMove):
            raise wrong_move_error(self.name, move)
        if move not in self._list_legal_moves(position):
            raise illegal_move_error(move)


def _restore_game(name: str, look: str) -> Any:
    """Return the game with a name and a set of piece drawings. Pickle calls it to restore a game."""
    game: Any = find_game(name)
    return game if game.look == look else game.with_look(look)


__all__ = ["GridGame", "GridMove", "GridPosition", "Rules"]
