"""Write the text of an edited record, and keep the unchanged parts of the text that it was read from.

These parts are kept byte for byte:

- the whole text, if the record is unchanged;
- the tags, if tags and start are unchanged (a changed result replaces only its value);
- of the moves, every unchanged word (see `preserve_source`);
- the kind of line ends, and the blanks after the result.

The rest is written as `write_record` writes it. If the combined text would not be read as the record, for
example because comments stand among the tags, more of it is written anew, and in the end all of it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from forsyth.record.model import Record
from forsyth.record.preserve_source import splice_moves
from forsyth.record.read import read_record
from forsyth.record.tokens import Scanner
from forsyth.record.write import write_record

_RESULT_TAG: Final = re.compile(r'^(\[\s*+Result\s*+")[^"\r\n]*+("\s*+\])', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of a record, and the record that was read from it."""

    text: str
    record: Record[Any, Any]

    def write_edited(self, record: Record[Any, Any], width: int | None) -> str:
        """Return the text of the edited record, with the unchanged parts as they are in the source text.

        Args:
            record: The edited record.
            width: Maximum length of new lines, in characters. None or 0 means no limit.
        """
        if record == self.record:
            return self.text
        new_text = write_record(record, width=width)
        # A blank line separates the tags from the moves.
        new_tags, new_moves = map(self._with_own_newlines, new_text.split("\n\n", 1))
        # Use the first candidate that is read as the edited record.
        for candidate in self._list_candidates(record, new_tags, new_moves.rstrip("\r\n"), width or 0):
            if _is_same_record(read_record(candidate, record.game).record, record):
                return candidate
        return new_text

    def _list_candidates(
        self, record: Record[Any, Any], new_tags: str, new_moves: str, width: int
    ) -> Iterator[str]:
        """Yield texts of the edited record that keep parts of the old text, the one that keeps most first.

        Args:
            record: The edited record.
            new_tags: Its tags, newly written.
            new_moves: Its moves, newly written.
            width: Maximum length of new lines, in characters; 0 for no limit.
        """
        # The old text consists of tags, a gap, moves and trailing blanks.
        tags_end = _find_end_of_tags(self.text)
        old_tags = self.text[:tags_end]
        old_moves_and_blanks = self.text[tags_end:].lstrip()
        gap = self.text[tags_end : len(self.text) - len(old_moves_and_blanks)]
        trailing_blanks = self.text[len(self.text.rstrip()) :]

        tags = self._merge_tags(record, old_tags, new_tags)
        has_usable_gap = old_moves_and_blanks and (old_tags or not tags)
        if not has_usable_gap:
            gap = self._with_own_newlines("\n\n") if tags else ""
        if _move_content(record) == _move_content(self.record):
            yield f"{tags}{gap}{old_moves_and_blanks}"
            return

        newline = self._with_own_newlines("\n")
        old_moves = old_moves_and_blanks[: len(old_moves_and_blanks) - len(trailing_blanks)]
        spliced_moves = splice_moves(old_moves, self.record, new_moves, record, newline, width)
        if spliced_moves is not None:
            yield f"{tags}{gap}{spliced_moves}{trailing_blanks}"
        yield f"{tags}{gap}{new_moves}{trailing_blanks}"

    def _merge_tags(self, record: Record[Any, Any], old_tags: str, new_tags: str) -> str:
        """Return the tags to write for the edited record.

        These are `new_tags`, newly written, if a tag or the start position changed, and else `old_tags`, from
        the source text. If only the result changed, it is replaced in `old_tags`.
        """
        has_same_tags = (record.tags, record.start) == (self.record.tags, self.record.start)
        if not has_same_tags:
            return new_tags
        if record.result == self.record.result:
            return old_tags
        return _RESULT_TAG.sub(rf"\g<1>{record.result}\g<2>", old_tags)

    def _with_own_newlines(self, text: str) -> str:
        """Return `text` with the line ends of the source text: CRLF if the source text contains CRLF."""
        return text.replace("\n", "\r\n") if "\r\n" in self.text else text


def _is_same_record(reread_record: Record[Any, Any] | None, record: Record[Any, Any]) -> bool:
    """Return whether `record` was written as a text that is read as the same record.

    `reread_record` is the record that was read from the text, or None if the text has no record. It may have
    more tags, because some tags are always written.
    """
    if reread_record is None or reread_record.start != record.start:
        return False
    if _move_content(reread_record) != _move_content(record):
        return False
    return dict(record.tags).items() <= dict(reread_record.tags).items()


def _move_content(record: Record[Any, Any]) -> tuple[Any, ...]:
    """Return everything that is written after the tags of a record."""
    return record.line, record.comments, record.result


def _find_end_of_tags(text: str) -> int:
    """Return the offset after the last tag, or 0 if the text does not begin with a tag."""
    scanner = Scanner(io.StringIO(text, newline=""))
    end = 0
    while (token := scanner.next_header_token()) is not None and token.kind == "tag":
        end = token.end
    return end
