"""A record to go through and a board to click, as a notebook shows them, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import PATIENCE

import forsyth
from forsyth import notebook
from forsyth.notebook.play import ClickableMatch

SCRIPT = Path(notebook.__file__).with_name("board.js")
RECORD = forsyth.parse_record("1. e4 e5 2. Nf3 Nc6 *", "chess")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own that may ask nobody and on which no script may fail."""
    context = browser.new_context(color_scheme="light")
    context.set_default_timeout(PATIENCE)
    shown = context.new_page()
    complaints: list[str] = []
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    shown.on("request", lambda asked: complaints.append(asked.url))
    yield shown
    context.close()
    assert complaints == []


def men(page: Page, part: str = ".forsyth-out") -> dict[str, int]:
    """How many men of each kind are seen."""
    found: list[str] = (
        page.locator(part)
        .locator("[data-token]")
        .evaluate_all(
            "all => all.filter(one => getComputedStyle(one).visibility === 'visible')"
            ".map(one => one.dataset.token + ' ' + one.getAttribute('x') + ' ' + one.getAttribute('y'))"
        )
    )
    return {one: found.count(one) for one in found}


def board(at: int) -> dict[str, int]:
    """The same of a position of the record."""
    position = list(RECORD.positions())[at]
    cells = [cell for area in position.scene().areas for cell in area.cells]
    return {f"{t.symbol} {c.column * 100} {c.row * 100}": 1 for c in cells for t in c.tokens}


def test_a_record_is_gone_through(page: Page) -> None:
    page.set_content(notebook.html(RECORD) + notebook.html(RECORD))
    first, second = (f".forsyth-out >> nth={n}" for n in range(2))
    assert men(page, first) == board(4)
    one = page.locator(first)
    one.get_by_role("button", name="First").click()
    assert men(page, first) == board(0) and men(page, second) == board(4)
    one.get_by_role("button", name="Next").click()
    assert men(page, first) == board(1)
    expect(one.locator("[aria-current]")).to_have_text("e4")
    one.get_by_role("button", name="Nf3").click()
    assert men(page, first) == board(3)
    one.get_by_role("button", name="Back").click()
    assert men(page, first) == board(2)
    one.get_by_role("slider", name="Move").press("End")
    assert men(page, first) == board(4)
    one.get_by_role("button", name="Next").click()
    assert men(page, first) == board(4)


def test_without_a_script_the_end_and_the_moves_are_seen(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(notebook.html(RECORD))
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator(".moves")).to_contain_text("1. e4")
    hidden = page.locator('[visibility="hidden"]').count()
    assert 0 < hidden == page.locator("[data-from]:not([data-to='5'])").count()
    context.close()


@pytest.mark.parametrize(("said", "dark"), [("false", True), ("true", False), (None, False)])
def test_the_notebook_says_whether_it_is_dark(page: Page, said: str | None, dark: bool) -> None:
    attribute = "" if said is None else f' data-jp-theme-light="{said}"'
    page.set_content(f"<body{attribute}>{notebook.html(RECORD.start)}</body>")
    fill = page.locator(".forsyth-out svg > rect").first.evaluate("one => getComputedStyle(one).fill")
    assert (fill == "rgb(23, 24, 26)") == dark


def test_a_line_plays_by_itself_and_stands_still_where_that_is_wanted(browser: Browser) -> None:
    svg = forsyth.draw.animation(RECORD)
    for motion, moving in (("no-preference", True), ("reduce", False)):
        context = browser.new_context(reduced_motion=motion)  # type: ignore[arg-type]
        page = context.new_page()
        page.set_content(f'<div class="forsyth-out">{svg}</div>')
        assert (page.evaluate("document.getAnimations().length") > 0) == moving
        if moving:
            page.evaluate(
                "for (const one of document.getAnimations()) { one.pause(); one.currentTime = 1900 }"
            )
            assert men(page) == board(1)
        else:
            assert men(page) == board(4)
        context.close()


def test_clicks_on_the_widget_reach_python(page: Page) -> None:
    """The script of the widget with a model as anywidget gives it one; what it sends goes to the rules."""
    clicks = ClickableMatch(forsyth.Match("chess"))

    def state() -> dict[str, Any]:
        moves = [ply.text for ply in clicks.match]
        svg = clicks.draw_picture(300, flip=False)
        return {"svg": svg, "moves": moves, "choices": clicks.choices, "message": clicks.message}

    def hear(message: dict[str, Any]) -> dict[str, Any]:
        if "click" in message:
            clicks.click(message["click"])
        elif "play" in message:
            clicks.play(message["play"])
        else:
            clicks.undo()
        return state()

    page.expose_function("hear", hear)
    page.set_content('<div id="here"></div>')
    source = SCRIPT.read_text(encoding="utf-8").replace("export default", "const widget =")
    page.evaluate(
        """([source, state]) => {
            const watching = {};
            const model = {
                get: (name) => state[name],
                on: (name, react) => { (watching[name] ||= []).push(react); },
                off: () => {},
                send: async (message) => {
                    state = await hear(message);
                    for (const all of Object.values(watching)) for (const react of all) react();
                },
            };
            new Function("model", "el", `${source}; widget.render({ model, el });`)(
                model, document.getElementById("here"));
        }""",
        [source, state()],
    )
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    page.locator('[data-square="e2"]').click()
    expect(page.locator('[data-square="e4"][data-mark="target"]')).to_be_attached()
    page.locator('[data-square="e4"]').click()
    expect(page.get_by_role("status")).to_have_text("Black to move")
    assert [ply.text for ply in clicks.match] == ["e4"]
    undo.click()
    expect(page.get_by_role("status")).to_have_text("White to move")
    assert len(clicks.match) == 0
