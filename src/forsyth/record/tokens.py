"""Split the text of records into tokens. The source is read line by line.

A comment in braces is the only token that can span several lines. `Game.move_pattern` matches moves. It is
tried before an opening bracket is read as the start of a variation. A word that is nothing else and contains
a letter or digit is read as a move.

The scanner also accepts any blanks between tokens, a byte order mark, the line ends CRLF and CR, lines that
begin with ``%`` (which are skipped), several tags on one line, any dash for a hyphen outside tags and
comments, and results in any spelling of `results`. A move number without a dot must not begin with 0. A
comment that is not closed ends before a blank line that is followed by a tag, because the next record begins
there. A comment is closed if the next brace after that tag is a closing one.

Limits: a record has at most MAX_RECORD characters. Not more than that of a source is ever in memory. After a
tag in a comment, the next brace is searched in MAX_COMMENT_LOOKAHEAD bytes.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import count
from typing import Final, NamedTuple, Protocol

from forsyth.dashes import DASHES
from forsyth.limits import MAX_COMMENT_LOOKAHEAD, MAX_RECORD
from forsyth.record.model import TAG_NAME
from forsyth.record.results import LOOSE_RESULT


class Readable(Protocol):
    """A source of text, such as an open file."""

    def readline(self, size: int = -1, /) -> str:
        """Return the next line with its line end, or its first `size` characters; empty at the end."""


class ReadableBytes(Protocol):
    """A source of bytes, such as a file that is open for reading bytes."""

    def readline(self, size: int = -1, /) -> bytes:
        """Return the next line with its line end, or its first `size` bytes; empty at the end."""


class Token(NamedTuple):
    """A token: its kind, its text, and its place in the text of the record."""

    kind: str
    """``tag``, ``broken`` (a broken tag), ``comment``, ``unclosed`` (a comment), ``odd``, ``end`` or a group.

    The groups are ``move`` and the names in `_KINDS`.
    """
    text: str
    start: int
    end: int


class RecordTooLongError(Exception):
    """Error for a record or a line that is longer than MAX_RECORD."""


_BLANK: Final = r"\s\ufeff"
"""Blanks and the byte order mark, for use in a character class."""
_STOP: Final = rf"(?=[{_BLANK}{{}}();$!?]|\Z)"
"""Pattern that matches where a move or a result can end."""

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
"""Names and patterns of the other kinds of tokens, in the order in which they are tried after moves."""

_NO_MOVES: Final = "(?!)"
"""Pattern that matches nothing."""
_HEADER_KINDS: Final = frozenset(("tag", "broken", "bracket", "comment", "unclosed"))
"""Kinds of tokens that can come before the moves."""

_TAG: Final = re.compile(rf'\[\s*+{TAG_NAME}\s*+"(?:[^"\\\r\n]|\\[^\r\n])*+"\s*+\]')
"""A tag with all its quotes escaped."""
_LOOSE_TAG: Final = re.compile(rf'\[\s*+{TAG_NAME}\s*+"[^\r\n]*"\s*+\](?=\s*+\Z)')
"""A tag at the end of a line whose value can contain any quotes."""
_TAG_START: Final = re.compile(rf'[{_BLANK}]*+\[\s*+{TAG_NAME}\s*+"')
_ESCAPE: Final = re.compile("\ufeff?%")
"""The start of a line that is skipped."""
_VISIBLE: Final = re.compile(rf"[^{_BLANK}]")
_COMMENT_START: Final = re.compile(rf"[{_BLANK}]*+[{{;]")
_BEFORE_BRACKET: Final = re.compile(rf"[{_BLANK}]*+(?:\{{[^{{}}]*+\}}[{_BLANK}]*+)*+\)")
"""Comments, and the bracket that closes a variation."""
_BRACE: Final = re.compile("[{}]")
_LINE_BREAK: Final = re.compile(r"[\r\n]")
_USUAL_RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
"""Results that usually end the last line of a record."""
_MAX_MOVES_AHEAD: Final = 1 << 10
"""Number of characters in which the first moves are searched to detect the game."""
_MAX_LOOK_AHEAD: Final = 1 << 16
"""Maximum number of characters to look ahead. Longer records take time to read anyway."""


@cache
def _compile_tokens(move_pattern: str) -> re.Pattern[str]:
    """Return a pattern that matches blanks and the next token of a record.

    Each kind of token is a named group of the pattern, such as ``nag``. `move_pattern` matches the moves of
    the game.
    """
    other_kinds = "|".join(f"(?P<{kind}>{kind_pattern})" for kind, kind_pattern in _KINDS)
    return re.compile(rf"[{_BLANK}]*+(?:(?P<move>(?:{move_pattern}){_STOP})|{other_kinds})")


def read_token(text: str, move_pattern: str) -> Token:
    """Return the first token of a line of moves that does not begin with a tag or a comment.

    `move_pattern` matches the moves of the game.
    """
    match = _compile_tokens(move_pattern).match(text if text.isascii() else text.translate(DASHES))
    assert match is not None and match.lastgroup is not None, "the text has no token"
    start, end = match.span(match.lastgroup)
    return Token(_word_kind(match.lastgroup, text[start:end]), text[start:end], start, end)


def _word_kind(kind: str, text: str) -> str:
    """Return the kind of a token for a group of the pattern: a word is a move if it has letters or digits."""
    if kind != "word":
        return kind
    return "move" if any(map(str.isalnum, text)) else "odd"


def join_lines(text: str) -> str:
    """Return the text of a comment on one line. Each line break becomes one blank.

    The blanks around a line break are removed, and so are empty lines.
    """
    lines = (line.strip() for line in _LINE_BREAK.split(text))
    return " ".join(line for line in lines if line)


class Scanner:
    """Reader that splits a source into tokens and into the texts of records."""

    def __init__(self, source: Readable) -> None:
        self.line_number = 0
        """The number of the current line of the source, from 1."""
        self.after_blank_line = False
        """Whether a blank line comes before the last token."""
        self._source = source
        self._next_lines: list[str] = []
        """Lines that `look_ahead` read from the source and that are not scanned yet."""
        self._pattern = _compile_tokens(_NO_MOVES)
        self._record_lines: list[str] = []
        """The lines of the current record before the current line."""
        self._line = ""
        self._plain_line = ""
        """The current line with hyphens for all dashes, in which tokens are searched."""
        self._record_start = 0
        """The index in the current line at which the record begins; 0 if it begins on an earlier line."""
        self._index = 0
        """The index in the current line at which the next token is searched."""
        self._line_offset = 0
        """The offset of the current line in the text of the record; negative if the record begins in it."""
        self._is_line_complete = True
        """Whether the current line ends with a line end."""
        self._seen_blank_line = False
        self._can_be_tag = True
        """Whether an opening bracket at this place begins a tag."""
        self._first_tag = -1
        """The index of the first tag in the current line, or −1."""

    # --- records ------------------------------------------------------------------------------------

    def skip_blanks(self) -> bool:
        """Move to the start of the next record. Return False if the source has no more records."""
        while not _VISIBLE.search(self._line, self._index) or self._is_escaped_line():
            has_next_line = self._read_line()
            if not has_next_line:
                return False
        self.cut_record()
        return True

    def look_ahead(self) -> str | None:
        """Return the text from the current line to the line on which the record seems to end.

        The text can be shorter or longer than the record. The scanner does not move. Return None if the
        scanner is not at the start of a complete line, or if the text is too long.
        """
        line = self._line
        is_at_complete_line = self._index == 0 and line[-1] == "\n"
        if not is_at_complete_line:
            return None
        lines = [line]
        size = len(line)
        # Whether the tags are over, so that a result or the next tag ends the record.
        is_in_moves = line[0] != "["
        while not (is_in_moves and line.rstrip().endswith(_USUAL_RESULTS)):
            if len(lines) > len(self._next_lines):
                next_line = self._source.readline(MAX_RECORD + 1)
                if not next_line:
                    break
                self._next_lines.append(next_line)
            # The first of the lines is the current line, and the others are the next lines.
            line = self._next_lines[len(lines) - 1]
            size += len(line)
            if size > _MAX_LOOK_AHEAD:
                return None
            is_tag = line[0] == "["
            if is_in_moves and is_tag:
                break
            if not is_tag and not line.isspace():
                is_in_moves = True
            lines.append(line)
        return "".join(lines) if size <= _MAX_LOOK_AHEAD else None

    def ends_record_after(self, line_count: int) -> bool:
        """Return whether a record without a result ends after `line_count` lines.

        The first of them is the current line, and `look_ahead` must have returned them. The record ends there
        if the source ends or the next line begins with a tag. The scanner does not move.
        """
        if line_count > len(self._next_lines):
            next_line = self._source.readline(MAX_RECORD + 1)
            if not next_line:
                return True
            self._next_lines.append(next_line)
        return _TAG_START.match(self._next_lines[line_count - 1]) is not None

    def look_at_moves(self) -> str:
        """Return the text from here to the next tag, at most about `_MAX_MOVES_AHEAD` characters.

        The scanner does not move.
        """
        parts = [self._line[self._index :]]
        size = len(parts[0])
        has_moves = bool(parts[0].strip())
        for number in count():
            if number == len(self._next_lines):
                next_line = self._source.readline(MAX_RECORD + 1)
                if not next_line:
                    break
                self._next_lines.append(next_line)
            line = self._next_lines[number]
            if size > _MAX_MOVES_AHEAD or (has_moves and line.startswith("[")):
                break
            has_moves = has_moves or bool(line.strip())
            size += len(line)
            parts.append(line)
        return "".join(parts)

    def skip_lines(self, count: int) -> None:
        """Move to the end of the last of `count` lines, of which the current line is the first.

        `look_ahead` must have returned the other lines.
        """
        further_count = count - 1
        if further_count > 0:
            self._line = self._plain_line = self._next_lines[further_count - 1]
            del self._next_lines[:further_count]
            self.line_number += further_count
            self._is_line_complete = self._line.endswith(("\n", "\r"))
        self._record_start = self._index = len(self._line)
        self.cut_record()

    def begin_record(self) -> None:
        """Raise `RecordTooLongError` if the rest of the current line has more than MAX_RECORD characters.

        In that case the scanner has moved by MAX_RECORD characters.
        """
        if len(self._line) - self._record_start > MAX_RECORD:
            self._index = self._record_start + MAX_RECORD
            raise RecordTooLongError

    def set_move_pattern(self, move_pattern: str) -> None:
        """Set the pattern of moves, which is used until the record ends. Until then no text is a move."""
        self._pattern = _compile_tokens(move_pattern)

    @property
    def offset(self) -> int:
        """The offset in the text of the record at which the next token is searched."""
        return self._line_offset + self._index

    def cut_record(self) -> str:
        """Return the text of the record up to the current place, and begin the next record there."""
        text = "".join(self._record_lines) + self._line[self._record_start : self._index]
        self._record_lines.clear()
        self._record_start = self._index
        self._line_offset = -self._record_start
        self._can_be_tag = True
        self._pattern = _compile_tokens(_NO_MOVES)
        return text

    def skip_record(self) -> None:
        """Move to the next line that begins with a tag, or to the end. The skipped lines are not kept."""
        # A line of more than MAX_RECORD characters is read in several parts.
        is_line_start = len(self._line) <= MAX_RECORD and self._index == 0
        while not (is_line_start and _TAG_START.match(self._line)):
            is_line_start = self._is_line_complete
            has_next_line = self._read_line()
            if not has_next_line:
                self._line = self._plain_line = ""
                break
        self._record_start = self._index = self._line_offset = 0

    def skip_line_end(self) -> None:
        """Move to the end of the current line if the rest of it is blank, else stay."""
        if not _VISIBLE.search(self._line, self._index):
            self._index = len(self._line)

    # --- tokens -------------------------------------------------------------------------------------

    def next_header_token(self) -> Token | None:
        """Return the next token if it is a tag, a broken tag or a comment. Otherwise return None and stay."""
        token = self.next_token()
        if token.kind in _HEADER_KINDS:
            return token
        self.move_back(token)
        return None

    def read_comment_on_line(self) -> Token | None:
        """Return the next token if it is a comment that begins on the current line, else None."""
        return self.next_token() if _COMMENT_START.match(self._line, self._index) else None

    def is_before_bracket(self) -> bool:
        """Return whether the rest of the line begins with a closing bracket, or with comments before one."""
        return _BEFORE_BRACKET.match(self._line, self._index) is not None

    def move_back(self, token: Token) -> None:
        """Move back to the start of `token`, the last token that was returned, to read it again.

        It must not be a comment, because a comment can begin on an earlier line.
        """
        self._index = token.start - self._line_offset

    def next_token(self) -> Token:
        """Return the next token and move behind it. Its kind is ``end`` at the end of the source.

        Blanks, and dots that do not follow a move number, are skipped.
        """
        match = self._pattern.match(self._plain_line, self._index)
        while match is None or match.lastgroup == "dots":
            if match is not None:
                self._index = match.end()
            elif not self._next_line():
                self._index = len(self._line)
                return Token("end", "", self.offset, self.offset)
            match = self._pattern.match(self._plain_line, self._index)
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if kind == "bracket" and self._can_be_tag:
            return self._read_tag(start, end)
        self._can_be_tag = self._seen_blank_line = False
        self._index = end
        line_offset, text = self._line_offset, self._line[start:end]
        if kind == "brace":
            return self._read_brace_comment(start)
        if kind == "rest":
            return Token("comment", text[1:].strip(), line_offset + start, line_offset + end)
        kind = _word_kind(kind, text)
        return Token(kind, text, line_offset + start, line_offset + end)

    def _read_tag(self, start: int, end: int) -> Token:
        """Return the token of a tag such as ``[Event "Cup"]``, at the opening bracket at `start`.

        `end` is the index after the first closing bracket, or the end of the line. A tag that is not valid
        gives a token of kind ``broken``, and other text in brackets one of kind ``bracket``.
        """
        self.after_blank_line, self._seen_blank_line = self._seen_blank_line, False
        if self._first_tag < 0:
            self._first_tag = start
        match = _TAG.match(self._line, start)
        if match is None and start == self._first_tag:
            # Only for the first tag of a line. A line of many broken tags would take quadratic time.
            match = _LOOSE_TAG.match(self._line, start)
        if match is not None:
            kind, end = "tag", match.end()
        else:
            kind = "broken" if _TAG_START.match(self._line, start) else "bracket"
        self._index = end
        return Token(kind, self._line[start:end], self._line_offset + start, self._line_offset + end)

    def _read_brace_comment(self, brace: int) -> Token:
        """Return the comment whose opening brace is at the index `brace` of the current line.

        The token is of kind ``unclosed`` if the source ends before the comment, or if a blank line and a tag
        follow, where the next record begins.
        """
        is_known_closed = False
        start = self._line_offset + brace
        comment_lines: list[str] = []
        while (end := self._line.find("}", self._index)) < 0:
            comment_lines.append(self._line[self._index :])
            is_blank_line = self._line.isspace()
            has_next_line = self._read_record_line()
            if not has_next_line:
                self._index = len(self._line)
                return Token("unclosed", join_lines("".join(comment_lines)), start, self.offset)
            if is_blank_line and not is_known_closed and _TAG_START.match(self._line):
                is_known_closed = self._is_comment_closed()
                if is_known_closed:
                    continue
                return Token("unclosed", join_lines("".join(comment_lines)), start, self.offset)
        comment_lines.append(self._line[self._index : end])
        self._index = end + 1
        self._can_be_tag = False
        return Token("comment", join_lines("".join(comment_lines)), start, self.offset)

    def _is_comment_closed(self) -> bool:
        """Return whether the next brace from the current line on is a closing one. The scanner does not move.

        The brace is searched in `MAX_COMMENT_LOOKAHEAD` bytes.
        """
        line = self._line
        size = 0
        for number in count():
            brace = _BRACE.search(line)
            size += len((line if brace is None else line[: brace.start()]).encode("utf-8", "surrogatepass"))
            if size >= MAX_COMMENT_LOOKAHEAD:
                return False
            if brace is not None:
                return brace.group() == "}"
            if number == len(self._next_lines):
                next_line = self._source.readline(MAX_RECORD + 1)
                if not next_line:
                    return False
                self._next_lines.append(next_line)
            line = self._next_lines[number]
        raise AssertionError("unreachable")

    # --- lines --------------------------------------------------------------------------------------

    def _next_line(self) -> bool:
        """Move to the next line of the record. Return False if there is none.

        A line that begins with ``%`` is skipped: the scanner moves to its end.
        """
        has_next_line = self._read_record_line()
        if not has_next_line:
            return False
        if self._line.isspace():
            self._seen_blank_line = True
        elif self._is_escaped_line():
            self._index = len(self._line)
        return True

    def _read_record_line(self) -> bool:
        """Read the next line, which becomes the current one, and keep the old one as a part of the record.

        Return False if there is no next line. Raise `RecordTooLongError` if the record becomes too long.
        """
        current_line = self._line[self._record_start :]
        next_line_offset = self._line_offset + len(self._line)
        has_next_line = self._read_line()
        if not has_next_line:
            return False
        self._record_lines.append(current_line)
        self._line_offset = next_line_offset
        record_length = next_line_offset + len(self._line)
        if record_length > MAX_RECORD:
            raise RecordTooLongError
        return True

    def _read_line(self) -> bool:
        """Read the next line of the source, which replaces the current one. Return False if there is none."""
        line = self._next_lines.pop(0) if self._next_lines else self._source.readline(MAX_RECORD + 1)
        if not line:
            return False
        self._line = line
        self._plain_line = line if line.isascii() else line.translate(DASHES)
        self._record_start = self._index = self._line_offset = 0
        self._can_be_tag = True
        self._first_tag = -1
        # The rest of a line that was too long to be read at once has the same number.
        if self._is_line_complete:
            self.line_number += 1
        self._is_line_complete = line.endswith(("\n", "\r"))
        return True

    def _is_escaped_line(self) -> bool:
        """Return whether the scanner is at the start of a line that begins with ``%`` and is skipped."""
        return self._index == 0 and _ESCAPE.match(self._line) is not None
