"""How friends reach the house: what is so, and what whoever runs it may change."""

from fastapi import APIRouter, Request, Response

from triclinium.server.auth import count
from triclinium.server.reach import check_owner
from triclinium.web.pages.waiting import Finding
from triclinium.web.render import Form, Reading, inner_path

router = APIRouter(include_in_schema=False)


@router.get("/reach")
async def get_reach(request: Request, back: str = "/") -> Response:
    """The ways, near and far."""
    reading = Reading(request)
    reading.look_at_public_address()
    return await reading.server.in_thread(_reach, reading, inner_path(back))


def _reach(reading: Reading, back: str) -> Response:
    return reading.page("reach.html.jinja", finding=Finding(reading), back=back)


@router.post("/reach")
async def post_reach(request: Request) -> Response:
    """Let the network in, close the door again, or choose the address that stands in links."""
    reading, form = await _owner(request)
    reach = reading.server.reach
    if form.text("door") == "open":
        await reach.let_in()
    elif form.text("door") == "close":
        await reach.shut()
    if form.text("address"):
        reach.choose(form.text("address")[:255])
    return reading.go(inner_path(form.text("back", "/reach")))


async def _owner(request: Request) -> tuple[Reading, Form]:
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    check_owner(request.scope)
    return reading, form
