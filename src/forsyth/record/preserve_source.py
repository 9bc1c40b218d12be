"""Write the moves of an edited record, and reuse the source text of every word that is still the same.

A word is identified by its content and by the moves before it, so its source text is reused wherever the word
is now, for example after a variation became the main line. The move number and the blanks before a word
belong to it. If the word has a new neighbour, the blanks between the two are written anew.

Limits: `splice_moves` returns None if the text contains more or less than its record, for example a word that
was left out when the record was read.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from forsyth.dashes import DASHES
from forsyth.limits import MAX_RECORD
from forsyth.record.model import GLYPHS, SYMBOL_GLYPHS, Line, Record
from forsyth.record.results import read_result
from forsyth.record.tokens import Scanner, Token

_PositionIds = dict[tuple[int, str], int]
"""The id of each position in the tree of moves, by the id of the position before it and the move."""

_START_ID: Final = 0
"""The id of the start position."""


class _Word(NamedTuple):
    """A move, comment, glyph, bracket or result in the moves of a record."""

    kind: str
    identity: tuple[Any, ...]
    """The content of the word and the id of its position: equal words of two texts have equal identities."""
    before: str
    """The blanks and the move number before the word."""
    text: str


def splice_moves(
    old_text: str,
    old_record: Record[Any, Any],
    new_text: str,
    new_record: Record[Any, Any],
    newline: str,
    width: int,
) -> str | None:
    """Return `new_text`, but write each word that `old_text` also contains as it is written there.

    Args:
        old_text: The moves of the record before it was edited, without tags.
        old_record: The record that was read from `old_text`.
        new_text: The moves of the edited record, without tags.
        new_record: The edited record.
        newline: The line end to write, LF or CRLF.
        width: Maximum length of a line, in characters, before a new word; 0 for no limit.

    Returns:
        The combined text, or None if one of the texts contains more or less than its record.
    """
    position_ids: _PositionIds = {}
    old_words = _split_words(old_text, old_record, position_ids)
    new_words = _split_words(new_text, new_record, position_ids)
    if old_words is None or new_words is None:
        return None
    lacks_result = bool(old_words) and not any(word.kind == "result" for word in old_words)
    if lacks_result and new_record.result == old_record.result:
        # The result is the last word. A record that ended without a result still does.
        new_words = new_words[:-1]
    return _join_words(old_words, new_words, newline, width)


def _split_words(text: str, record: Record[Any, Any], position_ids: _PositionIds) -> list[_Word] | None:
    """Return the words of `text`, the moves of a record, or None if the text and the record differ.

    They differ if the text does not have as many moves as the record, or contains something that does not
    belong in a record. Positions that `position_ids` does not contain yet are added to it.
    """
    if len(text) > MAX_RECORD:
        return None
    scanner = Scanner(io.StringIO(text, newline=""))
    scanner.set_move_pattern(record.game.move_pattern)
    moves = _iter_moves(record.line)
    words: list[_Word] = []
    # The ids of the positions before and after the last move, and those of the lines around a variation.
    before_move = after_move = _START_ID
    outer_positions: list[tuple[int, int]] = []
    last_word_end = 0
    while (token := scanner.next_token()).kind != "end":
        if token.kind == "number":
            # A move number becomes a part of the blanks before the next word.
            continue
        if token.kind == "move":
            move = next(moves, None)
            if move is None:
                return None
            before_move = after_move
            new_id = len(position_ids) + 1
            after_move = position_ids.setdefault((before_move, move), new_id)

        content = _content_of(token)
        if content is None:
            return None
        blanks_before = text[last_word_end : token.start]
        word_text = text[token.start : token.end]
        words.append(_Word(token.kind, (*content, after_move), blanks_before, word_text))
        last_word_end = token.end

        if token.kind == "open":
            # The moves of a variation are played from the position before the last move.
            outer_positions.append((before_move, after_move))
            after_move = before_move
        elif token.kind == "close":
            if not outer_positions:
                return None
            before_move, after_move = outer_positions.pop()
    has_all_moves = next(moves, None) is None
    return words if has_all_moves else None


def _iter_moves(line: Line) -> Iterator[str]:
    """Yield the moves of a line and its variations in the order in which they are written."""
    for node in line:
        yield node.text
        for variation in node.variations:
            yield from _iter_moves(variation)


def _content_of(token: Token) -> tuple[Any, ...] | None:
    """Return a token's kind and meaning, or None if the token does not belong in a record.

    ``!?`` and ``$5`` both give ``("glyph", 5)``. Moves and brackets have no meaning besides their kind,
    because the caller adds the position, which identifies them.
    """
    kind, text = token.kind, token.text
    if kind in ("move", "open", "close"):
        return (kind,)
    if kind == "comment":
        return kind, text
    if kind == "result":
        return kind, read_result(text)
    if kind == "nag" and text[1:].isdecimal():
        return "glyph", int(text[1:])
    if kind == "suffix" and text in GLYPHS:
        return "glyph", GLYPHS[text]
    if kind == "odd" and text.translate(DASHES) in SYMBOL_GLYPHS:
        return "glyph", SYMBOL_GLYPHS[text.translate(DASHES)]
    return None


def _join_words(old_words: list[_Word], new_words: list[_Word], newline: str, width: int) -> str:
    """Return the new words as one text, spelled as in the old text where it contains the same word.

    Args:
        old_words: The words of the text that was read.
        new_words: The words to write.
        newline: The line end to write, LF or CRLF.
        width: Maximum length of a line, in characters, before a new word; 0 for no limit.
    """
    # The indices of old words that were not written yet, by the identity of the word.
    unused_indices: dict[tuple[Any, ...], deque[int]] = {}
    for old_index, old_word in enumerate(old_words):
        unused_indices.setdefault(old_word.identity, deque()).append(old_index)

    pieces: list[str] = []
    line_length = 0
    last_text: str | None = None
    for new_word in new_words:
        same_words = unused_indices.get(new_word.identity)
        index = same_words.popleft() if same_words else None
        word = new_word if index is None else old_words[index]
        text_before_in_source = old_words[index - 1].text if index else None
        if index is not None and last_text == text_before_in_source:
            # The word before is that of the old text, so the blanks between the two are kept too.
            piece = word.before + word.text
        else:
            numbered_word = _with_number(word, new_word)
            is_full = width > 0 and line_length + len(numbered_word) >= width
            piece = _separator(last_text, new_word.kind, is_full, newline) + numbered_word
        pieces.append(piece)
        _, line_end, last_line = piece.rpartition("\n")
        line_length = len(last_line) if line_end else line_length + len(piece)
        last_text = word.text
    return "".join(pieces)


def _with_number(word: _Word, new_word: _Word) -> str:
    """Return the text of `word`, with a move number such as ``12.`` before it if `new_word` has one.

    `word` and `new_word` are the same word in the source text and in the newly written text. The number is
    spelled as in the source text if it is there too.
    """
    source_number = word.before.lstrip()
    new_number = new_word.before.lstrip()
    number = source_number if source_number and new_number else new_number
    return number + word.text


def _separator(last_text: str | None, kind: str, is_full: bool, newline: str) -> str:
    """Return the blanks to write before a word: a space, a line end, or nothing next to a bracket.

    Args:
        last_text: The word before; None at the beginning of the text.
        kind: The kind of the word, such as ``move`` or ``close`` (a closing bracket).
        is_full: Whether the word does not fit on the line.
        newline: The line end to write.
    """
    if last_text is None:
        return ""
    if last_text.startswith(";"):
        # Such a comment ends with its line.
        return newline
    is_next_to_bracket = last_text == "(" or kind == "close"
    if is_next_to_bracket:
        return ""
    return newline if is_full else " "
