"""Named tuples whose classes are made in an eighth of the time of `typing.NamedTuple`.

A check makes some seventy such classes when it starts, which as `NamedTuple`s would take longer than its file.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]

#: As `typing.TYPE_CHECKING`, without loading `typing`: type checkers take the name for true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """For type checkers only."""
        return lambda made: made


#: What reads the first, the second, … place of a tuple. They know no class, so all records share them.
_GETTERS: list[Any] = []


_new = tuple.__new__


@dataclass_transform(frozen_default=True)
class Record(tuple["Any", ...]):
    """The base of a named tuple: its fields are the annotations, in order, given by position or by name."""

    if TYPE_CHECKING:
        __match_args__: tuple[str, ...]
        _size: int
        _tail: tuple[Any, ...]
        _defaults: dict[str, Any]
    else:
        __slots__, _tail, _defaults = (), (), {}

    def __new__(cls, *values: Any, **named: Any) -> Self:
        if named or len(values) != cls._size:
            values = cls._whole(values, named)
        return _new(cls, values)

    @classmethod
    def _whole(cls, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """The values of all fields, some of which are given by name or not at all."""
        missing, tail = cls._size - len(values), cls._tail
        if not named and 0 < missing <= len(tail):
            return values + tail[-missing:]
        values += cls._rest(cls.__match_args__[len(values) :], named)
        if named or len(values) != cls._size:
            raise TypeError(f"{cls.__name__} has the fields {', '.join(cls.__match_args__)}")
        return values

    @classmethod
    def _rest(cls, fields: tuple[str, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """The values of fields that are not given by position; what is missing is left out."""
        known = cls._defaults
        return tuple([named.pop(f) if f in named else known[f] for f in fields if f in named or f in known])

    def _replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        values = [changes.pop(field, value) for field, value in self._asdict().items()]
        return type(self)(*values, **changes)

    def _asdict(self) -> dict[str, Any]:
        """The values by field."""
        return dict(zip(self.__match_args__, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        pairs = (f"{field}={value!r}" for field, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(pairs)})"


class _Maker(type):
    """Makes a getter of every annotated name; a value given in the class is its default.

    What it makes is a class of the common kind (`type`): the interpreter then has a short way to tell what an object
    is no instance of, and `match` statements take it all the time. So nothing can be derived from a record in turn.
    """

    def __new__(cls, name: str, _: tuple[type, ...], namespace: dict[str, Any]) -> type:
        fields = namespace["__match_args__"] = tuple(namespace.get("__annotations__", ()))
        if not namespace.keys().isdisjoint(fields):
            defaults = namespace["_defaults"] = {
                field: namespace[field] for field in fields if field in namespace
            }
            # In order the defaults of the last fields: what fills a record given by position.
            namespace["_tail"] = tuple(defaults.values())
        for place in range(len(_GETTERS), len(fields)):
            _GETTERS.append(_tuplegetter(place, None))
        namespace.update(zip(fields, _GETTERS, strict=False))
        namespace["__slots__"], namespace["_size"] = (), len(fields)
        return type(name, (_Base,), namespace)


#: What all records have is one class; what they are declared from is another, which makes them.
_Base = Record
if not TYPE_CHECKING:
    Record = type.__new__(_Maker, "Record", (), {})
