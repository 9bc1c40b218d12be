"""Editing: every edit gives a position whose text says it, or is refused with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from forsyth import draw
from forsyth.abilities import Editable
from forsyth.arguments import quoted
from forsyth.game import Game
from forsyth.testing.positions import cells_of
from forsyth.testing.promise import attempted, require, require_refusal

_EDITS: Final = 24
"""How many edits of each kind are tried on a position."""
_NONSENSE: Final = ("", "x", "-1", "999999999999", "é", "\n", "w b")
_NOWHERE: Final = "no such place"


def require_editing(game: Editable, position: Any) -> None:
    """Hold a game that can edit to what it promises, on one position."""
    assert isinstance(game, Game)
    palette = game.palette(position)
    symbols, places = cells_of(palette), cells_of(game.scene(position))
    require(symbols and len(set(symbols)) == len(symbols), game, "a palette is empty or has a symbol twice")
    draw.svg(palette)
    chance = Random(str(position))
    for _ in range(_EDITS):
        square, symbol = chance.choice(places), chance.choice([*symbols, None])
        _require_edit(game, f"putting {symbol} on {square}", game.put, position, square, symbol)
        source, target = chance.choice(places), chance.choice(places)
        _require_edit(game, f"lifting {source} to {target}", game.lift, position, source, target)
    for given in ((_NOWHERE, symbols[0]), (places[0], _NOWHERE)):
        require_refusal(game, "putting what does not exist", ValueError, game.put, position, *given)
    require_refusal(game, "lifting to nowhere", ValueError, game.lift, position, places[0], _NOWHERE)
    _require_fields(game, position)


def _require_fields(game: Editable, position: Any) -> None:
    assert isinstance(game, Game)
    for field in game.fields(position):
        own = game.with_field(position, field.name, field.value)
        require(own == position, game, f"the field {field.name} does not take its own value")
        for value, _ in field.choices:
            _require_edit(game, f"{field.name} as {value}", game.with_field, position, field.name, value)
        for value in _NONSENSE:
            _require_edit(
                game, f"{field.name} as {quoted(value)}", game.with_field, position, field.name, value
            )
    require_refusal(game, "a field that does not exist", ValueError, game.with_field, position, _NOWHERE, "1")


def _require_edit(game: Game, what: str, edit: Callable[..., Any], position: Any, *given: Any) -> None:
    edited = attempted(game, what, ValueError, edit, position, *given)
    if edited is not None:
        again = game.read(str(edited)).position
        require(
            again == edited, game, f"{what} gives {quoted(str(edited))}, which is read as another position"
        )
