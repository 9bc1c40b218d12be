"""The contract of the command line for programs and people: fields, exit status, inputs, errors, help."""

from __future__ import annotations

import json
import re
import signal
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

import forsyth.cli
from forsyth import draw, forms, registry
from forsyth.cli.app import COMMANDS, Terminated, _stop_on_sigterm, load_command
from forsyth.cli.app import forsyth as command_line
from forsyth.cli.bulk_options import _explain_resuming, translate_bulk_errors
from forsyth.cli.lazy_store import LazyStore
from forsyth.identity import state_id
from forsyth.store import MemoryStore, Page

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ILLEGAL = "8/8/8/8/8/8/8/8 w - - 0 1"
ODD_TEXTS = [
    "a\x00b",
    "\ud800",
    "two\nlines",
    "tab\there",
    "\x1b[31mred",
    "",
    " ",
    "é – 王",
    "\u2028",
    "\U0001f600",
]


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Run the command line in this process, with a store of its own."""
    runner = CliRunner(env={"FORSYTH_STORE": str(tmp_path / "store.sqlite"), "COLUMNS": "80"})

    def invoke(*arguments: str, given: str | bytes | None = None) -> Result:
        result = runner.invoke(command_line, list(arguments), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return invoke


def installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- the fields of the contract -------------------------------------------------------------------


FIELDS = {
    ("check",): "line text game variant form ok canonical state_id key diagnostics",
    ("fix",): "line text game variant ok fixed diagnostics",
    ("convert", "--to", "fenz"): "line text game variant ok result diagnostics",
    ("moves",): "line text game variant ok moves",
    ("perft", "--depth", "2"): "line text game variant nodes",
    ("detect",): "line text game variant form confidence",
}


@pytest.mark.parametrize("command", FIELDS, ids=" ".join)
@pytest.mark.parametrize("text", [START, BROKEN, ILLEGAL, "", "nonsense", *ODD_TEXTS])
def test_every_object_has_exactly_the_fields_of_the_contract(
    run: Any, command: tuple[str, ...], text: str
) -> None:
    result = run(*command, "--json", "--in", "jsonl", given=json.dumps(text) + "\n")
    (answer,) = objects(result)
    assert list(answer) == FIELDS[command].split()
    assert answer["line"] == 1
    assert answer["text"] == text
    assert result.exit_code in (0, 1)


def test_diff_has_exactly_the_fields_of_the_contract(run: Any) -> None:
    result = run("diff", "--json", START, AFTER_E4)
    (answer,) = objects(result)
    assert list(answer) == ["game", "variant", "same", "fields", "squares"]
    assert answer["game"] == "chess"
    assert answer["same"] is False
    assert {"field": "side", "a": "w", "b": "b"}.keys() == answer["fields"][0].keys()
    assert {change["square"] for change in answer["squares"]} == {"e2", "e4"}


def test_diagnostic_fields(run: Any) -> None:
    (answer,) = objects(run("check", "--json", BROKEN))
    for finding in answer["diagnostics"]:
        assert list(finding) == [
            "code",
            "family",
            "severity",
            "stage",
            "field",
            "span",
            "square",
            "message",
            "fix",
        ]
        if finding["fix"] is not None:
            assert list(finding["fix"]) == ["span", "replacement", "confidence"]
    assert any(finding["fix"] for finding in answer["diagnostics"])


def test_check_answers_with_canonical_text_identifier_and_key(run: Any) -> None:
    (answer,) = objects(run("check", "--json", START))
    assert answer["ok"] is True
    assert answer["canonical"] == START
    assert answer["state_id"] == state_id(START)
    assert re.fullmatch("[0-9a-f]{32}", answer["key"])
    assert (answer["game"], answer["form"], answer["diagnostics"]) == ("chess", "plain", [])


def test_moves_have_their_facts(run: Any) -> None:
    (answer,) = objects(run("moves", "--json", START))
    by_name = {move["move"]: move for move in answer["moves"]}
    assert len(by_name) == 20
    assert list(by_name["e4"]) == ["move", "lan", "from", "to", "flags", "captured", "after"]
    assert (by_name["e4"]["from"], by_name["e4"]["to"], by_name["e4"]["after"]) == ("e2", "e4", AFTER_E4)


def test_moves_and_nodes_of_a_position_that_is_not_ok_are_empty(run: Any) -> None:
    moves = run("moves", "--json", ILLEGAL)
    assert objects(moves)[0]["moves"] == []
    nodes = run("perft", "--json", "--depth", "2", ILLEGAL)
    assert objects(nodes)[0]["nodes"] == []
    assert "error[" in nodes.stderr
    assert (moves.exit_code, nodes.exit_code) == (1, 1)
    # The fields have no room for the reason, so it is told beside them.
    why = run("moves", "--json", "--why", "e4", ILLEGAL)
    assert all("error[king.missing]" in result.stderr for result in (moves, nodes, why))


def test_perft_counts_every_depth(run: Any) -> None:
    assert objects(run("perft", "--json", "--depth", "3", START))[0]["nodes"] == [20, 400, 8902]


# --- exit status ----------------------------------------------------------------------------------


def test_exit_status_says_whether_all_texts_are_ok(run: Any) -> None:
    assert run("check", START).exit_code == 0
    assert run("check", START, BROKEN).exit_code == 1
    assert run("check", ILLEGAL).exit_code == 1
    assert run("detect", "nonsense").exit_code == 1
    assert run("show", BROKEN).exit_code == 1


def test_exit_status_of_diff(run: Any) -> None:
    assert run("diff", START, START).exit_code == 0
    assert run("diff", START, AFTER_E4).exit_code == 1
    for texts, name in (((START, BROKEN), "B"), ((BROKEN, START), "A"), ((BROKEN, BROKEN), "A")):
        unreadable = run("diff", *texts)
        assert unreadable.exit_code == 2
        assert unreadable.stdout == ""
        assert unreadable.stderr.startswith(f"{name}:\n")
        assert f"text {name} cannot be read" in unreadable.stderr
        assert "error[" in unreadable.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--game", "checkers", START], ["'checkers'", "chess"]),
        (["check", "--variant", "upside-down", START], ["'upside-down'", "standard"]),
        (["check", "--profile", "sead", START], ["--profile: no game has a profile 'sead'", "seed"]),
        (["check", "--game", "azul", "--profile", "seed", START], ["azul has no profile 'seed'"]),
        (["moves", "--game", "chess", "--variant", "upside-down", START], ["'upside-down'", "standard"]),
        (["convert", "--to", "morse", START], ["'morse'", "canonical", "fenz"]),
        (["convert", START], ["--to"]),
        (["check", "--file", "no/such/file.txt"], ["no/such/file.txt", "check its path"]),
        (["check", "--file", "."], ["directory"]),
        (["check", "--mode", "kind", START], ["kind", "lenient"]),
        (["perft", "--depth", "13", START], ["12"]),
        (["perft", "--depth", "2", "--divide", "--json", START], ["--divide"]),
        (["show", "--svg", "x.svg", START, START], ["one text"]),
        (["chek"], ["unknown command 'chek'", "did you mean 'check'?"]),
        (["xyzzy"], ["unknown command 'xyzzy'", "--help"]),
        ([START], ["unknown command", "forsyth check"]),
    ],
    ids=lambda value: " ".join(value[:3]),
)
def test_wrong_usage_exits_2_and_names_the_place_and_the_remedy(
    run: Any, arguments: list[str], words: list[str]
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert all(word in result.stderr for word in words), result.stderr


def test_the_profile_of_a_source_document(run: Any) -> None:
    late = f"{START[:-3]}101 1"
    assert run("check", late, ILLEGAL).exit_code == 1
    result = run("check", "--profile", "seed", "--json", late, ILLEGAL)
    refused, empty = objects(result)
    assert (refused["game"], refused["ok"], empty["ok"]) == ("chess", False, True)
    assert refused["diagnostics"][0]["message"] == "Error in FEN Part 5: Half-move clock"


READING = {
    "check": ("?",),
    "fix": ("?",),
    "convert": ("--to", "canonical", "?"),
    "moves": ("?",),
    "perft": ("--depth", "1", "?"),
    "show": ("?",),
    "draw": ("?",),
    "play": ("?",),
    "diff": ("?", "?"),
    "import": ("--store", "kept.sqlite", "?"),
}
"""The commands that read a text as one of a game, and how each is given it."""


def test_every_command_that_chooses_a_variant_of_texts_takes_the_profile() -> None:
    options = {name: {one.name for one in load_command(name).params} for name in COMMANDS}
    assert {name for name, known in options.items() if {"variant", "form"} <= known} == set(READING)
    assert all("profile" in options[name] for name in READING)


@pytest.mark.parametrize("command", READING)
def test_the_profile_decides_in_every_command(run: Any, command: str) -> None:
    short, late = START.replace("RNBQKBNR", "RNBQKBN"), f"{START[:-3]}101 90"

    def ok(text: str, *options: str) -> bool:
        words = (text if word == "?" else word for word in READING[command])
        return bool(run(command, *options, *words).exit_code == 0)

    assert (ok(short, "--profile", "seed"), ok(late, "--profile", "seed")) == (True, False)
    assert (ok(short), ok(late)) == (False, True)


# --- what the commands do -------------------------------------------------------------------------


def test_check_for_people(run: Any) -> None:
    assert run("check", START).stdout == f"ok  {START}\n"
    assert run("check", BROKEN).stdout.startswith("error[")
    both = run("check", START, BROKEN)
    assert both.stdout.startswith(f"line 1: ok  {START}\nline 2:\nerror[")
    assert both.stderr == "2 texts: 1 ok, 1 not ok\n"


def test_what_is_inside_a_wrapped_text_is_shown(run: Any) -> None:
    wrapped = forsyth.wrap(BROKEN, "base64")
    shown = run("check", "--game", "chess", wrapped).stdout.splitlines()
    assert shown[0].startswith("error[base64.payload]: ")
    assert shown[3].startswith("  inside: error[")
    (answer,) = objects(run("check", "--json", "--game", "chess", wrapped))
    (found,) = answer["diagnostics"]
    assert found["unwrapped"] == BROKEN
    assert found["inside"] == [d.to_dict() for d in forsyth.check(BROKEN, "chess").diagnostics]


def test_fix_all_does_what_single_fixes_do(run: Any) -> None:
    rows = "-----|-----|-----|-----|-----"
    board = f"{rows}/{rows}".replace("-----", "--B--", 1).replace("/-----", "/RB---", 1)
    text = forsyth.game("azul").start.replace(f"{rows}/{rows}", board, 1)
    fixed = run("fix", "--try", "guess", text)
    assert "/--R--|" in fixed.stdout
    assert "warning[wall.placement]" in fixed.stderr
    assert fixed.exit_code == 1


def test_mode_reaches_the_reader(run: Any) -> None:
    four_parts = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    assert run("check", four_parts).exit_code == 0
    assert run("check", "--mode", "strict", four_parts).exit_code == 1


def test_fix_pipes_the_text_and_reports_every_repair(run: Any) -> None:
    result = run("fix", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –")
    assert result.stdout == START + "\n"
    assert all(code in result.stderr for code in ("warning[side.value]", "warning[fen.dash]"))
    assert result.exit_code == 0


def test_fix_refuses_what_it_cannot_make_out(run: Any) -> None:
    result = run("fix", "--game", "chess", "nonsense")
    assert result.stdout == ""
    assert "error[" in result.stderr
    assert result.exit_code == 1
    (answer,) = objects(run("fix", "--json", "--game", "chess", "nonsense"))
    assert answer["fixed"] is None
    assert answer["ok"] is False


@pytest.mark.parametrize("form", ["plain", "state", "base64", "fenz", "url"])
def test_convert_and_back(run: Any, form: str) -> None:
    wrapped = run("convert", "--to", form, AFTER_E4).stdout.rstrip("\n")
    assert forms.guess_form(wrapped) == form
    assert run("convert", "--to", "canonical", "--form", form, wrapped).stdout == AFTER_E4 + "\n"


def test_convert_to_every_style_of_the_game(run: Any) -> None:
    game = registry.game("chess")
    for style in game.styles:
        (answer,) = objects(run("convert", "--json", "--to", style, START))
        assert answer["result"] == game.write(game.parse(START), style)


def test_a_state_text_is_resolved_through_the_store_alone(run: Any, tmp_path: Path) -> None:
    unknown = run("check", "--json", state_id(START))
    assert objects(unknown)[0]["diagnostics"][0]["code"] == "hash.unknown"
    assert not (tmp_path / "store.sqlite").exists()
    elsewhere = str(tmp_path / "other.sqlite")
    missing = run("check", "--store", elsewhere, state_id(START))
    assert missing.exit_code == 2
    assert elsewhere in missing.stderr
    run("convert", "--to", "state", "--store", elsewhere, START)
    (answer,) = objects(run("check", "--json", "--store", elsewhere, state_id(START)))
    assert (answer["canonical"], answer["form"], answer["game"]) == (START, "state", "chess")


def test_a_file_that_is_no_store_is_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a store\n" * 100)
    result = run("check", "--store", str(tmp_path / "notes.txt"), state_id(START))
    assert result.exit_code == 2
    assert "notes.txt" in result.stderr
    assert "--store" in result.stderr


def test_a_state_text_is_of_the_game_that_the_store_knows(run: Any) -> None:
    text = run("convert", "--to", "state", START).stdout.strip()
    assert run("detect", text).stdout == "chess  state  1.00\n"
    assert json.loads(run("detect", "--json", text).stdout) == {
        "line": 1,
        "text": text,
        "game": "chess",
        "variant": "standard",
        "form": "state",
        "confidence": 1.0,
    }


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_draw_writes_a_picture_of_dots(run: Any, tmp_path: Path, theme: str) -> None:
    file = tmp_path / "x.PNG"
    how = ("--size", "90", "--theme", theme, "--flip", "--arrow", "e2e4", "--coordinates", "none")
    assert run("draw", "-o", str(file), *how, START).exit_code == 0
    position = registry.game("chess").parse(START)
    expected = draw.png(
        position,
        size=90,
        theme="dark" if theme == "dark" else "light",
        flip=True,
        arrows=["e2e4"],
        coordinates="none",
    )
    assert file.read_bytes() == expected


@pytest.mark.parametrize("command", [("draw", "-o"), ("show", "--png")])
def test_without_its_extra_no_picture_is_written(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError) as caught:
        draw.png(registry.game("chess").parse(START))
    result = run(*command, str(tmp_path / "x.png"), START)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {caught.value}\n"
    assert list(tmp_path.iterdir()) == []


def test_a_conversion_to_state_needed_a_store(run: Any, tmp_path: Path) -> None:
    broken = tmp_path / "store.sqlite"
    broken.write_bytes(b"this is no store" * 99)
    identifier = state_id(START)
    result = run("convert", "--to", "state", "--game", "chess", START, START)
    assert (result.exit_code, result.stdout) == (0, f"{identifier}\n{identifier}\n")
    assert result.stderr.count("warning: identifiers cannot be read later") == 1
    named = run("convert", "--to", "state", "--store", str(broken), START)
    assert (named.exit_code, named.stdout) == (2, f"{identifier}\n")
    assert "cannot be used as a store" in named.stderr
    assert broken.read_bytes() == b"this is no store" * 99


def test_what_the_library_refuses_ends_an_import_or_an_export(run: Any, tmp_path: Path) -> None:
    assert run("convert", "--to", "state", START).exit_code == 0
    result = run("export", "--query", "x" * 5000)
    assert (result.exit_code, result.stdout) == (2, "")
    with pytest.raises(ValueError) as caught:
        MemoryStore().search(query="x" * 5000)
    assert result.stderr == f"Error: {caught.value}\n"
    line = json.dumps({"text": START, "name": "x" * 5000})
    result = run("import", "--in", "jsonl", given=line)
    with pytest.raises(ValueError) as caught:
        MemoryStore().save(START, "chess", "x" * 5000)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: {caught.value}; the batches before this error are in the store\n"


def test_show_draws_the_board_and_marks_the_findings(run: Any) -> None:
    assert START in run("show", START).stdout
    lonely = run("show", "--mode", "lenient", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert lonely.exit_code == 1
    assert "error[" in lonely.stdout
    assert "[" in lonely.stdout.split("error[")[0]


def test_show_writes_pictures(run: Any, tmp_path: Path) -> None:
    result = run("show", "--svg", str(tmp_path / "x.svg"), "--png", str(tmp_path / "x.png"), START)
    assert (result.stdout, result.exit_code) == ("", 0)
    assert 'data-square="e4"' in (tmp_path / "x.svg").read_text()
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert run("show", "--svg", "-", START).stdout.startswith("<svg")
    marked = run("show", "--svg", "-", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert "a pawn on a8" in marked.stdout
    assert marked.exit_code == 1
    flipped = run("show", "--flip", "--svg", "-", START).stdout
    assert flipped != (tmp_path / "x.svg").read_text()


def test_show_says_where_a_picture_cannot_be_written(run: Any, tmp_path: Path) -> None:
    result = run("show", "--svg", str(tmp_path / "none" / "x.svg"), START)
    assert result.exit_code == 2
    assert "x.svg" in result.stderr


def test_moves_for_people(run: Any) -> None:
    words = run("moves", START).stdout.split()
    assert len(words) == 20
    assert "Nf3" in words
    mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    assert "no legal moves: 0-1 (checkmate)" in run("moves", mate).stdout


def test_perft_for_people(run: Any) -> None:
    assert "8,902" in run("perft", "--depth", "3", START).stdout
    divided = run("perft", "--depth", "2", "--divide", START).stdout.splitlines()
    assert "e4: 20" in divided
    assert divided[-1] == "total: 400"


def test_diff_for_people_shows_boards_fields_and_squares(run: Any) -> None:
    out = run("diff", START, AFTER_E4).stdout
    assert re.search(r"^A +B$", out, re.MULTILINE)
    assert re.search(r"^side +w +b$", out, re.MULTILINE)
    assert re.search(r"^e4 +- +P$", out, re.MULTILINE)
    assert run("diff", START, START).stdout == f"the same position: {START}\n"


def test_detect_for_people(run: Any) -> None:
    assert run("detect", START).stdout.split()[:2] == ["chess", "plain"]
    assert run("detect", "start").stdout.split()[:2] == ["unknown", "name"]


def test_doctor(run: Any) -> None:
    result = run("doctor", "--json")
    (facts,) = objects(result)
    assert list(facts) == ["version", "python", "compiled", "modules", "extras", "store", "games"]
    assert facts["extras"]["cli"]["click"]
    assert facts["store"]["path"].endswith("store.sqlite")
    assert facts["store"]["exists"] is False
    assert "chess" in [game["name"] for game in facts["games"]]
    words = run("doctor").stdout
    assert facts["version"] in words
    assert "pip install 'forsyth[" in words or all(all(found.values()) for found in facts["extras"].values())


def test_doctor_names_what_the_extras_ask_for(run: Any) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {
        extra: {re.split(r"[\[<>=;~! ]", one)[0].replace("-", "_") for one in wanted}
        for extra, wanted in project["project"]["optional-dependencies"].items()
    }
    (facts,) = objects(run("doctor", "--json"))
    for extra, found in facts["extras"].items():
        assert found.keys() <= asked[extra]
        assert found == {name: installed(name) for name in found}


def test_doctor_for_people(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[dict[str, Any]] = [
        {"name": "a", "title": "A game", "variants": ["one", "two"], "problem": None},
        {"name": "b", "title": None, "variants": [], "problem": "ValueError: no"},
    ]
    facts = {
        "version": "1.2",
        "python": "CPython 3",
        "compiled": True,
        "modules": {"x": True, "z": False, "y": False},
        "extras": {"cli": {"click": "8", "rich": "13"}, "png": {"resvg_py": None}},
        "store": {"path": "place", "exists": True},
        "games": games,
    }
    monkeypatch.setattr("forsyth.cli.commands.doctor._describe_installation", lambda: facts)
    said = [
        "version  1.2",
        "python   CPython 3",
        "build    compiled, except y, z",
        "extra    cli (click 8, rich 13)",
        "extra    png (resvg_py missing): pip install 'forsyth[png]'",
        "store    place (exists)",
        "game     a: A game (one, two)",
        "game     b cannot be loaded (ValueError: no); reinstall or remove its package",
    ]
    assert run("doctor").stdout.splitlines() == said
    facts |= {"modules": {"x": True}, "store": {"path": "place", "exists": False}}
    assert run("doctor").stdout.splitlines()[2] == "build    compiled"
    assert "store    place (not created yet)" in run("doctor").stdout.splitlines()
    facts |= {"compiled": False}
    assert run("doctor").stdout.splitlines()[2] == "build    pure Python"


def test_version(run: Any) -> None:
    result = run("--version")
    assert re.fullmatch(r"forsyth \d+\.\d+\S*\n", result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")


# --- the house rules of the command line ----------------------------------------------------------


def test_every_command_of_the_design_is_there() -> None:
    texts = ["check", "fix", "lint", "convert", "show", "draw", "moves", "play", "perft", "diff", "detect"]
    files = ["scan", "normalise", "key", "dedupe", "filter", "pack", "unpack", "features", "planes"]
    files += ["material", "apply", "sample", "split"]
    records = ["games", "positions", "index", "explore", "find"]
    names = [*texts, *files, *records, "import", "export", "serve", "schema", "doctor"]
    assert [load_command(name).name for name in COMMANDS] == names


@pytest.mark.parametrize(
    "command", [*map(load_command, COMMANDS), command_line], ids=lambda one: str(one.name)
)
def test_help_explains_every_option_and_ends_with_an_example(run: Any, command: click.Command) -> None:
    arguments = [] if command is command_line else [str(command.name)]
    shown = run(*arguments, "--help").stdout
    _, found, last = shown.rpartition("\n  Example:\n")
    assert found
    assert last.startswith("    forsyth ")
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{command.name} {parameter.name} has no help"


def test_help_says_what_is_kept_for_resume_and_which_formats_there_are(run: Any) -> None:
    shown = {
        name: " ".join(run(name, "--help").stdout.split()) for name in ("key", "games", "positions", "index")
    }
    kept = "A run stopped with Ctrl-C or SIGTERM can only be resumed if it was started with --resume."
    assert [name for name, text in shown.items() if kept not in text] == []
    assert [name for name, text in shown.items() if ", .zst or .bz2." not in text] == []
    for name in ("games", "positions"):
        assert "text or npy; games also pgn, positions also epd." in shown[name]


@pytest.mark.parametrize("command", [*map(load_command, COMMANDS)], ids=lambda one: str(one.name))
def test_help_examples_use_options_that_exist(command: click.Command) -> None:
    known = {option for parameter in command.params for option in parameter.opts}
    assert command.epilog
    assert set(re.findall(r"(?<= )--[a-z]+", command.epilog)) <= known


def test_without_click_one_sentence_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(forsyth.cli, "find_spec", lambda name: None)
    assert forsyth.cli.main(["check", START]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "pip install 'forsyth[cli]'" in err


def test_main_returns_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert forsyth.cli.main(["check", START]) == 0
    assert forsyth.cli.main(["check", BROKEN]) == 1
    assert forsyth.cli.main(["check", "--game", "checkers", START]) == 2
    assert "checkers" in capsys.readouterr().err


def test_the_command_line_knows_no_game_by_name() -> None:
    for path in Path(forsyth.cli.__file__).parent.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            named = any(name in line for name in registry.BUILT_IN)
            assert not named or line.strip().startswith('"forsyth '), f"{path.name}:{number}: {line}"


def test_a_store_of_the_command_line_is_made_when_something_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.sqlite"
    monkeypatch.setenv("FORSYTH_STORE", str(path))
    with LazyStore() as lazy:
        assert (len(lazy), list(lazy), lazy.initial("chess"), lazy.get("state_x")) == (0, [], None, None)
        assert (lazy.saved("x"), lazy.change("x", name="y"), lazy.forget("x")) == (None, None, False)
        assert (lazy.search(), list(lazy.entries()), list(lazy.all_saved())) == (Page((), None, 0), [], [])
        assert not path.exists()
        id = lazy.set_initial("chess", START)
        assert path.exists()
        assert (len(lazy), list(lazy), lazy.initial("chess")) == (1, [id], START)
        saved = lazy.save(START, "chess", "One", ["a"], "note")
        assert lazy.change(saved.id, name="Two", tags=["b"], note="n") == lazy.saved(saved.id)
        found = lazy.search("chess", "b", "Two", 1)
        assert [(one.name, one.tags, one.note) for one in found.positions] == [("Two", ("b",), "n")]
        assert (lazy.forget(saved.id), lazy.forget(saved.id)) == (True, False)
    with LazyStore(str(tmp_path / "none.sqlite")) as chosen, pytest.raises(click.ClickException) as caught:
        len(chosen)
    where = tmp_path / "none.sqlite"
    assert caught.value.message == (
        f"--store: there is no store at {where}; check the path, "
        f"or create the store by storing a text: forsyth convert --to state --store {where} TEXT"
    )


def test_a_job_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, said in (("polars", "polars"), (None, "pyarrow")):
        with pytest.raises(click.ClickException) as caught, translate_bulk_errors():
            raise ImportError(name=name)
        assert (
            caught.value.message == f"this command needs {said}; install it with: pip install 'forsyth[bulk]'"
        )
        assert caught.value.exit_code == 2


@pytest.mark.parametrize("resume", [True, False])
def test_a_job_that_is_stopped_says_how_to_go_on(resume: bool, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(Terminated), _stop_on_sigterm(), _explain_resuming(resume=resume):
        signal.raise_signal(signal.SIGTERM)
    said = "stopped; the finished parts are kept: run the same command again to resume\n" if resume else ""
    assert capsys.readouterr() == ("", said)
    assert signal.getsignal(signal.SIGTERM) is before


def test_what_is_exported_can_be_imported_again(run: Any, tmp_path: Path) -> None:
    texts = {
        "crazyhouse": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "3check": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
        **{name: forsyth.game(name).start for name in forsyth.games()},
    }
    lines = "".join(json.dumps({"text": text, "name": name}) + "\n" for name, text in texts.items())
    for turn in range(2):
        store = str(tmp_path / f"{turn}.sqlite")
        result = run("import", "--store", store, "--in", "jsonl", given=lines)
        assert (result.exit_code, result.stderr) == (
            0,
            f"0 stored without a name, {len(texts)} saved in the library, 0 could not be read\n",
        )
        lines = run("export", "--store", store).stdout
        found = [json.loads(line) for line in lines.splitlines()]
        assert {one["name"]: one["text"] for one in found} == texts
        for one in found:
            assert run("check", one["state_id"], "--store", store).exit_code == 0
    for game, sentence in (
        ("nope", "line 1: there is no game 'nope'"),
        (5, "line 1: the field game is 5, expected a string; correct the line"),
    ):
        wrong = json.dumps({"text": texts["chess"], "game": game})
        result = run("import", "--store", store, "--in", "jsonl", given=wrong)
        assert result.exit_code == 2
        assert sentence in result.stderr
