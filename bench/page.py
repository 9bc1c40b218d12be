"""Measure the page: from the click that makes a move to the painted board, and what takes the time.

The service runs in a process of its own, the page in Chromium. In each game some moves are made by clicks.
The timers of the browser measure the time of the click, the duration of the request, and the time when the
new board was painted. Required are a median of at most `MAX_MILLISECONDS` and at most one request for each
move. The exit status is 0 if both requirements are met, else 1. Other load on the machine makes the figures
higher, so the process time of the service for one view is printed as well.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from time import process_time
from typing import Final

from playwright.sync_api import sync_playwright
from tests.browser.chromium import ARGUMENTS, executable
from tests.browser.desk import Desk
from tests.browser.service import Service
from tests.server.serving import serving

from bench.report import format_table
from forsyth.match import Match
from forsyth.registry import games
from forsyth.server.json_responses import encode_json
from forsyth.server.views import DrawOptions, build_match_view

MAX_MILLISECONDS: Final = 50.0
"""Maximum of the median time from click to paint in a game."""
MOVES: Final = 8
QUICK_MOVES: Final = 4
VIEW_REPEATS: Final = 10

WATCH_SCRIPT: Final = """() => {
    window.seen = [];
    let begun = null;
    addEventListener("pointerup", (event) => {
        begun = event.timeStamp;
        performance.clearResourceTimings();
    }, true);
    new MutationObserver((changes) => {
        const added = changes.flatMap((change) => [...change.addedNodes]);
        if (begun === null || !added.some((node) => node.querySelector?.("[data-square]"))) return;
        const since = begun;
        begun = null;
        const drawn = performance.now();
        requestAnimationFrame(() => {
            const channel = new MessageChannel();
            // A message that is sent in a frame comes after it was painted.
            channel.port1.onmessage = () => {
                const loaded = performance.getEntriesByType("resource");
                const asked = loaded.filter(({ name }) => name.includes("/api/"));
                const last = asked[asked.length - 1];
                window.seen.push({
                    total: performance.now() - since,
                    asked: asked.length,
                    before: last ? last.startTime - since : 0,
                    service: last ? last.responseEnd - last.startTime : 0,
                    page: drawn - (last ? last.responseEnd : since),
                    paint: performance.now() - drawn,
                });
            };
            channel.port2.postMessage(null);
        });
    }).observe(document.querySelector("[role=application]"), { childList: true, subtree: true });
}"""


def _measure_moves(desk: Desk, game: str, length: int) -> list[dict[str, float]]:
    """Play `length` moves of a game by clicks. Return the times of each move except the first."""
    moves = desk.service.line(game, length)
    desk.open_board("/play", game=game)
    desk.page.evaluate(WATCH_SCRIPT)
    for count, move in enumerate(moves, 1):
        desk.play(move)
        desk.page.wait_for_function("count => window.seen.length >= count", arg=count)
    # The first move is slower: browser and service have not compiled or cached anything yet.
    return list(desk.page.evaluate("window.seen"))[1:]


def _measure_view(game: str) -> tuple[float, int]:
    """Return the milliseconds of process time for one view of a game, and its size in bytes."""
    match = Match(game)
    begin = process_time()
    for _ in range(VIEW_REPEATS):
        view = build_match_view(match, DrawOptions("light"))
    return (process_time() - begin) / VIEW_REPEATS * 1000, len(encode_json(view))


def main() -> int:
    """Measure every game and print a table. Return 0 if every requirement is met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="Measure fewer moves.")
    parser.add_argument("--json", action="store_true", help="Print JSON instead of a table.")
    parser.add_argument("--game", action="append", help="Measure only this game. May be repeated.")
    options = parser.parse_args()
    rows, figures = [], {}
    with serving() as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        page = browser.new_page(
            base_url=running.address, viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
        )
        desk = Desk(page, Service(running.address))
        for game in options.game or games():
            moves = _measure_moves(desk, game, QUICK_MOVES if options.quick else MOVES)
            median = {key: statistics.median(move[key] for move in moves) for key in moves[0]}
            requests = max(move["asked"] for move in moves)
            view_milliseconds, size = _measure_view(game)
            figures[game] = {**median, "asked": requests, "view": view_milliseconds, "bytes": size}
            parts = [f"{median[key]:.0f}" for key in ("total", "before", "service", "page", "paint")]
            rows.append([game, *parts, f"{requests:.0f}", f"{view_milliseconds:.1f}", f"{size // 1000}"])
        browser.close()
    is_met = all(figure["total"] <= MAX_MILLISECONDS and figure["asked"] <= 1 for figure in figures.values())
    if options.json:
        print(json.dumps({"figures": figures, "met": is_met}, indent=2))
    else:
        header = ["game", "click to paint", "to the request", "response", "drawing", "painting", "requests"]
        print(format_table([[*header, "view, process time", "kB"], *rows], left={0}))
        print(
            "All times are median milliseconds. The requirement of at most",
            f"{MAX_MILLISECONDS:.0f} ms and one request is {'met' if is_met else 'not met'}.",
        )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
