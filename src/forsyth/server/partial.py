"""What could be read of a text that is no position: the rest of it is patched, and its places are named.

Accepts a plain text of a known game with errors. A fix that a finding offers is tried first; a single
character of the board that has none counts as an empty place. A part of the text (a rank, a factory, a field)
that is still wrong is taken from a text of the game that is whole, and so is what is missing at its end.

Written: the position that is found so, and the cells that are not as the text has them: those that errors
name, and the rows whose part was taken from elsewhere; these are `foreign`, and nothing is drawn on them.

Limits: so many attempts as `ATTEMPTS` says, each one reading of a text no longer than two texts of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, NamedTuple

from forsyth.diagnostics import Diagnostic, Span
from forsyth.draw.options import without_captions
from forsyth.game import Game
from forsyth.scene import Cell, Hatch, Scene

ATTEMPTS: Final = 4
"""Readings of a patched text: one fault may hide another, and most texts need two."""

_FIELD: Final = re.compile(r"\S+")
_PART: Final = re.compile(r"[^/|]+")
_EMPTY_PLACE: Final = "1"
_UNREAD: Final = (Hatch("error", "/"), Hatch("error", "\\"))


class Partial(NamedTuple):
    """A position as far as a text says it."""

    position: Any
    unread: frozenset[str]
    """Cells, or groups of them, that are not as the text has them."""
    foreign: frozenset[str]
    """Those among them on which nothing of the text stands."""


class _Patched(NamedTuple):
    text: str
    parts: frozenset[int]
    """Which parts of the first field were taken from elsewhere."""
    nameless: bool
    """Whether one of them was taken without a square that names its place."""


def read_partly(game: Game, text: str, errors: Iterable[Diagnostic]) -> Partial | None:
    """The position of what could be read, or None where too little could."""
    whole = game.names.get("empty", game.start)
    found: tuple[Diagnostic, ...] = tuple(errors)
    board = next((match.end() for match in _FIELD.finditer(text)), 0)
    # A field behind the board may name a square of it, which is as readable as the board says.
    named = frozenset(one.square for one in found if one.square is not None and one.span.start < board)
    parts: frozenset[int] = frozenset()
    nameless = False
    for attempt in range(ATTEMPTS):
        patched = _patched(text, whole, found, with_fixes=attempt == 0)
        text, parts = patched.text, parts | patched.parts
        nameless = nameless or patched.nameless
        reading = game.read(text)
        if reading.position is not None:
            rows = _rows(game.scene(reading.position), text, parts)
            if rows is None and nameless:
                return None
            foreign = named if rows is None else rows
            return Partial(reading.position, named | foreign, foreign)
        found = reading.errors
    return None


def unread_scene(scene: Scene, partial: Partial) -> Scene:
    """A scene with the cells hatched that could not be read, and without words about what was not said."""
    areas = tuple(
        replace(area, cells=tuple(_marked(cell, partial) for cell in area.cells)) for area in scene.areas
    )
    return without_captions(replace(scene, areas=areas))


def unread_cells(scene: Scene, partial: Partial) -> list[str]:
    """The cells of a scene that could not be read."""
    return [cell.id for area in scene.areas for cell in area.cells if _is_of(cell, partial.unread)]


def _marked(cell: Cell, partial: Partial) -> Cell:
    if not _is_of(cell, partial.unread):
        return cell
    tokens = () if _is_of(cell, partial.foreign) else cell.tokens
    return replace(cell, tokens=tokens, hatches=_UNREAD)


def _is_of(cell: Cell, names: frozenset[str]) -> bool:
    return cell.id in names or cell.id.partition(".")[0] in names


# --- the patches ----------------------------------------------------------------------------------------


def _patched(text: str, whole: str, errors: Iterable[Diagnostic], *, with_fixes: bool) -> _Patched:
    fields = [Span(*match.span()) for match in _FIELD.finditer(text)]
    donors = whole.split()
    edits: dict[Span, str] = {}
    taken: set[int] = set()
    nameless = False
    for error in errors:
        if with_fixes and error.fix is not None:
            edits[error.fix.span] = error.fix.replacement
            continue
        number = next(
            (at for at, field in enumerate(fields) if error.span.start < field.end), len(fields) - 1
        )
        if number < 0 or number >= len(donors):
            continue
        if number == 0 and with_fixes and error.span.end - error.span.start == 1:
            edits[error.span] = _EMPTY_PLACE
        elif number == 0:
            for at, span, replacement in _bad_parts(text, fields[0], donors[0], error.span):
                edits[span] = replacement
                taken.add(at)
                nameless = nameless or error.square is None
        else:
            edits[fields[number]] = donors[number]
    patched = _edited(text, edits).split()[: len(donors)]
    first, added = _as_long(patched[0] if patched else "", donors[0])
    whole_text = " ".join([first, *patched[1:], *donors[max(1, len(patched)) :]])
    return _Patched(whole_text, frozenset(taken | added), nameless or bool(added))


def _bad_parts(text: str, field: Span, donor: str, bad: Span) -> list[tuple[int, Span, str]]:
    """The parts of the first field that a finding covers, each with what stands there in a whole text."""
    donors = _PART.findall(donor)
    parts = [Span(*match.span()) for match in _PART.finditer(text, field.start, field.end)]
    covered = [
        (at, part, donors[at])
        for at, part in enumerate(parts[: len(donors)])
        if bad.start < part.end and part.start < max(bad.end, bad.start + 1)
    ]
    # A finding about how many parts there are says nothing about any of them.
    return [] if len(covered) > 1 and len(parts) != len(donors) else covered


def _as_long(field: str, donor: str) -> tuple[str, set[int]]:
    """A field with as many parts as another: what is missing is taken from it, what is too much left out."""
    parts, ends = list(_PART.finditer(field)), list(_PART.finditer(donor))
    if len(parts) >= len(ends):
        return field[: parts[len(ends) - 1].end()] if len(parts) > len(ends) else field, set()
    rest = donor[ends[len(parts) - 1].end() :] if parts else donor
    return (field[: parts[-1].end()] if parts else "") + rest, set(range(len(parts), len(ends)))


def _edited(text: str, edits: dict[Span, str]) -> str:
    """The text with the edits done from its end; of two that overlap, the later one."""
    begin = len(text) + 1
    for span in sorted(edits, reverse=True):
        if span.end <= begin:
            text = text[: span.start] + edits[span] + text[span.end :]
            begin = span.start
    return text


def _rows(scene: Scene, text: str, parts: frozenset[int]) -> frozenset[str] | None:
    """The cells of the rows whose parts were taken from elsewhere; None where parts are no rows."""
    if not parts:
        return frozenset()
    count = len(_PART.findall(text.split(maxsplit=1)[0]))
    area = next((area for area in scene.areas if area.rows == count), None)
    if area is None:
        return None
    return frozenset(cell.id for cell in area.cells if cell.row in parts)
