"""Audit the licences of every distribution that the extras of Forsyth install, from the installed metadata.

Exit with one line for each distribution whose licence is not allowed, and for each that is not installed.
Only tests and benchmarks may use libraries under the GPL: no extra may require one.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    # Only psycopg has it. It is imported unchanged and can be replaced, as the LGPL requires.
    "LGPL-3.0-only",
    "MIT",
    "MPL-2.0",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}
# SPDX identifiers of the licence names, in lower case, of distributions without an SPDX expression.
SPDX_IDS = {
    "3-clause bsd license": "BSD-3-Clause",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "bsd license": "BSD-3-Clause",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "http://www.apache.org/licenses/license-2.0": "Apache-2.0",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
}
# Licences of distributions whose metadata names none, read from the licence file in each.
LICENCES_FROM_FILES = {"resvg-py": "MIT"}


def required_names(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """Yield the names of a distribution and of everything it requires here, directly or not.

    Pairs of name and extras in `seen` are skipped, and new ones are added to it.
    """
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    yield name
    try:
        requirements = distribution(name).requires or []
    except PackageNotFoundError:
        return
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from required_names(
                canonicalize_name(requirement.name), frozenset(requirement.extras), seen
            )


def read_licences(package: Distribution) -> list[str]:
    """Return the licences in the metadata of a distribution, as SPDX expressions where these are known.

    The field `License-Expression` comes before the classifiers, and these before the field `License`.
    """
    metadata = package.metadata
    if metadata.get("License-Expression"):
        return [metadata["License-Expression"]]
    classifiers = [entry for entry in metadata.get_all("Classifier", []) if entry.startswith("License ::")]
    names = [entry.rpartition(" :: ")[2] for entry in classifiers if not entry.endswith("OSI Approved")]
    names = names or [metadata.get("License", "").split("\n")[0]]
    return [SPDX_IDS.get(name.strip().lower(), name.strip()) for name in names]


def is_allowed(expression: str) -> bool:
    """Return True if the terms of an SPDX expression can be met with allowed licences."""
    if "AND" not in expression and " OR " in expression:
        return any(licence.strip("() ") in ALLOWED for licence in expression.split(" OR "))
    parts = re.split(r"\s+(?:AND|OR)\s+", re.sub(r"[()]", "", expression))
    return all(part.partition(" WITH ")[0] in ALLOWED for part in parts)


def licence_error(name: str) -> str | None:
    """Return a sentence if a distribution is missing or its licence is not allowed, else None."""
    try:
        licences = (
            [LICENCES_FROM_FILES[name]] if name in LICENCES_FROM_FILES else read_licences(distribution(name))
        )
    except PackageNotFoundError:
        return f"{name} is not installed. Run `make test` first: it installs every extra."
    if all(map(is_allowed, licences)):
        return None
    named = ", ".join(filter(None, licences)) or "a licence that its metadata does not name"
    return f"{name} has {named}, which is not allowed in an extra."


def main() -> None:
    """Audit every distribution, and exit with all errors if there are any."""
    names = sorted(set(required_names("forsyth", frozenset({"all"}), set())))
    errors = [error for error in map(licence_error, names) if error]
    if errors:
        sys.exit("\n".join(errors))
    sys.stdout.write(f"The licences of {len(names)} distributions are allowed.\n")


if __name__ == "__main__":
    main()
