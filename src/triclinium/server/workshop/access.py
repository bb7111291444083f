"""Rules for who may use the workshop of a server: its owner, everyone with a nickname, or nobody."""

from starlette.types import Scope

from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.settings import Settings

OWNER_ONLY, MEMBERS, OFF = "owner", "members", "off"
WORKSHOP_CHOICES = (OWNER_ONLY, MEMBERS, OFF)


def is_workshop_open(settings: Settings, scope: Scope) -> bool:
    """Return whether the sender of a request may use the workshop."""
    return settings.workshop == MEMBERS or (settings.workshop == OWNER_ONLY and bool(scope.get(OWNER_SCOPE_KEY)))


def check_workshop(settings: Settings, scope: Scope) -> None:
    """Raise `NotFound` on a server without a workshop, and `NotAllowed` if the caller may not use it."""
    if settings.workshop == OFF:
        raise NotFound("This server has no workshop.")
    if not is_workshop_open(settings, scope):
        raise NotAllowed("Only the owner of this server can use its workshop.")
