"""The record kernel: what it takes the record reader reads the same and has nothing to say about."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random
from threading import Barrier, Thread
from typing import Any

import pytest
from tests.golden_data import FOLDER

import forsyth
from forsyth.game import Game
from forsyth.games.chess.notation.san import write_san
from forsyth.games.chess.position import Position
from forsyth.games.chess.records.rows import COLUMN_FORMATS, COLUMNS, WANT_BITS
from forsyth.games.chess.rules.moves import legal_moves, play
from forsyth.limits import MAX_DIAGNOSTICS, MAX_MOVES, MAX_VARIATION_DEPTH
from forsyth.record import Line, Node, RecordReading, read_record, read_records
from forsyth.record import read as reading_module
from forsyth.record.kernel_errors import KernelErrors
from forsyth.record.kernels import next_border, record_kernel
from forsyth.record_bytes.columns import (
    ASK,
    FAULTY,
    NO_CLOCK,
    NO_EVAL,
    NOTE_CODES,
    NOTED,
    OPTIONAL_COLUMNS,
    RESULTS,
    TAKEN,
    RecordKernel,
)
from forsyth.record_bytes.comment_commands import Commands, read_commands

CHESS = forsyth.game("chess")
AUTO = CHESS.with_variant("auto")
GOLDEN = (FOLDER / "records.pgn").read_text(encoding="utf-8")
LETTERS = ".PNBRQKpnbrqk"

PLAIN = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n'
RICH = (
    '[White "a \\"q\\" \\\\"]\n[Black "ü"]\n\n'
    "1. e4 {c1} (1. d4 d5 {x} (1... Nf6 $1 {y} 2. c4!?)) {z} e5 $2 ; rest\n"
    "2. Nf3 {several\nlines  \n of it} (2. f4) {[%clk 0:01:02]} *\n\n"
)
CLOCKS = (
    '[Event "x"]\r\n[Result "*"]\r\n\r\n'
    "1. e4 {[%clk 0:01:00.5] [%eval 0.17,20]} e5 {[%eval #-3] [%emt 1]}\r\n"
    "2. Nf3 {[%clk\r\n1:00:00] [%cal Gc2c3,Rc3d4] [%csl Ra1]} *\r\n\r\n"
)
SETUP = '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 Kd7 2. e5 *\n\n'
HOUSE = '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 Qxe4+ 4. Be2 Qxe2+ 5. Nxe2 @e4 6. Q@e5 *\n\n'
CHECKS = '[Variant "Three-check"]\n\n1. e4 e5 2. Bc4 a6 3. Bxf7+ Ke7 4. d3 Kf6 5. Bg5+ *\n\n'
SHUFFLED = '[Variant "Chess960"]\n[FEN "1rk3r1/6p1/8/8/8/8/6P1/1RK3R1 w KQkq - 0 1"]\n\n1. O-O O-O-O *\n\n'
MATE = '[Event "m"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1 {done} ; ok\n\n'
BARE = "1. d4 d5 1/2-1/2\n\n"
EMPTY = '[Event "x"]\n\n*\n\n'
REMARK = "{before} 1. e4 *\n\n"
TAKEN_TEXTS = (
    PLAIN,
    REMARK,
    RICH,
    CLOCKS,
    SETUP,
    HOUSE,
    CHECKS,
    SHUFFLED,
    MATE,
    BARE,
    EMPTY,
    "\ufeff" + PLAIN,
)

FIVEFOLD = "1. Nf3 Nf6 2. Ng1 Ng8 " + " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(3, 9, 2))
ODD_TEXTS = (
    PLAIN.replace("Nf3", "Ngf3"),
    PLAIN.replace("Nf3", "Nf3+"),
    PLAIN.replace("2. Nf3", "3. Nf3"),
    PLAIN.replace("Nf3", "Nf4"),
    PLAIN.replace("e5", "--"),
    PLAIN.replace(" 1-0\n", "\n"),
    PLAIN.replace(" 1-0\n", " 0-1\n"),
    PLAIN.replace(" 1-0\n", " 1–0\n"),
    PLAIN.replace('"b"', '"b"b"'),
    PLAIN.replace("[Black", "[White"),
    PLAIN.replace("e5", "{open"),
    PLAIN.replace("e5", "(1. d4"),
    PLAIN.replace("e5", "() e5"),
    PLAIN.replace("e5", "$300 e5"),
    PLAIN.replace("e5", "!!! e5"),
    PLAIN.replace("e5", "{\u00a0nbsp} e5"),
    PLAIN.replace("e5", "{a\n\nb} e5"),
    PLAIN.replace("1. e4", "$1 1. e4"),
    PLAIN.replace("1. e4", "% escape\n1. e4").replace("\n%", "\n%"),
    PLAIN.replace("\n\n1.", "\n% escape\n\n1."),
    f'[Event "r"]\n\n{FIVEFOLD} 1-0\n\n',
    '[Event "x"]\n\n[Site "y"]\n\n1. e4 *\n\n',
    '[Event "x"] [Site "y"]\n\n1. e4 e5 1/2-1/2\n\n',
    '[Event "m"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n\n',
    '[Event "m"]\n\n1. f3 e5 2. g4 Qh4+ 0-1\n\n',
    '[Variant "Shuffle"]\n\n1. e4 *\n\n',
    '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 0"]\n\n1. e4 *\n\n',
    "; before\n\n" + PLAIN,
    '[Event "x"]\n\n{nothing} *\n\n',
    "e4 e5 1-0 1. d4 *\n\n",
)
NOTED_ODD_TEXTS = tuple(ODD_TEXTS[n] for n in (0, 1, 2, 3, 4, 5, 6, 9, 20, 23, 24))
"""Those that the kernel reads with notes. It leaves the others to the record reader."""
LEFT_TEXTS = tuple(text for text in ODD_TEXTS if text not in NOTED_ODD_TEXTS)
LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7"
LONG_TAGS = '[Event "x"]\n[White "a"]\n[Black "b"]\n[Result "1-0"]\n'
NOTED_TEXTS = {
    "no result": f"{LONG_TAGS}\n{LONG}\n\n",
    "no result, no tag of it": f'[Event "x"]\n\n{LONG} ; last \n\n\n',
    "an unknown result": f'[Result "?"]\n\n{LONG} {{c}}\n',
    "no result after a mate": '[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4#\n\n',
    "a result that is not that of the tag": f"{LONG_TAGS}\n{LONG} 0-1\n\n",
    "a result that the board contradicts": '[Event "m"]\n\n1. f3 e5 2. g4 Qh4# 1-0 {done}\n\n',
    "moves after a dead position": (
        '[SetUp "1"]\n[FEN "8/8/4k3/8/8/3K4/8/8 w - - 0 1"]\n\n1. Kd4 Kd6 2. Kc4 Kc6 1-0\n\n'
    ),
    "a tag twice": f'{LONG_TAGS}[Event "again"]\n[Result "0-1"]\n\n{LONG} 1-0\n\n',
    "the last move illegal": f"{LONG_TAGS}\n{LONG} 6. Qh9 1-0\n\n",
    "a move illegal": (
        f"{LONG_TAGS}\n{LONG} Ke3 {{a}} $1 (7. d4 {{b}} (d5)) Kd3! 8. 0-0 -- ; c\n 9... x 1-0 {{d}}\n\n"
    ),
    "the first move illegal": f"{LONG_TAGS}\n1. Ke3 e5 2. d4 1-0\n\n",
    "a variation illegal": (
        f"{LONG_TAGS}\n1. e4 (1. Qh8) (1. d4 Nf9 2. a3) e5 (1... c5 2. Ke3 (2. Kf2)) 1-0\n\n"
    ),
    "an illegal move and no result": f"{LONG_TAGS}\n{LONG} 6. Qh9\n\n",
    "an ambiguous move": '[Event "x"]\n\n1. Nf3 a6 2. d4 a5 3. Nd2 a4 *\n\n',
    "castling with zeros": f"{LONG_TAGS}\n{LONG.replace('O-O', '0-0')} 6. a3 0-0! 1-0\n\n",
    "castling that is illegal": f"{LONG_TAGS}\n1. 0-0-0 1-0\n\n",
    "piece symbols": f"{LONG_TAGS}\n{LONG.replace('N', '♘').replace('B', '♝')} 6. ♙a3 1-0\n\n",
    "dashes": f"{LONG_TAGS}\n{LONG.replace('O-O', 'O–O')} 6. a2−a3 1-0\n\n",
    "a symbol": f"{LONG_TAGS}\n{LONG} +- 6. d3 = ∞ (6. a3 ± +/-) b5 -/+ 1-0\n\n",
    "null moves": f"{LONG_TAGS}\n{LONG} 6. -- d6 (6... Z0 7. d4) 1-0\n\n",
    "a null move in check": '[Event "x"]\n\n1. e4 f6 2. Qh5+ -- 3. e5 *\n\n',
    "null moves that repeat a position": f'[Event "x"]\n\n{" ".join(["--"] * 16)} 1-0\n\n',
    "redundant spelling": f"{LONG_TAGS}\n1. e2e4 e7-e5 2. Ngf3! Nb8-c6+ 3. Bf1b5 1-0\n\n",
    "a drop of a named pawn": '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qxe4 4. Be2 *\n\n',
    "wrong numbers": f"{LONG_TAGS}\n7. e4 e5 8. Nf3 (8. f4) 9. Nc6 3. Bb5 1-0\n\n",
    "many findings": f"{LONG_TAGS}\n{' '.join(['♘f3', '♞f6', '♘g1', '♞g8'] * 30)} 1-0\n\n",
    "many errors": f"{LONG_TAGS}\n1. e4 {'(1. Ke4) ' * 70} 1-0\n\n",
}
"""Records that the kernel reads with notes."""
WORDS = (
    *(
        "♘f3",
        "♘",
        "O–O",
        "+-",
        "=",
        "±",
        "Qh9",
        "Ke3!",
        "Z0",
        "0-0-0",
        "Ngf3",
        "(1. Qh8)",
        "7.",
        "ep",
        "+/-!",
    ),
    *(
        "{",
        "}",
        "(",
        ")",
        "$1",
        "$300",
        "!",
        "?!",
        "!!!",
        ";",
        " ",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
        "\t",
        "%",
        "\n% e\n",
    ),
    *(
        "*",
        "1-0",
        "1/2-1/2",
        "1.",
        "1...",
        "12.",
        "...",
        "…",
        "e4",
        "Nf3",
        "O-O",
        "0-0",
        "--",
        "[",
        "]",
        '"',
        "\\",
    ),
    *(
        '[Event "z"]\n',
        '\n\n[Event "q"]\n',
        '[A "b"]',
        "{[%clk 0:00:10]}",
        "\u00a0",
        "\ufeff",
        "\u2013",
        "ü",
        "\x0b",
    ),
    *("\x00", "=Q", "+", "#", "x", "e.p.", "@", "N@f3", "{}", "()", "\u2028", '{a\n\n[Event "y"]\n}'),
    *(
        '[Result "1-0"]\n',
        '[Variant "chess960"]\n',
        '[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n',
        '[SetUp "1"]\n',
    ),
)


@pytest.fixture(autouse=True)
def _readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """`explained` is the reader that explains, without the kernel's help."""
    monkeypatch.setattr(reading_module, "make_fast_reader", lambda *_: None)


def kernel_for(
    game: Game, want: tuple[str, ...] = OPTIONAL_COLUMNS, *, games: int = 64, plies: int = 1 << 12
) -> RecordKernel:
    kernel = record_kernel(game, want, games=games, plies=plies)
    assert kernel is not None
    return kernel


def explained(text: str, game: Game) -> list[RecordReading]:
    return list(read_records(text, game))


def texts_of(offsets: memoryview, chars: memoryview) -> list[str]:
    return [bytes(chars[a:b]).decode() for a, b in pairwise(offsets)]


# --- both say the same ------------------------------------------------------------------------------


def compare(text: str, game: Game) -> tuple[int, int]:
    """Everything in the columns is what the reader says; how many rows there are, and left to it."""
    data = text.encode()
    expected = iter(explained(text, game))
    kernel = kernel_for(game)
    rows = asked = at = 0
    while (end := kernel.read(data, at)) > at:
        columns = _Columns(kernel, game, data)
        for row in range(kernel.games):
            part = data[columns["start"][row] : columns["end"][row]].decode()
            if columns["verdict"][row] != ASK:
                columns.compare(row, part, next(expected))
                continue
            for found in explained(part, game):
                other = next(expected)
                assert (found.text, found.record, found.diagnostics) == (
                    other.text,
                    other.record,
                    other.diagnostics,
                )
        rows, asked, at = rows + kernel.games, asked + kernel.fallback_count, end
    assert at == len(data) and list(expected) == []
    return rows, asked


class _Columns:
    """The columns of a kernel, to be looked at row by row."""

    def __init__(self, kernel: RecordKernel, game: Game, data: bytes) -> None:
        self.kernel, self.game, self.data = kernel, game, data
        self.sans, self.ucis = texts_of(*kernel.san_texts()), texts_of(*kernel.uci_texts())
        self.comments = texts_of(*kernel.comment_texts())
        self.first, names, values = kernel.tag_table()
        self.tags = list(zip(texts_of(*names), texts_of(*values), strict=True))
        self.errors = {error.row: error for error in KernelErrors(kernel, memoryview(data), game)}

    def __getitem__(self, name: str) -> memoryview:
        return self.kernel.column(name)

    def part(self, name: str, kind: str, row: int, width: int = 1) -> memoryview:
        first = self[f"first_{kind}"]
        return self[name][first[row] * width : first[row + 1] * width]

    def range(self, kind: str, row: int) -> range:
        return range(*self[f"first_{kind}"][row : row + 2])

    def compare(self, row: int, text: str, reading: RecordReading) -> None:
        record = reading.record
        assert record is not None
        assert text == reading.text
        self.compare_notes(row, text, reading)
        assert RESULTS[self["result"][row]] == record.result
        assert self.game.variants[self["variant"][row]] == record.game.variant
        tags = self.tags[self.first[row] : self.first[row + 1]]
        assert [tag for tag in tags if tag[0] not in ("FEN", "SetUp", "Result")] == list(record.tags)
        plies = self.range("ply", row)
        assert self.line(row, [(n, self.sans[ply]) for n, ply in enumerate(plies)]) == record.line
        assert [ply.move.uci for ply in record.match()] == [self.ucis[ply] for ply in plies]
        self.compare_positions(row, list(record.positions()))
        for ply, node in zip(plies, record.line, strict=True):
            self.compare_commands(ply, [read_commands(said) for said in node.after])

    def compare_notes(self, row: int, text: str, reading: RecordReading) -> None:
        """The notes are the findings as numbers, and the first error is the same in words."""
        start = self["start"][row]
        notes = []
        for note in self.range("note", row):
            place = self["note"][note]
            span = (place, place + self["note_length"][note])
            first, last = (len(self.data[start:end].decode()) for end in span)
            notes.append((first, last, NOTE_CODES[self["note_kind"][note]]))
        found = [(*finding.span, finding.code) for finding in reading.diagnostics]
        assert len(found) == min(len(notes), MAX_DIAGNOSTICS)
        if len(notes) <= MAX_DIAGNOSTICS:
            for (*noted_place, noted_code), (*found_place, code) in zip(
                sorted(notes), sorted(found), strict=True
            ):
                assert (noted_place, noted_code) == (found_place, code[: len(noted_code)])
        verdict = FAULTY if not reading.ok else NOTED if notes else TAKEN
        assert self["verdict"][row] == verdict
        assert (row in self.errors) == (not reading.ok)
        if not reading.ok:
            error = self.errors[row]
            assert error.diagnostic == reading.errors[0]
            lines_before = self.data[:start].decode().replace("\r\n", "\n").replace("\r", "\n").count("\n")
            line, column = replace(reading, line=1).place(error.diagnostic)
            assert (error.line, error.column) == (lines_before + line, column)

    def compare_positions(self, row: int, positions: list[Position]) -> None:
        packed, planes = self.game.packed_width, self.game.plane_shape.size  # type: ignore[attr-defined]
        assert bytes(self.part("key", "position", row, 16)).hex() == "".join(p.key for p in positions)
        assert bytes(self["end_key"][16 * row : 16 * row + 16]).hex() == positions[-1].key
        found = bytes(self.part("packed", "position", row, packed))
        assert found == b"".join(p.packed.ljust(packed, b"\0") for p in positions)
        board = "".join(LETTERS[man] for man in self.part("board", "position", row, 64))
        ranks = [position.board[8 * n : 8 * n + 8] for position in positions for n in range(7, -1, -1)]
        assert board == "".join(ranks)
        first = self["first_position"][row]
        fens = texts_of(self["fen_offsets"][first : first + len(positions) + 1], self["fen_chars"])
        assert fens == [str(position) for position in positions]
        if self.game is not AUTO:
            found = bytes(self.part("planes", "position", row, planes))
            own = [position for position in positions if position.variant == self.game.variant]
            assert not own or found == b"".join(self.game.planes(p) for p in own)  # type: ignore[attr-defined]

    def compare_commands(self, ply: int, said: list[Commands]) -> None:
        for name, nothing in (("clock", NO_CLOCK), ("emt", NO_CLOCK), ("eval", NO_EVAL)):
            numbers = [getattr(one, name) for one in said if getattr(one, name) is not None]
            assert self[name][ply] == (numbers[0] if numbers else nothing)
        for name in ("arrows", "circles"):
            start = self[name][ply]
            drawn = [getattr(one, name) for one in said if getattr(one, name) is not None]
            assert self.text(start, self[f"{name}_length"][ply]) == (drawn[0] if drawn else "")

    def line(self, row: int, moves: list[tuple[int, str]]) -> Line:
        return tuple(self.node(row, node, text) for node, text in moves)

    def node(self, row: int, node: int, text: str) -> Node:
        comments = [n for n in self.range("comment", row) if self["comment_node"][n] == node]
        first, lines = self["first_line"][row], self.range("line", row)
        return Node(
            text,
            tuple(self["nag"][n] for n in self.range("nag", row) if self["nag_node"][n] == node),
            tuple(self.comments[n] for n in comments if not self["comment_after"][n]),
            tuple(self.comments[n] for n in comments if self["comment_after"][n]),
            tuple(
                self.line(row, self.sides(row, line - first))
                for line in lines
                if self["line_node"][line] == node
            ),
        )

    def sides(self, row: int, line: int) -> list[tuple[int, str]]:
        """The moves of a variation with their nodes."""
        sides = self.range("side", row)
        return [
            (sides.start - 1 - side, self.text(self["side_san"][side], self["side_san_length"][side]))
            for side in sides
            if self["side_line"][side] == line
        ]

    def text(self, start: int, length: int) -> str:
        if start < 0:
            return bytes(self["respelled"][-1 - start : -1 - start + length]).decode()
        return self.data[start : start + length].decode()


@pytest.mark.parametrize("text", TAKEN_TEXTS)
def test_what_needs_no_word_is_taken(text: str) -> None:
    assert compare(text, AUTO) == (1, 0)
    # The packed form of Crazyhouse is wider than a column of standard chess.
    assert compare(text, CHESS) == (1, int(text == HOUSE))


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_what_is_odd_is_the_same_in_both(text: str) -> None:
    assert compare(text, CHESS)[1] == (0 if text in NOTED_ODD_TEXTS else 1)


@pytest.mark.parametrize("name", NOTED_TEXTS)
def test_the_kernel_notes_what_is_unusual_in_a_record(name: str) -> None:
    text = NOTED_TEXTS[name]
    game = AUTO if "Crazyhouse" in text else CHESS
    left_to_reader = int(name == "many errors")
    assert compare(text, game) == (1, left_to_reader)
    assert compare(text + PLAIN + text, game) == (3, 2 * left_to_reader)


def test_the_golden_games_are_the_same_in_both() -> None:
    assert compare(GOLDEN, CHESS) == (8, 1)
    assert compare(GOLDEN.replace("\n", "\r\n"), AUTO) == (8, 1)


def test_odd_records_do_not_hide_the_others() -> None:
    tagged = (PLAIN, RICH, CLOCKS, SETUP, HOUSE, CHECKS, MATE)
    text = "".join(plain + odd for plain in tagged for odd in LEFT_TEXTS[:2] + LEFT_TEXTS[3:10])
    rows, asked = compare(text, AUTO)
    assert (rows - asked, asked) == (len(tagged) * 9, len(tagged) * 9)


@pytest.mark.parametrize("variant", ["standard", "chess960", "crazyhouse", "3check"])
def test_random_games_of_every_variant(variant: str) -> None:
    game = CHESS.with_variant(variant)
    text = "".join(random_record(game, Random(seed)) for seed in range(12))
    rows, asked = compare(text, game)
    assert (rows, asked) == (12, 0)


def random_record(game: Any, random: Random) -> str:
    position: Position = (
        game.new_game(random.randrange(960)) if game.variant == "chess960" else game.parse(game.start)
    )
    tags = f'[Variant "{game.variant}"]\n[SetUp "1"]\n[FEN "{position}"]\n'
    words: list[str] = []
    for _ in range(random.randint(1, 120)):
        moves = legal_moves(position)
        if not moves or position.outcome is not None:
            break
        move = random.choice(moves)
        dots = "..." if position.black_to_move else "."
        words.append(f"{position.full}{dots} {write_san(position, move)}")
        position = play(position, move)
    result = position.outcome.result if position.outcome else "*"
    return f"{tags}\n{' '.join(words)} {result}\n\n"


# --- mutants ----------------------------------------------------------------------------------------


def mutants(seed: int, count: int) -> Iterator[str]:
    """Texts of one record or a few, in which words are put in, taken out, repeated."""
    seeds = (
        *TAKEN_TEXTS,
        *ODD_TEXTS,
        *NOTED_TEXTS.values(),
        *("[Event" + game for game in GOLDEN.split("[Event")[1:]),
    )
    for number in range(seed, seed + count):
        random = Random(number)
        yield "".join(_mutant(random, random.choice(seeds)) for _ in range(random.randint(1, 3)))


def _mutant(random: Random, text: str) -> str:
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        at, other = random.randrange(len(text) + 1), random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice((1, 1, 2, 5, 20)))
        change = random.random()
        if change < 0.5:
            text = text[:at] + random.choice(WORDS) + text[at:]
        elif change < 0.8:
            text = text[:at] + text[end:]
        else:
            text = text[:other] + text[at:end] + text[other:]
    return text


def test_mutants_are_the_same_in_both() -> None:
    for text in mutants(0, 150):
        compare(text, CHESS)


@pytest.mark.slow
def test_many_mutants_are_the_same_in_both() -> None:
    for number, text in enumerate(mutants(10_000, 3_000)):
        compare(text, AUTO if number % 4 == 0 else CHESS)


def test_records_are_the_same_the_quick_way(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [*TAKEN_TEXTS, GOLDEN, *mutants(500, 100)]
    slow = [(list(read_records(text, CHESS)), list(read_records(text))) for text in texts]
    monkeypatch.undo()
    assert [(list(read_records(text, CHESS)), list(read_records(text))) for text in texts] == slow
    sources = [io.StringIO(text, newline="") for text in texts]
    assert [list(read_records(source, CHESS)) for source in sources] == [named for named, _ in slow]


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_a_source_is_not_read_past_the_end_of_a_record(result: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    source = io.StringIO(PLAIN.rstrip("\n").replace("1-0", result) + "\n" + BARE)
    records = read_records(source, CHESS)
    assert next(records).require().result == result
    assert source.readline() == "1. d4 d5 1/2-1/2\n"


# --- pieces, rooms, borders -------------------------------------------------------------------------


def test_pieces_of_a_file_give_the_rows_of_the_whole() -> None:
    for seed, text in enumerate(mutants(2_000, 40)):
        data, random = (text + PLAIN + RICH).encode(), Random(seed)
        assert _in_pieces(data, random) == _rows(kernel_for(CHESS, ()), data, 0)


def _rows(
    kernel: RecordKernel, data: bytes, base: int, at: int = 0, final: bool = True
) -> list[tuple[int, ...]]:
    rows = []
    while (end := kernel.read(data, at, final)) > at:
        columns = [kernel.column(name) for name in ("start", "end", "verdict", "result")]
        rows += [(base + start, base + stop, *rest) for start, stop, *rest in zip(*columns, strict=True)]
        at = end
    return rows


def _in_pieces(data: bytes, random: Random) -> list[tuple[int, ...]]:
    kernel = kernel_for(CHESS, ())
    rows: list[tuple[int, ...]] = []
    held, base, at = b"", 0, 0
    while at < len(data):
        size = random.choice((1, 9, 60, 400))
        held, at = held + data[at : at + size], at + size
        found = _rows(kernel, held, base, 0, at >= len(data))
        rows += found
        done = found[-1][1] - base if found else 0
        held, base = held[done:], base + done
    return rows


def test_a_room_that_is_full_ends_the_call_before_the_next_record() -> None:
    data = (PLAIN * 10).encode()
    kernel = kernel_for(CHESS, games=3)
    assert kernel.read(data) == 3 * len(PLAIN) - 1
    assert kernel.games == 3
    kernel = kernel_for(CHESS, plies=9)
    assert kernel.read(data) == 2 * len(PLAIN)
    assert (kernel.games, kernel.plies, kernel.positions) == (2, 8, 10)
    kernel = kernel_for(CHESS, plies=3)
    assert kernel.read(data) == len(PLAIN)
    assert (kernel.games, kernel.fallback_count, kernel.plies) == (1, 1, 0)


@pytest.mark.parametrize(
    ("text", "games", "plies"),
    [(EMPTY * 40, 40, 1), (BARE * 5, 5, 10), (SETUP * 3, 4, 12), (CLOCKS + EMPTY * 9, 10, 3), (RICH, 1, 7)],
)
def test_a_room_that_is_just_large_enough_gives_the_same_columns(text: str, games: int, plies: int) -> None:
    data = text.encode()
    small, large = kernel_for(CHESS, games=games, plies=plies), kernel_for(CHESS)
    for _ in range(2):
        assert large.read(data) - small.read(data) in (0, 1), "a full room ends before a blank line"
        assert (small.games, small.plies) == (large.games, large.plies)
        assert 0 < small.games <= games
        for name in COLUMN_FORMATS:
            assert small.column(name).tobytes() == large.column(name).tobytes(), name


def test_columns_that_are_held_stay_as_they_are() -> None:
    kernel = kernel_for(CHESS)
    kernel.read(PLAIN.encode())
    held = kernel.column("move")
    before = held.tolist()
    kernel.read(BARE.encode())
    assert held.tolist() == before
    assert kernel.column("move").tolist() != before[:2]


def test_a_column_that_was_not_asked_for_is_not_there() -> None:
    kernel = kernel_for(CHESS, ("keys",))
    kernel.read(PLAIN.encode())
    assert len(kernel.column("key")) == 5 * 16
    for name in ("clock", "board", "nothing"):
        with pytest.raises(KeyError):
            kernel.column(name)
    with pytest.raises(ValueError, match="records have no column 'colours'"):
        record_kernel(CHESS, ("colours",))


SAYING_MUCH = (
    b'[Event "x"]\n\n1. e4 {[%clk 1:00:00] [%emt 0:00:05] [%eval 0.3] [%cal Ge2e4,Re4e5] [%csl Gd4] words} '
    b"$1 e5 (1... c5 {[%clk 0:59:00] [%cal Gc7c5] [%csl Rc5]}) 2. Nf3 {[%eval #3] [%csl Rf3]} *\n\n"
)


@pytest.mark.parametrize(
    "wanted", [(), *((name,) for name in OPTIONAL_COLUMNS)], ids=lambda wanted: "".join(wanted)
)
def test_what_is_asked_for_alone_is_what_it_is_beside_all_the_others(wanted: tuple[str, ...]) -> None:
    kernel, whole = kernel_for(CHESS, wanted), kernel_for(CHESS)
    assert kernel.read(SAYING_MUCH) == whole.read(SAYING_MUCH) == len(SAYING_MUCH)
    asked = {name for name, _, _, _, bit in COLUMNS if not bit or any(WANT_BITS[one] & bit for one in wanted)}
    for name, *_ in COLUMNS:
        if name in asked:
            assert bytes(kernel.column(name)) == bytes(whole.column(name)), name
        else:
            with pytest.raises(KeyError, match=f"the column {name!r} was not requested"):
                kernel.column(name)


def test_tags_clocks_and_contents() -> None:
    kernel = kernel_for(CHESS)
    kernel.read((RICH + CLOCKS + "nonsense\n").encode())
    offsets, chars, bits, missing = kernel.tag_texts("White")
    assert texts_of(offsets, chars) == ['a "q" \\', "", ""]
    assert (bits, missing) == (b"\x01", 2)
    assert kernel.validity("clock") == (b"\x2c", 3)
    assert kernel.column("clock").tolist() == [-1, -1, 62_000, 60_500, -1, 3_600_000]
    assert kernel.column("eval").tolist()[3:5] == [17, -999_997]
    _, names, values = kernel.tag_table(("White", "Result"))
    assert (texts_of(*names), texts_of(*values)) == (["Black", "Event"], ["ü", "x"])
    contents = kernel.contents(1)
    assert contents.tags == [("Event", "x", 0), ("Result", "*", 0)]
    assert (contents.moves, contents.result) == (["e4", "e5", "Nf3"], 0)
    with pytest.raises(ValueError, match="row 2 has no contents"):
        kernel.contents(2)


def test_bounds_are_those_of_the_reader() -> None:
    deep = "(1. d4 " * MAX_VARIATION_DEPTH + ")" * MAX_VARIATION_DEPTH
    assert compare(f"1. e4 {deep} *\n", CHESS) == (1, 0)
    deeper = "(1. d4 " * (MAX_VARIATION_DEPTH + 1) + ")" * (MAX_VARIATION_DEPTH + 1)
    assert compare(f"1. e4 {deeper} *\n", CHESS) == (1, 1)
    assert MAX_MOVES == 20_000


def test_borders() -> None:
    data = (PLAIN + ODD_TEXTS[0] + RICH).encode()
    first = next_border(data, 0)
    assert data[first:].startswith(b"[White") and data[:first] == PLAIN.encode()
    assert next_border(data, first + 1) == len(PLAIN + ODD_TEXTS[0])
    assert next_border(data, len(data)) == -1
    with pytest.raises(ValueError, match="is outside of the"):
        next_border(data, len(data) + 1)


def test_other_games_have_no_kernel() -> None:
    assert record_kernel("cotulenh") is None
    assert record_kernel(CHESS.with_profile("seed")) is None


def test_a_kernel_reads_for_one_thread_at_a_time() -> None:
    data = (SHUFFLED * 200).encode()
    kernel = kernel_for(CHESS, games=1 << 12)
    together = Barrier(2)
    found: list[object] = []

    def read() -> None:
        together.wait()
        try:
            found.append(kernel.read(data))
        except RuntimeError as error:
            found.append(str(error))

    threads = [Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    allowed = {len(data), "this kernel is in use by another thread; create one kernel per thread"}
    assert len(data) in found and set(found) <= allowed


# --- commands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("[%clk 0:05:00]", Commands(clock=300_000)),
        ("[%eval -0.31] [%clk 1:00:01.5]", Commands(clock=3_601_500, eval=-31)),
        ("[%eval #-3]", Commands(eval=-999_997)),
        ("[%eval 0.2,20][%emt 12.345]", Commands(emt=12_345, eval=20)),
        ("[%clk 99999:00:00] [%eval 99999]", Commands()),
        ("[%cal Gc2c3,Rc3d4] x [%csl Ra1]", Commands(arrows="Gc2c3,Rc3d4", circles="Ra1")),
        ("[%clk] [%evil 3] [%clk 1 [%eval 1.2.3] [%clk 1:2:3:4]", Commands()),
        ("ü [%clk x][%clk 3 ] [%clk 4]", Commands(clock=3_000)),
        ("[%eval +1.5]", Commands(eval=150)),
        ("", Commands()),
    ],
)
def test_commands_of_a_comment(text: str, commands: Commands) -> None:
    assert read_commands(text) == commands


def test_one_record_is_read_as_before() -> None:
    assert read_record(PLAIN, CHESS).require().moves == ["e4", "e5", "Nf3", "Nc6"]
