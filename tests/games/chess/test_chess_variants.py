"""Atomic chess, antichess, horde, King of the Hill and Racing Kings: published counts, python-chess, golden
data.

Where Forsyth and python-chess differ on purpose the difference is written down next to the test that allows
it.
"""

from __future__ import annotations

from random import Random

import pytest
from chess import Board
from tests.golden.make_variants import BOARDS
from tests.golden_data import CHESS, COMPILED, rows

import forsyth
from forsyth import Match, MoveError
from forsyth.bulk import arrow
from forsyth.conversion import convert_position
from forsyth.games.chess import Position, read_binary, write_binary
from forsyth.games.chess.variants import VARIANT_TABLE, VARIANTS
from forsyth.identity import state_id
from forsyth.record import Record, parse_record, read_records, write_record
from forsyth.store import MemoryStore

NEW = tuple(BOARDS)
GAMES = 12 if COMPILED else 2
PLIES = 120

# The counts are published in python-chess, examples/perft/*.perft (atomic, giveaway, horde, racingkings), in
# shakmaty, tests/kingofthehill.perft, and, for the deepest of the starts, in Fairy-Stockfish, tests/perft.sh.
PERFT = [
    ("atomic", "start", (20, 400, 8902, 197326)),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1", (40, 1238, 45237)),
    ("atomic", "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1", (28, 833, 23353, 714499)),
    ("antichess", "start", (20, 400, 8067, 153299)),
    ("antichess", "8/1p6/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 3, 1, 0)),
    ("antichess", "8/2p5/8/8/8/8/P7/8 w - - 0 1", (2, 4, 4, 4, 4, 4, 4, 4, 12, 36, 312, 2557, 30873)),
    ("horde", "start", (8, 128, 1274, 23310)),
    ("horde", "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", (30, 241, 6633, 56539)),
    ("horde", "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1", (13, 172, 2205, 33781)),
    ("kingofthehill", "start", (20, 400, 8902, 197281)),
    ("kingofthehill", "8/5k2/1pp2p2/8/3P1PP1/P3K3/1P6/8 b - - 0 1", (10, 120, 1000, 12460, 104314)),
    ("racingkings", "start", (21, 421, 11264, 296242)),
    ("racingkings", "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", (6, 33, 178, 3151, 12981)),
]


@pytest.mark.parametrize(("variant", "text", "counts"), PERFT)
def test_published_counts(variant: str, text: str, counts: tuple[int, ...]) -> None:
    game = CHESS.with_variant(variant)
    position = game.parse(game.start if text == "start" else text)
    # The pure build counts as far as a second goes.
    wanted = [count for count in counts if COMPILED or count < 5000]
    assert [game.perft(position, depth) for depth in range(1, len(wanted) + 1)] == wanted


@pytest.mark.parametrize("variant", NEW)
def test_random_games_beside_python_chess(variant: str) -> None:
    game, chance = CHESS.with_variant(variant), Random(variant)
    seen = 0
    for _ in range(GAMES):
        board, position = BOARDS[variant](), game.new_game()
        for _ in range(PLIES):
            seen += 1
            _require_same(position, board)
            moves = list(board.legal_moves)
            if not moves or position.outcome is not None:
                break
            captures = [move for move in moves if board.is_capture(move)]
            move = chance.choice(captures if captures and chance.random() < 0.4 else moves)
            position = position.play(board.san(move))
            board.push(move)
    assert seen > 10 * GAMES


def _require_same(position: Position, board: Board) -> None:
    game, text = position.game, str(position)
    ours = {move.uci: game.write_move(position, move) for move in game.moves(position)}
    assert ours == {move.uci(): board.san(move) for move in board.legal_moves}, text
    assert all(game.read_move(position, san).uci == uci for uci, san in ours.items()), text
    assert text == board.fen(en_passant="fen")
    assert game.write(position, "legal") == board.fen(en_passant="legal")
    assert game.is_check(position) is board.is_check(), text
    outcome = position.outcome
    assert ("*" if outcome is None else outcome.result) == board.result(), text
    # What python-chess finds wrong with what it played itself is nothing, and so do we.
    assert not [finding for finding in game.check(position) if finding.is_error], text
    assert game.parse(text) == position
    assert game.unpack(position.packed) == position


def test_golden_rows_and_their_promises() -> None:
    for row in rows("more_variants"):
        game = CHESS.with_variant(row["variant"])
        position = game.parse(row["fen"], legality=False)
        found = {move.uci: game.write_move(position, move) for move in game.moves(position)}
        assert found == row["moves"], row["id"]
        outcome = position.outcome
        assert ("*" if outcome is None else outcome.result) == row["result"], row["id"]
        assert position.is_check is row["check"], row["id"]
        assert (position.key, position.packed.hex()) == (row["key"], row["packed"]), row["id"]


@pytest.mark.compiled
def test_columns_answer_as_single_texts_do() -> None:
    for variant in NEW:
        mine = [row for row in rows("more_variants") if row["variant"] == variant]
        texts = [row["fen"] for row in mine]
        game = CHESS.with_variant(variant)
        assert arrow.key(texts, game).to_pylist() == [bytes.fromhex(row["key"]) for row in mine]
        assert arrow.normalise(texts, game).to_pylist() == texts
        assert arrow.pack(texts, game).to_pylist() == [
            bytes.fromhex(row["packed"]).ljust(game.packed_width, b"\0") for row in mine
        ]


def test_the_variant_is_part_of_the_key_and_of_the_packed_form() -> None:
    text = "r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w - - 0 1"
    positions = [CHESS.with_variant(variant).parse(text, legality=False) for variant in NEW]
    standard = CHESS.parse(text)
    assert len({position.key for position in (standard, *positions)}) == 1 + len(NEW)
    assert len({position.packed for position in (standard, *positions)}) == 1 + len(NEW)
    for position in positions:
        assert CHESS.unpack(position.packed).variant == position.variant
        assert read_binary(write_binary(position)) == position


OUTCOMES = [
    ("atomic", "8/8/8/8/8/8/8/K7 b - - 0 1", "1-0", "king exploded"),
    ("atomic", "7k/8/8/8/8/8/8/8 w - - 0 1", "0-1", "king exploded"),
    ("atomic", "8/8/8/8/8/1k6/8/K7 w - - 0 1", "1/2-1/2", "insufficient material"),
    ("antichess", "8/8/8/8/8/8/8/k7 w - - 0 1", "1-0", "no men left"),
    ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1", "1-0", "stalemate"),
    ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1", "0-1", "no men left"),
    ("horde", "8/8/8/8/8/k7/P7/8 w - - 0 1", "1/2-1/2", "stalemate"),
    ("kingofthehill", "4k3/8/8/8/4K3/8/8/8 b - - 0 1", "1-0", "king in the center"),
    ("kingofthehill", "8/8/8/3k4/8/8/8/4K3 w - - 0 1", "0-1", "king in the center"),
    ("racingkings", "k6K/8/8/8/8/8/8/8 w - - 0 1", "1/2-1/2", "race finished"),
    ("racingkings", "7K/8/k7/8/8/8/8/8 b - - 0 1", "1-0", "race finished"),
    ("racingkings", "k7/8/7K/8/8/8/8/8 w - - 0 1", "0-1", "race finished"),
]


@pytest.mark.parametrize(("variant", "text", "result", "reason"), OUTCOMES)
def test_what_ends_a_game(variant: str, text: str, result: str, reason: str) -> None:
    position = CHESS.with_variant(variant).parse(text)
    assert position.outcome == forsyth.Outcome(result, reason)
    assert BOARDS[variant](text).result() == result
    assert position.moves() == [] or reason == "insufficient material"


def test_black_may_draw_level_in_the_race() -> None:
    game = CHESS.with_variant("racingkings")
    position = game.parse("7K/k7/8/8/8/8/8/8 b - - 0 1")
    assert position.outcome is None
    assert position.play("Kb8").outcome == forsyth.Outcome("1/2-1/2", "race finished")
    assert position.play("Kb6").outcome == forsyth.Outcome("1-0", "race finished")


FINDINGS: list[tuple[str, str, list[str]]] = [
    ("standard", "rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1", ["king.missing"]),
    ("antichess", "rnbqkbnr/8/8/8/8/8/8/8 w - - 0 1", []),
    ("antichess", "8/8/8/8/8/8/PPPPPPPP/KK6 w - - 0 1", ["pieces.promoted"]),
    ("antichess", "8/8/8/8/8/8/PPPPPPP1/KK6 w - - 0 1", []),
    ("antichess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ["castling.variant"]),
    ("atomic", "4k3/4K3/8/8/8/8/8/8 w - - 0 1", []),
    ("atomic", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", ["check.opposite"]),
    ("atomic", "8/8/8/8/8/8/8/K7 w - - 0 1", ["king.missing"]),
    ("atomic", "k7/8/8/8/8/8/8/8 w - - 0 1", []),
    ("horde", CHESS.start, ["king.many"]),
    ("horde", "4k2P/8/8/8/8/8/8/P7 w - - 0 1", ["pawn.backrank"]),
    ("horde", "4k3/8/8/8/8/8/8/Pp6 w - - 0 1", ["pawn.backrank"]),
    ("horde", "4k3/PPPPP3/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/8/8 b - - 0 1", ["pawn.many", "pieces.many"]),
    ("horde", "8/PPPP4/8/8/8/8/8/8 w - - 0 1", ["king.missing"]),
    ("kingofthehill", "4k3/8/8/8/4K3/8/8/8 b - - 0 1", []),
    ("racingkings", "8/8/8/8/7k/8/8/K6R b - - 0 1", ["check.race"]),
    ("racingkings", "8/8/8/8/k7/8/P7/K7 w - - 0 1", ["pawn.many"]),
    ("racingkings", "8/8/8/8/k7/8/8/KQQ5 w - - 0 1", ["pieces.promoted"]),
    ("racingkings", "8/8/8/8/k7/8/8/K6R w K - 0 1", ["castling.variant"]),
]


@pytest.mark.parametrize(("variant", "text", "codes"), FINDINGS)
def test_which_rules_of_standard_chess_hold(variant: str, text: str, codes: list[str]) -> None:
    game = CHESS.with_variant(variant)
    reading = game.read(text)
    assert reading.position is not None
    found = game.check(reading.position, text=text)
    assert [finding.code for finding in found] == codes
    for finding in found:
        assert text[finding.span.start : finding.span.end]
    if COMPILED:
        scanned = arrow.scan([text], game).to_pylist()[0]
        assert scanned["ok"] is not any(finding.is_error for finding in found)
        assert scanned["code"] == (codes[0] if codes else None)
        if found:
            span, square = found[0].span, found[0].square
            assert (scanned["start"], scanned["end"], scanned["square"]) == (span.start, span.end, square)


def test_castling_rights_of_a_variant_without_castling_are_mended() -> None:
    game = CHESS.with_variant("antichess")
    reading = game.read(CHESS.start, mode="lenient")
    assert str(reading.position) == game.start
    assert [finding.code for finding in reading.diagnostics] == ["castling.variant"]
    kept = game.parse(CHESS.start, legality=False)
    assert kept.key == game.parse(game.start).key


def test_auto_tells_a_horde_and_nothing_that_looks_like_standard_chess() -> None:
    auto = CHESS.with_variant("auto")
    for variant in VARIANTS:
        game = CHESS.with_variant(variant)
        told = auto.parse(game.start, legality=False).variant
        assert told == (variant if variant in ("crazyhouse", "3check", "horde") else "standard")
    assert auto.read("4k3/8/8/8/PPPP4/PPPP4/PPPP4/8 w - - 0 1").require().variant == "horde"
    assert auto.read("4k3/8/8/8/8/PPPP4/PPPP4/8 w - - 0 1").require().variant == "standard"


def test_king_promotions_in_antichess() -> None:
    game = CHESS.with_variant("antichess")
    position = game.parse("8/P7/8/8/8/8/8/7k w - - 0 1")
    move = game.read_move(position, "a8=K")
    assert (move.uci, move.promotion) == ("a7a8k", "k")
    assert game.read_move(position, "a7a8k") is move
    assert str(game.play(position, move)) == "K7/8/8/8/8/8/8/7k b - - 0 1"
    with pytest.raises(MoveError, match="is not a move"):
        CHESS.read_move(CHESS.parse("8/P7/8/8/8/8/8/K6k w - - 0 1"), "a8=K")


REASONS = [
    ("antichess", "8/8/8/8/8/3p4/4P3/8 w - - 0 1", "e3", "move.forced"),
    ("antichess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "move.castling"),
    ("atomic", "4k3/8/8/8/8/8/3pP3/4K3 w - - 0 1", "Kxd2", "move.explosion"),
    ("atomic", "4k3/8/8/8/8/8/4Np2/R3K3 w - - 0 1", "Kxf2", "move.explosion"),
    ("racingkings", "8/8/8/8/k7/8/8/K6R w - - 0 1", "Rh4", "move.gives_check"),
    ("kingofthehill", "4k3/8/8/8/4K3/8/8/8 b - - 0 1", "Kd8", "move.ended"),
    ("horde", "4k3/8/8/8/8/8/p6P/P7 w - - 0 1", "a1a3", "move.blocked"),
]


@pytest.mark.parametrize(("variant", "text", "move", "code"), REASONS)
def test_why_a_move_is_not_possible(variant: str, text: str, move: str, code: str) -> None:
    game = CHESS.with_variant(variant)
    hindrance = game.explain(game.parse(text), move)
    assert hindrance is not None
    assert hindrance.code == code


@pytest.mark.parametrize(
    ("tag", "variant"),
    [
        ("Atomic", "atomic"),
        ("Antichess", "antichess"),
        ("Giveaway chess", "antichess"),
        ("Horde", "horde"),
        ("King of the Hill", "kingofthehill"),
        ("kingOfTheHill", "kingofthehill"),
        ("Racing Kings", "racingkings"),
        ("racingKings", "racingkings"),
    ],
)
def test_names_in_records(tag: str, variant: str) -> None:
    first = {"horde": "a5", "racingkings": "Nd3"}.get(variant, "e4")
    reading = next(iter(read_records(f'[Variant "{tag}"]\n\n1. {first} *\n', CHESS)))
    record = reading.require()
    assert record.start.variant == variant
    assert f'[Variant "{tag}"]' in write_record(record)


@pytest.mark.parametrize("variant", NEW)
def test_a_match_is_recorded_as_lichess_names_it(variant: str) -> None:
    game = CHESS.with_variant(variant)
    match, chance = Match(game), Random(3)
    while match.outcome is None and len(match) < 60:
        match.play(chance.choice(match.moves()))
    text = write_record(Record.of(match))
    assert f'[Variant "{VARIANT_TABLE[VARIANTS.index(variant)].tag}"]' in text
    assert parse_record(text, CHESS).match() == match


def test_null_moves_end_with_the_game() -> None:
    game = CHESS.with_variant("kingofthehill")
    with pytest.raises(MoveError, match="king in the center"):
        game.read_pass(game.parse("4k3/8/8/8/4K3/8/8/8 b - - 0 1"), "--")


@pytest.mark.parametrize("variant", NEW)
def test_stores_and_forms_keep_the_variant(variant: str) -> None:
    game = CHESS.with_variant(variant)
    position = game.new_game()
    store = MemoryStore()
    for form in ("state", "base64", "fenz"):
        wrapped = convert_position(game, position, form, store)
        found = forsyth.check(wrapped, store=store)
        assert found.ok
        assert found.position == position
        assert found.to_dict()["state_id"] == convert_position(game, position, "state", store)
    assert convert_position(CHESS, CHESS.new_game(), "state", store) == state_id(CHESS.start)
    assert len(store) == 2


def test_a_marked_text() -> None:
    text = "antichess:4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    for asked in ("standard", "auto", "antichess"):
        reading = CHESS.with_variant(asked).read(text)
        assert reading.require().variant == "antichess"
    found = forsyth.check(text, "chess").errors
    assert [(finding.code, text[slice(*finding.span)]) for finding in found] == [("castling.variant", "K")]
    assert [finding.code for finding in CHESS.read(text, variant="horde").errors] == ["variant.other"]
    broken = CHESS.read("atomic:4k3/9/8/8/8/8/8/4K3 w - - 0 1").errors[0]
    assert (broken.code, tuple(broken.span)) == ("board.digit", (11, 12))
    assert not CHESS.read("atomic:atomic:4k3/8/8/8/8/8/8/4K3 w - - 0 1").ok
    if COMPILED:
        assert arrow.normalise([text], CHESS).to_pylist() == [text.partition(":")[2]]
