"""Clients with a cookie for a server process, and readers of its event streams."""

import contextlib
import http.client
import json
import re
import socket
import threading
import time
from http.cookies import SimpleCookie
from urllib.parse import urlencode


class StreamReader:
    """An open event stream that is read until it ends."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", path, headers=headers)
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.status
        self.heard: list[tuple[str, dict[str, object]]] = []
        self.ended = threading.Event()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def __enter__(self) -> "StreamReader":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # the server may have closed the connection first
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        self._answer.close()
        self._connection.close()

    def _listen(self) -> None:
        kind = ""
        for line in self._answer:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text.removeprefix("event: ")
            elif text.startswith("data: "):
                self.heard.append((kind, json.loads(text.removeprefix("data: "))))
        self.ended.set()

    def wait_for_event(self, kind: str, data: dict[str, object]) -> None:
        """Wait until the stream has sent this event."""
        until = time.monotonic() + 20
        while (kind, data) not in self.heard:
            assert time.monotonic() < until, self.heard
            time.sleep(0.02)

    def wait_for_version(self, version: int) -> None:
        """Wait until the stream has sent this version of the table."""
        until = time.monotonic() + 10
        while not any(data.get("version") == version for _, data in self.heard):
            assert time.monotonic() < until, self.heard
            time.sleep(0.01)

    @property
    def received_options(self) -> list[object]:
        """Return the received options of a seat."""
        return [data["options"] for _, data in self.heard if "options" in data]


class StreamReaders:
    """All streams that a test has opened."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.open = contextlib.ExitStack()

    def open_for_person(self, person: "FormClient", table: str) -> StreamReader:
        return self.open.enter_context(StreamReader(self.port, f"/tables/{table}/events", person.headers))

    def open_for_token(self, token: str, table: str) -> StreamReader:
        headers = {"authorization": f"Bearer {token}"}
        return self.open.enter_context(StreamReader(self.port, f"/api/v1/tables/{table}/events", headers))


class FormClient:
    """A client with cookies and without scripts."""

    def __init__(self, port: int, name: str) -> None:
        self.port = port
        self.name = name
        self.cookies: dict[str, str] = {}
        self.page = ""
        self.location = ""
        self.get("/me")
        self.post("/me", name=name)
        self.get("/me")  # forms contain the token of the new cookie
        assert "triclinium" in self.cookies

    @property
    def headers(self) -> dict[str, str]:
        return {"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    def get(self, path: str) -> int:
        return self._call("GET", path)

    def post(self, path: str, **fields: str) -> int:
        """Send a form with the token of a page of this server."""
        found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        if found is None:
            self.get("/me")
            found = re.search(r'name="csrf" value="([^"]+)"', self.page)
        assert found is not None
        return self._call("POST", path, {"csrf": found[1], **fields})

    def call_api(self, method: str, path: str, body: dict[str, object] | None = None) -> tuple[int, dict[str, object]]:
        text = None if body is None else json.dumps(body)
        status, answer = self._send(method, f"/api/v1{path}", text, {"content-type": "application/json"})
        found: dict[str, object] = json.loads(answer)
        return status, found

    def _call(self, method: str, path: str, fields: dict[str, str] | None = None) -> int:
        headers = {"content-type": "application/x-www-form-urlencoded"} if fields is not None else {}
        status, text = self._send(method, path, None if fields is None else urlencode(fields), headers)
        if text:
            self.page = text
        return status

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {**self.headers, **headers})
            answer = connection.getresponse()
            for line in answer.headers.get_all("set-cookie") or []:
                for name, morsel in SimpleCookie(line).items():
                    self.cookies[name] = morsel.value
            self.location = answer.headers.get("location", "")
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def open_table_for(host: FormClient, *guests: FormClient, shown: str = "link") -> str:
    """Open a table of Evangelists where the guests take their seats by link, and return its id."""
    kinds = {f"kind{i}": "invite" for i in range(1, len(guests) + 1)}
    wish = {"game": "evangelists", "seats": str(len(guests) + 1), "kind0": "me", "visibility": shown, "undo": "on"}
    assert host.post("/new", **wish, **kinds, **{"variant-stenographer": "0"}) == 303
    path = host.location
    host.get(path)
    links = sorted(set(re.findall(r"/invitations/\w+/\d/[0-9a-f]{32}", host.page)))
    for guest, link in zip(guests, links, strict=True):
        guest.get(link)
        assert guest.post(link, name=guest.name) == 303, guest.page
    return path.removeprefix("/tables/")
