"""What holds for every chess text and position: reading never raises, places are inside, fixes only help."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.golden_data import CHESS, require_agreement, rows
from tests.strategies import READINGS, any_text, canonical_texts, edited, played, positions
from tests.work import memory_of

import forsyth
from forsyth.diagnostics import MODES, Diagnostic, FenError, Mode, apply_fixes
from forsyth.games.chess import Chess, Move, Position, write_fen
from forsyth.games.chess.notation.kernel import encode
from forsyth.games.chess.variants import VARIANTS
from forsyth.limits import MAX_DIAGNOSTICS

MODE = st.sampled_from(MODES)
READING = st.sampled_from(READINGS)
SCHEMA = Path(forsyth.__file__).parent / "schema" / "reading.schema.json"

ESCAPE = re.compile("\x1b\\[[0-9;]*m")
KNOWN = {info.code for info in (*forsyth.diagnostics.SHARED_CODES, *CHESS.codes)}


def require_inside(diagnostics: tuple[Diagnostic, ...], length: int) -> None:
    for finding in diagnostics:
        spans = [finding.span] if finding.fix is None else [finding.span, finding.fix.span]
        for span in spans:
            assert 0 <= span.start <= span.end <= length, finding


# --- any text at all --------------------------------------------------------------------------------


@given(any_text(), MODE, READING)
@example("_", "lenient", "standard")
@example("\u200b", "lenient", "standard")
@example("8/8/8/8/8/8/8/8\u00a0w - - bm e4;", "default", "standard")
def test_reading_never_raises_and_every_place_is_inside_the_text(text: str, mode: Mode, variant: str) -> None:
    reading = CHESS.read(text, mode=mode, variant=variant)
    assert reading.text == text
    require_inside(reading.diagnostics, len(text))
    assert (reading.position is not None) is reading.ok
    assert {d.code for d in reading.diagnostics} <= KNOWN
    assert all(
        d.message and d.stage and isinstance(d.field, int) and 0 <= d.field <= 6 for d in reading.diagnostics
    )


@given(any_text(), MODE, READING, st.booleans())
def test_parsing_raises_one_exception_only_and_it_carries_every_finding(
    text: str, mode: Mode, variant: str, legality: bool
) -> None:
    try:
        position = CHESS.parse(text, mode=mode, variant=variant, legality=legality)
    except FenError as error:
        assert error.text == text
        assert error.diagnostics[0].code in KNOWN
        assert error.first.is_error
        require_inside(error.diagnostics, len(text))
        assert error.seed_message == "" or error.seed_message.startswith("Error in FEN")
        assert error.render()
    else:
        assert position == CHESS.read(text, mode=mode, variant=variant).position


@given(any_text(), MODE, READING)
@example("8/8/8/8/8/8/8/8/Q\u00a0 w - - 0 1", "default", "crazyhouse")
def test_no_fix_puts_in_a_character_that_no_chess_text_has(text: str, mode: Mode, variant: str) -> None:
    for finding in CHESS.read(text, mode=mode, variant=variant).diagnostics:
        if finding.fix is not None:
            assert finding.fix.replacement.isascii() or finding.fix.replacement in text, finding


@given(any_text(), MODE, READING)
@example("8/8/8/8/8/8/8/k6K%5 b - - 2", "default", "standard")
def test_every_fix_changes_something(text: str, mode: Mode, variant: str) -> None:
    for finding in CHESS.read(text, mode=mode, variant=variant).diagnostics:
        if finding.fix is not None:
            assert finding.fix.replacement != text[slice(*finding.fix.span)], finding


@given(any_text(), READING)
def test_certain_fixes_never_add_errors(text: str, variant: str) -> None:
    reading = CHESS.read(text, variant=variant)
    fixed = CHESS.read(apply_fixes(text, reading.diagnostics), variant=variant)
    # Where there are too many findings to report, a mended warning makes room for one more error.
    if len(reading.diagnostics) < MAX_DIAGNOSTICS:
        assert len(fixed.errors) <= len(reading.errors), fixed.text


@given(any_text(), st.sampled_from(VARIANTS))
def test_certain_fixes_do_not_change_what_was_read(text: str, variant: str) -> None:
    reading = CHESS.read(text, variant=variant)
    if reading.position is not None:
        fixed = CHESS.read(apply_fixes(text, reading.diagnostics), variant=variant)
        assert fixed.position == reading.position, fixed.text


@given(any_text(), st.sampled_from(VARIANTS))
def test_certain_fixes_come_to_an_end_and_leave_nothing_for_another_round(text: str, variant: str) -> None:
    for _ in range(5):
        reading = CHESS.read(text, variant=variant)
        fixed = apply_fixes(text, reading.diagnostics)
        if fixed == text:
            break
        text = fixed
    assert apply_fixes(text, CHESS.read(text, variant=variant).diagnostics) == text


START = CHESS.start.split()[0]


@given(any_text(), st.sampled_from(VARIANTS))
@example(f"{START} w HAha - 0 1", "chess960")
@example(f"{START} w qkQK - 0 1", "chess960")
@example(f"{START} w KH - 0 1", "chess960")
@example(f"{START}[-] w KQkq - 0 1", "crazyhouse")
@example(f"{START}[pQ] w KQkq - 0 1", "crazyhouse")
@example(f"{START} w KQkq - 0 1 3+3", "3check")
def test_strict_mode_accepts_exactly_the_canonical_texts(text: str, variant: str) -> None:
    strict = CHESS.read(text, mode="strict", variant=variant)
    default = CHESS.read(text, variant=variant)
    canonical = default.position is not None and str(default.position) == text
    if default.form == "plain":
        assert strict.ok is canonical, default.diagnostics
    if strict.ok:
        assert strict.position == default.position


@given(any_text(), st.sampled_from(VARIANTS))
def test_lenient_output_reads_strictly_and_is_a_fixed_point(text: str, variant: str) -> None:
    position = CHESS.read(text, mode="lenient", variant=variant).position
    if position is None:
        return
    again = CHESS.read(str(position), mode="lenient", variant=variant)
    assert again.position == position
    assert not again.diagnostics
    assert CHESS.read(str(position), mode="strict", variant=variant).position == position
    codes = {d.code for d in CHESS.check(position) if d.is_error}
    assert not [code for code in codes if code.startswith(("castling.no_", "ep."))]


@given(any_text(), MODE, READING)
def test_a_reading_is_json_and_fits_the_schema(text: str, mode: Mode, variant: str) -> None:
    data = CHESS.read(text, mode=mode, variant=variant).to_dict()
    assert json.loads(json.dumps(data)) == data
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(data)


@given(any_text(), READING)
def test_rendering_shows_every_finding_on_lines_of_its_own(text: str, variant: str) -> None:
    found = CHESS.read(text, variant=variant).diagnostics
    shown = forsyth.diagnostics.render_findings(text, found)
    lines = shown.split("\n") if found else []
    assert len(lines) == sum(1 + 2 * bool(text) + (finding.fix is not None) for finding in found)
    assert all(line.isprintable() for line in lines)
    assert ESCAPE.sub("", forsyth.diagnostics.render_findings(text, found, colour=True)) == shown


@given(positions(), any_text())
@example(CHESS.read("8/8/8/8/8/8/8/8 w - - 0 1").require(), "¹ w - - 0 1")
def test_legality_findings_are_placed_inside_whatever_text_is_given(position: Position, text: str) -> None:
    require_inside(CHESS.check(position, text=text), len(text))
    require_inside(CHESS.check(position), len(str(position)))


# --- reading and writing ----------------------------------------------------------------------------


@given(positions())
def test_reading_what_was_written_gives_the_same_position(position: Position) -> None:
    text = str(position)
    reading = CHESS.read(text, mode="strict", variant=position.variant)
    assert reading.position == position, str(reading)
    assert CHESS.write(position) == text == encode(position)


@given(positions(), st.sampled_from(["fen", "xfen", "legal", "epd"]))
def test_every_style_says_the_same_position(position: Position, style: str) -> None:
    text = CHESS.write(position, style)
    reading = CHESS.read(text, variant=position.variant)
    assert reading.require().key == position.key
    assert reading.form == ("epd" if style == "epd" else "plain")


@given(positions(("standard", "chess960")))
def test_shredder_texts_say_the_same_position(position: Position) -> None:
    codes = {finding.code for finding in CHESS.check(position)}
    # Rights that contradict the board of standard chess may be sound in Chess960: another position.
    if position.variant == "chess960" or not codes & {"castling.no_king", "castling.no_rook"}:
        text = CHESS.write(position, "shredder")
        assert CHESS.read(text, variant="chess960").require().key == position.key


@given(positions(), any_text())
def test_positions_are_values(position: Position, text: str) -> None:
    fields, key, written = position.fields(), position.key, str(position)
    same = position.replace()
    assert same == position
    assert same is not position
    assert hash(same) == hash(position)
    CHESS.read(text, variant=position.variant)
    assert (position.fields(), position.key, str(position)) == (fields, key, written)


@given(positions())
def test_positions_are_copied_whole_and_cannot_be_changed(position: Position) -> None:
    for same in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):  # noqa: S301
        assert same.fields() == position.fields()
    for name in ("half", "white", "variant", "new"):
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
    with pytest.raises(TypeError):
        position.replace(nothing=1)


# --- kernel and reader ------------------------------------------------------------------------------


@given(st.one_of(any_text(), edited(canonical_texts()), canonical_texts(), positions(("standard",)).map(str)))
@example("8/8/8/8/8/8/8/8 w - - 0 1")
@example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\0")
def test_kernel_and_reader_agree(text: str) -> None:
    require_agreement(text)


@given(st.text(st.sampled_from("PNBRQKpnbrqk12345678/ wb-KQkqae360"), min_size=15, max_size=95))
def test_kernel_and_reader_agree_on_noise(text: str) -> None:
    require_agreement(text)


# --- playing ----------------------------------------------------------------------------------------


@given(played())
def test_undoing_restores_every_field_and_the_key(
    game_start_moves: tuple[Chess, Position, list[Move]],
) -> None:
    game, start, moves = game_start_moves
    match = forsyth.Match(game, start)
    seen = [(start.fields(), start.key, match.repetitions)]
    for move in moves:
        match.play(move)
        seen.append((match.position.fields(), match.position.key, match.repetitions))
    for wanted in reversed(seen):
        assert (match.position.fields(), match.position.key, match.repetitions) == wanted
        match.undo()
    assert match.position == start
    for wanted in seen[1:]:
        match.redo()
        assert (match.position.fields(), match.position.key, match.repetitions) == wanted


@given(played())
def test_a_position_reached_by_play_is_sound_and_says_so_in_its_text(
    game_start_moves: tuple[Chess, Position, list[Move]],
) -> None:
    game, position, moves = game_start_moves
    for move in moves:
        position = game.play(position, move)
    pieces = [squares for _, squares in position.pieces()]
    assert sum(squares.bit_count() for squares in pieces) == (position.white | position.black).bit_count()
    assert position.white & position.black == 0
    assert game.read(str(position), mode="strict").position == position
    assert not [d.code for d in game.check(position) if d.is_error], str(position)
    assert game.unpack(position.packed) == position


def _exploded(position: Position, move: Move) -> int:
    """How many men go with a capture of atomic chess: the capturing one, and around it all but pawns."""
    file, rank = ord(move.target[0]), int(move.target[1])
    around = {f"{chr(file + right)}{rank + up}" for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up}
    men = {square for square, man in position.piece_map().items() if man not in "Pp"}
    return 1 + len(men & around - {move.origin})


@given(positions())
@example(CHESS.read("4k3/8/8/8/8/8/8/KR5R w HB - 0 1", variant="chess960").require())
@example(CHESS.read("4k3/8/8/8/8/8/8/2K1R2R w HE - 0 1", variant="chess960").require())
@example(CHESS.read("4k3/8/8/8/1p6/P7/8/4K3 b - a3 0 1").require())
def test_a_move_loses_no_man_but_the_captured_one_legal_position_or_not(
    position: Position,
) -> None:
    game = CHESS.with_variant(position.variant)
    men = (position.white | position.black).bit_count()
    for move in game.moves(position):
        facts = game.describe_move(position, move)
        played = game.play(position, move)
        expected = men - (facts.captured is not None) + (move.drop is not None)
        if position.variant == "atomic" and facts.captured is not None:
            expected -= _exploded(position, move)
        assert (played.white | played.black).bit_count() == expected, facts
        assert sum(squares.bit_count() for _, squares in played.pieces()) == expected, facts


@given(played())
def test_every_legal_move_has_one_text_and_every_text_one_move(
    game_start_moves: tuple[Chess, Position, list[Move]],
) -> None:
    game, position, moves = game_start_moves
    for move in moves:
        position = game.play(position, move)
    legal = game.moves(position)
    written = [game.write_move(position, move) for move in legal]
    assert len(set(written)) == len(legal) == len(set(legal))
    for move, text in zip(legal, written, strict=True):
        assert game.read_move(position, text, strict=True) is move
        assert game.read_move(position, move.uci) is move


# --- size -------------------------------------------------------------------------------------------

MEGABYTE = 1 << 20
HUGE = {
    "one_word": "a" * MEGABYTE,
    "blanks": " " * MEGABYTE,
    "blanks_then_text": " " * MEGABYTE + "8/8/8/8/8/8/8/8 w - - 0 1",
    "words": "8 " * (MEGABYTE // 2),
    "five_words": f"8 w - - {'a' * MEGABYTE}",
    "operation": f"8/8/8/8/8/8/8/8 w - - id {'x' * MEGABYTE}",
    "operations": "8/8/8/8/8/8/8/8 w - - " + "a b;" * (MEGABYTE // 4),
    "slashes": "/" * MEGABYTE,
    "not_ascii": "–" * MEGABYTE,
    "surrogates": "\ud800" * MEGABYTE,
    "fields": "8/8/8/8/8/8/8/8 w - - 0 " + "1" * MEGABYTE,
}


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("variant", READINGS)
def test_a_megabyte_of_garbage_is_refused_at_once(name: str, variant: str) -> None:
    text = HUGE[name]
    assert [d.code for d in CHESS.read(text, variant=variant).errors] == ["fen.length"]
    # Whatever split, stripped or replaced the text would take as much again.
    assert memory_of(lambda: CHESS.read(text, variant=variant)) < MEGABYTE // 4


@pytest.mark.parametrize("text", [None, 7, b"8/8/8/8/8/8/8/8 w - - 0 1", ["8"], object()])
def test_what_is_not_text_is_a_finding_too(text: Any) -> None:
    for mode in MODES:
        for variant in READINGS:
            reading = CHESS.read(text, mode=mode, variant=variant)
            assert [d.code for d in reading.diagnostics] == ["fen.type"]
    with pytest.raises(FenError):
        CHESS.parse(text)


class Label(str):
    """A kind of text, as numpy, enumerations and web frameworks have them."""

    __slots__ = ()


def test_every_kind_of_text_is_text() -> None:
    start = CHESS.parse(CHESS.start)
    for mode in MODES:
        for variant in ("standard", "chess960", "auto"):
            assert str(CHESS.read(Label(CHESS.start), mode=mode, variant=variant).require()) == CHESS.start
    assert CHESS.parse(Label(CHESS.start)) == start
    assert CHESS.read_move(start, Label("e4")).uci == "e2e4"


def test_a_failed_reading_changes_nothing_for_the_next_one() -> None:
    good = [row["fen"] for row in rows("valid_fens")[:50] if not row.get("chess960")]
    before = [CHESS.read(text) for text in good]
    for row in rows("invalid_fens"):
        CHESS.read(row["fen"])
    assert [CHESS.read(text) for text in good] == before


def test_writing_options_are_independent() -> None:
    position = CHESS.read("r3k2r/8/8/4Pp2/8/8/8/R3K2R w KQkq f6 0 9").require()
    assert write_fen(position, castling="shredder", fields=4) == "r3k2r/8/8/4Pp2/8/8/8/R3K2R w HAha f6"
    house = CHESS.read("4k2q~/8/8/8/8/8/8/4K3[Pn] w - - 0 1", variant="crazyhouse").require()
    assert write_fen(house, promoted=False) == "4k2q/8/8/8/8/8/8/4K3[Pn] w - - 0 1"
    with pytest.raises(ValueError, match="there is no chess style 'fancy'"):
        CHESS.write(position, "fancy")
