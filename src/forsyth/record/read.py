"""Read records from a text or a file, one by one, with all findings about each.

A record consists of tags, moves and a result. It ends after its result and the comments on the same line, or
before the tags of the next record. Of a file with many records, only one is in memory at a time.

The reader also accepts, with a warning:

- a record without a result (the tag `Result` is used);
- a result that differs from the tag (the one after the moves is used);
- a result that contradicts the final position;
- a result inside a variation.

`results`, `tokens`, `tags` and `tree` list what else is accepted. In strict mode every warning is an error.

A variant that the game does not have is an error. The moves are then read by the usual rules up to the first
move that is not legal.

Limits: MAX_RECORD characters; MAX_DIAGNOSTICS findings. After that many errors no further moves are read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, overload

from forsyth import registry
from forsyth.arguments import quoted, require_choice, type_name
from forsyth.diagnostics import MODES, Confidence, Diagnostic, Fix, Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game, M, Outcome, P, Past, as_historical, outcome_of_past
from forsyth.limits import MAX_RECORD
from forsyth.record.codes import CODE_BOOK, sort_findings
from forsyth.record.detection import detect_game, split_moves
from forsyth.record.encoding import replace_wrong_characters, report_wrong_characters
from forsyth.record.fast_path import get_fast_reader, make_fast_reader
from forsyth.record.model import DERIVED_TAGS, Record, RecordReading
from forsyth.record.results import read_result
from forsyth.record.setup import find_start
from forsyth.record.tags import Tag, read_tag
from forsyth.record.tokens import Readable, ReadableBytes, RecordTooLongError, Scanner, Token
from forsyth.record.tree import Tree, TreeBuilder

if TYPE_CHECKING:
    from forsyth.game import Position
    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition

Source: TypeAlias = "str | os.PathLike[str] | Readable | ReadableBytes"
"""What records are read from: a text, a path, or a file that is open for reading text or bytes."""

_COMMENTS: Final = frozenset(("comment", "unclosed"))
"""Kinds of tokens that are comments."""
_ENDINGS: Final = frozenset(("result", "tag", "broken", "end"))
"""Kinds of tokens that can follow the last move."""


@overload
def read_records(
    source: Source, game: Literal["chess"], *, mode: Mode = "default"
) -> Iterator[RecordReading[chess.Position, chess.Move]]: ...
@overload
def read_records(
    source: Source, game: Literal["cotulenh"], *, mode: Mode = "default"
) -> Iterator[RecordReading[cotulenh.Position, cotulenh.Move]]: ...
@overload
def read_records(
    source: Source, game: Literal["azul"], *, mode: Mode = "default"
) -> Iterator[RecordReading[azul.Position, str]]: ...
@overload
def read_records(
    source: Source, game: Literal["xiangqi", "shogi"], *, mode: Mode = "default"
) -> Iterator[RecordReading[GridPosition, GridMove]]: ...
@overload
def read_records(
    source: Source, game: Game[P, M], *, mode: Mode = "default"
) -> Iterator[RecordReading[P, M]]: ...
@overload
def read_records(
    source: Source, game: Game | str | None = None, *, mode: Mode = "default"
) -> Iterator[RecordReading[Position, Any]]: ...
def read_records(
    source: Source, game: Game | str | None = None, *, mode: Mode = "default"
) -> Iterator[RecordReading]:
    """Yield a reading of each record in a text or a file, as soon as the end of the record is read.

    Mistakes in the text raise no errors, because the readings contain them as findings.

    Args:
        source: The text, the path of a file (a `pathlib.Path`), or a file that is open for reading text or
            bytes. Bytes are read as UTF-8, and wrong ones are findings. An open file is not closed.
        game: The game or its name. None detects the game of each record from its tags and moves.
        mode: The reading mode.

    Raises:
        ValueError: If there is no such game or mode.
        TypeError: If the source is a generator or another iterable.
        OSError: If the file cannot be read.
    """
    require_choice("mode", mode, MODES)
    known_game = None if game is None else registry.game(game)
    if isinstance(source, str | os.PathLike) or hasattr(source, "readline"):
        return _read_all(source, known_game, mode)
    if isinstance(source, Iterable) and not isinstance(source, bytes):
        raise TypeError(
            f"the source is of type {type_name(source)}, expected a text, a path or an open file;"
            " ''.join(lines) makes a text of lines"
        )
    return iter((_make_type_reading(source),))


def _read_all(source: Source, game: Game | None, mode: Mode) -> Iterator[RecordReading]:
    """Yield a reading of each record in a source. `game` is None if it is detected from each record."""
    with _open_source(source) as lines:
        scanner = Scanner(lines)
        fast_reader = make_fast_reader(game, mode)
        while scanner.skip_blanks():
            reading = None if fast_reader is None else fast_reader.read_next(scanner)
            yield _RecordReader(scanner, game, mode).read_next() if reading is None else reading


@contextmanager
def _open_source(source: Any) -> Iterator[Readable]:
    """Return a source as a file of text. A file that the caller opened stays open."""
    if isinstance(source, str):
        yield io.StringIO(source, newline="")
    elif isinstance(source, os.PathLike):
        with Path(source).open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            yield file
    elif hasattr(source, "read") and isinstance(source.read(0), bytes):
        wrapper = io.TextIOWrapper(source, encoding="utf-8", errors="surrogateescape", newline="")
        try:
            yield wrapper
        finally:
            # Without this, the wrapper would close the caller's file.
            wrapper.detach()
    else:
        yield source


@overload
def read_record(
    text: str, game: Literal["chess"], *, mode: Mode = "default"
) -> RecordReading[chess.Position, chess.Move]: ...
@overload
def read_record(
    text: str, game: Literal["cotulenh"], *, mode: Mode = "default"
) -> RecordReading[cotulenh.Position, cotulenh.Move]: ...
@overload
def read_record(
    text: str, game: Literal["azul"], *, mode: Mode = "default"
) -> RecordReading[azul.Position, str]: ...
@overload
def read_record(
    text: str, game: Literal["xiangqi", "shogi"], *, mode: Mode = "default"
) -> RecordReading[GridPosition, GridMove]: ...
@overload
def read_record(text: str, game: Game[P, M], *, mode: Mode = "default") -> RecordReading[P, M]: ...
@overload
def read_record(
    text: str, game: Game | str | None = None, *, mode: Mode = "default"
) -> RecordReading[Position, Any]: ...
def read_record(text: str, game: Game | str | None = None, *, mode: Mode = "default") -> RecordReading:
    """Return a reading of a text that is one record. Mistakes in the text are findings of the reading.

    Args:
        text: The text of the record.
        game: The game or its name. None detects the game from the tags and the moves.
        mode: The reading mode.

    Raises:
        ValueError: If there is no such game or mode.
    """
    require_choice("mode", mode, MODES)
    known_game = None if game is None else registry.game(game)
    if not isinstance(text, str):
        return _make_type_reading(text)
    if len(text) > MAX_RECORD:
        return _make_too_long_reading(text)
    fast_reader = get_fast_reader(known_game, mode)
    reading = None if fast_reader is None else fast_reader.read_only(text)
    if reading is not None:
        return reading
    reader = _RecordReader(Scanner(io.StringIO(text, newline="")), known_game, mode)
    return reader.read_only(text)


def find_diagnostics(
    text: str, game: Game | None, mode: Mode, *, is_only_record: bool
) -> tuple[Diagnostic, ...]:
    """Return the findings about the record in a text, without the help of a kernel.

    `game` is None if it is detected. `is_only_record` is False if `read_records` has cut the text out of a
    source.
    """
    scanner = Scanner(io.StringIO(text, newline=""))
    if is_only_record:
        return _RecordReader(scanner, game, mode).read_only(text).diagnostics
    scanner.skip_blanks()
    return _RecordReader(scanner, game, mode).read_next().diagnostics


@overload
def parse_record(
    text: str, game: Literal["chess"], *, mode: Mode = "default"
) -> Record[chess.Position, chess.Move]: ...
@overload
def parse_record(
    text: str, game: Literal["cotulenh"], *, mode: Mode = "default"
) -> Record[cotulenh.Position, cotulenh.Move]: ...
@overload
def parse_record(
    text: str, game: Literal["azul"], *, mode: Mode = "default"
) -> Record[azul.Position, str]: ...
@overload
def parse_record(
    text: str, game: Literal["xiangqi", "shogi"], *, mode: Mode = "default"
) -> Record[GridPosition, GridMove]: ...
@overload
def parse_record(text: str, game: Game[P, M], *, mode: Mode = "default") -> Record[P, M]: ...
@overload
def parse_record(
    text: str, game: Game | str | None = None, *, mode: Mode = "default"
) -> Record[Position, Any]: ...
def parse_record(text: str, game: Game | str | None = None, *, mode: Mode = "default") -> Record:
    """Return the record in a text. Raise `FenError` with all findings if one of them is an error.

    Args:
        text: The text of the record.
        game: The game or its name. None detects the game from the tags and the moves.
        mode: The reading mode.
    """
    return read_record(text, game, mode=mode).require()


class _RecordReader:
    """Reader of one record that begins at the position of the scanner."""

    def __init__(self, scanner: Scanner, game: Game | None, mode: Mode) -> None:
        self._scanner = scanner
        self._game = game
        self._mode = mode
        self._findings = Findings("", "default", CODE_BOOK)
        self._tags: dict[str, Tag] = {}
        self._first_comments: list[Token] = []
        """Comments before the first move."""
        self._line = max(scanner.line_number, 1)
        self._is_empty = True
        self._moves_end = 0
        """The offset at which the moves ended if there is no result."""

    def read_next(self) -> RecordReading:
        """Read the next record. The source can contain more after it."""
        try:
            self._scanner.begin_record()
            builder, result = self._read()
            while result is not None and (comment := self._scanner.read_comment_on_line()):
                builder.add_token(comment)
        except RecordTooLongError:
            text = self._scanner.cut_record()
            self._scanner.skip_record()
            return _make_too_long_reading(text, self._line)
        self._scanner.skip_line_end()
        return self._finish(builder, result, self._scanner.cut_record())

    def read_only(self, text: str) -> RecordReading:
        """Read the record that `text` consists of. Add an error if the text continues after it."""
        builder, result = self._read()
        token = self._scanner.next_token()
        while token.kind in _COMMENTS:
            builder.add_token(token)
            token = self._scanner.next_token()
        if token.kind != "end":
            message = "the record has ended, but the text continues; read it as several records"
            self._findings.add("record.more", Span(token.start, len(text)), message)
        return self._finish(builder, result, text)

    # --- the parts ----------------------------------------------------------------------------------

    def _read(self) -> tuple[TreeBuilder, Token | None]:
        """Read the tags and the moves. Return the builder with the moves, and the result or None."""
        self._read_tags()
        builder = self._make_builder()
        for comment in self._first_comments:
            builder.add_token(comment)
        return builder, self._read_moves(builder)

    def _read_tags(self) -> None:
        """Read the tags into `_tags`, and the comments before the moves into `_first_comments`.

        Reading ends after the first comment that follows a tag, or before the first move.
        """
        while (token := self._scanner.next_header_token()) is not None:
            if token.kind in _COMMENTS:
                self._first_comments.append(token)
                if self._tags:
                    return
                continue
            self._is_empty = False
            if token.kind != "tag":
                message = f'{token.text[:40]!r} is not a tag, expected one such as [Event "Club match"]'
                self._findings.add("record.tag", Span(token.start, token.end), message, field="tags")
                continue
            if not self._add_tag(token):
                self._scanner.move_back(token)
                return

    def _add_tag(self, token: Token) -> bool:
        """Add a tag to the record, or return False if the tag belongs to the next record.

        A tag that appears twice is ignored with a warning.
        """
        name = token.text[1:].split('"')[0].strip()
        if name not in self._tags:
            self._tags[name] = read_tag(token, self._findings)
            return True
        if self._scanner.after_blank_line:
            # The record has no moves, so the same tag after a blank line belongs to the next record.
            return False
        message = f"the tag {name} appears twice; the first one is used"
        self._findings.add("record.tag_repeated", Span(token.start, token.end), message, field=name)
        return True

    def _make_builder(self) -> TreeBuilder:
        """Return a builder for the moves, with the game and the start position that the tags describe.

        A builder without a game or without a start ignores the moves.
        """
        game = self._game or detect_game(self._tags, lambda: split_moves(self._scanner.look_at_moves()))
        if game is None:
            return TreeBuilder(None, None, self._findings)
        self._game, start = find_start(game, self._tags, self._mode, self._findings)
        self._scanner.set_move_pattern(self._game.move_pattern)
        return TreeBuilder(self._game, start, self._findings)

    def _read_moves(self, builder: TreeBuilder) -> Token | None:
        """Add all moves, comments and variations to a builder, up to the end of the record.

        Return the token of the result that ends the record, or None if the record ends without a result.
        """
        while True:
            token = self._scanner.next_token()
            if token.kind not in _ENDINGS:
                if token.kind not in _COMMENTS:
                    self._is_empty = False
                builder.add_token(token)
                continue
            if token.kind != "result":
                self._moves_end = token.start
                self._scanner.move_back(token)
                return None
            is_in_variation = builder.is_in_variation and self._scanner.is_before_bracket()
            if not is_in_variation:
                self._is_empty = False
                return token
            message = f"the result {token.text} inside a variation is ignored"
            self._findings.add("record.result", Span(token.start, token.end), message)

    # --- the end ------------------------------------------------------------------------------------

    def _finish(self, builder: TreeBuilder, result_token: Token | None, text: str) -> RecordReading:
        """Check the result, and return the reading of the record with all findings.

        Args:
            builder: The builder with all moves.
            result_token: The result after the moves, or None.
            text: The text of the record.
        """
        if self._is_empty:
            message = "there is no record, expected tags, moves or a result"
            self._findings.add("record.empty", Span(0, len(text)), message, field="tags")
            return self._make_reading(text, None)
        if self._game is None:
            games = ", ".join(registry.games())
            message = f"neither the tags nor the moves name the game; choose one of {games}"
            self._findings.add("game.unknown", Span(0, len(text)), message, field="tags")
        if result_token is None:
            moves_end = len(text[: self._moves_end].rstrip())
            result_span = Span(moves_end, moves_end)
        else:
            moves_end = result_token.start
            result_span = Span(result_token.start, result_token.end)
        tree = builder.finish(moves_end)
        result = self._determine_result(result_token, moves_end)
        start = tree.positions[0]
        if self._game is None or start is None:
            return self._make_reading(text, None)
        self._check_outcome(self._game, tree, result, result_span)
        tags = tuple((tag.name, tag.value) for tag in self._tags.values() if tag.name not in DERIVED_TAGS)
        return self._make_reading(text, Record(self._game, tags, start, tree.line, result, tree.comments))

    def _determine_result(self, token: Token | None, moves_end: int) -> str:
        """Return the result of the record, such as ``1-0``: the one after the moves, or that of the tag.

        Add a finding if there is no result after the moves, or if it contradicts the tag ``Result``.

        Args:
            token: The result after the moves, or None.
            moves_end: The offset at which the moves end.
        """
        tag = self._tags.get("Result")
        tag_result = None if tag is None else read_result(tag.value)
        if token is None:
            result = tag_result or "*"
            place = Span(moves_end, moves_end)
            fix = Fix(place, f"\n{result}", Confidence.LIKELY)
            message = f"the record does not end with a result, {result} is assumed"
            self._findings.add("record.result_missing", place, message, field="result", fix=fix)
        else:
            result = read_result(token.text) or "*"
            self._check_spelling(token.text, result, Span(token.start, token.end), "result")
        if tag is not None and tag_result == result:
            self._check_spelling(tag.value, result, tag.value_span, "Result")
        elif tag is not None and token is not None:
            fix = Fix(tag.value_span, result, Confidence.LIKELY)
            message = f"the tag Result is {tag.value[:40]!r}, but {result} follows the moves and is used"
            self._findings.add("record.result", tag.value_span, message, field="Result", fix=fix)
        return result

    def _check_spelling(self, text: str, result: str, span: Span, field: str) -> None:
        """Add a finding whose fix is `result` if `text` is another spelling of it, such as ``½-½``."""
        if text != result:
            fix = Fix(span, result, Confidence.CERTAIN)
            message = f"the result is spelled {quoted(text)}, expected {result}"
            self._findings.add("record.result", span, message, field=field, fix=fix)

    def _check_outcome(self, game: Game, tree: Tree, result: str, span: Span) -> None:
        """Add a finding if `result` contradicts the end of the game by the rules, such as a mate.

        The result ``*`` contradicts nothing. If a move could not be read, the final position is unknown.
        """
        outcome = None if result == "*" or tree.is_broken else _find_outcome(game, tree)
        if outcome is None or outcome.result == result:
            return
        message = f"the result is {result}, but the game ended {outcome.result} by {outcome.reason}"
        self._findings.add("record.result", span, message, field="result")

    def _make_reading(self, text: str, record: Record | None) -> RecordReading:
        """Return a reading with all findings so far.

        `text` is the text of the record, and `record` is None if the text contains none.
        """
        game_name = None if self._game is None else self._game.name
        report_wrong_characters(text, self._findings)
        text = replace_wrong_characters(text)
        diagnostics = sort_findings(self._findings, self._mode)
        return RecordReading(text, game_name, record, diagnostics, self._line)


def _find_outcome(game: Game, tree: Tree) -> Outcome | None:
    """Return how the game ended by the rules, such as by mate or repetition, or None if it goes on.

    `tree` contains the positions and moves of the main line.
    """
    final_position = tree.positions[-1]
    outcome = game.outcome(final_position)
    if outcome is not None:
        return outcome
    key = game.key(final_position)
    repetitions = sum(game.key(position) == key for position in tree.positions)
    if repetitions == 1 and as_historical(game) is None:
        return None
    return outcome_of_past(game, Past(tuple(tree.positions), tuple(tree.moves), repetitions))


def _make_type_reading(source: object) -> RecordReading:
    """Return a reading without a record, with the error that `source` is not a text."""
    message = f"the input is of type {type(source).__name__}, expected text"
    error = CODE_BOOK.make_diagnostic("fen.type", Span(0, 0), message, field="tags")
    return RecordReading(text="", game=None, record=None, diagnostics=(error,))


def _make_too_long_reading(text: str, line: int = 1) -> RecordReading:
    """Return a reading without a record, with the error that `text` has more than `MAX_RECORD` characters.

    `line` is the number of the line on which the text begins.
    """
    text = replace_wrong_characters(text)
    message = f"the record has more than {MAX_RECORD} characters, which is the maximum"
    excess = Span(min(MAX_RECORD, len(text)), len(text))
    error = CODE_BOOK.make_diagnostic("record.long", excess, message, field="tags")
    return RecordReading(text, game=None, record=None, diagnostics=(error,), line=line)
