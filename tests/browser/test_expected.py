"""Play as people expect it: fingers, typed moves, castling, drops, arrows, keys, sounds and settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from tests.browser.conftest import PHONE
from tests.browser.desk import Desk
from tests.browser.service import Service

STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
POCKETS = "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3"

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(done))"

ATTEMPTS = 20
"""How often a finger is put down at most."""


class Finger:
    """A finger on the screen: what the browser makes of it is its own affair."""

    def __init__(self, page: Page) -> None:
        self._browser = page.context.new_cdp_session(page)
        self._page = page

    def _send(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], *, until: Locator | None = None
    ) -> None:
        """Put the finger down, wait for something if asked to, and draw it over the screen.

        A finger that rests before it moves draws an arrow. Without `until` only a busy machine makes it rest.
        Then it is taken away and put down again.
        """
        for _ in range(ATTEMPTS):
            self._send("touchStart", start)
            if until is not None:
                expect(until).to_be_attached()
            for part in (0.2, 0.4, 0.6, 0.8, 1.0):
                self._send(
                    "touchMove",
                    (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part),
                )
                self._page.evaluate(NEXT_FRAME)
            if until is not None or not self._page.locator(".aimed [data-annotation]").count():
                self._send("touchEnd")
                return
            self._send("touchCancel")
        raise AssertionError(f"the finger rested {ATTEMPTS} times before it moved")


@pytest.fixture
def phone(open_context: Callable[..., BrowserContext], service: Service) -> Desk:
    return Desk(open_context(PHONE).new_page(), service)


def ends(desk: Desk, start: str, end: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middles of two cells that are both on the screen."""
    desk.centre(end)
    return desk.centre(start), desk.board.evaluate(
        """(root, name) => {
            const ground = root.querySelector(`[data-square="${name}"] rect`).getBoundingClientRect();
            return [ground.x + ground.width / 2, ground.y + ground.height / 2];
        }""",
        end,
    )


def test_a_finger_drags_a_piece(phone: Desk, name: str) -> None:
    """Also out of a factory, and although a finger that moves upwards scrolls elsewhere."""
    phone.open_board("/play", game=name)
    moves = phone.service.match(name)["moves"]
    plain = [move for move in moves if move["from"] and move["to"]]
    move = min(plain, key=lambda one: distance(phone, one))
    phone.centre(move["from"])
    start, end = ends(phone, move["from"], move["to"])
    before = phone.page.evaluate("scrollY")
    Finger(phone.page).drag(start, end)
    expect(phone.page.locator("[aria-current=step]")).to_be_visible()
    assert phone.page.evaluate("scrollY") == before
    played = phone.page.locator("[aria-current=step]").inner_text()
    assert played in {one["move"] for one in moves if (one["from"], one["to"]) == (move["from"], move["to"])}


def distance(desk: Desk, move: Any) -> float:
    start, end = ends(desk, move["from"], move["to"])
    return abs(start[0] - end[0]) + abs(start[1] - end[1])


def test_a_finger_drags_a_piece_out_of_a_stack(phone: Desk) -> None:
    phone.open_board("/play", game="cotulenh", text=STACK)
    tank = phone.cell("c5").locator("[data-token=T]").bounding_box()
    assert tank is not None
    start = (tank["x"] + tank["width"] * 0.7, tank["y"] + tank["height"] * 0.6)
    Finger(phone.page).drag(start, phone.centre("d5"))
    phone.wait_for_move("T>d5")


def test_a_finger_beside_the_pieces_scrolls(phone: Desk) -> None:
    phone.open_board("/play", game="azul")
    start = phone.centre("p0l4")
    before = phone.page.evaluate("scrollY")
    Finger(phone.page).drag(start, (start[0], start[1] - 120))
    phone.page.wait_for_function("before => scrollY !== before", arg=before)


def test_a_move_is_typed(desk: Desk, name: str) -> None:
    desk.open_board("/play", game=name)
    first = desk.service.match(name)["moves"][0]
    for text in (first["lan"].lower(), "nonsense"):
        desk.write(desk.field("Move"), text)
        desk.field("Move").press("Enter")
        if text != "nonsense":
            desk.wait_for_move(first)
    expect(desk.page.get_by_role("alert")).to_contain_text("nonsense")
    desk.wait_for_move(first)
    expect(desk.field("Move")).to_have_value("")


@pytest.mark.parametrize("way", ["drag", "click"])
def test_a_king_takes_its_rook_to_castle(desk: Desk, way: str) -> None:
    desk.open_board("/play", game="chess", text=CASTLING)
    if way == "drag":
        desk.drag("e1", "h1")
    else:
        desk.click("e1")
        desk.wait_for_signs("selected")
        desk.click("h1")
    desk.wait_for_move("O-O")


def test_another_own_man_is_still_selected_by_a_click(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text=CASTLING)
    desk.click("a1")
    assert desk.wait_for_signs("selected") == {"a1"}
    with desk.page.expect_response("**/api/v1/move") as asked:
        desk.click("e1")
        expect(desk.board.locator("[data-square=e1] [data-sign~=selected]")).to_be_attached()
    asked.value.finished()
    desk.settle()
    assert desk.signs("selected") == {"e1"}


@pytest.mark.parametrize("way", ["drag", "click"])
def test_a_man_is_dropped_from_a_pocket(desk: Desk, way: str) -> None:
    desk.open_board("/play", game="chess", text=POCKETS, variant="crazyhouse")
    if way == "drag":
        desk.drag("P@", "e4")
    else:
        desk.click("P@")
        assert "e4" in desk.wait_for_signs("target")
        desk.click("e4")
    desk.wait_for_move("@e4")


def test_arrows_and_circles_are_drawn_with_the_right_button(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    drawn = desk.board.locator("[data-annotation]")
    point(desk, "e2", "e4")
    point(desk, "d5", "d5")
    expect(drawn).to_have_count(2)
    point(desk, "e2", "e4")
    expect(drawn).to_have_count(1)
    expect(drawn).to_have_attribute("data-annotation", "d5")
    desk.click("a5")
    expect(drawn).to_have_count(0)
    expect(desk.page.get_by_text("No moves yet.")).to_be_visible()


def test_an_arrow_is_seen_while_it_is_drawn(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    aimed = desk.board.locator(".aimed [data-annotation]")
    desk.page.mouse.move(*desk.centre("e2"))
    desk.page.mouse.down(button="right")
    desk.page.mouse.move(*desk.centre("e3"), steps=3)
    expect(aimed).to_have_attribute("data-annotation", "e2 e3")
    desk.page.mouse.move(*desk.centre("e4"), steps=3)
    expect(aimed).to_have_attribute("data-annotation", "e2 e4")
    desk.page.mouse.up(button="right")
    expect(aimed).to_have_count(0)
    expect(desk.board.locator("[data-annotation]")).to_have_attribute("data-annotation", "e2 e4")


def point(desk: Desk, start: str, end: str) -> None:
    desk.page.mouse.move(*desk.centre(start))
    desk.page.mouse.down(button="right")
    desk.page.mouse.move(*desk.centre(end), steps=3)
    desk.page.mouse.up(button="right")


def test_a_long_press_draws(phone: Desk) -> None:
    phone.open_board("/play", game="chess")
    start, end = ends(phone, "e2", "e4")
    Finger(phone.page).drag(start, end, until=phone.board.locator(".aimed [data-annotation='e2']"))
    expect(phone.board.locator("[data-annotation='e2 e4']")).to_be_attached()
    expect(phone.page.get_by_text("No moves yet.")).to_be_visible()


def test_arrows_and_circles_are_drawn_by_keys(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    desk.board.focus()
    for key in ("ArrowRight", "c", "a", "ArrowRight", "a"):
        desk.page.keyboard.press(key)
    expect(desk.board.locator("[data-annotation='a8']")).to_be_attached()
    expect(desk.board.locator("[data-annotation='a8 b8']")).to_be_attached()
    desk.page.keyboard.press("Escape")
    expect(desk.board.locator("[data-annotation]")).to_have_count(0)


def test_arrow_keys_step_after_a_click_on_the_board(desk: Desk) -> None:
    moves = desk.service.line("chess", 2)
    desk.open_board("/play", game="chess")
    for move in moves:
        desk.play(move)
    desk.page.keyboard.press("ArrowLeft")
    desk.wait_for_move(moves[0])
    desk.page.keyboard.press("ArrowRight")
    desk.wait_for_move(moves[1])


def test_what_was_captured_is_shown(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    for move in ("e4", "d5", "exd5"):
        desk.field("Move").fill(move)
        desk.field("Move").press("Enter")
        desk.wait_for_move(move)
    expect(desk.page.get_by_role("img", name="Captured: black pawn")).to_be_visible()


def test_the_last_move_is_shown_on_the_board(desk: Desk, name: str) -> None:
    (move,) = desk.service.line(name, 1)
    desk.open_board("/play", game=name)
    desk.play(move)
    expect(desk.cell(move["to"])).to_have_attribute("data-mark", "last")


def test_a_stack_is_chosen_as_a_whole(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    desk.click("c5")
    which = desk.page.get_by_role("group", name="Which piece?")
    expect(which.get_by_role("button", name="whole stack")).to_be_visible()
    expect(which).not_to_contain_text("(NFT)")
    which.get_by_role("button", name="whole stack").click()
    desk.click("c7")
    desk.wait_for_move("(NFT)c7")


def test_the_selection_lies_under_the_piece(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    desk.click("c5")
    desk.wait_for_signs("selected")
    order = desk.cell("c5").evaluate(
        """cell => [...cell.children].flatMap((child) =>
            child.dataset.sign ? "sign" : child.dataset.token ? "token" : [])"""
    )
    assert order == ["sign", "token", "token", "token"]


def test_all_tiles_that_would_be_taken_are_outlined(desk: Desk) -> None:
    start = desk.service.get("/games/azul")["start"]
    text = start.replace("BYRK", "BBRK", 1) if "BYRK" in start else start
    desk.open_board("/play", game="azul", text=text)
    factories = desk.shown_text().split("/")[0].split("|")
    assert factories[0].count("B") == 2
    desk.click("f0")
    assert desk.wait_for_signs("taken") == {"f0", "f0.1"}


# --- settings ---------------------------------------------------------------------------------------------


def test_settings_are_kept(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    labels = desk.board.locator("[data-labels]").first
    expect(labels).to_be_visible()
    desk.button("Settings").click()
    desk.page.get_by_label("Coordinates").uncheck()
    expect(labels).to_be_hidden()
    expect(desk.page.get_by_label("Sounds")).not_to_be_checked()
    desk.page.reload()
    expect(desk.cell("a1")).to_be_attached()
    expect(labels).to_be_hidden()
    desk.button("Settings").click()
    expect(desk.page.get_by_label("Coordinates")).not_to_be_checked()
    desk.page.keyboard.press("Escape")
    expect(desk.page.get_by_label("Coordinates")).to_have_count(0)


@pytest.mark.parametrize("view", ["/", "/play", "/edit"])
def test_men_are_drawn_as_the_visitor_likes(desk: Desk, view: str) -> None:
    game = desk.service.get("/games/xiangqi")
    desk.open_board(view, game="xiangqi", text=game["start"])
    # Their ids differ from drawing to drawing. The marks on the cells change before the next drawing comes.
    before = desk.board.locator("defs").first.inner_html()
    desk.button("Settings").click()
    desk.choice("Xiangqi pieces").select_option(game["looks"][-1])
    desk.page.wait_for_function(
        "before => document.querySelector('[role=application] defs').innerHTML !== before", arg=before
    )
    wanted = desk.service.post("/read", text=game["start"], game="xiangqi", look=game["looks"][-1])
    strokes = desk.board.locator("defs path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert strokes
    assert [path for path in strokes if path not in wanted["position"]["svg"]] == []


def test_every_game_has_sets_of_pieces_and_boards(desk: Desk, game: Any) -> None:
    """Three of each at least; each is drawn, and what was chosen is kept."""
    desk.open_board("/play", game=game["name"])
    desk.button("Settings").click()
    for what, key in (("pieces", "looks"), ("board", "boards")):
        assert len(game[key]) >= 3
        choice = desk.choice(f"{game['title']} {what}")
        for name in [*game[key][1:], game[key][0], game[key][-1]]:
            with desk.page.expect_response(lambda answer: answer.url.endswith("/match")) as asked:
                choice.select_option(name)
            assert asked.value.ok
    wanted = desk.service.post(
        "/match", game=game["name"], look=game["looks"][-1], board=game["boards"][-1], moves=[], theme="light"
    )
    desk.page.reload()
    expect(desk.cell(desk.service.match(game["name"])["moves"][0]["to"])).to_be_attached()
    strokes = desk.board.locator("defs path").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert strokes and [path for path in strokes if path not in wanted["svg"]] == []
    desk.button("Settings").click()
    expect(desk.choice(f"{game['title']} board")).to_have_value(game["boards"][-1])


def test_pieces_glide_unless_less_motion_is_wanted(
    open_context: Callable[..., BrowserContext], service: Service
) -> None:
    desk = Desk(open_context().new_page(), service)
    (move,) = service.line("chess", 1)
    for motion, glides in (("reduce", 0), ("no-preference", 1)):
        desk.page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        desk.open_board("/play", game="chess", text=service.get("/games/chess")["start"])
        desk.page.evaluate(
            """() => {
                window.glides = 0;
                const own = Element.prototype.animate;
                Element.prototype.animate = function (...given) {
                    window.glides += 1;
                    return own.apply(this, given);
                };
            }"""
        )
        desk.play(move)
        expect(
            desk.page.get_by_text(service.match("chess", move["move"])["canonical"], exact=True)
        ).to_be_visible()
        desk.settle()
        assert desk.page.evaluate("window.glides") == glides


def test_check_and_mate_are_shown_on_the_board(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1")
    desk.drag("d1", "d8")
    expect(desk.cell("g8").locator("[data-sign~=check]")).to_be_attached()
    expect(desk.page.get_by_role("status").filter(has_text="White wins: checkmate.")).to_be_visible()
    desk.button("Undo").click()
    expect(desk.board.locator("[data-sign~=check]")).to_have_count(0)
