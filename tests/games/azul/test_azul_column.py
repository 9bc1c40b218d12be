"""Azul in columns: the kernels and the reader agree for every verb, whatever the text and its neighbours."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.columns import (
    COMPILED,
    Table,
    blank,
    case_of,
    golden_rows,
    mutated,
    numbers,
    offsets_of,
    require_law,
    texts_in,
    texts_of,
    unpacked,
)

from forsyth.bulk.verbs.text_arrays import read_row
from forsyth.column import ASK, CANONICAL, DEFAULT, NOTED, NOTES, REFUSED, SPELLED
from forsyth.games.azul.game import GAME
from forsyth.games.azul.notation.fen import read_fen
from forsyth.games.azul.notation.kernel import decode
from forsyth.games.azul.numbers.packed import pack
from forsyth.games.azul.position import PHASES, Board, Position, build_board, replace_fields
from forsyth.games.azul.rules.check import list_content_faults
from forsyth.games.azul.rules.scoring import count_bonus, count_complete_rows
from forsyth.games.azul.tiles import COLOUR_NAMES, COLOURS, MARKER, PENALTIES, PRINTED
from forsyth.kit.numbers.blake2b import compute_digest
from forsyth.testing.columns import require_columns

STEP = 1 if COMPILED else 40
"""Plain Python goes character by character and takes its time: a part of the texts must do."""
LETTERS = b"BYRKWF-|/,+0123456789votdeb \0\xff\xc3\xa9"
WIDTH = GAME.packed_width
CASE = case_of("azul")
NAMES_OF = [feature.name for feature in GAME.feature_list]


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(golden_rows("azul", name))


@cache
def sound_texts() -> tuple[str, ...]:
    texts = [text.decode("utf-8", "replace") for text in texts_of("azul")[::7]]
    return tuple(text for text in texts if decode(text) is not None)


def expected(text: bytes, legality: bool, said: int) -> int:
    """The verdict by the reader; ASK where a kernel says so of a text that is not sound."""
    if said == ASK and CASE.position_of(text) is None:
        return ASK
    row = read_row(GAME, text, "default", legality)
    if row.first_finding is not None:
        return NOTED if row.ok else REFUSED
    return CANONICAL if GAME.write(row.position).encode() == text else SPELLED


def require_verdicts(texts: Sequence[bytes], legality: bool) -> list[int]:
    """The verdicts about some texts, which are those of the reader."""
    verdicts = scan(texts, legality)
    assert verdicts == [expected(text, legality, said) for text, said in zip(texts, verdicts, strict=True)]
    return verdicts


def scan(texts: Sequence[bytes], legality: bool) -> list[int]:
    """The verdicts about some texts."""
    verdicts = blank(len(texts))
    rows = (memoryview(b"".join(texts)), offsets_of(texts), 0, len(texts))
    CASE.kernels.scan(*rows, DEFAULT, legality, verdicts, numbers(NOTES * len(texts)))
    return list(verdicts)


# --- golden texts -----------------------------------------------------------------------------------


def test_ordinary_texts_are_answered() -> None:
    """Positions of games are never left to the reader, in any spelling, for any number of players."""
    told = [text.encode() for text in dict.fromkeys(texts_in(rows("games")))][::STEP]
    assert set(scan(told, True)) == {CANONICAL}
    loose = [row["fen_variant"].encode() for row in rows("legal_moves") if row.get("fen_variant")][::STEP]
    assert ASK not in scan(loose, True)
    assert SPELLED in scan(loose, True)


def test_the_warnings_of_the_golden_data_are_noted() -> None:
    plain = [row for row in rows("validation") if row["type"] in ("standard", "extended") and row["valid"]]
    verdicts = scan([row["fen"].encode() for row in plain], True)
    assert [verdict == NOTED for verdict in verdicts] == [bool(row["warnings"]) for row in plain]
    assert len({warning for row in plain for warning in row["warnings"]}) == 9


# --- any bytes at all -------------------------------------------------------------------------------


class Laid:
    """Tables laid at random: what a standard text can say, near the bounds of what a game leads to."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def tiles(self, least: int, most: int) -> str:
        return "".join(self.random.choices(COLOURS, k=self.random.randint(least, most)))

    def wall(self) -> str:
        likely = self.random.choice((0, 0.1, 0.3, 0.6, 0.95))
        return "|".join(
            ["".join([c if self.random.random() < likely else "-" for c in row]) for row in PRINTED]
        )

    def lines(self, wide: bool) -> str:
        likely = self.random.choice((0, 0.3, 0.8))
        found = []
        for line in range(5):
            count = self.random.randint(1, line + 1) if self.random.random() < likely else 0
            found.append((self.random.choice(COLOURS) * count).ljust(5 if wide else line + 1, "-"))
        return "|".join(found)

    def board(self) -> str:
        floor = self.tiles(0, self.random.choice((0, 3, 7, 8))) or "-"
        return f"{self.wall()}/{self.lines(self.random.random() < 0.8)}/{floor}"

    def text(self) -> str:
        likely = self.random.choice((0, 0.5, 1))
        factories = [self.tiles(4, 4) if self.random.random() < likely else "----" for _ in range(5)]
        center = self.tiles(0, self.random.choice((0, 3 * factories.count("----") + 1))) or "-"
        scores = f"{self.random.choice((0, 3, 40, 150))},{self.random.randint(0, 60)}"
        end = f"{scores}/{self.random.choice((1, 1, 2, 3, 5, 10))}/{self.random.randint(0, 1)}"
        return f"{'|'.join(factories)}/{center}/{self.board()}/{self.board()}/{end}"

    def extended(self) -> str:
        """The same as an extended text, and now and then with another phase, marker, player or tile."""
        text = self.text()
        read = decode(text)
        if read is None:
            return text
        parts = GAME.write(read, "extended").split("/")
        if self.random.random() < 0.5:
            parts[2] = self.random.choice("otde")
        if self.random.random() < 0.3:
            parts[4] = parts[4].replace(MARKER, "") or "-"
            floor = self.random.choice((7, 10))
            held = f"+{MARKER}" if len(parts[floor]) >= 7 else MARKER
            parts[floor] = parts[floor].replace("-", "") + held
        if self.random.random() < 0.2:
            parts[13], parts[14] = self.random.choices("01", k=2)
        if self.random.random() < 0.2:
            parts[15], parts[16] = parts[16], parts[15]
        if self.random.random() < 0.1:
            parts[3] = parts[3].replace("B", "-", 1)
        return "/".join(parts)


@settings(max_examples=300 if COMPILED else 40)
@given(st.integers(0, 1 << 32))
def test_kernels_and_reader_agree_about_any_table(seed: int) -> None:
    table = Laid(seed)
    texts = [text.encode() for _ in range(10) for text in (table.text(), table.extended())]
    require_law(CASE, texts)


NUDGES = ("round", "score", "phase", "turn", "marker", "center", "floor", "wall", "line", "short", "empty")


def nudged(random: Random, position: Position) -> Position:
    """A position with one thing changed; a tile that appears or goes is one less or more in the bag."""
    nudge = random.choice(NUDGES)
    if nudge == "round":
        return replace_fields(position, round=max(1, position.round + random.choice((-1, -1, -2, 1))))
    if nudge == "phase":
        return replace_fields(position, phase=random.choice("otde"))
    if nudge == "turn":
        return replace_fields(position, current=random.randrange(position.players))
    if nudge == "short":
        return with_factories(random, position, random.randint(1, 4))
    if nudge == "empty":
        empty = (0,) * 5
        rest = tuple([a + b for a, b in zip(position.bag, position.discard, strict=True)])
        return replace_fields(position, bag=empty, discard=random.choice((rest, empty)))
    if nudge == "center":
        colour = random.choice(COLOURS)
        return supplied(replace_fields(position, center=position.center + colour), colour, -1)
    if nudge == "marker" and position.marker_in_center:
        position = replace_fields(position, marker_in_center=False)
    return with_board(random, position, nudge)


def supplied(position: Position, colour: str, by: int) -> Position:
    """The position with so many more tiles of a colour in the bag, as far as a text can say it."""
    bag = [count + by * (COLOURS[number] == colour) for number, count in enumerate(position.bag)]
    return replace_fields(position, bag=tuple([max(0, count) for count in bag]))


def with_factories(random: Random, position: Position, tiles: int) -> Position:
    """Some tiles of one factory in the bag."""
    number = random.randrange(len(position.factories))
    factory = position.factories[number]
    for colour in factory[:tiles]:
        position = supplied(position, colour, 1)
    rest = factory[tiles:]
    factories = (*position.factories[:number], rest, *position.factories[number + 1 :])
    return replace_fields(position, factories=factories)


def with_board(random: Random, position: Position, nudge: str) -> Position:
    player = random.randrange(position.players)
    board = position.boards[player]
    wall, lines, floor, held, score = board.values()
    colour, row = random.choice(COLOURS), random.randrange(5)
    if nudge == "score":
        score += random.choice((1, 5, 20, 60, 150))
    elif nudge == "marker" and len(floor) >= 7:
        held = True
    elif nudge == "marker":
        floor += MARKER
    elif nudge == "floor":
        floor += colour
    elif nudge == "line":
        colour = lines[row][:1] or colour
        lines = (*lines[:row], lines[row] + colour, *lines[row + 1 :])
    elif nudge == "wall":
        column = random.randrange(5)
        colour = PRINTED[row][column]
        if wall[row][column] != "-":
            return position
        cells = f"{wall[row][:column]}{colour}{wall[row][column + 1 :]}"
        wall = (*wall[:row], cells, *wall[row + 1 :])
    boards = list(position.boards)
    boards[player] = build_board(wall, lines, floor, held, score)
    position = replace_fields(position, boards=tuple(boards))
    return supplied(position, colour, -1) if nudge in ("floor", "line", "wall") else position


@settings(max_examples=300 if COMPILED else 60)
@given(st.integers(0, 1 << 32))
def test_kernels_and_reader_agree_about_games_that_went_a_little_wrong(seed: int) -> None:
    random = Random(seed)
    texts = []
    for _ in range(12):
        position = GAME.read(random.choice(random.choice((sound_texts(), last_texts())))).require()
        for _ in range(random.choice((1, 1, 2))):
            position = nudged(random, position)
        texts.append(GAME.write(position).encode())
    require_law(CASE, texts)


STRANGE = ("cell", "row", "line", "lines", "floor", "marker", "score")


def made_strange(random: Random, text: str) -> str:
    """A text with something on one board that no game puts there, and still without an error of format."""
    parts = text.split("/")
    extended = text.startswith("v")
    first, players = (5, int(parts[1])) if extended else (2, 2)
    player = random.randrange(players)
    wall, line, floor, scores = *range(first + 3 * player, first + 3 * player + 3), first + 3 * players
    slip = random.choice(STRANGE)
    if slip in ("cell", "row"):
        rows = [list(row) for row in parts[wall].split("|")]
        for column in random.sample(range(5), 1 if slip == "cell" else 5):
            rows[random.randrange(5)][column] = random.choice(f"{COLOURS}-")
        parts[wall] = "|".join(map("".join, rows))
    elif slip in ("line", "lines"):
        lines = parts[line].split("|")
        for row in random.sample(range(5), 1 if slip == "line" else 5):
            tiles = "".join(random.choices(COLOURS[: random.choice((2, 5))], k=random.randint(0, 5)))
            lines[row] = tiles[: len(lines[row])].ljust(len(lines[row]), "-")
        parts[line] = "|".join(lines)
    elif slip == "floor":
        parts[floor] = "".join(random.choices(COLOURS, k=random.choice((7, 8, 9, 30, 100))))
    elif slip == "marker" and extended:
        parts[floor] = "".join(random.choices(f"{COLOURS}{MARKER}", k=random.choice((3, 7, 8, 12))))
    else:
        points = parts[scores].split(",")
        points[player] = str(-random.randint(1, 9999))
        parts[scores] = ",".join(points)
    return "/".join(parts)


@settings(max_examples=300 if COMPILED else 60)
@given(st.integers(0, 1 << 32))
def test_boards_that_no_game_has_are_answered_as_the_reader_answers(seed: int) -> None:
    random = Random(seed)
    texts = []
    for _ in range(12):
        text = random.choice(random.choice((sound_texts(), last_texts())))
        for _ in range(random.choice((1, 1, 2, 4))):
            text = made_strange(random, text)
        texts.append(text.encode())
    for legality in (False, True):
        assert ASK not in scan(texts, legality)
    require_law(CASE, texts)
    require_columns(GAME, [text.decode() for text in texts[::4]])


def test_more_errors_than_a_reading_lists_are_left_to_the_reader() -> None:
    wall = "|".join([f"{row[1:]}{row[0]}" for row in PRINTED])
    parts = text_for(4).decode().split("/")
    for player in range(4):
        parts[5 + 3 * player] = wall
    text = "/".join(parts).encode()
    assert scan([text], False) == [CANONICAL]
    assert scan([text], True) == [ASK]


def over() -> Position:
    """A game of two that is over, as an extended text says it."""
    return next(
        position
        for position in [GAME.read(text).require() for text in last_texts()]
        if position.complete and position.players == 2 and position.phase == "e"
    )


def balanced(position: Position) -> Position:
    """The position with all tiles in the bag that are nowhere else."""
    walls = "".join(["".join(board.wall) + "".join(board.lines) + board.floor for board in position.boards])
    seen = position.on_display + walls
    bag = tuple([20 - seen.count(colour) for colour in COLOURS])
    return replace_fields(position, bag=bag, discard=(0,) * 5)


def test_a_score_is_held_against_the_wall_with_its_bonuses() -> None:
    position = over()
    player = max(range(2), key=lambda number: count_complete_rows(position.boards[number].wall))
    board, texts = position.boards[player], []
    for phase in "de":
        for score in range(0, 320, 1 if COMPILED else 3):
            boards = list(position.boards)
            boards[player] = build_board(board.wall, board.lines, board.floor, board.held, score)
            boards[1 - player] = build_board(("-----",) * 5, ("",) * 5, "", False, 0)
            texts.append(
                GAME.write(balanced(replace_fields(position, boards=tuple(boards), phase=phase))).encode()
            )
    verdicts = require_verdicts(texts, legality=True)
    assert verdicts[len(texts) // 2 :].count(CANONICAL) > verdicts[: len(texts) // 2].count(CANONICAL) > 0


def test_what_hardly_any_text_gets_wrong() -> None:
    start = GAME.parse(GAME.write(GAME.parse(GAME.start), "extended"))
    used = replace_fields(start, bag=(0,) * 5, discard=start.bag)
    short = replace_fields(used, factories=("BYR", *start.factories[1:]), discard=(16, 16, 16, 17, 16))
    pending = replace_fields(over(), phase="t", marker_in_center=True)
    early = replace_fields(over(), boards=tuple([build_board(("-----",) * 5, ("",) * 5, "", False, 0)] * 2))
    early = replace_fields(early, bag=(20,) * 5, discard=(0,) * 5)
    gone = replace_fields(early, bag=(0,) * 5, discard=(20,) * 5)
    held = held_text().decode().replace("BBBBBBB+F", "BBBBBB+F").replace("/12,16", "/13,16")
    texts = [GAME.write(one).encode() for one in (used, short, pending, early, gone)] + [held.encode()]
    verdicts = require_verdicts(texts, legality=True)
    assert verdicts == [CANONICAL, REFUSED, NOTED, REFUSED, REFUSED, REFUSED]
    assert require_verdicts(texts, legality=False) == [CANONICAL] * 5 + [REFUSED]
    require_law(CASE, texts)


@cache
def last_texts() -> tuple[str, ...]:
    """The last text of each golden game: it is over, with the bonuses."""
    return tuple(list(texts_in(row))[-1] for row in rows("games"))


@settings(max_examples=300 if COMPILED else 60)
@given(mutated(CASE))
def test_the_kernel_of_single_texts_agrees_as_well(text: bytes) -> None:
    try:
        decoded = decode(text.decode())
    except UnicodeDecodeError:
        return
    assert decoded == CASE.position_of(text)
    if decoded is not None:
        assert ASK not in scan([text], False)


def test_every_byte_changed_in_every_place() -> None:
    """One text of each kind, one byte of it changed to each that means something."""
    for text in (standard_text(), narrow_text(), held_text(), *[text_for(players) for players in (3, 4)]):
        changed_texts = [
            text[:at] + bytes([letter]) + text[at + 1 :]
            for at in range(0, len(text), 1 if COMPILED else 17)
            for letter in LETTERS
        ]
        require_verdicts(changed_texts, legality=False)


def test_a_dash_before_the_marker_in_the_centre_is_refused_by_all() -> None:
    text = text_for(3).decode().replace("/F/", "/-F/")
    assert "/-F/" in text
    assert read_fen(text).position is None
    assert decode(text) is None
    assert scan([text.encode()], False) == [REFUSED]


@pytest.mark.parametrize("number", ["", "-1", "0", "00", "01", "10", "11", "1000", "9999", "10000", "x"])
def test_numbers_are_judged_as_the_reader_judges_them(number: str) -> None:
    texts = []
    for base, places in ((standard_text(), (8, 9, 10)), (text_for(3), (14, 15, 16, 17, 18, 19))):
        for place in places:
            components = base.decode().split("/")
            values = components[place].split(",")
            for at in (0, len(values) - 1):
                components[place] = ",".join([*values[:at], number, *values[at + 1 :]])
                texts.append("/".join(components).encode())
    require_law(CASE, texts)


def standard_text() -> bytes:
    return GAME.names["endgame"].encode()


def narrow_text() -> bytes:
    return GAME.write(GAME.parse(GAME.names["midgame"]), "narrow").encode()


def held_text() -> bytes:
    return GAME.examples["Complete, with bag and marker"].encode()


def text_for(players: int) -> bytes:
    return GAME.with_variant(f"{players}-players").start.encode()


# --- rows and their neighbours ----------------------------------------------------------------------


@pytest.mark.parametrize("text", [standard_text(), narrow_text(), held_text(), text_for(3), text_for(4)])
def test_a_row_ends_where_it_ends(text: bytes) -> None:
    """Cut in two anywhere, neither half is taken for the whole, though the rest of it comes next."""
    cuts = range(0, len(text) + 1, 1 if COMPILED else 5)
    halves = [half for cut in cuts for half in (text[:cut], text[cut:])]
    require_verdicts(halves, legality=True)


def test_digits_of_a_neighbour_are_not_read() -> None:
    one = held_text()
    ten = standard_text().replace(b"/5/", b"/10/")
    texts = [one, b"0" + standard_text()[1:], ten[: ten.index(b"/10/") + 2], b"0/0", one[:-1], b"0", one]
    require_verdicts(texts, legality=False)
    assert scan(texts, False)[0] == scan(texts, False)[-1] == CANONICAL


# --- keys -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 63, 64, 127, 128, 129, 255, 256, 257, 1000])
def test_blake2b_is_that_of_the_standard_library(length: int) -> None:
    data = bytes([(31 * at + length) % 256 for at in range(length)])
    assert compute_digest(data) == hashlib.blake2b(data, digest_size=16).digest()


@settings(max_examples=200 if COMPILED else 20)
@given(st.binary(max_size=600))
def test_blake2b_of_any_bytes(data: bytes) -> None:
    assert compute_digest(data) == hashlib.blake2b(data, digest_size=16).digest()


# --- packed forms -----------------------------------------------------------------------------------


def test_forms_fit_their_width() -> None:
    for text, size in ((standard_text(), 53), (held_text(), 53), (text_for(3), 69), (text_for(4), 85)):
        form = pack(GAME.read(text.decode()).require())
        table = Table(CASE, [text], width=size)
        assert (table.said(0)["pack"], table.written(0)["pack"]) == (CANONICAL, form)
        assert unpacked(CASE, [form], size) == [text.decode()]
        assert Table(CASE, [text], width=size - 1).said(0)["pack"] == ASK
        assert unpacked(CASE, [form[:-1]], size - 1) == [None]
        assert unpacked(CASE, [form + b"\1"], size + 1) == [None]


def test_a_form_that_holds_text_is_left_to_the_reader() -> None:
    mixed = GAME.read(GAME.examples["Two colours in one line"]).require()
    form = mixed.packed
    assert unpacked(CASE, [form], len(form)) == [None]
    assert unpacked(CASE, [form.ljust(300, b"\0")], 300) == [None]


def test_every_value_of_every_byte_is_unpacked_as_single_forms_are() -> None:
    for text in (standard_text(), held_text(), text_for(4)):
        form = GAME.read(text.decode()).require().packed.ljust(WIDTH, b"\0")
        forms = [
            form[:at] + bytes([value]) + form[at + 1 :]
            for at in range(0, WIDTH, 1 if COMPILED else 11)
            for value in range(0, 256, 1 if COMPILED else 5)
        ]
        assert unpacked(CASE, forms, WIDTH) == [CASE.text_of(changed_form) for changed_form in forms]


def test_a_centre_too_full_for_a_text_is_left_to_the_reader() -> None:
    position = GAME.read(text_for(4).decode()).require()
    crowded = [replace_fields(position, center="BYRKW" * count) for count in (100, 140, 255)]
    forms = [one.packed.ljust(WIDTH, b"\0") for one in crowded]
    assert unpacked(CASE, forms, WIDTH) == [CASE.text_of(form) for form in forms]
    assert CASE.text_of(forms[2]) is None


# --- features ---------------------------------------------------------------------------------------


def facts(position: Position) -> dict[str, int]:
    """The features of a position that can arise, told from its strings."""
    current = position.boards[position.current]
    others = [board.score for board in position.boards if board is not current]
    owners = [2 + p for p, board in enumerate(position.boards) if board.held or MARKER in board.floor]
    found = {
        "side": position.current,
        "start": position.start,
        "players": position.players,
        "notation": int(position.complete),
        "phase": list(PHASES).index(position.phase),
        "round": position.round,
        "marker": 1 if position.marker_in_center else owners[0] if owners else 0,
        "display": len(position.on_display),
        "center": len(position.center),
        "factories": sum([bool(tiles) for tiles in position.factories]),
        "bag": sum(position.bag),
        "discard": sum(position.discard),
        "walls": sum([tiles_on(board) for board in position.boards]),
        "fullest_row": max([5 - row.count("-") for board in position.boards for row in board.wall]),
        "lead": current.score - max(others),
    }
    for number, colour in enumerate(COLOURS):
        found[f"display_{COLOUR_NAMES[colour]}"] = position.on_display.count(colour)
        found[f"bag_{COLOUR_NAMES[colour]}"] = position.bag[number]
        found[f"discard_{COLOUR_NAMES[colour]}"] = position.discard[number]
    for player in range(4):
        board = position.boards[player] if player < position.players else None
        found |= {f"p{player}_{name}": value for name, value in board_facts(board).items()}
    return found


def tiles_on(board: Board) -> int:
    return 25 - "".join(board.wall).count("-")


def board_facts(board: Board | None) -> dict[str, int]:
    wall = "" if board is None else "".join(board.wall)
    by_colour = {f"wall_{COLOUR_NAMES[colour]}": wall.count(colour) for colour in COLOURS}
    head = ("score", "wall", "rows", "columns", "colours", "bonus")
    names = (*head, "lines", "full_lines", "floor", "penalty")
    if board is None:
        return {**dict.fromkeys(names, 0), **by_colour}
    worth = count_bonus(board.wall)
    values = (
        board.score,
        tiles_on(board),
        count_complete_rows(board.wall),
        worth.columns,
        worth.colours,
        worth.points,
        len("".join(board.lines)),
        sum([len(tiles) == line + 1 for line, tiles in enumerate(board.lines)]),
        len(board.floor),
        PENALTIES[len(board.floor)],
    )
    return {**dict(zip(names, values, strict=True)), **by_colour}


def test_features_say_what_the_position_says() -> None:
    assert len(set(NAMES_OF)) == len(NAMES_OF)
    for text in (*sound_texts(), *[example.decode() for example in (held_text(), narrow_text())]):
        position = GAME.read(text).require()
        assert dict(zip(NAMES_OF, GAME.features(position), strict=True)) == facts(position), text


def test_labels_name_every_value() -> None:
    for text in sound_texts():
        for feature, value in zip(GAME.feature_list, GAME.features(GAME.parse(text)), strict=True):
            assert not feature.labels or 0 <= value < len(feature.labels)
            assert feature.meaning
    start = dict(zip(NAMES_OF, GAME.features(GAME.parse(GAME.start)), strict=True))
    assert (start["display"], start["display_blue"], start["factories"], start["bag"]) == (20, 4, 5, 80)


def test_labels_are_what_they_were() -> None:
    players = ("Player 0", "Player 1", "Player 2", "Player 3")
    assert {feature.name: feature.labels for feature in GAME.feature_list if feature.labels} == {
        "side": players,
        "start": players,
        "notation": ("standard", "extended"),
        "phase": ("offer", "tiling due", "tiling done", "ended"),
        "marker": ("nobody", "center", *players),
    }


def test_what_is_said_about_a_feature_is_about_that_feature() -> None:
    meanings = {feature.name: feature.meaning for feature in GAME.feature_list}
    assert len(set(meanings.values())) == len(meanings)
    for name, meaning in meanings.items():
        player, colour = re.match(r"p(\d)_", name), re.search(r"_(blue|yellow|red|black|white)$", name)
        assert (f"player {player[1]}" in meaning) if player else ("player" not in meaning.split())
        assert colour is None or meaning.startswith(f"{colour[1]} tiles")


def test_positions_that_cannot_arise_have_features_and_planes() -> None:
    read = [read_fen(row["fen"]).position for row in rows("validation")]
    odd = [position for position in read if position is not None and list_content_faults(position)]
    assert len(odd) > 50
    for position in odd:
        assert len(GAME.features(position)) == len(NAMES_OF)
        assert len(GAME.planes(position)) == GAME.plane_shape.size
    crowded = build_board(("KKKKK",) * 5, ("BYRKWBYRKW",) * 5, "B" * 300, True, -9999)
    far = replace_fields(
        odd[0], boards=(crowded, crowded), factories=("BBBBBB",) * 5, center="W" * 2000, current=1
    )
    told = dict(zip(NAMES_OF, GAME.features(far), strict=True))
    assert (told["p0_floor"], told["p0_penalty"], told["p0_score"]) == (300, 14, -9999)
    assert (told["center"], told["p1_wall"], told["p1_lines"]) == (2000, 25, 35)
    assert max(GAME.planes(far)) == 255


# --- planes -----------------------------------------------------------------------------------------


def rows_of(values: Sequence[int]) -> bytes:
    """Five rows, each filled with its value."""
    return bytes([value for value in values for _ in range(5)])


def plane_facts(position: Position) -> dict[str, bytes]:
    """The planes of a position that can arise, told from its strings."""
    found = {name: bytes(25) for name in GAME.plane_shape.names}
    for player, board in enumerate(position.boards):
        has_marker = board.held or MARKER in board.floor
        line_colours = bytearray(25)
        for line, tiles in enumerate(board.lines):
            if tiles:
                line_colours[5 * line + PRINTED[line].index(tiles[0])] = 1
        found |= {
            f"p{player}_wall": bytes([cell != "-" for cell in "".join(board.wall)]),
            f"p{player}_line_tiles": b"".join(
                [(b"\1" * len(tiles)).ljust(5, b"\0") for tiles in board.lines]
            ),
            f"p{player}_line_colour": bytes(line_colours),
            f"p{player}_floor": rows_of([board.floor.count(colour) for colour in COLOURS]),
            f"p{player}_marker": bytes([has_marker] * 25),
            f"p{player}_score": bytes([min(board.score, 255)] * 25),
            f"p{player}_to_move": bytes([player == position.current] * 25),
            f"p{player}_starts": bytes([player == position.start] * 25),
            f"p{player}_plays": b"\1" * 25,
        }
    for number, tiles in enumerate(position.factories):
        by_colour = [(b"\1" * tiles.count(colour)).ljust(5, b"\0") for colour in COLOURS]
        found[f"factory_{number}"] = b"".join(by_colour)
    found["center"] = rows_of([position.center.count(colour) for colour in COLOURS])
    found["center_marker"] = bytes([position.marker_in_center] * 25)
    found["bag"] = rows_of(position.bag)
    found["discard"] = rows_of(position.discard)
    found["phase_" + PHASES[position.phase].replace(" ", "_")] = b"\1" * 25
    found["extended"] = bytes([position.complete] * 25)
    found["round"] = bytes([min(position.round, 255)] * 25)
    return found


def test_planes_show_what_the_position_says() -> None:
    shape = GAME.plane_shape
    assert (len(shape.names), shape.height, shape.width, shape.size) == (55, 5, 5, 1375)
    assert len(set(shape.names)) == 55
    late = held_text().decode().replace("/0,0/1/1/", "/0,999/300/1/")
    for text in (*sound_texts(), held_text().decode(), narrow_text().decode(), late):
        position = GAME.read(text).require()
        whole = GAME.planes(position)
        wanted = plane_facts(position)
        for number, name in enumerate(shape.names):
            assert whole[25 * number : 25 * number + 25] == wanted[name], (name, text)


# --- the page ---------------------------------------------------------------------------------------


def test_the_page_names_every_feature_and_plane() -> None:
    page = (Path(__file__).parents[3] / "docs" / "games" / "azul.md").read_text(encoding="utf-8")
    columns = page[page.index("\n## Columns\n") :]
    for name in (*NAMES_OF, *GAME.plane_shape.names):
        # One of each row of names stands for the others.
        told = re.sub("_(yellow|red|black|white)$", "_blue", re.sub("^p[1-3]_", "p0_", name))
        told = re.sub("^factory_[1-8]", "factory_0", told)
        assert f"`{told}`" in columns, name
