"""What the tags say about the game, its variant and the start, and what is written of them.

Where nobody names the game, it is the one whose name stands in `Variant`, else the one whose players all have
a tag, else the one that the text in `FEN` looks like.

Reading also takes: `FEN` without `SetUp`; a variant in any case with blanks and signs, its number as a word
(``Three-check``), with the game's name in it (``Fischer Random Chess``), or by one of the names that the
game lists (`forsyth.game.VariantNames`). The game's own name, ``From Position``, ``?`` and nothing name no
rules: then, and without the tag, they are those of the game that was asked for. Where these are the usual
ones and the start follows others, as a Chess960 start does, the start's are taken (with a warning). ``auto``
takes the start's in silence.

Writing: `Variant` as it was read where it names the rules of the record, else the name of rules that are not
the usual ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from forsyth import registry
from forsyth.diagnostics import Confidence, Diagnostic, Fix, Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game, VariantNames, VariantTags
from forsyth.record.model import Record
from forsyth.record.tags import Tag, escape

_SIGNS: Final = re.compile(r"[\W_]+")
_NUMBERS: Final = (("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"))
"""Numbers that servers spell out in the name of a variant."""
_UNNAMED: Final = ("", "fromposition")
"""What stands in `Variant` when it says nothing about the rules."""
_UNTOLD: Final = "auto"
"""The variant of a game that lets each text choose."""


# --- the game ---------------------------------------------------------------------------------------


def game_of_tags(tags: Mapping[str, Tag]) -> Game | None:
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


# --- its variant ------------------------------------------------------------------------------------


def rules_of(record: Record) -> Game:
    """The game of a record in the variant that its start follows."""
    game = record.game
    return _with_variant(game, game.variant_of(record.start)) if isinstance(game, VariantNames) else game


def variant_tag(game: Game, given: str | None) -> str | None:
    """What is written in `Variant`, or None: what was given, unless it names other rules than the game's."""
    usual = game.variant in (game.variants[0], _UNTOLD)
    if given is None:
        return None if usual else _written_name(game)
    if _names_rules(game, given):
        return given if _variant_named(game, given) == game.variant else _written_name(game)
    return given if usual else _written_name(game)


def _written_name(game: Game) -> str:
    tags = game.variant_tags if isinstance(game, VariantTags) else {}
    return tags.get(game.variant, game.variant)


def _names_rules(game: Game, name: str) -> bool:
    plain = _plain(name)
    return plain not in _UNNAMED and plain not in _own_names(game)


def _variant_named(game: Game, name: str) -> str | None:
    """The variant of the game that a name means, or None when it has no such rules."""
    wanted = _plain(name)
    known = {_plain(variant): variant for variant in game.variants}
    if isinstance(game, VariantNames):
        known = {**game.variant_names, **known}
    shorter = (wanted.replace(own, "") for own in _own_names(game))
    return next((known[plain] for plain in (wanted, *shorter) if plain in known), None)


def _own_names(game: Game) -> tuple[str, str]:
    return _plain(game.name), _plain(game.title)


def _plain(name: str) -> str:
    plain = _SIGNS.sub("", name.casefold())
    for word, digit in _NUMBERS:
        plain = plain.replace(word, digit)
    return plain


def _with_variant(game: Game, variant: str) -> Game:
    return game if variant == game.variant else game.with_variant(variant)


# --- the start --------------------------------------------------------------------------------------


def find_start(game: Game, tags: Mapping[str, Tag], mode: Mode, findings: Findings) -> tuple[Game, Any]:
    """The game with its rules, and the position the moves begin with.

    The position is None, and there are findings, when the tags give one that cannot be.
    """
    _compare_setup(tags, findings)
    variant = tags.get("Variant")
    if variant is not None and _names_rules(game, variant.value):
        named = _variant_named(game, variant.value)
        if named is None:
            known = ", ".join(game.variants)
            message = (
                f"{game.name} has no variant {variant.value[:40]!r}; it has {known}; "
                "the moves are read by the usual rules as far as they go"
            )
            findings.add("record.variant", variant.value_span, message, field=variant.name)
        game = _with_variant(game, named or game.variants[0])
    else:
        game = _with_variant(game, _variant_of_start(game, tags, mode, findings))
    if "FEN" not in tags:
        return game, game.parse(game.start)
    return game, _read_start(game, tags["FEN"], mode, findings)


def _compare_setup(tags: Mapping[str, Tag], findings: Findings) -> None:
    setup, fen = tags.get("SetUp"), tags.get("FEN")
    if setup is None or (setup.value == "1") is (fen is not None):
        return
    message = "SetUp is 1, but there is no FEN; the game begins with its start position"
    if fen is not None:
        message = f"SetUp is {setup.value[:40]!r}, but there is a FEN, which counts"
    findings.add("record.setup", setup.value_span, message, field="SetUp")


def _variant_of_start(game: Game, tags: Mapping[str, Tag], mode: Mode, findings: Findings) -> str:
    """The variant that was asked for, or where that leaves it open the one whose rules the start follows."""
    usual = game.variants[0]
    if game.variant not in (usual, _UNTOLD):
        return game.variant
    if "FEN" not in tags:
        return usual
    if not isinstance(game, VariantNames):
        return game.variant
    fen, variant = tags["FEN"], tags.get("Variant")
    position = game.with_variant(_UNTOLD).read(fen.value, mode=mode).position
    found = usual if position is None else game.variant_of(position)
    if found == usual or game.variant == _UNTOLD:
        return found
    place, fix = (
        fen.value_span,
        Fix(Span(fen.span.start, fen.span.start), f'[Variant "{found}"]\n', Confidence.LIKELY),
    )
    if variant is not None:
        place, fix = variant.value_span, Fix(variant.value_span, found, Confidence.LIKELY)
    message = f'the start is one of {found}, whose rules are taken, expected [Variant "{found}"]'
    findings.add("record.variant_missing", place, message, field="Variant", fix=fix)
    return found


def _read_start(game: Game, fen: Tag, mode: Mode, findings: Findings) -> Any:
    reading = game.read(fen.value, mode=mode)
    if reading.position is not None:
        reading = reading.with_findings(game.check(reading.position, text=fen.value, mode=mode))
    for diagnostic in reading.diagnostics:
        findings.keep(_moved(diagnostic, fen))
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
