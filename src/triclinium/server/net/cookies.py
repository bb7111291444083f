"""Secret cookies. Over HTTPS their names begin with `__Host-`, so that no other host can set or read them."""

from collections.abc import Mapping
from typing import Literal

from fastapi import Request, Response

HOST_PREFIX = "__Host-"
YEAR_SECONDS = 365 * 86400


def find_cookie(cookies: Mapping[str, str], name: str) -> str:
    """Return the value of a cookie, preferably the one with the prefix, or "" if there is none."""
    return cookies.get(HOST_PREFIX + name) or cookies.get(name, "")


def set_secret_cookie(
    request: Request, response: Response, name: str, value: str, samesite: Literal["lax", "strict"] = "lax"
) -> None:
    """Set a cookie that no script can read. Over HTTPS, use the prefix and delete the cookie without it."""
    secure = request.url.scheme == "https"
    full_name = HOST_PREFIX + name if secure else name
    response.set_cookie(full_name, value, YEAR_SECONDS, httponly=True, samesite=samesite, secure=secure, path="/")
    if secure and name in request.cookies:
        response.delete_cookie(name, path="/")


def delete_secret_cookie(request: Request, response: Response, name: str) -> None:
    """Delete a cookie under both of its names."""
    response.delete_cookie(name, path="/")
    if request.url.scheme == "https":
        response.delete_cookie(HOST_PREFIX + name, path="/", secure=True)
