# cython: annotation_typing=False
"""CoTuLenh as a `Game`: one face over the modules of this folder, with one set of rules.

The variant ``engine`` plays by the public engine's clock (captures alone reset it); the standard one follows
the source documents. Steps of a deploy session are moves of their own; a whole deploy turn, such as
``(FT)<N>c6``, can be read and played as one; ``commit`` ends a session that may end, ``cancel`` goes back to
the position before it.
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

from forsyth.arguments import no_choice, require_choice, require_kind, require_text, whole_number
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, Reading, Severity
from forsyth.game import (
    Change,
    Difference,
    Field,
    Game,
    MoveFacts,
    Outcome,
    not_a_move,
    not_a_move_text,
    not_a_position,
    not_legal,
)
from forsyth.game_values import Overlay
from forsyth.games.cotulenh import edit, json_state
from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.codes import CODES, COMPONENTS
from forsyth.games.cotulenh.drawing.looks import BOARDS, LOOKS
from forsyth.games.cotulenh.drawing.scene import scene as draw_scene
from forsyth.games.cotulenh.errors import required
from forsyth.games.cotulenh.notation.deploy_fen import across, write_marker, write_replay
from forsyth.games.cotulenh.notation.fen import MAX_LENGTH, read_fen
from forsyth.games.cotulenh.notation.kernel import decode
from forsyth.games.cotulenh.notation.san import read_move, write_lan, write_moves
from forsyth.games.cotulenh.notation.scanner import accept
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.numbers.column import COLUMN
from forsyth.games.cotulenh.numbers.features import FEATURES, features
from forsyth.games.cotulenh.numbers.key import position_key
from forsyth.games.cotulenh.numbers.packed import pack, unpack
from forsyth.games.cotulenh.numbers.planes import PLANES, planes
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules import deploy, explain, outcome, turns
from forsyth.games.cotulenh.rules.check import check as check_position
from forsyth.games.cotulenh.rules.generate import DEPLOY
from forsyth.games.cotulenh.rules.legality import has_sound_board
from forsyth.games.cotulenh.rules.moves import Move, Rules, make, move_of, turn_move_count, turn_move_list
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES, write_unit
from forsyth.hindrances import Hindrance, require_places
from forsyth.limits import BREATH, MAX_COUNTED_DEPTH
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
_FORGIVING: Final = ("default", "lenient")
"""The modes that accept a text with warnings."""
_ACTIONS: Final = (Move, turns.Turn, turns.Commit, turns.Cancel)
"""What may be played."""
_LETTERS: Final = b"0123456789CITMEAGSFNHBcitmeagsfnhb+()|/"


class CoTuLenhGame(Game[Position, Move]):
    """The game of CoTuLenh, with one set of rules."""

    name = "cotulenh"
    title = "CoTuLenh"
    variants = tuple(_RULES)
    variant = "standard"
    start = START
    names: Mapping[str, str] = _NAMES
    styles: Mapping[str, str] = {
        "board": "the placement alone",
        "marker": "an open deploy session as what remains and how many have moved, without the steps",
        "replay": "an open deploy session as the board before it and its steps, which all can be taken back",
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
        require_choice("cotulenh variant", variant, _RULES)
        require_choice("cotulenh look", look, LOOKS)
        self.variant = variant
        self.look = look
        self.rules = _RULES[variant]

    def __repr__(self) -> str:
        return f"<Game cotulenh, {self.variant}>"

    def with_variant(self, variant: str) -> CoTuLenhGame:
        """The same game by other rules; ``auto`` is the standard ones."""
        if variant == "auto":
            return self
        return CoTuLenhGame(variant)

    def with_look(self, look: str) -> CoTuLenhGame:
        """The same game with its pieces drawn otherwise; `ValueError` for a look it does not have."""
        require_choice("cotulenh look", look, LOOKS)
        return CoTuLenhGame(self.variant, look)

    def likelihood(self, text: str) -> float:
        """How much a text looks like a CoTuLenh position, 0 to 1."""
        require_text("the text", text)
        words = text[:MAX_LENGTH].split()
        # A blank that was typed into the placement does not make it another game's.
        board = "".join([word for word in words if "/" in word])
        if not board:
            return 0.0
        # As bytes: taking characters out of a text takes ten times as long.
        foreign = board.encode("ascii", "replace").translate(None, _LETTERS)
        fitting = 1 - float(len(foreign)) / len(board)
        shape = max(0.0, 0.9 - 0.25 * abs(board.count("/") - 11))
        side = 0.1 if "r" in words[1:] or "b" in words[1:] else 0.0
        return round(shape * fitting + side, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(self, text: str, *, mode: Mode = "default", skip_validation: bool = False) -> Reading[Position]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""
        return read_fen(text, mode=mode, rules=self.rules, skip_validation=skip_validation)

    def parse(self, text: str, *, mode: Mode = "default", legality: bool = True) -> Position:
        """The position of a plain text; raises `FENError`, a `FenError` with every finding, for an error."""
        position = decode(text) if mode in MODES else None
        if position is None and mode in _FORGIVING:
            position = accept(text, mode == "lenient")
        if position is not None and (not legality or has_sound_board(position)):
            return position
        reading = self.read(text, mode=mode)
        if legality and reading.position is not None:
            found = check_position(reading.position, text=text, mode=mode)
            if mode == "strict":
                found = tuple(finding.with_severity(Severity.ERROR) for finding in found)
            reading = reading.with_findings(found)
        return required(reading)

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, placed in `text` (by default its canonical text)."""
        _require_own(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text, mode=mode)

    def write(self, position: Position, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`."""
        _require_own(position)
        if style == "canonical":
            return encode(position)
        if style == "board":
            return encode(position).partition(" ")[0]
        if style == "marker":
            return write_marker(position)
        if style == "replay":
            return write_replay(position)
        raise no_choice("cotulenh style", style, ("canonical", *self.styles))

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

    # --- columns ------------------------------------------------------------------------------------

    def features(self, position: Position) -> tuple[int, ...]:
        """The numbers of a position, one for each of `feature_list`."""
        _require_own(position)
        return features(position)

    def planes(self, position: Position) -> bytes:
        """The position as a tensor of bytes, plane by plane, rank 1 first."""
        _require_own(position)
        return planes(position)

    # --- rules --------------------------------------------------------------------------------------

    def moves(self, position: Position) -> list[Move]:
        """The legal moves; in a deploy session its steps. A commit, where allowed, is not among them."""
        _require_own(position)
        if position.session is None:
            return turn_move_list(position, self.rules.last_guard)
        return [move_of(number) for number in deploy.moves_of(position, self.rules)]

    def actions(self, position: Position) -> tuple[str, ...]:
        """``commit`` where a deploy session may end, ``cancel`` where it is known what was before it."""
        _require_own(position)
        session = position.session
        commit = (turns.COMMIT_TEXT,) if deploy.may_commit(position) else ()
        return (*commit, turns.CANCEL_TEXT) if session is not None and session.start is not None else commit

    def read_move(self, position: Position, text: str) -> Any:
        """The legal move, whole deploy turn, commit or cancel that a text names; raises `MoveError`."""
        _require_own(position)
        if not isinstance(text, str):
            raise not_a_move_text(text)
        return read_move(position, text, self.rules)

    def write_move(self, position: Position, move: Any) -> str:
        """A legal move, step, turn or commit in canonical notation."""
        if isinstance(move, Move):
            _require_own(position)
            # Who writes one move of a position most often writes them all; all legal ones are there.
            text = _written(position, self.rules).get(move)
            if text is None:
                raise not_legal(move)
            return text
        self._require_legal(position, move)
        return turns.write_action(position, move, self.rules)

    def describe_move(self, position: Position, move: Any) -> MoveFacts:
        """A legal move; flags are n quiet, c capture, s stay, k suicide, d deploy step, b combination."""
        self._require_legal(position, move)
        after = encode(turns.play_action(position, move, self.rules))
        if not isinstance(move, Move):
            text = turns.write_action(position, move, self.rules)
            return MoveFacts(text, text, None, None, "d", None, after, _deployed(position, move))
        target = position.unit_at(move.target)
        captured = write_unit(target) if set(move.flags) & set("csk") else None
        san = _written(position, self.rules)[move]
        lan, piece = write_lan(position, move), _going(position, move.id)
        return MoveFacts(san, lan, move.origin, move.target, move.flags, captured, after, piece)

    def play(self, position: Position, move: Any) -> Position:
        """The position after a legal move, step, turn or commit; `MoveError` for that of another position."""
        self._require_legal(position, move)
        if isinstance(move, Move) and not move.id >> 27 & DEPLOY:
            return make(position, move.id, self.rules.last_guard, self.rules.commander_resets_clock)
        return turns.play_action(position, move, self.rules)

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Why a text names no legal move, turn or action; None where it names one."""
        _require_own(position)
        require_text("the move", text)
        return explain.explain(position, text, self.rules)

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Why nothing goes from one square to another; None where something does."""
        _require_own(position)
        require_places(origin, target, piece)
        return explain.why_not(position, origin, target, piece, self.rules)

    def why_open(self, position: Position) -> Hindrance | None:
        """Why an open deploy turn cannot end here; None where none is open or it can."""
        _require_own(position)
        if position.session is None or deploy.may_commit(position):
            return None
        return explain.why_open(position)

    def perft(self, position: Position, depth: int) -> int:
        """How many sequences of `depth` actions there are: moves, steps and commits (spec/cotulenh 19)."""
        _require_own(position)
        depth = whole_number("the depth", depth, 0, MAX_COUNTED_DEPTH)
        return 1 if depth == 0 else _count(position, depth, self.rules)

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None; never while a deploy session is open."""
        _require_own(position)
        whole_number("the number of repetitions", repetitions, 1)
        if position.session is not None:
            return None
        loses = "1-0" if position.blue_to_move else "0-1"
        if outcome.is_commander_captured(position):
            return Outcome(outcome.winner_by_capture(position), "commander captured")
        if outcome.is_checkmate(position, self.rules):
            return Outcome(loses, "checkmate")
        if outcome.is_stalemate(position, self.rules):
            return Outcome("1/2-1/2", "stalemate")
        if position.half >= 100:
            return Outcome("1/2-1/2", "fifty moves")
        return Outcome("1/2-1/2", "threefold repetition") if repetitions >= 3 else None

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Nothing is to be claimed: fifty moves and three repetitions end the game by themselves."""
        _require_own(position)
        whole_number("the number of repetitions", repetitions, 1)
        return ()

    def side_to_move(self, position: Position) -> str:
        """``Red`` or ``Blue``."""
        _require_own(position)
        return "Blue" if position.blue_to_move else "Red"

    def move_number(self, position: Position) -> tuple[int, int]:
        """The number of the move about to be played, and who plays it: 0 Red, 1 Blue."""
        _require_own(position)
        return position.full, position.blue_to_move

    def is_check(self, position: Position) -> bool:
        """Whether the side to move is attacked."""
        _require_own(position)
        return outcome.is_check(position)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """What differs between two positions, field by field and square by square."""
        _require_own(a)
        _require_own(b)
        squares = [
            Change(SQUARES[square], _shown(left), _shown(right))
            for square, (left, right) in enumerate(zip(a.board(), b.board(), strict=True))
            if left != right
        ]
        fields = [
            Change(name, str(left), str(right))
            for name, left, right in (
                ("side", a.turn, b.turn),
                ("half", a.half, b.half),
                ("full", a.full, b.full),
                ("session", _suffix(a), _suffix(b)),
            )
            if left != right
        ]
        return Difference(tuple(fields), tuple(squares), (a, b))

    def scene(
        self,
        position: Position,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """What to draw; `marks` says which squares to mark and why, `notes` what to say about them."""
        _require_own(position)
        return self._drawn(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _drawn(self, scene: Scene) -> Scene:
        return scene if self.look == self.looks[0] else replace(scene, glyphs=LOOKS[self.look])

    def overlays(self, position: Position) -> tuple[Overlay, ...]:
        """The air defence of both sides."""
        _require_own(position)
        return explain.overlays(position)

    def reach(self, position: Position, square: str) -> tuple[str, ...]:
        """Where the pieces of a square could go or capture, whoever is to move."""
        _require_own(position)
        require_text("the square", square)
        return explain.reach(position, square)

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """The start position; nothing in it is left to chance."""
        return self.parse(START)

    def palette(self, position: Position) -> Scene:
        """The pieces of both colours and their heroic forms."""
        _require_own(position)
        return self._drawn(edit.palette(position))

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """The position with a unit on a square, where it joins its own colour if that makes a stack."""
        _require_own(position)
        return edit.put(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """The position with a whole unit on another square."""
        _require_own(position)
        return edit.lift(position, source, target)

    def twin_field(self, field: str) -> str:
        """A clock or a word of the deploy suffix with the sides exchanged: letters stay, squares change."""
        require_text("the field", field)
        return across(field)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """The position as JSON-ready data, as `data_schema` says."""
        _require_own(position)
        return json_state.as_dict(position, self.rules)

    def component_of(self, finding: Diagnostic) -> str:
        """The name of the field that a finding is about."""
        require_kind("the finding", finding, Diagnostic, "a Diagnostic")
        return COMPONENTS[int(finding.field)]

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Side to move and clocks."""
        _require_own(position)
        return edit.fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """The position with another value in a field; raises `ValueError` where it cannot hold that."""
        _require_own(position)
        return edit.with_field(position, name, value)

    def _require_legal(self, position: Position, move: object) -> None:
        _require_own(position)
        if not isinstance(move, _ACTIONS):
            raise not_a_move("cotulenh", move)
        if not turns.is_legal(position, move, self.rules):
            raise not_legal(move)


def _require_own(position: object) -> None:
    if not isinstance(position, Position):
        raise not_a_position("cotulenh", position)


@lru_cache(maxsize=8)
def _written(position: Position, rules: Rules) -> dict[Move, str]:
    """Every legal move with its notation; a disambiguator depends on all the others."""
    return dict(write_moves(position, rules))


def _going(position: Position, number: int) -> str:
    """What a move or step takes along, in the letters of the board."""
    types = number >> 16 & TYPES
    unit = position.unit_on(number & 255)
    return write_unit(unit & (types | types << HEROIC_SHIFT | BLUE_BIT), fen=True)


def _deployed(position: Position, move: Any) -> str:
    """The stack that a whole turn deploys; nothing goes when a session is committed."""
    if not isinstance(move, turns.Turn):
        return ""
    return write_unit(position.unit_on(move.steps[0] & 255), fen=True) if move.steps else ""


def _count(position: Position, depth: int, rules: Rules) -> int:
    if not 1 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"a perft depth is 0 to {MAX_COUNTED_DEPTH}")
    commit = position.session is not None and deploy.may_commit(position)
    if depth == 1 and position.session is None:
        return turn_move_count(position, rules.last_guard)
    numbers = deploy.moves_of(position, rules)
    if depth == 1:
        return len(numbers) + commit
    if depth >= BREATH:
        # Positions are Python's, so the GIL is needed; here other threads get their turn.
        with cython.nogil:
            pass
    total = sum(_count(deploy.play(position, number, rules), depth - 1, rules) for number in numbers)
    return total + (_count(deploy.commit(position, rules), depth - 1, rules) if commit else 0)


def _shown(unit: int) -> str:
    return write_unit(unit, fen=True) if unit else ""


def _suffix(position: Position) -> str:
    return encode(position).partition(" DEPLOY ")[2]


GAME: Final = CoTuLenhGame()
