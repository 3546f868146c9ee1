"""The known word that an unknown one was probably meant to be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from dcp_lang.record import Record

#: How much alike two words must be: twice their matching letters, as `difflib` finds them, by all their letters.
_ALIKE = 0.67


class _Index(Record):
    """Known words by their lower case, which of them have a letter so often, and how long the longest is."""

    by_case: dict[str, str]
    having: dict[tuple[str, int], list[int]]
    longest: int


# Remembered: a fault that is made once is made again.
@lru_cache(maxsize=1024)
def closest(word: str, known: tuple[str, ...]) -> str | None:
    """The known word that is the same but for case, or the most alike of those about two thirds alike."""
    index = _index(known)
    if word.lower() in index.by_case:
        return index.by_case[word.lower()]
    candidates = [known[at] for at in _may_be_alike(word, known, index)]
    if not candidates:
        return None
    from difflib import get_close_matches  # only a faulty source needs it

    near = get_close_matches(word, candidates, 1, cutoff=_ALIKE)
    return near[0] if near else None


def _may_be_alike(word: str, known: tuple[str, ...], index: _Index) -> list[int]:
    """Which of the words can match: of the letters so many are in both, each as often as it is in both."""
    size = len(word)
    if size > 2 * index.longest:
        return []
    shared = Counter(chain.from_iterable([index.having.get(letter, ()) for letter in _counted(word)]))
    least = _ALIKE * size / 2  # what even the shortest word would need: most words have less
    return [
        at for at, count in shared.items() if count > least and count >= _ALIKE * (size + len(known[at])) / 2
    ]


def _counted(word: str) -> Iterator[tuple[str, int]]:
    """Its letters, each with how often it has come."""
    counts: dict[str, int] = {}
    for letter in word:
        count = counts[letter] = counts.get(letter, 0) + 1
        yield letter, count


@lru_cache(maxsize=128)
def _index(known: tuple[str, ...]) -> _Index:
    having: dict[tuple[str, int], list[int]] = {}
    for at, word in enumerate(known):
        for letter in _counted(word):
            having.setdefault(letter, []).append(at)
    return _Index({word.lower(): word for word in known}, having, max(map(len, known), default=0))
