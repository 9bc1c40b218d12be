"""The six fields of a FEN, one reader each: what is wrong, where, and what it says if nothing is.

Each reader takes the findings of the reading and the place of its field in the cleaned text, adds findings
(with the codes of spec/chess 5.1) and gives the field's value. After an error the value is a stand-in, so
that the fields behind it are read too; no position is built from it. The module runs as it is and compiles
with Cython (`fields.pxd` gives the C types).
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.findings import BROKEN, CERTAIN, GUESS, LIKELY, Findings, Word, make_fix
from forsyth.games.chess.board import SQUARE_NUMBER, SQUARES
from forsyth.games.chess.notation.extensions import misplaced_mark, read_castling_960, split_pocket
from forsyth.games.chess.notation.kernel import decode
from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, LETTERS, STANDARD_RIGHTS, Position

if not cython.compiled:
    from forsyth.games.chess.board import i32

_RIGHTS: Final = dict(STANDARD_RIGHTS)
_ORDER: Final = "KQkq"
_CANONICAL: Final = {
    "".join(letters): sum(_RIGHTS[letter] for letter in letters)
    for size in range(1, 5)
    for letters in combinations(_ORDER, size)
} | {"-": 0}
"""What each canonical castling field says."""


class BoardField:
    """What the board field says: the men, the promoted set and a pocket."""

    if not cython.compiled:
        __slots__ = ("cells", "clean", "pocket", "promoted")

    def __init__(self, clean: Position | None = None) -> None:
        self.clean = clean
        """A position with the men, where the field is canonical."""
        self.cells = bytearray(64)
        """The letter on each square, where it is not."""
        self.promoted: int = 0
        self.pocket: Word | None = None

    def promote(self, square: int) -> None:
        """Mark the man on a square as promoted."""
        self.promoted |= 1 << square

    @property
    def planes(self) -> list[int]:
        """Twelve sets of squares, made only where someone wants them: from broken texts nobody does."""
        if self.clean is not None:
            return [squares for _, squares in self.clean.pieces()]
        planes = [0] * len(LETTERS)
        for square, letter in enumerate(self.cells):
            if letter:
                planes[LETTERS.index(chr(letter))] |= 1 << square
        return planes


# --- field 1 ----------------------------------------------------------------------------------------


def read_board(findings: Findings, field: Word, rules: int) -> BoardField:
    """The men on the board, rank 8 first."""
    start: cython.int = 0
    end: cython.int
    slash: cython.int
    number: cython.int
    clean = decode(field.text + " w - - 0 1") if rules != CRAZYHOUSE else None
    if clean is not None:
        return BoardField(clean)
    board = BoardField()
    text: str = field.text
    if rules == CRAZYHOUSE:
        text, board.pocket = split_pocket(findings, field)
    for number in range(8):
        slash = text.find("/", start)
        end = slash if slash >= 0 else len(text)
        _read_rank(findings, field, board, start, end, 7 - number)
        if slash < 0:
            if number < 7:
                findings.add(
                    "board.rank_count",
                    (field.start + end, field.start + end),
                    f"the board has {number + 1} rank{'s' if number else ''}, expected 8",
                    field=1,
                )
            return board
        start = slash + 1
    _extra_ranks(findings, field, text, start - 1)
    return board


def _extra_ranks(findings: Findings, field: Word, text: str, slash: int) -> None:
    rest = text[slash:]
    place = (field.start + slash, field.start + len(text))
    if rest == "/":
        findings.add(
            "board.rank_count",
            place,
            "a slash after rank 1, expected the end of the board",
            field=1,
            fix=make_fix(place, "", CERTAIN),
            repaired=True,
        )
        return
    ranks = 8 + rest.count("/")
    findings.add(
        "board.rank_count",
        place,
        f"the board has {ranks} ranks, expected 8",
        field=1,
        fix=make_fix(place, "", GUESS),
    )


def _read_rank(findings: Findings, field: Word, board: BoardField, start: i32, end: i32, rank: i32) -> None:
    """One rank: per character its class, the digit's value, adjacency, overflow; then what is missing."""
    file: cython.int = 0
    digits: cython.int = 0
    index: cython.int
    ch: cython.Py_UCS4
    text: str = field.text
    cells: bytearray = board.cells
    sure = True
    long = False
    for index in range(start, end):
        ch = text[index]
        if ch in "PNBRQKpnbrqk":
            if file < 8:
                cells[8 * rank + file] = ord(ch)
            file += 1
            digits = 0
        elif "1" <= ch <= "8":
            digits += 1
            if digits == 2:
                _adjacent_digits(findings, field, index, rank, file)
            file += ord(ch) - 48
        else:
            digits = 0
            mark = ch == "~" and board.pocket is not None
            if mark and index > start and text[index - 1] in "NBRQnbrq" and file <= 8:
                board.promote(8 * rank + file - 1)
                continue
            # What this character was meant to be cannot be told, so neither can the length of its rank.
            sure = False
            if mark:
                misplaced_mark(findings, field, index, rank)
            else:
                file += _bad_character(findings, field, index, rank, file, end - start == 1)
        if file > 8 and sure and not long:
            long = True
            _rank_long(findings, field, index, start, end, rank)
    if file < 8 and sure:
        _rank_short(findings, field, start, end, rank, file)


def _bad_character(findings: Findings, field: Word, index: int, rank: int, file: int, alone: bool) -> int:
    """A character that is neither a piece nor a count; how many squares it may stand for."""
    ch = field.text[index]
    if ch == BROKEN:
        return 1
    if ch not in "09":
        _bad_letter(findings, field, index, rank, file)
        return 1
    findings.add(
        "board.digit",
        field.char_place(index),
        f"rank {rank + 1}: {quoted(ch)} is not an empty count, expected 1 to 8",
        field=1,
        square=_square(file, rank),
        fix=make_fix(field.char_place(index), "8", GUESS) if alone else None,
    )
    return 0


def _square(file: int, rank: int) -> str | None:
    return SQUARES[8 * rank + file] if file < 8 else None


def _bad_letter(findings: Findings, field: Word, index: int, rank: int, file: int) -> None:
    ch = field.text[index]
    fix = None
    if ch in "\"'`" and index in (0, len(field.text) - 1):
        fix = make_fix(field.char_place(index), "", LIKELY)
    elif ch.lower() in "sd":
        # German and other piece letters are the most common slip; knights and queens are the usual ones.
        fix = make_fix(field.char_place(index), {"s": "n", "d": "q", "S": "N", "D": "Q"}[ch], GUESS)
    findings.add(
        "board.char",
        field.char_place(index),
        f"rank {rank + 1}: {quoted(ch)} is not a piece, expected one of {LETTERS}, 1 to 8 or /",
        field=1,
        square=_square(file, rank),
        fix=fix,
    )


def _adjacent_digits(findings: Findings, field: Word, index: int, rank: int, file: int) -> None:
    """Counts in a row, such as 44: they mean one count, which is what canonical text writes."""
    first = index - 1
    last = index + 1
    while last < len(field.text) and "1" <= field.text[last] <= "8":
        last += 1
    total = sum(int(ch) for ch in field.text[first:last])
    findings.add(
        "board.adjacent_digits",
        field.char_place(index),
        f"rank {rank + 1}: two empty counts in a row, expected their sum as one digit",
        field=1,
        square=_square(file, rank),
        fix=make_fix((field.start + first, field.start + last), str(total), CERTAIN) if total <= 8 else None,
        repaired=True,
    )


def _rank_long(findings: Findings, field: Word, index: int, start: int, end: int, rank: int) -> None:
    squares = _squares_in(field.text[start:end])
    fix = None
    digits = [i for i in range(start, end) if "1" <= field.text[i] <= "8"]
    excess = squares - 8
    if len(digits) == 1:
        count = int(field.text[digits[0]]) - excess
        if count >= 0:
            fix = make_fix(field.char_place(digits[0]), str(count) if count else "", GUESS)
    findings.add(
        "board.rank_long",
        (field.start + index, field.start + end),
        f"rank {rank + 1} has {squares} squares, expected 8",
        field=1,
        fix=fix,
    )


def _rank_short(findings: Findings, field: Word, start: int, end: int, rank: int, squares: int) -> None:
    fix = None
    digits = [i for i in range(start, end) if "1" <= field.text[i] <= "8"]
    missing = 8 - squares
    if len(digits) == 1:
        fix = make_fix(field.char_place(digits[0]), str(int(field.text[digits[0]]) + missing), GUESS)
    elif not digits:
        fix = make_fix((field.start + end, field.start + end), str(missing), GUESS)
    findings.add(
        "board.rank_short",
        (field.start + start, field.start + end),
        f"rank {rank + 1} has {squares} squares, expected 8",
        field=1,
        square=_square(squares, rank),
        fix=fix,
    )


def _squares_in(rank: str) -> int:
    return sum(int(ch) if "0" <= ch <= "9" else ch != "~" for ch in rank)


# --- field 2 ----------------------------------------------------------------------------------------

_SIDES: Final = {"w": 0, "b": 1, "white": 0, "black": 1}


def read_side(findings: Findings, field: Word) -> int:
    """0 for White, 1 for Black."""
    text = field.text
    if text in ("w", "b"):
        return _SIDES[text]
    if BROKEN in text:
        return 0
    meant = _SIDES.get(text.lower())
    fix = None if meant is None else make_fix(field.place, "wb"[meant], CERTAIN)
    findings.add(
        "side.value",
        field.place,
        f"side to move: {quoted(text)} is not a side, expected w or b",
        field=2,
        fix=fix,
        repaired=meant is not None,
    )
    return meant or 0


# --- field 3 ----------------------------------------------------------------------------------------


def read_castling(findings: Findings, field: Word, rules: int, board: BoardField) -> int:
    """The squares of the rooks that may still castle."""
    text = field.text
    if rules == CHESS960:
        return 0 if text == "-" else read_castling_960(findings, field, board.planes)
    known: int | None = _CANONICAL.get(text)
    if known is not None:
        return known
    letters = []
    for index, ch in enumerate(text):
        if ch in "KQkq-":
            letters.append(ch)
        elif ch != BROKEN:
            letters += _odd_castling_letter(findings, field, index)
    if len(text) > 4:
        wanted = "".join(letter for letter in _ORDER if letter in letters) or "-"
        findings.add(
            "castling.length",
            field.place,
            f"castling: {len(text)} characters, expected at most 4",
            field=3,
            fix=make_fix(field.place, wanted, LIKELY),
            repaired=True,
        )
    elif len(letters) == len(text):
        _castling_style(findings, field, letters)
    return sum(right for letter, right in _RIGHTS.items() if letter in letters)


def _odd_castling_letter(findings: Findings, field: Word, index: int) -> list[str]:
    ch = field.text[index]
    meant = {"A": "Q", "H": "K", "a": "q", "h": "k"}.get(ch)
    hint = "; files of rooks are read in variant chess960" if ch in "ABCDEFGHabcdefgh" else ""
    findings.add(
        "castling.char",
        field.char_place(index),
        f"castling: {quoted(ch)} is not a castling letter, expected K, Q, k, q or -{hint}",
        field=3,
        fix=None if meant is None else make_fix(field.char_place(index), meant, LIKELY),
        repaired=meant is not None,
    )
    return [] if meant is None else [meant]


def _castling_style(findings: Findings, field: Word, letters: list[str]) -> None:
    """Four letters or fewer, all of them known: dashes among them, repeats, order."""
    kept = [letter for letter in letters if letter != "-"]
    once = list(dict.fromkeys(kept))
    wanted = "".join(letter for letter in _ORDER if letter in once) or "-"
    fix = make_fix(field.place, wanted, CERTAIN)
    problems = (
        (
            len(kept) < len(letters),
            "castling.dash_mixed",
            "castling: a dash among the letters, expected letters only",
        ),
        (
            len(once) < len(kept),
            "castling.duplicate",
            "castling: a letter occurs twice, expected each at most once",
        ),
        (wanted != ("".join(once) or "-"), "castling.order", "castling letters out of order, expected KQkq"),
    )
    for wrong, code, message in problems:
        if wrong:
            findings.add(code, field.place, message, field=3, fix=fix, repaired=True)


# --- field 4 ----------------------------------------------------------------------------------------


def read_ep(findings: Findings, field: Word) -> int:
    """The number of the en-passant square, or −1."""
    text = field.text
    if text == "-" or BROKEN in text:
        return -1
    square = SQUARE_NUMBER.get(text.lower())
    possible = square is not None and square >> 3 in (2, 5)
    if text not in SQUARE_NUMBER:
        findings.add(
            "ep.value",
            field.place,
            f"en passant: {quoted(text)} is not a square, expected - or a square such as e3",
            field=4,
            fix=make_fix(field.place, text.lower(), CERTAIN) if possible else None,
            repaired=square is not None,
        )
    if square is None or possible:
        return -1 if square is None else square
    if text in SQUARE_NUMBER or findings.lenient:
        findings.add(
            "ep.rank",
            field.place,
            f"en passant: {text.lower()} is not on rank 3 or 6",
            field=4,
            square=text.lower(),
            fix=make_fix(field.place, "-", LIKELY),
            repaired=True,
        )
    return -1


# --- fields 5 and 6 ---------------------------------------------------------------------------------


def read_number(findings: Findings, field: Word, number: int) -> int:
    """The half-move clock (field 5) or the move number (field 6)."""
    text = field.text
    if len(text) <= 4 and text.isdigit() and text[0] != "0":
        return int(text)
    name, what, least = ("half", "half-move clock", 0) if number == 5 else ("full", "move number", 1)
    if text == "0" and least == 0:
        return 0
    if BROKEN in text:
        return least
    if not text.isdigit():
        meant = _meant_number(text, least)
        bare = meant or _without_noise(text)
        findings.add(
            f"{name}.value",
            field.place,
            f"{what}: {quoted(text)} is not a number, expected digits",
            field=number,
            fix=None if bare is None else make_fix(field.place, bare, LIKELY),
            repaired=meant is not None,
        )
        if meant is None:
            return least
        text = meant
    digits = text.lstrip("0") or "0"
    if len(text) > 4:
        findings.add(
            f"{name}.range",
            field.place,
            f"{what}: {len(text)} digits, expected at most 4",
            field=number,
            fix=make_fix(field.place, digits, LIKELY) if len(digits) <= 4 else None,
            repaired=len(digits) <= 4,
        )
    elif digits != text:
        fix = make_fix(field.place, digits, CERTAIN)
        message = f"{what}: leading zeros in {quoted(text)}, expected {digits}"
        findings.add(f"{name}.format", field.place, message, field=number, fix=fix, repaired=True)
    value = int(digits) if len(digits) <= 4 else least
    if value >= least:
        return value
    findings.add(
        "full.zero",
        field.place,
        "move number: 0, expected 1 or more; it is read as 1",
        field=6,
        fix=make_fix(field.place, "1", CERTAIN),
        repaired=True,
    )
    return 1


def _meant_number(text: str, least: int) -> str | None:
    if text == "-":
        return str(least)
    rest = text[1:]
    return rest if text[0] == "+" and rest.isdigit() else None


def _without_noise(text: str) -> str | None:
    """The digits of a last field that quotes or a semicolon were pasted with."""
    digits = text.rstrip("\"'`;,.])}")
    return digits if digits.isdigit() and len(digits) < len(text) else None
