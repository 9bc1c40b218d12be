# C types of findings.py.

cdef extern from "Python.h":
    # What object.__setattr__ is in C.
    int fill "PyObject_GenericSetAttr" (object value, object name, object part) except -1

cpdef object fix_at(object place, object replacement, object confidence)
cpdef object reading_of(object text, object game, object position, object found=*)
cdef object _span_of(object start, object end)
cdef object _finding_of(
    object code, object message, object severity, object stage, object span, object field, object square, object fix,
    object family, object seed, object kind,
)

cdef class Word:
    cdef readonly object text
    cdef readonly object start
    cdef readonly object name
    cdef readonly object player

    cpdef object at(self, object index)

cdef class Findings:
    cdef public object text
    cdef public object mode
    cdef public object lenient
    cdef public object mending
    cdef public object offsets
    cdef public list found
    cdef public object errors
    cdef object _book
    cdef object _counts

    cdef object _span(self, object place)
    cdef object _fix(self, object fix)
    cdef object _keep(self, object finding)
