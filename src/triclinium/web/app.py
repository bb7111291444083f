"""The whole application: the API of `triclinium.server.app` and the pages."""

from functools import partial

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from triclinium.engine.core.errors import Refused, TricliniumError
from triclinium.server import app as server_app
from triclinium.server.errors import NoNickname, NotFound, RequestError
from triclinium.server.fallback_text import format_refusal
from triclinium.server.http.auth import get_current_viewer
from triclinium.server.http.commands import AnyCommand
from triclinium.server.http.error_responses import SERVER_ERROR, format_error, get_error_headers, get_status_and_code
from triclinium.server.log_format import REQUEST_ID
from triclinium.server.presenter.decision import make_reader
from triclinium.server.settings import Settings
from triclinium.server.tables.lobby import load_tables_page
from triclinium.web.forms import ACTING_SEAT_KEY, FROM_HAND_KEY
from triclinium.web.i18n import Localizer, choose_language, get_cached_reader
from triclinium.web.page_context import PageContext, PageResources, load_all_games
from triclinium.web.pages import (
    account,
    bot_accounts,
    component_gallery,
    deals,
    evening,
    home,
    join,
    match_file,
    network,
    notifications,
    owner,
    players,
    playtests,
    practice,
    print_game,
    redirects,
    review,
    room,
    rules,
    shared_match,
    shared_picture,
    shuffle_commitment,
    table_actions,
    waiting_room_actions,
    workshop,
)
from triclinium.web.pages import pwa as installed
from triclinium.web.pages.table_page import render_hand_page, render_table_page

LISTED_TABLES = 5  # number of tables that the page "Not found" lists
TABLE_PREFIX = "/tables/{id}/"  # the path of everything below a table
DISALLOWED_PATHS = (
    "/tables/",
    "/join",
    "/evening",
    "/invitations/",
    "/watch/",
    "/me",
    "/players",
    "/leaderboard",
    "/notifications",
    "/server",
    "/workshop",
    "/playtests/",
    "/print/",
)

# The routes of a match's picture and of a playtest come first, because routes of pages match the same addresses.
PAGE_MODULES = (
    home,
    deals,
    join,
    evening,
    network,
    owner,
    table_actions,
    waiting_room_actions,
    review,
    room,
    rules,
    component_gallery,
    shuffle_commitment,
    shared_picture,
    shared_match,
    match_file,
    players,
    practice,
    bot_accounts,
    account,
    notifications,
    playtests,
    workshop,
    print_game,
    installed,
    redirects,
)


def create_app(settings: Settings) -> FastAPI:
    """Return an application with the API and the pages, ready to be served."""
    app = server_app.create_app(settings)
    pages = PageResources()
    app.state.pages = pages
    app.state.page_problem = render_error_page
    app.state.speak = translate_for_request
    app.state.services.reader = lambda language: get_cached_reader(language, None).reader
    for part in PAGE_MODULES:
        app.router.routes += part.router.routes  # added in the same way as the server's own routes
        if hasattr(part, "forms"):
            app.router.routes += part.forms.make_router().routes
    _try_first(app, "/tables/{id}")

    async def get_static_file(request: Request, name: str) -> Response:
        response = pages.files.respond(request, name)
        if response is None:
            raise NotFound("There is no such page.")
        return response

    async def get_robots_txt() -> Response:
        return PlainTextResponse("User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in DISALLOWED_PATHS))

    _redirect_forms_to_tables(app)
    if settings.warm_up:
        app.state.ready += pages.list_warmup_jobs()
    app.add_api_route("/static/{name}", get_static_file, include_in_schema=False)
    app.add_api_route("/robots.txt", get_robots_txt, include_in_schema=False)
    return app


def list_commands() -> list[AnyCommand]:
    """Return all commands: those of the API, and those that only pages have."""
    return server_app.list_commands() + server_app.list_commands(PAGE_MODULES)


def _try_first(app: FastAPI, path: str) -> None:
    """Move the page with this path to the front of the routes.

    The router tries one route after the other, and the page of a table is requested after each move.
    """
    page = next(route for route in app.routes if isinstance(route, APIRoute) and route.path == path)
    app.router.routes.remove(page)
    app.router.routes.insert(0, page)


def _redirect_forms_to_tables(app: FastAPI) -> None:
    """Answer a GET on the address of a table's form with a redirect to the table.

    A browser sends such a request when someone reloads the page that followed a form, or opens it from the history.
    """
    forms = {route.path for route in app.routes if isinstance(route, APIRoute) and "POST" in (route.methods or ())}

    async def redirect(id: str, form: str) -> Response:
        if f"{TABLE_PREFIX}{form}" not in forms:
            raise NotFound("There is no such page.")
        return RedirectResponse(f"/tables/{id}", 303)

    app.add_api_route(f"{TABLE_PREFIX}{{form:path}}", redirect, include_in_schema=False)


async def render_error_page(request: Request, error: Exception) -> Response:
    """Return the page that says what went wrong. At a table, return the current table with the error message."""
    status, _ = get_status_and_code(error)
    context = PageContext(request, anonymous=status == 503)  # a database that has just failed is not asked again
    text = format_error(error, context.localize.reader)
    # the seat for which the form was sent, if several people share a device
    acting_seat = request.scope.get(ACTING_SEAT_KEY)
    if request.method == "POST" and request.url.path.startswith("/tables/") and status in (400, 403, 409, 500):
        try:
            current_table = await context.services.tables.get_table(request.path_params.get("id", ""))
            async with context.services.tables.locked(current_table) as current_table:
                viewer = get_current_viewer(request, current_table)
                if isinstance(error, Refused):
                    text = format_refusal(current_table.game, error, make_reader(current_table, context.language))
                render = partial(render_table_page, acting_seat=acting_seat)
                if request.scope.get(FROM_HAND_KEY) and current_table.begun:
                    render = partial(render_hand_page)
                page = await context.services.runtime.run_in_thread(
                    partial(render, notice=text, status=status), context, current_table, viewer
                )
                return add_error_headers(page, error)
        except RequestError:
            pass  # this reader cannot see the table, so the plain error page is shown
        except TricliniumError as other:
            text = str(other)
    if status == 404 and not isinstance(error, RequestError):
        text = context.localize("There is no such page.")
    heading = context.localize("Not found") if status == 404 else context.localize("Something went wrong")
    variables = {"heading": heading, "text": text, "nameless": isinstance(error, NoNickname), "tables": []}
    variables["request"] = REQUEST_ID.get() if status >= SERVER_ERROR else ""
    if status == 404 and context.person is not None:
        variables["tables"] = await context.services.runtime.run_in_thread(
            lambda: load_tables_page(context.services.store, "mine", context.person, 1, LISTED_TABLES).lines
        )
    variables["by_id"] = {game.id: game for game in load_all_games()} if variables.get("tables") else {}
    return add_error_headers(await context.render_in_thread("message.html.jinja", status, **variables), error)


def add_error_headers(page: Response, error: Exception) -> Response:
    """Return the error page with the headers of its error."""
    page.headers.update(get_error_headers(error))
    return page


def translate_for_request(headers: Headers, text: str, *args: str) -> str:
    """Return a message of the password gate in the language that the request prefers."""
    cookies = cookie_parser(headers.get("cookie", ""))
    return Localizer(choose_language(cookies.get("language", ""), headers.get("accept-language", "")))(text, *args)
