"""Library: in any order, several at once, in and out as files, and found again where one left it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import expect
from tests.browser.desk import Desk

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def fill(desk: Desk, names: Sequence[str], **more: Any) -> list[Any]:
    desk.service.empty_library()
    return [desk.service.post("/library", text=START, name=name, **more) for name in names]


def titles(desk: Desk) -> list[str]:
    return desk.page.locator(".entry h2").all_inner_texts()


def wait_for_titles(desk: Desk, names: Sequence[str]) -> None:
    expect(desk.page.locator(".entry h2")).to_have_text(list(names))


def test_entries_stand_in_the_order_asked_for(any_desk: Desk) -> None:
    first = fill(any_desk, ["b", "C", "a"])[0]
    any_desk.service.post("/library", text="start", game="xiangqi", name="ab")
    any_desk.open("/library")
    wait_for_titles(any_desk, ["ab", "a", "C", "b"])
    # Each order differs from the one before, so that the test waits for the page to change.
    orders = {"oldest": ["b", "C", "a", "ab"], "name": ["a", "ab", "b", "C"], "game": ["a", "b", "C", "ab"]}
    for order, names in orders.items():
        any_desk.choice("Sort").select_option(order)
        wait_for_titles(any_desk, names)
    any_desk.button("Change b").click()
    any_desk.field("Name").fill("b, changed")
    any_desk.button("Save").click()
    wait_for_titles(any_desk, ["a", "b, changed", "C", "ab"])
    any_desk.choice("Sort").select_option("changed")
    wait_for_titles(any_desk, ["b, changed", "ab", "a", "C"])
    expect(any_desk.page).to_have_url(re.compile("sort=changed"))
    any_desk.page.reload()
    wait_for_titles(any_desk, ["b, changed", "ab", "a", "C"])
    expect(any_desk.page.locator(f"time[datetime='{first['created']}']")).to_be_visible()


def test_several_are_tagged_exported_and_deleted(any_desk: Desk) -> None:
    saved = fill(any_desk, ["One", "Two", "Three"], tags=["old"])
    any_desk.open("/library")
    for name in ("One", "Three"):
        any_desk.page.get_by_label(f"Select {name}", exact=True).check()
    expect(any_desk.page.get_by_text("2 positions selected")).to_be_visible()
    any_desk.button("Tag").click()
    any_desk.page.get_by_label("Tags to add").fill("new, odd")
    any_desk.button("Add tags").click()
    expect(any_desk.page.get_by_role("button", name="odd")).to_have_count(2)
    tags = {one["name"]: one["tags"] for one in any_desk.service.get("/library")["positions"]}
    assert tags == {"One": ["old", "new", "odd"], "Two": ["old"], "Three": ["old", "new", "odd"]}
    for name in ("One", "Three"):
        any_desk.page.get_by_label(f"Select {name}", exact=True).check()
    with any_desk.page.expect_download() as kept:
        any_desk.button("Export selected").click()
    lines = [json.loads(line) for line in kept.value.path().read_text(encoding="utf-8").splitlines()]
    assert {line["id"] for line in lines} == {saved[0]["id"], saved[2]["id"]}
    any_desk.button("Delete selected").click()
    any_desk.button("Keep them").click()
    assert any_desk.service.get("/library")["total"] == 3
    any_desk.button("Delete selected").click()
    any_desk.button("Delete them").click()
    wait_for_titles(any_desk, ["Two"])
    assert any_desk.service.get("/library")["total"] == 1


def test_the_whole_library_goes_out_and_comes_back(any_desk: Desk) -> None:
    fill(any_desk, [f"Number {number}" for number in range(60)], tags=["kept"], note="two\nlines")
    any_desk.open("/library")
    with any_desk.page.expect_download() as kept:
        any_desk.link("Export all").click()
    content = kept.value.path().read_bytes()
    assert len(content.splitlines()) == 60
    any_desk.service.empty_library()
    bad = b'{"text": "no position", "name": "Bad"}\n'
    with any_desk.page.expect_file_chooser() as chooser:
        any_desk.page.reload()
        expect(any_desk.page.get_by_text("No positions yet")).to_be_visible()
        any_desk.button("Import").click()
    chooser.value.set_files(
        {"name": "library.jsonl", "mimeType": "text/plain", "buffer": content + bad + START.encode()}
    )
    expect(any_desk.page.get_by_text("61 imported, 1 refused.").first).to_be_visible()
    expect(any_desk.page.get_by_text(re.compile("line 61: "))).to_be_visible()
    found = any_desk.service.get("/library?limit=100")["positions"]
    assert sorted({one["name"] for one in found}) == sorted({"Imported", *(f"Number {n}" for n in range(60))})
    (one,) = [one for one in found if one["name"] == "Number 7"]
    assert (one["tags"], one["note"], one["text"]) == (["kept"], "two\nlines", START)


def test_a_card_is_opened_in_play_and_in_edit(any_desk: Desk) -> None:
    fill(any_desk, ["One"])
    any_desk.open("/library")
    any_desk.link("Play One").click()
    expect(any_desk.page).to_have_url(re.compile("/play"))
    expect(any_desk.page.get_by_text(START, exact=True)).to_be_visible()
    any_desk.page.goto("/library")
    any_desk.link("Edit One").click()
    expect(any_desk.text).to_have_value(START)


def test_search_and_place_are_found_again(any_desk: Desk) -> None:
    fill(any_desk, [*(f"Number {number}" for number in range(70)), "Something else"])
    any_desk.open("/library")
    any_desk.page.get_by_label("Search").fill("number")
    expect(any_desk.page.get_by_text("70 positions")).to_be_visible()
    any_desk.button("Show more").click()
    expect(any_desk.page.locator(".entry")).to_have_count(70)
    any_desk.link("Open Number 2").scroll_into_view_if_needed()
    expect(any_desk.page).to_have_url(re.compile(r"q=number.*n=70.*y=\d{3}"))
    any_desk.page.wait_for_function("() => location.search.endsWith(`y=${Math.round(scrollY)}`)")
    before = any_desk.page.evaluate("scrollY")
    any_desk.link("Open Number 2").evaluate("one => one.click()")
    expect(any_desk.text).to_have_value(START)
    # The workbench writes its address when it has read the text. `go_back` comes after that.
    expect(any_desk.page).to_have_url(re.compile("/p/"))
    any_desk.page.go_back()
    expect(any_desk.page.locator(".entry")).to_have_count(70)
    any_desk.page.wait_for_function("y => Math.abs(scrollY - y) < 5", arg=before)
    expect(any_desk.page.get_by_label("Search")).to_have_value("number")


def test_the_lines_of_a_note_are_kept(any_desk: Desk) -> None:
    fill(any_desk, ["One"], note="first\nsecond\nthird")
    any_desk.open("/library")
    note = any_desk.page.locator(".entry-note")
    assert note.evaluate("one => one.innerText") == "first\nsecond\nthird"
    height = note.evaluate(
        "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    )
    assert round(height) == 3


def test_cards_show_the_board_alone(desk: Desk) -> None:
    fill(desk, ["One"])
    desk.open("/library")
    picture = desk.page.locator(".entry img")
    source = picture.get_attribute("src")
    assert source is not None
    assert "to move" not in desk.page.request.get(source).text().split("</desc>")[1]
    desk.page.wait_for_function("() => document.images[0].naturalWidth > 50")
    width, height = picture.evaluate("one => [one.naturalWidth, one.naturalHeight]")
    assert abs(width - height) < 0.03 * width
