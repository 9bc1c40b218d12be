"""The text that a record was read from, and the text of the record after an edit.

Kept byte for byte: the whole text while the record is the same; the tags while they and the start are, but
for another result; of the moves all that is still said (see `kept_words`); the kind of line ends, and blanks
after the result. The rest is written as `write_record` does. Where the parts together would not be read as
the record, as when comments stand among the tags, more of it is written anew, at last all.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from forsyth.record.kept_words import spliced_moves
from forsyth.record.model import Record
from forsyth.record.read import read_record
from forsyth.record.tokens import Scanner
from forsyth.record.write import write_record

_RESULT_TAG: Final = re.compile(r'^(\[\s*+Result\s*+")[^"\r\n]*+("\s*+\])', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text, and the record that it was read as."""

    text: str
    record: Record[Any, Any]

    def after(self, record: Record[Any, Any], width: int | None) -> str:
        """The text of the record after an edit."""
        if record == self.record:
            return self.text
        written = write_record(record, width=width)
        head, moves = map(self._with_line_ends, written.split("\n\n", 1))
        for joined in self._joined(record, head, moves.rstrip("\r\n"), width or 0):
            if _says(read_record(joined, record.game).record, record):
                return joined
        return written

    def _joined(self, record: Record[Any, Any], head: str, moves: str, width: int) -> Iterator[str]:
        """What is left of the text, with what is new in its place: first with most of it left."""
        end = _end_of_tags(self.text)
        rest = self.text[end:].lstrip()
        gap = self.text[end : len(self.text) - len(rest)]
        tail = self.text[len(self.text.rstrip()) :]
        tags = self._head(record, self.text[:end], head)
        if not rest or (tags and not end):
            gap = self._with_line_ends("\n\n") if tags else ""
        if _moves_of(record) == _moves_of(self.record):
            yield f"{tags}{gap}{rest}"
            return
        line_end = self._with_line_ends("\n")
        old = rest[: len(rest) - len(tail)]
        spliced = spliced_moves(old, self.record, moves, record, line_end, width)
        if spliced is not None:
            yield f"{tags}{gap}{spliced}{tail}"
        yield f"{tags}{gap}{moves}{tail}"

    def _head(self, record: Record[Any, Any], old: str, new: str) -> str:
        if (record.tags, record.start) != (self.record.tags, self.record.start):
            return new
        if record.result == self.record.result:
            return old
        return _RESULT_TAG.sub(rf"\g<1>{record.result}\g<2>", old)

    def _with_line_ends(self, text: str) -> str:
        return text.replace("\n", "\r\n") if "\r\n" in self.text else text


def _says(read: Record[Any, Any] | None, record: Record[Any, Any]) -> bool:
    """Whether what was read is a record; tags that are always written may have joined its own."""
    if read is None or (read.start, _moves_of(read)) != (record.start, _moves_of(record)):
        return False
    return dict(record.tags).items() <= dict(read.tags).items()


def _moves_of(record: Record[Any, Any]) -> tuple[Any, ...]:
    return record.line, record.comments, record.result


def _end_of_tags(text: str) -> int:
    scanner = Scanner(io.StringIO(text, newline=""))
    end = 0
    while (token := scanner.head()) is not None and token.kind == "tag":
        end = token.end
    return end
