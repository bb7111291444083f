"""How friends reach the house: what is so, and what whoever runs it may change."""

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts.owner import PATH, check_owner
from triclinium.server.accounts.site_password import MOST
from triclinium.server.http.auth import count
from triclinium.server.http.password_gate import COOKIE, pass_of
from triclinium.server.net.head_requests import ASKED
from triclinium.web.page_context import YEAR, Form, Reading, inner_path
from triclinium.web.pages.waiting import Finding

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
    """Let the network in, close the door again, choose the address that stands in links, or set the password."""
    reading, form = await _owner(request)
    reach, password = reading.server.reach, reading.server.password
    if form.text("password") or form.text("door") == "unlock":
        await password.change("" if form.text("door") == "unlock" else form.text("password"))
    if form.text("door") == "open":
        await reach.let_in()
    elif form.text("door") == "close":
        await reach.shut()
    if form.text("address"):
        reach.choose(form.text("address")[:255])
    response = reading.go(inner_path(form.text("back", "/reach")))
    if password.is_set:
        give_pass(reading, response)
    return response


@router.get(f"{PATH}{{token}}")
async def get_owner(request: Request, token: str) -> Response:
    """Exchange the owner's link for the owner's cookie, and go to the start page."""
    count(request, "guess")
    reading = Reading(request)
    response = reading.go("/")
    if request.scope.get(ASKED) == "HEAD" or "prefetch" in request.headers.get("sec-purpose", ""):
        return response  # a program looks at the link: it stays unused
    await reading.server.owners.accept(request, token, response)
    return response


@router.get("/door")
async def get_door(request: Request, back: str = "/") -> Response:
    """Where the house password is said."""
    reading = Reading(request)
    if not reading.server.password.is_set:
        return reading.go(inner_path(back))
    return await reading.show("door.html.jinja", back=inner_path(back), problem="")


@router.post("/door")
async def post_door(request: Request) -> Response:
    count(request, "door")
    reading = Reading(request)
    form = await reading.form()
    password, back = reading.server.password, inner_path(form.text("back", "/"))
    if not await reading.server.in_thread(password.fits, form.text("password")[:MOST]):
        problem = reading.speech("that is not the password of this house")
        return await reading.show("door.html.jinja", 403, back=back, problem=problem)
    response = reading.go(back)
    give_pass(reading, response)
    return response


def give_pass(reading: Reading, response: Response) -> None:
    """This device need not say the password again."""
    secure = reading.request.url.scheme == "https"
    response.set_cookie(COOKIE, pass_of(reading.server), YEAR, httponly=True, samesite="lax", secure=secure, path="/")


async def _owner(request: Request) -> tuple[Reading, Form]:
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    check_owner(request.scope)
    return reading, form
