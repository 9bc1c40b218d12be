"""Comments that say what is left out.

Accepts, anywhere on a line and in any kind of comment: ``forsyth: ignore`` for that line,
``forsyth: ignore-next-line`` for the one below, ``forsyth: ignore-file`` for the whole file. Behind each may
stand codes in brackets, such as ``forsyth: ignore[castling.order, ep]``: those alone are left out. The part
of a code before its dot stands for all codes that begin with it.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from forsyth.lint.lines import Lines

_COMMENT: Final = re.compile(
    r"forsyth:[ \t]{0,8}ignore(?P<where>-next-line|-file)?(?![\w-])"
    r"(?:[ \t]{0,8}\[(?P<codes>[\w., \t]{0,1000})\])?"
)
ALL: Final = frozenset({""})
"""What stands for every code."""


def names_code(named: Container[str], code: str) -> bool:
    """Whether a code, or the part before its dot, is among those named."""
    return code in named or code.partition(".")[0] in named


@dataclass(frozen=True, slots=True)
class Ignores:
    """What the comments of a file leave out: codes of the whole file, and of each line."""

    everywhere: frozenset[str] = frozenset()
    by_line: Mapping[int, frozenset[str]] = field(default_factory=dict)

    def leaves_out(self, line: int, code: str) -> bool:
        """Whether a finding on a line is left out."""
        named = self.everywhere | self.by_line.get(line, frozenset())
        return "" in named or names_code(named, code)


def read_ignores(text: str, lines: Lines) -> Ignores:
    """The comments of a text."""
    everywhere: frozenset[str] = frozenset()
    by_line: dict[int, frozenset[str]] = {}
    for found in _COMMENT.finditer(text):
        codes = _codes(found["codes"])
        if found["where"] == "-file":
            everywhere |= codes
            continue
        line = lines.place(found.start()).line + (found["where"] == "-next-line")
        by_line[line] = by_line.get(line, frozenset()) | codes
    return Ignores(everywhere, by_line)


def _codes(listed: str | None) -> frozenset[str]:
    named: Iterable[str] = () if listed is None else re.split(r"[, \t]+", listed)
    return frozenset(code for code in named if code) or ALL
