# C types of key.py.
from forsyth.games.chess.board cimport u64, i32
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE, THREE_CHECK
from forsyth.games.chess.rules.legality cimport find_effective_rights, find_legal_ep_square

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 SEED_HIGH "0x466F727379746821ULL"
    u64 SEED_LOW "0x9E3779B97F4A7C15ULL"
    u64 MULTIPLIER_1 "0xBF58476D1CE4E5B9ULL"
    u64 MULTIPLIER_2 "0x94D049BB133111EBULL"

cdef enum:
    EP_SHIFT = 1
    VARIANT_SHIFT = 8
    REMAINING_SHIFT = 16

cdef u64 mix_word(u64 digest, u64 word) noexcept nogil
cdef u64 hash_position(Position position, u64 seed, u64 state, u64 rights) noexcept nogil
cdef u64 encode_key_state(Position position) noexcept nogil
