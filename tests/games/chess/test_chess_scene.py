"""Chess positions as scenes, and how they look in every form of drawing."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import pytest

from forsyth import draw
from forsyth.games.chess.drawing.pieces import GLYPHS
from forsyth.games.chess.drawing.scene import PALETTE, scene

START = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR"
SQUARES = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]


@dataclass(frozen=True)
class StandIn:
    board: str = START
    side: str = "w"
    half: int = 0
    full: int = 1
    variant: str = "standard"
    pockets: str = ""
    checks: tuple[int, int] = (3, 3)


def squares_of(svg: str) -> list[str]:
    return [e.attrib["data-square"] for e in ET.fromstring(svg).iter() if "data-square" in e.attrib]


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def test_every_square_once_in_reading_order() -> None:
    assert squares_of(draw.svg(scene(StandIn()))) == SQUARES


def test_flip_reverses_squares_labels_and_places() -> None:
    upright, flipped = scene(StandIn()).areas[0], scene(StandIn(), flip=True).areas[0]
    assert [cell.id for cell in flipped.cells] == SQUARES[::-1]
    assert flipped.column_labels == tuple("hgfedcba")
    assert flipped.row_labels == tuple("12345678")
    places = {cell.id: (cell.column, cell.row) for cell in upright.cells}
    assert all((7 - cell.column, 7 - cell.row) == places[cell.id] for cell in flipped.cells)


def test_pieces_stand_on_their_squares() -> None:
    cells = {cell.id: cell for cell in scene(StandIn()).areas[0].cells}
    assert cells["e1"].tokens[0].label == "white king"
    assert cells["d8"].tokens[0].label == "black queen"
    assert cells["g1"].tokens[0].glyph == "knight"
    assert cells["e4"].tokens == ()
    assert (cells["a1"].ground, cells["h1"].ground, cells["a8"].ground) == ("dark", "light", "light")


def test_every_piece_has_a_drawing_and_every_role_a_colour() -> None:
    tokens = {token.glyph for cell in scene(StandIn()).areas[0].cells for token in cell.tokens}
    assert tokens == set(GLYPHS)
    roles = {role for strokes in GLYPHS.values() for s in strokes for role in (s.fill, s.line)}
    assert roles - {"owner", "owner-line", "none"} <= set(PALETTE)


@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize("ground", ["light", "dark", "pocket"])
def test_pieces_stand_out_on_every_ground(page: int, ground: str) -> None:
    assert contrast(PALETTE["outline"][page], PALETTE[ground][page]) > 2.8
    assert contrast(PALETTE["black"][page], PALETTE[ground][page]) > 2.8
    assert contrast(PALETTE["white"][page], PALETTE["white-line"][page]) > 7
    assert contrast(PALETTE["black"][page], PALETTE["black-line"][page]) > 7


@pytest.mark.parametrize("ground", ["light", "dark", "pocket"])
@pytest.mark.parametrize("owner", ["white", "black"])
def test_letters_stand_out_in_a_terminal(owner: str, ground: str) -> None:
    assert contrast(PALETTE[owner].dark, PALETTE[ground].dark) > 2.4


def test_text_board() -> None:
    shown = draw.text(scene(StandIn()), unicode=False).splitlines()
    assert shown == [
        "8  r  n  b  q  k  b  n  r ",
        "7  p  p  p  p  p  p  p  p ",
        *(f"{rank}  .  .  .  .  .  .  .  . " for rank in "6543"),
        "2  P  P  P  P  P  P  P  P ",
        "1  R  N  B  Q  K  B  N  R ",
        "   a  b  c  d  e  f  g  h ",
        "",
        "White to move - move 1",
    ]


def test_captions() -> None:
    assert [c.text for c in scene(StandIn(side="b", full=12)).captions] == ["Black to move · move 12"]
    three = scene(StandIn(variant="3check", checks=(2, 1)))
    assert [c.text for c in three.captions] == ["White to move · move 1", "Checks to go: White 2, Black 1"]
    assert all(0 <= c.y < three.height for c in three.captions)
    assert len({c.y for c in three.captions}) == 2


def test_pockets_only_in_crazyhouse() -> None:
    assert len(scene(StandIn(pockets="Q")).areas) == 1
    picture = scene(StandIn(variant="crazyhouse", pockets="QNNp"))
    _, black, white = picture.areas
    held = {cell.id: cell.tokens[0].count for cell in (*black.cells, *white.cells) if cell.tokens}
    assert held == {"Q@": 1, "N@": 2, "p@": 1}
    assert black.y < white.y
    assert max(a.x + a.columns * a.scale for a in picture.areas) <= picture.width
    assert "1 white queen, 2 white knights, 1 black pawn" in picture.description
    squares = squares_of(draw.svg(picture))
    assert len(squares) == len(set(squares)) == 74


def test_pockets_change_sides_with_the_board() -> None:
    _, black, white = scene(StandIn(variant="crazyhouse"), flip=True).areas
    assert black.y > white.y


def test_marks_and_notes_reach_their_squares() -> None:
    picture = scene(
        StandIn(variant="crazyhouse", pockets="Q"),
        marks={"e4": "error", "Q@": "target", "z9": "last"},
        notes={"e4": "<no>", "Q@": "drop"},
    )
    cells = {cell.id: (cell.mark, cell.note) for area in picture.areas for cell in area.cells}
    assert cells["e4"] == ("error", "<no>")
    assert cells["Q@"] == ("target", "drop")
    assert sum(mark is not None for mark, _ in cells.values()) == 2
    root = ET.fromstring(draw.svg(picture))
    assert {
        e.attrib["data-square"]: e.attrib["data-mark"] for e in root.iter() if "data-mark" in e.attrib
    } == {
        "e4": "error",
        "Q@": "target",
    }
    assert "[.]" in draw.text(picture, unicode=False)


def test_description_names_pieces_and_squares() -> None:
    board = "....k" + "." * 51 + "R...K..R"
    words = scene(StandIn(board=board, half=7, full=30)).description
    assert words.startswith("White: king e1, rooks a1 h1. Black: king e8. White to move, move 30;")
    assert words.endswith("pawn move: 7.")


@pytest.mark.parametrize("board", ["." * 64, "Q" * 64, "." * 63 + "k"])
def test_illegal_boards_are_drawn(board: str) -> None:
    picture = scene(StandIn(board=board))
    assert squares_of(draw.svg(picture)) == SQUARES
    assert len({len(line) for line in draw.text(picture, unicode=False).splitlines()[:9]}) == 1
    if board == "." * 64:
        assert picture.description.startswith("White: no pieces. Black: no pieces.")


def test_svg_is_small() -> None:
    assert len(draw.svg(scene(StandIn()))) < 16_000


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = draw.png(scene(StandIn()), size=350)
    assert struct.unpack(">II", data[16:24]) == (350, 376)
    assert data != draw.png(scene(StandIn(), flip=True), size=350)
