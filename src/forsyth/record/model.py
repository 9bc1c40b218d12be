"""The record of one game as an immutable value: its tags, start position, tree of moves and result.

A *line* is a tuple of nodes, one for each move. The variations of a node are lines that could be played
instead of its move. Comments are stored without surrounding blanks, and a line break inside a comment is
stored as a blank.

A pass that the rules do not allow, such as the null move of chess, is a node like any other.

Limits: the value of a tag has no line break. The tags `SetUp`, `FEN` and `Result` are not stored, because
they are written from the start position and the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from forsyth.arguments import quoted, require_text, require_type, to_tuple
from forsyth.diagnostics import Diagnostic, FenError, count_findings, format_count, render_findings
from forsyth.display import render_html
from forsyth.game import Game, M, P, read_record_move
from forsyth.match import Match
from forsyth.record.results import is_result
from forsyth.record.time_control import TimeControl, read_time_control
from forsyth.registry import game as find_game

if TYPE_CHECKING:
    from forsyth.record.move_tree import MoveTree

TAG_NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_+#=:-]*+"
"""Pattern of the name of a tag."""
DERIVED_TAGS: Final = frozenset(("SetUp", "FEN", "Result"))
"""Tags that are written from the start position and the result, and are not stored."""

GLYPHS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The number of each glyph that is written as a suffix of a move (PGN standard 8.2.3.8)."""
SYMBOL_GLYPHS: Final = {
    "=": 10,
    "∞": 13,
    "+=": 14,
    "+/=": 14,
    "⩲": 14,
    "=+": 15,
    "=/+": 15,
    "⩱": 15,
    "+/-": 16,
    "±": 16,
    "-/+": 17,
    "∓": 17,
    "+-": 18,
    "-+": 19,
}
"""The number of the glyph for each symbol that printed games have after a move, with hyphens for dashes.

Symbols are read as glyphs, with a warning. `find_symbol` of the record kernel of chess has the same symbols.
"""
MAX_NAG: Final = 255
"""The highest number of an annotation glyph (PGN standard 8.2.4)."""

_NAME: Final = re.compile(TAG_NAME)

Line: TypeAlias = "tuple[Node, ...]"
"""Consecutive moves: the main line of a record, or a variation."""
Tags: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values of tags."""


@dataclass(frozen=True, slots=True)
class Node:
    """One move of a line, with its comments, annotation glyphs and variations."""

    text: str
    """The move in canonical notation."""
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs: 1 to 6 are ``!`` ``?`` ``!!`` ``??`` ``!?`` ``?!``."""
    before: tuple[str, ...] = ()
    """Comments before the move."""
    after: tuple[str, ...] = ()
    """Comments after the move."""
    variations: tuple[Line, ...] = ()
    """Lines that could be played instead of the move."""


class _LazyLine:
    """Base class that builds `line` on first access, because many callers need only the tags."""

    __slots__ = ("load_line",)
    load_line: Callable[[], Line]
    """Function that builds the line. It is set only while `line` is not."""

    # Hidden from type checkers, which would otherwise accept every attribute name.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Line:
            # Python calls this only for attributes that are not set.
            if name != "line":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            line = self.load_line()
            object.__setattr__(self, "line", line)
            return line


class _LazyDiagnostics:
    """Base class that makes `diagnostics` on first access, because many callers need only the record."""

    __slots__ = ("is_known_ok", "load_diagnostics")
    load_diagnostics: Callable[[], tuple[Diagnostic, ...]]
    """Function that makes the diagnostics. It is set only while `diagnostics` is not."""
    is_known_ok: bool
    """Whether none of the diagnostics that are not made yet is an error."""

    # Hidden from type checkers, which would otherwise accept every attribute name.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> tuple[Diagnostic, ...]:
            # Python calls this only for attributes that are not set.
            if name == "is_known_ok":
                return False
            if name != "diagnostics":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            diagnostics = self.load_diagnostics()
            object.__setattr__(self, "diagnostics", diagnostics)
            return diagnostics


@dataclass(frozen=True, slots=True)
class Record(_LazyLine, Generic[P, M]):
    """A whole game. Raise `ValueError` if a tag or the result cannot be written as text."""

    game: Game[P, M] = field(compare=False)
    """The game in the variant that was played. In a record that was read it is never ``auto``."""
    tags: Tags
    start: P
    line: Line = ()
    result: str = "*"
    comments: tuple[str, ...] = ()
    """The comments of a record without moves."""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "game", find_game(self.game))
        set_field(self, "line", to_tuple("the moves", self.line, "values of Node"))
        set_field(self, "comments", to_tuple("the comments", self.comments, "texts"))
        if not isinstance(self.result, str) or not is_result(self.result):
            raise ValueError(f"{quoted(self.result)} is not a result, expected one such as 1-0, 1/2-1/2 or *")
        seen_names: set[str] = set()
        for name, value in _require_pairs(self.tags):
            _require_tag(name, value, seen_names)
            seen_names.add(name)

    @staticmethod
    def of(
        match: Match[P, M],
        tags: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        *,
        result: str | None = None,
    ) -> Record[P, M]:
        """Return the record of a match.

        Args:
            match: The match; its moves become the main line.
            tags: The tags of the record, in this order.
            result: The result that the players agreed on or the clock decided. None takes the tag ``Result``
                or, without it, the result of the match by the rules.
        """
        require_type("the match", match, Match, "a Match")
        other_tags = dict(_require_pairs(tags.items() if isinstance(tags, Mapping) else tags))
        result_tag = other_tags.pop("Result", None)
        line = tuple(Node(ply.text) for ply in match)
        result = result or result_tag or match.result
        return Record(match.game, tuple(other_tags.items()), match.start, line, result)

    def tag(self, name: str) -> str | None:
        """Return the value of the tag `name`, or None if the record does not have it."""
        require_text("the name of a tag", name)
        return dict(self.tags).get(name)

    @property
    def moves(self) -> list[str]:
        """The moves of the main line in canonical notation."""
        return [node.text for node in self.line]

    @property
    def time_control(self) -> TimeControl | None:
        """The parsed tag ``TimeControl``; None if it is missing or not a time control."""
        return read_time_control(self.tag("TimeControl") or "")

    def positions(self) -> Iterator[P]:
        """Yield the positions of the main line, the start first.

        Raise `MoveError` at a move that is not legal.
        """
        game, position = self.game, self.start
        yield position
        for node in self.line:
            position = game.play(position, read_record_move(game, position, node.text))
            yield position

    def match(self) -> Match[P, M]:
        """Return the main line, passes included, as a match. Raise `MoveError` if a move is not legal."""
        match = Match(self.game, self.start)
        for node in self.line:
            match.play_recorded(node.text)
        return match

    def tree(self) -> MoveTree[P, M]:
        """Return a tree of moves that can be edited. The record itself does not change."""
        from forsyth.record.move_tree import MoveTree

        return MoveTree.of(self)

    def _repr_html_(self) -> str:
        return render_html(self)


def _require_pairs(tags: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the tags as a tuple. Raise `TypeError` if one of them is not a pair of a name and a value."""
    pairs = to_tuple("the tags", tags, "pairs of a name and a text")
    for pair in pairs:
        is_pair = isinstance(pair, tuple | list) and len(pair) == 2
        if not is_pair:
            raise TypeError(f"one of the tags is {quoted(pair)}, expected a pair of a name and a text")
    return pairs


def _require_tag(name: str, value: str, seen_names: set[str]) -> None:
    """Raise `ValueError` or `TypeError` if a record cannot have this tag.

    `seen_names` has the names of the tags before it, because a name must not appear twice.
    """
    require_text("the name of a tag", name)
    require_text(f"the value of the tag {name}", value)
    if not _NAME.fullmatch(name):
        raise ValueError(f"{quoted(name)} is not the name of a tag, expected letters, digits and _ + # = : -")
    if name in DERIVED_TAGS:
        raise ValueError(
            f"the tag {name} is written from the start and result of the record; leave it out of the tags"
        )
    if name in seen_names:
        raise ValueError(f"the tag {name} appears twice; keep one of the two values")
    if "\n" in value or "\r" in value:
        raise ValueError(
            f"the value of the tag {name} contains a line break, which a tag cannot have; "
            "replace it by a blank"
        )


@dataclass(frozen=True, slots=True, repr=False)
class RecordReading(_LazyDiagnostics, Generic[P, M]):
    """The result of reading one record: the record, if there is one, and all findings."""

    text: str
    """The source text of the record. Spans of findings are offsets into it."""
    game: str | None
    """The name of the game, or None if it is unknown."""
    record: Record[P, M] | None
    """The record up to the first bad move; None if there is no start position to play from."""
    diagnostics: tuple[Diagnostic, ...] = ()
    line: int = 1
    """The line number in the source, from 1, on which `text` begins."""

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return self.is_known_ok or not any(diagnostic.is_error for diagnostic in self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of severity error, in the order of their places in the text."""
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings of severity warning, in the order of their places in the text."""
        return tuple(diagnostic for diagnostic in self.diagnostics if not diagnostic.is_error)

    def require(self) -> Record[P, M]:
        """Return the record. Raise `FenError` with all findings if one of them is an error."""
        if self.record is None or not self.ok:
            raise FenError(self.text, self.diagnostics)
        return self.record

    def tree(self) -> MoveTree[P, M]:
        """Return a tree of moves that can be edited and written again.

        Its `text` method writes everything that was not edited exactly as in the source text. Raise
        `FenError` if a finding is an error.
        """
        from forsyth.record.move_tree import MoveTree

        return MoveTree.of(self.require(), source=self.text)

    def place(self, diagnostic: Diagnostic) -> tuple[int, int]:
        """Return the line number in the source and the column where a finding begins, such as ``(12, 5)``.

        Lines and columns are counted from 1.
        """
        # All line ends count as one character.
        text_before = self.text[: diagnostic.span.start].replace("\r\n", "\n").replace("\r", "\n")
        line_number = self.line + text_before.count("\n")
        column = len(text_before) - text_before.rfind("\n")
        return line_number, column

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as JSON-ready data: the start as text, and the moves of the main line."""
        record = self.record
        return {
            "line": self.line,
            "text": self.text,
            "game": self.game,
            "ok": self.ok,
            "tags": None if record is None else dict(record.tags),
            "start": None if record is None else str(record.start),
            "moves": None if record is None else record.moves,
            "result": None if record is None else record.result,
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }

    def __repr__(self) -> str:
        counts = count_findings(self.diagnostics)
        if self.record is None:
            return f"<RecordReading {self.game or 'unknown game'}, no record, {counts}>"
        game = self.record.game
        moves = format_count(len(self.record.line), "move")
        return f"<RecordReading {game.name}, {game.variant}, {moves}, {counts}>"

    def __str__(self) -> str:
        return render_findings(self.text, self.diagnostics)

    def _repr_html_(self) -> str:
        return render_html(self)
