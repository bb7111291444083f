"""Files as they are sent: named by their content, packed once, kept by the browser for good."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

WEB_FOLDER = Path(__file__).parent
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png"}
MIN_COMPRESSED_BYTES = 600  # bytes; smaller answers are not worth packing


class StaticFile:
    """One file of the server."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.digest = hashlib.sha256(self.body).hexdigest()[:10]
        self.media_type = MEDIA_TYPES[path.suffix]

    @cached_property
    def gzipped_body(self) -> bytes:
        return gzip.compress(self.body, 9, mtime=0)


class StaticFiles:
    """All of them, read when the server opens and packed when they are first wanted."""

    def __init__(self, others: Mapping[str, Path], folder: Path = WEB_FOLDER / "static") -> None:
        """The server's own folder, and others by the name they are served under."""
        own = {path.name: path for path in sorted(folder.iterdir()) if path.suffix in MEDIA_TYPES}
        self._files = {name: StaticFile(path) for name, path in {**own, **others}.items()}

    def url(self, name: str) -> str:
        """The address of a file; it changes with its content."""
        return f"/static/{name}?{self._files[name].digest}"

    def list_compression_jobs(self) -> list[Callable[[], object]]:
        """The jobs of packing them, each of a millisecond."""
        return [lambda file=file: file.gzipped_body for file in self._files.values()]  # type: ignore[misc]

    def respond(self, request: Request, name: str) -> Response | None:
        static_file = self._files.get(name)
        if static_file is None:
            return None
        headers = {
            "content-type": static_file.media_type
            if static_file.media_type == MEDIA_TYPES[".png"]
            else f"{static_file.media_type}; charset=utf-8",
            "cache-control": "public, max-age=31536000, immutable" if request.url.query else "public, max-age=300",
            "vary": "accept-encoding",
        }
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(static_file.gzipped_body, headers={**headers, "content-encoding": "gzip"})
        return Response(static_file.body, headers=headers)


def compress_response(request: Request, body: bytes, status: int, headers: dict[str, str]) -> Response:
    """A page, packed where the browser knows how."""
    headers = {"content-type": "text/html; charset=utf-8", "vary": "accept-encoding, cookie", **headers}
    if len(body) > MIN_COMPRESSED_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(gzip.compress(body, 1), status, headers={**headers, "content-encoding": "gzip"})
    return Response(body, status, headers=headers)
