"""What the page says of a move before it is made and when it cannot be: reasons, scores, reach, the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, WIDE
from tests.browser.desk import Desk
from tests.browser.service import Service

import forsyth

PINNED = "4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1"
GUARDED = "6c4/11/11/11/11/11/11/4g6/11/4F6/11/5C5 r - - 0 9"
AT_SEA = "6c4/11/11/11/11/11/11/1(NFT)9/11/11/11/5C5 r - - 0 9"
STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"
STRIKE = "6c4/11/11/11/6i4/11/6F4/11/11/11/11/5C5 r - - 0 9"
ENDED = (
    "v2/2/e/----|----|----|----|----/-/BYRKW|-----|-----|-----|-----/-|--|---|----|-----/-"
    "/BY---|WB---|-----|-----|-----/-|--|---|----|-----/-/21,33/5/0/0/10,10,10,10,10/7,8,9,9,8"
)
MIDGAME = forsyth.game("azul").names["midgame"]


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def either(
    request: pytest.FixtureRequest, open_context: Callable[..., BrowserContext], service: Service
) -> Desk:
    return Desk(open_context(request.param).new_page(), service)


def said(desk: Desk) -> Any:
    return desk.page.get_by_role("alert")


@pytest.mark.parametrize("way", ["click", "drag", "type"])
def test_a_refused_move_says_why(either: Desk, way: str) -> None:
    either.open_board("/play", game="chess", text=PINNED)
    if way == "click":
        either.click("e3")
        either.wait_for_signs("selected")
        either.click("c4")
    elif way == "drag":
        either.drag("e1", "e2")
        either.wait_for_move("Ke2")
        either.button("Undo").click()
        either.wait_for_answer()
        either.drag("e1", "e4")
    else:
        either.field("Move").fill("Nc4")
        either.field("Move").press("Enter")
    reason = "does not move like that" if way == "drag" else "The knight on e3 is pinned"
    expect(said(either)).to_contain_text(reason)
    if way != "drag":
        assert either.wait_for_signs("lit") == {"e8"}
    assert violations(either.page) == []
    either.board.focus()
    either.page.keyboard.press("Escape")
    expect(said(either)).to_have_count(0)


def test_air_defence_is_named(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=GUARDED)
    desk.drag("e3", "e6")
    expect(said(desk)).to_contain_text("The air defence of the anti-air on e5 stops the air force")
    assert desk.wait_for_signs("lit") == {"e5"}


def test_tiles_that_find_no_room_say_so(either: Desk) -> None:
    either.open_board("/play", game="azul", text=MIDGAME)
    either.drag("f4", "p0l4")
    expect(said(either)).to_contain_text("Row 5 is full.")


def test_an_open_turn_says_why_it_cannot_end_and_can_be_cancelled(either: Desk) -> None:
    either.open_board("/play", game="cotulenh", text=AT_SEA)
    either.field("Move").fill("N>b6")
    either.field("Move").press("Enter")
    either.wait_for_move("N>b6")
    open_turn = either.page.get_by_test_id("unfinished")
    expect(open_turn).to_contain_text(
        "the air force with tank left on b5 cannot stay there because it needs land"
    )
    either.button("Cancel turn").click()
    expect(open_turn).to_have_count(0)
    expect(either.page.get_by_text(AT_SEA, exact=True)).to_be_visible()


def test_what_a_line_would_score_is_shown_while_it_is_chosen(either: Desk) -> None:
    either.open_board("/play", game="azul", text=MIDGAME)
    either.click("f4")
    either.wait_for_signs("target")
    moves = [
        move for move in either.service.match("azul", start=MIDGAME)["moves"] if move["move"].startswith("4B")
    ]
    shown = either.board.locator("[data-badge]").evaluate_all("all => all.map(one => one.dataset.badge)")
    wanted = [f"{move['prospect']['points']:+d}".replace("-", "−").replace("+0", "0") for move in moves]
    assert shown == wanted
    assert either.signs("taken") == {"f4", "f4.1"}


def test_places_have_names_for_who_listens(desk: Desk) -> None:
    desk.open_board("/play", game="azul", text=MIDGAME)
    expect(desk.board).to_have_attribute("aria-label", "Azul, Player 1 to move")
    desk.board.focus()
    for key in ("ArrowDown", "End"):
        desk.page.keyboard.press(key)
    heard = " ".join(desk.spoken())
    assert "Player 2, floor" in heard
    assert "p1f" not in heard
    for word in ("Centre", "Floor", "Player 1 · to move", "Player 2"):
        expect(desk.board.locator("text", has_text=word).first).to_be_attached()


def test_the_end_says_who_won_and_where_the_points_come_from(either: Desk) -> None:
    either.open_board("/play", game="azul", text=ENDED)
    banner = either.page.get_by_role("status").filter(has_text="Player 2 wins: highest score (33).")
    expect(banner).to_be_visible()
    rows = banner.get_by_role("row").all_inner_texts()
    assert [row.split("\t") for row in rows[1:]] == [
        ["Before bonuses", "19", "33"],
        ["Rows, 2 each", "2", "0"],
        ["Columns, 7 each", "0", "0"],
        ["Colours, 10 each", "0", "0"],
        ["Total", "21", "33"],
    ]
    assert violations(either.page) == []


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        ("chess", "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 1", "White wins: checkmate."),
        ("xiangqi", "R2k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1", "Red wins: checkmate."),
        ("cotulenh", "2c8/11/11/11/11/11/11/11/10a/11/10I/6a3(HC) r - - 0 1", "Blue wins: checkmate."),
        ("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2", "Sente wins: checkmate."),
    ],
)
def test_the_winner_is_named_in_every_game(desk: Desk, game: str, text: str, words: str) -> None:
    desk.open_board("/play", game=game, text=text)
    expect(desk.page.get_by_role("status").filter(has_text=words)).to_be_visible()


def test_overlays_are_laid_under_the_pieces(either: Desk) -> None:
    either.open_board("/play", game="cotulenh")
    covers = either.board.locator("[data-cover]")
    expect(covers).to_have_count(0)
    view = either.service.match("cotulenh")
    for overlay in view["overlays"]:
        either.button(overlay["name"]).click()
        covered = either.board.locator(f"[data-cover={overlay['owner']}]")
        expect(covered).to_have_count(len(overlay["cells"]))
    order = either.cell("g3").evaluate(
        """cell => [...cell.children].map((child) => child.dataset.cover || child.dataset.token || "")
            .filter(Boolean)"""
    )
    assert order == ["red", "S"]
    assert violations(either.page) == []
    either.page.reload()
    expect(either.button(view["overlays"][0]["name"])).to_have_attribute("aria-pressed", "true")


def test_the_reach_of_any_piece_is_shown(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh")
    desk.button("Reach of a piece").click()
    desk.click("f9")
    start = desk.service.get("/games/cotulenh")["start"]
    cells = desk.service.post("/reach", text=start, square="f9")["cells"]
    assert len(cells) > 2
    expect(desk.board.locator("[data-cover=reach]")).to_have_count(len(cells))


def test_the_pieces_are_explained(either: Desk, name: str) -> None:
    either.open_board("/play", game=name)
    either.page.get_by_text("Names of the pieces").click()
    palette = either.service.post("/edit", text=either.shown_text(), game=name)["palette"]
    first = [entry["label"] for entry in palette if entry["group"] == palette[0]["group"]]
    expect(either.page.locator(".legend li > span:not(.thumb)")).to_have_text(first)


def test_a_capture_is_asked_about_in_words(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STRIKE)
    desk.drag("g6", "g8")
    which = desk.page.get_by_role("group", name="Which move?")
    expect(which.get_by_role("button").filter(has_text="capture and stay")).to_be_visible()
    expect(
        which.get_by_role("button").filter(has_text="capture and move there: red heroic air force")
    ).to_be_visible()


def test_a_stack_is_chosen_from_pictures_with_words(either: Desk) -> None:
    either.open_board("/play", game="cotulenh", text=STACK)
    either.click("c5")
    which = either.page.get_by_role("group", name="Which piece?")
    for words in ("red navy", "red air force", "red tank", "whole stack"):
        button = which.get_by_role("button", name=words, exact=True)
        expect(button).to_contain_text(words)
        expect(button.locator("svg")).to_have_count(3 if words == "whole stack" else 1)
    assert "(" not in which.inner_text()
