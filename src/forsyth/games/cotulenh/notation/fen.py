"""CoTuLenh FEN: reading any text and saying everything that is wrong with it (spec/cotulenh 13).

Reading, default mode. Accepted with a warning:

* several blanks, tabs or other white space between fields, white space around the text;
* two empty counts in a row (``56`` for ``11``);
* members of a stack in any order, parentheses around one piece;
* a half-move clock with leading zeros;
* every spelling of a deploy suffix (see `deploy_fen`).

Lenient mode also mends, each with a report: ``B`` for anti-air, short ranks, missing last fields, ``+(NI)``,
``(T|I)``, unknown fields after the sixth; and it takes a board without commanders. Strict mode takes
canonical text only. Without validation (`skip_validation`) only what cannot be read is an error: castling, en
passant, a move number 0 or with leading zeros, unknown further fields and missing last ones are not, and of a
stack that cannot be, the pieces stay that make one with its first; the rest is left out with a warning.
A short rank is filled up as in lenient mode.

Nothing stops the reading: a text with too few fields or ranks is judged in what it has, a stack that cannot
be hides no missing commander, and a rank with an unknown letter is not counted where that letter may be what
is missing. Findings come in the order of the specification. Writing: `write.encode`. Stability: canonical
text is promised for ever. Limits: 1024 characters, 64 findings.
"""

from __future__ import annotations

from typing import Final

from forsyth.arguments import require_choice
from forsyth.diagnostics import MODES, Mode, Reading
from forsyth.findings import CERTAIN, LIKELY, Findings, Place, Word, make_fix
from forsyth.games.cotulenh.codes import BOOK
from forsyth.games.cotulenh.notation.deploy_fen import is_suffix, read_suffix
from forsyth.games.cotulenh.notation.deploy_restore import open_session
from forsyth.games.cotulenh.notation.fields import (
    CLOCK,
    IN_STACK,
    BoardField,
    read_board,
    read_clock,
    read_dash,
    read_turn,
)
from forsyth.games.cotulenh.notation.kernel import decode
from forsyth.games.cotulenh.notation.scanner import accept
from forsyth.games.cotulenh.notation.words import words_of
from forsyth.games.cotulenh.position import Position, build_position
from forsyth.games.cotulenh.rules.check import check_position, list_sides_without_commander
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.rules.moves import Rules

MAX_LENGTH: Final = 1024
"""Characters; texts from play have fewer than 250."""

_DEFAULTS: Final = ("", "r", "-", "-", "0", "1")
_DEFAULT_RULES: Final = Rules()
_SILENT: Final = ("default", "strict")
"""The modes that have nothing to say about a canonical text; lenient mode misses commanders."""


def read_fen(
    text: object, *, mode: Mode = "default", rules: Rules = _DEFAULT_RULES, skip_validation: bool = False
) -> Reading[Position]:
    """Read a plain text: the position or none, and every finding about the text. Never raises."""
    if not isinstance(text, str):
        return _refused("", "fen.type", (0, 0), f"a text is expected, not {type(text).__name__}")
    position = decode(text)
    if position is not None and (mode in _SILENT or (mode == "lenient" and has_sound_board(position))):
        return Reading(text, "cotulenh", position)
    require_choice("mode", mode, MODES)
    if mode != "strict" and not skip_validation:
        noted = accept(text, mode == "lenient")
        if noted is not None:
            return Reading(text, "cotulenh", noted, explain=lambda: explained(text, mode, rules).diagnostics)
        if position is not None:
            return Reading(text, "cotulenh", position)
    return explained(text, mode, rules, skip_validation)


def explained(
    text: str, mode: Mode = "default", rules: Rules = _DEFAULT_RULES, skip_validation: bool = False
) -> Reading[Position]:
    """What `read_fen` says, with every finding, without the help of kernel and scanner."""
    if len(text) > MAX_LENGTH:
        message = f"the text has {len(text)} characters, expected at most {MAX_LENGTH}"
        return _refused(text, "fen.length", (MAX_LENGTH, len(text)), message)
    words = words_of(text)
    if not words:
        return _refused(text, "fen.empty", (0, len(text)), "the text is empty, expected a FEN of six fields")
    findings = Findings(text, mode, BOOK, tolerates_repairs=skip_validation)
    words = _whole_board(findings, words)
    _report_blanks(findings, words)
    position = _read_words(findings, words, rules)
    return Reading(text, "cotulenh", position, tuple(findings.diagnostics))


def _refused(text: str, code: str, place: Place, message: str) -> Reading[Position]:
    return Reading(text, "cotulenh", None, (BOOK.make_diagnostic(code, place, message),))


def _whole_board(findings: Findings, words: list[Word]) -> list[Word]:
    """The words, with a stack that blanks have broken into several put together again."""
    board = words[0]
    while board.text.count("(") > board.text.count(")"):
        end = next((place for place, word in enumerate(words) if place and ")" in word.text), 0)
        between = "".join(word.text for word in words[1 : end + 1]).partition(")")[0]
        if not end or not set(between) <= IN_STACK:
            break
        board = Word(findings.text[board.start : words[end].place[1]], board.start)
        words = [board, *words[end + 1 :]]
    return words


def _report_blanks(findings: Findings, words: list[Word]) -> None:
    tidy = " ".join(word.text for word in words)
    if tidy == findings.text:
        return
    ends = [0, *(word.place[1] for word in words)]
    starts = [*(word.start for word in words), len(findings.text)]
    wanted = ["", *[" "] * (len(words) - 1), ""]
    gaps = zip(ends, starts, wanted, strict=True)
    odd = [(start, end) for start, end, blank in gaps if findings.text[start:end] != blank]
    # The fix covers everything from the first odd blank to the last: what stands around it is fine.
    start, end = odd[0][0], odd[-1][1]
    mend = make_fix((start, end), tidy[start : len(tidy) - (len(findings.text) - end)], CERTAIN)
    message = "unexpected white space, expected exactly one space between fields and none around them"
    findings.add("fen.whitespace", odd[0], message, fix=mend)


def _read_words(findings: Findings, words: list[Word], rules: Rules) -> Position | None:
    six = _six_fields(findings, words)
    if six is None:
        _read_some(findings, words)
        return None
    blue = read_turn(findings, six[1])
    read_dash(findings, six[2], 3)
    read_dash(findings, six[3], 4)
    half = read_clock(findings, six[4], 5)
    full = read_clock(findings, six[5], 6)
    board = read_board(findings, six[0])
    further = words[6:]
    suffix = read_suffix(findings, further) if is_suffix(further) else None
    if further and not is_suffix(further):
        _extra_fields(findings, further)
    if findings.has_errors:
        _judge(findings, board)
        return None
    position = build_position(board.units, blue, half, full)
    if suffix is not None:
        position = open_session(findings, suffix, position, rules)
    if findings.lenient:
        for side in list_sides_without_commander(position):
            findings.add("no.commander", six[0].place, f"{side} has no commander, expected one", field=1)
    return None if findings.has_errors else position


def _read_some(findings: Findings, words: list[Word]) -> None:
    """Judge what there is of a text with too few fields, as far as it is plain which fields these are."""
    if len(words) > 1 and words[1].text != "-" and not CLOCK.fullmatch(words[1].text):
        read_turn(findings, words[1])
    if len(words) == 5 and words[2].text == words[3].text == "-":
        read_clock(findings, words[4], 5)
    if "/" in words[0].text:
        _judge(findings, read_board(findings, words[0]))


def _judge(findings: Findings, board: BoardField) -> None:
    """What can be said about a board whose text is refused: a bad field or stack hides nothing else."""
    if not board.readable or findings.tolerates_repairs:
        return
    position = build_position(board.units, 0, 0, 1)
    for finding in check_position(position, text=findings.text, mode=findings.mode):
        side = finding.message.partition(" ")[0]
        if finding.code != "commander.missing" or side not in board.broken_commanders:
            findings.add_diagnostic(finding)


def _six_fields(findings: Findings, words: list[Word]) -> list[Word] | None:
    """The six fields, missing ones filled in by lenient mode; None where there is nothing to go on with."""
    if len(words) >= 6:
        return words[:6]
    end = words[-1].place[1]
    missing = _DEFAULTS[len(words) :]
    message = f"{len(words)} field{'s' if len(words) > 1 else ''}, expected 6"
    mend = make_fix((end, end), " " + " ".join(missing), LIKELY) if "/" in words[0].text else None
    if not findings.lenient and not findings.tolerates_repairs:
        findings.add("fen.fields", (end, end), message, fix=mend)
        return None
    message = f"{message}; the missing fields are read as {' '.join(missing)}"
    findings.add("missing.fields", (end, end), message, fix=mend)
    return [*words, *(Word(value, end) for value in missing)]


def _extra_fields(findings: Findings, words: list[Word]) -> None:
    place = (words[0].start, words[-1].place[1])
    message = (
        f"{6 + len(words)} fields, expected 6, or a deploy suffix after them such as DEPLOY c3:FT 1 N>c5"
    )
    mend = make_fix((words[0].start - 1, place[1]), "", LIKELY)
    code = "extra.fields" if findings.lenient else "fen.fields"
    findings.add(code, place, message, field=7, fix=mend, repaired=True)
