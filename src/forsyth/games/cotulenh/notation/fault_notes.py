# cython: boundscheck=False, wraparound=False
"""What `check_position` says about a CoTuLenh board and its clocks, as notes of the scanner.

The module runs as it is and compiles with Cython (`fault_notes.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.column import LENIENT
    from forsyth.games.cotulenh.board import i32, i64, u32
    from forsyth.games.cotulenh.notation.kernel import Chars, clock
    from forsyth.games.cotulenh.notation.notes import (
        COMMANDER_MANY,
        COMMANDER_MISSING,
        HALF_INCONSISTENT,
        NO_SQUARE,
        ON_LAND,
        ON_WATER,
        Scan,
        note,
    )
    from forsyth.games.cotulenh.notation.scan_board import find_unit
    from forsyth.games.cotulenh.rules.legality import (
        NAVY_FORBIDDEN,
        OTHERS_FORBIDDEN,
        SOUND_SUMMARY,
        summarize_board,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, NAVY


def judge_board(scan: Scan, s: Chars) -> None:
    """What `check_position` says about the board, if it is known; a broken stack hides no other fault."""
    found: i32 = summarize_board(scan.units)
    blue: i32 = found & 255
    if not scan.readable or found == SOUND_SUMMARY:
        return
    if found >> 16:
        _judge_terrain(scan, s)
    if blue > 1 or (found >> 8 & 255) - blue > 1:
        _judge_commanders(scan, s)
    if scan.mode != LENIENT:
        report_commanders(scan, COMMANDER_MISSING)


def _note_unit(scan: Scan, s: Chars, code: i32, square: i32) -> None:
    """An error about a unit; of a canonical board nobody has asked before where its units stand."""
    if scan.tail[5] >= 0 and scan.errors == 0:
        find_unit(scan, s, square)
    note(scan, code, scan.starts[square], scan.ends[square], square)


def _judge_terrain(scan: Scan, s: Chars) -> None:
    rank: i32
    square: i32
    unit: u32
    navy: i32
    for rank in range(11, -1, -1):
        for square in range(11 * rank, 11 * rank + 11):
            unit = scan.units[square]
            navy = unit >> NAVY & 1
            if unit and (NAVY_FORBIDDEN[square] if navy else OTHERS_FORBIDDEN[square]):
                _note_unit(scan, s, ON_LAND if navy else ON_WATER, square)


def _judge_commanders(scan: Scan, s: Chars) -> None:
    """Every commander behind the first of its colour, in reading order."""
    rank: i32
    square: i32
    unit: u32
    side: i32
    seen: i32 = 0
    for rank in range(11, -1, -1):
        for square in range(11 * rank, 11 * rank + 11):
            unit = scan.units[square]
            if not unit & 1:
                continue
            side = 2 if unit & BLUE_BIT else 1
            if seen & side:
                _note_unit(scan, s, COMMANDER_MANY, square)
            seen |= side


def report_commanders(scan: Scan, code: i32) -> None:
    """A finding about each side without a commander on the board or lost with a broken stack: Red, Blue."""
    found: i32 = summarize_board(scan.units)
    blue: i32 = found & 255
    seen: i32 = scan.lost | (2 if blue else 0) | (1 if (found >> 8 & 255) > blue else 0)
    side: i32
    for side in range(1, 3):
        if not seen & side:
            note(scan, code, scan.word_starts[0], scan.word_ends[0], NO_SQUARE)


def judge_clocks(scan: Scan, s: Chars) -> i32:
    """Compare the half-move clock with the move number; 0 where a number is too large for that."""
    half: i64 = clock(s, scan.tail[1], scan.tail[2])
    full: i64 = clock(s, scan.tail[3], scan.tail[4])
    if half < 0 or full < 0:
        return 0
    if half > 2 * (full - 1) + scan.tail[0]:
        note(scan, HALF_INCONSISTENT, scan.word_starts[4], scan.word_ends[4], NO_SQUARE)
    return 1
