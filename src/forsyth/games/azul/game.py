# cython: annotation_typing=False
"""Azul as a `Game`: one face over the modules of this folder, for two, three or four players.

How many play, and whether a position is complete, each text says itself; a variant has its own start
position. Moves are their texts. What happens between the rounds is no player's move and stands in `actions`:
``tile`` ends a round, ``deal`` begins the next one, ``finish`` ends the game. A deal is written with its
tiles, ``deal:BYRK|…`` in the order drawn, so that a record says all. ``deal`` alone draws by chance, but the
same tiles each time in one position; ``deal#7`` draws others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from forsyth.arguments import no_choice, quoted, require_choice, require_text, whole_number
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, MoveError, Reading, Severity
from forsyth.game import (
    Difference,
    Field,
    Game,
    MoveFacts,
    Outcome,
    RoundScore,
    not_a_move_text,
    not_a_position,
)
from forsyth.game_values import Prospect, ScoreLine
from forsyth.games.azul import edit, json_state
from forsyth.games.azul.codes import CODES
from forsyth.games.azul.drawing.describe import player_name
from forsyth.games.azul.drawing.looks import BOARDS, LOOKS
from forsyth.games.azul.drawing.scene import scene as draw_scene
from forsyth.games.azul.facts import difference
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.fields import shown
from forsyth.games.azul.notation.kernel import MAX_LENGTH, decode, decode_canonical
from forsyth.games.azul.notation.write import write_canonical, write_extended, write_standard
from forsyth.games.azul.numbers.column import COLUMN
from forsyth.games.azul.numbers.features import FEATURES, features
from forsyth.games.azul.numbers.packed import pack, position_key, unpack
from forsyth.games.azul.numbers.planes import PLANES, planes
from forsyth.games.azul.position import DONE, ENDED, PHASES, TILING, Position
from forsyth.games.azul.rules import explain
from forsyth.games.azul.rules.check import check as check_position
from forsyth.games.azul.rules.moves import (
    CENTER,
    FLOOR,
    MOVE,
    apply_move,
    count_lines,
    legal_moves,
    read_move,
)
from forsyth.games.azul.rules.prospects import prospect, score_table
from forsyth.games.azul.rules.rounds import (
    before_first_deal,
    deal,
    draw,
    end_round,
    finish,
    is_last_round,
    winners_of,
)
from forsyth.games.azul.rules.scoring import complete_rows
from forsyth.games.azul.tiles import COLOURS, TILES_PER_FACTORY, factory_count
from forsyth.hindrances import Hindrance, require_places
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.scene import Colour, Mark, Scene

TILE: Final = "tile"
DEAL: Final = "deal"
FINISH: Final = "finish"
_EXPLICIT: Final = "deal:"
_EXPLICIT_DEAL: Final = re.compile(r"deal:(?:[BYRKW]{0,4})(?:\|[BYRKW]{0,4})*")
_SEEDED_DEAL: Final = re.compile(r"deal#([0-9]{1,18})")

_FACTORY: Final = re.compile(r"[BYRKW-]{4}")
_BROKEN_OFF: Final = 0.3
"""How likely a text is that is far too short, where all of it fits."""

START: Final = (
    "BYRK|WBYR|KWBY|RKWB|YRKW/-/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-"
    "/-----|-----|-----|-----|-----/-----|-----|-----|-----|-----/-/0,0/1/0"
)
_MIDGAME: Final = (
    "----|----|----|----|BBRW/BBYYYY/-YR--|--Y-K|-W---|----Y|--K--/-----|-----|-----|WWWW-|BBBBB/-"
    "/-Y-K-|W---K|-WB--|-----|-R---/B----|RR---|RR---|B----|-----/-/8,7/3/0"
)
_ENDGAME: Final = (
    "----|----|----|----|BYYR/RW/-YR-W|-BY-K|-WB-R|--W-Y|--KWB/-----|-----|-----|KKK--|RRR--/-"
    "/BYRK-|W-YRK|KWB-R|-----|YR---/W----|BB---|YYY--|BB---|KK---/-/33,31/5/0"
)
SEED_EXAMPLE: Final = START.replace("/-/", "/BYRKW/", 1)


def _start_for(players: int) -> str:
    """A start position with the deal of `START` going on in its own pattern."""
    dealt = [(COLOURS * 2)[-factory % 5 :][:TILES_PER_FACTORY] for factory in range(factory_count(players))]
    return write_canonical(deal(before_first_deal(players), dealt))


_STARTS: Final = {"2-players": START, "3-players": _start_for(3), "4-players": _start_for(4)}
_EXAMPLES: Final = {
    "The start position": START,
    "The middle of a game": _MIDGAME,
    "Complete, with bag and marker": "v2/2/o/----|----|----|----|RRKW/K/-----|-----|-----|-----|-----"
    "/-|W-|---|----|-----/BBBBBBB+F/-----|-----|-----|-----|-----/-|--|---|----|-----/YYYYRR/0,0/1/1/0"
    "/12,16,16,18,18/1,0,0,0,0",
    "Three players": _STARTS["3-players"],
    "Five tiles too many": SEED_EXAMPLE,
    "A factory of three": START.replace("BYRK", "BYR", 1),
    "Two colours in one line": _MIDGAME.replace("RR---", "RB---", 1),
    "Copied from a book": _MIDGAME.replace("/-/", "/–/"),
}
_LETTERS: Final = b"BYRKWF-|/,+0123456789otdev"
_EXTENDED: Final = re.compile(r"v[0-9]+/")


class AzulGame(Game[Position, str]):
    """The game of Azul."""

    name = "azul"
    title = "Azul"
    variants = tuple(_STARTS)
    variant = variants[0]
    start = START
    players: tuple[str, ...] = ()
    names: Mapping[str, str] = {}
    styles: Mapping[str, str] = {
        "standard": "the visible position for two players (v1)",
        "extended": "the complete position: phase, bag, discard and marker as well (v2)",
        "narrow": "standard, pattern line i with i + 1 characters",
        "verbatim": "as it was read: order of tiles and width of lines",
    }
    codes: tuple[CodeInfo, ...] = CODES
    examples: Mapping[str, str] = _EXAMPLES
    max_text = MAX_LENGTH
    packed_width = 96
    feature_list: tuple[Feature, ...] = FEATURES
    plane_shape: Planes = PLANES
    column: Column | None = COLUMN
    data_schema: Mapping[str, Any] = json_state.SCHEMA
    move_pattern = rf"{MOVE}|tile|finish|deal(?:#[0-9]{{1,18}}|:[BYRKW|]*)?"

    looks: tuple[str, ...] = tuple(LOOKS)
    boards: Mapping[str, Mapping[str, Colour]] = BOARDS

    def __init__(self, variant: str = "2-players", look: str = "ornaments") -> None:
        require_choice("azul variant", variant, _STARTS)
        require_choice("azul look", look, LOOKS)
        self.variant = variant
        self.look = look
        self.start = write_canonical(read_fen(_STARTS[variant]).require())
        self.players = tuple(f"Player{player}" for player in range(int(variant[0])))
        two = {"midgame": _MIDGAME, "endgame": _ENDGAME} if len(self.players) == 2 else {}
        self.names = {"start": _STARTS[variant], "initial": _STARTS[variant], **two}

    def __repr__(self) -> str:
        return f"<Game azul, {self.variant}>"

    def with_variant(self, variant: str) -> AzulGame:
        """The same game beginning with other players; ``auto`` is the usual two."""
        if variant == "auto":
            return self
        return AzulGame(variant)

    def likelihood(self, text: str) -> float:
        """How much a text looks like an Azul position, 0 to 1."""
        require_text("the text", text)
        text = text[:MAX_LENGTH].strip()
        if "/" not in text:
            return _likelihood_of_factories(text)
        if "|" not in text and not _EXTENDED.match(text):
            return 0.0
        # As bytes: taking characters out of a text takes ten times as long.
        foreign = text.encode("ascii", "replace").translate(None, _LETTERS)
        fitting = 1 - float(len(foreign)) / len(text)
        slashes = text.count("/")
        expected = [16, 19, 22] if _EXTENDED.match(text) else [10]
        shape = max(0.3, 0.95 - 0.1 * min([abs(slashes - count) for count in expected]))
        return round(shape * fitting, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Position]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""
        position = _decoded(text, mode)
        return read_fen(text, mode=mode) if position is None else Reading(text, self.name, position)

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Position:
        """The position of a plain text; raises `FenError` with every finding when there is an error."""
        position = _decoded(text, mode)
        # A warning about a sound position is an error in strict mode.
        if position is not None and (mode != "strict" or not legality):
            return position
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            found = check_position(reading.position, text=text, mode=mode)
            if mode == "strict":
                found = tuple([finding.with_severity(Severity.ERROR) for finding in found])
            reading = reading.with_findings(found)
        return reading.require()

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about content and reachability, placed in `text` (by default the canonical text)."""
        _require_own(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text, mode=mode)

    def write(self, position: Position, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`; `ValueError` where one cannot hold it."""
        _require_own(position)
        if style == "canonical":
            return write_canonical(position)
        if style == "standard":
            return write_standard(position, canonical=True)
        if style == "extended":
            return write_extended(position, canonical=True)
        if style == "narrow":
            return write_standard(position, canonical=True, lines="narrow")
        if style == "verbatim":
            return write_extended(position) if position.complete else write_standard(position)
        raise no_choice("azul style", style, ("canonical", *self.styles))

    def key(self, position: Position) -> str:
        """32 hexadecimal digits, the same for all texts of one position."""
        _require_own(position)
        return position_key(position)

    def pack(self, position: Position) -> bytes:
        """The binary form of a position."""
        _require_own(position)
        return pack(position)

    def unpack(self, data: bytes) -> Position:
        """The position of a binary form; raises `ValueError` when it is none."""
        return unpack(data)

    # --- rules --------------------------------------------------------------------------------------

    def moves(self, position: Position) -> list[str]:
        """The legal moves in canonical order; none between the rounds, see `actions`."""
        _require_own(position)
        return legal_moves(position)

    def actions(self, position: Position) -> tuple[str, ...]:
        """What happens next when no player moves: ``tile``, ``deal`` or ``finish``."""
        _require_own(position)
        if position.phase == TILING:
            return (TILE,)
        if position.phase == DONE:
            return (FINISH,) if is_last_round(position) else (DEAL,)
        return ()

    def read_move(self, position: Position, text: str) -> str:
        """The legal move or action that a text names; raises `MoveError`."""
        _require_own(position)
        if not isinstance(text, str):
            raise not_a_move_text(text)
        if not text.startswith((TILE, DEAL, FINISH)):
            return read_move(position, text)
        actions = self.actions(position)
        word = DEAL if text.startswith(DEAL) else text
        if word not in actions:
            message = f"{shown(text)} cannot be done in phase {PHASES[position.phase]}"
            raise MoveError("illegal", text, message, actions or legal_moves(position))
        return _read_deal(position, text) if word == DEAL else text

    def write_move(self, position: Position, move: str) -> str:
        """A legal move or action in canonical notation, which it is already."""
        return self.read_move(position, move)

    def describe_move(self, position: Position, move: str) -> MoveFacts:
        """A legal move; flags are m takes the marker, f to the floor, o tiles that overflow to it."""
        move = self.read_move(position, move)
        after = write_canonical(_played(position, move))
        if move.startswith((TILE, DEAL, FINISH)):
            return MoveFacts(move, move, None, None, "", None, after)
        source, colour, place = move[0], move[1], move[2]
        mover = position.current
        taken = (position.center if source == CENTER else position.factories[int(source)]).count(colour)
        flags = "m" if source == CENTER and position.marker_in_center else ""
        if place == FLOOR:
            flags += "f"
        elif taken > int(place) + 1 - len(position.boards[mover].lines[int(place)]):
            flags += "o"
        origin = "c" if source == CENTER else f"f{source}"
        target = f"p{mover}f" if place == FLOOR else f"p{mover}l{place}"
        return MoveFacts(move, move, origin, target, flags, None, after, colour)

    def play(self, position: Position, move: str) -> Position:
        """The position after a legal move or action; raises `MoveError` for that of another position."""
        return _played(position, self.read_move(position, move))

    def perft(self, position: Position, depth: int) -> int:
        """How many sequences of `depth` moves there are within the round."""
        _require_own(position)
        return int(count_lines(position, whole_number("the depth", depth, 0, MAX_COUNTED_DEPTH)))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None; a shared victory is half a point for each who shares it."""
        _require_own(position)
        whole_number("the number of repetitions", repetitions, 1)
        if position.phase != ENDED:
            return None
        winners = winners_of(position)
        share = "1" if len(winners) == 1 else "1/2"
        result = "-".join([share if player in winners else "0" for player in range(position.players)])
        if len(winners) > 1:
            return Outcome(result, "shared victory")
        best = position.boards[winners[0]]
        level = sum([board.score == best.score for board in position.boards]) > 1
        rows = complete_rows(best.wall)
        return Outcome(result, f"more complete rows ({rows})" if level else f"highest score ({best.score})")

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Nothing is to be claimed."""
        _require_own(position)
        whole_number("the number of repetitions", repetitions, 1)
        return ()

    def side_to_move(self, position: Position) -> str:
        """``Player 1``, who is to move; between the rounds who begins the next one."""
        _require_own(position)
        return player_name(position.current)

    @property
    def player_names(self) -> tuple[str, ...]:
        """What people call the players; in the notation the first one has the number 0."""
        return tuple([player_name(player) for player in range(len(self.players))])

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Why a text names no legal move or action; None where it names one."""
        try:
            self.read_move(position, text)
        except MoveError as error:
            return explain.of_text(position, text, error)
        return None

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Why tiles cannot go from a factory or the centre to a line; None where they can."""
        _require_own(position)
        require_places(origin, target, piece)
        return explain.why_not(position, origin, target, piece)

    def prospect(self, position: Position, move: str) -> Prospect | None:
        """What the tiling would bring after a move; None for an action between the rounds."""
        move = self.read_move(position, move)
        return None if move.startswith((TILE, DEAL, FINISH)) else prospect(position, move)

    def score_table(self, position: Position) -> tuple[ScoreLine, ...]:
        """The bonuses of an ended game, row by row."""
        _require_own(position)
        return score_table(position)

    def move_number(self, position: Position) -> tuple[int, int]:
        """The round, and who moves; a deal stands before the moves of its round."""
        _require_own(position)
        if position.phase == DONE and not is_last_round(position):
            return position.round + 1, 0
        return position.round, position.current

    def end_round(self, position: Position) -> tuple[RoundScore, ...]:
        """What the tiling that is due brings each player; nothing where none is due."""
        _require_own(position)
        if position.phase != TILING:
            return ()
        boards = end_round(position).boards
        return tuple([RoundScore(tuple([one._asdict() for one in b.placements]), b.penalty) for b in boards])

    # --- the words of the specification --------------------------------------------------------------

    def type_of(self, reading: Reading[Position]) -> str:
        """The type of the text that was read, in the words of spec/azul 6.1."""
        from forsyth.games.azul.documents import report

        return report.type_of(reading)

    def details_of(self, position: Position) -> dict[str, Any]:
        """How many factories, tiles in the centre and players there are, the round, and who moves."""
        from forsyth.games.azul.documents import report

        _require_own(position)
        return report.details_of(position)

    def places_of(self, square: str | None) -> Mapping[str, int]:
        """The numbers in the name of a place: the index of a factory, or player, row and column."""
        from forsyth.games.azul.documents import report

        if square is not None:
            require_text("the name of a place", square)
        return report.places_of(square)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """What differs between two positions, field by field and place by place."""
        _require_own(a)
        _require_own(b)
        return difference(a, b)

    def scene(
        self,
        position: Position,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """What to draw; `marks` says which places to mark and why, `notes` what to say about them."""
        _require_own(position)
        return self._drawn(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _drawn(self, scene: Scene) -> Scene:
        return scene if self.look == self.looks[0] else replace(scene, glyphs=LOOKS[self.look])

    def with_look(self, look: str) -> AzulGame:
        """The same game with its tiles drawn otherwise; `ValueError` for a look it does not have."""
        require_choice("azul look", look, LOOKS)
        return AzulGame(self.variant, look)

    def features(self, position: Position) -> tuple[int, ...]:
        """The numbers of a position, one for each of `feature_list`."""
        _require_own(position)
        return features(position)

    def planes(self, position: Position) -> bytes:
        """The position as a tensor of bytes, plane by plane, row by row."""
        _require_own(position)
        return planes(position)

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """The first round of this variant's players, complete, dealt as the seed says or by chance."""
        return edit.new_game(len(self.players), seed)

    def palette(self, position: Position) -> Scene:
        """The tiles of five colours and the first-player marker."""
        _require_own(position)
        return self._drawn(edit.palette(position))

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """The position with one more tile in a place, or without the tile of a cell for None."""
        _require_own(position)
        return edit.put(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """The position with the tile or the marker of a cell in another place."""
        _require_own(position)
        return edit.lift(position, source, target)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """The position as JSON-ready data, as `data_schema` says."""
        _require_own(position)
        return json_state.as_dict(position, text)

    def text_of_data(self, data: Mapping[str, Any]) -> str:
        """The text that such data says; raises `ValueError` for data of another shape."""
        return json_state.text_of_dict(data)

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Notation, round, players, scores; of a complete position phase, bag and discard as well."""
        _require_own(position)
        return edit.fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """The position with another value in a field; raises `ValueError` where it cannot hold that."""
        _require_own(position)
        return edit.with_field(position, name, value)


def _likelihood_of_factories(text: str) -> float:
    """How much a text without a slash looks like one that breaks off behind its factories."""
    parts = text.upper().split("|")
    factories = sum(_FACTORY.fullmatch(part) is not None for part in parts)
    return round(_BROKEN_OFF * factories / len(parts), 3) if 2 * factories > len(parts) > 1 else 0.0


def _decoded(text: str, mode: Mode) -> Position | None:
    """The position of a text about which the reader has nothing to say in a mode."""
    if mode == "strict":
        return decode_canonical(text)
    return decode(text) if mode in MODES else None


def _require_own(position: object) -> None:
    if not isinstance(position, Position):
        raise not_a_position("azul", position)


def _played(position: Position, move: str) -> Position:
    if move == TILE:
        return end_round(position).position
    if move == FINISH:
        return finish(position).position
    if move.startswith(_EXPLICIT):
        return deal(position, move.removeprefix(_EXPLICIT).split("|"))
    return apply_move(position, move)


def _read_deal(position: Position, text: str) -> str:
    """A deal with its tiles: those it names, or those that chance draws here."""
    if _EXPLICIT_DEAL.fullmatch(text):
        try:
            deal(position, text.removeprefix(_EXPLICIT).split("|"))
        except ValueError as error:
            raise MoveError("illegal", text, f"{shown(text)} cannot be dealt: {error}") from error
        return text
    seeded = _SEEDED_DEAL.fullmatch(text)
    if seeded is None and text != DEAL:
        message = (
            f"{quoted(text)} is not a deal, expected deal, deal#7 or the tiles of each factory, deal:BYRK|…"
        )
        raise MoveError("invalid", text, message)
    chance = random.Random(f"{position_key(position)}{'' if seeded is None else seeded[1]}")
    return _EXPLICIT + "|".join(draw(position, chance))


GAME: Final = AzulGame()


@cache
def game_for(players: int) -> AzulGame:
    """The game for so many players."""
    return AzulGame(f"{players}-players")
