r"""Writing records: tags, moves and result, so that reading gives the same record and writing the same text.

Tags are in the order of the seven-tag roster, with ``?`` where nothing is known; after them `SetUp` and
`FEN` where the game does not begin with its start position, `Variant` where its rules are not the usual ones
(see `setup`), and the others in their own order. A game that lets each text choose its variant is written in
that of the start. Moves are written canonically or in another notation (see `notation`), however they are
spelled in the record. A number is written where it changes, at the start of a line, and after a comment or a
variation; three dots after it say that a player other than the first moves. Glyphs are written as numbers.

A comment is in braces and is broken at single blanks, but not inside ``[%…]``; one that holds a closing
brace follows ``;`` and ends its line. Lines are no longer than the width asked for, unless one word is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from forsyth.arguments import type_of, whole_number
from forsyth.game import Game, read_recorded
from forsyth.record.model import Line, Node, Record
from forsyth.record.notation import Notation, require_notation, write_in
from forsyth.record.setup import rules_of, variant_tag
from forsyth.record.tags import escape
from forsyth.record.tokens import fold

WIDTH: Final = 80

_ROSTER: Final = (("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"))

_UNBROKEN: Final = re.compile(r"(?:\[%[^\[\]]*+\]|(?!(?<=\S) (?=[^\s%[])).)++", re.DOTALL)
"""A piece of a comment between two single blanks; a command such as ``[%clk 0:05:00]`` is one piece.

No piece begins with ``%`` or ``[``: others take a line that does for an escape or a tag, comment or not."""
_NEW_LINE: Final = "\n"


def write_record(record: Record, *, width: int | None = WIDTH, notation: Notation = "canonical") -> str:
    """The record as text; with a `width` of 0 or None the moves are on one line.

    Raises `MoveError` when a move of the record is not legal, `ValueError` for a notation that the game
    does not have.
    """
    if not isinstance(record, Record):
        raise TypeError(f"a Record is expected, not {type_of(record)}; Record.of(match) makes one of a match")
    require_notation(record.game, notation)
    columns = 0 if width is None else whole_number("the width", width, 0)
    tags = "".join(f'[{name} "{escape(value)}"]\n' for name, value in _tags(record))
    return f"{tags}\n{_wrapped(_moves(record, notation), columns)}\n"


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    game = rules_of(record)
    rest = dict(record.tags)
    variant = variant_tag(game, rest.get("Variant"))
    for name, unknown in (*_ROSTER, *((player, "?") for player in game.players)):
        yield name, rest.pop(name, unknown)
    yield "Result", record.result
    start = game.write(record.start)
    if start != game.start:
        yield "SetUp", "1"
        yield "FEN", start
    if variant is not None and "Variant" not in rest:
        yield "Variant", variant
    for name, value in rest.items():
        yield name, variant or value if name == "Variant" else value


# --- moves ------------------------------------------------------------------------------------------


class _OpenLine:
    """A line that is being written: what is left of it, and where it stands."""

    __slots__ = ("last", "nodes", "number", "position", "variations")

    def __init__(self, line: Line, position: Any) -> None:
        self.nodes = iter(line)
        self.variations: Iterator[Line] = iter(())
        self.position = position
        self.last = position
        """The position before the last move, where its variations begin."""
        self.number: int | None = None
        """The number that a reader knows at this place."""


def _moves(record: Record, notation: Notation) -> list[str]:
    """The words of the moves, each to stand on one line."""
    words = [word for text in record.comments for word in _comment(text)]
    stack = [_OpenLine(record.line, record.start)]
    opened = False
    while stack:
        line = stack[-1]
        inner = next(line.variations, None)
        if inner is not None:
            if inner:
                stack.append(_OpenLine(inner, line.last))
                opened = True
            continue
        node = next(line.nodes, None)
        if node is not None:
            first = len(words)
            words += _node(record.game, line, node, notation)
            if opened:
                words[first] = f"({words[first]}"
                opened = False
            continue
        stack.pop()
        if stack:
            _close_bracket(words)
            stack[-1].number = None
    return [*words, record.result]


def _node(game: Game, line: _OpenLine, node: Node, notation: Notation) -> Iterator[str]:
    """The words of one move, with what is said around it; the line moves on."""
    for text in node.before:
        yield from _comment(text)
        line.number = None
    position = line.position
    move = read_recorded(game, position, node.text)
    number, player = game.move_number(position)
    written = write_in(game, position, move, notation)
    yield written if number == line.number else f"{number}{'...' if player else '.'} {written}"
    yield from (f"${nag}" for nag in node.nags)
    for text in node.after:
        yield from _comment(text)
    line.number = None if node.after else number
    line.variations = iter(node.variations)
    line.last, line.position = position, game.play(position, move)


def _comment(text: str) -> Iterable[str]:
    text = fold(text)
    if "}" in text:
        return f"; {text}", _NEW_LINE
    return _UNBROKEN.findall(f"{{{text}}}")


def _close_bracket(words: list[str]) -> None:
    """A bracket after the last word, or on the line after a comment that ends its line."""
    if words[-1] == _NEW_LINE:
        words.append(")")
    else:
        words[-1] += ")"


# --- lines ------------------------------------------------------------------------------------------


def _wrapped(words: Iterable[str], width: int) -> str:
    lines: list[str] = []
    line: list[str] = []
    length = 0
    for word in words:
        full = width and line and length + len(word) > width
        if word == _NEW_LINE or full:
            lines.append(" ".join(line))
            line, length = [], 0
        if word != _NEW_LINE:
            line.append(word)
            length += len(word) + 1
    return "\n".join([*lines, " ".join(line)])
