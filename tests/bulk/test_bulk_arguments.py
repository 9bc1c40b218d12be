"""The functions of `forsyth.bulk`: arguments that cannot be meant are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import forsyth
from forsyth.bulk import BulkError, Rule, Verb, arrow, dedupe_files, run_files, scan_files

CHESS: Any = forsyth.game("chess")
LENINT: Any = "lenint"
OTHER: Any = "other"
TEXTS = pa.array([CHESS.start, None, "8/8/8/8/8/8/8/8 w - - 0 1"])


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """A file of two positions, one of them twice."""
    path = tmp_path / "lines.txt"
    path.write_text(f"{CHESS.start}\n4k3/8/8/8/8/8/8/4K3 w - - 0 1\n{CHESS.start}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["scan", "normalise", "key", "pack", "features", "planes"])
def test_columns_take_a_game_by_its_name(name: str) -> None:
    verb = getattr(arrow, name)
    assert verb(TEXTS, "chess").equals(verb(TEXTS, CHESS))


def test_packed_columns_and_types_take_a_game_by_its_name() -> None:
    packed = arrow.pack(TEXTS, CHESS)
    assert arrow.unpack(packed, "chess").equals(arrow.unpack(packed, CHESS))
    assert arrow.make_features_type("chess") == arrow.make_features_type(CHESS)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: arrow.scan(TEXTS, "chess", mode=LENINT),
            "no mode 'lenint'; choose one of strict, default",
        ),
        (lambda: arrow.scan(TEXTS, "chess", threads=0), "threads is 0, expected 1 or more"),
        (lambda: arrow.key(TEXTS, "chess", threads=OTHER), "threads is of type str, expected a whole number"),
        (lambda: arrow.scan(CHESS.start, "chess"), "texts are of type str, expected an Arrow"),
        (lambda: arrow.unpack(b"", "chess"), "texts are of type bytes, expected an Arrow"),
        (lambda: arrow.key([object()], "chess"), "list cannot be converted to an array of texts"),
        (lambda: arrow.tensor(7, CHESS.plane_shape), "texts are of type int, expected an Arrow"),
        (lambda: Verb("scan", "chess", mode=LENINT), "no mode 'lenint'"),
        (
            lambda: Verb("split", "chess", options={"set": "a=1"}),
            "split has no option 'set'; its options are: sets, seed",
        ),
        (
            lambda: Verb("key", "chess", options={"seed": 1}),
            "key has no option 'seed'; its options are: none",
        ),
        (lambda: Rule(keep=OTHER), "no keep 'other'; choose one of first, best"),
        (lambda: Rule(invalid=OTHER), "no invalid 'other'; choose one of keep, drop"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(BulkError, match=sentence):
        call()


def test_a_job_refuses_a_mode_and_an_argument_that_there_are_not(lines: Path, tmp_path: Path) -> None:
    with pytest.raises(BulkError, match="no mode 'lenint'"):
        scan_files([str(lines)], mode="lenint")  # type: ignore[arg-type]
    with pytest.raises(BulkError, match="no mode 'lenint'"):
        dedupe_files([str(lines)], str(tmp_path / "out.csv"), mode="lenint")  # type: ignore[arg-type]
    with pytest.raises(BulkError, match=r"run_files\(\) got an unexpected .* 'keep'.* go into options"):
        run_files("key", [str(lines)], str(tmp_path / "out.csv"), keep="best")  # type: ignore[call-arg]


def test_one_path_is_one_source_and_not_its_letters(lines: Path, tmp_path: Path) -> None:
    assert scan_files(str(lines)).rows == 3
    assert scan_files(lines).rows == 3
    assert run_files("key", [lines], tmp_path / "keys.csv").written == 3
    assert dedupe_files(lines, tmp_path / "unique.csv").written == 2


def test_a_job_takes_a_game_as_it_is_with_its_variant(lines: Path) -> None:
    heading = scan_files(lines, game=CHESS).heading
    assert (heading.game, heading.variant) == ("chess", None)
    heading = scan_files(lines, game=CHESS.with_variant("crazyhouse")).heading
    assert (heading.game, heading.variant) == ("chess", "crazyhouse")


@pytest.mark.parametrize("verb", ["scan", "key", "pack", "features", "planes", "split"])
def test_a_file_of_lines_is_no_place_for_what_a_verb_adds(verb: str, lines: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    with pytest.raises(BulkError, match=f"one text a line, and not what {verb} writes; write parquet"):
        run_files(verb, lines, target)
    assert not target.exists()


def test_columns_are_left_out_of_lines_only_where_lines_are_asked_for(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text(f"fen,text,note\nnone,{CHESS.start},mine\n", encoding="utf-8")
    target = tmp_path / "out.txt"
    writers: list[Callable[..., object]] = [partial(run_files, "normalise"), dedupe_files]
    for write in writers:
        with pytest.raises(BulkError, match=r"'fen', 'note' would be lost; .* --to text"):
            write(rows, target, column="text", game="chess")
        assert not target.exists()
        write(rows, target, column="text", game="chess", format_out="text")
        assert target.read_text(encoding="utf-8") == f"{CHESS.start}\n"
        target.unlink()


def test_what_was_packed_is_unpacked_to_lines(lines: Path, tmp_path: Path) -> None:
    packed, target = tmp_path / "packed.csv", tmp_path / "out.txt"
    run_files("pack", lines, packed)
    run_files("unpack", packed, target, game="chess", prefix="un", format_out="text")
    assert target.read_text(encoding="utf-8") == lines.read_text(encoding="utf-8")
