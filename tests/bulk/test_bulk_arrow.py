"""Columns: every verb gives for each row what the reader gives for its text, however the column is made."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import product
from typing import Any, cast

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden_data import COMPILED
from tests.outside_game_0_1 import GAME as NIM
from tests.whole_game import WholeGame, whole

from forsyth import reading
from forsyth.bulk import arrow
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs import shared_rows
from forsyth.bulk.verbs.kernel_output import scatter_findings
from forsyth.bulk.verbs.text_column import find_text_column
from forsyth.bulk.verbs.verb import VERBS, Verb
from forsyth.diagnostics import MODES

GAMES = [whole(name) for name in ("chess", "cotulenh", "azul", "xiangqi", "shogi")]
IDS = [game.name for game in GAMES]
BROKEN = ["", "x", "8/8/8/8", "\0", "start", "ü" * 40, "a" * 3000, " "]

NEEDED = {"filter": {"keep": "ok"}, "apply": {"verbs": "scan,key"}}
"""The options without which a verb has nothing to do."""

each_game = pytest.mark.parametrize("game", GAMES, ids=IDS)


def texts_of(game: WholeGame) -> list[str]:
    """Good texts, odd ones and broken ones of a game, some of them twice."""
    good = [*game.names.values(), *game.examples.values()]
    odd = [f" {good[0]}", good[0].replace("-", "–", 1), good[0][:-1], good[0] + "9", good[1].lower()]
    return [*good, *BROKEN, *odd, *good]


def expected_scan(game: WholeGame, text: str, legality: bool, mode: Any = "default") -> dict[str, Any]:
    found = (reading.check if legality else reading.read)(text, game, mode=mode)
    first = next(iter(found.errors or found.diagnostics), None)
    return {
        "ok": found.ok,
        "code": None if first is None else first.code,
        "severity": None if first is None else str(first.severity),
        "start": None if first is None else first.span.start,
        "end": None if first is None else first.span.end,
        "square": None if first is None else first.square,
        "findings": len(found.diagnostics),
    }


def position_of(game: WholeGame, text: str, legality: bool = False, mode: Any = "default") -> Any:
    found = (reading.check if legality else reading.read)(text, game, mode=mode)
    return found.position if found.ok else None


def expected(
    verb: str, game: WholeGame, text: str | None, legality: bool = False, mode: Any = "default"
) -> Any:
    """What a verb has to give for one text."""
    if text is None:
        return None
    position = position_of(game, text, legality, mode)
    if position is None:
        return None
    if verb == "normalise":
        return str(position)
    if verb == "key":
        return bytes.fromhex(game.key(position))
    if verb == "pack":
        packed = game.pack(position)
        return packed.ljust(game.packed_width, b"\0") if len(packed) <= game.packed_width else None
    if verb == "planes":
        return game.planes(position)
    values = game.features(position)
    return {
        feature.name: feature.labels[value] if feature.labels else value
        for feature, value in zip(game.feature_list, values, strict=True)
    }


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "normalise": arrow.normalise,
    "key": arrow.key,
    "pack": arrow.pack,
    "planes": arrow.planes,
    "features": arrow.features,
}
each_verb = pytest.mark.parametrize("verb", FUNCTIONS)


def rows_of(verb: str, found: Any) -> list[Any]:
    """The rows of an answer; of a struct without any value none is there."""
    rows = found.to_pylist()
    if verb != "features":
        return list(rows)
    return [None if row is None or all(value is None for value in row.values()) else row for row in rows]


# --- every verb is the reader's ------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("legality", [True, False])
def test_scan_says_what_the_reader_says(game: WholeGame, legality: bool) -> None:
    texts = texts_of(game)
    found = arrow.scan(pa.array(texts), game, legality=legality).to_pylist()
    assert found == [expected_scan(game, text, legality) for text in texts]


@each_game
@pytest.mark.parametrize("mode", ["strict", "lenient"])
def test_scan_knows_the_modes(game: WholeGame, mode: Any) -> None:
    texts = texts_of(game)
    found = arrow.scan(pa.array(texts), game, mode=mode).to_pylist()
    assert found == [expected_scan(game, text, True, mode) for text in texts]


@each_game
@each_verb
@pytest.mark.parametrize("legality", [True, False])
def test_a_verb_gives_what_the_position_gives(game: WholeGame, verb: str, legality: bool) -> None:
    texts = texts_of(game)
    found = FUNCTIONS[verb](pa.array(texts), game, legality=legality)
    assert rows_of(verb, found) == [expected(verb, game, text, legality) for text in texts]


def spellings_of(game: WholeGame) -> list[str]:
    """Texts of a game with blanks, clocks and stacks that there is something to say about."""
    good = [game.start, *list(game.examples.values())[:3]]
    odd = [f"  {good[0]}", f"{good[1]}\n", good[0].replace(" ", "  ", 1), good[0].replace("-", "–", 1)]
    clocks = [f"{' '.join(text.split(' ')[:-2])} 9 1" for text in good[:2] if " " in text]
    turned = [text.replace("(NT", "(TN").replace("(NF", "(FN").replace("(nt", "(tn") for text in good]
    return list(dict.fromkeys([*good, *odd, *clocks, *turned, "x"]))


@each_game
@each_verb
def test_no_row_depends_on_the_row_before_it(game: WholeGame, verb: str) -> None:
    texts = spellings_of(game)
    column = [text for first in texts for second in texts for text in (first, second)]
    for mode, legality in product(MODES, (True, False)):
        wanted = {text: expected(verb, game, text, legality, mode) for text in texts}
        found = FUNCTIONS[verb](pa.array(column), game, legality=legality, mode=mode)
        assert rows_of(verb, found) == [wanted[text] for text in column]


@each_verb
def test_a_game_without_kernels_is_read_row_by_row(verb: str) -> None:
    texts = ["nim 3/4/5 1", "nim 1/2 2", "nim", None, "nim 12 1"]
    found = FUNCTIONS[verb](pa.array(texts), NIM)
    assert rows_of(verb, found) == [expected(verb, cast(WholeGame, NIM), text) for text in texts]


@each_game
def test_packed_forms_come_back_as_canonical_texts(game: WholeGame) -> None:
    texts = texts_of(game)
    packed = arrow.pack(pa.array(texts), game)
    wanted = [
        None if form is None else expected("normalise", game, text)
        for text, form in zip(texts, packed.to_pylist(), strict=True)
    ]
    assert arrow.unpack(packed, game).to_pylist() == wanted
    assert arrow.unpack(packed.cast(pa.binary()), game).to_pylist() == wanted


@each_game
def test_a_packed_column_is_as_wide_as_it_is_told(game: WholeGame) -> None:
    form = game.pack(game.parse(game.start))
    texts = pa.array([game.start, None])
    for width in (1, len(form) - 1, len(form), len(form) + 9):
        packed = arrow.pack(texts, game, width=width)
        assert packed.type == pa.binary(width)
        assert packed.to_pylist() == [form.ljust(width, b"\0") if width >= len(form) else None, None]
    for width in (0, -1):
        with pytest.raises(BulkError, match=f"packed column is {width} bytes, expected at least 1"):
            arrow.pack(texts, game, width=width)


@each_game
def test_bytes_that_are_no_packed_form_are_null(game: WholeGame) -> None:
    width = game.packed_width
    good = game.pack(game.parse(game.start)).ljust(width, b"\0")
    newer = bytes((good[0] | 0x80,)) + good[1:]
    changed = good[:-1] + b"\1"
    forms = [bytes(width), b"\xff" * width, None, good, good[::-1], newer, changed]
    *found, last = arrow.unpack(pa.array(forms, pa.binary(width)), game).to_pylist()
    assert found == [None, None, None, str(game.parse(game.start)), None, None]
    # In games whose forms end with men another last byte is another position.
    assert last is None or game.pack(game.parse(last, legality=False)) == changed


@given(st.lists(st.sampled_from(range(400)), max_size=40), st.randoms(use_true_random=False))
@settings(max_examples=25 if COMPILED else 8, deadline=None)
def test_mutated_texts_are_read_alike(picks: list[int], chance: Any) -> None:
    for game in GAMES:
        good = texts_of(game)
        texts = [_mutated(good[pick % len(good)], chance) for pick in picks]
        found = arrow.scan(pa.array(texts, pa.string()), game).to_pylist()
        assert found == [expected_scan(game, text, True) for text in texts]
        keys = arrow.key(pa.array(texts, pa.string()), game).to_pylist()
        assert keys == [expected("key", game, text) for text in texts]


def _mutated(text: str, chance: Any) -> str:
    at = chance.randrange(len(text) + 1)
    found: str = chance.choice(
        [
            text,
            text[:at],
            text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + chance.choice("19 -/Kk|é\0") + text[at:],
        ]
    )
    return found


# --- however the column is made -------------------------------------------------------------------------


def _made(kind: str, texts: list[str | None]) -> Any:
    array = pa.array(texts, pa.string())
    if kind == "dictionary":
        return array.dictionary_encode()
    if kind == "chunked":
        return pa.chunked_array([array.slice(0, 3), array.slice(3, 0), array.slice(3)])
    if kind == "sliced":
        return pa.array(["9", *texts, "9"], pa.large_string()).slice(1, len(texts))
    kinds = {
        "large": pa.large_string(),
        "view": pa.string_view(),
        "binary": pa.binary(),
        "large binary": pa.large_binary(),
        "binary view": pa.binary_view(),
    }
    return array.cast(kinds[kind])


@each_game
@pytest.mark.parametrize(
    "kind", ["dictionary", "chunked", "sliced", "large", "view", "binary", "large binary", "binary view"]
)
def test_every_kind_of_column_is_read_alike(game: WholeGame, kind: str) -> None:
    texts: list[str | None] = [None, *texts_of(game), None]
    made = _made(kind, texts)
    for verb, function in FUNCTIONS.items():
        found = rows_of(verb, function(made, game))
        assert found == [expected(verb, game, text) for text in texts], verb
    scanned = [row and row["ok"] for row in arrow.scan(made, game).to_pylist()]
    assert scanned == [None if text is None else expected_scan(game, text, True)["ok"] for text in texts]


@each_game
def test_no_rows_and_only_nulls(game: WholeGame) -> None:
    for function in (arrow.scan, *FUNCTIONS.values()):
        assert len(function(pa.array([], pa.string()), game)) == 0
        assert len(function(pa.chunked_array([], pa.string()), game)) == 0
        assert len(function(pa.nulls(3), game)) == 3
    assert arrow.key(pa.nulls(3), game).null_count == 3
    assert len(arrow.unpack(pa.array([], pa.binary(8)), game)) == 0


KINDS = [pa.large_string(), pa.binary(), pa.string_view()]


@pytest.mark.parametrize(
    ("game", "kind"),
    [*((game, pa.string()) for game in GAMES), *((GAMES[0], kind) for kind in KINDS)],
    ids=lambda value: value.name if hasattr(value, "name") else str(value),
)
def test_threads_change_nothing(game: WholeGame, kind: pa.DataType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_rows, "_MIN_PART_ROWS", 16)
    some = [*texts_of(game), None]
    texts = pa.array((some * 9)[:300], kind).slice(7)
    clean = pa.array([game.start] * 300, kind)
    chunks = pa.chunked_array([texts.slice(0, 150), texts.slice(150), clean.slice(0, 0)])
    for column in (texts, clean, chunks):
        for function in (arrow.scan, *FUNCTIONS.values()):
            alone, together = function(column, game), function(column, game, threads=3)
            together.validate(full=True)
            assert together.equals(alone)
    packed = arrow.pack(texts, game)
    assert arrow.unpack(packed, game, threads=3).equals(arrow.unpack(packed, game))


def test_the_first_error_of_several_threads_is_raised() -> None:
    def work(part: int) -> int:
        if part > 2:
            raise ValueError(f"part {part}")
        return part

    assert shared_rows.run_on_threads(work, [0, 1, 2], 2) == [0, 1, 2]
    with pytest.raises(ValueError, match="part 3"):
        shared_rows.run_on_threads(work, [0, 3, 1, 4], 2)


def test_bytes_that_are_not_utf8_are_findings() -> None:
    chess = GAMES[0]
    column = pa.array([b"\xff\xfe", chess.start.encode(), b"8/8\xff w"], pa.binary())
    assert [row["ok"] for row in arrow.scan(column, chess).to_pylist()] == [False, True, False]
    assert arrow.normalise(column, chess).to_pylist() == [None, chess.start, None]


def test_a_column_of_numbers_is_refused_with_a_sentence() -> None:
    with pytest.raises(BulkError, match="type int64, expected strings or bytes"):
        arrow.scan(pa.array([1, 2]), GAMES[0])


def test_a_tensor_has_the_shape_of_the_planes() -> None:
    chess = GAMES[0]
    shape = chess.plane_shape
    column = arrow.planes(pa.array([chess.start] * 3), chess)
    tensor = arrow.tensor(column.slice(1), shape)
    assert tensor.shape == (2, len(shape.names), shape.height, shape.width)
    assert tensor.tobytes() == chess.planes(chess.parse(chess.start)) * 2
    assert arrow.tensor(pa.chunked_array([column, column]), shape).shape[0] == 6
    assert arrow.tensor(pa.chunked_array([], column.type), shape).shape[0] == 0
    with pytest.raises(BulkError, match="1 positions are missing"):
        arrow.tensor(arrow.planes(pa.array(["x"]), chess), shape)


# --- verbs ----------------------------------------------------------------------------------------------


def batch_of(game: WholeGame) -> pa.RecordBatch:
    texts = texts_of(game)
    return pa.record_batch({"n": pa.array(range(len(texts))), "fen": pa.array(texts)})


@each_game
@pytest.mark.parametrize("name", [name for name in VERBS if name != "unpack"])
def test_a_verb_promises_the_columns_it_gives(game: WholeGame, name: str) -> None:
    if (name, game.name) == ("material", "azul"):
        with pytest.raises(BulkError, match="azul has no material"):
            Verb(name, game.name).schema(pa.schema([("fen", pa.string())]))
        return
    batch = batch_of(game)
    verb = Verb(name, game.name, options=NEEDED.get(name, {}))
    after = verb.apply(batch)
    assert after.schema.equals(verb.schema(batch.schema), check_metadata=True)
    assert Verb.from_dict(verb.to_dict()) == verb
    if not verb.only_selects_rows:
        assert after.column("n").equals(batch.column("n"))


@each_game
def test_pack_and_unpack_are_each_others_inverse(game: WholeGame) -> None:
    packed = Verb("pack", game.name).apply(batch_of(game))
    back = Verb("unpack", game.name, column="packed", prefix="un").apply(packed)
    wanted = arrow.normalise(packed.column("fen"), game)
    told = [
        text
        for text, form in zip(wanted.to_pylist(), packed.column("packed").to_pylist(), strict=True)
        if form
    ]
    assert [text for text in back.column("unfen").to_pylist() if text] == told


@each_game
def test_all_texts_of_a_position_go_into_one_set(game: WholeGame) -> None:
    batch = batch_of(game)
    texts = batch.column("fen").to_pylist()
    sets = Verb("split", game.name, options={"seed": 7}).apply(batch).column("split").to_pylist()
    of_key: dict[Any, set[Any]] = {}
    for text, one in zip(texts, sets, strict=True):
        of_key.setdefault(expected("key", game, text), set()).add(one)
    assert of_key.pop(None) == {None}
    assert all(len(found) == 1 for found in of_key.values())


def chess_positions() -> pa.RecordBatch:
    """Two thousand positions: a king walks about behind a clock."""
    boards = ["8" for _ in range(8)]
    texts = []
    for king in range(64):
        for rook in range(0, 64, 2):
            if king != rook:
                ranks = boards.copy()
                cells = [["1"] * 8 for _ in range(8)]
                cells[king // 8][king % 8] = "K"
                cells[rook // 8][rook % 8] = "r"
                ranks = ["".join(row) for row in cells]
                texts.append("/".join(ranks) + " w - - 0 1")
    texts = [expected("normalise", GAMES[0], _joined(text)) for text in texts]
    return pa.record_batch({"fen": pa.array(texts)})


def _joined(text: str) -> str:
    for size in range(8, 1, -1):
        text = text.replace("1" * size, str(size))
    return text


def test_sets_have_their_shares_and_seeds_differ() -> None:
    batch = chess_positions()
    rows = batch.num_rows
    verb = Verb("split", "chess", options={"sets": "train=0.75,test=0.25", "seed": 1})
    sets = verb.apply(batch).column("split").to_pylist()
    assert 0.70 < sets.count("train") / rows < 0.80
    other = Verb("split", "chess", options={"sets": "train=0.75,test=0.25", "seed": 2})
    assert other.apply(batch).column("split").to_pylist() != sets
    sampled = Verb("sample", "chess", options={"fraction": 0.2, "seed": 3}).apply(batch)
    assert 0.15 < sampled.num_rows / rows < 0.25
    assert Verb("sample", "chess", options={"fraction": 1}).apply(batch).num_rows == rows
    assert Verb("sample", "chess", options={"fraction": 0}).apply(batch).num_rows == 0


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("fly", {}, "unknown verb 'fly'"),
        ("sample", {"fraction": 1.5}, "expected a number from 0 to 1"),
        ("split", {"sets": "train"}, "'train' is not a set"),
        ("split", {"sets": "a=0.5,b=0.6"}, "add up to 1.1, expected 1"),
        ("split", {"sets": "a=0.5,a=0.5"}, "have the same name"),
        ("split", {"sets": "a=nan"}, "is not a set"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_sentence(
    name: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BulkError, match=sentence):
        Verb(name, "chess", options=options)


def test_the_column_of_texts_is_found_or_asked_for() -> None:
    strings = [("a", pa.int32()), ("b", pa.string())]
    assert find_text_column(pa.schema(strings)) == "b"
    assert find_text_column(pa.schema([*strings, ("fen", pa.string())])) == "fen"
    assert find_text_column(pa.schema([*strings, ("c", pa.string())]), "c") == "c"
    with pytest.raises(BulkError, match="cannot be detected; name one of 'a', 'b', 'c' with --column"):
        find_text_column(pa.schema([*strings, ("c", pa.string())]))
    with pytest.raises(BulkError, match="there is no column 'd'"):
        find_text_column(pa.schema(strings), "d")
    with pytest.raises(BulkError, match="there are 2 columns 'x'"):
        find_text_column(pa.schema([("x", pa.string()), ("x", pa.string())]), "x")


def test_notes_are_spread_within_their_columns() -> None:
    rows = 9
    verdicts = memoryview(bytearray([0, 1, 2, 3, 4, 3, 0, 1, 4]))
    notes = memoryview(array("i", [number % 6 + (number // 6 if number % 6 else 0) for number in range(54)]))
    notes[6 * 3 + 4] = -1
    numbers = memoryview(array("h", [7]))

    def spread(size: int, codes: memoryview = numbers) -> tuple[list[int], list[int], list[int]]:
        shorts, places = memoryview(array("h", [9] * 2 * size)), memoryview(array("i", [9] * 4 * size))
        bits = memoryview(bytearray([9] * (2 * ((size + 7) // 8))))
        scatter_findings(verdicts, notes, rows, codes, 64, shorts, places, bits)
        return shorts.tolist(), places.tolist(), bits.tolist()

    shorts, places, bits = spread(rows)
    assert shorts == [0, 0, 0, 7, 7, 7, 0, 0, 7, 0, 0, 0, 4, 5, 6, 0, 0, 9]
    assert places[:9] == [0, 0, 0, 5, 6, 7, 0, 0, 10]
    assert places[18:27] == [0, 0, 0, 64, 8, 9, 0, 0, 12]
    assert bits == [0b00111000, 1, 0b11101111, 0]
    with pytest.raises(ValueError, match="too small"):
        spread(rows - 1)
    with pytest.raises(ValueError, match="row 3 has an unknown code of finding"):
        spread(rows, memoryview(array("h")))
