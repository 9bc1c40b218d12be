"""The legality of a CoTuLenh position (spec/cotulenh 13, tests 16 to 18), each finding placed in the text.

Every unit stands where its carrier may stand, except on the origin of an open deploy session: there it has
time until the commit. Each side has one commander, unless the open session has just captured it. An open
session agrees with the board. A half-move clock that the move number and the side to move do not allow is a
warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from forsyth.diagnostics import Diagnostic, Mode
from forsyth.findings import Place
from forsyth.games.cotulenh.board import LAND_OK, SQUARES, WATER_OK
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.notation.deploy_fen import session_faults
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.stacks import BLUE_BIT, COMMANDER, LETTERS, NAMES, NAVY, carrier_of, write_unit

_PART: Final = re.compile(r"1[0-9]|[0-9]|\+?\([^()/]*\)|\+?[A-Za-z]")
_READING_ORDER: Final = tuple(11 * rank + file for rank in range(11, -1, -1) for file in range(11))


def check(position: Position, *, text: str | None = None, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Every finding about a position, placed in `text` (by default its canonical text).

    In lenient mode a missing commander is left to the reading, which has a warning about it. In strict mode,
    where a warning is an error, clocks that cannot go together are not mentioned (spec/cotulenh 18, row 15).
    """
    played = 2 * (position.full - 1) + position.blue_to_move
    doubtful = position.half > played and mode != "strict"
    if position.session is None and has_sound_board(position):
        return (_inconsistent(position, played, text),) if doubtful else ()
    faults = [*_terrain(position), *_many_commanders(position)]
    missing = [] if mode == "lenient" else sides_without_commander(position)
    missing = [side for side in missing if not _was_captured(position, side)]
    session = session_faults(position)
    if not (faults or missing or session or doubtful):
        return ()
    places = _Places(str(position) if text is None else text)
    found = [
        BOOK.finding(code, places.square(square), message, field=1, square=SQUARES[square])
        for code, square, message in faults
    ]
    for side in missing:
        message = f"{side} has no commander, expected one"
        found.append(BOOK.finding("commander.missing", places.board, message, field=1))
    for code, _, message in session:
        found.append(BOOK.finding(code, places.suffix, message, field=7))
    if doubtful:
        found.append(_inconsistent(position, played, text))
    return tuple(found)


def _inconsistent(position: Position, played: int, text: str | None) -> Diagnostic:
    message = f"half-move clock {position.half}, but only {played} turns have been played"
    place = _half_place(str(position) if text is None else text)
    return BOOK.finding("half.inconsistent", place, message, field=5)


def _half_place(text: str) -> Place:
    """Where the half-move clock stands; the whole text where that cannot be told."""
    words = words_of(text)
    is_whole = len(words) > 4 and words[0].text.count("/") == 11
    return words[4].place if is_whole else (0, len(text))


def sides_without_commander(position: Position) -> list[str]:
    """``Red`` or ``Blue`` or both, whoever has no commander."""
    present = {unit & BLUE_BIT for unit in position.board() if unit >> COMMANDER & 1}
    return [side for side, colour in (("Red", 0), ("Blue", BLUE_BIT)) if colour not in present]


def _was_captured(position: Position, side: str) -> bool:
    """Whether the open session explains that a side has no commander: by a capture, or a step not told."""
    session = position.session
    if session is None or side == ("Blue" if position.blue_to_move else "Red"):
        return False
    if session.start is not None:
        return side not in sides_without_commander(session.start)
    return not session.known or any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps)


def _units_of(position: Position) -> list[tuple[int, int]]:
    """Every unit with its square, in reading order."""
    board = position.board()
    return [(square, board[square]) for square in _READING_ORDER if board[square]]


def _terrain(position: Position) -> Iterator[tuple[str, int, str]]:
    """Units whose carrier may not stand where they stand."""
    origin = -1 if position.session is None else position.session.origin_square
    for square, unit in _units_of(position):
        if square == origin:
            continue
        kind = carrier_of(unit)
        if WATER_OK[square] if kind == NAVY else LAND_OK[square]:
            continue
        shown = f"{write_unit(unit, fen=True)} on {SQUARES[square]}"
        if kind == NAVY:
            yield "terrain.land", square, f"{shown}: a navy on land, expected files a to c, d6, e6, d7 or e7"
        else:
            name = NAMES[LETTERS[kind]]
            yield (
                "terrain.water",
                square,
                f"{shown}: {name} on water, expected files c to k or a navy to carry it",
            )


def _many_commanders(position: Position) -> Iterator[tuple[str, int, str]]:
    """Every commander behind the first of its colour, in reading order."""
    first: dict[int, int] = {}
    for square, unit in _units_of(position):
        if not unit >> COMMANDER & 1:
            continue
        colour = unit & BLUE_BIT
        if colour not in first:
            first[colour] = square
            continue
        side = "Blue" if colour else "Red"
        places = f"{SQUARES[square]} beside the one on {SQUARES[first[colour]]}"
        yield "commander.many", square, f"{side} has a commander on {places}, expected one"


class _Places:
    """Where squares and fields stand in a text; the whole text where that cannot be told."""

    def __init__(self, text: str) -> None:
        words = words_of(text)
        self._units: dict[int, Place] = {}
        self.board: Place = (0, len(text))
        self.suffix: Place = self.board
        if not words or words[0].text.count("/") != 11:
            return
        self.board = words[0].place
        if len(words) > 6:
            self.suffix = (words[6].start, words[-1].place[1])
        start = words[0].start
        for index, rank in enumerate(words[0].text.split("/")):
            self._read_rank(rank, start, 11 * (11 - index))
            start += len(rank) + 1

    def _read_rank(self, rank: str, start: int, first: int) -> None:
        file = 0
        for part in _PART.finditer(rank):
            if part.group().isdigit():
                file += int(part.group())
            elif file < 11:
                self._units[first + file] = (start + part.start(), start + part.end())
                file += 1

    def square(self, square: int) -> Place:
        """The place of the unit on a square; of the board where the text shows none there."""
        return self._units.get(square, self.board)
