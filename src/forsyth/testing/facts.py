"""What a game says about itself: names, variants, codes, start, patterns."""

from __future__ import annotations

import re
from typing import Final

from forsyth.arguments import quoted
from forsyth.diagnostics import SHARED_CODES
from forsyth.game import Game
from forsyth.testing.promise import require, require_refusal

_NO_MOVES: Final = ("1.", "12...", "1-0", "0-1", "1/2-1/2", "*", "!", "??")
"""What stands in a record and is no move."""
_NOWHERE: Final = "no such thing"


def require_facts(game: Game) -> None:
    """Hold a game to what it says about itself."""
    require(isinstance(game, Game), game, "it has not all members of forsyth.Game")
    require(re.fullmatch(r"[a-z][a-z0-9_-]*", game.name), game, f"its name {quoted(game.name)} is no name")
    require(game.title, game, "it has no title")
    require(game.players, game, "it has no players")
    _require_variants(game)
    _require_codes(game)
    _require_start(game)
    _require_pattern(game)
    require("canonical" not in game.styles, game, "canonical is among its styles, which are the others")


def _require_variants(game: Game) -> None:
    require(
        game.variant in (*game.variants, "auto"), game, f"its variant {quoted(game.variant)} is not listed"
    )
    for variant in game.variants:
        found = game.with_variant(variant)
        require(
            found.variant == variant and found.name == game.name,
            game,
            f"with_variant({quoted(variant)}) gives another",
        )
    require_refusal(game, "a variant that does not exist", ValueError, game.with_variant, _NOWHERE)


def _require_codes(game: Game) -> None:
    codes = [info.code for info in game.codes]
    require(len(set(codes)) == len(codes), game, "a code is listed twice")
    shared = {info.code for info in SHARED_CODES}
    for code in codes:
        require(code not in shared, game, f"the code {code} is one that all games share")
        require(re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9]+", code), game, f"{quoted(code)} is not subject.problem")


def _require_start(game: Game) -> None:
    start = game.parse(game.start, mode="strict")
    require(str(start) == game.start, game, f"the start is written {quoted(str(start))}")
    require(len(game.start) <= game.max_text, game, "max_text has no room for the start")
    require(game.names.get("start"), game, "no position is named start")
    for name, text in game.names.items():
        require(game.read(text).ok, game, f"the text named {quoted(name)} cannot be read")
    for seed in (None, 7):
        begun = game.new_game(seed)
        found = [one.code for one in game.check(begun) if one.is_error]
        require(not found, game, f"new_game({seed}) is not legal: {', '.join(found)}")
    require(game.new_game(7) == game.new_game(7), game, "new_game(7) gives another position each time")


def _require_pattern(game: Game) -> None:
    pattern = re.compile(game.move_pattern)
    for word in _NO_MOVES:
        require(
            pattern.fullmatch(word) is None, game, f"move_pattern matches {quoted(word)}, which is no move"
        )
