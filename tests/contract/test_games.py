"""The contract of games, for every installed game in every variant, on texts of its golden files."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pytest
from examples.nim import GAME as NIM
from tests.golden_data import COMPILED
from tests.outside_game_0_1 import GAME as OLD_NIM
from tests.whole_game import WholeGame, whole

import forsyth
from forsyth.bulk import arrow
from forsyth.bulk.verbs.text_arrays import unpack_row
from forsyth.diagnostics import MODES, Mode
from forsyth.testing import conform

GOLDEN = Path(__file__).parents[1] / "golden"
TEXTS = 24
"""How many golden texts a variant is held to the contract with."""
FORMS = 300
VARIANTS = [(name, variant) for name in forsyth.games() for variant in forsyth.game(name).variants]
PADDED = (0, 1, 2, 7, 8, 64)
"""How many zeros follow a form: fewer and more than any part that a form may leave out."""
HEAPS = tuple(f"nim {heaps} {side}" for heaps in ("3/4/0", "3/4", "0", "0/0/0", "1/0/2/0") for side in (1, 2))


@cache
def golden_rows(name: str) -> tuple[dict[str, Any], ...]:
    """Every golden row of a game that holds a text or a packed form."""
    rows = []
    for file in sorted((GOLDEN / name).glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            found = [row for row in map(json.loads, lines) if isinstance(row, dict)]
        rows += [row for row in found if isinstance(row.get("fen"), str) or "packed" in row][
            :: 1 + len(found) // 2000
        ]
    return tuple(rows)


def spread(found: list[Any], most: int) -> list[Any]:
    """About so many of a list, from all of it."""
    return found[:: 1 + len(found) // most]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_every_game_conforms_in_every_variant(name: str, variant: str) -> None:
    rows = [row for row in golden_rows(name) if isinstance(row.get("fen"), str)]
    texts = [row["fen"] for row in rows if row.get("variant", variant) == variant]
    # The pure build takes ten times as long for a text.
    conform(forsyth.game(name, variant), spread(texts, TEXTS)[:: 1 if COMPILED else 3])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_what_is_refused_unread_has_its_place(name: str, variant: str, mode: Mode) -> None:
    game = forsyth.game(name, variant)
    most = game.max_text
    for given, code, place in (
        (None, "fen.type", (0, 0)),
        (b"x", "fen.type", (0, 0)),
        ("", "fen.empty", (0, 0)),
        ("x" * (most + 1), "fen.length", (most, most + 1)),
        ("x" * (most + 9), "fen.length", (most, most + 9)),
    ):
        reading = game.read(cast(Any, given), mode=mode)
        assert [(found.code, found.span) for found in reading.diagnostics] == [(code, place)]
        assert reading.position is None
        assert reading.text == (given if isinstance(given, str) else "")
    assert "fen.length" not in {found.code for found in game.read("x" * most, mode=mode).diagnostics}


@cache
def forms(name: str) -> list[bytes]:
    """Packed forms of a game, those of all its variants among them."""
    if name == "nim":
        return [OLD_NIM.pack(OLD_NIM.parse(text)) for text in HEAPS]
    return spread([bytes.fromhex(row["packed"]) for row in golden_rows(name) if "packed" in row], FORMS)


def game_of(name: str) -> Any:
    return OLD_NIM if name == "nim" else whole(name, "auto" if name == "chess" else None)


@pytest.mark.parametrize("name", [*forsyth.games(), "nim"])
def test_a_form_is_found_again_however_far_it_is_filled_up(name: str) -> None:
    game: WholeGame = game_of(name)
    assert len(forms(name)) >= 10
    for form in forms(name):
        for zeros in PADDED:
            assert unpack_row(game, form + bytes(zeros)) == game.unpack(form)
        assert unpack_row(game, form + b"\0\1") != game.unpack(form)
    texts = [str(game.unpack(form)) for form in forms(name)]
    longest = max(map(len, forms(name)))
    for width in (longest, longest + 1, longest + 40):
        column = pa.array([form.ljust(width, b"\0") for form in forms(name)], pa.binary(width))
        assert arrow.unpack(column, game).to_pylist() == texts
        assert arrow.unpack(column.cast(pa.binary()), game).to_pylist() == texts


def test_the_example_conforms() -> None:
    conform(NIM, HEAPS)
