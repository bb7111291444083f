"""The whole application: the API of `triclinium.server.app` and the pages."""

from fastapi import FastAPI, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from fastapi.routing import APIRoute
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from triclinium.engine.core.errors import Refused, TricliniumError
from triclinium.server import app as server
from triclinium.server.errors import NoNickname, NotFound, RequestError
from triclinium.server.http.auth import viewer_of
from triclinium.server.http.error_responses import MISHAP, headers_of, sentence, status_of
from triclinium.server.log_format import REQUEST
from triclinium.server.presenter.decision import reader_for
from triclinium.server.presenter.fallback_text import refusal
from triclinium.server.settings import Settings
from triclinium.web.i18n import Speech, language_of, spoken
from triclinium.web.page_context import Pages, Reading
from triclinium.web.pages import (
    absence_actions,
    account,
    bot_accounts,
    component_gallery,
    home,
    join,
    network,
    notifications,
    players,
    review,
    rules,
    shared_match,
    shared_picture,
    shuffle_commitment,
    table_actions,
    waiting_actions,
)
from triclinium.web.pages import pwa as installed
from triclinium.web.pages.table_actions import ACTING
from triclinium.web.pages.table_page import table_page

AT_TABLE = "/t/{id}/"  # the path of everything below a table
UNLISTED = ("/t/", "/j", "/s/", "/w/", "/me", "/people", "/standings", "/told")

# The picture of a shared match before its page, whose address would fit it too.
PARTS = (
    home,
    join,
    network,
    table_actions,
    absence_actions,
    waiting_actions,
    review,
    rules,
    component_gallery,
    shuffle_commitment,
    shared_picture,
    shared_match,
    players,
    bot_accounts,
    account,
    notifications,
    installed,
)


def create(settings: Settings) -> FastAPI:
    """A server with pages, ready to be served."""
    app = server.create(settings)
    pages = Pages()
    app.state.pages = pages
    app.state.page_problem = page_problem
    app.state.speak = speak
    app.state.server.reader = lambda language: spoken(language, None).reader
    for part in PARTS:
        app.router.routes += part.router.routes  # as in the server

    async def static(request: Request, name: str) -> Response:
        answer = pages.files.answer(request, name)
        if answer is None:
            raise NotFound("there is no such page")
        return answer

    async def robots() -> Response:
        return PlainTextResponse("User-agent: *\n" + "".join(f"Disallow: {path}\n" for path in UNLISTED))

    _redirect_forms_to_tables(app)
    if settings.warm:
        app.state.ready += pages.ready()
    app.add_api_route("/static/{name}", static, include_in_schema=False)
    app.add_api_route("/robots.txt", robots, include_in_schema=False)
    return app


def _redirect_forms_to_tables(app: FastAPI) -> None:
    """Answer a GET on the address of a table's form with a redirect to the table.

    A browser asks so when a page that a form has led to is loaded again, or opened from its history.
    """
    forms = {route.path for route in app.routes if isinstance(route, APIRoute) and "POST" in (route.methods or ())}

    async def redirect(id: str, form: str) -> Response:
        if f"{AT_TABLE}{form}" not in forms:
            raise NotFound("there is no such page")
        return RedirectResponse(f"/t/{id}", 303)

    app.add_api_route(f"{AT_TABLE}{{form:path}}", redirect, include_in_schema=False)


async def page_problem(request: Request, error: Exception) -> Response:
    """What went wrong, in a sentence; at a table, with the table as it is now."""
    status, _ = status_of(error)
    reading = Reading(request, anybody=status == 503)  # a database that does not answer is not asked again
    text = sentence(error, reading.speech.reader)
    acting = request.scope.get(ACTING)  # the seat that a form spoke for, where people share a device
    if request.method == "POST" and request.url.path.startswith("/t/") and status in (400, 403, 409, 500):
        try:
            found = await reading.server.table(request.path_params.get("id", ""))
            async with found.lock:
                at = viewer_of(request, found)
                await reading.server.load_match(found)
                if isinstance(error, Refused):
                    text = refusal(found.game, error, reader_for(found, reading.language))
                shown = await reading.server.in_thread(
                    table_page, reading, found, at, notice=text, status=status, acting=acting
                )
                return with_headers(shown, error)
        except RequestError:
            pass  # the table is not shown to this reader: the plain page tells
        except TricliniumError as other:
            text = str(other)
    if status == 404 and not isinstance(error, RequestError):
        text = reading.speech("there is no such page")
    heading = reading.speech("Not found") if status == 404 else reading.speech("That did not work")
    facts = {"heading": heading, "text": text, "nameless": isinstance(error, NoNickname)}
    facts["request"] = REQUEST.get() if status >= MISHAP else ""
    return with_headers(await reading.show("message.html.jinja", status, **facts), error)


def with_headers(page: Response, error: Exception) -> Response:
    """The page of a problem, with what its headers say."""
    page.headers.update(headers_of(error))
    return page


def speak(headers: Headers, text: str, *about: str) -> str:
    """A sentence of the door, in the language of whoever stands before it."""
    cookies = cookie_parser(headers.get("cookie", ""))
    return Speech(language_of(cookies.get("language", ""), headers.get("accept-language", "")))(text, *about)
