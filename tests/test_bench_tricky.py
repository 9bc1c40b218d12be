"""The tricky texts: what the page says of the libraries that are here is what they say."""

from __future__ import annotations

import re

from bench import tricky
from tests.test_readme import README, ROOT

import forsyth

PAGE = ROOT / "docs" / "comparison.md"


def shown() -> dict[str, list[str]]:
    """The columns of the table on the page: yes and no, by library."""
    rows = [
        row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.endswith(("| yes |", "| no |"))
    ]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[: len(tricky.load_texts())]]
    assert [row[0] for row in cells] == [what for what, _ in tricky.load_texts()]
    names = ("python-chess", "pyffish", "chess.js", "chessops", "forsyth")
    return {name: [row[number] for row in cells] for number, name in enumerate(names, 1)}


def test_the_page_says_what_the_libraries_say() -> None:
    """`.ci/tricky` asks those of JavaScript too."""
    for name, said in tricky.ask_python_libraries().items():
        assert ["no" if words else "yes" for words in said] == shown()[name], name


def test_only_castling_letters_of_black_before_those_of_white_are_refused_by_python_chess() -> None:
    titles = [title for title, _ in tricky.load_texts()]
    refusals = dict(zip(titles, tricky.ask_python_libraries()["python-chess"], strict=True))
    assert refusals["castling letters of each side in another order"] == ""
    assert refusals["Black's castling letters before White's"].startswith("invalid castling part")


def test_page_and_readme_count_right() -> None:
    refused = {name: ["" if word == "yes" else word for word in column] for name, column in shown().items()}
    count = tricky.count_disagreements(refused)
    for page in (PAGE, README):
        words = " ".join(page.read_text(encoding="utf-8").split())
        sentence = rf"\b{count} of (these )?{len(tricky.load_texts())} (tricky )?texts\b"
        assert re.search(sentence, words), page.name


def test_every_refusal_has_a_place_and_what_is_odd_has_a_warning() -> None:
    for what, text in tricky.load_texts():
        reading = forsyth.check(text, "chess")
        assert all(finding.span.start < finding.span.end for finding in reading.errors), what
        assert reading.ok is not bool(reading.errors)
    odd = (
        "two blanks between fields",
        "castling letters of each side in another order",
        "Black's castling letters before White's",
        "move number 0",
    )
    for text in (text for what, text in tricky.load_texts() if what in odd):
        assert forsyth.check(text, "chess").warnings, text
