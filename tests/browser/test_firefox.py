"""The main flows in Firefox too: the tests are those of the other files, the browser is another one.

Collected where a Firefox is found, see `conftest.py`. Over WebDriver BiDi, Playwright fills fields unseen by
React and sees no download: flows here type, drop files and click.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright
from tests.browser import (
    firefox,
    test_access,
    test_compare,
    test_edit,
    test_edit_by_hand,
    test_expected,
    test_honesty,
    test_intake,
    test_keeping,
    test_library,
    test_play,
    test_workbench,
)

FLOWS = (
    test_access.test_a_move_is_made_without_a_mouse,
    test_compare.test_differences_are_marked_on_both_boards_and_listed,
    test_edit.test_a_piece_is_put_on_the_board,
    test_edit_by_hand.test_a_thing_is_dragged_from_the_palette,
    test_expected.test_a_move_is_typed,
    test_expected.test_arrows_and_circles_are_drawn_with_the_right_button,
    test_expected.test_settings_are_kept,
    test_honesty.test_undo_works_as_in_any_editor,
    test_intake.test_a_file_goes_where_it_belongs,
    test_keeping.test_a_new_game_puts_none_out_of_reach,
    test_keeping.test_a_new_tab_and_a_reload_find_the_game,
    test_keeping.test_four_quick_moves_are_four_moves,
    test_library.test_a_position_is_saved_from_the_workbench_and_found,
    test_play.test_a_piece_can_be_dragged,
    test_play.test_a_piece_is_deployed_out_of_a_stack_and_the_turn_committed,
    test_play.test_a_promotion_asks_which_piece,
    test_play.test_two_clicks_make_a_move,
    test_workbench.test_fix_all_leaves_nothing_that_can_be_fixed,
)
globals().update({flow.__name__: flow for flow in FLOWS})


@pytest.fixture(scope="module")
def browser(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Firefox in place of Chromium."""
    program = firefox.executable(tmp_path_factory.mktemp("firefox"))
    found = playwright.firefox.launch(channel=firefox.CHANNEL, executable_path=program)
    yield found
    found.close()
