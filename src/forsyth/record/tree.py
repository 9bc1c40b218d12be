"""From words to the tree of moves: lines inside lines, kept on a stack of bounded depth.

After a move that cannot be played the rest of its line is skipped; the lines around it are read.
Reading also takes: missing move numbers and any number of dots after them, ``!`` and ``?`` after a move (as
glyphs 1 to 6), any spelling of a move the game reads (with a warning where it is not the canonical one), and
numbers that run on from a wrong one (with one warning). With a warning each: signs of men in place of letters
(`forsyth.game.Figurines`), a pass that the rules do not allow, where the game reads one
(`forsyth.game.Passing`), and a word after a move that only adds to its spelling, such as ``e.p.``.

Limits: MAX_VARIATION_DEPTH lines inside each other, MAX_MOVES moves in the main line.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from forsyth.arguments import quoted
from forsyth.dashes import DASHES
from forsyth.diagnostics import Confidence, Fix, MoveError, Span
from forsyth.findings import Findings
from forsyth.game import Figurines, Game, read_pass
from forsyth.limits import MAX_MOVE_TEXT, MAX_MOVES, MAX_VARIATION_DEPTH
from forsyth.record.model import GLYPHS, MOST_NAG, Line, Node
from forsyth.record.tokens import Token


class Tree(NamedTuple):
    """The result of the moves: the main line, its positions from the start on, and its moves."""

    line: Line
    comments: tuple[str, ...]
    """Comments that no move holds, because there is none."""
    positions: list[Any]
    moves: list[Any]
    broken: bool
    """Whether the main line could not be read to its end."""


class _Line:
    """A line that is still being read; its position is None when it cannot be read on.

    What is said about the last move is gathered until the next one comes.
    """

    __slots__ = (
        "after",
        "before",
        "last",
        "nags",
        "nodes",
        "opened",
        "pending",
        "position",
        "said",
        "shift",
        "text",
        "variations",
    )

    def __init__(self, position: Any, opened: Span) -> None:
        self.position = position
        self.last: Any = None
        """The position before the last move, where its variations begin."""
        self.nodes: list[Node] = []
        self.text: str | None = None
        """The last move."""
        self.said = False
        """Whether there is more to the last move than its text: most moves stand alone."""
        self.before: tuple[str, ...] = ()
        self.nags: list[int] = []
        self.after: list[str] = []
        self.variations: list[Line] = []
        self.pending: list[str] = []
        """Comments for the next move: those at the start of the line or after a variation."""
        self.shift = 0
        """By how much the numbers in the text are ahead."""
        self.opened = opened

    def comment(self, text: str) -> None:
        if self.text is None or self.variations:
            self.pending.append(text)
        else:
            self.after.append(text)
            self.said = True

    def annotate(self, nag: int) -> None:
        self.nags.append(nag)
        self.said = True

    def vary(self, line: Line) -> None:
        self.variations.append(line)
        self.said = True

    def extend(self, text: str, after: Any) -> None:
        if self.text is not None:
            self._finish_move(self.text)
        if self.pending:
            self.before = tuple(self.pending)
            self.pending.clear()
            self.said = True
        self.text = text
        self.last, self.position = self.position, after

    def finished(self) -> Line:
        """The line; comments that wait for a move stay where they are when there is none."""
        if self.text is not None:
            for text in self.pending:
                self.after.append(text)
                self.said = True
            self.pending.clear()
            self._finish_move(self.text)
            self.text = None
        return tuple(self.nodes)

    def _finish_move(self, text: str) -> None:
        if not self.said:
            self.nodes.append(Node(text))
            return
        self.nodes.append(
            Node(text, tuple(self.nags), self.before, tuple(self.after), tuple(self.variations))
        )
        self.nags, self.after, self.variations = [], [], []
        self.before = ()
        self.said = False


class TreeBuilder:
    """Takes the words of a record's moves, one by one."""

    def __init__(self, game: Game | None, start: Any, findings: Findings) -> None:
        self._game = game
        self._findings = findings
        self._root = _Line(start, Span(0, 0))
        self._stack = [self._root]
        self._passed_over = 0
        """How many variations are open that are not read."""
        self._passed_from = Span(0, 0)
        self._positions = [start]
        self._moves: list[Any] = []
        self._takes = {
            "move": self._move,
            "number": self._number,
            "comment": self._comment,
            "unclosed": self._unclosed_comment,
            "nag": self._nag,
            "suffix": self._suffix,
            "open": self._open,
            "close": self._close,
            "stray": self._stray_brace,
            "odd": self._odd,
            "bracket": self._odd,
        }

    @property
    def in_variation(self) -> bool:
        """Whether a variation is open."""
        return self._passed_over > 0 or len(self._stack) > 1

    def take(self, token: Token) -> None:
        """One word that is neither a tag nor a result."""
        self._takes[token.kind](token)

    def finish(self, end: int) -> Tree:
        """The tree; variations that are still open end here."""
        if self._passed_over:
            self._report_open(self._passed_from, end)
            self._passed_over = 0
        while len(self._stack) > 1:
            self._report_open(self._stack[-1].opened, end)
            self._close_line()
        root = self._root
        return Tree(root.finished(), tuple(root.pending), self._positions, self._moves, root.position is None)

    # --- moves --------------------------------------------------------------------------------------

    def _move(self, token: Token) -> None:
        line = self._stack[-1]
        game, position, text = self._game, line.position, token.text
        if position is None or game is None or self._passed_over:
            return
        if len(self._positions) > MAX_MOVES and line is self._root:
            self._refuse_more(token)
            return
        try:
            if len(text) > MAX_MOVE_TEXT:
                raise MoveError("invalid", text, f"a move of {len(text)} characters cannot be")
            move = game.read_move(position, text if text.isascii() else _in_letters(game, text))
        except MoveError as error:
            self._read_otherwise(token, error, game)
            return
        written = game.write_move(position, move)
        if written != text:
            span = Span(token.start, token.end)
            fix = Fix(span, written, Confidence.CERTAIN)
            self._findings.add("record.spelling", span, f"{quoted(text)} is written {written}", fix=fix)
        self._extend(written, move, game.play(position, move))

    def _extend(self, written: str, move: Any, after: Any) -> None:
        line = self._stack[-1]
        line.extend(written, after)
        if line is self._root:
            self._positions.append(after)
            self._moves.append(move)

    def _read_otherwise(self, token: Token, error: MoveError, game: Game) -> None:
        """What is not a legal move: a pass, a word that belongs to the move before it, or a mistake."""
        line = self._stack[-1]
        span = Span(token.start, token.end)
        if len(token.text) > MAX_MOVE_TEXT:
            self._refuse(token, error)
            return
        try:
            passed = read_pass(game, line.position, token.text)
        except MoveError as impossible:
            self._refuse(token, impossible)
            return
        if passed is not None:
            written = game.write_move(line.position, passed)
            message = f"{quoted(token.text)} passes the turn, which no rule allows"
            self._findings.add("record.pass", span, message)
            self._extend(written, passed, game.play(line.position, passed))
        elif line.text is not None and _adds_nothing(game, line.last, line.text, token.text):
            message = f"{quoted(token.text)} after {line.text} is not written"
            fix = Fix(span, "", Confidence.CERTAIN)
            self._findings.add("record.spelling", span, message, fix=fix)
        else:
            self._refuse(token, error)

    def _refuse_more(self, token: Token) -> None:
        message = f"a record has at most {MAX_MOVES} moves; this one and those after it are left out"
        self._findings.add("record.long", Span(token.start, token.end), message)
        self._root.position = None

    def _refuse(self, token: Token, error: MoveError) -> None:
        self._stack[-1].position = None
        named = [text for text in error.candidates if text not in str(error)]
        candidates = f"; candidates are {', '.join(named)}" if named else ""
        message = f"{error}{candidates}; it and the moves after it are left out"
        self._findings.add(f"record.move_{error.kind}", Span(token.start, token.end), message)
        if self._findings.full:
            # To explain a bad move takes far longer than to play a good one: a text of nothing else ends.
            for line in self._stack:
                line.position = None

    def _number(self, token: Token) -> None:
        line = self._stack[-1]
        if line.position is None or self._game is None or self._passed_over:
            return
        digits = token.text.rstrip(".…")
        given, expected = int(digits), self._game.move_number(line.position)[0]
        if given in (expected, expected + line.shift):
            return
        line.shift = given - expected
        span = Span(token.start, token.start + len(digits))
        fix = Fix(span, str(expected), Confidence.LIKELY)
        self._findings.add("record.number", span, f"move number {given}, expected {expected}", fix=fix)

    # --- words around moves -------------------------------------------------------------------------

    def _comment(self, token: Token) -> None:
        line = self._stack[-1]
        if line.position is not None and not self._passed_over:
            line.comment(token.text)

    def _unclosed_comment(self, token: Token) -> None:
        span = Span(token.start, token.start + 1)
        self._findings.add("record.comment", span, "the comment that begins here is not closed")
        self._comment(token)

    def _nag(self, token: Token) -> None:
        digits = token.text[1:]
        number = int(digits) if 0 < len(digits) <= 3 else MOST_NAG + 1
        if number <= MOST_NAG:
            self._annotate(number, token)
            return
        message = f"{token.text[:8]!r} is not an annotation glyph, expected $0 to ${MOST_NAG}"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _suffix(self, token: Token) -> None:
        if token.text in GLYPHS:
            self._annotate(GLYPHS[token.text], token)
            return
        message = f"{token.text[:8]!r} is not an annotation, expected one of {' '.join(GLYPHS)}"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _annotate(self, number: int, token: Token) -> None:
        line = self._stack[-1]
        if self._passed_over or line.position is None:
            return
        if line.text is not None:
            line.annotate(number)
            return
        message = f"{quoted(token.text)} follows no move"
        self._findings.add("record.nag", Span(token.start, token.end), message)

    def _stray_brace(self, token: Token) -> None:
        self._remove("record.comment", "this brace closes no comment", token)

    def _odd(self, token: Token) -> None:
        shown = token.text if len(token.text) <= 16 else token.text[:16] + "…"
        self._remove("record.token", f"{shown!r} means nothing here, expected a move or the result", token)

    def _remove(self, code: str, message: str, token: Token) -> None:
        span = Span(token.start, token.end)
        if not self._findings.full:
            self._findings.add(code, span, message, fix=Fix(span, "", Confidence.LIKELY))

    # --- variations ---------------------------------------------------------------------------------

    def _open(self, token: Token) -> None:
        line = self._stack[-1]
        span = Span(token.start, token.end)
        if self._passed_over:
            self._passed_over += 1
        elif line.position is None:
            self._pass_over(span)
        elif line.text is None:
            self._pass_over(span)
            self._findings.add("record.variation", span, "a variation follows no move")
        elif len(self._stack) > MAX_VARIATION_DEPTH:
            self._pass_over(span)
            message = f"variations inside each other are read {MAX_VARIATION_DEPTH} deep"
            self._findings.add("record.variation", span, message)
        else:
            self._stack.append(_Line(line.last, span))

    def _pass_over(self, span: Span) -> None:
        self._passed_over = 1
        self._passed_from = span

    def _close(self, token: Token) -> None:
        if self._passed_over:
            self._passed_over -= 1
        elif len(self._stack) == 1:
            self._remove("record.variation", "this bracket closes no variation", token)
        else:
            self._close_line()

    def _close_line(self) -> None:
        closed = self._stack.pop()
        line = closed.finished()
        around = self._stack[-1]
        if line:
            around.vary(line)
            return
        for text in closed.pending:
            around.comment(text)
        if closed.position is not None:
            message = "the variation has no move and is left out"
            self._findings.add("record.variation_empty", closed.opened, message)

    def _report_open(self, opened: Span, end: int) -> None:
        message = "the variation that begins here is not closed"
        fix = Fix(Span(end, end), ")", Confidence.LIKELY)
        self._findings.add("record.variation", opened, message, fix=fix)


def _in_letters(game: Game, text: str) -> str:
    """A move with hyphens for dashes, and letters for the signs of men where the game has such."""
    text = text.translate(DASHES)
    return text.translate(game.figurines) if isinstance(game, Figurines) else text


def _adds_nothing(game: Game, position: Any, move: str, word: str) -> bool:
    """Whether a move and the word after it are together a spelling of that move."""
    try:
        return game.write_move(position, game.read_move(position, f"{move} {word}")) == move
    except MoveError:
        return False
