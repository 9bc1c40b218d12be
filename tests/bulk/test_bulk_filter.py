"""Filter, material, split, several verbs in one pass, and some of the columns."""

from __future__ import annotations

import json
import random
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import forsyth
from forsyth.bulk import BulkError, Verb, arrow, run_files
from forsyth.bulk.arrow import material
from forsyth.bulk.verbs.selection import compute_twin_keys, make_side_exchange, parse_material
from forsyth.bulk.verbs.text_column import find_text_column
from forsyth.cli.app import run as forsyth_command
from forsyth.cli.commands.split import name_set_targets

CHESS = forsyth.game("chess")
pd: Any = import_module("pandas")
GOOD = CHESS.start
ENDING = "8/8/4k3/4r3/8/4K3/4P3/4R3 w - - 3 50"
BAD = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ILLEGAL = "8/8/4k3/8/8/4K3/8/4r3 b - - 0 1"
ROWS: list[dict[str, Any]] = [
    {"fen": GOOD, "elo": 2100, "game_id": "a"},
    {"fen": ENDING, "elo": 1500, "game_id": "a"},
    {"fen": BAD, "elo": 2500, "game_id": "b"},
    {"fen": None, "elo": 9999, "game_id": "b"},
    {"fen": ILLEGAL, "elo": None, "game_id": "c"},
]


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), path)
    return str(path)


def played(name: str, games: int, plies: int, seed: int = 3) -> list[str]:
    """Texts of random games."""
    chance = random.Random(seed)
    game = forsyth.game(name)
    texts = []
    for _ in range(games):
        position = game.parse(game.start)
        for _ in range(plies):
            moves = list(game.moves(position))
            if not moves:
                break
            position = game.play(position, chance.choice(moves))
            texts.append(game.write(position))
    return texts


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"keep": "ok"}, [GOOD, ENDING]),
        ({"keep": "bad"}, [BAD, ILLEGAL]),
        ({"code": "board.digit"}, [BAD]),
        ({"keep": "ok", "code": "board.digit"}, []),
        ({"where": "elo >= 2000"}, [GOOD, BAD, None]),
        ({"where": "elo >= 2000", "keep": "ok"}, [GOOD]),
        ({"where": "phase <= 10"}, [ENDING, ILLEGAL]),
        ({"where": "side_to_move = 'White' and men < 10"}, [ENDING]),
        ({"where": "ok = false and code = 'board.digit'"}, [BAD]),
        ({"where": "material = 'KRPvKR'"}, [ENDING]),
        ({"material": "KRPvKR"}, [ENDING]),
        ({"material": "KRvKPR"}, [ENDING]),
        ({"material": "KvK"}, []),
    ],
)
def test_filter_keeps_rows(data: str, tmp_path: Path, options: dict[str, str], kept: list[str]) -> None:
    target = tmp_path / "out.parquet"
    report = run_files("filter", data, target, game="chess", options=options)
    table = pq.read_table(target)
    assert table.column("fen").to_pylist() == kept
    assert table.schema.names == ["fen", "elo", "game_id"]
    assert (report.rows, report.written, report.unreadable) == (5, len(kept), 0)


def test_without_legality_an_illegal_position_is_good(data: str, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    run_files("filter", data, target, game="chess", options={"keep": "ok"}, legality=False)
    assert pq.read_table(target).column("fen").to_pylist() == [GOOD, ENDING, ILLEGAL]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "filter has no condition"),
        ({"keep": "some"}, "keep"),
        ({"where": "phase <="}, "expected"),
        ({"where": "nothing = 1"}, "neither the data nor chess has a column 'nothing'"),
        ({"code": "no.code"}, "unknown code of finding 'no.code'"),
        ({"material": "KXvK"}, "is not a material of chess"),
        ({"material": "KRP"}, "is not a material of chess"),
        ({"wher": "x"}, "no option 'wher'"),
    ],
)
def test_a_filter_that_is_none_is_told_before_the_first_row(
    data: str, tmp_path: Path, options: dict[str, str], said: str
) -> None:
    with pytest.raises(BulkError, match=said):
        run_files("filter", data, tmp_path / "o.parquet", game="chess", options=options)
    assert not (tmp_path / "o.parquet").exists()


# --- material -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chess", "xiangqi", "shogi", "cotulenh"])
def test_material_is_what_stands_on_the_board(name: str) -> None:
    game = forsyth.game(name)
    letters = {"chess": "KQRBNP", "xiangqi": "KABNRCP", "shogi": "KRBGSNLP"}.get(name, "CITMEAGSFNH")
    texts = [*played(name, 3, 40), None, "nonsense"]
    found = material(pa.array(texts), game).to_pylist()
    assert found[-2:] == [None, None]
    for text, told in zip(texts[:-2], found, strict=False):
        men = Counter((text or "").split(" ")[0])
        first = "".join(letter * men[letter] for letter in letters)
        second = "".join(letter * men[letter.lower()] for letter in letters)
        assert told == f"{first}v{second}"


def test_material_in_pockets_does_not_count() -> None:
    house = forsyth.game("chess", "crazyhouse")
    text = "rnbqkb1r/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKB1R[NNnp] w KQkq - 0 5"
    assert material(pa.array([text]), house).to_pylist() == ["KQRRBBNPPPPPPPvKQRRBBNPPPPPPP"]
    assert parse_material("RPKvRK", CHESS) == {"KRPvKR", "KRvKRP"}
    with pytest.raises(BulkError, match="azul has no material"):
        material(pa.array(["x"]), "azul")


def test_material_of_slices_and_chunks() -> None:
    texts = pa.array([GOOD, ENDING, None, ENDING])
    assert material(texts[1:], "chess").to_pylist() == ["KRPvKR", None, "KRPvKR"]
    chunked = material(pa.chunked_array([texts[:1], texts[3:]]), "chess")
    assert chunked.to_pylist()[1] == "KRPvKR"
    assert material(pa.array([], pa.string()), "chess").to_pylist() == []


# --- sets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chess", "xiangqi", "shogi", "cotulenh"])
def test_a_position_and_its_twin_have_one_key(name: str) -> None:
    game = forsyth.game(name)
    flip = make_side_exchange(game)
    texts = played(name, 3, 30)
    assert name != "cotulenh" or any("DEPLOY" in text for text in texts)
    assert not arrow.key([flip(text) for text in texts], game).null_count
    twins = [str(flip(text)) for text in texts]
    own = compute_twin_keys(pa.array(texts), game)
    assert own.equals(compute_twin_keys(pa.array(twins), game))
    keys = arrow.key(pa.array(texts), game)
    assert len(set(own.to_pylist())) <= len(set(keys.to_pylist()))
    first, second = (material(pa.array(one), game).to_pylist() for one in (texts, twins))
    assert [text.split("v")[::-1] for text in first] == [text.split("v") for text in second]


def test_the_twin_of_a_chess_position() -> None:
    flip = make_side_exchange(CHESS)
    text = "r3k2r/8/8/3pP3/8/8/8/R3K3 w Qkq d6 3 9"
    assert flip(text) == "r3k3/8/8/8/3Pp3/8/8/R3K2R b KQq d3 3 9"
    assert flip(GOOD) == GOOD.replace(" w ", " b ")
    with pytest.raises(BulkError, match="sides of azul cannot be exchanged"):
        make_side_exchange(forsyth.game("azul"))


def test_twins_go_into_one_set_and_groups_stay_together(tmp_path: Path) -> None:
    texts = played("chess", 20, 20)
    flip = make_side_exchange(CHESS)
    table = pa.table(
        {
            "fen": [*texts, *(flip(text) for text in texts)],
            "game_id": [n // 20 for n in range(2 * len(texts))],
        }
    )
    pq.write_table(table, tmp_path / "in.parquet")
    source, target = str(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    run_files("split", source, target, game="chess", options={"twins": 1})
    labels = pq.read_table(target).column("split").to_pylist()
    assert labels[: len(texts)] == labels[len(texts) :]
    assert set(labels) == {"train", "valid", "test"}
    run_files("split", source, target, game="chess", options={"by": "game_id"})
    told = pq.read_table(target)
    sets_of: dict[int, str] = {}
    for group, label in zip(
        told.column("game_id").to_pylist(), told.column("split").to_pylist(), strict=True
    ):
        assert sets_of.setdefault(group, label) == label
    assert len(set(sets_of.values())) > 1


def test_groups_are_the_same_whatever_their_type() -> None:
    verb = Verb("split", "chess", options={"by": "g"})
    told: list[list[str | None]] = []
    for kind in (pa.int64(), pa.int32(), pa.string()):
        groups = pa.array([1, 2, 3, None, 1]).cast(kind)
        batch = pa.record_batch([pa.array([GOOD] * 5), groups], ["fen", "g"])
        labels = verb.apply(batch).column("split").to_pylist()
        told.append(labels)
        assert (labels[0] == labels[4], labels[3]) == (True, None)
    assert told[0] == told[1] == told[2]
    with pytest.raises(BulkError, match="--by and --twins cannot be used together"):
        Verb("split", "chess", options={"by": "g", "twins": 1})
    with pytest.raises(BulkError, match="no column 'h'"):
        Verb("split", "chess", options={"by": "h"}).apply(batch)


SESSIONS = (
    "3a2c4/4fh1h3/3g1fs2a1/5t1tg2/1nie3m1ei/3N7/1n8E/3E2M2AI/2I1GT1TG2/4A1S4/4FH1HF2/1N1C7 b - - 14 12 "
    "DEPLOY c8:I 1 N>b8",
    "1n1c7/4fh1hf2/4a1s4/2i1gt1tg2/3e2m2ai/1N8e/3n7/1NIE3M1EI/5T1TG2/3G1FS2A1/4FH1H3/3A2C4 r - - 14 12 "
    "DEPLOY c5:I 1 N>b5",
)


def test_twins_with_an_open_deploy_session_go_into_one_set() -> None:
    flip = make_side_exchange(forsyth.game("cotulenh"))
    assert (flip(SESSIONS[0]), flip(SESSIONS[1])) == SESSIONS[::-1]
    batch = pa.record_batch([pa.array(SESSIONS)], ["fen"])
    for seed in range(20):
        verb = Verb("split", "cotulenh", options={"twins": 1, "seed": seed, "sets": "a=0.5,b=0.5"})
        assert len(set(verb.apply(batch).column("split").to_pylist())) == 1


def test_a_split_by_a_column_counts_the_rows_without_a_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"game_id,fen\n1,{GOOD}\n2,\n,{GOOD}\n4,junk\n", encoding="utf-8")
    report = run_files("split", str(source), target, game="chess", options={"by": "game_id"})
    assert (report.rows, report.ok, report.missing, report.unreadable) == (4, 3, 1, 0)
    assert report.to_dict()["by"] == "game_id"
    assert forsyth_command(["split", "--by", "game_id", str(source), "-o", str(target)]) == 1
    assert capsys.readouterr().err == (
        "chess, detected: 4 rows read, 4 written, 1 without a value of game_id, in no set\n"
    )
    source.write_text(f"game_id,fen\n1,{GOOD}\n2,\n", encoding="utf-8")
    assert forsyth_command(["split", "--by", "game_id", str(source), "-o", str(target)]) == 0
    assert capsys.readouterr().err == "chess, detected: 2 rows read, 2 written\n"


def test_good_and_bad_rows_are_not_asked_for_together(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert forsyth_command(["filter", "--ok", "--bad", data]) == 2
    assert "--ok and --bad exclude each other; choose one" in capsys.readouterr().err


def test_a_file_for_each_set(data: str, tmp_path: Path) -> None:
    texts = played("chess", 10, 20)
    pq.write_table(pa.table({"fen": texts}), data)
    status = forsyth_command(["split", "--separate", "--quiet", data, "-o", str(tmp_path / "sets.parquet")])
    assert status == 0
    parts = {name: pq.read_table(tmp_path / f"sets.{name}.parquet") for name in ("train", "valid", "test")}
    assert sum(part.num_rows for part in parts.values()) == len(texts)
    assert all(part.schema.names == ["fen"] for part in parts.values())
    whole = tmp_path / "whole.parquet"
    run_files("split", data, whole, game="chess")
    table = pq.read_table(whole)
    for name, part in parts.items():
        of_set = [
            text
            for text, label in zip(table["fen"].to_pylist(), table["split"].to_pylist(), strict=True)
            if label == name
        ]
        assert part.column("fen").to_pylist() == of_set


def test_a_directory_for_the_sets_is_made(data: str, tmp_path: Path) -> None:
    sets = ["split", "--separate", "--sets", "a=0.5,b=0.5", "--quiet", data, "-o"]
    forsyth_command([*sets, f"{tmp_path}/sets/"])
    assert sorted(path.name for path in (tmp_path / "sets").iterdir()) == ["a", "b"]
    assert forsyth_command([*sets, f"{tmp_path}/none/sets/"]) == 2


def test_the_names_of_separate_targets() -> None:
    assert name_set_targets("a/b.csv.gz", "x=0.5,y=0.5") == {"x": "a/b.x.csv.gz", "y": "a/b.y.csv.gz"}
    assert name_set_targets("parts/", "x=0.5,y=0.5") == {"x": "parts/x/", "y": "parts/y/"}
    with pytest.raises(BulkError, match="--separate cannot write to standard output"):
        name_set_targets("-")
    with pytest.raises(BulkError, match="part of a file name"):
        name_set_targets("a.csv", "../x=0.5,y=0.5")


# --- several verbs, some columns ------------------------------------------------------------------------


def test_several_verbs_in_one_pass(data: str, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    options: dict[str, str | int | float] = {"verbs": "key, features,pack,material", "width": 40}
    report = run_files("apply", data, target, game="chess", options=options, prefix="x_")
    table = pq.read_table(target)
    assert report.unreadable == 1
    for name, verb in (("key", "key"), ("phase", "features"), ("packed", "pack"), ("material", "material")):
        alone = tmp_path / f"{verb}.parquet"
        given = {"width": 40} if verb == "pack" else {}
        run_files(verb, data, alone, game="chess", options=given, prefix="x_")
        assert table.column(f"x_{name}").equals(pq.read_table(alone).column(f"x_{name}"))
    for verbs, said in (("key,sample", "cannot be combined"), ("key,key", "named twice"), ("", "cannot be")):
        with pytest.raises(BulkError, match=said):
            run_files("apply", data, target, game="chess", options={"verbs": verbs})


def test_rows_with_an_error_count_where_scan_is_the_first(data: str, tmp_path: Path) -> None:
    report = run_files("apply", data, tmp_path / "o.parquet", game="chess", options={"verbs": "scan,key"})
    assert report.unreadable == 2


def test_some_of_the_columns(data: str, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    run_files("key", data, target, game="chess", select=["key", "elo"])
    assert pq.read_table(target).schema.names == ["key", "elo"]
    run_files("filter", data, target, game="chess", select=["fen"], options={"where": "elo > 2000"})
    assert pq.read_table(target).column("fen").to_pylist() == [GOOD, BAD, None]
    for wrong, said in ((["nothing"], "no column 'nothing' to select"), (["fen", "fen"], "selected twice")):
        with pytest.raises(BulkError, match=said):
            run_files("key", data, target, game="chess", select=wrong)


def test_columns_that_are_not_selected_are_not_read(tmp_path: Path) -> None:
    """What is wrong with the others does not matter, as in a scan without a target."""
    lines = [json.dumps({"fen": GOOD, "n": 1})] * 9 + [json.dumps({"fen": GOOD, "n": "one", "new": 2})]
    source = tmp_path / "in.jsonl"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run_files("key", source, tmp_path / "o.parquet", game="chess", select=["fen", "key"])
    assert pq.read_table(tmp_path / "o.parquet").num_rows == 10


# --- the column of the texts ----------------------------------------------------------------------------


def test_the_column_is_found_in_any_case_and_inside_others(tmp_path: Path) -> None:
    inner = pa.struct([("fen", pa.string()), ("n", pa.int64())])
    texts = pa.string()
    for schema, name in (
        ([("a", texts), ("FEN", texts)], "FEN"),
        ([("a", texts), ("Fen", texts), ("fen", texts)], "fen"),
        ([("a", texts), ("b", texts), ("pos", inner)], "pos.fen"),
        ([("a", texts), ("b", texts), ("deep", pa.struct([("pos", inner)]))], "deep.pos.fen"),
        ([("pos", inner), ("text", texts)], "text"),
    ):
        assert find_text_column(pa.schema(schema)) == name
    source, target = tmp_path / "in.jsonl", tmp_path / "out.parquet"
    source.write_text(
        "".join(json.dumps({"id": "x", "who": "y", "pos": {"fen": text}}) + "\n" for text in (GOOD, BAD)),
        encoding="utf-8",
    )
    report = run_files("key", source, target)
    assert (report.heading.column, report.unreadable) == ("pos.fen", 1)
    assert pq.read_table(target).column("key").to_pylist()[0] == bytes.fromhex(CHESS.parse(GOOD).key)
    assert run_files("normalise", source, target, prefix="n_").written == 2
    with pytest.raises(BulkError, match="--prefix"):
        run_files("normalise", source, target)
    with pytest.raises(BulkError, match="inside a column"):
        run_files("sample", source, tmp_path / "o.txt", format_out="text")
    assert run_files("scan", source, None).unreadable == 1


# --- what functions take --------------------------------------------------------------------------------


def test_functions_take_lists_and_series_of_any_library() -> None:
    texts = [GOOD, None, BAD]
    expected = arrow.key(pa.array(texts), "chess").to_pylist()
    for given in (
        texts,
        tuple(texts),
        np.array(texts, object),
        np.array([GOOD, GOOD]),
        pd.Series(texts),
        pd.Series(texts, dtype="string"),
        pl.Series(texts),
        pl.Series(texts, dtype=pl.Categorical),
    ):
        found = arrow.key(given, "chess").to_pylist()
        assert found == (expected if len(given) == 3 else expected[:1] * 2)
    packed = arrow.pack(texts, "chess")
    assert arrow.unpack(packed.to_pylist(), "chess").to_pylist()[0] == GOOD
