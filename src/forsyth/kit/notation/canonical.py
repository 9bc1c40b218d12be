"""The canonical text of a position on a grid: decoding it at once, and writing it.

`Notation.decode` fills a position from a canonical text and answers None for every other; `fen` explains
what it refused. Stability: canonical text is promised for ever.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forsyth.kit.sheet import MAX_CLOCK, MAX_HELD, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

_FIRST_PRIVATE: Final = 0x80
"""Promoted men have two characters; inside they are one of those that no text of a board has."""
_HANDS: Final = re.compile("(?:[0-9]{0,3}[A-Za-z])+")
_HELD: Final = re.compile("([0-9]*)([A-Za-z])")


class Notation:
    """The canonical texts of one game."""

    def __init__(self, game: GridGame) -> None:
        self._game = game
        sheet = self._sheet = game.sheet
        letters = [
            letter if len(letter) < 2 else chr(_FIRST_PRIVATE + number)
            for number, letter in enumerate(sheet.letters)
        ]
        self._promoted = [
            (letter, letters[number]) for number, letter in enumerate(sheet.letters) if len(letter) > 1
        ]
        codes = bytearray(256)
        for number, letter in enumerate(letters[1:], 1):
            codes[ord(letter)] = number
        self._codes = bytes(codes)
        self._shown = bytes(ord(letter or ".") for letter in letters).ljust(256, b".")
        held = [side * len(sheet.kinds) + kind for side in SIDES for kind in sheet.held]
        self._held = [(at, sheet.letters[1 + at]) for at in held]
        self._counts = {str(count): "." * count for count in range(1, len(sheet.files) + 1)}
        self._text = re.compile(_pattern(sheet))

    @property
    def longest(self) -> int:
        """Characters that no canonical text has more of."""
        sheet = self._sheet
        board = sheet.grid.size * max(map(len, sheet.letters)) + len(sheet.ranks)
        hands = 2 * len(sheet.held) * (len(str(MAX_HELD)) + 1)
        return board + hands + len(sheet.fields) * (len(str(MAX_CLOCK)) + 1)

    def decode(self, text: str) -> GridPosition | None:
        """The position of a canonical text, None for any other."""
        found = self._text.fullmatch(text)
        if found is None:
            return None
        board = self._read_board(found["board"])
        if board is None:
            return None
        fields = found.groupdict("0")
        hands = self._read_hands(fields["hands"]) if "hands" in fields else b""
        if hands is None:
            return None
        turn = int(fields["side"] == self._sheet.sides[1].letter)
        return self._game.position(board, hands, turn, int(fields.get("half", 0)), int(fields["full"]))

    def _read_board(self, text: str) -> bytes | None:
        if "+" in text:
            for letters, one in self._promoted:
                text = text.replace(letters, one)
        width = len(self._sheet.files)
        if width < 10:
            for count, dots in self._counts.items():
                text = text.replace(count, dots)
        else:
            text = re.sub("[0-9]+", lambda run: "." * int(run[0]), text)
        ranks = text.split("/")
        if any(len(rank) != width for rank in ranks):
            return None
        return "".join(ranks).encode("latin-1").translate(self._codes)

    def _read_hands(self, text: str) -> bytes | None:
        counts = bytearray(2 * len(self._sheet.kinds))
        if text == "-":
            return bytes(counts)
        for count, letter in _HELD.findall(text):
            counts[self._sheet.man_number[letter] - 1] = int(count or 1)
        return bytes(counts) if self.write_hands(bytes(counts)) == text else None

    def sorted_hands(self, text: str) -> str:
        """Men in hand in any order and number as they are written canonically; any other text as it is."""
        if not _HANDS.fullmatch(text):
            return text
        counts = [0] * (2 * len(self._sheet.kinds))
        for count, letter in _HELD.findall(text):
            number = self._sheet.man_number.get(letter, 0)
            value = int(count) if count else 1
            if not number or (number - 1) % len(self._sheet.kinds) not in self._sheet.held or not value:
                return text
            counts[number - 1] += value
        return self.write_hands(bytes(counts)) if max(counts) <= MAX_HELD else text

    def write(self, position: GridPosition) -> str:
        """The canonical text of a position."""
        return " ".join(self._write_fields(position, clocks=True))

    def write_identity(self, position: GridPosition) -> str:
        """The canonical text without clocks."""
        return " ".join(self._write_fields(position, clocks=False))

    def _write_fields(self, position: GridPosition, *, clocks: bool) -> list[str]:
        words = []
        for name in self._sheet.fields:
            if name == "board":
                words.append(self.write_board(position.board))
            elif name == "side":
                words.append(position.side)
            elif name == "hands":
                words.append(self.write_hands(position.hands))
            elif name == "unused":
                words.append("-")
            elif clocks:
                words.append(str(position.half if name == "half" else position.full))
        return words

    def write_board(self, board: bytes) -> str:
        """The field of the board."""
        width = len(self._sheet.files)
        men = board.translate(self._shown).decode("latin-1")
        text = "/".join(men[at : at + width] for at in range(0, len(men), width))
        for count in range(width, 0, -1):
            text = text.replace("." * count, str(count))
        for letters, one in self._promoted:
            text = text.replace(one, letters)
        return text

    def write_hands(self, hands: bytes) -> str:
        """The field of the men in hand."""
        held = [(hands[at], letter) for at, letter in self._held if hands[at]]
        return "".join([f"{count}{letter}" if count > 1 else letter for count, letter in held]) or "-"


def _pattern(sheet: Sheet) -> str:
    """A regular expression for a text whose ranks may be of any length; no canonical text is left out."""
    promoted = "".join(letter[1] for letter in sheet.letters if len(letter) > 1)
    man = (rf"\+[{promoted}]|" if promoted else "") + f"[{sheet.plain_letters}]"
    counts = "|".join(str(count) for count in range(len(sheet.files), 0, -1))
    rank = f"(?:{man}|(?:{counts})(?![0-9]))+"
    held = "".join(sheet.letters[1 + kind] for kind in sheet.held)
    parts = {
        "board": f"(?P<board>{rank}(?:/{rank}){{{len(sheet.ranks) - 1}}})",
        "side": f"(?P<side>[{sheet.sides[0].letter}{sheet.sides[1].letter}])",
        "hands": f"(?P<hands>-|(?:(?:[2-9]|[12][0-9]|3[0-{MAX_HELD % 10}])?[{held}{held.lower()}])+)",
        "unused": "-",
        "half": "(?P<half>0|[1-9][0-9]{0,3})",
        "full": "(?P<full>[1-9][0-9]{0,3})",
    }
    return " ".join(parts[name] for name in sheet.fields)
