# C types of deploy.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, HEROIC_SHIFT, NAVY, TYPES
from forsyth.games.cotulenh.rules.attacks cimport COMMANDER_BIT, TYPES_SHIFT
from forsyth.games.cotulenh.rules.generate cimport (
    CAPTURE, COMBINE, DEPLOY, FLAGS_SHIFT, STAY, SUICIDE, TARGET_SHIFT, get_flags, get_moving_types, get_origin,
    get_target, select_types,
)

cdef enum:
    PLACE_MASK = 134217727

cdef u64 _pack_step(u64 origin, u64 target, u64 types, u64 flags) noexcept
cdef u64 _clear_flags(u64 step) noexcept
