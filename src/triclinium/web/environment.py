"""The templates' environment: Jinja as it is documented, with two habits of the house."""

import re

from jinja2 import Environment, StrictUndefined
from jinja2.ext import Extension
from jinja2.loaders import BaseLoader

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Outdented(Extension):
    """Drops the indentation of each line when a template is read: templates are laid out for people, pages are not."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return INDENTATION.sub("", source)


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
        )

    def getattr(self, obj: object, attribute: str) -> object:
        """``drawing.pawns``: drawings are dicts, so a key is looked up before an attribute is tried."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)
