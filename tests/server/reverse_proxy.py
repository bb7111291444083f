"""A small reverse proxy like Caddy, nginx and tunnels: it adds the caller's address and forwards streams.

It uses HTTP on both sides and tells the server that the browser used HTTPS. Caddy and cloudflared forward `Host`. By
default, nginx replaces it with the server's own address.
"""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

HOP = frozenset({"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection"})
PIECE = 65536


class ProxyHandler(BaseHTTPRequestHandler):
    """A handler for one connection of a browser."""

    protocol_version = "HTTP/1.1"
    server: "ReverseProxy"

    def handle_one(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length) if length else None
        house = http.client.HTTPConnection("127.0.0.1", self.server.house, timeout=60)
        house.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self._headers():
            house.putheader(name, value)
        house.endheaders(body)
        try:
            self._answer(house.getresponse())
        finally:
            house.close()

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_one

    def _headers(self) -> list[tuple[str, str]]:
        """Return the request headers without those of the connection, plus the headers that every proxy adds."""
        ours = {"x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "host"}
        kept = [(name, value) for name, value in self.headers.items() if name.lower() not in HOP | ours]
        seen = [*self.headers.get_all("x-forwarded-for", []), self.client_address[0]]
        host = self.headers["host"] if self.server.passes_host else f"127.0.0.1:{self.server.house}"
        told = {"x-forwarded-for": ", ".join(seen), "x-forwarded-proto": "https", "x-forwarded-host": host}
        return [("host", host), *kept, *told.items()]

    def _answer(self, answer: http.client.HTTPResponse) -> None:
        """Forward the response in the pieces in which it arrives."""
        self.send_response_only(answer.status)
        whole = answer.headers.get("content-length")
        for name, value in answer.headers.items():
            if name.lower() not in HOP:
                self.send_header(name, value)
        if whole is None and self.command != "HEAD":
            self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        if self.command == "HEAD":
            return
        while piece := answer.read1(PIECE):
            self.wfile.write(piece if whole is not None else b"%x\r\n%s\r\n" % (len(piece), piece))
        if whole is None:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class ReverseProxy(ThreadingHTTPServer):
    """A proxy in front of a server on this machine, as a context manager."""

    daemon_threads = True

    def __init__(self, driver: int, passes_host: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), ProxyHandler)
        self.house = driver
        self.passes_host = passes_host

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore browsers that close a stream."""
