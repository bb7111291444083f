"""Forms and codes of the waiting room, before the deal."""

from fastapi import APIRouter, Request, Response

from triclinium.server.http.auth import get_current_viewer
from triclinium.server.tables import ready_check
from triclinium.web.page_context import PageContext
from triclinium.web.pages.table_actions import read_table_post
from triclinium.web.pages.waiting_room import render_large_code, render_table_qr

router = APIRouter(include_in_schema=False, prefix="/tables/{id}")


@router.get("/qr.svg")
async def get_qr_code(request: Request, id: str) -> Response:
    """Return the QR code of the table for a phone, if the reader may invite people."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    return await context.services.runtime.run_in_thread(
        render_table_qr, context, table, get_current_viewer(request, table)
    )


@router.get("/invitation")
async def get_large_code(request: Request, id: str) -> Response:
    """Return the join code for a large screen, such as a television."""
    context = PageContext(request)
    table = await context.services.tables.get_table(id)
    return await context.services.runtime.run_in_thread(
        render_large_code, context, table, get_current_viewer(request, table)
    )


@router.post("/ready")
async def post_ready(request: Request, id: str) -> Response:
    """Confirm that a player is ready for the deal."""
    post = await read_table_post(request, id)
    await ready_check.confirm_ready(post.services, post.table, post.viewer.own_seats)
    return post.redirect_to_table()


@router.post("/ready-check")
async def post_ready_check(request: Request, id: str) -> Response:
    """Turn the ready check before the deal on or off, as the host."""
    post = await read_table_post(request, id)
    await ready_check.set_ready_check(
        post.services, post.table, post.viewer.is_host(post.table), post.form.flag("ready")
    )
    return post.redirect_to_table()
