# The numbers of column.py for kernels; there is nothing to compile.
cdef enum:
    ASK = 0
    CANONICAL = 1
    SPELLED = 2
    NOTED = 3
    REFUSED = 4
    DEFAULT = 0
    STRICT = 1
    LENIENT = 2
    NOTES = 6
