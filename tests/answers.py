"""What the command line and the service answer, as it is kept: tests/golden/answers/README.md says what for.

`python -m tests.answers` writes it anew, for a change that is meant; read the difference before it is kept.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
from click.testing import CliRunner
from starlette.testclient import TestClient

import forsyth
from forsyth.abilities import position_to_data
from forsyth.cli.app import forsyth as command_line
from forsyth.identity import state_id
from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

FOLDER: Final = Path(__file__).parent / "golden" / "answers"
GAMES: Final = ("chess", "cotulenh", "azul", "xiangqi", "shogi")
BASE: Final = "/api/v1"

_VERSION: Final = forsyth.build_info()["version"]
_START: Final = forsyth.game("chess").start
_AFTER: Final = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
_BROKEN: Final = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR W KQkq –"
_ILLEGAL: Final = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"
_MATE: Final = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
_OF_VARIANTS: Final = ("4k3/8/8/8/8/8/8/4K2R w K - 2+3 0 1", "4k3/8/8/8/8/8/8/4K2R[Pq] w K - 0 1")
_TWO: Final = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
_OFFER: Final = forsyth.game("azul").names["midgame"]


def _end_of_a_round() -> tuple[str, str, str]:
    """A position of Azul with one tile to take, the move that takes it, and the position after it."""
    azul = forsyth.game("azul")
    position = azul.parse(azul.start)
    while True:
        move = azul.moves(position)[0]
        after = azul.play(position, move)
        if not azul.moves(after):
            return azul.write(position), azul.write_move(position, move), azul.write(after)
        position = after


_LAST, _LAST_MOVE, _SCORED = _end_of_a_round()

FILES: Final = {
    "texts.txt": f"# a comment\n{_START}\n\n{_BROKEN}\n{_ILLEGAL}\n",
    "texts.jsonl": json.dumps(_START) + "\n" + json.dumps({"text": _AFTER}) + "\n",
    "bad.jsonl": json.dumps(_START) + "\n5\n",
    "odd.jsonl": "\n" + "[" * 100_000 + "\n",
    "two.csv": f"fen\n{_ILLEGAL}\n{_START} \n",
    "clean.csv": f"fen\n{_START}\n{_AFTER}\n",
    "lines.epd": '4k3/8/8/8/8/8/8/4K3 w - - id "one";\n',
    "notes.md": f"# Notes\n\n```fen\n{_START} \n{_BROKEN}\n{_ILLEGAL}\n```\n",
    "mend.fen": f"{_START} \n4k3/8/8/8/8/8/8/4K3 W - - 0 1\n{_START.replace(' - ', ' – ')}\n",
    "saved.jsonl": "\n".join(
        json.dumps(one)
        for one in (
            {"text": _AFTER, "name": "One", "tags": ["a"], "note": "n"},
            {"text": _TWO},
            {"text": _BROKEN, "name": "x"},
            _OFFER,
        )
    )
    + "\n",
    "games.pgn": (
        '[Event "Club"]\n[White "Anna"]\n[Black "Bela"]\n[WhiteElo "2400"]\n[Date "2024.01.31"]\n\n'
        '1. e4 e5 2. Nf3 1-0\n\n[White "Carla"]\n[Black "Dora"]\n\n1. e4 c5 0-1\n\n'
        '[White "Emil"]\n[Black "Fritz"]\n\n1. e4 e5 1/2-1/2\n\n[White "Gert"]\n\n1. d4 *\n'
    ),
    "rows.csv": f"fen,id\n{_START},1\n{_BROKEN},2\n{_ILLEGAL},3\n,4\n{_AFTER},5\n{_START} ,6\n",
}
"""What lies in the directory in which the commands are run."""

Command = tuple[list[str], str]
"""A command and what it is given on standard input."""


def _commands() -> Iterator[Command]:
    for game in GAMES:
        rules = forsyth.game(game)
        later, end = rules.names["midgame"], rules.names["endgame"]
        yield ["show", "--game", game, later], ""
        yield ["moves", later], ""
        yield ["check", "--json", "--game", game, "start"], ""
        yield ["detect", later], ""
        yield ["diff", "--game", game, "start", later], ""
        yield ["diff", "--json", later, end], ""
        yield ["perft", "--game", game, "--depth", "1", "--divide", "endgame"], ""
        yield ["play", "--game", game, "--flip"], "help\nmoves\nnonsense\nquit\n"
        for style in rules.styles:
            yield ["convert", "--to", style, later], ""
    for text in (_START, _BROKEN, _ILLEGAL, "nonsense", ""):
        for command in (["check"], ["fix"], ["fix", "--try", "guess"], ["detect"], ["moves"], ["show"]):
            yield [*command, text], ""
        for command in (["check"], ["fix"], ["detect"], ["moves"], ["convert", "--to", "fenz"]):
            yield [*command, "--json", text], ""
        yield ["perft", "--json", "--depth", "2", text], ""
        yield ["check", "--mode", "strict", text], ""
        yield ["check", "--mode", "lenient", text], ""
    for text in _OF_VARIANTS:
        for verb in ("check", "fix", "moves", "show", "detect"):
            yield [verb, text], ""
        yield ["check", "--game", "chess", text], ""
        yield ["moves", "--game", "chess", text], ""
        yield ["convert", "--game", "chess", "--to", "canonical", text], ""
    yield from (([*words], "") for words in _WORDS)
    yield ["check"], f"{_START}\n{_BROKEN}\n"
    yield ["play"], "e4\ne5\nundo\nredo\nundo\nundo\nundo\nredo\nredo\nredo\nfen\nflip\nnew\n\nquit\n"
    yield ["play", _TWO], "Nd2\nsave\nsave none/x\nsave texts.txt\nsave new.txt\nNbd2\n"
    yield ["play", _MATE], "moves\n"
    yield ["play", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80"], "Ra2\n"
    yield ["play", _ILLEGAL], ""
    yield ["play", _LAST], f"{_LAST_MOVE}\nmoves\nquit\n"


_WORDS: Final = (
    ("moves", _MATE),
    ("moves", "--game", "chess", "--variant", "chess960", "start"),
    ("diff", _START, _START),
    ("diff", _START, _BROKEN),
    ("diff", _BROKEN, _START),
    ("diff", _START, _OFFER),
    ("check", "texts.txt"),
    ("check", "--file", "texts.txt"),
    ("check", "--file", "none.txt"),
    ("check", "--file", "."),
    ("check", "--in", "jsonl", "--file", "texts.jsonl"),
    ("check", "--in", "jsonl", "--file", "bad.jsonl"),
    ("check", "--in", "jsonl", "--file", "texts.txt"),
    ("check", "--file", "lines.epd"),
    ("fix", "--file", "texts.txt"),
    ("moves", "--file", "texts.txt"),
    ("check", "--game", "checkers", _START),
    ("check", "--variant", "sideways", _START),
    ("check", "--game", "chess", "--variant", "sideways", _START),
    ("check", "--profile", "none", _START),
    ("check", "--game", "chess", "--profile", "seed", _BROKEN),
    ("convert", "--to", "nothing", _START),
    ("convert", "--to", "url", _START, _BROKEN),
    ("convert", "--to", "state", _START),
    ("convert", "--to", "epd", _BROKEN),
    ("check", "state_" + "a" * 52),
    ("check", "fenz_x"),
    ("check", "--in", "jsonl", "--file", "odd.jsonl"),
    ("check", "--store", "none.sqlite", "state_" + "a" * 52),
    ("detect", "state_" + "a" * 52),
    ("detect", "--json", forsyth.wrap(_START, "base64")),
    ("detect", _START, "nonsense"),
    ("convert", "--to", "standard", _SCORED),
    ("convert", "--to", "epd", "--game", "chess", "--variant", "crazyhouse", "start"),
    ("convert", "--json", "--to", "shredder", "--game", "chess", "--variant", "crazyhouse", "start"),
    ("diff", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"),
    ("diff", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 5 9"),
    ("moves", _SCORED),
    ("moves", "--json", _SCORED),
    ("show", "--svg", "x.svg", _START, _AFTER),
    ("show", "--svg", "-", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"),
    ("show", "--svg", "-", "--theme", "dark", "--flip", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"),
    ("show", "--file", "texts.txt"),
    ("show", "texts.txt"),
    ("show", "--png", "x.png", "nonsense"),
    ("perft", "--depth", "0", _START),
    ("perft", "--depth", "13", _START),
    ("perft", "--depth", "1", "--divide", "--json", _START),
    ("show", "--look", "clouds", _START),
    ("show", "--svg", "none/x.svg", _START),
    ("scan", "rows.csv"),
    ("scan", "rows.csv", "--json"),
    ("scan", "rows.csv", "--json", "-o", "scan.csv"),
    ("scan", "clean.csv", "--report", "clean.html"),
    ("scan", "two.csv", "--game", "chess", "--variant", "chess960", "--report", "two.html"),
    ("detect", "--game", "chess", _START),
    ("detect", "--mode", "strict", _START),
    ("diff", "--file", "texts.txt", _START, _START),
    ("play", "--json"),
    ("fix", "--mode", "strict", _START),
    ("key", "rows.csv", "--json", "-o", "keys.jsonl"),
    ("key", "rows.csv", "-o", "keys.jsonl"),
    ("scan", "rows.csv", "--report", "report.html"),
    ("scan", "rows.csv", "--report", "report.txt"),
    ("normalise", "rows.csv", "-o", "normal.csv"),
    ("key", "rows.csv", "-o", "keys.csv"),
    ("features", "rows.csv", "-o", "features.csv"),
    ("sample", "rows.csv", "--fraction", "0.5", "-o", "sample.csv"),
    ("split", "rows.csv", "-o", "split.csv"),
    ("dedupe", "rows.csv", "-o", "dedupe.csv"),
    ("pack", "rows.csv", "-o", "packed.jsonl"),
    ("scan", "rows.csv", "--column", "none"),
    ("scan", "none.csv"),
    ("scan", "texts.unknown"),
    ("nothing",),
    ("draw", "--game", "chess", "start", "-o", "x.gif"),
    ("draw", "--game", "chess", "start", "start"),
    ("draw", "--game", "chess", "--note", "e4", "start"),
    ("draw", "--game", "chess", "--animate", "e4 e9", "start"),
    ("draw", "--game", "chess", "--animate", "e4", "-o", "x.png", "start"),
    ("draw", "--game", "chess", "--animate", "e4 e5", "--seconds", "0.5", "start"),
    ("draw", "--game", "chess", "--arrow", "e2", "start"),
    ("draw", "--game", "chess", "--circle", "e2:x", "start"),
    (
        "draw",
        "--game",
        "chess",
        "--arrow",
        "e2e4:red",
        "--note",
        "e4=here",
        "--last",
        "e4",
        "--check",
        "start",
    ),
    ("draw", "--highlight", "e4", "--coordinates", "inside", "--no-captions", "--size", "100", _MATE),
    ("draw", "--look", "letters", "--board", "green", "--theme", "dark", "--flip", _MATE),
    ("draw", "nonsense"),
    ("draw", "-o", "none/x.svg", _START),
    ("moves", "--why", "e2e5", _START),
    ("moves", "--why", "e2e4", _START),
    ("moves", "--json", "--why", "e2e5", _START),
    ("moves", "--json", "--why", "e2e4", _START),
    ("moves", "--why", "e2e5", "nonsense"),
    ("schema", "nothing"),
    ("show", "--svg", "-", "--board", "clouds", _START),
    ("show", "--svg", "-", "--board", "green", "--look", "letters", "--size", "99", _START),
    ("draw", "--game", "chess", "--animate", "e4 e5", "--arrow", "e2e4", "--circle", "e5:red", "start"),
    ("draw", "--animate", "e4", "--highlight", "d4:blue", "--flip", "--theme", "dark", "--check", _START),
    ("draw", "--animate", "e4 e5 Nf3", "--coordinates", "inside", "--no-captions", "--size", "99", _START),
    ("lint", "notes.md", "mend.fen", "lines.epd", "texts.txt", "rows.csv"),
    ("lint", "--json", "notes.md", "mend.fen"),
    ("lint", "--format", "github", "notes.md", "mend.fen"),
    ("lint", "--format", "sarif", "notes.md"),
    ("lint", "--severity", "warning", "notes.md"),
    ("lint", "--severity", "error", "mend.fen"),
    ("lint", "--select", "board,side", "notes.md", "mend.fen"),
    ("lint", "--ignore", "board.digit", "notes.md"),
    ("lint", "--select", "nothing", "notes.md"),
    ("lint", "--game", "xiangqi", "mend.fen"),
    ("lint", "--game", "go", "mend.fen"),
    ("lint", "--mode", "strict", "mend.fen"),
    ("lint", "--mode", "lenient", "mend.fen"),
    ("lint", "--config", "none.toml", "mend.fen"),
    ("lint", "none.fen", "mend.fen"),
    ("lint", "--fix", "mend.fen"),
    ("lint", "mend.fen"),
    ("check", "--file", "mend.fen"),
    ("import", "--in", "jsonl", "--file", "saved.jsonl"),
    ("import", "--json", "--in", "jsonl", "--tag", "b", "--file", "saved.jsonl"),
    ("import", _ILLEGAL, _BROKEN),
    ("export", "--texts"),
    ("export", "--texts", "--game", "azul"),
    ("export", "--tag", "none"),
    ("export", "--store", "none.sqlite"),
    ("detect", state_id(_AFTER)),
    ("check", state_id(_OFFER)),
    ("index", "games.pgn", "-o", "book", "--material"),
    ("explore", "--index", "book", _START),
    ("explore", "--index", "book", "--limit", "1", _START, _AFTER),
    ("explore", "--index", "book", "--json", _START),
    ("explore", "--index", "book", _MATE, _BROKEN),
    ("explore", "--index", "none", _START),
    ("find", "--index", "book", _START),
    ("find", "--index", "book", "--limit", "2", _AFTER),
    ("find", "--index", "book", "--json", "--limit", "1", _AFTER),
    ("find", "--index", "book", _MATE),
    ("find", "--index", "book", "--json", _BROKEN),
    ("find", "--index", "book", "--material", "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"),
    ("find", "--index", "book", "--material", "KPvK"),
    ("find", "--index", "book", "--material", "x"),
    ("find", "--index", "book", "--material", "KPvK", _START),
    ("find", "--index", "book"),
    ("material", "rows.csv"),
    ("unpack", "rows.csv"),
    ("chekc",),
    ("8/8/8",),
)


def digest(value: str) -> str:
    """The length of a text and the beginning of its hash."""
    digest = hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{len(value)} characters {digest[:24]}"


def _marked(lines: str, sign: str) -> Iterator[str]:
    for line in lines.split("\n")[:-1] if lines.endswith("\n") else lines.split("\n"):
        yield f"{sign} {line}".rstrip()


def _run(runner: CliRunner, command: Command) -> str:
    """A command with its answer, as lines."""
    words, given = command
    result = runner.invoke(command_line, words, input=given)
    if not isinstance(result.exception, SystemExit | None):
        raise result.exception
    lines = [f"$ {shlex.join(words)}", *(_marked(given, "<") if given else ())]
    said = digest(result.stdout) if result.stdout.startswith("<svg") else result.stdout
    said = said.replace(f'"semanticVersion": "{_VERSION}"', '"semanticVersion": "…"')
    lines += [*(_marked(said, ">") if said else ())]
    lines += [*(_marked(result.stderr, "!") if result.stderr else ())]
    return "\n".join([*lines, f"= {result.exit_code}"])


def told(files: Mapping[str, str], given: Iterable[Command], endings: Collection[str]) -> Iterator[str]:
    """Every command with its answer, then the files with these endings that commands have written."""
    runner = CliRunner(env={"FORSYTH_STORE": "store.sqlite", "COLUMNS": "80", "NO_COLOR": "1"})
    with TemporaryDirectory() as folder, chdir(folder):
        for name, content in files.items():
            Path(name).write_text(content, encoding="utf-8", newline="\n")
        for command in given:
            yield _run(runner, command)
        for path in sorted(Path().iterdir()):
            if path.suffix in endings and path.name not in files:
                written = path.read_text(encoding="utf-8").replace(f"forsyth {_VERSION} ", "forsyth … ")
                yield "\n".join([f"# {path}", *_marked(written, ">")])


def commands() -> Iterator[str]:
    """The answers of the commands above."""
    return told(FILES, _commands(), (".csv", ".html", ".jsonl"))


def helps() -> Iterator[str]:
    """What each command says of itself with `--help`."""
    names = command_line.list_commands(click.Context(command_line))
    return told({}, (([*words, "--help"], "") for words in ([], *([name] for name in names))), ())


def options() -> Iterator[str]:
    """The arguments and options of each command with all that is declared of them, one a line."""
    context = click.Context(command_line)
    for name in command_line.list_commands(context):
        command = command_line.get_command(context, name)
        assert command is not None
        for option in command.params:
            declared = {key: value for key, value in option.to_info_dict().items() if value and key != "help"}
            yield json.dumps([name, declared], ensure_ascii=False, default=lambda value: type(value).__name__)


# --- detection ------------------------------------------------------------------------------------------


def _alike(text: str) -> Iterator[str]:
    """A text and what becomes of it when it is cut, wrapped or spoiled."""
    board, _, rest = text.partition(" ")
    ranks = board.split("/")
    yield text
    yield board
    yield f"{board} {rest.partition(' ')[0]}"
    yield f"{board} x {rest}"
    yield text.replace(" ", "_")
    yield text.replace("/", "%2F").replace(" ", "%20").replace("+", "%2B")
    yield f'"{text}"'
    yield "/".join([*ranks[:-1], ""]) + f" {rest}"
    for changed in (ranks[1:], ranks[2:], [*ranks, ranks[0]], [*ranks, *ranks[:2]]):
        yield f"{'/'.join(changed)} {rest}"
    for rank in ("", "1", "x", ranks[0] + "1", ranks[0][1:], ranks[0].swapcase(), "z" * 8):
        yield f"{'/'.join([rank, *ranks[1:]])} {rest}"
        yield f"{'/'.join([rank, rank, rank, *ranks[3:]])} {rest}"


def detections() -> Iterator[str]:
    """How likely each game takes each text to be one of its own, a text a line."""
    rules = [forsyth.game(name) for name in GAMES]
    texts = [text for game in rules for text in dict.fromkeys(game.names.values())]
    texts += [forsyth.game("chess", name).start for name in forsyth.game("chess").variants]
    texts.append("8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124")
    for one in dict.fromkeys(alike for text in texts for alike in _alike(text)):
        yield json.dumps([one, *(round(game.likelihood(one), 4) for game in rules)], ensure_ascii=False)


# --- the service ----------------------------------------------------------------------------------------


def _state(game: str, text: str) -> dict[str, Any]:
    """What the service answers about a position, as it takes it back."""
    rules = forsyth.game(game)
    return {"game": game, "fen_string": text, **position_to_data(rules, rules.parse(text), text)}


Request = tuple[str, str, Any]
"""The method, the path, and the body or what is asked for."""


def _requests() -> Iterator[Request]:
    for game in GAMES:
        rules = forsyth.game(game)
        text = rules.names["midgame"]
        move = rules.write_move(rules.parse(text), rules.moves(rules.parse(text))[0])
        said = {"text": text, "game": game}
        yield "GET", f"/games/{game}", {}
        yield "GET", f"/positions/{game}", {}
        yield "GET", "/game_state", {"fen_string": "midgame", "game": game}
        for path in ("/read", "/fix", "/forms", "/moves", "/edit"):
            yield "POST", path, said
        yield "POST", "/move", {**said, "move": move}
        yield "POST", "/move", {**said, "move": "zz9"}
        yield "POST", "/play", {**said, "move": move}
        yield "POST", "/play", {**said, "move": "zz9"}
        yield "POST", "/convert", {**said, "to": "fenz"}
        yield "POST", "/match", {"game": game, "start": text, "moves": [move]}
        yield "POST", "/match", {"game": game, "start": text, "moves": [move, "zz9"]}
        yield "POST", "/record/write", {"game": game, "start": text, "moves": [move], "tags": {"Event": "E"}}
        yield "POST", f"/games/{game}/new", {"seed": 3}
        yield "POST", f"/games/{game}/new", {"players": 99}
        yield "POST", "/validate-fen", {"fen_string": text, "game": game}
        yield "POST", "/legal_moves", {"fen_string": text, "game": game}
        yield "POST", "/execute_move", {"fen_string": text, "game": game, "move": move}
        yield "POST", "/create_game", {"game": game, "seed": 3}
        yield "PUT", "/game_state", {"game_state": _state(game, text)}
        yield "POST", f"/games/{game}/new", {"start": 1, "seed": 3}
        yield "POST", f"/games/{game}/new", {"start": text}
        yield "POST", "/fen/convert", {"fen_string": text, "game": game, "to": "canonical"}
    for text in (_BROKEN, _ILLEGAL, "nonsense", ""):
        for path in ("/read", "/fix", "/forms", "/moves", "/edit"):
            yield "POST", path, {"text": text}
        yield "POST", "/validate-fen", {"fen_string": text}
        yield "POST", "/game_state", {"fen_string": text}
        yield "GET", "/draw.svg", {"text": text}
    for text in _OF_VARIANTS:
        for path in ("/read", "/fix", "/forms", "/moves", "/edit"):
            yield "POST", path, {"text": text, "game": "chess"}
            yield "POST", path, {"text": text}
        yield "POST", "/play", {"text": text, "game": "chess", "move": "Ke2"}
        yield "POST", "/match", {"game": "chess", "start": text, "moves": ["Ke2"]}
        yield "PUT", "/game_state", {"game_state": {"game": "chess", "fen_string": text}}
        for path in ("/validate-fen", "/game_state", "/legal_moves"):
            yield "POST", path, {"fen_string": text, "game": "chess"}
        yield "POST", "/fen/convert", {"fen_string": text, "game": "chess", "to": "canonical"}
        yield "PUT", "/states", {"text": text, "game": "chess"}
        yield "POST", "/library", {"text": text, "game": "chess", "name": "x"}
        yield "GET", "/draw.svg", {"text": text, "game": "chess"}
    yield from _REQUESTS


_RECORD: Final = '[White "A"]\n\n1. e4 (1. d4) e5 $1 {Good} 2. Qh9 *'
_TREE: Final = (
    '[White "A"]\n[Black "B"]\n\n{first} 1. e4 $1 (1. d4 {one} d5 (1... Nf6 $3) 2. c4) {between} 1... e5 '
    "{two} {three} 2. Nf3 -- 1/2-1/2"
)
_LINE: Final = [
    {"move": "e4", "nags": [1, 6], "before": ["first"], "after": ["one", "two"]},
    {"move": "e5", "variations": [[{"move": "c5", "after": ["three"]}, {"move": "Nf3"}], []]},
]
_IMPORTED: Final = "\n".join(
    (
        json.dumps(_START),
        json.dumps(
            {"text": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "name": "Bare kings", "tags": ["one"], "note": "n"}
        ),
        json.dumps({"text": _ILLEGAL, "name": "Illegal"}),
        json.dumps({"text": _OFFER, "name": "Offer", "tags": None, "note": None}),
        json.dumps({"text": _START, "name": ""}),
        json.dumps({"text": _START, "name": "x" * 500}),
        json.dumps({"text": _START, "name": 5}),
        json.dumps({"text": _START, "name": "x", "tags": "one"}),
        json.dumps({"text": _START, "name": "x", "tags": [5]}),
        json.dumps({"text": _START, "note": 5}),
        json.dumps({"text": _BROKEN, "name": "x"}),
        json.dumps({"text": 5}),
        "5",
        "{",
        "",
        "[" * 10_000,
        json.dumps("x" * 20_000),
    )
)
_SAVED: Final = {"text": _START, "name": "The start", "tags": ["one", "two"], "note": "A note."}
_REQUESTS: Final[tuple[Request, ...]] = (
    ("GET", "/games", {}),
    ("GET", "/games/checkers", {}),
    ("GET", "/games/chess", {"variant": "sideways"}),
    ("GET", "/healthz", {}),
    ("GET", "/nothing", {}),
    ("POST", "/healthz", {}),
    ("POST", "/read", {}),
    ("POST", "/read", []),
    ("POST", "/read", {"text": 5}),
    ("POST", "/read", {"text": _START, "mode": "loud"}),
    ("POST", "/read", {"text": _START, "game": "checkers"}),
    ("POST", "/read", {"text": _START, "variant": "sideways"}),
    ("POST", "/read", {"text": _START, "profile": "none"}),
    ("POST", "/read", {"text": _START, "look": "clouds", "game": "chess"}),
    ("POST", "/read", {"text": "start"}),
    ("POST", "/convert", {"text": _START, "to": "nothing"}),
    ("POST", "/edit", {"text": _START, "put": {"square": "e1", "symbol": None}}),
    ("POST", "/edit", {"text": _START, "put": {"square": "z9", "symbol": None}}),
    ("POST", "/edit", {"text": _START, "field": {"name": "side", "value": "b"}}),
    ("POST", "/edit", {"text": _START, "field": {"name": "none", "value": "b"}}),
    ("POST", "/play", {"text": _TWO, "move": "Nd2"}),
    (
        "POST",
        "/record/read",
        {"record": _RECORD, "game": "chess"},
    ),
    ("POST", "/record/read", {"record": "1. f3 e5 2. g4 Qh4# 0-1"}),
    ("POST", "/record/list", {"record": f'{_RECORD}\n\n[White "B"]\n\n1. e5 *', "game": "chess"}),
    ("POST", "/record/read", {"record": _TREE, "game": "chess"}),
    ("POST", "/record/read", {"record": _TREE}),
    ("POST", "/record/read", {"record": "", "game": "chess"}),
    ("POST", "/record/read", {"record": "1. e4 *"}),
    ("POST", "/record/read", {"record": "1. e4 *", "game": "checkers"}),
    ("POST", "/record/list", {"record": "", "game": "chess"}),
    ("POST", "/record/list", {"record": "1. e4 *\n\n" * 1001, "game": "chess"}),
    ("POST", "/record/list", {"record": "1. e4 *\n\n" * 1000, "game": "chess"}),
    ("POST", "/record/write", {"game": "chess", "moves": ["e4", "--"], "result": "1-0"}),
    ("POST", "/record/write", {"game": "chess", "moves": ["e4"], "tags": {"Result": "1-0"}}),
    ("POST", "/record/write", {"game": "chess", "moves": ["e4"], "tags": {"No name": "x"}}),
    ("POST", "/record/write", {"game": "chess", "moves": ["e4"], "result": "won"}),
    ("POST", "/record/write", {"game": "chess", "moves": ["e9"]}),
    ("POST", "/record/write", {"game": "chess", "line": _LINE, "comments": ["not here"]}),
    ("POST", "/record/write", {"game": "chess", "line": [], "comments": ["before", "all"]}),
    ("POST", "/record/write", {"game": "chess", "line": [{"move": "e4", "variations": [[{"move": "e9"}]]}]}),
    ("POST", "/record/write", {"game": "chess", "line": [{"move": "e9"}]}),
    ("POST", "/record/write", {"game": "chess", "variant": "chess960", "start": _START, "moves": ["e4"]}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": 1, "flip": True}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": 0, "theme": "dark"}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": 3}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": 4}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "e5", "Nf3"], "at": -1}),
    ("POST", "/match", {"game": "chess", "moves": ["e4", "--"]}),
    ("POST", "/match", {"game": "chess", "moves": ["e4"], "move": "--"}),
    ("POST", "/match", {"game": "chess", "moves": [" e4 "], "move": " e5 "}),
    ("POST", "/match", {"game": "chess", "moves": ["e4"], "move": "e9"}),
    ("POST", "/match", {"game": "chess", "moves": ["f3", "e5", "g4", "Qh4"]}),
    ("POST", "/match", {"game": "chess", "moves": ["Nf3", "Nf6", "Ng1", "Ng8"] * 2}),
    ("POST", "/match", {"game": "chess", "start": _ILLEGAL}),
    ("POST", "/match", {"game": "chess", "start": _BROKEN}),
    ("POST", "/match", {"start": _AFTER, "moves": ["e5"]}),
    ("POST", "/match", {"moves": ["e4"]}),
    ("POST", "/batch/library", _IMPORTED),
    ("POST", "/batch/library?game=azul", f'"{_OFFER}"\n"{_START}"\n'),
    ("POST", "/batch/library?variant=chess960", f'"{_START}"\n'),
    ("POST", "/batch/library", ""),
    ("GET", "/batch/library", {}),
    ("GET", "/batch/library", {"game": "azul"}),
    ("GET", "/batch/library", {"tag": "one"}),
    ("GET", "/batch/library", {"q": "kings"}),
    ("GET", "/batch/library", {"q": "x" * 2000}),
    ("GET", "/library", {"limit": 2}),
    ("POST", "/validate-fen", {"fen_strings": [_START, _BROKEN]}),
    ("POST", "/validate-fen", {"fen_string": _OFFER, "level": "strict"}),
    ("POST", "/validate-fen", {"fen_string": _OFFER, "level": "loud"}),
    ("POST", "/create_game", {"num_players": 3, "seed": 5}),
    ("POST", "/execute_move", {"fen_string": _OFFER, "move": "zz9"}),
    ("POST", "/create_game", {"player_count": 3, "seed": 5}),
    ("POST", "/create_game", {"player_count": 4, "seed": 5, "start": 2}),
    ("POST", "/execute_move", {"fen_string": _LAST, "move": _LAST_MOVE}),
    ("POST", "/execute_move", {"fen_string": _LAST, "move": _LAST_MOVE, "auto": True, "draw": ["BBBB"]}),
    ("POST", "/execute_move", {"fen_string": _OFFER, "move": {"source": 4, "color": "B", "line": "floor"}}),
    ("POST", "/execute_move", {"fen_string": _OFFER, "move": {"source": "center", "color": "Y", "line": 3}}),
    ("POST", "/fen/convert", {"fen_string": _OFFER, "to": "compressed"}),
    ("POST", "/fen/convert", {"fen_string": _OFFER, "to": "hash"}),
    ("PUT", "/game_state", {"game_state": {"game": 5}}),
    ("PUT", "/game_state", {"game_state": {"game": "azul", "players": 5}}),
    ("POST", "/batch/check", f'"{_START}"\n{{"text": "{_AFTER}"}}\n\n5\n{{\n"{_ILLEGAL}"'),
    ("POST", "/batch/check?mode=strict", f'"{_START} "\n'),
    ("POST", "/batch/check?variant=chess960", f'"{_START}"\n'),
    ("POST", "/batch/check?game=chess&variant=chess960", f'"{_START}"\n' + '"' + "x" * 20_000 + '"\n'),
    ("PUT", "/states", {"text": _AFTER}),
    ("GET", "/states/state_" + "a" * 52, {}),
    ("GET", "/states/nothing", {}),
    ("PUT", "/positions/chess/initial", {"fen_string": _AFTER}),
    ("PUT", "/game_state", {"game_state": {"game": "chess"}}),
    ("POST", "/library", _SAVED),
    ("POST", "/library", {**_SAVED, "tags": ["a,b"]}),
    ("POST", "/library", {"text": _START}),
    ("POST", "/library", {"text": _BROKEN, "name": "x"}),
    ("GET", "/library", {}),
    ("GET", "/library", {"q": "start", "tag": "one", "limit": 1}),
    ("GET", "/library", {"limit": 0}),
    ("GET", "/library/{id}", {}),
    ("PATCH", "/library/{id}", {"name": "Another", "tags": ["three"], "note": "b"}),
    ("PATCH", "/library/{id}", {"name": ""}),
    ("DELETE", "/library/{id}", {}),
    ("GET", "/library/nothing", {}),
    ("PATCH", "/library/nothing", {"name": "x"}),
    ("DELETE", "/library/nothing", {}),
    ("GET", "/draw.svg", {"text": "start", "game": "chess", "flip": "true"}),
    ("GET", "/draw/start.svg", {"game": "chess"}),
    ("GET", "/draw/start.gif", {"game": "chess"}),
    ("GET", "/explore", {"text": _START}),
)

_HEADERS: Final = ("content-type", "cache-control", "allow", "www-authenticate", "retry-after")
_CHANGING: Final = ("id", "created", "updated")
"""What the library gives to each saved position."""
_LONG: Final = 240
"""Characters of a text that is kept as it is."""
_MANY: Final = 6
"""Entries of a list that are kept as they are."""


def kept(value: Any) -> Any:
    """An answer, short."""
    if isinstance(value, str):
        return value if len(value) <= _LONG else digest(value)
    if isinstance(value, dict):
        return {key: kept(one) for key, one in value.items()}
    if isinstance(value, list) and len(value) > _MANY:
        rest = json.dumps(value[_MANY - 3 :])
        return [*map(kept, value[: _MANY - 3]), f"{len(value) - _MANY + 3} more, {digest(rest)}"]
    return [kept(one) for one in value] if isinstance(value, list) else value


def _settled(value: Any) -> Any:
    """An answer of the library without what differs from one call to the next."""
    if isinstance(value, dict):
        return {key: "…" if key in _CHANGING else _settled(one) for key, one in value.items()}
    return [_settled(one) for one in value] if isinstance(value, list) else value


class _Asking:
    """Asks a service one thing after the other; `{id}` in a path is the position that was saved last."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self._saved = ""

    def answer(self, request: Request) -> dict[str, Any]:
        method, path, given = request
        sent: dict[str, Any] = {"params" if method in ("GET", "DELETE") else "json": given}
        if isinstance(given, str):
            sent = {"content": given, "headers": {"content-type": "application/x-ndjson"}}
        answer = self._client.request(method, BASE + path.replace("{id}", self._saved), **sent)
        body: Any = answer.text
        if answer.headers["content-type"] == "application/x-ndjson":
            body = [json.loads(line) for line in answer.text.splitlines()]
        elif "json" in answer.headers["content-type"]:
            body = answer.json()
        if (method, path) == ("GET", "/healthz"):
            body["version"] = "installed"
        if "/library" in path:
            self._saved = body.get("id", self._saved) if isinstance(body, dict) else self._saved
            body = _settled(body)
        headers = {name: answer.headers[name] for name in _HEADERS if name in answer.headers}
        return {"status": answer.status_code, "headers": headers, "body": kept(body)}


def service() -> Iterator[str]:
    """Every request with its answer, each as a line of JSON."""
    with TestClient(create_app(Settings(), MemoryStore()), base_url="http://localhost") as client:
        asking = _Asking(client)
        for request in _requests():
            shown = kept(list(request))
            yield json.dumps({"request": shown, **asking.answer(request)}, ensure_ascii=False)


def description() -> list[str]:
    """What the service says of itself in OpenAPI, with every sentence, as lines of JSON."""
    described = create_app(Settings(), MemoryStore()).openapi()
    described["info"]["version"] = "installed"
    return json.dumps(described, ensure_ascii=False, indent=1).splitlines()


if __name__ == "__main__":
    (FOLDER / "openapi.json.gz").write_bytes(gzip.compress("\n".join(description()).encode(), mtime=0))
    (FOLDER / "detections.jsonl").write_text("\n".join(detections()) + "\n", encoding="utf-8", newline="\n")
    (FOLDER / "commands.txt").write_text("\n\n".join(commands()) + "\n", encoding="utf-8", newline="\n")
    (FOLDER / "help.txt").write_text("\n\n".join(helps()) + "\n", encoding="utf-8", newline="\n")
    (FOLDER / "options.jsonl").write_text("\n".join(options()) + "\n", encoding="utf-8", newline="\n")
    (FOLDER / "service.jsonl").write_text("\n".join(service()) + "\n", encoding="utf-8", newline="\n")
