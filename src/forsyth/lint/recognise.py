r"""Recognition of position texts among other texts. A false alarm is worse than a missed position.

A *spot* is a text that may be a position:

- a text in quotes (``"``, ``'``, a backtick, or one of them after a backslash) that begins right after the
  opening quote and ends right before the same quote on the same line, in JSON also with ``\/`` for a slash;
- several such texts that follow each other, with a blank or a slash where they meet;
- in Markdown also a complete line of a fenced block;
- in YAML also a plain value after a key or a dash;
- in tables (CSV) also a complete cell;
- a text in a link, and in running text (see `forsyth.lint.running_text`);
- in FEN and EPD files each line that is not blank and does not begin with ``#``.

Except in FEN and EPD files, a spot begins with a board: at least six parts, separated by slashes. A text with
a backslash, braces, ``$``, ``%``, angle brackets or an ellipsis is a template and not a spot. A part of a
longer text is not a spot either: it has a blank at its end, a plus sign beside its quotes, or a text before
it that ends with a slash.

`is_position` then asks the games. A text is a position if one game rates it as likely, and as more likely
than other games do, and if it has about as many fields as the start of that game: at most two fewer, at most
one more. A board alone or a UCI line is therefore not taken for a position with errors. An empty board is not
a position either, because programs use it as a template.

`is_false_alarm` examines the findings about such a text. Several characters that the game does not know show
that the text belongs to another game, such as makruk. A number followed by punctuation, or a word after the
last field, shows that it is a row of data.

Limits: a part of a board has at most `_MAX_PART` characters, a spot about MAX_PLAIN. The patterns do not
backtrack over what they matched, so that the time is proportional to the length of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from forsyth import registry
from forsyth.diagnostics import Diagnostic, Span
from forsyth.game import Game, VariantNames
from forsyth.limits import MAX_PLAIN
from forsyth.lint.kinds import POSITION_KINDS, FileKind
from forsyth.lint.running_text import find_links, find_running_texts
from forsyth.lint.spots import Spot, join_parts

_MIN_LIKELIHOOD: Final = 0.8
"""Minimum likelihood of a position. It admits a text that lacks a rank, but not one with other letters."""

_MAX_MISSING_FIELDS: Final = 2
_MAX_EXTRA_FIELDS: Final = 1
_MIN_FIELDS: Final = 2
_MAX_PART: Final = 80
"""Maximum length of a part of a board between slashes. A rank of CoTuLenh stacks has about 70 characters."""

_RANK: Final = rf"[^\s/\\\"'`]{{1,{_MAX_PART}}}+"
_BOARD: Final = rf"{_RANK}(?:\\?/{_RANK}){{5,40}}+"
"""A board. JSON can contain a backslash before each slash."""
_GAP_BETWEEN_LITERALS: Final = r"[\s+.&\\]{0,200}+"
_CELL_RANK: Final = rf"[^\s/\\\"'`,;|]{{1,{_MAX_PART}}}+"
_BOARD_AT_START: Final = re.compile(_BOARD)
_ESCAPED_SLASH: Final = "\\/"
_QUOTED: Final = re.compile(
    rf"(?P<quote>\\?[\"'`])(?P<text>{_BOARD}[^\r\n\\\"'`]{{0,{MAX_PLAIN}}}+)(?P=quote)"
)
_JUNCTION: Final = rf"(?:[\"'`]{_GAP_BETWEEN_LITERALS}[rbuRBU]?[\"'`])?+"
"""The place in a board where one quoted text ends and the next one begins."""
_BOARD_HINT: Final = re.compile(rf"/{_JUNCTION}{_RANK}(?:{_JUNCTION}\\?/{_JUNCTION}{_RANK}){{4}}".encode())
"""A part of every board, to find out quickly whether a file has one. It begins with a rare character."""
_CODED_HINT: Final = re.compile(rb"%2[Ff](?:[^\s%]{1,80}+%2[Ff]){4}")
"""The same for a board in a URL. With both in one pattern, the search would take much longer."""
_CHAIN: Final = re.compile(
    rf"(?P<quote>[\"'`])(?P<first>{_RANK}/[^\r\n\\\"'`]{{0,{MAX_PLAIN}}}+)(?P=quote)"
    rf"(?:{_GAP_BETWEEN_LITERALS}[rbuRBU]?(?P=quote)[^\r\n\\\"'`]{{1,{MAX_PLAIN}}}+(?P=quote)){{1,20}}+"
)
"""Quoted texts that follow each other, perhaps with a plus sign between them."""
_CELL: Final = re.compile(
    rf"(?:^|[,;\t|])[ ]*+(?P<text>{_CELL_RANK}(?:/{_CELL_RANK}){{5,40}}+[^,;\t|\r\n\"]{{0,{MAX_PLAIN}}}+)"
    r"(?=[,;\t|\r\n]|$)",
    re.MULTILINE,
)
"""A cell of a table without quotes."""
_TEMPLATE: Final = re.compile(r"[{}$%<>\\…]|\.\.|\s$")
_TEXT_TO_CONTINUE: Final = re.compile(r"(?:/\\?[\"'`]|\+)[\s\\]*$")
"""The end of a text that the next quoted text continues."""
_PLUS_AFTER: Final = re.compile(r"[ \t]*+\+")
_LOOKBEHIND: Final = 200
"""Number of characters before a text that are searched for a text to continue: a line break and an indent."""
_LINE: Final = re.compile(r"[^\r\n]+")
_FENCE: Final = re.compile(r"[ \t>]{0,32}+(?P<mark>`{3,}+|~{3,}+)[ \t]{0,8}(?P<info>\w*)")
_DIFF_INFOS: Final = ("diff", "patch")
"""The info texts of fenced blocks in which a sign is added to the beginning of each line."""
_KEY: Final = re.compile(rf"[ \t]*+(?:-[ \t]++)*+(?:[\"']?[\w.-]{{1,{_MAX_PART}}}+[\"']?[ \t]*+:[ \t]++)?")
"""The text before a YAML value: dashes and a key."""
_PLAIN_VALUE: Final = re.compile(rf"(?P<text>{_BOARD}[^\r\n#]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*+(?:#.*)?$")
_WHOLE_LINE: Final = re.compile(rf"[ \t]*+(?P<text>{_BOARD}[^\r\n]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*$")
_PIECE_LETTER: Final = re.compile("[A-Za-z]")
_UNKNOWN_CHAR_ENDINGS: Final = (".char", ".value")
"""The ends of codes of findings about a character or value that the game does not know."""
_SEPARATORS: Final = (",", ";", ":", "=")
"""Characters that separate a board from what is before it in a row of data, as in ``12,8/8/...``."""
_VALUE_ENDING: Final = ".value"
_NUMBER_IN_DATA: Final = re.compile(r"[0-9]+[;,.|]")
FIELD_COUNT_CODE: Final = "fen.fields"
_EXTRA_FIELD: Final = re.compile(r"-|\d{1,4}|[wbKQkq]{1,4}")
"""A word after the last field that is a field too many, and not a word of a row of data."""
_PUNCTUATION: Final = re.compile(r"[\W_]+")
_SIMILAR_VARIANTS: Final = {"suicide": "antichess"}
"""A variant that has the same legal positions, for each name of a variant that Forsyth does not play."""
_MIN_VARIANT_NAME: Final = 5
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
    return _BOARD_HINT.search(data) is not None or _CODED_HINT.search(data) is not None


def find_spots(text: str, kind: FileKind) -> list[tuple[Spot, ...]]:
    """Return the texts in a file that may be positions, in order, with their offsets.

    In a FEN or EPD file, these are all lines. In other files, these are texts that begin with a board such as
    ``8/8/4k3/8/8/4K3/8/8``. Each element of the result has one text, or all texts that a link may contain.

    Args:
        text: The content of the file.
        kind: The kind of the file.
    """
    if kind in POSITION_KINDS:
        return [(spot,) for spot in _find_lines(text)]
    chains = [spot for match in _CHAIN.finditer(text) if (spot := _join_chain(text, match)) is not None]
    chained_spans = [(spot.start, spot.locate(Span(0, len(spot.text))).end) for spot in chains]
    candidates: list[tuple[Spot, ...]] = [
        (_without_escapes(match.start("text"), match["text"]),)
        for match in _QUOTED.finditer(text)
        if not _is_part_of_text(text, match)
    ]
    candidates = [spots for spots in candidates if not _is_inside(spots[0].start, chained_spans)]
    candidates += [(spot,) for spot in chains]
    if kind is FileKind.MARKDOWN:
        candidates += [(spot,) for spot in _find_fenced_lines(text)]
    elif kind is FileKind.YAML:
        candidates += [(spot,) for spot in _find_plain_values(text)]
    elif kind is FileKind.TABLE:
        candidates += [(Spot(cell.start("text"), cell["text"].rstrip()),) for cell in _CELL.finditer(text)]
    if kind is not FileKind.TABLE:
        changes = _list_changes(text) if kind is FileKind.MARKDOWN else []
        running_texts = find_running_texts(text, kind)
        candidates += [(spot,) for spot in running_texts if not _is_inside(spot.start, changes)]
    candidates += find_links(text)
    # Two of these searches can find the same text. The first one knows best where it ends.
    by_start: dict[int, tuple[Spot, ...]] = {}
    for spots in candidates:
        # A text with braces or a percent sign, for example, is a template that a program fills in.
        if not any(_TEMPLATE.search(spot.text) for spot in spots):
            by_start.setdefault(spots[0].start, spots)
    return [by_start[start] for start in sorted(by_start)]


def is_position(text: str, game: Game | None) -> bool:
    """Return True if a text is probably a position, perhaps with mistakes.

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
    likely_game = detect_game(text) if game is None else game
    if likely_game is None or not _has_usual_length(text, likely_game):
        return False
    return likely_game.likelihood(text) >= _MIN_LIKELIHOOD


def detect_game(text: str) -> Game | None:
    """Return the game of a position text, or None if it is not detected."""
    name = registry.detect(text).game
    return None if name is None else registry.game(name)


def _has_usual_length(text: str, game: Game) -> bool:
    """Return True if a text has about as many fields as the start position of a game, such as 6 for chess."""
    usual_count = count_fields(game.start)
    reduced_count = max(_MIN_FIELDS, usual_count - _MAX_MISSING_FIELDS)
    # The usual number is enough, even for a game with fewer fields than `_MIN_FIELDS`.
    min_count = min(usual_count, reduced_count)
    max_count = usual_count + _MAX_EXTRA_FIELDS
    return min_count <= len(text.split()) <= max_count


def is_false_alarm(text: str, diagnostics: Iterable[Diagnostic]) -> bool:
    """Return True if the diagnostics of a text show that it is not meant as a position of the game.

    Several characters that the game does not know mean that the text belongs to another game. A word after
    the last field, or a number followed by punctuation (``12;``), means that the text is a row of data.

    Args:
        text: A text that looks like a position.
        diagnostics: The errors and warnings of the text.
    """
    unknown_texts: set[str] = set()
    for diagnostic in diagnostics:
        code = diagnostic.code
        faulty_text = text[diagnostic.span.start : diagnostic.span.end]
        is_extra_word = _EXTRA_FIELD.fullmatch(faulty_text) is None
        has_extra_word = code == FIELD_COUNT_CODE and faulty_text != "" and is_extra_word
        has_punctuation = code.endswith(_VALUE_ENDING) and _NUMBER_IN_DATA.match(faulty_text) is not None
        has_separator = code.endswith(_UNKNOWN_CHAR_ENDINGS) and faulty_text in _SEPARATORS
        if has_extra_word or has_punctuation or has_separator:
            return True
        if code.endswith(_UNKNOWN_CHAR_ENDINGS):
            unknown_texts.add(faulty_text)
    return len(unknown_texts) > 1


def find_variants(text: str, game: Game) -> list[Game]:
    """Return a game in each variant that a text names, except its usual variant.

    The text can name it as records do, in any case and punctuation: ``AntichessBoard``, ``Giveaway``.
    """
    if not isinstance(game, VariantNames):
        return []
    names = {**_SIMILAR_VARIANTS, **{variant: variant for variant in game.variants}, **game.variant_names}
    squeezed_text = _PUNCTUATION.sub("", text).lower()
    named_variants = {
        variant
        for name, variant in names.items()
        if len(name) >= _MIN_VARIANT_NAME and name in squeezed_text and variant in game.variants[1:]
    }
    return [game.with_variant(variant) for variant in sorted(named_variants)]


def _is_part_of_text(text: str, quoted: re.Match[str]) -> bool:
    """Return True if a quoted text is only a part of a longer text, as in ``"8/8/" + "8/8"``.

    Args:
        text: The content of the file.
        quoted: The match of the quoted text in `text`.
    """
    start = quoted.start()
    search_start = max(0, start - _LOOKBEHIND)
    continues_text = _TEXT_TO_CONTINUE.search(text, search_start, start) is not None
    is_continued = _PLUS_AFTER.match(text, quoted.end()) is not None
    return continues_text or is_continued


def _without_escapes(start: int, text: str) -> Spot:
    """Return the spot of a quoted text, without the backslashes that JSON can contain before slashes.

    `start` is the number of characters before the text in the file.
    """
    if _ESCAPED_SLASH not in text:
        return Spot(start, text)
    parts = []
    for part in re.finditer(r"\\?/[^\\/]*|[^\\/]+|\\", text):
        is_escaped = part[0].startswith(_ESCAPED_SLASH)
        parts.append((start + part.start() + is_escaped, part[0][is_escaped:]))
    return join_parts(parts)


def _join_chain(text: str, chain: re.Match[str]) -> Spot | None:
    """Return the spot of several quoted texts that follow each other, or None if they do not belong together.

    They belong together if there is a blank or a slash at each place where they meet. `chain` is a match of
    `_CHAIN` in `text`.
    """
    if _is_part_of_text(text, chain):
        return None
    literal = re.compile(rf"{chain['quote']}([^\r\n\\\"'`]+){chain['quote']}")
    parts = [(part.start(1), part[1]) for part in literal.finditer(chain[0])]
    parts = [(chain.start() + offset, part) for offset, part in parts]
    for (_, part), (_, next_part) in pairwise(parts):
        if not (part.endswith((" ", "/")) or next_part.startswith((" ", "/"))):
            return None
    spot = join_parts(parts)
    return spot if _BOARD_AT_START.match(spot.text) is not None else None


def _is_inside(offset: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return True if a place in a file is in one of several spans."""
    return any(start <= offset < end for start, end in spans)


@lru_cache(maxsize=64)
def count_fields(start: str) -> int:
    """Return the number of fields in `start`, the text of a game's start position, such as 6 for chess."""
    return len(start.split())


def _find_lines(text: str) -> Iterator[Spot]:
    """Yield the lines of a FEN or EPD file with their offsets.

    Blank lines, comments (``#``) and identifiers of stored positions (``state_...``) are left out.
    """
    for match in _LINE.finditer(text):
        start, line = match.start(), match[0]
        if start == 0 and line.startswith(_BYTE_ORDER_MARK):
            start = len(_BYTE_ORDER_MARK)
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line.strip() or line.startswith((_COMMENT, _STORE_PREFIX)):
            continue
        yield Spot(start, line)


def _find_fenced_lines(text: str) -> Iterator[Spot]:
    """Yield the lines in the fenced blocks of a Markdown file that begin with a board, with their offsets.

    Blocks marked as ``diff`` or ``patch`` are left out, because their lines begin with a sign.
    """
    for line, is_change in _list_fenced_lines(text):
        board_line = None if is_change else _WHOLE_LINE.match(line[0])
        if board_line is not None:
            yield Spot(line.start() + board_line.start("text"), board_line["text"])


def _list_changes(text: str) -> list[tuple[int, int]]:
    """Return the beginning and the end of each line in a fenced block that is marked as a change."""
    return [line.span() for line, is_change in _list_fenced_lines(text) if is_change]


def _list_fenced_lines(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each line in the fenced blocks of a Markdown file, and whether its block is marked as a change.

    A fenced block is between two lines of three backticks. A change is marked as ``diff`` or ``patch``.
    """
    # The backticks (or tildes) that opened the current block, or an empty text outside blocks.
    open_fence = ""
    is_change = False
    for line in _LINE.finditer(text):
        fence = _FENCE.match(line[0])
        if fence is not None and not open_fence:
            open_fence = fence["mark"]
            is_change = fence["info"] in _DIFF_INFOS
        elif fence is not None and fence["mark"].startswith(open_fence):
            open_fence = ""
        elif open_fence:
            yield line, is_change


def _find_plain_values(text: str) -> Iterator[Spot]:
    """Yield the values in a YAML file that have no quotes and begin with a board, with their offsets."""
    for line in _LINE.finditer(text):
        key = _KEY.match(line[0])
        if key is None:
            continue
        value = _PLAIN_VALUE.match(line[0], key.end())
        if value is not None:
            yield Spot(line.start() + value.start("text"), value["text"])
