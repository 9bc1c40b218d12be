# C types of fault_notes.py.
from forsyth.games.chess.board cimport u64, i32, count, lsb
from forsyth.games.chess.rules.attacks cimport MAX_KINGS, find_checkers
from forsyth.games.chess.notation.kernel cimport Chars, Size
from forsyth.games.chess.rules.legality cimport (
    ADJACENT, BACKRANK, EP_BLOCKED, EP_PAWN, EP_SIDE, IMPOSSIBLE, MANY_CHECKS, MANY_KINGS, OPPOSITE, RACE_CHECK,
    find_stray_pawns,
)
from forsyth.games.chess.notation.notes cimport Notes, FIRST_FAULT, note
from forsyth.games.chess.position cimport Position, THREE_CHECK
from forsyth.games.chess.notation.words cimport FROM, LAST_FROM, LAST_TO, MOST, TO, WORDS, Words

cdef enum:
    KINDS = 22

cdef i32[22] SORTED
cdef i32[22] FIELD

cdef void note_faults(Position position, Notes notes, Words words, Chars s, Size n, i32 found) noexcept nogil
cdef i32 square_of(Position position, i32 fault) noexcept nogil
cdef i32 word_of(Position position, Words words, Chars s, i32 field) noexcept nogil
cdef Size place_on_board(Words words, Chars s, i32 square) noexcept nogil
