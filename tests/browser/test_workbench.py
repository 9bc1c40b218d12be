"""The workbench: a text is read, explained, repaired, drawn, written in every form and shared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect
from tests.browser.desk import Desk
from tests.browser.service import Service

FORMS = {
    "Plain": "plain",
    "Canonical": "canonical",
    "Base64": "base64",
    "Compressed": "fenz",
    "Hash": "state",
    "URL text": "url",
}


def from_a_book(game: Any) -> str:
    """The start with a typographic dash: every game reads it as a mistake that can be put right."""
    return str(game["start"]).replace("-", "–", 1)


def broken(service: Service, game: Any) -> list[str]:
    """The examples in which something is wrong."""
    return [text for text in game["examples"].values() if not service.read(text)["ok"]]


def point(service: Service, game: Any) -> tuple[str, Any]:
    """A broken example, and a finding that names a place on the board and says what no other one says."""
    for text in broken(service, game):
        findings = service.read(text)["diagnostics"]
        said = [finding["message"] for finding in findings]
        for finding in findings:
            if finding["square"] and said.count(finding["message"]) == 1:
                return text, finding
    raise AssertionError("no broken example names a square")


def test_a_pasted_text_is_recognised_and_its_mistakes_are_shown(desk: Desk, game: Any) -> None:
    text, finding = point(desk.service, game)
    desk.open_board()
    desk.text.fill(text)
    expect(desk.finding(finding["message"])).to_be_visible()
    expect(desk.page.get_by_label("Game").locator("option:checked")).to_have_text(
        f"{game['title']} (detected)"
    )
    start, end = finding["span"]
    assert any(part in text[start:end] or text[start:end] in part for part in desk.underlined)
    expect(desk.text).to_have_attribute("aria-invalid", "true")


def test_a_finding_lights_up_its_characters_and_its_square(desk: Desk, game: Any) -> None:
    text, finding = point(desk.service, game)
    desk.open_board("/", text=text)
    desk.finding(finding["message"]).hover()
    lit = desk.wait_for_signs("lit")
    assert {cell.split(".")[0] for cell in lit} == {finding["square"].split(".")[0]}
    assert "".join(desk.lit_characters.all_inner_texts()) == text[slice(*finding["span"])]
    desk.page.mouse.move(0, 0)
    expect(desk.lit_characters).to_have_count(0)
    assert desk.signs("lit") == set()


def test_a_fix_changes_the_text(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=from_a_book(game))
    desk.page.get_by_role("button", name="Fix: ").first.click()
    expect(desk.text).to_have_value(game["start"])
    expect(desk.page.get_by_text("Nothing to correct.")).to_be_visible()


def test_fix_all_leaves_nothing_that_can_be_fixed(desk: Desk, game: Any) -> None:
    for text in [from_a_book(game), *broken(desk.service, game)]:
        findings = desk.service.read(text)["diagnostics"]
        if not any(finding["fix"] for finding in findings):
            continue
        desk.open_board("/", text=text)
        expect(desk.finding(findings[0]["message"]).first).to_be_visible()
        desk.button("Fix all").click()
        expect(desk.text).not_to_have_value(text)
        # While the page reads a text, it shows no findings and no fixes.
        desk.wait_for_reading()
        expect(desk.button("Fix all")).to_have_count(0)


def test_every_game_has_an_example_that_can_be_fixed(desk: Desk, game: Any) -> None:
    findings = [desk.service.read(text)["diagnostics"] for text in broken(desk.service, game)]
    assert any(finding["fix"] for found in findings for finding in found)


def test_a_broken_text_does_not_lead_on_to_a_game(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=broken(desk.service, game)[0])
    expect(desk.link("Play from here")).to_have_attribute("aria-disabled", "true")
    assert desk.link("Play from here").get_attribute("href") is None
    desk.text.fill(game["start"])
    desk.link("Play from here").and_(desk.page.locator("[href]")).click()
    expect(desk.page).to_have_url(re.compile("/play"))


def test_a_text_is_read_as_one_of_the_chosen_variant(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=game["start"])
    if len(game["variants"]) == 1:
        expect(desk.choice("Variant")).to_have_count(0)
        return
    for variant in game["variants"]:
        reading = desk.service.post("/read", text=game["start"], variant=variant)
        with desk.page.expect_response("**/api/v1/read") as answer:
            desk.choice("Variant").select_option(variant)
        assert answer.value.json()["diagnostics"] == reading["diagnostics"]
        for finding in reading["diagnostics"]:
            expect(desk.finding(finding["message"]).first).to_be_visible()
    expect(desk.page).to_have_url(re.compile(f"variant={variant}"))


def test_one_wrong_character_can_be_seen(desk: Desk) -> None:
    """A rule below it and a ground behind it, in another colour than the page's."""
    desk.open_board("/", text="rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    mark = desk.page.locator("mark")
    expect(mark).to_have_text("9")
    thick, ground = mark.evaluate(
        "one => [getComputedStyle(one).textDecorationThickness, getComputedStyle(one).backgroundColor]"
    )
    assert float(thick.removesuffix("px")) >= 2.5
    assert ground not in ("rgba(0, 0, 0, 0)", "transparent")


def test_every_form_is_shown_and_copied(desk: Desk, game: Any) -> None:
    text = game["start"]
    forms = desk.service.post("/forms", text=text, game=game["name"])["forms"]
    desk.open_board("/", text=text)
    desk.unfold("Forms")
    for label, key in FORMS.items():
        expect(desk.page.get_by_text(forms[key], exact=True).first).to_be_visible()
        assert desk.copy(desk.button(f"Copy {label}")) == forms[key]
    assert desk.copy(desk.button("Copy Link")) == desk.service.address + forms["link"]


@pytest.mark.parametrize("mistaken", [False, True])
def test_a_shared_link_restores_the_page(
    desk: Desk, game: Any, mistaken: bool, open_context: Callable[..., BrowserContext]
) -> None:
    moved = desk.service.line(game["name"], 1)[0]["after"]
    text = broken(desk.service, game)[0] if mistaken else moved
    desk.open_board("/", text=text)
    desk.unfold("Forms")
    link = desk.copy(desk.button("Copy Link"))
    assert "/p/" in link
    other = Desk(open_context().new_page(), desk.service)
    other.open_board(link)
    expect(other.text).to_have_value(text)
    for finding in desk.service.read(text)["diagnostics"]:
        expect(other.finding(finding["message"]).first).to_be_visible()


def test_the_address_follows_the_text(desk: Desk, game: Any) -> None:
    text = desk.service.line(game["name"], 1)[0]["after"]
    link = desk.service.post("/forms", text=text)["forms"]["link"]
    desk.open_board()
    desk.text.fill(text)
    expect(desk.page).to_have_url(desk.service.address + link)
    desk.page.reload()
    expect(desk.text).to_have_value(text)


def test_the_examples_of_each_game(desk: Desk, game: Any) -> None:
    desk.open_board()
    games = desk.service.get("/games")["games"]
    for label, text in game["examples"].items():
        same = [other["name"] for other in games if label in other["examples"]]
        chip = desk.button(label).nth(same.index(game["name"]))
        chip.click()
        expect(desk.text).to_have_value(text)
        expect(chip).to_have_attribute("aria-pressed", "true")
        # New findings move the examples, which stand below them.
        desk.wait_for_reading()


def test_an_empty_workbench_says_what_to_do(desk: Desk) -> None:
    desk.open_board()
    desk.button("Clear").click()
    expect(desk.text).to_have_value("")
    expect(desk.page.get_by_text("Paste a position, or pick an example.")).to_be_visible()
    expect(desk.text).to_be_focused()


def test_a_text_of_no_game_is_an_error_and_no_accident(desk: Desk) -> None:
    desk.open_board()
    desk.text.fill("certainly not a position")
    said = desk.service.read("certainly not a position")["diagnostics"][0]["message"]
    expect(desk.finding(said)).to_be_visible()
