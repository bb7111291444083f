"""The network page: how friends can reach this server, and the settings that its owner can change."""

from fastapi import APIRouter, Request, Response

from triclinium.server.accounts.owner import LINK_PATH
from triclinium.server.accounts.site_password import MAX_LENGTH
from triclinium.server.errors import RequestError
from triclinium.server.http.api import network as api
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.commands import Caller, JsonObject
from triclinium.server.http.password_gate import GATE_COOKIE, sign_gate_cookie
from triclinium.server.net.cookies import YEAR_SECONDS
from triclinium.server.net.head_requests import ORIGINAL_METHOD
from triclinium.web.forms import FieldValues, FormPost, FormRoutes
from triclinium.web.page_context import PageContext, PostedForm, check_redirect_path
from triclinium.web.pages.waiting_room import NetworkAccess

router = APIRouter(include_in_schema=False)
forms = FormRoutes(api.commands)


@router.get("/network")
async def get_network(request: Request, back: str = "/") -> Response:
    """Return the page with the addresses of this server, on the local network and on the internet."""
    context = PageContext(request)
    context.check_public_address()
    return await context.services.runtime.run_in_thread(_render_network, context, check_redirect_path(back))


def _render_network(context: PageContext, back: str) -> Response:
    return context.render_page("network.html.jinja", finding=NetworkAccess(context), back=back)


@forms.read(api.set_site_password)
def read_new_password(context: PageContext, form: PostedForm) -> FieldValues:
    """Read the new password. The button that removes the password overrides the field."""
    return {"password": "" if form.text("operation") == "remove-password" else form.text("password")[: MAX_LENGTH + 1]}


@forms.answer(api.set_site_password)
async def continue_after_password(post: FormPost[Caller, api.TypedPassword, api.SiteAccess]) -> Response:
    """Redirect back, and first open the server to the network if the form asks for both."""
    if post.form.text("operation") == "open":
        await api.change_network.run(post.caller, api.NetworkSettings(open=True, address=None))
    return _redirect_back(post.context, post.form)


@forms.read(api.change_network)
def read_network_settings(context: PageContext, form: PostedForm) -> FieldValues:
    return {
        "open": {"open": True, "close": False}.get(form.text("operation")),
        "address": form.text("address")[:255] or None,
    }


@forms.answer(api.change_network)
async def continue_after_change(post: FormPost[Caller, api.NetworkSettings, JsonObject]) -> Response:
    return _redirect_back(post.context, post.form)


def _redirect_back(context: PageContext, form: PostedForm) -> Response:
    """Redirect back to the page with the form, and set the password cookie if the server has a password."""
    response = context.redirect(check_redirect_path(form.text("back", "/network")))
    if context.services.password.is_set:
        set_password_cookie(context, response)
    return response


@router.get(f"{LINK_PATH}{{token}}")
async def get_owner_link(request: Request, token: str) -> Response:
    """Exchange the owner's link for the owner's cookie, and redirect to the start page."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    response = context.redirect("/")
    if request.scope.get(ORIGINAL_METHOD) == "HEAD" or "prefetch" in request.headers.get("sec-purpose", ""):
        return response  # a chat service requests the link for a preview, so the link stays valid
    await context.services.owners.accept_link(request, token, response)
    return response


@router.get("/password")
async def get_password_gate(request: Request, back: str = "/") -> Response:
    """Return the page on which a visitor enters the site password."""
    context = PageContext(request)
    if not context.services.password.is_set:
        return context.redirect(check_redirect_path(back))
    return await context.render_in_thread("site_password.html.jinja", back=check_redirect_path(back), problem="")


@forms.answer(api.enter_site_password)
async def let_in(post: FormPost[Caller, api.TypedPassword, api.SiteAccess]) -> Response:
    response = post.context.redirect(check_redirect_path(post.form.text("back", "/")))
    set_password_cookie(post.context, response)
    return response


@forms.refuse(api.enter_site_password)
async def ask_again(context: PageContext, form: PostedForm, error: RequestError) -> Response:
    """Show the form again with the error message."""
    back = check_redirect_path(form.text("back", "/"))
    problem = context.localize.reader.read(error.message)
    return await context.render_in_thread("site_password.html.jinja", error.status, back=back, problem=problem)


def set_password_cookie(context: PageContext, response: Response) -> None:
    """Set the cookie that saves this device from entering the site password again."""
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
