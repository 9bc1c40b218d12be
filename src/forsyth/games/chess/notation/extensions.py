"""What variants add to the fields of a FEN: Chess960 castling letters, pockets, promoted marks, checks.

Accepted (spec/chess 8 and 10): X-FEN and Shredder-FEN letters, mixed and in any order; a pocket in brackets,
behind a slash, or none; ``~`` behind a promoted piece; checks remaining (``3+3`` before the clocks) or given
(``+0+0`` behind them). Limits: 64 pieces in a pocket text.
"""

from __future__ import annotations

from forsyth.arguments import quoted
from forsyth.diagnostics import Confidence
from forsyth.findings import BROKEN, Findings, Word, make_fix
from forsyth.games.chess.board import FILES
from forsyth.games.chess.position import LETTERS, MAX_POCKET


def read_castling_960(findings: Findings, field: Word, planes: list[int]) -> int:
    """X-FEN and Shredder-FEN letters, mixed and in any order (spec/chess 8)."""
    rights = 0
    seen: list[str] = []
    for index, ch in enumerate(field.text):
        if ch == "-" or ch == BROKEN:
            continue
        if ch.upper() not in "KQABCDEFGH":
            message = (
                f"castling: {quoted(ch)} is not a castling letter, expected K, Q, k, q or the file of a rook"
            )
            findings.add("castling.char", field.char_place(index), message, field=3)
            continue
        seen.append(ch)
        rights |= 1 << _rook_960(ch, planes)
    if len(field.text) > 4:
        message = f"castling: {len(field.text)} characters, expected at most 4"
        findings.add("castling.length", field.place, message, field=3, repaired=True)
    elif len(seen) < len(field.text.replace(BROKEN, "")):
        message = "castling: a dash among the letters, expected letters only"
        findings.add("castling.dash_mixed", field.place, message, field=3, repaired=True)
    elif len(set(seen)) < len(seen):
        message = "castling: a letter occurs twice, expected each at most once"
        findings.add("castling.duplicate", field.place, message, field=3, repaired=True)
    return rights


def _rook_960(letter: str, planes: list[int]) -> int:
    """The square of the rook a castling letter names; a corner if K or Q finds none."""
    black = letter.islower()
    corner = 56 if black else 0
    if letter.upper() in "ABCDEFGH":
        return corner + FILES.index(letter.lower())
    kings = planes[11 if black else 5] >> corner & 255
    king = kings.bit_length() - 1 if kings else 4
    rooks = planes[9 if black else 3] >> corner & 255
    if letter.upper() == "K":
        right = rooks >> king + 1 << king + 1
        return corner + (right.bit_length() - 1 if right else 7)
    left = rooks & (1 << king) - 1
    return corner + ((left & -left).bit_length() - 1 if left else 0)


def split_pocket(findings: Findings, field: Word) -> tuple[str, Word]:
    """Crazyhouse: the text of the ranks alone, and the pocket, in brackets or as a ninth rank."""
    opened = field.text.find("[")
    if opened >= 0:
        closed = field.text.endswith("]")
        inner = field.text[opened + 1 : len(field.text) - closed]
        pocket = Word("" if inner == "-" else inner, field.start + opened + 1)
        if not closed:
            findings.add(
                "pocket.size",
                (field.start + opened, field.place[1]),
                "the pocket is not closed, expected ] at its end",
                field=1,
                fix=make_fix((field.place[1], field.place[1]), "]", Confidence.LIKELY),
            )
        return field.text[:opened], pocket
    if field.text.count("/") >= 8:
        cut = _nth_slash(field.text, 8)
        pocket = Word(field.text[cut + 1 :], field.start + cut + 1)
        place, text = (field.start + cut, field.place[1]), field.text[:cut]
        message = "the pocket follows a slash, expected it in brackets"
        replacement = f"[{field.text[cut + 1 :]}]"
    else:
        pocket = Word("", field.place[1])
        place, text = (field.place[1], field.place[1]), field.text
        message = "there is no pocket, expected [] at the end of the board"
        replacement = "[]"
    findings.add(
        "pocket.form",
        place,
        message,
        field=1,
        fix=make_fix(place, replacement, Confidence.CERTAIN),
        repaired=True,
    )
    return text, pocket


def _nth_slash(text: str, n: int) -> int:
    at = -1
    for _ in range(n):
        at = text.index("/", at + 1)
    return at


def read_pocket(findings: Findings, pocket: Word) -> tuple[int, int]:
    """White's and Black's pieces in hand, one byte for each kind, pawns lowest."""
    counts = [0, 0]
    if len(pocket.text) > MAX_POCKET:
        findings.add(
            "pocket.size",
            pocket.place,
            f"the pocket holds {len(pocket.text)} pieces, expected at most {MAX_POCKET}",
            field=1,
        )
        return 0, 0
    for index, ch in enumerate(pocket.text):
        number = LETTERS.find(ch)
        if number < 0 or number % 6 == 5:
            if ch != BROKEN:
                message = f"pocket: {quoted(ch)} cannot be held, expected one of PNBRQpnbrq"
                findings.add("pocket.char", pocket.char_place(index), message, field=1)
            continue
        counts[number // 6] += 1 << 8 * (number % 6)
    return counts[0], counts[1]


def misplaced_mark(findings: Findings, field: Word, index: int, rank: int) -> None:
    """Crazyhouse: a ``~`` that does not stand behind a piece that can be promoted to."""
    findings.add(
        "board.tilde",
        field.char_place(index),
        f"rank {rank + 1}: '~' marks a promoted piece, expected it after N, B, R or Q",
        field=1,
        fix=make_fix(field.char_place(index), "", Confidence.LIKELY),
    )


def read_checks(findings: Findings, field: Word) -> int:
    """Three-check: the checks still to give, White's plus sixteen times Black's."""
    text = field.text
    given = text.startswith("+")
    white, _, black = text.removeprefix("+").partition("+")
    if white in ("0", "1", "2", "3") and black in ("0", "1", "2", "3"):
        counts = (int(white), int(black))
        if not given:
            return counts[0] + 16 * counts[1]
        findings.add(
            "checks.form",
            field.place,
            f"checks given {quoted(text)}, expected the remaining ones before the clocks",
            field=5,
            repaired=True,
        )
        return 3 - counts[0] + 16 * (3 - counts[1])
    if BROKEN not in text:
        findings.add(
            "checks.value",
            field.place,
            f"checks: {quoted(text)} is not a count, expected remaining checks such as 3+3",
            field=5,
        )
    return 3 + 16 * 3
