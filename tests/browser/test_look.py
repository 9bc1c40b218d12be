"""The look: quick, steady while one types, whole at every width; and pictures of it for who wants to see.

`FORSYTH_SCREENSHOTS=folder python -m pytest tests/browser/test_look.py` writes a picture of every view, for
every game, wide and narrow, light and dark.
"""

from __future__ import annotations

import itertools
import os
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, Request, expect
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, WIDE
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.browser.views import VIEWS, enliven, show
from tests.polling import wait_until

from forsyth.registry import games

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.documentElement)"
SIZES = {"wide": WIDE, "phone": PHONE}
FINGER = 18
"""Pixels of the smallest cell on a phone; what a finger takes up is larger, see the page's `reflow`."""

NARROW_FINGER = 17
"""The same on a phone of 360 pixels, where the centre of sixteen places and its name stand in one line."""

CELLS = """(root) => [...root.querySelectorAll("[data-square]")].map((cell) => {
    const ground = [...cell.children].find((child) => child.tagName === "rect").getBoundingClientRect();
    return [ground.left, ground.top, ground.right, ground.bottom];
})"""

WATCH = """() => {
    window.took = [];
    const paper = document.querySelector("[role=application]");
    let begun = null;
    addEventListener("pointerup", () => { begun = performance.now(); }, true);
    new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        const drawn = added.some((node) => node.querySelector?.("[data-square]"));
        if (begun === null || !drawn) return;
        const since = begun;
        begun = null;
        requestAnimationFrame(() => window.took.push(performance.now() - since));
    }).observe(paper, { childList: true, subtree: true });
}"""

RECORD_PLACES = """(strip) => {
    window.places = new Set();
    const board = document.querySelector("[role=application]");
    const record = () => {
        const { x, y, width, height } = board.getBoundingClientRect();
        window.places.add([x, y, width, height, strip.getBoundingClientRect().y].join(" "));
        requestAnimationFrame(record);
    };
    record();
}"""
"""Note in every frame where the board and the text are."""

NARROW_AND_HIGH = """(most) => {
    const { width, height } = document.querySelector("[role=application]").getBoundingClientRect();
    return width <= most && height > 600;
}"""


@pytest.mark.parametrize("size", list(SIZES))
@pytest.mark.parametrize(
    "scene", [*itertools.product(VIEWS, games()), ("library", "all"), ("many", "all")], ids="-".join
)
def test_every_view_is_whole_in_all_colours_and_for_everyone(
    open_context: Callable[..., BrowserContext], service: Service, scene: tuple[str, str], size: str
) -> None:
    """Drawn, not wider than the window, and axe finds nothing; in one visit, which is what takes long."""
    folder = os.environ.get("FORSYTH_SCREENSHOTS")
    desk = Desk(open_context(SIZES[size]).new_page(), service)
    show(desk, *scene)
    for theme in THEMES:
        if theme != THEMES[0]:
            repaint(desk, theme, drawn=scene[0] != "many")
        enliven(desk, *scene)
        desk.settle()
        picture = desk.page.screenshot(full_page=bool(folder))
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            Path(folder, f"{'-'.join(scene)}-{size}-{theme}.png").write_bytes(picture)
        assert len(picture) > 15_000
        room, width = desk.page.evaluate(WIDTHS)
        assert width <= room, "the page is wider than the window"
        assert violations(desk.page) == [], theme


def repaint(desk: Desk, theme: Literal["light", "dark"], *, drawn: bool) -> None:
    """Change the colours, and wait for the boards that the service draws anew.

    `drawn` is False for a view without boards.
    """
    if not drawn:
        desk.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(desk.page.locator("html")).to_have_attribute("data-theme", theme)
        return

    def asks_for_board(request: Request) -> bool:
        return f"theme={theme}" in request.url or f'"theme":"{theme}"' in (request.post_data or "")

    unanswered: set[Request] = set()

    def are_drawn() -> bool:
        desk.settle()
        return not unanswered

    desk.page.on("request", lambda request: unanswered.add(request) if asks_for_board(request) else None)
    desk.page.on("requestfinished", lambda request: unanswered.discard(request))
    desk.page.on("requestfailed", lambda request: unanswered.discard(request))
    with desk.page.expect_request_finished(asks_for_board):
        desk.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    wait_until(are_drawn)


@pytest.mark.parametrize("path", ["/", "/play", "/edit"])
def test_a_board_fits_a_phone_and_can_be_touched(
    open_context: Callable[..., BrowserContext], service: Service, name: str, path: str
) -> None:
    """Nothing of it lies beside the screen, no cell is too small for a finger, and none lies upon another."""
    desk = Desk(open_context(PHONE).new_page(), service)
    desk.open_board(path, game=name, text=service.get(f"/games/{name}")["start"])
    desk.settle()
    cells = desk.board.evaluate(CELLS)
    assert all(left >= 0 and right <= PHONE[0] for left, _, right, _ in cells)
    assert min(right - left for left, _, right, _ in cells) >= FINGER
    for one, other in itertools.combinations(cells, 2):
        apart = one[2] <= other[0] + 1 or other[2] <= one[0] + 1
        assert apart or one[3] <= other[1] + 1 or other[3] <= one[1] + 1


@pytest.mark.parametrize("variant", ["2-players", "4-players"])
def test_a_narrow_phone_shows_a_board_of_several_parts_whole(
    open_context: Callable[..., BrowserContext], service: Service, variant: str
) -> None:
    narrow = (360, 780)
    desk = Desk(open_context(narrow).new_page(), service)
    desk.open_board("/play", game="azul", variant=variant)
    desk.settle()
    cells = desk.board.evaluate(CELLS)
    assert all(left >= 0 and right <= narrow[0] for left, _, right, _ in cells)
    sizes = [right - left for left, _, right, _ in cells]
    assert min(sizes) >= NARROW_FINGER
    assert max(sizes) < 2 * min(sizes), "no part is blown up beside the others"


def test_a_board_of_several_parts_follows_the_width(desk: Desk) -> None:
    desk.open_board("/play", game="azul")
    wide = desk.board.evaluate(CELLS)
    desk.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    # Narrow and still this high: the parts stand in lines. A wide board in one line could be as high.
    desk.page.wait_for_function(NARROW_AND_HIGH, arg=PHONE[0])
    desk.settle()
    (move,) = desk.service.line("azul", 1)
    desk.play(move)
    desk.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
    desk.page.wait_for_function(
        "() => document.querySelector('[role=application]').getBoundingClientRect().width > 600"
    )
    assert len(desk.board.evaluate(CELLS)) >= len(wide)


def test_nothing_jumps_while_typing(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=game["start"])
    expect(desk.page.get_by_text("Nothing to correct.")).to_be_visible()
    desk.settle()
    desk.text.evaluate(RECORD_PLACES)
    desk.text.press("ControlOrMeta+End")
    for key in (
        "Backspace",
        "Backspace",
        "x",
        "Home",
        "Delete",
        "Delete",
        "q",
        "ArrowRight",
        "9",
        " ",
        "Delete",
    ):
        desk.page.keyboard.press(key)
        desk.settle()
    said = desk.service.read(desk.text.input_value())["diagnostics"][0]["message"]
    expect(desk.finding(said).first).to_be_visible()
    desk.wait_for_reading()
    desk.settle()
    assert len(desk.page.evaluate("() => [...window.places]")) == 1


def test_a_move_is_answered_by_one_board(desk: Desk, name: str) -> None:
    desk.open_board("/play", game=name)
    desk.page.evaluate(WATCH)
    for move in desk.service.line(name, 5):
        desk.play(move)
    took(desk, f"a move of {name}", 5)


def test_an_example_is_answered_by_one_board(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=game["start"])
    desk.page.evaluate(WATCH)
    texts = [(label, text) for label, text in game["examples"].items() if desk.service.read(text)["position"]]
    known = desk.service.get("/games")["games"]
    count = 0
    for label, text in texts[1:]:
        same = [other["name"] for other in known if label in other["examples"]]
        desk.button(label).nth(same.index(game["name"])).click()
        count += 1
        desk.page.wait_for_function("count => window.took.length >= count", arg=count)
        expect(desk.text).to_have_value(text)
    took(desk, f"an example of {game['name']}", count)


def test_an_edit_is_answered_by_one_board(desk: Desk, game: Any) -> None:
    desk.open_board("/edit", game=game["name"], text=game["start"])
    desk.page.evaluate(WATCH)
    desk.button("Erase").click()
    whole = [cell for cell in desk.squares() if "." not in cell]
    standing = [cell for cell in whole[:40] if desk.cell(cell).locator("use").count()][:5]
    for count, cell in enumerate(standing, 1):
        desk.click(cell)
        desk.page.wait_for_function("count => window.took.length >= count", arg=count)
    took(desk, f"an edit of {game['name']}", len(standing))


def took(desk: Desk, what: str, count: int) -> None:
    """Each action led to one new board; how long it took is printed, for it is the machine's to say."""
    desk.page.wait_for_function("count => window.took.length >= count", arg=count)
    times = [float(time) for time in desk.page.evaluate("window.took")]
    assert len(times) == count
    print(f"{what}: median {statistics.median(times):.0f} ms of {count}, worst {max(times):.0f} ms")


def open_settings(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    desk.button("Settings").click()
    expect(desk.choice("Chess board")).to_be_visible()


def open_legend(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh")
    desk.unfold("Names of the pieces")
    desk.button("Red's air defence").click()


def ask_for_a_promotion(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="8/P7/8/8/8/8/k6K/8 w - - 0 1")
    desk.click("a7")
    desk.wait_for_signs("selected")
    desk.click("a8")
    expect(desk.page.locator(".forsyth-question")).to_be_visible()


def end_a_game(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    desk.write(desk.field("Move"), "Rd8")
    desk.field("Move").press("Enter")
    expect(desk.button("Play again")).to_be_visible()


def end_a_game_of_points(desk: Desk) -> None:
    places = "----|----|----|----|----|----|----|----|----/-"
    empty = "-----|-----|-----|-----|-----/-|--|---|----|-----/-"
    first, second = empty.replace("-----", "BYRKW", 1), empty.replace("-----|-----", "BY---|WB---", 1)
    rest = "21,33,0,0/5/0/0/10,10,10,10,10/7,8,9,9,8"
    desk.open_board("/play", game="azul", text=f"v2/4/e/{places}/{first}/{second}/{empty}/{empty}/{rest}")
    expect(desk.button("Play again")).to_be_visible()


def choose_in_words(desk: Desk) -> None:
    """At the edge of the board, where the choice is wider than the room beside its square."""
    desk.open_board("/play", game="cotulenh", text="6c4/11/11/11/10i/11/10F/11/11/11/11/5C5 r - - 0 9")
    desk.drag("k6", "k8")
    choice = desk.page.locator(".forsyth-question")
    expect(choice).to_contain_text("capture and stay")
    desk.settle()
    place, board = choice.bounding_box(), desk.board.bounding_box()
    assert place is not None and board is not None
    assert board["x"] <= place["x"] + 1 and place["x"] + place["width"] <= board["x"] + board["width"] + 1


def begin_and_share(desk: Desk) -> None:
    desk.open_board("/play", game="azul", variant="4-players")
    desk.button("New game").click()
    desk.button("Share").click()


def save_a_text(desk: Desk) -> None:
    desk.open_board("/", text=desk.service.get("/games/chess")["start"])
    desk.button("Save").click()
    expect(desk.field("Name")).to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    "bring_up",
    [
        open_settings,
        open_legend,
        ask_for_a_promotion,
        choose_in_words,
        end_a_game,
        end_a_game_of_points,
        begin_and_share,
        save_a_text,
    ],
)
def test_what_opens_is_whole_and_for_everyone_too(
    open_context: Callable[..., BrowserContext],
    service: Service,
    bring_up: Callable[[Desk], None],
    theme: Literal["light", "dark"],
) -> None:
    """Panels, choosers and banners, on a phone of 360 pixels, where there is least room."""
    desk = Desk(open_context((360, 780), theme).new_page(), service)
    bring_up(desk)
    desk.settle()
    room, width = desk.page.evaluate(WIDTHS)
    assert width <= room, "the page is wider than the window"
    assert violations(desk.page) == []
