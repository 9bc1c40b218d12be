r"""The text of tags: ``[Name "value"]``.

Reading also accepts blanks anywhere but in the name, and a quote or a backslash that is not escaped with
``\``, with a warning. Writing escapes them as ``\"`` and ``\\``. `setup` reads the game, the variant and the
start position from the tags.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from forsyth.diagnostics import Confidence, Fix, Span
from forsyth.findings import Findings
from forsyth.record.encoding import replace_wrong_characters
from forsyth.record.model import TAG_NAME
from forsyth.record.tokens import Token

_PARTS: Final = re.compile(rf'\[\s*+({TAG_NAME})\s*+"(.*)"\s*+\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})


class Tag(NamedTuple):
    """One tag, and where it and its value are in the text of the record."""

    name: str
    value: str
    span: Span
    value_span: Span
    verbatim: bool
    """Whether the text contains the value unchanged, without escapes."""


def read_tag(token: Token, findings: Findings) -> Tag:
    """Return the tag in a token such as ``[Event "Club match"]``: its name, its value and their places.

    Add a warning to `findings` if the value contains a quote or backslash that is not escaped.
    """
    match = _PARTS.fullmatch(token.text)
    assert match is not None, "the scanner returns only well-formed tags"
    name, raw_value = match.groups()
    value = replace_wrong_characters(unescape(raw_value))
    span = Span(token.start, token.end)
    value_start, value_end = match.span(2)
    value_span = Span(token.start + value_start, token.start + value_end)
    tag = Tag(name, value, span, value_span, verbatim=value == raw_value)
    if raw_value != escape(value):
        fix = Fix(value_span, escape(value), Confidence.LIKELY)
        message = (
            f'the value of the tag {name} contains an unescaped quote or backslash, expected \\" or \\\\'
        )
        findings.add("record.tag_quotes", value_span, message, field=name, fix=fix)
    return tag


def unescape(raw: str) -> str:
    r"""Return the value of a tag: `raw`, the text between its quotes, with ``"`` for ``\"``."""
    return _ESCAPED.sub(r"\1", raw)


def escape(value: str) -> str:
    r"""Return `value` as it is written between the quotes of a tag: ``"`` becomes ``\"``."""
    return value.translate(_ESCAPES)
