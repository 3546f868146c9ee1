"""What a name in an expression may mean: the fields whose paths end with it."""

from __future__ import annotations

from dcp_lang.language.fields import FIELDS

_BY_LAST_NAME: dict[str, list[str]] = {}
for _path in FIELDS:
    _BY_LAST_NAME.setdefault(_path.rpartition(".")[2], []).append(_path)


def resolve_name(dotted: str) -> list[str]:
    """The paths that a name in an expression may mean: itself, or the shortest paths that end with it.

    More than one is an ambiguity: `valid_rate` may be Gate 2's or Gate 3's, but `pairs` is Gate 3's, since the
    replacements' `pairs` lies deeper.
    """
    if dotted in FIELDS:
        return [dotted]
    ending = "." + dotted
    paths = [path for path in _BY_LAST_NAME.get(dotted.rpartition(".")[2], ()) if path.endswith(ending)]
    least = min((path.count(".") for path in paths), default=0)
    return [path for path in paths if path.count(".") == least]
