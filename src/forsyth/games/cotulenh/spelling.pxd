# C types of spelling.py.
from forsyth.games.cotulenh.board cimport u32, u64, i32, SQUARE_COUNT
from forsyth.games.cotulenh.stacks cimport BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES
from forsyth.games.cotulenh.generate cimport CAPTURE, COMBINE, DEPLOY, STAY, SUICIDE
from forsyth.games.cotulenh.position cimport Position
from forsyth.games.cotulenh.moves cimport Move, move_of

cdef str _plain(u64 number, Position position, object shared)
cdef u32 _mover(u64 number, Position position) noexcept
cdef str _result(u64 number, Position position)
cdef i32 _watched(Position position)
