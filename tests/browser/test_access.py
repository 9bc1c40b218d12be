"""For everyone: the keyboard suffices, and what happens is said. For what axe finds see `test_look.py`."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect
from tests.browser.desk import Desk

LOOK = """() => {
    if (document.activeElement !== document.body) window.last = document.activeElement;
    const { outline, boxShadow, borderColor, background, textDecoration } = getComputedStyle(last);
    return [outline, boxShadow, borderColor, background, textDecoration].join();
}"""
STEPS = {(1, 0): "ArrowRight", (-1, 0): "ArrowLeft", (0, 1): "ArrowDown", (0, -1): "ArrowUp"}


def test_a_move_is_made_without_a_mouse(desk: Desk, name: str) -> None:
    (move,) = desk.service.line(name, 1)
    desk.open_board("/play", game=name)
    reach(desk, "document.activeElement?.getAttribute('role') === 'application'")
    walk(desk, move["from"])
    desk.page.keyboard.press("Enter")
    assert move["from"] in desk.wait_for_signs("selected")
    walk(desk, move["to"])
    expect(desk.page.locator("[aria-live=polite]").filter(has_text="target").first).to_be_attached()
    desk.page.keyboard.press("Enter")
    desk.wait_for_move(move)
    expect(desk.page.get_by_test_id("announcer")).to_have_text(f"{move['move']} played.")


def test_a_promotion_is_chosen_without_a_mouse(desk: Desk) -> None:
    """The choice has the focus and its own keys; after it the keys go on with the board."""
    desk.open_board("/play", game="chess", text="7k/P7/8/8/8/8/8/K7 w - - 0 1")
    # The choices stand in the order of the palette, which comes after the board.
    expect(desk.page.get_by_text("Names of the pieces")).to_be_visible()
    which = desk.page.get_by_role("group", name="Which move?")
    for key, made in (("Escape", None), ("Enter", "a8=R+")):
        desk.board.focus()
        walk(desk, "a7")
        desk.page.keyboard.press("Enter")
        desk.wait_for_signs("selected")
        walk(desk, "a8")
        desk.page.keyboard.press("Enter")
        expect(which.get_by_role("button").first).to_be_focused()
        desk.page.keyboard.press("Tab")
        desk.page.keyboard.press(key)
        expect(which).to_have_count(0)
        expect(desk.board).to_be_focused()
        if made:
            desk.wait_for_move(made)


def test_every_control_of_a_view_is_reached_by_tab(desk: Desk, name: str) -> None:
    desk.open_board("/play", game=name)
    (move,) = desk.service.line(name, 1)
    desk.play(move)
    focus = "document.activeElement"
    for label in ("Undo", "Flip", "One back", "New game", "Import", "Export"):
        reach(desk, f"{focus}?.textContent === '{label}' || {focus}?.ariaLabel === '{label}'")


def test_a_finding_is_lit_and_fixed_by_keyboard(desk: Desk, game: Any) -> None:
    desk.open_board("/", text=str(game["start"]).replace("-", "–", 1))
    reach(desk, "document.activeElement?.ariaLabel?.startsWith('Fix: ')")
    expect(desk.lit_characters.first).to_be_attached()
    desk.page.keyboard.press("Enter")
    expect(desk.text).to_have_value(game["start"])


def test_the_content_can_be_reached_without_the_menu(desk: Desk) -> None:
    desk.open_board()
    desk.page.keyboard.press("Tab")
    expect(desk.link("Skip to the content")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("main")).to_be_focused()


def test_the_focus_is_seen(desk: Desk) -> None:
    """Whatever has the focus looks different from what has not; the board shows a cursor on its cells."""
    desk.open_board("/play")
    unseen = []
    for _ in range(14):
        desk.page.keyboard.press("Tab")
        if desk.page.evaluate("document.activeElement.role") == "application":
            continue
        focused = desk.page.evaluate(LOOK)
        if focused == desk.page.evaluate(f"() => {{ document.activeElement.blur(); return ({LOOK})() }}"):
            unseen.append(desk.page.evaluate("last.outerHTML.slice(0, 120)"))
        desk.page.evaluate("last.focus({ focusVisible: true })")
    assert unseen == []


def reach(desk: Desk, there: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(90):
        if desk.page.evaluate(f"Boolean({there})"):
            return
        desk.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead there: {there}")


def walk(desk: Desk, goal: str) -> None:
    """Arrow keys from wherever the cursor is to a cell: the longer way first, another when that is barred."""
    if not here(desk):
        desk.page.keyboard.press("Home")
    tried: set[tuple[str, str]] = set()
    for _ in range(60):
        now = here(desk)
        if now == goal:
            return
        (x, y), (to_x, to_y) = desk.centre(now), desk.centre(goal)
        across = (1 if to_x > x else -1, 0)
        down = (0, 1 if to_y > y else -1)
        ways = [across, down] if abs(to_x - x) > abs(to_y - y) else [down, across]
        keys = [STEPS[way] for way in ways] + list(STEPS.values())
        key = next(key for key in keys if (now, key) not in tried)
        tried.add((now, key))
        desk.page.keyboard.press(key)
    raise AssertionError(f"the arrow keys do not lead to {goal}")


def here(desk: Desk) -> str:
    """The cell that the keyboard is on, of which the screen reader was told."""
    cells = desk.signs("cursor")
    assert not cells or any(desk.spoken())
    return next(iter(cells), "")
