"""A service with an API key: the page asks for the key once and sends it with every request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect
from tests.browser.conftest import visitors
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.server.serving import serving

KINGS = "8/8/8/4k3/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def guarded(browser: Browser) -> Iterator[tuple[Service, Callable[..., BrowserContext]]]:
    """A service with the key `secret`, and what makes its visitors."""
    with (
        serving(FORSYTH_API_KEY="secret") as running,
        visitors(browser, running.address, refusals=True) as make,
    ):
        yield Service(running.address), make


def test_the_page_asks_for_the_key_once_and_sends_it(guarded: Any) -> None:
    service, make = guarded
    context = make()
    desk = Desk(context.new_page(), service)
    desk.open("/library")
    dialog = desk.page.get_by_role("dialog")
    field = dialog.get_by_label("Key")
    expect(field).to_be_focused()
    field.fill("wrong")
    dialog.get_by_role("button", name="Use key").click()
    expect(dialog.get_by_role("alert")).to_contain_text("does not accept this key")
    dialog.get_by_label("Key").fill("secret")
    dialog.get_by_role("button", name="Use key").click()
    expect(desk.page.get_by_text("No positions yet")).to_be_visible()
    expect(dialog).to_have_count(0)

    desk.open_board("/", text=KINGS)
    desk.button("Save").click()
    desk.write(desk.field("Name"), "Bare kings")
    desk.page.get_by_role("button", name="Save", exact=True).last.click()
    expect(desk.page.get_by_text("Saved as Bare kings.")).to_be_visible()

    other = Desk(context.new_page(), service)
    other.open("/library")
    expect(other.page.get_by_role("heading", name="Bare kings")).to_be_visible()
    with other.page.expect_download() as download:
        other.link("Export all").click()
    assert '"Bare kings"' in download.value.path().read_text(encoding="utf-8")
    expect(other.page.get_by_role("dialog")).to_have_count(0)


def test_without_the_key_the_page_says_what_is_missing_and_does_not_ask_again(guarded: Any) -> None:
    service, make = guarded
    desk = Desk(make().new_page(), service)
    desk.open("/library")
    expect(desk.page.get_by_role("dialog").get_by_label("Key")).to_be_focused()
    desk.page.keyboard.press("Escape")
    expect(desk.page.get_by_role("alert")).to_contain_text("API key")
    expect(desk.page.get_by_role("dialog")).to_have_count(0)
    desk.button("Try again").click()
    expect(desk.page.get_by_role("dialog")).to_be_visible()
