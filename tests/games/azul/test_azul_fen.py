"""Azul texts: golden verdicts, every code in its place, fixes, the grammars, any text at all."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.every_row import every_row

from forsyth import reading
from forsyth.bulk import arrow
from forsyth.diagnostics import MODES, SHARED_CODES, Confidence, Diagnostic, Mode, Severity, apply_fixes
from forsyth.games.azul import AzulState
from forsyth.games.azul.codes import CODES, FAMILIES
from forsyth.games.azul.game import AzulGame
from forsyth.games.azul.notation.fen import assumed, read_fen
from forsyth.games.azul.notation.write import NotExpressible, write_extended, write_standard
from forsyth.games.azul.position import Position, build_board, build_position
from forsyth.games.azul.rules.check import check, list_content_faults, list_reachability_faults
from forsyth.games.azul.tiles import COLOURS, EMPTY_LINES, EMPTY_WALL
from forsyth.limits import MAX_DIAGNOSTICS, MAX_PLAIN

GOLDEN = Path(__file__).parents[2] / "golden" / "azul"
KNOWN = {info.code for info in (*SHARED_CODES, *CODES)}
PLAIN_TYPES = ("standard", "extended", "unknown", "empty")

EMPTY = "-----|-----|-----|-----|-----"
FULL = "BYRK|WBYR|KWBY|RKWB|YRKW"
GONE = "----|----|----|----|----"
NARROW = "-|--|---|----|-----"


def standard(
    factories: str = FULL,
    center: str = "-",
    wall0: str = EMPTY,
    lines0: str = EMPTY,
    floor0: str = "-",
    wall1: str = EMPTY,
    lines1: str = EMPTY,
    floor1: str = "-",
    scores: str = "0,0",
    number: str = "1",
    current: str = "0",
) -> str:
    parts = (factories, center, wall0, lines0, floor0, wall1, lines1, floor1, scores, number, current)
    return "/".join(parts)


def extended(
    factories: str = FULL,
    center: str = "F",
    wall0: str = EMPTY,
    lines0: str = NARROW,
    floor0: str = "-",
    lines1: str = NARROW,
    floor1: str = "-",
    *,
    players: str = "2",
    phase: str = "o",
    scores: str = "0,0",
    number: str = "1",
    current: str = "0",
    start: str = "0",
    bag: str = "16,16,16,16,16",
    discard: str = "0,0,0,0,0",
) -> str:
    head = ("v2", players, phase, factories, center, wall0, lines0, floor0, EMPTY, lines1, floor1)
    return "/".join((*head, scores, number, current, start, bag, discard))


SEED = standard(center="BYRKW")


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    with gzip.open(GOLDEN / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


@cache
def changed_rows() -> tuple[dict[str, Any], ...]:
    """The rows of the golden texts whose former answer was wrong, with the right one."""
    lines = (GOLDEN / "changed_validation.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def codec(kind: str) -> list[dict[str, Any]]:
    return [row for row in rows("codec") if row["kind"] == kind]


def findings(text: str, mode: Mode = "default") -> tuple[Diagnostic, ...]:
    """Everything that reading and legality say."""
    read = read_fen(text, mode=mode)
    if read.position is None:
        return read.diagnostics
    return (*read.diagnostics, *check(read.position, text=text, mode=mode))


def families(found: tuple[Diagnostic, ...], severity: Severity) -> list[str]:
    return sorted({d.family or FAMILIES[d.code] for d in found if d.severity is severity})


def codes(text: str, mode: Mode = "default") -> list[str]:
    return sorted({d.code for d in findings(text, mode)})


def required(text: str, mode: Mode = "default") -> Position:
    return read_fen(text, mode=mode).require()


def verbatim(position: Position) -> str:
    return write_extended(position) if position.complete else write_standard(position)


@cache
def valid_texts() -> tuple[str, ...]:
    return tuple(row["fen"] for row in rows("validation") if row["valid"] and row["type"] in PLAIN_TYPES)


# --- golden verdicts --------------------------------------------------------------------------------


STRUCTURE = {FAMILIES[info.code] for info in CODES if info.stage == "structure"}


def require_verdict(found: tuple[Diagnostic, ...], row: dict[str, Any]) -> None:
    """The codes of the row; behind one of structure more of format are right (spec/azul 8.1, step 3)."""
    more = {d.family for d in found if d.stage == "format"} if STRUCTURE & set(row["errors"]) else set()
    assert families(found, Severity.ERROR) == sorted({*row["errors"], *more})
    assert families(found, Severity.WARNING) == row["warnings"]


@every_row([row for row in rows("validation") if row["type"] in PLAIN_TYPES])
def test_golden_verdict(row: dict[str, Any]) -> None:
    found = findings(row["fen"])
    require_verdict(found, row)
    assert {d.code for d in found} <= KNOWN


@every_row(rows("validation"))
def test_golden_verdict_in_every_form(row: dict[str, Any]) -> None:
    read = reading.check(row["fen"], AzulGame())
    require_verdict(read.diagnostics, row)
    assert read.ok is row["valid"]


@every_row(changed_rows())
def test_golden_verdict_that_was_wrong(row: dict[str, Any]) -> None:
    read = reading.check(row["fen"], AzulGame())
    require_verdict(read.diagnostics, row)
    assert read.ok is row["valid"]
    assert {key: row[key] for key in row["was"]} != row["was"]
    assert row["reason"]


@every_row(valid_texts(), str)
def test_round_trip_is_byte_exact(text: str) -> None:
    assert verbatim(required(text)) == text


def test_canonical_text() -> None:
    for row in codec("canonical"):
        position = required(row["fen"])
        assert str(position) == row["canonical"]
        assert required(row["canonical"], "strict") == position


def test_downgrade() -> None:
    for row in codec("downgrade"):
        position = required(row["fen2"])
        if row["fen"] is None:
            with pytest.raises(NotExpressible):
                write_standard(position, canonical=True)
        else:
            assert write_standard(position, canonical=True) == row["fen"]


def test_each_code_has_its_family() -> None:
    told = {code for row in rows("validation") for code in (*row["errors"], *row["warnings"])}
    assert told <= set(FAMILIES.values())
    assert len(KNOWN) == len(SHARED_CODES) + len(CODES)
    assert set(FAMILIES) == KNOWN


# --- every code in its place ------------------------------------------------------------------------

PLACES = [
    # The place is what stands between < and >.
    ("component.count", f"<{FULL}>", None, "fen"),
    ("component.count", standard() + "</0/x>", None, "fen"),
    ("component.count", extended() + "</>", None, "fen"),
    ("version.unsupported", extended().replace("v2", "<v3>"), None, "fen"),
    ("version.unsupported", extended().replace("v2", "<v02>"), None, "fen"),
    ("players.range", extended(players="<5>"), None, "players"),
    ("players.range", "v2/<>", None, "players"),
    ("phase.format", extended(phase="<x>"), None, "phase"),
    ("factory.count", standard("<BYRK|WBYR>"), None, "factories"),
    ("factory.count", extended(f"<{FULL}|---->"), None, "factories"),
    ("factory.size", standard("BYRK|<WBY>|KWBY|RKWB|YRKW"), "f1", "factories"),
    ("factory.size", standard("BYRK|<>|KWBY|RKWB|YRKW"), "f1", "factories"),
    ("factory.padding", standard("B<->YR|WBYR|KWBY|RKWB|YRKW"), "f0", "factories"),
    ("factory.padding", standard("BYRK|WBYR|KWBY|<-R->B|YRKW"), "f3", "factories"),
    ("tile.color", standard("<X>YRK|WBYR|KWBY|RKWB|YRKW"), "f0", "factories"),
    ("tile.color", standard(center="B<F>"), "c", "center"),
    ("tile.color", standard(floor1="B<+>"), "p1f", "floor"),
    ("tile.color", standard(wall1="-----|-----|---<g>-|-----|-----"), "p1w23", "wall"),
    ("tile.color", extended(lines1="-|--|<F>--|----|-----"), "p1l2", "lines"),
    ("center.format", standard(center="<-->"), "c", "center"),
    ("center.format", standard(center="<>"), "c", "center"),
    ("center.format", extended(center="<BFY>"), "c", "center"),
    ("wall.shape", standard(wall0="<-----|----->"), None, "wall"),
    ("wall.shape", standard(wall1="-----|-----|<------>|-----|-----"), None, "wall"),
    ("line.count", standard(lines0="<-----|----->"), None, "lines"),
    ("line.width", standard(lines0="<||||>"), None, "lines"),
    ("line.width", standard(lines1="-----|-----|<---->|-----|-----"), "p1l2", "lines"),
    ("line.width", standard(lines1="-|--|---|----|<------>"), "p1l4", "lines"),
    ("line.width", extended(lines0=f"<{EMPTY}>"), None, "lines"),
    ("line.gap", standard(lines0="-----|<->R---|-----|-----|-----"), "p0l1", "lines"),
    ("floor.format", standard(floor0="<B->"), "p0f", "floor"),
    ("floor.format", extended(floor1="<B+F>"), "p1f", "floor"),
    ("score.format", standard(scores="<2.0>,0"), "p0s", "scores"),
    ("score.format", standard(scores="<1,2,3>"), None, "scores"),
    ("round.format", standard(number="<01>"), None, "round"),
    ("round.range", standard(number="<11>"), None, "round"),
    ("player.format", standard(current="<x>"), None, "current_player"),
    ("player.range", standard(current="<2>"), None, "current_player"),
    ("start.format", extended(start="<x>"), None, "start"),
    ("start.range", extended(start="<-1>"), None, "start"),
    ("bag.format", extended(bag="<1,2,3,4>"), None, "bag"),
    ("discard.format", extended(discard="<01,0,0,0,0>"), None, "discard"),
    ("factory.tiles", standard("<BYR->|WBYR|KWBY|RKWB|YRKW"), "f0", "factories"),
    ("tile.count", f"<{standard('BBBB|BBBB|BBBB|BBBB|BBBB', 'B')}>", None, "fen"),
    ("tile.conservation", extended(bag="16,<17>,16,16,16"), None, "bag"),
    ("wall.placement", standard(wall0="<Y>----|-----|-----|-----|-----"), "p0w00", "wall"),
    ("line.capacity", standard(lines0="-----|<RRR-->|-----|-----|-----"), "p0l1", "lines"),
    ("line.mixed", standard(lines1="-----|-----|<RRB-->|-----|-----"), "p1l2", "lines"),
    (
        "line.wall_conflict",
        standard(wall1="B----|-----|-----|-----|-----", lines1="<B---->|-----|-----|-----|-----"),
        "p1l0",
        "lines",
    ),
    ("floor.overflow", standard(floor0="<BBBBBBBB>"), "p0f", "floor"),
    ("floor.overflow", extended(floor1="<FBBBBBBB>"), "p1f", "floor"),
    ("score.negative", standard(scores="0,<-3>"), "p1s", "scores"),
    ("marker.count", extended(center="<->"), "c", "center"),
    ("marker.count", extended(center="F", floor1="<F>"), "p1f", "floor"),
    ("marker.count", extended(GONE, "<F>", phase="d"), "c", "center"),
    ("phase.mismatch", extended(phase="<t>"), None, "phase"),
    ("center.overfull", standard(center="<BYRKW>"), "c", "center"),
    ("round.tiles", f"<{SEED}>", None, "fen"),
    ("missing.tiles", f"<{standard('BYRK|WBYR|KWBY|RKWB|----')}>", None, "fen"),
    ("draft.supply", standard(center="BYRKW", number="<1>"), None, "round"),
    ("wall.round", standard(wall0="-----|<W---->|-----|-----|-----"), None, "wall"),
    ("score.wall", standard(scores="<1>,0", number="2"), "p0s", "scores"),
    ("play.after_end", standard(wall1="-----|-----|<KWBYR>|-----|-----", number="9"), None, "wall"),
    ("marker.early", extended(center="<->", floor0="F"), "c", "center"),
    ("turn.order", extended(current="<1>"), None, "current_player"),
]


def marked(text: str) -> tuple[str, tuple[int, int]]:
    start, end = text.index("<"), text.index(">")
    return text[:start] + text[start + 1 : end] + text[end + 1 :], (start, end - 1)


@pytest.mark.parametrize(("code", "text", "square", "field"), PLACES)
def test_every_code_in_its_place(code: str, text: str, square: str | None, field: str) -> None:
    text, place = marked(text)
    found = next(d for d in findings(text) if d.code == code)
    assert (tuple(found.span), found.square, found.field) == (place, square, field)
    assert found.family == code.replace(".", "_").upper()
    info = next(info for info in CODES if info.code == code)
    assert (found.severity, found.stage) == (info.severity, info.stage)


def test_every_code_has_a_place_above() -> None:
    own = {"fen.space", "fen.spelling"}
    assert {code for code, *_ in PLACES} == {info.code for info in CODES} - own


def test_places_default_to_the_canonical_text() -> None:
    narrow = standard(lines0="-|RB|---|----|-----")
    found = check(required(narrow))
    assert str(required(narrow))[slice(*found[0].span)] == "RB---"
    assert narrow[slice(*check(required(narrow), text=narrow)[0].span)] == "RB"


def test_places_in_a_text_of_another_shape_are_the_whole_text() -> None:
    position = required(extended(bag="16,17,16,16,16"))
    (found,) = check(position, text="start")
    assert tuple(found.span) == (0, 5)
    assert found.fix is None
    (found,) = check(position, text=standard())
    assert tuple(found.span) == (0, len(standard()))


MESSAGES = [
    ("", "Empty FEN string"),
    ("/" * 1200, "FEN string too long: 1200 characters"),
    (FULL, "Invalid FEN format: expected 11 components, got 1"),
    ("v2/4/o", "Invalid FEN format: expected 23 components, got 3"),
    ("v2/5/", "Number of players must be 2 to 4, got 5"),
    ("v3/2/", "Unsupported FEN version: v3"),
    (extended(phase="x"), "Invalid phase: x"),
    (standard("BYRK|WBYR"), "Expected 5 factories, got 2"),
    (standard("BYR|WBYR|KWBY|RKWB|YRKW"), "Factory 0 has 3 tiles, expected 4"),
    (standard("B-YR|WBYR|KWBY|RKWB|YRKW"), "Factory 0: dashes must follow the tiles"),
    (standard("XYRK|WBYR|KWBY|RKWB|YRKW"), "Invalid tile color: X"),
    (standard(center="B-Y"), "Invalid center: B-Y"),
    (standard(wall1="-----"), "Wall of player 1 must be 5 rows of 5 cells"),
    (standard(lines0="-----"), "Player 0: expected 5 pattern lines, got 1"),
    (standard(lines0="||||"), "Player 0: pattern line widths 0,0,0,0,0 are not allowed"),
    (standard(lines1="-----|-R---|-----|-----|-----"), "Player 1 line 1: tiles must be left-aligned"),
    (standard(floor1="B-"), "Invalid floor line of player 1: B-"),
    (standard(scores="2.0,0"), "Scores must be comma-separated integers, got 2.0,0"),
    (standard(number="x"), "Round must be a positive integer, got x"),
    (standard(number="11"), "Round must be between 1 and 10, got 11"),
    (extended(number="0"), "Round must be between 1 and 9999, got 0"),
    (standard(current="x"), "Current player must be an integer, got x"),
    (standard(current="2"), "Current player must be 0 or 1, got 2"),
    (extended(start="x"), "Starting player must be an integer, got x"),
    (extended(start="2"), "Starting player must be 0 or 1, got 2"),
    (extended(bag="1,2,3,4"), "Bag must list 5 counts (B,Y,R,K,W), got 1,2,3,4"),
    (extended(discard="0"), "Discard must list 5 counts (B,Y,R,K,W), got 0"),
    (standard("BYR-|WBYR|KWBY|RKWB|YRKW"), "Factory 0 has 3 tiles, expected 4"),
    (standard("BBBB|BBBB|BBBB|BBBB|BBBB", "B"), "Too many blue tiles: 21 of 20"),
    (extended(bag="17,16,16,16,16"), "blue: 21 tiles in the game, expected 20"),
    (standard(wall0="Y----|-----|-----|-----|-----"), "Invalid wall placement at row 0, col 0"),
    (standard(lines0="-----|RRR--|-----|-----|-----"), "Player 0 line 1 holds 3 tiles, capacity 2"),
    (standard(lines0="-----|RB---|-----|-----|-----"), "Player 0 line 1 mixes colors"),
    (standard(floor1="BBBBBBBB"), "Floor line of player 1 holds 8 tiles, at most 7"),
    (standard(scores="-3,4"), "Player 0 has a negative score: -3"),
    (extended(center="-"), "Expected 1 first-player marker, found 0"),
    (extended(phase="t"), "Phase t does not fit the position"),
    (SEED, "Center holds 5 tiles but 0 factories are empty"),
]


@pytest.mark.parametrize(("text", "message"), MESSAGES)
def test_messages_are_those_of_the_specification(text: str, message: str) -> None:
    assert findings(text)[0].message == message


def test_all_findings_at_once() -> None:
    text = standard(
        "BY|X-YR|KWBY|RKWB|YRKW", "--", lines1="-R---|-----|-----|-----|", scores="01,x", number="0"
    )
    found = findings(text)
    assert [(d.code, text[slice(*d.span)]) for d in found] == [
        ("factory.size", "BY"),
        ("factory.padding", "-"),
        ("tile.color", "X"),
        ("center.format", "--"),
        ("line.width", ""),
        ("line.gap", "-"),
        ("score.format", "01,x"),
        ("round.range", "0"),
    ]


def test_only_the_first_fault_of_structure_is_told() -> None:
    assert codes("v3/9/x/-/-") == ["version.unsupported"]
    assert codes("v2/9/x/-/-") == ["players.range"]
    assert codes("v2/2/x/-/-") == ["component.count"]


def without(text: str, *numbers: int) -> str:
    """A text with some of its components left out."""
    return "/".join([part for number, part in enumerate(text.split("/")) if number not in numbers])


BROKEN = standard("XYRK|WBYR|KWBY|RKWB|YRKW", "B", lines1="-R---|-----|-----|-----|-----", scores="a,b")
BROKEN_CODES = ["line.gap", "score.format", "tile.color"]


@pytest.mark.parametrize(
    ("text", "more"),
    [
        *[(without(BROKEN, number), BROKEN_CODES) for number in (1, 4, 7, 9, 10)],
        *[(without(BROKEN, number), BROKEN_CODES) for number in (2, 3)],
        (without(BROKEN, 8), ["line.gap", "tile.color"]),
        (without(BROKEN, 0), ["line.gap", "score.format"]),
        # Whose board is missing cannot be told, so that the other is nobody's.
        (without(BROKEN, 2, 3, 4), ["score.format", "tile.color"]),
        # Texts that break off.
        (without(BROKEN, *range(1, 11)), ["tile.color"]),
        (without(BROKEN, 8, 9, 10), ["line.gap", "tile.color"]),
        (f"{BROKEN}/0/x", BROKEN_CODES),
        (BROKEN.replace("/B/", "//B/"), BROKEN_CODES),
        (BROKEN.replace("/", ";"), BROKEN_CODES),
        (without(extended(bag="1", phase="x"), 4), ["bag.format", "phase.format"]),
        # Which of two it is that is missing cannot be told, so that what is there is neither.
        (without(standard(wall0="-Y-|-----|-----|-----|-----"), 3), []),
        # What belongs elsewhere says nothing about the place it stands in.
        (without(standard(floor0=EMPTY), 1), []),
        # Nothing like an Azul text.
        ("|", []),
        ("BYRKRRKY|Y|", []),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []),
        ("hello", []),
        ("/////////", []),
    ],
)
def test_components_are_judged_where_others_are_missing_or_too_many(text: str, more: list[str]) -> None:
    assert codes(text) == sorted(["component.count", *more])
    assert findings(text)[0].code == "component.count"


def test_components_are_judged_where_only_the_number_of_players_is_wrong() -> None:
    for players, code in (("5", "players.range"), ("3", "component.count")):
        text = extended(players=players, center="FF", bag="1")
        assert codes(text) == sorted(["bag.format", "center.format", code])
        assert apply_fixes(text, findings(text)[:1], Confidence.LIKELY) == extended(center="FF", bag="1")


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (without(standard(), 1), standard()),
        (without(standard(center="BY", floor0="-"), 4), standard(center="BY")),
        (without(standard(), 7), standard()),
        (without(standard(), 2), standard()),
        (
            without(standard(wall0="B----|-----|--B--|-----|-----"), 3),
            standard(wall0="B----|-----|--B--|-----|-----"),
        ),
        (without(standard(number="7"), 10), standard(number="7")),
        (without(standard(current="0"), 9), standard()),
        (without(extended(), 6), extended()),
        (standard().replace("/-/", "//-/", 1), standard()),
        (f"{standard()}/0", standard()),
        (without(standard(wall0="B----|-----|-----|-----|-----"), 3), None),
        (without(standard(), 0), None),
        (without(standard(), 1, 4), None),
    ],
)
def test_a_component_that_is_plainly_missing_or_too_many_is_mended(text: str, fixed: str | None) -> None:
    found = findings(text)
    assert found[0].code == "component.count"
    assert apply_fixes(text, found[:1], Confidence.GUESS) == (text if fixed is None else fixed)
    require_honest_fixes(text)


def test_scores_that_are_none_are_one_error() -> None:
    (found,) = findings(standard(scores="a,b"))
    assert (found.message, found.fix) == ("Scores must be comma-separated integers, got a,b", None)
    assert standard(scores="a,b")[slice(*found.span)] == "a,b"


def test_anything_but_a_dash_is_a_tile_where_order_is_judged() -> None:
    assert codes(standard(lines0="-----|-----|-----|-----|KK-X-")) == ["line.gap", "tile.color"]
    assert codes(standard("-1--|WBYR|KWBY|RKWB|YRKW")) == ["factory.padding", "tile.color"]


def test_findings_are_bounded_and_every_code_is_among_them() -> None:
    text = standard("x" * 300, scores="x", number="y", current="z")
    found = findings(text)
    assert len(found) == MAX_DIAGNOSTICS
    assert {d.code for d in found} == {
        "factory.count",
        "factory.size",
        "tile.color",
        "score.format",
        "round.format",
        "player.format",
    }


def test_what_is_no_text() -> None:
    for value in (None, 5, b"BYRK", ["BYRK"]):
        (found,) = read_fen(value).diagnostics
        assert (found.code, found.family) == ("fen.type", "EMPTY")
    (found,) = read_fen("/" * (MAX_PLAIN + 1)).diagnostics
    assert (found.code, found.family, found.span) == ("fen.length", "TOO_LONG", (MAX_PLAIN, MAX_PLAIN + 1))
    assert codes("/" * MAX_PLAIN) == ["component.count"]
    assert read_fen("").diagnostics[0].family == "EMPTY"


# --- fixes ------------------------------------------------------------------------------------------


def tally(found: tuple[Diagnostic, ...]) -> Counter[tuple[str, int | str, str | None]]:
    return Counter((d.code, d.field, d.square) for d in found)


def require_honest_fixes(text: str, mode: Mode = "default") -> None:
    """Every fix, applied alone, takes its finding away."""
    found = findings(text, mode)
    if len(found) == MAX_DIAGNOSTICS:
        return
    before = tally(found)
    for finding in found:
        if finding.fix is None:
            continue
        fixed = apply_fixes(text, [finding], Confidence.GUESS)
        key = (finding.code, finding.field, finding.square)
        assert tally(findings(fixed, mode))[key] < before[key], (text, finding)


def test_fixes_take_their_finding_away() -> None:
    for _, text, *_ in PLACES:
        require_honest_fixes(marked(text)[0])
    for row in rows("validation"):
        require_honest_fixes(row["fen"])
    for text in valid_texts():
        require_honest_fixes(text, "strict")


FIXES = [
    (standard("byrk|WBYR|KWBY|RKWB|YRKW"), standard()),
    (standard("BYRK|WBYR|KWBY|RKWB|YRKW-"), standard()),
    (standard("BYRK|WBYR|KWBY|RKWB|--"), standard("BYRK|WBYR|KWBY|RKWB|----")),
    (standard("BYRK|WBYR|KWBY|RKWB|-YRK"), standard("BYRK|WBYR|KWBY|RKWB|YRK-")),
    (standard("BYRK|WBYR|KWBY|RKWB|YRK"), None),
    (standard(center="--"), standard()),
    (standard(center=""), standard()),
    (standard(center="-B"), standard(center="B")),
    (standard(center="\u2014"), standard()),
    (extended(center="BFY"), extended(center="BYF")),
    (extended(center="FF"), extended()),
    (standard(wall0="----|-----|-----|-----|-----"), standard()),
    (standard(lines0="||||"), standard()),
    (standard(lines0="B||RR||"), standard(lines0="B----|-----|RR---|-----|-----")),
    (standard(lines0="-----|-----|-----|-----|"), standard()),
    (standard(lines0="-|--|---|----|-"), standard(lines0=NARROW)),
    (standard(lines0="-----|-R---|-----|-----|-----"), standard(lines0="-----|R----|-----|-----|-----")),
    (extended(lines0=EMPTY), extended()),
    (extended(lines0="B||RR||"), extended(lines0="B|--|RR-|----|-----")),
    (standard(floor0="-------"), standard()),
    (extended(floor0="BB+F"), extended(floor0="BBF")),
    (extended(floor0="BBBBBBBB+F"), None),
    (standard(scores="2.0,+1"), standard(scores="2,1")),
    (standard(scores="-01,-0"), standard(scores="-1,0")),
    (standard(number="01"), standard()),
    (standard(number="0011"), None),
    (standard(current="0\n"), standard()),
    (extended(bag="016,16,16,16,16"), extended()),
    (f" {standard()}", standard()),
    (f"  {extended()}\n", extended()),
    (standard() + "/", standard()),
    (standard().replace("/", ";"), standard()),
    (standard().replace("/", "\\", 3), standard()),
    (FULL, None),
]


@pytest.mark.parametrize(("text", "fixed"), FIXES)
def test_fixes(text: str, fixed: str | None) -> None:
    assert apply_fixes(text, findings(text), Confidence.LIKELY) == (text if fixed is None else fixed)


def test_a_text_in_lower_case_is_mended_at_once() -> None:
    for row in rows("validation"):
        if row["note"] != "lower case" or row["type"] != "standard":
            continue
        fixed = apply_fixes(row["fen"], findings(row["fen"]), Confidence.LIKELY)
        assert fixed == row["fen"].upper()
    text = standard(lines0="byrkwbyrkw" * 9)
    assert len(findings(text)) == MAX_DIAGNOSTICS
    assert apply_fixes(text, findings(text), Confidence.LIKELY) == text.upper()


# --- modes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["default", "lenient"])
def test_blanks_around_a_text_are_accepted_with_a_warning(mode: Mode) -> None:
    for before, after in ((" ", ""), ("", "\n"), ("\t ", " \r\n"), ("\u00a0", "")):
        for plain in (standard(), extended()):
            text = before + plain + after
            read = read_fen(text, mode=mode)
            (found,) = read.diagnostics
            assert (found.code, found.severity, found.family) == ("fen.space", Severity.WARNING, "FEN_SPACE")
            assert text[slice(*found.span)] == (before or after)
            assert read.require() == required(plain)
            assert apply_fixes(text, [found]) == plain
    assert codes(" \n", mode) == ["fen.empty"]


def test_strict_mode_refuses_blanks_around_a_text() -> None:
    (found,) = read_fen(f" {required(standard())}", mode="strict").diagnostics
    assert (found.code, found.severity) == ("fen.space", Severity.ERROR)
    assert codes(" \n", "strict") == ["fen.empty"]


@pytest.mark.parametrize("plain", [standard(), extended()])
def test_the_document_functions_accept_blanks_around_a_text(plain: str) -> None:
    for text in (f" {plain}", f"{plain}\r\n"):
        assert AzulState.from_fen(text) == AzulState.from_fen(plain)
        assert AzulState.validate_fen(text)
        assert not AzulState.validate_fen(text, "strict")
        report, plain_report = AzulState.check_fen(text), AzulState.check_fen(plain)
        assert [issue.code for issue in report.warnings] == ["FEN_SPACE"]
        assert (report.type, report.details) == (plain_report.type, plain_report.details)


def test_places_in_a_text_with_blanks_around_it() -> None:
    text = "  " + standard(scores="-1,0", lines0="|RB|||")
    assert [text[slice(*d.span)] for d in findings(text, "lenient")] == ["  ", "|RB|||", "RB", "-1"]


def test_lenient_widens_bare_lines() -> None:
    read = read_fen(standard(lines0="B||RR||"), mode="lenient")
    (found,) = read.diagnostics
    assert (found.code, found.severity) == ("line.width", Severity.WARNING)
    assert read.require().boards[0].lines == ("B", "", "RR", "", "")
    assert verbatim(read.require()) == standard(lines0="B----|-----|RR---|-----|-----")
    assert required(extended(lines1="|BB|||"), "lenient").boards[1].lines == ("", "BB", "", "", "")
    assert codes(extended(lines1="|BBB|||"), "lenient") == ["line.width"]
    assert codes(standard(lines1="BBBBBB||||"), "lenient") == ["line.width"]
    assert not read_fen(standard(lines0="B||RR||-"), mode="lenient").ok
    assert not read_fen(standard(lines0="b||RR||"), mode="lenient").ok
    assert not read_fen(standard(lines0="B||RR||")).ok


def test_strict_takes_canonical_text_only() -> None:
    assert required(
        standard(FULL.replace("WBYR", "BYRW").replace("KWBY", "BYKW").replace("RKWB", "BRKW")), "strict"
    )
    (found,) = read_fen(standard(), mode="strict").diagnostics
    assert (found.code, found.severity, found.stage) == ("fen.spelling", Severity.ERROR, "format")
    assert apply_fixes(standard(), [found]) == str(required(standard()))
    assert standard()[slice(*found.span)] == "WBYR|KWBY|RKWB"
    narrow = standard(GONE, "BYR", lines1="-|--|R--|----|-----")
    (found,) = read_fen(narrow, mode="strict").diagnostics
    assert apply_fixes(narrow, [found]) == str(required(narrow))
    assert all(d.is_error for d in findings(SEED, "strict"))
    assert all(d.is_error for d in check(required(SEED), mode="strict"))


# --- what a standard text leaves unsaid -------------------------------------------------------------


def test_assumptions_of_a_standard_text() -> None:
    wall = "BYRKW|-----|-----|-----|-----"
    cases = [
        (standard(), "o", True),
        (standard(GONE, "B"), "o", True),
        (standard(GONE, lines1="B----|-----|-----|-----|-----"), "t", True),
        (standard(GONE, floor0="B", wall0=wall), "t", True),
        (standard(GONE, wall1=wall), "e", False),
        (standard(GONE, lines1="-----|B----|-----|-----|-----"), "d", False),
    ]
    for text, phase, marker in cases:
        position = required(text)
        assert (position.phase, position.marker_in_center, position.complete) == (phase, marker, False)
    position = required(standard(GONE, "BBB", wall0=wall, current="1"))
    assert (position.start, position.bag, position.discard) == (1, (16, 19, 19, 19, 19), (0,) * 5)
    crowded = required(standard("BBBB|BBBB|BBBB|BBBB|BBBB", "B"))
    assert crowded.bag == (0, 20, 20, 20, 20)
    assert assumed(crowded.factories, "B", crowded.boards, 1, 0) == crowded


def test_an_extended_text_says_it_all() -> None:
    text = (
        "v2/2/o/----|----|----|----|RRKW/K/-----|-----|-----|-----|-----/-|W-|---|----|-----/BBBBBBB+F"
        "/-----|-----|-----|-----|-----/-|--|---|----|-----/YYYYRR/0,0/1/1/0/12,16,16,18,18/1,0,0,0,0"
    )
    position = required(text)
    assert position.boards[0].held
    assert position.boards[0].floor == "BBBBBBB"
    assert not position.marker_in_center
    assert position.complete
    assert verbatim(position) == text
    assert codes(text) == []


def test_a_hidden_marker_is_not_judged() -> None:
    """A position played on from a standard text may hold a marker that the text does not show."""
    board = build_board(EMPTY_WALL, EMPTY_LINES, "FBBBBBBB", False, 0)
    other = build_board(EMPTY_WALL, EMPTY_LINES, "", False, 0)
    factories = ("YRKW", "", "", "", "")
    values = ("YYY", False, (board, other), "o", 2, 0, 0, (0,) * 5, (0,) * 5)
    incomplete = build_position(factories, *values, False)
    assert list_content_faults(incomplete) == ()
    assert list_reachability_faults(incomplete) == ()
    told = {fault.code for fault in list_content_faults(build_position(factories, *values, True))}
    assert told == {"floor.overflow", "tile.conservation"}


# --- an independent judge of content and reachability -----------------------------------------------

WALL = [[COLOURS[(column - row) % 5] for column in range(5)] for row in range(5)]
FLOOR = 7


def run(cells: list[bool], at: int) -> int:
    first = last = at
    while first > 0 and cells[first - 1]:
        first -= 1
    while last < 4 and cells[last + 1]:
        last += 1
    return last - first + 1


def most_points(wall: list[str], over: bool) -> int:
    there = [[cell != "-" for cell in row] for row in wall]
    down = [list(column) for column in zip(*there, strict=True)]
    points = 0
    for row in range(5):
        for column in range(5):
            if there[row][column]:
                h, v = run(there[row], column), run(down[column], row)
                points += (h if h > 1 else 0) + (v if v > 1 else 0) or 1
    if over:
        colours = [all(there[row][(k + row) % 5] for row in range(5)) for k in range(5)]
        points += 2 * sum(map(all, there)) + 7 * sum(map(all, down)) + 10 * sum(colours)
    return points


def judged(text: str) -> list[str]:
    """The codes of spec/azul 8.3 and 8.4, cell by cell from the text; of a well-formed text only."""
    v2 = text.startswith("v2/")
    parts = text.split("/")[3:] if v2 else text.split("/")
    phase = text.split("/")[2] if v2 else ""
    n = int(text.split("/")[1]) if v2 else 2
    factories = [factory.strip("-") for factory in parts[0].split("|")]
    center = parts[1].strip("-").replace("F", "")
    walls = [parts[2 + 3 * p].split("|") for p in range(n)]
    lines = [[line.strip("-") for line in parts[3 + 3 * p].split("|")] for p in range(n)]
    spaces = [parts[4 + 3 * p].replace("+F", "").strip("-") for p in range(n)]
    floors = [floor.replace("F", "") for floor in spaces]
    tail = parts[2 + 3 * n :]
    scores, number = [int(score) for score in tail[0].split(",")], int(tail[1])
    visible = "".join(
        (
            *factories,
            center,
            *[row for wall in walls for row in wall],
            *[t for b in lines for t in b],
            *floors,
        )
    )
    display = len("".join(factories)) + len(center)
    full = sum(len(board[i]) >= i + 1 for board in lines for i in range(5))
    rows_done = sum("-" not in row for wall in walls for row in wall)
    bad = set()
    short = [factory for factory in factories if 0 < len(factory) < 4]
    counts = [[int(c) for c in part.split(",")] for part in tail[-2:]] if v2 else [[0] * 5] * 2
    if short and (n == 2 or len(short) > 1 or any(counts[0])):
        bad.add("factory.tiles")
    for k, colour in enumerate(COLOURS):
        if v2 and visible.count(colour) + counts[0][k] + counts[1][k] != 20:
            bad.add("tile.conservation")
        if not v2 and visible.count(colour) > 20:
            bad.add("tile.count")
    for p in range(n):
        for r in range(5):
            if any(walls[p][r][c] not in ("-", WALL[r][c]) for c in range(5)):
                bad.add("wall.placement")
            if len(lines[p][r]) > r + 1:
                bad.add("line.capacity")
            if len(set(lines[p][r])) > 1:
                bad.add("line.mixed")
            if set(lines[p][r]) & set(walls[p][r]):
                bad.add("line.wall_conflict")
        if len(spaces[p]) > FLOOR:
            bad.add("floor.overflow")
        if scores[p] < 0:
            bad.add("score.negative")
    if v2:
        if text.count("F") != (phase in "ot"):
            bad.add("marker.count")
        quiet = not display and not full and not any(spaces)
        stock = any(counts[0]) or any(counts[1])
        fits = {"o": display > 0, "t": display == 0, "d": quiet, "e": quiet and (rows_done or not stock)}
        if not fits[phase]:
            bad.add("phase.mismatch")
    if bad:
        return sorted(bad)
    per, on_floor, in_lines = 4 * (2 * n + 1), len("".join(floors)), sum(len(t) for b in lines for t in b)
    pending = phase in "ot" if v2 else bool(display or full or on_floor)
    if len(center) > 3 * factories.count(""):
        bad.add("center.overfull")
    if display + on_floor + (in_lines if number == 1 and pending else full) > per:
        bad.add("round.tiles")
    roomy = all(len(s) < FLOOR for s in spaces) if v2 else all(len(f) < FLOOR - 1 for f in floors)
    if number == 1 and pending and display + on_floor + in_lines < per and roomy:
        bad.add("missing.tiles")
    drafted = sum((r + 1) * (5 - wall[r].count("-")) for wall in walls for r in range(5))
    if drafted + in_lines + on_floor + display > per * number:
        bad.add("draft.supply")
    if any(5 - row.count("-") > number - pending for wall in walls for row in wall):
        bad.add("wall.round")
    over = phase == "e" if v2 else rows_done > 0
    if any(scores[p] > most_points(walls[p], over) for p in range(n)):
        bad.add("score.wall")
    if rows_done and (display or full or on_floor or (v2 and pending)):
        bad.add("play.after_end")
    if phase == "o" and "" not in factories:
        if "F" not in parts[1]:
            bad.add("marker.early")
        if tail[2] != tail[3]:
            bad.add("turn.order")
    return sorted(bad)


# --- any text at all --------------------------------------------------------------------------------


def line(room: int) -> str:
    return "|".join(f"[BYRKW]{{{count}}}-{{{room - count}}}" for count in range(room + 1))


FACTORY = "(?:[BYRKW]{4}|[BYRKW]{3}-|[BYRKW]{2}--|[BYRKW]---|----)"
ROW = "[BYRKW-]{5}"
WALL_TEXT = rf"{ROW}(?:\|{ROW}){{4}}"
WIDE_TEXT = r"\|".join([f"(?:{line(5)})"] * 5)
NARROW_TEXT = r"\|".join(f"(?:{line(room)})" for room in range(1, 6))
INT = "(?:0|-?[1-9][0-9]{0,3})"
COUNTS = "(?:0|[1-9][0-9]{0,2})(?:,(?:0|[1-9][0-9]{0,2})){4}"
BOARD = f"{WALL_TEXT}/(?:{WIDE_TEXT}|{NARROW_TEXT})/(?:[BYRKW]+|-)"
BOARD2 = f"{WALL_TEXT}/(?:{NARROW_TEXT})/(?:-|[BYRKWF]{{7}}\\+F|[BYRKWF]+)"
GRAMMAR = re.compile(
    rf"{FACTORY}(?:\|{FACTORY}){{4}}/(?:[BYRKW]+|-)/{BOARD}/{BOARD}/{INT},{INT}/(?:[1-9]|10)/[01]\Z"
)
GRAMMARS = [
    re.compile(
        rf"v2/{n}/[otde]/{FACTORY}(?:\|{FACTORY}){{{2 * n}}}/(?:-|[BYRKW]*F|[BYRKW]+)/(?:{BOARD2}/){{{n}}}"
        rf"{INT}(?:,{INT}){{{n - 1}}}/[1-9][0-9]{{0,3}}/[0-{n - 1}]/[0-{n - 1}]/{COUNTS}/{COUNTS}\Z"
    )
    for n in (2, 3, 4)
]


def is_well_formed(text: str) -> bool:
    return len(text) <= MAX_PLAIN and any(grammar.match(text) for grammar in (GRAMMAR, *GRAMMARS))


def require_sense(text: str) -> None:
    """What must hold of every text: no crash, places inside it, known codes, one verdict with the grammar."""
    for mode in MODES:
        read = read_fen(text, mode=mode)
        assert read.ok is (read.position is not None)
        for finding in findings(text, mode):
            assert 0 <= finding.span.start <= finding.span.end <= len(text)
            assert finding.code in KNOWN
            assert finding.fix is None or 0 <= finding.fix.span.start <= finding.fix.span.end <= len(text)
        assert len(read.diagnostics) <= MAX_DIAGNOSTICS
    found = read_fen(text)
    stripped = text.strip()
    is_short = len(text) <= MAX_PLAIN
    assert found.ok is (is_short and is_well_formed(stripped)), text
    if found.position is None:
        return
    assert [finding.code for finding in found.diagnostics] == ["fen.space"] * (stripped != text)
    assert verbatim(found.position) == stripped
    assert required(str(found.position), "strict") == found.position
    assert [code for code in codes(text) if code != "fen.space"] == judged(stripped), text


def test_the_grammars_take_the_golden_texts() -> None:
    for row in rows("validation"):
        require_sense(row["fen"])


@given(st.text(max_size=60) | st.text("BYRKWF-|/,+0123v \n", max_size=200))
def test_any_text(text: str) -> None:
    require_sense(text)
    require_honest_fixes(text)


PIECES = [
    "B",
    "Y",
    "R",
    "K",
    "W",
    "F",
    "+F",
    "-",
    "--",
    "|",
    "/",
    ",",
    "0",
    "1",
    "9",
    "v2/",
    "o",
    "d",
    "e",
    "x",
    " ",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid text with a few characters changed, added or taken away."""
    text = draw(st.sampled_from(valid_texts()))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        gone = draw(st.integers(0, 2))
        text = text[:at] + draw(st.sampled_from(["", *PIECES])) + text[at + gone :]
    return text


@given(mutated())
def test_mutated_texts(text: str) -> None:
    require_sense(text)
    require_honest_fixes(text)


@st.composite
def blended(draw: st.DrawFn) -> str:
    """A well-formed text with components of several: its content seldom fits together."""
    like = draw(st.sampled_from(valid_texts()))
    peers = [text.split("/") for text in valid_texts() if text.count("/") == like.count("/")]
    parts = like.split("/")
    for at in draw(st.lists(st.integers(0, len(parts) - 1), max_size=3)):
        parts[at] = draw(st.sampled_from(peers))[at]
    return "/".join(parts)


@given(blended())
def test_blended_texts(text: str) -> None:
    assert is_well_formed(text)
    require_sense(text)
    require_honest_fixes(text)


@given(st.lists(st.sampled_from(range(32)), min_size=5, max_size=5), st.integers(0, 260), st.booleans())
def test_what_a_wall_can_earn(masks: list[int], score: int, over: bool) -> None:
    wall = ["".join(WALL[r][c] if masks[r] >> c & 1 else "-" for c in range(5)) for r in range(5)]
    text = extended(GONE, "-", "|".join(wall), phase="e" if over else "d", scores=f"{score},0", number="9")
    told = {fault.code for fault in list_reachability_faults(required(text))}
    assert ("score.wall" in told) is (score > most_points(wall, over))


AZUL = AzulGame()
WIDE_LINES = ("Y----", "K----", "W----", "Y----", "R----")
NARROW_LINES = ("Y", "K-", "W--", "Y---", "R----")


def _with_lines(player: int, lines: str) -> str:
    boards = [f"-----|-----|-----|-----|-----/{'|'.join(WIDE_LINES)}/-"] * 2
    boards[player] = f"-----|-----|-----|-----|-----/{lines}/-"
    return f"----|----|----|----|----/-/{boards[0]}/{boards[1]}/0,0/1/0"


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("line", range(5))
@pytest.mark.parametrize("usual", [WIDE_LINES, NARROW_LINES])
@pytest.mark.parametrize("excess", [-1, 1, 2])
def test_a_line_of_another_width_has_its_span_its_square_and_its_fix(
    player: int, line: int, usual: tuple[str, ...], excess: int
) -> None:
    width = len(usual[line]) + excess
    if width < 1:
        return
    odd = usual[line][:1].ljust(width, "-")
    parts = (*usual[:line], odd, *usual[line + 1 :])
    text = _with_lines(player, "|".join(parts))
    reading = AZUL.read(text)
    found = [finding for finding in reading.diagnostics if finding.code == "line.width"]
    assert len(found) == 1
    # The slashes distinguish the lines from those of the other board, which may begin alike.
    start = text.index(f"/{'|'.join(parts)}/") + 1 + sum(len(part) + 1 for part in parts[:line])
    assert found[0].span == (start, start + width)
    assert found[0].square == f"p{player}l{line}"
    assert found[0].fix is not None
    repaired = text[:start] + usual[line] + text[start + width :]
    assert apply_fixes(text, found, Confidence.GUESS) == repaired


@pytest.mark.parametrize("player", [0, 1])
def test_narrow_lines_are_read_as_wide_ones_and_kept_for_their_player(player: int) -> None:
    text = _with_lines(player, "|".join(NARROW_LINES))
    position = AZUL.read(text).require()
    assert position == AZUL.read(_with_lines(player, "|".join(WIDE_LINES))).require()
    (spelling,) = AZUL.read(text, mode="strict").diagnostics
    # The span begins after the tile of the first line and ends before that of the last one.
    lines_start = text.index("|".join(NARROW_LINES))
    lines_end = lines_start + len("|".join(NARROW_LINES))
    assert spelling.code == "fen.spelling"
    assert lines_start <= spelling.span.start < spelling.span.end <= lines_end
    assert apply_fixes(text, (spelling,)) == str(position) == _with_lines(player, "|".join(WIDE_LINES))


@pytest.mark.parametrize("lines", ["Y|K----|W--|Y----|R----", "Y--|K---|W--|Y---|R----"])
def test_lines_with_several_odd_widths_are_one_finding_about_all_of_them(lines: str) -> None:
    text = _with_lines(1, lines)
    (found,) = AZUL.read(text).diagnostics
    start = text.index(lines)
    assert (found.code, found.span, found.square) == ("line.width", (start, start + len(lines)), None)
    _require_same_in_a_column(text, found)


def _require_same_in_a_column(text: str, finding: Diagnostic) -> None:
    """The kernel for columns has its own notes, which begin and end where those of the reader do."""
    (row,) = arrow.scan(pa.array([text]), "azul").to_pylist()
    assert (row["code"], row["start"], row["end"]) == (finding.code, *finding.span)
    assert row["square"] == finding.square


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("row", range(5))
@pytest.mark.parametrize("usual", [WIDE_LINES, NARROW_LINES])
def test_a_finding_about_the_tiles_of_a_line_has_its_span(
    player: int, row: int, usual: tuple[str, ...]
) -> None:
    colour = usual[row][0]
    column = ("BYRKW".index(colour) + row) % 5
    walls = ["-----"] * 5
    walls[row] = "-" * column + colour + "-" * (4 - column)
    lines = "|".join(usual)
    text = _with_lines(player, lines)
    start = text.index(f"-----/{lines}/", text.index(EMPTY) + player * len(EMPTY)) - 24
    assert text[start : start + 29] == EMPTY
    text = f"{text[:start]}{'|'.join(walls)}{text[start + 29 :]}"
    (found,) = AZUL.check(AZUL.read(text).require(), text=text)
    line_start = start + 30 + sum(len(line) + 1 for line in usual[:row])
    assert (found.code, found.square) == ("line.wall_conflict", f"p{player}l{row}")
    assert found.span == (line_start, line_start + len(usual[row]))
    assert text[found.span.start : found.span.end] == usual[row]
    _require_same_in_a_column(text, found)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("row", range(1, 5))
@pytest.mark.parametrize("usual", [WIDE_LINES, NARROW_LINES])
def test_a_line_of_two_colours_has_its_span(player: int, row: int, usual: tuple[str, ...]) -> None:
    """Boards that no game reaches have their own notes, with the widths of narrow lines."""
    mixed = "BY".ljust(len(usual[row]), "-")
    parts = (*usual[:row], mixed, *usual[row + 1 :])
    text = _with_lines(player, "|".join(parts))
    (found,) = AZUL.check(AZUL.read(text).require(), text=text)
    start = text.index(f"/{'|'.join(parts)}/") + 1 + sum(len(part) + 1 for part in parts[:row])
    assert (found.code, found.square) == ("line.mixed", f"p{player}l{row}")
    assert found.span == (start, start + len(mixed))
    _require_same_in_a_column(text, found)


@pytest.mark.parametrize("lines", [WIDE_LINES, NARROW_LINES])
def test_a_floor_with_too_many_tiles_has_its_span(lines: tuple[str, ...]) -> None:
    text = _with_lines(1, "|".join(lines)).replace("/-/0,0/1/0", "/BBBBYYYY/0,0/1/0")
    (found,) = AZUL.check(AZUL.read(text).require(), text=text)
    start = text.index("BBBBYYYY")
    assert (found.code, found.span) == ("floor.overflow", (start, start + 8))
    _require_same_in_a_column(text, found)
