"""The saved positions, the same in every store."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.store.postgres_server import PostgresServer

from forsyth.cli.lazy_store import LazyStore
from forsyth.cli.output import Failure
from forsyth.identity import state_id
from forsyth.limits import MAX_NAME, MAX_NOTE, MAX_PAGE, MAX_PLAIN, MAX_QUERY, MAX_TAG, MAX_TAGS
from forsyth.store import Entry, Page, Saved, SqliteStore, Store, StoreError, open_store

NOBODY = "aaaaaaaaaaaa"


def _names(page: Page) -> list[str]:
    return [saved.name for saved in page.positions]


def _all_pages(store: Store, limit: int, **wanted: Any) -> list[Saved]:
    found: list[Saved] = []
    after = None
    while True:
        page = store.search(limit=limit, after=after, **wanted)
        assert len(page.positions) <= limit
        found += page.positions
        after = page.next
        if after is None:
            assert page.total == len(found)
            return found


# --- saving, changing, forgetting ---------------------------------------------------------------------


def test_saving(store: Store) -> None:
    saved = store.save("toy a", "toy", " A  name ", [" one ", "two", "one"], "a note\nof two lines")
    assert saved == replace(
        saved,
        state_id=state_id("toy a"),
        game="toy",
        text="toy a",
        name="A  name",
        tags=("one", "two"),
        note="a note\nof two lines",
    )
    assert re.fullmatch(r"[a-z2-7]{12}", saved.id)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", saved.created)
    assert saved.updated == saved.created
    assert store.saved(saved.id) == saved
    assert store.entry(saved.state_id) == Entry(saved.state_id, "toy a", "toy")
    assert store.search() == Page((saved,), None, 1)


def test_one_position_may_be_saved_twice(store: Store) -> None:
    one, other = store.save("toy a", "toy", "one"), store.save("toy a", "toy", "other")
    assert one.id != other.id
    assert one.state_id == other.state_id
    assert (len(store), store.search().total) == (1, 2)


def test_what_was_not_saved_is_none(store: Store) -> None:
    saved = store.save("toy a", "toy", "one")
    for id in (
        NOBODY,
        "",
        "\0",
        "\ud800",
        "é",
        saved.state_id,
        saved.id.upper(),
        "' OR 1=1 --",
        "x" * 10_000,
    ):
        assert store.saved(id) is None
        assert store.change(id, name="other") is None
        assert store.forget(id) is False
    assert store.search() == Page((saved,), None, 1)


def test_changing(store: Store) -> None:
    first = store.save("toy a", "toy", "one", ["tag"], "note")
    store.save("toy b", "toy", "two")
    named = store.change(first.id, name="Three")
    assert named is not None
    assert named == replace(first, name="Three", updated=named.updated)
    assert named.updated > first.created
    noted = store.change(first.id, tags=[], note="")
    assert noted is not None
    assert (noted.name, noted.tags, noted.note) == ("Three", (), "")
    assert store.saved(first.id) == noted
    assert _names(store.search()) == ["two", "Three"]
    assert _names(store.search(query="three")) == ["Three"]
    for gone in ({"query": "one"}, {"query": "note"}, {"tag": "tag"}):
        assert store.search(**gone) == Page((), None, 0)  # type: ignore[arg-type]


def test_a_refused_change_changes_nothing(store: Store) -> None:
    saved = store.save("toy a", "toy", "one", ["tag"], "note")
    with pytest.raises(ValueError, match="the note has"):
        store.change(saved.id, name="other", note="x" * (MAX_NOTE + 1))
    assert store.saved(saved.id) == saved


def test_forgetting_keeps_the_position(store: Store) -> None:
    saved = store.save("toy a", "toy", "one")
    assert store.forget(saved.id) is True
    assert store.forget(saved.id) is False
    assert store.saved(saved.id) is None
    assert store.search() == Page((), None, 0)
    assert store.get(saved.state_id) == "toy a"


def test_as_data(store: Store) -> None:
    saved = store.save("toy a", "toy", "one", ["tag"])
    data = saved.to_dict()
    assert list(data) == ["id", "state_id", "game", "text", "name", "tags", "note", "created", "updated"]
    assert data["tags"] == ["tag"]
    assert json.loads(json.dumps(store.search().to_dict())) == {"positions": [data], "next": None, "total": 1}


def test_a_closed_library_says_so(store: Store) -> None:
    saved = store.save("toy a", "toy", "one")
    store.close()
    for use in (
        lambda: store.save("toy b", "toy", "two"),
        lambda: store.saved(saved.id),
        lambda: store.change(saved.id, name="two"),
        lambda: store.forget(saved.id),
        store.search,
    ):
        with pytest.raises(StoreError, match="is closed"):
            use()


# --- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"text": ""}, "the text is empty, expected the text of a position"),
        ({"text": "a" * (MAX_PLAIN + 1)}, "the text has 1025 characters, expected at most 1024"),
        ({"text": "a\0"}, "character 1 of the text is NUL, which no store can hold"),
        ({"game": ""}, "the name of the game is empty"),
        ({"game": "\0"}, "of the name of the game is NUL"),
        ({"name": ""}, "the name is empty"),
        ({"name": " \t"}, "the name is empty"),
        ({"name": "a" * (MAX_NAME + 1)}, "the name has 201 characters, expected at most 200"),
        ({"name": "a\nb"}, r"character 1 of the name is the control character U\+000A"),
        ({"name": "\0"}, "character 0 of the name is NUL"),
        ({"name": "\ud800"}, "character 0 of the name is a lone surrogate"),
        ({"tags": "tag"}, "the tags are the single text 'tag', expected a list"),
        ({"tags": [""]}, "a tag is empty"),
        ({"tags": ["a" * (MAX_TAG + 1)]}, "a tag has 51 characters"),
        ({"tags": ["a\x1fb"]}, r"a tag is the control character U\+001F"),
        ({"tags": ["\udfff"]}, "a tag is a lone surrogate"),
        ({"tags": [str(n) for n in range(MAX_TAGS + 1)]}, "there are 33 tags, expected at most 32"),
        ({"note": "a" * (MAX_NOTE + 1)}, "the note has 4001 characters"),
        ({"note": "\x1b[31m"}, r"the note is the control character U\+001B"),
        ({"note": "\0"}, "the note is NUL"),
    ],
)
def test_what_is_not_saved(store: Store, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        store.save(**{"text": "toy a", "game": "toy", "name": "a", **values})
    assert (len(store), store.search().total) == (0, 0)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"limit": 0}, "the limit is 0, expected 1 to 200"),
        ({"limit": MAX_PAGE + 1}, "the limit is 201"),
        ({"query": "a" * (MAX_QUERY + 1)}, "the query has 201 characters"),
        ({"query": "\0"}, "the query is NUL"),
        ({"query": "\x1f"}, "the query is the control character"),
        ({"query": "\ud800"}, "the query is a lone surrogate"),
        ({"tag": ""}, "a tag is empty"),
        ({"game": "\0"}, "the name of the game is NUL"),
        ({"after": ""}, "is not the cursor of a page"),
        ({"after": "-1"}, "is not the cursor of a page"),
        ({"after": "²"}, "is not the cursor of a page"),
        ({"after": "9" * 5000}, "is not the cursor of a page"),
        ({"after": "1; DROP TABLE saved"}, "is not the cursor of a page"),
    ],
)
def test_what_is_not_searched_for(store: Store, values: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        store.search(**values)


def test_the_longest_of_everything(store: Store) -> None:
    tags = [f"{n:02}" + "\U0001f600" * (MAX_TAG - 2) for n in range(MAX_TAGS)]
    saved = store.save("\U0001f600" * MAX_PLAIN, "g" * 64, "é" * MAX_NAME, tags, "ü" * MAX_NOTE)
    assert store.saved(saved.id) == saved
    for query in ("É" * MAX_QUERY, "Ü" * MAX_QUERY, tags[-1]):
        assert store.search(query=query).positions == (saved,)


# --- searching ----------------------------------------------------------------------------------------


def test_searching(store: Store) -> None:
    for text, game, name, tags, note in (
        ("toy a", "toy", "Lucena", ["endgame", "rook"], "build a bridge"),
        ("toy b", "toy", "Philidor", ["endgame"], "third rank"),
        ("bar c", "bar", "Opening", ["Rook"], "of 100%"),
    ):
        store.save(text, game, name, tags, note)
    assert _names(store.search()) == ["Opening", "Philidor", "Lucena"]
    assert _names(store.search(game="toy")) == ["Philidor", "Lucena"]
    assert _names(store.search(tag="endgame")) == ["Philidor", "Lucena"]
    assert _names(store.search(tag="rook")) == ["Lucena"]
    assert _names(store.search(tag="end")) == []
    assert _names(store.search(query="ROOK")) == ["Opening", "Lucena"]
    assert _names(store.search(query="BRIDGE")) == ["Lucena"]
    assert _names(store.search(query="OY b")) == ["Philidor"]
    assert _names(store.search(query="")) == ["Opening", "Philidor", "Lucena"]
    assert _names(store.search(game="toy", tag="endgame", query="third")) == ["Philidor"]
    assert _names(store.search(game="bar", query="third")) == []
    assert _names(store.search(game="nothing")) == []
    assert _names(store.search(query="endgamerook")) == []


@pytest.mark.parametrize("character", ["%", "_", "\\", "'", '"', "*", "?", "[", ";", "{", "\U0001f600", "ß"])
def test_every_character_of_a_query_stands_for_itself(store: Store, character: str) -> None:
    store.save("toy a", "toy", "plain")
    store.save("toy b", "toy", f"with {character} inside")
    assert _names(store.search(query=character)) == [f"with {character} inside"]
    assert _names(store.search(query=f"WITH {character}")) == [f"with {character} inside"]


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE saved; --", "' OR '1'='1", "%s", "%(game)s", ":game", "?", "$1"]
)
def test_statements_are_ordinary_text(store: Store, text: str) -> None:
    store.save("toy a", "toy", "other", ["other"])
    saved = store.save(text, text, text, [text], text)
    assert store.saved(saved.id) == saved
    for wanted in ({"game": text}, {"tag": text}, {"query": text}):
        assert store.search(**wanted) == Page((saved,), None, 1)  # type: ignore[arg-type]
    assert store.change(saved.id, name=text + "!") is not None
    assert store.search().total == 2


def test_letters_of_any_alphabet_match_in_any_case(store: Store) -> None:
    for n, name in enumerate(("Ăn quân", "STRASSE", "ΟΔΟΣ", "Ёж")):
        store.save(f"toy {n}", "toy", name)
    for query, name in (("ĂN QUÂN", "Ăn quân"), ("straße", "STRASSE"), ("οδος", "ΟΔΟΣ"), ("ёЖ", "Ёж")):
        assert _names(store.search(query=query)) == [name]


def test_a_cursor_stays_good(store: Store) -> None:
    ids = [store.save("toy a", "toy", f"{n}").id for n in range(10)]
    first = store.search(limit=3)
    assert (_names(first), first.total) == (["9", "8", "7"], 10)
    store.save("toy a", "toy", "later")
    store.change(ids[0], name="0 changed")
    for n in (7, 6, 9):
        store.forget(ids[n])
    second = store.search(limit=3, after=first.next)
    # Counted once, for the first page.
    assert (_names(second), second.total) == (["5", "4", "3"], 10)
    third = store.search(limit=3, after=second.next)
    assert (_names(third), third.next) == (["2", "1", "0 changed"], None)
    assert store.search(after="1") == Page((), None, 8)
    assert len(store.search(after="9223372036854775807").positions) == 8


def test_the_place_of_one_forgotten_is_not_given_away(store: Store) -> None:
    store.save("toy a", "toy", "old")
    newest = store.save("toy a", "toy", "newest").id
    after = store.save("toy a", "toy", "cursor").id
    cursor = store.search(limit=1).next
    store.forget(after)
    store.forget(newest)
    store.save("toy a", "toy", "later")
    assert _names(store.search(after=cursor)) == ["old"]


def test_ten_thousand_page_through_in_order(store: Store) -> None:
    _fill(store, 10_000)
    found = _all_pages(store, MAX_PAGE)
    assert [saved.name for saved in found] == [f"name {n}" for n in reversed(range(10_000))]
    tagged = _all_pages(store, 150, game="toy", tag="third", query="NAME 9")
    assert [saved.name for saved in tagged] == [
        f"name {n}" for n in reversed(range(10_000)) if n % 3 == 0 and str(n).startswith("9")
    ]


def _fill(store: Store, count: int) -> None:
    for n in range(count):
        store.save(f"toy {n % 100}", "toy", f"name {n}", ["third"] if n % 3 == 0 else [])


def test_stores_agree_about_the_library(postgres: PostgresServer, tmp_path: Path) -> None:
    with ExitStack() as stack:
        places = (None, tmp_path / "a.sqlite", postgres.fresh_url())
        stores = [stack.enter_context(open_store(place)) for place in places]
        assert len({tuple(_story(store)) for store in stores}) == 1


WORDS = ["a", "A", "%", "_", "É", "é", "ab", "\\", "ß", "SS", "\U0001f600", "'"]


def _story(store: Store) -> Iterable[object]:
    """What a store answers while things are done to it at random, the same for each."""
    choose = random.Random(5)

    def some(most: int) -> list[str]:
        return [choose.choice(WORDS) for _ in range(choose.randint(1, most))]

    ids: list[str] = []
    for _ in range(150):
        deed = choose.choice(["save", "save", "change", "forget", "search", "search", "search"])
        if deed == "save" or not ids:
            name, tags, note = " ".join(some(3)), some(4), "\n".join(some(3))
            ids.append(store.save("".join(some(3)), choose.choice("gh"), name, tags, note).id)
        elif deed == "change":
            name, maybe_tags = "".join(some(2)), choose.choice([None, some(2)])
            changed = store.change(choose.choice(ids), name=name, tags=maybe_tags)
            yield None if changed is None else (changed.name, changed.tags)
        elif deed == "forget":
            yield store.forget(choose.choice(ids))
        else:
            wanted = {"query": choose.choice(["", *WORDS]), "tag": choose.choice([None, None, *WORDS])}
            game = choose.choice([None, "g"])
            page = store.search(game, **wanted, limit=5)
            yield page.total, tuple((one.name, one.tags, one.note, one.text) for one in page.positions)
            yield tuple(one.name for one in _all_pages(store, 3, game=game, **wanted))


# --- damage and reopening -----------------------------------------------------------------------------


def test_the_library_outlives_the_process(where: str) -> None:
    with open_store(where) as opened:
        saved = opened.save("toy a", "toy", "one", ["tag"], "note")
    with open_store(where) as opened:
        assert opened.saved(saved.id) == saved
        assert opened.search(tag="tag") == Page((saved,), None, 1)


def test_a_saved_position_with_a_damaged_text(postgres: PostgresServer, where: str) -> None:
    with open_store(where) as opened:
        saved = opened.save("toy a", "toy", "one")
        for damage in ("UPDATE {}position SET text = 'toy b'", "DELETE FROM {}position"):
            if isinstance(opened, SqliteStore):
                with opened._use_connection() as connection:
                    connection.execute(damage.format(""))
            else:
                postgres.sql(where, damage.format("forsyth_"))
            for use in (
                lambda: opened.saved(saved.id),
                opened.search,
                lambda: opened.change(saved.id, name="b"),
            ):
                with pytest.raises(StoreError, match=r"is damaged: the text of state_.*, saved as"):
                    use()
        opened.put("toy a", "toy")
        assert opened.saved(saved.id) == saved


# --- the command line's store -------------------------------------------------------------------------


def test_the_lazy_store_has_the_library(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORSYTH_STORE", str(tmp_path / "nowhere"))
    with LazyStore() as unmade:
        assert unmade.search() == Page((), None, 0)
        assert unmade.saved(NOBODY) is unmade.change(NOBODY, name="a") is None
        assert unmade.forget(NOBODY) is False
    assert not (tmp_path / "nowhere").exists()
    monkeypatch.setenv("FORSYTH_STORE", where)
    with LazyStore() as own, LazyStore(where) as chosen:
        saved = own.save("toy a", "toy", "one", ["tag"])
        assert chosen.saved(saved.id) == saved
        assert chosen.search(tag="tag", query="ONE") == Page((saved,), None, 1)
        assert chosen.change(saved.id, note="two") is not None
        assert own.forget(saved.id) is True
        assert chosen.get(saved.state_id) == "toy a"


def test_the_lazy_store_shows_no_password() -> None:
    with pytest.raises(Failure, match=r"--store: postgresql://me@127\.0\.0\.1:1/ cannot be used") as caught:
        LazyStore("postgresql://me:secret@127.0.0.1:1").put("toy a")
    assert "secret" not in str(caught.value)
