"""The workbench takes anything: broken texts, links, records, many lines, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.browser.desk import Desk
from tests.browser.service import Service

LAPTOP = (1280, 800)
CHESS = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
ENDGAME = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
RECORD = '[Event "Casual"]\n[White "Anna"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 {Good} Nc6 1-0\n'
HATCHED = """root => [...root.querySelectorAll("[data-square]")]
    .filter((cell) => cell.querySelectorAll("use:not([data-token])").length >= 2)
    .map((cell) => cell.dataset.square)"""


def unread(service: Service, game: Any) -> tuple[str, Any]:
    """A broken example of which a part can be drawn, and that drawing."""
    for text in game["examples"].values():
        partial = service.post("/partial", text=text, game=game["name"])["partial"]
        if partial:
            return text, partial
    raise AssertionError("no example is drawn in part")


# --- broken texts ---------------------------------------------------------------------------------------


def test_what_could_be_read_is_drawn_in_full_colour_and_the_rest_hatched(desk: Desk, game: Any) -> None:
    text, partial = unread(desk.service, game)
    desk.open_board("/", text=text)
    expect(desk.page.get_by_text("Hatched squares could not be read")).to_be_visible()
    expect(desk.board.locator(".forsyth-paper")).to_have_css("opacity", "1")
    assert set(partial["unread"]) <= set(desk.board.evaluate(HATCHED))
    standing = [cell for area in partial["scene"]["areas"] for cell in area["cells"] if cell.get("tokens")]
    assert standing and all(desk.cell(cell["id"]).locator("[data-token]").count() for cell in standing[:5])


def test_half_a_text_is_drawn_while_it_is_typed(any_desk: Desk) -> None:
    any_desk.open_board("/", game="chess", text="rnbqkbnr/pppppppp/8/8")
    expect(any_desk.cell("e8").locator("[data-token]")).to_have_count(1)
    assert set(any_desk.board.evaluate(HATCHED)) == {
        f"{file}{rank}" for file in "abcdefgh" for rank in "1234"
    }


def test_a_text_of_which_nothing_could_be_read_is_not_drawn(desk: Desk) -> None:
    desk.open_board("/", text=CHESS)
    desk.text.fill("hello there")
    expect(desk.page.get_by_text("This text cannot be drawn.")).to_be_visible()


# --- above the fold -------------------------------------------------------------------------------------


def test_text_and_actions_are_seen_at_once(
    open_context: Callable[..., BrowserContext], service: Service, game: Any
) -> None:
    desk = Desk(open_context(LAPTOP).new_page(), service)
    desk.open_board("/", text=game["names"]["midgame"], game=game["name"])
    expect(desk.page.get_by_text("Nothing to correct.")).to_be_visible()
    parts = [
        desk.board,
        desk.text,
        *(desk.button(name) for name in ("Flip", "Clear", "Save", "Share", "Open a file")),
    ]
    parts += [desk.link(name) for name in ("Play from here", "Edit", "Compare")]
    for part in parts:
        box = part.last.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= LAPTOP[1]


def test_forms_are_closed_until_they_are_wanted(any_desk: Desk) -> None:
    any_desk.open_board("/", text=CHESS)
    # The page writes this address when it has the forms: before that, an open section shows none either.
    expect(any_desk.page).to_have_url(re.compile("/p/"))
    expect(any_desk.button("Copy Compressed")).to_have_count(0)
    any_desk.page.locator("summary", has_text="Forms").focus()
    any_desk.page.keyboard.press("Enter")
    expect(any_desk.button("Copy Compressed")).to_be_visible()


# --- what is pasted and dropped -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        f"https://lichess.org/editor/{CHESS.replace(' ', '_')}?color=white",
        f"https://lichess.org/analysis/standard/{CHESS.replace(' ', '_')}",
        f"https://www.chess.com/analysis?fen={CHESS.replace(' ', '+')}",
    ],
)
def test_a_link_to_another_board_is_read_without_asking_it(desk: Desk, address: str) -> None:
    desk.open_board()
    desk.paste(address)
    expect(desk.text).to_have_value(CHESS)
    expect(desk.page.get_by_test_id("verdict")).to_have_text("Valid")
    desk.text.press("ControlOrMeta+Z")
    expect(desk.text).not_to_have_value(CHESS)


def test_a_pasted_record_is_played(any_desk: Desk) -> None:
    any_desk.open_board()
    any_desk.paste(RECORD)
    expect(any_desk.page).to_have_url(re.compile("/play#"))
    any_desk.wait_for_move("Nc6")
    expect(any_desk.page.get_by_text("Good")).to_be_visible()


def test_of_several_records_one_is_chosen(desk: Desk) -> None:
    desk.open_board()
    desk.paste(RECORD + "\n" + RECORD.replace("Anna", "Clara").replace("Nc6", "d6"))
    desk.page.get_by_role("button", name=re.compile("Clara – Ben")).click()
    desk.wait_for_move("d6")


def test_many_lines_are_read_together(any_desk: Desk) -> None:
    any_desk.open_board()
    any_desk.paste(f"{CHESS}\n{ENDGAME}\n\nnothing\n")
    expect(any_desk.page).to_have_url(re.compile("/many$"))
    expect(any_desk.page.get_by_test_id("many-words")).to_have_text("3 texts, 2 valid, 1 invalid.")


def test_a_text_that_was_broken_into_lines_is_one(desk: Desk) -> None:
    desk.open_board()
    desk.paste(CHESS.replace(" KQkq", "\nKQkq"))
    expect(desk.text).to_have_value(CHESS)


def test_a_part_is_pasted_into_the_text(desk: Desk) -> None:
    desk.open_board("/", text=CHESS)
    desk.page.evaluate("navigator.clipboard.writeText(' 7')")
    desk.text.press("ControlOrMeta+End")
    desk.page.keyboard.press("ControlOrMeta+V")
    expect(desk.text).to_have_value(f"{CHESS} 7")


def test_a_file_goes_where_it_belongs(desk: Desk) -> None:
    desk.open_board()
    desk.drop_file(desk.page.locator(".workbench"), f"{ENDGAME}\n")
    expect(desk.text).to_have_value(ENDGAME)
    # The workbench writes its address when it has read the text. The view changes after that.
    expect(desk.page).to_have_url(re.compile("/p/"))
    desk.drop_file(desk.page.locator(".workbench"), "")
    expect(desk.page.get_by_text("This file is empty.")).to_be_visible()
    desk.drop_file(desk.page.locator(".workbench"), RECORD, "game.pgn")
    desk.wait_for_move("Nc6")


def test_a_file_is_opened_without_a_mouse(any_desk: Desk) -> None:
    # The chooser is awaited before the page is opened: the browser is told to hand it over beside what
    # follows, and a key pressed at once may come first.
    with any_desk.page.expect_file_chooser() as chooser:
        any_desk.open_board()
        any_desk.button("Open a file").focus()
        any_desk.page.keyboard.press("Enter")
    content = f"{CHESS}\n{ENDGAME}\n".encode()
    chooser.value.set_files({"name": "texts.txt", "mimeType": "text/plain", "buffer": content})
    expect(any_desk.page.get_by_test_id("many-words")).to_have_text("2 texts, 2 valid, 0 invalid.")
