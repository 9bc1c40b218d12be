# C types of key.py.
from forsyth.games.cotulenh.board cimport u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.position cimport Position

cdef extern from *:
    u64 ALL "0xFFFFFFFFFFFFFFFFULL"
    u64 SEED_HIGH "0x43C3B4C3AACC6E68ULL"
    u64 SEED_LOW "0x9E3779B97F4A7C15ULL"
    u64 FIRST "0xBF58476D1CE4E5B9ULL"
    u64 SECOND "0x94D049BB133111EBULL"

cdef u64 mix(u64 lane, u64 word) noexcept
cdef u64 lane_of(Position position, u64 lane) noexcept
