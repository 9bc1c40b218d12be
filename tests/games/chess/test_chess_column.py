"""Columns of chess: the kernels say what the reader says, row by row, and touch nothing else."""

from __future__ import annotations

from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.chess.test_chess_packed import corpus, positions
from tests.golden_data import CHESS, COMPILED, bench, game_of, rows
from tests.strategies import edited

from forsyth.column import ASK, CANONICAL, SPELLED, Column
from forsyth.games.chess import Position
from forsyth.games.chess.packed import MAX_BYTES, pack, unpack
from forsyth.games.chess.position import STANDARD, VARIANTS

UNTOUCHED = 0xA5
UNTOUCHED_NUMBER = -77
ROOM = CHESS.max_text
NUMBERS = len(CHESS.feature_list)
TENSOR = CHESS.plane_shape.size
STEP = 1 if COMPILED else 25

GOLDEN = [
    row["fen"].encode("utf-8", "surrogatepass")
    for name in ("valid_fens", "invalid_fens", "variants", "perft")
    for row in rows(name)[::STEP]
]
GOLDEN += [row["epd"].encode() for row in rows("epd")[::STEP]]
GOLDEN += [fen.encode() for fen, _ in bench()[:: 4 * STEP]]
START = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def kernels() -> Column:
    found = CHESS.column
    assert found is not None
    return found


def blank(size: int) -> memoryview:
    return memoryview(bytearray([UNTOUCHED]) * size)


def numbers(size: int) -> memoryview:
    return memoryview(array("i", [UNTOUCHED_NUMBER]) * size)


@dataclass
class Table:
    """Some texts as a column, and everything the kernels say about the rows from `first` to `last`."""

    texts: list[bytes]
    first: int = 0
    last: int = -1
    width: int = CHESS.packed_width
    behind: bytes = b""
    verdicts: dict[str, memoryview] = field(default_factory=dict)

    def __post_init__(self) -> None:
        count = len(self.texts)
        self.last = count if self.last < 0 else self.last
        ends = array("q", [0])
        for text in self.texts:
            ends.append(ends[-1] + len(text))
        rows = memoryview(b"".join(self.texts) + self.behind), memoryview(ends), self.first, self.last
        for verb in ("syntax", "legal", "keys", "pack", "features", "planes"):
            self.verdicts[verb] = blank(count)
        self.keys = blank(16 * count)
        self.packed = blank(self.width * count)
        self.features = numbers(NUMBERS * count)
        self.planes = blank(TENSOR * count)
        column = kernels()
        column.scan(*rows, False, self.verdicts["syntax"])
        column.scan(*rows, True, self.verdicts["legal"])
        column.keys(*rows, self.verdicts["keys"], self.keys)
        column.pack(*rows, self.verdicts["pack"], self.packed, self.width)
        column.features(*rows, self.verdicts["features"], self.features, count)
        column.planes(*rows, self.verdicts["planes"], self.planes)
        out, lengths = blank(ROOM * count), numbers(count)
        column.rewrite(*rows, self.verdicts["syntax"], out, lengths, ROOM)
        assert set(out) <= {UNTOUCHED}

    def said(self, verb: str, row: int) -> int:
        return int(self.verdicts[verb][row])

    def values(self, row: int) -> tuple[bytes, bytes, tuple[int, ...], bytes]:
        """Key, packed form, features and planes of one row, as they stand in the buffers."""
        return (
            bytes(self.keys[16 * row : 16 * row + 16]),
            bytes(self.packed[self.width * row : self.width * (row + 1)]),
            tuple(self.features[row :: len(self.texts)]),
            bytes(self.planes[TENSOR * row : TENSOR * (row + 1)]),
        )


def understood(data: bytes) -> Position | None:
    """The law: the position of a row about which the reader has nothing to say, records aside."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    reading = CHESS.read(text)
    if reading.position is None or reading.diagnostics or reading.form == "epd":
        return None
    assert CHESS.write(reading.position) == text
    return reading.position


def nothing(width: int) -> tuple[bytes, bytes, tuple[int, ...], bytes]:
    return (
        bytes([UNTOUCHED]) * 16,
        bytes([UNTOUCHED]) * width,
        (UNTOUCHED_NUMBER,) * NUMBERS,
        bytes([UNTOUCHED]) * TENSOR,
    )


def expected(table: Table, row: int) -> tuple[dict[str, int], tuple[bytes, bytes, tuple[int, ...], bytes]]:
    """The verdicts and values that the reader and the functions for one position give a row."""
    if not table.first <= row < table.last:
        return dict.fromkeys(table.verdicts, UNTOUCHED), nothing(table.width)
    position = understood(table.texts[row])
    if position is None:
        return dict.fromkeys(table.verdicts, ASK), nothing(table.width)
    verdicts = dict.fromkeys(table.verdicts, CANONICAL)
    if CHESS.check(position):
        verdicts["legal"] = ASK
    packed = CHESS.pack(position)
    if len(packed) > table.width:
        verdicts["pack"] = ASK
        packed = bytes([UNTOUCHED]) * table.width
    return verdicts, (
        bytes.fromhex(CHESS.key(position)),
        packed.ljust(table.width, b"\0"),
        CHESS.features(position),
        CHESS.planes(position),
    )


def require_law(table: Table) -> None:
    for row, text in enumerate(table.texts):
        verdicts, values = expected(table, row)
        assert {verb: table.said(verb, row) for verb in table.verdicts} == verdicts, text
        assert table.values(row) == values, text


# --- texts ------------------------------------------------------------------------------------------


def test_every_golden_text() -> None:
    table = Table(GOLDEN)
    require_law(table)
    said = list(table.verdicts["syntax"])
    assert said.count(CANONICAL) > len(GOLDEN) // 2
    assert said.count(ASK) > len(GOLDEN) // 20
    assert SPELLED not in said
    assert list(table.verdicts["legal"]).count(CANONICAL) < said.count(CANONICAL)


def test_every_valid_golden_text_is_answered_for() -> None:
    texts = [fen.encode() for fen, _ in bench()[::STEP]]
    assert set(Table(texts).verdicts["legal"]) == {CANONICAL}


def test_a_wide_column_holds_every_packed_form() -> None:
    illegal = [text for text in GOLDEN if (p := understood(text)) is not None and CHESS.pack(p)[0] == 2]
    assert illegal
    require_law(Table(illegal, width=MAX_BYTES))
    assert set(Table(illegal, width=CHESS.packed_width).verdicts["pack"]) == {ASK}


@given(
    st.lists(edited(st.sampled_from([text.decode("utf-8", "replace") for text in GOLDEN[:400]])), max_size=6),
    st.data(),
)
def test_broken_texts_and_parts_of_a_column(texts: list[str], data: st.DataObject) -> None:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    first = data.draw(st.integers(0, len(texts)))
    last = data.draw(st.integers(first, len(texts)))
    require_law(Table(encoded, first, last))


@given(st.sampled_from(GOLDEN[:: max(1, len(GOLDEN) // 400)]), st.data())
def test_changed_bytes(text: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    byte = data.draw(
        st.binary(max_size=2) | st.sampled_from((b"\0", b"\xff", b"\xc3", b"9", b"0", b" ", b"/"))
    )
    require_law(Table([text[:at] + byte + text[at + data.draw(st.integers(0, 1)) :], text]))


@given(st.lists(st.binary(max_size=100), max_size=4))
def test_any_bytes(texts: list[bytes]) -> None:
    require_law(Table(texts))


@pytest.mark.parametrize("cut", range(0, len(START) + 1, 1 if COMPILED else 7))
def test_a_neighbour_does_not_complete_a_text(cut: int) -> None:
    require_law(Table([START[:cut], START[cut:], START]))
    require_law(Table([START[:cut]], behind=START[cut:]))


@pytest.mark.parametrize("last", [b"1", b"9", b"99", b"999", b"9999"])
def test_a_neighbour_does_not_lengthen_a_number(last: bytes) -> None:
    texts = [START[:-1] + last, b"8" + START[8:], b"1k6/8/8/8/8/8/8/1K6 w - - 0 " + last]
    table = Table(texts, behind=b"9" * 200)
    require_law(table)
    assert table.said("syntax", 0) == table.said("syntax", 2) == CANONICAL
    assert table.values(0)[2][1] == int(last)


def test_the_longest_and_shortest_texts() -> None:
    board = b"/".join([b"pNpNpNpN"] * 8)
    longest = board + b" b KQkq e3 9999 9999"
    shortest = b"8/8/8/8/8/8/8/8 w - - 0 1"
    assert len(longest) == 91
    table = Table([longest, shortest, longest + b"9", shortest[:-1], b"", longest])
    require_law(table)
    assert list(table.verdicts["syntax"]) == [CANONICAL, CANONICAL, ASK, ASK, ASK, CANONICAL]


def test_a_column_without_rows_or_characters() -> None:
    require_law(Table([]))
    require_law(Table([b"", b""]))


def test_threads_share_a_column() -> None:
    texts = GOLDEN[:2000:STEP]
    chars, ends = memoryview(b"".join(texts)), array("q", [0])
    for text in texts:
        ends.append(ends[-1] + len(text))
    verdicts, out = blank(len(texts)), blank(16 * len(texts))
    parts = [(at, min(at + 37, len(texts))) for at in range(0, len(texts), 37)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [
            pool.submit(kernels().keys, chars, memoryview(ends), first, last, verdicts, out)
            for first, last in parts
        ]
    assert [job.result() for job in jobs] == [None] * len(parts)
    alone = Table(texts)
    assert verdicts == alone.verdicts["keys"]
    assert out == alone.keys


# --- packed forms -----------------------------------------------------------------------------------


def unpacked(forms: list[bytes], width: int) -> list[str | None]:
    """What the kernel makes of packed forms; None where it leaves one to the reader."""
    count = len(forms)
    verdicts, out, lengths = blank(count), blank(ROOM * count), numbers(count)
    packed = memoryview(b"".join(form.ljust(width, b"\0") for form in forms))
    kernels().unpack(packed, width, 0, count, verdicts, out, lengths, ROOM)
    found: list[str | None] = []
    for row in range(count):
        text = bytes(out[ROOM * row : ROOM * (row + 1)])
        if verdicts[row] == ASK:
            assert lengths[row] == UNTOUCHED_NUMBER
            assert set(text) == {UNTOUCHED}
            found.append(None)
        else:
            assert verdicts[row] == CANONICAL
            assert set(text[lengths[row] :]) == {UNTOUCHED}
            found.append(text[: lengths[row]].decode())
    return found


def law_of_form(data: bytes) -> str | None:
    """The text of a packed form of standard chess and zeros behind it."""
    for size in range(len(data) + 1):
        if any(data[size:]):
            continue
        try:
            position = unpack(data[:size])
        except ValueError:
            continue
        return str(position) if position.rules == STANDARD else None
    return None


def test_golden_forms_are_unpacked() -> None:
    found = corpus()[:: 3 * STEP]
    texts = [str(position) if position.rules == STANDARD else None for position in found]
    assert unpacked([pack(position) for position in found], MAX_BYTES) == texts
    assert None in texts


def test_forms_of_legal_positions_fit_the_width() -> None:
    texts = [fen for fen, _ in bench()[::STEP]]
    table = Table([text.encode() for text in texts])
    forms = [table.values(row)[1] for row in range(len(texts))]
    assert unpacked(forms, table.width) == texts


@given(positions(), st.data())
def test_changed_forms_are_judged_as_by_the_reader(position: Position, data: st.DataObject) -> None:
    form = bytearray(pack(position))
    for _ in range(data.draw(st.integers(0, 2))):
        form[data.draw(st.integers(0, len(form) - 1))] = data.draw(st.integers(0, 255))
    behind = data.draw(st.sampled_from((b"", b"\0", b"\0\0\0", b"\1", b"\0\1", b"\x80")))
    cut = bytes(form[: data.draw(st.integers(0, len(form)) | st.just(len(form)))]) + behind
    assert unpacked([cut], len(cut)) == [law_of_form(cut)]


@given(st.binary(max_size=80))
def test_any_bytes_are_judged_as_by_the_reader(data: bytes) -> None:
    for form in (data, b"\1" + data, b"\2" + data):
        assert unpacked([form], len(form)) == [law_of_form(form)]


# --- what is refused --------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "last"), [(-1, 1), (0, 2), (2, 3)])
def test_rows_that_a_column_has_not_are_refused(first: int, last: int) -> None:
    ends = memoryview(array("q", [0, len(START)]))
    with pytest.raises(ValueError, match="expected rows it has"):
        kernels().scan(memoryview(START), ends, first, last, False, blank(9))


def test_texts_that_end_behind_the_characters_are_refused() -> None:
    ends = memoryview(array("q", [0, len(START) + 1]))
    with pytest.raises(ValueError, match="57 bytes"):
        kernels().scan(memoryview(START + b" "), memoryview(array("q", [0, 99])), 0, 1, False, blank(1))
    with pytest.raises(ValueError, match="the texts end at byte"):
        kernels().scan(memoryview(START), ends, 0, 1, False, blank(1))


def test_offsets_in_disorder_are_left_to_the_reader() -> None:
    ends = memoryview(array("q", [0, len(START), 10, -50, 10**15, len(START)]))
    verdicts = blank(5)
    kernels().scan(memoryview(START), ends, 0, 5, False, verdicts)
    assert list(verdicts) == [CANONICAL, ASK, ASK, ASK, ASK]
    ends = memoryview(array("q", [0, len(START), len(START) - 1]))
    kernels().scan(memoryview(START), ends, 0, 2, False, verdicts)
    assert list(verdicts[:2]) == [ASK, ASK]


def test_buffers_that_are_too_small_are_refused() -> None:
    column, row = kernels(), (memoryview(START), memoryview(array("q", [0, len(START)])), 0, 1)
    form = memoryview(CHESS.pack(CHESS.parse(START.decode())).ljust(32, b"\0"))
    with pytest.raises(ValueError, match="a buffer holds 0 entries, but 1 rows need 1 each"):
        column.scan(*row, False, blank(0))
    with pytest.raises(ValueError, match="a buffer holds 15 entries, but 1 rows need 16 each"):
        column.keys(*row, blank(1), blank(15))
    with pytest.raises(ValueError, match="but 1 rows need 32 each"):
        column.pack(*row, blank(1), blank(31), 32)
    with pytest.raises(ValueError, match=f"but 1 rows need {NUMBERS} each"):
        column.features(*row, blank(1), numbers(NUMBERS - 1), 1)
    with pytest.raises(ValueError, match=f"but 1 rows need {TENSOR} each"):
        column.planes(*row, blank(1), blank(TENSOR - 1))
    with pytest.raises(ValueError, match="room for 90 characters"):
        column.unpack(form, 32, 0, 1, blank(1), blank(90), numbers(1), 90)
    with pytest.raises(ValueError, match="a buffer holds 511 entries, but 1 rows need 512 each"):
        column.unpack(form, 32, 0, 1, blank(1), blank(511), numbers(1), 512)


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


def test_only_standard_chess_has_kernels() -> None:
    assert [CHESS.with_variant(name).column is None for name in VARIANTS] == [False, True, True, True]
    assert CHESS.with_variant("auto").column is None


def test_every_legal_position_fits_the_width_of_its_variant() -> None:
    for row in [*rows("valid_fens")[::STEP], *rows("variants")]:
        game = game_of(row)
        position = game.parse(row["fen"], legality=False)
        assert len(game.pack(position)) <= game.packed_width, row["fen"]
