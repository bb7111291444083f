"""HTTP client over loopback with a separate address, and with a cookie or a token."""

import http.client
import json
import re
from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Self
from urllib.parse import urlencode


class HttpAnswer:
    """An HTTP response."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status = answer.status
        self.headers = answer.headers
        self.text = answer.read().decode(errors="replace")  # an archive is not text

    @property
    def facts(self) -> dict[str, object]:
        found = json.loads(self.text)
        assert isinstance(found, dict)
        return found

    @property
    def goes_to(self) -> str:
        return self.headers.get("location", "")


class HttpClient:
    """A connection that stays open while the server keeps it."""

    def __init__(self, port: int, address: str = "127.0.0.1", token: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
        self.cookies: dict[str, str] = {}
        self.token = token
        self.csrf = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def request(self, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None) -> HttpAnswer:
        sent = dict(headers or {})
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if self.token:
            sent["authorization"] = f"Bearer {self.token}"
        self.connection.request(method, path, body.encode() or None, sent)
        answer = HttpAnswer(self.connection.getresponse())
        for set_cookie in answer.headers.get_all("set-cookie", []):
            for name, morsel in SimpleCookie(set_cookie).items():
                self.cookies[name] = morsel.value
        found = re.search(r'name="csrf" value="([^"]+)"', answer.text)
        self.csrf = found[1] if found else self.csrf
        return answer

    def get(self, path: str, **headers: str) -> HttpAnswer:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, **fields: object) -> HttpAnswer:
        """Send a form of the page that was opened last."""
        form = urlencode({"csrf": self.csrf, **fields})
        return self.request("POST", path, form, {"content-type": "application/x-www-form-urlencoded"})

    def send(self, method: str, path: str, body: Mapping[str, object] | None = None) -> HttpAnswer:
        """Call the API."""
        text = "" if body is None else json.dumps(body)
        return self.request(method, path, text, {"content-type": "application/json"})
