"""What axe-core finds on a page."""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

SCRIPT = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = "(place) => axe.run(place, { resultTypes: ['violations'] }).then((answer) => answer.violations)"


def violations(page: Page, place: str = "html") -> list[str]:
    """Each finding in a part of the page: the rule, how bad it is, what it says, and the first places."""
    page.evaluate(SCRIPT)
    return [
        f"{one['id']} ({one['impact']}): {one['help']}; {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in page.evaluate(RUN, place)
    ]
