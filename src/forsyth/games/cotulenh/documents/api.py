"""The class of the source documents in Python's spelling: one game of CoTuLenh that is set up and played.

`CoTuLenh` is a thin face over the functions of this folder, with the records of `forsyth.record`. Every
method either succeeds or changes nothing. Setting up the board by hand (`put`, `remove`,
`set_heroic_status`) begins a new game from it. A turn enters the history when it is completed; a record
(`pgn`) holds completed turns only. Comments belong to positions, under their texts.

Limits: MAX_MOVES turns. The board holds what a text can say, so that each unit is a legal stack.
Methods: spec/cotulenh 16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, overload

from forsyth.arguments import require_kind, require_text
from forsyth.diagnostics import Diagnostic, Mode, Reading
from forsyth.display import html_of
from forsyth.games.cotulenh.board import BOARD_SIZE, FILES, SQUARES
from forsyth.games.cotulenh.documents.api_values import (
    BITS,
    DeployAction,
    MoveRecord,
    SessionView,
    move_record,
    session_view,
    turn_record,
)
from forsyth.games.cotulenh.documents.options import options_of
from forsyth.games.cotulenh.documents.piece_values import (
    Piece,
    colour_of,
    piece_of,
    square_of,
    type_of,
    unit_of,
)
from forsyth.games.cotulenh.documents.progress import (
    PlayedTurn,
    State,
    advanced,
    game_by,
    joined_unit,
    member_of,
    read_position,
    why_not,
)
from forsyth.games.cotulenh.errors import required
from forsyth.games.cotulenh.game import START, CoTuLenhGame
from forsyth.games.cotulenh.notation.san import SanError, read_move, read_object, write_moves
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, build, with_session, with_unit
from forsyth.games.cotulenh.rules import deploy, outcome, turns
from forsyth.games.cotulenh.rules.attackers import Attacker, air_zones, attackers
from forsyth.games.cotulenh.rules.moves import Move, Rules, commander_in_danger, commander_of
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    COMMANDER,
    HEROIC_SHIFT,
    TYPES,
    carrier_of,
    write_unit,
)
from forsyth.limits import MAX_MOVES
from forsyth.record import Line, Node, Record, read_record, write_record

__all__ = ["BITS", "Attacker", "CoTuLenh", "DeployAction", "MoveRecord", "Piece", "SessionView"]

_USUAL: Final = Rules()
_COLOURS: Final = (("r", 0), ("b", BLUE_BIT))
_EMPTY: Final = build((0,) * BOARD_SIZE, 0, 0, 1)
_MOVES_OPTIONS: Final = ("verbose", "square", "piece_type")
_HISTORY_OPTIONS: Final = ("verbose",)
_RESULT: Final = "Result"
_FIXED_TAGS: Final = frozenset(("SetUp", "FEN", "Variant"))
"""Tags that follow from the start position and the rules."""


class CoTuLenh:
    """One game of CoTuLenh: its position, its past, its comments and headers."""

    __slots__ = ("_comments", "_game", "_headers", "_past", "_state", "_warnings")

    def __init__(
        self,
        fen: str | None = None,
        *,
        rules: Rules = _USUAL,
        mode: Mode = "default",
        skip_validation: bool = False,
    ) -> None:
        require_kind("the value of rules", rules, Rules, "Rules")
        self._game = game_by(rules)
        self._past: list[PlayedTurn] = []
        self._comments: dict[str, str] = {}
        self._headers: dict[str, str] = {}
        self._state = State(_EMPTY, _EMPTY)
        self._warnings: tuple[Diagnostic, ...] = ()
        self.load(START if fen is None else fen, mode=mode, skip_validation=skip_validation)

    def __str__(self) -> str:
        return self.fen()

    def __repr__(self) -> str:
        return f"<CoTuLenh {self.fen()!r}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    def __eq__(self, other: object) -> bool:
        """Whether two games have the same rules, position, past, comments and headers."""
        if not isinstance(other, CoTuLenh):
            return NotImplemented
        return self._values() == other._values()

    # A game changes, so that it is no key of a dictionary.
    __hash__ = None  # type: ignore[assignment]

    def _values(self) -> tuple[Any, ...]:
        return self.rules, self._state, self._past, self._comments, self._headers

    def copy(self) -> CoTuLenh:
        """A game of its own that goes on from here: what is played in one does not happen in the other."""
        twin = object.__new__(type(self))
        twin._game, twin._state, twin._warnings = self._game, self._state, self._warnings
        twin._past = list(self._past)
        twin._comments, twin._headers = dict(self._comments), dict(self._headers)
        return twin

    __copy__ = copy

    # --- texts --------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position now, as a value."""
        return self._state.position

    @property
    def rules(self) -> Rules:
        """The rules that are played by."""
        return self._game.rules

    def fen(self, current_only: bool = False) -> str:
        """The canonical text; with `current_only` the board of the moment without the open session."""
        return encode(with_session(self.position, None) if current_only else self.position)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What was odd about the text that this game began with, and every repair that was made."""
        return self._warnings

    @staticmethod
    def check_fen(fen: str, *, mode: Mode = "default", skip_validation: bool = False) -> Reading[Position]:
        """What `load` makes of a text: the position or none, and every finding. Never raises."""
        return read_position(game_by(_USUAL), fen, mode, skip_validation)

    def load(
        self,
        fen: str,
        *,
        mode: Mode = "default",
        skip_validation: bool = False,
        preserve_headers: bool = False,
    ) -> tuple[Diagnostic, ...]:
        """Begin a new game with the position of a text, and give back its `warnings`; raises `FENError`.

        A side may lack its commander. Lenient mode repairs what it can. Without validation a position may
        also be one that cannot arise: terrain and commanders do not count, missing fields are those of
        ``r - - 0 1``, and of a stack that cannot be what its first piece can be with stays.
        """
        reading = read_position(self._game, fen, mode, skip_validation)
        self._begin(required(reading))
        self._warnings = reading.warnings
        self._comments.clear()
        if not preserve_headers:
            self._headers.clear()
        return reading.warnings

    def clear(self) -> None:
        """Empty the board: Red to move, no clock, no headers and comments."""
        self._begin(_EMPTY)
        self._comments.clear()
        self._headers.clear()

    def _begin(self, position: Position) -> None:
        self._state = State(position, position)
        self._past = []
        self._warnings = ()

    # --- the board ----------------------------------------------------------------------------------

    def get(self, square: str, piece_type: str | None = None) -> Piece | None:
        """What stands on a square, or its member of one type; None if there is none."""
        unit = self.position.unit_on(square_of(square))
        return piece_of(unit if piece_type is None else member_of(unit, type_of(piece_type)))

    def put(self, piece: str | Piece | Mapping[str, Any], square: str, combine: bool = False) -> None:
        """Put a piece or stack on a square, in place of what stands there or, with `combine`, joined to it.

        A mapping without a colour is a piece of the side to move, a carried one of its carrier's side.
        Raises `ValueError` where it may not stand, would be a second commander or makes no stack.
        """
        number, unit = square_of(square), unit_of(piece, colour_of(self.turn()))
        standing = self.position.unit_on(number)
        if combine and standing:
            unit = joined_unit(standing, unit)
        self._set(number, unit)

    def remove(self, square: str, piece_type: str | None = None) -> Piece | None:
        """Take what stands on a square, or its member of one type, from the board; None if there is none.

        Raises `ValueError` where the rest of a stack may not stand.
        """
        number = square_of(square)
        unit = self.position.unit_on(number)
        gone = unit if piece_type is None else member_of(unit, type_of(piece_type))
        if not gone:
            return None
        left = unit & ~(gone & ~BLUE_BIT)
        self._set(number, left if left & TYPES else 0)
        return piece_of(gone)

    def board(self) -> list[list[Piece | None]]:
        """Twelve ranks of eleven squares, rank 12 first, as in the text."""
        pieces = [piece_of(unit) for unit in self.position.board()]
        return [
            pieces[first : first + len(FILES)] for first in range(BOARD_SIZE - len(FILES), -1, -len(FILES))
        ]

    def get_heroic_status(self, square: str, piece_type: str | None = None) -> bool:
        """Whether the carrier on a square, or its member of one type, is heroic."""
        piece = self.get(square, piece_type)
        return piece is not None and piece.heroic

    def set_heroic_status(self, square: str, piece_type: str | None, heroic: bool) -> None:
        """Mark the carrier on a square, or its member of one type; raises `ValueError` if there is none."""
        number = square_of(square)
        unit = self.position.unit_on(number)
        kind = carrier_of(unit) if piece_type is None else type_of(piece_type)
        if kind < 0 or not unit >> kind & 1:
            raise ValueError(f"there is no {piece_type or 'piece'} on {square}")
        mark = 1 << kind + HEROIC_SHIFT
        self._set(number, unit | mark if heroic else unit & ~mark)

    def _set(self, square: int, unit: int) -> None:
        """Begin a new game with another unit on a square."""
        if self.position.session is not None:
            raise ValueError("a deploy session is open; commit or cancel it before changing the board")
        if unit and not deploy.may_stand(unit, square):
            raise ValueError(f"{write_unit(unit, fen=True)} may not stand on {SQUARES[square]}")
        if unit >> COMMANDER & 1:
            other = commander_of(self.position, unit >> 22)
            if other not in (-1, square):
                raise ValueError(f"this side has its commander on {SQUARES[other]}")
        self._begin(with_unit(self.position, square, unit))

    # --- turns --------------------------------------------------------------------------------------

    def turn(self) -> str:
        """``r`` or ``b``."""
        return self.position.turn

    def move_number(self) -> int:
        """The number of the move that is to be played."""
        return self.position.full

    def half_moves(self) -> int:
        """The half-move clock."""
        return self.position.half

    @overload
    def moves(
        self, verbose: Literal[False] = False, square: str | None = None, piece_type: str | None = None
    ) -> list[str]: ...
    @overload
    def moves(
        self, verbose: Literal[True], square: str | None = None, piece_type: str | None = None
    ) -> list[MoveRecord]: ...
    @overload
    def moves(
        self,
        verbose: bool | Mapping[str, object],
        square: str | None = None,
        piece_type: str | None = None,
    ) -> list[str] | list[MoveRecord]: ...

    def moves(
        self,
        verbose: bool | Mapping[str, object] = False,
        square: str | None = None,
        piece_type: str | None = None,
    ) -> list[str] | list[MoveRecord]:
        """The legal moves, in notation or as records, from one square or with one type of carrier.

        The options can also be given as one mapping of `verbose`, `square` and `pieceType`. In a deploy
        session these are its steps, and `square` does not matter.
        """
        options = {"square": square, "piece_type": piece_type} | options_of(verbose, _MOVES_OPTIONS)
        square, piece_type = options["square"], options["piece_type"]
        if square is not None:
            square_of(square)
        kind = None if piece_type is None else type_of(piece_type)
        position = self.position
        found = [
            (move, san)
            for move, san in write_moves(position, self.rules)
            if (square is None or position.session is not None or move.origin == square)
            and (kind is None or carrier_of(move.id >> 16 & TYPES) == kind)
        ]
        if options["verbose"]:
            return [move_record(position, move, self.rules, san) for move, san in found]
        return [san for _, san in found]

    def move(self, move: str | Mapping[str, object], *, auto_commit: bool = True) -> MoveRecord:
        """Play a move, a step, a whole turn, ``commit`` or ``cancel``; raises `SanError`, a `MoveError`.

        Given as SAN, LAN or `from`, `to`, `piece`, `deploy`, `stay`. A session whose pieces have all gone or
        cannot go on is committed, unless `auto_commit` is off. What is given back is the step where the turn
        goes on, and the whole turn where it is over.
        """
        state, rules = self._state, self.rules
        if len(self._past) >= MAX_MOVES:
            raise SanError("illegal", str(move), f"a game holds at most {MAX_MOVES} turns")
        if isinstance(move, str):
            action = read_move(state.position, move, rules)
        elif isinstance(move, Mapping):
            action = read_object(state.position, move, rules)
        else:
            raise SanError("invalid", str(move), f"a move is a text or a mapping, not {type(move).__name__}")
        if isinstance(action, turns.Cancel):
            return self._cancelled()
        after = advanced(state, action, rules, auto_commit)
        if isinstance(action, Move) and (after.position.session is not None or not after.taken):
            record = replace(
                move_record(state.position, action, rules),
                after=encode(after.position),
                completed=after.position.session is None,
            )
        else:
            record = turn_record(after.begin, after.numbers, after.position, rules)
        self._enter(after, record)
        return record

    def _enter(self, state: State, record: MoveRecord) -> None:
        """Go on with a state; a turn that is over enters the history."""
        if state.position.session is None:
            self._past.append(PlayedTurn(state.begin, state.position, record))
            state = State(state.position, state.position)
        self._state = state

    def undo(self) -> bool:
        """Take back the last step of the open session, else the last turn; False if there is nothing."""
        state = self._state
        if state.taken:
            last = state.taken[-1]
            self._state = replace(state, position=last.before, taken=state.taken[:-1])
            return True
        if state.position.session is not None:
            return self._undo_given_step()
        if not self._past:
            return False
        before = self._past.pop().before
        self._state = State(before, before)
        return True

    def _undo_given_step(self) -> bool:
        """Take back the last step of a session that came with the text."""
        session = self.position.session
        if session is None or session.start is None:
            return False
        before = deploy.replayed(session.start, session.origin_square, session.steps[:-1], self.rules)
        if before is None:
            return False
        self._state = State(before, before)
        return True

    @overload
    def history(self, verbose: Literal[False] = False) -> list[str]: ...
    @overload
    def history(self, verbose: Literal[True]) -> list[MoveRecord]: ...
    @overload
    def history(self, verbose: bool | Mapping[str, object]) -> list[str] | list[MoveRecord]: ...

    def history(self, verbose: bool | Mapping[str, object] = False) -> list[str] | list[MoveRecord]:
        """The completed turns, in notation or as records; `verbose` can also be given as a mapping."""
        if options_of(verbose, _HISTORY_OPTIONS)["verbose"]:
            return [played.record for played in self._past]
        return [played.record.san for played in self._past]

    # --- deploy sessions ----------------------------------------------------------------------------

    def get_deploy_session(self) -> SessionView | None:
        """The open deploy session, or None."""
        return session_view(self.position, self.rules)

    def can_commit_session(self) -> bool:
        """Whether the open session may end now."""
        return deploy.may_commit(self.position)

    def commit_session(self) -> dict[str, Any]:
        """End the open session: `success`, and the `result` or the `reason` why not. Never raises."""
        if self.position.session is None:
            return {"success": False, "reason": "no deploy session is open"}
        if not self.can_commit_session():
            return {"success": False, "reason": why_not(self.position)}
        return {"success": True, "result": self.move(turns.COMMIT_TEXT)}

    def cancel_session(self) -> bool:
        """Go back to before the open session; False if none is open, or its text told no way back."""
        session = self.position.session
        if session is None or session.start is None:
            return False
        self._state = State(session.start, session.start)
        return True

    def actions(self) -> tuple[str, ...]:
        """What can be done now that is no move of a piece, as texts for `move`: ``commit`` and ``cancel``."""
        return self._game.actions(self.position)

    def _cancelled(self) -> MoveRecord:
        """Cancel the open session, told as a record that leaves no trace in the history."""
        record = replace(turn_record(self.position, (), self.position, self.rules), completed=False)
        self.cancel_session()
        text = turns.CANCEL_TEXT
        return replace(record, san=text, lan=text, flags="d", captures=(), after=self.fen())

    # --- what the position is -----------------------------------------------------------------------

    def is_check(self) -> bool:
        """Whether the side to move is attacked, or has lost its commander."""
        return outcome.is_check(self.position)

    def is_checkmate(self) -> bool:
        """Check, and no turn can be completed."""
        return outcome.is_checkmate(self.position, self.rules)

    def is_stalemate(self) -> bool:
        """No check, and no turn can be completed."""
        return outcome.is_stalemate(self.position, self.rules)

    def is_draw_by_fifty_moves(self) -> bool:
        """Whether the half-move clock has run out."""
        return outcome.is_fifty_moves(self.position)

    def is_threefold_repetition(self) -> bool:
        """Whether board and side to move are there for the third time; clocks and open sessions aside."""
        if self.position.session is not None:
            return False
        key = self.position.key
        return sum(key == position.key for position in self._positions()) >= 3

    def is_draw(self) -> bool:
        """Fifty moves, threefold repetition or stalemate."""
        return self.is_draw_by_fifty_moves() or self.is_threefold_repetition() or self.is_stalemate()

    def is_commander_captured(self) -> bool:
        """Whether either commander is gone."""
        return outcome.is_commander_captured(self.position)

    def is_game_over(self) -> bool:
        """Whether the game has ended; never while a deploy session is open."""
        if self.position.session is not None:
            return False
        return self.is_commander_captured() or self.is_checkmate() or self.is_draw()

    def is_commander_in_danger(self, color: str) -> bool:
        """Whether a side's commander is attacked, exposed to the other one, or gone."""
        return commander_in_danger(self.position, colour_of(color) >> 22)

    def get_commander_square(self, color: str) -> str | None:
        """Where a side's commander is; None if it is gone."""
        square = commander_of(self.position, colour_of(color) >> 22)
        return None if square < 0 else SQUARES[square]

    def get_attackers(self, square: str, color: str) -> list[Attacker]:
        """The pieces of a colour that attack a square, each member of a stack by itself."""
        return list(attackers(self.position, square_of(square), colour_of(color)))

    def get_air_defense(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """For each colour, ``r`` and ``b``: the squares its air defence covers, and who defends them."""
        return {
            color: {
                SQUARES[square]: tuple(SQUARES[defender] for defender in defenders)
                for square, defenders in air_zones(self.position, colour).items()
            }
            for color, colour in _COLOURS
        }

    def _positions(self) -> list[Position]:
        """The positions between turns, the start first; without that of an open session."""
        start = self._past[0].before if self._past else self._state.begin
        return [start, *(played.after for played in self._past)]

    # --- records ------------------------------------------------------------------------------------

    def get_comment(self, fen: str | None = None) -> str | None:
        """The comment on the position now, or on that of a canonical text."""
        return self._comments.get(self._commented(fen))

    def set_comment(self, comment: str, fen: str | None = None) -> None:
        """Say something about the position now, or that of a canonical text; empty words say nothing."""
        require_text("the comment", comment)
        words = " ".join(comment.split())
        self.remove_comment(fen)
        if words:
            self._comments[self._commented(fen)] = words

    def remove_comment(self, fen: str | None = None) -> str | None:
        """Take a comment away and give it back; None if there is none."""
        return self._comments.pop(self._commented(fen), None)

    def _commented(self, fen: str | None) -> str:
        if fen is None:
            return self.fen()
        require_text("the FEN", fen)
        return fen

    def set_header(self, name: str, value: str) -> None:
        """Set a tag of the record; ``Result`` is what was agreed. Raises `ValueError` for what is no tag."""
        require_text("the name of a tag", name)
        if name in _FIXED_TAGS:
            raise ValueError(f"the tag {name} follows from the start position and the rules")
        if name == _RESULT:
            Record(self._game, (), self._positions()[0], result=value)
        else:
            Record(self._game, ((name, value),), self._positions()[0])
        self._headers[name] = value

    def get_headers(self) -> dict[str, str]:
        """The tags that were set or loaded, the result, and the start position if it is not the usual one."""
        start = encode(self._positions()[0])
        derived = {} if start == START else {"SetUp": "1", "FEN": start}
        return {**self._headers, _RESULT: self._result(), **derived}

    def remove_header(self, name: str) -> bool:
        """Take a tag away; False if it was not set."""
        require_text("the name of a tag", name)
        return self._headers.pop(name, None) is not None

    def pgn(self, *, max_width: int | None = None) -> str:
        """The completed turns as a record, on one line or on lines of at most `max_width`."""
        start, *_ = positions = self._positions()
        said = [self._said(position) for position in positions]
        line = tuple(
            Node(played.record.san, played.nags, (), after, played.variations)
            for played, after in zip(self._past, said[1:], strict=True)
        )
        if line:
            line = (replace(line[0], before=said[0]), *line[1:])
        tags = tuple((name, value) for name, value in self._headers.items() if name != _RESULT)
        record = Record(self._game, tags, start, line, self._result(), () if line else said[0])
        return write_record(record, width=max_width)

    def load_pgn(self, text: str, *, strict: bool = False) -> tuple[Diagnostic, ...]:
        """Take a record over, and give back the warnings about it; raises `FenError`.

        With `strict` every warning is an error. The record's tag `Variant` decides by which rules it is
        played, otherwise the rules of this game.
        """
        reading = read_record(text, self._game, mode="strict" if strict else "default")
        record = reading.require()
        loaded = CoTuLenh(rules=record.game.rules if isinstance(record.game, CoTuLenhGame) else self.rules)
        loaded._begin(record.start)
        loaded._take(record)
        for name in self.__slots__:
            setattr(self, name, getattr(loaded, name))
        return reading.warnings

    def _take(self, record: Record) -> None:
        """Play a record with all that it says; what is said amid a deploy turn is said behind it."""
        self._headers = dict(record.tags)
        if record.result != "*":
            self._headers[_RESULT] = record.result
        said = list(record.comments)
        nags: tuple[int, ...] = ()
        variations: tuple[Line, ...] = ()
        for node in record.line:
            said += node.before
            if not self._state.taken:
                self.set_comment(" ".join(said))
                said, variations = [], node.variations
            self.move(node.text)
            said += node.after
            nags += node.nags
            if self.position.session is None:
                self._past[-1] = replace(self._past[-1], nags=nags, variations=variations)
                nags = ()
        self.set_comment(" ".join(said))

    def _said(self, position: Position) -> tuple[str, ...]:
        comment = self._comments.get(encode(position))
        return () if comment is None else (comment,)

    def _result(self) -> str:
        """What was agreed, else what the position says."""
        if _RESULT in self._headers:
            return self._headers[_RESULT]
        repetitions = 3 if self.is_threefold_repetition() else 1
        outcome = self._game.outcome(self.position, repetitions)
        return "*" if outcome is None else outcome.result
