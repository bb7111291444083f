"""Commands: every action of people and programs, declared once.

A command has a name, a pydantic model of its arguments, a handler, and a rule for who may use it. This module generates
its route in the API, and `triclinium.web.forms` the route of its form. Both check the same rights and call one handler.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, Signature
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, get_type_hints

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, create_model
from pydantic.fields import FieldInfo
from starlette.routing import compile_path

from triclinium.server.accounts.owner import check_owner
from triclinium.server.accounts.users import Person
from triclinium.server.errors import NoNickname
from triclinium.server.http.auth import check_rate_limit, get_current_person, get_services
from triclinium.server.services import Services

JsonObject: TypeAlias = dict[str, object]
BODY_METHODS = ("POST", "PUT")  # methods of requests whose arguments are in the body


class Arguments(BaseModel):
    """The arguments of a command. A request with any other argument is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NoArguments(Arguments):
    """The arguments of a command that takes none."""


@dataclass(slots=True)
class Caller:
    """A request, and the person whose cookie it carries.

    Commands set cookies on ``response``. ``new_cookie`` is the secret of a person whom the command has created or
    signed in: a page sets it as a cookie, and the API returns it. ``guest_name`` is for new people who give no name.
    """

    request: Request
    person: Person | None
    response: Response
    new_cookie: str = ""
    guest_name: str = ""
    is_form: bool = False  # whether the form of a page sent the request

    @property
    def services(self) -> Services:
        return get_services(self.request)

    @property
    def me(self) -> Person:
        """Return the person. Raise NoNickname if the caller has no cookie."""
        if self.person is None:
            raise NoNickname()
        return self.person

    async def ensure_person(self, name: str = "") -> Person:
        """Return the person. Create one with this name if the caller has no cookie."""
        if self.person is None:
            check_rate_limit(self.request, "come")
            self.person, self.new_cookie = await self.services.people.create_person(name or self.guest_name)
        return self.person


A = TypeVar("A", bound=BaseModel)
C = TypeVar("C", bound=Caller)
C_co = TypeVar("C_co", bound=Caller, covariant=True)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class AccessRule(Generic[C_co]):
    """A rule for who may use a command: `admit` returns the caller as the handler needs it, or raises NotAllowed."""

    name: str
    admit: Callable[[Caller], Awaitable[C_co]]


async def _admit_anyone(caller: Caller) -> Caller:
    return caller


async def _admit_person(caller: Caller) -> Caller:
    if caller.person is None:
        raise NoNickname()
    return caller


async def _admit_owner(caller: Caller) -> Caller:
    check_owner(caller.request.scope)
    return caller


ANYONE = AccessRule("anyone", _admit_anyone)
PERSON = AccessRule("person", _admit_person)
OWNER = AccessRule("owner", _admit_owner)


@dataclass(frozen=True, slots=True)
class Api:
    """The route of a command in the API.

    Arguments that are not in the path are in the body, or in the query if there is no body. Those in ``query`` are in
    the query even if there is a body. Those in ``left_out`` exist only in forms.
    """

    method: str
    path: str
    status_code: int = 200
    tags: Sequence[str] = ()
    query: Sequence[str] = ()
    left_out: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a command on a page.

    ``redirect`` is the address of the next page; `{name}` in it is an argument. If it is empty, the module of the page
    has a function that answers. ``fields`` maps arguments to form fields with other names. If several commands share a
    path, ``when`` has the fields that choose this one, as `field` or `field=value`.
    """

    path: str
    redirect: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    when: Sequence[str] = ()
    files: int = 0  # the number of files that may be uploaded
    max_fields: int = 200
    rates: Sequence[str] = ()  # rate limits of the form, in addition to those of the command
    confirmation: str = ""  # the error if the field `confirmed` is not checked; "": no such field


@dataclass(frozen=True, slots=True)
class NotOffered:
    """The reason for which a command has no route in the API or no form."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Command(Generic[C, A, R]):
    """An action of a person or a program, with its routes, arguments and handler."""

    name: str
    who: AccessRule[C]
    api: Api | NotOffered
    form: Form | NotOffered
    rates: Sequence[str]  # names of the rate limits that apply, see `rate_limit.py`
    arguments: type[A]
    handler: Callable[[C, A], Awaitable[R]]

    async def run(self, caller: Caller, arguments: A) -> R:
        """Check that the caller may use the command, and run it. Raise a TricliniumError if it fails."""
        return await self.handler(await self.who.admit(caller), arguments)


AnyCommand: TypeAlias = Command[Any, Any, Any]


class CommandList:
    """The commands of a module, in the order of their declarations."""

    def __init__(self, router: APIRouter | None = None) -> None:
        """Create an empty list. The API routes of its commands are added to ``router``."""
        self._router = router
        self._commands: list[AnyCommand] = []

    def __iter__(self) -> Iterator[AnyCommand]:
        return iter(self._commands)

    def add(
        self,
        name: str,
        who: AccessRule[C],
        *,
        api: Api | NotOffered,
        form: Form | NotOffered,
        rates: Sequence[str] = ("post",),
    ) -> Callable[[Callable[[C, A], Awaitable[R]]], Command[C, A, R]]:
        """Return a decorator that turns a handler into a command. Its docstring describes the command in the API."""

        def declare(handler: Callable[[C, A], Awaitable[R]]) -> Command[C, A, R]:
            parameters = list(inspect.signature(handler).parameters)
            # The second parameter of a handler is annotated with the model of its arguments.
            command = Command(name, who, api, form, rates, get_type_hints(handler)[parameters[1]], handler)
            self._commands.append(command)
            if isinstance(api, Api):
                assert self._router is not None
                add_api_route(self._router, command, api)
            return command

        return declare


def list_path_parameters(path: str) -> list[str]:
    """Return the names of the parameters in the path of a route."""
    return list(compile_path(path)[2])


def add_api_route(router: APIRouter, command: AnyCommand, api: Api) -> None:
    """Add the route of a command in the API."""
    in_path = list_path_parameters(api.path)
    others = [name for name in command.arguments.model_fields if name not in (*in_path, *api.left_out)]
    in_query = [name for name in others if api.method not in BODY_METHODS or name in api.query]
    body = _make_body_model(command.arguments, [name for name in others if name not in in_query])

    async def endpoint(request: Request, response: Response, **values: Any) -> object:
        caller = Caller(request, get_current_person(request), response)
        sent = values.pop("body", None)
        if sent is not None:
            values |= {name: getattr(sent, name) for name in type(sent).model_fields}
        for rate in command.rates:
            check_rate_limit(request, rate)
        # FastAPI has already validated each value by the same field of the same model.
        whole = sent if type(sent) is command.arguments else command.arguments.model_construct(**values)
        return await command.run(caller, whole)

    endpoint.__name__, endpoint.__doc__ = command.handler.__name__, command.handler.__doc__
    fields = command.arguments.model_fields
    parameters = [_make_parameter(name, fields[name], Path) for name in in_path]
    parameters += [_make_parameter(name, fields[name], Query) for name in in_query]
    if body is not None:
        parameters.append(Parameter("body", Parameter.KEYWORD_ONLY, annotation=body))
    injected = [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in _INJECTED]
    endpoint.__signature__ = Signature([*injected, *parameters])  # type: ignore[attr-defined]
    answers_itself = get_type_hints(command.handler)["return"] is Response
    router.add_api_route(
        api.path,
        endpoint,
        methods=[api.method],
        status_code=api.status_code,
        tags=list(api.tags),
        response_model=None if answers_itself else JsonObject,
    )


_INJECTED = (("request", Request), ("response", Response))


def _make_body_model(arguments: type[BaseModel], names: Sequence[str]) -> type[BaseModel] | None:
    """Return the model of a body with these arguments, or None if there are none."""
    if not names:
        return None
    for model in arguments.__mro__:  # the model itself or a base class may have exactly these fields
        if issubclass(model, BaseModel) and list(model.model_fields) == list(names):
            return model
    fields: dict[str, Any] = {
        name: (arguments.model_fields[name].annotation, arguments.model_fields[name]) for name in names
    }
    return create_model(
        arguments.__name__, __config__=arguments.model_config, __doc__=arguments.__doc__, __module__=__name__, **fields
    )


def _make_parameter(name: str, info: FieldInfo, place: Callable[..., Any]) -> Parameter:
    """Return an argument in the path or the query as FastAPI expects it in a signature."""
    parts = (info.annotation, *info.metadata, place(description=info.description))
    form: Any = Annotated  # a form with a tuple that is only known now
    annotation = form[parts]
    default = Parameter.empty if info.is_required() or place is Path else info.default
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, default=default)
