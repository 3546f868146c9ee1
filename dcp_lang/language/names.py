"""What a name in an expression may mean: the fields whose paths end with it."""

from __future__ import annotations

from dcp_lang.language.fields import FIELDS

#: The paths that end with a name, but for the name itself.
_BY_ENDING: dict[str, list[str]] = {}
for _path in FIELDS:
    _, _dot, _ending = _path.partition(".")
    while _dot:
        _BY_ENDING.setdefault(_ending, []).append(_path)
        _, _dot, _ending = _ending.partition(".")


def resolve_name(dotted: str) -> list[str]:
    """The paths that a name in an expression may mean: itself, or the shortest paths that end with it.

    More than one is an ambiguity: `valid_rate` may be Gate 2's or Gate 3's, but `pairs` is Gate 3's, since the
    replacements' `pairs` lies deeper.
    """
    if dotted in FIELDS:
        return [dotted]
    paths = _BY_ENDING.get(dotted, [])
    least = min((path.count(".") for path in paths), default=0)
    return [path for path in paths if path.count(".") == least]
