"""Compare: two texts side by side, what differs marked on both boards and listed."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.desk import CELLS_UNDER, Desk


def side(desk: Desk, name: str) -> Locator:
    return desk.page.get_by_role("region", name=f"Text {name}")


def marked(desk: Desk, name: str, kind: str = "warning") -> set[str]:
    return set(side(desk, name).get_by_role("application").evaluate(CELLS_UNDER, kind))


def open_pair(desk: Desk, game: Any) -> Any:
    """Two positions one move apart; the answer is what differs."""
    after = desk.service.line(game["name"], 1)[0]["after"]
    desk.open("/compare", a=game["start"], b=after, game=game["name"])
    expect(desk.page.get_by_role("columnheader", name="B", exact=True)).to_be_visible()
    for name in ("A", "B"):
        expect(side(desk, name).locator("[data-square]").first).to_be_attached()
    return desk.service.post("/diff", a=game["start"], b=after, game=game["name"])


def test_differences_are_marked_on_both_boards_and_listed(desk: Desk, game: Any) -> None:
    difference = open_pair(desk, game)
    scene = desk.service.read(game["start"])["position"]["scene"]
    names = {cell["id"]: cell.get("label", cell["id"]) for area in scene["areas"] for cell in area["cells"]}
    for change in difference["squares"]:
        called = names.get(change["square"], change["square"])
        row = desk.page.get_by_role("row").filter(has=desk.button(f"Show {called}"))
        expect(row).to_contain_text(change["a"] or "empty")
        expect(row).to_contain_text(change["b"] or "empty")
    for change in difference["fields"]:
        expect(
            desk.page.get_by_role("rowheader", name=change["field"].replace("_", " "), exact=True)
        ).to_be_visible()
    squares = {change["square"] for change in difference["squares"]}
    for name in ("A", "B"):
        cells = set(
            side(desk, name)
            .locator("[data-square]")
            .evaluate_all("all => all.map(one => one.dataset.square)")
        )
        groups = {cell.split(".")[0] for cell in marked(desk, name)}
        assert groups == {square.split(".")[0] for square in squares if square in cells}


def test_a_difference_is_lit_by_keyboard_and_said(any_desk: Desk) -> None:
    game = any_desk.service.get("/games/chess")
    difference = open_pair(any_desk, game)
    square = difference["squares"][0]["square"]
    any_desk.button(f"Show {square}").focus()
    for name in ("A", "B"):
        expect(side(any_desk, name).locator('[data-sign~="lit"]')).to_have_count(1)
        assert marked(any_desk, name, "lit") == {square}
    expect(any_desk.page.get_by_test_id("announcer")).to_contain_text("squares and")


def test_texts_are_typed_swapped_and_kept_in_the_address(any_desk: Desk) -> None:
    start = any_desk.service.get("/games/chess")["start"]
    after = any_desk.service.line("chess", 1)[0]["after"]
    any_desk.open("/compare")
    any_desk.field("Text A").fill(start)
    any_desk.field("Text B").fill(start)
    expect(any_desk.page.get_by_text("Both texts are the same position.")).to_be_visible()
    any_desk.field("Text B").fill(after)
    expect(any_desk.page.get_by_role("columnheader", name="Where")).to_be_visible()
    any_desk.button("Swap").click()
    expect(any_desk.field("Text A")).to_have_value(after)
    any_desk.page.reload()
    expect(any_desk.field("Text A")).to_have_value(after)
    expect(any_desk.field("Text B")).to_have_value(start)


def test_a_broken_text_keeps_its_findings_and_is_not_compared(desk: Desk) -> None:
    start = desk.service.get("/games/chess")["start"]
    desk.open("/compare", a=start, b=start.replace("8/8", "9/8", 1))
    expect(desk.page.get_by_text("Both texts must be positions")).to_be_visible()
    expect(side(desk, "B").get_by_text("board.digit")).to_be_visible()
    side(desk, "B").get_by_role("button", name=re.compile("^Fix")).click()
    expect(desk.page.get_by_text("Both texts are the same position.")).to_be_visible()


def test_the_workbench_leads_to_a_comparison(desk: Desk) -> None:
    start = desk.service.get("/games/chess")["start"]
    desk.open_board("/", text=start)
    desk.link("Compare").last.click()
    expect(desk.field("Text A")).to_have_value(start)
