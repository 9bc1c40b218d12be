"""Read the variant of the game and the start position from the tags, and write the tag `Variant`.

`detection` detects the game of a record. The reader also accepts `FEN` without `SetUp`. The name of a variant
can be written in any case, with blanks and punctuation, with its number as a word (``Three-check``), with the
name of the game in it (``Fischer Random Chess``), or as one of the names in `forsyth.game.VariantNames`. The
game's own name, ``From Position``, ``?`` and an empty value name no variant. Then, and without the tag, the
variant is that of the requested game. If that is the usual variant and the start position belongs to another
one, such as Chess960, the variant of the start is used, with a warning. For the variant ``auto``, the variant
of the start is used without a warning.

Writing keeps the value of `Variant` if it names the variant of the record. Otherwise the name of the variant
is written, unless it is the usual one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from forsyth.diagnostics import Confidence, Diagnostic, Fix, Mode, Span
from forsyth.findings import Findings
from forsyth.game import Game, VariantNames, VariantTags
from forsyth.record.model import Record
from forsyth.record.tags import Tag, escape

_PUNCTUATION: Final = re.compile(r"[\W_]+")
_NUMBER_WORDS: Final = (("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"))
"""Numbers that servers write as words in the name of a variant."""
_NO_VARIANT: Final = ("", "fromposition")
"""Normalized values of `Variant` that name no variant."""
_MAX_SHOWN: Final = 40
"""Upper bound on the characters of a tag's value that a message shows."""
_AUTO: Final = "auto"
"""The variant of a game in which each text chooses its variant."""


# --- the variant ------------------------------------------------------------------------------------


def get_game_in_variant(record: Record) -> Game:
    """Return the game of a record in the variant of its start position, such as chess as ``chess960``."""
    game = record.game
    return _with_variant(game, game.variant_of(record.start)) if isinstance(game, VariantNames) else game


def choose_variant_tag(game: Game, old_value: str | None) -> str | None:
    """Return the value to write in the tag `Variant`, or None for no tag.

    Args:
        game: The game in the variant of the record.
        old_value: The value that was read, or None. It is kept if it does not name another variant.
    """
    is_usual_variant = game.variant in (game.variants[0], _AUTO)
    if old_value is None or not names_variant(game, old_value):
        # The old value, or its absence, means the usual variant.
        is_old_value_right = is_usual_variant
    else:
        is_old_value_right = find_variant(game, old_value) == game.variant
    return old_value if is_old_value_right else _write_variant(game)


def _write_variant(game: Game) -> str:
    """Return the variant of a game as the tag ``Variant`` names it, such as ``Three-check``."""
    tag_values = game.variant_tags if isinstance(game, VariantTags) else {}
    return tag_values.get(game.variant, game.variant)


def names_variant(game: Game, name: str) -> bool:
    """Return whether a value of the tag ``Variant`` names a variant.

    The name of the game itself, ``From Position``, ``?`` and an empty value name no variant.
    """
    normalized = _normalize_name(name)
    return normalized not in _NO_VARIANT and normalized not in _own_names(game)


def find_variant(game: Game, name: str) -> str | None:
    """Return the variant that a value of the tag ``Variant`` names, or None if the game does not have it.

    Case, blanks and punctuation do not matter, and the name may contain that of the game (``Fischer Random
    Chess``).
    """
    normalized = _normalize_name(name)
    variants = {_normalize_name(variant): variant for variant in game.variants}
    if isinstance(game, VariantNames):
        variants = {**game.variant_names, **variants}
    without_game_name = (normalized.replace(own_name, "") for own_name in _own_names(game))
    for candidate in (normalized, *without_game_name):
        if candidate in variants:
            return variants[candidate]
    return None


def is_name_of_game(game: Game, name: str) -> bool:
    """Return whether a value of the tag ``Variant`` is the name of a game, such as ``Shogi``."""
    return _normalize_name(name) in _own_names(game)


def _own_names(game: Game) -> tuple[str, str]:
    """Return the name and the title of a game, in lower case and without blanks and punctuation."""
    return _normalize_name(game.name), _normalize_name(game.title)


def _normalize_name(name: str) -> str:
    """Return a name in lower case, without blanks and punctuation: ``Three-check`` becomes ``3check``."""
    normalized = _PUNCTUATION.sub("", name.casefold())
    for word, digit in _NUMBER_WORDS:
        normalized = normalized.replace(word, digit)
    return normalized


def _with_variant(game: Game, variant: str) -> Game:
    """Return the game in a variant, or the same object if it is in that variant already."""
    return game if variant == game.variant else game.with_variant(variant)


# --- the start --------------------------------------------------------------------------------------


def find_start(game: Game, tags: Mapping[str, Tag], mode: Mode, findings: Findings) -> tuple[Game, Any]:
    """Return the game in the variant of a record, and the start position of the record.

    The start position is None if the tags do not describe a legal position.

    Args:
        game: The game of the record.
        tags: The tags of the record.
        mode: The reading mode of the start position.
        findings: Receives the findings about the tags.
    """
    _check_setup(tags, findings)
    variant_tag = tags.get("Variant")
    if variant_tag is not None and names_variant(game, variant_tag.value):
        variant = _read_variant_tag(game, variant_tag, findings)
    else:
        variant = _find_variant_of_start(game, tags, mode, findings)
    game = _with_variant(game, variant)
    if "FEN" not in tags:
        return game, game.parse(game.start)
    return game, _read_start(game, tags["FEN"], mode, findings)


def _read_variant_tag(game: Game, tag: Tag, findings: Findings) -> str:
    """Return the variant that the tag ``Variant`` names.

    If the game does not have it, add an error to `findings` and return the usual variant of the game.
    """
    variant = find_variant(game, tag.value)
    if variant is not None:
        return variant
    message = (
        f"{game.name} has no variant {tag.value[:_MAX_SHOWN]!r}; it has {', '.join(game.variants)}; "
        "the moves are read by the usual rules"
    )
    findings.add("record.variant", tag.value_span, message, field=tag.name)
    return game.variants[0]


def _check_setup(tags: Mapping[str, Tag], findings: Findings) -> None:
    """Add a finding if the tags ``SetUp`` and ``FEN`` contradict each other.

    ``SetUp`` is ``1`` if the tag ``FEN`` contains the start position, and ``0`` if there is none.
    """
    setup = tags.get("SetUp")
    if setup is None:
        return
    claims_fen = setup.value == "1"
    has_fen = "FEN" in tags
    if claims_fen == has_fen:
        return
    if has_fen:
        message = f"SetUp is {setup.value[:_MAX_SHOWN]!r}, but there is a FEN, which is used"
    else:
        message = "SetUp is 1, but there is no FEN; the game begins with its start position"
    findings.add("record.setup", setup.value_span, message, field="SetUp")


def _find_variant_of_start(game: Game, tags: Mapping[str, Tag], mode: Mode, findings: Findings) -> str:
    """Return the variant of a record in which the tag ``Variant`` names no variant.

    It is the variant of `game`. If that is the usual one or ``auto``, it is the variant to which the start
    position in the tag ``FEN`` belongs. Add a finding if that variant is neither usual nor asked for.
    """
    usual_variant = game.variants[0]
    if game.variant not in (usual_variant, _AUTO):
        return game.variant
    if "FEN" not in tags:
        return usual_variant
    if not isinstance(game, VariantNames):
        return game.variant
    position = game.with_variant(_AUTO).read(tags["FEN"].value, mode=mode).position
    variant = usual_variant if position is None else game.variant_of(position)
    is_expected = variant == usual_variant or game.variant == _AUTO
    if not is_expected:
        _report_missing_variant(variant, tags, findings)
    return variant


def _report_missing_variant(variant: str, tags: Mapping[str, Tag], findings: Findings) -> None:
    """Add a finding that the start position belongs to `variant`, but no tag names this variant.

    Its fix corrects the tag ``Variant``, or adds it before the tag ``FEN``.
    """
    fen, variant_tag = tags["FEN"], tags.get("Variant")
    if variant_tag is None:
        span = fen.value_span
        before_fen = Span(fen.span.start, fen.span.start)
        fix = Fix(before_fen, f'[Variant "{variant}"]\n', Confidence.LIKELY)
    else:
        span = variant_tag.value_span
        fix = Fix(span, variant, Confidence.LIKELY)
    message = f'the start position is one of {variant}, which is assumed; expected [Variant "{variant}"]'
    findings.add("record.variant_missing", span, message, field="Variant", fix=fix)


def _read_start(game: Game, fen: Tag, mode: Mode, findings: Findings) -> Any:
    """Return the position in the tag `FEN`, or None if it has an error. Add all findings about it."""
    reading = game.read(fen.value, mode=mode)
    if reading.position is not None:
        reading = reading.with_findings(game.check(reading.position, text=fen.value, mode=mode))
    for diagnostic in reading.diagnostics:
        findings.add_diagnostic(_relocate(diagnostic, fen))
    return reading.position if reading.ok else None


def _relocate(diagnostic: Diagnostic, tag: Tag) -> Diagnostic:
    """Return a finding about the value of a tag with its place in the text of the record.

    The place and the fix of `diagnostic` refer to the value of `tag` alone. If the value contains escaped
    quotes or backslashes, its offsets cannot be converted: then the place is the whole value, without a fix.
    """
    if not tag.verbatim:
        return replace(diagnostic, span=tag.value_span, fix=None)
    fix = diagnostic.fix
    if fix is not None:
        fix = replace(fix, span=_shift_span(fix.span, tag), replacement=escape(fix.replacement))
    return replace(diagnostic, span=_shift_span(diagnostic.span, tag), fix=fix)


def _shift_span(span: Span, tag: Tag) -> Span:
    """Return a span of offsets in the value of a tag as a span of offsets in the text of the record."""
    start = tag.value_span.start
    return Span(start + span.start, start + span.end)
