"""QR code and large join code of a table in the waiting room."""

from fastapi import APIRouter, Request, Response

from triclinium.server.http.auth import get_current_viewer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.waiting_room import render_large_code, render_table_qr

router = APIRouter(include_in_schema=False, prefix="/tables/{id}")


@router.get("/qr.svg")
async def get_qr_code(request: Request, id: str, hand: str = "") -> Response:
    """Return the QR code of the join page, for players who may invite others."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    return await context.services.runtime.run_in_thread(
        render_table_qr, context, table, get_current_viewer(request, table), hand == "on"
    )


@router.get("/invitation")
async def get_large_code(request: Request, id: str) -> Response:
    """Return a page with the join code and the QR code in large print, for a television."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    return await context.services.runtime.run_in_thread(
        render_large_code, context, table, get_current_viewer(request, table)
    )
