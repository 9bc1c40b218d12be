"""Positions in running text: in sentences, tables, comments, docstrings and links.

A position in running text begins with a board at the beginning of a word, after a bracket, a colon or an
equals sign. The fields follow it as words. `list_ends` returns where the position may end. A text may be
written as in a URL: in the path (``_`` for a blank) or as the value of ``fen=``.

In documents, all text is running text. In source code, only comments and triple-quoted strings are.

Limits: at most `_MAX_REST` characters after a board are examined. The patterns do not backtrack over what
they matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from forsyth.lint.kinds import DOCUMENT_KINDS, FileKind
from forsyth.lint.spots import Spot, join_parts

_MAX_REST: Final = 300
_BOARD_WORD: Final = re.compile(
    r"(?<!\S)(?P<first>[^\s/\"'`\\]{1,200}+)(?:/[^\s/\"'`\\]{1,80}+){5,40}+(?![/\"'`\\])"
    rf"(?P<rest>[^\r\n\"`\\]{{0,{_MAX_REST}}}+)"
)
"""A word that contains a board, and the rest of its line up to a quote."""
_BEFORE_BOARD: Final = re.compile(r".*[=:>*\[,;]|[|_~]+")
"""Characters before a board in the same word, as in ``FEN:8/8/...`` or ``**8/8/...``."""
_REST_END: Final = re.compile(r"[\t|<*#;,{}\])=→]|//|--|\s'")
"""The end of the words that can belong to a position."""
_WORD: Final = re.compile(r"\S+")
_FIRST_FIELD: Final = re.compile(
    r"-|[A-Za-z]|[KQkqA-Ha-h-]{1,4}|[RBGSNLPrbgsnlp]{1,14}|[A-Za-z0-9+-]{0,40}\d[A-Za-z0-9+-]{0,40}"
)
"""A word that looks like the side to move, the castling rights, the pieces in hand or a later field."""
_LAST_FIELD: Final = re.compile(r"-|[+-]?\d{1,5}|[A-Za-z]\d{1,2}|\d\+\d|\+\d\+\d")
"""A word that looks like one of the other fields: a square, a number, or checks such as ``3+3``."""
_FIRST_FIELD_COUNT: Final = 2
"""The number of fields after the board that can consist of letters, so that they look like words."""
_OPCODE: Final = re.compile(r"[A-Za-z]{2,}")
_EPD_FIELDS: Final = 3
"""The number of words after the board of an EPD text. An operation such as ``hmvc 0;`` can follow them."""
_MAX_FIELD: Final = 6
"""Maximum length of a word that can be a field with a mistake."""
_FULL_FIELD_COUNT: Final = 6
"""A game whose texts have this many fields. With one field fewer, a text cannot be a word of a sentence."""

_COMMENT_LINE: Final = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|<!--|\(\*|REM\b)", re.IGNORECASE)
_TRAILING_COMMENT: Final = re.compile(r"\s(?:#|//|/\*|--|;|%)[^\"'`]*$")
_BLOCKS: Final = (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"))
"""The beginnings and ends of texts in source code that consist of several lines."""

_LINK: Final = re.compile(r"https?://[^\s\"'`<>\\)]{1,1000}+")
_QUERY_TEXT: Final = re.compile(r"[?&](?:fen|sfen|position)=(?P<text>[^&#]+)", re.IGNORECASE)
_CODED: Final = re.compile(r"%[0-7][0-9A-Fa-f]|.", re.DOTALL)
_MIN_SLASHES: Final = 5


def find_running_texts(text: str, kind: FileKind) -> Iterator[Spot]:
    """Yield the texts that begin with a board in running text. Each of them can have more words at its end.

    Args:
        text: The content of the file.
        kind: The kind of the file.
    """
    is_document = kind in DOCUMENT_KINDS
    blocks: list[tuple[int, int]] | None = None
    for match in _BOARD_WORD.finditer(text):
        if not is_document:
            blocks = _list_blocks(text) if blocks is None else blocks
            if not _is_comment(text, match.start(), blocks):
                continue
        first = match["first"]
        prefix = _BEFORE_BOARD.match(first)
        skipped = 0 if prefix is None else prefix.end()
        # A parenthesis also opens a stack of pieces, which is closed before the next slash.
        while first.startswith("(", skipped) and ")" not in first:
            skipped += 1
        if skipped == len(first):
            continue
        start = match.start() + skipped
        rest_end = _REST_END.search(match["rest"])
        end = match.start("rest") + (len(match["rest"]) if rest_end is None else rest_end.start())
        yield Spot(start, text[start:end].rstrip(" .:!?_~"), is_exact=False)


def find_links(text: str) -> Iterator[tuple[Spot, ...]]:
    """Yield the texts in links, such as ``https://lichess.org/editor/8/8/..._w_-_-_0_1``.

    The beginning of a board in a path is not certain. All possible texts of one link are therefore yielded
    together, the longest text first.
    """
    for link in _LINK.finditer(text):
        address = link[0].rstrip(".,;:!?]*|")
        query_text = _QUERY_TEXT.search(address)
        if query_text is not None:
            decoded = _decode(query_text["text"], link.start() + query_text.start("text"), "+_")
            if decoded.text.count("/") >= _MIN_SLASHES:
                yield (decoded,)
            continue
        path = re.split("[?#]", address, maxsplit=1)[0]
        if path.count("/") + path.upper().count("%2F") < _MIN_SLASHES:
            continue
        decoded = _decode(path, link.start(), "_")
        slashes = [slash.start() for slash in re.finditer("/", decoded.text)]
        starts = [slash + 1 for slash in slashes[2:-_MIN_SLASHES]]
        if starts:
            texts = (decoded.cut(start, len(decoded.text)) for start in starts[-12:])
            yield tuple(spot._replace(is_exact=False) for spot in texts)


def list_ends(text: str, usual_count: int) -> list[int]:
    """Return the offsets at which a position in running text may end, the largest one first.

    A position has as many fields as the game expects, of which at most one does not look like a field, or one
    field too many. If there are fewer words that look like fields, it has as many as there are, or one fewer.

    Args:
        text: A board and the words after it.
        usual_count: The number of fields of a text of the game, such as 6 for chess.
    """
    board, *words = list(_WORD.finditer(text))
    looks_right = [
        (_FIRST_FIELD if index < _FIRST_FIELD_COUNT else _LAST_FIELD).fullmatch(word[0]) is not None
        for index, word in enumerate(words)
    ]
    ends = [board.end(), *(word.end() for word in words)]
    right_count = looks_right.index(False) if False in looks_right else len(words)
    expected_count = usual_count - 1
    if right_count >= expected_count:
        # A number after a position can be a field too many, or belong to the sentence.
        max_count = min(right_count, expected_count + 1)
        return [ends[count] for count in range(max_count, expected_count - 1, -1)]
    faulty_words = [
        word[0] for word, is_right in zip(words, looks_right[:expected_count], strict=False) if not is_right
    ]
    is_faulty_field = (
        len(words) >= expected_count
        and len(faulty_words) == 1
        and len(faulty_words[0]) <= _MAX_FIELD
        and _OPCODE.fullmatch(words[_EPD_FIELDS][0] if len(words) > _EPD_FIELDS else "") is None
        and (looks_right[expected_count - 1] or len(words) == expected_count)
    )
    if is_faulty_field:
        return [ends[expected_count]]
    # The last word can belong to the sentence, such as the evaluation after a text without clocks.
    return [ends[count] for count in (right_count, right_count - 1) if count > 0]


def _decode(coded: str, offset: int, blanks: str) -> Spot:
    """Return the text that a part of a URL contains.

    Args:
        coded: The part of the URL.
        offset: The number of characters before it in the file.
        blanks: The characters that stand for a blank.
    """
    parts = []
    for match in _CODED.finditer(coded):
        character = match[0]
        decoded = " " if character in blanks else unquote(character)
        parts.append((offset + match.start(), decoded))
    return join_parts(parts)


def _is_comment(text: str, offset: int, blocks: list[tuple[int, int]]) -> bool:
    """Return True if a place in source code is in a comment or a text of several lines.

    `blocks` has the beginnings and ends of the blocks.
    """
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    before = text[max(line_start, offset - 2 * _MAX_REST) : offset]
    if any(start <= offset < end for start, end in blocks):
        return '"' not in before.replace('"""', "")
    if _COMMENT_LINE.match(before) is not None:
        return True
    comment = _TRAILING_COMMENT.search(before)
    return comment is not None and before.count('"', 0, comment.start()) % 2 == 0


def _list_blocks(text: str) -> list[tuple[int, int]]:
    """Return the beginning and the end of each text of several lines in source code, in order."""
    openings = re.compile("|".join(re.escape(opening) for opening, _ in _BLOCKS))
    closings = dict(_BLOCKS)
    blocks: list[tuple[int, int]] = []
    opening = openings.search(text)
    while opening is not None:
        end = text.find(closings[opening[0]], opening.end())
        if end < 0:
            break
        blocks.append((opening.start(), end))
        opening = openings.search(text, end + 3)
    return blocks
