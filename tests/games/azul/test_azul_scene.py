"""Azul positions as scenes, and how they look in every form of drawing."""

from __future__ import annotations

import re
import struct
import unicodedata
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from forsyth import draw
from forsyth.games.azul.drawing.pieces import GLYPHS, PALETTE, make_print_name
from forsyth.games.azul.drawing.scene import scene
from forsyth.games.azul.position import Position, build_board, build_position
from forsyth.games.azul.tiles import COLOUR_NAMES, PRINTED
from forsyth.scene import Area, Cell, Mark, Scene

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
BARE = "-----|-----|-----|-----|-----/-|--|---|----|-----/-"

START = f"BYRK|WBYR|KWBY|RKWB|YRKW/-/{BARE}/{BARE}/0,0/1/0"
MIDGAME = (
    "----|----|----|----|BBRW/BBYYYY/-YR--|--Y-K|-W---|----Y|--K--/-----|-----|-----|WWWW-|BBBBB/-"
    "/-Y-K-|W---K|-WB--|-----|-R---/B----|RR---|RR---|B----|-----/-/8,7/3/0"
)
ENDGAME = (
    "----|----|----|----|BYYR/RW/-YR-W|-BY-K|-WB-R|--W-Y|--KWB/-----|-----|-----|KKK--|RRR--/-"
    "/BYRK-|W-YRK|KWB-R|-----|YR---/W----|BB---|YYY--|BB---|KK---/-/33,31/5/0"
)
COMPLETE = f"v2/2/o/BYRK|WBYR|KWBY|RKWB|YRKW/F/{BARE}/{BARE}/0,0/1/0/0/16,16,16,16,16/0,0,0,0,0"
HELD = (
    "v2/2/o/----|----|----|----|RRKW/K/-----|-----|-----|-----|-----/-|W-|---|----|-----/BBBBBBB+F"
    "/-----|-----|-----|-----|-----/-|--|---|----|-----/YYYYRR/0,0/1/1/0/12,16,16,18,18/1,0,0,0,0"
)
THREE = (
    "v2/3/o/BRWW|----|----|----|----|BBYK|----/BBBYYRKKWW"
    "/-----|---R-|--B--|--W--|-----/-|W-|---|----|R----/RR"
    "/-Y---|-----|-----|-----|-----/K|R-|---|KKKK|YY---/F"
    "/-Y---|-----|-----|-----|-----/-|--|Y--|Y---|R----/KWW/2,0,0/2/0/2/8,8,11,9,8/5,3,1,2,4"
)
FOUR = f"v2/4/o/{'|'.join(['BYRK'] * 9)}/F/{BARE}/{BARE}/{BARE}/{BARE}/0,0,0,0/1/3/3/11,11,11,11,20/0,0,0,0,0"
DONE = f"v2/2/d/----|----|----|----|----/-/{BARE}/{BARE}/1,0/1/1/1/20,20,20,20,20/0,0,0,0,0"
ILLEGAL = (
    f"v2/2/o/BYRK|WBYR|KWBY|RKWB|YRKW/{'BYRKW' * 180}F"
    f"/KKKKK|-----|R----|-----|-----/BBBBB|YRK|WWWW|----|BYRKW/{'BYRKW' * 6}+F"
    "/WWWWW|WWWWW|WWWWW|WWWWW|WWWWW/-|--|---|----|-----/FFB/-9999,1234/9999/0/0/160,16,16,16,16/0,0,0,0,999"
)
ALL = [START, MIDGAME, ENDGAME, COMPLETE, HELD, THREE, FOUR, DONE, ILLEGAL]


def position(text: str) -> Position:
    """The position of a text that is well-formed, sound or not."""
    fields = text.split("/")
    complete = fields[0] == "v2"
    players, phase = (int(fields[1]), fields[2]) if complete else (2, "o")
    factories, center, *rest = fields[3:] if complete else fields
    scores, number, current, *more = rest[3 * players :]
    boards = [
        build_board(
            tuple(wall.split("|")),
            tuple(line.rstrip("-") for line in lines.split("|")),
            floor.removesuffix("+F").strip("-"),
            floor.endswith("+F"),
            int(score),
        )
        for wall, lines, floor, score in zip(
            rest[0::3], rest[1::3], rest[2::3], scores.split(","), strict=False
        )
    ]
    start, bag, discard = more or (current, "0,0,0,0,0", "0,0,0,0,0")
    return build_position(
        tuple(tiles.rstrip("-") for tiles in factories.split("|")),
        center.replace("F", "").strip("-"),
        "F" in center or not complete,
        tuple(boards),
        phase,
        int(number),
        int(current),
        int(start),
        tuple(map(int, bag.split(","))),
        tuple(map(int, discard.split(","))),
        complete,
    )


def cells_of(picture: Scene) -> dict[str, Cell]:
    return {cell.id: cell for area in picture.areas for cell in area.cells}


def area_of(picture: Scene, name: str) -> Area:
    return next(area for area in picture.areas if area.name == name)


def letters(picture: Scene, *names: str) -> str:
    cells = cells_of(picture)
    return "".join("".join(token.symbol for token in cells[name].tokens) or "." for name in names)


def headings(picture: Scene, player: int) -> list[str]:
    return [caption.text for caption in area_of(picture, f"p{player}").captions]


def columns(line: str) -> int:
    bare = ANSI.sub("", line)
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in bare)


def luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


# --- places ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("flip", [False, True])
def test_every_place_once_and_within_the_picture(text: str, flip: bool) -> None:
    picture = scene(position(text), flip=flip)
    names = [cell.id for area in picture.areas for cell in area.cells]
    assert len(names) == len(set(names))
    for area in picture.areas:
        assert area.x - area.margin * area.scale >= -0.4
        assert area.x + (area.columns + area.margin) * area.scale <= picture.width + 0.7
        assert area.y + (area.rows + 0.5) * area.scale <= picture.height
        spots = [(cell.column, cell.row) for cell in area.cells]
        assert len(spots) == len(set(spots))
        assert all(0 <= column < area.columns and -1 <= row < area.rows for column, row in spots)
    assert all(0 < caption.y < picture.height for caption in picture.captions)


def test_places_of_two_players() -> None:
    names = set(cells_of(scene(position(MIDGAME))))
    expected = {"c", *(f"c.{i}" for i in range(1, 7))}
    for factory in range(5):
        expected |= {f"f{factory}", *(f"f{factory}.{i}" for i in range(1, 4))}
    for player in range(2):
        expected |= {f"p{player}w{row}{column}" for row in range(5) for column in range(5)}
        expected |= {f"p{player}l{line}" for line in range(5)}
        expected |= {f"p{player}l{line}.{i}" for line in range(5) for i in range(1, line + 1)}
        expected |= {f"p{player}f", *(f"p{player}f.{i}" for i in range(1, 7)), f"p{player}s"}
    assert names == expected


def test_tiles_lie_at_their_places() -> None:
    picture = scene(position(MIDGAME))
    assert letters(picture, "f4", "f4.1", "f4.2", "f4.3") == "BBRW"
    assert letters(picture, "f0", "f0.1") == ".."
    assert letters(picture, "c", "c.1", "c.2", "c.3", "c.6") == "fBBYY"
    assert letters(picture, "p1l2", "p1l2.1", "p1l2.2") == "RR."
    assert letters(picture, *(f"p0w1{column}" for column in range(5))) == "..Y.K"


def test_pattern_lines_fill_from_the_right() -> None:
    cells = cells_of(scene(position(MIDGAME)))
    for line in range(5):
        names = [f"p1l{line}", *(f"p1l{line}.{i}" for i in range(1, line + 1))]
        assert [cells[name].column for name in names] == list(range(4, 3 - line, -1))
        assert {cells[name].row for name in names} == {line}


def test_empty_wall_cells_show_their_colour() -> None:
    cells = cells_of(scene(position(MIDGAME)))
    for row, colours in enumerate(PRINTED):
        for column, colour in enumerate(colours):
            cell = cells[f"p0w{row}{column}"]
            if cell.tokens:
                assert (cell.tokens[0].symbol, cell.ground, cell.print) == (colour, COLOUR_NAMES[colour], "")
            else:
                printed = make_print_name(COLOUR_NAMES[colour])
                assert (cell.blank, cell.ground, cell.print) == (colour.lower(), printed, printed)


def test_center_is_sorted_behind_the_marker() -> None:
    text = COMPLETE.replace("/F/", "/WKBWF/", 1)
    assert letters(scene(position(text)), "c", "c.1", "c.2", "c.3", "c.4") == "FBKWW"


@pytest.mark.parametrize(("text", "places"), [(COMPLETE, 16), (THREE, 22), (FOUR, 28)])
def test_center_has_room_for_every_game(text: str, places: int) -> None:
    tray = area_of(scene(position(text)), "c")
    assert tray.columns * tray.rows == places


def test_empty_center_can_be_pointed_at() -> None:
    assert cells_of(scene(position(DONE), marks={"c": "error"}))["c"].mark == "error"


def test_marker_in_the_center_on_a_floor_and_held() -> None:
    assert letters(scene(position(COMPLETE)), "c") == "F"
    assert letters(scene(position(THREE)), "c", "p1f", "p1f.1") == "BF."
    held = scene(position(HELD))
    assert letters(held, "p0f.6", "p0f.7") == "BF"
    assert "p1f.7" not in cells_of(held)


def test_marker_is_assumed_only_where_nobody_says_or_knows_it() -> None:
    assert letters(scene(position(START)), "c") == "F"
    midgame = scene(position(MIDGAME))
    assert letters(midgame, "c") == "f"
    assert "first-player marker (assumed)" in midgame.description
    assert "assumed" not in scene(position(COMPLETE)).description


# --- boards and captions --------------------------------------------------------------------------


def test_boards_beside_each_other_and_below() -> None:
    picture = scene(position(FOUR))
    first, second, third, fourth = (area_of(picture, f"p{player}") for player in range(4))
    assert first.y == second.y < third.y == fourth.y
    assert first.x == third.x < second.x == fourth.x
    assert max(area.y for area in picture.areas if area.name[0] in "fc") < first.y


def test_flip_puts_another_board_first() -> None:
    assert [a.name for a in scene(position(START), flip=True).areas][-2:] == ["p1", "p0"]
    flipped = scene(position(THREE), flip=True)
    assert [a.name for a in flipped.areas][-3:] == ["p1", "p2", "p0"]
    assert area_of(flipped, "p1").x < area_of(flipped, "p2").x


def test_two_players_have_a_wide_picture() -> None:
    for text in (START, MIDGAME, HELD):
        picture = scene(position(text))
        assert 4 / 3 < picture.width / picture.height < 1.6


def test_headings() -> None:
    picture = scene(position(THREE))
    assert headings(picture, 0) == ["Player 1 · to move", "Score 2"]
    assert headings(picture, 1) == ["Player 2", "Score 0", "begins next round"]
    assert headings(scene(position(DONE)), 1)[-1] == "begins next round"
    assert all("move" not in words for words in headings(scene(position(DONE)), 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MIDGAME, ["Round 3 · factory offer, player 1 to move"]),
        (
            HELD,
            [
                "Round 1 · factory offer, player 2 to move",
                "Bag 80: B12 Y16 R16 K18 W18 · Discard 1: B1 Y0 R0 K0 W0",
            ],
        ),
        (
            DONE,
            [
                "Round 1 · walls tiled, next round to be dealt",
                "Bag 100: B20 Y20 R20 K20 W20 · Discard empty",
            ],
        ),
        (DONE.replace("/d/", "/e/"), ["Round 1 · game over", "Bag 100: B20 Y20 R20 K20 W20 · Discard empty"]),
    ],
)
def test_captions(text: str, words: list[str]) -> None:
    assert [caption.text for caption in scene(position(text)).captions] == words


def test_phases_in_words() -> None:
    tiling = scene(position(DONE.replace("/d/", "/t/"))).captions[0].text
    assert tiling == "Round 1 · factory offer over, walls to be tiled"
    full = position(DONE.replace("-----|", "BYRKW|", 1))
    assert scene(full).captions[0].text.endswith("a row is complete, bonuses to be added")


def test_who_begins_after_a_round_in_which_nobody_took_the_marker() -> None:
    tiling = DONE.replace("/d/", "/t/").replace("/-/", "/F/", 1)
    assert headings(scene(position(tiling)), 1)[-1] == "begins next round"


def test_description() -> None:
    picture = scene(position(THREE))
    assert picture.title == "Azul position, round 2, factory offer, player 1 to move"
    words = picture.description
    assert words.startswith(
        "Round 2, factory offer, player 1 to move. Factory 1: 1 blue, 1 red, 2 white;"
        " factory 6: 2 blue, 1 yellow, 1 black; the others are empty."
        " Centre: 3 blue, 2 yellow, 1 red, 2 black, 2 white."
        " Player 1: score 2; wall: row 2 red, row 3 blue, row 4 white;"
        " pattern lines: line 2 with 1 white of 2, line 5 with 1 red of 5; floor: 2 red."
    )
    assert "floor: first-player marker. Player 3:" in words
    assert words.endswith(
        "Player 2 begins the next round. Bag: 8 blue, 8 yellow, 11 red, 9 black, 8 white."
        " Discard: 5 blue, 3 yellow, 1 red, 2 black, 4 white."
    )
    assert "first-player marker held beside it" in scene(position(HELD)).description
    assert "All factories are empty. Centre: empty." in scene(position(DONE)).description


# --- marks and notes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("f2", ["f2", "f2.1", "f2.2", "f2.3"]),
        ("f2.1", ["f2.1"]),
        ("c", ["c", "c.1", "c.2", "c.3", "c.4", "c.5", "c.6"]),
        ("p0l3", ["p0l3", "p0l3.1", "p0l3.2", "p0l3.3"]),
        ("p1f", ["p1f", "p1f.1", "p1f.2", "p1f.3", "p1f.4", "p1f.5", "p1f.6"]),
        ("p1w04", ["p1w04"]),
        ("p0s", ["p0s"]),
        ("e4", []),
        ("p7l9.3", []),
    ],
)
def test_a_mark_covers_its_place(name: str, cells: list[str]) -> None:
    picture = scene(position(MIDGAME), marks={name: "error"})
    root = ET.fromstring(draw.svg(picture))
    marked = [e.attrib["data-square"] for e in root.iter() if "data-mark" in e.attrib]
    assert sorted(marked) == cells


def test_a_cell_may_be_marked_otherwise_than_its_place() -> None:
    marks: dict[str, Mark] = {"f2": "target", "f2.3": "error"}
    cells = cells_of(scene(position(START), marks=marks))
    assert [cells[name].mark for name in ("f2", "f2.2", "f2.3")] == ["target", "target", "error"]


def test_notes_are_said_once() -> None:
    picture = scene(position(START), notes={"f2": "<no>", "p1s": "too much", "x": "nowhere"})
    assert draw.text(picture).splitlines()[-2:] == ["f2: <no>", "p1s: too much"]


def test_marked_score_is_written_in_the_colour_of_the_mark() -> None:
    picture = scene(position(START), marks={"p1s": "error"})
    assert [caption.role for caption in area_of(picture, "p1").captions] == ["text", "error"]


# --- drawings -------------------------------------------------------------------------------------


def test_every_role_has_a_colour_and_every_print_a_drawing() -> None:
    roles = {role for strokes in GLYPHS.values() for s in strokes for role in (s.fill, s.line)}
    for text in (START, HELD):
        picture = scene(position(text))
        cells = cells_of(picture).values()
        roles |= {role for area in picture.areas for s in area.map for role in (s.fill, s.line)}
        roles |= {cell.ground for cell in cells}
        assert {cell.print for cell in cells if cell.print} <= set(GLYPHS)
        assert {token.glyph for cell in cells for token in cell.tokens} <= set(GLYPHS)
    roles |= {f"{name}{kind}" for name in (*COLOUR_NAMES.values(), "marker") for kind in ("", "-line")}
    assert roles - {"owner", "owner-line", "none"} <= set(PALETTE)


def test_tiles_differ_without_colours() -> None:
    ornaments = [tuple(s.path for s in GLYPHS[name]) for name in COLOUR_NAMES.values()]
    assert len(set(ornaments)) == 5


@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize("name", COLOUR_NAMES.values())
def test_ornaments_stand_out_on_tiles_and_tiles_on_boards(name: str, page: int) -> None:
    assert contrast(PALETTE[name][page], PALETTE[f"{name}-line"][page]) > 4
    ground = PALETTE["board"][page]
    assert max(contrast(PALETTE[f"{name}{part}"][page], ground) for part in ("", "-edge", "-line")) > 3


@pytest.mark.parametrize("page", [0, 1])
def test_tiles_cannot_be_taken_for_what_is_printed(page: int) -> None:
    for name in COLOUR_NAMES.values():
        tile, ornament, edge = (PALETTE[f"{name}{part}"][page] for part in ("", "-line", "-edge"))
        printed, ink = (PALETTE[f"{make_print_name(name)}{part}"][page] for part in ("", "-line"))
        assert contrast(tile, ornament) > 1.6 * contrast(printed, ink), name
        assert contrast(edge, tile) > contrast(printed, ink) or contrast(tile, printed) > 2, name
    printed_inks = [PALETTE[f"{make_print_name(name)}-line"][page] for name in COLOUR_NAMES.values()]
    assert all(a != b for a, b in combinations(printed_inks, 2))


@pytest.mark.parametrize("text", ALL)
def test_svg_shows_every_place(text: str) -> None:
    picture = scene(position(text), marks={"c": "warning"})
    root = ET.fromstring(draw.svg(picture))
    shown = [e.attrib["data-square"] for e in root.iter() if "data-square" in e.attrib]
    assert sorted(shown) == sorted(cells_of(picture))
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert {e.attrib["href"][1:] for e in root.iter() if "href" in e.attrib} <= ids


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("unicode", [False, True])
def test_text_fits_a_terminal(text: str, colour: bool, unicode: bool) -> None:
    shown = draw.text(scene(position(text)), colour=colour, unicode=unicode)
    assert max(map(columns, shown.splitlines())) <= 100
    assert unicode or ANSI.sub("", shown).isascii()


def test_text_board() -> None:
    shown = draw.text(scene(position(MIDGAME)), unicode=False).splitlines()
    assert [line.rstrip() for line in shown] == [
        "1        2        3        4        5",
        " .  .     .  .     .  .     .  .     B  B",
        " .  .     .  .     .  .     .  .     R  W",
        "",
        "Centre",
        " f  B  B  Y  Y  Y  Y",
        "",
        "Player 1 - to move   Score 8",
        "    1                   .       b   Y   R   k   w",
        "    2               .   .       w   b   Y   r   K",
        "    3           .   .   .       k   W   b   y   r",
        "    4       W   W   W   W       r   k   w   b   Y",
        "    5   B   B   B   B   B       y   r   K   w   b",
        "",
        "Floor   .   .   .   .   .   .   .",
        "       -1  -1  -2  -2  -2  -3  -3",
        "",
        "Player 2   Score 7",
        "    1                   B       b   Y   r   K   w",
        "    2               R   R       W   b   y   r   K",
        "    3           .   R   R       k   W   B   y   r",
        "    4       .   .   .   B       r   k   w   b   y",
        "    5   .   .   .   .   .       y   R   k   w   b",
        "",
        "Floor   .   .   .   .   .   .   .",
        "       -1  -1  -2  -2  -2  -3  -3",
        "",
        "Round 3 - factory offer, player 1 to move",
    ]


def test_coloured_text_paints_tiles() -> None:
    shown = draw.text(scene(position(MIDGAME)), colour=True)
    red, green, blue = bytes.fromhex(PALETTE["yellow"].dark[1:])
    assert f"\x1b[48;2;{red};{green};{blue}m" in shown


def test_svg_is_small() -> None:
    assert len(draw.svg(scene(position(START)))) < 36_000
    assert len(draw.svg(scene(position(FOUR)))) < 64_000


def test_png() -> None:
    pytest.importorskip("resvg_py")
    data = draw.png(scene(position(MIDGAME)), size=516)
    assert struct.unpack(">II", data[16:24]) == (516, 324)
    assert data != draw.png(scene(position(MIDGAME), flip=True), size=516)


# --- what cannot arise ----------------------------------------------------------------------------


def test_overlong_center_is_counted() -> None:
    cells = cells_of(scene(position(ILLEGAL)))
    center = [cells[name] for name in ("c", "c.1", "c.2", "c.3", "c.4", "c.5")]
    assert [cell.tokens[0].count for cell in center] == [1, 180, 180, 180, 180, 180]
    assert "c.6" not in cells


def test_surplus_on_the_floor_is_counted() -> None:
    assert "+23 on the floor" in headings(scene(position(ILLEGAL)), 0)


def test_wrong_tiles_are_shown_as_they_are() -> None:
    picture = scene(position(ILLEGAL))
    assert letters(picture, "p0w00", "p0w20", "p1w44") == "KRW"
    assert letters(picture, "p0l1", "p0l1.1", "p0l1.2") == "YRK"
    assert letters(picture, "p0l0", *(f"p0l0.{i}" for i in range(1, 5))) == "BBBBB"
    assert letters(picture, "p1f", "p1f.1", "p1f.2") == "FFB"
    assert headings(picture, 0)[1] == "Score −9999"


def test_overfull_factory_says_so() -> None:
    odd = position(START.replace("BYRK", "BYRKBB", 1))
    assert area_of(scene(odd), "f0").captions[0].text == "1 (+2)"
