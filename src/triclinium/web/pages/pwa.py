"""The house as an app: its manifest, its worker, and what is shown where there is no way to the house."""

import json
from functools import lru_cache

from fastapi import APIRouter, Request, Response

from triclinium.web.page_context import Pages, Reading

router = APIRouter(include_in_schema=False)
GROUND = "#f4ecdc"
ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
    ("icon-monochrome.png", "512x512", "monochrome"),
)
KEPT = ("tokens.css", "base.css", "sprite.svg", "offline.js")  # of which the offline page is made


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    reading = Reading(request, anybody=True)
    file, _ = pages_of(request).files.url, reading.speech
    facts = {
        "id": "/",
        "name": "Triclinium",
        "short_name": "Triclinium",
        "description": _("Board games of the ancient world, at one table."),
        "lang": reading.language,
        "start_url": "/?from=app",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {"src": file(name), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for name, sizes, purpose in ICONS
        ],
        "shortcuts": [{"name": _("Next table"), "url": "/next"}, {"name": _("New table"), "url": "/new"}],
    }
    return Response(json.dumps(facts, ensure_ascii=False), media_type="application/manifest+json")


@router.get("/sw.js")
async def worker(request: Request) -> Response:
    """At the root, so that it may answer for the whole house; looked for anew at every visit."""
    return Response(_worker(pages_of(request)), media_type="text/javascript", headers={"cache-control": "no-cache"})


@lru_cache(4)
def _worker(pages: Pages) -> str:
    kept = ["/offline", *(pages.files.url(name) for name in KEPT)]
    icon, badge = pages.files.url("icon-192.png"), pages.files.url("icon-monochrome.png")
    known = json.dumps({"kept": kept, "icon": icon, "badge": badge})
    return pages.templates.get_template("sw.js.jinja").render(known=known)


@router.get("/offline")
async def offline(request: Request) -> Response:
    """Kept by the browser: it names nobody and tells nothing of any table."""
    reading = Reading(request, anybody=True)
    return await reading.show("offline.html.jinja")


def pages_of(request: Request) -> Pages:
    pages = request.app.state.pages
    assert isinstance(pages, Pages)
    return pages
