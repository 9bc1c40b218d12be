"""Share: pictures, a link and code for other pages from every board; one page alone may be framed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.axe import violations
from tests.browser.desk import Desk

PLACES = ("/", "/play", "/edit")


@pytest.mark.parametrize("path", PLACES)
def test_every_board_gives_pictures_a_link_and_a_frame(any_desk: Desk, path: str) -> None:
    start = any_desk.service.get("/games/chess")["start"]
    any_desk.open_board(path, game="chess", text=start)
    share(any_desk, start)


def test_the_boards_of_compare_and_library_are_shared(desk: Desk) -> None:
    start = desk.service.get("/games/chess")["start"]
    desk.open("/compare", a=start, b=start)
    desk.button("Share B").click()
    with desk.page.expect_download() as kept:
        desk.link("PNG of B").click()
    assert kept.value.path().read_bytes()[:4] == b"\x89PNG"
    desk.service.empty_library()
    desk.service.post("/library", text=start, name="One")
    desk.open("/library")
    desk.button("Share One").click()
    assert "/p/" in desk.copy(desk.button("Copy link"))


def share(desk: Desk, text: str) -> None:
    # A disabled button takes no focus.
    expect(desk.button("Share")).to_be_enabled()
    desk.button("Share").focus()
    desk.page.keyboard.press("Enter")
    for kind, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with desk.page.expect_download() as kept:
            desk.link(kind).click()
        assert kept.value.path().read_bytes().startswith(begin)
    link = desk.copy(desk.button("Copy link"))
    code = desk.copy(desk.button("Copy embed code"))
    assert code.startswith("<iframe ") and "/embed?" in code
    desk.open_board(link)
    expect(desk.text).to_have_value(text)


def test_the_code_shows_the_board_on_a_page_of_somebody_else(desk: Desk, game: Any) -> None:
    """The frame is drawn, with a link out of it and nothing else."""
    desk.open_board("/", text=game["start"], game=game["name"])
    desk.button("Share").click()
    code = desk.copy(desk.button("Copy embed code"))
    desk.page.route("**/somebody", lambda route: route.fulfill(body=code, content_type="text/html"))
    desk.page.goto("/somebody")
    frame = desk.page.frame_locator("iframe")
    expect(frame.locator("svg [data-square]").first).to_be_visible()
    expect(frame.get_by_role("link")).to_have_count(1)
    expect(frame.get_by_role("link", name="Open in Forsyth")).to_have_attribute("href", re.compile("^/p/"))
    expect(frame.get_by_role("navigation")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_framed_page_is_for_everyone(desk: Desk, theme: Any) -> None:
    desk.page.emulate_media(color_scheme=theme)
    desk.page.goto("/embed?game=chess&text=start")
    expect(desk.page.locator("svg").first).to_be_visible()
    assert violations(desk.page) == []


def test_no_other_page_is_framed(desk: Desk) -> None:
    for path in ("/", "/library", "/p/start"):
        refused = desk.page.request.get(desk.service.address + path).headers
        assert refused["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in refused["content-security-policy"]


def test_a_shared_link_names_its_picture(desk: Desk) -> None:
    start = desk.service.get("/games/chess")["start"]
    desk.open_board(f"/p/{start.replace('/', '%2F').replace(' ', '%20')}")
    picture = desk.page.locator('meta[property="og:image"]').get_attribute("content")
    assert picture is not None
    answer = desk.page.request.get(picture)
    assert answer.headers["content-type"] == "image/png" and answer.body()[:4] == b"\x89PNG"
