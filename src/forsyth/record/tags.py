r"""Tags, ``[Name "value"]``: their texts.

Reading also takes: blanks anywhere but in the name, and a quote or a backslash without its ``\`` (with a
warning). What the tags say about the game, its variant and its start is read by `setup`.

Writing: ``\"`` and ``\\`` for a quote and a backslash.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from forsyth.diagnostics import Confidence, Fix, Span
from forsyth.findings import Findings
from forsyth.record.model import TAG_NAME
from forsyth.record.tokens import Token

_PARTS: Final = re.compile(rf'\[\s*+({TAG_NAME})\s*+"(.*)"\s*+\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})


class Tag(NamedTuple):
    """One tag and the place of its value in the record's text."""

    name: str
    value: str
    span: Span
    value_span: Span
    verbatim: bool
    """Whether the value stands in the text as it is, without escapes."""


def read_tag(token: Token, findings: Findings) -> Tag:
    """The tag of a well-formed token."""
    found = _PARTS.fullmatch(token.text)
    assert found is not None, "the scanner gives no other tags"
    name, raw = found.groups()
    value = unescape(raw)
    span = Span(token.start, token.end)
    value_span = Span(token.start + found.start(2), token.start + found.end(2))
    tag = Tag(name, value, span, value_span, value == raw)
    if raw != escape(value):
        fix = Fix(value_span, escape(value), Confidence.LIKELY)
        message = f'the value of the tag {name} holds a quote or a backslash, expected \\" or \\\\'
        findings.add("record.tag_quotes", value_span, message, field=name, fix=fix)
    return tag


def unescape(raw: str) -> str:
    """The value that stands between the quotes of a tag."""
    return _ESCAPED.sub(r"\1", raw)


def escape(value: str) -> str:
    """A value as it stands between the quotes of a tag."""
    return value.translate(_ESCAPES)
