"""Nim, a whole third-party game in one file: what it takes to join Forsyth from outside.

A text is ``nim 3/4/5 1``: the heaps, and who moves next (1 or 2). A move takes tokens from one heap: ``b2``
takes two from the second. Who takes the last token wins; in the variant ``misere`` the same player loses.
A heap of more than nine tokens can be written but is not legal. Lenient reading mends superfluous blanks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from forsyth.column import Feature, Planes
from forsyth.diagnostics import (
    CodeInfo,
    Confidence,
    Diagnostic,
    FenError,
    Fix,
    Mode,
    MoveError,
    Reading,
    Severity,
    Span,
)
from forsyth.game import Change, Difference, Field, Game, MoveFacts, Outcome
from forsyth.scene import Area, Cell, Colour, Mark, Scene, Token

MOST: Final = 9
HEAPS: Final = 5
"""How many heaps a tensor shows."""
COLOURS: Final = {"ground": Colour("#ffffff", "#000000"), "token": Colour("#222222", "#dddddd")}
CODES: Final = (
    CodeInfo("nim.blanks", Severity.WARNING, "text", "there are superfluous blanks"),
    CodeInfo("nim.shape", Severity.ERROR, "text", "the text is not `nim HEAPS SIDE`"),
    CodeInfo("heap.size", Severity.ERROR, "legality", "a heap holds more than nine tokens"),
)


@dataclass(frozen=True, slots=True)
class Heaps:
    tokens: tuple[int, ...]
    side: int

    def __str__(self) -> str:
        return f"nim {'/'.join(map(str, self.tokens))} {self.side}"

    @property
    def key(self) -> str:
        return hashlib.sha256(str(self).encode()).hexdigest()[:32]

    @property
    def packed(self) -> bytes:
        # The number of heaps, because empty ones look like what a column fills up with.
        return bytes((1, self.side, len(self.tokens), *self.tokens))


class Take(NamedTuple):
    heap: int
    taken: int


@dataclass(frozen=True, slots=True)
class Nim:
    variant: str = "normal"
    name: str = "nim"
    title: str = "Nim"
    variants: tuple[str, ...] = ("normal", "misere")
    start: str = "nim 3/4/5 1"
    codes: tuple[CodeInfo, ...] = CODES
    max_text: int = 64
    players: tuple[str, ...] = ("First", "Second")
    move_pattern: str = "[a-h][1-9]"

    @property
    def names(self) -> Mapping[str, str]:
        return {"start": self.start, "endgame": "nim 0/0/1 2"}

    @property
    def styles(self) -> Mapping[str, str]:
        return {"heaps": "the heaps alone"}

    @property
    def examples(self) -> Mapping[str, str]:
        return {"Start": self.start, "A heap too high": "nim 3/12/5 1"}

    def with_variant(self, variant: str) -> Game:
        if variant not in self.variants:
            raise ValueError(f"no variant {variant!r}")
        return replace(self, variant=variant)

    def likelihood(self, text: str) -> float:
        return 1.0 if text.lstrip().startswith("nim") else 0.0

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Heaps]:
        whole = Span(0, len(text))
        found = re.fullmatch(r"nim ([0-9]{1,2}(?:/[0-9]{1,2}){0,7}) ([12])", " ".join(text.split()))
        if len(text) > self.max_text or found is None:
            problem = Diagnostic("nim.shape", "expected 'nim 3/4/5 1'", Severity.ERROR, "text", whole)
            return Reading(text, self.name, None, (problem,))
        heaps = Heaps(tuple(map(int, found[1].split("/"))), int(found[2]))
        if str(heaps) == text:
            return Reading(text, self.name, heaps)
        fix = Fix(whole, str(heaps), Confidence.CERTAIN)
        severity = Severity.WARNING if mode == "lenient" else Severity.ERROR
        blanks = Diagnostic("nim.blanks", "blanks or zeros too many", severity, "text", whole, fix=fix)
        return Reading(text, self.name, heaps if mode == "lenient" else None, (blanks,))

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Heaps:
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            reading = reading.with_findings(self.check(reading.position, text=text))
        if not reading.ok:
            raise FenError(text, reading.diagnostics)
        return reading.require()

    def check(
        self, position: Heaps, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        span = Span(0, len(str(position) if text is None else text))
        return tuple(
            Diagnostic(
                "heap.size",
                f"heap {_letter(heap)} holds {count} tokens, expected at most {MOST}",
                Severity.ERROR,
                "legality",
                span,
                square=_letter(heap),
            )
            for heap, count in enumerate(position.tokens)
            if count > MOST
        )

    def write(self, position: Heaps, style: str = "canonical") -> str:
        return "/".join(map(str, position.tokens)) if style == "heaps" else str(position)

    def key(self, position: Heaps) -> str:
        return position.key

    def pack(self, position: Heaps) -> bytes:
        return position.packed

    def unpack(self, data: bytes) -> Heaps:
        if len(data) < 4 or data[0] != 1 or data[1] not in (1, 2) or len(data) != 3 + data[2]:
            raise ValueError("not packed heaps")
        return Heaps(tuple(data[3:]), data[1])

    def moves(self, position: Heaps) -> list[Take]:
        return [
            Take(heap, count) for heap, most in enumerate(position.tokens) for count in range(1, most + 1)
        ]

    def actions(self, position: Heaps) -> tuple[str, ...]:
        return ()

    def read_move(self, position: Heaps, text: str) -> Take:
        if re.fullmatch("[a-h][1-9]", text) is None:
            raise MoveError("invalid", text, f"{text!r} is not a move such as 'b2'")
        move = Take(ord(text[0]) - ord("a"), int(text[1]))
        if move not in self.moves(position):
            near = [self.write_move(position, legal) for legal in self.moves(position) if legal[0] == move[0]]
            raise MoveError("illegal", text, f"heap {text[0]} has no {text[1]} tokens", near)
        return move

    def write_move(self, position: Heaps, move: Take) -> str:
        return f"{_letter(move.heap)}{move.taken}"

    def describe_move(self, position: Heaps, move: Take) -> MoveFacts:
        text, heap = self.write_move(position, move), _letter(move.heap)
        after, piece = str(self.play(position, move)), str(position.tokens[move.heap])
        return MoveFacts(text, text, heap, None, "", None, after, piece)

    def play(self, position: Heaps, move: Take) -> Heaps:
        tokens = list(position.tokens)
        tokens[move.heap] -= move.taken
        return Heaps(tuple(tokens), 3 - position.side)

    def perft(self, position: Heaps, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(self.perft(self.play(position, move), depth - 1) for move in self.moves(position))

    def outcome(self, position: Heaps, repetitions: int = 1) -> Outcome | None:
        if any(position.tokens):
            return None
        winner = position.side if self.variant == "misere" else 3 - position.side
        return Outcome("1-0" if winner == 1 else "0-1", "empty")

    def claims(self, position: Heaps, repetitions: int = 1) -> tuple[str, ...]:
        return ()

    def side_to_move(self, position: Heaps) -> str:
        return f"player {position.side}"

    def move_number(self, position: Heaps) -> tuple[int, int]:
        return 1, position.side - 1

    def diff(self, a: Heaps, b: Heaps) -> Difference:
        sides = () if a.side == b.side else (Change("side", str(a.side), str(b.side)),)
        heaps = zip(a.tokens, b.tokens, strict=True)
        squares = [Change(_letter(at), str(x), str(y)) for at, (x, y) in enumerate(heaps) if x != y]
        return Difference(sides, tuple(squares))

    def scene(
        self,
        position: Heaps,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        marked, noted = marks or {}, notes or {}
        cells = tuple(
            Cell(
                _letter(heap),
                len(position.tokens) - 1 - heap if flip else heap,
                0,
                "ground",
                (_heap_of(count),),
                marked.get(_letter(heap)),
                noted.get(_letter(heap), ""),
            )
            for heap, count in enumerate(position.tokens)
        )
        letters = tuple(map(_letter, range(len(cells))))
        area = Area("heaps", len(cells), 1, cells, column_labels=letters[::-1] if flip else letters)
        return Scene("Nim", str(position), len(cells), 1, (area,), palette=COLOURS)

    def new_game(self, seed: int | None = None) -> Heaps:
        return self.parse(self.start)

    def palette(self, position: Heaps) -> Scene:
        cells = tuple(
            Cell(str(count), count - 1, 0, "ground", (_heap_of(count),)) for count in range(1, MOST + 1)
        )
        return Scene(
            "Heaps", "one to nine tokens", MOST, 1, (Area("heaps", MOST, 1, cells),), palette=COLOURS
        )

    def put(self, position: Heaps, square: str, symbol: str | None) -> Heaps:
        if symbol is not None and not re.fullmatch("[0-9]{1,2}", symbol):
            raise ValueError(f"{symbol!r} is not a heap, expected 0 to 99")
        tokens = list(position.tokens)
        tokens[_heap(position, square)] = int(symbol or 0)
        return replace(position, tokens=tuple(tokens))

    def lift(self, position: Heaps, source: str, target: str) -> Heaps:
        count = position.tokens[_heap(position, source)]
        if count == 0:
            raise ValueError(f"nothing stands on {source}")
        return self.put(self.put(position, source, None), target, str(count))

    def fields(self, position: Heaps) -> tuple[Field, ...]:
        players = (("1", "First"), ("2", "Second"))
        return (Field("side", "Who moves", str(position.side), "choice", players),)

    def with_field(self, position: Heaps, name: str, value: str) -> Heaps:
        if name != "side" or value not in ("1", "2"):
            raise ValueError(f"{name} cannot be {value!r}, expected side 1 or 2")
        return replace(position, side=int(value))

    # --- columns ------------------------------------------------------------------------------------

    packed_width = 16
    feature_list = (
        Feature("side", "who moves", ("first", "second")),
        Feature("tokens", "all tokens"),
    )
    plane_shape = Planes(("tokens",), 1, HEAPS)
    column = None

    def features(self, position: Heaps) -> tuple[int, ...]:
        return position.side - 1, sum(position.tokens)

    def planes(self, position: Heaps) -> bytes:
        return bytes(position.tokens[:HEAPS]).ljust(HEAPS, b"\0")


def _letter(heap: int) -> str:
    return chr(ord("a") + heap)


def _heap(position: Heaps, letter: str) -> int:
    letters = [_letter(heap) for heap in range(len(position.tokens))]
    if letter not in letters:
        raise ValueError(f"{letter!r} is not a heap, expected one of {', '.join(letters)}")
    return letters.index(letter)


def _heap_of(count: int) -> Token:
    return Token(str(count), "token", "token", str(count), f"{count} tokens")


GAME: Final[Game] = Nim()
