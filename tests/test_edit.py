"""Editing, beside the contract of all games: what each game takes, refuses and lets one take back."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.outside_game_0_1 import GAME as NIM
from tests.whole_game import WholeGame

import forsyth
from forsyth.game import MoveFacts
from forsyth.games.chess.edit import CHESS960_STARTS

CHESS = forsyth.game("chess")
CRAZYHOUSE = CHESS.with_variant("crazyhouse")
CHESS960 = CHESS.with_variant("chess960")
THREE_CHECK = CHESS.with_variant("3check")
COTULENH = forsyth.game("cotulenh")
AZUL = forsyth.game("azul")
EVERY: list[WholeGame] = [CHESS, CHESS960, CRAZYHOUSE, THREE_CHECK]
EVERY += [COTULENH, COTULENH.with_variant("engine")]
EVERY += [AZUL, AZUL.with_variant("3-players"), AZUL.with_variant("4-players"), cast(WholeGame, NIM)]
TEXTS: list[tuple[WholeGame, str]] = [
    (game, text) for game in EVERY for text in dict.fromkeys((game.start, *game.names.values()))
]
TEXTS += [
    (CHESS960, "1r2k1r1/8/8/8/8/8/8/RRK1R1R1 w GBgb - 3 9"),
    (CRAZYHOUSE, "r3k2r/8/8/3Q~4/8/8/8/4K3[QPPn] b kq - 0 20"),
    (THREE_CHECK, "4k3/8/8/8/8/8/8/4K2R w K - 1+3 4 20"),
    *((COTULENH, text) for text in COTULENH.examples.values()),
    *((AZUL, text) for text in AZUL.examples.values()),
    (AZUL, AZUL.start.replace("/-----|-----|-----|-----|-----/-/", "/BBY--|-----|-----|-----|-----/-/", 1)),
    (AZUL, str(AZUL.new_game(3))),
]
PIECES = ("chess", "cotulenh")
each_game = pytest.mark.parametrize("game", EVERY, ids=repr)


def held(game: WholeGame, text: str) -> Any | None:
    """The position of a text, as far as it can be read at all."""
    return game.read(text).position


HELD = [(game, position) for game, text in TEXTS if (position := held(game, text)) is not None]


def places(game: WholeGame, position: Any) -> list[str]:
    return [cell.id for area in game.scene(position).areas for cell in area.cells]


def symbols(game: WholeGame, position: Any) -> list[str]:
    return [cell.id for area in game.palette(position).areas for cell in area.cells]


def values(game: WholeGame, position: Any) -> dict[str, str]:
    return {field.name: field.value for field in game.fields(position)}


def contents(game: WholeGame, position: Any) -> dict[str, str]:
    """What the scene shows on each place, as a symbol."""
    cells = [cell for area in game.scene(position).areas for cell in area.cells]
    found = {cell.id: [token.symbol for token in cell.tokens] for cell in cells}
    return {place: f"({''.join(held)})" if len(held) > 1 else "".join(held) for place, held in found.items()}


def shown(game: WholeGame, position: Any, square: str) -> str:
    return contents(game, position)[square]


def says(text: str) -> bool:
    """Whether a message is one sentence of one line."""
    return bool(text) and "\n" not in text


# --- every game -------------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize(
    "value", ["", " ", "x", "-7", "1 1", "99999999999", "w w", "a/b", "٣", "\ud800", "é"]
)
def test_no_field_takes_nonsense(game: WholeGame, value: str) -> None:
    position = game.new_game(1)
    for field in game.fields(position):
        if field.kind in ("flags", "text") and value == "":
            continue
        if (field.name, value) in (("p0s", "-7"), ("p1s", "-7"), ("p2s", "-7"), ("p3s", "-7")):
            continue
        if (game.name, value) == ("cotulenh", "99999999999") and field.kind == "number":
            continue
        with pytest.raises(ValueError, match=r"\w") as raised:
            game.with_field(position, field.name, value)
        assert says(str(raised.value))


ON_SQUARES = [(game, game.put(position, "a1", None)) for game, position in HELD if game.name in PIECES]
"""Without a deploy session, which an edit ends."""


@given(st.data())
def test_what_was_put_can_be_put_back(data: st.DataObject) -> None:
    game, position = data.draw(st.sampled_from(ON_SQUARES))
    squares = [place for place in places(game, position) if "@" not in place]
    square = data.draw(st.sampled_from(squares))
    before = shown(game, position, square)
    if "~" in str(position) and square == "d5":
        before += "~"
    after = game.put(position, square, data.draw(st.sampled_from(symbols(game, position))))
    assert shown(game, after, square)
    emptied = game.put(after, square, None)
    assert not shown(game, emptied, square)
    assert game.put(emptied, square, before or None) == position


@given(st.data())
def test_what_was_lifted_can_be_lifted_back(data: st.DataObject) -> None:
    game, position = data.draw(st.sampled_from(ON_SQUARES))
    held = {square: symbol for square, symbol in contents(game, position).items() if "@" not in square}
    taken = [square for square, symbol in held.items() if symbol]
    free = [square for square, symbol in held.items() if not symbol]
    if taken:
        source, target = data.draw(st.sampled_from(taken)), data.draw(st.sampled_from(free))
        after = game.lift(position, source, target)
        assert shown(game, after, target) == held[source]
        assert game.lift(after, target, source) == position


@given(st.data())
def test_a_tile_that_was_added_can_be_taken_again(data: st.DataObject) -> None:
    game, position = data.draw(st.sampled_from([case for case in HELD if case[0].name == "azul"]))
    free = [place for place, tile in contents(game, position).items() if place[-1] != "s" and not tile]
    square, tile = data.draw(st.sampled_from([*free, "c"])), data.draw(st.sampled_from("BYRKW"))
    after = game.put(position, square, tile)
    place = square.partition(".")[0]
    added = [cell for cell, held in contents(game, after).items() if held == tile]
    assert game.put(after, [cell for cell in added if cell.partition(".")[0] == place][-1], None) == position


# --- moves ------------------------------------------------------------------------------------------


@each_game
def test_what_moves_is_on_the_board(game: WholeGame) -> None:
    position = game.new_game(2)
    held = contents(game, position)
    for move in game.moves(position):
        facts = game.describe_move(position, move)
        assert facts.origin is not None
        assert facts.piece in [held[cell] for cell in held if cell.partition(".")[0] == facts.origin]


def test_the_contract_of_the_command_line_has_no_piece() -> None:
    facts = CHESS.describe_move(CHESS.new_game(), CHESS.read_move(CHESS.new_game(), "Nf3"))
    assert facts.piece == "N"
    assert list(facts.to_dict()) == ["move", "lan", "from", "to", "flags", "captured", "after"]
    assert MoveFacts("a", "a", None, None, "", None, "").piece == ""


@pytest.mark.parametrize(
    ("game", "text", "move", "piece"),
    [
        (CHESS, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "O-O", "k"),
        (CHESS, "8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8=Q", "P"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[Qn] b - - 0 1", "N@e4", "n"),
        (CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1", "Q@e4", "Q"),
        (COTULENH, "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9", "(NFT)c6", "(NFT)"),
        (COTULENH, "6c4/11/11/11/11/11/11/2(N+FT)8/11/11/11/5C5 r - - 0 9", "(+FT)<N>c6", "(N+FT)"),
        (COTULENH, "6c4/11/11/8+t2/11/11/11/11/11/11/11/5C5 b - - 0 9", "+Ti8", "+t"),
        (AZUL, AZUL.start, "0B2", "B"),
    ],
)
def test_the_symbol_of_what_moves(game: WholeGame, text: str, move: str, piece: str) -> None:
    position = game.parse(text)
    assert game.describe_move(position, game.read_move(position, move)).piece == piece


def test_a_step_names_the_member_that_goes_and_a_commit_nothing() -> None:
    position = COTULENH.parse(COTULENH.examples["Amid a deployment"])
    pieces = {COTULENH.describe_move(position, move).piece for move in COTULENH.moves(position)}
    assert pieces == {"F", "T"}
    commit = COTULENH.read_move(position, "commit")
    assert COTULENH.describe_move(position, commit).piece == ""


def test_a_deal_moves_no_piece() -> None:
    position = AZUL.parse(
        f"v2/2/t/{'|'.join(['----'] * 5)}/F/{board()}/{board()}/0,0/1/0/0/20,20,20,20,20/0,0,0,0,0"
    )
    assert AZUL.describe_move(position, "tile").piece == ""


def board(floor: str = "-") -> str:
    return f"-----|-----|-----|-----|-----/-|--|---|----|-----/{floor}"


# --- chess ------------------------------------------------------------------------------------------


def test_men_are_put_taken_and_moved_without_judgement() -> None:
    position = CHESS.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert str(CHESS.put(position, "e1", None)) == "4k3/8/8/8/8/8/8/7R w K - 0 1"
    assert str(CHESS.put(position, "e1", "p")) == "4k3/8/8/8/8/8/8/4p2R w K - 0 1"
    assert str(CHESS.lift(position, "h1", "e8")) == "4R3/8/8/8/8/8/8/4K3 w K - 0 1"
    assert CHESS.lift(position, "h1", "h1") == position
    with pytest.raises(ValueError, match="nothing is on a4"):
        CHESS.lift(position, "a4", "a5")
    with pytest.raises(ValueError, match="only Crazyhouse has"):
        CHESS.put(position, "a4", "Q~")
    with pytest.raises(ValueError, match="is not a place of the board"):
        CHESS.put(position, "Q@", "Q")


def test_pockets_gain_and_lose_one() -> None:
    position = CRAZYHOUSE.parse("4k3/8/8/3Q~4/8/8/8/4K3[Qp] w - - 0 1")
    assert CRAZYHOUSE.put(position, "Q@", "Q").pockets == "QQp"
    assert CRAZYHOUSE.put(position, "Q@", None).pockets == "p"
    assert CRAZYHOUSE.put(position, "R@", None) == position
    assert str(CRAZYHOUSE.lift(position, "Q@", "a1")) == "4k3/8/8/3Q~4/8/8/8/Q3K3[p] w - - 0 1"
    assert str(CRAZYHOUSE.lift(position, "d5", "a1")) == "4k3/8/8/8/8/8/8/Q~3K3[Qp] w - - 0 1"
    assert str(CRAZYHOUSE.lift(position, "d5", "Q@")) == "4k3/8/8/8/8/8/8/4K3[QQp] w - - 0 1"
    assert str(CRAZYHOUSE.put(position, "d5", "Q")) == "4k3/8/8/3Q4/8/8/8/4K3[Qp] w - - 0 1"
    with pytest.raises(ValueError, match="Q@ holds white queens only, not a black pawn"):
        CRAZYHOUSE.put(position, "Q@", "p")
    with pytest.raises(ValueError, match="nothing is on R@"):
        CRAZYHOUSE.lift(position, "R@", "a1")
    full = CRAZYHOUSE.with_field(position, "pockets", "P" * 64)
    with pytest.raises(ValueError, match="contain 65 pieces, expected at most 64"):
        CRAZYHOUSE.put(full, "P@", "P")


@pytest.mark.parametrize(
    ("game", "text", "name", "value", "after"),
    [
        (CHESS, CHESS.start, "side", "b", "b KQkq - 0 1"),
        (CHESS, CHESS.start, "castling", "", "w - - 0 1"),
        (CHESS, CHESS.start, "castling", "-", "w - - 0 1"),
        (CHESS, CHESS.start, "castling", "kQ", "w Qk - 0 1"),
        (CHESS, CHESS.start, "ep", "e6", "w KQkq e6 0 1"),
        (CHESS, CHESS.start, "half", "9999", "w KQkq - 9999 1"),
        (CHESS, CHESS.start, "full", "12", "w KQkq - 0 12"),
        (THREE_CHECK, THREE_CHECK.start, "white_checks", "0", "w KQkq - 0+3 0 1"),
        (THREE_CHECK, THREE_CHECK.start, "black_checks", "1", "w KQkq - 3+1 0 1"),
        (CHESS960, "4k3/8/8/8/8/8/8/RR2K1RR w - - 0 1", "castling", "GQ", "w GQ - 0 1"),
    ],
)
def test_fields_of_chess(game: WholeGame, text: str, name: str, value: str, after: str) -> None:
    assert str(game.with_field(game.parse(text), name, value)).partition(" ")[2] == after


def test_pockets_are_a_field_too() -> None:
    position = CRAZYHOUSE.new_game()
    assert CRAZYHOUSE.with_field(position, "pockets", "pQ").pockets == "Qp"
    assert CRAZYHOUSE.with_field(CRAZYHOUSE.with_field(position, "pockets", "pQ"), "pockets", "") == position
    with pytest.raises(ValueError, match="'K' cannot be held"):
        CRAZYHOUSE.with_field(position, "pockets", "K")


def test_rooks_inside_have_rights_of_their_own_in_chess960() -> None:
    position = CHESS960.parse("4k3/8/8/8/8/8/8/RR2K1RR w G - 0 1")
    castling = next(field for field in CHESS960.fields(position) if field.name == "castling")
    assert castling.value == "G"
    assert [value for value, _ in castling.choices] == [*"KQkq", "G", "B"]


def test_every_one_of_the_960_begins_once() -> None:
    starts = {str(CHESS960.new_game(number)) for number in range(CHESS960_STARTS)}
    assert len(starts) == CHESS960_STARTS
    assert str(CHESS960.new_game(518)) == CHESS.start
    with pytest.raises(ValueError, match="the number of a Chess960 start is 960, expected 0 to 959"):
        CHESS960.new_game(CHESS960_STARTS)
    assert CHESS.with_variant("auto").new_game(3) == CHESS.new_game()


# --- CoTuLenh ---------------------------------------------------------------------------------------


def test_pieces_join_their_own_and_replace_the_rest() -> None:
    position = COTULENH.put(COTULENH.new_game(), "c5", None)
    for symbol, expected in [
        ("N", "N"),
        ("+F", "(N+F)"),
        ("T", "(N+FT)"),
        ("T", "T"),
        ("f", "f"),
        ("(ft)", "(ft)"),
        ("(TN)", "(NT)"),
        ("+N", "+N"),
        ("C", "(+NC)"),
        ("h", "h"),
    ]:
        position = COTULENH.put(position, "c5", symbol)
        assert shown(COTULENH, position, "c5") == expected
    for wrong in ("(NN)", "(Nf)", "N+", "(N", "()", "B", "++T", "NF", "+(NF)"):
        with pytest.raises(ValueError, match="is not a unit"):
            COTULENH.put(position, "c5", wrong)


def test_units_are_moved_whole() -> None:
    position = COTULENH.parse(COTULENH.names["stack"])
    assert shown(COTULENH, COTULENH.lift(position, "c5", "k1"), "k1") == "(NFT)"
    joined = COTULENH.put(position, "b1", "N")
    joined = COTULENH.put(joined, "b2", "T")
    assert shown(COTULENH, COTULENH.lift(joined, "b2", "b1"), "b1") == "(NT)"
    with pytest.raises(ValueError, match="nothing is on k1"):
        COTULENH.lift(position, "k1", "c5")


def test_every_change_ends_a_session() -> None:
    position = COTULENH.parse(COTULENH.examples["Amid a deployment"])
    changes = [
        COTULENH.put(position, "k1", None),
        COTULENH.put(position, "c5", "N"),
        COTULENH.lift(position, "c5", "c4"),
        COTULENH.with_field(position, "half", "3"),
    ]
    assert all(" DEPLOY " not in str(after) for after in changes)
    assert COTULENH.with_field(position, "half", "0") == position


def test_a_board_too_full_for_a_text_is_refused() -> None:
    position = COTULENH.new_game()
    with pytest.raises(ValueError, match="expected at most 1024"):
        for square in places(COTULENH, position):
            position = COTULENH.put(COTULENH.put(position, square, None), square, "(+N+F+T)")
    assert COTULENH.read(str(position)).position == position


# --- Azul -------------------------------------------------------------------------------------------


def azul(
    *, factories: str = "", center: str = "F", first: str = "", second: str = "", phase: str = "o"
) -> Any:
    """A complete position of two players with little on the table."""
    parts = [part.ljust(4, "-") for part in (factories.split("|") + [""] * 5)[:5]]
    boards = f"{first or board()}/{second or board()}"
    text = f"v2/2/{phase}/{'|'.join(parts)}/{center}/{boards}/0,0/1/0/0/20,20,20,20,20/0,0,0,0,0"
    return AZUL.read(text).require()


def test_tiles_are_added_while_there_is_room() -> None:
    position = azul(factories="BY")
    assert AZUL.put(position, "f0", "W").factories[0] == "BYW"
    assert AZUL.put(position, "f0.1", "W").factories[0] == "BYW"
    assert AZUL.put(position, "f0.3", "W").factories[0] == "BYW"
    full = azul(factories="BYRR")
    assert AZUL.put(full, "f0", "W").factories[0] == "YRRW"
    assert AZUL.put(full, "f0.1", "W").factories[0] == "BRRW"
    assert AZUL.put(position, "c", "K").center == "K"
    assert AZUL.put(position, "c.4", "K").center == "K"
    line = AZUL.put(AZUL.put(position, "p1l1", "R"), "p1l1.1", "W")
    assert line.boards[1].lines[1] == "RW"
    assert AZUL.put(line, "p1l1.1", "B").boards[1].lines[1] == "RB"
    assert AZUL.put(position, "p1w12", "B").boards[1].wall[1] == "--B--"


def test_the_tile_of_a_cell_is_taken() -> None:
    position = azul(factories="BYRR", center="BBYF", first=board("RKW"))
    assert AZUL.put(position, "f0", None).factories[0] == "YRR"
    assert AZUL.put(position, "f0.1", None).factories[0] == "BRR"
    assert AZUL.put(position, "f1", None) == position
    assert AZUL.put(position, "c.3", None).center == "BB"
    assert AZUL.put(position, "c.1", None).center == "BY"
    assert AZUL.put(position, "c.9", None) == position
    assert not AZUL.put(position, "c", None).marker_in_center
    assert AZUL.put(position, "p0f.1", None).boards[0].floor == "RW"
    assert AZUL.put(AZUL.put(position, "p0w00", "B"), "p0w00", None) == position


def test_a_centre_that_is_shown_by_colours_is_edited_by_colours() -> None:
    position = azul(center="B" * 30 + "KF")
    assert AZUL.put(position, "c.1", None).center == "B" * 29 + "K"
    assert AZUL.put(position, "c.2", None).center == "B" * 30


def test_there_is_one_marker() -> None:
    position = azul(first=board("RKW"))
    on_floor = AZUL.put(position, "p0f", "F")
    assert on_floor.boards[0].floor == "RKWF"
    assert not on_floor.marker_in_center
    assert AZUL.put(on_floor, "p0f.2", "F") == on_floor
    assert AZUL.lift(on_floor, "p0f.3", "c") == position
    other = AZUL.lift(on_floor, "p0f.3", "p1f.5")
    assert [board.floor for board in other.boards] == ["RKW", "F"]
    with pytest.raises(ValueError, match="marker cannot lie on f0, expected the centre c or a floor"):
        AZUL.put(position, "f0", "F")


def test_a_marker_beside_a_full_floor_is_held_until_there_is_room() -> None:
    held = AZUL.put(azul(first=board("BBBBBBB")), "p0f", "F")
    assert (held.boards[0].floor, held.boards[0].held) == ("BBBBBBB", True)
    assert AZUL.put(held, "p0f.2", "W").boards[0].floor == "BBWBBBB"
    fallen = AZUL.put(held, "p0f.2", None)
    assert (fallen.boards[0].floor, fallen.boards[0].held) == ("BBBBBBF", False)
    assert AZUL.lift(held, "p0f", "p0f.4") == held
    assert not AZUL.put(held, "p0f.7", None).boards[0].held


def test_tiles_are_moved_one_at_a_time() -> None:
    position = azul(factories="BYRR")
    assert AZUL.lift(position, "f0", "f1").factories[:2] == ("YRR", "B")
    assert AZUL.lift(position, "f0.3", "p1l4").boards[1].lines[4] == "R"
    assert AZUL.lift(position, "f0", "f0.2") == position
    with pytest.raises(ValueError, match="nothing is on f1"):
        AZUL.lift(position, "f1", "f0")


def test_a_standard_position_stays_one_until_its_marker_moves() -> None:
    position = AZUL.parse(AZUL.start)
    after = AZUL.put(position, "c", "B")
    assert not after.complete
    assert after.bag[0] == position.bag[0] - 1
    marked = AZUL.put(after, "p1f", "F")
    assert marked.complete
    assert str(marked).startswith("v2/2/o/")
    assert AZUL.with_field(marked, "version", "1") == after


def test_fields_of_azul() -> None:
    standard = AZUL.parse(AZUL.start)
    assert list(values(AZUL, standard)) == ["version", "round", "current_player", "p0s", "p1s"]
    assert str(AZUL.with_field(standard, "p1s", "-4")).endswith("/0,-4/1/0")
    assert str(AZUL.with_field(standard, "current_player", "1")).endswith("/0,0/1/1")
    with pytest.raises(ValueError, match="Round must be between 1 and 10, got 11"):
        AZUL.with_field(standard, "round", "11")
    complete = AZUL.with_field(standard, "version", "2")
    assert list(values(AZUL, complete))[5:] == ["start", "phase", "bag", "discard"]
    for name, value in [("start", "1"), ("phase", "e"), ("bag", "1,2,3,4,5"), ("discard", "0,0,0,0,1")]:
        assert values(AZUL, AZUL.with_field(complete, name, value))[name] == value
    assert AZUL.with_field(complete, "round", "11").round == 11
    late = AZUL.with_field(complete, "round", "11")
    with pytest.raises(ValueError, match="rounds 1 to 10"):
        AZUL.with_field(late, "version", "1")


def test_a_line_too_long_for_the_extended_text_keeps_a_position_standard() -> None:
    text = AZUL.start.replace("/-----|-----|-----|-----|-----/-/", "/BBY--|-----|-----|-----|-----/-/", 1)
    position = AZUL.read(text).require()
    with pytest.raises(ValueError, match="widths"):
        AZUL.with_field(position, "version", "2")
    assert AZUL.put(position, "p0l0.2", None).boards[0].lines[0] == "BB"


def test_a_deal_is_complete_and_by_the_seed() -> None:
    for game, players in ((AZUL, 2), (AZUL.with_variant("4-players"), 4)):
        position = game.new_game(5)
        assert position.complete
        assert position.players == players
        assert sum(map(len, position.factories)) + sum(position.bag) == 100
    assert AZUL.new_game(5) != AZUL.new_game(6)
    assert re.match(r"v2/2/o/", str(AZUL.new_game()))


# --- games on a grid --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "square", "symbol", "expected"),
    [
        ("shogi", "5e", "+G", "KRBGSNLPkrbgsnlp, or + before one of RBSNLPrbsnlp"),
        ("xiangqi", "e5", "X", "KABNRCPkabnrcp"),
    ],
)
def test_a_man_that_a_game_does_not_have_is_answered_with_those_it_has(
    name: str, square: str, symbol: str, expected: str
) -> None:
    game: Any = forsyth.game(name)
    message = f"{symbol!r} is not a piece of {name}, expected one of {expected}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        game.put(game.new_game(), square, symbol)


@pytest.mark.parametrize(
    ("name", "field", "value", "message"),
    [
        ("shogi", "side", "", "Side to move: '' is not one word, expected b or w"),
        ("shogi", "full", "1 2", "Move number: '1 2' is not one word, expected a number"),
        ("shogi", "hands", "P p", "In hand: 'P p' is not one word, expected a word such as -"),
        ("chess", "castling", "K Q", "Castling: 'K Q' is not one word, expected a word such as KQkq"),
        ("cotulenh", "side", "", "Side to move: '' is not one word, expected r or b"),
    ],
)
def test_a_field_that_is_not_one_word_names_what_was_expected(
    name: str, field: str, value: str, message: str
) -> None:
    game: Any = forsyth.game(name)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        game.with_field(game.new_game(), field, value)
