"""Checks of editing: an edit returns a position that its text restores, or raises `ValueError`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from forsyth import draw
from forsyth.abilities import Editable
from forsyth.arguments import quoted
from forsyth.game import Field, Game
from forsyth.testing.positions import is_same_position, list_cells
from forsyth.testing.promise import call_or_none, require, require_refusal

_EDIT_COUNT: Final = 24
"""Number of edits of each kind that are tried on a position."""
_INVALID_VALUES: Final = ("", " ", "x", "-7", "3", "1 1", "99999999999", "a/b", "٣", "\ud800", "é")
_UNKNOWN_NAME: Final = "no such place"


def require_editing(game: Editable, position: Any) -> None:
    """Check that a position can be edited: the palette, the fields, and placing and moving pieces.

    Some random edits are tried, always the same ones, and edits with unknown squares and pieces, which must
    raise `ValueError`. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    _require_palette(game, position)
    _require_fields(game, position)
    edited = _make_random_edits(game, position)
    _require_invalid_edits(game, edited)


def _make_random_edits(game: Editable, position: Any) -> Any:
    """Place and move random pieces, check each new position, and return the last one.

    Edits that the game refuses are skipped. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    random = Random(str(position))
    for _ in range(_EDIT_COUNT):
        symbols = list_cells(game.palette(position))
        squares = list_cells(game.scene(position))

        square = random.choice(squares)
        # None empties the square.
        symbol = random.choice([*symbols, None])
        description = f"placing {symbol} on {square}"
        position = _try_edit(game, description, game.put, position, square, symbol) or position

        source = random.choice(squares)
        target = random.choice(squares)
        description = f"moving the piece on {source} to {target}"
        position = _try_edit(game, description, game.lift, position, source, target) or position
    return position


def _require_invalid_edits(game: Editable, position: Any) -> None:
    """Check that edits with an unknown square or piece raise `ValueError`.

    Raise `AssertionError` if one does not.
    """
    assert isinstance(game, Game)
    symbol = list_cells(game.palette(position))[0]
    square = list_cells(game.scene(position))[0]
    invalid_placements = (
        (_UNKNOWN_NAME, symbol),
        ("", None),
        (square, _UNKNOWN_NAME),
        (square, ""),
    )
    for arguments in invalid_placements:
        description = "placing an unknown piece, or a piece on an unknown square,"
        require_refusal(game, description, ValueError, game.put, position, *arguments)
    invalid_moves = ((square, _UNKNOWN_NAME), (_UNKNOWN_NAME, square))
    for arguments in invalid_moves:
        description = "moving a piece to or from an unknown square"
        require_refusal(game, description, ValueError, game.lift, position, *arguments)


def _require_palette(game: Editable, position: Any) -> None:
    """Check the palette, the drawing of all pieces that can be placed on the board.

    Each cell must show the symbol that is its id, each symbol once, within the size of the drawing. Raise
    `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    palette = game.palette(position)
    symbols = list_cells(palette)
    require(symbols, game, "the palette is empty, expected at least one symbol")
    require(len(set(symbols)) == len(symbols), game, "the palette has a symbol twice, expected each once")
    for area in palette.areas:
        fits_width = area.x + area.columns * area.scale <= palette.width
        fits_height = area.y + area.rows * area.scale <= palette.height
        require(
            fits_width and fits_height,
            game,
            f"the area {quoted(area.name)} of the palette extends beyond its width or height",
        )
        for cell in area.cells:
            shown_symbols = [token.symbol for token in cell.tokens]
            require(
                shown_symbols == [cell.id],
                game,
                f"the cell {quoted(cell.id)} of the palette shows the symbols {shown_symbols}, "
                "expected its id",
            )
    draw.svg(palette)


def _require_fields(game: Editable, position: Any) -> None:
    """Check that the fields of a position, such as the side to move, can be set.

    Setting a field to its present value must change nothing. Other values must be accepted or raise
    `ValueError`. Raise `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    fields = game.fields(position)
    names = {field.name for field in fields}
    require(len(names) == len(fields), game, "two fields have the same name, expected different names")
    for field in fields:
        _require_field(game, position, field)
    description = "setting a field that does not exist"
    require_refusal(game, description, ValueError, game.with_field, position, _UNKNOWN_NAME, "1")


def _require_field(game: Editable, position: Any, field: Field) -> None:
    """Check one field of a position, such as the side to move (see `_require_fields`).

    A field with choices must have one of them as its value, and must have each choice after it is set. Raise
    `AssertionError` if a check fails.
    """
    assert isinstance(game, Game)
    require(field.label, game, f"the field {field.name} has no label, expected a text for people")
    unchanged = game.with_field(position, field.name, field.value)
    require(unchanged == position, game, f"setting the field {field.name} to its value changes the position")
    choices = [value for value, _ in field.choices]
    has_choices = field.kind == "choice"
    require(
        not has_choices or field.value in choices,
        game,
        f"the value of the field {field.name} is {quoted(field.value)}, expected one of its choices",
    )
    for value in (*choices, *_INVALID_VALUES):
        description = f"setting {field.name} to {quoted(value)}"
        after = _try_edit(game, description, game.with_field, position, field.name, value)
        if after is not None and has_choices:
            value_by_name = {changed.name: changed.value for changed in game.fields(after)}
            new_value = value_by_name[field.name]
            require(
                new_value == value,
                game,
                f"the field {field.name} was set to {value} and is {new_value}, expected the same value",
            )


def _try_edit(
    game: Game, description: str, edit: Callable[..., Any], position: Any, *arguments: Any
) -> Any | None:
    """Return the new position ``edit(position, *arguments)``, or None if the edit raises `ValueError`.

    Raise `AssertionError` if the edit raises another error, or if the text of the new position is read as
    another position. `description` names the edit in the message, such as ``placing P on e4``.
    """
    edited = call_or_none(game, description, ValueError, edit, position, *arguments)
    if edited is not None:
        restored = game.read(str(edited)).position
        is_restored = restored is not None and is_same_position(game, restored, edited)
        require(
            is_restored,
            game,
            f"{description} gives {quoted(str(edited))}, which is read as another position",
        )
    return edited
