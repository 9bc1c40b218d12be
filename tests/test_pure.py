"""The compiled build and plain Python give the same results, to the last span and byte (spec/chess 17.5).

Each build runs in a process of its own and prints what it makes of the same texts; then the two are compared,
and both with the golden data.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.golden_data import CHESS, Row, game_of, rows, variant_of

import forsyth
from forsyth.diagnostics import MODES, MoveError
from forsyth.games.chess import write_fen
from forsyth.games.chess.notation import kernel
from forsyth.games.chess.variants import VARIANTS

ROOT = Path(__file__).parents[1]
SOURCES = Path(forsyth.__file__).parent
LETTERS = "PNBRQKpnbrqk12345678/ wb-KQkqAHaeh36019~[]+_–\u00a0é"
READINGS = (*VARIANTS, "auto")
SAMPLE = [
    *rows("valid_fens")[::40],
    *rows("variants")[::3],
    *rows("perft")[::12],
    *rows("more_variants")[::9],
]


# --- what each process prints -----------------------------------------------------------------------


def position_facts(row: Row) -> Row:
    game = game_of(row)
    position = game.parse(row["fen"], legality=False)
    legal = game.moves(position)
    return {
        "fields": position.fields(),
        "fen": str(position),
        "styles": [game.write(position, style) for style in game.styles],
        "shredder": write_fen(position, ep="legal", castling="shredder"),
        "key": position.key,
        "packed": position.packed.hex(),
        "check": [d.to_dict() for d in game.check(position)],
        "moves": [[move.uci, game.write_move(position, move)] for move in legal],
        "after": [str(game.play(position, move)) for move in legal],
        "perft": game.perft(position, 2),
        "outcome": repr(game.outcome(position)),
        "repr": repr(position),
    }


def slipped(random: Random, text: str) -> str:
    """A text after one to three slips of a key."""
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text) + 1)
        cut = at + random.choice((0, 0, 1, 1, 2))
        text = text[:at] + random.choice(("", random.choice(LETTERS))) + text[cut:]
    return text


def texts() -> list[str]:
    random = Random(17)
    good = [row["fen"] for name in ("valid_fens", "variants") for row in rows(name)[::40]]
    return [row["fen"] for row in rows("invalid_fens")[::6]] + [slipped(random, text) for text in good * 4]


def move_verdict(row: Row) -> str:
    try:
        return CHESS.read_move(CHESS.parse(row["fen"]), row["san"]).uci
    except MoveError as error:
        return f"{error.kind} {error} {error.candidates}"


def results() -> Row:
    """Everything one build makes of a sample of golden and broken texts."""
    return {
        "compiled": forsyth.build_info()["compiled"],
        "positions": [position_facts(row) for row in SAMPLE],
        "readings": [
            [CHESS.read(text, mode=mode, variant=variant).to_dict() for mode in MODES for variant in READINGS]
            for text in texts()
        ],
        "rendered": [str(CHESS.read(text)) for text in texts()],
        "decoded": [None if kernel.decode(text) is None else str(kernel.decode(text)) for text in texts()],
        "read_moves": [move_verdict(row) for row in rows("san_parse")[::5]],
    }


def loaded() -> Row:
    """Where the modules of this process came from."""
    names = sorted(name for name in sys.modules if name == "forsyth" or name.startswith("forsyth."))
    everything = [
        "forsyth." + ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        for path in sorted(SOURCES.rglob("*.py"))
        if path.stem not in ("__init__", "__main__")
    ]
    found = {name: find_spec(name) for name in everything}
    return {
        "build": forsyth.build_info(),
        "loaded": {name: str(sys.modules[name].__file__) for name in names},
        "found": {name: None if spec is None else spec.origin for name, spec in found.items()},
    }


@cache
def printed(function: str, pure: bool) -> Any:
    code = f"import json; from tests.test_pure import {function} as f; print(json.dumps(f()))"
    # As this process finds its modules, wherever they are installed.
    path = os.pathsep.join([str(SOURCES.parent), str(ROOT), *sys.path])
    environment = {**os.environ, "FORSYTH_PURE": "1" if pure else "0", "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# --- the tests --------------------------------------------------------------------------------------


def test_the_pure_build_loads_every_module_from_its_source() -> None:
    facts = printed("loaded", True)
    assert facts["build"]["compiled"] is False
    assert len(facts["found"]) > 20
    assert not [name for name, file in facts["found"].items() if not str(file).endswith(".py")]
    assert not [name for name, file in facts["loaded"].items() if not file.endswith(".py")]
    assert "forsyth.games.chess.notation.kernel" in facts["loaded"]


def test_the_build_says_which_of_its_modules_are_compiled() -> None:
    for pure in (False, True):
        facts = printed("loaded", pure)
        modules = facts["build"]["modules"]
        for name, file in facts["loaded"].items():
            assert modules.get(name, False) is (not file.endswith(".py")), name
        assert facts["build"]["compiled"] is any(modules.values())
        assert facts["build"]["version"] == forsyth.__version__


@pytest.mark.slow
@pytest.mark.parametrize("part", ["positions", "readings", "rendered", "decoded", "read_moves"])
def test_both_builds_give_the_same_results(part: str) -> None:
    pure, built = printed("results", True), printed("results", False)
    assert pure["compiled"] is False
    for index, (one, other) in enumerate(zip(pure[part], built[part], strict=True)):
        assert one == other, f"{part} {index}"
    assert len(pure[part]) >= 100


def test_both_builds_give_the_golden_results() -> None:
    for pure in (True, False):
        for row, facts in zip(SAMPLE, printed("results", pure)["positions"], strict=True):
            assert facts["fen"] == row["fen"], row["id"]
            # The moves themselves, how many there are, or how many nodes they lead to.
            wanted = row["moves"] if "moves" in row else row["nodes"][0]
            if isinstance(wanted, dict):
                assert dict(facts["moves"]) == wanted, row["id"]
            else:
                assert len(facts["moves"]) == wanted, row["id"]
            if "nodes" in row:
                assert facts["perft"] == row["nodes"][1], row["id"]


def test_both_builds_give_the_golden_keys() -> None:
    wanted = [[row["key"], row["state_id"]] for row in rows("keys")]
    for pure in (True, False):
        assert printed("key_table", pure) == wanted


def key_table() -> list[list[str]]:
    """Keys and identifiers of the golden positions."""
    read = [CHESS.read(row["fen"], variant=variant_of(row)).require() for row in rows("keys")]
    return [[position.key, forsyth.state_id(str(position))] for position in read]
