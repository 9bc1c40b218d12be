"""What the kernels say of texts as columns, as it is kept: tests/golden/columns/README.md says what for.

`python -m tests.column_answers` writes it anew, for a change that is meant; read the difference before it is
kept.
"""

from __future__ import annotations

import hashlib
import json
import random
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tests.changes import GAMES as CHANGED
from tests.findings import texts
from tests.move_answers import SHAPES, boards_at_random
from tests.whole_game import WholeGame, whole

from forsyth.column import ASK, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, SPELLED, STRICT, Column
from forsyth.diagnostics import Severity

FOLDER: Final = Path(__file__).parent / "golden" / "columns"
GAMES: Final = {
    "chess": ("chess", None),
    "chess960": ("chess", "chess960"),
    "crazyhouse": ("chess", "crazyhouse"),
    "3check": ("chess", "3check"),
    "auto": ("chess", "auto"),
    "cotulenh": ("cotulenh", None),
    "azul": ("azul", None),
    "xiangqi": ("xiangqi", None),
    "shogi": ("shogi", None),
}
"""Games and variants with kernels by the names of their files."""
_WAYS: Final = (
    ("default", DEFAULT, True),
    ("syntax", DEFAULT, False),
    ("strict", STRICT, True),
    ("lenient", LENIENT, True),
    ("lenient syntax", LENIENT, False),
)
_SLIPPED: Final = 200
"""Texts with slips, beside those with kept findings."""
_PLIES: Final = 60
"""Moves of a game that is played at random."""
_SLIPS: Final = {
    "chess": "PNBRQKpnbrqk12345678/0 9\t-wbKQkqAHah~[]+_;%xe36–\u00a0\u200bé",
    "cotulenh": "CITMEAGSFNHcitmeagsfnh123456789/0 (+)-rbDEPLOY:>.,x…_–\u00a0é",
    "azul": "BYRKWbyrkwvo0123456789/|-,:# Ff~_–\u00a0é",
    "xiangqi": "KABNRCPkabnrcpEHeh0123456789/ \t-–wbr+_\u00a0é",
    "shogi": "KRBGSNLPkrbgsnlp+0123456789/ \t-–wb_\u00a0é",
}
_NUMBERS: Final = (
    0,
    1,
    9,
    10,
    20,
    21,
    99,
    100,
    101,
    127,
    128,
    254,
    255,
    256,
    999,
    1000,
    4095,
    4096,
    9999,
    10000,
)
_NUMBERED: Final = {
    "chess": ("4k3/8/8/8/8/8/4P3/4K3 w - - {} 1", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 {}"),
    "cotulenh": (
        "6c4/11/11/11/11/11/11/11/11/11/3T7/6C4 r - - {} 1",
        "6c4/11/11/11/11/11/11/11/11/11/3T7/6C4 b - - 0 {}",
    ),
    "azul": tuple(
        "v2/2/o/BYRK|BYRW|BYKW|BRKW|YRKW/F/-----|-----|-----|-----|-----/-|--|---|----|-----/-/"
        f"-----|-----|-----|-----|-----/-|--|---|----|-----/-/{rest}"
        for rest in (
            "{},0/1/0/0/16,16,16,16,16/0,0,0,0,0",
            "0,{}/1/0/0/16,16,16,16,16/0,0,0,0,0",
            "0,0/{}/0/0/16,16,16,16,16/0,0,0,0,0",
            "0,0/1/0/0/{},16,16,16,16/0,0,0,0,0",
            "0,0/1/0/0/16,16,16,16,16/0,0,0,0,{}",
        )
    ),
    "xiangqi": ("4k4/9/9/9/9/9/9/9/4P4/3K5 w - - {} 1", "4k4/9/9/9/9/9/9/9/4P4/3K5 b - - 0 {}"),
    "shogi": (
        "4k4/9/9/9/9/9/9/9/4K4 b - {}",
        "4k4/9/9/9/9/9/9/9/4K4 w {}Pp 1",
        "4k4/9/9/9/9/9/9/9/4K4 b G{}p 1",
    ),
}
"""Texts with a place for numbers, which end somewhere."""


def _texts(name: str) -> list[str]:
    """The texts that are kept for their findings, good ones, and good ones with slips."""
    game, variant = GAMES[name]
    rules = whole(game, variant)
    good = [*dict.fromkeys(rules.names.values()), *(text for text in CHANGED.get(name, (0, 0, ()))[2])]
    good = [text for text in dict.fromkeys((rules.start, *good)) if text not in rules.names]
    chance = random.Random(name)
    found = [*good, *(() if name == "auto" else texts(name))]
    if name == "auto":
        found += [text for other in ("chess960", "crazyhouse", "3check") for text in [*texts(other)][::2]]
    for _ in range(_SLIPPED if name == game else _SLIPPED // 4):
        text = chance.choice(good)
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(("", *_SLIPS[game])) + text[at + chance.choice((0, 1, 1, 2)) :]
        found.append(text)
    if name in SHAPES:
        found += boards_at_random(name)
    if game in ("xiangqi", "shogi"):
        found += _played(rules, chance)
    found += [text.format(number) for text in _NUMBERED.get(name, ()) for number in _NUMBERS]
    return [text for text in dict.fromkeys(found) if len(text) < 2000]


def _played(rules: WholeGame, chance: random.Random) -> Iterator[str]:
    """Texts of a game that is played at random."""
    position = rules.parse(rules.start)
    for _ in range(_PLIES):
        position = rules.play(position, chance.choice(rules.moves(position)))
        yield rules.write(position)


class _Rows:
    """Some texts as a column."""

    def __init__(self, name: str, found: Sequence[str]) -> None:
        self.game: WholeGame = whole(*GAMES[name])
        column = self.game.column
        assert column is not None
        self.column: Column = column
        self.count = len(found)
        data = [text.encode("utf-8", "surrogatepass") for text in found]
        ends = array("q", [0])
        for text in data:
            ends.append(ends[-1] + len(text))
        self.given = (memoryview(b"".join(data)), memoryview(ends), 0, self.count)

    def scanned(self, mode: int, legality: bool) -> tuple[memoryview, list[str]]:
        """The verdicts, and what is noted."""
        verdicts = memoryview(bytearray(self.count))
        notes = memoryview(array("i", [0]) * (NOTES * self.count))
        self.column.scan(*self.given, mode, legality, verdicts, notes)
        return verdicts, [
            self._noted(verdicts[row], notes[NOTES * row : NOTES * (row + 1)]) for row in range(self.count)
        ]

    def _noted(self, verdict: int, numbers: Sequence[int]) -> str:
        if verdict not in (NOTED, REFUSED):
            return str(verdict)
        code, severity, start, end, square, count = numbers
        where = "-" if square < 0 else self.column.squares[square]
        return (
            f"{verdict} {tuple(Severity)[severity]} {self.column.codes[code]} {start}:{end} {where} {count}"
        )

    def written(self) -> list[list[str]]:
        """The verdict of each verb about each row, with a digest of what it wrote."""
        game, count = self.game, self.count
        verdicts, _ = self.scanned(DEFAULT, False)
        texts, lengths = bytearray(game.max_text * count), array("i", [0]) * count
        self.column.rewrite(*self.given, verdicts, memoryview(texts), memoryview(lengths), game.max_text)
        found = [
            [
                bytes(texts[game.max_text * row : game.max_text * row + lengths[row]]).decode()
                if verdicts[row] in (SPELLED, NOTED)
                else ""
            ]
            for row in range(count)
        ]
        for verb, size in (
            ("keys", 16),
            ("pack", game.packed_width),
            ("planes", game.plane_shape.size),
            ("features", 4 * len(game.feature_list)),
        ):
            for row, said in enumerate(self._of_verb(verb, size)):
                found[row].append(said)
        return found

    def _of_verb(self, verb: str, size: int) -> Iterator[str]:
        verdicts = memoryview(bytearray(self.count))
        out: Any = memoryview(bytearray(size * self.count))
        if verb == "features":
            out = memoryview(array("i", [0]) * (size // 4 * self.count))
        more = {"pack": (size,), "features": (self.count,)}.get(verb, ())
        getattr(self.column, verb)(*self.given, verdicts, out, *more)
        for row in range(self.count):
            wrote = (
                str(list(out[row :: self.count]))
                if verb == "features"
                else out[size * row : size * (row + 1)].hex()
            )
            yield f"{verdicts[row]} {hashlib.sha256(wrote.encode()).hexdigest()[:8]}"


def columns(name: str) -> Iterator[str]:
    """What the kernels of a game say of its texts, a text a line."""
    found = _texts(name)
    rows = _Rows(name, found)
    ways = {way: rows.scanned(mode, legality)[1] for way, mode, legality in _WAYS}
    for row, (text, wrote) in enumerate(zip(found, rows.written(), strict=True)):
        first = ways["default"][row]
        others = {way: said[row] for way, said in ways.items() if said[row] != first}
        yield json.dumps([text, first, others, *wrote])


def forms(name: str) -> Iterator[str]:
    """What the kernels make of packed forms, whole, damaged and cut off, each a line."""
    game = whole(*GAMES[name])
    column = game.column
    assert column is not None
    for text in CHANGED.get(name, (0, 0, ("start",)))[2]:
        packed = game.pack(game.parse(game.names.get(text, text), legality=False))
        damaged = [packed, b"", packed[:-1], packed + b"\1"]
        for at in range(len(packed)):
            damaged += [packed[:at] + bytes([packed[at] ^ bit]) + packed[at + 1 :] for bit in (1, 16, 128)]
        width = len(packed) + 2
        count, room = len(damaged), game.max_text
        verdicts, out, lengths = bytearray(count), bytearray(room * count), array("i", [0]) * count
        data = b"".join(form.ljust(width, b"\0") for form in damaged)
        column.unpack(
            memoryview(data),
            width,
            0,
            count,
            memoryview(verdicts),
            memoryview(out),
            memoryview(lengths),
            room,
        )
        for row, form in enumerate(damaged):
            wrote = None if verdicts[row] == ASK else out[room * row : room * row + lengths[row]].decode()
            yield json.dumps([form.hex(), verdicts[row], wrote])


def answers(name: str) -> list[str]:
    """All lines of a game."""
    return [*columns(name), *forms(name)]


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.jsonl").write_text("\n".join(answers(each)) + "\n", encoding="utf-8", newline="\n")
