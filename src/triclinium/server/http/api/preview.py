"""The HTTP API, version 1: what an option would do. The seat that is asked is told, by what it knows."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from triclinium.server.errors import Stale
from triclinium.server.http.api.tables import Facts, Language, made
from triclinium.server.http.auth import seated, server_of, viewer_of
from triclinium.server.presenter import api_json
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.presenter.table_view import own_seat
from triclinium.server.tables.moves import check_running

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["play"])


@router.get("/tables/{id}/preview", response_model=Facts)
async def get_preview(
    request: Request,
    id: str,
    option: Annotated[str, Query(min_length=1, max_length=400, description="one of yours, or several: `a; b`")],
    version: Annotated[int | None, Query(ge=0, le=2**31, description="the table's; another is stale")] = None,
    seat: Annotated[int | None, Query(ge=0, le=5)] = None,
    language: Language = "en",
) -> Response:
    """What an option of your decision would do, by what your seat knows. Null: the game's own code fails over it."""
    server = server_of(request)
    table = await server.table(id)
    async with table.lock:
        at = viewer_of(request, table)
        await server.load_match(table)
        mine = seated(at, own_seat(table, at.mine) if seat is None else seat)
        check_running(table)
        if version not in (None, table.version):
            raise Stale("the table has moved on: look again and choose")
        return await made(server, lambda: api_json.preview(table, at, mine, option, language))
