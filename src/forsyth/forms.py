"""The forms of a position text, for every game: plain, `state_…`, `base64_…`, `fenz_…`, URL and names.

Accepted (spec/azul section 6):

- plain: any text that has no other form. The game reads it.
- ``state_`` and 6 to 64 characters ``0-9a-z``: an identifier that a store resolves.
- ``base64_`` and standard Base64 of UTF-8 text. The padding is required.
- ``fenz_`` and Base64url, without padding, of one raw DEFLATE stream with nothing after it.
- URL: ``_`` stands for a space, ``%XX`` for a byte of UTF-8, any other character for itself. It is only read
  if the caller names the form, see `unwrap`.
- a name such as ``start``: an exact match with one of the game's names.

Forms are not nested: a ``base64_`` or ``fenz_`` text contains plain text. White space around a wrapped text
makes it malformed.

Writing: `wrap` raises `ValueError` for a text that `unwrap` could not restore.

Stability: the ``state_``, ``base64_`` and URL forms of a plain text never change. A ``fenz_`` text may differ
between versions of the compressor, but always unwraps to the same text.

Limits: a wrapped text has at most `MAX_WRAPPED` characters, and a ``fenz_`` text inflates to at most
`MAX_INFLATED` bytes. The length of a plain text is checked by its game.
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

from forsyth.arguments import quoted, require_choice, require_text, require_type, type_name
from forsyth.diagnostics import Diagnostic, Fix, Span
from forsyth.findings import SHARED
from forsyth.identity import STATE_PREFIX, state_id
from forsyth.limits import MAX_DIAGNOSTICS, MAX_INFLATED, MAX_PLAIN, MAX_WRAPPED

if TYPE_CHECKING:
    from forsyth.store.library import Page, Saved, ToSave

FORMS: Final = ("plain", "state", "base64", "fenz", "url", "name")
"""The names of all forms."""

_PREFIXES: Final[Mapping[str, str]] = {"state": STATE_PREFIX, "base64": "base64_", "fenz": "fenz_"}
_ALL_PREFIXES: Final = tuple(_PREFIXES.values())
"""A tuple for `str.startswith`."""

_STATE: Final = re.compile(r"state_[0-9a-z]{6,64}")
"""An identifier as spec/azul 6.2 accepts it. `state_id` always writes 52 characters after the prefix."""

_BASE64URL: Final = re.compile(r"[A-Za-z0-9_-]+")
_BASE64_GROUP: Final = 4
"""Characters that encode three bytes in Base64."""
_WHITE_SPACE: Final = re.compile(r"\s")
_URL_MARK: Final = re.compile(r"_|%[0-9A-Fa-f]{2}")
"""A character sequence that suggests the URL form."""

_PATH_CHARACTERS: Final = "!$&'()*+,;=:@/"
"""The characters that RFC 3986 section 3.3 allows in a path besides the unreserved characters."""


class _FormError(NamedTuple):
    """The diagnostic code and message of an error about a form."""

    code: str
    message: str


_MALFORMED: Final[Mapping[str, _FormError]] = {
    "state": _FormError("hash.format", "Invalid state identifier"),
    "base64": _FormError("base64.format", "Invalid base64 data"),
    "fenz": _FormError("compressed.format", "Invalid compressed FEN"),
}
"""Errors for texts that violate the syntax of their form. The wording is that of spec/azul 8.2."""

BAD_PAYLOAD: Final[Mapping[str, _FormError]] = {
    "base64": _FormError("base64.payload", "Base64 payload is not a valid FEN"),
    "fenz": _FormError("compressed.payload", "Compressed payload is not a valid FEN"),
}
"""Errors for wrapped texts that contain no valid position. The wording is that of spec/azul 8.2."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored text: its `state_…` identifier, the text, and the name of its game, or None if unknown."""

    id: str
    text: str
    game: str | None = None


class Store(Protocol):
    """A store of texts under `state_…` identifiers, with a library of saved positions.

    The implementations are in `forsyth.store`.
    """

    def put(self, text: str, game: str | None = None) -> str:
        """Store a canonical text and return its identifier. A text that is stored already stays unchanged."""

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store pairs of a canonical text and its game, or None, and return how many there were.

        The texts are written in batches. Each batch is written completely or not at all.
        """

    def get(self, id: str) -> str | None:
        """Return the text of an identifier, or None if it is not stored."""

    def entries(self) -> Iterator[Entry]:
        """Yield all stored texts in any order. They are fetched in batches."""

    def entry(self, id: str) -> Entry | None:
        """Return the text and game of an identifier, or None if it is not stored."""

    def initial(self, game: str) -> str | None:
        """Return the text that `set_initial` stored for the position name ``initial`` of a game, or None."""

    def set_initial(self, game: str, text: str) -> str:
        """Store a canonical text as the position ``initial`` of a game and return its identifier."""

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Store a canonical text and save it in the library with a name, tags and a note.

        Return the saved position, which has an identifier of its own.
        """

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Store positions and save them in the library, and return how many there were.

        The positions are written in batches. Each batch is written completely or not at all.
        """

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Yield all saved positions that `search` finds, newest first. They are fetched in batches."""

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with this identifier, or None if there is none."""

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change the name, tags or note of a saved position. None leaves a value unchanged.

        Return the changed position, or None if the identifier is unknown.
        """

    def forget(self, id: str) -> bool:
        """Remove a saved position from the library and return whether it was there. Its text stays stored."""

    def search(
        self,
        game: str | None = None,
        tag: str | None = None,
        query: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> Page:
        """Return a page of saved positions, newest first.

        Args:
            game: Only positions of this game. None means all games.
            tag: Only positions with this tag.
            query: Only positions whose name, note, tags or text contain this text.
            limit: The most positions on the page.
            after: The cursor of the previous page. None means the first page.
        """

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

    def close(self) -> None:
        """Close files and connections. The store cannot be used afterwards."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The result of unwrapping a text: its form, and the plain text or the errors that prevent it."""

    text: str
    form: str
    plain: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    game: str | None = None
    """The name of the game if the store knows it."""
    offsets: Sequence[int] = ()
    """The offset in `text` of each character of `plain`, and of its end. Empty except for the URL form."""

    @property
    def payload(self) -> Span:
        """The span of `text` after the prefix, or of the whole text if the form has no prefix."""
        prefix = _PREFIXES.get(self.form, "")
        start = len(prefix) if self.text.startswith(prefix) else 0
        return Span(start, len(self.text))

    def to_source_span(self, span: Span) -> Span:
        """Convert a span of the decoded text to a span of the original text.

        In the forms ``base64``, ``fenz``, ``state`` and ``name``, the characters of the two texts do not
        correspond, so the result is the span of everything after the prefix.
        """
        if self.form == "plain":
            return span
        if not self.offsets:
            return self.payload
        last_index = len(self.offsets) - 1
        start = self.offsets[min(span.start, last_index)]
        end = self.offsets[min(span.end, last_index)]
        return Span(start, end)

    def to_source_fix(self, fix: Fix) -> Fix | None:
        """Convert a fix of the decoded text to a fix of the original text.

        The result is None if the characters of the two texts do not correspond, as in ``base64_…``.
        """
        if self.form == "plain":
            return fix
        if not self.offsets:
            return None
        return Fix(self.to_source_span(fix.span), _encode_url(fix.replacement), fix.confidence)


# --- detection of the form ----------------------------------------------------------------------------


def guess_form(text: str, names: Container[str] = ()) -> str:
    """Return the form that a text probably has, including the URL form.

    `names` are the position names. A text without the prefix of a form is taken for a URL if it has no white
    space, but an underscore or a percent escape.
    """
    form = _detect_form(text, names)
    if form != "plain" or len(text) > MAX_WRAPPED:
        return form
    looks_like_url = _URL_MARK.search(text) and not _WHITE_SPACE.search(text)
    return "url" if looks_like_url else "plain"


def _detect_form(text: str, names: Container[str]) -> str:
    """Return the form of a text: ``name`` if it is one of `names`, else the form of its prefix, or ``plain``.

    The URL form has no prefix and is not detected.
    """
    # The length is checked first, because the lookup hashes the whole text.
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
    """Return a plain text in another form.

    Args:
        plain: The plain text. For the form `state` it should be canonical, so that each position has one
            identifier.
        form: One of `FORMS`.
        store: The store that keeps the text if the form is `state`. None only computes the identifier.
        game: The name of the game, for the store.
        names: Position names and their texts, for the form `name`.

    Raises:
        ValueError: If there is no such form, or `unwrap` could not restore the text from it.
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
        return _find_name(plain, names or {})
    wrapped = _WRAPPERS[form](plain)
    if len(wrapped) > MAX_WRAPPED:
        raise ValueError(f"the {form} form has {len(wrapped)} characters, expected at most {MAX_WRAPPED}")
    return wrapped


def _require_sources(names: object, store: object) -> None:
    """Raise `TypeError` unless `names` is a mapping of position names and `store` is a store.

    Both may be None.
    """
    if names is not None:
        require_type("the value of names", names, Mapping, description="a mapping from names to texts")
    if store is not None:
        require_store(store)


def require_store(store: object) -> None:
    """Raise `TypeError` if `store` is not a store of position texts, such as `open_store` returns."""
    if not callable(getattr(store, "entry", None)):
        raise TypeError(
            f"the store is of type {type_name(store)}, expected a store such as open_store returns"
        )


def _require_wrappable(plain: str, names: Container[str]) -> None:
    """Raise `ValueError` if `unwrap` could not restore the text from another form.

    The text must not be empty, too long, a position name in `names`, or a text with a prefix such as
    ``base64_``. It must not contain lone surrogates.
    """
    if not plain:
        raise ValueError("the text is empty, expected the text of a position")
    if len(plain) > MAX_PLAIN:
        raise ValueError(f"the text has {len(plain)} characters, expected at most {MAX_PLAIN}")
    form = _detect_form(plain, names)
    if form != "plain":
        raise ValueError(f"the text is already in the form {quoted(form)}, expected a plain text")
    try:
        plain.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"character {error.start} of {quoted(plain)} is a lone surrogate, expected Unicode text"
        ) from error


def _find_name(plain: str, names: Mapping[str, str]) -> str:
    """Return the first name in `names` whose text is `plain`. Raise `ValueError` if there is none."""
    for name, text in names.items():
        if text == plain:
            return name
    raise ValueError(
        f"no position name has the text {quoted(plain)}; the names are {', '.join(names) or 'none'}"
    )


def _wrap_base64(plain: str) -> str:
    """Return a plain text as ``base64_…``."""
    return _PREFIXES["base64"] + base64.b64encode(plain.encode("utf-8")).decode("ascii")


def _wrap_fenz(plain: str) -> str:
    """Return a plain text as ``fenz_…``. Raise `ValueError` if it has more than `MAX_INFLATED` bytes."""
    data = plain.encode("utf-8")
    if len(data) > MAX_INFLATED:
        raise ValueError(f"the text has {len(data)} bytes, expected at most {MAX_INFLATED} in the fenz form")
    deflate = zlib.compressobj(level=9, wbits=-zlib.MAX_WBITS)
    packed = deflate.compress(data) + deflate.flush()
    return _PREFIXES["fenz"] + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _encode_url(plain: str) -> str:
    """Return a plain text for the path of a URL: spaces as ``_``, other special characters as ``%XX``."""
    # quote() does not escape "_". Here it stands for a space, so a real underscore must be escaped.
    encoded = quote(plain, safe=_PATH_CHARACTERS + " ", errors="surrogatepass")
    return encoded.replace("_", "%5F").replace(" ", "_")


_WRAPPERS: Final[Mapping[str, Callable[[str], str]]] = {
    "base64": _wrap_base64,
    "fenz": _wrap_fenz,
    "url": _encode_url,
}


# --- unwrapping ---------------------------------------------------------------------------------------


def unwrap(
    text: str,
    *,
    form: str | None = None,
    names: Mapping[str, str] | None = None,
    store: Store | None = None,
) -> Unwrapped:
    """Unwrap a text and return its plain text, or the errors that prevent it. No text raises an error.

    The URL form is only read if `form` is ``url``. Otherwise a text with ``_`` between its fields, which is
    an error in default mode (spec/chess 5.1, `fen.fields`), would be accepted as a URL. A web page that takes
    a text in any form from a path passes ``form=guess_form(text)``.

    Args:
        text: The text in any form.
        form: The form to read the text in, one of `FORMS`. None detects all forms except URL.
        names: Position names and their texts.
        store: The store that resolves ``state_`` identifiers.

    Raises:
        ValueError: If there is no such form.
        TypeError: If `text` is not a string, `names` not a mapping or `store` not a store.
        StoreError: If the store fails.
    """
    require_text("the text", text)
    if form is not None:
        require_choice("form", form, FORMS)
    _require_sources(names, store)
    names = names or {}
    if form is None:
        form = _detect_form(text, names)
    if form == "plain":
        return Unwrapped(text, form, text)
    if len(text) > MAX_WRAPPED:
        message = f"the wrapped text has {len(text)} characters, expected at most {MAX_WRAPPED}"
        error = SHARED.make_diagnostic("fen.length", Span(MAX_WRAPPED, len(text)), message)
        return _make_failure(text, form, error)
    if form == "name":
        return _unwrap_name(text, names)
    if form == "url":
        return _unwrap_url(text)
    if form == "state":
        return _unwrap_state(text, store)
    return _unwrap_bytes(text, form, names)


def _make_failure(text: str, form: str, *diagnostics: Diagnostic) -> Unwrapped:
    """Return the `Unwrapped` for a text that cannot be decoded: without a plain text, with the errors."""
    return Unwrapped(text, form, None, diagnostics)


def has_form_prefix(text: str) -> bool:
    """Return whether a text begins with ``state_``, ``base64_`` or ``fenz_``."""
    return text.startswith(_ALL_PREFIXES)


def _reject_payload(text: str, form: str, form_error: _FormError) -> Unwrapped:
    """Return the `Unwrapped` for a text that cannot be decoded, with one error about its payload.

    The payload is everything after the prefix, such as ``base64_``.
    """
    failure = _make_failure(text, form)
    finding = SHARED.make_diagnostic(form_error.code, failure.payload, form_error.message)
    return replace(failure, diagnostics=(finding,))


def _unwrap_name(text: str, names: Mapping[str, str]) -> Unwrapped:
    """Return the `Unwrapped` for a position name such as ``start``, with an error if `names` lacks it."""
    if text in names:
        return Unwrapped(text, "name", names[text])
    message = f"no position has this name, expected one of {', '.join(names) or 'none'}"
    return _reject_payload(text, "name", _FormError("name.unknown", message))


def _unwrap_state(text: str, store: Store | None) -> Unwrapped:
    """Return the `Unwrapped` with the text that `store` has for a ``state_`` identifier.

    It has an error if the identifier is malformed or unknown. Without a store, every identifier is unknown.
    """
    if not _STATE.fullmatch(text):
        return _reject_payload(text, "state", _MALFORMED["state"])
    entry = None if store is None else store.entry(text)
    if entry is None:
        form_error = _FormError("hash.unknown", f"Unknown state identifier: {text}")
        return _reject_payload(text, "state", form_error)
    return Unwrapped(text, "state", entry.text, game=entry.game)


def _unwrap_bytes(text: str, form: str, names: Container[str]) -> Unwrapped:
    """Return the `Unwrapped` with the text that a ``base64_`` or ``fenz_`` text contains.

    It has an error if the encoding is malformed, or if the decoded text is not UTF-8 or has a form such as
    ``base64_…`` itself.
    """
    prefix = _PREFIXES[form]
    has_prefix = text.startswith(prefix)
    payload = text.removeprefix(prefix)
    data = _DECODERS[form](payload) if has_prefix else None
    if data is None:
        return _reject_payload(text, form, _MALFORMED[form])
    try:
        plain = data.decode("utf-8")
    except UnicodeDecodeError:
        return _reject_payload(text, form, BAD_PAYLOAD[form])
    if _detect_form(plain, names) != "plain":
        return _reject_payload(text, form, BAD_PAYLOAD[form])
    return Unwrapped(text, form, plain)


def _decode_base64(payload: str) -> bytes | None:
    """Return the bytes of a non-empty Base64 payload, or None if it is malformed."""
    # Python's decoder ignores surplus padding after complete groups of four, as in `QUJD=`.
    has_whole_groups = len(payload) % _BASE64_GROUP == 0
    if not has_whole_groups:
        return None
    try:
        return base64.b64decode(payload, validate=True) or None
    except ValueError:
        return None


def _decode_fenz(payload: str) -> bytes | None:
    """Return the decompressed bytes of a ``fenz_`` payload, or None if it is malformed or too long."""
    if not _BASE64URL.fullmatch(payload):
        return None
    # The payload is written without padding, but Python's decoder requires groups of four characters.
    padding = "=" * (-len(payload) % _BASE64_GROUP)
    try:
        return _inflate(base64.urlsafe_b64decode(payload + padding))
    except (ValueError, zlib.error):
        return None


def _inflate(packed: bytes) -> bytes | None:
    """Return the decompressed bytes of one raw DEFLATE stream.

    The result is None if there are more than `MAX_INFLATED` bytes, or if the stream is incomplete or followed
    by other bytes. Raise `zlib.error` if the stream is corrupt.
    """
    decompressor = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    # One byte more than allowed: a stream of exactly the maximum length reaches its end mark, and a longer
    # stream is recognised without inflating all of it.
    data = decompressor.decompress(packed, MAX_INFLATED + 1)
    is_whole_stream = decompressor.eof and not decompressor.unused_data
    if len(data) > MAX_INFLATED or not is_whole_stream:
        return None
    return data


_DECODERS: Final[Mapping[str, Callable[[str], bytes | None]]] = {
    "base64": _decode_base64,
    "fenz": _decode_fenz,
}


def _unwrap_url(text: str) -> Unwrapped:
    """Return the `Unwrapped` for a URL text, in which ``_`` is a space and ``%2F`` is ``/``.

    It has one error for each broken percent escape, up to `MAX_DIAGNOSTICS`.
    """
    if "%" not in text:
        return Unwrapped(text, "url", text.replace("_", " "), offsets=range(len(text) + 1))
    characters: list[str] = []
    offsets: list[int] = []
    errors: list[Diagnostic] = []
    offset = 0
    while offset < len(text) and len(errors) < MAX_DIAGNOSTICS:
        character, length = _decode_url_character(text, offset)
        offsets.append(offset)
        characters.append(character)
        if not character:
            errors.append(_make_escape_error(text, Span(offset, offset + length)))
        offset += length
    if errors:
        return _make_failure(text, "url", *errors)
    return Unwrapped(text, "url", "".join(characters), offsets=(*offsets, len(text)))


def _decode_url_character(text: str, offset: int) -> tuple[str, int]:
    """Return the character that is encoded at `offset` of a URL text, and how many characters encode it.

    An example is ``("é", 6)`` for ``%C3%A9``. For a broken escape, the character is an empty text.
    """
    if text[offset] == "_":
        return " ", 1
    if text[offset] != "%":
        return text[offset], 1
    lead_byte = _read_escaped_bytes(text, offset, 1)
    if not lead_byte:
        # The broken escape ends before the next percent sign.
        after_percent = text[offset + 1 : offset + _ESCAPE_LENGTH]
        broken_part, _, _ = after_percent.partition("%")
        return "", 1 + len(broken_part)
    byte_count = _utf8_length(lead_byte[0])
    try:
        character = _read_escaped_bytes(text, offset, byte_count).decode("utf-8")
    except UnicodeDecodeError:
        character = ""
    if not character:
        return "", _ESCAPE_LENGTH
    return character, _ESCAPE_LENGTH * byte_count


def _utf8_length(lead_byte: int) -> int:
    """Return how many bytes encode a character in UTF-8, from 1 to 4, by the first of them.

    A byte that begins no character gives 1.
    """
    if lead_byte < _TWO_BYTE_LEAD:
        return 1
    if lead_byte < _THREE_BYTE_LEAD:
        return 2
    if lead_byte < _FOUR_BYTE_LEAD:
        return 3
    return 4


_TWO_BYTE_LEAD: Final = 0b1100_0000
_THREE_BYTE_LEAD: Final = 0b1110_0000
_FOUR_BYTE_LEAD: Final = 0b1111_0000
"""The lowest first byte of a character that is encoded in two, three or four bytes of UTF-8."""


def _read_escaped_bytes(text: str, offset: int, count: int) -> bytes:
    """Return the bytes of `count` percent escapes at `offset`, such as ``%C3%A9``.

    If fewer than `count` escapes follow each other there, return no bytes.
    """
    match = _ESCAPES[count].match(text, offset)
    return bytes.fromhex(match[0].replace("%", "")) if match else b""


_ESCAPE_LENGTH: Final = 3
"""Characters of one percent escape, such as ``%5F``."""
_ESCAPES: Final = tuple(re.compile(rf"(?:%[0-9A-Fa-f]{{2}}){{{count}}}") for count in range(5))
"""The patterns of 0 to 4 consecutive percent escapes. A UTF-8 character has at most 4 bytes."""


def _make_escape_error(text: str, span: Span) -> Diagnostic:
    """Return the error for the broken percent escape, such as ``%G1``, at `span` of a URL text."""
    escape = text[span.start : span.end]
    message = (
        f"{quoted(escape)} is not the escape of a character, expected '%' and two hexadecimal digits of UTF-8"
    )
    return SHARED.make_diagnostic("url.format", span, message)
