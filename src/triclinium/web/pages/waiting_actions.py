"""What is done in the waiting room, before the deal."""

from fastapi import APIRouter, Request, Response

from triclinium.server.http.auth import viewer_of
from triclinium.server.tables import ready_check
from triclinium.web.page_context import Reading
from triclinium.web.pages.table_actions import post_at
from triclinium.web.pages.waiting import large_page, qr_code

router = APIRouter(include_in_schema=False, prefix="/t/{id}")


@router.get("/qr.svg")
async def get_qr(request: Request, id: str) -> Response:
    """The code of the table for a phone's camera, for those who may invite."""
    reading = Reading(request)
    table = await reading.server.table(id)
    return await reading.server.in_thread(qr_code, reading, table, viewer_of(request, table))


@router.get("/large")
async def get_large(request: Request, id: str) -> Response:
    """The same for a television."""
    reading = Reading(request)
    table = await reading.server.table(id)
    return await reading.server.in_thread(large_page, reading, table, viewer_of(request, table))


@router.post("/ready")
async def post_ready(request: Request, id: str) -> Response:
    """Somebody is ready for the deal."""
    post = await post_at(request, id)
    await ready_check.press(post.server, post.table, post.at.mine)
    return post.back()


@router.post("/asking")
async def post_asking(request: Request, id: str) -> Response:
    """The host lets everybody be asked before the deal, or not."""
    post = await post_at(request, id)
    await ready_check.switch(post.server, post.table, post.at.is_host(post.table), post.form.flag("ready"))
    return post.back()
