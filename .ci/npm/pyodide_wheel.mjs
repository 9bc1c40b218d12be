// Uses a pure wheel in Pyodide, without a network: `pyodide_wheel.mjs WHEEL ANSWER.py`.
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { loadPyodide } from "pyodide";

const [wheel, source] = process.argv.slice(2);
const pyodide = await loadPyodide();
pyodide.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");

const games = pyodide.runPython(`
import forsyth

assert not forsyth.build_info()["compiled"]
for name in forsyth.games():
    game = forsyth.game(name)
    start = game.parse(game.start)
    assert str(start) == game.start and game.unpack(start.packed) == start
    assert start.moves() and "<svg" in forsyth.draw.svg(game.scene(start))
match = forsyth.Match("chess")
for move in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
    match.play(move)
assert match.result == "1-0"
assert len(list(forsyth.read_records("1. e4 e5 2. Nf3 *"))) == 1
" ".join(forsyth.games())
`);

pyodide.runPython(readFileSync(source, "utf8"));
const answer = pyodide.globals.get("answer");
const broken = JSON.parse(answer("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", "default"));
assert.equal(broken.ok, false);
assert.match(broken.findings, /board\.digit/);
const illegal = JSON.parse(answer("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "", "default"));
assert.match(illegal.picture, /data-square="e8" data-mark="error"/);
console.log(`Python ${pyodide.runPython("import sys; sys.version.split()[0]")} in Pyodide reads, plays and draws: ${games}.`);
