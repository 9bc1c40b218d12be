"""What a newcomer gets wrong: each slip is one sentence that says what was expected."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import pytest
from tests.refusals import call as given
from tests.whole_game import WholeGame

import forsyth
from forsyth import MoveError, draw
from forsyth.arguments import MAX_QUOTED, quoted, require_choice, require_integer
from forsyth.azul import AzulState
from forsyth.cotulenh import CoTuLenh
from forsyth.diagnostics import MODES
from forsyth.games.chess.position import list_squares
from forsyth.record import Evaluation, MoveTree, Record
from forsyth.scene import MARKS

CHESS = forsyth.game("chess")
COTULENH = forsyth.game("cotulenh")
AZUL = forsyth.game("azul")
GAMES: tuple[WholeGame, ...] = (CHESS, COTULENH, AZUL)
START = CHESS.start
POSITION = CHESS.parse(START)
BROKEN = "8/8/8/8/8/8/8/9 w - - 0 1"

named = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def start_of(game: WholeGame) -> Any:
    return game.parse(game.start)


# --- enumerated arguments ---------------------------------------------------------------------------


CHOICES: tuple[tuple[str, Callable[[Any], object]], ...] = (
    ("mode", lambda value: forsyth.read(START, mode=value)),
    ("mode", lambda value: forsyth.read(START, CHESS, mode=value)),
    ("mode", lambda value: forsyth.check(START, mode=value)),
    ("mode", lambda value: forsyth.read_record("1. e4 *", "chess", mode=value)),
    ("mode", lambda value: list(forsyth.read_records("1. e4 *", "chess", mode=value))),
    ("mode", lambda value: forsyth.chess.read_epd(START, mode=value)),
    ("mode", lambda value: forsyth.chess.read_fen(START, mode=value)),
    ("mode", lambda value: CHESS.read(START, mode=value, profile="seed")),
    ("chess profile", lambda value: CHESS.read(START, profile=value)),
    ("form", lambda value: forsyth.read(START, form=value)),
    ("form", lambda value: forsyth.wrap(START, value)),
    ("form", lambda value: forsyth.unwrap(START, form=value)),
    ("confidence", lambda value: forsyth.repair(START, min_confidence=value)),
    ("confidence", lambda value: forsyth.apply_fixes(START, (), value)),
    ("theme", lambda value: draw.svg(POSITION, theme=value)),
    ("theme of a PNG", lambda value: draw.png(POSITION, theme=value)),
    ("en-passant style", lambda value: forsyth.chess.write_fen(POSITION, ep=value)),
    ("castling style", lambda value: forsyth.chess.write_fen(POSITION, castling=value)),
    ("number of fields", lambda value: forsyth.chess.write_fen(POSITION, fields=value)),
    ("cotulenh variant", forsyth.cotulenh.CoTuLenhGame),
    ("azul variant", forsyth.azul.AzulGame),
    ("level", lambda value: AzulState.check_fen(AZUL.start, value)),
    ("level", lambda value: AzulState.validate_fen(AZUL.start, value)),
    ("version", lambda value: AzulState.of(start_of(AZUL), value)),
    ("version", lambda value: AzulState().to_fen(value)),
    ("spelling of lines", lambda value: AzulState().to_fen(lines=value)),
    ("colour", lambda value: AzulState.from_fen(AZUL.start, bag={value: 1})),
)


@pytest.mark.parametrize(("what", "call"), CHOICES, ids=[what for what, _ in CHOICES])
def test_another_value_is_refused_by_name(what: str, call: Callable[[Any], object]) -> None:
    with pytest.raises(ValueError, match=f"^there is no {what} 'lenint'; choose one of "):
        call("lenint")


@named
@pytest.mark.parametrize("mode", ["lenint", "Strict", "", None, 5, ["strict"]])
def test_a_misspelt_mode_is_not_the_default_mode(game: WholeGame, mode: Any) -> None:
    position = start_of(game)
    calls: tuple[Callable[[], object], ...] = (
        lambda: game.read(game.start, mode=mode),
        lambda: game.read("rubbish", mode=mode),
        lambda: game.parse(game.start, mode=mode),
        lambda: game.parse(game.start, mode=mode, legality=False),
        lambda: game.check(position, mode=mode),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"there is no mode .*; choose one of strict, default, lenient"):
            call()


@named
def test_the_modes_there_are_are_taken(game: WholeGame) -> None:
    for mode in MODES:
        assert game.parse(game.start, mode=mode) == start_of(game)


@named
@pytest.mark.parametrize("value", ["nope", None, ["canonical"]])
def test_a_style_or_variant_that_a_game_does_not_have(game: WholeGame, value: Any) -> None:
    with pytest.raises(ValueError, match=f"there is no {game.name} style .*; choose one of canonical, "):
        game.write(start_of(game), value)
    with pytest.raises(ValueError, match=f"there is no {game.name} variant .*; choose one of "):
        game.with_variant(value)


@named
def test_marks_are_those_there_are(game: WholeGame) -> None:
    position = start_of(game)
    for mark in MARKS:
        game.scene(position, marks={"e4": mark})  # type: ignore[dict-item]
    with pytest.raises(
        ValueError, match="there is no mark 'red'; choose one of error, warning, last, target"
    ):
        game.scene(position, marks={"e4": cast(Any, "red")})
    with pytest.raises(TypeError, match="marks are of type list, expected a mapping from squares to marks"):
        game.scene(position, marks=cast(Any, ["e4"]))
    with pytest.raises(TypeError, match="notes are of type list, expected a mapping from squares to notes"):
        game.scene(position, notes=cast(Any, ["e4"]))


def test_a_long_value_is_not_repeated_whole() -> None:
    assert len(quoted("x" * 10_000)) <= MAX_QUOTED + len("'…'")
    with pytest.raises(ValueError, match="there is no form") as caught:
        require_choice("form", "x" * 10_000, ("plain",))
    assert len(str(caught.value)) < 200


def test_whole_numbers() -> None:
    assert require_integer("the size", 3, 1, 3) == 3
    with pytest.raises(ValueError, match="the size is 4, expected 1 to 3"):
        require_integer("the size", 4, 1, 3)
    with pytest.raises(ValueError, match="the depth is -1, expected 0 "):
        require_integer("the depth", -1, 0)
    with pytest.raises(TypeError, match=r"the size is of type float, expected a whole number"):
        require_integer("the size", 3.5, 1)


# --- games ------------------------------------------------------------------------------------------


def test_a_game_is_given_by_name_wherever_one_is_taken() -> None:
    assert forsyth.read("start", "chess") == forsyth.read("start", CHESS)
    assert forsyth.check("start", "azul").game == "azul"
    assert forsyth.repair("start", "cotulenh").ok
    assert forsyth.game(CHESS) is CHESS
    assert forsyth.game(CHESS, "chess960").variant == "chess960"


GAME_TAKERS: tuple[Callable[[Any], object], ...] = (
    forsyth.game,
    forsyth.Match,
    lambda game: forsyth.read(START, game),
    lambda game: forsyth.check(START, game),
    lambda game: forsyth.repair(START, game),
    lambda game: forsyth.read_record("1. e4 *", game),
)


@pytest.mark.parametrize("take", GAME_TAKERS)
def test_what_is_no_game(take: Callable[[Any], object]) -> None:
    for wrong in (5, ["chess"], POSITION):
        with pytest.raises(TypeError, match="a game is expected, by its name such as 'chess'"):
            take(wrong)
    with pytest.raises(TypeError, match=r"not the module forsyth\.chess$"):
        take(forsyth.chess)
    with pytest.raises(LookupError, match="there is no game 'go'; installed games: chess, cotulenh, azul"):
        take("go")
    with pytest.raises(LookupError, match="there is no game 'Ches'; did you mean 'chess'"):
        take("Ches")
    with pytest.raises(LookupError, match="this looks like the text of a position"):
        take(START)


def test_the_games_are_a_package_and_a_list() -> None:
    import forsyth.games.chess as chess

    assert isinstance(chess, ModuleType)
    assert chess.GAME is CHESS
    assert forsyth.games() == ("chess", "cotulenh", "azul", "xiangqi", "shogi")
    assert importlib.import_module("forsyth.games").azul.GAME is AZUL


# --- positions and moves ----------------------------------------------------------------------------


POSITION_TAKERS: tuple[Callable[[WholeGame, Any], object], ...] = (
    lambda game, position: game.check(position),
    lambda game, position: game.write(position),
    lambda game, position: game.key(position),
    lambda game, position: game.pack(position),
    lambda game, position: game.moves(position),
    lambda game, position: game.actions(position),
    lambda game, position: game.read_move(position, "e4"),
    lambda game, position: game.write_move(position, game.moves(start_of(game))[0]),
    lambda game, position: game.describe_move(position, game.moves(start_of(game))[0]),
    lambda game, position: game.play(position, game.moves(start_of(game))[0]),
    lambda game, position: game.perft(position, 0),
    lambda game, position: game.outcome(position),
    lambda game, position: game.claims(position),
    lambda game, position: game.side_to_move(position),
    lambda game, position: game.move_number(position),
    lambda game, position: game.diff(position, start_of(game)),
    lambda game, position: game.diff(start_of(game), position),
    lambda game, position: game.scene(position),
    lambda game, position: game.palette(position),
    lambda game, position: game.put(position, "e4", None),
    lambda game, position: game.lift(position, "e4", "e5"),
    lambda game, position: game.fields(position),
    lambda game, position: game.with_field(position, "full", "1"),
    lambda game, position: game.features(position),
    lambda game, position: game.planes(position),
    lambda game, position: forsyth.Match(game, cast(Any, position)),
)


@named
@pytest.mark.parametrize("take", POSITION_TAKERS)
def test_what_is_no_position_of_the_game(game: WholeGame, take: Callable[[WholeGame, Any], object]) -> None:
    other = start_of(GAMES[GAMES.index(game) - 1])
    for wrong in (other, 5, game.read(game.start)):
        with pytest.raises(TypeError, match=f"^a position of {game.name} is expected, not "):
            take(game, wrong)


@named
def test_what_to_do_about_it(game: WholeGame) -> None:
    with pytest.raises(TypeError, match=re.escape("parse(text) gives the position of a text")):
        game.moves(game.start)
    with pytest.raises(TypeError, match=re.escape("reading.require() gives the position of a reading")):
        game.moves(game.read(game.start))
    with pytest.raises(TypeError, match="a text that cannot be read has no position"):
        game.moves(game.read("rubbish").position)


FOREIGN: tuple[tuple[WholeGame, str, str, str], ...] = (
    (CHESS, START, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "Qa8+"),
    (CHESS, START, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O"),
    (CHESS, START, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e5"),
    (COTULENH, COTULENH.start, "6c4/11/5t5/11/11/11/11/11/11/4I6/11/5C5 r - - 0 1", "Cf2"),
    (COTULENH, COTULENH.start, "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9", "(FT)<N>c6"),
    (
        COTULENH,
        COTULENH.start,
        COTULENH.examples["Amid a deployment"],
        "commit",
    ),
    (AZUL, AZUL.start, AZUL.names["midgame"], "4Bf"),
)


@pytest.mark.parametrize(("game", "here", "there", "text"), FOREIGN)
def test_a_move_of_another_position(game: WholeGame, here: str, there: str, text: str) -> None:
    other = game.parse(there)
    move = game.read_move(other, text)
    assert game.play(other, move) != other
    position = game.parse(here)
    for call in (game.play, game.write_move, game.describe_move):
        with pytest.raises(MoveError, match="legal"):
            call(position, move)


@named
def test_every_legal_move_is_played(game: WholeGame) -> None:
    texts = [game.start, *game.names.values(), *game.examples.values()]
    readings = [game.read(text) for text in dict.fromkeys(texts)]
    for position in [reading.position for reading in readings if reading.position is not None]:
        for move in game.moves(position):
            assert game.play(position, move) is not None


@named
@pytest.mark.parametrize("wrong", [None, 5, b"e4", object()])
def test_what_is_no_move(game: WholeGame, wrong: Any) -> None:
    position = start_of(game)
    for call in (game.play, game.write_move, game.describe_move, game.read_move):
        with pytest.raises(MoveError, match="is expected, not "):
            call(position, wrong)
    with pytest.raises(
        MoveError, match="is not a legal move here, expected a move text or one of the game's"
    ):
        forsyth.Match(game).play(wrong)


def test_a_move_text_where_a_move_is_expected() -> None:
    with pytest.raises(MoveError, match=re.escape("read_move(position, text) gives the move of a text")):
        CHESS.play(POSITION, cast(Any, "e4"))


# --- texts, squares, numbers ------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, b"x", 5, POSITION])
def test_what_is_no_text(wrong: Any) -> None:
    for reading in (
        *([] if wrong is POSITION else [forsyth.check(wrong)]),
        forsyth.read(wrong, "chess"),
        *(game.read(wrong) for game in GAMES),
    ):
        assert [finding.code for finding in reading.diagnostics] == ["fen.type"]
    calls: tuple[Callable[[], object], ...] = (
        lambda: forsyth.wrap(wrong, "base64"),
        lambda: forsyth.unwrap(wrong),
        lambda: forsyth.detect(wrong),
        lambda: forsyth.state_id(wrong),
        lambda: forsyth.apply_fixes(wrong, ()),
        lambda: CHESS.with_field(POSITION, "half", wrong),
        lambda: forsyth.chess.read_position_line(wrong),
    )
    for call in calls:
        with pytest.raises(TypeError, match=r"^the [a-z ]+ is of type .*, expected text$"):
            call()


def test_a_reading_is_not_its_findings() -> None:
    with pytest.raises(TypeError, match="expected its findings"):
        forsyth.apply_fixes(BROKEN, cast(Any, CHESS.read(BROKEN)))
    with pytest.raises(TypeError, match="expected a Record, not"):
        forsyth.write_record(cast(Any, forsyth.Match("chess")))


@pytest.mark.parametrize("square", ["z9", "", "e44", "E4"])
def test_what_is_no_square(square: str) -> None:
    with pytest.raises(ValueError, match="is not a square, expected a1 to h8"):
        POSITION.piece_at(square)
    with pytest.raises(ValueError, match="is not a square, expected a1 to k12"):
        start_of(COTULENH).unit_at(square)
    for game in GAMES:
        with pytest.raises(ValueError, match=r"is not a (?:square|place)"):
            game.put(start_of(game), square, None)


@named
def test_an_edit_with_something_else_than_texts(game: WholeGame) -> None:
    place = {"chess": "e4", "cotulenh": "e4", "azul": "f0"}[game.name]
    for wrong in (None, 5, b"e4"):
        with pytest.raises(ValueError, match="expected"):
            game.put(start_of(game), cast(Any, wrong), None)
        with pytest.raises(ValueError, match="expected"):
            game.put(start_of(game), place, cast(Any, wrong or 7))


@named
def test_the_depth_of_perft(game: WholeGame) -> None:
    with pytest.raises(ValueError, match="the depth is -1, expected 0 "):
        game.perft(start_of(game), -1)
    with pytest.raises(TypeError, match="the depth is of type float, expected a whole number"):
        game.perft(start_of(game), cast(Any, 1.5))


def test_rules_of_chess_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="the number of the rules is 99, expected -1 to 8"):
        forsyth.chess.Chess(99)


# --- arguments of another type ----------------------------------------------------------------------

TREE = forsyth.parse_record("1. e4 (1. d4) e5 *", "chess").tree()
XIANGQI = forsyth.game("xiangqi")


def put(name: str, value: Any) -> Callable[[], object]:
    """Set an attribute of a move of a tree that nobody else has."""
    return lambda: setattr(TREE.copy().end, name, value)


def record_of(**fields: Any) -> Any:
    return Record(**{"game": CHESS, "tags": (), "start": POSITION, **fields})


FINDING: Any = CHESS.read(BROKEN).diagnostics[0]


WRONG_TYPES: tuple[tuple[str, Callable[[], object]], ...] = (
    (
        "marks are of type str, expected a mapping from squares to marks",
        given(draw.svg, POSITION, marks="x"),
    ),
    ("marks are of type str, expected a mapping from squares to marks", given(draw.svg, POSITION, marks="")),
    ("notes are of type int, expected a mapping from squares to notes", given(draw.svg, POSITION, notes=5)),
    ("a note is of type int, expected text", given(draw.svg, POSITION, notes={"e4": 5})),
    ("a square to mark is of type list, expected text", given(draw.svg, POSITION, last=[[]])),
    ("the moves are of type int, expected several texts", given(draw.animation, POSITION, 5)),
    ("annotation glyphs are of type int, expected several numbers", put("nags", 5)),
    ("annotation glyphs are of type str, expected several numbers", put("nags", "")),
    ("comments are of type int, expected several texts", put("after", 5)),
    ("a time is of type int, expected a timedelta", put("clock", 5)),
    ("a time is of type str, expected a timedelta", put("elapsed", "1:00")),
    ("an evaluation is of type float, expected an Evaluation", put("evaluation", 0.5)),
    ("arrows are of type str, expected several values of Arrow", put("arrows", "Ge2e4")),
    ("one of the arrows is of type str, expected a value of Arrow", put("arrows", ["Ge2e4"])),
    ("one of the circles is of type int, expected a value of Circle", put("circles", [5])),
    ("an evaluation is of type str, expected a whole number", given(Evaluation, "5")),
    ("the steps of a path are of type int, expected several numbers", given(TREE.at, 0)),
    ("a step of a path is of type str, expected a whole number", given(TREE.at, ["x"])),
    ("the other tree is of type int, expected a MoveTree", given(TREE.merge, 5)),
    ("the source is of type int, expected text", given(MoveTree.of, TREE.record(), source=5)),
    ("a position of chess is expected, not int", given(MoveTree, CHESS, 5)),
    ("a game is expected, by its name such as 'chess'", given(MoveTree, 5)),
    ("a game is expected, by its name such as 'chess'", given(Record, 5, (), POSITION)),
    (
        "the moves are of type int, expected several values of Node",
        given(record_of, line=5),
    ),
    ("the comments are of type str, expected several texts", given(record_of, comments="x")),
    ("the tags are of type int, expected several pairs of a name and a text", given(record_of, tags=5)),
    (
        "one of the tags is 'White', expected a pair of a name and a text",
        given(record_of, tags={"White": "A"}),
    ),
    ("the name of a tag is of type int, expected text", given(record_of, tags=((5, "x"),))),
    ("the value of the tag White is of type int, expected text", given(record_of, tags=(("White", 5),))),
    ("the match is of type int, expected a Match", given(Record.of, 5)),
    ("the tags are of type int, expected several pairs", given(Record.of, forsyth.Match("chess"), 5)),
    ("the name of a tag is of type list, expected text", given(TREE.record().tag, [])),
    ("the width is of type str, expected a whole number", given(TREE.text, width="x")),
    ("the number of moves is of type str, expected a whole number", given(forsyth.Match("chess").past, "x")),
    (
        "the store is of type int, expected a store such as open_store returns",
        given(forsyth.read, START, "chess", store=5),
    ),
    (
        "the store is of type int, expected a store such as open_store returns",
        given(forsyth.check, START, store=5),
    ),
    (
        "the store is of type int, expected a store such as open_store returns",
        given(forsyth.wrap, START, "state", store=5),
    ),
    (
        "the value of names is of type list, expected a mapping",
        given(forsyth.unwrap, START, names=["start"]),
    ),
    (
        "the findings are of type int, expected several values of Diagnostic",
        given(forsyth.apply_fixes, START, 5),
    ),
    ("a finding is of type str, expected a Diagnostic", given(forsyth.apply_fixes, START, ["x"])),
    ("a finding is of type int, expected a Diagnostic", given(CHESS.read(START).with_findings, [5])),
    ("the findings are of type int, expected several values of Diagnostic", given(forsyth.FenError, "", 5)),
    ("the seed is of type str, expected a whole number", given(AZUL.new_game, "x")),
    ("the seed is of type list, expected a whole number", given(AzulState, seed=[])),
    ("the name of a place is of type list, expected text", given(AZUL.places_of, [])),
    ("the text is of type int, expected text", given(AZUL.as_data, start_of(AZUL), 5)),
    ("a position of azul is expected, not int", given(AZUL.details_of, 5)),
    ("a position of chess is expected, not int", given(CHESS.variant_of, 5)),
    ("a position of chess is expected, not int", given(CHESS.read_pass, 5, "--")),
    ("a position of chess is expected, not int", given(forsyth.chess.read_uci_move, 5, "e2e4")),
    ("a position of chess is expected, not int", given(forsyth.chess.write_uci_move, 5, None)),
    ("a position of chess is expected, not int", given(forsyth.chess.write_binary, 5)),
    ("the number of a move is of type str, expected a whole number", given(CHESS.unpack_move, "x")),
    ("a field of a position is of type str, expected a whole number", given(POSITION.replace, half="x")),
    ("the operations are of type int, expected several", given(forsyth.chess.write_epd, POSITION, 5)),
    ("an operation is of type str, expected an Operation", given(forsyth.chess.write_epd, POSITION, ["x"])),
    ("the finding is of type int, expected a Diagnostic", given(CHESS.component_of, 5)),
    ("the finding is of type int, expected a Diagnostic", given(COTULENH.component_of, 5)),
    ("the finding is of type int, expected a Diagnostic", given(XIANGQI.component_of, 5)),
    ("the past is of type int, expected a Past", given(XIANGQI.outcome_of, 5)),
    ("the past is of type int, expected a Past", given(XIANGQI.claims_of, 5)),
    ("a position of xiangqi is expected, not int", given(XIANGQI.palette, 5)),
    ("the square is of type list, expected text", given(COTULENH.reach, start_of(COTULENH), [])),
    ("the value of rules is of type int, expected Rules", given(CoTuLenh, rules=5)),
    ("the comment is of type int, expected text", given(CoTuLenh().set_comment, 5)),
    ("the FEN is of type list, expected text", given(CoTuLenh().get_comment, [])),
    ("the name of a tag is of type list, expected text", given(CoTuLenh().set_header, [], "x")),
    ("the value of the tag White is of type list", given(CoTuLenh().set_header, "White", [])),
    ("the name of a tag is of type int, expected text", given(CoTuLenh().remove_header, 5)),
)


@pytest.mark.parametrize(("said", "slip"), WRONG_TYPES, ids=[said for said, _ in WRONG_TYPES])
def test_an_argument_of_another_type(said: str, slip: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(said)}"):
        slip()


NO_VALUES: tuple[tuple[str, Callable[[], object]], ...] = (
    ("there is no severity 'bad'; choose one of error, warning", given(FINDING.with_severity, "bad")),
    ("the FenError has no findings, expected at least one", given(forsyth.FenError, "", ())),
    ("the width is -1, expected 0 or more", given(TREE.text, width=-1)),
    ("5 is not a result, expected one such as 1-0", given(record_of, result=5)),
    ("[] is not a square, expected a1 to h8", given(POSITION.piece_at, [])),
    ("[] is not a square, expected a1 to k12", given(start_of(COTULENH).unit_at, [])),
    ("[] is not a place of the board", given(CHESS.put, POSITION, [], None)),
    ("[] is not a place of the board", given(CHESS.lift, POSITION, [], "e4")),
    ("[] is not a place of the board", given(CHESS.lift, POSITION, "e2", [])),
    ("[] is not a square, expected one such as c5", given(COTULENH.put, start_of(COTULENH), [], None)),
    ("a chess position has no field []", given(CHESS.with_field, POSITION, [], "1")),
    ("there is no chess board []; choose one of", given(draw.svg, POSITION, board=[])),
    ("there is no xiangqi style []; choose one of", given(XIANGQI.write, start_of(XIANGQI), [])),
    ("there is no mark []; choose one of", given(draw.svg, POSITION, marks={"e4": []})),
    ("there is no chess look 'x'; choose one of", given(forsyth.chess.Chess, look="x")),
    ("there is no chess profile 'x'; choose one of", given(forsyth.chess.Chess, profile="x")),
    ("there is no cotulenh look 'x'; choose one of", given(forsyth.cotulenh.CoTuLenhGame, look="x")),
    ("there is no azul look 'x'; choose one of", given(forsyth.azul.AzulGame, look="x")),
    (
        "the text '\\ud800' contains a lone surrogate, expected Unicode text",
        given(forsyth.state_id, "\ud800"),
    ),
    ("a move of chess is expected, not 5", given(CHESS.pack_move, 5)),
    ("a move of chess is expected, not 5", given(CHESS.uci_move, 5)),
    ("a move of chess is expected, not 5", given(forsyth.chess.write_uci_move, POSITION, 5)),
    ("the text of a move is expected, not 5", given(CHESS.read_pass, POSITION, 5)),
)


@pytest.mark.parametrize(("said", "slip"), NO_VALUES, ids=[said for said, _ in NO_VALUES])
def test_what_is_no_value_of_an_argument(said: str, slip: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        slip()


@pytest.mark.parametrize("name", forsyth.games())
def test_slips_that_every_game_refuses_alike(name: str) -> None:
    game: Any = forsyth.game(name)
    position = start_of(game)
    with pytest.raises(TypeError, match=r"^the text is of type bytes, expected text$"):
        game.likelihood(b"x")
    for ask in (game.outcome, game.claims):
        with pytest.raises(TypeError, match=r"^the number of repetitions is of type str, expected a whole"):
            ask(position, "x")
        with pytest.raises(ValueError, match=r"^the number of repetitions is 0, expected 1 or more$"):
            ask(position, 0)
    names: tuple[tuple[Any, ...], ...] = ((5, "e4"), ("e2", None), ("e2", "e4", []))
    for wrong in names:
        with pytest.raises(TypeError, match=r"^the (?:origin|target|piece) is of type .*, expected text$"):
            game.why_not(position, *wrong)
    with pytest.raises((TypeError, ValueError), match=r"^(?:the place is of type list|\[\] is no)"):
        position.targets([])
    for flip in ([], ["x"]):
        assert game.scene(position, flip=flip) == game.scene(position, flip=bool(flip))


@pytest.mark.parametrize("wrong", [None, 5, start_of(AZUL)])
def test_san_of_what_is_no_position(wrong: Any) -> None:
    # A compiled function refuses another type before it begins; None comes in.
    with pytest.raises(TypeError, match=r"^a position of chess is expected|^Argument 'position' has"):
        forsyth.chess.read_san(wrong, "e4")
    with pytest.raises(TypeError, match=r"^a position of chess is expected|^Argument 'position' has"):
        forsyth.chess.write_san(wrong, CHESS.moves(POSITION)[0])


def test_what_is_no_move_of_azul_is_explained_as_any_other_text() -> None:
    assert cast(Any, AZUL).explain(start_of(AZUL), None).code == "move.unreadable"


def test_a_tree_whose_tags_were_replaced_by_something_else() -> None:
    tree: Any = TREE.copy()
    tree.tags = 5
    with pytest.raises(TypeError, match=r"^the value of tags is of type int, expected a mapping from names"):
        tree.record()


# --- pictures ---------------------------------------------------------------------------------------


@named
def test_a_position_and_a_match_are_drawn_as_they_are(game: WholeGame) -> None:
    position, match = start_of(game), forsyth.Match(game)
    scene = game.scene(position)
    for drawn in (position, match):
        assert draw.svg(drawn) == draw.svg(scene)
        assert draw.text(drawn) == draw.text(scene)
        assert draw.png(drawn, size=64) == draw.png(scene, size=64)


@pytest.mark.parametrize("wrong", [None, START, CHESS])
def test_what_cannot_be_drawn(wrong: Any) -> None:
    for paint in (draw.svg, draw.text, draw.png):
        with pytest.raises(TypeError, match="a scene, position or match is expected, not "):
            paint(wrong)


@pytest.mark.parametrize("size", [15, 8193, -1])
def test_the_size_of_a_picture_is_bounded(size: int) -> None:
    for paint in (draw.svg, draw.png):
        with pytest.raises(ValueError, match=f"the size is {size}, expected 16 to 8192"):
            paint(POSITION, size=size)
        with pytest.raises(TypeError, match="the size is of type str, expected a whole number"):
            paint(POSITION, size=cast(Any, "big"))


# --- Azul's own class -------------------------------------------------------------------------------


def test_slips_with_a_state_of_azul() -> None:
    with pytest.raises(ValueError, match="Number of players must be 2 to 4, got '2'"):
        AzulState(cast(Any, "2"))
    with pytest.raises(TypeError, match="the starting player is of type str"):
        AzulState(start=cast(Any, "x"))
    with pytest.raises(TypeError, match="a position of azul is expected"):
        AzulState.of(cast(Any, POSITION))
    with pytest.raises(MoveError, match="the text of a move is expected"):
        AzulState().apply(cast(Any, None))
    with pytest.raises(ValueError, match="5 is not a supply of tiles"):
        AzulState.from_fen(AZUL.start, bag=cast(Any, 5))
    with pytest.raises(TypeError, match="a source of random numbers is expected, not int"):
        AzulState(deal=False).deal(cast(Any, 5))
    with pytest.raises(TypeError, match="the tiles of each factory are expected, not int"):
        AzulState(deal=False).deal(draw=cast(Any, 5))


# --- sets of squares --------------------------------------------------------------------------------


@pytest.mark.parametrize("squares", [-1, 1 << 64, -(10**30)])
def test_a_number_that_is_no_set_of_squares_is_refused_at_once(squares: int) -> None:
    with pytest.raises(OverflowError):
        list_squares(squares)


def test_the_squares_of_a_set_are_given_lowest_first() -> None:
    assert list_squares(1 << 63 | 0b101) == [0, 2, 63]
