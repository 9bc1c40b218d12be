# cython: annotation_typing=False, embedsignature=False
"""The implementation of `Game` for CoTuLenh.

The standard variant follows the source documents. In the variant ``engine``, as in the public engine, only
captures reset the half-move clock. Each step of a deploy session is a move of its own. A whole deploy turn,
such as ``(FT)<N>c6``, can also be read and played as one move. ``commit`` ends a session that may end, and
``cancel`` goes back to the position before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import (
    fold_choice,
    require_choice,
    require_integer,
    require_text,
    require_type,
    unknown_choice_error,
)
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, Reading, Severity
from forsyth.game import (
    Change,
    Difference,
    Field,
    Game,
    MoveFacts,
    Outcome,
    illegal_move_error,
    wrong_move_error,
    wrong_move_text_error,
    wrong_position_error,
)
from forsyth.game_values import Overlay
from forsyth.games.cotulenh import edit, json_state
from forsyth.games.cotulenh.board import RANK_COUNT, SQUARES
from forsyth.games.cotulenh.codes import CODES, COMPONENTS
from forsyth.games.cotulenh.drawing.looks import BOARDS, LOOKS
from forsyth.games.cotulenh.drawing.scene import draw_scene
from forsyth.games.cotulenh.errors import require_position
from forsyth.games.cotulenh.notation.deploy_fen import across, write_marker, write_replay
from forsyth.games.cotulenh.notation.fen import MAX_LENGTH, read_fen
from forsyth.games.cotulenh.notation.kernel import decode
from forsyth.games.cotulenh.notation.san import read_move, write_lan, write_moves
from forsyth.games.cotulenh.notation.scanner import accept
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.numbers.column import COLUMN
from forsyth.games.cotulenh.numbers.features import FEATURES, compute_features
from forsyth.games.cotulenh.numbers.key import compute_key
from forsyth.games.cotulenh.numbers.packed import pack_position, unpack_position
from forsyth.games.cotulenh.numbers.planes import PLANES, compute_planes
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules import deploy, explain, outcome, turns
from forsyth.games.cotulenh.rules.check import check_position
from forsyth.games.cotulenh.rules.generate import DEPLOY
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.rules.moves import (
    Move,
    Rules,
    count_turn_moves,
    list_turn_moves,
    move_from_number,
    play_move,
)
from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin
from forsyth.games.cotulenh.stacks import select_members, write_unit
from forsyth.limits import GIL_RELEASE_DEPTH, MAX_COUNTED_DEPTH
from forsyth.move_errors import Hindrance, require_places
from forsyth.scene import Colour, Mark, Scene

START: Final = (
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"
)
_RULES: Final = {"standard": Rules(), "engine": Rules(commander_resets_clock=False)}
_NAMES: Final = {
    "start": START,
    "initial": START,
    "midgame": "4h1c4/2n2(fti)2h2/3(ea)2s2a1/2(nf)1g2tg2/3e2m2ei/2i8/2I8/3E2M2EI/2(NF)1GT1TG2/3A2S2A1/"
    "1N3H1HF2/6C4 r - - 6 7",
    "endgame": "6c4/11/5t5/11/11/11/11/11/11/4I6/11/5C5 r - - 0 1",
    "stack": "6c4/11/11/11/11/11/11/2(NFT)8/11/11/11/5C5 r - - 0 9",
}
_EXAMPLES: Final = {
    "The start position": START,
    "A stack about to deploy": _NAMES["stack"],
    "Amid a deployment": "6c4/11/11/11/11/11/2N8/2(FT)8/11/11/11/5C5 r - - 0 9 DEPLOY c5:FT 1 N>c6",
    "One square short": START.replace("6C4", "5+C4"),
    "A navy on land": "6c4/11/11/11/11/11/11/11/5N5/11/11/5C5 r - - 0 1",
    "Heroic pieces": "6c4/3+i1+t5/4+m6/3+e1+a5/4+g6/11/11/4+G6/3+E1+A5/4+M6/3+I1+T5/5C5 r - - 0 1",
}
_TOLERANT_MODES: Final = ("default", "lenient")
"""The modes that accept a text with warnings."""
_ACTION_TYPES: Final = (Move, turns.Turn, turns.Commit, turns.Cancel)
"""The types of the values that `play` accepts as a move."""
_BOARD_CHARACTERS: Final = b"0123456789CITMEAGSFNHBcitmeagsfnhb+()|/"
"""The characters that the board of a text may contain, including common mistakes."""
_CAPTURE_LETTERS: Final = frozenset("csk")
"""The letters of the move flags that mark a capture."""
_SLASH_COUNT: Final = RANK_COUNT - 1
_MAX_BOARD_SCORE: Final = 0.9
"""Likelihood of a text with the right number of slashes. The side to move adds `_SIDE_SCORE`."""
_SCORE_PER_WRONG_SLASH: Final = 0.25
_SIDE_SCORE: Final = 0.1
_REPETITION_LIMIT: Final = 3
"""Number of occurrences of a position at which the game is drawn."""


class CoTuLenhGame(Game[Position, Move]):
    """The game of CoTuLenh, in one variant and with one set of piece drawings."""

    name = "cotulenh"
    title = "CoTuLenh"
    variants = tuple(_RULES)
    variant = "standard"
    start = START
    names: Mapping[str, str] = _NAMES
    styles: Mapping[str, str] = {
        "board": "the piece placement only",
        "marker": "an open deploy session as its remaining pieces and the number of moved ones, no steps",
        "replay": "an open deploy session as the board before it and its steps, so that it can be cancelled",
    }
    codes: tuple[CodeInfo, ...] = CODES
    examples: Mapping[str, str] = _EXAMPLES
    max_text = MAX_LENGTH
    players = ("Red", "Blue")
    packed_width = 128
    feature_list: tuple[Feature, ...] = FEATURES
    plane_shape: Planes = PLANES
    column: Column = COLUMN
    data_schema: Mapping[str, Any] = json_state.SCHEMA
    move_pattern = (
        r"commit|cancel|(?:[a-k](?:1[0-2]|[1-9]):(?:\([A-Z+|]+\)|\+?[A-Z])?:)?"
        r"(?:(?:\([A-Z+|]+\)|\+?[A-Z])[a-k]?(?:1[0-2]|[1-9])?(?:\([A-Z+|]+\)|[<>x_@&^#a-k0-9+,.A-Z|-])*)"
    )

    looks: tuple[str, ...] = tuple(LOOKS)
    boards: Mapping[str, Mapping[str, Colour]] = BOARDS

    def __init__(self, variant: str = "standard", look: str = "pictures") -> None:
        """Make the game in one of `variants`, with one of the sets of piece drawings in `looks`.

        Raise `ValueError` if there is no such variant or set.
        """
        require_choice("cotulenh variant", variant, _RULES)
        require_choice("cotulenh look", look, LOOKS)
        self.variant = variant
        self.look = look
        self.rules = _RULES[variant]

    def __repr__(self) -> str:
        return f"<Game cotulenh, {self.variant}>"

    def with_variant(self, variant: str) -> CoTuLenhGame:
        """Return the game in another variant. The variant ``auto`` returns this game unchanged.

        Raise `ValueError` if there is no such variant.
        """
        variant_name = fold_choice(variant, (*_RULES, "auto"))
        return self if variant_name == "auto" else type(self)(variant_name, self.look)

    def with_look(self, look: str) -> CoTuLenhGame:
        """Return the game with another set of piece drawings, the name of one of `looks`.

        Raise `ValueError` if there is no such set.
        """
        require_choice("cotulenh look", look, LOOKS)
        return type(self)(self.variant, look)

    def likelihood(self, text: str) -> float:
        """Return how likely a text is a CoTuLenh position, from 0 to 1, without reading it fully.

        The likelihood depends on the number of slashes, on the share of characters that a board may contain,
        and on whether the text has a side to move.
        """
        require_text("the text", text)
        words = text[:MAX_LENGTH].split()
        # The board may contain a stray blank and so consist of several words.
        board = "".join([word for word in words if "/" in word])
        if not board:
            return 0.0
        # Removing characters from bytes is ten times as fast as from a string.
        foreign_characters = board.encode("ascii", "replace").translate(None, _BOARD_CHARACTERS)
        valid_share = 1 - float(len(foreign_characters)) / len(board)
        wrong_slash_count = abs(board.count("/") - _SLASH_COUNT)
        board_score = max(0.0, _MAX_BOARD_SCORE - _SCORE_PER_WRONG_SLASH * wrong_slash_count)
        words_after_first = words[1:]
        has_side = "r" in words_after_first or "b" in words_after_first
        side_score = _SIDE_SCORE if has_side else 0.0
        return round(board_score * valid_share + side_score, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default", skip_validation: bool = False) -> Reading[Position]:
        """Read a plain text and return its position, if it has one, and all findings about it.

        No text raises an error.

        Args:
            text: The plain text.
            mode: The reading mode.
            skip_validation: Whether to accept impossible positions, such as a tank at sea, and fill in
                missing fields.
        """
        reading = read_fen(text, mode=mode, rules=self.rules, skip_validation=skip_validation)
        # A position does not contain the variant, and belongs to the usual one.
        return reading if reading.variant == self.variant else reading.replace(variant=self.variant)

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Position:
        """Return the position of a plain text.

        Args:
            text: The plain text.
            mode: The reading mode.
            legality: Whether the position must be legal.

        Raises:
            FENError: If a finding is an error. It is a `FenError` and contains all findings.
        """
        # Most texts are canonical or have only warnings. They need no full reading.
        position = decode(text) if mode in MODES else None
        if position is None and mode in _TOLERANT_MODES:
            position = accept(text, mode == "lenient")
        if position is not None and (not legality or has_sound_board(position)):
            return position

        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            findings = check_position(reading.position, text=text, mode=mode, rules=self.rules)
            if mode == "strict":
                findings = tuple(finding.with_severity(Severity.ERROR) for finding in findings)
            reading = reading.with_findings(findings)
        return require_position(reading)

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return all findings about the legality of a position.

        Args:
            position: The position.
            text: The plain text that spans refer to. None means the canonical text.
            mode: The mode in which the text was read.
        """
        _require_position(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text, mode=mode, rules=self.rules)

    def write(self, position: Position, style: str = "canonical") -> str:
        """Return the position as text, canonical or in one of `styles`.

        Raise `ValueError` if there is no such style.
        """
        _require_position(position)
        if style == "canonical":
            return encode(position)
        if style == "board":
            return encode(position).partition(" ")[0]
        if style == "marker":
            return write_marker(position)
        if style == "replay":
            return write_replay(position)
        raise unknown_choice_error("cotulenh style", style, ("canonical", *self.styles))

    def key(self, position: Position) -> str:
        """Return the key of a position: 32 hexadecimal digits, equal for all texts of one position."""
        _require_position(position)
        return compute_key(position)

    def pack(self, position: Position) -> bytes:
        """Return a position as bytes that `unpack` reads.

        The bytes of a position are the same in every version of Forsyth.
        """
        _require_position(position)
        return pack_position(position)

    def unpack(self, data: bytes) -> Position:
        """Return the position of bytes that `pack` has returned.

        Raise `ValueError` for any other bytes.
        """
        return unpack_position(data)

    # --- columns ------------------------------------------------------------------------------------

    def features(self, position: Position) -> tuple[int, ...]:
        """Return the features of a position, one number for each entry of `feature_list`.

        Features describe a position for tables, such as the number of tanks of a side.
        """
        _require_position(position)
        return compute_features(position)

    def planes(self, position: Position) -> bytes:
        """Return the position as a tensor of bytes for training: planes of 12 × 11 bytes.

        Each plane marks, for example, the squares with tanks of one side. Its first row is rank 1.
        """
        _require_position(position)
        return compute_planes(position)

    # --- rules --------------------------------------------------------------------------------------

    def moves(self, position: Position) -> list[Move]:
        """Return the legal moves, or the legal steps while a deploy session is open.

        In a deploy session the pieces of a stack leave it one by one. The commit, which ends the session, is
        not among the moves, see `actions`.
        """
        _require_position(position)
        if position.session is None:
            return list_turn_moves(position, self.rules.last_guard)
        return [
            move_from_number(packed_move) for packed_move in deploy.list_legal_moves(position, self.rules)
        ]

    def actions(self, position: Position) -> tuple[str, ...]:
        """Return the actions that are possible in an open deploy session, as texts for `read_move`.

        ``commit`` is possible if the turn may end now. ``cancel`` is possible if the position before the
        session is known.
        """
        _require_position(position)
        texts = []
        if deploy.may_commit(position):
            texts.append(turns.COMMIT_TEXT)
        if position.session is not None and position.session.start is not None:
            texts.append(turns.CANCEL_TEXT)
        return tuple(texts)

    def read_move(self, position: Position, text: str) -> Any:
        """Return the move, deploy turn, commit or cancellation that a text such as ``Tc6`` names.

        Raise `MoveError` if the text does not name a legal one in this position.
        """
        _require_position(position)
        if not isinstance(text, str):
            raise wrong_move_text_error(text)
        return read_move(position, text, self.rules)

    def write_move(self, position: Position, move: Any) -> str:
        """Return a legal move, step, turn, commit or cancellation in canonical notation.

        Raise `MoveError` if it is not legal.
        """
        if not isinstance(move, Move):
            self._require_legal(position, move)
            return turns.write_action(position, move, self.rules)
        _require_position(position)
        # Callers usually write all moves of a position, so the texts of all legal moves are cached.
        text = _write_legal_moves(position, self.rules).get(move)
        if text is None:
            raise illegal_move_error(move)
        return text

    def describe_move(self, position: Position, move: Any) -> MoveFacts:
        """Return the facts about a legal move, such as its notation, squares and captured piece.

        The flags are n quiet, c capture, s stay capture, k suicide capture, d deploy step and b combination.
        Raise `MoveError` if the move is not legal.
        """
        self._require_legal(position, move)
        if not isinstance(move, Move):
            return self._describe_turn(position, move)
        is_capture = not _CAPTURE_LETTERS.isdisjoint(move.flags)
        return MoveFacts(
            move=_write_legal_moves(position, self.rules)[move],
            lan=write_lan(position, move),
            origin=move.origin,
            target=move.target,
            flags=move.flags,
            captured=write_unit(position.unit_at(move.target)) if is_capture else None,
            after=encode(turns.play_action(position, move, self.rules)),
            piece=_format_moving_unit(position, move),
        )

    def _describe_turn(self, position: Position, action: Any) -> MoveFacts:
        """Return the facts about a legal deploy turn, commit or cancellation.

        Its pieces may go to several squares, so the facts contain neither origin nor target.
        """
        text = turns.write_action(position, action, self.rules)
        return MoveFacts(
            move=text,
            lan=text,
            origin=None,
            target=None,
            flags="d",
            captured=None,
            after=encode(turns.play_action(position, action, self.rules)),
            piece=_format_deployed_stack(position, action),
        )

    def play(self, position: Position, move: Any) -> Position:
        """Return the position after a legal move, step, turn, commit or cancellation.

        Raise `MoveError` if it is not legal in this position.
        """
        self._require_legal(position, move)
        is_whole_turn = isinstance(move, Move) and not get_flags(move.id) & DEPLOY
        if is_whole_turn:
            return play_move(position, move.id, self.rules.last_guard, self.rules.commander_resets_clock)
        return turns.play_action(position, move, self.rules)

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Return the reason why `text` is not a legal move, or None if it is legal.

        The text may also be a whole deploy turn, ``commit`` or ``cancel``.
        """
        _require_position(position)
        require_text("the move", text)
        return explain.explain_illegal_move(position, text, self.rules)

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Return the reason why no piece can go from `origin` to `target`, or None if one can.

        Args:
            position: The position.
            origin: The name of the square where the move begins, such as ``c5``.
            target: The name of the square to reach.
            piece: The letters of the moving pieces, such as ``T`` or ``NF``. An empty text means any of them.
        """
        _require_position(position)
        require_places(origin, target, piece)
        return explain.explain_move_between(position, origin, target, piece, self.rules)

    def why_open(self, position: Position) -> Hindrance | None:
        """Return the reason why the open deploy turn cannot end here.

        In a deploy turn the pieces of a stack leave it one by one. Return None if the turn can end, or if
        none is open.
        """
        _require_position(position)
        if position.session is None or deploy.may_commit(position):
            return None
        return explain.explain_open_turn(position)

    def perft(self, position: Position, depth: int) -> int:
        """Return the number of legal sequences of `depth` moves, a test for move generators.

        Each deploy step and each commit counts as a move. The depth is 0 to MAX_COUNTED_DEPTH.
        """
        _require_position(position)
        depth = require_integer("the depth", depth, 0, MAX_COUNTED_DEPTH)
        return 1 if depth == 0 else _count_sequences(position, depth, self.rules)

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """Return how the game ended in this position, or None if it goes on.

        A game does not end while a deploy session is open. `repetitions` is how often the position has
        occurred, including now.
        """
        _require_position(position)
        require_integer("the number of repetitions", repetitions, 1)
        if position.session is not None:
            return None
        if outcome.is_commander_captured(position):
            return Outcome(outcome.find_capture_result(position), "commander captured")
        if outcome.is_checkmate(position, self.rules):
            # The side to move has lost.
            return Outcome("1-0" if position.blue_to_move else "0-1", "checkmate")
        if outcome.is_stalemate(position, self.rules):
            return Outcome("1/2-1/2", "stalemate")
        if outcome.is_drawn_by_fifty_moves(position):
            return Outcome("1/2-1/2", "fifty moves")
        if repetitions >= _REPETITION_LIMIT:
            return Outcome("1/2-1/2", "threefold repetition")
        return None

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Return an empty tuple: no draw can be claimed.

        Fifty moves and threefold repetition end the game without a claim.
        """
        _require_position(position)
        require_integer("the number of repetitions", repetitions, 1)
        return ()

    def side_to_move(self, position: Position) -> str:
        """Return the side to move, ``Red`` or ``Blue``."""
        _require_position(position)
        return "Blue" if position.blue_to_move else "Red"

    def move_number(self, position: Position) -> tuple[int, int]:
        """Return the number of the next move, and the side that plays it: 0 for Red, 1 for Blue."""
        _require_position(position)
        return position.full, position.blue_to_move

    def is_check(self, position: Position) -> bool:
        """Return whether the side to move is in check: its commander is attacked or missing."""
        _require_position(position)
        return outcome.is_check(position)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """Return the differences between two positions, by field and by square.

        Each change has the value in `a` and the value in `b`. Units are written as in a FEN. An empty text
        stands for an empty square or for no deploy session.
        """
        _require_position(a)
        _require_position(b)
        changed_squares = tuple(
            Change(square, _format_unit(unit_in_a), _format_unit(unit_in_b))
            for square, unit_in_a, unit_in_b in zip(SQUARES, a.board(), b.board(), strict=True)
            if unit_in_a != unit_in_b
        )
        field_values = (
            ("side", a.turn, b.turn),
            ("half", a.half, b.half),
            ("full", a.full, b.full),
            ("session", _format_session(a), _format_session(b)),
        )
        changed_fields = tuple(
            Change(name, str(value_in_a), str(value_in_b))
            for name, value_in_a, value_in_b in field_values
            if value_in_a != value_in_b
        )
        return Difference(changed_fields, changed_squares, (a, b))

    def scene(
        self,
        position: Position,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """Return the drawing of a position as a `Scene`, which can be rendered as SVG or text.

        Args:
            position: The position.
            marks: The squares to mark, such as ``c5``, each with the reason.
            flip: Whether to draw the board from Blue's side.
            notes: Texts to show for squares.
        """
        _require_position(position)
        return self._apply_look(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _apply_look(self, scene: Scene) -> Scene:
        """Return the scene with the piece drawings that this game was made with.

        The drawings are those of ``LOOKS[self.look]``, see `with_look`.
        """
        default_look = self.looks[0]
        return scene if self.look == default_look else replace(scene, glyphs=LOOKS[self.look])

    def overlays(self, position: Position) -> tuple[Overlay, ...]:
        """Return the squares that the air defence of each side covers, Red first.

        An overlay is a named set of squares that a drawing can highlight.
        """
        _require_position(position)
        return explain.make_air_defence_overlays(position)

    def reach(self, position: Position, square: str) -> tuple[str, ...]:
        """Return the squares that the pieces on a square could reach if they were to move.

        Captures are included, and danger to their commander is ignored. The result is empty if no piece
        stands on the square.
        """
        _require_position(position)
        require_text("the square", square)
        return explain.list_reachable_squares(position, square)

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """Return the start position. It is not random, so `seed` is ignored."""
        return self.parse(START)

    def palette(self, position: Position) -> Scene:
        """Return a drawing of the pieces of both colours, plain and heroic, to pick pieces from."""
        _require_position(position)
        return self._apply_look(edit.draw_palette(position))

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """Return the position with a piece or stack such as ``T``, ``+t`` or ``(NF)`` on a square.

        It joins the piece or stack on the square if both make a legal stack, else it replaces it. None as
        `symbol` empties the square. Raise `ValueError` if the square or the piece does not exist.
        """
        _require_position(position)
        return edit.place_unit(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """Return the position with the piece or stack on `source` moved to `target`.

        Raise `ValueError` if `source` is empty or one of the squares does not exist.
        """
        _require_position(position)
        return edit.move_unit(position, source, target)

    def twin_field(self, field: str) -> str:
        """Return one word of a position text as it is in the text with the sides exchanged.

        The word is a clock or a part of the deploy session, such as ``c5:FT``, which becomes ``c8:FT``. Only
        the squares in it change.
        """
        require_text("the field", field)
        return across(field)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """Return the position as JSON-ready data that fits `data_schema`. `text` is not needed."""
        _require_position(position)
        return json_state.position_to_dict(position, self.rules)

    def component_of(self, finding: Diagnostic) -> str:
        """Return the name of the field that a finding is about, or ``fen`` for the text as a whole."""
        require_type("the finding", finding, Diagnostic, "a Diagnostic")
        return COMPONENTS[int(finding.field)]

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Return the editable values that are not on the board: the side to move and the clocks."""
        _require_position(position)
        return edit.list_fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """Return the position with another value in one of its `fields`, such as ``half``.

        The value is written as in the text of a position.
        Raise `ValueError` if there is no such field or the value is not valid.
        """
        _require_position(position)
        return edit.with_field(position, name, value)

    def _require_legal(self, position: Position, move: object) -> None:
        """Raise `MoveError` unless `move` is a legal move or action in `position`.

        Raise `TypeError` if one of the two is of another type.
        """
        _require_position(position)
        if not isinstance(move, _ACTION_TYPES):
            raise wrong_move_error("cotulenh", move)
        if not turns.is_legal_action(position, move, self.rules):
            raise illegal_move_error(move)


def _require_position(position: object) -> None:
    """Raise `TypeError` unless `position` is a position of CoTuLenh."""
    if not isinstance(position, Position):
        raise wrong_position_error("cotulenh", position)


@lru_cache(maxsize=8)
def _write_legal_moves(position: Position, rules: Rules) -> dict[Move, str]:
    """Return every legal move with its canonical notation, such as ``Tc6``.

    All moves are written together, because whether a text needs its origin, as in ``Tcc6``, depends on the
    other legal moves.
    """
    return dict(write_moves(position, rules))


def _format_moving_unit(position: Position, move: Move) -> str:
    """Return the pieces that a move or step takes along, as in a FEN: ``T``, ``+t`` or ``(NF)``."""
    origin_unit = position.unit_at(move.origin)
    moving_unit = select_members(origin_unit, get_moving_types(move.id))
    return write_unit(moving_unit, fen=True)


def _format_deployed_stack(position: Position, move: Any) -> str:
    """Return the stack that a whole deploy turn deploys, as in a FEN, such as ``(NFT)``.

    The result is empty for a commit, a cancellation and a turn without steps.
    """
    if not isinstance(move, turns.Turn) or not move.steps:
        return ""
    origin = get_origin(move.steps[0])
    return write_unit(position.unit_on(origin), fen=True)


def _count_sequences(position: Position, depth: int, rules: Rules) -> int:
    """Return the number of legal sequences of `depth` moves, deploy steps and commits.

    Raise `ValueError` if the depth is not from 1 to MAX_COUNTED_DEPTH.
    """
    if not 1 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"the perft depth is {depth}, expected 1 to {MAX_COUNTED_DEPTH}")
    if depth == 1 and position.session is None:
        return count_turn_moves(position, rules.last_guard)
    # A commit counts as a move.
    can_commit = position.session is not None and deploy.may_commit(position)
    packed_moves = deploy.list_legal_moves(position, rules)
    if depth == 1:
        return len(packed_moves) + can_commit

    if depth >= GIL_RELEASE_DEPTH:
        # Positions are Python objects and need the GIL. Releasing it here lets other threads run.
        with cython.nogil:
            pass
    sequence_count = sum(
        _count_sequences(deploy.play_packed_move(position, move, rules), depth - 1, rules)
        for move in packed_moves
    )
    if can_commit:
        sequence_count += _count_sequences(deploy.commit(position, rules), depth - 1, rules)
    return sequence_count


def _format_unit(unit: int) -> str:
    """Return a unit, a piece or stack as one number, as in a FEN: ``T`` or ``(nf)``.

    Return an empty text if `unit` is 0, which is an empty square.
    """
    return write_unit(unit, fen=True) if unit else ""


def _format_session(position: Position) -> str:
    """Return the part of the position text about the open deploy session: ``c5:FT 1 N>c6``.

    Return an empty text if no session is open.
    """
    return encode(position).partition(" DEPLOY ")[2]


GAME: Final = CoTuLenhGame()
