# C types of findings.py.

cdef extern from "Python.h":
    # The C function behind object.__setattr__.
    int set_attribute "PyObject_GenericSetAttr" (object value, object name, object part) except -1

cpdef object make_fix(object place, object replacement, object confidence)
cpdef object make_reading(object text, object game, object position, object diagnostics=*, object variant=*)
cdef object _make_span(object start, object end)
cdef object _make_finding(
    object code, object message, object severity, object stage, object span, object field, object square, object fix,
    object family, object seed_message, object seed_kind,
)

cdef class Word:
    cdef readonly object text
    cdef readonly object start
    cdef readonly object name
    cdef readonly object player

    cpdef object char_place(self, object index)

cdef class Findings:
    cdef public object text
    cdef public object mode
    cdef public object lenient
    cdef public object tolerates_repairs
    cdef public object offsets
    cdef public list diagnostics
    cdef public object errors
    cdef object _book
    cdef object _counts

    cdef object _to_source_span(self, object place)
    cdef object _to_source_fix(self, object fix)
    cdef object _append(self, object finding)
