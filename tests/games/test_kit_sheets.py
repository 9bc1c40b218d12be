"""The kit with games of other shapes than xiangqi and shogi: wide boards, promotion without hands."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import replace
from typing import Any

import pytest

import forsyth
from forsyth.diagnostics import MODES, MoveError
from forsyth.kit.game import GridGame
from forsyth.kit.movement import HOP_MOVE, HOP_TAKE, Leap, Line, Zone, leaps, lines
from forsyth.kit.plain_look import plain_look
from forsyth.kit.sheet import Kind, Sheet, Side
from forsyth.testing import conform

KING = Kind("K", "king", (*leaps(0, 1), *leaps(1, 1)), max_count=1, royal=True)
ROOK = Kind("R", "rook", lines(0, 1), value=5)
LANCE = Kind("L", "lance", (Line(0, 1),), value=3, promotes="+L")
GOLD = Kind("+L", "gold", leaps(0, 1))
PAWN = Kind("P", "pawn", (Leap(0, 1),))


def sheet(**changes: Any) -> Sheet:
    parts: dict[str, Any] = {
        "name": "tiny",
        "title": "Tiny",
        "start": "1r2k/5/5/5/K2R1 w - - 0 1",
        "files": "abcde",
        "ranks": ("5", "4", "3", "2", "1"),
        "kinds": (KING, ROOK),
        "sides": (Side("w", "White"), Side("b", "Black")),
    }
    parts |= changes
    parts.setdefault("look", plain_look((kind.letter for kind in parts["kinds"]), ("White", "Black")))
    return Sheet(**parts)


def wide(size: int) -> GridGame:
    files = "abcdefghijklmnop"[:size]
    start = f"1r{size - 4}pk/{size}/{size}/KP{size - 4}R1 w - - 0 1"
    ranks = ("4", "3", "2", "1")
    return GridGame(sheet(start=start, files=files, ranks=ranks, kinds=(KING, ROOK, PAWN)))


@pytest.mark.parametrize("size", [9, 10, 12, 16])
def test_boards_may_be_wide(size: int) -> None:
    game = wide(size)
    position = game.new_game()
    assert game.check(position) == ()
    assert game.likelihood(game.start) > 0.8
    # A pawn gets no further than its file.
    moved = game.put(position, "c2", "P")
    assert [finding.message for finding in game.check(moved)] == ["White's pawn cannot be on c2"]
    conform(game, [game.start])


def test_every_canonical_text_of_a_large_board_can_be_read() -> None:
    files, ranks = "abcdefghijklmnop", tuple(map(str, range(16, 0, -1)))
    start = "/".join(["15k", *["16"] * 14, "K2L12"]) + " w - - 0 1"
    camp = {"camp": Zone(files, ("16",))}
    kinds = (KING, LANCE, GOLD)
    game = GridGame(sheet(start=start, files=files, ranks=ranks, kinds=kinds, zones=camp, promotion="camp"))
    full = game.position(bytes([3]) * 256, b"", 1, 9999, 9999)
    assert game.max_text >= len(str(full)) > 512
    for mode in MODES:
        assert game.read(str(full), mode=mode).position == full
    too_long = game.read("P" * (game.max_text + 1))
    assert [finding.code for finding in too_long.diagnostics] == ["fen.length"]


@pytest.mark.parametrize(
    ("rank", "mended"),
    [("1PPPPPPPPP", "PPPPPPPPP"), ("8PP", "7PP"), ("9P", "8P"), ("7P", "8P"), ("PPPPPPPPP9", "PPPPPPPPP")],
)
def test_the_only_count_of_a_rank_is_corrected(rank: str, mended: str) -> None:
    text = f"1r5pk/{rank}/9/KP5R1 w - - 0 1"
    (found,) = wide(9).read(text).diagnostics
    assert found.fix is not None
    start, end = found.fix.span
    assert text[:start] + found.fix.replacement + text[end:] == text.replace(rank, mended)


@pytest.mark.parametrize("rank", ["PPPPPPPPPP1", "1P1P9", "PPPPPPPPPP"])
def test_a_rank_is_not_corrected_where_no_count_is_to_blame(rank: str) -> None:
    (found,) = wide(9).read(f"1r5pk/{rank}/9/KP5R1 w - - 0 1").diagnostics
    assert (found.code, found.fix) == ("board.rank_long", None)


def test_findings_stand_at_their_men_where_counts_are_added_up_on_a_wide_board() -> None:
    game = wide(12)
    text = "1r8pk/12/65P/KP8R1 w - - 0 1"
    reading = game.read(text, mode="lenient")
    assert reading.position is not None
    (finding,) = game.check(reading.position, text=text)
    assert (finding.square, text[finding.span.start : finding.span.end]) == ("l2", "P")


def test_men_may_promote_where_nothing_is_dropped() -> None:
    kinds = (KING, LANCE, GOLD)
    game = GridGame(
        sheet(
            start="1l2k/5/5/5/K2L1 w - - 0 1",
            kinds=kinds,
            zones={"camp": Zone("abcde", ("5",))},
            promotion="camp",
        )
    )
    promoted = game.new_game().play("d1d5+")
    assert game.check(promoted) == ()
    assert game.check(game.put(promoted, "a2", "+L")) == ()
    # Who has to promote is not there unpromoted.
    stuck = game.put(game.put(game.new_game(), "d1", None), "d5", "L")
    assert [finding.code for finding in game.check(stuck)] == ["man.place"]
    conform(game, [str(promoted)])


def test_men_that_only_hop_can_be_where_they_hop_to_and_can_be_dropped() -> None:
    hopper = Kind("G", "hopper", lines(0, 1, HOP_MOVE | HOP_TAKE))
    game = GridGame(sheet(start="2g1k/5/5/5/GK3 w - - 0 1", kinds=(KING, hopper)))
    hopped = game.new_game().play("a1c1")
    assert game.check(hopped) == ()
    fields = ("board", "side", "hands", "full")
    dropping = GridGame(sheet(start="2g1k/5/5/5/GK3 w - 1", kinds=(KING, hopper), fields=fields))
    position = dropping.parse("2g1k/5/5/5/1K3 w G 1")
    assert "G*a1" in map(dropping.coordinates.write_move, position.moves())


def test_men_that_only_capture_over_another_can_be_dropped_and_do_so() -> None:
    hopper = Kind("G", "hopper", lines(0, 1, HOP_TAKE))
    fields = ("board", "side", "hands", "full")
    game = GridGame(sheet(start="2g1k/5/5/5/GK3 w - 1", kinds=(KING, hopper), fields=fields))
    assert "G*a1" in map(game.coordinates.write_move, game.parse("2g1k/5/5/5/1K3 w G 1").moves())
    capturing = game.parse("g3k/5/K4/5/G4 w - 1").moves()
    assert "a1a5" in map(game.coordinates.write_move, capturing)
    assert "a1a2" not in map(game.coordinates.write_move, capturing)


@pytest.mark.parametrize("name", ["xiangqi", "shogi"])
def test_a_place_of_another_type_is_no_square(name: str) -> None:
    game: Any = forsyth.game(name)
    position = game.new_game()
    places: tuple[Any, ...] = ([], {}, None, 5)
    for place in places:
        with pytest.raises(ValueError, match="is not a square"):
            game.put(position, place, None)
        with pytest.raises(ValueError, match="is not a square"):
            game.lift(position, place, "e1")


@pytest.mark.parametrize("name", ["xiangqi", "shogi"])
def test_games_and_matches_go_to_other_processes(name: str) -> None:
    game: Any = forsyth.game(name)
    match = forsyth.Match(game)
    match.play(match.moves()[0])
    letters = game.with_look("letters")
    for thing in (game, match, letters.new_game()):
        assert pickle.loads(pickle.dumps(thing)) == thing  # noqa: S301
        assert copy.deepcopy(thing) == copy.copy(thing) == thing
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301
    assert pickle.loads(pickle.dumps(letters)).look == "letters"  # noqa: S301


class OwnGame(GridGame):
    """A game of somebody else: a subclass with a constructor of its own."""

    def __init__(self) -> None:
        super().__init__(sheet(look=TWO_LOOKS))
        self.motto = "onwards"


TWO_LOOKS = replace(
    plain_look("KR", ("White", "Black")),
    glyphs=dict.fromkeys(("large", "small"), plain_look("KR", ("", "")).glyphs["letters"]),
)


def test_with_look_keeps_the_subclass() -> None:
    game = OwnGame()
    small = game.with_look("small")
    assert type(small) is OwnGame
    assert (small.look, game.look, small.motto) == ("small", "large", "onwards")
    position: Any = small.new_game()
    assert type(position.game) is OwnGame
    assert position.game.look == small.parse(game.start).game.look == "small"
    assert [str(move) for move in small.moves(position)] == [
        str(move) for move in game.moves(game.new_game())
    ]
    conform(small)


@pytest.mark.parametrize("name", ["chess", "cotulenh", "azul"])
def test_the_other_games_keep_the_subclass_and_the_look_in_every_variant(name: str) -> None:
    game: Any = type("Own", (type(forsyth.game(name)),), {})()
    for look in game.looks:
        changed = game.with_look(look)
        assert (type(changed), changed.look) == (type(game), look)
        for variant in game.variants:
            played = changed.with_variant(variant)
            assert (type(played), played.look, played.variant) == (type(game), look, variant)


def test_a_position_of_another_game_of_the_kit_is_refused_by_name() -> None:
    other: Any = forsyth.game("shogi").new_game()
    with pytest.raises(TypeError, match="the position is one of shogi, expected a position of xiangqi"):
        forsyth.game("xiangqi").moves(other)
    nothing: Any = None
    with pytest.raises(TypeError, match="a position of xiangqi is expected"):
        forsyth.game("xiangqi").is_check(nothing)


def test_digits_in_a_row_are_all_added_up() -> None:
    game = forsyth.game("xiangqi")
    text = f"4k4/9/9/9/9/9/9/{'1' + 17 * '0' + '8'}/9/3K5 w - - 0 1"
    reading = game.read(text, mode="lenient")
    assert str(reading.require()) == "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"


def test_a_look_draws_every_man() -> None:
    with pytest.raises(ValueError, match="the look 'letters' does not draw R, r"):
        sheet(look=plain_look("K", ("White", "Black")))


@pytest.mark.parametrize("name", ["xiangqi", "shogi", "chess", "cotulenh"])
def test_a_start_position_is_detected_with_confidence(name: str) -> None:
    found = forsyth.detect(forsyth.game(name).start)
    assert found.game == name
    assert found.confidence > 0.6


@pytest.mark.parametrize("name", ["xiangqi", "shogi", "cotulenh", "azul"])
def test_the_name_of_a_field_is_text(name: str) -> None:
    game: Any = forsyth.game(name)
    with pytest.raises(TypeError, match="the name of a field is of type list, expected text"):
        game.with_field(game.new_game(), [], "1")


def test_a_text_that_a_browser_escaped_is_detected() -> None:
    text = "4k4/9/9/9/4%2BP4/9/9/9/4K4%20b%202Pp%201"
    assert forsyth.detect(text).game == "shogi"


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"fields": ("board", "side")}, "the field full is missing"),
        ({"fields": ("board", "full")}, "the field side is missing"),
        ({"fields": ("side", "board", "full")}, "the first field is side"),
        ({"fields": ("board", "side", "clock", "full")}, "no field 'clock'"),
        ({"fields": ("board", "side", "full", "full")}, "the field full occurs twice"),
        ({"short_counts": (6,)}, "short_counts is"),
        ({"repetitions": 1}, "repetitions is 1"),
        ({"files": "a-cde"}, "'-' is not a name of a file"),
        ({"files": "abcda"}, "two files have the same name"),
        ({"files": "abcdefghijklmnopq", "ranks": tuple(map(str, range(16)))}, "272 squares"),
        ({"zones": {"camp": Zone("z", ("1",))}}, "the zone 'camp'"),
        ({"promotion": "camp"}, "no zone 'camp'"),
        ({"files": "12345", "ranks": ("10", "9", "8", "7", "6")}, "ranks need names of one length"),
        ({"kinds": (KING,), "fields": ("board", "side", "hands", "full")}, "no kind can be in hand"),
        ({"kinds": (replace(KING, promotes="R"), ROOK)}, "a royal kind promotes"),
        ({"kinds": ()}, "0 kinds"),
        ({"kinds": (KING, ROOK, ROOK)}, "two kinds have the letter R"),
        ({"kinds": (KING, Kind("r", "rook", lines(0, 1)))}, "'r' is not a letter of a kind"),
        ({"kinds": (KING, Kind("R", "rook", lines(0, 1), royal=True))}, "several kinds are royal"),
        ({"kinds": (KING, LANCE)}, "no kind '\\+L'"),
        ({"kinds": (KING, LANCE, GOLD)}, "the sheet names no zone to promote in"),
        ({"kinds": (KING, LANCE, Kind("N", "knight", (), promotes="+L"), GOLD)}, "several kinds promote"),
        ({"kinds": (KING, Kind("R", "rook", (Line(0, 0),)))}, "a line of the rook ends where it begins"),
        ({"kinds": (KING, Kind("R", "rook", (Leap(0, 0),)))}, "a leap of the rook ends where it begins"),
        ({"kinds": (KING, Kind("R", "rook", leaps(0, 1, end="home")))}, "a zone 'home'"),
        ({"sides": (Side("w", "White"), Side("w", "Black"))}, "the letters of the sides are w, w"),
        ({"sides": (Side("w", "White"),)}, "the letters of the sides are w"),
        ({"side_aliases": {"red": "r"}}, "side_aliases: 'r'"),
        ({"letter_aliases": {"Q": "X"}}, "letter_aliases: 'X'"),
    ],
)
def test_a_sheet_that_contradicts_itself_says_so_at_once(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"the sheet of tiny: .*{problem}"):
        sheet(**changes)


@pytest.mark.parametrize("name", ["my game", "", "Tiny", "1tiny"])
def test_a_sheet_has_a_name_that_can_be_asked_for(name: str) -> None:
    expected = "expected small letters, digits, - and _, a letter first"
    with pytest.raises(ValueError, match=re.escape(f"the sheet of {name}: name is {name!r}, {expected}")):
        sheet(name=name)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"start": "xx"}, "start: 1 field, expected 6"),
        ({"start": "1r2k/5/5/K2R1 w - - 0 1"}, "start: the board has 4 ranks, expected 5"),
        (
            {"start": "1r2k/5/5/5/K2R1 w - - 00 1"},
            "start: '1r2k/5/5/5/K2R1 w - - 00 1' is not canonical, expected 1r2k/5/5/5/K2R1 w - - 0 1",
        ),
        (
            {"kinds": (KING, replace(ROOK, max_count=1)), "start": "4k/5/5/5/K1RR1 w - - 0 1"},
            "expected at most 1",
        ),
        ({"start": "k3k/5/5/5/K2R1 w - - 0 1"}, "start: Black has 2 kings, expected 1"),
        ({"start": "5/5/5/5/K2R1 w - - 0 1"}, "start: Black has no king"),
        ({"names": {"late": "1r2k/5/5/K2R1 w - - 0 1"}}, "names, 'late': the board has 4 ranks, expected 5"),
    ],
)
def test_the_texts_of_a_sheet_are_positions_of_its_game(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"the sheet of tiny: .*{re.escape(problem)}"):
        GridGame(sheet(**changes))


def test_a_named_text_need_not_be_canonical_nor_legal() -> None:
    names = {"short": "1r2k/5/5/5/K2R1 w - - 00 1", "empty": "5/5/5/5/5 w - - 0 1"}
    assert GridGame(sheet(names=names)).names["empty"] == "5/5/5/5/5 w - - 0 1"
    kingless = GridGame(sheet(start="5/5/5/5/K2R1 w - - 0 1", king_optional=True))
    assert len(kingless.new_game().moves()) == 10


def test_a_text_that_is_no_move_is_answered_with_one() -> None:
    game: Any = forsyth.game("xiangqi")
    start, mated = game.new_game(), game.parse("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b - - 0 1")
    example = game.write_move(start, game.moves(start)[0])
    said = {}
    for position, text in ((start, "zz9"), (start, "h2e2"), (start, "c5.6"), (mated, "zz9")):
        with pytest.raises(MoveError) as raised:
            game.read_move(position, text)
        said[str(raised.value)] = raised.value.candidates
    assert said == {
        f"'zz9' is not a move of xiangqi, expected one such as {example}": (),
        "'h2e2' is not a legal move here; candidates are A6+5, K5+1, A4+5": ("A6+5", "K5+1", "A4+5"),
        "'c5.6' is not a legal move here": (),
        "'zz9' is not a move of xiangqi": (),
    }


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ("123456P", "in hand: '123456' of P, expected 1 to 31"),
        ("99999", "in hand: the count '99999' has no piece after it"),
        ("1" * 80 + "P", f"in hand: '{'1' * 64}…' of P, expected 1 to 31"),
    ],
)
def test_a_count_in_hand_is_quoted_as_it_is_written(held: str, message: str) -> None:
    reading = forsyth.game("shogi").read(f"4k4/9/9/9/9/9/9/9/4K4 b {held} 1")
    assert [finding.message for finding in reading.errors] == [message]


def test_styles_need_a_function_that_writes_them() -> None:
    with pytest.raises(ValueError, match="tiny has styles"):
        GridGame(sheet(styles={"short": "without clocks"}))


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        (2, "twofold repetition"),
        (3, "threefold repetition"),
        (4, "fourfold repetition"),
        (5, "fivefold repetition"),
        (6, "6-fold repetition"),
    ],
)
def test_repetition_is_named_by_how_often(times: int, reason: str) -> None:
    match = forsyth.Match(GridGame(sheet(repetitions=times)))
    for _ in range(times - 1):
        for move in ("d1d2", "b5b4", "d2d1", "b4b5"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("1/2-1/2", reason)


def test_only_men_and_squares_that_there_are_can_be_stuck() -> None:
    tables = wide(9).sheet.tables
    men, squares = 2 * 3, 9 * 4
    assert not tables.is_stuck(0, 0)
    assert tables.is_stuck(men, squares - 1)
    for man, square in ((-1, 0), (men + 1, 0), (0, -1), (0, squares)):
        with pytest.raises(ValueError, match=f"the piece is {man} and the square is {square}, expected"):
            tables.is_stuck(man, square)
