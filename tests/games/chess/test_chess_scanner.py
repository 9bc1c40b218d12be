"""The scanner of chess says what the reader says, of every text it does not leave to the reader."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.contract.columns import texts_of
from tests.games.chess.scanner_law import AUTO, NUMBERS, require_law, scanned, slips
from tests.golden_data import CHESS, COMPILED, bench
from tests.strategies import ALL_GOOD, READINGS, any_text, canonical_texts, edited

from forsyth.column import ASK, CANONICAL, NOTED, REFUSED, SPELLED
from forsyth.dashes import DASHES
from forsyth.diagnostics import MODES, Mode
from forsyth.games.chess.notation.notes import NOTED_CODES
from forsyth.games.chess.notation.scanner import accept
from forsyth.games.chess.numbers.column import Kernels
from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, STANDARD, THREE_CHECK
from forsyth.testing.columns import require_columns

RULES = (STANDARD, CHESS960, CRAZYHOUSE, THREE_CHECK, AUTO)
RULE = st.sampled_from(RULES)
MODE = st.sampled_from(MODES)
SLIPPED = 150 if COMPILED else 8
GOLDEN = [text.decode("utf-8", "surrogatepass") for text in texts_of("chess") if text.strip()]


# --- the law ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", RULES)
def test_scanner_and_reader_agree_on_texts_with_slips(rules: int, mode: Mode) -> None:
    chance = random.Random(f"{rules} {mode}")
    for legality in (True, False):
        counted = require_law(list(slips(chance, GOLDEN, SLIPPED)), rules, mode, legality)
        assert counted[REFUSED] > SLIPPED // 4


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rules", RULES)
def test_scanner_and_reader_agree_on_golden_texts_and_many_slips(rules: int, mode: Mode) -> None:
    chance = random.Random(f"many {rules} {mode}")
    for legality in (True, False):
        require_law(texts_of("chess"), rules, mode, legality)
        require_law(list(slips(chance, GOLDEN, 20 * SLIPPED)), rules, mode, legality)


@given(st.one_of(any_text(), edited(canonical_texts()), canonical_texts()), RULE, MODE, st.booleans())
@example("", AUTO, "lenient", True)
@example(" \n", AUTO, "default", True)
@example('[Event "?"]', CRAZYHOUSE, "lenient", True)
@example("8" + 263 * "/" + "8/8/8/8/8/8/8 w - - 0 1", STANDARD, "default", True)
def test_scanner_and_reader_agree(text: str, rules: int, mode: Mode, legality: bool) -> None:
    require_law([text.encode("utf-8", "surrogatepass")], rules, mode, legality)


# --- what it takes ----------------------------------------------------------------------------------

START = CHESS.start
BOARD = START.split()[0]
ACCEPTED = (
    (f"{BOARD} w KQkq -", STANDARD, 1),
    (f"{START}\n", STANDARD, 1),
    (f" {START}", STANDARD, 1),
    (f"{BOARD}  w\tKQkq - 0 1\r\n", STANDARD, 1),
    (f"{BOARD} w qkQK - 0 1", STANDARD, 1),
    (f"{BOARD} w KKq- - 0 1", STANDARD, 2),
    (f"{BOARD} w KQkq - 00 001", STANDARD, 2),
    (f"{BOARD} w KQkq - 0 0", STANDARD, 1),
    (f"{BOARD} w HAha - 0 1", CHESS960, 0),
    (f"{BOARD} w HAha - 0 1", AUTO, 0),
    (f"{BOARD}[pQ] w KQkq - 0 1", CRAZYHOUSE, 0),
    (f"{BOARD}/pQ w KQkq - 0 1", AUTO, 1),
    (f"{BOARD} w KQkq - 3+2 0 1", THREE_CHECK, 0),
    (f"{BOARD} w KQkq - 0 1 +0+1", AUTO, 1),
    *((f"{BOARD} w KQkq {chr(dash)} 0 1", STANDARD, 1) for dash in DASHES),
)


@pytest.mark.parametrize(("text", "rules", "findings"), ACCEPTED)
def test_what_is_accepted_is_decoded(text: str, rules: int, findings: int) -> None:
    verdicts, notes = scanned(Kernels(rules), [text.encode()], "default", False)
    assert verdicts[0] == NOTED if findings else verdicts[0] in (CANONICAL, SPELLED)
    assert notes[5] == findings
    require_law([text.encode()], rules, "default", True)
    if COMPILED:
        found = accept(text, rules, NUMBERS["default"], False)
        assert found is not None
        assert found[1] == findings


def test_every_code_of_a_text_or_position_can_be_noted() -> None:
    stages = {info.code for info in CHESS.codes if info.stage in ("text", "fields", "position")}
    # Characters that no chess text has, and marks of variants, are the reader's to judge.
    assert stages - set(NOTED_CODES) == {"fen.chars", "variant.other"}
    assert len(set(NOTED_CODES)) == len(NOTED_CODES)


def test_common_faults_are_not_left_to_the_reader() -> None:
    chance = random.Random(14)
    texts = list(slips(chance, [fen for fen, _ in bench()], 2000))
    plain = [
        text for text in texts if text.isascii() and not set(text) & set(b"_%;:") and b" " in text.strip()
    ]
    verdicts, _ = scanned(Kernels(STANDARD), plain, "default", True)
    assert ASK not in bytes(verdicts)
    assert {NOTED, REFUSED} <= set(bytes(verdicts))


@pytest.mark.parametrize("rules", [-2, 9, 2**31 - 1])
def test_rules_that_do_not_exist_are_refused(rules: int) -> None:
    assert accept(START, rules, 0, True) is None
    with pytest.raises(ValueError, match="there are no rules"):
        Kernels(rules)


@pytest.mark.parametrize("mode", [-1, 3])
def test_modes_that_do_not_exist_are_refused(mode: int) -> None:
    assert accept(START, STANDARD, mode, True) is None


# --- columns of every variant -----------------------------------------------------------------------


@pytest.mark.parametrize("variant", READINGS)
def test_every_verb_writes_what_follows_from_the_position(variant: str) -> None:
    chance = random.Random(variant)
    known = [*ALL_GOOD[:: 5 if COMPILED else 60], *(text for text, _, _ in ACCEPTED)]
    slipped = [text.decode("utf-8", "surrogatepass") for text in slips(chance, known, SLIPPED)]
    readable = [text for text in slipped if text.isprintable()]
    require_columns(CHESS.with_variant(variant), [*known, *readable])
