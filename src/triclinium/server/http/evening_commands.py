"""Rules for who may use a command of an evening. The path of both routes has the evening's code, as `{code}`."""

from dataclasses import dataclass, field

from triclinium.server.errors import NoNickname, NotAllowed, NotFound
from triclinium.server.evenings import rounds
from triclinium.server.evenings.evening import Evening
from triclinium.server.evenings.guests import check_host
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.commands import AccessRule, Arguments, Caller
from triclinium.server.tables.join_codes import normalize_code


class EveningArguments(Arguments):
    """The code of an evening."""

    code: str


@dataclass(slots=True)
class EveningCaller(Caller):
    """A caller who is a guest of the evening."""

    evening: Evening = field(kw_only=True)


async def open_visible_evening(caller: Caller, code: str) -> Evening:
    """Return an evening whose guest or host the caller is. Raise `NotFound` for a wrong code, else `NotAllowed`."""
    services, person = caller.services, caller.person
    try:
        evening = await services.runtime.run_in_thread(rounds.read_evening, services, normalize_code(code))
    except NotFound:
        check_rate_limit(caller.request, "guess")
        raise
    if person is None:
        raise NoNickname()
    if person.id != evening.host and evening.find_guest(person.id) is None:
        raise NotAllowed("Only guests of the evening can do this. Join it with its code first.")
    return await rounds.begin_waiting_tables(services, evening)


async def _admit_guest(caller: Caller) -> EveningCaller:
    evening = await open_visible_evening(caller, str(caller.request.path_params["code"]))
    return EveningCaller(
        caller.request,
        caller.person,
        caller.response,
        caller.new_cookie,
        caller.guest_name,
        caller.is_form,
        evening=evening,
    )


async def _admit_host(caller: Caller) -> EveningCaller:
    admitted = await _admit_guest(caller)
    check_host(admitted.evening, admitted.me)
    return admitted


GUEST = AccessRule("guest of the evening", _admit_guest)
EVENING_HOST = AccessRule("host of the evening", _admit_host)
