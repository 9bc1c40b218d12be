# cython: annotation_typing=False
"""Chess as a `Game`: one face over the modules of this folder, in one of its variants.

`read`, `parse` and `check` take plain texts; wrapped forms are unwrapped by `forsyth.forms`. Beside the
protocol, `read` and `parse` take `variant` (as `with_variant`) and `profile` (as `with_profile`). The profile
``seed`` gives the verdicts of the source document literally, which judges texts, not positions (see
`source_document`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from forsyth.arguments import no_choice, quoted, require_choice, whole_number
from forsyth.column import Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, Reading, Severity
from forsyth.game import (
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
from forsyth.games.chess import column as kernels
from forsyth.games.chess import edit, json_state
from forsyth.games.chess.check import check as check_position
from forsyth.games.chess.codes import CODES, component_of
from forsyth.games.chess.epd import read_epd, write_epd
from forsyth.games.chess.facts import describe_move, difference
from forsyth.games.chess.features import feature_list, features
from forsyth.games.chess.fen import MAX_LENGTH, read_fen, rules_named, rules_of, write_fen
from forsyth.games.chess.kernel import decode, encode
from forsyth.games.chess.key import position_key
from forsyth.games.chess.legality import faults
from forsyth.games.chess.moves import Move, is_check, is_legal, legal_moves, perft, play
from forsyth.games.chess.null_move import read_null
from forsyth.games.chess.outcome import claims as claims_of
from forsyth.games.chess.outcome import outcome as outcome_of
from forsyth.games.chess.packed import pack, unpack
from forsyth.games.chess.planes import plane_shape, planes
from forsyth.games.chess.position import CRAZYHOUSE, STANDARD, THREE_CHECK, VARIANTS, Position
from forsyth.games.chess.san import read_san, write_san
from forsyth.games.chess.scene import scene as draw_scene
from forsyth.games.chess.source_document import START, read_seed
from forsyth.games.chess.variants import VARIANT_NAMES
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.scene import Mark, Scene

_EPD: Final = re.compile(r"\s*(?:\S+\s+){4}(?:[0-9]\+[0-9]\s+)?[A-Za-z][A-Za-z0-9_]{0,14}(?:\s[^;]*)?;")
"""Four fields and an operation: a record, not a FEN."""

_LETTERS: Final = b"PNBRQKpnbrqk12345678/"
_NOISE: Final = re.compile(r"[\s_\"'{}]+|%20")
"""What may stand around the fields of a text that was pasted from somewhere."""
_NOISY: Final = re.compile(r"[_\"'{}%]")
"""Whether anything of it but blanks is there: most texts are plain, and splitting at blanks is quick."""

_MOVE_IN_RECORD: Final = r"[A-Za-z@][A-Za-z0-9@=+#-]*(?:e\.p\.[+#]*)?|e\.p\.[+#]*|0-0(?:-0)?[+#]*|--|0000"
"""Wider than SAN, so that a slip is seen as a slip in a move, and with null moves (see `null_move`)."""

_PROFILES: Final = ("seed",)
"""Readers of texts beside its own: the source document's."""
_PROFILE_VARIANTS: Final = (VARIANTS[STANDARD],)
"""The source document knows no other chess."""

_AS_IT_IS: Final = ("default", "strict")
"""The modes in which a text without a finding is the position that the kernel decodes."""

AUTO: Final = -1
"""Rules that each text chooses for itself."""

_STYLES: Final = {
    "fen": "six fields, en passant after every double step",
    "xfen": "en passant only where a pawn stands ready to capture",
    "legal": "en passant only where it can legally be captured: the identity form",
    "shredder": "castling rights as the files of the rooks",
    "epd": "four fields and operations",
}
_NAMES: Final = {
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


class Chess(Game[Position, Move]):
    """The game of chess, in one variant."""

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
    move_pattern = _MOVE_IN_RECORD
    data_schema: Mapping[str, Any] = json_state.SCHEMA

    def __init__(self, rules: int = STANDARD, profile: str | None = None) -> None:
        self.rules = whole_number("the number of the rules", rules, AUTO, len(VARIANTS) - 1)
        self.profile = profile
        if profile is not None:
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
        """Named positions and their canonical texts, in this variant."""
        if self.rules == CRAZYHOUSE:
            return {name: text.replace(" ", "[] ", 1) for name, text in _NAMES.items()}
        if self.rules == THREE_CHECK:
            return {name: _with_checks(text) for name, text in _NAMES.items()}
        return _NAMES

    @property
    def variant(self) -> str:
        """The name of its variant, or ``auto``."""
        return "auto" if self.rules == AUTO else VARIANTS[self.rules]

    def with_variant(self, variant: str) -> Chess:
        """The same game in another variant; ``auto`` lets each text choose."""
        if self.profile is not None:
            _require_profile_variant(self.profile, variant)
        return Chess(AUTO if variant == "auto" else rules_named(variant), self.profile)

    def with_profile(self, profile: str | None) -> Chess:
        """The same game reading texts as another reader does; None is its own."""
        if profile is not None:
            require_choice("chess profile", profile, _PROFILES)
            _require_profile_variant(profile, self.variant)
        return Chess(self.rules, profile)

    def variant_of(self, position: Position) -> str:
        """The variant whose rules the position follows."""
        return position.variant

    def likelihood(self, text: str) -> float:
        """How much a text looks like a chess position, 0 to 1."""
        text = text[:MAX_LENGTH]
        words = _NOISE.split(text.replace("%2F", "/")) if _NOISY.search(text) else text.split() or [""]
        board = max(words, key=lambda word: word.count("/")) if len(words) > 1 else words[0]
        side: float = 0.1 if words[1:] and words[1] in ("w", "b") else 0.0
        if "/" not in board:
            return side
        # As bytes: taking characters out of a text takes ten times as long.
        foreign = board.encode("ascii", "replace").translate(None, _LETTERS)
        fitting: float = 1 - float(len(foreign)) / len(board)
        shape: float = max(0.1, 0.9 - 0.15 * abs(board.count("/") - 7))
        return round(shape * fitting + side, 3)

    # --- texts --------------------------------------------------------------------------------------

    def read(
        self, text: str, *, mode: Mode = "default", variant: str | None = None, profile: str | None = None
    ) -> Reading[Position]:
        """Read a plain text: the position or none, and every finding about the text. Never raises."""
        profile = self.profile if profile is None else profile
        if profile is not None:
            require_choice("mode", mode, MODES)
            return _read_profile(text, profile, self.variant if variant is None else variant)
        rules = self._rules(text, variant)
        reading = read_fen(text, mode=mode, rules=rules)
        if reading.position is None and isinstance(text, str) and _is_epd(text[:MAX_LENGTH]):
            record = read_epd(text, mode=mode, variant=VARIANTS[rules])
            position = None if record.position is None else record.position.position
            return Reading(text, self.name, position, record.diagnostics, "epd")
        return reading

    def parse(
        self,
        text: str,
        *,
        mode: Mode = "default",
        legality: bool = True,
        variant: str | None = None,
        profile: str | None = None,
    ) -> Position:
        """The position of a plain text; raises `FenError` with every finding when there is an error."""
        profile = self.profile if profile is None else profile
        if self.rules == STANDARD and variant is None and profile is None and isinstance(text, str):
            position = decode(text)
            if position is not None and (not legality or faults(position) == 0) and mode in _AS_IT_IS:
                return position
        reading = self.read(text, mode=mode, variant=variant, profile=profile)
        if legality and profile is None and reading.position is not None:
            reading = reading.with_findings(_weigh(check_position(reading.position, text=text), mode))
        return reading.require()

    def check(
        self, position: Position, *, text: str | None = None, mode: Mode = "default"
    ) -> tuple[Diagnostic, ...]:
        """Every finding about a position's legality, placed in `text`; the same in every mode."""
        _require_own(position)
        require_choice("mode", mode, MODES)
        return check_position(position, text=text) if self.profile is None else ()

    def write(self, position: Position, style: str = "canonical") -> str:
        """The position as text, canonical or in one of `styles`."""
        _require_own(position)
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
        raise no_choice("chess style", style, ("canonical", *_STYLES))

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

    def moves(self, position: Position) -> list[Move]:
        """The legal moves."""
        _require_own(position)
        return legal_moves(position)

    def actions(self, position: Position) -> tuple[str, ...]:
        """Nothing is done in chess but moves."""
        _require_own(position)
        return ()

    def read_move(self, position: Position, text: str, *, strict: bool = False) -> Move:
        """The legal move a text names, as SAN or UCI; raises `MoveError`."""
        _require_own(position)
        if not isinstance(text, str):
            raise not_a_move_text(text)
        return read_san(position, text, strict)

    def read_pass(self, position: Position, text: str) -> Move | None:
        """The null move where a text in a record means one, else None; raises `MoveError` in check."""
        return read_null(position, text)

    def write_move(self, position: Position, move: Move) -> str:
        """A legal move as SAN; ``--`` for a null move."""
        _require_legal(position, move)
        return write_san(position, move)

    def describe_move(self, position: Position, move: Move) -> MoveFacts:
        """A legal move with its flags: n quiet, b double step, c capture, e en passant, p promotion, k and q
        castling, d drop; a null move has none."""
        _require_legal(position, move)
        return describe_move(position, move)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a legal move; raises `MoveError` for a move of another position."""
        _require_legal(position, move)
        return play(position, move)

    def perft(self, position: Position, depth: int) -> int:
        """How many lines of `depth` legal moves there are."""
        _require_own(position)
        return perft(position, whole_number("the depth", depth, 0, MAX_COUNTED_DEPTH))

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """How the game ended here, or None."""
        _require_own(position)
        return outcome_of(position, repetitions)

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Why the side to move may claim a draw now; nothing where the game has ended."""
        _require_own(position)
        return claims_of(position, repetitions)

    def side_to_move(self, position: Position) -> str:
        """``White`` or ``Black``."""
        _require_own(position)
        return "Black" if position.black_to_move else "White"

    def move_number(self, position: Position) -> tuple[int, int]:
        """The full move number, and 0 for White or 1 for Black."""
        _require_own(position)
        return position.full, position.black_to_move

    def is_check(self, position: Position) -> bool:
        """Whether the side to move is in check."""
        _require_own(position)
        return is_check(position)

    # --- views --------------------------------------------------------------------------------------

    def diff(self, a: Position, b: Position) -> Difference:
        """What differs between two positions, field by field and square by square."""
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
        """What to draw; `marks` says which squares to mark and why, `notes` what to say about them."""
        _require_own(position)
        return draw_scene(position, marks=marks, flip=flip, notes=notes)

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """The start position; in Chess960 the one with the number `seed`, where 518 is the classical one."""
        return edit.new_game(self.rules, self.start, seed)

    def palette(self, position: Position) -> Scene:
        """The men of both colours."""
        _require_own(position)
        return edit.palette(position)

    def put(self, position: Position, square: str, symbol: str | None) -> Position:
        """The position with a man on a square or one more in a pocket (``Q@``), or with one less for None."""
        _require_own(position)
        return edit.put(position, square, symbol)

    def lift(self, position: Position, source: str, target: str) -> Position:
        """The position with a man on another square, in a pocket, or out of one."""
        _require_own(position)
        return edit.lift(position, source, target)

    def as_data(self, position: Position, text: str) -> dict[str, Any]:
        """The position as JSON-ready data, as `data_schema` says."""
        _require_own(position)
        return json_state.as_dict(position)

    def component_of(self, finding: Diagnostic) -> str:
        """The name of the field that a finding is about."""
        return component_of(finding)

    def fields(self, position: Position) -> tuple[Field, ...]:
        """Side to move, castling, en passant, clocks, and what the variant adds."""
        _require_own(position)
        return edit.fields(position)

    def with_field(self, position: Position, name: str, value: str) -> Position:
        """The position with another value in a field; raises `ValueError` where it cannot hold that."""
        _require_own(position)
        return edit.with_field(position, name, value)

    # --- columns ------------------------------------------------------------------------------------

    @property
    def packed_width(self) -> int:
        """Enough for every legal position: 32 men, and in Crazyhouse their pockets."""
        return 48 if self.rules in (CRAZYHOUSE, AUTO) else 32

    @property
    def feature_list(self) -> tuple[Feature, ...]:
        """Material, pawns, kings and clocks, and what the variant adds."""
        return feature_list(self.rules)

    def features(self, position: Position) -> tuple[int, ...]:
        """The numbers of a position, one for each of `feature_list`."""
        _require_own(position)
        return features(position, self.rules)

    @property
    def plane_shape(self) -> Planes:
        """Planes of eight ranks of eight squares."""
        return plane_shape(self.rules)

    def planes(self, position: Position) -> bytes:
        """The position as planes, rank 1 and the a-file first."""
        _require_own(position)
        return planes(position, self.rules)

    @property
    def column(self) -> Column | None:
        """The kernels of standard chess; texts of the other variants are read one by one."""
        return kernels if self.rules == STANDARD and self.profile is None else None

    def _rules(self, text: object, variant: str | None) -> int:
        rules = self.rules
        if variant is not None:
            rules = AUTO if variant == "auto" else rules_named(variant)
        if rules != AUTO:
            return rules
        return rules_of(text) if isinstance(text, str) else STANDARD


def _require_own(position: object) -> None:
    if not isinstance(position, Position):
        raise not_a_position("chess", position)


def _require_legal(position: Position, move: object) -> None:
    _require_own(position)
    if not isinstance(move, Move):
        raise not_a_move("chess", move)
    if not is_legal(position, move) and not move.is_null:
        raise not_legal(move)


def _is_epd(text: str) -> bool:
    """Whether a text is a record; the semicolon is looked for first, since few broken texts have one."""
    return ";" in text and _EPD.match(text) is not None


def _with_checks(text: str) -> str:
    fields = text.split(" ")
    return " ".join((*fields[:4], "3+3", *fields[4:]))


def _require_profile_variant(profile: str, variant: str) -> None:
    if variant not in (*_PROFILE_VARIANTS, "auto"):
        raise ValueError(
            f"the profile {profile} has no variant {quoted(variant)} of chess; choose standard or auto"
        )


def _read_profile(text: object, profile: str, variant: str) -> Reading[Position]:
    require_choice("chess profile", profile, _PROFILES)
    _require_profile_variant(profile, variant)
    return read_seed(text) if isinstance(text, str) else read_fen(text)


def _weigh(findings: tuple[Diagnostic, ...], mode: Mode) -> tuple[Diagnostic, ...]:
    """In strict mode a warning is an error."""
    if mode != "strict":
        return findings
    return tuple(finding.with_severity(Severity.ERROR) for finding in findings)


GAME: Final = Chess()


@cache
def game_by(rules: int) -> Chess:
    """The game by the rules of a position."""
    return GAME if rules == STANDARD else Chess(rules)
