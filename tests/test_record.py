"""Records: reading with every finding, writing, round trips; the hostile ones are in `test_record_bounds`."""

from __future__ import annotations

import io
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden_data import COMPILED, FOLDER
from tests.outside_game_0_1 import GAME as NIM
from tests.outside_game_0_1 import Heaps, Nim, Take

import forsyth
from forsyth import registry
from forsyth.diagnostics import FenError, MoveError, Severity, apply_fixes
from forsyth.game import Game
from forsyth.limits import MAX_DIAGNOSTICS
from forsyth.match import Match
from forsyth.record import (
    RECORD_CODES,
    Line,
    Node,
    Record,
    RecordReading,
    parse_record,
    read_record,
    read_records,
    write_record,
)

CHESS = forsyth.game("chess")
GOLDEN = (FOLDER / "records.pgn").read_text(encoding="utf-8")
SHUFFLED = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w KQkq - 0 1"
PLAYERS = '[White "?"][Black "?"]\n'


def codes(reading: RecordReading) -> list[str]:
    return [d.code for d in reading.diagnostics]


def record_of(text: str, game: Game | str = "chess") -> Record:
    """The record of a text, errors or not."""
    record = read_record(text, game).record
    assert record is not None
    return record


def moves_part(record: Record, width: int | None = None) -> str:
    return write_record(record, width=width).split("\n\n", 1)[1].rstrip("\n")


# --- the golden games -------------------------------------------------------------------------------


def test_the_golden_games_are_read_without_a_finding_and_written_as_they_are() -> None:
    readings = list(read_records(GOLDEN, mode="strict"))
    assert [d for reading in readings for d in reading.diagnostics] == []
    assert "".join(reading.text for reading in readings) == GOLDEN.replace("\n\n[Event", "\n[Event")
    assert "\n".join(write_record(reading.require()) for reading in readings) == GOLDEN
    assert max(map(len, GOLDEN.splitlines())) == 80


def test_the_golden_games_end_where_another_reader_says() -> None:
    source = io.StringIO(GOLDEN)
    for reading in read_records(GOLDEN):
        record, other = reading.require(), chess.pgn.read_game(source)
        assert other is not None and other.errors == []
        assert str(record.match().position) == other.end().board().fen(en_passant="fen")
        assert [*record.positions()][-1] == record.match().position
        assert record.moves == [node.san() for node in other.mainline()]
        assert _ways(record.line) == _their_ways(other)
    assert chess.pgn.read_game(source) is None


def _ways(line: Line, before: tuple[str, ...] = ()) -> Counter[Any]:
    """Every move of a tree as the way to it, with its glyphs."""
    found: Counter[Any] = Counter()
    for node in line:
        for inner in node.variations:
            found += _ways(inner, before)
        before = (*before, node.text)
        found[before, frozenset(node.nags)] += 1
    return found


def _their_ways(parent: Any, before: tuple[str, ...] = ()) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for node in parent.variations:
        way = (*before, node.san())
        found[way, frozenset(node.nags)] += 1
        found += _their_ways(node, way)
    return found


def test_what_another_writer_writes_is_read() -> None:
    source = io.StringIO(GOLDEN)
    for reading in read_records(GOLDEN):
        other = chess.pgn.read_game(source)
        again = read_record(str(other))
        assert again.require().moves == reading.require().moves
        assert again.require().start == reading.require().start


def test_variants_and_starts() -> None:
    readings = read_records(GOLDEN, "chess")
    records = {str(reading.require().tag("Event")): reading.require() for reading in readings}
    assert records["Shuffled"].game.variant == "chess960"
    assert records["Shuffled"].match().history[6].text == "O-O"
    assert CHESS.move_number(records["Black begins"].start) == (3, 1)
    assert records["No moves"].comments == ("Black did not appear.",)
    assert records["The opera"].line[2].after == ("[%clk 0:09:55] [%emt 0:00:05]",)
    assert records["London"].tag("Annotator") == '"The Immortal Game"'
    assert records["London"].tag("WhiteElo") is None


# --- reading ----------------------------------------------------------------------------------------

MESSY = (
    "\ufeff% an escape\r\n; before the tags\r\n"
    '[Black "b\\\\c"] [ White"a" ]\r\n[Result  "0-1"]\r\n[Odd "  "]\r\n\r\n'
    "1.e4! {two\r\n  lines } e5 ; to the end\r\n"
    "2 . Nf3 (2.f4 $13 exf4 (2... d5!?) 3. Nf3) {behind} ( 2. Nc3 ) 2 ...Nc6 3. {x} Bc4\r\n"
    "% 3... a6\r\n3... Nd4 ?? {[%clk 0:01]} {again} 0-1 {late}\r\n"
)
CLEAN = """[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "a"]
[Black "b\\\\c"]
[Result "0-1"]
[Odd "  "]

{before the tags} 1. e4 $1 {two lines} 1... e5 {to the end}
2. Nf3 (2. f4 $13 exf4 (2... d5 $5) 3. Nf3) (2. Nc3) {behind}
2... Nc6 {x} 3. Bc4 Nd4 $4 {[%clk 0:01]} {again} {late} 0-1
"""


def test_every_leniency_of_layout_is_read_in_silence() -> None:
    reading = read_record(MESSY, mode="strict")
    assert reading.diagnostics == ()
    assert write_record(reading.require(), width=65) == CLEAN
    assert parse_record(CLEAN) == parse_record(write_record(parse_record(CLEAN)))
    assert [write_record(r.require(), width=65) for r in read_records(MESSY)] == [CLEAN]


def test_the_tree() -> None:
    record = record_of("{a} 1. e4 $1 $2 {b} ({c} 1. d4 d5) {d} 1... e5 {e} {f} 2. Nf3 {g} (2. d4) {h} *")
    assert record.line == (
        Node("e4", (1, 2), ("a",), ("b",), ((Node("d4", before=("c",)), Node("d5")),)),
        Node("e5", before=("d",), after=("e", "f")),
        Node("Nf3", after=("g", "h"), variations=((Node("d4"),),)),
    )


@pytest.mark.parametrize(
    "text",
    ["1.e4 e5 2.Nf3 *", "1. e4 1... e5 2. Nf3 *", "1.e4 1. ... e5 2.Nf3 *", "e4 e5 Nf3 *", "1 e4 e5 2 Nf3*"],
)
def test_numbers_in_any_form(text: str) -> None:
    reading = read_record(text.replace("*", " *"), "chess", mode="strict")
    assert reading.require().moves == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending(ending: str) -> None:
    text = GOLDEN.replace("\n", ending)
    records = [reading.require() for reading in read_records(text)]
    assert records == [reading.require() for reading in read_records(GOLDEN)]
    assert records[0] == parse_record(text[: text.index("1-0" + ending) + 3])


@pytest.mark.parametrize(
    ("variant", "played"),
    [
        ("Chess960", "chess960"),
        ("chess 960", "chess960"),
        ("fischerandom", "chess960"),
        ("Fischer Random Chess", "chess960"),
        ("FISCHER RANDOM", "chess960"),
        ("Freestyle", "chess960"),
        ("Freestyle Chess", "chess960"),
        ("Fischer Random (Chess960)", "chess960"),
        ("Chess9LX", "chess960"),
        ("wild/fr", "chess960"),
        ("Three-check", "3check"),
        ("3-Check", "3check"),
        ("Three Check Chess", "3check"),
        ("Crazyhouse", "crazyhouse"),
        ("crazy house", "crazyhouse"),
        ("Standard", "standard"),
        ("standard chess", "standard"),
        ("Classical", "standard"),
        ("NORMAL", "standard"),
        ("Chess", "standard"),
        ("From Position", "standard"),
        ("?", "standard"),
    ],
)
def test_variants_by_any_of_their_names(variant: str, played: str) -> None:
    record = parse_record(f'{PLAYERS}[Variant "{variant}"]\n1. e4 *', "chess")
    assert (record.game.variant, record.start.variant) == (played, played)
    assert record.tag("Variant") == variant
    assert parse_record(write_record(record)).game.variant == played


def test_a_game_that_is_given_keeps_its_variant_unless_the_tags_name_one() -> None:
    crazy = forsyth.game("chess", "crazyhouse")
    assert parse_record("1. e4 *", crazy).game.variant == "crazyhouse"
    assert parse_record('[Variant "Standard"] 1. e4 *', crazy).game.variant == "standard"
    assert '[Variant "crazyhouse"]' in write_record(parse_record("1. e4 *", crazy))


def test_a_start_tells_its_rules_where_no_tag_does() -> None:
    record = record_of(f'[FEN "{SHUFFLED}"]\n\n1. O-O *')
    assert (record.game.variant, record.start.variant, record.moves) == ("chess960", "chess960", ["O-O"])
    crazy = record_of('[FEN "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"][Variant "From Position"] 1. Q@e2+ *')
    assert (crazy.game.variant, crazy.tag("Variant")) == ("crazyhouse", "From Position")
    for found in (record, crazy):
        again = read_record(write_record(found))
        assert (again.require().game.variant, again.diagnostics) == (found.game.variant, ())
    # Rules that were asked for, or named, stay.
    assert read_record(f'[FEN "{SHUFFLED}"]\n\n*', forsyth.game("chess", "3check")).game == "chess"
    assert not read_record(f'[FEN "{SHUFFLED}"][Variant "Standard"]\n\n*', "chess").ok
    # A text that no rules explain is judged by the usual ones.
    assert codes(read_record('[FEN "8/8/8 w K - 0 1"]\n\n*', "chess"))[0].startswith("board.")


def test_unknown_rules_are_an_error_and_the_moves_are_read_as_far_as_they_go() -> None:
    text = '[Variant "Bughouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 (3. Nf3) Ke8 4. d4 *'
    reading = read_record(text, "chess")
    assert codes(reading) == ["record.variant", "record.move_illegal"]
    assert reading.record is not None
    assert reading.record.moves == ["e4", "d5", "exd5", "Qxd5", "Nc3"]
    assert reading.record.tag("Variant") == "Bughouse"
    assert '[Variant "standard"]' in write_record(reading.record)


@pytest.mark.parametrize(
    ("fen", "variant"),
    [
        (None, None),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1", "crazyhouse"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1", "3check"),
        (SHUFFLED, "chess960"),
    ],
)
def test_a_record_written_under_auto_names_its_variant(fen: str | None, variant: str | None) -> None:
    auto = forsyth.game("chess", "auto")
    match = Match(auto, fen)
    match.play("b3")
    text = write_record(Record.of(match))
    assert (f'[Variant "{variant}"]' in text) is (variant is not None)
    for game in (None, "chess", auto):
        reading = read_record(text, game)
        assert reading.diagnostics == ()
        assert reading.require().start == match.start
        assert reading.require().game.variant == (variant or "standard")
        assert reading.require().match().position == match.position
        assert write_record(reading.require()) == text


def test_the_tag_of_a_variant_never_contradicts_the_record() -> None:
    crazy = Match(forsyth.game("chess", "crazyhouse"))
    assert '[Variant "Crazy House"]' in write_record(Record.of(crazy, {"Variant": "Crazy House"}))
    assert '[Variant "crazyhouse"]' in write_record(Record.of(crazy, {"Variant": "Chess960"}))
    assert '[Variant "From Position"]' in write_record(
        Record.of(Match("chess"), {"Variant": "From Position"})
    )


# --- null moves -------------------------------------------------------------------------------------


def test_a_line_goes_on_behind_a_null_move() -> None:
    text = "1. e4 e5 2. Nf3 Z0 $2 {a threat} (2... null 3. Nxe5) 3. Nxe5 pass 4. Nxf7 *"
    reading = read_record(text, "chess")
    assert codes(reading) == ["record.pass"] * 3
    record = reading.require()
    assert moves_part(record) == ("1. e4 e5 2. Nf3 -- $2 {a threat} (2... -- 3. Nxe5) 3. Nxe5 -- 4. Nxf7 *")
    assert parse_record(write_record(record)).line == record.line
    other = chess.pgn.read_game(io.StringIO(write_record(record)))
    assert other is not None and other.errors == []
    assert other.end().board().fen(en_passant="fen") == str([*record.positions()][-1])
    assert not read_record(text, "chess", mode="strict").ok


def test_a_match_of_a_record_holds_its_null_moves_and_takes_no_others() -> None:
    match = record_of("1. e4 -- 2. d4 *").match()
    assert [ply.text for ply in match] == ["e4", "--", "d4"]
    assert match.undo() is not None and match.undo() is not None
    assert match.redo() is not None
    assert str(match.position) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"
    assert Record.of(match).moves == ["e4", "--"]
    with pytest.raises(MoveError):
        match.play("--")


def test_no_null_move_in_check_and_none_in_a_game_that_has_none() -> None:
    reading = read_record("1. e4 f5 2. Qh5+ -- 3. d4 *", "chess")
    assert "in check" in reading.errors[0].message
    assert reading.record is not None and reading.record.moves == ["e4", "f5", "Qh5+"]
    assert codes(read_record("1. a3 -- *", NIM)) == ["record.token"]
    assert codes(read_record("1. a3 0000 *", NIM)) == ["record.move_invalid"]


@pytest.fixture
def nim_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(registry.BUILT_IN, "nim", "tests.outside_game_0_1:GAME")
    registry._find_installed.cache_clear()
    yield
    registry._find_installed.cache_clear()
    registry._load_game.cache_clear()


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ('[White "a"][Black "b"] *', "chess"),
        ('[First "a"][Second "b"] *', "nim"),
        ('[FEN "nim 1/2 1"] *', "nim"),
        ('[FEN "8/8/8/8/8/8/k7/2K5 w - - 0 1"] *', "chess"),
        ('[Variant "Nim"][White "a"][Black "b"] *', "nim"),
        ('[White "a"][Black "b"][First "a"][Second "b"][FEN "nim 1/2 1"] *', "nim"),
        ('[White "a"][Black "b"][First "a"][Second "b"] *', None),
        ('[White "a"] *', "chess"),
        ("1. e4 *", "chess"),
        ('[Event "a"] *', None),
    ],
)
@pytest.mark.usefixtures("nim_installed")
def test_the_tags_tell_the_game(text: str, game: str | None) -> None:
    reading = read_record(text)
    assert reading.game == game
    assert codes(reading) == ([] if game else ["game.unknown"])
    assert (reading.record is None) is (game is None)


def test_a_third_game_has_records_of_the_same_code() -> None:
    text = '[First "a"][Second "b"] 1. a3 b4 {x} 1... c1 (1. c5) c4 0-1'
    record = parse_record(text, NIM)
    assert record.match().result == "0-1"
    assert moves_part(record) == "1. a3 b4 {x} 1. c1 (1. c5) 1... c4 0-1"
    misere = parse_record('[Variant "misere"] 1. a3 b4 c5 0-1', NIM)
    assert misere.match().result == "0-1"
    assert [*misere.positions()][-1] == Heaps((0, 0, 0), 2)


@dataclass(frozen=True, slots=True)
class Bracketed(Nim):
    """Nim whose moves begin and end with brackets."""

    move_pattern: str = r"\([a-h]\)[1-9](?:\([a-z]\))?"

    def read_move(self, position: Heaps, text: str) -> Take:
        if re.fullmatch(self.move_pattern, text) is None:
            raise MoveError("invalid", text, "not a move such as '(b)2'")
        # Named in full: a slotted dataclass is another class than the one that super() looks for.
        return Nim.read_move(self, position, text[1] + text[3])

    def write_move(self, position: Heaps, move: Take) -> str:
        return f"({chr(97 + move.heap)}){move.taken}(z)"


def test_brackets_of_a_move_are_not_those_of_a_variation() -> None:
    text = "(a)1(z) (b)1(z) ((b)2(z) ((c)1(z)) (c)2(z)) ( (c)1(z) ) (c)5(z) *"
    reading = read_record(text, Bracketed(), mode="strict")
    record = reading.require()
    assert moves_part(record) == (
        "1. (a)1(z) (b)1(z) (1... (b)2(z) (1... (c)1(z)) 1. (c)2(z)) (1... (c)1(z)) 1. (c)5(z) *"
    )
    assert parse_record(write_record(record), Bracketed()).line == record.line


def test_a_bracket_behind_a_move_closes_its_variation_where_moves_have_brackets_too() -> None:
    text = "1. Cg2! (1. Ch1 Cg11) (1. F&b2(NF)) 1... Ch12 *"
    reading = read_record(text, "cotulenh")
    assert moves_part(reading.require()) == "1. Cg2 $1 (1. Ch1 Cg11) (1. F&b2(NF)) 1... Ch12 *"


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*", "0-0-1", "1/2-0-1/2-0"])
def test_results(result: str) -> None:
    assert parse_record(f"1. e4 e5 {result}", "chess").result == result
    assert parse_record(f'[Result "{result}"] 1. e4 e5 ', "chess").result == result


def test_castling_with_noughts_is_no_result() -> None:
    text = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 *"
    reading = read_record(text, "chess")
    assert codes(reading) == ["record.spelling"] * 2
    assert apply_fixes(text, reading.diagnostics) == text.replace("0-0", "O-O")
    assert reading.require().moves[-2:] == ["O-O", "O-O"]


# --- findings ---------------------------------------------------------------------------------------

FINDINGS = [
    # The place of the finding stands between « and ».
    ("record.empty", "«»"),
    ("record.empty", "« \r\n\t»"),
    ("record.empty", "«{only a comment} ; and another»"),
    ("record.empty", "«% an escape»"),
    ("record.more", "1. e4 e5 1-0 {x}\n«1. d4 d5 0-1»"),
    ("record.more", '1. e4 e5\n«[Event "another"]»'),
    ("record.more", '[Event "a"]\n\n«[Event "b"]\n\n*»'),
    ("record.tag", "«[Event]»\n\n*"),
    ("record.tag", '«[Event "x]»\n\n*'),
    ("record.tag", "«[Event 'x']»\n\n*"),
    ("record.tag", '«["x"]»\n\n*'),
    ("record.tag_quotes", '[Event "«The "Big" Open»"]\n\n*'),
    ("record.tag_quotes", '[Event "«C:\\games»"]\n\n*'),
    ("record.tag_repeated", '[Event "a"]\n«[Event "b"]»\n\n*'),
    ("record.setup", '[SetUp "«1»"]\n\n*'),
    ("record.setup", '[SetUp "«0»"][FEN "8/8/8/8/8/8/k7/2K5 w - - 0 1"]\n\n*'),
    ("record.variant", '[Variant "«Bughouse»"]\n\n1. e4 *'),
    ("record.variant_missing", f'[FEN "«{SHUFFLED}»"]\n\n1. O-O *'),
    ("record.variant_missing", f'[SetUp "1"][FEN "{SHUFFLED}"][Variant "«From Position»"]\n\n1. O-O *'),
    ("record.move_invalid", "1. e4 «hello» 2. Nf3 *"),
    ("record.move_invalid", "1. «★f3» *"),
    ("record.move_invalid", "1. e4 «0» *"),
    ("record.move_invalid", "1. e4 «e.p.» *"),
    ("record.move_invalid", f"1. «{'N' * 65}» *"),
    ("record.move_illegal", "1. e4 e5 2. «Ke3» Nf6 3. Nf3 (3. d4 d5) Nc6 *"),
    ("record.move_ambiguous", "1. d3 d6 2. Nf3 a6 3. «Nd2» *"),
    ("record.spelling", "1. e4 e5 2. «Bf1-c4» Nc6 *"),
    ("record.spelling", "1. f3 e5 2. g4 «Qh4» 0-1"),
    ("record.spelling", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. «O—O» *"),
    ("record.spelling", "1. «e2–e4» *"),
    ("record.spelling", "1. e4 a6 2. e5 d5 3. «exd6e.p.»! *"),
    ("record.spelling", "1. e4 a6 2. e5 d5 3. exd6 «e.p.» *"),
    ("record.spelling", "1. e4 a6 2. e5 d5 3. exd6\n«ep» *"),
    ("record.pass", "1. e4 e5 (1... «--» 2. d4) 2. Nf3 *"),
    ("record.pass", "1. e4 «Z0»?! 2. d4 *"),
    ("record.pass", "1. «0000» *"),
    ("record.pass", "1. e4 «@@@@» {x} *"),
    ("record.pass", "1. e4 «null» *"),
    ("record.pass", "1. e4 «––» *"),
    ("record.move_illegal", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ «--» 4. a3 *"),
    ("record.number", "1. e4 e5 «3». Nf3 *"),
    ("record.number", "1. e4 «2»... e5 2. Nf3 *"),
    ("record.nag", "1. e4 «$256» *"),
    ("record.nag", "1. e4 «$» *"),
    ("record.nag", "1. e4«!!!» *"),
    ("record.nag", "«$1» 1. e4 *"),
    ("record.nag", "1. e4 («?!» 1. d4) *"),
    ("record.comment", "1. e4 «}» e5 *"),
    ("record.comment", '1. e4 «{»not closed\n\n *\n[Event "x"]'),
    ("record.variation", "1. e4 «)» e5 *"),
    ("record.variation", "1. e4 «(»1. d4 d5 1-0"),
    ("record.variation", "«(»1. d4) 1. e4 *"),
    ("record.variation", "1. e4 («(»1. d4 d5) 1. d4) *"),
    ("record.variation_empty", "1. e4 «(»{x} ) e5 *"),
    ("record.result", '[Result "«1-0»"]\n\n1. e4 e5 0-1'),
    ("record.result", '[Result "«White won»"]\n\n1. e4 e5 1-0'),
    ("record.result", "1. f3 e5 2. g4 Qh4# «1-0»"),
    ("record.result", "1. e4 e5 «1/2»"),
    ("record.result", "1. e4 e5 «1–0»"),
    ("record.result", "1. e4 e5 «½–½»"),
    ("record.result", "1. e4 e5 «½»"),
    ("record.result", "1. e4 e5 «0 - 1»"),
    ("record.result", "1. e4 e5 «1/2 − 1/2»"),
    ("record.result", '[Result "«1–0»"]\n\n1. e4 e5 1-0'),
    ("record.result", "1. e4 (1. d4 «1-0») e5 *"),
    ("record.result_missing", "1. e4 e5«» \n"),
    ("record.token", "1. e4 «<>» e5 *"),
    ("record.token", "1. e4 «[%clk 0:01]» e5 *"),
    ("record.token", "1. e4 e5 «~» *"),
    ("text.encoding", "1. e4 {«\udcff»} e5 *"),
    ("record.nag", "1. e4 e5 «=» *"),
    ("record.nag", "1. e4 e5 «+-» *"),
    ("board.digit", '[FEN "rnbqkbnr/pppppppp/«9»/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n*'),
]
_CODES = {info.code: info for info in RECORD_CODES}


@pytest.mark.parametrize(("code", "marked"), FINDINGS)
def test_every_finding_with_its_place(code: str, marked: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    span = (marked.index("«"), marked.index("»") - 1)
    reading = read_record(text, "chess")
    found = [d for d in reading.diagnostics if d.code == code and d.span == span]
    assert found, reading.diagnostics
    if code in _CODES:
        assert (found[0].severity, found[0].stage) == (_CODES[code].severity, _CODES[code].stage)
        # One slip, one finding; a text that breaks off may lack its result as well.
        assert {code, *codes(reading)} - {"record.result_missing"} <= {code}
    assert reading.ok is (found[0].severity is Severity.WARNING)
    assert not read_record(text, "chess", mode="strict").ok


def test_every_code_has_an_example() -> None:
    assert {code for code, _ in FINDINGS} >= _CODES.keys() - {"record.long"}
    assert len(_CODES) == len(RECORD_CODES)


@pytest.mark.parametrize("marked", [text for _, text in FINDINGS if "not closed" not in text])
def test_fixes_leave_nothing_to_fix(marked: str) -> None:
    text = marked.replace("«", "").replace("»", "")
    found = read_record(text, "chess").diagnostics
    fixed = apply_fixes(text, found, forsyth.Confidence.GUESS)
    again = read_record(fixed, "chess").diagnostics
    assert [d.code for d in again] == [d.code for d in found if d.fix is None]


def test_a_bad_move_ends_its_line_and_no_other() -> None:
    text = "1. e4 e5 (1... d5 2. xx exd5 (2. Nf3) {gone} $3) 2. Nf3 Nc6 (2... yy) 3. zz a6 (3... a5) {gone} *"
    reading = read_record(text, "chess")
    assert codes(reading) == ["record.move_invalid"] * 3
    record = reading.record
    assert record is not None
    assert moves_part(record) == "1. e4 e5 (1... d5) 2. Nf3 Nc6 *"
    with pytest.raises(FenError) as raised:
        parse_record(text, "chess")
    assert raised.value.code == "record.move_invalid"
    assert raised.value.diagnostics == reading.diagnostics


def test_a_game_that_went_on_after_its_end_is_told_so_once() -> None:
    assert codes(read_record("1. f3 e5 2. g4 Qh4# 3. a3 1-0", "chess")) == ["record.move_illegal"]


def test_the_comments_of_a_variation_without_moves_are_kept() -> None:
    assert record_of("1. e4 {a} ({b}) ({c} xx) e5 *").line[0] == Node("e4", after=("a", "b", "c"))


def test_candidates_are_named_once() -> None:
    message = read_record("1. d3 d6 2. Nf3 a6 3. Nd2 *", "chess").diagnostics[0].message
    assert (message.count("Nbd2"), message.count("Nfd2")) == (1, 1)
    message = read_record("1. a4 *", NIM).diagnostics[0].message
    assert "candidates are a1, a2, a3" in message


def test_numbers_that_run_on_are_reported_once() -> None:
    assert codes(read_record("7. e4 e5 8. Nf3 Nc6 9. Bb5 *", "chess")) == ["record.number"]
    assert codes(read_record("1. e4 e5 3. Nf3 Nc6 3. Bb5 a6 4. Ba4 *", "chess")) == ["record.number"]


def test_the_start_must_be_legal() -> None:
    fen = "8/8/8/8/8/8/8/8 w - - 0 1"
    text = f'[FEN "{fen}"]\n\n1. e4 (1. d4 *'
    reading = read_record(text, "chess")
    assert reading.record is None
    legality = [d.code for d in CHESS.check(CHESS.read(fen).require())]
    assert legality
    # What the moves look like is checked all the same.
    assert codes(reading) == [*legality, "record.variation"]


def test_findings_about_a_start_stand_in_its_tag() -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq – 0 1"
    text = f'[FEN "{fen}"]\n\n*'
    reading = read_record(text, "chess")
    inner = CHESS.read(fen).diagnostics
    assert [(d.code, d.span) for d in reading.diagnostics] == [
        (d.code, (d.span.start + 6, d.span.end + 6)) for d in inner
    ]
    assert "FEN" not in write_record(reading.require())
    escaped = read_record('[FEN "a \\" b"]\n\n*', "chess")
    assert {d.span for d in escaped.diagnostics} == {(6, 12)}


def test_a_drawn_position_is_no_win_after_any_number_of_repetitions() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 "
    assert codes(read_record(f"{shuffle * 4} 1-0", "chess")) == ["record.result"]
    assert codes(read_record(f"{shuffle * 3} 1-0", "chess")) == []
    assert codes(read_record(f"{shuffle * 4} 1/2-1/2", "chess")) == []


def test_findings_are_bounded_and_errors_come_first() -> None:
    spelled = "Ng1f3 Ng8f6 Nf3g1 Nf6g8 " * 100
    reading = read_record(f"{spelled} xx *", "chess")
    assert len(reading.diagnostics) == MAX_DIAGNOSTICS
    assert codes(reading)[-1] == "record.move_invalid"
    reading = read_record("1. e4 " + "(xx) " * 1000 + "e5 *", "chess")
    assert codes(reading) == ["record.move_invalid"] * MAX_DIAGNOSTICS


@pytest.mark.parametrize("value", [None, 7, b"1. e4 *"])
def test_what_is_no_text(value: Any) -> None:
    for reading in (read_record(value), *read_records(value)):
        assert (codes(reading), reading.record) == (["fen.type"], None)


def test_a_reading_as_data() -> None:
    reading = next(iter(read_records("\n\n1. e4 e5\n2. xx *", "chess")))
    assert (reading.line, [reading.place(d) for d in reading.diagnostics]) == (3, [(4, 4)])
    data = reading.to_dict()
    assert (data["ok"], data["game"], data["line"], data["result"]) == (False, "chess", 3, "*")
    assert (data["start"], data["moves"], data["tags"]) == (CHESS.start, ["e4", "e5"], {})
    assert data["diagnostics"] == [d.to_dict() for d in reading.diagnostics]
    assert "record.move_invalid" in str(reading)
    assert read_record("").to_dict()["moves"] is None


# --- writing ----------------------------------------------------------------------------------------


def test_a_match_as_a_record() -> None:
    match = Match("chess")
    for move in ("f3", "e5", "g4", "Qh4#"):
        match.play(move)
    record = Record.of(match, {"Site": "here", "Black": "b", "Note": 'a "b"'})
    assert write_record(record) == (
        '[Event "?"]\n[Site "here"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "b"]\n'
        '[Result "0-1"]\n[Note "a \\"b\\""]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    )
    assert record.match().history == match.history
    assert Record.of(match, result="*").result == "*"
    assert Record.of(match, [("Result", "1-0")]).result == "1-0"


def test_a_start_of_its_own() -> None:
    record = Record.of(Match("chess", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"))
    assert '[Result "*"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"]\n\n*\n' in write_record(record)
    assert moves_part(parse_record(write_record(record).replace("\n*", "\nKd7 e4 *"))) == "9... Kd7 10. e4 *"


@pytest.mark.parametrize(
    ("name", "value"),
    [("", "x"), ("A b", "x"), ("É", "x"), ("A", "x\ny"), ("A", "\r"), ("FEN", "x"), ("SetUp", "1")],
)
def test_tags_that_could_not_be_written(name: str, value: str) -> None:
    with pytest.raises(ValueError, match="tag"):
        Record.of(Match("chess"), {name: value})


def test_records_that_could_not_be_written() -> None:
    start = CHESS.parse(CHESS.start)
    with pytest.raises(ValueError, match="twice"):
        Record(CHESS, (("A", "1"), ("A", "2")), start)
    with pytest.raises(ValueError, match="result"):
        Record(CHESS, (), start, result="won")
    with pytest.raises(MoveError):
        write_record(Record(CHESS, (), start, (Node("e5"),)))


def test_moves_are_written_canonically_and_empty_variations_not_at_all() -> None:
    line = (Node("e2e4", variations=((), (Node("d2-d4"),))), Node("e7e5"))
    assert moves_part(Record(CHESS, (), CHESS.parse(CHESS.start), line)) == "1. e4 (1. d4) 1... e5 *"


def test_comments_are_broken_only_where_no_reader_minds() -> None:
    comment = "one  two [%clk 0:00:01] %three [four five six } seven"
    record = Record(CHESS, (), CHESS.parse(CHESS.start), (Node("e4", after=(comment.replace("}", ""),)),))
    written = write_record(record, width=1).split("\n\n")[1]
    assert written == "1. e4\n{one  two [%clk 0:00:01] %three [four\nfive\nsix  seven}\n*\n"
    assert record_of(written).line == record.line
    braced = Record(CHESS, (), record.start, (Node("e4", after=(comment,)),))
    assert moves_part(braced) == f"1. e4 ; {comment}\n*"


@pytest.mark.parametrize("width", [0, None, 20, 40, 80])
def test_width(width: int | None) -> None:
    for reading in read_records(GOLDEN):
        record = reading.require()
        head, moves = write_record(record, width=width).split("\n\n")
        assert parse_record(f"{head}\n\n{moves}") == record
        if ";" in moves:
            continue
        lines = moves.splitlines()
        assert width or len(lines) == 1
        for line in lines if width else ():
            assert len(line) <= (width or 0) or "[%" in line or len(line.split(" ")) == 2


# --- round trips ------------------------------------------------------------------------------------

GAMES: tuple[Game, ...] = (
    CHESS,
    NIM,
    Bracketed(),
    *(CHESS.with_variant(variant) for variant in ("chess960", "crazyhouse", "3check")),
)
COMMENTS = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.text(st.sampled_from("ab {}()[]%;$\\\"'\n\r\t*1-0.\ufeff"), max_size=60),
        st.sampled_from(("[%clk 0:01:02]", '\n\n[Event "x"]', "}", "", "1-0")),
    ),
    min_size=1,
    max_size=5,
)
TAG_VALUES = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)
TAGS = st.dictionaries(
    st.one_of(
        st.sampled_from(("Event", "Date", "White", "First", "Annotator")),
        st.from_regex("[A-Za-z0-9_][A-Za-z0-9_+#=:-]{0,8}", fullmatch=True),
    ).filter(lambda name: name not in ("FEN", "SetUp", "Result", "Variant")),
    TAG_VALUES,
    max_size=5,
)


class Author:
    """Writes lines of random legal moves with random comments, glyphs and variations."""

    def __init__(self, game: Game, random: Random, comments: list[str]) -> None:
        self.game = game
        self.random = random
        self.comments = comments

    def some(self, likely: float = 0.15) -> tuple[str, ...]:
        if self.random.random() > likely:
            return ()
        return tuple(self.random.choices(self.comments, k=self.random.randint(1, 2)))

    def line(self, position: Any, length: int, depth: int) -> Line:
        nodes: list[Node] = []
        for _ in range(length):
            moves = self.game.moves(position)
            if not moves:
                break
            move = self.random.choice(moves)
            behind = not nodes or bool(nodes[-1].variations)
            nags = tuple(self.random.sample(range(256), k=self.random.choice((0, 0, 0, 1, 2))))
            variations = tuple(
                self.line(position, self.random.randint(1, 6), depth - 1)
                for _ in range(self.random.choice((0, 0, 0, 0, 1, 2)) if depth else 0)
            )
            text = self.game.write_move(position, move)
            before = self.some(0.3) if behind else ()
            nodes.append(Node(text, nags, before, self.some(), variations))
            position = self.game.play(position, move)
        return tuple(nodes)

    def record(self, tags: dict[str, str]) -> Record:
        start = self.game.parse(self.game.start)
        for _ in range(self.random.choice((0, 0, 3))):
            start = self.game.play(start, self.random.choice(self.game.moves(start)))
        line = self.line(start, self.random.randint(0, 30), 3)
        result = self.random.choice(("1-0", "0-1", "1/2-1/2", "*"))
        comments = () if line else self.some(0.5)
        return Record(self.game, tuple(tags.items()), start, line, result, comments)


def written_comments(line: Line) -> Line:
    """The line with its comments as they can be written: no blanks around them, no line breaks."""
    return tuple(
        Node(
            node.text,
            node.nags,
            tuple(map(one_line, node.before)),
            tuple(map(one_line, node.after)),
            tuple(map(written_comments, node.variations)),
        )
        for node in line
    )


def one_line(comment: str) -> str:
    lines = comment.replace("\r", "\n").split("\n")
    return " ".join(line.strip() for line in lines if line.strip())


@settings(max_examples=200 if COMPILED else 25)
@given(
    game=st.sampled_from(GAMES),
    seed=st.integers(0, 2**32),
    comments=COMMENTS,
    tags=TAGS,
    width=st.sampled_from((80, 80, None, 1, 17)),
)
def test_what_is_written_is_read_back(
    game: Game, seed: int, comments: list[str], tags: dict[str, str], width: int | None
) -> None:
    record = Author(game, Random(seed), comments).record(tags)
    text = write_record(record, width=width)
    reading = read_record(text, game)
    again = reading.require()
    assert set(codes(reading)) <= {"record.result"}
    assert again.line == written_comments(record.line)
    assert again.comments == tuple(map(one_line, record.comments))
    assert (again.start, again.result, again.game.variant) == (record.start, record.result, game.variant)
    assert dict(record.tags).items() <= dict(again.tags).items()
    assert write_record(again, width=width) == text
    assert parse_record(write_record(again), game) == again
    assert [r.record for r in read_records(f"{text}\n\n{text}", game)] == [again, again]


@settings(max_examples=40 if COMPILED else 15)
@given(seed=st.integers(0, 2**32))
def test_another_reader_understands_what_is_written(seed: int) -> None:
    record = Author(CHESS, Random(seed), ["a comment", "[%clk 0:00:01]"]).record({})
    other = chess.pgn.read_game(io.StringIO(write_record(record)))
    assert other is not None and other.errors == []
    assert other.end().board().fen(en_passant="fen") == str([*record.positions()][-1])
    assert _ways(record.line) == _their_ways(other)


def test_records_can_be_sent_to_another_process() -> None:
    record = parse_record(GOLDEN[: GOLDEN.index("1-0\n") + 4])
    again = pickle.loads(pickle.dumps(record))  # noqa: S301
    assert again == record
    assert write_record(again) == write_record(record)


@pytest.mark.parametrize("men", ["♔♕♖♗♘♙", "♚♛♜♝♞♟"])
@pytest.mark.parametrize("style", ["", "\ufe0e", "\ufe0f"])
def test_figurines_are_letters_in_records(men: str, style: str) -> None:
    start = "r3k3/1P6/8/8/3q4/5N2/P2B4/R2QK2R w KQ - 0 1"
    signs = {letter: sign + style for letter, sign in zip("KQRBNP", men, strict=True)}
    for text, written in (
        ("Nxd4", "Nxd4"),
        ("Qc2", "Qc2"),
        ("Rb1", "Rb1"),
        ("Be3", "Be3"),
        ("Kf1", "Kf1"),
        ("Pa4", "a4"),
        ("bxa8=Q+", "bxa8=Q+"),
    ):
        drawn = "".join(signs.get(letter, letter) for letter in text)
        for before in ("1. ", "1.", ""):
            reading = read_record(f'[FEN "{start}"]\n\n{before}{drawn} *', "chess")
            assert reading.record is not None
            assert [node.text for node in reading.record.line] == [written]
            assert "record.spelling" in [one.code for one in reading.diagnostics]
    refused = read_record(f"1. {men[4]}a4 *", "chess")
    assert [one.code for one in refused.diagnostics] == ["record.move_illegal"]
