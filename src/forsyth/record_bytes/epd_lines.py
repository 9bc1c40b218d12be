"""Conversion of the lines of an EPD file to FEN, by one rule for single lines and for whole files.

EPD is the first four fields of a FEN, followed by operations (``hmvc 3; bm Nf3;``). The FEN has the four
fields unchanged. Its two counters come from the operations ``hmvc`` and ``fmvn``, or are ``0 1``. Any other
line is left unchanged, so that the reader of the game reports what is wrong with it.

The offsets of the four fields are the same in the line and in the FEN. Limits: other operations are not
checked.
"""

from __future__ import annotations

import re
from typing import Final

LINE: Final = r"^(?P<fields>[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+)(?: +(?P<operations>[A-Za-z].*))?$"
"""Pattern of an EPD line without spaces at its end."""
CLOCK: Final = r'^(?:(?:[^;"]|"(?:[^"\\]|\\.)*")*;)*? *{opcode} +(?P<clock>[0-9]{{1,9}}) *(?:;.*)?$'
"""Pattern of the operations with the number of one `opcode`; it skips other operations and their strings."""
CLOCKS: Final = (("hmvc", "0"), ("fmvn", "1"))
"""The operations that hold the counters of a FEN, in its order, each with its default value."""

_LINE: Final = re.compile(LINE)
_CLOCKS: Final = tuple(
    (opcode, re.compile(CLOCK.format(opcode=opcode)), default) for opcode, default in CLOCKS
)


def epd_text(line: str) -> str:
    """Return the FEN of an EPD line, or the line itself if it is not EPD.

    ``8/8/8/4k3/8/8/8/4K3 w - - hmvc 3; fmvn 40;`` becomes ``8/8/8/4k3/8/8/8/4K3 w - - 3 40``. A counter
    without an operation gets its default value, 0 or 1.
    """
    match = _LINE.match(line.rstrip(" "))
    if match is None:
        return line
    operations = match["operations"] or ""
    counters = [_find_clock(operations, opcode, pattern, default) for opcode, pattern, default in _CLOCKS]
    return " ".join([match["fields"], *counters])


def _find_clock(operations: str, opcode: str, pattern: re.Pattern[str], default: str) -> str:
    """Return the number of an operation, such as ``3`` in ``hmvc 3; id "x";``, or `default` without it.

    Args:
        operations: The part of an EPD line after its four fields.
        opcode: The name of the operation, such as ``hmvc``.
        pattern: The pattern that finds the number of this operation in its group ``clock``.
        default: The text to return if `operations` does not contain the operation.
    """
    # Most lines lack the operation, and the pattern is slow if a quote is not closed.
    if opcode not in operations:
        return default
    match = pattern.match(operations)
    return default if match is None else match["clock"]
