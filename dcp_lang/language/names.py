"""What a name in an expression may mean: the fields whose paths end with it."""

from __future__ import annotations

from functools import lru_cache

from dcp_lang.language.fields import FIELDS


@lru_cache(maxsize=1)
def _by_ending() -> dict[str, list[str]]:
    """The paths that end with a name, for every ending of a path but itself."""
    found: dict[str, list[str]] = {}
    for path in FIELDS:
        _, dot, rest = path.partition(".")
        while dot:
            found.setdefault(rest, []).append(path)
            _, dot, rest = rest.partition(".")
    return found


def resolve_name(dotted: str) -> list[str]:
    """The paths that a name in an expression may mean: itself, or the shortest paths that end with it.

    More than one is an ambiguity: `valid_rate` may be Gate 2's or Gate 3's, but `pairs` is Gate 3's, since the
    replacements' `pairs` lies deeper.
    """
    if dotted in FIELDS:
        return [dotted]
    paths = _by_ending().get(dotted, [])
    least = min((path.count(".") for path in paths), default=0)
    return [path for path in paths if path.count(".") == least]
