"""Columns of the data and columns of ours: none is lost or changed without a word, in any format."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

import forsyth
from forsyth.bulk import BulkError, Rule, Verb, dedupe_files, run_files, scan_files
from forsyth.bulk.jobs.run_files import RunOptions
from forsyth.bulk.sinks import open_sink
from forsyth.bulk.sources.files import expand_patterns
from forsyth.bulk.sources.lines import parse_epd_rows
from forsyth.bulk.sources.shards import open_shard, plan_shards
from forsyth.bulk.verbs.selection import hash_fractions, parse_sets
from forsyth.bulk.verbs.text_column import find_text_column
from forsyth.bulk.verbs.verb import VERBS
from forsyth.cli.app import forsyth as command_line
from forsyth.record_bytes.epd_lines import epd_text

CHESS = forsyth.game("chess")
START = CHESS.start
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
FORMATS = ["parquet", "arrow", "arrows", "csv", "tsv", "jsonl", "csv.gz", "jsonl.zst"]


def write(path: Path, columns: dict[str, Any]) -> str:
    """A file of columns in the format that its name tells."""
    batch = pa.record_batch(columns)
    with open_sink(str(path), batch.schema) as sink:
        sink.write_batch(batch)
    return str(path)


def rows_of(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for shard in plan_shards(expand_patterns([str(path)])):
        with open_shard(shard) as batches:
            found += [row for batch in batches for row in batch.to_pylist()]
    return found


def run(*arguments: str, given: str | None = None) -> Result:
    result = CliRunner().invoke(command_line, list(arguments), input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


# --- columns that the data has already ----------------------------------------------------------------

WRITERS = [name for name in VERBS if name not in ("sample", "filter", "normalise", "unpack")]


@pytest.mark.parametrize("verb", WRITERS)
def test_no_column_of_the_data_is_replaced(verb: str, tmp_path: Path) -> None:
    options = {"verbs": "key,scan"} if verb == "apply" else {}
    names = Verb(verb, "chess", options=options).list_added_columns()
    source = write(tmp_path / "in.parquet", {"fen": [START], **{name: ["mine"] for name in names[:2]}})
    with pytest.raises(
        BulkError, match=f"{verb} writes the column.* '{names[0]}'.*--prefix {verb}_ "
    ) as told:
        run_files(verb, [source], str(tmp_path / "out.parquet"), options=options)
    assert all(repr(name) in str(told.value) for name in names[:2])
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
    run_files(verb, [source], str(tmp_path / "out.parquet"), prefix="our_", options=options)
    (row,) = rows_of(tmp_path / "out.parquet")
    assert {name: row[name] for name in names[:2]} == dict.fromkeys(names[:2], "mine")
    assert [name for name in row if name.startswith("our_")] == [f"our_{name}" for name in names]


@pytest.mark.parametrize("ending", FORMATS)
def test_every_format_keeps_the_columns_of_the_data(ending: str, tmp_path: Path) -> None:
    source = write(tmp_path / f"in.{ending}", {"fen": [START], "key": ["mine"], "ok": ["yes"]})
    refused = run("key", source, "-o", str(tmp_path / f"out.{ending}"))
    assert (refused.exit_code, "'key'" in refused.stderr, "--prefix" in refused.stderr) == (2, True, True)
    assert refused.stderr.count("\n") == 1
    done = run("key", source, "--prefix", "forsyth_", "-o", str(tmp_path / f"out.{ending}"))
    assert done.exit_code == 0, done.stderr
    (row,) = rows_of(tmp_path / f"out.{ending}")
    assert [*row] == ["fen", "key", "ok", "forsyth_key"]
    assert (row["key"], row["ok"]) == ("mine", "yes")


def test_normalise_leaves_the_text_alone_where_it_has_a_prefix() -> None:
    given = pa.record_batch({"fen": [START.replace("KQkq", "QKqk")], "n": [1]})
    assert Verb("normalise", "chess").apply(given).to_pylist() == [{"fen": START, "n": 1}]
    beside = Verb("normalise", "chess", prefix="canonical_").apply(given)
    assert beside.to_pylist() == [{**given.to_pylist()[0], "canonical_fen": START}]


def test_unpack_does_not_replace_a_text() -> None:
    given = Verb("pack", "chess").apply(pa.record_batch({"fen": [START]}))
    with pytest.raises(BulkError, match="unpack writes the column 'fen'"):
        Verb("unpack", "chess", column="packed").apply(given)


def test_a_prefix_that_is_taken_too_is_refused() -> None:
    with pytest.raises(BulkError, match=r"the column 'my_key'.*--prefix my_key_"):
        Verb("key", "chess", prefix="my_").apply(pa.record_batch({"fen": [START], "my_key": [1]}))


def test_each_verb_says_which_columns_it_adds() -> None:
    plain = {
        verb: Verb(verb, "chess").list_added_columns()
        for verb in ("normalise", "sample", "key", "split", "unpack")
    }
    assert plain == {"normalise": [], "sample": [], "key": ["key"], "split": ["split"], "unpack": ["fen"]}
    for verb, added in (
        ("normalise", ["my_fen"]),
        ("sample", []),
        ("key", ["my_key"]),
        ("split", ["my_split"]),
    ):
        assert Verb(verb, "chess", prefix="my_").list_added_columns() == added
    with pytest.raises(BulkError, match=r"normalise writes the column 'my_fen'.*--prefix my_normalise_"):
        Verb("normalise", "chess", prefix="my_").apply(pa.record_batch({"fen": [START], "my_fen": [1]}))


def test_a_report_needs_no_name_for_its_columns(tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"code": [START, "x"], "ok": [1, 2]})
    report = scan_files([source], column="code")
    assert (report.rows, [one.code for one in report.codes]) == (2, ["fen.fields"])


def test_dedupe_takes_columns_of_any_name(tmp_path: Path) -> None:
    texts = [START, E4, START]
    source = write(tmp_path / "in.parquet", {"key": texts, "depth": [1, 2, 3]})
    dedupe_files([source], str(tmp_path / "out.parquet"), column="key", rule=Rule("best", "depth"))
    assert rows_of(tmp_path / "out.parquet") == [{"key": E4, "depth": 2}, {"key": START, "depth": 3}]
    source = write(tmp_path / "by.parquet", {"fen": texts, "key": [3, 2, 1]})
    dedupe_files([source], str(tmp_path / "out.parquet"), rule=Rule("best", "key"))
    assert rows_of(tmp_path / "out.parquet") == [{"fen": START, "key": 3}, {"fen": E4, "key": 2}]


def test_planes_with_a_prefix_are_an_array_too(tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"fen": [START, "x"], "planes": ["mine", "mine"]})
    run_files("planes", [source], str(tmp_path / "out.npy"), prefix="p_")
    assert np.load(tmp_path / "out.npy").shape == (1, 20, 8, 8)


# --- columns that only some files have ----------------------------------------------------------------


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("verb", ["key", "dedupe"])
def test_columns_that_only_some_files_have_are_kept(verb: str, ending: str, tmp_path: Path) -> None:
    first = write(tmp_path / f"a.{ending}", {"fen": [START], "early": ["x"]})
    later = write(tmp_path / f"b.{ending}", {"late": ["y"], "fen": [E4]})
    target = tmp_path / "out.parquet"
    assert run(verb, first, later, "-o", str(target)).exit_code == 0
    told = [{name: row[name] for name in ("fen", "early", "late")} for row in rows_of(target)]
    assert told == [{"fen": START, "early": "x", "late": None}, {"fen": E4, "early": None, "late": "y"}]


def test_a_pipe_behind_a_file_cannot_bring_columns(tmp_path: Path) -> None:
    first = write(tmp_path / "a.csv", {"fen": [START]})
    target = tmp_path / "out.csv"
    told = run("key", first, "-", "--in", "csv", "-o", str(target), given=f"fen,late\n{E4},y\n")
    assert (told.exit_code, target.exists()) == (2, False)
    assert "standard input has the columns 'late'" in told.stderr


@pytest.mark.parametrize(
    ("first", "later", "together"),
    [
        (pa.array([1], pa.int8()), pa.array([70000], pa.int32()), pa.int32()),
        (pa.array([1]), pa.array([0.5]), pa.float64()),
        (pa.array([None]), pa.array(["x"]), pa.large_string()),
        (pa.array(["x"]).dictionary_encode(), pa.array(["y"]), pa.large_string()),
        (pa.array(["x"]), pa.array(["y"], pa.string_view()), pa.large_string()),
        (pa.array([b"x"], pa.binary(1)), pa.array([b"yy"], pa.binary(2)), pa.large_binary()),
    ],
)
def test_types_that_hold_the_values_of_both_files(
    first: pa.Array, later: pa.Array, together: pa.DataType, tmp_path: Path
) -> None:
    a = write(tmp_path / "a.arrows", {"fen": [START], "x": first})
    b = write(tmp_path / "b.arrows", {"fen": [E4], "x": later})
    run_files("key", [a, b], str(tmp_path / "out.arrow"))
    assert [row["x"] for row in rows_of(tmp_path / "out.arrow")] == [first[0].as_py(), later[0].as_py()]
    with pa.ipc.open_file(tmp_path / "out.arrow") as reader:
        assert reader.schema.field("x").type == together


@pytest.mark.parametrize(
    ("first", "later"), [(pa.array([1]), pa.array(["007"])), (pa.array(["x"]), pa.array([b"x"]))]
)
def test_types_that_do_not_go_together_are_refused(first: pa.Array, later: pa.Array, tmp_path: Path) -> None:
    a = write(tmp_path / "a.parquet", {"fen": [START], "x": first})
    b = write(tmp_path / "b.parquet", {"fen": [E4], "x": later})
    with pytest.raises(
        BulkError, match=r"the column 'x' is of .* in .*b.parquet and of .* in the files before"
    ):
        run_files("key", [a, b], str(tmp_path / "out.parquet"))
    assert scan_files([a, b]).rows == 2, "a report needs the texts alone"


def test_a_number_that_would_change_is_refused(tmp_path: Path) -> None:
    a = write(tmp_path / "a.parquet", {"fen": [START], "x": [2**53 + 1]})
    b = write(tmp_path / "b.parquet", {"fen": [E4], "x": [0.5]})
    with pytest.raises(BulkError, match=r"the column 'x' of .*a.parquet is not of double"):
        run_files("key", [a, b], str(tmp_path / "out.parquet"))


def test_a_file_without_the_texts_is_refused(tmp_path: Path) -> None:
    a = write(tmp_path / "a.parquet", {"fen": [START]})
    b = write(tmp_path / "b.parquet", {"text": [E4]})
    with pytest.raises(BulkError, match=r"b.parquet has no column 'fen'"):
        run_files("key", [a, b], str(tmp_path / "out.parquet"))


# --- columns that hold no texts -----------------------------------------------------------------------

WRONG = {
    "integers": pa.array([1, 2]),
    "structs": pa.array([{"a": 1}, None]),
    "lists": pa.array([["x"], []]),
    "dates": pa.array([0, 1], pa.date32()),
    "labels": pa.array([1, 2]).dictionary_encode(),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("command", ["scan", "key", "dedupe", "sample", "unpack"])
def test_a_column_of_something_else_is_one_sentence(kind: str, command: str, tmp_path: Path) -> None:
    name = "packed" if command == "unpack" else "fen"
    source = write(tmp_path / "in.parquet", {name: WRONG[kind]})
    for more in ([], ["--game", "chess"]):
        told = run(command, source, *more, "-o", str(tmp_path / "out.parquet"))
        assert (told.exit_code, told.stdout, told.stderr.count("\n")) == (2, "", 1)
        assert f"the column '{name}' is of" in told.stderr
        assert "--column" in told.stderr


@pytest.mark.parametrize("ending", ["parquet", "csv", "jsonl"])
def test_a_column_that_is_not_there_is_one_sentence(ending: str, tmp_path: Path) -> None:
    source = write(tmp_path / f"in.{ending}", {"fen": [START]})
    for name in ("none", ""):
        told = run("scan", source, "--column", name)
        assert (told.exit_code, told.stdout) == (2, "")
        assert (
            told.stderr
            == f"Error: there is no column {name!r}; name another with --column: the columns are 'fen'\n"
        )


def test_columns_of_bytes_and_of_nothing_hold_texts() -> None:
    for kind in (pa.binary(), pa.binary(4), pa.null(), pa.dictionary(pa.int8(), pa.large_binary())):
        assert find_text_column(pa.schema([("fen", kind)])) == "fen"


# --- JSON lines -----------------------------------------------------------------------------------------


def json_lines(path: Path, objects: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("shard_bytes", [300, None])
def test_keys_that_are_not_needed_may_be_anything(
    shard_bytes: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forsyth.bulk.sources.lines.BLOCK_BYTES", 400)
    varied: list[Any] = [1, "x", None, {"a": 1}, [1, "y"], True, {"a": "z"}, {"b": []}]
    objects = [{"fen": START, "n": varied[number % 8]} for number in range(40)]
    objects += [{"late": number, "fen": E4} for number in range(40)]
    source = json_lines(tmp_path / "in.jsonl", objects)
    report = scan_files([source], run_options=RunOptions(shard_bytes=shard_bytes))
    assert (report.rows, report.ok) == (80, 80)
    with pytest.raises(BulkError, match=r"in.jsonl, line 2: .*/n\) changed from number to string"):
        run_files(
            "key", [source], str(tmp_path / "out.parquet"), run_options=RunOptions(shard_bytes=shard_bytes)
        )


def test_a_late_key_is_named_where_rows_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.bulk.sources.lines.BLOCK_BYTES", 400)
    source = json_lines(tmp_path / "in.jsonl", [{"fen": START}] * 40 + [{"fen": E4, "late": 1}])
    with pytest.raises(BulkError, match=r"in.jsonl, line 41: the key 'late' is new here"):
        run_files("key", [source], str(tmp_path / "out.parquet"))
    assert scan_files([source]).ok == 41
    told = run("scan", "--in", "jsonl", given=Path(source).read_text(encoding="utf-8"))
    assert told.exit_code == 0, told.stderr


NUMBERS = {
    "NaN": pa.array([0.5, float("nan")]),
    "infinity": pa.array([0.5, float("inf")]),
    "in a list": pa.array([[0.5], [1.0, float("-inf")]]),
    "in a struct": pa.array([{"a": [0.5]}, {"a": [float("nan")]}]),
    "short": pa.array([0.5, float("nan")], pa.float32()),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_what_json_cannot_hold_is_refused_and_not_made_null(kind: str, tmp_path: Path) -> None:
    source = write(tmp_path / "in.parquet", {"fen": [START, E4], "x": NUMBERS[kind]})
    with pytest.raises(BulkError, match="row 2 has NaN or infinity in 'x', which JSON cannot hold"):
        run_files("key", [source], str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()
    run_files("key", [source], str(tmp_path / "out.parquet"))
    assert str(rows_of(tmp_path / "out.parquet")[1]["x"]) == str(NUMBERS[kind][1].as_py())


def test_csv_holds_what_json_cannot(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(f'{{"fen":"{START}","x":NaN}}\n{{"fen":"{E4}","x":-Infinity}}\n')
    run_files("key", [str(tmp_path / "in.jsonl")], str(tmp_path / "out.csv"))
    assert [row["x"] for row in rows_of(tmp_path / "out.csv")] == ["nan", "-inf"]


# --- lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["txt", "fen", "epd"])
def test_lines_without_a_text_are_no_errors(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"in.{ending}"
    path.write_text(f"# positions\r\n\n{START}\n   \n\t\n#{E4}\nwrong\n{E4}", encoding="utf-8")
    report = scan_files([str(path)])
    assert (report.rows, report.missing, report.unreadable) == (8, 5, 1)
    assert report.codes[0].examples[0].row == 7, "the number of the line"
    path.write_text("# nothing but this\n\n", encoding="utf-8")
    assert scan_files([str(path)], game="chess").missing == 2


LINES = [
    "8/8/8/4k3/8/8/8/4K3 w - - bm Kd2;",
    "8/8/8/4k3/8/8/8/4K3 w - -",
    '8/8/8/4k3/8/8/8/4K3 w - - id "hmvc 9; x"; hmvc 3; fmvn 20;',
    "8/8/8/4k3/8/8/8/4K3 w - - fmvn 20; hmvc 3",
    "8/8/8/4k3/8/8/8/4K3 w - - 5 9",
    "8/8/8/4k3/8/8/9/4K3 w - - bm Kd2;",
    "8/8/8/4k3/8/8/8/4K3  w  - -   bm Kd2;  ",
    "8/8/8/4k3/8/8/8/4K3 w - - hmvc x; hmvc 12345678901;",
    '8/8/8/4k3/8/8/8/4K3 w - - id "open; hmvc 4;',
    "not EPD at all",
    START,
]


def test_a_line_of_epd_is_the_same_text_for_every_command(tmp_path: Path) -> None:
    texts = parse_epd_rows("".join(f"{line}\n" for line in LINES).encode()).column("fen").to_pylist()
    assert texts == [epd_text(line) for line in LINES]
    assert texts[2] == "8/8/8/4k3/8/8/8/4K3 w - - 3 20"
    path = tmp_path / "in.epd"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    checked = [json.loads(line) for line in run("check", "--json", "--file", str(path)).stdout.splitlines()]
    run_files("scan", [str(path)], str(tmp_path / "out.parquet"), game="chess")
    scanned = rows_of(tmp_path / "out.parquet")
    assert [one["text"] for one in checked] == [one["fen"] for one in scanned]
    assert [one["line"] for one in checked if not one["ok"]] == [6, 10]


# --- sample and split -----------------------------------------------------------------------------------


def keys() -> pa.Array:
    """Thirty thousand keys, the same in every run."""
    generator = np.random.Generator(np.random.PCG64(11))
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(16), 30_000, [None, pa.py_buffer(generator.bytes(16 * 30_000))]
    )


def divided(numbers: Any) -> dict[str, float]:
    """The share of each set among rows with these numbers."""
    names, ends = zip(*parse_sets("train=0.8,valid=0.1,test=0.1"), strict=True)
    found = Counter(names[place] for place in np.searchsorted(ends, numbers, side="right"))
    return {name: found[name] / len(numbers) for name in names}


@pytest.mark.parametrize("fraction", [0.02, 0.3, 0.8])
def test_a_sample_is_split_like_the_whole(fraction: float) -> None:
    for seed, other in product((0, 1, 7), repeat=2):
        sampled = hash_fractions(keys(), "sample", seed).to_numpy() < fraction
        assert abs(sampled.mean() - fraction) < 0.01
        found = divided(hash_fractions(keys(), "split", other).to_numpy()[sampled])
        room = 0.07 if fraction < 0.1 else 0.02
        assert abs(found["train"] - 0.8) < room
        assert abs(found["valid"] - 0.1) < room
        assert abs(found["test"] - 0.1) < room


def test_the_sets_of_a_position_stay_as_they_were() -> None:
    found = hash_fractions(pa.array([bytes(range(16)), bytes(16)], pa.binary(16)), "split", 3).to_pylist()
    assert found == [0.9663179082088648, 0.9443949094869579]


def test_a_sample_of_files_can_be_split(tmp_path: Path) -> None:
    places = [f"{place}Q{7 - place}".replace("0", "") for place in range(8)]
    texts = [f"8/{a}/{b}/{c}/8/8/8/K6k w - - 0 1" for a, b, c in product(places, repeat=3)]
    source = write(tmp_path / "in.parquet", {"fen": texts})
    run_files("sample", [source], str(tmp_path / "some.parquet"), options={"fraction": 0.6})
    run_files("split", [str(tmp_path / "some.parquet")], str(tmp_path / "sets.parquet"))
    assert {row["split"] for row in rows_of(tmp_path / "sets.parquet")} == {"train", "valid", "test"}


# --- without the extra ----------------------------------------------------------------------------------

BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
"""


def without(blocked: tuple[str, ...], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process that cannot import some packages."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED.format(blocked=blocked) + code],
        capture_output=True,
        text=True,
        check=False,
    )


SAYING = """
try:
    {code}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("missing", ["pyarrow", "numpy"])
@pytest.mark.parametrize(
    "code", ["from forsyth import bulk", "import forsyth.bulk.polars", "from forsyth.bulk import run_files"]
)
def test_without_the_extra_one_sentence_says_what_to_install(missing: str, code: str) -> None:
    done = without((missing,), SAYING.format(code=code))
    assert done.stdout == f"forsyth.bulk needs {missing}: pip install 'forsyth[bulk]'\n", done.stderr


def test_without_the_extra_the_commands_say_so_too() -> None:
    done = without(("pyarrow",), "import forsyth.cli; sys.exit(forsyth.cli.main(['key', 'x.txt']))")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: this command needs pyarrow; install it with: pip install 'forsyth[bulk]'\n"


@pytest.mark.parametrize(("module", "extra"), [("polars", "bulk"), ("duckdb", "duckdb"), ("ray", "ray")])
def test_without_the_library_of_an_adapter(module: str, extra: str) -> None:
    done = without((module,), f"import forsyth.bulk.{module}")
    assert done.stderr.splitlines()[-1].endswith(f" needs {module}: pip install 'forsyth[{extra}]'")
