# C types of column.py.
cimport cython
from forsyth.column cimport ASK, CANONICAL, LENIENT, NOTED, REFUSED, SPELLED, STRICT
from forsyth.games.azul.notation.cells cimport BAG, CELLS, Cells, Count, DISCARD, FINDINGS, PLAYERS, STRANGE, STRANGE_BOARDS
from forsyth.games.azul.notation.format_notes cimport MOST_NOTED, note_format
from forsyth.games.azul.rules.legality cimport is_reachable, is_sound
from forsyth.games.azul.notation.cells_write cimport ROOM, write_cells
from forsyth.games.azul.numbers.features cimport FEATURE_COUNT, put_features
from forsyth.games.azul.notation.notes cimport NO_SQUARE, Note, SPELLING, note_content, put_first
from forsyth.games.azul.notation.reachability_notes cimport note_reachability
from forsyth.games.azul.notation.scanner cimport LONGEST, UNREAD, read_cells
from forsyth.games.azul.tiles cimport SIZE
from forsyth.games.azul.numbers.packed cimport PACKED, pack_cells, get_packed_size, unpack_cells
from forsyth.games.azul.numbers.planes cimport PLANE_BYTES, put_planes
from forsyth.kit.numbers.blake2b cimport write_digest
from forsyth.kit.numbers.column_verbs cimport (
    Chars, ColumnVerbs, NO_TEXT, Numbers, Out, RowKernel, Size, copy, fill, i32,
)

ctypedef const unsigned char* Line
ctypedef unsigned char[2048] Text

cdef enum:
    FINDING_COUNT = 0
    FINDING_CODE = 1
    FINDING_START = 2
    FINDING_END = 3
    FINDING_SQUARE = 4
    FINDING_NUMBERS = 5
    NOTE_CODE = 0
    NOTE_IS_WARNING = 1
    NOTE_START = 2
    NOTE_END = 3
    NOTE_SQUARE = 4
    NOTE_COUNT = 5
    MAX_PACKED_COUNT = 255

cdef inline Line slice_line(Chars chars, Size start, Size end) noexcept nogil:
    return chars + start

@cython.final
cdef class AzulRow(RowKernel):
    cdef Cells cells
    cdef Note finding
    cdef Text text
    cdef i32 judge_text(self, Line line, Size size, i32 mode, bint legality) noexcept nogil
    cdef i32 judge_content(self, Line line, Size size, i32 mode, i32 clean_verdict) noexcept nogil
    cdef void note_spelling(self, Line line, Size size) noexcept nogil

cdef class AzulColumn(ColumnVerbs):
    pass

cdef bint _is_compact(Cells cells) noexcept nogil
