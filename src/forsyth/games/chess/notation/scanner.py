"""Every accepted chess text at full speed: its position, and what there is to say about it as notes.

`kernel` decodes canonical standard text; this module decodes what real files are full of, in every variant,
with the codes and places of the findings, and names the common faults of what it refuses. It is the reader
(`fen`) in numbers: no objects, no words, no GIL. The reader is the law; a property test holds that both say
the same of position, first finding and number of findings. The module runs as it is and compiles with Cython
(`scanner.pxd` gives the C types).

Accepts
    What the reader accepts in default mode: four fields, blanks of any kind, look-alikes of a hyphen,
    castling letters in any order, twice or with dashes, leading zeros, a move number of 0; pockets, promoted
    marks, counts of checks, X-FEN and Shredder-FEN letters in their variants; AUTO finds the variant as
    `fen.rules_of` does. In lenient mode also what that mode mends, except what is named below.
Answers ASK, which leaves a text to the reader
    Texts with characters outside printable ASCII that are neither blanks nor look-alikes of a hyphen; with
    ``_``, ``%``, ``;`` or ``:``, which may be URLs, EPD records or marks of variants; a single word, a name;
    more than LONGEST_TEXT bytes; more findings than the reader keeps.
Limits
    Behind the characters stands a zero, and nothing behind that is read. In plain Python the reader is
    quicker than this module, and `accept` tries only what the kernel remembers.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.notation.kernel import decode
from forsyth.games.chess.position import Position

Text = str
"""What `accept` takes. Cython does not know the name, so that it takes subclasses of str as well."""

if not cython.compiled:
    from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, REFUSED, SPELLED, STRICT
    from forsyth.games.chess.board import count, i32
    from forsyth.games.chess.notation.fault_notes import note_faults
    from forsyth.games.chess.notation.kernel import characters, is_ascii, length, scan_board, scan_rest
    from forsyth.games.chess.notation.notes import (
        BOARD_FROM,
        BOARD_TO,
        CASTLING_ORDER,
        CHECKS_VALUE,
        COUNT,
        ERRORS,
        FEN_DASH,
        FEN_EMPTY,
        FEN_FIELDS,
        FEN_FIELDS4,
        FEN_WHITESPACE,
        FIRST_FAULT,
        FULL_VALUE,
        HALF_VALUE,
        MODE,
        RESPELLED,
        Notes,
        begin,
        note,
    )
    from forsyth.games.chess.notation.scan_fields import (
        ALL_CHECKS,
        DASH,
        OPEN,
        SLASH_SIGN,
        TILDE,
        end_of_ranks,
        is_checks,
        scan_castling,
        scan_castling_960,
        scan_checks,
        scan_ep,
        scan_number,
        scan_pocket,
        scan_ranks,
        scan_side,
    )
    from forsyth.games.chess.notation.words import (
        BOARD_END,
        DASH_AT,
        DASH_LAST,
        FROM,
        LAST_FROM,
        LAST_TO,
        LONGEST_TEXT,
        MOST,
        ODD_FROM,
        ODD_TO,
        TAKEN,
        TO,
        WORDS,
        Plain,
        Words,
        field_end,
        field_from,
        field_to,
        fields_in,
        find_words,
        first_word,
        is_foreign,
        make_plain,
    )
    from forsyth.games.chess.position import (
        CHESS960,
        CRAZYHOUSE,
        HORDE,
        RACING_KINGS,
        STANDARD,
        THREE_CHECK,
        new_draft,
        seal_position,
    )
    from forsyth.games.chess.rules.legality import (
        CASTLING_KING,
        CASTLING_NONE,
        CASTLING_ROOK,
        EP_BLOCKED,
        EP_PAWN,
        EP_SIDE,
        find_castling_faults,
        find_effective_rights,
        find_ep_faults,
        find_faults,
    )

    Chars = bytes | bytearray | memoryview
    Size = int
    AUTO: Final = -1
    MOST_FINDINGS: Final = 64
    NOT_TOLD: Final = -2


# --- one text -----------------------------------------------------------------------------------------


def accept(text: Text, rules: i32, mode: i32, legality: bool) -> tuple[Position, int] | None:
    """The position of a text that has no error, and how many warnings there are; None for every other text.

    `rules` may be AUTO, `mode` is a number of `forsyth.column`. With `legality` an error may be one of the
    position as well.
    """
    notes: Notes
    position: Position
    chars: Chars
    size: Size
    verdict: i32
    # Whatever is no text has no characters, and looking for them would end the process.
    if not isinstance(text, str) or not AUTO <= rules <= RACING_KINGS or not DEFAULT <= mode <= LENIENT:
        return None
    if not cython.compiled:
        return _accept_known(text, rules, mode, legality)
    size = length(text)
    if size > LONGEST_TEXT:
        return None
    if is_ascii(text):
        chars = characters(text)
    else:
        encoded: bytes = text.encode("utf-8", "surrogatepass")
        chars = encoded
        size = len(encoded)
    position = new_draft()
    verdict = judge(position, notes, chars, size, rules, mode, legality)  # noqa: F821 (a C array)
    if verdict == ASK or verdict == REFUSED:
        return None
    return seal_position(position), notes[COUNT] if verdict == NOTED else 0  # noqa: F821


if not cython.compiled:

    def _accept_known(text: str, rules: int, mode: int, legality: bool) -> tuple[Position, int] | None:
        """What the kernel remembers, with odd blanks and without clocks: most of what files have."""
        if rules > STANDARD or len(text) > LONGEST_TEXT:
            return None
        position = decode(text)
        warnings = 0
        if position is None and rules == STANDARD and mode == DEFAULT and set(text) <= _PLAIN:
            words = text.split()
            without_clocks = len(words) == 4
            tidy = " ".join(words)
            warnings = (tidy != text) + without_clocks
            position = decode(tidy + " 0 1" if without_clocks else tidy)
        if position is None or (legality and find_faults(position)):
            return None
        if mode == LENIENT or rules == AUTO:
            # The board may contradict what the text says.
            if rules == AUTO and is_horde(position):
                return None
            contradicted = misfits(position) or find_ep_faults(position) & (EP_SIDE | EP_PAWN | EP_BLOCKED)
            return None if contradicted else (position, 0)
        return position, warnings

    _PLAIN: Final = frozenset(map(chr, range(32, 127))) | set("\t\n\r\x0b\x0c")


def judge(position: Position, notes: Notes, s: Chars, n: Size, rules: i32, mode: i32, legality: bool) -> i32:
    """The verdict on a text; the position is filled unless it is ASK or REFUSED, notes are there if it is
    NOTED or REFUSED.
    """
    words: Words
    plain: Plain
    start: Size
    end: Size
    if n > LONGEST_TEXT:
        return ASK
    if not cython.compiled:
        words = [0] * 28
        plain = bytearray(520)
    start = first_word(s)
    end = scan_board(position, s, start)
    if start == 0 and end and rules <= STANDARD and is_quick(position, s, n, end, rules, mode):
        if not legality or find_faults(position) == 0:
            return CANONICAL
    words[DASH_AT] = -1
    words[DASH_LAST] = -1
    if not find_words(words, s, n, start, end):
        if not is_foreign(s, n):
            return ASK
        n = make_plain(words, plain, s, n)
        if n < 0:
            return ASK
        start = first_word(plain)
        end = scan_board(position, plain, start)
        if not find_words(words, plain, n, start, end):
            return ASK
        return judge_words(position, notes, words, plain, n, rules, mode, legality)
    return judge_words(position, notes, words, s, n, rules, mode, legality)


def is_quick(position: Position, s: Chars, n: Size, at: Size, rules: i32, mode: i32) -> bool:
    """Whether a text whose board ends at a character is canonical standard FEN that no mode changes."""
    if not scan_rest(position, s, n, at):
        return False
    if position.rules != STANDARD:
        # A text of another variant was there before.
        position.rules = STANDARD
        position.promoted = 0
        position.white_pocket = 0
        position.black_pocket = 0
        position.remaining = 0
    if mode != LENIENT and rules == STANDARD:
        return True
    if rules == AUTO and is_horde(position):
        return False
    if misfits(position):
        return False
    return mode != LENIENT or find_ep_faults(position) & (EP_SIDE | EP_PAWN | EP_BLOCKED) == 0


def judge_words(
    position: Position,
    notes: Notes,
    words: Words,
    s: Chars,
    n: Size,
    rules: i32,
    mode: i32,
    legality: bool,
) -> i32:
    """The verdict on a text whose words have been found."""
    verdict: i32 = ASK
    found: i32
    if rules == AUTO:
        rules = rules_told(words, s)
        if rules == NOT_TOLD:
            rules = rules_by_board(position, notes, words, s, n)
        if rules < 0:
            return ASK
    verdict = read_words(position, notes, words, s, n, rules, mode)
    if verdict == ASK or notes[COUNT] > MOST_FINDINGS:
        return ASK
    if verdict == REFUSED or not legality:
        return verdict
    found = find_faults(position)
    if found == 0:
        return verdict
    note_faults(position, notes, words, s, n, found)
    return REFUSED if notes[ERRORS] else NOTED


def read_words(
    position: Position, notes: Notes, words: Words, s: Chars, n: Size, rules: i32, mode: i32
) -> i32:
    """Read the words of a text by the rules of one variant; the verdict without legality."""
    begin(notes, mode)
    words[TAKEN] = -1
    position.rules = rules
    position.promoted = 0
    position.white_pocket = 0
    position.black_pocket = 0
    position.remaining = 0
    if words[WORDS] == 0:
        note(notes, FEN_EMPTY, False, 0, n, -1)
        return REFUSED
    if words[DASH_AT] >= 0:
        note(notes, FEN_DASH, True, words[DASH_AT], words[DASH_AT] + 1, -1)
    if words[ODD_FROM] >= 0:
        note(notes, FEN_WHITESPACE, True, words[ODD_FROM], words[ODD_TO], -1)
    if rules == THREE_CHECK:
        if words[WORDS] > MOST:
            return ASK
        take_checks(position, notes, words, s)
    if not count_fields(position, notes, words, s, rules):
        return ASK if words[WORDS] == 1 else REFUSED
    scan_fields(position, notes, words, s, rules)
    if notes[ERRORS]:
        return REFUSED
    if mode == STRICT and notes[RESPELLED]:
        note(notes, CASTLING_ORDER, False, field_from(words, 2), field_to(words, 2), -1)
        return REFUSED
    if mode == LENIENT:
        mend(position, notes, words)
    if notes[COUNT]:
        return NOTED
    return SPELLED if notes[RESPELLED] else CANONICAL


def take_checks(position: Position, notes: Notes, words: Words, s: Chars) -> None:
    """Three-check: take the checks out of the words, remaining ones (field 5) or given ones (last field)."""
    count: i32 = words[WORDS]
    position.remaining = ALL_CHECKS
    if count > 4 and is_checks(s, words[FROM + 4], words[TO + 4]):
        words[TAKEN] = 4
    elif count > 4 and is_checks(s, words[LAST_FROM], words[LAST_TO]):
        words[TAKEN] = count - 1
        # Only before the clocks is it canonical.
        notes[RESPELLED] = 1
    elif count == 7:
        words[TAKEN] = 4
    else:
        note(notes, CHECKS_VALUE, True, words[LAST_TO], words[LAST_TO], -1)
        return
    scan_checks(position, notes, s, words[FROM + words[TAKEN]], words[TO + words[TAKEN]])


def count_fields(position: Position, notes: Notes, words: Words, s: Chars, rules: i32) -> bool:
    """Whether the fields can be read: six, four, or in lenient mode fewer; else the board is judged."""
    count: i32 = fields_in(words)
    end: Size = field_end(words)
    at: Size
    if count == 6:
        return True
    if count == 4:
        note(notes, FEN_FIELDS4, True, field_from(words, 3), field_to(words, 3), -1)
        return True
    if count < 6:
        note(notes, FEN_FIELDS, True, end, end, -1)
        if notes[MODE] == LENIENT and words[WORDS] > 1:
            return True
    else:
        note(notes, FEN_FIELDS, False, field_from(words, 6), end, -1)
    for at in range(words[FROM], words[TO]):
        if s[at] == SLASH_SIGN:
            scan_board_field(position, notes, words, s, rules)
            break
    return False


def scan_board_field(position: Position, notes: Notes, words: Words, s: Chars, rules: i32) -> Size:
    """Read the men on the board, unless they have been read; where the ranks end."""
    start: Size = words[FROM]
    end: Size = words[TO]
    if rules == CRAZYHOUSE:
        end = end_of_ranks(notes, s, start, end)
    if words[BOARD_END] == 0 or words[BOARD_END] != end:
        scan_ranks(position, notes, s, start, end, rules == CRAZYHOUSE)
    else:
        notes[BOARD_FROM] = start
        notes[BOARD_TO] = end
    return end


def scan_fields(position: Position, notes: Notes, words: Words, s: Chars, rules: i32) -> None:
    """Read the six fields; what is missing is as if nothing had happened yet."""
    count: i32 = fields_in(words)
    end: Size = scan_board_field(position, notes, words, s, rules)
    if rules == CRAZYHOUSE:
        scan_pocket(position, notes, s, end, words[TO])
    position.black_to_move = 0
    position.rights = 0
    position.ep_square = -1
    position.half = 0
    position.full = 1
    if count > 1:
        scan_side(position, notes, s, field_from(words, 1), field_to(words, 1))
    if count > 2 and rules == CHESS960:
        scan_castling_960(position, notes, s, field_from(words, 2), field_to(words, 2))
    elif count > 2:
        scan_castling(position, notes, s, field_from(words, 2), field_to(words, 2))
    if count > 3:
        scan_ep(position, notes, s, field_from(words, 3), field_to(words, 3))
    if count > 4:
        position.half = scan_number(notes, s, field_from(words, 4), field_to(words, 4), HALF_VALUE, 0)
    if count > 5:
        position.full = scan_number(notes, s, field_from(words, 5), field_to(words, 5), FULL_VALUE, 1)


def mend(position: Position, notes: Notes, words: Words) -> None:
    """Lenient mode drops castling rights and en-passant squares that the board contradicts."""
    found: i32 = find_castling_faults(position) if position.rights else 0
    place: i32 = fields_in(words)
    if found & (CASTLING_KING | CASTLING_ROOK | CASTLING_NONE):
        note(
            notes,
            FIRST_FAULT + (6 if found & CASTLING_KING else 7 if found & CASTLING_ROOK else 20),
            True,
            field_from(words, 2),
            field_to(words, 2),
            -1,
        )
        position.rights = find_effective_rights(position)
    found = find_ep_faults(position)
    if place > 3 and found & (EP_SIDE | EP_PAWN | EP_BLOCKED):
        note(
            notes,
            FIRST_FAULT + (10 if found & EP_SIDE else 11 if found & EP_PAWN else 12),
            True,
            field_from(words, 3),
            field_to(words, 3),
            position.ep_square,
        )
        position.ep_square = -1


# --- which variant ------------------------------------------------------------------------------------


def rules_told(words: Words, s: Chars) -> i32:
    """Which variant the words of a text say it is; NOT_TOLD where only the board can, AUTO for the reader."""
    at: Size
    slashes: i32 = 0
    folded: i32
    is_pocket: i32 = 1
    kings: i32 = 0
    pawns: i32 = 0
    names_file: i32 = 0
    if words[WORDS] == 0:
        return STANDARD
    if words[BOARD_END] == 0 or words[BOARD_END] != words[TO]:
        for at in range(words[FROM], words[TO]):
            if s[at] == OPEN or s[at] == TILDE:
                return CRAZYHOUSE
            # A ninth rank is a pocket if it has nothing but letters of pieces.
            folded = s[at] | 32
            if slashes == 8 and folded not in (98, 110, 112, 113, 114):
                is_pocket = 0
            slashes += s[at] == SLASH_SIGN
        if slashes == 8 and is_pocket:
            return CRAZYHOUSE
    if words[WORDS] > 4 and (
        is_checks(s, words[FROM + 4], words[TO + 4]) or is_checks(s, words[LAST_FROM], words[LAST_TO])
    ):
        return THREE_CHECK
    for at in range(words[FROM], words[TO]):
        kings += s[at] == 75
        pawns += s[at] == 80
    if kings == 0 and pawns > 8:
        return HORDE
    if words[WORDS] < 3:
        return STANDARD
    if words[DASH_AT] >= 0:
        # The text is looked at as it was given, and a character that looks like a hyphen names no variant.
        if words[FROM + 2] <= words[DASH_AT] < words[TO + 2]:
            return STANDARD
        if words[FROM + 2] <= words[DASH_LAST] < words[TO + 2]:
            return STANDARD
        if words[DASH_AT] < words[FROM + 2] and words[DASH_LAST] >= words[TO + 2]:
            return AUTO
    if words[TO + 2] - words[FROM + 2] == 1 and s[words[FROM + 2]] == DASH:
        return STANDARD
    for at in range(words[FROM + 2], words[TO + 2]):
        if s[at] != 75 and s[at] != 81 and s[at] != 107 and s[at] != 113 and s[at] != DASH:
            # A file from A to H or a to h is the rook of a right to castle in Chess960.
            if not (65 <= s[at] <= 72 or 97 <= s[at] <= 104):
                return STANDARD
            names_file = 1
    return CHESS960 if names_file else NOT_TOLD


def rules_by_board(position: Position, notes: Notes, words: Words, s: Chars, n: Size) -> i32:
    """Chess960 where only that explains the castling rights, else standard chess."""
    verdict: i32 = read_words(position, notes, words, s, n, STANDARD, DEFAULT)
    if verdict == ASK or notes[COUNT] > MOST_FINDINGS:
        return AUTO
    if verdict == REFUSED or not misfits(position):
        return STANDARD
    read_words(position, notes, words, s, n, CHESS960, DEFAULT)
    return STANDARD if misfits(position) else CHESS960


def is_horde(position: Position) -> bool:
    """Whether White has no king and more pawns than a side of standard chess can have."""
    return position.kings & position.white == 0 and count(position.pawns & position.white) > 8


def misfits(position: Position) -> bool:
    """Whether the board contradicts the castling rights."""
    return position.rights != 0 and find_castling_faults(position) & (CASTLING_KING | CASTLING_ROOK) != 0
