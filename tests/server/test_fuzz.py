"""Fuzz tests: every route answers any payload clearly, without a server error and without changing a table."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation

from bench.server_process import ApiConnection, ApiTable, ServerProcess
from tests.server import api_client as api
from tests.slow import slow
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.web.app import create_app

SENT = ["", "0", "-1", "99999999999999999999", "é", "²", "\x00", "x" * 5000, "{}", "[]", "null", "true", "' OR 1=1 --"]

MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)

FROM_AFAR = {"x-forwarded-for": "203.0.113.9"}  # these lock the server's owner page, which other tests use


WRONG: tuple[object, ...] = ([], {"a": 1}, "\x00", 2**70, None)
FITTING = {"integer": 99, "number": 1.0, "boolean": False, "array": [], "object": {}}


class Filled(dict[str, str]):
    """Values for path parameters: an existing table, and the first of everything else."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)

    def __missing__(self, name: str) -> str:
        return "0"


def operations(told: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, method and body schema of each operation that takes an object, from the API description."""
    for path, methods in told["paths"].items():
        for method, one in methods.items():
            content = one.get("requestBody", {}).get("content", {}).get("application/json")
            if content and "$ref" in content["schema"]:
                yield path, method, told["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[1]]


def bodies(wanted: dict[str, Any]) -> Iterator[object]:
    """Yield wrong bodies: no object, no fields, and each field wrong with valid other required fields."""
    yield from ([], "x", None, {})
    fields = wanted["properties"]
    fitting = {name: FITTING.get(fields[name].get("type"), "x") for name in wanted.get("required", ())}
    for name in fields:
        wrongs = WRONG if name in fitting else WRONG[:-1]  # optional fields may be null
        yield from ({**fitting, name: wrong} for wrong in wrongs)


def can_be_wrong(operation: APIOperation) -> bool:
    """Return whether a request can be invalid. Any text fits a path, so hundreds of attempts would be useless."""
    numbers = [one for one in operation.path_parameters if one.definition["schema"].get("type") != "string"]
    return bool(numbers or list(operation.query) or list(operation.body))


@pytest.mark.parametrize(("examples", "at_least"), [(2, 100), slow(20, 300)])
def test_the_api_handles_any_payload(server: ServerProcess, examples: int, at_least: int) -> None:
    """Every operation of the API description gets valid and invalid payloads."""
    schema = schemathesis.openapi.from_url(f"{server.address}/api/v1/openapi.json")
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        for mode in MODES if can_be_wrong(operation) else MODES[:1]:

            @settings(
                max_examples=examples,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize=True,
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def send(case: schemathesis.Case) -> None:
                nonlocal tried
                answer = case.call(headers=FROM_AFAR)
                assert answer.status_code < 500, answer.text
                tried += 1

            send()
    assert tried > at_least


def test_a_table_handles_any_payload_unchanged(server: ServerProcess) -> None:
    chance = random.Random(3)
    with ApiConnection(server.port) as caller:
        table = ApiTable(caller)
        who = table.find_asked_seat()
        assert who is not None
        before = caller.text(f"{table.url}/record", table.tokens[0])
        for _ in range(400):
            body: dict[str, object] = {
                "option": chance.choice([*SENT, "start rome", 5, None, ["start rome"], {"a": 1}]),
                "version": chance.choice([-1, 1, 7, 2**40, "0", None, 0.5, True, [], SENT[3]]),
                "key": chance.choice([*SENT, None, 4]),
                "seat": chance.choice([None, 9, -1, "0", [], 2**70]),
            }
            for name in chance.sample(sorted(body), chance.randrange(3)):
                del body[name]
            status, answer = caller.call(
                "POST", f"{table.url}/{chance.choice(['move', 'undo'])}", body, table.tokens[chance.randrange(2)]
            )
            assert 400 <= status < 500, (status, body, answer)
        assert caller.text(f"{table.url}/record", table.tokens[0]) == before


def test_every_operation_handles_wrong_bodies(tmp_path: Path) -> None:
    """A player sends each field with a wrong value, and no object at all, by cookie and by token."""
    sent = 0
    with TestClient(
        create_app(api.make_settings(tmp_path)), raise_server_exceptions=True, follow_redirects=False
    ) as client:
        assert client.portal is not None
        _, secret = client.portal.call(api.get_server(client).people.create_person, "Anna")
        client.cookies.set(SESSION_COOKIE, secret)
        table = api.ApiClient(client)
        table.client = api.make_client(client)
        table.fill().client = client
        token = {"authorization": f"Bearer {table.tokens[0]}"}
        before = table.record()
        told = client.get("/api/v1/openapi.json").json()
        for path, method, wanted in operations(told):
            for body in bodies(wanted):
                answer = client.request(
                    method, path.format_map(Filled(table.id)), json=body, headers=token if sent % 3 else {}
                )
                assert answer.status_code < 500, (method, path, body, answer.text)
                sent += 1
        assert table.record() == before
    assert sent > 100


def test_the_pages_handle_any_form(tmp_path: Path) -> None:
    chance = random.Random(6)
    with TestClient(
        create_app(api.make_settings(tmp_path)), raise_server_exceptions=True, follow_redirects=False
    ) as client:
        table = api.ApiClient(client).fill()
        home = client.get("/").text
        csrf = home.split('name="csrf" value="')[1].split('"')[0]
        acts = [
            "move",
            "undo",
            "request-undo",
            "hint",
            "resign",
            "vote-substitute",
            "chat",
            "join",
            "leave",
            "add-bot",
            "close",
            "rematch",
            "continue",
        ]
        paths = [f"/tables/{table.id}/{act}" for act in acts] + [
            "/join",
            "/settings",
            "/records",
            "/me/sign-in-link",
            "/play/nothing",
        ]
        names = ["option", "version", "seat", "key", "code", "name", "text", "n", "bot", "back", "language", "theme"]
        before = table.record()
        for _ in range(150):
            form = {name: chance.choice(SENT) for name in chance.sample(names, 5)}
            if chance.random() < 0.8:
                form["csrf"] = csrf
            answer = client.post(chance.choice(paths), data=form)
            assert answer.status_code < 500
        for path in (
            "/tables/x/positions/y",
            f"/tables/{table.id}/positions/-1",
            "/tables?page=x",
            "/new?game=%00",
            "/rules/../x",
            "/invitations/a/b/c",
            f"/tables/{table.id}/positions?as=²",
            "/matches/abcdefgh/positions?as=²",
        ):
            assert client.get(path).status_code < 500
        assert table.record() == before


def test_a_form_without_its_token_does_nothing(tmp_path: Path) -> None:
    with TestClient(create_app(api.make_settings(tmp_path)), follow_redirects=False) as client:
        assert client.post("/play/evangelists").status_code == 403
        assert client.post("/play/evangelists", data={"csrf": "0" * 32}).status_code == 403
        assert client.get("/api/v1/tables?which=mine").json()["tables"] == []
