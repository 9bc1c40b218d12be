"""Legality findings for a chess position, by the rules of spec/chess 5.2.

`legality.find_faults` returns the broken rules as bits. This module turns each bit into a diagnostic with a
sentence, a square, a span in the text and a fix. Each code is reported once, in sorted order. A finding about
several squares lists all of them and points at the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from forsyth.diagnostics import Confidence, Diagnostic, Fix, Span
from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.codes import BOOK
from forsyth.games.chess.notation.marks import behind_mark
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, LETTERS, THREE_CHECK, Position, list_squares
from forsyth.games.chess.rules.attacks import find_checkers
from forsyth.games.chess.rules.legality import FAULTS, find_faults, find_stray_pawns, repair_castling
from forsyth.games.chess.variants import VARIANT_TABLE

_CHECKS_WORD_INDEX: Final = 4
"""Index of the word with the remaining checks, such as ``3+3``, in a text of Three-check."""
# Numbers of the fields of a FEN that findings are about.
_BOARD: Final = 1
_SIDE: Final = 2
_CASTLING: Final = 3
_EN_PASSANT: Final = 4
_HALF_MOVES: Final = 5
_FIELD_COUNT: Final = 6
_MIN_FIELDS: Final = 4
"""Number of fields of a FEN, and the number without its clocks, which may be missing."""


@dataclass(frozen=True, slots=True)
class _Finding:
    """The content of one finding, before it is located in the text."""

    field: int
    """Number of the field, 1 for the board, 0 for the whole text."""
    message: str
    squares: tuple[int, ...] = ()
    """Squares of the finding. The diagnostic points at the first."""
    replacement: str | None = None
    """Text that replaces the field in a fix, or None if there is no fix."""
    confidence: Confidence = Confidence.LIKELY


def check_position(position: Position, *, text: str | None = None) -> tuple[Diagnostic, ...]:
    """Return one diagnostic for each rule of chess that a position breaks, sorted by code.

    Args:
        position: The position to check.
        text: The text in which the diagnostics are located, or None for the canonical text of the position.
    """
    faults = find_faults(position)
    if not faults:
        return ()
    codes = sorted(code for bit, code in enumerate(FAULTS) if faults & (1 << bit))
    locator = _Locator(str(position) if text is None else text, position)
    return tuple(_make_diagnostic(code, _FINDING_MAKERS[code](position), locator) for code in codes)


def _make_diagnostic(code: str, finding: _Finding, locator: _Locator) -> Diagnostic:
    """Return the diagnostic (an error or warning) for `code`, such as ``king.missing``.

    `finding` has the message, the squares and the fix. `locator` finds their spans in the text.
    """
    field_span = locator.find_field(finding.field)
    span = field_span
    square_name = None
    if finding.squares:
        first_square = finding.squares[0]
        square_name = SQUARES[first_square]
        if finding.field == _BOARD:
            span = locator.find_square(first_square)

    fix = None
    if finding.replacement is not None and locator.has_fields:
        fix = Fix(field_span, finding.replacement, finding.confidence)
    return BOOK.make_diagnostic(code, span, finding.message, field=finding.field, square=square_name, fix=fix)


class _Locator:
    """Finder of the fields and of the squares of the board in a FEN, as spans: start and end, in characters.

    If the text has fewer than four fields, each span is the whole text.
    """

    def __init__(self, text: str, position: Position) -> None:
        """Split `text` into its fields. In Three-check the field with the checks (``3+3``) gets no number."""
        self._whole = Span(0, len(text))
        self._spans: list[Span] = []
        offset = behind_mark(text)
        words = text[offset:].split()
        for word in words:
            offset = text.index(word, offset)
            self._spans.append(Span(offset, offset + len(word)))
            offset += len(word)

        may_have_checks = position.rules == THREE_CHECK and len(words) > _FIELD_COUNT
        if may_have_checks and "+" in words[_CHECKS_WORD_INDEX]:
            del self._spans[_CHECKS_WORD_INDEX]
        self.has_fields = len(self._spans) >= _MIN_FIELDS
        self._square_offsets = _map_square_offsets(words[0]) if self.has_fields else {}

    def find_field(self, number: int) -> Span:
        """Return the span of a field: 1 for the board to 6 for the move number, or 0 for the whole text.

        If the text has fewer fields, return the span of the last one.
        """
        if not self.has_fields or number == 0:
            return self._whole
        return self._spans[min(number, len(self._spans)) - 1]

    def find_square(self, number: int) -> Span:
        """Return the span of the piece on a square, 0 (a1) to 63 (h8).

        If no piece is there, return the span of the whole board.
        """
        board = self.find_field(_BOARD)
        offset = self._square_offsets.get(number)
        return board if offset is None else Span(board.start + offset, board.start + offset + 1)


def _map_square_offsets(board: str) -> dict[int, int]:
    """Return the offset of the letter of each piece in a board field, by the number of its square.

    Squares are numbered from 0 for a1 to 63 for h8. For ``4k3/…`` the result has the entry 60 (e8): 1.
    """
    offsets: dict[int, int] = {}
    rank, file = 7, 0
    for offset, char in enumerate(board):
        if char == "/":
            rank, file = rank - 1, 0
        elif "1" <= char <= "8":
            file += int(char)
        elif char in LETTERS and rank >= 0 and file < 8:
            offsets[8 * rank + file] = offset
            file += 1
        elif char == "[":
            break
    return offsets


# --- one function for each code ---------------------------------------------------------------------


def _list_sides(position: Position) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the name and the set of occupied squares of each side: White, then Black."""
    return ("White", position.white), ("Black", position.black)


def _join_square_names(squares: list[int]) -> str:
    """Return the names of squares as text, such as ``e4, d5``."""
    return ", ".join(SQUARES[square] for square in squares)


def _order_sides_by_turn(position: Position) -> tuple[str, str, int, int]:
    """Return the names of the side to move and of the other side, then the occupied squares of both.

    For White to move the result is ``("White", "Black", position.white, position.black)``.
    """
    if position.black_to_move:
        return "Black", "White", position.black, position.white
    return "White", "Black", position.white, position.black


def _describe_missing_king(position: Position) -> _Finding:
    """Return the finding that one or both sides have no king. In Horde only Black has one."""
    kingless_sides = [name for name, own in _list_sides(position) if not position.kings & own]
    if position.rules == HORDE:
        return _Finding(_BOARD, "Black has no king, expected one")
    problem = "neither side has a king" if len(kingless_sides) == 2 else f"{kingless_sides[0]} has no king"
    return _Finding(_BOARD, f"{problem}, expected one of each colour")


def _describe_many_kings(position: Position) -> _Finding:
    """Return the finding that a side has more kings than the variant allows, with their squares."""
    maximums = [maximum for _, maximum in VARIANT_TABLE[position.rules].king_limits]
    problems: list[str] = []
    excess_squares: list[int] = []
    for (side, own), maximum in zip(_list_sides(position), maximums, strict=True):
        squares = list_squares(position.kings & own)
        if len(squares) > maximum:
            noun = "king" if len(squares) == 1 else "kings"
            problems.append(f"{side} has {len(squares)} {noun} ({_join_square_names(squares)})")
            excess_squares += squares

    # In Horde White has no king.
    expected = "one" if all(maximums) else "none of White's"
    return _Finding(_BOARD, f"{' and '.join(problems)}, expected {expected}", tuple(excess_squares))


def _describe_back_rank_pawns(position: Position) -> _Finding:
    """Return the finding that pawns stand on rank 1 or 8. In Horde, White's pawns may stand on rank 1."""
    squares = list_squares(find_stray_pawns(position))
    forbidden_ranks = "rank 8, and Black's none on rank 1" if position.rules == HORDE else "ranks 1 and 8"
    return _Finding(
        _BOARD,
        f"a pawn on {_join_square_names(squares)}, expected none on {forbidden_ranks}",
        tuple(squares),
    )


def _describe_many_pawns(position: Position) -> _Finding:
    """Return the finding that a side has more pawns than its variant allows.

    In Crazyhouse the limit holds for both sides together: 16, with pawns in hand and promoted pieces.
    """
    if position.rules == CRAZYHOUSE:
        return _Finding(_BOARD, "more than 16 pawns, promoted pieces and pawns in hand in all")
    limits = VARIANT_TABLE[position.rules].max_pawns
    return _Finding(_BOARD, _describe_excess(position, position.pawns, "pawns", limits))


def _describe_many_pieces(position: Position) -> _Finding:
    """Return the finding that a side has more pieces than its variant allows.

    In Crazyhouse the limit holds for both sides together: 32, with pieces in hand.
    """
    if position.rules == CRAZYHOUSE:
        return _Finding(_BOARD, "more than 32 pieces on the board and in hand")
    occupied = position.white | position.black
    limits = VARIANT_TABLE[position.rules].max_pieces
    return _Finding(_BOARD, _describe_excess(position, occupied, "pieces", limits))


def _describe_excess(position: Position, pieces: int, name: str, limits: tuple[int, int]) -> str:
    """Return a sentence such as ``White has 9 pawns, expected at most 8``.

    Args:
        position: The position, in which at least one side has too many of the pieces.
        pieces: The set of the pieces to count, of both sides.
        name: The name of the pieces, in the plural.
        limits: The maximum for White and for Black.
    """
    counts: list[str] = []
    exceeded_limits: list[str] = []
    for (side, own), limit in zip(_list_sides(position), limits, strict=True):
        count = (pieces & own).bit_count()
        if count > limit:
            counts.append(f"{side} has {count} {name}")
            exceeded_limits.append(str(limit))
    # If both sides have the same limit, it is named once.
    bounds = " and ".join(dict.fromkeys(exceeded_limits))
    return f"{' and '.join(counts)}, expected at most {bounds}"


def _describe_many_promoted(position: Position) -> _Finding:
    """Return the finding that a side has more promoted pieces, such as second queens, than missing pawns."""
    return _Finding(
        _BOARD, "more pieces beyond the first set than pawns are missing: they cannot all be promoted"
    )


def _make_castling_finder(problem: str) -> Callable[[Position], _Finding]:
    """Return a function that builds the finding about the castling rights of a position.

    The message is such as ``castling KQkq: a rook is not on its home square``, where `problem` is the part
    behind the colon. The fix keeps the rights that fit the board.
    """

    def make_finding(position: Position) -> _Finding:
        """Return the finding about the castling rights of a position."""
        repaired = repair_castling(position)[0].castling
        return _Finding(_CASTLING, f"castling {position.castling}: {problem}", (), repaired)

    return make_finding


def _describe_ambiguous_castling(position: Position) -> _Finding:
    """Return the finding that a king may castle with two rooks on the same side of it (Chess960)."""
    return _Finding(
        _CASTLING, f"castling {position.castling}: two rooks on one side of the king, expected one"
    )


def _describe_differing_king_files(position: Position) -> _Finding:
    """Return the finding that both sides may castle, but their kings are on different files (Chess960)."""
    return _Finding(_CASTLING, "both sides may castle but their kings stand on different files")


def _make_ep_finder(problem: str) -> Callable[[Position], _Finding]:
    """Return a function that builds the finding about the en-passant square of a position.

    The message is such as ``en passant e3: a piece blocks the path of the double step``, where `problem` is
    the part behind the colon. The fix removes the square.
    """

    def make_finding(position: Position) -> _Finding:
        """Return the finding about the en-passant square of a position."""
        return _Finding(_EN_PASSANT, f"en passant {position.ep}: {problem}", (position.ep_square,), "-")

    return make_finding


def _describe_wrong_ep_side(position: Position) -> _Finding:
    """Return the finding that the en-passant square is on rank 3 with White to move, or on 6 with Black."""
    mover, _, _, _ = _order_sides_by_turn(position)
    rank = 3 if position.black_to_move else 6
    message = f"en passant {position.ep}: {mover} is to move, expected a square on rank {rank}"
    return _Finding(_EN_PASSANT, message, (position.ep_square,), "-")


def _describe_ep_clock(position: Position) -> _Finding:
    """Return the finding that the half-move clock is not 0, although a pawn has just moved two squares."""
    message = f"half-move clock {position.half} after a pawn's double step, expected 0"
    return _Finding(_HALF_MOVES, message, (), "0", Confidence.GUESS)


def _describe_opposite_check(position: Position) -> _Finding:
    """Return the finding that the side that is not to move is in check. The fix exchanges the sides."""
    mover, waiting_side, _, enemy = _order_sides_by_turn(position)
    king = list_squares(position.kings & enemy)[0]
    message = f"{waiting_side}'s king on {SQUARES[king]} is in check although it is {mover}'s move"
    return _Finding(_SIDE, message, (king,), "w" if position.black_to_move else "b", Confidence.GUESS)


def _describe_adjacent_kings(position: Position) -> _Finding:
    """Return the finding that the two kings stand on adjacent squares."""
    squares = list_squares(position.kings)
    return _Finding(_BOARD, f"the kings stand side by side on {_join_square_names(squares)}", tuple(squares))


def _list_checkers(position: Position) -> list[int]:
    """Return the numbers of the squares of the pieces that give check to the side to move."""
    return list_squares(find_checkers(position))


def _describe_many_checks(position: Position) -> _Finding:
    """Return the finding that more than two pieces give check, which no move can cause."""
    squares = _list_checkers(position)
    return _Finding(
        _BOARD,
        f"{len(squares)} pieces give check ({_join_square_names(squares)}), expected at most two",
        tuple(squares),
    )


def _describe_impossible_check(position: Position) -> _Finding:
    """Return the finding that no single move can have given the checks of a position."""
    squares = _list_checkers(position)
    return _Finding(
        _BOARD, f"no move can have given the check from {_join_square_names(squares)}", tuple(squares)
    )


def _describe_race_check(position: Position) -> _Finding:
    """Return the finding that a king is in check in Racing Kings, where no move may give check."""
    squares = _list_checkers(position)
    return _Finding(
        _BOARD,
        f"check from {_join_square_names(squares)}, expected none: no move may give check",
        tuple(squares),
    )


def _describe_inconsistent_clock(position: Position) -> _Finding:
    """Return the finding that the half-move clock exceeds the half-moves that the move number allows."""
    plies = 2 * (position.full - 1) + position.black_to_move
    return _Finding(
        _HALF_MOVES, f"half-move clock {position.half}, but only {plies} half-moves were played before"
    )


def _describe_seventy_five_moves(position: Position) -> _Finding:
    """Return the finding that the half-move clock is 150 or more, so that the game is drawn by 75 moves."""
    return _Finding(_HALF_MOVES, f"half-move clock {position.half}: from 150 on the game is drawn")


_FINDING_MAKERS: Final[dict[str, Callable[[Position], _Finding]]] = {
    "king.missing": _describe_missing_king,
    "king.many": _describe_many_kings,
    "pawn.backrank": _describe_back_rank_pawns,
    "pawn.many": _describe_many_pawns,
    "pieces.many": _describe_many_pieces,
    "pieces.promoted": _describe_many_promoted,
    "castling.no_king": _make_castling_finder(
        "a king is not on its home square; Chess960 is read in variant chess960"
    ),
    "castling.no_rook": _make_castling_finder("a rook is not on its home square"),
    "castling.ambiguous": _describe_ambiguous_castling,
    "castling.variant": _make_castling_finder("this variant has no castling"),
    "castling.kings_differ": _describe_differing_king_files,
    "ep.side": _describe_wrong_ep_side,
    "ep.no_pawn": _make_ep_finder("no pawn stands in front of it that could have made a double step"),
    "ep.blocked": _make_ep_finder("a piece blocks the path of the double step"),
    "ep.half": _describe_ep_clock,
    "check.opposite": _describe_opposite_check,
    "kings.adjacent": _describe_adjacent_kings,
    "check.many": _describe_many_checks,
    "check.impossible": _describe_impossible_check,
    "check.race": _describe_race_check,
    "half.inconsistent": _describe_inconsistent_clock,
    "half.seventyfive": _describe_seventy_five_moves,
}
