"""Edit by hand: dragged from the palette, off the board, painted, erased, emptied, saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from tests.browser.conftest import PHONE
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.browser.test_expected import Finger

BARE = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def tool(desk: Desk, label: str) -> Locator:
    return desk.page.get_by_role("button", name=label, exact=True)


def middle(place: Locator) -> tuple[float, float]:
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_to(desk: Desk, start: tuple[float, float], *ends: tuple[float, float], button: Any = "left") -> None:
    desk.page.mouse.move(*start)
    desk.page.mouse.down(button=button)
    for end in ends:
        desk.page.mouse.move(*end, steps=6)
    desk.page.mouse.up(button=button)


def first_on(desk: Desk, game: Any, text: str) -> tuple[Any, str, str]:
    """A thing of the palette, a cell that takes it, and the text with it there."""
    palette = desk.service.post("/edit", text=text, game=game["name"])["palette"]
    for cell in desk.squares():
        for entry in palette:
            put = {"square": cell, "symbol": entry["symbol"]}
            try:
                after = desk.service.post("/edit", text=text, game=game["name"], put=put)["text"]
            except OSError:
                continue
            if after != text:
                return entry, cell, after
    raise AssertionError("nothing can be put anywhere")


@pytest.mark.refused
def test_a_thing_is_dragged_from_the_palette(desk: Desk, game: Any) -> None:
    text = desk.service.post("/edit", text=game["start"], game=game["name"], clear=True)["text"]
    desk.open_board("/edit", game=game["name"], text=text)
    entry, cell, after = first_on(desk, game, text)
    drag_to(desk, middle(tool(desk, entry["label"])), desk.centre(cell))
    expect(desk.text).to_have_value(after)
    expect(tool(desk, entry["label"])).to_have_attribute("aria-pressed", "false")


def test_a_finger_drags_from_the_palette(
    open_context: Callable[..., BrowserContext], service: Service
) -> None:
    desk = Desk(open_context(PHONE).new_page(), service)
    desk.open_board("/edit", game="chess", text=BARE)
    start = middle(tool(desk, "white queen"))
    Finger(desk.page).drag(start, desk.centre("d4"))
    expect(desk.text).to_have_value("4k3/8/8/8/3Q4/8/8/4K3 w - - 0 1")


def test_what_is_dragged_off_the_board_is_gone(any_desk: Desk) -> None:
    any_desk.open_board("/edit", game="chess", text=BARE.replace("8/8/8", "3q4/8/8", 1))
    x, y = any_desk.centre("d7")
    board = any_desk.board.bounding_box()
    assert board is not None
    drag_to(any_desk, (x, y), (x, board["y"] + board["height"] + 60))
    expect(any_desk.text).to_have_value(BARE)


def test_a_drag_paints_and_erases(any_desk: Desk) -> None:
    any_desk.open_board("/edit", game="chess", text=BARE)
    tool(any_desk, "white pawn").click()
    drag_to(any_desk, any_desk.centre("a2"), any_desk.centre("h2"))
    expect(any_desk.text).to_have_value("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")
    any_desk.button("Erase").click()
    drag_to(any_desk, any_desk.centre("a2"), any_desk.centre("d2"))
    expect(any_desk.text).to_have_value("4k3/8/8/8/8/8/4PPPP/4K3 w - - 0 1")
    any_desk.button("Undo").click()
    any_desk.button("Undo").click()
    expect(any_desk.text).to_have_value("4k3/8/8/8/8/8/2PPPPPP/4K3 w - - 0 1")
    any_desk.button("Redo").click()
    any_desk.button("Redo").click()
    expect(any_desk.text).to_have_value("4k3/8/8/8/8/8/4PPPP/4K3 w - - 0 1")


def test_the_right_button_and_delete_erase(desk: Desk) -> None:
    text = "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"
    desk.open_board("/edit", game="chess", text=text)
    desk.page.mouse.click(*desk.centre("a2"), button="right")
    expect(desk.text).to_have_value("4k3/8/8/8/8/8/1P6/4K3 w - - 0 1")
    expect(desk.board.locator("[data-annotation]")).to_have_count(0)
    desk.board.focus()
    desk.page.keyboard.press("End")
    for _ in range(6):
        desk.page.keyboard.press("ArrowLeft")
    desk.page.keyboard.press("ArrowUp")
    desk.page.keyboard.press("Delete")
    expect(desk.text).to_have_value("4k3/8/8/8/8/8/8/4K3 w - - 0 1")


def test_every_board_is_emptied_and_filled_again(desk: Desk, game: Any) -> None:
    midgame = game["names"]["midgame"]
    desk.open_board("/edit", game=game["name"], text=midgame)
    empty = desk.service.post("/edit", text=midgame, game=game["name"], clear=True)["text"]
    desk.button("Empty the board").click()
    expect(desk.text).to_have_value(empty)
    desk.button("Undo").click()
    expect(desk.text).to_have_value(midgame)


def test_kinds_are_switched_and_pieces_are_large(any_desk: Desk) -> None:
    any_desk.open_board("/edit", game="cotulenh")
    expect(tool(any_desk, "red heroic tank")).to_have_count(0)
    box = tool(any_desk, "red tank").bounding_box()
    assert box is not None and box["width"] >= 44
    tool(any_desk, "red tank").click()
    any_desk.button("Heroic").click()
    expect(tool(any_desk, "red heroic tank")).to_have_attribute("aria-pressed", "true")
    expect(tool(any_desk, "red tank")).to_have_count(0)
    any_desk.click("f6")
    put = {"square": "f6", "symbol": "+T"}
    start = any_desk.service.get("/games/cotulenh")["start"]
    expect(any_desk.text).to_have_value(
        any_desk.service.post("/edit", text=start, game="cotulenh", put=put)["text"]
    )
    any_desk.choice("Game").select_option("shogi")
    any_desk.button("Promoted").click()
    expect(tool(any_desk, "black dragon")).to_be_visible()
    expect(tool(any_desk, "black king")).to_be_visible()


def test_a_position_is_saved_where_it_is_made(any_desk: Desk) -> None:
    any_desk.service.empty_library()
    any_desk.open_board("/edit", game="chess", text=BARE)
    any_desk.button("Save").click()
    any_desk.field("Name").fill("Bare kings")
    any_desk.button("Save").last.click()
    expect(any_desk.page.get_by_text("Saved as Bare kings.")).to_be_visible()
    (saved,) = any_desk.service.get("/library")["positions"]
    assert (saved["text"], saved["name"]) == (BARE, "Bare kings")
