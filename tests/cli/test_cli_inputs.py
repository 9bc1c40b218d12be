"""Where the command line takes its texts from: arguments, files, standard input, plain or as JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from forsyth.cli.app import forsyth as command_line
from forsyth.cli.inputs import MAX_LINE, Sources, read_lines
from forsyth.cli.output import Failure

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ODD_TEXTS = ["a\x00b", "\ud800", "two\nlines", "\x1b[31mred", "", " ", "é – 王", "\u2028", "\U0001f600"]


@pytest.fixture
def check() -> Any:
    """Run `forsyth check` in this process."""

    def invoke(*arguments: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(command_line, ["check", *arguments], input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    return invoke


def objects(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_lines_lose_their_terminator_and_nothing_else(check: Any) -> None:
    given = b" a \r\nb\r\n\tc\n\rd\r"
    texts = [answer["text"] for answer in objects(check("--json", given=given))]
    assert texts == [" a ", "b", "\tc", "\rd\r"]


def test_blank_lines_and_comments_are_counted_and_passed_over(check: Any, tmp_path: Path) -> None:
    given = f"# openings\n{START}\n\n \t\n{BROKEN}\n#{START}\n\n{AFTER_E4}\n#\n"
    file = tmp_path / "games.fen"
    file.write_text(given)
    for result in (check("--json", given=given), check("--json", "--file", str(file))):
        answers = objects(result)
        assert [answer["line"] for answer in answers] == [2, 5, 8]
        assert [answer["text"] for answer in answers] == [START, BROKEN, AFTER_E4]
    answers = objects(check("--json", "--file", str(file), "--file", "-", given=f"\n{START}"))
    assert [answer["line"] for answer in answers] == [2, 5, 8, 11]


def test_a_comment_begins_with_its_line(check: Any) -> None:
    (answer,) = objects(check("--json", given=f" # {START}\n"))
    assert answer["text"] == f" # {START}"


def test_arguments_are_never_passed_over(check: Any) -> None:
    answers = objects(check("--json", "", " ", "#", START))
    assert [answer["ok"] for answer in answers] == [False, False, False, True]
    assert answers[0]["diagnostics"][0]["code"] == "fen.empty"


def test_of_json_lines_only_blank_ones_are_passed_over(check: Any) -> None:
    answers = objects(check("--json", "--in", "jsonl", given=f'\n""\n \n"# {START}"\n'))
    assert [(answer["line"], answer["text"]) for answer in answers] == [(2, ""), (4, f"# {START}")]
    assert check("--in", "jsonl", given="# no JSON\n").exit_code == 2


@pytest.mark.parametrize("command", ["check", "fix", "moves", "show", "convert --to fen", "show --svg -"])
def test_the_name_of_a_file_is_not_taken_for_a_text_in_silence(tmp_path: Path, command: str) -> None:
    file = tmp_path / "games.fen"
    file.write_text(f"{START}\n")
    result = CliRunner().invoke(command_line, [*command.split(), "--game", "chess", str(file)])
    assert result.exit_code == 1
    assert f"is a file; to read the texts in it, use --file {file}" in result.stderr


def test_a_text_that_is_also_a_name_is_read(
    check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "start").write_text("x")
    result = check("--game", "chess", "start")
    assert (result.exit_code, result.stderr) == (0, "")
    result = check("--game", "chess", "x" * 5000, BROKEN)
    assert "is a file" not in result.stderr


def test_no_input_is_no_answer(check: Any) -> None:
    result = check("--json", given="")
    assert (result.stdout, result.exit_code) == ("", 0)


def test_jsonl_carries_any_text_there_and_back(check: Any) -> None:
    lines = [json.dumps(text) for text in ODD_TEXTS]
    lines += [json.dumps({"text": text, "other": 1}) for text in ODD_TEXTS]
    result = check("--json", "--in", "jsonl", given="\n".join(lines))
    assert [answer["text"] for answer in objects(result)] == ODD_TEXTS * 2
    assert result.stdout.isascii()


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_people_can_be_told_about_any_text(check: Any, text: str) -> None:
    result = check("--in", "jsonl", given=json.dumps(text))
    assert result.exit_code == 1
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "column 2"),
        ("# no JSON", "column 1"),
        ("7", "does not contain a text"),
        ('{"fen": "x"}', "does not contain a text"),
        ('{"text": null}', "does not contain a text"),
        ("[" * 100_000, "too deeply"),
        ("9" * 10_000, "too large"),
    ],
)
def test_a_bad_json_line_is_named_and_ends_the_run(check: Any, line: str, word: str) -> None:
    result = check("--json", "--in", "jsonl", given=f'"{START}"\n{line}\n"{START}"\n')
    assert result.exit_code == 2
    assert [answer["line"] for answer in objects(result)] == [1]
    assert "standard input, line 2" in result.stderr
    assert word in result.stderr
    assert "per line" in result.stderr


def test_bytes_that_are_not_utf8_are_diagnosed(check: Any) -> None:
    result = check("--json", given=b"\xff\xfe/8 w\n" + START.encode() + b"\n")
    first, second = objects(result)
    assert first["text"] == "\udcff\udcfe/8 w"
    assert first["diagnostics"]
    assert second["ok"] is True
    assert check(given=b"\xff\n").exit_code == 1


def test_a_megabyte_line_is_reported_as_too_long_and_the_next_is_read(check: Any) -> None:
    for length in (MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, MAX_LINE + 2, 3 * MAX_LINE):
        first, second = objects(check("--json", given=b"x" * length + b"\r\n" + START.encode()))
        assert first["text"] == "x" * min(length, MAX_LINE)
        assert first["diagnostics"][0]["code"] == "fen.length"
        assert (second["line"], second["ok"]) == (2, True)


def test_a_line_without_an_end_is_not_read_for_ever(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.cli.inputs.MAX_SKIPPED_LINE", 1 << 20)
    result = check("--file", "/dev/zero")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "Error: /dev/zero, line 1: the line has more than 1048576 bytes, expected one text per line; "
        "name a file of texts\n"
    )
    with Path("/dev/zero").open("rb") as endless, pytest.raises(Failure, match="standard input, line 1: "):
        list(read_lines(endless))


def test_texts_from_several_files_are_numbered_through(check: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{START}\n{AFTER_E4}\n")
    (tmp_path / "b.txt").write_text(BROKEN)
    arguments = ["--file", str(tmp_path / "a.txt"), "--file", "-", "--file", str(tmp_path / "b.txt")]
    answers = objects(check("--json", START, *arguments, given=f"{AFTER_E4}\n"))
    assert [answer["text"] for answer in answers] == [START, START, AFTER_E4, AFTER_E4, BROKEN]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4, 5]


def test_the_total_is_the_bytes_of_all_files_where_that_is_known(tmp_path: Path) -> None:
    first, second, pipe = tmp_path / "a", tmp_path / "b", tmp_path / "pipe"
    first.write_bytes(b"one\r\ntwo\n\nthree")
    second.write_bytes(b"y" * (MAX_LINE + 200_000) + b"\nx\n")
    os.mkfifo(pipe)
    sources = Sources(("text",), (str(first), str(second)))
    assert sources.total_bytes == first.stat().st_size + second.stat().st_size
    sizes = [item.size for item in sources]
    # A line that is passed over counts with the text behind it.
    assert sizes == [0, 5, 4, 6, MAX_LINE + 200_001, 2]
    assert sum(sizes) == sources.total_bytes
    assert Sources((), (str(first),)).total_bytes == 15
    for files in ((), ("-",), (str(first), "-"), (str(pipe),), (str(first), str(pipe))):
        assert Sources(("text",), files).total_bytes is None


@pytest.mark.parametrize(
    ("texts", "files", "numbered"),
    [(("a",), (), False), (("a", "b"), (), True), ((), (), True), ((), ("-",), True), (("a",), ("-",), True)],
)
def test_answers_have_numbers_unless_the_one_text_is_an_argument(
    texts: tuple[str, ...], files: tuple[str, ...], numbered: bool
) -> None:
    assert Sources(texts, files).is_numbered is numbered


def test_a_person_is_told_how_many_texts_were_ok(check: Any) -> None:
    result = check(given=f"{START}\n{BROKEN}\n{START}\n")
    assert result.stderr == "3 texts: 2 ok, 1 not ok\n"
    assert result.exit_code == 1
    assert check(given=f"{START}\n{START}\n").stderr == "2 texts: 2 ok, 0 not ok\n"
    assert check(START).stderr == ""
    assert check("--json", given=f"{START}\n{START}\n").stderr == ""
    assert check(given=f"{START}\n").stdout == f"line 1: ok  {START}\n"
    assert check(START).stdout == f"ok  {START}\n"


@pytest.mark.parametrize(
    ("make", "said"),
    [(lambda path: None, "does not exist"), (lambda path: path.mkdir(), "is a directory")],
)
def test_files_are_looked_for_before_any_text_is_answered(
    check: Any, tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    path = tmp_path / "a"
    make(path)
    result = check(START, "--file", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_file_that_may_not_be_read_is_named(
    check: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_text(START)
    asked: list[tuple[str, int]] = []
    # The administrator may read everything.
    monkeypatch.setattr(os, "access", lambda name, mode: asked.append((name, mode)))
    result = check(START, "--file", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(f"'--file': the file '{path}' is not readable; change its permissions\n")
    assert asked == [(str(path), os.R_OK)]


@pytest.mark.parametrize("more", [0, 1])
def test_a_json_line_has_a_bound(check: Any, monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    monkeypatch.setattr("forsyth.cli.inputs.MAX_JSON_LINE", len(START) + 2)
    result = check("--in", "jsonl", given=json.dumps(START + " " * more) + "\n")
    if not more:
        assert (result.exit_code, result.stderr) == (0, "")
        return
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"Error: standard input, line 1: the line has {len(START) + 4} bytes, expected at most "
        f"{len(START) + 2}; split it or leave it out\n"
    )


def test_a_bad_line_of_a_file_is_named_with_the_file(check: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('"x"\nnope\n')
    result = check("--json", "--in", "jsonl", "--file", str(tmp_path / "a.jsonl"))
    assert result.exit_code == 2
    assert "a.jsonl, line 2" in result.stderr


def test_a_person_at_the_terminal_without_a_text_is_told_what_to_do(
    check: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda self: True, raising=False)
    result = check("--json")
    assert result.exit_code == 2
    assert "--file" in result.stderr
    assert "standard input" in result.stderr
