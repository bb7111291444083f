"""The network page: how friends can reach this server, and the settings that its owner can change."""

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts.owner import LINK_PATH, check_owner
from triclinium.server.accounts.site_password import MAX_LENGTH
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.password_gate import GATE_COOKIE, sign_gate_cookie
from triclinium.server.net.cookies import YEAR_SECONDS
from triclinium.server.net.head_requests import ORIGINAL_METHOD
from triclinium.web.page_context import PageContext, PostedForm, check_redirect_path
from triclinium.web.pages.waiting_room import NetworkAccess

router = APIRouter(include_in_schema=False)


@router.get("/network")
async def get_network(request: Request, back: str = "/") -> Response:
    """Return the page with the addresses of this server, on the local network and on the internet."""
    context = PageContext(request)
    context.check_public_address()
    return await context.services.runtime.run_in_thread(_render_network, context, check_redirect_path(back))


def _render_network(context: PageContext, back: str) -> Response:
    return context.render_page("network.html.jinja", finding=NetworkAccess(context), back=back)


@router.post("/network")
async def post_network(request: Request) -> Response:
    """Let the network in, close the door again, choose the address that stands in links, or set the password."""
    context, form = await _read_owner_post(request)
    reach, password = context.services.reachability, context.services.password
    if form.text("password") or form.text("operation") == "remove-password":
        await password.set_password("" if form.text("operation") == "remove-password" else form.text("password"))
    if form.text("operation") == "open":
        await reach.open_to_network()
    elif form.text("operation") == "close":
        await reach.close_to_network()
    if form.text("address"):
        reach.choose_link_host(form.text("address")[:255])
    response = context.redirect(check_redirect_path(form.text("back", "/network")))
    if password.is_set:
        set_password_cookie(context, response)
    return response


@router.get(f"{LINK_PATH}{{token}}")
async def get_owner_link(request: Request, token: str) -> Response:
    """Exchange the owner's link for the owner's cookie, and go to the start page."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    response = context.redirect("/")
    if request.scope.get(ORIGINAL_METHOD) == "HEAD" or "prefetch" in request.headers.get("sec-purpose", ""):
        return response  # a program requests the link for a preview, so it stays unused
    await context.services.owners.accept_link(request, token, response)
    return response


@router.get("/password")
async def get_password_gate(request: Request, back: str = "/") -> Response:
    """Return the page on which a visitor enters the server password."""
    context = PageContext(request)
    if not context.services.password.is_set:
        return context.redirect(check_redirect_path(back))
    return await context.render_in_thread("site_password.html.jinja", back=check_redirect_path(back), problem="")


@router.post("/password")
async def post_password(request: Request) -> Response:
    check_rate_limit(request, "door")
    context = PageContext(request)
    form = await context.read_form()
    password, back = context.services.password, check_redirect_path(form.text("back", "/"))
    if not await context.services.runtime.run_in_thread(password.is_correct, form.text("password")[:MAX_LENGTH]):
        problem = context.localize("that is not the password of this house")
        return await context.render_in_thread("site_password.html.jinja", 403, back=back, problem=problem)
    response = context.redirect(back)
    set_password_cookie(context, response)
    return response


def set_password_cookie(context: PageContext, response: Response) -> None:
    """Set the cookie with which this device need not enter the password again."""
    secure = context.request.url.scheme == "https"
    response.set_cookie(
        GATE_COOKIE,
        sign_gate_cookie(context.services),
        YEAR_SECONDS,
        httponly=True,
        samesite="lax",
        secure=secure,
        path="/",
    )


async def _read_owner_post(request: Request) -> tuple[PageContext, PostedForm]:
    check_rate_limit(request, "post")
    context = PageContext(request)
    form = await context.read_form()
    check_owner(request.scope)
    return context, form
