"""The commands `index`, `explore` and `find`: what they print for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from forsyth.cli.app import forsyth
from forsyth.cli.commands import explore, find

RECORDS = """[Event "Club"]
[White "Anna"]
[Black "Bela"]
[WhiteElo "2400"]
[BlackElo "2300"]
[Date "2024.01.31"]

1. e4 e5 2. Nf3 Nc6 1-0

[White "Carla"]
[Black "Dora"]

1. e4 c5 0-1

[White "Emil"]
[Black "Fritz"]
[WhiteElo "1900"]

1. d4 d5 1/2-1/2
"""
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(forsyth, list(arguments), input=given)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("index")
    (folder / "games.pgn").write_text(RECORDS)
    done = run("index", str(folder / "games.pgn"), "-o", str(folder / "book"), "--material", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {
        "target": f"{folder / 'book'}/",
        "game": "chess",
        "variant": "standard",
        "games": 3,
        "plies": 11,
        "positions": 8,
        "rows": 10,
        "left_out": 0,
        "with_an_error": 0,
    }
    return str(folder / "book")


def test_the_summary_is_for_people(tmp_path: Path) -> None:
    done = run(
        "index", "-", "-o", str(tmp_path / "book"), "--game", "chess", given=RECORDS + "\n1. e4 e9 *\n"
    )
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr == (
        "chess (standard): 4 games with 13 positions; 8 different positions, 11 rows of moves; "
        "1 record with an error, indexed up to the error\n"
    )


def test_indexes_are_added_up(book: str, tmp_path: Path) -> None:
    done = run("index", "--merge", book, book, "-o", str(tmp_path / "twice"), "--json")
    assert json.loads(done.stdout)["games"] == 6
    (answer,) = map(
        json.loads, run("explore", "start", "--index", str(tmp_path / "twice"), "--json").stdout.splitlines()
    )
    assert [(one["move"], one["games"]) for one in answer["moves"]] == [("e4", 4), ("d4", 2)]
    refused = run("index", "--merge", book, book, "-o", str(tmp_path / "x"), "--game", "chess")
    assert refused.exit_code == 2
    assert "--merge" in refused.stderr


def test_moves_are_shown_with_bars(book: str) -> None:
    done = run("explore", AFTER_E4, "--index", book)
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["move", "games", "for", "Black", "rating"]
    assert lines[1] == "c5        1  50.0 %  ████████████████████████  100   0   0"
    assert lines[2] == "e5        1  50.0 %  ░░░░░░░░░░░░░░░░░░░░░░░░    0   0 100    2300"
    assert "  1. Anna (2400) - Bela (2300), 1-0, Club, 2024.01.31" in lines


def test_programs_get_json(book: str) -> None:
    done = run("explore", "start", "no text", "--index", book, "--json")
    assert done.exit_code == 1
    good, bad = map(json.loads, done.stdout.splitlines())
    assert good["ok"] is True
    assert (good["games"], good["wins"], good["draws"], good["losses"], good["ended"]) == (3, 1, 1, 1, 0)
    assert good["moves"][0] == {"move": "e4", "games": 2, "wins": 1, "draws": 0, "losses": 1, "rating": 2400}
    assert [one["game"] for one in good["latest"]] == [1, 3, 2]
    assert [one["game"] for one in good["strongest"]] == [1, 3, 2]
    assert bad == {"line": 2, "text": "no text", "ok": False}


def test_where_nobody_came(book: str) -> None:
    done = run("explore", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--index", book)
    assert done.exit_code == 0
    assert done.stdout == "no game in the index reached this position\n"


def found(*arguments: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    done = run("find", *arguments, "--json")
    assert done.exit_code == 0, done.output
    *games, counts = map(json.loads, done.stdout.splitlines())
    return games, counts


def test_games_that_reached_a_position(book: str) -> None:
    games, counts = found(AFTER_E4, "--index", book)
    assert [one["players"][0]["name"] for one in games] == ["Anna", "Carla"]
    assert counts == {"line": 1, "text": AFTER_E4, "ok": True, "games": 2, "complete": True}
    done = run("find", AFTER_E4, "--index", book, "--limit", "1")
    assert done.stdout == "1. Anna (2400) - Bela (2300), 1-0, Club, 2024.01.31\n"
    assert done.stderr == "2 games found, 1 shown\n"


def test_games_that_had_some_men(book: str) -> None:
    men = "KQRRBBNNPPPPPPPP"
    games, counts = found("--material", men + men.lower(), "--index", book)
    assert counts["games"] == len(games) == 3
    assert found("--material", "Kk", "--index", book)[1]["games"] == 0
    for arguments in (("--material", "K k"), ("--material", "Kk", AFTER_E4)):
        assert run("find", *arguments, "--index", book).exit_code == 2


@pytest.mark.parametrize("command", ["explore", "find"])
def test_what_is_no_index(command: str, tmp_path: Path) -> None:
    done = run(command, "start", "--index", str(tmp_path))
    assert done.exit_code == 2
    assert "is not an index" in done.stderr
    assert run(command, "start").exit_code == 2


def test_games_without_a_result_have_no_bar(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text("1. e4 *\n\n1. e4 e5 *\n\n1. d4 1-0\n")
    made = run("index", str(tmp_path / "games.pgn"), "--game", "chess", "-o", str(tmp_path / "book"))
    assert made.exit_code == 0, made.output
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    done = run("explore", "--index", str(tmp_path / "book"), start)
    lines = [line.rstrip() for line in done.stdout.splitlines()[:4]]
    assert [line.split() for line in lines[1:3]] == [
        ["e4", "2", "66.7", "%"],
        ["d4", "1", "33.3", "%", "█" * explore._BAR_WIDTH, "100", "0", "0"],
    ]


@pytest.mark.parametrize(
    ("games", "shown", "complete", "said"),
    [
        (0, 0, True, "no game found in the index"),
        (1, 1, True, "1 game found"),
        (2, 2, True, "2 games found"),
        (1234, 20, True, "1,234 games found, 20 shown"),
        (
            *(123456, 20, False),
            "123,456 games found, more than the index lists; the latest and the strongest are shown",
        ),
    ],
)
def test_how_many_games_had_it(games: int, shown: int, complete: bool, said: str) -> None:
    assert find._format_count(games, shown, complete) == said
