"""The HTTP API: a move. Nine of ten requests of a busy server are moves, so they are led there by the shortest way."""

import json
import re
from typing import Annotated, Self

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.match import TOGETHER
from triclinium.server.errors import NotAllowed
from triclinium.server.http.auth import count, seated, server_of, viewer_of
from triclinium.server.http.error_responses import ANSWERED, answer_problem
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.presenter.seat_ids import or_none
from triclinium.server.server import with_options
from triclinium.server.tables import moves
from triclinium.server.tables.seats import hand_back

PATH = re.compile("/api/v1/tables/([^/]+)/move")


class Move(BaseModel):
    """One option, or several in their order, made against one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    option: str = Field("", max_length=120, description="in notation, as listed in the options")
    # A tuple, since the default of a list would be copied for every move.
    options: tuple[Annotated[str, Field(min_length=1, max_length=120)], ...] = Field(
        (), max_length=moves.MOST, description="several in its place, accepted or refused as a whole"
    )
    version: int = Field(ge=0, le=2**31)
    key: str = Field("", max_length=64, description="your own mark: the same post twice is done once")
    seat: int | None = Field(None, ge=0, le=5)

    @model_validator(mode="after")
    def one_or_several(self) -> Self:
        """Either is named, and not both."""
        if bool(self.option) == bool(self.options):
            raise ValueError("name one option, or several options")
        return self


async def post_move(request: Request, id: str, move: Move) -> Response:
    """Choose an option. It is on disk when you get the answer."""
    server = server_of(request)
    table = await server.table(id, move.version)
    try:
        at = viewer_of(request, table)
    except NotAllowed:  # somebody may have sat down at another server
        table = await server.table(id)
        at = viewer_of(request, table)
    seat = seated(at, move.seat)
    count(request, "move", table.id, seat)
    if move.seat is None and table.who in at.mine:
        seat = table.who
    generation = table.occupants[seat].generation
    if table.occupants[seat].standin:  # its owner is back
        await hand_back(server, table, table.occupants[seat])
    seating = table.hub.seating
    wanted = move.option or TOGETHER.join(move.options)
    await moves.move(server, table, seat, wanted, move.version, move.key, generation=generation)
    facts: dict[str, object] = {
        "version": table.version,
        "moves": table.moves,
        "status": table.status,
        "who": or_none(table.who),
    }
    told = json.dumps(facts)
    if table.match is not None and table.who in at.mine and table.hub.seating == seating:
        told = with_options(told, table)
    return Response(told, media_type="application/json")


async def _read(request: Request) -> Move:
    """The body as its model; raises RequestValidationError."""
    try:
        return Move.model_validate_json(await request.body())
    except ValidationError as wrong:
        found = wrong.errors(include_url=False)
        raise RequestValidationError([{**each, "loc": ("body", *each["loc"])} for each in found]) from None


class StraightToMoves:
    """An ASGI layer that leads a move to its function at once: it passes everything that stands before, and no more.

    To find the route, to solve its dependencies and to catch what is raised on the way costs FastAPI as much as the
    function itself.
    """

    def __init__(self, app: ASGIApp, route: BaseRoute) -> None:
        self.app, self.route = app, route

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_post = scope["type"] == "http" and scope["method"] == "POST" and not scope.get("root_path")
        found = PATH.fullmatch(scope["path"]) if is_post else None
        if found is None:
            await self.app(scope, receive, send)
            return
        scope["path_params"], scope["route"] = {"id": found[1]}, self.route
        request = Request(scope, receive, send)
        try:
            answer = await post_move(request, found[1], await _read(request))
        except ANSWERED as problem:
            answer = await answer_problem(request, problem)
        await answer(scope, receive, send)


def add(app: FastAPI) -> None:
    """The route, as it is described and as other methods are refused; and the layer, behind all others."""
    app.add_api_route("/api/v1/tables/{id}/move", post_move, methods=["POST"], tags=["play"], responses=PROBLEMS)
    app.add_middleware(StraightToMoves, route=app.routes[-1])
