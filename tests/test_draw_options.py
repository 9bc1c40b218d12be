"""What can be drawn and how: the options of pictures, and lines of moves that play by themselves."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import forsyth
from forsyth import draw
from forsyth.draw.animation import MAX_ANIMATED_MOVES
from forsyth.draw.film import build_film, timed_group
from forsyth.draw.pointers import COLOURS, MAX_POINTERS
from forsyth.match import Match
from forsyth.record import Record
from forsyth.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\"'&\x00"
CHESS = forsyth.game("chess")
START = CHESS.parse(CHESS.start)
MATING = ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#")


def mated() -> Match[Any, Any]:
    match = forsyth.Match("chess")
    for move in MATING:
        match.play(move)
    return match


def marks_in(svg: str) -> dict[str, str]:
    root = ET.fromstring(svg)
    return {e.attrib["data-square"]: e.attrib["data-mark"] for e in root.iter() if "data-mark" in e.attrib}


def colours_of(svg: str, tag: str) -> list[str]:
    """The light colours of the elements of a kind that answer no pointer: arrows are paths, rings circles."""
    rules = dict(re.findall(r"\.(\w+)\{(?:fill|stroke):(#\w{6})\}", svg.split("@media", maxsplit=1)[0]))
    found = [e for e in ET.fromstring(svg).iter(f"{SVG}{tag}") if e.get("pointer-events") == "none"]
    return [rules[e.attrib["class"]] for e in found]


# --- what is drawn --------------------------------------------------------------------------------------


def test_whatever_holds_a_position_is_drawn() -> None:
    match = mated()
    record = Record.of(match)
    plain = draw.svg(match.position)
    node = record.tree().end
    board = forsyth.chess.Board()
    for move in MATING:
        board.play(move)
    reading = forsyth.read(str(match.position), "chess")
    for one in (match, match.scene(), record, node, board, reading):
        assert draw.svg(one) == plain
    assert draw.text(reading) == draw.text(match)
    assert draw.svg(forsyth.cotulenh.CoTuLenh()) == draw.svg(forsyth.game("cotulenh").new_game())


def test_a_reading_marks_its_findings() -> None:
    reading = forsyth.check("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "chess")
    svg = draw.svg(reading)
    assert marks_in(svg) == {"e8": "error"}
    assert f"<title>{reading.errors[0].message}</title>".replace("'", "'") in svg
    with pytest.raises(ValueError, match="could not be read"):
        draw.svg(forsyth.check("4k3/8", "chess"))


def test_a_node_shows_the_drawings_of_its_comments() -> None:
    record = forsyth.parse_record("1. e4 {[%cal Ge2e4,Rd2d4,Ga9b9][%csl Ye5,Zz1]} e5 *", "chess")
    first = record.tree().at([0])
    svg = draw.svg(first)
    assert colours_of(svg, "path") == [COLOURS["green"].light, COLOURS["red"].light]
    assert colours_of(svg, "circle") == [COLOURS["yellow"].light]


@pytest.mark.parametrize("option", ["flip", "look", "board", "marks", "notes", "last", "check"])
def test_a_bare_scene_is_drawn_as_it_is(option: str) -> None:
    given: dict[str, Any] = {
        "flip": True,
        "check": True,
        "last": True,
        "marks": {"a1": "last"},
        "notes": {"a1": ""},
    }
    with pytest.raises(ValueError, match=f"{option} needs a position"):
        draw.svg(START.scene(), **{option: given.get(option, {"a1": "letters"})})


# --- marks and drawings ---------------------------------------------------------------------------------


def test_last_move_and_check() -> None:
    assert marks_in(draw.svg(mated(), last=True, check=True)) == {"h5": "last", "f7": "last", "e8": "check"}
    assert marks_in(draw.svg(mated())) == {}
    assert marks_in(draw.svg(START, last=("a1", "b1"), check=True)) == {"a1": "last", "b1": "last"}
    assert marks_in(draw.svg(mated(), last=True, marks={"f7": "target"}))["f7"] == "target"
    with pytest.raises(TypeError, match="expected True or the squares"):
        draw.svg(START, last="e2")


@pytest.mark.parametrize("name", ["cotulenh", "xiangqi", "shogi"])
def test_check_is_marked_in_every_game_that_has_it(name: str) -> None:
    match = forsyth.Match(name)
    game: Any = match.game
    for _ in range(40):
        checking = [m for m in match.moves() if game.is_check(game.play(match.position, m))]
        match.play(checking[0] if checking else match.moves()[len(match) * 7 % len(match.moves())])
        if checking:
            break
    assert list(marks_in(draw.svg(match, check=True)).values()).count("check") == 1


@pytest.mark.parametrize(
    ("spelling", "colour"),
    [
        ("e2e4", COLOURS["green"].light),
        ("e2-e4:red", COLOURS["red"].light),
        ("e2e4:#123abc", "#123abc"),
        (("e2", "e4"), COLOURS["green"].light),
        (("e2", "e4", "blue"), COLOURS["blue"].light),
        (forsyth.record.Arrow("e2", "e4", "Y"), COLOURS["yellow"].light),
    ],
)
def test_spellings_of_arrows(spelling: Any, colour: str) -> None:
    assert colours_of(draw.svg(START, arrows=[spelling]), "path") == [colour]


@pytest.mark.parametrize("spelling", ["e4:purple", ("e4", "purple"), forsyth.record.Circle("e4", "P")])
def test_spellings_of_circles(spelling: Any) -> None:
    assert colours_of(draw.svg(START, circles=[spelling]), "circle") == [COLOURS["purple"].light]


def test_highlights_tint_the_ground() -> None:
    assert draw.svg(START, highlights={"e4": "red"}) == draw.svg(START, highlights=["e4:red"])
    assert draw.svg(START, highlights=["e4"]) == draw.svg(START, highlights=[("e4", "yellow")])
    assert draw.svg(START, highlights=["e4"]).count('opacity=".6"') == 1


def test_an_arrow_to_its_own_place_is_a_ring() -> None:
    assert len(colours_of(draw.svg(START, arrows=[("e2", "e2")]), "circle")) == 1


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"arrows": ["e2e9"]}, "'e2e9' is not an arrow between two places"),
        ({"arrows": ["e2e4:pink"]}, "there is no colour 'pink'; choose one of green, red"),
        ({"arrows": [("e2", "e9")]}, "the picture has no place 'e9'"),
        ({"circles": ["e9"]}, "the picture has no place 'e9'"),
        ({"circles": ["e4:#12345"]}, "there is no colour '#12345'"),
        ({"highlights": {"e4": "<"}}, "there is no colour '<'"),
        (
            {"coordinates": "left"},
            "there is no place of coordinates 'left'; choose one of outside, inside, none",
        ),
        ({"look": "wood"}, "there is no chess look 'wood'"),
        ({"board": "pink"}, "there is no chess board 'pink'"),
        ({"marks": {"e4": "x"}}, "there is no mark 'x'"),
        ({"arrows": ["e2e4"] * (MAX_POINTERS + 1)}, f"at most {MAX_POINTERS} arrows"),
        ({"circles": ["e4"] * (MAX_POINTERS + 1)}, f"at most {MAX_POINTERS} circles"),
        ({"highlights": ["e4"] * (MAX_POINTERS + 1)}, f"at most {MAX_POINTERS} highlights"),
    ],
)
def test_other_values_are_refused_by_name(how: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=re.escape(error)):
        draw.svg(START, **how)


@pytest.mark.parametrize(
    "how", [{"arrows": "e2e4"}, {"circles": [4]}, {"arrows": [4]}, {"size": "1"}, {"x": 1}]
)
def test_other_types_are_refused(how: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        draw.svg(START, **how)


def test_hostile_notes_stay_words() -> None:
    root = ET.fromstring(draw.svg(START, notes={"e4": HOSTILE}, circles=["e4"]))
    assert not list(root.iter(f"{SVG}script"))
    assert HOSTILE.replace("\x00", "\ufffd") in [e.text for e in root.iter(f"{SVG}title")]


# --- around the board -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", forsyth.games())
def test_coordinates_inside_or_nowhere_take_no_room(name: str) -> None:
    game = forsyth.game(name)
    sizes: dict[str, Scene] = {
        place: draw.scene(game.new_game(1), coordinates=place) for place in ("outside", "inside", "none")
    }
    svgs = {place: draw.svg(scene) for place, scene in sizes.items()}
    assert sizes["inside"].width == sizes["none"].width < sizes["outside"].width
    assert 'data-labels=""' in svgs["outside"] and 'data-labels="inside"' in svgs["inside"]
    assert "data-labels" not in svgs["none"]


def test_without_captions_the_picture_is_lower() -> None:
    assert draw.scene(START, captions=False).height < draw.scene(START).height
    assert "White to move ·" not in draw.svg(START, captions=False)


def test_look_board_and_side() -> None:
    turned = draw.scene(START, flip=True, look="letters", board="green")
    assert turned.areas[0].column_labels[0] == "h"
    assert turned.palette["dark"] == CHESS.boards["green"]["dark"]
    assert turned.glyphs != START.scene().glyphs


# --- lines of moves -------------------------------------------------------------------------------------


def shown_at(svg: str, frame: int) -> list[str]:
    """The squares with a man in a frame of a film, by its times."""
    root = ET.fromstring(svg)
    parents = {child: parent for parent in root.iter() for child in parent}
    found = []
    for token in root.iter():
        if "data-token" not in token.attrib:
            continue
        around: Any = token
        seen = True
        while around is not None:
            if "data-from" in around.attrib:
                seen = seen and int(around.attrib["data-from"]) <= frame < int(around.attrib["data-to"])
            around = parents.get(around)
        if seen:
            found.append(f"{token.attrib['data-token']} {token.get('x')} {token.get('y')}")
    return sorted(found)


@pytest.mark.parametrize("name", forsyth.games())
def test_every_frame_of_a_film_shows_its_scene(name: str) -> None:
    game = forsyth.game(name)
    match = forsyth.Match(game, game.new_game(1))
    for number in range(5):
        match.play(match.moves()[number * 7 % len(match.moves())])
    svg = draw.animation(match)
    for frame, position in enumerate([match.start, *(ply.after for ply in match)]):
        still = draw.svg(position)
        assert shown_at(svg, frame) == shown_at(still, 0)


def test_a_film_of_one_scene_has_no_time() -> None:
    film = build_film([START.scene()])
    assert "data-from" not in film.write_body(lambda key, run: timed_group(run, 0))


def test_what_is_animated() -> None:
    match = mated()
    record = Record.of(match)
    svg = draw.animation(match)
    assert svg == draw.animation(record) == draw.animation(record.tree().end)
    assert svg == draw.animation(START, MATING) == draw.animation(CHESS.read(CHESS.start), " ".join(MATING))
    assert svg == draw.animation(START, "1. e4 e5 2.Qh5 Nc6 3... Bc4 Nf6 Qxf7#")
    assert len(match) == len(MATING)
    assert "Chess position, Black to move; 7 moves played" in svg


def test_motion_is_left_to_who_wants_it() -> None:
    """Rules that move stand under the query alone, and the picture without them is the end of the line."""
    svg = draw.animation(mated(), last=False)
    style = ET.fromstring(svg).findtext(f"{SVG}style", "")
    still, _, moving = style.partition("@media(prefers-reduced-motion:no-preference)")
    assert "animation:" not in still.replace("@keyframes", "") and moving.count("animation:") > 10
    root = ET.fromstring(svg)
    hidden = [e for e in root.iter() if e.get("visibility") == "hidden"]
    ends = [e for e in root.iter() if e.get("data-to") == str(len(MATING) + 1)]
    assert hidden and ends
    assert all(e.get("visibility") is None for e in ends)
    assert all(int(e.attrib["data-to"]) <= len(MATING) for e in hidden)
    assert "script" not in svg


def test_names_of_a_film_resolve() -> None:
    svg = draw.animation(mated())
    root = ET.fromstring(svg)
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert all(e.attrib["href"][1:] in ids for e in root.iter() if "href" in e.attrib)
    moved = set(re.findall(r"animation:(\S+)", svg))
    assert moved == set(re.findall(r"@keyframes ([^{]+)", svg))


@pytest.mark.parametrize("seconds", [0, -1, 61, float("nan"), "1", None])
def test_times_out_of_bounds(seconds: Any) -> None:
    with pytest.raises(ValueError, match=r"expected 0\.1 to 60 seconds"):
        draw.animation(START, ["e4"], seconds=seconds)


def test_lines_that_cannot_be_animated() -> None:
    with pytest.raises(forsyth.MoveError):
        draw.animation(START, ["e4", "e4"])
    with pytest.raises(ValueError, match=f"expected at most {MAX_ANIMATED_MOVES}"):
        draw.animation(START, ["Nf3"] * (MAX_ANIMATED_MOVES + 1))
    for wrong in (None, CHESS.start, CHESS, START.scene()):
        with pytest.raises(TypeError, match="a position, match or record is expected"):
            draw.animation(wrong)  # type: ignore[arg-type]
