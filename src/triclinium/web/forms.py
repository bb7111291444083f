"""Routes of forms, which read the arguments of a command from a form and answer with a page or a redirect.

If the command refuses the form, `render_error_page` answers with an error page.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import NoneType, UnionType
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from triclinium.engine.core.text import msgid
from triclinium.server.errors import LimitExceeded, RequestError
from triclinium.server.http.auth import check_rate_limit
from triclinium.server.http.commands import AnyCommand, C, Caller, Command, Form
from triclinium.server.sanitize import parse_whole_number
from triclinium.web.page_context import PageContext, PostedForm

A = TypeVar("A", bound=BaseModel)
R = TypeVar("R")
WRONG_VALUE = msgid("A value in the form is missing or invalid. Reload the page and check your entries.")
FROM_HAND_KEY = "triclinium.hand"  # key in the scope of a request: whether its form is on the page of a hand
ACTING_SEAT_KEY = "triclinium.acting"  # key in the scope of a request: the seat for which its form acts
TABLES_PATH = "/tables/"
MAX_DIGITS = 10  # digits of a number in a form


@dataclass(frozen=True, slots=True)
class FormPost(Generic[C, A, R]):
    """A form whose command has been carried out. ``prepared`` is the result of the page's preparation function."""

    context: PageContext
    form: PostedForm
    caller: C
    arguments: A
    result: R
    prepared: object = None


FieldValues: TypeAlias = Mapping[str, object]
FormReader: TypeAlias = Callable[[PageContext, PostedForm], FieldValues]
FormAnswer: TypeAlias = Callable[[Any], Awaitable[Response]]
FormPreparation: TypeAlias = Callable[[PageContext, Any, Any], Awaitable[object]]
FormRefusal: TypeAlias = Callable[[PageContext, PostedForm, RequestError], Awaitable[Response]]


class CommandForm(NamedTuple):
    """A command and its form."""

    command: AnyCommand
    form: Form


class FormRoutes:
    """The routes for the forms of one or more command lists. Commands that share a path must be in one object."""

    def __init__(self, *lists: Iterable[AnyCommand]) -> None:
        self._lists = lists
        self._readers: dict[AnyCommand, FormReader] = {}
        self._answers: dict[AnyCommand, FormAnswer] = {}
        self._preparations: dict[AnyCommand, FormPreparation] = {}
        self._refusals: dict[AnyCommand, FormRefusal] = {}

    def read(self, command: AnyCommand) -> Callable[[FormReader], FormReader]:
        """Return a decorator for a function that reads arguments which are not just the value of one field."""

        def declare(reader: FormReader) -> FormReader:
            self._readers[command] = reader
            return reader

        return declare

    def answer(
        self, command: Command[C, A, R]
    ) -> Callable[
        [Callable[[FormPost[C, A, R]], Awaitable[Response]]], Callable[[FormPost[C, A, R]], Awaitable[Response]]
    ]:
        """Return a decorator for a function that builds the response after the command, instead of a plain redirect."""

        def declare(respond: Callable[[FormPost[C, A, R]], Awaitable[Response]]) -> FormAnswer:
            self._answers[command] = respond
            return respond

        return declare

    def prepare(self, command: AnyCommand) -> Callable[[FormPreparation], FormPreparation]:
        """Return a decorator for a function that runs before the command. Its result is in `FormPost.prepared`."""

        def declare(note: FormPreparation) -> FormPreparation:
            self._preparations[command] = note
            return note

        return declare

    def refuse(self, command: AnyCommand) -> Callable[[FormRefusal], FormRefusal]:
        """Return a decorator for a function that shows the form again after the command has refused it."""

        def declare(respond: FormRefusal) -> FormRefusal:
            self._refusals[command] = respond
            return respond

        return declare

    def make_router(self) -> APIRouter:
        """Return the routes. Raise ValueError if the form of a command has no redirect and no answer function."""
        by_path: dict[str, list[CommandForm]] = {}
        for command, form in self._list_forms():
            if not form.redirect and command not in self._answers:
                raise ValueError(f"the form of {command.name} has neither a redirect nor a function that answers")
            by_path.setdefault(form.path, []).append(CommandForm(command, form))
        router = APIRouter(include_in_schema=False)
        for path, choices in by_path.items():
            router.add_api_route(path, self._make_endpoint(choices), methods=["POST"])
        return router

    def _list_forms(self) -> Iterator[CommandForm]:
        for command in chain(*self._lists):
            if isinstance(command.form, Form):
                yield CommandForm(command, command.form)

    def _make_endpoint(self, choices: Sequence[CommandForm]) -> Callable[[Request], Awaitable[Response]]:
        rates = dict.fromkeys(rate for choice in choices for rate in (*choice.command.rates, *choice.form.rates))
        files = max(choice.form.files for choice in choices)
        max_fields = max(choice.form.max_fields for choice in choices)

        async def endpoint(request: Request) -> Response:
            for rate in rates:
                check_rate_limit(request, rate)
            context = PageContext(request)
            form = await context.read_form(files, max_fields)
            if "id" in request.path_params and request.url.path.startswith(TABLES_PATH):
                request.scope[FROM_HAND_KEY] = form.flag("hand")
                request.scope[ACTING_SEAT_KEY] = form.integer("seat", -1) if form.text("seat") else None
            return await self._run_form(choose_command(choices, form), context, form)

        return endpoint

    async def _run_form(self, chosen: CommandForm, context: PageContext, form: PostedForm) -> Response:
        command = chosen.command
        caller = Caller(context.request, context.person, Response(), guest_name=context.localize("Guest"), is_form=True)
        admitted = await command.who.admit(caller)
        if chosen.form.confirmation and not form.flag("confirmed"):
            raise RequestError(chosen.form.confirmation)
        arguments = read_arguments(chosen, context, form, self._readers.get(command))
        prepare = self._preparations.get(command)
        prepared = None if prepare is None else await prepare(context, admitted, arguments)
        try:
            result = await command.handler(admitted, arguments)
        except RequestError as error:
            if command not in self._refusals or isinstance(error, LimitExceeded):
                raise
            return await self._refusals[command](context, form, error)
        context.person, context.new_cookie = admitted.person, admitted.new_cookie
        if command in self._answers:
            response = await self._answers[command](FormPost(context, form, admitted, arguments, result, prepared))
        else:
            values = {name: quote(str(value), safe="") for name, value in arguments.model_dump().items()}
            response = context.redirect(chosen.form.redirect.format(**values))
        for cookie in caller.response.headers.getlist("set-cookie"):
            response.headers.append("set-cookie", cookie)
        return response


def choose_command(choices: Sequence[CommandForm], form: PostedForm) -> CommandForm:
    """Return the command of a form: the first whose condition is met, else the one without a condition.

    Raise RequestError if there is none.
    """
    for choice in choices:
        for condition in choice.form.when:
            name, has_value, value = condition.partition("=")
            if form.text(name) == value if has_value else form.text(name):
                return choice
    default = next((choice for choice in choices if not choice.form.when), None)
    if default is None:
        raise RequestError(WRONG_VALUE)
    return default


def read_arguments(chosen: CommandForm, context: PageContext, form: PostedForm, reader: FormReader | None) -> BaseModel:
    """Return the arguments of a command from its form and its address. Raise RequestError if a value is wrong."""
    command = chosen.command
    values: dict[str, object] = {} if reader is None else dict(reader(context, form))
    for name, info in command.arguments.model_fields.items():
        if name in context.request.path_params:
            values[name] = _parse_value(info, str(context.request.path_params[name]))
        elif name not in values:
            field = chosen.form.fields.get(name, name)
            if _find_type(info) is bool:
                values[name] = form.flag(field)
            elif form.text(field) or (info.is_required() and _find_type(info) is not int):
                values[name] = _parse_value(info, form.text(field))
    try:
        whole = command.arguments.model_validate(values)
    except ValidationError:
        raise RequestError(WRONG_VALUE) from None
    assert isinstance(whole, BaseModel)
    return whole


def _parse_value(info: FieldInfo, text: str) -> object:
    """Return the value of a field in the type of its argument. A text is cut to the maximum length of the argument.

    Raise RequestError if a number cannot be read.
    """
    if _find_type(info) is not int:
        return text[: next((each.max_length for each in info.metadata if hasattr(each, "max_length")), None)]
    number = parse_whole_number(text, MAX_DIGITS)
    if number is None:
        raise RequestError(WRONG_VALUE)
    return number


def _find_type(info: FieldInfo) -> object:
    """Return the type of an argument without None. For a literal, the type is str."""
    annotation = info.annotation
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(each for each in get_args(annotation) if each is not NoneType)
    return str if get_origin(annotation) is Literal else annotation
