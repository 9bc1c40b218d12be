"""Edit: pieces put, moved and erased, the other fields; the text follows and says what is illegal."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.desk import Desk


def edited(desk: Desk, name: str, text: str, **change: Any) -> Any:
    """What the service makes of a change."""
    return desk.service.post("/edit", text=text, game=name, **change)


def whole(desk: Desk, name: str, text: str) -> tuple[str, str]:
    """A cell where something stands that can be lifted, and one where it may go."""
    cells = desk.squares()
    for cell in cells:
        if edited(desk, name, text, put={"square": cell, "symbol": None})["text"] != text:
            break
    for other in cells:
        try:
            if edited(desk, name, text, move={"from": cell, "to": other})["text"] != text:
                return cell, other
        except OSError:
            continue
    raise AssertionError("nothing can be moved")


def test_a_piece_is_put_on_the_board(desk: Desk, game: Any) -> None:
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    source, _ = whole(desk, game["name"], text)
    entry = next(
        one
        for one in edited(desk, game["name"], text)["palette"]
        if edited(desk, game["name"], text, put={"square": source, "symbol": one["symbol"]})["text"] != text
    )
    after = edited(desk, game["name"], text, put={"square": source, "symbol": entry["symbol"]})["text"]
    desk.button(entry["label"]).click()
    expect(desk.button(entry["label"])).to_have_attribute("aria-pressed", "true")
    desk.click(source)
    expect(desk.text).to_have_value(after)


def test_a_piece_is_moved_by_two_clicks_and_by_dragging(desk: Desk, game: Any) -> None:
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    start, end = whole(desk, game["name"], text)
    after = edited(desk, game["name"], text, move={"from": start, "to": end})["text"]
    desk.click(start)
    assert start in desk.wait_for_signs("selected")
    desk.click(end)
    expect(desk.text).to_have_value(after)
    desk.button("Undo").click()
    expect(desk.text).to_have_value(text)
    desk.drag(start, end)
    expect(desk.text).to_have_value(after)


def test_a_piece_is_erased(desk: Desk, game: Any) -> None:
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    cell, _ = whole(desk, game["name"], text)
    desk.button("Erase").click()
    desk.click(cell)
    expect(desk.text).to_have_value(
        edited(desk, game["name"], text, put={"square": cell, "symbol": None})["text"]
    )


def test_every_field_can_be_changed(desk: Desk, game: Any) -> None:
    """Each field of the text to another of its values, one after the other."""
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    for field in edited(desk, game["name"], text)["fields"]:
        choices = [choice["value"] for choice in field["choices"] if choice["value"] != field["value"]]
        if field["kind"] == "number":
            value = str(int(field["value"]) + 3)
            desk.page.get_by_role("spinbutton", name=field["label"], exact=True).fill(value)
        elif field["kind"] == "flags":
            value = "".join(choice["value"] for choice in field["choices"][1:])
            group = desk.page.get_by_role("group", name=field["label"])
            group.get_by_label(field["choices"][0]["label"]).uncheck()
        elif field["kind"] == "choice":
            value = choices[0]
            desk.choice(field["label"]).select_option(value)
        else:
            continue
        after = edited(desk, game["name"], text, field={"name": field["name"], "value": value})["text"]
        assert after != text
        expect(desk.text).to_have_value(after)
        text = after


def test_what_is_illegal_is_said_while_editing(desk: Desk, game: Any) -> None:
    """The first thing whose absence is an error is erased."""
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    expect(desk.page.get_by_text("Legal position")).to_be_visible()
    for cell in desk.squares():
        after = edited(desk, game["name"], text, put={"square": cell, "symbol": None})
        if after["diagnostics"]:
            break
    desk.button("Erase").click()
    desk.click(cell)
    expect(desk.finding(after["diagnostics"][0]["message"]).first).to_be_visible()
    expect(desk.page.get_by_text("Legal position")).to_have_count(0)


def test_the_board_follows_the_text(desk: Desk, game: Any) -> None:
    text = game["start"]
    desk.open_board("/edit", game=game["name"], text=text)
    before = desk.board.locator("svg").first.inner_html()
    after = desk.service.line(game["name"], 1)[0]["after"]
    desk.text.fill(after)
    desk.page.wait_for_function(
        "before => document.querySelector('[role=application] svg').innerHTML !== before", arg=before
    )
    expect(desk.text).to_have_value(after)


@pytest.mark.refused
def test_a_text_that_cannot_be_read_keeps_its_findings(desk: Desk, game: Any) -> None:
    answers = [desk.service.read(text) for text in game["examples"].values()]
    unread = next(answer for answer in answers if answer["position"] is None)
    desk.open_board("/edit", game=game["name"], text=game["start"])
    desk.text.fill(unread["text"])
    for finding in unread["diagnostics"]:
        expect(desk.finding(finding["message"]).first).to_be_visible()


def test_the_position_goes_on_to_the_workbench_and_to_play(desk: Desk, game: Any) -> None:
    text = desk.service.line(game["name"], 1)[0]["after"]
    desk.open_board("/edit", game=game["name"], text=text)
    desk.link("Play from here").click()
    expect(desk.page.get_by_role("heading", name="Play", exact=True)).to_be_attached()
    expect(
        desk.page.get_by_text(desk.service.match(game["name"], start=text)["canonical"], exact=True)
    ).to_be_visible()
    desk.link("Open in the workbench").click()
    expect(desk.text).to_have_value(desk.service.read(text)["canonical"])


def test_a_named_position_is_begun_with(desk: Desk, game: Any) -> None:
    desk.open_board("/edit", game=game["name"])
    for label, text in game["names"].items():
        desk.button(label).click()
        expect(desk.text).to_have_value(text)


def test_the_start_of_every_variant_can_be_begun_with(desk: Desk, game: Any) -> None:
    desk.open_board("/edit", game=game["name"])
    if len(game["variants"]) == 1:
        expect(desk.choice("Variant")).to_have_count(0)
        expect(desk.text).to_have_value(game["start"])
        return
    for variant in reversed(game["variants"]):
        start = desk.service.post("/read", text="start", game=game["name"], variant=variant)["canonical"]
        desk.choice("Variant").select_option(variant)
        # Variants may have the same start. The new one is chosen when the service has said its start.
        expect(desk.choice("Variant")).to_have_value(variant)
        expect(desk.text).to_have_value(start)
        expect(desk.page.get_by_text("Legal position")).to_be_visible()


def test_an_edited_text_stays_when_the_variant_changes(desk: Desk, game: Any) -> None:
    text = desk.service.line(game["name"], 1)[0]["after"]
    desk.open_board("/edit", game=game["name"], text=text)
    if len(game["variants"]) == 1:
        expect(desk.choice("Variant")).to_have_count(0)
        return
    with desk.page.expect_response("**/api/v1/edit") as answer:
        desk.choice("Variant").select_option(game["variants"][1])
    assert answer.value.ok
    expect(desk.choice("Variant")).to_have_value(game["variants"][1])
    expect(desk.page.get_by_text("Reading…")).to_have_count(0)
    expect(desk.text).to_have_value(text)


def test_an_illegal_position_does_not_lead_on_to_a_game(desk: Desk, game: Any) -> None:
    text = next(
        answer["text"]
        for answer in map(desk.service.read, game["examples"].values())
        if answer["position"] and not answer["ok"]
    )
    desk.open_board("/edit", game=game["name"], text=text)
    expect(desk.page.get_by_text("Findings")).to_be_visible()
    expect(desk.link("Play from here")).to_have_attribute("aria-disabled", "true")
