"""Nim, a complete game in one module.

The text `nim 3/4/5 1` has three heaps and player 1 to move. The move `b2` takes two tokens from heap b.
Taking the last token wins, or loses in the variant `misere`. Lenient reading repairs blanks and zeros.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from forsyth.diagnostics import CodeInfo, Diagnostic, Mode, MoveError, Reading, Severity
from forsyth.findings import CERTAIN, CodeBook, Findings, make_fix
from forsyth.game import Game, MoveFacts, Outcome
from forsyth.identity import key_of_text, pack_text, unpack_text
from forsyth.scene import Area, Cell, Colour, Scene, Token

LETTERS: Final = "abcdefgh"
CODES: Final = (
    CodeInfo("nim.spelling", Severity.ERROR, "text", "the text has unnecessary blanks or zeros"),
    CodeInfo("nim.shape", Severity.ERROR, "text", "the text is not `nim HEAPS SIDE`"),
    CodeInfo("heap.size", Severity.ERROR, "legality", "a heap holds more than nine tokens"),
)
BOOK: Final = CodeBook(CODES)
COLOURS: Final = {"ground": Colour("#ffffff", "#000000"), "token": Colour("#222222", "#dddddd")}


@dataclass(frozen=True, slots=True)
class Heaps:
    """Position: the tokens of each heap, and the player to move (1 or 2)."""

    tokens: tuple[int, ...]
    side: int

    def __str__(self) -> str:
        return f"nim {'/'.join(map(str, self.tokens))} {self.side}"

    @property
    def key(self) -> str:
        return key_of_text(str(self))

    @property
    def packed(self) -> bytes:
        return pack_text(str(self))


@dataclass(frozen=True)
class Nim(Game[Heaps, str]):
    """The game of Nim in one variant. Moves are represented by their texts."""

    variant: str = "normal"
    variants = ("normal", "misere")
    name, title, players = "nim", "Nim", ("First", "Second")
    start, codes, max_text, move_pattern = "nim 3/4/5 1", CODES, 64, "[a-h][1-9]"
    names = {"start": start, "initial": start, "endgame": "nim 0/0/1 2"}

    def likelihood(self, text: str) -> float:
        return 1.0 if text.lstrip().startswith("nim") else 0.0

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Heaps]:
        findings, whole_text = Findings(text, mode, BOOK), (0, len(text))
        match = re.fullmatch(r"nim ([0-9]{1,2}(?:/[0-9]{1,2}){0,7}) ([12])", " ".join(text.split()))
        if match is None or len(text) > self.max_text:
            findings.add("nim.shape", whole_text, f"the text is not like {self.start!r}")
            return Reading(text, self.name, None, tuple(findings.diagnostics))
        heaps = Heaps(tuple(map(int, match[1].split("/"))), int(match[2]))
        if str(heaps) != text:
            fix = make_fix(whole_text, str(heaps), CERTAIN)
            findings.add("nim.spelling", whole_text, f"expected {str(heaps)!r}", fix=fix, repaired=True)
        return Reading(text, self.name, None if findings.has_errors else heaps, tuple(findings.diagnostics))

    def check(
        self, position: Heaps, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        span, heaps = (0, len(text or str(position))), zip(LETTERS, position.tokens, strict=False)
        message = "heap {} holds {} tokens, expected at most 9"
        errors = [(message.format(heap, count), heap) for heap, count in heaps if count > 9]
        return tuple(BOOK.make_diagnostic("heap.size", span, error, square=heap) for error, heap in errors)

    def unpack(self, data: bytes) -> Heaps:
        return self.parse(unpack_text(data), mode="strict", legality=False)

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
        first_player_wins = (position.side == 1) == (self.variant == "misere")
        return None if any(position.tokens) else Outcome("1-0" if first_player_wins else "0-1", "empty")

    def side_to_move(self, position: Heaps) -> str:
        return self.players[position.side - 1]

    def scene(self, position: Heaps, *, marks: Any = None, flip: bool = False, notes: Any = None) -> Scene:
        heaps = list(zip(LETTERS, map(str, position.tokens), strict=False))[:: -1 if flip else 1]
        tokens = [Token(count, "token", "token", count, f"{count} tokens") for _, count in heaps]
        cells = tuple(
            Cell(heap, i, 0, "ground", (tokens[i],), (marks or {}).get(heap), (notes or {}).get(heap, ""))
            for i, (heap, _) in enumerate(heaps)
        )
        area = Area("heaps", len(cells), 1, cells, column_labels=tuple(heap for heap, _ in heaps))
        return Scene("Nim", str(position), len(cells), 1, (area,), palette=COLOURS)


GAME: Final = Nim()
