"""The page Try it of the built documentation, served as files, in Chromium.

`.ci/try_page` runs this file with `FORSYTH_SITE` naming the built site, with Pyodide in it. Without that name
this file is not collected, so that the tests need no npm; see `conftest.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import visitors
from tests.browser.hosting import hosting

LOADING = 180_000
"""Milliseconds that loading Python may take on a machine that does other work."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with hosting(Path(os.environ["FORSYTH_SITE"])) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """One page for all tests: Python is loaded once, as a visitor does."""
    with visitors(browser, site, refusals=False) as make:
        opened = make().new_page()
        opened.goto(f"{site}/try.html")
        expect(opened.get_by_role("status")).to_have_text("The text is not ok (chess).", timeout=LOADING)
        yield opened


def test_the_findings_of_the_first_text_are_shown(page: Page) -> None:
    findings = page.get_by_label("Findings")
    expect(findings).to_contain_text("error[board.char]: rank 7: 'x' is not a piece")
    expect(findings).to_contain_text("fix (certain): replace '44' with '8'")
    expect(page.get_by_alt_text("The board")).to_be_hidden()


def test_a_pasted_text_is_checked_and_drawn(page: Page) -> None:
    page.get_by_label("Text", exact=True).fill("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    expect(page.get_by_role("status")).to_have_text("The text is ok (chess).")
    expect(page.get_by_label("Findings")).to_be_empty()
    board = page.get_by_alt_text("The board")
    expect(board).to_be_visible()
    page.wait_for_function("image => image.naturalWidth > 100", arg=board.element_handle())


def test_the_squares_of_findings_are_marked(page: Page) -> None:
    page.get_by_role("button", name="An impossible check").click()
    expect(page.get_by_label("Findings")).to_contain_text("check.opposite")
    board = page.get_by_alt_text("The board")
    expect(board).to_have_attribute("src", re.compile(re.escape("data-mark%3D%22error%22")))


def test_lenient_mode_repairs_and_the_games_are_detected(page: Page) -> None:
    page.get_by_role("button", name="A careless text").click()
    expect(page.get_by_label("Findings")).to_contain_text("'White' is not a side")
    expect(page.get_by_role("status")).to_have_text("The text is not ok (chess).")
    page.get_by_label("Mode").select_option("lenient")
    expect(page.get_by_label("Canonical text")).to_have_text("8/8/8/4k3/8/8/8/4K3 w - - 12 40")
    page.get_by_role("button", name="Shogi").click()
    expect(page.get_by_role("status")).to_have_text("The text is ok (shogi).")


def test_the_form_can_be_used_by_everybody(page: Page) -> None:
    assert not violations(page, "#try")
