"""HTTP API: moves. Nine of ten requests to a busy server are moves, so a middleware handles them without routing."""

import json
import re
from typing import Annotated, Self

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError, model_validator
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.server.errors import NotAllowed
from triclinium.server.http.auth import (
    check_rate_limit,
    get_current_viewer,
    get_current_visitor,
    get_services,
    require_seat,
)
from triclinium.server.http.commands import Api, Arguments, CommandList, Form
from triclinium.server.http.error_responses import HANDLED_ERRORS, build_error_response
from triclinium.server.http.table_commands import MOVER, TableArguments, TableCaller
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.seat_ids import nobody_to_none
from triclinium.server.tables import moves
from triclinium.server.tables.broadcast import add_options_json
from triclinium.server.tables.seats import end_own_substitutions, end_substitution

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)
MAX_TEXT = 400  # characters of the options that a form sends
MOVE_PATH = re.compile("/api/v1/tables/([^/]+)/move")


class MoveBody(Arguments):
    """One option, or several in their order, made against one version of the table."""

    option: str = Field("", max_length=120, description="an option in notation, as the decision lists it")
    # This is a tuple, because pydantic would copy the default of a list for every move.
    options: tuple[Annotated[str, Field(min_length=1, max_length=120)], ...] = Field(
        (), max_length=moves.MAX_OPTIONS, description="several options instead of one; all are accepted, or none"
    )
    version: int = Field(ge=0, le=2**31)
    key: str = Field(
        "", max_length=64, description="idempotency key: a repeated request with the same key has no further effect"
    )
    seat: int | None = Field(None, ge=0, le=5)

    @model_validator(mode="after")
    def check_one_or_several(self) -> Self:
        """Raise ValueError unless either `option` or `options` is given, but not both."""
        if bool(self.option) == bool(self.options):
            raise ValueError("give either one option or several options")
        return self


class Move(MoveBody, TableArguments):
    """A move at a table. Forms send one option or several as ``text``, in notation."""

    text: str = Field("", max_length=MAX_TEXT)

    @model_validator(mode="after")
    def check_one_or_several(self) -> Self:
        """Raise ValueError unless exactly one way of naming options is used."""
        if bool(self.option) + bool(self.options) + bool(self.text) != 1:
            raise ValueError("give either one option or several options")
        return self


@commands.add(
    "move",
    MOVER,
    api=Api("POST", "/tables/{id}/move", tags=["play"], left_out=["text"]),
    form=Form("/tables/{id}/move", fields={"text": "option"}, rates=["move"]),
    rates=[],  # `play_move` counts requests of the API by seat
)
async def post_move(caller: TableCaller, arguments: Move) -> Response:
    """Make a move by choosing an option. The move is stored before you get the answer."""
    if not caller.is_form:
        return await play_move(caller.request, arguments.id, arguments)
    services = caller.services
    async with services.tables.locked(caller.table) as table:
        viewer = get_current_visitor(caller.request, table)  # the seat may have changed hands meanwhile
        await end_own_substitutions(services, table, viewer.own_seats)
        seat = require_seat(viewer, arguments.seat)
        if caller.before_move is not None:
            await caller.before_move(table, seat)
        await moves.make_move(services, table, seat, arguments.text, arguments.version, arguments.key)
    return Response()


async def play_move(request: Request, id: str, body: MoveBody) -> Response:
    """Make a move that was sent to the API, and return the state of the table as JSON.

    This function avoids all steps that a move does not need.
    """
    services = get_services(request)
    table = await services.tables.get_table(id, body.version)
    try:
        viewer = get_current_viewer(request, table)
    except NotAllowed:  # the caller may have taken the seat at another server of the cluster
        table = await services.tables.get_table(id)
        viewer = get_current_viewer(request, table)
    seating_version = table.hub.seating_version
    async with services.tables.locked(table) as locked:
        if locked.hub.seating_version != seating_version:  # seats changed hands while this request waited for the lock
            viewer = get_current_viewer(request, locked)
        seat = require_seat(viewer, body.seat)
        check_rate_limit(request, "move", locked.id, seat)
        if body.seat is None and locked.who in viewer.own_seats:
            seat = locked.who
        if locked.occupants[seat].substitute:  # the owner of the seat is back
            await end_substitution(services, locked, seat)
        await moves.make_move(
            services, locked, seat, body.option or OPTION_SEPARATOR.join(body.options), body.version, body.key
        )
        facts: dict[str, object] = {
            "version": locked.version,
            "moves": locked.moves,
            "status": locked.status,
            "who": nobody_to_none(locked.who),
        }
        response_text = json.dumps(facts)
        if locked.match is not None and locked.who in viewer.own_seats:
            response_text = add_options_json(response_text, locked)
    return Response(response_text, media_type="application/json")


async def _parse_body(request: Request) -> MoveBody:
    """Return the parsed body. Raise RequestValidationError if it is not a move."""
    try:
        return MoveBody.model_validate_json(await request.body())
    except ValidationError as wrong:
        errors = wrong.errors(include_url=False)
        raise RequestValidationError([{**each, "loc": ("body", *each["loc"])} for each in errors]) from None


class FastMoveMiddleware:
    """ASGI middleware that calls the handler of moves directly, after all other middleware.

    Routing, dependencies and error handling of FastAPI would take as long as the handler itself.
    """

    def __init__(self, app: ASGIApp, route: BaseRoute) -> None:
        self.app, self.route = app, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_post = scope["type"] == "http" and scope["method"] == "POST" and not scope.get("root_path")
        path_match = MOVE_PATH.fullmatch(scope["path"]) if is_post else None
        if path_match is None:
            await self.app(scope, receive, send)
            return
        scope["path_params"], scope["route"] = {"id": path_match[1]}, self.route
        request = Request(scope, receive, send)
        try:
            response = await play_move(request, path_match[1], await _parse_body(request))
        except HANDLED_ERRORS as problem:
            response = await build_error_response(request, problem)
        await response(scope, receive, send)


def add_move_route(app: FastAPI) -> None:
    """Add the route of moves to the application, and the middleware that handles them.

    The route itself only describes the command in the OpenAPI schema and refuses other methods.
    """
    app.router.routes += router.routes
    app.add_middleware(FastMoveMiddleware, route=router.routes[-1])
