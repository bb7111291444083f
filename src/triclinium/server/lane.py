"""The fast lane: a move by the API goes straight to its table, past the search for a route.

The same move is a route of the API as well, where it is described; both call `decide`. Nine of ten requests of a busy
house are moves, and finding their route costs more than making them.
"""

import json

from fastapi import FastAPI, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Receive, Scope, Send

from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.state import NOBODY
from triclinium.server.auth import count, house_of, seated, viewer_of
from triclinium.server.errors import HouseError
from triclinium.server.tables import moves
from triclinium.server.tables.seating import hand_back

BEFORE = "/api/v1/tables/"
AFTER = "/move"


class Move(BaseModel):
    """One option, made against one version of the table."""

    model_config = ConfigDict(extra="forbid", strict=True)
    option: str = Field(min_length=1, max_length=120, description="in notation, as listed in the options")
    version: int = Field(ge=0, le=2**31)
    key: str = Field("", max_length=64, description="your own mark: the same post twice is done once")
    seat: int | None = Field(None, ge=0, le=5)


async def decide(request: Request, id: str, move: Move) -> dict[str, object]:
    """Make a move; what its sender is told."""
    house = house_of(request)
    table = await house.table(id)
    at = viewer_of(request, table)
    seat = seated(at, move.seat)
    count(request, "move", table.id, seat)
    if move.seat is None and table.who in at.mine:
        seat = table.who
    generation = table.sitters[seat].generation
    if table.sitters[seat].standin:  # its owner is back
        await hand_back(house, table, table.sitters[seat])
    seating = table.hub.seating
    await moves.move(house, table, seat, move.option, move.version, move.key, generation=generation)
    facts: dict[str, object] = {
        "version": table.version,
        "moves": table.moves,
        "status": table.status,
        "who": None if table.who == NOBODY else table.who,
    }
    if table.match is not None and table.who in at.mine and table.hub.seating == seating:
        facts["options"] = table.offered()
    return facts


class Lane:
    """Takes moves out of the stream of requests; all else goes on to the application."""

    def __init__(self, app: ASGIApp, house: FastAPI) -> None:
        self.app = app
        self.house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(BEFORE):
            await self.app(scope, receive, send)
            return
        id = scope["path"][len(BEFORE) : -len(AFTER)]
        if not scope["path"].endswith(AFTER) or "/" in id:
            await self.app(scope, receive, send)
            return
        scope["app"] = self.house
        scope["path_params"] = {"id": id}
        request = Request(scope, receive)
        try:
            try:
                move = Move.model_validate_json(await request.body())
            except ValidationError as wrong:
                first = wrong.errors(include_url=False, include_context=False, include_input=False)[0]
                where = ".".join(str(part) for part in first["loc"])
                raise HouseError(f"{where}: {first['msg']}" if where else first["msg"]) from None
            body = json.dumps(await decide(request, id, move)).encode()
        except (TricliniumError, SQLAlchemyError) as error:
            from triclinium.server.app import answer_problem

            await (await answer_problem(request, error))(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})
