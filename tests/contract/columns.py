"""What a column of each game is held to: its texts, and the law that says which rows its kernels answer for.

The law is the reader, never the kernel: where a game's `read` decodes by its kernel, the reader is asked.
"""

from __future__ import annotations

import gzip
import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.golden_data import bench
from tests.whole_game import WholeGame, whole

import forsyth
from forsyth.bulk.verbs.text_arrays import RowResult, read_row, unpack_row
from forsyth.column import ASK, CANONICAL, DEFAULT, NOTED, NOTES, REFUSED, SPELLED, Column
from forsyth.diagnostics import Severity
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.rules.check import list_content_faults, list_reachability_faults
from forsyth.games.chess.notation.fen import read_fen as read_chess
from forsyth.games.cotulenh.notation.fen import explained
from forsyth.games.shogi import GAME as SHOGI
from forsyth.games.xiangqi import GAME as XIANGQI
from forsyth.kit.notation.fen import explained as explained_grid

COMPILED = bool(forsyth.build_info()["compiled"])
GOLDEN = Path(__file__).parents[1] / "golden"
MOST = 6000
"""About how many texts of one golden file are taken."""
UNTOUCHED = 0xA5
"""What stands in a buffer before a kernel writes into it."""
NUMBER = int.from_bytes(bytes([UNTOUCHED]) * 4, "little", signed=True)
MAX_INT = 2**31 - 1
SLIPS = b"0123456789/ |+-,()KQkqPpNnCcFfTtBYRwrbvo\0\xff\xc3\xa9"
TEXT_NAMES = (
    "fen",
    "fen2",
    "fen_variant",
    "canonical",
    "sfen",
    "text",
    "board_fen",
    "start_fen",
    "final_fen",
    "fen_after",
)


def golden_rows(game: str, name: str) -> Iterator[dict[str, Any]]:
    """The rows of a golden file of a game."""
    path = GOLDEN / game / f"{name}.jsonl"
    with (
        path.open(encoding="utf-8")
        if path.exists()
        else gzip.open(f"{path}.gz", "rt", encoding="utf-8") as lines
    ):
        yield from map(json.loads, lines)


def texts_in(value: Any) -> Iterator[str]:
    """Every text of a golden row, however deep it lies."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str) and name in TEXT_NAMES:
                yield inner
            else:
                yield from texts_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from texts_in(inner)


# --- the law of each game ---------------------------------------------------------------------------


def _read(game: WholeGame, data: bytes, read: Callable[[str], Any]) -> Any | None:
    try:
        reading = read(data.decode())
    except UnicodeDecodeError:
        return None
    position = reading.position
    if (
        position is None
        or reading.diagnostics
        or reading.form != "plain"
        or getattr(position, "session", None) is not None
    ):
        return None
    return position


@dataclass(frozen=True)
class Case:
    """A game with kernels, and which rows they have to answer for."""

    name: str
    files: Sequence[str]
    """The golden files with texts."""
    answered: Sequence[str]
    """The files all of whose texts are answered for."""
    read: Callable[[str], Any]
    """The reader without the kernel, about what the kernel answers for."""
    sound: Callable[[Any], bool] = lambda position: True
    """Whether there is nothing to say about the content of a position that was read."""
    legal: Callable[[Any], bool] | None = None
    """Whether a scan for legal rows answers for a position; by default where `check` finds nothing."""
    fits: Callable[[Any], bool] = lambda position: True
    """Whether its numbers have room in features and packed forms."""
    unpacks: Callable[[Any, bytes], bool] = lambda position, form: True
    """Whether a packed form is answered for."""

    @property
    def game(self) -> WholeGame:
        return whole(self.name)

    @property
    def kernels(self) -> Column:
        found = self.game.column
        assert found is not None
        return found

    def position_of(self, data: bytes) -> Any | None:
        """The position of a row that the kernels answer for, or None."""
        position = _read(self.game, data, self.read)
        return position if position is not None and self.sound(position) else None

    def is_legal(self, position: Any) -> bool:
        legal = self.legal(position) if self.legal else not self.game.check(position)
        return bool(legal and self.fits(position))

    def text_of(self, form: bytes) -> str | None:
        """The text of a packed form and zeros behind it, where the kernels answer for it."""
        position = unpack_row(self.game, form)
        if position is None or not self.fits(position) or not self.unpacks(position, form):
            return None
        text = str(position)
        return text if len(text) <= self.game.max_text else None


def _clocks_fit(position: Any) -> bool:
    return bool(max(position.half, position.full) <= MAX_INT)


CASES = (
    Case(
        "chess",
        ("valid_fens", "invalid_fens", "variants", "perft", "epd"),
        (),
        read_chess,
    ),
    Case(
        "cotulenh",
        ("fen_validation", "legal_moves", "keys", "perft", "games"),
        ("games",),
        explained,
        fits=_clocks_fit,
        unpacks=lambda position, form: position.session is None,
    ),
    Case(
        "azul",
        ("validation", "codec", "legal_moves", "keys", "games"),
        ("games",),
        read_fen,
        sound=lambda position: not list_content_faults(position),
        legal=lambda position: not list_reachability_faults(position),
        # A form may hold a text where its bits cannot say a position; the reader reads it.
        unpacks=lambda position, form: not form[1] & 64,
    ),
    Case(
        "xiangqi",
        ("legal_moves", "keys", "broken"),
        ("keys",),
        partial(explained_grid, XIANGQI, mode="default"),
    ),
    Case(
        "shogi", ("legal_moves", "keys", "broken"), ("keys",), partial(explained_grid, SHOGI, mode="default")
    ),
)


def case_of(name: str) -> Case:
    """The case of a game."""
    return next(case for case in CASES if case.name == name)


@cache
def texts_of(name: str) -> tuple[bytes, ...]:
    """The golden texts of a game; in a pure build, which goes character by character, a part of them."""
    case = case_of(name)
    found: list[str] = []
    for file in case.files:
        texts = list(dict.fromkeys(texts_in([*golden_rows(name, file)])))
        found += texts[:: 1 + len(texts) // MOST]
    found += [fen for fen, _ in bench()[::4]] if name == "chess" else []
    known = list(dict.fromkeys(found))
    return tuple(text.encode("utf-8", "surrogatepass") for text in known[:: 1 if COMPILED else 30])


@st.composite
def mutated(draw: st.DrawFn, case: Case) -> bytes:
    """A golden text after a few slips, of bytes and not of characters."""
    known = texts_of(case.name)
    text = bytearray(known[draw(st.integers(0, len(known) - 1))])
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        to = draw(st.integers(at, min(len(text), at + 6)))
        slip = draw(
            st.sampled_from(("change", "change", "add", "lose", "swap", "cut", "head", "double", "part"))
        )
        some = bytes([draw(st.sampled_from(SLIPS) | st.integers(0, 255))])
        if slip == "change":
            text[at : at + 1] = some
        elif slip == "add":
            text[at:at] = some
        elif slip == "lose":
            del text[at:to]
        elif slip == "swap":
            text[at : at + 2] = text[at : at + 2][::-1]
        elif slip == "cut":
            del text[at:]
        elif slip == "head":
            del text[:at]
        elif slip == "double":
            text[to:to] = text[at:to]
        else:
            pieces = bytes(text).split(b"/")
            one, other = draw(st.integers(0, len(pieces) - 1)), draw(st.integers(0, len(pieces) - 1))
            pieces[one] = pieces[other]
            text = bytearray(b"/".join(pieces))
    return bytes(text)


# --- the kernels ------------------------------------------------------------------------------------


def blank(size: int) -> memoryview:
    return memoryview(bytearray([UNTOUCHED]) * size)


def numbers(size: int) -> memoryview:
    return memoryview(array("i", [NUMBER]) * size)


def offsets_of(texts: Sequence[bytes]) -> memoryview:
    ends = array("q", [0])
    for text in texts:
        ends.append(ends[-1] + len(text))
    return memoryview(ends)


@dataclass
class Table:
    """Some texts as a column, and everything the kernels say about the rows from `first` to `last`."""

    case: Case
    texts: Sequence[bytes]
    first: int = 0
    last: int = -1
    width: int = -1
    behind: bytes = b""
    verdicts: dict[str, memoryview] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game, kernels, count = self.case.game, self.case.kernels, len(self.texts)
        self.last = count if self.last < 0 else self.last
        self.width = game.packed_width if self.width < 0 else self.width
        self.sizes = {"keys": 16, "pack": self.width, "planes": game.plane_shape.size, "text": game.max_text}
        self.out = {verb: blank(size * count) for verb, size in self.sizes.items()}
        self.numbers, self.lengths = numbers(len(game.feature_list) * count), numbers(count)
        verbs = ("syntax", "legal", "keys", "pack", "features", "planes")
        self.verdicts.update({verb: blank(count) for verb in verbs})
        given = (
            memoryview(b"".join(self.texts) + self.behind),
            offsets_of(self.texts),
            self.first,
            self.last,
        )
        self.notes = {verb: numbers(NOTES * count) for verb in ("syntax", "legal")}
        kernels.scan(*given, DEFAULT, False, self.verdicts["syntax"], self.notes["syntax"])
        kernels.scan(*given, DEFAULT, True, self.verdicts["legal"], self.notes["legal"])
        kernels.keys(*given, self.verdicts["keys"], self.out["keys"])
        kernels.pack(*given, self.verdicts["pack"], self.out["pack"], self.width)
        kernels.features(*given, self.verdicts["features"], self.numbers, count)
        kernels.planes(*given, self.verdicts["planes"], self.out["planes"])
        kernels.rewrite(*given, self.verdicts["syntax"], self.out["text"], self.lengths, game.max_text)

    def said(self, row: int) -> dict[str, int]:
        """The verdicts about a row."""
        return {verb: int(found[row]) for verb, found in self.verdicts.items()}

    def written(self, row: int) -> dict[str, Any]:
        """What stands in the buffers of a row."""
        found: dict[str, Any] = {
            verb: bytes(self.out[verb][size * row : size * (row + 1)]) for verb, size in self.sizes.items()
        }
        return {**found, "features": tuple(self.numbers[row :: len(self.texts)]), "length": self.lengths[row]}

    def expected(self, row: int) -> tuple[dict[str, int], dict[str, Any]]:
        """The verdicts and values that the law gives a row."""
        values: dict[str, Any] = {verb: bytes([UNTOUCHED]) * size for verb, size in self.sizes.items()}
        values |= {"features": (NUMBER,) * len(self.case.game.feature_list), "length": NUMBER}
        if not self.first <= row < self.last:
            return dict.fromkeys(self.verdicts, UNTOUCHED), values
        position = self.case.position_of(self.texts[row])
        if position is None:
            return self._expected_of_finding(row, values)
        game = self.case.game
        canonical, packed = str(position).encode(), game.pack(position)
        spelled = CANONICAL if canonical == self.texts[row] else SPELLED
        verdicts = dict.fromkeys(self.verdicts, spelled)
        values |= {"keys": bytes.fromhex(game.key(position)), "planes": game.planes(position)}
        if not self.case.is_legal(position):
            verdicts["legal"] = self._scanned(row, legality=True)
        if spelled == SPELLED:
            values["text"] = canonical + values["text"][len(canonical) :]
            values["length"] = len(canonical)
        fits = self.case.fits(position)
        if fits:
            values["features"] = game.features(position)
        else:
            verdicts["features"] = ASK
        if fits and len(packed) <= self.width:
            values["pack"] = packed.ljust(self.width, b"\0")
        else:
            verdicts["pack"] = ASK
        return verdicts, values

    def _expected_of_finding(self, row: int, values: dict[str, Any]) -> tuple[dict[str, int], dict[str, Any]]:
        """Of a row with findings the kernels may say nothing; what they say is what the reader says."""
        game, said = self.case.game, self.said(row)
        verdicts = {verb: self._scanned(row, legality=verb == "legal", verb=verb) for verb in self.verdicts}
        position = read_row(game, self.texts[row], "default", False).position
        if position is None:
            return verdicts, values
        told: dict[str, Callable[[], Any]] = {
            "keys": lambda: bytes.fromhex(game.key(position)),
            "planes": lambda: game.planes(position),
            "features": lambda: game.features(position),
            "pack": lambda: game.pack(position).ljust(self.width, b"\0"),
        }
        values |= {verb: tell() for verb, tell in told.items() if said[verb] != ASK}
        if said["syntax"] in (SPELLED, NOTED):
            canonical = str(position).encode()
            values |= {"text": canonical + values["text"][len(canonical) :], "length": len(canonical)}
        return verdicts, values

    def _scanned(self, row: int, legality: bool, verb: str = "legal") -> int:
        """ASK where a kernel says so, else the verdict by the reader, whose first finding is noted."""
        if self.said(row)[verb] == ASK:
            return ASK
        found = read_row(self.case.game, self.texts[row], "default", legality)
        if found.first_finding is None:
            return CANONICAL if str(found.position).encode() == self.texts[row] else SPELLED
        if verb in self.notes:
            self._require_note(row, verb, found)
        return NOTED if found.ok else REFUSED

    def _require_note(self, row: int, verb: str, found: RowResult) -> None:
        first, kernels = found.first_finding, self.case.kernels
        assert first is not None
        number, severity, start, end, square, count = self.notes[verb][NOTES * row : NOTES * (row + 1)]
        where = kernels.squares[square] if square >= 0 else None
        noted = (kernels.codes[number], tuple(Severity)[severity], (start, end), where, count)
        said = (first.code, first.severity, tuple(first.span), first.square, len(found.findings))
        assert noted == said, self.texts[row]

    def require_law(self) -> None:
        """Every kernel says of every row what the law says, and writes nothing else."""
        for row, text in enumerate(self.texts):
            verdicts, values = self.expected(row)
            assert self.said(row) == verdicts, text
            assert self.written(row) == values, text


def require_law(case: Case, texts: Sequence[bytes], **how: Any) -> None:
    """Hold the kernels to the law on some texts as one column."""
    Table(case, texts, **how).require_law()


def unpacked(case: Case, forms: Sequence[bytes], width: int, room: int = -1) -> list[str | None]:
    """What the kernel makes of packed forms of one width; None where it leaves one to the reader."""
    count, room = len(forms), case.game.max_text if room < 0 else room
    verdicts, out, lengths = blank(count), blank(room * count), numbers(count)
    packed = memoryview(b"".join(form.ljust(width, b"\0") for form in forms))
    case.kernels.unpack(packed, width, 0, count, verdicts, out, lengths, room)
    found: list[str | None] = []
    for row in range(count):
        assert verdicts[row] in (ASK, CANONICAL)
        length = 0 if verdicts[row] == ASK else lengths[row]
        text, rest = bytes(out[room * row : room * row + length]), out[room * row + length : room * (row + 1)]
        assert bytes(rest) == bytes([UNTOUCHED]) * (room - length)
        found.append(None if verdicts[row] == ASK else text.decode())
    return found
