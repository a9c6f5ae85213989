"""Checks of arguments against the types of `refreshd.protocol`, before a message is stored.

Only the names of members and the kinds of values are checked. The daemon decides about words and ranges, because a
newer one may know more.
"""

import difflib
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

from . import protocol
from .protocol import AttachOptions, Feature, Geometry

KINDS: dict[Any, tuple[Any, str]] = {float: ((int, float), "a number"), int: (int, "a whole number"), bool: (bool, "a bool"),
         str: (str, "a string"), type(None): (type(None), "None")}


def check_options(options: Mapping[str, Any]) -> None:
    """Raises TypeError if `attach` has no option of a name, also within an option, or if a value has a wrong type."""
    check_members(options, AttachOptions, "attach")


def check_geometry(changes: Mapping[str, Any]) -> None:
    """Raises TypeError if `resize` has no argument of a name, also within an object, or if a value has a wrong type."""
    check_members(changes, Geometry, "resize")


def check_value(value: Any, name: str, options: str) -> None:
    """Raises TypeError if a value is not an object of the type with this name in `refreshd.protocol`."""
    check(value, getattr(protocol, options), name)


def check_attempts(attempts_max: Any) -> None:
    """Raises TypeError if the number of attempts is neither None nor a whole number, and ValueError below 1."""
    if attempts_max is None:
        return
    check(attempts_max, int, "attempts_max")
    if attempts_max < 1:
        raise ValueError(f"attempts_max is 1 or more, not {attempts_max}; None is no limit")


def checked_features(features: Iterable[str] | None) -> list[str] | None:
    """Returns the features as a list. Raises TypeError for a string, and ValueError for a name that is no feature."""
    if features is None:
        return None
    if isinstance(features, str | bytes):
        raise TypeError(f'features is a list of names, such as ["query"], not {features!r}')
    found = list(features)
    for name in found:
        if name not in get_args(Feature):
            raise ValueError(f"there is no feature {name}; there are {', '.join(get_args(Feature))}")
    return found


def check_members(value: Any, kind: Any, path: str) -> None:
    """Checks an object against a TypedDict. `path` names it in an error."""
    if not isinstance(value, dict):
        raise TypeError(f"{path} is an object, such as {{{next(iter(kind.__annotations__))!r}: …}}, not {value!r}")
    known = members(kind)
    for name, member in value.items():
        if name not in known:
            similar = difflib.get_close_matches(str(name), known, 1)
            meant = f"; did you mean {similar[0]}?" if similar else ""
            raise TypeError(f"{path} has no option {name}; it has {', '.join(known)}{meant}")
        check(member, known[name], name if path in ("attach", "resize") else f"{path}.{name}")


@functools.cache
def members(kind: Any) -> dict[str, Any]:
    """Returns the members of a TypedDict with their types."""
    return get_type_hints(kind, vars(protocol), include_extras=True)


def check(value: Any, kind: Any, path: str) -> None:
    """Checks a value against a type of `refreshd.protocol`."""
    if not is_of(value, kind):
        objects = [one for one in alternatives(kind) if is_typeddict(one)]
        if objects:
            check_members(value, objects[0], path)
        else:
            raise TypeError(f"{path} is {described(kind)}, not {value!r}")


def is_of(value: Any, kind: Any) -> bool:
    """Whether a value has one of the alternatives of a type. An object of a TypedDict never has: it is checked by
    member.
    """
    return any(is_one(value, one) for one in alternatives(kind))


def alternatives(kind: Any) -> Sequence[Any]:
    """Returns the types of which a value may have one."""
    origin = get_origin(kind)
    if origin is Required:
        return alternatives(get_args(kind)[0])
    if origin is Union or type(kind).__name__ == "UnionType":
        return [one for part in get_args(kind) for one in alternatives(part)]
    return [kind]


def is_one(value: Any, kind: Any) -> bool:
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return True
    if origin is Literal:
        return isinstance(value, str)
    if origin is list:
        return isinstance(value, list | tuple) and all(is_of(one, parts[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(is_of(one, parts[1]) for one in value.values())
    if kind in KINDS:
        return isinstance(value, KINDS[kind][0]) and (kind is bool or not isinstance(value, bool))
    return False


def described(kind: Any) -> str:
    """Returns a type in words."""
    words = []
    for one in alternatives(kind):
        origin, parts = get_origin(one), get_args(one)
        if origin is Literal:
            words.append("one of " + ", ".join(map(repr, parts)))
        elif origin is list:
            words.append("a list")
        elif origin is dict:
            words.append("an object of strings")
        else:
            words.append(KINDS[one][1] if one in KINDS else "an object")
    return " or ".join(words)
