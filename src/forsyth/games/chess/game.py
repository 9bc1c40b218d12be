# cython: annotation_typing=False, embedsignature=False
"""Chess as a `Game`, in one of its variants. The methods call the modules of this package.

`read`, `parse` and `check` take plain texts. `forsyth.forms` unwraps wrapped forms. In addition to the
protocol, `read` and `parse` have the parameters `variant` (see `with_variant`) and `profile` (see
`with_profile`). With the profile ``seed`` they return exactly the verdict of the source document, which
checks texts but not positions (see `source_document`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from forsyth.arguments import (
    fold_choice,
    quoted,
    require_choice,
    require_integer,
    require_text,
    unknown_choice_error,
)
from forsyth.column import DEFAULT, LENIENT, STRICT, Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, Reading, Severity
from forsyth.findings import make_reading
from forsyth.game import (
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
from forsyth.games.chess import edit, json_state
from forsyth.games.chess.codes import CODES, component_of
from forsyth.games.chess.documents.source_document import START, read_seed
from forsyth.games.chess.drawing.looks import BOARDS, LOOKS
from forsyth.games.chess.drawing.scene import scene as draw_scene
from forsyth.games.chess.facts import compare_positions, describe_move
from forsyth.games.chess.figurines import FIGURINES
from forsyth.games.chess.notation.epd import read_epd, write_epd
from forsyth.games.chess.notation.fen import MAX_LENGTH, read_fen, rules_named, rules_of, write_fen
from forsyth.games.chess.notation.kernel import decode, encode
from forsyth.games.chess.notation.marks import behind_mark, mark_of, other_variant, read_behind
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.notation.scanner import accept
from forsyth.games.chess.numbers.column import Kernels
from forsyth.games.chess.numbers.features import compute_features, list_features
from forsyth.games.chess.numbers.key import compute_key
from forsyth.games.chess.numbers.packed import pack, unpack
from forsyth.games.chess.numbers.planes import compute_planes, make_plane_shape
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, STANDARD, THREE_CHECK, Position
from forsyth.games.chess.records.kernel import RecordKernel
from forsyth.games.chess.rules.check import check_position
from forsyth.games.chess.rules.explain import explain_squares, explain_text
from forsyth.games.chess.rules.legality import find_faults
from forsyth.games.chess.rules.moves import Move, from_number, is_check, is_legal, legal_moves, perft, play
from forsyth.games.chess.rules.null_move import read_null_move
from forsyth.games.chess.rules.outcome import find_outcome, list_claims
from forsyth.games.chess.variants import VARIANT_NAMES, VARIANT_TABLE, VARIANT_TAGS, VARIANTS
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.move_errors import Hindrance, require_places
from forsyth.record_bytes.columns import Start
from forsyth.scene import Colour, Mark, Scene

_EPD_START: Final = re.compile(r"\s*(?:\S+\s+){4}(?:[0-9]\+[0-9]\s+)?[A-Za-z][A-Za-z0-9_]{0,14}(?:\s[^;]*)?;")
"""The start of an EPD record: four fields and an operation."""

_BOARD_CHARACTERS: Final = b"PNBRQKpnbrqk12345678/"
_SEPARATORS: Final = re.compile(r"[\s_\"'{}]+|%20")
"""Characters that may separate or surround the fields of a text that was copied from another program."""
_UNUSUAL_SEPARATOR: Final = re.compile(r"[_\"'{}%]")
"""Matches a separator that is not a blank. Most texts have none, and splitting at blanks is faster."""

_MOVE_IN_RECORD: Final = r"[A-Za-z@][A-Za-z0-9@=+#-]*(?:e\.p\.[+#]*)?|e\.p\.[+#]*|0-0(?:-0)?[+#]*|--|0000"
"""Matches more texts than SAN, so that a misspelled move is reported as such, and null moves.

See `rules.null_move`.
"""

_PROFILES: Final = ("seed",)
"""The names of the profiles: readers other than Forsyth's own, here that of the source document."""
_PROFILE_VARIANTS: Final = (VARIANTS[STANDARD],)
"""The variants that the source document can read."""

_FAST_MODES: Final = ("default", "strict")
"""The modes in which the kernel may decode a text without a finding."""
_MODE_NUMBERS: Final[Mapping[str, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}
"""The numbers of the modes for the scanner."""
_INVALID_MODE: Final = -1

AUTO: Final = -1
"""Value in place of the number of a variant, for a game in which each text chooses its variant."""

_STYLES: Final = {
    "fen": "six fields, with the en-passant square after every double step",
    "xfen": "en-passant square only if an enemy pawn attacks it",
    "legal": "en-passant square only if a capture there is legal",
    "shredder": "castling rights as the letters of the rooks' files",
    "epd": "four fields and operations",
}
_NAMED_TEXTS: Final = {
    "start": START,
    "initial": START,
    "opening": "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "midgame": "r2q1rk1/pp1nbppp/2p1pn2/3p1b2/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 3 10",
    "endgame": "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "empty": "8/8/8/8/8/8/8/8 w - - 0 1",
}
_EXAMPLES: Final = {
    "The start position": START,
    "After 1. e4": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "A rank of nine": "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "Several mistakes at once": "rnbqkbnr/ppppxppp/8/44/4P3/8/PPPP1PPP/RNBQKBN b KQqk e4 0 1",
    "A king that can be taken": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "Copied from a book": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq – 0 1",
    "Mate in one": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
}

_PACKED_WIDTH: Final = 32
_LONG_PACKED_WIDTH: Final = 48
"""Bytes of a packed form in a column. In some variants a position has more pieces than in standard chess."""

_SQUARE_COUNTS: Final = bytes(
    code - ord("0") if ord("0") <= code <= ord("9") else code != ord("~") for code in range(256)
)
"""The number of squares that each character of a board field stands for."""
_SIDE_SCORE: Final = 0.1
"""Likelihood that is added for a side to move, ``w`` or ``b``, behind the first word."""
_BOARD_SCORE: Final = 0.9
"""Likelihood of a board with the right number of slashes."""
_SLASH_PENALTY: Final = 0.15
"""Likelihood that is subtracted for each missing or additional slash."""
_MIN_BOARD_SCORE: Final = 0.1
"""Likelihood of a board with any number of slashes."""
_BOARD_SLASHES: Final = 7
"""Number of slashes between the eight ranks of a board."""
_OTHER_WIDTH_FACTOR: Final = 0.3
"""Factor on the likelihood of a board whose ranks mostly do not have eight squares."""


def _is_mostly_eight_wide(board: str) -> bool:
    """Return True if at least half of the ranks of a board field have eight squares.

    `board` is a text such as ``rnbqkbnr/pppppppp/8/…``. A pocket in square brackets, as in Crazyhouse, is
    ignored.
    """
    without_pocket = board.encode("ascii", "replace").partition(b"[")[0]
    ranks = without_pocket.split(b"/")
    # Each character becomes a byte with its number of squares, and the sum of the bytes is the width.
    widths = [sum(rank.translate(_SQUARE_COUNTS)) for rank in ranks]
    return 2 * widths.count(8) >= len(ranks)


class Chess(Game[Position, Move]):
    """The game of chess in one variant, with one reader of texts and one set of piece drawings.

    See `forsyth.game.Game` for the methods.
    """

    name = "chess"
    title = "Chess"
    styles: Mapping[str, str] = _STYLES
    codes: tuple[CodeInfo, ...] = CODES
    examples: Mapping[str, str] = _EXAMPLES
    max_text = MAX_LENGTH
    players = ("White", "Black")
    profiles = _PROFILES
    variants: tuple[str, ...] = VARIANTS
    variant_names: Mapping[str, str] = VARIANT_NAMES
    variant_tags: Mapping[str, str] = VARIANT_TAGS
    own_tags = ("ECO",)
    move_pattern = _MOVE_IN_RECORD
    data_schema: Mapping[str, Any] = json_state.SCHEMA

    looks: tuple[str, ...] = tuple(LOOKS)
    boards: Mapping[str, Mapping[str, Colour]] = BOARDS

    def __init__(self, rules: int = STANDARD, profile: str | None = None, look: str = "turned") -> None:
        """Create the game.

        Args:
            rules: The index of the variant in VARIANTS, or AUTO if each text chooses its variant.
            profile: The name of the reader of texts. None is Forsyth's own reader.
            look: The name of the set of piece drawings, such as ``flat``.

        Raises:
            ValueError: If there is no such variant, profile or set of drawings.
        """
        self.rules = require_integer("the number of the rules", rules, AUTO, len(VARIANTS) - 1)
        require_choice("chess look", look, LOOKS)
        self.profile = profile
        self.look = look
        if profile is not None:
            require_choice("chess profile", profile, _PROFILES)
            self.variants = _PROFILE_VARIANTS
            self.variant_names = {}

    def __repr__(self) -> str:
        profile = "" if self.profile is None else f", profile {self.profile}"
        return f"<Game chess, {self.variant}{profile}>"

    @property
    def start(self) -> str:
        """The canonical text of the start position."""
        return self.names["start"]

    @property
    def names(self) -> Mapping[str, str]:
        """The names of positions, such as ``start``, and their canonical texts in this variant."""
        if self.rules == CRAZYHOUSE:
            # The board of Crazyhouse ends with the pockets, which are empty.
            return {name: text.replace(" ", "[] ", 1) for name, text in _NAMED_TEXTS.items()}
        if self.rules == THREE_CHECK:
            return {name: _insert_checks_field(text) for name, text in _NAMED_TEXTS.items()}
        start = START if self.rules == AUTO else VARIANT_TABLE[self.rules].start
        if start == START:
            return _NAMED_TEXTS
        # The other named positions cannot occur in a variant with its own start position.
        return {"start": start, "initial": start, "empty": _NAMED_TEXTS["empty"]}

    @property
    def variant(self) -> str:
        """The name of the variant, or ``auto`` if each text chooses its variant."""
        return "auto" if self.rules == AUTO else VARIANTS[self.rules]

    def with_variant(self, variant: str) -> Chess:
        """Return the game in another variant, such as ``atomic``, in any case.

        With ``auto`` each text chooses its variant. Raise `ValueError` if there is no such variant, or the
        profile does not support it.
        """
        variant = fold_choice(variant, (*VARIANTS, "auto"))
        if self.profile is not None:
            _require_profile_variant(self.profile, variant)
        rules = AUTO if variant == "auto" else rules_named(variant)
        return type(self)(rules, self.profile, self.look)

    def with_profile(self, profile: str | None) -> Chess:
        """Return the game with another reader of texts.

        `profile` is ``seed`` for a reader that imitates the source document exactly, or None for Forsyth's
        own. Raise `ValueError` if there is no such profile, or it does not support the variant.
        """
        if profile is not None:
            require_choice("chess profile", profile, _PROFILES)
            _require_profile_variant(profile, self.variant)
        return type(self)(self.rules, profile, self.look)

    def with_look(self, look: str) -> Chess:
        """Return the game with another set of piece drawings. Raise `ValueError` if there is no such set."""
        require_choice("chess look", look, LOOKS)
        return type(self)(self.rules, self.profile, look)

    def variant_of(self, position: Position) -> str:
        """Return the name of the variant whose rules a position follows, such as ``atomic``."""
        _require_chess_position(position)
        return position.variant

    def likelihood(self, text: str) -> float:
        """Return a score from 0 to 1 for how much a text looks like a chess position.

        The text is not parsed. The score depends on the word with the most slashes: the number of slashes,
        the characters and the widths of the ranks. A FEN of standard chess scores 1.0.
        """
        require_text("the text", text)
        text = text[:MAX_LENGTH]
        if _UNUSUAL_SEPARATOR.search(text):
            words = _SEPARATORS.split(text.replace("%2F", "/"))
        else:
            words = text.split() or [""]
        # The word with the most slashes is probably the board.
        board = max(words, key=lambda word: word.count("/")) if len(words) > 1 else words[0]
        has_side = len(words) > 1 and words[1] in ("w", "b")
        side_score: float = _SIDE_SCORE if has_side else 0.0
        if "/" not in board:
            return side_score

        # Removing characters from bytes is ten times as fast as removing them from a string.
        foreign_characters = board.encode("ascii", "replace").translate(None, _BOARD_CHARACTERS)
        board_share: float = 1 - float(len(foreign_characters)) / len(board)
        slash_error = abs(board.count("/") - _BOARD_SLASHES)
        shape_score: float = max(_MIN_BOARD_SCORE, _BOARD_SCORE - _SLASH_PENALTY * slash_error)
        if not _is_mostly_eight_wide(board):
            shape_score *= _OTHER_WIDTH_FACTOR
        return round(shape_score * board_share + side_score, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(
        self, text: str, *, mode: Mode = "default", variant: str | None = None, profile: str | None = None
    ) -> Reading[Position]:
        """Read a plain text and return the position, if there is one, and all findings.

        No text raises an error. Raise `ValueError` if there is no such mode, variant or profile.

        Args:
            text: The plain text.
            mode: The reading mode: ``default``, ``strict`` or ``lenient``.
            variant: The variant of the text, or ``auto``. None is the variant of the game.
            profile: The reader, ``seed`` for that of the source document. None is the reader of the game.
        """
        profile = self.profile if profile is None else profile
        if profile is not None:
            require_choice("mode", mode, MODES)
            return _read_with_profile(text, profile, self.variant if variant is None else variant)

        # The kernel reads canonical texts of standard chess, and the scanner all other valid texts.
        rules = self._select_rules(variant)
        if rules == STANDARD and mode in _FAST_MODES:
            position = decode(text)
            if position is not None:
                return make_reading(text, "chess", position)
        accepted = accept(text, rules, _find_mode_number(mode), False)
        if accepted is not None:
            return _make_lazy_reading(text, mode, *accepted)
        return self._read_slowly(text, mode, rules)

    def _read_slowly(self, text: str, mode: Mode, rules: int) -> Reading[Position]:
        """Read a text that the fast readers do not accept: a marked or invalid text, or an EPD record.

        A marked text begins with the name of its variant, such as ``atomic:``. `rules` is the index of the
        variant in VARIANTS, or AUTO if the text chooses its variant.
        """
        mark = mark_of(text)
        if mark:
            return self._read_marked(text, mark, mode, rules)
        rules = rules_of(text) if rules == AUTO else rules
        if isinstance(text, str) and _is_epd_record(text[:MAX_LENGTH]):
            record = read_epd(text, mode=mode, variant=VARIANTS[rules])
            epd_position = None if record.position is None else record.position.position
            return Reading(text, self.name, epd_position, record.diagnostics, "epd", VARIANTS[rules])
        reading = read_fen(text, mode=mode, rules=rules)
        return reading if reading.position is not None else reading.replace(variant=VARIANTS[rules])

    def _read_marked(self, text: str, mark: str, mode: Mode, rules: int) -> Reading[Position]:
        """Read a text that begins with the name of its variant, such as ``atomic:4k3/… w - - 0 1``.

        `mark` is this name, and `rules` the index of the requested variant, or AUTO if any variant is
        accepted. If another variant was requested, the reading has an error.
        """
        if rules not in (STANDARD, AUTO) and VARIANTS[rules] != mark:
            return other_variant(text, VARIANTS[rules])
        unmarked_text = text[behind_mark(text) :]
        if mark_of(unmarked_text):
            # A second name is an error, which `read_fen` reports.
            return read_behind(text, read_fen(unmarked_text, mode=mode, rules=VARIANTS.index(mark)))
        return read_behind(text, self.read(unmarked_text, mode=mode, variant=mark))

    def parse(
        self,
        text: str,
        *,
        mode: Mode = "default",
        legality: bool = True,
        variant: str | None = None,
        profile: str | None = None,
    ) -> Position:
        """Return the position of a plain text.

        Args:
            text: The plain text.
            mode: The reading mode: ``default``, ``strict`` or ``lenient``.
            legality: Whether the position must be legal. A profile does not check this.
            variant: The variant of the text, or ``auto``. None is the variant of the game.
            profile: The reader, ``seed`` for that of the source document. None is the reader of the game.

        Raises:
            FenError: If a finding is an error. It contains all findings.
            ValueError: If there is no such mode, variant or profile.
        """
        profile = self.profile if profile is None else profile
        if profile is not None:
            return self.read(text, mode=mode, variant=variant, profile=profile).require()

        # The kernel reads canonical texts of standard chess, and the scanner all other valid texts.
        if self.rules == STANDARD and variant is None:
            position = decode(text)
            if position is not None and (not legality or find_faults(position) == 0) and mode in _FAST_MODES:
                return position
        accepted = accept(text, self._select_rules(variant), _find_mode_number(mode), legality)
        if accepted is not None:
            return accepted[0]

        reading = self.read(text, mode=mode, variant=variant)
        if legality and reading.position is not None:
            faults = check_position(reading.position, text=text)
            reading = reading.with_findings(_apply_mode_to_severities(faults, mode))
        return reading.require()

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Return a diagnostic for each rule of chess that a position breaks. They are the same in every mode.

        Args:
            position: The position.
            text: The plain text in which the diagnostics are located. None means the canonical text.
            mode: The reading mode, which must exist but has no effect.
        """
        _require_chess_position(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text) if self.profile is None else ()

    def write(self, position: Position, style: str = "canonical") -> str:
        """Return the position as text in `style`: ``canonical`` or one of `styles`.

        Raise `ValueError` if there is no such style.
        """
        _require_chess_position(position)
        if style in ("canonical", "fen"):
            return encode(position)
        if style == "xfen":
            return write_fen(position, ep="xfen")
        if style == "legal":
            return write_fen(position, ep="legal")
        if style == "shredder":
            return write_fen(position, castling="shredder")
        if style == "epd":
            return write_epd(position)
        raise unknown_choice_error("chess style", style, ("canonical", *_STYLES))

    def key(self, position: Position) -> str:
        """Return the key of a position: 32 hexadecimal digits, the same for all texts of one position."""
        _require_chess_position(position)
        return compute_key(position)

    def pack(self, position: Position) -> bytes:
        """Return the packed form of a position: at most 75 bytes for databases, which `unpack` reads."""
        _require_chess_position(position)
        return pack(position)

    def unpack(self, data: bytes) -> Position:
        """Return the position whose packed form is `data`. Raise `ValueError` if there is none."""
        return unpack(data)

    # --- rules --------------------------------------------------------------------------------------

    def moves(self, position: Position) -> list[Move]:
        """Return the legal moves of the side to move."""
        _require_chess_position(position)
        return legal_moves(position)

    def actions(self, position: Position) -> tuple[str, ...]:
        """Return the names of actions that are not moves of a piece: an empty tuple, as chess has none."""
        _require_chess_position(position)
        return ()

    def read_move(self, position: Position, text: str, *, strict: bool = False) -> Move:
        """Return the legal move that a text names in SAN or UCI.

        If `strict` is True, accept canonical SAN only. Raise `MoveError` if the text names no legal move.
        """
        _require_chess_position(position)
        if not isinstance(text, str):
            raise wrong_move_text_error(text)
        return read_san(position, text, strict)

    figurines = FIGURINES
    """The piece letter for each piece symbol of printed records, as a table for `str.translate`."""

    def read_pass(self, position: Position, text: str) -> Move | None:
        """Return the null move if a text in a record names one, else None.

        Raise `MoveError` if the text names a null move, but the side to move cannot pass here.
        """
        _require_chess_position(position)
        if not isinstance(text, str):
            raise wrong_move_text_error(text)
        return read_null_move(position, text)

    def write_move(self, position: Position, move: Move) -> str:
        """Return a legal move in SAN, or ``--`` for a null move. Raise `MoveError` if it is not legal."""
        _require_legal(position, move)
        return write_san(position, move)

    def pack_move(self, move: Move) -> int:
        """Return the number of a move: its origin, plus 64 times its target, plus 4096 times its kind."""
        _require_move(move)
        return move.id

    def unpack_move(self, number: int) -> Move:
        """Return the move whose `pack_move` is `number`, 0 to 65535. Raise `ValueError` for other numbers.

        The move need not be legal in any position.
        """
        return from_number(require_integer("the number of a move", number))

    def uci_move(self, move: Move) -> str:
        """Return the move in UCI notation, such as ``e2e4`` or ``e7e8q``, or ``0000`` for a null move."""
        _require_move(move)
        return move.uci

    def describe_move(self, position: Position, move: Move) -> MoveFacts:
        """Return the facts about a legal move. Raise `MoveError` if it is not legal.

        Its flags are: n quiet, b double step, c capture, e en passant, p promotion, k castling on the king
        side, q castling on the queen side, d drop. A null move has no flags.
        """
        _require_legal(position, move)
        return describe_move(position, move)

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move. Raise `MoveError` if it is not legal in this position."""
        _require_legal(position, move)
        return play(position, move)

    def perft(self, position: Position, depth: int) -> int:
        """Return the number of sequences of `depth` legal moves: 20 for the start position and depth 1."""
        _require_chess_position(position)
        return perft(position, require_integer("the depth", depth, 0, MAX_COUNTED_DEPTH))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """Return how the game ended in this position, or None if it goes on.

        `repetitions` is how often the position has occurred, including now.
        """
        _require_chess_position(position)
        return find_outcome(position, require_integer("the number of repetitions", repetitions, 1))

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Return the reasons why the side to move may claim a draw now. There are none once the game ended.

        `repetitions` is how often the position has occurred, including now.
        """
        _require_chess_position(position)
        return list_claims(position, require_integer("the number of repetitions", repetitions, 1))

    def side_to_move(self, position: Position) -> str:
        """Return the side to move, ``White`` or ``Black``."""
        _require_chess_position(position)
        return "Black" if position.black_to_move else "White"

    def move_number(self, position: Position) -> tuple[int, int]:
        """Return the number of the next move, and 0 if White is to move or 1 if Black is."""
        _require_chess_position(position)
        return position.full, position.black_to_move

    def is_check(self, position: Position) -> bool:
        """Return True if the side to move is in check."""
        _require_chess_position(position)
        return is_check(position)

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Return the reason why a text does not name a legal move, or None if it names one."""
        _require_chess_position(position)
        require_text("the move", text)
        return explain_text(position, text)

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Return the reason why no legal move goes from `origin` to `target`, or None if there is one.

        `origin` is a square or a place in a pocket. `piece` is not used in chess.
        """
        _require_chess_position(position)
        require_places(origin, target, piece)
        return explain_squares(position, origin, target)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """Return the differences between two positions, by field and by square."""
        _require_chess_position(a)
        _require_chess_position(b)
        return compare_positions(a, b)

    def scene(
        self,
        position: Position,
        *,
        marks: Mapping[str, Mark] | None = None,
        flip: bool = False,
        notes: Mapping[str, str] | None = None,
    ) -> Scene:
        """Return the description of a drawing of the position.

        Args:
            position: The position.
            marks: The squares to mark, each with the reason.
            flip: Whether to draw the board from Black's side.
            notes: Texts to show for squares.
        """
        _require_chess_position(position)
        return self._apply_look(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _apply_look(self, scene: Scene) -> Scene:
        """Return the scene with the piece drawings of `self.look`, such as ``flat`` or ``letters``."""
        return scene if self.look == self.looks[0] else replace(scene, glyphs=LOOKS[self.look])

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """Return the start position.

        In Chess960 `seed` is the number of the start position, where 518 is that of standard chess. None
        chooses a random one.
        """
        return edit.new_game(self.rules, self.start, seed)

    def palette(self, position: Position) -> Scene:
        """Return the drawing of the pieces of both colours that an editor offers."""
        _require_chess_position(position)
        return self._apply_look(edit.make_palette(position))

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """Return the position with a piece placed on a square or added to a pocket (``Q@``).

        If `symbol` is None, the square is emptied, or one piece is removed from the pocket. Raise
        `ValueError` if the square or the symbol does not exist, or the position cannot hold the piece there.
        """
        _require_chess_position(position)
        return edit.place_piece(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """Return the position with a piece moved to another square (``e4``) or into a pocket (``Q@``).

        Raise `ValueError` if one of them does not exist, `source` is empty, or `target` cannot hold the
        piece.
        """
        _require_chess_position(position)
        return edit.move_piece(position, source, target)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """Return a position as JSON-ready data that conforms to `data_schema`. `text` is not used."""
        _require_chess_position(position)
        return json_state.position_to_dict(position)

    def component_of(self, finding: Diagnostic) -> str:
        """Return the name of the field that a finding is about, or ``fen`` for the text as a whole."""
        return component_of(finding)

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Return the editable values of a position that are not on the board, such as the side to move."""
        _require_chess_position(position)
        return edit.list_fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """Return the position with another value in the field `name`, one of `fields`.

        Raise `ValueError` if there is no such field, or the position cannot hold the value.
        """
        _require_chess_position(position)
        return edit.replace_field(position, name, value)

    # --- columns ------------------------------------------------------------------------------------

    @property
    def packed_width(self) -> int:
        """Bytes per row in a column of packed forms: enough for every legal position of the variant."""
        may_be_long = self.rules in (CRAZYHOUSE, HORDE, AUTO)
        return _LONG_PACKED_WIDTH if may_be_long else _PACKED_WIDTH

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """The features that `features` returns, in the same order."""
        return list_features(self.rules)

    def features(self, position: Position) -> tuple[int, ...]:
        """Return the features of a position: small numbers, such as 8 for ``white_pawns``.

        There is one number for each entry of `feature_list`.
        """
        _require_chess_position(position)
        return compute_features(position, self.rules)

    @property
    def plane_shape(self) -> Planes:
        """The names of the planes that `planes` returns, and their number of rows and columns."""
        return make_plane_shape(self.rules)

    def planes(self, position: Position) -> bytes:
        """Return a position as planes for training: 64 bytes for each name of `plane_shape`.

        A plane has one byte for each square, rank 1 and the a-file first.
        """
        _require_chess_position(position)
        return compute_planes(position, self.rules)

    @property
    def column(self) -> Column | None:
        """The fast functions for whole columns of texts, or None for a profile."""
        return kernels_for_rules(self.rules) if self.profile is None else None

    def record_kernel(
        self, usual: Position, start: Start, want: Iterable[str], games: int, plies: int
    ) -> RecordKernel | None:
        """Return a kernel, a fast reader of many recorded games, or None for a profile.

        Args:
            usual: The start position of games whose tags name none.
            start: A function that returns the start position for the tags `Variant`, `SetUp` and `FEN` of a
                game.
            want: The names of the columns to fill.
            games: The number of games that the kernel has room for.
            plies: The number of half-moves that the kernel has room for.
        """
        if self.profile is not None:
            return None
        row_sizes = (self.packed_width, self.plane_shape.size)
        return RecordKernel(usual, start, want, row_sizes, games, plies)

    def _select_rules(self, variant: str | None) -> int:
        """Return the index in VARIANTS of a variant such as ``atomic``, or AUTO for ``auto``.

        None selects the variant of the game. Raise `ValueError` if there is no such variant.
        """
        if variant is None:
            return self.rules
        return AUTO if fold_choice(variant, ("auto",)) == "auto" else rules_named(variant)


def _find_mode_number(mode: object) -> int:
    """Return the number of a reading mode for the fast scanner, such as STRICT for ``strict``.

    An invalid mode has −1, with which the scanner accepts no text. The slower reader then raises the error.
    """
    return _MODE_NUMBERS.get(mode, _INVALID_MODE) if isinstance(mode, str) else _INVALID_MODE


def _make_lazy_reading(text: str, mode: Mode, position: Position, finding_count: int) -> Reading[Position]:
    """Return the reading of a text that the fast scanner has read as `position`.

    The scanner only counts the warnings about a text. `finding_count` is their number. The slower reader
    creates the warnings when they are first used.
    """
    if not finding_count:
        return make_reading(text, "chess", position)
    find_warnings = partial(_list_diagnostics, text, mode, position.rules)
    return Reading(text, "chess", position, explain=find_warnings)


def _list_diagnostics(text: str, mode: Mode, rules: int) -> tuple[Diagnostic, ...]:
    """Return the findings (errors and warnings) about a text, read with the slower reader.

    `rules` is the index of the variant of the text in VARIANTS.
    """
    return read_fen(text, mode=mode, rules=rules).diagnostics


def _require_chess_position(position: object) -> None:
    """Raise `TypeError` if a value is not a position of chess."""
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)


def _require_move(move: object) -> None:
    """Raise `MoveError` if a value is not a move of chess."""
    if not isinstance(move, Move):
        raise wrong_move_error("chess", move)


def _require_legal(position: Position, move: object) -> None:
    """Raise `MoveError` if `move` is neither legal in a position nor a null move.

    Records may contain null moves, with which a side passes.
    """
    _require_chess_position(position)
    if not isinstance(move, Move):
        raise wrong_move_error("chess", move)
    if not is_legal(position, move) and not move.is_null:
        raise illegal_move_error(move)


def _is_epd_record(text: str) -> bool:
    """Return True if a text is an EPD record, such as ``4k3/… w - - bm Kd2;``, and not a FEN.

    An EPD has an operation in the place of the clocks. The text is searched for a semicolon first, because
    that is fast and few invalid FENs contain one.
    """
    return ";" in text and _EPD_START.match(text) is not None


def _insert_checks_field(text: str) -> str:
    """Return a FEN of standard chess as one of Three-check, with ``3+3`` as its fifth field.

    This field is the number of checks that White and Black still have to give.
    """
    fields = text.split(" ")
    return " ".join((*fields[:4], "3+3", *fields[4:]))


def _require_profile_variant(profile: str, variant: str) -> None:
    """Raise `ValueError` if a profile, such as ``seed``, does not support a variant."""
    if variant not in (*_PROFILE_VARIANTS, "auto"):
        raise ValueError(
            f"the profile {profile} has no variant {quoted(variant)} of chess; choose standard or auto"
        )


def _read_with_profile(text: object, profile: str, variant: str) -> Reading[Position]:
    """Read a text with the reader of a profile: ``seed``, which imitates the source document exactly.

    Raise `ValueError` if there is no such profile, or it does not support the variant.
    """
    require_choice("chess profile", profile, _PROFILES)
    _require_profile_variant(profile, variant)
    return read_seed(text) if isinstance(text, str) else read_fen(text)


def _apply_mode_to_severities(findings: tuple[Diagnostic, ...], mode: Mode) -> tuple[Diagnostic, ...]:
    """Return the findings with the severities that they have in a reading mode.

    In strict mode every finding is an error. The other modes change nothing.
    """
    if mode != "strict":
        return findings
    return tuple(finding.with_severity(Severity.ERROR) for finding in findings)


GAME: Final = Chess()


@cache
def game_for_rules(rules: int) -> Chess:
    """Return the game of chess in the variant with the index `rules` in VARIANTS. The object is cached."""
    return GAME if rules == STANDARD else Chess(rules)


@cache
def kernels_for_rules(rules: int) -> Kernels:
    """Return the fast functions for whole columns of texts in one variant. The object is cached.

    `rules` is the index of the variant in VARIANTS, or AUTO if each text chooses its variant.
    """
    return Kernels(rules)
