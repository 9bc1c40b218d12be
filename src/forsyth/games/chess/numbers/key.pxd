# C types of key.py.
from forsyth.games.chess.board cimport u64, i32
from forsyth.games.chess.position cimport Position, CHESS960, CRAZYHOUSE, THREE_CHECK
from forsyth.games.chess.rules.legality cimport effective_rights, legal_ep

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 SEED_HIGH "0x466F727379746821ULL"
    u64 SEED_LOW "0x9E3779B97F4A7C15ULL"
    u64 FIRST "0xBF58476D1CE4E5B9ULL"
    u64 SECOND "0x94D049BB133111EBULL"

cdef u64 mix(u64 lane, u64 word) noexcept nogil
cdef u64 lane_of(Position position, u64 lane, u64 state, u64 rights) noexcept nogil
cdef u64 state_of(Position position) noexcept nogil
