"""Nim, a whole game: `nim 3/4/5 1` is the heaps and who moves, the move `b2` takes two tokens from heap b.

Who takes the last token wins, in the variant misere loses. Lenient reading mends blanks and zeros.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, MoveError, Reading, Severity
from forsyth.findings import CERTAIN, CodeBook, Findings, fix_at
from forsyth.game import Game, MoveFacts, Outcome
from forsyth.identity import key_of_text, packed_text, text_of_packed
from forsyth.scene import Area, Cell, Colour, Scene, Token

LETTERS: Final = "abcdefgh"
CODES: Final = (
    CodeInfo("nim.spelling", Severity.ERROR, "text", "there are superfluous blanks or zeros"),
    CodeInfo("nim.shape", Severity.ERROR, "text", "the text is not `nim HEAPS SIDE`"),
    CodeInfo("heap.size", Severity.ERROR, "legality", "a heap holds more than nine tokens"),
)
BOOK: Final = CodeBook(CODES)
COLOURS: Final = {"ground": Colour("#ffffff", "#000000"), "token": Colour("#222222", "#dddddd")}


@dataclass(frozen=True, slots=True)
class Heaps:
    """A position: the tokens of each heap, and which player moves."""

    tokens: tuple[int, ...]
    side: int

    def __str__(self) -> str:
        return f"nim {'/'.join(map(str, self.tokens))} {self.side}"

    @property
    def key(self) -> str:
        return key_of_text(str(self))

    @property
    def packed(self) -> bytes:
        return packed_text(str(self))


@dataclass(frozen=True)
class Nim(Game[Heaps, str]):
    """The game, in one variant. Moves are their texts."""

    variant: str = "normal"
    variants = ("normal", "misere")
    name, title, players = "nim", "Nim", ("First", "Second")
    start, codes, max_text, move_pattern = "nim 3/4/5 1", CODES, 64, "[a-h][1-9]"
    names = {"start": start, "initial": start, "endgame": "nim 0/0/1 2"}

    def likelihood(self, text: str) -> float:
        return 1.0 if text.lstrip().startswith("nim") else 0.0

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Heaps]:
        notes, whole = Findings(text, mode, BOOK), (0, len(text))
        found = re.fullmatch(r"nim ([0-9]{1,2}(?:/[0-9]{1,2}){0,7}) ([12])", " ".join(text.split()))
        if found is None or len(text) > self.max_text:
            notes.add("nim.shape", whole, f"the text is not like {self.start!r}")
            return Reading(text, self.name, None, tuple(notes.found))
        heaps = Heaps(tuple(map(int, found[1].split("/"))), int(found[2]))
        if str(heaps) != text:
            fix = fix_at(whole, str(heaps), CERTAIN)
            notes.add("nim.spelling", whole, f"expected {str(heaps)!r}", fix=fix, mended=True)
        return Reading(text, self.name, None if notes.failed else heaps, tuple(notes.found))

    def check(
        self, position: Heaps, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        place, heaps = (0, len(text or str(position))), zip(LETTERS, position.tokens, strict=False)
        high = [
            (f"heap {heap} holds {count} tokens, expected at most 9", heap)
            for heap, count in heaps
            if count > 9
        ]
        return tuple(BOOK.finding("heap.size", place, message, square=heap) for message, heap in high)

    def unpack(self, data: bytes) -> Heaps:
        return self.parse(text_of_packed(data), mode="strict", legality=False)

    def moves(self, position: Heaps) -> list[str]:
        heaps = zip(LETTERS, position.tokens, strict=False)
        return [f"{heap}{count}" for heap, tokens in heaps for count in range(1, min(tokens, 9) + 1)]

    def read_move(self, position: Heaps, text: str) -> str:
        if re.fullmatch(self.move_pattern, text) is None:
            raise MoveError("invalid", text, f"{text[:20]!r} is not a move such as 'b2'")
        if text not in self.moves(position):
            raise MoveError("illegal", text, f"heap {text[0]} has no {text[1]} tokens")
        return text

    def write_move(self, position: Heaps, move: str) -> str:
        return move

    def describe_move(self, position: Heaps, move: str) -> MoveFacts:
        return super().describe_move(position, move)._replace(origin=move[0])

    def play(self, position: Heaps, move: str) -> Heaps:
        tokens = list(position.tokens)
        tokens[LETTERS.index(move[0])] -= int(move[1])
        return Heaps(tuple(tokens), 3 - position.side)

    def outcome(self, position: Heaps, repetitions: int = 1) -> Outcome | None:
        first = (position.side == 1) == (self.variant == "misere")
        return None if any(position.tokens) else Outcome("1-0" if first else "0-1", "empty")

    def side_to_move(self, position: Heaps) -> str:
        return self.players[position.side - 1]

    def scene(self, position: Heaps, *, marks: Any = None, flip: bool = False, notes: Any = None) -> Scene:
        heaps = list(zip(LETTERS, map(str, position.tokens), strict=False))[:: -1 if flip else 1]
        tokens = [Token(count, "token", "token", count, f"{count} tokens") for _, count in heaps]
        cells = tuple(
            Cell(heap, at, 0, "ground", (tokens[at],), (marks or {}).get(heap), (notes or {}).get(heap, ""))
            for at, (heap, _) in enumerate(heaps)
        )
        area = Area("heaps", len(cells), 1, cells, column_labels=tuple(heap for heap, _ in heaps))
        return Scene("Nim", str(position), len(cells), 1, (area,), palette=COLOURS)


GAME: Final = Nim()
