"""The contract of columns, for every game with kernels: they say what the reader says, and no more."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.columns import (
    CASES,
    COMPILED,
    Case,
    Table,
    blank,
    golden_rows,
    mutated,
    numbers,
    offsets_of,
    require_law,
    texts_in,
    texts_of,
    unpacked,
)
from tests.golden_data import bench

from forsyth.column import ASK, CANONICAL, DEFAULT, NOTED, NOTES, SPELLED

each_game = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
PIECE = 1000


def start_of(case: Case) -> bytes:
    return case.game.start.encode()


# --- texts ------------------------------------------------------------------------------------------


@each_game
def test_kernels_and_reader_agree_about_all_golden_texts(case: Case) -> None:
    texts, said = texts_of(case.name), []
    for at in range(0, len(texts), PIECE):
        table = Table(case, texts[at : at + PIECE])
        table.require_law()
        said += list(table.verdicts["syntax"])
    assert said.count(CANONICAL) > len(texts) // 3
    assert said.count(ASK) > len(texts) // 200


@each_game
def test_the_texts_of_games_are_answered_for(case: Case) -> None:
    texts = [text.encode() for file in case.answered for text in texts_in([*golden_rows(case.name, file)])]
    texts = texts[:: 7 if COMPILED else 400]
    texts = texts or [fen.encode() for fen, _ in bench()[:: 20 if COMPILED else 200]]
    sound = [text for text in texts if case.position_of(text) is not None]
    assert len(sound) > 0.9 * len(texts)
    assert ASK not in Table(case, sound[:PIECE]).verdicts["syntax"]


@each_game
@settings(max_examples=300 if COMPILED else 40)
@given(data=st.data())
def test_kernels_and_reader_agree_about_broken_texts_and_parts_of_a_column(
    case: Case, data: st.DataObject
) -> None:
    texts = data.draw(st.lists(mutated(case) | st.binary(max_size=100), max_size=6))
    first = data.draw(st.integers(0, len(texts)))
    require_law(case, texts, first=first, last=data.draw(st.integers(first, len(texts))))


@each_game
def test_a_neighbour_does_not_complete_a_text(case: Case) -> None:
    start = start_of(case)
    for cut in range(0, len(start) + 1, 1 if COMPILED else 11):
        require_law(case, [start[:cut], start[cut:], start])
        require_law(case, [start[:cut]], behind=start[cut:])


@each_game
def test_a_neighbour_does_not_lengthen_a_number(case: Case) -> None:
    start = start_of(case)
    table = Table(case, [start, b"9" + start, start + b"9", b"0", start], behind=b"9" * 200)
    table.require_law()
    assert table.verdicts["syntax"][0] == table.verdicts["syntax"][4] == CANONICAL


@each_game
def test_texts_too_long_and_columns_without_rows_or_characters(case: Case) -> None:
    start = start_of(case)
    require_law(case, [start * 20, b"9" * (case.game.max_text + 1), b"/" * 1000, start])
    require_law(case, [])
    require_law(case, [b"", b""])
    assert unpacked(case, [], case.game.packed_width) == []


@each_game
def test_parts_of_a_column_may_be_done_by_several_threads(case: Case) -> None:
    texts = texts_of(case.name)[:400]
    chars, offsets = memoryview(b"".join(texts)), offsets_of(texts)
    verdicts, out = blank(len(texts)), blank(16 * len(texts))
    parts = [(at, min(at + 37, len(texts))) for at in range(0, len(texts), 37)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(case.kernels.keys, chars, offsets, *part, verdicts, out) for part in parts]
    assert [job.result() for job in jobs] == [None] * len(parts)
    alone = Table(case, texts)
    assert (verdicts, out) == (alone.verdicts["keys"], alone.out["keys"])


# --- packed forms -----------------------------------------------------------------------------------


@each_game
def test_packed_forms_are_unpacked_however_wide_the_column(case: Case) -> None:
    found = [
        position for text in texts_of(case.name)[::3] if (position := case.position_of(text)) is not None
    ]
    forms = [case.game.pack(position) for position in found if case.fits(position)]
    texts = [case.text_of(form) for form in forms]
    assert sum(text is not None for text in texts) > 0.9 * len(texts)
    longest = max(map(len, forms))
    for width in (longest, longest + 1, longest + 40):
        assert unpacked(case, forms, width) == texts


@each_game
def test_a_form_without_room_is_left_to_the_reader(case: Case) -> None:
    start = start_of(case)
    form = len(case.game.pack(case.game.parse(case.game.start)))
    for width, verdict in ((0, ASK), (form - 1, ASK), (form, CANONICAL), (form + 1, CANONICAL)):
        table = Table(case, [start, start], width=width)
        table.require_law()
        assert list(table.verdicts["pack"]) == [verdict] * 2


@each_game
@settings(max_examples=400 if COMPILED else 60)
@given(data=st.data())
def test_only_packed_forms_are_unpacked(case: Case, data: st.DataObject) -> None:
    known = texts_of(case.name)
    text = known[data.draw(st.integers(0, len(known) - 1))]
    position = case.position_of(text) or case.game.parse(case.game.start)
    form = bytearray(case.game.pack(position))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(form) - 1))
        form[at] = data.draw(st.sampled_from((0, 1, 2, 9, 64, 127, 128, 255)) | st.integers(0, 255))
    behind = data.draw(st.sampled_from((b"", b"\0", b"\0\0\0", b"\1", b"\0\1", b"\x80")))
    cut = bytes(form[: data.draw(st.integers(0, len(form)) | st.just(len(form)))]) + behind
    assert unpacked(case, [cut], len(cut)) == [case.text_of(cut)]


@each_game
@given(data=st.binary(max_size=100))
def test_any_bytes_are_judged_as_by_the_reader(case: Case, data: bytes) -> None:
    for form in (data, b"\1" + data, b"\2" + data):
        assert unpacked(case, [form], len(form)) == [case.text_of(form)]


@each_game
def test_every_value_of_every_byte_of_a_form(case: Case) -> None:
    form = case.game.pack(case.game.parse(case.game.start))
    step = 3 if COMPILED else 60
    forms = [
        form[:at] + bytes([value]) + form[at + 1 :]
        for at in range(len(form))
        for value in range(0, 256, step)
    ]
    assert unpacked(case, forms, len(form)) == [case.text_of(one) for one in forms]


# --- misuse -----------------------------------------------------------------------------------------


@each_game
def test_offsets_that_lead_out_of_the_column_are_refused_or_left_to_the_reader(case: Case) -> None:
    start = start_of(case)
    size = len(start)
    verdicts = blank(5)
    ends = memoryview(array("q", [0, size, 10, -50, 10**15, size]))
    case.kernels.scan(memoryview(start), ends, 0, 5, DEFAULT, False, verdicts, numbers(5 * NOTES))
    assert list(verdicts) == [CANONICAL, ASK, ASK, ASK, ASK]
    for wrong in ([0, size + 1], [-1, size], [5, 0], [0, 1 << 40], [-(1 << 40), 5]):
        one = memoryview(bytearray([ASK]))
        try:
            given_rows = (memoryview(start), memoryview(array("q", wrong)), 0, 1)
            case.kernels.scan(*given_rows, DEFAULT, True, one, numbers(NOTES))
        except ValueError:
            continue
        assert one[0] == ASK


@each_game
def test_a_text_is_rewritten_only_where_there_is_room_for_it(case: Case) -> None:
    start, room = start_of(case), case.game.max_text
    out, lengths, spelled = blank(room - 1), numbers(1), memoryview(bytearray([SPELLED]))
    try:
        case.kernels.rewrite(memoryview(start), offsets_of([start]), 0, 1, spelled, out, lengths, room)
    except ValueError:
        return
    # A game all of whose readable texts are canonical has nothing to rewrite.
    assert (out, lengths) == (blank(room - 1), numbers(1))


@each_game
@pytest.mark.parametrize("verdict", [SPELLED, NOTED])
def test_a_text_left_to_the_reader_is_not_rewritten_whatever_is_said_of_it(case: Case, verdict: int) -> None:
    texts, room = [b"\xff" * 20, start_of(case) + b" \xc3"], case.game.max_text
    out, lengths, said = blank(2 * room), numbers(2), memoryview(bytearray([verdict] * 2))
    case.kernels.rewrite(memoryview(b"".join(texts)), offsets_of(texts), 0, 2, said, out, lengths, room)
    assert (out, lengths) == (blank(2 * room), numbers(2))


@each_game
@pytest.mark.parametrize(("first", "last"), [(-1, 1), (0, 4), (2, 1)])
def test_rows_that_do_not_exist_are_refused(case: Case, first: int, last: int) -> None:
    texts = [start_of(case)] * 3
    given_rows = (memoryview(b"".join(texts)), offsets_of(texts), first, last)
    with pytest.raises(ValueError):
        case.kernels.scan(*given_rows, DEFAULT, True, blank(9), numbers(9 * NOTES))


@each_game
def test_buffers_without_room_are_refused(case: Case) -> None:
    game, kernels, texts = case.game, case.kernels, [start_of(case)] * 2
    given_rows = (memoryview(b"".join(texts)), offsets_of(texts), 0, 2)
    width, room, size, count = game.packed_width, game.max_text, game.plane_shape.size, len(game.feature_list)
    forms = memoryview(game.pack(game.parse(game.start)).ljust(width, b"\0") * 2)
    calls: list[Callable[[int], None]] = [
        lambda less: kernels.scan(*given_rows, DEFAULT, False, blank(2 - less), numbers(2 * NOTES)),
        lambda less: kernels.scan(*given_rows, DEFAULT, False, blank(2), numbers(2 * NOTES - less)),
        lambda less: kernels.keys(*given_rows, blank(2 - less), blank(32)),
        lambda less: kernels.keys(*given_rows, blank(2), blank(32 - less)),
        lambda less: kernels.pack(*given_rows, blank(2), blank(2 * width - less), width),
        lambda less: kernels.pack(*given_rows, blank(2), blank(2 * width), width if not less else -1),
        lambda less: kernels.features(*given_rows, blank(2), numbers(2 * count - less), 2),
        lambda less: kernels.planes(*given_rows, blank(2), blank(2 * size - less)),
        lambda less: kernels.unpack(forms, width, 0, 2, blank(2 - less), blank(2 * room), numbers(2), room),
        lambda less: kernels.unpack(forms, width, 0, 2, blank(2), blank(2 * room - less), numbers(2), room),
        lambda less: kernels.unpack(forms, width, 0, 2, blank(2), blank(2 * room), numbers(2 - less), room),
        lambda less: kernels.unpack(forms[less:], width, 0, 2, blank(2), blank(2 * room), numbers(2), room),
    ]
    for call in calls:
        call(0)
        with pytest.raises(ValueError):
            call(1)
