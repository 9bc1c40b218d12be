"""The FEN parser of the source document, to the letter, and its board class as a thin face.

`seed_verdict` gives the verdict of the document's parser, built with optimisation, on any text
(spec/chess 3 and 3.1). It differs from `fen` in both directions. It is laxer:

* the last rank is never measured and the ranks are never counted; the board field may be empty;
* an extra man on the last rank lands on a2, b2, …; the document's board then holds two men on one square,
  a `Position` holds the later one;
* file, rank and square are counted in eight bits, so that 33 times ``8`` is a whole rank;
* castling is any one to four of ``KQkq-``; ``+5`` and ``007`` are numbers, and a move number of 0 is one
  (a `Position` counts from 1 and holds 1);
* nothing is said about the position: kings, rooks and pawns need not be there.

It is stricter: fields are separated by one space each, five fields are too few, of all dash look-alikes only
the en dash is a dash, the half-move clock ends at 100 and the move number at 2048, and lengths are counted
in bytes of UTF-8. Where its program would abort, the verdict is ``panic``, reported to users as Part1.

Writing: none; the board writes canonical text.
Stability: the verdicts are those of a fixed document and never change; golden files hold them.
Limits: none of its own, for the document has none; time is proportional to the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from forsyth.diagnostics import Diagnostic, MoveError, Reading, Severity, Span, quoted
from forsyth.games.chess.board import SQUARE_NUMBER
from forsyth.games.chess.codes import SEED_MESSAGES
from forsyth.games.chess.fen import START, read_fen
from forsyth.games.chess.moves import Move, legal_moves, play
from forsyth.games.chess.position import LETTERS, STANDARD, STANDARD_RIGHTS, Position, from_fields
from forsyth.games.chess.san import read_san, write_san
from forsyth.limits import MAX_MOVES

__all__ = ["SEED_MESSAGES", "Board", "Verdict", "read_seed", "seed_verdict"]


class Verdict(StrEnum):
    """What the document's parser makes of a text: the names of its error type, ``ok`` and ``panic``."""

    OK = "ok"
    INCORRECT_LENGTH = "IncorrectLength"
    PART1 = "Part1"
    PART2 = "Part2"
    PART3 = "Part3"
    PART4 = "Part4"
    PART5 = "Part5"
    PART6 = "Part6"
    PANIC = "panic"

    @property
    def field(self) -> int:
        """The field at fault, 1 to 6; 0 for the whole text, and for no fault at all."""
        if self is Verdict.PANIC:
            return 1
        return int(self.value[-1]) if self.value.startswith("Part") else 0

    @property
    def message(self) -> str:
        """The document's sentence; empty for ``ok``."""
        return "" if self is Verdict.OK else SEED_MESSAGES[self.field]


_PARTS: Final = (
    Verdict.PART1,
    Verdict.PART2,
    Verdict.PART3,
    Verdict.PART4,
    Verdict.PART5,
    Verdict.PART6,
)
_CODES: Final = (
    "fen.fields",
    "board.char",
    "side.value",
    "castling.char",
    "ep.value",
    "half.value",
    "full.value",
)
"""The nearest code of ours for each of the seven messages."""

_EN_DASH: Final = "\u2013"
_RIGHTS: Final = dict(STANDARD_RIGHTS) | {"-": 0}
_SIDES: Final = {"w": 0, "b": 1}
_NUMBER: Final = re.compile(r"\+?[0-9]+")
_MAX_HALF: Final = 100
_MAX_FULL: Final = 2048


class _PartError(Exception):
    """A part that the document's parser does not take."""


class _PanicError(Exception):
    """Where the document's program would abort."""


# --- the parser -------------------------------------------------------------------------------------


def seed_verdict(text: str | None) -> tuple[Verdict, Position | None]:
    """The verdict of the document's parser, and the position if it is ``ok``. None is the start position."""
    parts = _split(START if text is None else text)
    if len(parts) != 6:
        return Verdict.INCORRECT_LENGTH, None
    values = []
    for parser, part, verdict in zip(_PARSERS, parts, _PARTS, strict=True):
        try:
            values.append(parser(part))
        except _PartError:
            return verdict, None
        except _PanicError:
            return Verdict.PANIC, None
    men, side, rights, ep_square, half, full = values
    return Verdict.OK, _position(men, (side, ep_square, half, max(full, 1)), rights)


def _split(text: str) -> list[str]:
    parts = text.replace(_EN_DASH, "-").split(" ")
    return [*parts, "0", "1"] if len(parts) == 4 else parts


def _size(part: str) -> int:
    # A lone surrogate cannot stand in a string of the document's language; here it is a character that
    # no part takes, whatever its length.
    return len(part.encode("utf-8", "surrogatepass"))


def _pieces(part: str) -> int:
    """Twelve sets of 64 squares, one above the other."""
    men = 0
    rank, file = 7, 0
    for ch in part:
        kind = LETTERS.find(ch)
        if kind >= 0:
            square = (rank * 8 + file) & 255
            if square > 63:
                raise _PanicError
            men = men & ~(_ONE_SQUARE << square) | 1 << 64 * kind + square
            file = file + 1 & 255
        elif "1" <= ch <= "8":
            file = file + int(ch) & 255
        elif ch == "/" and file == 8:
            rank, file = rank - 1 & 255, 0
        else:
            raise _PartError
    return men


_ONE_SQUARE: Final = sum(1 << 64 * kind for kind in range(12))
"""The square a1 in each of the twelve sets."""


def _color(part: str) -> int:
    if part not in _SIDES:
        raise _PartError
    return _SIDES[part]


def _castling(part: str) -> int:
    if not 1 <= _size(part) <= 4 or not set(part) <= _RIGHTS.keys():
        raise _PartError
    rights = 0
    for ch in part:
        rights |= _RIGHTS[ch]
    return rights


def _en_passant(part: str) -> int:
    if part == "-":
        return -1
    if part not in SQUARE_NUMBER or part[1] not in "36":
        raise _PartError
    return SQUARE_NUMBER[part]


def _half_move_clock(part: str) -> int:
    return _number(part, 3, _MAX_HALF)


def _full_move_number(part: str) -> int:
    return _number(part, 4, _MAX_FULL)


def _number(part: str, longest: int, largest: int) -> int:
    """An unsigned number as the document's language reads it: a plus is fine, leading zeros too."""
    if _size(part) > longest or not _NUMBER.fullmatch(part):
        raise _PartError
    number = int(part)
    if number > largest:
        raise _PartError
    return number


_PARSERS: Final[tuple[Callable[[str], int], ...]] = (
    _pieces,
    _color,
    _castling,
    _en_passant,
    _half_move_clock,
    _full_move_number,
)


def _position(men: int, rest: tuple[int, ...], rights: int) -> Position:
    sets = [men >> 64 * kind & (1 << 64) - 1 for kind in range(12)]
    kinds = [sets[kind] | sets[kind + 6] for kind in range(6)]
    white = sets[0] | sets[1] | sets[2] | sets[3] | sets[4] | sets[5]
    black = sets[6] | sets[7] | sets[8] | sets[9] | sets[10] | sets[11]
    return from_fields((*kinds, white, black, rights, 0, 0, 0, *rest, STANDARD, 0))


def read_seed(text: str | None) -> Reading[Position]:
    """The verdict as a reading: at most one finding, with the document's own sentence."""
    verdict, position = seed_verdict(text)
    given = START if text is None else text
    if verdict is Verdict.OK:
        return Reading(given, "chess", position)
    number = verdict.field
    finding = Diagnostic(
        _CODES[number],
        verdict.message,
        Severity.ERROR,
        "fields" if number else "text",
        _span(given, number),
        number,
        seed_message=verdict.message,
    )
    return Reading(given, "chess", None, (finding,))


def _span(text: str, number: int) -> Span:
    """The place of a field, 1 to 6, or of the whole text."""
    if number == 0:
        return Span(0, len(text))
    parts = text.split(" ")
    start = sum(len(part) + 1 for part in parts[: number - 1])
    return Span(start, start + len(parts[number - 1]))


# --- the board --------------------------------------------------------------------------------------


class Board:
    """The document's board: set up from a text, or not changed at all.

    It holds any position that can be written, legal or not (`forsyth.game("chess").check` tells); moves
    are legal ones only.
    """

    __slots__ = ("_past", "_position")

    def __init__(self) -> None:
        self._past: list[Position] = []
        self._position = _START

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    @property
    def fen(self) -> str:
        """The position now, as canonical text."""
        return str(self._position)

    @property
    def history(self) -> tuple[Position, ...]:
        """The positions since the set-up, oldest first, without the one now."""
        return tuple(self._past)

    def fen_setup(self, text: str | None = None, *, profile: str | None = None) -> None:
        """Set up the position of a text, or the start position if there is none.

        `profile` is None for Forsyth's own reader or ``seed`` for the document's, to the letter. Raises
        `FenError`, whose `seed_message` is the document's sentence; the board is then as it was.
        """
        if profile not in (None, "seed"):
            raise ValueError(f"there is no profile {quoted(profile)}, expected None or 'seed'")
        if profile == "seed":
            position = read_seed(text).require()
        else:
            position = read_fen(START if text is None else text).require()
        self._position = position
        self._past.clear()

    def moves(self) -> list[str]:
        """The legal moves, in SAN."""
        return [write_san(self._position, move) for move in legal_moves(self._position)]

    def play(self, text: str) -> Move:
        """Play a move given as text; raises `MoveError`, and the board is then as it was."""
        if len(self._past) >= MAX_MOVES:
            raise MoveError("illegal", text, f"a board holds at most {MAX_MOVES} moves")
        move = read_san(self._position, text)
        after = play(self._position, move)
        self._past.append(self._position)
        self._position = after
        return move

    def undo(self) -> bool:
        """Take the last move back; False if there is none."""
        if not self._past:
            return False
        self._position = self._past.pop()
        return True

    def __str__(self) -> str:
        return self.fen

    def __repr__(self) -> str:
        return f"<Board {self.fen!r}>"


_START: Final = read_seed(None).require()
