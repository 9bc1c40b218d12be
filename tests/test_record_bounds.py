"""Records from hostile texts and endless sources: nothing raises, nothing grows, the next record is found."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden_data import COMPILED
from tests.outside_game_0_1 import GAME as NIM
from tests.test_record import CHESS, GOLDEN, PLAYERS, Bracketed, codes
from tests.work import calls_of

from forsyth.diagnostics import Mode
from forsyth.game import Game
from forsyth.limits import MAX_DIAGNOSTICS, MAX_MOVES, MAX_RECORD, MAX_VARIATION_DEPTH
from forsyth.record import Node, Record, parse_record, read_record, read_records, write_record

# --- any text at all --------------------------------------------------------------------------------

pytestmark = pytest.mark.slow

WORDS = (
    *(
        "1.",
        "1...",
        "1",
        "..",
        "e4",
        "e5",
        "Nf3",
        "Nc6",
        "d4",
        "O-O",
        "0-0",
        "--",
        "xx",
        "♘f3",
        "Z0",
        "0000",
        "e.p.",
    ),
    *("a1", "b2", "(a)1", "(", ")", "{", "}", "{x}", ";", "$1", "$", "!", "??", "<>", "[", "]"),
    *(
        "%",
        "\ufeff",
        "0" * 10,
        "9" * 20,
        "*",
        "1-0",
        "0-1",
        "1/2-1/2",
        "1/2",
        "½-½",
        "0-0-1",
        "1–0",
        "½",
        "–",
        "- ",
    ),
    *('[Event "x"]', "[Event", '"x"]', '[White "a"]', '[Black "b"]', '[Result "1-0"]', '[A "\\"]'),
    *('[FEN "8/8/8/8/8/8/k7/2K5 w - - 0 1"]', '[FEN "8/8 w"]', '[FEN "nim 1/2 1"]', '[SetUp "1"]'),
    *('[A "b"c"]', '[Variant "chess960"]', '[Variant "x"]', '[Variant "From Position"]', "1 - 0", "O—O"),
    '[FEN "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1"]',
)
ANY_TEXT = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.tuples(st.sampled_from(WORDS), st.sampled_from((" ", " ", "\n", "\n\n", "\r", ""))), max_size=40
    ).map(lambda pairs: "".join(map("".join, pairs))),
    st.tuples(st.integers(0, len(GOLDEN)), st.integers(0, 400), st.text(max_size=3)).map(
        lambda cut: GOLDEN[cut[0] : cut[0] + cut[1]] + cut[2] + GOLDEN[cut[0] + cut[1] + 2 :][:300]
    ),
)


@given(
    text=ANY_TEXT,
    game=st.sampled_from((None, CHESS, NIM, Bracketed())),
    mode=st.sampled_from(("strict", "default", "lenient")),
)
def test_no_text_raises(text: str, game: Game | None, mode: Mode) -> None:
    readings = [read_record(text, game, mode=mode), *read_records(text, game, mode=mode)]
    for reading in readings:
        assert len(reading.diagnostics) <= MAX_DIAGNOSTICS
        assert all(0 <= d.span.start <= d.span.end <= len(reading.text) for d in reading.diagnostics)
        assert list(reading.diagnostics) == sorted(reading.diagnostics, key=lambda d: d.span)
        if reading.record is not None:
            written = write_record(reading.record)
            assert write_record(parse_record(written, reading.record.game)) == written
    found = 0
    for reading in readings[1:]:
        assert "record.more" not in codes(reading)
        found = text.index(reading.text, found) + len(reading.text)
        assert reading.text.strip()
    assert readings[0].text == text


HOSTILE = {
    "open brackets": "1. e4 " + "(" * MAX_RECORD,
    "closing brackets": "1. e4 " + ")" * MAX_RECORD,
    "nested variations": "1. e4 " + "(1. d4 " * (MAX_RECORD // 7),
    "variations of bad moves": "1. e4 " + "(x)" * (MAX_RECORD // 3),
    "many short variations": "1. e4 " + "(d4)" * (MAX_RECORD // 4),
    "open braces": "{" * MAX_RECORD,
    "an open comment of lines": "{\n" * (MAX_RECORD // 2),
    "a comment of blanks": "1. e4 {x" + " " * (MAX_RECORD - 20) + "\nx} *",
    "broken tags": '[a "x] ' * (MAX_RECORD // 7),
    "broken tags behind blanks": " " * (MAX_RECORD // 2) + '[a "x] ' * (MAX_RECORD // 14),
    "a tag without end": '[a "' + '"' * MAX_RECORD,
    "a long name": "[" + "a" * MAX_RECORD,
    "many tags": '[a "x"]' * (MAX_RECORD // 7),
    "blanks": " " * MAX_RECORD + "x",
    "glyphs": "1. e4 " + "$1" * (MAX_RECORD // 2),
    "marks": "1. e4 " + "!" * MAX_RECORD,
    "digits": "1" * MAX_RECORD,
    "numbers": "1. " * (MAX_RECORD // 3),
    "noughts": "0-" * (MAX_RECORD // 2),
    "half results": "1/2 - " * (MAX_RECORD // 6),
    "dashes": "–" * MAX_RECORD,
    "null moves": "-- " * (MAX_RECORD // 3),
    "words behind a move": "e4 a6 e5 d5 exd6" + " e.p." * (MAX_RECORD // 8),
    "results": "* " * (MAX_RECORD // 8),
    "results in variations": "1. e4 (d4" + " 1-0 {x}" * (MAX_RECORD // 16) + ")",
    "odd signs": "< " * (MAX_RECORD // 2),
    "one word": "a" * MAX_RECORD,
    "moves": "Nf3 Nf6 Ng1 Ng8 " * (MAX_RECORD // 16),
    "noise": "".join(Random(1).choices('()[]{}$;%!?*."\\ \n\t0123456789abcdefghNBRQKOx+#=-', k=MAX_RECORD)),
}


SIZES = (MAX_RECORD // 64, MAX_RECORD // 128)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_hostile_text_costs(name: str) -> None:
    # Where a pattern or a loop is not linear, the text takes hours. The pure build needs ten times as long.
    reading = read_record(HOSTILE[name][: MAX_RECORD if COMPILED else MAX_RECORD // 8], "chess")
    assert len(reading.diagnostics) <= MAX_DIAGNOSTICS
    whole, half = (calls_of(partial(read_record, HOSTILE[name][:size], "chess")) for size in SIZES)
    assert whole <= 2.5 * half + 1_000


@pytest.mark.parametrize("name", ["broken tags", "results", "results in variations", "noise"])
def test_what_a_hostile_source_costs(name: str) -> None:
    text = HOSTILE[name][: MAX_RECORD // 16]
    readings = list(read_records(text, "chess"))
    assert sum(len(reading.text) for reading in readings) <= len(text)


def test_a_long_comment_is_written_in_one_pass() -> None:
    for comment in ("[% " * 100_000, "a " * 150_000, " " * 300_000 + "x", "a  " * 100_000):
        node = Node("e4", after=(comment,))
        record = Record(CHESS, (), CHESS.parse(CHESS.start), (node,))
        assert calls_of(partial(write_record, record)) < 4 * len(comment)


# --- limits -----------------------------------------------------------------------------------------


def test_the_depth_of_variations() -> None:
    def nested(depth: int) -> str:
        return "1. e4 " + "(1. d4 " * depth + ")" * depth + " e5 *"

    assert read_record(nested(MAX_VARIATION_DEPTH), "chess").ok
    text = nested(MAX_VARIATION_DEPTH + 1)
    reading = read_record(text, "chess")
    assert [(d.code, text[slice(*d.span)]) for d in reading.diagnostics] == [("record.variation", "(")]
    record = reading.record
    assert record is not None
    assert record.moves == ["e4", "e5"]
    assert parse_record(write_record(record)).line == record.line
    assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301


def test_the_number_of_moves() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * (MAX_MOVES // 4)
    record = parse_record(f"{shuffle} *", "chess")
    assert len(record.line) == MAX_MOVES
    assert len(record.match()) == MAX_MOVES
    reading = read_record(f"{shuffle} a4 a5 *", "chess")
    assert [(d.code, d.span.start) for d in reading.diagnostics] == [("record.long", len(shuffle) + 1)]
    assert reading.record == record


def test_the_length_of_a_record() -> None:
    fitting = "1. e4 *" + " " * (MAX_RECORD - 7)
    assert read_record(fitting, "chess").ok
    reading = read_record(fitting + " ", "chess")
    assert (codes(reading), reading.record) == (["record.long"], None)
    assert reading.diagnostics[0].span == (MAX_RECORD, MAX_RECORD + 1)


# --- streams ----------------------------------------------------------------------------------------


class Source:
    """Lines without end, and how many characters of them were asked for."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.line = ""
        self.taken = 0

    def readline(self, size: int = -1, /) -> str:
        self.line = self.line or next(self.lines, "")
        piece = self.line[:size] if size >= 0 else self.line
        self.line = self.line[len(piece) :]
        self.taken += len(piece)
        return piece


def test_each_record_comes_as_soon_as_its_end_is_read() -> None:
    game = PLAYERS + "\n1. e4 e5\n2. Nf3 *\n\n"
    lines = itertools.cycle(game.splitlines(keepends=True))
    source = Source(lines)
    for number, reading in enumerate(itertools.islice(read_records(source), 1000), 1):
        assert reading.require().moves == ["e4", "e5", "Nf3"]
        assert reading.line == 1 + 5 * (number - 1)
        assert source.taken == number * len(game) - 1
    without_result = itertools.cycle((PLAYERS, "\n", "1. e4 e5\n"))
    readings = read_records(Source(without_result))
    assert all(codes(next(readings)) == ["record.result_missing"] for _ in range(1000))


def test_records_without_tags_or_line_ends_between_them() -> None:
    texts = [reading.text for reading in read_records("1. e4 1-0 {late} 1. d4 0-1 ; x\n* 1. c4", "chess")]
    assert texts == ["1. e4 1-0 {late}", " 1. d4 0-1 ; x\n", "*", " 1. c4"]
    joined = '1. e4 * [White "a"][Black "b"] 1. d4 *'
    readings = list(read_records(joined, "chess"))
    assert [codes(reading) for reading in readings] == [[], []]
    assert dict(readings[1].require().tags) == {"White": "a", "Black": "b"}


def test_a_tag_with_loose_quotes_begins_a_record_like_any_other() -> None:
    readings = list(read_records(f'{PLAYERS}\n1. e4\n[Event "a "b" c"]\n{PLAYERS}\n1. d4 *'))
    assert [codes(reading) for reading in readings] == [["record.result_missing"], ["record.tag_quotes"]]
    assert readings[1].require().tag("Event") == 'a "b" c'


def test_a_broken_record_does_not_spoil_the_next() -> None:
    good = PLAYERS + "\n1. e4 e5 *\n\n"
    broken = (
        PLAYERS + "\n1. e4 {not closed e5 *\n\n",
        PLAYERS + "\n1. e4 (1. d4 (1. c4\n\n",
        PLAYERS + "\n1. e4 (1. d4 d5 *\n\n",
        PLAYERS + "\n1. xx *\n\n",
        PLAYERS + "[Broken]\n\n1. e4 *\n\n",
        PLAYERS + '[FEN "x"]\n\n1. e4 \') } { *\n\n',
    )
    for bad in broken:
        readings = list(read_records(good + bad + good))
        assert [r.ok for r in readings] == [True, False, True], bad
        assert readings[-1].text == good.rstrip("\n") + "\n"
        assert readings[-1].line == 1 + (good + bad).count("\n")


def test_records_without_moves_are_told_apart_by_their_tags() -> None:
    tags = '[Event "a"]\n' + PLAYERS
    readings = list(read_records(f"{tags}\n{tags}\n\n{tags}"))
    assert [codes(reading) for reading in readings] == [["record.result_missing"]] * 3
    # A blank line alone separates nothing.
    assert len(list(read_records(f'[Event "a"]\n\n{PLAYERS}\n*'))) == 1


def test_a_record_too_long_is_passed_over_and_never_held() -> None:
    good = [PLAYERS, "\n", "1. e4 e5 *\n"]
    one_line = "x" * (2 * MAX_RECORD) + "\n"
    lines = ("{ no end\n", "e4 e5\n", '[A "x"]\n', "x" * 1000, " " * 999 + "x", one_line, f'[A "{one_line}')
    for endless in lines:
        count = 3 * MAX_RECORD // len(endless)
        source = Source(itertools.chain(good, itertools.repeat(endless, count), ["\n"], good))
        readings = list(read_records(source))
        assert readings[0].ok and readings[-1].ok
        assert readings[-1].line == 5 + endless.count("\n") * count
        assert "record.long" in {code for reading in readings for code in codes(reading)}
        assert all(len(reading.text) <= MAX_RECORD for reading in readings)


def test_an_open_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(b"\xef\xbb\xbf" + GOLDEN.replace("\n", "\r\n").encode())
    with path.open(encoding="utf-8", newline="") as file:
        records = [reading.require() for reading in read_records(file)]
    assert records == [reading.require() for reading in read_records(GOLDEN)]


def test_nothing_is_in_an_empty_source() -> None:
    for text in ("", "\n \n", "% escape\n\n", "\ufeff"):
        assert list(read_records(text)) == []


def test_the_record_behind_one_that_is_too_long_by_its_tag_is_read() -> None:
    beginning, end = "1. e4 {\n", "}\n"
    lines = "x" * 79 + "\n"
    filled = beginning + lines * ((MAX_RECORD - len(beginning) - len(end)) // len(lines))
    long = filled + "y" * (MAX_RECORD - len(filled) - len(end)) + end
    assert len(long) == MAX_RECORD
    first, second = read_records(f'{long}[White "B"]\n\n1. d4 *\n', CHESS)
    assert [finding.code for finding in first.diagnostics] == ["record.long"]
    assert second.record is not None
    assert (dict(second.record.tags)["White"], second.record.moves) == ("B", ["d4"])
