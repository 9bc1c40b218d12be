"""The packed form: Lichess's own vectors, the golden file, and that no bytes at all do any harm."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.every_row import every_row
from tests.golden_data import Row, rows

from forsyth.games.chess.notation.fen import read_fen, rules_named
from forsyth.games.chess.numbers.packed import MAX_BYTES, pack, read_binary, unpack, write_binary
from forsyth.games.chess.position import (
    CHESS960,
    CRAZYHOUSE,
    STANDARD_RIGHTS,
    THREE_CHECK,
    Position,
    from_fields,
)
from forsyth.games.chess.variants import VARIANTS

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

# Published by Lichess to hold its own format stable.
LICHESS = [
    ("standard", "8/8/8/8/8/8/8/8 w - - 0 1", "0000000000000000"),
    ("standard", "8/8/8/8/8/8/8/8 b - - 0 1", "00000000000000000001"),
    ("standard", "8/8/8/8/8/8/8/8 b - - 100 432", "000000000000000064df06"),
    (
        "standard",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "ffff00001000efff2d844ad200000000111111113e955fe3",
    ),
    ("standard", "5k2/6p1/8/1Pp5/6P1/8/8/3K4 w - c6 0 1", "20400006400000080ac0b1"),
    ("standard", "4k3/8/8/8/3pP3/8/6N1/7K b - e3 0 1", "10000000180040802ac10f"),
    ("standard", "r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq - 0 4", "8901080000810091ad0d10e1f70007"),
    (
        "chess960",
        "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 3",
        "704f1ee8e81e4f70d60a44000002020813191113511571be000402",
    ),
    (
        "3check",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99 1 +0+1",
        "ffff00000000ffff2d844ad200000000111111113e955be363000501",
    ),
    (
        "crazyhouse",
        "r~n~b~q~kb~n~r~/pppppppp/8/8/8/8/PPPPPPPP/RN~BQ~KB~NR/ w KQkq - 0 499",
        "ffff00000000ffff2d844ad200000000111111113e955be300e407010000000000ef0000000000002a",
    ),
    (
        "crazyhouse",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
        "ffff00000000ffff2d844ad200000000111111113e955be30000010000000000",
    ),
]


def position_of(text: str, variant: str = "standard") -> Position:
    return read_fen(text, rules=rules_named(variant)).require()


@pytest.mark.parametrize(("variant", "text", "expected"), LICHESS)
def test_the_bytes_are_those_of_lichess(variant: str, text: str, expected: str) -> None:
    position = position_of(text, variant)
    assert write_binary(position).hex() == expected
    assert read_binary(bytes.fromhex(expected)) == position
    assert pack(position).hex() == "01" + expected
    assert unpack(bytes.fromhex("01" + expected)) == position


def test_what_else_lichess_writes_is_read_but_is_not_a_packed_form() -> None:
    from_position = bytes.fromhex("00000002180000308a1c0f030103")
    assert read_binary(from_position) == position_of("8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 3 1")
    with pytest.raises(ValueError, match="differ from its packed form"):
        unpack(b"\x01" + from_position)
    king_of_the_hill = bytes.fromhex("ffff00000000ffff2d844ad200000000111111113e955be3000004")
    assert read_binary(king_of_the_hill) == position_of(START, "kingofthehill")
    with pytest.raises(ValueError, match="variant 10 is not known"):
        read_binary(king_of_the_hill[:-1] + b"\x0a")


@pytest.mark.parametrize(
    ("variant", "text", "changes", "expected"),
    [
        (
            "crazyhouse",
            "q~7/8/8/8/8/8/8/1K6[] b K a6 258 513",
            {"white_pocket": 0x0504030201, "black_pocket": 0x20},
            "02 01 00 00 00 00 00 00 02 9a "
            "00 00 00 00 00 00 00 80 01 00 00 00 00 00 00 00 "
            "01 02 03 04 05 20 00 00 00 00 "
            "01 28 01 02 02 01 01 00",
        ),
        (
            "3check",
            "k7/8/8/8/8/8/8/1K6 w q - 1+2 0 1",
            {},
            "02 01 00 00 00 00 00 00 02 ba "
            "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
            "00 00 00 00 00 00 00 00 00 00 "
            "00 ff 00 00 00 01 05 21",
        ),
    ],
)
def test_the_general_layout_byte_by_byte(
    variant: str, text: str, changes: dict[str, int], expected: str
) -> None:
    position = position_of(text, variant).replace(**changes)
    assert pack(position).hex(" ") == expected
    assert unpack(bytes.fromhex(expected)) == position


@every_row(rows("packed"), lambda row: row["packed"])
def test_golden(row: Row) -> None:
    position = position_of(row["fen"], row.get("variant", "standard")).replace(**row.get("changes", {}))
    assert pack(position).hex() == row["packed"]
    assert unpack(bytes.fromhex(row["packed"])) == position
    assert position.packed.hex() == row["packed"]


def test_the_golden_file_covers_every_variant_and_version() -> None:
    assert len(rows("packed")) >= 300
    assert {row.get("variant", "standard") for row in rows("packed")} == set(VARIANTS[:4])
    assert {row["packed"][:2] for row in rows("packed")} == {"01", "02"}


@cache
def corpus() -> tuple[Position, ...]:
    found = [
        position_of(row["fen"], "chess960" if row.get("chess960") else "standard")
        for row in rows("valid_fens")
    ]
    known = (*rows("variants"), *rows("more_variants")[::3])
    found += [position_of(row["fen"], row["variant"]) for row in known]
    readings = [read_fen(row["fen"]) for row in rows("invalid_fens")]
    return (*found, *(reading.position for reading in readings if reading.position is not None))


def test_every_position_of_the_corpus_comes_back_and_has_bytes_of_its_own() -> None:
    packed = {position: pack(position) for position in corpus()}
    assert all(unpack(data) == position for position, data in packed.items())
    assert len(set(packed.values())) == len(packed)


def test_a_legal_position_is_written_in_the_first_version() -> None:
    assert all(pack(position_of(row["fen"]))[0] == 1 for row in rows("valid_fens") if not row.get("chess960"))


CORNERS = sum(right for _, right in STANDARD_RIGHTS)
BACK_RANKS = 255 | 255 << 56
SQUARE_SETS = st.sets(st.integers(0, 63), max_size=6).map(lambda squares: sum(1 << n for n in squares))
RIGHTS = st.integers(0, 255).map(lambda byte: byte | byte << 56) | SQUARE_SETS
POCKETS = (
    st.lists(st.integers(0, 32) | st.integers(0, 6), min_size=5, max_size=5)
    .filter(lambda counts: sum(counts) <= 32)
    .map(lambda counts: int.from_bytes(bytes(counts), "little"))
)
CHECKS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda checks: checks[0] | checks[1] << 4)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Everything a `Position` can be: a real one with other men, other numbers and other rules."""
    base = draw(st.sampled_from(corpus()))
    board = list(base.fields()[:8])
    for square, man in draw(st.dictionaries(st.integers(0, 63), st.integers(0, 12), max_size=64)).items():
        board = [squares & ~(1 << square) for squares in board]
        if man < 12:
            board[man % 6] |= 1 << square
            board[6 + man // 6] |= 1 << square
    rules = draw(st.just(base.rules) | st.integers(0, 3))
    home = BACK_RANKS if rules == CHESS960 else CORNERS
    in_hand = (
        draw(st.just(base.promoted) | SQUARE_SETS) & (board[1] | board[2] | board[3] | board[4]),
        draw(st.just(base.white_pocket) | POCKETS),
        draw(st.just(base.black_pocket) | POCKETS),
    )
    return from_fields(
        (
            *board,
            draw(st.just(base.rights) | RIGHTS) & home,
            *(in_hand if rules == CRAZYHOUSE else (0, 0, 0)),
            draw(st.integers(0, 1)),
            draw(st.just(base.ep_square) | st.sampled_from((-1, *range(16, 24), *range(40, 48)))),
            draw(st.integers(0, 2) | st.integers(0, 9999)),
            draw(st.integers(1, 2) | st.integers(1, 9999)),
            rules,
            draw(CHECKS) if rules == THREE_CHECK else 0,
        )
    )


@given(positions())
def test_every_position_legal_or_not_comes_back(position: Position) -> None:
    data = pack(position)
    assert len(data) <= MAX_BYTES
    assert unpack(data) == position


@given(positions())
def test_the_first_version_is_used_exactly_where_it_loses_nothing(position: Position) -> None:
    data = pack(position)
    try:
        bare = write_binary(position)
    except ValueError as error:
        assert str(error).startswith("binary FEN cannot represent ")
        assert data[0] == 2
    else:
        assert data == b"\x01" + bare
        assert read_binary(bare) == position


def is_canonical_or_refused(data: bytes) -> bool:
    try:
        position = unpack(data)
    except ValueError as error:
        return str(error).startswith("packed chess: ")
    return pack(position) == data


@given(st.binary(max_size=90) | st.binary(max_size=80).map(lambda tail: b"\x01" + tail))
def test_no_bytes_do_any_harm(data: bytes) -> None:
    assert is_canonical_or_refused(data)


@given(positions(), st.data())
def test_no_damaged_packed_form_does_any_harm(position: Position, data: st.DataObject) -> None:
    packed = bytearray(pack(position))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(packed)))
        packed[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    assert is_canonical_or_refused(bytes(packed))


def test_every_beginning_of_a_packed_form_is_refused_or_another_position() -> None:
    # Cut behind the men or behind a clock it is a whole form, of standard chess; else it is nothing.
    whole = pack(position_of("r3k2r/8/8/8/8/8/8/R3K2R[QNp] w KQkq - 7 300", "crazyhouse"))
    accepted = [size for size in range(len(whole)) if not _refused(whole[:size])]
    men = 1 + 8 + 3
    assert accepted == [men, men + 1, men + 3]
    assert str(unpack(whole[:men])) == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def _refused(data: bytes) -> bool:
    try:
        unpack(data)
    except ValueError:
        return True
    return False


def general(
    *,
    rights: str = "00" * 8,
    promoted: str = "00" * 8,
    pockets: str = "00" * 10,
    side_and_ep: str = "0014",
    clocks: str = "00000001",
    variant_and_checks: str = "0000",
) -> str:
    """The second version of an empty board with, unless told otherwise, the en-passant square e3."""
    return "02" + "00" * 8 + rights + promoted + pockets + side_and_ep + clocks + variant_and_checks


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the bytes end inside the version"),
        ("03" + "00" * 8, "version 3 is not known"),
        ("01" + "00" * 7, "the bytes end inside the occupied squares"),
        ("01" + "00" * 7 + "01", "the bytes end inside the pieces"),
        ("01" + "00" * 7 + "0110", "the unused half of the last byte of the pieces is not 0"),
        ("01" + "00" * 7 + "010c", "several pawns made a double step, or one not on rank 4 or 5"),
        ("01" + "0000000003000000" + "cc", "several pawns made a double step, or one not on rank 4 or 5"),
        ("01" + "00" * 7 + "02" + "0d", "a castling right must be for a rook on a corner square"),
        ("01" + "00" * 8 + "80", "the bytes end inside the half-move clock"),
        ("01" + "00" * 8 + "808080", "the half-move clock is too large"),
        ("01" + "00" * 8 + "904e", "the half-move clock is 10000, expected 0 to 9999"),
        ("01" + "00" * 8 + "00" + "9e9c01", "the move number is 10000, expected 1 to 9999"),
        ("01" + "00" * 8 + "00", "the bytes describe .* but differ from its packed form"),
        ("01" + "00" * 8 + "8500", "the bytes describe .* but differ from its packed form"),
        ("01" + "00" * 8 + "000101", "the bytes end inside the pockets"),
        (
            "01" + "00" * 8 + "000001" + "00" * 5 + "00" * 7 + "01",
            "a promoted mark must be on a knight, bishop, rook or queen",
        ),
        ("01" + "00" * 8 + "000005", "the bytes end inside the checks"),
        ("01" + "00" * 8 + "00000540", "a side has been given more than three checks"),
        ("01" + "00" * 8 + "00000200", r"the data has \d+ bytes, expected \d+"),
        ("01" + "00" * 7 + "03" + "fb", "the bytes describe .* but differ from its packed form"),
        ("01" + "00" * 90, "the data has 91 bytes, expected at most 75"),
        (general()[:-2], "the bytes end inside the fields after the board"),
        (general() + "00", r"the data has \d+ bytes, expected \d+"),
        ("02" + "00" * 7 + "010c" + general()[18:], "version 2 has piece codes from 0 to 11 only"),
        (general(side_and_ep="00ff"), "the bytes describe .* but differ from its packed form"),
        (general(side_and_ep="0214"), "black_to_move is 2, expected 0 or 1"),
        (general(side_and_ep="0040"), "ep_square is 64, expected -1 or a square of rank 3 or 6"),
        (general(clocks="27100001"), "the half-move clock is 10000, expected 0 to 9999"),
        (general(clocks="00000000"), "the move number is 0, expected 1 to 9999"),
        (general(clocks="00002710"), "the move number is 10000, expected 1 to 9999"),
        (general(variant_and_checks="0300"), "variant 3 is not known"),
        (general(variant_and_checks="0540"), "the number of remaining checks of a side must be 0 to 3"),
        (general(variant_and_checks="0033"), "only Three-check has a number of remaining checks"),
        (general(rights="00" * 7 + "02"), "a castling right must be for a rook on a corner square"),
        (general(promoted="00" * 7 + "01"), "a promoted mark must be on a knight, bishop, rook or queen"),
        (general(pockets="10" + "00" * 9), "only Crazyhouse has promoted marks and pockets"),
    ],
)
def test_malformed_bytes_are_refused_with_a_sentence(data: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^packed chess: {message}"):
        unpack(bytes.fromhex(data))


def test_the_bytes_that_refusals_are_made_from_are_accepted() -> None:
    assert str(unpack(bytes.fromhex(general()))) == "8/8/8/8/8/8/8/8 w - e3 0 1"


def test_bare_bytes_of_no_position_are_refused_with_the_same_sentence() -> None:
    with pytest.raises(ValueError, match=r"^packed chess: a castling right must be for a rook on a corner"):
        read_binary(bytes.fromhex("00" * 7 + "02" + "0d"))


def test_only_bytes_are_unpacked() -> None:
    with pytest.raises(TypeError, match="the data is of type str, expected bytes"):
        unpack("01")  # type: ignore[arg-type]
    assert unpack(memoryview(pack(position_of(START)))) == position_of(START)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rights": CORNERS, "rooks": 0, "queens": CORNERS | 1 << 3 | 1 << 59},
            "a castling right without a rook",
        ),
        ({"rules": CHESS960, "rights": 1 << 1}, "a castling right without a rook"),
        ({"ep_square": 20}, "an en-passant square without its pawn"),
        ({"ep_square": 47}, "an en-passant square without its pawn"),
        ({"rules": CRAZYHOUSE, "white_pocket": 16 << 8}, "more than 15 of a kind in a pocket"),
        ({"rules": CRAZYHOUSE, "black_pocket": 60 << 32}, "more than 15 of a kind in a pocket"),
    ],
)
def test_the_bare_layout_refuses_what_it_would_lose(changes: dict[str, int], message: str) -> None:
    position = position_of(START).replace(**changes)
    with pytest.raises(ValueError, match=f"^binary FEN cannot represent {message}; use `pack` instead$"):
        write_binary(position)
    assert pack(position)[0] == 2
    assert unpack(pack(position)) == position


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8/8/8/8/8/8/8/4K3 b - - 0 1", "01" + "00" * 7 + "10" + "0a" + "0001"),
        ("kkk5/8/8/8/8/8/8/8 b - - 0 1", "01" + "07" + "00" * 7 + "ff0f"),
        ("kkk5/8/8/8/8/8/8/8 w - - 0 1", "01" + "07" + "00" * 7 + "bb0b"),
        ("8/8/8/8/8/8/8/R6r w KQ - 0 1", "01" + "00" * 7 + "81" + "ed"),
        ("8/8/8/8/4P3/8/8/8 w - e3 0 1", "01" + "00" * 4 + "10" + "00" * 3 + "0c"),
        ("8/8/8/8/8/8/8/8 b - - 9999 9999", "01" + "00" * 8 + "8f4e" + "9d9c01"),
    ],
    ids=(
        "no black king",
        "black kings to move",
        "black kings waiting",
        "right of another colour",
        "wrong side",
        "last clocks",
    ),
)
def test_other_odd_positions_fit_the_first_version(text: str, expected: str) -> None:
    assert pack(position_of(text)).hex() == expected
    assert unpack(bytes.fromhex(expected)) == position_of(text)


# What neither version has room for is no position in the first place.
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"knights": 1}, "two pieces stand on the same square"),
        ({"white": 0}, "each piece must be either white or black"),
        ({"black": (1 << 64) - 1}, "each piece must be either white or black"),
        ({"rights": 1 << 20}, "a castling right must be for a rook on a corner square"),
        ({"rules": CHESS960, "rights": 1 << 20}, "a castling right must be for a rook on rank 1 or 8"),
        ({"half": 10_000}, "the half-move clock is 10000, expected 0 to 9999"),
        ({"full": 0}, "the move number is 0, expected 1 to 9999"),
        ({"rules": 9}, "rules is 9, expected 0 to 8"),
        ({"black_to_move": 2}, "black_to_move is 2, expected 0 or 1"),
        ({"ep_square": 64}, "ep_square is 64, expected -1 or a square of rank 3 or 6"),
        ({"remaining": 0x33}, "only Three-check has a number of remaining checks"),
        (
            {"rules": THREE_CHECK, "remaining": 0x40},
            "the number of remaining checks of a side must be 0 to 3",
        ),
        ({"promoted": 1}, "only Crazyhouse has promoted marks and pockets"),
        ({"black_pocket": 1}, "only Crazyhouse has promoted marks and pockets"),
        (
            {"rules": CRAZYHOUSE, "promoted": 1 << 20},
            "a promoted mark must be on a knight, bishop, rook or queen",
        ),
        ({"rules": CRAZYHOUSE, "white_pocket": 1 << 40}, "a pocket may contain only pawns, knights"),
    ],
)
def test_what_has_no_packed_form_is_no_position(changes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position_of(START).replace(**changes)
