"""The column kernels of CoTuLenh say what the reader says, row by row, and leave to it what they must."""

from __future__ import annotations

import gzip
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.column import ASK, CANONICAL
from forsyth.cotulenh import GAME
from forsyth.games.cotulenh.board import terrain
from forsyth.games.cotulenh.column import COLUMN
from forsyth.games.cotulenh.features import FEATURES, PHASES, POINTS
from forsyth.games.cotulenh.planes import PLANES
from forsyth.games.cotulenh.position import MAX_CLOCK, Position, build
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, LETTERS, TYPES, read_unit

GOLDEN = Path(__file__).parents[2] / "golden" / "cotulenh"
COMPILED = bool(forsyth.build_info()["compiled"])
MAX_INT = 2**31 - 1
WIDTH = GAME.packed_width
UNTOUCHED = 0xA5
Code = Literal["B", "i"]
START = GAME.start
BOARD = START.partition(" ")[0]
SESSION = "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6"
FULL_RANK = "IiTtMmEeAaG"


# --- texts ------------------------------------------------------------------------------------------


def rows(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def golden() -> tuple[bytes, ...]:
    """Every golden text, of long games every fifth; in a pure build only some."""
    texts = [row["fen"] for row in rows("fen_validation")]
    for row in rows("legal_moves"):
        texts += (row["fen"], row["board_fen"])
    texts += [row["fen"] for name in ("keys", "perft") for row in rows(name)]
    for row in rows("games"):
        texts += [action["fen_after"] for action in row["actions"][:: 5 if COMPILED else 60]]
    found = list(dict.fromkeys(texts))
    return tuple(text.encode() for text in found[:: 1 if COMPILED else 12])


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


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A golden text after a few slips, of bytes and not of characters."""
    texts = golden()
    data = bytearray(texts[draw(st.integers(0, len(texts) - 1))])
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, min(len(data), at + 6)))
        slip = draw(st.sampled_from(("cut", "head", "double", "change", "insert", "delete")))
        some = draw(st.one_of(st.sampled_from(b"0123456789/ +()CcNnFfTtrb-\0\xc3\xff"), st.integers(0, 255)))
        if slip == "cut":
            del data[at:]
        elif slip == "head":
            del data[:at]
        elif slip == "double":
            data[end:end] = data[at:end]
        elif slip == "change":
            data[at : at + 1] = bytes((some,))
        elif slip == "insert":
            data[at:at] = bytes((some,))
        else:
            del data[at:end]
    return bytes(data)


# --- the law ----------------------------------------------------------------------------------------


def position_of(raw: bytes) -> Position | None:
    """The position of a text about which there is nothing to say, unless it is amid a deployment.

    Lenient reading decodes nothing by the kernel, which is on trial here; all that it mends it reports.
    """
    try:
        reading = GAME.read(raw.decode(), mode="lenient")
    except UnicodeDecodeError:
        return None
    position = reading.position
    said = [finding for finding in reading.diagnostics if finding.code != "no.commander"]
    if position is None or said or position.session is not None:
        return None
    assert GAME.write(position) == reading.text
    return position


def is_legal(position: Position) -> bool:
    """Terrain and commanders by the letters of the units, clocks that go together, and as `check` says; those
    of more than 32 bits are for the reader."""
    placed = True
    commanders = ""
    for square, colour, members in position.pieces():
        letters = [letter for letter, _ in members]
        commanders += colour * letters.count("C")
        placed = placed and terrain(square) != ("land" if letters[0] == "N" else "water")
    fitting = position.half <= 2 * (position.full - 1) + position.blue_to_move
    legal = placed and sorted(commanders) == ["b", "r"] and fitting
    assert legal is (not GAME.check(position))
    return legal and fits(position)


def fits(position: Position) -> bool:
    return max(position.half, position.full) <= MAX_INT


def fresh(size: int) -> memoryview:
    """Bytes that nobody has written yet."""
    return memoryview(bytearray([UNTOUCHED]) * size)


class Batch:
    """Some texts as a column, in a buffer that ends with the last of them."""

    def __init__(self, raws: Sequence[bytes]) -> None:
        self.count = len(raws)
        ends = [0]
        for raw in raws:
            ends.append(ends[-1] + len(raw))
        self.chars = memoryview(b"".join(raws))
        self.offsets = memoryview(array("q", ends))

    def run(
        self, verb: Callable[..., None], size: int, first: int, last: int, *further: int, code: Code = "B"
    ) -> tuple[memoryview, memoryview]:
        """The verdicts and the `size` places for each row that a kernel writes."""
        verdicts = fresh(self.count)
        out = fresh(self.count * size * array(code).itemsize).cast("B").cast(code)
        verb(self.chars, self.offsets, first, last, verdicts, out, *further)
        return verdicts, out


def blank(size: int) -> bytes:
    return bytes((UNTOUCHED,)) * size


def require_agreement(raws: Sequence[bytes], first: int = 0, last: int | None = None) -> None:
    """Every kernel says about every row what the reader says, and nothing about the others."""
    batch = Batch(raws)
    last = batch.count if last is None else last
    positions = [position_of(raw) if first <= row < last else None for row, raw in enumerate(raws)]

    def expected(answers: Callable[[Position], bool]) -> list[int]:
        return [
            (CANONICAL if position is not None and answers(position) else ASK)
            if first <= row < last
            else UNTOUCHED
            for row, position in enumerate(positions)
        ]

    readable = expected(lambda position: True)
    for legality in (False, True):
        verdicts = fresh(batch.count)
        COLUMN.scan(batch.chars, batch.offsets, first, last, legality, verdicts)
        legal = expected(is_legal)
        assert list(verdicts) == (legal if legality else readable)

    verdicts, out = batch.run(COLUMN.keys, 16, first, last)
    assert list(verdicts) == readable
    for row, position in enumerate(positions):
        key = blank(16) if position is None else bytes.fromhex(GAME.key(position))
        assert bytes(out[16 * row : 16 * row + 16]) == key

    verdicts, out = batch.run(COLUMN.pack, WIDTH, first, last, WIDTH)
    packable = expected(lambda position: fits(position) and len(GAME.pack(position)) <= WIDTH)
    assert list(verdicts) == packable
    for row, position in enumerate(positions):
        packed = blank(WIDTH)
        if packable[row] == CANONICAL and position is not None:
            packed = GAME.pack(position).ljust(WIDTH, b"\0")
        assert bytes(out[WIDTH * row : WIDTH * row + WIDTH]) == packed

    verdicts, out = batch.run(COLUMN.features, len(FEATURES), first, last, batch.count, code="i")
    countable = expected(fits)
    assert list(verdicts) == countable
    untouched = (int.from_bytes(blank(4), "little", signed=True),) * len(FEATURES)
    for row, position in enumerate(positions):
        wanted = untouched
        if countable[row] == CANONICAL and position is not None:
            wanted = counted(position)
            assert GAME.features(position) == wanted
        assert tuple(out[row :: batch.count]) == wanted

    verdicts, out = batch.run(COLUMN.planes, PLANES.size, first, last)
    assert list(verdicts) == readable
    for row, position in enumerate(positions):
        wanted_planes = blank(PLANES.size) if position is None else GAME.planes(position)
        assert bytes(out[PLANES.size * row : PLANES.size * (row + 1)]) == wanted_planes
        assert position is None or wanted_planes == painted(position)


# --- agreement --------------------------------------------------------------------------------------


def test_kernels_agree_with_the_reader_on_golden_texts() -> None:
    texts = golden()
    for start in range(0, len(texts), 500):
        require_agreement(texts[start : start + 500])


def test_every_text_of_a_game_is_answered() -> None:
    texts = [row[field].encode() for row in rows("games") for field in ("start_fen", "final_fen")]
    verdicts = fresh(len(texts))
    batch = Batch(texts)
    COLUMN.scan(batch.chars, batch.offsets, 0, len(texts), False, verdicts)
    assert set(verdicts) == {CANONICAL}


def test_kernels_agree_with_the_reader_on_odd_texts() -> None:
    require_agreement([text.encode() for text in ODD])


@given(st.lists(mutated(), min_size=1, max_size=6))
def test_kernels_agree_with_the_reader_on_mutated_texts(raws: list[bytes]) -> None:
    require_agreement(raws)


@given(st.lists(mutated(), min_size=1, max_size=5), st.data())
def test_rows_outside_first_and_last_are_left_alone(raws: list[bytes], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(raws)))
    last = data.draw(st.integers(first, len(raws)))
    require_agreement(raws, first, last)


def test_a_row_ends_where_the_next_begins() -> None:
    rows = [START, "23", START, "0", START + "7", " x", START.removesuffix("1"), "1", BOARD, " r - - 0 1"]
    require_agreement([row.encode() for row in rows])


def test_bytes_behind_the_column_are_not_part_of_its_last_row() -> None:
    longer = f"{START}234".encode()
    chars = memoryview(longer)[: len(START)]
    packed, verdicts = fresh(WIDTH), fresh(1)
    COLUMN.pack(chars, memoryview(array("q", (0, len(START)))), 0, 1, verdicts, packed, WIDTH)
    assert verdicts[0] == CANONICAL
    assert bytes(packed).rstrip(b"\0") == GAME.pack(GAME.parse(START))


def test_offsets_that_lead_out_of_the_column_are_left_to_the_reader() -> None:
    size = len(START)
    verdicts = fresh(4)
    offsets = memoryview(array("q", (-size, 0, size, 1, 2 * size)))
    COLUMN.scan(memoryview(START.encode()), offsets, 0, 4, False, verdicts)
    assert list(verdicts) == [ASK, CANONICAL, ASK, ASK]


def test_parts_of_a_column_may_be_done_by_several_threads() -> None:
    texts = golden()[:400]
    batch = Batch(texts)
    _, whole = batch.run(COLUMN.keys, 16, 0, batch.count)
    verdicts, out = fresh(batch.count), fresh(16 * batch.count)
    parts = [(start, min(start + 37, batch.count)) for start in range(0, batch.count, 37)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(COLUMN.keys, batch.chars, batch.offsets, *part, verdicts, out) for part in parts]
        for job in jobs:
            job.result()
    assert out == whole


def test_no_rows_at_all() -> None:
    require_agreement([])
    require_agreement([b"", b""])


def test_nothing_is_spelled_so_nothing_is_rewritten() -> None:
    """The reader warns about every readable text that is not canonical."""
    batch = Batch([text.encode() for text in ODD])
    out, lengths = fresh(1024 * batch.count), memoryview(array("i", [-1] * batch.count))
    verdicts = fresh(batch.count)
    COLUMN.scan(batch.chars, batch.offsets, 0, batch.count, True, verdicts)
    before = bytes(verdicts)
    COLUMN.rewrite(batch.chars, batch.offsets, 0, batch.count, verdicts, out, lengths, 1024)
    assert set(verdicts) == {ASK, CANONICAL}
    assert (bytes(verdicts), bytes(out), set(lengths)) == (before, blank(1024 * batch.count), {-1})


# --- packed forms -----------------------------------------------------------------------------------


def unpacked(forms: Sequence[bytes], width: int, room: int = GAME.max_text) -> list[str | None]:
    """The texts of packed forms of one width; None for those that are left to the reader."""
    verdicts = fresh(len(forms))
    out = fresh(len(forms) * room)
    lengths = memoryview(array("i", [-1] * len(forms)))
    packed = b"".join(form.ljust(width, b"\0") for form in forms)
    COLUMN.unpack(memoryview(packed), width, 0, len(forms), verdicts, out, lengths, room)
    found: list[str | None] = []
    for row, verdict in enumerate(verdicts):
        text = bytes(out[row * room : row * room + max(lengths[row], 0)])
        found.append(text.decode() if verdict == CANONICAL else None)
        assert verdict in (CANONICAL, ASK)
        assert bytes(out[row * room + len(text) : (row + 1) * room]) == blank(room - len(text))
    return found


def test_golden_positions_are_unpacked() -> None:
    positions = [
        position for position in map(position_of, golden()) if position is not None and fits(position)
    ]
    forms = [GAME.pack(position) for position in positions]
    pairs = [
        (form, str(position)) for form, position in zip(forms, positions, strict=True) if len(form) <= WIDTH
    ]
    assert unpacked([form for form, _ in pairs], WIDTH) == [text for _, text in pairs]
    assert len(pairs) > 0.9 * len(positions)


@given(st.data())
def test_only_packed_forms_are_unpacked(data: st.DataObject) -> None:
    texts = golden()
    position = position_of(texts[data.draw(st.integers(0, len(texts) - 1))])
    form = bytearray(GAME.pack(GAME.parse(SESSION) if position is None else position))
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(form) - 1))
        form[at] = data.draw(st.one_of(st.sampled_from((0, 1, 2, 127, 128, 255)), st.integers(0, 255)))
    if data.draw(st.booleans()):
        form.insert(data.draw(st.integers(0, len(form))), data.draw(st.sampled_from((0, 1, 128))))
    width = data.draw(st.sampled_from((len(form), WIDTH, 320, 400)))
    form = form[:width]
    assert unpacked([bytes(form)], width) == [by_the_law(bytes(form))]


def by_the_law(form: bytes) -> str | None:
    try:
        position = GAME.unpack(form.rstrip(b"\0"))
    except ValueError:
        return None
    if position.session is not None or not fits(position) or len(str(position)) > GAME.max_text:
        return None
    return str(position)


def test_forms_at_the_borders_are_unpacked_or_left() -> None:
    board = GAME.parse(START).board()
    cases = [(0, 1), (127, 128), (128, 16383), (16384, 2**21), (MAX_INT, MAX_INT)]
    forms = [GAME.pack(build(board, 1, half, full)) for half, full in cases]
    assert unpacked(forms, WIDTH) == [f"{BOARD} b - - {half} {full}" for half, full in cases]
    large = [GAME.pack(build(board, 0, half, full)) for half, full in ((MAX_INT + 1, 1), (0, 10**30))]
    strange = [
        b"",
        b"\1",
        bytes(WIDTH),
        forms[0] + b"\0\1",
        GAME.pack(GAME.parse(SESSION)),
        b"\2" + forms[0][1:],
    ]
    assert unpacked([*large, *strange], WIDTH) == [None] * 8


def test_a_text_without_room_is_left_to_the_reader() -> None:
    unit = read_unit("+N+F+T", blue=True)
    position = build((unit,) * 132, 0, 5, 6)
    form = GAME.pack(position)
    assert len(form) > 18 + 2 * 132
    assert unpacked([form], 400) == [None]
    assert unpacked([form], 400, room=len(str(position))) == [str(position)]
    assert unpacked([form], 400, room=len(str(position)) - 1) == [None]


def test_a_form_wider_than_the_column_is_left_to_the_reader() -> None:
    batch = Batch([START.encode(), f"{'/'.join([FULL_RANK] * 12)} r - - 3 4".encode()])
    size = len(GAME.pack(GAME.parse(START)))
    for width, verdict in ((size - 1, ASK), (size, CANONICAL), (size + 1, CANONICAL)):
        verdicts, _ = batch.run(COLUMN.pack, width, 0, 2, width)
        assert list(verdicts) == [verdict, ASK]


# --- misuse -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["keys", "pack", "features", "planes"])
def test_buffers_too_small_for_the_rows_are_refused(verb: str) -> None:
    batch = Batch([START.encode()] * 2)
    size, code, further = {
        "keys": (16, "B", ()),
        "pack": (WIDTH, "B", (WIDTH,)),
        "features": (len(FEATURES), "i", (2,)),
        "planes": (PLANES.size, "B", ()),
    }[verb]
    kernel = getattr(COLUMN, verb)
    whole = memoryview(array(code, [0] * (2 * size)))
    kernel(batch.chars, batch.offsets, 0, 2, fresh(2), whole, *further)
    for first, last, verdicts, out in (
        (0, 3, 3, whole),
        (-1, 2, 2, whole),
        (0, 2, 1, whole),
        (0, 2, 2, whole[:-1]),
    ):
        with pytest.raises(ValueError, match="too small"):
            kernel(batch.chars, batch.offsets, first, last, fresh(verdicts), out, *further)


def test_buffers_too_small_for_scanning_and_unpacking_are_refused() -> None:
    batch = Batch([START.encode()])
    for first, last, verdicts in ((0, 2, 2), (-1, 1, 1), (0, 1, 0)):
        with pytest.raises(ValueError, match="too small"):
            COLUMN.scan(batch.chars, batch.offsets, first, last, True, fresh(verdicts))
    packed, lengths = memoryview(bytes(WIDTH)), memoryview(array("i", [0]))
    for verdicts, text, form in ((0, 1024, packed), (1, 1023, packed), (1, 1024, packed[1:])):
        with pytest.raises(ValueError, match="too small"):
            COLUMN.unpack(form, WIDTH, 0, 1, fresh(verdicts), fresh(text), lengths, 1024)


# --- features and planes, counted square by square --------------------------------------------------


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
    assert GAME.features(build(tuple(board), 0, 0, 1))[3] == phase


def test_every_feature_fits_32_bits_on_the_fullest_board() -> None:
    for unit in (read_unit("+N+F+T"), read_unit("+N+F+T") | BLUE_BIT):
        numbers = GAME.features(build((unit,) * 132, 1, MAX_CLOCK, MAX_CLOCK))
        assert all(-MAX_INT <= number <= MAX_INT for number in numbers)
    text = "/".join(["(+N+F+T)" * 11] * 9 + ["11"] * 3) + " r - - 0 1"
    require_agreement([text.encode()])


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
