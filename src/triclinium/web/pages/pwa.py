"""The server as an installable app: manifest, service worker, and the page that is shown offline."""

import json
from functools import lru_cache

from fastapi import APIRouter, Request, Response

from triclinium.web.page_context import PageContext, PageResources

router = APIRouter(include_in_schema=False)
BACKGROUND_COLOUR = "#f4ecdc"
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
    ("icon-monochrome.png", "512x512", "monochrome"),
)
CACHED_FILES = ("tokens.css", "base.css", "sprite.svg", "offline.js")  # the parts of the offline page


@router.get("/manifest.webmanifest")
async def get_manifest(request: Request) -> Response:
    context = PageContext(request, anonymous=True)
    file, _ = get_page_resources(request).files.url, context.localize
    fields = {
        "id": "/",
        "name": "Triclinium",
        "short_name": "Triclinium",
        "description": _("Board games of the ancient world, at one table"),
        "lang": context.language,
        "start_url": "/?from=app",
        "scope": "/",
        "display": "standalone",
        "background_color": BACKGROUND_COLOUR,
        "theme_color": BACKGROUND_COLOUR,
        "icons": [
            {"src": file(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
        "shortcuts": [{"name": _("Next table"), "url": "/next-table"}, {"name": _("New table"), "url": "/new"}],
    }
    return Response(json.dumps(fields, ensure_ascii=False), media_type="application/manifest+json")


@router.get("/sw.js")
async def get_service_worker(request: Request) -> Response:
    """Return the service worker from the root, so that it can serve every page; browsers check it on every visit."""
    return Response(
        _render_service_worker(get_page_resources(request)),
        media_type="text/javascript",
        headers={"cache-control": "no-cache"},
    )


@lru_cache(4)
def _render_service_worker(pages: PageResources) -> str:
    cached_urls = ["/offline", *(pages.files.url(name) for name in CACHED_FILES)]
    icon, badge = pages.files.url("icon-192.png"), pages.files.url("icon-monochrome.png")
    config = json.dumps({"cached": cached_urls, "icon": icon, "badge": badge})
    return pages.templates.get_template("sw.js.jinja").render(known=config)


@router.get("/offline")
async def get_offline_page(request: Request) -> Response:
    """Return the offline page, which browsers cache: it contains nothing about the reader or any table."""
    context = PageContext(request, anonymous=True)
    return await context.render_in_thread("offline.html.jinja")


def get_page_resources(request: Request) -> PageResources:
    pages = request.app.state.pages
    assert isinstance(pages, PageResources)
    return pages
