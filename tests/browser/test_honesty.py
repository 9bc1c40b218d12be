"""Nothing is said of a text that was not found in it, whatever happens to the service; and undo is undo."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.desk import Desk

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BROKEN = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

GONE = {"error": "the service is gone", "code": "GONE"}

STOP_CLOCK = "() => { const now = Date.now(); Date.now = () => now; }"
"""Let no time pass for the page: letters that are typed are one step of undo, however slow the machine is."""


def verdict(desk: Desk) -> Any:
    return desk.page.get_by_test_id("verdict")


def refuse(desk: Desk, *calls: str) -> None:
    """From now on these calls are answered with a refusal."""
    for call in calls:
        desk.page.route(f"**/api/v1/{call}", lambda route: route.fulfill(status=418, json=GONE))


@pytest.mark.refused
def test_a_text_that_could_not_be_judged_is_not_called_valid(desk: Desk) -> None:
    desk.open_board("/", text=START)
    expect(verdict(desk)).to_have_text("Valid")
    refuse(desk, "read")
    desk.text.press("ControlOrMeta+End")
    desk.page.keyboard.type("x")
    expect(verdict(desk)).to_have_text("Not checked")
    expect(desk.page.get_by_role("alert")).to_contain_text("the service is gone")
    expect(desk.text).to_have_value(START + "x")
    expect(desk.button("Save")).to_be_disabled()
    expect(desk.page.get_by_role("link", name="Play from here")).to_have_attribute("aria-disabled", "true")
    expect(desk.board).to_have_class("forsyth-board stale")
    expect(desk.page.get_by_text("This text could not be checked.")).to_be_visible()
    expect(desk.page.get_by_text("Nothing to correct.")).to_have_count(0)
    desk.page.unroute("**/api/v1/read")
    desk.button("Try again").click()
    expect(verdict(desk)).to_contain_text("error")


@pytest.mark.refused
def test_marks_and_notes_are_of_the_text_on_the_screen(desk: Desk) -> None:
    """While the next text is read, and when it cannot be, nothing of the last one is shown as its own."""
    desk.open_board("/", text=BROKEN)
    expect(desk.page.locator("mark").first).to_be_attached()
    held: list[Any] = []
    desk.page.route("**/api/v1/read", lambda route: held.append(route))
    desk.text.press("ControlOrMeta+Home")
    with desk.page.expect_request("**/api/v1/read"):
        desk.page.keyboard.type("k")
    expect(verdict(desk)).to_have_text("Reading…")
    expect(desk.page.locator("mark")).to_have_count(0)
    assert desk.signs("error") == set()
    expect(desk.page.get_by_role("listitem").filter(has_text="board.digit")).to_have_count(0)
    expect(desk.button("Save")).to_be_disabled()
    for route in held:
        route.fulfill(status=418, json={"error": "gone", "code": "X"})
    expect(verdict(desk)).to_have_text("Not checked")
    assert desk.signs("error") == set()


@pytest.mark.refused
def test_a_text_that_is_too_long_stays_and_is_said_to_be_so(desk: Desk) -> None:
    desk.open_board("/", text=START)
    long = START + " " + "x" * 70_000
    desk.text.fill(long)
    expect(verdict(desk)).to_have_text("Not checked")
    expect(desk.page.get_by_role("alert")).to_contain_text("65536")
    expect(desk.page.get_by_role("alert")).to_be_in_viewport()
    assert desk.text.input_value() == long


def test_fix_all_says_what_it_did(desk: Desk) -> None:
    desk.open_board("/", text=BROKEN)
    desk.button("Fix all").click()
    expect(desk.page.get_by_text("All fixed: 1 finding.")).to_be_visible()
    expect(desk.text).to_have_value(START)
    hopeless = BROKEN.replace(" w ", " ? ").replace("RNBQKBNR", "RNBQQBNR")
    desk.text.fill(hopeless)
    desk.button("Fix all").click()
    expect(desk.text).not_to_have_value(hopeless)
    left = len(desk.service.read(desk.text.input_value())["diagnostics"])
    assert left > 0
    expect(desk.page.get_by_text(f"Fixed where possible: {left} of ")).to_be_visible()
    expect(desk.page.get_by_text("All fixed")).to_have_count(0)


@pytest.mark.refused
def test_a_repair_that_comes_too_late_is_not_used(desk: Desk) -> None:
    desk.open_board("/", text=BROKEN)
    with desk.page.expect_response("**/api/v1/fix") as late, desk.held("fix"):
        desk.button("Fix all").click()
        desk.text.fill(START)
        expect(verdict(desk)).to_have_text("Valid")
    late.value.finished()
    desk.settle()
    expect(desk.text).to_have_value(START)
    expect(verdict(desk)).to_have_text("Valid")


@pytest.mark.refused
def test_an_edited_text_that_could_not_be_judged_says_so(desk: Desk) -> None:
    desk.open_board("/edit", text=START, game="chess")
    expect(desk.page.get_by_text("Legal position")).to_be_visible()
    refuse(desk, "edit", "read")
    desk.text.press("ControlOrMeta+End")
    desk.page.keyboard.type("0")
    expect(desk.page.get_by_text("Not checked")).to_be_visible()
    expect(desk.page.get_by_text("Legal position")).to_have_count(0)
    expect(desk.text).to_have_value(START + "0")


# --- undo -------------------------------------------------------------------------------------------------


@pytest.mark.refused
@pytest.mark.parametrize("view", ["/", "/edit"])
def test_undo_works_as_in_any_editor(desk: Desk, view: str) -> None:
    """After typing, after a fix, after the buttons; and redo after it."""
    desk.open(view, text=BROKEN, game="chess")
    desk.page.get_by_role("button", name="Fix: ").first.click()
    expect(desk.text).to_have_value(START)
    desk.button("Flip").click()
    desk.page.evaluate(STOP_CLOCK)
    desk.text.press("ControlOrMeta+End")
    desk.page.keyboard.type("234")
    expect(desk.text).to_have_value(START + "234")
    desk.page.keyboard.press("Control+z")
    expect(desk.text).to_have_value(START)
    desk.page.keyboard.press("Control+z")
    expect(desk.text).to_have_value(BROKEN)
    desk.page.keyboard.press("Control+z")
    expect(desk.text).to_have_value(BROKEN)
    desk.page.keyboard.press("Control+Shift+z")
    expect(desk.text).to_have_value(START)
    desk.page.keyboard.press("Control+y")
    expect(desk.text).to_have_value(START + "234")
    # The caret is where the change was: what is typed next stands there.
    desk.page.keyboard.type("5")
    expect(desk.text).to_have_value(START + "2345")


def test_undo_brings_back_what_was_cleared_or_repaired(desk: Desk) -> None:
    desk.open_board("/", text=BROKEN)
    desk.button("Fix all").click()
    expect(desk.text).to_have_value(START)
    desk.button("Clear").click()
    expect(desk.text).to_have_value("")
    desk.page.keyboard.press("Control+z")
    expect(desk.text).to_have_value(START)
    desk.page.keyboard.press("Control+z")
    expect(desk.text).to_have_value(BROKEN)
