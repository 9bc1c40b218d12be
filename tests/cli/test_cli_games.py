"""Every command answers for every game, with nothing known about it but the protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import forsyth
from forsyth.cli.app import forsyth as command_line

GAMES = [forsyth.game(name) for name in forsyth.games()]
MIDGAMES = [(game, text) for game in GAMES for name, text in game.names.items() if name == "midgame"]
DASHES = (
    "----|----|----|----|BBRW/BBYYYY/-YR--|--Y-K|-W---|----Y|--K--/-----|-----|-----|WWWW-|BBBBB/-"
    "/-Y-K-|W---K|-WB--|-----|-R---/B----|RR---|RR---|B----|-----/-/8,7/3/0"
)


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Run the command line in this process, with a store of its own."""
    runner = CliRunner(env={"FORSYTH_STORE": str(tmp_path / "store.sqlite"), "COLUMNS": "80"})

    def invoke(*arguments: str) -> Result:
        return runner.invoke(command_line, list(arguments))

    return invoke


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(("game", "text"), MIDGAMES, ids=[game.name for game, _ in MIDGAMES])
def test_every_command_answers_for_every_game(run: Any, game: forsyth.Game, text: str) -> None:
    position = game.parse(text)
    (checked,) = objects(run("check", "--json", text))
    assert (checked["game"], checked["ok"], checked["canonical"]) == (game.name, True, str(position))
    assert checked["key"] == game.key(position)
    (fixed,) = objects(run("fix", "--json", text))
    assert fixed["fixed"] == str(position)
    for form in ("state", "base64", "fenz", "url"):
        wrapped = run("convert", "--to", form, text).stdout.rstrip("\n")
        (again,) = objects(run("convert", "--json", "--to", "canonical", "--form", form, wrapped))
        assert again["result"] == str(position)
    for style in game.styles:
        (styled,) = objects(run("convert", "--json", "--to", style, text))
        assert styled["result"] == game.write(position, style)
    (listed,) = objects(run("moves", "--json", text))
    assert [one["move"] for one in listed["moves"]] == [
        game.write_move(position, move) for move in game.moves(position)
    ]
    after = listed["moves"][0]["after"]
    assert after == str(game.play(position, game.moves(position)[0]))
    (counted,) = objects(run("perft", "--json", "--depth", "2", text))
    assert counted["nodes"] == [game.perft(position, 1), game.perft(position, 2)]
    (compared,) = objects(run("diff", "--json", text, after))
    assert (compared["game"], compared["same"]) == (game.name, False)
    assert compared["squares"]
    (told,) = objects(run("detect", "--json", text))
    assert told["game"] == game.name
    assert str(position) in run("show", text).stdout


@pytest.mark.parametrize("command", ["check", "fix", "detect", "moves", "show"])
def test_a_text_that_begins_with_dashes_is_no_option(run: Any, command: str) -> None:
    result = run(command, DASHES)
    assert result.exit_code == 0, result.stderr
    assert run(command, "--", DASHES).stdout == result.stdout


def test_dashes_of_options_are_still_those_of_options(run: Any) -> None:
    assert run("check", "--jsn", DASHES).exit_code == 2
    assert run("diff", DASHES, DASHES).exit_code == 0
    (answer,) = objects(run("check", "--json", DASHES))
    assert answer["text"] == DASHES
