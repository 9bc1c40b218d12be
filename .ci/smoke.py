"""Check that an installed Forsyth works: `smoke.py library` (needs no extra) or `smoke.py command-line`."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FORSYTH = str(Path(sys.executable).with_name("forsyth"))


def expect(condition: object, promise: str) -> None:
    """Exit with an error that names the promise, unless the condition is true."""
    if not condition:
        sys.exit(f"Broken promise: {promise}.")


def check_library() -> None:
    """Check that every game is installed, compiled, and can read, reject, play and draw."""
    import forsyth

    expect(set(forsyth.games()) >= {"chess", "cotulenh", "azul"}, "the games of the package are installed")
    for name in forsyth.games():
        game = forsyth.game(name)
        expect(str(game.parse(game.start)) == game.start, f"{name} reads and writes its start position")
    expect(not forsyth.check(BROKEN).ok, "a broken text is rejected")
    match = forsyth.Match("chess")
    for move in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
        match.play(move)
    expect(match.result == "1-0", "a match ends with its result")
    modules = forsyth.build_info()["modules"]
    expect(modules and all(modules.values()), "every hot module is compiled")
    expect("svg" in forsyth.draw.svg(game.scene(game.parse(game.start))), "a position is drawn")


def check_command_line() -> None:
    """Check that the commands work, and that a command whose extra is missing names the extra."""
    report = json.loads(_run("doctor", "--json").stdout)
    expect(report["compiled"], "`forsyth doctor` reports a compiled build")
    expect(_run("check", BROKEN).returncode == 1, "`check` of a broken text exits with status 1")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "texts.csv"
        table.write_text(f"fen\n{BROKEN}\n")
        scan = _run("scan", str(table))
    expect(scan.returncode == 2, "a command without its extra exits with status 2")
    expect("pip install 'forsyth[bulk]'" in scan.stderr, "a command without its extra says how to install it")
    expect("Traceback" not in scan.stderr, "a command without its extra prints no traceback")


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `forsyth` with these arguments and capture its output."""
    return subprocess.run([FORSYTH, *arguments], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    {"library": check_library, "command-line": check_command_line}[sys.argv[1]]()
