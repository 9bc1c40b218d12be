"""The library: positions that somebody saved, with a name, tags and a note.

Accepted: the text of a position as in `forsyth.store.memory`; a name of 1 to `MAX_NAME` characters; at most
`MAX_TAGS` tags of 1 to `MAX_TAG` characters; a note of at most `MAX_NOTE`. Names, tags and queries have no
control characters; a note may have line ends and tabs. NUL and lone surrogates are refused everywhere: not
every database can hold them. What is refused is a `ValueError` with a sentence.

Written: names and tags without white space around them, each tag once, in the order given. Times are ISO 8601
in UTC with microseconds, so that their order as text is their order in time.

Search: newest first. A query is a part of the name, the note, a tag or the text, whatever the case of its
letters (Unicode case folding); `%`, `_` and all others are ordinary characters. A tag is the whole tag. The
cursor of a page stays good though positions be saved and forgotten between two pages: it is the place of the
last one in the order of saving, and that is never given away again. It also carries the number of all
positions that were found, which the first page counts and the others do not count again.

Many at once: `Store.save_many` takes any number of `ToSave` and works in batches of `BATCH`, each of them
whole or not at all.

Limits: a search with a query looks at every saved position of the game; ten thousand take milliseconds.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from forsyth.arguments import quoted, require_text, type_of, whole_number
from forsyth.forms import Entry
from forsyth.identity import PAIRS, state_id
from forsyth.limits import (
    MAX_GAME_NAME,
    MAX_NAME,
    MAX_NOTE,
    MAX_PAGE,
    MAX_PLAIN,
    MAX_QUERY,
    MAX_TAG,
    MAX_TAGS,
)
from forsyth.store.errors import StoreError

DEFAULT_PAGE: Final = 50
"""Saved positions on a page, where nothing else is asked for."""

BATCH: Final = 2000
"""Positions that are written or read at once: enough that a transaction costs nothing, few enough to hold."""

_ID_SHIFTS: Final = range(0, 60, 10)
"""60 random bits: nobody guesses one, and a million of them have two alike once in two million libraries."""
_ID_BYTES: Final = 8
"""Random bytes for one, of which the last four bits are not used."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_IN_NOTE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""All but line ends and tabs."""

_BETWEEN: Final = "\x1f"
"""Between the parts that a query looks in. No query can hold it, so that none finds the seam of two parts."""

_LAST_CURSOR: Final = 2**63 - 1
"""The largest number of a row in SQLite and PostgreSQL."""

_CURSOR: Final = re.compile(r"([0-9]{1,19})(?:-([0-9]{1,19}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Saved:
    """One saved position. `id` is its own; `state_id` is that of its text, which others may share."""

    id: str
    state_id: str
    game: str
    text: str
    name: str
    tags: tuple[str, ...]
    note: str
    created: str
    updated: str

    def to_dict(self) -> dict[str, Any]:
        """The saved position as JSON-ready data."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**found, "tags": list(self.tags)}


class ToSave(NamedTuple):
    """A position that is to be saved: what `Store.save` takes."""

    text: str
    game: str
    name: str
    tags: Iterable[str] = ()
    note: str = ""


LookedAt = tuple[str, str, str, tuple[str, ...], str]
"""The values of a `ToSave` as a store takes them."""

T = TypeVar("T")


def in_batches(values: Iterable[T]) -> Iterator[list[T]]:
    """Lists of `BATCH` values, the last one of what is left."""
    rest = iter(values)
    while batch := list(islice(rest, BATCH)):
        yield batch


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the saved positions that were asked for, newest first.

    `next` is the cursor of the page after this one, None on the last. `total` counts all pages, as they were
    when the first was asked for.
    """

    positions: tuple[Saved, ...]
    next: str | None
    total: int

    def to_dict(self) -> dict[str, Any]:
        """The page as JSON-ready data."""
        return {
            "positions": [saved.to_dict() for saved in self.positions],
            "next": self.next,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class Search:
    """A search whose values were looked at: see `search_for`."""

    game: str | None
    tag: str | None
    query: str | None
    limit: int
    before: int
    total: int | None = None
    """How many there are, where the page before has counted them."""

    def values(self) -> dict[str, str | int | None]:
        """The parameters of a statement; `most` is one more than the limit, to see whether more follows."""
        values: dict[str, str | int | None] = {"game": self.game, "tag": self.tag, "query": self.query}
        return {**values, "before": self.before, "most": self.limit + 1}

    def page(self, rows: list[tuple[int, Saved]], total: int) -> Page:
        """The page of the rows found, of which there is one more than the limit when another page follows."""
        shown = rows[: self.limit]
        follows = len(rows) > self.limit
        cursor = f"{shown[-1][0]}-{total}" if follows else None
        return Page(tuple(saved for _, saved in shown), cursor, total)


# --- what a store takes -------------------------------------------------------------------------------


def address(text: str) -> str:
    """The identifier a text is stored under; raises `ValueError` for one that no store takes."""
    _require_text(text)
    return state_id(text)


def _require_text(text: str) -> None:
    if _is_plain(text, MAX_PLAIN):
        return
    require_text("the text", text)
    if not text:
        raise ValueError("an empty text cannot be stored")
    if len(text) > MAX_PLAIN:
        raise ValueError(f"the text has {len(text)} characters, expected at most {MAX_PLAIN}")
    _require_storable("the text", text)


def new_entries(texts: Iterable[tuple[str, str | None]]) -> list[Entry]:
    """Texts with their identifiers, each once; raises `ValueError` for one that no store takes."""
    found: dict[str, Entry] = {}
    for one in texts:
        text, game = _pair(one)
        entry = Entry(address(text), text, None if game is None else game_name(game))
        known = found.get(entry.id)
        if known is None or known.game is None:
            found[entry.id] = entry
    return list(found.values())


def _pair(one: tuple[str, str | None]) -> tuple[str, str | None]:
    if isinstance(one, tuple | list) and len(one) == 2:
        return one[0], one[1]
    raise TypeError(f"a text to keep is given as {type_of(one)}, expected a text and its game or None")


def game_name(game: str) -> str:
    """The name of a game as it is stored; raises `ValueError` for one that no store takes."""
    require_text("the name of the game", game)
    _require_storable("the name of the game", game)
    _require_length("the name of the game", game, MAX_GAME_NAME)
    return game


def can_be_stored(text: object) -> bool:
    """Whether a text could be in a store at all: what is asked for and could not is not there."""
    if not isinstance(text, str):
        return False
    try:
        return b"\0" not in text.encode("utf-8")
    except UnicodeEncodeError:
        return False


def _require_storable(what: str, text: str) -> None:
    if text.isascii() and "\0" not in text:
        return
    if "\0" in text:
        raise ValueError(f"character {text.index(chr(0))} of {what} is NUL, which no store can hold")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"character {error.start} of {what} is a lone surrogate, expected Unicode text"
        raise ValueError(message) from error


def _require_length(what: str, text: str, most: int) -> None:
    if len(text) > most:
        raise ValueError(f"{what} has {len(text)} characters, expected at most {most}")


def _require_printed(what: str, text: str, unprinted: re.Pattern[str] = _CONTROL) -> None:
    if text.isascii() and text.isprintable():
        return
    _require_storable(what, text)
    found = unprinted.search(text)
    if found:
        code = f"U+{ord(found[0]):04X}"
        raise ValueError(f"character {found.start()} of {what} is the control character {code}")


def _is_plain(text: object, most: int) -> bool:
    """Whether nothing can be wrong with a text, name, tag or note: of nearly all it is seen at once."""
    return (
        type(text) is str
        and 0 < len(text) <= most
        and text.isascii()
        and text.isprintable()
        and text[0] != " " != text[-1]
    )


def _name(name: str) -> str:
    if _is_plain(name, MAX_NAME):
        return name
    require_text("the name", name)
    name = name.strip()
    if not name:
        raise ValueError("the name is empty, expected one to find the position by")
    _require_length("the name", name, MAX_NAME)
    _require_printed("the name", name)
    return name


def _tags(tags: Iterable[str]) -> tuple[str, ...]:
    if isinstance(tags, str):
        raise ValueError("the tags are one text, expected a list of texts")
    if not isinstance(tags, Iterable):
        raise TypeError(f"the tags are of type {type_of(tags)}, expected a list of texts")
    found = tuple(dict.fromkeys(map(_tag, tags)))
    if len(found) > MAX_TAGS:
        raise ValueError(f"there are {len(found)} tags, expected at most {MAX_TAGS}")
    return found


def _tag(tag: str) -> str:
    if _is_plain(tag, MAX_TAG):
        return tag
    require_text("a tag", tag)
    tag = tag.strip()
    if not tag:
        raise ValueError("a tag is empty, expected a word")
    _require_length("a tag", tag, MAX_TAG)
    _require_printed("a tag", tag)
    return tag


def _note(note: str) -> str:
    if (type(note) is str and not note) or _is_plain(note, MAX_NOTE):
        return note
    require_text("the note", note)
    _require_length("the note", note, MAX_NOTE)
    _require_printed("the note", note, _CONTROL_IN_NOTE)
    return note


# --- saving and changing ------------------------------------------------------------------------------


def new_saved_ones(positions: Iterable[ToSave]) -> list[Saved]:
    """Positions to be saved at one moment; raises `ValueError` for what no store takes."""
    now, wanted = _now(), [_looked_at(*_to_save(one)) for one in positions]
    return [_saved(*one, id, now) for one, id in zip(wanted, _new_ids(len(wanted)), strict=True)]


def new_saved(
    text: str, game: str, name: str, tags: Iterable[str], note: str, now: str | None = None
) -> Saved:
    """A position to be saved, with a new identifier; raises `ValueError` for what no store takes."""
    wanted = _looked_at(text, game, name, tags, note)
    return _saved(*wanted, _new_ids(1)[0], _now() if now is None else now)


def _saved(text: str, game: str, name: str, tags: tuple[str, ...], note: str, id: str, now: str) -> Saved:
    return Saved(id, state_id(text), game, text, name, tags, note, now, now)


def require_savable(text: str, game: str, name: str, tags: Iterable[str], note: str) -> None:
    """Raise `ValueError` for what no store takes, as `new_saved` does."""
    _looked_at(text, game, name, tags, note)


def _required_game(game: str) -> str:
    if game == "":
        raise ValueError("the name of the game is empty, expected the game of the position")
    return game_name(game)


def _to_save(one: ToSave) -> ToSave:
    if type(one) is ToSave:
        return one
    try:
        return ToSave(*one)
    except TypeError:
        expected = "ToSave, or a text, its game, a name, tags and a note"
        raise TypeError(f"a position to save is given as {type_of(one)}, expected {expected}") from None


def _looked_at(text: str, game: str, name: str, tags: Iterable[str], note: str) -> LookedAt:
    game = _required_game(game)
    _require_text(text)
    return text, game, _name(name), _tags(tags), _note(note)


def _new_ids(count: int) -> list[str]:
    # The letters of a state identifier: the same in a URL, in a file name and read out aloud. The random
    # bits of all at once: asking for them costs as much as all the rest.
    numbers = memoryview(secrets.token_bytes(_ID_BYTES * count)).cast("Q")
    return ["".join([PAIRS[bits >> shift & 1023] for shift in _ID_SHIFTS]) for bits in numbers]


@dataclass(frozen=True, slots=True)
class SavedChange:
    """New values of a saved position, looked at; None leaves a value as it is."""

    name: str | None
    tags: tuple[str, ...] | None
    note: str | None
    at: str

    def of(self, saved: Saved) -> Saved:
        """The saved position with the new values."""
        return replace(
            saved,
            name=saved.name if self.name is None else self.name,
            tags=saved.tags if self.tags is None else self.tags,
            note=saved.note if self.note is None else self.note,
            # Another machine's clock may be behind the one that saved it.
            updated=max(saved.updated, self.at),
        )


def change_to(name: str | None, tags: Iterable[str] | None, note: str | None) -> SavedChange:
    """The change to these values; raises `ValueError` for what no store takes."""
    return SavedChange(
        name=None if name is None else _name(name),
        tags=None if tags is None else _tags(tags),
        note=None if note is None else _note(note),
        at=_now(),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# --- searching ----------------------------------------------------------------------------------------


def search_for(game: str | None, tag: str | None, query: str | None, limit: int, after: str | None) -> Search:
    """The search for these values; raises `ValueError` for a value that no search takes."""
    before, total = (_LAST_CURSOR, None) if after is None else _cursor(after)
    return Search(
        game=None if game is None else game_name(game),
        tag=None if tag is None else _tag(tag),
        query=None if query is None else _query(query),
        limit=whole_number("the limit", limit, 1, MAX_PAGE),
        before=before,
        total=total,
    )


def _query(query: str) -> str | None:
    require_text("the query", query)
    _require_length("the query", query, MAX_QUERY)
    _require_printed("the query", query)
    return _fold(query) or None


def _cursor(after: str) -> tuple[int, int | None]:
    """The place in a cursor and the total; those of earlier versions have no total."""
    require_text("the cursor", after)
    found = _CURSOR.fullmatch(after)
    if found is not None:
        return min(int(found[1]), _LAST_CURSOR), None if found[2] is None else min(
            int(found[2]), _LAST_CURSOR
        )
    raise ValueError("'after' is not the cursor of a page, expected the 'next' of the page before")


def searchable(saved: Saved) -> str:
    """All that a query looks in, case-folded."""
    return _searchable((saved.text, saved.game, saved.name, saved.tags, saved.note))


def _searchable(wanted: LookedAt) -> str:
    text, _, name, tags, note = wanted
    # Folding goes letter by letter, so that all parts can be folded together.
    return _fold(_BETWEEN.join((name, *tags, note, text)))


def _fold(text: str) -> str:
    return text.casefold()


# --- rows of a database -------------------------------------------------------------------------------

COLUMNS: Final = ("id", "state_id", "game", "name", "tags", "note", "created", "updated", "searchable")
"""The columns that `write_row` has the values of."""

Rows = Sequence[tuple[str | None, ...]]
"""Rows of values, each in the order of its columns."""


class NewRows(NamedTuple):
    """Positions to be saved, as the rows of three tables: of texts, each once, of `COLUMNS`, and of tags."""

    texts: Rows
    saved: Rows
    tags: Rows


Row = tuple[int, str, str, str, str | None, str, str, str, str, str]
"""What `read_row` reads: number, id, state_id, game, text, name, tags, note, created, updated."""


def new_rows(positions: Iterable[ToSave]) -> NewRows:
    """What `new_saved_ones` makes, as rows: with many of them the values between would cost the most."""
    now, wanted = _now(), [_looked_at(*_to_save(one)) for one in positions]
    texts: dict[str, tuple[str, str, str]] = {}
    saved, tagged = [], []
    for one, id in zip(wanted, _new_ids(len(wanted)), strict=True):
        text, game, _, tags, _ = one
        state = state_id(text)
        texts.setdefault(state, (state, text, game))
        saved.append(_row(id, state, one, now, now))
        for tag in tags:
            tagged.append((tag, id))
    return NewRows(list(texts.values()), saved, tagged)


def write_row(saved: Saved) -> tuple[str, ...]:
    """A saved position as the values of `COLUMNS`."""
    wanted = saved.text, saved.game, saved.name, saved.tags, saved.note
    return _row(saved.id, saved.state_id, wanted, saved.created, saved.updated)


def _row(id: str, state: str, wanted: LookedAt, created: str, updated: str) -> tuple[str, ...]:
    _, game, name, tags, note = wanted
    return id, state, game, name, join_tags(tags), note, created, updated, _searchable(wanted)


def read_row(row: Row, where: str) -> tuple[int, Saved]:
    """The number and the saved position of a row; raises `StoreError` when its text is not what was saved."""
    number, id, state, game, text, name, tags, note, created, updated = row
    if not isinstance(text, str) or state_id(text) != state:
        raise StoreError(f"{where} is damaged: the text of {state}, saved as {id}, is not the one it had")
    if not isinstance(number, int) or not all(isinstance(value, str) for value in (id, *row[5:], game)):
        raise StoreError(f"{where} is damaged: what was saved as {quoted(id)} is not text")
    return number, Saved(id, state, game, text, name, split_tags(tags), note, created, updated)


def join_tags(tags: tuple[str, ...]) -> str:
    """Tags as one text with a line end around each, so that a whole tag can be looked for; empty for none."""
    return "\n" + "\n".join(tags) + "\n" if tags else ""


def split_tags(text: str) -> tuple[str, ...]:
    """The tags that `join_tags` joined."""
    return tuple(text.strip("\n").split("\n")) if text else ()
