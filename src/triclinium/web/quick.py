"""Templates that are rendered quickly.

A table's page has thousands of expressions. Jinja asks of each call whether the callee wants a context, makes a Markup
of each piece of text before it joins them, and tries an attribute before it looks into a dict. No template of the house
needs any of this.
"""

from functools import lru_cache
from keyword import iskeyword

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from markupsafe import Markup, escape

KEPT = 20_000  # texts
METHODS = frozenset(dir(dict))  # `view.items()` means the method, as ever

_escaped = lru_cache(KEPT)(escape)


def shown(value: object) -> str:
    """A value as a page shows it."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[return-value]  # its type was asked a line above
    if kind is str:
        return _escaped(value)
    if kind is int:
        return str(value)
    return escape(value)


class Generator(CodeGenerator):
    """Writes plainer code: calls are calls, and what is shown passes one function."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        starred = node.dyn_args is not None or node.dyn_kwargs is not None
        if forward_caller or starred or any(iskeyword(word.key) for word in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(")(")
        for arg in (*node.args, *node.kwargs):
            self.visit(arg, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.shown(")


class Templates(Environment):
    """An environment of such templates. Its functions get no context: Jinja's `pass_context` has no effect here."""

    code_generator_class = Generator
    shown = staticmethod(shown)

    def getattr(self, obj: object, attribute: str) -> object:
        if type(obj) is dict and attribute not in METHODS:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)
