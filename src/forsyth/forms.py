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
_RAW_DEFLATE: Final = -zlib.MAX_WBITS
"""The argument `wbits` of zlib for a stream without header and checksum."""
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
        """Store a canonical text and return its identifier, such as ``state_…``.

        `game` is the name of its game, or None if unknown. A text that is already stored does not change.
        """

    def put_many(self, texts: Iterable[tuple[str, str | None]]) -> int:
        """Store canonical texts, and return their number.

        Each text is given as a pair with the name of its game, or None if the game is unknown. The texts are
        written in batches, each of them completely or not at all.
        """

    def get(self, id: str) -> str | None:
        """Return the text with the identifier `id`, such as ``state_…``, or None if it is not stored."""

    def entries(self) -> Iterator[Entry]:
        """Yield all stored texts in any order, each with its identifier and game, fetched in batches."""

    def entry(self, id: str) -> Entry | None:
        """Return the text with the identifier `id` and its game, or None if it is not stored."""

    def initial(self, game: str) -> str | None:
        """Return the text that the name ``initial`` stands for in a game, or None if it was never set."""

    def set_initial(self, game: str, text: str) -> str:
        """Make ``initial`` stand for a canonical text in a game, and return the text's identifier."""

    def save(self, text: str, game: str, name: str, tags: Iterable[str] = (), note: str = "") -> Saved:
        """Save a position in the library, the list of positions that users named, and return it.

        Args:
            text: The canonical text of the position. It is stored too.
            game: The name of its game.
            name: A name for display.
            tags: Words by which `search` finds the position.
            note: Any text, or an empty text.
        """

    def save_many(self, positions: Iterable[ToSave]) -> int:
        """Save any number of positions in the library, and return their number.

        The positions are written in batches, each of them completely or not at all.
        """

    def all_saved(
        self, game: str | None = None, tag: str | None = None, query: str | None = None
    ) -> Iterator[Saved]:
        """Yield all saved positions of a game, with a tag, or with a text in them, newest first.

        The arguments are those of `search`. The positions are fetched in batches.
        """

    def saved(self, id: str) -> Saved | None:
        """Return the saved position with this identifier, or None if there is none."""

    def change(
        self, id: str, *, name: str | None = None, tags: Iterable[str] | None = None, note: str | None = None
    ) -> Saved | None:
        """Change the name, tags or note of the saved position `id`, and return its new version.

        An argument that is None leaves the value unchanged. Return None if the identifier is unknown.
        """

    def forget(self, id: str) -> bool:
        """Remove a saved position from the library, and return True if it was there.

        Its text stays stored.
        """

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
            limit: The maximum number of positions on the page.
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

        The characters of a text such as ``base64_…`` do not correspond to those of the decoded text. The
        result is then the span of everything after the prefix.
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
    """Return the form that a text probably has, such as ``plain``, ``base64`` or ``url``.

    A text without a prefix, such as ``base64_``, is taken for a URL text if it contains ``_`` or an escape
    such as ``%20``, but no white space. `names` are the position names, such as ``start``.
    """
    form = _detect_form(text, names)
    if form != "plain" or len(text) > MAX_WRAPPED:
        return form
    has_url_mark = _URL_MARK.search(text) is not None
    has_white_space = _WHITE_SPACE.search(text) is not None
    return "url" if has_url_mark and not has_white_space else "plain"


def _detect_form(text: str, names: Container[str]) -> str:
    """Return the form of a text, such as ``base64`` if its prefix is ``base64_``.

    It is ``name`` for a text in `names`, and ``plain`` for a text without a known prefix. The URL form has no
    prefix and is not detected.
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
    """Return a plain text in another form, such as ``base64_…``.

    Args:
        plain: The plain text. For the form `state` it should be canonical, so that each position has one
            identifier.
        form: One of `FORMS`.
        store: The store that saves the text if the form is `state`. None only computes the identifier.
        game: The name of the game, for the store.
        names: Position names and their texts, for the form `name`.

    Raises:
        ValueError: If there is no such form, or `unwrap` could not restore the text from it.
    """
    require_text("the text", plain)
    require_choice("form", form, FORMS)
    _require_names_and_store(names, store)
    position_names = names or {}
    _require_wrappable(plain, position_names)
    if form == "plain":
        return plain
    if form == "state":
        return state_id(plain) if store is None else store.put(plain, game)
    if form == "name":
        return _find_name(plain, position_names)
    encode = _ENCODERS[form]
    wrapped = encode(plain)
    if len(wrapped) > MAX_WRAPPED:
        raise ValueError(f"the {form} form has {len(wrapped)} characters, expected at most {MAX_WRAPPED}")
    return wrapped


def _require_names_and_store(names: object, store: object) -> None:
    """Raise `TypeError` if `names` is not a mapping, or `store` is not a store. Both may be None."""
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
    ``base64_``. It must not contain lone surrogates (halves of a character), which UTF-8 cannot encode.
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
    """Return a plain text as ``fenz_…``: compressed, then encoded as Base64 for URLs.

    Raise `ValueError` if the text has more than `MAX_INFLATED` bytes.
    """
    data = plain.encode("utf-8")
    if len(data) > MAX_INFLATED:
        raise ValueError(f"the text has {len(data)} bytes, expected at most {MAX_INFLATED} in the fenz form")
    compressor = zlib.compressobj(level=zlib.Z_BEST_COMPRESSION, wbits=_RAW_DEFLATE)
    compressed = compressor.compress(data) + compressor.flush()
    payload = base64.urlsafe_b64encode(compressed).decode("ascii").rstrip("=")
    return _PREFIXES["fenz"] + payload


def _encode_url(plain: str) -> str:
    """Return a plain text as it is written in the path of a URL: ``8/8_w_-`` for ``8/8 w -``.

    Characters that a path cannot contain become escapes such as ``%5F``.
    """
    # quote() does not escape "_". Here it stands for a space, so a real underscore must be escaped.
    encoded = quote(plain, safe=_PATH_CHARACTERS + " ", errors="surrogatepass")
    return encoded.replace("_", "%5F").replace(" ", "_")


_ENCODERS: Final[Mapping[str, Callable[[str], str]]] = {
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
    """Decode a text such as ``base64_…``, and return its plain text, or the errors that prevent it.

    No text raises an error. A URL text is only decoded if `form` is ``url``, because ``_`` between the fields
    of other texts is an error. Pass ``form=guess_form(text)`` for a text in any form from the path of a URL.

    Args:
        text: The text in any form.
        form: The form of the text, one of `FORMS`. None detects all forms except ``url``.
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
    _require_names_and_store(names, store)
    position_names = names or {}
    if form is None:
        form = _detect_form(text, position_names)
    if form == "plain":
        return Unwrapped(text, form, text)
    if len(text) > MAX_WRAPPED:
        message = f"the wrapped text has {len(text)} characters, expected at most {MAX_WRAPPED}"
        error = SHARED.make_diagnostic("fen.length", Span(MAX_WRAPPED, len(text)), message)
        return _make_failed_unwrap(text, form, error)
    if form == "name":
        return _unwrap_name(text, position_names)
    if form == "url":
        return _unwrap_url(text)
    if form == "state":
        return _unwrap_state(text, store)
    return _unwrap_encoded(text, form, position_names)


def _make_failed_unwrap(text: str, form: str, *errors: Diagnostic) -> Unwrapped:
    """Return the `Unwrapped` with the errors of a text that cannot be decoded."""
    return Unwrapped(text, form, plain=None, diagnostics=errors)


def has_form_prefix(text: str) -> bool:
    """Return whether a text begins with ``state_``, ``base64_`` or ``fenz_``."""
    return text.startswith(_ALL_PREFIXES)


def _reject_payload(text: str, form: str, form_error: _FormError) -> Unwrapped:
    """Return the `Unwrapped` for a text that cannot be decoded, with one error about its payload.

    The payload is everything after a prefix such as ``base64_``. `form_error` has the code and the message.
    """
    failed = _make_failed_unwrap(text, form)
    error = SHARED.make_diagnostic(form_error.code, failed.payload, form_error.message)
    return replace(failed, diagnostics=(error,))


def _unwrap_name(text: str, names: Mapping[str, str]) -> Unwrapped:
    """Return the `Unwrapped` with the text that a position name, such as ``start``, has in `names`.

    It has an error instead if the name is not in `names`.
    """
    if text in names:
        return Unwrapped(text, "name", names[text])
    message = f"no position has this name, expected one of {', '.join(names) or 'none'}"
    return _reject_payload(text, "name", _FormError("name.unknown", message))


def _unwrap_state(text: str, store: Store | None) -> Unwrapped:
    """Return the `Unwrapped` with the text that `store` has for a ``state_`` identifier.

    It has an error instead if the identifier is malformed, or is not in the store. Without a store, every
    identifier is unknown.
    """
    if not _STATE.fullmatch(text):
        return _reject_payload(text, "state", _MALFORMED["state"])
    entry = None if store is None else store.entry(text)
    if entry is None:
        form_error = _FormError("hash.unknown", f"Unknown state identifier: {text}")
        return _reject_payload(text, "state", form_error)
    return Unwrapped(text, "state", entry.text, game=entry.game)


def _unwrap_encoded(text: str, form: str, names: Container[str]) -> Unwrapped:
    """Return the `Unwrapped` with the plain text that a ``base64_`` or ``fenz_`` text contains.

    It has an error instead if the encoding is malformed, if the content is not UTF-8, or if the content is
    encoded again or is a position name in `names`.
    """
    prefix = _PREFIXES[form]
    decode = _DECODERS[form]
    data = decode(text.removeprefix(prefix)) if text.startswith(prefix) else None
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
    """Return the bytes that a Base64 payload encodes, or None if it is malformed or empty."""
    # Python's decoder ignores surplus padding after complete groups of four, as in `QUJD=`.
    has_whole_groups = len(payload) % _BASE64_GROUP == 0
    if not payload or not has_whole_groups:
        return None
    try:
        return base64.b64decode(payload, validate=True)
    except ValueError:
        return None


def _decode_fenz(payload: str) -> bytes | None:
    """Return the decompressed bytes of a ``fenz_`` payload, or None if it is malformed or too long."""
    if not _BASE64URL.fullmatch(payload):
        return None
    # The payload is written without padding, but Python's decoder requires groups of four characters.
    padding_length = -len(payload) % _BASE64_GROUP
    try:
        return _inflate(base64.urlsafe_b64decode(payload + "=" * padding_length))
    except (ValueError, zlib.error):
        return None


def _inflate(compressed: bytes) -> bytes | None:
    """Return the decompressed bytes of one raw DEFLATE stream.

    The result is None if there are more than `MAX_INFLATED` bytes, or if the stream is incomplete or followed
    by other bytes. Raise `zlib.error` if the stream is corrupt.
    """
    decompressor = zlib.decompressobj(wbits=_RAW_DEFLATE)
    # One byte more than allowed: a stream of exactly the maximum length reaches its end mark, and a longer
    # stream is recognised without inflating all of it.
    data = decompressor.decompress(compressed, MAX_INFLATED + 1)
    is_too_long = len(data) > MAX_INFLATED
    is_whole_stream = decompressor.eof and not decompressor.unused_data
    return data if is_whole_stream and not is_too_long else None


_DECODERS: Final[Mapping[str, Callable[[str], bytes | None]]] = {
    "base64": _decode_base64,
    "fenz": _decode_fenz,
}


def _unwrap_url(text: str) -> Unwrapped:
    """Return the `Unwrapped` with the decoded text of a URL text.

    In such a text, ``_`` is a space and ``%2F`` is a slash. If percent escapes are broken, the result has an
    error for each of them instead, but at most `MAX_DIAGNOSTICS`.
    """
    if "%" not in text:
        # Every character stands for one character.
        return Unwrapped(text, "url", text.replace("_", " "), offsets=range(len(text) + 1))
    decoded_text = ""
    offsets: list[int] = []
    errors: list[Diagnostic] = []
    offset = 0
    while offset < len(text) and len(errors) < MAX_DIAGNOSTICS:
        decoded = _decode_url_character(text, offset)
        next_offset = offset + decoded.source_length
        offsets.append(offset)
        decoded_text += decoded.character
        if decoded.is_broken:
            errors.append(_make_escape_error(text, Span(offset, next_offset)))
        offset = next_offset
    if errors:
        return _make_failed_unwrap(text, "url", *errors)
    return Unwrapped(text, "url", decoded_text, offsets=(*offsets, len(text)))


class _UrlCharacter(NamedTuple):
    """A character of a decoded URL text, and the number of characters that encode it."""

    character: str
    """The character, or an empty text for a broken escape."""
    source_length: int

    @property
    def is_broken(self) -> bool:
        """Whether the escape is not that of a character, such as ``%G1``."""
        return not self.character


def _decode_url_character(text: str, offset: int) -> _UrlCharacter:
    """Decode the character at `offset` of a URL text: ``é`` from the 6 characters ``%C3%A9``."""
    if text[offset] == "_":
        return _UrlCharacter(" ", 1)
    if text[offset] != "%":
        return _UrlCharacter(text[offset], 1)
    lead_bytes = _read_escaped_bytes(text, offset, 1)
    if not lead_bytes:
        # The broken escape ends before the next percent sign.
        after_percent = text[offset + 1 : offset + _ESCAPE_LENGTH]
        broken_digits, _, _ = after_percent.partition("%")
        return _UrlCharacter("", 1 + len(broken_digits))
    byte_count = _count_utf8_bytes(lead_bytes[0])
    try:
        character = _read_escaped_bytes(text, offset, byte_count).decode("utf-8")
    except UnicodeDecodeError:
        character = ""
    if not character:
        return _UrlCharacter("", _ESCAPE_LENGTH)
    return _UrlCharacter(character, _ESCAPE_LENGTH * byte_count)


def _count_utf8_bytes(lead_byte: int) -> int:
    """Return the number of bytes, 1 to 4, of a UTF-8 character whose first byte is `lead_byte`.

    The result is 1 for a byte that begins no character.
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
    """Return the bytes that `count` percent escapes, such as ``%C3%A9``, encode at `offset`.

    Return no bytes if fewer than `count` escapes follow each other there.
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
