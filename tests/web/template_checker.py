"""A static checker for the names that templates use: variables of the page, and attributes of typed variables.

It walks the syntax tree of a template and of everything that the template extends, includes or imports, and follows the
types of variables where they are known. It reports each name that the page does not provide, and each attribute that a
class does not have. Where a type is not known, it reports nothing. It checks a macro for each call.
"""

import ast
import collections.abc
import importlib
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from jinja2 import Environment, nodes

from triclinium.server.accounts.users import Person
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext

UNKNOWN = object()
Hint = object  # an annotation, a `Macro`, a `Method`, a `Library`, or UNKNOWN
Scope = dict[str, Hint]

COMMON: Scope = {
    "_": Localizer,
    "reading": PageContext,
    "person": Person | None,
    "csrf": str,
    "path": str,
    "here": str,
    "now": float,
}
MAPPINGS = (dict, collections.abc.Mapping)
SEQUENCES = (list, tuple, set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Iterator)
SAME_ELEMENTS = {"sort", "list", "reverse", "select", "reject", "selectattr", "rejectattr", "unique", "default", "d"}
ATTRIBUTE_FILTERS = {"sort", "map", "selectattr", "rejectattr", "sum", "groupby", "unique", "max", "min"}


@dataclass(frozen=True)
class Method:
    """A function of a class, which returns what its annotation says."""

    returns: Hint


@dataclass(frozen=True, eq=False)
class Macro:
    """A macro with the scope in which it was defined."""

    node: nodes.Macro
    scope: Scope
    template: str


@dataclass(frozen=True, eq=False)
class Library:
    """An imported template: its macros and variables."""

    names: Scope


@dataclass
class Checker:
    """One walk through the templates of a page, for one game."""

    environment: Environment
    game_id: str = ""
    problems: set[str] = field(default_factory=set)
    _called: set[tuple[object, ...]] = field(default_factory=set)

    def check_page(self, template: str, variables: Mapping[str, Hint]) -> list[str]:
        """Return a line for each unknown name of a page that is rendered with these variables."""
        names: Scope = {**dict.fromkeys(self.environment.globals, UNKNOWN), **COMMON, **variables}
        self._walk_template(template, names)
        return sorted(self.problems)

    # -- templates ----------------------------------------------------------------------------------------------------

    def _walk_template(self, name: str, scope: Scope) -> Scope:
        """Check a template, and return the names that it defines at its top level."""
        tree = parse_template(self.environment, name)
        local: Scope = {**dict.fromkeys(list_optional_names(tree), UNKNOWN), **scope}
        parent = next(iter(tree.find_all(nodes.Extends)), None)
        if parent is not None:
            assert isinstance(parent.template, nodes.Const)
            # The parent's imports are visible in the blocks of its children.
            above = self._walk_template(str(parent.template.value), local)
            local = {**above, **local, **{key: each for key, each in above.items() if isinstance(each, Library)}}
        self._walk_body(tree.body, local, name)
        return local

    def _walk_body(self, body: Sequence[nodes.Node], scope: Scope, template: str) -> None:
        for node in body:  # macros can call macros that are defined below them
            if isinstance(node, nodes.Macro):
                scope[node.name] = Macro(node, scope, template)
        for node in body:
            self._walk(node, scope, template)

    def _walk(self, node: nodes.Node, scope: Scope, template: str) -> None:
        match node:
            case nodes.Output():
                for child in node.nodes:
                    self._type(child, scope, template)
            case nodes.Assign():
                self._bind(node.target, self._type(node.node, scope, template), scope)
            case nodes.AssignBlock():
                self._walk_body(node.body, dict(scope), template)
                self._bind(node.target, str, scope)
            case nodes.For():
                self._walk_loop(node, scope, template)
            case nodes.If():
                self._type(node.test, scope, template)
                for body in (node.body, *(each.body for each in node.elif_), node.else_):
                    self._walk_body(body, scope, template)
                for each in node.elif_:
                    self._type(each.test, scope, template)
            case nodes.Macro():
                for default in node.defaults:
                    self._type(default, scope, template)
            case nodes.CallBlock():
                self._type(node.call, scope, template)
                self._walk_body(node.body, {**scope, **{arg.name: UNKNOWN for arg in node.args}}, template)
            case nodes.Block():
                self._walk_body(node.body, {"super": UNKNOWN, **scope}, template)
            case nodes.With():
                inner = dict(scope)
                for target, value in zip(node.targets, node.values, strict=True):
                    self._bind(target, self._type(value, scope, template), inner)
                self._walk_body(node.body, inner, template)
            case nodes.Include():
                included = self._find_template(node.template)
                if included:
                    self._walk_template(included, dict(scope))
            case nodes.Import():
                scope[node.target] = self._import(node.template, scope, node.with_context)
            case nodes.FromImport():
                library = self._import(node.template, scope, node.with_context)
                for item in node.names:
                    name, alias = (item, item) if isinstance(item, str) else item
                    scope[alias] = library.names.get(name, UNKNOWN) if isinstance(library, Library) else UNKNOWN
                    if isinstance(library, Library) and name not in library.names:
                        self._report(template, node, f"`{name}` is not in the imported template")
            case nodes.Extends():
                pass
            case _:
                for part in node.iter_child_nodes():
                    if isinstance(part, nodes.Expr):
                        self._type(part, scope, template)
                    else:
                        self._walk(part, dict(scope), template)

    def _walk_loop(self, node: nodes.For, scope: Scope, template: str) -> None:
        inner = {**scope, "loop": UNKNOWN}
        self._bind(node.target, get_element(self._type(node.iter, scope, template)), inner)
        if node.test is not None:
            self._type(node.test, inner, template)
        self._walk_body(node.body, inner, template)
        self._walk_body(node.else_, dict(scope), template)

    def _walk_macro(self, macro: Macro, arguments: Sequence[Hint]) -> None:
        """Check the body of a macro, once for each combination of argument types."""
        key = (id(macro.node), id(macro.scope), *map(repr, arguments))
        if key in self._called:
            return
        self._called.add(key)
        parameters = [arg.name for arg in macro.node.args]
        bound: Scope = dict.fromkeys(("caller", "varargs", "kwargs", *parameters), UNKNOWN)
        bound |= dict(zip(parameters, arguments, strict=False))
        self._walk_body(macro.node.body, {**macro.scope, **bound}, macro.template)

    def _import(self, template: nodes.Expr, scope: Scope, with_context: bool) -> Hint:
        name = self._find_template(template)
        if not name:
            return UNKNOWN
        visible = scope if with_context else dict.fromkeys(self.environment.globals, UNKNOWN)
        names = self._walk_template(name, dict(visible))
        return Library({key: names[key] for key in list_defined_names(parse_template(self.environment, name))})

    def _find_template(self, node: nodes.Expr) -> str:
        """Return the name of a template: a constant, or the game's id and a constant; else the empty text."""
        if isinstance(node, nodes.Const):
            return str(node.value)
        parts = node.nodes if isinstance(node, nodes.Concat) else []
        if self.game_id and len(parts) == 2 and isinstance(parts[1], nodes.Const):
            name = f"{self.game_id}{parts[1].value}"
            return name if name in self.environment.list_templates() else ""
        return ""

    def _bind(self, target: nodes.Node, hint: Hint, scope: Scope) -> None:
        if isinstance(target, nodes.Name):
            scope[target.name] = hint
        elif isinstance(target, nodes.Tuple):
            args = typing.get_args(hint)
            fits = typing.get_origin(hint) is tuple and len(args) == len(target.items)
            for n, item in enumerate(target.items):
                self._bind(item, args[n] if fits else UNKNOWN, scope)

    # -- expressions --------------------------------------------------------------------------------------------------

    def _type(self, node: nodes.Node, scope: Scope, template: str) -> Hint:
        """Check an expression, and return its type. A macro that is passed on is called with unknown arguments."""
        hint = self._resolve(node, scope, template)
        if isinstance(hint, Macro):
            self._walk_macro(hint, [UNKNOWN] * len(hint.node.args))
        return hint

    def _resolve(self, node: nodes.Node, scope: Scope, template: str) -> Hint:
        """Check an expression, and return its type; a macro is not called."""

        def check(child: nodes.Node) -> Hint:
            return self._type(child, scope, template)

        match node:
            case nodes.Name():
                if node.name not in scope:
                    self._report(template, node, f"the page has no variable `{node.name}`")
                return scope.get(node.name, UNKNOWN)
            case nodes.Getattr():
                return self._get_attribute(check(node.node), node.attr, template, node)
            case nodes.Getitem():
                check(node.arg)
                return get_item(check(node.node))
            case nodes.Call():
                return self._call(self._resolve(node.node, scope, template), node, scope, template)
            case nodes.Filter():
                return self._filter(node, scope, template)
            case nodes.Test():
                if node.name != "defined":
                    for child in node.iter_child_nodes():
                        check(child)
                return bool
            case nodes.CondExpr():
                check(node.test)
                first, second = check(node.expr1), UNKNOWN if node.expr2 is None else check(node.expr2)
                is_empty = isinstance(node.expr2, nodes.List | nodes.Dict) and not list(node.expr2.iter_child_nodes())
                return first if first == second or is_empty else UNKNOWN
            case nodes.Const() | nodes.TemplateData():
                return UNKNOWN
        for child in node.iter_child_nodes():
            check(child)
        return UNKNOWN

    def _get_attribute(self, owner: Hint, name: str, template: str, node: nodes.Node) -> Hint:
        if isinstance(owner, Library):
            if name not in owner.names and name not in list_optional_names(parse_template(self.environment, template)):
                self._report(template, node, f"the imported template has no `{name}`")
            return owner.names.get(name, UNKNOWN)
        found = find_attribute(owner, name)
        if found is None:
            self._report(template, node, f"{describe(owner)} has no attribute `{name}`")
            return UNKNOWN
        return found

    def _call(self, called: Hint, node: nodes.Call, scope: Scope, template: str) -> Hint:
        arguments = [self._type(child, scope, template) for child in node.args]
        keywords = {each.key: self._type(each.value, scope, template) for each in node.kwargs}
        for each in (node.dyn_args, node.dyn_kwargs):
            if each is not None:
                self._type(each, scope, template)
        if isinstance(called, Macro):
            parameters = [arg.name for arg in called.node.args]
            bound = dict(zip(parameters, arguments, strict=False)) | keywords
            self._walk_macro(called, [bound.get(name, UNKNOWN) for name in parameters])
            return str
        if isinstance(called, Method):
            return called.returns
        if typing.get_origin(called) is collections.abc.Callable:
            return typing.get_args(called)[-1]
        return UNKNOWN

    def _filter(self, node: nodes.Filter, scope: Scope, template: str) -> Hint:
        hint = UNKNOWN if node.node is None else self._type(node.node, scope, template)
        for child in (*node.args, *(each.value for each in node.kwargs)):
            self._type(child, scope, template)
        first = [node.args[0]] if node.args and node.name in ("selectattr", "rejectattr") else []
        attributes = [*first, *(each.value for each in node.kwargs if each.key == "attribute")]
        found: Hint = UNKNOWN
        if node.name in ATTRIBUTE_FILTERS:
            for attribute in attributes:
                if isinstance(attribute, nodes.Const) and isinstance(attribute.value, str):
                    found = get_element(hint)
                    for part in attribute.value.split("."):
                        found = self._get_attribute(found, part, template, node)
        if node.name in SAME_ELEMENTS:
            element = get_element(hint)
            return UNKNOWN if element is UNKNOWN else types.GenericAlias(list, (element,))
        return types.GenericAlias(list, (found,)) if node.name == "map" and found is not UNKNOWN else UNKNOWN

    def _report(self, template: str, node: nodes.Node, what: str) -> None:
        self.problems.add(f"{template}:{node.lineno}: {what}")


_parsed: dict[tuple[int, str], nodes.Template] = {}


def parse_template(environment: Environment, name: str) -> nodes.Template:
    """Return the syntax tree of a template."""
    key = (id(environment), name)
    if key not in _parsed:
        assert environment.loader is not None
        _parsed[key] = environment.parse(environment.loader.get_source(environment, name)[0], name)
    return _parsed[key]


def list_optional_names(tree: nodes.Template) -> list[str]:
    """Return the variables and macros that a template tests with `is defined`: they need not exist."""
    tested = [test.node for test in tree.find_all(nodes.Test) if test.name == "defined"]
    variables = [node.name for node in tested if isinstance(node, nodes.Name)]
    return variables + [node.attr for node in tested if isinstance(node, nodes.Getattr)]


def list_defined_names(tree: nodes.Template) -> list[str]:
    """Return the macros and variables that a template defines for those that import it."""
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, nodes.Macro):
            names.append(node.name)
        elif isinstance(node, nodes.Assign | nodes.AssignBlock) and isinstance(node.target, nodes.Name):
            names.append(node.target.name)
    return names


# -- types ------------------------------------------------------------------------------------------------------------


def describe(hint: Hint) -> str:
    """Return the name of a type for a message."""
    return getattr(strip_none(hint), "__name__", str(hint))


def strip_none(hint: Hint) -> Hint:
    """Return ``T`` for ``T | None``; UNKNOWN for a union of several types."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        parts = [each for each in typing.get_args(hint) if each is not type(None)]
        return parts[0] if len(parts) == 1 else UNKNOWN
    return hint


def get_element(hint: Hint) -> Hint:
    """Return the type of what a loop over this type yields."""
    hint = strip_none(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return args[0] if len(args) == 2 and args[1] is Ellipsis else UNKNOWN
    return args[0] if origin in (*SEQUENCES, *MAPPINGS) and args else UNKNOWN


def get_item(hint: Hint) -> Hint:
    """Return the type of an element by its key or index; a slice has the same type, so it is not followed."""
    hint = strip_none(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in MAPPINGS:
        return args[1]
    return UNKNOWN


def find_attribute(owner: Hint, name: str) -> Hint | None:
    """Return the type of an attribute, UNKNOWN if it is unknown, or None if the class does not have it."""
    owner = strip_none(owner)
    origin = typing.get_origin(owner)
    if origin in MAPPINGS:
        key, value = typing.get_args(owner)
        pairs = collections.abc.Iterable[tuple[key, value]]  # type: ignore[valid-type]
        methods: dict[str, Hint] = {"items": pairs, "values": collections.abc.Iterable[value], "get": value | None}  # type: ignore[valid-type]
        return Method(methods[name]) if name in methods else UNKNOWN
    cls = origin or owner
    if not isinstance(cls, type) or cls.__module__ == "builtins" or hasattr(cls, "__getattr__"):
        return UNKNOWN if not isinstance(cls, type) or hasattr(cls, name) or cls is object else None
    if not cls.__module__.startswith("triclinium"):
        return UNKNOWN
    return substitute(read_attributes(cls).get(name), owner)


def substitute(hint: Hint | None, owner: Hint) -> Hint | None:
    """Replace the type variables of a generic class by its arguments."""
    parameters = getattr(typing.get_origin(owner), "__parameters__", ())
    values: dict[object, Hint] = dict(zip(parameters, typing.get_args(owner), strict=False))
    if isinstance(hint, Method):
        return Method(substitute(hint.returns, owner))
    if isinstance(hint, typing.TypeVar):
        return values.get(hint, UNKNOWN)
    inner = getattr(hint, "__parameters__", ())
    if inner and values and hasattr(hint, "__getitem__"):
        return typing.cast(Hint, hint[tuple(values.get(each, object) for each in inner)])
    return hint


_attributes: dict[type, dict[str, Hint]] = {}


def read_attributes(cls: type) -> dict[str, Hint]:
    """Return all attributes of a class with their types: annotations, properties, methods, and what `self` is given."""
    if cls in _attributes:
        return _attributes[cls]
    found: dict[str, Hint] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("triclinium"):
            found |= dict.fromkeys(vars(base), UNKNOWN) if base is not object else {}
            continue
        found |= read_assignments(base)
        found |= {name: read_hint(base, hint) for name, hint in inspect.get_annotations(base).items()}
        for name, value in vars(base).items():
            if isinstance(value, property):
                found[name] = read_return(base, value.fget)
            elif isinstance(value, cached_property):
                found[name] = read_return(base, value.func)
            elif inspect.isfunction(value):
                found[name] = Method(read_return(base, value))
            elif name not in found:
                found[name] = UNKNOWN
    _attributes[cls] = found
    return found


def read_return(cls: type, function: Callable[..., object] | None) -> Hint:
    """Return the annotated result of a function."""
    return read_hint(cls, getattr(function, "__annotations__", {}).get("return", UNKNOWN))


def read_hint(cls: type, hint: Hint) -> Hint:
    """Return an annotation as an object, resolved in the module of its class."""
    if isinstance(hint, str):
        try:
            hint = eval(hint, vars(importlib.import_module(cls.__module__)))
        except Exception:
            return UNKNOWN
    return UNKNOWN if hint in (typing.Any, object, None) else hint


def read_assignments(cls: type) -> dict[str, Hint]:
    """Return the attributes that the methods of a class assign to `self`, typed where an annotation says how."""
    module = importlib.import_module(cls.__module__)
    path = Path(str(module.__file__)).with_suffix(".py")
    found: dict[str, Hint] = {}
    definition = find_class(path, cls.__qualname__)
    for function in () if definition is None else definition.body:
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        parameters = {arg.arg: arg.annotation for arg in function.args.args + function.args.kwonlyargs}
        for node in ast.walk(function):
            targets: Iterable[ast.expr] = ()
            annotation: ast.expr | None = None
            if isinstance(node, ast.Assign):
                targets = [
                    each
                    for target in node.targets
                    for each in (target.elts if isinstance(target, ast.Tuple) else [target])
                ]
                annotation = parameters.get(node.value.id) if isinstance(node.value, ast.Name) else None
            elif isinstance(node, ast.AnnAssign):
                targets, annotation = [node.target], node.annotation
            for target in targets:
                if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self":
                    hint = UNKNOWN if annotation is None else read_hint(cls, ast.unparse(annotation))
                    if found.get(target.attr, UNKNOWN) is UNKNOWN:
                        found[target.attr] = hint
    return found


@cache
def find_class(path: Path, name: str) -> ast.ClassDef | None:
    """Return the definition of a class in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return next((node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name), None)
