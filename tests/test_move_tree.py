"""The editable tree of a record: positions, edits, what is said, and records again as they were."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden_data import FOLDER
from tests.outside_game_0_1 import GAME as NIM
from tests.test_record import COMMENTS, GAMES, Author

import forsyth
from forsyth import draw
from forsyth.diagnostics import FenError, MoveError
from forsyth.game import Game
from forsyth.limits import MAX_MOVES, MAX_VARIATION_DEPTH
from forsyth.match import Match
from forsyth.record import (
    Arrow,
    Circle,
    Evaluation,
    MoveNode,
    MovePlace,
    MoveTree,
    Node,
    Period,
    Record,
    TimeControl,
    parse_record,
    read_record,
    read_records,
    read_time_control,
    write_record,
)
from forsyth.record.kernels import StartCache

CHESS = forsyth.game("chess")
BUILT_IN: tuple[Game, ...] = (*map(forsyth.game, forsyth.games()), NIM)
ANNOTATED = (
    "{Before all}   1.e4! {Best} (1. d4 d5 (1... Nf6!? {Indian} 2. c4) 2. c4)\r\n"
    "1... e5 {[%clk 0:03:00] quick} 2. Nf3   1-0\r\n"
)


def tree_of(text: str) -> MoveTree[Any, Any]:
    return parse_record(text, "chess").tree()


def moves_of(tree: MoveTree[Any, Any]) -> str:
    return write_record(tree.record(), width=None).split("\n\n", 1)[1].strip()


def node_of(tree: MoveTree[Any, Any], text: str) -> MoveNode[Any, Any]:
    return next(node for node in tree if node.text == text)


# --- as it was -----------------------------------------------------------------------------------------


def test_the_golden_games_are_the_same_after_a_tree() -> None:
    golden = (FOLDER / "records.pgn").read_bytes().decode()
    readings = list(read_records(golden))
    assert len(readings) == 8
    for reading in readings:
        tree = reading.tree()
        assert tree.record() == reading.record
        assert tree.text() == reading.text
        assert write_record(tree.record()) == write_record(reading.require())


@given(game=st.sampled_from(GAMES), seed=st.integers(0, 2**32), comments=COMMENTS)
def test_a_record_is_the_same_after_a_tree(game: Game, seed: int, comments: list[str]) -> None:
    """Also brackets that are first in brackets, and comments of every kind."""
    record = Author(game, Random(seed), comments).record({"Event": "x"})
    tree = record.tree()
    assert tree.record() == record
    assert tree.copy().record() == record
    assert [node.text for node in tree.main_line()] == record.moves
    assert [tree.start, *(node.position for node in tree.main_line())] == list(record.positions())


def test_a_text_comes_back_byte_for_byte_until_something_changes_and_again_when_it_is_undone() -> None:
    tree = read_record(ANNOTATED, "chess").tree()
    assert tree.text() == ANNOTATED
    node = node_of(tree, "e5")
    assert node.comment == "quick"
    node.comment = "slow"
    assert "{[%clk 0:03:00] slow}" in tree.text() and tree.text() != ANNOTATED
    node.comment = "quick"
    added = tree.end.play("Nc6")
    assert tree.text().endswith("2. Nf3 Nc6 1-0\r\n")
    added.remove()
    assert tree.text() == ANNOTATED
    assert tree.text(notation="uci").endswith("1... e7e5 {[%clk 0:03:00] quick} 2. g1f3 1-0\n")


def test_an_edit_leaves_the_other_half_of_the_text_byte_for_byte() -> None:
    head = '[ECO "C20"]\r\n[White "Anna"] [Result "1-0"]\r\n\r\n\r\n'
    tree = read_record(f"{head}1.e4   e5 2.Nf3 (2.f4) 1-0\r\n\r\n", "chess").tree()
    node_of(tree, "f4").comment = "sharp } or not"
    text = f"{head}1.e4   e5 2.Nf3 (2.f4 ; sharp }} or not\r\n) 1-0\r\n\r\n"
    assert tree.text(width=None) == text
    assert read_record(text, "chess").require() == tree.record()
    node_of(tree, "f4").comment = ""
    tree.tags["White"] = "Bea"
    assert tree.text().endswith('[ECO "C20"]\r\n\r\n\r\n1.e4   e5 2.Nf3 (2.f4) 1-0\r\n\r\n')
    assert '[White "Bea"]\r\n[Black "?"]' in tree.text()
    bare = read_record("1.e4 *", "chess").tree()
    bare.end.play("e5")
    assert bare.text() == "1.e4 e5 *"
    bare.tags["White"] = "Anna"
    assert bare.text().endswith('[Result "*"]\n\n1.e4 e5 *')


HAND_WRITTEN = (
    '[White "Anna"]\n[Result "*"]\n\n{Before\nall}   1.e2-e4! {Best}\n'
    "(1.d4 d5 (1...Nf6!? {Indian}  2.c4)2. c4)\n1... e5 2.Nf3   Nc6 ; quick\n 3.Bb5 a6 *\n"
)


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (lambda tree: tree.end.play("Ba4"), "a6 *", "a6 4. Ba4 *"),
        (lambda tree: _set(tree, "e5", glyph="?"), "e5 2.Nf3", "e5 $2 2.Nf3"),
        (lambda tree: _set(tree, "Nf3", comment="only"), "2.Nf3   Nc6", "2.Nf3 {only} 2... Nc6"),
        (lambda tree: _set(tree, "Nc6", comment=""), "Nc6 ; quick\n 3.Bb5", "Nc6 3.Bb5"),
        (lambda tree: _set(tree, "Nf6", glyph="!"), "Nf6!?", "Nf6 $1"),
        (lambda tree: node_of(tree, "Nf6").remove(), " (1...Nf6!? {Indian}  2.c4)2. c4", " 2. c4"),
        (lambda tree: node_of(tree, "Nf6").play("Nc3"), "2.c4)2.", "2.c4 (2. Nc3))2."),
        (
            lambda tree: node_of(tree, "Nf6").promote(),
            "d5 (1...Nf6!? {Indian}  2.c4)2. c4)",
            "Nf6!? {Indian} (1... d5 2. c4) 2.c4)",
        ),
        (lambda tree: setattr(tree, "result", "1-0"), '"*"', '"1-0"'),
    ],
)
def test_an_edit_changes_no_word_that_it_does_not_concern(
    edit: Callable[[MoveTree[Any, Any]], object], old: str, new: str
) -> None:
    """Blanks, numbers, spellings and line breaks of the rest are as a hand wrote them."""
    tree = read_record(HAND_WRITTEN, "chess").tree()
    edit(tree)
    expected = HAND_WRITTEN.replace(old, new, 1)
    if tree.result != "*":
        expected = expected.replace("a6 *", "a6 1-0")
    assert tree.text() == expected
    assert parse_record(tree.text(), "chess") == tree.record()


def _set(tree: MoveTree[Any, Any], move: str, **said: str) -> None:
    for name, value in said.items():
        setattr(node_of(tree, move), name, value)


def test_a_record_without_moves_or_result_grows() -> None:
    tree = read_record('[White "Anna"]\n', "chess").tree()
    tree.root.play("e4")
    assert tree.text() == '[White "Anna"]\n\n1. e4 *\n'
    open_end = read_record("1.e4   e5", "chess").tree()
    open_end.end.play("Nf3")
    assert open_end.text() == "1.e4   e5 2. Nf3"


def test_a_word_that_was_skipped_is_no_reason_to_lose_others() -> None:
    """Such a text is written anew."""
    tree = read_record("1.e4 a6 2.e5 d5 3.exd6 e.p. *", "chess").tree()
    tree.end.play("cxd6")
    assert parse_record(tree.text(), "chess") == tree.record()


def test_comments_among_the_tags_are_not_doubled() -> None:
    tree = read_record('{first}\n[White "Anna"]\n{second} 1.e4 *', "chess").tree()
    tree.end.play("e5")
    assert tree.text().count("{first}") == tree.text().count("{second}") == 1
    assert parse_record(tree.text(), "chess").line == tree.record().line


def test_a_record_with_an_error_is_no_tree() -> None:
    with pytest.raises(FenError):
        read_record("1. e5 *", "chess").tree()
    with pytest.raises(TypeError, match="expected a Record, not str"):
        MoveTree.of("1. e4 *")  # type: ignore[arg-type]


def test_first_variations_keep_their_brackets_until_their_order_changes() -> None:
    tree = tree_of("1. e4 (1. d4 (1. c4 c5) 1... d5) (1. Nf3) 1... e5 *")
    assert [node.text for node in tree.root.children] == ["e4", "d4", "c4", "Nf3"]
    assert moves_of(tree) == "1. e4 (1. d4 (1. c4 c5) 1... d5) (1. Nf3) 1... e5 *"
    assert node_of(tree, "c4").promote()
    assert moves_of(tree) == "1. e4 (1. c4 c5) (1. d4 d5) (1. Nf3) 1... e5 *"


# --- edits ---------------------------------------------------------------------------------------------


def test_playing_finds_what_is_there_or_adds_a_variation() -> None:
    tree = tree_of("1. e4 e5 *")
    first = tree.root.next
    assert first is not None and tree.root.play("e2e4") is first
    assert tree.root.play(first.move) is first
    sicilian = first.play("c5")
    assert [node.text for node in first.children] == ["e5", "c5"]
    assert str(sicilian.position) == "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"
    assert sicilian.add_line("Nf3", "d6", "--").parent is node_of(tree, "d6")
    assert moves_of(tree) == "1. e4 e5 (1... c5 2. Nf3 d6 3. --) *"
    assert (sicilian.ply, sicilian.path, sicilian.is_main, first.is_main) == (2, (0, 1), False, True)
    assert tree.at((0, 1)) is sicilian
    assert [node.text for node in sicilian.line()] == ["e4", "c5"]
    assert node_of(tree, "e5").variations == (sicilian,) and sicilian.variations == ()


def test_a_spelling_of_a_record_is_found_by_its_move() -> None:
    tree = Record(CHESS, (), CHESS.parse(CHESS.start), (Node("e2e4"),)).tree()
    assert tree.root.play("e4") is tree.root.next
    assert len(tree) == 1


def test_promote_demote_and_make_main() -> None:
    tree = tree_of("1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. f4 *")
    french = node_of(tree, "e6")
    assert french.promote() and french.promote() and not french.promote()
    assert moves_of(tree) == "1. e4 e6 (1... e5 2. f4) (1... c5 2. Nf3 (2. c3)) *"
    assert french.demote() and french.demote() and not french.demote()
    node_of(tree, "c3").make_main()
    assert moves_of(tree) == "1. e4 c5 (1... e5 2. f4) (1... e6) 2. c3 (2. Nf3) *"


def test_remove_and_prune() -> None:
    tree = tree_of("1. e4 e5 (1... c5 2. Nf3) 2. f4 exf4 *")
    gone = node_of(tree, "c5")
    gone.remove()
    assert moves_of(tree) == "1. e4 e5 2. f4 exf4 *"
    assert (gone.text, gone.label, str(gone.position).split()[1]) == ("c5", "1…", "w")
    with pytest.raises(ValueError, match="c5 was removed from its tree"):
        gone.remove()
    node_of(tree, "f4").prune()
    assert moves_of(tree) == "1. e4 e5 2. f4 *"
    node_of(tree, "e4").remove()
    assert (moves_of(tree), len(tree), bool(tree)) == ("*", 0, True)


def test_a_main_move_that_is_removed_leaves_its_place_to_the_first_variation() -> None:
    tree = tree_of("1. e4 (1. d4 (1. c4)) 1... e5 *")
    node_of(tree, "e4").remove()
    assert moves_of(tree) == "1. d4 (1. c4) *"


def test_merge() -> None:
    tree = tree_of("1. e4 {mine} e5 $1 2. Nf3 *")
    other = tree_of(
        "1. e4 {theirs} e5 $2 2. f4 exf4 (2... d5 {sharp}) (1. d4 d5) *".replace("(1. d4 d5) ", "")
    )
    other.root.add_line("d4", "d5")
    before = other.copy()
    tree.merge(other)
    assert moves_of(tree) == (
        "1. e4 {mine} {theirs} (1. d4 d5) 1... e5 $1 $2 2. Nf3 (2. f4 exf4 (2... d5 {sharp})) *"
    )
    assert other == before
    again = tree.copy()
    tree.merge(other)
    tree.merge(tree)
    assert tree == again
    node_of(tree, "d4").remove()
    assert node_of(other, "d4").position == before.at((1,)).position


def test_only_the_same_game_is_merged_and_nothing_of_one_with_a_bad_move() -> None:
    tree = tree_of("1. e4 e5 *")
    with pytest.raises(ValueError, match=r"the trees begin with .* only trees of the same game and start"):
        tree.merge(parse_record('[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"] 1. Kd2 *', "chess").tree())
    with pytest.raises(ValueError, match=r"the trees are of chess \(standard\) and xiangqi"):
        tree.merge(forsyth.Record.of(Match("xiangqi")).tree())
    bad = Record(CHESS, (), tree.start, (Node("d4"), Node("Ke4"))).tree()
    with pytest.raises(MoveError):
        tree.merge(bad)
    assert moves_of(tree) == "1. e4 e5 *"


def test_strip() -> None:
    text = "{a} 1. e4 $1 {[%clk 0:00:01] b} (1. d4 {c} d5) {d} 1... e5 *"
    tree = tree_of(text)
    tree.strip_comments(keep_commands=True)
    assert moves_of(tree) == "1. e4 $1 {[%clk 0:00:01]} (1. d4 d5) 1... e5 *"
    tree.strip_comments()
    tree.strip_glyphs()
    assert moves_of(tree) == "1. e4 (1. d4 d5) 1... e5 *"
    tree.strip_variations()
    assert moves_of(tree) == "1. e4 e5 *"


def test_a_comment_stays_with_the_move_before_it_when_a_variation_goes() -> None:
    tree = tree_of("1. e4 (1. d4) {then} 1... e5 *")
    node_of(tree, "d4").remove()
    assert moves_of(tree) == "1. e4 {then} 1... e5 *"
    assert parse_record(write_record(tree.record()), "chess").line == tree.record().line
    assert tree == tree.record().tree()


def test_a_comment_before_all_moves_stays_there_when_the_first_is_played() -> None:
    tree = tree_of("{nothing yet} *")
    tree.root.play("e4")
    assert moves_of(tree) == "{nothing yet} 1. e4 *"


@pytest.mark.parametrize("bad", [("e5",), ("e4", "e5", "Ke3"), ("",), ("e4", None)])
def test_a_bad_line_leaves_the_tree_as_it_was(bad: tuple[Any, ...]) -> None:
    tree = tree_of("1. d4 *")
    with pytest.raises(MoveError):
        tree.root.add_line(*bad)
    assert moves_of(tree) == "1. d4 *"


def test_what_cannot_be_said_is_refused_and_nothing_changes() -> None:
    tree = tree_of("1. e4 $1 {good} *")
    node = tree.end
    for name, value in (
        ("after", "text"),
        ("after", [1]),
        ("before", [None]),
        ("comment", 1),
        ("nags", [256]),
        ("nags", [-1]),
        ("nags", ["!"]),
        ("glyph", "!!!"),
        ("clock", timedelta(seconds=-1)),
    ):
        with pytest.raises((TypeError, ValueError)):
            setattr(node, name, value)
    assert moves_of(tree) == "1. e4 $1 {good} *"
    for make in (
        lambda: Arrow("e2", ""),
        lambda: Circle("e2]"),
        lambda: Evaluation(),
        lambda: Evaluation(1, 2),
    ):
        with pytest.raises(ValueError, match=r"arrow|circle|evaluation"):
            make()
    with pytest.raises(ValueError, match="too large"):
        Evaluation(600_000)
    tree.tags["Event\n"] = "x"
    with pytest.raises(ValueError, match="is not the name of a tag"):
        tree.record()


def test_the_start_has_no_move() -> None:
    root = tree_of("*").root
    for ask in (lambda: root.move, lambda: root.place, root.promote, root.remove, root.write):
        with pytest.raises(ValueError, match="the start of a tree has no move"):
            ask()
    with pytest.raises(IndexError, match="the path has step 0 after the start"):
        tree_of("*").at((0,))


def test_copies_are_independent_and_trees_can_be_sent() -> None:
    tree = read_record(ANNOTATED, "chess").tree()
    for other in (copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):  # noqa: S301
        assert other == tree and other.text() == ANNOTATED
        other.end.play("Nc6")
        other.tags["Event"] = "x"
        assert other != tree and tree.text() == ANNOTATED
    assert tree != 1
    assert repr(tree) == "<MoveTree chess, standard, 8 moves>"
    assert repr(tree.root.next) == "<MoveNode 1. e4>"
    with pytest.raises(TypeError):
        hash(tree)


@settings(max_examples=25)
@given(game=st.sampled_from(BUILT_IN), seed=st.integers(0, 2**32))
def test_edits_keep_every_position_legal_and_the_original_as_it_was(game: Game, seed: int) -> None:
    random = Random(seed)
    said = write_record(Author(game, random, ["a", "[%clk 0:00:01] b"]).record({}))
    tree = read_record(said, game).tree()
    original = tree.copy()
    for _ in range(12):
        _edit(tree, random)
    for node in tree:
        assert node.parent is not None
        assert node.text == game.write_move(node.parent.position, node.move)
        assert node.position == game.play(node.parent.position, node.move)
    record = tree.record()
    assert parse_record(tree.text(), game).line == record.line
    assert record.tree().record() == record
    assert original.text() == said
    merged = original.copy()
    merged.merge(tree)
    assert {_moves_to(node) for node in (*original, *tree)} == {_moves_to(node) for node in merged}


def _edit(tree: MoveTree[Any, Any], random: Random) -> None:
    node = random.choice([tree.root, *tree])
    edits: list[Any] = [lambda: _play(node, random), node.prune] if random.random() < 0.7 else []
    if node.parent is not None:
        edits += [node.promote, node.demote, node.make_main, node.remove]
        edits.append(lambda: setattr(node, "glyph", random.choice(("", "!", "?!"))))
        edits.append(lambda: setattr(node, "comment", random.choice(("", "words (in) brackets"))))
        edits.append(lambda: setattr(node, "clock", timedelta(milliseconds=random.randrange(10**7))))
    if edits:
        random.choice(edits)()


def _play(node: MoveNode[Any, Any], random: Random) -> None:
    moves = node._game.moves(node.position)
    if moves:
        assert node.play(random.choice(moves)) in node.children


def _moves_to(node: MoveNode[Any, Any]) -> tuple[str, ...]:
    return tuple(one.text for one in node.line())


# --- what is said --------------------------------------------------------------------------------------


def test_commands_are_values() -> None:
    node = tree_of(
        "1. e4 {[%clk 0:03:00.5] [%emt 3] good [%eval -0.31,20] [%cal Ge2e4,Rd1h5] [%csl Ye4]} *"
    ).end
    assert node.clock == timedelta(minutes=3, milliseconds=500)
    assert node.elapsed == timedelta(seconds=3)
    assert node.evaluation == Evaluation(-31)
    assert node.arrows == (Arrow("e2", "e4"), Arrow("d1", "h5", "R"))
    assert node.circles == (Circle("e4", "Y"),)
    assert node.comment == "good"
    node.clock, node.elapsed = timedelta(hours=25), None
    node.evaluation = Evaluation(mate=-3)
    node.arrows, node.circles = (), [Circle("k11"), Circle("9g", "B")]
    node.comment = " better "
    assert node.after == ("[%clk 25:00:00] [%eval #-3] [%csl Gk11,B9g] better",)
    assert (node.evaluation, node.circles) == (Evaluation(mate=-3), (Circle("k11"), Circle("9g", "B")))


@pytest.mark.parametrize(
    "value", [Evaluation(0), Evaluation(-5), Evaluation(1234), Evaluation(mate=0), Evaluation(mate=7)]
)
def test_evaluations_come_back(value: Evaluation) -> None:
    node = tree_of("1. e4 {x} {y} *").end
    node.evaluation = value
    assert (node.evaluation, node.comment, len(node.after)) == (value, "x y", 2)
    node.evaluation = None
    assert node.after == ("x", "y")


@given(milliseconds=st.integers(0, 2**31 - 1))
def test_clocks_come_back(milliseconds: int) -> None:
    node = tree_of("1. e4 *").end
    node.clock = timedelta(milliseconds=milliseconds)
    assert node.clock == timedelta(milliseconds=milliseconds)


def test_a_command_that_stands_twice_is_written_once() -> None:
    node = tree_of("1. e4 {a [%clk 0:00:01] b [%clk 0:00:02]} {[%clk 0:00:03]} *").end
    node.clock = timedelta(seconds=9)
    assert node.after == ("a [%clk 0:00:09] b",)
    node.clock = None
    assert node.after == ("a b",)


def test_a_glyph_is_one_sign_and_other_glyphs_stay() -> None:
    node = tree_of("1. e4 $14 $1 *").end
    assert node.glyph == "!"
    node.glyph = "??"
    assert (node.glyph, node.nags) == ("??", (4, 14))
    node.glyph = ""
    assert (node.glyph, node.nags) == ("", (14,))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-", TimeControl()),
        ("300", TimeControl((Period(300),))),
        ("180+2", TimeControl((Period(180, increment=2),))),
        ("40/7200:3600", TimeControl((Period(7200, 40), Period(3600)))),
        ("40/5400+30:1800+30", TimeControl((Period(5400, 40, 30), Period(1800, None, 30)))),
        ("*180", TimeControl((Period(180, hourglass=True),))),
    ],
)
def test_time_controls(text: str, value: TimeControl) -> None:
    assert read_time_control(text) == value
    assert str(value) == text
    assert parse_record(f'[TimeControl "{text}"] 1. e4 *', "chess").time_control == value


@pytest.mark.parametrize("text", ["?", "", "5 min", "300+", "1:2:x", "٣00", "1" * 10, ":".join(["1"] * 17)])
def test_what_is_no_time_control(text: str) -> None:
    assert read_time_control(text) is None


# --- numbers and notations -----------------------------------------------------------------------------


def test_numbers_go_on_from_any_start() -> None:
    start = CHESS.parse("4k3/8/8/8/8/8/8/4K3 b - - 0 34")
    tree = MoveTree(CHESS, start)
    last = tree.root.add_line("Kd7", "Kd2")
    assert [node.label for node in last.line()] == ["34…", "35."]


def test_a_turn_of_several_steps_and_a_deal() -> None:
    game = forsyth.game("cotulenh")
    tree = MoveTree(game, game.parse("6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"))
    last = tree.root.add_line("F>e5", "T>c4", "commit", "Cg11")
    assert [node.place for node in last.line()] == [
        MovePlace(9, 0),
        MovePlace(9, 0, None, True),
        MovePlace(9, 0, None, True),
        MovePlace(9, 1),
    ]
    match = Match("azul")
    while match.moves():
        match.play(match.moves()[0])
    for action in ("tile", "deal"):
        match.play(action)
    match.play(match.moves()[0])
    places = [node.place for node in Record.of(match).tree().main_line()]
    assert [place.action for place in places[-4:]] == [None, "tile", "deal", None]
    assert [place.number for place in places[-4:]] == [1, 1, 2, 2]
    assert not any(place.step for place in places)


@pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
def test_long_notation_is_read_back(game: Game) -> None:
    for seed in range(3):
        record = Author(game, Random(seed), ["a"]).record({})
        text = write_record(record, notation="lan")
        again = read_record(text, game)
        assert again.record is not None and again.record.line == record.line
        assert {finding.code for finding in again.diagnostics} <= {"record.spelling", "record.result"}


def test_uci_is_written_where_a_game_has_it() -> None:
    tree = tree_of("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *")
    assert "4. e1g1 *" in write_record(tree.record(), notation="uci")
    assert (tree.end.write("uci"), tree.end.write("lan"), tree.end.write()) == ("e1g1", "e1g1", "O-O")
    with pytest.raises(ValueError, match="xiangqi has no UCI notation"):
        write_record(Record.of(Match("xiangqi")), notation="uci")
    with pytest.raises(ValueError, match="there is no notation 'san'"):
        write_record(tree.record(), notation="san")  # type: ignore[arg-type]


# --- bounds --------------------------------------------------------------------------------------------


def test_variations_are_written_as_deep_as_they_are_read() -> None:
    tree = MoveTree(CHESS)
    node = tree.root
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"]
    for depth in range(MAX_VARIATION_DEPTH):
        node.add_line("a3" if depth == 0 else CHESS.write_move(node.position, CHESS.moves(node.position)[0]))
        node = node.play(moves[depth % 4])
    assert parse_record(write_record(tree.record()), "chess").line == tree.record().line
    node.add_line(CHESS.write_move(node.position, CHESS.moves(node.position)[0]))
    node.play("e4").play("e5")
    with pytest.raises(ValueError, match="variations are nested 65 deep"):
        tree.record()


def test_a_line_is_as_long_as_a_match() -> None:
    tree = tree_of("*")
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]
    node = tree.root.add_line(*shuffle * (MAX_MOVES // 4))
    assert (node.ply, len(tree)) == (MAX_MOVES, MAX_MOVES)
    with pytest.raises(MoveError, match="20001 moves, expected at most 20000"):
        node.play("Nf3")
    assert len(tree.copy().record().line) == MAX_MOVES


def test_a_move_that_nobody_can_play_is_no_other_move() -> None:
    tree = Record(CHESS, (), CHESS.parse(CHESS.start), (Node("e9"),)).tree()
    assert tree.root.play("e4").text == "e4"
    assert [node.text for node in tree.root.children] == ["e9", "e4"]


def test_starts_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.record.kernels._CACHE_SIZE", 2)
    starts = StartCache(CHESS, "default")
    texts = [f"4k3/8/8/8/8/8/8/{at}K{7 - at} w - - 0 1" for at in range(1, 4)]
    found = [starts.game_and_start(None, "1", text) for text in texts[:2]]
    assert [str(position) for _, position in found] == texts[:2]
    assert starts.game_and_start(None, "1", texts[0]) is found[0]
    assert str(starts.game_and_start(None, "1", texts[2])[1]) == texts[2]
    # The third did not fit: all were forgotten, and the first is found anew.
    assert len(starts._cache) == 1
    assert starts.game_and_start(None, "1", texts[0]) is not found[0]
    assert starts.game_and_start(None, "1", texts[0]) == found[0]


def test_a_node_gives_its_move_number_and_displays_its_board() -> None:
    """The number was once that of the ply, and a node had no picture."""
    tree = tree_of("1. e4 (1. d4 d5) 1... e5 2. Nf3 *")
    assert [repr(node) for node in tree.main_line()] == [
        "<MoveNode 1. e4>",
        "<MoveNode 1… e5>",
        "<MoveNode 2. Nf3>",
    ]
    assert repr(tree.at((1, 0))) == "<MoveNode 1… d5>"
    assert repr(tree.root) == "<MoveNode start>"
    later = MoveTree(CHESS, CHESS.parse("4k3/8/8/8/8/8/8/4K2R b K - 3 41")).root.add_line("Ke7", "O-O")
    assert [repr(node) for node in later.line()] == ["<MoveNode 41… Ke7>", "<MoveNode 42. O-O>"]
    for node in (tree.root, tree.end, tree.at((1, 0))):
        assert node._repr_svg_() == draw.svg(node)


def test_a_node_with_an_illegal_move_is_shown_without_number_and_board() -> None:
    record = Record(CHESS, (), CHESS.parse(CHESS.start), (Node("e5"), Node("e6")))
    node = record.tree().end
    assert repr(node) == "<MoveNode e6>"
    assert node._repr_svg_() is None
