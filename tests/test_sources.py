"""Records from paths and files, positions that are checked, and texts that a store refuses."""

from __future__ import annotations

import gzip
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forsyth
from forsyth.record import RecordReading

NAMES = ("chess", "cotulenh", "azul", "xiangqi", "shogi")
GAMES = '[Event "Ä"]\r\n\r\n1. e4 {ü} e5 *\r\n\r\n[Event "b"]\n\n1. d4 *\n' * 3


def answers(readings: Any) -> list[tuple[RecordReading, str]]:
    return [(reading, reading.text) for reading in readings]


@pytest.mark.parametrize("game", [None, "chess"])
def test_records_are_read_from_a_path_a_text_file_or_a_binary_file(game: str | None, tmp_path: Path) -> None:
    expected = answers(forsyth.read_records(GAMES, game))
    assert len(expected) == 6
    path = tmp_path / "games.pgn"
    path.write_bytes(GAMES.encode())
    assert answers(forsyth.read_records(path, game)) == expected
    with path.open("rb") as binary_file:
        assert answers(forsyth.read_records(binary_file, game)) == expected
        assert not binary_file.closed
    with path.open(encoding="utf-8", newline="") as text_file:
        assert answers(forsyth.read_records(text_file, game)) == expected
        assert not text_file.closed
    assert answers(forsyth.read_records(io.BytesIO(GAMES.encode()), game)) == expected
    with tempfile.NamedTemporaryFile() as temporary, gzip.open(tmp_path / "games.gz", "wb") as packed:
        temporary.write(GAMES.encode())
        temporary.seek(0)
        assert answers(forsyth.read_records(temporary, game)) == expected
        packed.write(GAMES.encode())
    with gzip.open(tmp_path / "games.gz") as packed:
        assert answers(forsyth.read_records(packed, game)) == expected


def test_a_path_that_is_not_read_to_its_end_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(GAMES.encode())
    readings = forsyth.read_records(path, "chess")
    assert next(readings).ok
    del readings
    with pytest.raises(FileNotFoundError):
        next(forsyth.read_records(tmp_path / "missing.pgn"))


@pytest.mark.parametrize("lines", [(line for line in ["1. e4 *"]), ["1. e4 *"], iter(())])
def test_a_generator_of_lines_is_refused_with_one_sentence(lines: Any) -> None:
    with pytest.raises(TypeError) as caught:
        forsyth.read_records(lines)
    assert str(caught.value) == (
        f"the source is of type {type(lines).__name__}, expected a text, a path or an open file;"
        " ''.join(lines) makes a text of lines"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_position_is_checked(name: str) -> None:
    game = forsyth.game(name)
    position = game.parse(game.start)
    for chosen in (None, name, game):
        assert forsyth.check(position, chosen) == forsyth.check(str(position), game)
    assert forsyth.check(position.play(position.moves()[0])).ok


def test_an_illegal_position_is_checked_as_its_text_is() -> None:
    text = "8/8/8/3kK3/8/8/8/8 w - - 0 1"
    position = forsyth.chess.parse(text, legality=False)
    assert forsyth.check(position) == forsyth.chess.check(position) == forsyth.check(text, "chess")
    crazyhouse = forsyth.game("chess", "crazyhouse")
    held = crazyhouse.parse("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1")
    assert forsyth.check(held) == forsyth.check(str(held), crazyhouse)
    warned = forsyth.chess.parse("4k3/8/8/8/8/8/8/4K2R w - - 160 90")
    assert forsyth.check(warned).ok
    assert not forsyth.check(warned, mode="strict").ok


@pytest.mark.parametrize("name", NAMES)
def test_a_store_refuses_text_that_does_not_belong_to_its_game(name: str, tmp_path: Path) -> None:
    start = forsyth.game(name).start
    other = forsyth.game("azul" if name == "chess" else "chess").start
    for store in (forsyth.MemoryStore(), forsyth.open_store(tmp_path / "store.db")):
        for text in (other, "hello"):
            calls: list[tuple[Callable[..., object], tuple[Any, ...]]] = [
                (store.put, (text, name)),
                (store.put_many, ([(start, name), (text, name)],)),
                (store.set_initial, (name, text)),
                (store.save, (text, name, "a name")),
                (store.save_many, ([(start, name, "one"), (text, name, "two")],)),
            ]
            for function, arguments in calls:
                with pytest.raises(ValueError, match=f"the text is not a position of {name}: "):
                    function(*arguments)
        assert list(store.entries()) == []
        store.put(start, name)
        store.put("hello", "a game that is not installed")
        store.put("hello")
        store.close()


@pytest.mark.parametrize("variant", forsyth.game("chess").variants)
def test_a_store_takes_texts_of_every_variant(variant: str) -> None:
    game = forsyth.game("chess", variant)
    position = game.parse(game.start)
    for _ in range(3):
        position = game.play(position, game.moves(position)[0])
        forsyth.MemoryStore().put(position.stored_text, "chess")
