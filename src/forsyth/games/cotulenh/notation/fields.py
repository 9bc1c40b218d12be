"""The six fields of a CoTuLenh FEN, one reader each: value and findings (spec/cotulenh 13).

Accepted spellings are listed in `fen`. After an error a value is a stand-in, so that the fields behind it are
read too. The board is read rank by rank, whatever is wrong with the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from forsyth.arguments import quoted
from forsyth.dashes import DASHES
from forsyth.diagnostics import Confidence
from forsyth.findings import CERTAIN, GUESS, LIKELY, Findings, Place, Word, make_fix
from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.notation.words import WORD
from forsyth.games.cotulenh.position import MAX_CLOCK
from forsyth.games.cotulenh.stacks import LETTERS, combine_units, read_unit, write_unit

_TOKEN: Final = re.compile(r"[0-9]+|.", re.DOTALL)
_NUMBER: Final = re.compile(r"1[0-9]|[0-9]")
CLOCK: Final = re.compile(r"[0-9]+")
_MARKED_PIECE: Final = re.compile(r"\+?[A-Za-z]")
_PIECES: Final = LETTERS + LETTERS.lower()
IN_STACK: Final = frozenset(_PIECES + "+|Bb")
_SILENT: Final = re.compile(rf"(?:(?:1[01]|[1-9])?\+?[{_PIECES}])*(?:1[01]|[1-9])?")
_SILENT_PART: Final = re.compile(r"[0-9]+|\+?[A-Za-z]")
_RANKS: Final = range(12, 0, -1)
_DASHES: Final = frozenset(("-", *map(chr, DASHES)))


# --- fields 2 to 6 ----------------------------------------------------------------------------------

_TURNS: Final = {"r": "r", "red": "r", "b": "b", "blue": "b"}


def read_turn(findings: Findings, word: Word) -> int:
    """0 for Red, 1 for Blue."""
    if word.text not in ("r", "b"):
        meant = _TURNS.get(word.text.lower())
        mend = None if meant is None else make_fix(word.place, meant, CERTAIN)
        message = f"side to move: {quoted(word.text)} is not a side, expected r or b"
        findings.add("turn.value", word.place, message, field=2, fix=mend)
    return 1 if word.text == "b" else 0


def read_dash(findings: Findings, word: Word, number: int) -> None:
    """Castling (field 3) or en passant (field 4), of which CoTuLenh has neither."""
    if word.text == "-":
        return
    code, name = ("castling.value", "castling") if number == 3 else ("ep.value", "en passant")
    sure = CERTAIN if set(word.text) <= _DASHES else LIKELY
    message = f"{name}: {quoted(word.text)}, expected -"
    findings.add(code, word.place, message, field=number, fix=make_fix(word.place, "-", sure), repaired=True)


def read_clock(findings: Findings, word: Word, number: int) -> int:
    """The half-move clock (field 5) or the move number (field 6)."""
    name, what, least = ("half", "half-move clock", 0) if number == 5 else ("full", "move number", 1)
    if not CLOCK.fullmatch(word.text):
        message = f"{what}: {quoted(word.text)} is not a number, expected digits"
        findings.add(f"{name}.value", word.place, message, field=number)
        return least
    digits = word.text.lstrip("0") or "0"
    value = int(digits)
    if value > MAX_CLOCK:
        message = f"{what}: {len(digits)} digits, expected at most {MAX_CLOCK}"
        findings.add(f"{name}.range", word.place, message, field=number)
        return least
    if value < least:
        message = f"{what}: {word.text}, expected 1 or more"
        findings.add(
            "full.zero", word.place, message, field=6, fix=make_fix(word.place, "1", LIKELY), repaired=True
        )
        return least
    if digits != word.text:
        message = f"{what}: leading zeros in {quoted(word.text)}, expected {digits}"
        mend = make_fix(word.place, digits, CERTAIN)
        findings.add(f"{name}.format", word.place, message, field=number, fix=mend, repaired=True)
    return value


# --- field 1 ----------------------------------------------------------------------------------------


class _Unit(NamedTuple):
    """A unit as it is written: its square, its letters with marks, its place, whether in parentheses."""

    square: int
    letters: str
    place: Place
    in_stack: bool


class BoardField(NamedTuple):
    """A board as far as it could be read."""

    units: tuple[int, ...]
    """Of all squares, a1 first; nothing where a stack cannot be."""
    readable: bool
    """Whether every square is known, but for stacks that cannot be."""
    broken_commanders: frozenset[str]
    """``Red`` or ``Blue``, whose commander is in such a stack."""


def read_board(findings: Findings, word: Word) -> BoardField:
    """The board, with findings about each rank that there is."""
    units = [0] * len(SQUARES)
    ranks = word.text.split("/")
    readable = len(ranks) == len(_RANKS)
    if not readable:
        _rank_count(findings, word, len(ranks))
    found: list[_Unit] = []
    start = 0
    for number, text in zip(_RANKS, ranks, strict=False):
        silent = _silent_rank(text)
        if silent is not None:
            units[11 * number - 11 : 11 * number] = silent
            start += len(text) + 1
            continue
        rank = _Rank(findings, word.slice(start, start + len(text)), number)
        found += rank.read()
        readable = readable and not rank.broken
        start += len(text) + 1
    lost = ""
    for unit in found:
        units[unit.square] = _unit_of(findings, unit)
        lost += "" if units[unit.square] else unit.letters
    sides = {side for letter, side in (("C", "Red"), ("c", "Blue")) if letter in lost}
    return BoardField(tuple(units), readable, frozenset(sides))


@lru_cache(1 << 12)
def _silent_rank(text: str) -> tuple[int, ...] | None:
    """The units of a rank of single pieces about which there is nothing to say; None for any other."""
    if not _SILENT.fullmatch(text):
        return None
    units: list[int] = []
    for part in _SILENT_PART.findall(text):
        units += [0] * int(part) if part[0] <= "9" and part[0] != "+" else [read_unit(part, part.islower())]
    return tuple(units) if len(units) == 11 else None


def _rank_count(findings: Findings, word: Word, count: int) -> None:
    start, end = word.place
    mend = None
    if count == 13 and word.text.endswith("/"):
        mend = make_fix((end - 1, end), "", LIKELY)
    if count > 12:
        start += [index for index, ch in enumerate(word.text) if ch == "/"][11]
    seed = f"Invalid FEN: expected 12 ranks, got {count}"
    message = f"the board has {count - 1} slash{'' if count == 2 else 'es'}, expected 11"
    findings.add("board.rank_count", (start, end), f"{seed}: {message}", field=1, fix=mend, seed=seed)


@dataclass(slots=True)
class _Rank:
    """One rank while it is read. Squares are counted as spec/cotulenh 13 says: a number adds its value, a
    piece outside parentheses and every stack one. A parenthesis without its partner leaves open which pieces
    are one stack.
    """

    findings: Findings
    word: Word
    number: int
    squares: int = 0
    depth: int = 0
    opened: int = 0
    plus: int = -1
    """Where a ``+`` stands that waits for its piece, or −1."""
    stack: str = ""
    number_in_stack: Place | None = None
    broken: bool = False
    odd: int = 0
    """How many characters are no piece: each may stand for one."""
    adjacent: int = 0
    """Number of pieces directly before the current character, outside parentheses."""
    excess: int = 0
    """By how many squares the rank is shorter if the pieces before each ``)`` without ``(`` are one stack."""
    units: list[_Unit] = field(default_factory=list)

    def read(self) -> list[_Unit]:
        """The units of the rank; none if it cannot be read."""
        for token in _TOKEN.finditer(self.word.text):
            self._token(token.group(), self.word.start + token.start())
        if self.depth:
            self._note("paren.open", (self.opened, self.opened + 1), "'(' is not closed, expected ')'")
            self.odd += sum(letter != "+" for letter in self.stack)
        if self.plus >= 0:
            self._lone_plus()
        if not self.squares - self.excess <= 11 <= self.squares + self.odd:
            self._wrong_length()
        return [] if self.broken else self.units

    def _token(self, text: str, at: int) -> None:
        if text in _PIECES or (text in "Bb" and self.findings.lenient):
            self._piece(text, at)
        elif "0" <= text[0] <= "9":
            self._numbers(text, at)
        elif text == "+":
            self._mark(at)
        elif text == "(":
            self._open(at)
        elif text == ")":
            self._close(at)
        else:
            self._odd(text, at)

    def _note(
        self,
        code: str,
        place: Place,
        message: str,
        mend: tuple[Place, str, Confidence] | None = None,
        seed: str = "",
    ) -> None:
        square = self.squares if self.squares < 11 and not self.broken else None
        made = self.findings.add(
            code,
            place,
            f"{seed or f'rank {self.number}'}: {message}",
            field=1,
            square=None if square is None else SQUARES[11 * (self.number - 1) + square],
            fix=None if mend is None else make_fix(*mend),
            seed=seed,
        )
        self.broken = self.broken or made

    def _piece(self, letter: str, at: int) -> None:
        if letter in "Bb":
            meant = "G" if letter == "B" else "g"
            place = (at, at + 1)
            self._note(
                "alias.b", place, f"{quoted(letter)} is read as anti-air, {meant}", (place, meant, LIKELY)
            )
            letter = meant
        start, mark = (self.plus, "+") if self.plus >= 0 else (at, "")
        self.plus = -1
        if self.depth:
            self.stack += mark + letter
            return
        if self.squares < 11:
            square = 11 * (self.number - 1) + self.squares
            self.units.append(_Unit(square, mark + letter, (start, at + 1), False))
        self.squares += 1
        self.adjacent += 1

    def _numbers(self, text: str, at: int) -> None:
        """A run of digits: ``1`` and another digit are one number, any other digit stands alone."""
        self._lone_plus()
        self.adjacent = 0
        place = (at, at + len(text))
        if self.depth:
            self.number_in_stack = place
            self.broken = True
        total = 0
        numbers = list(_NUMBER.finditer(text))
        sound = True
        for number in numbers:
            value = int(number.group())
            total += value
            if not 1 <= value <= 11:
                sound = False
                shown = (at + number.start(), at + number.end())
                self._note("board.count", shown, f"{value} is not an empty count, expected 1 to 11")
        if sound and len(numbers) > 1 and not self.depth:
            message = (
                f"{len(numbers)} empty counts in a row in {quoted(text)}, expected their sum as one number"
            )
            mend = (place, str(total), CERTAIN) if total <= 11 else None
            self._note("board.adjacent_digits", place, message, mend)
        self.squares += total

    def _mark(self, at: int) -> None:
        if self.plus >= 0:
            self._note(
                "plus.double", (self.plus, at + 1), "'++', expected one '+'", ((at, at + 1), "", LIKELY)
            )
        self.plus = at

    def _lone_plus(self, mend: tuple[Place, str, Confidence] | None = None) -> None:
        if self.plus < 0:
            return
        place = (self.plus, self.plus + 1)
        self.plus = -1
        seed = f"Invalid FEN: + without matching piece in rank {self.number}"
        self._note("plus.alone", place, "expected '+' directly before a piece letter", mend, seed)

    def _open(self, at: int) -> None:
        if self.plus >= 0:
            mend = ((self.plus, at + 1), "(+", LIKELY)
            if self.findings.lenient and self.depth == 0:
                self._note("plus.before_stack", mend[0], "'+(' is read as '(+'", mend)
            else:
                self._lone_plus(mend)
        self.depth += 1
        if self.depth > 1:
            self._note("paren.nested", (at, at + 1), "'(' inside parentheses, expected pieces")
            return
        self.opened = at
        self.stack = ""
        self.number_in_stack = None

    def _close(self, at: int) -> None:
        self._lone_plus()
        if not self.depth:
            seed = f"Invalid FEN: ) without matching ( in rank {self.number}"
            place = (at, at + 1)
            self._note("paren.close", place, "expected '(' before it", (place, "", GUESS), seed)
            # The pieces before it may be one stack, and it may be a mistyped piece.
            self.excess += max(0, self.adjacent - 1)
            self.odd += 1
            self.adjacent = 0
            return
        if self.depth == 1:
            self._end_stack((self.opened, at + 1))
            self.adjacent = 0
        self.depth -= 1
        self.squares += 1

    def _end_stack(self, place: Place) -> None:
        if self.number_in_stack is not None:
            message = "a number inside parentheses, expected pieces"
            self._note("stack.digit", self.number_in_stack, message)
        elif not self.stack:
            self._note("stack.empty", place, "parentheses without a piece, expected at least one")
        elif self.squares < 11:
            self.units.append(_Unit(11 * (self.number - 1) + self.squares, self.stack, place, True))

    def _odd(self, text: str, at: int) -> None:
        place = (at, at + 1)
        if text == "|" and self.depth and self.findings.lenient:
            message = "'|' between the pieces of a stack, expected no separator"
            self._note("pipe.in_stack", place, message, (place, "", LIKELY))
            return
        if self.depth and not WORD.fullmatch(text):
            shown = self.word.slice(self.opened - self.word.start, len(self.word.text)).text.partition(")")[0]
            tidy = "".join(shown.split())
            message = f"a blank in the stack {shown}), expected {tidy})"
            broken = self.broken
            self._note("stack.blank", place, message, (place, "", LIKELY))
            # What stands on the squares is plain all the same.
            self.broken = broken
            return
        self.plus = -1
        self.odd += not self.depth
        meant = {"B": "G", "b": "g", "|": ""}.get(text)
        message = f"{quoted(text)} is not a piece, expected one of {LETTERS} in capital or small letters"
        self._note("piece.letter", place, message, None if meant is None else (place, meant, LIKELY))

    def _wrong_length(self) -> None:
        place = self.word.place
        counted = f"{self.squares} square{'' if self.squares == 1 else 's'}, expected 11"
        if self.squares > 11:
            seed = f"Invalid FEN: rank {self.number} has too many squares"
            self._note("board.rank_long", place, counted, seed=seed)
        elif (self.findings.lenient or self.findings.tolerates_repairs) and not self.broken:
            self._note("short.rank", place, f"{counted}; the rest on the k side is empty", self._padding())
        else:
            self._note("board.rank_short", place, counted, None if self.broken else self._padding())

    def _padding(self) -> tuple[Place, str, Confidence]:
        """The empty squares that are missing, on the k side."""
        run = re.search(r"[0-9]*\Z", self.word.text)
        digits = "" if run is None else run.group()
        end = self.word.place[1]
        last = sum(int(number.group()) for number in _NUMBER.finditer(digits))
        return (end - len(digits), end), str(last + 11 - self.squares), LIKELY


def _unit_of(findings: Findings, unit: _Unit) -> int:
    """The number of a unit, with findings about its stack."""
    letters = unit.letters.replace("+", "")
    blue = letters[0].islower()
    number = read_unit(unit.letters, blue)
    if not unit.in_stack:
        return number
    square = SQUARES[unit.square]
    shown = findings.text[slice(*unit.place)]
    fault = _stack_fault(letters, number)
    if fault is not None:
        code, message = fault
        kept = _kept_of(unit.letters) if findings.tolerates_repairs else 0
        rest = f"; {write_unit(kept, fen=True)} is kept" if kept else ""
        message = f"{square}: {shown} {message}{rest}"
        findings.add(code, unit.place, message, field=1, square=square, repaired=True)
        return kept
    canonical = write_unit(number, fen=True)
    mend = make_fix(unit.place, canonical, CERTAIN)
    if len(letters) == 1:
        message = f"{square}: {shown} is one piece, expected {canonical}"
        findings.add("stack.single", unit.place, message, field=1, square=square, fix=mend)
    elif canonical != f"({unit.letters})":
        message = f"{square}: {shown} is not in canonical order, expected {canonical}"
        findings.add("stack.order", unit.place, message, field=1, square=square, fix=mend)
    return number


def _stack_fault(letters: str, number: int) -> tuple[str, str] | None:
    """Why letters in parentheses are no stack: code and sentence."""
    if letters not in (letters.upper(), letters.lower()):
        return "stack.colours", "has pieces of both colours, expected one colour"
    if len(set(letters)) < len(letters):
        return "stack.duplicate", "has a type twice, expected each once"
    if not number:
        return "stack.members", "is not a valid stack, expected a carrier and one or two pieces it can carry"
    return None


def _kept_of(letters: str) -> int:
    """What the first piece makes with those behind it, each taken where it fits."""
    kept = 0
    for piece in _MARKED_PIECE.findall(letters):
        single = read_unit(piece, piece.islower())
        kept = combine_units(kept, single) or kept if kept else single
    return kept
