"""The words of a record, one after the other, from a source that is read line by line.

A brace comment is the only word that spans lines. Which texts are moves is the game's to say
(`Game.move_pattern`); its pattern is tried before a bracket is taken as the start of a variation. What looks
like nothing else and has a letter or a digit in it stands in the place of a move.

Reading also takes: any blanks between words, a byte order mark, CRLF and CR, lines that begin with ``%``
(they are skipped), several tags on one line, any dash for a hyphen outside tags and comments, and results
in any spelling of `results`. A number without dots begins with no nought. A comment that is not closed ends
where a blank line and a tag after it begin the next record.

Limits: a record, and so a line, has at most MAX_RECORD characters; no more of a source is ever held.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple, Protocol

from forsyth.dashes import DASHES
from forsyth.limits import MAX_RECORD
from forsyth.record.model import TAG_NAME
from forsyth.record.results import LOOSE_RESULT


class Readable(Protocol):
    """A source of text, such as an open file."""

    def readline(self, size: int = -1, /) -> str:
        """The next line with its end, or its first `size` characters; nothing at the end."""


class Token(NamedTuple):
    """One word: what it is, its text, and where it stands in the text of its record."""

    kind: str
    text: str
    start: int
    end: int


class RecordTooLongError(Exception):
    """The record, or a line of it, is longer than MAX_RECORD."""


_BLANK: Final = r"\s\ufeff"
_STOP: Final = rf"(?=[{_BLANK}{{}}();$!?]|\Z)"
"""Where a move or a result may end."""

_KINDS: Final[tuple[tuple[str, str], ...]] = (
    ("number", rf"[0-9]{{1,9}}[.…]++|[1-9][0-9]{{0,8}}(?=[{_BLANK}{{(;)]|\Z)(?!\s*+-(?!-))"),
    ("brace", r"\{"),
    ("close", r"\)"),
    ("open", r"\("),
    ("nag", r"\$[0-9]*+"),
    ("suffix", r"[!?]++"),
    ("result", rf"(?:{LOOSE_RESULT}){_STOP}"),
    ("rest", r";[^\r\n]*+"),
    ("dots", r"[.…]++"),
    ("stray", r"\}"),
    ("bracket", r"\[[^\]\r\n]*+\]?"),
    ("word", rf"[^{_BLANK}{{}}();$]++"),
)
"""What a word can be, in the order it is tried, after the game's moves."""

_NO_MOVES: Final = "(?!)"
_HEAD: Final = frozenset(("tag", "broken", "bracket", "comment", "unclosed"))
"""What may stand before the moves."""

_TAG: Final = re.compile(rf'\[\s*+{TAG_NAME}\s*+"(?:[^"\\\r\n]|\\[^\r\n])*+"\s*+\]')
_LOOSE_TAG: Final = re.compile(rf'\[\s*+{TAG_NAME}\s*+"[^\r\n]*"\s*+\](?=\s*+\Z)')
_TAG_BEGINS: Final = re.compile(rf'[{_BLANK}]*+\[\s*+{TAG_NAME}\s*+"')
_ESCAPE: Final = re.compile("\ufeff?%")
_VISIBLE: Final = re.compile(rf"[^{_BLANK}]")
_COMMENT_BEGINS: Final = re.compile(rf"[{_BLANK}]*+[{{;]")
_VARIATION_ENDS: Final = re.compile(rf"[{_BLANK}]*+(?:\{{[^{{}}]*+\}}[{_BLANK}]*+)*+\)")
_LINE_BREAK: Final = re.compile(r"[\r\n]")
_LAST_WORDS: Final = ("1-0", "0-1", "1/2-1/2", "*")
"""What usually ends the last line of a record."""
_FAR: Final = 1 << 16
"""How many characters are looked at ahead: a record that is longer takes its time anyway."""


@cache
def _words(move_pattern: str) -> re.Pattern[str]:
    others = "|".join(f"(?P<{kind}>{source})" for kind, source in _KINDS)
    return re.compile(rf"[{_BLANK}]*+(?:(?P<move>(?:{move_pattern}){_STOP})|{others})")


def fold(text: str) -> str:
    """The words of a comment: no blanks around them, a line break with those around it is one blank."""
    lines = (line.strip() for line in _LINE_BREAK.split(text))
    return " ".join(line for line in lines if line)


class Scanner:
    """Gives the words of a source, and cuts out the text of each record."""

    def __init__(self, source: Readable) -> None:
        self.line_number = 0
        """The line of the source that is being read, from 1."""
        self.after_blank = False
        """Whether a blank line stands before the last word."""
        self._source = source
        self._ahead: list[str] = []
        """Lines that were looked at and are still to be read."""
        self._pattern = _words(_NO_MOVES)
        self._held: list[str] = []
        self._line = ""
        self._plain = ""
        """The line with hyphens for all dashes, in which words are looked for."""
        self._from = 0
        self._at = 0
        self._base = 0
        """The offset of the line's first character in the record's text; negative when that begins later."""
        self._line_ended = True
        self._blank_line = False
        self._tags_here = True
        self._first_tag = -1
        """Where the first tag of the line begins, once it is found."""

    # --- records ------------------------------------------------------------------------------------

    def skip_blank(self) -> bool:
        """Go to where the next record begins and drop what is blank; False at the end of the source."""
        while not _VISIBLE.search(self._line, self._at) or self._is_escape():
            if not self._read():
                return False
        self.cut()
        return True

    def look_ahead(self) -> str | None:
        """The text from here to where the record seems to end; None where that is not said so easily.

        It may hold less than the record, or more. Nothing is read by it.
        """
        line = self._line
        if self._at or line[-1] != "\n":
            return None
        lines, size, moves = [line], len(line), line[0] != "["
        while not (moves and line.rstrip().endswith(_LAST_WORDS)):
            if len(lines) > len(self._ahead):
                found = self._source.readline(MAX_RECORD + 1)
                if not found:
                    break
                self._ahead.append(found)
            line = self._ahead[len(lines) - 1]
            size += len(line)
            if size > _FAR or (moves and line[0] == "["):
                break
            moves = moves or not (line[0] == "[" or line.isspace())
            lines.append(line)
        return "".join(lines) if size <= _FAR else None

    def pass_over(self, lines: int) -> None:
        """Go to the end of a line that was looked at, the line here being the first."""
        if lines > 1:
            self._line = self._plain = self._ahead[lines - 2]
            del self._ahead[: lines - 1]
            self.line_number += lines - 1
            self._line_ended = self._line.endswith(("\n", "\r"))
        self._from = self._at = len(self._line)
        self.cut()

    def begin(self) -> None:
        """A record begins here; raises `RecordTooLongError` when its first line is too long."""
        if len(self._line) - self._from > MAX_RECORD:
            self._at = self._from + MAX_RECORD
            raise RecordTooLongError

    def use(self, move_pattern: str) -> None:
        """From here to the end of the record, moves are those of a game."""
        self._pattern = _words(move_pattern)

    @property
    def offset(self) -> int:
        """Where in the record's text the next word is looked for."""
        return self._base + self._at

    def cut(self) -> str:
        """The text of the record up to here; the next record begins here."""
        text = "".join(self._held) + self._line[self._from : self._at]
        self._held.clear()
        self._from = self._at
        self._base = -self._from
        self._tags_here = True
        self._pattern = _words(_NO_MOVES)
        return text

    def skip_record(self) -> None:
        """Go to the next line that begins with a tag, and hold nothing of what is skipped."""
        fits = len(self._line) <= MAX_RECORD and self._at == 0
        while not (fits and _TAG_BEGINS.match(self._line)):
            fits = self._line_ended
            if not self._read():
                self._line = self._plain = ""
                break
        self._from = self._at = self._base = 0

    def end_line(self) -> None:
        """Go past the end of the line when nothing but blanks is before it."""
        if not _VISIBLE.search(self._line, self._at):
            self._at = len(self._line)

    # --- words --------------------------------------------------------------------------------------

    def head(self) -> Token | None:
        """The next tag or comment, or None when something else is next."""
        token = self.token()
        if token.kind in _HEAD:
            return token
        self.back(token)
        return None

    def comment_here(self) -> Token | None:
        """The comment that comes next on this line, if one does."""
        return self.token() if _COMMENT_BEGINS.match(self._line, self._at) else None

    def variation_ends_here(self) -> bool:
        """Whether only comments stand between here and a closing bracket on this line."""
        return _VARIATION_ENDS.match(self._line, self._at) is not None

    def back(self, token: Token) -> None:
        """Go back to before the last token, which must not be a comment."""
        self._at = token.start - self._base

    def token(self) -> Token:
        """The next word; of kind ``end`` when there is none."""
        found = self._pattern.match(self._plain, self._at)
        while found is None or found.lastgroup == "dots":
            if found is not None:
                self._at = found.end()
            elif not self._next_line():
                self._at = len(self._line)
                return Token("end", "", self.offset, self.offset)
            found = self._pattern.match(self._plain, self._at)
        kind = found.lastgroup or ""
        start, end = found.span(kind)
        if kind == "bracket" and self._tags_here:
            return self._tag(start, end)
        self._tags_here = self._blank_line = False
        self._at = end
        base, text = self._base, self._line[start:end]
        if kind == "brace":
            return self._comment(start)
        if kind == "rest":
            return Token("comment", text[1:].strip(), base + start, base + end)
        if kind == "word":
            kind = "move" if any(map(str.isalnum, text)) else "odd"
        return Token(kind, text, base + start, base + end)

    def _tag(self, at: int, end: int) -> Token:
        self.after_blank, self._blank_line = self._blank_line, False
        if self._first_tag < 0:
            self._first_tag = at
        found = _TAG.match(self._line, at)
        if found is None and at == self._first_tag:
            # Only once in a line, so that a line of a thousand broken tags is not searched a thousand times.
            found = _LOOSE_TAG.match(self._line, at)
        kind = "tag"
        if found is None:
            kind = "broken" if _TAG_BEGINS.match(self._line, at) else "bracket"
        else:
            end = found.end()
        self._at = end
        return Token(kind, self._line[at:end], self._base + at, self._base + end)

    def _comment(self, brace: int) -> Token:
        start = self._base + brace
        pieces: list[str] = []
        while (end := self._line.find("}", self._at)) < 0:
            pieces.append(self._line[self._at :])
            blank = self._line.isspace()
            if not self._read_on():
                self._at = len(self._line)
                return Token("unclosed", fold("".join(pieces)), start, self.offset)
            if blank and _TAG_BEGINS.match(self._line):
                return Token("unclosed", fold("".join(pieces)), start, self.offset)
        pieces.append(self._line[self._at : end])
        self._at = end + 1
        self._tags_here = False
        return Token("comment", fold("".join(pieces)), start, self.offset)

    # --- lines --------------------------------------------------------------------------------------

    def _next_line(self) -> bool:
        if not self._read_on():
            return False
        if self._line.isspace():
            self._blank_line = True
        elif self._is_escape():
            self._at = len(self._line)
        return True

    def _read_on(self) -> bool:
        """The next line of the same record."""
        done, base = self._line[self._from :], self._base + len(self._line)
        if not self._read():
            return False
        self._held.append(done)
        self._base = base
        if base + len(self._line) > MAX_RECORD:
            raise RecordTooLongError
        return True

    def _read(self) -> bool:
        line = self._ahead.pop(0) if self._ahead else self._source.readline(MAX_RECORD + 1)
        if not line:
            return False
        self._line = line
        self._plain = line if line.isascii() else line.translate(DASHES)
        self._from = self._at = self._base = 0
        self._tags_here = True
        self._first_tag = -1
        self.line_number += self._line_ended
        self._line_ended = line.endswith(("\n", "\r"))
        return True

    def _is_escape(self) -> bool:
        return self._at == 0 and _ESCAPE.match(self._line) is not None
