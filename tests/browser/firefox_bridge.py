"""Starts Firefox and stands between it and Playwright, which speak WebDriver BiDi with each other.

Everything is passed on. What Playwright asks for and this Firefox does not know yet is answered here: that it
was done. Colours then are those of the system. Playwright finds the address in what the program says, as it
does with a browser.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from typing import Any, Final

from tests.browser.firefox import firefox
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

UNKNOWN: Final = frozenset(("emulation.setMediaFeaturesOverride",))
"""Commands that Playwright sends and the Firefox of Debian does not have."""

LISTENS: Final = "WebDriver BiDi listening on "

OPTIONS: Final[Mapping[str, Any]] = {"max_size": None, "ping_interval": None, "open_timeout": 60}
"""How both connections are made: messages of any size, and time for a busy machine."""


async def bridge(path: str, arguments: list[str]) -> None:
    """Run Firefox until it ends, and listen for Playwright in its place."""
    browser = await asyncio.create_subprocess_exec(path, *arguments, stderr=asyncio.subprocess.PIPE)
    assert browser.stderr is not None
    address = await _address(browser.stderr)

    async def session(page: ServerConnection) -> None:
        assert page.request is not None
        async with connect(address + page.request.path, **OPTIONS) as there:
            answers = asyncio.create_task(_pass_back(there, page))
            await _pass_on(page, there)
            await there.close()
            await answers

    async with serve(session, "127.0.0.1", 0, **OPTIONS) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"{LISTENS}ws://127.0.0.1:{port}", file=sys.stderr, flush=True)
        while await browser.stderr.readline():
            pass
        await browser.wait()


async def _address(said: asyncio.StreamReader) -> str:
    while line := await said.readline():
        if found := re.search(rf"{LISTENS}(ws://\S+)", line.decode()):
            return found[1]
    raise RuntimeError("Firefox ended before it listened")


async def _pass_on(page: ServerConnection, there: ClientConnection) -> None:
    async for message in page:
        command = json.loads(message)
        if command["method"] in UNKNOWN:
            await page.send(json.dumps({"type": "success", "id": command["id"], "result": {}}))
        else:
            await there.send(message)


async def _pass_back(there: ClientConnection, page: ServerConnection) -> None:
    async for message in there:
        await page.send(message)
    await page.close()


if __name__ == "__main__":
    found = firefox()
    assert found is not None
    asyncio.run(bridge(found, sys.argv[1:]))
