"""The contract of packed forms, for every game and every variant: a form tells its own length.

Columns fill forms up with zeros to one width. What comes back must be the position that went in, which holds
where a form followed by zeros is no form."""

from __future__ import annotations

import gzip
import json
from array import array
from functools import cache
from pathlib import Path
from typing import cast

import pyarrow as pa
import pytest
from tests.golden_data import rows
from tests.outside_game_0_1 import GAME as NIM
from tests.whole_game import WholeGame, whole

from forsyth.bulk import arrow
from forsyth.bulk.verbs.text_arrays import unpack_row
from forsyth.column import ASK, CANONICAL

GOLDEN = Path(__file__).parent / "golden"
ENDINGS = (1, 2, 3, 7, 8, 16, 64)
"""How many zeros follow a form: fewer and more than any part that a form may leave out."""

each_game = pytest.mark.parametrize("name", ["chess", "cotulenh", "azul", "nim"])


@cache
def forms(name: str) -> tuple[bytes, ...]:
    """Packed forms of a game, those of all its variants among them."""
    if name == "nim":
        heaps = ["3/4/0", "3/4", "0", "0/0", "0/0/0", "1/0/2/0", "9/9/9/9/9"]
        return tuple(NIM.pack(NIM.parse(f"nim {one} {side}")) for one in heaps for side in (1, 2))
    if name == "chess":
        return tuple(bytes.fromhex(row["packed"]) for row in rows("packed")[::7])
    with gzip.open(GOLDEN / name / "keys.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(bytes.fromhex(json.loads(line)["packed"]) for line in lines)[::7]


def game_of(name: str) -> WholeGame:
    return cast(WholeGame, NIM) if name == "nim" else whole(name, "auto" if name == "chess" else None)


@each_game
def test_a_form_followed_by_zeros_is_no_form(name: str) -> None:
    game = game_of(name)
    assert len(forms(name)) > 10
    for form in forms(name):
        assert game.pack(game.unpack(form)) == form
        for zeros in ENDINGS:
            with pytest.raises(ValueError):
                game.unpack(form + bytes(zeros))


@each_game
def test_a_form_is_found_again_however_far_it_is_filled_up(name: str) -> None:
    game = game_of(name)
    for form in forms(name):
        for zeros in (0, *ENDINGS):
            assert unpack_row(game, form + bytes(zeros)) == game.unpack(form)
        assert unpack_row(game, form + b"\0\1") is None


@each_game
def test_columns_of_forms_give_the_texts_of_their_positions(name: str) -> None:
    game = game_of(name)
    texts = [str(game.unpack(form)) for form in forms(name)]
    longest = max(map(len, forms(name)))
    for width in (longest, longest + 1, longest + 40):
        column = pa.array([form.ljust(width, b"\0") for form in forms(name)], pa.binary(width))
        assert arrow.unpack(column, game).to_pylist() == texts
        assert arrow.unpack(column.cast(pa.binary()), game).to_pylist() == texts


def test_packing_a_column_and_unpacking_it_changes_no_position() -> None:
    texts = ["nim 3/4/0 2", "nim 3/4 2", "nim 0/0/0 1", "nim 0 1"]
    assert arrow.unpack(arrow.pack(pa.array(texts), NIM), NIM).to_pylist() == texts


@pytest.mark.parametrize("name", ["chess", "cotulenh", "azul"])
def test_a_column_without_room_for_forms_is_asked_about_and_one_below_nothing_refused(name: str) -> None:
    game = whole(name)
    column = game.column
    assert column is not None
    text = game.start.encode()
    places = memoryview(array("q", [0, len(text)]))

    def pack(width: int, room: int) -> int:
        verdicts = bytearray([255])
        column.pack(memoryview(text), places, 0, 1, memoryview(verdicts), memoryview(bytearray(room)), width)
        return verdicts[0]

    form = len(game.pack(game.parse(game.start)))
    assert pack(0, 0) == pack(form - 1, form - 1) == ASK
    assert pack(form, form) == pack(form + 1, form + 1) == CANONICAL
    for width, room in ((-1, form), (form, form - 1)):
        with pytest.raises(ValueError):
            pack(width, room)
