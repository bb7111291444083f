"""The HTTP API, version 1: how the house is reached, its password, and the way to a table by its code."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from triclinium.server.accounts.owner import OWNER_SCOPE_KEY, check_owner
from triclinium.server.accounts.site_password import MAX_LENGTH
from triclinium.server.errors import NotAllowed, NotFound
from triclinium.server.http.auth import check_rate_limit, get_services
from triclinium.server.http.password_gate import sign_gate_cookie
from triclinium.server.presenter.api_json import ERROR_RESPONSES, build_summary_json
from triclinium.server.tables import join_codes
from triclinium.server.tables.lobby import find_table_by_code

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES)


class NetworkSettingsBody(BaseModel):
    """What the owner may change."""

    model_config = ConfigDict(extra="forbid", strict=True)
    open: bool | None = Field(None, description="let the network in, or close the door again")
    address: str | None = Field(None, max_length=255, description="what stands in links; empty: the house chooses")


@router.get("/network", tags=["server"])
async def get_network_status(request: Request) -> dict[str, object]:
    """How others reach this house: `alone`, `nowhere`, `open`, `proven` or `public`, and how links begin."""
    return build_network_status_json(request)


@router.post("/network", tags=["server"])
async def post_network_settings(request: Request, body: NetworkSettingsBody) -> dict[str, object]:
    """Let the network in, close the door, or choose the address in links: for the owner."""
    check_rate_limit(request, "post")
    check_owner(request.scope)
    reachability = get_services(request).reachability
    if body.address is not None:
        reachability.choose_link_host(body.address)
    if body.open is not None:
        await (reachability.open_to_network() if body.open else reachability.close_to_network())
    return build_network_status_json(request)


def build_network_status_json(request: Request) -> dict[str, object]:
    """Return how the server is reached; only the owner learns the addresses of the machine."""
    reachability = get_services(request).reachability
    origin = reachability.get_link_origin(request.url.scheme, request.headers["host"])
    addresses = reachability.list_addresses() if request.scope.get(OWNER_SCOPE_KEY) else []
    return {"status": reachability.status, "origin": origin, "addresses": [each._asdict() for each in addresses]}


class SitePasswordBody(BaseModel):
    """The house password, as somebody says it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    password: str = Field(max_length=MAX_LENGTH)


@router.post("/password", tags=["server"])
async def post_site_password(request: Request, body: SitePasswordBody) -> dict[str, object]:
    """Say the house password; `site_access` is the value of the cookie of that name, which every request needs."""
    check_rate_limit(request, "door")
    services = get_services(request)
    if services.password.is_set and not await services.runtime.run_in_thread(
        services.password.is_correct, body.password
    ):
        raise NotAllowed("that is not the password of this house")
    return {"site_access": sign_gate_cookie(services)}


@router.put("/password", tags=["server"])
async def put_site_password(request: Request, body: SitePasswordBody) -> dict[str, object]:
    """Ask for this password from now on, the empty one for none: for the owner."""
    check_rate_limit(request, "post")
    check_owner(request.scope)
    services = get_services(request)
    await services.password.set_password(body.password)
    return {"site_access": sign_gate_cookie(services)}


class OwnerLinkBody(BaseModel):
    """The token of an owner's link."""

    model_config = ConfigDict(extra="forbid", strict=True)
    token: str = Field(max_length=200, description="what follows `/owner/` in the link")


@router.post("/owner", tags=["server"])
async def post_owner_link(request: Request, body: OwnerLinkBody, response: Response) -> dict[str, object]:
    """Exchange a one-time owner's link for the owner's cookie, which is set; `owner` is its value."""
    check_rate_limit(request, "guess")
    return {"owner": await get_services(request).owners.accept_link(request, body.token, response)}


@router.get("/join-codes/{code}", tags=["tables"])
async def get_table_by_code(request: Request, code: str) -> dict[str, object]:
    """The table that a code leads to, and its free seats: sit down there with the same code."""
    check_rate_limit(request, "guess")
    services = get_services(request)
    id = await services.runtime.run_in_thread(find_table_by_code, services.store, join_codes.normalize_code(code))
    table = None if id is None else await services.tables.get_table(id)
    if table is None or not join_codes.is_code_valid(table):
        raise NotFound("no table has this code")
    free = [occupant.seat for occupant in table.occupants if occupant.is_vacant and occupant.person is None]
    return {"table": build_summary_json(services, table), "free_seats": free}
