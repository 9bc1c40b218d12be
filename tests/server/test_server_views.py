"""What the views of the page ask for: parts of broken texts, differences, repairs, frames, previews."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from starlette.testclient import TestClient

import forsyth
from forsyth import draw
from forsyth.server import Settings, create_app
from forsyth.store import MemoryStore

BASE = "/api/v1"
START = forsyth.game("chess").start
BROKEN = START.replace("/8/8/8/8/", "/8/8x/8/8/")

every_game = pytest.mark.parametrize("name", forsyth.games())


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(), MemoryStore()), base_url="http://localhost") as found:
        yield found


def post(client: TestClient, path: str, **body: Any) -> Any:
    answer = client.post(BASE + path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def cells(view: Any) -> dict[str, list[str]]:
    return {
        cell["id"]: [token["symbol"] for token in cell.get("tokens", ())]
        for area in view["scene"]["areas"]
        for cell in area["cells"]
    }


# --- parts of texts -------------------------------------------------------------------------------------


def test_what_could_be_read_of_a_rank_too_long_is_every_other_rank(client: TestClient) -> None:
    view = post(client, "/partial", text=BROKEN)["partial"]
    assert sorted(view["unread"]) == [f"{file}5" for file in "abcdefgh"]
    whole = cells(post(client, "/read", text=START)["position"])
    assert cells(view) == {**whole, **{cell: [] for cell in view["unread"]}}
    assert view["scene"]["captions"] == []


def test_one_wrong_letter_leaves_its_rank_readable(client: TestClient) -> None:
    view = post(client, "/partial", text=START.replace("rnbq", "rxbq"))["partial"]
    assert view["unread"] == ["b8"]
    assert cells(view)["a8"] == ["r"] and cells(view)["b8"] == []


def test_half_a_text_is_drawn_as_far_as_it_goes(client: TestClient) -> None:
    view = post(client, "/partial", text="rnbqkbnr/pppppppp/8/8", game="chess")["partial"]
    assert {cell[1] for cell in view["unread"]} == set("1234")
    assert cells(view)["e8"] == ["k"] and cells(view)["e1"] == []


@every_game
def test_every_broken_example_is_drawn_in_part(client: TestClient, name: str) -> None:
    texts = [
        text
        for text in forsyth.game(name).examples.values()
        if forsyth.game(name).read(text).position is None
    ]
    for text in texts:
        view = post(client, "/partial", text=text, game=name)["partial"]
        assert view["game"] == name
        board = len(text.split(maxsplit=1)[0])
        found = forsyth.game(name).read(text).errors
        errors = {one.square for one in found if one.square and one.span.start < board}
        assert errors <= set(view["unread"]) | {cell.split(".")[0] for cell in view["unread"]}
        assert 0 < len(view["unread"]) < len(cells(view)) / 2


@every_game
def test_no_part_of_a_text_makes_the_call_fail(client: TestClient, name: str) -> None:
    start = forsyth.game(name).start
    for end in range(0, len(start), 7):
        for text in (
            start[:end],
            start[end:],
            start[:end] + "?!" + start[end:],
            start[:end] + "//||" + start[end:],
        ):
            if text.strip():
                post(client, "/partial", text=text, game=name)


def test_nothing_is_made_up_of_words(client: TestClient) -> None:
    assert post(client, "/partial", text="hello there") == {"game": None, "variant": None, "partial": None}
    assert post(client, "/partial", text=START)["partial"] is None
    assert post(client, "/partial", text="base64_zzzz", game="chess")["partial"] is None


# --- differences ----------------------------------------------------------------------------------------


def test_two_texts_are_compared_as_on_the_command_line(client: TestClient) -> None:
    after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    found = post(client, "/diff", a=START, b=after)
    chess = forsyth.game("chess")
    difference = chess.diff(chess.parse(START), chess.parse(after)).to_dict()
    assert found == {"game": "chess", "variant": "standard", **difference}
    assert {change["square"] for change in found["squares"]} == {"e2", "e4"}
    assert post(client, "/diff", a=START, b=START)["same"] is True


def test_texts_of_two_games_are_not_compared(client: TestClient) -> None:
    answer = client.post(f"{BASE}/diff", json={"a": START, "b": forsyth.game("azul").start})
    assert (answer.status_code, answer.json()["code"]) == (400, "DIFFERENT_GAMES")
    assert client.post(f"{BASE}/diff", json={"a": START, "b": BROKEN}).status_code == 400


# --- many -----------------------------------------------------------------------------------------------


def test_a_batch_is_repaired_as_one_text_is(client: TestClient) -> None:
    texts = [START, START.replace(" - ", " – "), BROKEN, "hello"]
    content = "\n".join(map(json.dumps, texts))
    lines = [
        json.loads(line)
        for line in client.post(f"{BASE}/batch/fix?least=guess", content=content).text.split("\n")[:-1]
    ]
    assert [line.pop("line") for line in lines] == [1, 2, 3, 4]
    assert lines == [post(client, "/fix", text=text, least="guess") for text in texts]


# --- the editor -----------------------------------------------------------------------------------------


@every_game
def test_every_board_can_be_emptied(client: TestClient, name: str) -> None:
    midgame = forsyth.game(name).names["midgame"]
    before = cells(post(client, "/edit", text=midgame, game=name)["position"])
    answer = post(client, "/edit", text=midgame, game=name, clear=True)
    after = cells(answer["position"])
    assert sum(map(len, after.values())) < sum(map(len, before.values())) / 5
    assert post(client, "/read", text=answer["text"], game=name)["position"] is not None


# --- pictures, frames, previews ---------------------------------------------------------------------------


def test_a_picture_is_cropped_to_the_board(client: TestClient) -> None:
    def height(**query: Any) -> float:
        svg = client.get(f"{BASE}/draw.svg", params={"text": START, **query}).text
        return float(svg.split('viewBox="')[1].split('"')[0].split()[3])

    assert height(captions="false") < height()
    bare = client.get(f"{BASE}/draw.svg", params={"text": START, "captions": "false"}).text
    assert "to move" not in re.sub(r"<(title|desc).*?</\1>", "", bare)


def test_arrows_circles_and_coordinates_are_asked_for(client: TestClient) -> None:
    arrows, circles, tints = ["e2e4", "d2d4:red"], ["e4:blue"], ["e5"]
    asked = {"arrow": arrows, "circle": circles, "highlight": tints, "coordinates": "none"}
    svg = client.get(f"{BASE}/draw.svg", params={"text": START, **asked}).text
    reading = forsyth.check(START, "chess")
    how: Any = {"arrows": arrows, "circles": circles, "highlights": tints}
    assert svg == forsyth.draw.svg(reading, coordinates="none", **how)
    unknown: list[Any] = [{"arrow": "e2e9"}, {"circle": "e4:pink"}, {"highlight": "z1"}]
    for query in unknown:
        refused = client.get(f"{BASE}/draw.svg", params={"text": START, **query})
        assert (refused.status_code, refused.json()["code"]) == (400, "NOT_DRAWABLE")
    bad: list[Any] = [{"coordinates": "left"}, {"arrow": ["e2e4"] * 257}, {"circle": "x" * 1000}]
    for wrong in bad:
        assert client.get(f"{BASE}/draw.svg", params={"text": START, **wrong}).status_code == 400


def test_one_page_alone_may_be_framed(client: TestClient) -> None:
    framed = client.get("/embed", params={"text": START, "game": "chess"})
    assert framed.status_code == 200 and "<svg" in framed.text
    assert "x-frame-options" not in framed.headers
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "script" not in framed.headers["content-security-policy"] and "<script" not in framed.text
    for path in (
        "/",
        "/play",
        "/edit",
        "/library",
        "/many",
        "/compare",
        f"/p/{quote(START)}",
        "/embedded",
    ):
        headers = client.get(path).headers
        assert headers["x-frame-options"] == "DENY", path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path


def test_a_frame_says_what_is_wrong_and_runs_nothing(client: TestClient) -> None:
    text = '"><script>alert(1)</script>'
    answer = client.get("/embed", params={"text": text, "game": "chess"})
    assert answer.status_code == 400
    assert "<script" not in answer.text and 'role="alert"' in answer.text


def test_a_shared_link_has_a_picture(client: TestClient) -> None:
    page = client.get(f"/p/{quote(START)}", params={"game": "chess"}).text
    (address,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    picture = urlsplit(unescape(address))
    assert parse_qs(picture.query)["text"] == [START] and parse_qs(picture.query)["game"] == ["chess"]
    assert picture.netloc == "localhost"
    drawn = client.get(f"{picture.path}?{picture.query}")
    assert drawn.headers["content-type"] == "image/png" and drawn.content[:4] == b"\x89PNG"


def test_the_tags_of_a_shared_link(client: TestClient) -> None:
    page = client.get("/p/4k3_4K3", params={"game": "chess"}).text
    head, _, rest = page.partition("</head>")
    assert rest and "</head>" not in rest
    tags = re.findall(r'<meta property="([^"]+)" content="([^"]+)" />', head)
    address = f"http://localhost{BASE}/draw.png?text=4k3_4K3&amp;game=chess&amp;theme=light&amp;size=640"
    assert tags == [
        ("og:type", "website"),
        ("og:site_name", "Forsyth"),
        ("og:title", "A position: 4k3_4K3"),
        ("og:image", address),
        ("og:image:type", "image/png"),
        ("twitter:card", "summary_large_image"),
    ]
    long = client.get(f"/p/{'a' * 500}").text
    (title,) = re.findall(r'property="og:title" content="([^"]*)"', long)
    assert title == f"A position: {'a' * 500}"[:120]


@pytest.mark.parametrize(("theme", "ground"), [("light", "light"), ("auto", "light"), ("dark", "dark")])
def test_pictures_have_the_ground_that_was_asked_for(client: TestClient, theme: str, ground: Any) -> None:
    asked = {"text": START, "theme": theme, "size": "80"}
    position = forsyth.game("chess").parse(START)
    picture = client.get(f"{BASE}/draw.png", params=asked)
    assert picture.content == draw.png(position, size=80, theme=ground)
    moving = client.get(f"{BASE}/animation.png", params={**asked, "moves": "e4", "seconds": "0.5"})
    expected = draw.animation_png(position, moves="e4", size=80, theme=ground, seconds=0.5)
    assert (moving.status_code, moving.content) == (200, expected)


@pytest.mark.parametrize("path", ["/draw.png", "/animation.png", "/draw/start.png"])
def test_without_its_extra_there_is_no_picture_of_dots(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError) as caught:
        draw.png(forsyth.game("chess").parse(START))
    answer = client.get(f"{BASE}{path}", params={"text": START, "game": "chess", "moves": "e4"})
    assert (answer.status_code, answer.json()["code"]) == (501, "NOT_INSTALLED")
    assert answer.json()["error"] == str(caught.value)


def test_a_link_cannot_write_into_the_page(client: TestClient) -> None:
    page = client.get(f"/p/{quote(chr(34) + '><script>x()</script>')}").text
    assert "<script>x()" not in page
    assert "og:image" not in client.get(f"/p/{'a' * 5000}").text
