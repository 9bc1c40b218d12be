"""The tree of moves in Play: glyphs, comments, order and deletions, by pointer and by keys, and kept."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from tests.browser.axe import violations
from tests.browser.conftest import PHONE, WIDE
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.browser.test_play import STACK, deploy

RECORD = (
    '[White "Anna"]\n[Black "Ben"]\n\n1. e4 {[%clk 0:03:00] Best} (1. d4 d5 (1... Nf6 {Indian}) 2. c4) '
    "1... e5 2. Nf3 (2. f4 exf4) (2. Bc4) 2... Nc6 *\n"
)

IN_SIGHT = """(list) => {
    const [around, place] = [list, list.querySelector("[aria-current=step]")].map((part) =>
        part.getBoundingClientRect());
    return around.top <= place.top && place.bottom <= around.bottom;
}"""
"""True if the move on the board is in the visible part of the list."""


@pytest.fixture(params=[WIDE, PHONE], ids=["desktop", "phone"])
def desk(
    request: pytest.FixtureRequest, open_context: Callable[..., BrowserContext], service: Service
) -> Desk:
    """A visitor on a desktop, and one on a phone."""
    return Desk(open_context(size=request.param).new_page(), service)


def take_record(desk: Desk, record: str = RECORD) -> None:
    desk.open_board("/play", game="chess")
    desk.button("Import").click()
    desk.field("Record").fill(record)
    desk.button("Read").click()
    desk.wait_for_move("Nc6")


def moves(desk: Desk) -> Locator:
    return desk.page.get_by_role("list", name="Moves")


def go(desk: Desk, move: str) -> None:
    moves(desk).get_by_role("button", name=move, exact=True).click()
    desk.wait_for_move(move)


def expect_export(desk: Desk, words: str) -> None:
    if not desk.field("Record").count():
        desk.button("Export").click()
    expect(desk.field("Record")).to_have_value(words_in(words))


def words_in(words: str) -> re.Pattern[str]:
    """A pattern of these words, wherever the lines are broken."""
    return re.compile(r"\s+".join(map(re.escape, words.split())))


def test_a_glyph_is_chosen_changed_and_taken_away(desk: Desk) -> None:
    take_record(desk)
    go(desk, "Nf3")
    desk.button("Good move").click()
    expect(moves(desk).get_by_role("button", name="Nf3!, good move")).to_have_text("Nf3!")
    expect(desk.button("Good move")).to_have_attribute("aria-pressed", "true")
    desk.button("Blunder").click()
    desk.wait_for_move("Nf3??")
    expect_export(desk, "2. Nf3 $4 (2. f4 exf4)")
    desk.page.reload()
    desk.wait_for_move("Nf3??")
    desk.button("Blunder").click()
    desk.wait_for_move("Nf3")


def test_a_comment_is_written_in_its_place(desk: Desk) -> None:
    take_record(desk)
    go(desk, "c4")
    desk.button("Comment").click()
    field = desk.field("Comment after c4")
    expect(field).to_be_focused()
    field.fill("Queen's {gambit}")
    field.press("Enter")
    comment = moves(desk).get_by_role("button", name="Comment after c4: Queen's {gambit}")
    expect(comment).to_have_text("Queen's {gambit}")
    expect(desk.page.locator("[aria-current=step]")).to_be_focused()
    comment.click()
    field.fill("no")
    field.press("Escape")
    expect(comment).to_be_visible()
    comment.click()
    field.fill("Queen's gambit")
    go(desk, "d5")
    expect_export(desk, "(1. d4 d5 (1... Nf6 {Indian}) 2. c4 {Queen's gambit})")
    desk.page.reload()
    expect(moves(desk).get_by_text("Queen's gambit")).to_be_visible()


def test_an_edited_comment_keeps_its_clock_and_an_emptied_one_goes(desk: Desk) -> None:
    take_record(desk)
    moves(desk).get_by_role("button", name="Comment after e4: Best").click()
    desk.field("Comment after e4").fill("Better")
    desk.field("Comment after e4").press("Enter")
    expect(moves(desk).get_by_text("Better", exact=True)).to_be_visible()
    moves(desk).get_by_role("button", name="Comment after Nf6: Indian").click()
    desk.field("Comment after Nf6").fill("")
    desk.field("Comment after Nf6").press("Enter")
    expect(moves(desk).get_by_text("Indian")).to_have_count(0)
    expect_export(desk, "1. e4 {[%clk 0:03:00] Better} (1. d4 d5 (1... Nf6) 2. c4)")


def test_a_comment_before_all_moves(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    desk.button("Comment").click()
    desk.field("Comment on the game").fill("To be played")
    desk.field("Comment on the game").press("Enter")
    expect(desk.page.get_by_text("To be played")).to_be_visible()
    desk.field("Move").fill("e4")
    desk.field("Move").press("Enter")
    desk.wait_for_move("e4")
    desk.button("To the start").click()
    desk.button("Comment").click()
    desk.field("Comment before e4").fill("Off they go")
    desk.field("Comment before e4").press("Enter")
    expect_export(desk, "{To be played} {Off they go} 1. e4 *")


def test_a_variation_is_promoted(desk: Desk) -> None:
    take_record(desk)
    expect(desk.button("Promote")).to_be_disabled()
    go(desk, "Bc4")
    desk.button("Promote").click()
    expect_export(desk, "2. Nf3 (2. Bc4) (2. f4 exf4) 2... Nc6 *")
    desk.button("Promote").click()
    expect_export(desk, "2. Bc4 (2. Nf3 Nc6) (2. f4 exf4) *")
    expect(desk.button("Promote")).to_be_disabled()
    desk.wait_for_move("Bc4")
    text = desk.service.match("chess", "e4", "e5", "Bc4")["canonical"]
    expect(desk.page.get_by_text(text, exact=True)).to_be_visible()


def test_a_deletion_is_taken_back_byte_for_byte(desk: Desk) -> None:
    take_record(desk)
    desk.button("Export").click()
    expect(desk.field("Record")).to_have_value(RECORD)
    go(desk, "d4")
    desk.button("Delete").click()
    expect(desk.page.get_by_text("1. d4 and 3 moves after it deleted.").first).to_be_visible()
    expect(desk.page.locator("[aria-current=step]")).to_have_count(0)
    expect_export(desk, "1. e4 {[%clk 0:03:00] Best} 1... e5")
    go(desk, "Nf3")
    desk.button("Undo delete").click()
    desk.wait_for_move("d4")
    expect(desk.field("Record")).to_have_value(RECORD)
    expect(desk.button("Undo delete")).to_have_count(0)
    go(desk, "exf4")
    desk.button("Delete").click()
    desk.wait_for_move("f4")
    desk.button("Mistake").click()
    expect(desk.button("Undo delete")).to_have_count(0)


def test_the_tree_by_keys_alone(desk: Desk) -> None:
    take_record(desk)
    page = desk.page
    go(desk, "Nf3")
    expect(moves(desk).locator("button.move[tabindex='0']")).to_have_text("Nf3")
    page.keyboard.press("ArrowDown")
    desk.wait_for_move("f4")
    expect(page.locator("[aria-current=step]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    desk.wait_for_move("Bc4")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    desk.wait_for_move("exf4")
    expect(page.locator("[aria-current=step]")).to_be_focused()
    desk.button("Interesting move").focus()
    page.keyboard.press("Enter")
    desk.wait_for_move("exf4!?")
    assert "Interesting move." in desk.spoken()
    desk.button("Comment").focus()
    page.keyboard.press("Enter")
    expect(desk.field("Comment after exf4!?")).to_be_focused()
    page.keyboard.type("Taken")
    page.keyboard.press("Enter")
    expect(page.locator("[aria-current=step]")).to_be_focused()
    expect_export(desk, "(2. f4 exf4 $5 {Taken})")


def test_numbers_are_right_from_any_start(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="4k3/8/8/8/8/8/4P3/4K3 b - - 0 34")
    for move in ("Kd7", "e4", "Kd6"):
        desk.field("Move").fill(move)
        desk.field("Move").press("Enter")
        desk.wait_for_move(move)
    expect(moves(desk).locator(".move-number")).to_have_text(["34…", "35."])
    expect(desk.page.get_by_role("group", name="Annotate 35… Kd6")).to_be_visible()


def test_a_move_stands_in_its_row_before_the_service_has_answered(desk: Desk) -> None:
    desk.open_board("/play", game="chess")
    desk.field("Move").fill("e4")
    desk.field("Move").press("Enter")
    desk.wait_for_move("e4")
    with desk.held("match"):
        desk.field("Move").fill("e5")
        desk.field("Move").press("Enter")
        expect(desk.page.locator("[aria-current=step]")).to_have_text("e5")
        expect(moves(desk).get_by_role("listitem")).to_have_text(["1.e4e5"])
    desk.wait_for_move("e5")
    expect(moves(desk).get_by_role("listitem")).to_have_text(["1.e4e5"])


def test_a_turn_of_several_steps_is_one_entry(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    deploy(desk, "F>e5", "T>c4")
    turn = moves(desk).get_by_role("group", name="Turn of 2 steps")
    expect(turn.get_by_role("button")).to_have_text(["F>e5", "T>c4"])
    expect(moves(desk).get_by_role("listitem")).to_have_count(1)
    desk.page.reload()
    expect(turn.get_by_role("button")).to_have_text(["F>e5", "T>c4"])


def test_a_deal_is_one_quiet_line(desk: Desk) -> None:
    played: list[str] = []
    while (view := desk.service.match("azul", *played))["moves"]:
        played.append(view["moves"][0]["move"])
    for action in ("tile", "deal"):
        view = desk.service.match("azul", *played, action)
        played = [ply["move"] for ply in view["history"]]
    record = desk.service.match("azul", *played)["record"]
    desk.open_board("/play", game="azul")
    desk.button("Import").click()
    desk.field("Record").fill(record)
    desk.button("Read").click()
    desk.wait_for_move("deal")
    quiet = moves(desk).locator(".quiet-line")
    expect(quiet).to_have_text(["tile", "2.deal"])
    desk.page.wait_for_function(IN_SIGHT, arg=moves(desk).element_handle())
    first = desk.service.match("azul", *played)["moves"][0]
    desk.play(first)
    expect(moves(desk).get_by_role("listitem").last).to_contain_text(first["move"])
    expect(quiet).to_have_count(2)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desktop", "phone"])
def test_everybody_can_use_the_tree(
    open_context: Callable[..., BrowserContext], service: Service, size: tuple[int, int], theme: str
) -> None:
    one = Desk(open_context(size=size, theme=theme).new_page(), service)
    take_record(one)
    go(one, "d5")
    one.button("Good move").click()
    one.button("Comment").click()
    expect(one.field("Comment after d5!")).to_be_focused()
    assert violations(one.page) == []
    width = one.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
