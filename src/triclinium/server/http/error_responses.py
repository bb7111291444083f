"""What went wrong, told to whoever asked: a status, a code, one sentence, and after a bad move the table as it is."""

import logging
import math

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from triclinium.engine.core.errors import BadNotation, BadRecord, BadSetup, Misfit, Refused, TricliniumError
from triclinium.engine.core.text import Reader
from triclinium.server.errors import Conflict, Fault, RequestError, TooMuch
from triclinium.server.http.auth import server_of, viewer_of
from triclinium.server.log_format import REQUEST
from triclinium.server.presenter.api_json import fresh
from triclinium.server.presenter.decision import reader_for
from triclinium.server.presenter.fallback_text import refusal

log = logging.getLogger("triclinium")
API = "/api/"
MISHAP = 500  # from this status on the house is at fault, and its log says how
ANSWERED = (TricliniumError, RequestValidationError, HTTPException, SQLAlchemyError)


def status_of(error: Exception) -> tuple[int, str]:
    """The status and code of a problem."""
    if isinstance(error, RequestError):
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
            server = server_of(request)
            table = await server.table(id)
            async with table.lock:
                at = viewer_of(request, table)
                if isinstance(error, Refused):
                    facts["message"] = refusal(table.game, error, reader_for(table, "en"))
                    facts["rule"] = error.rule.number
                facts["table"] = await server.in_thread(fresh, server, table, at, "en")
        except TricliniumError as other:
            log.info("no fresh table for %s: %s", id, other)
    if status >= MISHAP:
        facts["request"] = REQUEST.get()
    return JSONResponse(facts, status, headers_of(error))


def sentence(error: Exception, reader: Reader) -> str:
    """What went wrong, for a person."""
    if isinstance(error, (RequestError, Misfit)):
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
