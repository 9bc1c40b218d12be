"""Reading the field of the board with everything that is wrong with it, and where its men stand in a text.

A rank with a character that is not known says nothing about its length.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from forsyth.findings import CERTAIN, GUESS, LIKELY, Findings, Place, Word, make_fix
from forsyth.kit.sheet import Sheet

_PART: Final = re.compile(r"[0-9]+|\+[^+0-9]|.", re.DOTALL)
_COUNT: Final = re.compile("[0-9]+")
_MOST_DIGITS: Final = 4
"""Digits of a count that are looked at: no board is so wide."""


def read_board(sheet: Sheet, findings: Findings, word: Word) -> bytes:
    """The men on all squares; after an error as many as could be read."""
    ranks = word.split("/")
    wanted = len(sheet.ranks)
    if len(ranks) == wanted + 1 and not ranks[-1].text:
        place = word.char_place(len(word.text) - 1)
        message = "a slash after the last rank, expected the end of the board"
        fix = make_fix(place, "", CERTAIN)
        findings.add("board.rank_count", place, message, field=1, fix=fix, repaired=True)
        ranks.pop()
    elif len(ranks) != wanted:
        place = (word.place[1] if len(ranks) < wanted else ranks[wanted].start, word.place[1])
        message = f"the board has {len(ranks)} rank{'s' * (len(ranks) > 1)}, expected {wanted}"
        findings.add("board.rank_count", place, message, field=1)
    rows = [_Rank(sheet, findings, row).read(rank) for row, rank in enumerate(ranks[:wanted])]
    return b"".join(rows)


class _Rank(NamedTuple):
    """Reads one rank."""

    sheet: Sheet
    findings: Findings
    row: int

    def read(self, word: Word) -> bytes:
        """The men of the rank, 0 for empty squares."""
        men: list[int] = []
        known = True
        for found in _PART.finditer(word.text):
            part = word.slice(*found.span())
            if part.text[0] == "+" and part.text not in self.sheet.piece_number and self._promotes:
                self._odd_plus(part.slice(0, 1), len(men))
                known = known and self.findings.lenient
                part = part.slice(1, 2)
            if not part.text:
                continue
            if _COUNT.fullmatch(part.text):
                men += [0] * self._count(part, len(men))
                continue
            man = self.sheet.piece_number.get(part.text)
            if man is None:
                man, meant = self._odd_character(part, len(men))
                known = known and meant
            men.append(man)
        if known and len(men) != len(self.sheet.files):
            self._wrong_length(word, len(men))
        return bytes(men)

    @property
    def _promotes(self) -> bool:
        return bool(self.sheet.promotion)

    @property
    def _name(self) -> str:
        return self.sheet.ranks[self.row]

    def _square(self, column: int) -> str | None:
        width = len(self.sheet.files)
        return self.sheet.squares[self.row * width + column] if column < width else None

    def _odd_plus(self, plus: Word, column: int) -> None:
        expected = "".join(letter[1] for letter in self.sheet.letters if len(letter) > 1)
        self.findings.add(
            "board.promotion",
            plus.place,
            f"rank {self._name}: '+' promotes nothing here, expected one of {expected} after it",
            field=1,
            square=self._square(column),
            fix=make_fix(plus.place, "", LIKELY),
            repaired=True,
        )

    def _odd_character(self, part: Word, column: int) -> tuple[int, bool]:
        """The man that a character is taken for, and whether it is known which."""
        meant = self.sheet.letter_aliases.get(part.text)
        expected = f"expected one of {self.sheet.unpromoted_letters}"
        self.findings.add(
            "board.char",
            part.place,
            f"rank {self._name}: {part.text!r} is not a piece, {expected}",
            field=1,
            square=self._square(column),
            fix=None if meant is None else make_fix(part.place, meant, LIKELY),
            repaired=meant is not None,
        )
        return (0, False) if meant is None else (self.sheet.piece_number[meant], True)

    def _count(self, part: Word, column: int) -> int:
        """An empty count; digits in a row are added up where together they are none."""
        text, width = part.text, len(self.sheet.files)
        total = _squares_of(text, width)
        if total and str(total) == text:
            return total
        zero = "0" in text
        fix = make_fix(part.place, str(total), LIKELY if zero else CERTAIN) if 0 < total <= width else None
        code = "board.digit" if zero else "board.adjacent_digits"
        message = f"rank {self._name}: {text[:width]!r} is not an empty count, expected one of 1 to {width}"
        square = self._square(column)
        self.findings.add(
            code, part.place, message, field=1, square=square, fix=fix, repaired=fix is not None
        )
        return total

    def _wrong_length(self, word: Word, count: int) -> None:
        """A rank too short or too long: where one empty count is to blame, it is corrected."""
        width = len(self.sheet.files)
        runs = list(_COUNT.finditer(word.text))
        fix = None
        if len(runs) == 1:
            wanted = int(runs[0].group()[:_MOST_DIGITS]) + width - count
            if 0 <= wanted <= width:
                place = word.slice(*runs[0].span()).place
                fix = make_fix(place, str(wanted) if wanted else "", GUESS)
        elif not runs and count < width:
            fix = make_fix((word.place[1], word.place[1]), str(width - count), GUESS)
        code = "board.rank_short" if count < width else "board.rank_long"
        squares = f"{count} square{'s' * (count != 1)}"
        message = f"rank {self._name} has {squares}, expected {width}"
        self.findings.add(code, word.place, message, field=1, fix=fix)


def _squares_of(text: str, width: int) -> int:
    """How many squares a row of digits stands for: one count where a rank is so wide, else their sum."""
    one = text[0] != "0" and len(text) <= len(str(width)) and int(text) <= width
    return int(text) if one else sum(map(int, text))


def places_of(sheet: Sheet, word: Word) -> dict[int, Place]:
    """Where the man of each square stands in a text that was read."""
    found: dict[int, Place] = {}
    for row, rank in enumerate(word.split("/")[: len(sheet.ranks)]):
        column = 0
        for part in _PART.finditer(rank.text):
            text = part.group()
            if _COUNT.fullmatch(text):
                column += _squares_of(text, len(sheet.files))
            elif text != "+":
                found[row * len(sheet.files) + column] = rank.slice(*part.span()).place
                column += 1
    return found
