"""Programs of one's own: registered to be rated, each with a key that is told once."""

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts import bot_accounts
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.auth import count, server_of
from triclinium.web.page_context import Reading

router = APIRouter(include_in_schema=False)


@router.get("/me/programs")
async def get_programs(request: Request) -> Response:
    return await server_of(request).in_thread(_page, Reading(request))


def _page(reading: Reading, key: str = "") -> Response:
    owner = _owner(reading)
    with reading.server.store.reading() as connection:
        found = bot_accounts.of(connection, owner.id)
    return reading.page("people/programs.html.jinja", programs=found, key=key, most=bot_accounts.MOST)


@router.post("/me/programs")
async def post_programs(request: Request) -> Response:
    """Register one, or retire one."""
    count(request, "come")
    reading = Reading(request)
    form = await reading.form()
    owner = _owner(reading)
    if form.text("retire"):
        await bot_accounts.retire(reading.server, owner, form.whole("retire", 0))
        return reading.go("/me/programs")
    _, key = await bot_accounts.register(reading.server, owner, form.text("name"))
    return await reading.server.in_thread(_page, reading, key)


def _owner(reading: Reading) -> Person:
    if reading.person is None:
        raise NoNickname()
    return reading.person
