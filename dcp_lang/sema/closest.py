"""The known word that an unknown one was probably meant to be."""

from __future__ import annotations

from functools import lru_cache

#: How much alike two words must be: twice their matching letters, as `difflib` finds them, by all their letters.
_ALIKE = 0.67


# Remembered: a fault that is made once is made again.
@lru_cache(maxsize=1024)
def closest(word: str, known: tuple[str, ...]) -> str | None:
    """The known word that is the same but for case, or the most alike of those about two thirds alike."""
    folded = {candidate.lower(): candidate for candidate in known}
    if word.lower() in folded:
        return folded[word.lower()]
    candidates = [candidate for candidate in known if _may_be_alike(word, candidate)]
    if not candidates:
        return None
    from difflib import get_close_matches  # only a faulty source needs it

    near = get_close_matches(word, candidates, 1, cutoff=_ALIKE)
    return near[0] if near else None


def _may_be_alike(word: str, candidate: str) -> bool:
    """Whether so many letters can match: those of the word that the other has, and no more than it has."""
    needed = _ALIKE * (len(word) + len(candidate)) / 2
    if min(len(word), len(candidate)) < needed:
        return False
    return len(word) - len(word.translate(_without(candidate))) >= needed


@lru_cache(maxsize=1024)
def _without(word: str) -> dict[int, None]:
    """A table that drops the letters of a word."""
    return dict.fromkeys(map(ord, word))
