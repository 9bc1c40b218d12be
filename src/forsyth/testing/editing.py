"""Editing: every edit gives a position whose text says it, or is refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from forsyth import draw
from forsyth.abilities import Editable
from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.testing.positions import alike, cells_of
from forsyth.testing.promise import attempted, require, require_refusal

_EDITS: Final = 24
"""How many edits of each kind are tried on a position."""
_NONSENSE: Final = ("", " ", "x", "-7", "3", "1 1", "99999999999", "a/b", "٣", "\ud800", "é")
_NOWHERE: Final = "no such place"


def require_editing(game: Editable, position: Any) -> None:
    """Hold a game that can edit to what it promises, on one position and on what edits make of it."""
    assert isinstance(game, Game)
    _require_palette(game, position)
    _require_fields(game, position)
    chance = Random(str(position))
    for _ in range(_EDITS):
        symbols, places = cells_of(game.palette(position)), cells_of(game.scene(position))
        square, symbol = chance.choice(places), chance.choice([*symbols, None])
        what = f"putting {symbol} on {square}"
        position = _edited(game, what, game.put, position, square, symbol) or position
        source, target = chance.choice(places), chance.choice(places)
        what = f"lifting {source} to {target}"
        position = _edited(game, what, game.lift, position, source, target) or position
    for given in ((_NOWHERE, symbols[0]), ("", None), (places[0], _NOWHERE), (places[0], "")):
        require_refusal(game, "putting what does not exist", ValueError, game.put, position, *given)
    for ends in ((places[0], _NOWHERE), (_NOWHERE, places[0])):
        require_refusal(game, "lifting to or from nowhere", ValueError, game.lift, position, *ends)


def _require_palette(game: Editable, position: Any) -> None:
    assert isinstance(game, Game)
    palette = game.palette(position)
    symbols = cells_of(palette)
    require(symbols and len(set(symbols)) == len(symbols), game, "a palette is empty or has a symbol twice")
    for area in palette.areas:
        inside = area.x + area.columns * area.scale <= palette.width
        inside = inside and area.y + area.rows * area.scale <= palette.height
        require(inside, game, f"the area {quoted(area.name)} of the palette reaches out of it")
        for cell in area.cells:
            shown = [token.symbol for token in cell.tokens]
            require(shown == [cell.id], game, f"the palette shows {shown} for {quoted(cell.id)}")
    draw.svg(palette)


def _require_fields(game: Editable, position: Any) -> None:
    assert isinstance(game, Game)
    fields = game.fields(position)
    require(len({field.name for field in fields}) == len(fields), game, "two fields have one name")
    for field in fields:
        require(field.label, game, f"the field {field.name} has no label")
        own = game.with_field(position, field.name, field.value)
        require(own == position, game, f"the field {field.name} does not take its own value")
        choices = dict(field.choices)
        if field.kind == "choice":
            require(field.value in choices, game, f"the field {field.name} has a value that is no choice")
        for value in (*choices, *_NONSENSE):
            after = _edited(
                game, f"{field.name} as {quoted(value)}", game.with_field, position, field.name, value
            )
            if after is not None and field.kind == "choice":
                now = {one.name: one.value for one in game.fields(after)}[field.name]
                require(now == value, game, f"the field {field.name} was set to {value} and is {now}")
    require_refusal(game, "a field that does not exist", ValueError, game.with_field, position, _NOWHERE, "1")


def _edited(game: Game, what: str, edit: Callable[..., Any], position: Any, *given: Any) -> Any | None:
    """The position after an edit, which its text says; None where the edit is refused."""
    edited = attempted(game, what, ValueError, edit, position, *given)
    if edited is not None:
        again = game.read(str(edited)).position
        same = again is not None and alike(game, again, edited)
        require(same, game, f"{what} gives {quoted(str(edited))}, which is read as another position")
    return edited
