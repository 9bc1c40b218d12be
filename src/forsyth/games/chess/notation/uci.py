"""UCI: moves between engines and boards, and the ``position`` line that sets a board up (spec/chess 11).

Reading takes ``e2e4``, ``e7e8q`` and, in Crazyhouse, ``Q@e4``; case counts. Castling is the king's step
(``e1g1``), in Chess960 the king taking its own rook (``e1h1``). Accepted besides:

* king takes own rook in the other variants too, and in Chess960 the king's step (``e1g1``), as SAN takes
  them: where the king could go there by itself, it does;
* any blanks between the words of a line;
* four or five FEN fields; a missing half-move clock is 0, a missing move number 1;
* in the FEN of a line, whatever the default mode of `fen` accepts.

The null move ``0000`` is refused: it goes from an engine to a board, never the other way.

Writing: castling as above, promotions in small letters, dropped pieces in capitals; a line begins with
``startpos`` where that is the start. Stability: what is written never changes.
Limits: 20,000 moves in a line. Reading a line is all or nothing, and an error says which move was the first
bad one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from forsyth.arguments import quoted, require_text
from forsyth.diagnostics import Diagnostic, FenError, MoveError, Span
from forsyth.game import wrong_move_error, wrong_move_text_error, wrong_position_error
from forsyth.games.chess.documents.source_document import START
from forsyth.games.chess.notation.fen import read_fen
from forsyth.games.chess.notation.san import read_san
from forsyth.games.chess.position import CHESS960, STANDARD, Position
from forsyth.games.chess.rules.moves import Move, legal_moves, play
from forsyth.games.chess.variants import MUST_CAPTURE, VARIANT_TABLE
from forsyth.limits import MAX_MOVE_TEXT, MAX_MOVES, MAX_PLAIN

NULL_MOVE: Final = "0000"
MAX_LINE: Final = MAX_PLAIN + 8 * MAX_MOVES
"""Characters: a FEN and as many moves as may be, the longest of five characters, with room for blanks."""

_STANDARD_START: Final = read_fen(START).require()
_SHAPE: Final = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?|[PNBRQ]@[a-h][1-8]")
_TO_KING: Final = re.compile(r"[a-h][1-8][a-h][1-8]k")
"""A pawn becomes a king in antichess alone."""
_WORD: Final = re.compile(r"\S+")
_CLOCKS: Final = {5: " 1", 4: " 0 1"}
"""What is put behind a FEN of five or four fields."""


class PositionLineError(ValueError):
    """A ``position`` line that cannot be followed.

    `index` is the 0-based index of the first bad move, None if the line itself is malformed; the `MoveError`
    that caused it says what is bad about the move.
    """

    def __init__(self, line: str, message: str, index: int | None = None) -> None:
        self.line = line
        self.index = index
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.line, str(self), self.index)


@dataclass(frozen=True, slots=True)
class PositionLine:
    """What a ``position`` line says: where it starts, the moves, and where they lead."""

    start: Position
    moves: tuple[Move, ...]
    position: Position


# --- moves ------------------------------------------------------------------------------------------


def read_uci_move(position: Position, text: str) -> Move:
    """The legal move a UCI text names; raises `MoveError`, invalid or illegal."""
    _require_own(position)
    if not isinstance(text, str):
        raise wrong_move_text_error(text)
    if text == NULL_MOVE:
        raise MoveError("illegal", text, "the null move 0000 is not allowed here, expected a legal move")
    if len(text) > MAX_MOVE_TEXT or not (_SHAPE.fullmatch(text) or _is_to_king(position, text)):
        raise MoveError(
            "invalid", text, f"{quoted(text)} is not a UCI move, expected one such as e2e4 or e7e8q"
        )
    legal = {move.uci: move for move in legal_moves(position)}
    found = legal.get(text) or _castling(position, text)
    if found is not None:
        return found
    candidates = [uci for uci in legal if uci.startswith(text[:2])]
    raise MoveError("illegal", text, f"{quoted(text)} is not a legal move here", candidates)


def _is_to_king(position: Position, text: str) -> bool:
    return bool(VARIANT_TABLE[position.rules].traits & MUST_CAPTURE and _TO_KING.fullmatch(text))


def _castling(position: Position, text: str) -> Move | None:
    """The castling that two squares name in another way than it is written, if they do."""
    try:
        move = read_san(position, text)
    except MoveError:
        return None
    return move if move.is_castling else None


def write_uci_move(position: Position, move: Move) -> str:
    """A legal move as UCI writes it; raises `MoveError` if it is not legal in the position."""
    _require_own(position)
    if not isinstance(move, Move):
        raise wrong_move_error("chess", move)
    if move not in legal_moves(position):
        raise MoveError("illegal", move.uci, f"{quoted(move.uci)} is not a legal move here")
    return move.uci


def _require_own(position: object) -> None:
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)


# --- lines ------------------------------------------------------------------------------------------


def read_position_line(line: str, *, chess960: bool = False) -> PositionLine:
    """Follow ``position (startpos | fen <fields>) [moves <move> …]``.

    Raises `FenError` for the FEN, with its places in the line, and `PositionLineError` for everything else.
    """
    require_text("the line", line)
    if len(line) > MAX_LINE:
        raise PositionLineError(line, f"the line has {len(line)} characters, expected at most {MAX_LINE}")
    words = list(_WORD.finditer(line))
    texts = [word.group() for word in words]
    split = texts.index("moves") if "moves" in texts else len(texts)
    if texts[:1] != ["position"] or texts[1:2] not in (["startpos"], ["fen"]):
        raise PositionLineError(line, "the line does not begin with 'position startpos' or 'position fen'")
    rules = CHESS960 if chess960 else STANDARD
    if texts[1] == "fen":
        start = _read_fields(line, words[2:split], rules)
    elif split > 2:
        raise PositionLineError(line, f"{quoted(texts[2])} after 'startpos', expected 'moves'")
    else:
        start = _start(rules)
    moves, position = _follow(line, start, texts[split + 1 :])
    return PositionLine(start, moves, position)


def write_position_line(start: Position, moves: tuple[Move, ...] = ()) -> str:
    """The ``position`` line of a start and the moves from there."""
    words = ["position", "startpos"] if start == _start(start.rules) else ["position", "fen", str(start)]
    if moves:
        words.append("moves")
    position = start
    for move in moves:
        words.append(write_uci_move(position, move))
        position = play(position, move)
    return " ".join(words)


def _start(rules: int) -> Position:
    return _STANDARD_START.replace(rules=rules)


def _read_fields(line: str, words: list[re.Match[str]], rules: int) -> Position:
    if not 4 <= len(words) <= 6:
        raise PositionLineError(line, f"{len(words)} fields after 'fen', expected 4 to 6")
    first, end = words[0].start(), words[-1].end()
    reading = read_fen(line[first:end] + _CLOCKS.get(len(words), ""), rules=rules)
    if reading.position is None or not reading.ok:
        raise FenError(line, [_moved(finding, first, end) for finding in reading.diagnostics])
    return reading.position


def _moved(finding: Diagnostic, by: int, end: int) -> Diagnostic:
    """The same finding placed in the whole line; clocks that were filled in have no place of their own."""
    fix = finding.fix
    if fix is not None:
        fix = None if by + fix.span.end > end else replace(fix, span=_shift(fix.span, by, end))
    return replace(finding, span=_shift(finding.span, by, end), fix=fix)


def _shift(span: Span, by: int, end: int) -> Span:
    return Span(min(span.start + by, end), min(span.end + by, end))


def _follow(line: str, start: Position, texts: list[str]) -> tuple[tuple[Move, ...], Position]:
    if len(texts) > MAX_MOVES:
        raise PositionLineError(line, f"{len(texts)} moves, expected at most {MAX_MOVES}", MAX_MOVES)
    moves = []
    position = start
    for index, text in enumerate(texts):
        try:
            move = read_uci_move(position, text)
        except MoveError as error:
            raise PositionLineError(line, f"move {index}: {error}", index) from error
        moves.append(move)
        position = play(position, move)
    return tuple(moves), position
