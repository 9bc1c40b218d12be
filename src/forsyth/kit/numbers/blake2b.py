"""BLAKE2b of 128 bits without a key (RFC 7693), for columns: no objects, no lock. The law is `hashlib`.

Accepts any bytes between two places of a buffer. It runs as it is, slowly, and compiles with Cython
(`blake2b.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    u64 = int
    Chars = bytes | bytearray | memoryview
    Out = bytearray | memoryview
    Size = int
    Count = int
    Words = list[int]
    State = list[int]
    BLOCK: Final = 128
    ROUNDS: Final = 12
    ALL: Final = (1 << 64) - 1
    START = [0] * 8
    """The initial words (RFC 7693, 2.6)."""
    SIGMA = [[0] * 16 for _ in range(12)]
    """Which word of a block goes where, round by round (RFC 7693, 2.7); the last two are the first again."""

Bytes = bytes
"""What `digest` takes."""
_SIGMA: Final = (
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0",
)
_START: Final = (
    0x6A09E667F3BCC908,
    0xBB67AE8584CAA73B,
    0x3C6EF372FE94F82B,
    0xA54FF53A5F1D36F1,
    0x510E527FADE682D1,
    0x9B05688C2B3E6C1F,
    0x1F83D9ABFB41BD6B,
    0x5BE0CD19137E2179,
)


def _fill_tables() -> None:
    for number, word in enumerate(_START):
        START[number] = word
    for number in range(ROUNDS):
        for place, digit in enumerate(_SIGMA[number % len(_SIGMA)]):
            SIGMA[number][place] = int(digit, 16)


_fill_tables()


def digest(data: Bytes) -> bytes:
    """The 16 bytes of the hash of some bytes."""
    out = bytearray(16)
    digest_16(data, 0, len(data), out, 0)
    return bytes(out)


def digest_16(s: Chars, at: Size, end: Size, out: Out, to: Size) -> None:
    """Write the 16 bytes of the hash of the bytes from `at` to `end` at the place `to`."""
    state: State
    words: Words
    number: Count
    length: u64 = 0
    if not cython.compiled:
        state = [0] * 8
        words = [0] * 16
    for number in range(8):
        state[number] = START[number]
    # Fan-out and depth 1, no key, 16 bytes (RFC 7693, 2.5).
    state[0] ^= 0x01010010
    while end - at > BLOCK:
        _load(s, at, at + BLOCK, words)
        length += BLOCK
        _compress(state, words, length, False)
        at += BLOCK
    _load(s, at, end, words)
    length += end - at
    _compress(state, words, length, True)
    for number in range(16):
        out[to + number] = state[number >> 3] >> 8 * (number & 7) & 255


def _load(s: Chars, at: Size, end: Size, words: Words) -> None:
    """A block as words, little-endian, with zeros behind its end."""
    number: Count
    byte: Count
    whole: Count = (end - at) >> 3
    for number in range(whole):
        words[number] = _word(s, at)
        at += 8
    for number in range(whole, 16):
        words[number] = 0
    for byte in range(end - at):
        words[whole] |= _wide(s[at + byte]) << 8 * byte


def _word(s: Chars, at: Size) -> u64:
    """Eight bytes; a compiler sees that this is one of its words."""
    return (
        _wide(s[at])
        | _wide(s[at + 1]) << 8
        | _wide(s[at + 2]) << 16
        | _wide(s[at + 3]) << 24
        | _wide(s[at + 4]) << 32
        | _wide(s[at + 5]) << 40
        | _wide(s[at + 6]) << 48
        | _wide(s[at + 7]) << 56
    )


def _wide(byte: u64) -> u64:
    """A byte with room to be shifted."""
    return byte


def _compress(state: State, words: Words, length: u64, last: bool) -> None:
    """Mix a block into the state (RFC 7693, 3.2)."""
    v: Words
    number: Count
    if not cython.compiled:
        v = [0] * 16
    for number in range(8):
        v[number] = state[number]
        v[number + 8] = START[number]
    v[12] ^= length
    if last:
        v[14] ^= ALL
    for number in range(ROUNDS):
        _mix(v, 0, 4, 8, 12, words[SIGMA[number][0]], words[SIGMA[number][1]])
        _mix(v, 1, 5, 9, 13, words[SIGMA[number][2]], words[SIGMA[number][3]])
        _mix(v, 2, 6, 10, 14, words[SIGMA[number][4]], words[SIGMA[number][5]])
        _mix(v, 3, 7, 11, 15, words[SIGMA[number][6]], words[SIGMA[number][7]])
        _mix(v, 0, 5, 10, 15, words[SIGMA[number][8]], words[SIGMA[number][9]])
        _mix(v, 1, 6, 11, 12, words[SIGMA[number][10]], words[SIGMA[number][11]])
        _mix(v, 2, 7, 8, 13, words[SIGMA[number][12]], words[SIGMA[number][13]])
        _mix(v, 3, 4, 9, 14, words[SIGMA[number][14]], words[SIGMA[number][15]])
    for number in range(8):
        state[number] ^= v[number] ^ v[number + 8]


def _mix(v: Words, a: Count, b: Count, c: Count, d: Count, x: u64, y: u64) -> None:
    """Mix two words into four (RFC 7693, 3.1)."""
    v[a] = v[a] + v[b] + x & ALL
    v[d] = _turned(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d] & ALL
    v[b] = _turned(v[b] ^ v[c], 24)
    v[a] = v[a] + v[b] + y & ALL
    v[d] = _turned(v[d] ^ v[a], 16)
    v[c] = v[c] + v[d] & ALL
    v[b] = _turned(v[b] ^ v[c], 63)


def _turned(word: u64, bits: Count) -> u64:
    """A word rotated to the right."""
    return (word >> bits | word << 64 - bits) & ALL
