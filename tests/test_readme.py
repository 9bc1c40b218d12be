"""What README and the documentation show is run as it stands: Python blocks, commands, examples.

In a ```python block ``# → value`` behind or below a statement is its value, or what it printed; more lines of
it begin with ``#`` and three blanks. The blocks of a page share one namespace. In a ```console block a line
that begins with ``$`` is a command, the lines below it are what it writes. A ```json block right behind a
```console block is its answer, laid out for people.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import forsyth

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = ROOT / "examples"
NO_APPS = shutil.ignore_patterns("node_modules")
"""What npm puts beside an example is large, and nothing here needs it."""
POSITIONS = EXAMPLES / "positions.txt"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$\n*(?=(```json)?)", re.MULTILINE | re.DOTALL)
SHELL = 'forsyth() { "$PYTHON" -m forsyth "$@"; }\n'
LONGEST_EXAMPLE = 40

needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="commands are written for a POSIX shell")


class Block(NamedTuple):
    """A fenced block: where it stands, its language, its lines, and the JSON right behind it."""

    page: Path
    line: int
    language: str
    source: str
    answer: str | None

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path, language: str) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, text.count("\n", 0, found.start()) + 1, language, found[2], _answer(text, found))
        for found in FENCE.finditer(text)
        if found[1] == language
    ]


def _answer(text: str, found: re.Match[str]) -> str | None:
    following = FENCE.match(text, found.end()) if found[3] else None
    return None if following is None else following[2]


def tidy(output: str) -> str:
    """Without blanks at the ends of lines, which no page can show."""
    return "\n".join(line.rstrip() for line in output.splitlines()).rstrip("\n")


# --- Python -----------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What a page says that a statement gives, and what it gives."""

    statement: str
    shown: str | None
    found: str | None


def run_python(source: str, names: dict[str, Any]) -> Iterator[Result]:
    """Run a block statement by statement; only what is printed or shown has a result."""
    lines = source.splitlines()
    for statement in ast.parse(source).body:
        printed = io.StringIO()
        with redirect_stdout(printed):
            value = _run(statement, names)
        shown = _shown(lines, statement.end_lineno or 0)
        found = tidy(printed.getvalue()) or (None if shown is None else repr(value))
        yield Result(ast.unparse(statement), shown, found)


def _run(statement: ast.stmt, names: dict[str, Any]) -> Any:
    code = compile(ast.Module([statement], []), "<page>", "exec", dont_inherit=True)
    if isinstance(statement, ast.Expr):
        code = compile(ast.Expression(statement.value), "<page>", "eval", dont_inherit=True)
    # Running what the page shows is the whole point.
    return eval(code, names)  # noqa: S307


def _shown(lines: list[str], end: int) -> str | None:
    """What stands behind an arrow at the end of a statement, or in the comment below it."""
    behind = re.search(r"# → (.*)$", lines[end - 1])
    if behind is not None:
        return behind[1]
    if end == len(lines) or not lines[end].startswith("# → "):
        return None
    shown = [lines[end]]
    for line in lines[end + 1 :]:
        if not line.startswith("#   ") and line != "#":
            break
        shown.append(line)
    return "\n".join(line[4:] for line in shown)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.name
)
def test_python_blocks_do_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=NO_APPS)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page, "python"):
        for result in run_python(block.source, names):
            assert result.found == result.shown, f"{block}: {result.statement}"


# --- commands ---------------------------------------------------------------------------------------


class Command(NamedTuple):
    """A command of a block and the lines it writes."""

    line: str
    output: str


def commands(block: Block) -> list[Command]:
    """The commands of a block; one that ends with a backslash goes on in the next line."""
    found: list[Command] = []
    for line in block.source.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif found and found[-1].line.endswith("\\") and not found[-1].output:
            found[-1] = Command(f"{found[-1].line}\n{line}", "")
        else:
            found[-1] = Command(found[-1].line, f"{found[-1].output}{line}\n")
    return found


def environment(folder: Path) -> dict[str, str]:
    package = str(Path(forsyth.__file__).parents[1])
    return os.environ | {
        "PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH")))),
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "FORSYTH_STORE": str(folder / "store.sqlite"),
        "BIN": str(Path(sys.executable).parent),
    }


def written(command: str | list[str], folder: Path, given: str = "") -> str:
    """Everything a command writes, to standard output and error, in order."""
    line = ["sh", "-c", SHELL + command] if isinstance(command, str) else command
    done = subprocess.run(
        line,
        cwd=folder,
        env=environment(folder),
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout


@needs_shell
@pytest.mark.parametrize("block", [block for page in PAGES for block in blocks(page, "console")], ids=str)
def test_commands_write_what_is_shown(block: Block, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=NO_APPS)
    for command in commands(block):
        output = written(command.line, tmp_path)
        if block.answer is not None:
            assert json.loads(output) == json.loads(block.answer), command.line
        else:
            assert tidy(output) == tidy(command.output), command.line


# --- the first screen -------------------------------------------------------------------------------


def test_the_first_screen_shows_a_broken_text_and_what_is_said_about_it() -> None:
    text, said = (block.source.removesuffix("\n") for block in blocks(README, "text")[:2])
    reading = forsyth.check(text)
    assert not reading.ok
    assert str(reading) == said
    assert README.read_text(encoding="utf-8").splitlines().index("```sh") < 45


def test_the_first_two_commands_run_and_test() -> None:
    first = blocks(README, "sh")[0].source.splitlines()
    assert [line.partition("#")[0].strip() for line in first[:2]] == ["make run", "make test"]


def test_readme_is_whole_on_a_package_index() -> None:
    """There a link to another file leads nowhere: pages are named, and only the picture is linked."""
    linked = re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    inside = [link for link in linked if not link.startswith("https://")]
    assert inside == ["docs/assets/page-play.webp"]
    named = re.findall(r"`((?:docs|src)/[\w./-]+)`", README.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) > 10


# --- examples ---------------------------------------------------------------------------------------

BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ILLEGAL = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


def example(name: str, folder: Path, *arguments: str) -> str:
    return written([sys.executable, str(EXAMPLES / name), *arguments], folder)


def test_examples_are_short() -> None:
    for script in EXAMPLES.glob("*.py"):
        # Whole games, each with a bound of its own; and what makes a page of the documentation.
        if script.name in ("nim.py", "minishogi.py", "gallery.py"):
            continue
        assert len(script.read_text(encoding="utf-8").splitlines()) <= LONGEST_EXAMPLE, script.name


def test_positions_are_a_dozen_good_and_broken_chess_texts() -> None:
    texts = POSITIONS.read_text(encoding="utf-8").splitlines()
    readings = [forsyth.check(text) for text in texts]
    assert len(texts) == len(set(texts)) >= 12
    assert {reading.game for reading in readings} == {"chess"}
    assert {reading.ok for reading in readings} == {True, False}


def test_explain(tmp_path: Path) -> None:
    said = example("explain.py", tmp_path, BROKEN)
    assert "error[board.digit]" in said
    assert "1 text" in said
    assert "12 texts" in example("explain.py", tmp_path)


def test_repair_file(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("8/8/8/4k3/44/8/8/4K3 W - –\n" + BROKEN + "\n", encoding="utf-8")
    said = example("repair_file.py", tmp_path, str(texts), "clean.txt")
    assert (tmp_path / "clean.txt").read_text(encoding="utf-8") == "8/8/8/4k3/8/8/8/4K3 w - - 0 1\n"
    assert "line 2" in said
    assert "board.digit" in said


def test_draw_position(tmp_path: Path) -> None:
    example("draw_position.py", tmp_path, ILLEGAL, "board.svg")
    picture = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert 'data-square="e8" data-mark="error"' in picture


def test_play_game(tmp_path: Path) -> None:
    said = example("play_game.py", tmp_path, "e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7")
    assert "1-0" in said
    assert "checkmate" in said
    assert "Ke7" not in said
    assert "is not a legal move" in example("play_game.py", tmp_path, "e5")


@needs_shell
def test_the_tour_shows_every_main_job(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=NO_APPS)
    said = written(["sh", "examples/tour.sh"], tmp_path)
    for command in ("check", "fix", "show", "moves", "doctor"):
        assert f"$ forsyth {command}" in said
    assert "Traceback" not in said
