"""Remembering what a function says of a compilation: an editor asks many questions about each text."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from dcp_lang.driver import Compilation

T = TypeVar("T")


def per_compilation(function: Callable[[Compilation], T]) -> Callable[[Compilation], T]:
    """Compute once for each compilation, and keep it for as long as that lives; what is returned must not change."""
    known: WeakKeyDictionary[Compilation, T] = WeakKeyDictionary()

    @wraps(function)
    def remembered(compilation: Compilation) -> T:
        if compilation not in known:
            known[compilation] = function(compilation)
        return known[compilation]

    return remembered
