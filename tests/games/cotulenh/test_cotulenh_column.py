"""Columns of CoTuLenh, beside the contract of all columns: borders of its kernels, features, planes."""

from __future__ import annotations

import pytest
from tests.contract.columns import COMPILED, MAX_INT, Table, case_of, require_law, texts_of, unpacked

from forsyth.column import ASK, CANONICAL, NOTED, REFUSED
from forsyth.cotulenh import GAME
from forsyth.games.cotulenh.board import get_terrain
from forsyth.games.cotulenh.numbers.features import FEATURES, PHASES, POINTS
from forsyth.games.cotulenh.numbers.planes import PLANES
from forsyth.games.cotulenh.position import MAX_CLOCK, Position, build_position
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, LETTERS, TYPES, read_unit

CASE = case_of("cotulenh")
WIDTH = GAME.packed_width
START = GAME.start
BOARD = START.partition(" ")[0]
SESSION = "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6"
FULL_RANK = "IiTtMmEeAaG"

ODD = (
    *(
        f"{BOARD} r - - {half} {full}"
        for half in (0, 9, 10, MAX_INT, MAX_INT + 1)
        for full in (1, 10, MAX_INT)
    ),
    *(
        f"{BOARD} b - - 7 {full}"
        for full in (MAX_INT + 1, 10**18 - 1, 10**18, 2**64, MAX_CLOCK, MAX_CLOCK + 1)
    ),
    *(f"{BOARD} b - - {half} 1" for half in (10**18 - 1, 10**18, 2**63, MAX_CLOCK, MAX_CLOCK + 1)),
    *(
        f"{BOARD} {tail}"
        for tail in ("r - - 0 0", "r - - 00 1", "r - - 0 01", "w - - 0 1", "r - -  0 1", "r - - 0")
    ),
    *(f"{BOARD} r - - 0 1{end}" for end in (" ", "\n", "\0", " x", "x", "\u0661", "é")),
    *(
        START.replace("/11/11/", f"/{rank}/11/")
        for rank in ("56", "1", "12", "111", "110", "101", "10", "0", "")
    ),
    *(
        START.replace("/11/11/", f"/{rank}/11/")
        for rank in ("10I", "I10", "1I9", "11I", "+I10", "(TI)10", "9(TI)1")
    ),
    *(
        START.replace("6C4", rank)
        for rank in ("6(C)4", "6(TC)4", "6(CT)4", "6(Tc)4", "6(+T+C)4", "6(TT)4", "6()4")
    ),
    *(
        START.replace("6C4", rank)
        for rank in ("6+C4", "6++C4", "6+(TC)4", "6(TC4", "6TC)4", "6(T+)C4", "5C4+", "6+4")
    ),
    *(START.replace("6C4", rank) for rank in ("6C3(NFT)", "(NFT)5C4", "6C4/11", "6C4/", "11", "6CC3", "6B4")),
    "/".join([FULL_RANK] * 12) + " r - - 3 4",
    "/".join(["(+n+f+t)" * 11] * 9 + ["11"] * 3) + " b - - 3 4",
    "/".join(["(+N+F+T)" * 11] * 12) + " b - - 3 4",
    "/".join(["11"] * 12) + " r - - 0 1",
    "/".join(["11"] * 11 + ["6C4"]) + " r - - 0 1",
    "/" * 1000,
    "9" * 1025,
    "c" * 1024,
    SESSION,
    START + " ",
    "",
)
"""Texts on both sides of each border that the kernel draws."""


# --- texts ------------------------------------------------------------------------------------------


def test_kernels_agree_with_the_reader_on_odd_texts() -> None:
    texts = [text.encode() for text in ODD]
    table = Table(CASE, texts)
    table.require_law()
    # The reader warns about every readable text that is not canonical.
    assert set(table.verdicts["syntax"]) == {ASK, CANONICAL, NOTED, REFUSED}
    for text in texts:
        position = CASE.position_of(text)
        assert position is None or CASE.is_legal(position) is is_legal(position)


def is_legal(position: Position) -> bool:
    """Terrain and commanders by the letters of the units, and clocks that go together and have room."""
    placed = True
    commanders = ""
    for square, colour, members in position.pieces():
        letters = [letter for letter, _ in members]
        commanders += colour * letters.count("C")
        placed = placed and get_terrain(square) != ("land" if letters[0] == "N" else "water")
    fitting = position.half <= 2 * (position.full - 1) + position.blue_to_move
    return placed and sorted(commanders) == ["b", "r"] and fitting and CASE.fits(position)


def test_a_row_ends_where_the_next_begins() -> None:
    rows = [START, "23", START, "0", START + "7", " x", START.removesuffix("1"), "1", BOARD, " r - - 0 1"]
    require_law(CASE, [row.encode() for row in rows])


# --- packed forms -----------------------------------------------------------------------------------


def test_forms_at_the_borders_are_unpacked_or_left() -> None:
    board = GAME.parse(START).board()
    cases = [(0, 1), (127, 128), (128, 16383), (16384, 2**21), (MAX_INT, MAX_INT)]
    forms = [GAME.pack(build_position(board, 1, half, full)) for half, full in cases]
    assert unpacked(CASE, forms, WIDTH) == [f"{BOARD} b - - {half} {full}" for half, full in cases]
    large = [
        GAME.pack(build_position(board, 0, half, full)) for half, full in ((MAX_INT + 1, 1), (0, 10**30))
    ]
    strange = [
        b"",
        b"\1",
        bytes(WIDTH),
        forms[0] + b"\0\1",
        GAME.pack(GAME.parse(SESSION)),
        b"\2" + forms[0][1:],
    ]
    assert unpacked(CASE, [*large, *strange], WIDTH) == [None] * 8


def test_a_text_without_room_is_left_to_the_reader() -> None:
    unit = read_unit("+N+F+T", is_blue=True)
    position = build_position((unit,) * 132, 0, 5, 6)
    form = GAME.pack(position)
    assert len(form) > 18 + 2 * 132
    assert unpacked(CASE, [form], 400) == [None]
    assert unpacked(CASE, [form], 400, room=len(str(position))) == [str(position)]
    assert unpacked(CASE, [form], 400, room=len(str(position)) - 1) == [None]


# --- features and planes, counted square by square --------------------------------------------------


def test_features_and_planes_are_those_that_one_counts() -> None:
    for text in (*texts_of("cotulenh")[:: 5 if COMPILED else 50], *[text.encode() for text in ODD]):
        position = CASE.position_of(text)
        if position is not None:
            assert GAME.features(position) == counted(position), text
            assert GAME.planes(position) == painted(position), text


def counted(position: Position) -> tuple[int, ...]:
    """The features of a position, from its units alone."""
    red, blue = (
        [(at, unit) for at, unit in men(position) if bool(unit & BLUE_BIT) is side] for side in (False, True)
    )
    kinds = [
        [sum(unit >> kind & 1 for _, unit in army) for kind in range(len(LETTERS))] for army in (red, blue)
    ]
    points = [
        sum(POINTS.get(letter, 0) * number for letter, number in zip(LETTERS, army, strict=True))
        for army in kinds
    ]
    pieces = [sum(army) for army in kinds]
    both = (red, blue)
    return (
        position.blue_to_move,
        min(position.half, 2**31 - 1),
        min(position.full, 2**31 - 1),
        next(number for number, (_, least) in enumerate(PHASES) if sum(pieces) >= least),
        int(position.session is not None),
        sum(pieces),
        *pieces,
        *[len(army) for army in both],
        *[sum(size(unit) > 1 for _, unit in army) for army in both],
        *[sum(size(unit >> HEROIC_SHIFT) for _, unit in army) for army in both],
        sum(size(unit) for at, unit in red if at >= 66),
        sum(size(unit) for at, unit in blue if at < 66),
        *points,
        points[0] - points[1],
        *[next((at for at, unit in army if unit & 1), -1) for army in both],
        *kinds[0],
        *kinds[1],
    )


def painted(position: Position) -> bytes:
    """The planes of a position, from its units alone."""
    found = [bytearray(132) for _ in PLANES.names]
    for at, unit in men(position):
        for kind in range(len(LETTERS)):
            plane = kind + (len(LETTERS) if unit & BLUE_BIT else 0)
            found[plane][at] = unit >> kind & 1
            found[2 * len(LETTERS) + plane][at] = unit >> HEROIC_SHIFT >> kind & 1
    numbers = (position.blue_to_move, position.half, position.full)
    found[44:47] = [bytearray((min(number, 255),)) * 132 for number in numbers]
    if position.session is not None:
        found[47][position.session.origin_square] = 1
    return b"".join(found)


def men(position: Position) -> list[tuple[int, int]]:
    return [(at, unit) for at, unit in enumerate(position.board()) if unit]


def size(unit: int) -> int:
    return (unit & TYPES).bit_count()


# --- features and planes of one position ------------------------------------------------------------


def named(text: str) -> dict[str, int]:
    numbers = GAME.features(GAME.parse(text, legality=False))
    return {feature.name: number for feature, number in zip(GAME.feature_list, numbers, strict=True)}


def test_features_of_the_start_position() -> None:
    found = named(START)
    assert len(found) == len(FEATURES)
    army = {"commander": 1, "infantry": 2, "tank": 2, "militia": 1, "engineer": 2, "artillery": 2}
    army |= {"anti_air": 2, "missile": 1, "air_force": 2, "navy": 2, "headquarter": 2}
    expected = {f"{side}_{kind}": number for side in ("red", "blue") for kind, number in army.items()}
    expected |= {"pieces": 38, "red_pieces": 19, "blue_pieces": 19, "red_units": 19, "blue_units": 19}
    expected |= {"red_material": 450, "blue_material": 450, "move_number": 1}
    expected |= {"red_commander_square": 6, "blue_commander_square": 127}
    assert {name: number for name, number in found.items() if number} == expected


def test_features_amid_a_game() -> None:
    found = named("6c4/11/11/11/11/2(+NFT)3F4/11/2(n+fi)8/11/4+i6/11/5C5 b - - 17 2147483648")
    assert found["side_to_move"] == 1
    assert (found["half_move_clock"], found["move_number"]) == (17, MAX_INT)
    assert FEATURES[3].labels[found["phase"]] == "endgame"
    assert (found["pieces"], found["red_pieces"], found["blue_pieces"]) == (10, 5, 5)
    assert (found["red_units"], found["blue_units"]) == (3, 3)
    assert (found["red_stacks"], found["blue_stacks"]) == (1, 1)
    assert (found["red_heroic"], found["blue_heroic"]) == (1, 2)
    assert (found["red_across"], found["blue_across"]) == (4, 4)
    assert (found["red_material"], found["blue_material"]) == (180, 140)
    assert found["material_balance"] == 40
    assert found["deploying"] == 0
    assert named(SESSION)["deploying"] == 1
    assert named("11/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1")["blue_commander_square"] == -1


@pytest.mark.parametrize(("pieces", "phase"), [(38, 0), (32, 0), (31, 1), (16, 1), (15, 2), (2, 2)])
def test_the_phase_is_told_by_the_pieces_left(pieces: int, phase: int) -> None:
    board = ([read_unit("I")] * pieces + [0] * 132)[:132]
    assert GAME.features(build_position(tuple(board), 0, 0, 1))[3] == phase


def test_every_feature_fits_32_bits_on_the_fullest_board() -> None:
    for unit in (read_unit("+N+F+T"), read_unit("+N+F+T") | BLUE_BIT):
        numbers = GAME.features(build_position((unit,) * 132, 1, MAX_CLOCK, MAX_CLOCK))
        assert all(-MAX_INT <= number <= MAX_INT for number in numbers)
    text = "/".join(["(+N+F+T)" * 11] * 9 + ["11"] * 3) + " r - - 0 1"
    require_law(CASE, [text.encode()])


def plane(text: str, name: str) -> list[bytes]:
    """The rows of a plane, rank 1 first."""
    found = GAME.planes(GAME.parse(text, legality=False))
    start = PLANES.names.index(name) * 132
    return [found[start + 11 * rank : start + 11 * rank + 11] for rank in range(12)]


def test_planes_show_rank_one_first_and_file_a_first() -> None:
    assert (GAME.plane_shape.height, GAME.plane_shape.width, GAME.plane_shape.size) == (12, 11, 48 * 132)
    commander = plane(START, "red_commander")
    assert commander[0] == bytes((0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0))
    assert commander[1:] == [bytes(11)] * 11
    assert plane(START, "blue_navy")[10] == bytes((0, 1, *[0] * 9))
    assert plane(START, "blue_navy")[8] == bytes((0, 0, 1, *[0] * 8))


def test_planes_of_stacks_heroes_clocks_and_sessions() -> None:
    text = "6c4/11/11/11/11/11/11/2(N+FT)8/11/11/11/5C5 b - - 255 256"
    for kind in ("navy", "air_force", "tank"):
        assert plane(text, f"red_{kind}")[4][2] == 1
        assert plane(text, f"heroic_red_{kind}")[4][2] == (kind == "air_force")
    assert plane(text, "blue_to_move") == [bytes([1] * 11)] * 12
    assert plane(text, "half_move_clock") == [bytes([255] * 11)] * 12
    assert plane(text, "move_number") == [bytes([255] * 11)] * 12
    assert plane(START, "move_number") == [bytes([1] * 11)] * 12
    assert sum(map(sum, plane(text, "deploy_origin"))) == 0
    assert plane(SESSION, "deploy_origin")[4] == bytes((0, 0, 1, *[0] * 8))
