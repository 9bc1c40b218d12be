"""Reading records: from a text or a source to records, one by one, with every finding about each.

A record is its tags, its moves and its result. It ends with its result, with comments on the same line, or
where the next record's tags begin. In a source of many, nothing is held but the record being read.

Reading also takes, with a warning: a record without a result (the tag's counts), a result other than the
tag's (the one after the moves counts) or than the final position allows, a result inside a variation.
`results`, `tokens`, `tags` and `tree` list what else is taken. In strict mode every warning is an error.

Where `Variant` names rules that the game does not have, that is an error, and the moves are read by the usual
rules as far as they go.

Limits: MAX_RECORD characters; MAX_DIAGNOSTICS findings, after as many errors no further move is read.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from forsyth import registry
from forsyth.arguments import quoted, require_choice
from forsyth.diagnostics import MODES, Confidence, Fix, Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game, M, Outcome, P, Past, historical, outcome_in
from forsyth.limits import MAX_RECORD
from forsyth.record.codes import BOOK, in_order
from forsyth.record.model import DERIVED_TAGS, Record, RecordReading
from forsyth.record.quick import kept_reader, quick_reader
from forsyth.record.results import read_result
from forsyth.record.setup import find_start, game_of_tags
from forsyth.record.tags import Tag, read_tag
from forsyth.record.tokens import Readable, RecordTooLongError, Scanner, Token
from forsyth.record.tree import Tree, TreeBuilder

if TYPE_CHECKING:
    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.moves import GridMove
    from forsyth.kit.position import GridPosition

_COMMENTS: Final = frozenset(("comment", "unclosed"))
_ENDINGS: Final = frozenset(("result", "tag", "broken", "end"))
"""What may follow the last move."""


@overload
def read_records(
    source: str | Readable, game: Literal["chess"], *, mode: Mode = "default"
) -> Iterator[RecordReading[chess.Position, chess.Move]]: ...
@overload
def read_records(
    source: str | Readable, game: Literal["cotulenh"], *, mode: Mode = "default"
) -> Iterator[RecordReading[cotulenh.Position, cotulenh.Move]]: ...
@overload
def read_records(
    source: str | Readable, game: Literal["azul"], *, mode: Mode = "default"
) -> Iterator[RecordReading[azul.Position, str]]: ...
@overload
def read_records(
    source: str | Readable, game: Literal["xiangqi", "shogi"], *, mode: Mode = "default"
) -> Iterator[RecordReading[GridPosition, GridMove]]: ...
@overload
def read_records(
    source: str | Readable, game: Game[P, M], *, mode: Mode = "default"
) -> Iterator[RecordReading[P, M]]: ...
@overload
def read_records(
    source: str | Readable, game: Game | str | None = None, *, mode: Mode = "default"
) -> Iterator[RecordReading[Any, Any]]: ...
def read_records(
    source: str | Readable, game: Game | str | None = None, *, mode: Mode = "default"
) -> Iterator[RecordReading]:
    """Read record after record from a text or an open file, each as soon as its end is seen.

    Without a `game` the tags of each record say it. Never raises on a text; what the source itself raises
    goes through.
    """
    require_choice("mode", mode, MODES)
    named = None if game is None else registry.game(game)
    if not isinstance(source, str) and not hasattr(source, "readline"):
        yield _no_text(source)
        return
    scanner = Scanner(io.StringIO(source, newline="") if isinstance(source, str) else source)
    quick = quick_reader(named, mode)
    while scanner.skip_blank():
        reading = None if quick is None else quick.read(scanner)
        yield _RecordReader(scanner, named, mode).read_next() if reading is None else reading


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
) -> RecordReading[Any, Any]: ...
def read_record(text: str, game: Game | str | None = None, *, mode: Mode = "default") -> RecordReading:
    """Read a text that is one record. Never raises on a text."""
    require_choice("mode", mode, MODES)
    named = None if game is None else registry.game(game)
    if not isinstance(text, str):
        return _no_text(text)
    if len(text) > MAX_RECORD:
        return _too_long(text)
    quick = kept_reader(named, mode)
    found = None if quick is None else quick.read_only(text)
    if found is not None:
        return found
    reader = _RecordReader(Scanner(io.StringIO(text, newline="")), named, mode)
    return reader.read_only(text)


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
) -> Record[Any, Any]: ...
def parse_record(text: str, game: Game | str | None = None, *, mode: Mode = "default") -> Record:
    """The record of a text; raises `FenError` with every finding when there is an error."""
    return read_record(text, game, mode=mode).require()


class _RecordReader:
    """Reads one record from where the scanner stands."""

    def __init__(self, scanner: Scanner, game: Game | None, mode: Mode) -> None:
        self._scanner = scanner
        self._game = game
        self._mode = mode
        self._findings = Findings("", "default", BOOK)
        self._tags: dict[str, Tag] = {}
        self._preamble: list[Token] = []
        self._line = max(scanner.line_number, 1)
        self._empty = True
        self._end = 0
        """Where the moves ended without a result."""

    def read_next(self) -> RecordReading:
        """The record that begins here, of a source that may hold more."""
        try:
            self._scanner.begin()
            builder, result = self._read()
            while result is not None and (comment := self._scanner.comment_here()):
                builder.take(comment)
        except RecordTooLongError:
            text = self._scanner.cut()
            self._scanner.skip_record()
            return _too_long(text, self._line)
        self._scanner.end_line()
        return self._finish(builder, result, self._scanner.cut())

    def read_only(self, text: str) -> RecordReading:
        """The record that the whole text is."""
        builder, result = self._read()
        token = self._scanner.token()
        while token.kind in _COMMENTS:
            builder.take(token)
            token = self._scanner.token()
        if token.kind != "end":
            message = "the record has ended, but the text continues; read it as several records"
            self._findings.add("record.more", Span(token.start, len(text)), message)
        return self._finish(builder, result, text)

    # --- the parts ----------------------------------------------------------------------------------

    def _read(self) -> tuple[TreeBuilder, Token | None]:
        self._read_head()
        builder = self._set_up()
        for comment in self._preamble:
            builder.take(comment)
        return builder, self._read_moves(builder)

    def _read_head(self) -> None:
        """The tags, and comments up to the first after a tag."""
        while (token := self._scanner.head()) is not None:
            if token.kind in _COMMENTS:
                self._preamble.append(token)
                if self._tags:
                    return
                continue
            self._empty = False
            if token.kind != "tag":
                message = f'{token.text[:40]!r} is not a tag, expected one such as [Event "Club match"]'
                self._findings.add("record.tag", Span(token.start, token.end), message, field="tags")
                continue
            if not self._take_tag(token):
                self._scanner.back(token)
                return

    def _take_tag(self, token: Token) -> bool:
        """Whether the tag belongs to this record."""
        name = token.text[1:].split('"')[0].strip()
        if name not in self._tags:
            self._tags[name] = read_tag(token, self._findings)
            return True
        if self._scanner.after_blank:
            # A record without moves: the same tag after a blank line is that of the next one.
            return False
        message = f"the tag {name} appears twice; the first counts"
        self._findings.add("record.tag_repeated", Span(token.start, token.end), message, field=name)
        return True

    def _set_up(self) -> TreeBuilder:
        """The rules and the start; a builder without them passes the moves over."""
        told = self._game or game_of_tags(self._tags)
        if told is None:
            return TreeBuilder(None, None, self._findings)
        self._game, start = find_start(told, self._tags, self._mode, self._findings)
        self._scanner.use(self._game.move_pattern)
        return TreeBuilder(self._game, start, self._findings)

    def _read_moves(self, builder: TreeBuilder) -> Token | None:
        """Everything up to the result that ends the record, which is given, or to where the next begins."""
        while True:
            token = self._scanner.token()
            kind = token.kind
            if kind not in _ENDINGS:
                self._empty = self._empty and kind in _COMMENTS
                builder.take(token)
            elif kind != "result":
                self._end = token.start
                self._scanner.back(token)
                return None
            elif not builder.in_variation or not self._scanner.variation_ends_here():
                self._empty = False
                return token
            else:
                message = f"the result {token.text} inside a variation is left out"
                self._findings.add("record.result", Span(token.start, token.end), message)

    # --- the end ------------------------------------------------------------------------------------

    def _finish(self, builder: TreeBuilder, result: Token | None, text: str) -> RecordReading:
        if self._empty:
            message = "there is no record, expected tags, moves or a result"
            self._findings.add("record.empty", Span(0, len(text)), message, field="tags")
            return self._reading(text, None)
        if self._game is None:
            games = ", ".join(registry.games())
            message = f"the tags do not name the game; name it, one of {games}"
            self._findings.add("game.unknown", Span(0, len(text)), message, field="tags")
        end = len(text[: self._end].rstrip()) if result is None else result.start
        tree = builder.finish(end)
        settled = self._settle_result(result, end)
        start = tree.positions[0]
        if self._game is None or start is None:
            return self._reading(text, None)
        span = Span(result.start, result.end) if result is not None else Span(end, end)
        self._compare_outcome(self._game, tree, settled, span)
        tags = tuple((tag.name, tag.value) for tag in self._tags.values() if tag.name not in DERIVED_TAGS)
        return self._reading(text, Record(self._game, tags, start, tree.line, settled, tree.comments))

    def _settle_result(self, token: Token | None, end: int) -> str:
        tag = self._tags.get("Result")
        tagged = None if tag is None else read_result(tag.value)
        if token is None:
            result = tagged or "*"
            fix = Fix(Span(end, end), f"\n{result}", Confidence.LIKELY)
            message = f"no result ends the record, it is taken as {result}"
            self._findings.add("record.result_missing", Span(end, end), message, field="result", fix=fix)
        else:
            result = read_result(token.text) or "*"
            self._compare_spelling(token.text, result, Span(token.start, token.end), "result")
        if tag is not None and tagged == result:
            self._compare_spelling(tag.value, result, tag.value_span, "Result")
        elif tag is not None and token is not None:
            fix = Fix(tag.value_span, result, Confidence.LIKELY)
            message = f"the tag Result is {tag.value[:40]!r}, but {result} follows the moves and counts"
            self._findings.add("record.result", tag.value_span, message, field="Result", fix=fix)
        return result

    def _compare_spelling(self, text: str, result: str, span: Span, field: str) -> None:
        if text != result:
            fix = Fix(span, result, Confidence.CERTAIN)
            self._findings.add(
                "record.result", span, f"{quoted(text)} is written {result}", field=field, fix=fix
            )

    def _compare_outcome(self, game: Game, tree: Tree, result: str, span: Span) -> None:
        """A result that the rules do not allow. ``*`` claims none, and a line that broke off has no end."""
        outcome = None if result == "*" or tree.broken else _outcome(game, tree)
        if outcome is None or outcome.result == result:
            return
        message = f"the result is {result}, but the game ended {outcome.result} by {outcome.reason}"
        self._findings.add("record.result", span, message, field="result")

    def _reading(self, text: str, record: Record | None) -> RecordReading:
        name = None if self._game is None else self._game.name
        return RecordReading(text, name, record, in_order(self._findings, self._mode), self._line)


def _outcome(game: Game, tree: Tree) -> Outcome | None:
    final = tree.positions[-1]
    outcome = game.outcome(final)
    if outcome is not None:
        return outcome
    key = game.key(final)
    repetitions = sum(game.key(position) == key for position in tree.positions)
    if repetitions == 1 and historical(game) is None:
        return None
    return outcome_in(game, Past(tuple(tree.positions), tuple(tree.moves), repetitions))


def _no_text(source: object) -> RecordReading:
    message = f"the input is of type {type(source).__name__}, expected text"
    return RecordReading("", None, None, (BOOK.finding("fen.type", Span(0, 0), message, field="tags"),))


def _too_long(text: str, line: int = 1) -> RecordReading:
    message = f"the record has more than {MAX_RECORD} characters"
    span = Span(min(MAX_RECORD, len(text)), len(text))
    return RecordReading(text, None, None, (BOOK.finding("record.long", span, message, field="tags"),), line)
