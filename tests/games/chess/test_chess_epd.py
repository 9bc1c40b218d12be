"""EPD records: reading, explaining, writing back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_data import Row, rows

from forsyth.diagnostics import MODES, FenError, Mode, Severity, apply_fixes
from forsyth.games.chess.codes import CODES
from forsyth.games.chess.documents.source_document import Verdict, imitate_seed_parser
from forsyth.games.chess.notation.epd import (
    Epd,
    OperandKind,
    Operation,
    operation,
    parse_epd,
    read_epd,
    write_epd,
)
from forsyth.games.chess.notation.fen import write_fen
from forsyth.games.chess.notation.san import read_san
from forsyth.games.chess.rules.moves import Move
from forsyth.limits import MAX_DIAGNOSTICS, MAX_WRAPPED

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def uci(value: object) -> Any:
    if isinstance(value, Move):
        return value.uci
    return [move.uci for move in value if isinstance(move, Move)] if isinstance(value, tuple) else value


def as_golden(found: Operation) -> dict[str, Any]:
    return {found.kind.value: True if found.kind is OperandKind.NONE else uci(found.value)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("row", rows("epd"), ids=lambda row: row["id"])
def test_golden(row: Row, mode: Mode) -> None:
    reading = read_epd(row["epd"], mode=mode)
    assert reading.diagnostics == ()
    record = reading.require()
    assert write_fen(record.position, fields=4) == row["fen4"]
    assert {found.opcode: as_golden(found) for found in record.operations} == row["ops"]
    assert write_epd(record) == str(record) == row["epd"]
    assert record.position.half == row["ops"].get("hmvc", {"int": 0})["int"]
    assert record.position.full == row["ops"].get("fmvn", {"int": 1})["int"]


def values(text: str) -> dict[str, Any]:
    return {found.opcode: uci(found.value) for found in parse_epd(f"{START} {text}").operations}


def test_values_of_every_kind() -> None:
    text = 'bm e4 Nf3; pv e4 e5 Nf3; sm d4; id "a; b"; ce -7; acs 1.5; noop; zz 1 "a  b" Q;'
    found = parse_epd(f"{START} {text}")
    assert values(text) == {
        "bm": ["e2e4", "g1f3"],
        "pv": ["e2e4", "e7e5", "g1f3"],
        "sm": "d2d4",
        "id": "a; b",
        "ce": -7,
        "acs": 1.5,
        "noop": None,
        "zz": [],
    }
    assert [operation.kind for operation in found.operations] == [
        OperandKind.MOVES,
        OperandKind.LINE,
        OperandKind.MOVE,
        OperandKind.STRING,
        OperandKind.INTEGER,
        OperandKind.FLOAT,
        OperandKind.NONE,
        OperandKind.RAW,
    ]
    unknown = found.get("zz")
    assert unknown is not None
    assert unknown.value == ("1", '"a  b"', "Q")
    assert found.get("yy") is None


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ('"say \\"hi\\""', 'say "hi"'),
        ('"a\\\\"', "a\\"),
        ('"a\\\\\\""', 'a\\"'),
        ('"C:\\path"', "C:\\path"),
        ('";;"', ";;"),
        ('""', ""),
        ('"ü\t"', "ü\t"),
    ],
)
def test_strings(raw: str, value: str) -> None:
    text = f"{START} id {raw};"
    found = parse_epd(text).operations[0]
    assert (found.raw, found.value) == (raw, value)
    assert write_epd(parse_epd(text)) == text


def test_clocks_come_from_operations_and_go_back_into_them() -> None:
    record = parse_epd(f"{START} fmvn 30; hmvc 7;")
    assert str(record.position).endswith(" - 7 30")
    assert write_epd(record.position) == f"{START} hmvc 7; fmvn 30;"
    assert str(parse_epd(START).position).endswith(" - 0 1")
    assert write_epd(Epd(record.position)) == START
    assert parse_epd(write_epd(record.position)).position == record.position


def test_of_two_clocks_the_first_counts() -> None:
    record = parse_epd(f"{START} hmvc 7; hmvc 8;")
    first = record.get("hmvc")
    assert first is not None
    assert record.position.half == first.value == 7


@pytest.mark.parametrize(
    ("tail", "code", "place"),
    [
        (" 0 1", "epd.is_fen", "0 1"),
        (" 5", "epd.is_fen", "5"),
        (" ;", "epd.opcode", ";"),
        (" bm e4;;", "epd.opcode", ";"),
        (" -;", "epd.opcode", "-"),
        (" b-m e4;", "epd.opcode", "b-m"),
        (" _x;", "epd.opcode", "_x"),
        (" bm e4; 9x;", "epd.opcode", "9x"),
        (" abcdefghijklmnop 1;", "epd.opcode", "abcdefghijklmnop"),
        (' "id" 1;', "epd.opcode", '"id"'),
        (" ä 1;", "epd.opcode", "ä"),
        (" bm;", "epd.operand", "bm"),
        (" sm e4 d4;", "epd.operand", "e4 d4"),
        (" sm;", "epd.operand", "sm"),
        (" id x;", "epd.operand", "x"),
        (' id "x" "y";', "epd.operand", '"x" "y"'),
        (" ce x;", "epd.operand", "x"),
        (' ce "1";', "epd.operand", '"1"'),
        (" ce ٣;", "epd.operand", "٣"),
        (" ce 1_0;", "epd.operand", "1_0"),
        (" resign 1;", "epd.operand", "1"),
        (" hmvc -1;", "epd.operand", "-1"),
        (" hmvc 1.5;", "epd.operand", "1.5"),
        (" hmvc 10000;", "epd.operand", "10000"),
        (" fmvn 0;", "epd.operand", "0"),
        (" bm e4 Ke3;", "epd.move", "Ke3"),
        (" bm xyz;", "epd.move", "xyz"),
        (' bm "e4";', "epd.move", '"e4"'),
        (" pv e4 e5 e6;", "epd.move", "e6"),
        (' id "abc; bm e4;', "epd.string", '"abc; bm e4;'),
        (' id "abc\\";', "epd.string", '"abc\\";'),
        (' id "abc";"', "epd.string", '"'),
    ],
)
def test_every_error_has_its_code_and_place(tail: str, code: str, place: str) -> None:
    text = START + tail
    for mode in MODES:
        reading = read_epd(text, mode=mode)
        assert reading.position is None
        errors = [finding for finding in reading.diagnostics if finding.code == code]
        assert [text[slice(*finding.span)] for finding in errors] == [place]
        assert errors[0].is_error
        assert bool(errors[0].seed_message) is (imitate_seed_parser(text)[0] is not Verdict.OK)
    with pytest.raises(FenError) as caught:
        parse_epd(text)
    assert code in [finding.code for finding in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("tail", "wrong"),
    [
        (" pv e4 e4 e4;", ["e4"]),
        (" pv Qh9 e5 Nf3;", ["Qh9"]),
        (" bm e5 d5 e4 c5;", ["e5", "d5", "c5"]),
        (" am Qh9 Nf3 e9;", ["Qh9", "e9"]),
        (" sm e5;", ["e5"]),
    ],
)
def test_a_line_ends_at_its_first_bad_move_and_a_list_names_them_all(tail: str, wrong: list[str]) -> None:
    found = read_epd(START + tail, mode="lenient").errors
    assert [(START + tail)[one.span.start : one.span.end] for one in found] == wrong
    assert {one.code for one in found} == {"epd.move"}


@pytest.mark.parametrize(
    ("tail", "codes", "canonical"),
    [
        (" bm e4", ["epd.semicolon"], " bm e4;"),
        (" noop", ["epd.semicolon"], " noop;"),
        (" bm e4; noop \n", ["epd.whitespace", "epd.semicolon"], " bm e4; noop;"),
        (" bm e4;noop;", ["epd.whitespace"], " bm e4; noop;"),
        (" bm e4 ;  noop;", ["epd.whitespace", "epd.whitespace"], " bm e4; noop;"),
        (' id"x";', ["epd.whitespace"], ' id "x";'),
        ("\tbm\te4;", ["epd.whitespace", "epd.whitespace"], " bm e4;"),
        (" bm e4; ", ["epd.whitespace"], " bm e4;"),
        (" ", ["epd.whitespace"], ""),
        (" bm e2e4;", ["epd.san"], " bm e4;"),
        (" pv e2-e4 e7e5 Ng1f3!;", ["epd.san"] * 3, " pv e4 e5 Nf3;"),
        (" bm e4; bm d4;", ["epd.duplicate"], " bm e4; bm d4;"),
        (" ce 1.5;", ["epd.number"], " ce 1.5;"),
    ],
)
def test_every_leniency_is_a_warning_and_an_error_in_strict_mode(
    tail: str, codes: list[str], canonical: str
) -> None:
    text = START + tail
    for mode in ("default", "lenient"):
        reading = read_epd(text, mode=mode)
        assert [finding.code for finding in reading.diagnostics] == codes
        assert all(finding.severity is Severity.WARNING for finding in reading.diagnostics)
        assert reading.ok
        assert apply_fixes(text, reading.diagnostics) == START + canonical
    strict = read_epd(text, mode="strict")
    assert strict.position is None
    assert [finding.code for finding in strict.errors] == codes
    again = read_epd(write_epd(read_epd(text).require()))
    assert {finding.code for finding in again.diagnostics} <= {"epd.duplicate", "epd.number", "epd.san"}


def test_a_fen_can_be_made_an_epd() -> None:
    reading = read_epd(f"{START} 3 17")
    (finding,) = reading.diagnostics
    assert finding.fix is not None
    assert finding.fix.replacement == "hmvc 3; fmvn 17;"


def test_all_findings_come_at_once() -> None:
    text = 'rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; ce x; 1; c0 "x'
    codes = [finding.code for finding in read_epd(text).diagnostics]
    assert codes == ["board.digit", "epd.operand", "epd.opcode", "epd.semicolon", "epd.string"]


def test_the_four_fields_are_read_as_a_fen() -> None:
    reading = read_epd(START.replace("KQkq", "QK"), mode="default")
    assert [finding.code for finding in reading.diagnostics] == ["castling.order"]
    assert reading.ok
    assert read_epd("").diagnostics[0].code == "fen.empty"
    assert read_epd("8/8/8/8/8/8/8/8 w -").diagnostics[0].code == "fen.fields"


def test_variants() -> None:
    record = parse_epd("4k3/8/8/8/8/8/8/4K3[Q] w - - bm Q@e7+;", variant="crazyhouse")
    assert uci(record.operations[0].value) == ["Q@e7"]
    text = "4k3/8/8/8/8/8/8/R3K3 w Q - 3+2 bm Ra8+ O-O-O; hmvc 5;"
    checks = parse_epd(text, variant="3check")
    assert checks.position.checks == (3, 2)
    assert write_epd(checks) == text
    missing = read_epd("4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+;", variant="3check")
    assert missing.errors[0].code == "checks.value"
    assert missing.errors[0].span == (26, 26)
    text = "1r2k3/8/8/8/8/8/8/1R2K3 w Qq - bm O-O-O;"
    assert write_epd(parse_epd(text, variant="chess960")) == text
    with pytest.raises(ValueError, match="bughouse"):
        read_epd(text, variant="bughouse")


def test_limits() -> None:
    too_long = f'{START} id "{"x" * MAX_WRAPPED}";'
    assert [finding.code for finding in read_epd(too_long).diagnostics] == ["fen.length"]
    longest = f'{START} id "'.ljust(MAX_WRAPPED - 2, "x") + '";'
    assert read_epd(longest).ok
    many = read_epd(f"{START} " + "1; " * 500 + "x 1;")
    assert read_epd(f"{START} a; " + "1; " * 500).position is None
    assert len(read_epd(f"{START} a; " + "1; " * 500).diagnostics) == MAX_DIAGNOSTICS
    assert many.errors[0].code == "epd.is_fen"
    assert read_epd(None).diagnostics[0].code == "fen.type"  # type: ignore[arg-type]


def test_an_error_behind_many_warnings_is_told() -> None:
    reading = read_epd(f"{START} a 1;" + "b 1;" * 70 + "1;")
    assert reading.position is None
    assert len(reading.diagnostics) == MAX_DIAGNOSTICS
    assert [finding.code for finding in reading.errors] == ["epd.opcode"]


def test_operations_are_made_from_values() -> None:
    position = parse_epd(f"{START} hmvc 4;").position
    e4, e5 = read_san(position, "e4"), parse_epd(f"{START[:-8]}b KQkq - sm e5;").operations[0].value
    assert isinstance(e5, Move)
    made = [
        operation(position, "bm", (e4, read_san(position, "Nf3"))),
        operation(position, "pv", (e4, e5)),
        operation(position, "sm", e4),
        operation(position, "id", 'a "b" \\;'),
        operation(position, "ce", -3),
        operation(position, "acs", 0.5),
        operation(position, "resign", None),
        operation(position, "zz", ("1", "x")),
    ]
    text = write_epd(position, made)
    assert text == (
        f"{START} hmvc 4; fmvn 1; bm e4 Nf3; pv e4 e5; sm e4; "
        'id "a \\"b\\" \\\\;"; ce -3; acs 0.5; resign; zz 1 x;'
    )
    assert list(parse_epd(text).operations[2:]) == made


@pytest.mark.parametrize(
    ("opcode", "value"),
    [
        ("bm e4; id", "x"),
        ("b m", None),
        ("", None),
        ("zz", ("a;b",)),
        ("zz", ("a b  c",)),
        ("zz", ('"a',)),
        ("ce", "1"),
        ("id", 1),
        ("hmvc", 10_000),
        ("ce", float("inf")),
    ],
)
def test_what_cannot_be_read_back_is_no_operation(opcode: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        operation(parse_epd(START).position, opcode, value)


def test_the_codes_are_listed_once() -> None:
    codes = [info.code for info in CODES if info.stage == "epd"]
    assert len(set(codes)) == len(codes)
    assert all(code.startswith("epd.") for code in codes)


TAILS = st.lists(
    st.sampled_from(
        [
            "bm",
            "pv",
            "id",
            "ce",
            "hmvc",
            "zz",
            "e4",
            "Nf3",
            "e2e4",
            "0",
            "-1",
            "1.5",
            '"',
            '"a;b"',
            ";",
            " ",
            "; ",
        ]
    )
    | st.text(max_size=5),
    max_size=20,
)


@given(
    st.sampled_from([START, rows("epd")[3]["fen4"], "8/8/8/8/8/8/8/8 w - -", "9 w - -", ""]),
    TAILS,
    st.sampled_from(MODES),
)
def test_any_text_is_read_or_explained(head: str, words: list[str], mode: Mode) -> None:
    text = f"{head} {' '.join(words)}"
    reading = read_epd(text, mode=mode)
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in reading.diagnostics)
    assert reading.ok == (reading.position is not None)
    if reading.position is not None:
        again = read_epd(write_epd(reading.position), mode="default").require()
        assert again == reading.position
        mended = read_epd(apply_fixes(text, reading.diagnostics), mode=mode)
        assert mended.ok
    try:
        parse_epd(text, mode=mode)
    except FenError as error:
        assert error.diagnostics == reading.diagnostics


@given(st.text())
def test_text_of_no_shape_at_all_is_explained(text: str) -> None:
    reading = read_epd(text)
    assert reading.ok or reading.diagnostics
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in reading.diagnostics)


@given(st.text(max_size=60))
def test_any_string_comes_back(value: str) -> None:
    position = parse_epd(START).position
    text = write_epd(position, [operation(position, "c0", value)])
    found = parse_epd(text).get("c0")
    assert found is not None
    assert found.value == value
