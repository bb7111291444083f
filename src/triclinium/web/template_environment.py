"""The environment of all templates: Jinja with four changes that make pages smaller and faster."""

import os
import re
from collections.abc import Callable, Container, Mapping, MutableMapping, Set
from contextlib import suppress
from functools import cache, partial
from io import StringIO
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, StrictUndefined, Template
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.loaders import BaseLoader
from jinja2.nodes import Call
from jinja2.runtime import Macro
from jinja2.utils import missing
from markupsafe import Markup, escape
from platformdirs import user_cache_path

HTML_SPECIAL = re.compile("[&<>'\"]").search
LEADING_SPACES = re.compile(r"^[ \t]+", re.MULTILINE)


class IndentationStripper(Extension):
    """A preprocessor that removes the indentation of each line when a template is read, so that pages are small."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return LEADING_SPACES.sub("", source)


class TemplateCache(FileSystemBytecodeCache):
    """A cache of compiled templates by name and source, in memory and on disk.

    It saves a server two seconds of work at its start. The cache contains code, so a folder to which another user can
    write is never read.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__(str(folder) if folder is not None else None)
        self.on_disk = folder is not None
        self.in_memory: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.in_memory.get((bucket.key, bucket.checksum))
        if bucket.code is None and self.on_disk:
            super().load_bytecode(bucket)
            self._store_in_memory(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._store_in_memory(bucket)
        if self.on_disk:
            with suppress(OSError):  # the page works even if the disk is full
                super().dump_bytecode(bucket)

    def _store_in_memory(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.in_memory[bucket.key, bucket.checksum] = bucket.code


def ensure_private_folder(folder: Path) -> Path | None:
    """Return the folder, created if necessary, or None if it cannot be created or other users can write to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
        return None
    return folder


@cache
def get_template_cache() -> TemplateCache:
    """Return the template cache of this process."""
    return TemplateCache(
        ensure_private_folder(user_cache_path("triclinium") / "templates" / "direct")
    )  # the folder is named after the generator, because another generator makes other code


class DirectCallGenerator(CodeGenerator):
    """A code generator that compiles a call in a template to a plain call.

    Jinja passes each call through its context, which some callables need. None of ours do, and a page has a thousand
    calls.
    """

    def visit_Call(self, node: Call, frame: Frame, forward_caller: bool = False) -> None:
        self.visit(node.node, frame)
        self.write("(")
        outer_stream, self.stream = self.stream, StringIO()
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        arguments, self.stream = self.stream.getvalue(), outer_stream
        self.write(f"{arguments.removeprefix(', ')})")


def escape_value(value: object) -> str:
    """Return a value as escaped text.

    `escape` returns a `Markup`, which can be combined with others. Output does not need that: a page writes two
    thousand values, and this function takes a tenth of the time.
    """
    kind = type(value)
    if isinstance(value, str):
        return value if kind is Markup or (kind is str and HTML_SPECIAL(value) is None) else escape(value)
    return str(value) if kind is int else escape(value)


class FastMacro:
    """A macro with a short path for calls without named arguments: a page has some hundred calls.

    Jinja's own macro is created at the first call that needs it, because a page calls few of its macros.
    """

    __slots__ = ("_macro", "_settings")

    def __init__(self, *settings: Any) -> None:
        self._settings = settings
        self._macro: Macro | None = None

    def __call__(self, *args: object, **named: object) -> str:
        _, function, _, names, catch_kwargs, catch_varargs, has_caller, _ = self._settings
        if len(args) <= len(names) and not (catch_kwargs or catch_varargs or "caller" in names):
            defaults = (missing,) * (len(names) - len(args))
            if not named and not has_caller:
                return Markup(function(*args, *defaults))
            if has_caller and len(named) == 1 and "caller" in named:
                return Markup(function(*args, *defaults, named["caller"]))
        if self._macro is None:
            self._macro = Macro(*self._settings)
        called: str = self._macro(*args, **named)
        return called


class LazyTemplateModule(TemplateModule):
    """The macros of a template, created when the first one is called; cached results need none."""

    def __init__(self, make: Callable[[], TemplateModule], macro_names: Container[str]) -> None:
        self._make_module: Callable[[], TemplateModule] | None = make
        self._macro_names = macro_names

    def __getattr__(self, name: str) -> object:
        if self._make_module is not None and name in self._macro_names:
            return LazyMacro(self, name)
        self.create_macros()
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None

    def create_macros(self) -> None:
        make, self._make_module = self._make_module, None
        if make is not None:
            self.__dict__.update(vars(make()))


class LazyMacro:
    """A macro of a template module that is created at the first call."""

    __slots__ = ("module", "name")

    def __init__(self, module: LazyTemplateModule, name: str) -> None:
        self.module, self.name = module, name

    def __call__(self, *args: object, **named: object) -> object:
        self.module.create_macros()
        return self.module.__dict__[self.name](*args, **named)


class FastTemplate(Template):
    """A template that writes values with `escape_value` and creates its macros only when they are called."""

    macro_names: Set[str] | None = None  # unknown until the macros have been created once

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, object],
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        template = super().from_code(environment, code, globals, uptodate)
        names = template.root_render_func.__globals__  # the globals of the template's own module
        names["escape"], names["Macro"] = escape_value, FastMacro
        return template

    def make_module(
        self,
        vars: dict[str, object] | None = None,
        shared: bool = False,
        locals: Mapping[str, object] | None = None,
    ) -> TemplateModule:
        return LazyTemplateModule(partial(self._create_module, vars, shared, locals), self.macro_names or ())

    def _create_module(
        self, vars: dict[str, object] | None, shared: bool, locals: Mapping[str, object] | None
    ) -> TemplateModule:
        module = super().make_module(vars, shared, locals)
        if self.macro_names is None:
            macros = FastMacro | LazyMacro
            self.macro_names = {name for name, value in module.__dict__.items() if isinstance(value, macros)}
        return module


class TemplateEnvironment(Environment):
    """The environment of all templates of the server and its games.

    An unknown name is an error, never an empty text.
    """

    code_generator_class = DirectCallGenerator
    template_class = FastTemplate

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            extensions=[IndentationStripper],
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            auto_reload=False,
            cache_size=-1,  # unlimited: to find the oldest of a few hundred templates costs more than their memory
            bytecode_cache=get_template_cache(),
        )

    def make_globals(self, d: MutableMapping[str, object] | None) -> MutableMapping[str, object]:
        """Return the global names without a copy, because each part of a page would copy a chain of dicts."""
        return super().make_globals(d) if d else self.globals

    def getattr(self, obj: object, attribute: str) -> object:
        """Return an attribute; in a dict, such as ``drawing.pawns``, look up the key first.

        A page does this some thousand times, so the base class is called only if nothing is found.
        """
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)
