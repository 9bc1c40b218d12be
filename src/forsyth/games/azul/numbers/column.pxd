# C types of column.py.
from libc.string cimport memcpy, memset

from forsyth.kit.numbers.blake2b cimport digest_16
from forsyth.games.azul.notation.cells cimport BAG, CELLS, Cells, Count, DISCARD, FINDINGS, PLAYERS, STRANGE, STRANGE_BOARDS
from forsyth.games.azul.notation.format_notes cimport MOST_NOTED, note_format
from forsyth.games.azul.rules.legality cimport is_reachable, is_sound
from forsyth.games.azul.notation.cells_write cimport ROOM, write_cells
from forsyth.games.azul.numbers.features cimport NUMBERS, put_features
from forsyth.games.azul.notation.notes cimport NO_SQUARE, Note, SPELLING, note_content, put_first
from forsyth.games.azul.notation.reachability_notes cimport note_reachability
from forsyth.games.azul.notation.scanner cimport LONGEST, UNREAD, read_cells
from forsyth.games.azul.tiles cimport SIZE
from forsyth.games.azul.numbers.packed cimport PACKED, pack_cells, packed_size, unpack_cells
from forsyth.games.azul.numbers.planes cimport PLANE_BYTES, put_planes

ctypedef Py_ssize_t Size
ctypedef const unsigned char* Chars
ctypedef const unsigned char* Line
ctypedef const long long* Offsets
ctypedef unsigned char* Out
ctypedef int* Numbers
ctypedef unsigned char[2048] Text
ctypedef const unsigned char[::1] Bytes
ctypedef const long long[::1] Places
ctypedef unsigned char[::1] Bytearray
ctypedef int[::1] Integers

cdef enum:
    ASK = 0
    CANONICAL = 1
    SPELLED = 2
    NOTED = 3
    REFUSED = 4
    STRICT = 1
    LENIENT = 2
    NOTES = 6

cdef inline Chars chars_in(Bytes view):
    return &view[0] if view.shape[0] else NULL
cdef inline Chars chars_at(Chars s, Size at, Size end) noexcept nogil:
    return s + at
cdef inline Offsets offsets_in(Places view):
    return &view[0] if view.shape[0] else NULL
cdef inline Out bytes_in(Bytearray view):
    return &view[0] if view.shape[0] else NULL
cdef inline Numbers numbers_in(Integers view):
    return &view[0] if view.shape[0] else NULL
cdef inline void copy(Out out, Size at, Text text, Size length) noexcept nogil:
    memcpy(out + at, text, length)
cdef inline void clear(Out out, Size at, Size end) noexcept nogil:
    memset(out + at, 0, end - at)

cdef unsigned char _verdict(Chars s, Size size, Offsets o, Size row, Cells cells) noexcept nogil
cdef bint _is_inside(Size size, Offsets o, Size row) noexcept nogil
cdef bint _is_malformed(Chars s, Size size, Offsets o, Size row, bint lenient, Note note) noexcept nogil
cdef unsigned char _read(Chars s, Size size, Offsets o, Size row, Cells cells) noexcept nogil
cdef void _scan(Chars s, Size size, Offsets o, Size first, Size last, Size mode, bint legality, Out verdicts, Numbers notes) noexcept nogil
cdef Count _judged(Cells cells, Line s, Size end, Size mode, Count silent, Note note) noexcept nogil
cdef void _note_spelling(Cells cells, Line s, Size end, Text text, Note note) noexcept nogil
cdef bint _is_compact(Cells cells) noexcept nogil
cdef void _rewrite(Chars s, Size size, Offsets o, Size first, Size last, Out verdicts, Out out, Numbers lengths, Size width) noexcept nogil
cdef void _keys(Chars s, Size size, Offsets o, Size first, Size last, Out verdicts, Out out) noexcept nogil
cdef void _pack(Chars s, Size size, Offsets o, Size first, Size last, Out verdicts, Out out, Size width) noexcept nogil
cdef void _unpack(Chars packed, Size width, Size first, Size last, Out verdicts, Out out, Numbers lengths, Size room) noexcept nogil
cdef void _features(Chars s, Size size, Offsets o, Size first, Size last, Out verdicts, Numbers out, Size rows) noexcept nogil
cdef void _planes(Chars s, Size size, Offsets o, Size first, Size last, Out verdicts, Out out) noexcept nogil
