"""Tests that the test client behaves like Starlette's own client."""

import json
from collections.abc import MutableMapping
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette import testclient
from starlette.types import Receive, Scope, Send

from tests import asgi_client


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request with its own data, in two parts."""
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    if scope["path"] == "/silent":
        return
    asked = await receive()
    told = {name: value for name, value in scope.items() if name != "extensions"}
    headers = [(b"set-cookie", b"seen=1"), (b"set-cookie", b"more=2"), (b"x-name", b"a")]
    await send({"type": "http.response.start", "status": 207, "headers": headers})
    if scope["path"] == "/broken":
        raise KeyError("no such thing")
    await send({"type": "http.response.body", "body": repr(sorted(told.items())).encode(), "more_body": True})
    await send({"type": "http.response.body", "body": json.dumps(asked["body"].decode()).encode()})
    assert (await receive())["type"] == "http.disconnect"


def send_request(method: str, path: str, **more: Any) -> tuple[int, MutableMapping[str, str], dict[str, str], str]:
    with TestClient(echo, cookies={"old": "0"}) as client:
        answer = client.request(method, path, **more)
        return answer.status_code, answer.headers, dict(client.cookies), answer.text


@pytest.mark.parametrize(
    ("method", "path", "more"),
    [
        ("GET", "/a%20b/%C3%A9?c=d%26e&f", {"headers": {"X-Own": "a, b"}}),
        ("HEAD", "/", {}),
        ("POST", "http://elsewhere:8080/form", {"data": {"name": "Anna", "text": "é"}}),
        ("PUT", "https://elsewhere/json", {"json": {"a": [1, None]}}),
    ],
)
def test_both_clients_exchange_the_same_messages(
    method: str, path: str, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = send_request(method, path, **more)
    assert testclient._TestClientTransport.handle_request is asgi_client.handle_request
    monkeypatch.setattr(testclient._TestClientTransport, "handle_request", asgi_client.STARLETTES)
    assert send_request(method, path, **more) == ours


def test_exceptions_of_the_application_are_raised_by_default() -> None:
    with TestClient(echo) as client:
        with pytest.raises(KeyError, match="no such thing"):
            client.get("/broken")
        with pytest.raises(AssertionError, match="no answer"):
            client.get("/silent")
    with TestClient(echo, raise_server_exceptions=False) as client:
        assert client.get("/broken").status_code == 207
        assert client.get("/silent").status_code == 500
