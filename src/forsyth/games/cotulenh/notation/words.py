"""The words of a CoTuLenh text, with white space as ECMAScript has it between them (spec/cotulenh 13)."""

from __future__ import annotations

import re
from typing import Final

from forsyth.findings import Word

WORD: Final = re.compile("[^ \t\n\r\x0b\x0c\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def words_of(text: str) -> list[Word]:
    """The words of a text with their places."""
    return [Word(found.group(), found.start()) for found in WORD.finditer(text)]
