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
    """Read a text in any form, and return the position, if there is one, and all findings.

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
    chosen_game = select_profile(_find_game(game), profile)
    # The fast path for most texts, which does the same as the rest.
    if chosen_game is not None and form is None and _is_plain(text, chosen_game):
        if store is not None:
            require_store(store)
        return _with_variant_of(chosen_game, chosen_game.read(text, mode=mode))
    opened = _open_text(text, chosen_game, form, store)
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
    """Read a text as `read` does, and check the legality of its position.

    The findings about legality follow those about the text. In strict mode every warning becomes an error.
    `text` may also be a position, whose findings refer to its canonical text. If `game` is None, the position
    determines its game. The other arguments and the errors are those of `read`.
    """
    require_choice("mode", mode, MODES)
    chosen_game = select_profile(_find_game(game), profile)
    if is_position(text):
        return _check_position(text, game_of(text) if chosen_game is None else chosen_game, mode)
    opened = _open_text(text, chosen_game, form, store)
    if isinstance(opened, Reading):
        return opened
    inner = _with_variant_of(opened.game, opened.game.read(opened.plain, mode=mode))
    if inner.position is not None:
        legality_findings = opened.game.check(inner.position, text=opened.plain, mode=mode)
        inner = inner.with_findings(legality_findings)
    if mode == "strict":
        inner = inner.as_strict()
    return _to_source_reading(opened.unwrapped, inner)


def _check_position(position: Any, game: Game, mode: Mode) -> Reading[Any]:
    """Return a `Reading` of the canonical text of a position, with the findings about its legality."""
    legality_findings = game.check(position, mode=mode)
    reading = Reading(str(position), game.name, position, legality_findings)
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
    """Check a text in lenient mode, and apply the proposed fixes if errors remain.

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
    chosen_game = select_profile(_find_game(game), profile)
    original = check(text, chosen_game, mode="lenient", form=form, store=store)
    if min_confidence is None or original.ok or original.game is None:
        return original
    current = original
    fixed_findings: list[Diagnostic] = []
    for _ in range(_MAX_REPAIR_ROUNDS):
        step = _apply_helpful_fixes(current, chosen_game, min_confidence, form, store)
        if step is None:
            break
        # After the first round, spans refer to an intermediate text that the caller does not have.
        is_first_round = current is original
        findings = step.fixed_findings if is_first_round else _to_whole_text(text, step.fixed_findings)
        fixed_findings += [finding.with_severity(Severity.WARNING) for finding in findings]
        current = step.reading
    is_repaired = current is not original and current.position is not None
    if not is_repaired:
        return original
    remaining_findings = _to_whole_text(text, current.diagnostics)
    return current.replace(text=text, diagnostics=(*fixed_findings, *remaining_findings))


def _to_whole_text(text: str, findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings about a repaired text as findings about the whole original `text`.

    The copies have spans that cover all of `text`, and no fixes. Their own spans and fixes refer to the
    repaired text, so they would be wrong for `text`, the original one.
    """
    whole_text = Span(0, len(text))
    return tuple(replace(finding, span=whole_text, fix=None) for finding in findings)


class _RepairStep(NamedTuple):
    """The reading of a text after some fixes, and the findings whose fixes were applied."""

    reading: Reading[Any]
    fixed_findings: tuple[Diagnostic, ...]


def _apply_helpful_fixes(
    before: Reading[Any],
    game: Game | None,
    min_confidence: Confidence,
    form: str | None,
    store: Store | None,
) -> _RepairStep | None:
    """Try the fixes that are proposed for a text that has errors, and return the first improvement.

    All fixes are tried together, then each alone. It is an improvement if the text can be read at last, or if
    it has fewer errors than before.

    Args:
        before: The reading of the text without these fixes.
        game: The game of the text, or None to detect it.
        min_confidence: Fixes with a lower confidence are not tried.
        form: The form of the text, or None to detect it.
        store: The store that resolves ``state_`` identifiers.

    Returns:
        The new reading and the findings whose fixes were applied, or None if nothing helps.
    """
    # Not in lenient mode, which repairs some errors on its own and proposes no fixes for them.
    read_or_check = read if before.position is None else check
    reading = read_or_check(before.text, game, form=form, store=store)
    fixable_findings = select_fixable(reading.diagnostics, min_confidence)
    if not fixable_findings:
        return None
    attempts = [fixable_findings]
    if len(fixable_findings) > 1:
        attempts += [(finding,) for finding in fixable_findings]
    for attempted_findings in attempts:
        fixed_text = apply_fixes(before.text, attempted_findings, min_confidence)
        after = check(fixed_text, game, mode="lenient", form=form, store=store)
        if _rate_reading(after) > _rate_reading(before):
            return _RepairStep(after, attempted_findings)
    return None


def _rate_reading(reading: Reading[Any]) -> tuple[bool, int]:
    """Return a rating by which two readings can be compared: the better one has the higher rating.

    It consists of True if the reading has a position, and of minus the number of errors. The highest rating
    is ``(True, 0)``.
    """
    has_position = reading.position is not None
    return has_position, -len(reading.errors)


def _find_game(game: Game | str | None) -> Game | None:
    """Return the installed game with the name `game`, such as ``chess``.

    A `Game` and None are returned unchanged. Raise `UnknownGameError` if no installed game has the name.
    """
    return None if game is None else registry.game(game)


def _is_plain(text: object, game: Game) -> bool:
    """Return True if `text` is neither encoded (``base64_…``) nor a position name (``start``).

    Most texts are plain, and this check is much faster than `unwrap`. A text that is too long passes too,
    because its game reports the length.
    """
    if not isinstance(text, str) or has_form_prefix(text):
        return False
    # The length is checked first, because the lookup hashes the whole text.
    is_too_long = len(text) > MAX_PLAIN
    return is_too_long or text not in game.names


def _open_text(
    text: object, game: Game | None, form: str | None, store: Store | None
) -> _OpenedText | Reading[Any]:
    """Decode a text in any form, such as ``base64_…``, and find its game.

    The game is detected if `game` is None. If the text cannot be decoded, or its game is not detected, return
    a `Reading` with the error instead.
    """
    game_name = None if game is None else game.name
    if not isinstance(text, str):
        message = f"the input is of type {type(text).__name__}, expected text"
        type_error = SHARED.make_diagnostic("fen.type", Span(0, 0), message)
        return Reading("", game_name, position=None, diagnostics=(type_error,))
    names = _find_any_game_names(text, form) if game is None else _find_game_names(game, text, store)
    unwrapped = unwrap(text, form=form, names=names, store=store)
    if unwrapped.plain is None:
        return Reading(text, game_name, position=None, diagnostics=unwrapped.diagnostics, form=unwrapped.form)
    game_or_error = _detect_game(unwrapped, unwrapped.plain) if game is None else game
    if isinstance(game_or_error, Diagnostic):
        return Reading(text, game=None, position=None, diagnostics=(game_or_error,), form=unwrapped.form)
    return _OpenedText(unwrapped, unwrapped.plain, game_or_error)


def _with_variant_of(game: Game, reading: Reading[P]) -> Reading[P]:
    """Return a reading with the variant of `game` if it has no variant yet.

    If the game has the variant ``auto``, it is the default variant.
    """
    if reading.variant is not None:
        return reading
    default_variant = game.variants[0]
    return reading.replace(variant=default_variant if game.variant == AUTO else game.variant)


def _to_source_reading(unwrapped: Unwrapped, inner: Reading[Any]) -> Reading[Any]:
    """Convert the reading of a decoded text to a reading of the original text.

    Spans and fixes then refer to the original text. `unwrapped` is the result of decoding, and `inner` the
    reading of the plain text in it. Errors inside a ``base64_`` or ``fenz_`` text become one finding about
    its payload.
    """
    if unwrapped.form == "plain":
        return inner
    is_encoded = unwrapped.form in BAD_PAYLOAD
    if is_encoded and not inner.ok:
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
    """Return the error for a ``base64_`` or ``fenz_`` text that contains no valid position.

    `inside` are the findings about the decoded text. The error contains them.
    """
    code, message = BAD_PAYLOAD[unwrapped.form]
    error = SHARED.make_diagnostic(code, unwrapped.payload, message)
    return replace(error, inside=inside, unwrapped=unwrapped.plain or "")


# --- names and game of a text -------------------------------------------------------------------------


def _find_game_names(game: Game, text: str, store: Store | None) -> Mapping[str, str]:
    """Return the position names of a game, such as ``start``, and their texts, to decode `text`.

    A store may have another text for the name ``initial``, which then replaces that of the game. The store is
    read only if `text` is this name, because a query takes time.
    """
    if store is None or text != INITIAL:
        return game.names
    stored_initial = store.initial(game.name)
    return game.names if stored_initial is None else {**game.names, INITIAL: stored_initial}


def _find_any_game_names(text: str, form: str | None) -> Mapping[str, str]:
    """Return the position names of all installed games and their texts, to decode `text`.

    If `text` neither is nor contains a name, return no names, because collecting them imports every game.
    """
    # A name has no slash, which almost every text of a position has.
    may_be_name = "/" not in text or form == "name" or has_form_prefix(text)
    return _collect_position_names(registry.games()) if may_be_name else {}


@lru_cache(maxsize=4)
def _collect_position_names(games: tuple[str, ...]) -> Mapping[str, str]:
    """Return the position names of several games, such as ``start``, and their texts.

    If two games share a name, it has the text of the later one.
    """
    texts_by_name: dict[str, str] = {}
    for game_name in games:
        texts_by_name.update(registry.game(game_name).names)
    return texts_by_name


def _detect_game(unwrapped: Unwrapped, plain: str) -> Game | Diagnostic:
    """Return the game of a text for which the caller named none, or an error.

    The game of a ``state_`` text is in the store. Other games are detected from `plain`, the decoded text. A
    position name such as ``start`` is an error, because several games may have it.
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
    """Return the error for a position name such as ``start`` if the caller named no game.

    The message lists all games that have a position with this name.
    """
    # Even a name that only one game has is an error, because a game installed later may have it too.
    games = [game for game in registry.games() if unwrapped.text in registry.game(game).names]
    message = (
        f"{quoted(unwrapped.text)} is the name of a position of {', '.join(games)}; name the game as well"
    )
    return SHARED.make_diagnostic("game.unknown", unwrapped.payload, message)


def _load_stored_game(unwrapped: Unwrapped, name: str) -> Game | Diagnostic:
    """Return the game that a store has for a text, or an error if it is not installed.

    `name` is this name, such as ``chess``.
    """
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
    whole_text = Span(0, len(plain))
    if not plain.strip():
        code, message = "fen.empty", "Empty FEN string"
    elif candidates:
        code = "game.unknown"
        message = f"the text fits several games equally well; name one of {', '.join(candidates)}"
    else:
        code = "game.unknown"
        message = f"the game of the text is not detected; name it, one of {', '.join(registry.games())}"
    error = SHARED.make_diagnostic(code, whole_text, message)

    is_encoded = unwrapped.form in BAD_PAYLOAD
    if is_encoded and not candidates and not _resembles_any_game(plain):
        return _make_payload_error(unwrapped, (error,))
    return _to_source_finding(error, unwrapped)


def _resembles_any_game(plain: str) -> bool:
    """Return True if at least one installed game rates a plain text above 0.

    A blank text gives False.
    """
    is_blank = not plain.strip()
    if is_blank:
        return False
    return any(registry.game(name).likelihood(plain) > 0 for name in registry.games())
