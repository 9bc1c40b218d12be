"""Commands in the comments of a record: clocks, time spent, evaluations, arrows and circles.

A command is ``[%name value]``. Reading takes ``clk`` (the clock after the move) and ``emt`` (the time the
move took) as ``h:mm:ss``, ``mm:ss`` or seconds, with a fraction or without; ``eval`` as pawns (``-0.31``) or
moves to mate (``#-3``), with a depth behind a comma or without; ``cal`` (arrows) and ``csl`` (circles) as
they stand. Of two commands of one name the first counts. What is none of these is part of the comment and
nothing else.

Numbers: milliseconds; centipawns, digits behind the second left out; mate in n moves is 1,000,000 − n, or its
negative. Both are seen as the text has them, which is usually from White's side.

Limits: 500,000 centipawns, 2³¹ milliseconds. The module runs as it is and compiles with Cython
(`comment_commands.pxd` gives the C types); `command_at` works on memory, without the GIL.
"""

from __future__ import annotations

from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    Chars = bytes | memoryview
    Size = int
    i32 = int
    i64 = int
    NO_COMMAND: Final = 0
    CLOCK: Final = 1
    ELAPSED: Final = 2
    EVALUATION: Final = 3
    ARROWS: Final = 4
    CIRCLES: Final = 5
    NOTHING: Final = -(2**31)
    MOST: Final = 2**31 - 1
    MATE: Final = 1_000_000
    MOST_CENTIPAWNS: Final = 500_000

    def characters(data: bytes) -> bytes:
        """Where the bytes are."""
        return data


class Commands(NamedTuple):
    """What the commands in a comment say."""

    clock: int | None = None
    """Milliseconds."""
    emt: int | None = None
    """Milliseconds."""
    eval: int | None = None
    """Centipawns, or 1,000,000 less the moves to mate."""
    arrows: str | None = None
    circles: str | None = None


def read_commands(text: str) -> Commands:
    """The commands in a comment, or in the text of several comments."""
    if not isinstance(text, str):
        raise TypeError(f"a comment is a text, not of type {type(text).__name__}")
    data: bytes = text.encode("utf-8", "surrogatepass")
    s: Chars = characters(data)
    size: Size = len(data)
    at: Size = 0
    start: Size
    end: Size
    kind: i32
    found: list[int | str | None] = [None] * 5
    while True:
        at = data.find(b"[%", at)
        if at < 0:
            return Commands(*found)  # type: ignore[arg-type]
        kind = command_at(s, at, size)
        start = value_start(s, at, size, kind)
        end = value_end(s, start, size)
        at += 2
        if kind == NO_COMMAND or end < 0:
            continue
        if found[kind - 1] is None:
            if kind >= ARROWS:
                found[kind - 1] = data[start:end].decode()
            else:
                number: i32 = number_of(s, start, end, kind)
                found[kind - 1] = None if number == NOTHING else number
        at = end


def command_at(s: Chars, at: Size, end: Size) -> i32:
    """Which command begins at a bracket, by its name and the blank behind it."""
    # The shortest is [%clk 1].
    if end - at < 8 or s[at + 1] != 37:
        return NO_COMMAND
    return kind_of(s, at + 2)


def value_start(s: Chars, at: Size, end: Size, kind: i32) -> Size:
    """Where the value of a command stands."""
    return skip_gap(s, at + (7 if kind == EVALUATION else 6), end)


def skip_gap(s: Chars, at: Size, end: Size) -> Size:
    """Behind blanks, tabs and line breaks: programs that break lines do so inside commands too."""
    while at < end and is_gap(s[at]):
        at += 1
    return at


def is_gap(character: i32) -> bool:
    """Whether a character is a blank, a tab or of a line break."""
    return character == 32 or character == 9 or character == 10 or character == 13


def value_end(s: Chars, at: Size, end: Size) -> Size:
    """Where a value ends, before its bracket and the blanks there; −1 if it is none.

    Its characters are ASCII and no blanks, brackets or braces, so that nothing else can end in it.
    """
    start: Size = at
    after: Size
    while at < end and 32 < s[at] < 123 and s[at] != 91 and s[at] != 93:
        at += 1
    after = skip_gap(s, at, end)
    return at if start < at and after < end and s[after] == 93 else -1


def number_of(s: Chars, at: Size, end: Size, kind: i32) -> i32:
    """The number that a value of a clock or an evaluation says; NOTHING if it says none."""
    return evaluation(s, at, end) if kind == EVALUATION else duration(s, at, end)


def kind_of(s: Chars, at: Size) -> i32:
    """Which command has the name that begins here and ends with a blank."""
    if s[at] == 101 and s[at + 1] == 118 and s[at + 2] == 97 and s[at + 3] == 108 and is_gap(s[at + 4]):
        return EVALUATION
    if not is_gap(s[at + 3]):
        return NO_COMMAND
    if s[at] == 99:
        if s[at + 1] == 108 and s[at + 2] == 107:
            return CLOCK
        if s[at + 1] == 97 and s[at + 2] == 108:
            return ARROWS
        return CIRCLES if s[at + 1] == 115 and s[at + 2] == 108 else NO_COMMAND
    return ELAPSED if s[at] == 101 and s[at + 1] == 109 and s[at + 2] == 116 else NO_COMMAND


def duration(s: Chars, at: Size, end: Size) -> i32:
    """Milliseconds; NOTHING if it is no duration."""
    total: i64 = 0
    part: i64 = 0
    parts: i32 = 1
    digits: i32 = 0
    scale: i32 = 1000
    while at < end and s[at] != 46:
        if 48 <= s[at] <= 57 and digits < 9:
            part = part * 10 + s[at] - 48
            digits += 1
        elif s[at] == 58 and digits and parts < 3:
            total = (total + part) * 60
            part = 0
            digits = 0
            parts += 1
        else:
            return NOTHING
        at += 1
    if digits == 0:
        return NOTHING
    total = (total + part) * 1000
    at += 1
    while at < end:
        if s[at] < 48 or s[at] > 57:
            return NOTHING
        scale //= 10
        total += (s[at] - 48) * scale
        at += 1
    return total if total <= MOST else NOTHING


def evaluation(s: Chars, at: Size, end: Size) -> i32:
    """Centipawns or moves to mate; NOTHING if it is neither."""
    number: i64 = 0
    sign: i32 = 1
    digits: i32 = 0
    behind: i32 = -1
    mate: bool = s[at] == 35
    if mate:
        at += 1
    if at < end and (s[at] == 45 or s[at] == 43):
        sign = -1 if s[at] == 45 else 1
        at += 1
    while at < end and s[at] != 44:
        if 48 <= s[at] <= 57 and digits < 9:
            digits += 1
            if behind < 2:
                number = number * 10 + s[at] - 48
                behind += 1 if behind >= 0 else 0
        elif s[at] == 46 and behind < 0 and not mate:
            behind = 0
        else:
            return NOTHING
        at += 1
    if digits == 0 or not is_depth(s, at, end):
        return NOTHING
    if mate:
        return sign * (MATE - number) if number < MOST_CENTIPAWNS else NOTHING
    number *= 100 if behind <= 0 else 10 if behind == 1 else 1
    return sign * number if number <= MOST_CENTIPAWNS else NOTHING


def is_depth(s: Chars, at: Size, end: Size) -> bool:
    """Whether nothing is left, or a comma and digits."""
    if at == end:
        return True
    at += 1
    if at == end:
        return False
    while at < end and 48 <= s[at] <= 57:
        at += 1
    return at == end
