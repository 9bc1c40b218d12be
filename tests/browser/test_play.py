"""Play: moves by mouse, the list of moves, going back and forth, and records."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.desk import Desk

LONG = 4

WATCH_GHOST = """(board, name) => addEventListener("pointerup", () => {
    const end = performance.now() + 300;
    window.ghostLies = [];
    const look = () => {
        const ghost = board.querySelector(".forsyth-ghost > g")?.getBoundingClientRect();
        const cell = board.querySelector(`[data-square="${name}"]`);
        const ground = [...cell.children].find((child) => child.tagName === "rect").getBoundingClientRect();
        const [x, y] = [ground.x + ground.width / 2, ground.y + ground.height / 2];
        window.ghostLies.push(
            Boolean(ghost) && ghost.left < x && x < ghost.right && ghost.top < y && y < ghost.bottom);
        if (performance.now() < end) setTimeout(look);
        else window.ghostWatched = true;
    };
    setTimeout(look);
}, { once: true })"""
"""Record for 300 ms after a drop whether the dropped piece lies on a cell.

The page puts the piece back after 1.5 s without an answer, so a slow test would look too late.
"""


def canonical(desk: Desk, name: str, moves: list[Any]) -> str:
    return str(desk.service.match(name, *(move["move"] for move in moves))["canonical"])


def play_all(desk: Desk, name: str, moves: list[Any]) -> None:
    desk.open_board("/play", game=name)
    for move in moves:
        desk.play(move)


def test_two_clicks_make_a_move(desk: Desk, name: str) -> None:
    (move,) = desk.service.line(name, 1)
    desk.open_board("/play", game=name)
    desk.take(move)
    piece = [one for one in desk.service.match(name)["moves"] if one["from"] == move["from"]]
    legal = {one["to"] for one in piece if one["piece"] == move["piece"]}
    assert {cell.split(".")[0] for cell in desk.wait_for_signs("target")} == legal
    desk.click(move["to"])
    desk.wait_for_move(move)
    expect(desk.page.get_by_text(canonical(desk, name, [move]), exact=True)).to_be_visible()


def test_a_piece_can_be_dragged(desk: Desk, name: str) -> None:
    desk.open_board("/play", game=name)
    (move,) = desk.service.line(name, 1)
    desk.drag(move["from"], move["to"])
    desk.wait_for_move(move)
    expect(desk.page.get_by_text(canonical(desk, name, [move]), exact=True)).to_be_visible()


def test_a_piece_dropped_where_it_cannot_go_stays(desk: Desk, name: str) -> None:
    (move,) = desk.service.line(name, 1)
    desk.open_board("/play", game=name)
    legal = {one["to"] for one in desk.service.match(name)["moves"] if one["from"] == move["from"]}
    wrong = next(cell for cell in desk.squares() if cell.split(".")[0] not in {*legal, move["from"]})
    # The last request after a refused drop asks why it is refused.
    with desk.page.expect_response("**/api/v1/explain"):
        desk.drag(move["from"], wrong)
    expect(desk.page.get_by_text("No moves yet.")).to_be_visible()
    expect(desk.page.get_by_text(canonical(desk, name, []), exact=True)).to_be_visible()
    expect(desk.board.locator('[data-sign~="selected"]')).to_have_count(0)


def test_a_dropped_piece_does_not_jump_back(desk: Desk, name: str) -> None:
    """It lies where it was dropped until the service has answered."""
    desk.open_board("/play", game=name)
    (move,) = desk.service.line(name, 1)
    ghost = desk.board.locator(".forsyth-ghost > g")
    with desk.held("match"):
        desk.board.evaluate(WATCH_GHOST, move["to"])
        desk.drag(move["from"], move["to"])
        expect(desk.page.locator("[aria-current=step]")).to_have_text(move["move"])
        desk.page.wait_for_function("() => window.ghostWatched")
        assert desk.page.evaluate("() => window.ghostLies.every(Boolean)")
    desk.wait_for_move(move)
    expect(ghost).to_have_count(0)


def test_who_moves_is_said_once(desk: Desk) -> None:
    """Below the board, and not in the drawing as well."""
    for name in ("chess", "cotulenh"):
        desk.open_board("/play", game=name)
        side = desk.service.match(name)["side_to_move"]
        expect(desk.page.get_by_test_id("turn")).to_contain_text(f"{side} to move")
        drawn = desk.board.locator("text").all_text_contents()
        assert drawn and not any("to move" in words for words in drawn)


def test_a_move_is_one_question(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, 2)
    desk.open_board("/play", game=name)
    desk.play(moves[0])
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    desk.play(moves[1])
    desk.settle()
    # Chromium looks its icon up again, in its cache, whenever the address changes.
    assert [url.rpartition("/")[2] for url in asked if not url.endswith("/favicon.svg")] == ["match"]


def test_the_list_of_moves_leads_to_every_position(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, LONG)
    play_all(desk, name, moves)
    for length in (1, LONG, 2):
        desk.page.get_by_role("list").get_by_role("button").nth(length - 1).click()
        expect(desk.page.get_by_text(canonical(desk, name, moves[:length]), exact=True)).to_be_visible()


def test_undo_and_redo(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, 2)
    play_all(desk, name, moves)
    desk.button("Undo").click()
    desk.wait_for_move(moves[0])
    desk.button("Undo").click()
    expect(desk.page.locator("[aria-current=step]")).to_have_count(0)
    expect(desk.button("Undo")).to_be_disabled()
    expect(desk.button(moves[1]["move"]).first).to_be_visible()
    desk.button("Redo").click()
    desk.wait_for_move(moves[0])
    desk.button("Redo").click()
    desk.wait_for_move(moves[1])
    expect(desk.button("Redo")).to_be_disabled()
    expect(desk.page.get_by_text(canonical(desk, name, moves), exact=True)).to_be_visible()


def test_the_arrow_keys_step_back_and_forth(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, 3)
    play_all(desk, name, moves)
    desk.page.get_by_role("heading", name="Moves").click()
    for key, length in (("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowRight", 2), ("Home", 0), ("End", 3)):
        desk.page.keyboard.press(key)
        expect(desk.page.get_by_text(canonical(desk, name, moves[:length]), exact=True)).to_be_visible()


def test_a_move_from_the_middle_begins_another_line(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, 2)
    play_all(desk, name, moves)
    desk.button("One back").click()
    expect(desk.page.get_by_text(canonical(desk, name, moves[:1]), exact=True)).to_be_visible()
    other = next(
        one
        for one in reversed(desk.service.match(name, moves[0]["move"])["moves"])
        if one["from"] and one["to"] and one["to"] != moves[1]["to"] and one["from"] != moves[1]["from"]
    )
    desk.take(other)
    desk.click(other["to"])
    desk.wait_for_move(other)
    desk.page.get_by_role("list").get_by_role("button", name=moves[1]["move"], exact=True).click()
    expect(desk.page.get_by_text(canonical(desk, name, moves), exact=True)).to_be_visible()


def test_the_board_turns_round(desk: Desk, name: str) -> None:
    desk.open_board("/play", game=name)
    picture = desk.board.locator("svg").first
    before = picture.inner_html()
    desk.button("Flip").click()
    expect(desk.button("Flip")).to_have_attribute("aria-pressed", "true")
    # Before the answer comes, the old board already has other marks.
    desk.wait_for_answer()
    desk.page.wait_for_function(
        "before => document.querySelector('[role=application] svg').innerHTML !== before", arg=before
    )
    # What lies where has changed; what can be done has not.
    (move,) = desk.service.line(name, 1)
    desk.play(move)


def test_a_new_game_of_every_variant(desk: Desk, game: Any) -> None:
    desk.open_board("/play")
    for variant in game["variants"]:
        desk.button("New game").click()
        desk.choice("Game").select_option(game["name"])
        if len(game["variants"]) > 1:
            desk.choice("Variant").select_option(variant)
        desk.page.get_by_label("Seed").fill("7")
        desk.button("Begin").click()
        # Several variants have the same start, so its text does not show that the new game has begun.
        expect(desk.button("Begin")).to_have_count(0)
        desk.wait_for_answer()
        made = desk.service.post(f"/games/{game['name']}/new", variant=variant, seed=7)
        expect(desk.page.get_by_text(made["canonical"], exact=True)).to_be_visible()
        expect(desk.page.get_by_role("alert")).to_have_count(0)


def test_a_record_that_goes_out_comes_back(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, LONG)
    play_all(desk, name, moves)
    desk.button("Export").click()
    record = desk.copy(desk.button("Copy record"))
    desk.button("New game").click()
    desk.button("Begin").click()
    expect(desk.page.get_by_text("No moves yet.")).to_be_visible()
    desk.button("Import").click()
    desk.page.get_by_label("Record").fill(record)
    desk.button("Read").click()
    desk.wait_for_move(moves[-1])
    expect(desk.page.get_by_text(canonical(desk, name, moves), exact=True)).to_be_visible()
    for move in moves:
        expect(desk.button(move["move"]).first).to_be_visible()


def test_a_record_of_another_game_is_recognised(desk: Desk, name: str) -> None:
    others = [entry["name"] for entry in desk.service.get("/games")["games"] if entry["name"] != name]
    moves = desk.service.line(name, 2)
    record = desk.service.match(name, *(move["move"] for move in moves))["record"]
    desk.open_board("/play", game=others[0])
    desk.button("Import").click()
    desk.page.get_by_label("Record").fill(record)
    desk.button("Read").click()
    desk.wait_for_move(moves[-1])
    expect(desk.page.get_by_text(canonical(desk, name, moves), exact=True)).to_be_visible()


def test_a_record_with_a_mistake_says_which(desk: Desk, name: str) -> None:
    record = desk.service.match(name)["record"].replace("*\n", "1. nonsense *\n")
    desk.open_board("/play", game=name)
    desk.button("Import").click()
    desk.page.get_by_label("Record").fill(record)
    desk.button("Read").click()
    expect(desk.page.get_by_role("alert")).to_contain_text("nonsense")


def test_a_game_survives_a_reload(desk: Desk, name: str) -> None:
    moves = desk.service.line(name, 2)
    play_all(desk, name, moves)
    desk.page.reload()
    desk.wait_for_move(moves[-1])
    expect(desk.page.get_by_text(canonical(desk, name, moves), exact=True)).to_be_visible()


def test_a_finished_game_says_how_it_ended(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    desk.drag("d1", "d8")
    expect(desk.page.get_by_text("1-0").first).to_be_visible()
    expect(desk.page.get_by_role("status").filter(has_text="White wins: checkmate.")).to_be_visible()


def test_a_promotion_asks_which_piece(desk: Desk) -> None:
    desk.open_board("/play", game="chess", text="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    desk.drag("a7", "a8")
    which = desk.page.get_by_role("group", name="Which move?")
    expect(which.get_by_role("button")).to_have_count(4)
    expect(which.get_by_role("button").first).to_have_accessible_name("a8=Q+: white queen")
    expect(which.get_by_role("button").first).to_be_focused()
    square, choice = desk.cell("a8").bounding_box(), which.bounding_box()
    assert square is not None and choice is not None
    assert choice["y"] - (square["y"] + square["height"]) < 12, "it stands at its square"
    which.get_by_role("button", name="a8=N").click()
    desk.wait_for_move("a8=N")


# --- CoTuLenh: a stack is deployed piece by piece ---------------------------------------------------------

STACK = "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9"


def deploy(desk: Desk, *steps: str) -> list[str]:
    played: list[str] = []
    for step in steps:
        view = desk.service.match("cotulenh", *played, start=STACK)
        move = next(one for one in view["moves"] if one["move"] == step)
        desk.play(move)
        played.append(step)
    return played


def test_a_piece_is_deployed_out_of_a_stack_and_the_turn_committed(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    played = deploy(desk, "F>e5")
    expect(desk.page.get_by_text(" DEPLOY c5:")).to_be_visible()
    commit = desk.service.match("cotulenh", *played, start=STACK)["actions"]
    assert commit, "a deployment can be committed"
    desk.button(commit[0].capitalize()).click()
    after = desk.service.match("cotulenh", *played, commit[0], start=STACK)
    expect(desk.page.get_by_text(after["canonical"], exact=True)).to_be_visible()
    expect(desk.page.get_by_test_id("turn")).to_contain_text(f"{after['side_to_move']} to move")


def test_a_deployment_is_cancelled_as_a_whole(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    deploy(desk, "F>e5", "T>c4")
    desk.button("Cancel turn").click()
    expect(desk.page.get_by_text(STACK, exact=True)).to_be_visible()
    expect(desk.page.locator("[aria-current=step]")).to_have_count(0)


def test_a_step_of_a_deployment_is_taken_back(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    deploy(desk, "F>e5", "T>c4")
    desk.button("Undo").click()
    desk.wait_for_move("F>e5")
    expect(desk.page.get_by_text(" DEPLOY c5:")).to_be_visible()


def test_a_piece_of_a_stack_is_taken_by_clicking_on_it(desk: Desk) -> None:
    desk.open_board("/play", game="cotulenh", text=STACK)
    tank = desk.cell("c5").locator("use").nth(2).bounding_box()
    assert tank is not None
    desk.page.mouse.click(tank["x"] + tank["width"] / 2, tank["y"] + tank["height"] / 2)
    moves = desk.service.match("cotulenh", start=STACK)["moves"]
    assert desk.wait_for_signs("target") == {move["to"] for move in moves if move["piece"] == "T"}


# --- Azul: a round to its end ---------------------------------------------------------------------------


def test_a_round_is_played_scored_and_dealt_anew(desk: Desk) -> None:
    desk.open_board("/play", game="azul")
    played: list[str] = []
    while moves := (view := desk.service.match("azul", *played))["moves"]:
        desk.play(moves[0])
        played.append(moves[0]["move"])
    for action in ("tile", "deal"):
        assert action in view["actions"]
        desk.button(action.capitalize()).click()
        played.append(action)
        desk.wait_for_move(re.compile(f"^{action}"))
        view = desk.service.match("azul", *played)
    expect(desk.page.get_by_test_id("turn")).to_contain_text(
        f"{view['side_to_move']} to move", ignore_case=True
    )
    factories = desk.shown_text().split("/")[0]
    assert "-" not in factories


@pytest.mark.refused
def test_a_position_that_cannot_be_played_says_so(desk: Desk, game: Any) -> None:
    text = next(text for text in game["examples"].values() if not desk.service.read(text)["ok"])
    desk.open("/play", game=game["name"], text=text)
    expect(desk.page.get_by_role("alert")).to_be_visible()
    desk.button("Begin a new game").click()
    expect(desk.page.get_by_text(canonical(desk, game["name"], []), exact=True)).to_be_visible()


def test_a_man_is_dropped_from_the_hand_and_a_promotion_is_chosen(desk: Desk) -> None:
    """The places of a hand are clicked like squares; where a move may promote, the page asks."""
    start = "4k4/9/9/4S4/9/9/9/9/4K4 b P 1"
    desk.open_board("/play", game="shogi", text=start)
    drop = next(move for move in desk.service.match("shogi", start=start)["moves"] if move["move"] == "P*2e")
    desk.play(drop)
    expect(desk.page.get_by_text("4k4/9/9/4S4/7P1/9/9/9/4K4 w - 2", exact=True)).to_be_visible()
    after = desk.service.match("shogi", "P*2e", start=start)["moves"]
    desk.play(next(move for move in after if move["move"] == "K-4a"))
    desk.click("5d")
    desk.wait_for_signs("selected")
    desk.click("6c")
    desk.page.get_by_role("button", name="S-6c+: ").click()
    desk.wait_for_move("S-6c+")
