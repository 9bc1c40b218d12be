"""The forms of a text: plain, `state_…`, `base64_…`, `fenz_…`, URL and names, the same for every game.

Accepted (spec/azul section 6):

- plain: anything that is no other form; the game reads it.
- ``state_`` and 6 to 64 of ``0-9a-z``: an identifier, resolved through a store and never guessed at.
- ``base64_`` and standard Base64 of UTF-8 text; the padding is required.
- ``fenz_`` and Base64url, without padding, of one raw DEFLATE stream with nothing after it.
- URL: ``_`` stands for a space, ``%XX`` for a byte of UTF-8, any other character for itself. Read only when
  asked for, see `unwrap`.
- a name such as ``start``: an exact match with one of the game's names.

There is no nesting: what a ``base64_`` or ``fenz_`` text holds is plain text. White space around a wrapped
text belongs to it and makes it malformed.

Writing: `wrap` writes only what `unwrap` reads back to the same text and raises `ValueError` for the rest.

Stability: ``state_``, ``base64_`` and URL texts of one plain text are the same for ever. Of ``fenz_`` only
the round trip is promised: another compressor may find another stream.

Limits: a wrapped text has at most `MAX_WRAPPED` characters, a ``fenz_`` text inflates to at most
`MAX_INFLATED` bytes. A plain text is passed on unread: the game bounds it.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self
from urllib.parse import quote

from forsyth.arguments import quoted, require_choice, require_kind, require_text, type_of
from forsyth.diagnostics import Diagnostic, Fix, Span
from forsyth.findings import SHARED
from forsyth.identity import STATE_PREFIX, state_id
from forsyth.limits import MAX_DIAGNOSTICS, MAX_INFLATED, MAX_PLAIN, MAX_WRAPPED

if TYPE_CHECKING:
    from forsyth.store.library import Page, Saved, ToSave

FORMS: Final = ("plain", "state", "base64", "fenz", "url", "name")
"""Every form, by the word it is asked for with."""

_PREFIXES: Final[Mapping[str, str]] = {"state": STATE_PREFIX, "base64": "base64_", "fenz": "fenz_"}
_ANY_PREFIX: Final = tuple(_PREFIXES.values())

_STATE: Final = re.compile(r"state_[0-9a-z]{6,64}")
"""An identifier as spec/azul 6.2 accepts it: wider than the 52 characters `state_id` writes."""

_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]+")
_WHITE_SPACE: Final = re.compile(r"\s")
_URL_MARK: Final = re.compile(r"_|%[0-9A-Fa-f]{2}")

_PATH_CHARACTERS: Final = "!$&'()*+,;=:@/"
"""What RFC 3986 section 3.3 allows in a path beside the unreserved characters."""


class _Complaint(NamedTuple):
    code: str
    message: str


_MALFORMED: Final[Mapping[str, _Complaint]] = {
    "state": _Complaint("hash.format", "Invalid state identifier"),
    "base64": _Complaint("base64.format", "Invalid base64 data"),
    "fenz": _Complaint("compressed.format", "Invalid compressed FEN"),
}
"""Wording of spec/azul 8.2."""

BAD_PAYLOAD: Final[Mapping[str, _Complaint]] = {
    "base64": _Complaint("base64.payload", "Base64 payload is not a valid FEN"),
    "fenz": _Complaint("compressed.payload", "Compressed payload is not a valid FEN"),
}
"""Wording of spec/azul 8.2. An error inside one of these forms is reported as this, which carries it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One stored text: its `state_…` identifier, the text, and the name of its game where that is known."""

    id: str
    text: str
    game: str | None = None


class Store(Protocol):
    """Where `state_…` identifiers are resolved; `forsyth.store` has the implementations."""

    def put(self, text: str, game: str | None = None) -> str:
        """Keep a canonical text and return its identifier; a second time changes nothing."""

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Keep canonical texts, each with its game or None, in batches that are whole or absent; how many."""

    def get(self, id: str) -> str | None:
        """The text of an identifier, or None."""

    def entries(self) -> Iterator[Entry]:
        """All texts that are kept, in no promised order, fetched in batches."""

    def entry(self, id: str) -> Entry | None:
        """The text of an identifier with what is known about it, or None."""

    def initial(self, game: str) -> str | None:
        """The text that the name ``initial`` means in a game, or None while none was set."""

    def set_initial(self, game: str, text: str) -> str:
        """Make a canonical text the position ``initial``; returns its identifier."""

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Keep a canonical text and save it in the library, under its own identifier."""

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Keep and save positions in batches that are whole or absent; how many they are."""

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """The saved positions that `search` finds, newest first, fetched in batches."""

    def saved(self, id: str) -> Saved | None:
        """A saved position, or None."""

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change a saved position, where None changes nothing; returns it, or None if there is no such."""

    def forget(self, id: str) -> bool:
        """Take a saved position out of the library, and say whether it was there. Its text is kept."""

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page:
        """The saved positions of a game, with a tag, that hold a query: newest first, from a cursor on."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

    def close(self) -> None:
        """Let go of files and memory; the store cannot be used after."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The result of unwrapping a text: its form, and the plain text or the reason why there is none."""

    text: str
    form: str
    plain: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    game: str | None = None
    """The name of the game, where the store knows it."""
    offsets: Sequence[int] = ()
    """URL form only: where in `text` each character of `plain` begins, and where the last one ends."""

    @property
    def payload(self) -> Span:
        """The part of `text` after the prefix; the whole of it where the form has none."""
        prefix = _PREFIXES.get(self.form, "")
        return Span(len(prefix) if self.text.startswith(prefix) else 0, len(self.text))

    def place(self, span: Span) -> Span:
        """A span of the plain text as a span of the text as given.

        Where the characters of the two do not correspond, that is the whole payload.
        """
        if self.form == "plain":
            return span
        if not self.offsets:
            return self.payload
        last = len(self.offsets) - 1
        return Span(self.offsets[min(span.start, last)], self.offsets[min(span.end, last)])

    def place_fix(self, fix: Fix) -> Fix | None:
        """A fix of the plain text as a fix of the text as given; None where it cannot be written as one."""
        if self.form == "plain":
            return fix
        if not self.offsets:
            return None
        return Fix(self.place(fix.span), _quote(fix.replacement), fix.confidence)


# --- which form ---------------------------------------------------------------------------------------


def form_of(text: str, names: Container[str] = ()) -> str:
    """The form a text seems to have, from its first and, if it is short, its telling characters."""
    found = _automatic_form(text, names)
    if found != "plain" or len(text) > MAX_WRAPPED:
        return found
    if _URL_MARK.search(text) and not _WHITE_SPACE.search(text):
        return "url"
    return "plain"


def _automatic_form(text: str, names: Container[str]) -> str:
    # The length comes first: looking a text up hashes all of it.
    if len(text) <= MAX_PLAIN and text in names:
        return "name"
    for form, prefix in _PREFIXES.items():
        if text.startswith(prefix):
            return form
    return "plain"


# --- wrapping -----------------------------------------------------------------------------------------


def wrap(
    plain: str,
    form: str,
    *,
    store: Store | None = None,
    game: str | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """A plain text in another form.

    `state` names the text given: give the canonical one. With a `store` it is kept there, as one of `game`.
    `name` looks the text up in `names`. Raises `ValueError` for what `unwrap` would not read back.
    """
    require_text("the text", plain)
    require_choice("form", form, FORMS)
    _require_sources(names, store)
    _require_wrappable(plain, names or {})
    if form == "plain":
        return plain
    if form == "state":
        return state_id(plain) if store is None else store.put(plain, game)
    if form == "name":
        return _name_of(plain, names or {})
    wrapped = _WRAPPERS[form](plain)
    if len(wrapped) > MAX_WRAPPED:
        raise ValueError(f"the {form} form has {len(wrapped)} characters, expected at most {MAX_WRAPPED}")
    return wrapped


def _require_sources(names: object, store: object) -> None:
    """Refuse what holds neither names nor identifiers, where something is given."""
    if names is not None:
        require_kind("the value of names", names, Mapping, "a mapping from names to texts")
    if store is not None:
        require_store(store)


def require_store(store: object) -> None:
    """Raise `TypeError` unless a value can be asked for an identifier."""
    if not callable(getattr(store, "entry", None)):
        raise TypeError(f"the store is of type {type_of(store)}, expected one such as open_store gives")


def _require_wrappable(plain: str, names: Container[str]) -> None:
    if not plain:
        raise ValueError("an empty text has no other form")
    if len(plain) > MAX_PLAIN:
        raise ValueError(f"the text has {len(plain)} characters, expected at most {MAX_PLAIN}")
    found = _automatic_form(plain, names)
    if found != "plain":
        raise ValueError(f"the text is already in the form {quoted(found)}, expected a plain text")
    try:
        plain.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is a lone surrogate, expected Unicode text") from error


def _name_of(plain: str, names: Mapping[str, str]) -> str:
    for name, text in names.items():
        if text == plain:
            return name
    raise ValueError(f"no name means this text; the names are {', '.join(names) or 'none'}")


def _wrap_base64(plain: str) -> str:
    return _PREFIXES["base64"] + base64.b64encode(plain.encode("utf-8")).decode("ascii")


def _wrap_fenz(plain: str) -> str:
    data = plain.encode("utf-8")
    if len(data) > MAX_INFLATED:
        raise ValueError(f"the text has {len(data)} bytes, expected at most {MAX_INFLATED} in the fenz form")
    deflate = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    packed = deflate.compress(data) + deflate.flush()
    return _PREFIXES["fenz"] + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _quote(plain: str) -> str:
    # quote() leaves "_" alone; here it stands for a space, so that a real one must be escaped.
    quoted = quote(plain, safe=_PATH_CHARACTERS + " ", errors="surrogatepass")
    return quoted.replace("_", "%5F").replace(" ", "_")


_WRAPPERS: Final[Mapping[str, Callable[[str], str]]] = {
    "base64": _wrap_base64,
    "fenz": _wrap_fenz,
    "url": _quote,
}


# --- unwrapping ---------------------------------------------------------------------------------------


def unwrap(
    text: str,
    *,
    form: str | None = None,
    names: Mapping[str, str] | None = None,
    store: Store | None = None,
) -> Unwrapped:
    """The plain text of a text, or the reason why there is none. Never raises on a text.

    Without a `form` all are recognised but one: the URL form is read only when it is asked for. A text with
    ``_`` between its fields is an error in default mode (spec/chess 5.1, `fen.fields`), and it would be none
    if it were taken for a URL. A web page that takes any form out of a path passes `form_of(text)`.

    Raises `ValueError` for a form that does not exist, `TypeError` for what is no text, and lets the errors
    of a broken store through.
    """
    require_text("the text", text)
    if form is not None:
        require_choice("form", form, FORMS)
    _require_sources(names, store)
    known = names or {}
    found = _automatic_form(text, known) if form is None else form
    if found == "plain":
        return Unwrapped(text, found, text)
    if len(text) > MAX_WRAPPED:
        message = f"the wrapped text has {len(text)} characters, expected at most {MAX_WRAPPED}"
        return _failed(text, found, SHARED.finding("fen.length", Span(MAX_WRAPPED, len(text)), message))
    if found == "name":
        return _unwrap_name(text, known)
    if found == "url":
        return _unwrap_url(text)
    if found == "state":
        return _unwrap_state(text, store)
    return _unwrap_bytes(text, found, known)


def _failed(text: str, form: str, *diagnostics: Diagnostic) -> Unwrapped:
    return Unwrapped(text, form, None, diagnostics)


def is_wrapped(text: str) -> bool:
    """Whether a text has the prefix of a form."""
    return text.startswith(_ANY_PREFIX)


def _complain(text: str, form: str, complaint: _Complaint) -> Unwrapped:
    failed = _failed(text, form)
    return replace(failed, diagnostics=(SHARED.finding(complaint.code, failed.payload, complaint.message),))


def _unwrap_name(text: str, names: Mapping[str, str]) -> Unwrapped:
    if text in names:
        return Unwrapped(text, "name", names[text])
    message = f"no position has this name, expected one of {', '.join(names) or 'none'}"
    return _complain(text, "name", _Complaint("name.unknown", message))


def _unwrap_state(text: str, store: Store | None) -> Unwrapped:
    if not _STATE.fullmatch(text):
        return _complain(text, "state", _MALFORMED["state"])
    entry = None if store is None else store.entry(text)
    if entry is None:
        return _complain(text, "state", _Complaint("hash.unknown", f"Unknown state identifier: {text}"))
    return Unwrapped(text, "state", entry.text, game=entry.game)


def _unwrap_bytes(text: str, form: str, names: Container[str]) -> Unwrapped:
    prefix = _PREFIXES[form]
    data = _DECODERS[form](text[len(prefix) :]) if text.startswith(prefix) else None
    if data is None:
        return _complain(text, form, _MALFORMED[form])
    try:
        plain = data.decode("utf-8")
    except UnicodeDecodeError:
        return _complain(text, form, BAD_PAYLOAD[form])
    if _automatic_form(plain, names) != "plain":
        return _complain(text, form, BAD_PAYLOAD[form])
    return Unwrapped(text, form, plain)


def _decode_base64(payload: str) -> bytes | None:
    # Python's decoder passes over a padding sign behind whole groups of four, as in `QUJD=`.
    if len(payload) % 4:
        return None
    try:
        return base64.b64decode(payload, validate=True) or None
    except ValueError:
        return None


def _decode_fenz(payload: str) -> bytes | None:
    if not _BASE64URL.fullmatch(payload):
        return None
    padded = payload + "=" * (-len(payload) % 4)
    try:
        return _inflate(base64.urlsafe_b64decode(padded))
    except (ValueError, zlib.error):
        return None


def _inflate(packed: bytes) -> bytes | None:
    # One byte more than allowed: a stream that ends exactly at the bound can still show its end, and a
    # longer one shows itself without being inflated.
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    data = inflate.decompress(packed, MAX_INFLATED + 1)
    if len(data) > MAX_INFLATED or not inflate.eof or inflate.unused_data:
        return None
    return data


_DECODERS: Final[Mapping[str, Callable[[str], bytes | None]]] = {
    "base64": _decode_base64,
    "fenz": _decode_fenz,
}


def _unwrap_url(text: str) -> Unwrapped:
    if "%" not in text:
        return Unwrapped(text, "url", text.replace("_", " "), offsets=range(len(text) + 1))
    characters: list[str] = []
    offsets: list[int] = []
    broken: list[Diagnostic] = []
    at = 0
    while at < len(text) and len(broken) < MAX_DIAGNOSTICS:
        character, length = _unquote(text, at)
        offsets.append(at)
        characters.append(character)
        if not character:
            broken.append(_broken_escape(text, Span(at, at + length)))
        at += length
    if broken:
        return _failed(text, "url", *broken)
    return Unwrapped(text, "url", "".join(characters), offsets=(*offsets, len(text)))


def _unquote(text: str, at: int) -> tuple[str, int]:
    """The character written at `at` and how many characters write it; an empty one for a broken escape."""
    if text[at] != "%":
        return (" " if text[at] == "_" else text[at]), 1
    lead = _escaped_bytes(text, at, 1)
    if not lead:
        # As much as was meant to be the escape, but not the beginning of the next one.
        return "", len(text[at + 1 : at + 3].partition("%")[0]) + 1
    count = _utf8_length(lead[0])
    try:
        character = _escaped_bytes(text, at, count).decode("utf-8")
    except UnicodeDecodeError:
        character = ""
    return (character, 3 * count) if character else ("", 3)


def _utf8_length(lead: int) -> int:
    return 1 + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)


def _escaped_bytes(text: str, at: int, count: int) -> bytes:
    """The bytes of `count` escapes in a row, or of none if they are not all there."""
    found = _ESCAPES[count].match(text, at)
    return bytes.fromhex(found[0].replace("%", "")) if found else b""


_ESCAPES: Final = tuple(re.compile(rf"(?:%[0-9A-Fa-f]{{2}}){{{count}}}") for count in range(5))


def _broken_escape(text: str, span: Span) -> Diagnostic:
    found = text[span.start : span.end]
    message = (
        f"{quoted(found)} is not the escape of a character, expected '%' and two hexadecimal digits of UTF-8"
    )
    return SHARED.finding("url.format", span, message)
