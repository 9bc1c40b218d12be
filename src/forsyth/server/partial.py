"""Find out what can be shown of a text that is not a valid position, by patching its errors.

The text must be a plain text of a known game. Its errors are patched in up to `MAX_ATTEMPTS` attempts:

- In the first attempt, a fix that a diagnostic offers is applied.
- In the first attempt, a single wrong character of the board without a fix counts as an empty square.
- Otherwise the wrong piece of the text is replaced by the same piece of a valid text of the game, the
  *donor*: a part of the board (a rank or a factory, between ``/`` or ``|``), or another field. Parts and
  fields that are missing at the end are taken from the donor too.

The result is the patched position, and the cells where it differs from the text: the cells that errors name,
and the rows that came from the donor. Nothing is drawn on cells whose content came from the donor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from forsyth.diagnostics import Diagnostic, Span
from forsyth.draw.options import remove_captions
from forsyth.game import Game
from forsyth.scene import Cell, Hatch, Scene

MAX_ATTEMPTS: Final = 4
"""Maximum number of patched texts that are read. One error may hide another; most texts need two attempts."""

_FIELD: Final = re.compile(r"\S+")
_BOARD_FIELD: Final = 0
"""Index of the field that contains the board."""
_PART: Final = re.compile(r"[^/|]+")
"""Part of the board, such as a rank or a factory."""
_EMPTY_SQUARE: Final = "1"
_UNREAD_HATCHES: Final = (Hatch("error", "/"), Hatch("error", "\\"))


class PartialPosition(NamedTuple):
    """Position patched from a text with errors, and the cells where it differs from the text."""

    position: Any
    unread_cells: frozenset[str]
    """Ids of the cells, or groups of cells, that could not be read from the text."""
    donor_cells: frozenset[str]
    """Those of the unread cells whose content comes from the donor, a valid text of the game."""


class _PatchedText(NamedTuple):
    """Text after one attempt to patch its errors."""

    text: str
    donor_parts: frozenset[int]
    """Indices of the parts of the board, such as ranks, that were taken from the donor."""
    has_unnamed_part: bool
    """Whether one of those parts was taken because of an error that names no square."""


class _Edit(NamedTuple):
    """Replacement of a piece of the text with errors."""

    span: Span
    replacement: str
    part_index: int | None = None
    """Index of the part of the board that is replaced by the donor's; None for any other replacement."""


def read_partial_position(game: Game, text: str, errors: Iterable[Diagnostic]) -> PartialPosition | None:
    """Patch the errors of a text until it can be read, so that its readable part can be drawn.

    Wrong parts of the text, such as a rank, are replaced by the same parts of a valid text of the game (the
    donor).

    Args:
        game: Game of the text.
        text: Plain text that is not a valid position.
        errors: Errors of the text.

    Returns:
        The patched position with the ids of the cells that could not be read, or None if too little of the
        text can be read.
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
        return PartialPosition(
            reading.position, unread_cells=bad_squares | donor_cells, donor_cells=donor_cells
        )
    return None


def _find_bad_squares(text: str, errors: Iterable[Diagnostic]) -> frozenset[str]:
    """Return the squares, such as ``e4``, that the errors in the board of a text name.

    The board is the first field. Errors of later fields are left out: a square that they name is readable.
    """
    board = _FIELD.search(text)
    board_end = 0 if board is None else board.end()
    board_errors = [error for error in errors if error.span.start < board_end]
    return frozenset(error.square for error in board_errors if error.square is not None)


def hatch_unread_cells(scene: Scene, partial: PartialPosition) -> Scene:
    """Return a drawing with hatching on all cells that could not be read from the text.

    Pieces that do not come from the text, but from the replacement of a wrong part of it, are removed. The
    lines of text below the board (captions) are removed too.

    Args:
        scene: The drawing of the patched position.
        partial: The patched position, with the ids of the cells that could not be read.
    """
    hatched_areas = []
    for area in scene.areas:
        cells = tuple(_hatch_if_unread(cell, partial) for cell in area.cells)
        hatched_areas.append(replace(area, cells=cells))
    return remove_captions(replace(scene, areas=tuple(hatched_areas)))


def list_unread_cells(scene: Scene, partial: PartialPosition) -> list[str]:
    """Return the ids of the cells, such as ``e4``, that could not be read from the text.

    `scene` is the drawing of the patched position.
    """
    cells = [cell for area in scene.areas for cell in area.cells]
    return [cell.id for cell in cells if _is_among(cell, partial.unread_cells)]


def _hatch_if_unread(cell: Cell, partial: PartialPosition) -> Cell:
    """Return a cell unchanged if it was read from the text, otherwise hatched.

    A hatched cell is empty if its content comes from the replacement of a wrong part of the text.
    """
    if not _is_among(cell, partial.unread_cells):
        return cell
    is_from_donor = _is_among(cell, partial.donor_cells)
    tokens = () if is_from_donor else cell.tokens
    return replace(cell, tokens=tokens, hatches=_UNREAD_HATCHES)


def _is_among(cell: Cell, cell_ids: frozenset[str]) -> bool:
    """Return whether `cell_ids` contains the id of a cell or of its group.

    The cell ``wall.3`` belongs to the group ``wall``, for example.
    """
    group_id, _, _ = cell.id.partition(".")
    return cell.id in cell_ids or group_id in cell_ids


# --- the patches ----------------------------------------------------------------------------------------


def _patch_text(
    text: str, donor: str, errors: Iterable[Diagnostic], *, is_first_attempt: bool
) -> _PatchedText:
    """Return a text with each error patched, and with missing fields and ranks added.

    Args:
        text: The text with errors.
        donor: Valid text of the game, from which ranks and fields are taken.
        errors: The errors of the text.
        is_first_attempt: Whether to apply the fixes of diagnostics, and to replace a single wrong character
            of the board by an empty square. In later attempts, whole ranks and fields are replaced.
    """
    donor_fields = donor.split()
    replacements: dict[Span, str] = {}
    replaced_parts: set[int] = set()
    has_unnamed_part = False
    for error in errors:
        edits = _choose_edits(text, donor_fields, error, is_first_attempt=is_first_attempt)
        replacements.update({edit.span: edit.replacement for edit in edits})
        error_parts = {edit.part_index for edit in edits if edit.part_index is not None}
        replaced_parts |= error_parts
        if error_parts and error.square is None:
            has_unnamed_part = True

    patched_text, added_parts = _fit_field_count(_apply_replacements(text, replacements), donor_fields)
    donor_parts = frozenset(replaced_parts | added_parts)
    return _PatchedText(patched_text, donor_parts, has_unnamed_part or bool(added_parts))


def _choose_edits(
    text: str, donor_fields: Sequence[str], error: Diagnostic, *, is_first_attempt: bool
) -> list[_Edit]:
    """Return the replacements that patch one error of a text. They may be none.

    Args:
        text: The text with errors.
        donor_fields: Fields of a valid text of the game, from which ranks and fields are taken.
        error: The error.
        is_first_attempt: Whether to prefer the fix of the error, or an empty square for a single character,
            to the replacement of a whole rank or field.
    """
    if is_first_attempt and error.fix is not None:
        return [_Edit(error.fix.span, error.fix.replacement)]
    fields = [Span(*match.span()) for match in _FIELD.finditer(text)]
    field_index = _find_field_index(fields, error)
    if field_index is None or field_index >= len(donor_fields):
        return []
    if field_index != _BOARD_FIELD:
        return [_Edit(fields[field_index], donor_fields[field_index])]
    is_single_character = error.span.end - error.span.start == 1
    if is_first_attempt and is_single_character:
        return [_Edit(error.span, _EMPTY_SQUARE)]
    return _replace_bad_parts(text, fields[_BOARD_FIELD], donor_fields[_BOARD_FIELD], error.span)


def _fit_field_count(text: str, donor_fields: Sequence[str]) -> tuple[str, set[int]]:
    """Return a text with as many fields and ranks as a valid text of the game has.

    Missing fields and ranks are taken from `donor_fields`, the fields of the valid text. Surplus ones are cut
    off.

    Returns:
        The text, and the indices of the ranks that were added to the board.
    """
    fields = text.split()[: len(donor_fields)] or [""]
    board, *other_fields = fields
    fitted_board, added_parts = _fit_part_count(board, donor_fields[_BOARD_FIELD])
    missing_fields = donor_fields[len(fields) :]
    return " ".join([fitted_board, *other_fields, *missing_fields]), added_parts


def _find_field_index(fields: Sequence[Span], error: Diagnostic) -> int | None:
    """Return the index of the field in which an error begins, or None in an empty text.

    `fields` are the spans of the fields. An error between two fields belongs to the second one, and an error
    behind the last field to the last one.
    """
    for index, field in enumerate(fields):
        if error.span.start < field.end:
            return index
    return len(fields) - 1 if fields else None


def _replace_bad_parts(text: str, board: Span, donor_board: str, error: Span) -> list[_Edit]:
    """Return the replacements of all parts of the board, such as ranks, that an error covers.

    Each part is replaced by the part of `donor_board` with the same index.

    Args:
        text: The text with errors.
        board: The span of the board in `text`.
        donor_board: The board of a valid text of the game.
        error: The span of the error.
    """
    donor_parts = _PART.findall(donor_board)
    parts = [Span(*match.span()) for match in _PART.finditer(text, board.start, board.end)]
    # An error about something that is missing has an empty span.
    error_end = max(error.end, error.start + 1)
    edits = []
    # The boards may have different numbers of parts.
    for index, (part, donor_part) in enumerate(zip(parts, donor_parts, strict=False)):
        is_covered = error.start < part.end and part.start < error_end
        if is_covered:
            edits.append(_Edit(part, donor_part, part_index=index))

    # An error about the number of parts covers all of them, but none of them need be wrong.
    is_about_part_count = len(edits) > 1 and len(parts) != len(donor_parts)
    return [] if is_about_part_count else edits


def _fit_part_count(board: str, donor_board: str) -> tuple[str, set[int]]:
    """Return a board with as many parts, such as ranks, as the board of a valid text.

    Missing parts are taken from the end of `donor_board`. Surplus parts are cut off.

    Returns:
        The board, and the indices of the parts that were added.
    """
    parts = list(_PART.finditer(board))
    donor_parts = list(_PART.finditer(donor_board))
    if len(parts) == len(donor_parts):
        return board, set()

    if len(parts) > len(donor_parts):
        last_kept_part = parts[len(donor_parts) - 1]
        return board[: last_kept_part.end()], set()

    added_indices = set(range(len(parts), len(donor_parts)))
    if not parts:
        return donor_board, added_indices
    last_part = parts[-1]
    donor_counterpart = donor_parts[len(parts) - 1]
    added_text = donor_board[donor_counterpart.end() :]
    return board[: last_part.end()] + added_text, added_indices


def _apply_replacements(text: str, replacements: dict[Span, str]) -> str:
    """Return the text with each span in `replacements` replaced by its new text.

    If two spans overlap, only the one that begins later is replaced.
    """
    edited_text = text
    edited_from = len(text) + 1
    # From the end to the beginning, so that the offsets of the remaining spans stay valid.
    for span in sorted(replacements, reverse=True):
        overlaps_last_edit = span.end > edited_from
        if not overlaps_last_edit:
            edited_text = edited_text[: span.start] + replacements[span] + edited_text[span.end :]
            edited_from = span.start
    return edited_text


def _find_row_cells(scene: Scene, text: str, donor_parts: frozenset[int]) -> frozenset[str] | None:
    """Return the ids of the cells in the rows that came from another text, the donor.

    Return None if the parts of the board text are not rows: no area of the drawing has as many rows.

    Args:
        scene: The drawing of the patched position.
        text: The patched text.
        donor_parts: Indices of the parts of the board, such as ranks, that came from the donor.
    """
    if not donor_parts:
        return frozenset()
    board_text, *_other_fields = text.split()
    part_count = len(_PART.findall(board_text))
    for area in scene.areas:
        if area.rows == part_count:
            return frozenset(cell.id for cell in area.cells if cell.row in donor_parts)
    return None
