"""Scanner and reader agree in every mode: of each row the kernels say what the reader says, or nothing."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.columns import CASES, COMPILED, Case, mutated, offsets_of, texts_of

from forsyth.bulk.verbs.text_arrays import RowResult, read_row
from forsyth.column import ASK, CANONICAL, DEFAULT, LENIENT, NOTED, NOTES, REFUSED, SPELLED, STRICT
from forsyth.diagnostics import Mode, Severity

each_game = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
NUMBERS = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}
WAYS: list[tuple[Mode, bool]] = [(mode, legality) for mode in get_args(Mode) for legality in (False, True)]


def noted(case: Case, texts: Sequence[bytes], mode: Mode, legality: bool) -> list[tuple[object, ...] | None]:
    """What the kernels say of each row; None where they leave it to the reader."""
    kernels, count = case.kernels, len(texts)
    verdicts, notes = bytearray(count), memoryview(array("i", [0]) * (NOTES * count))
    kernels.scan(
        memoryview(b"".join(texts)),
        offsets_of(texts),
        0,
        count,
        NUMBERS[mode],
        legality,
        memoryview(verdicts),
        notes,
    )
    said: list[tuple[object, ...] | None] = []
    for row, verdict in enumerate(verdicts):
        code, severity, start, end, square, findings = notes[NOTES * row : NOTES * (row + 1)]
        if verdict == ASK:
            said.append(None)
        elif verdict in (NOTED, REFUSED):
            where = kernels.squares[square] if square >= 0 else None
            said.append(
                (verdict, kernels.codes[code], tuple(Severity)[severity], start, end, where, findings)
            )
        else:
            said.append((verdict,))
    return said


def expected(row: RowResult, text: bytes) -> tuple[object, ...]:
    """The same by the reader."""
    first = row.first_finding
    if first is None:
        return (CANONICAL if str(row.position).encode() == text else SPELLED,)
    verdict = NOTED if row.ok else REFUSED
    return (verdict, first.code, first.severity, *first.span, first.square, len(row.findings))


def require_agreement(case: Case, texts: Sequence[bytes]) -> None:
    for mode, legality in WAYS:
        for text, said in zip(texts, noted(case, texts, mode, legality), strict=True):
            if said is not None:
                row = read_row(case.game, text, mode, legality)
                assert said == expected(row, text), (mode, legality, text)


@each_game
def test_kernels_and_reader_agree_about_golden_texts_in_every_mode(case: Case) -> None:
    texts = texts_of(case.name)
    require_agreement(case, texts[:: 1 + len(texts) // (600 if COMPILED else 60)])


@each_game
@settings(max_examples=150 if COMPILED else 25)
@given(data=st.data())
def test_kernels_and_reader_agree_about_mutated_texts_in_every_mode(case: Case, data: st.DataObject) -> None:
    require_agreement(case, [data.draw(mutated(case)) for _ in range(4)])
