"""`AzulState`, the class of the source document, and the functions around it."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.azul import AzulState, IllegalMove, NotExpressible, detect, import_fen
from forsyth.diagnostics import FenError

SEED = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/BYRKW/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
MIDGAME = forsyth.game("azul").names["midgame"]
HELD = (
    "v2/2/o/----|----|----|----|RRKW/K/-----|-----|-----|-----|-----/-|W-|---|----|-----/BBBBBBB+F"
    "/-----|-----|-----|-----|-----/-|--|---|----|-----/YYYYRR/0,0/1/1/0/12,16,16,18,18/1,0,0,0,0"
)


def test_what_the_source_document_does() -> None:
    state = AzulState(2)
    fen = state.to_fen()
    assert AzulState.validate_fen(fen) is True
    again = AzulState.from_fen(fen)
    assert again.to_fen() == fen
    assert len(state.agents) == 2
    with pytest.raises(ValueError, match="expected 11 components, got 1"):
        AzulState.from_fen("invalid")
    assert AzulState.validate_fen("invalid") is False
    assert AzulState.example().to_fen() == SEED


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_new_game(players: int) -> None:
    state = AzulState(players, seed=7, start=1)
    assert state == AzulState(players, seed=7, start=1)
    assert state != AzulState(players, seed=8, start=1)
    assert [len(tiles) for tiles in state.factories] == [4] * (2 * players + 1)
    assert (state.round, state.phase, state.current_player, state.start_player) == (1, "offer", 1, 1)
    assert state.marker == {"place": "center", "player": None}
    assert state.complete
    assert state.bag is not None
    assert sum(state.bag.values()) == 100 - 4 * (2 * players + 1)
    assert state.to_fen().startswith("v2/") is (players > 2)
    assert state.to_fen(2).startswith(f"v2/{players}/o/")


def test_what_a_new_game_cannot_be() -> None:
    for players in (1, 5, 0):
        with pytest.raises(ValueError, match="Number of players must be 2 to 4"):
            AzulState(players)
    with pytest.raises(ValueError, match="expected 0 to 1"):
        AzulState(2, start=2)


def test_before_the_first_deal() -> None:
    state = AzulState(2, deal=False)
    with pytest.raises(NotExpressible, match="before the first deal"):
        state.to_fen()
    assert repr(state) == "<AzulState before the first deal>"
    assert state.deal(draw=["BBBB", "YYYY", "RRRR", "KKKK", "WWWW"]) is state
    assert state.round == 1
    assert state.to_fen().startswith("BBBB|YYYY|RRRR|KKKK|WWWW/-/")


def test_apply_gives_a_new_state_and_rounds_carry_it_on() -> None:
    state = AzulState(2, seed=3)
    before = state.to_fen(2)
    after = state.apply(state.legal_moves()[0])
    assert state.to_fen(2) == before != after.to_fen(2)
    while moves := after.legal_moves():
        after = after.apply(moves[-1])
    assert after.phase == "tiling due"
    kept = after.copy()
    assert after.end_round() is after
    assert (kept.phase, after.phase) == ("tiling due", "tiling done")
    after.deal(random.Random(1))
    assert (after.phase, after.round) == ("offer", 2)
    with pytest.raises(ValueError, match="phase"):
        after.finish()
    assert after.round == 2


def test_illegal_moves() -> None:
    state = AzulState.from_fen(MIDGAME)
    for move, kind in (("4B4", "illegal"), ("hello", "invalid"), ("tile", "invalid")):
        with pytest.raises(IllegalMove) as caught:
            state.apply(move)
        assert caught.value.kind == kind
        assert isinstance(caught.value, ValueError)
    assert state.to_fen() == MIDGAME


def random_state(seed: int, steps: int) -> AzulState:
    chance = random.Random(seed)
    state = AzulState(chance.randint(2, 4), seed=seed)
    for _ in range(steps):
        if state.phase == "offer":
            state = state.apply(chance.choice(state.legal_moves()))
        elif state.phase == "tiling due":
            state.end_round()
        elif state.phase == "tiling done":
            try:
                state.deal(chance)
            except ValueError:
                state.finish()
    return state


@given(st.integers(0, 10**6), st.integers(0, 150))
def test_states_read_back_from_every_text_and_from_data(seed: int, steps: int) -> None:
    state = random_state(seed, steps)
    fen = state.to_fen(2)
    again = AzulState.from_fen(fen)
    assert again == state
    assert hash(again) == hash(state)
    assert again.to_fen() == fen
    data = json.loads(json.dumps(state.to_dict()))
    assert AzulState.from_dict(data) == state
    assert data["warnings"] == []
    assert copy.copy(state) == state
    if len(state.agents) == 2 and state.round <= 10:
        visible = AzulState.from_fen(state.to_fen(1))
        assert not visible.complete
        assert visible.to_fen() == state.to_fen(1)
        assert AzulState.from_dict(visible.to_dict()) == visible


def test_a_whole_game_has_a_winner() -> None:
    state = random_state(11, 10_000)
    assert state.phase == "ended"
    assert state.winners
    assert AzulState(2, seed=1).winners == ()


def test_text_order_and_spelling_are_kept_and_do_not_count() -> None:
    spelled = MIDGAME.replace("BBRW", "WRBB").replace("BBYYYY", "YBYYBY")
    state = AzulState.from_fen(spelled)
    assert state.to_fen() == spelled
    assert state.to_fen(canonical=True) == MIDGAME
    assert state == AzulState.from_fen(MIDGAME)
    narrow = state.to_fen(lines="narrow")
    assert "/-|--|---|WWWW|BBBBB/" in narrow
    assert AzulState.from_fen(narrow).to_fen() == narrow
    after = state.apply("cB0")
    assert after.to_fen().split("/")[:2] == ["----|----|----|----|WRBB", "YYYY"]


def test_versions() -> None:
    state = AzulState.from_fen(HELD)
    assert state.to_fen() == HELD
    assert state.to_fen(1).split("/")[4] == "BBBBBBB"
    assert state.marker == {"place": "held", "player": 0}
    three = AzulState(3, seed=1)
    with pytest.raises(NotExpressible, match="has 2 players"):
        three.to_fen(1)
    for version, lines in ((3, None), (1, "broad")):
        with pytest.raises(ValueError, match="choose one of"):
            state.to_fen(version, lines=lines)  # type: ignore[arg-type]
    late = HELD.replace("/0,0/1/", "/0,0/11/")
    with pytest.raises(NotExpressible, match="rounds 1 to 10"):
        AzulState.from_fen(late).to_fen(1)


def test_a_standard_game_that_outlives_the_tenth_round_goes_on_in_the_extended_form() -> None:
    text = (
        "----|----|----|----|----/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
        "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/10/0"
    )
    state = AzulState.from_fen(text)
    state.deal(random.Random(1))
    assert state.round == 11
    assert state.to_fen().startswith("v2/2/o/")
    assert AzulState.validate_fen(state.to_fen())


def test_what_a_standard_text_does_not_say_can_be_given() -> None:
    state = AzulState.from_fen(MIDGAME)
    assert state.marker == {"place": "unknown", "player": None}
    assert (state.bag, state.discard, state.start_player, state.complete) == (None, None, None, False)
    mine = AzulState.from_fen(MIDGAME, marker=1, discard={"B": 6, "W": 1})
    assert mine.to_fen() == MIDGAME
    assert mine.complete
    assert mine.discard == {"B": 6, "Y": 0, "R": 0, "K": 0, "W": 1}
    parts = mine.to_fen(2).split("/")
    assert parts[10] == "F"
    assert parts[-2:] == ["2,12,13,16,11", "6,0,0,0,1"]
    assert AzulState.from_fen(mine.to_fen(2)) == mine
    same = AzulState.from_fen(MIDGAME, marker=1, bag=[2, 12, 13, 16, 11])
    assert same == mine
    assert not AzulState.from_fen(MIDGAME, marker="center").complete
    after = mine.apply("cB0")
    assert after.to_fen(2).split("/")[7] == "B"
    for marker in (2, -1, "x"):
        with pytest.raises(ValueError, match="unknown marker place"):
            AzulState.from_fen(MIDGAME, marker=marker)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="blue: 21 tiles in the game, expected 20"):
        AzulState.from_fen(MIDGAME, bag=[9, 12, 13, 16, 12], discard=[0] * 5)
    with pytest.raises(ValueError, match="tiles in the game"):
        AzulState.from_fen(MIDGAME, bag=[99] * 5, discard=[0] * 5)
    with pytest.raises(ValueError, match="is not a supply of tiles"):
        AzulState.from_fen(MIDGAME, bag=[1])
    with pytest.raises(ValueError, match="are only for standard texts"):
        AzulState.from_fen(HELD, marker=1)


def test_every_form_is_read() -> None:
    store = forsyth.MemoryStore()
    state = AzulState.from_fen(MIDGAME)
    id = store.put(MIDGAME, "azul")
    for text in (id, forsyth.azul.encode_base64(MIDGAME), forsyth.azul.compress(MIDGAME), "midgame"):
        assert AzulState.from_fen(text, store=store) == state
        assert AzulState.validate_fen(text, store=store)
    with pytest.raises(FenError, match="Unknown state identifier"):
        AzulState.from_fen(id)
    store.set_initial("azul", MIDGAME)
    assert AzulState.from_fen("initial", store=store) == state
    assert AzulState.from_fen("initial") == AzulState.from_fen("start")


def test_levels() -> None:
    overfull, mixed = SEED, MIDGAME.replace("RR---", "RB---", 1)
    assert AzulState.validate_fen(overfull)
    assert not AzulState.validate_fen(overfull, "strict")
    report = AzulState.check_fen(overfull)
    assert [issue.code for issue in report.warnings] == ["CENTER_OVERFULL", "ROUND_TILES", "DRAFT_SUPPLY"]
    assert report.details == {
        "factories": 5,
        "center_tiles": 5,
        "players": 2,
        "round": 1,
        "current_player": 0,
    }
    assert AzulState.validate_fen(mixed, "format")
    assert not AzulState.validate_fen(mixed)
    (issue, *_) = AzulState.check_fen(mixed).errors
    assert issue.to_dict() | {"span": None} == {
        "code": "LINE_MIXED",
        "message": "Player 1 line 1 mixes colors",
        "severity": "error",
        "stage": "content",
        "component": "lines",
        "span": None,
        "player": 1,
        "row": 1,
    }
    assert not AzulState.check_fen("")
    with pytest.raises(ValueError, match="there is no level"):
        AzulState.validate_fen(SEED, "silly")  # type: ignore[arg-type]


@pytest.mark.parametrize("wrapped", [forsyth.azul.encode_base64, forsyth.azul.compress])
def test_the_report_of_a_wrapped_text_holds_what_is_inside(wrapped: Callable[[str], str]) -> None:
    broken = SEED.replace("BYRK", "XYRK", 1).replace("0,0", "a,b")
    (issue,) = AzulState.check_fen(wrapped(broken)).errors
    assert issue.code.endswith("_PAYLOAD")
    assert issue.inside == AzulState.check_fen(broken).errors
    assert [one["code"] for one in issue.to_dict()["inside"]] == ["TILE_COLOR", "SCORE_FORMAT"]
    assert issue.to_dict()["unwrapped"] == broken


def test_lenient_import() -> None:
    bare = MIDGAME.replace("-----|-----|-----|WWWW-|BBBBB", "|||WWWW|BBBBB")
    assert not AzulState.validate_fen(bare)
    assert import_fen(f" {bare}\n") == MIDGAME
    assert detect(bare) == "standard"
    with pytest.raises(FenError):
        import_fen("nothing")


@pytest.mark.parametrize(
    "change",
    [
        {"players": None},
        {"factories": [["BB"]]},
        {"factories": 7},
        {"round": "many"},
        {"center": [None]},
        {"complete": True},
        {"phase": "x", "complete": True},
        {"players": []},
        {"current_player": 5},
    ],
)
def test_data_that_are_no_state(change: dict[str, object]) -> None:
    data = AzulState.from_fen(MIDGAME).to_dict()
    with pytest.raises(ValueError, match=r"."):
        AzulState.from_dict({**data, **change})


@given(st.recursive(st.none() | st.integers() | st.text("BYF-", max_size=2), st.lists, max_leaves=5))
def test_no_data_do_any_harm(value: object) -> None:
    data = AzulState.from_fen(HELD).to_dict()
    for name in data:
        try:
            AzulState.from_dict({**data, name: value})
        except ValueError:
            continue


def test_places_that_only_one_position_has_differ_where_something_lies_there() -> None:
    two = forsyth.game("azul")
    three = two.with_variant("3-players")
    here, there = two.parse(two.start), three.parse(three.start)
    squares = {(one.name, one.a, one.b) for one in two.diff(here, there).squares}
    assert squares == {("c", "", "F"), ("f5", "", "BYRK"), ("f6", "", "BYRW")}
    assert {(one.name, one.b, one.a) for one in two.diff(there, here).squares} == squares


@pytest.mark.parametrize("players", [2.0, Decimal(2), "2", None])
def test_a_number_of_players_that_is_not_an_integer_is_a_value_error(players: Any) -> None:
    with pytest.raises(ValueError, match=r"Number of players must be 2 to 4, got "):
        AzulState(players)
