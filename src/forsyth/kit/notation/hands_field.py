"""Reading the field of the men in hand, with everything that is wrong with it.

Accepted with a warning: men in another order, a man twice, a written 1, leading zeros. Lenient mode also
drops ``+`` and ``-``. Limits: `MAX_IN_HAND` men of a kind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forsyth.arguments import quoted
from forsyth.findings import CERTAIN, LIKELY, Findings, Word, make_fix
from forsyth.kit.sheet import MAX_IN_HAND, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame

_HELD: Final = re.compile(r"([0-9]*)([A-Za-z]|[-+]+|[^0-9A-Za-z+-]|$)", re.DOTALL)
"""A count, and what follows it."""
_SIGNS: Final = ("+", "-")
_MOST_DIGITS: Final = 3
"""Digits of a count that are looked at: one more than those of `MAX_IN_HAND`."""


def read_hands(game: GridGame, findings: Findings, word: Word, field: int) -> bytes:
    """How many men of each kind are in hand, the first side's before the second's."""
    sheet = game.sheet
    counts = [0] * (2 * len(sheet.kinds))
    if word.text == "-":
        return bytes(counts)
    before = len(findings.diagnostics)
    for found in _HELD.finditer(word.text):
        if not found.group():
            continue
        count, man = word.slice(*found.span(1)), word.slice(*found.span(2))
        number = sheet.piece_number.get(man.text, 0)
        if number and (number - 1) % len(sheet.kinds) in sheet.hand_kinds:
            counts[number - 1] += _read_count(findings, count, man.text, field)
            continue
        if man.text:
            _not_held(sheet, findings, word, man, field)
        if count.text and (not man.text or man.text.startswith(_SIGNS)):
            message = f"in hand: the count {quoted(count.text)} has no piece after it"
            findings.add("hand.count", count.place, message, field=field)
    for number, total in enumerate(counts):
        if total > MAX_IN_HAND:
            message = f"in hand: {total} of {sheet.letters[number + 1]}, expected at most {MAX_IN_HAND}"
            findings.add("hand.count", word.place, message, field=field)
            counts[number] = 0
    canonical = game.notation.write_hands(bytes(counts))
    if len(findings.diagnostics) == before and canonical != word.text:
        message = f"in hand: {quoted(word.text)}, expected {canonical}"
        fix = make_fix(word.place, canonical, CERTAIN)
        findings.add("hand.format", word.place, message, field=field, fix=fix, repaired=True)
    return bytes(counts)


def _not_held(sheet: Sheet, findings: Findings, word: Word, man: Word, field: int) -> None:
    """What is no man that can be in hand; signs are dropped, and a field without a man is ``-``."""
    capitals = "".join(sheet.kinds[kind].letter for kind in sheet.hand_kinds)
    sign = man.text.startswith(_SIGNS)
    expected = f"expected one of {capitals}{capitals.lower()}{' or - alone' * sign}"
    fix = make_fix(man.place, "-" if man.text == word.text else "", LIKELY) if sign else None
    message = f"in hand: {man.text!r} is not a piece, {expected}"
    findings.add("hand.char", man.place, message, field=field, fix=fix, repaired=sign)


def _read_count(findings: Findings, word: Word, letter: str, field: int) -> int:
    digits = word.text.lstrip("0")[:_MOST_DIGITS]
    value = int(digits or 0) if word.text else 1
    if 0 < value <= MAX_IN_HAND:
        return value
    message = f"in hand: {quoted(word.text)} of {letter}, expected 1 to {MAX_IN_HAND}"
    findings.add("hand.count", word.place, message, field=field)
    return 0
