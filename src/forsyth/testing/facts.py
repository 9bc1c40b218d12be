"""Checks of the constant properties of a game: names, variants, codes, start, move pattern."""

from __future__ import annotations

import re
from typing import Final

from forsyth import abilities, draw
from forsyth.abilities import Looks
from forsyth.arguments import quoted, type_name
from forsyth.diagnostics import SHARED_CODES
from forsyth.game import AUTO, Game
from forsyth.testing.promise import require, require_refusal

_NON_MOVES: Final = ("1.", "12...", "1-0", "0-1", "1/2-1/2", "*", "!", "??")
"""Words of a record that are not moves."""
_UNKNOWN_NAME: Final = "no such thing"
_ABILITIES: Final = (
    abilities.Columnar,
    abilities.Editable,
    abilities.Explaining,
    abilities.Historical,
    abilities.Looks,
    abilities.Overlaying,
    abilities.PackedMoves,
    abilities.Profiles,
    abilities.Reporting,
)
"""The abilities that have several members."""
_SEED: Final = 7
"""An arbitrary seed of random start positions."""


def require_facts(game: Game) -> None:
    """Check the constant properties of a game, such as its name, variants, codes and start position.

    Raise `AssertionError` if a check fails.
    """
    require(isinstance(game, Game), game, "the game lacks members of the protocol forsyth.Game")
    require(
        re.fullmatch(r"[a-z][a-z0-9_-]*", game.name),
        game,
        f"the name of the game is {quoted(game.name)}, expected a lower-case letter followed by lower-case "
        "letters, digits, '_' and '-'",
    )
    require(game.title, game, "the game has no title, expected a name for people")
    require(game.players, game, "the game has no players, expected at least one")
    _require_whole_abilities(game)
    _require_variants(game)
    _require_looks(game)
    _require_codes(game)
    _require_start(game)
    _require_pattern(game)
    require(
        "canonical" not in game.styles,
        game,
        "the styles of the game include 'canonical', expected only further styles",
    )


def _require_whole_abilities(game: Game) -> None:
    """Check that a game that has most members of an ability, such as `Columnar`, has all of them.

    Without the others the game does not have the ability. Raise `AssertionError` if a member is missing.
    """
    for ability in _ABILITIES:
        members = [name for name in vars(ability) if not name.startswith("_")]
        missing = [name for name in members if not hasattr(game, name)]
        require(
            not missing or 2 * len(missing) > len(members),
            game,
            f"the game lacks {', '.join(missing)}, which the ability {ability.__name__} requires",
        )


def _require_looks(game: Game) -> None:
    """Check that `with_look` returns the same game with each set of piece drawings, and that it can be drawn.

    A game without such sets passes. An unknown name must raise `ValueError`. Raise `AssertionError` if a
    check fails.
    """
    if not isinstance(game, Looks):
        return
    require(game.looks, game, "looks is empty, expected at least one name")
    for look in game.looks:
        changed_game = game.with_look(look)
        description = f"with_look({quoted(look)}) returns"
        require(
            type(changed_game) is type(game),
            game,
            f"{description} a game of type {type_name(changed_game)}, expected {type_name(game)}",
        )
        is_same_game = (changed_game.name, changed_game.variant) == (game.name, game.variant)
        require(
            is_same_game, game, f"{description} {changed_game.name} in the variant {changed_game.variant}"
        )
        start = changed_game.parse(game.start)
        require(start == game.parse(game.start), game, f"{description} a game with another start position")
        draw.svg(changed_game.scene(start))
    description = "selecting a look that does not exist"
    require_refusal(game, description, ValueError, game.with_look, _UNKNOWN_NAME)


def _require_variants(game: Game) -> None:
    """Check that `with_variant` returns each variant of the game, and raises `ValueError` for other names.

    Raise `AssertionError` if it does not.
    """
    require(
        game.variant in (*game.variants, AUTO),
        game,
        f"the variant {quoted(game.variant)} of the game is not one of its variants",
    )
    for variant in game.variants:
        returned_game = game.with_variant(variant)
        is_requested_game = returned_game.variant == variant and returned_game.name == game.name
        require(
            is_requested_game,
            game,
            f"with_variant({quoted(variant)}) returns {returned_game.name} in the variant "
            f"{quoted(returned_game.variant)}",
        )
    description = "selecting a variant that does not exist"
    require_refusal(game, description, ValueError, game.with_variant, _UNKNOWN_NAME)


def _require_codes(game: Game) -> None:
    """Check that the diagnostic codes of a game are different and of the form ``subject.problem``.

    Codes that all games share must not be among them. Raise `AssertionError` if a check fails.
    """
    codes = [info.code for info in game.codes]
    require(len(set(codes)) == len(codes), game, "a diagnostic code is listed twice, expected each once")
    shared_codes = {info.code for info in SHARED_CODES}
    for code in codes:
        require(
            code not in shared_codes,
            game,
            f"the diagnostic code {code} is shared by all games, expected a code of the game",
        )
        require(
            re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9]+", code),
            game,
            f"the diagnostic code is {quoted(code)}, expected the form subject.problem",
        )


def _require_start(game: Game) -> None:
    """Check the start position, the positions with a name, and the positions that `new_game` returns.

    Raise `AssertionError` if a check fails, for example if one of these positions has errors.
    """
    start = game.parse(game.start, mode="strict")
    require(
        str(start) == game.start,
        game,
        f"the start is {quoted(game.start)}, expected its canonical text {quoted(str(start))}",
    )
    require(
        len(game.start) <= game.max_text,
        game,
        f"the start has {len(game.start)} characters, expected at most max_text, which is {game.max_text}",
    )
    require(game.names.get("start"), game, "the game has no position with the name 'start'")
    for name, text in game.names.items():
        require(game.read(text).ok, game, f"the text of the position named {quoted(name)} has errors")
    _require_new_game(game)


def _require_new_game(game: Game) -> None:
    """Check that `new_game` returns legal positions, and the same one for the same seed.

    Raise `AssertionError` if a check fails.
    """
    for seed in (None, _SEED):
        position = game.new_game(seed)
        error_codes = [finding.code for finding in game.check(position) if finding.is_error]
        require(not error_codes, game, f"new_game({seed}) is not legal: {', '.join(error_codes)}")
    require(
        game.new_game(_SEED) == game.new_game(_SEED),
        game,
        f"new_game({_SEED}) returns different positions, expected the same position for the same seed",
    )


def _require_pattern(game: Game) -> None:
    """Check that `move_pattern` matches none of the words of a record that are not moves, such as ``1-0``.

    Raise `AssertionError` if it does.
    """
    pattern = re.compile(game.move_pattern)
    for word in _NON_MOVES:
        require(
            pattern.fullmatch(word) is None,
            game,
            f"move_pattern matches {quoted(word)}, which is not a move",
        )
