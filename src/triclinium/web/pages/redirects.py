"""Redirects from former addresses of tables, matches, invitations and sign-in links that people may have bookmarked."""

from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

router = APIRouter(include_in_schema=False)

FORMER_PREFIXES = {
    "/t": "/tables",
    "/m": "/matches",
    "/s": "/invitations",
    "/w": "/watch",
    "/j": "/join",
    "/me/enter": "/me/sign-in",
}
# former and current names of the parts of addresses below a table or a match
FORMER_PARTS = {"at": "positions", "large": "invitation", "seal": "shuffle"}


def translate_former_path(path: str) -> str:
    """Return the address that has replaced a former one."""
    prefix = next(former for former in FORMER_PREFIXES if path == former or path.startswith(f"{former}/"))
    parts = path.removeprefix(prefix).split("/")
    if prefix in ("/t", "/m") and len(parts) > 2:
        parts[2] = FORMER_PARTS.get(parts[2], parts[2])
    return FORMER_PREFIXES[prefix] + "/".join(parts)


async def redirect_former_path(request: Request) -> Response:
    """Redirect to the new address with the same query."""
    path, query = quote(translate_former_path(request.scope["path"])), request.url.query
    return RedirectResponse(f"{path}?{query}" if query else path, 308)


@router.get("/tables/{id}/print")
@router.get("/matches/{id}/print")
async def redirect_print_page(request: Request) -> Response:
    """Redirect to the match file, which has replaced the page for printing."""
    return RedirectResponse(f"{quote(request.url.path.removesuffix('/print'))}/file", 308)


for former in FORMER_PREFIXES:
    router.add_api_route(f"{former}/{{rest:path}}", redirect_former_path)
router.add_api_route("/j", redirect_former_path)
