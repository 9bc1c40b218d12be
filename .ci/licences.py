"""Audits the licences of everything that the extras of Forsyth install, by its metadata, in this environment.

Fails with one line for each distribution whose licence is not allowed, and for each that is missing.
Libraries under the GPL are for tests and benchmarks alone: none may be reached from an extra.
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
    # Of psycopg alone: it is imported as it is and can be replaced, which is what the LGPL asks for.
    "LGPL-3.0-only",
    "MIT",
    "MPL-2.0",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}
# How distributions that name no SPDX expression call these licences, in lower case.
NAMES = {
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
# Distributions whose metadata names no licence: what the licence file in them says.
READ = {"resvg-py": "MIT"}


def reached(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[str]:
    """The names of a distribution and of all that it installs here."""
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    yield name
    try:
        needs = distribution(name).requires or []
    except PackageNotFoundError:
        return
    for requirement in map(Requirement, needs):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield from reached(canonicalize_name(requirement.name), frozenset(requirement.extras), seen)


def licences(found: Distribution) -> list[str]:
    """What a distribution says of itself, the most exact first: one expression, or names."""
    facts = found.metadata
    if facts.get("License-Expression"):
        return [facts["License-Expression"]]
    classifiers = [one for one in facts.get_all("Classifier", []) if one.startswith("License ::")]
    names = [one.rpartition(" :: ")[2] for one in classifiers if not one.endswith("OSI Approved")]
    named = names or [facts.get("License", "").split("\n")[0]]
    return [NAMES.get(one.strip().lower(), one.strip()) for one in named]


def allowed(expression: str) -> bool:
    """Whether an SPDX expression asks for nothing but licences that are allowed."""
    if "AND" not in expression and " OR " in expression:
        return any(one.strip("() ") in ALLOWED for one in expression.split(" OR "))
    parts = re.split(r"\s+(?:AND|OR)\s+", re.sub(r"[()]", "", expression))
    return all(part.partition(" WITH ")[0] in ALLOWED for part in parts)


def verdict(name: str) -> str | None:
    """What is wrong with a distribution, or None."""
    try:
        said = [READ[name]] if name in READ else licences(distribution(name))
    except PackageNotFoundError:
        return f"{name} is not installed here: run `make test` first, which installs every extra."
    if all(map(allowed, said)):
        return None
    named = ", ".join(filter(None, said)) or "no licence that it names"
    return f"{name} is under {named}, which is not allowed in an extra."


def main() -> None:
    """Audit everything, and end with all that is wrong."""
    names = sorted(set(reached("forsyth", frozenset({"all"}), set())))
    faults = [fault for fault in map(verdict, names) if fault]
    if faults:
        sys.exit("\n".join(faults))
    sys.stdout.write(f"The licences of {len(names)} distributions are allowed.\n")


if __name__ == "__main__":
    main()
