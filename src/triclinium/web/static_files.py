"""Static files, which are named by their content, compressed once, and cached by browsers without a time limit."""

import base64
import gzip
import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

WEB_FOLDER = Path(__file__).parent
TEXT_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MEDIA_TYPES = {suffix: f"{text}; charset=utf-8" for suffix, text in TEXT_TYPES.items()} | {
    ".png": "image/png",
    ".woff2": "font/woff2",
}
MIN_COMPRESSED_BYTES = 600  # bytes; compressing a smaller answer saves nothing


class StaticFile:
    """One static file of the server."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.digest = hashlib.sha256(self.body).hexdigest()[:10]
        self.media_type = MEDIA_TYPES[path.suffix]

    @cached_property
    def gzipped_body(self) -> bytes:
        return gzip.compress(self.body, 9, mtime=0)


class StaticFiles:
    """All static files: read when the server starts, and compressed when they are first requested."""

    def __init__(self, others: Mapping[str, Path], folder: Path = WEB_FOLDER / "static") -> None:
        """Read the server's own folder, and other files by the names under which they are served."""
        self.folder = folder
        own = {path.name: path for path in sorted(folder.iterdir()) if path.suffix in MEDIA_TYPES}
        self._files = {name: StaticFile(path) for name, path in {**own, **others}.items()}

    def url(self, name: str) -> str:
        """Return the address of a file; it changes with the content."""
        return f"/static/{name}?{self._files[name].digest}"

    def read_text(self, name: str) -> str:
        """Return the text of a style sheet, a script or a drawing."""
        return self._files[name].body.decode()

    def make_data_url(self, name: str) -> str:
        """Return a URL that contains the whole file."""
        file = self._files[name]
        return f"data:{file.media_type};base64,{base64.b64encode(file.body).decode()}"

    def list_compression_jobs(self) -> list[Callable[[], object]]:
        """Return the jobs that compress the files, each of about a millisecond."""
        return [lambda file=file: file.gzipped_body for file in self._files.values()]  # type: ignore[misc]

    def respond(self, request: Request, name: str) -> Response | None:
        static_file = self._files.get(name)
        if static_file is None:
            return None
        headers = {
            "content-type": static_file.media_type,
            "cache-control": "public, max-age=31536000, immutable" if request.url.query else "public, max-age=300",
            "vary": "accept-encoding",
        }
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(static_file.gzipped_body, headers={**headers, "content-encoding": "gzip"})
        return Response(static_file.body, headers=headers)


def compress_response(request: Request, body: bytes, status: int, headers: dict[str, str]) -> Response:
    """Return a page, compressed if the browser supports it."""
    headers = {"content-type": "text/html; charset=utf-8", "vary": "accept-encoding, cookie", **headers}
    if len(body) > MIN_COMPRESSED_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(gzip.compress(body, 1), status, headers={**headers, "content-encoding": "gzip"})
    return Response(body, status, headers=headers)
