"""The canonical text of a position on a grid: decoding it at once, and writing it.

`Notation.decode` fills a position from a canonical text and answers None for every other; `fen` explains
what it refused. Stability: canonical text is promised for ever.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forsyth.kit.sheet import MAX_CLOCK, MAX_IN_HAND, SIDES, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition

_FIRST_PRIVATE: Final = 0x80
"""Promoted men have two characters; inside they are one of those that no text of a board has."""
_EMPTY: Final = "\xfe"
_LAST_EMPTY: Final = "\xff"
"""An empty square, and the last one that a count stands for: none follows it in a canonical text."""
_NO_MAN: Final = 255
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
        codes = bytearray([_NO_MAN] * 256)
        for number, letter in enumerate(letters[1:], 1):
            codes[ord(letter)] = number
        codes[ord(_EMPTY)] = codes[ord(_LAST_EMPTY)] = 0
        self._codes = bytes(codes)
        self._shown = bytes(ord(letter or ".") for letter in letters).ljust(256, b".")
        held = [side * len(sheet.kinds) + kind for side in SIDES for kind in sheet.hand_kinds]
        self._held = [(at, sheet.letters[1 + at]) for at in held]
        self._no_hands = bytes(2 * len(sheet.kinds))
        self._counts = {str(count): _run(count) for count in range(1, len(sheet.files) + 1)}
        self._long_count = re.compile(f"(?:{'|'.join(reversed(self._counts))})(?![0-9])")
        self._widths = [len(sheet.files)] * len(sheet.ranks)
        self._text = re.compile(_pattern(sheet))

    @property
    def longest(self) -> int:
        """Characters that no canonical text has more of."""
        sheet = self._sheet
        board = sheet.grid.size * max(map(len, sheet.letters)) + len(sheet.ranks)
        hands = 2 * len(sheet.hand_kinds) * (len(str(MAX_IN_HAND)) + 1)
        return board + hands + len(sheet.fields) * (len(str(MAX_CLOCK)) + 1)

    def decode(self, text: str) -> GridPosition | None:
        """The position of a canonical text, None for any other."""
        found = self._text.fullmatch(text)
        if found is None:
            return None
        board = self._read_board(found["board"])
        if board is None:
            return None
        fields = self._sheet.fields
        hands = self._read_hands(found["hands"]) if "hands" in fields else b""
        if hands is None:
            return None
        turn = int(found["side"] == self._sheet.sides[1].letter)
        half = int(found["half"]) if "half" in fields else 0
        return self._game.position(board, hands, turn, half, int(found["full"]))

    def _read_board(self, text: str) -> bytes | None:
        if "+" in text:
            for letters, one in self._promoted:
                text = text.replace(letters, one)
        if len(self._counts) < 10:
            for count, squares in self._counts.items():
                text = text.replace(count, squares)
        else:
            text = self._long_count.sub(lambda run: self._counts[run[0]], text)
        if _LAST_EMPTY + _EMPTY in text or _LAST_EMPTY + _LAST_EMPTY in text:
            return None
        ranks = text.split("/")
        if [*map(len, ranks)] != self._widths:
            return None
        board = "".join(ranks).encode("latin-1").translate(self._codes)
        return None if _NO_MAN in board else board

    def _read_hands(self, text: str) -> bytes | None:
        if text == "-":
            return self._no_hands
        counts = bytearray(self._no_hands)
        last = 0
        for count, letter in _HELD.findall(text):
            man = self._sheet.piece_number[letter]
            if man <= last:
                return None
            counts[man - 1] = int(count) if count else 1
            last = man
        return bytes(counts)

    def sorted_hands(self, text: str) -> str:
        """Men in hand in any order and number as they are written canonically; any other text as it is."""
        if not _HANDS.fullmatch(text):
            return text
        counts = [0] * (2 * len(self._sheet.kinds))
        for count, letter in _HELD.findall(text):
            number = self._sheet.piece_number.get(letter, 0)
            value = int(count) if count else 1
            if not number or (number - 1) % len(self._sheet.kinds) not in self._sheet.hand_kinds or not value:
                return text
            counts[number - 1] += value
        return self.write_hands(bytes(counts)) if max(counts) <= MAX_IN_HAND else text

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


def _run(count: int) -> str:
    """The empty squares that a count stands for."""
    return _EMPTY * (count - 1) + _LAST_EMPTY


def _pattern(sheet: Sheet) -> str:
    """A regular expression for a text whose board may be anything; no canonical text is left out."""
    held = "".join(sheet.letters[1 + kind] for kind in sheet.hand_kinds)
    parts = {
        "board": "(?P<board>[!-~]+)",
        "side": f"(?P<side>[{sheet.sides[0].letter}{sheet.sides[1].letter}])",
        "hands": f"(?P<hands>-|(?:(?:[2-9]|[12][0-9]|3[0-{MAX_IN_HAND % 10}])?[{held}{held.lower()}])+)",
        "unused": "-",
        "half": "(?P<half>0|[1-9][0-9]{0,3})",
        "full": "(?P<full>[1-9][0-9]{0,3})",
    }
    return " ".join(parts[name] for name in sheet.fields)
