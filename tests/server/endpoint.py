"""A machine on the loopback that takes whatever is posted to it: a push service, an ntfy server, a webhook."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Endpoint:
    """What has come, and what is answered."""

    port: int = 0
    status: int = 201
    page: bytes = b""  # what whoever only looks is answered
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def endpoint() -> Iterator[Endpoint]:
    taken = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(taken.page)))
            self.end_headers()
            self.wfile.write(taken.page)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            taken.posts.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(taken.status)
            self.send_header("location", f"{taken.url}/elsewhere")
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads along."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    taken.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
