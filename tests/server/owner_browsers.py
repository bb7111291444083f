"""Browsers that belong to the server's owner."""

import json
from http.client import HTTPConnection

from fastapi.testclient import TestClient

from bench.server_process import ServerProcess
from tests.server.api_client import get_server
from triclinium.server.accounts.owner import COOKIE, LINK_PATH
from triclinium.server.admin.command_queue import run_action
from triclinium.server.crypto import hash_token, make_token


def make_owner_link(client: TestClient) -> str:
    """Return the token of a new link, as `triclinium serve` prints it."""
    return get_server(client).owners.make_link("http://testserver").rpartition(LINK_PATH)[2]


def make_owner(client: TestClient) -> TestClient:
    """Give the owner's cookie to a browser."""
    assert client.post("/api/v1/owner", json={"token": make_owner_link(client)}).status_code == 200
    return client


def create_owner_token(driver: ServerProcess) -> str:
    """Return the token of a new owner link for a server process, created by the command line."""
    token = make_token()
    run_action(driver.url, "owner-link", {"hash": hash_token(token), "revoke": False})
    return token


def create_owner_cookie(driver: ServerProcess) -> str:
    """Return the owner's cookie for a server process."""
    token = create_owner_token(driver)
    connection = HTTPConnection("127.0.0.1", driver.port, timeout=30)
    try:
        connection.request("POST", "/api/v1/owner", json.dumps({"token": token}), {"content-type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200
        return f"{COOKIE}={json.loads(answer.read())['owner']}"
    finally:
        connection.close()
