"""Chess against the golden data, every row: verdicts, fields, moves, notations, perft (spec/chess 17)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.golden_data import CHESS, COMPILED, Row, bench, game_of, report, require_agreement, rows

from forsyth.diagnostics import MODES, Reading
from forsyth.games.chess import Chess, Position, write_fen
from forsyth.games.chess.rules.moves import is_check, perft
from forsyth.identity import state_id

INVALID = rows("invalid_fens")
VALID = rows("valid_fens")

PERFT_NODES = 200_000_000 if COMPILED else 30_000
"""Each position is counted as deep as this many nodes allow: seconds in all, compiled or not."""


# --- invalid_fens -----------------------------------------------------------------------------------


def verdict(text: str) -> Row:
    """What Forsyth says about a text, in the columns of the golden file."""
    reading = CHESS.read(text)
    found: Row = {"parse": "ok"}
    if reading.errors:
        found = {"parse": reading.errors[0].code, "field": reading.errors[0].field}
    # The golden verdict stops at the first error; a reading goes on and says everything.
    before = [d.code for d in reading.diagnostics]
    if reading.errors:
        before = before[: reading.diagnostics.index(reading.errors[0])]
    if before:
        found["warn"] = before
    if reading.position is not None:
        found["norm"] = str(reading.position)
        legality = CHESS.check(reading.position, text=text)
        for key, wanted in (("pos_err", True), ("pos_warn", False)):
            codes = [d.code for d in legality if d.is_error is wanted]
            if codes:
                found[key] = codes
    lenient = CHESS.read(text, mode="lenient").position
    found["lenient"] = None if lenient is None else str(lenient)
    return found


def test_every_broken_text_gets_its_golden_verdict() -> None:
    failures = []
    for row in INVALID:
        found = verdict(row["fen"])
        if found != row["want"]:
            failures.append(f"{row['id']} {row['fen']!a}: {found} instead of {row['want']}")
    assert not failures, report(failures, len(INVALID))


def test_the_class_of_a_broken_text_follows_from_its_findings() -> None:
    for row in INVALID:
        reading = CHESS.read(row["fen"])
        legality = () if reading.position is None else CHESS.check(reading.position)
        if reading.errors:
            found = "syntax"
        elif any(d.is_error for d in legality):
            found = "position"
        else:
            found = "warning" if reading.diagnostics or legality else "clean"
        assert found == row["class"], row["id"]


def test_a_position_comes_with_every_reading_without_errors_and_with_no_other() -> None:
    for row in INVALID:
        for mode in MODES:
            reading = CHESS.read(row["fen"], mode=mode)
            assert (reading.position is not None) is reading.ok, (mode, row["id"])


def test_strict_mode_accepts_only_what_default_mode_says_nothing_about() -> None:
    for row in INVALID:
        assert CHESS.read(row["fen"], mode="strict").ok is (not CHESS.read(row["fen"]).diagnostics), row["id"]


def test_lenient_mode_accepts_everything_that_default_mode_accepts() -> None:
    for row in INVALID:
        if CHESS.read(row["fen"]).ok:
            assert CHESS.read(row["fen"], mode="lenient").ok, row["id"]


def test_no_repair_is_silent() -> None:
    for row in INVALID:
        reading = CHESS.read(row["fen"], mode="lenient")
        if reading.position is not None and str(reading.position) != row["fen"]:
            assert reading.warnings, row["id"]


def test_lenient_output_is_strict_text_a_fixed_point_and_free_of_castling_and_ep_errors() -> None:
    for row in INVALID:
        position = CHESS.read(row["fen"], mode="lenient").position
        if position is None:
            continue
        text = str(position)
        strict = CHESS.read(text, mode="strict")
        assert strict.position == position, row["id"]
        assert CHESS.read(text, mode="lenient") == Reading(text, "chess", position), row["id"]
        findings = [d.code for d in CHESS.check(position) if d.is_error]
        assert not [code for code in findings if code.startswith(("castling.", "ep."))], row["id"]


def test_kernel_and_reader_agree_on_every_golden_text() -> None:
    for row in (*INVALID, *VALID):
        require_agreement(row["fen"])
    for text, _ in bench()[:: 1 if COMPILED else 5]:
        require_agreement(text)


# --- valid_fens -------------------------------------------------------------------------------------


def decoded(game: Chess, position: Position) -> Row:
    """The columns of the golden file that are fields of a position or follow from them."""
    moves = game.moves(position)
    kinds = [game.describe_move(position, move) for move in moves]
    found = {
        "fen": str(position),
        "norm": game.write(position, "legal"),
        "board": position.board,
        "side": position.side,
        "castling": position.castling,
        "ep": position.ep,
        "half": position.half,
        "full": position.full,
        "check": is_check(position),
        "moves": len(moves),
        "caps": sum(kind.captured is not None for kind in kinds),
        "ep_xfen": write_fen(position, ep="xfen").split()[3],
        "ep_legal": write_fen(position, ep="legal").split()[3],
    }
    if position.variant == "chess960":
        found["chess960"] = True
        found["shredder"] = write_fen(position, ep="legal", castling="shredder")
    outcome = game.outcome(position)
    if not moves and outcome is not None:
        found["end"] = {"checkmate": "mate", "stalemate": "stale"}[outcome.reason]
    return found


def test_every_valid_text_decodes_to_its_golden_columns() -> None:
    failures = []
    # Move lists with notation take the pure build long; it runs the same sources.
    for row in VALID if COMPILED else VALID[::8]:
        game = game_of(row)
        found = decoded(game, game.parse(row["fen"], mode="strict", legality=False))
        wanted = {key: value for key, value in row.items() if key not in ("id", "src", "status", "polyglot")}
        failures += [
            f"{row['id']} {row['fen']} {key}: {found.get(key)!r} instead of {wanted.get(key)!r}"
            for key in sorted({*found, *wanted})
            if found.get(key) != wanted.get(key)
        ]
    assert not failures, report(failures, len(VALID))


def test_every_valid_text_is_legal() -> None:
    for row in VALID:
        game = game_of(row)
        codes = [d.code for d in game.check(game.parse(row["fen"], legality=False))]
        assert codes == (["half.seventyfive"] if row["half"] >= 150 else []), row["id"]


def test_every_valid_text_comes_back_as_it_was() -> None:
    for row in VALID:
        game = game_of(row)
        for text in (row["fen"], row["norm"]):
            assert str(game.read(text, mode="strict").position) == text, row["id"]


def test_the_identity_form_is_the_same_position() -> None:
    for row in VALID:
        game = game_of(row)
        given, norm = (game.read(text).require() for text in (row["fen"], row["norm"]))
        assert given.key == norm.key, row["id"]
        assert write_fen(norm, ep="legal") == row["norm"], row["id"]


def test_en_passant_is_written_in_every_convention() -> None:
    for row in VALID:
        position = game_of(row).read(row["fen"]).require()
        for style, column in (("given", "ep"), ("fen", "ep"), ("xfen", "ep_xfen"), ("legal", "ep_legal")):
            assert write_fen(position, ep=style).split()[3] == row[column], (row["id"], style)  # type: ignore[arg-type]


def test_four_fields_invent_no_clocks() -> None:
    for row in VALID:
        position = game_of(row).read(row["fen"]).require()
        assert write_fen(position, fields=4) == " ".join(row["fen"].split()[:4]), row["id"]


def shredder_rows() -> Iterator[tuple[str, Row]]:
    for name in ("valid_fens", "perft"):
        yield from ((name, row) for row in rows(name) if "shredder" in row)


def test_shredder_and_xfen_letters_name_the_same_rooks() -> None:
    for _, row in shredder_rows():
        game = game_of(row)
        position = game.read(row["fen"]).require()
        shredder = game.read(row["shredder"]).require()
        assert shredder.rights == position.rights, row["id"]
        assert shredder.key == position.key, row["id"]
        assert str(shredder).split()[2] == row["fen"].split()[2], row["id"]
        assert game.write(shredder, "shredder") == row["shredder"], row["id"]


def test_chess960_rows_are_recognised_by_themselves() -> None:
    auto = CHESS.with_variant("auto")
    for _, row in shredder_rows():
        if row["shredder"].split()[2] != "-":
            assert auto.read(row["shredder"]).require().variant == "chess960", row["id"]


# --- colour mirror (spec/chess 17.6) ----------------------------------------------------------------

_FLIP = str.maketrans({"w": "b", "b": "w"})
_RANK = str.maketrans("36", "63")


def mirrored(text: str) -> str:
    """The same position with the colours exchanged: ranks reversed, case, side and en passant turned over."""
    board, side, castling, ep, *clocks = text.split(" ")
    letters = castling.swapcase()
    castling = "".join(sorted(letters, key=lambda letter: letter.islower()))
    ranks = "/".join(reversed(board.swapcase().split("/")))
    return " ".join([ranks, side.translate(_FLIP), castling, ep.translate(_RANK), *clocks])


def mirror_pairs() -> Iterator[tuple[Row, Chess, str, str]]:
    for row in (*VALID, *INVALID)[:: 1 if COMPILED else 4]:
        game = game_of(row)
        text = row["want"].get("norm") if "want" in row else row["fen"]
        if text is not None:
            yield row, game, text, mirrored(text)


def test_exchanging_the_colours_changes_no_verdict() -> None:
    for row, game, text, turned in mirror_pairs():
        position, other = game.read(text).require(), game.read(turned).require()
        assert str(other) == turned, row["id"]
        assert other.board == "/".join(reversed(rank_by_rank(position.board))).replace("/", ""), row["id"]
        codes = [[d.code for d in game.check(p) if d.code != "half.inconsistent"] for p in (position, other)]
        assert codes[0] == codes[1], row["id"]
        assert mirrored(game.write(position, "legal")) == game.write(other, "legal"), row["id"]
        assert len(game.moves(position)) == len(game.moves(other)), row["id"]


def rank_by_rank(board: str) -> list[str]:
    return [board[start : start + 8].swapcase() for start in range(0, 64, 8)]


# --- perft ------------------------------------------------------------------------------------------


def test_perft_counts_are_exact() -> None:
    for row in rows("perft"):
        position = game_of(row).parse(row["fen"], legality=False)
        assert perft(position, 0) == 1
        counted = [nodes for nodes in row["nodes"] if nodes <= PERFT_NODES]
        assert [perft(position, depth + 1) for depth in range(len(counted))] == counted, row["id"]
        assert len(counted) >= 2, row["id"]


# --- bench_10k -------------------------------------------------------------------------------------


def test_the_bench_corpus_is_canonical_legal_and_its_moves_are_read() -> None:
    for text, san in bench():
        position = CHESS.parse(text, mode="strict")
        assert str(position) == text
        move = CHESS.read_move(position, san, strict=True)
        assert CHESS.write_move(position, move) == san, (text, san)


# --- variants ---------------------------------------------------------------------------------------


def test_crazyhouse_and_three_check_rows_hold() -> None:
    for row in rows("variants"):
        game = game_of(row)
        position = game.parse(row["fen"], mode="strict")
        assert str(position) == row["fen"], row["id"]
        assert game.write(position, "legal") == row["norm"], row["id"]
        assert len(game.moves(position)) == row["moves"], row["id"]
        if row["variant"] == "crazyhouse":
            pockets = row["pocket_w"].upper() + row["pocket_b"]
            assert position.pockets == pockets, row["id"]
            marked = [square for square in row["promoted"] if position.promoted >> index_of(square) & 1]
            assert marked == row["promoted"], row["id"]
            assert position.promoted.bit_count() == len(marked), row["id"]
        else:
            assert list(position.checks) == row["remaining"], row["id"]


def index_of(square: str) -> int:
    return "abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)


def test_the_other_spelling_of_a_variant_is_the_same_position_with_a_warning() -> None:
    alternatives = [row for row in rows("variants") if "alt" in row]
    assert alternatives
    for row in alternatives:
        game = game_of(row)
        reading = game.read(row["alt"])
        assert str(reading.require()) == row["fen"], row["id"]
        assert [d.code for d in reading.warnings] in (["pocket.form"], ["checks.form"]), row["id"]
        assert not game.read(row["alt"], mode="strict").ok, row["id"]


def test_variants_are_recognised_by_themselves() -> None:
    auto = CHESS.with_variant("auto")
    for row in rows("variants"):
        for text in (row["fen"], row["alt"] if "alt" in row else row["fen"]):
            assert auto.read(text).require().variant == row["variant"], row["id"]


# --- keys -------------------------------------------------------------------------------------------


def identity(position: Position) -> str:
    """What makes a position the one it is (spec/chess 6), as text."""
    family = "chess" if position.variant in ("standard", "chess960") else position.variant
    return f"{family} {write_fen(position, ep='legal', castling='shredder', fields=4)}"


def test_the_golden_keys_and_identifiers_never_change() -> None:
    table = rows("keys")
    assert len(table) >= 400
    for row in table:
        position = game_of(row).read(row["fen"], mode="strict").require()
        assert position.key == row["key"], row["fen"]
        assert state_id(str(position)) == row["state_id"], row["fen"]


def test_the_texts_of_one_position_share_its_key() -> None:
    for row in VALID:
        position = game_of(row).read(row["fen"]).require()
        assert len(position.key) == 32
        other = CHESS.read(row["norm"], variant="chess960").require()
        assert other.key == position.key, row["id"]
        assert position.replace(half=7, full=77).key == position.key, row["id"]
        if row["ep"] != row["ep_legal"]:
            assert position.replace(ep_square=-1).key == position.key, row["id"]


def test_warned_spellings_share_the_key_of_the_canonical_text() -> None:
    for row in INVALID:
        reading = CHESS.read(row["fen"])
        if reading.position is not None and reading.diagnostics:
            assert reading.position.key == CHESS.read(row["want"]["norm"]).require().key, row["id"]


def test_different_positions_have_different_keys() -> None:
    read = [game_of(row).read(row["fen"]).require() for row in VALID]
    read += [CHESS.read(text).require() for text, _ in bench()]
    read += [game_of(row).read(row["fen"]).require() for row in rows("variants")]
    names: dict[str, str] = {}
    for position in read:
        assert names.setdefault(position.key, identity(position)) == identity(position), str(position)
    assert len(names) == len(set(names.values())) > 15_000


def test_everything_that_counts_changes_the_key() -> None:
    text = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1"
    position = CHESS.read(text).require()
    changed = [
        *(
            text.replace(a, b, 1)
            for a, b in ((" w ", " b "), ("d6", "-"), ("R3K2R", "R3K2Q"), ("3pP3", "2p1P3"))
        ),
        *(text.replace("KQkq", rights) for rights in ("-", "K", "Q", "k", "q", "KQ", "kq", "KQk", "Qkq")),
    ]
    keys = [position.key, *(CHESS.read(other).require().key for other in changed)]
    assert len(set(keys)) == len(keys)
    # A right that king and rook do not bear out does not count.
    assert CHESS.read("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").require().key == (
        CHESS.read("4k3/8/8/8/8/8/8/4K2R w K - 0 1").require().key
    )


@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        ("crazyhouse", [f"4k2q/8/8/8/8/8/8/4K3[{held}] w - - 0 1" for held in ("", "P", "p", "PP", "N")]),
        ("crazyhouse", [f"4k2{queen}/8/8/8/8/8/8/4K3[] w - - 0 1" for queen in ("q", "q~")]),
        ("3check", [f"4k3/8/8/8/8/8/8/4K3 w - - {left} 0 1" for left in ("3+3", "2+3", "3+2", "1+1")]),
    ],
)
def test_pockets_marks_and_checks_change_the_key(variant: str, texts: list[str]) -> None:
    keys = {CHESS.read(text, variant=variant).require().key for text in texts}
    keys |= {CHESS.read("4k2q/8/8/8/8/8/8/4K3 w - - 0 1").require().key}
    assert len(keys) == len(texts) + 1
