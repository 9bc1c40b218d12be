"""Comments that suppress findings.

A comment may be anywhere on a line, in the comment syntax of any language. ``forsyth: ignore`` suppresses the
findings of its line, ``forsyth: ignore-next-line`` those of the next line, and ``forsyth: ignore-file`` those
of the whole file. Codes in brackets limit it to these codes, as in ``forsyth: ignore[castling.order, ep]``.
The part of a code before its dot stands for all codes that begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from forsyth.lint.lines import LineIndex

_IGNORE_COMMENT: Final = re.compile(
    r"forsyth:[ \t]{0,8}ignore(?P<scope>-next-line|-file)?(?![\w-])"
    r"(?:[ \t]{0,8}\[(?P<codes>[\w., \t]{0,1000})\])?"
)
_ANY_CODE: Final = ""
"""A code in `Ignores` that stands for all codes."""
_ALL_CODES: Final = frozenset({_ANY_CODE})


def includes_code(codes: Container[str], code: str) -> bool:
    """Return True if `codes` contain `code`, such as ``castling.order``, or the part of it before the dot.

    ``castling`` in `codes` therefore stands for all codes that begin with ``castling.``.
    """
    family, _, _ = code.partition(".")
    return code in codes or family in codes


@dataclass(frozen=True, slots=True)
class Ignores:
    """The codes that the comments of a file suppress."""

    file_codes: frozenset[str] = frozenset()
    """The codes that are suppressed in the whole file."""
    line_codes: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """The codes that are suppressed in one line, by the number of the line."""

    def suppresses(self, line: int, code: str) -> bool:
        """Return True if a comment suppresses findings with a code, such as ``castling.order``, on a line.

        The comment is for this line or for the whole file. `line` is the number of the line, from 1.
        """
        suppressed_codes = self.file_codes | self.line_codes.get(line, frozenset())
        return _ANY_CODE in suppressed_codes or includes_code(suppressed_codes, code)


def read_ignores(text: str, lines: LineIndex) -> Ignores:
    """Find comments such as ``forsyth: ignore[castling.order]`` in a file, and return what they suppress.

    Args:
        text: The content of the file.
        lines: The index of the lines of `text`.
    """
    file_codes: frozenset[str] = frozenset()
    line_codes: dict[int, frozenset[str]] = {}
    for comment in _IGNORE_COMMENT.finditer(text):
        codes = _split_codes(comment["codes"])
        scope = comment["scope"]
        if scope == "-file":
            file_codes |= codes
            continue
        comment_line = lines.find_place(comment.start()).line
        suppressed_line = comment_line + 1 if scope == "-next-line" else comment_line
        line_codes[suppressed_line] = line_codes.get(suppressed_line, frozenset()) | codes
    return Ignores(file_codes, line_codes)


def _split_codes(listed_codes: str | None) -> frozenset[str]:
    """Return the codes in a list such as ``castling.order, ep``, which a comment has in brackets.

    None (no brackets) or an empty list means all codes.
    """
    codes = re.split(r"[, \t]+", listed_codes or "")
    return frozenset(code for code in codes if code) or _ALL_CODES
