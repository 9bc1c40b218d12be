"""Conditions on the columns of a batch, such as ``phase<=10 and side='w'``: read from a text, asked of rows.

Accepts: comparisons of a column with a value (``=`` or ``==``, ``!=`` or ``<>``, ``<``, ``<=``, ``>``,
``>=``), ``NAME in (a, b)``, ``NAME is null``, ``NAME is not null``, joined by ``and``, ``or``, ``not`` (in
any case) and parentheses. A value is a number, a text in single quotes (a quote inside is doubled), ``true``
or ``false``. A name is a word that may have dots, or anything in double quotes; ``pos.elo`` is the column of
that name, or the field ``elo`` of the column ``pos``.

A comparison with a missing value is neither true nor false, as in SQL, and rows of which nothing is known are
not kept. A column of texts that is compared with a number is read as numbers, missing where a text is none:
tags of records and cells of CSV are texts. Nothing of the text is ever run as code.

Limits: a condition has at most MAX_WHERE characters and MAX_WHERE_DEPTH levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.batches import decoded_type, is_bytes, is_text
from forsyth.bulk.errors import BulkError
from forsyth.limits import MAX_WHERE, MAX_WHERE_DEPTH

Value = str | int | float | bool

_COMPARE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": pc.equal,
    "==": pc.equal,
    "!=": pc.not_equal,
    "<>": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}
_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)(?![\w.])|(?P<text>'(?:[^']|'')*')"
    r'|(?P<quoted>"(?:[^"]|"")+")|(?P<word>[^\W\d][\w.]*)|(?P<sign><=|>=|==|!=|<>|[<>=(),]))'
)
_NUMBER: Final = r"^\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*$"
_WORDS: Final = ("and", "or", "not", "in", "is", "null", "true", "false")
_EXAMPLE: Final = "as in phase<=10 and side='w'"


@dataclass(frozen=True, slots=True)
class Compared:
    """A column beside one value or several, one of which it must be."""

    column: str
    sign: str
    values: tuple[Value, ...]

    def rows(self, batch: pa.RecordBatch) -> pa.Array:
        """Where it holds."""
        column = column_of(batch, self.column)
        answers = [_compared(column, self.sign, value, self.column) for value in self.values]
        return reduce(pc.or_kleene, answers)


@dataclass(frozen=True, slots=True)
class Missing:
    """A column that has no value, or with `there` one that has."""

    column: str
    there: bool

    def rows(self, batch: pa.RecordBatch) -> pa.Array:
        """Where it holds."""
        column = column_of(batch, self.column)
        return column.is_valid() if self.there else column.is_null()


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions of which all hold, or with `one` at least one of them."""

    parts: tuple[Condition, ...]
    one: bool

    def rows(self, batch: pa.RecordBatch) -> pa.Array:
        """Where it holds."""
        join = pc.or_kleene if self.one else pc.and_kleene
        return reduce(join, (part.rows(batch) for part in self.parts))


@dataclass(frozen=True, slots=True)
class Negated:
    """A condition that does not hold."""

    part: Condition

    def rows(self, batch: pa.RecordBatch) -> pa.Array:
        """Where it does not hold."""
        return pc.invert(self.part.rows(batch))


Condition = Compared | Missing | Joined | Negated


def columns_in(condition: Condition) -> tuple[str, ...]:
    """The names of the columns that a condition asks about, each once."""
    if isinstance(condition, Joined):
        return tuple(dict.fromkeys(name for part in condition.parts for name in columns_in(part)))
    return columns_in(condition.part) if isinstance(condition, Negated) else (condition.column,)


def kept_rows(condition: Condition, batch: pa.RecordBatch) -> pa.Array:
    """Which rows of a batch a condition keeps: true or false, never null."""
    return pc.fill_null(condition.rows(batch), False)


def must_have_columns(condition: Condition, schema: pa.Schema) -> None:
    """Raises `BulkError` for a column that is not there, or of a type that cannot be compared so."""
    empty = pa.RecordBatch.from_arrays([pa.nulls(0, one.type) for one in schema], schema=schema)
    condition.rows(empty)


def column_of(batch: pa.RecordBatch, name: str) -> pa.Array:
    """A column by its name, or a field of a column of structs; raises `BulkError` where there is none."""
    path = field_path(batch.schema, name)
    column = batch.column(path[0])
    found = pc.struct_field(column, path[1:]) if path[1:] else column
    return found.dictionary_decode() if pa.types.is_dictionary(found.type) else found


def field_path(schema: pa.Schema, name: str) -> list[int]:
    """The place of a column, followed by the places of the fields inside it that a name with dots means."""
    places = schema.get_all_field_indices(name)
    if len(places) == 1:
        return [int(places[0])]
    for dot in (at for at, letter in enumerate(name) if letter == "."):
        outer = schema.get_all_field_indices(name[:dot])
        if len(outer) != 1:
            continue
        inner = _inner_path(schema.field(outer[0]).type, name[dot + 1 :])
        if inner is not None:
            return [int(outer[0]), *inner]
    there = ", ".join(repr(one) for one in schema.names[:20]) or "none"
    problem = f"there are {len(places)} columns" if places else "there is no column"
    raise BulkError(f"{problem} {name!r}; name another: there are {there}")


def _inner_path(kind: pa.DataType, name: str) -> list[int] | None:
    if not pa.types.is_struct(kind):
        return None
    place = kind.get_field_index(name)
    if place >= 0:
        return [place]
    for dot in (at for at, letter in enumerate(name) if letter == "."):
        outer = kind.get_field_index(name[:dot])
        inner = None if outer < 0 else _inner_path(kind.field(outer).type, name[dot + 1 :])
        if inner is not None:
            return [outer, *inner]
    return None


def _compared(column: pa.Array, sign: str, value: Value, name: str) -> pa.Array:
    compare = _COMPARE[sign]
    kind = decoded_type(column.type)
    try:
        if isinstance(value, str):
            return compare(column, _scalar(value, kind))
        if isinstance(value, bool):
            return compare(column, pa.scalar(value))
        if is_text(kind):
            return compare(_as_numbers(column), pa.scalar(float(value)))
        return compare(column, pa.scalar(value))
    except (pa.ArrowException, ValueError) as error:
        raise BulkError(
            f"the column {name!r} is of {kind} and cannot be compared with {value!r}; "
            "write a text in single quotes, a number without"
        ) from error


def _scalar(text: str, kind: pa.DataType) -> pa.Scalar:
    """A text as a value of the type of its column; keys and packed forms are written as digits."""
    if is_bytes(kind):
        return pa.scalar(bytes.fromhex(text), kind)
    return pa.scalar(text) if is_text(kind) or pa.types.is_null(kind) else pa.scalar(text).cast(kind)


def _as_numbers(texts: pa.Array) -> pa.Array:
    texts = texts.cast(pa.large_string())
    numbers = pc.if_else(pc.match_substring_regex(texts, _NUMBER), texts, None)
    return pc.utf8_trim_whitespace(numbers).cast(pa.float64())


# --- reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def read_where(text: str) -> Condition:
    """The condition of a text; raises `BulkError` with the place of what is not one."""
    if len(text) > MAX_WHERE:
        raise BulkError(f"the condition has {len(text)} characters, expected at most {MAX_WHERE}")
    reader = _Reader(text, _tokens(text))
    found = reader.any_of(0)
    reader.must_end()
    return found


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            _refuse(text, len(text) - len(text[at:].lstrip()), "a name, a value or a sign")
        kind = match.lastgroup
        word = match[kind]
        if kind == "word" and word.lower() in _WORDS:
            kind, word = "keyword", word.lower()
        found.append(_Token(kind, word, match.start(match.lastgroup)))
        at = match.end()
    return found


def _refuse(text: str, at: int, expected: str) -> NoReturn:
    there = text[at : at + 12]
    place = f"at character {at + 1} is {there!r}" if there else "at its end is nothing"
    raise BulkError(f"in the condition {text[:80]!r} {place}, expected {expected}; write it {_EXAMPLE}")


class _Reader:
    """Goes through the tokens of a condition once, from front to back."""

    def __init__(self, text: str, tokens: Sequence[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._place = 0

    def any_of(self, depth: int) -> Condition:
        if depth > MAX_WHERE_DEPTH:
            _refuse(self._text, self._at(), f"at most {MAX_WHERE_DEPTH} levels of parentheses")
        parts = [self._all_of(depth)]
        while self._takes("or"):
            parts.append(self._all_of(depth))
        return parts[0] if len(parts) == 1 else Joined(tuple(parts), one=True)

    def must_end(self) -> None:
        if self._place < len(self._tokens):
            self._expected("'and', 'or' or the end")

    def _all_of(self, depth: int) -> Condition:
        parts = [self._one(depth)]
        while self._takes("and"):
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Joined(tuple(parts), one=False)

    def _one(self, depth: int) -> Condition:
        negated = False
        while self._takes("not"):
            negated = not negated
        if self._takes("("):
            found = self.any_of(depth + 1)
            self._must_take(")")
        else:
            found = self._comparison()
        return Negated(found) if negated else found

    def _comparison(self) -> Condition:
        column = self._name()
        if self._takes("is"):
            there = self._takes("not")
            self._must_take("null")
            return Missing(column, there)
        if self._takes("in"):
            return Compared(column, "=", self._values())
        sign = self._next()
        if sign is None or sign.text not in _COMPARE or sign.kind != "sign":
            self._expected("one of = != < <= > >= in is")
        self._place += 1
        return Compared(column, sign.text, (self._value(),))

    def _values(self) -> tuple[Value, ...]:
        self._must_take("(")
        values = [self._value()]
        while self._takes(","):
            values.append(self._value())
        self._must_take(")")
        return tuple(values)

    def _name(self) -> str:
        token = self._next()
        if token is None or token.kind not in ("word", "quoted"):
            self._expected("the name of a column")
        self._place += 1
        return token.text if token.kind == "word" else token.text[1:-1].replace('""', '"')

    def _value(self) -> Value:
        token = self._next()
        if token is None or not (token.kind in ("number", "text") or token.text in ("true", "false")):
            self._expected("a number, or a text in single quotes")
        self._place += 1
        if token.kind == "text":
            return token.text[1:-1].replace("''", "'")
        if token.kind == "number":
            return int(token.text) if re.fullmatch(r"[+-]?\d{1,18}", token.text) else float(token.text)
        return token.text == "true"

    def _next(self) -> _Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _at(self) -> int:
        token = self._next()
        return len(self._text) if token is None else token.at

    def _takes(self, text: str) -> bool:
        token = self._next()
        if token is None or token.kind not in ("keyword", "sign") or token.text != text:
            return False
        self._place += 1
        return True

    def _must_take(self, text: str) -> None:
        if not self._takes(text):
            self._expected(repr(text))

    def _expected(self, what: str) -> NoReturn:
        _refuse(self._text, self._at(), what)
