"""Tests of the table of commands: each has a route in the API and a form on a page, or says why not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from tests.server.api_client import make_settings
from triclinium.server.http.commands import AnyCommand, Api, Form, NotOffered
from triclinium.web.app import create_app, list_commands

TABLE = Path(__file__).parent / "commands.txt"
API_PREFIX = "/api/v1"
NOT_COMMANDS = {
    ("POST", "/api/v1/tables"): "its form has fields for each seat, game and clock, and is read by its page",
    ("POST", "/new"): "the form of a new table, with fields for each seat, game and clock",
    ("POST", "/play/{id}"): "one button of the start page: a new table against bots",
    ("POST", "/api/v1/records"): "the text of a record is the body, not an object",
    ("POST", "/records"): "a file is uploaded",
    (
        "POST",
        "/notifications/{what}/{id}/{sign}",
    ): "mail programs send it by themselves, to unsubscribe with one click",
    ("POST", "/tables/{id}/guide"): "what the guide of a page has shown, in a cookie",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    return create_app(make_settings(tmp_path_factory.mktemp("commands")))


def list_routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Yield the method and the path of each route that changes something."""
    for route in app.routes:
        if isinstance(route, APIRoute):
            yield from ((method, route.path) for method in (route.methods or set()) & {"POST", "PUT", "DELETE"})


def list_command_routes(command: AnyCommand) -> Iterator[tuple[str, str]]:
    """Yield the method and the path of both routes of a command."""
    if isinstance(command.api, Api):
        yield command.api.method, API_PREFIX + command.api.path
    if not isinstance(command.form, NotOffered):
        yield "POST", command.form.path


def describe(command: AnyCommand) -> str:
    """Return a command with its routes, in a few lines."""
    api, form = command.api, command.form
    in_api = f"none: {api.reason}" if isinstance(api, NotOffered) else f"{api.method} {API_PREFIX}{api.path}"
    on_page = f"none: {form.reason}" if isinstance(form, NotOffered) else f"POST {form.path}{_describe_condition(form)}"
    return f"{command.name} ({command.who.name})\n  API   {in_api}\n  form  {on_page}\n"


def _describe_condition(form: Form) -> str:
    return f" with {' or '.join(form.when)}" if form.when else ""


def describe_all() -> str:
    return "\n".join(sorted(describe(command) for command in list_commands()))


def test_every_command_is_in_the_table() -> None:
    """Compare the commands with a file, so that each change of a route is visible.

    `python -m tests.web.test_commands` writes the file.
    """
    assert describe_all() == TABLE.read_text(encoding="utf-8")


def test_commands_and_routes_correspond(app: FastAPI) -> None:
    commands = list_commands()
    names = [command.name for command in commands]
    assert len(names) == len(set(names))
    routes = list(list_routes(app))
    assert len(routes) == len(set(routes))
    declared = {route for command in commands for route in list_command_routes(command)}
    assert declared <= set(routes)
    assert set(routes) - declared == set(NOT_COMMANDS)


def test_a_command_without_a_route_has_a_reason() -> None:
    reasons = [
        each.reason
        for command in list_commands()
        for each in (command.api, command.form)
        if isinstance(each, NotOffered)
    ]
    assert reasons
    assert all(reason.endswith(".") and len(reason) > 20 for reason in reasons)
    assert not [
        command.name
        for command in list_commands()
        if isinstance(command.api, NotOffered) and isinstance(command.form, NotOffered)
    ]


if __name__ == "__main__":
    TABLE.write_text(describe_all(), encoding="utf-8")
