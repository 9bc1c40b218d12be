"""The document of Azul, `004_azul.md`: every snippet, table row, rule, message and workflow, as written.

Python runs as it stands with `examples/documents` on the path, the calls of curl against a live service.
Where the specification resolves something otherwise, that is asserted, and the case names the clause.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.documents.cases import Case, table
from tests.server.serving import Serving, serving

import forsyth
from forsyth.azul import AzulState, compress, decode_base64, decompress, detect
from forsyth.diagnostics import FenError
from forsyth.games.azul.tiles import COLOUR_NAMES, COLOURS
from forsyth.store import MemoryStore

ROOT = Path(__file__).parents[2]
PATH = ROOT / "examples" / "documents"
DOCUMENT = Path(__file__).with_name("004_azul.md").read_text(encoding="utf-8")
SPECIAL = ("start", "midgame", "endgame", "initial")

CASES: tuple[Case, ...] = (
    Case("Standard FEN Format: Format Structure", "the standard text, eleven components"),
    *[
        Case(f"Component Breakdown: {name}", ours, differs)
        for name, ours, differs in (
            ("Factories", "`factories`", "an emptied factory is `----` (C1)"),
            ("Center", "`center`", ""),
            ("Player1 Wall", "`wall` of player 0", "players are numbered from 0"),
            ("Player1 Pattern", "`lines` of player 0", "line i may also be i + 1 characters wide (C4)"),
            ("Player1 Floor", "`floor` of player 0", ""),
            ("Player2 Wall", "`wall` of player 1", ""),
            ("Player2 Pattern", "`lines` of player 1", ""),
            ("Player2 Floor", "`floor` of player 1", ""),
            ("Scores", "`scores`", ""),
            ("Round", "`round`", ""),
            ("Current Player", "`current_player`", ""),
        )
    ],
    *[Case(f"Tile Color Codes: {letter}", f"`{letter}`") for letter in (*COLOURS, "-")],
    Case(
        "FEN Types: 1. Standard FEN (Primary)",
        "form `plain`, type `standard`",
        "with warnings: no game gets there (C2)",
    ),
    Case("FEN Types: 2. Hash-based FEN", "form `state`, type `hash`", "needs the store that kept it (C18)"),
    Case("FEN Types: 3. Base64 FEN", "form `base64`", "the example is well formed but no position (C19)"),
    *[Case(f'Special Positions: "{name}"', f"the name `{name}`") for name in SPECIAL],
    Case("Format Validation: Structure", "`component.count`"),
    Case("Format Validation: Factories", "`factory.count`, `factory.size`", "`----` is valid (C1)"),
    Case("Format Validation: Center", "`center.format`"),
    Case("Format Validation: Walls", "`wall.shape`"),
    Case("Format Validation: Pattern Lines", "`line.count`, `line.width`"),
    Case("Format Validation: Floor Lines", "`floor.format`"),
    Case("Format Validation: Scores", "`score.format`"),
    Case("Format Validation: Round", "`round.range`", "the extended text allows up to 9999 (C10)"),
    Case(
        "Format Validation: Current Player",
        "`player.range`",
        "the extended text has up to four players (C11)",
    ),
    Case("Content Validation: Tile Count", "`tile.count`", "20 of each colour (C16)"),
    Case("Content Validation: Color Distribution", "`tile.color`"),
    Case("Content Validation: Wall Placement", "`wall.placement`", "each cell has its colour (C6)"),
    Case("Content Validation: Pattern Line Rules", "`line.capacity`, `line.mixed`, `line.wall_conflict`"),
    Case("Content Validation: Floor Line Rules", "`floor.overflow`"),
    Case(
        "Usage Examples: Basic FEN Generation",
        "`AzulState`",
        "the deal is by chance and the centre empty (C3)",
    ),
    Case("Usage Examples: FEN Validation", "`AzulState.validate_fen`"),
    Case("Usage Examples: FEN Parsing", "`AzulState.from_fen`"),
    Case("Usage Examples: Round-trip Conversion", "`AzulState.to_fen`"),
    Case("API Integration: FEN Validation Endpoint", "`POST /api/v1/validate-fen`"),
    Case("API Integration: Game State Loading", "`POST /api/v1/game_state`"),
    Case("UI Integration: FEN Display Component", "`FENDisplay`"),
    Case("UI Integration: FEN Input Component", "`FENInput`"),
    Case("UI Integration: FEN Manager Component", "`FENManager`"),
    Case(
        "Common Issues: 1. Invalid FEN Format",
        "`component.count`",
        "no `ERROR:`; the count replaces the text (C21)",
    ),
    Case("Common Issues: 2. Invalid Tile Colors", "`tile.color`", "no `ERROR:` (C21)"),
    Case("Common Issues: 3. Incorrect Factory Count", "`factory.size`", "no `ERROR:` (C21)"),
    Case("Common Issues: 4. Invalid Wall Placement", "`wall.placement`", "no `ERROR:` (C21)"),
    Case("Best Practices: 1. Always Validate", "`AzulState.validate_fen`"),
    Case(
        "Best Practices: 2. Use Standard Format",
        "`AzulState.to_fen`",
        "the extended text beyond round 10 (C10)",
    ),
    Case("Best Practices: 3. Handle Errors Gracefully", "`FenError`, a `ValueError`"),
    Case("Best Practices: 4. Test Round-trip Conversion", "`AzulState.to_fen`"),
    Case("Future Enhancements: FEN compression for long strings", "form `fenz`, `compress` and `decompress`"),
    Case("Future Enhancements: FEN versioning for format changes", "the extended text, `v2/…` (C26)"),
    Case("Future Enhancements: Advanced validation rules", "the warnings of stage reachability (C27)"),
    Case("Future Enhancements: Performance optimizations", "compiled kernels, columns (C27)"),
)
BY_NAME = {case.name: case for case in CASES}


# --- the document -------------------------------------------------------------------------------------


class Part(NamedTuple):
    """What stands below one heading of the third level."""

    chapter: str
    title: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.chapter}: {self.title}"

    def block(self, language: str, number: int = 0) -> str:
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)
        return str(blocks[number])

    def rows(self) -> list[list[str]]:
        lines = [line for line in self.text.splitlines() if line.startswith("| **")]
        return [
            [cell.strip(" *`").replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in lines
        ]

    def listed(self) -> list[tuple[str, ...]]:
        return re.findall(r"^(?:\d+\.|-) (?:\*\*(.+?)\*\*:|`(.+?)` -|(.+)$)", self.text, re.MULTILINE)


@cache
def parts() -> dict[str, Part]:
    found = []
    for chapter in re.split(r"^## ", DOCUMENT, flags=re.MULTILINE)[1:]:
        title, _, text = chapter.partition("\n")
        for section in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
            name, _, body = section.partition("\n")
            found.append(Part(title, name.strip("*"), body))
    return {part.name: part for part in found}


def part(name: str) -> Part:
    return parts()[name]


def names_of_rows(name: str, title: str) -> list[str]:
    return [f"{title}: {row[0]}" for row in part(name).rows()]


def names_of_list(name: str, title: str) -> list[str]:
    return [f"{title}: {''.join(words)}" for words in part(name).listed()]


BREAKDOWN = "Standard FEN Format: Component Breakdown"
SEED = part("FEN Types: 1. Standard FEN (Primary)").block("").strip()
TRUNCATED = SEED.partition("/")[0]


def test_every_part_of_the_document_is_a_case() -> None:
    tables = {
        BREAKDOWN: names_of_rows(BREAKDOWN, "Component Breakdown"),
        "Standard FEN Format: Tile Color Codes": names_of_rows(
            "Standard FEN Format: Tile Color Codes", "Tile Color Codes"
        ),
        "FEN Types: 4. Special Positions": names_of_list(
            "FEN Types: 4. Special Positions", "Special Positions"
        ),
        "Validation Rules: Format Validation": names_of_list(
            "Validation Rules: Format Validation", "Format Validation"
        ),
        "Validation Rules: Content Validation": names_of_list(
            "Validation Rules: Content Validation", "Content Validation"
        ),
        "Version History: Future Enhancements": names_of_list(
            "Version History: Future Enhancements", "Future Enhancements"
        ),
        # What the current version has is all of the above.
        "Version History: v1.0 (Current)": [],
    }
    wanted = [name for part in parts() for name in tables.get(part, [part])]
    assert wanted == [case.name for case in CASES]


def test_the_page_of_the_documents_shows_these_cases() -> None:
    page = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
    assert "## 004 Azul\n" in page
    assert table(CASES) in page


# --- the format ---------------------------------------------------------------------------------------


def codes(text: str) -> set[str]:
    return {finding.code for finding in forsyth.check(text, "azul").errors}


def with_component(number: int, value: str) -> str:
    components = SEED.split("/")
    components[number] = value
    return "/".join(components)


def test_format_structure() -> None:
    named = part("Standard FEN Format: Format Structure").block("").strip().split("/")
    assert len(named) == len(SEED.split("/")) == len(part(BREAKDOWN).rows()) == 11


@pytest.mark.parametrize("number", range(11))
def test_component_breakdown(number: int) -> None:
    name, _, form, example = part(BREAKDOWN).rows()[number]
    assert f"Component Breakdown: {name}" in BY_NAME
    for value in example.split("` or `"):
        assert AzulState.validate_fen(with_component(number, value), "format"), value
    if form.endswith("-"):
        assert AzulState.validate_fen(with_component(number, "-"), "format")
    ours = BY_NAME[f"Component Breakdown: {name}"].ours.split("`")[1]
    (finding, *_) = forsyth.check(with_component(number, "?"), "azul").errors
    assert finding.field == ours


@pytest.mark.parametrize("number", range(6))
def test_tile_color_codes(number: int) -> None:
    letter, name, _ = part("Standard FEN Format: Tile Color Codes").rows()[number]
    assert name.lower() == COLOUR_NAMES.get(letter, "empty")
    factory = (letter * 4) if letter != "-" else "----"
    assert codes(with_component(0, f"{factory}|WBYR|KWBY|RKWB|YRKW")) == set()


# --- the types ----------------------------------------------------------------------------------------


def test_standard_text() -> None:
    report = AzulState.check_fen(SEED)
    assert (detect(SEED), report.valid) == ("standard", True)
    # C2: the example cannot be reached, which is a warning.
    assert {issue.code for issue in report.warnings} == {"CENTER_OVERFULL", "DRAFT_SUPPLY", "ROUND_TILES"}


def test_hash_based_text() -> None:
    text = part("FEN Types: 2. Hash-based FEN").block("").strip()
    assert detect(text) == "hash"
    # C18: an identifier is resolved through the store that kept it, never to another position.
    assert [issue.code for issue in AzulState.check_fen(text).errors] == ["HASH_UNKNOWN"]
    with MemoryStore() as store:
        kept = store.put(str(AzulState.example().position), "azul")
        assert len(kept) == len(text)
        assert AzulState.from_fen(kept, store=store) == AzulState.example()


def test_base64_text() -> None:
    text = part("FEN Types: 3. Base64 FEN").block("").strip()
    assert detect(text) == "base64"
    # C19: it can be decoded, but what it holds is no position.
    assert decode_base64(text) == "Hello World"
    (issue,) = AzulState.check_fen(text).errors
    assert issue.code == "BASE64_PAYLOAD"
    assert [inner.code for inner in issue.inside] == ["COMPONENT_COUNT"]


@pytest.mark.parametrize("name", SPECIAL)
def test_special_positions(name: str, service: Serving) -> None:
    assert f'Special Positions: "{name}"' in BY_NAME
    assert detect(name) == "special"
    assert AzulState.from_fen(name).to_fen() == AzulState.from_fen(name).to_fen()
    answer = curl(service, curl_line("API Integration: FEN Validation Endpoint").replace(SEED, name))
    assert (answer["valid"], answer["format"], answer["game"]) == (True, "special", "azul")
    loaded = curl(service, curl_line("API Integration: Game State Loading").replace(SEED, name))
    assert loaded["game_state"]["canonical"] == str(AzulState.from_fen(name).position)


# --- the rules ----------------------------------------------------------------------------------------

EMPTY = "|".join(["-----"] * 5)
BREAKS = {
    "Format Validation: Structure": [SEED + "/0", TRUNCATED],
    "Format Validation: Factories": [
        with_component(0, "BYRK|WBYR"),
        with_component(0, "BYR|WBYR|KWBY|RKWB|YRKW"),
    ],
    "Format Validation: Center": [with_component(1, "B-Y")],
    "Format Validation: Walls": [with_component(2, "-----|-----")],
    "Format Validation: Pattern Lines": [with_component(3, "-----|-----"), with_component(3, "||||")],
    "Format Validation: Floor Lines": [with_component(4, "B-")],
    "Format Validation: Scores": [with_component(8, "a,b")],
    "Format Validation: Round": [with_component(9, "0"), with_component(9, "11")],
    "Format Validation: Current Player": [with_component(10, "2")],
    "Content Validation: Tile Count": [with_component(0, "BBBB|BBBB|BBBB|BBBB|BBBB")],
    "Content Validation: Color Distribution": [with_component(1, "X")],
    "Content Validation: Wall Placement": [with_component(2, EMPTY.replace("-", "Y", 1))],
    "Content Validation: Pattern Line Rules": [
        with_component(3, EMPTY.replace("-----", "BB---", 1)),
        with_component(3, EMPTY.replace("|-----", "|RB---", 1)),
        with_component(3, EMPTY.replace("-----", "B----", 1)).replace(EMPTY, EMPTY.replace("-", "B", 1), 1),
    ],
    "Content Validation: Floor Line Rules": [with_component(4, "BBBBBBBB")],
}


@pytest.mark.parametrize("name", BREAKS)
def test_validation_rules(name: str) -> None:
    wanted = re.findall(r"`([a-z]+\.[a-z_]+)`", BY_NAME[name].ours)
    found = [codes(text) for text in BREAKS[name]]
    assert all(any(code in one for code in wanted) for one in found), found
    assert all(any(code in one for one in found) for code in wanted), found
    assert not any(AzulState.validate_fen(text) for text in BREAKS[name])


# --- the snippets -------------------------------------------------------------------------------------

SNIPPETS = [name for name in parts() if name.startswith(("Usage Examples", "Best Practices"))]
PRINTS = {
    "Usage Examples: FEN Validation": "Valid FEN string\n",
    "Usage Examples: FEN Parsing": "Game state loaded with 2 players\n",
    "Usage Examples: Round-trip Conversion": "Round-trip conversion successful\n",
}


@pytest.fixture
def core(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder with the document's import path, and nothing of it left behind."""
    monkeypatch.syspath_prepend(str(PATH))
    yield
    for name in ("core", "core.azul_model"):
        sys.modules.pop(name, None)


def run(names: list[str], known: dict[str, Any]) -> str:
    """What the last of the snippets prints when they are run one behind the other."""
    printed = io.StringIO()
    for name in names:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(part(name).block("python"), name, "exec"), known)  # noqa: S102 - the document's
    return printed.getvalue()


@pytest.mark.parametrize("number", range(len(SNIPPETS)), ids=SNIPPETS)
@pytest.mark.usefixtures("core")
def test_snippets_run_as_written(number: int) -> None:
    known: dict[str, Any] = {}
    said = run(SNIPPETS[: number + 1], known)
    name = SNIPPETS[number]
    if name != "Usage Examples: Basic FEN Generation":
        assert said == PRINTS.get(name, "")
        return
    assert said == known["fen_string"] + "\n"
    # C3: what the document prints is one deal of many, and has a centre that no deal has.
    output = re.findall(r"# Output: (\S+)", part(name).block("python"))
    assert output == [SEED] == [known["AzulState"].example().to_fen()]


@pytest.mark.usefixtures("core")
def test_what_the_snippets_do_with_a_broken_text() -> None:
    known: dict[str, Any] = {}
    run(["Usage Examples: Basic FEN Generation"], known)
    known["fen_string"] = TRUNCATED
    assert run(["Usage Examples: FEN Validation"], known) == "Invalid FEN string\n"
    with pytest.raises(ValueError, match="Invalid FEN string"):
        run(["Best Practices: 1. Always Validate"], known)
    said = run(["Best Practices: 3. Handle Errors Gracefully"], known)
    assert said == "FEN parsing error: Invalid FEN format: expected 11 components, got 1\n"


def test_the_first_snippet_as_a_file_with_one_folder_on_the_path(tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(part("Usage Examples: Basic FEN Generation").block("python"), encoding="utf-8")
    path = os.pathsep.join([str(PATH), str(Path(forsyth.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert AzulState.validate_fen(done.stdout.strip())


# --- the service --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as running:
        yield running


def curl_line(name: str) -> str:
    return part(name).block("bash")


def curl(service: Serving, line: str) -> Any:
    """What a call of the document answers, its port being that of the service under test."""
    command = line.replace("localhost:8000", f"localhost:{service.port}", 1)
    assert command != line
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_validation_endpoint(service: Serving) -> None:
    answer = curl(service, curl_line("API Integration: FEN Validation Endpoint"))
    assert (answer["valid"], answer["format"], answer["errors"]) == (True, "standard", [])
    truncated = curl(service, curl_line("API Integration: FEN Validation Endpoint").replace(SEED, TRUNCATED))
    assert truncated["error"] == "Invalid FEN format: expected 11 components, got 1"


def test_game_state_loading(service: Serving) -> None:
    answer = curl(service, curl_line("API Integration: Game State Loading"))
    state = answer["game_state"]
    assert (answer["success"], state["fen_string"], state["center"]) == (True, SEED, list("BYRKW"))
    assert AzulState.from_dict(state).to_fen() == SEED


# --- the components of a page -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in parts() if name.startswith("UI Integration")])
def test_components_are_there_with_the_props_of_the_document(name: str) -> None:
    jsx = part(name).block("jsx")
    (component,) = re.findall(r"^<(\w+)", jsx)
    assert BY_NAME[name].ours == f"`{component}`"
    library = ROOT / "ui" / "src" / "lib"
    assert f"function {component}(" in (library / f"{component}.tsx").read_text(encoding="utf-8")
    # The manager has the props of the two others, so that they may be declared in any of the files.
    source = "".join(path.read_text(encoding="utf-8") for path in sorted(library.glob("*.ts*")))
    for prop in re.findall(r"^\s+(\w+)=", jsx, re.MULTILINE):
        assert re.search(rf"^  {prop}\??:", source, re.MULTILINE), prop


# --- the issues ---------------------------------------------------------------------------------------

ISSUES: dict[str, tuple[str, Callable[[str], str]]] = {
    # C21: the document shows the text, the message the number of its components.
    "Common Issues: 1. Invalid FEN Format": (
        TRUNCATED,
        lambda said: said.replace(TRUNCATED, "expected 11 components, got 1"),
    ),
    "Common Issues: 2. Invalid Tile Colors": (with_component(0, "XYRK|WBYR|KWBY|RKWB|YRKW"), str),
    "Common Issues: 3. Incorrect Factory Count": (with_component(0, "BYR|WBYR|KWBY|RKWB|YRKW"), str),
    "Common Issues: 4. Invalid Wall Placement": (with_component(2, EMPTY.replace("-", "Y", 1)), str),
}


@pytest.mark.parametrize("name", [name for name in parts() if name.startswith("Common Issues")])
def test_messages_of_common_issues(name: str, service: Serving) -> None:
    text, resolved = ISSUES[name]
    wanted = resolved(part(name).block("").strip().removeprefix("ERROR: "))
    with pytest.raises(FenError) as raised:
        AzulState.from_fen(text)
    assert str(raised.value) == wanted
    assert f"`{raised.value.code}`" == BY_NAME[name].ours
    call = curl_line("API Integration: FEN Validation Endpoint").replace(SEED, text)
    assert curl(service, call)["error"] == wanted
    command = [sys.executable, "-m", "forsyth", "check", text]
    path = str(Path(forsyth.__file__).parents[1])
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, f"error[{raised.value.code}]: {wanted}")


def test_the_solutions_of_common_issues() -> None:
    solution = part("Common Issues: 1. Invalid FEN Format").block("", 1).strip()
    assert AzulState.validate_fen(solution)
    listed = re.findall(r"\(([^)]*)\)", part("Common Issues: 2. Invalid Tile Colors").text)[0]
    assert listed.split(", ") == [*COLOURS, "-"]


# --- what the document leaves to the future -----------------------------------------------------------


def test_future_enhancements() -> None:
    short = compress(SEED)
    assert len(short) < len(SEED) / 2
    assert (decompress(short), AzulState.from_fen(short).to_fen()) == (SEED, SEED)
    extended = AzulState.from_fen(SEED).to_fen(2)
    assert detect(extended) == "extended"
    assert codes(extended.replace("v2/", "v3/")) == {"version.unsupported"}
    assert {finding.stage for finding in forsyth.check(SEED).warnings} == {"reachability"}
    assert forsyth.game("azul").column is not None
