r"""Recognition of position texts among other texts. A false alarm is worse than a missed position.

A *candidate* is a text that may be a position:

- a text in quotes (``"``, ``'``, a backtick, or one of them after a backslash) that begins right after the
  opening quote and ends right before the same quote on the same line, in JSON also with ``\/`` for a slash;
- several such texts that follow each other, with a blank or a slash where they meet;
- in Markdown also a complete line of a fenced block;
- in YAML also a plain value after a key or a dash;
- in tables (CSV) also a complete cell;
- a text in a link, and in running text (see `forsyth.lint.running_text`);
- in FEN and EPD files each line that is not blank and does not begin with ``#``.

Except in FEN and EPD files, a candidate begins with a board: at least six parts, separated by slashes. A
text with a backslash, braces, ``$``, ``%``, angle brackets or an ellipsis is a template and not a candidate.
A part of a longer text is not a candidate either: it has a blank at its end, a plus sign beside its quotes,
or a text before it that ends with a slash.

`is_position` then asks the games. A text is a position if one game rates it as likely, and as more likely
than other games do, and if it has about as many fields as the start of that game: at most two fewer, at most
one more. A board alone or a UCI line is therefore not taken for a position with errors. An empty board is not
a position either, because programs use it as a template.

`is_false_alarm` examines the findings about such a text. Several characters that the game does not know show
that the text belongs to another game, such as makruk. A number followed by punctuation, or a word after the
last field, shows that it is a row of data.

Limits: a part of a board has at most `_MAX_PART_LENGTH` characters, a candidate about MAX_PLAIN. The patterns
do not backtrack over what they matched, so that the time is proportional to the length of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from forsyth import registry
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game, VariantNames
from forsyth.limits import MAX_PLAIN
from forsyth.lint.candidates import Candidate, TextPart, join_parts
from forsyth.lint.kinds import POSITION_KINDS, FileKind
from forsyth.lint.running_text import find_links, find_running_texts

_MIN_LIKELIHOOD: Final = 0.8
"""Minimum likelihood of a position. It admits a text that lacks a rank, but not one with other letters."""

_MAX_MISSING_FIELDS: Final = 2
_MAX_EXTRA_FIELDS: Final = 1
_MIN_FIELDS: Final = 2
_MAX_PART_LENGTH: Final = 80
"""Maximum length of a part of a board between slashes. A rank of CoTuLenh stacks has about 70 characters."""

_RANK: Final = rf"[^\s/\\\"'`]{{1,{_MAX_PART_LENGTH}}}+"
_BOARD: Final = rf"{_RANK}(?:\\?/{_RANK}){{5,40}}+"
"""A board. JSON can contain a backslash before each slash."""
_GAP_BETWEEN_LITERALS: Final = r"[\s+.&\\]{0,200}+"
_CELL_RANK: Final = rf"[^\s/\\\"'`,;|]{{1,{_MAX_PART_LENGTH}}}+"
_BOARD_AT_START: Final = re.compile(_BOARD)
_ESCAPED_SLASH: Final = "\\/"
_PART_BEFORE_SLASH: Final = re.compile(r"\\?/[^\\/]*|[^\\/]+|\\")
"""A slash, which may be escaped, and the text up to the next slash."""
_DIVIDERS: Final = (" ", "/")
"""Characters at which a position may be divided into several quoted texts."""
_QUOTED: Final = re.compile(
    rf"(?P<quote>\\?[\"'`])(?P<text>{_BOARD}[^\r\n\\\"'`]{{0,{MAX_PLAIN}}}+)(?P=quote)"
)
_QUOTE_JUNCTION: Final = rf"(?:[\"'`]{_GAP_BETWEEN_LITERALS}[rbuRBU]?[\"'`])?+"
"""The place in a board where one quoted text ends and the next one begins."""
_BOARD_HINT: Final = re.compile(
    rf"/{_QUOTE_JUNCTION}{_RANK}(?:{_QUOTE_JUNCTION}\\?/{_QUOTE_JUNCTION}{_RANK}){{4}}".encode()
)
"""A part of every board, to find out quickly whether a file has one. It begins with a rare character."""
_URL_BOARD_HINT: Final = re.compile(rb"%2[Ff](?:[^\s%]{1,80}+%2[Ff]){4}")
"""The same for a board in a URL. With both in one pattern, the search would take much longer."""
_ADJACENT_QUOTED: Final = re.compile(
    rf"(?P<quote>[\"'`])(?:{_RANK}/[^\r\n\\\"'`]{{0,{MAX_PLAIN}}}+)(?P=quote)"
    rf"(?:{_GAP_BETWEEN_LITERALS}[rbuRBU]?(?P=quote)[^\r\n\\\"'`]{{1,{MAX_PLAIN}}}+(?P=quote)){{1,20}}+"
)
"""Quoted texts that follow each other, perhaps with a plus sign between them."""
_TABLE_CELL: Final = re.compile(
    rf"(?:^|[,;\t|])[ ]*+(?P<text>{_CELL_RANK}(?:/{_CELL_RANK}){{5,40}}+[^,;\t|\r\n\"]{{0,{MAX_PLAIN}}}+)"
    r"(?=[,;\t|\r\n]|$)",
    re.MULTILINE,
)
"""A cell of a table without quotes."""
_TEMPLATE: Final = re.compile(r"[{}$%<>\\…]|\.\.|\s$")
_TEXT_TO_CONTINUE: Final = re.compile(r"(?:/\\?[\"'`]|\+)[\s\\]*$")
"""The end of a text that the next quoted text continues."""
_PLUS_AFTER: Final = re.compile(r"[ \t]*+\+")
_LOOKBEHIND_LENGTH: Final = 200
"""Number of characters before a text that are searched for a text to continue: a line break and an indent."""
_NONEMPTY_LINE: Final = re.compile(r"[^\r\n]+")
_FENCE: Final = re.compile(r"[ \t>]{0,32}+(?P<mark>`{3,}+|~{3,}+)[ \t]{0,8}(?P<language>\w*)")
_DIFF_LANGUAGES: Final = ("diff", "patch")
"""The languages of fenced blocks in which a sign is added to the beginning of each line."""
_YAML_KEY: Final = re.compile(
    rf"[ \t]*+(?:-[ \t]++)*+(?:[\"']?[\w.-]{{1,{_MAX_PART_LENGTH}}}+[\"']?[ \t]*+:[ \t]++)?"
)
"""The text before a YAML value: dashes and a key."""
_YAML_VALUE: Final = re.compile(rf"(?P<text>{_BOARD}[^\r\n#]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*+(?:#.*)?$")
_BOARD_LINE: Final = re.compile(rf"[ \t]*+(?P<text>{_BOARD}[^\r\n]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*$")
_PIECE_LETTER: Final = re.compile("[A-Za-z]")
_UNKNOWN_CHAR_SUFFIXES: Final = (".char", ".value")
"""The ends of codes of findings about a character or value that the game does not know."""
_DATA_SEPARATORS: Final = (",", ";", ":", "=")
"""Characters that separate a board from what is before it in a row of data, as in ``12,8/8/...``."""
_INVALID_VALUE_SUFFIX: Final = ".value"
_NUMBER_IN_DATA: Final = re.compile(r"[0-9]+[;,.|]")
FIELD_COUNT_CODE: Final = "fen.fields"
_EXTRA_FIELD: Final = re.compile(r"-|\d{1,4}|[wbKQkq]{1,4}")
"""A word after the last field that is a field too many, and not a word of a row of data."""
_PUNCTUATION: Final = re.compile(r"[\W_]+")
_SIMILAR_VARIANTS: Final = {"suicide": "antichess"}
"""A variant that has the same legal positions, for each name of a variant that Forsyth does not play."""
_MIN_VARIANT_NAME_LENGTH: Final = 5
"""Minimum length of the name of a variant. Shorter names, such as ``zh``, are parts of other words."""
_COMMENT: Final = "#"
_BYTE_ORDER_MARK: Final = "\ufeff"
_STORE_PREFIX: Final = "state_"
"""The beginning of an identifier of a store. The linter has no store to look it up."""


def may_hold_positions(data: bytes, kind: FileKind) -> bool:
    """Return False if a file certainly contains no position text, so that it need not be decoded.

    A board such as ``8/8/4k3/8/8/4K3/8/8`` has at least six parts between slashes. Without such bytes, the
    file contains no position. For a FEN, EPD or PGN file, return True, because each of its lines is checked.

    Args:
        data: The content of the file.
        kind: The kind of the file.
    """
    if kind in POSITION_KINDS:
        return True
    return _BOARD_HINT.search(data) is not None or _URL_BOARD_HINT.search(data) is not None


def find_candidates(text: str, kind: FileKind) -> list[tuple[Candidate, ...]]:
    """Return the texts in a file that may be positions, in order.

    In a FEN or EPD file, these are all lines. In other files, these are texts that begin with a board such as
    ``8/8/4k3/8/8/4K3/8/8``. An element of the result has the texts that may be meant at one place: all texts
    that a link may contain, and elsewhere a single text.

    Args:
        text: The content of the file.
        kind: The kind of the file.
    """
    if kind in POSITION_KINDS:
        return [(line,) for line in _find_lines(text)]
    alternatives_by_start: dict[int, tuple[Candidate, ...]] = {}
    for alternatives in _find_by_all_searches(text, kind):
        # A text with braces or a percent sign, for example, is a template that a program fills in.
        is_template = any(_TEMPLATE.search(candidate.text) for candidate in alternatives)
        if not is_template:
            # Two searches can find the same text. The first one knows best where the text ends.
            alternatives_by_start.setdefault(alternatives[0].start, alternatives)
    return [alternatives_by_start[start] for start in sorted(alternatives_by_start)]


def _find_by_all_searches(text: str, kind: FileKind) -> Iterator[tuple[Candidate, ...]]:
    """Yield the results of each search that applies to a kind of file, the most exact search first.

    A result has the texts that may be meant at one place: all texts that a link may contain, and elsewhere a
    single text. Several searches can find the same text.
    """
    candidates = [*_find_quoted_texts(text), *_find_structured_texts(text, kind)]
    if kind is not FileKind.TABLE:
        diff_spans = _list_diff_spans(text) if kind is FileKind.MARKDOWN else []
        running_texts = find_running_texts(text, kind)
        candidates += [found for found in running_texts if not _is_inside(found.start, diff_spans)]
    for candidate in candidates:
        yield (candidate,)
    yield from find_links(text)


def _find_quoted_texts(text: str) -> list[Candidate]:
    """Return the quoted texts in a file that begin with a board.

    Quoted texts that follow each other and form one position, as in ``"8/8/8/8/" "8/8/8/8 w - - 0 1"``, are
    joined. `text` is the content of the file.
    """
    joined_or_none = [_join_adjacent_texts(text, match) for match in _ADJACENT_QUOTED.finditer(text)]
    joined_texts = [joined for joined in joined_or_none if joined is not None]
    joined_spans = [joined.file_span for joined in joined_texts]
    single_texts = [
        _unescape_slashes(match["text"], match.start("text"))
        for match in _QUOTED.finditer(text)
        if not _is_part_of_longer_text(text, match)
    ]
    return [single for single in single_texts if not _is_inside(single.start, joined_spans)] + joined_texts


def _find_structured_texts(text: str, kind: FileKind) -> Iterable[Candidate]:
    """Return the texts without quotes that the syntax of a kind of file delimits.

    These are lines in fenced blocks of Markdown, values in YAML, and cells of tables. `text` is the content
    of the file.
    """
    if kind is FileKind.MARKDOWN:
        return _find_fenced_lines(text)
    if kind is FileKind.YAML:
        return _find_yaml_values(text)
    if kind is FileKind.TABLE:
        return [Candidate(cell.start("text"), cell["text"].rstrip()) for cell in _TABLE_CELL.finditer(text)]
    return ()


def is_position(text: str, game: Game | None) -> bool:
    """Return True if a text is probably meant as a position, perhaps with mistakes.

    The board must have pieces. The number of fields must be close to that of the start position of the game:
    at most two fewer or one more. The game must also rate the text as likely.

    Args:
        text: A text that begins with a board.
        game: The game that the settings select, or None to detect the game from the text.
    """
    board, _, _ = text.partition(" ")
    # Programs use an empty board as a template.
    if _PIECE_LETTER.search(board) is None:
        return False
    text_game = detect_game(text) if game is None else game
    if text_game is None or not _has_usual_field_count(text, text_game):
        return False
    return text_game.likelihood(text) >= _MIN_LIKELIHOOD


def detect_game(text: str) -> Game | None:
    """Return the game of a position text, or None if the text does not show its game."""
    name = registry.detect(text).game
    return None if name is None else registry.game(name)


def _has_usual_field_count(text: str, game: Game) -> bool:
    """Return True if a text has about as many fields as the start position of a game, such as 6 for chess."""
    usual_count = count_fields(game.start)
    reduced_count = max(_MIN_FIELDS, usual_count - _MAX_MISSING_FIELDS)
    # The usual number is enough, even for a game with fewer fields than `_MIN_FIELDS`.
    min_count = min(usual_count, reduced_count)
    max_count = usual_count + _MAX_EXTRA_FIELDS
    return min_count <= len(text.split()) <= max_count


def is_false_alarm(text: str, diagnostics: Iterable[Diagnostic]) -> bool:
    """Return True if the diagnostics of a text show that it is not meant as a position of the game.

    Several different characters that the game does not know mean that the text belongs to another game. A
    word after the last field, or punctuation as in ``12;``, means that the text is a row of data.

    Args:
        text: A text that looks like a position.
        diagnostics: The errors and warnings of the text.
    """
    unknown_texts: set[str] = set()
    for diagnostic in diagnostics:
        faulty_text = text[diagnostic.span.start : diagnostic.span.end]
        if _is_in_row_of_data(diagnostic.code, faulty_text):
            return True
        if diagnostic.code.endswith(_UNKNOWN_CHAR_SUFFIXES):
            unknown_texts.add(faulty_text)
    return len(unknown_texts) > 1


def _is_in_row_of_data(code: str, faulty_text: str) -> bool:
    """Return True if a mistake shows that a board is not a position, but a part of a row of data.

    Args:
        code: The code of the diagnostic, such as ``fen.fields``.
        faulty_text: The text that the diagnostic is about. It is empty if a field is missing.
    """
    if code == FIELD_COUNT_CODE:
        is_extra_word = _EXTRA_FIELD.fullmatch(faulty_text) is None
        return faulty_text != "" and is_extra_word
    has_punctuation = code.endswith(_INVALID_VALUE_SUFFIX) and _NUMBER_IN_DATA.match(faulty_text) is not None
    is_separator = code.endswith(_UNKNOWN_CHAR_SUFFIXES) and faulty_text in _DATA_SEPARATORS
    return has_punctuation or is_separator


def find_named_variants(text: str, game: Game) -> list[Game]:
    """Return a game in each variant that a text names, except in its usual variant.

    Case and punctuation of the name do not matter, and it can be part of a word. The names in records count
    too: ``AntichessBoard`` and ``Giveaway`` both name antichess.
    """
    if not isinstance(game, VariantNames):
        return []
    own_names = {variant: variant for variant in game.variants}
    variants_by_name = {**_SIMILAR_VARIANTS, **own_names, **game.variant_names}
    # The first variant of a game is the usual one.
    unusual_variants = game.variants[1:]
    letters = _PUNCTUATION.sub("", text).lower()
    named_variants = {
        variant
        for name, variant in variants_by_name.items()
        if len(name) >= _MIN_VARIANT_NAME_LENGTH and name in letters and variant in unusual_variants
    }
    return [game.with_variant(variant) for variant in sorted(named_variants)]


def _is_part_of_longer_text(text: str, quoted: re.Match[str]) -> bool:
    """Return True if a quoted text is only a part of a longer text, as in ``"8/8/" + "8/8"``.

    Args:
        text: The content of the file.
        quoted: The match of the quoted text in `text`.
    """
    start = quoted.start()
    search_start = max(0, start - _LOOKBEHIND_LENGTH)
    continues_text = _TEXT_TO_CONTINUE.search(text, search_start, start) is not None
    is_continued = _PLUS_AFTER.match(text, quoted.end()) is not None
    return continues_text or is_continued


def _unescape_slashes(text: str, start: int) -> Candidate:
    r"""Return a quoted text as a candidate, with each escaped slash of JSON (``\/``) replaced by a slash.

    `start` is the number of characters before the text in the file.
    """
    if _ESCAPED_SLASH not in text:
        return Candidate(start, text)
    parts = []
    for match in _PART_BEFORE_SLASH.finditer(text):
        skipped_length = len("\\") if match[0].startswith(_ESCAPED_SLASH) else 0
        parts.append(TextPart(start + match.start() + skipped_length, match[0][skipped_length:]))
    return join_parts(parts)


def _join_adjacent_texts(text: str, adjacent: re.Match[str]) -> Candidate | None:
    """Return one candidate with several quoted texts that follow each other in a file.

    Return None if they do not form one text: there must be a blank or a slash at each place where two of them
    meet, and a board at the beginning.

    Args:
        text: The content of the file.
        adjacent: The match of `_ADJACENT_QUOTED` in `text`, from the first opening to the last closing quote.
    """
    if _is_part_of_longer_text(text, adjacent):
        return None
    quoted = re.compile(rf"{adjacent['quote']}(?P<text>[^\r\n\\\"'`]+){adjacent['quote']}")
    matches = quoted.finditer(adjacent[0])
    parts = [TextPart(adjacent.start() + match.start("text"), match["text"]) for match in matches]
    for part, next_part in pairwise(parts):
        is_divided_between_words = part.text.endswith(_DIVIDERS) or next_part.text.startswith(_DIVIDERS)
        if not is_divided_between_words:
            return None
    candidate = join_parts(parts)
    return candidate if _BOARD_AT_START.match(candidate.text) is not None else None


def _is_inside(offset: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return True if an offset in a file is in one of several spans, each a start and an end offset."""
    return any(start <= offset < end for start, end in spans)


@lru_cache(maxsize=64)
def count_fields(start: str) -> int:
    """Return the number of fields in `start`, the text of a game's start position, such as 6 for chess."""
    return len(start.split())


def _find_lines(text: str) -> Iterator[Candidate]:
    """Yield the lines of a FEN or EPD file.

    Blank lines, comments (``#``) and identifiers of stored positions (``state_...``) are left out.
    """
    for match in _NONEMPTY_LINE.finditer(text):
        start, line = match.start(), match[0]
        if start == 0 and line.startswith(_BYTE_ORDER_MARK):
            start = len(_BYTE_ORDER_MARK)
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line.strip() or line.startswith((_COMMENT, _STORE_PREFIX)):
            continue
        yield Candidate(start, line)


def _find_fenced_lines(text: str) -> Iterator[Candidate]:
    """Yield the lines in the fenced blocks of a Markdown file that begin with a board.

    Blocks marked as ``diff`` or ``patch`` are left out, because a sign is added to their lines.
    """
    for line, is_in_diff in _split_fenced_blocks(text):
        board_line = None if is_in_diff else _BOARD_LINE.match(line[0])
        if board_line is not None:
            yield Candidate(line.start() + board_line.start("text"), board_line["text"])


def _list_diff_spans(text: str) -> list[tuple[int, int]]:
    """Return the start and end offsets of each line in fenced blocks of Markdown marked as ``diff``."""
    return [line.span() for line, is_in_diff in _split_fenced_blocks(text) if is_in_diff]


class _FencedLine(NamedTuple):
    """A line in a fenced block of a Markdown file."""

    match: re.Match[str]
    is_in_diff: bool
    """Whether the block is marked as ``diff`` or ``patch``: a list of changes of a text."""


def _split_fenced_blocks(text: str) -> Iterator[_FencedLine]:
    """Yield each line in the fenced blocks of a Markdown file, which are between lines of three backticks."""
    # The backticks (or tildes) that opened the current block, or an empty text outside blocks.
    open_fence = ""
    is_in_diff = False
    for line in _NONEMPTY_LINE.finditer(text):
        fence = _FENCE.match(line[0])
        if fence is not None and not open_fence:
            open_fence = fence["mark"]
            is_in_diff = fence["language"] in _DIFF_LANGUAGES
        elif fence is not None and fence["mark"].startswith(open_fence):
            open_fence = ""
        elif open_fence:
            yield _FencedLine(line, is_in_diff)


def _find_yaml_values(text: str) -> Iterator[Candidate]:
    """Yield the values in a YAML file that have no quotes and begin with a board."""
    for line in _NONEMPTY_LINE.finditer(text):
        key = _YAML_KEY.match(line[0])
        if key is None:
            continue
        value = _YAML_VALUE.match(line[0], key.end())
        if value is not None:
            yield Candidate(line.start() + value.start("text"), value["text"])
