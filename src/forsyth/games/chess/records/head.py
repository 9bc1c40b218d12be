# cython: boundscheck=False, wraparound=False
"""The head of a chess record for the kernel: its tags, and the position that they say the game begins with.

Accepts: tags as ``[Name "value"]``, each on its own line, no name twice, quotes and backslashes escaped.
What the tags `Variant`, `SetUp` and `FEN` mean is asked of the record room, which remembers what it was
asked.

The module runs as it is and compiles with Cython (`record_head.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.records.rows import Rows
from forsyth.record_bytes.columns import Start

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, u64
    from forsyth.games.chess.position import assign
    from forsyth.record_bytes.words import ODD, SHORT, find_byte, line_rest, name_end, value_end

    Chars = memoryview
    Size = int
    FULL: Final = -3
    """There is no room for the record."""
    OTHER_TAG: Final = 0
    FEN_TAG: Final = 1
    SETUP_TAG: Final = 2
    VARIANT_TAG: Final = 3
    RESULT_TAG: Final = 4

    def same(s: memoryview, at: int, other: int, size: int) -> bool:
        """Whether two parts of the characters are the same."""
        return s[at : at + size] == s[other : other + size]

    def named(s: memoryview, at: int, size: int, name: bytes, length: int) -> bool:
        """Whether some characters are a name."""
        return s[at : at + size] == name


class Head:
    """Reads the tags of one game after the other."""

    def __init__(self, rows: Rows, usual: Position, start: Start) -> None:
        self.rows = rows
        self.usual = usual
        self.begin = start
        self.data: Any = b""
        self.setup = 0
        """Whether a tag says what the game begins with."""
        if not cython.compiled:
            self.special = [0] * 5
            """Which rows of the table of tags are those that say how a game begins and ends."""

    def look_at(self, s: Chars, limit: Size, final: bool) -> None:
        """Read these bytes from now on."""
        self.s, self.limit, self.final = s, limit, final

    def read(self, at: Size) -> Size:
        """Where the tags end that begin here, at the start of a line; SHORT, ODD or FULL."""
        i: i32
        self.names_seen = 0
        for i in range(5):
            self.special[i] = -1
        while at >= 0 and at < self.limit and self.s[at] == 91:
            at = self.read_tag(at)
        return at

    def short(self) -> Size:
        """What it means that the bytes have ended."""
        return ODD if self.final else SHORT

    def read_tag(self, at: Size) -> Size:
        """Where the line of a tag ends; SHORT, ODD or FULL."""
        s: Chars = self.s
        limit: Size = self.limit
        name: Size = at + 1
        size: Size
        value: Size
        which: i32
        escaped: i32
        at = name_end(s, name, limit)
        if at < 0:
            return ODD if at == ODD else self.short()
        size = at - name
        if limit - at < 4:
            return self.short()
        if s[at] != 32 or s[at + 1] != 34 or not self.is_new(name, size):
            return ODD
        value = at + 2
        at = value_end(s, value, limit)
        if at < 0:
            return ODD if at == ODD else self.short()
        escaped = find_byte(s, value, at, 92) >= 0
        which = known_tag(s, name, size)
        if which != OTHER_TAG:
            self.special[which] = self.rows.tags
            if escaped:
                return ODD
        if not self.rows.put_tag(name, size, value, at - value, escaped):
            return FULL
        if limit - at < 2:
            return self.short()
        return line_rest(s, at + 2, limit, self.final) if s[at + 1] == 93 else ODD

    def is_new(self, at: Size, size: Size) -> bool:
        """Whether the game has no tag of that name so far."""
        row: Size
        bit: u64 = ONE << ((size * 7 + self.s[at] * 5 + self.s[at + size - 1]) & 63)
        if self.names_seen & bit:
            for row in range(self.rows.first_tag, self.rows.tags):
                if self.rows.tag_name_length[row] == size and same(self.s, self.rows.tag_name[row], at, size):
                    return False
        self.names_seen |= bit
        return True

    def find_start(self, position: Position) -> bool:
        """Set the position that the tags say; False where there is something to say about it."""
        self.setup = 0
        if self.special[FEN_TAG] < 0 and self.special[SETUP_TAG] < 0 and self.special[VARIANT_TAG] < 0:
            assign(position, self.usual)
            return True
        return self.ask_start(position)

    def ask_start(self, position: Position) -> bool:
        """The same where tags speak of it: the record room knows names of variants and reads the FEN."""
        found: Position | None
        try:
            found = self.begin(self.tag_text(VARIANT_TAG), self.tag_text(SETUP_TAG), self.tag_text(FEN_TAG))
        except Exception:  # Whatever it is, the record reader will meet it too.
            return False
        if found is None:
            return False
        assign(position, found)
        self.setup = self.special[FEN_TAG] >= 0
        return True

    def tag_text(self, which: i32) -> str | None:
        """The value of a tag, or None."""
        row: Size = self.special[which]
        if row < 0:
            return None
        at: Size = self.rows.tag_value[row]
        return bytes(memoryview(self.data)[at : at + self.rows.tag_value_length[row]]).decode()

    def says(self, at: Size, size: Size) -> bool:
        """Whether the tag `Result` is missing, or says what stands at a place."""
        row: Size = self.special[RESULT_TAG]
        if row < 0:
            return True
        return self.rows.tag_value_length[row] == size and same(self.s, self.rows.tag_value[row], at, size)


def known_tag(s: Chars, at: Size, size: Size) -> i32:
    """Which of the tags it is that say what a game begins and ends with."""
    if named(s, at, size, b"FEN", 3):
        return FEN_TAG
    if named(s, at, size, b"SetUp", 5):
        return SETUP_TAG
    if named(s, at, size, b"Variant", 7):
        return VARIANT_TAG
    return RESULT_TAG if named(s, at, size, b"Result", 6) else OTHER_TAG
