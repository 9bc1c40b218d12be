"""The React components on a page of another origin, as a package that npm packed and an app that Vite built.

`.ci/components` packs the package, builds `examples/components` with it, once with React 18 and once with
React 19, and runs this file with `FORSYTH_COMPONENTS` naming the folder of the two built apps, `react18` and
`react19`. Without that name this file is not collected, so that the tests need no npm; see `conftest.py`.

`FORSYTH_SCREENSHOTS` names a folder for pictures of the app, wide and narrow, light and dark.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, WIDE, visitors
from tests.browser.hosting import hosting
from tests.browser.service import Service
from tests.server.serving import serving

BUILT = Path(os.environ["FORSYTH_COMPONENTS"])
APP = Path(__file__).parents[2] / "examples" / "components" / "src" / "App.tsx"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = {"wide": WIDE, "phone": PHONE}
WIDTHS = "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.documentElement)"
TRUNCATED = "BYRK|WBYR|KWBY|RKWB|YRKW"

DOCUMENT = (
    """
<FENDisplay
  fenString={gameState.fen_string}
  onCopy={() => navigator.clipboard.writeText(gameState.fen_string)}
/>
""",
    """
<FENInput
  onLoad={(fen) => loadGameState(fen)}
  examples={exampleFENs}
/>
""",
    """
<FENManager
  fenString={gameState.fen_string}
  onLoad={(fen) => loadGameState(fen)}
  onCopy={() => navigator.clipboard.writeText(gameState.fen_string)}
/>
""",
)
"""The components as the document writes them."""


@pytest.fixture(scope="module", params=["react18", "react19"])
def page_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the app is, built with one React."""
    with hosting(BUILT / request.param) as address:
        yield address


@pytest.fixture(scope="module")
def remote(page_address: str) -> Iterator[Service]:
    """A service on another origin, which lets the app's pages ask."""
    with serving("--cors", page_address) as running:
        yield Service(running.address)


@pytest.fixture
def open_app(browser: Browser, page_address: str, remote: Service) -> Iterator[Callable[..., Page]]:
    """Opens the app for a new visitor, with both boards drawn and the text of the page checked."""
    with visitors(browser, page_address, remote.address, refusals=False) as make:

        def start(**visitor: Any) -> Page:
            context: BrowserContext = make(**visitor)
            page = context.new_page()
            page.goto(f"/?service={remote.address}")
            for name in ("The position", "Chess"):
                expect(board(page, name).locator("[data-square]").first).to_be_attached()
            expect(page.get_by_text("Valid FEN", exact=True).first).to_be_visible()
            # The manager shows and checks the same text.
            expect(page.get_by_text("Valid FEN", exact=True)).to_have_count(2)
            return page

        yield start


def board(page: Page, name: str) -> Locator:
    return page.get_by_role("application", name=name)


def part(page: Page, name: str) -> Locator:
    """The section of the app with that heading."""
    return page.get_by_role("region", name=name, exact=True)


def shown(page: Page) -> Locator:
    """The text in the display."""
    return part(page, "Show").get_by_test_id("fen-text")


def stripped(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


@pytest.mark.parametrize("snippet", DOCUMENT, ids=["FENDisplay", "FENInput", "FENManager"])
def test_the_app_has_the_components_as_the_document_writes_them(snippet: str) -> None:
    assert stripped(snippet) in stripped(APP.read_text(encoding="utf-8"))


def test_the_display_shows_checks_and_copies(open_app: Callable[..., Page]) -> None:
    page = open_app()
    display = part(page, "Show")
    expect(display.get_by_text("Valid FEN", exact=True)).to_be_visible()
    # The button says "Copied" for two seconds: without timers it keeps saying so.
    page.evaluate("() => { window.setTimeout = () => 0; }")
    display.get_by_role("button", name="Copy").click()
    expect(display.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shown(page).text_content()


def test_the_input_loads_an_example_into_all_of_them(open_app: Callable[..., Page], remote: Service) -> None:
    page = open_app()
    entry = part(page, "Load")
    entry.get_by_role("button", name="Midgame").click()
    expect(entry.get_by_role("textbox")).not_to_have_value("")
    given = entry.get_by_role("textbox").input_value()
    entry.get_by_role("button", name="Load", exact=True).click()
    expect(entry.get_by_text("Loaded")).to_be_visible()
    expect(shown(page)).to_have_text(given)
    expect(part(page, "Both").get_by_test_id("fen-text")).to_have_text(given)
    description = remote.read(given)["position"]["description"]
    expect(board(page, "The position")).to_have_accessible_description(
        f"{description} The arrow keys move over the board. C draws a circle, A draws an arrow."
    )


def test_a_text_that_is_cut_off_has_the_answer_of_the_service(
    open_app: Callable[..., Page], remote: Service
) -> None:
    answer = remote.post("/validate-fen", fen_string=TRUNCATED, game="azul")
    assert answer["error"].startswith("Invalid FEN format: ")
    page = open_app()
    entry = part(page, "Load")
    entry.get_by_role("textbox").fill(TRUNCATED)
    expect(entry.get_by_text(answer["error"], exact=True)).to_be_visible()
    expect(entry.get_by_role("button", name="Load", exact=True)).to_be_disabled()


def test_a_name_is_of_the_components_game(open_app: Callable[..., Page], remote: Service) -> None:
    """Without a word about the game a name is Azul's; the last input was told that its game is chess."""
    page = open_app()
    for section in ("Load", "Load chess"):
        part(page, section).get_by_role("textbox").fill("start")
        expect(part(page, section).get_by_text("Valid FEN", exact=True)).to_be_visible()
    part(page, "Load").get_by_role("textbox").fill("midgame")
    part(page, "Load").get_by_role("button", name="Load", exact=True).click()
    expect(shown(page)).to_have_text(remote.get("/games/azul")["names"]["midgame"])


def test_the_manager_loads_and_shows_by_keyboard_alone(
    open_app: Callable[..., Page], remote: Service
) -> None:
    page = open_app()
    manager = part(page, "Both")
    manager.get_by_role("tab", name="Current FEN").focus()
    page.keyboard.press("ArrowRight")
    expect(manager.get_by_role("tab", name="Load FEN")).to_be_focused()
    page.keyboard.press("Tab")
    expect(manager.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("endgame")
    entry = manager.get_by_role("tabpanel", name="Load FEN")
    expect(entry.get_by_text("Valid FEN", exact=True)).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(manager.get_by_role("tab", name="Current FEN")).to_have_attribute("aria-selected", "true")
    endgame = remote.get("/games/azul")["names"]["endgame"]
    expect(manager.get_by_test_id("fen-text")).to_have_text(endgame)
    expect(shown(page)).to_have_text(endgame)


def test_a_board_is_walked_over_and_not_played_on(open_app: Callable[..., Page]) -> None:
    page = open_app()
    chess = board(page, "Chess")
    expect(chess.locator("[data-square]")).to_have_count(64)
    before = chess.inner_html()
    chess.locator('[data-square="e2"]').drag_to(chess.locator('[data-square="e4"]'))
    assert chess.inner_html() == before
    chess.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("a8 black rook")).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_app_is_whole_in_all_colours_and_for_everyone(
    open_app: Callable[..., Page], size: str, theme: str, request: pytest.FixtureRequest
) -> None:
    page = open_app(size=SIZES[size], theme=theme)
    part(page, "Load").get_by_role("textbox").fill(TRUNCATED)
    expect(part(page, "Load").get_by_text("Invalid FEN format", exact=False)).to_be_visible()
    expect(page.locator(f'.forsyth:not([data-theme="{theme}"])')).to_have_count(0)
    if folder := os.environ.get("FORSYTH_SCREENSHOTS"):
        page.screenshot(path=Path(folder, f"{request.node.callspec.id}.png"), full_page=True)
    assert violations(page) == []
    width, needed = page.evaluate(WIDTHS)
    assert needed <= width


def test_the_app_says_that_the_service_does_not_let_it_ask(
    browser: Browser, page_address: str, remote: Service
) -> None:
    """Without --cors a browser keeps the answer from the page: the components say so and go on."""
    with serving() as closed:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{page_address}/?service={closed.address}")
        expect(part(page, "Show").get_by_text("Validation unavailable")).to_be_visible()
        words = "The board is not available: The service cannot be reached."
        expect(page.get_by_text(words)).to_have_count(2)
        expect(part(page, "Show").get_by_role("button", name="Copy")).to_be_enabled()
        context.close()
