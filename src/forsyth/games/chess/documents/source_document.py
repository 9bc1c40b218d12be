# cython: annotation_typing=False
"""The FEN parser of the source document, to the letter.

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

The errors of the document are its own (`SeedKind`). A finding of ours names one only where the document
refuses the text too; about a text longer than any wrapped one it is not asked.

Stability: the verdicts are those of a fixed document and never change; golden files hold them.
Limits: none of its own, for the document has none; time is proportional to the text. The module runs as it is
and compiles with Cython (`source_document.pxd` gives the C types).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from forsyth.diagnostics import Diagnostic, Reading, Severity, Span
from forsyth.findings import CodeBook
from forsyth.games.chess.board import SQUARE_NUMBER
from forsyth.games.chess.codes import BOOK, SEED_KINDS, SEED_MESSAGES, TEXT_BOOK, SeedKind
from forsyth.games.chess.position import LETTERS, STANDARD, STANDARD_RIGHTS, Position, from_fields
from forsyth.limits import MAX_WRAPPED

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""What the document sets up where it is given no text."""


class Verdict(StrEnum):
    """What the document's parser makes of a text: the names of its error type, ``ok`` and ``panic``."""

    OK = "ok"
    INCORRECT_LENGTH = SeedKind.INCORRECT_LENGTH.value
    PART1 = SeedKind.PART1.value
    PART2 = SeedKind.PART2.value
    PART3 = SeedKind.PART3.value
    PART4 = SeedKind.PART4.value
    PART5 = SeedKind.PART5.value
    PART6 = SeedKind.PART6.value
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


_PARTS: Final = (Verdict.PART2, Verdict.PART3, Verdict.PART4, Verdict.PART5, Verdict.PART6)
"""The verdicts on the parts behind the board."""
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

_OK: Final = Verdict.OK
_PART1: Final = Verdict.PART1
_PANIC: Final = Verdict.PANIC
_EN_DASH: Final = "\u2013"
_RIGHTS: Final = dict(STANDARD_RIGHTS) | {"-": 0}
_SIDES: Final = {"w": 0, "b": 1}
_MAX_HALF: Final = 100
_MAX_FULL: Final = 2048


# --- the parser -------------------------------------------------------------------------------------


def seed_verdict(text: str | None) -> tuple[Verdict, Position | None]:
    """The verdict of the document's parser, and the position if it is ``ok``. None is the start position."""
    parts = _split(START if text is None else text)
    if len(parts) != 6:
        return Verdict.INCORRECT_LENGTH, None
    cells = [-1] * 64
    verdict = _walk(parts[0], cells)
    if verdict is not _OK:
        return verdict, None
    values = []
    for parser, part, refused in zip(_PARSERS, parts[1:], _PARTS, strict=True):
        value = parser(part)
        if value is None:
            return refused, None
        values.append(value)
    side, rights, ep_square, half, full = values
    return Verdict.OK, _position(cells, (side, ep_square, half, max(full, 1)), rights)


def _accepts(text: str) -> bool:
    """Whether the verdict is ``ok``: the short parts come first, since order does not matter to that."""
    parts = _split(text)
    return (
        len(parts) == 6
        and _full_move_number(parts[5]) is not None
        and _half_move_clock(parts[4]) is not None
        and _en_passant(parts[3]) is not None
        and _castling(parts[2]) is not None
        and _color(parts[1]) is not None
        and _walk(parts[0], None) is _OK
    )


def _split(text: str) -> list[str]:
    parts = text.replace(_EN_DASH, "-").split(" ")
    return [*parts, "0", "1"] if len(parts) == 4 else parts


def _size(part: str) -> int:
    # A lone surrogate cannot stand in a string of the document's language; here it is a character that
    # no part takes, whatever its length.
    return len(part) if part.isascii() else len(part.encode("utf-8", "surrogatepass"))


def _walk(part: str, cells: list[int] | None) -> Verdict:
    """Go over the ranks, and put the men down where that is asked for: by number in LETTERS, −1 for none."""
    rank = 7
    file = 0
    for ch in part:
        if ch in "PNBRQKpnbrqk":
            square = rank * 8 + file & 255
            if square > 63:
                return _PANIC
            if cells is not None:
                cells[square] = LETTERS.index(ch)
            file = file + 1 & 255
        elif "1" <= ch <= "8":
            file = file + ord(ch) - 48 & 255
        elif ch == "/" and file == 8:
            rank = rank - 1 & 255
            file = 0
        else:
            return _PART1
    return _OK


# Each of the parsers gives the value of its part, or None where the document refuses it.


def _color(part: str) -> int | None:
    return _SIDES.get(part)


def _castling(part: str) -> int | None:
    if not 1 <= _size(part) <= 4:
        return None
    rights = 0
    for ch in part:
        right = _RIGHTS.get(ch)
        if right is None:
            return None
        rights |= right
    return rights


def _en_passant(part: str) -> int | None:
    if part == "-":
        return -1
    return SQUARE_NUMBER[part] if part in SQUARE_NUMBER and part[1] in "36" else None


def _half_move_clock(part: str) -> int | None:
    return _number(part, 3, _MAX_HALF)


def _full_move_number(part: str) -> int | None:
    return _number(part, 4, _MAX_FULL)


def _number(part: str, longest: int, largest: int) -> int | None:
    """An unsigned number as the document's language reads it: a plus is fine, leading zeros too."""
    digits = part.removeprefix("+")
    if len(part) > longest or not digits.isascii() or not digits.isdigit():
        return None
    number = int(digits)
    return number if number <= largest else None


_PARSERS: Final[tuple[Callable[[str], int | None], ...]] = (
    _color,
    _castling,
    _en_passant,
    _half_move_clock,
    _full_move_number,
)


def _position(cells: list[int], rest: tuple[int, ...], rights: int) -> Position:
    sets = [0] * len(LETTERS)
    for square, man in enumerate(cells):
        if man >= 0:
            sets[man] |= 1 << square
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
        seed_kind=SEED_KINDS[number],
    )
    return Reading(given, "chess", None, (finding,))


def book_for(text: str) -> CodeBook:
    """The codes of findings about a text; where the document accepts it, without the document's words."""
    return TEXT_BOOK if len(text) <= MAX_WRAPPED and not _accepts(text) else BOOK


def _span(text: str, number: int) -> Span:
    """The place of a field, 1 to 6, or of the whole text."""
    if number == 0:
        return Span(0, len(text))
    parts = text.split(" ")
    start = sum(len(part) + 1 for part in parts[: number - 1])
    return Span(start, start + len(parts[number - 1]))
