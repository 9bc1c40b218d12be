"""Commands in the comments of a record: clocks, time spent, evaluations, arrows and circles.

A command is ``[%name value]``. ``clk`` (the clock after the move) and ``emt`` (the time that the move took)
are ``h:mm:ss``, ``mm:ss`` or seconds, with or without a fraction. ``eval`` is in pawns (``-0.31``) or in
moves to mate (``#-3``), and may end with a comma and a search depth. ``cal`` (arrows) and ``csl`` (circles)
are read as text. If a comment has two commands of one name, the first one counts. Any other bracket is
ordinary text of the comment.

Numbers: times are in milliseconds. Evaluations are in centipawns, truncated; mate in n moves is
1,000,000 − n, or its negative. Evaluations have the sign of the text, which usually is White's view.

Limits: 500,000 centipawns, 2³¹ milliseconds. The module runs as it is and compiles with Cython
(`comment_commands.pxd` gives the C types). `identify_command` reads memory without the GIL.
"""

from __future__ import annotations

from typing import Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.record_bytes.words import (
        CARRIAGE_RETURN,
        CLOSE_BRACKET,
        COLON,
        COMMA,
        DIGIT_0,
        DIGIT_9,
        FULL_STOP,
        HASH,
        MINUS,
        NEWLINE,
        OPEN_BRACE,
        OPEN_BRACKET,
        PERCENT,
        PLUS,
        SPACE,
        TAB,
    )

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
    COMMAND_COUNT: Final = 5
    """Number of kinds of commands."""
    NO_NUMBER: Final = -(2**31)
    """Returned for a value that is not valid."""
    MAX_INT32: Final = 2**31 - 1
    MATE: Final = 1_000_000
    """Value of mate in 0 moves; mate in n moves is less by n."""
    MAX_CENTIPAWNS: Final = 500_000
    MAX_DIGITS: Final = 9
    """Maximum number of digits of a field, so that it does not overflow."""
    MAX_FIELDS: Final = 3
    """Fields of the longest duration: hours, minutes and seconds."""
    MILLISECONDS: Final = 1000
    """Milliseconds of a second."""
    SHORTEST_COMMAND: Final = 8
    """Size of ``[%clk 1]``."""
    START_SIZE: Final = 6
    """Size of ``[%clk``, ``[%emt``, ``[%cal`` and ``[%csl``, each with one blank."""
    EVAL_START_SIZE: Final = 7
    """Size of ``[%eval`` with one blank."""
    A: Final = 97
    C: Final = 99
    E: Final = 101
    K: Final = 107
    L: Final = 108
    M: Final = 109
    S: Final = 115
    T: Final = 116
    V: Final = 118

    def get_chars(data: bytes) -> bytes:
        """Return the bytes in the form that the functions of this module take."""
        return data


class Commands(NamedTuple):
    """The values of the commands in a comment; None for each command that it does not have."""

    clock: int | None = None
    """Remaining time in milliseconds."""
    emt: int | None = None
    """Time that the move took, in milliseconds."""
    eval: int | None = None
    """Centipawns; or, for a mate, 1,000,000 minus the moves to mate, or the negative of that."""
    arrows: str | None = None
    """The value of ``cal``, such as ``Ge2e4``."""
    circles: str | None = None
    """The value of ``csl``, such as ``Re4``."""


def read_commands(text: str) -> Commands:
    """Return the values of the commands in a comment, or in several comments that are joined to one text.

    Raise `TypeError` if `text` is not a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"a comment is of type {type(text).__name__}, expected a text")
    data: bytes = text.encode("utf-8", "surrogatepass")
    chars: Chars = get_chars(data)
    size: Size = len(data)
    index: Size = 0
    start: Size
    end: Size
    kind: i32
    values: list[int | str | None] = [None] * COMMAND_COUNT
    while True:
        index = data.find(b"[%", index)
        if index < 0:
            return Commands(*values)  # type: ignore[arg-type]
        kind = identify_command(chars, index, size)
        start = find_value_start(chars, index, size, kind)
        end = find_value_end(chars, start, size)
        # Behind ``[%``, so that the next search does not find the same bracket again.
        index += 2
        if kind == NO_COMMAND or end < 0:
            continue
        # Kinds are numbered from 1, in the order of the fields of `Commands`. The first command counts.
        if values[kind - 1] is None:
            if kind >= ARROWS:
                values[kind - 1] = data[start:end].decode()
            else:
                number: i32 = parse_number(chars, start, end, kind)
                values[kind - 1] = None if number == NO_NUMBER else number
        index = end


def identify_command(chars: Chars, index: Size, end: Size) -> i32:
    """Return the kind of the command at `index`, such as CLOCK for ``[%clk 0:05:00]``, or NO_COMMAND.

    `index` is the offset of an opening bracket. Only the name is checked, not the value.
    """
    if end - index < SHORTEST_COMMAND or chars[index + 1] != PERCENT:
        return NO_COMMAND
    return identify_name(chars, index + 2)


def find_value_start(chars: Chars, index: Size, end: Size, kind: i32) -> Size:
    """Return the offset of the value in a command, such as that of ``0:05:00`` in ``[%clk 0:05:00]``.

    `index` is the offset of the opening bracket, and `kind` is what `identify_command` returned for it.
    """
    return skip_gap(chars, index + (EVAL_START_SIZE if kind == EVALUATION else START_SIZE), end)


def skip_gap(chars: Chars, index: Size, end: Size) -> Size:
    """Return the index of the first character from `index` on that is no space, tab or line break, or `end`.

    Line breaks are skipped because programs that wrap lines also wrap them inside of commands.
    """
    while index < end and is_gap(chars[index]):
        index += 1
    return index


def is_gap(character: i32) -> bool:
    """Return whether a character is a space, a tab or part of a line break."""
    return character == SPACE or character == TAB or character == NEWLINE or character == CARRIAGE_RETURN


def find_value_end(chars: Chars, index: Size, end: Size) -> Size:
    """Return the offset after the value of a command that begins at `index`, or −1 if it is not valid.

    A value has at least one character, and a closing bracket follows it. Its characters are ASCII, without
    blanks, brackets and braces. Therefore neither a comment nor another command can end inside of a value.
    """
    start: Size = index
    bracket: Size
    while (
        index < end
        and SPACE < chars[index] < OPEN_BRACE
        and chars[index] != OPEN_BRACKET
        and chars[index] != CLOSE_BRACKET
    ):
        index += 1
    bracket = skip_gap(chars, index, end)
    return index if start < index and bracket < end and chars[bracket] == CLOSE_BRACKET else -1


def parse_number(chars: Chars, index: Size, end: Size, kind: i32) -> i32:
    """Return the value of a command as a number, or NO_NUMBER if the value is not valid.

    The value is an evaluation in centipawns if `kind` is EVALUATION, else a time in milliseconds.
    """
    return parse_evaluation(chars, index, end) if kind == EVALUATION else parse_duration(chars, index, end)


def identify_name(chars: Chars, index: Size) -> i32:
    """Return the kind of the command whose name is at `index`, such as CLOCK for ``clk``, or NO_COMMAND.

    A blank must follow the name. At least five bytes must be readable from `index` on.
    """
    first: i32 = chars[index]
    second: i32 = chars[index + 1]
    third: i32 = chars[index + 2]
    if first == E and second == V and third == A and chars[index + 3] == L and is_gap(chars[index + 4]):
        return EVALUATION
    if not is_gap(chars[index + 3]):
        return NO_COMMAND
    if first == C and second == L and third == K:
        return CLOCK
    if first == C and second == A and third == L:
        return ARROWS
    if first == C and second == S and third == L:
        return CIRCLES
    if first == E and second == M and third == T:
        return ELAPSED
    return NO_COMMAND


def parse_duration(chars: Chars, index: Size, end: Size) -> i32:
    """Return the duration that the characters from `index` to `end` contain, in milliseconds.

    ``1:02:03.5`` (hours, minutes, seconds) is 3,723,500, ``2:03`` is 123,000 and ``7`` is 7000. Decimals
    after the third are ignored. Return NO_NUMBER if the characters are not a duration.
    """
    # The fields before the current one, in the unit of the current one; then all of them in milliseconds.
    total: i64 = 0
    field: i64 = 0
    field_count: i32 = 1
    digit_count: i32 = 0
    # The milliseconds that the last digit of the fraction counts: 100 for the first one, then 10, 1 and 0.
    digit_value: i32 = MILLISECONDS
    while index < end and chars[index] != FULL_STOP:
        if DIGIT_0 <= chars[index] <= DIGIT_9 and digit_count < MAX_DIGITS:
            field = field * 10 + chars[index] - DIGIT_0
            digit_count += 1
        elif chars[index] == COLON and digit_count and field_count < MAX_FIELDS:
            # Hours become minutes, and minutes become seconds.
            total = (total + field) * 60
            field = 0
            digit_count = 0
            field_count += 1
        else:
            return NO_NUMBER
        index += 1
    if digit_count == 0:
        return NO_NUMBER
    total = (total + field) * MILLISECONDS
    # The fraction follows the full stop.
    index += 1
    while index < end:
        if chars[index] < DIGIT_0 or chars[index] > DIGIT_9:
            return NO_NUMBER
        digit_value //= 10
        total += (chars[index] - DIGIT_0) * digit_value
        index += 1
    return total if total <= MAX_INT32 else NO_NUMBER


def parse_evaluation(chars: Chars, index: Size, end: Size) -> i32:
    """Return the evaluation that the characters from `index` to `end` contain, in centipawns.

    ``-0.31`` is −31, and ``1.2,18`` is 120 (18 is a search depth). ``#3``, a mate in three moves, is
    MATE − 3, and ``#-3`` is −(MATE − 3). Return NO_NUMBER if the characters are not an evaluation.
    """
    number: i64 = 0
    sign: i32 = 1
    digit_count: i32 = 0
    # The number of decimals, of which at most two are read; −1 before the decimal point.
    decimals: i32 = -1
    is_mate: bool = chars[index] == HASH
    if is_mate:
        index += 1
    if index < end and (chars[index] == MINUS or chars[index] == PLUS):
        sign = -1 if chars[index] == MINUS else 1
        index += 1
    while index < end and chars[index] != COMMA:
        if DIGIT_0 <= chars[index] <= DIGIT_9 and digit_count < MAX_DIGITS:
            digit_count += 1
            if decimals < 2:
                number = number * 10 + chars[index] - DIGIT_0
                decimals += 1 if decimals >= 0 else 0
        elif chars[index] == FULL_STOP and decimals < 0 and not is_mate:
            decimals = 0
        else:
            return NO_NUMBER
        index += 1
    if digit_count == 0 or not is_depth(chars, index, end):
        return NO_NUMBER
    if is_mate:
        return sign * (MATE - number) if number < MAX_CENTIPAWNS else NO_NUMBER
    # Convert pawns with no, one or two decimals to centipawns.
    if decimals <= 0:
        number *= 100
    elif decimals == 1:
        number *= 10
    return sign * number if number <= MAX_CENTIPAWNS else NO_NUMBER


def is_depth(chars: Chars, index: Size, end: Size) -> bool:
    """Return True if the characters from `index` to `end` may follow an evaluation.

    These are none, or a comma and a search depth in digits, such as ``,18`` in ``0.31,18``. The character at
    `index`, if there is one, must be a comma.
    """
    if index == end:
        return True
    index += 1
    if index == end:
        return False
    while index < end and DIGIT_0 <= chars[index] <= DIGIT_9:
        index += 1
    return index == end
