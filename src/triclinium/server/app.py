"""The server: the house behind its door, and the API. The pages are added by `triclinium.web`."""

import gc
import json
import logging
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from triclinium.engine.core.errors import BadNotation, BadRecord, BadSetup, Refused, TricliniumError
from triclinium.engine.core.text import Reader
from triclinium.server import api, api_seats
from triclinium.server.answers import fresh
from triclinium.server.auth import Meeting, house_of, viewer_of
from triclinium.server.errors import Conflict, Fault, HouseError, TooMuch
from triclinium.server.host import KnownHost
from triclinium.server.house import House
from triclinium.server.lane import Lane
from triclinium.server.middleware import Guard
from triclinium.server.rates import Limits
from triclinium.server.saying import refusal
from triclinium.server.seen import reader_for
from triclinium.server.settings import Settings
from triclinium.server.tables import timeouts

log = logging.getLogger("triclinium")
API = "/api/"


def create(settings: Settings) -> FastAPI:
    """A house, ready to be served."""
    house = House(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        house.prepare()
        house.spawn(timeouts.sweep(house), "looking for absent players")
        if settings.warm:
            house.spawn(make_ready(house, app.state.ready), "making ready")
        try:
            yield
        finally:
            await house.close()

    app = FastAPI(
        title="Triclinium",
        version="1",
        description="One table for board games of the ancient world. See docs/api.md.",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.house = house
    app.state.limits = Limits(settings.limits)
    app.include_router(api.router)
    app.include_router(api_seats.router)

    @cache
    def described() -> bytes:
        return json.dumps(app.openapi()).encode()

    async def openapi() -> Response:
        return Response(await house.in_thread(described), media_type="application/json")

    app.add_api_route("/api/v1/openapi.json", openapi, include_in_schema=False)
    app.state.ready = [described]
    app.add_exception_handler(TricliniumError, answer_problem)
    app.add_exception_handler(RequestValidationError, answer_problem)
    app.add_exception_handler(HTTPException, answer_problem)
    app.add_exception_handler(SQLAlchemyError, answer_problem)
    app.add_middleware(KnownHost, url=settings.url)
    app.add_middleware(Lane, house=app)
    app.add_middleware(Meeting)
    app.add_middleware(Guard, settings=settings)
    return app


async def make_ready(house: House, jobs: list[Callable[[], object]]) -> None:
    """Do beside the loop, one by one, what somebody would otherwise wait for."""
    for job in jobs:
        await house.in_thread(job)
    # What is there now stays for good: whoever next collects garbage need not look through it.
    await house.in_thread(gc.collect)
    gc.freeze()


def status_of(error: Exception) -> tuple[int, str]:
    """The status and code of a problem."""
    if isinstance(error, HouseError):
        return error.status, error.code
    if isinstance(error, Refused):
        return 409, "refused"
    if isinstance(error, BadNotation):
        return 400, "bad_notation"
    if isinstance(error, (BadSetup, BadRecord)):
        return 400, "bad"
    if isinstance(error, HTTPException):
        return error.status_code, "http"
    if isinstance(error, SQLAlchemyError):
        return 503, "not_stored"
    return 400, "bad"


def headers_of(error: Exception) -> dict[str, str]:
    """What a problem says beside its sentence: when to try again."""
    return {"retry-after": str(math.ceil(error.wait))} if isinstance(error, TooMuch) else {}


async def answer_problem(request: Request, error: Exception) -> Response:
    """One sentence, its code, and after a move that did not fit the table as it is now."""
    pages = getattr(request.app.state, "page_problem", None)
    if pages is not None and not request.url.path.startswith(API):
        answer = await pages(request, error)
        assert isinstance(answer, Response)
        return answer
    status, code = status_of(error)
    facts: dict[str, object] = {"error": code, "message": sentence(error, Reader())}
    id = request.path_params.get("id", "")
    if isinstance(error, (Conflict, Refused, BadNotation, Fault)) and "/tables/" in request.url.path:
        try:
            house = house_of(request)
            table = await house.table(id)
            async with table.lock:
                at = viewer_of(request, table)
                if isinstance(error, Refused):
                    facts["message"] = refusal(table.title, error, reader_for(table, "en"))
                    facts["rule"] = error.rule.number
                facts["table"] = await house.in_thread(fresh, house, table, at, "en")
        except TricliniumError as other:
            log.info("no fresh table for %s: %s", id, other)
    return JSONResponse(facts, status, headers_of(error))


def sentence(error: Exception, reader: Reader) -> str:
    """What went wrong, for a person."""
    if isinstance(error, HouseError):
        return reader.read(error.message)
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    if isinstance(error, HTTPException):
        return str(error.detail)
    if isinstance(error, SQLAlchemyError):
        return reader.translate("this could not be stored: try again")
    return str(error)
