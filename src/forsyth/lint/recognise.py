"""Recognising position texts among other texts. A false alarm is worse than a miss.

A *spot* is a place where a position text may stand:

- a text in quotes (``"``, ``'``, a backtick, or any of them behind a backslash) that begins right behind the
  opening quote and ends right before the same quote on the same line;
- in Markdown also a whole line of a fenced block;
- in YAML also a plain value, behind a key or a dash;
- in FEN and EPD files each line that is not blank and does not begin with ``#``.

A spot begins with a board: at least six parts with slashes between them. One that holds a backslash, braces,
``$``, ``%`` or angle brackets is a template and left out. So is one with a blank at its end or a plus sign
beside its quotes, or behind a text that ends with a slash: such a text is a part of another.

`is_position` then asks the games. A text is a position where one game finds it likely, and more likely than
the others do, and it has about as many fields as the start of that game: two fewer at most, one more at most.
So neither a board alone nor a line of UCI is taken for a position with errors. An empty board is none either:
programs keep it as a template.

`is_foreign` looks at what was found in such a text. Several characters that its game does not know make it a
text of another game, such as makruk; a number that goes on as something else, or a word behind the last
field, makes it a row of data.

Limits: a part of a board has at most `_PART` characters, a spot MAX_PLAIN. Patterns never go back over what
they took, so that no file takes longer than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from forsyth import registry
from forsyth.diagnostics import Diagnostic
from forsyth.game import Game
from forsyth.limits import MAX_PLAIN
from forsyth.lint.kinds import OF_POSITIONS, FileKind

LIKELY: Final = 0.8
"""How likely a text must be for its game. One with a rank missing is; one of other letters is not."""

_FEWER: Final = 2
_MORE: Final = 1
_LEAST_FIELDS: Final = 2
_PART: Final = 80
"""Longest part of a board between slashes: a rank of stacks of CoTuLenh has about seventy characters."""

_SQUARES: Final = rf"[^\s/\\\"'`]{{1,{_PART}}}+"
_BOARD: Final = rf"{_SQUARES}(?:/{_SQUARES}){{5,40}}+"
_QUOTED: Final = re.compile(
    rf"(?P<quote>\\?[\"'`])(?P<text>{_BOARD}[^\r\n\\\"'`]{{0,{MAX_PLAIN}}}+)(?P=quote)"
)
_HINT: Final = re.compile((rf"/{_SQUARES}" * 5).encode())
"""What every spot holds. It begins with a character that is searched for quickly."""
_TEMPLATE: Final = re.compile(r"[{}$%<>\\]|\s$")
_CONTINUES: Final = re.compile(r"(?:/\\?[\"'`]|\+)[\s\\]*$")
_CONTINUED: Final = re.compile(r"[ \t]*+\+")
_NEAR: Final = 200
"""How far before a text is looked for what it continues: a line break and an indent."""
_LINE: Final = re.compile(r"[^\r\n]+")
_FENCE: Final = re.compile(r"[ \t>]{0,32}+(?P<mark>`{3,}+|~{3,}+)[ \t]{0,8}(?P<info>\w*)")
_CHANGES: Final = ("diff", "patch")
"""Fenced blocks in which each line begins with a sign that is not its own."""
_VALUE: Final = re.compile(rf"[ \t]*+(?:-[ \t]++)*+(?:[\"']?[\w.-]{{1,{_PART}}}+[\"']?[ \t]*+:[ \t]++)?")
_PLAIN_VALUE: Final = re.compile(rf"(?P<text>{_BOARD}[^\r\n#]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*+(?:#.*)?$")
_WHOLE_LINE: Final = re.compile(rf"[ \t]*+(?P<text>{_BOARD}[^\r\n]{{0,{MAX_PLAIN}}})(?<![ \t])[ \t]*$")
_MAN: Final = re.compile("[A-Za-z]")
_STRANGE: Final = (".char", ".value")
"""How the codes end that say of something that the game does not know it."""
_GOES_ON: Final = re.compile(r"[0-9]+[;,.|]")
_TOO_MANY: Final = "fen.fields"
_COMMENT: Final = "#"
_BYTE_ORDER_MARK: Final = "\ufeff"
_NEEDS_A_STORE: Final = "state_"


class Spot(NamedTuple):
    """A text that may be a position, and where in the file it begins."""

    start: int
    text: str


def may_hold_positions(data: bytes, kind: FileKind) -> bool:
    """Whether a file is worth decoding: most hold nothing that looks like a board."""
    return kind in OF_POSITIONS or _HINT.search(data) is not None


def spots(text: str, kind: FileKind) -> list[Spot]:
    """The places of a file where a position may stand, in order; each place once."""
    if kind in OF_POSITIONS:
        return list(_lines(text))
    found = [
        Spot(one.start("text"), one["text"]) for one in _QUOTED.finditer(text) if not _is_part(text, one)
    ]
    if kind is FileKind.MARKDOWN:
        found += _fenced(text)
    elif kind is FileKind.YAML:
        found += _values(text)
    return sorted(spot for spot in set(found) if _TEMPLATE.search(spot.text) is None)


def is_position(text: str, game: Game | None) -> bool:
    """Whether a text is taken for a position: of the game where one is given, else of one of all games."""
    if _MAN.search(text.partition(" ")[0]) is None:
        return False
    if game is None:
        name = registry.detect(text).game
        if name is None:
            return False
        game = registry.game(name)
    usual = _fields_of(game)
    least = min(usual, max(_LEAST_FIELDS, usual - _FEWER))
    return least <= len(text.split()) <= usual + _MORE and game.likelihood(text) >= LIKELY


def is_foreign(text: str, found: Iterable[Diagnostic]) -> bool:
    """Whether what was found in a text that looks like a position shows that it is something else."""
    strange: set[str] = set()
    for one in found:
        about = text[one.span.start : one.span.end]
        if one.code.endswith(_STRANGE):
            strange.add(about)
        if one.code == _TOO_MANY and about:
            return True
        if one.code.endswith(".value") and _GOES_ON.match(about):
            return True
    return len(strange) > 1


def _is_part(text: str, quoted: re.Match[str]) -> bool:
    """Whether a text in quotes is a part of a longer one that is put together."""
    start = quoted.start()
    before = _CONTINUES.search(text, max(0, start - _NEAR), start)
    return before is not None or _CONTINUED.match(text, quoted.end()) is not None


@lru_cache(maxsize=64)
def _count_fields(start: str) -> int:
    return len(start.split())


def _fields_of(game: Game) -> int:
    return _count_fields(game.start)


def _lines(text: str) -> Iterator[Spot]:
    for line in _LINE.finditer(text):
        start, found = line.start(), line[0]
        if start == 0 and found.startswith(_BYTE_ORDER_MARK):
            start, found = 1, found[1:]
        if not found.strip() or found.startswith((_COMMENT, _NEEDS_A_STORE)):
            continue
        yield Spot(start, found)


def _fenced(text: str) -> Iterator[Spot]:
    """The whole lines of fenced blocks."""
    fence, changes = "", False
    for line in _LINE.finditer(text):
        mark = _FENCE.match(line[0])
        if mark is not None and not fence:
            fence, changes = mark["mark"], mark["info"] in _CHANGES
        elif mark is not None and mark["mark"].startswith(fence):
            fence = ""
        elif fence and not changes:
            found = _WHOLE_LINE.match(line[0])
            if found is not None:
                yield Spot(line.start() + found.start("text"), found["text"])


def _values(text: str) -> Iterator[Spot]:
    """The plain values of YAML."""
    for line in _LINE.finditer(text):
        key = _VALUE.match(line[0])
        found = None if key is None else _PLAIN_VALUE.match(line[0], key.end())
        if found is not None:
            yield Spot(line.start() + found.start("text"), found["text"])
