"""Many: texts by the thousand with their verdicts, those of one code, repairs and files; nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from tests.browser.desk import Desk

GOOD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LONG = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DASH = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq – 0 1"
HOPELESS = "nothing"
FRAMES = """() => {
    window.longest = 0;
    let last = performance.now();
    const step = (now) => {
        longest = Math.max(longest, now - last);
        last = now;
        requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
}"""


def words(desk: Desk) -> Any:
    return desk.page.get_by_test_id("many-words")


def give(desk: Desk, texts: list[str]) -> None:
    desk.open("/many")
    desk.page.get_by_label("One text per line").fill("\n".join(texts))
    desk.button("Read").click()


def rows(desk: Desk) -> Any:
    return desk.page.get_by_role("row")


def download(desk: Desk, name: str) -> str:
    with desk.page.expect_download() as kept:
        desk.button(name).click()
    return kept.value.path().read_text(encoding="utf-8")


def test_every_text_has_its_verdict(any_desk: Desk) -> None:
    give(any_desk, [GOOD, LONG, "", HOPELESS])
    expect(words(any_desk)).to_have_text("3 texts, 1 valid, 2 invalid.")
    expect(rows(any_desk).nth(0)).to_contain_text("Valid")
    expect(rows(any_desk).nth(1)).to_contain_text("board.digit")
    expect(rows(any_desk).nth(2).get_by_role("cell").first).to_have_text("4")
    rows(any_desk).nth(1).get_by_role("link").click()
    expect(any_desk.text).to_have_value(LONG)
    # The workbench writes its address when it has read the text. `go_back` comes after that.
    expect(any_desk.page).to_have_url(re.compile("/p/"))
    any_desk.page.go_back()
    expect(words(any_desk)).to_have_text("3 texts, 1 valid, 2 invalid.")


def test_those_of_one_code_are_shown_and_kept_as_a_file(any_desk: Desk) -> None:
    give(any_desk, [GOOD, LONG, LONG, DASH])
    any_desk.choice("Show").select_option("board.digit")
    expect(rows(any_desk)).to_have_count(2)
    assert download(any_desk, "Download texts") == f"{LONG}\n{LONG}\n"
    any_desk.choice("Show").select_option(label="Valid (2)")
    expect(rows(any_desk)).to_contain_text([GOOD, DASH])
    expect(rows(any_desk)).to_have_count(2)
    any_desk.choice("Show").select_option("")
    table = [json.loads(line) for line in download(any_desk, "Download table").splitlines()]
    assert [row["line"] for row in table] == [1, 2, 3, 4]
    assert table[1] == {
        "line": 2,
        "text": LONG,
        "given": LONG,
        "game": "chess",
        "ok": False,
        "codes": ["board.digit"],
    }


def test_all_are_fixed_and_the_fixes_taken_back(desk: Desk) -> None:
    give(desk, [GOOD, LONG, HOPELESS, DASH])
    expect(words(desk)).to_have_text("4 texts, 2 valid, 2 invalid.")
    desk.button("Fix all").click()
    expect(words(desk)).to_have_text("4 texts, 3 valid, 1 invalid, 2 repaired.")
    assert download(desk, "Download texts") == f"{GOOD}\n{GOOD}\n{HOPELESS}\n{GOOD}\n"
    desk.button("Undo fixes").click()
    expect(words(desk)).to_have_text("4 texts, 2 valid, 2 invalid.")
    assert download(desk, "Download texts") == f"{GOOD}\n{LONG}\n{HOPELESS}\n{DASH}\n"


@pytest.mark.refused
def test_what_the_service_refuses_is_said_and_nothing_is_lost(desk: Desk) -> None:
    asked = 0

    def answer(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            body = {"error": "at most 600 requests a minute; try again in 1 s", "code": "RATE_LIMITED"}
            route.fulfill(status=429, json=body)
        else:
            route.continue_()

    desk.page.route("**/batch/check", answer)
    give(desk, [GOOD] * 700)
    expect(desk.page.get_by_text("at most 600 requests a minute")).to_be_visible()
    expect(words(desk)).to_have_text("500 of 700 read, 500 valid, 0 invalid.")
    desk.button("Try again").click()
    expect(words(desk)).to_have_text("700 texts, 700 valid, 0 invalid.")
    expect(desk.page.get_by_text("at most 600 requests a minute")).to_have_count(0)


def test_reading_is_stopped_and_gone_on_with(desk: Desk) -> None:
    held: list[Route] = []
    desk.page.route(
        "**/batch/check", lambda route: held.append(route) if len(held) < 1 else route.continue_()
    )
    # If `Stop` aborts a request before the route sees it, the route holds the next request instead.
    with desk.page.expect_request("**/batch/check"):
        give(desk, [GOOD] * 20)
    expect(desk.page.get_by_role("progressbar")).to_be_visible()
    desk.button("Stop").click()
    desk.button("Continue").click()
    expect(words(desk)).to_have_text("20 texts, 20 valid, 0 invalid.")
    expect(desk.page.get_by_role("progressbar")).to_be_hidden()


def test_thousands_are_read_while_the_page_stays_alive(desk: Desk) -> None:
    """Only the rows on the screen are drawn, from the first to the last."""
    desk.open("/many")
    desk.drop_file(desk.page.locator(".many"), "\n".join([GOOD, LONG] * 2_000), "texts.txt")
    expect(words(desk)).to_have_text("4,000 texts, 2,000 valid, 2,000 invalid.", timeout=60_000)
    table = desk.page.get_by_role("table")
    expect(table).to_have_attribute("aria-rowcount", "4000")
    assert rows(desk).count() < 60
    desk.page.get_by_role("region", name="Texts").focus()
    desk.page.keyboard.press("End")
    expect(desk.page.locator("[aria-rowindex='4000']")).to_be_visible()
    assert rows(desk).count() < 60


@pytest.mark.slow
def test_a_hundred_thousand_are_read_and_more_are_said_to_be_left_out(desk: Desk) -> None:
    desk.open("/many")
    desk.page.evaluate(FRAMES)
    desk.drop_file(desk.page.locator(".many"), f"{GOOD}\n" * 100_003, "texts.txt")
    expect(desk.page.get_by_text("3 lines were skipped")).to_be_visible(timeout=60_000)
    expect(words(desk)).to_have_text("100,000 texts, 100,000 valid, 0 invalid.", timeout=300_000)
    print(f"longest frame: {desk.page.evaluate('longest'):.0f} ms")


def test_several_games_stand_in_one_list(desk: Desk) -> None:
    games = desk.service.get("/games")["games"]
    give(desk, [game["start"] for game in games])
    expect(words(desk)).to_have_text(f"{len(games)} texts, {len(games)} valid, 0 invalid.")
    for number, game in enumerate(games):
        expect(rows(desk).nth(number)).to_contain_text(game["title"])


def test_one_starts_over(desk: Desk) -> None:
    give(desk, [GOOD])
    desk.button("Start over").click()
    expect(desk.page.get_by_label("One text per line")).to_be_visible()
