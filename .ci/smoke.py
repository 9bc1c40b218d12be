"""Uses an installed Forsyth a little: `smoke.py library` without extras, or `smoke.py command-line`."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FORSYTH = str(Path(sys.executable).with_name("forsyth"))


def expect(truth: object, promise: str) -> None:
    """End with a sentence where a promise is broken."""
    if not truth:
        sys.exit(f"Broken: {promise}.")


def library() -> None:
    """Every game is there and compiled, reads, refuses and plays."""
    import forsyth

    expect(set(forsyth.games()) >= {"chess", "cotulenh", "azul"}, "the games of the package are there")
    for name in forsyth.games():
        game = forsyth.game(name)
        expect(str(game.parse(game.start)) == game.start, f"{name} reads and writes its start")
    expect(not forsyth.check(BROKEN).ok, "a broken text is refused")
    match = forsyth.Match("chess")
    for move in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
        match.play(move)
    expect(match.result == "1-0", "a match is played to its end")
    modules = forsyth.build_info()["modules"]
    expect(modules and all(modules.values()), "every hot module is compiled")
    expect("svg" in forsyth.draw.svg(game.scene(game.parse(game.start))), "a position is drawn")


def command_line() -> None:
    """The commands answer, and one that needs an extra names it."""
    facts = json.loads(_run("doctor", "--json").stdout)
    expect(facts["compiled"], "the doctor sees a compiled build")
    expect(_run("check", BROKEN).returncode == 1, "a broken text has status 1")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "texts.csv"
        table.write_text(f"fen\n{BROKEN}\n")
        scan = _run("scan", str(table))
    expect(scan.returncode == 2, "a command without its extra has status 2")
    expect("pip install 'forsyth[bulk]'" in scan.stderr, "a command without its extra names it")
    expect("Traceback" not in scan.stderr, "a command without its extra says so in one sentence")


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([FORSYTH, *arguments], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    {"library": library, "command-line": command_line}[sys.argv[1]]()
