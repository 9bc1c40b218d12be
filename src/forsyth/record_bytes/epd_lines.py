"""A line of an EPD file as the text of its position: one rule for single lines and for files of millions.

EPD is the first four fields of a FEN and then operations (``hmvc 3; bm Nf3;``). The text is the four fields
unchanged and the clocks, which come from the operations ``hmvc`` and ``fmvn`` or are ``0 1``. A line that
is not four fields and then nothing or an opcode is unchanged: the reader of the game says what it is.

Places in the four fields are the same in the line and in its text. Limits: operations other than the clocks
are not judged.
"""

from __future__ import annotations

import re
from typing import Final

LINE: Final = r"^(?P<fields>[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+)(?: +(?P<operations>[A-Za-z].*))?$"
"""A line without blanks at its end."""
CLOCK: Final = r'^(?:(?:[^;"]|"(?:[^"\\]|\\.)*")*;)*? *{opcode} +(?P<clock>[0-9]{{1,9}}) *(?:;.*)?$'
"""The number that an operation gives; operations before it are skipped, with the strings in them."""
CLOCKS: Final = (("hmvc", "0"), ("fmvn", "1"))
"""The operations that are clocks, in the order of a FEN, each with what it is where it is not given."""

_LINE: Final = re.compile(LINE)
_CLOCKS: Final = tuple(
    (opcode, re.compile(CLOCK.format(opcode=opcode)), default) for opcode, default in CLOCKS
)


def epd_text(line: str) -> str:
    """The text of the position of a line."""
    found = _LINE.match(line.rstrip(" "))
    if found is None:
        return line
    operations = found["operations"] or ""
    return " ".join((found["fields"], *(_clock(operations, *one) for one in _CLOCKS)))


def _clock(operations: str, opcode: str, pattern: re.Pattern[str], default: str) -> str:
    # Few lines give clocks, and the pattern is slow where quotes are not closed.
    found = pattern.match(operations) if opcode in operations else None
    return default if found is None else found["clock"]
