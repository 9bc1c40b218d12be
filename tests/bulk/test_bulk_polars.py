"""Polars expressions give what the reader gives: in frames, lazily, streaming, in groups, for categories."""

from __future__ import annotations

import importlib
import sys
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest
from tests.bulk.example_texts import (
    AZUL,
    CHESS,
    COTULENH,
    ILLEGAL,
    SPELLED,
    START,
    TEXTS,
    canonical,
    code,
    is_ok,
    key,
    locally,
    packed,
    position,
)

import forsyth.bulk.polars as adapter
from forsyth.bulk.errors import BulkError
from forsyth.bulk.verbs.verb import Verb
from forsyth.registry import UnknownGameError

FRAME = pl.DataFrame({"fen": TEXTS, "group": [row % 3 for row in range(len(TEXTS))]})
ENGINES: tuple[Literal["in-memory", "streaming"], ...] = ("in-memory", "streaming")


def fen(column: str = "fen") -> adapter.Expressions:
    """The namespace, which type checkers cannot know of."""
    found: Any = pl.col(column)
    expressions: adapter.Expressions = found.forsyth
    return expressions


def told(expression: pl.Expr, frame: pl.DataFrame = FRAME) -> list[Any]:
    return frame.select(expression.alias("found"))["found"].to_list()


# --- each verb --------------------------------------------------------------------------------------


def test_check_is_what_the_reader_says() -> None:
    assert told(fen().check("chess")) == [is_ok(text) for text in TEXTS]


def test_code_is_that_of_the_first_finding() -> None:
    assert told(fen().code("chess")) == [code(text) for text in TEXTS]


def test_scan_is_a_struct_of_everything() -> None:
    found = told(fen().scan("chess"))
    assert found == [
        {name: row[name] for name in row if name != "fen"} for row in locally(Verb("scan", "chess"))
    ]


def test_normalise_is_the_canonical_text() -> None:
    assert told(fen().normalise("chess")) == [canonical(text) for text in TEXTS]


def test_key_is_that_of_the_position() -> None:
    assert told(fen().key("chess")) == [key(text) for text in TEXTS]


def test_unpack_takes_what_pack_gives() -> None:
    forms = FRAME.select(fen().pack("chess"))
    assert forms["fen"].to_list() == [packed(text) for text in TEXTS]
    assert told(fen().unpack("chess"), forms) == [
        canonical(text) if packed(text) is not None else None for text in TEXTS
    ]


def test_pack_has_the_width_that_is_asked_for() -> None:
    forms = FRAME.select(fen().pack("chess", width=200))["fen"].drop_nulls()
    assert {len(form) for form in forms} == {200}


def test_material_is_that_of_the_board() -> None:
    rows = pl.DataFrame({"fen": ["4k2r/8/8/8/8/8/P7/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - -", "x", None]})
    assert told(fen().material("chess"), rows) == ["KRPvKR", "KvK", None, None]
    assert rows.select(fen().material("chess")).schema == {"fen": pl.String}
    with pytest.raises(BulkError, match="azul has no material, because its sides have different pieces"):
        fen().material("azul")


def test_features_are_a_struct_of_the_numbers_of_the_game() -> None:
    found = told(fen().features("chess"))
    assert list(found[0]) == [feature.name for feature in CHESS.feature_list]
    for text, row in zip(TEXTS, found, strict=True):
        where = position(text)
        numbers: tuple[Any, ...] = () if where is None else CHESS.features(where)
        expected = [
            feature.labels[number] if feature.labels else number
            for feature, number in zip(CHESS.feature_list, numbers, strict=where is not None)
        ]
        assert list(row.values()) == (expected or [None] * len(CHESS.feature_list))


def test_planes_are_tensors() -> None:
    shape = CHESS.plane_shape
    found = FRAME.select(fen().planes("chess"))["fen"]
    assert found.null_count() == sum(position(text) is None for text in TEXTS)
    tensor = found.drop_nulls().to_numpy()
    assert tensor.shape[1:] == (len(shape.names), shape.height, shape.width)
    assert tensor.dtype == np.uint8
    assert tensor[0].tobytes() == CHESS.planes(position(START))


def test_split_is_the_one_of_the_verb() -> None:
    sets = "train=0.5,test=0.5"
    verb = Verb("split", "chess", options={"sets": sets, "seed": 7})
    assert told(fen().split("chess", sets, seed=7)) == [row["split"] for row in locally(verb)]


def test_sample_keeps_the_rows_that_the_verb_keeps() -> None:
    verb = Verb("sample", "chess", options={"fraction": 0.3, "seed": 5})
    kept = FRAME.filter(fen().sample("chess", fraction=0.3, seed=5))["fen"].to_list()
    assert kept == [row["fen"] for row in locally(verb)]
    assert 0 < len(kept) < len(TEXTS)
    assert told(fen().sample("chess", fraction=1.0)) == [position(text) is not None for text in TEXTS]


# --- options ----------------------------------------------------------------------------------------


def test_mode_legality_and_variant_reach_the_reader() -> None:
    frame = pl.DataFrame({"fen": [START, SPELLED, ILLEGAL]})
    assert told(fen().check("chess"), frame) == [True, True, False]
    assert told(fen().check("chess", mode="strict"), frame) == [True, False, False]
    assert told(fen().check("chess", legality=False), frame) == [True, True, True]
    assert told(fen().key("chess", legality=True), frame)[2] is None
    plain, other = (told(fen().key("chess", variant=variant), frame)[0] for variant in (None, "crazyhouse"))
    assert plain != other


def test_threads_change_nothing() -> None:
    frame = pl.concat([FRAME] * 60)
    assert told(fen().code("chess", threads=2), frame) == told(fen().code("chess"), frame)


@pytest.mark.parametrize(("game", "start"), [("cotulenh", COTULENH), ("azul", AZUL)])
def test_every_game(game: str, start: str) -> None:
    frame = pl.DataFrame({"fen": [start, START]})
    assert told(fen().check(game), frame) == [True, False]
    assert told(fen().normalise(game), frame)[0] == start


def test_what_cannot_be_asked_for_is_told_before_any_row_is_read() -> None:
    with pytest.raises(UnknownGameError, match="there is no game 'go'"):
        fen().check("go")
    with pytest.raises(BulkError, match="is not a set"):
        fen().split("chess", "train")
    with pytest.raises(BulkError, match="expected a number from 0 to 1"):
        fen().sample("chess", fraction=2)


def test_a_column_without_texts_is_refused() -> None:
    with pytest.raises(BulkError, match="the column is of type int64, expected strings"):
        FRAME.select(fen("group").check("chess"))


# --- columns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [pl.Categorical(), pl.Enum(sorted({text for text in TEXTS if text is not None}))]
)
def test_categories_are_read_as_their_texts(kind: pl.DataType) -> None:
    frame = FRAME.with_columns(pl.col("fen").cast(kind))
    assert told(fen().code("chess"), frame) == [code(text) for text in TEXTS]
    assert told(fen().key("chess"), frame[5:20]) == [key(text) for text in TEXTS[5:20]]


def test_bytes_are_read_as_texts() -> None:
    frame = FRAME.with_columns(pl.col("fen").cast(pl.Binary))
    assert told(fen().code("chess"), frame) == [code(text) for text in TEXTS]


def test_a_frame_in_many_chunks() -> None:
    frame = pl.concat([FRAME[:7], FRAME[7:8], FRAME[8:]], rechunk=False)
    assert told(fen().check("chess"), frame) == [is_ok(text) for text in TEXTS]


EXPRESSIONS: dict[str, pl.Expr] = {
    "check": fen().check("chess"),
    "code": fen().code("chess"),
    "scan": fen().scan("chess"),
    "normalise": fen().normalise("chess"),
    "key": fen().key("chess"),
    "pack": fen().pack("chess"),
    "split": fen().split("chess"),
    "sample": fen().sample("chess"),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_the_type_is_known_beforehand(name: str) -> None:
    lazy = FRAME.lazy().select(EXPRESSIONS[name])
    assert lazy.collect_schema() == lazy.collect().schema
    empty = FRAME.clear().lazy().select(EXPRESSIONS[name]).collect()
    assert empty.schema == lazy.collect().schema
    assert empty.is_empty()


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_column_of_nothing_but_nulls(name: str) -> None:
    nothing = pl.DataFrame({"fen": [None, None]}, schema={"fen": pl.Null})
    found = nothing.select(EXPRESSIONS[name]).to_series()
    strings = nothing.cast(pl.String).select(EXPRESSIONS[name]).to_series()
    assert found.to_list() == strings.to_list()
    if name != "scan":
        assert set(found.to_list()) == {False if name == "sample" else None}


# --- engines and contexts ---------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_row_for_row(engine: Literal["in-memory", "streaming"]) -> None:
    lazy = pl.concat([FRAME] * 40).lazy().with_columns(**EXPRESSIONS)
    eager = pl.concat([FRAME.with_columns(**EXPRESSIONS)] * 40)
    assert lazy.collect(engine=engine).equals(eager)


def test_streaming_from_and_to_files(tmp_path: Any) -> None:
    FRAME.write_parquet(tmp_path / "in.parquet", row_group_size=16)
    source = pl.scan_parquet(tmp_path / "in.parquet")
    source.filter(fen().check("chess")).sink_parquet(tmp_path / "out.parquet")
    expected = [text for text in TEXTS if is_ok(text)]
    assert pl.read_parquet(tmp_path / "out.parquet")["fen"].to_list() == expected


def test_a_filter_moves_in_front_of_the_expression() -> None:
    """Only what works on one row at a time may be put behind a filter by the optimiser."""
    lazy = FRAME.lazy().with_columns(found=fen().code("chess")).filter(pl.col("group") == 1)
    plan = lazy.explain()
    assert plan.index("WITH_COLUMNS") < max(plan.find("FILTER"), plan.find("SELECTION"))
    assert lazy.collect()["found"].to_list() == [code(text) for text in TEXTS[1::3]]


@pytest.mark.parametrize("engine", ENGINES)
def test_groups(engine: Literal["in-memory", "streaming"]) -> None:
    found = FRAME.lazy().group_by("group", maintain_order=True).agg(good=fen().check("chess").sum())
    expected = [sum(bool(is_ok(text)) for text in TEXTS[group::3]) for group in range(3)]
    assert found.collect(engine=engine)["good"].to_list() == expected


def test_lists_of_groups_and_windows() -> None:
    lists = FRAME.group_by("group", maintain_order=True).agg(fen().code("chess"))["fen"].to_list()
    assert lists == [[code(text) for text in TEXTS[group::3]] for group in range(3)]
    window = FRAME.with_columns(good=fen().check("chess").sum().over("group"))["good"].to_list()
    assert window[:3] == [sum(bool(is_ok(text)) for text in TEXTS[group::3]) for group in range(3)]
    by_key = FRAME.filter(fen().check("chess")).unique(fen().key("chess"), keep="first", maintain_order=True)
    assert by_key["fen"][0] == START
    assert SPELLED not in by_key["fen"]


# --- without Polars ---------------------------------------------------------------------------------


def test_without_polars_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    monkeypatch.delitem(sys.modules, "forsyth.bulk.polars")
    with pytest.raises(BulkError, match=r"forsyth.bulk.polars needs polars: pip install 'forsyth\[bulk\]'"):
        importlib.import_module("forsyth.bulk.polars")
