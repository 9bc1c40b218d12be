r"""Tags, ``[Name "value"]``: their texts, and what they say about the game, its variant and its start.

Reading also takes: blanks anywhere but in the name, a quote or a backslash without its ``\`` (with a
warning), `FEN` without `SetUp`, a variant in any case with blanks and hyphens, its number as a word
(``Three-check``), the game's own name for its usual rules, and ``From Position`` for rules that are not
named.

Where nobody names the game, it is the one whose name stands in `Variant`, else the one whose players all have
a tag, else the one that the text in `FEN` looks like.

Writing: ``\"`` and ``\\`` for a quote and a backslash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from forsyth import registry
from forsyth.diagnostics import Confidence, Diagnostic, Fix, Mode, Span
from forsyth.game import Game
from forsyth.record.findings import Findings
from forsyth.record.model import TAG_NAME
from forsyth.record.tokens import Token

_PARTS: Final = re.compile(rf'\[\s*+({TAG_NAME})\s*+"(.*)"\s*+\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\"})
_SIGNS: Final = re.compile(r"[\W_]+")
_NUMBERS: Final = (("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"))
"""Numbers that servers spell out in the name of a variant."""
_UNNAMED: Final = ("", "fromposition")
"""What stands in `Variant` when it says nothing about the rules."""


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
    value = _ESCAPED.sub(r"\1", raw)
    span = Span(token.start, token.end)
    value_span = Span(token.start + found.start(2), token.start + found.end(2))
    tag = Tag(name, value, span, value_span, value == raw)
    if raw != escape(value):
        fix = Fix(value_span, escape(value), Confidence.LIKELY)
        message = f'the value of the tag {name} holds a quote or a backslash, expected \\" or \\\\'
        findings.add("record.tag_quotes", message, value_span, field=name, fix=fix)
    return tag


def escape(value: str) -> str:
    """A value as it stands between the quotes of a tag."""
    return value.translate(_ESCAPES)


# --- the game ---------------------------------------------------------------------------------------


def tell_game(tags: Mapping[str, Tag]) -> Game | None:
    """The game that the tags speak of, or None."""
    installed = [registry.game(name) for name in registry.games()]
    if "Variant" in tags:
        wanted = _plain(tags["Variant"].value)
        named = [game for game in installed if wanted in _own_names(game)]
        if named:
            return named[0]
    fitting = [game for game in installed if all(player in tags for player in game.players)]
    if len(fitting) == 1:
        return fitting[0]
    told = registry.detect(tags["FEN"].value).game if "FEN" in tags else None
    return None if told is None else registry.game(told)


def choose_variant(game: Game, tags: Mapping[str, Tag], findings: Findings) -> Game | None:
    """The game with the rules that the tags name; None, and a finding, when it has no such rules."""
    if "Variant" not in tags:
        return game
    tag = tags["Variant"]
    wanted = _plain(tag.value)
    if wanted in _UNNAMED or wanted in _own_names(game):
        return game
    for variant in game.variants:
        if _plain(variant) == wanted:
            return game if variant == game.variant else game.with_variant(variant)
    known = ", ".join(game.variants)
    message = f"{game.name} has no variant {tag.value[:40]!r}; it has {known}"
    findings.add("record.variant", message, tag.value_span, field=tag.name)
    return None


def _own_names(game: Game) -> tuple[str, str]:
    return _plain(game.name), _plain(game.title)


def _plain(name: str) -> str:
    plain = _SIGNS.sub("", name.casefold())
    for word, digit in _NUMBERS:
        plain = plain.replace(word, digit)
    return plain


# --- the start --------------------------------------------------------------------------------------


def find_start(game: Game, tags: Mapping[str, Tag], mode: Mode, findings: Findings) -> Any:
    """The position the moves begin with; None, and findings, when the tags give one that cannot be."""
    setup, fen = tags.get("SetUp"), tags.get("FEN")
    if setup is not None and (setup.value == "1") is (fen is None):
        message = "SetUp is 1, but there is no FEN; the game begins with its start position"
        if fen is not None:
            message = f"SetUp is {setup.value[:40]!r}, but there is a FEN, which counts"
        findings.add("record.setup", message, setup.value_span, field="SetUp")
    if fen is None:
        return game.parse(game.start)
    reading = game.read(fen.value, mode=mode)
    if reading.position is not None:
        reading = reading.with_findings(game.check(reading.position, text=fen.value, mode=mode))
    for diagnostic in reading.diagnostics:
        findings.place(_moved(diagnostic, fen))
    return reading.position if reading.ok else None


def _moved(diagnostic: Diagnostic, tag: Tag) -> Diagnostic:
    """A finding about the value of a tag as one about the record."""
    if not tag.verbatim:
        return replace(diagnostic, span=tag.value_span, fix=None)
    fix = diagnostic.fix
    if fix is not None:
        fix = replace(fix, span=_shifted(fix.span, tag), replacement=escape(fix.replacement))
    return replace(diagnostic, span=_shifted(diagnostic.span, tag), fix=fix)


def _shifted(span: Span, tag: Tag) -> Span:
    start = tag.value_span.start
    return Span(start + span.start, start + span.end)
