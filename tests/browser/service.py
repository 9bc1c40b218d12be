"""The service as the page sees it, asked directly: what a test compares the page with."""

from __future__ import annotations

import json
from typing import Any
from urllib.request import Request, urlopen


class Service:
    """The HTTP API at an address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get(self, path: str) -> Any:
        return self._ask(Request(f"{self.address}/api/v1{path}"))

    def post(self, path: str, **body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        return self._ask(Request(f"{self.address}/api/v1{path}", json.dumps(body).encode(), headers))

    def delete(self, path: str) -> Any:
        return self._ask(Request(f"{self.address}/api/v1{path}", method="DELETE"))

    def match(self, game: str, *moves: str, start: str | None = None) -> Any:
        """The match view after these moves."""
        return self.post("/match", game=game, moves=list(moves), **({"start": start} if start else {}))

    def read(self, text: str) -> Any:
        return self.post("/read", text=text)

    def line(self, game: str, length: int) -> list[Any]:
        """Moves to play from the start, each the only one of its piece between its two places."""
        played: list[Any] = []
        while len(played) < length:
            view = self.match(game, *(move["move"] for move in played))
            played.append(plain_move(view["moves"]))
        return played

    def empty_library(self) -> None:
        while found := self.get("/library?limit=100")["positions"]:
            for saved in found:
                self.delete(f"/library/{saved['id']}")

    @staticmethod
    def _ask(request: Request) -> Any:
        with urlopen(request, timeout=60) as answer:
            content = answer.read()
        return json.loads(content) if content else None


def plain_move(moves: list[Any]) -> Any:
    """A move that two clicks say completely."""

    def ends(move: Any) -> tuple[Any, ...]:
        return move["from"], move["to"], move["piece"]

    kinds = [ends(move) for move in moves]
    return next(move for move in moves if move["from"] and move["to"] and kinds.count(ends(move)) == 1)
