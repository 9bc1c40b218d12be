"""The documentation says what the code says: every code, every command, every link.

What pages show of Python and of commands is run by `tests/test_readme.py`.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
from examples import gallery
from tests.every_row import every_row
from tests.test_readme import PAGES, ROOT, blocks

import forsyth
from forsyth import abilities, draw
from forsyth.cli.app import COMMANDS as COMMAND_NAMES
from forsyth.cli.app import forsyth as command_line
from forsyth.cli.app import load_command
from forsyth.diagnostics import MODES, SHARED_CODES, CodeInfo, Mode, Reading
from forsyth.kit.movement import Leap, Line, Zone
from forsyth.kit.rules import Rules
from forsyth.kit.sheet import Kind, Sheet
from forsyth.limits import MAX_RECORD
from forsyth.record import RECORD_CODES, RecordReading, read_record

DOCS = ROOT / "docs"
CODES = DOCS / "reference" / "codes.md"
COMMANDS = DOCS / "reference" / "commands.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
WRITTEN = [*PAGES, CONTRIBUTING, ROOT / "CHANGELOG.md"]
SHARED, RECORDS = "Shared by every game", "Records"
GAMES = {forsyth.game(name).title: forsyth.game(name) for name in forsyth.games()}
LISTED: dict[str, tuple[CodeInfo, ...]] = {
    SHARED: tuple(SHARED_CODES),
    **{title: game.codes for title, game in GAMES.items()},
    RECORDS: RECORD_CODES,
}
"""Who makes findings, and the codes of each: two games may use one code and weigh it differently."""
CODES_OF = [(owner, info) for owner in LISTED for info in LISTED[owner]]
PUBLIC_MODULES = ["forsyth"] + [
    f"forsyth.{name}"
    for name in (
        "chess",
        "cotulenh",
        "azul",
        "xiangqi",
        "shogi",
        "record",
        "draw",
        "notebook",
        "store",
        "bulk",
        "testing",
    )
]
NO_ROOMS = {"py.typed", "schema", "cython_shadow.py"}
COMPILED = {".so", ".pyd", ".pxd"}
WITHOUT_EXAMPLE = {"fen.type", "fen.length", "fen.empty", "record.long", "text.encoding"}


def sections(page: Path, level: str) -> dict[str, str]:
    """The headings of a level and what stands below each, up to the next heading of that level or above."""
    return parts_of(page.read_text(encoding="utf-8"), level)


def parts_of(text: str, level: str) -> dict[str, str]:
    """The same in a part of a page."""
    parts = re.split(rf"^{level} (.+)$", text, flags=re.MULTILINE)[1:]
    ends = rf"^#{{1,{len(level)}}} "
    return {
        title: re.split(ends, body, maxsplit=1, flags=re.MULTILINE)[0]
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    }


# --- codes ------------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """What the reference says about a code: its facts in order, and an example text."""

    severity: str
    facts: dict[str, str]
    example: str | None


def bodies() -> dict[tuple[str, str], str]:
    """What stands below each code, by whose code it is: the title of its section up to the colon."""
    return {
        (title.partition(":")[0], code): body
        for title, section in sections(CODES, "##").items()
        for code, body in parts_of(section, "###").items()
    }


def entries() -> dict[tuple[str, str], Entry]:
    return {named: _entry(body) for named, body in bodies().items()}


def _entry(body: str) -> Entry:
    severity, *facts = body.strip().splitlines()[0].split(" · ")
    example = re.search(r"^```text\n(.*?)\n```$", body, re.MULTILINE | re.DOTALL)
    said = dict(fact.removesuffix(" it").rsplit(" ", 1) for fact in facts)
    return Entry(severity.strip("*"), said, None if example is None else example[1])


def test_every_code_is_listed_with_its_severity_and_stage() -> None:
    said = {named: (entry.severity, entry.facts["stage"]) for named, entry in entries().items()}
    listed = {(owner, info.code): info for owner, infos in LISTED.items() for info in infos}
    assert said == {named: (info.severity.value, info.stage) for named, info in listed.items()}


def test_no_code_is_explained_twice_for_one_game() -> None:
    headings = re.findall(r"^### ", CODES.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(headings) == len(bodies())


def test_every_code_has_a_meaning_and_a_fix() -> None:
    for named, body in bodies().items():
        paragraphs = body.strip().split("\n\n")
        assert paragraphs[1][0].isupper(), named
        assert paragraphs[-1].startswith("*Fix*: "), named


def game_of(owner: str, entry: Entry) -> forsyth.Game | None:
    """The game to read an example with; None where the text has to tell it."""
    named = entry.facts.get("game")
    game = GAMES.get(owner) if named is None else forsyth.game(named)
    variant = entry.facts.get("variant")
    return game if game is None or variant is None else game.with_variant(variant)


def read_example(
    owner: str, entry: Entry, text: str, mode: Mode, *, form: str | None = None
) -> Reading[Any] | RecordReading:
    game = game_of(owner, entry)
    if owner == RECORDS:
        return read_record(text, game, mode=mode)
    if entry.facts["stage"] == "epd":
        return forsyth.chess.read_epd(text, mode=mode)
    return forsyth.check(text, game, mode=mode, form=form)


def mode_of(entry: Entry) -> Mode:
    """The mode in which the example has its finding: some findings are made in one mode only."""
    return next((mode for mode in MODES if mode == entry.facts.get("mode")), "default")


@every_row(CODES_OF, lambda code: f"{code[0]} {code[1].code}")
def test_the_example_of_a_code_has_that_finding(code: tuple[str, CodeInfo]) -> None:
    owner, info = code
    entry = entries()[owner, info.code]
    assert (entry.example is None) == (info.code in WITHOUT_EXAMPLE)
    if entry.example is None:
        return
    reading = read_example(owner, entry, entry.example, mode_of(entry), form=entry.facts.get("form"))
    assert {d.code: d.severity for d in reading.diagnostics}.get(info.code) is info.severity


@every_row(CODES_OF, lambda code: f"{code[0]} {code[1].code}")
def test_lenient_mode_does_with_the_example_what_is_said(code: tuple[str, CodeInfo]) -> None:
    owner, info = code
    entry = entries()[owner, info.code]
    if entry.example is None or owner == RECORDS:
        assert "lenient mode" not in entry.facts
        return
    repaired = read_example(owner, entry, entry.example, "lenient", form=entry.facts.get("form"))
    assert isinstance(repaired, Reading)
    if repaired.position is None:
        assert entry.facts["lenient mode"] == "refuses"
        return
    again = read_example(owner, entry, str(repaired.position), mode_of(entry))
    kept = info.code in {d.code for d in again.diagnostics}
    assert entry.facts["lenient mode"] == ("keeps" if kept else "repairs")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_limits_that_codes_without_example_speak_of(game: forsyth.Game) -> None:
    given: dict[str, Any] = {"fen.type": None, "fen.length": "8" * (game.max_text + 1), "fen.empty": ""}
    assert {forsyth.check(text, game).errors[0].code for text in given.values()} == set(given)
    assert f"{game.max_text:,} " in bodies()[SHARED, "fen.length"]


def test_the_limit_of_a_record_is_the_one_that_is_said() -> None:
    assert f"{MAX_RECORD:,} characters" in bodies()[RECORDS, "record.long"]
    assert read_record(" " * (MAX_RECORD + 1), "chess").errors[0].code == "record.long"


# --- commands ---------------------------------------------------------------------------------------


def command_sections() -> dict[str, str]:
    found = sections(COMMANDS, "##")
    return {title.removeprefix("forsyth "): body for title, body in found.items() if title[:8] == "forsyth "}


def options_of(command: click.Command) -> dict[str, click.Option]:
    return {
        name: option
        for option in command.params
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
        if name.startswith("--")
    }


def documented(body: str) -> dict[str, str]:
    """The options a section lists, in its table or behind ``Options:``, and what is said of each."""
    rows = re.findall(r"^\| `(--[a-z-]+)[^`]*` \| (.*) \|$", body, re.MULTILINE)
    line = re.search(r"^Options: (.*)$", body, re.MULTILINE)
    named = re.findall(r"`(--[a-z-]+)`", line[1]) if line is not None else []
    return dict.fromkeys(named, "") | dict(rows)


def test_every_command_is_listed_in_its_order() -> None:
    context = click.Context(command_line)
    assert list(command_sections()) == command_line.list_commands(context)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_option_of_a_command_is_listed(name: str) -> None:
    body = command_sections()[name]
    assert set(documented(body)) == set(options_of(load_command(name)))


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_the_usage_and_an_example_of_a_command_are_shown(name: str) -> None:
    body = command_sections()[name]
    # click keeps the help option of a command, with the names that the first context gives it.
    group = click.Context(command_line, info_name="forsyth", **command_line.context_settings)
    context = click.Context(load_command(name), info_name=name, parent=group)
    usage = load_command(name).get_usage(context).removeprefix("Usage: ")
    assert f"\n`{' '.join(usage.split())}`\n" in body
    assert re.search(rf"^(\$ )?(.*\| )?forsyth {name}\b", body, re.MULTILINE)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_option_is_explained_with_its_choices(name: str) -> None:
    pages = sections(COMMANDS, "##")
    said = documented(pages["Shared options"])
    if "--engine" in options_of(load_command(name)):
        said |= documented(pages["Files of positions"])
    said |= {option: words for option, words in documented(command_sections()[name]).items() if words}
    for option, defined in options_of(load_command(name)).items():
        choices = defined.type.choices if isinstance(defined.type, click.Choice) else ()
        assert all(f"`{choice}`" in said[option] for choice in choices), option


# --- the reference of Python ------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_every_public_module_has_a_page_and_a_promise(name: str) -> None:
    """That every name of it is on the page, `.ci/reference.py` checks when the documentation is built."""
    module = importlib.import_module(name)
    page = DOCS / "reference" / "api" / f"{name.rpartition('.')[2]}.md"
    assert page.read_text(encoding="utf-8").startswith(f"# {name}\n")
    assert f"`{name}`" in (DOCS / "stability.md").read_text(encoding="utf-8")
    for public in module.__all__:
        assert hasattr(module, public), public


FOR_AUTHORS = (DOCS / "adding-a-game.md", DOCS / "kit.md")
"""The pages for authors of games."""


def imported_modules(source: str) -> set[str]:
    """The modules of Forsyth that a source imports, or imports names from."""
    modules = set()
    for statement in ast.walk(ast.parse(source)):
        if isinstance(statement, ast.ImportFrom):
            modules.add(str(statement.module))
        elif isinstance(statement, ast.Import):
            modules.update(alias.name for alias in statement.names)
    return {module for module in modules if module.startswith("forsyth.")}


def test_the_promise_covers_what_authors_of_games_are_told_to_import() -> None:
    sources = [block.source for page in FOR_AUTHORS for block in blocks(page, "python")]
    sources.append((ROOT / "examples" / "nim.py").read_text(encoding="utf-8"))
    modules = {module for source in sources for module in imported_modules(source)}
    words = "".join(page.read_text(encoding="utf-8") for page in FOR_AUTHORS)
    named = re.findall(r"`(forsyth\.[a-z_]+)", words)
    modules |= {name for name in named if name != "forsyth.games"}
    promise = (DOCS / "stability.md").read_text(encoding="utf-8")
    assert len(modules) > 10
    assert sorted(module for module in modules if f"`{module}`" not in promise) == []


# --- links, pictures, blocks ------------------------------------------------------------------------


def links(page: Path) -> Iterator[str]:
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for found in re.finditer(r"\]\(([^)\s]+)\)", text):
        if not found[1].startswith(("http://", "https://")):
            yield found[1]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as Python-Markdown makes them."""
    headings = re.findall(r"^#{1,6} (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in headings}


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_file(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"
        inside = DOCS not in page.parents or DOCS in target.parents
        assert inside, f"{page.name}: {link} leaves docs/, where the built site cannot follow"


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("nav:")[2]
    listed = re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_compile(page: Path) -> None:
    for block in blocks(page, "python"):
        compile(block.source, str(block), "exec", dont_inherit=True)


def test_the_house_plan_names_every_room_and_every_part_of_a_game() -> None:
    plan = CONTRIBUTING.read_text(encoding="utf-8")
    found = Path(forsyth.__file__).parent.glob("[a-z]*")
    rooms = [path.name for path in found if path.name not in NO_ROOMS and path.suffix not in COMPILED]
    assert [room for room in rooms if f"\n  {room}" not in plan] == []
    page = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    parts = [name for name in vars(forsyth.Game) if not name.startswith("_")]
    kinds = [one for one in vars(abilities).values() if getattr(one, "__module__", "") == abilities.__name__]
    kinds = [one for one in kinds if isinstance(one, type)]
    parts += [name for one in kinds for name in (one.__name__, *vars(one)) if not name.startswith("_")]
    assert [part for part in parts if f"`{part}" not in page] == []


def test_the_page_of_the_kit_describes_every_part_of_a_sheet_a_kind_and_a_movement() -> None:
    page = (DOCS / "kit.md").read_text(encoding="utf-8")
    parts = {field.name for kind in (Sheet, Kind, Rules) for field in dataclasses.fields(kind)}
    parts |= {*Leap._fields, *Line._fields, *Zone._fields}
    assert sorted(part for part in parts if not re.search(rf"\b{part}\b", page)) == []


def test_the_page_of_a_new_game_says_what_columns_require_and_where_areas_are() -> None:
    page = (DOCS / "adding-a-game.md").read_text(encoding="utf-8")
    table = page.partition("`Columnar` requires all six members:")[2]
    members = [name for name in vars(abilities.Columnar) if not name.startswith("_")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)[: len(members)] == members
    for part in ("`Area(…, x, y)` is the offset", "`scale`", "`_repr_svg_()`", "`conform`"):
        assert part in page


def test_the_golden_files_of_the_promise_are_there() -> None:
    """Each table of golden files names their folder in its head."""
    promise = (DOCS / "stability.md").read_text(encoding="utf-8").partition("## What holds it")[2]
    tables = re.split(r"golden file in `tests/golden/([a-z]+)/`", promise)[1:]
    rows = (re.findall(r"`([a-z_]+\.jsonl\.gz)`", table) for table in tables[1::2])
    named = dict(zip(tables[::2], rows, strict=True))
    assert set(named) == {game.name for game in GAMES.values()}
    files = [ROOT / "tests" / "golden" / game / name for game, names in named.items() for name in names]
    assert [str(file) for file in files if not file.is_file()] == []


def test_pictures_are_what_is_drawn() -> None:
    reading = forsyth.check("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "chess")
    assert reading.position is not None
    finding = reading.errors[0]
    assert finding.square is not None
    scene = forsyth.game("chess").scene(
        reading.position, marks={finding.square: "error"}, notes={finding.square: finding.message}
    )
    picture = (DOCS / "assets" / "check_opposite.svg").read_text(encoding="utf-8")
    assert picture == draw.svg(scene, size=360)


def test_the_gallery_is_what_its_script_draws() -> None:
    drawn = dict(gallery.build_files())
    assert [name for name, text in drawn.items() if (DOCS / name).read_text(encoding="utf-8") != text] == []
    kept = {path.relative_to(DOCS).as_posix() for path in (DOCS / gallery.FOLDER).iterdir()}
    assert kept == {name for name in drawn if name.startswith(gallery.FOLDER)}


def test_pictures_of_the_page_are_there_shown_and_small() -> None:
    shown = {
        (page.parent / name).resolve()
        for page in PAGES
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8"))
    }
    assert [str(file) for file in shown if not file.is_file()] == []
    taken = {file for file in (DOCS / "assets").iterdir() if file.suffix == ".webp"}
    assert taken == {file for file in shown if file.suffix == ".webp"}
    assert max(file.stat().st_size for file in taken) <= 100_000
