"""Played here: the panel of a service with an index, in Play and Workbench."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, WIDE, visitors
from tests.bulk.random_records import random_records, write_records
from tests.server.serving import serving

from forsyth.bulk import Book, build_index

Open = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    folder = tmp_path_factory.mktemp("index")
    source = write_records(folder / "games.pgn", random_records("chess", 60, 8))
    build_index(source, folder / "book")
    return Book(folder / "book")


@pytest.fixture(scope="module")
def address(book: Book) -> Iterator[str]:
    with serving("--index", str(book.folder)) as running:
        yield running.address


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Open]:
    with visitors(browser, address, refusals=False) as make:
        yield make


def moves_of(book: Book, *played: str) -> list[str]:
    """What was played most often after some moves."""
    position = book.game.parse(book.game.start)
    for move in played:
        position = book.game.play(position, book.game.read_move(position, move))
    return [one.move for one in book.played_moves(position.key) if one.move is not None][:8]


def shown(page: Page) -> list[str]:
    return page.locator(".played .move").all_inner_texts()


def wait_for_moves(page: Page, moves: list[str]) -> None:
    expect(page.locator(".played .move")).to_have_text(moves)


def test_a_click_plays_a_move(visit: Open, book: Book) -> None:
    page = visit().new_page()
    page.goto("/play?game=chess")
    first = moves_of(book)
    wait_for_moves(page, first)
    page.locator(".played .move").first.click()
    wait_for_moves(page, moves_of(book, first[0]))
    expect(page.locator(".moves .move")).to_have_text([first[0]])


def test_the_workbench_goes_on_from_the_text(visit: Open, book: Book) -> None:
    page = visit().new_page()
    page.goto("/")
    first = moves_of(book)
    wait_for_moves(page, first)
    page.locator(".played .move").first.click()
    wait_for_moves(page, moves_of(book, first[0]))
    page.get_by_role("button", name="Latest").click()
    expect(page.locator(".played-games li")).to_have_count(4)


@pytest.mark.parametrize("size", [WIDE, PHONE])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everybody_can_use_it(visit: Open, size: tuple[int, int], theme: str) -> None:
    page = visit(size, theme).new_page()
    page.goto("/play?game=chess")
    expect(page.locator(".result-bar").first).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
