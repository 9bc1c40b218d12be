"""BLAKE2b hash of 16 bytes without a key (RFC 7693), for the keys of columns.

`write_digest` hashes a part of a buffer without creating Python objects and without the GIL. The results are
those of `hashlib.blake2b`. The module runs as it is, but slowly, and compiles with Cython (`blake2b.pxd`
gives the C types).
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
    BLOCK_BYTES: Final = 128
    BLOCK_WORDS: Final = 16
    WORD_BYTES: Final = 8
    DIGEST_BYTES: Final = 16
    ROUNDS: Final = 12
    STATE_WORDS: Final = 8
    LENGTH_WORD: Final = 12
    LAST_BLOCK_WORD: Final = 14
    """The words of the working vector for the length and for the mark of the last block (RFC 7693, 3.2)."""
    BYTE_BITS: Final = 8
    BYTE_MASK: Final = 255
    WORD_MASK: Final = (1 << 64) - 1
    PARAMETERS: Final = 0x01010010
    """The first word of the parameter block: fan-out 1, depth 1, no key, 16 bytes (RFC 7693, 2.5)."""
    INITIAL_WORDS = [0] * 8
    """The initialization vector (RFC 7693, 2.6)."""
    SIGMA = [[0] * 16 for _ in range(12)]
    """The order of the words of a block in each round (RFC 7693, 2.7)."""

Bytes = bytes
"""The type of the argument of `compute_digest`."""
_SIGMA_DIGITS: Final = (
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
"""The rows of `SIGMA` as hexadecimal digits. The last two rounds repeat the first two rows."""
_INITIAL_WORDS: Final = (
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
    """Copy the constants to `INITIAL_WORDS` and `SIGMA`, which are C arrays in the compiled module."""
    for index, word in enumerate(_INITIAL_WORDS):
        INITIAL_WORDS[index] = word
    for round_index in range(ROUNDS):
        for index, digit in enumerate(_SIGMA_DIGITS[round_index % len(_SIGMA_DIGITS)]):
            SIGMA[round_index][index] = int(digit, 16)


_fill_tables()


def compute_digest(data: Bytes) -> bytes:
    """Return the BLAKE2b hash of `data` as 16 bytes, equal to ``hashlib.blake2b(data, digest_size=16)``."""
    hash_buffer = bytearray(DIGEST_BYTES)
    write_digest(data, 0, len(data), hash_buffer, 0)
    return bytes(hash_buffer)


def write_digest(data: Chars, start: Size, end: Size, output: Out, output_offset: Size) -> None:
    """Write the 16 bytes of the BLAKE2b hash of ``data[start:end]`` to `output` from `output_offset` on."""
    state: State
    block: Words
    index: Count
    shift: Count
    hashed_bytes: u64 = 0
    # The compiled module has C arrays here.
    if not cython.compiled:
        state = [0] * STATE_WORDS
        block = [0] * BLOCK_WORDS
    for index in range(STATE_WORDS):
        state[index] = INITIAL_WORDS[index]
    state[0] ^= PARAMETERS
    while end - start > BLOCK_BYTES:
        _load_block(data, start, start + BLOCK_BYTES, block)
        hashed_bytes += BLOCK_BYTES
        _compress(state, block, hashed_bytes, False)
        start += BLOCK_BYTES
    # The last block can be shorter than the others.
    _load_block(data, start, end, block)
    hashed_bytes += end - start
    _compress(state, block, hashed_bytes, True)
    # The words of the state are written with their lowest byte first.
    for index in range(DIGEST_BYTES):
        shift = BYTE_BITS * (index % WORD_BYTES)
        output[output_offset + index] = (state[index // WORD_BYTES] >> shift) & BYTE_MASK


def _load_block(data: Chars, start: Size, end: Size, block: Words) -> None:
    """Copy ``data[start:end]``, at most 128 bytes, to the 16 words of `block`.

    Each word has eight bytes, the lowest first. Missing bytes are zeros.
    """
    index: Count
    whole_words: Count = (end - start) // WORD_BYTES
    for index in range(whole_words):
        block[index] = _load_word(data, start)
        start += WORD_BYTES
    for index in range(whole_words, BLOCK_WORDS):
        block[index] = 0
    # The bytes that do not fill a word.
    for index in range(end - start):
        block[whole_words] |= _widen(data[start + index]) << (8 * index)


def _load_word(data: Chars, start: Size) -> u64:
    """Return the eight bytes of `data` from `start` on as a number. The first byte is the lowest."""
    # C compilers turn this expression into one load instruction.
    return (
        _widen(data[start])
        | (_widen(data[start + 1]) << 8)
        | (_widen(data[start + 2]) << 16)
        | (_widen(data[start + 3]) << 24)
        | (_widen(data[start + 4]) << 32)
        | (_widen(data[start + 5]) << 40)
        | (_widen(data[start + 6]) << 48)
        | (_widen(data[start + 7]) << 56)
    )


def _widen(byte: u64) -> u64:
    """Return a byte as a 64-bit number. Compiled code can then shift it by more than 31 bits."""
    return byte


def _compress(state: State, block: Words, length: u64, is_last: bool) -> None:
    """Mix a block of the input into the state of the hash, in place (function F of RFC 7693, 3.2).

    Args:
        state: The eight words of the state.
        block: The 16 words of the block.
        length: The number of bytes hashed up to the end of the block.
        is_last: Whether the block is the last one.
    """
    # The working vector of 16 words, which the RFC calls v.
    vector: Words
    index: Count
    round_index: Count
    if not cython.compiled:
        vector = [0] * (2 * STATE_WORDS)
    for index in range(STATE_WORDS):
        vector[index] = state[index]
        vector[index + STATE_WORDS] = INITIAL_WORDS[index]
    # The length and the mark of the last block go into fixed words of the vector.
    vector[LENGTH_WORD] ^= length
    if is_last:
        vector[LAST_BLOCK_WORD] ^= WORD_MASK
    # In each round, the columns of the vector, a matrix of 4 × 4 words, are mixed, then its diagonals.
    for round_index in range(ROUNDS):
        _mix(vector, 0, 4, 8, 12, block[SIGMA[round_index][0]], block[SIGMA[round_index][1]])
        _mix(vector, 1, 5, 9, 13, block[SIGMA[round_index][2]], block[SIGMA[round_index][3]])
        _mix(vector, 2, 6, 10, 14, block[SIGMA[round_index][4]], block[SIGMA[round_index][5]])
        _mix(vector, 3, 7, 11, 15, block[SIGMA[round_index][6]], block[SIGMA[round_index][7]])
        _mix(vector, 0, 5, 10, 15, block[SIGMA[round_index][8]], block[SIGMA[round_index][9]])
        _mix(vector, 1, 6, 11, 12, block[SIGMA[round_index][10]], block[SIGMA[round_index][11]])
        _mix(vector, 2, 7, 8, 13, block[SIGMA[round_index][12]], block[SIGMA[round_index][13]])
        _mix(vector, 3, 4, 9, 14, block[SIGMA[round_index][14]], block[SIGMA[round_index][15]])
    for index in range(STATE_WORDS):
        state[index] ^= vector[index] ^ vector[index + STATE_WORDS]


def _mix(vector: Words, a: Count, b: Count, c: Count, d: Count, x: u64, y: u64) -> None:
    """Mix the words `x` and `y` of a block into four words of `vector`, in place.

    This is function G of RFC 7693, 3.1, with its names. `a`, `b`, `c` and `d` are indices of `vector`. Sums
    are reduced to 64 bits.
    """
    vector[a] = (vector[a] + vector[b] + x) & WORD_MASK
    vector[d] = _rotate_right(vector[d] ^ vector[a], 32)
    vector[c] = (vector[c] + vector[d]) & WORD_MASK
    vector[b] = _rotate_right(vector[b] ^ vector[c], 24)
    vector[a] = (vector[a] + vector[b] + y) & WORD_MASK
    vector[d] = _rotate_right(vector[d] ^ vector[a], 16)
    vector[c] = (vector[c] + vector[d]) & WORD_MASK
    vector[b] = _rotate_right(vector[b] ^ vector[c], 63)


def _rotate_right(word: u64, bits: Count) -> u64:
    """Return a 64-bit word rotated to the right by `bits`."""
    return ((word >> bits) | (word << (64 - bits))) & WORD_MASK
