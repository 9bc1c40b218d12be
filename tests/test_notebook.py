"""Values in notebooks: what their HTML says, that it is safe, and what clicks on a board do."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests import notebook_answers

import forsyth
from forsyth import notebook
from forsyth.draw.animation import MAX_ANIMATED_MOVES
from forsyth.notebook.frames import MAX_ROWS
from forsyth.notebook.play import ClickableMatch
from forsyth.notebook.show import MAX_TEXT

ROOT = Path(__file__).parents[1]
CHESS = forsyth.game("chess")
HOSTILE = '</pre><script>alert(1)</script><img src=x onerror="alert(2)">'
GAME = (
    '[White "A <b>"] [Black "B"] [Event "Paris"]\n'
    "1. e4 e5 2. Nf3! {good & <i>} d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"
)


VOID = {"br", "img", "input"}
HOSTILE_TEXTS = [HOSTILE, f"{HOSTILE}/8/8/8/8/8/8/8 w - - 0 1", "\x00\x1b\u202e\ud800", "", "x" * 9000]


class Seen(HTMLParser):
    """The tags, ids and words of a part of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.underlined: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"] or ""] if "id" in given else []
        assert not [name for name in given if name.startswith("on")]
        assert "src" not in given and str(given.get("href", "#")).startswith("#")
        if tag not in VOID:
            self.open.append(given.get("class") or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.tags[-1:] and "script" not in self.tags[-1:]:
            self.words.append(data)
        if self.open and self.open[-1] in ("error", "warning"):
            self.underlined.append((self.open[-1], data))


def seen(value: Any) -> Seen:
    return Seen(notebook.html(value))


def test_a_reading_underlines_its_mistakes_where_they_are() -> None:
    text = "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1"
    reading = CHESS.read(text)
    page = seen(reading)
    spans = [("error" if d.is_error else "warning", text[slice(*d.span)]) for d in reading.diagnostics]
    assert page.underlined == spans
    said = "".join(page.words)
    for one in reading.diagnostics:
        assert one.message in said and one.code in said
        assert one.fix is None or one.fix.describe(text) in said
    assert "svg" not in page.tags
    assert reading._repr_html_().startswith("<style>")


def test_a_reading_with_a_position_shows_the_board_too() -> None:
    page = seen(forsyth.check("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "chess"))
    assert "svg" in page.tags and page.underlined == [("error", "w")]
    assert "Nothing to report." in "".join(seen(forsyth.check(CHESS.start, "chess")).words)


def test_where_something_is_missing_there_is_a_bar() -> None:
    reading = CHESS.read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    assert any(d.span.start == d.span.end for d in reading.diagnostics)
    assert 'class="empty"' in notebook.html(reading)


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_texts_stay_words(text: str) -> None:
    page = seen(forsyth.check(text, "chess"))
    assert "script" not in page.tags and "img" not in page.tags
    assert len("".join(page.words)) < MAX_TEXT + 2000


def test_findings_inside_a_wrapped_text() -> None:
    wrapped = forsyth.wrap("9/8/8/8/8/8/8/8 w - - 0 1", "base64", game="chess")
    page = seen(forsyth.check(wrapped, "chess"))
    assert page.tags.count("pre") == 2 and "board.digit" in "".join(page.words)


def test_a_difference_shows_both_sides() -> None:
    for name in forsyth.games():
        game = forsyth.game(name)
        before = game.new_game(1)
        after = game.play(before, game.moves(before)[0])
        difference = game.diff(before, after)
        page = seen(difference)
        assert page.tags.count("desc") == 2, name
        assert {change.name for change in difference.squares} <= set(page.words)
        assert notebook.html(difference).count('opacity=".6"') >= 2
    assert "Nothing differs." in "".join(seen(CHESS.diff(CHESS.new_game(), CHESS.new_game())).words)


def test_a_record_has_all_moves_and_no_id_twice() -> None:
    record = forsyth.parse_record(GAME, "chess")
    page = Seen(record._repr_html_() + record._repr_html_() + record.tree().record()._repr_html_())
    own = [name for name in page.ids if name.startswith("forsyth-")]
    assert len(set(own)) == 3
    text = notebook.html(record)
    assert re.findall(r'data-at="(\d+)">([^<]+)<', text)[3:6] == [("4", "d6"), ("5", "Bc4"), ("6", "Bg4")]
    assert "A &lt;b&gt;" in text and "good &amp; &lt;i&gt;" in text and "Nf3!" in text
    assert 'class="controls" hidden' in text


@pytest.mark.parametrize("name", forsyth.games())
def test_records_of_every_game(name: str) -> None:
    game = forsyth.game(name)
    match = forsyth.Match(game, game.new_game(1))
    for number in range(4):
        match.play(match.moves()[number * 5 % len(match.moves())])
    assert notebook.html(forsyth.Record.of(match)).count("data-at=") == 4


def test_a_record_is_shown_as_far_as_it_can_be_played() -> None:
    reading = forsyth.read_record("1. e4 e5 2. Ke3 *", "chess")
    assert reading.record is not None and not reading.ok
    text = reading._repr_html_()
    assert "record" in text and text.count("data-at=") == 2
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * (MAX_ANIMATED_MOVES // 4 + 1)
    long = forsyth.Record(CHESS, (), CHESS.new_game(), tuple(forsyth.record.Node(one) for one in moves))
    assert notebook.html(long).count("data-at=") == MAX_ANIMATED_MOVES


def test_whatever_holds_a_position() -> None:
    boards = (forsyth.chess.Board(), forsyth.cotulenh.CoTuLenh())
    for value in (CHESS.new_game(), forsyth.Match("shogi"), *boards):
        page = seen(value)
        assert "svg" in page.tags and "code" in page.tags
    assert forsyth.cotulenh.CoTuLenh()._repr_html_() and forsyth.chess.Board()._repr_html_()
    assert forsyth.azul.AzulState.example()._repr_html_()
    assert seen(CHESS.new_game().scene()).tags.count("svg") == 1
    for wrong in (None, CHESS.start, 4):
        with pytest.raises(TypeError, match="cannot be shown"):
            notebook.html(wrong)


def test_the_theme_is_that_of_the_notebook() -> None:
    text = notebook.html(CHESS.new_game())
    assert "body[data-jp-theme-light=false]" in text and "body.vscode-dark" in text


# --- data frames ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_get_small_boards(library: str) -> None:
    frames = pytest.importorskip(library)
    frame = frames.DataFrame({"fen": [CHESS.start, HOSTILE, forsyth.game("xiangqi").start], "n": [1, 2, 3]})
    page = Seen(str(notebook.boards(frame)))
    assert page.tags.count("desc") == 2 and page.tags.count("tr") == 4
    assert "script" not in page.tags and "img" not in page.tags
    few = notebook.boards(frame, rows=1, size=64)
    assert "1 of 3 rows" in few._repr_html_() and few.text.count("<desc") == 1
    with pytest.raises(ValueError, match="there is no column 'epd'; choose one of fen, n"):
        notebook.boards(frame, "epd")
    assert notebook.boards(frame, rows=MAX_ROWS).text.count("<desc") == 2
    for wrong in (0, MAX_ROWS + 1):
        with pytest.raises(ValueError, match=rf"the number of rows is {wrong}, expected 1 to 500"):
            notebook.boards(frame, rows=wrong)


def test_what_is_no_frame() -> None:
    with pytest.raises(TypeError, match="expected a pandas or Polars data frame"):
        notebook.boards([CHESS.start])


# --- clicks ---------------------------------------------------------------------------------------------


def test_clicks_choose_and_play() -> None:
    clicks = ClickableMatch(forsyth.Match("chess"))
    assert not clicks.click("e4") and clicks.selected == ""
    assert not clicks.click("g1") and clicks.selected == "g1"
    assert clicks.draw_picture(200, flip=False).count('data-mark="target"') == 2
    assert not clicks.click("e2") and clicks.selected == "e2"
    assert clicks.click("e4") and clicks.selected == ""
    assert [ply.text for ply in clicks.match] == ["e4"]
    assert clicks.message == "Black to move"
    assert not clicks.click("e7") and not clicks.click("e7") and clicks.selected == ""
    assert clicks.undo() and not clicks.undo()


def test_several_moves_to_one_place_are_offered() -> None:
    clicks = ClickableMatch(forsyth.Match("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1"))
    clicks.click("a7")
    assert not clicks.click("a8")
    assert sorted(clicks.choices) == ["a8=B", "a8=N", "a8=Q+", "a8=R+"]
    assert not clicks.play("a8=K") and clicks.message
    assert clicks.play("a8=N") and clicks.choices == []


@pytest.mark.parametrize("name", forsyth.games())
def test_every_game_is_played_by_clicking(name: str) -> None:
    game = forsyth.game(name)
    clicks = ClickableMatch(forsyth.Match(game, game.new_game(1)))
    facts = game.describe_move(clicks.match.position, game.moves(clicks.match.position)[0])
    clicks.click(facts.origin or "")
    played = clicks.click(facts.target or "")
    assert played or facts.move in clicks.choices


def test_the_end_is_said() -> None:
    clicks = ClickableMatch(forsyth.Match("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    assert clicks.message == "1/2-1/2, stalemate" and not clicks.click("h8") and clicks.selected == ""


# --- the widget -----------------------------------------------------------------------------------------


def test_without_the_extra_the_widget_says_how_to_get_it() -> None:
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "from forsyth import notebook\n"
        "try: notebook.Board\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "the notebook board needs the package anywidget; install it with: pip install 'forsyth[notebook]'\n"
    )


def test_pages_are_as_before() -> None:
    assert notebook_answers.text() == notebook_answers.FILE.read_text(encoding="utf-8")


# --- the tutorial ---------------------------------------------------------------------------------------

TUTORIAL = ROOT / "examples" / "tutorial.ipynb"


def test_the_tutorial_is_kept_without_outputs() -> None:
    kept = json.loads(TUTORIAL.read_text(encoding="utf-8"))
    cells = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
