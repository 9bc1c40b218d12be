"""Many positions at once: the same in every store as one by one, in batches that are whole or absent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.postgres_server import PostgresServer

from forsyth.store import Entry, MemoryStore, SqliteStore, Store, StoreError, ToSave, library, open_store, sql


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        opened: Store = MemoryStore()
    elif request.param == "sqlite":
        opened = SqliteStore(tmp_path / "positions.sqlite")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        opened = open_store(server.fresh_url())
    with opened:
        yield opened


def _small_batches(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (library, sql):
        monkeypatch.setattr(module, "BATCH_SIZE", size)


def test_texts_are_kept_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _small_batches(monkeypatch, 7)
    texts: list[tuple[str, str | None]] = [(f"toy {n % 40}", "toy" if n % 3 else None) for n in range(100)]
    one = store.put("toy 5", "kept")
    assert store.put_many(iter(texts)) == 100
    assert len(store) == 40
    found = {entry.text: entry for entry in store.entries()}
    assert set(found) == {text for text, _ in texts}
    assert found["toy 5"] == Entry(one, "toy 5", "kept")
    assert all(entry.game is not None for entry in found.values())
    assert sorted(entry.id for entry in store.entries()) == sorted(store)
    assert store.put_many([]) == 0


def test_a_batch_is_whole_or_absent(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _small_batches(monkeypatch, 10)
    with pytest.raises(ValueError, match="empty"):
        store.put_many([(f"toy {n}" if n != 15 else "", None) for n in range(30)])
    assert len(store) == 10
    wrong = [ToSave(f"toy {n}", "toy", "x" if n != 25 else "") for n in range(30)]
    with pytest.raises(ValueError, match="name is empty"):
        store.save_many(wrong)
    assert store.search().total == 20


def test_positions_are_saved_in_batches(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    _small_batches(monkeypatch, 8)
    many = [
        ToSave(f"toy {n % 5}", "toy" if n % 2 else "other", f"name {n}", [f"t{n % 3}", "all"], f"note {n}")
        for n in range(50)
    ]
    assert store.save_many(iter(many)) == 50
    saved = list(store.all_saved())
    assert [one.name for one in saved] == [f"name {n}" for n in reversed(range(50))]
    assert (saved[0].tags, saved[0].note, saved[0].text) == (("t1", "all"), "note 49", "toy 4")
    assert len({one.id for one in saved}) == 50
    assert all(store.saved(one.id) == one for one in saved[:9])
    assert [one.name for one in store.all_saved(tag="t2")] == [f"name {n}" for n in range(47, 0, -3)]
    assert len(list(store.all_saved("toy", "t0", "NAME 2"))) == len(
        [n for n in range(50) if n % 2 and n % 3 == 0 and f"name {n}".startswith("name 2")]
    )
    assert list(store.all_saved(game="none")) == []


def test_tags_are_found_as_a_naive_search_finds_them(store: Store) -> None:
    """Saving, changing and forgetting in any order: the index of tags says what the positions say."""
    chance = random.Random(5)
    kept: dict[str, set[str]] = {}
    for n in range(120):
        step = chance.choice(("save", "save", "many", "change", "forget"))
        tags = chance.sample(["a", "b", "c d", "ab", "a\u0301"], chance.randint(0, 3))
        if step == "save":
            kept[store.save("toy a", "toy", f"{n}", tags).id] = set(tags)
        elif step == "many":
            before = {saved.id for saved in store.all_saved()}
            store.save_many([ToSave("toy b", "toy", f"{n} {m}", tags) for m in range(3)])
            kept |= {saved.id: set(tags) for saved in store.all_saved() if saved.id not in before}
        elif kept and step == "change":
            id = chance.choice(list(kept))
            store.change(id, tags=tags)
            kept[id] = set(tags)
        elif kept:
            id = chance.choice(list(kept))
            assert store.forget(id)
            assert not store.forget(id)
            del kept[id]
    for tag in ("a", "b", "c d", "ab", "a\u0301", "c", "none"):
        wanted = {id for id, tags in kept.items() if tag in tags}
        assert {saved.id for saved in store.all_saved(tag=tag)} == wanted
        assert store.search(tag=tag, limit=1).total == len(wanted)


def test_pages_after_the_first_are_not_counted(store: Store) -> None:
    store.save_many(ToSave("toy a", "toy", f"{n}", ["x"]) for n in range(9))
    first = store.search(tag="x", limit=4)
    assert (first.total, first.next is not None) == (9, True)
    store.save("toy a", "toy", "later", ["x"])
    second = store.search(tag="x", limit=4, after=first.next)
    assert (second.total, [saved.name for saved in second.positions]) == (9, ["4", "3", "2", "1"])
    # A cursor of an earlier version has no total: then it is counted.
    plain = (first.next or "").partition("-")[0]
    assert store.search(tag="x", limit=4, after=plain).total == 10
    for wrong in ("", "-", "1-", "-1", "1-2-3", "x", "1" * 20, "1-" + "1" * 20, "１"):
        with pytest.raises(ValueError, match="cursor"):
            store.search(after=wrong)


def test_statements_use_the_index_of_tags(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "positions.sqlite"
    with SqliteStore(path) as opened:
        statement = opened._sql["search_tag"]
    values = {"game": None, "tag": "x", "query": None, "before": 9, "row_limit": 5}
    with sqlite3.connect(path) as connection:
        plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values))
    assert "SEARCH tagged USING PRIMARY KEY (tag=?" in plan
    assert "SCAN held" not in plan


def test_a_closed_store_refuses_batches(store: Store) -> None:
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.put_many([("toy a", None)])
    with pytest.raises(StoreError, match="closed"):
        list(store.all_saved())


def test_what_is_no_position_is_refused_with_a_sentence(store: Store) -> None:
    text = "8/8/8/8/8/8/8/8 w - - 0 1"
    for wrong in ("xy", text, (text,), 5, None):
        with pytest.raises(
            TypeError, match=r"a text to store is given as .*, expected a pair of a text and a game or"
        ):
            store.put_many([wrong])  # type: ignore[list-item]
    for one in (text, (text, "chess"), 5):
        with pytest.raises(TypeError, match=r"a position to save is given as .*, expected ToSave, or a text"):
            store.save_many([one])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="the note is of type list, expected text"):
        store.save_many([ToSave(text, "chess", "x", (), [])])  # type: ignore[arg-type]
    assert store.save_many([(text, "chess", "short")]) == 1  # type: ignore[list-item]
    assert [saved.name for saved in store.all_saved()] == ["short"]
    assert len(store) == 1
