"""CoTuLenh texts: golden verdicts, the examples of the source documents, deploy sessions, any text at all."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.columns import case_of, mutated
from tests.every_row import every_row

import forsyth
from forsyth.diagnostics import MODES, SHARED_CODES, Diagnostic, Mode, Reading, apply_fixes
from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.codes import CODES, FAMILIES
from forsyth.games.cotulenh.notation.deploy_fen import write_replay, write_step, write_suffix
from forsyth.games.cotulenh.notation.fen import MAX_LENGTH, explained, read_fen
from forsyth.games.cotulenh.notation.kernel import decode
from forsyth.games.cotulenh.position import MAX_CLOCK, Position, build_position
from forsyth.games.cotulenh.rules.check import check_position
from forsyth.games.cotulenh.rules.deploy import (
    cancel,
    get_remaining_types,
    list_legal_moves,
    play_packed_move,
    replay_steps,
)
from forsyth.games.cotulenh.rules.generate import DEPLOY
from forsyth.games.cotulenh.rules.moves import Rules
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES, read_unit, write_unit
from forsyth.limits import MAX_DIAGNOSTICS

GOLDEN = Path(__file__).parents[2] / "golden" / "cotulenh"
START = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
BARE = "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 1"
STACK = "6c4/11/11/11/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1"
SENT = "6c4/11/11/11/11/11/11/2N8/11/2(FT)8/11/5C5 r - - 0 1"
RULES = Rules()
CLOCK_BY_CAPTURES = Rules(commander_resets_clock=False)
KNOWN = {info.code for info in (*SHARED_CODES, *CODES)}

SEVERAL_FAULTS = {
    "fen-41001-0256": "no stack, and its first piece on land",
    "fen-41001-0267": "on water, and a second commander",
    "fen-41001-0342": "no stack, and its first piece on land",
    "fen-41001-0409": "on water, and no blue commander",
    "fen-41001-0433": "no stack, and on water",
    "fen-41001-0493": "no stack, and a second commander",
    "fen-41001-0508": "no stack, and on water",
}
"""Rows in which the engine stops at the first of several faults: only validity is contractual."""


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def findings(text: str, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Everything that reading and legality say."""
    reading = read_fen(text, mode=mode)
    if reading.position is None:
        return reading.diagnostics
    return (*reading.diagnostics, *check_position(reading.position, text=text, mode=mode))


def our_spelling(code: str) -> str:
    subject, _, problem = code.partition("_")
    return f"{subject}.{problem}".lower()


def codes(reading: Reading[Position]) -> list[str]:
    return [d.code for d in reading.diagnostics]


def required(text: str, mode: Mode = "default", rules: Rules = RULES) -> Position:
    return read_fen(text, mode=mode, rules=rules).require()


def lan(position: Position, number: int) -> str:
    types = number >> 16 & TYPES
    unit = position.unit_on(number & 255) & (types | types << HEROIC_SHIFT | BLUE_BIT)
    sign = {1: "", 2: "x", 4: "_", 8: "@", 32: "&"}[number >> 27 & 47]
    return f"{write_unit(unit)}{SQUARES[number & 255]}>{sign}{SQUARES[number >> 8 & 255]}"


# --- golden verdicts --------------------------------------------------------------------------------


def too_large(row: dict[str, Any]) -> bool:
    """Whether a counter is larger than a position holds."""
    words = row["fen"].split()
    return any(word.isdigit() and word.isascii() and int(word) > MAX_CLOCK for word in words[4:6])


@every_row(rows("fen_validation"))
def test_golden_verdict(row: dict[str, Any]) -> None:
    found = [d for d in findings(row["fen"]) if d.is_error]
    if too_large(row):
        assert {d.code for d in found} <= {"half.range", "full.range"}
        return
    assert (not found) is row.get("expected_valid", row["valid"])
    if len(row["fen"]) <= MAX_LENGTH and "expected_valid" not in row and row["id"] not in SEVERAL_FAULTS:
        # The public engine stops where it cannot go on; a reading finds all that, and what is true beside.
        missed = {our_spelling(error["code"]) for error in row["errors"]} - {d.family for d in found}
        # A rank with an unknown letter or a lone parenthesis may have the right length.
        unknown_length = any(d.code in ("piece.letter", "paren.open", "paren.close") for d in found)
        assert missed <= ({"fen.invalid_file_count"} if unknown_length else set())
    if "canonical" in row and not found:
        assert str(required(row["fen"])) == row["canonical"]


def test_each_code_has_a_family_of_the_specification_or_is_its_own() -> None:
    families = {our_spelling(error["code"]) for row in rows("fen_validation") for error in row["errors"]}
    assert set(FAMILIES.values()) == families
    assert set(FAMILIES) <= KNOWN
    assert len(KNOWN) == len(SHARED_CODES) + len(CODES)


@pytest.mark.parametrize(
    "row", [row for row in rows("seed_examples") if row["kind"] == "fen"], ids=lambda row: row["text"][-30:]
)
def test_examples_of_the_source_documents(row: dict[str, Any]) -> None:
    strict = read_fen(row["text"], mode="strict")
    assert strict.ok is row["strict_ok"]
    lenient = read_fen(row["text"], mode="lenient")
    assert codes(lenient) == [our_spelling(code) for code in row["warnings"]]
    assert str(lenient.require()) == row["canonical"]
    assert len(list_legal_moves(lenient.require(), RULES)) == row["legal_moves"]


# --- findings ---------------------------------------------------------------------------------------


def test_all_findings_come_at_once_and_in_order() -> None:
    text = BARE.replace("6c4/11/11/11", "6c4/++T10/((TI))9/5)5/(TIM)x9", 1).replace("11/5C5", "5C4", 1)
    text = text.replace(" r - - 0 1", " R K e3 x 01")
    reading = read_fen(text)
    assert [(d.code, text[slice(*d.span)]) for d in reading.diagnostics] == [
        ("turn.value", "R"),
        ("castling.value", "K"),
        ("ep.value", "e3"),
        ("half.value", "x"),
        ("full.format", "01"),
        ("plus.double", "++"),
        ("paren.nested", "("),
        ("paren.close", ")"),
        ("piece.letter", "x"),
        ("board.rank_short", "5C4"),
    ]
    assert [d.field for d in reading.diagnostics] == [2, 3, 4, 5, 6, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("rank", "code", "found", "square", "message"),
    [
        ("5)5", "paren.close", ")", "f3", "Invalid FEN: ) without matching ( in rank 3"),
        ("5T5+", "plus.alone", "+", None, "Invalid FEN: + without matching piece in rank 3"),
        ("+5T5", "plus.alone", "+", "a3", "Invalid FEN: + without matching piece in rank 3"),
        ("5+(TI)5", "plus.alone", "+", "f3", "Invalid FEN: + without matching piece in rank 3"),
        ("5(T+)5", "plus.alone", "+", "f3", "Invalid FEN: + without matching piece in rank 3"),
        ("6T5", "board.rank_long", "6T5", None, "Invalid FEN: rank 3 has too many squares"),
        ("12", "board.count", "12", "a3", "rank 3: 12 is not an empty count, expected 1 to 11"),
        ("5()5", "stack.empty", "()", "f3", "rank 3: parentheses without a piece"),
        ("2(T2)6", "stack.digit", "2", None, "rank 3: a number inside parentheses"),
        ("5(Ti)5", "stack.colours", "(Ti)", "f3", "f3: (Ti) has pieces of both colours"),
        ("5(TT)5", "stack.duplicate", "(TT)", "f3", "f3: (TT) has a type twice"),
        ("5(IM)5", "stack.members", "(IM)", "f3", "f3: (IM) is not a valid stack"),
        ("5ſ5", "piece.letter", "ſ", "f3", "rank 3: 'ſ' is not a piece"),
    ],
)
def test_a_finding_on_the_board(rank: str, code: str, found: str, square: str | None, message: str) -> None:
    text = BARE.replace("11/11/5C5", f"{rank}/11/5C5")
    first = read_fen(text).diagnostics[0]
    assert (first.code, text[slice(*first.span)], first.square) == (code, found, square)
    assert first.message.startswith(message)
    assert first.message.startswith(first.seed_message)
    assert bool(first.seed_message) is message.startswith("Invalid FEN")


def test_rank_count_has_the_wording_of_the_source() -> None:
    finding = read_fen(START.replace("/11/11", "/11")).diagnostics[0]
    assert finding.message.startswith("Invalid FEN: expected 12 ranks, got 11")
    assert finding.seed_message == "Invalid FEN: expected 12 ranks, got 11"


@pytest.mark.parametrize(
    ("text", "warning", "canonical"),
    [
        (BARE.replace("11/11/5C5", "56/11/5C5"), "board.adjacent_digits", BARE),
        (BARE.replace("11/11/5C5", "101/11/5C5"), "board.adjacent_digits", BARE),
        (BARE.replace("5C5", "5(C)5"), "stack.single", BARE),
        (BARE.replace("5C5", "5(CT)5"), "stack.order", BARE.replace("5C5", "5(TC)5")),
        (BARE.replace("- 0 1", "- 007 1"), "half.format", BARE.replace("- 0 1", "- 7 1")),
        (f"\ufeff{BARE}\u00a0\n", "fen.whitespace", BARE),
        (BARE.replace(" r", "\u3000r"), "fen.whitespace", BARE),
    ],
)
def test_accepted_with_a_warning_and_refused_in_strict_mode(text: str, warning: str, canonical: str) -> None:
    reading = read_fen(text)
    assert codes(reading) == [warning]
    assert str(reading.require()) == canonical
    assert apply_fixes(text, reading.diagnostics) == canonical
    assert codes(read_fen(text, mode="strict")) == [warning]
    assert not read_fen(text, mode="strict").ok


@pytest.mark.parametrize(
    ("text", "code", "warning", "canonical"),
    [
        (BARE.replace("5C5", "B4C5"), "piece.letter", "alias.b", BARE.replace("5C5", "G4C5")),
        (BARE.replace("5C5", "5C4"), "board.rank_short", "short.rank", BARE),
        (BARE.replace("5C5", "5C"), "board.rank_short", "short.rank", BARE),
        (BARE.partition(" ")[0], "fen.fields", "missing.fields", BARE),
        (BARE.replace("5C5", "+(TC)10"), "plus.alone", "plus.before_stack", BARE.replace("5C5", "(+TC)10")),
        (BARE.replace("5C5", "5(T|C)5"), "piece.letter", "pipe.in_stack", BARE.replace("5C5", "5(TC)5")),
        (BARE + " moves x", "fen.fields", "extra.fields", BARE),
    ],
)
def test_mended_by_lenient_mode_only(text: str, code: str, warning: str, canonical: str) -> None:
    assert codes(read_fen(text))[0] == code
    reading = read_fen(text, mode="lenient")
    assert codes(reading) == [warning]
    assert reading.diagnostics[0].family == warning
    assert str(reading.require()) == canonical


def test_a_missing_commander_is_an_error_but_for_lenient_mode() -> None:
    text = BARE.replace("6c4", "11")
    reading = read_fen(text)
    assert reading.ok
    (finding,) = check_position(reading.require(), text=text)
    assert (finding.code, finding.family) == ("commander.missing", "fen.invalid_format")
    lenient = read_fen(text, mode="lenient")
    assert codes(lenient) == ["no.commander"]
    assert lenient.ok
    assert check_position(lenient.require(), text=text, mode="lenient") == ()


def test_without_validation_only_the_unreadable_is_an_error() -> None:
    text = BARE.replace(" r - - 0 1", " r KQ e3 0 01 more")
    assert len(read_fen(text).errors) == 4
    reading = read_fen(text, skip_validation=True)
    assert str(reading.require()) == BARE
    assert len(reading.warnings) == 4
    assert not read_fen(BARE.replace("5C5", "5X5"), skip_validation=True).ok


def test_terrain_and_commanders_are_placed_in_the_text() -> None:
    text = "6c4/11/(TI)10/11/11/11/11/5N5/11/11/2C8/5C5 r - - 0 1"
    found = findings(text)
    assert [(d.code, d.square, text[slice(*d.span)]) for d in found] == [
        ("terrain.water", "a10", "(TI)"),
        ("terrain.land", "f5", "N"),
        ("commander.many", "f1", "C"),
    ]
    assert [d.family for d in found] == [
        "board.invalid_terrain",
        "board.invalid_terrain",
        "commander.limit_exceeded",
    ]


@pytest.mark.parametrize(
    ("value", "code"),
    [(None, "fen.type"), ("", "fen.empty"), ("\ufeff ", "fen.empty"), ("x" * 1025, "fen.length")],
)
def test_what_is_no_text_at_all(value: Any, code: str) -> None:
    assert codes(read_fen(value)) == [code]


def test_findings_are_bounded_and_errors_are_kept() -> None:
    board = "/".join(["(T)" * 11] * 11 + ["(T)" * 11])
    reading = read_fen(f"{board} r - - 0 1 nonsense")
    assert len(reading.diagnostics) == MAX_DIAGNOSTICS
    assert [d.code for d in reading.errors] == [
        "fen.fields",
        *["terrain.water"] * 24,
        *["commander.missing"] * 2,
    ]


# --- deploy sessions --------------------------------------------------------------------------------

FLOWS = [
    (row, step)
    for row in rows("seed_examples")
    if row["kind"] == "deploy-flow"
    for step in row["steps"]
    if step["session"]
]


@pytest.mark.parametrize(("row", "step"), FLOWS, ids=lambda value: value.get("after", ""))
def test_every_spelling_of_a_session(row: dict[str, Any], step: dict[str, Any]) -> None:
    canonical = required(step["fen"], "strict")
    assert str(canonical) == step["fen"]
    for name in ("fen", "peer_text", "s2_text_current", "s2_text_start"):
        reading = read_fen(step[name])
        position = reading.require()
        assert codes(reading) == ([] if name == "fen" else ["deploy.spelling"])
        assert str(position) == step["fen"]
        assert sorted(lan(position, number) for number in list_legal_moves(position, RULES)) == step["moves"]
        session = position.session
        assert session is not None
        if session.start is not None:
            assert str(cancel(position)) == row["start"]
        assert session.start is not None or any(sign in step["fen"].split()[-1] for sign in "x_@+")
    unknown = required(step["s3_text"], "strict")
    assert str(unknown) == step["s3_text"]
    assert unknown.session is not None
    assert canonical.session is not None
    assert get_remaining_types(unknown.session) == get_remaining_types(canonical.session)
    offered = {lan(unknown, number) for number in list_legal_moves(unknown, RULES)}
    assert offered <= set(step["moves"])
    assert all("&" in name for name in set(step["moves"]) - offered)


@pytest.mark.parametrize(
    "text", ["c3::(NFT)>c5", "c3:EMPTY:(NFT)>c5", "DEPLOY c3:<(NFT)c5", "DEPLOY c3:EMPTY<(NFT)c5..."]
)
def test_nothing_remaining_is_spelled_in_several_ways(text: str) -> None:
    assert write_suffix(required(f"{STACK} {text}")) == "DEPLOY c3:EMPTY 3 (NFT)>c5"


@pytest.mark.parametrize(
    ("text", "code", "found", "named"),
    [
        (f"{STACK} DEPLOY", "deploy.format", "DEPLOY", "DEPLOY c3:FT 1 N>c5"),
        (f"{STACK} DEPLOY c3", "deploy.format", "DEPLOY c3", "DEPLOY c3:FT 1 N>c5"),
        (f"{SENT} DEPLOY z9:FT 1", "deploy.square", "z9", "z9"),
        (f"{SENT} DEPLOY c3:FT", "deploy.count", "", "number of pieces"),
        (f"{SENT} DEPLOY c3:FT 0", "deploy.count", "0", "cannot form a stack"),
        (f"{SENT} DEPLOY c3:FT 2 N>c5", "deploy.count", "2", "the steps move 1"),
        (f"{SENT} DEPLOY c3:F 1 N>c5", "deploy.remaining", "DEPLOY c3:F 1 N>c5", "c3"),
        (f"{SENT} DEPLOY c3:FT 1 N>c6", "deploy.step", "N>c6", "no N on c6"),
        (f"{SENT} DEPLOY c3:FT 1 N>c5 x", "deploy.format", "x", "'x'"),
        (f"{SENT} DEPLOY c3:FT 1 Nc55", "deploy.format", "Nc55", "a step such as"),
        (f"{STACK} c3:(FT):N>d3", "deploy.step", "N>d3", "N>c4"),
        (f"{STACK} c3:(FT):N>xc5", "deploy.step", "N>xc5", "N>c4"),
        (f"{STACK} c3:(FT):+N>c5", "deploy.step", "+N>c5", "N>c4"),
        (f"{STACK} c3:F:N>c5", "deploy.remaining", "c3:F:N>c5", "expected FT"),
        (f"{STACK} c3:F:(NFT)>c5", "deploy.remaining", "c3:F:(NFT)>c5", "F said to remain, expected EMPTY$"),
        (f"{STACK} c3::N>c5", "deploy.remaining", "c3::N>c5", "nothing said to remain, expected FT$"),
        (f"{STACK} d3:F:N>c5", "deploy.step", "N>c5", "no piece has a step"),
        (f"{SENT} DEPLOY c3:FB 1", "deploy.format", "B", "expected G"),
    ],
)
def test_a_finding_in_a_suffix(text: str, code: str, found: str, named: str) -> None:
    finding = read_fen(text).errors[0]
    assert (finding.code, text[slice(*finding.span)], finding.field) == (code, found, 7)
    assert finding.family == "fen.invalid_format"
    assert f"{finding.message}$".endswith(named) if named.endswith("$") else named in finding.message


def test_a_piece_may_wait_on_water_while_a_session_is_open() -> None:
    text = "6c4/11/11/11/11/1N9/11/1T9/11/11/11/5C5 r - - 0 1 DEPLOY b5:T 1 N>b7"
    assert findings(text, "strict") == ()


def test_a_session_that_contradicts_the_board_is_not_legal() -> None:
    sent = required(f"{SENT} DEPLOY c3:FT 1 N>c5")
    wrong = build_position(required(BARE).board(), 0, 0, 1, sent.session)
    assert {d.code for d in check_position(wrong)} == {"deploy.remaining", "deploy.step"}


def test_heroic_marks_come_from_the_board() -> None:
    start = "6c4/11/11/11/11/11/11/11/11/2(N+F)t7/11/5C5 r - - 4 1"
    assert write_suffix(required(f"{start} DEPLOY c3:N<Fxd3")) == "DEPLOY c3:N 1 +F>xd3"


@every_row([row for row in rows("legal_moves") if row["session"]])
def test_golden_sessions(row: dict[str, Any]) -> None:
    session = row["session"]
    text = f"{row['start_fen']} {session['square']}:{session['stay']}:{','.join(session['steps'])}"
    position = required(text, rules=CLOCK_BY_CAPTURES)
    assert position.session is not None
    assert str(position).partition(" DEPLOY")[0] == row["board_fen"]
    assert [write_step(step) for step in position.session.steps] == session["steps"]
    listed = sorted(lan(position, number) for number in list_legal_moves(position, CLOCK_BY_CAPTURES))
    assert listed == sorted(move["lan"] for move in row["moves"])
    require_round_trip(position)


def require_round_trip(position: Position) -> None:
    """Canonical text says everything but the way back; a replay says that too."""
    assert required(write_replay(position), rules=CLOCK_BY_CAPTURES) == position
    text = str(position)
    again = required(text, "strict")
    assert str(again) == text
    assert again.board() == position.board()
    assert (again.session is None) is (position.session is None)
    if position.session is not None and again.session is not None:
        assert again.session.origin_square == position.session.origin_square
        assert again.session.steps == position.session.steps
        assert again.session.moved_types == position.session.moved_types
        assert get_remaining_types(again.session) == get_remaining_types(position.session)


def test_a_missing_commander_is_a_warning_in_lenient_mode_alone() -> None:
    text = BARE.replace("5C5", "11")
    assert [d.code for d in forsyth.check(text, forsyth.game("cotulenh"), mode="lenient").errors] == []
    assert [d.code for d in forsyth.check(text, forsyth.game("cotulenh")).errors] == ["commander.missing"]


# --- any text at all --------------------------------------------------------------------------------

MODE = st.sampled_from(MODES)
CHARACTERS = st.one_of(
    st.sampled_from("CITMEAGSFNHBcitmeagsfnhb0123456789/+()|-<>:,._@&x rDEPLOY"),
    st.sampled_from("\u00a0\ufeff\u3000\x85\x1c–—²٣１ſıK\ud800😀"),
    st.characters(),
)
TEXTS = [row["fen"] for row in rows("fen_validation")[::3]]
TEXTS += [value for _, step in FLOWS for value in step.values() if isinstance(value, str)]


@st.composite
def edited(draw: st.DrawFn) -> str:
    text: str = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 6)))
        text = text[:at] + draw(st.text(CHARACTERS, max_size=3)) + text[to:]
    return text


ANY_TEXT = st.one_of(edited(), st.text(CHARACTERS, max_size=200), st.sampled_from(TEXTS))


@given(ANY_TEXT, MODE, st.booleans())
def test_reading_never_raises_and_every_place_is_inside(text: str, mode: Mode, skip: bool) -> None:
    reading = read_fen(text, mode=mode, skip_validation=skip)
    assert (reading.position is not None) is reading.ok
    assert len(reading.diagnostics) <= MAX_DIAGNOSTICS
    found = reading.diagnostics
    if reading.position is not None:
        found += check_position(reading.position, text=text)
        require_round_trip(reading.position)
    for finding in found:
        spans = [finding.span] if finding.fix is None else [finding.span, finding.fix.span]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans)
        assert finding.code in KNOWN
        assert finding.family == FAMILIES.get(finding.code, finding.code)
        assert isinstance(finding.field, int)
        assert 0 <= finding.field <= 7


@given(ANY_TEXT, MODE)
def test_certain_fixes_never_add_errors(text: str, mode: Mode) -> None:
    reading = read_fen(text, mode=mode)
    again = read_fen(apply_fixes(text, reading.diagnostics), mode=mode)
    before, after = ([d.code for d in r.errors] for r in (reading, again))
    assert all(after.count(code) <= before.count(code) for code in after), (before, after)
    if mode == "default" and reading.ok:
        assert str(again.position) == str(reading.position)


@given(ANY_TEXT)
def test_the_kernel_decodes_what_the_reader_has_nothing_to_say_about(text: str) -> None:
    fast = decode(text)
    slow = read_fen(text, mode="lenient")
    silent = all(code == "no.commander" for code in codes(slow))
    has_session = slow.position is not None and slow.position.session is not None
    assert (fast is not None) is (silent and not has_session)
    if fast is not None:
        assert fast == slow.position


@given(
    st.sampled_from([row["start"] for row in rows("seed_examples") if "start" in row] + [START]),
    st.integers(0, 2**32),
)
def test_every_text_of_a_game_reads_back(start: str, seed: int) -> None:
    random = Random(seed)
    position = required(start)
    for _ in range(12):
        numbers = list_legal_moves(position, RULES)
        if not numbers:
            break
        steps = [number for number in numbers if number >> 27 & DEPLOY]
        position = play_packed_move(position, random.choice(steps or numbers), RULES)
        require_round_trip(position)
        session = position.session
        if session is not None and session.start is not None:
            assert replay_steps(session.start, session.origin_square, session.steps, RULES) == position


UNITS = [
    read_unit(text, blue)
    for text in ("T", "+T", "N", "NFT", "+N+FT", "FTC", "EG", "HC", "+C")
    for blue in (False, True)
]


@given(
    st.lists(st.one_of(st.just(0), st.just(0), st.sampled_from(UNITS)), min_size=132, max_size=132),
    st.booleans(),
)
def test_round_trip_of_any_board(units: list[int], blue: bool) -> None:
    position = build_position(tuple(units), int(blue), 3, 14)
    assert required(str(position), "strict") == position
    if len(str(position)) <= MAX_LENGTH:
        assert required(str(position), "lenient") == position


# --- all at once ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (
            "6c4/11/3x7/11/2ie2m2e/11/11/11/11/11/11/6C4 w - - 0",
            ["fen.fields", "turn.value", "piece.letter", "board.rank_short"],
        ),
        ("6c4/11/11/11/11/11/11/11/5N5/11/11/5C5 r", ["fen.fields", "terrain.land"]),
        ("6c4/11/11/1y9/11/5C5 r - - 0 1", ["board.rank_count", "piece.letter"]),
        ("6c4/11/11/11/11/11/11/11/4(TTT)6/11/11/11 r - - 0 1", ["stack.duplicate", "commander.missing"]),
        ("6c4/11/11/11/11/11/11/11/4(TTC)6/11/11/11 r - - 0 1", ["stack.duplicate"]),
        ("6c4/11/11/11/11/11/11/11/4T6/11/11/11 x - - 0 1", ["turn.value", "commander.missing"]),
        ("6c4/11/11/11/4X6/11/11/11/11/11/11/5C5 r - - 0 1", ["piece.letter"]),
        ("6c4/11/11/11/4X4/11/11/11/11/11/11/5C5 r - - 0 1", ["piece.letter", "board.rank_short"]),
        ("6c4/11/11/11/11/11/11/11/4(T I)6/11/11/5C5 r - - 0 1", ["stack.blank"]),
        (
            "6c4/11/11/11/11/11/11/11/4(+T  C I)6/11/11/11 x - - 0 1",
            ["turn.value", *["stack.blank"] * 3, "stack.members"],
        ),
    ],
)
def test_no_error_hides_another_one(text: str, codes: list[str]) -> None:
    found = read_fen(text).diagnostics
    assert [finding.code for finding in found if finding.is_error] == codes
    assert all(0 <= finding.span.start <= finding.span.end <= len(text) for finding in found)


def test_a_blank_in_a_stack_names_the_stack() -> None:
    text = "6c4/11/11/11/11/11/11/11/4(T I)6/11/11/5C5 r - - 0 1"
    (finding,) = read_fen(text).diagnostics
    assert finding.message == "rank 4: a blank in the stack (T I), expected (TI)"
    assert finding.fix is not None
    span = finding.fix.span
    assert text[: span.start] + finding.fix.replacement + text[span.end :] == text.replace("(T I)", "(TI)")


@pytest.mark.parametrize("stack", ["(T x I)", "(T I x)", "(T x)", "(T r I)", "(T I", "(x T"])
def test_words_that_no_stack_holds_are_not_put_into_one(stack: str) -> None:
    text = BARE.replace("5C5", f"{stack}3C5")
    found = {finding.code: text[slice(*finding.span)] for finding in read_fen(text).diagnostics}
    assert found["paren.open"] == "("
    assert "stack.blank" not in found


def test_clocks_that_cannot_go_together_are_a_warning_and_in_strict_mode_nothing() -> None:
    for clocks, side, doubtful in (("4 3", "r", False), ("5 3", "r", True), ("5 3", "b", False)):
        text = BARE.replace(" r - - 0 1", f" {side} - - {clocks}")
        found = forsyth.check(text, forsyth.game("cotulenh"))
        assert [(d.code, text[slice(*d.span)]) for d in found.diagnostics] == (
            [("half.inconsistent", "5")] if doubtful else []
        )
        assert found.ok
        strict = forsyth.check(text, forsyth.game("cotulenh"), mode="strict")
        assert strict.diagnostics == ()


# --- the scanner ------------------------------------------------------------------------------------

SPELLED = (
    f"{START}\n",
    START.replace(" r ", "  r\t"),
    START.replace("6C4", "6(C)4"),
    START.replace("/11/11/", "/56/11/"),
    START.replace(" 0 1", " 007 9"),
    STACK.replace("NFT", "TFN"),
    BARE.replace("5C5", "11"),
)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("text", SPELLED)
def test_a_text_with_warnings_makes_its_findings_when_they_are_looked_at(text: str, mode: Mode) -> None:
    reading, whole = read_fen(text, mode=mode), explained(text, mode)
    assert reading.ok is whole.ok
    assert reading.position == whole.position
    assert reading == whole


@given(st.data())
def test_scanner_and_reader_give_one_position(data: st.DataObject) -> None:
    text = data.draw(mutated(case_of("cotulenh"))).decode("utf-8", "replace")
    for mode in MODES:
        assert read_fen(text, mode=mode) == explained(text, mode)
