"""A record of one game as a value: its tags, its start, its tree of moves, its result.

A *line* is a tuple of nodes, each the move after the one before it. A node's variations are lines that
begin in its place. Comments keep their words; surrounding blanks are not part of them, and a line break
inside one counts as a blank.

A pass that the rules do not allow, such as the null move of chess, is a node like any other.

Limits: a tag's value has no line break. `SetUp`, `FEN` and `Result` are not among the tags: the start and
the result say what they would say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from forsyth.arguments import quoted, require_kind, require_text, several
from forsyth.diagnostics import Diagnostic, FenError, render
from forsyth.display import html_of
from forsyth.game import Game, M, P, read_recorded
from forsyth.match import Match
from forsyth.record.results import is_result
from forsyth.record.time_control import TimeControl, read_time_control
from forsyth.registry import game as find_game

if TYPE_CHECKING:
    from forsyth.record.move_tree import MoveTree

TAG_NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_+#=:-]*+"
DERIVED_TAGS: Final = frozenset(("SetUp", "FEN", "Result"))
"""Tags that are written from the start position and the result."""

GLYPHS: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""The glyphs that are written behind a move, by their numbers (PGN standard 8.2.3.8)."""
MOST_NAG: Final = 255
"""The highest annotation glyph there is (PGN standard 8.2.4)."""

_NAME: Final = re.compile(TAG_NAME)

Line: TypeAlias = "tuple[Node, ...]"
"""Moves one after another: the main line of a record, or a variation."""
Tags: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One move of a line: its text, what is said around it, and the lines that could replace it."""

    text: str
    nags: tuple[int, ...] = ()
    """Numeric annotation glyphs: 1 to 6 are ``!`` ``?`` ``!!`` ``??`` ``!?`` ``?!``."""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    variations: tuple[Line, ...] = ()


class _LateLine:
    """Room for a line of moves that is made when it is first asked for: many ask for the tags alone."""

    __slots__ = ("line_later",)
    line_later: Callable[[], Line]

    # A type checker that saw this would take every name for an attribute.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Line:
            # Only what is not set comes here.
            if name != "line":
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            line = self.line_later()
            object.__setattr__(self, "line", line)
            return line


@dataclass(frozen=True, slots=True)
class Record(_LateLine, Generic[P, M]):
    """One game, whole. Raises `ValueError` for tags and results that could not be written."""

    game: Game[P, M] = field(compare=False)
    """The game, in the variant that was played; of a record that was read never ``auto``."""
    tags: Tags
    start: P
    line: Line = ()
    result: str = "*"
    comments: tuple[str, ...] = ()
    """Comments before the first move of a record that has none."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "game", find_game(self.game))
        put(self, "line", several("the moves", self.line, "values of Node"))
        put(self, "comments", several("the comments", self.comments, "texts"))
        if not isinstance(self.result, str) or not is_result(self.result):
            raise ValueError(f"{quoted(self.result)} is not a result, expected one such as 1-0, 1/2-1/2 or *")
        seen: set[str] = set()
        for name, value in _pairs(self.tags):
            _require_tag(name, value, seen)
            seen.add(name)

    @staticmethod
    def of(
        match: Match[P, M],
        tags: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        *,
        result: str | None = None,
    ) -> Record[P, M]:
        """The record of a match.

        `result` is what the players agreed on or the clock decided; without it the tag ``Result`` counts,
        without that the match's own result.
        """
        require_kind("the match", match, Match, "a Match")
        given = dict(_pairs(tags.items() if isinstance(tags, Mapping) else tags))
        tagged = given.pop("Result", None)
        line = tuple(Node(ply.text) for ply in match)
        return Record(match.game, tuple(given.items()), match.start, line, result or tagged or match.result)

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        require_text("the name of a tag", name)
        return dict(self.tags).get(name)

    @property
    def moves(self) -> list[str]:
        """The moves of the main line in canonical notation."""
        return [node.text for node in self.line]

    @property
    def time_control(self) -> TimeControl | None:
        """The tag ``TimeControl`` as a value; None where it is missing or says nothing."""
        return read_time_control(self.tag("TimeControl") or "")

    def positions(self) -> Iterator[P]:
        """The positions of the main line, the start first; raises `MoveError` at a move that is not legal."""
        game, position = self.game, self.start
        yield position
        for node in self.line:
            position = game.play(position, read_recorded(game, position, node.text))
            yield position

    def match(self) -> Match[P, M]:
        """The main line as a match, passes included; raises `MoveError` at a move that is not legal."""
        match = Match(self.game, self.start)
        for node in self.line:
            match.play_recorded(node.text)
        return match

    def tree(self) -> MoveTree[P, M]:
        """The record as a tree of moves that can be edited; the record stays as it is."""
        from forsyth.record.move_tree import MoveTree

        return MoveTree.of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


def _pairs(tags: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    found = several("the tags", tags, "pairs of a name and a text")
    for pair in found:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise TypeError(f"one of the tags is {quoted(pair)}, expected a pair of a name and a text")
    return found


def _require_tag(name: str, value: str, seen: set[str]) -> None:
    require_text("the name of a tag", name)
    require_text(f"the value of the tag {name}", value)
    if not _NAME.fullmatch(name):
        raise ValueError(f"{quoted(name)} is not the name of a tag")
    if name in DERIVED_TAGS:
        raise ValueError(f"the tag {name} follows from the record's start and result")
    if name in seen:
        raise ValueError(f"the tag {name} appears twice")
    if "\n" in value or "\r" in value:
        raise ValueError(f"the value of the tag {name} has a line break")


@dataclass(frozen=True, slots=True)
class RecordReading(Generic[P, M]):
    """The result of reading one record: the record or none, and every finding."""

    text: str
    """The record as it was given; spans are offsets into it."""
    game: str | None
    record: Record[P, M] | None
    """None where there is no start to play from; after a bad move, the record up to it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    line: int = 1
    """The number of the line of the source on which `text` begins."""

    @property
    def ok(self) -> bool:
        """No finding of severity error."""
        return not any(d.is_error for d in self.diagnostics)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The findings of severity error, in the order of the text."""
        return tuple(d for d in self.diagnostics if d.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The findings of severity warning, in the order of the text."""
        return tuple(d for d in self.diagnostics if not d.is_error)

    def require(self) -> Record[P, M]:
        """The record; raises `FenError` with all findings when one of them is an error."""
        if self.record is None or not self.ok:
            raise FenError(self.text, self.diagnostics)
        return self.record

    def tree(self) -> MoveTree[P, M]:
        """The record as a tree that gives this text back while nothing has changed.

        Raises `FenError` as `require` does.
        """
        from forsyth.record.move_tree import MoveTree

        return MoveTree.of(self.require(), source=self.text)

    def place(self, diagnostic: Diagnostic) -> tuple[int, int]:
        """The line of the source and the column, both from 1, where a finding begins."""
        before = self.text[: diagnostic.span.start].replace("\r\n", "\n").replace("\r", "\n")
        return self.line + before.count("\n"), len(before) - before.rfind("\n")

    def to_dict(self) -> dict[str, Any]:
        """The reading as JSON-ready data; the start is its canonical text, the moves are the main line."""
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
            "diagnostics": [d.to_dict() for d in self.diagnostics],
        }

    def __str__(self) -> str:
        return render(self.text, self.diagnostics)

    def _repr_html_(self) -> str:
        return html_of(self)
