"""Reading the fields beside the board, each with everything that is wrong with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from forsyth.arguments import quoted
from forsyth.findings import CERTAIN, LIKELY, Findings, Word, fix_at
from forsyth.kit.sheet import MAX_HELD, Sheet

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame

_NUMBER: Final = re.compile("[0-9]{1,4}")
_HELD: Final = re.compile(r"([0-9]*)([A-Za-z]|[-+]+|[^0-9A-Za-z+-]|$)", re.DOTALL)
_CLOCKS: Final = {"half": ("half-move clock", 0), "full": ("move number", 1)}
_MOST_DIGITS: Final = 4


def read_side(sheet: Sheet, findings: Findings, word: Word, field: int) -> int:
    """Who moves: 0 or 1."""
    letters = [side.letter for side in sheet.sides]
    if word.text in letters:
        return letters.index(word.text)
    names = {side.name.lower(): side.letter for side in sheet.sides} | {letter: letter for letter in letters}
    meant = (names | dict(sheet.sides_meant)).get(word.text.lower())
    wanted = " or ".join(f"{side.letter} ({side.name})" for side in sheet.sides)
    findings.add(
        "side.value",
        word.place,
        f"side to move: {quoted(word.text)} is not a side, expected {wanted}",
        field=field,
        fix=None if meant is None else fix_at(word.place, meant, CERTAIN),
        mended=meant is not None,
    )
    return letters.index(meant) if meant else 0


def read_unused(sheet: Sheet, findings: Findings, word: Word, field: int) -> None:
    """A field that the game does not use."""
    if word.text != "-":
        message = f"{quoted(word.text)} in a field that {sheet.name} does not use, expected -"
        fix = fix_at(word.place, "-", LIKELY)
        findings.add("unused.value", word.place, message, field=field, fix=fix, mended=True)


def read_number(findings: Findings, word: Word, name: str, field: int) -> int:
    """A clock."""
    what, least = _CLOCKS[name]
    if _NUMBER.fullmatch(word.text) is None:
        fix = fix_at(word.place, str(least), LIKELY) if word.text == "-" else None
        message = f"{what}: {quoted(word.text)} is not a number of at most four digits"
        findings.add(f"{name}.value", word.place, message, field=field, fix=fix, mended=fix is not None)
        return least
    value = int(word.text)
    if str(value) != word.text:
        message = f"{what}: leading zeros in {word.text}, expected {value}"
        fix = fix_at(word.place, str(max(value, least)), CERTAIN)
        findings.add(f"{name}.format", word.place, message, field=field, fix=fix, mended=True)
    if value < least:
        message = f"{what}: 0, expected 1 or more; it is taken as 1"
        fix = fix_at(word.place, "1", CERTAIN)
        findings.add(f"{name}.zero", word.place, message, field=field, fix=fix, mended=True)
    return max(value, least)


def read_hands(game: GridGame, findings: Findings, word: Word, field: int) -> bytes:
    """How many men of each kind are in hand, the first side's before the second's."""
    sheet = game.sheet
    counts = [0] * (2 * len(sheet.kinds))
    if word.text == "-":
        return bytes(counts)
    before = findings.errors
    mended = False
    for found in _HELD.finditer(word.text):
        digits, letter = found.groups()
        if not found.group():
            continue
        place = word.part(*found.span(2)).place
        number = sheet.man_number.get(letter, 0)
        if (number - 1) % len(sheet.kinds) in sheet.held and number:
            counts[number - 1] += _read_count(findings, word.part(*found.span(1)), letter, field)
        elif letter and letter[0] in "+-":
            mended = True
            rest = word.text[: found.start()] + word.text[found.end() :]
            message = f"in hand: {letter!r} is not a man, expected one of {held_letters(sheet)} or - alone"
            fix = fix_at(place, "-" if not rest else "", LIKELY)
            findings.add("hand.char", place, message, field=field, fix=fix, mended=True)
        elif letter:
            message = f"in hand: {letter!r} is not a man, expected one of {held_letters(sheet)}"
            findings.add("hand.char", place, message, field=field)
        if digits and (not letter or letter[0] in "+-"):
            message = f"in hand: the count {digits[:_MOST_DIGITS]} has no man after it"
            findings.add("hand.count", word.part(*found.span(1)).place, message, field=field)
    for number, count in enumerate(counts):
        if count > MAX_HELD:
            letter = sheet.letters[number + 1]
            message = f"in hand: {count} of {letter}, expected at most {MAX_HELD}"
            findings.add("hand.count", word.place, message, field=field)
            counts[number] = 0
    canonical = game.notation.write_hands(bytes(counts))
    if findings.errors == before and not mended and canonical != word.text:
        message = f"in hand: {quoted(word.text)}, expected {canonical}"
        fix = fix_at(word.place, canonical, CERTAIN)
        findings.add("hand.format", word.place, message, field=field, fix=fix, mended=True)
    return bytes(counts)


def held_letters(sheet: Sheet) -> str:
    """The letters of all men that can be in hand."""
    capitals = "".join(sheet.kinds[kind].letter for kind in sheet.held)
    return capitals + capitals.lower()


def _read_count(findings: Findings, word: Word, letter: str, field: int) -> int:
    if not word.text:
        return 1
    value = int(word.text[:_MOST_DIGITS]) if len(word.text.lstrip("0")) <= _MOST_DIGITS else MAX_HELD + 1
    value = int(word.text) if len(word.text) <= _MOST_DIGITS else value
    if 0 < value <= MAX_HELD:
        return value
    message = f"in hand: {word.text[:_MOST_DIGITS]} of {letter}, expected 1 to {MAX_HELD}"
    findings.add("hand.count", word.place, message, field=field)
    return 0
