"""The templates' environment: Jinja as it is documented, with four habits of the server."""

import os
import re
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from functools import cache, partial
from io import StringIO
from pathlib import Path
from types import CodeType

from jinja2 import Environment, FileSystemBytecodeCache, StrictUndefined, Template
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.ext import Extension
from jinja2.loaders import BaseLoader
from jinja2.nodes import Call
from markupsafe import Markup, escape
from platformdirs import user_cache_path

HTML_SPECIAL = re.compile("[&<>'\"]").search
LEADING_SPACES = re.compile(r"^[ \t]+", re.MULTILINE)


class IndentationStripper(Extension):
    """Drops the indentation of each line when a template is read: templates are laid out for people, pages are not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return LEADING_SPACES.sub("", source)


class TemplateCache(FileSystemBytecodeCache):
    """Templates compiled before, by name and source: in this process, or by an earlier one of the same user.

    A server whose templates were compiled once starts two seconds of work earlier. What is kept is code: a folder that
    anybody else can write to is never read.
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
            with suppress(OSError):  # a full disk is no reason to show no page
                super().dump_bytecode(bucket)

    def _store_in_memory(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.in_memory[bucket.key, bucket.checksum] = bucket.code


def ensure_private_folder(folder: Path) -> Path | None:
    """The folder, made if need be; None: it cannot be made, or is not this user's alone to write to."""
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
    """The one for this process."""
    return TemplateCache(
        ensure_private_folder(user_cache_path("triclinium") / "templates" / "direct")
    )  # as `Direct` compiles them


class DirectCallGenerator(CodeGenerator):
    """Compiles a call to a call.

    Jinja's own goes by way of the context, which some callables want. None of ours does, and a page calls a thousand.
    """

    def visit_Call(self, node: Call, frame: Frame, forward_caller: bool = False) -> None:
        self.visit(node.node, frame)
        self.write("(")
        outer_stream, self.stream = self.stream, StringIO()
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        arguments, self.stream = self.stream.getvalue(), outer_stream
        self.write(f"{arguments.removeprefix(', ')})")


def escape_value(value: object) -> str:
    """What a page shows of a value, escaped.

    `escape` wraps each in a `Markup`, so that it can be mixed with others; what is written out is mixed no more. A page
    writes two thousand, and this takes a tenth of the time.
    """
    kind = type(value)
    if kind is Markup or kind is int:
        return str(value)
    if isinstance(value, str) and kind is str and not HTML_SPECIAL(value):
        return value
    return escape(value)


class LazyTemplateModule(TemplateModule):
    """The macros of a template, made when the first of them is asked for: what is made `once` asks for none."""

    def __init__(self, make: Callable[[], TemplateModule]) -> None:
        self._make_module: Callable[[], TemplateModule] | None = make

    def __getattr__(self, name: str) -> object:
        make, self._make_module = self._make_module, None
        if make is None:
            raise AttributeError(name)
        self.__dict__.update(vars(make()))
        return getattr(self, name)


class FastTemplate(Template):
    """A template that writes values out by `written`, and gives its macros to others as `Imported`."""

    @classmethod
    def from_code(
        cls,
        environment: Environment,
        code: CodeType,
        globals: MutableMapping[str, object],
        uptodate: Callable[[], bool] | None = None,
    ) -> Template:
        template = super().from_code(environment, code, globals, uptodate)
        template.root_render_func.__globals__["escape"] = (
            escape_value  # of the code's own module, which nobody else has
        )
        return template

    def make_module(
        self,
        vars: dict[str, object] | None = None,
        shared: bool = False,
        locals: Mapping[str, object] | None = None,
    ) -> TemplateModule:
        return LazyTemplateModule(partial(super().make_module, vars, shared, locals))


class TemplateEnvironment(Environment):
    """All templates of the server and its games. A name that is not known is an error, never an empty place."""

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
            cache_size=-1,  # all are kept: to find the oldest costs more than the few hundred weigh
            bytecode_cache=get_template_cache(),
        )

    def make_globals(self, d: MutableMapping[str, object] | None) -> MutableMapping[str, object]:
        """What all templates know, as it is: every part of a page copies it, and a chain of dicts is slow to copy."""
        return super().make_globals(d) if d else self.globals

    def getattr(self, obj: object, attribute: str) -> object:
        """``drawing.pawns``: drawings are dicts, so a key is looked up before an attribute is tried.

        A page asks some thousand times: what is there is found here, what is not the base class tells.
        """
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)
