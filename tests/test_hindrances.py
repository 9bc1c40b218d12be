"""Why a move is not possible: in every game, of texts and of pairs of places, and never of a legal move."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.games.test_kit_sheets import KING, ROOK, sheet

import forsyth
from forsyth.abilities import Explaining
from forsyth.diagnostics import MoveError
from forsyth.games.cotulenh.position import with_session
from forsyth.games.cotulenh.rules import explain as cotulenh_reasons
from forsyth.kit.game import GridGame
from forsyth.kit.movement import MOVE, TAKE, Leap, Line
from forsyth.kit.sheet import Kind
from forsyth.move_errors import CODES, UNEXPLAINED, Hindrance, closest_to_legal
from forsyth.registry import games

CHECK = "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"
PINNED = "4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1"
CROSSING = "5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1"
LOST = "6k1/8/8/8/8/8/8/4K2R w - - 0 1"
PROMOTING = "6k1/P7/8/8/8/8/8/4K3 w - - 0 1"
CROSSED = "6k1/8/8/K1pP3r/8/8/8/8 w - c6 0 1"
DRAWN = "8/8/3k4/8/3K4/8/8/8 w - - 0 1"
POCKET = "4k3/8/8/8/8/8/4r3/4K3[PNp] w - - 0 1"
CANNONS = "4k4/9/9/9/9/9/9/1C2r4/9/3K5 w - - 0 1"
BARE = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
AT_RIVER = "3k5/9/9/4P4/9/6B2/9/9/9/4K4 w - - 0 1"
FACING = "4k4/9/9/9/9/9/9/9/R3A4/4K4 w - - 0 1"
HANDS = "4k4/9/9/9/4p4/9/4P4/9/4K4 b PN 1"
GUARDED = "6c4/11/11/11/11/11/11/4g6/11/4F6/11/5C5 r - - 0 9"
FACED = "6c4/11/11/11/11/11/6T4/11/11/11/11/6C4 r - - 0 9"
ATTACKED = "6c4/11/11/11/11/11/11/11/5t5/5I5/11/5C5 r - - 0 9"
STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
AT_SEA = "6c4/11/11/11/11/11/11/1(NFT)9/11/11/11/5C5 r - - 0 9"


def game_with(name: str, variant: str | None = None) -> Any:
    game = forsyth.game(name)
    return game if variant is None else game.with_variant(variant)


def _is_explaining(game: object) -> bool:
    return isinstance(game, Explaining)


@pytest.mark.parametrize(
    ("name", "text", "move", "code", "squares"),
    [
        ("chess", "start", "e2e5", "move.way", ()),
        ("chess", "start", "e5", "move.way", ()),
        ("chess", "start", "Bb5", "move.blocked", ("e2",)),
        ("chess", "start", "Ra1a5", "move.blocked", ("a2",)),
        ("chess", "start", "Nd2", "move.own", ("d2",)),
        ("chess", "start", "d2b1", "move.way", ()),
        ("chess", DRAWN, "Kd5", "move.attacked", ("d6",)),
        ("chess", DRAWN, "d4d6", "move.way", ()),
        ("chess", "start", "O-O", "move.blocked", ("f1",)),
        ("chess", "start", "exd3", "move.capture", ()),
        ("chess", "start", "e7e5", "move.other", ("e7",)),
        ("chess", "start", "e4e5", "move.empty", ("e4",)),
        ("chess", "start", "nonsense", "move.unreadable", ()),
        ("chess", PINNED, "Nc4", "move.pinned", ("e8",)),
        ("chess", PINNED, "e3c4", "move.pinned", ("e8",)),
        ("chess", CHECK, "Rh2", "move.check", ("e8",)),
        ("chess", CHECK, "O-O", "move.castling", ("e8",)),
        ("chess", CHECK, "Ke2", "move.attacked", ("e8",)),
        ("chess", CROSSING, "O-O", "move.castling", ("f8",)),
        ("chess", LOST, "O-O", "move.castling", ()),
        ("chess", PROMOTING, "a8", "move.promotion", ("a8",)),
        ("chess", CROSSED, "dxc6", "move.pinned", ("h5",)),
        ("xiangqi", "start", "b1d2", "move.blocked", ("c1",)),
        ("xiangqi", "start", "a4b4", "move.zone", ()),
        ("xiangqi", "start", "e1e3", "move.way", ()),
        ("xiangqi", CANNONS, "b3e3", "move.blocked", ()),
        ("xiangqi", "start", "a1a5", "move.blocked", ("a4",)),
        ("xiangqi", FACING, "e2d1", "move.pinned", ("e10",)),
        ("xiangqi", "start", "R1+5", "move.blocked", ("i4",)),
        ("xiangqi", "start", "r1.5", "move.own", ("e1",)),
        ("xiangqi", "start", "P5+2", "move.way", ()),
        ("xiangqi", "start", "H2+4", "move.blocked", ("g1",)),
        ("xiangqi", "start", "K5=4", "move.own", ("f1",)),
        ("xiangqi", BARE, "K5=6", "move.attacked", ("d10",)),
        ("xiangqi", AT_RIVER, "E3+5", "move.zone", ()),
        ("shogi", "start", "P-7e", "move.way", ()),
        ("shogi", "start", "B-2b", "move.blocked", ("7g",)),
        ("shogi", "start", "Bx2b+", "move.blocked", ("7g",)),
        ("shogi", "start", "N-7g", "move.own", ("7g",)),
        ("shogi", "start", "K-5g", "move.way", ()),
        ("shogi", "start", "8h2b", "move.blocked", ("7g",)),
        ("shogi", "start", "8h9i", "move.own", ("9i",)),
        ("shogi", "start", "P*5e", "move.empty", ()),
        ("shogi", HANDS, "P*5d", "move.hand", ("5g",)),
        ("shogi", HANDS, "N*4a", "move.hand", ()),
        ("shogi", HANDS, "N*5e", "move.hand", ("5e",)),
        ("shogi", "start", "7g7f+", "move.promotion", ("7f",)),
        ("cotulenh", "start", "Tf8", "move.far", ()),
        ("cotulenh", "start", "commit", "move.illegal", ()),
        ("cotulenh", GUARDED, "Fe6", "move.air_defence", ("e5",)),
        ("cotulenh", FACED, "Th6", "move.exposed", ("g1", "g12")),
        ("azul", "start", "0W0", "move.empty", ()),
        ("azul", "start", "tile", "move.illegal", ()),
    ],
)
def test_a_text_is_explained(name: str, text: str, move: str, code: str, squares: tuple[str, ...]) -> None:
    game = game_with(name)
    position = game.parse(game.start if text == "start" else text)
    found = game.explain(position, move)
    assert (found.code, found.squares) == (code, squares), found.message


@pytest.mark.parametrize(
    ("text", "origin", "target", "piece", "code", "squares"),
    [
        ("start", "f4", "a4", "", "move.terrain", ("b4",)),
        ("start", "b2", "d4", "", "move.terrain", ("d4",)),
        ("start", "d3", "d9", "", "move.terrain", ()),
        ("start", "h4", "i4", "", "move.stack", ("i4",)),
        ("start", "g1", "g5", "", "move.blocked", ("g3",)),
        ("start", "h1", "h2", "", "move.empty", ("h1",)),
        ("start", "f2", "f3", "", "move.way", ()),
        ("start", "a1", "z9", "", "move.place", ()),
        (STACK, "c5", "e5", "N", "move.terrain", ("d5",)),
        (STACK, "f1", "g1", "", "move.exposed", ("g12",)),
        (ATTACKED, "f3", "e3", "", "move.pinned", ("f4",)),
    ],
)
def test_what_is_in_the_way_on_the_map(
    text: str, origin: str, target: str, piece: str, code: str, squares: tuple[str, ...]
) -> None:
    game = game_with("cotulenh")
    position = game.parse(game.start if text == "start" else text)
    found = game.why_not(position, origin, target, piece)
    assert found is not None and (found.code, found.squares) == (code, squares), found


def test_a_deploy_turn_that_cannot_end_says_why() -> None:
    game = game_with("cotulenh")
    position = game.parse(AT_SEA)
    assert game.why_open(position) is None
    opened = game.play(position, game.read_move(position, "N>b6"))
    found = game.why_open(opened)
    assert found == (
        "move.unfinished",
        "the air force with tank left on b5 cannot stay there because it needs land",
        ("b5",),
    )
    assert game.explain(opened, "commit") == found
    assert game.why_not(opened, "f1", "f2").code == "move.session"
    ended = game.parse(STACK)
    ended = game.play(ended, game.read_move(ended, "N>c6"))
    assert game.why_open(ended) is None


def test_a_line_of_tiles_is_explained_in_the_words_of_the_board() -> None:
    game = game_with("azul")
    position = game.parse(game.names["midgame"])
    mover = position.current
    assert game.why_not(position, "f4", f"p{1 - mover}l0").message.startswith("this is Player ")
    assert game.why_not(position, "f4", f"p{mover}w00").code == "move.place"
    assert game.why_not(position, "p0l0", f"p{mover}l0").code == "move.empty"
    legal = set(game.moves(position))
    refused = [f"4{colour}{row}" for colour in "BRW" for row in range(5) if f"4{colour}{row}" not in legal]
    assert refused
    for move in refused:
        found = game.explain(position, move)
        assert found.code == "move.room"
        assert f"row {int(move[2]) + 1}" in found.message


def test_a_man_in_a_pocket_is_explained() -> None:
    game = game_with("chess", "crazyhouse")
    position = game.parse(POCKET)
    assert game.why_not(position, "N@", "a5").code == "move.check"
    assert game.why_not(position, "P@", "a8").code == "move.hand"
    assert game.why_not(position, "Q@", "a5").code == "move.empty"
    assert game.why_not(position, "p@", "a5").code == "move.other"
    assert game.why_not(position, "N@", "e2").squares == ("e2",)


@pytest.mark.parametrize("name", games())
def test_the_two_ways_of_asking_agree_with_the_rules(name: str) -> None:
    """Of every pair of places: None exactly where a legal move leads there, and else a known code."""
    game = game_with(name)
    assert _is_explaining(game)
    chance = random.Random(name)
    position = game.parse(game.start)
    for _ in range(6):
        moves = game.moves(position)
        facts = [game.describe_move(position, move) for move in moves]
        for fact in chance.sample(facts, min(12, len(facts))):
            assert game.explain(position, fact.move) is None, fact
            if fact.origin and fact.target:
                assert game.why_not(position, fact.origin, fact.target, fact.piece) is None, fact
        ends = {(fact.origin, fact.target) for fact in facts}
        cells = [cell.id for area in game.scene(position).areas for cell in area.cells]
        groups = {pair for pair in ends if None not in pair}
        for _ in range(60):
            pair = chance.choice(cells), chance.choice(cells)
            found = game.why_not(position, *pair)
            if (pair[0].partition(".")[0], pair[1].partition(".")[0]) not in groups:
                assert isinstance(found, Hindrance), pair
                assert found.code in CODES
                assert set(found.squares) <= set(cells)
                assert not found.message.endswith(".")
        position = game.play(position, chance.choice(moves))


@pytest.mark.parametrize("name", games())
def test_hostile_texts_are_explained_too(name: str) -> None:
    game = game_with(name)
    position = game.parse(game.start)
    for text in ("", " ", "\0", "x" * 5000, "e2" * 40, "O-O-O-O", "P*", "(((", "deal", "commit", "０"):
        found = game.explain(position, text)
        assert found is None or found.code in CODES
        assert game.why_not(position, text, text) is not None
    with pytest.raises((TypeError, MoveError)):
        game.explain(None, "e4")


@pytest.mark.parametrize(
    ("name", "text", "origin", "target", "code", "message", "squares"),
    [
        (
            "chess",
            "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1",
            "e4",
            "e5",
            "move.blocked",
            "the pawn on e5 is in the way of the pawn on e4",
            ("e5",),
        ),
        ("chess", "4k3/8/8/4n3/8/8/4P3/4K3 w - - 0 1", "e2", "e4", "", "", ()),
        (
            "chess",
            "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1",
            "e2",
            "e4",
            "move.blocked",
            "the knight on e4 is in the way of the pawn on e2",
            ("e4",),
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/4P3/8 w - - 0 1",
            "e2",
            "e4",
            "move.illegal",
            "the pawn cannot legally move from e2 to e4",
            (),
        ),
        ("xiangqi", "start", "z9", "a1", "move.place", "there is no z9 on the board", ()),
        ("xiangqi", "start", "P*", "a1", "move.place", "there is no P* on the board", ()),
        ("shogi", "start", "X*", "5e", "move.place", "there is no X* on the board", ()),
        (
            "xiangqi",
            "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1",
            "d10",
            "d9",
            "move.ended",
            "the game has ended: checkmate",
            (),
        ),
        (
            "shogi",
            "3lkl3/3p1p3/4G4/9/9/9/9/9/4K4 b P 1",
            "P*",
            "5b",
            "move.hand",
            "a pawn may not be dropped to give mate",
            ("5b",),
        ),
        ("shogi", "4k4/9/4G4/9/9/9/9/9/4K4 b P 1", "P*", "5b", "", "", ()),
        (
            "shogi",
            "k8/l8/9/9/9/9/4r4/9/4K4 b P 1",
            "P*",
            "1e",
            "move.check",
            "the king on 5i is in check from the rook on 5g, and this move does not end it",
            ("5g",),
        ),
        ("shogi", "k8/l8/9/9/9/9/4r4/9/4K4 b P 1", "P*", "5h", "", "", ()),
        # From there it could go to the first square of all.
        (
            "shogi",
            "4k4/9/9/9/9/9/4r4/9/4K4 b P 1",
            "P*",
            "9b",
            "move.check",
            "the king on 5i is in check from the rook on 5g, and this move does not end it",
            ("5g",),
        ),
    ],
)
def test_what_is_in_the_way_is_said_in_one_sentence(
    name: str, text: str, origin: str, target: str, code: str, message: str, squares: tuple[str, ...]
) -> None:
    game: Any = forsyth.game(name)
    position = game.read(game.names.get(text, text)).position
    expected = Hindrance(code, message, squares) if code else None
    assert game.why_not(position, origin, target, "") == expected


def test_the_sentence_about_a_man_of_the_mover() -> None:
    game: Any = forsyth.game("shogi")
    expected = Hindrance("move.own", "the mover's own pawn stands on 7g", ("7g",))
    assert game.explain(game.new_game(), "N-7g") == expected


@pytest.mark.parametrize(
    ("variant", "text", "reason"),
    [
        ("atomic", "8/8/8/8/8/4K3/8/7p b - - 0 1", "king exploded"),
        ("kingofthehill", "8/4k3/8/8/4K3/8/8/8 b - - 0 1", "king in the center"),
        ("standard", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
    ],
)
def test_a_game_has_ended_where_no_move_is_left(variant: str, text: str, reason: str) -> None:
    game = game_with("chess", variant)
    position = game.read(text).position
    assert not game.moves(position)
    assert game.explain(position, "Kd6").message == f"the game has ended: {reason}"


def test_a_capture_beside_the_movers_king_explodes_it() -> None:
    game = game_with("chess", "atomic")
    position = game.read("4k3/8/8/8/8/8/3n4/r2QK3 w - - 0 1").position
    expected = Hindrance(
        "move.explosion", "the mover's own king would explode with the capture on d2", ("d2",)
    )
    assert game.why_not(position, "d1", "d2", "") == expected
    assert game.why_not(position, "d1", "a1", "") is None


def test_nobody_castles_without_a_king() -> None:
    game: Any = forsyth.game("chess")
    position = game.read("4k3/8/8/8/8/8/8/R6R w - - 0 1").position
    for text in ("O-O", "O-O-O"):
        expected = Hindrance("move.castling", "the side to move has no king to castle with")
        assert game.explain(position, text) == expected


def test_a_factory_that_is_not_there() -> None:
    game: Any = forsyth.game("azul")
    position = game.parse(game.start)
    assert len(position.factories) == 5
    for text in ("5B1", "7B1"):
        assert game.explain(position, text) == Hindrance("move.place", "there are 5 factories")
    assert game.explain(position, "4B1") != Hindrance("move.place", "there are 5 factories")


@pytest.mark.parametrize(
    ("text", "message", "squares"),
    [
        (
            "6c4/11/11/11/11/11/2I8/2T8/11/5t5/11/5C5 r - - 0 9 DEPLOY c5:T 1 I>c6",
            "the commander would be in danger from f3 at the end of the turn",
            ("f3",),
        ),
        (
            "6c4/11/11/11/11/11/11/2T8/2I8/11/11/6C4 r - - 0 9 DEPLOY c5:T 1 I>c4",
            "the commander would be in danger from g1 and g12 at the end of the turn",
            ("g1", "g12"),
        ),
    ],
)
def test_a_turn_that_leaves_the_commander_in_danger_stays_open(
    text: str, message: str, squares: tuple[str, ...]
) -> None:
    game: Any = forsyth.game("cotulenh")
    expected = Hindrance("move.unfinished", message, squares)
    assert game.why_open(game.parse(text, legality=False)) == expected


def test_a_turn_that_is_not_open_or_has_not_begun() -> None:
    game: Any = forsyth.game("cotulenh")
    assert cotulenh_reasons.explain_open_turn(game.parse(STACK)) == Hindrance(
        "move.unfinished", "no deploy turn is open"
    )
    opened = game.parse(
        "6c4/11/11/11/11/11/2I8/2T8/11/11/11/5C5 r - - 0 9 DEPLOY c5:T 1 I>c6", legality=False
    )
    begun = with_session(opened, replace(opened.session, steps=(), moved_types=0))
    assert cotulenh_reasons.explain_open_turn(begun) == Hindrance(
        "move.unfinished", "no piece of the stack on c5 has moved yet", ("c5",)
    )


def test_where_nothing_stands_nothing_is_reached() -> None:
    game: Any = forsyth.game("cotulenh")
    position = game.parse(STACK)
    assert [cotulenh_reasons.list_reachable_squares(position, square) for square in ("a1", "z9")] == [(), ()]
    assert cotulenh_reasons.list_reachable_squares(position, "f1")


GUARD = Kind(
    "G",
    "guard",
    (Line(0, 1, MOVE, 2), Line(1, 0, TAKE, 2), Leap(-1, 0, flags=TAKE), Leap(-1, 1, flags=MOVE)),
)


def test_men_of_a_sheet_that_only_capture_only_move_or_go_a_few_squares() -> None:
    game = GridGame(sheet(kinds=(KING, ROOK, GUARD)))
    position = game.read("4k/1rr2/1rG1r/2r2/K4 w - - 0 1").position
    assert position is not None
    said = {
        target: None if found is None else (found.code, found.message, found.squares)
        for target in ("c4", "c5", "d3", "e3", "b3", "b4", "a3", "b2")
        for found in (game.why_not(position, "c3", target, ""),)
    }
    way = "the guard on c3 does not move like that to"
    assert said == {
        "c4": ("move.capture", "the guard on c3 does not capture like that on c4", ("c4",)),
        "c5": ("move.blocked", "the rook on c4 is in the way of the guard on c3", ("c4",)),
        "d3": ("move.capture", "the guard on c3 goes to d3 only to capture", ("d3",)),
        "e3": None,
        "b3": None,
        "b4": ("move.capture", "the guard on c3 does not capture like that on b4", ("b4",)),
        "a3": ("move.way", f"{way} a3", ()),
        "b2": ("move.way", f"{way} b2", ()),
    }
    # Two squares forwards and no more.
    far = game.read("4k/5/5/5/K1G2 w - - 0 1").position
    assert far is not None
    assert game.why_not(far, "c1", "c3", "") is None
    assert game.why_not(far, "c1", "c4", "") == Hindrance(
        "move.way", "the guard on c1 does not move like that to c4"
    )


def test_of_several_the_nearest_is_said() -> None:
    far, pinned = Hindrance("move.far", "far"), Hindrance("move.pinned", "pinned")
    assert closest_to_legal([far, pinned]) is pinned
    assert closest_to_legal([pinned, far]) is pinned
    assert closest_to_legal([pinned, None]) is None
    assert closest_to_legal([]) is None
    assert set(UNEXPLAINED) < set(CODES)


def test_every_code_is_documented() -> None:
    page = (Path(__file__).parents[1] / "docs" / "library.md").read_text(encoding="utf-8")
    section = page.partition("### Why a move is not possible")[2].partition("\n## ")[0]
    said = dict(re.findall(r"^\| `(move\.[a-z_]+)` \| (.+) \|$", section, re.MULTILINE))
    assert said == dict(CODES)


@pytest.mark.parametrize(
    ("name", "text", "origin", "target", "message", "squares"),
    [
        ("chess", POCKET, "Q@", "a5", "there is no white queen in hand", ()),
        ("chess", POCKET, "p@", "a5", "Black is not to move", ()),
        ("chess", POCKET, "X@", "a5", "there is no X@ on the board", ()),
        (
            "chess",
            POCKET,
            "N@",
            "e2",
            "a piece in hand goes to an empty square only, and the black rook is on e2",
            ("e2",),
        ),
        ("chess", POCKET, "P@", "a8", "a pawn may not be dropped on the first or last rank", ()),
        ("chess", POCKET, "P@", "h1", "a pawn may not be dropped on the first or last rank", ()),
        (
            "chess",
            POCKET,
            "P@",
            "a7",
            "the king on e1 is in check from the rook on e2, and this move does not end it",
            ("e2",),
        ),
        ("shogi", HANDS, "R*", "5e", "there is no rook in hand", ()),
        (
            "shogi",
            HANDS,
            "N*",
            "5e",
            "a piece in hand can be dropped only on an empty square, but a pawn is on 5e",
            ("5e",),
        ),
        ("shogi", HANDS, "P*", "5d", "there is a pawn on the same file already, on 5g", ("5g",)),
        ("shogi", HANDS, "P*", "4a", "a pawn on 4a could never move", ()),
        ("shogi", HANDS, "N*", "4a", "a knight on 4a could never move", ()),
        ("shogi", HANDS, "N*", "4b", "a knight on 4b could never move", ()),
        # Only a pawn may not share its file with another one.
        ("shogi", HANDS.replace("4P4", "4PN3"), "N*", "4a", "a knight on 4a could never move", ()),
    ],
)
def test_a_refused_drop_has_its_reason(
    name: str, text: str, origin: str, target: str, message: str, squares: tuple[str, ...]
) -> None:
    game = game_with("chess", "crazyhouse") if name == "chess" else game_with(name)
    found = game.why_not(game.parse(text), origin, target)
    assert (found.message, found.squares) == (message, squares)


@pytest.mark.parametrize(
    ("name", "text", "origin", "target"),
    [
        ("chess", POCKET.replace("4r3", "8"), "P@", "a7"),
        ("chess", POCKET.replace("4r3", "8"), "P@", "h2"),
        ("chess", POCKET.replace("4r3", "8"), "N@", "a8"),
        ("shogi", HANDS, "P*", "4b"),
        ("shogi", HANDS, "N*", "4c"),
        ("shogi", HANDS.replace("4P4", "9"), "P*", "5d"),
    ],
)
def test_a_possible_drop_has_no_reason(name: str, text: str, origin: str, target: str) -> None:
    game = game_with("chess", "crazyhouse") if name == "chess" else game_with(name)
    assert game.why_not(game.parse(text), origin, target) is None
