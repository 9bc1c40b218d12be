"""Reading side, clocks and unused fields, each with everything that is wrong with it."""

from __future__ import annotations

import re
from typing import Final

from forsyth.arguments import quoted
from forsyth.findings import CERTAIN, LIKELY, Findings, Word, make_fix
from forsyth.kit.sheet import Sheet

_NUMBER: Final = re.compile("[0-9]{1,4}")
_CLOCKS: Final = {"half": ("half-move clock", 0), "full": ("move number", 1)}


def read_side(sheet: Sheet, findings: Findings, word: Word, field: int) -> int:
    """Who moves: 0 or 1."""
    letters = [side.letter for side in sheet.sides]
    if word.text in letters:
        return letters.index(word.text)
    names = {side.name.lower(): side.letter for side in sheet.sides} | {letter: letter for letter in letters}
    meant = (names | dict(sheet.side_aliases)).get(word.text.lower())
    wanted = " or ".join(f"{side.letter} ({side.name})" for side in sheet.sides)
    findings.add(
        "side.value",
        word.place,
        f"side to move: {quoted(word.text)} is not a side, expected {wanted}",
        field=field,
        fix=None if meant is None else make_fix(word.place, meant, CERTAIN),
        repaired=meant is not None,
    )
    return letters.index(meant) if meant else 0


def read_unused(sheet: Sheet, findings: Findings, word: Word, field: int) -> None:
    """A field that the game does not use."""
    if word.text != "-":
        message = f"{quoted(word.text)} in a field that {sheet.name} does not use, expected -"
        fix = make_fix(word.place, "-", LIKELY)
        findings.add("unused.value", word.place, message, field=field, fix=fix, repaired=True)


def read_number(findings: Findings, word: Word, name: str, field: int) -> int:
    """A clock."""
    what, least = _CLOCKS[name]
    if _NUMBER.fullmatch(word.text) is None:
        fix = make_fix(word.place, str(least), LIKELY) if word.text == "-" else None
        message = f"{what}: {quoted(word.text)} is not a number of at most four digits"
        findings.add(f"{name}.value", word.place, message, field=field, fix=fix, repaired=fix is not None)
        return least
    value = int(word.text)
    if str(value) != word.text:
        message = f"{what}: leading zeros in {word.text}, expected {value}"
        fix = make_fix(word.place, str(max(value, least)), CERTAIN)
        findings.add(f"{name}.format", word.place, message, field=field, fix=fix, repaired=True)
    if value < least:
        message = f"{what}: 0, expected 1 or more; it is read as 1"
        fix = make_fix(word.place, "1", CERTAIN)
        findings.add(f"{name}.zero", word.place, message, field=field, fix=fix, repaired=True)
    return max(value, least)
