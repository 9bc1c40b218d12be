# C types of source_document.py.
cimport cython

cdef enum:
    BYTE_MASK = 255
    LAST_SQUARE = 63

cdef list _split_fields(object text)
cdef object _count_utf8_bytes(object field)
@cython.locals(rank=cython.int, file=cython.int, square=cython.int, letter=cython.Py_UCS4)
cdef object _parse_board(str field, list cells)
cdef bint _is_accepted_by_document(object text) except -1
cpdef object _parse_color(object field)
cpdef object _parse_castling(str field)
cpdef object _parse_en_passant(object field)
cpdef object _parse_half_move_clock(str field)
cpdef object _parse_full_move_number(str field)
cdef object _parse_number(str field, Py_ssize_t max_length, int maximum)
