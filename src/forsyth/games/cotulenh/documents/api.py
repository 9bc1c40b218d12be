"""The class of the source documents with Python names: one game of CoTuLenh that is set up and played.

`CoTuLenh` combines the functions of this package with the records of `forsyth.record`. Each method either
succeeds or changes nothing. Editing the board (`put`, `remove`, `set_heroic_status`) begins a new game from
the edited position. The history and a record (`pgn`) end with the steps of the open deploy session. Comments
belong to positions and are stored by their texts.

Limits: a game has at most MAX_MOVES turns. The board contains only positions that a text can express, so each
unit is a legal stack. Methods: spec/cotulenh 16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, overload

from forsyth.arguments import require_text, require_type
from forsyth.diagnostics import Diagnostic, Mode, Reading
from forsyth.display import render_html
from forsyth.games.cotulenh.board import BOARD_SIZE, FILE_COUNT, SQUARES
from forsyth.games.cotulenh.documents.api_values import (
    BITS,
    DeployAction,
    MoveRecord,
    SessionView,
    make_move_record,
    make_session_view,
    make_turn_record,
)
from forsyth.games.cotulenh.documents.options import parse_options
from forsyth.games.cotulenh.documents.piece_values import (
    Piece,
    make_piece_or_none,
    parse_colour,
    parse_piece,
    parse_square,
    parse_type,
)
from forsyth.games.cotulenh.documents.progress import (
    PlayedTurn,
    TurnState,
    advance_state,
    explain_open_session,
    join_units,
    make_game_with_rules,
    read_position,
    select_member,
)
from forsyth.games.cotulenh.errors import require_position
from forsyth.games.cotulenh.game import START, CoTuLenhGame
from forsyth.games.cotulenh.notation.san import SanError, read_move, read_object, write_moves, write_san
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, build_position, with_session, with_unit
from forsyth.games.cotulenh.rules import deploy, outcome, turns
from forsyth.games.cotulenh.rules.attackers import Attacker, find_attacking_pieces, map_air_defence
from forsyth.games.cotulenh.rules.moves import (
    Move,
    Rules,
    find_commander_square,
    is_commander_in_danger,
    move_from_number,
)
from forsyth.games.cotulenh.rules.packed_moves import get_moving_types
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    COLOUR_SHIFT,
    COMMANDER,
    HEROIC_SHIFT,
    NAVY,
    TYPES,
    get_carrier_type,
    write_unit,
)
from forsyth.limits import MAX_MOVES
from forsyth.record import Line, Node, Record, read_record, write_record

__all__ = ["BITS", "Attacker", "CoTuLenh", "DeployAction", "MoveRecord", "Piece", "SessionView"]

_DEFAULT_RULES: Final = Rules()
_COLOUR_BITS: Final = (("r", 0), ("b", BLUE_BIT))
"""The colours of the source documents, each with its bit in a unit."""
_EMPTY_POSITION: Final = build_position((0,) * BOARD_SIZE, 0, 0, 1)
_MOVES_OPTIONS: Final = ("verbose", "square", "piece_type")
_HISTORY_OPTIONS: Final = ("verbose",)
_RESULT_TAG: Final = "Result"
_FIXED_TAGS: Final = frozenset(("SetUp", "FEN", "Variant"))
"""Tags that cannot be set, because the start position and the rules determine them."""
_REPETITION_LIMIT: Final = 3
"""Number of occurrences of a position at which the game is drawn."""


def _get_carrier_type(move: Move) -> int:
    """Return the type of the piece that carries the others in a move, such as TANK."""
    return get_carrier_type(get_moving_types(move.id))


class CoTuLenh:
    """One game of CoTuLenh: its position, its history, its comments and its headers."""

    __slots__ = ("_comments", "_game", "_headers", "_state", "_turns", "_warnings")

    def __init__(
        self,
        fen: str | None = None,
        *,
        rules: Rules = _DEFAULT_RULES,
        mode: Mode = "default",
        skip_validation: bool = False,
    ) -> None:
        """Begin a game with the position of a text.

        Args:
            fen: The text of the position. None means the start position.
            rules: The rule options.
            mode: The reading mode of the text.
            skip_validation: Whether to accept a position that cannot arise, see `load`.

        Raises:
            FENError: If the text is not valid.
        """
        require_type("the value of rules", rules, Rules, "Rules")
        self._game = make_game_with_rules(rules)
        self._turns: list[PlayedTurn] = []
        self._comments: dict[str, str] = {}
        self._headers: dict[str, str] = {}
        self._state = TurnState(_EMPTY_POSITION, _EMPTY_POSITION)
        self._warnings: tuple[Diagnostic, ...] = ()
        self.load(START if fen is None else fen, mode=mode, skip_validation=skip_validation)

    def __str__(self) -> str:
        return self.fen()

    def __repr__(self) -> str:
        return f"<CoTuLenh {self.fen()!r}>"

    def _repr_html_(self) -> str:
        return render_html(self)

    def __eq__(self, other: object) -> bool:
        """Return whether two games have the same rules, position, history, comments and headers."""
        if not isinstance(other, CoTuLenh):
            return NotImplemented
        return self._list_values() == other._list_values()

    # A game is mutable, so it cannot be the key of a dictionary.
    __hash__ = None  # type: ignore[assignment]

    def _list_values(self) -> tuple[Any, ...]:
        """Return the values that make two games equal.

        They are the rules, the position, the history, the comments and the headers.
        """
        return self.rules, self._state, self._turns, self._comments, self._headers

    def copy(self) -> CoTuLenh:
        """Return an independent copy of the game, with its history, comments and headers."""
        copy = object.__new__(type(self))
        # Immutable values are shared.
        copy._game = self._game
        copy._state = self._state
        copy._warnings = self._warnings
        copy._turns = list(self._turns)
        copy._comments = dict(self._comments)
        copy._headers = dict(self._headers)
        return copy

    __copy__ = copy

    # --- texts --------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position, as an immutable value."""
        return self._state.position

    @property
    def rules(self) -> Rules:
        """The rule options of the game."""
        return self._game.rules

    def fen(self, current_only: bool = False, *, style: str = "canonical") -> str:
        """Return the position as text.

        Args:
            current_only: Whether to leave out the open deploy session. The text then contains the current
                board.
            style: ``canonical`` or one of the styles of the game. ``replay`` writes an open deploy session as
                the board before it and its steps. Such a text restores the whole session, so that it can be
                undone and cancelled.

        Raises:
            ValueError: If there is no such style.
        """
        position = with_session(self.position, None) if current_only else self.position
        return self._game.write(position, style)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings about the text with which this game began, including every repair."""
        return self._warnings

    @staticmethod
    def check_fen(fen: str, *, mode: Mode = "default", skip_validation: bool = False) -> Reading[Position]:
        """Read a text as `load` does, and return all findings about it, with its position if any.

        No text raises an error, and no game is changed.

        Args:
            fen: The text of the position.
            mode: The reading mode.
            skip_validation: Whether to accept a position that cannot arise, see `load`.
        """
        return read_position(make_game_with_rules(_DEFAULT_RULES), fen, mode, skip_validation)

    def load(
        self,
        fen: str,
        *,
        mode: Mode = "default",
        skip_validation: bool = False,
        preserve_headers: bool = False,
    ) -> tuple[Diagnostic, ...]:
        """Begin a new game with the position of a text, and return the warnings about it.

        A side need not have a commander.

        Args:
            fen: The text of the position.
            mode: The reading mode. Lenient mode repairs mistakes where it can.
            skip_validation: Whether to accept a position that cannot arise. Terrain and the number of
                commanders are then ignored, missing fields are taken from ``r - - 0 1``, and pieces that
                do not fit into a stack are removed from it.
            preserve_headers: Whether to keep the headers of the previous game.

        Raises:
            FENError: If the text is not valid.
        """
        reading = read_position(self._game, fen, mode, skip_validation)
        self._begin_game(require_position(reading))
        self._warnings = reading.warnings
        self._comments.clear()
        if not preserve_headers:
            self._headers.clear()
        return reading.warnings

    def clear(self) -> None:
        """Begin a new game with an empty board, Red to move, and without headers and comments."""
        self._begin_game(_EMPTY_POSITION)
        self._comments.clear()
        self._headers.clear()

    def _begin_game(self, position: Position) -> None:
        """Begin a new game with a position, without history and warnings.

        Comments and headers stay.
        """
        self._state = TurnState(position, position)
        self._turns = []
        self._warnings = ()

    # --- the board ----------------------------------------------------------------------------------

    def get(self, square: str, piece_type: str | None = None) -> Piece | None:
        """Return the piece or stack on a square such as ``c5``, or None if there is none.

        If `piece_type` is a letter such as ``t``, return the member of this type alone.
        """
        unit = self.position.unit_on(parse_square(square))
        if piece_type is not None:
            unit = select_member(unit, parse_type(piece_type))
        return make_piece_or_none(unit)

    def put(self, piece: str | Piece | Mapping[str, Any], square: str, combine: bool = False) -> None:
        """Put a piece or stack on a square and begin a new game from the position.

        Args:
            piece: A `Piece`, a mapping, or a text such as ``+T`` or ``(nft)``. A mapping without a colour
                belongs to the side to move, or to the side of its carrier.
            square: The square.
            combine: Whether to join the piece on the square instead of replacing it.

        Raises:
            ValueError: If the piece may not stand there, would be a second commander, or does not make a
                stack with the piece on the square.
        """
        square_number = parse_square(square)
        unit = parse_piece(piece, default_colour=parse_colour(self.turn()))
        previous_unit = self.position.unit_on(square_number)
        if combine and previous_unit:
            unit = join_units(previous_unit, unit)
        self._set_unit(square_number, unit)

    def remove(self, square: str, piece_type: str | None = None) -> Piece | None:
        """Remove a piece from the board and return it, or None if there is none.

        If a piece is removed, a new game begins from the position.

        Args:
            square: The square.
            piece_type: The letter of the member to remove. None removes the whole unit.

        Raises:
            ValueError: If the remaining members of a stack may not stand on the square.
        """
        square_number = parse_square(square)
        unit = self.position.unit_on(square_number)
        removed_unit = unit if piece_type is None else select_member(unit, parse_type(piece_type))
        if not removed_unit:
            return None
        # The colour bit of the unit stays for the remaining members.
        removed_pieces = removed_unit & ~BLUE_BIT
        remaining_unit = unit & ~removed_pieces
        has_members = remaining_unit & TYPES != 0
        self._set_unit(square_number, remaining_unit if has_members else 0)
        return make_piece_or_none(removed_unit)

    def board(self) -> list[list[Piece | None]]:
        """Return twelve ranks of eleven squares, rank 12 first. An empty square is None.

        A square is the piece or stack on it, as a `Piece` with the pieces that it carries.
        """
        pieces = [make_piece_or_none(unit) for unit in self.position.board()]
        ranks = [pieces[start : start + FILE_COUNT] for start in range(0, BOARD_SIZE, FILE_COUNT)]
        # The units of a position begin with rank 1.
        ranks.reverse()
        return ranks

    def get_heroic_status(self, square: str, piece_type: str | None = None) -> bool:
        """Return whether the carrier on a square, or its member of the type `piece_type`, is heroic."""
        piece = self.get(square, piece_type)
        return piece is not None and piece.heroic

    def set_heroic_status(self, square: str, piece_type: str | None, heroic: bool) -> None:
        """Set whether a piece is heroic, and begin a new game from the position.

        Args:
            square: The square.
            piece_type: The letter of the member to change. None changes the carrier.
            heroic: Whether the piece is heroic.

        Raises:
            ValueError: If there is no such piece on the square.
        """
        square_number = parse_square(square)
        unit = self.position.unit_on(square_number)
        # The number of the type is −1 if the square is empty.
        type_number = get_carrier_type(unit) if piece_type is None else parse_type(piece_type)
        if type_number < 0 or not unit >> type_number & 1:
            found = f"{write_unit(unit, fen=True)} is on {square}" if unit else f"{square} is empty"
            raise ValueError(f"there is no {piece_type or 'piece'} on {square}: {found}")
        heroic_bit = 1 << (HEROIC_SHIFT + type_number)
        self._set_unit(square_number, unit | heroic_bit if heroic else unit & ~heroic_bit)

    def _set_unit(self, square: int, unit: int) -> None:
        """Begin a new game with `unit` on the square number `square`. The unit 0 empties the square.

        A unit is a piece or stack as one number. Raise `ValueError` if a deploy session is open, the unit may
        not stand there, or it contains a second commander.
        """
        if self.position.session is not None:
            raise ValueError("a deploy session is open; commit or cancel it before changing the board")
        if unit and not deploy.may_unit_stand(unit, square):
            described = f"{write_unit(unit, fen=True)} may not stand on {SQUARES[square]}"
            ground = "water" if get_carrier_type(unit) == NAVY else "land"
            raise ValueError(f"{described}, expected a square on {ground}")
        has_commander = unit >> COMMANDER & 1
        if has_commander:
            own_commander = find_commander_square(self.position, unit >> COLOUR_SHIFT)
            if own_commander >= 0 and own_commander != square:
                raise ValueError(
                    f"this side has its commander on {SQUARES[own_commander]}, expected at most one commander"
                )
        self._begin_game(with_unit(self.position, square, unit))

    # --- turns --------------------------------------------------------------------------------------

    def turn(self) -> str:
        """Return the side to move, ``r`` or ``b``."""
        return self.position.turn

    def move_number(self) -> int:
        """Return the number of the next move."""
        return self.position.full

    def half_moves(self) -> int:
        """Return the half-move clock: the number of turns since the last one that reset it to 0."""
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
        """Return the legal moves, or the legal steps while a deploy session is open.

        Args:
            verbose: Whether to return records instead of notation. It may also be a mapping of the options
                `verbose`, `square` and `pieceType`.
            square: The square on which the moves begin, or None for all. It is ignored in a deploy session.
            piece_type: The letter of the carrier that moves, or None for all.

        Raises:
            ValueError: If an option, the square or the type does not exist.
        """
        # A mapping of options overrides the arguments.
        options = {"square": square, "piece_type": piece_type} | parse_options(verbose, _MOVES_OPTIONS)
        matching_moves = self._find_moves(options["square"], options["piece_type"])
        if options["verbose"]:
            return [make_move_record(self.position, move, self.rules, san) for move, san in matching_moves]
        return [san for _, san in matching_moves]

    def _find_moves(self, square: str | None, piece_type: str | None) -> list[tuple[Move, str]]:
        """Return the matching legal moves, each with its canonical notation, such as ``Tc6``.

        Args:
            square: The square on which the moves begin, or None for all. It is ignored in a deploy session.
            piece_type: The letter of the carrier that moves, or None for all.

        Raises:
            ValueError: If the square or the type does not exist.
        """
        if square is not None:
            parse_square(square)
        type_number = None if piece_type is None else parse_type(piece_type)
        moves = write_moves(self.position, self.rules)
        if square is not None and self.position.session is None:
            moves = [(move, san) for move, san in moves if move.origin == square]
        if type_number is not None:
            moves = [(move, san) for move, san in moves if _get_carrier_type(move) == type_number]
        return list(moves)

    def move(self, move: str | Mapping[str, object], *, auto_commit: bool = True) -> MoveRecord:
        """Play a move and return its record.

        If the turn continues, the record is that of the step, else that of the whole turn.

        Args:
            move: A move, a step, a whole deploy turn, ``commit`` or ``cancel``, as SAN or LAN. A mapping has
                the keys `from`, `to`, `piece`, `deploy` and `stay`.
            auto_commit: Whether to commit a session whose pieces have all moved or cannot move.

        Raises:
            SanError: If the move is not legal or cannot be read. It is a `MoveError`.
        """
        before = self._state
        if len(self._turns) >= MAX_MOVES:
            raise SanError(
                "illegal", str(move), f"the game has {MAX_MOVES} turns already, which is the maximum"
            )

        action = self._read_action(move)
        if isinstance(action, turns.Cancel):
            return self._play_cancellation()
        after = advance_state(before, action, self.rules, auto_commit)
        turn_continues = after.position.session is not None
        ends_deploy_turn = not turn_continues and bool(after.steps)
        if isinstance(action, Move) and not ends_deploy_turn:
            record = replace(
                make_move_record(before.position, action, self.rules),
                after=encode(after.position),
                completed=not turn_continues,
            )
        else:
            record = make_turn_record(after.start, after.packed_steps, after.position, self.rules)

        self._finish_action(after, record)
        return record

    def _read_action(self, move: object) -> turns.Action:
        """Return the legal action that a text or mapping names.

        An action is a move, a deploy step, a deploy turn, a commit or a cancellation. Raise `SanError` if the
        text or mapping names none.
        """
        if isinstance(move, str):
            return read_move(self.position, move, self.rules)
        if isinstance(move, Mapping):
            return read_object(self.position, move, self.rules)
        raise SanError(
            "invalid", str(move), f"the move is of type {type(move).__name__}, expected a text or a mapping"
        )

    def _finish_action(self, state: TurnState, record: MoveRecord) -> None:
        """Continue the game with `state`, which is the result of an action.

        If the turn is over, add it to the history with its record, and begin the next turn.
        """
        if state.position.session is None:
            self._turns.append(PlayedTurn(state.start, state.position, record))
            state = TurnState(state.position, state.position)
        self._state = state

    def undo(self) -> bool:
        """Take back the last step of the open session, or else the last turn.

        Return False if there is nothing to take back.
        """
        state = self._state
        if state.steps:
            *earlier_steps, last_step = state.steps
            self._state = replace(state, position=last_step.before, steps=tuple(earlier_steps))
            return True
        if state.position.session is not None:
            return self._undo_text_step()
        if not self._turns:
            return False
        before = self._turns.pop().before
        self._state = TurnState(before, before)
        return True

    def _undo_text_step(self) -> bool:
        """Take back the last step of an open deploy session that was read from a text.

        Return False if the start of the session is not known, or its earlier steps cannot be replayed.
        """
        session = self.position.session
        if session is None or session.start is None:
            return False
        before = deploy.repeat_steps(session.start, session.origin_square, session.steps[:-1], self.rules)
        if before is None:
            return False
        self._state = TurnState(before, before)
        return True

    @overload
    def history(self, verbose: Literal[False] = False) -> list[str]: ...
    @overload
    def history(self, verbose: Literal[True]) -> list[MoveRecord]: ...
    @overload
    def history(self, verbose: bool | Mapping[str, object]) -> list[str] | list[MoveRecord]: ...

    def history(self, verbose: bool | Mapping[str, object] = False) -> list[str] | list[MoveRecord]:
        """Return the turns in notation, or as records if `verbose` is true.

        The last entry is the open deploy session, if its steps are known. Its text ends with ``...``, such as
        ``(FT)<N>c6...``, and its record is not `completed`. The record of a deploy turn has one record for
        each step, with its notation and the texts before and after it.

        Args:
            verbose: Whether to return records. It may also be a mapping with the option `verbose`.
        """
        records = [turn.record for turn in self._turns]
        state, session = self._state, self.position.session
        if session is not None and session.steps:
            record = make_turn_record(state.start, state.packed_steps, state.position, self.rules)
            records.append(replace(record, san=f"{record.san}...", lan=f"{record.lan}..."))
        if parse_options(verbose, _HISTORY_OPTIONS)["verbose"]:
            return records
        return [record.san for record in records]

    # --- deploy sessions ----------------------------------------------------------------------------

    def get_deploy_session(self) -> SessionView | None:
        """Return a description of the open deploy session: its stack, remaining pieces and steps.

        Return None if no session is open.
        """
        return make_session_view(self.position, self.rules)

    def can_commit_session(self) -> bool:
        """Return whether there is an open deploy session that may end now."""
        return deploy.may_commit(self.position)

    def commit_session(self) -> dict[str, Any]:
        """End the open deploy session and return the outcome as a mapping.

        The mapping is ``{"success": True, "result": record}`` with the record of the turn, or
        ``{"success": False, "reason": text}`` if the session may not end.
        """
        if self.position.session is None:
            return {"success": False, "reason": "no deploy session is open"}
        if not self.can_commit_session():
            return {"success": False, "reason": explain_open_session(self.position)}
        return {"success": True, "result": self.move(turns.COMMIT_TEXT)}

    def cancel_session(self) -> bool:
        """Go back to the position before the open deploy session.

        Return False if no session is open, or if the position before it is not known.
        """
        session = self.position.session
        if session is None or session.start is None:
            return False
        self._state = TurnState(session.start, session.start)
        return True

    def actions(self) -> tuple[str, ...]:
        """Return the actions that are possible now, ``commit`` and ``cancel``, as texts for `move`."""
        return self._game.actions(self.position)

    def _play_cancellation(self) -> MoveRecord:
        """Cancel the open deploy session and return a record with the text ``cancel``.

        The record is not added to the history.
        """
        record = make_turn_record(self.position, (), self.position, self.rules)
        self.cancel_session()
        return replace(
            record,
            san=turns.CANCEL_TEXT,
            lan=turns.CANCEL_TEXT,
            flags="d",
            captures=(),
            after=self.fen(),
            completed=False,
        )

    # --- state of the game --------------------------------------------------------------------------

    def is_check(self) -> bool:
        """Return whether the commander of the side to move is attacked or missing."""
        return outcome.is_check(self.position)

    def is_checkmate(self) -> bool:
        """Return whether the side to move is in check and has no turn that it can complete.

        A turn is a move, or deploy steps with a commit. The result is False while a deploy session is open.
        """
        return outcome.is_checkmate(self.position, self.rules)

    def is_stalemate(self) -> bool:
        """Return whether the side to move is not in check, but has no turn that it can complete.

        A turn is a move, or deploy steps with a commit. The result is False while a deploy session is open.
        """
        return outcome.is_stalemate(self.position, self.rules)

    def is_draw_by_fifty_moves(self) -> bool:
        """Return whether the half-move clock has reached 100, the limit of the fifty-move rule."""
        return outcome.is_drawn_by_fifty_moves(self.position)

    def is_threefold_repetition(self) -> bool:
        """Return whether the same board with the same side to move has occurred three times.

        Clocks do not matter. The result is False while a deploy session is open.
        """
        if self.position.session is not None:
            return False
        key = self.position.key
        occurrence_count = sum(position.key == key for position in self._list_positions())
        return occurrence_count >= _REPETITION_LIMIT

    def is_draw(self) -> bool:
        """Return whether the game is drawn by fifty moves, threefold repetition or stalemate."""
        return self.is_draw_by_fifty_moves() or self.is_threefold_repetition() or self.is_stalemate()

    def is_commander_captured(self) -> bool:
        """Return whether at least one side has no commander."""
        return outcome.is_commander_captured(self.position)

    def is_game_over(self) -> bool:
        """Return whether the game has ended. It does not end while a deploy session is open."""
        if self.position.session is not None:
            return False
        return self.is_commander_captured() or self.is_checkmate() or self.is_draw()

    def is_commander_in_danger(self, color: str) -> bool:
        """Return whether a side's commander is attacked, exposed to the other commander, or missing.

        `color` is ``r`` or ``b``. A commander is exposed if no piece stands between it and the other one on a
        file or rank.
        """
        return is_commander_in_danger(self.position, parse_colour(color) >> COLOUR_SHIFT)

    def get_commander_square(self, color: str) -> str | None:
        """Return the square of a side's commander, such as ``g1``, or None if it has none.

        `color` is ``r`` or ``b``.
        """
        square = find_commander_square(self.position, parse_colour(color) >> COLOUR_SHIFT)
        return None if square < 0 else SQUARES[square]

    def get_attackers(self, square: str, color: str) -> list[Attacker]:
        """Return the pieces of a colour, ``r`` or ``b``, that attack a square such as ``c5``.

        The members of a stack are separate pieces.
        """
        return list(find_attacking_pieces(self.position, parse_square(square), parse_colour(color)))

    def get_air_defense(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the squares that the air defence of each colour covers, with their defenders.

        The result maps ``r`` and ``b`` to mappings from covered squares to the squares of the defenders.
        """
        return {color: self._list_air_zones(colour_bit) for color, colour_bit in _COLOUR_BITS}

    def _list_air_zones(self, colour_bit: int) -> dict[str, tuple[str, ...]]:
        """Map each square that a colour's air defence covers to the squares of its defenders.

        `colour_bit` is 0 for Red and BLUE_BIT for Blue.
        """
        zones = map_air_defence(self.position, colour_bit)
        return {
            SQUARES[square]: tuple(SQUARES[defender] for defender in defenders)
            for square, defenders in zones.items()
        }

    def _list_positions(self) -> list[Position]:
        """Return the start position and the position after each completed turn."""
        start = self._turns[0].before if self._turns else self._state.start
        return [start, *(turn.after for turn in self._turns)]

    # --- records ------------------------------------------------------------------------------------

    def get_comment(self, fen: str | None = None) -> str | None:
        """Return the comment on a position, or None if there is none.

        `fen` is the canonical text of the position. None means the current position.
        """
        return self._comments.get(self._resolve_fen(fen))

    def set_comment(self, comment: str, fen: str | None = None) -> None:
        """Set the comment on a position. An empty comment removes it.

        `fen` is the canonical text of the position. None means the current position. White space in the
        comment is reduced to single spaces.
        """
        require_text("the comment", comment)
        normalised_comment = " ".join(comment.split())
        self.remove_comment(fen)
        if normalised_comment:
            self._comments[self._resolve_fen(fen)] = normalised_comment

    def remove_comment(self, fen: str | None = None) -> str | None:
        """Remove the comment on a position and return it, or None if there is none.

        `fen` is the canonical text of the position. None means the current position.
        """
        return self._comments.pop(self._resolve_fen(fen), None)

    def _resolve_fen(self, fen: str | None) -> str:
        """Return `fen`, or the text of the current position if `fen` is None.

        Raise `TypeError` if `fen` is neither a text nor None.
        """
        if fen is None:
            return self.fen()
        require_text("the FEN", fen)
        return fen

    def set_header(self, name: str, value: str) -> None:
        """Set a tag of the record. The tag ``Result`` sets an agreed result.

        Raise `ValueError` if the name or the value is not valid, or if the game determines the tag.
        """
        require_text("the name of a tag", name)
        if name in _FIXED_TAGS:
            raise ValueError(
                f"the tag {name} cannot be set, because it follows from the start position and the rules"
            )
        # `Record` raises the error if the tag is not valid.
        start = self._list_positions()[0]
        if name == _RESULT_TAG:
            Record(self._game, (), start, result=value)
        else:
            Record(self._game, ((name, value),), start)
        self._headers[name] = value

    def get_headers(self) -> dict[str, str]:
        """Return the tags of the record by name.

        They are the tags that were set or loaded, the result, and the start position if it is not `START`.
        """
        start_text = encode(self._list_positions()[0])
        start_tags = {} if start_text == START else {"SetUp": "1", "FEN": start_text}
        return {**self._headers, _RESULT_TAG: self._find_result(), **start_tags}

    def remove_header(self, name: str) -> bool:
        """Remove the tag `name` of the record. Return False if it was not set."""
        require_text("the name of a tag", name)
        return self._headers.pop(name, None) is not None

    def pgn(self, *, max_width: int | None = None) -> str:
        """Return the game as the text of a game record, with tags, comments and the result.

        The steps of an open deploy session are the last moves. The moves are on one line, or on lines of at
        most `max_width` characters if it is not None.
        """
        start = self._list_positions()[0]
        start_comments = self._list_comments(start)
        nodes = [*map(self._make_record_node, self._turns), *self._list_open_step_nodes()]
        if nodes:
            # Comments on the start position stand before the first move.
            nodes[0] = replace(nodes[0], before=start_comments)
        tags = tuple((name, value) for name, value in self._headers.items() if name != _RESULT_TAG)
        record = Record(
            self._game,
            tags,
            start,
            line=tuple(nodes),
            result=self._find_result(),
            comments=() if nodes else start_comments,
        )
        return write_record(record, width=max_width)

    def _make_record_node(self, turn: PlayedTurn) -> Node:
        """Return a completed turn as a move of a record, with the comment on the position after it."""
        return Node(
            turn.record.san,
            nags=turn.nags,
            after=self._list_comments(turn.after),
            variations=turn.variations,
        )

    def _list_open_step_nodes(self) -> tuple[Node, ...]:
        """Return the steps that were played in the open deploy session as moves of a record.

        The comment on the current position stands behind the last of them.
        """
        nodes = [
            Node(write_san(step.before, move_from_number(step.packed_step), self.rules))
            for step in self._state.steps
        ]
        if nodes:
            nodes[-1] = replace(nodes[-1], after=self._list_comments(self.position))
        return tuple(nodes)

    def load_pgn(self, text: str, *, strict: bool = False) -> tuple[Diagnostic, ...]:
        """Replace this game with the game of a record, and return the warnings about the record.

        The tag `Variant` of the record determines the rules. A record without it has the rules of this game.

        Args:
            text: The text of the record.
            strict: Whether every warning is an error.

        Raises:
            FenError: If the record is not valid. This game then remains unchanged.
        """
        reading = read_record(text, self._game, mode="strict" if strict else "default")
        record = reading.require()
        rules = record.game.rules if isinstance(record.game, CoTuLenhGame) else self.rules

        # The record is played in another game, so that an error leaves this one unchanged.
        loaded_game = CoTuLenh(rules=rules)
        loaded_game._begin_game(record.start)
        loaded_game._play_record(record)
        for attribute in self.__slots__:
            setattr(self, attribute, getattr(loaded_game, attribute))
        return reading.warnings

    def _play_record(self, record: Record) -> None:
        """Play the moves of a record, and add its tags, comments, annotations and variations.

        This game must be at the start position of the record. The annotations are the numbers that PGN calls
        NAGs. Comments within a deploy turn are moved behind the turn.
        """
        self._headers = dict(record.tags)
        if record.result != "*":
            self._headers[_RESULT_TAG] = record.result
        # What has been read since the last turn. A deploy turn may have several nodes, one for each step.
        comments = list(record.comments)
        nags: tuple[int, ...] = ()
        variations: tuple[Line, ...] = ()
        for node in record.line:
            comments += node.before
            if not self._state.steps:
                # A turn begins here, so the comments so far belong to the position before it.
                self.set_comment(" ".join(comments))
                comments, variations = [], node.variations

            self.move(node.text)
            comments += node.after
            nags += node.nags
            is_turn_over = self.position.session is None
            if is_turn_over:
                self._turns[-1] = replace(self._turns[-1], nags=nags, variations=variations)
                nags = ()
        self.set_comment(" ".join(comments))

    def _list_comments(self, position: Position) -> tuple[str, ...]:
        """Return the comment on a position as a tuple, which is empty if there is none."""
        comment = self._comments.get(encode(position))
        return () if comment is None else (comment,)

    def _find_result(self) -> str:
        """Return the result of the game, such as ``1-0``, or ``*`` if it goes on.

        An agreed result takes precedence over the result of the position.
        """
        if _RESULT_TAG in self._headers:
            return self._headers[_RESULT_TAG]
        repetitions = _REPETITION_LIMIT if self.is_threefold_repetition() else 1
        game_outcome = self._game.outcome(self.position, repetitions)
        return "*" if game_outcome is None else game_outcome.result
