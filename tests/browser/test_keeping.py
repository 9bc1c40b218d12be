"""Nothing is lost: a game survives whatever happens to its page, and records come back as they went in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect
from tests.browser.conftest import PHONE
from tests.browser.desk import Desk
from tests.browser.service import Service

ANNOTATED = (
    '[Event "A \\"game\\""]\r\n[White "Anna"]\r\n[Black "Ben"]\r\n[Result "1-0"]\r\n[ECO "C20"]\r\n\r\n'
    "{Before all}   1.e4! {Best} (1. d4 d5 (1... Nf6!? {Indian} 2. c4) 2. c4)\r\n1... e5 2. Nf3   1-0\r\n\r\n"
)
SECOND = '[White "Chloe"]\r\n[Black "Dan"]\r\n\r\n1. c4 c5 *\r\n'


def play_all(desk: Desk, name: str, moves: list[Any]) -> None:
    desk.open_board("/play", game=name)
    for move in moves:
        desk.play(move)


def shown(desk: Desk, name: str, moves: list[Any]) -> None:
    """The position after these moves is on the board."""
    text = desk.service.match(name, *(move["move"] for move in moves))["canonical"]
    expect(desk.page.get_by_text(text, exact=True)).to_be_visible()


def address_of(desk: Desk) -> str:
    """Return the address as the page has it now. `page.url` follows a moment later."""
    return str(desk.page.evaluate("location.href"))


def open_tab_beside(desk: Desk) -> Desk:
    """Open another tab of the same visitor, and wait until it finds everything that the first tab has kept.

    A browser hands the entries of one tab to the other tabs a moment later.
    """
    kept = desk.page.evaluate("() => Object.keys(localStorage)")
    other = Desk(desk.page.context.new_page(), desk.service)
    other.open("/many")
    other.page.wait_for_function("kept => kept.every((key) => localStorage.getItem(key) !== null)", arg=kept)
    return other


def other_move(service: Service, name: str, moves: list[Any]) -> Any:
    """A move that two clicks say, and that is not the next of the line."""
    found = service.match(name, *(move["move"] for move in moves[:-1]))["moves"]
    ends = [(one["from"], one["to"], one["piece"]) for one in found]
    return next(
        one
        for one, end in zip(reversed(found), reversed(ends), strict=True)
        if one["from"]
        and one["to"]
        and ends.count(end) == 1
        and (one["from"], one["to"]) != (moves[-1]["from"], moves[-1]["to"])
        and one["move"] != moves[-1]["move"]
    )


def test_an_address_holds_the_whole_game(
    open_context: Callable[..., BrowserContext], service: Service, name: str
) -> None:
    """Moves, another line and the position that is looked at, for a visitor whose browser knows nothing."""
    desk = Desk(open_context().new_page(), service)
    moves = service.line(name, 3)
    play_all(desk, name, moves)
    desk.button("One back").click()
    shown(desk, name, moves[:2])
    other = other_move(service, name, moves)
    desk.play(other)
    desk.button("One back").click()
    shown(desk, name, moves[:2])
    address = address_of(desk)
    assert "#" in address and "?" not in address

    guest = Desk(open_context().new_page(), service)
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    guest.page.goto(address)
    shown(guest, name, moves[:2])
    for move in (*moves, other):
        expect(guest.button(move["move"]).first).to_be_visible()
    guest.button(other["move"]).last.click()
    shown(guest, name, [*moves[:2], other])
    assert not any("#" in url for url in asked)


def test_a_new_tab_and_a_reload_find_the_game(
    open_context: Callable[..., BrowserContext], service: Service
) -> None:
    service.empty_library()
    desk = Desk(open_context().new_page(), service)
    moves = service.line("chess", 2)
    play_all(desk, "chess", moves)
    desk.button("One back").click()
    shown(desk, "chess", moves[:1])
    desk.page.reload()
    shown(desk, "chess", moves[:1])
    desk.link("Library").click()
    # The library writes its address when it is loaded. `go_back` comes after that.
    expect(desk.page.get_by_text("0 positions", exact=True)).to_be_visible()
    desk.settle()
    desk.page.go_back()
    shown(desk, "chess", moves[:1])
    again = open_tab_beside(desk)
    again.open_board("/play")
    shown(again, "chess", moves[:1])


def test_a_long_game_is_kept_by_the_browser(
    open_context: Callable[..., BrowserContext], service: Service
) -> None:
    """Its address is short; two tabs that go on with it do not write over each other."""
    desk = Desk(open_context().new_page(), service)
    knights = ("Nf3", "Nf6", "Ng1", "Ng8")
    text = "1. e4 e5 " + "".join(f"{{{'word ' * 80}}} {move} " for move in knights) + "*"
    desk.open_board("/play", game="chess")
    read_record(desk, text)
    expect(desk.page.locator("[aria-current=step]")).to_have_text("Ng8")
    # The short address of the empty game before has a dot in it.
    expect(desk.page).to_have_url(re.compile("#[a-z0-9]{1,39}$"))
    first_address = address_of(desk)
    second = open_tab_beside(desk)
    second.page.goto(first_address)
    second.wait_for_move("Ng8")
    typed(desk, "d4")
    # A browser hands what one tab keeps to the others a moment later.
    second.page.wait_for_function("() => Object.values(localStorage).some((kept) => kept.includes('\"d4\"'))")
    typed(second, "c4")
    for page, move in ((desk.page, "d4"), (second.page, "c4")):
        page.reload()
        expect(page.locator("[aria-current=step]")).to_have_text(move)
    assert address_of(second) != first_address


def typed(desk: Desk, move: str) -> None:
    desk.field("Move").fill(move)
    desk.field("Move").press("Enter")
    desk.wait_for_move(move)


def test_a_new_game_puts_none_out_of_reach(desk: Desk) -> None:
    moves = desk.service.line("chess", 2)
    play_all(desk, "chess", moves)
    entries = desk.page.evaluate("history.length")
    desk.button("New game").click()
    desk.button("Begin").click()
    expect(desk.page.get_by_text("No moves yet.")).to_be_visible()
    shown(desk, "chess", [])
    # The page adds the new game to the history after it has drawn it.
    desk.page.wait_for_function("entries => history.length > entries", arg=entries)
    desk.page.go_back()
    shown(desk, "chess", moves)
    desk.page.go_forward()
    expect(desk.page.get_by_text("No moves yet.")).to_be_visible()
    desk.button("Earlier games").click()
    desk.page.get_by_role("listitem").filter(has_text=moves[0]["move"]).get_by_role("button").click()
    shown(desk, "chess", moves)


def test_four_quick_moves_are_four_moves(desk: Desk, name: str) -> None:
    """What is done while the service is asked is done when it has answered."""
    desk.open_board("/play", game=name)
    moves = desk.service.line(name, 4)
    with desk.held("match"):
        for number, move in enumerate(moves):
            if number % 2:
                desk.drag(move["from"], move["to"])
            else:
                desk.click(move["from"])
                desk.click(move["to"])
    shown(desk, name, moves)


# --- records ----------------------------------------------------------------------------------------------


def read_record(desk: Desk, text: str) -> None:
    desk.button("Import").click()
    desk.page.get_by_label("Record").fill(text)
    desk.button("Read").click()


def read_file(desk: Desk, file: Path, text: str) -> None:
    """Read a record from a file, line ends and all: a field has its own."""
    file.write_bytes(text.encode())
    desk.button("Import").click()
    desk.page.get_by_label("or a file").set_input_files(file)
    desk.button("Read").click()


def test_a_record_comes_back_byte_for_byte(desk: Desk, tmp_path: Path) -> None:
    desk.open_board("/play", game="chess")
    read_file(desk, tmp_path / "game.pgn", ANNOTATED)
    expect(desk.page.locator("[aria-current=step]")).to_have_text("Nf3")
    expect(desk.page.get_by_test_id("opponents")).to_have_text("Anna – Ben")
    for words in ("Before all", "Best", "Indian"):
        expect(desk.page.get_by_role("list").get_by_text(words)).to_be_visible()
    for move in ("e4!, good move", "d4", "Nf6!?, interesting move"):
        expect(desk.button(move)).to_be_visible()
    desk.button("Export").click()
    assert saved(desk.page, "Save as file") == ANNOTATED.encode()


def test_a_record_that_was_changed_keeps_the_rest(desk: Desk, tmp_path: Path) -> None:
    desk.open_board("/play", game="chess")
    read_file(desk, tmp_path / "game.pgn", ANNOTATED)
    expect(desk.page.locator("[aria-current=step]")).to_have_text("Nf3")
    typed(desk, "Nc6")
    desk.button("Export").click()
    assert saved(desk.page, "Save as file") == ANNOTATED.replace("Nf3   1-0", "Nf3 Nc6 1-0").encode()


def test_an_edit_of_a_record_changes_what_it_concerns_alone(desk: Desk, tmp_path: Path) -> None:
    """A glyph, a comment and a deletion, all in one file, whose other games stay as they were."""
    desk.open_board("/play", game="chess")
    read_file(desk, tmp_path / "games.pgn", SECOND + ANNOTATED)
    desk.page.get_by_role("button", name="Anna – Ben").click()
    expect(desk.page.locator("[aria-current=step]")).to_have_text("Nf3")
    desk.button("Good move").click()
    desk.button("Nf6!?, interesting move").click()
    desk.button("Delete").click()
    desk.button("e5").click()
    desk.button("Comment").click()
    desk.field("Comment after e5").fill("Open")
    desk.field("Comment after e5").press("Enter")
    desk.button("Export").click()
    edited = (ANNOTATED.replace(" (1... Nf6!? {Indian} 2. c4)", "").replace("e5 2", "e5 {Open} 2")).replace(
        "Nf3   1", "Nf3 $1 1"
    )
    assert saved(desk.page, "Save all games") == (SECOND + edited).encode()


def test_of_several_games_one_is_chosen_and_all_are_kept(desk: Desk, tmp_path: Path) -> None:
    desk.open_board("/play", game="chess")
    read_file(desk, tmp_path / "games.pgn", ANNOTATED + SECOND)
    expect(desk.page.get_by_role("group", name="2 games. Choose one.")).to_be_visible()
    desk.page.get_by_role("button", name="Chloe – Dan").click()
    expect(desk.page.locator("[aria-current=step]")).to_have_text("c5")
    desk.button("Export").click()
    assert saved(desk.page, "Save all games") == (ANNOTATED + SECOND).encode()


def saved(page: Page, button: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return Path(download.value.path()).read_bytes()


def test_a_game_that_is_read_is_seen(open_context: Callable[..., BrowserContext], service: Service) -> None:
    """The form stands below the board; on a phone far below it."""
    desk = Desk(open_context(PHONE).new_page(), service)
    desk.open_board("/play", game="chess")
    read_record(desk, SECOND)
    desk.wait_for_move("c5")
    desk.settle()
    box = desk.board.bounding_box()
    assert box is not None and box["y"] > -1 and box["y"] + box["height"] <= PHONE[1]
