"""The benchmark of columns: its corpus and its rivals are what it says they are."""

from __future__ import annotations

import re

import pytest
from bench import bulk
from bench.lines import Line

from forsyth import registry
from forsyth.bulk import arrow

CHESS = registry.game("chess")
GOOD = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_the_column_has_no_text_twice_and_none_with_a_finding() -> None:
    column = bulk.chess_column(25_000)
    assert len(set(column.to_pylist())) == len(column)
    assert set(arrow.scan(column, CHESS).field("findings").to_pylist()) == {0}


def test_every_rank_that_is_spelled_out_has_eight_squares() -> None:
    ranks = bulk._list_ranks(8)
    assert len(set(ranks)) == len(ranks)
    assert {sum(1 if symbol == "P" else int(symbol) for symbol in rank) for rank in ranks} == {8}
    assert not [rank for rank in ranks if re.search(r"\d\d", rank)]


@pytest.mark.parametrize(
    ("text", "loose", "exact"),
    [
        (GOOD, True, True),
        (GOOD.replace("3PN3", "3PN4"), True, False),
        (GOOD.replace("3PN3", "12PN3"), True, False),
        (GOOD.replace(" w ", " x "), False, False),
        (GOOD + " ", False, False),
    ],
)
def test_the_regular_expressions_do_what_they_are_compared_for(text: str, loose: bool, exact: bool) -> None:
    assert (re.search(bulk.LOOSE, text) is not None) == loose
    assert (re.search(bulk.exact_pattern(), text) is not None) == exact


def test_a_line_is_met_on_the_right_side_of_its_bound() -> None:
    assert Line("faster", 3.0, 3).is_met
    assert not Line("faster", 2.9, 3).is_met
    assert Line("longer", 1.5, 1.5, at_most=True).is_met
    assert not Line("longer", 1.6, 1.5, at_most=True).is_met
