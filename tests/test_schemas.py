"""Everything that is written as JSON is what its schema says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import forsyth
from forsyth.cli.app import forsyth as command_line
from forsyth.schemas import schema, schema_names

ROOT = Path(__file__).parents[1]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BROKEN = "rnbqkbnr/ppppxppp/8/44/4P3/8/PPPP1PPP/RNBQKBN b KQqk e4 0 1"
TEXTS = [
    START,
    BROKEN,
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "",
    "nonsense",
    "base64_!",
    forsyth.wrap(BROKEN, "base64"),
]
COMMANDS = {
    "reading": ["check", "--json", *TEXTS],
    "fix": ["fix", "--json", *TEXTS],
    "convert": ["convert", "--to", "url", "--json", *TEXTS],
    "moves": ["moves", "--json", *TEXTS, forsyth.game("azul").start, forsyth.game("shogi").start],
    "why": ["moves", "--json", "--why", "Ke5", *TEXTS],
    "perft": ["perft", "--depth", "2", "--json", *TEXTS],
    "detect": ["detect", "--json", *TEXTS],
    "diff": ["diff", "--json", START, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"],
    "lint": ["lint", "--json", "."],
    "scan": ["scan", "--json", "positions.txt"],
    "games": ["games", "--json", "games.pgn", "-o", "games.parquet"],
    "index": ["index", "--json", "games.pgn", "-o", "book"],
    "explore": ["explore", "--json", "--index", "book", START, BROKEN],
    "find": ["find", "--json", "--index", "book", START, BROKEN],
    "doctor": ["doctor", "--json"],
    "import": ["import", "--json", "--in", "jsonl", "--file", "saved.jsonl"],
    "export": ["export"],
}
ALSO = {
    "export": ["export", "--texts"],
    "games": ["positions", "--json", "--unique", "games.pgn", "-o", "positions.parquet"],
    "scan": ["key", "--json", "positions.txt", "-o", "keys.parquet"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    for name in ("games.pgn", "positions.txt"):
        shutil.copy(ROOT / "examples" / name, folder)
    (folder / "a.fen").write_text(f"{BROKEN}\n")
    (folder / "saved.jsonl").write_text(json.dumps({"text": START, "game": "chess", "name": "start"}) + "\n")
    return folder


@pytest.fixture(scope="module")
def written(folder: Path) -> dict[str, list[Any]]:
    """What each command writes."""
    runner = CliRunner(env={"FORSYTH_STORE": str(folder / "store.sqlite")})
    answers: dict[str, list[Any]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, arguments in [*COMMANDS.items(), *ALSO.items()]:
            result = runner.invoke(command_line, arguments)
            assert result.exit_code in (0, 1), f"{name}: {result.output}"
            answers.setdefault(name, []).extend(map(json.loads, result.stdout.splitlines()))
    return answers


def closed(part: Any) -> Any:
    """A schema that allows no field beside those that it names."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    inner = {key: closed(value) for key, value in part.items()}
    fixed = part.get("type") == "object" and "properties" in part and "additionalProperties" not in part
    return {**inner, "additionalProperties": False} if fixed else inner


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_writes_what_its_schema_says(written: dict[str, list[Any]], name: str) -> None:
    validator = jsonschema.Draft202012Validator(closed(schema(name)))
    assert written[name]
    for answer in written[name]:
        validator.validate(answer)


def test_every_schema_is_tried_and_stands_alone() -> None:
    assert set(schema_names()) == {*COMMANDS, "diagnostic", "record"}
    for name in schema_names():
        jsonschema.Draft202012Validator.check_schema(schema(name))
        assert set(references(schema(name))) == {f"#/$defs/{one}" for one in schema(name)["$defs"]}
        assert schema(name)["description"]


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for one in part:
            yield from references(one)


def test_a_diagnostic_and_a_record_are_what_their_schemas_say() -> None:
    for text in TEXTS:
        for diagnostic in forsyth.check(text).diagnostics:
            jsonschema.validate(diagnostic.to_dict(), closed(schema("diagnostic")))
    source = (ROOT / "examples" / "games.pgn").read_text(encoding="utf-8")
    for text in (source, "1. e4 e4 *", "nonsense"):
        for record in forsyth.read_records(text):
            jsonschema.validate(record.to_dict(), closed(schema("record")))


def test_the_command_prints_them() -> None:
    runner = CliRunner()
    assert runner.invoke(command_line, ["schema"]).stdout.split() == list(schema_names())
    assert json.loads(runner.invoke(command_line, ["schema", "lint"]).stdout) == schema("lint")
    assert runner.invoke(command_line, ["schema", "none"]).exit_code == 2
    with pytest.raises(ValueError, match="schema"):
        schema("none")
