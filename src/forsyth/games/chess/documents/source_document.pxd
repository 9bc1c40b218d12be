# C types of source_document.py.
cimport cython

cdef list _split(object text)
cdef object _size(object part)
@cython.locals(rank=cython.int, file=cython.int, square=cython.int, ch=cython.Py_UCS4)
cdef object _walk(str part, list cells)
cdef bint _accepts(object text) except -1
cpdef object _color(object part)
cpdef object _castling(str part)
cpdef object _en_passant(object part)
cpdef object _half_move_clock(str part)
cpdef object _full_move_number(str part)
cdef object _number(str part, Py_ssize_t longest, int largest)
