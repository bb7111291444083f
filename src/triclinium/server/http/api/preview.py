"""HTTP API, version 1: previews of the options of a decision, for the seat that decides."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from triclinium.server.errors import StaleVersion
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import get_current_viewer, get_services, require_seat
from triclinium.server.presenter import api_json
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.presenter.table_view import choose_own_seat
from triclinium.server.tables.moves import check_running

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["play"])


@router.get("/tables/{id}/preview", response_model=JsonObject)
async def get_preview(
    request: Request,
    id: str,
    option: Annotated[str, Query(min_length=1, max_length=400, description="one of your options, or several: `a; b`")],
    version: Annotated[
        int | None, Query(ge=0, le=2**31, description="version of the table; an older version is refused")
    ] = None,
    seat: Annotated[int | None, Query(ge=0, le=5)] = None,
    language: Language = "en",
) -> Response:
    """Return the effects of one of your options, as far as your seat can know them. Null: no preview is possible."""
    services = get_services(request)
    async with services.tables.locked(id) as table:
        viewer = get_current_viewer(request, table)
        own_seat_number = require_seat(viewer, choose_own_seat(table, viewer.own_seats) if seat is None else seat)
        check_running(table)
        if version not in (None, table.version):
            raise StaleVersion("The table has changed in the meantime. Please check it and choose again.")
        return await build_json_response(
            services.runtime, lambda: api_json.build_preview_json(table, viewer, own_seat_number, option, language)
        )
