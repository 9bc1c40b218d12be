"""A store whose file is gone says so, and one damaged row hides no other."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from forsyth.store import SqliteStore, StoreError, open_store
from forsyth.store import sql as sql_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "positions.sqlite"


def replace_file(path: Path) -> None:
    """Put a copy of the file in its place, as a restored backup is."""
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.parametrize(
    ("lose", "change"), [(Path.unlink, "deleted or moved"), (replace_file, "replaced by another file")]
)
def test_no_write_is_acknowledged_after_the_file_is_gone(path: Path, lose: Any, change: str) -> None:
    with SqliteStore(path) as opened:
        id = opened.put("toy a", "toy")
        lose(path)
        uses = (
            lambda: opened.put("toy b", "toy"),
            lambda: opened.save("toy b", "toy", "name"),
            lambda: opened.get(id),
            opened.search,
        )
        for use in uses:
            with pytest.raises(StoreError, match=f"was {change} while the store was open"):
                use()
        # A fork closes the connection, and the next use opens it again: it must not make another file.
        opened.pause()
        opened.resume()
        with pytest.raises(StoreError, match=change):
            opened.put("toy b", "toy")
    assert path.exists() == (lose is replace_file)


def test_a_write_during_which_the_file_is_deleted_is_not_acknowledged(path: Path) -> None:
    with SqliteStore(path) as opened, pytest.raises(StoreError, match="deleted or moved"):
        opened._run_operation(lambda connection: path.unlink())


def test_a_store_that_is_opened_again_goes_on_with_the_new_file(path: Path) -> None:
    with SqliteStore(path) as opened:
        opened.put("toy a", "toy")
        path.unlink()
    for journal in path.parent.glob("*-wal"):
        journal.unlink()
    with SqliteStore(path) as opened:
        assert opened.get(opened.put("toy b", "toy")) == "toy b"


@pytest.mark.parametrize("location", ["a\0b", "\0", "a\ud800b", "/nowhere\0/a"])
def test_a_path_that_no_file_can_have_is_an_error_of_the_store(location: str) -> None:
    with pytest.raises(StoreError, match="contains a character that paths cannot have"):
        open_store(location)


@pytest.mark.parametrize(
    ("table", "column", "hidden"), [("saved", "name", 1), ("position", "text", 1), ("position", "game", 0)]
)
def test_one_row_that_cannot_be_decoded_hides_no_other(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    table: str,
    column: str,
    hidden: int,
) -> None:
    monkeypatch.setattr(sql_store, "BATCH_SIZE", 2)
    with SqliteStore(path) as opened:
        saved = [opened.save(f"toy {n}", "toy", f"name {n}") for n in range(5)]
        row_id = saved[2].id if table == "saved" else saved[2].state_id
        with opened._use_connection() as connection:
            statement = f"UPDATE {table} SET {column} = CAST(x'61ff' AS TEXT) WHERE id = ?"
            connection.execute(statement, (row_id,))
        names = [found.name for found in opened.search().positions]
        assert names == [f"name {n}" for n in (4, 3, 2, 1, 0) if n != 2 or not hidden]
        assert ("is damaged" in caplog.text) == bool(hidden)
        found: list[Any] = []
        with pytest.raises(StoreError, match="is damaged"):
            iterate_into(found, opened.all_saved() if table == "saved" else opened.entries())
        assert len(found) == 4
        with pytest.raises(StoreError, match=r"positions\.sqlite"):
            opened.saved(row_id) if table == "saved" else opened.get(row_id)


def iterate_into(found: list[Any], values: Any) -> None:
    """Add the values to a list, of which those before an error remain."""
    found.extend(values)


def test_an_identifier_that_cannot_be_decoded_hides_no_other(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_store, "BATCH_SIZE", 2)
    with SqliteStore(path) as opened:
        for number in range(5):
            opened.put(f"toy {number}", "toy")
        with opened._use_connection() as connection:
            connection.execute(
                "UPDATE position SET id = CAST(CAST(id AS BLOB) || x'ff' AS TEXT) WHERE text = 'toy 2'"
            )
        found: list[str] = []
        with pytest.raises(StoreError, match="is not an identifier"):
            iterate_into(found, opened)
        assert len(found) == 4


def test_a_path_with_escape_sequences_is_escaped_in_every_message(tmp_path: Path) -> None:
    folder = tmp_path / "a\x1b[2J\nb"
    with pytest.raises(StoreError) as caught:
        open_store(folder / "positions.sqlite")
    assert "\x1b" not in str(caught.value)
    assert "a\\x1b[2J\\nb" in str(caught.value)
