"""Compare which tricky texts four well-known libraries and Forsyth accept, and how each explains a refusal.

`python -m bench.tricky` prints a table, with `--json` all answers. Each library checks a text in the way that
its documentation describes:

- python-chess: `chess.Board(text)`, then `is_valid()`;
- pyffish: `validate_fen(text, "chess")`;
- chess.js: `new Chess(text)`;
- chessops: `parseFen(text)`, then `Chess.fromSetup`.

The two JavaScript libraries run in Node, from `.ci/npm` (`npm ci --prefix .ci/npm`).
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
NODE_SCRIPT = HERE.parent / ".ci" / "npm" / "tricky.mjs"
Answers = dict[str, list[str]]
"""The answer of each library to each text. An empty answer means that the library accepts the text."""


def load_texts() -> list[tuple[str, str]]:
    """Return pairs of a tricky text: what is tricky about it, and the text."""
    return [(title, text) for title, text in json.loads(TEXTS.read_text(encoding="utf-8"))]


def ask_all() -> Answers:
    """Return the answers of all five libraries."""
    answers = ask_python_libraries() | _ask_node_libraries()
    return {name: answers[name] for name in ("python-chess", "pyffish", "chess.js", "chessops", "forsyth")}


def ask_python_libraries() -> Answers:
    """Return the answers of Forsyth and of the two other Python libraries."""
    checkers: dict[str, Callable[[str], str]] = {
        "python-chess": _ask_python_chess,
        "pyffish": _ask_pyffish,
        "forsyth": _ask_forsyth,
    }
    return {name: [check(text) for _, text in load_texts()] for name, check in checkers.items()}


def _ask_python_chess(text: str) -> str:
    try:
        board = chess.Board(text)
    except ValueError as error:
        return str(error)
    return "" if board.is_valid() else str(board.status().name)


def _ask_pyffish(text: str) -> str:
    verdict = pyffish.validate_fen(text, "chess")
    return "" if verdict == pyffish.FEN_OK else f"code {verdict}"


def _ask_forsyth(text: str) -> str:
    reading = forsyth.check(text, "chess")
    return "" if reading.ok else " ".join(f"{error.code} {error.span}" for error in reading.errors)


def _ask_node_libraries() -> Answers:
    """Return the answers of the two JavaScript libraries, which a script asks in Node."""
    command = ["node", str(NODE_SCRIPT), str(TEXTS)]
    answers: Answers = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return answers


def count_disagreements(answers: Answers) -> int:
    """Count the texts that some libraries accept and others refuse. Forsyth is left out."""
    columns = [column for name, column in answers.items() if name != "forsyth"]
    return sum(len({bool(answer) for answer in row}) > 1 for row in zip(*columns, strict=True))


def format_markdown(answers: Answers) -> str:
    """Return a Markdown table with one row per text: yes for each library that accepts it, else no."""
    rows = [f"| text | {' | '.join(answers)} |", "|---" * (len(answers) + 1) + "|"]
    for number, (title, _) in enumerate(load_texts()):
        verdicts = ("no" if column[number] else "yes" for column in answers.values())
        rows.append(f"| {title} | {' | '.join(verdicts)} |")
    return "\n".join(rows)


def main() -> None:
    """Print the table, or all answers as JSON. With `--compare`, exit with an error if the page differs."""
    parser = argparse.ArgumentParser(description="Ask four libraries and Forsyth about tricky texts.")
    parser.add_argument("--json", action="store_true", help="Print all answers as JSON.")
    parser.add_argument(
        "--compare", metavar="PAGE", type=Path, help="Fail if this page does not contain the table."
    )
    options = parser.parse_args()
    answers = ask_all()
    table = format_markdown(answers)
    if options.compare and table not in options.compare.read_text(encoding="utf-8"):
        sys.exit(f"{options.compare} does not contain this table; replace its table with:\n{table}")
    if options.json:
        print(json.dumps(answers, indent=1))
        return
    print(table)
    print(f"\nOn {count_disagreements(answers)} of {len(load_texts())} texts the four libraries disagree.")


if __name__ == "__main__":
    main()
