"""HTTP API, version 1: reachability of the server, its site password, the owner's sign-in, and join codes."""

from typing import TypedDict

from fastapi import APIRouter, Request
from pydantic import Field

from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.accounts.site_password import MAX_LENGTH
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.http.commands import (
    ANYONE,
    OWNER,
    Api,
    Arguments,
    Caller,
    CommandList,
    Form,
    JsonObject,
    NotOffered,
)
from triclinium.server.http.password_gate import sign_gate_cookie
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_summary_json
from triclinium.server.tables import join_codes
from triclinium.server.tables.lobby import find_table_by_code

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)
commands = CommandList(router)


class NetworkSettings(Arguments):
    """The network settings that the owner can change."""

    open: bool | None = Field(None, description="true opens the server to the local network, false closes it")
    address: str | None = Field(None, max_length=255, description="address in links; empty: the server chooses")


class TypedPassword(Arguments):
    """A site password, as it was typed."""

    password: str = Field(max_length=MAX_LENGTH)


class OwnerLinkToken(Arguments):
    """The token of an owner's link."""

    token: str = Field(max_length=200, description="the token after `/owner/` in the link")


class SiteAccess(TypedDict):
    """The cookie of a browser in which the site password was entered."""

    site_access: str


class OwnerCookie(TypedDict):
    """The cookie of an owner's browser."""

    owner: str


@router.get("/network", tags=["server"])
async def get_network_status(request: Request) -> JsonObject:
    """Return how others reach this server (`alone`, `nowhere`, `open`, `proven` or `public`), and how links begin."""
    return build_network_status_json(request)


@commands.add(
    "set-site-password",
    OWNER,
    api=Api("PUT", "/password", tags=["server"]),
    form=Form("/network", when=["password", "operation=remove-password"]),
)
async def set_site_password(caller: Caller, arguments: TypedPassword) -> SiteAccess:
    """Set the site password, or remove it with an empty one. Only the owner can do this."""
    await caller.services.password.set_password(arguments.password)
    return {"site_access": sign_gate_cookie(caller.services)}


@commands.add("change-network", OWNER, api=Api("POST", "/network", tags=["server"]), form=Form("/network"))
async def change_network(caller: Caller, arguments: NetworkSettings) -> JsonObject:
    """Open or close the server to the network, or set the address in links. Only the owner can do this."""
    reachability = caller.services.reachability
    if arguments.address is not None:
        reachability.choose_link_host(arguments.address)
    if arguments.open is not None:
        await (reachability.open_to_network() if arguments.open else reachability.close_to_network())
    return build_network_status_json(caller.request)


def build_network_status_json(request: Request) -> JsonObject:
    """Return how the server can be reached. Only the owner gets the addresses of the machine."""
    reachability = get_services(request).reachability
    origin = reachability.get_link_origin(request.url.scheme, request.headers["host"])
    addresses = reachability.list_addresses() if request.scope.get(OWNER_SCOPE_KEY) else []
    return {"status": reachability.status, "origin": origin, "addresses": [each._asdict() for each in addresses]}


@commands.add(
    "enter-site-password",
    ANYONE,
    api=Api("POST", "/password", tags=["server"]),
    form=Form("/password"),
    rates=["door"],
)
async def enter_site_password(caller: Caller, arguments: TypedPassword) -> SiteAccess:
    """Enter the site password. `site_access` is the value of the cookie of that name, which every request needs."""
    services = caller.services
    if services.password.is_set and not await services.runtime.run_in_thread(
        services.password.is_correct, arguments.password
    ):
        raise NotAllowed("Wrong site password. Please try again.")
    return {"site_access": sign_gate_cookie(services)}


@commands.add(
    "accept-owner-link",
    ANYONE,
    api=Api("POST", "/owner", tags=["server"]),
    form=NotOffered("A browser opens the link `/owner/TOKEN` directly."),
    rates=["guess"],
)
async def accept_owner_link(caller: Caller, arguments: OwnerLinkToken) -> OwnerCookie:
    """Exchange a one-time owner's link for the owner's cookie. The cookie is set, and `owner` is its value."""
    return {"owner": await caller.services.owners.accept_link(caller.request, arguments.token, caller.response)}


@router.get("/join-codes/{code}", tags=["tables"])
async def get_table_by_code(request: Request, code: str) -> JsonObject:
    """Return the table with a join code, and its free seats. The same code lets you take one of them."""
    check_rate_limit(request, "guess")
    services = get_services(request)
    id = await services.runtime.run_in_thread(find_table_by_code, services.store, join_codes.normalize_code(code))
    table = None if id is None else await services.tables.get_table(id)
    if table is None or not join_codes.is_code_valid(table):
        raise NotFound("No table has this join code. Check the code and try again.")
    free = [occupant.seat for occupant in table.occupants if occupant.is_vacant and occupant.person is None]
    return {"table": build_summary_json(services, table), "free_seats": free}
