"""What a name in an expression may mean: the fields whose paths end with it."""

from __future__ import annotations

from functools import lru_cache

from dcp_lang.language.fields import FIELDS

_BY_LAST_NAME: dict[str, list[str]] = {}
for _path in FIELDS:
    _BY_LAST_NAME.setdefault(_path.rpartition(".")[2], []).append(_path)


def resolve_name(dotted: str) -> list[str]:
    """The paths that a name in an expression may mean: itself, or the shortest paths that end with it.

    More than one is an ambiguity: `valid_rate` may be Gate 2's or Gate 3's, but `pairs` is Gate 3's, since the
    replacements' `pairs` lies deeper.
    """
    return [dotted] if dotted in FIELDS else list(_shortest(dotted))


# Remembered: conditions name the same few fields.
@lru_cache(maxsize=1024)
def _shortest(dotted: str) -> tuple[str, ...]:
    ending = "." + dotted
    paths = [path for path in _BY_LAST_NAME.get(dotted.rpartition(".")[2], ()) if path.endswith(ending)]
    least = min((path.count(".") for path in paths), default=0)
    return tuple([path for path in paths if path.count(".") == least])
