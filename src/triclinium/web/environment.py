"""The templates' environment: Jinja as it is documented, with two habits of the house."""

import re
from types import CodeType

from jinja2 import BytecodeCache, Environment, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.loaders import BaseLoader

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Outdented(Extension):
    """Drops the indentation of each line when a template is read: templates are laid out for people, pages are not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return INDENTATION.sub("", source)


class Compiled(BytecodeCache):
    """Templates compiled before in this process, by name and source: a second house in it compiles none again."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.kept.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self.kept[bucket.key, bucket.checksum] = bucket.code


COMPILED = Compiled()


class Templates(Environment):
    """All templates of the house and its titles. A name that is not known is an error, never an empty place."""

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            extensions=[Outdented],
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            auto_reload=False,
            bytecode_cache=COMPILED,
        )

    def getattr(self, obj: object, attribute: str) -> object:
        """``drawing.pawns``: drawings are dicts, so a key is looked up before an attribute is tried."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)
