"""The benchmark's adapters do the same job in every library, and its verdicts follow from its figures.

Nothing here depends on how fast anything is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pytest
from bench import child as bench_child
from bench import measure as bench_measure
from bench import other_games
from bench import ours as bench_ours
from bench import peers as bench_peers
from bench import run as bench_run
from bench.__main__ import main
from bench.adapters import OPERATIONS, Adapter, make_loop, make_pair_loop
from bench.child import ChildError, measure_first_pass_ratio
from bench.corpus import (
    GARBAGE_LENGTH,
    START,
    Row,
    load_broken_texts,
    load_speed_rows,
    make_garbage,
    sample_rows,
)
from bench.en_passant import find_convention, find_conventions
from bench.lines import Line, verdict_rows
from bench.measure import Timing, count_wrong_move_lists, measure, measure_perft, select_readable_rows
from bench.ours import FORSYTH, make_forsyth_adapter
from bench.peers import NCHESS, PEERS, PYTHON_CHESS, load_peers, make_copying_perft, make_validator
from bench.promises import PURE, REQUIREMENTS, AtMost, Faster, Figures, Verdict, all_met, fastest_rival, judge
from bench.report import format_library_table, format_ratio_table, format_remarks, format_table, to_json_data
from bench.spellings import CALLS, SPELLINGS, add_slip, max_ratios, measure_text_ratios

from forsyth import game as game_of
from forsyth import reading

LIBRARIES = {FORSYTH: make_forsyth_adapter()} | {name: peer for name, peer in load_peers().items() if peer}
"""Forsyth and the peers that are installed here: python-chess always, the others where the benchmark runs."""


class Sample(NamedTuple):
    """A legal position, one legal move in it, and what perft counts to depth 2."""

    fen: str
    san: str
    uci: str
    nodes: int


SAMPLES = {
    "start": Sample(START, "Nf3", "g1f3", 400),
    "castling": Sample(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "O-O-O", "e1c1", 2039
    ),
    "en passant": Sample(
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "exf6", "e5f6", 707
    ),
    "promotion": Sample("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "gxh1=Q", "g2h1q", 496),
}
ILLEGAL = {
    "no kings": "8/8/8/8/8/8/8/8 w - - 0 1",
    "side not to move in check": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "pawn on the first rank": "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
    "castling without a rook": "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1",
    "en passant without a pawn": "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
}
# nchess misreads the en-passant square of a text; rust-chess wants "e.p." and promotion without "=".
KNOWN_FAULTS = {
    (NCHESS, "moves", "en passant"),
    (NCHESS, "perft", "en passant"),
    ("rust-chess", "san", "en passant"),
    ("rust-chess", "san", "promotion"),
}


def _moves(library: Adapter, fen: str) -> list[str]:
    assert library.moves is not None
    position = library.parse(fen)
    return sorted(library.uci(position, move) for move in library.moves(position))


def _san(library: Adapter, sample: Sample) -> str:
    assert library.san is not None
    position = library.parse(sample.fen)
    return library.uci(position, library.san(position, sample.san))


def _perft_twice(library: Adapter, fen: str) -> list[int]:
    assert library.perft is not None
    position = library.parse(fen)
    return [library.perft(position, 2), library.perft(position, 2)]


ANSWERS: dict[str, Callable[[Adapter, Sample], object]] = {
    "moves": lambda library, sample: _moves(library, sample.fen),
    "san": _san,
    "perft": lambda library, sample: _perft_twice(library, sample.fen),
}
EXPECTED: dict[str, Callable[[Sample], object]] = {
    "moves": lambda sample: _moves(LIBRARIES[PYTHON_CHESS], sample.fen),
    "san": lambda sample: sample.uci,
    "perft": lambda sample: [sample.nodes] * 2,
}


def _able(operation: str) -> list[str]:
    return [name for name, library in LIBRARIES.items() if getattr(library, operation) is not None]


RIGHT = [
    (name, operation, title)
    for operation in ANSWERS
    for name in _able(operation)
    for title in SAMPLES
    if (name, operation, title) not in KNOWN_FAULTS
]


@pytest.mark.parametrize(("name", "operation", "title"), RIGHT)
def test_an_answer_is_right(name: str, operation: str, title: str) -> None:
    sample = SAMPLES[title]
    assert ANSWERS[operation](LIBRARIES[name], sample) == EXPECTED[operation](sample)


def _is_right(name: str, operation: str, title: str) -> bool:
    sample = SAMPLES[title]
    try:
        return ANSWERS[operation](LIBRARIES[name], sample) == EXPECTED[operation](sample)
    except ValueError:
        return False


def test_the_known_faults_of_the_peers_are_still_there() -> None:
    assert {fault for fault in KNOWN_FAULTS if fault[0] in LIBRARIES and _is_right(*fault)} == set()


@pytest.mark.parametrize("title", SAMPLES)
@pytest.mark.parametrize("name", _able("write"))
def test_what_is_written_is_what_was_read(name: str, title: str) -> None:
    library, fen = LIBRARIES[name], SAMPLES[title].fen
    assert library.write is not None
    written = library.write(library.parse(fen)).split(" ")
    without_ep = [0, 1, 2, 4, 5]
    assert [written[field] for field in without_ep] == [fen.split(" ")[field] for field in without_ep]


@pytest.mark.parametrize("title", SAMPLES)
@pytest.mark.parametrize("name", _able("validate"))
def test_a_legal_position_is_valid(name: str, title: str) -> None:
    validate = LIBRARIES[name].validate
    assert validate is not None
    assert validate(SAMPLES[title].fen) is True


@pytest.mark.parametrize("fault", ILLEGAL)
@pytest.mark.parametrize("name", _able("validate"))
def test_an_illegal_position_is_not_valid(name: str, fault: str) -> None:
    validate = LIBRARIES[name].validate
    assert validate is not None
    assert validate(ILLEGAL[fault]) is False


@pytest.mark.parametrize("name", LIBRARIES)
def test_every_loop_runs_over_its_items(name: str) -> None:
    library = LIBRARIES[name]
    rows = [Row(START, "Nf3"), Row(SAMPLES["castling"].fen, "O-O")]
    for operation in OPERATIONS:
        if library.supports(operation):
            library.loop(operation)(library.items(operation, rows))


def test_loops_do_not_share_bytecode() -> None:
    first, second = make_loop(len), make_loop(len)
    assert first.__code__ is not second.__code__


def test_loops_call_with_every_item() -> None:
    seen: list[Any] = []
    make_loop(seen.append)([1, 2])
    make_pair_loop(lambda a, b: seen.append((a, b)))([(3, 4)])
    assert seen == [1, 2, (3, 4)]


class TestAdapter:
    ROWS = (Row("a", "x"), Row("b", "y"))

    def test_an_operation_that_is_none_is_not_supported(self) -> None:
        library = _library(str, moves=list)
        assert [operation for operation in OPERATIONS if library.supports(operation)] == ["parse", "moves"]

    def test_texts_are_read_and_judged_as_they_are(self) -> None:
        library = _library(str.upper, validate=bool)
        assert library.items("parse", self.ROWS) == library.items("validate", self.ROWS) == ["a", "b"]

    def test_other_operations_get_what_was_parsed(self) -> None:
        library = _library(str.upper, write=str, moves=list)
        assert library.items("write", self.ROWS) == library.items("moves", self.ROWS) == ["A", "B"]

    def test_san_gets_the_move_too(self) -> None:
        seen: list[tuple[str, str]] = []
        library = _library(str.upper, san=lambda position, text: seen.append((position, text)))
        library.loop("san")(library.items("san", self.ROWS))
        assert seen == [("A", "x"), ("B", "y")]

    def test_a_loop_of_its_own_takes_the_place_of_the_plain_one(self) -> None:
        seen: list[str] = []
        library = _library(str, write=str, loops={"write": seen.extend})
        library.loop("write")(["a", "b"])
        assert seen == ["a", "b"]


class TestForsyth:
    def test_reading_leaves_legality_out_and_the_verdict_does_not(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = MagicMock()
        monkeypatch.setattr(bench_ours, "load_game", lambda: game)
        library = make_forsyth_adapter()
        library.loop("parse")(["a"])
        library.loop("validate")(["b"])
        assert [(call.args, call.kwargs) for call in game.parse.call_args_list] == [
            (("a",), {"legality": False}),
            (("b",), {}),
        ]

    def test_the_game_is_the_public_one(self) -> None:
        import forsyth as package

        assert bench_ours.load_game() is package.game("chess")


ABLE = {
    PYTHON_CHESS: {"parse", "write", "validate", "moves", "san"},
    NCHESS: {"parse", "write", "moves"},
    "cozy-chess-py": {"parse", "write", "validate", "moves"},
    "pyrust_chess": {"parse", "write", "validate", "moves", "san"},
    "shakmaty_python_binding": {"parse", "write", "validate", "moves"},
    "rust-chess": {"parse", "write", "moves", "san"},
}


class PanicException(BaseException):
    """Named as a panic in Rust appears in Python."""


class TestPeers:
    @pytest.mark.parametrize("name", PEERS)
    def test_what_each_can_do(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        stand_in = MagicMock()
        stand_in.Board.__copy__ = MagicMock()
        monkeypatch.setattr(bench_peers, "importlib", SimpleNamespace(import_module=lambda _: stand_in))
        monkeypatch.setattr(bench_peers, "version", lambda package: f"{package} 1")
        peer = PEERS[name]()
        assert peer.name == name
        assert peer.version.endswith(" 1")
        assert {operation for operation in OPERATIONS if peer.supports(operation)} == ABLE[name]
        assert peer.perft is not None
        assert peer.perft_is_own == (name == NCHESS)

    def test_one_that_is_not_installed_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        absent = MagicMock(side_effect=ModuleNotFoundError)
        monkeypatch.setattr(bench_peers, "importlib", SimpleNamespace(import_module=absent))
        assert load_peers() == dict.fromkeys(PEERS)

    @pytest.mark.parametrize("error", [ValueError, PanicException])
    def test_a_refusal_is_a_verdict(self, error: type[BaseException]) -> None:
        assert make_validator(MagicMock(side_effect=error))("text") is False
        assert make_validator(str)("text") is True

    def test_any_other_error_is_no_verdict(self) -> None:
        with pytest.raises(KeyboardInterrupt):
            make_validator(MagicMock(side_effect=KeyboardInterrupt))("text")

    def test_perft_by_copies_leaves_the_position_alone(self) -> None:
        def digits(position: list[int]) -> list[int]:
            return [digit for digit in range(4) if digit not in position]

        perft = make_copying_perft(digits, list.copy, list.append)
        position: list[int] = []
        assert [perft(position, depth) for depth in (1, 2, 3, 4)] == [4, 12, 24, 24]
        assert position == []


class TestCorpus:
    def test_ten_thousand_distinct_texts(self) -> None:
        assert len({row.fen for row in load_speed_rows()}) == len(load_speed_rows()) == 10_000

    def test_a_sample_is_the_same_every_time(self) -> None:
        assert sample_rows(50) == sample_rows(50)
        assert len(set(sample_rows(50))) == 50

    def test_broken_texts_are_all_of_the_syntax_class(self) -> None:
        assert len(load_broken_texts()) == 1955

    def test_garbage_is_a_megabyte_each(self) -> None:
        assert {len(text) for text in make_garbage().values()} == {GARBAGE_LENGTH}


class TestEnPassant:
    EXPECTED = {"fen": ["e3", "f6", "-"], "xfen": ["-", "f6", "-"], "legal": ["-", "-", "-"]}  # noqa: RUF012

    @pytest.mark.parametrize("convention", EXPECTED)
    def test_each_convention_is_right(self, convention: str) -> None:
        assert find_convention(self.EXPECTED[convention], self.EXPECTED) == convention

    @pytest.mark.parametrize("written", [["e4", "f6", "-"], ["e3", "-", "-"], ["3", "4", "-"]])
    def test_a_wrong_square_or_a_mixture_is_not(self, written: list[str]) -> None:
        assert find_convention(written, self.EXPECTED) is None

    def test_of_the_peers(self) -> None:
        rows = [row for row in load_speed_rows()[:2000] if row.fen.split(" ")[3] != "-"]
        kept = find_conventions([peer for peer in load_peers().values() if peer], rows)
        wrong = {name for name, convention in kept.items() if convention is None}
        assert wrong == {"nchess", "rust-chess"} & set(kept)


def _clumsy(fails_on: str) -> Adapter:
    def san(position: Any, text: str) -> str:
        if text == fails_on:
            raise ValueError(text)
        return text

    return replace(_library(str, san=san), name=f"not {fails_on}")


class FakeClock:
    """Time that passes only by reading: one second a text, or ten the first time it is seen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.seen: set[str] = set()

    def constant(self, text: str) -> None:
        self.now += 1

    def cached(self, text: str) -> None:
        self.now += 1 if text in self.seen else 10
        self.seen.add(text)


def _library(parse: Callable[[str], Any], **operations: Any) -> Adapter:
    return Adapter("made up", "1", parse=parse, uci=lambda _, move: str(move), **operations)


class TestMeasure:
    def test_a_timing_for_every_able_library_and_every_pass(self) -> None:
        unable = replace(_library(str), name="unable")
        timings = measure("write", [_library(str, write=str), unable], sample_rows(30), repeats=3)
        assert list(timings) == ["made up"]
        assert len(timings["made up"].samples) == 3

    def test_every_pass_gets_fresh_objects(self) -> None:
        born: list[list[str]] = []
        counted: list[int] = []

        def parse(text: str) -> list[str]:
            born.append([text])
            return born[-1]

        def moves(position: list[str]) -> list[str]:
            counted.append(id(position))
            return position

        measure("moves", [_library(parse, moves=moves)], sample_rows(10), repeats=2)
        assert len(set(counted)) == len(counted)

    def test_moves_one_library_cannot_read_are_left_out_for_all(self) -> None:
        rows = [Row("a", "x"), Row("b", "y"), Row("c", "z")]
        assert select_readable_rows([_clumsy("x"), _clumsy("?")], rows) == (rows[1:], {"not x": 1})

    def test_move_lists_of_another_length_are_counted(self) -> None:
        judge, other = (
            replace(_library(str, moves=moves), name=name)
            for name, moves in ((PYTHON_CHESS, list), ("other", lambda text: list(text.strip("!"))))
        )
        assert count_wrong_move_lists([judge, other], [Row("a", ""), Row("b!", "")]) == {"other": 1}
        assert count_wrong_move_lists([other], [Row("b!", "")]) == {}

    def test_a_library_that_miscounts_is_an_error(self) -> None:
        wrong = _library(str, perft=lambda _, depth: depth)
        with pytest.raises(ValueError, match="perft"):
            measure_perft([wrong], START, {wrong.name: 3}, {3: 8902}, repeats=1)

    def test_a_reader_that_remembers_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = FakeClock()
        monkeypatch.setattr(bench_measure, "perf_counter", lambda: clock.now)
        rows = sample_rows(700)
        assert measure_first_pass_ratio(_library(clock.cached), rows, seed=0) == 10
        assert measure_first_pass_ratio(_library(clock.constant), rows, seed=0) == 1

    def test_timing_is_the_median_of_its_passes(self) -> None:
        timing = Timing((3.0, 1.0, 2.0, 9.0, 2.5))
        assert (timing.low, timing.median, timing.high) == (1.0, 2.5, 9.0)


class TestPureBuild:
    ANSWER: dict[str, Any] = {  # noqa: RUF012
        "compiled": [],
        "first_against_later": 3.0,
        "samples": {FORSYTH: [2.0, 2.0, 2.0], PYTHON_CHESS: [30.0, 40.0, 20.0]},
    }

    def _run(self, monkeypatch: pytest.MonkeyPatch, answer: Any) -> tuple[bench_run.Run, dict[str, Timing]]:
        asked = MagicMock(side_effect=[answer])
        monkeypatch.setattr(bench_child, "run_job", asked)
        run = bench_run.Run(bench_run.QUICK, silent=True)
        found = run._time_pure_build()
        asked.assert_called_once_with("pure", bench_run.QUICK.rows, bench_run.QUICK.repeats, pure=True)
        return run, found

    def test_both_libraries_are_measured_in_one_process_without_anything_compiled(self) -> None:
        answer = bench_child.run_job("pure", 600, 2, pure=True)
        assert answer["compiled"] == []
        assert {name: len(samples) for name, samples in answer["samples"].items()} == {
            FORSYTH: 2,
            PYTHON_CHESS: 2,
        }

    def test_the_ratio_is_between_the_two_of_that_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, found = self._run(monkeypatch, self.ANSWER)
        timings = {"parse": {FORSYTH: _same(1.0), PYTHON_CHESS: _same(999.0)}, PURE: found}
        verdict = next(v for v in judge(Figures(timings)) if v.requirement.title.endswith("pure build"))
        assert (verdict.value, verdict.low, verdict.high, verdict.is_met) == (15.0, 10.0, 20.0, True)
        assert run.details == {"pure first reading against later ones": {"ratio": 3.0}}
        assert run.failures == {}

    def test_anything_compiled_there_fails_the_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kernel = "forsyth.games.chess.notation.kernel"
        run, found = self._run(monkeypatch, self.ANSWER | {"compiled": [kernel]})
        assert found == {}
        assert run.failures == {"pure build": f"these modules run compiled: {kernel}"}

    def test_a_bad_end_fails_the_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run, found = self._run(monkeypatch, ChildError("no room"))
        assert found == {}
        assert run.failures == {"pure build": "no room"}

    def test_a_bad_end_is_told_by_its_last_line(self) -> None:
        with pytest.raises(ChildError, match=r"^KeyError: 'nothing'$"):
            bench_child.run_job("nothing", 1, 1)


def _same(value: float) -> Timing:
    return Timing((value, value, value))


def _figures(**changes: float) -> Figures:
    """Figures that meet everything, exactly or with room, but for the changes."""
    ours = {"parse": 0.25, "write": 0.25, "validate": 0.5, "moves": 1.5, "san": 0.3, "perft": 0.01}
    ours |= {PURE: 2.0} | {name: value for name, value in changes.items() if name in ours}
    rivals = {
        "parse": {PYTHON_CHESS: 30.0, NCHESS: 0.5, "cozy-chess-py": 0.4},
        "write": {PYTHON_CHESS: 20.0, NCHESS: 0.1, "cozy-chess-py": 0.5},
        "validate": {PYTHON_CHESS: 30.0, "cozy-chess-py": 0.6},
        "moves": {PYTHON_CHESS: 30.0, "rust-chess": 1.5},
        "san": {PYTHON_CHESS: 6.0, "pyrust_chess": 0.3},
        "perft": {PYTHON_CHESS: 1.0, NCHESS: 0.005},
        PURE: {PYTHON_CHESS: 30.0},
    }
    timings = {
        operation: {FORSYTH: _same(ours[operation])} | {name: _same(time) for name, time in times.items()}
        for operation, times in rivals.items()
    }
    scalars = {"diagnose": 10.0, "garbage": 1000.0, "history": 1.25}
    scalars |= {spelling.name: 4.0 for spelling in SPELLINGS}
    scalars |= {name: value for name, value in changes.items() if name in scalars}
    return Figures(timings, scalars, {"write": frozenset({NCHESS})})


def _unmet(verdicts: Iterable[Verdict]) -> list[tuple[str, str]]:
    return [(v.requirement.title, v.requirement.required) for v in verdicts if not v.is_met]


class TestVerdicts:
    def test_exactly_what_is_required_is_enough(self) -> None:
        verdicts = judge(_figures())
        assert _unmet(verdicts) == []
        assert all_met(verdicts)

    @pytest.mark.parametrize(
        ("change", "title"),
        [
            ({"parse": 0.26}, "text → position"),
            ({"write": 0.26}, "position → text"),
            ({"validate": 0.51}, "text → legality verdict"),
            ({"moves": 1.6}, "legal move list"),
            ({"san": 0.31}, "SAN reading"),
            ({"perft": 0.011}, "perft"),
            ({"diagnose": 10.1}, "all findings of a broken text"),
            ({"garbage": 1001.0}, "1 MB of garbage refused"),
            ({"history": 1.3}, "first reading against later ones"),
            ({"newline": 4.1}, "newline: parse, read, check against canonical"),
        ],
    )
    def test_a_little_less_is_not(self, change: dict[str, float], title: str) -> None:
        verdicts = judge(_figures(**change))
        assert {unmet for unmet, _ in _unmet(verdicts)} == {title}
        assert not all_met(verdicts)

    def test_the_ratio_is_their_median_over_ours(self) -> None:
        timings = {"parse": {FORSYTH: Timing((1.0, 2.0, 4.0)), PYTHON_CHESS: Timing((300.0, 200.0, 800.0))}}
        verdict = next(v for v in judge(Figures(timings)) if v.rival == PYTHON_CHESS)
        assert (verdict.value, verdict.low, verdict.high) == (150.0, 100.0, 300.0)

    def test_a_quick_writer_of_wrong_squares_is_no_rival(self) -> None:
        figures = _figures()
        assert fastest_rival("write", figures) == "cozy-chess-py"
        assert fastest_rival("write", Figures(figures.timings)) == NCHESS

    def test_forsyth_is_not_its_own_rival(self) -> None:
        assert fastest_rival("parse", Figures({"parse": {FORSYTH: _same(0.1)}})) is None

    def test_what_was_not_measured_is_not_met(self) -> None:
        verdicts = judge(Figures({}))
        assert {verdict.is_met for verdict in verdicts} == {None}
        assert not all_met(verdicts)

    def test_every_requirement_has_a_line(self) -> None:
        assert len(REQUIREMENTS) == 16 + len(SPELLINGS)
        operations = {line.operation for line in REQUIREMENTS if isinstance(line, Faster)}
        assert operations == {*OPERATIONS, "perft", PURE}
        assert sum(isinstance(line, AtMost) for line in REQUIREMENTS) == 3 + len(SPELLINGS)


FACTS: dict[str, Any] = {
    "python": "3.11.7",
    "machine": "a machine",
    "seconds": 1.0,
    "texts": 10,
    "passes": 3,
    "versions": {FORSYTH: "1", PYTHON_CHESS: "2", NCHESS: "3"},
    "missing": ["rust-chess"],
    "failures": {"pure build": "runs compiled"},
    "compiled": ["forsyth.games.chess.notation.kernel"],
    "en_passant": {FORSYTH: "fen", NCHESS: None},
    "unread_sans": {"rust-chess": 26},
    "wrong_moves": {NCHESS: 39},
    "own_perft": [NCHESS],
    "details": {"broken text, µs": {"worst": 12.0}},
}


class TestReport:
    def test_ratios_stand_before_absolute_figures(self) -> None:
        lines = format_ratio_table(judge(_figures())).splitlines()
        assert len(lines) == 2 + len(REQUIREMENTS)
        assert " ".join(lines[2].split()) == (
            "text → position 1.60× (1.60–1.60) ≥ 1.6× cozy-chess-py (fastest) 0.250 µs 0.400 µs met"
        )
        assert "100 M/s" in next(line for line in lines if line.startswith("perft"))

    def test_unmet_and_unmeasured_are_told_apart(self) -> None:
        assert "NOT MET" in format_ratio_table(judge(_figures(parse=9.0)))
        assert "not measured" in format_ratio_table(judge(Figures({})))

    def test_wrong_answers_are_starred(self) -> None:
        row = format_library_table(_figures(), [NCHESS]).splitlines()[-1]
        assert "0.100* ±0%" in row
        assert "0.500 ±0%" in row

    def test_columns_line_up(self) -> None:
        assert format_table([("a", "b"), ("long", "2")], left={0}) == "a     b\n────  ─\nlong  2"

    def test_missing_peers_and_failures_are_named(self) -> None:
        text = "\n".join(format_remarks(FACTS))
        for part in (
            "nchess 39",
            "Missing: rust-chess.",
            "Failed: pure build",
            "* nchess writes wrong",
            "rust-chess 26",
        ):
            assert part in text

    def test_data_is_json(self) -> None:
        figures = _figures()
        data = json.loads(json.dumps(to_json_data(figures, judge(figures), FACTS)))
        assert data["requirements"][0] == {
            "operation": "text → position",
            "required": "≥ 1.6×",
            "value": 1.6,
            "range": [1.6, 1.6],
            "rival": "cozy-chess-py",
            "forsyth_us": 0.25,
            "rival_us": 0.4,
            "met": True,
        }


class TestCommand:
    @pytest.mark.parametrize(
        ("changes", "arguments", "status"),
        [({}, [], 0), ({"parse": 9.0}, [], 1), ({"parse": 9.0}, ["--no-fail"], 0), ({}, ["--json"], 0)],
    )
    def test_exit_status(
        self, monkeypatch: pytest.MonkeyPatch, changes: dict[str, float], arguments: list[str], status: int
    ) -> None:
        monkeypatch.setattr(bench_run.Run, "__init__", lambda self, size, silent: None)
        monkeypatch.setattr(bench_run.Run, "figures", lambda self: _figures(**changes))
        monkeypatch.setattr(bench_run.Run, "facts", lambda self, seconds: FACTS)
        assert main(arguments) == status

    def test_a_missing_peer_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench_run, "load_peers", lambda: {**dict.fromkeys(PEERS)})
        run = bench_run.Run(bench_run.QUICK, silent=True)
        assert run.facts(0.0)["missing"] == list(PEERS)


class TestSpellings:
    def test_every_spelling_says_the_position_of_the_canonical_text(self) -> None:
        game = bench_ours.load_game()
        for text in [row.fen for row in sample_rows(50)]:
            position = game.parse(text)
            for spelling in SPELLINGS:
                other = game.with_variant(spelling.variant).parse(spelling.write(text), mode=spelling.mode)
                assert other.board == position.board, spelling.name
                assert (other.castling, other.ep) == (position.castling, position.ep), spelling.name

    def test_every_slip_is_a_finding_and_there_are_warnings_errors_and_illegal_positions(self) -> None:
        game = bench_ours.load_game()
        found = [reading.check(add_slip(START, row), game) for row in range(8)]
        assert all(one.diagnostics for one in found)
        assert {one.ok for one in found} == {True, False}
        assert "position" in {finding.stage for one in found for finding in one.diagnostics}

    def test_there_is_a_ratio_for_every_spelling_and_call(self) -> None:
        ratios = measure_text_ratios(bench_ours.load_game(), [START], 1)
        assert set(ratios) == {f"{spelling.name} {call}" for spelling in SPELLINGS for call in CALLS}
        assert all(ratio > 0 for ratio in ratios.values())
        assert max_ratios(ratios)["newline"] == max(ratios[f"newline {call}"] for call in CALLS)


class TestOtherGames:
    @pytest.mark.parametrize("name", other_games.TEXTS)
    def test_every_spelling_says_the_position_of_the_canonical_text(self, name: str) -> None:
        game = game_of(name)
        for text in other_games.TEXTS[name](50):
            for spelling in other_games.SPELLINGS[name]:
                spelled = game.parse(spelling.write(text), mode=spelling.mode)
                assert game.key(spelled) == game.key(game.parse(text)), spelling.name

    @pytest.mark.parametrize("name", other_games.FAULTS)
    def test_every_fault_is_a_finding(self, name: str) -> None:
        game = game_of(name)
        for fault in other_games.FAULTS[name]:
            texts = map(fault.write, other_games.TEXTS[name](50))
            found = [reading.check(text, game, mode=fault.mode).diagnostics for text in texts]
            assert sum(map(bool, found)) > 25, fault.name

    def test_a_line_says_whether_it_is_met(self) -> None:
        lines = [Line("some", 3.5, 4, at_most=True), Line("other", 31.2, 30, at_most=True, unit=" µs")]
        assert verdict_rows("title", lines)[1:] == [
            ("some", "3.50×", "≤ 4×", "met"),
            ("other", "31.20 µs", "≤ 30 µs", "NOT MET"),
        ]
