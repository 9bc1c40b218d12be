"""Every view of the page as it is looked at: with a game in it."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.desk import Desk

VIEWS = ("workbench", "mistakes", "play", "edit")
"""Those that show one game; the library shows all of them."""


def show(desk: Desk, view: str, name: str) -> None:
    """Open a view and bring it to a state in which there is something to see."""
    if view == "library":
        show_library(desk)
        return
    game = desk.service.get(f"/games/{name}")
    if view == "workbench":
        desk.open_board("/", text=game["names"]["midgame"], game=name)
        expect(desk.button("Copy Compressed")).to_be_visible()
    elif view == "mistakes":
        text = next(text for text in game["examples"].values() if not desk.service.read(text)["ok"])
        desk.open_board("/", text=text)
        expect(desk.page.locator("mark").first).to_be_attached()
    elif view == "play":
        desk.open_board("/play", game=name)
        for move in desk.service.line(name, 2):
            desk.play(move)
    elif view == "edit":
        desk.open_board("/edit", game=name, text=game["names"]["endgame"])
        expect(desk.button("Erase")).to_be_visible()


def show_library(desk: Desk) -> None:
    desk.service.empty_library()
    for game in desk.service.get("/games")["games"]:
        for label, text in game["names"].items():
            name = f"{game['title']}: {label}"
            desk.service.post("/library", text=text, game=game["name"], name=name, tags=["named", label])
    desk.open("/library")
    expect(desk.page.locator("main img").first).to_be_visible()


def enliven(desk: Desk, view: str, name: str) -> None:
    """What changes with the pointer: a piece taken up, a finding lit."""
    if view == "play":
        desk.take(desk.service.line(name, 3)[2])
    elif view == "mistakes":
        desk.page.get_by_role("heading", name="Findings").hover()
        desk.page.locator("main li").first.hover()
