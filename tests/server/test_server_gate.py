"""Who may ask the service: by which name, from whose page, with which key, as whom."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from tests.server.test_server import BASE, CHESS, made, post, refused

from forsyth.cli.app import forsyth as command
from forsyth.server import Settings, create_app
from forsyth.server.bounds.hosts import AllowedHosts
from forsyth.server.bounds.origin_check import MAX_SHOWN_CHARACTERS
from forsyth.store import MemoryStore

FOREIGN = "https://elsewhere.example"


# --- names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "LocalHost.:8000",
        "page.localhost:1",
        "127.0.0.1",
        "127.8.9.1:65535",
        "[::1]:8000",
        "[::1]",
        "[::ffff:127.0.0.1]:80",
    ],
)
def test_this_machine_is_answered_by_every_name_it_has(host: str) -> None:
    assert AllowedHosts(Settings()).accepts(host.encode())


@pytest.mark.parametrize(
    "host",
    [
        "",
        "elsewhere.example",
        "localhost.elsewhere.example",
        "notlocalhost",
        "127.0.0.1.elsewhere.example",
        "192.168.1.5:8000",
        "0.0.0.0",
        "[::]",
        "[fe80::1]",
        "localhost:8000:8000",
        "localhost:123456",
        "localhost/",
        "elsewhere.example@localhost",
        "localhost, elsewhere.example",
        "*",
        "löcalhost",
    ],
)
def test_a_name_of_somebody_else_is_not_answered_to(host: str) -> None:
    assert not AllowedHosts(Settings()).accepts(host.encode())


def test_names_that_are_allowed() -> None:
    hosts = AllowedHosts(Settings(host="192.168.1.5", allow_host=("Chess.Example.", "10.0.0.7", "[fd00::1]")))
    for host in (
        "chess.example:8000",
        "CHESS.example.",
        "192.168.1.5:1",
        "10.0.0.7",
        "[FD00::1]:9",
        "localhost",
    ):
        assert hosts.accepts(host.encode()), host
    for host in ("www.chess.example", "10.0.0.8", "192.168.1.6", "[fd00::2]"):
        assert not hosts.accepts(host.encode()), host
    assert AllowedHosts(Settings(allow_host=("*",))).accepts(b"any.example")
    assert AllowedHosts(Settings(host="chess.lan")).accepts(b"chess.lan:8000")


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_listening_everywhere_every_address_is_accepted_and_no_name(host: str) -> None:
    """A phone on the same network asks for an address; only a name can be made to lead elsewhere."""
    hosts = AllowedHosts(Settings(host=host))
    assert hosts.accepts(b"192.168.1.5:8000")
    assert hosts.accepts(b"[fe80::1]:8000")
    assert not hosts.accepts(b"elsewhere.example:8000")


def test_known_names_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.server.bounds.hosts.MAX_KNOWN_HOSTS", 2)
    hosts = AllowedHosts(Settings())
    assert all(hosts.accepts(b"localhost:%d" % port) for port in range(9))
    assert len(hosts._known_values) == 2


def test_a_request_for_another_name_is_refused_and_told_the_option() -> None:
    with made() as client:
        for path in ("/", "/healthz", f"{BASE}/games", "/assets/x.js", "/docs"):
            said = refused(
                client.get(path, headers={"Host": "elsewhere.example:8000"}), 421, "HOST_NOT_ALLOWED"
            )
            assert "'elsewhere.example:8000'" in said["detail"]
            assert "--allow-host" in said["detail"]
        long = client.get("/healthz", headers={"Host": "x" * 5000})
        assert "x" * MAX_SHOWN_CHARACTERS + "…" in refused(long, 421, "HOST_NOT_ALLOWED")["detail"]
    with made(allow_host=("elsewhere.example",)) as client:
        assert client.get("/healthz", headers={"Host": "elsewhere.example:8000"}).status_code == 200


# --- pages of others ------------------------------------------------------------------------------------


def ask(client: TestClient, method: str, path: str, **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if method == "GET" else {"text": CHESS, "name": "x"}
    return client.request(method, path, json=body, headers=named)


WRITING = [
    ("POST", f"{BASE}/library"),
    ("PATCH", f"{BASE}/library/x"),
    ("DELETE", f"{BASE}/library/x"),
    ("PUT", f"{BASE}/states"),
    ("PUT", f"{BASE}/positions/chess/initial"),
    ("POST", f"{BASE}/game_state"),
    ("POST", f"{BASE}/batch/check"),
    ("POST", f"{BASE}/validate-fen"),
]


@pytest.mark.parametrize(("method", "path"), WRITING)
def test_a_page_of_another_origin_cannot_write(method: str, path: str) -> None:
    store = MemoryStore()
    with made(store) as client:
        for headers in (
            {"Origin": FOREIGN},
            {"Origin": "null"},
            {"Origin": "http://localhost:9999"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
            {"Origin": FOREIGN, "Sec_Fetch_Site": "cross-site"},
        ):
            said = refused(ask(client, method, path, **headers), 403, "FOREIGN_ORIGIN")
            assert "--cors" in said["detail"]
            assert repr(headers.get("Origin", "another origin")).strip("'") in said["detail"]
    assert len(store) == 0


def test_our_own_page_named_pages_and_programs_can_write() -> None:
    with made(cors=("https://page.example",)) as client:
        for headers in (
            {},
            {"Origin": "http://localhost"},
            {"Origin": "HTTP://LOCALHOST"},
            {"Origin": "https://Page.Example"},
            {"Origin": "https://page.example", "Sec_Fetch_Site": "cross-site"},
            # A proxy may have put another name in place of the one the browser asked for.
            {"Origin": "https://chess.example", "Sec_Fetch_Site": "same-origin"},
            {"Sec_Fetch_Site": "none"},
        ):
            assert ask(client, "POST", f"{BASE}/library", **headers).status_code == 200, headers
    with made(cors=("*",)) as client:
        assert ask(client, "POST", f"{BASE}/library", Origin=FOREIGN).status_code == 200


@pytest.mark.parametrize("named", ["HTTPS://Page.Example", "https://page.example:443"])
def test_an_origin_is_the_same_however_it_is_written(named: str) -> None:
    with made(cors=[named]) as client:
        origin = "https://page.example"
        answer = ask(client, "POST", f"{BASE}/library", Origin=origin)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, origin)
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        assert client.options(f"{BASE}/library", headers=asked).status_code == 200
    assert Settings(cors=("http://a:443", "http://b:80", "*")).cors == ("http://a:443", "http://b", "*")


def test_settings_are_what_was_looked_at() -> None:
    settings = Settings(cors=iter(["https://page.example"]), allow_host=["a"])  # type: ignore[arg-type]
    assert settings.cors == ("https://page.example",)
    assert Settings.from_environment(settings.to_environment()) == settings
    assert hash(settings)
    with pytest.raises(ValueError, match="cors is 'x', expected an origin"):
        Settings(cors=iter(["x"]))  # type: ignore[arg-type]


def test_a_page_without_an_origin_is_told_another_way() -> None:
    with made() as client:
        said = refused(ask(client, "POST", f"{BASE}/library", Origin="null"), 403, "FOREIGN_ORIGIN")
    assert said["detail"].startswith("a page of 'null' may not send this request; open it from a web server")


def test_a_picture_can_be_shown_on_any_page() -> None:
    with made() as client:
        query: dict[str, str | int] = {"text": CHESS, "size": 50}
        answer = client.get(f"{BASE}/draw.svg", params=query, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 200


def test_no_get_writes() -> None:
    """Every call that is a GET, with a text that no store has: the store stays as it is."""
    store = MemoryStore()
    after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    with made(store) as client:
        paths = client.get("/openapi.json").json()["paths"]
        reading = [path for path, calls in paths.items() if "get" in calls]
        assert f"{BASE}/game_state" in reading
        for path in reading:
            filled = path.replace("{name}", "start.svg").replace("{game}", "chess").replace("{id}", "x")
            query = {"fen_string": after, "text": after, "game": "chess"}
            for method in ("GET", "HEAD"):
                client.request(method, filled.replace("{state_id}", "x"), params=query)
        assert len(store) == 0
        assert store.search().total == 0
        shown = client.get(f"{BASE}/game_state", params={"fen_string": after}).json()["game_state"]
        refused(client.get(f"{BASE}/states/{shown['state_id']}"), 404, "HASH_UNKNOWN")
        post(client, "/game_state", {"fen_string": after})
        assert client.get(f"{BASE}/states/{shown['state_id']}").status_code == 200


# --- keys -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "  ", "two words", "clé", "line\nbreak"])
def test_a_key_that_cannot_be_shown_is_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the API key"):
        Settings(api_key=key)
    run = CliRunner()
    given = run.invoke(command, ["serve", "--port", "0", "--store", ":memory:", "--api-key", key])
    assert given.exit_code == 2
    assert "the API key" in given.output
    file = tmp_path / "key"
    file.write_text(key, encoding="utf-8")
    read = run.invoke(command, ["serve", "--port", "0", "--store", ":memory:", "--api-key-file", str(file)])
    assert read.exit_code == 2
    assert "the API key" in read.output


def test_an_empty_key_in_the_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="FORSYTH_API_KEY is empty"):
        Settings.from_environment({"FORSYTH_API_KEY": ""})
    assert Settings.from_environment({"FORSYTH_API_KEY": "k"}).api_key == "k"


def test_a_file_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Settings] = []
    monkeypatch.setattr(
        "forsyth.cli.commands.serve._run_server", lambda settings, listener: seen.append(settings)
    )
    file = tmp_path / "key"
    file.write_text("from-a-file\n", encoding="utf-8")
    serve = ["serve", "--port", "0", "--store", ":memory:"]
    run = CliRunner()
    quiet = run.invoke(command, [*serve, "--api-key-file", str(file)])
    assert quiet.exit_code == 0
    assert "warning" not in quiet.output
    shown = run.invoke(command, [*serve, "--api-key", "from-the-line"])
    assert "can see the key of --api-key" in shown.output
    assert "from-the-line" not in shown.output
    assert [one.api_key for one in seen] == ["from-a-file", "from-the-line"]
    both = run.invoke(command, [*serve, "--api-key", "x", "--api-key-file", str(file)])
    assert (both.exit_code, "exclude each other" in both.output) == (2, True)
    missing = run.invoke(command, [*serve, "--api-key-file", str(tmp_path / "none")])
    assert (missing.exit_code, "cannot be read" in missing.output) == (2, True)
    file.write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in run.invoke(command, [*serve, "--api-key-file", str(file)]).output


@pytest.mark.parametrize(
    ("host", "address"), [("0.0.0.0", "http://127.0.0.1:"), ("127.0.0.1", "http://127.0.0.1:")]
)
def test_who_listens_everywhere_is_told_what_others_need(
    host: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forsyth.cli.commands.serve._run_server", lambda settings, listener: None)
    run = CliRunner().invoke(command, ["serve", "--port", "0", "--store", ":memory:", "--host", host])
    assert address in run.output
    assert ("--allow-host" in run.output) is (host == "0.0.0.0")


def test_how_a_key_is_shown() -> None:
    with made(api_key="secret") as client:
        body = {"text": CHESS, "name": "x"}
        for good in (
            {"X-API-Key": "secret"},
            {"Authorization": "Bearer secret"},
            {"Authorization": "bearer  secret"},
        ):
            assert client.post(f"{BASE}/library", json=body, headers=good).status_code == 200, good
        for bad in (
            {"X-API-Key": ""},
            {"X-API-Key": "secre"},
            {"X-API-Key": "secrets"},
            {"Authorization": "secret"},
            {"Authorization": "Basic secret"},
            {"Authorization": "Bearer"},
        ):
            refused(client.post(f"{BASE}/library", json=body, headers=bad), 401, "UNAUTHORIZED")


PRIVATE = ["/api/v1/library", "/api/v1/library/x", "/api/v1/batch/library", "/api/v1/metrics", "/metrics"]


@pytest.mark.parametrize("path", PRIVATE)
def test_the_library_and_the_metrics_were_readable_without_the_key(path: str) -> None:
    with made(api_key="secret") as client:
        answer = client.get(path)
        refused(answer, 401, "UNAUTHORIZED")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get(path, headers={"X-API-Key": "wrong"}).status_code == 401
        for headers in ({"X-API-Key": "secret"}, {"Authorization": "Bearer secret"}):
            assert client.get(path, headers=headers).status_code == (404 if path.endswith("/x") else 200)
    with made() as client:
        assert client.get(path).status_code == (404 if path.endswith("/x") else 200)


@pytest.mark.parametrize("path", ["/", "/library", "/play", "/docs", "/healthz", f"{BASE}/games"])
def test_what_the_page_consists_of_needs_no_key(path: str) -> None:
    with made(api_key="secret") as client:
        assert client.get(path).status_code == 200


def test_answers_were_cached_and_shown_by_pages_of_other_origins() -> None:
    with made(api_key="secret") as client:
        key = {"X-API-Key": "secret"}
        answers = [client.get(path, headers=key) for path in (*PRIVATE, f"{BASE}/version", "/nowhere")]
        answers += [
            client.get(f"{BASE}/library"),
            post_text(client, "/read"),
            post_text(client, "/validate-fen"),
        ]
        for answer in answers:
            assert answer.headers.get_list("cache-control") == ["no-store"], answer.url
            assert answer.headers.get_list("cross-origin-resource-policy") == ["same-origin"], answer.url
        listed = client.get(f"{BASE}/games")
        assert listed.headers.get_list("cache-control") == ["no-cache"], "it has an ETag"
        assert listed.headers["cross-origin-resource-policy"] == "same-origin"
        for path in (f"{BASE}/draw.svg", "/embed"):
            shown = client.get(path, params={"text": CHESS})
            assert shown.headers.get_list("cross-origin-resource-policy") == ["cross-origin"]
            assert "max-age" in shown.headers["cache-control"]


def post_text(client: TestClient, path: str) -> Any:
    return client.post(BASE + path, json={"fen_string": CHESS})


# --- settings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"cors": ("https://page.example/",)}, "cors is 'https://page.example/', expected an origin"),
        ({"cors": ("page.example",)}, "expected an origin"),
        ({"allow_host": ("chess.example:8000",)}, "expected a name without its port"),
        ({"allow_host": ("http://chess.example",)}, "expected a name without its port"),
        ({"allow_host": ("",)}, "expected a name without its port"),
        ({"allow_host": ("face:8000",)}, "allow_host is 'face:8000', expected a name without its port"),
        ({"allow_host": ("[fd00::1]:80",)}, "expected a name without its port"),
        ({"allow_host": ("[fd00::1",)}, "expected a name without its port"),
        ({"allow_host": ("[chess]",)}, "expected a name without its port"),
        ({"time_limit": float("nan")}, "time_limit is nan, expected 0.1 or more"),
        ({"trust_proxy": ("*",)}, r"trust_proxy is '\*', expected the address of a proxy"),
        ({"trust_proxy": ("proxy.example",)}, "expected the address of a proxy"),
        ({"head_limit": 10}, "head_limit is 10, expected 1024 or more"),
        ({"head_time": 0.0}, "head_time is 0.0, expected 0.1 or more"),
        ({"connections": 0}, "connections is 0, expected 1 or more"),
        ({"computing": 0}, "computing is 0, expected 1 or more"),
        ({"waiting": -1}, "waiting is -1, expected 0 or more"),
        ({"rate_limit": -1}, "rate_limit is -1, expected 0 or more"),
        ({"body_limit": 1023}, "body_limit is 1023, expected 1024 or more"),
        ({"line_limit": 1023}, "line_limit is 1023, expected 1024 or more"),
        ({"workers": 0}, "workers is 0, expected 1 or more"),
        ({"port": -1}, "port is -1, expected 0 or more"),
    ],
)
def test_settings_that_cannot_be_meant(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        Settings(**given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"allow_host": "chess.example"}, "allow_host are of type str, expected several texts"),
        ({"cors": 5}, "cors are of type int, expected several texts"),
        ({"trust_proxy": (5,)}, "a value of trust_proxy is of type int, expected text"),
        ({"host": None}, "host is of type NoneType, expected text"),
        ({"store": 5}, "store is of type int, expected text"),
        ({"port": "80"}, "port is of type str, expected a whole number"),
        ({"workers": 1.5}, "workers is of type float, expected a whole number"),
        ({"time_limit": "30"}, "time_limit is of type str, expected a number of seconds"),
    ],
)
def test_settings_of_another_type(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(TypeError, match=expected):
        Settings(**given)


def test_an_application_of_something_else_than_settings() -> None:
    with pytest.raises(TypeError, match="the value of settings is of type dict, expected Settings"):
        create_app(cast(Any, {}))
    with pytest.raises(
        TypeError, match="the store is of type str, expected a store such as open_store returns"
    ):
        create_app(Settings(), cast(Any, "positions.db"))
