# C types of key.py.
from forsyth.games.cotulenh.board cimport u64, i32
from forsyth.games.cotulenh.rules.attacks cimport Units
from forsyth.games.cotulenh.position cimport Position

cdef extern from *:
    u64 MASK_64 "0xFFFFFFFFFFFFFFFFULL"
    u64 SEED_HIGH "0x43C3B4C3AACC6E68ULL"
    u64 SEED_LOW "0x9E3779B97F4A7C15ULL"
    u64 FIRST_MULTIPLIER "0xBF58476D1CE4E5B9ULL"
    u64 SECOND_MULTIPLIER "0x94D049BB133111EBULL"

ctypedef u64[264] Words
ctypedef u64[8] Lanes

cdef enum:
    WORD_COUNT = 66
    BLOCK_SIZE = 4
    LANES_PER_KEY = 2
    UNIT_BITS = 32

cdef void start_lanes(Lanes lanes, i32 board_index, i32 blue_to_move) noexcept nogil
cdef void write_words(Words words, i32 board_index, Units units) noexcept nogil
cdef void mix_words(Words words, Lanes lanes) noexcept nogil
cdef void mix_block(Words words, Lanes lanes) noexcept nogil
cdef u64 mix_word(u64 lane, u64 word) noexcept nogil
