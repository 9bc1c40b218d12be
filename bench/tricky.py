"""Tricky texts, asked of four well-known libraries and of Forsyth: who accepts what, and what each says.

`python -m bench.tricky` prints a table; `--json` everything that was said. Each library is asked as its own
documentation says that a text is checked:

- python-chess: `chess.Board(text)`, then `is_valid()`;
- pyffish: `validate_fen(text, "chess")`;
- chess.js: `new Chess(text)`;
- chessops: `parseFen(text)`, then `Chess.fromSetup`.

The two libraries of JavaScript run in Node, from `.ci/npm` (`npm ci --prefix .ci/npm`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import chess
import pyffish

import forsyth

HERE = Path(__file__).parent
TEXTS = HERE / "tricky.json"
IN_NODE = HERE.parent / ".ci" / "npm" / "tricky.mjs"
Answers = dict[str, list[str]]
"""What each library says of each text; nothing where it accepts it."""


def texts() -> list[tuple[str, str]]:
    """What is tricky about a text, and the text."""
    return [(what, text) for what, text in json.loads(TEXTS.read_text(encoding="utf-8"))]


def ask() -> Answers:
    """Ask all five."""
    found = ask_here() | _in_node()
    return {name: found[name] for name in ("python-chess", "pyffish", "chess.js", "chessops", "forsyth")}


def ask_here() -> Answers:
    """Ask those of Python."""
    here: dict[str, Callable[[str], str]] = {
        "python-chess": _python_chess,
        "pyffish": _pyffish,
        "forsyth": _forsyth,
    }
    return {name: [reader(text) for _, text in texts()] for name, reader in here.items()}


def _python_chess(text: str) -> str:
    try:
        board = chess.Board(text)
    except ValueError as error:
        return str(error)
    return "" if board.is_valid() else str(board.status().name)


def _pyffish(text: str) -> str:
    verdict = pyffish.validate_fen(text, "chess")
    return "" if verdict == pyffish.FEN_OK else f"code {verdict}"


def _forsyth(text: str) -> str:
    reading = forsyth.check(text, "chess")
    return "" if reading.ok else " ".join(f"{one.code} {one.span}" for one in reading.errors)


def _in_node() -> Answers:
    command = ["node", str(IN_NODE), str(TEXTS)]
    answers: Answers = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return answers


def disagreements(answers: Answers) -> int:
    """On how many texts the libraries, Forsyth left out, do not all give the same verdict."""
    others = [said for name, said in answers.items() if name != "forsyth"]
    return sum(len({bool(said) for said in row}) > 1 for row in zip(*others, strict=True))


def table(answers: Answers) -> str:
    """A row for each text, in Markdown."""
    rows = [f"| text | {' | '.join(answers)} |", "|---" * (len(answers) + 1) + "|"]
    for number, (what, _) in enumerate(texts()):
        verdicts = ("no" if said[number] else "yes" for said in answers.values())
        rows.append(f"| {what} | {' | '.join(verdicts)} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table, or everything as JSON."""
    parser = argparse.ArgumentParser(description="Ask four libraries and Forsyth about tricky texts.")
    parser.add_argument("--json", action="store_true", help="print everything that was said")
    parser.add_argument("--compare", metavar="PAGE", type=Path, help="fail unless the page has this table")
    given = parser.parse_args()
    answers = ask()
    if given.compare and table(answers) not in given.compare.read_text(encoding="utf-8"):
        sys.exit(f"{given.compare} has another table.")
    if given.json:
        print(json.dumps(answers, indent=1))
        return
    print(table(answers))
    print(f"\nOn {disagreements(answers)} of {len(texts())} texts the four libraries disagree.")


if __name__ == "__main__":
    main()
