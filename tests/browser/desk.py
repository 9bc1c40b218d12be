"""What a visitor does with the page, in the words of the tests.

Things are found by what a visitor is told of them: roles, labels and texts. The cells of a board are found by
`data-square`, which is part of the drawings' contract.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.service import Service

CELLS_UNDER = """(root, kind) => {
    const cells = [...root.querySelectorAll("[data-square]")].map((cell) => {
        const ground = [...cell.children].find((child) => child.tagName === "rect");
        return [cell.dataset.square, ground.getBoundingClientRect()];
    });
    return [...root.querySelectorAll(`[data-sign~="${kind}"]`)].flatMap((sign) => {
        const box = sign.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const under = cells.filter(([, ground]) =>
            x > ground.left && x < ground.right && y > ground.top && y < ground.bottom);
        return under.map(([name]) => name);
    });
}"""
CENTRE = """(root, name) => {
    const cell = root.querySelector(`[data-square="${name}"]`);
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    const ground = [...cell.children].find((child) => child.tagName === "rect").getBoundingClientRect();
    return [ground.x + ground.width / 2, ground.y + ground.height / 2];
}"""
SETTLED = """() => Promise.all([
    document.fonts.ready,
    ...[...document.images].map((image) => {
        image.loading = "eager";
        return image.decode().catch(() => undefined);
    }),
]).then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))"""
FILE_CARRIED = """([content, name]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([content], name, { type: "text/plain" }));
    return carried;
}"""
NOTE_COPIED = """(button) => {
    button.hasCopied = false;
    new MutationObserver(() => { button.hasCopied ||= button.textContent === "Copied"; })
        .observe(button, { childList: true, subtree: true, characterData: true });
}"""
SPOKEN = """() => [...document.querySelectorAll("[aria-live=polite]")].map((part) => part.textContent)"""


class Desk:
    """A page of the site, and the service behind it."""

    def __init__(self, page: Page, service: Service) -> None:
        self.page = page
        self.service = service

    def open(self, path: str = "/", **query: str) -> None:
        """Go to a view and wait until it is there."""
        self.page.goto(path + (f"?{urlencode(query)}" if query else ""))
        expect(self.page.get_by_role("heading", level=1)).to_be_attached()

    def open_board(self, path: str = "/", **query: str) -> None:
        """Go to a view and wait until its board is drawn."""
        self.open(path, **query)
        expect(self.board.locator("[data-square]").first).to_be_attached()

    def settle(self) -> None:
        """Wait until what the page has is on the screen."""
        self.page.evaluate(SETTLED)

    @contextmanager
    def held(self, call: str) -> Iterator[None]:
        """Whatever the page asks of this call waits until the block ends."""
        waiting: list[Route] = []
        open_now = False

        def hold(route: Route) -> None:
            route.continue_() if open_now else waiting.append(route)

        self.page.route(f"**/api/v1/{call}", hold)
        yield
        open_now = True
        for route in waiting:
            route.continue_()

    # --- the board ---------------------------------------------------------------------------------------

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("application")

    def cell(self, name: str) -> Locator:
        return self.board.locator(f'[data-square="{name}"]')

    def centre(self, name: str) -> tuple[float, float]:
        expect(self.cell(name)).to_be_attached()
        x, y = self.board.evaluate(CENTRE, name)
        return x, y

    def click(self, name: str) -> None:
        self.page.mouse.click(*self.centre(name))

    def drag(self, start: str, end: str) -> None:
        to = self.centre(end)
        self.page.mouse.move(*self.centre(start))
        self.page.mouse.down()
        self.page.mouse.move(*to, steps=4)
        self.page.mouse.up()

    def signs(self, kind: str) -> set[str]:
        """The cells that the page marks: `lit`, `selected`, `target`, `error` or `warning`."""
        return set(self.board.evaluate(CELLS_UNDER, kind))

    def wait_for_signs(self, kind: str) -> set[str]:
        expect(self.board.locator(f'[data-sign~="{kind}"]').first).to_be_attached()
        return self.signs(kind)

    def take(self, move: Any) -> None:
        """Take up what moves; where several things lie together, say which."""
        self.click(move["from"])
        self.wait_for_signs("selected")
        # The page renders the choice together with the sign.
        which = self.page.get_by_role("group", name="Which piece?")
        if which.count():
            which.get_by_role("button", name=self.name_of(move["piece"]), exact=True).click()

    def play(self, move: Any) -> None:
        """Make a move by two clicks, and wait until the page shows it played."""
        self.take(move)
        self.click(move["to"])
        self.wait_for_move(move)

    def wait_for_move(self, move: Any) -> None:
        """Wait until a move is the last one that stands on the board: in the list it is before that."""
        current = self.page.locator("[aria-current=step]")
        expect(current).to_have_text(move["move"] if isinstance(move, dict) else move)
        self.wait_for_answer()

    def wait_for_answer(self) -> None:
        """Wait until Play shows the answer of the service to the last action.

        The board is marked as busy within the click that plays a legal move, steps or flips. A new game, a
        record and a typed move that is not listed mark it later: wait first until the page shows them.
        """
        expect(self.board.locator("xpath=ancestor::*[@aria-busy]")).to_have_attribute("aria-busy", "false")

    def wait_for_reading(self) -> None:
        """Wait until the workbench shows the findings and the drawing of its text."""
        expect(self.board).not_to_have_class(re.compile(r"\boutdated\b"))

    def name_of(self, piece: str) -> str:
        """What the palette calls a piece; what it does not know is called by its letters."""
        palette = self.service.post("/edit", text=self.shown_text())["palette"]
        return next((str(entry["label"]) for entry in palette if entry["symbol"] == piece), piece)

    def squares(self) -> list[str]:
        found = self.board.locator("[data-square]").evaluate_all("all => all.map(one => one.dataset.square)")
        return [str(name) for name in found]

    def shown_text(self) -> str:
        return self.page.locator("main code").first.inner_text().strip()

    # --- the text ----------------------------------------------------------------------------------------

    @property
    def text(self) -> Locator:
        return self.page.get_by_label("Position text")

    @property
    def underlined(self) -> list[str]:
        """The parts of the text that are marked."""
        return self.page.locator("mark").all_inner_texts()

    @property
    def lit_characters(self) -> Locator:
        return self.page.locator("mark.lit")

    def finding(self, sentence: str) -> Locator:
        return self.page.get_by_role("listitem").filter(has_text=sentence)

    def spoken(self) -> list[str]:
        """What a screen reader was told last."""
        return [str(words) for words in self.page.evaluate(SPOKEN)]

    # --- everything --------------------------------------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def unfold(self, title: str) -> None:
        """Open a section that is closed until it is wanted."""
        self.page.locator("summary", has_text=title).click()

    def choice(self, name: str) -> Locator:
        return self.page.get_by_role("combobox", name=name, exact=True)

    def field(self, name: str) -> Locator:
        return self.page.get_by_role("textbox", name=name, exact=True)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name, exact=True)

    def write(self, where: Locator, words: str) -> None:
        """Type into a field, in place of all that is there, key by key."""
        where.press("ControlOrMeta+A")
        where.press_sequentially(words)

    def paste(self, text: str) -> None:
        """Paste into the field of the text, in place of all that is there."""
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.text.focus()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("ControlOrMeta+V")

    def drop_file(self, where: Locator, content: str, name: str = "file.txt") -> None:
        """Let a file go over a part of the page."""
        carried = self.page.evaluate_handle(FILE_CARRIED, [content, name])
        for event in ("dragover", "drop"):
            where.dispatch_event(event, {"dataTransfer": carried})

    def copy(self, button: Locator) -> str:
        """Press a button that copies, wait until it says `Copied`, and return the text of the clipboard.

        The button says so for only two seconds. The page records it, so a slow machine does not miss it.
        """
        pressed = button.element_handle()
        pressed.evaluate(NOTE_COPIED)
        button.click()
        self.page.wait_for_function("(button) => button.hasCopied", arg=pressed)
        return self.clipboard()

    def clipboard(self) -> str:
        return str(self.page.evaluate("navigator.clipboard.readText()"))
