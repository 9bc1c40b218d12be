"""An index says of every position what a plain count of the records says."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.random_records import random_records, write_records

import forsyth
from forsyth import registry
from forsyth.bulk.arrow import material
from forsyth.bulk.engines.checkpoints import locate_parts_folder
from forsyth.bulk.errors import BulkError
from forsyth.bulk.index import plies, tasks
from forsyth.bulk.index.book import Book
from forsyth.bulk.index.build import build_index, merge_indexes
from forsyth.bulk.index.files import MANIFEST, get_material, read_material
from forsyth.bulk.index.plies import Skipped, parse_day, parse_rating, rank_days, split_result
from forsyth.bulk.index.tallies import PLY, GameLists, GameRanks, Tallies, add_tallies, tally_plies
from forsyth.bulk.jobs.run_files import RunOptions
from forsyth.bulk.sources.files import Format
from forsyth.bulk.sources.shards import Shard
from forsyth.record import read_records


@cache
def chess_records() -> list[str]:
    return random_records("chess", 2000, 10)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("records")
    half = len(chess_records()) // 2
    return [
        write_records(folder / "a.pgn", chess_records()[:half]),
        write_records(folder / "b.pgn", chess_records()[half:]),
    ]


@pytest.fixture(scope="module")
def book(files: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("index") / "book"
    build_index(files, target)
    return target


def rows_of(book: Path, table: str = "moves") -> pa.Table:
    return pq.read_table(book / table)


# --- a plain count ----------------------------------------------------------------------------------


def counted(records: list[str], name: str, variant: str | None = None) -> list[dict[str, Any]]:
    """The rows of an index, counted one by one."""
    game = registry.game(name, variant)
    found: dict[tuple[bytes, str | None], dict[int, tuple[int, float | None]]] = defaultdict(dict)
    facts: dict[int, tuple[int, int]] = {}
    for number, reading in enumerate(read_records("\n".join(records), game), start=1):
        record = reading.require()
        tags = dict(record.tags)
        ratings = [int(tags[f"{one}Elo"]) if f"{one}Elo" in tags else None for one in game.players]
        known = [one for one in ratings if one is not None]
        date = int(tags["Date"].replace(".", "").replace("?", "0"))
        facts[number] = (date, sum(known) // len(known) if known else 0)
        shares = None if record.result == "*" else [eval_share(one) for one in record.result.split("-")]
        for position, move in zip(record.positions(), [*record.moves, None], strict=True):
            player = game.move_number(position)[1]
            worth = None if shares is None else worth_for(shares, player)
            found[bytes.fromhex(position.key), move][number] = (ratings[player], worth)  # type: ignore[assignment]
    rows = [row(key, move, games, facts) for (key, move), games in found.items()]
    return sorted(rows, key=lambda one: (one["key"], one["move"] or ""))


def eval_share(text: str) -> float:
    return 0.5 if text == "1/2" else float(text)


def worth_for(shares: list[float], player: int) -> float:
    """1 for a win, 0 for a loss, a half for a draw of two."""
    if len(shares) > 2:
        return float(shares[player] == 1)
    return shares[player]


def row(
    key: bytes, move: str | None, games: dict[int, Any], facts: dict[int, tuple[int, int]]
) -> dict[str, Any]:
    ratings = [rating for rating, _ in games.values() if rating is not None]
    worths = [worth for _, worth in games.values()]
    numbers = sorted(games)
    many = len(numbers) > 4
    return {
        "key": key,
        "move": move,
        "games": len(numbers),
        "wins": worths.count(1),
        "draws": worths.count(0.5),
        "losses": worths.count(0),
        "rated": len(ratings),
        "rating": sum(ratings) / len(ratings) if ratings else None,
        "reached": numbers if len(numbers) <= 1000 else None,
        "latest": sorted(numbers, key=lambda one: (facts[one][0], one), reverse=True)[:4] if many else None,
        "strongest": sorted(numbers, key=lambda one: (facts[one][1], one), reverse=True)[:4]
        if many
        else None,
    }


def test_an_index_of_chess_is_a_plain_count(book: Path) -> None:
    expected = counted(chess_records(), "chess")
    assert rows_of(book).to_pylist() == expected
    manifest = Book(book).manifest
    plies = sum(len(reading.require().line) + 1 for reading in read_records("\n".join(chess_records())))
    assert (manifest.games, manifest.rows, manifest.plies) == (2000, len(expected), plies)
    assert manifest.positions == len({one["key"] for one in expected})
    assert any(one["latest"] for one in expected)
    assert any(one["reached"] is None for one in expected)


@pytest.mark.parametrize(
    ("name", "variant", "count"),
    [("cotulenh", None, 25), ("azul", None, 30), ("azul", "3-players", 20), ("xiangqi", None, 25)],
)
def test_an_index_of_every_game_is_a_plain_count(
    name: str, variant: str | None, count: int, tmp_path: Path
) -> None:
    records = random_records(name, count, 14, variant=variant)
    source = write_records(tmp_path / "records.pgn", records)
    built = build_index(source, tmp_path / "book", game=name, variant=variant)
    assert rows_of(tmp_path / "book").to_pylist() == counted(records, name, variant)
    assert built.manifest.game == name
    assert built.manifest.variant == registry.game(name, variant).variant


def test_the_table_of_games_has_their_tags(book: Path) -> None:
    rows = rows_of(book, "games").to_pylist()
    assert [one["game"] for one in rows] == list(range(1, 2001))
    tags = dict(next(read_records(chess_records()[1234])).require().tags)
    found = rows[1234]
    assert found["White"] == tags["White"] == "White 1234"
    assert found["WhiteElo"] == tags.get("WhiteElo")
    assert found["Event"] is None, "a question mark says nothing"
    assert found["plies"] == len(next(read_records(chess_records()[1234])).require().line)


# --- how it was built does not matter ---------------------------------------------------------------


def test_small_parts_give_the_same(files: list[str], book: Path, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(tasks, "PART_PLIES", 4096)
    monkeypatch.setattr(tasks, "SLICE_PLIES", 100)
    monkeypatch.setattr("forsyth.bulk.index.files.RUN_PLIES", 3000)
    build_index(files, tmp_path / "book")
    assert len(list((tmp_path / "book" / "moves").iterdir())) == 8
    assert rows_of(tmp_path / "book").equals(rows_of(book))
    found = Book(tmp_path / "book")
    for key, rows in list(by_key(rows_of(book)).items())[::20]:
        assert {one.move: one.games for one in found.played_moves(key)} == rows


def test_positions_that_most_games_reach_are_counted_a_few_plies_at_once(
    tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "some.pgn").write_text("\n".join(chess_records()[:40]), encoding="utf-8")
    build_index([str(tmp_path / "some.pgn")], tmp_path / "usual")
    for module in ("files", "tasks"):
        monkeypatch.setattr(f"forsyth.bulk.index.{module}.MAX_PLIES", 15)
    build_index([str(tmp_path / "some.pgn")], tmp_path / "other")
    assert rows_of(tmp_path / "other").equals(rows_of(tmp_path / "usual"))


def by_key(table: pa.Table) -> dict[str, dict[str | None, int]]:
    found: dict[str, dict[str | None, int]] = defaultdict(dict)
    for one in table.select(["key", "move", "games"]).to_pylist():
        found[one["key"].hex()][one["move"]] = one["games"]
    return found


def test_a_merge_is_an_index_of_both(files: list[str], book: Path, tmp_path: Path) -> None:
    for name, source in zip("ab", files, strict=True):
        build_index(source, tmp_path / name)
    built = merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "both")
    assert rows_of(tmp_path / "both").equals(rows_of(book))
    assert rows_of(tmp_path / "both", "games").equals(rows_of(book, "games"))
    assert replace(built.manifest, tables=()) == replace(Book(book).manifest, tables=())


WAY = RunOptions(resume=True, threads=1, shard_bytes=100_000)
"""Several shards, one after the other."""


def test_what_was_stopped_is_resumed(files: list[str], book: Path, tmp_path: Path, monkeypatch: Any) -> None:
    """A kill in the second shard, then one between the two steps, then one in the second step."""
    target = tmp_path / "book"
    for step in ("read_shard", "write_counting_input", "count_part"):
        process = multiprocessing.get_context("fork").Process(
            target=build_and_die, args=(files, target, step)
        )
        process.start()
        process.join()
        assert process.exitcode == 9
        assert not target.exists()
    # All shards were read before the last kill.
    monkeypatch.delattr(tasks, "read_shard_plies")
    build_index(files, target, run_options=WAY)
    assert rows_of(target).equals(rows_of(book))
    assert rows_of(target, "games").equals(rows_of(book, "games"))
    assert not locate_parts_folder(str(target)).exists()


def build_and_die(files: list[str], target: Path, step: str) -> None:
    """Build an index up to the second call of a step, which kills the process."""
    from forsyth.bulk.index import build, tasks

    where: Any = build if step == "write_counting_input" else tasks
    real = getattr(where, step)
    calls = []

    def dying(*given: Any, **named: Any) -> Any:
        calls.append(given)
        if step == "read_shard" and len(calls) < 2:
            return real(*given, **named)
        Path(locate_parts_folder(str(target)) / "00001-00000.plies.tmp").write_bytes(b"half")
        os._exit(9)

    setattr(where, step, dying)
    build_index(files, target, run_options=WAY)


def test_a_shard_that_is_read_twice_is_the_same(files: list[str], tmp_path: Path) -> None:
    shard = Shard(files[0], Format.PGN, unit="records")
    for name in ("once", "twice"):
        (tmp_path / name).mkdir()
        tasks.read_shard(tmp_path / name, shard, "chess", "standard")
    (tmp_path / "twice" / "00000.json").unlink()
    tasks.read_shard(tmp_path / "twice", shard, "chess", "standard")
    written = [
        path.relative_to(tmp_path / "once") for path in (tmp_path / "once").rglob("*") if path.is_file()
    ]
    assert len(written) == 4
    for path in written:
        assert (tmp_path / "once" / path).read_bytes() == (tmp_path / "twice" / path).read_bytes()


ODD = """[White "a"]
[Black "b"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]
[WhiteElo "2400"]
[BlackElo "?"]
[UTCDate "2021.05.06"]

1... Kd7 2. e4 {[%clk 0:01:00]} Kd6 0-1

[White "c"]
[Black "d"]
[Variant "Crazyhouse"]

1. e4 d5 2. exd5 Qxd5 3. P@d4 1-0

[White "e"]
[Black "f"]
[Date "1999.??.??"]

1. e4 e5 2. Ke3 1/2-1/2

[White "g"]
[Black "h"]
[BlackElo "2100"]

1. e4 e5 (1... c5) 2. -- Nc6 $1 *

[White "i"]
[Black "j"]

*

"""


@pytest.mark.compiled
def test_what_the_kernel_reads_is_what_the_reader_says(tmp_path: Path, monkeypatch: Any) -> None:
    source = write_records(tmp_path / "odd.pgn", [ODD, *chess_records()[:50], ODD, *chess_records()[50:80]])
    built = {}
    for name, compiled in (("kernel", True), ("reader", False)):
        monkeypatch.setattr(plies, "COMPILED", compiled)
        built[name] = build_index(source, tmp_path / name, material=True)
    assert built["kernel"].manifest == built["reader"].manifest
    assert (built["kernel"].others, built["kernel"].faulty) == (
        built["reader"].others,
        built["reader"].faulty,
    )
    assert built["kernel"].others == 2
    for table in ("moves", "games", "material"):
        assert rows_of(tmp_path / "kernel", table).equals(rows_of(tmp_path / "reader", table))


# --- counting ---------------------------------------------------------------------------------------


def plies_of(count: int, keys: np.ndarray, seed: int = 1) -> tuple[np.ndarray, GameRanks]:
    chance = np.random.default_rng(seed)
    plies = np.zeros(count, PLY)
    place = np.minimum(chance.zipf(1.3, count) - 1, len(keys) - 1)
    plies["high"], plies["low"] = keys[place, 0], keys[place, 1]
    plies["game"] = np.sort(chance.integers(1, count // 8, count))
    plies["move"] = chance.integers(0, 5, count)
    plies["rating"] = chance.integers(0, 3, count) * 1000
    plies["result"] = chance.integers(0, 4, count)
    most = count // 8 + 1
    return plies, GameRanks(
        chance.integers(0, 50, most).astype(np.uint32), chance.integers(0, 50, most).astype(np.uint32)
    )


def equal(one: Tallies, other: Tallies) -> bool:
    for name in Tallies.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        pairs = [(a.bounds, b.bounds), (a.games, b.games)] if isinstance(a, GameLists) else [(a, b)]
        if not all(np.array_equal(left, right) for left, right in pairs):
            return False
    return True


def test_tallies_of_pieces_add_up() -> None:
    keys = np.random.default_rng(2).integers(0, 1 << 63, (3000, 2), dtype=np.uint64)
    plies, facts = plies_of(40_000, keys)
    whole = tally_plies(plies, facts)
    assert whole.games.max() > 1000
    for pieces in (2, 5):
        cuts = [int(np.searchsorted(plies["game"], number)) for number in np.linspace(1, 5001, pieces + 1)]
        parts = [tally_plies(plies[a:b], facts) for a, b in pairwise(cuts)]
        assert equal(add_tallies(parts, facts), whole)


def test_keys_that_differ_late_are_kept_apart() -> None:
    high = np.array([5 << 40, (5 << 40) + 1, (5 << 40) + 2], np.uint64)
    keys = np.array([(a, b) for a in high for b in (7, 8)], np.uint64)
    plies, facts = plies_of(5000, keys)
    whole = tally_plies(plies, facts)
    assert len(whole) == 30
    order = np.lexsort((whole.move, whole.low, whole.high))
    assert np.array_equal(order, np.arange(30))
    assert equal(add_tallies([whole], facts), whole)


def test_no_plies_are_no_rows() -> None:
    nothing = tally_plies(np.zeros(0, PLY), GameRanks(np.zeros(1, np.uint32), np.zeros(1, np.uint32)))
    assert len(nothing) == 0


def test_a_game_that_repeats_counts_once(tmp_path: Path) -> None:
    moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"
    source = write_records(tmp_path / "one.pgn", [f'[White "a"]\n[Black "b"]\n\n{moves}\n'])
    build_index(source, tmp_path / "book")
    start = registry.game("chess").parse(registry.game("chess").start).key
    assert [(one.move, one.games) for one in Book(tmp_path / "book").played_moves(start)] == [
        ("Nf3", 1),
        ("e4", 1),
    ]


def test_results_ratings_and_dates() -> None:
    assert split_result("1-0", 2) == [1, 3]
    assert split_result("1/2-1/2", 2) == [2, 2]
    assert split_result("*", 2) == [0, 0]
    assert split_result("1-0-0", 3) == [1, 3, 3]
    assert split_result("1/2-1/2-0", 3) == [3, 3, 3], "half a point is not a win"
    assert split_result("1-0", 3) == [0, 0, 0]
    assert [parse_rating(text) for text in ("2400", " 0900 ", "-", "", None, "2400?", "999999")] == [
        *(2400, 900, 0, 0, 0, 0, 0)
    ]
    assert [parse_day(text) for text in ("2024.01.31", "1999.??.??", "????.??.??", "")] == [
        20240131,
        19990000,
        0,
        0,
    ]
    days = np.array([0, 19990000, 19991231, 20000000, 20240131, 99991231])
    assert (np.diff(rank_days(days).astype(np.int64)) > 0).all()


CHESS_MEN = "KQRBNP"

# --- material ---------------------------------------------------------------------------------------


def test_games_are_found_by_their_material(files: list[str], tmp_path: Path) -> None:
    expected: dict[str, set[int]] = defaultdict(set)
    for number, reading in enumerate(read_records("\n".join(chess_records()[:300])), start=1):
        for position in reading.require().positions():
            expected[get_material(str(position), CHESS_MEN)].add(number)
    for name, records in (
        ("a", chess_records()[:100]),
        ("b", chess_records()[100:300]),
        ("all", chess_records()[:300]),
    ):
        source = write_records(tmp_path / f"{name}.pgn", records)
        build_index(source, tmp_path / name, material=True)
    merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "both")
    assert rows_of(tmp_path / "all", "material").equals(rows_of(tmp_path / "both", "material"))
    found = Book(tmp_path / "all")
    assert len(expected) > 10
    for men, games in expected.items():
        first, second = men.split("v")
        (row,) = found.with_material(men)
        assert found.with_material("".join(reversed(first)) + second.lower()) == [row]
        assert row.move == men
        assert set(row.reached or ()) == games
        assert row.games == len(games)
    assert found.with_material("KQkq") == []
    assert rows_of(tmp_path / "all").num_rows == found.manifest.rows


def test_material_is_that_of_the_data_room() -> None:
    chess = forsyth.game("chess")
    text = "8/8/4k3/8/8/3KR3/8/8[Qq] w - - 0 1"
    assert get_material(text, CHESS_MEN) == "KRvK"
    assert material([text], chess.with_variant("crazyhouse")).to_pylist() == ["KRvK"]
    assert read_material("krpKRP", chess) == read_material("RPKvPRK", chess) == "KRPvKRP"
    for wrong in ("", "K v k", "Kvk", "KvvK", "K1", "KX", "K" * 300):
        with pytest.raises(BulkError, match="is not a material of chess"):
            read_material(wrong, chess)


def test_whoever_shows_progress_hears_of_every_part(tmp_path: Path) -> None:
    parts: list[int] = []
    steps: list[tuple[int, int]] = []

    def begin(total: int | None) -> Any:
        parts.append(total or 0)
        return lambda positions, done: steps.append((positions, done))

    source = write_records(tmp_path / "a.pgn", chess_records()[:20])
    built = build_index(source, tmp_path / "a", run_options=RunOptions(start_count_progress=begin))
    assert sum(done for _, done in steps) == sum(parts) > 0
    assert sum(positions for positions, _ in steps) == built.manifest.positions
    merge_indexes(
        [tmp_path / "a", tmp_path / "a"],
        tmp_path / "both",
        run_options=RunOptions(start_count_progress=begin),
    )
    assert sum(positions for positions, _ in steps) == 2 * built.manifest.positions


def test_material_has_to_be_asked_for(book: Path, tmp_path: Path) -> None:
    with pytest.raises(BulkError, match="without material"):
        Book(book).with_material("Kk")
    source = write_records(tmp_path / "a.pgn", random_records("azul", 2, 4))
    with pytest.raises(BulkError, match="no pieces"):
        build_index(source, tmp_path / "tiles", material=True)
    chess = write_records(tmp_path / "b.pgn", chess_records()[:5])
    build_index(chess, tmp_path / "men", material=True)
    with pytest.raises(BulkError, match=r"only one of .* has material"):
        merge_indexes([book, tmp_path / "men"], tmp_path / "both")


# --- what goes wrong --------------------------------------------------------------------------------


def test_other_records_are_left_out_and_counted(tmp_path: Path) -> None:
    others = random_records("chess", 3, 4, variant="crazyhouse")
    broken = '[White "a"]\n[Black "b"]\n\n1. e4 e5 2. Qh9 *\n'
    source = write_records(tmp_path / "mixed.pgn", [*chess_records()[:5], *others, broken])
    built = build_index(source, tmp_path / "book")
    assert Skipped(built.others, built.faulty) == Skipped(3, 1)
    assert built.manifest.games == 6
    alone = write_records(tmp_path / "crazy.pgn", others)
    with pytest.raises(
        BulkError, match="the files contain no record of chess \\(standard\\), but 3 other records"
    ):
        build_index(alone, tmp_path / "none")
    assert build_index(alone, tmp_path / "crazy", variant="crazyhouse").manifest.games == 3


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"game": "azul"}, "contain no record of azul"),
        ({"game": "whist"}, "whist"),
        ({"variant": "losers"}, "no variant"),
        ({"variant": "auto"}, "one variant"),
    ],
)
def test_games_that_are_not_there(
    given: dict[str, Any], sentence: str, files: list[str], tmp_path: Path
) -> None:
    with pytest.raises(BulkError, match=sentence):
        build_index(files[0], tmp_path / "book", **given)
    assert not list(tmp_path.iterdir())


def test_what_is_no_index_says_so(tmp_path: Path, book: Path) -> None:
    with pytest.raises(BulkError, match="is not an index"):
        Book(tmp_path)
    for text in ("{", "[]", '{"kind": "other"}', '{"kind": "forsyth index", "version": 1}'):
        (tmp_path / MANIFEST).write_text(text)
        with pytest.raises(BulkError, match="not a valid manifest"):
            Book(tmp_path)
    data = json.loads((book / MANIFEST).read_text())
    (tmp_path / MANIFEST).write_text(json.dumps({**data, "version": 99}))
    with pytest.raises(BulkError, match="newer version of Forsyth"):
        Book(tmp_path)
    (tmp_path / MANIFEST).write_text(json.dumps(data))
    with pytest.raises(BulkError, match="there is no file"):
        Book(tmp_path).played_moves("0" * 32)


def test_a_merge_is_of_one_game(book: Path, tmp_path: Path) -> None:
    source = write_records(tmp_path / "x.pgn", random_records("xiangqi", 2, 4))
    build_index(source, tmp_path / "x")
    with pytest.raises(BulkError, match="one game and variant"):
        merge_indexes([book, tmp_path / "x"], tmp_path / "both")
    with pytest.raises(BulkError, match="at least two"):
        merge_indexes([book], tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_an_index_does_not_replace_what_is_there(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "mine").touch()
    with pytest.raises(BulkError, match="not empty"):
        build_index(files[0], tmp_path / "book")
    assert [one.name for one in tmp_path.rglob("*")] == ["book", "mine"]
    with pytest.raises(BulkError, match=r"mine is not a directory; name a new one$"):
        build_index(files[0], tmp_path / "book" / "mine")


# --- others read it ---------------------------------------------------------------------------------


def test_a_look_up_finds_every_position_and_no_other(book: Path) -> None:
    found = Book(book)
    for key, rows in list(by_key(rows_of(book)).items())[::50]:
        assert {one.move: one.games for one in found.played_moves(key)} == rows
    for key in ("0" * 32, "f" * 32, "8" * 32):
        assert found.played_moves(key) == []
    numbers = (2000, 1, 777)
    assert [one["game"] for one in found.games(numbers)] == list(numbers)
    assert found.games((0, 2001, 1 << 40)) == []
    found.close()


def test_duckdb_and_polars_read_the_parts(book: Path) -> None:
    rows = rows_of(book)
    start = registry.game("chess").parse(registry.game("chess").start).key
    query = f"select move, games from '{book}/moves/*.parquet' where key = from_hex('{start}') order by move"
    assert dict(duckdb.execute(query).fetchall()) == by_key(rows)[start]
    frame = pl.scan_parquet(book / "moves" / "*.parquet")
    assert frame.select(pl.col("games").sum()).collect().item() == sum(rows.column("games").to_pylist())


def test_to_resume_what_is_finished_is_no_error(files: list[str], book: Path, tmp_path: Path) -> None:
    target, options = tmp_path / "new", RunOptions(resume=True)
    first = build_index(files, target, game="chess", run_options=options)
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*")}
    again = build_index(files, target, game="chess", run_options=options)
    assert (first.was_finished, again.was_finished) == (False, True)
    assert again.manifest == first.manifest
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*")} == before
    merged = tmp_path / "merged"
    merge_indexes([book, target], merged, run_options=options)
    assert merge_indexes([book, target], merged, run_options=options).was_finished
    # The index counts as another one if the sources are newer or the game differs.
    with pytest.raises(BulkError, match="not empty"):
        build_index(files, target, game="chess")
    with pytest.raises(BulkError, match="not empty"):
        build_index(files, target, game="cotulenh", run_options=options)
    os.utime(target / MANIFEST, ns=(1, 1))
    with pytest.raises(BulkError, match="not empty"):
        build_index(files, target, game="chess", run_options=options)
