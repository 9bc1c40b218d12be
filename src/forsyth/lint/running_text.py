"""Positions in running text: in sentences, tables, comments, docstrings and links.

A position in running text begins with a board at the beginning of a word, after a bracket, a colon or an
equals sign. The fields follow it as words. `list_possible_ends` returns the possible ends of the position. A
text may be written as in a URL: in the path (``_`` for a blank) or as the value of ``fen=``.

In documents, all text is running text. In source code, only comments and triple-quoted strings are.

Limits: at most `_MAX_REST_LENGTH` characters after a board are examined. The patterns do not backtrack over
what they matched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import unquote

from forsyth.lint.candidates import Candidate, TextPart, join_parts
from forsyth.lint.kinds import DOCUMENT_KINDS, FileKind

_MAX_REST_LENGTH: Final = 300
_BOARD_WORD: Final = re.compile(
    r"(?<!\S)(?P<first_part>[^\s/\"'`\\]{1,200}+)(?:/[^\s/\"'`\\]{1,80}+){5,40}+(?![/\"'`\\])"
    rf"(?P<rest>[^\r\n\"`\\]{{0,{_MAX_REST_LENGTH}}}+)"
)
"""A word that contains a board, the part of it before the first slash, and the rest of its line."""
_BEFORE_BOARD: Final = re.compile(r".*[=:>*\[,;]|[|_~]+")
"""Characters before a board in the same word, as in ``FEN:8/8/...`` or ``**8/8/...``."""
_REST_END: Final = re.compile(r"[\t|<*#;,{}\])=→]|//|--|\s'")
"""The end of the words that can belong to a position."""
_WORD: Final = re.compile(r"\S+")
_LETTER_FIELD: Final = re.compile(
    r"-|[A-Za-z]|[KQkqA-Ha-h-]{1,4}|[RBGSNLPrbgsnlp]{1,14}|[A-Za-z0-9+-]{0,40}\d[A-Za-z0-9+-]{0,40}"
)
"""A word that looks like the side to move, the castling rights, the pieces in hand or a later field."""
_NUMBER_FIELD: Final = re.compile(r"-|[+-]?\d{1,5}|[A-Za-z]\d{1,2}|\d\+\d|\+\d\+\d")
"""A word that looks like one of the other fields: a square, a number, or checks such as ``3+3``."""
_LETTER_FIELD_COUNT: Final = 2
"""The number of fields after the board that can consist of letters, so that they look like words."""
_EPD_OPCODE: Final = re.compile(r"[A-Za-z]{2,}")
_EPD_FIELD_COUNT: Final = 3
"""The number of words after the board of an EPD text. An operation such as ``hmvc 0;`` can follow them."""
_MAX_FAULTY_FIELD_LENGTH: Final = 6
"""Maximum length of a word that can be a field with a mistake."""

_COMMENT_LINE: Final = re.compile(r"\s*(?:#|//|/\*|\*|--|;|%|<!--|\(\*|REM\b)", re.IGNORECASE)
_TRAILING_COMMENT: Final = re.compile(r"\s(?:#|//|/\*|--|;|%)[^\"'`]*$")
_BLOCK_DELIMITERS: Final = (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"))
"""The beginnings and ends of texts in source code that can have several lines."""
_MAX_CLOSING_LENGTH: Final = 3
"""The length of the longest end of such a text."""

_LINK: Final = re.compile(r"https?://[^\s\"'`<>\\)]{1,1000}+")
_QUERY_TEXT: Final = re.compile(r"[?&](?:fen|sfen|position)=(?P<text>[^&#]+)", re.IGNORECASE)
_URL_CHARACTER: Final = re.compile(r"%[0-7][0-9A-Fa-f]|.", re.DOTALL)
_MIN_SLASHES: Final = 5
"""The number of slashes in a board of six ranks. Boards with fewer ranks are not searched for."""
_SLASHES_BEFORE_HOST: Final = 2
_MAX_LINK_ALTERNATIVES: Final = 12
"""Maximum number of slashes in a link behind which a board is tried."""
_TRAILING_PUNCTUATION: Final = " .:!?_~"
"""Characters after a position in a sentence that do not belong to it."""
_TRAILING_LINK_PUNCTUATION: Final = ".,;:!?]*|"
_LINE_START_LENGTH: Final = 2 * _MAX_REST_LENGTH
"""Maximum number of characters before a board that are searched for the sign of a comment."""


def find_running_texts(text: str, kind: FileKind) -> Iterator[Candidate]:
    """Yield each text in sentences of a document, or in comments of source code, that begins with a board.

    A text goes on to a character that no position contains. It can therefore have words of the sentence at
    its end, and `Candidate.is_exact` is False.

    Args:
        text: The content of the file.
        kind: The kind of the file.
    """
    is_document = kind in DOCUMENT_KINDS
    # Most files of source code contain no board, so their comments are searched only if needed.
    comment_blocks: list[tuple[int, int]] | None = None
    for match in _BOARD_WORD.finditer(text):
        if not is_document:
            if comment_blocks is None:
                comment_blocks = _find_comment_blocks(text)
            if not _is_in_comment(text, match.start(), comment_blocks):
                continue
        first_part = match["first_part"]
        prefix_length = _measure_prefix(first_part)
        if prefix_length == len(first_part):
            continue
        start = match.start() + prefix_length
        rest_end = _REST_END.search(match["rest"])
        end = match.end("rest") if rest_end is None else match.start("rest") + rest_end.start()
        yield Candidate(start, text[start:end].rstrip(_TRAILING_PUNCTUATION), is_exact=False)


def _measure_prefix(first_part: str) -> int:
    """Return the number of characters before a board in its word, such as 4 for ``FEN:rnbqkbnr/...``.

    `first_part` is the part of the word before the first slash: ``FEN:rnbqkbnr``.
    """
    prefix = _BEFORE_BOARD.match(first_part)
    length = 0 if prefix is None else prefix.end()
    # A parenthesis with its closing one before the next slash is a stack of pieces, which the board contains.
    while first_part.startswith("(", length) and ")" not in first_part:
        length += 1
    return length


def find_links(text: str) -> Iterator[tuple[Candidate, ...]]:
    """Yield the texts in links, such as ``https://lichess.org/editor/8/8/..._w_-_-_0_1``.

    It is not certain behind which slash of a path the board begins. All texts that one link may contain are
    therefore yielded together, the longest text first.
    """
    for link in _LINK.finditer(text):
        address = link[0].rstrip(_TRAILING_LINK_PUNCTUATION)
        query = _QUERY_TEXT.search(address)
        if query is not None:
            query_text = _decode_url(query["text"], link.start() + query.start("text"), blank_signs="+_")
            if query_text.text.count("/") >= _MIN_SLASHES:
                yield (query_text,)
            continue
        path, *_ = re.split("[?#]", address, maxsplit=1)
        slash_count = path.count("/") + path.upper().count("%2F")
        if slash_count < _MIN_SLASHES:
            continue
        alternatives = _list_path_alternatives(_decode_url(path, link.start(), blank_signs="_"))
        if alternatives:
            yield alternatives


def _list_path_alternatives(address: Candidate) -> tuple[Candidate, ...]:
    """Return the end of a web address behind each slash that may precede a board, the longest end first.

    `address` is the decoded address. Its board has at least `_MIN_SLASHES` slashes, so it cannot begin behind
    one of the last slashes.
    """
    slashes = [match.start() for match in re.finditer("/", address.text)]
    board_starts = [slash + 1 for slash in slashes[_SLASHES_BEFORE_HOST:-_MIN_SLASHES]]
    address_end = len(address.text)
    return tuple(
        address.slice_text(start, address_end)._replace(is_exact=False)
        for start in board_starts[-_MAX_LINK_ALTERNATIVES:]
    )


def list_possible_ends(text: str, usual_count: int) -> list[int]:
    """Return the offsets at which a position in a sentence may end, the largest one first.

    After the board, the position has as many fields as the game expects, or one too many. One of them may
    have a mistake, so that it does not look like a field. If fewer words look like fields, the position ends
    with the last of them, or with the word before it.

    Args:
        text: A board and the words after it, of which the last ones may belong to the sentence.
        usual_count: The number of fields of a text of the game, such as 6 for chess.
    """
    board, *word_matches = _WORD.finditer(text)
    words = [match[0] for match in word_matches]
    # The end of the board, then the end of each word: `ends[3]` is the end of a position of four fields.
    ends = [board.end(), *(match.end() for match in word_matches)]
    expected_count = usual_count - 1
    field_count = _count_leading_fields(words)
    if field_count >= expected_count:
        # A number after a position can be a field too many, or belong to the sentence.
        max_count = min(field_count, expected_count + 1)
        return [ends[count] for count in range(max_count, expected_count - 1, -1)]
    if _has_one_faulty_field(words, expected_count):
        return [ends[expected_count]]
    # The last word can belong to the sentence, such as the evaluation after a text without move counters.
    return [ends[count] for count in (field_count, field_count - 1) if count > 0]


def _count_leading_fields(words: Sequence[str]) -> int:
    """Return the number of words after a board before the first one that does not look like a field."""
    for index, word in enumerate(words):
        if not _resembles_field(index, word):
            return index
    return len(words)


def _resembles_field(index: int, word: str) -> bool:
    """Return True if a word looks like the field that has the number `index`, from 0, after the board.

    The first two fields can be letters, such as ``w`` and ``KQkq``. The others are squares or numbers.
    """
    pattern = _LETTER_FIELD if index < _LETTER_FIELD_COUNT else _NUMBER_FIELD
    return pattern.fullmatch(word) is not None


def _has_one_faulty_field(words: Sequence[str], expected_count: int) -> bool:
    """Return True if the first `expected_count` words after a board are its fields, one of them faulty.

    The faulty word must be short. If it is the last of these words, the text must end there, because the word
    could belong to the sentence. An EPD operation, such as ``hmvc 0;``, is not a field.
    """
    if len(words) < expected_count:
        return False
    faulty_words = [
        word for index, word in enumerate(words[:expected_count]) if not _resembles_field(index, word)
    ]
    if len(faulty_words) != 1 or len(faulty_words[0]) > _MAX_FAULTY_FIELD_LENGTH:
        return False
    has_operation = (
        len(words) > _EPD_FIELD_COUNT and _EPD_OPCODE.fullmatch(words[_EPD_FIELD_COUNT]) is not None
    )
    if has_operation:
        return False
    last_index = expected_count - 1
    is_end_of_text = len(words) == expected_count
    return is_end_of_text or _resembles_field(last_index, words[last_index])


def _decode_url(encoded: str, file_offset: int, *, blank_signs: str) -> Candidate:
    """Decode a part of a URL, in which ``%2F`` stands for a slash, and return its text and place in the file.

    Args:
        encoded: The part of the URL.
        file_offset: The number of characters before it in the file.
        blank_signs: The characters that stand for a blank, such as ``+_``.
    """
    parts = []
    for match in _URL_CHARACTER.finditer(encoded):
        decoded = " " if match[0] in blank_signs else unquote(match[0])
        parts.append(TextPart(file_offset + match.start(), decoded))
    return join_parts(parts)


def _is_in_comment(text: str, offset: int, comment_blocks: list[tuple[int, int]]) -> bool:
    """Return True if the character at `offset` of a source file is in a comment or in a docstring.

    Args:
        text: The content of the file.
        offset: The number of characters before the character in the file.
        comment_blocks: The start and end offsets of the comments and texts that can have several lines.
    """
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    line_before = text[max(line_start, offset - _LINE_START_LENGTH) : offset]
    if any(start <= offset < end for start, end in comment_blocks):
        has_other_quote = '"' in line_before.replace('"""', "")
        return not has_other_quote
    if _COMMENT_LINE.match(line_before) is not None:
        return True
    comment = _TRAILING_COMMENT.search(line_before)
    if comment is None:
        return False
    # After an odd number of quotes, the sign of a comment is part of a quoted text.
    return line_before.count('"', 0, comment.start()) % 2 == 0


def _find_comment_blocks(text: str) -> list[tuple[int, int]]:
    """Return the start and end offsets of each comment or quoted text that can have several lines.

    These are texts such as ``/* ... */`` and docstrings. `text` is the content of a source file.
    """
    closings = dict(_BLOCK_DELIMITERS)
    any_opening = re.compile("|".join(re.escape(opening) for opening in closings))
    blocks: list[tuple[int, int]] = []
    opening = any_opening.search(text)
    while opening is not None:
        end = text.find(closings[opening[0]], opening.end())
        if end < 0:
            break
        blocks.append((opening.start(), end))
        opening = any_opening.search(text, end + _MAX_CLOSING_LENGTH)
    return blocks
