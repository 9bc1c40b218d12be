"""CoTuLenh positions as scenes, and how they look in every form of drawing."""

from __future__ import annotations

import math
import re
import struct
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from forsyth import draw
from forsyth.games.cotulenh.drawing.pieces import GLYPHS, make_glyph_name
from forsyth.games.cotulenh.drawing.scene import PALETTE, Members, draw_scene
from forsyth.scene import Cell, Scene

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
FILES = "abcdefghijk"
LETTERS = "CITMEAGSFNH"
SQUARES = [f"{file}{rank}" for rank in range(12, 0, -1) for file in FILES]
RIVER_MOUTH = ("d6", "e6", "d7", "e7")

START = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4"
MIDGAME = (
    "4h1c4/1(nfi)3(fti)2h2/3(ea)2+s2a1/2(n+f)1g2tg2/3e2+m2ei/2i2t1A3/"
    "2(+NFT)(TI)+I1g4/3(EG)2M2EI/5+T1TG2/3A2S2+A1/1N3H1HF2/5(HC)5"
)
EMPTY = "/".join(["11"] * 12)


@dataclass(frozen=True)
class Deploy:
    origin: str = "c6"
    remaining: str = "FT"


@dataclass(frozen=True)
class StandIn:
    placement: str = START
    turn: str = "r"
    half: int = 0
    full: int = 1
    session: Deploy | None = None

    def pieces(self) -> Iterator[tuple[str, str, Members]]:
        for rank, row in zip(range(12, 0, -1), self.placement.split("/"), strict=True):
            file = 0
            for part in re.findall(r"\d+|\+?[A-Za-z]|\([^)]+\)", row):
                if part.isdigit():
                    file += int(part)
                    continue
                found = re.findall(r"(\+?)([A-Za-z])", part)
                members = tuple((letter.upper(), plus == "+") for plus, letter in found)
                yield f"{FILES[file]}{rank}", "r" if found[0][1].isupper() else "b", members
                file += 1


def cells_of(picture: Scene) -> dict[str, Cell]:
    return {cell.id: cell for cell in picture.areas[0].cells}


def squares_of(svg: str) -> list[str]:
    return [e.attrib["data-square"] for e in ET.fromstring(svg).iter() if "data-square" in e.attrib]


def group_of(picture: Scene, square: str) -> ET.Element:
    found = ET.fromstring(draw.svg(picture)).find(f".//{SVG}g[@data-square='{square}']")
    assert found is not None
    return found


def uses_of(group: ET.Element) -> list[ET.Element]:
    return [element for element in group if element.tag == f"{SVG}use"]


def one(unit: str) -> StandIn:
    """A position with one unit, on d4."""
    return StandIn("/".join(["11"] * 8 + [f"3{unit}7"] + ["11"] * 3))


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


# --- board ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("placement", [START, MIDGAME, EMPTY])
def test_every_square_once_in_reading_order(placement: str) -> None:
    assert squares_of(draw.svg(draw_scene(StandIn(placement)))) == SQUARES


def test_terrain_of_all_squares() -> None:
    cells = cells_of(draw_scene(StandIn()))
    assert len(cells) == 132
    for name, cell in cells.items():
        if name[0] in "ab":
            assert (cell.ground, cell.blank) == ("water", "~"), name
        elif name[0] == "c" or name in RIVER_MOUTH:
            assert (cell.ground, cell.blank) == ("mixed", "="), name
        else:
            assert (cell.ground, cell.blank) == ("land", ""), name


def test_flip_reverses_squares_labels_and_places() -> None:
    upright, flipped = draw_scene(StandIn()).areas[0], draw_scene(StandIn(), flip=True).areas[0]
    assert [cell.id for cell in flipped.cells] == SQUARES[::-1]
    assert flipped.column_labels == tuple(FILES[::-1])
    assert flipped.row_labels == tuple(str(rank) for rank in range(1, 13))
    places = {cell.id: (cell.column, cell.row) for cell in upright.cells}
    assert all((10 - cell.column, 11 - cell.row) == places[cell.id] for cell in flipped.cells)
    assert {cell.id: cell.ground for cell in upright.cells} == {
        cell.id: cell.ground for cell in flipped.cells
    }


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def test_map_turns_with_the_board() -> None:
    upright, flipped = draw_scene(StandIn()).areas[0].map, draw_scene(StandIn(), flip=True).areas[0].map
    assert len(upright) == len(flipped)
    for stroke, turned in zip(upright, flipped, strict=True):
        assert turned._replace(path="") == stroke._replace(path="")
        assert points(turned.path) == [(1100 - x, 1200 - y) for x, y in points(stroke.path)]


@pytest.mark.parametrize(("flip", "bridges"), [(False, [550, 750]), (True, [350, 550])])
def test_bridges_cross_the_river_on_files_f_and_h(flip: bool, bridges: list[int]) -> None:
    area = draw_scene(StandIn(), flip=flip).areas[0]
    decks = [points(stroke.path) for stroke in area.map if stroke.fill == "bridge"]
    assert sorted(sum(x for x, _ in deck) / len(deck) for deck in decks) == bridges
    assert all(min(y for _, y in deck) < 584 and max(y for _, y in deck) > 616 for deck in decks)
    crossings = [area.column_labels[cell.column] for cell in area.between if cell.ground == "bridge"]
    assert sorted(crossings) == ["f", "h"]
    assert {cell.row for cell in area.between} == {6}
    assert len(area.between) == 11


def along(path: str) -> Iterator[tuple[float, float]]:
    """Points of the curves of a path, close together."""
    start, *rest = points(path.split("L", maxsplit=1)[0])
    for first, second, end in zip(*[iter(rest)] * 3, strict=True):
        for t in (step / 20 for step in range(21)):
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            curve = list(zip(weights, (start, first, second, end), strict=True))
            yield sum(w * x for w, (x, _) in curve), sum(w * y for w, (_, y) in curve)
        start = end


def test_shores_run_through_the_mixed_squares_alone() -> None:
    area = draw_scene(StandIn()).areas[0]
    shores = [point for stroke in area.map if stroke.fill == "beach" for point in along(stroke.path)]
    for cell in area.cells:
        middle = (cell.column * 100 + 50, cell.row * 100 + 50)
        nearest = min(math.dist(middle, point) for point in shores)
        assert (nearest < 20) == (cell.ground == "mixed"), (cell.id, nearest)


def test_map_is_cut_at_the_edge_and_cells_still_feel_the_pointer() -> None:
    root = ET.fromstring(draw.svg(draw_scene(StandIn())))
    chart = root.find(f".//{SVG}svg")
    assert chart is not None
    assert (chart.get("width"), chart.get("height")) == ("1100", "1200")
    ground = group_of(draw_scene(StandIn()), "d6")[0]
    assert (ground.get("fill"), ground.get("pointer-events")) == ("none", "all")
    assert (ground.get("x"), ground.get("y")) == ("300", "600")


def test_everything_fits_into_the_picture() -> None:
    picture = draw_scene(StandIn(session=Deploy()), zones={"c5": {"r"}})
    area = picture.areas[0]
    assert area.x + area.columns < picture.width
    assert len({caption.y for caption in picture.captions}) == 3
    assert all(area.y + area.rows < caption.y < picture.height for caption in picture.captions)


# --- units ----------------------------------------------------------------------------------------


def test_units_stand_on_their_squares() -> None:
    cells = cells_of(draw_scene(StandIn()))
    assert cells["g1"].tokens[0].label == "red commander"
    assert cells["c9"].tokens[0].label == "blue navy"
    assert cells["i4"].tokens[0].symbol == "G"
    assert cells["g8"].tokens[0].symbol == "m"
    assert cells["e6"].tokens == ()
    assert sum(len(cell.tokens) for cell in cells.values()) == 38


def test_stack_is_one_cell_with_the_carrier_first() -> None:
    picture = draw_scene(StandIn(MIDGAME))
    tokens = cells_of(picture)["c6"].tokens
    assert [token.symbol for token in tokens] == ["+N", "F", "T"]
    assert [token.label for token in tokens] == ["red heroic navy", "red air force", "red tank"]
    group = group_of(picture, "c6")
    assert group.findtext(f"{SVG}title") == "red heroic navy, red air force, red tank"
    assert len(uses_of(group)) == 3


@pytest.mark.parametrize("unit", ["(TI)", "(NFT)", "(+N+F+T)", "(NFTI)", "(NFTIM)"])
def test_stack_shows_the_carrier_largest_and_the_others_fanned_behind_it(unit: str) -> None:
    group = group_of(draw_scene(one(unit)), "d4")
    boxes = [[float(n) for n in re.findall(r"[\d.]+", use.get("transform", ""))] for use in uses_of(group)]
    assert len(boxes) == len(re.findall("[A-Z]", unit))
    carrier, *carried = (scale for _, _, scale in boxes)
    # A piece alone has the scale 1: those that are carried are at least 60 % of its size.
    assert all(0.6 <= scale < carrier for scale in carried)
    assert all(x >= 300 and y >= 800 and x + 100 * s <= 400 and y + 100 * s <= 900 for x, y, s in boxes)
    assert group.find(f"{SVG}circle") is None


def test_heroic_pieces_have_another_drawing() -> None:
    cells = cells_of(draw_scene(StandIn(MIDGAME)))
    assert (
        cells["f4"].tokens[0].glyph == make_glyph_name("T", "red", True) != make_glyph_name("T", "red", False)
    )
    assert [token.glyph for token in cells["c9"].tokens] == ["blue N", "blue +F"]
    for letter in LETTERS:
        for owner in ("red", "blue"):
            plain, heroic = (
                GLYPHS[make_glyph_name(letter, owner, False)],
                GLYPHS[make_glyph_name(letter, owner, True)],
            )
            assert "heroic" not in {role for s in plain for role in (s.fill, s.line)}
            assert [s.line for s in heroic].count("heroic") == 1
            assert heroic[-1].fill == "heroic"


def test_every_piece_has_its_own_drawing_and_every_role_a_colour() -> None:
    assert set(GLYPHS) == {
        f"{owner} {plus}{c}" for owner in ("red", "blue") for plus in ("", "+") for c in LETTERS
    }
    assert len(set(GLYPHS.values())) == len(GLYPHS) == 44
    strokes = [stroke for drawing in GLYPHS.values() for stroke in drawing] + [
        *draw_scene(StandIn()).areas[0].map
    ]
    roles = {role for stroke in strokes for role in (stroke.fill, stroke.line)}
    assert roles - {"owner", "owner-line", "none"} <= set(PALETTE)
    area = draw_scene(StandIn()).areas[0]
    assert {cell.ground for cell in (*area.cells, *area.between)} <= set(PALETTE)
    assert not {"owner", "owner-line"} & {s.fill for s in draw_scene(StandIn()).areas[0].map}


def test_sides_differ_in_shape() -> None:
    for letter in LETTERS:
        assert GLYPHS[f"red {letter}"][0].path != GLYPHS[f"blue {letter}"][0].path
        assert GLYPHS[f"red {letter}"][1:] == GLYPHS[f"blue {letter}"][1:]


@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize("owner", ["red", "blue"])
def test_counters_stand_out_on_every_ground(page: int, owner: str) -> None:
    for ground in ("water", "mixed", "land", "beach"):
        assert contrast(PALETTE[owner][page], PALETTE[ground][page]) > 2
    for ground in ("water", "mixed", "land"):
        assert contrast(PALETTE[owner][page], PALETTE[ground][page]) > 2.4
    assert contrast(PALETTE[owner][page], PALETTE[f"{owner}-line"][page]) > 3
    assert contrast(PALETTE["heroic"][page], PALETTE[owner][page]) > 2


@pytest.mark.parametrize("page", [0, 1])
def test_terrain_can_be_told_apart(page: int) -> None:
    assert contrast(PALETTE["shore"][page], PALETTE["land"][page]) > 2.4
    assert contrast(PALETTE["shore"][page], PALETTE["mixed"][page]) > 2
    assert len({PALETTE[role][page] for role in ("water", "mixed", "land", "beach", "bridge")}) == 5


@pytest.mark.parametrize("placement", [EMPTY, "(NFTCI)10/" + "/".join(["CCCCCCCCCCC"] * 11)])
def test_illegal_boards_are_drawn(placement: str) -> None:
    picture = draw_scene(StandIn(placement))
    assert squares_of(draw.svg(picture)) == SQUARES
    assert len({len(line) for line in draw.text(picture, unicode=False).splitlines()[:14]}) == 1
    if placement == EMPTY:
        assert picture.description.startswith("Red: no pieces. Blue: no pieces.")


# --- marks, zones, session ------------------------------------------------------------------------


def test_marks_and_notes_reach_their_squares() -> None:
    picture = draw_scene(
        StandIn(),
        marks={"e4": "error", "k12": "target", "z9": "last", "a13": "last"},
        notes={"e4": "<no>"},
    )
    cells = cells_of(picture)
    assert (cells["e4"].mark, cells["e4"].note) == ("error", "<no>")
    assert sum(cell.mark is not None for cell in cells.values()) == 2
    root = ET.fromstring(draw.svg(picture))
    marked = {e.attrib["data-square"]: e.attrib["data-mark"] for e in root.iter() if "data-mark" in e.attrib}
    assert marked == {"e4": "error", "k12": "target"}
    shown = draw.text(picture, unicode=False)
    assert "[G]" in shown
    assert "{.}" in shown
    assert shown.endswith("e4: <no>")


def test_zones_hatch_each_colour_its_own_way() -> None:
    zones = {"d4": {"r"}, "e6": {"b"}, "c7": {"b", "r"}, "z1": {"r"}, "a1": set[str]()}
    picture = draw_scene(StandIn(EMPTY), zones=zones)
    slants = {name: "".join(h.slant for h in cell.hatches) for name, cell in cells_of(picture).items()}
    assert {name: slant for name, slant in slants.items() if slant} == {"d4": "/", "e6": "\\", "c7": "/\\"}
    red, blue, both = (uses_of(group_of(picture, square)) for square in ("d4", "e6", "c7"))
    assert [len(red), len(blue), len(both)] == [1, 1, 2]
    assert [use.get("href") for use in both] == [red[0].get("href"), blue[0].get("href")]
    assert [use.get("class") for use in both] == [red[0].get("class"), blue[0].get("class")]
    assert red[0].get("href") != blue[0].get("href")
    style = ET.fromstring(draw.svg(picture)).findtext(f"{SVG}style", "")
    assert f".{red[0].get('class')}{{fill:{PALETTE['red'].light}" in style
    assert f".{blue[0].get('class')}{{fill:{PALETTE['blue'].light}" in style


def test_zones_lie_over_the_map_and_under_units_and_marks() -> None:
    picture = draw_scene(one("T"), zones={"d4": "rb"}, marks={"d4": "target"})
    kinds = [element.tag.removeprefix(SVG) for element in group_of(picture, "d4")]
    assert kinds == ["rect", "use", "use", "circle", "use"]


def test_zones_are_explained_only_when_there_are_any() -> None:
    assert [c.text for c in draw_scene(StandIn(), zones={"z9": {"r"}}).captions] == ["Red to move · move 1"]
    captions = [c.text for c in draw_scene(StandIn(), zones={"c5": {"b"}}).captions]
    assert captions == ["Red to move · move 1", "Air defence: / Red, \\ Blue"]


def test_zones_in_a_terminal() -> None:
    picture = draw_scene(one("T"), zones={"d4": {"r"}, "e4": {"r"}, "f4": {"b"}, "g4": {"r", "b"}})
    row = draw.text(picture, unicode=False).splitlines()[9]
    assert row.split() == ["4", "~", "~", "=", "T", "/", "\\", "x", ".", ".", ".", "."]
    painted = draw.text(picture, colour=True).splitlines()[9]
    assert ANSI.sub("", painted).split() == ["4", "T", "/", "\\", "x"]
    grounds = re.findall(r"\x1b\[48;2;[\d;]+m", painted)
    assert len(set(grounds[4:8])) == 4


@pytest.mark.parametrize(
    ("remaining", "words"),
    [
        ("FT", "F, T remain"),
        ("(+FT)", "+F, T remain"),
        ("(f+ti)", "F, +T, I remain"),
        ("T", "T remains"),
        ("", "nothing remains"),
    ],
)
def test_session_is_said_and_its_origin_marked(remaining: str, words: str) -> None:
    picture = draw_scene(StandIn(MIDGAME, full=7, session=Deploy("c6", remaining)))
    captions = [caption.text for caption in picture.captions]
    assert captions == ["Red to move · move 7", f"Red deploys from c6: {words}"]
    assert f"Red deploys from c6: {words}." in picture.description
    assert {name: cell.mark for name, cell in cells_of(picture).items() if cell.mark} == {"c6": "last"}


def test_own_mark_of_the_origin_wins() -> None:
    picture = draw_scene(StandIn(turn="b", session=Deploy("c5")), marks={"c5": "error"})
    assert cells_of(picture)["c5"].mark == "error"
    assert picture.captions[1].text == "Blue deploys from c5: F, T remain"


def test_caption_and_title() -> None:
    picture = draw_scene(StandIn(turn="b", full=12))
    assert [c.text for c in picture.captions] == ["Blue to move · move 12"]
    assert picture.title == "CoTuLenh position, Blue to move"


def test_description_names_units_and_squares() -> None:
    placement = "/".join(["6c4", *["11"] * 6, "2(+NFT)8", "4N6", "3T1T+T4", "2N1G1G4", "6C4"])
    words = draw_scene(StandIn(placement, half=7, full=30)).description
    assert words == (
        "Red: commander g1, tanks d3 f3, heroic tank g3, anti-air e2 g2, navies e4 c2,"
        " heroic navy c5 with air force and tank. Blue: commander g12."
        " Red to move, move 30; half-move clock: 7."
    )


# --- forms ----------------------------------------------------------------------------------------


def test_text_board() -> None:
    assert draw.text(draw_scene(StandIn()), unicode=False).splitlines() == [
        "12  ~  ~  =  .  .  .  c  .  .  .  . ",
        "11  ~  n  =  .  f  h  .  h  f  .  . ",
        "10  ~  ~  =  a  .  .  s  .  .  a  . ",
        " 9  ~  ~  n  .  g  t  .  t  g  .  . ",
        " 8  ~  ~  i  e  .  .  m  .  .  e  i ",
        " 7  ~  ~  =  =  =  .  .  .  .  .  . ",
        "    ~  ~  ~  ~  ~  #  ~  #  ~  ~  ~ ",
        " 6  ~  ~  =  =  =  .  .  .  .  .  . ",
        " 5  ~  ~  I  E  .  .  M  .  .  E  I ",
        " 4  ~  ~  N  .  G  T  .  T  G  .  . ",
        " 3  ~  ~  =  A  .  .  S  .  .  A  . ",
        " 2  ~  N  =  .  F  H  .  H  F  .  . ",
        " 1  ~  ~  =  .  .  .  C  .  .  .  . ",
        "    a  b  c  d  e  f  g  h  i  j  k ",
        "",
        "Red to move - move 1",
    ]


def test_text_board_flipped() -> None:
    lines = draw.text(draw_scene(StandIn(MIDGAME), flip=True), unicode=False).splitlines()
    assert lines[0].split() == [*"1.....", "HC", *"..=~~"]
    assert lines[6].split() == [*"~~~#~#~~~~~"]
    assert lines[13].split() == [*FILES[::-1]]


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("unicode", [False, True])
@pytest.mark.parametrize(("unit", "width"), [("T", 36), ("(NFT)", 58), ("(+NFT)", 69), ("(+N+F+T)", 91)])
def test_text_widths(unit: str, width: int, colour: bool, unicode: bool) -> None:
    lines = draw.text(draw_scene(one(unit)), colour=colour, unicode=unicode).splitlines()[:14]
    assert {columns(line) for line in lines} == {width}
    assert width <= 100
    assert unit.strip("()") in ANSI.sub("", lines[9])


@pytest.mark.parametrize("colour", [False, True])
def test_text_tells_sides_by_case(colour: bool) -> None:
    lines = ANSI.sub("", draw.text(draw_scene(StandIn(MIDGAME)), colour=colour)).splitlines()
    assert "n+f" in lines[3]
    assert "+NFT" in lines[7]
    assert "+T" in lines[9]


def test_coloured_text_paints_terrain_and_owner() -> None:
    def sequence(kind: int, role: str) -> str:
        red, green, blue = bytes.fromhex(PALETTE[role].dark.removeprefix("#"))
        return f"\x1b[{kind};2;{red};{green};{blue}m"

    lines = draw.text(draw_scene(StandIn()), colour=True).splitlines()
    assert sequence(38, "blue") + "c" in lines[0]
    assert sequence(38, "red") + "C" in lines[12]
    assert [lines[0].count(sequence(48, role)) for role in ("water", "mixed", "land")] == [2, 1, 8]
    assert lines[6].count(sequence(48, "bridge")) == 2


def test_same_position_same_picture() -> None:
    first, again = (draw_scene(StandIn(MIDGAME), zones={"c5": {"b", "r"}}) for _ in range(2))
    assert first == again
    assert draw.svg(first) == draw.svg(again)
    assert draw.svg(first) != draw.svg(draw_scene(StandIn(MIDGAME)))
    assert draw.svg(draw_scene(StandIn(MIDGAME), zones={"c5": ["r", "b"]})) == draw.svg(first)


def test_names_resolve_and_nothing_points_outside() -> None:
    text = draw.svg(draw_scene(StandIn(MIDGAME), zones={"c5": {"b", "r"}}, marks={"d4": "target"}))
    root = ET.fromstring(text)
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert all(e.get("href", "#")[1:] in ids for e in root.iter() if "href" in e.attrib)
    classes = {name for e in root.iter() for name in e.get("class", "").split()}
    assert classes == set(re.findall(r"\.(f\w+)\{", text))
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_svg_is_small() -> None:
    assert len(draw.svg(draw_scene(StandIn()))) < 40_000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_png(theme: str) -> None:
    pytest.importorskip("resvg_py")
    pictures = [
        draw_scene(StandIn(MIDGAME)),
        draw_scene(StandIn(MIDGAME), flip=True),
        draw_scene(StandIn(MIDGAME), zones={"k1": {"r"}}),
        draw_scene(StandIn(MIDGAME.replace("+", ""))),
    ]
    rendered = [draw.png(picture, size=472, theme=theme) for picture in pictures]  # type: ignore[arg-type]
    assert len(set(rendered)) == len(pictures)
    assert all(data[:8] == b"\x89PNG\r\n\x1a\n" for data in rendered)
    assert struct.unpack(">II", rendered[0][16:24]) == (472, 536)
