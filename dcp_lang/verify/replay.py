"""A saved certificate against the one that the evidence gives.

Texts, counts, identities and statuses must be equal; doubles may differ by `SLACK`, since the last bits of a
quantile or of a sum depend on the library and the Python version that wrote them. Kernel doubles near a
threshold are taken from the certificate itself (see `arithmetic.Kernel`), so a tolerated difference never
changes a status.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from dcp_lang.verify.intervals import SLACK


def differences(saved: Any, rebuilt: Any, place: str = "") -> Iterator[str]:
    """JSON pointers of the values in which `saved` is not what the evidence gives."""
    if saved == rebuilt:
        return
    if isinstance(saved, dict) and isinstance(rebuilt, dict):
        for key in sorted(saved.keys() | rebuilt.keys()):
            if key in saved and key in rebuilt:
                yield from differences(saved[key], rebuilt[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}"
    elif isinstance(saved, list) and isinstance(rebuilt, list | tuple) and len(saved) == len(rebuilt):
        for index, (left, right) in enumerate(zip(saved, rebuilt, strict=True)):
            yield from differences(left, right, f"{place}/{index}")
    elif not _close(saved, rebuilt):
        yield place


def _close(saved: Any, rebuilt: Any) -> bool:
    """Doubles within `SLACK`; the peer writes null for one that no JSON number holds."""
    if not isinstance(rebuilt, float):
        return False
    return (
        abs(saved - rebuilt) <= SLACK if isinstance(saved, float) else saved is None and not isfinite(rebuilt)
    )
