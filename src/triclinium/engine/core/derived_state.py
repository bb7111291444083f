"""Copies and keys of states, derived from the annotations in the class body of a game's state.

The first use of a class generates two functions for it, with one line for each attribute. Numbers, texts, None, and
lists, tuples, sets and dicts of them are copied and belong to the key. An attribute of another class, such as the
components, is the same for the whole match: copies share it, and the key omits it.
"""

from collections.abc import Callable
from enum import Enum
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Union, get_args, get_origin

_NUMBERS: Final = (int, bool)
_SIMPLE: Final = (int, bool, str, float, bytes, NoneType)
_CONTAINERS: Final = (list, tuple, set, frozenset, dict)
_VALUES: Final = (int, tuple, Enum)  # classes whose subclasses are values, not shared objects
_UNKNOWN: Final = Any  # for an attribute whose type cannot be read: its value decides how it is copied

_copiers: dict[type, Callable[[Any, Any], None]] = {}
_key_writers: dict[type, Callable[[Any, list[int]], None]] = {}


def copy_attributes(s: Any, t: Any, root: type) -> None:
    """Copy the attributes that subclasses of ``root`` declare from one state to another."""
    kind = type(s)
    if kind not in _copiers:
        _derive(s, root)
    _copiers[kind](s, t)


def list_key_numbers(s: Any, root: type) -> list[int]:
    """Return the numbers that identify the attributes that subclasses of ``root`` declare."""
    kind = type(s)
    if kind not in _key_writers:
        _derive(s, root)
    numbers: list[int] = []
    _key_writers[kind](s, numbers)
    return numbers


def _derive(s: Any, root: type) -> None:
    """Generate both functions for the class of a state. Raise TypeError if it has an attribute without annotation."""
    kind = type(s)
    attributes = _read_annotations(kind, root)
    for name in getattr(s, "__dict__", {}):
        if name not in attributes and name not in getattr(root, "__annotations__", {}):
            raise TypeError(f"{kind.__name__}.{name} has no annotation; declare it in the body of the class")
    copying: list[str] = []
    listing: list[str] = []
    for name, hint in attributes.items():
        copying.append(f"t.{name} = {_write_copy(hint, f's.{name}')}")
        listing.extend(_write_key(hint, f"s.{name}", 0))
    _copiers[kind] = _compile_function("s, t", copying)
    _key_writers[kind] = _compile_function("s, k", listing)


def _compile_function(parameters: str, lines: list[str]) -> Callable[[Any, Any], None]:
    names: dict[str, Any] = {"copy_part": copy_part, "add_to_key": add_to_key, "add_attribute": add_attribute}
    body = "\n    ".join(lines or ["pass"])
    exec(f"def function({parameters}):\n    {body}", names)
    made: Callable[[Any, Any], None] = names["function"]
    return made


def _read_annotations(kind: type, root: type) -> dict[str, Any]:
    """Return the attributes that a class and its bases below ``root`` declare, with their types."""
    attributes: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base is root or not issubclass(base, root):
            continue
        try:
            hints = get_annotations(base, eval_str=True)
        except NameError:  # a type that is only imported for the type checker
            hints = dict.fromkeys(get_annotations(base), _UNKNOWN)
        inherited = vars(root).get("__mypyc_attrs__", ())
        for name in vars(base).get("__mypyc_attrs__", ()):  # a compiled class has names without types
            if name not in inherited and not name.startswith("__"):
                hints.setdefault(name, _UNKNOWN)
        attributes.update({name: hint for name, hint in hints.items() if not _is_constant(hint)})
    return attributes


def _is_constant(hint: Any) -> bool:
    """Return whether an annotation declares an attribute of the class, which is not part of a state."""
    origin = get_origin(hint) or hint
    return origin is ClassVar or origin is Final


def _strip(hint: Any) -> Any:
    """Return a type without `Annotated`."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _is_immutable(hint: Any) -> bool:
    """Return whether copies may share a value of this type."""
    hint = _strip(hint)
    origin = get_origin(hint) or hint
    if origin in (UnionType, Union, tuple, frozenset):
        return all([part is Ellipsis or _is_immutable(part) for part in get_args(hint)] or [origin is not tuple])
    return hint is not _UNKNOWN and origin not in _CONTAINERS and isinstance(origin, type)


def _is_shared(hint: Any) -> bool:
    """Return whether the type is a class whose objects are shared by the whole match, such as the components."""
    hint = _strip(hint)
    origin = get_origin(hint) or hint
    known = (*_SIMPLE, *_CONTAINERS, UnionType)
    return isinstance(origin, type) and origin not in known and not issubclass(origin, _VALUES)


def _write_copy(hint: Any, value: str) -> str:
    """Return an expression for a copy of an attribute."""
    hint = _strip(hint)
    if _is_immutable(hint):
        return value
    if get_origin(hint) is list and _is_immutable(get_args(hint)[0]):
        return f"{value}[:]"
    return f"copy_part({value})"


def _write_key(hint: Any, value: str, depth: int) -> list[str]:
    """Return statements that add the numbers of a value to the key."""
    hint = _strip(hint)
    if hint is _UNKNOWN:
        return [f"add_attribute(k, {value})"]
    if _is_shared(hint) and depth == 0:
        return []
    if isinstance(hint, type) and issubclass(hint, _NUMBERS):
        return [f"k.append({value})"]
    if get_origin(hint) in (list, tuple):
        parts = {_strip(part) for part in get_args(hint) if part is not Ellipsis}
        if len(parts) == 1:
            part = parts.pop()
            if isinstance(part, type) and issubclass(part, _NUMBERS):
                return [f"k.append(len({value}))", f"k += {value}"]
            inner = _write_key(part, f"x{depth}", depth + 1)
            return [f"k.append(len({value}))", f"for x{depth} in {value}:", *[f"    {line}" for line in inner]]
    return [f"add_to_key(k, {value})"]


def copy_part(value: Any) -> Any:
    """Return a copy of a value that shares no list, dict or set with the original."""
    if isinstance(value, (list, tuple)):
        copied = [copy_part(part) for part in value]
        return copied if isinstance(value, list) else tuple(copied)
    if isinstance(value, dict):
        return {key: copy_part(part) for key, part in value.items()}
    return set(value) if isinstance(value, set) else value


def add_attribute(key: list[int], value: Any) -> None:
    """Add a value of unknown type to a key, unless it is an object that the whole match shares."""
    if isinstance(value, (*_SIMPLE, *_CONTAINERS, Enum)):
        add_to_key(key, value)


def add_to_key(key: list[int], value: Any) -> None:
    """Add a value to a key, after a number for its type. Raise TypeError if it is not made of numbers and texts."""
    if value is None:
        key.append(0)
    elif isinstance(value, Enum) and not isinstance(value, int):
        add_to_key(key, value.value)
    elif isinstance(value, int):
        key += (1, value)
    elif isinstance(value, float):
        key += (2, *value.as_integer_ratio())
    elif isinstance(value, str):
        key += (3, len(value), *[ord(letter) for letter in value])
    elif isinstance(value, bytes):
        key += (4, len(value), *value)
    elif isinstance(value, (list, tuple)):
        key += (5, len(value))
        for part in value:
            add_to_key(key, part)
    elif isinstance(value, (set, frozenset)):
        key += (6, len(value))
        for part in sorted(value):
            add_to_key(key, part)
    elif isinstance(value, dict):
        key += (7, len(value))
        for name in sorted(value):
            add_to_key(key, name)
            add_to_key(key, value[name])
    else:
        raise TypeError(f"state_key cannot be derived from {value!r}: use numbers, or override clone and state_key")
