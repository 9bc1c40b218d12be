"""Reading any text of any game: unwrap it, tell its game, read it, check it.

This is what the surfaces call. A text may come in every form of `forms`; the game is named by the caller,
named by the store, or detected from the plain text. Findings are placed in the text as it was given. Inside
a ``base64_`` or ``fenz_`` text an error is reported as the payload's, which carries what was found inside
(spec/azul 8.1).

A game is given as a `Game` or by its name. A mode, form or confidence that does not exist is a `ValueError`,
a game that does not exist an `UnknownGameError`: only the text is diagnosed.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    applicable,
    apply_fixes,
)
from forsyth.findings import SHARED
from forsyth.forms import BAD_PAYLOAD, Store, Unwrapped, is_wrapped, require_store, unwrap
from forsyth.game import Game, M, P, automatic, in_profile
from forsyth.limits import MAX_PLAIN, MAX_WRAPPED

if TYPE_CHECKING:
    from typing import Unpack

    from forsyth.games import azul, chess, cotulenh
    from forsyth.kit.position import GridPosition

INITIAL: Final = "initial"
"""The name whose position a store keeps: the game's start until another one is set."""

_MOST_ROUNDS: Final = 8
"""How often fixes are looked for: what one uncovers another may mend, but few texts need a third round."""


class _Source(TypedDict, total=False):
    """The options of everything that reads a text, for the type checker."""

    form: str | None
    store: Store | None
    profile: str | None


class _How(_Source, total=False):
    mode: Mode


class _HowToRepair(_Source, total=False):
    least: Confidence | None


class _Opened(NamedTuple):
    unwrapped: Unwrapped
    plain: str
    game: Game


@overload
def read(text: str, game: Literal["chess"], **how: Unpack[_How]) -> Reading[chess.Position]: ...
@overload
def read(text: str, game: Literal["cotulenh"], **how: Unpack[_How]) -> Reading[cotulenh.Position]: ...
@overload
def read(text: str, game: Literal["azul"], **how: Unpack[_How]) -> Reading[azul.Position]: ...
@overload
def read(text: str, game: Literal["xiangqi", "shogi"], **how: Unpack[_How]) -> Reading[GridPosition]: ...
@overload
def read(text: str, game: Game[P, M], **how: Unpack[_How]) -> Reading[P]: ...
@overload
def read(text: str, game: Game | str | None = None, **how: Unpack[_How]) -> Reading[Any]: ...
def read(
    text: str,
    game: Game | str | None = None,
    *,
    mode: Mode = "default",
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """Read a text in any form: the position or none, and every finding. Never raises on a text.

    Without a `game` it is detected from the text or named by the store. Spans are places in the text as
    given. `form` and `store` are those of `unwrap`. `profile` reads as another reader does, such as
    ``seed``, that of the source document of chess; `ValueError` where the game has none of that name.
    """
    require_choice("mode", mode, MODES)
    game = in_profile(_named(game), profile)
    if game is not None and form is None and _is_bare(text, game):
        if store is not None:
            require_store(store)
        return game.read(text, mode=mode)
    opened = _open(text, game, form, store)
    if isinstance(opened, Reading):
        return opened
    return _deliver(opened.unwrapped, opened.game.read(opened.plain, mode=mode))


@overload
def check(text: str, game: Literal["chess"], **how: Unpack[_How]) -> Reading[chess.Position]: ...
@overload
def check(text: str, game: Literal["cotulenh"], **how: Unpack[_How]) -> Reading[cotulenh.Position]: ...
@overload
def check(text: str, game: Literal["azul"], **how: Unpack[_How]) -> Reading[azul.Position]: ...
@overload
def check(text: str, game: Literal["xiangqi", "shogi"], **how: Unpack[_How]) -> Reading[GridPosition]: ...
@overload
def check(text: str, game: Game[P, M], **how: Unpack[_How]) -> Reading[P]: ...
@overload
def check(text: str, game: Game | str | None = None, **how: Unpack[_How]) -> Reading[Any]: ...
def check(
    text: str,
    game: Game | str | None = None,
    *,
    mode: Mode = "default",
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """`read`, and the findings about the legality of the position behind those about the text.

    In strict mode every warning counts as an error.
    """
    require_choice("mode", mode, MODES)
    game = in_profile(_named(game), profile)
    opened = _open(text, game, form, store)
    if isinstance(opened, Reading):
        return opened
    inner = opened.game.read(opened.plain, mode=mode)
    if inner.position is not None:
        inner = inner.with_findings(opened.game.check(inner.position, text=opened.plain, mode=mode))
    if mode == "strict":
        inner = inner.strictly()
    return _deliver(opened.unwrapped, inner)


@overload
def repair(text: str, game: Literal["chess"], **how: Unpack[_HowToRepair]) -> Reading[chess.Position]: ...
@overload
def repair(
    text: str, game: Literal["cotulenh"], **how: Unpack[_HowToRepair]
) -> Reading[cotulenh.Position]: ...
@overload
def repair(text: str, game: Literal["azul"], **how: Unpack[_HowToRepair]) -> Reading[azul.Position]: ...
@overload
def repair(
    text: str, game: Literal["xiangqi", "shogi"], **how: Unpack[_HowToRepair]
) -> Reading[GridPosition]: ...
@overload
def repair(text: str, game: Game[P, M], **how: Unpack[_HowToRepair]) -> Reading[P]: ...
@overload
def repair(text: str, game: Game | str | None = None, **how: Unpack[_HowToRepair]) -> Reading[Any]: ...
def repair(
    text: str,
    game: Game | str | None = None,
    *,
    least: Confidence | None = None,
    form: str | None = None,
    store: Store | None = None,
    profile: str | None = None,
) -> Reading[Any]:
    """`check` in lenient mode; where errors are left, the fixes proposed by the findings are tried as well.

    `least` says how sure a fix must be to be tried; without it none is. Fixes are tried all together, else
    one by one, and again as long as they leave fewer errors. Each finding whose fix was applied is reported
    as a warning; what is then found about the text with the fixes stands at the whole text.
    """
    if least is not None:
        require_choice("confidence", least, Confidence)
    game = in_profile(_named(game), profile)
    reading = check(text, game, mode="lenient", form=form, store=store)
    if least is None or reading.ok or reading.game is None:
        return reading
    whole = Span(0, len(text))
    current = reading
    applied: tuple[Diagnostic, ...] = ()
    for _ in range(_MOST_ROUNDS):
        step = _fixed(current, game, least, form, store)
        if step is None:
            break
        # Behind the first round the places are those of a text that nobody has seen.
        made = [d if current is reading else replace(d, span=whole, fix=None) for d in step.applied]
        applied = (*applied, *[d.with_severity(Severity.WARNING) for d in made])
        current = step.reading
    if current.position is None or current is reading:
        return reading
    rest = tuple(replace(d, span=whole, fix=None) for d in current.diagnostics)
    return current.changed(text=text, diagnostics=applied + rest)


class _Step(NamedTuple):
    reading: Reading[Any]
    applied: tuple[Diagnostic, ...]


def _fixed(
    before: Reading[Any], game: Game | None, least: Confidence, form: str | None, store: Store | None
) -> _Step | None:
    """The text of a reading with fixes that leave fewer errors, and what they were for; None without any."""
    # Lenient reading repairs some of what it finds, and proposes nothing for it.
    how = read if before.position is None else check
    found = applicable(how(before.text, game, form=form, store=store).diagnostics, least)
    singly = [(one,) for one in found] if len(found) > 1 else []
    for chosen in ([found] if found else []) + singly:
        fixed = apply_fixes(before.text, chosen, least)
        again = check(fixed, game, mode="lenient", form=form, store=store)
        if _rank(again) > _rank(before):
            return _Step(again, chosen)
    return None


def _rank(reading: Reading[Any]) -> tuple[bool, int]:
    """How good a reading is: a position before none, then few errors."""
    return reading.position is not None, -len(reading.errors)


def _named(game: Game | str | None) -> Game | None:
    return None if game is None else registry.game(game)


def _is_bare(text: object, game: Game) -> bool:
    """Whether there is nothing to unwrap: the common case, which pays for nothing else."""
    if not isinstance(text, str) or is_wrapped(text):
        return False
    return len(text) > MAX_PLAIN or text not in game.names


def _open(text: object, game: Game | None, form: str | None, store: Store | None) -> _Opened | Reading[Any]:
    """The plain text and its game, or the reading that says why there is none."""
    name = None if game is None else game.name
    if not isinstance(text, str):
        message = f"the input is of type {type(text).__name__}, expected text"
        return Reading("", name, None, (SHARED.finding("fen.type", Span(0, 0), message),))
    names = _all_names() if game is None else _names_of(game, text, store)
    unwrapped = unwrap(text, form=form, names=names, store=store)
    if unwrapped.plain is None:
        return Reading(text, name, None, unwrapped.diagnostics, unwrapped.form)
    found = _detected_game(unwrapped, unwrapped.plain) if game is None else game
    if isinstance(found, Diagnostic):
        return Reading(text, None, None, (found,), unwrapped.form)
    return _Opened(unwrapped, unwrapped.plain, found)


def _deliver(unwrapped: Unwrapped, inner: Reading[Any]) -> Reading[Any]:
    """The reading of the plain text as a reading of the text as given."""
    if unwrapped.form == "plain":
        return inner
    diagnostics = tuple(_moved(d, unwrapped) for d in inner.diagnostics)
    if unwrapped.form in BAD_PAYLOAD and not inner.ok:
        diagnostics = (_bad_payload(unwrapped, inner.diagnostics),)
    return inner.changed(text=unwrapped.text, form=unwrapped.form, diagnostics=diagnostics)


def _moved(diagnostic: Diagnostic, unwrapped: Unwrapped) -> Diagnostic:
    fix = None if diagnostic.fix is None else unwrapped.place_fix(diagnostic.fix)
    return replace(diagnostic, span=unwrapped.place(diagnostic.span), fix=fix)


def _bad_payload(unwrapped: Unwrapped, inside: tuple[Diagnostic, ...]) -> Diagnostic:
    code, message = BAD_PAYLOAD[unwrapped.form]
    found = SHARED.finding(code, unwrapped.payload, message)
    return replace(found, inside=inside, unwrapped=unwrapped.plain or "")


# --- which game ---------------------------------------------------------------------------------------


def _names_of(game: Game, text: str, store: Store | None) -> Mapping[str, str]:
    """The names of a game; what ``initial`` stands for is the store's to say, where it was set."""
    kept = store.initial(game.name) if store is not None and text == INITIAL else None
    return game.names if kept is None else {**game.names, INITIAL: kept}


def _all_names() -> Mapping[str, str]:
    return _names_among(registry.games())


@lru_cache(maxsize=4)
def _names_among(games: tuple[str, ...]) -> Mapping[str, str]:
    return {name: text for game in games for name, text in registry.game(game).names.items()}


def _detected_game(unwrapped: Unwrapped, plain: str) -> Game | Diagnostic:
    if unwrapped.form == "name":
        return _name_without_game(unwrapped)
    if unwrapped.game is not None:
        return _stored_game(unwrapped, unwrapped.game)
    if len(plain) > MAX_WRAPPED:
        message = f"the text has {len(plain)} characters, expected at most {MAX_PLAIN}"
        return SHARED.finding("fen.length", Span(MAX_PLAIN, len(plain)), message)
    name = registry.detect(plain).game
    return _untold(unwrapped, plain) if name is None else registry.game(name)


def _name_without_game(unwrapped: Unwrapped) -> Diagnostic:
    # A name that only one game has is refused as well: the next game to be installed may have it too.
    having = [game for game in registry.games() if unwrapped.text in registry.game(game).names]
    message = (
        f"{quoted(unwrapped.text)} is the name of a position of {', '.join(having)}; name the game as well"
    )
    return SHARED.finding("game.unknown", unwrapped.payload, message)


def _stored_game(unwrapped: Unwrapped, name: str) -> Game | Diagnostic:
    try:
        # A store keeps the texts of every variant beside the name of the game.
        return automatic(registry.game(name))
    except registry.UnknownGameError as error:
        return SHARED.finding("game.unknown", unwrapped.payload, str(error))


def _untold(unwrapped: Unwrapped, plain: str) -> Diagnostic:
    blank = not plain.strip()
    whole = Span(0, len(plain))
    if blank:
        found = SHARED.finding("fen.empty", whole, "Empty FEN string")
    else:
        games = ", ".join(registry.games())
        message = f"the game of the text is not detected; name it, one of {games}"
        found = SHARED.finding("game.unknown", whole, message)
    if unwrapped.form in BAD_PAYLOAD and (blank or not _fits_any_game(plain)):
        return _bad_payload(unwrapped, (found,))
    return _moved(found, unwrapped)


def _fits_any_game(plain: str) -> bool:
    return any(registry.game(name).likelihood(plain) > 0 for name in registry.games())
