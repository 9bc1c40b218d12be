"""Library: saved with a name, tags and a note, found, opened, changed and deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, expect
from tests.browser.conftest import PHONE
from tests.browser.desk import Desk
from tests.browser.service import Service


def test_a_position_is_saved_from_the_workbench_and_found(desk: Desk, game: Any) -> None:
    desk.service.empty_library()
    text = desk.service.line(game["name"], 1)[0]["after"]
    desk.service.post(
        "/library", text=game["start"], game=game["name"], name="Something else", tags=["other"]
    )
    desk.open_board("/", text=text)
    desk.button("Save").click()
    desk.write(desk.field("Name"), "A first step")
    desk.write(desk.page.get_by_label("Tags"), "openings, mine")
    desk.write(desk.field("Note"), "where it begins")
    desk.page.get_by_role("button", name="Save", exact=True).last.click()
    expect(desk.page.get_by_text("Saved as A first step.")).to_be_visible()
    desk.link("See the library").click()
    expect(desk.page.get_by_text("2 positions")).to_be_visible()
    desk.write(desk.page.get_by_label("Search"), "first")
    expect(desk.page.get_by_text("1 position", exact=True)).to_be_visible()
    expect(desk.button("openings")).to_be_visible()
    expect(desk.page.get_by_text("Something else")).to_have_count(0)
    (saved,) = desk.service.get("/library?q=first")["positions"]
    assert saved["note"] == "where it begins"
    expect(desk.page.get_by_text("where it begins")).to_be_visible()
    assert saved["tags"] == ["mine", "openings"] or saved["tags"] == ["openings", "mine"]
    desk.link("Open A first step").click()
    expect(desk.text).to_have_value(saved["text"])


def test_saved_positions_are_filtered_by_game_and_by_tag(desk: Desk, game: Any) -> None:
    desk.service.empty_library()
    games = desk.service.get("/games")["games"]
    for entry in games:
        tags = ["common", entry["name"]]
        desk.service.post(
            "/library", text=entry["start"], game=entry["name"], name=f"A {entry['title']}", tags=tags
        )
    desk.open("/library")
    desk.choice("Game").select_option(game["name"])
    expect(desk.page.get_by_text("1 position", exact=True)).to_be_visible()
    expect(desk.page.get_by_role("heading", name=f"A {game['title']}")).to_be_visible()
    desk.choice("Game").select_option("")
    expect(desk.page.get_by_text(f"{len(games)} positions", exact=True)).to_be_visible()
    desk.button(game["name"]).click()
    expect(desk.page.get_by_text("1 position", exact=True)).to_be_visible()
    expect(desk.choice("Tag")).to_have_value(game["name"])


def test_a_position_is_changed_and_deleted(desk: Desk, game: Any) -> None:
    desk.service.empty_library()
    desk.service.post(
        "/library",
        text=game["start"],
        game=game["name"],
        name="An old name",
        tags=["old"],
        note="an old note",
    )
    desk.open("/library")
    expect(desk.page.get_by_text("an old note")).to_be_visible()
    desk.button("Change An old name").click()
    desk.field("Name").fill("A new name")
    desk.field("Tags").fill("new")
    desk.field("Note").fill("")
    desk.button("Save").click()
    expect(desk.page.get_by_role("heading", name="A new name")).to_be_visible()
    expect(desk.page.get_by_text("an old note")).to_have_count(0)
    (saved,) = desk.service.get("/library")["positions"]
    assert (saved["name"], saved["tags"], saved["note"]) == ("A new name", ["new"], "")
    desk.button("Delete A new name").click()
    desk.button("Delete").click()
    expect(desk.page.get_by_text("No positions yet")).to_be_visible()
    assert desk.service.get("/library")["total"] == 0


def test_every_saved_position_has_its_picture(desk: Desk) -> None:
    desk.service.empty_library()
    games = desk.service.get("/games")["games"]
    for game in games:
        desk.service.post("/library", text=game["start"], game=game["name"], name=game["title"])
    desk.open("/library")
    pictures = desk.page.locator("main img")
    expect(pictures).to_have_count(len(games))
    desk.page.wait_for_function("() => [...document.images].every((one) => one.naturalWidth > 50)")


def test_an_empty_library_says_how_to_fill_it(desk: Desk) -> None:
    desk.service.empty_library()
    desk.open("/library")
    expect(desk.page.get_by_role("heading", name="No positions yet")).to_be_visible()
    desk.link("workbench").click()
    expect(desk.text).to_be_visible()


def test_a_search_without_result_leads_back(desk: Desk) -> None:
    desk.service.empty_library()
    game = desk.service.get("/games")["games"][0]
    desk.service.post("/library", text=game["start"], game=game["name"], name="Here")
    desk.open("/library")
    desk.page.get_by_label("Search").fill("nowhere")
    expect(desk.page.get_by_role("heading", name="Nothing found")).to_be_visible()
    desk.button("Show everything").click()
    expect(desk.page.get_by_role("heading", name="Here")).to_be_visible()


def test_more_positions_than_one_page_can_be_seen(desk: Desk) -> None:
    desk.service.empty_library()
    game = desk.service.get("/games")["games"][0]
    for number in range(50):
        desk.service.post("/library", text=game["start"], game=game["name"], name=f"Number {number}")
    desk.open("/library")
    expect(desk.page.get_by_text("50 positions")).to_be_visible()
    desk.button("Show more").click()
    expect(desk.page.get_by_role("main").get_by_role("heading", level=2)).to_have_count(50)
    expect(desk.button("Show more")).to_have_count(0)


def test_the_tags_of_the_whole_library_can_be_chosen(desk: Desk) -> None:
    """Of entries beyond the first page too; the oldest come last."""
    desk.service.empty_library()
    game = desk.service.get("/games")["games"][0]
    for number in range(50):
        tags = ["rare"] if number == 0 else []
        desk.service.post(
            "/library", text=game["start"], game=game["name"], name=f"Number {number}", tags=tags
        )
    desk.open("/library")
    expect(desk.page.get_by_text("50 positions")).to_be_visible()
    desk.choice("Tag").select_option("rare")
    expect(desk.page.get_by_text("1 position", exact=True)).to_be_visible()
    expect(desk.page.get_by_role("heading", name="Number 0", exact=True)).to_be_visible()


def test_what_can_be_done_stands_in_one_line_on_a_phone(
    open_context: Callable[..., BrowserContext], service: Service
) -> None:
    desk = Desk(open_context(PHONE).new_page(), service)
    service.empty_library()
    game = service.get("/games")["games"][0]
    for name in ("One", "Two"):
        service.post("/library", text=game["start"], game=game["name"], name=name)
    desk.open("/library")
    expect(desk.page.locator("main img")).to_have_count(2)
    desk.settle()
    places = [
        desk.page.get_by_label(f"{verb} One", exact=True).bounding_box()
        for verb in ("Open", "Change", "Delete")
    ]
    heights = {round(place["y"]) for place in places if place is not None}
    assert len(places) == 3 and len(heights) == 1
