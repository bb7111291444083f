"""Error responses: a status, a code, a message, and after a failed move the current table."""

import logging
import math

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from triclinium.engine.core.errors import (
    BadNotation,
    BadRecord,
    BadSetup,
    IncompatibleVariants,
    Refused,
    TricliniumError,
)
from triclinium.engine.core.text import Reader
from triclinium.server.errors import Conflict, GameCodeError, LimitExceeded, RequestError
from triclinium.server.fallback_text import format_refusal
from triclinium.server.http.auth import get_current_viewer, get_services
from triclinium.server.log_format import REQUEST_ID
from triclinium.server.presenter.api_json import build_table_json
from triclinium.server.presenter.decision import make_reader

log = logging.getLogger("triclinium")
API_PREFIX = "/api/"
SERVER_ERROR = 500  # from this status on, the server is at fault and has logged the error
HANDLED_ERRORS = (TricliniumError, RequestValidationError, HTTPException, SQLAlchemyError)


def get_status_and_code(error: Exception) -> tuple[int, str]:
    """Return the HTTP status and the code of an error."""
    if isinstance(error, RequestError):
        return error.status, error.code
    if isinstance(error, Refused):
        return 409, "refused"
    if isinstance(error, BadNotation):
        return 400, "bad_notation"
    if isinstance(error, (BadSetup, BadRecord)):
        return 400, "bad_request"
    if isinstance(error, HTTPException):
        return error.status_code, "http"
    if isinstance(error, SQLAlchemyError):
        return 503, "not_stored"
    return 400, "bad_request"


def get_error_headers(error: Exception) -> dict[str, str]:
    """Return the headers of an error response: `Retry-After` if a limit was exceeded."""
    return {"retry-after": str(math.ceil(error.retry_after))} if isinstance(error, LimitExceeded) else {}


async def build_error_response(request: Request, error: Exception) -> Response:
    """Return the response for an error: a page, or JSON with its code and message.

    After a move that was not possible, the JSON also contains the current table.
    """
    page_problem = getattr(request.app.state, "page_problem", None)
    if page_problem is not None and not request.url.path.startswith(API_PREFIX):
        response = await page_problem(request, error)
        assert isinstance(response, Response)
        return response
    status, code = get_status_and_code(error)
    facts: dict[str, object] = {"error": code, "message": format_error(error, Reader())}
    id = request.path_params.get("id", "")
    if isinstance(error, (Conflict, Refused, BadNotation, GameCodeError)) and "/tables/" in request.url.path:
        try:
            services = get_services(request)
            async with services.tables.locked(id) as table:
                viewer = get_current_viewer(request, table)
                if isinstance(error, Refused):
                    facts["message"] = format_refusal(table.game, error, make_reader(table, "en"))
                    facts["rule"] = error.rule.number
                facts["table"] = await services.runtime.run_in_thread(build_table_json, services, table, viewer, "en")
        except TricliniumError as other:
            log.info("could not load the current table for %s: %s", id, other)
    if status >= SERVER_ERROR:
        facts["request"] = REQUEST_ID.get()
    return JSONResponse(facts, status, get_error_headers(error))


def format_error(error: Exception, reader: Reader) -> str:
    """Return the message of an error in the reader's language."""
    if isinstance(error, (RequestError, IncompatibleVariants)):
        return reader.read(error.message)
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return f"{where}: {first['msg']}" if where else str(first["msg"])
    if isinstance(error, HTTPException):
        return str(error.detail)
    if isinstance(error, SQLAlchemyError):
        return reader.translate("Your change could not be saved. Please try again.")
    return str(error)
