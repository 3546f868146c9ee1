"""Amending a frozen registration: what an amendment must say, and what it must not do under the same slot."""

from __future__ import annotations

from collections.abc import Iterator

from dcp_lang.emit.diff import IDENTITY, LOOSENING, Change, compare
from dcp_lang.frozen import Registration


def amendment_faults(old: Registration, new: Registration) -> Iterator[str]:
    """Why `new` is no amendment of `old`, in sentences; nothing when it is one.

    An amendment names the digest that it supersedes and its reason. Under the same slot it may tighten and
    explain; what loosens a criterion or changes what is tested takes a slot of its own, so that an authority
    counts it as another audit.
    """
    if new.get("supersedes") != old.digest:
        yield f'the amendment does not name what it supersedes: write `supersedes = "{old.digest}"`'
    if not str(new.get("reason") or "").strip():
        yield 'the amendment gives no reason: write `reason = "…"`'
    elif new.get("reason") == old.get("reason"):
        yield "the reason is still the one of the amendment before"
    if new.get("id") != old.get("id"):
        yield f"the claim id differs: {old.get('id')} is amended, this is {new.get('id')}"
    grave = [c for c in compare(old, new) if c.kind in (LOOSENING, IDENTITY)]
    if grave and not names_new_slot(old, new):
        yield f"{_listed(grave)}: such a change needs a new slot: write `slot = slot(id = …, receipt = …)`"


def names_new_slot(old: Registration, new: Registration) -> bool:
    """Whether the amendment declares a slot that is not the one of what it amends."""
    return not new.slot.local and (new.slot.id, new.slot.receipt) != (old.slot.id, old.slot.receipt)


def _listed(changes: list[Change]) -> str:
    return ", ".join(f"{c.path} ({c.kind})" for c in changes)
