"""What servers and programs call the variants of chess in the tag `Variant` of a record.

Names are compared in small letters, without blanks and signs, with numbers as digits, and without the word
chess in them; a variant's own name need not be listed.
"""

from __future__ import annotations

from typing import Final

_STANDARD: Final = ("classical", "classic", "normal", "orthodox", "regular")
_CHESS960: Final = (
    *("960", "fischerandom", "fischerrandom", "fischer", "frc", "freestyle", "9lx", "wildfr"),
    *("fischerandom960", "fischerrandom960", "freestyle960", "960fischerandom", "960fischerrandom"),
)
_CRAZYHOUSE: Final = ("house", "zh")
_THREE_CHECK: Final = ("3checks",)

VARIANT_NAMES: Final = {
    name: variant
    for variant, names in (
        ("standard", _STANDARD),
        ("chess960", _CHESS960),
        ("crazyhouse", _CRAZYHOUSE),
        ("3check", _THREE_CHECK),
    )
    for name in names
}
"""The other names of each variant."""
