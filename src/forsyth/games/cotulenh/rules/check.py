"""Report what is illegal in a CoTuLenh position, with the places of the findings in the text.

Rules: spec/cotulenh 13, tests 16 to 18. Every unit must stand where its carrier may stand, except on the
origin of an open deploy session, where it has time until the commit. Each side must have one commander,
unless the open session has just captured it. An open session must agree with the board. Warnings are a
half-move clock that the move number and the side to move do not allow, and an open session that cannot be
undone or ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from forsyth.diagnostics import Diagnostic, Mode
from forsyth.findings import Place
from forsyth.games.cotulenh.board import FILE_COUNT, LAND_OK, RANK_COUNT, SQUARES, WATER_OK
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.notation.deploy_fen import session_faults
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.completion import can_complete_turn
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES, Rules
from forsyth.games.cotulenh.rules.session_starts import find_starts
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    COMMANDER,
    LETTERS,
    NAMES,
    NAVY,
    get_carrier_type,
    write_unit,
)

_SLASH_COUNT: Final = RANK_COUNT - 1
_BOARD_WORD: Final = 0
_HALF_CLOCK_WORD: Final = 4
_SESSION_WORD: Final = 6
"""Indexes of words in the text of a position. A deploy session may consist of several words."""
_RANK_PART: Final = re.compile(r"1[0-9]|[0-9]|\+?\([^()/]*\)|\+?[A-Za-z]")
_READING_ORDER: Final = tuple(
    FILE_COUNT * rank + file for rank in reversed(range(RANK_COUNT)) for file in range(FILE_COUNT)
)
"""The numbers of all squares in the order of a text: a12 to k12, …, a1 to k1."""
_BOARD_FIELD: Final = 1
_HALF_CLOCK_FIELD: Final = 5
_SESSION_FIELD: Final = 7
"""Field numbers of findings, see `codes.COMPONENTS`."""


def check_position(
    position: Position,
    *,
    text: str | None = None,
    mode: Mode = "default",
    rules: Rules = DEFAULT_RULES,
) -> tuple[Diagnostic, ...]:
    """Return every finding about a position that a text can express but the rules do not allow.

    In lenient mode a missing commander is not reported here, because the reader has a warning about it. In
    strict mode, where a warning is an error, inconsistent clocks are not reported, and neither are deploy
    sessions that cannot be undone or ended.

    Args:
        position: The position.
        text: The text that the spans of the findings refer to. None means the canonical text.
        mode: The mode in which the text was read.
        rules: The rule options, which determine whether an open deploy session can end.
    """
    clock_warnings = [] if mode == "strict" else _find_clock_warnings(position, text)
    if position.session is None and has_sound_board(position):
        return tuple(clock_warnings)

    board_faults = [*_find_misplaced_units(position), *_find_extra_commanders(position)]
    missing_sides = [] if mode == "lenient" else _list_sides_missing_commander(position)
    session_findings = session_faults(position)
    session_warnings = [] if mode == "strict" or session_findings else _find_session_warnings(position, rules)
    if not (board_faults or missing_sides or session_findings or session_warnings):
        return tuple(clock_warnings)

    places = _TextPlaces(str(position) if text is None else text)
    diagnostics = []
    for code, square, message in board_faults:
        place = places.find_unit(square)
        diagnostics.append(
            BOOK.make_diagnostic(code, place, message, field=_BOARD_FIELD, square=SQUARES[square])
        )
    for side in missing_sides:
        message = f"{side} has no commander, expected one"
        diagnostics.append(
            BOOK.make_diagnostic("commander.missing", places.board, message, field=_BOARD_FIELD)
        )
    session_messages = [(code, message) for code, _, message in session_findings]
    for code, message in [*session_messages, *session_warnings]:
        diagnostics.append(BOOK.make_diagnostic(code, places.suffix, message, field=_SESSION_FIELD))
    return (*diagnostics, *clock_warnings)


def _find_session_warnings(position: Position, rules: Rules) -> list[tuple[str, str]]:
    """Return a code and message for each weakness of the open deploy session.

    It may be impossible to undo the session, and then also to end it. The list is empty if no session is
    open, or if the position before it is known, because such a session can be cancelled.
    """
    session = position.session
    if session is None or session.start is not None:
        return []
    if not session.has_known_steps:
        reason = "the text does not contain its steps"
    elif find_starts(position, rules):
        reason = "more than one position leads to this board"
    else:
        reason = "no position leads to this board by its steps"
    remedy = 'expected a text of the style "replay", which contains the board before the session'
    warnings = [("deploy.no_undo", f"the deploy session cannot be undone, because {reason}; {remedy}")]
    if not can_complete_turn(position, rules):
        message = f"the deploy session cannot end, because no further step makes a commit possible; {remedy}"
        warnings.append(("deploy.dead_end", message))
    return warnings


def _find_clock_warnings(position: Position, text: str | None) -> list[Diagnostic]:
    """Return a warning if the half-move clock exceeds the number of played turns.

    The number of played turns follows from the move number and the side to move. Otherwise the list is empty.
    The warning is placed in `text`, or in the canonical text if `text` is None.
    """
    played_turns = 2 * (position.full - 1) + position.blue_to_move
    if position.half <= played_turns:
        return []
    message = f"half-move clock {position.half}, but only {played_turns} turns have been played"
    place = _find_half_clock_place(str(position) if text is None else text)
    return [BOOK.make_diagnostic("half.inconsistent", place, message, field=_HALF_CLOCK_FIELD)]


def _find_half_clock_place(text: str) -> Place:
    """Return the start and end offset of the half-move clock, the fifth word of a position text.

    Return the place of the whole text if it has no fifth word or its board does not have twelve ranks.
    """
    words = words_of(text)
    if len(words) <= _HALF_CLOCK_WORD or words[_BOARD_WORD].text.count("/") != _SLASH_COUNT:
        return 0, len(text)
    return words[_HALF_CLOCK_WORD].place


def list_sides_without_commander(position: Position) -> list[str]:
    """Return the names of the sides without a commander on the board: ``Red``, ``Blue`` or both."""
    colours_with_commander = {unit & BLUE_BIT for unit in position.board() if _has_commander(unit)}
    return [side for side, colour in (("Red", 0), ("Blue", BLUE_BIT)) if colour not in colours_with_commander]


def _has_commander(unit: int) -> bool:
    """Return whether a unit, a piece or stack as one number, is or contains a commander."""
    return unit >> COMMANDER & 1 == 1


def _list_sides_missing_commander(position: Position) -> list[str]:
    """Return the names of the sides whose commander is missing without an explanation.

    A side is left out if the open deploy session may have captured its commander.
    """
    return [
        side
        for side in list_sides_without_commander(position)
        if not _may_commander_be_captured(position, side)
    ]


def _may_commander_be_captured(position: Position, side: str) -> bool:
    """Return whether the open deploy session may have captured the commander that a side lacks.

    `side` is ``Red`` or ``Blue``. If the position before the session is known, the side must have had a
    commander there. Otherwise a step must be a capture, or the steps must be unknown.
    """
    session = position.session
    mover = "Blue" if position.blue_to_move else "Red"
    if session is None or side == mover:
        return False
    if session.start is not None:
        return side not in list_sides_without_commander(session.start)
    if not session.has_known_steps:
        return True
    return any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps)


def _list_units_in_reading_order(position: Position) -> list[tuple[int, int]]:
    """Return each occupied square with its unit in the order of a text: a12 to k12, …, a1 to k1.

    A square is a number, and a unit is a piece or stack as one number.
    """
    board = position.board()
    return [(square, board[square]) for square in _READING_ORDER if board[square]]


def _find_misplaced_units(position: Position) -> Iterator[tuple[str, int, str]]:
    """Yield a code, a square number and a message for each piece or stack on wrong terrain.

    A navy, alone or as the carrier of a stack, needs water. All others need land. The origin of an open
    deploy session is left out, because the stack there is still leaving it.
    """
    deploy_origin = None if position.session is None else position.session.origin_square
    for square, unit in _list_units_in_reading_order(position):
        if square == deploy_origin:
            continue
        carrier = get_carrier_type(unit)
        described = f"{write_unit(unit, fen=True)} on {SQUARES[square]}"
        if carrier == NAVY and not WATER_OK[square]:
            message = f"{described}: a navy on land, expected files a to c, d6, e6, d7 or e7"
            yield "terrain.land", square, message
        elif carrier != NAVY and not LAND_OK[square]:
            name = NAMES[LETTERS[carrier]]
            message = f"{described}: {name} on water, expected files c to k or a navy to carry it"
            yield "terrain.water", square, message


def _find_extra_commanders(position: Position) -> Iterator[tuple[str, int, str]]:
    """Yield a code, a square number and a message for each commander of a side beyond its first.

    The first commander is the one that the text shows first, from a12 to k1.
    """
    first_squares: dict[int, int] = {}
    for square, unit in _list_units_in_reading_order(position):
        if not _has_commander(unit):
            continue
        colour = unit & BLUE_BIT
        if colour not in first_squares:
            first_squares[colour] = square
            continue
        side = "Blue" if colour else "Red"
        squares = f"{SQUARES[square]} beside the one on {SQUARES[first_squares[colour]]}"
        yield "commander.many", square, f"{side} has a commander on {squares}, expected one"


class _TextPlaces:
    """The start and end offsets of squares and fields in the text of a position.

    `board` is the place of the board, `suffix` that of the deploy session. Each is the whole text if it is
    not found.
    """

    def __init__(self, text: str) -> None:
        words = words_of(text)
        self._units: dict[int, Place] = {}
        self.board: Place = (0, len(text))
        self.suffix: Place = self.board
        if not words or words[_BOARD_WORD].text.count("/") != _SLASH_COUNT:
            return
        board_word = words[_BOARD_WORD]
        self.board = board_word.place
        if len(words) > _SESSION_WORD:
            _, text_end = words[-1].place
            self.suffix = (words[_SESSION_WORD].start, text_end)

        offset = board_word.start
        first_square = FILE_COUNT * _SLASH_COUNT
        for rank_text in board_word.text.split("/"):
            self._read_rank(rank_text, offset, first_square)
            offset += len(rank_text) + len("/")
            first_square -= FILE_COUNT

    def _read_rank(self, rank_text: str, offset: int, first_square: int) -> None:
        """Record the places of the pieces and stacks in the text of a rank, such as ``2(NF)3+t4``.

        Args:
            rank_text: The text of the rank.
            offset: The offset of `rank_text` in the whole text.
            first_square: The number of the square on file a.
        """
        file = 0
        for match in _RANK_PART.finditer(rank_text):
            if match.group().isdigit():
                empty_square_count = int(match.group())
                file += empty_square_count
            elif file < FILE_COUNT:
                self._units[first_square + file] = (offset + match.start(), offset + match.end())
                file += 1

    def find_unit(self, square: int) -> Place:
        """Return the place of the piece or stack on the square number `square` in the text.

        Return the place of the whole board if the square is empty.
        """
        return self._units.get(square, self.board)
