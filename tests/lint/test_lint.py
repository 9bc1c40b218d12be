"""The linter: what is taken for a position, where findings stand, what is fixed, what is left out."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from forsyth import registry
from forsyth.atomic_write import FileChangedError
from forsyth.diagnostics import Severity
from forsyth.limits import MAX_LINT_FILE, MAX_LINT_FINDINGS
from forsyth.lint import (
    Finding,
    Settings,
    SettingsError,
    find_files,
    lint_file,
    lint_text,
    read_settings,
)
from forsyth.lint.formats import format_github, format_text, make_sarif_log
from forsyth.lint.kinds import KIND_BY_SUFFIX, FileKind
from forsyth.lint.settings import read_settings_file

GOOD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NINE = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ORDER = "r3k2r/8/8/8/8/8/8/R3K2R w QKqk - 0 1"
ORDERED = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAQABNR w - - 0 1"
AZUL = (
    "BYR|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/"
    "-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
ALL = Settings(severity=Severity.WARNING)


def places(file: str, text: str, settings: Settings = ALL) -> list[tuple[int, int, str]]:
    return [(*one.start, one.code) for one in lint_text(file, text, settings)]


# --- what is recognised -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "text", "line", "column"),
    [
        ("a.py", f'x = "{NINE}"\n', 1, 24),
        ("a.py", f'"""\n>>> read("{NINE}")\n"""', 2, 29),
        ("a.js", f"// one\nconst x = `{NINE}`", 2, 30),
        ("a.rs", f"let x = '{NINE}';", 1, 28),
        ("a.json", json.dumps({"fen": NINE}), 1, 28),
        ("a.ipynb", json.dumps(f'x = "{NINE}"'), 1, 26),
        ("a.toml", f'fen = "{NINE}"', 1, 26),
        ("a.yaml", f"fen: {NINE}  # nine\n", 1, 24),
        ("a.yml", f"fens:\r\n  - {NINE}\r\n", 2, 23),
        ("a.yml", f"fens:\n  - '{NINE}'\n", 2, 24),
        ("a.yml", f'"fen": {NINE}\n', 1, 26),
        ("a.md", f"é: a span `{NINE}` here", 1, 30),
        ("a.md", f"```text\n{NINE}\n```\n", 2, 19),
        ("a.md", f"~~~\n```\n  {NINE}  \n~~~\n", 3, 21),
        ("no_suffix", f'"{NINE}"', 1, 20),
        ("a.fen", f"\ufeff{NINE}\r\n", 1, 20),
        ("a.fen", f"# a comment\n\n{NINE}", 3, 19),
    ],
)
def test_a_text_is_found_where_it_stands(file: str, text: str, line: int, column: int) -> None:
    assert places(file, text) == [(line, column, "board.digit")]


@pytest.mark.parametrize(
    ("text", "code"), [(XIANGQI, "board.char"), (AZUL, "factory.size")], ids=["xiangqi", "azul"]
)
def test_every_game_is_recognised(text: str, code: str) -> None:
    assert code in {found for _, _, found in places("a.py", f'x = "{text}"')}


@pytest.mark.parametrize(
    "source",
    [
        f"x = {NINE}",
        f'x = "the position {NINE}"',
        f'x = "{NINE} " + rest',
        f'x = "{NINE} moves e2e4 e7e5"',
        'x = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR"',
        'x = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w", " KQkq - 0 1"',
        f'print("see {NINE}")',
        f'x = "{NINE} " + rest  # see {GOOD}',
        f"path = {NINE}",
        'x = f"{first}/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"',
        'x = "%s/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"',
        'x = "8/8/8/8/8/8/8/8 w - - 0 1"',
        'x = "usr/share/doc/python/html/library/index w x y z"',
        'x = "src/a/b/c/d/e/f/g w - - 0 1"',
        'x = "1/2/3/4/5/6/7/8 9 10 11 12"',
        'x = "a|b/c|d/e|f/g|h/i|j/k|l/m|n/o|p/q|r/s|t/u|v"',
        'x = "text/html/application/json/image/png/video/mp4 q r s t"',
        'x = "2026/11/16/10/11/12/13/14 b - - 0 1"',
        # Parts of a text that is put together.
        'x = "rnbqkbnr/" + "pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"',
        'x = ("rnbqkbnr/"\n     "pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")',
        'x = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e" + rank + " 0 1"',
        # Rows of data that begin with a position.
        f'x = "{GOOD};20;400;8902"',
        f'x = "{GOOD}, e2e4"',
        f'x = "1,{GOOD}"',
        f'x = "b;{GOOD}"',
        f'x = "fen={GOOD}"',
        f'x = "{GOOD} e2e4"',
        f'x = "{GOOD}."',
        # Texts of games that only look like one of ours.
        'makruk = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"',
        'placement = "8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1"',
        'seirawan = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1"',
        'orda = "lhaykahl/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"',
        'othello = "8/8/8/3pP3/3Pp3/8/8/8 w 0 1"',
        'elephants = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1"',
    ],
)
def test_what_may_be_something_else_is_left_alone(source: str) -> None:
    assert places("a.py", source) == []


def test_one_wrong_letter_is_a_mistake_however_often_it_stands_there() -> None:
    source = f'x = "{GOOD.replace("pppppppp", "ppxppxpp")}"'
    assert [code for _, _, code in places("a.py", source)] == ["board.char"] * 2


def test_lines_of_a_change_have_a_sign_before_them() -> None:
    assert places("a.md", f"```diff\n-{NINE}\n+{GOOD}\n```\n\n```\n{NINE}\n```\n") == [(7, 19, "board.digit")]


def test_in_markdown_prose_and_unfenced_lines_count() -> None:
    found = [(1, 19, "board.digit"), (5, 25, "board.digit")]
    assert places("a.md", f"{NINE}\n\n```\n```\nSee: *{NINE}* there\n") == found


def test_a_game_that_is_named_is_the_only_one() -> None:
    source = f'x = "{NINE}"\ny = "{XIANGQI}"\n'
    assert {line for line, _, _ in places("a.py", source, Settings(game="xiangqi"))} == {2}


def test_without_a_severity_documents_and_source_show_errors_alone() -> None:
    assert places("a.py", f'"{ORDER}"', Settings()) == []
    assert places("a.py", f'"{ORDER}"') == [(1, 28, "castling.order")]
    assert places("a.fen", ORDER, Settings()) == [(1, 27, "castling.order")]
    assert places("a.fen", ORDER, Settings(severity=Severity.ERROR)) == []
    assert places("a.py", f'"{ORDER}"', Settings(mode="strict")) == [(1, 28, "castling.order")]


def test_epd_lines_lack_clocks_and_have_operations() -> None:
    board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
    assert places("a.epd", f'{board}\n{board} bm Ra2; id "x";\n') == []
    assert places("a.epd", f"{board} bm Zz9;\n") == [(1, 37, "epd.move")]


def test_records_are_read_whole() -> None:
    head = '[White "a"]\r\n[Black "b"]\r\n\r\n'
    text = f"{head}1. e4 e5 2. Ke3 *\r\n\r\n{head}1. e4 e4 *\n"
    assert places("a.pgn", text, Settings()) == [
        (4, 13, "record.move_illegal"),
        (9, 7, "record.move_illegal"),
    ]


@pytest.mark.parametrize(
    "text",
    ['[Event "S"]\n\n1. e4 e5 *\n', "1. e4 e5 *\n", '[Event "a study"]\n[Site "?"]\n\n1. d4 d5 *\n', "*"],
    ids=range(4),
)
def test_a_record_whose_game_is_undecided_has_no_finding(text: str) -> None:
    assert places("a.pgn", text) == []


def test_a_record_of_an_undecided_game_still_has_its_other_findings() -> None:
    assert places("a.pgn", '[Event "S"\n\n1. e4 e5 *\n') == [(1, 1, "record.tag")]


def test_a_pawn_may_be_named_when_it_is_dropped() -> None:
    moves = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. %s *"
    crazyhouse = f'[White "a"]\n[Black "b"]\n[Variant "Crazyhouse"]\n\n{moves}\n'
    for move in ("P@g4", "@g4"):
        assert places("a.pgn", crazyhouse % move) == []
    assert places("a.pgn", crazyhouse % "p@g4") == [(5, 37, "record.move_invalid")]
    chess = f'[White "a"]\n[Black "b"]\n\n{moves}\n'
    assert places("a.pgn", chess % "P@g4") == [(4, 37, "record.move_illegal")]
    assert places("a.pgn", chess.replace("1. e4", "1. e2e4") % "d4") == [(4, 4, "record.spelling")]


def test_lines_of_an_undecided_game_have_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "detect", lambda _: registry.Detection(None, 0.0))
    assert places("a.fen", GOOD) == []
    assert places("a.fen", "no position") == [(1, 1, "game.unknown")]


# --- what is left out -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        f'x = "{NINE}"  # forsyth: ignore',
        f'x = "{NINE}"  # forsyth:ignore[board.digit]',
        f'x = "{NINE}"  // forsyth: ignore [ep, board]',
        f'# forsyth: ignore-next-line\nx = "{NINE}"',
        f'\n\nx = "{NINE}"\n/* forsyth: ignore-file[board.digit] */',
    ],
)
def test_comments_leave_findings_out(source: str) -> None:
    assert places("a.c", source) == []


@pytest.mark.parametrize(
    "source",
    [
        f'x = "{NINE}"  # forsyth: ignore[ep]',
        f'x = "{NINE}"  # forsyth: ignored',
        f'# forsyth: ignore\nx = "{NINE}"',
        f'# forsyth: ignore-next-line\n\nx = "{NINE}"',
    ],
)
def test_comments_about_something_else_do_not(source: str) -> None:
    assert [code for _, _, code in places("a.c", source)] == ["board.digit"]


def test_codes_are_selected_and_ignored() -> None:
    text = f"{NINE}\n{ORDER}\n"
    assert [c for _, _, c in places("a.fen", text, Settings(select=("castling",)))] == ["castling.order"]
    assert [c for _, _, c in places("a.fen", text, Settings(ignore=("castling.order",)))] == ["board.digit"]


# --- fixing ---------------------------------------------------------------------------------------------


def test_a_fix_changes_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    order = ORDER.encode()
    before = b'\xef\xbb\xbf# \xff\xfe\r\nx = "%s"\ry = "%s"  # forsyth: ignore\n\n' % (order, order)
    file.write_bytes(before)
    file.chmod(0o640)
    report = lint_file(str(file), ALL, fix=True)
    assert (report.findings, report.fixed_count) == ((), 1)
    assert file.read_bytes() == before.replace(order, ORDERED.encode(), 1)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_fixed_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "a.epd"
    before = 'r3k2r/8/8/8/8/8/8/R3K2R w QKqk - bm e1g1\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - id "Two knights;\n'
    file.write_text(before)
    assert lint_file(str(file), ALL, fix=True).fixed_count > 0
    after = file.read_text()
    assert after.splitlines()[1] == before.splitlines()[1], "what is behind an open quote is in the string"
    assert lint_file(str(file), ALL, fix=True).fixed_count == 0
    assert file.read_text() == after


def test_only_certain_fixes_are_applied(tmp_path: Path) -> None:
    file = tmp_path / "a.fen"
    file.write_text(f"{NINE}\n")
    report = lint_file(str(file), ALL, fix=True)
    assert [one.code for one in report.findings] == ["board.digit"]
    assert file.read_text() == f"{NINE}\n"


def test_what_is_not_reported_is_not_fixed(tmp_path: Path) -> None:
    file = tmp_path / "a.fen"
    file.write_text(f"{ORDER}\n")
    assert lint_file(str(file), Settings(ignore=("castling",)), fix=True).fixed_count == 0
    assert file.read_text() == f"{ORDER}\n"


def test_records_are_fixed_in_place(tmp_path: Path) -> None:
    file = tmp_path / "a.pgn"
    head = '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n'
    file.write_text(f"{head}1. e2e4 e5 1-0\n\n{head}1. d4 d5 1-0\n")
    report = lint_file(str(file), ALL, fix=True)
    assert (report.findings, report.fixed_count) == ((), 1)
    assert file.read_text() == f"{head}1. e4 e5 1-0\n\n{head}1. d4 d5 1-0\n"


def test_a_file_that_may_not_be_written_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.fen"
    file.write_text(ORDER)
    file.chmod(0o444)
    with pytest.raises(PermissionError):
        lint_file(str(file), ALL, fix=True)
    assert file.read_text() == ORDER


# --- hostile files --------------------------------------------------------------------------------------


def test_binary_and_huge_files_are_skipped_with_a_word(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(f'"{NINE}"\0'.encode())
    with (tmp_path / "b.py").open("wb") as stream:
        stream.truncate(MAX_LINT_FILE + 1)
    skipped = [lint_file(str(tmp_path / name), ALL).skip_reason for name in ("a.py", "b.py")]
    assert skipped == ["a binary file", "larger than 16 MiB; use forsyth scan"]


@pytest.mark.parametrize(
    "text",
    [
        '"' + "p/" * 200_000,
        ('"' + "p/" * 8 + "x" * 900) * 500,
        ('"' + ("p" * 79 + "/") * 39) * 200,
        "[" * 200_000 + "]" * 200_000,
        "/a" * 300_000,
        "- " * 100_000 + ":",
        " " * 300_000 + "#",
        "a: " * 100_000,
        "`" * 300_000,
        ("p/" * 8 + " x") * 20_000,
        ("p/" * 8 + " " * 2000 + "\n") * 200,
        "forsyth: ignore[" * 20_000,
        "forsyth: ignore[" + "a," * 100_000,
        '"""' * 100_000,
        "'''\"\"\"/*" * 50_000,
        "<!--" * 100_000,
        ("/" + " " * 190) * 3000,
        "https://" + "p/" * 200_000,
        "https://a/" * 50_000,
        "https://a/?fen=" + "%2F8" * 200_000,
        ("=" * 190 + "p/p/p/p/p/p ") * 2000,
        ("(" * 190 + "p/p/p/p/p/p ") * 2000,
        "a,b/c/d/e/f/g;" * 20_000,
        ("," + " " * 500) * 1000,
    ],
    ids=range(24),
)
@pytest.mark.parametrize("kind", [FileKind.MARKDOWN, FileKind.TABLE, FileKind.YAML, FileKind.QUOTED])
def test_no_text_is_too_long_or_too_deep(text: str, kind: FileKind) -> None:
    (finding,) = lint_text("a", f'{text}\n"{NINE}"', ALL, kind)
    assert (finding.start, finding.code) == ((text.count("\n") + 2, 20), "board.digit")


def test_the_findings_of_one_file_are_bounded() -> None:
    assert len(lint_text("a.fen", f"{NINE}\n" * (MAX_LINT_FINDINGS + 5), ALL)) == MAX_LINT_FINDINGS


def test_an_edit_while_fixing_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.fen"
    file.write_text(f"{ORDER}\n")
    edited = f"{ORDER}\n{GOOD}\n"

    def flush_while_the_user_saves(descriptor: int) -> None:
        file.write_text(edited)

    monkeypatch.setattr(os, "fsync", flush_while_the_user_saves)
    with pytest.raises(FileChangedError) as caught:
        lint_file(str(file), ALL, fix=True)
    assert caught.value.filename == str(file)
    assert "run the command again" in str(caught.value)
    assert file.read_text() == edited
    assert list(tmp_path.iterdir()) == [file], "no temporary file stays"


def test_a_file_that_was_removed_while_fixing_stays_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.fen"
    file.write_text(f"{ORDER}\n")
    monkeypatch.setattr(os, "fsync", lambda _: file.unlink())
    with pytest.raises(FileNotFoundError):
        lint_file(str(file), ALL, fix=True)
    assert list(tmp_path.iterdir()) == []


def test_folders_may_be_nested_deeper_than_python_recurses(tmp_path: Path) -> None:
    depth = 1100
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("a.fen", os.O_CREAT, dir_fd=folder))
    os.close(folder)
    expected = f"{tmp_path}/{'d/' * depth}a.fen"
    try:
        assert list(find_files([tmp_path], Settings(tmp_path))) == [expected]
    finally:
        # pytest removes temporary folders by recursion.
        Path(expected).unlink()
        for level in range(depth, 0, -1):
            Path(f"{tmp_path}/{'d/' * level}").rmdir()


def test_the_files_of_a_folder_come_before_those_of_its_subfolders(tmp_path: Path) -> None:
    names = ["b.fen", "a/b.fen", "a/a/a.fen", "a/c/a.fen", "c/a.fen"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = find_files([tmp_path], Settings(tmp_path))
    assert [Path(file).relative_to(tmp_path).as_posix() for file in found] == names


@pytest.mark.parametrize(
    "line",
    [
        "{epd} bm Rxa8+;",
        '{epd} c0 "1-0"; bm Ra2;',
        "{epd} hmvc 0; fmvn 1;",
        "{epd} 26",
        "{epd} [0.5]",
        "{epd} 1-0",
        "{epd} is drawn",
        "{epd} 0 and so on",
        "{epd} 0 1 ;D1 26 ;D2 568",
        "{epd} 0 1 | 26 | 0.5",
        "{epd} 0 1 0.5",
        "{epd} 0 1, 26 moves",
        "position fen {epd} 0 1 moves e1g1",
        "https://example.org/analysis/r3k2r/8/.../8/8/8/8/R3K2R_w_KQkq_-_0_1",
        "r3k2r/8/.../8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R",
        "{epd} 1 2 +1+0 (3check)",
        "{epd} 2+3 0 3 (winboards 3check)",
        "{epd} 0 1 (e4, no capture)",
        "{epd} 1 6 : good",
        "10+3,1,{epd} 0 1,1650,e2e4",
        "1,{epd} 0 1,1650",
        "b,{epd} 0 1",
        "1;{epd} 0 1",
        "fen={epd} 0 1",
        "Makruk: rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "Orda: lhaykahl/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "Capablanca: rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1",
        "src/forsyth/games/chess/notation/san.py b - - 0 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - as a start",
    ],
)
def test_rows_and_sentences_that_begin_with_a_correct_text_are_left_alone(line: str) -> None:
    text = line.format(epd="r3k2r/8/8/8/8/8/8/R3K2R w KQkq -")
    for file in ("a.txt", "a.md"):
        assert places(file, f"{text}\n", Settings()) == []
    assert places("a.py", f"# {text}\n", Settings()) == []


def test_a_broken_text_in_a_row_is_found() -> None:
    assert places("a.txt", f"{NINE} ;D1 20 ;D2 400\n") == [(1, 19, "board.digit")]
    assert places("a.txt", NINE.replace("0 1", "bm e4;\n"), Settings()) == [(1, 19, "board.digit")]


def test_a_fix_is_written_as_the_file_writes_the_text(tmp_path: Path) -> None:
    board = ORDER.partition(" ")[0]
    escaped = board.replace("/", "\\/")
    texts = {
        "a.json": (f'["{escaped} w QKqk - 0 1"]', f'["{escaped} w KQkq - 0 1"]'),
        "a.py": (f'x = ("{board} "\n    "w QKqk - 0 1")', f'x = ("{board} "\n    "w KQkq - 0 1")'),
        "b.py": (f"# see {ORDER} there", f"# see {ORDERED} there"),
        "a.md": (f"https://a.org/x/{board}_w_QKqk_-_0_1?b=1", f"https://a.org/x/{board}_w_KQkq_-_0_1?b=1"),
        "a.csv": (f"a;{ORDER};b", f"a;{ORDERED};b"),
        # The fix would have to change two quoted texts.
        "c.py": (f'x = "{board} w QK" "qk - 0 1"', f'x = "{board} w QK" "qk - 0 1"'),
    }
    for name, (before, after) in texts.items():
        (tmp_path / name).write_text(before)
        lint_file(str(tmp_path / name), ALL, fix=True)
        assert (tmp_path / name).read_text() == after


def test_a_fix_that_would_change_two_quoted_texts_is_not_offered() -> None:
    source = 'x = ("r3k2r/8/8/8/8/8/8/R3K2R w "\n     "KQkq e9 0 1")\ny = "a"'
    (finding,) = lint_text("a.py", source, ALL)
    assert (finding.start, finding.end) == ((2, 12), (2, 14))
    assert finding.text == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq e9 0 1"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.py", "# antichess\nboard = read('8/8/8/8/8/3p4/4P3/8 w - - 0 1')"),
        ("a.py", "b = AntichessBoard('8/8/8/8/8/3p4/4P3/8 w - - 0 1')"),
        ("a.md", "Giveaway: 8/8/8/8/8/3p4/4P3/8 w - - 0 1"),
        ("suicide-games.epd", "8/8/8/8/8/3p4/4P3/8 w - - hmvc 0;"),
        ("horde.fen", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
    ],
)
def test_a_text_is_correct_if_it_is_in_the_variant_that_the_file_names(file: str, text: str) -> None:
    assert places(file, text, Settings()) == []
    assert places("a.md", f"Atomic: `{NINE}`") == [(1, 28, "board.digit")]


def test_a_named_pipe_is_skipped_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "a.fen"
    os.mkfifo(pipe)
    assert lint_file(str(pipe), ALL).skip_reason == "not a regular file"
    assert lint_file("/dev/zero", ALL, fix=True).skip_reason == "not a regular file"
    with pytest.raises(SettingsError, match="is not a regular file; name a TOML file"):
        read_settings_file(pipe)


# --- files and settings -----------------------------------------------------------------------------------


def test_directories_are_walked_without_what_tools_made(tmp_path: Path) -> None:
    wanted = ["a.py", "b.fen", "sub/c.md"]
    others = [".git/x.py", "node_modules/x.py", "old/x.py", "sub/x.bin", "sub/skip_me.py", "sub/deep/x.py"]
    for name in (*wanted, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "link.py").symlink_to(tmp_path / "a.py")
    settings = Settings(tmp_path, exclude=("old", "skip_*", "sub/deep"))
    found = [Path(file).relative_to(tmp_path).as_posix() for file in find_files([tmp_path], settings)]
    assert found == wanted
    # What is named is taken, unless the settings leave it out.
    named = [tmp_path / name for name in (".git/x.py", "old/x.py", "sub/x.bin", "sub/deep/x.py")]
    assert list(find_files(named, settings)) == [str(named[0]), str(named[2])]
    with pytest.raises(FileNotFoundError):
        list(find_files([tmp_path / "none"], settings))


def test_a_folder_that_cannot_be_listed_does_not_stop_the_walk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "c.fen").touch()
    listed = os.scandir

    def refused(folder: str) -> object:
        if Path(folder).name == "a":
            raise PermissionError(errno.EACCES, "Permission denied", folder)
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refused)
    named: list[OSError] = []
    assert list(find_files([tmp_path], Settings(tmp_path), named.append)) == [str(tmp_path / "b" / "c.fen")]
    assert [one.filename for one in named] == [str(tmp_path / "a")]
    with pytest.raises(PermissionError):
        list(find_files([tmp_path], Settings(tmp_path)))


def test_settings_come_from_the_nearest_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.forsyth.lint]\nexclude = ["tests"]\nignore = ["ep"]\ngame = "chess"\nmode = "strict"\n'
        'severity = "error"\n'
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    expected = Settings(
        tmp_path.resolve(),
        exclude=("tests",),
        ignore=("ep",),
        game="chess",
        mode="strict",
        severity=Severity.ERROR,
    )
    assert read_settings(inner).validate() == expected


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('exlude = ["x"]', "there is no setting 'exlude'"),
        ('exclude = "x"', "exclude is 'x', expected a list of texts"),
        ("game = 3", "game is 3, expected a text"),
        ('game = "checkers"', "there is no game 'checkers'"),
        ('mode = "harsh"', "mode is 'harsh', expected one of strict, default, lenient"),
        ('severity = "info"', "severity is 'info', expected one of error, warning"),
        (
            'ignore = ["castle"]',
            "there is no diagnostic code 'castle'; expected a code such as",
        ),
        ("x = = 1", "is not valid TOML"),
    ],
)
def test_settings_that_mean_nothing_are_refused(tmp_path: Path, line: str, sentence: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.forsyth.lint]\n{line}\n")
    with pytest.raises(SettingsError) as caught:
        read_settings(tmp_path).validate()
    assert sentence in str(caught.value)


def test_every_suffix_is_listed_once() -> None:
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in KIND_BY_SUFFIX)


# --- formats ----------------------------------------------------------------------------------------------


def found_in(file: str) -> tuple[Finding, ...]:
    return lint_text(file, f'"{NINE}"\n"{ORDER}"\n', ALL)


def test_the_text_format_is_that_of_compilers() -> None:
    message = "rank 6: '9' is not an empty count, expected 1 to 8"
    assert format_text(found_in("a b.py")[0]) == f"a b.py:1:20: board.digit: {message}"


def test_a_workflow_command_is_not_ended_by_what_it_says() -> None:
    written = format_github(found_in("a,b:%\n.py")[0])
    head, message = written.removeprefix("::error ").split("::")
    assert head == "file=a%2Cb%3A%25%0A.py,line=1,endLine=1,col=20,endColumn=21,title=board.digit"
    assert message == "rank 6: '9' is not an empty count, expected 1 to 8"


def test_sarif_has_what_the_standard_requires() -> None:
    log = make_sarif_log(found_in("a b/ü.py"))
    assert json.loads(json.dumps(log)) == log
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"] == "forsyth"
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in rules] == ["board.digit", "castling.order"]
    assert all(rule["shortDescription"]["text"] for rule in rules)
    first, second = run["results"]
    assert [rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"]] == [True, True]
    assert (first["level"], second["level"]) == ("error", "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%C3%BC.py"
    assert place["region"] == {"startLine": 1, "startColumn": 20, "endLine": 1, "endColumn": 21}
    (change,) = second["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"] == {"text": "KQkq"}
    assert replacement["deletedRegion"]["startLine"] == 2


def test_a_file_without_the_table_is_no_settings(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.other]\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        read_settings_file(file)
    assert str(caught.value) == f"{file} has no table [tool.forsyth.lint]; add it, or name another file"


@pytest.mark.parametrize(
    ("exclude", "found"),
    [
        ((), ["a.fen", "docs/a.fen", "docs/old/b.fen", "src/old/b.fen", "src/sold/c.fen"]),
        (("old",), ["a.fen", "docs/a.fen", "src/sold/c.fen"]),
        (("old/",), ["a.fen", "docs/a.fen", "src/sold/c.fen"]),
        (("docs/old",), ["a.fen", "docs/a.fen", "src/old/b.fen", "src/sold/c.fen"]),
        (("docs/old/",), ["a.fen", "docs/a.fen", "src/old/b.fen", "src/sold/c.fen"]),
        (("*/old/b.fen",), ["a.fen", "docs/a.fen", "src/sold/c.fen"]),
        (("?.fen",), []),
        (("a.fen",), ["docs/old/b.fen", "src/old/b.fen", "src/sold/c.fen"]),
        (("docs/*",), ["a.fen", "src/old/b.fen", "src/sold/c.fen"]),
        (("[ab].fen", "none"), ["src/sold/c.fen"]),
        (
            ("ol", "ld", ".fen", "a"),
            ["a.fen", "docs/a.fen", "docs/old/b.fen", "src/old/b.fen", "src/sold/c.fen"],
        ),
    ],
)
def test_a_glob_is_compared_with_the_whole_name_and_the_whole_path(
    tmp_path: Path, exclude: tuple[str, ...], found: list[str]
) -> None:
    for name in ("a.fen", "docs/a.fen", "docs/old/b.fen", "src/old/b.fen", "src/sold/c.fen"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")

    def search(paths: list[Path], settings: Settings) -> list[str]:
        return [Path(file).relative_to(tmp_path).as_posix() for file in find_files(paths, settings)]

    settings = Settings(tmp_path, exclude=exclude)
    assert search([tmp_path], settings) == found
    # The paths are relative to the folder of the settings, not to the folder that is searched.
    assert search([tmp_path / "docs"], settings) == [name for name in found if name.startswith("docs/")]
    # The same globs decide about files that are named one by one.
    assert search([tmp_path / name for name in ("a.fen", "docs/a.fen", "src/sold/c.fen")], settings) == [
        name for name in found if "/old/" not in name
    ]


@pytest.mark.parametrize(
    ("include", "found"),
    [
        ((), []),
        (("*.txt",), ["a.txt", "sub/b.txt"]),
        (("sub/*",), ["sub/b.txt", "sub/c.fen"]),
        (("b.txt",), ["sub/b.txt"]),
        (("sub/c.fen", "a.txt"), ["a.txt", "sub/c.fen"]),
    ],
)
def test_only_files_that_a_glob_includes_are_found(
    tmp_path: Path, include: tuple[str, ...], found: list[str]
) -> None:
    for name in ("a.txt", "sub/b.txt", "sub/c.fen"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    settings = Settings(tmp_path, include=include)
    files = [Path(file).relative_to(tmp_path).as_posix() for file in find_files([tmp_path], settings)]
    assert files == found
