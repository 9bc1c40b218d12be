"""Find out what can be shown of a text that is not a valid position, by patching its errors.

The text must be a plain text of a known game. Its errors are patched in up to `MAX_ATTEMPTS` attempts:

- In the first attempt, a fix that a diagnostic offers is applied.
- In the first attempt, a single wrong character of the board without a fix counts as an empty square.
- Otherwise the wrong part of the text (a rank, a factory, a field) is replaced by the same part of a
  valid text of the game, the *donor*. Parts missing at the end are taken from the donor too.

The result is the patched position, and the cells where it differs from the text: the cells that errors name,
and the rows that came from the donor. Nothing is drawn on cells whose content came from the donor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from forsyth.diagnostics import Diagnostic, Span
from forsyth.draw.options import without_captions
from forsyth.game import Game
from forsyth.scene import Cell, Hatch, Scene

MAX_ATTEMPTS: Final = 4
"""Maximum number of patched texts that are read. One error may hide another; most texts need two attempts."""

_FIELD: Final = re.compile(r"\S+")
_PART: Final = re.compile(r"[^/|]+")
_EMPTY_SQUARE: Final = "1"
_UNREAD_HATCHES: Final = (Hatch("error", "/"), Hatch("error", "\\"))


class PartialPosition(NamedTuple):
    """Position patched from a text with errors, and the cells where it differs from the text."""

    position: Any
    unread: frozenset[str]
    """Names of the cells, or groups of cells, that could not be read from the text."""
    foreign: frozenset[str]
    """Those of the unread cells whose content comes from the donor."""


class _PatchedText(NamedTuple):
    """Text after one attempt to patch its errors."""

    text: str
    donor_parts: frozenset[int]
    """Indices of the parts of the first field that were taken from the donor."""
    has_unnamed_part: bool
    """Whether one of those parts was replaced because of an error that names no square."""


class _BadPart(NamedTuple):
    """Part of the board, such as a rank, that an error covers."""

    part_index: int
    span: Span
    """Place of the part in the text."""
    donor_part: str
    """Part of the donor with the same index, which replaces it."""


def read_partial_position(game: Game, text: str, errors: Iterable[Diagnostic]) -> PartialPosition | None:
    """Patch the errors of a text until it can be read, or return None if too little of it can be read.

    Wrong parts of the text, such as a rank, are replaced by the same parts of a valid text of the game (the
    donor).

    Args:
        game: Game of the text.
        text: Plain text that is not a valid position.
        errors: Errors of the text.

    Returns:
        The patched position with the names of the cells that could not be read, or None.
    """
    donor = game.names.get("empty", game.start)
    current_errors = tuple(errors)
    bad_squares = _find_bad_squares(text, current_errors)
    donor_parts: frozenset[int] = frozenset()
    has_unnamed_part = False
    for attempt in range(MAX_ATTEMPTS):
        patched = _patch_text(text, donor, current_errors, is_first_attempt=attempt == 0)
        text = patched.text
        donor_parts |= patched.donor_parts
        has_unnamed_part = has_unnamed_part or patched.has_unnamed_part

        reading = game.read(text)
        if reading.position is None:
            current_errors = reading.errors
            continue
        donor_cells = _find_row_cells(game.scene(reading.position), text, donor_parts)
        if donor_cells is None:
            # The parts from the donor are not rows, so only squares that errors name can be marked.
            if has_unnamed_part:
                return None
            donor_cells = bad_squares
        return PartialPosition(reading.position, unread=bad_squares | donor_cells, foreign=donor_cells)
    return None


def _find_bad_squares(text: str, errors: Iterable[Diagnostic]) -> frozenset[str]:
    """Return the squares, such as ``e4``, that the errors in the board of a text name.

    The board is the first field. Errors of later fields are left out: a square that they name is readable.
    """
    board = _FIELD.search(text)
    board_end = 0 if board is None else board.end()
    return frozenset(
        error.square for error in errors if error.square is not None and error.span.start < board_end
    )


def hatch_unread_cells(scene: Scene, partial: PartialPosition) -> Scene:
    """Return the scene with all cells hatched that could not be read from the text, and without captions.

    Pieces that come from the replacement of a wrong part, and not from the text, are removed.
    """
    hatched_areas = []
    for area in scene.areas:
        cells = tuple(_hatch_if_unread(cell, partial) for cell in area.cells)
        hatched_areas.append(replace(area, cells=cells))
    return without_captions(replace(scene, areas=tuple(hatched_areas)))


def list_unread_cells(scene: Scene, partial: PartialPosition) -> list[str]:
    """Return the ids of the cells of a scene that could not be read from the text."""
    return [cell.id for area in scene.areas for cell in area.cells if _is_named(cell, partial.unread)]


def _hatch_if_unread(cell: Cell, partial: PartialPosition) -> Cell:
    """Return a cell unchanged if it was read from the text, otherwise hatched.

    A hatched cell is empty if its content comes from the replacement of a wrong part of the text.
    """
    if not _is_named(cell, partial.unread):
        return cell
    tokens = () if _is_named(cell, partial.foreign) else cell.tokens
    return replace(cell, tokens=tokens, hatches=_UNREAD_HATCHES)


def _is_named(cell: Cell, names: frozenset[str]) -> bool:
    """Return whether `names` contains the id of a cell, such as ``wall.3``, or of its group, ``wall``."""
    group, _, _ = cell.id.partition(".")
    return cell.id in names or group in names


# --- the patches ----------------------------------------------------------------------------------------


def _patch_text(
    text: str, donor: str, errors: Iterable[Diagnostic], *, is_first_attempt: bool
) -> _PatchedText:
    """Return a text with each wrong part replaced, and with the parts added that are missing at its end.

    Args:
        text: The text with errors.
        donor: Valid text of the game, from which parts (ranks or fields) are taken.
        errors: The errors of the text.
        is_first_attempt: Whether to apply the fixes of diagnostics, and to replace a single wrong character
            of the board by an empty square. In later attempts, whole parts are replaced.
    """
    fields = [Span(*match.span()) for match in _FIELD.finditer(text)]
    donor_fields = donor.split()
    edits: dict[Span, str] = {}
    replaced_parts: set[int] = set()
    has_unnamed_part = False
    for error in errors:
        if is_first_attempt and error.fix is not None:
            edits[error.fix.span] = error.fix.replacement
            continue
        field_index = _find_field(fields, error)
        if field_index is None or field_index >= len(donor_fields):
            continue
        is_in_board = field_index == 0
        is_single_character = error.span.end - error.span.start == 1
        if not is_in_board:
            edits[fields[field_index]] = donor_fields[field_index]
        elif is_first_attempt and is_single_character:
            edits[error.span] = _EMPTY_SQUARE
        else:
            for part in _find_bad_parts(text, fields[0], donor_fields[0], error.span):
                edits[part.span] = part.donor_part
                replaced_parts.add(part.part_index)
                has_unnamed_part = has_unnamed_part or error.square is None

    patched_text, added_parts = _fit_field_count(_apply_edits(text, edits), donor_fields)
    donor_parts = frozenset(replaced_parts | added_parts)
    return _PatchedText(patched_text, donor_parts, has_unnamed_part or bool(added_parts))


def _fit_field_count(text: str, donor_fields: Sequence[str]) -> tuple[str, set[int]]:
    """Return a text with as many fields as the donor, and with as many parts in its first field, the board.

    Missing fields and parts are taken from `donor_fields`, the fields of a valid text. The second result is
    the set of the indices of the parts that were added to the board.
    """
    fields = text.split()[: len(donor_fields)] or [""]
    board, added_parts = _fit_part_count(fields[0], donor_fields[0])
    missing_fields = donor_fields[len(fields) :]
    return " ".join([board, *fields[1:], *missing_fields]), added_parts


def _find_field(fields: Sequence[Span], error: Diagnostic) -> int | None:
    """Return the index of the field of a text in which an error begins, or None if there are no fields.

    `fields` are the spans of the fields. An error between two fields belongs to the second one, and an error
    behind the last field to the last one.
    """
    for index, field in enumerate(fields):
        if error.span.start < field.end:
            return index
    return len(fields) - 1 if fields else None


def _find_bad_parts(text: str, field: Span, donor_field: str, error: Span) -> list[_BadPart]:
    """Return the parts of the board, such as ranks, that an error covers.

    Args:
        text: The text with errors.
        field: The span of its first field, the board.
        donor_field: The board of a valid text of the game, the donor.
        error: The span of the error.
    """
    donor_parts = _PART.findall(donor_field)
    parts = [Span(*match.span()) for match in _PART.finditer(text, field.start, field.end)]
    # An error about something that is missing has an empty span.
    error_end = max(error.end, error.start + 1)
    bad_parts = [
        _BadPart(index, part, donor_part)
        # The number of parts may differ.
        for index, (part, donor_part) in enumerate(zip(parts, donor_parts, strict=False))
        if error.start < part.end and part.start < error_end
    ]
    # An error about the number of parts covers all of them, but none of them need be wrong.
    is_about_part_count = len(bad_parts) > 1 and len(parts) != len(donor_parts)
    return [] if is_about_part_count else bad_parts


def _fit_part_count(field: str, donor_field: str) -> tuple[str, set[int]]:
    """Return a board with as many parts, such as ranks, as the donor's, and the indices of added parts.

    Missing parts are taken from `donor_field`, the board of a valid text. Surplus parts are cut off.
    """
    parts = list(_PART.finditer(field))
    donor_parts = list(_PART.finditer(donor_field))
    if len(parts) == len(donor_parts):
        return field, set()

    if len(parts) > len(donor_parts):
        last_kept_part = parts[len(donor_parts) - 1]
        return field[: last_kept_part.end()], set()

    added_indices = set(range(len(parts), len(donor_parts)))
    if not parts:
        return donor_field, added_indices
    last_part = parts[-1]
    last_matched_part = donor_parts[len(parts) - 1]
    added_text = donor_field[last_matched_part.end() :]
    return field[: last_part.end()] + added_text, added_indices


def _apply_edits(text: str, edits: dict[Span, str]) -> str:
    """Return the text with each span in `edits` replaced by its new text.

    If two spans overlap, only the one that begins later is replaced.
    """
    # From the end to the beginning, so that the offsets of the remaining spans stay valid.
    edited_from = len(text) + 1
    for span in sorted(edits, reverse=True):
        if span.end <= edited_from:
            text = text[: span.start] + edits[span] + text[span.end :]
            edited_from = span.start
    return text


def _find_row_cells(scene: Scene, text: str, donor_parts: frozenset[int]) -> frozenset[str] | None:
    """Return the ids of the cells in the rows that came from a valid text of the game, the donor.

    Return None if the parts of the board text are not rows: no area of the scene has as many rows.

    Args:
        scene: The scene of the patched position.
        text: The patched text.
        donor_parts: Indices of the parts of its first field that came from the donor.
    """
    if not donor_parts:
        return frozenset()
    board_text, *_ = text.split()
    part_count = len(_PART.findall(board_text))
    for area in scene.areas:
        if area.rows == part_count:
            return frozenset(cell.id for cell in area.cells if cell.row in donor_parts)
    return None
