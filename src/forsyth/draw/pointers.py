"""Arrows, circles and highlights in the forms that callers use: places of a picture with a colour.

Input: an arrow is ``e2e4``, ``e2-e4`` or ``e2e4:red``; a circle or highlight is ``e4`` or ``e4:red``. Tuples
are accepted too, such as ``("e2", "e4", "red")``, and so are the arrows and circles of comments in records. A
colour is one of `COLOURS`, its letter in records (``G``), or ``#rrggbb``. If the colour is left out, the
default applies.

Output: `Pointer` and `Ring` of a scene, and the colours that its palette needs.

Limits: at most `MAX_POINTERS` of each. A place that the picture does not have, or an unknown colour, raises
`ValueError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final, Protocol

from forsyth.arguments import quoted, type_name, unknown_choice_error
from forsyth.draw.sheet import HEX_COLOUR
from forsyth.scene import Colour, Pointer, Ring

COLOURS: Final[Mapping[str, Colour]] = {
    "green": Colour("#2f7d32", "#2f8a35"),
    "red": Colour("#c4262e", "#d8322f"),
    "blue": Colour("#1f6fc4", "#2f7fd8"),
    "yellow": Colour("#dfa800", "#e8b923"),
    "orange": Colour("#e07a1f", "#ea8a2e"),
    "purple": Colour("#7b3fa0", "#9657bb"),
}
"""The colours that have a name, the default one of arrows and circles first."""
DEFAULT_COLOUR: Final = "green"
"""The default colour of arrows and circles."""
DEFAULT_HIGHLIGHT: Final = "yellow"
"""The default colour of highlights."""
COLOUR_LETTERS: Final = {name[0].upper(): name for name in COLOURS}
"""The name of a colour for each letter in the comments of records."""

MAX_POINTERS: Final = 256
"""Maximum number of arrows, circles or highlights of a picture: more than the squares of any board."""

_ROLE_PREFIX: Final = "drawn-"
"""The beginning of the palette roles of this module, which are followed by the colour."""
_ARROW_SEPARATOR: Final = "-"
"""The optional character between the two places of an arrow."""


class ArrowValue(Protocol):
    """An arrow of a comment in a record."""

    @property
    def origin(self) -> str:
        """The place where the arrow begins."""

    @property
    def target(self) -> str:
        """The place where the arrow ends."""

    @property
    def colour(self) -> str:
        """The letter of the colour."""


class CircleValue(Protocol):
    """A circle of a comment in a record."""

    @property
    def square(self) -> str:
        """The place that the circle surrounds."""

    @property
    def colour(self) -> str:
        """The letter of the colour."""


ArrowLike = str | tuple[str, ...] | ArrowValue
"""Any form of an arrow."""
CircleLike = str | tuple[str, ...] | CircleValue
"""Any form of a circle or highlight."""


def read_arrows(arrows: Iterable[ArrowLike], places: Iterable[str]) -> tuple[Pointer, ...]:
    """Parse arrows such as ``e2e4:red``. Return them as a scene stores them: origin, target and colour.

    Args:
        arrows: Texts, tuples such as ``("e2", "e4", "red")``, or arrows of comments in records.
        places: The ids of all cells of the picture.

    Raises:
        TypeError: If an arrow has the wrong type.
        ValueError: If a place or colour is unknown, or there are more than `MAX_POINTERS` arrows.
    """
    known_places = frozenset(places)
    return tuple(_read_arrow(arrow, known_places) for arrow in _list_pointers("arrows", arrows))


def read_circles(circles: Iterable[CircleLike], places: Iterable[str]) -> tuple[Ring, ...]:
    """Parse circles such as ``e4:red``. Return them as a scene stores them: cell and colour.

    Args:
        circles: Texts, tuples such as ``("e4", "red")``, or circles of comments in records.
        places: The ids of all cells of the picture.

    Raises:
        TypeError: If a circle has the wrong type.
        ValueError: If a place or colour is unknown, or there are more than `MAX_POINTERS` circles.
    """
    known_places = frozenset(places)
    return tuple(
        _read_circle("circle", circle, known_places, DEFAULT_COLOUR)
        for circle in _list_pointers("circles", circles)
    )


def read_highlights(
    highlights: Mapping[str, str] | Iterable[CircleLike], places: Iterable[str]
) -> Mapping[str, str]:
    """Parse highlights. Return the palette role (the name of a colour in a scene) of each place.

    ``["e4:yellow"]`` and ``{"e4": "yellow"}`` both give ``{"e4": "drawn-yellow"}``.

    Args:
        highlights: A mapping from places to colours, or highlights in the forms of circles.
        places: The ids of all cells of the picture.

    Raises:
        TypeError: If a highlight has the wrong type.
        ValueError: If a place or colour is unknown, or there are too many highlights.
    """
    known_places = frozenset(places)
    values = highlights.items() if isinstance(highlights, Mapping) else highlights
    rings = (
        _read_circle("highlight", value, known_places, DEFAULT_HIGHLIGHT)
        for value in _list_pointers("highlights", values)
    )
    return {ring.cell: ring.role for ring in rings}


def make_palette(roles: Iterable[str]) -> dict[str, Colour]:
    """Return the palette of a scene for roles such as ``drawn-red`` and ``drawn-#c4262e``."""
    return {role: _get_shades(role.removeprefix(_ROLE_PREFIX)) for role in roles}


def _get_shades(name: str) -> Colour:
    """Return the shades of a colour, such as ``red``, on light and on dark pages.

    A colour of the form ``#rrggbb`` has the same shade on both.
    """
    return COLOURS[name] if name in COLOURS else Colour(light=name, dark=name)


def _list_pointers(label: str, values: Iterable[Any]) -> list[Any]:
    """Return the arrows, circles or highlights of a caller as a list of at most `MAX_POINTERS`.

    `label` is the word for them in messages, such as ``arrows``. Raise `TypeError` if `values` is a string or
    not iterable, and `ValueError` if there are too many.
    """
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{label} is of type {type_name(values)}, expected a list of {label}")
    # One more than allowed is enough to notice, and an endless iterable must not fill the memory.
    pointers = list(islice(values, MAX_POINTERS + 1))
    if len(pointers) > MAX_POINTERS:
        raise ValueError(f"there are too many {label}, expected at most {MAX_POINTERS} {label} in a picture")
    return pointers


def _read_arrow(arrow: Any, places: frozenset[str]) -> Pointer:
    """Parse one arrow. Return its origin, target and colour as a scene stores them.

    An arrow is a text such as ``e2e4:red``, a tuple such as ``("e2", "e4", "red")``, or an arrow of a comment
    in a record. Raise `TypeError` for another type, and `ValueError` if the origin or target is not one of
    `places` or the colour is unknown.
    """
    if isinstance(arrow, str):
        squares, colour = _split_colour(arrow, DEFAULT_COLOUR)
        origin, target = _split_arrow(squares, places)
        return Pointer(origin, target, _make_palette_role(colour))
    if isinstance(arrow, tuple) and len(arrow) in (2, 3):
        origin, target, colour = arrow if len(arrow) == 3 else (*arrow, DEFAULT_COLOUR)
    elif hasattr(arrow, "origin") and hasattr(arrow, "target"):
        origin, target, colour = arrow.origin, arrow.target, arrow.colour
    else:
        raise TypeError(
            f"{quoted(arrow)} is not an arrow, expected a text such as 'e2e4:{DEFAULT_COLOUR}' "
            f"or a tuple such as ('e2', 'e4', '{DEFAULT_COLOUR}')"
        )
    return Pointer(_require_place(origin, places), _require_place(target, places), _make_palette_role(colour))


def _read_circle(label: str, circle: Any, places: frozenset[str], default_colour: str) -> Ring:
    """Parse one circle or highlight. Return its place and colour as a scene stores them.

    A circle is a text such as ``e4:red``, a tuple such as ``("e4", "red")``, or a circle of a comment in a
    record. `label` is the word for it in messages. Raise `TypeError` for another type, and `ValueError` if
    the place is not one of `places` or the colour is unknown.
    """
    if isinstance(circle, str):
        place, colour = _split_colour(circle, default_colour)
    elif isinstance(circle, tuple) and len(circle) in (1, 2):
        place, colour = circle if len(circle) == 2 else (*circle, default_colour)
    elif hasattr(circle, "square") and hasattr(circle, "colour"):
        place, colour = circle.square, circle.colour
    else:
        raise TypeError(
            f"{quoted(circle)} is not a {label}, expected a text such as 'e4:{default_colour}' "
            f"or a tuple such as ('e4', '{default_colour}')"
        )
    return Ring(_require_place(place, places), _make_palette_role(colour))


def _split_colour(text: str, default_colour: str) -> tuple[str, str]:
    """Split a text such as ``e4:red`` or ``e2e4:red`` into the places before the colon and the colour.

    Without a colon, the colour is `default_colour`.
    """
    places_text, colon, colour = text.rpartition(":")
    return (places_text, colour) if colon else (text, default_colour)


def _split_arrow(text: str, places: frozenset[str]) -> tuple[str, str]:
    """Split a text such as ``e2e4`` or ``e2-e4`` into the origin and the target of an arrow.

    Raise `ValueError` if the text does not consist of two of `places`, or can be split in several ways.
    """
    # The names of places differ in length (``a1``, ``a10``), so every way to split the text is tried.
    matches: list[tuple[str, str]] = []
    for split_index in range(1, len(text)):
        origin = text[:split_index]
        target = text[split_index:].removeprefix(_ARROW_SEPARATOR)
        if origin in places and target in places:
            matches.append((origin, target))
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ValueError(f"{quoted(text)} can be read as several arrows; write FROM{_ARROW_SEPARATOR}TO")
    raise ValueError(
        f"{quoted(text)} is not an arrow between two places of the picture, expected FROM{_ARROW_SEPARATOR}TO"
    )


def _require_place(name: object, places: frozenset[str]) -> str:
    """Return `name` unchanged. Raise `ValueError` if it is not one of `places`."""
    if isinstance(name, str) and name in places:
        return name
    example = f", expected one such as {min(places)}" if places else ""
    raise ValueError(f"the picture has no place {quoted(name)}{example}")


def _make_palette_role(colour: object) -> str:
    """Return the palette role of a colour, such as ``drawn-red``.

    A colour is a name such as ``red``, its letter in records such as ``R``, or ``#rrggbb``. Raise
    `ValueError` if there is no such colour.
    """
    if isinstance(colour, str):
        name = COLOUR_LETTERS.get(colour, colour)
        if name in COLOURS or HEX_COLOUR.fullmatch(name):
            return f"{_ROLE_PREFIX}{name}"
    raise unknown_choice_error("colour", colour, (*COLOURS, "#rrggbb"))
