# cython: annotation_typing=False
"""The FEN parser of the source document, imitated exactly.

`imitate_seed_parser` returns the verdict of the document's parser, compiled with optimisation, on any text
(spec/chess 3 and 3.1). It differs from `notation.fen` in both directions. The document's parser accepts more:

* It does not measure the last rank and does not count the ranks. The board field may be empty.
* It puts additional pieces of the last rank on a2, b2, … The document's board then has two pieces on one
  square; a `Position` has the later one.
* It counts file, rank and square in eight bits, so 33 times ``8`` is a complete rank.
* It reads one to four characters of ``KQkq-`` in any order as castling rights, ``+5`` and ``007`` as numbers,
  and 0 as a move number (a `Position` has 1 instead).
* It does not check the position: kings, rooks and pawns may be missing.

The document's parser also rejects more. Fields must be separated by exactly one space, five fields are too
few, and of all characters that look like a dash it accepts only the en dash. The half-move clock ends at 100
and the move number at 2048. Lengths are counted in bytes of UTF-8. Where the document's program would abort,
the verdict is ``panic``, which is reported to users as Part1.

`SeedKind` has the error kinds of the document. A finding of Forsyth has an error kind only if the document
rejects the text too. Texts that are longer than any wrapped text are not compared with the document.

The verdicts never change, because the document does not change; golden files contain them. There is no limit
on the length of a text, and the time is proportional to it. The module runs as it is and compiles with Cython
(`source_document.pxd` gives the C types).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.diagnostics import Diagnostic, Reading, Severity, Span
from forsyth.findings import CodeBook
from forsyth.games.chess.board import SQUARE_NUMBER
from forsyth.games.chess.codes import BOOK, SEED_KINDS, SEED_MESSAGES, TEXT_BOOK, SeedKind
from forsyth.games.chess.position import LETTERS, STANDARD, STANDARD_RIGHTS, Position, from_fields
from forsyth.limits import MAX_WRAPPED

if not cython.compiled:
    BYTE_MASK: Final = 255
    """The document counts file, rank and square in one byte, so a sum above 255 begins again at 0."""
    LAST_SQUARE: Final = 63

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The text that the document sets up if it is called without a text."""


class Verdict(StrEnum):
    """The result of the document's parser on a text.

    It is ``ok`` for a text without errors, the name of an error kind such as ``Part1``, or ``panic`` if the
    document's program aborts.
    """

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
        """The number of the invalid field, 1 to 6, or 0 for the whole text and for ``ok``."""
        if self is Verdict.PANIC:
            return 1
        return int(self.value[-1]) if self.value.startswith("Part") else 0

    @property
    def message(self) -> str:
        """The error message of the document, or an empty string for ``ok``."""
        return "" if self is Verdict.OK else SEED_MESSAGES[self.field]


_FIELD_ERRORS: Final = (Verdict.PART2, Verdict.PART3, Verdict.PART4, Verdict.PART5, Verdict.PART6)
"""The verdicts for an invalid field, for the fields after the board."""
_NEAREST_CODES: Final = (
    "fen.fields",
    "board.char",
    "side.value",
    "castling.char",
    "ep.value",
    "half.value",
    "full.value",
)
"""The diagnostic code that is closest to each of the seven messages of the document."""

_KINDS_PER_SIDE: Final = len(LETTERS) // 2
"""The number of kinds of pieces. The letters of Black's pieces follow those of White's in LETTERS."""
_OK: Final = Verdict.OK
_PART1: Final = Verdict.PART1
_PANIC: Final = Verdict.PANIC
_EN_DASH: Final = "\u2013"
_RIGHTS: Final = dict(STANDARD_RIGHTS) | {"-": 0}
_SIDES: Final = {"w": 0, "b": 1}
_MAX_CASTLING_BYTES: Final = 4
_FIELD_COUNT: Final = 6
_MIN_FIELD_COUNT: Final = 4
"""The number of fields of a FEN without clocks, which the document completes."""
_MAX_HALF: Final = 100
_MAX_FULL: Final = 2048


# --- the parser -------------------------------------------------------------------------------------


def imitate_seed_parser(text: str | None) -> tuple[Verdict, Position | None]:
    """Parse a FEN exactly as the source document does.

    Return the verdict and the position, or None in its place for an invalid text. The verdict is ``ok`` or
    names the first invalid field, such as ``Part2`` for the side to move. None as `text` means the start
    position.
    """
    fields = _split_fields(START if text is None else text)
    if len(fields) != _FIELD_COUNT:
        return Verdict.INCORRECT_LENGTH, None

    cells = [-1] * 64
    verdict = _parse_board(fields[0], cells)
    if verdict is not _OK:
        return verdict, None

    values = []
    for parse_field, field, error in zip(_FIELD_PARSERS, fields[1:], _FIELD_ERRORS, strict=True):
        value = parse_field(field)
        if value is None:
            return error, None
        values.append(value)

    side, castling_rights, ep_square, half_clock, move_number = values
    # The document accepts the move number 0, which a `Position` cannot have.
    move_number = max(move_number, 1)
    return Verdict.OK, _build_position(cells, (side, ep_square, half_clock, move_number), castling_rights)


def _is_accepted_by_document(text: str) -> bool:
    """Return whether the source document's parser accepts a text.

    The result is that of `imitate_seed_parser`, but this function is faster.
    """
    fields = _split_fields(text)
    # The order of the tests does not matter for the result, so the short fields are tested first.
    return (
        len(fields) == _FIELD_COUNT
        and _parse_full_move_number(fields[5]) is not None
        and _parse_half_move_clock(fields[4]) is not None
        and _parse_en_passant(fields[3]) is not None
        and _parse_castling(fields[2]) is not None
        and _parse_color(fields[1]) is not None
        and _parse_board(fields[0], None) is _OK
    )


def _split_fields(text: str) -> list[str]:
    """Return the fields of a FEN: the parts between its single spaces.

    En dashes become hyphens. If there are exactly four fields, the default clocks ``0`` and ``1`` are added.
    """
    fields = text.replace(_EN_DASH, "-").split(" ")
    if len(fields) == _MIN_FIELD_COUNT:
        default_clocks = ["0", "1"]
        return fields + default_clocks
    return fields


def _count_utf8_bytes(field: str) -> int:
    """Return the length of a field in bytes of UTF-8, the unit in which the source document measures it."""
    # A string in the document's language cannot contain a lone surrogate. Here it counts as some bytes,
    # which makes no difference, because every field with a surrogate is rejected.
    return len(field) if field.isascii() else len(field.encode("utf-8", "surrogatepass"))


def _parse_board(field: str, cells: list[int] | None) -> Verdict:
    """Parse the board field of a FEN, and return ``ok``, ``Part1`` for an error, or ``panic``.

    The result is ``panic`` if a piece is outside the board, because the source document's program aborts
    then.

    Args:
        field: The board field.
        cells: A list of 64 numbers that is changed in place: the index in LETTERS of the piece on each
            square. If it is None, the pieces are not stored.
    """
    rank = 7
    file = 0
    for letter in field:
        if letter in LETTERS:
            square = (rank * 8 + file) & BYTE_MASK
            if square > LAST_SQUARE:
                return _PANIC
            if cells is not None:
                cells[square] = LETTERS.index(letter)
            file = (file + 1) & BYTE_MASK
        elif "1" <= letter <= "8":
            file = (file + ord(letter) - ord("0")) & BYTE_MASK
        elif letter == "/" and file == 8:
            rank = (rank - 1) & BYTE_MASK
            file = 0
        else:
            return _PART1
    return _OK


def _parse_color(field: str) -> int | None:
    """Return 0 for ``w`` (White), 1 for ``b`` (Black), or None if the field is invalid."""
    return _SIDES.get(field)


def _parse_castling(field: str) -> int | None:
    """Return the castling rights as a set of the rooks' squares, or None if the field is invalid.

    One to four of the characters ``KQkq-`` are accepted, in any order and repeated. A set of squares is a
    number with one bit for each square.
    """
    # The document limits the length in bytes, not in characters.
    if not 1 <= _count_utf8_bytes(field) <= _MAX_CASTLING_BYTES:
        return None
    rights = 0
    for letter in field:
        right = _RIGHTS.get(letter)
        if right is None:
            return None
        rights |= right
    return rights


def _parse_en_passant(field: str) -> int | None:
    """Return the number of the en-passant square, -1 for ``-``, or None if the field is invalid."""
    if field == "-":
        return -1
    is_on_rank_3_or_6 = field in SQUARE_NUMBER and field[1] in "36"
    return SQUARE_NUMBER[field] if is_on_rank_3_or_6 else None


def _parse_half_move_clock(field: str) -> int | None:
    """Return the half-move clock, 0 to 100, or None if the field is invalid."""
    return _parse_number(field, 3, _MAX_HALF)


def _parse_full_move_number(field: str) -> int | None:
    """Return the move number, 0 to 2048, or None if the field is invalid."""
    return _parse_number(field, 4, _MAX_FULL)


def _parse_number(field: str, max_length: int, maximum: int) -> int | None:
    """Return the number in a field, or None if the field is invalid.

    A plus sign and leading zeros are allowed (``+5``, ``007``), as in the language of the source document.
    The field must not be longer than `max_length` characters, and the number not greater than `maximum`.
    """
    digits = field.removeprefix("+")
    if len(field) > max_length or not digits.isascii() or not digits.isdigit():
        return None
    number = int(digits)
    return number if number <= maximum else None


_FIELD_PARSERS: Final[tuple[Callable[[str], int | None], ...]] = (
    _parse_color,
    _parse_castling,
    _parse_en_passant,
    _parse_half_move_clock,
    _parse_full_move_number,
)
"""The parsers of the fields after the board. Each returns the value of a field, or None if it is invalid."""


def _build_position(cells: list[int], other_fields: tuple[int, ...], castling_rights: int) -> Position:
    """Return a position of standard chess from the values that the field parsers returned.

    Args:
        cells: The index in LETTERS of the piece on each square, or -1 for an empty square.
        other_fields: The side to move, the en-passant square, the half-move clock and the move number.
        castling_rights: The castling rights, as a set of the rooks' squares.
    """
    kinds = [0] * _KINDS_PER_SIDE
    colours = [0, 0]
    for square, letter_index in enumerate(cells):
        if letter_index >= 0:
            kinds[letter_index % _KINDS_PER_SIDE] |= 1 << square
            colours[letter_index // _KINDS_PER_SIDE] |= 1 << square
    promoted = white_pocket = black_pocket = remaining = 0
    return from_fields(
        (
            *kinds,
            *colours,
            castling_rights,
            promoted,
            white_pocket,
            black_pocket,
            *other_fields,
            STANDARD,
            remaining,
        )
    )


def read_seed(text: str | None) -> Reading[Position]:
    """Read a text exactly as the source document does.

    The reading has the position, or the document's error message as its only finding. None as `text` means
    the start position.
    """
    verdict, position = imitate_seed_parser(text)
    source = START if text is None else text
    if verdict is Verdict.OK:
        return Reading(source, "chess", position)
    field_number = verdict.field
    finding = Diagnostic(
        code=_NEAREST_CODES[field_number],
        message=verdict.message,
        severity=Severity.ERROR,
        stage="fields" if field_number else "text",
        span=_locate_field(source, field_number),
        field=field_number,
        seed_message=verdict.message,
        seed_kind=SEED_KINDS[field_number],
    )
    return Reading(source, "chess", None, (finding,))


def select_code_book(text: str) -> CodeBook:
    """Return the table of diagnostic codes for findings about a text.

    If the source document rejects the text, the table also has the document's error messages, for findings
    that quote them. A text of more than MAX_WRAPPED characters is not compared with the document, so its
    table has none.
    """
    is_rejected = len(text) <= MAX_WRAPPED and not _is_accepted_by_document(text)
    return TEXT_BOOK if is_rejected else BOOK


def find_part_number(text: str, offset: int) -> int:
    """Return the number of the field of a FEN, 1 to 6, that contains the character at `offset`.

    The source document separates fields at each space, and a space belongs to the field behind it. The number
    is 0, for the whole text, if there are neither six fields nor four, which the document completes.
    """
    field_count = text.count(" ") + 1
    if field_count not in (_MIN_FIELD_COUNT, _FIELD_COUNT):
        return 0
    return 1 + text.count(" ", 0, offset + 1)


def _locate_field(text: str, field_number: int) -> Span:
    """Return where a field of a FEN begins and ends in `text`, counted in characters.

    `field_number` is 1 for the board to 6 for the move number, or 0 for the whole text.
    """
    if field_number == 0:
        return Span(0, len(text))
    fields = text.split(" ")
    field_index = field_number - 1
    start = sum(len(field) + len(" ") for field in fields[:field_index])
    return Span(start, start + len(fields[field_index]))
