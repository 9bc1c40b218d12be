"""The contract finds what is wrong with a game: each mutant of Nim breaks one promise and is refused for it.

The mutants of editing and columns are made of the game of 0.1, which has both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest
from examples.nim import GAME, Heaps, Nim
from tests.outside_game_0_1 import Nim as OldNim

import forsyth
from forsyth.bulk import arrow
from forsyth.column import CANONICAL, Planes
from forsyth.diagnostics import Confidence, Diagnostic, Fix, Reading, Severity, Span
from forsyth.game import Game, Outcome
from forsyth.scene import Scene
from forsyth.testing import conform
from forsyth.testing.positions import is_same_position, require_identity

TEXTS = (
    "nim 1/2 2",
    "nim 0/0 1",
    "nim 0 2",
    "nim 3/12/5 1",
    " nim 3/4  5 1",
    "nim 03/4 1",
    "nim 9/9/9/9/9/9/9/9 1",
)

Wrong = Callable[..., Any]


def mutant(base: type[Any], **members: Any) -> Game:
    """A game that is like another but for some members."""
    return cast(Game, type("Mutant", (base,), members)())


def test_the_example_conforms_in_both_variants() -> None:
    conform(GAME, TEXTS)
    conform(GAME.with_variant("misere"), TEXTS)


def test_the_texts_given_are_looked_at() -> None:
    def read(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
        if text == "nim 7/7 1":
            raise KeyError(text)
        return Nim.read(self, text, mode=mode)

    conform(mutant(Nim, read=read))
    with pytest.raises(AssertionError, match=r"nim: reading 'nim 7/7 1' in mode \w+ raises KeyError"):
        conform(mutant(Nim, read=read), ["nim 7/7 1"])


def changed(change: Callable[[Diagnostic], Diagnostic]) -> Wrong:
    """A reader whose findings are changed."""

    def read(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
        reading = Nim.read(self, text, mode=mode)
        return reading.replace(diagnostics=tuple(map(change, reading.diagnostics)))

    return read


def mending_what_is_right(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
    """A warning about a good text, with a fix that is said to be certain and breaks it."""
    reading = Nim.read(self, text, mode=mode)
    if text != "nim 1/2 2" or mode == "strict":
        return reading
    fix = Fix(Span(0, len(text)), "nim", Confidence.CERTAIN)
    return reading.with_findings(
        [Diagnostic("nim.spelling", "!", Severity.WARNING, "text", fix.span, fix=fix)]
    )


def shifted(found: Diagnostic) -> Diagnostic:
    """A fix that begins before the text."""
    return found if found.fix is None else replace(found, fix=replace(found.fix, span=Span(-1, 0)))


def lenient_always(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
    reading = Nim.read(self, text, mode="lenient")
    return reading if reading.position is None else reading.replace(diagnostics=())


def raising(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
    return Nim.read(self, text.encode("ascii").decode(), mode=mode)


def parsing_all(self: Nim, text: str, *, mode: Any = "default", legality: bool = True) -> Heaps:
    return Nim.parse(self, text, mode=mode, legality=False)


class Forgetful(Heaps):
    """A position whose text leaves out who moves."""

    def __str__(self) -> str:
        return Heaps.__str__(Heaps(self.tokens, 1))


class Lonely(Heaps):
    """A position that equals only itself."""

    __eq__ = object.__eq__
    __hash__ = Heaps.__hash__


class Rehashed(Heaps):
    """A position whose hash differs from that of equal positions."""

    __hash__ = object.__hash__


class OtherKey(Heaps):
    """A position with the text of another, but not its key."""

    @property
    def key(self) -> str:
        return "0" * 32


def reading_as(kind: type[Heaps]) -> Wrong:
    def read(self: Nim, text: str, *, mode: Any = "default") -> Reading[Heaps]:
        reading = Nim.read(self, text, mode=mode)
        found = reading.position
        return reading if found is None else reading.replace(position=kind(found.tokens, found.side))

    return read


def counted_up(self: Nim, position: Heaps) -> str:
    return f"{id(position):032x}"


COUNT = iter(range(10**6))

READING: dict[str, tuple[dict[str, Any], str]] = {
    "no title": ({"title": ""}, "the game has no title"),
    "variant not listed": (
        {"variants": ("misere",)},
        "the variant 'normal' of the game is not one of its variants",
    ),
    "any variant": (
        {"with_variant": lambda self, variant: self},
        r"with_variant\('misere'\) returns nim in the variant",
    ),
    "code twice": ({"codes": GAME.codes * 2}, "a diagnostic code is listed twice"),
    "start not canonical": ({"start": "nim 03/4/5 1"}, "expected"),
    "start not legal": ({"start": "nim 12 1"}, "heap a holds 12"),
    "start too long": ({"max_text": 5}, "the text is not like"),
    "a name that is no text": ({"names": {"start": "nim 1 1", "end": "nim"}}, "named 'end' has errors"),
    "a pattern of everything": ({"move_pattern": ".+"}, "which is not a move"),
    "chance without seed": (
        {"new_game": lambda self, seed=None: Heaps((next(COUNT) % 7,), 1)},
        "returns different positions",
    ),
    "reading raises": ({"read": raising}, "raises UnicodeEncodeError"),
    "likelihood of two": ({"likelihood": lambda self, text: 2.0}, "expected 0 to 1"),
    "likelihood of nothing": ({"likelihood": lambda self, text: 0.0}, "the likelihood of the start is 0.0"),
    "code not listed": ({"codes": GAME.codes[:1]}, "which is not listed"),
    "span outside": (
        {"read": changed(lambda one: replace(one, span=Span(0, one.span.end + 1)))},
        "outside the text",
    ),
    "fix outside": (
        {"read": changed(shifted)},
        "outside the text",
    ),
    "no sentence": ({"read": changed(lambda one: replace(one, message=" "))}, "with an empty message"),
    "a fix that adds errors": ({"read": mending_what_is_right}, "gives more errors"),
    "strict reads all": (
        {"read": lenient_always},
        "has no errors in strict mode|in default mode, but not in strict mode",
    ),
    "parse without legality": ({"parse": parsing_all}, "parse and check disagree|is not legal"),
}

IDENTITY: dict[str, tuple[dict[str, Any], str]] = {
    "another text": ({"write": lambda self, position, style="canonical": "nim 1 1"}, r"write and str\(\)"),
    "any style": (
        {"write": lambda self, position, style="canonical": str(position)},
        "writing in a style that does not exist",
    ),
    "half a text": (
        {"read": reading_as(Forgetful)},
        "expected its canonical text|is not canonical|read as another",
    ),
    "equal with another hash": ({"read": reading_as(Rehashed)}, "returns positions that are not equal"),
    "most of an ability": (
        {"packed_width": 9, "feature_list": (), "features": lambda self, p: (), "column": None},
        "the game lacks plane_shape, planes, which the ability Columnar requires",
    ),
    "a short key": ({"key": lambda self, position: "abc"}, "expected 32 hexadecimal digits"),
    "a wrong key": ({"key": counted_up}, "is read as another position"),
    "zeros taken": ({"unpack": lambda self, data: Nim.unpack(self, data.rstrip(b"\0"))}, "followed by zeros"),
    "any bytes": (
        {"unpack": lambda self, data: Nim.unpack(self, data) if data[:1] == b"\1" else Heaps((1,), 1)},
        "can be unpacked, but|raises",
    ),
    "unpack raises": (
        {"unpack": lambda self, data: Nim.unpack(self, bytes([data[0]]) + data[1:])},
        "IndexError",
    ),
    "cells twice": (
        {"scene": lambda self, position, **how: twice(Nim.scene(self, position, **how))},
        "two cells of a scene have the same id",
    ),
    "marks lost": (
        {"scene": lambda self, position, **how: Nim.scene(self, position)},
        r"the scene marks \[\], expected the square a",
    ),
    "always different": (
        {"diff": lambda self, a, b: Nim.diff(self, a, Heaps((8,), 1))},
        "differences of a position from itself|diff and == disagree",
    ),
    "never different": ({"diff": lambda self, a, b: Nim.diff(self, a, a)}, "diff and == disagree"),
}


def twice(scene: Scene) -> Scene:
    """The scene with its area drawn twice."""
    return replace(scene, areas=scene.areas * 2)


def unplayed(self: Nim, position: Heaps, move: str) -> Heaps:
    object.__setattr__(position, "side", 3 - position.side)
    return Nim.play(self, position, move)


RULES: dict[str, tuple[dict[str, Any], str]] = {
    "perft": ({"perft": lambda self, position, depth: depth + 1}, r"perft\([01]\) of"),
    "moves alike": ({"write_move": lambda self, position, move: move[0] + "1"}, "have the same notation"),
    "another move": (
        {"read_move": lambda self, position, text: "a1"},
        "is read as another move|reading the move text",
    ),
    "a pattern too narrow": (
        {"move_pattern": "[a-h]1", "read_move": lambda self, p, text: GAME.read_move(p, text)},
        "move_pattern does not match",
    ),
    "a position that changes": ({"play": unplayed}, "changes the position before the move"),
    "facts of another": (
        {"describe_move": lambda self, p, move: Nim.describe_move(self, p, move)._replace(after="")},
        "describe_move of .* returns the move",
    ),
    "no such cell": (
        {"describe_move": lambda self, p, move: Nim.describe_move(self, p, move)._replace(origin="z")},
        "returns the square 'z', which is not in the scene",
    ),
    "what is no move": ({"read_move": lambda self, p, text: text}, "the move text ''"),
    "another error": (
        {"read_move": lambda self, p, text: Nim.read_move(self, p, text) if text.strip() else 1 / 0},
        "raises ZeroDivisionError, expected MoveError",
    ),
    "a truth value as player": (
        {"move_number": lambda self, position: (1, position.side == 2)},
        "expected two whole numbers",
    ),
    "no player": (
        {"move_number": lambda self, position: (1, 2)},
        "expected a number of at least 0 and an index of players",
    ),
    "a claim after the end": (
        {"claims": lambda self, position, repetitions=1: ("now",)},
        "after the end of the game",
    ),
    "a result of words": (
        {"outcome": lambda self, p, repetitions=1: None if any(p.tokens) else Outcome("won", "empty")},
        "expected a share 0, 1 or 1/2",
    ),
    "an action that nobody reads": ({"actions": lambda self, position: ("deal",)}, "is not a move"),
}


@pytest.mark.parametrize("name", [*READING, *IDENTITY, *RULES])
def test_a_mutant_is_refused(name: str) -> None:
    members, sentence = {**READING, **IDENTITY, **RULES}[name]
    with pytest.raises(AssertionError, match=sentence):
        conform(mutant(Nim, **members), TEXTS)


def moves_again_later(self: Nim, position: Heaps) -> list[str]:
    """Moves of which one is listed twice when the first heap of the start has been taken."""
    moves = Nim.moves(self, position)
    return moves + moves[:1] if position.tokens[0] == 0 and len(position.tokens) == 3 else moves


def test_a_move_that_is_listed_twice_only_later_in_a_match_is_found() -> None:
    members = {"moves": moves_again_later, "perft": lambda self, p, depth: len(self.moves(p)) if depth else 1}
    with pytest.raises(AssertionError, match=r"two moves of 'nim 0/\d/\d \d' have the same notation '\w\d'"):
        conform(mutant(Nim, **members))


def test_a_game_whose_with_look_loses_the_subclass_is_found() -> None:
    looks = {"looks": ("plain", "bold")}
    conform(mutant(Nim, with_look=choose_look, **looks))
    lost = {
        "with_look": lambda self, look: (choose_look(self, look), GAME)[1],
    }
    with pytest.raises(
        AssertionError, match=r"with_look\('plain'\) returns a game of type .*Nim, expected .*Mutant"
    ):
        conform(mutant(Nim, **looks, **lost))
    with pytest.raises(AssertionError, match="selecting a look that does not exist returns"):
        conform(mutant(Nim, with_look=lambda self, look: self, **looks))
    with pytest.raises(AssertionError, match="the game lacks with_look, which the ability Looks requires"):
        conform(mutant(Nim, **looks))


def choose_look(self: Nim, look: str) -> Nim:
    if look not in ("plain", "bold"):
        raise ValueError(look)
    return self


def test_a_game_without_columns_whose_pack_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """`forsyth pack` ended in a traceback: its function raised ValueError in place of BulkError."""

    def pack(texts: Any, game: Any, *, width: int | None = None) -> Any:
        if width is None:
            raise ValueError("positions of nim have no packed columns")
        return right(texts, game, width=width)

    right = arrow.pack
    monkeypatch.setattr(arrow, "pack", pack)
    with pytest.raises(
        AssertionError, match=r"nim: calling forsyth.bulk.arrow.pack raises ValueError, expected"
    ):
        conform(GAME)


def test_a_column_that_differs_from_the_reader_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "normalise", lambda texts, game: pa.array(["nim 1 1"] * len(texts)))
    with pytest.raises(
        AssertionError, match=r"forsyth.bulk.arrow.normalise gives 'nim 1 1' for 'nim 3/4/5 1'"
    ):
        conform(GAME)


# --- editing and columns ------------------------------------------------------------------------------


class Editing(OldNim):
    """The game of 0.1 without the two faults that the contract finds in it: any style, and no other heaps."""

    diff = Game.diff

    def write(self, position: Any, style: str = "canonical") -> str:
        if style not in ("canonical", "heaps"):
            raise ValueError(style)
        return OldNim.write(self, position, style)


def too_many(self: Any, position: Any, square: str, symbol: str | None) -> Any:
    """A heap that no text can say."""
    return replace(OldNim.put(self, position, square, symbol), tokens=(100,))


def anywhere(self: Any, position: Any, source: str, target: str) -> Any:
    try:
        return OldNim.lift(self, position, source, target)
    except ValueError:
        return position


ABILITIES: dict[str, tuple[dict[str, Any], str]] = {
    "symbols twice": (
        {"palette": lambda self, p: twice(OldNim.palette(self, p))},
        "the palette has a symbol twice",
    ),
    "no text for it": ({"put": too_many}, "read as another position"),
    "an error of another kind": ({"put": lambda self, p, square, symbol: {}[square]}, "raises KeyError"),
    "lifted to nowhere": ({"lift": anywhere}, "moving a piece to or from an unknown square returns"),
    "a field that forgets": (
        {"with_field": lambda self, p, name, value: replace(OldNim.with_field(self, p, name, value), side=1)},
        "was set to 2 and is 1",
    ),
    "a field of any name": (
        {
            "with_field": lambda self, p, name, value: (
                p if name != "side" else OldNim.with_field(self, p, name, value)
            )
        },
        "setting a field that does not exist",
    ),
    "too narrow": ({"packed_width": 4}, "packed_width is 4, but the packed form"),
    "one feature less": ({"features": lambda self, p: (0,)}, "has 1 features, expected 2"),
    "a label too far": ({"features": lambda self, p: (p.side, 0)}, "the feature side of"),
    "one name twice": ({"feature_list": OldNim.feature_list[:1] * 2}, "two features have the same name"),
    "planes cut off": ({"planes": lambda self, p: b"\0"}, "have 1 bytes"),
    "planes of another shape": ({"plane_shape": Planes(("a", "b"), 3, 3)}, "the planes of"),
}


def test_a_game_of_0_1_conforms_but_for_two_faults() -> None:
    conform(mutant(Editing), TEXTS)
    with pytest.raises(AssertionError, match="writing in a style that does not exist"):
        conform(mutant(OldNim), TEXTS)


@pytest.mark.parametrize("name", ABILITIES)
def test_a_mutant_of_an_ability_is_refused(name: str) -> None:
    members, sentence = ABILITIES[name]
    with pytest.raises(AssertionError, match=sentence):
        conform(mutant(Editing, **members), TEXTS)


def lying(verb: str) -> Wrong:
    """A kernel of chess that writes one wrong byte behind its results, or a wrong verdict."""
    kernels = forsyth.game("chess").column
    right = getattr(kernels, verb)

    def wrong(*given: Any) -> None:
        right(*given)
        if verb == "scan":
            given[6][0:1] = bytes([CANONICAL])
            given[6][1:2] = bytes([CANONICAL])
        else:
            given[5][0] ^= 1

    return wrong


@pytest.mark.parametrize("verb", ["scan", "keys", "pack", "unpack", "features", "planes"])
def test_a_kernel_that_lies_is_refused(verb: str) -> None:
    chess = forsyth.game("chess")
    names = ("codes", "squares", "scan", "rewrite", "keys", "pack", "unpack", "features", "planes")
    kernels = SimpleNamespace(**{name: getattr(chess.column, name) for name in names})
    conform(mutant(type(chess), column=kernels))
    setattr(kernels, verb, lying(verb))
    with pytest.raises(
        AssertionError, match=r"the kernels misjudge|kernels and reader disagree|the kernels unpack"
    ):
        conform(mutant(type(chess), column=kernels), ["8/8/8/8/8/8/8/9 w - - 0 1"])


def test_reading_a_text_twice_gives_equal_positions() -> None:
    require_identity(GAME, Heaps((3, 4), 1))
    for kind in (Lonely, Rehashed):
        with pytest.raises(AssertionError, match="returns positions that are not equal"):
            require_identity(mutant(Nim, read=reading_as(kind)), Heaps((3, 4), 1))


def test_positions_are_the_same_if_both_text_and_key_are() -> None:
    position = Heaps((3, 4), 1)
    assert is_same_position(GAME, position, Heaps((3, 4), 1))
    assert not is_same_position(GAME, position, Heaps((3, 4), 2))
    # Other text and the same key, then the same text and another key.
    assert not is_same_position(mutant(Nim, key=lambda self, one: "0" * 32), position, Heaps((3, 4), 2))
    by_member = mutant(Nim, key=lambda self, one: one.key)
    assert is_same_position(by_member, position, Heaps((3, 4), 1))
    assert not is_same_position(by_member, position, OtherKey((3, 4), 1))
