"""The library of a store: positions that users saved under a name, with tags and a note.

Values: the text of a position follows `forsyth.store.memory`. A name has 1 to `MAX_NAME` characters, a tag 1
to `MAX_TAG`, a note at most `MAX_NOTE`; a position has at most `MAX_TAGS` tags. Names, tags and queries
contain no control characters; a note may contain line ends and tabs. NUL and lone surrogates are rejected
everywhere, because not every database can store them. A rejected value raises `ValueError` with the reason.

Normalisation: white space around names and tags is removed, and each tag is stored once, in the order given.
Times are ISO 8601 in UTC with microseconds, so that they sort as text.

Search: newest first. A query matches any part of the name, the note, a tag or the text, ignoring case
(Unicode case folding); `%`, `_` and other characters have no special meaning. A tag filter matches whole
tags only. The cursor of a page contains the number of its last position in the order of saving. Numbers are
never reused, so that a cursor stays valid while positions are saved and forgotten between two pages. The
cursor also contains the total number of matches, which is counted for the first page only.

Batches: `Store.save_many` takes any number of `ToSave` and writes them in batches of `BATCH_SIZE`. Each
batch is written completely or not at all.

Limits: a search with a query scans every saved position of the game; ten thousand take milliseconds.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar

from forsyth import registry
from forsyth.arguments import quoted, require_integer, require_text, type_name
from forsyth.forms import Entry
from forsyth.game import Game, with_auto_variant
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

DEFAULT_PAGE_SIZE: Final = 50
"""Number of saved positions on a page, unless the caller passes a limit."""

BATCH_SIZE: Final = 2000
"""Number of positions per transaction: many enough to make its cost negligible, few enough for memory."""

_PAIR_BITS: Final = 10
"""Random bits for each pair of letters of an identifier."""
_PAIR_MASK: Final = (1 << _PAIR_BITS) - 1
_PAIR_OFFSETS: Final = range(0, 60, _PAIR_BITS)
"""Offsets of the letter pairs in 60 random bits. Of two million libraries with a million identifiers each,
one has a collision."""
_ID_BYTES: Final = 8
"""Random bytes for one identifier; the last four bits are not used."""
_UNSIGNED_64_BITS: Final = "Q"
"""The format of a memoryview of numbers with `_ID_BYTES` bytes each."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_IN_NOTE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""All control characters except line ends and tabs."""

_SEPARATOR: Final = "\x1f"
"""Separator of the parts of a searchable text. A query cannot contain it, and so cannot match across
parts."""

_MAX_ROW_NUMBER: Final = 2**63 - 1
"""The largest row number in SQLite and PostgreSQL."""

_CURSOR_PATTERN: Final = re.compile(r"([0-9]{1,19})(?:-([0-9]{1,19}))?", re.ASCII)
"""A cursor such as ``812-57``: a row number and a total."""


@dataclass(frozen=True, slots=True)
class Saved:
    """One saved position. `id` identifies it; `state_id` identifies its text, which others may share."""

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
        """Return the saved position as JSON-ready data, with one key for each attribute."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "tags": list(self.tags)}


class ToSave(NamedTuple):
    """The arguments of `Store.save` for one position."""

    text: str
    game: str
    name: str
    tags: Iterable[str] = ()
    note: str = ""


CheckedValues = tuple[str, str, str, tuple[str, ...], str]
"""The text, game, name, tags and note of a `ToSave` after checking and normalisation."""

T = TypeVar("T")


def split_into_batches(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield the values in lists of `BATCH_SIZE`, each of which is written in one transaction.

    The last list may be shorter.
    """
    iterator = iter(values)
    while batch := list(islice(iterator, BATCH_SIZE)):
        yield batch


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the saved positions that a search found, newest first.

    `next` is the cursor of the following page, or None on the last page. `total` is the number of positions
    on all pages, counted when the first page was requested.
    """

    positions: tuple[Saved, ...]
    next: str | None
    total: int

    def to_dict(self) -> dict[str, Any]:
        """Return the page as JSON-ready data with the keys ``positions``, ``next`` and ``total``."""
        return {
            "positions": [saved.to_dict() for saved in self.positions],
            "next": self.next,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True)
class Search:
    """The checked parameters of a search for saved positions. None as a filter matches everything."""

    game: str | None
    tag: str | None
    query: str | None
    limit: int
    before: int
    """Only rows with a smaller number are on the page."""
    total: int | None = None
    """The number of all matches if the cursor contained it, else None."""

    def make_sql_parameters(self) -> dict[str, str | int | None]:
        """Return the parameters of the SQL statement that selects one page of saved positions.

        ``game``, ``tag`` and ``query`` select positions, and None matches all of them. ``row_limit`` is one
        more than the limit of the page: if the database returns that many rows, another page follows.
        """
        return {
            "game": self.game,
            "tag": self.tag,
            "query": self.query,
            "before": self.before,
            "row_limit": self.limit + 1,
        }

    def make_page(self, rows: Sequence[tuple[int, Saved | None]], total: int) -> Page:
        """Return the page of the first `limit` saved positions in `rows`.

        Args:
            rows: Pairs of a row number and a saved position, newest first. The position is None for a damaged
                row, which the page leaves out. If there are more rows than `limit`, another page follows, and
                its cursor is ``NUMBER-TOTAL``, such as ``812-57``.
            total: The number of positions on all pages.
        """
        page_rows = rows[: self.limit]
        positions = tuple(saved for _, saved in page_rows if saved is not None)
        has_next_page = len(rows) > self.limit
        next_cursor = None
        if has_next_page:
            last_number, _ = page_rows[-1]
            next_cursor = f"{last_number}-{total}"
        return Page(positions, next_cursor, total)


# --- checking values ----------------------------------------------------------------------------------


def make_checked_state_id(text: str, game: str | None = None) -> str:
    """Check a position text before it is stored, and return its identifier, such as ``state_6a…``.

    Args:
        text: The canonical text of a position.
        game: The name of its game, or None if it is unknown.

    Raises:
        ValueError: If the text is empty, too long, or contains NUL or a lone surrogate; if the name of the
            game cannot be stored; or if the game is installed and cannot read the text.
        TypeError: If the text or the name is not a string.
    """
    _require_text(text)
    if game is not None:
        check_game_name(game)
        _require_readable(text, game)
    return state_id(text)


_auto_games: Final[dict[str, tuple[Game, Game]]] = {}
"""Each installed game that a text was stored for, by name: the game, and the same game in variant ``auto``.

Only the registry records which games are installed, so an entry is valid while the registry returns its game.
"""


def _find_installed_game(name: str) -> Game | None:
    """Return the game with the name `name`, set to read texts of all its variants.

    Return None if no such game is installed.
    """
    if name not in registry.games():
        return None
    game = registry.game(name)
    cached_game, auto_game = _auto_games.get(name, (None, game))
    if cached_game is not game:
        # In plain Python, selecting a variant takes longer than reading a text.
        auto_game = with_auto_variant(game)
        _auto_games[name] = (game, auto_game)
    return auto_game


def _require_readable(text: str, game: str) -> None:
    """Raise `ValueError` if the game with the name `game` is installed and cannot read `text`."""
    installed_game = _find_installed_game(game)
    if installed_game is None:
        return
    reading = installed_game.read(text)
    if reading.position is None:
        raise ValueError(f"the text is not a position of {game}: {reading.errors[0].message}")


def _require_text(text: str) -> None:
    """Raise `ValueError` if a position text is empty, too long, or contains NUL or a lone surrogate.

    Raise `TypeError` if it is not a string.
    """
    if _is_trivially_valid(text, MAX_PLAIN):
        return
    require_text("the text", text)
    if not text:
        raise ValueError("the text is empty, expected the text of a position")
    if len(text) > MAX_PLAIN:
        raise ValueError(f"the text has {len(text)} characters, expected at most {MAX_PLAIN}")
    _require_storable("the text", text)


def make_entries(texts: Iterable[tuple[str, str | None]]) -> list[Entry]:
    """Return the entries to store for position texts: each text once, with its identifier and game.

    Each text is given as a pair with the name of its game, or None if the game is unknown. If a text occurs
    several times, its entry has the first game that is named. Raise `ValueError` if a text or game is not
    valid (see `make_checked_state_id`).
    """
    entry_by_id: dict[str, Entry] = {}
    for pair in texts:
        text, game = _split_pair(pair)
        id = make_checked_state_id(text, game)
        earlier_entry = entry_by_id.get(id)
        if earlier_entry is None or earlier_entry.game is None:
            entry_by_id[id] = Entry(id, text, game)
    return list(entry_by_id.values())


def _split_pair(pair: tuple[str, str | None]) -> tuple[str, str | None]:
    """Return the text and the game in a pair.

    Raise `TypeError` if `pair` is not a tuple or list of two.
    """
    is_pair = isinstance(pair, tuple | list) and len(pair) == 2
    if is_pair:
        text, game = pair
        return text, game
    raise TypeError(
        f"a text to store is given as {type_name(pair)}, expected a pair of a text and a game or None"
    )


def check_game_name(game: str) -> str:
    """Check the name of a game, such as ``chess``, and return it unchanged.

    Raise `ValueError` if it has more than `MAX_GAME_NAME` characters, or contains NUL or a lone surrogate.
    """
    require_text("the name of the game", game)
    _require_storable("the name of the game", game)
    _require_length("the name of the game", game, MAX_GAME_NAME)
    return game


def can_be_stored(text: object) -> bool:
    """Return True for a string that databases accept: without NUL and lone surrogates.

    Return False for any other value. Callers look up only such strings, because others cannot be stored.
    """
    if not isinstance(text, str):
        return False
    try:
        return b"\0" not in text.encode("utf-8")
    except UnicodeEncodeError:
        return False


def _require_storable(label: str, text: str) -> None:
    """Raise `ValueError` if `text` contains NUL or a lone surrogate, which databases reject.

    `label` is the text as the message names it, such as ``the note``.
    """
    if "\0" in text:
        nul_index = text.index("\0")
        raise ValueError(f"character {nul_index} of {label} is NUL, which no store can hold; remove it")
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"character {error.start} of {label} is a lone surrogate, expected Unicode text; remove it"
        raise ValueError(message) from error


def _require_length(label: str, text: str, max_length: int) -> None:
    """Raise `ValueError` if `text` has more than `max_length` characters.

    `label` is the text as the message names it, such as ``the note``.
    """
    if len(text) > max_length:
        raise ValueError(f"{label} has {len(text)} characters, expected at most {max_length}")


def _require_no_controls(label: str, text: str, controls: re.Pattern[str] = _CONTROL) -> None:
    """Raise `ValueError` if `text` contains a control character, such as NUL, or a lone surrogate.

    `label` is the text as the message names it, such as ``the note``. `controls` is a pattern of the control
    characters that are forbidden.
    """
    if text.isascii() and text.isprintable():
        return
    _require_storable(label, text)
    match = controls.search(text)
    if match is not None:
        code_point = f"U+{ord(match[0]):04X}"
        raise ValueError(
            f"character {match.start()} of {label} is the control character {code_point}; remove it"
        )


def _is_trivially_valid(value: object, max_length: int) -> bool:
    """Return True if `value` is printable ASCII text of 1 to `max_length` characters.

    It must not begin or end with a space. This test is fast and accepts nearly every text, name, tag and
    note, so that the full checks are rarely needed.
    """
    return (
        type(value) is str
        and 0 < len(value) <= max_length
        and value.isascii()
        and value.isprintable()
        and value[0] != " "
        and value[-1] != " "
    )


def _normalise_name(name: str) -> str:
    """Return the name of a saved position without leading and trailing white space.

    Raise `ValueError` if it is empty, too long, or contains a control character or a lone surrogate.
    """
    return _normalise_label("the name", name, MAX_NAME)


def _normalise_label(label: str, value: str, max_length: int) -> str:
    """Return a name or tag without leading and trailing white space.

    `label` is the value as messages name it, such as ``the name``. Raise `ValueError` if the value is empty,
    too long, or contains a control character or a lone surrogate.
    """
    if _is_trivially_valid(value, max_length):
        return value
    require_text(label, value)
    stripped = value.strip()
    if not stripped:
        raise ValueError(f"{label} is empty, expected 1 to {max_length} characters")
    _require_length(label, stripped, max_length)
    _require_no_controls(label, stripped)
    return stripped


def _normalise_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags without leading and trailing white space, each once, in the order given.

    Raise `ValueError` if a tag is not valid, if there are more than `MAX_TAGS`, or if `tags` is one string.
    """
    if isinstance(tags, str):
        raise ValueError(f"the tags are the single text {quoted(tags)}, expected a list of texts")
    if not isinstance(tags, Iterable):
        raise TypeError(f"the tags are of type {type_name(tags)}, expected a list of texts")
    unique_tags = tuple(dict.fromkeys(map(_normalise_tag, tags)))
    if len(unique_tags) > MAX_TAGS:
        raise ValueError(f"there are {len(unique_tags)} tags, expected at most {MAX_TAGS}")
    return unique_tags


def _normalise_tag(tag: str) -> str:
    """Return a tag without leading and trailing white space.

    Raise `ValueError` if it is empty, too long, or contains a control character or a lone surrogate.
    """
    return _normalise_label("a tag", tag, MAX_TAG)


def _check_note(note: str) -> str:
    """Check a note, and return it unchanged. It may be empty, and it may contain line ends and tabs.

    Raise `ValueError` if it is too long, or contains another control character or a lone surrogate.
    """
    is_empty = type(note) is str and not note
    if is_empty or _is_trivially_valid(note, MAX_NOTE):
        return note
    require_text("the note", note)
    _require_length("the note", note, MAX_NOTE)
    _require_no_controls("the note", note, _CONTROL_IN_NOTE)
    return note


# --- saving and changing ------------------------------------------------------------------------------


def make_saved_batch(positions: Iterable[ToSave]) -> list[Saved]:
    """Return new `Saved` objects for these positions, each with a random identifier.

    All get the present time as `created` and `updated`. Raise `ValueError` if a text, game, name, tag or note
    is not valid.
    """
    now = _format_utc_now()
    all_values = [_check_values(*_to_save_arguments(position)) for position in positions]
    ids = _generate_ids(len(all_values))
    return [_build_saved(id, values, now) for id, values in zip(ids, all_values, strict=True)]


def make_saved(
    text: str, game: str, name: str, tags: Iterable[str], note: str, now: str | None = None
) -> Saved:
    """Return a new `Saved` object with a random identifier, without storing it.

    `now` is the time of saving in ISO 8601, or None for the present time. Raise `ValueError` if the text,
    game, name, a tag or the note is not valid.
    """
    values = _check_values(text, game, name, tags, note)
    (id,) = _generate_ids(1)
    saving_time = _format_utc_now() if now is None else now
    return _build_saved(id, values, saving_time)


def _build_saved(id: str, values: CheckedValues, now: str) -> Saved:
    """Return the saved position with the identifier `id` and the values of a `ToSave`.

    `now` is the time of saving in ISO 8601.
    """
    text, game, name, tags, note = values
    return Saved(
        id=id,
        state_id=state_id(text),
        game=game,
        text=text,
        name=name,
        tags=tags,
        note=note,
        created=now,
        updated=now,
    )


def require_savable(text: str, game: str, name: str, tags: Iterable[str], note: str) -> None:
    """Raise `ValueError` if `Store.save` would reject one of the values, for example an empty name.

    Nothing is saved.
    """
    _check_values(text, game, name, tags, note)


def _require_game_name(game: str) -> None:
    """Raise `ValueError` if the name of a game is empty, or cannot be stored."""
    if game == "":
        raise ValueError("the name of the game is empty, expected a name such as 'chess'")
    check_game_name(game)


def _to_save_arguments(position: ToSave) -> ToSave:
    """Return the arguments of `Store.save` for a position as a `ToSave`.

    `position` is a `ToSave`, or a tuple or list of the same values: text, game, name, tags and note. The last
    two may be missing. Raise `TypeError` if it is something else.
    """
    if type(position) is ToSave:
        return position
    try:
        return ToSave(*position)
    except TypeError:
        expected = "ToSave, or a text, its game, a name, tags and a note"
        raise TypeError(
            f"a position to save is given as {type_name(position)}, expected {expected}"
        ) from None


def _check_values(text: str, game: str, name: str, tags: Iterable[str], note: str) -> CheckedValues:
    """Check the values of a position to save, and return them in normal form.

    They are text, game, name, tags and note, in this order. White space around the name and the tags is
    removed. Raise `ValueError` if a value is not valid.
    """
    _require_game_name(game)
    _require_text(text)
    _require_readable(text, game)
    return text, game, _normalise_name(name), _normalise_tags(tags), _check_note(note)


def _generate_ids(count: int) -> list[str]:
    """Return `count` random identifiers of 12 characters, such as ``k3v7qxa2mzlp``.

    The characters ``a`` to ``z`` and ``2`` to ``7`` need no escaping in URLs and file names. Each pair of
    them encodes 10 random bits.
    """
    # One call for all random bits: separate calls would cost as much as the rest of saving.
    random_bytes = secrets.token_bytes(_ID_BYTES * count)
    random_numbers = memoryview(random_bytes).cast(_UNSIGNED_64_BITS)
    ids = []
    for number in random_numbers:
        letter_pairs = [PAIRS[(number >> offset) & _PAIR_MASK] for offset in _PAIR_OFFSETS]
        ids.append("".join(letter_pairs))
    return ids


@dataclass(frozen=True, slots=True)
class SavedChange:
    """Checked new values for a saved position; None leaves a value unchanged."""

    name: str | None
    tags: tuple[str, ...] | None
    note: str | None
    changed_at: str

    def apply_to(self, saved: Saved) -> Saved:
        """Return a copy of a saved position with the new values. A value that is None is not changed."""
        return replace(
            saved,
            name=saved.name if self.name is None else self.name,
            tags=saved.tags if self.tags is None else self.tags,
            note=saved.note if self.note is None else self.note,
            # The clock of this machine may be behind the clock of the machine that saved the position.
            updated=max(saved.updated, self.changed_at),
        )


def make_change(name: str | None, tags: Iterable[str] | None, note: str | None) -> SavedChange:
    """Check new values for a saved position, and return them with the present time.

    A value that is None is not changed. Raise `ValueError` if the name, a tag or the note is not valid.
    """
    return SavedChange(
        name=None if name is None else _normalise_name(name),
        tags=None if tags is None else _normalise_tags(tags),
        note=None if note is None else _check_note(note),
        changed_at=_format_utc_now(),
    )


def _format_utc_now() -> str:
    """Return the present time in UTC as ISO 8601, such as ``2025-03-01T09:30:00.000000Z``."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# --- searching ----------------------------------------------------------------------------------------


def make_search(
    game: str | None, tag: str | None, query: str | None, limit: int, after: str | None
) -> Search:
    """Return the checked parameters of a search for saved positions, newest first.

    Args:
        game: Only positions of this game. None means every game.
        tag: Only positions with this tag. None means every position.
        query: Only positions whose name, tags, note or text contain this, ignoring case. None means all.
        limit: The maximum number of positions on the page.
        after: The cursor in `next` of the previous page. None means the first page.

    Raises:
        ValueError: If an argument is not valid.
    """
    cursor = _FIRST_PAGE if after is None else _parse_cursor(after)
    return Search(
        game=None if game is None else check_game_name(game),
        tag=None if tag is None else _normalise_tag(tag),
        query=None if query is None else _normalise_query(query),
        limit=require_integer("the limit", limit, 1, MAX_PAGE),
        before=cursor.before,
        total=cursor.total,
    )


def _normalise_query(query: str) -> str | None:
    """Return a query in folded case, such as ``strasse`` for ``Straße``.

    Return None if it is empty. Raise `ValueError` if it is too long, or contains a control character or a
    lone surrogate.
    """
    require_text("the query", query)
    _require_length("the query", query, MAX_QUERY)
    _require_no_controls("the query", query)
    return _fold_case(query) or None


class _PageCursor(NamedTuple):
    """The place of a page in the result of a search."""

    before: int
    """The row number of the last position on the previous page. The page has rows with lower numbers."""
    total: int | None
    """The number of positions on all pages, or None if it has not been counted."""


_FIRST_PAGE: Final = _PageCursor(_MAX_ROW_NUMBER, None)


def _parse_cursor(cursor: str) -> _PageCursor:
    """Return the row number and the total in the cursor of a page, such as ``812-57``.

    Earlier versions wrote only the row number. The total is None then. Raise `ValueError` if `cursor` has
    another form.
    """
    require_text("the cursor", cursor)
    match = _CURSOR_PATTERN.fullmatch(cursor)
    if match is None:
        raise ValueError(
            f"{quoted(cursor)} is not the cursor of a page; pass the value of 'next' of the previous page"
        )
    number_digits, total_digits = match.groups()
    # Databases reject larger numbers.
    row_number = min(int(number_digits), _MAX_ROW_NUMBER)
    total = None if total_digits is None else min(int(total_digits), _MAX_ROW_NUMBER)
    return _PageCursor(row_number, total)


def make_searchable_text(saved: Saved) -> str:
    """Return the text in which queries are searched: name, tags, note and position text."""
    return _join_searchable((saved.text, saved.game, saved.name, saved.tags, saved.note))


def _join_searchable(values: CheckedValues) -> str:
    """Return the name, tags, note and text of a saved position as one text in folded case.

    They are joined by a separator that no query contains, so that no query matches across two of them. The
    game is left out, because searches have their own filter for it.
    """
    text, _, name, tags, note = values
    joined = _SEPARATOR.join((name, *tags, note, text))
    # Folding works character by character, so that the joined text can be folded as a whole.
    return _fold_case(joined)


def _fold_case(text: str) -> str:
    """Return a text without differences in case, such as ``strasse`` for ``Straße`` and ``STRASSE``."""
    return text.casefold()


# --- rows of a database -------------------------------------------------------------------------------

COLUMNS: Final = ("id", "state_id", "game", "name", "tags", "note", "created", "updated", "searchable")
"""Columns of the table of saved positions, in the order of `saved_to_row`."""

Rows = Sequence[tuple[str | None, ...]]
"""Rows of values, each in the order of its columns."""


class NewRows(NamedTuple):
    """New saved positions as rows of three tables: of texts, of saved positions, and of their tags."""

    texts: Rows
    """Each different text with its identifier and game."""
    saved: Rows
    """Values of `COLUMNS`."""
    tags: Rows
    """Pairs of a tag and the identifier of a saved position."""


SavedRow = tuple[int, str, str, str, str | None, str, str, str, str, str]
"""Row that `saved_from_row` reads: number, id, state_id, game, text, name, tags, note, created, updated."""


def make_rows(positions: Iterable[ToSave]) -> NewRows:
    """Return the database rows to insert for new saved positions, with random identifiers.

    There are rows of texts, of saved positions and of tags. They are built without `Saved` objects, which
    would take most of the time for many positions. Raise `ValueError` if a value is not valid.
    """
    now = _format_utc_now()
    all_values = [_check_values(*_to_save_arguments(position)) for position in positions]
    ids = _generate_ids(len(all_values))
    text_row_by_id: dict[str, tuple[str, str, str]] = {}
    saved_rows = []
    tag_rows = []
    for id, values in zip(ids, all_values, strict=True):
        text, game, _, tags, _ = values
        text_id = state_id(text)
        text_row_by_id.setdefault(text_id, (text_id, text, game))
        saved_rows.append(_build_row(id, text_id, values, created=now, updated=now))
        tag_rows += [(tag, id) for tag in tags]
    return NewRows(list(text_row_by_id.values()), saved_rows, tag_rows)


def saved_to_row(saved: Saved) -> tuple[str, ...]:
    """Return a saved position as a database row, in the order of `COLUMNS`."""
    values = saved.text, saved.game, saved.name, saved.tags, saved.note
    return _build_row(saved.id, saved.state_id, values, created=saved.created, updated=saved.updated)


def _build_row(
    id: str, text_id: str, values: CheckedValues, *, created: str, updated: str
) -> tuple[str, ...]:
    """Return the database row of a saved position, in the order of `COLUMNS`.

    Args:
        id: The identifier of the saved position.
        text_id: The identifier of its text.
        values: Its text, game, name, tags and note.
        created: The time of saving in ISO 8601.
        updated: The time of the last change in ISO 8601.
    """
    _, game, name, tags, note = values
    searchable = _join_searchable(values)
    return id, text_id, game, name, join_tags(tags), note, created, updated, searchable


def saved_from_row(row: SavedRow, location: str) -> tuple[int, Saved]:
    """Return the number of a database row, and the saved position in it.

    `location` is the file or server, for messages. Raise `StoreError` if the row is damaged: if its text does
    not match its identifier, or a value has the wrong type.
    """
    number, id, text_id, game, text, name, tags, note, created, updated = row
    if not isinstance(text, str) or state_id(text) != text_id:
        raise StoreError(
            f"{location} is damaged: the text of {text_id}, saved as {id}, is not the original one; "
            "restore the store from a backup"
        )
    has_only_text = all(isinstance(value, str) for value in (id, game, name, tags, note, created, updated))
    if not isinstance(number, int) or not has_only_text:
        raise StoreError(
            f"{location} is damaged: the position saved as {quoted(id)} has values that are not text; "
            "restore the store from a backup"
        )
    saved = Saved(
        id=id,
        state_id=text_id,
        game=game,
        text=text,
        name=name,
        tags=split_tags(tags),
        note=note,
        created=created,
        updated=updated,
    )
    return number, saved


def join_tags(tags: tuple[str, ...]) -> str:
    r"""Return the tags as one text with a line end on both sides of each, such as ``\nopen\nwon\n``.

    Return an empty text if there are no tags.
    """
    if not tags:
        return ""
    return "\n" + "\n".join(tags) + "\n"


def split_tags(text: str) -> tuple[str, ...]:
    r"""Return the tags in a text from `join_tags`: ``("open", "won")`` for ``\nopen\nwon\n``."""
    return tuple(text.strip("\n").split("\n")) if text else ()
