"""The owner of a server: a browser that has opened a one-time link. An address or a header gives no rights.

`triclinium serve` prints a link when it starts, and `triclinium admin owner-link` prints another. Each works once,
within an hour. The browser gets a cookie in exchange. Only hashes of links and cookies are stored.
"""

from fastapi import Request, Response
from sqlalchemy import Connection, delete, insert, select
from starlette.requests import cookie_parser
from starlette.types import Scope

from triclinium.engine.core.text import msgid
from triclinium.server import server_time
from triclinium.server.crypto import hash_token, make_token
from triclinium.server.errors import NotAllowed
from triclinium.server.net.cookies import find_cookie, set_secret_cookie
from triclinium.server.storage import key_value
from triclinium.server.storage.schema_admin import owner_keys
from triclinium.server.storage.store import Store

COOKIE = "owner"
LINK_PATH = "/owner/"  # path of the owner's link, before its token
LINK, BROWSER = "link", "browser"  # kinds of keys
LINK_SECONDS = 3600.0
ADDRESS_KEY = "address"  # key under which the server stores the start of its links
DEFAULT_ADDRESS = "http://localhost:8090"
MAX_BROWSERS = 20  # maximum number of browsers; one more, and the oldest loses its rights
OWNER_SCOPE_KEY = "triclinium.owner"  # key in the scope of a request: whether the owner's browser sent it
NOT_OWNER = msgid(
    "Only the owner of this server can do this. Open the owner’s link in this browser. The command `triclinium "
    "admin owner-link` prints one."
)
LINK_USED = msgid(
    "This link has already been used or has expired. The command `triclinium admin owner-link` prints a new one."
)


class OwnerBrowsers:
    """The browsers that have the owner's rights."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._browsers: frozenset[str] = frozenset()  # hashes of the browsers' cookies

    def read(self, connection: Connection) -> None:
        """Load the stored browsers, because another server may have changed them."""
        rows = connection.execute(select(owner_keys.c.hash).where(owner_keys.c.kind == BROWSER)).scalars()
        self._browsers = frozenset(rows)

    def is_owner(self, scope: Scope) -> bool:
        """Return whether a request comes from the owner's browser."""
        for name, value in scope["headers"]:
            if name == b"cookie" and self._browsers:
                return self._has_owner_rights(find_cookie(cookie_parser(value.decode("latin-1")), COOKIE))
        return False

    def _has_owner_rights(self, token: str) -> bool:
        return bool(token) and hash_token(token) in self._browsers

    def make_link(self, address: str) -> str:
        """Store a new one-time link and return its URL. Call this before the server answers requests."""
        token = make_token()

        def job(connection: Connection) -> None:
            store_link(connection, hash_token(token))
            key_value.store_value(connection, ADDRESS_KEY, address)

        self._store.write_before_start(job)
        return f"{address}{LINK_PATH}{token}"

    async def accept_link(self, request: Request, token: str, response: Response) -> str:
        """Exchange a one-time link for the owner's cookie and return its value.

        Raise `NotAllowed` if the link does not work. A browser that already has the rights keeps its cookie.
        """
        current_cookie = find_cookie(request.cookies, COOKIE)
        cookie = current_cookie if self._has_owner_rights(current_cookie) else make_token()
        used = hash_token(token[:200])

        def job(connection: Connection) -> None:
            this = (owner_keys.c.hash == used) & (owner_keys.c.kind == LINK) & (owner_keys.c.until > server_time.now())
            if connection.execute(delete(owner_keys).where(this)).rowcount != 1:
                raise NotAllowed(LINK_USED)
            if cookie != current_cookie:
                row = {"hash": hash_token(cookie), "kind": BROWSER, "until": 0.0, "made": server_time.now()}
                connection.execute(insert(owner_keys).values(**row))
            _delete_older_browsers(connection)
            self.read(connection)

        await self._store.write_and_reload_peers(job)
        set_secret_cookie(request, response, COOKIE, cookie, samesite="strict")
        return cookie


def check_owner(scope: Scope) -> None:
    """Raise `NotAllowed` unless the owner's browser sent the request."""
    if not scope.get(OWNER_SCOPE_KEY):
        raise NotAllowed(NOT_OWNER)


def store_link(connection: Connection, hash: str) -> None:
    """Store the hash of a link's token, and delete expired links."""
    now = server_time.now()
    connection.execute(delete(owner_keys).where(owner_keys.c.kind == LINK, owner_keys.c.until <= now))
    connection.execute(insert(owner_keys).values(hash=hash, kind=LINK, until=now + LINK_SECONDS, made=now))


def revoke_browsers(connection: Connection) -> None:
    """Take the owner's rights from every browser."""
    connection.execute(delete(owner_keys).where(owner_keys.c.kind == BROWSER))


def _delete_older_browsers(connection: Connection) -> None:
    browsers = select(owner_keys.c.hash).where(owner_keys.c.kind == BROWSER).order_by(owner_keys.c.made.desc())
    old = list(connection.execute(browsers).scalars())[MAX_BROWSERS:]
    connection.execute(delete(owner_keys).where(owner_keys.c.hash.in_(old)))
