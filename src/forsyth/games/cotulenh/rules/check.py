"""Report what is illegal in a CoTuLenh position, with the places of the findings in the text.

Rules: spec/cotulenh 13, tests 16 to 18. Every unit must stand where its carrier may stand, except on the
origin of an open deploy session, where it has time until the commit. Each side must have one commander,
unless the open session has just captured it. An open session must agree with the board. A half-move clock
that the move number and the side to move do not allow is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from forsyth.diagnostics import Diagnostic, Mode
from forsyth.findings import Place
from forsyth.games.cotulenh.board import FILES, LAND_OK, RANK_COUNT, SQUARES, WATER_OK
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.notation.deploy_fen import session_faults
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.stacks import BLUE_BIT, COMMANDER, LETTERS, NAMES, NAVY, carrier_of, write_unit

_FILE_COUNT: Final = len(FILES)
_SLASH_COUNT: Final = RANK_COUNT - 1
_BOARD_WORD: Final = 0
_HALF_CLOCK_WORD: Final = 4
_SESSION_WORD: Final = 6
"""Indexes of words in the text of a position. A deploy session may consist of several words."""
_RANK_PART: Final = re.compile(r"1[0-9]|[0-9]|\+?\([^()/]*\)|\+?[A-Za-z]")
_READING_ORDER: Final = tuple(
    _FILE_COUNT * rank + file for rank in range(RANK_COUNT - 1, -1, -1) for file in range(_FILE_COUNT)
)


def check(position: Position, *, text: str | None = None, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Return every finding about a position that its text can express but the rules do not allow.

    In lenient mode a missing commander is not reported here, because the reader has a warning about it. In
    strict mode, where a warning is an error, inconsistent clocks are not reported (spec/cotulenh 18, row 15).

    Args:
        position: The position.
        text: The text that the spans of the findings refer to. None means the canonical text.
        mode: The mode in which the text was read.
    """
    played_turns = 2 * (position.full - 1) + position.blue_to_move
    is_clock_doubtful = position.half > played_turns and mode != "strict"
    if position.session is None and has_sound_board(position):
        return (_inconsistent_clock(position, played_turns, text),) if is_clock_doubtful else ()
    board_faults = [*_misplaced_units(position), *_extra_commanders(position)]
    sides_missing = [
        side
        for side in sides_without_commander(position)
        if mode != "lenient" and not _was_captured(position, side)
    ]
    session_findings = session_faults(position)
    if not (board_faults or sides_missing or session_findings or is_clock_doubtful):
        return ()
    places = _TextPlaces(str(position) if text is None else text)
    diagnostics = [
        BOOK.make_diagnostic(code, places.square(square), message, field=1, square=SQUARES[square])
        for code, square, message in board_faults
    ]
    for side in sides_missing:
        message = f"{side} has no commander, expected one"
        diagnostics.append(BOOK.make_diagnostic("commander.missing", places.board, message, field=1))
    for code, _, message in session_findings:
        diagnostics.append(BOOK.make_diagnostic(code, places.suffix, message, field=7))
    if is_clock_doubtful:
        diagnostics.append(_inconsistent_clock(position, played_turns, text))
    return tuple(diagnostics)


def _inconsistent_clock(position: Position, played_turns: int, text: str | None) -> Diagnostic:
    """Return the warning about a half-move clock that exceeds the number of played turns.

    `played_turns` follows from the move number and the side to move. The warning is placed in `text`, or in
    the canonical text if `text` is None.
    """
    message = f"half-move clock {position.half}, but only {played_turns} turns have been played"
    place = _place_of_half_clock(str(position) if text is None else text)
    return BOOK.make_diagnostic("half.inconsistent", place, message, field=5)


def _place_of_half_clock(text: str) -> Place:
    """Return the start and end offset of the half-move clock, the fifth word of a position text.

    Return the place of the whole text if it has no such word or its board does not have twelve ranks.
    """
    words = words_of(text)
    has_clock = len(words) > _HALF_CLOCK_WORD and words[_BOARD_WORD].text.count("/") == _SLASH_COUNT
    return words[_HALF_CLOCK_WORD].place if has_clock else (0, len(text))


def sides_without_commander(position: Position) -> list[str]:
    """Return the names of the sides that have no commander on the board, from ``Red`` and ``Blue``."""
    present = {unit & BLUE_BIT for unit in position.board() if unit >> COMMANDER & 1}
    return [side for side, colour in (("Red", 0), ("Blue", BLUE_BIT)) if colour not in present]


def _was_captured(position: Position, side: str) -> bool:
    """Return whether the open deploy session may have captured the commander that `side` lacks.

    `side` is ``Red`` or ``Blue``. If the position before the session is known, the side must have had a
    commander there. Otherwise a step must be a capture, or the steps must be unknown.
    """
    session = position.session
    if session is None or side == ("Blue" if position.blue_to_move else "Red"):
        return False
    if session.start is not None:
        return side not in sides_without_commander(session.start)
    return not session.has_known_steps or any(
        step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps
    )


def _units_in_reading_order(position: Position) -> list[tuple[int, int]]:
    """Return each occupied square number with its unit in the order of a text: a12 to k12, …, a1 to k1."""
    board = position.board()
    return [(square, board[square]) for square in _READING_ORDER if board[square]]


def _misplaced_units(position: Position) -> Iterator[tuple[str, int, str]]:
    """Yield a code, square number and message for each unit on terrain where its carrier may not stand.

    The origin of an open deploy session is left out, because the stack there is still leaving it.
    """
    origin = -1 if position.session is None else position.session.origin_square
    for square, unit in _units_in_reading_order(position):
        if square == origin:
            continue
        kind = carrier_of(unit)
        if WATER_OK[square] if kind == NAVY else LAND_OK[square]:
            continue
        described = f"{write_unit(unit, fen=True)} on {SQUARES[square]}"
        if kind == NAVY:
            yield (
                "terrain.land",
                square,
                f"{described}: a navy on land, expected files a to c, d6, e6, d7 or e7",
            )
        else:
            name = NAMES[LETTERS[kind]]
            yield (
                "terrain.water",
                square,
                f"{described}: {name} on water, expected files c to k or a navy to carry it",
            )


def _extra_commanders(position: Position) -> Iterator[tuple[str, int, str]]:
    """Yield a code, square number and message for each commander beyond the first of its colour.

    The first commander is the one that the text shows first, from a12 to k1.
    """
    first_squares: dict[int, int] = {}
    for square, unit in _units_in_reading_order(position):
        if not unit >> COMMANDER & 1:
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
        self.board = words[_BOARD_WORD].place
        if len(words) > _SESSION_WORD:
            _, text_end = words[-1].place
            self.suffix = (words[_SESSION_WORD].start, text_end)
        start = words[_BOARD_WORD].start
        for index, rank in enumerate(words[_BOARD_WORD].text.split("/")):
            self._read_rank(rank, start, _FILE_COUNT * (RANK_COUNT - 1 - index))
            start += len(rank) + 1

    def _read_rank(self, rank: str, start: int, first_square: int) -> None:
        """Record the places of the units in the text of one rank, such as ``2(NF)3+t4``.

        Args:
            rank: The text of the rank.
            start: The offset of `rank` in the whole text.
            first_square: The number of the square on file a.
        """
        file = 0
        for part in _RANK_PART.finditer(rank):
            if part.group().isdigit():
                file += int(part.group())
            elif file < _FILE_COUNT:
                self._units[first_square + file] = (start + part.start(), start + part.end())
                file += 1

    def square(self, square: int) -> Place:
        """Return the place of the unit on a square number, or the place of the board if it is empty."""
        return self._units.get(square, self.board)
