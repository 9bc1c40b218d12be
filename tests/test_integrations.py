"""Positions in pydantic's models and in series of pandas."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pandas as pd
import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

import forsyth
import forsyth.integrations.pandas
from forsyth.bulk.errors import BulkError
from forsyth.chess import Position
from forsyth.diagnostics import SHARED_CODES
from forsyth.integrations.pydantic import Fen

BARE = "4k3/8/8/8/8/8/8/4K3 w - -"
CANONICAL = f"{BARE} 0 1"
BROKEN = "rnbqkbnr/ppppxppp/8/44/4P3/8/PPPP1PPP/RNBQKBN b KQqk e4 0 1"
OPPOSITE = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


class Game(BaseModel):
    start: Annotated[Position, Fen("chess")]
    others: list[Annotated[Position, Fen("chess")]] = []


def errors_of(**given: Any) -> list[Any]:
    with pytest.raises(ValidationError) as caught:
        Game(**given)
    return caught.value.errors()


@pytest.mark.parametrize("text", [CANONICAL, BARE, forsyth.wrap(CANONICAL, "fenz")])
def test_a_text_in_any_form_becomes_a_position(text: str) -> None:
    game = Game(start=text)  # type: ignore[arg-type]
    assert isinstance(game.start, Position)
    assert str(game.start) == CANONICAL
    assert Game(start=game.start) == game


def test_a_model_is_written_and_read_back() -> None:
    game = Game(start=BARE, others=[CANONICAL])  # type: ignore[arg-type,list-item]
    assert game.model_dump(mode="json") == {"start": CANONICAL, "others": [CANONICAL]}
    assert game.model_dump()["start"] is game.start
    assert Game.model_validate_json(game.model_dump_json()) == game


def test_each_finding_is_one_error_with_its_place_and_fix() -> None:
    found = forsyth.check(BROKEN, "chess").errors
    errors = errors_of(start=CANONICAL, others=[CANONICAL, BROKEN])
    assert [error["type"] for error in errors] == [one.code for one in found]
    assert [error["msg"] for error in errors] == [one.message for one in found]
    assert {error["loc"] for error in errors} == {("others", 1)}
    told = [one.to_dict() for one in found]
    names = ("code", "severity", "field", "span", "square", "fix")
    assert [{name: error["ctx"][name] for name in names} for error in errors] == [
        {name: one[name] for name in names} for one in told
    ]


@pytest.mark.parametrize("value", [3, None, b"8/8", forsyth.game("azul").new_game(1)])
def test_what_is_no_text_is_refused(value: object) -> None:
    assert [error["type"] for error in errors_of(start=value)] == ["fen.type"]


def test_legality_and_mode_are_those_of_the_annotation() -> None:
    def accepts(value: object, **how: Any) -> bool:
        try:
            TypeAdapter(Annotated[Position, Fen("chess", **how)]).validate_python(value)
        except ValidationError:
            return False
        return True

    position = forsyth.read(OPPOSITE, "chess").position
    assert not accepts(OPPOSITE)
    assert not accepts(position)
    assert accepts(OPPOSITE, legality=False)
    assert accepts(position, legality=False)
    assert accepts(BARE)
    assert not accepts(BARE, mode="strict")
    assert accepts("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1", variant="chess960")


@pytest.mark.parametrize("name", forsyth.games())
def test_without_a_game_each_text_says_it(name: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Annotated[Any, Fen()])
    position = forsyth.game(name).parse(forsyth.game(name).start)
    assert adapter.validate_python(str(position)) == position
    assert adapter.validate_python(position) is position
    assert adapter.dump_json(position).decode() == f'"{position}"'


def test_an_annotation_that_means_nothing_is_refused_at_once() -> None:
    with pytest.raises(forsyth.UnknownGameError):
        Fen("checkers")
    with pytest.raises(ValueError, match="none"):
        Fen("chess", variant="none")
    with pytest.raises(ValueError, match="mode"):
        Fen("chess", mode="harsh")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is given without a game"):
        Fen(variant="chess960")


def test_the_schema_of_a_field_is_a_string() -> None:
    modes: tuple[Literal["validation", "serialization"], ...] = ("validation", "serialization")
    for mode in modes:
        schema = Game.model_json_schema(mode=mode)["properties"]["start"]
        assert schema["type"] == "string"
        assert schema["examples"] == [forsyth.game("chess").start]
    assert TypeAdapter(Annotated[Any, Fen()]).json_schema()["type"] == "string"
    assert all("{" not in info.summary for info in SHARED_CODES)


# --- pandas ---------------------------------------------------------------------------------------------


def series(*texts: object) -> Any:
    return pd.Series(texts, index=range(5, 5 + len(texts)), name="fen")


def test_the_accessor_says_what_the_library_says() -> None:
    column = series(BARE, None, BROKEN, OPPOSITE)
    fen = column.fen
    answers = {
        "check": fen.check(),
        "code": fen.code(),
        "canonical": fen.canonical("chess"),
        "key": fen.key(forsyth.game("chess")),
    }
    for answer in answers.values():
        assert list(answer.index) == [5, 6, 7, 8]
        assert answer.name == "fen"
        assert answer.isna()[6]
    assert answers["check"].dropna().tolist() == [True, False, False]
    assert answers["code"].dropna().tolist() == ["fen.fields4", "board.char", "check.opposite"]
    assert answers["canonical"].dropna().tolist() == [CANONICAL, OPPOSITE]
    position = forsyth.game("chess").parse(BARE)
    assert answers["key"][5] == position.key
    assert column[fen.check()].tolist() == [BARE]


def test_frames_have_a_row_for_each_text() -> None:
    column = series(BARE, None, BROKEN)
    scan = column.fen.scan()
    assert list(scan.columns) == ["ok", "code", "severity", "start", "end", "square", "findings"]
    assert list(scan.index) == [5, 6, 7]
    assert scan["code"][7] == "board.char"
    assert list(column.fen.features().index) == [5, 6, 7]


def test_an_index_with_repeated_labels_does_no_harm() -> None:
    column = pd.Series([None, CANONICAL, BARE], index=[1, 1, 1])
    assert column.fen.check().dropna().tolist() == [True, True]


@pytest.mark.parametrize("column", [series("nonsense"), pd.Series([1, 2])])
def test_a_game_that_is_not_detected_has_to_be_named(column: Any) -> None:
    with pytest.raises(BulkError, match=r"name it: series\.fen\.check"):
        column.fen.check()


@pytest.mark.parametrize("texts", [[], [None, None]], ids=["no rows", "nothing in them"])
def test_a_series_without_a_text_needs_no_game(texts: list[None]) -> None:
    """Such as what is left of a frame after a filter."""
    series = pd.Series(texts, dtype="object", index=range(5, 5 + len(texts)))
    for answer in (series.fen.check(), series.fen.code(), series.fen.canonical(), series.fen.key()):
        assert answer.index.tolist() == series.index.tolist()
        assert answer.isna().all()
    assert len(series.fen.scan()) == len(texts)
    with pytest.raises(BulkError, match="name it"):
        series.fen.features()
    assert len(series.fen.features("chess")) == len(texts)
