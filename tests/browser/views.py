"""Every view of the page as it is looked at: with a game in it."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.desk import Desk

VIEWS = ("workbench", "mistakes", "play", "edit", "compare")
"""Those that show one game; the library and the list of many texts show all of them."""


def show(desk: Desk, view: str, name: str) -> None:
    """Open a view and bring it to a state in which there is something to see."""
    if view in ALL_GAMES:
        ALL_GAMES[view](desk)
        return
    game = desk.service.get(f"/games/{name}")
    if view == "workbench":
        desk.open_board("/", text=game["names"]["midgame"], game=name)
        desk.unfold("Forms")
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
    elif view == "compare":
        desk.open("/compare", a=game["start"], b=desk.service.line(name, 1)[0]["after"], game=name)
        expect(desk.page.get_by_role("columnheader", name="B", exact=True)).to_be_visible()


def show_library(desk: Desk) -> None:
    desk.service.empty_library()
    for game in desk.service.get("/games")["games"]:
        for label, text in game["names"].items():
            name = f"{game['title']}: {label}"
            desk.service.post("/library", text=text, game=game["name"], name=name, tags=["named", label])
    desk.open("/library")
    expect(desk.page.locator("main img").first).to_be_visible()
    desk.page.get_by_role("checkbox").first.check()
    desk.page.get_by_role("button", name="Share ").first.click()


def show_many(desk: Desk) -> None:
    games = desk.service.get("/games")["games"]
    texts = [text for game in games for text in game["examples"].values()]
    desk.open("/many")
    desk.page.get_by_label("One text per line").fill("\n".join(texts))
    desk.button("Read").click()
    expect(desk.page.get_by_test_id("many-words")).to_contain_text(f"{len(texts)} texts")


ALL_GAMES = {"library": show_library, "many": show_many}


def enliven(desk: Desk, view: str, name: str) -> None:
    """What changes with the pointer: a piece taken up, a finding lit."""
    if view == "play" and not desk.signs("selected"):
        desk.take(desk.service.line(name, 3)[2])
    elif view == "mistakes":
        desk.page.get_by_role("heading", name="Findings").hover()
        desk.page.locator("main li").first.hover()
