# cython: annotation_typing=False
"""The shape of a CoTuLenh move text: what it says, whether or not a legal move fits (spec/cotulenh 15, 18).

Accepted spellings are listed in `san`. Limits: 64 characters. A text without the shape of a move raises
`SanError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from forsyth.diagnostics import MoveError, Span
from forsyth.games.cotulenh.board import FILES, RANK_COUNT, SQUARES
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, QUIET, STAY, SUICIDE
from forsyth.games.cotulenh.rules.turns import (
    StepPattern,
    format_unit,
)
from forsyth.games.cotulenh.stacks import (
    HEROIC_SHIFT,
    LETTERS,
    MEMBER_ORDER,
    TYPES,
)
from forsyth.limits import MAX_MOVE_TEXT

CAPTURES: Final = CAPTURE | STAY | SUICIDE

BLANK: Final = " \t\n\r\v\f\u00a0\ufeff!?"
_NOWHERE: Final = Span(0, 0)


class SanError(MoveError):
    """A move text that does not name one legal move; `span` is the part of the text that is to blame.

    `san` and `context` are the fields of the source documents: the text as given, and what helps to
    understand it: the moves that fit an ambiguous text, ``{"square": …}`` for what is no square, else None.
    """

    def __init__(
        self,
        kind: Literal["invalid", "illegal", "ambiguous"],
        text: str,
        message: str,
        candidates: Iterable[str] = (),
        span: Span = _NOWHERE,
        square: object = None,
    ) -> None:
        super().__init__(kind, text, message, candidates)
        self.span = span
        self.square = square

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.text, str(self), self.candidates, self.span, self.square)

    @property
    def san(self) -> str:
        """The text as it was given."""
        return self.text

    @property
    def context(self) -> tuple[str, ...] | dict[str, object] | None:
        """The moves that fit, the square that is none, or None."""
        if self.kind == "ambiguous":
            return self.candidates
        return None if self.square is None else {"square": self.square}


@dataclass(frozen=True, slots=True)
class StepShape:
    """One step as it is written; −1 and 0 stand for what is not."""

    unit: int
    file: int
    rank: int
    sign: str
    target: int
    result: int
    span: Span

    @property
    def hint(self) -> str:
        """What is said of the origin."""
        return (FILES[self.file] if self.file >= 0 else "") + (str(self.rank + 1) if self.rank >= 0 else "")

    @property
    def kinds(self) -> int:
        """The flags it may mean, DEPLOY aside: a capture sign may be missing."""
        kinds = _KINDS[self.sign.lstrip(">")]
        return kinds | COMBINE if not self.unit and not self.sign else kinds

    def wish(self) -> StepPattern:
        """What is to be played."""
        return StepPattern(self.unit & TYPES, self.unit >> HEROIC_SHIFT, self.target, self.kinds)

    def text(self, where: str) -> str:
        """The step in canonical spelling."""
        unit, result = (format_unit(u) if u else "" for u in (self.unit, self.result))
        return f"{unit}{where}{self.sign.strip('-')}{SQUARES[self.target]}{result}"


_KINDS: Final[Mapping[str, int]] = {
    "": QUIET | CAPTURES,
    "-": QUIET | CAPTURES,
    "x": CAPTURE,
    "_": STAY,
    "@": SUICIDE,
    "&": COMBINE,
    "&x": 0,
}
CAPTURE_SIGNS: Final = ("x", "_", "@")


@dataclass(frozen=True, slots=True)
class Shape:
    """A move text taken apart, before any position is looked at."""

    text: str
    is_turn: bool
    stay: int | None
    """The pieces that stay; None if the text does not say."""
    file: int
    rank: int
    """What is said of the origin, −1 for nothing."""
    steps: tuple[StepShape, ...]
    unfinished: bool
    mark: str
    warnings: tuple[str, ...]

    @property
    def canonical(self) -> str | None:
        """The text in canonical spelling, as far as that can be said without a position."""
        if not self.steps or any(step.sign.endswith("&x") for step in self.steps):
            return None
        stay = f"{format_unit(self.stay)}<" if self.stay else ""
        steps = ",".join(step.text("" if self.is_turn else step.hint) for step in self.steps)
        return f"{stay}{steps}{self.mark}"


class _Scanner:
    """Walks through one text; whatever does not belong there raises `SanError` with its place."""

    def __init__(self, text: str) -> None:
        body = text.strip(BLANK)
        self.text = text
        self.at = text.find(body) if body else 0
        self.end = self.at + len(body)
        self.warnings: list[str] = []

    @property
    def next(self) -> str:
        return self.text[self.at] if self.at < self.end else ""

    def skip(self, word: str) -> bool:
        """Whether a word is next; if so, go past it."""
        if not self.text.startswith(word, self.at, self.end):
            return False
        self.at += len(word)
        return True

    def note(self, code: str) -> None:
        if code not in self.warnings:
            self.warnings.append(code)

    def fail(self, expected: str) -> NoReturn:
        found = repr(self.next) if self.next else "the end"
        span = Span(self.at, min(self.at + 1, self.end))
        message = f"Invalid or illegal move: {shown(self.text)}: found {found}, expected {expected}"
        raise SanError("invalid", self.text, message, (), span)

    def fail_square(self, start: int) -> NoReturn:
        found = self.text[start : self.at]
        message = f"Invalid square in move: {shown(self.text)}: found {found}, expected a1 to k12"
        raise SanError("invalid", self.text, message, (), Span(start, self.at), found)

    def unit(self) -> int:
        """A piece or a stack; 0 if there is none."""
        if self.next == "(":
            return self.stack()
        return self.piece() if self.next == "+" or (self.next and self.next in LETTERS + "B") else 0

    def piece(self) -> int:
        heroic = self.skip("+")
        letter = self.next
        if letter == "B":
            self.note("alias.b")
            letter = "G"
        kind = LETTERS.find(letter) if letter else -1
        if kind < 0:
            self.fail(f"a piece letter of {LETTERS}")
        self.at += 1
        return 1 << kind | (1 << kind + HEROIC_SHIFT if heroic else 0)

    def stack(self) -> int:
        self.skip("(")
        unit = self.piece()
        places = [_place(unit)]
        while not self.skip(")"):
            if self.skip("|"):
                self.note("pipe.in_stack")
            start = self.at
            piece = self.piece()
            if piece & unit & TYPES:
                self.at = start
                self.fail("each type once")
            unit |= piece
            places.append(_place(piece))
        if places != sorted(places):
            self.note("stack.order")
        return unit

    def coordinates(self) -> tuple[int, int]:
        """A file, a rank, both or nothing (−1)."""
        start, file, rank = self.at, -1, -1
        if "a" <= self.next <= "z" and self.next != "x":
            file = FILES.find(self.next)
            self.at += 1
            if file < 0:
                self.fail_square(start)
        digits = self.at
        while self.next and self.next in "0123456789":
            self.at += 1
        if self.at > digits:
            number = self.text[digits : self.at]
            if len(number) > 2 or number[0] == "0" or int(number) > RANK_COUNT:
                self.fail_square(start)
            rank = int(number) - 1
        return file, rank

    def square(self) -> int:
        start = self.at
        file, rank = self.coordinates()
        if self.at == start:
            self.fail("a square" if start else "a piece or a square")
        if file < 0 or rank < 0:
            self.fail_square(start)
        return rank * 11 + file

    def sign(self) -> str:
        deploy = ">" if self.skip(">") else ""
        for word in ("&x", "x", "_", "@", "&"):
            if self.skip(word):
                return deploy + word
        return "-" if not deploy and self.skip("-") else deploy

    def step(self) -> StepShape:
        start = self.at
        unit = self.unit()
        before = self.at
        file, rank = self.coordinates()
        sign = self.sign()
        if not sign and not "a" <= self.next <= "z":
            # Only one square is written: the target.
            self.at = before
            file = rank = -1
        target = self.square()
        if not unit and (file < 0 or rank < 0):
            self.at = start
            self.fail("a piece or two squares")
        if sign == "-":
            self.note("lan.dash")
            if file < 0 or rank < 0:
                self.at = before
                self.fail("a square before the dash")
        if sign.endswith("&x"):
            self.note("combine.capture")
        result = self.stack() if self.next == "(" else 0
        return StepShape(unit, file, rank, sign, target, result, Span(start, self.at))

    def mark(self) -> str:
        mark = ""
        while self.next and self.next in "^#+":
            if self.next == "+":
                self.note("mark.plus")
            else:
                mark = mark or self.next
            self.at += 1
        return mark


def _place(piece: int) -> int:
    """The place of a piece in a canonical stack."""
    return MEMBER_ORDER.index(LETTERS[(piece & TYPES).bit_length() - 1])


def shown(text: str) -> str:
    """A text for a message: stripped, and cut where it is endless."""
    body = text.strip(BLANK)
    return body if len(body) <= MAX_MOVE_TEXT else body[:MAX_MOVE_TEXT] + "…"


def read_shape(text: str) -> Shape:
    """A move text taken apart; raises `SanError` if it has not the shape of one."""
    scanner = _Scanner(text)
    body = text[scanner.at : scanner.end]
    if not body or len(text) > MAX_MOVE_TEXT:
        scanner.fail(f"a move of at most {MAX_MOVE_TEXT} characters, such as Ic6, F&c4(NF) or (FT)<N>c6")
    stay, file, rank = None, -1, -1
    if ":" in body:
        square = scanner.square()
        file, rank = square % 11, square // 11
        if not scanner.skip(":"):
            scanner.fail("':' after the origin")
        stay = scanner.unit()
        if not scanner.skip(":") and not scanner.skip("<"):
            scanner.fail("':' after what stays")
    elif "<" in body:
        stay, (file, rank) = scanner.unit(), scanner.coordinates()
        if not stay or not scanner.skip("<"):
            scanner.fail("what stays, then '<'")
        if file >= 0 or rank >= 0:
            scanner.note("stay.disambiguator")
    steps = [scanner.step()] if scanner.next or stay is None else []
    while scanner.skip(","):
        steps.append(scanner.step())
    unfinished, mark = scanner.skip("..."), scanner.mark()
    if scanner.next:
        scanner.fail("the end of the move")
    is_turn = stay is not None or len(steps) > 1 or unfinished
    moved = 0
    for step in steps:
        moved |= step.unit
    if stay is not None and stay & moved & TYPES:
        scanner.note("stay.contains_moved")
        stay &= ~(moved & TYPES | (moved & TYPES) << HEROIC_SHIFT)
    return Shape(text, is_turn, stay, file, rank, tuple(steps), unfinished, mark, tuple(scanner.warnings))
