"""Looks and boards: three of each at least in every game, all with contrast, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

import forsyth
from forsyth import draw
from forsyth.abilities import Boards, Looks, with_board_colours, with_look
from forsyth.registry import games
from forsyth.scene import Area, Cell, Scene, Token

LEAST = 3.0
"""The contrast that WCAG asks of graphics."""


def luminance(colour: str) -> float:
    parts = (value / 255 for value in bytes.fromhex(colour[1:]))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def roles(scene: Scene, token: Token) -> set[str]:
    """What a token is painted with."""
    found = {role for stroke in scene.glyphs[token.glyph] for role in (stroke.fill, stroke.line)}
    own = {"owner": token.owner, "owner-line": f"{token.owner}-line"}
    return {own.get(role, role) for role in found - {"none"}}


def grounds(area: Area, cell: Cell) -> set[str]:
    """What lies under a cell: of a map all of its surfaces."""
    painted = {stroke.fill for stroke in area.map} - {"none", "shore", "bridge"}
    return painted or {cell.ground}


def dressed(name: str) -> Iterator[tuple[str, str, Scene]]:
    game: Any = forsyth.game(name)
    position = game.parse(game.names.get("midgame", game.start))
    for look, board in product(game.looks, game.boards):
        yield look, board, with_board_colours(game, with_look(game, look).scene(position), board)


@pytest.mark.parametrize("name", games())
def test_there_are_three_of_each_and_all_differ(name: str) -> None:
    game = forsyth.game(name)
    assert isinstance(game, Looks) and isinstance(game, Boards)
    assert len(game.looks) >= 3 and len(game.boards) >= 3
    pictures = [draw.svg(scene) for _, _, scene in dressed(name)]
    assert len(set(pictures)) == len(pictures) == len(game.looks) * len(game.boards)


@pytest.mark.parametrize("name", games())
def test_what_is_usual_is_drawn_as_before(name: str) -> None:
    game: Any = forsyth.game(name)
    position = game.parse(game.start)
    usual = with_board_colours(game, with_look(game, game.looks[0]).scene(position), next(iter(game.boards)))
    assert draw.svg(usual) == draw.svg(game.scene(position))


@pytest.mark.parametrize("name", games())
def test_every_piece_stands_out_from_every_board(name: str) -> None:
    for look, board, scene in dressed(name):
        for area in scene.areas:
            for cell in area.cells:
                for token in cell.tokens:
                    # A tile of Azul hides its ground and is told from the board around it.
                    under = grounds(area, cell) - {token.owner}
                    for theme, ground in product((0, 1), under):
                        best = max(
                            contrast(scene.colour(role)[theme], scene.colour(ground)[theme])
                            for role in roles(scene, token)
                        )
                        assert best >= LEAST, (look, board, token.label, ground, theme, best)


@pytest.mark.parametrize("name", games())
def test_labels_can_be_read(name: str) -> None:
    scene = forsyth.game(name).scene(forsyth.game(name).parse(forsyth.game(name).start))
    for theme in (0, 1):
        assert contrast(scene.colour("text")[theme], scene.colour("page")[theme]) >= 4.5


def test_what_there_is_not_is_refused() -> None:
    game = forsyth.game("chess")
    with pytest.raises(ValueError, match="look"):
        with_look(game, "clouds")
    with pytest.raises(ValueError, match="board"):
        with_board_colours(game, game.scene(game.parse(game.start)), "clouds")
