# C types of packed.py.
from forsyth.games.azul.notation.cells cimport (
    BAG, CELLS, CENTER, COMPLETE, CURRENT, Cells, Count, DISCARD, FACTORY, FLOOR, HELD, LINE, FINDINGS,
    MARKER_IN_CENTER, PHASE, PLAYERS, ROUND, SCORE, SPACES, START, STRANGE, WALL, cells_of, position_of,
)
from forsyth.games.azul.position cimport Board, Position
from forsyth.games.azul.rules.legality cimport get_board_index
from forsyth.games.azul.tiles cimport FLOOR_SPACES, SIZE, count_factories

ctypedef const unsigned char* Packed
ctypedef unsigned char* Out
ctypedef Py_ssize_t Size

cdef enum:
    VERSION = 1
    FORM_COUNT = 126
    HELD_BIT = 25
    MAX_POINTS = 9999
    MAX_ROUNDS = 9999
    PACKED = 0
    BAD_SHAPE = 1
    BAD_LINE = 2
    BAD_BOARD = 3
    BAD_NUMBER = 4
    NOT_PACKED = 5
    _TEXT_FLAG = 64
    MIN_PACKED_PLAYERS = 2
    MAX_PACKED_PLAYERS = 4
    HEAD_BYTES = 5
    VERSION_OFFSET = 0
    FLAGS_OFFSET = 1
    PLAYERS_OFFSET = 2
    ROUND_OFFSET = 3
    MARKER_OFFSET = 3
    BOARD_BYTES = 14
    LINES_OFFSET = 4
    FLOOR_OFFSET = 9
    SCORE_OFFSET = 12
    BYTE_MASK = 255
    PLAYERS_MASK = 3
    PHASE_SHIFT = 2
    PHASE_MASK = 3
    COMPLETE_SHIFT = 4
    MARKER_SHIFT = 5
    START_SHIFT = 2
    ROW_MASK = 31
    LAST_CELL_BIT = 24
    TILES_MASK = 7
    COLOUR_SHIFT = 3
    SYMBOL_MASK = 7
    SYMBOL_BITS = 3
    UNUSED_SYMBOL = 7
    SIGN_BIT = 0x8000
    SCORE_RANGE = 0x10000

cdef inline Count read_uint16(Packed data, Size offset) noexcept nogil:
    return data[offset] | (data[offset + 1] << 8)

cdef inline void write_uint16(Out output, Size offset, Count value) noexcept nogil:
    output[offset] = value & BYTE_MASK
    output[offset + 1] = (value >> 8) & BYTE_MASK

cpdef bytes pack(Position position)
cdef bint _is_compact(Position position) except -1
cdef bint _is_compact_board(Board board) except -1
cpdef Position unpack(object data)
cdef Size get_packed_size(Count players) noexcept nogil
cdef Size pack_cells(Cells cells, Out output, Size offset) noexcept nogil
cdef Size _pack_board(Cells cells, Out output, Size offset, Count board) noexcept nogil
cdef Count unpack_cells(Packed data, Size size, Cells cells) noexcept nogil
cdef void _unpack_head(Packed data, Cells cells) noexcept nogil
cdef bint _is_canonical(Packed data, Cells cells) noexcept nogil
cdef Count _unpack_board(Packed data, Size offset, Cells cells, Count board) noexcept nogil
cdef Count _unpack_floor(Cells cells, Count floor, Count board) noexcept nogil
