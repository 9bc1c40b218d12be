"""What each game says about itself, as it is kept: tests/golden/facts/README.md says what for.

`python -m tests.facts` writes it anew, for a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tests.whole_game import WholeGame, whole

from forsyth.abilities import position_to_data
from forsyth.diagnostics import SHARED_CODES
from forsyth.move_errors import CODES
from forsyth.record.codes import RECORD_CODES

FOLDER: Final = Path(__file__).parent / "golden" / "facts"
GAMES: Final = ("chess", "cotulenh", "azul", "xiangqi", "shogi")


def _variant(game: WholeGame, variant: str) -> dict[str, Any]:
    own = whole(game.name, variant)
    position = own.parse(own.start)
    return {
        "start": own.start,
        "packed_width": own.packed_width,
        "pattern": own.move_pattern,
        "fields": [field._asdict() for field in own.fields(position)],
        "moves": [own.describe_move(position, move).to_dict() for move in own.moves(position)[:12]],
    }


def _facts(game: WholeGame) -> dict[str, Any]:
    position = game.parse(game.start)
    later = game.parse(game.names["midgame"])
    return {
        "title": game.title,
        "names": dict(game.names),
        "styles": dict(game.styles),
        "examples": dict(game.examples),
        "most_characters": game.max_text,
        "players": game.players,
        "codes": [[info.code, str(info.severity), info.stage, info.summary] for info in game.codes],
        "features": [feature._asdict() for feature in game.feature_list],
        "numbers": game.features(later),
        "planes": game.plane_shape._asdict(),
        "data": position_to_data(game, later, game.names["midgame"]),
        "data_schema": getattr(game, "data_schema", None),
        "variant_names": dict(getattr(game, "variant_names", {})),
        "written": {style: game.write(later, style) for style in game.styles},
        "difference": game.diff(position, later).to_dict(),
        "variants": {variant: _variant(game, variant) for variant in game.variants},
    }


def codes() -> str:
    """The codes that belong to no game, a line each: of texts, records and moves that are not possible."""
    lines = [" | ".join(info) for info in (*SHARED_CODES, *RECORD_CODES)]
    return "\n".join([*lines, *(f"{code} | {summary}" for code, summary in CODES.items())]) + "\n"


def facts(name: str) -> str:
    """The facts of a game as JSON, an entry a line."""
    return json.dumps(_facts(whole(name)), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    (FOLDER / "codes.txt").write_text(codes(), encoding="utf-8", newline="\n")
    for each in GAMES:
        (FOLDER / f"{each}.json").write_text(facts(each), encoding="utf-8", newline="\n")
