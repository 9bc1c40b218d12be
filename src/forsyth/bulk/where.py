"""Conditions on the columns of a batch, such as ``phase<=10 and side='w'``: parsing and evaluation.

Accepts: comparisons of a column with a value (``=`` or ``==``, ``!=`` or ``<>``, ``<``, ``<=``, ``>``,
``>=``), ``NAME in (a, b)``, ``NAME is null`` and ``NAME is not null``. They can be combined with ``and``,
``or``, ``not`` (in upper or lower case) and parentheses. A value is a number, a text in single quotes (a
quote inside is doubled), ``true`` or ``false``. A name is a word that may contain dots, or any text in double
quotes. ``pos.elo`` is the column with that name, or the field ``elo`` of the column ``pos``.

As in SQL, a comparison with a missing value is neither true nor false, and a row is kept only if the
condition is true. If a column of texts is compared with a number, its texts are converted to numbers, and a
text that is not a number counts as missing. This is needed because tags of records and cells of CSV are
texts. No part of a condition is ever run as code.

Limits: a condition has at most MAX_WHERE characters and MAX_WHERE_DEPTH levels of parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from forsyth.bulk.batches import decode_type, is_bytes, is_text
from forsyth.bulk.errors import BulkError
from forsyth.limits import MAX_WHERE, MAX_WHERE_DEPTH

Value = str | int | float | bool

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "=": pc.equal,
    "==": pc.equal,
    "!=": pc.not_equal,
    "<>": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
}
_TOKEN_PATTERN: Final = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)(?![\w.])|(?P<text>'(?:[^']|'')*')"
    r'|(?P<quoted>"(?:[^"]|"")+")|(?P<word>[^\W\d][\w.]*)|(?P<sign><=|>=|==|!=|<>|[<>=(),]))'
)
_NUMBER_PATTERN: Final = r"^\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?\s*$"
_INT_PATTERN: Final = re.compile(r"[+-]?\d{1,18}")
"""Whole numbers that fit into 64 bits. Longer numbers become floats."""
_KEYWORDS: Final = ("and", "or", "not", "in", "is", "null", "true", "false")
_EXAMPLE: Final = "as in phase<=10 and side='w'"
_MAX_NAMES_SHOWN: Final = 20
_MAX_CONDITION_SHOWN: Final = 80
_MAX_PLACE_SHOWN: Final = 12
"""Upper bounds on the column names, and on the characters of a condition, that a message repeats."""


# --- conditions -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a column with a value, such as ``phase<=10``.

    With several values, as in ``side in ('w', 'b')``, at least one must match.
    """

    column: str
    sign: str
    """The comparison, such as ``<=``."""
    values: tuple[Value, ...]

    def evaluate(self, batch: pa.RecordBatch) -> pa.Array:
        """Return for each row whether the comparison is true; null if the value of the column is null."""
        column = get_column(batch, self.column)
        results = [_compare(column, self.sign, value, self.column) for value in self.values]
        return reduce(pc.or_kleene, results)


@dataclass(frozen=True, slots=True)
class NullCheck:
    """The condition that the value of a column is missing (``elo is null``), or that it is not."""

    column: str
    is_negated: bool
    """Whether the condition is ``is not null``."""

    def evaluate(self, batch: pa.RecordBatch) -> pa.Array:
        """Return for each row whether the condition is true, never null."""
        column = get_column(batch, self.column)
        return column.is_valid() if self.is_negated else column.is_null()


@dataclass(frozen=True, slots=True)
class Junction:
    """Several conditions that are joined by ``or`` or by ``and``."""

    conditions: tuple[Condition, ...]
    is_or: bool
    """Whether they are joined by ``or``, so that one true condition is enough."""

    def evaluate(self, batch: pa.RecordBatch) -> pa.Array:
        """Return for each row whether the condition is true.

        As in SQL, the result is null if it depends on a missing value.
        """
        join = pc.or_kleene if self.is_or else pc.and_kleene
        return reduce(join, (condition.evaluate(batch) for condition in self.conditions))


@dataclass(frozen=True, slots=True)
class Negation:
    """The condition that another condition is false, such as ``not phase<=10``."""

    condition: Condition

    def evaluate(self, batch: pa.RecordBatch) -> pa.Array:
        """Return for each row whether the inner condition is false.

        As in SQL, the result is null if it depends on a missing value.
        """
        return pc.invert(self.condition.evaluate(batch))


Condition = Comparison | NullCheck | Junction | Negation


def list_columns(condition: Condition) -> tuple[str, ...]:
    """Return the names of the columns in a condition, each once.

    The condition ``phase<=10 and side='w'``, for example, has the columns ``phase`` and ``side``.
    """
    if isinstance(condition, Junction):
        names = [name for inner in condition.conditions for name in list_columns(inner)]
        distinct_names = dict.fromkeys(names)
        return tuple(distinct_names)
    if isinstance(condition, Negation):
        return list_columns(condition.condition)
    return (condition.column,)


def match_rows(condition: Condition, batch: pa.RecordBatch) -> pa.Array:
    """Return for each row of a batch whether the condition is true. The result has no nulls."""
    return pc.fill_null(condition.evaluate(batch), False)


def check_condition(condition: Condition, schema: pa.Schema) -> None:
    """Raise `BulkError` if a condition does not fit to the columns of `schema`.

    It does not if one of its columns does not exist, or cannot be compared with a value of the condition.
    """
    empty_columns = [pa.nulls(0, field.type) for field in schema]
    condition.evaluate(pa.RecordBatch.from_arrays(empty_columns, schema=schema))


# --- columns ----------------------------------------------------------------------------------------


def get_column(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a column of a batch, such as ``elo``, or a field inside a column, such as ``pos.elo``.

    Dictionaries are replaced by their values. Raise `BulkError` if there is no column of this name, or more
    than one.
    """
    column_index, *inner_indices = find_field_path(batch.schema, name)
    column = batch.column(column_index)
    values = pc.struct_field(column, inner_indices) if inner_indices else column
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def find_field_path(schema: pa.Schema, name: str) -> list[int]:
    """Return the indices that lead to a column, or to a field inside a column of structs.

    ``[2]`` is the third column, and ``[2, 0]`` the first field inside the third column. Raise `BulkError` if
    there is no column or field with this name, such as ``elo`` or ``pos.elo``, or more than one column.
    """
    indices = schema.get_all_field_indices(name)
    if len(indices) == 1:
        return [int(indices[0])]
    for column_name, inner_name in _split_at_dots(name):
        column_indices = schema.get_all_field_indices(column_name)
        if len(column_indices) != 1:
            continue
        (column_index,) = column_indices
        inner_indices = _find_inner_path(schema.field(column_index).type, inner_name)
        if inner_indices is not None:
            return [int(column_index), *inner_indices]
    if indices:
        raise BulkError(f"there are {len(indices)} columns {name!r}; rename all but one of them")
    known_names = ", ".join(map(repr, schema.names[:_MAX_NAMES_SHOWN]))
    known_columns = f"the columns are {known_names}" if known_names else "the data has no columns"
    raise BulkError(f"there is no column {name!r}; {known_columns}")


def _find_inner_path(data_type: pa.DataType, name: str) -> list[int] | None:
    """Return the indices that lead to a field of a struct type, or None if there is no such field.

    `name` is the name of a field, such as ``a``, or of a field inside another field, such as ``a.b``.
    """
    if not pa.types.is_struct(data_type):
        return None
    index = data_type.get_field_index(name)
    if index >= 0:
        return [index]
    for outer_name, inner_name in _split_at_dots(name):
        outer_index = data_type.get_field_index(outer_name)
        if outer_index < 0:
            continue
        inner_indices = _find_inner_path(data_type.field(outer_index).type, inner_name)
        if inner_indices is not None:
            return [outer_index, *inner_indices]
    return None


def _split_at_dots(name: str) -> Iterator[tuple[str, str]]:
    """Yield a name split at each of its dots in turn: ``a.b.c`` gives (a, b.c) and (a.b, c)."""
    for index, character in enumerate(name):
        if character == ".":
            yield name[:index], name[index + 1 :]


def _compare(column: pa.Array, sign: str, value: Value, name: str) -> pa.Array:
    """Return for each row whether a comparison of its value, such as ``<= 10``, is true.

    Args:
        column: The values of the rows.
        sign: The comparison, such as ``<=``.
        value: The value to compare with.
        name: The name of the column, for the message.

    Raises:
        BulkError: If values of the type of the column cannot be compared with `value`.
    """
    compare = _COMPARISONS[sign]
    value_type = decode_type(column.type)
    try:
        if isinstance(value, str):
            return compare(column, _convert_text(value, value_type))
        if isinstance(value, bool):
            return compare(column, pa.scalar(value))
        if is_text(value_type):
            return compare(_parse_numbers(column), pa.scalar(float(value)))
        return compare(column, pa.scalar(value))
    except (pa.ArrowException, ValueError) as error:
        raise BulkError(
            f"the column {name!r} is of type {value_type} and cannot be compared with {value!r}; "
            "write texts in single quotes, and numbers without quotes"
        ) from error


def _convert_text(text: str, value_type: pa.DataType) -> pa.Scalar:
    """Convert a text in a condition to the type of the column that it is compared with.

    The text ``00ff`` becomes two bytes for a column of bytes, such as keys. Raise `ValueError` or an error of
    Arrow if the text is not a value of this type.
    """
    if is_bytes(value_type):
        return pa.scalar(bytes.fromhex(text), value_type)
    if is_text(value_type) or pa.types.is_null(value_type):
        return pa.scalar(text)
    return pa.scalar(text).cast(value_type)


def _parse_numbers(texts: pa.Array) -> pa.Array:
    """Convert an array of texts to floats. A text that is not a number becomes null."""
    large_texts = texts.cast(pa.large_string())
    is_number = pc.match_substring_regex(large_texts, _NUMBER_PATTERN)
    number_texts = pc.if_else(is_number, large_texts, None)
    return pc.utf8_trim_whitespace(number_texts).cast(pa.float64())


# --- parsing ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, name, value or sign of a condition."""

    kind: str
    """``number``, ``text`` (in single quotes), ``quoted`` (in double quotes), ``word``, ``keyword`` or
    ``sign``."""
    text: str
    """The characters of the token; keywords are in lower case."""
    start: int
    """Index of the first character in the condition."""


def parse_where(text: str) -> Condition:
    """Parse a condition on the columns of a batch, such as ``phase<=10 and side='w'``.

    Raise `BulkError` with the place of the error if `text` is not a condition.
    """
    if len(text) > MAX_WHERE:
        raise BulkError(f"the condition has {len(text)} characters, expected at most {MAX_WHERE}; shorten it")
    parser = _Parser(text, _split_tokens(text))
    condition = parser.parse_or(depth=0)
    parser.require_end()
    return condition


def _split_tokens(condition: str) -> list[_Token]:
    """Split a condition into tokens: names, keywords, values and signs such as ``<=``.

    Raise `BulkError` if a character does not belong to any token.
    """
    tokens: list[_Token] = []
    index = 0
    end = len(condition.rstrip())
    while index < end:
        match = _TOKEN_PATTERN.match(condition, index)
        if match is None or match.lastgroup is None:
            skipped_blanks = len(condition[index:]) - len(condition[index:].lstrip())
            _raise_error(condition, index + skipped_blanks, "a name, a value or a sign")
        # The group of the pattern that matched is the kind of the token.
        kind = match.lastgroup
        token_text = match[kind]
        start = match.start(kind)
        is_keyword = kind == "word" and token_text.lower() in _KEYWORDS
        if is_keyword:
            tokens.append(_Token("keyword", token_text.lower(), start))
        else:
            tokens.append(_Token(kind, token_text, start))
        index = match.end()
    return tokens


def _raise_error(condition: str, index: int, expected: str) -> NoReturn:
    """Raise `BulkError` for a mistake at the index `index` of a condition.

    `expected` describes what should be there, such as ``a name, a value or a sign``.
    """
    wrong_text = condition[index : index + _MAX_PLACE_SHOWN]
    problem = f"has {wrong_text!r} at character {index + 1}" if wrong_text else "ends too early"
    raise BulkError(
        f"the condition {condition[:_MAX_CONDITION_SHOWN]!r} {problem}, expected {expected}; "
        f"write it {_EXAMPLE}"
    )


class _Parser:
    """A recursive descent parser of conditions. Each method parses one level of the grammar."""

    def __init__(self, text: str, tokens: Sequence[_Token]) -> None:
        """Store the condition `text`, for messages, and its tokens."""
        self._text = text
        self._tokens = tokens
        self._index = 0
        """Index of the next token."""

    def parse_or(self, depth: int) -> Condition:
        """Parse one condition, or several that are joined by ``or``, which binds weakest.

        `depth` is the number of open parentheses. Raise `BulkError` if it exceeds MAX_WHERE_DEPTH.
        """
        if depth > MAX_WHERE_DEPTH:
            self._raise_expected(f"at most {MAX_WHERE_DEPTH} levels of parentheses")
        conditions = [self._parse_and(depth)]
        while self._skip_token("or"):
            conditions.append(self._parse_and(depth))
        return conditions[0] if len(conditions) == 1 else Junction(tuple(conditions), is_or=True)

    def require_end(self) -> None:
        """Raise `BulkError` if there are more tokens after the condition."""
        if self._index < len(self._tokens):
            self._raise_expected("'and', 'or' or the end")

    def _parse_and(self, depth: int) -> Condition:
        """Parse one condition, or several that are joined by ``and``.

        `depth` is the number of open parentheses.
        """
        conditions = [self._parse_not(depth)]
        while self._skip_token("and"):
            conditions.append(self._parse_not(depth))
        return conditions[0] if len(conditions) == 1 else Junction(tuple(conditions), is_or=False)

    def _parse_not(self, depth: int) -> Condition:
        """Parse a comparison, or a condition in parentheses, with any number of ``not`` before it.

        `depth` is the number of open parentheses.
        """
        is_negated = False
        while self._skip_token("not"):
            is_negated = not is_negated
        if self._skip_token("("):
            condition = self.parse_or(depth + 1)
            self._skip_required(")")
        else:
            condition = self._parse_comparison()
        return Negation(condition) if is_negated else condition

    def _parse_comparison(self) -> Condition:
        """Parse a comparison such as ``phase<=10``, ``side in ('w', 'b')`` or ``elo is not null``."""
        column = self._parse_name()
        if self._skip_token("is"):
            is_negated = self._skip_token("not")
            self._skip_required("null")
            return NullCheck(column, is_negated)
        if self._skip_token("in"):
            return Comparison(column, "=", self._parse_list())
        token = self._peek_token()
        if token is None or token.kind != "sign" or token.text not in _COMPARISONS:
            self._raise_expected("one of = != < <= > >= in is")
        self._index += 1
        return Comparison(column, token.text, (self._parse_value(),))

    def _parse_list(self) -> tuple[Value, ...]:
        """Parse a list of values in parentheses, such as ``(1, 2, 3)``."""
        self._skip_required("(")
        values = [self._parse_value()]
        while self._skip_token(","):
            values.append(self._parse_value())
        self._skip_required(")")
        return tuple(values)

    def _parse_name(self) -> str:
        """Parse the name of a column, with or without double quotes."""
        token = self._peek_token()
        if token is None or token.kind not in ("word", "quoted"):
            self._raise_expected("the name of a column")
        self._index += 1
        if token.kind == "word":
            return token.text
        return _strip_quotes(token.text)

    def _parse_value(self) -> Value:
        """Parse a number, a text in single quotes, ``true`` or ``false``."""
        token = self._peek_token()
        if token is None:
            self._raise_expected("a number, or a text in single quotes")
        is_boolean = token.text in ("true", "false")
        if token.kind not in ("number", "text") and not is_boolean:
            self._raise_expected("a number, or a text in single quotes")
        self._index += 1
        if token.kind == "text":
            return _strip_quotes(token.text)
        if token.kind == "number":
            return _parse_number(token.text)
        return token.text == "true"

    def _peek_token(self) -> _Token | None:
        """Return the next token without skipping it, or None at the end of the condition."""
        return self._tokens[self._index] if self._index < len(self._tokens) else None

    def _find_next_start(self) -> int:
        """Return the index of the next token in the condition, or its length at the end."""
        token = self._peek_token()
        return len(self._text) if token is None else token.start

    def _skip_token(self, text: str) -> bool:
        """Skip the next token if it is the keyword or sign `text`, and return whether it was."""
        token = self._peek_token()
        if token is None or token.kind not in ("keyword", "sign") or token.text != text:
            return False
        self._index += 1
        return True

    def _skip_required(self, text: str) -> None:
        """Skip the next token, which must be the keyword or sign `text`, else raise `BulkError`."""
        if not self._skip_token(text):
            self._raise_expected(repr(text))

    def _raise_expected(self, expected: str) -> NoReturn:
        """Raise `BulkError`, because the next token is wrong. `expected` describes the right ones."""
        _raise_error(self._text, self._find_next_start(), expected)


def _strip_quotes(quoted_text: str) -> str:
    """Return a text without the quotes around it, and with one quote for each doubled one inside it.

    ``'it''s'``, for example, gives ``it's``.
    """
    quote = quoted_text[0]
    return quoted_text[1:-1].replace(quote * 2, quote)


def _parse_number(text: str) -> int | float:
    """Return the number in a text as an integer if it has up to 18 digits, else as a float."""
    return int(text) if _INT_PATTERN.fullmatch(text) else float(text)
