# cython: annotation_typing=False
"""Chess as a `Game`: one face over the modules of this folder, in one of its variants.

`read`, `parse` and `check` take plain texts; wrapped forms are unwrapped by `forsyth.forms`. Beside the
protocol, `read` and `parse` take `variant` (as `with_variant`) and `profile` (as `with_profile`). The profile
``seed`` gives the verdicts of the source document literally, which judges texts, not positions (see
`source_document`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final

from forsyth.arguments import no_choice, quoted, require_choice, require_text, whole_number
from forsyth.column import DEFAULT, LENIENT, STRICT, Column, Feature, Planes
from forsyth.diagnostics import MODES, CodeInfo, Diagnostic, Mode, Reading, Severity
from forsyth.findings import reading_of
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
from forsyth.games.chess import edit, json_state
from forsyth.games.chess.codes import CODES, component_of
from forsyth.games.chess.documents.source_document import START, read_seed
from forsyth.games.chess.drawing.looks import BOARDS, LOOKS
from forsyth.games.chess.drawing.scene import scene as draw_scene
from forsyth.games.chess.facts import describe_move, difference
from forsyth.games.chess.figurines import FIGURINES
from forsyth.games.chess.notation.epd import read_epd, write_epd
from forsyth.games.chess.notation.fen import MAX_LENGTH, read_fen, rules_named, rules_of, write_fen
from forsyth.games.chess.notation.kernel import decode, encode
from forsyth.games.chess.notation.marks import behind_mark, mark_of, other_variant, read_behind
from forsyth.games.chess.notation.san import read_san, write_san
from forsyth.games.chess.notation.scanner import accept
from forsyth.games.chess.numbers.column import Kernels
from forsyth.games.chess.numbers.features import feature_list, features
from forsyth.games.chess.numbers.key import position_key
from forsyth.games.chess.numbers.packed import pack, unpack
from forsyth.games.chess.numbers.planes import plane_shape, planes
from forsyth.games.chess.position import CRAZYHOUSE, HORDE, STANDARD, THREE_CHECK, Position
from forsyth.games.chess.records.kernel import RecordKernel
from forsyth.games.chess.rules.check import check as check_position
from forsyth.games.chess.rules.explain import explain, why_not
from forsyth.games.chess.rules.legality import faults
from forsyth.games.chess.rules.moves import Move, from_number, is_check, is_legal, legal_moves, perft, play
from forsyth.games.chess.rules.null_move import read_null
from forsyth.games.chess.rules.outcome import claims as claims_of
from forsyth.games.chess.rules.outcome import outcome as outcome_of
from forsyth.games.chess.variants import TABLE, VARIANT_NAMES, VARIANT_TAGS, VARIANTS
from forsyth.hindrances import Hindrance, require_places
from forsyth.limits import MAX_COUNTED_DEPTH
from forsyth.record_bytes.columns import Start
from forsyth.scene import Colour, Mark, Scene

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
_NUMBERS: Final[Mapping[str, int]] = {"default": DEFAULT, "strict": STRICT, "lenient": LENIENT}
"""The modes as the scanner knows them."""
_NO_MODE: Final = -1

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

_WIDTHS: Final = bytes(code - 48 if 48 <= code < 58 else code != ord("~") for code in range(256))
"""How many squares a character of a board stands for."""
_OTHER_WIDTH: Final = 0.3
"""How likely a board is that of chess whose ranks mostly have another width, beside one of eight."""


def _is_mostly_eight_wide(board: str) -> bool:
    ranks = board.encode("ascii", "replace").partition(b"[")[0].split(b"/")
    return 2 * [sum(rank.translate(_WIDTHS)) for rank in ranks].count(8) >= len(ranks)


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
    variant_tags: Mapping[str, str] = VARIANT_TAGS
    move_pattern = _MOVE_IN_RECORD
    data_schema: Mapping[str, Any] = json_state.SCHEMA

    looks: tuple[str, ...] = tuple(LOOKS)
    boards: Mapping[str, Mapping[str, Colour]] = BOARDS

    def __init__(self, rules: int = STANDARD, profile: str | None = None, look: str = "turned") -> None:
        self.rules = whole_number("the number of the rules", rules, AUTO, len(VARIANTS) - 1)
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
        """Named positions and their canonical texts, in this variant."""
        if self.rules == CRAZYHOUSE:
            return {name: text.replace(" ", "[] ", 1) for name, text in _NAMES.items()}
        if self.rules == THREE_CHECK:
            return {name: _with_checks(text) for name, text in _NAMES.items()}
        start = START if self.rules == AUTO else TABLE[self.rules].start
        if start == START:
            return _NAMES
        return {"start": start, "initial": start, "empty": _NAMES["empty"]}

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

    def with_look(self, look: str) -> Chess:
        """The same game with its pieces drawn otherwise; `ValueError` for a look it does not have."""
        require_choice("chess look", look, LOOKS)
        return Chess(self.rules, self.profile, look)

    def variant_of(self, position: Position) -> str:
        """The variant whose rules the position follows."""
        _require_own(position)
        return position.variant

    def likelihood(self, text: str) -> float:
        """How much a text looks like a chess position, 0 to 1."""
        require_text("the text", text)
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
        if not _is_mostly_eight_wide(board):
            shape *= _OTHER_WIDTH
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
        rules = self._rules(variant)
        if rules == STANDARD and mode in _AS_IT_IS:
            position = decode(text)
            if position is not None:
                return reading_of(text, "chess", position)
        found = accept(text, rules, _number_of(mode), False)
        if found is not None:
            return _accepted(text, mode, *found)
        mark = mark_of(text)
        if mark:
            return self._read_marked(text, mark, mode, rules)
        rules = rules_of(text) if rules == AUTO else rules
        if isinstance(text, str) and _is_epd(text[:MAX_LENGTH]):
            record = read_epd(text, mode=mode, variant=VARIANTS[rules])
            found_there = None if record.position is None else record.position.position
            return Reading(text, self.name, found_there, record.diagnostics, "epd")
        return read_fen(text, mode=mode, rules=rules)

    def _read_marked(self, text: str, mark: str, mode: Mode, rules: int) -> Reading[Position]:
        """Read a text with the name of its variant in front."""
        if rules not in (STANDARD, AUTO) and VARIANTS[rules] != mark:
            return other_variant(text, VARIANTS[rules])
        plain = text[behind_mark(text) :]
        if mark_of(plain):
            return read_behind(text, read_fen(plain, mode=mode, rules=VARIANTS.index(mark)))
        return read_behind(text, self.read(plain, mode=mode, variant=mark))

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
        if self.rules == STANDARD and variant is None and profile is None:
            position = decode(text)
            if position is not None and (not legality or faults(position) == 0) and mode in _AS_IT_IS:
                return position
        if profile is None:
            found = accept(text, self._rules(variant), _number_of(mode), legality)
            if found is not None:
                return found[0]
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

    figurines = FIGURINES
    """The signs of men that printed records have in place of letters."""

    def read_pass(self, position: Position, text: str) -> Move | None:
        """The null move where a text in a record means one, else None; raises `MoveError` in check."""
        _require_own(position)
        if not isinstance(text, str):
            raise not_a_move_text(text)
        return read_null(position, text)

    def write_move(self, position: Position, move: Move) -> str:
        """A legal move as SAN; ``--`` for a null move."""
        _require_legal(position, move)
        return write_san(position, move)

    def pack_move(self, move: Move) -> int:
        """Its squares and what it does: from, to times 64, kind times 4096."""
        _require_move(move)
        return move.id

    def unpack_move(self, number: int) -> Move:
        """The move of a number; it need not be legal anywhere."""
        return from_number(whole_number("the number of a move", number))

    def uci_move(self, move: Move) -> str:
        """The move as UCI writes it, ``0000`` for a pass."""
        _require_move(move)
        return move.uci

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
        return outcome_of(position, whole_number("the number of repetitions", repetitions, 1))

    def claims(self, position: Position, repetitions: int = 1) -> tuple[str, ...]:
        """Why the side to move may claim a draw now; nothing where the game has ended."""
        _require_own(position)
        return claims_of(position, whole_number("the number of repetitions", repetitions, 1))

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

    def explain(self, position: Position, text: str) -> Hindrance | None:
        """Why a text names no legal move; None where it names one."""
        _require_own(position)
        require_text("the move", text)
        return explain(position, text)

    def why_not(self, position: Position, origin: str, target: str, piece: str = "") -> Hindrance | None:
        """Why no man goes from a square or a pocket to a square; None where one does."""
        _require_own(position)
        require_places(origin, target, piece)
        return why_not(position, origin, target)

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
        return self._drawn(draw_scene(position, marks=marks, flip=flip, notes=notes))

    def _drawn(self, scene: Scene) -> Scene:
        return scene if self.look == self.looks[0] else replace(scene, glyphs=LOOKS[self.look])

    # --- editing ------------------------------------------------------------------------------------

    def new_game(self, seed: int | None = None) -> Position:
        """The start position; in Chess960 the one with the number `seed`, where 518 is the classical one."""
        return edit.new_game(self.rules, self.start, seed)

    def palette(self, position: Position) -> Scene:
        """The men of both colours."""
        _require_own(position)
        return self._drawn(edit.palette(position))

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
        """Enough for every legal position: 32 men, in Crazyhouse their pockets, and a horde of 52 men."""
        return 48 if self.rules in (CRAZYHOUSE, HORDE, AUTO) else 32

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
        """The kernels of its variant; the profile has none."""
        return kernels_by(self.rules) if self.profile is None else None

    def record_kernel(
        self, usual: Position, start: Start, want: Iterable[str], games: int, plies: int
    ) -> RecordKernel | None:
        """A kernel for records with room for some games and plies."""
        if self.profile is not None:
            return None
        return RecordKernel(usual, start, want, (self.packed_width, self.plane_shape.size), games, plies)

    def _rules(self, variant: str | None) -> int:
        if variant is None:
            return self.rules
        return AUTO if variant == "auto" else rules_named(variant)


def _number_of(mode: object) -> int:
    """The mode as the scanner knows it; whatever is no mode is left to the reader."""
    return _NUMBERS.get(mode, _NO_MODE) if isinstance(mode, str) else _NO_MODE


def _accepted(text: str, mode: Mode, position: Position, findings: int) -> Reading[Position]:
    """The reading of a text that the scanner took; its findings are made when they are looked at."""
    if not findings:
        return reading_of(text, "chess", position)
    return Reading(text, "chess", position, explain=partial(_explained, text, mode, position.rules))


def _explained(text: str, mode: Mode, rules: int) -> tuple[Diagnostic, ...]:
    return read_fen(text, mode=mode, rules=rules).diagnostics


def _require_own(position: object) -> None:
    if not isinstance(position, Position):
        raise not_a_position("chess", position)


def _require_move(move: object) -> None:
    if not isinstance(move, Move):
        raise not_a_move("chess", move)


def _require_legal(position: Position, move: object) -> None:
    _require_own(position)
    if not isinstance(move, Move):
        raise not_a_move("chess", move)
    if not is_legal(position, move) and not move.is_null:
        raise not_legal(move)


def _is_epd(text: str) -> bool:
    """Whether a text is a record, which is no FEN in any mode: where a clock belongs it has an opcode.

    The semicolon is looked for first, since few broken texts have one.
    """
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


@cache
def kernels_by(rules: int) -> Kernels:
    """The kernels of columns by some rules, or by those that each text chooses."""
    return Kernels(rules)
