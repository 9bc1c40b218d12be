"""The quick way to a record: a kernel reads its text, and the values are made of what it found.

A kernel takes only records about which there is nothing to say, so nothing is judged here; every other
record is read by the reader that explains. What both give is the same.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, Final

from forsyth import registry
from forsyth.abilities import ColumnarRecords
from forsyth.diagnostics import Mode, Span
from forsyth.game import Game
from forsyth.record.kernels import Starts
from forsyth.record.model import DERIVED_TAGS, Line, Node, Record, RecordReading, Tags
from forsyth.record.setup import game_of_tags
from forsyth.record.tags import Tag, unescape
from forsyth.record.tokens import Scanner, fold
from forsyth.record_bytes.columns import RESULTS, Contents, RecordKernel

_NOWHERE: Final = Span(0, 0)
_REMEMBERED: Final = 4096
_PLIES: Final = 1024
"""The room of the kernel: games of more moves are rare, and the other way reads them too."""
_KEPT: Final = 16
"""How many readers a thread keeps: a program has few games and modes."""
_NOTHING: Final[tuple[Any, ...]] = ()

# A frozen value checks every assignment; what is set once, where it is made, need not be checked.
_new: Final = object.__new__
_set_text, _set_nags, _set_before, _set_after, _set_variations = (
    getattr(Node, name).__set__ for name in ("text", "nags", "before", "after", "variations")
)
_set: Final = object.__setattr__


def quick_reader(game: Game | None, mode: Mode) -> QuickReader | None:
    """A reader for records of a game, or where none is named of the first that has a kernel; or None."""
    asked = [registry.game(name) for name in registry.games()] if game is None else [game]
    for one in asked:
        # A class that only inherits its kernel may have other rules, which the kernel does not know.
        if "record_kernel" not in vars(type(one)):
            continue
        starts = Starts(one, mode)
        kernel = starts.kernel((), 1, _PLIES)
        if kernel is not None:
            return QuickReader(one, game is not None, starts, kernel)
    return None


class _Kept(threading.local):
    """The readers of a thread, for a kernel is not to be used by two at once."""

    def __init__(self) -> None:
        self.readers: dict[tuple[Game | None, Mode], QuickReader | None] = {}


_kept: Final = _Kept()


def kept_reader(game: Game | None, mode: Mode) -> QuickReader | None:
    """The reader that this thread keeps for single records: making one takes longer than reading."""
    if game is not None and not isinstance(game, ColumnarRecords):
        return None
    readers, key = _kept.readers, (game, mode)
    if key not in readers:
        if len(readers) >= _KEPT:
            readers.clear()
        readers[key] = quick_reader(game, mode)
    return readers[key]


class QuickReader:
    """Reads one record after the other, where nothing has to be said about it."""

    def __init__(self, game: Game, told: bool, starts: Starts, kernel: RecordKernel) -> None:
        self._game = game
        self._told = told
        """Whether the game was asked for; otherwise the tags must speak of it."""
        self._starts = starts
        self._kernel = kernel
        self._spoken: dict[tuple[Any, ...], bool] = {}

    def read(self, scanner: Scanner) -> RecordReading | None:
        """The record that begins where the scanner stands; None, and nothing is read, where it is odd."""
        text = scanner.look_ahead()
        found = None if text is None else self._read(text)
        if text is None or found is None:
            return None
        record, data, end = found
        number = scanner.line_number
        scanner.pass_over(data.count(b"\n", 0, end) + (data[end - 1] != 10))
        if end < len(data):
            text = data[:end].decode()
        return RecordReading(text, record.game.name, record, _NOTHING, max(number, 1))

    def read_only(self, text: str) -> RecordReading | None:
        """The record that a whole text is; None where it is odd."""
        found = self._read(text)
        if found is None:
            return None
        record, data, end = found
        if end < len(data) and data[end:].strip():
            return None
        return RecordReading(text, record.game.name, record)

    def _read(self, text: str) -> tuple[Record, bytes, int] | None:
        """The record that a text begins with, the bytes of the text, and where in them the record ends."""
        try:
            data = text.encode()
        except UnicodeEncodeError:
            return None
        kernel = self._kernel
        end = kernel.read(data)
        if kernel.games == 0 or kernel.asked:
            return None
        contents = kernel.contents(0)
        named = {name: value for name, value, _ in contents.tags}
        if not self._told and not self._is_own(named):
            return None
        game, start = self._starts.find(named.get("Variant"), named.get("SetUp"), named.get("FEN"))
        record = _new(Record)
        _set(record, "game", game)
        _set(record, "tags", _tags(contents))
        _set(record, "start", start)
        _set(record, "line_later", lambda: _line(contents))
        _set(record, "result", RESULTS[contents.result])
        _set(record, "comments", _NOTHING)
        return record, data, end

    def _is_own(self, tags: dict[str, str]) -> bool:
        """Whether the tags speak of the game of this reader."""
        asked = (tags.get("Variant"), tags.get("FEN"), *tags)
        known = self._spoken.get(asked)
        if known is not None:
            return known
        values = {name: Tag(name, value, _NOWHERE, _NOWHERE, True) for name, value in tags.items()}
        told = game_of_tags(values)
        if len(self._spoken) >= _REMEMBERED:
            self._spoken.clear()
        self._spoken[asked] = told is not None and told.name == self._game.name
        return self._spoken[asked]


def _tags(contents: Contents) -> Tags:
    return tuple(
        [
            (name, unescape(value) if escaped else value)
            for name, value, escaped in contents.tags
            if name not in DERIVED_TAGS
        ]
    )


def _line(contents: Contents) -> Line:
    """The main line, its variations made before it, the last one first."""
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    nags: dict[int, list[int]] = {}
    variations: dict[int, list[Line]] = {}
    for node, kind, text in contents.comments:
        said = after if kind & 1 else before
        said.setdefault(node, []).append(fold(text) if kind & 2 else text)
    for node, nag in contents.nags:
        nags.setdefault(node, []).append(nag)
    around = (nags, before, after, variations)
    lines: list[list[tuple[int, str]]] = [[] for _ in contents.lines]
    for row, (number, text) in enumerate(contents.sides):
        lines[number].append((-1 - row, text))
    # A variation inside another has begun after it.
    for number in range(len(lines) - 1, -1, -1):
        variations.setdefault(contents.lines[number], []).insert(0, _nodes(lines[number], *around))
    return _nodes(enumerate(contents.moves), *around)


def _nodes(
    moves: Iterable[tuple[int, str]],
    nags: dict[int, list[int]],
    before: dict[int, list[str]],
    after: dict[int, list[str]],
    variations: dict[int, list[Line]],
) -> Line:
    found = []
    for node, text in moves:
        made = _new(Node)
        _set_text(made, text)
        _set_nags(made, tuple(nags[node]) if node in nags else _NOTHING)
        _set_before(made, tuple(before[node]) if node in before else _NOTHING)
        _set_after(made, tuple(after[node]) if node in after else _NOTHING)
        _set_variations(made, tuple(variations[node]) if node in variations else _NOTHING)
        found.append(made)
    return tuple(found)
