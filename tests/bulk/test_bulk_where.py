"""Conditions on columns: what they keep, and what is refused with its place."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from forsyth.bulk.errors import BulkError
from forsyth.bulk.where import (
    Compared,
    Joined,
    Missing,
    Negated,
    columns_in,
    kept_rows,
    must_have_columns,
    read_where,
)
from forsyth.limits import MAX_WHERE, MAX_WHERE_DEPTH

BATCH = pa.RecordBatch.from_pylist(
    [
        {"phase": 3, "side": "w", "elo": "2100", "pos": {"fen": "a", "deep": {"x": 1}}, "odd name": True},
        {"phase": 12, "side": "b", "elo": "?", "pos": {"fen": "b", "deep": {"x": 2}}, "odd name": False},
        {"phase": None, "side": "it's", "elo": " 1500.5 ", "pos": {"fen": "c", "deep": {"x": 3}}},
    ]
)


def kept(text: str, batch: pa.RecordBatch = BATCH) -> list[int]:
    rows = kept_rows(read_where(text), batch)
    assert not rows.null_count
    return [row for row, there in enumerate(rows.to_pylist()) if there]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("phase<=10", [0]),
        ("phase <> 12", [0]),
        ("not phase = 12", [0]),
        ("phase is null", [2]),
        ("phase is not null", [0, 1]),
        ("phase>1 and side='b'", [1]),
        ("side='w' or phase is null", [0, 2]),
        ("side='w' OR side='b' AND phase<5", [0]),
        ("(side='w' or side='b') and phase>5", [1]),
        ("NOT (side='w' or phase is null)", [1]),
        ("not not side='w'", [0]),
        ("side in ('w', 'b')", [0, 1]),
        ("phase in (3, 99)", [0]),
        ("side = 'it''s'", [2]),
        ("elo >= 2000", [0]),
        ("elo < 2e3", [2]),
        ("pos.fen = 'b'", [1]),
        ("pos.deep.x >= 2", [1, 2]),
        ('"odd name" = true', [0]),
        ("phase > -1.5", [0, 1]),
    ],
)
def test_a_condition_keeps_rows(text: str, rows: list[int]) -> None:
    assert kept(text) == rows


@pytest.mark.parametrize(
    ("sign", "rows"),
    [
        ("=", [1]),
        ("==", [1]),
        ("!=", [0, 2]),
        ("<>", [0, 2]),
        ("<", [0]),
        ("<=", [0, 1]),
        (">", [2]),
        (">=", [1, 2]),
    ],
)
def test_every_sign_below_at_and_above_the_value(sign: str, rows: list[int]) -> None:
    numbers = pa.record_batch([pa.array([1, 2, 3, None]), pa.array(["1", "2", "3", ""])], ["n", "t"])
    assert kept(f"n {sign} 2", numbers) == rows
    assert kept(f"t{sign}2", numbers) == rows
    assert kept(f"t {sign} '2'", numbers.slice(0, 3)) == rows


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("5.", 5.0),
        (".5", 0.5),
        ("1e2", 100.0),
        ("1E-2", 0.01),
        ("9" * 18, 999_999_999_999_999_999),
        ("1" + "0" * 18, 1e18),
        ("true", True),
        ("FALSE", False),
        ("''", ""),
        ("'a''b'", "a'b"),
    ],
)
def test_values_are_what_they_are_written_as(written: str, value: Any) -> None:
    found = read_where(f"a = {written}")
    assert found == Compared("a", "=", (value,))
    assert isinstance(found, Compared)
    assert type(found.values[0]) is type(value)


@pytest.mark.parametrize("name", ["a", "_a1", "a.b.c", "größe", '"odd ""name"""', '"1"'])
def test_names_are_what_they_are_written_as(name: str) -> None:
    meant = name[1:-1].replace('""', '"') if name[0] == '"' else name
    assert read_where(f"{name} is null") == Missing(meant, there=False)
    assert read_where(f"{name} IS NOT NULL") == Missing(meant, there=True)


def test_conditions_are_joined_as_in_sql() -> None:
    a, b, c = (Compared(name, "=", (1,)) for name in "abc")
    assert read_where("a=1 or b=1 and c=1") == Joined((a, Joined((b, c), one=False)), one=True)
    assert read_where("not (a=1 or b=1)") == Negated(Joined((a, b), one=True))
    assert read_where("not not not a=1") == Negated(a)
    assert read_where("a in (1, 2.5,'x')") == Compared("a", "=", (1, 2.5, "x"))


def test_a_column_without_values_can_be_asked() -> None:
    nothing = pa.record_batch([pa.nulls(2)], ["a"])
    assert kept("a = 'x'", nothing) == []
    assert kept("a is null", nothing) == [0, 1]


def test_labels_and_bytes_are_compared_with_texts() -> None:
    labels = pa.array(["w", "b", None]).dictionary_encode()
    keys = pa.array([b"\x01\xff", b"\x02\x00", None], pa.binary(2))
    batch = pa.record_batch([labels, keys], ["side", "key"])
    assert kept("side = 'b'", batch) == [1]
    assert kept("key = '01FF'", batch) == [0]


def test_the_columns_of_a_condition_are_known() -> None:
    assert columns_in(read_where("a=1 and (not b='x' or a is null) and pos.fen in ('y')")) == (
        "a",
        "b",
        "pos.fen",
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "at its end is nothing"),
        ("phase", "at its end is nothing"),
        ("phase ==", "at its end is nothing"),
        ("phase <= 10 side", "at character 13 is 'side'"),
        ("phase <= ten", "at character 10 is 'ten'"),
        ("phase <= 10;drop", "at character 12 is ';drop'"),
        ("phase in ()", "at character 11 is ')'"),
        ("(phase = 1", "at its end is nothing"),
        ("phase is 3", "at character 10 is '3'"),
        ("__import__('os')", "at character 11 is \"('os')\""),
        ("1 = 1", "at character 1 is '1 = 1'"),
        ("side = 'w", 'at character 8 is "\'w"'),
        ("phase < 1abc", "at character 9 is '1abc'"),
    ],
)
def test_what_is_no_condition_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BulkError) as caught:
        read_where(text)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  phase <", "  phase <' at its end is nothing, expected a number, or a text in single quotes"),
        ("a ? 1", "a ? 1' at character 3 is '? 1', expected a name, a value or a sign"),
        ("a 1", "a 1' at character 3 is '1', expected one of = != < <= > >= in is"),
        ("a = 1 =", "a = 1 =' at character 7 is '=', expected 'and', 'or' or the end"),
        ("(a = 1 b", "(a = 1 b' at character 8 is 'b', expected ')'"),
        ("a in 5", "a in 5' at character 6 is '5', expected '('"),
        ("and = 1", "and = 1' at character 1 is 'and = 1', expected the name of a column"),
        ("a is five", "a is five' at character 6 is 'five', expected 'null'"),
        ("a =   ;3456789012345", "a =   ;3456789012345' at character 7 is ';34567890123'"),
        ("a" * 90 + " = ", "a" * 80 + "' at its end is nothing"),
    ],
)
def test_the_sentence_of_a_refusal(text: str, said: str) -> None:
    with pytest.raises(BulkError) as caught:
        read_where(text)
    assert str(caught.value).startswith(f"in the condition '{said}")
    assert str(caught.value).endswith("; write it as in phase<=10 and side='w'")


def test_conditions_are_bounded() -> None:
    assert read_where("a=1".ljust(MAX_WHERE)) == Compared("a", "=", (1,))
    with pytest.raises(BulkError, match=f"at most {MAX_WHERE}"):
        read_where("a" * (MAX_WHERE + 1))
    deep = MAX_WHERE_DEPTH + 1
    with pytest.raises(BulkError, match=f"at most {MAX_WHERE_DEPTH} levels"):
        read_where("(" * deep + "a=1" + ")" * deep)
    assert kept("(" * (deep - 1) + "phase=3" + ")" * (deep - 1)) == [0]
    assert kept("not " * 400 + "phase=3") == [0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "elo2 = 1",
            "there is no column 'elo2'; name another: there are 'phase', 'side', 'elo', 'pos', 'odd name'$",
        ),
        ("pos.gone = 1", "there is no column 'pos.gone'"),
        ("pos = 1", "cannot be compared"),
        ("phase = 'w'", "cannot be compared"),
    ],
)
def test_a_column_that_cannot_be_asked_is_known_before_the_first_row(text: str, said: str) -> None:
    with pytest.raises(BulkError, match=said):
        must_have_columns(read_where(text), BATCH.schema)


def test_two_columns_of_one_name_are_not_asked() -> None:
    twice: Any = pa.record_batch([pa.array([1]), pa.array([2])], ["a", "a"])
    with pytest.raises(BulkError, match="2 columns 'a'"):
        kept("a = 1", twice)
