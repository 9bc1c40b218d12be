"""The moves of a text after an edit: words that are still said keep their bytes, the others are new.

A word is known by what it says and by the moves before it, so that it keeps its bytes wherever it stands now,
as when a variation becomes the main line. Numbers and blanks go with the word that they stand before; where
that word has another neighbour than in the text, the blanks between them are new.

Limits: a text that says more or less than its record, as with a word that was skipped, is refused with None.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from forsyth.limits import MAX_RECORD
from forsyth.record.model import GLYPHS, Line, Record
from forsyth.record.results import read_result
from forsyth.record.tokens import Scanner, Token

_Places = dict[tuple[int, str], int]
"""The number of each position that moves lead to, by the position before and the move; the start is 0."""

_START: Final = 0


class _Word(NamedTuple):
    kind: str
    says: tuple[Any, ...]
    """What it says, and after which moves: equal words of two texts say the same."""
    before: str
    """Blanks and the number."""
    text: str


def spliced_moves(
    old: str, old_record: Record[Any, Any], new: str, record: Record[Any, Any], newline: str, width: int
) -> str | None:
    """The text `new` of a record's moves with all that `old` says too as it stands there."""
    places: _Places = {}
    have, want = _words(old, old_record, places), _words(new, record, places)
    if have is None or want is None:
        return None
    if have and record.result == old_record.result and not any(word.kind == "result" for word in have):
        # A record that ends without a result stays one.
        want = want[:-1]
    return _joined(have, want, newline, width)


def _words(text: str, record: Record[Any, Any], places: _Places) -> list[_Word] | None:
    if len(text) > MAX_RECORD:
        return None
    scanner = Scanner(io.StringIO(text, newline=""))
    scanner.use(record.game.move_pattern)
    moves = _moves(record.line)
    found: list[_Word] = []
    around: list[tuple[int, int]] = []
    last = here = _START
    end = 0
    while (token := scanner.token()).kind != "end":
        if token.kind == "number":
            continue
        if token.kind == "move":
            move = next(moves, None)
            if move is None:
                return None
            last, here = here, places.setdefault((here, move), len(places) + 1)
        said = _said(token)
        if said is None:
            return None
        found.append(_Word(token.kind, (*said, here), text[end : token.start], text[token.start : token.end]))
        end = token.end
        if token.kind == "open":
            around.append((last, here))
            here = last
        elif token.kind == "close":
            if not around:
                return None
            last, here = around.pop()
    return found if next(moves, None) is None else None


def _moves(line: Line) -> Iterator[str]:
    """The moves of a line in the order in which they are written."""
    for node in line:
        yield node.text
        for variation in node.variations:
            yield from _moves(variation)


def _said(token: Token) -> tuple[Any, ...] | None:
    """What a word says; None for what belongs in no record."""
    kind, text = token.kind, token.text
    if kind in ("move", "open", "close"):
        return (kind,)
    if kind == "comment":
        return kind, text
    if kind == "result":
        return kind, read_result(text)
    if kind == "nag" and text[1:].isdecimal():
        return "glyph", int(text[1:])
    return ("glyph", GLYPHS[text]) if kind == "suffix" and text in GLYPHS else None


def _joined(have: list[_Word], want: list[_Word], newline: str, width: int) -> str:
    known: dict[tuple[Any, ...], deque[int]] = {}
    for place, word in enumerate(have):
        known.setdefault(word.says, deque()).append(place)
    pieces: list[str] = []
    column = 0
    last: str | None = None
    for word in want:
        found = known.get(word.says)
        index = found.popleft() if found else None
        kept = word if index is None else have[index]
        if index is not None and last == (have[index - 1].text if index else None):
            piece = kept.before + kept.text
        else:
            piece = _numbered(kept, word)
            piece = _gap(last, word.kind, column + len(piece) >= width > 0, newline) + piece
        pieces.append(piece)
        column = len(piece) - piece.rfind("\n") - 1 if "\n" in piece else column + len(piece)
        last = kept.text
    return "".join(pieces)


def _numbered(word: _Word, written: _Word) -> str:
    """A word with its number, or else the one that is written; none where none is due now."""
    own, due = word.before.lstrip(), written.before.lstrip()
    return (own if own and due else due) + word.text


def _gap(last: str | None, kind: str, full: bool, newline: str) -> str:
    """What stands between the last word and a new neighbour."""
    if last is None:
        return ""
    if last.startswith(";"):
        # Such a comment ends with its line.
        return newline
    if last == "(" or kind == "close":
        return ""
    return newline if full else " "
