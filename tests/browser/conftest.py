"""A browser for each worker, a new context for each test, and what holds for every test.

Whatever a test does, at its end no script may have failed, nothing may have been written to the console as an
error, no other host may have been asked, and the content security policy may not have been hurt. A test that
provokes a refusal of the service says so with the mark `refused`.

`test_components.py` needs an app that npm has built, and tests must run without npm: `.ci/components` builds
it, names its folder in `FORSYTH_COMPONENTS`, and only then is that file collected. So it is with
`test_try_page.py`, `.ci/try_page` and `FORSYTH_SITE`; `test_firefox.py` is
collected where there is a Firefox.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright
from tests.browser.chromium import ARGUMENTS, executable
from tests.browser.desk import Desk
from tests.browser.firefox import firefox
from tests.browser.service import Service
from tests.server.serving import serving

from forsyth.registry import games

NEEDED = {"test_components.py": "FORSYTH_COMPONENTS", "test_try_page.py": "FORSYTH_SITE"}
collect_ignore = [
    *(file for file, name in NEEDED.items() if not os.environ.get(name)),
    *([] if firefox() else ["test_firefox.py"]),
]

WIDE = (1280, 900)
PHONE = (390, 844)
TOUCH: dict[str, Any] = {"has_touch": True, "is_mobile": True}
ONLY_CHROMIUM: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}
PATIENCE = 30_000
"""Milliseconds that a test waits for what must come: a machine with much other work is slow, not wrong."""
REFUSAL = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d")
HURT = """addEventListener("securitypolicyviolation", (event) =>
    console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));"""

expect.set_options(timeout=PATIENCE)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `name` runs once for each game."""
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", games())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is `browser`."""
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def service() -> Iterator[Service]:
    """The service in a process of its own, with an empty store in memory."""
    with serving() as running:
        yield Service(running.address)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers; ended when the last test of this folder is done: its loop occupies the thread."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium."""
    path = executable()
    if path is None:
        pytest.fail("no Chromium found: install it, name it in FORSYTH_CHROMIUM, or run -m 'not browser'")
    found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
    yield found
    found.close()


@pytest.fixture
def open_context(
    browser: Browser, service: Service, request: pytest.FixtureRequest
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes visitors of the service's own page; `size` and `theme` are theirs."""
    refusals = request.node.get_closest_marker("refused") is not None
    with visitors(browser, service.address, refusals=refusals) as make:
        yield make


@contextmanager
def visitors(browser: Browser, *addresses: str, refusals: bool) -> Iterator[Callable[..., BrowserContext]]:
    """Makes new visitors of the first address, who may ask nobody but these addresses."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)

    def make(size: tuple[int, int] = WIDE, theme: Any = "light") -> BrowserContext:
        context = browser.new_context(
            base_url=addresses[0],
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
            **(ONLY_CHROMIUM if browser.browser_type.name == "chromium" else {}),
            **(TOUCH if size == PHONE else {}),
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(HURT)
        context.on("request", lambda asked: complaints.extend(foreign(asked.url, *addresses)))
        context.on("page", watch)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert [words for words in complaints if not (refusals and REFUSAL.match(words))] == []


def foreign(url: str, *addresses: str) -> list[str]:
    """A complaint if an address is of another host."""
    own = [f"{start}{address}/" for address in addresses for start in ("", "blob:")]
    return [] if url.startswith(("data:", *own)) else [f"foreign: {url}"]


@pytest.fixture
def desk(open_context: Callable[..., BrowserContext], service: Service) -> Desk:
    """A new visitor's page."""
    return Desk(open_context().new_page(), service)


@pytest.fixture(params=["wide", "phone"])
def any_desk(
    open_context: Callable[..., BrowserContext], service: Service, request: pytest.FixtureRequest
) -> Desk:
    """A new visitor's page, once on a desk and once on a phone."""
    size = PHONE if request.param == "phone" else WIDE
    return Desk(open_context(size).new_page(), service)


@pytest.fixture
def game(service: Service, name: str) -> Any:
    """What the service says of a game."""
    return service.get(f"/games/{name}")
