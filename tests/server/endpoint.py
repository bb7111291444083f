"""A local HTTP endpoint that receives posts: a push service, an ntfy server or a webhook."""

import contextlib
import datetime
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat


@dataclass
class Endpoint:
    """The received posts and the configured responses."""

    port: int = 0
    status: int = 201
    page: bytes = b""  # response to a GET request
    posts: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    certificate: Path | None = None  # certificate for localhost; None means plain HTTP

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def open_endpoint(certificate: Path | None = None) -> Iterator[Endpoint]:
    """Run the endpoint inside the block, with HTTPS if there is a certificate file with its key."""
    taken = Endpoint(certificate=certificate)

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
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    taken.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield taken
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_certificate(path: Path) -> Path:
    """Create a self-signed certificate for localhost, and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name.from_rfc4514_string("CN=localhost")
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    kept = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(kept + made.public_bytes(Encoding.PEM))
    return path
