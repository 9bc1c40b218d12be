"""Correct and broken texts in every kind of place: the broken ones are found, the correct ones are not.

`python -m tests.lint.test_places` prints how many broken texts are found in each place.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, NamedTuple
from urllib.parse import quote

import pytest

from forsyth import check
from forsyth.lint import Settings, lint_text
from forsyth.lint.kinds import detect_kind
from forsyth.lint.recognise import may_hold_positions

START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

CORRECT: Final = (
    f"{START} w KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/4k3/8/8/4K3/4R3/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 34",
    f"{START} w KQkq -",
    f"{START}[] w KQkq - 0 1",
    "rnb1kb1r/pp2pppp/2p2n2/3q4/8/5N2/PPPP1PPP/RNBQKB1R[Pp] w KQkq - 0 5",
    f"{START} w KQkq - 3+3 0 1",
    "nqrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBNR w HChc - 0 1",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1",
)
BROKEN: Final = {
    "nine": "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "narrow rank": "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rank missing": "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "letter": "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "no king": "rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "side": f"{START} x KQkq - 0 1",
    "castling": f"{START} w KQxq - 0 1",
    "en passant": f"{START} w KQkq e9 0 1",
    "half-moves": f"{START} w KQkq - x 1",
    "one field too many": f"{START} w KQkq - - 0 1",
    "shogi": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "xiangqi": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAQABNR w - - 0 1",
    "cotulenh": (
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/12/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
    ),
}


def in_url_path(text: str) -> str:
    """Return a text as servers write it in the path of an address."""
    return quote(text.replace(" ", "_"), safe="/_")


def split(text: str, gap: str) -> str:
    """Return a text as two quoted texts, which meet at the first blank."""
    board, _, rest = text.partition(" ")
    return f'"{board} "{gap}"{rest}"'


class Place(NamedTuple):
    file: str
    write: Callable[[str], str]


PLACES: Final = {
    "code span": Place("a.md", "See `{}` here.\n".format),
    "fenced line": Place("a.md", "```\n{}\n```\n".format),
    "table cell": Place("a.md", "| name | text |\n|---|---|\n| start | {} |\n".format),
    "table cell in the middle": Place("a.md", "| 1 | {} | the start |\n".format),
    "tight table cell": Place("a.md", "|{}|start|\n".format),
    "end of a sentence": Place("a.md", "The game begins with {}.\n".format),
    "middle of a sentence": Place("a.md", "The position {} is where we begin.\n".format),
    "in parentheses": Place("a.md", "The position ({}) is known.\n".format),
    "after a colon": Place("a.md", "FEN: {}\n".format),
    "bold": Place("a.md", "This is **{}** indeed.\n".format),
    "list": Place("a.md", "- {}\n".format),
    "bare line": Place("a.md", "Text.\n\n{}\n\nText.\n".format),
    "link": Place("a.md", lambda text: f"[board](https://lichess.org/editor/{in_url_path(text)})\n"),
    "link of an analysis": Place(
        "a.md", lambda text: f"<https://lichess.org/analysis/standard/{in_url_path(text)}?color=white>\n"
    ),
    "link with a query": Place(
        "a.md", lambda text: f"[b](https://www.example.org/analysis?fen={quote(text, safe='/')}&flip=1)\n"
    ),
    "link with a coded query": Place(
        "a.md", lambda text: f"https://www.example.org/analysis?fen={quote(text, safe='')}\n"
    ),
    "link with plus signs": Place(
        "a.md", lambda text: f"https://www.example.org/?fen={text.replace(' ', '+')}\n"
    ),
    "CSV": Place("a.csv", "id,fen,rating\n1,{},1500\n".format),
    "first cell of a CSV": Place("a.csv", "fen,rating\n{},1500\n".format),
    "last cell of a CSV": Place("a.csv", "id;fen\r\n7;{}\r\n".format),
    "quoted cell of a CSV": Place("a.csv", 'id,fen,note\n1,"{}","a"\n'.format),
    "TSV": Place("a.tsv", "A00\tStart\t{}\n".format),
    "plain text": Place("a.txt", "{}\n".format),
    "plain text with a sentence": Place("a.txt", "Begin with {} and play e4.\n".format),
    "reStructuredText": Place("a.rst", "Use it::\n\n    {}\n".format),
    "HTML": Place("a.html", "<td>{}</td>\n".format),
    "attribute": Place("a.html", '<div data-fen="{}"></div>\n'.format),
    "string": Place("a.py", 'x = "{}"\n'.format),
    "comment": Place("a.py", "# {}\nx = 1\n".format),
    "comment with a sentence": Place("a.py", "# The position {} is tested.\n".format),
    "trailing comment": Place("a.py", 'x = "a"  # {}\n'.format),
    "comment in C": Place("a.c", "int x; // FEN: {}\n".format),
    "block comment": Place("a.c", "/*\n * begins with\n   {}\n */\n".format),
    "documentation comment": Place("a.rs", "/// Reads {}.\n".format),
    "comment in SQL": Place("a.sql", "-- {}\n".format),
    "comment in YAML": Place("a.yaml", "a: 1\n# {}\n".format),
    "YAML value": Place("a.yaml", "fen: {}\n".format),
    "triple-quoted": Place("a.py", 'x = """{}"""\n'.format),
    "line of a triple-quoted text": Place("a.py", 'x = """\n{}\n"""\n'.format),
    "docstring": Place("a.py", 'def f():\n    """Return the position\n\n    {}\n    """\n'.format),
    "single triple quotes": Place("a.py", "x = '''\n    {}\n'''\n".format),
    "adjacent literals": Place("a.py", lambda text: f"x = ({split(text, chr(10) + '     ')})\n"),
    "literals and a plus": Place("A.java", lambda text: f"String x = {split(text, ' + ')};\n"),
    "literals in C": Place("a.c", lambda text: f"char *x = {split(text, ' ')};\n"),
    "adjacent ranks": Place("a.py", lambda text: 'x = "' + text.replace("/", '/"\n    "', 3) + '"\n'),
    "JSON": Place("a.json", lambda text: json.dumps({"fen": text})),
    "JSON with escaped slashes": Place("a.json", lambda text: json.dumps({"fen": text}).replace("/", "\\/")),
}

TESTS: Final = [(place, kind) for place in PLACES for kind in BROKEN]


def is_found(place: Place, text: str) -> bool:
    """Return whether the linter reports what a check of the text alone reports, at least in part."""
    expected_codes = {diagnostic.code for diagnostic in check(text).diagnostics if diagnostic.is_error}
    return any(
        finding.code in expected_codes for finding in lint_text(place.file, place.write(text), Settings())
    )


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_no_correct_text_is_reported_in_any_place(place: Place) -> None:
    found = {text: lint_text(place.file, place.write(text), Settings()) for text in CORRECT}
    assert {
        text: [str(finding) for finding in findings] for text, findings in found.items() if findings
    } == {}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_no_file_with_a_broken_text_is_passed_over(place: Place) -> None:
    kind = detect_kind(place.file)
    passed_over = [
        text for text in BROKEN.values() if not may_hold_positions(place.write(text).encode(), kind)
    ]
    assert passed_over == []


def test_broken_texts_are_found_in_every_kind_of_place() -> None:
    assert [(place, kind) for place, kind in TESTS if not is_found(PLACES[place], BROKEN[kind])] == []


if __name__ == "__main__":
    found_count = 0
    for name, place in PLACES.items():
        missed_kinds = [kind for kind, text in BROKEN.items() if not is_found(place, text)]
        found_count += len(BROKEN) - len(missed_kinds)
        print(f"{name}: {len(BROKEN) - len(missed_kinds)} of {len(BROKEN)} {', '.join(missed_kinds)}")
    reported = sum(
        bool(lint_text(place.file, place.write(text), Settings()))
        for place in PLACES.values()
        for text in CORRECT
    )
    print(f"found {found_count} of {len(TESTS)} broken texts")
    print(f"reported {reported} of {len(PLACES) * len(CORRECT)} correct texts")
