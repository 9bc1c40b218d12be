"""Read records with the kernel of their game, which is faster than the reader that explains mistakes.

A kernel reads records without findings, and others whose findings it can note. The findings of these are
made by `forsyth.record.read`, when somebody looks at them. Every other record is left to
`forsyth.record.read`. Both give the same result for a record that the kernel reads.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final, NamedTuple

from forsyth import registry
from forsyth.abilities import ColumnarRecords
from forsyth.diagnostics import Diagnostic, Mode, Span
from forsyth.game import Game
from forsyth.record.detection import MAX_DECIDING_MOVES, detect_game, detect_game_of_tags
from forsyth.record.kernels import StartCache
from forsyth.record.model import DERIVED_TAGS, Line, Node, Record, RecordReading, Tags
from forsyth.record.tags import Tag, unescape
from forsyth.record.tokens import Scanner, join_lines
from forsyth.record_bytes.columns import NOTE_CODES, RESULTS, Contents, RecordKernel

_NO_SPAN: Final = Span(0, 0)
_TAG_CACHE_SIZE: Final = 4096
"""Number of tag combinations for which it is cached whether they belong to the game."""
_MAX_PLIES: Final = 1024
"""Maximum number of moves that the kernel reads. Longer games are rare and left to the other reader."""
_READER_CACHE_SIZE: Final = 16
"""Number of readers that are cached per thread. A program uses few games and modes."""
_NEWLINE: Final = 10
_AFTER_MOVE: Final = 1
"""Flag of a comment: it comes after its move, and not before."""
_HAS_LINE_BREAK: Final = 2
"""Flag of a comment: its lines must be joined."""
_RESULT_MISSING: Final = NOTE_CODES.index("record.result_missing")
"""The kind of the note that a record ends without a result."""
_EMPTY: Final[tuple[Any, ...]] = ()

# Nodes and records are frozen. Setting their fields below the dataclass is faster than calling the class.
_new: Final = object.__new__
_set_text, _set_nags, _set_before, _set_after, _set_variations = (
    getattr(Node, name).__set__ for name in ("text", "nags", "before", "after", "variations")
)
_set_field: Final = object.__setattr__


def make_fast_reader(game: Game | None, mode: Mode) -> FastReader | None:
    """Return a reader that reads records with compiled code, or None if the game has no such code.

    With None as the game, the reader is for the first installed game that has compiled code (a *kernel*).
    """
    games = [registry.game(name) for name in registry.games()] if game is None else [game]
    for candidate in games:
        # A subclass that only inherits the kernel can have other rules than those of the kernel.
        if "record_kernel" not in vars(type(candidate)):
            continue
        starts = StartCache(candidate, mode)
        kernel = starts.make_kernel((), 1, _MAX_PLIES)
        if kernel is not None:
            return FastReader(candidate, game, mode, starts, kernel)
    return None


class _ReaderCache(threading.local):
    """The cached readers of a thread. Two threads must not use a kernel at the same time."""

    def __init__(self) -> None:
        self.readers: dict[tuple[Game | None, Mode], FastReader | None] = {}


_reader_cache: Final = _ReaderCache()


def get_fast_reader(game: Game | None, mode: Mode) -> FastReader | None:
    """Return the fast reader of this thread for a game and mode, or None if the game has none.

    Readers are cached, because making a reader takes longer than reading a record.
    """
    if game is not None and not isinstance(game, ColumnarRecords):
        return None
    readers, key = _reader_cache.readers, (game, mode)
    if key not in readers:
        if len(readers) >= _READER_CACHE_SIZE:
            readers.clear()
        readers[key] = make_fast_reader(game, mode)
    return readers[key]


class FastReader:
    """Reader of records by the kernel of one game."""

    def __init__(
        self, game: Game, requested_game: Game | None, mode: Mode, starts: StartCache, kernel: RecordKernel
    ) -> None:
        """Create a reader.

        Args:
            game: The game of the kernel.
            requested_game: The game that the caller named. If it is None, the tags of each record must name
                the game.
            mode: The reading mode.
            starts: The cache of the start positions.
            kernel: The kernel, which is called for one record at a time.
        """
        self._game = game
        self._requested_game = requested_game
        self._mode: Mode = mode
        self._starts = starts
        self._kernel = kernel
        self._belongs_cache: dict[tuple[Any, ...], bool] = {}

    def read_next(self, scanner: Scanner) -> RecordReading | None:
        """Read the next record of a scanner, and move the scanner to its end.

        Return None and leave the scanner where it is if the kernel cannot read the record or it is of another
        game, so that `forsyth.record.read` has to read it.
        """
        text = scanner.look_ahead()
        if text is None:
            return None
        result = self._read(text)
        if result is None:
            return None
        record, data, end = result
        first_line = max(scanner.line_number, 1)
        ends_within_line = data[end - 1] != _NEWLINE
        line_count = data.count(b"\n", 0, end) + ends_within_line
        if self._lacks_result() and not (end == len(data) and scanner.ends_record_after(line_count)):
            return None
        scanner.skip_lines(line_count)
        if end < len(data):
            text = data[:end].decode()
        if not self._kernel.note_count:
            return RecordReading(text, record.game.name, record, _EMPTY, first_line)
        return self._make_noted_reading(text, record, first_line, is_only_record=False)

    def read_only(self, text: str) -> RecordReading | None:
        """Read a text that is one record. Return None if `forsyth.record.read` has to read it.

        That is so if the kernel cannot read the record, it is of another game, or more text follows.
        """
        result = self._read(text)
        if result is None:
            return None
        record, data, end = result
        continues_after_record = end < len(data) and data[end:].strip()
        if continues_after_record:
            return None
        if not self._kernel.note_count:
            return RecordReading(text, record.game.name, record)
        return self._make_noted_reading(text, record, first_line=1, is_only_record=True)

    def _lacks_result(self) -> bool:
        """Return whether the record that the kernel has read ends without a result."""
        return self._kernel.note_count > 0 and _RESULT_MISSING in self._kernel.column("note_kind")

    def _make_noted_reading(
        self, text: str, record: Record, first_line: int, *, is_only_record: bool
    ) -> RecordReading:
        """Return the reading of a record that the kernel has read with notes.

        Its diagnostics are made when somebody looks at them.

        Args:
            text: The text of the record.
            record: The record.
            first_line: The line number of the text in the source.
            is_only_record: Whether the source is this record alone.
        """
        game, mode = self._requested_game, self._mode
        reading = _new(RecordReading)
        _set_field(reading, "text", text)
        _set_field(reading, "game", record.game.name)
        _set_field(reading, "record", record)
        _set_field(reading, "line", first_line)
        _set_field(reading, "load_diagnostics", lambda: _find_diagnostics(text, game, mode, is_only_record))
        _set_field(reading, "is_known_ok", mode != "strict" and not self._kernel.error_count)
        return reading

    def _read(self, text: str) -> tuple[Record, bytes, int] | None:
        """Read the record at the beginning of a text.

        Return the record, the text as bytes, and the index of the byte after the record. Return None if the
        kernel cannot read it or it belongs to another game.
        """
        try:
            data = text.encode()
        except UnicodeEncodeError:
            return None
        kernel = self._kernel
        end = kernel.read(data)
        is_read_by_kernel = kernel.games > 0 and not kernel.fallback_count
        if not is_read_by_kernel:
            return None
        contents = kernel.contents(0)
        tags = {name: value for name, value, _ in contents.tags}
        if self._requested_game is None and not self._belongs_to_game(tags, contents):
            return None
        game, start = self._starts.game_and_start(tags.get("Variant"), tags.get("SetUp"), tags.get("FEN"))
        # Setting the fields below the frozen dataclass is faster than calling the class.
        record = _new(Record)
        _set_field(record, "game", game)
        _set_field(record, "tags", _list_tags(contents))
        _set_field(record, "start", start)
        _set_field(record, "load_line", lambda: _build_main_line(contents))
        _set_field(record, "result", RESULTS[contents.result])
        _set_field(record, "comments", _EMPTY)
        return record, data, end

    def _belongs_to_game(self, tags: dict[str, str], contents: Contents) -> bool:
        """Return whether a record is of this reader's game.

        `tags` are the values of its tags by name, and `contents` has its moves.
        """
        # The game depends on the values of two tags, on the names of all tags, and sometimes on the moves.
        key = (tags.get("Variant"), tags.get("FEN"), *tags)
        cached = self._belongs_cache.get(key)
        if cached is not None:
            return cached
        parsed_tags = {
            name: Tag(name, value, _NO_SPAN, _NO_SPAN, verbatim=True) for name, value in tags.items()
        }
        game = detect_game_of_tags(parsed_tags)
        if game is None:
            if self._kernel.note_count:
                # The moves as they are written decide, and the contents have their canonical texts.
                return False
            game = detect_game(parsed_tags, lambda: list(islice(contents.moves, MAX_DECIDING_MOVES)))
            return game is not None and game.name == self._game.name
        belongs = game.name == self._game.name
        if len(self._belongs_cache) >= _TAG_CACHE_SIZE:
            self._belongs_cache.clear()
        self._belongs_cache[key] = belongs
        return belongs


def _find_diagnostics(
    text: str, game: Game | None, mode: Mode, is_only_record: bool
) -> tuple[Diagnostic, ...]:
    """Return the findings about a record, which `forsyth.record.read` makes.

    The arguments are those of `_make_noted_reading`. `game` is None if it is detected.
    """
    from forsyth.record.read import find_diagnostics

    return find_diagnostics(text, game, mode, is_only_record=is_only_record)


def _list_tags(contents: Contents) -> Tags:
    """Return the names and values of a record's tags, except ``SetUp``, ``FEN`` and ``Result``.

    A `Record` has other fields for the start position and the result.
    """
    return tuple(
        [
            (name, unescape(value) if escaped else value)
            for name, value, escaped in contents.tags
            if name not in DERIVED_TAGS
        ]
    )


def _build_main_line(contents: Contents) -> Line:
    """Return the main line of a record with all comments, annotation glyphs and variations.

    In `contents`, each of these is stored with the number of its move. Moves of the main line are numbered
    from 0 upwards, and moves of variations from −1 downwards.
    """
    annotations = _Annotations({}, {}, {}, {})
    for number, flags, text in contents.comments:
        comments = annotations.after if flags & _AFTER_MOVE else annotations.before
        comments.setdefault(number, []).append(join_lines(text) if flags & _HAS_LINE_BREAK else text)
    for number, nag in contents.nags:
        annotations.nags.setdefault(number, []).append(nag)

    # The numbers and texts of the moves of each variation.
    variation_moves: list[list[tuple[int, str]]] = [[] for _ in contents.lines]
    for row, (variation_index, text) in enumerate(contents.sides):
        variation_moves[variation_index].append((-1 - row, text))

    # The last variation is built first, because a variation inside another one begins after it.
    for variation_index in reversed(range(len(variation_moves))):
        variation = _build_line(variation_moves[variation_index], annotations)
        replaced_move = contents.lines[variation_index]
        annotations.variations.setdefault(replaced_move, []).insert(0, variation)
    return _build_line(enumerate(contents.moves), annotations)


class _Annotations(NamedTuple):
    """Everything that a record has for its moves, by the number of the move."""

    nags: dict[int, list[int]]
    """The annotation glyphs, such as 1 for ``!``."""
    before: dict[int, list[str]]
    """The comments before a move."""
    after: dict[int, list[str]]
    """The comments after a move."""
    variations: dict[int, list[Line]]
    """The lines that could be played instead of a move."""


def _build_line(moves: Iterable[tuple[int, str]], annotations: _Annotations) -> Line:
    """Return the nodes of a line: its moves, each with its glyphs, comments and variations.

    `moves` has the number and the text of each move, and `annotations` everything else by that number.
    """
    nags, before, after, variations = annotations
    nodes = []
    for number, text in moves:
        # Setting the fields below the frozen dataclass is faster than calling the class.
        node = _new(Node)
        _set_text(node, text)
        _set_nags(node, tuple(nags[number]) if number in nags else _EMPTY)
        _set_before(node, tuple(before[number]) if number in before else _EMPTY)
        _set_after(node, tuple(after[number]) if number in after else _EMPTY)
        _set_variations(node, tuple(variations[number]) if number in variations else _EMPTY)
        nodes.append(node)
    return tuple(nodes)
