"""Columns of chess, beside the contract of all columns: features, planes, and the borders of its kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.columns import Table, case_of, require_law, texts_of, unpacked
from tests.games.chess.test_chess_packed import corpus, positions
from tests.golden_data import CHESS, COMPILED, bench, game_of, rows

from forsyth.column import ASK, CANONICAL, REFUSED, SPELLED
from forsyth.games.chess import Position
from forsyth.games.chess.numbers.packed import MAX_BYTES, pack
from forsyth.games.chess.variants import VARIANTS

STEP = 1 if COMPILED else 25
CASE = case_of("chess")
NUMBERS = len(CHESS.feature_list)


# --- what only columns of chess have ------------------------------------------------------------------


def test_every_valid_golden_text_is_answered_for() -> None:
    texts = [fen.encode() for fen, _ in bench()[::STEP]]
    assert set(Table(CASE, texts).verdicts["legal"]) == {CANONICAL}


def test_nothing_is_spelled() -> None:
    """The reader warns about every readable text that is not canonical."""
    assert SPELLED not in Table(CASE, texts_of("chess")[::STEP]).verdicts["syntax"]


def test_a_wide_column_holds_every_packed_form() -> None:
    known = [(text, CASE.position_of(text)) for text in texts_of("chess")]
    illegal = [text for text, position in known if position is not None and CHESS.pack(position)[0] == 2]
    assert illegal
    require_law(CASE, illegal, width=MAX_BYTES)
    assert set(Table(CASE, illegal).verdicts["pack"]) == {ASK}


def test_the_longest_and_shortest_texts() -> None:
    board = b"/".join([b"pNpNpNpN"] * 8)
    longest = board + b" b KQkq e3 9999 9999"
    shortest = b"8/8/8/8/8/8/8/8 w - - 0 1"
    assert len(longest) == 91
    table = Table(CASE, [longest, shortest, longest + b"9", shortest[:-1], b"", longest])
    table.require_law()
    assert list(table.verdicts["syntax"]) == [CANONICAL, CANONICAL, REFUSED, REFUSED, REFUSED, CANONICAL]


@pytest.mark.parametrize("last", [b"1", b"9", b"99", b"999", b"9999"])
def test_clocks_are_read_to_their_end(last: bytes) -> None:
    text = b"1k6/8/8/8/8/8/8/1K6 w - - 0 " + last
    table = Table(CASE, [text], behind=b"9" * 200)
    table.require_law()
    assert table.written(0)["features"][1] == int(last)


def test_the_forms_of_all_variants_are_unpacked() -> None:
    found = corpus()[::STEP]
    assert {position.rules for position in found} == set(range(len(VARIANTS)))
    forms = [pack(position) for position in found]
    assert {form[0] for form in forms} == {1, 2}
    assert unpacked(CASE, forms, MAX_BYTES) == [str(position) for position in found]


@settings(max_examples=600 if COMPILED else 60)
@given(data=st.data())
def test_forms_of_variants_with_slips_are_judged_as_by_the_reader(data: st.DataObject) -> None:
    form = bytearray(pack(data.draw(st.sampled_from(corpus()))))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(form) - 1))
        form[at] = data.draw(st.sampled_from((0, 1, 2, 5, 15, 128, 255)) | st.integers(0, 255))
    cut = bytes(form[: data.draw(st.integers(0, len(form)) | st.just(len(form)))])
    cut += bytes(data.draw(st.integers(0, 12)))
    assert unpacked(CASE, [cut], len(cut)) == [CASE.text_of(cut)]


# --- features and planes of one position ------------------------------------------------------------


SAMPLE = [*rows("valid_fens")[::9], *rows("variants")]
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
KINDS = {"pawns": "p", "knights": "n", "bishops": "b", "rooks": "r", "queens": "q", "kings": "k"}


def named(position: Position) -> dict[str, int]:
    game = CHESS.with_variant(position.variant)
    return dict(zip([f.name for f in game.feature_list], game.features(position), strict=True))


def squares(position: Position, letter: str) -> list[tuple[int, int]]:
    """File and rank, from 0, of each man of a letter."""
    return [(n % 8, 7 - n // 8) for n, found in enumerate(position.board) if found == letter]


def wings(position: Position, white: bool) -> tuple[bool, bool]:
    """Whether a side may castle short and long, from the files of its rooks."""
    letters = CHESS.write(position, "shredder").split()[2]
    king = squares(position, "K" if white else "k")[0][0]
    files = ["abcdefgh".index(ch.lower()) for ch in letters if ch != "-" and ch.isupper() is white]
    return any(file > king for file in files), any(file < king for file in files)


def plain_side(position: Position, side: str) -> dict[str, int]:
    """The features of one side, counted on the board as one would by hand."""
    white = side == "white"
    spell = str.upper if white else str.lower
    men = {kind: squares(position, spell(letter)) for kind, letter in KINDS.items()}
    pawns, enemy = men["pawns"], squares(position, "p" if white else "P")
    files = [file for file, _ in pawns]
    shades = {(file + rank) % 2 for file, rank in men["bishops"]}
    short, long = wings(position, white)
    king = men["kings"][0]
    ahead = 1 if white else -1
    free = [
        (file, rank)
        for file, rank in pawns
        if not any(abs(file - other) < 2 and (at - rank) * ahead > 0 for other, at in enemy)
    ]
    found = {
        "castles_short": int(short),
        "castles_long": int(long),
        "men": sum(map(len, men.values())),
        **{kind: len(on) for kind, on in men.items()},
        "material": sum(VALUES[KINDS[kind]] * len(on) for kind, on in men.items()),
        "bishop_pair": int(len(shades) == 2),
        "doubled_pawns": len(files) - len(set(files)),
        "isolated_pawns": sum(not {file - 1, file + 1} & set(files) for file in files),
        "passed_pawns": len(free),
        "king_square": 1 + king[0] + 8 * king[1],
    }
    return {f"{side}_{name}": number for name, number in found.items()}


def plain_features(position: Position) -> dict[str, int]:
    white, black = plain_side(position, "white"), plain_side(position, "black")
    letters = position.board.lower()
    pieces = sum(letters.count(letter) for letter in "nbrq")
    bishops = [(n + n // 8) % 2 for n, letter in enumerate(position.board) if letter in "Bb"]
    phase = letters.count("n") + letters.count("b") + 2 * letters.count("r") + 4 * letters.count("q")
    both = white["white_bishops"] == black["black_bishops"] == 1
    return {
        "side_to_move": "wb".index(position.side),
        "move_number": position.full,
        "half_moves": position.half,
        "plies": 2 * position.full - 2 + (position.side == "b"),
        "men": 64 - letters.count("."),
        "phase": min(24, phase),
        "stage": 0 if pieces > 10 else 1 if pieces > 6 else 2,
        "balance": white["white_material"] - black["black_material"],
        "en_passant_file": "-abcdefgh".index(position.ep[0]),
        "opposite_bishops": int(both and len(set(bishops)) == 2),
        **white,
        **black,
    }


def test_features_are_what_one_counts_on_the_board() -> None:
    for row in SAMPLE:
        position = game_of(row).parse(row["fen"], legality=False)
        found = named(position)
        if "check" in row:
            assert (found["checkers"] > 0) is row["check"], row["fen"]
        plain = plain_features(position)
        assert {name: found[name] for name in plain} == plain, row["fen"]
        assert set(list(found)[:NUMBERS]) == {*plain, "checkers"}
        if "pocket_w" in row:
            for side, pocket in (("white", row["pocket_w"]), ("black", row["pocket_b"])):
                for kind, letter in list(KINDS.items())[:5]:
                    assert found[f"{side}_{kind}_in_hand"] == "".join(pocket).count(letter)
            assert found["promoted"] == len(row["promoted"])
        if "remaining" in row:
            assert [found["white_checks_left"], found["black_checks_left"]] == row["remaining"]


def test_labels_name_every_value_of_a_feature() -> None:
    for row in SAMPLE:
        game = game_of(row)
        position = game.parse(row["fen"], legality=False)
        for feature, number in zip(game.feature_list, game.features(position), strict=True):
            assert -(2**31) <= number < 2**31
            if feature.labels:
                assert 0 <= number < len(feature.labels), feature.name
    labels = {feature.name: feature.labels for feature in CHESS.feature_list}
    assert labels["white_king_square"][named(CHESS.new_game())["white_king_square"]] == "e1"
    assert labels["side_to_move"] == CHESS.players


def test_the_page_of_the_game_names_every_feature_and_plane() -> None:
    page = (Path(__file__).parents[3] / "docs" / "games" / "chess.md").read_text(encoding="utf-8")
    section = page.partition("\n## Columns\n")[2]
    assert [feature.name for feature in CHESS.feature_list if f"`{feature.name}`" not in section] == []
    own = [name for name in CHESS.plane_shape.names if name.split("_")[-1] not in KINDS]
    assert [name for name in own if f"`{name}`" not in section] == []
    assert f"{len(CHESS.plane_shape.names)} planes of 8" in section


def plane(position: Position, name: str) -> list[list[int]]:
    """One plane as rows of numbers, rank 1 first."""
    game = CHESS.with_variant(position.variant)
    shape = game.plane_shape
    tensor = game.planes(position)
    assert len(tensor) == shape.size == len(shape.names) * 64
    at = 64 * shape.names.index(name)
    return [list(tensor[at + 8 * rank : at + 8 * rank + 8]) for rank in range(8)]


def test_planes_are_the_board_and_the_fields() -> None:
    for row in SAMPLE[::4]:
        position = game_of(row).parse(row["fen"], legality=False)
        ranks = [position.board[8 * rank : 8 * rank + 8] for rank in range(7, -1, -1)]
        for side, spell in (("white", str.upper), ("black", str.lower)):
            for kind, letter in KINDS.items():
                men = [[int(found == spell(letter)) for found in rank] for rank in ranks]
                assert plane(position, f"{side}_{kind}") == men, row["fen"]
            for wing, right in zip(("short", "long"), wings(position, side == "white"), strict=True):
                assert plane(position, f"{side}_castles_{wing}") == [[int(right)] * 8] * 8
        passed = [[int(f"{file}{rank}" == position.ep) for file in "abcdefgh"] for rank in range(1, 9)]
        assert plane(position, "en_passant") == passed
        assert plane(position, "black_to_move") == [[int(position.side == "b")] * 8] * 8
        assert plane(position, "half_moves") == [[min(255, position.half)] * 8] * 8
        assert plane(position, "move_number") == [[min(255, position.full)] * 8] * 8


def test_planes_of_the_variants() -> None:
    house = CHESS.parse(
        "q~nbqkbnr/pppppppp/8/8/8/8/PPPP4/RNBQKBNR[PPn] w KQk - 0 9", variant="crazyhouse", legality=False
    )
    assert plane(house, "white_pawns_in_hand") == [[2] * 8] * 8
    assert plane(house, "black_knights_in_hand") == [[1] * 8] * 8
    assert plane(house, "promoted") == [[0] * 8] * 7 + [[1] + [0] * 7]
    checks = CHESS.parse("4k3/8/8/8/8/8/8/4K3 w - - 2+1 0 9", variant="3check")
    assert plane(checks, "white_checks_left") == [[2] * 8] * 8
    assert plane(checks, "black_checks_left") == [[1] * 8] * 8


@given(positions())
def test_any_position_has_features_and_planes(position: Position) -> None:
    game = CHESS.with_variant(position.variant)
    assert len(game.features(position)) == len(game.feature_list)
    assert len(game.planes(position)) == game.plane_shape.size
    assert game.features(position)[:NUMBERS] == CHESS.features(position)


def test_every_variant_has_kernels_and_the_profile_has_none() -> None:
    for name in (*VARIANTS, "auto"):
        game = CHESS.with_variant(name)
        assert game.column is CHESS.with_variant(name).column is not None
    assert CHESS.with_profile("seed").column is None


def test_every_legal_position_fits_the_width_of_its_variant() -> None:
    for row in [*rows("valid_fens")[::STEP], *rows("variants"), *rows("more_variants")]:
        game = game_of(row)
        position = game.parse(row["fen"], legality=False)
        assert len(game.pack(position)) <= game.packed_width, row["fen"]
