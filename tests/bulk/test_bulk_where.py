"""Conditions on columns: what they keep, and what is refused with its place."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from forsyth.bulk.errors import BulkError
from forsyth.bulk.where import (
    Comparison,
    Junction,
    Negation,
    NullCheck,
    check_condition,
    list_columns,
    match_rows,
    parse_where,
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
    rows = match_rows(parse_where(text), batch)
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
    found = parse_where(f"a = {written}")
    assert found == Comparison("a", "=", (value,))
    assert isinstance(found, Comparison)
    assert type(found.values[0]) is type(value)


@pytest.mark.parametrize("name", ["a", "_a1", "a.b.c", "größe", '"odd ""name"""', '"1"'])
def test_names_are_what_they_are_written_as(name: str) -> None:
    meant = name[1:-1].replace('""', '"') if name[0] == '"' else name
    assert parse_where(f"{name} is null") == NullCheck(meant, is_negated=False)
    assert parse_where(f"{name} IS NOT NULL") == NullCheck(meant, is_negated=True)


def test_conditions_are_joined_as_in_sql() -> None:
    a, b, c = (Comparison(name, "=", (1,)) for name in "abc")
    assert parse_where("a=1 or b=1 and c=1") == Junction((a, Junction((b, c), is_or=False)), is_or=True)
    assert parse_where("not (a=1 or b=1)") == Negation(Junction((a, b), is_or=True))
    assert parse_where("not not not a=1") == Negation(a)
    assert parse_where("a in (1, 2.5,'x')") == Comparison("a", "=", (1, 2.5, "x"))


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
    assert list_columns(parse_where("a=1 and (not b='x' or a is null) and pos.fen in ('y')")) == (
        "a",
        "b",
        "pos.fen",
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "ends too early"),
        ("phase", "ends too early"),
        ("phase ==", "ends too early"),
        ("phase <= 10 side", "has 'side' at character 13"),
        ("phase <= ten", "has 'ten' at character 10"),
        ("phase <= 10;drop", "has ';drop' at character 12"),
        ("phase in ()", "has ')' at character 11"),
        ("(phase = 1", "ends too early"),
        ("phase is 3", "has '3' at character 10"),
        ("__import__('os')", "has \"('os')\" at character 11"),
        ("1 = 1", "has '1 = 1' at character 1"),
        ("side = 'w", 'has "\'w" at character 8'),
        ("phase < 1abc", "has '1abc' at character 9"),
    ],
)
def test_what_is_no_condition_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BulkError) as caught:
        parse_where(text)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("  phase <", "  phase <' ends too early, expected a number, or a text in single quotes"),
        ("a ? 1", "a ? 1' has '? 1' at character 3, expected a name, a value or a sign"),
        ("a 1", "a 1' has '1' at character 3, expected one of = != < <= > >= in is"),
        ("a = 1 =", "a = 1 =' has '=' at character 7, expected 'and', 'or' or the end"),
        ("(a = 1 b", "(a = 1 b' has 'b' at character 8, expected ')'"),
        ("a in 5", "a in 5' has '5' at character 6, expected '('"),
        ("and = 1", "and = 1' has 'and = 1' at character 1, expected the name of a column"),
        ("a is five", "a is five' has 'five' at character 6, expected 'null'"),
        ("a =   ;3456789012345", "a =   ;3456789012345' has ';34567890123' at character 7"),
        ("a" * 90 + " = ", "a" * 80 + "' ends too early"),
    ],
)
def test_the_sentence_of_a_refusal(text: str, said: str) -> None:
    with pytest.raises(BulkError) as caught:
        parse_where(text)
    assert str(caught.value).startswith(f"the condition '{said}")
    assert str(caught.value).endswith("; write it as in phase<=10 and side='w'")


def test_conditions_are_bounded() -> None:
    assert parse_where("a=1".ljust(MAX_WHERE)) == Comparison("a", "=", (1,))
    with pytest.raises(BulkError, match=f"at most {MAX_WHERE}"):
        parse_where("a" * (MAX_WHERE + 1))
    deep = MAX_WHERE_DEPTH + 1
    with pytest.raises(BulkError, match=f"at most {MAX_WHERE_DEPTH} levels"):
        parse_where("(" * deep + "a=1" + ")" * deep)
    assert kept("(" * (deep - 1) + "phase=3" + ")" * (deep - 1)) == [0]
    assert kept("not " * 400 + "phase=3") == [0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "elo2 = 1",
            "there is no column 'elo2'; the columns are 'phase', 'side', 'elo', 'pos', 'odd name'$",
        ),
        ("pos.gone = 1", "there is no column 'pos.gone'"),
        ("pos = 1", "cannot be compared"),
        ("phase = 'w'", "cannot be compared"),
    ],
)
def test_a_column_that_cannot_be_asked_is_known_before_the_first_row(text: str, said: str) -> None:
    with pytest.raises(BulkError, match=said):
        check_condition(parse_where(text), BATCH.schema)


def test_two_columns_of_one_name_are_not_asked() -> None:
    twice: Any = pa.record_batch([pa.array([1]), pa.array([2])], ["a", "a"])
    with pytest.raises(BulkError, match="2 columns 'a'"):
        kept("a = 1", twice)
