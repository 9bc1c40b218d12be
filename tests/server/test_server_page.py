"""What the page lives on: compressed answers, what stands where as data, looks."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import forsyth
from forsyth.abilities import Looks
from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

BASE = "/api/v1"
GZIP = {"Accept-Encoding": "gzip"}
PLAIN = {"Accept-Encoding": "identity"}
SVG = "{http://www.w3.org/2000/svg}"
MOST_OF_A_MOVE = 14_000
"""Bytes of a move on the wire; a CoTuLenh move was 65 kB before answers were compressed."""

every_game = pytest.mark.parametrize("name", forsyth.games())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), MemoryStore()), base_url="http://localhost") as found:
        yield found


def match_of(client: TestClient, name: str, headers: dict[str, str]) -> Any:
    return client.post(f"{BASE}/match", json={"game": name, "theme": "light"}, headers=headers)


@every_game
def test_a_move_is_small_on_the_wire(client: TestClient, name: str) -> None:
    whole, packed = match_of(client, name, PLAIN), match_of(client, name, GZIP)
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert int(packed.headers["content-length"]) < min(MOST_OF_A_MOVE, len(whole.content) / 3)
    assert packed.json() == whole.json()


def test_who_does_not_ask_for_it_gets_nothing_compressed(client: TestClient) -> None:
    assert "content-encoding" not in match_of(client, "chess", PLAIN).headers


def test_what_is_small_or_compressed_already_stays_as_it_is(client: TestClient) -> None:
    assert "content-encoding" not in client.get(f"{BASE}/healthz", headers=GZIP).headers
    drawing = client.get(f"{BASE}/draw.png", params={"text": "start", "game": "chess"}, headers=GZIP)
    assert drawing.headers["content-type"] == "image/png"
    assert "content-encoding" not in drawing.headers


def test_the_page_itself_is_compressed(client: TestClient) -> None:
    page = client.get("/", headers=GZIP).text
    script = page.split('src="')[1].split('"')[0]
    assert client.get(script, headers=GZIP).headers["content-encoding"] == "gzip"


@every_game
def test_the_scene_says_what_stands_where_as_the_drawing_shows_it(client: TestClient, name: str) -> None:
    view = match_of(client, name, PLAIN).json()
    said = {
        cell["id"]: [token["symbol"] for token in cell.get("tokens", ())]
        for area in view["scene"]["areas"]
        for cell in area["cells"]
    }
    drawn = {
        cell.get("data-square"): [token.get("data-token") for token in cell.findall("*[@data-token]")]
        for cell in ET.fromstring(view["svg"]).iter(f"{SVG}g")
        if cell.get("data-square")
    }
    assert said == drawn
    assert any(said.values())


@every_game
def test_every_look_of_a_game_can_be_asked_for(client: TestClient, name: str) -> None:
    game = forsyth.game(name)
    looks = client.get(f"{BASE}/games/{name}").json()["looks"]
    assert looks == (list(game.looks) if isinstance(game, Looks) else [])
    drawn = set()
    for look in looks:
        body = {"game": name, "text": game.start, "look": look}
        read = client.post(f"{BASE}/read", json=body).json()["position"]["svg"]
        match = client.post(f"{BASE}/match", json={"game": name, "look": look}).json()["svg"]
        edit = client.post(f"{BASE}/edit", json=body).json()
        assert match == edit["position"]["svg"] == read
        drawn |= {match, edit["palette"][0]["svg"]}
    assert len(drawn) == 2 * len(looks)


@every_game
def test_a_look_that_no_game_has_is_refused(client: TestClient, name: str) -> None:
    for path, body in (("/match", {}), ("/read", {"text": "start"}), ("/edit", {"text": "start"})):
        answer = client.post(f"{BASE}{path}", json={"game": name, "look": "clouds", **body})
        assert answer.status_code == 400
        assert answer.json()["code"] == "UNKNOWN_LOOK"


# --- records --------------------------------------------------------------------------------------------

ANNOTATED = """[Event "A \\"game\\""]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]
[ECO "C20"]

{Before all} 1. e4 $1 {Best} (1. d4 d5 (1... Nf6 $5 {Indian} 2. c4) 2. c4) 1... e5 2. Nf3 1-0
"""


def post(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(BASE + path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_record_is_read_whole_and_written_again(client: TestClient) -> None:
    read = post(client, "/record/read", record=ANNOTATED)
    first, second = read["line"][:2]
    assert first == {
        "move": "e4",
        "number": 1,
        "player": 0,
        "nags": [1],
        "before": ["Before all"],
        "after": ["Best"],
        "variations": first["variations"],
    }
    inner = first["variations"][0][1]["variations"][0][0]
    assert (inner["move"], inner["number"], inner["player"], inner["nags"]) == ("Nf6", 1, 1, [5])
    assert second == {"move": "e5", "number": 1, "player": 1}
    kept = {name: read[name] for name in ("game", "variant", "start", "line", "comments", "tags", "result")}
    written = post(client, "/record/write", **kept)["record"]
    again = post(client, "/record/read", record=written)
    assert {name: again[name] for name in kept} == {**kept, "tags": {**again["tags"], **kept["tags"]}}


@pytest.mark.parametrize("path", ["/games", "/games/chess"])
def test_what_seldom_changes_is_sent_once(client: TestClient, path: str) -> None:
    first = client.get(f"{BASE}{path}")
    tag = first.headers["etag"]
    again = client.get(f"{BASE}{path}", headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    changed = client.get(f"{BASE}{path}", headers={"If-None-Match": '"other"'})
    assert (changed.status_code, changed.content) == (200, first.content)


def test_a_record_that_was_edited_keeps_what_its_source_still_says(client: TestClient) -> None:
    read = post(client, "/record/read", record=ANNOTATED)
    kept = {name: read[name] for name in ("game", "variant", "start", "line", "comments", "tags", "result")}
    assert post(client, "/record/write", **kept, source=ANNOTATED)["record"] == ANNOTATED
    del kept["line"][0]["nags"]
    written = post(client, "/record/write", **kept, source=ANNOTATED)["record"]
    assert written == ANNOTATED.replace("e4 $1", "e4")
    assert post(client, "/record/read", record=written)["line"] == kept["line"]
    others = [post(client, "/record/write", **kept, source=source) for source in ("", "1. e5 *", "[")]
    assert others == [post(client, "/record/write", **kept)] * 3
    in_uci = post(client, "/record/write", **kept, source=ANNOTATED, notation="uci")
    assert in_uci == post(client, "/record/write", **kept, notation="uci")


def test_many_records_are_listed_with_their_own_texts(client: TestClient) -> None:
    texts = [ANNOTATED, '[White "Chloe"]\r\n\r\n1. d4 nonsense *\r\n', "1. c4 *"]
    found = post(client, "/record/list", record="\n".join(texts), game="chess")
    assert found["more"] is False
    assert [one["text"].strip() for one in found["records"]] == [text.strip() for text in texts]
    assert [one["tags"].get("White") for one in found["records"]] == ["Anna", "Chloe", None]
    assert [(one["ok"], one["plies"], one["result"]) for one in found["records"]][:2] == [
        (True, 3, "1-0"),
        (False, 1, "*"),
    ]


def test_a_list_of_records_ends_and_says_so(client: TestClient) -> None:
    found = post(client, "/record/list", record="1. e4 *\n\n" * 1001, game="chess")
    assert (len(found["records"]), found["more"]) == (1000, True)


def test_a_record_may_be_longer_than_other_bodies(client: TestClient) -> None:
    long = "word " * 40_000
    assert post(client, "/record/read", record=f"1. e4 {{{long}}} *", game="chess")["ok"]
    assert len(post(client, "/record/list", record=f"1. e4 {{{long}}} *", game="chess")["records"]) == 1
    line = [{"move": "e4", "after": [long.strip()]}]
    assert long[:60].strip() in post(client, "/record/write", line=line, game="chess")["record"]
    refused = client.post(f"{BASE}/read", json={"text": long})
    assert (refused.status_code, refused.json()["code"]) == (413, "TOO_LARGE")


def test_a_tree_that_cannot_be_written_is_refused(client: TestClient) -> None:
    deep: list[Any] = [{"move": "e4"}]
    for _ in range(70):
        deep = [{"move": "e4", "variations": [deep]}]
    for line in (deep, [{"move": "e4"}, {"move": "e4"}], [{"move": "e4", "variations": [[{"move": "e5"}]]}]):
        answer = client.post(f"{BASE}/record/write", json={"game": "chess", "line": line})
        assert answer.status_code == 400


# --- matches --------------------------------------------------------------------------------------------


def test_moves_with_the_same_ends_say_what_each_leaves_behind(client: TestClient) -> None:
    read = post(client, "/read", text="7k/P7/8/8/8/8/8/K7 w - - 0 1", game="chess")
    becomes = {move["move"]: move.get("becomes") for move in read["position"]["moves"]}
    labels = {
        text: [token["label"] for token in tokens] for text, tokens in becomes.items() if tokens is not None
    }
    assert labels == {
        "a8=Q+": ["white queen"],
        "a8=R+": ["white rook"],
        "a8=B": ["white bishop"],
        "a8=N": ["white knight"],
    }


@every_game
def test_a_move_is_read_as_a_person_writes_it(client: TestClient, name: str) -> None:
    first = match_of(client, name, PLAIN).json()["moves"][0]
    said = post(client, "/move", text="start", game=name, move=f" {first['lan']} ")
    assert said == {"move": first["move"], "error": "", "candidates": [], "why": None}
    refused = post(client, "/move", text="start", game=name, move="nonsense")
    assert refused["move"] is None
    assert "nonsense" in refused["error"]


def test_what_was_captured_is_named_up_to_the_position_shown(client: TestClient) -> None:
    moves = ["e4", "d5", "exd5", "Qxd5"]
    for at, symbols in ((2, []), (3, ["p"]), (4, ["p", "P"])):
        view = post(client, "/match", game="chess", moves=moves, at=at)
        assert [token["symbol"] for token in view["captured"]] == symbols


def test_what_went_to_a_hand_is_seen_there(client: TestClient) -> None:
    view = post(client, "/match", game="shogi", moves=["P-7f", "P-3d", "Bx2b+"])
    assert view["history"][2]["captured"]
    assert view["captured"] == []


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("chess", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", ["e1"]),
        ("chess", "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1", ["e8"]),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", []),
        ("cotulenh", "5c5/11/11/11/11/11/11/11/11/11/6t4/6C4 r - - 0 9", ["g1"]),
        ("xiangqi", "3k5/9/9/9/9/9/9/9/4r4/4K4 w - - 0 1", ["e1"]),
        ("shogi", "4k4/9/9/9/9/9/9/4r4/4K4 b - 1", ["5i"]),
        ("azul", "start", []),
    ],
)
def test_who_is_in_check_is_named_by_place(
    client: TestClient, name: str, text: str, places: list[str]
) -> None:
    read = post(client, "/read", text=text, game=name)
    assert read["ok"], read["diagnostics"]
    assert read["position"]["checked"] == places
