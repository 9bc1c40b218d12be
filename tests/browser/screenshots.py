"""The pictures of the page that the documentation shows.

`python -m tests.browser.screenshots` takes them anew, from the page as it is in this tree, into docs/assets:
of a desktop of 1280 by 800 pixels, and of a phone of 390. Needs Chromium. Look at them before they are
committed.

Limits: WebP of at most `MOST_BYTES`; a larger one is refused.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, expect, sync_playwright
from tests.browser.chromium import ARGUMENTS, executable
from tests.browser.conftest import PHONE, TOUCH
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.browser.views import enliven, show
from tests.server.serving import serving

FOLDER: Final = Path(__file__).parents[2] / "docs" / "assets"
DESKTOP: Final = (1280, 800)
QUALITY: Final = 82
MOST_BYTES: Final = 100_000

RECORD: Final = (
    '[White "Anna"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 {The Spanish game} a6 '
    "(3... Nf6 {Berlin} 4. O-O Nxe4) 4. Ba4 Nf6 5. O-O! Nxe4 "
    "(5... Be7 6. Re1 b5 7. Bb3 d6) 6. d4 b5 7. Bb3 d5 *\n"
)
SAVED: Final = ("midgame", "endgame")
"""Of each game, the named positions that stand in the library."""


class Picture(NamedTuple):
    """One picture: how the page comes to what is shown, and on which screen."""

    show: Callable[[Desk], None]
    size: tuple[int, int] = DESKTOP
    theme: Any = "light"


def _analysis(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    desk.button("Import").click()
    desk.field("Record").fill(RECORD)
    desk.button("Read").click()
    desk.wait_for_move("d5")
    _wait_for_names(desk)
    desk.page.mouse.move(0, 0)


def _mistakes(desk: Desk) -> None:
    show(desk, "mistakes", "shogi")
    enliven(desk, "mistakes", "shogi")


def _overlay(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=desk.service.get("/games/cotulenh")["names"]["midgame"])
    desk.button("Blue's air defence").click()
    _wait_for_names(desk)


def _edit(desk: Desk) -> None:
    desk.open_board("/edit", game="xiangqi", text=desk.service.get("/games/xiangqi")["names"]["midgame"])
    expect(desk.button("Erase")).to_be_visible()


def _library(desk: Desk) -> None:
    desk.service.empty_library()
    for game in desk.service.get("/games")["games"]:
        for label in SAVED:
            name = f"{game['title']}: {label}"
            saved = {"text": game["names"][label], "game": game["name"], "name": name, "tags": [label]}
            desk.service.post("/library", **saved)
    desk.open("/library")
    expect(desk.page.locator("main img").first).to_be_visible()


def _a_move(game: str) -> Callable[[Desk], None]:
    def play(desk: Desk) -> None:
        show(desk, "play", game)
        enliven(desk, "play", game)
        _wait_for_names(desk)

    return play


def _wait_for_names(desk: Desk) -> None:
    """Wait until Play knows the names of the pieces and their small drawings, which come after the board."""
    expect(desk.page.get_by_text("Names of the pieces")).to_be_attached()


PICTURES: Final = {
    "page-play": Picture(_analysis),
    "page-workbench": Picture(_mistakes),
    "page-overlay-dark": Picture(_overlay, theme="dark"),
    "page-edit": Picture(_edit),
    "page-library": Picture(_library),
    "page-many-dark": Picture(lambda desk: show(desk, "many", "all"), theme="dark"),
    "page-phone": Picture(_a_move("azul"), PHONE),
    "page-phone-dark": Picture(_a_move("xiangqi"), PHONE, "dark"),
}


def main() -> None:
    """Take every picture anew."""
    with serving() as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        for name, picture in PICTURES.items():
            taken = _taken(browser, Service(running.address), picture)
            if len(taken) > MOST_BYTES:
                raise ValueError(f"{name} has {len(taken)} bytes, more than {MOST_BYTES}")
            (FOLDER / f"{name}.webp").write_bytes(taken)
            print(f"{name}: {len(taken)} bytes")
        browser.close()


def _taken(browser: Browser, service: Service, picture: Picture) -> bytes:
    width, height = picture.size
    context = browser.new_context(
        base_url=service.address,
        viewport={"width": width, "height": height},
        color_scheme=picture.theme,
        reduced_motion="reduce",
        **(TOUCH if picture.size == PHONE else {}),
    )
    desk = Desk(context.new_page(), service)
    picture.show(desk)
    desk.page.evaluate("scrollTo(0, 0)")
    desk.settle()
    session = context.new_cdp_session(desk.page)
    shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    context.close()
    return base64.b64decode(shot["data"])


if __name__ == "__main__":
    main()
