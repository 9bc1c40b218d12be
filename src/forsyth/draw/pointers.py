"""Arrows, circles and highlights as people write them: places of a picture with a colour.

Accepts
    ``e2e4``, ``e2-e4``, ``e2e4:red``; of circles and highlights ``e4`` and ``e4:red``. The same as tuples,
    ``("e2", "e4", "red")``, and as the arrows and circles that comments of records hold. A colour is one of
    `COLOURS`, its letter as records have it (``G``), or ``#rrggbb``. Without one it is the usual one.
Writes
    `Pointer` and `Ring` of a scene, and the colours that its palette needs.
Limits
    `MOST` of each. A place that the picture does not have, and a colour that does not exist, are refused by
    name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final, Protocol

from forsyth.arguments import no_choice, quoted, type_of
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
"""The colours that can be named, the usual one of arrows and circles first."""
USUAL: Final = "green"
HIGHLIGHT: Final = "yellow"
"""The usual colour of highlights."""
LETTERS: Final = {name[0].upper(): name for name in COLOURS}
"""The letters of colours in the comments of records."""

MOST: Final = 256
"""Most arrows, circles or highlights of a picture: more than a board has squares, few enough to be small."""

_ROLE: Final = "drawn-"
_BETWEEN: Final = "-"


class ArrowValue(Protocol):
    """An arrow as a comment of a record holds it."""

    @property
    def origin(self) -> str:
        """Where it begins."""

    @property
    def target(self) -> str:
        """Where it ends."""

    @property
    def colour(self) -> str:
        """The letter of its colour."""


class CircleValue(Protocol):
    """A circle as a comment of a record holds it."""

    @property
    def square(self) -> str:
        """What it surrounds."""

    @property
    def colour(self) -> str:
        """The letter of its colour."""


ArrowLike = str | tuple[str, ...] | ArrowValue
CircleLike = str | tuple[str, ...] | CircleValue


def read_arrows(given: Iterable[ArrowLike], places: Iterable[str]) -> tuple[Pointer, ...]:
    """Arrows between places of a picture; raises `ValueError` for one that is none."""
    known = frozenset(places)
    return tuple(_arrow(one, known) for one in _bounded("arrows", given))


def read_circles(given: Iterable[CircleLike], places: Iterable[str]) -> tuple[Ring, ...]:
    """Circles around places of a picture; raises `ValueError` for one that is none."""
    known = frozenset(places)
    return tuple(_circle("circle", one, known, USUAL) for one in _bounded("circles", given))


def read_highlights(
    given: Mapping[str, str] | Iterable[CircleLike], places: Iterable[str]
) -> Mapping[str, str]:
    """Places of a picture with the roles of their tints, given as a mapping to colours or as circles are."""
    known = frozenset(places)
    several = given.items() if isinstance(given, Mapping) else given
    found = (_circle("highlight", one, known, HIGHLIGHT) for one in _bounded("highlights", several))
    return {ring.cell: ring.role for ring in found}


def palette_of(roles: Iterable[str]) -> dict[str, Colour]:
    """The colours of the roles that were handed out here."""
    return {role: _shades(role.removeprefix(_ROLE)) for role in roles}


def _shades(colour: str) -> Colour:
    return COLOURS.get(colour) or Colour(colour, colour)


def _bounded(what: str, given: Iterable[Any]) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{what} are several values, not {type_of(given)}")
    found = list(islice(given, MOST + 1))
    if len(found) > MOST:
        raise ValueError(f"a picture has at most {MOST} {what}")
    return found


def _arrow(given: Any, places: frozenset[str]) -> Pointer:
    if isinstance(given, str):
        text, colour = _coloured(given, USUAL)
        origin, target = _ends(text, places)
        return Pointer(origin, target, _role(colour))
    if isinstance(given, tuple) and len(given) in (2, 3):
        origin, target = _place(given[0], places), _place(given[1], places)
        return Pointer(origin, target, _role(*given[2:]))
    if hasattr(given, "origin") and hasattr(given, "target"):
        origin, target = _place(given.origin, places), _place(given.target, places)
        return Pointer(origin, target, _role(given.colour))
    raise TypeError(f"an arrow is expected, such as 'e2e4:green', not {quoted(given)}")


def _circle(what: str, given: Any, places: frozenset[str], usual: str) -> Ring:
    if isinstance(given, str):
        text, colour = _coloured(given, usual)
        return Ring(_place(text, places), _role(colour))
    if isinstance(given, tuple) and len(given) in (1, 2):
        return Ring(_place(given[0], places), _role(*(given[1:] or (usual,))))
    if hasattr(given, "square") and hasattr(given, "colour"):
        return Ring(_place(given.square, places), _role(given.colour))
    raise TypeError(f"a {what} is expected, such as 'e4:{usual}', not {quoted(given)}")


def _coloured(text: str, usual: str) -> tuple[str, str]:
    where, colon, colour = text.rpartition(":")
    return (where, colour) if colon else (text, usual)


def _ends(text: str, places: frozenset[str]) -> tuple[str, str]:
    halves = ((text[:at], text[at:].removeprefix(_BETWEEN)) for at in range(1, len(text)))
    found = [(origin, target) for origin, target in halves if origin in places and target in places]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{quoted(text)} can be read as several arrows; write FROM{_BETWEEN}TO")
    raise ValueError(f"{quoted(text)} is no arrow between two places of the picture, FROM{_BETWEEN}TO")


def _place(name: object, places: frozenset[str]) -> str:
    if isinstance(name, str) and name in places:
        return name
    raise ValueError(f"the picture has no place {quoted(name)}")


def _role(colour: object = USUAL) -> str:
    """The palette role of a colour: its name, or what it is."""
    if isinstance(colour, str):
        name = LETTERS.get(colour, colour)
        if name in COLOURS or HEX_COLOUR.fullmatch(name):
            return f"{_ROLE}{name}"
    raise no_choice("colour", colour, (*COLOURS, "#rrggbb"))
