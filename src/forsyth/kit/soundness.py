"""What a sheet must keep to be a game: told when it is made, in one sentence, not when somebody plays it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Final

from forsyth.arguments import quoted
from forsyth.kit.movement import Leap, Line, Movement
from forsyth.kit.tables import MAX_KINDS, MAX_SQUARES

if TYPE_CHECKING:
    from forsyth.kit.sheet import Sheet

_FIELDS: Final = ("board", "side", "hands", "unused", "half", "full")
_NEEDED: Final = ("board", "side", "full")
_LETTER: Final = re.compile(r"\+?[A-Z]")
_SIDE: Final = re.compile("[A-Za-z]")
_NAME: Final = re.compile("[A-Za-z0-9]+")
_GAME: Final = re.compile("[a-z][a-z0-9_-]*")


def require_sound(sheet: Sheet) -> None:
    """Raise `ValueError` for a sheet that contradicts itself."""
    for problem in _problems(sheet):
        raise ValueError(f"the sheet of {sheet.name}: {problem}")


def _problems(sheet: Sheet) -> Iterator[str]:
    if not _GAME.fullmatch(sheet.name):
        yield f"name is {quoted(sheet.name)}, expected small letters, digits, - and _, a letter first"
    yield from _of_fields(sheet)
    yield from _of_grid(sheet)
    yield from _of_kinds(sheet)
    for kind in sheet.kinds:
        for move in kind.moves:
            yield from _of_movement(kind.name, move, sheet.zones)
    yield from _of_words(sheet)
    yield from _of_look(sheet)


def _of_look(sheet: Sheet) -> Iterator[str]:
    for name, glyphs in sheet.look.glyphs.items():
        missing = [letter for letter in sheet.letters[1:] if letter not in glyphs]
        if missing:
            yield f"the look {quoted(name)} does not draw {', '.join(missing)}"


def _of_fields(sheet: Sheet) -> Iterator[str]:
    for name in sheet.fields:
        if name not in _FIELDS:
            yield f"there is no field {quoted(name)}, expected some of {', '.join(_FIELDS)}"
        elif name != "unused" and sheet.fields.count(name) > 1:
            yield f"the field {name} is there twice"
    for name in _NEEDED:
        if name not in sheet.fields:
            yield f"the field {name} is missing"
    if sheet.fields[0] != "board":
        yield f"the first field is {sheet.fields[0]}, expected board"
    if any(not 0 < count < len(sheet.fields) for count in sheet.short):
        yield f"short is {sheet.short}, expected numbers of 1 to {len(sheet.fields) - 1}"
    if sheet.repetitions < 2:
        yield f"repetitions is {sheet.repetitions}, expected 2 or more"


def _of_grid(sheet: Sheet) -> Iterator[str]:
    for what, names in (("file", [*sheet.files]), ("rank", [*sheet.ranks])):
        if not names or len({*names}) < len(names):
            yield f"there are no {what}s, or one of them twice"
        for name in names:
            if not _NAME.fullmatch(name):
                yield f"{quoted(name)} is not a name of a {what}, expected letters or digits"
    if len({*map(len, sheet.ranks)}) > 1 and any(map(str.isdigit, sheet.files)):
        yield "where files are digits, ranks need names of one length: squares in a row would be unclear"
    if len(sheet.files) * len(sheet.ranks) > MAX_SQUARES:
        yield f"the board has {len(sheet.files) * len(sheet.ranks)} squares, expected at most {MAX_SQUARES}"
    for name, zone in sheet.zones.items():
        if not {*zone.files} <= {*sheet.files} or not {*zone.ranks} <= {*sheet.ranks}:
            yield f"the zone {quoted(name)} has files or ranks that the board does not have"
    if sheet.promotion and sheet.promotion not in sheet.zones:
        yield f"there is no zone {quoted(sheet.promotion)} to promote in"


def _of_kinds(sheet: Sheet) -> Iterator[str]:
    letters = [kind.letter for kind in sheet.kinds]
    if not 0 < len(letters) <= MAX_KINDS:
        yield f"there are {len(letters)} kinds, expected 1 to {MAX_KINDS}"
    for letter in letters:
        if not _LETTER.fullmatch(letter):
            yield f"{quoted(letter)} is not a letter of a kind, expected a capital, promoted with + before it"
        if letters.count(letter) > 1:
            yield f"the letter {letter} is there twice"
    if sum(kind.royal for kind in sheet.kinds) > 1:
        yield "several kinds are royal, expected one at most"
    if any(kind.royal and kind.promotes for kind in sheet.kinds):
        yield "a royal kind promotes, which would leave its side without a king"
    if sheet.has_hands and not sheet.held:
        yield "there are hands, but no kind that can be in one"
    becomes = [kind.promotes for kind in sheet.kinds if kind.promotes]
    for letter in becomes:
        if letter not in letters:
            yield f"there is no kind {quoted(letter)} to promote to"
        if becomes.count(letter) > 1:
            yield f"several kinds promote to {letter}, expected a kind of its own for each"
    if becomes and not sheet.promotion:
        yield "a kind promotes, but no zone is named to promote in"


def _of_movement(who: str, move: Movement, zones: Collection[str]) -> Iterator[str]:
    if not (move.right or move.ahead):
        what = "line" if isinstance(move, Line) else "leap"
        yield f"a {what} of the {who} leads nowhere, expected another square than its own"
    if isinstance(move, Leap):
        for zone in (move.start, move.end):
            if zone and zone not in zones:
                yield f"the {who} moves by a zone {quoted(zone)}, which is not there"


def _of_words(sheet: Sheet) -> Iterator[str]:
    letters = [side.letter for side in sheet.sides]
    if len(letters) != 2 or not all(map(_SIDE.fullmatch, letters)) or letters[0] == letters[1]:
        yield f"the letters of the sides are {', '.join(letters)}, expected two letters"
    for meant in sheet.sides_meant.values():
        if meant not in letters:
            yield f"sides_meant: {quoted(meant)} is no letter of a side"
    for meant in sheet.letters_meant.values():
        if meant not in sheet.man_number:
            yield f"letters_meant: {quoted(meant)} is no man"
