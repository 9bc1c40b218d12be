# C types of safety.py.
from forsyth.games.cotulenh.board cimport (
    u32, u64, i32, DIRECTION_COUNT, FIRST_DIAGONAL, RAYS, RAY_LENGTH, SQUARE_COUNT, get_file,
)
from forsyth.games.cotulenh.stacks cimport BLUE_BIT
from forsyth.games.cotulenh.rules.attacks cimport (
    AIR_RAID, COMMANDER_BIT, MAX_ATTACKERS, MAX_ATTACK_DISTANCE, NO_SQUARE, SQUARE_MASK, TYPES_SHIFT, AttackerList,
    Units, are_exposed, classify_attack, fill_air_cover, find_attack_directions, find_raider, make_heroic,
)
from forsyth.games.cotulenh.rules.generate cimport (
    DEPLOY, DOWN, ENDANGERED, FLAGS_SHIFT, LEFT, RIGHT, SAFE, STAY, SUICIDE, UNSETTLED, UP, MoveList, BoardFacts,
    get_flags, get_target,
)
from forsyth.games.cotulenh.rules.trials cimport (
    may_change_own_cover, find_enemy_guard, find_attacking_air_defence, is_safe_after, promote_zone,
)

ctypedef unsigned char* SquareMarks

cdef enum:
    COMMANDER_MOVES = 65536
    EMPTIES_TARGET = 1610612736

cdef inline bint has_several_bits(i32 bits) noexcept nogil:
    return (bits & (bits - 1)) != 0

cdef void drop_illegal_moves(Units units, u32 colour, MoveList moves, BoardFacts facts, i32 last_guard) noexcept
cdef i32 is_legal_move(Units units, u64 move, BoardFacts facts, u32 colour, i32 last_guard) noexcept
cdef void assess_commander(Units units, BoardFacts facts, u32 colour, i32 last_guard) noexcept
cdef i32 find_commander_state(Units units, BoardFacts facts, u32 colour) noexcept
cdef i32 find_raid_state(Units units, BoardFacts facts, u32 colour) noexcept
cdef i32 find_danger_directions(Units units, i32 own_square, i32 enemy_square, u32 colour) noexcept
cdef void fill_promoted_cover(Units units, BoardFacts facts, u32 colour) noexcept
cdef void mark_danger_line(BoardFacts facts) noexcept
cdef i32 may_rescue(u64 move, BoardFacts facts) noexcept
cdef i32 may_change_last_guard(u64 move, BoardFacts facts) noexcept
cdef void mark_shields(Units units, i32 target, u32 colour, SquareMarks shields) noexcept
cdef i32 may_endanger(u64 move, BoardFacts facts) noexcept
