r"""Write records as text. Reading the text returns the same record.

The tags are written in this order: the seven-tag roster, with ``?`` for unknown values; `SetUp` and `FEN` if
the game does not begin with its start position; `Variant` if the variant is not the usual one (see `setup`);
all other tags in their own order. A record of the variant ``auto`` is written in the variant of its start.

Moves are written in the canonical notation or another one (see `notation`), whatever their spelling in the
record is. A move number is written where it changes, at the start of a line, and after a comment or a
variation. Three dots after it mean that a player other than the first moves. Annotation glyphs are written as
numbers.

A comment is written in braces. It can be broken at single blanks, but not inside a command ``[%…]``. A
comment that contains a closing brace is written after ``;`` up to the end of the line. Lines are not longer
than the requested width, unless a single word is longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from forsyth.arguments import quoted, require_integer, type_name
from forsyth.game import Game, Position, game_of, read_record_move
from forsyth.match import Match
from forsyth.record.model import Line, Node, Record
from forsyth.record.notation import Notation, require_notation, write_move
from forsyth.record.setup import choose_variant_tag, get_game_in_variant
from forsyth.record.tags import escape
from forsyth.record.tokens import join_lines

WIDTH: Final = 80
"""Default maximum length of a line, in characters."""

_ROSTER: Final = (("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"))
"""The tags that are always written, with their values if unknown. The players and `Result` follow them."""

_UNBREAKABLE: Final = re.compile(r"(?:\[%[^\[\]]*+\]|(?!(?<=\S) (?=[^\s%[])).)++", re.DOTALL)
"""A piece of a comment between two single blanks. A command such as ``[%clk 0:05:00]`` is one piece.

No piece begins with ``%`` or ``[``, because other programs read a line that begins so as an
escape or a tag, even inside a comment.
"""
_LINE_BREAK: Final = "\n"
"""A word that ends the current line."""


def write_record(record: Record, *, width: int | None = WIDTH, notation: Notation = "canonical") -> str:
    """Write a record as text.

    Args:
        record: The record.
        width: Maximum length of a line, in characters. None or 0 writes the moves on one line.
        notation: The notation of the moves.

    Raises:
        MoveError: If a move of the record is not legal.
        ValueError: If the game does not have the notation.
    """
    if not isinstance(record, Record):
        raise TypeError(
            f"expected a Record, not {type_name(record)}; Record.of(match) makes one from a match"
        )
    require_notation(record.game, notation)
    max_length = 0 if width is None else require_integer("the width", width, 0)
    tags = "".join(f'[{name} "{escape(value)}"]\n' for name, value in _list_tags(record))
    moves = _wrap_words(_list_words(record, notation), max_length)
    return f"{tags}\n{moves}\n"


def write_line(position: Position, moves: Iterable[Any]) -> str:
    """Write a line of moves with their numbers, such as ``1. e4 e5 2. Nf3``.

    Args:
        position: The position before the first move.
        moves: The moves, as texts in any notation or as moves of the game.

    Raises:
        MoveError: If a move is not legal.
        TypeError: If `position` is not a position of a game, or does not name its game.
    """
    if isinstance(moves, str):
        raise TypeError(f"several moves are expected, not one text; try {quoted(moves)}.split()")
    match = Match(game_of(position), position)
    for move in moves:
        match.play_recorded(move) if isinstance(move, str) else match.play(move)
    line = _OpenLine(tuple(Node(ply.text) for ply in match), position)
    return " ".join(word for node in line.nodes for word in _write_node(match.game, line, node, "canonical"))


def _list_tags(record: Record) -> Iterator[tuple[str, str]]:
    """Yield the names and values of all tags in the order in which they are written.

    Besides the tags of the record, these are the result, the start position and the variant, and the tags
    that are always written, such as ``Event``.
    """
    game = get_game_in_variant(record)
    remaining_tags = dict(record.tags)
    variant = choose_variant_tag(game, remaining_tags.get("Variant"))
    for name, unknown_value in _ROSTER:
        yield name, remaining_tags.pop(name, unknown_value)
    for player in game.players:
        yield player, remaining_tags.pop(player, "?")
    yield "Result", record.result
    start = game.write(record.start)
    if start != game.start:
        yield "SetUp", "1"
        yield "FEN", start
    if variant is not None and "Variant" not in remaining_tags:
        yield "Variant", variant
    for name, value in remaining_tags.items():
        if name == "Variant" and variant is not None:
            yield name, variant
        else:
            yield name, value


# --- moves ------------------------------------------------------------------------------------------


class _OpenLine:
    """A line that is being written: the remaining moves, and the current position."""

    __slots__ = ("nodes", "position", "position_before", "shown_number", "variations")

    def __init__(self, line: Line, position: Any) -> None:
        self.nodes = iter(line)
        self.variations: Iterator[Line] = iter(())
        self.position = position
        self.position_before = position
        """The position before the last move, in which its variations begin."""
        self.shown_number: int | None = None
        """The move number that was written last; None if the next move needs its number."""


def _list_words(record: Record, notation: Notation) -> list[str]:
    """Return everything that is written after the tags as words, such as ``1. e4``, ``(1. d4)`` or ``1-0``.

    A word is never broken into two lines. Brackets of variations are parts of words. The word ``_LINE_BREAK``
    ends a line.
    """
    words = [word for comment in record.comments for word in _split_comment(comment)]
    # The main line and the variations that are being written, the innermost last.
    open_lines = [_OpenLine(record.line, record.start)]
    needs_bracket = False
    while open_lines:
        line = open_lines[-1]

        # The variations of the last move come before the next move.
        variation = next(line.variations, None)
        if variation is not None:
            if variation:
                open_lines.append(_OpenLine(variation, line.position_before))
                needs_bracket = True
            continue

        node = next(line.nodes, None)
        if node is not None:
            first_index = len(words)
            words += _write_node(record.game, line, node, notation)
            if needs_bracket:
                words[first_index] = f"({words[first_index]}"
                needs_bracket = False
            continue

        # The line is complete.
        open_lines.pop()
        if open_lines:
            _close_bracket(words)
            open_lines[-1].shown_number = None
    return [*words, record.result]


def _write_node(game: Game, line: _OpenLine, node: Node, notation: Notation) -> Iterator[str]:
    """Yield the words of one move, such as ``12. Nf3``, ``$1`` and its comments.

    `line` is changed: its position becomes that after the move, and its variations those of the move.
    """
    for text in node.before:
        yield from _split_comment(text)
        line.shown_number = None
    position = line.position
    move = read_record_move(game, position, node.text)
    number, player = game.move_number(position)
    move_text = write_move(game, position, move, notation)
    if number == line.shown_number:
        yield move_text
    else:
        dots = "..." if player else "."
        yield f"{number}{dots} {move_text}"
    yield from (f"${nag}" for nag in node.nags)
    for text in node.after:
        yield from _split_comment(text)
    line.shown_number = None if node.after else number
    line.variations = iter(node.variations)
    line.position_before, line.position = position, game.play(position, move)


def _split_comment(text: str) -> Iterable[str]:
    """Return a comment in braces as words, between which a line may be broken.

    A comment that contains a closing brace is written after ``;`` instead, and ends its line.
    """
    text = join_lines(text)
    if "}" in text:
        return f"; {text}", _LINE_BREAK
    return _UNBREAKABLE.findall(f"{{{text}}}")


def _close_bracket(words: list[str]) -> None:
    """Add a closing bracket to the last word of `words`, as in ``e4)``.

    After a comment that ends its line, the bracket is a word of its own.
    """
    if words[-1] == _LINE_BREAK:
        words.append(")")
    else:
        words[-1] += ")"


# --- lines ------------------------------------------------------------------------------------------


def _wrap_words(words: Iterable[str], max_length: int) -> str:
    """Return the words, separated by blanks, in lines of at most `max_length` characters.

    0 means no maximum. The word ``_LINE_BREAK`` always ends a line.
    """
    lines: list[str] = []
    line_words: list[str] = []
    line_length = 0
    for word in words:
        is_full = max_length and line_words and line_length + len(word) > max_length
        if word == _LINE_BREAK or is_full:
            lines.append(" ".join(line_words))
            line_words = []
            line_length = 0
        if word != _LINE_BREAK:
            line_words.append(word)
            line_length += len(word) + 1
    lines.append(" ".join(line_words))
    return "\n".join(lines)
