"""Every SQL statement of a store, written once, and the spelling of each SQL dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from forsyth.store.library import COLUMNS


@dataclass(frozen=True, slots=True)
class Dialect:
    """The parts of SQL that databases spell differently."""

    table_prefix: str
    """Prefix of the names of all tables."""
    parameter: str
    """Spelling of a parameter, in which ``name`` stands for its name."""
    text_cast: str
    """Suffix of a parameter whose type cannot be inferred to be text."""
    find_function: str
    """Function that returns the offset of a text in another, from 1, or 0 if it is not there."""
    row_lock: str
    """Suffix of a SELECT whose row will be changed in the same transaction."""
    make_rows_source: Callable[[Sequence[str]], str]
    """Returns the SQL from which an INSERT of many rows takes these columns."""


_TABLES: Final = ("position", "initial", "saved", "saved_tag")
_PARAMETER: Final = re.compile(r":(\w+)")
_SAVED_COLUMNS: Final = "number, saved.id, state_id, saved.game, text, name, tags, note, created, updated"
_JOIN_TEXTS: Final = "AS saved LEFT JOIN {position} AS known ON known.id = state_id"
_SELECT_SAVED: Final = f"SELECT {_SAVED_COLUMNS} FROM {{saved}} {_JOIN_TEXTS} WHERE saved.id = :id"
_PAGE_COLUMNS: Final = ", ".join(column for column in COLUMNS if column != "searchable")
_ALL_VALUES: Final = ", ".join(f":{column}" for column in COLUMNS)
_MATCHES: Final = (
    "(:game{text_cast} IS NULL OR game = :game) "
    "AND (:query{text_cast} IS NULL OR {find_function}(searchable, :query) > 0)"
)
_FROM_SAVED: Final = f"FROM {{saved}} AS held WHERE {_MATCHES}"
_FROM_TAGGED: Final = (
    "FROM {saved_tag} AS tagged JOIN {saved} AS held ON held.number = tagged.number "
    f"WHERE tagged.tag = :tag AND {_MATCHES}"
)
"""Separate from `_FROM_SAVED`: query planners do not use the index if the tag is an optional condition."""


def _make_page_query(from_where: str, number_column: str) -> str:
    """Return the SQL template that selects one page of saved positions, newest first.

    Args:
        from_where: The FROM and WHERE clauses that select the positions on all pages.
        number_column: The column with the row number: ``held.number``, or ``tagged.number`` if the search has
            a tag. The page has the rows whose number is less than the parameter ``:before``.
    """
    # The page is selected before the texts are joined: planners would join all texts otherwise.
    page_condition = f"{number_column} < :before ORDER BY {number_column} DESC LIMIT :row_limit"
    page = f"(SELECT held.number, {_PAGE_COLUMNS} {from_where} AND {page_condition})"
    return f"SELECT {_SAVED_COLUMNS} FROM {page} {_JOIN_TEXTS} ORDER BY number DESC"


_UPDATE_STORED_TEXT: Final = (
    # On conflict the text is the same, unless the row was damaged.
    "ON CONFLICT (id) DO UPDATE SET text = excluded.text, game = coalesce(known.game, excluded.game) "
    "WHERE known.text <> excluded.text OR known.game IS NULL"
)

BATCH_COLUMNS: Final = {"put_many": ("id", "text", "game"), "save_many": COLUMNS, "tag_many": ("tag", "id")}
"""Columns of the rows of each statement that inserts many rows."""

_SKIP_EXISTING: Final = "ON CONFLICT (id) DO NOTHING"

_TEMPLATES: Final = {
    "count_texts": "SELECT count(*) FROM {position}",
    "get_game": "SELECT game FROM {position} WHERE id = :id AND text = :text",
    "get_text": "SELECT text, game FROM {position} WHERE id = :id",
    "next_ids": "SELECT id FROM {position} WHERE id > :last_id ORDER BY id LIMIT :row_limit",
    "next_entries": (
        "SELECT id, text, game FROM {position} WHERE id > :last_id ORDER BY id LIMIT :row_limit"
    ),
    "put": (
        f"INSERT INTO {{position}} AS known (id, text, game) VALUES (:id, :text, :game) {_UPDATE_STORED_TEXT}"
    ),
    "put_many": (
        f"INSERT INTO {{position}} AS known (id, text, game) {{put_many_rows}} {_UPDATE_STORED_TEXT}"
    ),
    "get_initial": "SELECT id FROM {initial} WHERE game = :game",
    "set_initial": (
        "INSERT INTO {initial} (game, id) VALUES (:game, :id) "
        "ON CONFLICT (game) DO UPDATE SET id = excluded.id"
    ),
    "save": f"INSERT INTO {{saved}} ({', '.join(COLUMNS)}) VALUES ({_ALL_VALUES}) {_SKIP_EXISTING}",
    "save_many": f"INSERT INTO {{saved}} ({', '.join(COLUMNS)}) {{save_many_rows}} {_SKIP_EXISTING}",
    # By identifier, because only the database knows the number of the row.
    "tag": (
        "INSERT INTO {saved_tag} (tag, number) SELECT :tag, number FROM {saved} WHERE id = :id "
        "ON CONFLICT (tag, number) DO NOTHING"
    ),
    # A subquery and not a join: for a join, planners scan the whole table instead of using the index.
    "tag_many": (
        "INSERT INTO {saved_tag} (tag, number) WITH given (tag, id) AS ({tag_many_rows}) "
        "SELECT given.tag, (SELECT number FROM {saved} AS held WHERE held.id = given.id) "
        "FROM given WHERE true ON CONFLICT (tag, number) DO NOTHING"
    ),
    "untag": (
        "DELETE FROM {saved_tag} WHERE tag = :tag AND number = (SELECT number FROM {saved} WHERE id = :id)"
    ),
    "change": f"UPDATE {{saved}} SET ({', '.join(COLUMNS)}) = ({_ALL_VALUES}) WHERE id = :id",
    "get_tags": "SELECT tags FROM {saved} WHERE id = :id",
    "forget": "DELETE FROM {saved} WHERE id = :id",
    "get_saved": _SELECT_SAVED,
    "lock_saved": _SELECT_SAVED + "{row_lock}",
    "search": _make_page_query(_FROM_SAVED, "held.number"),
    "search_tag": _make_page_query(_FROM_TAGGED, "tagged.number"),
    "count": f"SELECT count(*) {_FROM_SAVED}",
    "count_tag": f"SELECT count(*) {_FROM_TAGGED}",
}


def render_statements(dialect: Dialect) -> dict[str, str]:
    """Return the SQL of every statement of a store by its name, such as ``put`` or ``search``.

    It has the table names and the parameter syntax of `dialect`, such as ``forsyth_saved`` in place of
    ``{saved}`` and ``%(id)s`` in place of ``:id``.
    """
    replacements = {
        "text_cast": dialect.text_cast,
        "find_function": dialect.find_function,
        "row_lock": dialect.row_lock,
    }
    for table in _TABLES:
        replacements[table] = f"{dialect.table_prefix}{table}"
    for statement_name, columns in BATCH_COLUMNS.items():
        replacements[f"{statement_name}_rows"] = dialect.make_rows_source(columns)

    # "\1" stands for the parameter's name, the first group of `_PARAMETER`.
    parameter_syntax = dialect.parameter.replace("name", r"\1")
    statements = {}
    for statement_name, template in _TEMPLATES.items():
        dialect_template = _PARAMETER.sub(parameter_syntax, template)
        statements[statement_name] = dialect_template.format(**replacements)
    return statements
