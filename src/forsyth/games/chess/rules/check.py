"""The legality of a chess position: every rule of spec/chess 5.2, each finding placed in the text.

`kernel.faults` says which rules are broken; this module says it in words, with square, span and fix. Each
code is reported once, sorted; a finding about several squares names them all and points at the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from forsyth.diagnostics import Confidence, Diagnostic, Fix, Span
from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.codes import BOOK
from forsyth.games.chess.notation.marks import behind_mark
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, LETTERS, THREE_CHECK, Position, bits
from forsyth.games.chess.rules.attacks import checkers_of
from forsyth.games.chess.rules.legality import FAULTS, castling_repaired, faults, stray_pawns
from forsyth.games.chess.variants import TABLE


@dataclass(frozen=True, slots=True)
class _Case:
    """One finding before it is placed: which field, which squares, what sentence, what to put there."""

    field: int
    message: str
    squares: tuple[int, ...] = ()
    replacement: str | None = None
    confidence: Confidence = Confidence.LIKELY


def check(position: Position, *, text: str | None = None) -> tuple[Diagnostic, ...]:
    """Every finding about a position, placed in `text` (by default its canonical text)."""
    found = faults(position)
    if not found:
        return ()
    codes = sorted(code for bit, code in enumerate(FAULTS) if found >> bit & 1)
    places = _Places(str(position) if text is None else text, position)
    return tuple(_finding(code, _CASES[code](position), places) for code in codes)


def _finding(code: str, case: _Case, places: _Places) -> Diagnostic:
    span = places.square(case.squares[0]) if case.field == 1 and case.squares else places.field(case.field)
    fix = None
    if case.replacement is not None and places.known:
        fix = Fix(places.field(case.field), case.replacement, case.confidence)
    square = SQUARES[case.squares[0]] if case.squares else None
    return BOOK.finding(code, span, case.message, field=case.field, square=square, fix=fix)


class _Places:
    """Where fields and squares stand in a text; the whole text where that cannot be told."""

    def __init__(self, text: str, position: Position) -> None:
        self._whole = Span(0, len(text))
        self._spans: list[Span] = []
        at = behind_mark(text)
        for word in text[at:].split():
            at = text.index(word, at)
            self._spans.append(Span(at, at + len(word)))
            at += len(word)
        if position.rules == THREE_CHECK and len(self._spans) > 6 and "+" in text[slice(*self._spans[4])]:
            del self._spans[4]
        self.known = len(self._spans) >= 4
        self._squares = _square_offsets(text[slice(*self._spans[0])]) if self.known else {}

    def field(self, number: int) -> Span:
        """The span of a field; of the last one where it was left out."""
        if not self.known or number == 0:
            return self._whole
        return self._spans[min(number, len(self._spans)) - 1]

    def square(self, number: int) -> Span:
        """The span of the man on a square, or of the board."""
        board = self.field(1)
        offset = self._squares.get(number)
        return board if offset is None else Span(board.start + offset, board.start + offset + 1)


def _square_offsets(board: str) -> dict[int, int]:
    found: dict[int, int] = {}
    rank, file = 7, 0
    for offset, ch in enumerate(board):
        if ch == "/":
            rank, file = rank - 1, 0
        elif "1" <= ch <= "8":
            file += int(ch)
        elif ch in LETTERS and rank >= 0 and file < 8:
            found[8 * rank + file] = offset
            file += 1
        elif ch == "[":
            break
    return found


# --- the cases, one for each code -------------------------------------------------------------------


def _sides(position: Position) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("White", position.white), ("Black", position.black)


def _named(squares: list[int]) -> str:
    return ", ".join(SQUARES[square] for square in squares)


def _mover(position: Position) -> tuple[str, str, int, int]:
    """Who moves, who does not, and their men."""
    if position.black_to_move:
        return "Black", "White", position.black, position.white
    return "White", "Black", position.white, position.black


def _king_missing(position: Position) -> _Case:
    lacking = [name for name, own in _sides(position) if not position.kings & own]
    if position.rules == HORDE:
        return _Case(1, "Black has no king, expected one")
    who = "neither side has a king" if len(lacking) == 2 else f"{lacking[0]} has no king"
    return _Case(1, f"{who}, expected one of each colour")


def _king_many(position: Position) -> _Case:
    most = [kings[1] for kings in TABLE[position.rules].kings]
    found = [(name, bits(position.kings & own)) for name, own in _sides(position)]
    many = [
        (name, squares) for (name, squares), number in zip(found, most, strict=True) if len(squares) > number
    ]
    words = " and ".join(
        f"{name} has {len(squares)} king{'s' if len(squares) > 1 else ''} ({_named(squares)})"
        for name, squares in many
    )
    expected = "one" if min(most) else "none of White's" if max(most) else "none"
    return _Case(
        1, f"{words}, expected {expected}", tuple(square for _, squares in many for square in squares)
    )


def _pawn_backrank(position: Position) -> _Case:
    squares = bits(stray_pawns(position))
    where = "rank 8, and Black's none on rank 1" if position.rules == HORDE else "ranks 1 and 8"
    return _Case(1, f"a pawn on {_named(squares)}, expected none on {where}", tuple(squares))


def _pawn_many(position: Position) -> _Case:
    if position.rules == CRAZYHOUSE:
        return _Case(1, "more than 16 pawns, promoted pieces and pawns in hand in all")
    return _Case(1, _too_many(position, position.pawns, "pawns", TABLE[position.rules].pawns))


def _pieces_many(position: Position) -> _Case:
    if position.rules == CRAZYHOUSE:
        return _Case(1, "more than 32 men on the board and in hand")
    return _Case(1, _too_many(position, position.white | position.black, "men", TABLE[position.rules].men))


def _too_many(position: Position, men: int, name: str, most: tuple[int, int]) -> str:
    """Who has more of some men than may be, and how many may be."""
    found = [
        (f"{side} has {(men & own).bit_count()} {name}", number)
        for (side, own), number in zip(_sides(position), most, strict=True)
        if (men & own).bit_count() > number
    ]
    bounds = " and ".join(dict.fromkeys(str(number) for _, number in found))
    return f"{' and '.join(words for words, _ in found)}, expected at most {bounds}"


def _pieces_promoted(position: Position) -> _Case:
    return _Case(1, "more pieces beyond the first set than pawns are missing: they cannot all be promoted")


def _castling(problem: str) -> Callable[[Position], _Case]:
    def case(position: Position) -> _Case:
        kept = castling_repaired(position)[0].castling
        return _Case(3, f"castling {position.castling}: {problem}", (), kept)

    return case


def _castling_ambiguous(position: Position) -> _Case:
    return _Case(3, f"castling {position.castling}: two rooks on one side of the king, expected one")


def _castling_differ(position: Position) -> _Case:
    return _Case(3, "both sides may castle but their kings stand on different files")


def _ep(problem: str) -> Callable[[Position], _Case]:
    def case(position: Position) -> _Case:
        return _Case(4, f"en passant {position.ep}: {problem}", (position.ep_square,), "-")

    return case


def _ep_side(position: Position) -> _Case:
    mover, _, _, _ = _mover(position)
    rank = 3 if position.black_to_move else 6
    message = f"en passant {position.ep}: {mover} moves, expected a square on rank {rank}"
    return _Case(4, message, (position.ep_square,), "-")


def _ep_half(position: Position) -> _Case:
    message = f"half-move clock {position.half} after a pawn's double step, expected 0"
    return _Case(5, message, (), "0", Confidence.GUESS)


def _check_opposite(position: Position) -> _Case:
    mover, other, _, enemy = _mover(position)
    king = bits(position.kings & enemy)[0]
    message = f"{other}'s king on {SQUARES[king]} is in check although it is {mover}'s move"
    return _Case(2, message, (king,), "w" if position.black_to_move else "b", Confidence.GUESS)


def _kings_adjacent(position: Position) -> _Case:
    squares = bits(position.kings)
    return _Case(1, f"the kings stand side by side on {_named(squares)}", tuple(squares))


def _checkers(position: Position) -> list[int]:
    return bits(checkers_of(position))


def _check_many(position: Position) -> _Case:
    squares = _checkers(position)
    return _Case(1, f"{len(squares)} men give check ({_named(squares)}), at most two can", tuple(squares))


def _check_impossible(position: Position) -> _Case:
    squares = _checkers(position)
    return _Case(1, f"no move can have given the check from {_named(squares)}", tuple(squares))


def _check_race(position: Position) -> _Case:
    squares = _checkers(position)
    return _Case(1, f"check from {_named(squares)}, expected none: no move may give check", tuple(squares))


def _half_inconsistent(position: Position) -> _Case:
    plies = 2 * (position.full - 1) + position.black_to_move
    return _Case(5, f"half-move clock {position.half}, but only {plies} half-moves have been played")


def _half_seventyfive(position: Position) -> _Case:
    return _Case(5, f"half-move clock {position.half}: from 150 on the game is drawn")


_CASES: Final[dict[str, Callable[[Position], _Case]]] = {
    "king.missing": _king_missing,
    "king.many": _king_many,
    "pawn.backrank": _pawn_backrank,
    "pawn.many": _pawn_many,
    "pieces.many": _pieces_many,
    "pieces.promoted": _pieces_promoted,
    "castling.no_king": _castling("a king is not on its home square; Chess960 is read in variant chess960"),
    "castling.no_rook": _castling("a rook is not on its home square"),
    "castling.ambiguous": _castling_ambiguous,
    "castling.variant": _castling("nobody castles in this variant"),
    "castling.kings_differ": _castling_differ,
    "ep.side": _ep_side,
    "ep.no_pawn": _ep("no pawn stands in front of it that could have made a double step"),
    "ep.blocked": _ep("the double step's way was blocked"),
    "ep.half": _ep_half,
    "check.opposite": _check_opposite,
    "kings.adjacent": _kings_adjacent,
    "check.many": _check_many,
    "check.impossible": _check_impossible,
    "check.race": _check_race,
    "half.inconsistent": _half_inconsistent,
    "half.seventyfive": _half_seventyfive,
}
