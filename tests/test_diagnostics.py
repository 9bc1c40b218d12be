"""Findings: their place, their fix, their JSON, and how a person sees them."""

from __future__ import annotations

import json
import pickle
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.golden_data import CHESS, rows
from tests.strategies import any_text

import forsyth
from forsyth.diagnostics import (
    MODES,
    SHARED_CODES,
    Confidence,
    Diagnostic,
    FenError,
    Fix,
    MoveError,
    Reading,
    Severity,
    Span,
    apply_fixes,
    make_printable,
    render_findings,
    select_fixable,
)
from forsyth.games.chess.codes import SEED_MESSAGES
from forsyth.limits import MAX_WRAPPED

SCHEMA = json.loads((Path(forsyth.__file__).parent / "schema" / "reading.schema.json").read_text())
FIELDS = ["code", "family", "severity", "stage", "field", "span", "square", "message", "fix"]


def finding(start: int, end: int, fix: Fix | None = None, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic("board.char", "a message", severity, "fields", Span(start, end), 1, fix=fix)


def fixing(start: int, end: int, text: str, confidence: Confidence = Confidence.CERTAIN) -> Diagnostic:
    return finding(start, end, Fix(Span(start, end), text, confidence))


# --- every finding at once, each with its place ------------------------------------------------------


def test_all_findings_come_at_once() -> None:
    text = "rnbqkbnr/ppppxppp/8/44/4P3/8/PPPP1PPP/RNBQKBN x KQqk e4 -1 0"
    reading = CHESS.read(text)
    assert [(d.code, text[d.span.start : d.span.end]) for d in reading.diagnostics] == [
        ("board.char", "x"),
        ("board.adjacent_digits", "4"),
        ("board.rank_short", "RNBQKBN"),
        ("side.value", "x"),
        ("castling.order", "KQqk"),
        ("ep.rank", "e4"),
        ("half.value", "-1"),
        ("full.zero", "0"),
    ]
    assert [d.square for d in reading.diagnostics][:3] == ["e7", "e5", "h1"]
    assert [d.field for d in reading.diagnostics] == [1, 1, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board.digit", "9"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1", "board.rank_long", "R"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "board.rank_count", ""),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1", "board.rank_count", "/8"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkx - 0 1", "castling.char", "x"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq – 0 1", "fen.dash", "–"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq  - 0 1", "fen.whitespace", "  "),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 x", "fen.fields", "x"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 00 1", "half.format", "00"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN\u0412 w KQkq - 0 1", "fen.chars", "\u0412"),
    ],
)
def test_a_span_covers_what_is_wrong(text: str, code: str, found: str) -> None:
    first = CHESS.read(text).diagnostics[0]
    assert (first.code, text[first.span.start : first.span.end]) == (code, found)


def test_every_finding_carries_the_message_of_the_source_document_where_that_refuses_the_text() -> None:
    for row in rows("invalid_fens"):
        accepted = row["verdicts"]["seed"] == "ok" or len(row["fen"]) > MAX_WRAPPED
        for found in CHESS.read(row["fen"]).diagnostics:
            assert isinstance(found.field, int)
            if accepted:
                assert found.seed_message == "", row["id"]
            elif found.field:
                assert found.seed_message == SEED_MESSAGES[found.field], row["id"]
            else:
                # An odd character concerns the whole text, but the document refuses the part it is in.
                assert found.seed_message in SEED_MESSAGES, row["id"]


def test_codes_have_the_severity_and_stage_of_the_list() -> None:
    known = {info.code: info for info in (*SHARED_CODES, *CHESS.codes)}
    for row in rows("invalid_fens"):
        reading = CHESS.read(row["fen"])
        legality = () if reading.position is None else CHESS.check(reading.position)
        for found in (*reading.diagnostics, *legality):
            assert (found.severity, found.stage) == (known[found.code].severity, known[found.code].stage), (
                row["id"]
            )


def test_the_list_of_codes_names_each_once() -> None:
    codes = [info.code for info in (*SHARED_CODES, *CHESS.codes)]
    assert len(codes) == len(set(codes))
    assert all(info.summary for info in CHESS.codes)


def test_strict_mode_makes_every_finding_an_error() -> None:
    for row in rows("invalid_fens"):
        assert not CHESS.read(row["fen"], mode="strict").warnings, row["id"]


def test_a_readings_errors_and_warnings_are_its_diagnostics() -> None:
    for row in rows("invalid_fens")[::10]:
        for mode in MODES:
            reading = CHESS.read(row["fen"], mode=mode)
            assert sorted(map(repr, (*reading.errors, *reading.warnings))) == sorted(
                map(repr, reading.diagnostics)
            )


# --- fixes ------------------------------------------------------------------------------------------


def test_fixes_are_applied_from_left_to_right() -> None:
    found = [fixing(4, 5, "E"), fixing(0, 1, "A"), fixing(2, 2, "-")]
    assert apply_fixes("abcdef", found) == "Ab-cdEf"


def test_of_two_overlapping_fixes_the_earlier_counts() -> None:
    assert apply_fixes("abcdef", [fixing(1, 4, "X"), fixing(3, 5, "Y")]) == "aXef"
    assert apply_fixes("abcdef", [fixing(1, 4, "X"), fixing(1, 4, "Y")]) == "aXef"
    assert apply_fixes("abcdef", [fixing(2, 2, "X"), fixing(2, 2, "Y")]) == "abXcdef"
    assert apply_fixes("abcdef", [fixing(1, 3, "X"), fixing(3, 5, "Y")]) == "aXYf"


def test_only_fixes_that_are_sure_enough_are_applied() -> None:
    found = [fixing(0, 1, "A"), fixing(1, 2, "B", Confidence.LIKELY), fixing(2, 3, "C", Confidence.GUESS)]
    assert apply_fixes("abc", found) == "Abc"
    assert apply_fixes("abc", found, Confidence.LIKELY) == "ABc"
    assert apply_fixes("abc", found, Confidence.GUESS) == "ABC"
    assert apply_fixes("abc", [finding(0, 1)]) == "abc"


@given(st.text(max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.text(max_size=3))))
def test_any_fixes_can_be_applied(text: str, places: list[tuple[int, int, str]]) -> None:
    inside = [(min(a, b, len(text)), min(max(a, b), len(text)), new) for a, b, new in places]
    fixed = apply_fixes(text, [fixing(*place) for place in inside])
    assert len(fixed) <= len(text) + sum(len(new) for _, _, new in places)


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("8/8/8/8/8/8/8/4K2k w – – 0 1", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        (" 8/8/8/8/8/8/8/4K2k  w\t- - 0 1\n", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/8/8/8/8/4K2k w - -", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/44/8/8/8/4K2k w - - 0 1", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/224/8/8/8/4K2k w - - 0 1", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/8/8/8/8/4K2k/ w - - 0 1", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/8/8/8/8/4K2k W - - 00 0", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w K--k - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1"),
        ("8/8/8/8/8/8/8/4K2k b - E3 0 1", "8/8/8/8/8/8/8/4K2k b - e3 0 1"),
        ("8/8/8/8/8/8/8/4K2k_w_-_-_0_1", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
        ("8/8/8/8/8/8/8/4K2k%20w%20-%20-%200%201", "8/8/8/8/8/8/8/4K2k w - - 0 1"),
    ],
)
def test_what_is_certain_is_put_right(text: str, fixed: str) -> None:
    for _ in range(2):
        text = apply_fixes(text, CHESS.read(text).diagnostics)
    assert text == fixed
    assert CHESS.read(text, mode="strict").ok


# --- JSON -------------------------------------------------------------------------------------------


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_the_json_of_a_reading_has_the_fields_of_the_contract() -> None:
    good = CHESS.read(CHESS.start).to_dict()
    assert list(good) == [
        "text",
        "game",
        "variant",
        "form",
        "ok",
        "canonical",
        "state_id",
        "key",
        "diagnostics",
    ]
    assert (good["ok"], good["canonical"], len(good["key"]), len(good["state_id"])) == (
        True,
        CHESS.start,
        32,
        58,
    )
    bad = CHESS.read("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").to_dict()
    assert (bad["ok"], bad["canonical"], bad["state_id"], bad["key"]) == (False, None, None, None)
    assert list(bad["diagnostics"][0]) == FIELDS
    assert bad["diagnostics"][0]["fix"] == {"span": [18, 19], "replacement": "8", "confidence": "guess"}


def test_every_golden_reading_fits_the_schema() -> None:
    validator = Draft202012Validator(SCHEMA)
    for row in rows("invalid_fens")[::3]:
        for mode in MODES:
            data: Any = CHESS.read(row["fen"], mode=mode).to_dict()
            assert json.loads(json.dumps(data)) == data
            validator.validate(data)


def test_the_fixes_that_are_applied_together() -> None:
    touching = [fixing(2, 3, "x"), fixing(3, 3, "y")]
    assert apply_fixes("abcd", touching) == "abxyd"
    overlapping = [fixing(1, 3, "x"), fixing(2, 4, "y"), fixing(1, 3, "z")]
    assert select_fixable(overlapping, Confidence.CERTAIN) == (overlapping[0],)


def test_what_is_inside_a_wrapped_text_is_in_its_json_and_shown_below_it() -> None:
    broken = "8/8/8/4k3/8/8/8/4K3 w - - x 1"
    reading = forsyth.check(forsyth.wrap(broken, "base64"), "chess")
    data = reading.to_dict()
    Draft202012Validator(SCHEMA).validate(data)
    (found,) = data["diagnostics"]
    assert found["unwrapped"] == broken
    assert found["inside"] == [d.to_dict() for d in forsyth.check(broken, "chess").diagnostics]
    shown = str(reading).splitlines()
    assert shown[0] == "error[base64.payload]: Base64 payload is not a valid FEN"
    assert shown[3].startswith("  inside: error[half.value]: ")
    assert shown[4:6] == [f"    {broken}", "    " + " " * broken.index("x") + "^"]


def test_the_schema_refuses_what_is_no_reading() -> None:
    validator = Draft202012Validator(SCHEMA)
    good = CHESS.read("8/8/8/8/8/8/8/8 w - -").to_dict()
    validator.validate(good)
    for broken in (
        {},
        {**good, "ok": "yes"},
        {**good, "diagnostics": [{}]},
        {**good, "diagnostics": [{**good["diagnostics"][0], "severity": "bad"}]},
        {**good, "diagnostics": [{**good["diagnostics"][0], "span": [1]}]},
    ):
        assert not validator.is_valid(broken)


# --- errors -----------------------------------------------------------------------------------------


def test_an_error_carries_the_first_finding_and_all_the_others() -> None:
    with pytest.raises(FenError) as caught:
        CHESS.parse("8/8/8/8/8/8/8/9 w KQqk - 0 1")
    error = caught.value
    assert isinstance(error, ValueError)
    assert [d.code for d in error.diagnostics] == ["board.digit", "castling.order"]
    assert (error.code, error.field, error.span) == ("board.digit", 1, Span(14, 15))
    assert error.seed_message == "Error in FEN Part 1: Pieces or squares"
    assert str(error) == error.diagnostics[0].message


def test_the_first_error_leads_even_behind_warnings() -> None:
    with pytest.raises(FenError) as caught:
        CHESS.parse("8/8/8/8/8/8/8/8 w  - - x 1")
    assert [d.code for d in caught.value.diagnostics] == ["fen.whitespace", "half.value"]
    assert caught.value.code == "half.value"


def test_an_illegal_position_is_an_error_only_when_legality_is_asked_for() -> None:
    assert CHESS.parse("8/8/8/8/8/8/8/8 w - - 0 1", legality=False).board == "." * 64
    with pytest.raises(FenError) as caught:
        CHESS.parse("8/8/8/8/8/8/8/8 w - - 0 1")
    assert caught.value.code == "king.missing"


def test_errors_and_readings_survive_pickling() -> None:
    with pytest.raises(FenError) as caught:
        CHESS.parse("8/8/8/8/8/8/8/9 w - - 0 1")
    error = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (error.text, error.diagnostics) == (caught.value.text, caught.value.diagnostics)
    reading = CHESS.read(CHESS.start)
    assert pickle.loads(pickle.dumps(reading)) == reading  # noqa: S301
    with pytest.raises(MoveError) as moved:
        CHESS.read_move(CHESS.parse(CHESS.start), "Nd4")
    again = pickle.loads(pickle.dumps(moved.value))  # noqa: S301
    assert (again.kind, again.text, again.candidates) == (moved.value.kind, "Nd4", moved.value.candidates)


def test_a_reading_without_position_says_so_when_it_is_required() -> None:
    with pytest.raises(FenError):
        Reading("x", "chess", None, (finding(0, 1),)).require()


# --- rendering --------------------------------------------------------------------------------------


def test_the_caret_stands_under_what_is_wrong() -> None:
    shown = str(CHESS.read("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    assert shown.split("\n") == [
        "error[board.digit]: rank 6: '9' is not an empty count, expected 1 to 8",
        "  rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "                    ^",
        "  fix (guess): replace '9' with '8'",
    ]


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(ch) in "WF" else 1 for ch in text)


@given(any_text(), st.integers(0, 130), st.integers(0, 10))
def test_the_caret_is_under_the_text_wherever_it_stands(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    lines = render_findings(text, [finding(start, end)]).split("\n")
    if not text:
        assert len(lines) == 1
        return
    assert len(lines) == 3
    assert set(lines[2].strip()) == {"^"}
    assert columns(lines[2]) <= columns(lines[1]) + 1
    assert lines[1].isprintable()
    marked = make_printable(text[start:end])
    if marked and len(text) <= 76:
        column = len(lines[2]) - len(lines[2].lstrip())
        assert columns(lines[1][: lines[1].index(marked, 0)]) <= column


def test_a_long_text_is_shown_around_the_finding() -> None:
    text = "8/" * 200 + "x" + "/8" * 50
    line, caret = render_findings(text, [finding(400, 401)]).split("\n")[1:]
    assert line.startswith("  …")
    assert line.endswith("…")
    assert line[caret.index("^")] == "x"


def test_wide_and_invisible_characters_do_not_move_the_caret() -> None:
    line, caret = render_findings("棋\u200b\tx", [finding(3, 4)]).split("\n")[1:]
    assert columns(line[: line.index("x")]) == caret.index("^")


def test_colour_is_for_those_who_ask() -> None:
    found = [fixing(0, 1, "y")]
    assert "\x1b[" not in render_findings("x", found)
    assert "\x1b[1;31m" in render_findings("x", found, colour=True)
    plain = render_findings("x", found, colour=True)
    for code in ("\x1b[1;31m", "\x1b[32m", "\x1b[0m"):
        plain = plain.replace(code, "")
    assert plain == render_findings("x", found)


@pytest.mark.parametrize(
    ("place", "replacement", "words"),
    [
        ((0, 1), "y", "replace 'x' with 'y'"),
        ((0, 1), "", "remove 'x'"),
        ((1, 1), "y", "insert 'y'"),
        ((2, 3), " ", "replace '·' with ' '"),
    ],
)
def test_a_fix_is_described_in_words(place: tuple[int, int], replacement: str, words: str) -> None:
    assert Fix(Span(*place), replacement, Confidence.GUESS).describe("xz\u00a0") == words


@given(st.text(st.characters(), max_size=40))
def test_what_is_printed_is_printable_and_as_long_as_the_text(text: str) -> None:
    shown = make_printable(text)
    assert len(shown) == len(text)
    assert shown.isprintable()


def test_the_repr_of_a_reading_is_short() -> None:
    """It once contained every finding with all its fields, and the whole text."""
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert repr(forsyth.read(start)) == f"<Reading chess, standard, ok, {start!r}>"
    assert repr(forsyth.read("?")) == "<Reading unknown game, 1 error, '?'>"
    worse = start.replace("KQkq", "KQxq").replace("0 1", "x 1")
    assert repr(forsyth.read(worse, "chess")) == f"<Reading chess, standard, 2 errors, {worse!r}>"
    odd = start.replace(" 0 1", "  0 1")
    assert repr(forsyth.read(odd, "chess")) == f"<Reading chess, standard, ok, 1 warning, {odd!r}>"
    assert len(repr(forsyth.read("/" * 5000, "chess"))) < 130


def test_the_repr_of_the_reading_of_a_record_is_short() -> None:
    assert repr(forsyth.read_record("1. e4 e5 *", "chess")) == "<RecordReading chess, standard, 2 moves, ok>"
    faulty = forsyth.read_record("1. e4 e9 *", "chess")
    assert repr(faulty) == "<RecordReading chess, standard, 1 move, 1 error>"
    no_start = forsyth.read_record('[FEN "x"]\n\n1. e4 *', "chess")
    assert repr(no_start).startswith("<RecordReading chess, no record, ")
