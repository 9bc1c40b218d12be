"""Reading of any text of any game: unwrap it, detect its game, read it, check and repair it.

The command line and the HTTP service use these functions. A text may have any form of `forsyth.forms`. The
game is named by the caller, known to the store, or detected from the plain text. The spans of findings refer
to the original text. An error inside a ``base64_`` or ``fenz_`` text is reported as one finding about the
payload, which contains the findings inside (spec/azul 8.1).

The argument `game` is a `Game` or a name. Only problems of the text are reported as findings. An unknown
mode, form or confidence raises `ValueError`, an unknown game raises `UnknownGameError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypedDict, overload

from forsyth import registry
from forsyth.arguments import quoted, require_choice
from forsyth.diagnostics import (
    MODES,
    Confidence,
    Diagnostic,
    Mode,
    Reading,
    Severity,
    Span,
    apply_fixes,
    select_fixable,
)
from forsyth.findings import SHARED
from forsyth.forms import BAD_PAYLOAD, Store, Unwrapped, has_form_prefix, require_store, unwrap
from forsyth.game import AUTO, Game, M, P, game_of, is_position, select_profile, with_auto_variant
from forsyth.limits import MAX_PLAIN, MAX_WRAPPED

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.game import Position
    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.position import GridPosition

INITIAL: Final = "initial"
"""The position name that a store may redefine; otherwise it means the start position of the game."""

_MAX_REPAIR_ROUNDS: Final = 8
"""Upper bound on the rounds of a repair. A fix may reveal another error, but few texts need a third round."""


class _SourceOptions(TypedDict, total=False):
    """The keyword arguments that `read`, `check` and `repair` share, for type checkers."""

    form: str | None
    store: Store | None
    profile: str | None


class _ReadOptions(_SourceOptions, total=False):
    """The keyword arguments of `read` and `check`, for type checkers."""

    mode: Mode


class _RepairOptions(_SourceOptions, total=False):
    """The keyword arguments of `repair`, for type checkers."""

    min_confidence: Confidence | None


class _OpenedText(NamedTuple):
    """A text after unwrapping: the result of `unwrap`, the plain text in it, and its game."""

    unwrapped: Unwrapped
    plain: str
    game: Game


@overload
def read(text: str, game: Literal["chess"], **options: Unpack[_ReadOptions]) -> Reading[chess.Position]: ...
@overload
def read(
    text: str, game: Literal["cotulenh"], **options: Unpack[_ReadOptions]
) -> Reading[cotulenh.Position]: ...
@overload
def read(text: str, game: Literal["azul"], **options: Unpack[_ReadOptions]) -> Reading[azul.Position]: ...
@overload
def read(
    text: str, game: Literal["xiangqi", "shogi"], **options: Unpack[_ReadOptions]
) -> Reading[GridPosition]: ...
@overload
def read(text: str, game: Game[P, M], **options: Unpack[_ReadOptions]) -> Reading[P]: ...
@overload
def read(text: str, game: Game | str | None = None, **options: Unpack[_ReadOptions]) -> Reading[Position]: ...
def read(
    text: str,
    game: Game | str | None = None,
    *,
    mode: Mode = "default",
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """Read a text in any form and return the position, if there is one, and all findings about the text.

    No text raises an error. The legality of the position is not checked; see `check`.

    Args:
        text: The text in any form.
        game: The game or its name. None detects the game and its variant from the text or asks the store.
        mode: The reading mode: ``default``, ``strict`` or ``lenient``.
        form: The form of the text. None detects it, except for URL texts (see `forsyth.unwrap`).
        store: The store that resolves ``state_`` identifiers.
        profile: The reader to imitate, such as ``seed`` for the source document of chess. None selects
            Forsyth's own reader.

    Raises:
        ValueError: If there is no such mode, form or profile.
        UnknownGameError: If there is no such game.
    """
    require_choice("mode", mode, MODES)
    game = select_profile(_find_game(game), profile)
    if game is not None and form is None and _is_plain(text, game):
        if store is not None:
            require_store(store)
        return _with_variant_of(game, game.read(text, mode=mode))
    opened = _open_text(text, game, form, store)
    if isinstance(opened, Reading):
        return opened
    inner = _with_variant_of(opened.game, opened.game.read(opened.plain, mode=mode))
    return _to_source_reading(opened.unwrapped, inner)


@overload
def check(text: P, game: Game | str | None = None, *, mode: Mode = "default") -> Reading[P]: ...
@overload
def check(text: str, game: Literal["chess"], **options: Unpack[_ReadOptions]) -> Reading[chess.Position]: ...
@overload
def check(
    text: str, game: Literal["cotulenh"], **options: Unpack[_ReadOptions]
) -> Reading[cotulenh.Position]: ...
@overload
def check(text: str, game: Literal["azul"], **options: Unpack[_ReadOptions]) -> Reading[azul.Position]: ...
@overload
def check(
    text: str, game: Literal["xiangqi", "shogi"], **options: Unpack[_ReadOptions]
) -> Reading[GridPosition]: ...
@overload
def check(text: str | P, game: Game[P, M], **options: Unpack[_ReadOptions]) -> Reading[P]: ...
@overload
def check(
    text: str, game: Game | str | None = None, **options: Unpack[_ReadOptions]
) -> Reading[Position]: ...
def check(
    text: Any,
    game: Game | str | None = None,
    *,
    mode: Mode = "default",
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """Read a text as `read` does and check the legality of its position.

    The findings about legality follow those about the text. In strict mode every warning becomes an error.
    The arguments and errors are those of `read`. `text` may also be a position: its legality is checked, and
    the findings refer to its canonical text. Its game is then the position's own, unless `game` names one.
    """
    require_choice("mode", mode, MODES)
    game = select_profile(_find_game(game), profile)
    if is_position(text):
        return _check_position(text, game_of(text) if game is None else game, mode)
    opened = _open_text(text, game, form, store)
    if isinstance(opened, Reading):
        return opened
    inner = _with_variant_of(opened.game, opened.game.read(opened.plain, mode=mode))
    if inner.position is not None:
        inner = inner.with_findings(opened.game.check(inner.position, text=opened.plain, mode=mode))
    if mode == "strict":
        inner = inner.as_strict()
    return _to_source_reading(opened.unwrapped, inner)


def _check_position(position: Any, game: Game, mode: Mode) -> Reading[Any]:
    """Return the reading of the canonical text of a position, with the findings about its legality."""
    reading = Reading(str(position), game.name, position, game.check(position, mode=mode))
    return reading.as_strict() if mode == "strict" else reading


@overload
def repair(
    text: str, game: Literal["chess"], **options: Unpack[_RepairOptions]
) -> Reading[chess.Position]: ...
@overload
def repair(
    text: str, game: Literal["cotulenh"], **options: Unpack[_RepairOptions]
) -> Reading[cotulenh.Position]: ...
@overload
def repair(text: str, game: Literal["azul"], **options: Unpack[_RepairOptions]) -> Reading[azul.Position]: ...
@overload
def repair(
    text: str, game: Literal["xiangqi", "shogi"], **options: Unpack[_RepairOptions]
) -> Reading[GridPosition]: ...
@overload
def repair(text: str, game: Game[P, M], **options: Unpack[_RepairOptions]) -> Reading[P]: ...
@overload
def repair(
    text: str, game: Game | str | None = None, **options: Unpack[_RepairOptions]
) -> Reading[Position]: ...
def repair(
    text: str,
    game: Game | str | None = None,
    *,
    min_confidence: Confidence | None = None,
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """Check a text in lenient mode and, if errors remain, apply the fixes that its findings propose.

    The fixes are tried together, and one by one if that does not help. This is repeated while the number of
    errors falls. Each finding whose fix was applied is reported as a warning. The findings about the repaired
    text follow; their spans cover the whole text.

    Args:
        text: The text in any form.
        game: The game or its name. None detects it from the text or asks the store.
        min_confidence: Fixes with a lower confidence are not applied. None applies no fix. Lenient mode
            alone may still repair the text.
        form: The form of the text, as in `read`.
        store: The store that resolves ``state_`` identifiers.
        profile: The reader to imitate, as in `read`.

    Raises:
        ValueError: If there is no such confidence, form or profile.
        UnknownGameError: If there is no such game.
    """
    if min_confidence is not None:
        require_choice("confidence", min_confidence, Confidence)
    game = select_profile(_find_game(game), profile)
    original = check(text, game, mode="lenient", form=form, store=store)
    if min_confidence is None or original.ok or original.game is None:
        return original
    whole_text = Span(0, len(text))
    current = original
    fixed_findings: list[Diagnostic] = []
    for _ in range(_MAX_REPAIR_ROUNDS):
        step = _apply_helpful_fixes(current, game, min_confidence, form, store)
        if step is None:
            break
        findings = step.applied
        if current is not original:
            # These spans refer to an intermediate text that the caller does not have.
            findings = _spread_over(whole_text, findings)
        fixed_findings += [finding.with_severity(Severity.WARNING) for finding in findings]
        current = step.reading
    if current.position is None or current is original:
        return original
    remaining_findings = _spread_over(whole_text, current.diagnostics)
    return current.replace(text=text, diagnostics=(*fixed_findings, *remaining_findings))


def _spread_over(span: Span, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return copies of the findings with the span `span` and without their fixes.

    The findings are about another text than the caller's, so their own spans and fixes do not apply to it.
    """
    return tuple(replace(finding, span=span, fix=None) for finding in findings)


class _RepairStep(NamedTuple):
    """The reading of a text after some fixes, and the findings whose fixes were applied."""

    reading: Reading[Any]
    applied: tuple[Diagnostic, ...]


def _apply_helpful_fixes(
    before: Reading[Any],
    game: Game | None,
    min_confidence: Confidence,
    form: str | None,
    store: Store | None,
) -> _RepairStep | None:
    """Try the fixes that are proposed for the text of a reading, and return the first improvement.

    All fixes are tried together, then each alone. An improvement has a position for the first time, or fewer
    errors.

    Args:
        before: The reading of the text so far.
        game: The game of the text, or None to detect it.
        min_confidence: Fixes with a lower confidence are not tried.
        form: The form of the text, or None to detect it.
        store: The store that resolves ``state_`` identifiers.

    Returns:
        The new reading and the findings whose fixes were applied, or None if nothing helps.
    """
    # Not in lenient mode, which repairs some errors on its own and proposes no fixes for them.
    read_or_check = read if before.position is None else check
    diagnostics = read_or_check(before.text, game, form=form, store=store).diagnostics
    fixable_findings = select_fixable(diagnostics, min_confidence)
    if not fixable_findings:
        return None
    attempts = [fixable_findings]
    if len(fixable_findings) > 1:
        attempts += [(finding,) for finding in fixable_findings]
    for findings in attempts:
        fixed_text = apply_fixes(before.text, findings, min_confidence)
        after = check(fixed_text, game, mode="lenient", form=form, store=store)
        if _quality_of(after) > _quality_of(before):
            return _RepairStep(after, findings)
    return None


def _quality_of(reading: Reading[Any]) -> tuple[bool, int]:
    """Return the quality of a reading, for comparison: whether it has a position, and minus its errors.

    ``(True, 0)``, a position without errors, is the highest value.
    """
    has_position = reading.position is not None
    return has_position, -len(reading.errors)


def _find_game(game: Game | str | None) -> Game | None:
    """Return the installed game with the name `game`. A `Game` and None are returned unchanged.

    Raise `UnknownGameError` if no installed game has the name.
    """
    return None if game is None else registry.game(game)


def _is_plain(text: object, game: Game) -> bool:
    """Return whether `text` is neither encoded, such as ``base64_…``, nor a position name such as ``start``.

    Most texts are plain, and this check is much faster than `unwrap`. A text that is too long passes too,
    because its game reports the length.
    """
    if not isinstance(text, str) or has_form_prefix(text):
        return False
    return len(text) > MAX_PLAIN or text not in game.names


def _open_text(
    text: object, game: Game | None, form: str | None, store: Store | None
) -> _OpenedText | Reading[Any]:
    """Decode a text to a plain text, and find its game unless `game` is given.

    The text may be encoded, such as ``base64_…``, or a position name such as ``start``. If decoding or
    detection fails, return a `Reading` with the error instead, which the caller can return as its result.
    """
    game_name = None if game is None else game.name
    if not isinstance(text, str):
        message = f"the input is of type {type(text).__name__}, expected text"
        type_error = SHARED.make_diagnostic("fen.type", Span(0, 0), message)
        return Reading("", game_name, position=None, diagnostics=(type_error,))
    names = _names_for(text, form) if game is None else _position_names(game, text, store)
    unwrapped = unwrap(text, form=form, names=names, store=store)
    if unwrapped.plain is None:
        return Reading(text, game_name, position=None, diagnostics=unwrapped.diagnostics, form=unwrapped.form)
    game_or_error = _detect_game(unwrapped, unwrapped.plain) if game is None else game
    if isinstance(game_or_error, Diagnostic):
        return Reading(text, game=None, position=None, diagnostics=(game_or_error,), form=unwrapped.form)
    return _OpenedText(unwrapped, unwrapped.plain, game_or_error)


def _with_variant_of(game: Game, reading: Reading[P]) -> Reading[P]:
    """Return the reading of a text in `game` with a variant, if the game itself has not set one."""
    if reading.variant is not None:
        return reading
    return reading.replace(variant=game.variants[0] if game.variant == AUTO else game.variant)


def _to_source_reading(unwrapped: Unwrapped, inner: Reading[Any]) -> Reading[Any]:
    """Convert the reading of a decoded text to a reading of the original text, with spans in that text.

    `unwrapped` is the result of decoding, and `inner` the reading of the plain text in it. Errors inside a
    ``base64_`` or ``fenz_`` text become one finding about its payload.
    """
    if unwrapped.form == "plain":
        return inner
    if unwrapped.form in BAD_PAYLOAD and not inner.ok:
        diagnostics: tuple[Diagnostic, ...] = (_make_payload_error(unwrapped, inner.diagnostics),)
    else:
        diagnostics = tuple(_to_source_finding(finding, unwrapped) for finding in inner.diagnostics)
    return inner.replace(text=unwrapped.text, form=unwrapped.form, diagnostics=diagnostics)


def _to_source_finding(diagnostic: Diagnostic, unwrapped: Unwrapped) -> Diagnostic:
    """Return a finding about a decoded text with its span and fix converted to the original text.

    `unwrapped` is the result of decoding. A fix that has no counterpart in the original text is left out.
    """
    fix = None if diagnostic.fix is None else unwrapped.to_source_fix(diagnostic.fix)
    return replace(diagnostic, span=unwrapped.to_source_span(diagnostic.span), fix=fix)


def _make_payload_error(unwrapped: Unwrapped, inside: tuple[Diagnostic, ...]) -> Diagnostic:
    """Return the error for a ``base64_`` or ``fenz_`` text whose decoded text is not a valid position.

    `inside` are the findings about the decoded text. The error contains them.
    """
    code, message = BAD_PAYLOAD[unwrapped.form]
    error = SHARED.make_diagnostic(code, unwrapped.payload, message)
    return replace(error, inside=inside, unwrapped=unwrapped.plain or "")


# --- names and game of a text -------------------------------------------------------------------------


def _position_names(game: Game, text: str, store: Store | None) -> Mapping[str, str]:
    """Return the position names of a game and their texts, such as ``start``.

    If `text` is the name ``initial`` and the store has a text of its own for it, that text replaces the
    game's. The store is read only in this case, because a query takes time.
    """
    stored_initial = store.initial(game.name) if store is not None and text == INITIAL else None
    return game.names if stored_initial is None else {**game.names, INITIAL: stored_initial}


def _names_for(text: str, form: str | None) -> Mapping[str, str]:
    """Return the position names of all installed games if `text` may be or contain one, else none.

    The names would import every game. A name has no slash, which almost every text of a position has.
    """
    may_be_name = "/" not in text or form == "name" or has_form_prefix(text)
    return _all_position_names() if may_be_name else {}


def _all_position_names() -> Mapping[str, str]:
    """Return the position names of all installed games, such as ``start``, and their texts."""
    return _collect_position_names(registry.games())


@lru_cache(maxsize=4)
def _collect_position_names(games: tuple[str, ...]) -> Mapping[str, str]:
    """Return the position names of several games and their texts. If two share a name, the last game wins."""
    return {name: text for game in games for name, text in registry.game(game).names.items()}


def _detect_game(unwrapped: Unwrapped, plain: str) -> Game | Diagnostic:
    """Return the game of a text for which the caller named no game, or the error if it is not detected.

    A position name such as ``start`` is an error here. The game of a ``state_`` text is the one in the store.
    Other games are detected from `plain`, the decoded text.
    """
    if unwrapped.form == "name":
        return _make_ambiguous_name_error(unwrapped)
    if unwrapped.game is not None:
        return _load_stored_game(unwrapped, unwrapped.game)
    if len(plain) > MAX_WRAPPED:
        message = f"the text has {len(plain)} characters, expected at most {MAX_PLAIN}"
        return SHARED.make_diagnostic("fen.length", Span(MAX_PLAIN, len(plain)), message)
    detection = registry.detect(plain)
    if detection.game is None:
        return _make_undetected_error(unwrapped, plain, detection.candidates)
    return with_auto_variant(registry.game(detection.game))


def _make_ambiguous_name_error(unwrapped: Unwrapped) -> Diagnostic:
    """Return the error for a position name such as ``start`` without a game, with all games that have it."""
    # Even a name that only one game has is an error, because a game installed later may have it too.
    games = [game for game in registry.games() if unwrapped.text in registry.game(game).names]
    message = (
        f"{quoted(unwrapped.text)} is the name of a position of {', '.join(games)}; name the game as well"
    )
    return SHARED.make_diagnostic("game.unknown", unwrapped.payload, message)


def _load_stored_game(unwrapped: Unwrapped, name: str) -> Game | Diagnostic:
    """Return the game with the `name` that the store has for a text, or the error if it is not installed."""
    try:
        # The store knows the game but not the variant, so the text has to name it.
        return with_auto_variant(registry.game(name))
    except registry.UnknownGameError as error:
        return SHARED.make_diagnostic("game.unknown", unwrapped.payload, str(error))


def _make_undetected_error(unwrapped: Unwrapped, plain: str, candidates: tuple[str, ...]) -> Diagnostic:
    """Return the error for a text that is blank, or whose game cannot be detected.

    `plain` is the decoded text, and `candidates` are the games that it fits equally well. If a ``base64_`` or
    ``fenz_`` text contains nothing that resembles a position, the error is about its payload.
    """
    is_blank = not plain.strip()
    whole_text = Span(0, len(plain))
    if is_blank:
        error = SHARED.make_diagnostic("fen.empty", whole_text, "Empty FEN string")
    else:
        if candidates:
            message = f"the text fits several games equally well; name one of {', '.join(candidates)}"
        else:
            message = f"the game of the text is not detected; name it, one of {', '.join(registry.games())}"
        error = SHARED.make_diagnostic("game.unknown", whole_text, message)
    if unwrapped.form in BAD_PAYLOAD and not candidates and (is_blank or not _resembles_any_game(plain)):
        return _make_payload_error(unwrapped, (error,))
    return _to_source_finding(error, unwrapped)


def _resembles_any_game(plain: str) -> bool:
    """Return whether a plain text looks at least a little like a position of some installed game."""
    return any(registry.game(name).likelihood(plain) > 0 for name in registry.games())
