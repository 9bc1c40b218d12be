"""Every SQL statement of a store, written once, and how each kind of database spells it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from forsyth.store.library import COLUMNS


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one kind of database spells what they all can say."""

    prefix: str
    """What the names of the tables begin with."""
    parameter: str
    """How a parameter is written, with ``name`` for its name."""
    as_text: str
    """What follows a parameter of which nothing else says that it is text."""
    find: str
    """The function that gives the place of a text in another, 0 for none."""
    for_change: str
    """What follows a SELECT whose row is to be changed in the same transaction."""
    rows: Callable[[Sequence[str]], str]
    """Many rows that are given, with these columns, as what an INSERT takes them from."""


_PARAMETER: Final = re.compile(r":(\w+)")
_SAVED_COLUMNS: Final = "number, saved.id, state_id, saved.game, text, name, tags, note, created, updated"
_TEXTS: Final = "AS saved LEFT JOIN {position} AS known ON known.id = state_id"
_ONE: Final = f"SELECT {_SAVED_COLUMNS} FROM {{saved}} {_TEXTS} WHERE saved.id = :id"
_SHOWN: Final = ", ".join(column for column in COLUMNS if column != "searchable")
_VALUES: Final = ", ".join(f":{column}" for column in COLUMNS)
_HELD: Final = (
    "(:game{as_text} IS NULL OR game = :game) AND (:query{as_text} IS NULL OR {find}(searchable, :query) > 0)"
)
_WANTED: Final = f"FROM {{saved}} AS held WHERE {_HELD}"
_TAGGED: Final = (
    "FROM {saved_tag} AS tagged JOIN {saved} AS held ON held.number = tagged.number "
    f"WHERE tagged.tag = :tag AND {_HELD}"
)
"""Two statements, not one with a condition on the tag: a planner would not see the index in that."""


def _found(wanted: str, number: str) -> str:
    # The page first, then its texts: a planner would rather join all of them.
    page = f"{wanted} AND {number} < :before ORDER BY {number} DESC LIMIT :most"
    return f"SELECT {_SAVED_COLUMNS} FROM (SELECT held.number, {_SHOWN} {page}) {_TEXTS} ORDER BY number DESC"


_PUT: Final = (
    # On conflict the text is the same, unless the row was damaged.
    "ON CONFLICT (id) DO UPDATE SET text = excluded.text, game = coalesce(known.game, excluded.game) "
    "WHERE known.text <> excluded.text OR known.game IS NULL"
)

GIVEN: Final = {"put_many": ("id", "text", "game"), "save_many": COLUMNS, "tag_many": ("tag", "id")}
"""The statements that take many rows, with the columns of each row."""

_ONCE: Final = "ON CONFLICT (id) DO NOTHING"

_STATEMENTS: Final = {
    "size": "SELECT count(*) FROM {position}",
    "known": "SELECT game FROM {position} WHERE id = :id AND text = :text",
    "find": "SELECT text, game FROM {position} WHERE id = :id",
    "next": "SELECT id FROM {position} WHERE id > :last ORDER BY id LIMIT :most",
    "entries": "SELECT id, text, game FROM {position} WHERE id > :last ORDER BY id LIMIT :most",
    "put": f"INSERT INTO {{position}} AS known (id, text, game) VALUES (:id, :text, :game) {_PUT}",
    "put_many": f"INSERT INTO {{position}} AS known (id, text, game) {{put_many_rows}} {_PUT}",
    "initial": "SELECT id FROM {initial} WHERE game = :game",
    "set_initial": (
        "INSERT INTO {initial} (game, id) VALUES (:game, :id) "
        "ON CONFLICT (game) DO UPDATE SET id = excluded.id"
    ),
    "save": f"INSERT INTO {{saved}} ({', '.join(COLUMNS)}) VALUES ({_VALUES}) {_ONCE}",
    "save_many": f"INSERT INTO {{saved}} ({', '.join(COLUMNS)}) {{save_many_rows}} {_ONCE}",
    # The position of the identifier: its number is known to the database alone.
    "tag": (
        "INSERT INTO {saved_tag} (tag, number) SELECT :tag, number FROM {saved} WHERE id = :id "
        "ON CONFLICT (tag, number) DO NOTHING"
    ),
    # Not a join: a planner would rather look at all that was ever saved than at the index.
    "tag_many": (
        "INSERT INTO {saved_tag} (tag, number) WITH given (tag, id) AS ({tag_many_rows}) "
        "SELECT given.tag, (SELECT number FROM {saved} AS held WHERE held.id = given.id) "
        "FROM given WHERE true ON CONFLICT (tag, number) DO NOTHING"
    ),
    "untag": (
        "DELETE FROM {saved_tag} WHERE tag = :tag AND number = (SELECT number FROM {saved} WHERE id = :id)"
    ),
    "change": f"UPDATE {{saved}} SET ({', '.join(COLUMNS)}) = ({_VALUES}) WHERE id = :id",
    "tags": "SELECT tags FROM {saved} WHERE id = :id",
    "forget": "DELETE FROM {saved} WHERE id = :id",
    "saved": _ONE,
    "saved_to_change": _ONE + "{for_change}",
    "search": _found(_WANTED, "held.number"),
    "search_tag": _found(_TAGGED, "tagged.number"),
    "count": f"SELECT count(*) {_WANTED}",
    "count_tag": f"SELECT count(*) {_TAGGED}",
}


def statements(dialect: Dialect) -> dict[str, str]:
    """Every statement in a dialect."""
    tables = {name: dialect.prefix + name for name in ("position", "initial", "saved", "saved_tag")}
    words = {
        "as_text": dialect.as_text,
        "find": dialect.find,
        "for_change": dialect.for_change,
    }
    words |= {f"{name}_rows": dialect.rows(columns) for name, columns in GIVEN.items()}
    parameter = dialect.parameter.replace("name", r"\1")
    return {
        name: _PARAMETER.sub(parameter, text).format(**tables, **words) for name, text in _STATEMENTS.items()
    }
