# cython: annotation_typing=False, embedsignature=False
"""The implementation of `Game` for Azul with two, three or four players.

A text itself determines the number of players and whether the position is complete. Each variant has its own
start position. A move is its text. The steps between the rounds are `actions`: ``tile`` ends a round,
``deal`` begins the next one, and ``finish`` ends the game. A deal in canonical notation contains its tiles,
``deal:BYRK|…`` in the order drawn, so that a record is complete. ``deal`` alone draws random tiles, but the
same ones each time for the same position. ``deal#7`` draws others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from forsyth.arguments import (
    fold_choice,
    quoted,
    require_choice,
    require_integer,
    require_text,
    unknown_choice_error,
)
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, MoveError, Reading, Severity
from forsyth.game import (
    Difference,
    Field,
    Game,
    MoveFacts,
    Outcome,
    RoundScore,
    wrong_move_text_error,
    wrong_position_error,
)
from forsyth.game_values import Prospect, ScoreLine
from forsyth.games.azul import edit, json_state
from forsyth.games.azul.codes import CODES
from forsyth.games.azul.drawing.describe import format_player_name
from forsyth.games.azul.drawing.looks import BOARDS, LOOKS
from forsyth.games.azul.drawing.scene import scene as draw_scene
from forsyth.games.azul.facts import compare_positions
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.fields import shown
from forsyth.games.azul.notation.kernel import MAX_LENGTH, decode, decode_canonical
from forsyth.games.azul.notation.write import write_canonical, write_extended, write_standard
from forsyth.games.azul.numbers.column import COLUMN
from forsyth.games.azul.numbers.features import FEATURES, compute_features
from forsyth.games.azul.numbers.packed import pack, position_key, unpack
from forsyth.games.azul.numbers.planes import PLANES, compute_planes
from forsyth.games.azul.position import DONE, ENDED, PHASES, TILING, Position
from forsyth.games.azul.rules import explain
from forsyth.games.azul.rules.check import check as check_position
from forsyth.games.azul.rules.moves import (
    CENTER,
    FLOOR,
    MOVE_PATTERN,
    apply_move,
    count_move_sequences,
    legal_moves,
    read_move,
)
from forsyth.games.azul.rules.prospects import compute_prospect, make_score_table
from forsyth.games.azul.rules.rounds import (
    before_first_deal,
    deal_tiles,
    draw_tiles,
    end_round,
    find_winners,
    finish_game,
    is_last_round,
)
from forsyth.games.azul.rules.scoring import count_complete_rows
from forsyth.games.azul.tiles import COLOURS, TILES_PER_FACTORY, factory_count
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.move_errors import Hindrance, require_places
from forsyth.scene import Colour, Mark, Scene

TILE: Final = "tile"
DEAL: Final = "deal"
FINISH: Final = "finish"
_EXPLICIT_PREFIX: Final = "deal:"
_EXPLICIT_DEAL: Final = re.compile(r"deal:(?:[BYRKW]{0,4})(?:\|[BYRKW]{0,4})*")
_SEEDED_DEAL: Final = re.compile(r"deal#([0-9]{1,18})")

_FACTORY_TEXT: Final = re.compile(r"[BYRKW-]{4}")
_TRUNCATED_LIKELIHOOD: Final = 0.3
"""Likelihood of a text that consists only of factories, as if cut off behind them."""
_MAX_LIKELIHOOD: Final = 0.95
_MIN_LIKELIHOOD: Final = 0.3
"""Likelihood of a text with the expected number of slashes, and lower bound of it for any other number."""
_SLASH_COST: Final = 0.1
"""Likelihood that is lost for each missing or additional slash."""
_STANDARD_SLASHES: Final = (10,)
_EXTENDED_SLASHES: Final = (16, 19, 22)
"""Numbers of slashes in a text. In an extended text they depend on the number of players."""

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


def _make_start(players: int) -> str:
    """Return the canonical text of a start position for `players` players.

    Its deal continues the pattern of `START`, in which each factory shifts the colours by one: ``BYRK``,
    ``WBYR``, ``KWBY`` and so on.
    """
    repeated_colours = COLOURS + COLOURS
    dealt = []
    for factory in range(factory_count(players)):
        # Each factory begins one colour earlier than the factory before it.
        first_colour = -factory % len(COLOURS)
        dealt.append(repeated_colours[first_colour : first_colour + TILES_PER_FACTORY])
    return write_canonical(deal_tiles(before_first_deal(players), dealt))


_STARTS: Final = {"2-players": START, "3-players": _make_start(3), "4-players": _make_start(4)}
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
_TEXT_BYTES: Final = b"BYRKWF-|/,+0123456789otdev"
"""The bytes that occur in Azul texts."""
_VERSION_PREFIX: Final = re.compile(r"v[0-9]+/")


class AzulGame(Game[Position, str]):
    """The game of Azul for the number of players of its variant."""

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
    move_pattern = rf"{MOVE_PATTERN}|tile|finish|deal(?:#[0-9]{{1,18}}|:[BYRKW|]*)?"

    looks: tuple[str, ...] = tuple(LOOKS)
    boards: Mapping[str, Mapping[str, Colour]] = BOARDS

    def __init__(self, variant: str = "2-players", look: str = "ornaments") -> None:
        """Create the game for the players of `variant`, with the tile drawings of `look`.

        Raise `ValueError` if there is no such variant or look.
        """
        require_choice("azul variant", variant, _STARTS)
        require_choice("azul look", look, LOOKS)
        self.variant = variant
        self.look = look
        self.start = write_canonical(read_fen(_STARTS[variant]).require())
        player_count, _, _ = variant.partition("-")
        self.players = tuple(f"Player{player}" for player in range(int(player_count)))
        two_player_names = {"midgame": _MIDGAME, "endgame": _ENDGAME} if len(self.players) == 2 else {}
        self.names = {"start": _STARTS[variant], "initial": _STARTS[variant], **two_player_names}

    def __repr__(self) -> str:
        return f"<Game azul, {self.variant}>"

    def with_variant(self, variant: str) -> AzulGame:
        """Return the game for another number of players, such as ``3-players``.

        ``auto`` returns this game itself, because every text contains its number of players.
        """
        variant_name = fold_choice(variant, (*_STARTS, "auto"))
        if variant_name == "auto":
            return self
        return type(self)(variant_name, self.look)

    def likelihood(self, text: str) -> float:
        """Return how likely it is that a text is an Azul position, from 0 to 1.

        The likelihood depends on the number of slashes and on the share of characters that occur in Azul
        texts.
        """
        require_text("the text", text)
        beginning = text[:MAX_LENGTH].strip()
        if "/" not in beginning:
            return _rate_truncated_text(beginning)
        has_version = _VERSION_PREFIX.match(beginning) is not None
        if "|" not in beginning and not has_version:
            return 0.0
        # Deleting from bytes is ten times as fast as deleting from a text.
        foreign_bytes = beginning.encode("ascii", "replace").translate(None, _TEXT_BYTES)
        known_share = 1 - float(len(foreign_bytes)) / len(beginning)
        slash_count = beginning.count("/")
        expected_counts = _EXTENDED_SLASHES if has_version else _STANDARD_SLASHES
        wrong_slashes = min([abs(slash_count - count) for count in expected_counts])
        slash_score = max(_MIN_LIKELIHOOD, _MAX_LIKELIHOOD - _SLASH_COST * wrong_slashes)
        return round(slash_score * known_share, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default") -> Reading[Position]:
        """Read a text and return its position, with every finding (error or warning) about the text.

        The position of the returned reading is None if the text has an error.

        Args:
            text: A standard or extended text, not wrapped or compressed.
            mode: ``default``, ``strict`` (warnings are errors) or ``lenient`` (repair what is possible).
        """
        position = _decode_quickly(text, mode)
        if position is not None:
            return Reading(text, self.name, position)
        reading = read_fen(text, mode=mode)
        return reading if reading.position is not None else reading.replace(variant=self.variant)

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Position:
        """Return the position of a standard or extended text.

        Raise `FenError` with every finding (error or warning) if one of them is an error. If `legality` is
        False, the rules of the game are not checked.
        """
        position = _decode_quickly(text, mode)
        # Such a position has no error, but it may have a warning, which is an error in strict mode.
        must_check = mode == "strict" and legality
        if position is not None and not must_check:
            return position
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            findings = check_position(reading.position, text=text, mode=mode)
            if mode == "strict":
                findings = tuple([finding.with_severity(Severity.ERROR) for finding in findings])
            reading = reading.with_findings(findings)
        return reading.require()

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return every finding (error or warning) about a position.

        The findings are errors of its content. If it has none, they are warnings that no game reaches the
        position. Their spans refer to `text`, which is by default the canonical text.
        """
        _require_position(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text, mode=mode)

    def write(self, position: Position, style: str = "canonical") -> str:
        """Return the text of a position in the canonical style or in one of `styles`, such as ``extended``.

        Raise `ValueError` if the style is unknown or cannot express the position.
        """
        _require_position(position)
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
        raise unknown_choice_error("azul style", style, ("canonical", *self.styles))

    def key(self, position: Position) -> str:
        """Return the key of a position: 32 hexadecimal digits, the same for all of its texts."""
        _require_position(position)
        return position_key(position)

    def pack(self, position: Position) -> bytes:
        """Return a position as bytes, from which `unpack` restores it.

        A legal position has at most `packed_width` bytes.
        """
        _require_position(position)
        return pack(position)

    def unpack(self, data: bytes) -> Position:
        """Return the position that `pack` wrote. Raise `ValueError` if `data` is not a packed position."""
        return unpack(data)

    # --- rules --------------------------------------------------------------------------------------

    def moves(self, position: Position) -> list[str]:
        """Return the legal moves such as ``0B2``, ordered by source, then colour, then destination.

        Between the rounds the list is empty, and `actions` returns the next step.
        """
        _require_position(position)
        return legal_moves(position)

    def actions(self, position: Position) -> tuple[str, ...]:
        """Return the next step if no move is legal, as a tuple with one action.

        It is ``tile`` at the end of a round, then ``deal``, or ``finish`` after the last round. During a
        round and after the end of the game the tuple is empty.
        """
        _require_position(position)
        if position.phase == TILING:
            return (TILE,)
        if position.phase == DONE:
            return (FINISH,) if is_last_round(position) else (DEAL,)
        return ()

    def read_move(self, position: Position, text: str) -> str:
        """Return the legal move (``0B2``) or action (``tile``, ``deal``, ``finish``) that `text` names.

        A deal is returned with its tiles, ``deal:BYRK|…``. Raise `MoveError` if the text is neither a move
        nor an action, or if it is not legal.
        """
        _require_position(position)
        if not isinstance(text, str):
            raise wrong_move_text_error(text)
        if not _is_action(text):
            return read_move(position, text)
        legal_actions = self.actions(position)
        # A deal may have its tiles or a number behind the word: ``deal#7``.
        action = DEAL if text.startswith(DEAL) else text
        if action not in legal_actions:
            next_steps = legal_actions or legal_moves(position)
            message = f"{shown(text)} cannot be done in phase {PHASES[position.phase]}"
            raise MoveError("illegal", text, message, next_steps)
        return _read_deal(position, text) if action == DEAL else text

    def write_move(self, position: Position, move: str) -> str:
        """Return a legal move or action in canonical notation, a deal with its tiles (``deal:BYRK|…``)."""
        return self.read_move(position, move)

    def describe_move(self, position: Position, move: str) -> MoveFacts:
        """Return the facts of a legal move or action: its places, flags, colour and the text after it.

        The flags are ``m`` if the move takes the first-player marker, ``f`` if the tiles go to the floor, and
        ``o`` if tiles overflow to the floor. An action has no places and no flags.
        """
        canonical_move = self.read_move(position, move)
        text_after = write_canonical(_apply_step(position, canonical_move))
        if _is_action(canonical_move):
            return MoveFacts(
                move=canonical_move,
                lan=canonical_move,
                origin=None,
                target=None,
                flags="",
                captured=None,
                after=text_after,
            )
        source, colour, destination = tuple(canonical_move)
        mover = position.current
        return MoveFacts(
            move=canonical_move,
            lan=canonical_move,
            origin="c" if source == CENTER else f"f{source}",
            target=f"p{mover}f" if destination == FLOOR else f"p{mover}l{destination}",
            flags=_list_flags(position, canonical_move),
            captured=None,
            after=text_after,
            piece=colour,
        )

    def play(self, position: Position, move: str) -> Position:
        """Return the position after a move or action. Raise `MoveError` if it is not legal here."""
        return _apply_step(position, self.read_move(position, move))

    def perft(self, position: Position, depth: int) -> int:
        """Return the number of sequences of `depth` legal moves within the round."""
        _require_position(position)
        depth = require_integer("the depth", depth, 0, MAX_COUNTED_DEPTH)
        return int(count_move_sequences(position, depth))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """Return the result of the game with its reason, or None if the game has not ended.

        The result has a share for each player, such as ``0-1``. Players who share a victory get ``1/2`` each.
        `repetitions` has no effect, because no position of Azul is repeated.
        """
        _require_position(position)
        require_integer("the number of repetitions", repetitions, 1)
        if position.phase != ENDED:
            return None
        winners = find_winners(position)
        share = "1" if len(winners) == 1 else "1/2"
        result = "-".join([share if player in winners else "0" for player in range(position.players)])
        if len(winners) > 1:
            return Outcome(result, "shared victory")
        winning_board = position.boards[winners[0]]
        scores = [board.score for board in position.boards]
        if scores.count(winning_board.score) == 1:
            return Outcome(result, f"highest score ({winning_board.score})")
        complete_rows = count_complete_rows(winning_board.wall)
        return Outcome(result, f"more complete rows ({complete_rows})")

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Return an empty tuple: Azul has no draw to claim."""
        _require_position(position)
        require_integer("the number of repetitions", repetitions, 1)
        return ()

    def side_to_move(self, position: Position) -> str:
        """Return the name of the player to move, such as ``Player 1``.

        Between the rounds it is the player who begins the next one.
        """
        _require_position(position)
        return format_player_name(position.current)

    @property
    def player_names(self) -> tuple[str, ...]:
        """The display names of the players. ``Player 1`` has the number 0 in the notation."""
        return tuple([format_player_name(player) for player in range(len(self.players))])

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Return the reason why `text` is not a legal move or action, or None if it is one."""
        try:
            self.read_move(position, text)
        except MoveError as error:
            return explain.explain_text(position, text, error)
        return None

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Return the reason why tiles cannot go from `origin` to `target`, or None if they can.

        `origin` and `target` are names of cells, such as ``f0.1`` and ``p0l2``. `piece` is the letter of a
        colour. Without it the tile of the cell `origin` counts.
        """
        _require_position(position)
        require_places(origin, target, piece)
        return explain.explain_places(position, origin, target, piece)

    def prospect(self, position: Position, move: str) -> Prospect | None:
        """Return the points that a move adds to the next tiling of its player.

        Return None for an action such as ``tile``.
        """
        canonical_move = self.read_move(position, move)
        return None if _is_action(canonical_move) else compute_prospect(position, canonical_move)

    def score_table(self, position: Position) -> tuple[ScoreLine, ...]:
        """Return the table of the final score, such as the bonuses for rows; empty before the end."""
        _require_position(position)
        return make_score_table(position)

    def move_number(self, position: Position) -> tuple[int, int]:
        """Return the number of the round and the number of the player to move.

        A deal counts as a move of player 0 in the round that it begins.
        """
        _require_position(position)
        if position.phase == DONE and not is_last_round(position):
            return position.round + 1, 0
        return position.round, position.current

    def end_round(self, position: Position) -> tuple[RoundScore, ...]:
        """Return the score of each player in the tiling that comes next: placed tiles, and the penalty.

        The position does not change. The result is empty unless the action ``tile`` comes next.
        """
        _require_position(position)
        if position.phase != TILING:
            return ()
        round_scores = []
        for tiling_result in end_round(position).boards:
            placements = tuple([placement._asdict() for placement in tiling_result.placements])
            round_scores.append(RoundScore(placements, tiling_result.penalty))
        return tuple(round_scores)

    # --- terms of the specification ------------------------------------------------------------------

    def type_of(self, reading: Reading[Position]) -> str:
        """Return the type of the text that was read, such as ``standard`` or ``base64`` (spec/azul 6.1)."""
        from forsyth.games.azul.documents import report

        return report.detect_type(reading)

    def details_of(self, position: Position) -> dict[str, Any]:
        """Return a summary of a position: its factories, centre tiles, players, round and current player."""
        from forsyth.games.azul.documents import report

        _require_position(position)
        return report.summarise_position(position)

    def places_of(self, square: str | None) -> Mapping[str, int]:
        """Return the numbers in the name of a place: ``{"player": 0, "row": 1, "col": 2}`` for ``p0w12``.

        The key is ``index`` for a factory. A name without numbers has an empty result.
        """
        from forsyth.games.azul.documents import report

        if square is not None:
            require_text("the name of a place", square)
        return report.parse_place_numbers(square)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """Return the difference of two positions, field by field and place by place."""
        _require_position(a)
        _require_position(b)
        return compare_positions(a, b)

    def scene(
        self,
        position: Position,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """Return the drawing of a position, which can be saved as SVG or shown in a terminal.

        Args:
            position: The position to draw.
            marks: The kind of mark for each place to mark.
            flip: Whether the board of the second player comes first.
            notes: A short text for each place to annotate.
        """
        _require_position(position)
        return self._apply_look(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _apply_look(self, scene: Scene) -> Scene:
        """Return a copy of the scene with the tile drawings of this game's look, such as ``letters``."""
        return scene if self.look == self.looks[0] else replace(scene, glyphs=LOOKS[self.look])

    def with_look(self, look: str) -> AzulGame:
        """Return the game with another set of tile drawings, such as ``letters``.

        Raise `ValueError` if there is no such set.
        """
        require_choice("azul look", look, LOOKS)
        return type(self)(self.variant, look)

    def features(self, position: Position) -> tuple[int, ...]:
        """Return the features of a position, such as scores: one number for each entry of `feature_list`."""
        _require_position(position)
        return compute_features(position)

    def planes(self, position: Position) -> bytes:
        """Return a position as input of a neural network: grids of bytes, plane by plane and row by row."""
        _require_position(position)
        return compute_planes(position)

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """Return the first round of a new game, complete, for the players of this variant.

        Equal seeds give equal deals. If `seed` is None, the deal is random.
        """
        return edit.start_new_game(len(self.players), seed)

    def palette(self, position: Position) -> Scene:
        """Return a scene with one tile of each colour and the first-player marker, to pick from."""
        _require_position(position)
        return self._apply_look(edit.make_palette(position))

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """Return the position with a tile or the first-player marker placed on a cell such as ``f0.1``.

        `symbol` is the letter of a colour, or ``F`` for the marker. None removes the content of the cell.
        Raise `ValueError` if the cell or the symbol does not exist.
        """
        _require_position(position)
        return edit.put_tile(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """Return the position with the tile or marker of the cell `source` moved to the place `target`.

        The rules of the game are not applied. Raise `ValueError` if the cell is empty or does not exist.
        """
        _require_position(position)
        return edit.move_tile(position, source, target)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """Return the position as data for JSON that fits `data_schema`.

        `text` is the text of the position. It is part of the data, and the findings in them refer to it.
        """
        _require_position(position)
        return json_state.position_to_dict(position, text)

    def text_of_data(self, data: Mapping[str, Any]) -> str:
        """Return the text of the position in `data`, a result of `as_data`.

        Raise `ValueError` if a value is missing or has a wrong type. The position itself is not checked.
        """
        return json_state.text_from_dict(data)

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Return the values that can be edited as text: notation, round, current player and scores.

        A complete position also has the starting player, the phase, the bag and the discard.
        """
        _require_position(position)
        return edit.list_fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """Return the position with another value in one of its fields, such as ``3`` in the field ``round``.

        Raise `ValueError` if there is no such field or the value is not valid.
        """
        _require_position(position)
        return edit.replace_field(position, name, value)


def _rate_truncated_text(text: str) -> float:
    """Return the likelihood that a text without a slash is an Azul text cut off behind its factories.

    It is 0 unless there are several parts and most of them look like factories, such as ``BYRK``.
    """
    parts = text.upper().split("|")
    factories = sum(_FACTORY_TEXT.fullmatch(part) is not None for part in parts)
    are_most_factories = 2 * factories > len(parts)
    if len(parts) == 1 or not are_most_factories:
        return 0.0
    return round(_TRUNCATED_LIKELIHOOD * factories / len(parts), 3)


def _decode_quickly(text: str, mode: Mode) -> Position | None:
    """Return the position of a text without errors and warnings in this mode, or None for any other text.

    Other texts must be read by the slower `read_fen`.
    """
    if mode == "strict":
        return decode_canonical(text)
    return decode(text) if mode in MODES else None


def _require_position(position: object) -> None:
    """Raise `TypeError` if the value is not a position of Azul."""
    if not isinstance(position, Position):
        raise wrong_position_error("azul", position)


def _is_action(text: str) -> bool:
    """Return True if a text begins like an action (``tile``, ``deal`` or ``finish``), not like a move."""
    return text.startswith((TILE, DEAL, FINISH))


def _list_flags(position: Position, move: str) -> str:
    """Return the flags of a legal move such as ``0B2`` as letters, or an empty string.

    They are ``m`` if the move takes the first-player marker, ``f`` if it goes to the floor, and ``o`` if
    tiles overflow from the line to the floor.
    """
    source, colour, destination = tuple(move)
    flags = "m" if source == CENTER and position.marker_in_center else ""
    if destination == FLOOR:
        return flags + "f"
    source_tiles = position.center if source == CENTER else position.factories[int(source)]
    line = int(destination)
    capacity = line + 1
    free_spaces = capacity - len(position.boards[position.current].lines[line])
    overflows = source_tiles.count(colour) > free_spaces
    return flags + "o" if overflows else flags


def _apply_step(position: Position, move: str) -> Position:
    """Return the position after a move or action in canonical notation. Its legality is not checked."""
    if move == TILE:
        return end_round(position).position
    if move == FINISH:
        return finish_game(position).position
    if move.startswith(_EXPLICIT_PREFIX):
        return deal_tiles(position, _parse_explicit_deal(move))
    return apply_move(position, move)


def _parse_explicit_deal(text: str) -> list[str]:
    """Return the tiles of each factory in an explicit deal such as ``deal:BYRK|WBYR``."""
    return text.removeprefix(_EXPLICIT_PREFIX).split("|")


def _read_deal(position: Position, text: str) -> str:
    """Return a deal in canonical notation, with its tiles, such as ``deal:BYRK|…``.

    If `text` is ``deal`` or ``deal#7``, the tiles are random, but depend only on the position and the number.
    Raise `MoveError` if the text is not a deal or its tiles cannot be drawn.
    """
    if _EXPLICIT_DEAL.fullmatch(text):
        try:
            deal_tiles(position, _parse_explicit_deal(text))
        except ValueError as error:
            raise MoveError("illegal", text, f"{shown(text)} cannot be dealt: {error}") from error
        return text

    seed_match = _SEEDED_DEAL.fullmatch(text)
    if seed_match is None and text != DEAL:
        message = (
            f"{quoted(text)} is not a deal, expected deal, deal#7 or the tiles of each factory, deal:BYRK|…"
        )
        raise MoveError("invalid", text, message)
    seed = "" if seed_match is None else seed_match[1]
    rng = random.Random(position_key(position) + seed)
    return _EXPLICIT_PREFIX + "|".join(draw_tiles(position, rng))


GAME: Final = AzulGame()


@cache
def get_game(players: int) -> AzulGame:
    """Return the game for 2, 3 or 4 players, always the same object for the same number."""
    return AzulGame(f"{players}-players")
