# C types of deploy.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, NAVY, TYPES
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, SQUARE_MASK, TYPES_SHIFT
from forsyth.games.cotulenh.rules.generate cimport (
    CAPTURE, COMBINE, DEPLOY, FLAG_MASK, FLAGS_SHIFT, STAY, SUICIDE, TARGET_SHIFT,
)

cdef enum:
    PLACE_MASK = 134217727

cdef u32 _select_types(u32 unit, u32 types) noexcept
cdef u64 _pack_step(u64 origin, u64 target, u64 types, u64 flags) noexcept
cdef u64 _clear_flags(u64 step) noexcept
cdef i32 _get_origin(u64 step) noexcept
cdef i32 _get_target(u64 step) noexcept
cdef u32 _get_types(u64 step) noexcept
cdef i32 _get_flags(u64 step) noexcept
