"""Drawing scenes as SVG, terminal text and PNG, with scenes of no particular game."""

from __future__ import annotations

import json
import pickle
import re
import struct
import sys
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any, get_args

import pytest

from forsyth import Match, draw, registry
from forsyth.diagnostics import Diagnostic, Severity, Span
from forsyth.draw.checked_places import _is_required_piece
from forsyth.draw.findings import make_finding_marks, make_finding_notes
from forsyth.draw.pointers import _split_arrow
from forsyth.draw.sheet import StyleSheet
from forsyth.scene import Area, Caption, Cell, Colour, Mark, Scene, Stroke, Token, to_scene

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\"'&\x00\x1b[31m\ud800\u202e\n"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
MARKS: tuple[Mark, ...] = get_args(Mark)

TANK = (
    Stroke("M20 40H80V70H20Z"),
    Stroke("M30 50H60", fill="none", line="owner"),
    Stroke("M50 50H55V55Z", fill="owner-line", line="none"),
    Stroke("M10 80H90", fill="water", line="outline", width=2),
)
PALETTE = {
    "land": Colour("#e8e2d0", "#8a8577"),
    "water": Colour("#b8cfe0", "#4f6a80"),
    "red": Colour("#c0392b", "#7a1f14"),
    "red-line": Colour("#3a0f0a", "#ffffff"),
    "outline": Colour("#222222", "#222222"),
}


def token(symbol: str, *, glyph: str = "tank", count: int = 1) -> Token:
    return Token(symbol, "red", glyph, symbol, f"red {symbol}", count=count)


def area(
    columns: int = 3,
    rows: int = 2,
    *,
    name: str = "Board",
    x: float = 0.5,
    y: float = 0.0,
    scale: float = 1.0,
) -> Area:
    cells = tuple(
        Cell(f"{name[0].lower()}{column}{row}", column, row, "water" if column == 0 else "land")
        for row in range(rows)
        for column in range(columns)
    )
    return Area(
        name,
        columns,
        rows,
        cells,
        x=x,
        y=y,
        column_labels=tuple("abcdefghijk"[:columns]),
        row_labels=tuple(str(rows - row) for row in range(rows)),
        scale=scale,
    )


def with_cell(base: Area, index: int, cell: Cell) -> Area:
    return replace(base, cells=(*base.cells[:index], cell, *base.cells[index + 1 :]))


def scene(*areas: Area, captions: tuple[Caption, ...] = ()) -> Scene:
    return Scene(
        title="Toy",
        description="A toy.",
        width=4,
        height=3,
        areas=areas or (area(),),
        captions=captions,
        glyphs={"tank": TANK},
        palette=PALETTE,
    )


def one_cell(cell: Cell) -> Scene:
    return scene(Area("Board", 1, 1, (cell,)))


def marked(mark: Mark | None, *tokens: Token) -> Scene:
    return one_cell(Cell("a1", 0, 0, "land", tokens, mark=mark))


def group_of(picture: Scene, square: str) -> ET.Element:
    found = ET.fromstring(draw.svg(picture)).find(f".//{SVG}g[@data-square='{square}']")
    assert found is not None
    return found


# --- svg ------------------------------------------------------------------------------------------


def test_svg_is_well_formed_and_standalone() -> None:
    root = ET.fromstring(draw.svg(scene(captions=(Caption("Red to move", 0, 2.5),)), size=400))
    assert root.tag == f"{SVG}svg"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("400", "300", "0 0 400 300")
    assert root.get("role") == "img"
    named = (root.get("aria-labelledby") or "").split()
    texts = {e.get("id"): e.text for e in root if e.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [texts[name] for name in named] == ["Toy", "A toy."]


def test_every_cell_once() -> None:
    root = ET.fromstring(draw.svg(scene(area(), area(name="Pool", x=4))))
    squares = [e.get("data-square") for e in root.iter() if e.get("data-square")]
    assert sorted(filter(None, squares)) == sorted(
        f"{a}{c}{r}" for a in "bp" for c in range(3) for r in range(2)
    )


def test_same_scene_same_svg_and_other_scene_other_names() -> None:
    first, again = draw.svg(scene()), draw.svg(scene())
    assert first == again
    others = [draw.svg(scene(area(2))), draw.svg(scene(), theme="dark"), draw.svg(scene(), size=100)]
    names = [set(re.findall(r'(?:id|class)="([^"]+)"', text)) for text in (first, *others)]
    for index, some in enumerate(names):
        assert some
        assert all(some.isdisjoint(other) for other in names[index + 1 :])


def test_names_resolve_and_nothing_points_outside() -> None:
    text = draw.svg(marked("error", token("T")))
    root = ET.fromstring(text)
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    links = [e.get("href", "") for e in root.iter() if "href" in e.attrib]
    assert links
    assert all(link[0] == "#" and link[1:] in ids for link in links)
    classes = {name for e in root.iter() for name in e.get("class", "").split()}
    assert classes == set(re.findall(r"\.(f\w+)\{", text))
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_hostile_words_stay_words() -> None:
    cell = Cell(
        HOSTILE, 0, 0, HOSTILE, (Token(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),), "error", HOSTILE
    )
    picture = Scene(
        HOSTILE,
        HOSTILE,
        2,
        2,
        (Area(HOSTILE, 1, 1, (cell,), column_labels=(HOSTILE,), row_labels=(HOSTILE,)),),
        (Caption(HOSTILE, 0, 1, role=HOSTILE),),
    )
    for theme in ("light", "dark", "auto"):
        text = draw.svg(picture, theme=theme)
        root = ET.fromstring(text)
        assert not root.findall(f".//{SVG}script")
        assert "\x00" not in text
        assert "\x1b" not in text
        text.encode()
    assert root.findtext(f"{SVG}title", "").startswith("</title><script>")


def test_what_xml_cannot_hold_is_replaced_one_for_one() -> None:
    root = ET.fromstring(draw.svg(replace(scene(), title='a\x00b\ud800c\x1b"&<', description="\x01")))
    assert root.findtext(f"{SVG}title") == 'a\ufffdb\ufffdc\ufffd"&<'
    assert root.findtext(f"{SVG}desc") == "\ufffd"


@pytest.mark.parametrize("colour", ["red", "#fff", "#00000g", "#000000}*{display:none", "url(x)"])
def test_colours_cannot_leave_their_rule(colour: str) -> None:
    picture = replace(scene(), palette={"land": Colour(colour, colour)})
    with pytest.raises(ValueError, match="expected #rrggbb"):
        draw.svg(picture)


@pytest.mark.parametrize("size", [-1, 0, 15, 8193, 10**9])
def test_size_is_bounded(size: int) -> None:
    with pytest.raises(ValueError, match="expected 16 to 8192"):
        draw.svg(scene(), size=size)


def test_themes() -> None:
    light, dark, auto = (draw.svg(scene(), theme=theme) for theme in ("light", "dark", "auto"))
    assert "#e8e2d0" in light
    assert "#8a8577" not in light
    assert "#8a8577" in dark
    assert "#e8e2d0" not in dark
    before, after = auto.split("@media(prefers-color-scheme:dark)")
    assert "#e8e2d0" in before
    assert "#8a8577" in after


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("tokens", [(), (token("T"),)])
def test_marks_are_drawn_in_their_colour(mark: Mark, tokens: tuple[Token, ...]) -> None:
    picture = marked(mark, *tokens)
    group = group_of(picture, "a1")
    assert group.get("data-mark") == mark
    style = ET.fromstring(draw.svg(picture)).findtext(f"{SVG}style", "")
    drawn = {name for e in group.iter() for name in e.get("class", "").split()}
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", style.split("@media")[0]))
    assert any(picture.colour(mark).light in rules[name] for name in drawn)


@pytest.mark.parametrize("ground", ["land", "page"])
def test_the_last_move_is_a_rim_where_there_is_no_ground_to_tint(ground: str) -> None:
    group = group_of(one_cell(Cell("a1", 0, 0, ground, mark="last")), "a1")
    place, sign = group
    assert (sign.get("fill") == "none") == (ground == "page")
    assert (place.get("pointer-events") == "all") == (ground == "page")
    assert (sign.get("opacity") is None) == (ground == "page")


def test_no_two_marks_differ_by_colour_alone() -> None:
    shapes = set()
    for mark in MARKS:
        signs = list(group_of(marked(mark), "a1"))[1:]
        shapes.add(
            tuple((e.tag, *sorted((k, v) for k, v in e.attrib.items() if k != "class")) for e in signs)
        )
    assert len(shapes) == len(MARKS)


def test_note_is_the_tooltip() -> None:
    group = group_of(one_cell(Cell("a1", 0, 0, "land", note="a < b & c")), "a1")
    assert group[0].tag == f"{SVG}title"
    assert group[0].text == "a < b & c"


def test_stack_shows_every_token_and_the_carrier_largest() -> None:
    for count in range(2, 9):
        group = group_of(marked(None, *(token("T") for _ in range(count))), "a1")
        places = [re.findall(r"[\d.]+", e.get("transform", "")) for e in group if e.tag == f"{SVG}use"]
        boxes = [(float(x), float(y), float(s) * 100) for x, y, s in places]
        assert len(boxes) == count
        assert all(x >= 0 and y >= 0 and x + side <= 100 and y + side <= 100 for x, y, side in boxes)
        assert all(boxes[0][2] > side and boxes[0][1] > y for _, y, side in boxes[1:])
        assert group.findtext(f"{SVG}title") == ", ".join(["red T"] * count)


def test_token_without_drawing_shows_its_text() -> None:
    group = group_of(marked(None, token("+T", glyph="missing")), "a1")
    assert group.find(f".//{SVG}circle") is not None
    assert group.findtext(f".//{SVG}text") == "+T"


def test_count_is_written_when_not_one() -> None:
    assert group_of(marked(None, token("T", count=12)), "a1").findtext(f"{SVG}text") == "12"
    assert group_of(marked(None, token("T")), "a1").find(f"{SVG}text") is None


def test_only_full_grids_are_framed() -> None:
    full, sparse = area(), replace(area(), cells=area().cells[1:])
    assert draw.svg(scene(full)).count('stroke-width="3"') == 1
    assert draw.svg(scene(sparse)).count('stroke-width="3"') == 0


def test_map_may_reach_beyond_the_grid() -> None:
    rim = Stroke("M-50 -50H350V250H-50Z", fill="water", line="none")
    root = ET.fromstring(draw.svg(scene(replace(area(), map=(rim,), margin=0.5))))
    map_ = root.find(f".//{SVG}svg")
    assert map_ is not None
    assert [map_.get(name) for name in ("x", "y", "width", "height")] == ["-50", "-50", "400", "300"]
    assert map_.get("viewBox") == "-50 -50 400 300"
    assert not [e for e in root.iter() if e.get("stroke-width") == "3"]


def test_print_lies_on_the_ground_and_under_the_token() -> None:
    group = group_of(one_cell(Cell("a1", 0, 0, "land", (token("T"),), print="tank")), "a1")
    assert [e.tag for e in group] == [f"{SVG}{tag}" for tag in ("rect", "use", "use")]
    assert group[1].get("class") is None
    assert group[2].get("class") is not None
    assert len(group_of(one_cell(Cell("a1", 0, 0, "land", print="no such drawing")), "a1")) == 1


def test_captions_of_an_area_move_with_it() -> None:
    words = Caption("Pool of Red", 0.5, 2.4)
    root = ET.fromstring(draw.svg(scene(replace(area(x=4, scale=2), captions=(words,)))))
    group = root.find(f".//{SVG}g[@data-area='Board']")
    assert group is not None
    assert group.get("transform") == "translate(400 0) scale(2)"
    text = group.find(f"{SVG}text")
    assert text is not None
    assert (text.text, text.get("x"), text.get("y")) == ("Pool of Red", "50", "240")


def test_labels_may_be_larger() -> None:
    assert 'font-size="27"' in draw.svg(scene(area()))
    assert 'font-size="40"' in draw.svg(scene(replace(area(), label_size=0.4)))


def test_target_around_a_square_token_is_not_a_ring() -> None:
    group = group_of(marked("target", replace(token("T"), square=True)), "a1")
    assert group.find(f"{SVG}circle") is None
    assert [e.get("stroke-dasharray") for e in group if e.get("stroke-dasharray")] == ["27 38 27 0"]


def test_scenes_show_themselves_in_notebooks() -> None:
    assert scene()._repr_svg_() == draw.svg(scene())


# --- text -----------------------------------------------------------------------------------------


def columns(line: str) -> int:
    bare = ANSI.sub("", line)
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in bare)


def test_plain_board() -> None:
    board = with_cell(area(), 4, Cell("b11", 1, 1, "land", (token("T"),)))
    assert draw.text(scene(board), unicode=False).splitlines() == [
        "2  .  .  . ",
        "1  .  T  . ",
        "   a  b  c ",
    ]


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("unicode", [False, True])
def test_lines_are_equally_wide(colour: bool, unicode: bool) -> None:
    board = area(11, 12)
    board = with_cell(board, 5, Cell("x", 5, 0, "land", (token("+T"), token("戦", count=3)), mark="zone"))
    lines = draw.text(scene(board, area(name="Pool", x=20)), colour=colour, unicode=unicode).splitlines()
    assert len(lines) == 14
    assert len({columns(line) for line in lines}) == 1
    assert ("\x1b" in "".join(lines)) is colour
    if not unicode:
        assert ANSI.sub("", "".join(lines)).isascii()


@pytest.mark.parametrize("colour", [False, True])
def test_text_marks_differ(colour: bool) -> None:
    shown = [draw.text(marked(mark, token("T")), colour=colour, unicode=False) for mark in (None, *MARKS)]
    words: dict[Mark | None, str] = {None: " T ", "error": "[T]", "warning": "(T)", "last": "<T>"}
    words |= {"target": "{T}", "zone": ":T:", "check": "!T!"}
    assert [ANSI.sub("", text) for text in shown] == [words[mark] for mark in (None, *MARKS)]


def test_coloured_text_paints_ground_and_owner() -> None:
    shown = draw.text(marked(None, token("T")), colour=True)
    assert "\x1b[48;2;138;133;119m" in shown
    assert "\x1b[38;2;122;31;20m" in shown
    assert shown.endswith("\x1b[0m")


def test_letter_takes_its_line_colour_where_it_would_vanish() -> None:
    picture = replace(marked(None, token("T")), palette={**PALETTE, "land": PALETTE["red"]})
    assert "\x1b[38;2;255;255;255mT" in draw.text(picture, colour=True)


def test_solid_form_is_for_colour_only() -> None:
    picture = marked(None, replace(token("T"), text="◇", solid="◆"))
    assert "◆" in draw.text(picture, colour=True)
    assert "◇" in draw.text(picture)
    assert "T" in draw.text(picture, unicode=False)


def test_empty_cell_may_say_what_it_is() -> None:
    assert draw.text(one_cell(Cell("a1", 0, 0, "water", blank="~"))) == " ~ "


def test_areas_beside_and_below() -> None:
    left, right, under = area(), area(name="Hand", x=5), area(name="Pool", y=4)
    lines = draw.text(scene(left, under, right), unicode=False).splitlines()
    assert lines[0].split() == ["Board", "Hand"]
    assert lines[5].split() == ["Pool"]
    wide = draw.text(scene(area(11), replace(area(11, name="Hand", x=20)), area(11, name="Pool", x=40)))
    assert [line.split()[0] for line in wide.splitlines() if line[:1].isalpha()] == ["Board", "Pool"]
    assert max(map(columns, wide.splitlines())) <= 100


def test_captions_of_an_area_stand_above_it() -> None:
    named = replace(area(name="Hand", x=5), captions=(Caption("7 points", 3, 0), Caption("Red", 0, 0)))
    lines = draw.text(scene(area(), named)).splitlines()
    assert re.split(" {3,}", lines[0].strip()) == ["Board", "Red", "7 points"]
    assert draw.text(scene(named)).splitlines()[0].strip() == "Red   7 points"


def test_cell_outside_the_grid_has_only_its_note() -> None:
    board = replace(area(), cells=(*area().cells, Cell("score", 2, -1, "land", note="too high")))
    assert draw.text(scene(board)).splitlines() == [
        *draw.text(scene(area())).splitlines(),
        "",
        "score: too high",
    ]


def test_captions_then_notes_below() -> None:
    board = with_cell(area(), 0, Cell("b00", 0, 0, "water", mark="error", note="not a tank"))
    captions = (Caption("second", 0, 3), Caption("first", 0, 2.5))
    assert draw.text(scene(board, captions=captions)).splitlines()[-4:] == [
        "",
        "first",
        "second",
        "b00: not a tank",
    ]


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("unicode", [False, True])
def test_no_word_speaks_to_the_terminal(colour: bool, unicode: bool) -> None:
    cell = Cell(HOSTILE, 0, 0, "land", (replace(token(HOSTILE), text=HOSTILE),), "error", HOSTILE, HOSTILE)
    board = Area(HOSTILE, 1, 1, (cell,), column_labels=(HOSTILE,), row_labels=(HOSTILE,))
    shown = draw.text(scene(board, board, captions=(Caption(HOSTILE, 0, 0),)), colour=colour, unicode=unicode)
    bare = ANSI.sub("", shown) if colour else shown
    assert all(unicodedata.category(ch)[0] != "C" for ch in bare.replace("\n", ""))
    assert "\x1b[31m" not in shown


def test_ascii_folds_what_it_can() -> None:
    captions = (Caption("Cờ Tư Lệnh · lượt 3 — đi…", 0, 0), Caption("戦", 0, 1))
    assert draw.text(scene(captions=captions), unicode=False).splitlines()[-2:] == [
        "Co Tu Lenh - luot 3 - di...",
        "?",
    ]


@pytest.mark.parametrize(
    ("words", "shown", "plain"),
    [
        ("a\tb", "a b", "a b"),
        ("a\nb", "a b", "a b"),
        ("a\rb", "a b", "a b"),
        ("a\u00a0b", "a b", "a b"),
        ("a\u3000b", "a b", "a b"),
        ("a\x1bb", "a?b", "a?b"),
        ("a\u2028b", "a?b", "a?b"),
        ("a\u200bb", "a?b", "a?b"),
        ("e\u0301", "é", "e"),
        ("x\u0301", "x", "x"),
        ("a~b", "a~b", "a~b"),
        ("½ 戦", "½ 戦", "1?2 ?"),
    ],
)
def test_what_is_shown_in_place_of_a_character(words: str, shown: str, plain: str) -> None:
    captions = (Caption(words, 0, 0),)
    assert draw.text(scene(captions=captions), unicode=True).splitlines()[-1] == shown
    assert draw.text(scene(captions=captions), unicode=False).splitlines()[-1] == plain


def test_scene_without_areas() -> None:
    empty = replace(scene(), areas=())
    assert draw.text(empty) == ""
    ET.fromstring(draw.svg(empty))


# --- findings on a picture ------------------------------------------------------------------------


def finding(square: str | None, severity: Severity, message: str) -> Diagnostic:
    return Diagnostic("toy.code", message, severity, "position", Span(0, 1), square=square)


def test_squares_with_findings_are_marked_an_error_before_a_warning() -> None:
    found = [
        finding("a1", Severity.WARNING, "odd"),
        finding("a1", Severity.ERROR, "wrong"),
        finding("b1", Severity.ERROR, "wrong"),
        finding("b1", Severity.WARNING, "odd"),
        finding("c1", Severity.WARNING, "odd"),
        finding("d1", Severity.ERROR, "wrong"),
        finding(None, Severity.ERROR, "nowhere"),
    ]
    assert make_finding_marks(found) == {"a1": "error", "b1": "error", "c1": "warning", "d1": "error"}
    assert make_finding_notes(found) == {"a1": "odd; wrong", "b1": "wrong; odd", "c1": "odd", "d1": "wrong"}
    assert make_finding_marks(()) == make_finding_notes(()) == {}


# --- png ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_png_has_signature_and_size(theme: str) -> None:
    pytest.importorskip("resvg_py")
    data = draw.png(scene(), size=203, theme=theme)  # type: ignore[arg-type]
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (203, 153)


def test_pictures_have_the_same_size_where_none_is_asked_for() -> None:
    pytest.importorskip("resvg_py")
    width, height = struct.unpack(">II", draw.png(scene())[16:24])
    assert width == 480
    assert draw.png(scene()) == draw.png(scene(), size=480, theme="light")
    assert draw.png(scene()) != draw.png(scene(), theme="dark")
    assert draw.svg(scene()) == draw.svg(scene(), size=480)
    assert f'width="{width}" height="{height}"' in draw.svg(scene())


def test_png_shows_the_mark() -> None:
    pytest.importorskip("resvg_py")
    assert len({draw.png(marked(mark), size=64) for mark in (None, *MARKS)}) == len(MARKS) + 1


def test_png_without_resvg_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=re.escape("pip install 'forsyth[png]'")):
        draw.png(scene())


def _places(*names: str) -> Scene:
    cells = tuple(Cell(name, at, 0, "light") for at, name in enumerate(names))
    return Scene(
        "t",
        "d",
        90,
        90,
        (Area("Board", len(names), 1, cells),),
        palette={"light": Colour("#ffffff", "#ffffff")},
    )


def test_an_arrow_that_can_be_read_in_two_ways_is_refused() -> None:
    places = frozenset(("a", "aa", "b"))
    assert _split_arrow("a-aa", places) == ("a", "aa")
    assert _split_arrow("ab", places) == ("a", "b")
    assert _split_arrow("aab", places) == ("aa", "b")
    with pytest.raises(ValueError) as caught:
        _split_arrow("aaa", places)
    assert str(caught.value) == "'aaa' can be read as several arrows; write FROM-TO"
    with pytest.raises(ValueError) as caught:
        _split_arrow("ba-c", places)
    assert str(caught.value) == "'ba-c' is not an arrow between two places of the picture, expected FROM-TO"


def test_a_scene_without_areas_is_drawn_as_it_is() -> None:
    scene = Scene("t", "d", 90, 60, (), (Caption("words", 5, 50),))
    assert draw.svg(scene, coordinates="none") == draw.svg(scene)


def test_colours_that_are_the_same_in_the_dark_are_said_once() -> None:
    sheet = StyleSheet(_places("a"))
    name = sheet.get_line_class("light")
    assert name
    assert sheet.write_rules("auto") == sheet.write_rules("light") == sheet.write_rules("dark") != ""
    assert "prefers-color-scheme" not in sheet.write_rules("auto")


def test_a_man_that_cannot_be_lifted_is_not_missed() -> None:
    class Fixed:
        def put(self, position: object, place: str, symbol: None) -> None:
            raise ValueError("nothing is lifted here")

    assert _is_required_piece(Fixed(), None, "a1", set()) is False


def test_what_has_a_scene_is_drawn_and_a_game_is_not() -> None:
    class Holder:
        def scene(self) -> Scene:
            return held

    held = _places("a")
    assert to_scene(Holder()) is held
    assert to_scene(held) is held
    game = registry.game("chess")
    for wrong in (game, 5):
        with pytest.raises(TypeError, match="a scene, position or match is expected, not "):
            to_scene(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["xiangqi", "shogi"])
def test_positions_of_a_sheet_show_themselves(name: str) -> None:
    game = registry.game(name)
    position: Any = game.parse(game.start)
    assert position.scene() == game.scene(position)
    assert position._repr_svg_() == game.scene(position)._repr_svg_()
    assert position._repr_svg_().startswith("<svg")


def test_a_text_is_no_position_whatever_else_is_asked_for() -> None:
    with pytest.raises(TypeError) as plain:
        draw.svg("8/8/8/8/8/8/8/8 w - - 0 1")  # type: ignore[arg-type]
    with pytest.raises(TypeError) as asked:
        draw.svg("8/8/8/8/8/8/8/8 w - - 0 1", look="flat")  # type: ignore[arg-type]
    assert str(plain.value) == str(asked.value)


def test_a_notebook_displays_the_text_of_a_drawing_as_a_picture() -> None:
    match = Match("chess")
    for picture in (draw.svg(match), draw.animation(match, "e4 e5")):
        assert isinstance(picture, str) and type(picture._repr_svg_()) is str
        assert picture._repr_svg_() == picture
        assert pickle.loads(pickle.dumps(picture)) == picture  # noqa: S301
        assert json.loads(json.dumps(picture)) == picture


@pytest.mark.parametrize("name", ["svg", "png", "text", "animation", "animation_png"])
def test_an_error_about_an_unknown_option_names_the_function_that_was_called(name: str) -> None:
    """It once named `scene`, which the user had not called."""
    with pytest.raises(TypeError) as caught:
        getattr(draw, name)(Match("chess"), colours="blue")
    assert str(caught.value) == (
        f"draw.{name}() got an unexpected keyword argument 'colours', expected one of arrows, board, "
        "captions, check, circles, coordinates, flip, highlights, last, look, marks, notes"
    )
